//! Engines: searches in this process, with the interpreter's lock released while they run.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use noughts::engine::{
    Engine, GoRequest, GoResult, OPTIONS, OptionError, OptionRole, OptionSpec, OptionType, Options, SearchPlan,
};
use noughts::game::{CellSet, Position};
use noughts::search::{Control, SearchResult};
use noughts::session::Game;
use noughts::text::Excerpt;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBool, PyDict, PyTuple};

use super::analysis::{Analysis, Limit};
use super::background::{self, OnProgress};
use super::position::{PyPosition, move_of};

create_exception!(
    noughts,
    EngineError,
    PyException,
    "The engine has refused something, in its own words, or it is closed."
);

/// Questions that are answered between two looks for signals, where each takes microseconds.
const FEW: usize = 256;

/// An engine in this process.
///
/// ::
///
///     with Engine(player="perfect") as engine:
///         engine.play(Position().play("b2"))
///
/// ``options`` are those of ``protocol.md``, such as ``player``, ``trials``, ``seed``, ``hash``, ``threads`` and
/// ``move_overhead``. The game and ``multipv`` come with each question. Threads may share an engine; they ask one after
/// the other. An option or a value that there is not is an :class:`EngineError` at once.
///
/// Other threads of Python run while a search runs. Ctrl-C ends it, and the engine goes on. A forked process cannot use
/// an engine that its parent has used; it can use a copy. :meth:`close` frees the memory.
#[pyclass(name = "Engine", module = "noughts", frozen, subclass)]
pub struct PyEngine {
    state: Mutex<State>,
    /// The options that were set, by name, in the order of their first setting. Held only with the interpreter's lock.
    given: Mutex<Vec<(String, String)>>,
    /// What ends the search that runs. Held only with the interpreter's lock.
    running: Mutex<Option<Arc<AtomicBool>>>,
    /// The process that has used the engine first; 0 before.
    owner: AtomicU32,
    is_closed: AtomicBool,
}

/// What a search needs of its engine.
struct State {
    engine: Engine,
    /// Its options and its random numbers.
    game: Game,
}

/// A question about one position.
struct Question {
    position: Position,
    limit: Limit,
    multi_pv: u32,
    root_moves: Option<CellSet>,
}

/// The answer to a question, and the options under which it was found.
type Answer = (GoResult, Options);

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The name of an option as Python has it: in any case, with `_` for a blank.
fn spec_of(name: &str) -> PyResult<&'static OptionSpec> {
    let is_named = |spec: &&OptionSpec| {
        spec.name.eq_ignore_ascii_case(name) || spec.name.replace(' ', "_").eq_ignore_ascii_case(name)
    };
    match OPTIONS.iter().find(is_named) {
        Some(spec) if spec.role == OptionRole::Game || spec.name == "MultiPV" => {
            let problem = format!("{name} is no option here: the position or the question says it");
            Err(PyTypeError::new_err(problem))
        }
        Some(spec) => Ok(spec),
        None => {
            let problem = OptionError::Unknown(Excerpt::of(name));
            let names: Vec<&str> = own_options().map(|spec| spec.name).collect();
            Err(EngineError::new_err(format!("{problem}; options are {}", names.join(", "))))
        }
    }
}

/// An option as Python gives it: its name in the engine, and its value as text.
pub fn setting(name: &str, value: &Bound<'_, PyAny>) -> PyResult<(&'static str, String)> {
    let text = value.str()?.to_string();
    let text = if value.is_instance_of::<PyBool>() { text.to_lowercase() } else { text };
    Ok((spec_of(name)?.name, text))
}

/// The options that an engine in Python has.
fn own_options() -> impl Iterator<Item = &'static OptionSpec> {
    OPTIONS.iter().filter(|spec| spec.role != OptionRole::Game && spec.name != "MultiPV")
}

impl State {
    fn request(&mut self, question: &Question) -> GoRequest {
        let mut options = *self.game.options();
        (options.rules, options.multi_pv) = (question.position.rules(), question.multi_pv);
        let generator = self.game.next_go();
        let request = GoRequest::new(question.position, options, question.limit.limits(), generator);
        GoRequest { root_moves: question.root_moves, ..request }
    }

    fn search(
        &mut self,
        request: &GoRequest,
        plan: SearchPlan,
        stop: &Arc<AtomicBool>,
        report: &mut dyn FnMut(&SearchResult),
    ) -> Answer {
        let control = Control::new(Arc::clone(stop), None, None);
        (self.engine.search(request, plan, control, report), request.options)
    }
}

