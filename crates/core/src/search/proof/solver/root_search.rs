//! The search at the root: value and distance of one position, by attack searches for both players.

use crate::game::{Bounds, Cell, Player, Position, Value};
use crate::search::Stopped;
use crate::search::line_stones::LONGEST;
use crate::search::proof::Role;
use crate::search::proof::known_values::{self, KnownReason, Theorem};
use crate::search::proof::threats::WinningStrategy;
use crate::search::proof::weak_game::{WeakGame, WeakResult};

use super::attack_result::{AttackResult, NEVER, StaticReason, StaticResult};
use super::attack_search::{AttackSearch, NodeBudget, favours_mover};
use super::technique::TechniqueSet;
use super::{Reason, Solver, Technique};

/// The most plies of iterative deepening, on boards where it is used.
const DEEPENING_PLIES: u16 = 11;

/// The most nodes of a threat search on boards of up to 64 cells.
const THREAT_NODES: u64 = 20_000;

/// A threat search takes at most this part of the nodes that are left.
const THREAT_PART: u64 = 4;

/// The weak game takes at most this part of the nodes that are left. A half brings nothing: of 100 positions of 8x8 with
/// 5 in a row and 6 to 14 stones, 37 are proven in 0.2 s with a sixteenth and 38 with a half.
const WEAK_GAME_PART: u64 = 16;

/// The most nodes of the weak game before iterative deepening, which finds short wins.
const FIRST_WEAK_NODES: u64 = 20_000;

/// Both players' attacks from one position.
pub struct RootSearch<'a, 'b> {
    attack: AttackSearch<'a>,
    budget: &'a mut NodeBudget<'b>,
    mover: Player,
    /// The attacks of the side to move and of its opponent.
    attacks: [PlayerAttack; 2],
    /// The reasons why they cannot succeed, from known values of empty boards.
    known: [Option<KnownReason>; 2],
    /// The weak game, where it is played.
    weak_game: Option<&'a mut WeakGame>,
    /// For each attack: true if the weak game has answered.
    weak_game_is_over: [bool; 2],
    /// True if a move that keeps a win or a draw is wanted.
    pub wants_move: bool,
    /// A win by threats of the side to move, if one was found.
    pub strategy: Option<WinningStrategy>,
}

/// The proven results of the attack of one player.
#[derive(Clone, Copy)]
struct PlayerAttack {
    attacker: Player,
    /// The attack succeeds within this many plies.
    succeeds_within: Option<u16>,
    /// The attack fails within this many plies.
    fails_within: u16,
    /// The deciding move, if the result favours the side to move: the first move of its own attack, or a move after which
    /// the attack of its opponent never succeeds.
    cell: Option<u16>,
}

impl<'a, 'b> RootSearch<'a, 'b> {
    /// The root is a position in which the game goes on.
    pub fn new(solver: &'a mut Solver, position: &Position, budget: &'a mut NodeBudget<'b>) -> RootSearch<'a, 'b> {
        let mover = position.side();
        let techniques = solver.techniques;
        let known = known(position).map(|why| why.filter(|&why| uses(techniques, why)));
        let (attack, weak_game) = solver.attack_search(position);
        let attack_of = |attacker, known: Option<KnownReason>| {
            let fails_within = known.map_or(0, |_| NEVER);
            PlayerAttack { attacker, succeeds_within: None, fails_within, cell: None }
        };
        let attacks = [attack_of(mover, known[0]), attack_of(!mover, known[1])];
        RootSearch {
            attack,
            budget,
            mover,
            attacks,
            known,
            weak_game,
            weak_game_is_over: [false; 2],
            wants_move: false,
            strategy: None,
        }
    }

