//! The summary of a match: what is printed, and what programs read as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use noughts_core::game::{Player, Rules};

use super::record::EndReason;
use super::statistics::{Hypothesis, Interval, Outcomes, PairOutcomes, Sprt, SprtSettings, elo};
use super::tally::{MatchTally, PairTally, TimeUsed};

/// The level of all intervals: the share of matches whose true score lies within the interval.
pub const LEVEL: f64 = 0.95;

/// The summary of a match.
#[derive(Clone, PartialEq, Default, Serialize, Debug)]
pub struct MatchSummary {
    /// The fingerprint of the match.
    #[serde(rename = "match")]
    pub match_id: String,
    /// The game.
    pub rules: Option<Rules>,
    /// The limit of a move.
    pub limit: String,
    /// The seed.
    pub seed: u64,
    /// The number of openings; `None` when they are drawn at random.
    pub openings: Option<u64>,
    /// Games played.
    pub games: u64,
    /// Games of the whole match, if that is known.
    pub of: Option<u64>,
    /// Games a second, if the games have just been played.
    pub games_per_second: Option<f64>,
    /// The engines, best score first.
    pub engines: Vec<EngineSummary>,
    /// The results of each pair of engines.
    pub pairings: Vec<PairingSummary>,
    /// The sequential test, if there was one and no more than two engines have played.
    pub sprt: Option<SprtSummary>,
}

/// The results of an engine against all others.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct EngineSummary {
    /// Its number in the match, from 0.
    pub engine: usize,
    /// Its name.
    pub name: String,
    /// All its games.
    #[serde(flatten)]
    pub games: GamesByColour,
    /// The interval of its score.
    pub score_range: Range,
    /// Its logistic Elo difference to its opponents, taken together as one.
    pub elo: Range,
    /// The part of the margin that it needed.
    pub margin: MarginUse,
}

/// The part of the margin that an engine needed. It may exceed its limit by the margin without losing.
#[derive(Clone, Copy, PartialEq, Serialize, Debug)]
pub struct MarginUse {
    /// Moves that took longer than the limit.
    pub moves: u64,
    /// The most milliseconds that one of them was too late; `None` without such a move.
    pub ms: Option<f64>,
}

/// Games of an engine, in total and by colour.
#[derive(Clone, Copy, PartialEq, Serialize, Debug)]
pub struct GamesByColour {
    /// All games.
    #[serde(flatten)]
    pub total: PartSummary,
    /// The games as X.
    pub x: PartSummary,
    /// The games as O.
    pub o: PartSummary,
}

/// The results of some games of an engine.
#[derive(Clone, Copy, PartialEq, Serialize, Debug)]
pub struct PartSummary {
    /// The number of games.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Points a game, weighted by the openings; `None` without games.
    pub score: Option<f64>,
    /// Milliseconds a move; `None` without a move.
    pub ms_per_move: Option<f64>,
}

/// A number with its interval: in 95 of 100 matches the true number lies within. `None` stands for infinity.
#[derive(Clone, Copy, PartialEq, Serialize, Debug)]
pub struct Range {
    /// The number; `None` when it is infinite.
    pub value: Option<f64>,
    /// The lower end.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

/// The results of a pair of engines, seen by the first.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct PairingSummary {
    /// Their names.
    pub engines: [String; 2],
    /// The games and the score of the first.
    #[serde(flatten)]
    pub games: GamesByColour,
    /// The interval of the score.
    pub score_range: Range,
    /// The logistic Elo difference.
    pub elo: Range,
    /// The likelihood, from 0 to 1, that the first engine is the stronger one.
    pub los: f64,
    /// The share of games drawn, from 0 to 1.
    pub draw_ratio: f64,
    /// Pairs of games with one opening, by the points of the first: 0, 1/2, 1, 3/2, 2. `None` without swapped colours.
    pub pairs: Option<[u64; 5]>,
    /// The number of different games.
    pub distinct: u64,
    /// The number of games that repeat an earlier game move for move.
    pub repeats: u64,
    /// True if all openings have been played and both engines always repeat themselves. Then the score is exact.
    pub exhausted: bool,
    /// True if games count differently in the score because their openings have different weights.
    pub weighted: bool,
    /// The number of games by the reason of their end.
    pub reasons: BTreeMap<EndReason, u64>,
    /// The part of the margin that each of the two needed.
    pub margin: [MarginUse; 2],
    /// The sequential test, if there was one.
    pub sprt: Option<SprtSummary>,
}

