//! Positions and moves.

use std::collections::HashSet;

use noughts::game::{
    Cell, CellSet, MAX_CONNECT, MAX_SIZE, MoveError, MoveText, Outcome, Player, Position, Rules, Shape, Symmetry,
};
use pyo3::exceptions::{PyAttributeError, PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyTuple};
use pyo3::{create_exception, intern};

create_exception!(noughts, IllegalMoveError, PyValueError, "The move cannot be played in this position.");

/// A position. It does not change: ``play`` returns another one.
///
/// ``size`` is the number of rows and columns of a square, from 1 to 20; ``rows`` and ``columns`` stand in its place
/// for other boards. Without them the board is 3x3. ``connect`` stones in a row or more complete a line; 0 means as
/// many as the shorter side has squares, and stands for that number too. A line longer than one side runs along the
/// other only. If it is longer than both, every game is a draw. With ``reverse``, completing a line loses. ``cells``
/// has a character for each square in reading order: ``x``, ``o`` or ``.``. ``side`` moves next: ``x`` or ``o``.
///
/// The stones of both sides differ by at most one, and the side to move never has more.
#[pyclass(name = "Position", module = "noughts", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PyPosition(pub Position);

/// The shape that arguments mean: `size` of a square, or both others; 3x3 without any.
pub fn shape_of(size: Option<i64>, rows: Option<i64>, columns: Option<i64>) -> PyResult<Shape> {
    let text = |number: Option<i64>| number.map_or("None".to_owned(), |number| number.to_string());
    let (rows, columns) = match (size, rows, columns) {
        (_, None, None) => (size.unwrap_or(3), size.unwrap_or(3)),
        (None, Some(rows), Some(columns)) => (rows, columns),
        (size, rows, columns) => {
            let found = format!("found rows {} and columns {}", text(rows), text(columns));
            return Err(PyValueError::new_err(match size {
                Some(size) => format!("size {size} is that of a square; expected it alone, {found}"),
                None => format!("expected rows and columns, or size for a square, {found}"),
            }));
        }
    };
    let side = |number: i64| u8::try_from(number).ok().filter(|number| (1..=MAX_SIZE).contains(number));
    match (side(rows), side(columns)) {
        (Some(rows), Some(columns)) => Ok(Shape { rows, columns }),
        _ => Err(PyValueError::new_err(format!("a board has 1 to {MAX_SIZE} rows and columns, not {rows}x{columns}"))),
    }
}

/// The rows of a square, which has as many columns.
pub fn size_of(shape: Shape) -> PyResult<u8> {
    let problem = || PyAttributeError::new_err(format!("a board of {shape} has no size: ask for rows and columns"));
    if shape.is_square() { Ok(shape.rows) } else { Err(problem()) }
}

/// The rules of a game. A line as long as the shorter side has the number 0, so that equal games are equal.
pub fn rules_of(shape: Shape, connect: i64, reverse: bool) -> PyResult<Rules> {
    let most = || PyValueError::new_err(format!("connect is a number from 0 to {MAX_CONNECT}, not {connect}"));
    let number = u16::try_from(connect).map_err(|_| most())?;
    let number = if number == u16::from(shape.shorter_side()) { 0 } else { number };
    Rules::new(shape, number, reverse).map_err(|_| most())
}

/// The word for a player: `x` or `o`.
pub fn letter(player: Player) -> &'static str {
    if player == Player::X { "x" } else { "o" }
}

/// A move of Python, `noughts.Move`.
pub fn move_of(py: Python<'_>, cell: Cell) -> PyResult<Bound<'_, PyAny>> {
    static MOVES: PyOnceLock<Vec<Py<PyAny>>> = PyOnceLock::new();
    let moves = MOVES.get_or_try_init(py, || {
        let class = py.import("noughts.move")?.getattr("Move")?;
        Cell::all(MAX_SIZE).map(|cell| Ok(class.call1((cell.row(), cell.column()))?.unbind())).collect::<PyResult<_>>()
    })?;
    Ok(moves[cell.index(MAX_SIZE)].bind(py).clone())
}

fn moves_of<'py>(py: Python<'py>, cells: impl Iterator<Item = Cell>) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, cells.map(|cell| move_of(py, cell)).collect::<PyResult<Vec<_>>>()?)
}

impl PyPosition {
    /// The cells as text, a character for each.
    pub fn text_of_cells(&self) -> String {
        let character = |cell| self.0.occupant(cell).map_or('.', |player| player.letter());
        Cell::all(self.shape()).map(character).collect()
    }

    fn shape(&self) -> Shape {
        self.0.rules().shape()
    }

