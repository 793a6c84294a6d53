//! The rules of the game, and nothing else: boards, moves, lines, outcomes and values.
//!
//! This floor knows neither search nor text protocol. It is the only place that decides whether a completed
//! line wins or loses ([`Rules::outcome_of_line`]), and every other floor asks it.

mod cell;
mod cell_set;
mod diagram;
mod lines;
mod player;
mod position;
mod reach;
mod rules;
mod symmetry;
mod value;

pub use cell::{Cell, CellError, MoveText, MoveTextError, Notation};
pub use cell_set::CellSet;
pub use diagram::{Diagram, DiagramRow};
pub use player::Player;
pub use position::{MoveError, Position, SetUpError};
pub use reach::ReachError;
pub use rules::{MAX_CONNECT, MAX_SIZE, Outcome, Rules, RulesError};
pub use symmetry::Symmetry;
pub use value::{Bounds, Score, Value};
