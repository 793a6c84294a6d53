//! A policy of Python: its probabilities in positions, asked in batches and checked.

use noughts::game::{Cell, Player, Position, Rules};
use numpy::{AllowTypeChange, PyArray1, PyArrayLikeDyn, PyArrayMethods};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyMapping, PySlice};

use crate::position::PyPosition;

/// The most by which the sum of probabilities may differ from 1: the policy may have summed numbers of 32 bits.
const TOLERANCE: f64 = 1e-4;

/// A policy as the caller has it.
enum Source<'py> {
    /// It gets observations and masks, and returns probabilities.
    Function(Bound<'py, PyAny>),
    /// It has the probabilities of a position by its number.
    Table(Bound<'py, PyAny>),
    /// It has the probabilities of a position by the position.
    Mapping(Bound<'py, PyMapping>),
}

/// A policy for a game.
pub struct Policy<'py> {
    source: Source<'py>,
    rules: Rules,
}

/// The boards of a batch: a byte for each cell.
#[derive(Default)]
pub struct Boards(Vec<u8>);

const EMPTY: u8 = 0;
const OWN: u8 = 1;
const OPPONENT: u8 = 2;

impl Boards {
    /// Adds a cell. The cells of a board come in reading order.
    pub fn push(&mut self, occupant: Option<Player>, side: Player) {
        self.0.push(match occupant {
            None => EMPTY,
            Some(player) if player == side => OWN,
            Some(_) => OPPONENT,
        });
    }
}

impl<'py> Policy<'py> {
    /// Takes a function, a mapping or a table. `positions` are the rows that a table must have; `None` if it cannot have them.
    pub fn new(given: &Bound<'py, PyAny>, rules: Rules, positions: Option<usize>) -> PyResult<Policy<'py>> {
        let source = if given.is_callable() {
            Source::Function(given.clone())
        } else if let Ok(mapping) = given.cast::<PyMapping>() {
            Source::Mapping(mapping.clone())
        } else {
            let Some(positions) = positions else {
                return Err(PyValueError::new_err(
                    "a table has a row for every position, and here they are a sample: expected a function or a mapping",
                ));
            };
            let table = given.py().import("numpy")?.call_method1("asarray", (given,))?;
            check_shape(&table.getattr("shape")?.extract::<Vec<usize>>()?, positions, rules, "table")?;
            Source::Table(table)
        };
        Ok(Policy { source, rules })
    }

    /// The probabilities of all cells of some boards, board by board. `first` is the number of the first of the positions.
    pub fn rows(&self, boards: &Boards, first: usize, position: &dyn Fn(usize) -> Position) -> PyResult<Vec<f64>> {
        let count = boards.0.len() / self.rules.cells();
        let found = match &self.source {
            Source::Function(function) => self.call(function, boards, count)?,
            Source::Table(table) => {
                table.get_item(PySlice::new(table.py(), first as isize, (first + count) as isize, 1))?
            }
            Source::Mapping(mapping) => {
                let row = |index| {
                    let key = PyPosition(position(index));
                    mapping.get_item(key).map_err(|error| {
                        if !error.is_instance_of::<PyKeyError>(mapping.py()) {
                            return error;
                        }
                        let missing = PyValueError::new_err(format!("the policy has no position {}", key.0.diagram()));
                        missing.set_cause(mapping.py(), Some(error));
                        missing
                    })
                };
                PyList::new(mapping.py(), (0..count).map(row).collect::<PyResult<Vec<_>>>()?)?.into_any()
            }
        };
        let array: PyArrayLikeDyn<'_, f64, AllowTypeChange> = found.extract()?;
        let array = array.as_array();
        check_shape(array.shape(), count, self.rules, "policy")?;
        let rows: Vec<f64> = array.iter().copied().collect();
        let cells = self.rules.cells();
        for (index, (row, board)) in rows.chunks_exact(cells).zip(boards.0.chunks_exact(cells)).enumerate() {
            self.check(row, board).map_err(|fault| {
                PyValueError::new_err(format!("policy in position {}: {fault}", position(index).diagram()))
            })?;
        }
        Ok(rows)
    }

    /// Calls the function with observations and masks.
    fn call(&self, function: &Bound<'py, PyAny>, boards: &Boards, count: usize) -> PyResult<Bound<'py, PyAny>> {
        let (py, shape) = (function.py(), self.rules.shape());
        let planes = boards.0.iter().flat_map(|&cell| [i8::from(cell == OWN), i8::from(cell == OPPONENT)]).collect();
        let observations =
            PyArray1::from_vec(py, planes).reshape([count, shape.rows.into(), shape.columns.into(), 2])?;
        let masks: Vec<i8> = boards.0.iter().map(|&cell| i8::from(cell == EMPTY)).collect();
        function.call1((observations, PyArray1::from_vec(py, masks).reshape([count, shape.cells()])?))
    }

    /// Says what is wrong with the probabilities of a board.
    fn check(&self, row: &[f64], board: &[u8]) -> Result<(), String> {
        for (index, (&number, &cell)) in row.iter().zip(board).enumerate() {
            let (is_right, whose, expected) = match cell {
                // False for NaN.
                EMPTY => (number >= 0.0, "cell", "a number of at least 0"),
                _ => (number == 0.0, "the taken cell", "0"),
            };
            if !is_right {
                let cell = Cell::all(self.rules.shape()).nth(index).expect("a row has a number for each cell");
                return Err(format!("{whose} {cell} has the probability {number}, expected {expected}"));
            }
        }
        let sum: f64 = row.iter().sum();
        if (sum - 1.0).abs() <= TOLERANCE {
            return Ok(());
        }
        Err(format!("the sum of the probabilities is {sum}, expected 1, give or take {TOLERANCE}"))
    }
}

/// Checks the shape of probabilities: a row for each position, a column for each cell.
fn check_shape(found: &[usize], positions: usize, rules: Rules, whose: &str) -> PyResult<()> {
    let expected = [positions, rules.cells()];
    if found == expected {
        return Ok(());
    }
    let text = |shape: &[usize]| shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    Err(PyValueError::new_err(format!(
        "expected probabilities of the shape ({}), positions and cells of {rules}; those of the {whose} have ({})",
        text(&expected),
        text(found),
    )))
}