    /// The legal move that Python means by a pair or a text.
    pub fn cell_of(&self, written: &Bound<'_, PyAny>) -> PyResult<Cell> {
        let shape = self.shape();
        let (row, column) = pair_of(written, shape).ok_or_else(|| {
            let found = written.repr().map_or_else(|_| "something else".to_owned(), |text| text.to_string());
            IllegalMoveError::new_err(format!("expected a move such as (0, 2), found {found}"))
        })?;
        let inside = |number: i64, most: u8| u8::try_from(number).ok().filter(|&number| number < most);
        let (Some(row), Some(column)) = (inside(row, shape.rows), inside(column, shape.columns)) else {
            return Err(IllegalMoveError::new_err(format!("{row},{column} is off the {shape} board")));
        };
        let cell = Cell::new(row, column);
        let mut after = self.0;
        after.play(cell).map(|()| cell).map_err(|error| {
            IllegalMoveError::new_err(match error {
                MoveError::GameOver { cell } => format!("{cell}: the game is over"),
                error => error.to_string(),
            })
        })
    }
}

/// The row and the column of a move, whether the board has them or not.
fn pair_of(written: &Bound<'_, PyAny>, shape: Shape) -> Option<(i64, i64)> {
    if let Ok(text) = written.cast::<PyString>() {
        let text: String = text.to_str().ok()?.split_whitespace().collect();
        return Some(match text.parse().ok()? {
            MoveText::RowColumn(row, column) => (row.into(), column.into()),
            MoveText::FileRank(file, rank) | MoveText::Drop(file, rank) => {
                let column = i64::from(u32::from(file.to_ascii_lowercase())) - i64::from(u32::from('a'));
                (i64::from(shape.rows) - i64::from(rank), column)
            }
        });
    }
    if let Ok(pair) = written.extract() {
        return Some(pair);
    }
    let numbers = written.try_iter().ok()?.map(|number| number.ok()?.extract().ok()).collect::<Option<Vec<i64>>>()?;
    <[i64; 2]>::try_from(numbers).ok().map(|[row, column]| (row, column))
}

