//! The sequential probability ratio test: a match ends as soon as its results are decisive.
//!
//! (A. Wald, "Sequential Tests of Statistical Hypotheses", 1945; in the generalised form, where everything but
//! the mean is estimated from the results, M. Van den Bergh, "A practical introduction to the GSPRT".)

use super::profile::Profile;
use super::{Interval, Outcomes, expected_score};

/// The count of a result that has not been seen, so that the likelihoods of both hypotheses stay comparable. Fishtest
/// uses the same number.
const UNSEEN: f64 = 1e-3;

/// The two hypotheses of a test, and how often each may be accepted wrongly.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SprtSettings {
    /// The Elo difference of the first hypothesis, H0.
    pub elo0: f64,
    /// The Elo difference of the second hypothesis, H1.
    pub elo1: f64,
    /// The allowed chance of accepting H1 though H0 is true.
    pub alpha: f64,
    /// The allowed chance of accepting H0 though H1 is true.
    pub beta: f64,
}

/// A sequential test between two Elo differences.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    settings: SprtSettings,
    bounds: Interval,
    score0: f64,
    score1: f64,
}

impl Sprt {
    /// The test with these settings.
    ///
    /// # Errors
    /// When the settings do not make a test: the sentence that says why.
    pub fn new(settings: SprtSettings) -> Result<Sprt, &'static str> {
        let SprtSettings { elo0, elo1, alpha, beta } = settings;
        let (score0, score1) = (expected_score(elo0), expected_score(elo1));
        // False for NaN. Differences so large that a score rounds to 0 or 1 are refused.
        if !(0.0 < score0 && score0 < score1 && score1 < 1.0) {
            return Err("elo0 must be below elo1, and both within some thousands of 0");
        }
        let allowed = |risk: f64| 0.0 < risk && risk < 0.5;
        if !allowed(alpha) {
            return Err("alpha must be above 0 and below 0.5");
        }
        if !allowed(beta) {
            return Err("beta must be above 0 and below 0.5");
        }
        let bounds = Interval { low: (beta / (1.0 - alpha)).ln(), high: ((1.0 - beta) / alpha).ln() };
        Ok(Sprt { settings, bounds, score0, score1 })
    }

    /// The settings of the test.
    pub fn settings(&self) -> SprtSettings {
        self.settings
    }

    /// The log likelihood ratios between which the test continues.
    pub fn bounds(&self) -> Interval {
        self.bounds
    }

    /// The generalised log likelihood ratio of H1 to H0, each with the most likely distribution that has its mean. 0
    /// while there are no units.
    pub fn llr<const CATEGORIES: usize>(&self, outcomes: &Outcomes<CATEGORIES>) -> f64 {
        if outcomes.count() == 0 {
            return 0.0;
        }
        let counts = outcomes.effective_counts().map(|count| if count == 0.0 { UNSEEN } else { count });
        let profile = Profile::new(counts);
        profile.drop_at(self.score0) - profile.drop_at(self.score1)
    }

    /// The hypothesis that is accepted at this log likelihood ratio; `None` if more results are needed.
    pub fn verdict(&self, llr: f64) -> Option<Hypothesis> {
        hypothesis(llr, self.bounds.low, self.bounds.high)
    }

    /// The hypothesis that a known score fulfils: H0 if the score is no better than that of `elo0`, H1 if it is no worse
    /// than that of `elo1`, neither if it lies between them.
    pub fn hypothesis_of(&self, score: f64) -> Option<Hypothesis> {
        hypothesis(score, self.score0, self.score1)
    }
}

/// H0 up to the lower bound, H1 from the upper bound on, neither between them.
fn hypothesis(number: f64, low: f64, high: f64) -> Option<Hypothesis> {
    match number {
        _ if number >= high => Some(Hypothesis::H1),
        _ if number <= low => Some(Hypothesis::H0),
        _ => None,
    }
}

/// One of the two hypotheses of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hypothesis {
    /// The Elo difference is `elo0` or less.
    H0,
    /// The Elo difference is `elo1` or more.
    H1,
}

