//! Engines of GTP: this program plays with them as a graphical interface for Go does.
//!
//! Responses come in the order of the commands. So the response to `protocol_version` says what `readyok` says in our
//! protocol. Its text is known from the introduction: a response without a number and with another text is a stray one.
//!
//! The adapter keeps the stones that the engine has on its board. A position that goes on from there needs the new
//! stones only, any other one an empty board. After a refused stone or a wrong move the board is not known.
//!
//! GTP does not say which game is played. The commands `noughts-connect`, `noughts-reverse` and `noughts-<option>` are
//! those of this program. Without them an engine is taken to play what such engines play.

mod conversation;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use crate::engine::{OptionRole, OptionSpec, OptionType};
use crate::protocol::adapters::stone_order::stones_in_turn;
use crate::protocol::adapters::{ForeignEngine, GameStep};
use crate::protocol::{Command, EngineReply, GoCommand, Handshake, InputLine, PositionCommand, Reply};
use crate::text::decimal;
use noughts_core::game::{Cell, Player, Position, Rules, Shape};

use super::{cell_at, colour, option_command, vertex};
use conversation::{Conversation, Heard, Purpose, Response, Sent};

/// The version of the protocol.
const VERSION: &str = "2";

/// The commands that no game can do without, each with the reason why an engine cannot play.
const NEEDED: [(&str, &str); 4] = [
    ("boardsize", "it lists no command boardsize"),
    ("clear_board", "it lists no command clear_board"),
    ("play", "it lists no command play"),
    ("genmove", "it lists no command genmove"),
];

/// A question for a move, with the stones on the board of the engine.
struct Question {
    id: u64,
    position: Position,
    stones: Vec<(Cell, Player)>,
}

/// The adapter for an engine of GTP.
#[derive(Default)]
pub struct GtpEngine {
    rules: Rules,
    conversation: Conversation,
    /// The version of the protocol, as the engine says it.
    version: String,
    /// Name and version of the engine.
    title: Vec<String>,
    commands: Vec<String>,
    /// The stones on the engine's board, in the order in which they were put, if they are known.
    board: Option<Vec<(Cell, Player)>>,
    /// The position of the next question.
    position: Option<Position>,
    /// The last question, if the engine's board depends on its answer.
    asked: Option<Question>,
    /// The time for the game and that for a move, in milliseconds, as they were sent last.
    told: Option<[u64; 2]>,
    /// True if it has refused a time with a decimal point.
    whole_seconds: bool,
    /// True if responses have come that nobody waits for, since the engine was ready last.
    has_stray: bool,
}

impl ForeignEngine for GtpEngine {
    fn write_command(&mut self, command: &Command, text: &mut String) {
        match command {
            Command::Handshake(_) => {
                self.write("protocol_version", Purpose::Protocol, text);
                self.write("name", Purpose::Title, text);
                self.write("version", Purpose::Title, text);
                self.write("list_commands", Purpose::Commands, text);
            }
            Command::IsReady => _ = self.write("protocol_version", Purpose::Ready, text),
            Command::NewGame => {
                self.told = None;
                // Engines may remember more than their board. But one that has just cleared it has nothing to forget.
                if self.board.as_ref().is_none_or(|stones| !stones.is_empty()) {
                    self.clear_board(text);
                }
            }
            Command::SetOption { name, value } => self.write_listed(&option_command(name), value, Purpose::Other, text),
            Command::Position(position) => self.put_stones(position, text),
            Command::Go(go) => self.ask_for_a_move(go, text),
            // A comment to all engines but those that know this extension of GoGui.
            Command::Stop if self.listed("gogui-interrupt").is_some() => text.push_str("# interrupt\n"),
            Command::Quit => _ = self.write("quit", Purpose::Other, text),
            _ => {}
        }
    }

    fn read_line(&mut self, line: InputLine, replies: &mut VecDeque<EngineReply>) {
        match self.conversation.hear(line) {
            Heard::Whole(response) => self.read_response(response, replies),
            Heard::Outside(text) if !text.is_empty() => replies.push_back(Reply::Note(text).into()),
            Heard::Part | Heard::Outside(_) => {}
        }
    }

