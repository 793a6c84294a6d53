//! The game of a session: its options, its position and its random numbers.

use crate::engine::{Changed, OptionError, Options};
use crate::protocol::PositionCommand;
use noughts_core::game::{CellSet, MoveError, MoveText, Position};
use noughts_core::search::{Generator, Stream, generator};

/// The subject of searches. Only the commands of the client change it.
pub struct Game {
    options: Options,
    position: Position,
    streams: RandomStreams,
    /// Set when a `position`, `newgame` or `setoption` was refused. Searches are refused until the client sends a new
    /// position.
    out_of_sync: bool,
}

/// Random streams of one seed. Each kind of search has streams of its own.
struct RandomStreams {
    seed: u64,
    go_commands: u64,
    eval_commands: u64,
    trace_commands: u64,
}

impl RandomStreams {
    fn new(seed: u32) -> RandomStreams {
        let seed = if seed == 0 { rand::random() } else { u64::from(seed) };
        RandomStreams { seed, go_commands: 0, eval_commands: 0, trace_commands: 0 }
    }
}

impl Game {
    /// The empty board of these options.
    pub fn new(options: Options) -> Game {
        let position = Position::start(options.rules);
        Game { options, position, streams: RandomStreams::new(options.seed), out_of_sync: false }
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// True if client and session may disagree about the position.
    pub fn is_out_of_sync(&self) -> bool {
        self.out_of_sync
    }

    /// Notes that a change of the game was refused.
    pub fn lose_sync(&mut self) {
        self.out_of_sync = true;
    }

    /// Begins a new game.
    pub fn begin(&mut self) {
        (self.position, self.out_of_sync) = (Position::start(self.options.rules), false);
    }

    /// Sets the position, and the options of the game if the command names another game.
    ///
    /// # Errors
    /// When the game cannot be set or cannot come to the position: the reason as a clause. Nothing is changed then.
    pub fn set_position(&mut self, command: &PositionCommand) -> Result<(), String> {
        let mut options = self.options;
        if let Some(game) = command.game {
            options.set_game(game).map_err(|error| error.to_string())?;
        }
        let position = Position::reach(options.rules, command.diagram.as_ref(), &command.moves);
        self.position = position.map_err(|error| error.to_string())?;
        (self.options, self.out_of_sync) = (options, false);
        Ok(())
    }

    /// Sets an option. Another game begins on the empty board; the client may still be wrong about the position then.
    ///
    /// # Errors
    /// When the option stays as it is.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        match self.options.set(name, value)? {
            Changed::Rules => self.position = Position::start(self.options.rules),
            Changed::Seed => self.streams = RandomStreams::new(self.options.seed),
            Changed::Other => {}
        }
        Ok(())
    }

    /// The moves of a list as cells, if it is not empty and all of them are legal.
    pub fn legal_moves(&self, written: &[MoveText]) -> Result<Option<CellSet>, MoveError> {
        let cells: Result<CellSet, MoveError> =
            written.iter().map(|&written| self.position.legal_move(written)).collect();
        cells.map(|cells| Some(cells).filter(|cells| !cells.is_empty()))
    }

    /// The random numbers of the next `go`.
    pub fn next_go(&mut self) -> Generator {
        self.streams.go_commands += 1;
        generator(self.streams.seed, Stream::Go(self.streams.go_commands))
    }

    /// The random numbers of the next `eval`.
    pub fn next_eval(&mut self) -> Generator {
        self.streams.eval_commands += 1;
        generator(self.streams.seed, Stream::Eval(self.streams.eval_commands))
    }

    /// The random numbers of the next `trace`.
    pub fn next_trace(&mut self) -> Generator {
        self.streams.trace_commands += 1;
        generator(self.streams.seed, Stream::Trace(self.streams.trace_commands))
    }
}
