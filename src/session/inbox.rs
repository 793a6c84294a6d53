//! The lines of a client: those that wait, in bounded memory, and what is counted for `stop`, `ponderhit`, `isready` and
//! `quit`.

use std::collections::VecDeque;

use crate::protocol::InputLine;
use crate::protocol::adapters::LineEffect;
use noughts_core::search::Instant;

/// The most lines that wait.
const MAX_LINES: usize = 65_536;

/// The phase of a session: whether it goes on.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum SessionPhase {
    /// Lines are taken.
    #[default]
    Open,
    /// No more lines will come: what has a limit is finished.
    InputEnded,
    /// A `quit` has come that a `wait` holds back: what waits is finished, and no command but `stop` and `isready` counts.
    QuitHeld,
    /// Only stopped searches are answered, then the session is over.
    Quit,
}

/// The lines of a client. A line has a number: how many lines came before it.
#[derive(Default)]
pub struct Inbox {
    lines: VecDeque<WaitingLine>,
    /// Bytes of the lines that wait.
    bytes: usize,
    /// The numbers of the searches among the lines that wait.
    searches: VecDeque<u64>,
    /// Lines received so far.
    received: u64,
    /// The searches among the first so many lines are to stop.
    stopped_before: u64,
    /// `go ponder` lines among the first so many have had their `ponderhit`.
    hit_before: u64,
    /// Replies to `isready` that wait for searches: for those among the first so many lines, so many replies.
    ready_owed: VecDeque<(u64, usize)>,
    phase: SessionPhase,
    /// Set when a `wait` has come: the client is a script that wants everything it has asked for.
    has_wait: bool,
}

struct WaitingLine {
    number: u64,
    line: InputLine,
    effect: LineEffect,
    /// Set when a change of the game that came after it was refused.
    loses_sync: bool,
}

/// The turn of a line: what the session has to know when the line asks for a search.
#[derive(Clone, Copy)]
pub struct Turn {
    /// The number of the line.
    pub number: u64,
    /// When the time of the line begins: when it was read, or when its turn came if it had to wait.
    pub since: Instant,
    /// True if a `stop` has come that ends its search.
    pub is_stopped: bool,
    /// True if a `ponderhit` has come for it.
    pub is_hit: bool,
    /// True if no `stop` can come any more.
    pub is_input_over: bool,
}

impl Inbox {
    /// Counts a line that has been received.
    pub fn count_line(&mut self) {
        self.received += 1;
    }

