//! Parts of the environments of one game: arrays of a position, its opponent's answer, exact values of its moves.

use std::collections::HashMap;
use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use noughts::engine::{Engine, GoRequest, Options, PlayerKind};
use noughts::game::{Cell, Player, Position, Score, Value};
use noughts::search::{Limits, Stream, Tiebreak, ValueTable, generator};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use crate::board::Random;
use crate::opponent::{Opponent, engine_move};
use crate::position::PyPosition;
use crate::tables::table;

/// Positions of a proof of the values of one position, where values are wanted and no table has them.
const NODES: u64 = 100_000;

/// The most positions whose values are remembered.
const MOST_REMEMBERED: usize = 1 << 14;

/// The stones and the empty squares.
type Observation<'py> = (Bound<'py, PyArray3<i8>>, Bound<'py, PyArray1<i8>>);

/// Return the stones as 0 and 1, ``int8``, shape ``(rows, columns, 2)``: plane 0 has those of ``side``, plane 1 the
/// others; and 1 for every empty square, also after the game, and 0 for the others, ``int8``, shape ``(rows * columns,)``.
#[pyfunction]
pub fn observe<'py>(py: Python<'py>, position: &PyPosition, side: &str) -> PyResult<Observation<'py>> {
    let shape = position.0.rules().shape();
    let side = if side == "x" { Player::X } else { Player::O };
    let planes = PyArray3::<i8>::zeros(py, [shape.rows.into(), shape.columns.into(), 2], false);
    let empty = PyArray1::<i8>::zeros(py, [shape.cells()], false);
    {
        let (mut planes, mut empty) = (planes.readwrite(), empty.readwrite());
        let (planes, empty) = (planes.as_slice_mut()?, empty.as_slice_mut()?);
        for (index, cell) in Cell::all(shape).enumerate() {
            match position.0.occupant(cell) {
                Some(owner) => planes[2 * index + usize::from(owner != side)] = 1,
                None => empty[index] = 1,
            }
        }
    }
    Ok((planes, empty))
}

/// A player of the engine that answers positions of one game in this process.
///
/// ``Opponent(start, name, options)``: ``start`` has the rules, ``options`` are those of the engine. ``state`` is that of
/// its random numbers.
///
/// :raises EngineError: when the engine has no such player or refuses an option.
/// :raises TypeError: when an option belongs to the game.
#[pyclass(name = "Opponent", module = "noughts._noughts")]
pub struct PyOpponent {
    opponent: Opponent,
    random: Random,
    arguments: (PyPosition, String, Py<PyDict>),
}

#[pymethods]
impl PyOpponent {
    #[new]
    #[pyo3(signature = (start, name, options, state=0))]
    fn new(
        start: &Bound<'_, PyPosition>,
        name: String,
        options: Bound<'_, PyDict>,
        state: u64,
    ) -> PyResult<PyOpponent> {
        let start = *start.get();
        let opponent = Opponent::new(options.py(), start.0.rules(), &name, Some(&options))?;
        Ok(PyOpponent { opponent, random: Random(state), arguments: (start, name, options.unbind()) })
    }

    #[getter]
    fn state(&self) -> u64 {
        self.random.0
    }

    #[setter]
    fn set_state(&mut self, state: u64) {
        self.random.0 = state;
    }

    /// Return the position after its move. The game must go on.
    fn answer(&mut self, py: Python<'_>, position: &PyPosition) -> PyResult<PyPosition> {
        let position = position.0;
        if position.outcome().is_some() {
            return Err(PyValueError::new_err(format!("{}: the game is over", position.diagram())));
        }
        let cell = match &mut self.opponent {
            Opponent::Random => {
                let number = self.random.below(position.empty_cells() as u32) as usize;
                position.moves().nth(number)
            }
            Opponent::Table(table) => {
                let best = table.best_moves(&position);
                let number = self.random.below(best.count_ones()) as usize;
                let shape = position.rules().shape();
                position.moves().filter(|cell| best >> cell.index(shape) & 1 == 1).nth(number)
            }
            Opponent::Engine(player) => {
                let seed = self.random.next();
                Some(py.detach(|| engine_move(player, &position, seed)))
            }
        };
        Ok(PyPosition(position.after(cell.expect("a game that goes on has a move"))))
    }