/// The state of a sequential test.
#[derive(Clone, Copy, PartialEq, Serialize, Debug)]
pub struct SprtSummary {
    /// The Elo difference of the null hypothesis.
    pub elo0: f64,
    /// The Elo difference of the alternative.
    pub elo1: f64,
    /// The log likelihood ratio.
    pub llr: f64,
    /// The bound at or below which the null hypothesis is accepted.
    pub low: f64,
    /// The bound at or above which the alternative is accepted.
    pub high: f64,
    /// `H0`, `H1` or `none`.
    pub verdict: &'static str,
    /// The hypothesis that the exact score fulfils: `H0`, `H1` or `neither`; `None` while the score is not exact.
    pub exact: Option<&'static str>,
}

impl Range {
    fn of_score(value: f64, interval: Interval) -> Range {
        Range { value: Some(value), low: Some(interval.low), high: Some(interval.high) }
    }

    fn of_elo(score: f64, interval: Interval) -> Range {
        let finite = |score: f64| Some(elo(score)).filter(|elo| elo.is_finite());
        Range { value: finite(score), low: finite(interval.low), high: finite(interval.high) }
    }
}

impl MarginUse {
    fn of(time_used: impl IntoIterator<Item = TimeUsed>) -> MarginUse {
        let all = TimeUsed::sum(time_used);
        MarginUse { moves: all.margin_moves, ms: (all.margin_moves > 0).then_some(all.margin_ms) }
    }
}

impl PartSummary {
    fn new(games: &Outcomes<3>, time_used: TimeUsed) -> PartSummary {
        let [losses, draws, wins] = games.counts();
        let ms_per_move = (time_used.moves > 0).then(|| time_used.nanoseconds as f64 / 1e6 / time_used.moves as f64);
        PartSummary { games: games.count(), wins, draws, losses, score: games.mean_score(), ms_per_move }
    }
}

impl GamesByColour {
    /// Games as X and as O, each with the time that the engine spent on them.
    fn new([x, o]: [(Outcomes<3>, TimeUsed); 2]) -> GamesByColour {
        let mut total = x.0;
        total.merge(&o.0);
        GamesByColour {
            total: PartSummary::new(&total, TimeUsed::sum([x.1, o.1])),
            x: PartSummary::new(&x.0, x.1),
            o: PartSummary::new(&o.0, o.1),
        }
    }
}

impl MatchSummary {
    /// The part of the summary that follows from the totals of a match. What was played is left empty.
    pub fn of(tally: &MatchTally, sprt: Option<Sprt>) -> MatchSummary {
        let mut engines: Vec<EngineSummary> =
            tally.engines().map(|(engine, name)| EngineSummary::of(engine, name, tally)).collect();
        let score = |engine: &EngineSummary| engine.games.total.score.unwrap_or(0.0);
        engines.sort_by(|a, b| score(b).total_cmp(&score(a)));
        let pairings: Vec<PairingSummary> =
            tally.pairings().map(|pairing| PairingSummary::of(pairing, tally, sprt.as_ref())).collect();
        // The test is about two engines. In a tournament, each pair has its own.
        let sprt = match &pairings[..] {
            [] => sprt.map(|sprt| SprtSummary::of(&sprt, None)),
            [pairing] => pairing.sprt,
            _ => None,
        };
        MatchSummary { games: tally.games(), engines, pairings, sprt, ..MatchSummary::default() }
    }
}

