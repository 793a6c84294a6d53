//! What is proven about a position, and what the proof rests on.

use crate::game::{Bounds, Cell, Player};

/// Why a player can, or cannot, force the end of the game.
#[derive(Clone, PartialEq, Debug)]
pub enum Reason {
    /// The game is over.
    GameOver,
    /// No line is left that could be completed.
    NoLine,
    /// The potential of `lines_of`'s lines is too small: `sum` (in units of a completed line) is below `bound`.
    Potential {
        /// Whose lines are summed.
        lines_of: Player,
        /// The sum over its live lines of 2^-missing.
        sum: f64,
        /// What the sum has to stay below: 1/2 or 1.
        bound: f64,
    },
    /// The defender answers inside these pairs.
    Pairing {
        /// Whose lines the pairs hold back.
        lines_of: Player,
        /// Disjoint pairs of empty cells; every live line contains one, or the cell in the next field.
        pairs: Vec<(Cell, Cell)>,
        /// A cell of no pair. Normal rules: the defender is to move, and takes it first. Reverse rules: the attacker has to
        /// take it in the end, for the number of cells is odd when it is to move, even when the defender is.
        absorbed: Option<Cell>,
    },
    /// Reverse rules: one player answers inside pairs and keeps off some cells until the other has nothing else.
    Parity {
        /// The cells that are left for the other player.
        kept: Vec<Cell>,
        /// The pairs inside which is answered; none where the lines weigh too little to matter.
        pairs: Vec<(Cell, Cell)>,
    },
    /// Reverse rules: the defender answers every move with its mirror image through the centre.
    Mirror,
    /// A published theorem.
    Theorem(&'static str),
    /// A search through all answers.
    Search,
}

/// What is proven about a position, and why.
#[derive(Clone, PartialEq, Debug)]
pub struct Proof {
    /// What is proven about its value, seen by the side to move.
    pub bounds: Bounds,
    /// Why the side to move can, or cannot, force a win; `None` when that is open.
    pub attack: Option<Reason>,
    /// Why its opponent can, or cannot, force a win; `None` when that is open.
    pub defence: Option<Reason>,
}
