//! The statistics of a match: scores, intervals, and a test that ends the match.
//!
//! [`Outcomes`] counts independent units: single games ([`GameOutcomes`]), or pairs of games from one opening with
//! the sides swapped ([`PairOutcomes`]), whose two results depend on each other and so count as one. From the
//! counts come a [score](Outcomes::mean_score), an [interval](Outcomes::score_interval) for it, how likely the
//! player is the [better one](Outcomes::likelihood_of_superiority), and a test that ends a match: [`Sprt`].
//!
//! Everything is based on one function, the profile likelihood of the mean score. It does not assume that the mean is
//! normally distributed, so short matches and matches whose units all end alike are no special cases.
//!
//! The numbers are computed with the standard library's `ln`, `ln_1p`, `exp`, `log10` and `powf`, so their last digits
//! may differ between systems. They describe results; no answer of the engine depends on them.
//!
//! | file | what it holds |
//! |---|---|
//! | `mod.rs` | intervals; scores as differences of strength |
//! | `outcomes.rs` | counts of results, and what follows from them; the normal distribution |
//! | `profile.rs` | how likely each mean score is |
//! | `sprt.rs` | the sequential probability ratio test |

mod outcomes;
mod profile;
mod sprt;

pub use outcomes::{GameOutcomes, Outcomes, PairOutcomes};
pub use sprt::{Hypothesis, Sprt, SprtSettings};

/// The numbers from `low` to `high`, both included.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end, never below the lower.
    pub high: f64,
}

impl Interval {
    /// True if `number` lies within.
    pub fn contains(self, number: f64) -> bool {
        (self.low..=self.high).contains(&number)
    }

    /// An interval of scores as one of Elo differences; the ends may be infinite.
    pub fn elo(self) -> Interval {
        Interval { low: elo(self.low), high: elo(self.high) }
    }
}

/// The Elo difference at which a mean score from 0 to 1 is expected: minus infinity for 0, infinity for 1.
///
/// The logistic scale: 400 points are odds of ten to one. (A. E. Elo, "The Rating of Chessplayers", 1978, in the
/// form that federations use today.)
pub fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The expected mean score of a player who is stronger by `elo`.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_and_expected_score_undo_each_other() {
        for difference in [-1200.0, -400.0, -2.5, 0.0, 0.5, 40.7, 800.0] {
            assert!((elo(expected_score(difference)) - difference).abs() < 1e-9, "{difference}");
        }
        assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-15);
    }

    #[test]
    fn equal_players_differ_by_nothing_and_the_ends_are_infinite() {
        assert!(elo(0.5) == 0.0 && elo(0.5).is_sign_positive());
        assert_eq!((elo(0.0), elo(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
        assert_eq!((expected_score(f64::NEG_INFINITY), expected_score(f64::INFINITY)), (0.0, 1.0));
    }
}