impl PyEngine {
    fn set_all(&self, state: &mut State, options: &Bound<'_, PyDict>) -> PyResult<()> {
        for (name, value) in options {
            let (name, text) = setting(&name.extract::<String>()?, &value)?;
            state.game.set_option(name, &text).map_err(|error| EngineError::new_err(error.to_string()))?;
            let mut given = locked(&self.given);
            let name = name.to_lowercase();
            match given.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) => *known = text,
                None => given.push((name, text)),
            }
        }
        Ok(())
    }

    /// The engine's state, for one thread at a time. The others wait without the interpreter's lock.
    ///
    /// # Errors
    /// When the engine is closed, or belongs to another process.
    fn state(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, State>> {
        let process = std::process::id();
        let owner = self.owner.compare_exchange(0, process, Ordering::Relaxed, Ordering::Relaxed);
        if owner.is_err_and(|owner| owner != process) {
            let problem =
                "the engine belongs to another process, from which this one was forked; a copy of it can be used here";
            return Err(EngineError::new_err(problem));
        }
        let state = self.state.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        if self.is_closed.load(Ordering::Relaxed) {
            return Err(EngineError::new_err("the engine is closed"));
        }
        Ok(state)
    }

    /// Runs a search that may take long. An engine whose search broke off begins anew.
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        state: &mut State,
        on_progress: Option<&OnProgress<'_>>,
        search: impl FnOnce(&mut State, &Arc<AtomicBool>, &mut dyn FnMut(&SearchResult)) -> T + Send,
    ) -> PyResult<T> {
        let stop = Arc::new(AtomicBool::new(false));
        *locked(&self.running) = Some(Arc::clone(&stop));
        let found = background::run(
            py,
            || stop.store(true, Ordering::Relaxed),
            on_progress,
            |report| search(state, &stop, report),
        );
        *locked(&self.running) = None;
        found?.map_err(|problem| {
            // What such a search has left in memory cannot be trusted.
            state.engine = Engine::new();
            EngineError::new_err(format!("the search failed: {problem}"))
        })
    }

    /// Answers one question.
    fn ask(&self, py: Python<'_>, question: &Question, on_info: Option<&Py<PyAny>>) -> PyResult<Answer> {
        let mut state = self.state(py)?;
        let request = state.request(question);
        let plan = SearchPlan::new(&request);
        if plan.is_quick && on_info.is_none() {
            return Ok(state.search(&request, plan, &Arc::new(AtomicBool::new(false)), &mut |_| {}));
        }
        let tell = |py: Python<'_>, result: &SearchResult, elapsed: Duration| {
            let so_far = GoResult { result: result.clone(), elapsed };
            let analysis = Analysis::of(&so_far, &request.options);
            on_info.map_or(Ok(()), |on_info| on_info.call1(py, (analysis,)).map(drop))
        };
        let on_progress = on_info.is_some().then_some(&tell as &OnProgress<'_>);
        self.run(py, &mut state, on_progress, |state, stop, report| state.search(&request, plan, stop, report))
    }

    fn question(
        &self,
        position: &PyPosition,
        limit: Option<Limit>,
        multipv: i64,
        searchmoves: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Question> {
        let root_moves = searchmoves.map(|moves| {
            let cells = moves.try_iter()?.map(|written| position.cell_of(&written?));
            cells.collect::<PyResult<CellSet>>()
        });
        let root_moves = root_moves.transpose()?.filter(|cells| !cells.is_empty());
        Ok(Question {
            position: position.0,
            limit: limit.unwrap_or_default(),
            multi_pv: multi_pv(multipv)?,
            root_moves,
        })
    }
}

fn multi_pv(number: i64) -> PyResult<u32> {
    match u32::try_from(number) {
        Ok(number @ 1..) => Ok(number.min(i32::MAX as u32)),
        _ => Err(PyValueError::new_err(format!("multipv is a number from 1, not {number}"))),
    }
}

#[pymethods]
impl PyEngine {
    #[new]
    #[pyo3(signature = (**options))]
    fn new(options: Option<&Bound<'_, PyDict>>) -> PyResult<PyEngine> {
        let state = State { engine: Engine::new(), game: Game::new(Options::default()) };
        let engine = PyEngine {
            state: Mutex::new(state),
            given: Mutex::default(),
            running: Mutex::default(),
            owner: AtomicU32::new(0),
            is_closed: AtomicBool::new(false),
        };
        if let Some(options) = options {
            engine.set_all(&mut locked(&engine.state), options)?;
        }
        Ok(engine)
    }

    /// The engine's name and version.
    #[getter]
    fn name(&self) -> String {
        format!("Noughts {}", env!("CARGO_PKG_VERSION"))
    }

