//! A match in figures, as they are printed and as programs read them.

use std::collections::BTreeMap;

use serde::Serialize;

use noughts_core::game::{Player, Rules};

use super::record::Reason;
use super::settings::Limit;
use super::statistics::{Interval, Outcomes, Sprt, SprtVerdict, elo};
use super::tally::{Pairing, Tally, Thinking, Units};

/// The share of matches whose true score lies within the interval.
pub const LEVEL: f64 = 0.95;

/// A match in figures.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct MatchSummary {
    /// The fingerprint of the match.
    #[serde(rename = "match")]
    pub match_id: String,
    /// The game.
    pub rules: Option<Rules>,
    /// What bounded a move.
    pub limit: String,
    /// The seed.
    pub seed: u64,
    /// How many openings there are; `None` when they are drawn at random.
    pub openings: Option<u64>,
    /// Games played.
    pub games: u64,
    /// Games of the whole match, where that is known.
    pub of: Option<u64>,
    /// Games a second, where they have just been played.
    pub games_per_second: Option<f64>,
    /// The engines, best score first.
    pub engines: Vec<EngineSummary>,
    /// What each pair of engines has played.
    pub pairings: Vec<PairingSummary>,
    /// The sequential test, if there was one.
    pub sprt: Option<SprtSummary>,
}

/// An engine against all others.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct EngineSummary {
    /// Its place in the match, from 0.
    pub engine: usize,
    /// Its name.
    pub name: String,
    /// All its games.
    #[serde(flatten)]
    pub games: Games,
    /// The interval of its score.
    pub score_range: Range,
    /// Its logistic Elo difference to its opponents, as if they were one.
    pub elo: Range,
    /// How much it needed the margin.
    pub margin: MarginUse,
}

/// How much an engine needed the margin: the time that it is forgiven beyond its limit.
#[derive(Clone, Copy, PartialEq, Serialize, Debug)]
pub struct MarginUse {
    /// Moves that came after the time was up.
    pub moves: u64,
    /// The most milliseconds that one of them came after it; `None` without any.
    pub ms: Option<f64>,
}

/// Games of an engine, in total and by colour.
#[derive(Clone, Copy, PartialEq, Serialize, Debug)]
pub struct Games {
    /// All of them.
    #[serde(flatten)]
    pub total: Part,
    /// Those as X.
    pub x: Part,
    /// Those as O.
    pub o: Part,
}

/// Some games of an engine.
#[derive(Clone, Copy, PartialEq, Serialize, Debug)]
pub struct Part {
    /// The number of games.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Points a game, games of weighty openings counting more; `None` without games.
    pub score: Option<f64>,
    /// Milliseconds a move; `None` without moves.
    pub ms_per_move: Option<f64>,
}

/// A figure and the interval that the true one lies in for 95 of 100 matches. An end that is `None` is open.
#[derive(Clone, Copy, PartialEq, Serialize, Debug)]
pub struct Range {
    /// The figure; `None` when it is beyond any number.
    pub value: Option<f64>,
    /// Not below this.
    pub low: Option<f64>,
    /// Not above this.
    pub high: Option<f64>,
}

/// What two engines have played, seen by the first.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct PairingSummary {
    /// Their names.
    pub engines: [String; 2],
    /// The games of the first, and its score.
    #[serde(flatten)]
    pub games: Games,
    /// The interval of the score.
    pub score_range: Range,
    /// The logistic Elo difference.
    pub elo: Range,
    /// The likelihood that the first engine is the stronger one, as far as this match can tell.
    pub los: f64,
    /// Games drawn, out of 1.
    pub draw_ratio: f64,
    /// Pairs of games with one opening by the points of the first: 0, 1/2, 1, 3/2, 2; `None` without swapped colours.
    pub pairs: Option<[u64; 5]>,
    /// Different games.
    pub distinct: u64,
    /// Games that had been played before, move for move.
    pub repeats: u64,
    /// Both engines are deterministic and all openings have been played: the score is exact.
    pub exhausted: bool,
    /// Openings weigh differently, and so do their games in the score.
    pub weighted: bool,
    /// How games ended.
    pub reasons: BTreeMap<Reason, u64>,
    /// How much each of the two needed the margin.
    pub margin: [MarginUse; 2],
}

/// A sequential test.
#[derive(Clone, Copy, PartialEq, Serialize, Debug)]
pub struct SprtSummary {
    /// The Elo difference of the null hypothesis.
    pub elo0: f64,
    /// The Elo difference of the alternative.
    pub elo1: f64,
    /// The log likelihood ratio.
    pub llr: f64,
    /// At or below this the null hypothesis is accepted.
    pub low: f64,
    /// At or above this the alternative is accepted.
    pub high: f64,
    /// `H0`, `H1` or `none`.
    pub verdict: &'static str,
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
    fn of(thinking: impl IntoIterator<Item = Thinking>) -> MarginUse {
        let all = thinking.into_iter().fold(Thinking::default(), |sum, thinking| sum + thinking);
        MarginUse { moves: all.margin_moves, ms: (all.margin_moves > 0).then_some(all.margin_ms) }
    }
}

impl Part {
    fn new(games: &Outcomes<3>, thinking: Thinking) -> Part {
        let [losses, draws, wins] = games.counts();
        let ms_per_move = (thinking.moves > 0).then(|| thinking.ms / thinking.moves as f64);
        Part { games: games.count(), wins, draws, losses, score: games.mean_score(), ms_per_move }
    }
}

