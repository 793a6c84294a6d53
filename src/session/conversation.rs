//! A session, and the dialect that its client speaks.
//!
//! The first word of a client chooses the dialect. Our own protocol goes straight through; any other goes through a
//! [`EngineAdapter`], which stands in front of the session as a client of its own.

use std::collections::VecDeque;
use std::time::Instant;

use crate::protocol::Line;
use crate::protocol::adapters::{AdapterOutput, EngineAdapter, adapter_for};

use super::caps::MAX_WAITING;
use super::journal::Direction;
use super::{Ending, Session};

/// The most lines that wait for a dialect to hear them, and the most text in them, in bytes.
const MAX_LINES: usize = 65_536;

/// One client's conversation, in whichever language. Whoever drives it hands in lines and takes away bytes.
pub struct Conversation {
    session: Session,
    language: Language,
}

enum Language {
    /// Nothing has been said yet.
    Open,
    Own,
    Foreign(Interpreter),
}

/// A dialect at work.
struct Interpreter {
    dialect: Box<dyn EngineAdapter + Send>,
    /// Lines that wait for their turn.
    waiting: VecDeque<Line>,
    waiting_bytes: usize,
    input_ended: bool,
    /// What the client is to read.
    output: VecDeque<u8>,
}

impl Conversation {
    /// A conversation at its beginning.
    pub fn new(session: Session) -> Conversation {
        Conversation { session, language: Language::Open }
    }

    /// Sets an option before the client has said anything.
    ///
    /// # Errors
    /// What the session says against it.
    pub fn preset(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.session.receive(Line::Text(format!("setoption name {name} value {value}")));
        match &self.session.take_lines()[..] {
            [] => Ok(()),
            [problem, ..] => Err(problem.trim_start_matches("info string error: ").to_owned()),
        }
    }

    /// Writes down what has come in, if the client wants that.
    pub fn note_input(&mut self, bytes: &[u8]) {
        self.session.journal.pass(Direction::In, bytes);
    }

    /// Takes so many bytes of output away, which somebody has read.
    pub fn take(&mut self, bytes: usize) {
        let is_noted = self.session.journal.is_open();
        let taken = self.output().drain(..bytes);
        if is_noted {
            let taken: Vec<u8> = taken.collect();
            self.session.journal.pass(Direction::Out, &taken);
        }
    }

    /// Takes a line.
    pub fn receive(&mut self, line: Line) {
        if matches!(self.language, Language::Open) && !line.is_silent() {
            self.language = match adapter_for(&line) {
                Some(dialect) => Language::Foreign(Interpreter::new(dialect)),
                None => Language::Own,
            };
        }
        match &mut self.language {
            Language::Open | Language::Own => self.session.receive(line),
            Language::Foreign(interpreter) => interpreter.receive(line, &mut self.session),
        }
    }

    /// Notes that no more lines will come.
    pub fn end_of_input(&mut self) {
        self.session.journal.end_of_input();
        match &mut self.language {
            Language::Open | Language::Own => self.session.end_of_input(),
            Language::Foreign(interpreter) => interpreter.end_of_input(&mut self.session),
        }
    }

    /// Begins a round: for about a millisecond from now, what comes in and what waits is carried out on the spot.
    pub fn begin_round(&mut self) {
        self.session.begin_round();
    }

    /// Takes in what the search thread has sent, and carries out what waits until the round is over.
    pub fn proceed(&mut self) {
        self.session.proceed();
        if let Language::Foreign(interpreter) = &mut self.language {
            interpreter.proceed(&mut self.session);
        }
    }

    /// Output that waits to be taken away; whoever takes it removes it from the front.
    pub fn output(&mut self) -> &mut VecDeque<u8> {
        match &mut self.language {
            Language::Open | Language::Own => self.session.output(),
            Language::Foreign(interpreter) => &mut interpreter.output,
        }
    }

    /// Drops a progress line that nobody has taken.
    pub fn drop_progress(&mut self) {
        self.session.drop_progress();
    }

    /// Whether a line may be handed in now.
    pub fn wants_input(&self) -> bool {
        match &self.language {
            Language::Open | Language::Own => self.session.wants_input(),
            Language::Foreign(interpreter) => {
                let room = interpreter.has_room() || self.session.is_behind_unbounded_search();
                self.ending() == Ending::Open && room && interpreter.output.len() < MAX_WAITING
            }
        }
    }

    /// Whether [`Conversation::proceed`] has something to do without waiting for the search thread.
    pub fn has_work(&self) -> bool {
        let hears = match &self.language {
            Language::Open | Language::Own => false,
            Language::Foreign(interpreter) => interpreter.can_hear(),
        };
        hears || self.session.has_work()
    }

    /// Whether the conversation goes on, and if not, how it ended.
    pub fn ending(&self) -> Ending {
        match (&self.language, self.session.ending()) {
            (Language::Foreign(Interpreter { input_ended: true, .. }), Ending::Open) => Ending::InputEnded,
            (_, ending) => ending,
        }
    }

