//! Results of exams and matches as objects of Python, made of the JSON that the program prints.

use noughts::game::{MoveText, Position, Rules, Shape};
use noughts::protocol::Command;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};

use super::position::{self, PyPosition, move_of, shape_of, size_of};

/// A game: the rows and columns of its board, how many in a row complete a line, and whether lines lose.
///
/// ``connect`` 0 means as many as the shorter side has squares. The board is given as that of a :class:`Position`.
#[pyclass(name = "Rules", module = "noughts", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PyRules(Rules);

impl PyRules {
    fn of_board(&self) -> Shape {
        self.0.shape()
    }
}

#[pymethods]
impl PyRules {
    #[new]
    #[pyo3(signature = (size=None, connect=0, reverse=false, *, rows=None, columns=None))]
    fn new(
        size: Option<i64>,
        connect: i64,
        reverse: bool,
        rows: Option<i64>,
        columns: Option<i64>,
    ) -> PyResult<PyRules> {
        Ok(PyRules(position::rules_of(shape_of(size, rows, columns)?, connect, reverse)?))
    }

    #[getter]
    fn rows(&self) -> u8 {
        self.of_board().rows
    }

    #[getter]
    fn columns(&self) -> u8 {
        self.of_board().columns
    }

    /// The rows and the columns.
    #[getter]
    fn shape(&self) -> (u8, u8) {
        (self.of_board().rows, self.of_board().columns)
    }

    /// The rows of a square, which has as many columns.
    ///
    /// :raises AttributeError: when the board is not square.
    #[getter]
    fn size(&self) -> PyResult<u8> {
        size_of(self.of_board())
    }

    #[getter]
    fn connect(&self) -> u16 {
        self.0.connect()
    }

    #[getter]
    fn reverse(&self) -> bool {
        self.0.reverse()
    }

    /// The empty board.
    #[getter]
    fn start(&self) -> PyPosition {
        PyPosition(Position::start(self.0))
    }

    /// Return the rules as they stand in the JSON of the program: with ``size`` for a square.
    fn row<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let row = PyDict::new(py);
        if let Ok(size) = self.size() {
            row.set_item("size", size)?;
        }
        for (name, number) in
            [("rows", self.rows().into()), ("columns", self.columns().into()), ("connect", self.connect())]
        {
            row.set_item(name, number)?;
        }
        row.set_item("reverse", self.reverse())?;
        Ok(row)
    }

    fn __repr__(&self) -> String {
        let (shape, connect) = (self.of_board(), self.connect());
        let reverse = if self.reverse() { "True" } else { "False" };
        format!("Rules(rows={}, columns={}, connect={connect}, reverse={reverse})", shape.rows, shape.columns)
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let row = self.row(py)?;
        if self.size().is_ok() {
            row.del_item("size")?;
        }
        Ok((PyTuple::empty(py), row))
    }
}

/// A dataclass of `noughts.results` made of the keys that it has. The JSON may have more.
fn made<'py>(name: &str, said: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let class = said.py().import("noughts.results")?.getattr(name)?;
    let arguments = PyDict::new(said.py());
    for field in class.getattr("__match_args__")?.try_iter()? {
        let field = field?;
        arguments.set_item(&field, said.get_item(&field)?)?;
    }
    class.call((), Some(&arguments))
}

/// A tuple of what `make` makes of each element.
fn each<'py>(
    list: &Bound<'py, PyAny>,
    make: impl Fn(Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let made = list.try_iter()?.map(|element| make(element?)).collect::<PyResult<Vec<_>>>()?;
    PyTuple::new(list.py(), made)
}

fn read<'py>(py: Python<'py>, json: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (PyBytes::new(py, json),))
}

fn rules_of(said: &Bound<'_, PyAny>) -> PyResult<PyRules> {
    let rules = said.py().import("noughts.results")?.call_method1("rules_of", (said.get_item("rules")?,))?;
    Ok(*rules.cast::<PyRules>()?.get())
}

