//! What the results of a match say about the players, and when they say enough.
//!
//! [`Outcomes`] counts independent units: single games ([`GameOutcomes`]), or pairs of games from one opening with
//! the sides swapped ([`PairOutcomes`]), whose two results depend on each other and so count as one. From the
//! counts come a [score](Outcomes::mean_score), an [interval](Outcomes::score_interval) for it, how likely the
//! player is the [better one](Outcomes::likelihood_of_superiority), and a test that says when to stop: [`Sprt`].
//!
//! Everything is based on one function, the profile likelihood of the mean score. It does not assume that the mean is
//! normally distributed, so short matches and matches whose units all end alike are no special cases.
//!
//! The numbers are computed with the standard library's `ln`, `ln_1p`, `exp`, `log10` and `powf`, so their last digits
//! may differ between systems. They describe results; no answer of the engine depends on them.
//!
//! | file | what it holds |
//! |---|---|
//! | `outcomes.rs` | counts of results, and what follows from them |
//! | `profile.rs` | how likely each mean score is |
//! | `sprt.rs` | the sequential probability ratio test |
//! | `elo.rs` | scores as differences of strength |
//! | `normal.rs` | the normal distribution |

mod elo;
mod normal;
mod outcomes;
mod profile;
mod sprt;

pub use elo::{elo, expected_score};
pub use outcomes::{GameOutcomes, Outcomes, PairOutcomes};
pub use sprt::{Hypothesis, Sprt, SprtError, SprtSettings, SprtVerdict};

/// The numbers from `low` to `high`, both included.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end, never below the lower.
    pub high: f64,
}

impl Interval {
    /// Whether `number` lies within.
    pub fn contains(self, number: f64) -> bool {
        (self.low..=self.high).contains(&number)
    }

    /// An interval of scores as one of Elo differences; the ends may be infinite.
    pub fn elo(self) -> Interval {
        Interval { low: elo(self.low), high: elo(self.high) }
    }
}
