//! From a program to an engine that is ready for the game.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tempfile::NamedTempFile;

use crate::engine::OptionType;
use crate::protocol::adapters::GameStep;
use crate::protocol::{Command, EngineReply, Handshake, Reply};
use crate::text::on_one_line;
use noughts_core::game::Rules;

use super::engine_process::EngineProcess;
use super::failure::StartError;
use super::set_up;
use super::{Client, Connection, EngineSetup, Failure, RunContext};

/// Options with the values to set.
type OptionValues = Vec<(String, String)>;

/// The most options that an engine may declare.
const MAX_OPTIONS: usize = 1000;

/// The time that the client waits for an engine without `isready` to refuse an option.
const OPTIONS_PAUSE: Duration = Duration::from_millis(100);

impl Client {
    /// Starts an engine and sets it up for games under `rules`.
    ///
    /// # Errors
    /// Says why it cannot take part; nothing is left behind then.
    pub fn start(setup: &Arc<EngineSetup>, rules: Rules, context: &RunContext) -> Result<Client, StartError> {
        let connection = match &setup.connector {
            Some(connector) => connector.connect(context),
            None => {
                let process = EngineProcess::spawn(setup, context);
                Box::new(process.map_err(|error| StartError::Other(format!("cannot be started: {error}")))?)
            }
        };
        Client::connect(connection, setup, rules, context)
    }

    /// Sets an engine up that runs already, whatever carries its lines.
    ///
    /// # Errors
    /// As for [`Client::start`].
    pub fn connect(
        connection: Box<dyn Connection>,
        setup: &Arc<EngineSetup>,
        rules: Rules,
        context: &RunContext,
    ) -> Result<Client, StartError> {
        let mut client = Client {
            setup: Arc::clone(setup),
            connection,
            context: context.clone(),
            adapter: setup.protocol.adapter(rules),
            title: None,
            declared: Vec::new(),
            pending: String::new(),
            written: 0,
            arrived: VecDeque::new(),
            replies: VecDeque::new(),
            wants_info: false,
            overtakes: false,
            moved: None,
        };
        let deadline = Instant::now() + context.start_limit;
        client.introduce(deadline)?;
        // The file is removed when the engine is ready: by then the engine has read it.
        let _file = client.set_up(rules, deadline)?;
        let error = client.synchronise(deadline).and_then(|error| match error {
            None => client.await_option_errors(),
            error => Ok(error),
        });
        let error = error.map_err(|failure| client.not_introduced(failure))?;
        match error {
            None => Ok(client),
            Some(error) => Err(StartError::Other(format!("refuses its options: {}", error.escape_debug()))),
        }
    }

    /// For an engine without `isready`, which sends nothing when it takes an option: waits a moment for errors about the
    /// options, and returns the first.
    fn await_option_errors(&mut self) -> Result<Option<String>, Failure> {
        if self.has_isready() || self.setup.options.is_empty() {
            return Ok(None);
        }
        let deadline = Instant::now() + OPTIONS_PAUSE;
        while let Some(reply) = self.next_reply(deadline)? {
            if let Some(error) = reply.error() {
                return Ok(Some(error.to_owned()));
            }
        }
        Ok(None)
    }

    fn not_introduced(&self, failure: Failure) -> StartError {
        StartError::Introduction(failure, self.setup.protocol)
    }

    /// Learns what the engine is and which options it has.
    fn introduce(&mut self, deadline: Instant) -> Result<(), StartError> {
        self.read_introduction(deadline).map_err(|failure| self.not_introduced(failure))
    }

    fn read_introduction(&mut self, deadline: Instant) -> Result<(), Failure> {
        self.declared.clear();
        self.queue(&Command::Handshake(Handshake::Ugi));
        self.flush(deadline)?;
        loop {
            let Some(reply) = self.next_reply(deadline)? else {
                return Err(Failure::Late { answered: None, stopped: false });
            };
            let EngineReply::Reply(reply) = reply else { continue };
            match reply {
                Reply::HandshakeOk(_) => return Ok(()),
                Reply::Id { field, text } if field == "name" => self.title = Some(on_one_line(&text)),
                Reply::Option { .. } if self.declared.len() >= MAX_OPTIONS => return Err(Failure::Flood),
                Reply::Option { name, kind } => self.declared.push((name, kind)),
                _ => {}
            }
        }
    }

    /// Sends the game and the options. If a file is returned, keep it until the engine is ready.
    fn set_up(&mut self, rules: Rules, deadline: Instant) -> Result<Option<NamedTempFile>, StartError> {
        let setup = Arc::clone(&self.setup);
        let first = self.adapter.as_ref().and_then(|adapter| adapter.first_option()).unwrap_or_default();
        let (before, own): (OptionValues, OptionValues) =
            setup.options.iter().cloned().partition(|(name, _)| name.eq_ignore_ascii_case(first));
        for (_, value) in set_up::own(&before, &self.declared)? {
            self.set_and_introduce(first, &value, deadline)?;
        }
        let mut file = None;
        let game = loop {
            let step = match &mut self.adapter {
                None => Ok(GameStep::OwnOptions),
                Some(adapter) => adapter.game_step(&self.declared, &setup.options, &mut self.pending),
            };
            match step.map_err(|reason| StartError::Game(rules, reason.to_owned()))? {
                GameStep::OwnOptions => break set_up::game(rules, &self.declared)?,
                GameStep::Option(name, value) => break vec![(name.to_owned(), value.to_owned())],
                GameStep::Done => break OptionValues::new(),
                GameStep::DoneWhenReady => {
                    let error = self.synchronise(deadline).map_err(|failure| self.not_introduced(failure))?;
                    let Some(error) = error else { break OptionValues::new() };
                    return Err(StartError::Game(rules, format!("it answered {}", on_one_line(&error))));
                }
                GameStep::File(option, text) => {
                    let (written, path) = write_file(&text)
                        .map_err(|error| StartError::Other(format!("cannot be told of its game in a file: {error}")))?;
                    file = Some(written);
                    self.set_and_introduce(option, &path, deadline)?;
                }
            }
        };
        if self.adapter.as_ref().is_some_and(|adapter| !adapter.declares_options()) {
            let any = |(name, _): &(String, String)| (name.clone(), OptionType::Text { default: String::new() });
            self.declared = own.iter().map(any).collect();
        }
        for (name, value) in game.into_iter().chain(set_up::own(&own, &self.declared)?) {
            self.set_option(&name, &value);
        }
        Ok(file)
    }