    /// Whether the conversation is over and only output may be left to be taken away.
    pub fn is_over(&self) -> bool {
        let heard = match &self.language {
            Language::Open | Language::Own => true,
            Language::Foreign(interpreter) => interpreter.waiting.is_empty(),
        };
        heard && self.session.is_over()
    }

    /// When [`Conversation::proceed`] is to be called at the latest, to answer in time.
    pub fn deadline(&self) -> Option<Instant> {
        self.session.deadline()
    }

    /// Whether a search is under way that will answer by itself.
    pub fn awaits_answer(&self) -> bool {
        self.session.awaits_answer()
    }

    /// Whether a `wait` has come: the client is a script that wants everything it has asked for.
    pub fn has_been_asked_to_wait(&self) -> bool {
        self.session.has_been_asked_to_wait()
    }
}

impl Interpreter {
    fn new(dialect: Box<dyn EngineAdapter + Send>) -> Interpreter {
        Interpreter { dialect, waiting: VecDeque::new(), waiting_bytes: 0, input_ended: false, output: VecDeque::new() }
    }

    /// Whether another line may wait. One that comes nevertheless is kept, unless it might wait for ever.
    fn has_room(&self) -> bool {
        self.waiting.len() < MAX_LINES && self.waiting_bytes < MAX_WAITING
    }

    /// Whether the session has begun what the dialect has asked of it. Until then no line can end it: a search that the end
    /// of a round has put off might be over at once.
    fn is_caught_up(&self, session: &Session) -> bool {
        !session.has_work()
    }

    fn can_hear(&self) -> bool {
        !self.waiting.is_empty() && !self.dialect.is_busy() && self.output.len() < MAX_WAITING
    }

    fn receive(&mut self, line: Line, session: &mut Session) {
        if line.is_silent() || session.ending() != Ending::Open {
            return;
        }
        let mut speech = AdapterOutput::default();
        let is_done = self.is_caught_up(session) && self.dialect.handle_at_once(&line, &mut speech);
        let is_refused = !is_done && !self.has_room() && session.is_behind_unbounded_search();
        if is_refused {
            self.dialect.refuse_line(&line, &mut speech);
        }
        self.deliver(speech, session);
        if !is_done && !is_refused {
            self.waiting_bytes += line.bytes();
            self.waiting.push_back(line);
        }
        self.proceed(session);
    }

    fn end_of_input(&mut self, session: &mut Session) {
        self.input_ended = true;
        self.proceed(session);
    }

    /// Lets the dialect hear what has been said on both sides, until it waits for the session or the round is over.
    fn proceed(&mut self, session: &mut Session) {
        loop {
            // While nobody reads, what is under way is not told.
            if !self.output.is_empty() {
                session.drop_progress();
            }
            let said = session.take_lines();
            if !said.is_empty() {
                self.hear_replies(&said, session);
            } else if session.ending() != Ending::Open {
                self.waiting.clear();
                return;
            } else if self.can_hear() && session.round_is_over() || !self.go_on(session) {
                break;
            }
        }
        if self.input_ended && self.waiting.is_empty() {
            self.end(session);
        }
    }

    /// Lets the dialect have the next line; whether anything has come of it.
    fn go_on(&mut self, session: &mut Session) -> bool {
        let mut speech = AdapterOutput::default();
        let can_hear = self.can_hear();
        let Some(line) = self.waiting.front() else { return false };
        let is_done = can_hear || self.is_caught_up(session) && self.dialect.handle_at_once(line, &mut speech);
        if can_hear {
            self.dialect.handle_line(line, &mut speech);
        }
        if is_done {
            self.waiting_bytes -= line.bytes();
            self.waiting.pop_front();
        }
        let goes_on = is_done || !speech.commands.is_empty();
        self.deliver(speech, session);
        goes_on
    }

    fn hear_replies(&mut self, said: &[String], session: &mut Session) {
        for line in said {
            let mut speech = AdapterOutput::default();
            let Ok(reply) = line.parse();
            self.dialect.handle_reply(reply, &mut speech);
            self.deliver(speech, session);
        }
    }

    fn deliver(&mut self, speech: AdapterOutput, session: &mut Session) {
        self.output.extend(speech.text.as_bytes());
        for command in speech.commands {
            session.receive(Line::Text(command.to_string()));
        }
    }

    /// All lines have been heard: once the dialect has all its answers, the session may end.
    fn end(&mut self, session: &mut Session) {
        let mut speech = AdapterOutput::default();
        self.dialect.end_of_input(&mut speech);
        let is_idle = speech.commands.is_empty() && !self.dialect.is_busy();
        self.deliver(speech, session);
        if is_idle {
            session.end_of_input();
        }
    }
}
