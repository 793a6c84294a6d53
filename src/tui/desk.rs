//! A session that is asked and answers at once.

use std::collections::HashMap;
use std::fmt;
use std::sync::mpsc::{Receiver, channel};

use crate::protocol::{Command, Handshake, Line, OptionType, PositionCommand, Query, Reply};
use crate::session::Session;
use noughts_core::game::{Cell, MoveText, Player, Rules};

/// The one who knows the rules: a session in this process, and what it says.
pub struct Desk {
    session: Session,
    woken: Receiver<()>,
}

/// A position, as the session tells it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// The game in words, such as `3x3, 3 in a row wins`.
    pub rules: String,
    /// Rows and columns.
    pub size: u8,
    /// The side to move.
    pub side: Player,
    /// The cells that may be played, in reading order; none when the game is over.
    pub moves: Vec<Cell>,
    /// How the game ended, in words.
    pub result: Option<String>,
    /// The completed line, or all of them.
    pub line: Vec<Cell>,
    /// The board as lines of text.
    pub drawing: Vec<String>,
    stones: HashMap<Cell, Player>,
}

impl Board {
    /// Whose stone lies on a cell.
    pub fn stone(&self, cell: Cell) -> Option<Player> {
        self.stones.get(&cell).copied()
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.result.is_some()
    }
}

/// The session does not take a line, and says why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Objection(pub String);

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Objection {}

impl Desk {
    /// A desk for the standard game.
    pub fn new() -> Desk {
        let (wake, woken) = channel();
        // Without a desk there is nobody to wake.
        let session = Session::new(move || {
            let _ = wake.send(());
        });
        Desk { session, woken }
    }

    /// Says a command and returns all that the session answers, when it is done.
    ///
    /// # Errors
    /// The first error that the session tells of, without what it says of the consequences.
    pub fn ask(&mut self, command: &Command) -> Result<Vec<String>, Objection> {
        self.session.begin_round();
        self.session.receive(Line::Text(command.to_string()));
        loop {
            self.session.begin_round();
            self.session.proceed();
            let waits = self.session.awaits_answer();
            if waits && self.woken.recv().is_err() || !waits && !self.session.has_work() {
                break;
            }
        }
        let said = self.session.take_lines();
        match said.iter().find_map(|line| error_of(line)) {
            Some(error) => Err(Objection(error)),
            None => Ok(said),
        }
    }

    /// Chooses the game.
    ///
    /// # Errors
    /// When the session does not take it.
    pub fn choose(&mut self, rules: Rules) -> Result<(), Objection> {
        rule_options(rules).iter().try_for_each(|option| self.ask(option).map(drop))
    }

    /// Puts up the position after these moves, and says what it is.
    ///
    /// # Errors
    /// When one of the moves is not legal; then the old position stays.
    pub fn put_up(&mut self, moves: &[MoveText]) -> Result<Board, Objection> {
        self.ask(&position(moves))?;
        self.look()
    }

    /// Why a move is right or wrong after these moves.
    ///
    /// # Errors
    /// When one of them is not legal.
    pub fn explain(&mut self, before: &[MoveText], made: MoveText) -> Result<Vec<String>, Objection> {
        self.put_up(before)?;
        self.ask(&Command::Explain(Some(made)))
    }

    fn look(&mut self) -> Result<Board, Objection> {
        let drawn = self.ask(&Command::Draw)?;
        let drawing: Vec<String> = drawn.iter().take_while(|line| !line.is_empty()).cloned().collect();
        let fact = |key: &str| drawn.iter().find_map(|line| Some(line.strip_prefix(key)?.trim_start().to_owned()));
        let stones = self.stones()?;
        Ok(Board {
            rules: fact("rules ").unwrap_or_default(),
            // A line of columns stands above the rows, and one below them.
            size: u8::try_from(drawing.len().saturating_sub(2)).unwrap_or(0),
            side: if self.query(Query::P1Turn)? == "true" { Player::X } else { Player::O },
            moves: cells(&self.query(Query::Moves)?),
            result: fact("result "),
            line: cells(&self.query(Query::Line)?),
            drawing,
            stones,
        })
    }

    fn stones(&mut self) -> Result<HashMap<Cell, Player>, Objection> {
        let told = format!("position fen {}", self.query(Query::Position)?);
        let Ok(Command::Position(position)) = told.parse() else { return Ok(HashMap::new()) };
        let rows = position.diagram.map(|diagram| diagram.rows).unwrap_or_default();
        let stones = rows.iter().zip(0..).flat_map(|(row, number)| {
            row.stones.iter().map(move |&(column, player)| (Cell::new(number, column as u8), player))
        });
        Ok(stones.collect())
    }

    fn query(&mut self, question: Query) -> Result<String, Objection> {
        let said = self.ask(&Command::Query(question))?;
        let response = said.iter().find_map(|line| line.strip_prefix("response"));
        Ok(response.unwrap_or_default().trim().to_owned())
    }

    /// The options that the engine declares.
    pub fn options(&mut self) -> Vec<(String, OptionType)> {
        let said = self.ask(&Command::Handshake(Handshake::Ugi)).unwrap_or_default();
        let option = |line: &String| match line.parse() {
            Ok(Reply::Option { name, kind }) => Some((name, kind)),
            _ => None,
        };
        said.iter().filter_map(option).collect()
    }
}

impl Default for Desk {
    fn default() -> Desk {
        Desk::new()
    }
}

/// What chooses a game.
pub fn rule_options(rules: Rules) -> [Command; 3] {
    [option("size", rules.size()), option("connect", rules.connect()), option("reverse", rules.reverse())]
}

/// What sets an option.
pub fn option(name: &str, value: impl fmt::Display) -> Command {
    Command::SetOption { name: name.to_owned(), value: value.to_string() }
}

/// What puts up the position after these moves.
pub fn position(moves: &[MoveText]) -> Command {
    Command::Position(PositionCommand { diagram: None, moves: moves.to_vec() })
}

/// A move as somebody wrote it, `1,2` or `b2`; `None` when it is none.
pub fn read_move(text: &str) -> Option<MoveText> {
    match format!("explain {text}").parse() {
        Ok(Command::Explain(written)) => written,
        _ => None,
    }
}

/// The sentence in an error line, without the word in front of it and without the consequences behind it.
fn error_of(line: &str) -> Option<String> {
    let Ok(Reply::Error(error)) = line.parse() else { return None };
    let error = error.rsplit_once("; ").map_or(error.as_str(), |(error, _)| error);
    let error = error.split_once(": ").map_or(error, |(_, error)| error);
    Some(error.split_once(": ").filter(|(word, _)| word.starts_with("move ")).map_or(error, |(_, e)| e).to_owned())
}

fn cells(text: &str) -> Vec<Cell> {
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}
