//! Openings: the positions that the games of a match begin from.
//!
//! | file | what it holds |
//! |---|---|
//! | `setting.rs` | which openings a match has, as its settings say it |
//! | `opening.rs` | one opening; why there is none |
//! | `generated.rs`, `file.rs` | openings from all sequences of moves, and from a file |
//! | `balance.rs` | proofs that an opening is a draw |
//! | `book.rs` | the openings of a match in their order |

mod balance;
mod book;
mod file;
mod generated;
mod opening;
mod setting;

pub use book::Book;
pub use opening::{Opening, OpeningsError};
pub use setting::Openings;
