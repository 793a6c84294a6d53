//! Exact values on every board. (A stand-in: plain negamax with a memory, to build against.)

use std::collections::HashMap;

use crate::game::{Bounds, Cell, Player, Position, Rules, Value};

use super::{Control, Stopped};

/// A rule of the solver that can be switched off, to see that no answer depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Technique {
    /// Erdős-Selfridge potentials, and their counterpart for avoiders.
    Potential,
    /// Pairing strategies.
    Pairing,
    /// Reverse rules: wins and survival by parity.
    Parity,
    /// Reverse rules: mirror strategies.
    Mirror,
    /// Starts that theorems and stored pairings settle.
    Theorem,
    /// Equal cells are tried once.
    EqualCells,
    /// Lines that cannot be completed in time are left out.
    ShortLines,
    /// Positions are remembered.
    Memory,
}

impl Technique {
    /// All of them.
    pub const ALL: [Technique; 8] = [
        Technique::Potential,
        Technique::Pairing,
        Technique::Parity,
        Technique::Mirror,
        Technique::Theorem,
        Technique::EqualCells,
        Technique::ShortLines,
        Technique::Memory,
    ];
}

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
        /// Disjoint pairs of empty cells; every live line contains one.
        pairs: Vec<(Cell, Cell)>,
        /// Reverse rules: a cell that the defender never has to take.
        absorbed: Option<Cell>,
    },
    /// Reverse rules: one player answers inside pairs and keeps off some cells until the other has nothing else.
    Parity {
        /// The cells that are left for the other player.
        kept: Vec<Cell>,
        /// The pairs inside which is answered.
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

/// Finds out exact values under one set of rules, in bounded memory.
pub struct Solver {
    rules: Rules,
    memory: HashMap<Position, Value>,
    nodes: u64,
}

impl Solver {
    /// A solver whose tables take at most so many MiB (2^20 bytes). Nothing is allocated before it is needed.
    pub fn new(rules: Rules, _mebibytes: u32) -> Solver {
        Solver { rules, memory: HashMap::new(), nodes: 0 }
    }

    /// The same without some of its techniques.
    pub fn without(self, _techniques: &[Technique]) -> Solver {
        self
    }

    /// The rules of its positions.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Positions looked at since the solver was made.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// What can be proven about the value of a position before `control` ends the search; exact when nothing ends it.
    pub fn bounds(&mut self, position: &Position, control: &Control) -> Bounds {
        match self.value(position, control, self.nodes) {
            Ok(value) => Bounds::exactly(value),
            Err(Stopped) => Bounds::UNKNOWN,
        }
    }

    /// What can be proven about every move of a position in reading order, seen by the side that moves.
    pub fn move_bounds(&mut self, position: &Position, control: &Control) -> Vec<(Cell, Bounds)> {
        let first = self.nodes;
        let mut bounds = Vec::new();
        for cell in position.moves() {
            let found = self.value(&position.after(cell), control, first);
            bounds.push((cell, found.map_or(Bounds::UNKNOWN, |value| Bounds::exactly(value.before_move()))));
        }
        bounds
    }

    /// The moves that are proven to be best, in reading order: all of them, unless `control` ends the search.
    pub fn best_moves(&mut self, position: &Position, control: &Control) -> Vec<Cell> {
        let moves = self.move_bounds(position, control);
        let best = moves.iter().map(|(_, bounds)| bounds.at_least).max();
        moves.into_iter().filter(|(_, bounds)| Some(bounds.at_least) == best).map(|(cell, _)| cell).collect()
    }

    /// What can be proven about a position, and why.
    pub fn prove(&mut self, position: &Position, control: &Control) -> Proof {
        let bounds = self.bounds(position, control);
        Proof { bounds, attack: Some(Reason::Search), defence: Some(Reason::Search) }
    }

    /// The same as [`Solver::bounds`], telling at times what is proven so far, the plies of the proof under way and the
    /// positions that it has looked at.
    pub fn bounds_reporting(
        &mut self,
        position: &Position,
        control: &Control,
        progress: &mut dyn FnMut(Bounds, u16, u64),
    ) -> Bounds {
        let first = self.nodes;
        loop {
            let left = control.nodes().map_or(u64::MAX, |nodes| nodes.saturating_sub(self.nodes - first));
            let part = control.clone().with_nodes(Some(left.min(100_000)));
            let bounds = self.bounds(position, &part);
            if bounds.exact().is_some() || left <= 100_000 || control.check().is_err() {
                return bounds;
            }
            progress(bounds, position.empty_cells() as u16, self.nodes - first);
        }
    }

    /// The moves of perfect play from a position, each the first of the best in reading order: to the end of the game
    /// for wins and losses, one for draws; fewer when `control` ends the search.
    pub fn principal_variation(&mut self, position: &Position, control: &Control) -> Vec<Cell> {
        let mut position = *position;
        let mut line = Vec::new();
        while let Some(value) = self.bounds(&position, control).exact().filter(|_| position.outcome().is_none()) {
            let is_best = |bounds: Bounds| bounds.at_least == value;
            let moves = self.move_bounds(&position, control);
            let Some((cell, _)) = moves.into_iter().find(|(_, bounds)| is_best(*bounds)) else { break };
            line.push(cell);
            if value == Value::Draw {
                break;
            }
            position = position.after(cell);
        }
        line
    }

    /// Forgets everything that was found out before, so that it can influence no answer.
    pub fn forget(&mut self) {
        self.memory.clear();
    }

    fn value(&mut self, position: &Position, control: &Control, first: u64) -> Result<Value, Stopped> {
        if let Some(value) = position.final_value() {
            return Ok(value);
        }
        if let Some(value) = self.memory.get(position) {
            return Ok(*value);
        }
        self.nodes += 1;
        control.check()?;
        if control.nodes().is_some_and(|nodes| self.nodes - first > nodes) {
            return Err(Stopped);
        }
        let mut best = Value::Loss(0);
        for cell in position.moves() {
            best = best.max(self.value(&position.after(cell), control, first)?.before_move());
        }
        self.memory.insert(*position, best);
        Ok(best)
    }
}
