//! The boards for people: the game as lines of text, on a terminal and in a browser, and explanations.

#[path = "../common/mod.rs"]
mod common;

mod explain;
mod plain;
mod screen;
mod serve;
mod terminal;
