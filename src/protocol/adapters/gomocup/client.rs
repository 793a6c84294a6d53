//! Clients of the Gomocup protocol: one plays with this engine.
//!
//! The client puts stones on a board of its own and sends each to the engine. The adapter keeps them too, because the
//! client may take any of them back.

use crate::protocol::{Command, GoCommand, Info, InputLine, PositionCommand, Query, QueryAnswer, Reply, option_names};
use crate::text::Excerpt;
use noughts_core::game::MoveText;

use super::super::pending_queries::PendingQueries;
use super::super::{ClientProtocol, LineEffect, ProtocolOutput};
use super::stones::{BoardBlock, OWN, StoneList, diagram};
use super::timing::{TimeLeft, hash_size, remark};
use super::{CONNECT, Coordinates, SIZES, UNLIMITED};

/// The adapter for a client of the Gomocup protocol.
#[derive(Default)]
pub struct GomocupClient {
    /// Rows of the board; `None` before the first `START`.
    size: Option<Coordinates>,
    stones: StoneList,
    /// The lines since `BOARD`, until `DONE`.
    block: Option<BoardBlock>,
    time: TimeLeft,
    state: GomocupState,
}

/// The replies of the session that the adapter waits for.
#[derive(Default)]
enum GomocupState {
    /// None: the next line can be taken.
    #[default]
    Idle,
    /// Those that show if a new game has begun.
    Start(PendingQueries),
    /// Those that show if an option takes its value.
    Option(PendingQueries),
    /// Those that show if the engine can move in the position to which a command has led; the stones of that position.
    Position(PendingQueries, &'static str, StoneList),
    /// A move; the last `info` about it.
    Search(Box<Info>),
}

impl ClientProtocol for GomocupClient {
    fn handle_at_once(&mut self, line: &InputLine, output: &mut ProtocolOutput) -> Option<LineEffect> {
        let is_end = matches!(line, InputLine::Text(text) if text.eq_ignore_ascii_case("end"));
        if is_end {
            output.command(Command::Quit);
        }
        (!is_end).then_some(LineEffect::Unknown)
    }

    fn handle_line(&mut self, line: &InputLine, output: &mut ProtocolOutput) {
        let text = match line {
            InputLine::Text(text) => text.as_str(),
            InputLine::NotText(excerpt) | InputLine::TooLong(excerpt) => {
                let problem = format!("{excerpt} is no line of text that can be read");
                return match &mut self.block {
                    Some(block) => block.refuse(problem),
                    None => output.line(format_args!("UNKNOWN {problem}")),
                };
            }
        };
        if self.handle_at_once(line, output).is_none() {
            return;
        }
        let (word, rest) = text.split_once([' ', '\t']).unwrap_or((text, ""));
        let result = match (&mut self.block, word.to_ascii_lowercase().as_str()) {
            (Some(_), "done") => self.finish_block(output),
            (Some(block), _) => {
                block.handle_line(text);
                Ok(())
            }
            (None, "about" | "restart" | "begin" | "board") if !rest.trim().is_empty() => {
                Err(format!("{word}: expected the end of the line, found {}; nothing is changed", Excerpt::of(rest)))
            }
            (None, "about") => {
                output.line(format_args!(
                    "name=\"Noughts\", version=\"{}\", author=\"the Noughts authors\"",
                    env!("CARGO_PKG_VERSION")
                ));
                Ok(())
            }
            (None, "start") => self.start(rest, output),
            (None, "rectstart") => self.start_rectangle(rest, output),
            (None, "restart") => self.restart(output),
            (None, "begin") => self.set_position("BEGIN", self.stones.clone(), output),
            (None, "turn") => self.turn(rest, output),
            (None, "board") => {
                self.block = Some(BoardBlock::default());
                Ok(())
            }
            (None, "takeback") => self.take_back(rest, output),
            (None, "info") => self.set_info(rest, output),
            (None, _) => {
                output.line(format_args!("UNKNOWN there is no command {}", Excerpt::of(word)));
                Ok(())
            }
        };
        if let Err(problem) = result {
            output.line(format_args!("ERROR {problem}"));
        }
    }