    /// Searches until value and distance are proven, or the budget is spent.
    pub fn run(&mut self) -> Result<(), Stopped> {
        let most = self.attack.live.empty().min(self.budget.most_plies());
        for index in 0..2 {
            // Static results come first: a long search for the rest might end without them.
            match self.static_result(index) {
                Some((result @ AttackResult::Fails(NEVER), reason)) => {
                    self.attacks[index].fails_within = NEVER;
                    self.find_move(index, result, reason)?;
                }
                Some((result @ AttackResult::Succeeds(plies), reason)) if plies <= most => {
                    self.attacks[index].succeeds_within = Some(plies);
                    self.find_move(index, result, reason)?;
                    self.budget.proven = self.bounds();
                    return self.find_distance(index);
                }
                _ => {}
            }
        }
        for index in 0..2 {
            if self.attacks[index].fails_within != NEVER && self.attacks[index].succeeds_within.is_none() {
                self.search_threats(index)?;
                if self.attacks[index].succeeds_within.is_some() {
                    self.budget.proven = self.bounds();
                    return self.find_distance(index);
                }
            }
        }
        self.budget.proven = self.bounds();
        for index in 0..2 {
            self.ask_weak_game(index, most, FIRST_WEAK_NODES)?;
        }
        if self.deepens() {
            // If there is a win, it is short; a search without a limit finds it late.
            for depth in 1..=most.min(DEEPENING_PLIES) {
                (0..2).try_for_each(|index| self.search(index, depth))?;
                if self.attacks.iter().any(|attack| attack.succeeds_within.is_some()) {
                    return Ok(());
                }
            }
        }
        // Under the reverse rule O's attack succeeds more often, and an attack that succeeds leaves nothing to ask.
        let order = if self.attack.reverse && self.mover == Player::X { [1, 0] } else { [0, 1] };
        for index in order {
            self.ask_weak_game(index, most, u64::MAX)?;
            self.search(index, most)?;
            if self.attacks[index].succeeds_within.is_some() {
                return self.find_distance(index);
            }
        }
        Ok(())
    }

    /// Looks for a win by threats of one player.
    fn search_threats(&mut self, index: usize) -> Result<(), Stopped> {
        let role = self.select(index);
        let most_nodes = if self.attack.geometry.cells() <= 64 { THREAT_NODES } else { 50 * THREAT_NODES };
        let Some(threats) = &mut self.attack.threats else { return Ok(()) };
        let most_nodes = (self.budget.left() / THREAT_PART).min(most_nodes);
        let found = threats.search(self.attack.attacker, role, most_nodes, self.budget.control);
        self.budget.nodes += found.nodes;
        let most = self.attack.live.empty().min(self.budget.most_plies());
        if let Some(plies) = found.plies.filter(|&plies| plies <= most) {
            let attack = &mut self.attacks[index];
            attack.succeeds_within = Some(plies);
            attack.cell = found.strategy.as_ref().map(|strategy| self.attack.geometry.number(strategy.first_move()));
            self.strategy = found.strategy;
        }
        self.budget.check()
    }

    /// Finds the distance of an attack that succeeds.
    fn find_distance(&mut self, index: usize) -> Result<(), Stopped> {
        let most = self.budget.narrow(self.budget.control.distance_nodes.unwrap_or(u64::MAX));
        let mut found = Ok(());
        while found.is_ok() && self.attacks[index].succeeds_within.is_some_and(|plies| self.earliest(index) < plies) {
            found = self.search(index, self.earliest(index));
        }
        self.budget.widen(most);
        found
    }

    /// True if a player can force a win within `plies`.
    pub fn succeeds(&mut self, attacker: Player, plies: u16) -> Result<bool, Stopped> {
        let index = usize::from(attacker != self.mover);
        self.ask_weak_game(index, plies, FIRST_WEAK_NODES)?;
        if self.deepens() {
            for depth in 1..=plies.min(DEEPENING_PLIES) {
                self.search(index, depth)?;
                if self.attacks[index].succeeds_within.is_some() {
                    return Ok(true);
                }
            }
        }
        self.ask_weak_game(index, plies, u64::MAX)?;
        self.search(index, plies)?;
        Ok(self.attacks[index].succeeds_within.is_some())
    }

    /// Asks the weak game whether an attack can ever succeed, if `depth` plies are as many as there are. It may take up to
    /// `nodes` nodes, and a part of those that are left. If Breaker wins the weak game, the attack fails for good; if Maker does,
    /// nothing is proven.
    fn ask_weak_game(&mut self, index: usize, depth: u16, nodes: u64) -> Result<(), Stopped> {
        let PlayerAttack { attacker, succeeds_within, fails_within, .. } = self.attacks[index];
        if depth < self.attack.live.empty() || succeeds_within.is_some() || fails_within == NEVER {
            return Ok(());
        }
        let role = self.select(index);
        let Some(weak_game) = self.weak_game.as_mut().filter(|_| !self.weak_game_is_over[index]) else { return Ok(()) };
        let (live, geometry) = (&self.attack.live, self.attack.geometry);
        let empty = |line| geometry.line(line).iter().copied().filter(|&cell| live.is_empty(cell));
        let lines = live.lines(geometry, attacker as usize).map(empty);
        self.budget.depth = depth;
        let found = self.budget.within(nodes.min(self.budget.left() / WEAK_GAME_PART), |budget| {
            let mut spend = || budget.check().and_then(|()| budget.spend());
            weak_game.solve(lines, role, &mut spend)
        });
        match found {
            // If the whole search is over, the next search of an attack ends it.
            Err(Stopped) => return Ok(()),
            Ok(WeakResult::BreakerWins { reply }) => {
                let attack = &mut self.attacks[index];
                attack.fails_within = NEVER;
                if role == Role::Defender {
                    attack.cell = reply.or_else(|| self.attack.live.empty_cells().next());
                }
                self.budget.proven = self.bounds();
            }
            Ok(WeakResult::MakerWins) => {}
        }
        self.weak_game_is_over[index] = true;
        Ok(())
    }

