//! Many games at a time, for learning agents: each step writes into arrays that stay where they are.

use std::borrow::Cow;
use std::sync::Arc;

use noughts::game::{Cell, Player, Position, Shape};
use noughts::search::ValueTable;
use numpy::{Element, PyArray1, PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::board::{Board, Game, nth};
use crate::opponent::{Opponent, engine_move};
use crate::position::{rules_of, shape_of};
use crate::tables::table;

const LEARNER: usize = 0;
const OPPONENT: usize = 1;

/// Squares of all games from which on a step releases the lock of the interpreter.
const LARGE_STEP: usize = 1 << 15;

/// The most games of a batch.
const MOST_GAMES: usize = 1 << 20;

/// Which side the learner plays.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    X,
    O,
    Random,
    Alternating,
}

impl Side {
    fn named(name: &str) -> PyResult<Side> {
        match name {
            "x" => Ok(Side::X),
            "o" => Ok(Side::O),
            "random" => Ok(Side::Random),
            "alternating" => Ok(Side::Alternating),
            name => Err(PyValueError::new_err(format!("side is one of x, o, random, alternating, not {name:?}"))),
        }
    }
}

/// The arrays of a step, as slices: for each game a row of cells, or an entry.
struct Rows<'a> {
    observations: &'a mut [i8],
    action_mask: &'a mut [i8],
    rewards: &'a mut [f32],
    terminations: &'a mut [bool],
    final_obs: Option<&'a mut [i8]>,
}

/// The exact values of the moves of each game and what the last action gave away.
struct Values<'a> {
    values: &'a mut [f32],
    plies: &'a mut [i16],
    regret: &'a mut [f32],
}

/// Games with so many words for the stones of a player.
struct Batch<const WORDS: usize> {
    board: Board,
    /// Without one, the learner plays both sides.
    opponent: Option<Opponent>,
    side: Side,
    games: Vec<Game<WORDS>>,
}

