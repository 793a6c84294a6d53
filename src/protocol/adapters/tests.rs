//! The state that an adapter keeps from move to move, held against a model that keeps game and clocks by itself.
//!
//! A [`Table`] takes the place of a session. It knows the rules and searches nothing: the test gives the move and the time
//! that it took. So the test sees exactly which position and which limits the adapter asks about.

mod gomocup;
mod xboard;

use noughts_core::game::{Cell, MoveText, Outcome, Player, Position, Rules};
use noughts_core::search::{Generator, Limits, Stream, below, generator};

use super::super::{Command, Info, InputLine, PositionCommand, Query, QueryAnswer, Reply};
use super::{ClientProtocol, ProtocolOutput};

/// An adapter, and what a session would know.
struct Table {
    adapter: Box<dyn ClientProtocol>,
    size: u8,
    connect: u16,
    reverse: bool,
    /// The position of the session; `None` after a game was begun and before its size is used.
    position: Position,
    /// The limits of the search that is under way.
    search: Option<Limits>,
    /// The options that were set, the last one last.
    options: Vec<(String, String)>,
    /// The lines that the client has got since it last looked.
    text: String,
}

impl Table {
    fn new(adapter: impl ClientProtocol + 'static) -> Table {
        let position = Position::start(Rules::new(3, 0, false).expect("rules within range"));
        Table {
            adapter: Box::new(adapter),
            size: 3,
            connect: 0,
            reverse: false,
            position,
            search: None,
            options: Vec::new(),
            text: String::new(),
        }
    }

    /// Hands in a line, and returns the answer.
    fn say(&mut self, line: &str) -> Vec<String> {
        let line = InputLine::Text(line.to_owned());
        let mut output = ProtocolOutput::default();
        let is_done = self.adapter.handle_at_once(&line, &mut output).is_none();
        self.carry_out(output);
        if !is_done {
            assert!(!self.adapter.is_busy(), "a line in its turn");
            let mut output = ProtocolOutput::default();
            self.adapter.handle_line(&line, &mut output);
            self.carry_out(output);
        }
        self.heard()
    }

    /// Ends the search with this move, after an `info` with its time. Returns the lines that the client gets.
    fn answer(&mut self, cell: Cell, time: Option<u64>) -> Vec<String> {
        assert!(self.search.take().is_some(), "a search is under way");
        // Only the last line about the search counts.
        self.reply(Reply::Info(Info { time: Some(1), nodes: Some(1), ..Info::default() }));
        self.reply(Reply::Info(Info { time, ..Info::default() }));
        self.reply(Reply::BestMove(Some(cell.into())));
        self.heard()
    }

    fn heard(&mut self) -> Vec<String> {
        std::mem::take(&mut self.text).lines().map(str::to_owned).collect()
    }

    fn reply(&mut self, reply: Reply) {
        let mut output = ProtocolOutput::default();
        self.adapter.handle_reply(reply, &mut output);
        self.carry_out(output);
    }

    fn rules(&self) -> Rules {
        Rules::new(self.size, self.connect, self.reverse).expect("rules within range")
    }

    /// Carries out commands as a session does.
    fn carry_out(&mut self, output: ProtocolOutput) {
        self.text.push_str(&output.text);
        for command in output.commands {
            match command {
                Command::SetOption { name, value } => {
                    match name.as_str() {
                        "size" => self.size = value.parse().expect("a size"),
                        "connect" => self.connect = value.parse().expect("a number"),
                        "reverse" => self.reverse = value == "true",
                        _ => {}
                    }
                    if self.position.rules() != self.rules() {
                        self.position = Position::start(self.rules());
                    }
                    self.options.push((name, value));
                }
                Command::NewGame => self.position = Position::start(self.rules()),
                Command::Position(command) => match self.set_up(&command) {
                    Ok(position) => self.position = position,
                    Err(error) => self.reply(Reply::Error(error)),
                },
                Command::Query(query) => self.reply(Reply::Response(self.response(query))),
                Command::Go(go) => {
                    assert!(self.position.outcome().is_none(), "no search where the game is over");
                    assert!(self.search.replace(go.limits).is_none(), "one search at a time");
                }
                Command::Stop => {
                    // A stopped search has its move too. The model must not play one that was dropped.
                    assert!(self.search.take().is_some(), "there is something to stop");
                    let cell = self.position.moves().last().expect("the game goes on");
                    self.reply(Reply::BestMove(Some(cell.into())));
                }
                Command::Handshake(handshake) => self.reply(Reply::HandshakeOk(handshake)),
                other => panic!("unexpected: {other}"),
            }
        }
    }

    fn set_up(&self, command: &PositionCommand) -> Result<Position, String> {
        let mut position = match &command.diagram {
            Some(diagram) => Position::set_up(self.rules(), diagram).map_err(|error| error.to_string())?,
            None => Position::start(self.rules()),
        };
        for &written in &command.moves {
            let cell = position.legal_move(written).map_err(|error| error.to_string())?;
            position = position.after(cell);
        }
        Ok(position)
    }

    fn response(&self, query: Query) -> QueryAnswer {
        match query {
            Query::P1Turn => QueryAnswer::Flag(self.position.side() == Player::X),
            Query::GameOver => QueryAnswer::Flag(self.position.outcome().is_some()),
            Query::Result => self.position.outcome().map_or(QueryAnswer::None, QueryAnswer::Result),
            Query::Position => QueryAnswer::Position(self.position.diagram()),
            other => panic!("unexpected: {other:?}"),
        }
    }
}

/// A random cell that is empty, and does not end the game for the side that takes it.
fn quiet_cell(position: &Position, random: &mut Generator) -> Option<Cell> {
    let goes_on = |cell: &Cell| position.after(*cell).outcome().is_none();
    let cells: Vec<Cell> = position.moves().filter(goes_on).collect();
    (!cells.is_empty()).then(|| cells[below(random, cells.len() as u32) as usize])
}

/// A random number of milliseconds, or none.
fn any_time(random: &mut Generator) -> Option<u64> {
    (below(random, 4) > 0).then(|| u64::from(below(random, 3000)))
}