    /// The turn of the line that was received last, or of a reply.
    pub fn turn_now(&self, since: Instant) -> Turn {
        let is_input_over = self.phase != SessionPhase::Open;
        Turn { number: self.received.saturating_sub(1), since, is_stopped: false, is_hit: false, is_input_over }
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// True if no more lines should come in, when so many bytes may wait. One that comes nevertheless is kept.
    pub fn is_full(&self, most: usize) -> bool {
        self.lines.len() >= MAX_LINES || self.bytes >= most
    }

    /// Lets the line that was received last wait for its turn.
    pub fn push(&mut self, line: InputLine, effect: LineEffect) {
        let number = self.received - 1;
        self.bytes += line.bytes();
        if let LineEffect::Search { .. } = effect {
            self.searches.push_back(number);
        }
        self.has_wait |= effect == LineEffect::Wait;
        self.lines.push_back(WaitingLine { number, line, effect, loses_sync: false });
    }

    /// The next line.
    pub fn first(&self) -> Option<&InputLine> {
        self.lines.front().map(|waiting| &waiting.line)
    }

    /// Takes the next line, with its turn. The flag is set when a change of the game that came after it was refused.
    pub fn pop(&mut self, since: Instant) -> Option<(InputLine, Turn, bool)> {
        let WaitingLine { number, line, effect, loses_sync } = self.lines.pop_front()?;
        self.bytes -= line.bytes();
        let mut turn = Turn { number, ..self.turn_now(since) };
        if let LineEffect::Search { .. } = effect {
            self.searches.pop_front();
            (turn.is_stopped, turn.is_hit) = (number < self.stopped_before, number < self.hit_before);
        }
        Some((line, turn, loses_sync))
    }

    /// Marks the last line that waits: a change of the game that came after it was refused.
    pub fn lose_sync(&mut self) {
        if let Some(last) = self.lines.back_mut() {
            last.loses_sync = true;
        }
    }

    /// Takes a `stop`: it ends all searches asked for so far.
    pub fn stop(&mut self) {
        self.stopped_before = self.received;
    }

    /// Takes a `ponderhit`.
    pub fn ponder_hit(&mut self) {
        self.hit_before = self.received;
    }

    /// Takes a `wait`.
    pub fn wait(&mut self) {
        self.has_wait = true;
    }

    /// True if a `wait` has come.
    pub fn has_wait(&self) -> bool {
        self.has_wait
    }

    /// Takes an `isready`. Its answer waits until all searches that have been stopped before it have answered.
    pub fn owe_ready(&mut self) {
        match self.ready_owed.back_mut() {
            Some((before, replies)) if *before == self.stopped_before => *replies += 1,
            _ => self.ready_owed.push_back((self.stopped_before, 1)),
        }
    }

    /// Takes an `isready` away that is to be answered now, while the search of this number is under way. Returns false if
    /// there is none.
    pub fn take_ready(&mut self, searching: Option<u64>) -> bool {
        let first_search = searching.or(self.searches.front().copied());
        let Some((before, replies)) = self.ready_owed.front_mut() else { return false };
        if first_search.is_some_and(|number| number < *before) {
            return false;
        }
        *replies -= 1;
        if *replies == 0 {
            self.ready_owed.pop_front();
        }
        true
    }

    /// The phase of the session: whether more lines count.
    pub fn phase(&self) -> SessionPhase {
        self.phase
    }

    /// Takes the end of the input. Returns false if it counts no more.
    pub fn end(&mut self) -> bool {
        let is_open = self.phase == SessionPhase::Open;
        if is_open {
            self.phase = SessionPhase::InputEnded;
        }
        is_open
    }

    /// Takes a `quit`. If a `wait` is among the lines that wait, with no endless search before it, the lines up to that
    /// `wait` have their turn first. Otherwise all is dropped that came after the last `stop`, and the caller is to stop
    /// the search that is under way: then the result is true.
    pub fn quit(&mut self, is_behind_endless_search: bool) -> bool {
        if self.phase != SessionPhase::Open {
            return false;
        }
        if let Some(count) = self.up_to_wait().filter(|_| !is_behind_endless_search) {
            self.phase = SessionPhase::QuitHeld;
            self.lines.truncate(count);
        } else {
            self.phase = SessionPhase::Quit;
            let stopped_before = self.stopped_before;
            self.lines.retain(|waiting| waiting.number < stopped_before && waiting.effect != LineEffect::Unknown);
        }
        self.bytes = self.lines.iter().map(|waiting| waiting.line.bytes()).sum();
        let is_search = |waiting: &&WaitingLine| matches!(waiting.effect, LineEffect::Search { .. });
        self.searches = self.lines.iter().filter(is_search).map(|waiting| waiting.number).collect();
        self.phase == SessionPhase::Quit
    }

    /// The number of lines up to the last `wait` that will have its turn: there is no endless search before it. A search
    /// that has been stopped does end.
    fn up_to_wait(&self) -> Option<usize> {
        let is_endless = |waiting: &WaitingLine| {
            waiting.number >= self.stopped_before && waiting.effect == LineEffect::Search { is_endless: true }
        };
        let ending = self.lines.iter().take_while(|waiting| !is_endless(waiting)).count();
        let last_wait = self.lines.iter().take(ending).rposition(|waiting| waiting.effect == LineEffect::Wait);
        last_wait.map(|index| index + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets lines of so many bytes wait as long as there is room. Returns how many there were.
    fn filled(bytes: usize, most: usize) -> usize {
        let mut inbox = Inbox::default();
        let lines = (0..).take_while(|_| {
            let has_room = !inbox.is_full(most);
            inbox.count_line();
            inbox.push(InputLine::Text("x".repeat(bytes)), LineEffect::Other);
            has_room
        });
        lines.count()
    }

    #[test]
    fn as_many_lines_and_bytes_wait_as_are_allowed() {
        let most = 16 << 20;
        assert_eq!(filled(10, most), MAX_LINES);
        for bytes in [1 << 12, 1 << 16, 60_000] {
            assert_eq!(filled(bytes, most), most.div_ceil(bytes));
        }
    }
}
