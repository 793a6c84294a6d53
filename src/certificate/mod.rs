//! Certificates as text: what `docs/certificates.md` describes, made from the blocks of a [`Prover`](noughts_core::search::Prover).
//!
//! Blocks go to a file without a name as they are made, so that a long proof takes little memory ([`Spool`]). At the end
//! the certificate is made of them: lemmas that nobody uses are left out, and those that are used once stand where they are
//! used.

mod spool;
mod text;

pub use spool::{Spool, Written};
pub use text::{Header, board_text, record_text};
