//! The engine keeps its time. These tests are a binary of their own, so that no other tests run beside them.

#[path = "../common/mod.rs"]
mod common;

mod clocks;
