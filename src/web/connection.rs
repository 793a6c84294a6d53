//! One tab and its session.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::sync::{Notify, mpsc};
use tokio::time::{Instant, sleep_until, timeout};

use crate::protocol::{InputLine, LineReader};
use crate::session::{Conversation, SearchThread, Session, SessionPhase};

use super::ServeSettings;
use super::sessions::SessionPlace;
use super::shared_stream::SharedStream;

/// The most lines on their way to the browser; more stay with the session.
const LINES_UNDER_WAY: usize = 256;

/// Time between two pings.
const PING_INTERVAL: Duration = Duration::from_secs(30);

/// The reasons for the end of a session that its client has not ended.
const IDLE: &str = "this session was idle for too long, and ends";
const GIVES_WAY: &str = "this session was idle while another client waited, and ends";

/// Serves one tab until it is closed, has been idle for too long, does not take its lines, or has to give way. `stream` is
/// the connection below the socket.
pub async fn serve(socket: WebSocket, stream: SharedStream, settings: ServeSettings, place: SessionPlace) {
    let woken = Arc::new(Notify::new());
    let wake = Arc::clone(&woken);
    let session = Session::default().limited_to(settings.limits);
    let conversation = Conversation::in_own_protocol(session, SearchThread::new(move || wake.notify_one()));
    let (sink, messages) = socket.split();
    let (lines, unsent) = mpsc::channel(LINES_UNDER_WAY);
    let writer = tokio::spawn(write(sink, unsent, settings.patience));
    let last = lines.clone();
    let now = Instant::now();
    let (reader, frame) = (LineReader::default(), Bytes::new());
    let connection = Connection { conversation, messages, lines, reader, frame, heard: now, pinged: now };
    // The session ends with this, and its search too. Lines on their way are still written.
    let reason = connection.run(&woken, settings.idle, &place).await;
    let stop = writer.abort_handle();
    let parting = async {
        if let Some(reason) = reason {
            let _ = last.send(Message::Close(Some(reason))).await;
        }
        drop(last);
        let is_written = writer.await.unwrap_or(false);
        drop(place);
        if is_written {
            stream.finish().await;
        }
    };
    let _ = timeout(settings.patience, parting).await;
    stop.abort();
}

struct Connection {
    conversation: Conversation,
    messages: SplitStream<WebSocket>,
    lines: mpsc::Sender<Message>,
    reader: LineReader,
    /// The rest of the last frame, which the session has not taken yet.
    frame: Bytes,
    /// The time of the last line, or of the last work on an answer.
    heard: Instant,
    /// The time of the last ping.
    pinged: Instant,
}

impl Connection {
    /// Runs the session to its end. Returns the close frame to send, if any.
    async fn run(mut self, woken: &Notify, idle: Duration, place: &SessionPlace) -> Option<CloseFrame> {
        let room = self.lines.clone();
        loop {
            self.conversation.begin_round(std::time::Instant::now());
            self.feed();
            self.conversation.proceed(std::time::Instant::now);
            self.pass_on().ok()?;
            let is_told = self.conversation.output().is_empty();
            if self.conversation.is_over() && is_told {
                return Some(close(close_code::NORMAL, "quit"));
            }
            if is_told && (self.conversation.has_work() || (!self.frame.is_empty() && self.conversation.wants_input()))
            {
                tokio::task::yield_now().await;
                continue;
            }
            let is_idle = !self.conversation.awaits_answer();
            if !is_idle {
                self.heard = Instant::now();
            }
            place.note_idle_since(is_idle.then_some(self.heard));
            let alarms = [self.heard + idle, self.pinged + PING_INTERVAL];
            let deadline = self.conversation.deadline().map(Instant::from_std);
            let alarm = alarms.into_iter().chain(deadline).min().expect("there are some");
            tokio::select! {
                () = woken.notified() => {}
                () = sleep_until(alarm) => {
                    if self.heard.elapsed() >= idle {
                        return self.end(close_code::AWAY, IDLE).await;
                    }
                    if self.pinged.elapsed() >= PING_INTERVAL {
                        self.pinged = Instant::now();
                        // When the queue of lines is full, the lines themselves serve as a ping.
                        let _ = self.lines.try_send(Message::Ping(Default::default()));
                    }
                }
                () = room.closed() => return None,
                () = place.asked_to_leave() => return self.end(close_code::AGAIN, GIVES_WAY).await,
                permit = room.reserve(), if !is_told => if permit.is_err() { return None },
                message = self.messages.next(), if self.frame.is_empty() => match message {
                    Some(Ok(message @ (Message::Text(_) | Message::Binary(_)))) => {
                        self.heard = Instant::now();
                        self.frame = message.into_data();
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Err(error)) => return fault(&error),
                    Some(Ok(Message::Close(_))) | None => return None,
                },
            }
        }
    }

