//! Engines of the Gomocup protocol: this program plays with them as the manager Piskvork does.
//!
//! `ABOUT` is the handshake; the client asks it once. The `OK` to `START` or `RESTART` separates games. Within a game the
//! client asks for nothing but moves, each in the shortest way: `BEGIN` on the empty board, `TURN` if one move is new to
//! the engine, else `BOARD`. By the rules of the protocol, `BOARD` comes after `RESTART` when a game is under way.
//!
//! A move carries no sign of the question that it answers. This is how the adapter tells stale moves from answers:
//!
//! - A move before the `OK` of a new game, or before the next question was written, is certainly stale. The client reads
//!   everything that has arrived before it writes a question.
//! - If the engine repeats its own last move after the next question, that counts as a repetition. As an answer the move
//!   would be illegal. It becomes the answer if nothing else comes in time.
//! - Any other move after a question was written counts as its answer, though a slow engine may have meant an earlier
//!   question. Of several moves the first counts, and the others are stale.

use std::collections::VecDeque;
use std::fmt;

use crate::engine::OptionType;
use crate::protocol::adapters::stone_order::stones_in_turn;
use crate::protocol::adapters::{Confirmation, ForeignEngine, GameStep};
use crate::protocol::{Command, EngineReply, GoCommand, Handshake, InputLine, Reply};
use crate::text::Excerpt;
use noughts_core::game::{Cell, MoveText, Player, Position, Rules, Shape};

use super::{CONNECT, Coordinates, SIZES, UNLIMITED};

/// The words that begin a line for people.
const TALK: [&str; 2] = ["MESSAGE", "DEBUG"];

/// The first game: `START`.
const START: Confirmation = Confirmation { missing: "did not answer START with OK", is_first: true };

/// Another game: `RESTART`.
const RESTART: Confirmation = Confirmation {
    missing: "did not answer RESTART with OK (restart=on starts an engine anew for each game)",
    is_first: false,
};

/// The adapter for an engine of the Gomocup protocol.
#[derive(Default)]
pub struct GomocupEngine {
    rules: Rules,
    /// True if `START` has been written.
    started: bool,
    /// The position on the engine's board, if it is known.
    known: Option<Position>,
    /// The position of the next question, with its stones in the order in which they were put.
    question: Option<(Position, Vec<(Cell, Player)>)>,
    /// The position in which the engine is to move.
    asked: Option<Position>,
    /// True if the answer to `ABOUT` is missing.
    introduces: bool,
    /// The beginning of a game that the engine has not confirmed with `OK`.
    awaited: Option<Confirmation>,
    /// The last move of the engine on this board.
    last: Option<Cell>,
    /// That move, if the engine has repeated it since the question.
    repeated: Option<MoveText>,
    /// The number of stale moves that the client has not asked for yet.
    stale: u32,
    /// The times of [`TIMES`] that were sent to the engine last, in milliseconds.
    told: Option<[u64; TIMES.len()]>,
}

/// The most time for a move, the time for the whole game or 0 for no limit, and what is left of it.
const TIMES: [&str; 3] = ["timeout_turn", "timeout_match", "time_left"];

impl ForeignEngine for GomocupEngine {
    fn write_command(&mut self, command: &Command, text: &mut String) {
        match command {
            Command::Handshake(_) => {
                self.introduces = true;
                text.push_str("ABOUT\n");
            }
            Command::NewGame => {
                // A new game begins with its full time, not with what was left of the last.
                self.told = None;
                self.clear_board(text);
            }
            Command::SetOption { name, value } => text.extend(["INFO ", name, " ", value, "\n"]),
            Command::Position(position) => {
                self.question = stones_in_turn(self.rules, position);
                self.make_room(text);
            }
            Command::Go(go) => self.ask_for_a_move(go, text),
            Command::Quit => text.push_str("END\n"),
            // The protocol has no other commands, not even one that stops a search.
            _ => {}
        }
    }

    fn awaited(&self) -> Option<Confirmation> {
        self.awaited
    }

    fn take_stale(&mut self) -> u32 {
        std::mem::take(&mut self.stale)
    }

