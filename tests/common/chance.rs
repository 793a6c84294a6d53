//! Statistics by which samples are held against laws. Shares no code with the library.
//!
//! Every check has a chance of about one in a million to fail for a sample that is right. With seeds that are fixed it
//! passes always or never.

/// Standard errors beyond which a deviation is no chance: one in 1.7 million.
const MOST_ERRORS: f64 = 5.0;

/// The least probability of a chi-square that is still chance.
const LEAST_PROBABILITY: f64 = 1e-6;

/// A category in which fewer cases are expected is thrown together with others: of rare cases there are too many or too
/// few more often than the chi-square law says.
const LEAST_EXPECTED: f64 = 40.0;

/// The error that a sum of that many independent quantities may have beyond its standard errors, in units of the largest
/// that one of them can be: a sum of rare cases has a longer tail than the normal law. (Bernstein's inequality.)
pub const LONG_TAIL: f64 = 5.0;

/// The tail of a sum of squares. (Laurent and Massart, 2000, lemma 1.)
const LONG_TAIL_OF_SQUARES: f64 = 28.0;

/// Sums of squares of fewer quantities say nothing.
const LEAST_SUMS: usize = 100;

/// Fails unless `found` is near `expected`, with this variance and beyond that `slack`.
pub fn assert_near(found: f64, expected: f64, variance: f64, slack: f64, what: impl Fn() -> String) {
    let most = MOST_ERRORS * variance.sqrt() + slack + 1e-9 * (1.0 + expected.abs());
    let off = (found - expected).abs();
    assert!(off <= most, "{}: {found} is {off} from {expected}, more than {most}", what());
}

/// Fails unless counts come in the proportions of a law: Pearson's chi-square. An event that is impossible by the law must not
/// have happened.
pub fn assert_fits(found: &[f64], law: &[f64], what: impl Fn() -> String) {
    let cases: f64 = found.iter().sum();
    let total: f64 = law.iter().sum();
    let pairs = found.iter().zip(law).map(|(&found, &chance)| {
        assert!(chance > 0.0 || found == 0.0, "{}: what cannot happen has happened", what());
        (found, cases * chance / total)
    });
    let (common, rare): (Vec<_>, Vec<_>) = pairs.partition(|(_, expected)| *expected >= LEAST_EXPECTED);
    let rare = rare.into_iter().fold((0.0, 0.0), |sum, (found, expected)| (sum.0 + found, sum.1 + expected));
    let categories: Vec<(f64, f64)> = common.into_iter().chain((rare.1 >= LEAST_EXPECTED).then_some(rare)).collect();
    let chi_square = categories.iter().map(|(found, expected)| (found - expected).powi(2) / expected).sum();
    assert_chance(chi_square, categories.len() as f64 - 1.0, what);
}

/// Fails unless two rows of counts can come from one law: the chi-square of a table with two rows.
pub fn assert_alike(one: &[f64], two: &[f64], what: impl Fn() -> String) {
    let (first, second): (f64, f64) = (one.iter().sum(), two.iter().sum());
    let share = first / (first + second);
    let is_common = |both: f64| both * share.min(1.0 - share) >= LEAST_EXPECTED;
    let (mut rare, mut categories) = ((0.0, 0.0), Vec::new());
    for (&one, &two) in one.iter().zip(two) {
        if is_common(one + two) {
            categories.push((one, two));
        } else {
            rare = (rare.0 + one, rare.1 + two);
        }
    }
    if is_common(rare.0 + rare.1) {
        categories.push(rare);
    }
    let deviation = |(one, two): &(f64, f64)| {
        let both = one + two;
        (one - both * share).powi(2) / (both * share * (1.0 - share))
    };
    assert_chance(categories.iter().map(deviation).sum(), categories.len() as f64 - 1.0, what);
}

fn assert_chance(chi_square: f64, freedom: f64, what: impl Fn() -> String) {
    if freedom >= 1.0 {
        let probability = chance_above(chi_square, freedom as u32);
        assert!(probability > LEAST_PROBABILITY, "{}: chi-square {chi_square:.1} at {freedom}", what());
    }
}

/// The probability that a chi-square variable of so many degrees of freedom is above `chi_square`.
fn chance_above(chi_square: f64, freedom: u32) -> f64 {
    let half = chi_square / 2.0;
    if half <= 0.0 {
        return 1.0;
    }
    let term = |power: f64| (power * half.ln() - half - libm::lgamma(power + 1.0)).exp();
    let odd = freedom % 2 == 1;
    let first = if odd { libm::erfc(half.sqrt()) } else { 0.0 };
    first + (0..freedom / 2).map(|step| term(f64::from(step) + if odd { 0.5 } else { 0.0 })).sum::<f64>()
}

#[test]
fn chances_of_chi_square_are_those_of_tables() {
    for (chi_square, freedom, chance) in
        [(3.841_459, 1, 0.05), (5.991_465, 2, 0.05), (16.811_894, 6, 0.01), (20.278, 7, 0.005), (553.127, 500, 0.05)]
    {
        let found = chance_above(chi_square, freedom);
        assert!((found / chance - 1.0).abs() < 1e-3, "{chi_square} {freedom} {found}");
    }
    assert_eq!(chance_above(0.0, 3), 1.0);
    assert!(chance_above(10_000.0, 2) == 0.0 && chance_above(3000.0, 3000) > 0.4);
}

/// A quantity of one case that takes some values with some probabilities.
#[derive(Clone, Copy, Debug)]
pub struct Moments {
    pub mean: f64,
    pub variance: f64,
    /// The fourth central moment.
    fourth: f64,
}

impl Moments {
    /// Of a quantity given as pairs of value and probability; probabilities add up to 1.
    pub fn of(law: &[(f64, f64)]) -> Moments {
        let expect = |of: &dyn Fn(f64) -> f64| law.iter().map(|&(value, chance)| chance * of(value)).sum::<f64>();
        let mean = expect(&|value| value);
        Moments {
            mean,
            variance: expect(&|value| (value - mean).powi(2)),
            fourth: expect(&|value| (value - mean).powi(4)),
        }
    }

    /// Fails unless sums of so many cases each, all of them at most 1, have the mean and, if they are independent, the
    /// variance that follow, and neighbours have nothing to do with each other.
    pub fn assert_sums(&self, sums: &[f64], cases: f64, what: impl Fn() -> String) {
        let number = sums.len() as f64;
        let Moments { mean, variance, fourth } = *self;
        let varies = cases * variance > 1e-9;
        let slack = if varies { LONG_TAIL } else { 0.0 };
        let (expected, spread) = (number * cases * mean, number * cases * variance);
        assert_near(sums.iter().sum(), expected, spread, slack, || format!("{}, mean", what()));
        if !varies || sums.len() < LEAST_SUMS {
            return;
        }
        let deviations: Vec<f64> = sums.iter().map(|sum| (sum - cases * mean) / (cases * variance).sqrt()).collect();
        let squares: f64 = deviations.iter().map(|deviation| deviation * deviation).sum();
        // The square of a standardised sum has mean 1 and variance 2 + excess kurtosis, which shrinks with the cases.
        let spread = 2.0 + (fourth / variance.powi(2) - 3.0) / cases;
        let slack = LONG_TAIL_OF_SQUARES + LONG_TAIL / (cases * variance);
        assert_near(squares, number, number * spread, slack, || format!("{}, variance", what()));
        let products: f64 = deviations.windows(2).map(|pair| pair[0] * pair[1]).sum();
        assert_near(products, 0.0, number - 1.0, slack, || format!("{}, one sum and the next", what()));
    }
}
