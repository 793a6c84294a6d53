//! The engine in a browser: a page, and a session for each tab that shows it.
//!
//! The page is a client like any other. A WebSocket carries protocol lines both ways, one a frame, to the same session code
//! that serves standard input. A server has many clients, so each has limits: see [`ServeSettings`].
//!
//! | file | what it holds |
//! |---|---|
//! | `mod` | the listener, the HTTP server and its settings |
//! | `origin` | the check of clients that connect |
//! | `connection` | one tab and its session |
//! | `shared_stream` | a connection that outlives its WebSocket |
//! | `sessions` | the limit of sessions, and the choice of the one that gives way |
//! | `program` | a program of the user's that plays on the page |
//! | `page_files`, `page/` | the files of the page |

mod connection;
mod origin;
mod page_files;
mod program;
mod sessions;
mod shared_stream;

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, UdpSocket};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Extension, Request, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use thiserror::Error;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use crate::client::EngineSetup;
use crate::session::SessionLimits;

use program::SeatedProgram;
use sessions::Sessions;
use shared_stream::SharedStream;

/// The port that is tried first, if the caller names none.
pub const FIRST_PORT: u16 = 8383;

/// The number of ports that are tried.
const PORTS: u16 = 100;

/// The most connections beside the sessions: pages that load, and tabs that wait for a session or leave one.
const OTHER_CONNECTIONS: usize = 64;

/// The longest head of a request, in bytes.
const MAX_HEAD: usize = 32 << 10;

/// The longest frame, in bytes. A line that is too long gets an error line; a frame that is too long ends the connection.
const MAX_FRAME: usize = 1 << 20;

/// The time that a connection may last which is no WebSocket, in times of the patience.
const LONGEST_CONNECTION: u32 = 3;

/// The time that a tab has to be idle before it gives way to a newcomer, in times of the patience.
const GRACE: u32 = 3;

/// The pause after a connection could not be accepted.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The limits of a server.
#[derive(Clone, Copy, Debug)]
pub struct ServeSettings {
    /// The most sessions at the same time.
    pub max_sessions: usize,
    /// The limits of each session.
    pub limits: SessionLimits,
    /// The time that a tab may be idle before its session is ended.
    pub idle: Duration,
    /// The time that a browser may take to send a request, or to take a line. When all sessions are taken, a tab that was
    /// idle for three times as long gives way.
    pub patience: Duration,
}

/// The reason why there is no server.
#[derive(Error, Debug)]
pub enum ServeError {
    /// The server cannot listen on this address.
    #[error("cannot listen on {0}: {1}")]
    Bind(SocketAddr, io::Error),
    /// Every port that was tried is taken.
    #[error("no port from {FIRST_PORT} to {last} of {0} is free", last = FIRST_PORT + (PORTS - 1))]
    NoPort(IpAddr),
    /// The system cannot wait for connections.
    #[error("cannot wait for connections: {0}")]
    Run(io::Error),
    /// The process that would end the program's processes cannot be started.
    #[error("cannot start a second process: {0}")]
    OrphanKiller(io::Error),
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

/// The address that other machines of the network open; `None` if only this machine can reach the server.
///
/// Where it listens on every address, that is the one from which this machine would send to others. To ask the system for it,
/// a socket is connected to an address that is reserved for documents (RFC 5737 and RFC 3849). Nothing is sent.
pub fn address_for_others(mut listening: SocketAddr) -> Option<SocketAddr> {
    if listening.ip().is_unspecified() {
        let (own, other): (IpAddr, IpAddr) = match listening.ip() {
            own @ IpAddr::V4(_) => (own, Ipv4Addr::new(192, 0, 2, 1).into()),
            own @ IpAddr::V6(_) => (own, Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into()),
        };
        let socket = UdpSocket::bind((own, 0)).ok()?;
        socket.connect((other, 9)).ok()?;
        listening.set_ip(socket.local_addr().ok()?.ip());
    }
    (!listening.ip().is_loopback() && !listening.ip().is_unspecified()).then_some(listening)
}

/// Serves the page until the process ends, with a program that may play on it.
///
/// # Errors
/// When the system cannot wait for connections, or has no process left for a program.
pub fn run(
    listener: TcpListener,
    settings: ServeSettings,
    program: Option<Arc<EngineSetup>>,
) -> Result<(), ServeError> {
    let program =
        program.map(|setup| SeatedProgram::new(setup, &settings)).transpose().map_err(ServeError::OrphanKiller)?;
    let router = router(settings, program.map(Arc::new));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ServeError::Run)?;
    runtime.block_on(async {
        listener.set_nonblocking(true).map_err(ServeError::Run)?;
        let listener = tokio::net::TcpListener::from_std(listener).map_err(ServeError::Run)?;
        accept(&listener, settings, router).await
    })
}