/// [`Batch`] of any number of words.
trait Games: Send + Sync {
    fn seed(&mut self, seed: u64);
    fn reset(&mut self, rows: &mut Rows<'_>);
    fn step(&mut self, actions: &[i64], rows: &mut Rows<'_>);
    /// Writes the values of the moves.
    fn write_values(&self, table: &ValueTable, rows: &mut Values<'_>);
    /// Writes what these actions give away.
    fn write_regret(&self, table: &ValueTable, actions: &[i64], regret: &mut [f32]);
}

impl<const WORDS: usize> Games for Batch<WORDS> {
    fn seed(&mut self, seed: u64) {
        self.games = (0..self.games.len() as u64).map(|number| Game::new(seed, number)).collect();
    }

    fn reset(&mut self, rows: &mut Rows<'_>) {
        let cells = self.board.cells;
        let arrays = rows.observations.chunks_exact_mut(2 * cells).zip(rows.action_mask.chunks_exact_mut(cells));
        for (game, (planes, empty)) in self.games.iter_mut().zip(arrays) {
            begin(&self.board, &mut self.opponent, self.side, game);
            self.board.write(game, planes, empty);
        }
        rows.rewards.fill(0.0);
        rows.terminations.fill(false);
    }

    fn step(&mut self, actions: &[i64], rows: &mut Rows<'_>) {
        let (board, cells) = (&self.board, self.board.cells);
        let arrays = rows.observations.chunks_exact_mut(2 * cells).zip(rows.action_mask.chunks_exact_mut(cells));
        let results = rows.rewards.iter_mut().zip(rows.terminations.iter_mut());
        let games = self.games.iter_mut().zip(actions).zip(arrays).zip(results).enumerate();
        for (index, (((game, &action), (planes, empty)), (reward, is_over))) in games {
            let result = play(board, &mut self.opponent, game, action as usize);
            (*reward, *is_over) = (f32::from(result.unwrap_or(0)), result.is_some());
            if result.is_some() {
                if let Some(last) = &mut rows.final_obs {
                    board.write(game, &mut last[2 * cells * index..][..2 * cells], empty);
                }
                begin(board, &mut self.opponent, self.side, game);
            }
            board.write(game, planes, empty);
        }
    }

    fn write_values(&self, table: &ValueTable, rows: &mut Values<'_>) {
        let cells = self.board.cells;
        let arrays = rows.values.chunks_exact_mut(cells).zip(rows.plies.chunks_exact_mut(cells));
        for (game, (values, plies)) in self.games.iter().zip(arrays) {
            let [mine, theirs] = game.stones.map(|stones| stones[0] as u16);
            for cell in 0..cells {
                (values[cell], plies[cell]) = (f32::NEG_INFINITY, 0);
                if game.is_empty(cell) {
                    let value = table.value_of(theirs, mine | 1 << cell).before_move();
                    (values[cell], plies[cell]) = (value.result().into(), value.plies().unwrap_or(0) as i16);
                }
            }
        }
    }

    fn write_regret(&self, table: &ValueTable, actions: &[i64], regret: &mut [f32]) {
        for ((game, &action), regret) in self.games.iter().zip(actions).zip(regret) {
            let [mine, theirs] = game.stones.map(|stones| stones[0] as u16);
            let is_legal = game.is_empty(action as usize);
            // An action on a taken square loses.
            let played = if is_legal { -table.value_of(theirs, mine | 1 << action).result() } else { -1 };
            *regret = (table.value_of(mine, theirs).result() - played).into();
        }
    }
}

/// Begins a game. If the learner is O, its opponent makes the first move.
#[inline]
fn begin<const WORDS: usize>(board: &Board, opponent: &mut Option<Opponent>, side: Side, game: &mut Game<WORDS>) {
    game.clear();
    let Some(opponent) = opponent else {
        game.is_o = false;
        return;
    };
    game.is_odd = !game.is_odd;
    game.is_o = match side {
        Side::X => false,
        Side::O => true,
        Side::Random => game.random.below(2) == 1,
        Side::Alternating => game.is_odd,
    };
    if game.is_o {
        let cell = answer(board, opponent, game);
        board.place(game, OPPONENT, cell);
    }
}

/// Plays the learner's action and the answer of its opponent. Returns what the learner gets when the game is over.
#[inline]
fn play<const WORDS: usize>(
    board: &Board,
    opponent: &mut Option<Opponent>,
    game: &mut Game<WORDS>,
    action: usize,
) -> Option<i8> {
    if !game.is_empty(action) {
        return Some(-1);
    }
    let result = board.place(game, LEARNER, action);
    let Some(opponent) = opponent else {
        // The other side moves, and the arrays show the board to it.
        game.stones.swap(LEARNER, OPPONENT);
        game.is_o = !game.is_o;
        return result;
    };
    if result.is_some() {
        return result;
    }
    let cell = answer(board, opponent, game);
    board.place(game, OPPONENT, cell).map(|result| -result)
}

/// The move of the opponent, an empty cell.
#[inline]
fn answer<const WORDS: usize>(board: &Board, opponent: &mut Opponent, game: &mut Game<WORDS>) -> usize {
    match opponent {
        Opponent::Random => {
            let number = game.random.below((board.cells - usize::from(game.placed)) as u32);
            nth(&game.not_taken(), number)
        }
        Opponent::Table(table) => {
            let [learner, mine] = game.stones.map(|stones| stones[0] as u16);
            let best = table.best_moves_of(mine, learner);
            let number = game.random.below(best.count_ones());
            nth(&[best.into()], number)
        }
        Opponent::Engine(player) => {
            let seed = game.random.next();
            engine_move(player, &position(board, game), seed).index(board.rules.shape())
        }
    }
}

/// The position of a game in which the opponent is to move.
fn position<const WORDS: usize>(board: &Board, game: &Game<WORDS>) -> Position {
    let has = |who: usize, cell: usize| game.stones[who][cell / 64] >> (cell % 64) & 1 == 1;
    let cells = |who| {
        let all = Cell::all(board.rules.shape()).enumerate();
        all.filter(move |&(cell, _)| has(who, cell)).map(|(_, cell)| cell).collect()
    };
    let (x, o, side) = if game.is_o { (OPPONENT, LEARNER, Player::X) } else { (LEARNER, OPPONENT, Player::O) };
    Position::of_stones(board.rules, [cells(x), cells(o)], Some(side)).expect("a game is a position")
}

/// Many games that are played at a time, one step of the learner each. It is what ``noughts.vector.make`` drives, and
/// needs no Gymnasium.
///
/// The arguments are those of ``noughts.vector.make``, the options of the opponent in a dictionary. ``buffers`` is a
/// dictionary of all arrays, the caller's among them. ``reset`` and ``step`` write into them and return nothing. Between
/// two steps an array may be replaced by another one of its shape, such as the next row of a rollout.
#[pyclass(module = "noughts")]
pub struct BatchGames {
    games: Box<dyn Games>,
    table: Option<Arc<ValueTable>>,
    num_envs: usize,
    cells: usize,
    /// True if a step takes so long that other threads should run meanwhile.
    is_slow: bool,
    #[pyo3(get)]
    buffers: Py<PyDict>,
}

#[pymethods]
impl BatchGames {
    #[new]
    #[pyo3(signature = (num_envs, size=None, connect=0, *, rows=None, columns=None, reverse=false, opponent=Some("random"),
        side="x", seed=None, regret=false, final_obs=false, buffers=None, options=None))]
    #[expect(clippy::too_many_arguments, reason = "the keywords of the environment")]
    fn new(
        py: Python<'_>,
        num_envs: usize,
        size: Option<i64>,
        connect: i64,
        rows: Option<i64>,
        columns: Option<i64>,
        reverse: bool,
        opponent: Option<&str>,
        side: &str,
        seed: Option<u64>,
        regret: bool,
        final_obs: bool,
        buffers: Option<&Bound<'_, PyDict>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<BatchGames> {
        if !(1..=MOST_GAMES).contains(&num_envs) {
            return Err(PyValueError::new_err(format!("num_envs is a number from 1 to {MOST_GAMES}, not {num_envs}")));
        }
        crate::need_numpy(py)?;
        let shape = shape_of(size, rows, columns)?;
        let rules = rules_of(shape, connect, reverse)?;
        let (cells, side) = (rules.cells(), Side::named(side)?);
        let table = if regret { py.detach(|| table(rules)) } else { None };
        if regret && table.is_none() {
            let most = ValueTable::MOST_CELLS;
            return Err(PyValueError::new_err(format!(
                "regret: exact values are known on boards of up to {most} cells, not on {shape}"
            )));
        }
        let has_options = options.is_some_and(|options| options.iter().any(|(_, value)| !value.is_none()));
        let opponent = match opponent.filter(|&name| name != "self") {
            Some(name) => Some(Opponent::new(py, rules, name, options)?),
            None if side == Side::X && !has_options => None,
            None => {
                return Err(PyValueError::new_err("in self-play the learner plays both sides: no side, no options"));
            }
        };
        if side != Side::X && Position::start(rules).after(Cell::new(0, 0)).outcome().is_some() {
            return Err(PyValueError::new_err("the first move ends this game, so the learner can only be x"));
        }
        let is_slow = matches!(opponent, Some(Opponent::Engine(_))) || num_envs * cells >= LARGE_STEP;
        let buffers = all_buffers(py, buffers, num_envs, shape, regret, final_obs)?;
        let board = Board::new(rules);
        let mut games: Box<dyn Games> = match cells {
            0..=64 => Box::new(Batch { board, opponent, side, games: vec![Game::<1>::new(0, 0); num_envs] }),
            65..=256 => Box::new(Batch { board, opponent, side, games: vec![Game::<4>::new(0, 0); num_envs] }),
            _ => Box::new(Batch { board, opponent, side, games: vec![Game::<7>::new(0, 0); num_envs] }),
        };
        games.seed(seed.unwrap_or_else(entropy));
        Ok(BatchGames { games, table, num_envs, cells, is_slow, buffers })
    }

