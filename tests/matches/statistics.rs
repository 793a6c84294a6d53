//! The promises of the statistics of matches, held against simulated matches whose truth is known.

use noughts::arena::statistics::{Hypothesis, Outcomes, PairOutcomes, Sprt, SprtSettings, expected_score};
use noughts::search::{Generator, Stream, generator};
use rand::RngExt;

const MATCHES: u32 = 10_000;

/// The chances of the points of a pair, for players that are equal, unequal or hard to beat.
const PAIRS: [(&str, [f64; 5]); 4] = [
    ("balanced", [0.1, 0.2, 0.4, 0.2, 0.1]),
    ("decided by the side", [0.05, 0.05, 0.8, 0.05, 0.05]),
    ("drawish", [0.0, 0.08, 0.8, 0.12, 0.0]),
    ("lopsided", [0.01, 0.04, 0.15, 0.3, 0.5]),
];

/// A category, as often as its probability says.
fn draw<const CATEGORIES: usize>(probabilities: &[f64; CATEGORIES], random: &mut Generator) -> usize {
    let mut left: f64 = random.random();
    let fits = |probability: &f64| {
        left -= probability;
        left < 0.0
    };
    // Rounding may leave a trace, which belongs to the last category that there is.
    probabilities.iter().position(fits).unwrap_or_else(|| probabilities.iter().rposition(|&p| p > 0.0).unwrap())
}

fn mean<const CATEGORIES: usize>(probabilities: &[f64; CATEGORIES]) -> f64 {
    let points: f64 = probabilities.iter().enumerate().map(|(j, probability)| j as f64 * probability).sum();
    points / (CATEGORIES - 1) as f64
}

/// A match of so many units, weighted in turn by these weights.
fn play<const CATEGORIES: usize>(
    probabilities: &[f64; CATEGORIES],
    units: usize,
    weights: &[f64],
    random: &mut Generator,
) -> Outcomes<CATEGORIES> {
    let mut outcomes = Outcomes::new();
    for unit in 0..units {
        outcomes.add(draw(probabilities, random), weights[unit % weights.len()]);
    }
    outcomes
}

/// The share of simulated matches whose 95% interval holds the truth.
fn coverage<const CATEGORIES: usize>(probabilities: &[f64; CATEGORIES], units: usize, weights: &[f64]) -> f64 {
    let mut random = generator(units as u64, Stream::Go(weights.len() as u64));
    let truth = mean(probabilities);
    let holds = |_: &u32| play(probabilities, units, weights, &mut random).score_interval(0.95).contains(truth);
    (0..MATCHES).filter(holds).count() as f64 / f64::from(MATCHES)
}

/// Four standard errors of a share near `expected`, estimated from so many matches.
fn sampling_error(expected: f64, matches: u32) -> f64 {
    4.0 * (expected * (1.0 - expected) / f64::from(matches)).sqrt()
}

/// The likelihood ratio has the chi-square law only in the limit; these are the most that 100 and 500 units may
/// be away from it, and all that is found there is sampling error and less than this.
const LENGTHS_AND_BIASES: [(usize, f64); 2] = [(100, 0.006), (500, 0.002)];

fn assert_coverage<const CATEGORIES: usize>(name: &str, probabilities: &[f64; CATEGORIES], weights: &[f64]) {
    for (units, bias) in LENGTHS_AND_BIASES {
        let share = coverage(probabilities, units, weights);
        let error = sampling_error(0.95, MATCHES) + bias;
        assert!((share - 0.95).abs() < error, "{name}, {units} units, weights {weights:?}: {share}");
    }
}

#[test]
fn a_95_percent_interval_covers_the_truth_in_95_of_100_matches() {
    for (name, probabilities) in PAIRS {
        assert_coverage(name, &probabilities, &[1.0]);
    }
    for (name, probabilities) in [("games", [0.3, 0.3, 0.4]), ("drawn games", [0.05, 0.85, 0.1])] {
        assert_coverage(name, &probabilities, &[1.0]);
    }
}

#[test]
fn weights_leave_the_interval_as_sure_as_it_was() {
    for (name, probabilities) in PAIRS {
        assert_coverage(name, &probabilities, &[8.0, 8.0, 4.0, 1.0]);
    }
}

#[test]
fn twenty_pairs_give_an_interval_that_is_nearly_as_sure() {
    for (name, probabilities) in PAIRS {
        let share = coverage(&probabilities, 20, &[1.0]);
        assert!((0.925..0.99).contains(&share), "{name}: {share}");
    }
}

