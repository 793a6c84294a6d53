//! The edge of a session: lines of text in, lines of text out.
//!
//! The first word of a client chooses its protocol. Lines of our own protocol become commands here, and replies become
//! lines. The lines of another protocol go to its adapter, which hands in commands and takes replies.

use std::collections::VecDeque;
use std::fmt::Write;

use crate::protocol::adapters::{AdapterOutput, adapter_for};
use crate::protocol::{InputLine, Reply};
use noughts_core::search::Instant;

use super::adapted_client::AdaptedClient;
use super::debug_log::{DebugLog, DebugLogError, Direction};
use super::{SearchEvent, SearchExecutor, Session, SessionOutput, SessionPhase};

/// One client's conversation. Its driver hands in lines and the time, and takes bytes away.
pub struct Conversation {
    session: Session,
    searches: Box<dyn SearchExecutor>,
    protocol: ClientProtocol,
    debug_log: DebugLog,
    /// Lines that the client has not read.
    output: VecDeque<u8>,
    /// The line that is being written.
    line: String,
    /// The length of the output while it is nothing but a progress line, else 0.
    progress_bytes: usize,
}

enum ClientProtocol {
    /// The client has said nothing yet.
    Undecided,
    Own,
    Adapted(AdaptedClient),
}

impl Conversation {
    /// A conversation with a client that chooses its protocol with its first word.
    pub fn new(session: Session, searches: impl SearchExecutor + 'static) -> Conversation {
        Conversation::with_protocol(session, Box::new(searches), ClientProtocol::Undecided)
    }

    /// A conversation with a client that speaks our own protocol, whatever its first word is.
    pub fn in_own_protocol(session: Session, searches: impl SearchExecutor + 'static) -> Conversation {
        Conversation::with_protocol(session, Box::new(searches), ClientProtocol::Own)
    }

    fn with_protocol(session: Session, searches: Box<dyn SearchExecutor>, protocol: ClientProtocol) -> Conversation {
        Conversation {
            session,
            searches,
            protocol,
            debug_log: DebugLog::default(),
            output: VecDeque::new(),
            line: String::new(),
            progress_bytes: 0,
        }
    }

    /// Sets an option before the client has said anything.
    ///
    /// # Errors
    /// When the option does not accept the value: the words of the error line that a client would get.
    pub fn preset(&mut self, name: &str, value: &str) -> Result<(), String> {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let set = self.session.set_option(&name, value.trim());
        let set = set.and_then(|()| match self.session.next_output() {
            Some(SessionOutput::DebugLog(name)) => self.debug_log.open(&name).map_err(|error| error.to_string()),
            _ => Ok(()),
        });
        set.map_err(|problem| format!("setoption: {problem}"))
    }

    /// Writes input to the debug log, if the client wants one.
    pub fn note_input(&mut self, bytes: &[u8]) {
        let noted = self.debug_log.pass(Direction::In, bytes);
        self.tell_of_log(noted);
    }

    /// Takes so many bytes of output away, which the client has read.
    pub fn take(&mut self, bytes: usize) {
        let is_noted = self.debug_log.is_open();
        let taken = self.output.drain(..bytes);
        if is_noted {
            let taken: Vec<u8> = taken.collect();
            let noted = self.debug_log.pass(Direction::Out, &taken);
            self.tell_of_log(noted);
        }
    }

    /// Tells the client that the debug log has ended. A log that cannot be written does not stop the engine.
    fn tell_of_log(&mut self, noted: Result<(), DebugLogError>) {
        if let Err(error) = noted {
            self.reply(Reply::Error(error.to_string()), false, self.session.now);
        }
    }

