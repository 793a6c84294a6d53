//! The totals of a match, computed from game records. Games that were just played and games from a file count alike.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::text::Fingerprint;
use noughts_core::game::{Outcome, Player};
use noughts_core::search::mix;

use super::record::{EndReason, GameRecord};
use super::statistics::{Outcomes, PairOutcomes, Sprt};

/// The totals of all games.
#[derive(Default)]
pub struct MatchTally {
    /// The engines' names by their number in the match.
    names: BTreeMap<usize, String>,
    pairings: BTreeMap<(usize, usize), PairTally>,
}

impl MatchTally {
    /// Counts a game.
    pub fn add(&mut self, game: &GameRecord) {
        for player in Player::BOTH {
            let engine = game.engine(player);
            self.names.entry(engine.engine).or_insert_with(|| engine.name.clone());
        }
        let first = game.first();
        let engines = (game.engine(first).engine, game.engine(!first).engine);
        let new = || PairTally { engines, swap: game.swap, ..PairTally::default() };
        self.pairings.entry(engines).or_insert_with(new).add(game, first);
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.pairings.values().map(PairTally::count).sum()
    }

    /// The totals of each pair of engines.
    pub fn pairings(&self) -> impl Iterator<Item = &PairTally> {
        self.pairings.values()
    }

    /// The engines that have played, by their number in the match.
    pub fn engines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.names.iter().map(|(&engine, name)| (engine, name.as_str()))
    }

    /// The name of an engine.
    pub fn name(&self, engine: usize) -> &str {
        self.names.get(&engine).map_or("", String::as_str)
    }
}

/// The time that an engine has spent.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct TimeUsed {
    /// Its moves.
    pub moves: u64,
    /// Their time, in nanoseconds: a whole number, so that the order of the games makes no difference.
    pub nanoseconds: u128,
    /// Moves that exceeded the time limit and were within the margin.
    pub margin_moves: u64,
    /// The most milliseconds by which one of them exceeded the limit; 0 without such a move.
    pub margin_ms: f64,
}

impl TimeUsed {
    /// The sum of several times.
    pub fn sum(all: impl IntoIterator<Item = TimeUsed>) -> TimeUsed {
        let mut sum = TimeUsed::default();
        all.into_iter().for_each(|time_used| sum += time_used);
        sum
    }
}

impl std::ops::AddAssign for TimeUsed {
    fn add_assign(&mut self, other: TimeUsed) {
        self.moves += other.moves;
        self.nanoseconds += other.nanoseconds;
        self.margin_moves += other.margin_moves;
        self.margin_ms = self.margin_ms.max(other.margin_ms);
    }
}

/// The totals of a pair of engines, seen by the first.
#[derive(Default)]
pub struct PairTally {
    /// The numbers of both engines in the match, in order.
    pub engines: (usize, usize),
    swap: bool,
    /// Games by the colour of the first engine.
    pub games: [Outcomes<3>; 2],
    /// Games by the reason of their end, where there are any.
    pub reasons: HashMap<EndReason, u64>,
    /// The time that was spent, by engine, then by its colour.
    pub time_used: [[TimeUsed; 2]; 2],
    pairs: Outcomes<5>,
    /// By round, the half points of games whose partner with swapped colours has not been counted.
    halves: HashMap<u64, usize>,
    /// The number of different games.
    distinct: DistinctCount,
    /// The games of each opening and colour, if the number of openings is finite.
    by_opening: HashMap<(u64, Player), OpeningTally>,
    /// The number of openings, if it is finite and they are few enough to be distinguished.
    openings: Option<u64>,
}

/// The games from one opening with the same colours.
struct OpeningTally {
    /// The first game.
    game: Fingerprint,
    score: f64,
    weight: f64,
    /// The number of further games.
    repeats: u64,
    /// True if a further game differed from the first.
    differs: bool,
}

/// The most openings of which each has totals of its own. The score of a larger book is never called exact.
const MOST_OPENINGS: u64 = 1 << 20;

/// The least number of repeated games before engines count as deterministic. Every opening and colour must have been
/// repeated, too. An engine that chooses once in a game between two moves at random passes one time in 256.
const TESTED_REPEATS: u64 = 8;

impl PairTally {
    fn add(&mut self, game: &GameRecord, first: Player) {
        let half_points = match game.result {
            Outcome::Win(winner) if winner == first => 2,
            Outcome::Draw => 1,
            Outcome::Win(_) => 0,
        };
        *self.reasons.entry(game.reason).or_default() += 1;
        self.add_time_used(game, first);
        let weight = game.opening.weight;
        self.games[first as usize].add(half_points, weight);
        if self.swap {
            match self.halves.remove(&game.round) {
                Some(other) => self.pairs.add(half_points + other, weight),
                None => drop(self.halves.insert(game.round, half_points)),
            }
        }
        self.add_to_opening(game, first, half_points as f64 / 2.0);
    }

    fn add_time_used(&mut self, game: &GameRecord, first: Player) {
        // In some openings O moves first.
        let opener = game.opening.side();
        for (ply, played) in game.moves.iter().enumerate() {
            let player = if ply.is_multiple_of(2) { opener } else { !opener };
            let time_used = &mut self.time_used[usize::from(player != first)][player as usize];
            let (margin_moves, margin_ms) = played.margin.map_or((0, 0.0), |over| (1, over));
            let nanoseconds = (played.ms * 1e6).round() as u128;
            *time_used += TimeUsed { moves: 1, nanoseconds, margin_moves, margin_ms };
        }
    }

