//! What is asked of a search, and what it answers: limits, lines, analyses.

use std::num::NonZeroU64;

use noughts::engine::{GoResult, Options};
use noughts::game::{Cell, MAX_SIZE};
use noughts::protocol::{Handshake, Info, Reply};
use noughts::search::Limits;
use noughts::session::answer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyTuple};

use super::position::move_of;

/// The limits of a search; all of them apply. Without any, the engine's own budget: that of a plain ``go``.
///
/// ``trials`` are playouts. ``movetime`` is in milliseconds. ``nodes`` are positions of a proof, and playouts.
/// ``depth`` is in plies of a proof.
#[pyclass(name = "Limit", module = "noughts", frozen, eq, hash, get_all, from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Limit {
    trials: Option<u64>,
    movetime: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u64>,
}

#[pymethods]
impl Limit {
    #[new]
    #[pyo3(signature = (trials=None, movetime=None, nodes=None, depth=None))]
    fn new(
        trials: Option<Bound<'_, PyAny>>,
        movetime: Option<Bound<'_, PyAny>>,
        nodes: Option<Bound<'_, PyAny>>,
        depth: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Limit> {
        let number = |name: &str, value: Option<Bound<'_, PyAny>>| {
            let Some(value) = value else { return Ok(None) };
            let number = if value.is_instance_of::<PyBool>() { None } else { value.extract::<u64>().ok() };
            match number.filter(|&number| number > 0) {
                Some(number) => Ok(Some(number)),
                None => Err(PyValueError::new_err(format!("{name} is a whole number from 1, not {}", value.repr()?))),
            }
        };
        Ok(Limit {
            trials: number("trials", trials)?,
            movetime: number("movetime", movetime)?,
            nodes: number("nodes", nodes)?,
            depth: number("depth", depth)?,
        })
    }

    fn __repr__(&self) -> String {
        let given = self.given().map(|(name, number)| format!("{name}={number}"));
        format!("Limit({})", given.collect::<Vec<_>>().join(", "))
    }

    /// Return the words behind ``go``.
    fn __str__(&self) -> String {
        self.given().map(|(name, number)| format!(" {name} {number}")).collect()
    }

    fn __getnewargs__(&self) -> (Option<u64>, Option<u64>, Option<u64>, Option<u64>) {
        (self.trials, self.movetime, self.nodes, self.depth)
    }
}

impl Limit {
    /// A second for a move.
    pub const A_SECOND: Limit = Limit { trials: None, movetime: Some(1000), nodes: None, depth: None };

    /// The one limit of an exam or a match, if there is any.
    pub fn only_limit(&self) -> PyResult<Limits> {
        if self.depth.is_some() || self.given().count() > 1 {
            let found = self.__repr__();
            return Err(PyValueError::new_err(format!(
                "expected a limit of trials, nodes or movetime alone, found {found}"
            )));
        }
        Ok(self.limits())
    }

    fn given(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let all = [("trials", self.trials), ("movetime", self.movetime), ("nodes", self.nodes), ("depth", self.depth)];
        all.into_iter().filter_map(|(name, number)| Some((name, number?)))
    }

    /// The limits of a search.
    pub fn limits(&self) -> Limits {
        Limits {
            trials: self.trials.and_then(NonZeroU64::new),
            nodes: self.nodes.and_then(NonZeroU64::new),
            depth: self.depth.and_then(NonZeroU64::new),
            move_time: self.movetime,
            ..Limits::default()
        }
    }
}

/// The result of a search for a move, or for the best one.
///
/// ``move`` is ``None`` when the game is over. ``value`` is the expected result for the side to move, from -1 to 1:
/// exactly -1, 0 or 1 when it is ``proven``. ``plies`` counts, of a proven win or loss, the plies to the end when the
/// winner hurries and the loser delays; ``plies_at_most`` stands in its place where only this bound is proven. ``wdl``
/// has the playouts won, drawn and lost, per mille; ``trials`` counts them; ``total`` is the Monte Carlo score of the
/// square. ``nodes`` are positions of a proof, and playouts; ``depth`` is the plies looked ahead; ``time`` is in
/// milliseconds. ``pv`` is the move and the expected continuation. What is not known is ``None``.
#[pyclass(name = "Line", module = "noughts", frozen, eq, from_py_object)]
#[derive(Clone, PartialEq, Default)]
pub struct Line {
    #[pyo3(get)]
    value: f64,
    #[pyo3(get)]
    proven: bool,
    #[pyo3(get)]
    plies: Option<u64>,
    #[pyo3(get)]
    plies_at_most: Option<u64>,
    #[pyo3(get)]
    wdl: Option<(u16, u16, u16)>,
    #[pyo3(get)]
    trials: Option<u64>,
    #[pyo3(get)]
    total: Option<f64>,
    #[pyo3(get)]
    nodes: u64,
    #[pyo3(get)]
    depth: u64,
    #[pyo3(get)]
    time: u64,
    best: Option<Cell>,
    variation: Vec<Cell>,
}

