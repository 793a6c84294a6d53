//! Claims and records, as `docs/certificates.md` defines them.

use std::fmt;

use crate::game::{Cell, CellSet, Player};

/// Something that is true of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Claim {
    /// The player can force the end in its favour within so many plies.
    Wins(Player, u16),
    /// The player cannot force it, or not within so many plies.
    Cannot(Player, Option<u16>),
    /// The player, as Maker, loses the weak game.
    Weak(Player),
}

impl Claim {
    /// The player who tries to force the end.
    pub fn attacker(self) -> Player {
        match self {
            Claim::Wins(player, _) | Claim::Cannot(player, _) | Claim::Weak(player) => player,
        }
    }

    /// Its limit of plies; the largest number if there is none.
    pub(super) fn limit(self) -> u16 {
        match self {
            Claim::Wins(_, limit) | Claim::Cannot(_, Some(limit)) => limit,
            Claim::Cannot(_, None) | Claim::Weak(_) => u16::MAX,
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let player = self.attacker().letter();
        match self {
            Claim::Wins(_, plies) => write!(f, "wins {player} within {plies}"),
            Claim::Cannot(_, Some(plies)) => write!(f, "cannot {player} within {plies}"),
            Claim::Cannot(_, None) => write!(f, "cannot {player}"),
            Claim::Weak(_) => write!(f, "weak {player}"),
        }
    }
}

/// A published theorem that a record may name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TheoremName {
    /// The second player cannot win on the empty board.
    StrategyStealing,
    /// The first player cannot force 8 or more in a row.
    Zetters,
    /// The first player cannot force 5 in a row on 7x7 and 8x8.
    Hsu,
}

/// One step of a proof. Cells are those of the position that the record belongs to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Record {
    /// A move of the prover.
    Move(Cell),
    /// All moves of the opponent. Those after which the cells of `fours` win have no records.
    All {
        /// See [`Record::Fours`]; may be empty.
        fours: Vec<Cell>,
    },
    /// From here on the weak game is played.
    Weak,
    /// No line can be completed in time.
    NoLine,
    /// The lines weigh too little.
    Potential,
    /// The defender takes the first cell, if there is one, and answers inside the pairs.
    Pairs(Option<Cell>, Vec<(Cell, Cell)>),
    /// Reverse rule: the defender never takes the kept cells and answers inside the pairs.
    Survive(Vec<Cell>, Vec<(Cell, Cell)>),
    /// Reverse rule: the attacker never takes the kept cells, of which the defender has to take one in the end.
    Parity(Vec<Cell>, Vec<(Cell, Cell)>),
    /// Reverse rule: the prover answers through the centre.
    Mirror,
    /// The prover wins by threats to complete a line: its moves.
    Fours(Vec<Cell>),
    /// A published theorem.
    Theorem(TheoremName),
    /// A lemma, and the symmetry that takes its board here, as an index of [`Symmetry::all`](crate::game::Symmetry::all).
    Use(Lemma, u8),
    /// Weak game: Breaker answers one of the cells with the other.
    Equal(Cell, Cell),
    /// Weak game: Maker takes the first cell, Breaker has to take the second.
    Free(Cell, Cell),
    /// Weak game: the moves of Maker that have records.
    Zone(Vec<Cell>),
}

/// The number of a lemma: 0 for the first block, 1 for the next, and so on.
pub type Lemma = u32;

/// The board of a lemma.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    /// The stones of X and of O.
    pub stones: [CellSet; 2],
    /// The zone of a proof in the weak game; else empty.
    pub zone: CellSet,
    /// The player to move.
    pub side: Player,
}
