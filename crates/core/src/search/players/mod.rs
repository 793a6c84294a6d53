//! Searchers by their strategy: each turns a request into a result.
//!
//! | file | how it chooses a move |
//! |---|---|
//! | `prove_then_estimate/` | proves what it can; otherwise by playouts or a tree search |
//! | `table.rs` | from a table of exact values, up to 9 cells |
//! | `textbook.rs` | by minimax, alpha-beta and the other searches of textbooks |
//! | `monte_carlo.rs` | by flat Monte Carlo, or by its exact expectation, up to 9 cells |
//! | `uct.rs` | by plain UCT, the tree search of textbooks |
//! | `level.rs` | at random, good moves more often: below full strength |
//! | `instant_mover.rs` | without a search: by the live lines, or uniformly at random |
//! | `trap.rs` | the tie-break among best moves against a random opponent |
//! | `note.rs` | the notes of a result in words |

mod instant_mover;
mod level;
mod monte_carlo;
mod note;
mod prove_then_estimate;
mod table;
mod textbook;
mod trap;
mod uct;

use crate::search::{Control, Generator, SearchRequest, SearchResult};

pub use instant_mover::{InstantMover, RandomMover};
pub use level::{Level, LevelSearcher};
pub use monte_carlo::{ExactMonteCarlo, MonteCarlo};
pub use prove_then_estimate::{ProofEffort, ProveThenEstimate};
pub use table::TableSearcher;
pub use textbook::TextbookSearcher;
pub use uct::Uct;

/// Gets the result so far, a few times a second.
pub type OnProgress<'a> = &'a mut dyn FnMut(&SearchResult);

/// What a searcher gets for one search.
pub struct SearchContext<'a> {
    /// A position in which the game goes on, and what is asked about it.
    pub request: &'a SearchRequest,
    /// The source of all random choices.
    pub generator: &'a mut Generator,
    /// The bounds of the search.
    pub control: &'a Control,
    /// Gets the result so far.
    pub on_progress: OnProgress<'a>,
}

/// Turns a request into a result.
pub trait Searcher {
    /// Searches until the result is known or the control ends the search. There is a result even if it ends at once.
    fn run(&mut self, context: SearchContext<'_>) -> SearchResult;

    /// [`Searcher::run`] for these parts of a context.
    fn search(
        &mut self,
        request: &SearchRequest,
        generator: &mut Generator,
        control: &Control,
        on_progress: OnProgress<'_>,
    ) -> SearchResult {
        self.run(SearchContext { request, generator, control, on_progress })
    }
}
