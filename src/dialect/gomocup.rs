//! The Gomocup (Piskvork) protocol: five or more in a row on boards from 5x5 to 20x20.
//!
//! The source is "Gomoku AI protocol" (Petr Laštovička, 2000 to 2016). The client puts stones on a board of its own and
//! tells of each; the engine keeps them too, because a client may take any of them back.

use std::collections::BTreeMap;

use crate::excerpt::Excerpt;
use crate::game::{Diagram, DiagramRow, MoveText, Player};
use crate::protocol::{Command, GoCommand, Info, Line, PositionCommand, Query, Reply, decimal};
use crate::search::{Clock, Limits};

use super::inquiry::Inquiry;
use super::{Dialect, Speech};

/// The stones of the engine; those of its opponent are the others. Positions name who moves, so it does not matter who
/// began.
const OWN: Player = Player::X;

/// The boards that there are.
const SIZES: std::ops::RangeInclusive<u32> = 5..=20;

/// The number in a row that wins.
const CONNECT: u32 = 5;

/// A cell as the protocol writes it: column and row, from 0 at the top left.
type Place = (u32, u32);

/// The dialect; see the module.
#[derive(Default)]
pub struct Gomocup {
    /// Rows of the board, once there is one.
    size: Option<u32>,
    stones: Vec<(Place, Player)>,
    /// The lines between `BOARD` and `DONE`.
    block: Option<Block>,
    clock: Timing,
    awaited: Awaited,
}

/// A board as it is told, stone by stone.
#[derive(Default)]
struct Block {
    stones: Vec<(Place, Player)>,
    /// What is wrong with the first line that is wrong.
    error: Option<String>,
}

/// What the session is to answer.
#[derive(Default)]
enum Awaited {
    #[default]
    Nothing,
    /// Whether a new board is as it should be.
    Start(Inquiry),
    /// Whether the stones that a command has led to are a position to move in.
    Position(Inquiry, &'static str, Vec<(Place, Player)>),
    /// A move, with the last that was said about it.
    Move(Box<Info>),
}

/// What the client says of time; in milliseconds.
#[derive(Default)]
struct Timing {
    /// For a move.
    turn: Option<u64>,
    /// What is left for all moves.
    left: Option<u64>,
}

/// The time of a move that is to come "as fast as possible", in milliseconds.
const SWIFT: u64 = 10;

impl Timing {
    /// Keeps a part of each move's time back for the way to the client.
    fn limits(&self) -> Limits {
        let move_time = self.turn.map(|turn| match turn {
            0 => SWIFT,
            turn => turn - (turn / 20).clamp(10, 100).min(turn / 2),
        });
        let mut clocks = [Clock::default(); 2];
        clocks[OWN as usize].time = self.left;
        Limits { move_time, clocks, ..Limits::default() }
    }
}

impl Dialect for Gomocup {
    fn at_once(&mut self, line: &Line, speech: &mut Speech) -> bool {
        let is_end = matches!(line, Line::Text(text) if text.eq_ignore_ascii_case("end"));
        if is_end {
            speech.command(Command::Quit);
        }
        is_end
    }

    fn hear(&mut self, line: &Line, speech: &mut Speech) {
        let text = match line {
            Line::Text(text) => text.as_str(),
            Line::NotText(excerpt) | Line::TooLong(excerpt) => {
                return speech.line(format_args!("UNKNOWN {excerpt} is no line of text that can be read"));
            }
        };
        let (word, rest) = text.split_once([' ', '\t']).unwrap_or((text, ""));
        let said = match (&mut self.block, word.to_ascii_lowercase().as_str()) {
            (Some(_), "done") => self.finish_block(speech),
            (Some(block), _) => {
                block.hear(text);
                Ok(())
            }
            (None, "about" | "restart" | "begin" | "board") if !rest.trim().is_empty() => {
                Err(format!("{word}: expected the end of the line, found {}; nothing is changed", Excerpt::of(rest)))
            }
            (None, "about") => {
                speech.line(format_args!(
                    "name=\"Noughts\", version=\"{}\", author=\"the Noughts authors\"",
                    env!("CARGO_PKG_VERSION")
                ));
                Ok(())
            }
            (None, "start") => self.start(rest, speech),
            (None, "rectstart") => self.start_rectangle(rest, speech),
            (None, "restart") => self.restart(speech),
            (None, "begin") => self.put_up("BEGIN", self.stones.clone(), speech),
            (None, "turn") => self.turn(rest, speech),
            (None, "board") => {
                self.block = Some(Block::default());
                Ok(())
            }
            (None, "takeback") => self.take_back(rest, speech),
            (None, "info") => self.learn(rest, speech),
            (None, _) => {
                speech.line(format_args!("UNKNOWN there is no command {}", Excerpt::of(word)));
                Ok(())
            }
        };
        if let Err(problem) = said {
            speech.line(format_args!("ERROR {problem}"));
        }
    }