/// A cell of the largest board.
fn cell_of((row, column): (u8, u8)) -> PyResult<Cell> {
    if row < MAX_SIZE && column < MAX_SIZE {
        return Ok(Cell::new(row, column));
    }
    Err(PyValueError::new_err(format!("no board has a square {row},{column}")))
}

#[pymethods]
impl Line {
    #[new]
    #[pyo3(signature = (r#move=None, value=0.0, proven=false, plies=None, plies_at_most=None, wdl=None, trials=None,
        total=None, nodes=0, depth=0, time=0, pv=Vec::new()))]
    #[allow(clippy::too_many_arguments, reason = "the attributes of a line, as its callers name them")]
    fn new(
        r#move: Option<(u8, u8)>,
        value: f64,
        proven: bool,
        plies: Option<u64>,
        plies_at_most: Option<u64>,
        wdl: Option<(u16, u16, u16)>,
        trials: Option<u64>,
        total: Option<f64>,
        nodes: u64,
        depth: u64,
        time: u64,
        pv: Vec<(u8, u8)>,
    ) -> PyResult<Line> {
        let (best, variation) =
            (r#move.map(cell_of).transpose()?, pv.into_iter().map(cell_of).collect::<PyResult<_>>()?);
        Ok(Line { value, proven, plies, plies_at_most, wdl, trials, total, nodes, depth, time, best, variation })
    }

    #[getter]
    fn r#move<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.best.map(|cell| move_of(py, cell)).transpose()
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let values = (self.r#move(py)?, self.value, self.proven, self.plies, self.plies_at_most, self.wdl, self.trials);
        let work = (self.total, self.nodes, self.depth, self.time, self.pv(py)?);
        values.into_pyobject(py)?.add(work.into_pyobject(py)?)?.cast_into().map_err(PyErr::from)
    }

    #[getter]
    fn pv<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let moves = self.variation.iter().map(|&cell| move_of(py, cell));
        PyTuple::new(py, moves.collect::<PyResult<Vec<_>>>()?)
    }

    fn __repr__(&self) -> String {
        let optional = |number: Option<u64>| number.map_or("None".to_owned(), |number| number.to_string());
        let moved = |cell: &Cell| format!("Move({}, {})", cell.row(), cell.column());
        let mut given = vec![format!("move={}", self.best.as_ref().map_or("None".to_owned(), moved))];
        given.push(format!("value={:?}, proven={}", self.value, if self.proven { "True" } else { "False" }));
        given.push(format!("plies={}, plies_at_most={}", optional(self.plies), optional(self.plies_at_most)));
        given.push(format!("wdl={}", self.wdl.map_or("None".to_owned(), |wdl| format!("{wdl:?}"))));
        given.push(format!("trials={}", optional(self.trials)));
        given.push(format!("total={}", self.total.map_or("None".to_owned(), |total| format!("{total:?}"))));
        given.push(format!("nodes={}, depth={}, time={}", self.nodes, self.depth, self.time));
        let comma = if self.variation.len() == 1 { "," } else { "" };
        given.push(format!("pv=({}{comma})", self.variation.iter().map(moved).collect::<Vec<_>>().join(", ")));
        format!("Line({})", given.join(", "))
    }
}

impl Line {
    fn of(info: &Info, shape: noughts::game::Shape) -> Line {
        let cells = info.pv.iter().filter_map(|written| written.on_board(shape).ok());
        let variation: Vec<Cell> = cells.collect();
        Line {
            value: info.value.unwrap_or_default(),
            proven: info.proven.unwrap_or_default(),
            plies: info.plies,
            plies_at_most: info.plies_at_most,
            wdl: info.wdl.map(|[wins, draws, losses]| (wins, draws, losses)),
            trials: info.trials,
            total: info.total,
            nodes: info.nodes.unwrap_or_default(),
            depth: info.depth.unwrap_or_default(),
            time: info.time.unwrap_or_default(),
            best: variation.first().copied(),
            variation,
        }
    }
}

