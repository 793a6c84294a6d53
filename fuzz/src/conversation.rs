//! A conversation in any protocol: every question has its answer, every line is one of its protocol, and it ends.
//!
//! The driver has no thread and a clock of its own. A search runs when the driver says so, perhaps many lines after its `go`,
//! so that slow searches cost no time; and it is cheap, because [`CheapEngine`] caps its limits.

mod answers;

use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use noughts::engine::{Engine, EngineRequest, EngineResult, GoRequest, SearchBackend};
use noughts::protocol::{InputLine, LineReader};
use noughts::search::{Control, Instant, OnProgress};
use noughts::session::{
    Conversation, FinishedSearch, SearchEvent, SearchExecutor, SearchJob, Session, SessionLimits, SessionPhase,
};

use super::input::Input;
use super::script::{self, Step};

use answers::{Answers, Language};

/// The most nodes that a search may visit or play.
const MOST_NODES: u64 = 200;

/// Rounds after the end of the input in which everything has to come to its end.
const MOST_ROUNDS: usize = 50_000;

/// The longest answer to one command, in bytes.
const LONGEST_ANSWER: usize = 1 << 20;

pub fn law(data: &[u8]) {
    let mut input = Input::new(data);
    // Inputs of a time with four protocols mean the same but for some of those that began with UGI.
    let language = *input.choose(&[
        Language::Ugi,
        Language::Uci,
        Language::Gomocup,
        Language::XBoard,
        Language::Gtp,
        Language::Uci,
        Language::Gomocup,
        Language::XBoard,
    ]);
    let waiting = *input.choose(&[1 << 20, 1 << 20, 1 << 14, 256]);
    let mut driver = Driver::new(language, waiting);
    for line in language.opening() {
        driver.line(line.as_bytes());
    }
    while !input.is_empty() {
        match script::next(&mut input, language.templates(), language.words()) {
            Step::Event(event) => driver.event(event),
            Step::Line(line) => driver.line(&line),
        }
        driver.round();
    }
    driver.finish();
}

/// The engine, with limits that make every search quick.
#[derive(Default)]
struct CheapEngine(Engine);

impl SearchBackend for CheapEngine {
    fn answer(&mut self, request: EngineRequest, control: Control, on_progress: OnProgress<'_>) -> EngineResult {
        let most = MOST_NODES.try_into().ok();
        // A larger board needs more time than there is.
        let stop_if = |is_slow: bool| {
            if is_slow { Control::new(Arc::new(AtomicBool::new(true)), None, None) } else { control.clone() }
        };
        let (request, control) = match request {
            EngineRequest::Go { request, .. } => {
                let mut request = GoRequest::clone(&request);
                request.limits.nodes = request.limits.nodes.into_iter().chain(most).min();
                request.options.trials = Some(request.options.trials().min(MOST_NODES as u32));
                (EngineRequest::go(request), control)
            }
            EngineRequest::Explain(request) => {
                let is_slow = request.position.rules().cells() > 9;
                (EngineRequest::Explain(request), stop_if(is_slow))
            }
            EngineRequest::Trace(mut request) => {
                request.trials = Some(request.trials.unwrap_or(20).min(20));
                request.events = request.events.min(100);
                let is_slow = request.position.rules().cells() > 9 || request.position.empty_cells() > 7;
                (EngineRequest::Trace(request), stop_if(is_slow))
            }
        };
        let found = self.0.answer(request, control, on_progress);
        // A quick search has no progress to tell, so it tells its result.
        if let EngineResult::Go(found) = &found {
            on_progress(&found.result);
        }
        found
    }
}

/// The search that is handed over, and what it tells.
#[derive(Clone, Default)]
struct Searches(Arc<Mutex<(Option<SearchJob>, VecDeque<SearchEvent>)>>);

impl Searches {
    fn run(&self) {
        let Some(job) = self.0.lock().expect("one thread").0.take() else { return };
        let mut events = VecDeque::new();
        let finished = job.run(&mut |event| events.push_back(event));
        events.push_back(SearchEvent::Finished(finished));
        self.0.lock().expect("one thread").1.extend(events);
    }
}