    fn no_ready(&self) -> &'static str {
        "did not answer protocol_version"
    }

    fn game_step(
        &mut self,
        _: &[(String, OptionType)],
        _: &[(String, String)],
        text: &mut String,
    ) -> Result<GameStep, &'static str> {
        if let Some((_, reason)) = NEEDED.iter().find(|(name, _)| self.listed(name).is_none()) {
            return Err(reason);
        }
        let (Shape { rows, columns }, length) = (self.rules.shape(), self.rules.line_length());
        let is_common = rows == columns && (length == Some(5) || (rows, length) == (3, Some(3)));
        if !is_common && self.listed("noughts-connect").is_none() {
            return Err("it lists no command noughts-connect; without it a GTP engine plays three in a row on 3x3 or \
                        five in a row on other squares");
        }
        if self.rules.reverse() && self.listed("noughts-reverse").is_none() {
            return Err("it lists no command noughts-reverse; without it a GTP engine plays normal rules");
        }
        let size = if rows == columns { rows.to_string() } else { format!("{rows} {columns}") };
        self.write_listed("boardsize", &size, Purpose::Board, text);
        self.clear_board(text);
        let connect = length.map_or(self.rules.connect(), u16::from);
        self.write_listed("noughts-connect", &connect.to_string(), Purpose::Board, text);
        self.write_listed("noughts-reverse", &self.rules.reverse().to_string(), Purpose::Board, text);
        Ok(GameStep::DoneWhenReady)
    }
}

impl GtpEngine {
    /// An adapter for an engine that plays under `rules` and has just been started.
    pub fn new(rules: Rules) -> GtpEngine {
        GtpEngine { rules, ..GtpEngine::default() }
    }

    fn write(&mut self, line: &str, purpose: Purpose, text: &mut String) -> u64 {
        self.conversation.write(line, purpose, text)
    }

    /// Writes a command as the engine lists it, or nothing if it does not.
    fn write_listed(&mut self, name: &str, arguments: &str, purpose: Purpose, text: &mut String) {
        if let Some(listed) = self.listed(name) {
            self.write(&format!("{listed} {arguments}"), purpose, text);
        }
    }

    /// The command of this name, in any case, as the engine lists it.
    fn listed(&self, name: &str) -> Option<&str> {
        self.commands.iter().map(String::as_str).find(|listed| listed.eq_ignore_ascii_case(name))
    }

    /// Makes the engine's board empty.
    fn clear_board(&mut self, text: &mut String) {
        self.write("clear_board", Purpose::Board, text);
        self.board = Some(Vec::new());
        self.asked = None;
    }

    /// Puts on the engine's board what is missing there of a position.
    fn put_stones(&mut self, command: &PositionCommand, text: &mut String) {
        self.position = None;
        let Some((position, stones)) = stones_in_turn(self.rules, command) else { return };
        let known = self.board.as_ref().filter(|known| stones.starts_with(known)).map(Vec::len);
        if known.is_none() {
            self.clear_board(text);
        }
        for &(cell, player) in &stones[known.unwrap_or(0)..] {
            let line = format!("play {} {}", colour(player), vertex(cell, self.rules.shape()));
            self.write(&line, Purpose::Board, text);
        }
        self.board = Some(stones);
        self.position = Some(position);
    }

    /// Writes the question for a move.
    fn ask_for_a_move(&mut self, go: &GoCommand, text: &mut String) {
        let Some(position) = self.position.take() else { return };
        self.tell_times(go, position.side(), text);
        let id = self.write(&format!("genmove {}", colour(position.side())), Purpose::Move, text);
        self.asked = self.board.take().map(|stones| Question { id, position, stones });
    }

    /// Tells the engine the time for the game and for a move when it has changed, and what is left on the clocks.
    fn tell_times(&mut self, go: &GoCommand, side: Player, text: &mut String) {
        let clocks = go.limits.clocks;
        let times = match (go.limits.move_time, clocks[side as usize].time) {
            (Some(turn), _) => [0, turn],
            // The first time on the clock is the time for the game.
            (None, Some(left)) => [self.told.map_or(left, |[game, turn]| if turn == 0 { game } else { left }), 0],
            (None, None) => return,
        };
        if self.told.replace(times) != Some(times) {
            // So many seconds for this many moves: for one, or for none at all. No time at all is none.
            let [game, turn] = times.map(|time| self.seconds(time, time.min(1)));
            let settings = format!("{game} {turn} {}", u8::from(times[1] > 0));
            self.write_listed("time_settings", &settings, Purpose::Time, text);
        }
        let shows = go.limits.move_time.is_none();
        for player in [Player::X, Player::O].into_iter().filter(|_| shows) {
            if let Some(left) = clocks[player as usize].time {
                let left = format!("{} {} 0", colour(player), self.seconds(left, 0));
                self.write_listed("time_left", &left, Purpose::Time, text);
            }
        }
    }

