//! The face for browsers: the command line of `noughts serve`.

use std::io::{self, IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;

use anyhow::Result;

use noughts::session::Caps;
use noughts::web::{self, ServeSettings};

use crate::cli::ServeArguments;

/// How long a browser may take for a request or for a line.
const PATIENCE: Duration = Duration::from_secs(20);

/// Output of a session that may wait for its browser, in bytes.
const MAX_WAITING: usize = 1 << 20;

/// Serves the page until the program is ended.
pub fn serve(arguments: &ServeArguments) -> Result<()> {
    let listener = web::listen(arguments.listen, arguments.port)?;
    let mut address = listener.local_addr()?;
    // Whoever listens on every address has no name by it; this machine gets there by its own.
    match address.ip() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    let page = format!("http://{address}/");
    if !arguments.listen.is_loopback() {
        eprintln!(
            "warning: whoever reaches {} over the network can use this engine, up to {} sessions at once",
            arguments.listen, arguments.max_sessions
        );
    }
    writeln!(io::stdout(), "{page}")?;
    if io::stdout().is_terminal() {
        eprintln!("Open it in a browser; Ctrl-C ends the server.");
    }
    if arguments.open
        && let Err(error) = open::that_detached(&page)
    {
        eprintln!("warning: the browser cannot be started: {error}");
    }
    let caps = Caps {
        move_time: Some(Duration::from_millis(arguments.max_movetime)),
        hash: arguments.max_hash,
        threads: 1,
        files: false,
        waiting: MAX_WAITING,
    };
    let settings = ServeSettings {
        max_sessions: arguments.max_sessions as usize,
        caps,
        idle: Duration::from_secs(arguments.max_idle),
        patience: PATIENCE,
    };
    web::run(listener, settings)?;
    Ok(())
}
