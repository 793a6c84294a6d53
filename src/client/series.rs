//! Many questions in one write, each answer held to its question.
//!
//! Behind every question stands an `isready`. An engine that carries out its lines in order says `readyok` behind each
//! answer, so that an answer too many is told from the answer to the next question, and a question that was left out
//! is known by its place. An engine that says `readyok` while it thinks can only be counted along; if such a one says
//! too much, nothing can be told any more. An engine of another protocol is asked one question at a time, and one
//! without `isready` as it is in a game.

use std::time::Instant;

use crate::protocol::{Command, Line};

use super::{Answer, Client, Failure, Preparation, Question, complaint_of, is_string, word_of};

/// The most lines of one answer that are kept: no board has more moves.
const MAX_LINES: usize = 400;

/// The most questions that are asked at once.
const MAX_QUESTIONS: usize = 256;

/// The most text that is written at once, in bytes.
const MAX_BYTES: usize = 48 << 10;

/// What goes with a question, in bytes: line ends, `isready`, and a seed.
const OVERHEAD: usize = 64;

/// Why a series has ended too early.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeriesFailure {
    /// The question that was not answered, counted from 0.
    pub question: usize,
    /// What the engine did instead.
    pub failure: Failure,
}

/// Whether each answer of a series was to the question that it was taken for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// As far as can be told.
    Kept,
    /// The answers may have been shifted for a while: whoever must know asks again, one question at a time.
    Doubtful,
}

/// How far an engine has come with a series.
#[derive(Default)]
struct Course {
    answered: usize,
    /// How often the engine was ready; once before the first question.
    ready: usize,
    /// The first question behind which the engine was ready without an answer to it.
    passed_over: Option<usize>,
    /// The most answers that were missing when the engine was ready.
    lag: usize,
    /// Whether none was missing any more after one had been.
    recovered: bool,
}

impl Course {
    fn be_ready(&mut self) {
        let missing = self.ready.saturating_sub(self.answered);
        if missing > 0 {
            self.passed_over.get_or_insert(self.answered);
            self.lag = self.lag.max(missing);
        } else {
            self.recovered |= self.passed_over.is_some();
        }
        self.ready += 1;
    }

    /// Whether an answer would be one too many.
    fn is_even(&self) -> bool {
        self.answered >= self.ready
    }

    /// Whether each answer was to the question that it was taken for. One answer was missing for a while and then none:
    /// the engine may have said `readyok` while it thought, or left out an answer and given another one twice.
    fn order(&self) -> Order {
        if self.lag == 1 && self.recovered { Order::Doubtful } else { Order::Kept }
    }

    /// The question that an engine owes an answer to. If never more than one was missing, it was left out in passing.
    fn unanswered(&self) -> usize {
        self.passed_over.filter(|_| self.lag == 1).unwrap_or(self.answered)
    }
}

impl Client {
    /// Asks questions with as few writes as can be, and hands each answer to `take`, in the order of the questions.
    /// Each may take as long as its question allows, counted from the answer before it.
    ///
    /// # Errors
    /// When an answer does not come; those before it have been handed out. With [`Failure::Unasked`] it cannot be told
    /// which question an answer belongs to: then those that were handed out are worth nothing.
    pub fn ask_series(
        &mut self,
        questions: &[Question<'_>],
        mut take: impl FnMut(Answer),
    ) -> Result<Order, SeriesFailure> {
        if !self.has_isready() {
            for (place, question) in questions.iter().enumerate() {
                take(self.ask(*question).map_err(|failure| SeriesFailure { question: place, failure })?);
            }
            return Ok(Order::Kept);
        }
        let (mut asked, mut order) = (0, Order::Kept);
        while asked < questions.len() {
            let some = &questions[asked..];
            // Other protocols want an answer to each question before the next.
            let some = &some[..if self.adapter.is_some() { 1 } else { fitting(some) }];
            let mut course = Course::default();
            self.pose(some, &mut course, &mut take).map_err(|failure| {
                let question = asked + course.unanswered().min(some.len() - 1);
                SeriesFailure { question, failure }
            })?;
            asked += some.len();
            if course.order() == Order::Doubtful {
                order = Order::Doubtful;
            }
        }
        Ok(order)
    }

    fn pose(
        &mut self,
        questions: &[Question<'_>],
        course: &mut Course,
        take: &mut dyn FnMut(Answer),
    ) -> Result<(), Failure> {
        self.queue(&Command::IsReady);
        // Nor do they say `readyok` in the order of the questions: there it stands in front of the only one.
        let behind_each = self.adapter.is_none();
        for question in questions {
            self.queue_question(*question);
            if behind_each {
                self.pending.push_str("isready\n");
            }
        }
        let readies = if behind_each { questions.len() + 1 } else { 1 };
        let mut since = Instant::now();
        let Some(first) = questions.first() else { return Ok(()) };
        self.flush(since + first.limit)?;
        let (mut info, mut multi_pv, mut complaint, mut stale) = (None, Vec::new(), None, 0);
        while course.answered < questions.len() || course.ready < readies {
            let limit = match questions.get(course.answered) {
                Some(question) if !course.is_even() => question.limit,
                _ => self.surroundings.ready_patience(),
            };
            let line = self.next_line(since + limit)?;
            match line.as_ref().map_or("", word_of) {
                "readyok" => {
                    course.be_ready();
                    self.overtakes |= course.lag > 0;
                }
                "bestmove" if course.is_even() && self.overtakes => return Err(Failure::Unasked),
                "bestmove" if course.is_even() => stale += 1,
                "bestmove" => {
                    let Some(line) = line else { continue };
                    let (multi_pv, stale) = (std::mem::take(&mut multi_pv), std::mem::take(&mut stale));
                    let (now, complaint) = (Instant::now(), complaint.take());
                    take(Answer { line, elapsed: now - since, info: info.take(), multi_pv, complaint, stale });
                    course.answered += 1;
                    since = now;
                }
                // An engine that never stops to talk must not go on for ever.
                _ if line.is_none() || since.elapsed() > limit => {
                    return Err(match course.is_even() {
                        true => Failure::NotReady(Preparation::ReadyOk),
                        false => self.overtime(since, true),
                    });
                }
                "info" => {
                    let Some(line) = line else { continue };
                    match complaint_of(&line) {
                        None if is_string(&line) => {}
                        None => {
                            keep(&mut multi_pv, &line);
                            info = Some(line);
                        }
                        told => complaint = told,
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// How many of the questions an engine can be asked at once: as many as a pipe takes even if nobody reads it, so that
/// nobody waits for the other end to read.
fn fitting(questions: &[Question<'_>]) -> usize {
    let mut bytes = 0;
    let fits = |question: &&Question<'_>| {
        bytes += question.position.len() + question.go.len() + OVERHEAD;
        bytes <= MAX_BYTES
    };
    questions.iter().take(MAX_QUESTIONS).take_while(fits).count().max(1)
}

/// Keeps a line about one of the best moves; with the first of them those of an earlier depth go.
fn keep(multi_pv: &mut Vec<Line>, line: &Line) {
    let Line::Text(text) = line else { return };
    let Some((_, rest)) = text.split_once(" multipv ") else { return };
    if rest.split(' ').next() == Some("1") {
        multi_pv.clear();
    }
    if multi_pv.len() < MAX_LINES {
        multi_pv.push(line.clone());
    }
}