impl Hypothesis {
    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Hypothesis::H0 => "H0",
            Hypothesis::H1 => "H1",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::statistics::{GameOutcomes, PairOutcomes};

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(SprtSettings { elo0, elo1, alpha: 0.05, beta: 0.05 }).expect("settings of a test")
    }

    #[test]
    fn the_published_ratios_come_out() {
        let pairs = |elo0, elo1, counts| sprt(elo0, elo1).llr(&PairOutcomes::from(counts));
        assert!((pairs(0.5, 2.5, [223, 9863, 21279, 10037, 246]) - -3.07).abs() < 0.005);
        assert!((pairs(0.0, 2.0, [871, 26175, 55983, 26678, 821]) - -4.98).abs() < 0.005);
        let games = |elo0, elo1, counts| sprt(elo0, elo1).llr(&GameOutcomes::from(counts));
        assert!((games(0.5, 2.5, [21184, 40708, 21404]) - -1.57).abs() < 0.005);
        assert!((games(0.0, 2.0, [57030, 106_593, 57433]) - -2.59).abs() < 0.005);
    }

    #[test]
    fn the_test_ends_at_walds_bounds() {
        let test = sprt(0.0, 20.0);
        assert!((test.bounds().high - 2.944).abs() < 0.0005 && test.bounds().low == -test.bounds().high);
        let uneven = Sprt::new(SprtSettings { elo0: 0.0, elo1: 5.0, alpha: 0.01, beta: 0.1 }).expect("a test");
        assert_eq!(uneven.bounds(), Interval { low: (0.1f64 / 0.99).ln(), high: (0.9f64 / 0.01).ln() });

        let verdict = |counts| test.verdict(test.llr(&PairOutcomes::from(counts)));
        assert_eq!(verdict([10, 20, 30, 20, 10]), None);
        assert_eq!(verdict([0, 0, 100_000, 0, 0]), Some(Hypothesis::H0));
        assert_eq!(verdict([100, 200, 300, 300, 200]), Some(Hypothesis::H1));
        assert_eq!(verdict([200, 300, 300, 200, 100]), Some(Hypothesis::H0));
    }

    #[test]
    fn a_known_score_fulfils_one_hypothesis_or_neither() {
        for (elo0, elo1) in [(0.0, 10.0), (-50.0, -1.0), (-5.0, 5.0)] {
            let test = sprt(elo0, elo1);
            let of = |elo: f64| test.hypothesis_of(expected_score(elo));
            for elo in [f64::NEG_INFINITY, elo0 - 300.0, elo0 - 1e-6, elo0] {
                assert_eq!(of(elo), Some(Hypothesis::H0), "{elo}");
            }
            for elo in [elo1, elo1 + 1e-6, elo1 + 300.0, f64::INFINITY] {
                assert_eq!(of(elo), Some(Hypothesis::H1), "{elo}");
            }
            for elo in [elo0 + 1e-6, (elo0 + elo1) / 2.0, elo1 - 1e-6] {
                assert_eq!(of(elo), None, "{elo}");
            }
        }
    }

    #[test]
    fn nothing_is_said_before_the_first_result() {
        assert_eq!(sprt(0.0, 5.0).llr(&PairOutcomes::new()), 0.0);
        assert_eq!(sprt(0.0, 5.0).llr(&GameOutcomes::new()), 0.0);
        assert_eq!(sprt(0.0, 5.0).verdict(0.0), None);
    }

    #[test]
    fn every_ratio_is_finite_and_mirrored_results_mirror_it() {
        for elo in [1e-6, 1.0, 100.0, 2000.0] {
            for counts in
                [[1, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 7, 0, 0, 1_000_000_000], [5, 4, 3, 2, 1], [9, 0, 0, 0, 9]]
            {
                let mut mirrored = counts;
                mirrored.reverse();
                let test = sprt(-elo, elo);
                let llr = test.llr(&PairOutcomes::from(counts));
                let other = test.llr(&PairOutcomes::from(mirrored));
                assert!(llr.is_finite(), "{elo} {counts:?}");
                assert!((llr + other).abs() <= 1e-6 * llr.abs() + 1e-8, "{elo} {counts:?}: {llr} {other}");
            }
        }
    }

    #[test]
    fn settings_that_make_no_test_are_refused() {
        let error = |elo0, elo1, alpha, beta| Sprt::new(SprtSettings { elo0, elo1, alpha, beta }).err();
        assert_eq!(error(0.0, 5.0, 0.05, 0.05), None);
        for (elo0, elo1) in [(5.0, 0.0), (1.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY), (-1e6, 0.0), (0.0, 1e6)] {
            let problem = "elo0 must be below elo1, and both within some thousands of 0";
            assert_eq!(error(elo0, elo1, 0.05, 0.05), Some(problem), "{elo0} {elo1}");
        }
        for risk in [0.0, -0.1, 0.5, 1.0, f64::NAN] {
            assert_eq!(error(0.0, 5.0, risk, 0.05), Some("alpha must be above 0 and below 0.5"), "{risk}");
            assert_eq!(error(0.0, 5.0, 0.05, risk), Some("beta must be above 0 and below 0.5"), "{risk}");
        }
    }
}
