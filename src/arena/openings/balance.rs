//! Balanced openings: positions that are proven to be draws.

use std::collections::HashMap;
use std::sync::Mutex;

use noughts_core::game::{Position, Rules, Value};
use noughts_core::search::{Control, Solver, ValueTable};

/// The most positions that a proof of the balance of one opening visits.
const MAX_NODES: u64 = 100_000;

/// The memory of the solver, in MiB.
const MEBIBYTES: u32 = 16;

/// The most results of proofs that are kept.
const MAX_KNOWN: usize = 100_000;

/// Decides whether a position is proven to be a draw.
pub enum BalanceCheck {
    Table(&'static ValueTable),
    Prover(Box<Mutex<DrawProver>>),
}

/// Proofs within a budget. A position is proven once, and so are all positions that are symmetric to it.
pub struct DrawProver {
    solver: Solver,
    known: HashMap<Position, bool>,
}

impl BalanceCheck {
    /// The check for a game: by the table of 3x3, else by proofs.
    pub fn new(rules: Rules) -> BalanceCheck {
        let prover = || DrawProver { solver: Solver::new(rules, MEBIBYTES), known: HashMap::new() };
        ValueTable::for_rules(rules)
            .map_or_else(|| BalanceCheck::Prover(Box::new(Mutex::new(prover()))), BalanceCheck::Table)
    }

    /// Whether perfect play from a position is proven to be a draw. A proof visits at most [`MAX_NODES`] positions and
    /// at most `left`, from which the positions that it visits are subtracted.
    pub fn is_draw(&self, position: &Position, left: &mut u64) -> bool {
        match self {
            BalanceCheck::Table(table) => table.value(position) == Value::Draw,
            BalanceCheck::Prover(prover) => match prover.lock() {
                Ok(mut prover) => prover.is_draw(position, left),
                // A worker that panicked during a proof has ended the match.
                Err(_) => false,
            },
        }
    }
}

impl DrawProver {
    /// The result depends on the position and the budget alone, not on earlier proofs: the solver forgets them.
    fn is_draw(&mut self, position: &Position, left: &mut u64) -> bool {
        let position = position.canonical();
        if let Some(known) = self.known.get(&position) {
            return *known;
        }
        let before = self.solver.nodes();
        self.solver.forget();
        let bounds = self.solver.bounds(&position, &Control::nodes_only(MAX_NODES.min(*left)));
        *left = left.saturating_sub(self.solver.nodes() - before);
        let is_draw = bounds.exact() == Some(Value::Draw);
        if self.known.len() < MAX_KNOWN {
            self.known.insert(position, is_draw);
        }
        is_draw
    }
}