    /// Ends the session with a sentence for its client.
    async fn end(self, code: u16, sentence: &'static str) -> Option<CloseFrame> {
        let _ = self.lines.send(text(&format!("info string {sentence}"))).await;
        Some(close(code, sentence))
    }

    /// Hands the session as many lines of the frame as it wants.
    fn feed(&mut self) {
        while self.conversation.wants_input()
            && let Some(line) = self.line()
        {
            self.conversation.receive(line, std::time::Instant::now());
        }
        if matches!(self.conversation.phase(), SessionPhase::InputEnded | SessionPhase::Quit) {
            self.frame.clear();
        }
    }

    /// The next line of the frame. The end of the frame ends a line.
    fn line(&mut self) -> Option<InputLine> {
        let mut rest = &self.frame[..];
        let line = self.reader.take(&mut rest);
        let taken = self.frame.len() - rest.len();
        let _ = self.frame.split_to(taken);
        line.or_else(|| self.reader.last())
    }

    /// Passes whole lines to the writer, as long as the queue has room.
    fn pass_on(&mut self) -> Result<(), ()> {
        loop {
            let output = self.conversation.output();
            let Some(end) = output.iter().position(|&byte| byte == b'\n') else { return Ok(()) };
            match self.lines.try_reserve() {
                Ok(place) => {
                    let line: Vec<u8> = output.drain(..=end).take(end).collect();
                    place.send(text(&String::from_utf8_lossy(&line)));
                }
                Err(mpsc::error::TrySendError::Full(())) => {
                    self.conversation.drop_progress();
                    return Ok(());
                }
                Err(mpsc::error::TrySendError::Closed(())) => return Err(()),
            }
        }
    }
}

fn text(line: &str) -> Message {
    Message::Text(Utf8Bytes::from(line))
}

fn close(code: u16, reason: &'static str) -> CloseFrame {
    CloseFrame { code, reason: Utf8Bytes::from_static(reason) }
}

/// The close frame for a fault of the client. A connection that breaks off also gives a frame, which cannot be sent. axum
/// does not show the type of the error.
fn fault(error: &axum::Error) -> Option<CloseFrame> {
    let words = error.to_string();
    let begins = |start: &&(&str, u16, &str)| words.starts_with(start.0);
    let (_, code, reason) = FAULTS.iter().find(begins)?;
    Some(close(*code, reason))
}

/// The beginnings of errors of the WebSocket, with the code and the reason of the close frame that follows.
const FAULTS: [(&str, u16, &str); 3] = [
    ("WebSocket protocol error", close_code::PROTOCOL, "the frame is not valid"),
    ("UTF-8 encoding error", close_code::INVALID, "a text frame must be UTF-8"),
    ("Space limit exceeded", close_code::SIZE, "a message has at most 1 MiB"),
];

/// Writes lines until no more can come, or the browser does not take one in this time. True if all were written.
async fn write(
    mut sink: SplitSink<WebSocket, Message>,
    mut unsent: mpsc::Receiver<Message>,
    patience: Duration,
) -> bool {
    while let Some(message) = unsent.recv().await {
        if !matches!(timeout(patience, sink.send(message)).await, Ok(Ok(()))) {
            return false;
        }
    }
    matches!(timeout(patience, sink.close()).await, Ok(Ok(())))
}