    /// Takes a line.
    pub fn receive(&mut self, line: InputLine, now: Instant) {
        if matches!(self.protocol, ClientProtocol::Undecided) && !line.is_silent() {
            self.protocol = match adapter_for(&line) {
                Some(adapter) => ClientProtocol::Adapted(AdaptedClient::new(adapter)),
                None => ClientProtocol::Own,
            };
        }
        self.tell_unread();
        match &mut self.protocol {
            ClientProtocol::Undecided | ClientProtocol::Own => {
                if let Some(command) = line.command() {
                    self.session.receive(command, line.bytes(), now);
                    self.take_outputs(now);
                }
            }
            ClientProtocol::Adapted(client) => {
                let output = client.receive(line, &self.session);
                self.deliver(output, now);
                self.feed_adapter(now);
            }
        }
    }

    /// Notes that no more lines will come.
    pub fn end_of_input(&mut self, now: Instant) {
        self.debug_log.end_of_input();
        match &mut self.protocol {
            ClientProtocol::Undecided | ClientProtocol::Own => {
                self.session.end_of_input();
                self.take_outputs(now);
            }
            ClientProtocol::Adapted(client) => {
                client.input_ended = true;
                self.feed_adapter(now);
            }
        }
    }

    /// Begins a round: for about a millisecond from now, what comes in and what waits is carried out on the spot.
    pub fn begin_round(&mut self, now: Instant) {
        self.session.begin_round(now);
    }

    /// Takes in what searches tell, and carries out what waits until the round is over. `clock` tells the time.
    pub fn proceed(&mut self, clock: impl Fn() -> Instant) {
        // What the client has read meanwhile may have made room for work.
        self.tell_unread();
        if self.is_idle() {
            return;
        }
        let mut now = clock();
        loop {
            self.step(now);
            if !self.has_work() {
                return;
            }
            now = clock();
            if self.session.is_round_over(now) {
                return;
            }
        }
    }

    /// True if nothing is left to do before the next line. Short answers are so fast that a step less counts.
    fn is_idle(&self) -> bool {
        !matches!(self.protocol, ClientProtocol::Adapted(_)) && !self.session.has_work() && !self.session.is_searching()
    }

    /// Takes in what searches tell, and carries out one command or line that waits.
    fn step(&mut self, now: Instant) {
        while let Some(event) = self.searches.next_event() {
            self.tell_unread();
            self.session.take_event(event, now);
            self.take_outputs(now);
        }
        self.tell_unread();
        self.session.proceed(now);
        self.take_outputs(now);
        self.feed_adapter(now);
    }

    /// Output that the client has not read. The driver removes from the front what the client takes.
    pub fn output(&mut self) -> &mut VecDeque<u8> {
        &mut self.output
    }

    /// Drops a progress line that the client has not taken, so that it does not count as output that waits.
    pub fn drop_progress(&mut self) {
        // A line that has been written in part has to be finished.
        if self.output.len() == self.progress_bytes {
            self.output.clear();
        }
    }

    /// True if a line may be handed in now.
    pub fn wants_input(&self) -> bool {
        self.has_output_room()
            && match &self.protocol {
                ClientProtocol::Undecided | ClientProtocol::Own => self.session.wants_input(),
                ClientProtocol::Adapted(client) => {
                    let room = client.has_room(&self.session) || self.session.is_behind_unbounded_search();
                    self.phase() == SessionPhase::Open && room
                }
            }
    }

    /// True if [`Conversation::proceed`] has something to do without waiting for a search.
    pub fn has_work(&self) -> bool {
        let takes_lines = matches!(&self.protocol, ClientProtocol::Adapted(client) if client.can_take_line());
        self.has_output_room() && (takes_lines || self.session.has_work())
    }

    fn has_output_room(&self) -> bool {
        self.output.len() < self.session.limits().waiting
    }

    /// Whether the conversation goes on, and if not, how it ended.
    pub fn phase(&self) -> SessionPhase {
        match (&self.protocol, self.session.phase()) {
            (ClientProtocol::Adapted(AdaptedClient { input_ended: true, .. }), SessionPhase::Open) => {
                SessionPhase::InputEnded
            }
            (_, phase) => phase,
        }
    }

    /// True if the conversation is over and only output may be left to be taken away.
    pub fn is_over(&self) -> bool {
        let heard = match &self.protocol {
            ClientProtocol::Undecided | ClientProtocol::Own => true,
            ClientProtocol::Adapted(client) => client.is_idle(),
        };
        heard && self.session.is_over()
    }

