//! The protocol of the Gomocup tournaments, as the manager Piskvork speaks it: five in a row, columns first, and no
//! sign before an answer that says what it is.
//!
//! `ABOUT` is the handshake, and is asked once. The `OK` that answers `START` and `RESTART` separates games. Within a game
//! there is nothing to be asked but moves. A move is asked for in the shortest way: `BEGIN` on the empty board, `TURN`
//! where one move is new to the engine, `BOARD` otherwise, which by the rules of the protocol comes after `RESTART` when
//! a game is under way.
//!
//! A move carries no sign of the question that it answers. How well late and stale moves are told from answers:
//!
//! - What comes before the `OK` of a new game, or before a question has been written, is stale for certain. The client
//!   reads everything that has arrived before it writes a question.
//! - The engine's own last move, said once more after the next question, is taken for a repetition: as an answer it would
//!   be illegal. It counts as the answer if nothing else comes in time.
//! - Any other move that comes after a question has been written counts as its answer, though a slow engine may have
//!   meant an earlier one. Of several moves the first counts, and the others are stale.

use std::collections::VecDeque;
use std::fmt;

use crate::protocol::{Command, GoCommand, Line, PositionCommand};
use crate::text::Excerpt;
use noughts_core::game::{Cell, DiagramRow, MoveText, Player, Position, Rules};

use super::Awaited;

/// Words that begin a line for people.
const TALK: [&str; 2] = ["MESSAGE", "DEBUG"];

/// What stands for the time of a match without a limit.
const UNLIMITED: u64 = i32::MAX as u64;

/// Interpreter of the Gomocup protocol.
pub struct Gomocup {
    rules: Rules,
    /// Whether there was a `START`.
    started: bool,
    /// The position that the engine has on its board, if that is known.
    known: Option<Position>,
    /// The position of the last question, and the stones that led to it in the order in which they came.
    question: Option<(Position, Vec<(Cell, Player)>)>,
    /// The position that a move is awaited in.
    asked: Option<Position>,
    /// Whether `ABOUT` has been asked and not been answered.
    introduces: bool,
    /// The beginning of a game that has not been confirmed with `OK`.
    awaited: Option<Awaited>,
    /// The last move of the engine on this board.
    last: Option<Cell>,
    /// That move, if it was said once more since the question.
    repeated: Option<MoveText>,
    /// Moves that were no answers, until the client asks for their number.
    stale: u32,
    /// What the engine was last told of its time.
    told: Option<Times>,
}

/// Times in milliseconds as the protocol has them.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Times {
    /// The most for a move.
    turn: u64,
    /// For the whole game, 0 for no limit.
    game: u64,
    /// What is left of it.
    left: u64,
}

impl Gomocup {
    pub fn new(rules: Rules) -> Gomocup {
        Gomocup {
            rules,
            started: false,
            known: None,
            question: None,
            asked: None,
            introduces: false,
            awaited: None,
            last: None,
            repeated: None,
            stale: 0,
            told: None,
        }
    }

    pub fn say(&mut self, command: &Command, text: &mut String) {
        match command {
            Command::Handshake(_) => {
                self.introduces = true;
                text.push_str("ABOUT\n");
            }
            Command::NewGame => {
                // What is left of the last game's time is not what this one begins with.
                self.told = None;
                self.clear_board(text);
            }
            Command::SetOption { name, value } => text.extend(["INFO ", name, " ", value, "\n"]),
            Command::Position(position) => {
                self.question = self.placed(position);
                self.make_room(text);
            }
            Command::Go(go) => self.ask_for_a_move(go, text),
            Command::Quit => text.push_str("END\n"),
            // There is no way to hurry an engine, and nothing else to be asked.
            _ => {}
        }
    }

    /// What the engine has to confirm before it is asked for a move.
    pub fn awaited(&self) -> Option<Awaited> {
        self.awaited
    }

    pub fn take_stale(&mut self) -> u32 {
        std::mem::take(&mut self.stale)
    }

    /// A repetition of the last move, as the answer to a question that nothing else has answered.
    pub fn last_resort(&mut self) -> Option<Line> {
        let written = self.repeated.take()?;
        self.asked = None;
        Some(Line::Text(format!("bestmove {written}")))
    }

