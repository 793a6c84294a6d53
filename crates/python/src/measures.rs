//! Numbers without an engine: what playouts come to, and what the results of games say about strength.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use noughts::arena::statistics::{GameOutcomes, PairOutcomes, Sprt, SprtSettings, elo};
use noughts::search::{Control, Playouts, SearchResult, Stream, generator};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use super::background;
use super::position::PyPosition;

/// Play games from a position in which both sides move at random. Return how many the side to move has won, how many
/// were drawn, and how many it has lost.
///
/// The same ``seed`` gives the same games, on any number of ``threads``; 0 is another seed each time.
///
/// :raises ValueError: when ``trials`` or ``threads`` is 0.
#[pyfunction]
#[pyo3(signature = (position, trials, *, seed=0, threads=1))]
pub fn playouts(
    py: Python<'_>,
    position: &Bound<'_, PyPosition>,
    trials: u64,
    seed: u32,
    threads: usize,
) -> PyResult<(u64, u64, u64)> {
    if trials == 0 || threads == 0 {
        return Err(PyValueError::new_err(format!(
            "trials and threads are whole numbers from 1, not {trials} and {threads}"
        )));
    }
    let position = position.get().0;
    if position.outcome().is_some() {
        return Err(PyValueError::new_err("the game is over, so there is nothing to play"));
    }
    let stop = Arc::new(AtomicBool::new(false));
    let control = Control::new(Arc::clone(&stop), None, None).with_playouts(Some(trials));
    let mut generator = generator(if seed == 0 { rand::random() } else { seed.into() }, Stream::Go(0));
    let games = Playouts::fastest(&position, &control, threads);
    let play =
        |_: &mut dyn FnMut(&SearchResult)| games.play(&position, &mut generator, &control, &mut |_| {}).results();
    let results = background::run(py, || stop.store(true, Ordering::Relaxed), None, play)?;
    let results = results.map_err(PyRuntimeError::new_err)?;
    Ok((results.wins, results.draws, results.losses))
}

/// What the results of games say about two players: see :func:`statistics`.
///
/// ``score`` is the mean score of the first player, from 0 to 1; ``elo`` the difference at which it is expected;
/// ``superiority`` the likelihood that the first player scores more than half. The intervals are likelihood intervals.
/// With ``sprt``, ``llr`` is the log likelihood ratio of the two hypotheses, and ``verdict`` the one that is accepted,
/// ``"H0"`` or ``"H1"``, or ``None`` while more games are needed.
#[pyclass(module = "noughts", frozen, get_all)]
pub struct Statistics {
    games: u64,
    score: f64,
    score_interval: (f64, f64),
    elo: f64,
    elo_interval: (f64, f64),
    superiority: f64,
    llr: Option<f64>,
    verdict: Option<&'static str>,
}

#[pymethods]
impl Statistics {
    fn __repr__(&self) -> String {
        let Statistics { games, score, elo, score_interval: (low, high), superiority, .. } = self;
        format!(
            "Statistics(games={games}, score={score:.4} [{low:.4}, {high:.4}], elo={elo:.1}, superiority={superiority:.4})"
        )
    }
}

/// Return the statistics of ``noughts match`` for the results of the first of two players.
///
/// ``pairs`` stands in place of games where each opening was played twice with the sides exchanged: the numbers of pairs
/// by the points of the first player, 0, 1/2, 1, 3/2 and 2. ``level`` is that of the intervals. ``sprt`` are the two Elo
/// differences of a sequential test, with ``alpha`` and ``beta`` of 0.05.
///
/// :raises ValueError: when there are no results, or no test has these differences.
#[pyfunction]
#[pyo3(signature = (wins=0, draws=0, losses=0, *, pairs=None, level=0.95, sprt=None))]
pub fn statistics(
    wins: u64,
    draws: u64,
    losses: u64,
    pairs: Option<[u64; 5]>,
    level: f64,
    sprt: Option<(f64, f64)>,
) -> PyResult<Statistics> {
    let games = [losses, draws, wins];
    if pairs.is_some() && games != [0; 3] {
        return Err(PyValueError::new_err("expected games or pairs, found both; nothing is computed"));
    }
    let (outcomes, games_each) = match pairs {
        Some(pairs) => (PairOutcomes::from(pairs), 2),
        None => (GameOutcomes::from(games).doubled(), 1),
    };
    let Some(score) = outcomes.mean_score() else {
        return Err(PyValueError::new_err("there are no results, so there are no statistics"));
    };
    if !(level > 0.0 && level < 1.0) {
        return Err(PyValueError::new_err(format!("level is a number between 0 and 1, not {level}")));
    }
    let test = sprt.map(|(elo0, elo1)| Sprt::new(SprtSettings { elo0, elo1, alpha: 0.05, beta: 0.05 }));
    let test = test.transpose().map_err(PyValueError::new_err)?;
    let llr = test.map(|test| test.llr(&outcomes));
    let interval = outcomes.score_interval(level);
    Ok(Statistics {
        games: outcomes.count() * games_each,
        score,
        score_interval: (interval.low, interval.high),
        elo: elo(score),
        elo_interval: (interval.elo().low, interval.elo().high),
        superiority: outcomes.likelihood_of_superiority(),
        verdict: test.zip(llr).and_then(|(test, llr)| test.verdict(llr)).map(|hypothesis| hypothesis.name()),
        llr,
    })
}
