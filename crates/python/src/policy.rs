//! What a policy is worth: exactly on boards whose positions are all held, by a sample on others.
//!
//! | file | what it holds |
//! |---|---|
//! | `graph.rs` | all positions of a small board, level by level |
//! | `worth.rs` | the exact figures of a policy |
//! | `sample.rs` | some positions of a large board, and what their moves are worth |
//! | `rows.rs` | a policy of Python, asked and checked |

mod graph;
mod rows;
mod sample;
mod worth;

use noughts::game::{Cell, Player, Rules};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::position::{letter, move_of, rules_of, shape_of};
use graph::{Graph, MOST_CELLS};
use rows::{Boards, Policy};
use worth::{Blunders, Odds, Worth};

/// Positions that are drawn unless the caller says how many.
const SAMPLE: usize = 1000;

/// The figures of a policy by name, as the fields of `noughts.PolicyEvaluation` have them.
#[pyfunction]
#[pyo3(signature = (policy, rows, columns, connect, reverse, sample, seed, batch, nodes))]
#[expect(clippy::too_many_arguments, reason = "they are those of the function in Python")]
pub fn policy_figures<'py>(
    policy: &Bound<'py, PyAny>,
    rows: i64,
    columns: i64,
    connect: i64,
    reverse: bool,
    sample: Option<i64>,
    seed: u64,
    batch: i64,
    nodes: u64,
) -> PyResult<Bound<'py, PyDict>> {
    crate::need_numpy(policy.py())?;
    let rules = rules_of(shape_of(None, Some(rows), Some(columns))?, connect, reverse)?;
    let batch = count("batch", batch)?;
    let sample = sample.map(|number| count("sample", number)).transpose()?;
    if sample.is_none() && rules.cells() <= MOST_CELLS {
        exact_figures(policy, rules, batch)
    } else {
        sampled_figures(policy, rules, sample.unwrap_or(SAMPLE), seed, batch, nodes)
    }
}

fn count(name: &str, number: i64) -> PyResult<usize> {
    let positive = usize::try_from(number).ok().filter(|&number| number > 0);
    positive.ok_or_else(|| PyValueError::new_err(format!("{name} is a number of positions, at least 1, not {number}")))
}

fn exact_figures<'py>(policy: &Bound<'py, PyAny>, rules: Rules, batch: usize) -> PyResult<Bound<'py, PyDict>> {
    let py = policy.py();
    let graph = py.detach(|| Graph::new(rules));
    let policy = Policy::new(policy, rules, Some(graph.positions.len()))?;
    let mut worth = Worth::new(graph);
    for stones in (0..rules.cells()).rev() {
        let [start, end] = [0, 1].map(|next| worth.graph.levels[stones + next]);
        for first in (start..end).step_by(batch) {
            py.check_signals()?;
            let mut boards = Boards::default();
            for number in first..end.min(first + batch) {
                let ([x, o], side) = (worth.graph.positions[number], worth.graph.side(number));
                for cell in 0..rules.cells() {
                    let has_stone = |set: u16| set >> cell & 1 == 1;
                    let occupant = if has_stone(x) { Some(Player::X) } else { has_stone(o).then_some(Player::O) };
                    boards.push(occupant, side);
                }
            }
            let rows = policy.rows(&boards, first, &|index| worth.graph.position(first + index))?;
            py.detach(|| worth.add(first, &rows));
        }
        worth.end_level(start);
    }
    let figures = PyDict::new(py);
    set_blunders(&figures, &worth.blunders, true)?;
    set_exact(&figures, &worth)?;
    Ok(figures)
}

fn sampled_figures<'py>(
    policy: &Bound<'py, PyAny>,
    rules: Rules,
    count: usize,
    seed: u64,
    batch: usize,
    nodes: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let py = policy.py();
    let policy = Policy::new(policy, rules, None)?;
    let drawn = sample::draw(rules, count, seed);
    let proven = sample::prove(py, rules, &drawn, nodes)?;
    let mut blunders = Blunders::default();
    for asked in proven.chunks(batch) {
        let mut boards = Boards::default();
        for position in asked.iter().map(|proven| proven.position) {
            Cell::all(rules.shape()).for_each(|cell| boards.push(position.occupant(cell), position.side()));
        }
        let rows = policy.rows(&boards, 0, &|index| asked[index].position)?;
        for (proven, row) in asked.iter().zip(rows.chunks_exact(rules.cells())) {
            let probabilities = proven.position.moves().map(|cell| row[cell.index(rules.shape())]);
            blunders.add(probabilities.collect::<Vec<_>>().into_iter().zip(proven.values.iter().copied()));
        }
    }
    let figures = PyDict::new(py);
    set_blunders(&figures, &blunders, false)?;
    let sample = PyDict::new(py);
    sample.set_item("positions", drawn.len())?;
    sample.set_item("proven", proven.len())?;
    sample.set_item("nodes", nodes)?;
    sample.set_item("seed", seed)?;
    figures.set_item("sample", sample)?;
    Ok(figures)
}

/// The figures of single positions.
fn set_blunders(figures: &Bound<'_, PyDict>, blunders: &Blunders, has_distances: bool) -> PyResult<()> {
    let share = |number: u64| number as f64 / blunders.positions as f64;
    figures.set_item("positions", blunders.positions)?;
    figures.set_item("possible", blunders.possible)?;
    let rate = if blunders.possible == 0 { 0.0 } else { blunders.given_away / blunders.possible as f64 };
    figures.set_item("blunder_rate", rate)?;
    figures.set_item("strongly_solved", share(blunders.by_result))?;
    figures.set_item("perfect", has_distances.then(|| share(blunders.by_distance)))
}

/// The figures of games.
fn set_exact(figures: &Bound<'_, PyDict>, worth: &Worth) -> PyResult<()> {
    let py = figures.py();
    let [reached, solved] = worth.reached();
    figures.set_item("reached", reached)?;
    figures.set_item("weakly_solved", solved as f64 / reached as f64)?;
    figures.set_item("value", worth.value())?;
    let [as_x, as_o] = Player::BOTH.map(|seat| worth.odds(seat));
    let expected = PyDict::new(py);
    for (opponent, name) in ["perfect", "random"].into_iter().enumerate() {
        let [x, o]: [Odds; 2] = [as_x[opponent], as_o[opponent]];
        let both = std::array::from_fn(|result| f64::midpoint(x[result], o[result]));
        let seats = PyDict::new(py);
        for (seat, [win, draw, loss]) in [("x", x), ("o", o), ("both", both)] {
            seats.set_item(seat, (win, draw, loss, win + draw / 2.0))?;
        }
        expected.set_item(name, seats)?;
    }
    figures.set_item("expected", expected)?;
    let worst = PyDict::new(py);
    for seat in Player::BOTH {
        worst.set_item(letter(seat), worth.worst(seat))?;
    }
    figures.set_item("worst_result", worst)?;
    if let Some(line) = worth.worst_line() {
        let cells = line.cells.iter().map(|&cell| worth.graph.rules.geometry().cell(cell as u16));
        let moves = cells.map(|cell| move_of(py, cell)).collect::<PyResult<Vec<_>>>()?;
        figures.set_item("worst_line", (letter(line.seat), PyTuple::new(py, moves)?, line.probability, line.regret))?;
    }
    Ok(())
}