    /// Begin all games again. With a seed, the random numbers begin again too.
    #[pyo3(signature = (seed=None))]
    fn reset(&mut self, py: Python<'_>, seed: Option<u64>) -> PyResult<()> {
        seed.into_iter().for_each(|seed| self.games.seed(seed));
        self.write(py, None)
    }

    /// Play an action in each game, shape ``(num_envs,)``, ``int64`` or ``int32``.
    ///
    /// :raises ValueError: when an action is not in the range of the squares. No action is played then.
    /// :raises TypeError: when the actions are no such array.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let read;
        let actions = if let Ok(array) = actions.cast::<PyArray1<i64>>() {
            read = array.readonly();
            read.as_slice().map_or_else(|_| Cow::from(read.as_array().to_vec()), Cow::from)
        } else if let Ok(array) = actions.cast::<PyArray1<i32>>() {
            array.readonly().as_array().iter().map(|&action| action.into()).collect()
        } else {
            let found = actions.get_type();
            return Err(PyTypeError::new_err(format!("expected actions in an array of int64 or int32, found {found}")));
        };
        if actions.len() != self.num_envs {
            let (games, found) = (self.num_envs, actions.len());
            return Err(PyValueError::new_err(format!("expected {games} actions, found {found}; none is played")));
        }
        let is_off = |action: &i64| !(0..self.cells as i64).contains(action);
        if let Some(game) = actions.iter().position(is_off) {
            let (action, most) = (actions[game], self.cells - 1);
            let problem = format!("action {action} of game {game} is not from 0 to {most}; no action is played");
            return Err(PyValueError::new_err(problem));
        }
        self.write(py, Some(&actions))
    }
}

