//! Tic-tac-toe on any rectangular board up to 20x20, with any number in a row, under the normal and the reverse rules.
//!
//! [`game`] has the rules, positions and values. [`search`] has an exact solver, fast random playouts, a tree search and
//! players. Nothing here reads input, prints, or needs a network.
//!
//! **Solve a position**: who wins, how soon, and by which moves?
//!
//! ```
//! use noughts_core::game::{Cell, Position, Rules, Value};
//! use noughts_core::search::{Control, Solver};
//!
//! let rules = Rules::new(4, 3, false)?; // 4x4, three in a row, the player who completes a line wins
//! let start = Position::start(rules);
//! let mut solver = Solver::new(rules, 64); // tables of at most 64 MiB
//! let control = Control::unlimited(); // no limit on time or positions
//! assert_eq!(solver.bounds(&start, &control).exact(), Some(Value::Win(5)));
//! assert!(!solver.best_moves(&start, &control).contains(&Cell::new(0, 0)));
//! # Ok::<(), noughts_core::game::RulesError>(())
//! ```
//!
//! **Run playouts**: what happens when both players move at random?
//!
//! ```
//! use noughts_core::game::{Position, Rules};
//! use noughts_core::search::{Control, Playouts, Stream, generator};
//!
//! let start = Position::start(Rules::default()); // 3x3
//! let control = Control::playouts_only(100_000);
//! let mut generator = generator(1, Stream::Go(0)); // the same seed gives the same games on every machine
//! let playouts = Playouts::fastest(&start, &control, 1); // on one thread
//! let tally = playouts.play(&start, &mut generator, &control, &mut |_| {});
//! let results = tally.results(); // seen by X, who moves first
//! assert_eq!(results.count(), 100_000);
//! assert!(results.wins > results.losses);
//! ```
//!
//! **Play a move**: a proof where one is in reach, else a guess by tree search.
//!
//! ```
//! use std::time::Duration;
//! use noughts_core::game::{Position, Rules};
//! use noughts_core::search::{
//!     Control, ProveThenEstimate, Mcts, MonteCarlo, SearchRequest, Searcher, Solver, ProofEffort, Stream, generator,
//! };
//!
//! let rules = Rules::new(9, 5, false)?;
//! let mut position = Position::start(rules);
//! let mut solver = Solver::new(rules, 16);
//! let mut tree = Mcts::new(rules, 16 << 20); // at most 16 MiB; kept from move to move
//! let player = ProveThenEstimate::new(&mut solver, MonteCarlo::default(), ProofEffort::Explore);
//! let control = Control::unlimited().with_time(Duration::from_millis(50));
//! let mut generator = generator(1, Stream::Go(0));
//! let request = SearchRequest::new(position);
//! let result = player.with_tree(&mut tree).search(&request, &mut generator, &control, &mut |_| {});
//! position.play(result.lines[0].first_move())?;
//! assert_eq!(position.empty_cells(), 80);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every search takes a [`Control`](search::Control), which bounds its time, positions and playouts, and stops it from
//! another thread. With the feature `serde`, [`Rules`](game::Rules) can be written as JSON and in other formats.

#![cfg_attr(not(test), deny(clippy::too_many_lines))]
// Tests compare with the system's functions, within a tolerance.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod game;
pub mod search;
