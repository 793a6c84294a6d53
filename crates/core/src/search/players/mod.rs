//! Searchers by their strategy: each turns a request into a result.

mod exact_monte_carlo;
mod hybrid;
mod level;
mod monte_carlo;
mod note;
mod random_mover;
mod static_mover;
mod table;
mod textbook;
mod trap;

pub use exact_monte_carlo::ExactMonteCarlo;
pub use hybrid::{HybridSearcher, Strategy};
pub use level::{Level, LevelSearcher};
pub use monte_carlo::MonteCarlo;
pub use note::Note;
pub use random_mover::RandomMover;
pub use static_mover::StaticMover;
pub use table::TableSearcher;
pub use textbook::TextbookSearcher;