impl EngineSummary {
    fn of(engine: usize, name: &str, tally: &MatchTally) -> EngineSummary {
        let mut by_player = [(Outcomes::<3>::new(), TimeUsed::default()); 2];
        let mut units = PairOutcomes::new();
        let mut exact = Vec::new();
        for pairing in tally.pairings() {
            let Some(side) = [pairing.engines.0, pairing.engines.1].iter().position(|&other| other == engine) else {
                continue;
            };
            for player in Player::BOTH {
                // The games of the second engine as X are the games of the first as O, seen from the other side.
                let games =
                    if side == 0 { pairing.games[player as usize] } else { pairing.games[!player as usize].reversed() };
                let (sum, time_used) = &mut by_player[player as usize];
                sum.merge(&games);
                *time_used += pairing.time_used[side][player as usize];
            }
            units.merge(&if side == 0 { pairing.units() } else { pairing.units().reversed() });
            exact.push(pairing.exact_score().map(|score| if side == 0 { score } else { 1.0 - score }));
        }
        let margin = MarginUse::of(by_player.map(|(_, time_used)| time_used));
        let mut games = GamesByColour::new(by_player);
        let mut interval = units.score_interval(LEVEL);
        // All pairs of engines play the same openings, so their exact scores have equal weights.
        if let Some(exact) = exact.iter().copied().collect::<Option<Vec<f64>>>()
            && !exact.is_empty()
        {
            let score = exact.iter().sum::<f64>() / exact.len() as f64;
            games.total.score = Some(score);
            interval = Interval { low: score, high: score };
        }
        let score = games.total.score.unwrap_or(0.5);
        EngineSummary {
            engine,
            name: name.to_owned(),
            games,
            score_range: Range::of_score(score, interval),
            elo: Range::of_elo(score, interval),
            margin,
        }
    }
}

impl PairingSummary {
    fn of(pairing: &PairTally, tally: &MatchTally, sprt: Option<&Sprt>) -> PairingSummary {
        let outcomes = pairing.outcomes();
        let mut games = GamesByColour::new([0, 1].map(|colour| (pairing.games[colour], pairing.time_used[0][colour])));
        let exact = pairing.exact_score();
        let score = exact.or(games.total.score).unwrap_or(0.5);
        games.total.score = Some(score);
        let interval = match exact {
            Some(score) => Interval { low: score, high: score },
            None => pairing.units().score_interval(LEVEL),
        };
        let reasons =
            EndReason::ALL.into_iter().map(|reason| (reason, *pairing.reasons.get(&reason).unwrap_or(&0))).collect();
        PairingSummary {
            engines: [tally.name(pairing.engines.0).to_owned(), tally.name(pairing.engines.1).to_owned()],
            games,
            score_range: Range::of_score(score, interval),
            elo: Range::of_elo(score, interval),
            los: superiority(pairing, exact),
            draw_ratio: outcomes.counts()[1] as f64 / outcomes.count().max(1) as f64,
            pairs: pairing.pair_counts(),
            distinct: pairing.distinct(),
            repeats: pairing.count() - pairing.distinct(),
            exhausted: exact.is_some(),
            weighted: outcomes.effective_count() < outcomes.count() as f64 * (1.0 - 1e-9),
            reasons,
            margin: pairing.time_used.map(MarginUse::of),
            sprt: sprt.map(|sprt| SprtSummary::of(sprt, Some(pairing))),
        }
    }
}

/// The likelihood that the first engine is the stronger one: 0, 1/2 or 1 where the score is exact.
fn superiority(pairing: &PairTally, exact: Option<f64>) -> f64 {
    match exact {
        Some(score) if score > 0.5 => 1.0,
        Some(score) if score < 0.5 => 0.0,
        Some(_) => 0.5,
        None => pairing.units().likelihood_of_superiority(),
    }
}

impl SprtSummary {
    fn of(sprt: &Sprt, pairing: Option<&PairTally>) -> SprtSummary {
        let llr = pairing.map_or(0.0, |pairing| pairing.llr(sprt));
        let bounds = sprt.bounds();
        let verdict = sprt.verdict(llr).map_or("none", Hypothesis::name);
        let exact = pairing.and_then(PairTally::exact_score);
        let exact = exact.map(|score| sprt.hypothesis_of(score).map_or("neither", Hypothesis::name));
        let SprtSettings { elo0, elo1, .. } = sprt.settings();
        SprtSummary { elo0, elo1, llr, low: bounds.low, high: bounds.high, verdict, exact }
    }
}