/// The answer to a question: the ``best`` line; with ``multipv`` the ``lines`` of the best moves, best first; and the
/// engine's ``notes`` for people.
///
/// ``move``, ``value``, ``proven``, ``plies``, ``wdl`` and ``pv`` are those of the best line. ``moves`` has the lines by
/// their moves, best first, and ``totals`` their Monte Carlo scores.
#[pyclass(name = "Analysis", module = "noughts", frozen, eq)]
#[derive(Clone, PartialEq, Default)]
pub struct Analysis {
    best: Line,
    lines: Vec<Line>,
    notes: Vec<String>,
}

impl Analysis {
    /// The answer that a result of a search is.
    pub fn of(found: &GoResult, options: &Options) -> Analysis {
        let shape = options.rules.shape();
        let mut analysis = Analysis::default();
        answer(found, options, Handshake::Ugi, |reply| match reply {
            Reply::Note(note) => analysis.notes.push(note),
            Reply::Info(info) if info.multipv.is_some() => analysis.lines.push(Line::of(&info, shape)),
            Reply::Info(info) => analysis.best = Line::of(&info, shape),
            _ => {}
        });
        analysis
    }

    /// The lines that are there: that of the best move, if no others were asked for.
    fn shown(&self) -> &[Line] {
        if self.lines.is_empty() { std::slice::from_ref(&self.best) } else { &self.lines }
    }

    fn by_move<'py, T>(&self, py: Python<'py>, value: impl Fn(&Line) -> Option<T>) -> PyResult<Bound<'py, PyDict>>
    where
        T: IntoPyObject<'py>,
    {
        let found = PyDict::new(py);
        for line in self.shown() {
            if let (Some(cell), Some(value)) = (line.best, value(line)) {
                found.set_item(move_of(py, cell)?, value)?;
            }
        }
        Ok(found)
    }
}

#[pymethods]
impl Analysis {
    #[new]
    #[pyo3(signature = (best, lines=Vec::new(), notes=Vec::new()))]
    fn new(best: Line, lines: Vec<Line>, notes: Vec<String>) -> Analysis {
        Analysis { best, lines, notes }
    }

    fn __getnewargs__(&self) -> (Line, Vec<Line>, Vec<String>) {
        (self.best.clone(), self.lines.clone(), self.notes.clone())
    }

    #[getter]
    fn best(&self) -> Line {
        self.best.clone()
    }

    #[getter]
    fn lines<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.lines.clone())
    }

    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.notes)
    }

    #[getter]
    fn r#move<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.best.r#move(py)
    }

    #[getter]
    fn value(&self) -> f64 {
        self.best.value
    }

    #[getter]
    fn proven(&self) -> bool {
        self.best.proven
    }

    #[getter]
    fn plies(&self) -> Option<u64> {
        self.best.plies
    }

    #[getter]
    fn wdl(&self) -> Option<(u16, u16, u16)> {
        self.best.wdl
    }

    #[getter]
    fn pv<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.best.pv(py)
    }

    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.by_move(py, |line| Some(line.clone()))
    }

    #[getter]
    fn totals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.by_move(py, |line| line.total)
    }

    /// Return a table of the lines, with the words of ``Position.svg`` for values, and the notes.
    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let label = py.import("noughts.drawing")?.getattr("label")?;
        let mut rows = vec!["move  value  line".to_owned()];
        for line in self.shown() {
            // Not every terminal has the sign.
            let value = label.call1((line.clone(),))?.extract::<String>()?.replace('≤', "<=");
            let played = line.best.map_or("none".to_owned(), |cell| cell.to_string());
            let expected = line.variation.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            rows.push(format!("{played:<6}{value:<7}{expected}").trim_end().to_owned());
        }
        rows.extend(self.notes.iter().cloned());
        Ok(rows.join("\n"))
    }

    fn __repr__(&self) -> String {
        let lines = self.lines.iter().map(Line::__repr__).collect::<Vec<_>>().join(", ");
        format!("Analysis({}, [{lines}], {:?})", self.best.__repr__(), self.notes)
    }
}
