//! A number that changes when the engine answers differently, and with nothing else.

use std::fmt;

use std::sync::Arc;

use crate::engine::{Engine, Options, PlayerKind, Task};
use crate::game::{Position, Rules, Score};
use crate::search::{Limits, Stream, Verdict, generator};

use super::rules;

/// What the engine answered to a fixed list of tasks with fixed seeds: the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Nodes of all searches.
    pub nodes: u64,
    /// A hash of all moves, values and totals.
    pub answers: u64,
}

impl Signature {
    /// Lets every player play against itself on several boards, under both rules: whole games on small boards,
    /// openings on large ones.
    pub fn compute() -> Signature {
        let mut signature = Signature { nodes: 0, answers: FNV_OFFSET };
        for (size, connect) in [(1, 0), (2, 0), (3, 0), (3, 2), (4, 3), (6, 4), (9, 5), (15, 5)] {
            for reverse in [false, true] {
                for player in [PlayerKind::Auto, PlayerKind::MonteCarlo, PlayerKind::Random] {
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
            let task = Task {
                position,
                options: Options { rules, player, trials: 300, ..Options::default() },
                limits: Limits::default(),
                lines: usize::MAX,
                generator: generator(1, Stream::Go(number)),
            };
            let verdict = Engine::new().think(task, Arc::default(), &mut |_| {}).verdict;
            self.add(&verdict);
            position = position.after(verdict.lines[0].first_move());
        }
    }

    fn add(&mut self, verdict: &Verdict) {
        self.nodes += verdict.nodes;
        for line in &verdict.lines {
            let value = match line.score {
                Score::Exact(value) => format!("{value:?}"),
                Score::Estimate(result) => result.to_bits().to_string(),
            };
            let total = line.total.map(f64::to_bits);
            self.hash(&format!("{} {value} {total:?};", line.first_move()));
        }
    }

    /// One step of FNV-1a for each byte. (Fowler, Noll and Vo, 1991.)
    fn hash(&mut self, text: &str) {
        for byte in text.bytes() {
            self.answers = (self.answers ^ u64::from(byte)).wrapping_mul(FNV_PRIME);
        }
    }
}

/// Plies of a game that count.
const MOST_PLIES: u64 = 12;

const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0100_0000_01b3;

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes, answers {:016x}", self.nodes, self.answers)
    }
}
