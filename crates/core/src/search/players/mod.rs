//! Searchers by their strategy: each turns a request into a result.
//!
//! | file | how it chooses a move |
//! |---|---|
//! | `prove_then_estimate/` | proves what it can; otherwise by playouts or a tree search |
//! | `table.rs` | from a table of exact values, up to 3x3 |
//! | `textbook.rs` | by minimax, alpha-beta and the other searches of textbooks |
//! | `monte_carlo.rs` | by flat Monte Carlo, or by its exact expectation, up to 3x3 |
//! | `uct.rs` | by plain UCT, the tree search of textbooks |
//! | `level.rs` | at random, good moves more often: below full strength |
//! | `static_mover.rs` | without a search: by the live lines, or uniformly at random |
//! | `trap.rs` | the tie-break among best moves against a random opponent |
//! | `note.rs` | what a searcher has to say beyond its result |

mod level;
mod monte_carlo;
mod note;
mod prove_then_estimate;
mod static_mover;
mod table;
mod textbook;
mod trap;
mod uct;

pub use level::{Level, LevelSearcher};
pub use monte_carlo::{ExactMonteCarlo, MonteCarlo};
pub use note::Note;
pub use prove_then_estimate::{ProofEffort, ProveThenEstimate};
pub use static_mover::{random_move, static_move};
pub use table::TableSearcher;
pub use textbook::TextbookSearcher;
pub use uct::Uct;
