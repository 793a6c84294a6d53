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
//! | `page_files`, `page/` | the files of the page |

mod connection;
mod origin;
mod page_files;

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Request, State};
use axum::http::{StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use thiserror::Error;
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use crate::session::SessionLimits;

/// The port that is tried first, if the caller names none.
pub const FIRST_PORT: u16 = 8383;

/// How many ports are tried.
const PORTS: u16 = 100;

/// The most HTTP connections that are served at the same time; others wait. Sessions do not count.
const MAX_REQUESTS: usize = 256;

/// The longest frame, in bytes. A line that is too long gets an error line; a frame that is too long ends the connection.
const MAX_FRAME: usize = 1 << 20;

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
    /// How long a browser may take to send a request, or to take a line.
    pub patience: Duration,
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
        listener.set_nonblocking(true).map_err(ServeError::Run)?;
        let listener = tokio::net::TcpListener::from_std(listener).map_err(ServeError::Run)?;
        let (router, places) = (router(settings), Arc::new(Semaphore::new(MAX_REQUESTS)));
        loop {
            let place = Arc::clone(&places).acquire_owned().await.expect("it is never closed");
            match listener.accept().await {
                Ok((stream, _)) => drop(tokio::spawn(answer(stream, router.clone(), settings.patience, place))),
                // For example, no file descriptor is left: one comes back when a connection ends.
                Err(_) => sleep(ACCEPT_PAUSE).await,
            }
        }
    })
}

/// Answers the requests of one connection, until it becomes a WebSocket, no request comes in time, or it has lasted too
/// long.
async fn answer(stream: TcpStream, router: Router, patience: Duration, place: OwnedSemaphorePermit) {
    // Without this, answers of several lines wait 40 milliseconds for the acknowledgement of the first.
    let _ = stream.set_nodelay(true);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience);
    let requests = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router)).with_upgrades();
    // A client that does not take its answers loses its connection; browsers connect again. Errors of the connection are
    // known to the client, and concern no one else.
    let _ = timeout(3 * patience, requests).await;
    drop(place);
}

/// What all connections share.
#[derive(Clone)]
struct ServerState {
    settings: ServeSettings,
    /// One permit for each session that may run.
    places: Arc<Semaphore>,
}

fn router(settings: ServeSettings) -> Router {
    let state = ServerState { settings, places: Arc::new(Semaphore::new(settings.max_sessions)) };
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

/// A file of the page.
async fn show(uri: Uri) -> Response {
    match page_files::file(uri.path()) {
        Some((kind, bytes)) => ([("content-type", kind)], bytes).into_response(),
        None => (StatusCode::NOT_FOUND, "There is no such page.").into_response(),
    }
}

/// Opens a session for a tab, if fewer than the most are open.
async fn open_session(State(state): State<ServerState>, upgrade: WebSocketUpgrade) -> Response {
    let Ok(place) = Arc::clone(&state.places).try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "There are as many sessions as there may be.").into_response();
    };
    upgrade.max_message_size(MAX_FRAME).max_frame_size(MAX_FRAME).on_upgrade(move |socket| async move {
        connection::serve(socket, state.settings).await;
        drop(place);
    })
}