    /// Leaves the engine with an empty board.
    fn clear_board(&mut self, text: &mut String) {
        let start = Some(Position::start(self.rules));
        if !self.started {
            // The opponent is a program, and five or more in a row win.
            text.push_str(&format!("START {}\nINFO max_memory 0\nINFO game_type 1\nINFO rule 0\n", self.rules.size()));
            self.awaited = Some(Awaited::Start);
        } else if self.known != start {
            text.push_str("RESTART\n");
            self.awaited = Some(Awaited::Restart);
        }
        self.started = true;
        self.known = start;
        self.asked = None;
        self.last = None;
    }

    /// Clears the engine's board if the position of the question cannot be reached from there by one move.
    fn make_room(&mut self, text: &mut String) {
        let Some((position, stones)) = &self.question else { return };
        let is_step = || self.known.and_then(|known| step(&known, position)).is_some();
        if stones.is_empty() || !is_step() {
            self.clear_board(text);
        }
    }

    /// A position with its stones: those of a diagram from the top left, the players' by turns so that the last is of
    /// who has just moved, then those of the moves.
    fn placed(&self, command: &PositionCommand) -> Option<(Position, Vec<(Cell, Player)>)> {
        let mut position = Position::reach(self.rules, command.diagram.as_ref(), &[]).ok()?;
        let mut stones: Vec<(Cell, Player)> = Vec::new();
        let rows: &[DiagramRow] = command.diagram.as_ref().map_or(&[], |diagram| &diagram.rows);
        let on_board = |row: usize, &(column, player): &(u32, Player)| (Cell::new(row as u8, column as u8), player);
        let all =
            rows.iter().enumerate().flat_map(|(row, text)| text.stones.iter().map(move |stone| on_board(row, stone)));
        let (own, other): (Vec<_>, Vec<_>) = all.partition(|(_, player)| *player == position.side());
        // There are as many of both, or the other has one more.
        let first = other.len() - own.len();
        stones.extend(&other[..first]);
        stones.extend(own.iter().zip(&other[first..]).flat_map(|(own, other)| [own, other]));
        for written in &command.moves {
            let cell = written.on_board(self.rules.size()).ok()?;
            stones.push((cell, position.side()));
            position.play(cell).ok()?;
        }
        Some((position, stones))
    }

    fn ask_for_a_move(&mut self, go: &GoCommand, text: &mut String) {
        let Some((position, stones)) = self.question.take() else { return };
        self.tell_times(go, position.side(), text);
        if stones.is_empty() {
            text.push_str("BEGIN\n");
        } else if let Some(cell) = self.known.and_then(|known| step(&known, &position)) {
            text.push_str(&format!("TURN {}\n", column_row(cell)));
        } else {
            text.push_str("BOARD\n");
            for (cell, player) in stones {
                let field = if player == position.side() { 1 } else { 2 };
                text.push_str(&format!("{},{field}\n", column_row(cell)));
            }
            text.push_str("DONE\n");
        }
        self.known = None;
        self.repeated = None;
        self.asked = Some(position);
    }

    /// Tells what the engine does not know yet of its time.
    fn tell_times(&mut self, go: &GoCommand, side: Player, text: &mut String) {
        let game = self.told.map(|told| told.game);
        let times = match (go.limits.move_time, go.limits.clocks[side as usize].time) {
            (Some(turn), _) => Times { turn, game: 0, left: UNLIMITED },
            // The clock as it stood at first is the time for the game, and a move may take all of it.
            (None, Some(left)) => Times { turn: game.unwrap_or(left), game: game.unwrap_or(left), left },
            (None, None) => return,
        };
        let of = |read: fn(&Times) -> u64| (read(&times), self.told.as_ref().map(read));
        for (key, (now, before)) in [
            ("timeout_turn", of(|times| times.turn)),
            ("timeout_match", of(|times| times.game)),
            ("time_left", of(|times| times.left)),
        ] {
            if Some(now) != before {
                text.push_str(&format!("INFO {key} {now}\n"));
            }
        }
        self.told = Some(times);
    }

