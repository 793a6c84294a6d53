//! From a program to an engine that is ready for the game.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::engine::OptionType;
use crate::protocol::{Command, EngineReply, Handshake, Reply};
use crate::text::on_one_line;
use noughts_core::game::Rules;

use super::engine_process::EngineProcess;
use super::set_up::{self, UnsupportedGame};
use super::variant::{self, VariantFile};
use super::{Client, Connection, EngineProtocol, EngineSetup, Failure, OptionProblem, RunContext};

/// Options with the values to set.
type OptionValues = Vec<(String, String)>;

/// The most options that an engine may declare.
const MAX_OPTIONS: usize = 1000;

/// The reason why an engine cannot take part. Each is a sentence that follows the engine's name, without its full stop.
#[derive(Error, Clone, PartialEq, Debug)]
pub enum StartError {
    /// The program cannot be started.
    #[error("cannot be started: {0}")]
    Spawn(String),
    /// The program was started, and failed before it had introduced itself as its protocol wants.
    #[error("{}", introduction_failure(.0, *.1))]
    Introduction(Failure, EngineProtocol),
    /// An option does not fit what the engine declares, or the engine does not play the game.
    #[error(transparent)]
    Option(#[from] OptionProblem),
    /// The engine answered its options with an error.
    #[error("refuses its options: {}", .0.escape_debug())]
    Refused(String),
    /// The file that describes the game to the engine cannot be written.
    #[error("cannot be told of its game in a file: {0}")]
    File(String),
}

fn introduction_failure(failure: &Failure, protocol: EngineProtocol) -> String {
    match (failure, protocol) {
        (Failure::Gone { .. }, EngineProtocol::Noughts) => {
            format!("{failure} before it had introduced itself with ugiok")
        }
        (Failure::Gone { .. }, EngineProtocol::Uci) => format!("{failure} before it had introduced itself with uciok"),
        (Failure::Gone { .. }, EngineProtocol::Gomocup) => {
            format!("{failure} before it had answered ABOUT and START")
        }
        (Failure::Late { .. } | Failure::NotReady(_), EngineProtocol::Noughts) => {
            "did not introduce itself with ugiok and readyok in time; proto=uci is for engines that know only uci"
                .to_owned()
        }
        (Failure::Late { .. } | Failure::NotReady(_), EngineProtocol::Uci) => {
            "did not introduce itself with uciok and readyok in time".to_owned()
        }
        (Failure::Late { .. } | Failure::NotReady(_), EngineProtocol::Gomocup) => {
            "did not answer ABOUT and START in time".to_owned()
        }
        (failure, _) => failure.to_string(),
    }
}

/// The time that the client waits for an engine without `isready` to refuse an option.
const OPTIONS_PAUSE: Duration = Duration::from_millis(100);

impl Client {
    /// Starts an engine and sets it up for games under `rules`.
    ///
    /// # Errors
    /// Says why it cannot take part; nothing is left behind then.
    pub fn start(setup: &Arc<EngineSetup>, rules: Rules, context: &RunContext) -> Result<Client, StartError> {
        let process = EngineProcess::spawn(setup, context).map_err(|error| StartError::Spawn(error.to_string()))?;
        Client::connect(Box::new(process), setup, rules, context)
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
        error.map_or(Ok(client), |error| Err(StartError::Refused(error)))
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
    fn set_up(&mut self, rules: Rules, deadline: Instant) -> Result<Option<VariantFile>, StartError> {
        let setup = Arc::clone(&self.setup);
        let mut own = setup.options.clone();
        let (game, file) = match setup.protocol {
            EngineProtocol::Noughts => (set_up::game(rules, &self.declared)?, None),
            EngineProtocol::Uci => {
                let chosen = self.choose_variant(rules, deadline)?;
                // This option is already set, because others depend on it.
                own.retain(|(name, _)| !name.eq_ignore_ascii_case(variant::PATH));
                chosen
            }
            EngineProtocol::Gomocup => {
                set_up::gomoku(rules)?;
                self.queue(&Command::NewGame);
                // This protocol declares no options. An engine ignores those that it does not know.
                let any = |(name, _): &(String, String)| (name.clone(), OptionType::Text { default: String::new() });
                self.declared = own.iter().map(any).collect();
                (OptionValues::new(), None)
            }
        };
        for (name, value) in game.into_iter().chain(set_up::own(&own, &self.declared)?) {
            self.set_option(&name, &value);
        }
        Ok(file)
    }

    /// The options by which an engine that speaks UCI learns the game: a name that it lists, a name in a file, or the
    /// options of our own protocol. Options of the set-up come first.
    fn choose_variant(
        &mut self,
        rules: Rules,
        deadline: Instant,
    ) -> Result<(OptionValues, Option<VariantFile>), StartError> {
        let setup = Arc::clone(&self.setup);
        let is_path = |(name, _): &&(String, String)| name.eq_ignore_ascii_case(variant::PATH);
        let own_path: OptionValues = setup.options.iter().filter(is_path).cloned().collect();
        for (_, path) in set_up::own(&own_path, &self.declared)? {
            self.read_variants(&path, deadline)?;
        }
        let named = |name: &str| vec![(variant::VARIANT.to_owned(), name.to_owned())];
        if setup.sets(variant::VARIANT) {
            return Ok((Vec::new(), None));
        }
        if let Some(name) = variant::listed(rules, self.option_type(variant::VARIANT)) {
            return Ok((named(name), None));
        }
        let has = |option| self.option_type(option).is_some();
        if has(variant::VARIANT) && !has("size") {
            if !has(variant::PATH) || !own_path.is_empty() {
                return Err(OptionProblem::Protocol { rules, reason: UnsupportedGame::Name }.into());
            }
            if rules.reverse() {
                return Err(OptionProblem::Protocol { rules, reason: UnsupportedGame::Reverse }.into());
            }
            return self.describe_variant(rules, deadline).map(|(name, file)| (named(name), Some(file)));
        }
        Ok((set_up::game(rules, &self.declared)?, None))
    }

    /// Has the engine read a file with the game. Returns the name of the game, and the file.
    fn describe_variant(&mut self, rules: Rules, deadline: Instant) -> Result<(&'static str, VariantFile), StartError> {
        let unwritten = |error: std::io::Error| StartError::File(error.to_string());
        let file = VariantFile::write(rules).map_err(unwritten)?;
        self.read_variants(&file.path().map_err(unwritten)?, deadline)?;
        // An engine leaves out a game that does not fit its boards, and would go on with another game.
        match file.listed(self.option_type(variant::VARIANT)) {
            Some(name) => Ok((name, file)),
            None => Err(OptionProblem::Protocol { rules, reason: UnsupportedGame::Board }.into()),
        }
    }

    /// Names a file of variants to the engine. The engine lists them in a second introduction.
    fn read_variants(&mut self, path: &str, deadline: Instant) -> Result<(), StartError> {
        self.set_option(variant::PATH, path);
        self.introduce(deadline)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::client::{Interrupt, OrphanKiller};
    use crate::protocol::InputLine;

    /// An engine that sends these lines, whatever it gets. It takes one byte at a time, and once none at all.
    #[derive(Default)]
    struct Lines {
        says: VecDeque<&'static str>,
        heard: Arc<Mutex<Heard>>,
    }

    #[derive(Default)]
    struct Heard {
        bytes: Vec<u8>,
        /// After how many bytes a write fails.
        fails: Option<usize>,
    }

    impl Connection for Lines {
        fn write(&mut self, bytes: &mut &[u8], _: Instant, _: &mut VecDeque<InputLine>) -> Result<(), Failure> {
            let mut heard = self.heard.lock().expect("one thread");
            let after = heard.bytes.len();
            if heard.fails.take_if(|fails| *fails == after).is_some() {
                return Err(Failure::Flood);
            }
            heard.bytes.extend(bytes.split_off_first());
            Ok(())
        }

        fn next_line(&mut self, _: Instant) -> Result<Option<InputLine>, Failure> {
            Ok(self.says.pop_front().map(|line| InputLine::Text(line.to_owned())))
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
            protocol: EngineProtocol::Noughts,
            options: options.iter().map(own).collect(),
            restart: false,
        };
        let context = RunContext {
            interrupt: Arc::new(Interrupt::new().expect("a pipe")),
            orphan_killer: Arc::new(OrphanKiller::none()),
            log: None,
            start_limit: Duration::from_secs(60),
        };
        Client::connect(Box::new(engine), &Arc::new(setup), Rules::default(), &context)
    }

    fn says(lines: &[&'static str]) -> Lines {
        Lines { says: lines.iter().copied().collect(), ..Lines::default() }
    }

    #[test]
    fn a_line_that_was_half_written_is_not_begun_again() {
        for fails in 0..8 {
            let engine = says(&["ugiok", "readyok"]);
            let heard = Arc::clone(&engine.heard);
            let mut client = connect(&[], engine).expect("a client");
            *heard.lock().expect("one thread") = Heard { bytes: Vec::new(), fails: Some(fails) };
            assert!(client.get_ready().is_err(), "after {fails} bytes");
            Client::quit([client]);
            assert_eq!(heard.lock().expect("one thread").bytes, b"isready\nquit\n", "after {fails} bytes");
        }
    }

    #[test]
    fn a_title_is_a_line_that_can_be_printed() {
        let client = connect(&[], says(&["id name A\u{1b}[2J\u{202e}B", "ugiok", "readyok"])).expect("a client");
        assert_eq!(client.title(), Some("A\\x1b[2J\\u{202e}B"));
    }

    #[test]
    fn what_an_engine_declares_is_printed_without_its_control_characters() {
        let declared = ["option name Style\u{9b} type combo default a\u{1b}[2J var a\u{202e}", "ugiok"];
        let error = connect(&[("style\u{9b}", "b")], says(&declared)).err().expect("no such style").to_string();
        assert!(crate::text::is_line(&error) && error.contains("a\\x1b[2J var a\\u{202e}"), "{error}");
    }
}
