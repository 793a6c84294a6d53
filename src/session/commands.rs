//! The effects of the commands of a session, but for searches.

use crate::engine::{OptionError, OptionRole, OptionSpec, SearchPurpose};
use crate::protocol::{Command, Handshake, Query, QueryAnswer, Reply};
use crate::text::{Excerpt, board};
use noughts_core::game::Player;

use super::inbox::Turn;
use super::replies;
use super::running_search::SearchKind;
use super::session::Session;

impl Session {
    /// Carries a command out. No search is under way.
    pub(super) fn carry_out(&mut self, command: Command, turn: Turn) {
        // No search, when the position on the board is not the one that the client believes to be there.
        if self.game.is_out_of_sync()
            && let Some(name) = search_name(&command)
        {
            return self.reply_error(format_args!(
                "{name}: refused, for a position, newgame or setoption before it was refused; \
                 send a position or newgame first"
            ));
        }
        match command {
            Command::Handshake(handshake) => self.introduce(handshake),
            Command::NewGame => {
                self.search.renew_engine();
                self.game.begin();
            }
            Command::SetOption { name, value } => {
                if let Err(problem) = self.set_option(&name, &value) {
                    self.reply_error(format_args!("setoption: {problem}"));
                }
            }
            Command::Position(command) => {
                if let Err(error) = self.game.set_position(&command) {
                    self.reply_error(format_args!("position: {error}; the position is unchanged"));
                }
            }
            Command::Go(command) => self.go(turn, &command),
            Command::Eval { exact: false } => self.evaluate(turn, SearchKind::Eval, SearchPurpose::Values),
            Command::Eval { exact: true } => self.eval_exact(turn),
            Command::Explain(written) => self.explain(turn, written),
            Command::Trace(command) => self.trace(turn, &command),
            Command::Query(query) => self.answer_query(query),
            Command::ShowBoard => self.reply_text(&board::describe(self.game.position())),
            Command::Help => self.reply_text(replies::HELP),
            // There is nothing that only `debug on` would show.
            Command::Debug(_) | Command::GameOver => {}
            // The conversation acts on these.
            Command::Wait | Command::PonderHit | Command::Stop | Command::IsReady | Command::Quit => {}
        }
    }

    fn introduce(&mut self, handshake: Handshake) {
        self.handshake = handshake;
        let id = |field: &str, text: String| Reply::Id { field: field.to_owned(), text };
        self.reply(id("name", format!("Noughts {}", env!("CARGO_PKG_VERSION"))));
        self.reply(id("author", "the Noughts authors".to_owned()));
        for option in self.limits.options() {
            let kind = self.limits.narrow(option);
            self.reply(Reply::Option { name: option.name.to_owned(), kind });
        }
        self.reply(Reply::HandshakeOk(handshake));
    }

    /// Sets an option.
    ///
    /// # Errors
    /// A sentence that says why it stays as it is.
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
            return self.debug_log.open(value);
        }
        self.game.set_option(name, value).map_err(|error| self.with_names(&error))
    }

    /// An error of an option; the names of all options if there is none of this name.
    fn with_names(&self, error: &OptionError) -> String {
        let OptionError::Unknown(_) = error else { return error.to_string() };
        let names: Vec<&str> = self.limits.options().map(|option| option.name).collect();
        format!("{error}; options are {}", names.join(", "))
    }

    fn answer_query(&mut self, query: Query) {
        let position = self.game.position();
        let answer = match query {
            Query::P1Turn => QueryAnswer::Flag(position.side() == Player::X),
            Query::GameOver => QueryAnswer::Flag(position.outcome().is_some()),
            Query::Result => position.outcome().map_or(QueryAnswer::None, QueryAnswer::Result),
            Query::Position | Query::Fen => QueryAnswer::Position(position.diagram()),
            Query::IsLegal(written) => QueryAnswer::Flag(position.legal_move(written).is_ok()),
            Query::Moves => {
                QueryAnswer::Moves(position.moves().map(|cell| self.game.options().write_move(cell)).collect())
            }
            Query::Line => match position.completed_line() {
                line if line.is_empty() => QueryAnswer::None,
                line => QueryAnswer::Moves(line.iter().map(Into::into).collect()),
            },
        };
        self.reply(Reply::Response(answer));
    }
}

/// The name of a command that asks for a search.
fn search_name(command: &Command) -> Option<&'static str> {
    match command {
        Command::Go(_) => Some("go"),
        Command::Eval { .. } => Some("eval"),
        Command::Explain(_) => Some("explain"),
        Command::Trace(_) => Some("trace"),
        _ => None,
    }
}
