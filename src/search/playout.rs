//! Random games to the end, counted.

mod scalar;

pub(super) use scalar::PlayoutBoard;
