//! The engine as its clients see it: the own protocol, those of the adapters, and what clients do wrong.

#[path = "../common/mod.rs"]
mod common;

mod adapters;
mod conversation;
mod faults;
mod limits;
mod long_run;
mod random_lines;
mod round_trip;
mod search_moves;
mod trace;
