//! Warnings and progress of a match that runs.

use super::statistics::Outcomes;

/// Receives the warnings and the progress of a match.
pub trait MatchObserver: Send + Sync {
    /// Something went wrong that the user should know of. The match goes on.
    fn warn(&self, warning: &str);

    /// How far the match has come. Called several times a second.
    fn progress(&self, progress: &MatchProgress);
}

/// Ignores warnings and progress.
impl MatchObserver for () {
    fn warn(&self, _: &str) {}

    fn progress(&self, _: &MatchProgress) {}
}

/// How far a match has come.
#[derive(Clone, Debug)]
pub struct MatchProgress {
    /// Games so far; in a resumed match, the earlier games included.
    pub games: u64,
    /// Games of the whole match.
    pub of: u64,
    /// Games a second since the match began or was resumed.
    pub games_a_second: f64,
    /// The results of the first engine; `None` with more than two engines.
    pub results: Option<Outcomes<3>>,
}
