//! Noughts: a tic-tac-toe engine for any rectangular board, any number in a row, normal and reverse rules.
//!
//! The library has folders in layers. Each layer uses only those below it:
//!
//! | folders | what they do |
//! |---|---|
//! | `cli` (in the program only) | the subcommands: the only code that knows the command line |
//! | [`mod@bench`] | measures the engine as a client would see it |
//! | [`arena`], [`exam`] | matches between engines and their statistics; positions put to an engine one by one |
//! | [`mod@certificate`], [`known_values`] | certificates as text; what is known of empty boards |
//! | [`mod@count`] | the sizes of the textbook searches and of the game |
//! | [`tui`], `web` | the boards for people: in a terminal and in a browser |
//! | [`session`], [`client`] | the event loop of the engine; an engine seen from outside, usually a child process |
//! | [`protocol`] | text to commands, replies to text, and adapters for other protocols |
//! | [`engine`] | the options, and the plan of each search request |
//! | [`system`] | what differs between operating systems: waiting for input, processes, pinning |
//! | [`mod@text`] | what people read: drawn boards, explanations, tables |
//! | [`search`], [`game`] | the crate `noughts-core`: solver, playouts, tree search, players; rules, positions, values |
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

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

#[cfg(not(target_family = "wasm"))]
pub mod arena;
#[cfg(not(target_family = "wasm"))]
pub mod bench;
#[cfg(not(target_family = "wasm"))]
pub mod certificate;
#[cfg(not(target_family = "wasm"))]
pub mod client;
#[cfg(not(target_family = "wasm"))]
pub mod count;
pub mod engine;
#[cfg(not(target_family = "wasm"))]
pub mod exam;
#[cfg(not(target_family = "wasm"))]
pub mod known_values;
pub mod protocol;
pub mod session;
#[cfg_attr(target_family = "wasm", path = "system/browser.rs")]
pub mod system;
pub mod text;
#[cfg(not(target_family = "wasm"))]
pub mod tui;
#[cfg(all(feature = "web", not(target_family = "wasm")))]
pub mod web;

pub use noughts_core::{game, search};