    fn __reduce__<'py>(slf: &Bound<'py, PyOpponent>) -> (Bound<'py, PyType>, (PyPosition, String, Py<PyDict>, u64)) {
        let this = slf.borrow();
        let (start, name, options) = &this.arguments;
        (slf.get_type(), (*start, name.clone(), options.clone_ref(slf.py()), this.random.0))
    }
}

/// The exact values of moves. ``nodes`` is the budget of a proof, ``None`` for 100,000 positions up to 16 squares and 0
/// above; up to 16 squares a table has all values, unless ``nodes`` is 0.
#[pyclass(module = "noughts._noughts")]
pub struct Values {
    nodes: Option<u64>,
    table: Option<Arc<ValueTable>>,
    engine: Engine,
    remembered: HashMap<Position, Vec<(usize, f32, i16)>>,
}

#[pymethods]
impl Values {
    #[new]
    fn new(nodes: Option<i64>) -> PyResult<Values> {
        let negative = |nodes: i64| PyValueError::new_err(format!("value_nodes is a number from 0, not {nodes}"));
        let nodes = nodes.map(|nodes| u64::try_from(nodes).map_err(|_| negative(nodes))).transpose()?;
        Ok(Values { nodes, table: None, engine: Engine::new(), remembered: HashMap::new() })
    }

    /// Return new arrays ``values``, ``float32``, and ``plies``, ``int16``, for the side to move; nothing with a budget of 0.
    fn info<'py>(&mut self, py: Python<'py>, position: &PyPosition) -> PyResult<Bound<'py, PyDict>> {
        let (position, info) = (position.0, PyDict::new(py));
        let cells = position.rules().cells();
        let nodes = self.nodes.unwrap_or(if cells <= ValueTable::MOST_CELLS { NODES } else { 0 });
        let Some(nodes) = NonZeroU64::new(nodes) else { return Ok(info) };
        let (mut values, mut plies) = (vec![f32::NEG_INFINITY; cells], vec![0; cells]);
        for (cell, value, distance) in py.detach(|| self.values(&position, nodes)) {
            (values[cell], plies[cell]) = (value, distance);
        }
        info.set_item("values", PyArray1::from_vec(py, values))?;
        info.set_item("plies", PyArray1::from_vec(py, plies))?;
        Ok(info)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Values>) -> (Bound<'py, PyType>, (Option<u64>,)) {
        (slf.get_type(), (slf.borrow().nodes,))
    }
}

impl Values {
    /// The index of each move whose value is known, with the value and the plies.
    fn values(&mut self, position: &Position, nodes: NonZeroU64) -> Vec<(usize, f32, i16)> {
        let (rules, shape) = (position.rules(), position.rules().shape());
        if self.table.is_none() {
            self.table = table(rules);
        }
        if let Some(table) = &self.table {
            let value = |cell| table.value(&position.after(cell)).before_move();
            return position.moves().map(|cell| entry(cell.index(shape), value(cell))).collect();
        }
        if let Some(known) = self.remembered.get(position) {
            return known.clone();
        }
        // Playouts prove nothing: one is the fewest. The order of the lines must not depend on random numbers.
        let (tiebreak, trials, multi_pv) = (Tiebreak::First, Some(1), rules.cells() as _);
        let columns = shape.columns;
        let options =
            Options { player: PlayerKind::Perfect, tiebreak, trials, multi_pv, rules, columns, ..Options::default() };
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let request = GoRequest::new(*position, options, limits, generator(1, Stream::Go(0)));
        let found = self.engine.think(request, Arc::new(AtomicBool::new(false)), &mut |_| {}).result;
        let proven = found.lines.iter().filter_map(|line| {
            let (cell, result, plies) = entry(line.first_move().index(shape), line.score.proven()?);
            Some((cell, result, if matches!(line.score, Score::Exact(_)) { plies } else { 0 }))
        });
        let proven: Vec<_> = proven.collect();
        if self.remembered.len() == MOST_REMEMBERED {
            self.remembered.clear();
        }
        self.remembered.insert(*position, proven.clone());
        proven
    }
}

fn entry(cell: usize, value: Value) -> (usize, f32, i16) {
    (cell, value.result().into(), value.plies().unwrap_or(0) as i16)
}