    /// Sets an option after which the engine declares its options in a second introduction.
    fn set_and_introduce(&mut self, option: &str, value: &str, deadline: Instant) -> Result<(), StartError> {
        self.set_option(option, value);
        self.introduce(deadline)
    }
}

/// Writes a file that describes a game. Returns it with its absolute path. Dropping the file removes it.
fn write_file(text: &str) -> io::Result<(NamedTempFile, String)> {
    let file = tempfile::Builder::new().prefix("noughts-").suffix(".ini").tempfile()?;
    std::fs::write(file.path(), text)?;
    let path = file.path().canonicalize()?;
    let path = path.to_str().filter(|path| !path.contains(char::is_control)).map(str::to_owned);
    let path = path.ok_or_else(|| io::Error::other("the folder for temporary files has an unusual name"))?;
    Ok((file, path))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::client::{Interrupt, OrphanKiller};
    use crate::protocol::InputLine;

    /// An engine that sends these lines, whatever it receives. It takes one byte at a time, and once none at all.
    #[derive(Default)]
    struct Lines {
        sent: VecDeque<&'static str>,
        received: Arc<Mutex<Received>>,
    }

    #[derive(Default)]
    struct Received {
        bytes: Vec<u8>,
        /// After how many bytes a write fails.
        fails: Option<usize>,
    }

    impl Connection for Lines {
        fn write(&mut self, bytes: &mut &[u8], _: Instant, _: &mut VecDeque<InputLine>) -> Result<(), Failure> {
            let mut received = self.received.lock().expect("one thread");
            let after = received.bytes.len();
            if received.fails.take_if(|fails| *fails == after).is_some() {
                return Err(Failure::Flood);
            }
            received.bytes.extend(bytes.split_off_first());
            Ok(())
        }

        fn next_line(&mut self, _: Instant) -> Result<Option<InputLine>, Failure> {
            Ok(self.sent.pop_front().map(|line| InputLine::Text(line.to_owned())))
        }

        fn arrived_line(&mut self) -> Result<Option<InputLine>, Failure> {
            Ok(None)
        }

        fn close(&mut self) {}

        fn end(self: Box<Self>, _: Instant) {}
    }

    fn connect(options: &[(&str, &str)], engine: Lines) -> Result<Client, StartError> {
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let setup = EngineSetup {
            name: "lines".to_owned(),
            command: "lines".to_owned(),
            program: "lines".into(),
            arguments: Vec::new(),
            folder: None,
            protocol: Default::default(),
            options: options.iter().map(own).collect(),
            restart: false,
            connector: None,
        };
        let context = RunContext {
            interrupt: Arc::new(Interrupt::new().expect("a pipe")),
            orphan_killer: Arc::new(OrphanKiller::none()),
            log: None,
            start_limit: Duration::from_secs(60),
        };
        Client::connect(Box::new(engine), &Arc::new(setup), Rules::default(), &context)
    }

    fn sends(lines: &[&'static str]) -> Lines {
        Lines { sent: lines.iter().copied().collect(), ..Lines::default() }
    }

    #[test]
    fn a_line_that_was_half_written_is_not_begun_again() {
        for fails in 0..8 {
            let engine = sends(&["ugiok", "readyok"]);
            let received = Arc::clone(&engine.received);
            let mut client = connect(&[], engine).expect("a client");
            *received.lock().expect("one thread") = Received { bytes: Vec::new(), fails: Some(fails) };
            assert!(client.get_ready().is_err(), "after {fails} bytes");
            Client::quit([client]);
            assert_eq!(received.lock().expect("one thread").bytes, b"isready\nquit\n", "after {fails} bytes");
        }
    }

    #[test]
    fn a_title_is_a_line_that_can_be_printed() {
        let client = connect(&[], sends(&["id name A\u{1b}[2J\u{202e}B", "ugiok", "readyok"])).expect("a client");
        assert_eq!(client.title(), Some("A\\x1b[2J\\u{202e}B"));
    }

    #[test]
    fn what_an_engine_declares_is_printed_without_its_control_characters() {
        let declared = ["option name Style\u{9b} type combo default a\u{1b}[2J var a\u{202e}", "ugiok"];
        let error = connect(&[("style\u{9b}", "b")], sends(&declared)).err().expect("no such style").to_string();
        assert!(crate::text::is_line(&error) && error.contains("a\\x1b[2J var a\\u{202e}"), "{error}");
    }

    #[test]
    fn a_file_for_an_engine_is_removed_on_drop() {
        let (file, path) = write_file("[noughts]\n").expect("a temporary file");
        assert_eq!(std::fs::read_to_string(&path).expect("a file"), "[noughts]\n");
        drop(file);
        assert!(!std::path::Path::new(&path).exists());
    }
}
