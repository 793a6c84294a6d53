//! Value and distance of one position, out of questions about both players' attacks.

use crate::game::{Bounds, Cell, Player, Position, Value};
use crate::search::Stopped;
use crate::search::proof::known_values::{self, Why};

use super::attack::{Attack, Budget, is_won};
use super::field::Field;
use super::memory::NEVER;
use super::question::{Answer, Glance, Ground, Role};
use super::{Reason, Solver, Technique};

/// Attacks of up to so many plies are looked for one length after the other, where that is done at all.
const SHORT: u16 = 11;

/// Both players' attacks from one position.
pub struct Examination<'a> {
    attack: Attack<'a>,
    mover: Player,
    /// The attacks of the side to move and of its opponent.
    attempts: [Attempt; 2],
    /// Why they cannot succeed, where that is known from elsewhere.
    known: [Option<Why>; 2],
    /// Whether a win or a draw is to come with a move that keeps it.
    wants_move: bool,
}

/// What is known about one player's attack.
#[derive(Clone, Copy)]
struct Attempt {
    attacker: Player,
    /// It forces the end within this many plies.
    yes: Option<u16>,
    /// It cannot within this many plies.
    no: u16,
    /// The move that decides it in favour of the side to move: with which its own attack begins, or after which its
    /// opponent's never succeeds.
    cell: Option<u16>,
}

impl<'a> Examination<'a> {
    /// Begins with a position in which the game goes on.
    pub fn new(solver: &'a mut Solver, position: &Position) -> Examination<'a> {
        let field = Field::new(&solver.geometry, position);
        let mover = position.side();
        let reverse = solver.rules.value_after_line() != Value::Loss(0);
        let (memory, pairing) = (&mut solver.memory, &mut solver.pairing);
        let attack = Attack::new(&solver.geometry, memory, pairing, solver.techniques, field, reverse);
        let known = if solver.techniques.contains(Technique::Theorem) { known(position) } else { [None; 2] };
        let attempt = |attacker, known: Option<Why>| {
            let no = known.map_or(0, |_| NEVER);
            Attempt { attacker, yes: None, no, cell: None }
        };
        let attempts = [attempt(mover, known[0]), attempt(!mover, known[1])];
        Examination { attack, mover, attempts, known, wants_move: false }
    }

    /// The same where a win or a draw is to come with a move that keeps it.
    pub fn with_move(self) -> Examination<'a> {
        Examination { wants_move: true, ..self }
    }

    /// Asks until value and distance are known, or the budget is spent.
    pub fn run(&mut self, budget: &mut Budget<'_>) -> Result<(), Stopped> {
        let most = self.attack.field.empty().min(budget.most_plies());
        for index in 0..2 {
            // What can be had for nothing should not be lost to a long search for the rest.
            match self.answer_at_hand(index) {
                Some((answer @ Answer::No(NEVER), ground)) => {
                    self.attempts[index].no = NEVER;
                    self.find_move(index, answer, ground, budget)?;
                }
                Some((answer @ Answer::Yes(plies), ground)) if plies <= most => {
                    self.attempts[index].yes = Some(plies);
                    self.find_move(index, answer, ground, budget)?;
                    budget.proven = self.bounds();
                    return self.hurry(index, budget);
                }
                _ => {}
            }
        }
        budget.proven = self.bounds();
        if self.deepens() {
            // Wins are short where there are any, and a long search for one takes a roundabout way.
            for depth in 1..=most.min(SHORT) {
                (0..2).try_for_each(|index| self.ask(index, depth, budget))?;
                if self.attempts.iter().any(|attempt| attempt.yes.is_some()) {
                    return Ok(());
                }
            }
        }
        for index in 0..2 {
            self.ask(index, most, budget)?;
            if self.attempts[index].yes.is_some() {
                return self.hurry(index, budget);
            }
        }
        Ok(())
    }

