//! Certificates as text: what `docs/certificates.md` describes, made from the blocks of a [`Prover`](noughts_core::search::certificate::Prover).
//!
//! Blocks go to a file without a name as they are made, so that a long proof takes little memory ([`Spool`]). At the end
//! the certificate is made of them: lemmas without a use are left out, and those that are used once stand where they are
//! used.
//!
//! A proof can also be made in parts ([`Answers`]): some processes answer questions about positions some plies below the
//! first one, and their certificates are joined.

mod parts;
mod spool;
mod text;

pub use parts::{
    Answer, AnswerLine, AnswerResult, Answers, Joined, JoinedProof, ListLine, PartsError, ProofPlan, Question,
    read_answers, read_list,
};
pub use spool::{Spool, Written};
pub use text::{Header, board_text, record_text};
