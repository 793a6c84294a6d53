//! Exact values of many positions at once, as arrays.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use noughts::game::{Position, Rules, Value};
use noughts::search::{Control, Solver, ValueTable};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use super::background;
use super::position::PyPosition;
use super::tables;

/// The memory of proofs, in MiB.
const MEBIBYTES: u32 = 64;

/// The exact values of positions, an entry for each: see :func:`exact_values`.
///
/// ``value`` is the result of best play for the side to move, -1, 0 or 1, ``int8``; ``plies`` the plies to the end of a
/// win or a loss when the winner hurries and the loser delays, 0 for a draw, ``int16``. ``best`` has a row for each
/// position and a column for each square in reading order: true for the moves with this value and distance, ``bool``, as
/// far as they are proven; all false when the game is over. Where ``proven`` is false, ``bool``, nothing is known, and the others are 0.
#[pyclass(module = "noughts", frozen, get_all)]
pub struct ExactValues {
    value: Py<PyArray1<i8>>,
    plies: Py<PyArray1<i16>>,
    proven: Py<PyArray1<bool>>,
    best: Py<PyArray2<bool>>,
}

/// Return the exact values of positions of one game.
///
/// Boards of up to 16 squares are known position by position. On larger ones each position is proved, and left open if
/// that takes more than ``nodes`` positions.
///
/// :raises ValueError: when the positions have different rules.
#[pyfunction]
#[pyo3(signature = (positions, *, nodes=100_000))]
pub fn exact_values(py: Python<'_>, positions: &Bound<'_, PyAny>, nodes: u64) -> PyResult<ExactValues> {
    crate::need_numpy(py)?;
    let mut asked: Vec<Position> = Vec::with_capacity(positions.len().unwrap_or_default());
    for position in positions.try_iter()? {
        asked.push(position?.cast::<PyPosition>()?.get().0);
    }
    let rules = asked.first().map_or_else(Rules::default, Position::rules);
    if let Some(other) = asked.iter().map(Position::rules).find(|other| *other != rules) {
        let problem = format!("expected positions of one game, found {rules} and {other}; nothing is computed");
        return Err(PyValueError::new_err(problem));
    }
    let (cells, stop) = (rules.cells(), Arc::new(AtomicBool::new(false)));
    let find = || {
        let (mut values, mut best) = (vec![None; asked.len()], vec![false; asked.len() * cells]);
        let rows = values.iter_mut().zip(best.chunks_mut(cells));
        let found = asked.iter().zip(rows).map(|(position, (value, best))| (position, value, best));
        match tables::table(rules) {
            Some(table) => found.for_each(|(position, value, best)| *value = look_up(&table, position, best)),
            None => {
                let mut solver = Solver::new(rules, MEBIBYTES);
                for (position, value, best) in found {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    *value = prove(&mut solver, position, best, nodes, &stop);
                }
            }
        }
        (values, best)
    };
    let (values, best) = if cells <= ValueTable::MOST_CELLS {
        py.detach(find)
    } else {
        background::run(py, || stop.store(true, Ordering::Relaxed), None, |_| find())?
            .map_err(PyRuntimeError::new_err)?
    };
    arrays(py, &values, best, cells)
}

fn arrays(py: Python<'_>, values: &[Option<Value>], best: Vec<bool>, cells: usize) -> PyResult<ExactValues> {
    let result = |value: &Option<Value>| value.map_or(0, Value::result);
    let plies = |value: &Option<Value>| value.and_then(Value::plies).map_or(0, |plies| plies as i16);
    Ok(ExactValues {
        value: PyArray1::from_iter(py, values.iter().map(result)).unbind(),
        plies: PyArray1::from_iter(py, values.iter().map(plies)).unbind(),
        proven: PyArray1::from_iter(py, values.iter().map(Option::is_some)).unbind(),
        best: PyArray1::from_vec(py, best).reshape([values.len(), cells])?.unbind(),
    })
}

/// Looks a position up, and marks its best moves.
fn look_up(table: &ValueTable, position: &Position, best: &mut [bool]) -> Option<Value> {
    if position.outcome().is_some() {
        return position.final_value();
    }
    let moves = table.best_moves(position);
    best.iter_mut().enumerate().for_each(|(cell, is_best)| *is_best = moves >> cell & 1 == 1);
    Some(table.value(position))
}

/// Proves the value of a position and of its moves, and marks the best of them.
fn prove(
    solver: &mut Solver,
    position: &Position,
    best: &mut [bool],
    nodes: u64,
    stop: &Arc<AtomicBool>,
) -> Option<Value> {
    if position.outcome().is_some() {
        return position.final_value();
    }
    let control = || Control::new(Arc::clone(stop), None, None).with_nodes(Some(nodes));
    let value = solver.bounds(position, &control()).exact()?;
    let shape = position.rules().shape();
    let moves = solver.move_bounds(position, &control()).into_iter();
    moves.filter(|(_, bounds)| bounds.exact() == Some(value)).for_each(|(cell, _)| best[cell.index(shape)] = true);
    Some(value)
}
