//! Matches as CSV: a row for each pair of engines.

use std::io::{self, Write};

use serde::Serialize;

use crate::text::{PlainNumber, write_csv};

use super::record::EndReason;
use super::summary::{MatchSummary, PairingSummary};

/// Writes a row for each pair of engines of each match.
///
/// # Errors
/// When writing to `out` fails.
pub fn write(matches: &[MatchSummary], out: &mut dyn Write) -> io::Result<()> {
    let pairs = matches.iter().flat_map(|summary| summary.pairings.iter().map(move |pairing| (summary, pairing)));
    write_csv(pairs.map(|(summary, pairing)| MatchRow::new(summary, pairing)), out)
}

/// All figures of a pair of engines. Results are those of the first.
#[derive(Serialize, Default)]
struct MatchRow<'a> {
    #[serde(rename = "match")]
    match_id: &'a str,
    size: u8,
    connect: u16,
    reverse: bool,
    limit: &'a str,
    seed: u64,
    first: &'a str,
    second: &'a str,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    score: Option<PlainNumber>,
    score_low: Option<PlainNumber>,
    score_high: Option<PlainNumber>,
    elo: Option<PlainNumber>,
    elo_low: Option<PlainNumber>,
    elo_high: Option<PlainNumber>,
    los: PlainNumber,
    draw_ratio: PlainNumber,
    distinct: u64,
    repeats: u64,
    exhausted: bool,
    line: u64,
    full_board: u64,
    time: u64,
    crash: u64,
    stall: u64,
    illegal: u64,
    games_per_second: Option<PlainNumber>,
    ms_per_move: Option<PlainNumber>,
    x_games: u64,
    x_wins: u64,
    x_draws: u64,
    x_losses: u64,
    x_score: Option<PlainNumber>,
    x_ms_per_move: Option<PlainNumber>,
    o_games: u64,
    o_wins: u64,
    o_draws: u64,
    o_losses: u64,
    o_score: Option<PlainNumber>,
    o_ms_per_move: Option<PlainNumber>,
    /// Pairs of games by the half points of the first engine; `None` where games are not played in pairs.
    pairs_0: Option<u64>,
    pairs_1: Option<u64>,
    pairs_2: Option<u64>,
    pairs_3: Option<u64>,
    pairs_4: Option<u64>,
    weighted: bool,
    llr: Option<PlainNumber>,
    verdict: Option<&'a str>,
    exact: Option<&'a str>,
    first_margin_moves: u64,
    first_margin_ms: Option<PlainNumber>,
    second_margin_moves: u64,
    second_margin_ms: Option<PlainNumber>,
}

impl MatchRow<'_> {
    fn new<'a>(summary: &'a MatchSummary, pairing: &'a PairingSummary) -> MatchRow<'a> {
        let rules = summary.rules.unwrap_or_default();
        let [first, second] = &pairing.engines;
        let (total, x, o) = (pairing.games.total, pairing.games.x, pairing.games.o);
        let ended_by = |reason: EndReason| pairing.reasons.get(&reason).copied().unwrap_or_default();
        let pairs = |half_points: usize| pairing.pairs.map(|pairs| pairs[half_points]);
        let [first_margin, second_margin] = pairing.margin;
        MatchRow {
            match_id: &summary.match_id,
            size: rules.size(),
            connect: rules.connect(),
            reverse: rules.reverse(),
            limit: &summary.limit,
            seed: summary.seed,
            first,
            second,
            games: total.games,
            wins: total.wins,
            draws: total.draws,
            losses: total.losses,
            score: total.score.map(PlainNumber),
            score_low: pairing.score_range.low.map(PlainNumber),
            score_high: pairing.score_range.high.map(PlainNumber),
            elo: pairing.elo.value.map(PlainNumber),
            elo_low: pairing.elo.low.map(PlainNumber),
            elo_high: pairing.elo.high.map(PlainNumber),
            los: PlainNumber(pairing.los),
            draw_ratio: PlainNumber(pairing.draw_ratio),
            distinct: pairing.distinct,
            repeats: pairing.repeats,
            exhausted: pairing.exhausted,
            line: ended_by(EndReason::Line),
            full_board: ended_by(EndReason::FullBoard),
            time: ended_by(EndReason::Time),
            crash: ended_by(EndReason::Crash),
            stall: ended_by(EndReason::Stall),
            illegal: ended_by(EndReason::Illegal),
            // The speed is that of the whole match: it is the pair's own only where there is no other.
            games_per_second: summary.games_per_second.filter(|_| summary.pairings.len() == 1).map(PlainNumber),
            ms_per_move: total.ms_per_move.map(PlainNumber),
            x_games: x.games,
            x_wins: x.wins,
            x_draws: x.draws,
            x_losses: x.losses,
            x_score: x.score.map(PlainNumber),
            x_ms_per_move: x.ms_per_move.map(PlainNumber),
            o_games: o.games,
            o_wins: o.wins,
            o_draws: o.draws,
            o_losses: o.losses,
            o_score: o.score.map(PlainNumber),
            o_ms_per_move: o.ms_per_move.map(PlainNumber),
            pairs_0: pairs(0),
            pairs_1: pairs(1),
            pairs_2: pairs(2),
            pairs_3: pairs(3),
            pairs_4: pairs(4),
            weighted: pairing.weighted,
            llr: pairing.sprt.map(|sprt| PlainNumber(sprt.llr)),
            verdict: pairing.sprt.map(|sprt| sprt.verdict),
            exact: pairing.sprt.and_then(|sprt| sprt.exact),
            first_margin_moves: first_margin.moves,
            first_margin_ms: first_margin.ms.map(PlainNumber),
            second_margin_moves: second_margin.moves,
            second_margin_ms: second_margin.ms.map(PlainNumber),
        }
    }
}
