//! The totals of a match, from its records: the same whether the games were just played or come out of a file.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};

use crate::text::Fingerprint;
use noughts_core::game::{Outcome, Player};

use super::record::{GameRecord, Reason};
use super::statistics::{Interval, Outcomes, Sprt, SprtVerdict};

/// The totals of all games.
#[derive(Default)]
pub struct Tally {
    /// The engines' names by their place in the match.
    names: BTreeMap<usize, String>,
    pairings: BTreeMap<(usize, usize), Pairing>,
}

impl Tally {
    /// Counts a game.
    pub fn add(&mut self, game: &GameRecord) {
        for player in Player::BOTH {
            let engine = game.engine(player);
            self.names.entry(engine.engine).or_insert_with(|| engine.name.clone());
        }
        let first = game.first();
        let engines = (game.engine(first).engine, game.engine(!first).engine);
        self.pairings.entry(engines).or_insert_with(|| Pairing::new(engines, game.swap)).add(game, first);
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.pairings.values().map(Pairing::games).sum()
    }

    /// What each pair of engines has played.
    pub fn pairings(&self) -> impl Iterator<Item = &Pairing> {
        self.pairings.values()
    }

    /// The engines that have played, by their place in the match.
    pub fn engines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.names.iter().map(|(&engine, name)| (engine, name.as_str()))
    }

    /// The name of an engine.
    pub fn name(&self, engine: usize) -> &str {
        self.names.get(&engine).map_or("", String::as_str)
    }
}

/// Time that an engine has spent.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Thinking {
    /// Moves it made.
    pub moves: u64,
    /// Milliseconds in all.
    pub ms: f64,
    /// Moves that came after the time was up, within the margin.
    pub margin_moves: u64,
    /// The most milliseconds that one of them came after it; 0 without any.
    pub margin_ms: f64,
}

impl std::ops::Add for Thinking {
    type Output = Thinking;

    fn add(self, other: Thinking) -> Thinking {
        Thinking {
            moves: self.moves + other.moves,
            ms: self.ms + other.ms,
            margin_moves: self.margin_moves + other.margin_moves,
            margin_ms: self.margin_ms.max(other.margin_ms),
        }
    }
}

/// Independent outcomes: of games, or of pairs of games with the same opening.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Units {
    /// Games, by half points.
    Games(Outcomes<3>),
    /// Pairs, by the half points of both games.
    Pairs(Outcomes<5>),
}

impl Units {
    /// The interval of the score at this level.
    pub fn score_interval(&self, level: f64) -> Interval {
        match self {
            Units::Games(games) => games.score_interval(level),
            Units::Pairs(pairs) => pairs.score_interval(level),
        }
    }

    /// The likelihood of superiority.
    pub fn superiority(&self) -> f64 {
        match self {
            Units::Games(games) => games.likelihood_of_superiority(),
            Units::Pairs(pairs) => pairs.likelihood_of_superiority(),
        }
    }

    /// The log likelihood ratio of a sequential test.
    pub fn llr(&self, sprt: &Sprt) -> f64 {
        match self {
            Units::Games(games) => sprt.llr(games),
            Units::Pairs(pairs) => sprt.llr(pairs),
        }
    }

    /// What a sequential test says.
    pub fn verdict(&self, sprt: &Sprt) -> SprtVerdict {
        match self {
            Units::Games(games) => sprt.verdict(games),
            Units::Pairs(pairs) => sprt.verdict(pairs),
        }
    }

    /// The numbers of pairs, if these are pairs.
    pub fn pair_counts(&self) -> Option<[u64; 5]> {
        match self {
            Units::Games(_) => None,
            Units::Pairs(pairs) => Some(pairs.counts()),
        }
    }

    /// The same outcomes seen by the other side.
    pub fn reversed(&self) -> Units {
        match self {
            Units::Games(games) => Units::Games(games.reversed()),
            Units::Pairs(pairs) => Units::Pairs(pairs.reversed()),
        }
    }

    /// Adds outcomes of the same kind.
    pub fn merge(&mut self, other: &Units) {
        match (self, other) {
            (Units::Games(games), Units::Games(others)) => games.merge(others),
            (Units::Pairs(pairs), Units::Pairs(others)) => pairs.merge(others),
            _ => {}
        }
    }
}

/// What two engines have played against each other, seen by the first of them.
pub struct Pairing {
    /// Both engines' places in the match, in order.
    pub engines: (usize, usize),
    swap: bool,
    /// Games by the player that the first engine was.
    games: [Outcomes<3>; 2],
    reasons: HashMap<Reason, u64>,
    /// By engine, then by the player it was.
    thinking: [[Thinking; 2]; 2],
    pairs: Outcomes<5>,
    /// Half points of games whose other half is still to come, by round.
    halves: HashMap<u64, usize>,
    seen: HashSet<Fingerprint>,
    /// What has come of each opening and colour, as long as there are only so many.
    slots: HashMap<(u64, Player), Slot>,
    /// How many openings there are.
    openings: Option<u64>,
}