    /// Milliseconds as seconds. The protocol has whole ones: down to these, but at least `least`. Not all engines mind a
    /// decimal point.
    fn seconds(&self, milliseconds: u64, least: u64) -> String {
        match self.whole_seconds {
            true => (milliseconds / 1000).max(least).to_string(),
            false => decimal(milliseconds as f64 / 1000.0),
        }
    }

    /// The board is not known: the next position begins with an empty one.
    fn forget_board(&mut self) {
        self.board = None;
        self.asked = None;
    }

    /// Reads a response.
    fn read_response(&mut self, response: Response, replies: &mut VecDeque<EngineReply>) {
        let fits = |sent: &Sent| sent.purpose != Purpose::Ready || response.text == self.version;
        let mut answered = self.conversation.answered(&response, fits);
        let Some(sent) = answered.pop() else {
            self.has_stray = true;
            return replies.push_back(Reply::Note(format!("{} without a question", response.first_line())).into());
        };
        if answered.iter().any(|skipped| skipped.purpose == Purpose::Board) {
            self.forget_board();
        }
        let error = format!("{}: {}", sent.line, response.first_line());
        match sent.purpose {
            Purpose::Protocol => self.version = response.text,
            Purpose::Title if response.is_error => {}
            Purpose::Title => self.title.push(response.first_line().to_owned()),
            Purpose::Commands => self.introduce(&response, replies),
            Purpose::Ready => {
                // The client takes a move before this for a stale one.
                replies.extend(std::mem::take(&mut self.has_stray).then(|| Reply::BestMove(None).into()));
                if response.is_error || response.text != VERSION {
                    let error = format!("{error}; only version {VERSION} of GTP is known here");
                    replies.push_back(Reply::Error(error).into());
                }
                replies.push_back(Reply::ReadyOk.into());
            }
            Purpose::Move => replies.push_back(self.read_move(sent.id, &response)),
            Purpose::Board | Purpose::Time | Purpose::Other if !response.is_error => {}
            Purpose::Time => {
                // It is not told again what it cannot be told. GNU Go and others know whole seconds only.
                let name = sent.line.split(' ').next().unwrap_or_default();
                if sent.line.contains('.') {
                    self.whole_seconds = true;
                    self.told = self.told.filter(|_| !name.eq_ignore_ascii_case("time_settings"));
                } else {
                    self.commands.retain(|listed| listed != name);
                }
                replies.push_back(Reply::Note(error).into());
            }
            Purpose::Board | Purpose::Other => {
                if sent.purpose == Purpose::Board {
                    self.forget_board();
                }
                replies.push_back(Reply::Error(error).into());
            }
        }
    }

    /// The end of the introduction: the list of commands, which holds the options.
    fn introduce(&mut self, response: &Response, replies: &mut VecDeque<EngineReply>) {
        if !response.is_error {
            self.commands = response.text.split_whitespace().map(str::to_owned).collect();
        }
        replies.push_back(Reply::Id { field: "name".to_owned(), text: self.title.join(" ").trim().to_owned() }.into());
        // The client chooses the game itself.
        for option in OptionSpec::all().filter(|option| option.role != OptionRole::Game) {
            if self.listed(&option_command(option.name)).is_some() {
                let (name, kind) = (option.name.to_owned(), option.option_type());
                replies.push_back(Reply::Option { name, kind }.into());
            }
        }
        replies.push_back(Reply::HandshakeOk(Handshake::Ugi).into());
    }

    /// Reads the answer to a question for a move.
    fn read_move(&mut self, id: u64, response: &Response) -> EngineReply {
        let mark = if response.is_error { "? " } else { "" };
        let said = format!("{mark}{}", response.first_line());
        let Some(cell) = cell_at(said.trim(), self.rules.shape()) else {
            let line = InputLine::Text(format!("bestmove {said}"));
            return EngineReply::BestMove { best_move: None, line };
        };
        if let Some(Question { mut position, mut stones, .. }) = self.asked.take_if(|asked| asked.id == id) {
            stones.push((cell, position.side()));
            self.board = position.play(cell).is_ok().then_some(stones);
        }
        Reply::BestMove(Some(cell.into())).into()
    }
}