    /// When [`Conversation::proceed`] is to be called at the latest, to answer in time.
    pub fn deadline(&self) -> Option<Instant> {
        self.session.deadline()
    }

    /// True if a search is under way that will answer by itself.
    pub fn awaits_answer(&self) -> bool {
        self.session.awaits_answer()
    }

    /// True if a `wait` has come: the client is a script that wants everything it has asked for.
    pub fn has_been_asked_to_wait(&self) -> bool {
        self.session.has_been_asked_to_wait()
    }

    /// Tells the session what its client has not read. A client of an adapter gets no progress while output waits, and
    /// the adapter itself gets no line while too much waits.
    fn tell_unread(&mut self) {
        let unread = match &self.protocol {
            ClientProtocol::Undecided | ClientProtocol::Own => self.output.len(),
            ClientProtocol::Adapted(_) => usize::from(!self.output.is_empty()),
        };
        self.session.note_unread(unread);
    }

    /// Takes all outputs of the session: writes replies or hands them to the adapter, and starts searches.
    fn take_outputs(&mut self, now: Instant) {
        loop {
            let is_progress = self.session.has_only_progress();
            match self.session.next_output() {
                None => return,
                Some(SessionOutput::Reply(reply)) => self.reply(reply, is_progress, now),
                Some(SessionOutput::Search(job)) => {
                    if let Some(finished) = self.searches.start(job) {
                        self.session.take_event(SearchEvent::Finished(finished), now);
                    }
                }
                Some(SessionOutput::DebugLog(name)) => {
                    if let Err(error) = self.debug_log.open(&name) {
                        self.reply(Reply::Error(format!("setoption: {error}")), false, now);
                    }
                }
            }
        }
    }

    fn reply(&mut self, reply: Reply, is_progress: bool, now: Instant) {
        if let ClientProtocol::Adapted(client) = &mut self.protocol {
            let output = client.reply(reply);
            return self.deliver(output, now);
        }
        // A queue takes one long piece faster than many short ones.
        self.line.clear();
        writeln!(self.line, "{reply}").expect("a string takes everything");
        self.output.extend(self.line.as_bytes());
        self.progress_bytes = if is_progress { self.output.len() } else { 0 };
    }

    /// Delivers what an adapter says: text to the client, commands to the session.
    fn deliver(&mut self, output: AdapterOutput, now: Instant) {
        self.output.extend(output.text.as_bytes());
        for command in output.commands {
            self.session.receive(Ok(command), 0, now);
        }
    }

    /// Gives the adapter the replies, and at most one line in its turn.
    fn feed_adapter(&mut self, now: Instant) {
        if !matches!(self.protocol, ClientProtocol::Adapted(_)) {
            return;
        }
        let mut may_take_line = !self.session.is_round_over(now);
        loop {
            self.take_outputs(now);
            let has_room = self.has_output_room();
            let ClientProtocol::Adapted(client) = &mut self.protocol else { return };
            if self.session.phase() != SessionPhase::Open {
                return client.drop_lines();
            }
            let can_take_line = has_room && client.can_take_line();
            if can_take_line && !std::mem::take(&mut may_take_line) {
                break;
            }
            match client.take_next_line(can_take_line, &self.session) {
                Some(output) => self.deliver(output, now),
                None => break,
            }
        }
        self.end_adapter(now);
    }

    /// Ends the input of the session once the adapter has all lines and all its answers.
    fn end_adapter(&mut self, now: Instant) {
        // What ends a search that would go on for ever may be answered at once; then there is nothing more to wait for.
        for _ in 0..2 {
            let ClientProtocol::Adapted(client) = &mut self.protocol else { return };
            if !client.input_ended || !client.is_idle() {
                return;
            }
            let (output, is_done) = client.end();
            self.deliver(output, now);
            if is_done {
                self.session.end_of_input();
            }
            self.take_outputs(now);
            if is_done {
                return;
            }
        }
    }
}