impl SearchExecutor for Searches {
    fn start(&mut self, job: SearchJob) -> Option<FinishedSearch> {
        if job.is_quick {
            return Some(job.run(&mut |_| {}));
        }
        let before = self.0.lock().expect("one thread").0.replace(job);
        assert!(before.is_none(), "two searches at the same time");
        None
    }

    fn next_event(&mut self) -> Option<SearchEvent> {
        self.0.lock().expect("one thread").1.pop_front()
    }
}

struct Driver {
    conversation: Conversation,
    searches: Searches,
    reader: LineReader,
    lines: VecDeque<InputLine>,
    /// The time since the beginning, by the driver's own clock.
    time: Cell<Duration>,
    start: Instant,
    /// True if searches wait for an event.
    is_lazy: bool,
    /// True if the client takes no output.
    is_deaf: bool,
    waiting: usize,
    answers: Answers,
}

impl Driver {
    fn new(language: Language, waiting: usize) -> Driver {
        let start = Instant::now();
        let limits = SessionLimits { hash: 1, threads: 1, files: false, waiting, ..SessionLimits::NONE };
        let session = Session::with_backend(|| Box::new(CheapEngine::default())).limited_to(limits);
        let searches = Searches::default();
        let mut conversation = Conversation::new(session, searches.clone());
        for (name, value) in [("seed", "1"), ("trials", "20")] {
            conversation.preset(name, value).expect("an option");
        }
        Driver {
            conversation,
            searches,
            reader: LineReader::default(),
            lines: VecDeque::new(),
            time: Cell::default(),
            start,
            is_lazy: false,
            is_deaf: false,
            waiting,
            answers: Answers::new(language),
        }
    }

    fn now(&self) -> Instant {
        self.start + self.time.get()
    }

    fn event(&mut self, event: u8) {
        let pass = |time: Duration| self.time.set(self.time.get() + time);
        match event % 8 {
            0 => self.searches.run(),
            1 => pass(Duration::from_millis(20)),
            2 => pass(Duration::from_secs(2)),
            3 => pass(Duration::from_secs(100_000)),
            4 => self.is_lazy = !self.is_lazy,
            5 => self.is_deaf = !self.is_deaf,
            6 => self.read(10),
            _ => self.conversation.drop_progress(),
        }
    }

    fn line(&mut self, line: &[u8]) {
        let bytes = [line, b"\n"].concat();
        let mut bytes = &bytes[..];
        while !bytes.is_empty() {
            self.lines.extend(self.reader.take(&mut bytes));
        }
    }

    /// The work of a driver between two waits.
    fn round(&mut self) {
        self.conversation.begin_round(self.now());
        while self.conversation.wants_input()
            && let Some(line) = self.lines.pop_front()
        {
            self.answers.expect(&line, self.conversation.phase() == SessionPhase::Open);
            self.conversation.receive(line, self.now());
        }
        if !self.is_lazy {
            self.searches.run();
        }
        self.conversation.proceed(|| {
            self.time.set(self.time.get() + Duration::from_micros(20));
            self.start + self.time.get()
        });
        let length = self.conversation.output().len();
        assert!(length <= self.waiting + LONGEST_ANSWER, "{length} bytes wait");
        if !self.is_deaf {
            self.read(usize::MAX);
        }
    }

    /// Reads so many bytes at most.
    fn read(&mut self, most: usize) {
        let output = self.conversation.output();
        let length = output.len().min(most);
        self.answers.take(&output.make_contiguous()[..length]);
        self.conversation.take(length);
    }

    /// Ends the input, and sees everything come to its end.
    fn finish(mut self) {
        (self.is_lazy, self.is_deaf) = (false, false);
        let mut has_ended = false;
        for _ in 0..MOST_ROUNDS {
            self.round();
            if self.conversation.is_over() && self.conversation.output().is_empty() {
                return self.answers.check();
            }
            // A `quit` is enough to end it.
            if !has_ended && self.lines.is_empty() && !self.answers.has_quit() {
                has_ended = true;
                self.conversation.end_of_input(self.now());
            }
            if let Some(deadline) = self.conversation.deadline() {
                self.time.set(self.time.get().max(deadline.saturating_duration_since(self.start)));
            }
        }
        panic!("the conversation does not end");
    }
}
