//! The engine in a browser: a page, and a session for each tab that shows it.
//!
//! The page is a client like any other. A WebSocket carries protocol lines both ways, one a frame, to the same session code
//! that serves standard input. A server has many clients, so each has limits: see [`ServeSettings`].
//!
//! | file | what it holds |
//! |---|---|
//! | `mod` | the listener, the HTTP server and its settings |
//! | `origin` | who may connect |
//! | `connection` | one tab and its session |
//! | `shared_stream` | a connection that outlives its WebSocket |
//! | `places` | how many connections and sessions there may be, and which give way |
//! | `warning` | what the log says at most once a minute |
//! | `page_files`, `page/` | the files of the page |

mod connection;
mod origin;
mod page_files;
mod places;
mod shared_stream;
mod warning;

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Extension, Request, State};
use axum::http::{StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use socket2::SockRef;
use thiserror::Error;
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use crate::session::SessionLimits;

use connection::TabPlaces;
use places::{Admission, Place, Places};
use shared_stream::SharedStream;
use warning::Warning;

/// The port that is tried first, if the caller names none.
pub const FIRST_PORT: u16 = 8383;

/// How many ports are tried.
const PORTS: u16 = 100;

/// The most connections at the same time, where the limit of open files allows more. It bounds their memory.
const MAX_CONNECTIONS: usize = 16_384;

/// Files that the process has open beside its connections, and connections that were asked to leave and have not left.
const OTHER_FILES: usize = 16 + MAX_LEAVING;

/// The most connections that may be on their way out when a new one is accepted.
const MAX_LEAVING: usize = 16;

/// The smallest limit of open files with which the server starts.
const MIN_OPEN_FILES: usize = 64;

/// The longest head of a request, in bytes.
const MAX_HEAD: usize = 32 << 10;

/// What a WebSocket sets aside for reading and for writing, in bytes. Longer frames take more while they are under way.
const SOCKET_BUFFER: usize = 4 << 10;

/// The longest frame, in bytes. A line that is too long gets an error line; a frame that is too long ends the connection.
const MAX_FRAME: usize = 1 << 20;

/// What the system keeps for a client that does not read its answers, in bytes. Systems may take twice as much.
const SEND_BUFFER: usize = 32 << 10;

/// How many connections may wait until they are accepted. A client that comes when as many wait tries again after a second.
const BACKLOG: i32 = 1024;

/// The pause after a connection could not be accepted.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The limits of a server.
#[derive(Clone, Copy, Debug)]
pub struct ServeSettings {
    /// The most sessions at the same time.
    pub max_sessions: usize,
    /// What each session may have.
    pub limits: SessionLimits,
    /// How long a session may be silent before it is ended.
    pub idle: Duration,
    /// The most connections at the same time, sessions among them: see [`max_connections`].
    pub max_connections: usize,
    /// How long a browser may take to send a request, or to take a line. A session that has said nothing for a tenth of
    /// this time gives way to a newcomer when all sessions are taken, and sooner when they have been taken for that time.
    pub patience: Duration,
    /// Takes a sentence for the log: that connections give way, or that visitors are refused. Each kind comes at most once
    /// a minute.
    pub warn: fn(&str),
}

impl ServeSettings {
    /// The most sessions that there are places for. An eighth of the connections is kept for pages and for newcomers.
    pub fn session_places(&self) -> usize {
        self.max_sessions.min(self.max_connections - self.max_connections.div_ceil(8))
    }
}

/// The most connections that a server can have with this limit of open files.
///
/// # Errors
/// When the limit is too low for a server.
pub fn max_connections(open_files: usize) -> Result<usize, ServeError> {
    if open_files < MIN_OPEN_FILES {
        return Err(ServeError::OpenFiles(open_files));
    }
    Ok((open_files - OTHER_FILES).min(MAX_CONNECTIONS))
}

/// Why there is no server.
#[derive(Error, Debug)]
pub enum ServeError {
    /// The server cannot listen on this address.
    #[error("cannot listen on {0}: {1}")]
    Bind(SocketAddr, io::Error),
    /// Every port that was tried is taken.
    #[error("no port from {FIRST_PORT} to {last} of {0} is free", last = FIRST_PORT + (PORTS - 1))]
    NoPort(IpAddr),
    /// The limit of open files is too low.
    #[error("cannot serve with {0} open files: at least {MIN_OPEN_FILES} are needed; raise the limit with ulimit -n")]
    OpenFiles(usize),
    /// The system cannot wait for connections.
    #[error("cannot wait for connections: {0}")]
    Run(io::Error),
}

/// Listens on an address, on this port or else on the first free one from [`FIRST_PORT`] on.
///
/// # Errors
/// When the machine has no such address, or no port is free.
pub fn listen(address: IpAddr, port: Option<u16>) -> Result<TcpListener, ServeError> {
    if let Some(port) = port {
        let address = SocketAddr::new(address, port);
        return TcpListener::bind(address).map_err(|error| ServeError::Bind(address, error));
    }
    for port in FIRST_PORT..FIRST_PORT + PORTS {
        let address = SocketAddr::new(address, port);
        match TcpListener::bind(address) {
            Ok(listener) => return Ok(listener),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {}
            Err(error) => return Err(ServeError::Bind(address, error)),
        }
    }
    Err(ServeError::NoPort(address))
}

/// Serves the page until the process ends.
///
/// # Errors
/// When the system cannot wait for connections.
pub fn run(listener: TcpListener, settings: ServeSettings) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ServeError::Run)?;
    runtime.block_on(async {
        widen(&listener).map_err(ServeError::Run)?;
        listener.set_nonblocking(true).map_err(ServeError::Run)?;
        let listener = tokio::net::TcpListener::from_std(listener).map_err(ServeError::Run)?;
        accept(&listener, settings).await
    })
}