    fn reply(&mut self, reply: Reply, speech: &mut Speech) {
        self.awaited = match (std::mem::take(&mut self.awaited), reply) {
            (Awaited::Start(mut inquiry), reply) => match inquiry.hear(reply) {
                None => Awaited::Start(inquiry),
                Some(found) => {
                    self.say_whether_started(found, speech);
                    Awaited::Nothing
                }
            },
            (Awaited::Position(mut inquiry, command, stones), reply) => match inquiry.hear(reply) {
                None => Awaited::Position(inquiry, command, stones),
                Some(found) => self.think(found, command, stones, speech),
            },
            (Awaited::Move(info), Reply::BestMove(best)) => {
                self.say_move(&info, best, speech);
                Awaited::Nothing
            }
            (Awaited::Move(_), Reply::Info(info)) => Awaited::Move(Box::new(info)),
            (awaited @ Awaited::Move(_), Reply::Error(text) | Reply::Note(text)) => {
                speech.line(format_args!("MESSAGE {text}"));
                awaited
            }
            (awaited, _) => awaited,
        };
    }

    fn is_busy(&self) -> bool {
        !matches!(self.awaited, Awaited::Nothing)
    }
}

impl Gomocup {
    /// `START n`.
    fn start(&mut self, text: &str, speech: &mut Speech) -> Result<(), String> {
        let size: u32 = text.trim().parse().map_err(|_| {
            format!("START: expected the size of the board, found {}; there is no new board", Excerpt::of(text))
        })?;
        self.begin(size, speech)
    }

    /// `RECTSTART width,height`.
    fn start_rectangle(&mut self, text: &str, speech: &mut Speech) -> Result<(), String> {
        match place(text) {
            Some((width, height)) if width == height => self.begin(width, speech),
            Some((width, height)) => {
                Err(format!("RECTSTART: only square boards are played, not {width}x{height}; there is no new board"))
            }
            None => {
                Err(format!("RECTSTART: expected width,height, found {}; there is no new board", Excerpt::of(text)))
            }
        }
    }

    /// An empty board of this size.
    fn begin(&mut self, size: u32, speech: &mut Speech) -> Result<(), String> {
        if !SIZES.contains(&size) {
            let (least, most) = (SIZES.start(), SIZES.end());
            return Err(format!(
                "START: boards from {least}x{least} to {most}x{most} are played, not {size}x{size}; \
                 there is no new board"
            ));
        }
        self.size = Some(size);
        self.stones.clear();
        speech.set_option("UCI_Variant", "noughts");
        speech.set_option("size", size);
        speech.set_option("connect", CONNECT);
        speech.set_option("reverse", false);
        self.awaited = Awaited::Start(Inquiry::begin([Command::NewGame], &[Query::GameOver], speech));
        Ok(())
    }

    fn say_whether_started(&mut self, found: Inquiry, speech: &mut Speech) {
        match found.error {
            None => speech.line("OK"),
            Some(error) => {
                self.size = None;
                speech.line(format_args!("ERROR {error}"));
            }
        }
    }