    fn add_to_opening(&mut self, game: &GameRecord, first: Player, score: f64) {
        let mut fingerprint = Fingerprint::of(&game.opening.line);
        fingerprint.add(&first);
        game.moves.iter().for_each(|played| fingerprint.add(&format_args!(" {}", played.cell)));
        fingerprint.add(&game.reason);
        self.distinct.insert(fingerprint);
        self.openings = game.opening.of.filter(|&of| of <= MOST_OPENINGS);
        if self.openings.is_some() {
            let new =
                OpeningTally { game: fingerprint, score, weight: game.opening.weight, repeats: 0, differs: false };
            match self.by_opening.entry((game.opening.number, first)) {
                Entry::Vacant(entry) => drop(entry.insert(new)),
                Entry::Occupied(entry) => {
                    let tally = entry.into_mut();
                    tally.repeats += 1;
                    tally.differs |= tally.game != fingerprint;
                }
            }
        }
    }

    /// All games, seen by the first engine.
    pub fn outcomes(&self) -> Outcomes<3> {
        let [mut x, o] = self.games;
        x.merge(&o);
        x
    }

    /// The number of games.
    pub fn count(&self) -> u64 {
        self.games.iter().map(Outcomes::count).sum()
    }

    /// The independent units of the match by half points: pairs of games with one opening, or games that count twice when
    /// colours are not swapped.
    pub fn units(&self) -> PairOutcomes {
        if self.swap { self.pairs } else { self.outcomes().doubled() }
    }

    /// The numbers of pairs by their half points, if colours are swapped.
    pub fn pair_counts(&self) -> Option<[u64; 5]> {
        self.swap.then(|| self.pairs.counts())
    }

    /// The log likelihood ratio of a sequential test.
    pub fn llr(&self, sprt: &Sprt) -> f64 {
        if self.swap { sprt.llr(&self.pairs) } else { sprt.llr(&self.outcomes()) }
    }

    /// The number of different games: exact up to a million, else an estimate.
    pub fn distinct(&self) -> u64 {
        self.distinct.count().min(self.count())
    }

    /// The exact score of the first engine, if every opening has been played with every colour more than once and both
    /// engines have always repeated themselves.
    pub fn exact_score(&self) -> Option<f64> {
        let games = self.openings?.checked_mul(if self.swap { 2 } else { 1 })?;
        let repeats = self.count() - self.by_opening.len() as u64;
        let tested = self.by_opening.values().all(|tally| tally.repeats > 0 && !tally.differs);
        if self.by_opening.len() as u64 != games || !tested || repeats < TESTED_REPEATS {
            return None;
        }
        let weight: f64 = self.by_opening.values().map(|tally| tally.weight).sum();
        let points: f64 = self.by_opening.values().map(|tally| tally.weight * tally.score).sum();
        Some(points / weight)
    }
}

/// The number of fingerprints that are kept. Up to here the count is exact.
const KEPT: usize = 1 << 20;

/// A count of different fingerprints. It keeps the smallest ones, up to a million of them: how dense they are tells how
/// many there are in all, with a standard error of one in a thousand. (Z. Bar-Yossef and others, "Counting Distinct Elements
/// in a Data Stream", 2002.) The order in which they come makes no difference.
#[derive(Clone, Default)]
struct DistinctCount {
    smallest: BTreeSet<u64>,
    /// True if some fingerprint was not kept.
    is_full: bool,
}

impl DistinctCount {
    /// Counts a fingerprint unless it has been counted.
    pub fn insert(&mut self, fingerprint: Fingerprint) {
        self.insert_below(fingerprint, KEPT);
    }

    fn insert_below(&mut self, fingerprint: Fingerprint, kept: usize) {
        // The smallest have to be spread evenly over all numbers.
        let key = mix(fingerprint.bits());
        if self.is_full && self.smallest.last().is_some_and(|&largest| key >= largest) {
            return;
        }
        self.smallest.insert(key);
        if self.smallest.len() > kept {
            self.smallest.pop_last();
            self.is_full = true;
        }
    }

    /// The number of different fingerprints: exact up to a million, else an estimate.
    pub fn count(&self) -> u64 {
        match self.smallest.last() {
            // Of n numbers that are spread evenly, the k-th smallest is about k / n of the way.
            Some(&largest) if self.is_full => {
                ((self.smallest.len() - 1) as f64 / (largest as f64 / 2f64.powi(64))).round() as u64
            }
            _ => self.smallest.len() as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The count of so many different fingerprints, each given several times, where few are kept.
    fn count(different: u64, kept: usize) -> u64 {
        let mut distinct = DistinctCount::default();
        for round in 0..3 {
            for number in 0..different {
                distinct.insert_below(Fingerprint::of(&((number * 7919 + round) % different)), kept);
            }
        }
        distinct.count()
    }

    #[test]
    fn the_count_is_exact_while_all_are_kept_and_near_afterwards() {
        for different in [0, 1, 999, 1000] {
            assert_eq!(count(different, 1000), different);
        }
        for different in [1001u64, 5_000, 100_000] {
            // Four standard errors of a thousand kept.
            let error = count(different, 1000).abs_diff(different) as f64 / different as f64;
            assert!(error < 4.0 / 1000f64.sqrt(), "{different}: {error}");
        }
    }
}