/// Lets many connections wait until they are accepted, and bounds the memory that the system takes for each.
fn widen(listener: &TcpListener) -> io::Result<()> {
    let socket = SockRef::from(listener);
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.listen(BACKLOG)
}

/// Accepts connections for ever. When all places are taken, the connections that have been silent for longest give way.
async fn accept(listener: &tokio::net::TcpListener, settings: ServeSettings) -> ! {
    let (router, warn) = (router(settings), settings.warn);
    let connections = Places::new(settings.max_connections, Duration::ZERO);
    let (exchanges, refusals, failures) = (Warning::default(), Warning::default(), Warning::default());
    let most = connections.most();
    let advice = if most < MAX_CONNECTIONS { " (see ulimit -n)" } else { "" };
    loop {
        connections.wait_until_left(MAX_LEAVING).await;
        match listener.accept().await {
            Ok((stream, _)) => match connections.admit() {
                Some(Admission { place, is_in_exchange }) => {
                    if is_in_exchange {
                        exchanges.count(|count| {
                            warn(&format!(
                                "{most} connections are open, and more are not possible{advice}; silent ones that gave \
                                 way to new ones: {count}"
                            ));
                        });
                    }
                    tokio::spawn(answer(stream, router.clone(), settings.patience, Arc::new(place)));
                }
                None => refusals.count(|count| {
                    warn(&format!(
                        "all {most} connections that are possible{advice} are in use; new ones that were closed: {count}"
                    ));
                }),
            },
            // For example, no file descriptor is left on the machine: one comes back when a connection ends.
            Err(error) => {
                failures.count(|count| warn(&format!("connections that could not be accepted: {count} ({error})")));
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// Answers the requests of one connection, until it becomes a WebSocket, no request comes in time, it has lasted too long,
/// or it is asked to leave.
async fn answer(stream: TcpStream, router: Router, patience: Duration, place: Arc<Place>) {
    // Without this, answers of several lines wait 40 milliseconds for the acknowledgement of the first.
    let _ = stream.set_nodelay(true);
    let stream = SharedStream::new(stream);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience).max_buf_size(MAX_HEAD);
    let router = TowerToHyperService::new(router);
    let own = (Arc::clone(&place), stream.clone());
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        let (place, stream) = own.clone();
        place.note_activity();
        request.extensions_mut().insert(Arc::clone(&place));
        request.extensions_mut().insert(stream);
        let response = router.call(request);
        async move {
            let response = response.await;
            // A client that takes its time to read the answer is waited for, too.
            place.note_silence();
            response
        }
    });
    let requests = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
    // A client that does not take its answers loses its connection; browsers connect again. Errors of the connection are
    // known to the client, and concern no one else.
    tokio::select! {
        _ = timeout(3 * patience, requests) => {}
        () = place.asked_to_leave() => {}
    }
}

/// What all connections share.
#[derive(Clone)]
struct ServerState {
    settings: ServeSettings,
    sessions: Arc<Places>,
    refusals: Arc<Warning>,
}

fn router(settings: ServeSettings) -> Router {
    let sessions = Places::new(settings.session_places(), settings.patience / 10);
    let state = ServerState { settings, sessions, refusals: Arc::default() };
    Router::new()
        .route("/session", get(open_session))
        .fallback(get(show))
        .layer(middleware::from_fn(guard))
        .with_state(state)
}

/// Refuses requests from other pages and for other hosts. Adds headers that restrict what the page may do to what it needs.
async fn guard(request: Request, next: Next) -> Response {
    let mut response = match origin::check(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => (StatusCode::FORBIDDEN, refusal.to_string()).into_response(),
    };
    for (name, value) in page_files::HEADERS {
        response.headers_mut().insert(*name, value.parse().expect("a header value"));
    }
    response
}

/// A file of the page. The page itself is shown only while there is a place for its session.
async fn show(State(state): State<ServerState>, uri: Uri) -> Response {
    match page_files::file(uri.path()) {
        Some(_) if uri.path() == "/" && !state.sessions.has_room() => state.refuse(),
        Some((kind, bytes)) => ([("content-type", kind)], bytes).into_response(),
        None => (StatusCode::NOT_FOUND, "There is no such page.").into_response(),
    }
}

/// Opens a session for a tab, if there is a place for it.
async fn open_session(
    State(state): State<ServerState>,
    Extension(connection): Extension<Arc<Place>>,
    Extension(stream): Extension<SharedStream>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Some(Admission { place: session, .. }) = state.sessions.admit() else { return state.refuse() };
    let upgrade = upgrade.max_message_size(MAX_FRAME).max_frame_size(MAX_FRAME);
    let places = TabPlaces { connection, session };
    upgrade
        .read_buffer_size(SOCKET_BUFFER)
        .write_buffer_size(SOCKET_BUFFER)
        .on_upgrade(move |socket| connection::serve(socket, stream, state.settings, places))
}

impl ServerState {
    /// Tells a visitor that there is no place, and the log that a visitor was told so.
    fn refuse(&self) -> Response {
        let most = self.sessions.most();
        self.refusals.count(|count| {
            (self.settings.warn)(&format!("all {most} sessions are taken; requests that were refused: {count}"));
        });
        // A browser that shows this tries again by itself.
        let again = [("retry-after", "10"), ("refresh", "10")];
        let sentence = format!("All {most} sessions of this server are taken. Please try again in a while.");
        (StatusCode::SERVICE_UNAVAILABLE, again, sentence).into_response()
    }
}