impl BatchGames {
    /// Steps, or without actions resets, and writes all arrays.
    fn write(&mut self, py: Python<'_>, actions: Option<&[i64]>) -> PyResult<()> {
        let (all, games, squares) = (self.buffers.bind(py), self.num_envs, self.num_envs * self.cells);
        let mut observations = writable::<i8>(all, "observations", 2 * squares)?;
        let mut action_mask = writable(all, "action_mask", squares)?;
        let (mut rewards, mut terminations) = (writable(all, "rewards", games)?, writable(all, "terminations", games)?);
        let has_final = all.contains("final_obs")?;
        let mut final_obs = has_final.then(|| writable::<i8>(all, "final_obs", 2 * squares)).transpose()?;
        let mut rows = Rows {
            observations: observations.as_slice_mut()?,
            action_mask: action_mask.as_slice_mut()?,
            rewards: rewards.as_slice_mut()?,
            terminations: terminations.as_slice_mut()?,
            final_obs: final_obs.as_mut().map(|array| array.as_slice_mut()).transpose()?,
        };
        let mut valued = match &self.table {
            Some(table) => {
                let (values, plies) = (writable(all, "values", squares)?, writable(all, "plies", squares)?);
                Some((table, values, plies, writable(all, "regret", games)?))
            }
            None => None,
        };
        let mut values = match &mut valued {
            Some((table, values, plies, regret)) => {
                let (values, plies) = (values.as_slice_mut()?, plies.as_slice_mut()?);
                Some((&**table, Values { values, plies, regret: regret.as_slice_mut()? }))
            }
            None => None,
        };
        let games = &mut *self.games;
        let mut run = move || {
            if let Some((table, rows)) = &mut values {
                match actions {
                    Some(actions) => games.write_regret(table, actions, rows.regret),
                    None => rows.regret.fill(0.0),
                }
            }
            match actions {
                Some(actions) => games.step(actions, &mut rows),
                None => games.reset(&mut rows),
            }
            if let Some((table, rows)) = &mut values {
                games.write_values(table, rows);
            }
        };
        if self.is_slow {
            py.detach(run)
        } else {
            run()
        }
        Ok(())
    }
}

/// A seed of the system's random numbers.
fn entropy() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(())
}

/// All arrays of a batch: those that the caller has given, and new ones.
fn all_buffers(
    py: Python<'_>,
    given: Option<&Bound<'_, PyDict>>,
    num_envs: usize,
    shape: Shape,
    regret: bool,
    final_obs: bool,
) -> PyResult<Py<PyDict>> {
    let (planes, cells) = ([num_envs, shape.rows.into(), shape.columns.into(), 2], [num_envs, shape.cells()]);
    let all = PyDict::new(py);
    let given = given.map_or_else(|| Ok(PyDict::new(py)), |given| given.copy())?;
    buffer::<i8>(&given, &all, "observations", &planes)?;
    buffer::<i8>(&given, &all, "action_mask", &cells)?;
    buffer::<f32>(&given, &all, "rewards", &[num_envs])?;
    buffer::<bool>(&given, &all, "terminations", &[num_envs])?;
    buffer::<bool>(&given, &all, "truncations", &[num_envs])?;
    if regret {
        buffer::<f32>(&given, &all, "values", &cells)?;
        buffer::<i16>(&given, &all, "plies", &cells)?;
        buffer::<f32>(&given, &all, "regret", &[num_envs])?;
    }
    if final_obs {
        buffer::<i8>(&given, &all, "final_obs", &planes)?;
    }
    let (unknown, names) = (given.keys(), all.keys());
    let problem = || PyValueError::new_err(format!("buffers has {unknown}, expected some of {names}"));
    if given.is_empty() { Ok(all.unbind()) } else { Err(problem()) }
}

/// Takes an array out of those that the caller has given, or makes one, and puts it among all arrays.
fn buffer<T: Element>(given: &Bound<'_, PyDict>, all: &Bound<'_, PyDict>, name: &str, shape: &[usize]) -> PyResult<()> {
    let Some(array) = given.get_item(name)? else {
        return all.set_item(name, PyArrayDyn::<T>::zeros(given.py(), shape, false));
    };
    given.del_item(name)?;
    let typed = array.cast::<PyArrayDyn<T>>().ok();
    let fits = |array: &&Bound<'_, PyArrayDyn<T>>| {
        array.shape() == shape && array.is_c_contiguous() && array.try_readwrite().is_ok()
    };
    let Some(array) = typed.filter(fits) else {
        let dtype = numpy::dtype::<T>(given.py());
        return Err(PyValueError::new_err(format!(
            "buffers[{name:?}]: expected a writable contiguous array of {dtype} with shape {shape:?}"
        )));
    };
    all.set_item(name, array)
}

/// One of the arrays, which the caller may have replaced since the last step.
fn writable<'py, T: Element>(
    all: &Bound<'py, PyDict>,
    name: &str,
    entries: usize,
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    let array = all.get_item(name)?.and_then(|array| array.cast_into::<PyArrayDyn<T>>().ok());
    let fits = |array: &Bound<'py, PyArrayDyn<T>>| array.len() == entries && array.is_c_contiguous();
    let writable = array.filter(fits).and_then(|array| array.try_readwrite().ok());
    writable.ok_or_else(|| {
        let dtype = numpy::dtype::<T>(all.py());
        PyValueError::new_err(format!(
            "buffers[{name:?}]: expected a writable contiguous array of {dtype} with {entries} entries; nothing is played"
        ))
    })
}
