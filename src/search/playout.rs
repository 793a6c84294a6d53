//! Random games to the end, counted.

// The searcher does not choose it yet.
#[cfg_attr(not(test), expect(dead_code))]
mod line_sampling;
mod scalar;

pub(super) use scalar::PlayoutBoard;
