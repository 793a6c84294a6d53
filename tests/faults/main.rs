//! The system at fault: full disks, limits, failing writes, signals at any moment, clocks that jump.
//!
//! Each test puts one fault to several subcommands (`subject.rs`) and holds what becomes of them against the same laws
//! (`place.rs`): a sentence that names the cause, whole lines in every record, no process left behind, and a run that goes
//! on from its record to the totals of an unbroken one. The numbers are those of `docs/faults.md`.

#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
mod common;

mod clocks;
mod files;
mod limits;
mod memory;
mod place;
mod serve;
mod signals;
mod subject;