    fn handle_reply(&mut self, reply: Reply, output: &mut ProtocolOutput) {
        self.state = match (std::mem::take(&mut self.state), reply) {
            (GomocupState::Start(mut queries), reply) => match queries.handle_reply(reply) {
                None => GomocupState::Start(queries),
                Some(found) => {
                    self.finish_start(found, output);
                    GomocupState::Idle
                }
            },
            (GomocupState::Option(mut queries), reply) => match queries.handle_reply(reply) {
                None => GomocupState::Option(queries),
                Some(found) => {
                    if let Some(error) = found.error {
                        let problem = error.strip_prefix("setoption: ").unwrap_or(&error);
                        output.line(format_args!("ERROR INFO: {problem}"));
                    }
                    GomocupState::Idle
                }
            },
            (GomocupState::Position(mut queries, command, stones), reply) => match queries.handle_reply(reply) {
                None => GomocupState::Position(queries, command, stones),
                Some(found) => self.search(found, command, stones, output),
            },
            (GomocupState::Search(info), Reply::BestMove(best)) => {
                self.finish_search(&info, best, output);
                GomocupState::Idle
            }
            (GomocupState::Search(_), Reply::Info(info)) => GomocupState::Search(Box::new(info)),
            (state @ GomocupState::Search(_), Reply::Error(text) | Reply::Note(text)) => {
                output.line(format_args!("MESSAGE {text}"));
                state
            }
            (state, _) => state,
        };
    }

    fn refuse_line(&mut self, line: &InputLine, output: &mut ProtocolOutput) {
        output.line(format_args!("ERROR too much waits behind a search; {} is left out", line.excerpt()));
    }

    fn is_busy(&self) -> bool {
        !matches!(self.state, GomocupState::Idle)
    }
}

impl GomocupClient {
    /// `START n`: an empty board of this size.
    fn start(&mut self, text: &str, output: &mut ProtocolOutput) -> Result<(), String> {
        let size: u32 = text.trim().parse().map_err(|_| {
            format!("START: expected the size of the board, found {}; there is no new board", Excerpt::of(text))
        })?;
        self.begin("START", Coordinates { column: size, row: size }, output)
    }

    /// `RECTSTART width,height`.
    fn start_rectangle(&mut self, text: &str, output: &mut ProtocolOutput) -> Result<(), String> {
        let size = Coordinates::read(text);
        let size = size.ok_or_else(|| {
            format!("RECTSTART: expected width,height, found {}; there is no new board", Excerpt::of(text))
        });
        self.begin("RECTSTART", size?, output)
    }

    /// Begins a game on an empty board with so many columns and rows.
    fn begin(&mut self, command: &str, size: Coordinates, output: &mut ProtocolOutput) -> Result<(), String> {
        let Coordinates { column: width, row: height } = size;
        if !SIZES.contains(&width) || !SIZES.contains(&height) {
            let (least, most) = (SIZES.start(), SIZES.end());
            return Err(format!(
                "{command}: boards from {least}x{least} to {most}x{most} are played, not {width}x{height}; \
                 there is no new board"
            ));
        }
        self.size = Some(size);
        self.stones.clear();
        output.set_option("UCI_Variant", "noughts");
        output.set_option("size", height);
        output.set_option("columns", width);
        output.set_option("connect", CONNECT);
        output.set_option("reverse", false);
        self.state = GomocupState::Start(PendingQueries::emit(Command::NewGame, &[Query::GameOver], output));
        Ok(())
    }

    /// Answers `START` or `RESTART`.
    fn finish_start(&mut self, found: PendingQueries, output: &mut ProtocolOutput) {
        match found.error {
            None => output.line("OK"),
            Some(error) => {
                self.size = None;
                output.line(format_args!("ERROR {error}"));
            }
        }
    }

    /// `RESTART`: the empty board once more.
    fn restart(&mut self, output: &mut ProtocolOutput) -> Result<(), String> {
        self.started()?;
        self.stones.clear();
        self.state = GomocupState::Start(PendingQueries::emit(Command::NewGame, &[Query::GameOver], output));
        Ok(())
    }

    /// The size of the board, if there has been a `START`.
    fn started(&self) -> Result<Coordinates, String> {
        self.size.ok_or_else(|| "there is no board yet; send START with its size first".to_owned())
    }

    /// `TURN x,y`: a stone of the opponent, and a move of the engine.
    fn turn(&mut self, text: &str, output: &mut ProtocolOutput) -> Result<(), String> {
        let at = Coordinates::read(text)
            .ok_or_else(|| format!("TURN: expected x,y, found {}; nothing is changed", Excerpt::of(text)))?;
        let stones = self.stones.iter().copied().chain([(at, !OWN)]).collect();
        self.set_position("TURN", stones, output)
    }

    /// `DONE`: the stones since `BOARD` are complete, and the engine is to move.
    fn finish_block(&mut self, output: &mut ProtocolOutput) -> Result<(), String> {
        let BoardBlock { stones, error } = self.block.take().unwrap_or_default();
        match error {
            None => self.set_position("BOARD", stones, output),
            Some(error) => Err(format!("BOARD: {error}; nothing is changed")),
        }
    }

