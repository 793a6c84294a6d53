//! Wins by threats, under the normal rule.
//!
//! A *threat* is a move after which the attacker would win by fours if the defender passed. So the defender has few
//! replies, and wins of thirty plies and more are found where a search through all moves has no chance.
//!
//! | kind of move | what it leaves | replies |
//! |---|---|---|
//! | *four* | a line that lacks one stone | the gap |
//! | *three* and combinations | a win by fours, for example a line that lacks two stones and can leave two gaps | the cells that may spoil that win |
//! | *quiet move* | no win by fours | every cell |
//!
//! Sequences of fours have a search of their own (`four_search.rs`). Above it, a proof-number search tries the attacker's
//! threats and the replies that matter (`threat_tree.rs`, `replies.rs`); each file says why its rule is sound. A few quiet
//! moves may be allowed: with one, the first player's win at four in a row is found on every board from 6x6 to 20x20.
//!
//! A win comes as a [`WinningStrategy`]: a move of the attacker for each position, and an answer to every reply. Nothing but
//! the rules of the game is needed to check it. If no win is found, that proves nothing.
//!
//! Lines may be of any length. Edges and lines longer than needed ("overlines") need no rule of their own: every row of so
//! many cells is a line, and only lines count.
//!
//! (L. V. Allis, H. J. van den Herik and M. P. H. Huntjens, "Go-Moku Solved by New Search Techniques", Computational
//! Intelligence 12, 1996: threat-space search. Unlike there, the defender's counter-threats are part of the search: a reply
//! that leaves a gap of the defender forces the attacker.)

mod four_search;
mod replies;
mod strategy;
#[cfg(test)]
mod tests;
mod threat_tree;

use crate::game::{Position, Rules};
use crate::search::Control;
use crate::search::line_board::LineBoard;
use crate::search::proof::Role;

pub use four_search::{FourSearch, FourSequence};
pub use replies::replies_to_fours;
use strategy::StrategyBuilder;
pub use strategy::{StrategyNode, ThreatStep, WinningStrategy};
use threat_tree::ThreatTree;

/// The most nodes of a search without a bound of its own: about two seconds.
const MOST_NODES: u64 = 1_000_000;

/// The budget of a search for fours inside of the solver, in fours.
const FOURS_IN_SOLVER: u32 = 30;

/// The most quiet moves of the attacker.
const MOST_QUIET_MOVES: u8 = 1;

/// Finds forced wins by threats.
///
/// ```
/// use noughts_core::game::{Position, Rules};
/// use noughts_core::search::{Control, ThreatSearch};
///
/// let rules = Rules::new(10, 4, false)?; // 10x10, four in a row
/// let mut search = ThreatSearch::new(rules, 32); // at most 32 MiB
/// let strategy = search.find_win(&Position::start(rules), &Control::unlimited()).expect("a win");
/// assert!(strategy.plies() <= 19);
/// # Ok::<(), noughts_core::game::RulesError>(())
/// ```
pub struct ThreatSearch {
    pub(in crate::search::proof) board: LineBoard,
    pub(in crate::search::proof) fours: FourSearch,
    /// The memory that a search may take.
    bytes: usize,
    nodes: u64,
}

/// The result of a search for threats.
pub struct ThreatResult {
    /// The plies within which the attacker wins; `None` if no win was found.
    pub plies: Option<u16>,
    /// Its winning strategy, if it is to move.
    pub strategy: Option<WinningStrategy>,
    /// Nodes visited.
    pub nodes: u64,
}

impl ThreatSearch {
    /// A search for games under these rules, the normal rule. It takes at most so many MiB (2^20 bytes).
    pub fn new(rules: Rules, mebibytes: u32) -> ThreatSearch {
        ThreatSearch::within_bytes(rules, (mebibytes as usize) << 20)
    }

    /// A search whose memory is at most `bytes`.
    pub fn within_bytes(rules: Rules, bytes: usize) -> ThreatSearch {
        ThreatSearch { board: LineBoard::new(rules), fours: FourSearch::new(), bytes, nodes: 0 }
    }

    /// The nodes that all calls of [`ThreatSearch::find_win`] have visited.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Looks for a win of the side to move, in a position in which the game goes on. `None` if none is found within the
    /// nodes and the time of `control`, or within a million nodes.
    pub fn find_win(&mut self, position: &Position, control: &Control) -> Option<WinningStrategy> {
        self.fours.forget();
        let most_nodes = control.nodes.unwrap_or(MOST_NODES).min(MOST_NODES);
        let found = self.at(position).search(position.side() as usize, Role::Attacker, most_nodes, control);
        self.nodes += found.nodes;
        found.strategy
    }

    /// Puts the stones of a position on the board.
    pub(in crate::search::proof) fn at(&mut self, position: &Position) -> &mut ThreatSearch {
        self.board.set_up(position);
        self
    }

    /// A short win by fours of the attacker from the position on the board, if the attacker were to move.
    pub(in crate::search::proof) fn find_fours(&mut self, attacker: usize) -> Option<FourSequence> {
        self.fours.find(&mut self.board, attacker, &mut { FOURS_IN_SOLVER })
    }

    /// Looks for a win of the attacker from the position on the board: first by threats alone, then with quiet moves.
    pub(in crate::search::proof) fn search(
        &mut self,
        attacker: usize,
        to_move: Role,
        most_nodes: u64,
        control: &Control,
    ) -> ThreatResult {
        // With the defender to move, the move before counts as a quiet one.
        let before = u8::from(to_move == Role::Defender);
        let mut nodes = 0;
        for quiet_moves in 0..=MOST_QUIET_MOVES {
            let most_nodes = (most_nodes - nodes) / u64::from(1 + MOST_QUIET_MOVES - quiet_moves);
            let mut tree =
                ThreatTree::new(&mut self.board, attacker, &mut self.fours, control, (most_nodes, self.bytes));
            let root = tree.prove(to_move, before + quiet_moves);
            nodes += tree.visited.min(most_nodes);
            if let Some(root) = root {
                let (plies, strategy) = StrategyBuilder::build(&mut tree, root, to_move);
                return ThreatResult { plies: Some(plies), strategy, nodes };
            }
        }
        ThreatResult { plies: None, strategy: None, nodes }
    }
}
