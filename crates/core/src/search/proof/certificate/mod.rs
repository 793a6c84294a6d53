//! Certificates: proofs of values that other programs can check. `docs/certificates.md` has the format and its rules.
//!
//! [`Prover`] takes what the solver knows and writes it down as records of that page: it asks the solver for the deciding
//! moves, makes every move of the other side, and ends at leaves whose rules have witnesses. Table entries show it the way.
//! It trusts none of them: what it cannot write down, it searches again. Nothing here says that a certificate is right. The
//! checkers do.
//!
//! | file | what it holds |
//! |---|---|
//! | `record.rs` | claims, records and blocks |
//! | `prover.rs` | the claims of a position; lemmas |
//! | `wins.rs`, `cannot.rs` | proofs of `wins` and `cannot` |
//! | `expansion.rs` | what is left to prove after a move, for proofs that several processes share |
//! | `replies.rs` | the moves of the other side that need a proof |
//! | `weak.rs` | proofs of `weak`, with zones |
//! | `lemmas.rs` | which positions are proven already, up to turns and mirror images |

mod cannot;
mod expansion;
mod lemmas;
mod prover;
mod record;
mod replies;
mod weak;
mod wins;

pub use expansion::Expansion;
pub use prover::{Block, BlockSink, ProofError, Prover};
pub use record::{Board, Claim, Lemma, Record, TheoremName};