    /// `TAKEBACK x,y`: the stone on this cell is removed.
    fn take_back(&mut self, text: &str, output: &mut ProtocolOutput) -> Result<(), String> {
        let at = Coordinates::read(text)
            .ok_or_else(|| format!("TAKEBACK: expected x,y, found {}; nothing is changed", Excerpt::of(text)))?;
        let index = self.stones.iter().rposition(|&(stone, _)| stone == at);
        let index = index.ok_or_else(|| format!("TAKEBACK: there is no stone on {at}"))?;
        self.stones.remove(index);
        output.line("OK");
        Ok(())
    }

    /// `INFO key value`. A key of the protocol comes before an option of the same name. A key that is neither is no error.
    fn set_info(&mut self, text: &str, output: &mut ProtocolOutput) -> Result<(), String> {
        let (key, value) = text.trim().split_once([' ', '\t']).unwrap_or((text.trim(), ""));
        let key = key.to_ascii_lowercase();
        // The time that is left may be negative: then it counts as 0.
        let number = || match value.trim().parse::<i64>() {
            Ok(number) => Ok(number.max(0) as u64),
            Err(_) => {
                Err(format!("INFO {key}: expected a whole number, found {}; nothing is changed", Excerpt::of(value)))
            }
        };
        match key.as_str() {
            "timeout_turn" => self.time.turn = Some(number()?),
            "timeout_match" | "time_left" => match number()? {
                0 if key == "timeout_match" => self.time.left = None,
                UNLIMITED.. if key == "time_left" => self.time.left = None,
                left => self.time.left = Some(left),
            },
            "max_memory" => {
                if let Some(mebibytes) = hash_size(number()?) {
                    output.set_option("Hash", mebibytes);
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
            _ => return self.set_option(text, output),
        }
        Ok(())
    }

    /// Sets the option that `text` names, if there is such an option.
    fn set_option(&mut self, text: &str, output: &mut ProtocolOutput) -> Result<(), String> {
        match option_names::beginning(text) {
            None => {}
            Some((name, _)) if option_names::is_of_the_game(name) => {
                return Err(format!("INFO {name}: the game is chosen by START and INFO rule; nothing is changed"));
            }
            Some((name, value)) => {
                let option = Command::SetOption { name: name.to_owned(), value: value.to_owned() };
                self.state = GomocupState::Option(PendingQueries::emit(option, &[Query::GameOver], output));
            }
        }
        Ok(())
    }

    /// Sets the position with these stones, and asks the session whether the engine can move in it.
    fn set_position(
        &mut self,
        command: &'static str,
        stones: StoneList,
        output: &mut ProtocolOutput,
    ) -> Result<(), String> {
        let diagram =
            diagram(self.started()?, &stones).map_err(|problem| format!("{command}: {problem}; nothing is changed"))?;
        let position = Command::Position(PositionCommand { diagram: Some(diagram), ..PositionCommand::default() });
        self.state =
            GomocupState::Position(PendingQueries::emit(position, &[Query::GameOver], output), command, stones);
        Ok(())
    }

    /// Begins the search for a move, if the engine can move in the position.
    fn search(
        &mut self,
        found: PendingQueries,
        command: &str,
        stones: StoneList,
        output: &mut ProtocolOutput,
    ) -> GomocupState {
        if found.error.is_some() {
            // The error of the session names X and O, which the client does not know.
            let count = |player| stones.iter().filter(|stone| stone.1 == player).count();
            output.line(format_args!(
                "ERROR {command}: this is no position in which the engine is to move, with {} stones of its own and {} \
                 of its opponent; nothing is changed",
                count(OWN),
                count(!OWN)
            ));
            return GomocupState::Idle;
        }
        if found.answers.first() == Some(&QueryAnswer::Flag(true)) {
            // A stone that ends the game stays until the client takes it back. A board is refused as a whole.
            if command == "TURN" {
                self.stones = stones;
            }
            output.line(format_args!("ERROR {command}: there is no move, the game is over"));
            return GomocupState::Idle;
        }
        self.stones = stones;
        output.command(Command::Go(GoCommand::from(self.time.limits())));
        GomocupState::Search(Box::default())
    }

    /// Sends the move to the client.
    fn finish_search(&mut self, info: &Info, best: Option<MoveText>, output: &mut ProtocolOutput) {
        self.time.left = self.time.left.map(|left| left.saturating_sub(info.time.unwrap_or(0)));
        let Some(MoveText::RowColumn(row, column)) = best else {
            return output.line("ERROR there is no move");
        };
        let at = Coordinates { column, row };
        self.stones.push((at, OWN));
        output.line(format_args!("MESSAGE {}", remark(info)));
        output.line(at);
    }
}