    /// Finds out how soon an attack succeeds.
    fn hurry(&mut self, index: usize, budget: &mut Budget<'_>) -> Result<(), Stopped> {
        while let Attempt { yes: Some(plies), .. } = self.attempts[index] {
            let soonest = self.soonest(index);
            if soonest >= plies {
                break;
            }
            self.ask(index, soonest, budget)?;
        }
        Ok(())
    }

    /// Whether a player forces the end within so many plies.
    pub fn succeeds(&mut self, attacker: Player, plies: u16, budget: &mut Budget<'_>) -> Result<bool, Stopped> {
        let index = usize::from(attacker != self.mover);
        if self.deepens() {
            for depth in 1..=plies.min(SHORT) {
                self.ask(index, depth, budget)?;
                if self.attempts[index].yes.is_some() {
                    return Ok(true);
                }
            }
        }
        self.ask(index, plies, budget)?;
        Ok(self.attempts[index].yes.is_some())
    }

    /// The moves worth trying, best first.
    pub fn moves(&mut self) -> Vec<Cell> {
        self.attack.attacker = self.mover as usize;
        let numbers = self.attack.moves(Role::Attacker);
        numbers.into_iter().map(|number| self.attack.geometry.cell(number)).collect()
    }

    /// What is proven about the value, seen by the side to move.
    pub fn bounds(&self) -> Bounds {
        let [mine, theirs] = &self.attempts;
        let at_least = match (mine.yes, theirs.no) {
            (Some(plies), _) => Value::Win(plies),
            (None, NEVER) => Value::Draw,
            (None, _) => Value::Loss(self.soonest(1)),
        };
        let at_most = match (theirs.yes, mine.no) {
            (Some(plies), _) => Value::Loss(plies),
            (None, NEVER) => Value::Draw,
            (None, _) => Value::Win(self.soonest(0)),
        };
        Bounds { at_least, at_most }
    }

    /// A move that is worth what the bounds say at least, where that is a win or a draw. `None` where only a theorem or a
    /// search without [`Examination::with_move`] says so.
    pub fn best(&self) -> Option<Cell> {
        let [mine, theirs] = &self.attempts;
        let cell = match mine.yes {
            Some(_) => mine.cell,
            None => theirs.cell.filter(|_| theirs.no == NEVER),
        };
        cell.map(|number| self.attack.geometry.cell(number))
    }

    /// Finds the move of an answer at hand: by the rule that gave it, or by trying moves where the rule names none.
    fn find_move(
        &mut self,
        index: usize,
        answer: Answer,
        ground: Ground,
        budget: &mut Budget<'_>,
    ) -> Result<(), Stopped> {
        let role = self.turn_to(index);
        if self.wants_move && is_won(role, answer) {
            let depth = if let Answer::Yes(plies) = answer { plies } else { self.attack.field.empty() };
            self.attempts[index].cell = match self.attack.named_move(role, ground) {
                None => self.attack.ask_for_move(role, depth, budget)?.1,
                named => named,
            };
        }
        Ok(())
    }

    /// Why the attack of the side to move (0) or of its opponent (1) succeeds or fails, where that takes no search.
    pub fn reason(&mut self, index: usize) -> Option<Reason> {
        self.reason_at_hand(index).or_else(|| {
            self.known[index].map(|why| match why {
                Why::NoLine => Reason::NoLine,
                Why::Mirror => Reason::Mirror,
                Why::Theorem(theorem) => Reason::Theorem(theorem.sentence()),
                Why::Pairing => {
                    let lines_of = self.lines_in_question(index);
                    Reason::Pairing { lines_of, pairs: self.attack.pairing.stored().to_vec(), absorbed: None }
                }
            })
        })
    }

    /// Whose lines decide about an attack.
    fn lines_in_question(&self, index: usize) -> Player {
        let attacker = self.attempts[index].attacker;
        if self.attack.reverse { !attacker } else { attacker }
    }

