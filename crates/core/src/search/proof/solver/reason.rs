//! Proofs about a position and their reasons, for callers of the solver.

use crate::game::{Bounds, Cell, Player};
#[cfg(doc)]
use crate::search::known_values;
use crate::search::proof::threats::ThreatStep;

/// The reason why a player can, or cannot, force a win.
#[derive(Clone, PartialEq, Debug)]
pub enum Reason {
    /// The game is over.
    GameOver,
    /// No line can be completed any more.
    NoLine,
    /// The potential of the lines of `lines_of` is too small: `sum` is below `bound`. A completed line counts 1.
    Potential {
        /// Whose lines are summed.
        lines_of: Player,
        /// The sum over its live lines of 2^-lacking.
        sum: f64,
        /// The bound: 1/2 or 1.
        bound: f64,
    },
    /// The defender answers inside these pairs.
    Pairing {
        /// Whose lines the pairs block.
        lines_of: Player,
        /// Disjoint pairs of empty cells; every live line contains one, or the cell in the next field.
        pairs: Vec<(Cell, Cell)>,
        /// A cell of no pair. Normal rules: the defender is to move and takes it first. Reverse rules: the attacker has to
        /// take it in the end, because of the parity of the empty cells.
        absorbed: Option<Cell>,
    },
    /// Reverse rules: one player answers inside pairs and never plays the kept cells, until the other has no other cells.
    Parity {
        /// The cells that the other player has to take in the end.
        kept: Vec<Cell>,
        /// The pairs; none if the potential of the lines is small enough without pairs.
        pairs: Vec<(Cell, Cell)>,
    },
    /// Reverse rules: the defender answers every move with its mirror image through the centre.
    Mirror,
    /// Reverse rules, 2 in a row on a board of even size: the attacker answers every move with its mirror image through the
    /// centre, until the defender has no move left but to complete a line.
    MirrorWin,
    /// Normal rules: the defender has one reply to each first move, and answers inside pairs from then on. The replies and
    /// the pairs are those of [`known_values::replies`].
    OneReply,
    /// A win by threats of the side to move.
    Threats {
        /// The moves of the winner in the game in which the loser always delays the end.
        steps: Vec<ThreatStep>,
        /// The winner completes a line within this many plies.
        plies: u16,
    },
    /// A published theorem.
    Theorem(&'static str),
    /// A search through all moves.
    Search,
}

/// The proven bounds of a position, with reasons.
#[derive(Clone, PartialEq, Debug)]
pub struct Proof {
    /// The proven bounds of its value, seen by the side to move.
    pub bounds: Bounds,
    /// The reason why the side to move can, or cannot, force a win; `None` if it is not known which.
    pub attack: Option<Reason>,
    /// The reason why its opponent can, or cannot, force a win; `None` if it is not known which.
    pub defence: Option<Reason>,
}
