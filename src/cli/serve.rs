//! `noughts serve`: shows the board in a browser.

use std::io::{self, IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;

use noughts::client::EngineSetup;
use noughts::session::SessionLimits;
use noughts::system::{process, raise_descriptor_limit};
use noughts::web::{self, ServeSettings};

use super::arguments::{UsageError, table_size, whole};
use super::engines::program;
use super::output::{log, warn};

/// The arguments of `noughts serve`.
#[derive(Args)]
pub struct ServeArguments {
    /// The port; by default the first free one from 8383 on.
    #[arg(long, value_name = "PORT", value_parser = whole::<u16>(0..=65_535))]
    port: Option<u16>,
    /// The address to listen on. With an address of the network, other machines can use the engine.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1")]
    listen: IpAddr,
    /// Open the page in the browser of the desktop.
    #[arg(long)]
    open: bool,
    /// The most tabs at the same time, each with a session of its own.
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = whole::<u32>(1..=10_000))]
    max_sessions: u32,
    /// Milliseconds after which a search is ended, whatever its limits are.
    #[arg(long, value_name = "MS", default_value_t = 10_000, value_parser = whole::<u64>(1..=86_400_000))]
    max_movetime: u64,
    /// The most memory that the searches of a session may keep, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = table_size::<65_536>)]
    max_hash: u32,
    /// Seconds of silence after which a tab loses its session.
    #[arg(long, value_name = "S", default_value_t = 1800, value_parser = whole::<u64>(1..=86_400_000))]
    max_idle: u64,
    /// A program that can play O on the page: a command, or "cmd=PROGRAM proto=noughts|uci|ugi|gomocup|gtp option.NAME=VALUE".
    /// Each page that plays against it has a process of its own.
    #[arg(long, value_name = "CMD")]
    o_engine: Option<String>,
    /// With --listen and an address of the network: other machines may run the program of --o-engine, with your rights.
    #[arg(long, requires = "o_engine")]
    let_others_run_it: bool,
}

/// The time that a browser may take for a request or for a line.
const PATIENCE: Duration = Duration::from_secs(20);

/// The most output of a session that waits for its browser, in bytes.
const MAX_WAITING: usize = 1 << 20;

/// Serves the page until the program is ended.
pub fn run(arguments: &ServeArguments) -> Result<()> {
    let program = arguments.program()?;
    raise_descriptor_limit();
    let listener = web::listen(arguments.listen, arguments.port)?;
    let mut address = listener.local_addr()?;
    // The unspecified address means every address. From this machine, the loopback address leads there.
    match address.ip() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    let limits = SessionLimits {
        move_time: Some(Duration::from_millis(arguments.max_movetime)),
        hash: arguments.max_hash,
        threads: 1,
        files: false,
        waiting: MAX_WAITING,
    };
    let settings = ServeSettings {
        max_sessions: arguments.max_sessions as usize,
        limits,
        idle: Duration::from_secs(arguments.max_idle),
        patience: PATIENCE,
    };
    let page = format!("http://{address}/");
    if !arguments.listen.is_loopback() {
        warn(format_args!(
            "every machine that reaches {} over the network can use this engine, up to {} sessions at once",
            arguments.listen, settings.max_sessions
        ));
    }
    writeln!(io::stdout(), "{page}").context("cannot write the address to standard output")?;
    if let Some(address) = web::address_for_others(listener.local_addr()?) {
        log(format_args!("Others open http://{address}/"));
    }
    if io::stdout().is_terminal() {
        log("Open it in a browser; Ctrl-C ends the server.");
    }
    if arguments.open
        && let Err(error) = process::open_in_browser(&page)
    {
        warn(format_args!("the browser cannot be started: {error}"));
    }
    web::run(listener, settings, program)?;
    Ok(())
}

impl ServeArguments {
    /// The program that plays, with its file found. Other machines may run it only if the command line says so.
    fn program(&self) -> Result<Option<Arc<EngineSetup>>> {
        let Some(command) = &self.o_engine else { return Ok(None) };
        if !self.listen.is_loopback() && !self.let_others_run_it {
            bail!(UsageError::new(format_args!(
                "--o-engine with --listen {}: every machine that reaches this address could run the program, with your rights; \
                 --let-others-run-it allows it",
                self.listen
            )));
        }
        Ok(Some(program(command)?))
    }
}