impl Games {
    /// Games as X and as O, each with the time that was spent on them.
    fn new([x, o]: [(Outcomes<3>, Thinking); 2]) -> Games {
        let mut total = x.0;
        total.merge(&o.0);
        Games { total: Part::new(&total, x.1 + o.1), x: Part::new(&x.0, x.1), o: Part::new(&o.0, o.1) }
    }
}

impl MatchSummary {
    /// The figures of a match out of its totals.
    pub fn of(tally: &Tally, sprt: Option<Sprt>) -> MatchSummary {
        let mut engines: Vec<EngineSummary> =
            tally.engines().map(|(engine, name)| EngineSummary::of(engine, name, tally)).collect();
        let score = |engine: &EngineSummary| engine.games.total.score.unwrap_or(0.0);
        engines.sort_by(|a, b| score(b).total_cmp(&score(a)));
        let pairings = tally.pairings().map(|pairing| PairingSummary::of(pairing, tally)).collect();
        let first = tally.pairings().next();
        MatchSummary {
            match_id: String::new(),
            rules: None,
            limit: String::new(),
            seed: 0,
            openings: None,
            games: tally.games(),
            of: None,
            games_per_second: None,
            engines,
            pairings,
            sprt: sprt.map(|sprt| SprtSummary::of(&sprt, first)),
        }
    }

    /// Says what was played.
    pub fn describe(&mut self, match_id: &str, rules: Rules, limit: Limit, seed: u64, openings: Option<u64>) {
        self.match_id = match_id.to_owned();
        self.rules = Some(rules);
        self.limit = limit.to_string();
        self.seed = seed;
        self.openings = openings;
    }
}

impl EngineSummary {
    fn of(engine: usize, name: &str, tally: &Tally) -> EngineSummary {
        let mut by_player = [(Outcomes::<3>::new(), Thinking::default()); 2];
        let mut units = None::<Units>;
        let mut exact = Vec::new();
        for pairing in tally.pairings() {
            let Some(side) = [pairing.engines.0, pairing.engines.1].iter().position(|&other| other == engine) else {
                continue;
            };
            for player in Player::BOTH {
                // The games of the second engine as X are those of the first as O, seen from the other side.
                let games = if side == 0 { pairing.games_as(player) } else { pairing.games_as(!player).reversed() };
                let (sum, thinking) = &mut by_player[player as usize];
                sum.merge(&games);
                *thinking = *thinking + pairing.thinking(side, player);
            }
            let seen = if side == 0 { pairing.units() } else { pairing.units().reversed() };
            match &mut units {
                Some(units) => units.merge(&seen),
                None => units = Some(seen),
            }
            let score = pairing.exhausted().map(|exhausted| exhausted.score);
            exact.push(score.map(|score| if side == 0 { score } else { 1.0 - score }));
        }
        let margin = MarginUse::of(by_player.map(|(_, thinking)| thinking));
        let mut games = Games::new(by_player);
        let mut interval = units.map_or(Interval { low: 0.0, high: 1.0 }, |units| units.score_interval(LEVEL));
        // All pairs of engines play the same openings, so their exact scores weigh the same.
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
    fn of(pairing: &Pairing, tally: &Tally) -> PairingSummary {
        let outcomes = pairing.outcomes();
        let mut games = Games::new(Player::BOTH.map(|player| (pairing.games_as(player), pairing.thinking(0, player))));
        let exhausted = pairing.exhausted();
        let played = games.total.score.unwrap_or(0.5);
        let score = exhausted.map_or(played, |exhausted| exhausted.score);
        games.total.score = Some(score);
        let interval = match exhausted {
            Some(exhausted) => Interval { low: exhausted.score, high: exhausted.score },
            None => pairing.units().score_interval(LEVEL),
        };
        let reasons = Reason::ALL.into_iter().map(|reason| (reason, pairing.ended_by(reason))).collect();
        PairingSummary {
            engines: [tally.name(pairing.engines.0).to_owned(), tally.name(pairing.engines.1).to_owned()],
            games,
            score_range: Range::of_score(score, interval),
            elo: Range::of_elo(score, interval),
            los: superiority(pairing, exhausted.map(|exhausted| exhausted.score)),
            draw_ratio: outcomes.counts()[1] as f64 / outcomes.count().max(1) as f64,
            pairs: pairing.units().pair_counts(),
            distinct: pairing.distinct(),
            repeats: pairing.games() - pairing.distinct(),
            exhausted: exhausted.is_some(),
            weighted: outcomes.effective_count() < outcomes.count() as f64 * (1.0 - 1e-9),
            reasons,
            margin: [0, 1].map(|engine| MarginUse::of(Player::BOTH.map(|player| pairing.thinking(engine, player)))),
        }
    }
}

/// The likelihood that the first engine is the stronger one; certain where the score is exact.
fn superiority(pairing: &Pairing, exact: Option<f64>) -> f64 {
    match exact {
        Some(score) if score > 0.5 => 1.0,
        Some(score) if score < 0.5 => 0.0,
        Some(_) => 0.5,
        None => pairing.units().superiority(),
    }
}

impl SprtSummary {
    fn of(sprt: &Sprt, pairing: Option<&Pairing>) -> SprtSummary {
        let (llr, verdict) = match pairing {
            Some(pairing) => (pairing.units().llr(sprt), pairing.units().verdict(sprt)),
            None => (0.0, SprtVerdict::Continue),
        };
        let bounds = sprt.bounds();
        let verdict = match verdict {
            SprtVerdict::AcceptH0 => "H0",
            SprtVerdict::AcceptH1 => "H1",
            SprtVerdict::Continue => "none",
        };
        let settings = sprt.settings();
        SprtSummary { elo0: settings.elo0, elo1: settings.elo1, llr, low: bounds.low, high: bounds.high, verdict }
    }
}
