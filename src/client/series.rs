//! Many requests in one write, with each response matched to its request.
//!
//! An `isready` follows every request. An engine that carries out its lines in order sends `readyok` after each
//! response. So the client can tell a superfluous response from the next one, and knows where a response is missing. If
//! an engine sends `readyok` while it thinks, the client can only count. If such an engine gives too many responses,
//! none can be matched any more. An engine of another protocol gets one request at a time; without `isready`, it gets
//! the same requests as in a game.

use std::time::Instant;

use crate::protocol::{Command, EngineReply, Info, Reply};

use super::{Client, Failure, MoveRequest, MoveResponse};

/// The most lines of `info` that are kept for one response: no board has more moves.
const MAX_LINES: usize = 400;

/// The most requests in one write.
const MAX_REQUESTS: usize = 256;

/// The most text that is written at once, in bytes.
const MAX_BYTES: usize = 48 << 10;

/// The bytes that are written with each request: line ends and `isready`.
const OVERHEAD: usize = 16;

/// The reason why a series has ended too early.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeriesFailure {
    /// The request without a response, counted from 0.
    pub request: usize,
    /// The failure of the engine.
    pub failure: Failure,
}

/// The certainty that each response of a series belongs to the request that it was matched to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeriesOrder {
    /// Every response does, as far as the client can tell.
    Kept,
    /// Some responses may belong to the request before or after. To be sure, ask again with one request at a time.
    Doubtful,
}

/// The progress of an engine with the requests of one write.
#[derive(Default)]
struct SeriesProgress {
    answered: usize,
    /// The number of times that the engine was ready; once before the first request.
    ready: usize,
    /// The first request behind which the engine was ready without a response to it.
    passed_over: Option<usize>,
    /// The most responses that were missing when the engine was ready.
    lag: usize,
    /// True if a response was missing for a while and then none any more.
    recovered: bool,
}

impl SeriesProgress {
    /// Counts a `readyok`.
    fn count_ready(&mut self) {
        let missing = self.ready.saturating_sub(self.answered);
        if missing > 0 {
            self.passed_over.get_or_insert(self.answered);
            self.lag = self.lag.max(missing);
        } else {
            self.recovered |= self.passed_over.is_some();
        }
        self.ready += 1;
    }

    /// True if the next response would be one too many.
    fn has_none_due(&self) -> bool {
        self.answered >= self.ready
    }

    /// The certainty that responses and requests match. If one response was missing for a while and then none, there is
    /// a doubt: the engine has sent `readyok` while it thought, or it has left out a response and given another one
    /// twice.
    fn order(&self) -> SeriesOrder {
        if self.lag == 1 && self.recovered { SeriesOrder::Doubtful } else { SeriesOrder::Kept }
    }

    /// The request without a response. If never more than one response was missing, the engine passed that request over.
    fn unanswered(&self) -> usize {
        self.passed_over.filter(|_| self.lag == 1).unwrap_or(self.answered)
    }
}

impl Client {
    /// Writes requests with as few writes as possible, and hands each response to `take`, in the order of the requests.
    /// Each response may take as long as its request allows, counted from the response before it.
    ///
    /// # Errors
    /// When a response does not come; those before it have been handed out. With [`Failure::Unasked`] no response can be
    /// matched to its request: then those that were handed out are worth nothing.
    pub fn request_series(
        &mut self,
        requests: &[MoveRequest<'_>],
        mut take: impl FnMut(MoveResponse),
    ) -> Result<SeriesOrder, SeriesFailure> {
        if !self.has_isready() {
            for (index, request) in requests.iter().enumerate() {
                take(self.request_move(*request).map_err(|failure| SeriesFailure { request: index, failure })?);
            }
            return Ok(SeriesOrder::Kept);
        }
        let (mut done, mut order) = (0, SeriesOrder::Kept);
        while done < requests.len() {
            let some = &requests[done..];
            // Other protocols want a response to each request before the next.
            let some = &some[..if self.adapter.is_some() { 1 } else { fitting(some) }];
            let mut progress = SeriesProgress::default();
            self.request_in_one_write(some, &mut progress, &mut take).map_err(|failure| {
                let request = done + progress.unanswered().min(some.len() - 1);
                SeriesFailure { request, failure }
            })?;
            done += some.len();
            if progress.order() == SeriesOrder::Doubtful {
                order = SeriesOrder::Doubtful;
            }
        }
        Ok(order)
    }

    fn request_in_one_write(
        &mut self,
        requests: &[MoveRequest<'_>],
        progress: &mut SeriesProgress,
        take: &mut dyn FnMut(MoveResponse),
    ) -> Result<(), Failure> {
        let Some(first) = requests.first() else { return Ok(()) };
        self.wants_info = requests.iter().any(|request| request.wants_info);
        self.queue(&Command::IsReady);
        // An engine of another protocol need not send `readyok` in its turn: there it stands before the only request.
        let behind_each = self.adapter.is_none();
        for request in requests {
            self.queue_request(*request);
            if behind_each {
                self.pending.push_str("isready\n");
            }
        }
        let readies = if behind_each { requests.len() + 1 } else { 1 };
        let mut since = Instant::now();
        self.flush(since + first.limit)?;
        let mut response = MoveResponse::default();
        while progress.answered < requests.len() || progress.ready < readies {
            let limit = match requests.get(progress.answered) {
                Some(request) if !progress.has_none_due() => request.limit,
                _ => self.context.ready_patience(),
            };
            match self.next_reply(since + limit)? {
                Some(EngineReply::Reply(Reply::ReadyOk)) => {
                    progress.count_ready();
                    self.overtakes |= progress.lag > 0;
                }
                Some(EngineReply::BestMove { .. }) if progress.has_none_due() && self.overtakes => {
                    return Err(Failure::Unasked);
                }
                Some(EngineReply::BestMove { .. }) if progress.has_none_due() => response.stale += 1,
                Some(EngineReply::BestMove { best_move, line }) => {
                    let now = Instant::now();
                    take(MoveResponse { best_move, line, elapsed: now - since, ..std::mem::take(&mut response) });
                    progress.answered += 1;
                    since = now;
                }
                // An engine that sends lines all the time must not go on for ever.
                reply if reply.is_none() || since.elapsed() > limit => {
                    return Err(match progress.has_none_due() {
                        true => self.no_ready(),
                        false => self.overtime(since, true),
                    });
                }
                Some(EngineReply::Reply(Reply::Error(text))) => response.error = Some(text),
                Some(EngineReply::Reply(Reply::Info(info))) if self.wants_info => {
                    keep(&mut response.multi_pv, &info);
                    response.info = Some(info);
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The number of requests that can be written at once: as many as a pipe takes even if the engine does not read. So the
/// two never wait for each other to read.
fn fitting(requests: &[MoveRequest<'_>]) -> usize {
    let mut bytes = 0;
    let fits = |request: &&MoveRequest<'_>| {
        bytes += request.position.len() + request.go.len() + OVERHEAD;
        bytes <= MAX_BYTES
    };
    requests.iter().take(MAX_REQUESTS).take_while(fits).count().max(1)
}

/// Keeps the `info` of one of the best moves. The first of them drops those of an earlier depth.
fn keep(multi_pv: &mut Vec<Info>, info: &Info) {
    let Some(rank) = info.multipv else { return };
    if rank == 1 {
        multi_pv.clear();
    }
    if multi_pv.len() < MAX_LINES {
        multi_pv.push(info.clone());
    }
}