    /// `RESTART`: the empty board once more.
    fn restart(&mut self, speech: &mut Speech) -> Result<(), String> {
        self.started()?;
        self.stones.clear();
        self.awaited = Awaited::Start(Inquiry::begin([Command::NewGame], &[Query::GameOver], speech));
        Ok(())
    }

    /// The size of the board.
    fn started(&self) -> Result<u32, String> {
        self.size.ok_or_else(|| "there is no board yet; send START with its size first".to_owned())
    }

    /// `TURN x,y`: a stone of the opponent, and a move of the engine.
    fn turn(&mut self, text: &str, speech: &mut Speech) -> Result<(), String> {
        let at = place(text)
            .ok_or_else(|| format!("TURN: expected x,y, found {}; nothing is changed", Excerpt::of(text)))?;
        let stones = self.stones.iter().copied().chain([(at, !OWN)]).collect();
        self.put_up("TURN", stones, speech)
    }

    /// `DONE`: the stones that have been told, and a move of the engine.
    fn finish_block(&mut self, speech: &mut Speech) -> Result<(), String> {
        let Block { stones, error } = self.block.take().unwrap_or_default();
        match error {
            None => self.put_up("BOARD", stones, speech),
            Some(error) => Err(format!("BOARD: {error}; nothing is changed")),
        }
    }

    /// `TAKEBACK x,y`: the stone that was put there is gone.
    fn take_back(&mut self, text: &str, speech: &mut Speech) -> Result<(), String> {
        let at = place(text)
            .ok_or_else(|| format!("TAKEBACK: expected x,y, found {}; nothing is changed", Excerpt::of(text)))?;
        let index = self.stones.iter().rposition(|&(place, _)| place == at);
        let index = index.ok_or_else(|| format!("TAKEBACK: there is no stone on {},{}", at.0, at.1))?;
        self.stones.remove(index);
        speech.line("OK");
        Ok(())
    }

    /// `INFO key value`. Keys that mean nothing here are no errors.
    fn learn(&mut self, text: &str, speech: &mut Speech) -> Result<(), String> {
        let (key, value) = text.trim().split_once([' ', '\t']).unwrap_or((text.trim(), ""));
        let key = key.to_ascii_lowercase();
        // What is left may be negative: then it is as good as nothing.
        let number = || match value.trim().parse::<i64>() {
            Ok(number) => Ok(number.max(0) as u64),
            Err(_) => {
                Err(format!("INFO {key}: expected a whole number, found {}; nothing is changed", Excerpt::of(value)))
            }
        };
        match key.as_str() {
            "timeout_turn" => self.clock.turn = Some(number()?),
            "timeout_match" | "time_left" => match number()? {
                0 if key == "timeout_match" => self.clock.left = None,
                left => self.clock.left = Some(left),
            },
            "max_memory" => speech.set_option("Hash", hash(number()?)),
            "rule" if number()? != 0 => {
                return Err(format!(
                    "INFO rule: only rule 0 is played, five or more in a row win, not rule {}; nothing is changed",
                    number()?
                ));
            }
            _ => {}
        }
        Ok(())
    }

    /// Asks whether the engine is to move in the position with these stones.
    fn put_up(
        &mut self,
        command: &'static str,
        stones: Vec<(Place, Player)>,
        speech: &mut Speech,
    ) -> Result<(), String> {
        let diagram =
            diagram(self.started()?, &stones).map_err(|problem| format!("{command}: {problem}; nothing is changed"))?;
        let position = Command::Position(PositionCommand { diagram: Some(diagram), moves: Vec::new() });
        self.awaited = Awaited::Position(Inquiry::begin([position], &[Query::GameOver], speech), command, stones);
        Ok(())
    }

    /// Has the engine move, if it can.
    fn think(&mut self, found: Inquiry, command: &str, stones: Vec<(Place, Player)>, speech: &mut Speech) -> Awaited {
        if found.error.is_some() {
            // The session would name the players as it knows them.
            let count = |player| stones.iter().filter(|stone| stone.1 == player).count();
            speech.line(format_args!(
                "ERROR {command}: this is no position in which the engine is to move, with {} stones of its own and {} \
                 of its opponent; nothing is changed",
                count(OWN),
                count(!OWN)
            ));
            return Awaited::Nothing;
        }
        self.stones = stones;
        if found.answers.first().is_some_and(|over| over == "true") {
            speech.line("ERROR there is no move: the game is over");
            return Awaited::Nothing;
        }
        speech.command(Command::Go(GoCommand { limits: self.clock.limits(), ignored: Vec::new() }));
        Awaited::Move(Box::default())
    }