    /// A repetition of the last move, as the answer to a question that has no other answer.
    fn last_resort(&mut self) -> Option<EngineReply> {
        let written = self.repeated.take()?;
        self.asked = None;
        Some(Reply::BestMove(Some(written)).into())
    }

    fn read_line(&mut self, line: InputLine, replies: &mut VecDeque<EngineReply>) {
        let text = match line {
            InputLine::Text(text) => text,
            // Unreadable bytes may still stand where a move should.
            InputLine::NotText(start) | InputLine::TooLong(start) => {
                let is_talk = TALK.iter().any(|word| start.begins_with(word));
                return if is_talk { replies.push_back(note(&start)) } else { self.read_other(start, replies) };
            }
        };
        let (word, rest) = text.split_once([' ', '\t']).unwrap_or((&text, ""));
        match word.to_ascii_uppercase().as_str() {
            "" => {}
            "OK" => replies.extend(self.awaited.take().map(|_| Reply::ReadyOk.into())),
            word if TALK.contains(&word) => replies.push_back(note(&text)),
            "ERROR" => replies.push_back(Reply::Error(rest.trim().to_owned()).into()),
            "UNKNOWN" => replies.push_back(Reply::Error(text).into()),
            _ if is_description(&text) => self.read_description(&text, replies),
            _ => match Coordinates::read(&text) {
                Some(at) => self.read_move(at.into(), replies),
                None => self.read_other(Excerpt::of(&text), replies),
            },
        }
    }

    /// The first game begins as every other does.
    fn game_step(
        &mut self,
        _: &[(String, OptionType)],
        _: &[(String, String)],
        text: &mut String,
    ) -> Result<GameStep, &'static str> {
        let wins_with = self.rules.line_length().map(u32::from);
        let Shape { rows, columns } = self.rules.shape();
        if ![rows, columns].iter().all(|&side| SIZES.contains(&side.into()))
            || wins_with != Some(CONNECT)
            || self.rules.reverse()
        {
            return Err("the Gomocup protocol has five in a row on 5x5 to 20x20, normal rules only");
        }
        self.write_command(&Command::NewGame, text);
        Ok(GameStep::Done)
    }

    fn declares_options(&self) -> bool {
        false
    }

    fn has_isready(&self) -> bool {
        false
    }
}

impl GomocupEngine {
    /// An adapter for an engine that plays under `rules` and has just been started.
    pub fn new(rules: Rules) -> GomocupEngine {
        GomocupEngine { rules, ..GomocupEngine::default() }
    }

    /// Makes the engine's board empty.
    fn clear_board(&mut self, text: &mut String) {
        let start = Some(Position::start(self.rules));
        if !self.started {
            // Game type 1: the opponent is a program. Rule 0: five or more in a row win.
            let shape = self.rules.shape();
            match shape.is_square() {
                true => text.push_str(&format!("START {}\n", shape.rows)),
                false => text.push_str(&format!("RECTSTART {},{}\n", shape.columns, shape.rows)),
            }
            text.push_str("INFO max_memory 0\nINFO game_type 1\nINFO rule 0\n");
            self.awaited = Some(START);
        } else if self.known != start {
            text.push_str("RESTART\n");
            self.awaited = Some(RESTART);
        }
        self.started = true;
        self.known = start;
        self.asked = None;
        self.last = None;
    }

    /// Clears the engine's board unless one move leads from there to the position of the question.
    fn make_room(&mut self, text: &mut String) {
        let Some((position, stones)) = &self.question else { return };
        let is_step = || self.known.and_then(|known| step(&known, position)).is_some();
        if stones.is_empty() || !is_step() {
            self.clear_board(text);
        }
    }

