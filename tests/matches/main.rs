//! Matches and exams: what is played, what is recorded, what it means, and what engines do wrong.

#[path = "../common/mod.rs"]
mod common;

mod attempts;
mod exam;
mod faults;
mod foreign_records;
mod games;
mod other_protocols;
mod pgn;
mod records;
mod statistics;