    fn reason_at_hand(&mut self, index: usize) -> Option<Reason> {
        let (answer, ground) = self.answer_at_hand(index)?;
        let lines_of = self.lines_in_question(index);
        let geometry = self.attack.geometry;
        let cell = |&number: &u16| geometry.cell(number);
        let pairs = |attack: &Attack| attack.pairing.pairs().iter().map(|(a, b)| (cell(a), cell(b))).collect();
        match ground {
            Ground::Plies => None,
            Ground::NoLine => Some(Reason::NoLine),
            Ground::Mirror => Some(Reason::Mirror),
            Ground::Potential => {
                let unit = (geometry.line_length as f64).exp2();
                let sum = self.attack.field.potential(lines_of as usize) as f64 / unit;
                Some(Reason::Potential { lines_of, sum, bound: if sum < 0.5 { 0.5 } else { 1.0 } })
            }
            Ground::Pairing => {
                let absorbed = self.attack.pairing.kept().first().map(cell);
                Some(Reason::Pairing { lines_of, pairs: pairs(&self.attack), absorbed })
            }
            Ground::Parity => match answer {
                Answer::Yes(_) => {
                    let kept = self.attack.pairing.kept().iter().map(cell).collect();
                    Some(Reason::Parity { kept, pairs: pairs(&self.attack) })
                }
                Answer::No(_) => None,
            },
        }
    }

    /// What the rules say of an attack without limit, without a move tried.
    fn answer_at_hand(&mut self, index: usize) -> Option<(Answer, Ground)> {
        let role = self.turn_to(index);
        let depth = self.attack.field.empty();
        match self.attack.glance(role, depth) {
            Glance::Settled(answer, ground) => Some((answer, ground)),
            Glance::Forced(_) => None,
            Glance::Open => self.attack.look(role, depth),
        }
    }

    /// Whether short attacks are looked for before long ones.
    fn deepens(&self) -> bool {
        self.attack.geometry.lines_overlap && !self.attack.reverse
    }

    /// The least number of plies within which an attack may yet succeed: an odd number when the player to move makes the
    /// last move, else an even one.
    fn soonest(&self, index: usize) -> u16 {
        let Attempt { attacker, no, .. } = self.attempts[index];
        let is_odd = (attacker == self.mover) != self.attack.reverse;
        if (no % 2 == 0) == is_odd { no + 1 } else { no + 2 }
    }

    fn turn_to(&mut self, index: usize) -> Role {
        let attacker = self.attempts[index].attacker;
        self.attack.attacker = attacker as usize;
        if attacker == self.mover { Role::Attacker } else { Role::Defender }
    }

    fn ask(&mut self, index: usize, depth: u16, budget: &mut Budget<'_>) -> Result<(), Stopped> {
        let Attempt { yes, no, .. } = self.attempts[index];
        if no >= depth
            || yes.is_some_and(|plies| plies <= depth)
            || (self.soonest(index) > depth && depth < self.attack.field.empty())
        {
            return Ok(());
        }
        let role = self.turn_to(index);
        budget.depth = depth;
        let (answer, cell) = match self.wants_move {
            true => self.attack.ask_for_move(role, depth, budget)?,
            false => (self.attack.ask(role, depth, budget)?, None),
        };
        let attempt = &mut self.attempts[index];
        match answer {
            Answer::Yes(plies) => attempt.yes = Some(plies),
            Answer::No(plies) => attempt.no = plies,
        }
        attempt.cell = cell.or(attempt.cell);
        budget.proven = self.bounds();
        Ok(())
    }
}

/// Why the side to move, and why its opponent, cannot force a win, where that is known of the empty board.
///
/// Normal rules: a player without a stone on the board cannot do better than on the empty board. Stones of its opponent
/// are no help to it, and if it is not to move, the opponent has had a move for nothing.
fn known(position: &Position) -> [Option<Why>; 2] {
    let Some(start) = known_values::settled(position.rules()) else { return [None; 2] };
    let has_none = |player: Player| position.stones(player).is_empty();
    let is_start = has_none(Player::X) && has_none(Player::O);
    let applies = |player| if position.rules().reverse() { is_start } else { has_none(player) };
    let (mover, other) = (position.side(), !position.side());
    [start.mover_cannot_force.filter(|_| applies(mover)), start.opponent_cannot_force.filter(|_| applies(other))]
}