/// Accepts connections for ever. When there are as many as may be, the next one waits until one of them ends.
async fn accept(listener: &tokio::net::TcpListener, settings: ServeSettings, router: Router) -> ! {
    let connections = Arc::new(Semaphore::new(settings.max_sessions + OTHER_CONNECTIONS));
    loop {
        let place = Arc::clone(&connections).acquire_owned().await.expect("it is never closed");
        match listener.accept().await {
            Ok((stream, _)) => {
                // Without this, answers of several lines wait 40 milliseconds for the acknowledgement of the first.
                let _ = stream.set_nodelay(true);
                tokio::spawn(answer(SharedStream::new(stream, place), router.clone(), settings.patience));
            }
            // For example, no file descriptor is left: one comes back when a connection ends.
            Err(_) => sleep(ACCEPT_PAUSE).await,
        }
    }
}

/// Answers the requests of one connection, until it becomes a WebSocket, no request comes in time, or it has lasted too
/// long.
async fn answer(stream: SharedStream, router: Router, patience: Duration) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience).max_buf_size(MAX_HEAD);
    let router = TowerToHyperService::new(router.layer(Extension(stream.clone())));
    let requests = http.serve_connection(TokioIo::new(stream), router).with_upgrades();
    // A client that does not take its answers loses its connection; browsers connect again. Errors of the connection are
    // known to the client, and concern no other.
    let _ = timeout(LONGEST_CONNECTION * patience, requests).await;
}

/// The state that all connections share.
#[derive(Clone)]
struct ServerState {
    settings: ServeSettings,
    sessions: Arc<Sessions>,
    program: Option<Arc<SeatedProgram>>,
}

fn router(settings: ServeSettings, program: Option<Arc<SeatedProgram>>) -> Router {
    let sessions = Sessions::new(settings.max_sessions, GRACE * settings.patience);
    let state = ServerState { settings, sessions, program };
    Router::new()
        .route("/session", get(open_session))
        .route("/program", get(open_program))
        .fallback(get(show))
        .layer(middleware::from_fn(guard))
        .with_state(state)
}

/// Refuses requests from other pages and for other hosts. Adds headers that restrict what the page may do to what it needs.
async fn guard(request: Request, next: Next) -> Response {
    let mut response = match origin::check(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => (StatusCode::FORBIDDEN, refusal).into_response(),
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

/// The text for a browser that opens the address of the sessions.
const SESSION_HELP: &str = "This address is for programs: a WebSocket to it is a session of the engine, which speaks the \
    lines of protocol.md. The page to play on is at /.";

/// Opens a session for a tab, if there is a place for it.
async fn open_session(
    State(state): State<ServerState>,
    Extension(stream): Extension<SharedStream>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(_) if !headers.contains_key(header::UPGRADE) => {
            return (StatusCode::UPGRADE_REQUIRED, [(header::UPGRADE, "websocket")], SESSION_HELP).into_response();
        }
        Err(refusal) => return refusal.into_response(),
    };
    let Some(place) = state.sessions.admit() else { return state.refuse() };
    let upgrade = upgrade.max_message_size(MAX_FRAME).max_frame_size(MAX_FRAME);
    upgrade.on_upgrade(move |socket| connection::serve(socket, stream, state.settings, place))
}

/// The name of the program that plays, or a WebSocket to a process of its own.
async fn open_program(
    State(state): State<ServerState>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    // Without a program there is nothing to name, which is no error: every page asks.
    let Some(program) = state.program.clone() else { return StatusCode::NO_CONTENT.into_response() };
    let Ok(upgrade) = upgrade else { return program.name().to_owned().into_response() };
    let Some(place) = program.admit() else { return state.refuse() };
    let upgrade = upgrade.max_message_size(MAX_FRAME).max_frame_size(MAX_FRAME);
    upgrade.on_upgrade(move |socket| program.serve(socket, state.settings, place))
}

impl ServerState {
    /// Tells a visitor that all sessions are taken. A browser that shows this tries again by itself.
    fn refuse(&self) -> Response {
        let again = [("retry-after", "10"), ("refresh", "10")];
        let most = self.sessions.most();
        let sentence = format!("All {most} sessions of this server are taken. Please try again in a while.");
        (StatusCode::SERVICE_UNAVAILABLE, again, sentence).into_response()
    }
}