    /// The moves worth trying, best first.
    pub fn moves(&mut self) -> Vec<Cell> {
        self.attack.attacker = self.mover as usize;
        let numbers = self.attack.moves(Role::Attacker);
        numbers.into_iter().map(|number| self.attack.geometry.cell(number)).collect()
    }

    /// The proven bounds of the value, seen by the side to move. A draw is proven when neither player's attack ever succeeds,
    /// for example because of a pairing.
    pub fn bounds(&self) -> Bounds {
        let [mine, theirs] = &self.attacks;
        let at_least = match (mine.succeeds_within, theirs.fails_within) {
            (Some(plies), _) => Value::Win(plies),
            (None, NEVER) => Value::Draw,
            (None, _) => Value::Loss(self.earliest(1)),
        };
        let at_most = match (theirs.succeeds_within, mine.fails_within) {
            (Some(plies), _) => Value::Loss(plies),
            (None, NEVER) => Value::Draw,
            (None, _) => Value::Win(self.earliest(0)),
        };
        Bounds { at_least, at_most }
    }

    /// A move that keeps the lower bound, if that is a win or a draw. `None` if the bound rests on a theorem, or on a search
    /// that does not want a move.
    pub fn best(&self) -> Option<Cell> {
        let [mine, theirs] = &self.attacks;
        let cell = match mine.succeeds_within {
            Some(_) => mine.cell,
            None => theirs.cell.filter(|_| theirs.fails_within == NEVER),
        };
        cell.map(|number| self.attack.geometry.cell(number))
    }

    /// The variation from the move of [`RootSearch::best`] if it begins a win by threats: both players' moves.
    pub fn winning_line(&self) -> Vec<Cell> {
        let strategy = self.strategy.as_ref().filter(|strategy| Some(strategy.first_move()) == self.best());
        strategy.map(WinningStrategy::longest_line).unwrap_or_default()
    }

    /// Finds the move of a static result: from the rule, or by a search if the rule names none.
    fn find_move(&mut self, index: usize, result: AttackResult, reason: StaticReason) -> Result<(), Stopped> {
        let role = self.select(index);
        if self.wants_move && favours_mover(role, result) {
            let depth = if let AttackResult::Succeeds(plies) = result { plies } else { self.attack.live.empty() };
            self.attacks[index].cell = match self.attack.named_move(role, reason) {
                None => self.attack.search_for_move(role, depth, self.budget)?.1,
                named => named,
            };
        }
        Ok(())
    }

    /// The reason why the attack of the side to move (0) or of its opponent (1) succeeds or fails, if it takes no search.
    pub fn reason(&mut self, index: usize) -> Option<Reason> {
        self.static_reason(index).or_else(|| {
            self.known[index].map(|why| match why {
                KnownReason::NoLine => Reason::NoLine,
                KnownReason::Mirror => Reason::Mirror,
                KnownReason::OneReply => Reason::OneReply,
                KnownReason::Theorem(theorem) => Reason::Theorem(theorem.sentence()),
                KnownReason::Pairing => {
                    let lines_of = self.deciding_lines(index);
                    Reason::Pairing { lines_of, pairs: self.attack.pairing.stored.clone(), absorbed: None }
                }
            })
        })
    }

    /// Whose lines decide an attack: the attacker's under normal rules, the defender's under reverse rules.
    fn deciding_lines(&self, index: usize) -> Player {
        let attacker = self.attacks[index].attacker;
        if self.attack.reverse { !attacker } else { attacker }
    }