    /// Writes the question for a move.
    fn ask_for_a_move(&mut self, go: &GoCommand, text: &mut String) {
        let Some((position, stones)) = self.question.take() else { return };
        self.tell_times(go, position.side(), text);
        if stones.is_empty() {
            text.push_str("BEGIN\n");
        } else if let Some(cell) = self.known.and_then(|known| step(&known, &position)) {
            text.push_str(&format!("TURN {}\n", Coordinates::from(cell)));
        } else {
            text.push_str("BOARD\n");
            for (cell, player) in stones {
                let field = if player == position.side() { 1 } else { 2 };
                text.push_str(&format!("{},{field}\n", Coordinates::from(cell)));
            }
            text.push_str("DONE\n");
        }
        self.known = None;
        self.repeated = None;
        self.asked = Some(position);
    }

    /// Tells the engine those of its times that have changed.
    fn tell_times(&mut self, go: &GoCommand, side: Player, text: &mut String) {
        let times = match (go.limits.move_time, go.limits.clocks[side as usize].time) {
            (Some(turn), _) => [turn, 0, UNLIMITED],
            // The first time on the clock is the time for the game. One move may take all of it.
            (None, Some(left)) => {
                let game = self.told.map_or(left, |[_, game, _]| game);
                [game, game, left]
            }
            (None, None) => return,
        };
        for (index, (key, now)) in TIMES.into_iter().zip(times).enumerate() {
            if self.told.is_none_or(|told| told[index] != now) {
                text.push_str(&format!("INFO {key} {now}\n"));
            }
        }
        self.told = Some(times);
    }

    /// Reads the answer to `ABOUT`.
    fn read_description(&mut self, text: &str, replies: &mut VecDeque<EngineReply>) {
        if !std::mem::take(&mut self.introduces) {
            return replies.push_back(note(&text));
        }
        let title = [value(text, "name"), value(text, "version")].into_iter().flatten();
        let title = title.collect::<Vec<_>>().join(" ");
        let name = Reply::Id { field: "name".to_owned(), text: title };
        replies.extend([name.into(), Reply::HandshakeOk(Handshake::Ugi).into()]);
    }

    /// Reads a move: the answer to the question, a repetition, or a stale move.
    fn read_move(&mut self, written: MoveText, replies: &mut VecDeque<EngineReply>) {
        let cell = written.on_board(self.rules.shape()).ok();
        if self.asked.is_some() && cell.is_some() && cell == self.last {
            // An earlier repetition was no answer either.
            self.stale += u32::from(self.repeated.replace(written).is_some());
            return replies.push_back(note(&format_args!("{written} once more")));
        }
        let Some(mut position) = self.asked.take() else {
            self.stale += 1;
            return replies.push_back(note(&format_args!("{written} without a question")));
        };
        self.stale += u32::from(self.repeated.take().is_some());
        replies.push_back(Reply::BestMove(Some(written)).into());
        self.last = cell.filter(|&cell| position.play(cell).is_ok());
        self.known = self.last.map(|_| position);
    }

    /// Reads a line that is nothing else: an answer that is no move, if an answer is awaited.
    fn read_other(&mut self, said: Excerpt, replies: &mut VecDeque<EngineReply>) {
        replies.push_back(match self.asked.take() {
            Some(_) => EngineReply::BestMove { best_move: None, line: InputLine::Text(format!("bestmove {said}")) },
            None => note(&said),
        });
    }
}

/// A reply that is only for people.
fn note(said: &dyn fmt::Display) -> EngineReply {
    Reply::Note(said.to_string()).into()
}

/// The only move that leads from one position to the other.
fn step(from: &Position, to: &Position) -> Option<Cell> {
    if from.outcome().is_some() || from.empty_cells() != to.empty_cells() + 1 {
        return None;
    }
    let new = from.moves().find(|&cell| to.occupant(cell).is_some())?;
    (from.after(new) == *to).then_some(new)
}

/// True if this is an answer to `ABOUT`: `name="X", version="1.0", author="Y", country="Z"`.
fn is_description(text: &str) -> bool {
    let start = text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("name"));
    start && text[4..].trim_start().starts_with('=')
}

/// The value of a key in such an answer.
fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let start = text.to_ascii_lowercase().find(key)?;
    let rest = text[start + key.len()..].trim_start().strip_prefix('=')?.trim_start();
    let value = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split(',').next(),
    };
    value.map(str::trim).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests;