/// An opening with the engines' colours.
struct Slot {
    game: Fingerprint,
    score: f64,
    weight: f64,
    /// How often it came up again.
    repeats: u64,
    /// Whether it gave another game then.
    differs: bool,
}

/// What is known of a match in which there is nothing left to play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Exhausted {
    /// The exact score of the first engine.
    pub score: f64,
    /// How many openings, each with every colour it is played with.
    pub games: u64,
}

/// Repeats that must have given the same game before engines count as deterministic, beside one of every opening and
/// colour: an engine that tosses a coin once in a game gets so far one time in 256.
const TESTED_REPEATS: u64 = 8;

impl Pairing {
    fn new(engines: (usize, usize), swap: bool) -> Pairing {
        Pairing {
            engines,
            swap,
            games: Default::default(),
            reasons: HashMap::new(),
            thinking: Default::default(),
            pairs: Outcomes::new(),
            halves: HashMap::new(),
            seen: HashSet::new(),
            slots: HashMap::new(),
            openings: None,
        }
    }

    fn add(&mut self, game: &GameRecord, first: Player) {
        let half_points = match game.result {
            Outcome::Win(winner) if winner == first => 2,
            Outcome::Draw => 1,
            Outcome::Win(_) => 0,
        };
        *self.reasons.entry(game.reason).or_default() += 1;
        self.add_thinking(game, first);
        let weight = game.opening.weight;
        self.games[first as usize].add(half_points, weight);
        if self.swap {
            match self.halves.remove(&game.round) {
                Some(other) => self.pairs.add(half_points + other, weight),
                None => drop(self.halves.insert(game.round, half_points)),
            }
        }
        self.add_to_slots(game, first, half_points as f64 / 2.0);
    }

    fn add_thinking(&mut self, game: &GameRecord, first: Player) {
        // Positions in which O begins are openings too; the moves then are O's first.
        let opener = game.opening.side();
        for (ply, played) in game.moves.iter().enumerate() {
            let player = if ply.is_multiple_of(2) { opener } else { !opener };
            let thinking = &mut self.thinking[usize::from(player != first)][player as usize];
            let (margin_moves, margin_ms) = played.margin.map_or((0, 0.0), |over| (1, over));
            *thinking = *thinking + Thinking { moves: 1, ms: played.ms, margin_moves, margin_ms };
        }
    }

    fn add_to_slots(&mut self, game: &GameRecord, first: Player, score: f64) {
        let mut fingerprint = Fingerprint::of(&game.opening.line);
        fingerprint.add(&first);
        game.moves.iter().for_each(|played| fingerprint.add(&format_args!(" {}", played.cell)));
        fingerprint.add(&game.reason);
        self.seen.insert(fingerprint);
        self.openings = game.opening.of;
        if self.openings.is_some() {
            let new = Slot { game: fingerprint, score, weight: game.opening.weight, repeats: 0, differs: false };
            match self.slots.entry((game.opening.number, first)) {
                Entry::Vacant(slot) => drop(slot.insert(new)),
                Entry::Occupied(mut slot) => {
                    slot.get_mut().repeats += 1;
                    slot.get_mut().differs |= slot.get().game != fingerprint;
                }
            }
        }
    }

    /// The games that the first engine played as this player.
    pub fn games_as(&self, player: Player) -> Outcomes<3> {
        self.games[player as usize]
    }

    /// All games, seen by the first engine.
    pub fn outcomes(&self) -> Outcomes<3> {
        let [mut x, o] = self.games;
        x.merge(&o);
        x
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.games.iter().map(Outcomes::count).sum()
    }

    /// How often games ended for this reason.
    pub fn ended_by(&self, reason: Reason) -> u64 {
        self.reasons.get(&reason).copied().unwrap_or(0)
    }

    /// The time that one of the two engines (0 or 1) has spent as this player.
    pub fn thinking(&self, engine: usize, player: Player) -> Thinking {
        self.thinking[engine][player as usize]
    }

    /// The independent units of the match: pairs of games with one opening, or games when colours are not swapped.
    pub fn units(&self) -> Units {
        if self.swap { Units::Pairs(self.pairs) } else { Units::Games(self.outcomes()) }
    }

    /// How many different games there have been.
    pub fn distinct(&self) -> u64 {
        self.seen.len() as u64
    }

    /// The exact score, when every opening has been played with every colour more than once and both engines have
    /// always repeated themselves.
    pub fn exhausted(&self) -> Option<Exhausted> {
        let slots = self.openings?.checked_mul(if self.swap { 2 } else { 1 })?;
        let repeats = self.games() - self.slots.len() as u64;
        let tested = self.slots.values().all(|slot| slot.repeats > 0 && !slot.differs);
        if self.slots.len() as u64 != slots || !tested || repeats < TESTED_REPEATS {
            return None;
        }
        let weight: f64 = self.slots.values().map(|slot| slot.weight).sum();
        let points: f64 = self.slots.values().map(|slot| slot.weight * slot.score).sum();
        Some(Exhausted { score: points / weight, games: slots })
    }
}