/// The position at the end of a `position` line, and its moves.
fn read_position<'py>(line: &Bound<'py, PyAny>, rules: PyRules) -> PyResult<(PyPosition, Bound<'py, PyTuple>)> {
    let wrong = |problem: String| PyValueError::new_err(format!("{line}: {problem}"));
    let text: String = line.extract()?;
    let Ok(Command::Position(command)) = text.parse() else { return Err(wrong("no position".to_owned())) };
    let position = Position::reach(rules.0, command.diagram.as_ref(), &command.moves);
    let moves = command.moves.into_iter().map(|written| cell_of(line, written, rules)).collect::<PyResult<Vec<_>>>()?;
    Ok((PyPosition(position.map_err(|error| wrong(error.to_string()))?), PyTuple::new(line.py(), moves)?))
}

fn cell_of<'py>(said: &Bound<'py, PyAny>, written: MoveText, rules: PyRules) -> PyResult<Bound<'py, PyAny>> {
    let cell = written.on_board(rules.of_board()).map_err(|error| PyValueError::new_err(error.to_string()))?;
    move_of(said.py(), cell)
}

fn fault<'py>(said: Bound<'py, PyAny>, rules: PyRules) -> PyResult<Bound<'py, PyAny>> {
    said.set_item("position", read_position(&said.get_item("position")?, rules)?.0)?;
    let best = each(&said.get_item("best")?, |written| {
        let text: String = written.extract()?;
        let parsed = text.parse().map_err(|_| PyValueError::new_err(format!("{text} is no move")))?;
        cell_of(&written, parsed, rules)
    });
    said.set_item("best", best?)?;
    let refutation = said.get_item("refutation")?;
    let moves = if refutation.is_none() { PyTuple::empty(said.py()) } else { read_position(&refutation, rules)?.1 };
    said.set_item("refutation", moves)?;
    made("Fault", &said)
}

/// An exam under one set of rules.
fn exam<'py>(said: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let (py, rules) = (said.py(), rules_of(&said)?);
    let get = |name: &str| said.call_method1("get", (name,));
    said.set_item("rules", rules)?;
    said.set_item("sample", get("sample")?)?;
    for side in ["all", "x", "o"] {
        said.set_item(side, made("Grade", &said.get_item(side)?)?)?;
    }
    said.set_item("stones", each(&said.get_item("stones")?, |grade| made("Grade", &grade))?)?;
    let expected = get("expected")?;
    if let Ok(opponents) = expected.cast::<PyDict>() {
        for sides in opponents.values() {
            for side in ["x", "o"] {
                sides.set_item(side, made("Expected", &sides.get_item(side)?)?)?;
            }
        }
    }
    said.set_item("expected", expected)?;
    let list = get("list")?;
    let list = if list.is_none() { PyList::empty(py).into_any() } else { list };
    said.set_item("faults", each(&list, |said| fault(said, rules))?)?;
    made("Exam", &said)
}

/// The `ExamResult` of a report.
pub fn exam_result<'py>(py: Python<'py>, json: &[u8], text: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    let said = read(py, json)?;
    said.set_item("name", said.get_item("engine")?.get_item("name")?)?;
    said.set_item("exams", each(&said.get_item("exams")?, exam)?)?;
    said.set_item("text", String::from_utf8_lossy(text))?;
    made("ExamResult", &said)
}

/// The `MatchResult` of a summary of two players.
pub fn match_result<'py>(py: Python<'py>, json: &[u8], text: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    let (said, pairing) = (read(py, json)?, read(py, json)?.get_item("pairings")?.get_item(0)?);
    pairing.set_item("names", pairing.get_item("engines")?.cast_into::<PyList>()?.to_tuple())?;
    pairing.set_item("rules", rules_of(&said)?)?;
    pairing.set_item("games", made("Games", &pairing)?)?;
    for side in ["x", "o"] {
        pairing.set_item(side, made("Games", &pairing.get_item(side)?)?)?;
    }
    pairing.set_item("score", made("Range", &pairing.get_item("score_range")?)?)?;
    pairing.set_item("elo", made("Range", &pairing.get_item("elo")?)?)?;
    pairing.set_item("text", String::from_utf8_lossy(text))?;
    pairing.set_item("json", said)?;
    made("MatchResult", &pairing)
}
