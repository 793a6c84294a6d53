//! One tab and its session.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::sync::{Notify, mpsc};
use tokio::time::{Instant, sleep_until, timeout};

use crate::protocol::{Line, LineReader};
use crate::session::{Ending, Session};

use super::ServeSettings;

/// Lines that are on their way to the browser, at most; more stay with the session.
const LINES_UNDER_WAY: usize = 256;

/// Output that waits for a slow reader, in bytes; who leaves more unread is let go.
const MAX_UNREAD: usize = 1 << 20;

/// How long the browser may take for a line.
const WRITE_PATIENCE: Duration = Duration::from_secs(20);

/// How often an idle connection is asked whether it is still there.
const PING_INTERVAL: Duration = Duration::from_secs(30);

/// Talks to one tab until it is closed, or has been silent for too long.
pub async fn serve(socket: WebSocket, settings: ServeSettings) {
    let woken = Arc::new(Notify::new());
    let wake = Arc::clone(&woken);
    let session = Session::new(move || wake.notify_one()).capped(settings.caps);
    let (sink, stream) = socket.split();
    let (lines, unsent) = mpsc::channel(LINES_UNDER_WAY);
    let writer = tokio::spawn(write(sink, unsent));
    let mut connection = Connection { session, stream, lines, pending: VecDeque::new(), idle_since: Instant::now() };
    connection.run(&woken, settings.idle).await;
    // The session ends with this, and its search too. What is on its way is still written.
    drop(connection);
    let _ = timeout(WRITE_PATIENCE, writer).await;
}

struct Connection {
    session: Session,
    stream: SplitStream<WebSocket>,
    lines: mpsc::Sender<Message>,
    /// Lines from the browser that the session does not want yet.
    pending: VecDeque<Line>,
    idle_since: Instant,
}

impl Connection {
    async fn run(&mut self, woken: &Notify, idle: Duration) {
        let room = self.lines.clone();
        loop {
            self.session.begin_round();
            self.feed();
            self.session.proceed();
            if self.pass_on().is_err() || self.session.output().len() > MAX_UNREAD {
                return;
            }
            let is_told = self.session.output().is_empty();
            if self.session.ending() != Ending::Open && self.session.is_over() && is_told {
                let _ = self.lines.try_send(Message::Close(None));
                return;
            }
            if self.session.has_work() && is_told {
                tokio::task::yield_now().await;
                continue;
            }
            let now = Instant::now();
            let attention = self.session.deadline().map_or(now + PING_INTERVAL, Instant::from_std);
            tokio::select! {
                () = woken.notified() => {}
                () = sleep_until(attention.min(now + PING_INTERVAL)) => {
                    if self.idle_since.elapsed() >= idle && !self.session.awaits_answer() {
                        let _ = self.lines.try_send(text("info string the session was idle for too long and ends"));
                        let _ = self.lines.try_send(Message::Close(None));
                        return;
                    }
                    if attention > now + PING_INTERVAL - Duration::from_millis(1)
                        && self.lines.try_send(Message::Ping(Default::default())).is_err()
                    {
                        return;
                    }
                }
                // Room for more lines.
                permit = room.reserve(), if !is_told => if permit.is_err() { return },
                message = self.stream.next(), if self.pending.is_empty() => {
                    let Some(Ok(message)) = message else { return };
                    if !self.hear(message) {
                        return;
                    }
                }
            }
        }
    }

    /// Takes a frame; whether the connection goes on.
    fn hear(&mut self, message: Message) -> bool {
        match message {
            Message::Text(line) => {
                self.idle_since = Instant::now();
                self.read(line.as_bytes());
                true
            }
            Message::Binary(bytes) => {
                self.idle_since = Instant::now();
                self.read(&bytes);
                true
            }
            Message::Ping(_) | Message::Pong(_) => true,
            Message::Close(_) => false,
        }
    }

    /// A frame is a line, whatever is in it; one with line ends in it is several.
    fn read(&mut self, mut bytes: &[u8]) {
        let mut reader = LineReader::default();
        while !bytes.is_empty() {
            self.pending.extend(reader.take(&mut bytes));
        }
        self.pending.extend(reader.last());
    }

    fn feed(&mut self) {
        while self.session.wants_input()
            && let Some(line) = self.pending.pop_front()
        {
            self.session.receive(line);
        }
        if self.session.ending() != Ending::Open {
            self.pending.clear();
        }
    }

    /// Passes whole lines on to the writer, as long as there is room.
    fn pass_on(&mut self) -> Result<(), ()> {
        loop {
            let output = self.session.output();
            let Some(end) = output.iter().position(|&byte| byte == b'\n') else { return Ok(()) };
            match self.lines.try_reserve() {
                Ok(place) => {
                    let line: Vec<u8> = output.drain(..=end).take(end).collect();
                    place.send(text(&String::from_utf8_lossy(&line)));
                }
                Err(mpsc::error::TrySendError::Full(())) => {
                    self.session.drop_progress();
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

/// Writes what there is to write, until nobody has anything more or the browser takes none.
async fn write(mut sink: SplitSink<WebSocket, Message>, mut unsent: mpsc::Receiver<Message>) {
    while let Some(message) = unsent.recv().await {
        let is_last = matches!(message, Message::Close(_));
        match timeout(WRITE_PATIENCE, sink.send(message)).await {
            Ok(Ok(())) if !is_last => {}
            _ => return,
        }
    }
    let _ = timeout(WRITE_PATIENCE, sink.close()).await;
}
