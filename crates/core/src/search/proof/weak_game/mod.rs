//! The weak game, also called Maker-Breaker game: can the attacker fill a line at all?
//!
//! # The game
//!
//! *Maker* is the attacker and wants all cells of one line. *Breaker* is the defender and wants one cell of every line. A
//! line of Breaker's own wins nothing, so only the lines without a stone of Breaker matter, each as the set of its empty
//! cells.
//!
//! **If Breaker wins the weak game, the attacker cannot win the real one.** The defender plays Breaker's strategy. Every move
//! of it is legal in the real game while that lasts. It puts a stone into every line before the attacker fills that line.
//! If the defender completes a line of its own meanwhile, it wins. So the attacker never does. (Beck, "Combinatorial Games:
//! Tic-Tac-Toe Theory", 2008, section 1.)
//!
//! **If Maker wins the weak game, nothing follows for the real one**, where the defender has threats of its own. For example,
//! 3 in a row on 3x3 and 4 in a row on 5x5 are won for Maker and are draws.
//!
//! # The search
//!
//! Depth-first proof-number search (Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its Applications", 2002;
//! Kishimoto and Müller, "Df-pn in Go", 2003). The *proof number* estimates how hard it is to prove that Breaker wins, the
//! *disproof number* the same for Maker.
//!
//! - The first proof number is the deficiency: the lines that are left without a pair by the pairing finder, less those
//!   that Breaker's next stone blocks. The first disproof number is 1.
//! - The graph of positions has no cycles, but it is no tree. Sums of numbers would count positions twice that are reached by
//!   several paths. So the number of the player who is not to move is the maximum over the moves, plus 1 for every eight
//!   other moves. (A variant of weak proof-number search: Ueda, Hashimoto, Hashimoto and Iida, "Weak Proof-Number
//!   Search", 2008, who count each other move as 1.) It also fits the zones below: one refutation often refutes many moves.
//! - A move of Maker is searched until it is refuted, or seems a hundred times harder for Maker than the second best. Usually
//!   Breaker wins and all moves must be refuted, so it saves work to finish one before the next. On 8x8 with 5 in a row this
//!   refutes about ten times as many moves in the same time as an even search of all moves.
//! - Moves are looked up in the table late: a few of Breaker's before the first one is searched, and Maker's after the first
//!   refutation. On large boards most of them are new, and to make a move takes a microsecond.
//! - Positions are stored by 128 bits of their lines and the side to move. While there are many lines, all eight images of a
//!   position share an entry.
//!
//! # Reductions (`position.rs`)
//!
//! Each keeps the winner. "Zone" names the cells that it adds to a zone, see below.
//!
//! | reduction | why | zone of Breaker | zone of Maker |
//! |---|---|---|---|
//! | a line that contains another one is removed | who fills or blocks the shorter one does so with the longer one | | |
//! | two cells in the same lines: these lines are removed | Breaker answers one with the other | both | |
//! | Breaker to move, a line lacks one stone: he takes it | else Maker does | the cell | the cell |
//! | Maker to move, a line of two cells, one in no other line: Maker takes the other, Breaker the one | Maker loses nothing, because the line is all that the cell is good for | both | both |
//!
//! Maker wins at once with a line that lacks one stone and the move, with two such lines, or with two lines of two cells
//! that share a cell and the move. Breaker wins without lines, with a pairing (`pairing.rs`), or if the lines weigh too
//! little: the sum of 2^-cells is below 1/2 with Maker to move, below 1 with Breaker to move. (Erdős and Selfridge, "On a
//! Combinatorial Game", 1973.)
//!
//! **Domination.** If every line through a goes through b too, then b is at least as good as a, for both players: the lines
//! through a alone do not exist, so a stone on b does all that a stone on a does. Only undominated cells are tried.
//!
//! # Relevance zones
//!
//! A *zone* of Breaker in a position that he wins is a set Z of empty cells such that he wins even if Maker gets a stone in
//! every empty cell outside of Z. The cells of a pairing are one. Let Maker be to move, and let Breaker win after Maker's
//! move m, with zone Z. Then he also wins after any other move outside of Z, because Maker has no more then than is granted
//! to him. So only the moves in the intersection of all zones found so far are left to try. When none is left, Breaker wins,
//! and the union of the zones is a zone: a move in it is refuted by a zone that does not hold it, and a move outside of it is
//! granted already. If the intersection still holds dominated cells, their dominators belong to the zone too, because the
//! domination must hold inside of it. With Breaker to move, the zone is that after his move, and the move.
//!
//! Zones of Maker are the same with the players exchanged: Maker wins even if Breaker gets every empty cell outside.
//! (Thomsen, "Lambda-Search in Game Trees", 2000; Wu and Lin, "Relevance-Zone-Oriented Proof Search for Connect6", 2010. In
//! Hex the intersection is known as must-play region: Hayward and van Rijswijck, "Hex and Combinatorics", 2006.)
//!
//! Pairings prefer cells outside of the moves that Maker has left, so that their zones exclude many.

