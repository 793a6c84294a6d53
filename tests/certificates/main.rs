//! Certificates: what the prover writes, both checkers accept, and they refuse what proves less.

#[path = "../common/mod.rs"]
mod common;

mod command;
mod forgeries;
mod made;
mod map;
mod mutations;
mod parts;
mod positions;
mod refuted;
mod solutions;
