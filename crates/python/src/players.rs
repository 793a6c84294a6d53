//! The players of an exam or a match, and the run that they have in common.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use noughts::client::{
    Connector, EngineSetup, EngineSpec, Interrupt, OrphanKiller, RunContext, RunObserver, RunProgress, SpecError,
};
use noughts::system::set_program_file;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::agents::{Agent, AgentConnection, AgentWarning};
use super::background;
use super::engine::{EngineError, PyEngine};
use super::own_engine::OwnEngine;

/// The seconds that an engine may take to start.
const START_LIMIT: u64 = 10;

/// The seconds that the run waits longer than an agent has time: a slow agent loses an answer, not the exam.
const MORE_SECONDS: f64 = 30.0;

/// The most seconds that anything may take.
const MOST_SECONDS: f64 = 1e9;

/// The players of a run.
pub struct Players {
    pub setups: Vec<EngineSetup>,
    seconds: f64,
    batch: usize,
    agents: Vec<Arc<Agent>>,
    /// True if one of them is a child process.
    has_process: bool,
}

/// Keeps the warnings of a run.
#[derive(Default)]
struct Warnings(Mutex<Vec<String>>);

impl RunObserver for Warnings {
    fn warn(&self, warning: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(warning.to_owned());
    }

    fn progress(&self, _: &RunProgress) {}
}

pub fn refusal(problem: impl ToString) -> PyErr {
    EngineError::new_err(problem.to_string())
}

/// A whole number of the caller within a range.
pub fn whole(name: &str, number: i64, most: i64) -> PyResult<u64> {
    let problem = || PyValueError::new_err(format!("{name} is a whole number from 1 to {most}, not {number}"));
    u64::try_from(number).ok().filter(|_| (1..=most).contains(&number)).ok_or_else(problem)
}

impl Players {
    /// No players yet. An agent has `seconds` for an answer, and gets `batch` positions at a time if that is not 0.
    pub fn new(seconds: f64, batch: usize) -> PyResult<Players> {
        if seconds.is_nan() || seconds <= 0.0 {
            return Err(PyValueError::new_err(format!("seconds is a number above 0, not {seconds}")));
        }
        let seconds = seconds.min(MOST_SECONDS);
        Ok(Players { setups: Vec::new(), seconds, batch, agents: Vec::new(), has_process: false })
    }

    /// The time that the run waits for an answer.
    pub fn patience(&self) -> Duration {
        Duration::from_secs_f64(self.seconds + MORE_SECONDS)
    }

    /// Adds a player.
    pub fn add(&mut self, player: &Bound<'_, PyAny>, name: Option<String>) -> PyResult<()> {
        let is_named = name.is_some();
        let mut setup = self.setup(player, name)?;
        if self.setups.iter().any(|other| other.name == setup.name) {
            if is_named {
                return Err(refusal(format!("two engines are called {}", setup.name)));
            }
            setup.name += "-2";
        }
        self.setups.push(setup);
        Ok(())
    }

    fn setup(&mut self, player: &Bound<'_, PyAny>, name: Option<String>) -> PyResult<EngineSetup> {
        if let Ok(text) = player.cast::<PyString>() {
            self.find_program(player.py())?;
            let spec: EngineSpec = text.to_str()?.parse().map_err(refusal)?;
            let spec = name.map_or_else(|| Ok(spec.clone()), |name| spec.clone().named(name)).map_err(refusal)?;
            return spec.set_up().map_err(|error| match (&error, &spec.name) {
                (SpecError::Missing(_), Some(name)) => refusal(format!("engine {name}: {error}")),
                _ => refusal(error),
            });
        }
        if player.is_instance_of::<PyEngine>() {
            let connector = Connector::new(|context| Box::new(OwnEngine::new(context)));
            let setup = EngineSetup::connected(name.unwrap_or_else(|| "noughts".to_owned()), "noughts", connector);
            let options = player.call_method0("configured")?.cast_into::<PyDict>()?;
            let options = options.iter().map(|(name, value)| Ok((name.extract()?, value.extract()?)));
            return Ok(EngineSetup { options: options.collect::<PyResult<_>>()?, ..setup.map_err(refusal)? });
        }
        if !player.is_callable() {
            let found = player.repr()?;
            let problem = format!("expected a function, an Engine or the words of an engine, found {found}");
            return Err(PyTypeError::new_err(problem));
        }
        let agent = Arc::new(Agent::of(player, name, self.batch, Some(Duration::from_secs_f64(self.seconds)))?);
        self.agents.push(Arc::clone(&agent));
        let name = agent.name.clone();
        let connector = Connector::new(move |context| Box::new(AgentConnection::new(&agent, context)));
        EngineSetup::connected(name, "a function in Python", connector).map_err(refusal)
    }

    /// Finds the program, as which child processes begin.
    fn find_program(&mut self, py: Python<'_>) -> PyResult<()> {
        let program: PathBuf = py.import("noughts.binary")?.call_method0("find")?.extract()?;
        set_program_file(program.canonicalize().unwrap_or(program));
        self.has_process = true;
        Ok(())
    }

    /// Runs an exam or a match without the interpreter's lock, and says what the caller should know of it: first what is
    /// odd about the answers of agents, then exceptions and the failure that `failure_of` finds, then other warnings.
    pub fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&RunContext, Arc<dyn RunObserver>) -> T + Send,
        failure_of: impl FnOnce(&T) -> Option<String>,
    ) -> PyResult<T> {
        let interrupt = Arc::new(Interrupt::new()?);
        let orphan_killer = if self.has_process { OrphanKiller::start()? } else { OrphanKiller::none() };
        let context = RunContext {
            interrupt: Arc::clone(&interrupt),
            orphan_killer: Arc::new(orphan_killer),
            log: None,
            start_limit: Duration::from_secs(START_LIMIT),
        };
        let warnings = Arc::new(Warnings::default());
        let observer: Arc<dyn RunObserver> = warnings.clone();
        let outcome = background::run(py, || interrupt.trigger(), None, |_| work(&context, observer))?;
        let outcome = outcome.map_err(|problem| refusal(format!("the run broke off: {problem}")))?;
        let warn = |text: &String| {
            let text = std::ffi::CString::new(text.replace('\0', " "))?;
            PyErr::warn(py, &py.get_type::<AgentWarning>(), &text, 1)
        };
        self.agents.iter().flat_map(|agent| agent.warnings()).try_for_each(|text| warn(&text))?;
        self.agents.iter().try_for_each(|agent| agent.check(py))?;
        if let Some(failure) = failure_of(&outcome) {
            return Err(refusal(failure));
        }
        let warnings = std::mem::take(&mut *warnings.0.lock().unwrap_or_else(PoisonError::into_inner));
        warnings.iter().try_for_each(warn)?;
        Ok(outcome)
    }
}
