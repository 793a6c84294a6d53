//! What is carried out in its turn: every command but those that are acted on when they arrive.

use crate::engine::{Changed, OptionError, OptionRole, OptionSpec};
use crate::protocol::{Command, Handshake, ParseError, PositionCommand, Query, QueryAnswer, Reply};
use crate::text::{Excerpt, board};
use noughts_core::game::{Player, Position};

use super::searches::RandomStreams;
use super::{OverdueEngine, Session, SessionOutput, report};

impl Session {
    pub(super) fn carry_out(&mut self, number: u64, command: Result<Command, ParseError>) {
        match command {
            Ok(Command::Handshake(handshake)) => self.introduce(handshake),
            Ok(Command::NewGame) => {
                match &mut self.overdue_engine {
                    Some(late) => *late = OverdueEngine::Replaced,
                    None => self.backend = Some((self.make_backend)()),
                }
                self.set_up(Position::start(self.options.rules));
            }
            Ok(Command::SetOption { name, value }) => {
                if let Err(problem) = self.set_option(&name, &value) {
                    self.say_error(format_args!("setoption: {problem}"));
                }
            }
            Ok(Command::Position(command)) => self.set_position(&command),
            Ok(Command::Go(command)) => self.go(number, &command),
            Ok(Command::Eval { exact: false }) => self.eval(number),
            Ok(Command::Eval { exact: true }) => self.eval_exact(number),
            Ok(Command::Explain(written)) => self.explain(number, written),
            Ok(Command::Trace(command)) => self.trace(number, &command),
            Ok(Command::Query(query)) => self.answer_query(query),
            Ok(Command::ShowBoard) => self.say_text(&board::describe(&self.position)),
            Ok(Command::Help) => self.say_text(report::HELP),
            // There is nothing that only `debug on` would show.
            Ok(Command::Debug(_) | Command::GameOver) => {}
            // These are acted on when they arrive; a `wait` has now held what it had to.
            Ok(Command::Wait | Command::PonderHit | Command::Stop | Command::IsReady | Command::Quit) => {}
            Err(error) => self.say_error(error),
        }
    }

    fn introduce(&mut self, handshake: Handshake) {
        self.handshake = handshake;
        let id = |field: &str, text: String| Reply::Id { field: field.to_owned(), text };
        self.say(id("name", format!("Noughts {}", env!("CARGO_PKG_VERSION"))));
        self.say(id("author", "the Noughts authors".to_owned()));
        for option in self.limits.options() {
            let kind = self.limits.narrow(option);
            self.say(Reply::Option { name: option.name.to_owned(), kind });
        }
        self.say(Reply::HandshakeOk(handshake));
    }

    fn set_up(&mut self, position: Position) {
        self.position = position;
        self.out_of_sync = false;
    }

    /// Sets an option, or says why it stays as it is.
    pub(super) fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        let option = OptionSpec::named(name);
        let most = option.and_then(|option| self.limits.of(option));
        if let Some(most) = most.filter(|&most| value.parse::<u64>().is_ok_and(|number| number > most.into())) {
            let value = Excerpt::of(value);
            return Err(format!("{name} accepts a whole number up to {most} here, not {value}; nothing is changed"));
        }
        if let Some(option) = option.filter(|option| option.role == OptionRole::LogFile) {
            if !self.limits.files {
                return Err(format!("{} cannot be set from here", option.name));
            }
            self.output(SessionOutput::DebugLog(value.to_owned()));
            return Ok(());
        }
        match self.options.set(name, value).map_err(|error| self.with_names(&error))? {
            // Not `set_up`, which ends `out_of_sync`: the client may still be wrong about the position.
            Changed::Rules => self.position = Position::start(self.options.rules),
            Changed::Seed => self.streams = RandomStreams::new(self.options.seed),
            Changed::Other => {}
        }
        Ok(())
    }

    /// An error of an option; the names of all options if there is none of this name.
    fn with_names(&self, error: &OptionError) -> String {
        let OptionError::Unknown { .. } = error else { return error.to_string() };
        let names: Vec<&str> = self.limits.options().map(|option| option.name).collect();
        format!("{error}; options are {}", names.join(", "))
    }

    fn set_position(&mut self, command: &PositionCommand) {
        match Position::reach(self.options.rules, command.diagram.as_ref(), &command.moves) {
            Ok(position) => self.set_up(position),
            Err(error) => self.say_error(format_args!("position: {error}; the position is unchanged")),
        }
    }

    fn answer_query(&mut self, query: Query) {
        let answer = match query {
            Query::P1Turn => QueryAnswer::Flag(self.position.side() == Player::X),
            Query::GameOver => QueryAnswer::Flag(self.position.outcome().is_some()),
            Query::Result => self.position.outcome().map_or(QueryAnswer::None, QueryAnswer::Result),
            Query::Position => QueryAnswer::Position(self.position.diagram()),
            Query::Moves => {
                QueryAnswer::Moves(self.position.moves().map(|cell| self.options.write_move(cell)).collect())
            }
            Query::Line => match self.position.completed_line() {
                line if line.is_empty() => QueryAnswer::None,
                line => QueryAnswer::Moves(line.iter().map(Into::into).collect()),
            },
        };
        self.say(Reply::Response(answer));
    }
}
