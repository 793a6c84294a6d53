//! A number that changes when the engine's answers change, and only then.

use std::fmt;
use std::num::NonZeroU64;
use std::sync::Arc;

use crate::engine::{Engine, GoRequest, Options, PlayerKind, SearchPurpose};
use crate::text::Fingerprint;
use noughts_core::game::{Position, Rules, Score};
use noughts_core::search::{Limits, SearchResult, Stream, generator};

use super::measure::rules;

/// A fingerprint of the answers to a fixed list of requests with fixed seeds. It is the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Nodes of all searches.
    pub nodes: u64,
    /// A hash of all moves, values and totals.
    pub answers: Fingerprint,
}

impl Signature {
    /// Lets every player play against itself on several boards, under both rules: whole games on small boards,
    /// openings on large ones.
    pub fn compute() -> Signature {
        let mut signature = Signature { nodes: 0, answers: Fingerprint::EMPTY };
        for (size, connect) in [(1, 0), (2, 0), (3, 0), (3, 2), (4, 3), (6, 4), (9, 5), (15, 5)] {
            for reverse in [false, true] {
                for player in [PlayerKind::Auto, PlayerKind::MonteCarlo, PlayerKind::Mcts, PlayerKind::Random] {
                    signature.add_game(rules(size, connect, reverse), player);
                }
            }
        }
        signature
    }

    fn add_game(&mut self, rules: Rules, player: PlayerKind) {
        let mut position = Position::start(rules);
        for number in 0..MOST_PLIES {
            if position.outcome().is_some() {
                return;
            }
            let options = Options { rules, player, ..Options::default() };
            let limits =
                Limits { trials: NonZeroU64::new(300), nodes: NonZeroU64::new(PROOF_NODES), ..Limits::default() };
            let request = GoRequest::new(position, options, limits, generator(1, Stream::Go(number)));
            let request = GoRequest { purpose: SearchPurpose::EveryMove, ..request };
            let result = Engine::new().think(request, Arc::default(), &mut |_| {}).result;
            self.add(&result);
            position = position.after(result.lines[0].first_move());
        }
    }

    fn add(&mut self, result: &SearchResult) {
        self.nodes += result.nodes;
        for line in &result.lines {
            let value = match line.score {
                Score::Exact(value) => format!("{value:?}"),
                Score::Within(value) => format!("within {value:?}"),
                Score::Estimate(result) => result.to_bits().to_string(),
            };
            let total = line.total.map(f64::to_bits);
            self.answers.add(&format_args!("{} {value} {total:?};", line.first_move()));
        }
    }
}

/// The most nodes of a proof.
const PROOF_NODES: u64 = 2_000;

/// The most plies of a game that count.
const MOST_PLIES: u64 = 12;

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes, answers {}", self.nodes, self.answers)
    }
}
