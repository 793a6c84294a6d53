//! Agents: functions of Python that choose moves, as engines of an exam or a match in this process.
//!
//! An agent runs on a thread of Python, because it may hang, and because such a thread can end with the interpreter at any
//! point: no frame of Rust is below it. The thread gets all questions that wait, and hands in one answer after the other.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use noughts::client::{Connection, Failure, Interrupt, RunContext};
use noughts::engine::{OptionSpec, Options};
use noughts::game::{Player, Position};
use noughts::protocol::{Command, Handshake, InputLine, LineReader, Query, QueryAnswer, Reply};
use noughts::session::Game;
use pyo3::create_exception;
use pyo3::exceptions::{PyBaseException, PyException, PyTypeError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use super::background::PAUSE;
use super::position::PyPosition;

create_exception!(
    noughts,
    AgentError,
    PyException,
    "An agent has raised an exception, which is the cause of this one."
);
create_exception!(
    noughts,
    AgentWarning,
    PyUserWarning,
    "An agent did not answer in time, or with something else than a move."
);

/// What an engine says that gives no move.
const NO_MOVE: &str = "(none)";

/// The options that an agent has, in the order in which it lists them.
const OPTIONS: [&str; 4] = ["size", "columns", "connect", "reverse"];

/// A function that chooses moves.
pub struct Agent {
    pub name: String,
    function: Py<PyAny>,
    /// The most positions at a time; 0 for a function of one position.
    batch: usize,
    /// The time for an answer; `None` for any.
    seconds: Option<Duration>,
    notes: Mutex<Notes>,
}

/// What the caller should know of the answers.
#[derive(Default)]
struct Notes {
    late: u64,
    illegal: u64,
    first_illegal: String,
    error: Option<PyErr>,
}

/// The words of a function's answer to one question, and what was no legal move.
#[derive(Default)]
struct Answer {
    words: Vec<String>,
    illegal: Vec<String>,
}

impl Agent {
    /// The agent that a function is, or a function of the homework.
    pub fn of(
        function: &Bound<'_, PyAny>,
        name: Option<String>,
        batch: usize,
        seconds: Option<Duration>,
    ) -> PyResult<Agent> {
        let homework = function.py().import("noughts.homework")?;
        let function = match homework.call_method1("is_mover", (function,))?.is_truthy()? {
            true if batch > 0 => return Err(PyTypeError::new_err("batch is for functions that get positions")),
            true => homework.call_method1("agent", (function,))?,
            false => function.clone(),
        };
        let own_name = || match function.getattr("__name__") {
            Ok(name) => Ok(name.str()?.to_string()),
            Err(_) => Ok(function.get_type().name()?.to_string()),
        };
        let name = name.map_or_else(own_name, PyResult::Ok)?;
        Ok(Agent { name, function: function.unbind(), batch, seconds, notes: Mutex::default() })
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sentences about answers that came late or were no moves.
    pub fn warnings(&self) -> Vec<String> {
        let (notes, name) = (self.notes(), &self.name);
        let seconds = self.seconds.unwrap_or_default().as_secs_f64();
        let late = (notes.late > 0).then(|| {
            format!(
                "{name} did not answer within {seconds} s, {} times, and lost these answers; its threads cannot be ended \
                 and may go on",
                notes.late
            )
        });
        let illegal = (notes.illegal > 0)
            .then(|| format!("{name} played no legal move, {} times: {}", notes.illegal, notes.first_illegal));
        late.into_iter().chain(illegal).collect()
    }

    /// Raises what the agent has raised, as the cause of an [`AgentError`].
    pub fn check(&self, py: Python<'_>) -> PyResult<()> {
        match self.notes().error.take() {
            Some(cause) => Err(self.error(py, cause)),
            None => Ok(()),
        }
    }

    fn error(&self, py: Python<'_>, cause: PyErr) -> PyErr {
        let kind = cause.get_type(py).name().map_or_else(|_| String::new(), |name| name.to_string());
        let error = AgentError::new_err(format!("{} raised {kind}: {}", self.name, cause.value(py)));
        error.set_cause(py, Some(cause));
        error
    }

    /// The words of an answer to one position, or to a list of them.
    fn answer(&self, question: &Bound<'_, PyAny>, said: &Bound<'_, PyAny>) -> PyResult<Answer> {
        let mut answer = Answer::default();
        if self.batch == 0 {
            answer.add(question.cast::<PyPosition>()?.get(), said);
            return Ok(answer);
        }
        let positions = question.cast::<PyList>()?;
        let moves = match said.try_iter() {
            Ok(moves) => moves.collect::<PyResult<Vec<_>>>()?,
            Err(_) => Vec::new(),
        };
        if moves.len() != positions.len() {
            let problem = format!("{} for {} positions", said.repr()?, positions.len());
            return Ok(Answer { words: none_for(positions.len()), illegal: vec![problem; positions.len()] });
        }
        for (position, said) in positions.iter().zip(&moves) {
            answer.add(position.cast::<PyPosition>()?.get(), said);
        }
        Ok(answer)
    }

    /// Takes note of what was no move, and returns the words.
    fn take(&self, answer: Answer) -> Vec<String> {
        let mut notes = self.notes();
        if let (0, Some(first)) = (notes.illegal, answer.illegal.first()) {
            notes.first_illegal = first.clone();
        }
        notes.illegal += answer.illegal.len() as u64;
        answer.words
    }
}

fn none_for(questions: usize) -> Vec<String> {
    vec![NO_MOVE.to_owned(); questions]
}

impl Answer {
    fn add(&mut self, position: &PyPosition, said: &Bound<'_, PyAny>) {
        let word = match position.cell_of(said) {
            Ok(cell) => cell.to_string(),
            Err(error) => {
                let problem = error.value(said.py()).str().map_or_else(|_| String::new(), |text| text.to_string());
                self.illegal.push(format!("{}: {problem}", position.0.diagram()));
                written(said).unwrap_or_else(|| NO_MOVE.to_owned())
            }
        };
        self.words.push(word);
    }
}

/// An answer that is no legal move, as a word; `None` if it cannot be one.
fn written(said: &Bound<'_, PyAny>) -> Option<String> {
    let word = match said.cast::<PyTuple>() {
        Ok(parts) => {
            let parts = parts.iter().map(|part| Some(part.str().ok()?.to_string())).collect::<Option<Vec<_>>>()?;
            parts.join(",")
        }
        Err(_) => said.str().ok()?.to_string(),
    };
    (!word.is_empty() && word.bytes().all(|byte| byte.is_ascii_graphic())).then_some(word)
}

/// The protocol, as much of it as a client speaks with an agent.
struct Dialogue {
    game: Game,
    /// What has to be said, in order.
    turns: VecDeque<Turn>,
}

/// What an agent says next.
enum Turn {
    Line(String),
    /// The move in this position.
    Question(Position),
}

impl Dialogue {
    fn new() -> Dialogue {
        Dialogue { game: Game::new(Options::default()), turns: VecDeque::new() }
    }

    /// Takes a line of the client.
    fn take(&mut self, line: &InputLine, name: &str) {
        let position = *self.game.position();
        match line.command() {
            Some(Ok(Command::Handshake(_))) => self.introduce(name),
            Some(Ok(Command::IsReady)) => self.say(Reply::ReadyOk),
            Some(Ok(Command::SetOption { name, value })) => {
                if let Err(error) = self.game.set_option(&name, &value) {
                    self.say(Reply::Error(format!("setoption: {error}")));
                }
            }
            Some(Ok(Command::Position(command))) => {
                if let Err(error) = self.game.set_position(&command) {
                    self.say(Reply::Error(format!("position: {error}; it is unchanged")));
                }
            }
            Some(Ok(Command::Query(Query::P1Turn))) => {
                self.say(Reply::Response(QueryAnswer::Flag(position.side() == Player::X)));
            }
            Some(Ok(Command::Go(_))) if position.outcome().is_some() => self.say(Reply::BestMove(None)),
            Some(Ok(Command::Go(_))) => self.turns.push_back(Turn::Question(position)),
            _ => {}
        }
    }

    fn introduce(&mut self, name: &str) {
        for (field, text) in [("name", name), ("author", "an agent in Python")] {
            self.say(Reply::Id { field: field.to_owned(), text: text.to_owned() });
        }
        for option in OPTIONS.into_iter().filter_map(OptionSpec::named) {
            self.say(Reply::Option { name: option.name.to_owned(), kind: option.option_type() });
        }
        self.say(Reply::HandshakeOk(Handshake::Ugi));
    }

    fn say(&mut self, reply: Reply) {
        self.turns.push_back(Turn::Line(reply.to_string()));
    }

    /// All positions that are asked about.
    fn questions(&self) -> impl Iterator<Item = Position> {
        self.turns.iter().filter_map(|turn| match turn {
            Turn::Question(position) => Some(*position),
            Turn::Line(_) => None,
        })
    }
}

/// The agent's end of an answer. It stands on the thread of the agent.
#[pyclass(frozen)]
struct AnswerSender {
    agent: Arc<Agent>,
    sender: Sender<PyResult<Answer>>,
}

#[pymethods]
impl AnswerSender {
    /// Hand in the answer to a question. Returns false when it comes too late: then the thread has to end.
    fn __call__(&self, question: &Bound<'_, PyAny>, said: &Bound<'_, PyAny>) -> PyResult<bool> {
        let answer = self.agent.answer(question, said)?;
        Ok(self.sender.send(Ok(answer)).is_ok())
    }

    /// Hand in what the agent has raised.
    fn fail(&self, error: Bound<'_, PyBaseException>) {
        let _ = self.sender.send(Err(PyErr::from_value(error.into_any())));
    }
}

/// A thread of Python on which an agent answers.
struct AgentThread {
    /// A queue of Python, of lists of questions; `None` ends the thread.
    questions: Py<PyAny>,
    answers: Receiver<PyResult<Answer>>,
}

impl AgentThread {
    fn start(py: Python<'_>, agent: &Arc<Agent>) -> PyResult<AgentThread> {
        let questions = py.import("queue")?.getattr("SimpleQueue")?.call0()?;
        let (sender, answers) = channel();
        let sender = AnswerSender { agent: Arc::clone(agent), sender };
        let arguments = PyDict::new(py);
        arguments.set_item("target", py.import("noughts.agents")?.getattr("work")?)?;
        arguments.set_item("args", (&agent.function, &questions, sender))?;
        arguments.set_item("name", format!("agent {}", agent.name))?;
        arguments.set_item("daemon", true)?;
        py.import("threading")?.getattr("Thread")?.call((), Some(&arguments))?.call_method0("start")?;
        Ok(AgentThread { questions: questions.unbind(), answers })
    }

    fn ask(&self, py: Python<'_>, asked: &VecDeque<Vec<Position>>, is_batch: bool) -> PyResult<()> {
        let questions = PyList::empty(py);
        for positions in asked {
            let positions = positions.iter().map(|&position| PyPosition(position));
            if is_batch {
                questions.append(PyList::new(py, positions.collect::<Vec<_>>())?)?;
            } else {
                positions.into_iter().try_for_each(|position| questions.append(position))?;
            }
        }
        self.questions.call_method1(py, "put", (questions,)).map(drop)
    }
}

/// Has the thread end, once it has answered.
impl Drop for AgentThread {
    fn drop(&mut self) {
        Python::attach(|py| {
            let _ = self.questions.call_method1(py, "put", (py.None(),));
        });
    }
}

/// An agent as the engine of a client in this process.
pub struct AgentConnection {
    agent: Arc<Agent>,
    interrupt: Arc<Interrupt>,
    reader: LineReader,
    dialogue: Dialogue,
    thread: Option<AgentThread>,
    /// What the thread has been asked and has not answered: a list for each call of the function.
    asked: VecDeque<Vec<Position>>,
    /// When the first of these was asked.
    since: Instant,
    /// The moves that have been answered and not yet said.
    words: VecDeque<String>,
}

impl AgentConnection {
    /// A connection with an agent. What the agent raises ends the run.
    pub fn new(agent: &Arc<Agent>, context: &RunContext) -> AgentConnection {
        AgentConnection {
            agent: Arc::clone(agent),
            interrupt: Arc::clone(&context.interrupt),
            reader: LineReader::default(),
            dialogue: Dialogue::new(),
            thread: None,
            asked: VecDeque::new(),
            since: Instant::now(),
            words: VecDeque::new(),
        }
    }

    /// Asks the thread of the agent, with a new one if there is none.
    fn ask(&mut self) -> Result<(), Failure> {
        let asked = Python::attach(|py| {
            if self.thread.is_none() {
                self.thread = Some(AgentThread::start(py, &self.agent)?);
            }
            self.thread.as_ref().map_or(Ok(()), |thread| thread.ask(py, &self.asked, self.agent.batch > 0))
        });
        self.since = Instant::now();
        asked.map_err(|error| self.fail(error))
    }

    /// Ends the run because of an exception.
    fn fail(&mut self, error: PyErr) -> Failure {
        self.agent.notes().error.get_or_insert(error);
        self.interrupt.trigger();
        Failure::Interrupted
    }

    /// Takes the words of the next answer.
    fn take(&mut self, words: Vec<String>) {
        self.words.extend(words);
        self.asked.pop_front();
        self.since = Instant::now();
    }

    /// Waits for the next answer. False when the time of the client is up.
    fn wait(&mut self, deadline: Instant) -> Result<bool, Failure> {
        if self.interrupt.is_set() {
            return Err(Failure::Interrupted);
        }
        if self.asked.is_empty() {
            let questions: Vec<Position> = self.dialogue.questions().collect();
            self.asked.extend(questions.chunks(self.agent.batch.max(1)).map(<[Position]>::to_vec));
            self.ask()?;
        }
        let late = self.agent.seconds.and_then(|seconds| self.since.checked_add(seconds));
        loop {
            let until = late.map_or(deadline, |late| late.min(deadline));
            let patience = until.saturating_duration_since(Instant::now()).min(PAUSE);
            let answers = self.thread.as_ref().map(|thread| thread.answers.recv_timeout(patience));
            match answers.unwrap_or(Err(RecvTimeoutError::Disconnected)) {
                Ok(Ok(answer)) => {
                    let words = self.agent.take(answer);
                    self.take(words);
                    return Ok(true);
                }
                Ok(Err(error)) => return Err(self.fail(error)),
                Err(RecvTimeoutError::Disconnected) => return Err(Failure::System("its thread has ended".to_owned())),
                Err(RecvTimeoutError::Timeout) if self.interrupt.is_set() => return Err(Failure::Interrupted),
                Err(RecvTimeoutError::Timeout) if late.is_some_and(|late| late <= Instant::now()) => {
                    self.give_up()?;
                    return Ok(true);
                }
                Err(RecvTimeoutError::Timeout) if deadline <= Instant::now() => return Ok(false),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Takes an answer for lost. Another thread gets the other questions, for this one cannot be ended.
    fn give_up(&mut self) -> Result<(), Failure> {
        self.agent.notes().late += 1;
        self.thread = None;
        let lost = self.asked.front().map_or(0, Vec::len);
        self.take(none_for(lost));
        if self.asked.is_empty() { Ok(()) } else { self.ask() }
    }
}

impl Connection for AgentConnection {
    fn write(&mut self, bytes: &mut &[u8], _: Instant, _: &mut VecDeque<InputLine>) -> Result<(), Failure> {
        while !bytes.is_empty() {
            if let Some(line) = self.reader.take(bytes) {
                self.dialogue.take(&line, &self.agent.name);
            }
        }
        Ok(())
    }

    fn next_line(&mut self, deadline: Instant) -> Result<Option<InputLine>, Failure> {
        loop {
            match self.dialogue.turns.pop_front() {
                None => return Ok(None),
                Some(Turn::Line(line)) => return Ok(Some(InputLine::Text(line))),
                Some(question) => {
                    if let Some(word) = self.words.pop_front() {
                        return Ok(Some(InputLine::Text(format!("bestmove {word}"))));
                    }
                    self.dialogue.turns.push_front(question);
                }
            }
            if !self.wait(deadline)? {
                return Ok(None);
            }
        }
    }

    fn arrived_line(&mut self) -> Result<Option<InputLine>, Failure> {
        Ok(None)
    }

    fn close(&mut self) {}

    fn end(self: Box<Self>, _: Instant) {}
}

/// An agent as an engine on standard input and output, one line after the other.
#[pyclass(module = "noughts")]
pub struct AgentDialogue {
    agent: Agent,
    dialogue: Dialogue,
}

#[pymethods]
impl AgentDialogue {
    #[new]
    fn new(player: &Bound<'_, PyAny>) -> PyResult<AgentDialogue> {
        Ok(AgentDialogue { agent: Agent::of(player, None, 0, None)?, dialogue: Dialogue::new() })
    }

    /// Return what the engine says to a line.
    fn reply(&mut self, py: Python<'_>, line: &str) -> PyResult<String> {
        self.dialogue.take(&InputLine::Text(line.trim().to_owned()), &self.agent.name);
        let mut said = String::new();
        for turn in std::mem::take(&mut self.dialogue.turns) {
            match turn {
                Turn::Line(line) => said.extend([&line, "\n"]),
                Turn::Question(position) => {
                    let position = Bound::new(py, PyPosition(position))?.into_any();
                    let answer = self.agent.function.bind(py).call1((&position,));
                    let answer = answer.and_then(|said| self.agent.answer(&position, &said));
                    let words = self.agent.take(answer.map_err(|cause| self.agent.error(py, cause))?);
                    words.iter().for_each(|word| said.extend(["bestmove ", word, "\n"]));
                }
            }
        }
        Ok(said)
    }

    /// Return sentences about answers that were no moves.
    fn warnings(&self) -> Vec<String> {
        self.agent.warnings()
    }
}