    /// The options that there are, by name.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        for spec in own_options() {
            found.set_item(spec.name, PyOption::of(spec))?;
        }
        Ok(found)
    }

    /// Return the move that the engine plays.
    ///
    /// Without a limit the engine thinks about a second where no proof ends sooner. With a ``seed``, ``trials`` or
    /// ``max_trials`` it takes the budget of a plain ``go``, and never the clock; ``Limit()`` asks for that budget.
    /// ``searchmoves`` are the moves to choose from.
    ///
    /// :raises ValueError: when the game is over.
    #[pyo3(signature = (position, limit=None, *, searchmoves=None))]
    fn play<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyPosition>,
        limit: Option<Limit>,
        searchmoves: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limit = limit.or_else(|| {
            let given = locked(&self.given);
            let is_set = |name: &str| given.iter().any(|(known, _)| known == name);
            let repeats = given.iter().any(|(name, value)| name == "seed" && value != "0");
            (!is_set("trials") && !is_set("max_trials") && !repeats).then_some(Limit::A_SECOND)
        });
        let question = self.question(position.get(), limit, 1, searchmoves)?;
        let (found, _) = self.ask(py, &question, None)?;
        match found.result.lines.first() {
            Some(line) => move_of(py, line.first_move()),
            None => Err(PyValueError::new_err("the game is over, so there is no move")),
        }
    }

    /// Return what the engine finds out about the position, and about its ``multipv`` best moves.
    ///
    /// ``searchmoves`` are the moves to choose from. ``on_info`` is called with what is found so far, now and then.
    #[pyo3(signature = (position, limit=None, *, multipv=1, searchmoves=None, on_info=None))]
    fn analyse<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyPosition>,
        limit: Option<Limit>,
        multipv: i64,
        searchmoves: Option<Bound<'py, PyAny>>,
        on_info: Option<Py<PyAny>>,
    ) -> PyResult<Analysis> {
        let question = self.question(position.get(), limit, multipv, searchmoves)?;
        let (found, options) = self.ask(py, &question, on_info.as_ref())?;
        Ok(Analysis::of(&found, &options))
    }

    /// Return what the engine finds out about each position.
    #[pyo3(signature = (positions, limit=None, *, multipv=1))]
    fn analyse_all(
        &self,
        py: Python<'_>,
        positions: &Bound<'_, PyAny>,
        limit: Option<Limit>,
        multipv: i64,
    ) -> PyResult<Vec<Analysis>> {
        let (limit, multi_pv) = (limit.unwrap_or_default(), multi_pv(multipv)?);
        let mut asked = Vec::new();
        for position in positions.try_iter()? {
            let position = position?.cast::<PyPosition>()?.get().0;
            asked.push(Question { position, limit, multi_pv, root_moves: None });
        }
        let mut state = self.state(py)?;
        self.run(py, &mut state, None, |state, stop, report| {
            let mut found = Vec::with_capacity(asked.len());
            for (number, question) in asked.iter().enumerate() {
                // What was stopped is thrown away.
                if number % FEW == 0 && stop.load(Ordering::Relaxed) {
                    break;
                }
                let request = state.request(question);
                let (result, options) = state.search(&request, SearchPlan::new(&request), stop, report);
                found.push(Analysis::of(&result, &options));
            }
            found
        })
    }

    /// End the search that runs. Its question is answered with the best that was found.
    fn stop(&self) {
        if let Some(stop) = &*locked(&self.running) {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// Set options. They last.
    #[pyo3(signature = (**options))]
    fn configure(&self, py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let mut state = self.state(py)?;
        options.map_or(Ok(()), |options| self.set_all(&mut state, options))
    }

    /// Return the options that were set, by name.
    fn configured<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        for (name, value) in locked(&self.given).iter() {
            found.set_item(name, value)?;
        }
        Ok(found)
    }

    /// Have the engine forget what it has found out.
    fn new_game(&self, py: Python<'_>) -> PyResult<()> {
        self.state(py)?.engine = Engine::new();
        Ok(())
    }

    /// End the search that runs, and free the memory. The engine answers nothing any more.
    fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
        self.stop();
        if let Ok(mut state) = self.state.try_lock() {
            state.engine = Engine::new();
        }
    }

    fn __enter__<'py>(slf: &Bound<'py, PyEngine>) -> PyResult<Bound<'py, PyEngine>> {
        slf.get().state(slf.py()).map(|_| slf.clone())
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyAny>) {
        self.close();
    }

    /// Make copies with the same options, and random numbers of their own.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        Ok((PyTuple::empty(py), self.configured(py)?))
    }
}

/// An option that an engine has.
#[pyclass(name = "Option", module = "noughts", frozen, get_all, eq)]
#[derive(Clone, PartialEq)]
pub struct PyOption {
    name: String,
    r#type: &'static str,
    default: String,
    min: Option<i64>,
    max: Option<i64>,
    var: Vec<String>,
}

impl PyOption {
    fn of(spec: &OptionSpec) -> PyOption {
        let (kind, default, min, max, var) = match spec.option_type() {
            OptionType::Spin { default, min, max } => ("spin", default.to_string(), Some(min), Some(max), Vec::new()),
            OptionType::Check { default } => ("check", default.to_string(), None, None, Vec::new()),
            OptionType::Combo { default, choices } => ("combo", default, None, None, choices),
            OptionType::Number { default, .. } => ("string", default.to_string(), None, None, Vec::new()),
            OptionType::Text { default } => ("string", default, None, None, Vec::new()),
        };
        PyOption { name: spec.name.to_owned(), r#type: kind, default, min, max, var }
    }
}

#[pymethods]
impl PyOption {
    fn __repr__(&self) -> String {
        let PyOption { name, r#type, default, .. } = self;
        format!("Option(name={name:?}, type={:?}, default={default:?})", r#type)
    }
}
