//! Exams in this process.

use std::sync::Arc;

use noughts::exam::{self, ExamOutcome, ExamSettings, Selection};
use noughts::game::Rules;
use noughts::text::Format;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::analysis::Limit;
use super::players::{Players, refusal, whole};
use super::position::shape_of;
use super::results::exam_result;

/// Ask a player every position of a board, or a sample, and say exactly how often it gives value away.
///
/// ``size``, or ``rows`` and ``columns``, choose the board, as for :class:`Position`. It has at most 16 squares. ``rules``
/// are ``normal``, ``reverse`` or ``both``.
///
/// ``player`` is a function of a :class:`Position` that returns a move; or an :class:`Engine`; or the words of an engine
/// as for ``noughts exam --engine``. With ``batch``, a function gets a list of at most so many positions and returns as
/// many moves. A function of three arguments is ``mc_move(board, player, trials)`` of :mod:`noughts.homework`, with
/// ``NTRIALS`` of its module, or 100.
///
/// An answer that is no legal move counts as a loss, and so does one that takes more than ``seconds``: then
/// :class:`AgentWarning` says that the thread of the function cannot be ended. An exception of the function ends the exam
/// with :class:`AgentError`.
///
/// ``sample`` is a number of positions, or ``"all"``; without it all up to 9 squares and 2,000 above. ``repeat`` asks each
/// position several times. ``limit`` has one of ``trials``, ``nodes`` and ``movetime``. ``seed`` is for the sample, and
/// for engines.
#[pyfunction]
#[pyo3(
    name = "exam",
    signature = (
        player, *, rules="both", size=None, rows=None, columns=None, connect=0, sample=None, repeat=1, limit=None, seed=None,
        batch=None, seconds=10.0, name=None
    ),
    text_signature = "(player, *, rules='both', size=None, rows=None, columns=None, connect=0, sample=None, repeat=1, limit=None, seed=None, batch=0, seconds=10.0, name=None)"
)]
#[allow(clippy::too_many_arguments)]
pub fn run_exam<'py>(
    py: Python<'py>,
    player: &Bound<'py, PyAny>,
    rules: &str,
    size: Option<i64>,
    rows: Option<i64>,
    columns: Option<i64>,
    connect: u16,
    sample: Option<Bound<'py, PyAny>>,
    repeat: i64,
    limit: Option<Limit>,
    seed: Option<i64>,
    batch: Option<Bound<'py, PyAny>>,
    seconds: f64,
    name: Option<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let shape = shape_of(size, rows, columns)?;
    let reverse = match rules {
        "normal" => &[false][..],
        "reverse" => &[true],
        "both" => &[false, true],
        _ => return Err(PyValueError::new_err(format!("rules are normal, reverse or both, not {rules:?}"))),
    };
    let rules: Result<Vec<Rules>, _> = reverse.iter().map(|&reverse| Rules::new(shape, connect, reverse)).collect();
    let mut players = Players::new(seconds, batch_of(batch)?)?;
    players.add(player, name)?;
    let settings = ExamSettings {
        engine: Arc::new(players.setups.remove(0)),
        rules: rules.map_err(|error| PyValueError::new_err(error.to_string()))?,
        selection: sample.map_or_else(|| Ok(Selection::of_board(shape)), selection)?,
        limits: limit.unwrap_or_default().only_limit()?,
        repeat: whole("repeat", repeat, 1_000_000)? as u32,
        ties: false,
        list: true,
        seed: whole("seed", seed.unwrap_or(1), i32::MAX.into())? as u32,
        patience: players.patience(),
    };
    settings.check().map_err(refusal)?;
    let failure = |outcome: &ExamOutcome| outcome.failure.as_ref().map(ToString::to_string);
    let outcome = players.run(py, |context, observer| exam::run(&settings, context, &*observer), failure)?;
    let (mut text, mut json) = (Vec::new(), Vec::new());
    exam::write(&outcome.report, Format::Text, &mut text)?;
    exam::write(&outcome.report, Format::Json, &mut json)?;
    exam_result(py, &json, &text)
}

fn batch_of(batch: Option<Bound<'_, PyAny>>) -> PyResult<usize> {
    let Some(batch) = batch else { return Ok(0) };
    let problem = || PyValueError::new_err(format!("batch is a whole number from 0, not {batch}"));
    batch.extract().map_err(|_| problem())
}

fn selection(sample: Bound<'_, PyAny>) -> PyResult<Selection> {
    match (sample.extract::<u64>(), sample.extract::<String>()) {
        (Ok(number @ 1..), _) => Ok(Selection::Sample(number)),
        (_, Ok(word)) if word == "all" => Ok(Selection::All),
        _ => Err(PyValueError::new_err(format!("sample is a whole number from 1, or \"all\", not {sample}"))),
    }
}
