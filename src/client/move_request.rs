//! A request for a move, and the engine's response.

use std::time::{Duration, Instant};

use crate::protocol::{Command, EngineReply, Info, InputLine, Reply};
use noughts_core::game::MoveText;

use super::{Client, Failure};

/// The time that the client waits, after a `stop`, for an engine that has overstepped its time.
const GRACE: Duration = Duration::from_millis(500);

/// A request for a move: a position and what bounds the search.
#[derive(Clone, Copy, Debug)]
pub struct MoveRequest<'a> {
    /// The `position` line.
    pub position: &'a str,
    /// The `go` line.
    pub go: &'a str,
    /// The time that the response may take.
    pub limit: Duration,
    /// True if the caller wants the `info` of the engine. Otherwise it is not even parsed.
    pub wants_info: bool,
}

/// The response to a [`MoveRequest`].
#[derive(Clone, PartialEq, Default, Debug)]
pub struct MoveResponse {
    /// The move as the engine wrote it; `None` if it gave none, or none that can be read.
    pub best_move: Option<MoveText>,
    /// The `bestmove` line as it came, for people.
    pub line: InputLine,
    /// The time from the request to the response.
    pub elapsed: Duration,
    /// The last `info` before the move, if the request wants it.
    pub info: Option<Info>,
    /// In a series, the last `info` of each of the best moves, from the best move on.
    pub multi_pv: Vec<Info>,
    /// The last error of the engine before the move.
    pub error: Option<String>,
    /// The number of stale moves before this one: answers to earlier requests.
    pub stale: u32,
}

impl MoveResponse {
    /// The `bestmove` line in quotes, shortened.
    pub fn excerpt(&self) -> String {
        self.line.excerpt().to_string()
    }
}

impl Client {
    /// Asks for a move.
    ///
    /// # Errors
    /// When there is no response in time. After [`Failure::Late`] with an answer the engine can be used again.
    pub fn request_move(&mut self, request: MoveRequest<'_>) -> Result<MoveResponse, Failure> {
        self.request_move_with(request, |_| {})
    }

    /// Asks for a move. `on_info` gets each `info` of the engine as it comes, if the request wants it.
    ///
    /// # Errors
    /// As for [`Client::request_move`].
    pub fn request_move_with(
        &mut self,
        request: MoveRequest<'_>,
        mut on_info: impl FnMut(&Info),
    ) -> Result<MoveResponse, Failure> {
        let mut ready = !self.has_isready();
        self.wants_info = request.wants_info;
        if ready {
            self.queue_foreign(request.position);
            self.synchronise_without_ready(Instant::now() + self.patience())?;
            self.queue_foreign(request.go);
        } else {
            self.queue(&Command::IsReady);
            self.queue_request(request);
        }
        let start = Instant::now();
        let deadline = start + request.limit;
        match self.flush(deadline) {
            // The engine's time has begun with the request, whether it reads that or not.
            Err(Failure::NotReady(_)) if ready => return Err(Failure::Late { answered: None, stopped: false }),
            flushed => flushed?,
        }
        let mut response = MoveResponse::default();
        let ready_deadline = deadline.min(start + self.context.ready_patience());
        loop {
            let Some(reply) = self.next_reply(if ready { deadline } else { ready_deadline })? else {
                if Instant::now() < deadline {
                    return Err(self.no_ready());
                }
                return match self.adapter.as_mut().and_then(|adapter| adapter.last_resort()) {
                    Some(EngineReply::BestMove { best_move, line }) => {
                        Ok(MoveResponse { best_move, line, elapsed: start.elapsed(), ..response })
                    }
                    _ => Err(self.overtime(start, ready)),
                };
            };
            match reply {
                EngineReply::Reply(Reply::ReadyOk) => ready = true,
                EngineReply::BestMove { .. } if !ready => response.stale += 1,
                EngineReply::BestMove { best_move, line } => {
                    let elapsed = start.elapsed();
                    response.stale += self.take_stale();
                    self.moved = (!self.has_isready()).then(Instant::now);
                    if elapsed > request.limit {
                        return Err(Failure::Late { answered: Some(elapsed), stopped: false });
                    }
                    return Ok(MoveResponse { best_move, line, elapsed, ..response });
                }
                EngineReply::Reply(Reply::Error(text)) if ready => response.error = Some(text),
                EngineReply::Reply(Reply::Info(info)) if ready && self.wants_info => {
                    on_info(&info);
                    response.info = Some(info);
                }
                EngineReply::Reply(_) => {}
            }
        }
    }

    /// The number of stale moves since the last call, for an engine without `isready`.
    fn take_stale(&mut self) -> u32 {
        self.adapter.as_mut().map_or(0, |adapter| adapter.take_stale())
    }

    /// After a timeout: sends `stop`, if there is such a command, and waits a short time for the response.
    pub(super) fn overtime(&mut self, start: Instant, mut ready: bool) -> Failure {
        let deadline = Instant::now() + GRACE;
        self.queue(&Command::Stop);
        let stopped = !self.pending.is_empty();
        let mut answered = None;
        if self.flush(deadline).is_ok() {
            while let Ok(Some(reply)) = self.next_reply(deadline) {
                match reply {
                    EngineReply::Reply(Reply::ReadyOk) => ready = true,
                    EngineReply::BestMove { .. } if ready => {
                        answered = Some(start.elapsed());
                        self.moved = (!self.has_isready()).then(Instant::now);
                        break;
                    }
                    _ => {}
                }
            }
        }
        if ready { Failure::Late { answered, stopped } } else { self.no_ready() }
    }

    /// Queues a request.
    pub(super) fn queue_request(&mut self, request: MoveRequest<'_>) {
        if self.adapter.is_some() {
            self.queue_foreign(request.position);
            return self.queue_foreign(request.go);
        }
        self.pending.extend([request.position, "\n", request.go, "\n"]);
    }

    /// Queues a line of a request in the words of another protocol.
    fn queue_foreign(&mut self, line: &str) {
        // The callers write only lines that can be read.
        if let Ok(command) = line.parse() {
            self.queue(&command);
        }
    }
}
