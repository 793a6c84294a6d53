//! The engine in a browser: a page, and for each tab that shows it a session of its own.
//!
//! The page is a client like any other: a WebSocket carries protocol lines both ways, one a frame, to the same session
//! code that serves standard input. A server has many clients, so each gets less than everything: see [`ServeSettings`].
//!
//! | file | what it holds |
//! |---|---|
//! | `serve.rs` | where it listens, and what it answers |
//! | `origin.rs` | who may connect |
//! | `connection.rs` | one tab and its session |
//! | `page.rs` | the files of the page |

mod connection;
mod origin;
mod page;

use std::fmt;
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
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use crate::session::Caps;

/// The port that is tried first, when none is given.
pub const FIRST_PORT: u16 = 8383;

/// How many ports are tried.
const PORTS: u16 = 100;

/// Connections that are being answered at the same time, at most; others wait. Sessions are not among them.
const MAX_REQUESTS: usize = 256;

/// The longest frame, in bytes: a line that is too long gets an error line, but nobody has to be read without an end.
const MAX_FRAME: usize = 1 << 20;

/// The pause after a connection that could not be accepted.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// How a server is run.
#[derive(Clone, Copy, Debug)]
pub struct ServeSettings {
    /// The most sessions at the same time.
    pub max_sessions: usize,
    /// What each session may have.
    pub caps: Caps,
    /// How long a session may be silent before it is ended.
    pub idle: Duration,
    /// How long a browser may take for a request, and how long for a line that it is sent.
    pub patience: Duration,
}

/// Why there is no server.
#[derive(Debug)]
pub enum ServeError {
    /// There is no listening at this address.
    Bind(SocketAddr, io::Error),
    /// Every port that was tried is taken.
    NoPort(IpAddr),
    /// The system does not let connections be waited for.
    Run(io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::Bind(address, error) => write!(f, "cannot listen on {address}: {error}"),
            ServeError::NoPort(address) => {
                write!(f, "no port from {FIRST_PORT} to {} of {address} is free", FIRST_PORT + (PORTS - 1))
            }
            ServeError::Run(error) => write!(f, "cannot wait for connections: {error}"),
        }
    }
}

impl std::error::Error for ServeError {}

/// Listens at an address, on this port or on the first that is free from [`FIRST_PORT`] on.
///
/// # Errors
/// When there is no such address or no free port.
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
/// When connections cannot be waited for.
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
                // No file descriptor is left, say: it comes back when somebody goes.
                Err(_) => sleep(ACCEPT_PAUSE).await,
            }
        }
    })
}

/// Answers the requests of one connection, until it becomes that of a session, no request comes, or it has lasted long.
async fn answer(stream: TcpStream, router: Router, patience: Duration, place: OwnedSemaphorePermit) {
    // Answers of several lines would wait 40 milliseconds for the acknowledgement of the first one.
    let _ = stream.set_nodelay(true);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience);
    let requests = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router)).with_upgrades();
    // Whoever does not take its answers is let go; browsers connect again. What goes wrong concerns nobody but the other
    // end, which knows.
    let _ = timeout(3 * patience, requests).await;
    drop(place);
}

/// What all connections share.
#[derive(Clone)]
struct Shared {
    settings: ServeSettings,
    /// A place for each session that there may be.
    places: Arc<Semaphore>,
}

fn router(settings: ServeSettings) -> Router {
    let shared = Shared { settings, places: Arc::new(Semaphore::new(settings.max_sessions)) };
    Router::new()
        .route("/session", get(open_session))
        .fallback(get(show))
        .layer(middleware::from_fn(guard))
        .with_state(shared)
}

/// Answers nobody who was led here by a foreign name, and tells the browser to let the page do no more than it needs.
async fn guard(request: Request, next: Next) -> Response {
    let mut response = match origin::check(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => (StatusCode::FORBIDDEN, refusal.to_string()).into_response(),
    };
    for (name, value) in page::HEADERS {
        response.headers_mut().insert(*name, value.parse().expect("a header value"));
    }
    response
}

/// A file of the page.
async fn show(uri: Uri) -> Response {
    match page::file(uri.path()) {
        Some((kind, bytes)) => ([("content-type", kind)], bytes).into_response(),
        None => (StatusCode::NOT_FOUND, "There is no such page.").into_response(),
    }
}

/// A session for a tab, if there is a place for it.
async fn open_session(State(shared): State<Shared>, upgrade: WebSocketUpgrade) -> Response {
    let Ok(place) = Arc::clone(&shared.places).try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "There are as many sessions as there may be.").into_response();
    };
    upgrade.max_message_size(MAX_FRAME).max_frame_size(MAX_FRAME).on_upgrade(move |socket| async move {
        connection::serve(socket, shared.settings).await;
        drop(place);
    })
}
