//! The Gomocup (Piskvork) protocol: five or more in a row on boards from 5x5 to 20x20.
//!
//! The source is "Gomoku AI protocol" (Petr Laštovička, 2000 to 2016). The client puts stones on a board of its own and
//! tells of each; the engine keeps them too, because a client may take any of them back.

mod stones;
mod terms;

use crate::protocol::{Command, GoCommand, Info, Line, PositionCommand, Query, Reply};
use crate::text::Excerpt;
use noughts_core::game::MoveText;

use super::inquiry::Inquiry;
use super::{Dialect, Speech, options};

use stones::{Block, OWN, Stones, diagram, place};
use terms::{Timing, UNLIMITED, hash, remark};

/// The boards that there are.
const SIZES: std::ops::RangeInclusive<u32> = 5..=20;

/// The number in a row that wins.
const CONNECT: u32 = 5;

/// The dialect; see the module.
#[derive(Default)]
pub struct Gomocup {
    /// Rows of the board, once there is one.
    size: Option<u32>,
    stones: Stones,
    /// The lines between `BOARD` and `DONE`.
    block: Option<Block>,
    clock: Timing,
    awaited: Awaited,
}

/// What the session is to answer.
#[derive(Default)]
enum Awaited {
    #[default]
    Nothing,
    /// Whether a new board is as it should be.
    Start(Inquiry),
    /// Whether an option takes its value.
    Option(Inquiry),
    /// Whether the stones that a command has led to are a position to move in.
    Position(Inquiry, &'static str, Stones),
    /// A move, with the last that was said about it.
    Move(Box<Info>),
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
                let problem = format!("{excerpt} is no line of text that can be read");
                return match &mut self.block {
                    Some(block) => block.refuse(problem),
                    None => speech.line(format_args!("UNKNOWN {problem}")),
                };
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
            (Awaited::Option(mut inquiry), reply) => match inquiry.hear(reply) {
                None => Awaited::Option(inquiry),
                Some(found) => {
                    if let Some(error) = found.error {
                        let problem = error.strip_prefix("setoption: ").unwrap_or(&error);
                        speech.line(format_args!("ERROR INFO: {problem}"));
                    }
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

    fn refuse(&mut self, line: &Line, speech: &mut Speech) {
        speech.line(format_args!("ERROR too much waits behind a search; {} is left out", line.excerpt()));
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

    /// `INFO key value`. A key of the protocol comes before an option of that name. Keys that are neither are no errors.
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
                UNLIMITED.. if key == "time_left" => self.clock.left = None,
                left => self.clock.left = Some(left),
            },
            "max_memory" => {
                if let Some(mebibytes) = hash(number()?) {
                    speech.set_option("Hash", mebibytes);
                }
            }
            "rule" => {
                number()?;
                // A negative number is no rule either.
                if value.trim() != "0" {
                    return Err(format!(
                        "INFO rule: only rule 0 is played, five or more in a row win, not rule {}; nothing is changed",
                        Excerpt::of(value.trim())
                    ));
                }
            }
            _ => return self.set_option(text, speech),
        }
        Ok(())
    }

    /// Sets the option whose name and value these are, if they are any.
    fn set_option(&mut self, text: &str, speech: &mut Speech) -> Result<(), String> {
        match options::beginning(text) {
            None => {}
            Some((name, _)) if options::is_of_the_game(name) => {
                return Err(format!("INFO {name}: the game is chosen by START and INFO rule; nothing is changed"));
            }
            Some((name, value)) => {
                let option = Command::SetOption { name: name.to_owned(), value: value.to_owned() };
                self.awaited = Awaited::Option(Inquiry::begin([option], &[Query::GameOver], speech));
            }
        }
        Ok(())
    }

    /// Asks whether the engine is to move in the position with these stones.
    fn put_up(&mut self, command: &'static str, stones: Stones, speech: &mut Speech) -> Result<(), String> {
        let diagram =
            diagram(self.started()?, &stones).map_err(|problem| format!("{command}: {problem}; nothing is changed"))?;
        let position = Command::Position(PositionCommand { diagram: Some(diagram), moves: Vec::new() });
        self.awaited = Awaited::Position(Inquiry::begin([position], &[Query::GameOver], speech), command, stones);
        Ok(())
    }

    /// Has the engine move, if it can.
    fn think(&mut self, found: Inquiry, command: &str, stones: Stones, speech: &mut Speech) -> Awaited {
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
        if found.answers.first().is_some_and(|over| over == "true") {
            // The opponent may end the game with a stone, which can be taken back; a board is refused whole.
            if command == "TURN" {
                self.stones = stones;
            }
            speech.line(format_args!("ERROR {command}: there is no move, the game is over"));
            return Awaited::Nothing;
        }
        self.stones = stones;
        speech.command(Command::Go(GoCommand::from(self.clock.limits())));
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
