//! The documents, the scripts and the layout of the source, held against the program.

#[path = "../common/mod.rs"]
mod common;

mod fault_cases;
mod floors;
mod pages;
mod protocol;
