//! What is carried out when it is its turn: every command but those that are acted on when they arrive.

use crate::engine::{Changed, DEBUG_LOG_FILE, OPTIONS, OptionError};
use crate::protocol::{Command, Handshake, OptionType, ParseError, PositionCommand, Query, QueryAnswer, Reply};
use crate::text::Excerpt;
use noughts_core::game::{Player, Position};

use super::jobs::Streams;
use super::{LateEngine, Session, report};
use crate::text::board;

impl Session {
    pub(super) fn carry_out(&mut self, number: u64, command: Result<Command, ParseError>) {
        match command {
            Ok(Command::Handshake(handshake)) => self.introduce(handshake),
            Ok(Command::NewGame) => {
                match &mut self.late_engine {
                    Some(late) => *late = LateEngine::Replaced,
                    None => self.engine = Some((self.make_engine)()),
                }
                self.put_up(Position::start(self.options.rules));
            }
            Ok(Command::SetOption { name, value }) => self.set_option(&name, &value),
            Ok(Command::Position(command)) => self.set_position(&command),
            Ok(Command::Go(command)) => self.go(number, &command),
            Ok(Command::Eval { exact: false }) => self.eval(number),
            Ok(Command::Eval { exact: true }) => self.eval_exact(number),
            Ok(Command::Explain(written)) => self.explain(number, written),
            Ok(Command::Query(query)) => self.answer_query(query),
            Ok(Command::Draw) => self.say_text(&board::describe(&self.position)),
            Ok(Command::Help) => self.say_text(report::HELP),
            // Everything that `debug on` could show is said without it.
            Ok(Command::Debug(_) | Command::GameOver) => {}
            // All but `wait`, which has now held what it had to, are acted on when they arrive.
            Ok(Command::Wait | Command::PonderHit | Command::Stop | Command::IsReady | Command::Quit) => {}
            Err(error) => self.say_error(error),
        }
    }

    fn introduce(&mut self, handshake: Handshake) {
        self.handshake = handshake;
        let id = |field: &str, text: String| Reply::Id { field: field.to_owned(), text };
        self.say(&id("name", format!("Noughts {}", env!("CARGO_PKG_VERSION"))));
        self.say(&id("author", "the Noughts authors".to_owned()));
        for option in OPTIONS {
            self.say(&report::declaration(option.name, self.caps.on(option.name, option.kind())));
        }
        if self.caps.files {
            let kind = OptionType::Text { default: String::new() };
            self.say(&Reply::Option { name: DEBUG_LOG_FILE.to_owned(), kind });
        }
        self.say(&Reply::HandshakeOk(handshake));
    }

    fn put_up(&mut self, position: Position) {
        self.position = position;
        self.adrift = false;
    }

    fn set_option(&mut self, name: &str, value: &str) {
        let most = self.caps.of_option(name);
        if let Some(most) = most.filter(|&most| value.parse::<u64>().is_ok_and(|number| number > most.into())) {
            return self.say_error(format_args!(
                "setoption: {name} accepts a whole number up to {most} here, not {}; nothing is changed",
                Excerpt::of(value)
            ));
        }
        if name.eq_ignore_ascii_case(DEBUG_LOG_FILE) {
            if !self.caps.files {
                return self.say_error(format_args!("setoption: {} cannot be set from here", DEBUG_LOG_FILE));
            }
            if let Err(error) = self.journal.open(value) {
                self.say_error(format_args!("setoption: {error}"));
            }
            return;
        }
        match self.options.set(name, value) {
            // Not `put_up`: an option does not show that the client knows what game is on the board.
            Ok(Changed::Rules) => self.position = Position::start(self.options.rules),
            Ok(Changed::Seed) => self.streams = Streams::new(self.options.seed),
            Ok(Changed::Other) => {}
            Err(error @ OptionError::Unknown { .. }) => {
                let journal = self.caps.files.then_some(DEBUG_LOG_FILE);
                let names: Vec<&str> = OPTIONS.iter().map(|option| option.name).chain(journal).collect();
                self.say_error(format_args!("setoption: {error}; options are {}", names.join(", ")));
            }
            Err(error) => self.say_error(format_args!("setoption: {error}")),
        }
    }

    fn set_position(&mut self, command: &PositionCommand) {
        let end = Position::reach(self.options.rules, command.diagram.as_ref(), &command.moves);
        match end {
            Ok(position) => self.put_up(position),
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
        self.say(&Reply::Response(answer));
    }
}