mod bits;
mod pairing;
mod position;
mod proof_table;
mod search;
mod symmetry;
#[cfg(test)]
mod tests;

pub use bits::Bits;
pub use position::Reduction;
pub use proof_table::ProofEntry;
pub use search::WeakSearch;
pub use symmetry::Key;

use crate::game::Geometry;
use crate::search::Stopped;
use crate::search::proof::Role;

/// Counts a node. Returns an error if the search must end.
pub type Spend<'a> = &'a mut dyn FnMut() -> Result<(), Stopped>;

/// The result of a search of the weak game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WeakResult {
    /// Maker fills a line.
    MakerWins,
    /// Breaker gets a stone in every line. If he is to move, `reply` wins; `None` if every move does.
    BreakerWins { reply: Option<u16> },
}

/// A pairing of a position.
pub struct Pairing {
    /// The cell that Breaker takes first, where it is his move and he needs one.
    pub first: Option<u16>,
    /// Disjoint pairs. Every line holds the first cell or both cells of a pair.
    pub pairs: Vec<(u16, u16)>,
}

/// The search of the weak game on one board, with its table, by the words that sets of cells and of lines take.
pub enum WeakGame {
    Small(Box<WeakSearch<1, 2>>),
    Medium(Box<WeakSearch<2, 4>>),
    Large(Box<WeakSearch<3, 4>>),
}

/// Evaluates the same expression for a search of any size.
macro_rules! of_any_size {
    ($search:expr, $name:ident => $expression:expr) => {
        match $search {
            $crate::search::proof::weak_game::WeakGame::Small($name) => $expression,
            $crate::search::proof::weak_game::WeakGame::Medium($name) => $expression,
            $crate::search::proof::weak_game::WeakGame::Large($name) => $expression,
        }
    };
}
pub(in crate::search::proof) use of_any_size;

impl WeakGame {
    /// A search on a board, with a table of at most `bytes`. `None` above 192 cells or 256 lines: a node takes too long there,
    /// and few positions are decided.
    pub fn new(geometry: &Geometry, bytes: usize) -> Option<WeakGame> {
        Some(match (geometry.cells(), geometry.line_count()) {
            (..=64, ..=128) => WeakGame::Small(Box::new(WeakSearch::new(geometry, bytes))),
            (..=128, ..=256) => WeakGame::Medium(Box::new(WeakSearch::new(geometry, bytes))),
            (..=192, ..=256) => WeakGame::Large(Box::new(WeakSearch::new(geometry, bytes))),
            _ => return None,
        })
    }

    /// Drops what earlier searches have stored.
    pub fn forget(&mut self) {
        of_any_size!(self, search => search.forget());
    }

    /// Finds the winner of a position, given by its lines without a stone of Breaker, each as its empty cells, none full.
    ///
    /// # Errors
    /// If `spend` ends the search.
    pub fn solve<Line: Iterator<Item = u16>>(
        &mut self,
        lines: impl Iterator<Item = Line>,
        to_move: Role,
        spend: Spend<'_>,
    ) -> Result<WeakResult, Stopped> {
        of_any_size!(self, search => search.solve(lines.map(bits), to_move, spend))
    }
}

fn bits<const C: usize>(cells: impl Iterator<Item = u16>) -> Bits<C> {
    cells.map(usize::from).collect()
}