    fn say_move(&mut self, info: &Info, best: Option<MoveText>, speech: &mut Speech) {
        self.clock.left = self.clock.left.map(|left| left.saturating_sub(info.time.unwrap_or(0)));
        let Some(MoveText::RowColumn(row, column)) = best else {
            return speech.line("ERROR there is no move");
        };
        self.stones.push(((column, row), OWN));
        speech.line(format_args!("MESSAGE {}", remark(info)));
        speech.line(format_args!("{column},{row}"));
    }
}

impl Block {
    /// A line `x,y,field`.
    fn hear(&mut self, text: &str) {
        let field = text.rsplit_once(',').and_then(|(at, field)| {
            let player = match field.trim() {
                "1" => OWN,
                "2" => !OWN,
                _ => return None,
            };
            Some((place(at)?, player))
        });
        match field {
            Some(stone) => self.stones.push(stone),
            None if self.error.is_none() => {
                self.error = Some(format!(
                    "expected x,y,1 for a stone of the engine, x,y,2 for one of its opponent, or DONE, found {}",
                    Excerpt::of(text)
                ));
            }
            None => {}
        }
    }
}

/// `x,y`.
fn place(text: &str) -> Option<Place> {
    let (x, y) = text.trim().split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

/// The board with these stones on it, the engine to move.
fn diagram(size: u32, stones: &[(Place, Player)]) -> Result<Diagram, String> {
    let mut board = BTreeMap::new();
    for &((column, row), player) in stones {
        if column >= size || row >= size {
            return Err(format!("{column},{row} is off the {size}x{size} board"));
        }
        if board.insert((row, column), player).is_some() {
            return Err(format!("{column},{row} is taken"));
        }
    }
    let row = |row| {
        let mut text = DiagramRow::default();
        for column in 0..size {
            match board.get(&(row, column)) {
                Some(&player) => text.push_stone(player),
                None => text.push_empty(1),
            }
        }
        text
    };
    Ok(Diagram { rows: (0..size).map(row).collect(), side: Some(OWN) })
}

/// What is kept back of the memory that a client allows, in bytes: the program itself and the stack of a search.
const PROGRAM_BYTES: u64 = 24 << 20;

/// The option `Hash`, in MiB, for so many bytes in all. A limit of 0 is none.
fn hash(bytes: u64) -> u64 {
    const USUAL: u64 = 64;
    match bytes {
        0 => USUAL,
        bytes => (bytes.saturating_sub(PROGRAM_BYTES) >> 20).clamp(1, USUAL),
    }
}

/// What the engine thinks of its move, for people.
fn remark(info: &Info) -> String {
    let value = info.value.unwrap_or(0.0);
    let proven = info.proven == Some(true);
    let mut remark = match info.plies {
        Some(plies) if proven => {
            let plies = format!("{plies} {}", if plies == 1 { "ply" } else { "plies" });
            format!("{} in {plies}", if value > 0.0 { "win" } else { "loss" })
        }
        _ if proven => "draw".to_owned(),
        _ => format!("value {}", decimal(value)),
    };
    for (name, number) in [("depth", info.depth), ("nodes", info.nodes), ("time", info.time)] {
        if let Some(number) = number {
            remark.push_str(&format!(", {name} {number}"));
        }
    }
    let expected: Vec<String> = info
        .pv
        .iter()
        .filter_map(|written| match written {
            MoveText::RowColumn(row, column) => Some(format!("{column},{row}")),
            _ => None,
        })
        .collect();
    if expected.is_empty() { remark } else { format!("{remark}, expected {}", expected.join(" ")) }
}
