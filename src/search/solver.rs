//! Exact values on every board.

mod attack;
mod field;
mod geometry;
mod memory;
mod normal;
mod pairing;
mod question;
mod reverse;

use crate::game::{Bounds, Cell, Player, Position, Rules, Value};

use super::{Control, Stopped};

use attack::{Attack, Budget};
use field::Field;
use geometry::Geometry;
use memory::{Memory, NEVER};
use pairing::Pairing;
use question::{Answer, Role};

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

/// Which techniques are used.
#[derive(Clone, Copy)]
struct Techniques(u16);

impl Techniques {
    fn contains(self, technique: Technique) -> bool {
        self.0 & 1 << technique as u16 != 0
    }
}

/// Finds out exact values under one set of rules, in bounded memory.
pub struct Solver {
    rules: Rules,
    geometry: Geometry,
    memory: Memory,
    pairing: Pairing,
    techniques: Techniques,
    nodes: u64,
}

/// What is known about one player's attack.
#[derive(Clone, Copy, Debug)]
struct Attempt {
    attacker: Player,
    /// It forces the end within this many plies.
    yes: Option<u16>,
    /// It cannot within this many plies.
    no: u16,
}

impl Solver {
    /// A solver whose tables take at most so many MiB (2^20 bytes). Nothing is allocated before it is needed.
    pub fn new(rules: Rules, mebibytes: u32) -> Solver {
        let geometry = Geometry::new(rules);
        Solver {
            rules,
            pairing: Pairing::new(&geometry),
            geometry,
            memory: Memory::new((mebibytes as usize) << 20),
            techniques: Techniques(u16::MAX),
            nodes: 0,
        }
    }

    /// The same without some of its techniques.
    pub fn without(mut self, techniques: &[Technique]) -> Solver {
        techniques.iter().for_each(|&technique| self.techniques.0 &= !(1 << technique as u16));
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

    /// Leaves everything out of account that earlier searches have left behind, so that the next ones depend on nothing
    /// but what they are asked. 
    pub fn forget(&mut self) {
        self.memory.forget();
    }

    /// Takes into account again what earlier searches have left behind.
    pub fn recall(&mut self) {
        self.memory.recall();
    }

    /// What can be proven about the value of a position before `control` ends the search; exact when nothing ends it.
    pub fn bounds(&mut self, position: &Position, control: &Control) -> Bounds {
        let mut budget = Budget::new(control);
        let bounds = self.bounds_within(position, control, &mut budget);
        self.nodes += budget.nodes;
        bounds
    }

    fn bounds_within(&mut self, position: &Position, control: &Control, budget: &mut Budget<'_>) -> Bounds {
        if let Some(value) = position.final_value() {
            return Bounds::exactly(value);
        }
        let empty = position.empty_cells() as u16;
        let mut examination = Examination::new(self, position);
        let most = control.depth().unwrap_or(empty).min(empty);
        // An unfinished search leaves what it has found in the examination.
        let _ = examination.run(most, budget);
        examination.bounds()
    }

    /// What can be proven about every move of a position in reading order, seen by the side that moves.
    pub fn move_bounds(&mut self, position: &Position, control: &Control) -> Vec<(Cell, Bounds)> {
        let mut budget = Budget::new(control);
        let moves = position.moves();
        let bounds = moves
            .map(|cell| (cell, self.bounds_within(&position.after(cell), control, &mut budget).before_move()))
            .collect();
        self.nodes += budget.nodes;
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
}

/// Both players' attacks from one position.
struct Examination<'a> {
    attack: Attack<'a>,
    mover: Player,
    attempts: [Attempt; 2],
}

impl<'a> Examination<'a> {
    fn new(solver: &'a mut Solver, position: &Position) -> Examination<'a> {
        let field = Field::new(&solver.geometry, position);
        let mover = position.side();
        let reverse = solver.rules.value_after_line() != Value::Loss(0);
        let attack = Attack::new(
            &solver.geometry,
            &mut solver.memory,
            &mut solver.pairing,
            solver.techniques,
            field,
            reverse,
        );
        let attempt = |attacker| Attempt { attacker, yes: None, no: 0 };
        Examination { attack, mover, attempts: [attempt(mover), attempt(!mover)] }
    }

    /// The plies after which an attack can be over: odd when the player to move makes the last move.
    fn is_odd(&self, attacker: Player) -> bool {
        (attacker == self.mover) != self.attack.reverse
    }

    fn run(&mut self, most: u16, budget: &mut Budget<'_>) -> Result<(), Stopped> {
        if self.attack.geometry.lines_overlap && !self.attack.reverse {
            // Wins are short where there are any.
            for depth in 1..=most {
                for index in 0..2 {
                    if (depth % 2 == 1) == self.is_odd(self.attempts[index].attacker) || depth == most {
                        self.ask(index, depth, budget)?;
                    }
                }
                if self.attempts.iter().any(|attempt| attempt.yes.is_some()) {
                    return Ok(());
                }
            }
            return Ok(());
        }
        for index in 0..2 {
            self.ask(index, most, budget)?;
            if self.attempts[index].yes.is_some() {
                break;
            }
        }
        let Some(index) = self.attempts.iter().position(|attempt| attempt.yes.is_some()) else { return Ok(()) };
        // The attack succeeds: how soon?
        loop {
            let Attempt { attacker, yes, no } = self.attempts[index];
            let mut depth = no + 1;
            if (depth % 2 == 1) != self.is_odd(attacker) {
                depth += 1;
            }
            if yes.is_some_and(|plies| plies <= depth) {
                self.attempts[index].no = self.attempts[index].no.max(yes.unwrap_or(1) - 1);
                return Ok(());
            }
            self.ask(index, depth, budget)?;
        }
    }

    fn ask(&mut self, index: usize, depth: u16, budget: &mut Budget<'_>) -> Result<(), Stopped> {
        let Attempt { attacker, yes, no } = self.attempts[index];
        if no >= depth || yes.is_some_and(|plies| plies <= depth) {
            return Ok(());
        }
        self.attack.attacker = attacker as usize;
        let role = if attacker == self.mover { Role::Attacker } else { Role::Defender };
        match self.attack.ask(role, depth, budget)? {
            Answer::Yes(plies) => self.attempts[index].yes = Some(plies),
            Answer::No(plies) => self.attempts[index].no = plies,
        }
        Ok(())
    }

    fn bounds(&self) -> Bounds {
        let soonest = |attempt: &Attempt| {
            let next = attempt.no + 1;
            if (next % 2 == 1) == self.is_odd(attempt.attacker) { next } else { next + 1 }
        };
        let [mine, theirs] = &self.attempts;
        let at_least = match (mine.yes, theirs.no) {
            (Some(plies), _) => Value::Win(plies),
            (None, NEVER) => Value::Draw,
            (None, _) => Value::Loss(soonest(theirs)),
        };
        let at_most = match (theirs.yes, mine.no) {
            (Some(plies), _) => Value::Loss(plies),
            (None, NEVER) => Value::Draw,
            (None, _) => Value::Win(soonest(mine)),
        };
        Bounds { at_least, at_most }
    }
}