#[pymethods]
impl PyPosition {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str, &'static str, &'static str) {
        ("size", "connect", "reverse", "cells", "side")
    }

    #[new]
    #[pyo3(signature = (size=None, connect=0, reverse=false, cells="", side="", *, rows=None, columns=None))]
    fn new(
        size: Option<i64>,
        connect: i64,
        reverse: bool,
        cells: &str,
        side: &str,
        rows: Option<i64>,
        columns: Option<i64>,
    ) -> PyResult<PyPosition> {
        let shape = shape_of(size, rows, columns)?;
        let rules = rules_of(shape, connect, reverse)?;
        let is_whole = cells.is_empty() || cells.chars().count() == shape.cells();
        if !is_whole || cells.chars().any(|character| !"xo.".contains(character)) {
            let squares = shape.cells();
            return Err(PyValueError::new_err(format!(
                "expected {squares} cells, each \"x\", \"o\" or \".\", found {cells:?}"
            )));
        }
        let side = match side {
            "" => None,
            "x" => Some(Player::X),
            "o" => Some(Player::O),
            side => return Err(PyValueError::new_err(format!("the side to move is \"x\" or \"o\", not {side:?}"))),
        };
        let of = |stone| Cell::all(shape).zip(cells.bytes()).filter(move |(_, found)| *found == stone);
        let stones = [b'x', b'o'].map(|stone| of(stone).map(|(cell, _)| cell).collect());
        let position = Position::of_stones(rules, stones, side);
        position.map(PyPosition).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Read a position as the engine writes it: ``xo1/1x1/3 o``, rows from the top, numbers for empty squares.
    ///
    /// Without the side behind it, the side with fewer stones moves, X if both have the same number.
    #[staticmethod]
    #[pyo3(signature = (text, *, connect=0, reverse=false))]
    fn parse(text: &str, connect: i64, reverse: bool) -> PyResult<PyPosition> {
        let (board, side) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        let rows = board.split('/').map(cells_of_row).collect::<PyResult<Vec<String>>>()?;
        if rows.iter().any(|row| row.len() != rows[0].len()) {
            return Err(PyValueError::new_err(format!("the rows of the board {board:?} have different lengths")));
        }
        let shape = (rows.len() as i64, rows[0].len() as i64);
        let side = side.trim().to_lowercase();
        PyPosition::new(None, connect, reverse, &rows.concat(), &side, Some(shape.0), Some(shape.1))
    }

    #[getter]
    fn rows(&self) -> u8 {
        self.shape().rows
    }

    #[getter]
    fn columns(&self) -> u8 {
        self.shape().columns
    }

    /// The rows and the columns.
    #[getter(shape)]
    fn rows_and_columns(&self) -> (u8, u8) {
        (self.shape().rows, self.shape().columns)
    }

    /// The rows of a square, which has as many columns.
    ///
    /// :raises AttributeError: when the board is not square.
    #[getter]
    fn size(&self) -> PyResult<u8> {
        size_of(self.shape())
    }

    #[getter]
    fn connect(&self) -> u16 {
        self.0.rules().connect()
    }

    #[getter]
    fn reverse(&self) -> bool {
        self.0.rules().reverse()
    }

    #[getter]
    fn cells(&self) -> String {
        self.text_of_cells()
    }

    #[getter]
    fn side(&self) -> &'static str {
        letter(self.0.side())
    }

    /// The number of stones in a row that complete a line: ``connect``, or for 0 the length of the shorter side.
    #[getter]
    fn line_length(&self) -> u16 {
        match self.connect() {
            0 => self.shape().shorter_side().into(),
            connect => connect,
        }
    }

    /// The position as the engine reads and writes it, such as ``xo1/1x1/3 o``.
    #[getter]
    fn text(&self) -> String {
        self.0.diagram().to_string()
    }

    /// The legal moves in reading order; none when the game is over.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        moves_of(py, self.0.moves())
    }

    /// The empty squares in reading order.
    #[getter]
    fn empty<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        moves_of(py, Cell::all(self.shape()).filter(|&cell| self.0.occupant(cell).is_none()))
    }

    /// The winner: ``x``, ``o``, or ``draw``; ``None`` while the game goes on.
    #[getter]
    fn outcome(&self) -> Option<&'static str> {
        self.0.outcome().map(|outcome| match outcome {
            Outcome::Win(winner) => letter(winner),
            Outcome::Draw => "draw",
        })
    }

    /// The squares of all completed lines, in reading order.
    #[getter]
    fn line<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let line: CellSet = self.0.completed_line();
        moves_of(py, line.iter())
    }

    /// Return what is on the square: ``x``, ``o`` or ``.``.
    fn __getitem__(&self, square: (i64, i64)) -> PyResult<&'static str> {
        let inside = |number: i64, most: u8| u8::try_from(number).ok().filter(|&number| number < most);
        match (inside(square.0, self.shape().rows), inside(square.1, self.shape().columns)) {
            (Some(row), Some(column)) => Ok(self.0.occupant(Cell::new(row, column)).map_or(".", letter)),
            _ => {
                let (row, column) = square;
                Err(PyIndexError::new_err(format!("{row},{column} is off the {} board", self.shape())))
            }
        }
    }

    /// Return the legal move that is meant by ``(row, column)`` or a text such as ``0,2`` or ``c3``.
    #[pyo3(name = "move")]
    fn legal_move<'py>(&self, py: Python<'py>, r#move: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        move_of(py, self.cell_of(r#move)?)
    }

    /// Return the position after the moves.
    #[pyo3(signature = (*moves))]
    fn play(&self, moves: &Bound<'_, PyTuple>) -> PyResult<PyPosition> {
        let mut position = *self;
        for written in moves {
            position = PyPosition(position.0.after(position.cell_of(&written)?));
        }
        Ok(position)
    }

    /// Return the position with other arguments in place of some, ``cells`` and ``side`` among them.
    #[pyo3(signature = (**changes))]
    fn replace<'py>(slf: &Bound<'py, PyPosition>, changes: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        let arguments = PyDict::new(py);
        for (name, value) in [("rows", this.rows()), ("columns", this.columns())] {
            arguments.set_item(name, value)?;
        }
        arguments.set_item("connect", this.connect())?;
        arguments.set_item("reverse", this.reverse())?;
        arguments.set_item("cells", this.cells())?;
        arguments.set_item("side", this.side())?;
        if let Some(changes) = changes {
            if changes.contains("size")? {
                arguments.del_item("rows")?;
                arguments.del_item("columns")?;
            }
            if changes.contains("cells")? && !changes.contains("side")? {
                arguments.del_item("side")?;
            }
            arguments.update(changes.as_mapping())?;
        }
        slf.get_type().call((), Some(&arguments))
    }

    #[pyo3(signature = (**changes))]
    fn __replace__<'py>(
        slf: &Bound<'py, PyPosition>,
        changes: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        PyPosition::replace(slf, changes)
    }

    /// Return the images of the position under turns and mirrors, itself first; some may be equal.
    ///
    /// A square has eight, another board the four that keep its rows and columns.
    fn symmetries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let images = Symmetry::all(self.shape()).map(|symmetry| PyPosition(self.0.image(symmetry)));
        PyTuple::new(py, images.collect::<Vec<_>>())
    }

    /// Return the image whose ``cells`` come first in the alphabet: the same for all images.
    fn canonical(&self) -> PyPosition {
        let images = Symmetry::all(self.shape()).map(|symmetry| PyPosition(self.0.image(symmetry)));
        images.min_by_key(PyPosition::text_of_cells).expect("the identity is a symmetry")
    }

    /// Draw the board with a character for each square.
    fn __str__(&self) -> String {
        let (cells, columns) = (self.text_of_cells(), usize::from(self.columns()));
        let spaced = |row: &[u8]| row.iter().map(|&cell| char::from(cell).to_string()).collect::<Vec<_>>().join(" ");
        cells.as_bytes().chunks(columns).map(spaced).collect::<Vec<_>>().join("\n")
    }

    /// Return the call that makes the position.
    fn __repr__(&self) -> String {
        let shape = match self.size() {
            Ok(size) => format!("size={size}"),
            Err(_) => format!("rows={}, columns={}", self.rows(), self.columns()),
        };
        let reverse = if self.reverse() { "True" } else { "False" };
        let (connect, cells, side) = (self.connect(), self.cells(), self.side());
        format!("Position({shape}, connect={connect}, reverse={reverse}, cells='{cells}', side='{side}')")
    }

    fn __reduce__<'py>(slf: &Bound<'py, PyPosition>) -> PyResult<(Bound<'py, PyAny>, (String, u16, bool))> {
        let this = slf.get();
        Ok((slf.get_type().getattr(intern!(slf.py(), "_unpickle"))?, (this.text(), this.connect(), this.reverse())))
    }

    #[staticmethod]
    fn _unpickle(text: &str, connect: i64, reverse: bool) -> PyResult<PyPosition> {
        PyPosition::parse(text, connect, reverse)
    }

    /// Draw the board as SVG.
    ///
    /// ``values`` gives what is known of the empty squares, such as ``Analysis.moves``. ``last`` is the last move,
    /// which is marked.
    #[pyo3(signature = (values=None, last=None))]
    fn svg<'py>(
        slf: &Bound<'py, PyPosition>,
        values: Option<Bound<'py, PyAny>>,
        last: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let values = values.unwrap_or_else(|| PyDict::new(py).into_any());
        py.import("noughts.drawing")?.call_method1("board", (slf, values, last))
    }

    fn _repr_html_<'py>(slf: &Bound<'py, PyPosition>) -> PyResult<Bound<'py, PyAny>> {
        PyPosition::svg(slf, None, None)
    }
}

