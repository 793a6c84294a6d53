//! Matches in this process.

use std::sync::Arc;

use noughts::arena::{self, Limit as MoveLimit, MatchError, MatchOutcome, MatchSettings, MatchSummary};
use noughts::game::Rules;
use noughts::text::Format;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::analysis::Limit;
use super::players::{Players, refusal, whole};
use super::position::shape_of;
use super::results::match_result;

/// Play a match between two players, each as in :func:`exam`, and say what the result means.
///
/// ``size``, or ``rows`` and ``columns``, choose the board, as for :class:`Position`. ``openings`` are ``startpos``,
/// ``random:2`` (two random plies), ``all:K``, ``classes:K`` or a file: each is played with both colours. ``limit`` has one
/// of ``trials``, ``nodes`` and ``movetime``. ``seed`` makes openings and engines the same every time.
#[pyfunction]
#[pyo3(
    name = "match",
    signature = (
        first, second, *, games=100, size=None, rows=None, columns=None, connect=0, reverse=false, openings="startpos",
        limit=None, seed=None, seconds=10.0, names=(None, None)
    ),
    text_signature = "(first, second, *, games=100, size=None, rows=None, columns=None, connect=0, reverse=False, openings='startpos', limit=None, seed=None, seconds=10.0, names=(None, None))"
)]
#[allow(clippy::too_many_arguments)]
pub fn run_match<'py>(
    py: Python<'py>,
    first: &Bound<'py, PyAny>,
    second: &Bound<'py, PyAny>,
    games: i64,
    size: Option<i64>,
    rows: Option<i64>,
    columns: Option<i64>,
    connect: u16,
    reverse: bool,
    openings: &str,
    limit: Option<Limit>,
    seed: Option<u64>,
    seconds: f64,
    names: (Option<String>, Option<String>),
) -> PyResult<Bound<'py, PyAny>> {
    let rules = Rules::new(shape_of(size, rows, columns)?, connect, reverse);
    let limits = limit.unwrap_or_default().only_limit()?;
    let limit = None
        .or(limits.move_time.map(MoveLimit::MoveTime))
        .or(limits.nodes.map(|nodes| MoveLimit::Nodes(nodes.get())))
        .or(limits.trials.map(|trials| MoveLimit::Trials(trials.get())));
    if let Some(seed) = seed.filter(|&seed| seed > MatchSettings::MAX_SEED) {
        let most = MatchSettings::MAX_SEED;
        return Err(PyValueError::new_err(format!("seed is a whole number up to {most}, not {seed}")));
    }
    let mut players = Players::new(seconds, 0)?;
    players.add(first, names.0)?;
    players.add(second, names.1)?;
    let engines = players.setups.drain(..).map(Arc::new).collect();
    let rules = rules.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let settings = MatchSettings {
        limit: limit.unwrap_or_default(),
        patience: players.patience(),
        openings: openings.parse().map_err(refusal)?,
        games: whole("games", games, 1_000_000_000)?,
        seed,
        ..MatchSettings::new(engines, rules)
    };
    settings.check_engines().map_err(refusal)?;
    let failure = |played: &Result<MatchOutcome, MatchError>| match played {
        Ok(outcome) => outcome.failure.as_ref().map(ToString::to_string),
        Err(error) => Some(error.to_string()),
    };
    let played = players.run(py, |context, observer| arena::run(settings, context, observer), failure)?;
    let summary = played.map_err(refusal)?.summary;
    let (mut text, mut json) = (Vec::new(), Vec::new());
    arena::write_summary(std::slice::from_ref(&summary), Format::Json, &mut json)?;
    // The speed is no result.
    let summary = MatchSummary { games_per_second: None, ..summary };
    arena::write_summary(&[summary], Format::Text, &mut text)?;
    match_result(py, &json, &text)
}
