//! Noughts: a tic-tac-toe engine for any square board, any number in a row, normal and reverse rules.
//!
//! The library is built in floors; each uses only those below it:
//!
//! | floor | what it does |
//! |---|---|
//! | [`mod@bench`] | measuring, as a client would see it; with the program's command line, the top |
//! | [`arena`], [`exam`] | matches between engines, and what their results mean; every position asked of one engine |
//! | [`mod@play`] | beside them: people at the board, against the engine or other programs |
//! | [`mod@count`] | the size of the textbook searches and of the game |
//! | [`client`] | an engine as its client sees it: a child process with time limits |
//! | [`session`] | the event loop: the only owner of protocol output and of the search thread |
//! | [`dialect`] | the languages of other programs, each a state machine between a client and a session |
//! | [`engine`], [`protocol`] | options, choice of searcher, thinking; text to commands and replies |
//! | [`search`] | searchers: solver, table, Monte Carlo, random, and those of the textbooks |
//! | [`game`] | rules, cells, positions, outcomes, values |
//!
//! ```
//! use noughts::game::{Cell, Position, Rules, Value};
//! use noughts::search::{Control, Solver};
//!
//! let rules = Rules::new(4, 3, false)?; // 4x4, three in a row wins
//! let start = Position::start(rules);
//! let mut solver = Solver::new(rules, 64); // in 64 MiB at most
//! let bounds = solver.bounds(&start, &Control::unlimited());
//! assert_eq!(bounds.exact(), Some(Value::Win(5)));
//! assert!(!solver.best_moves(&start, &Control::unlimited()).contains(&Cell::new(0, 0)));
//! # Ok::<(), noughts::game::RulesError>(())
//! ```
//!
//! [`excerpt`] makes foreign text fit for error messages and [`fingerprint`] tells long things apart, on any floor.

pub mod arena;
pub mod bench;
pub mod client;
pub mod count;
pub mod engine;
pub mod exam;
pub mod protocol;
pub mod session;
pub mod text;
pub mod tui;
#[cfg(feature = "web")]
pub mod web;

pub use noughts_core::{game, search};
