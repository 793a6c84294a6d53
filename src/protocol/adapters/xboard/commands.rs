//! The commands of XBoard.

use crate::protocol::{Command, Handshake, Query, fen, option_names};
use crate::text::Excerpt;
use noughts_core::game::Player;
use noughts_core::search::Limits;

use super::super::ProtocolOutput;
use super::super::pending_queries::PendingQueries;
use super::messages;
use super::state::{Mode, Origin, Purpose, XBoardClient, XBoardGame, XBoardState};
use super::variant::XBoardVariant;

/// The time that a hint may take, in milliseconds.
const HINT_MS: u64 = 1000;

/// The first word of a line, and what follows it.
pub(super) fn first_word(text: &str) -> (&str, &str) {
    text.split_once([' ', '\t']).map_or((text, ""), |(word, rest)| (word, rest.trim()))
}

/// The commands without arguments.
const ALONE: &str = "new quit force go ? . undo remove hint post nopost analyze exit";

/// True if this command has no arguments.
pub(super) fn takes_nothing(word: &str) -> bool {
    ALONE.split(' ').any(|known| known == word)
}

impl XBoardClient {
    /// Carries out a command in its turn.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the command.
    pub(super) fn run_command(&mut self, word: &str, rest: &str, output: &mut ProtocolOutput) -> Result<(), String> {
        let number = |read: Option<()>| read.ok_or_else(|| format!("{word} cannot be read; nothing is changed"));
        match word {
            _ if takes_nothing(word) && !rest.is_empty() => {
                return Err(format!("{word} stands alone; nothing is changed"));
            }
            "xboard" => self.set_variant(output),
            "quit" => output.command(Command::Quit),
            "accepted" | "rejected" | "random" | "computer" | "name" | "rating" | "ics" | "easy" | "hard" | "draw"
            | "bk" | "pause" | "resume" => {}
            // No search is under way, so there is nothing to end or to report.
            "?" | "." => {}
            "protover" => {
                self.set_variant(output);
                output.line(messages::features());
                output.command(Command::Handshake(Handshake::Uci));
                self.state = XBoardState::Introduction;
            }
            "ping" if rest.parse::<i64>().is_err() => return Err("expected a whole number".to_owned()),
            "ping" => output.line(format_args!("pong {rest}")),
            "post" => self.shows_thinking = true,
            "nopost" => self.shows_thinking = false,
            "level" => number(self.time.read_level(rest))?,
            "st" => number(self.time.read_move_time(rest))?,
            "sd" => number(self.time.read_depth(rest))?,
            "time" => number(self.time.read_left(0, rest))?,
            "otim" => number(self.time.read_left(1, rest))?,
            "memory" => self.set_option("Hash", rest, &format!("{word} {rest}"), output),
            "cores" => self.set_option("Threads", rest, &format!("{word} {rest}"), output),
            "option" => self.set_named_option(rest, output)?,
            "new" => self.new_game(output),
            "variant" => {
                self.variant = XBoardVariant::named(rest).ok_or("there is no such variant; nothing is changed")?;
                output.line(self.variant.set_up());
                self.new_game(output);
            }
            "setboard" => {
                let start = Some(fen(rest).ok_or("expected a board such as 3/1P1/3 b; nothing is changed")?);
                self.set_position(XBoardGame { start, ..XBoardGame::default() }, Origin::SetBoard, output);
            }
            "force" | "result" | "exit" => self.mode = Mode::Force,
            "go" => {
                self.mode = Mode::Plays(self.game.side.unwrap_or(Player::X));
                self.move_or_claim(output);
            }
            "analyze" => {
                self.mode = Mode::Analysis;
                self.analysis_is_due = true;
            }
            "hint" if self.game.outcome.is_some() => return Err("the game is over".to_owned()),
            "hint" => {
                let limits = Limits { move_time: Some(HINT_MS), ..Limits::default() };
                self.search(Purpose::Hint, limits, output);
            }
            "undo" => self.take_back(1, output)?,
            "remove" => self.take_back(2, output)?,
            "usermove" => self.make_move(rest, output),
            _ if self.variant.read(word).is_some() && rest.is_empty() => self.make_move(word, output),
            _ => return Err("unknown command".to_owned()),
        }
        Ok(())
    }

    /// Carries out `option NAME=VALUE`.
    fn set_named_option(&mut self, rest: &str, output: &mut ProtocolOutput) -> Result<(), String> {
        let (name, value) = rest.split_once('=').ok_or("expected NAME=VALUE; nothing is changed")?;
        let name = option_names::named(name).ok_or("there is no such option; nothing is changed")?;
        if messages::is_chosen_by_variant(name) {
            return Err("the game is chosen by variant; nothing is changed".to_owned());
        }
        self.set_option(name, value, &format!("option {rest}"), output);
        Ok(())
    }

    /// Sets an option of the engine. `line` is the whole command, for an error.
    fn set_option(&mut self, name: &str, value: &str, line: &str, output: &mut ProtocolOutput) {
        let option = Command::SetOption { name: name.to_owned(), value: value.trim().to_owned() };
        self.state = XBoardState::Option(PendingQueries::emit(option, &[Query::Position], output), line.to_owned());
    }

    /// Tells the session which game is chosen. The position stays if it is the same game as before.
    fn set_variant(&self, output: &mut ProtocolOutput) {
        output.set_option("UCI_Variant", "noughts");
        output.set_option("columns", 0);
        output.set_option("size", self.variant.size);
        output.set_option("reverse", self.variant.reverse);
    }

    /// Begins a game on the empty board. The engine moves second.
    fn new_game(&mut self, output: &mut ProtocolOutput) {
        self.mode = Mode::Plays(Player::O);
        self.time.depth = None;
        self.set_variant(output);
        output.command(Command::NewGame);
        self.set_position(XBoardGame::default(), Origin::Command, output);
    }

    /// Takes so many moves back.
    fn take_back(&mut self, moves: usize, output: &mut ProtocolOutput) -> Result<(), String> {
        let left = self.game.moves.len().checked_sub(moves).ok_or("there is nothing to take back")?;
        let (start, moves) = (self.game.start.clone(), self.game.moves[..left].to_vec());
        self.set_position(XBoardGame { start, moves, ..XBoardGame::default() }, Origin::Command, output);
        Ok(())
    }

    /// Makes a move of the client.
    fn make_move(&mut self, text: &str, output: &mut ProtocolOutput) {
        match self.variant.read(text) {
            Some(written) => {
                let mut game = self.game.clone();
                game.moves.push(written);
                self.set_position(game, Origin::Move(text.to_owned()), output);
            }
            None => output.line(format_args!("Illegal move (expected one such as P@b2): {}", Excerpt::of(text))),
        }
    }
}