#[test]
fn intervals_cover_less_when_only_two_rare_results_are_expected() {
    let almost_always_won = [0.02, 0.0, 0.98];
    let share = coverage(&almost_always_won, 100, &[1.0]);
    assert!((share - 0.855).abs() < sampling_error(0.855, MATCHES), "{share}");
    // With ten expected, all is well.
    assert!((coverage(&almost_always_won, 500, &[1.0]) - 0.95).abs() < 0.015);
}

#[test]
fn superiority_is_uniform_between_equal_players() {
    let mut random = generator(6, Stream::Go(0));
    let mut at_most = [0u32; 9];
    for _ in 0..MATCHES {
        let superior = play(&PAIRS[0].1, 500, &[1.0], &mut random).likelihood_of_superiority();
        for (tenth, count) in at_most.iter_mut().enumerate() {
            *count += u32::from(superior <= (tenth + 1) as f64 / 10.0);
        }
    }
    for (tenth, count) in at_most.into_iter().enumerate() {
        let expected = (tenth + 1) as f64 / 10.0;
        let share = f64::from(count) / f64::from(MATCHES);
        // The mean of 500 pairs comes in steps: a hundredth is the most that one step can hold.
        assert!((share - expected).abs() < sampling_error(expected, MATCHES) + 0.01, "{expected}: {share}");
    }
}

/// The distribution nearest to this one that has the mean: every step of score gets the same factor.
fn with_mean(probabilities: &[f64; 5], wanted: f64) -> [f64; 5] {
    let tilted = |factor: f64| {
        let mut tilted = *probabilities;
        tilted.iter_mut().zip(0..).for_each(|(probability, j)| *probability *= factor.powi(j));
        let total: f64 = tilted.iter().sum();
        tilted.map(|probability| probability / total)
    };
    let (mut low, mut high) = (1e-3, 1e3);
    for _ in 0..100 {
        let factor = f64::midpoint(low, high);
        if mean(&tilted(factor)) < wanted { low = factor } else { high = factor }
    }
    tilted(low)
}

/// Simulated sequential tests for each hypothesis. With five times as many, no share was above 1.06 times its risk.
const TESTS: u32 = 4000;

/// The share of tests that accept this hypothesis, looking after every pair, and their mean length.
fn accepted(wrong: Hypothesis, test: &Sprt, probabilities: &[f64; 5], weights: &[f64], seed: u64) -> (f64, f64) {
    let (mut errors, mut pairs) = (0, 0);
    let mut random = generator(seed, Stream::Go(1));
    for _ in 0..TESTS {
        let mut outcomes = PairOutcomes::new();
        let verdict = loop {
            let weight = weights[outcomes.count() as usize % weights.len()];
            outcomes.add(draw(probabilities, &mut random), weight);
            if let Some(verdict) = test.verdict(test.llr(&outcomes)) {
                break verdict;
            }
        };
        errors += u32::from(verdict == wrong);
        pairs += outcomes.count();
    }
    (f64::from(errors) / f64::from(TESTS), pairs as f64 / f64::from(TESTS))
}

fn assert_error_rates(settings: SprtSettings, name: &str, probabilities: &[f64; 5], weights: &[f64]) {
    let test = Sprt::new(settings).expect("settings of a test");
    let SprtSettings { elo0, elo1, alpha, beta } = settings;
    for (elo, wrong, risk) in [(elo0, Hypothesis::H1, alpha), (elo1, Hypothesis::H0, beta)] {
        let truth = with_mean(probabilities, expected_score(elo));
        let (share, length) = accepted(wrong, &test, &truth, weights, 1 + u64::from(elo == elo1));
        assert!(share < risk + sampling_error(risk, TESTS), "{name}, elo {elo}: {wrong:?} in {share}");
        assert!(share > risk / 4.0, "{name}, elo {elo}: a test so sure, {share}, is too long: {length}");
    }
}

#[test]
fn a_sequential_test_errs_no_more_often_than_it_may() {
    for (name, probabilities) in PAIRS {
        let settings = SprtSettings { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05 };
        assert_error_rates(settings, name, &probabilities, &[1.0]);
    }
}

#[test]
fn weights_and_uneven_risks_keep_the_sprt_error_rates() {
    let settings = SprtSettings { elo0: -10.0, elo1: 20.0, alpha: 0.02, beta: 0.1 };
    assert_error_rates(settings, "balanced", &PAIRS[0].1, &[1.0]);
    assert_error_rates(settings, "weighted", &PAIRS[0].1, &[8.0, 8.0, 4.0, 1.0]);
}