/// The cells of a row such as `xo1`.
fn cells_of_row(row: &str) -> PyResult<String> {
    let mut cells = String::new();
    let lower = row.to_lowercase();
    let mut rest = lower.as_str();
    while let Some(first) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|character: char| character.is_ascii_digit()).len();
        if digits > 0 {
            let run = rest[..digits].parse().ok().filter(|run| (1..=usize::from(MAX_SIZE)).contains(run));
            let run =
                run.ok_or_else(|| PyValueError::new_err(format!("a row has 1 to {MAX_SIZE} squares: {row:?}")))?;
            cells.push_str(&".".repeat(run));
            rest = &rest[digits..];
        } else if "xo.".contains(first) {
            cells.push(first);
            rest = &rest[1..];
        } else {
            cells.clear();
            break;
        }
    }
    let expected =
        || PyValueError::new_err(format!("expected rows of x, o, . and numbers of empty squares, found {row:?}"));
    if cells.is_empty() { Err(expected()) } else { Ok(cells) }
}

/// Yield every position that games can reach from the empty board, each once, those of fewer stones first.
///
/// The arguments are those of ``Position``.
#[pyfunction]
#[pyo3(signature = (size=None, connect=0, *, reverse=false, rows=None, columns=None))]
pub fn positions(
    size: Option<i64>,
    connect: i64,
    reverse: bool,
    rows: Option<i64>,
    columns: Option<i64>,
) -> PyResult<ReachablePositions> {
    let rules = rules_of(shape_of(size, rows, columns)?, connect, reverse)?;
    Ok(ReachablePositions { level: vec![Position::start(rules)], next: 0, below: Vec::new(), seen: HashSet::new() })
}

/// The positions that games can reach, level by level: those with one stone more are collected on the way.
#[pyclass(module = "noughts")]
pub struct ReachablePositions {
    level: Vec<Position>,
    next: usize,
    below: Vec<Position>,
    seen: HashSet<Position>,
}

#[pymethods]
impl ReachablePositions {
    fn __iter__(slf: Bound<'_, ReachablePositions>) -> Bound<'_, ReachablePositions> {
        slf
    }

    fn __next__(&mut self) -> Option<PyPosition> {
        if self.next == self.level.len() {
            self.level = std::mem::take(&mut self.below);
            self.next = 0;
            self.seen.clear();
        }
        let position = *self.level.get(self.next)?;
        self.next += 1;
        let after = position.moves().map(|cell| position.after(cell));
        self.below.extend(after.filter(|after| self.seen.insert(*after)));
        Some(PyPosition(position))
    }
}