    fn static_reason(&mut self, index: usize) -> Option<Reason> {
        // No reason is made of an exchange, so exchanges must not take the place of what the other rules find.
        let techniques = self.attack.techniques;
        self.attack.techniques.remove(Technique::Exchange);
        let found = self.static_result(index);
        self.attack.techniques = techniques;
        let (result, reason) = found?;
        let lines_of = self.deciding_lines(index);
        let attack = &self.attack;
        match reason {
            StaticReason::Plies | StaticReason::Exchange => None,
            StaticReason::NoLine => Some(Reason::NoLine),
            StaticReason::Mirror => Some(Reason::Mirror),
            StaticReason::MirrorWin => Some(Reason::MirrorWin),
            StaticReason::Potential => {
                let unit = f64::from(1u32 << attack.geometry.line_length());
                let sum = attack.live.potential(lines_of as usize, LONGEST) as f64 / unit;
                Some(Reason::Potential { lines_of, sum, bound: if sum < 0.5 { 0.5 } else { 1.0 } })
            }
            StaticReason::Pairing => Some(Reason::Pairing {
                lines_of,
                pairs: attack.pairs(),
                absorbed: attack.kept_cells().first().copied(),
            }),
            StaticReason::Parity => match result {
                AttackResult::Succeeds(_) => Some(Reason::Parity { kept: attack.kept_cells(), pairs: attack.pairs() }),
                AttackResult::Fails(_) => None,
            },
        }
    }

    /// The static result of an attack without a limit on the plies.
    fn static_result(&mut self, index: usize) -> Option<(AttackResult, StaticReason)> {
        let role = self.select(index);
        let depth = self.attack.live.empty();
        match self.attack.try_static(role, depth) {
            StaticResult::Decided(result, reason) => Some((result, reason)),
            StaticResult::Forced(_) => None,
            StaticResult::Open => self.attack.try_pairing(role, depth),
        }
    }

    /// True if iterative deepening is used.
    fn deepens(&self) -> bool {
        self.attack.geometry.lines_overlap() && !self.attack.reverse
    }

    /// The least number of plies within which an attack may still succeed. It is odd if the side to move makes the last move,
    /// else even.
    fn earliest(&self, index: usize) -> u16 {
        let PlayerAttack { attacker, fails_within, .. } = self.attacks[index];
        let is_odd = (attacker == self.mover) != self.attack.reverse;
        if (fails_within % 2 == 0) == is_odd { fails_within + 1 } else { fails_within + 2 }
    }

    fn select(&mut self, index: usize) -> Role {
        let attacker = self.attacks[index].attacker;
        self.attack.attacker = attacker as usize;
        if attacker == self.mover { Role::Attacker } else { Role::Defender }
    }

    fn search(&mut self, index: usize, depth: u16) -> Result<(), Stopped> {
        let PlayerAttack { succeeds_within, fails_within, .. } = self.attacks[index];
        if fails_within >= depth
            || succeeds_within.is_some_and(|plies| plies <= depth)
            || (self.earliest(index) > depth && depth < self.attack.live.empty())
        {
            return Ok(());
        }
        let role = self.select(index);
        self.budget.depth = depth;
        let (result, cell) = match self.wants_move {
            true => self.attack.search_for_move(role, depth, self.budget)?,
            false => (self.attack.search(role, depth, self.budget)?, None),
        };
        let attack = &mut self.attacks[index];
        match result {
            AttackResult::Succeeds(plies) => attack.succeeds_within = Some(plies),
            AttackResult::Fails(plies) => attack.fails_within = plies,
        }
        attack.cell = cell.or(attack.cell);
        self.budget.proven = self.bounds();
        Ok(())
    }
}

/// True if a reason from known values may be used.
fn uses(techniques: TechniqueSet, why: KnownReason) -> bool {
    techniques.contains(match why {
        KnownReason::Theorem(Theorem::StrategyStealing) => Technique::StrategyStealing,
        _ => Technique::Theorem,
    })
}

/// The reason why the side to move and its opponent cannot force a win, from known values of the empty board.
///
/// Normal rules: a player without a stone on the board cannot do better than on the empty board. Stones of its opponent do
/// not help it, and if it is not to move, its opponent is a move ahead.
fn known(position: &Position) -> [Option<KnownReason>; 2] {
    let Some(start) = known_values::known_value(position.rules()) else { return [None; 2] };
    let has_none = |player: Player| position.stones(player).is_empty();
    let is_start = has_none(Player::X) && has_none(Player::O);
    let applies = |player| if position.rules().completer_wins() { has_none(player) } else { is_start };
    let (mover, other) = (position.side(), !position.side());
    [start.mover_cannot_force.filter(|_| applies(mover)), start.opponent_cannot_force.filter(|_| applies(other))]
}
