//! Openings: the positions that the games of a match begin from.
//!
//! | file | what it holds |
//! |---|---|
//! | `opening.rs` | which openings a match has, as its settings say it; one opening; why there is none |
//! | `sources.rs` | openings from all sequences of moves, and from a file |
//! | `book.rs` | the openings of a match in their order; proofs that an opening is a draw |

mod book;
mod opening;
mod sources;

pub use book::Book;
pub use opening::{Opening, Openings, OpeningsError};
