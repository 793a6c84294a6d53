//! UCI as programs for chess variants speak it: drop moves, boards as FEN, and no playouts.
//!
//! Our own protocol contains UCI, so there is an adapter on the client side only.

mod client_side;

pub use client_side::UciClientAdapter;