    pub fn hear(&mut self, line: Line, heard: &mut VecDeque<Line>) {
        let text = match line {
            Line::Text(text) => text,
            // Bytes that nobody can read may still stand where a move should.
            Line::NotText(start) | Line::TooLong(start) => {
                let is_talk = TALK.iter().any(|word| start.begins_with(word));
                return if is_talk { heard.push_back(small_talk(&start)) } else { self.hear_anything(start, heard) };
            }
        };
        let (word, rest) = text.split_once([' ', '\t']).unwrap_or((&text, ""));
        match word.to_ascii_uppercase().as_str() {
            "" => {}
            "OK" => heard.extend(self.awaited.take().map(|_| Line::Text("readyok".to_owned()))),
            word if TALK.contains(&word) => heard.push_back(small_talk(&text)),
            "ERROR" => heard.push_back(Line::Text(format!("info string error: {}", rest.trim()))),
            "UNKNOWN" => heard.push_back(Line::Text(format!("info string error: {text}"))),
            _ if is_description(&text) => self.hear_description(&text, heard),
            _ => match coordinates(&text) {
                Some(written) => self.hear_move(written, heard),
                None => self.hear_anything(Excerpt::of(&text), heard),
            },
        }
    }

    /// The answer to `ABOUT`.
    fn hear_description(&mut self, text: &str, heard: &mut VecDeque<Line>) {
        if !std::mem::take(&mut self.introduces) {
            return heard.push_back(small_talk(&text));
        }
        let title = [value(text, "name"), value(text, "version")].into_iter().flatten();
        let title = title.collect::<Vec<_>>().join(" ");
        heard.extend([format!("id name {title}"), "ugiok".to_owned()].map(Line::Text));
    }

    /// A move: the answer, or one that is none.
    fn hear_move(&mut self, written: MoveText, heard: &mut VecDeque<Line>) {
        let cell = written.on_board(self.rules.size()).ok();
        if self.asked.is_some() && cell.is_some() && cell == self.last {
            // An earlier repetition was none of the answer either.
            self.stale += u32::from(self.repeated.replace(written).is_some());
            return heard.push_back(small_talk(&format_args!("{written} once more")));
        }
        let Some(mut position) = self.asked.take() else {
            self.stale += 1;
            return heard.push_back(small_talk(&format_args!("{written} without a question")));
        };
        self.stale += u32::from(self.repeated.take().is_some());
        heard.push_back(Line::Text(format!("bestmove {written}")));
        self.last = cell.filter(|&cell| position.play(cell).is_ok());
        self.known = self.last.map(|_| position);
    }

    /// What is nothing else is no move, if a move is awaited.
    fn hear_anything(&mut self, said: Excerpt, heard: &mut VecDeque<Line>) {
        // In quotes it can never be read as a move.
        let is_answer = self.asked.take().is_some();
        heard.push_back(if is_answer { Line::Text(format!("bestmove {said}")) } else { small_talk(&said) });
    }
}

/// A line for people.
fn small_talk(said: &dyn fmt::Display) -> Line {
    Line::Text(format!("info string {said}"))
}

/// The only move that leads from one position to the other.
fn step(from: &Position, to: &Position) -> Option<Cell> {
    if from.outcome().is_some() || from.empty_cells() != to.empty_cells() + 1 {
        return None;
    }
    let new = from.moves().find(|&cell| to.occupant(cell).is_some())?;
    (from.after(new) == *to).then_some(new)
}

/// `x,y` from the top left: the column first.
fn column_row(cell: Cell) -> String {
    format!("{},{}", cell.column(), cell.row())
}

/// A move of the engine, which need not be on the board.
fn coordinates(text: &str) -> Option<MoveText> {
    let (column, row) = text.split_once(',')?;
    Some(MoveText::RowColumn(row.trim().parse().ok()?, column.trim().parse().ok()?))
}

/// Whether this is an answer to `ABOUT`: `name="X", version="1.0", author="Y", country="Z"`.
fn is_description(text: &str) -> bool {
    let start = text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("name"));
    start && text[4..].trim_start().starts_with('=')
}

/// What stands behind a key of such an answer.
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
