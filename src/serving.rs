//! The face for browsers: the command line of `noughts serve`.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use anyhow::Result;

use noughts::serve::{self, ServeSettings};
use noughts::session::Caps;

use crate::cli::ServeArguments;

/// How long a browser may take for a request or for a line.
const PATIENCE: Duration = Duration::from_secs(20);

/// Output of a session that may wait for its browser, in bytes.
const MAX_OUTPUT: usize = 1 << 20;

/// Serves the page until the program is ended.
pub fn serve(arguments: &ServeArguments) -> Result<()> {
    let listener = serve::listen(arguments.listen, arguments.port)?;
    let address = listener.local_addr()?;
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
        output: MAX_OUTPUT,
    };
    let settings = ServeSettings {
        max_sessions: arguments.max_sessions as usize,
        caps,
        idle: Duration::from_secs(arguments.max_idle),
        patience: PATIENCE,
    };
    serve::run(listener, settings)?;
    Ok(())
}
