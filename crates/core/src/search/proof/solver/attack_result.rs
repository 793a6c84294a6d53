//! The question that the solver asks: can a player force the end of the game within so many plies?

use super::transposition_table::NEVER;

/// An answer to the question, for a number of plies that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttackResult {
    /// The attacker forces the end within this many plies; not more than were asked for.
    Succeeds(u16),
    /// It cannot within this many plies, which are at least as many as were asked for; [`NEVER`]: it cannot at all.
    Fails(u16),
}

impl AttackResult {
    /// A refusal for so many plies where only `empty` are left.
    pub fn fails(plies: u16, empty: u16) -> AttackResult {
        AttackResult::Fails(if plies >= empty { NEVER } else { plies })
    }
}

/// One more ply for an answer about the position after a move.
pub fn one_ply_more(plies: u16) -> u16 {
    plies.saturating_add(1)
}

/// Which of the two sides of a question is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The player that wants to force the end.
    Attacker,
    /// The player that wants to prevent it.
    Defender,
}

/// What is known of a position before any move of it is tried.
pub enum StaticResult {
    /// The answer, and what it rests on.
    Decided(AttackResult, StaticReason),
    /// All moves but this one are answered at once: lose, or miss a win.
    Forced(u16),
    /// Nothing.
    Open,
}

/// What an answer without search rests on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StaticReason {
    /// The line in question is completed with the next move, or too few plies are left for it.
    Plies,
    /// No line is left.
    NoLine,
    /// The sum of the weights of the lines is too small.
    Potential,
    /// Pairs, with a cell that the attacker has to absorb if there is one.
    Pairing,
    /// Cells that are kept, and pairs in the others.
    Parity,
    /// The image through the centre.
    Mirror,
}
