//! The rules of the game, and nothing else: boards, moves, lines, outcomes and values.
//!
//! This module knows neither searches nor protocols. One function decides whether a completed line wins or loses:
//! [`Rules::completer_wins`]. All other code asks it.

mod cell;
mod cell_set;
mod diagram;
mod geometry;
mod lines;
mod player;
mod position;
mod reach;
mod rules;
mod shape;
mod symmetry;
mod value;

pub use cell::{Cell, CellError};
pub use cell_set::CellSet;
pub use diagram::{Diagram, DiagramRow};
pub use player::Player;
pub use position::{MoveError, Position, SetUpError};
pub use rules::{MAX_CONNECT, MAX_SIZE, Outcome, Rules, RulesError};
pub use shape::Shape;
pub use value::{Bounds, Score, Value};

// These items serve the crates of this project and may change in any version. So they have no public documentation.
#[doc(hidden)]
pub use cell::{MoveText, MoveTextError, Notation};
#[doc(hidden)]
pub use geometry::Geometry;
#[doc(hidden)]
pub use reach::ReachError;
#[doc(hidden)]
pub use symmetry::Symmetry;
