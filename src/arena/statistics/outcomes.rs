//! Counts of results, and what follows from them; the standard normal distribution, with mean 0 and variance 1.

use std::array;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI};

use super::Interval;
use super::profile::{Profile, score_of};

/// Results of single games: lost, drawn, won.
pub type GameOutcomes = Outcomes<3>;

/// Results of pairs of games: 0, 1/2, 1, 3/2 and 2 points out of 2.
pub type PairOutcomes = Outcomes<5>;

/// Weighted counts of the results of independent units, seen by one of the two players.
///
/// The category of a unit is the number of its half points. The mean score of its games is 0 in the first category, 1
/// in the last, and evenly spaced between.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcomes<const CATEGORIES: usize> {
    categories: [Category; CATEGORIES],
}

/// The units with one result.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
struct Category {
    units: u64,
    weight: f64,
    squared_weights: f64,
}

impl<const CATEGORIES: usize> Outcomes<CATEGORIES> {
    /// No units yet.
    pub fn new() -> Outcomes<CATEGORIES> {
        const { assert!(CATEGORIES >= 2, "a unit can at least be lost or won") };
        Outcomes { categories: [Category::default(); CATEGORIES] }
    }

    /// Counts one unit with this many half points. Its weight is usually 1. An opening that stands for a class of
    /// symmetric openings has the number of openings in the class as its weight.
    ///
    /// # Panics
    /// When there is no such category, or the weight is not a positive finite number.
    pub fn add(&mut self, half_points: usize, weight: f64) {
        assert!(weight > 0.0 && weight.is_finite(), "the weight of a unit is {weight}");
        let category = &mut self.categories[half_points];
        category.units += 1;
        category.weight += weight;
        category.squared_weights += weight * weight;
    }

    /// Adds the units of `other`.
    pub fn merge(&mut self, other: &Outcomes<CATEGORIES>) {
        for (mine, other) in self.categories.iter_mut().zip(&other.categories) {
            mine.units += other.units;
            mine.weight += other.weight;
            mine.squared_weights += other.squared_weights;
        }
    }

    /// The units seen by the other player.
    pub fn reversed(mut self) -> Outcomes<CATEGORIES> {
        self.categories.reverse();
        self
    }

    /// The number of units.
    pub fn count(&self) -> u64 {
        self.counts().iter().sum()
    }

    /// The number of units with each result, without weights.
    pub fn counts(&self) -> [u64; CATEGORIES] {
        self.categories.map(|category| category.units)
    }

    /// The weighted mean score of a game, from 0 to 1; `None` without units.
    pub fn mean_score(&self) -> Option<f64> {
        let weight = self.sum(|category| category.weight);
        let points = |(j, category): (usize, &Category)| category.weight * score_of::<CATEGORIES>(j);
        let points: f64 = self.categories.iter().enumerate().map(points).sum();
        (weight > 0.0).then(|| points / weight)
    }

    /// The number of units of equal weight that would carry as much information. It is the number of units if all
    /// weights are equal. (L. Kish, "Survey Sampling", 1965.)
    pub fn effective_count(&self) -> f64 {
        self.effective_counts().iter().sum()
    }

    /// [`Outcomes::effective_count`], divided among the results by weight.
    pub fn effective_counts(&self) -> [f64; CATEGORIES] {
        if self.count() == 0 {
            return [0.0; CATEGORIES];
        }
        let units_per_weight = self.sum(|category| category.weight) / self.sum(|category| category.squared_weights);
        self.categories.map(|category| category.weight * units_per_weight)
    }

    /// The likelihood interval of the mean score, for a level of 0.95 the 95% interval. It holds the mean scores whose
    /// log likelihood is below its maximum by at most `z * z / 2`, where a normal variable lies between `-z` and `z`
    /// with the probability `level`. The interval is 0 to 1 while there are no units.
    ///
    /// In simulated matches of 100 pairs, the true score lies inside as often as the level promises, within one part in a
    /// hundred. It lies inside less often when hardly any units differ from the others: 85% instead of 95% when two of
    /// a hundred do.
    ///
    /// (A. B. Owen, "Empirical likelihood ratio confidence intervals for a single functional", 1988.)
    ///
    /// # Panics
    /// When the level is not between 0 and 1.
    pub fn score_interval(&self, level: f64) -> Interval {
        assert!(level > 0.0 && level < 1.0, "the level of an interval is {level}");
        let z = border(level);
        Profile::new(self.effective_counts()).interval(z * z / 2.0)
    }

    /// The likelihood, from 0 to 1, that the player scores more than half. It is 0.5 while there are no units.
    ///
    /// The normal distribution at the signed root of the likelihood ratio of equal strength. In long matches this root
    /// is close to the usual quotient of mean and standard error. It also exists when all units ended alike.
    pub fn likelihood_of_superiority(&self) -> f64 {
        let lead = self.mean_score().map_or(0.0, |score| score - 0.5);
        let root = (2.0 * Profile::new(self.effective_counts()).drop_at(0.5)).sqrt();
        probability_up_to(root.copysign(lead))
    }

    fn sum(&self, part: impl Fn(&Category) -> f64) -> f64 {
        self.categories.iter().map(part).sum()
    }
}

impl GameOutcomes {
    /// Each game as a pair of two such games. Scores, intervals and likelihoods stay the same.
    pub fn doubled(self) -> PairOutcomes {
        let [lost, drawn, won] = self.categories;
        Outcomes { categories: [lost, Category::default(), drawn, Category::default(), won] }
    }
}

impl<const CATEGORIES: usize> Default for Outcomes<CATEGORIES> {
    fn default() -> Outcomes<CATEGORIES> {
        Outcomes::new()
    }
}

/// Units of weight 1, so many with each result.
impl<const CATEGORIES: usize> From<[u64; CATEGORIES]> for Outcomes<CATEGORIES> {
    fn from(counts: [u64; CATEGORIES]) -> Outcomes<CATEGORIES> {
        let category = |units: u64| Category { units, weight: units as f64, squared_weights: units as f64 };
        Outcomes { categories: array::from_fn(|j| category(counts[j])) }
    }
}

/// The probability that a normal variable is at most `x`.
fn probability_up_to(x: f64) -> f64 {
    libm::erfc(-x * FRAC_1_SQRT_2) / 2.0
}

/// The border `z` for which a normal variable lies between `-z` and `z` with the probability `level`, which is above 0 and
/// below 1.
fn border(level: f64) -> f64 {
    let outside = |z: f64| libm::erfc(z * FRAC_1_SQRT_2);
    // Newton's method. The function falls and is convex, so the steps from 0 grow towards the border and never pass it.
    let mut z = 0.0;
    loop {
        let slope = FRAC_2_PI.sqrt() * libm::exp(-z * z / 2.0);
        let next = z + (outside(z) - (1.0 - level)) / slope;
        if next <= z {
            return z;
        }
        z = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::statistics::elo;

    const LEVEL: f64 = 0.95;

    fn interval<const CATEGORIES: usize>(counts: [u64; CATEGORIES]) -> Interval {
        Outcomes::from(counts).score_interval(LEVEL)
    }

    /// Counts of all kinds, up to a thousand million units.
    fn samples() -> Vec<[u64; 5]> {
        let mut samples = vec![[34, 54, 63, 64, 75], [332, 433, 498, 333, 334], [1, 0, 0, 0, 1], [0, 3, 0, 4, 0]];
        for few in [0, 1, 10] {
            for many in [1, 7, 1000, 1_000_000_000] {
                samples.push([many, few, 0, 0, few]);
                samples.push([0, 0, few, many, 0]);
                samples.push([0, few, many, few, 0]);
                samples.push([few, 0, 0, 0, many]);
            }
        }
        samples
    }

    #[test]
    fn the_published_elo_differences_come_out() {
        let check = |mean: f64, interval: Interval, difference: f64, half_width: f64| {
            assert!((elo(mean) - difference).abs() < 0.005, "{mean}");
            // The published ones are of the normal approximation.
            let width = interval.elo().high - interval.elo().low;
            assert!((width / 2.0 / half_width - 1.0).abs() < 0.01, "{width} {half_width}");
        };
        let pairs = |counts| (PairOutcomes::from(counts).mean_score().unwrap(), interval(counts));
        let (mean, likely) = pairs([34, 54, 63, 64, 75]);
        check(mean, likely, 55.58, 27.65);
        let (mean, likely) = pairs([332, 433, 498, 333, 334]);
        check(mean, likely, -8.64, 10.33);
        let games = GameOutcomes::from([96, 111, 136]);
        check(games.mean_score().unwrap(), games.score_interval(LEVEL), 40.70, 30.43);

        let superior = PairOutcomes::from([332, 433, 498, 333, 334]).likelihood_of_superiority();
        assert!((superior - 0.0505).abs() < 0.0002, "{superior}");
        let superior = games.likelihood_of_superiority();
        assert!((superior - 0.9960).abs() < 0.0005, "{superior}");
    }

    #[test]
    fn intervals_contain_the_mean_and_mirror_with_the_results() {
        for counts in samples() {
            let likely = interval(counts);
            let mean = Outcomes::from(counts).mean_score().unwrap();
            assert!(0.0 <= likely.low && likely.high <= 1.0 && likely.contains(mean), "{counts:?} {likely:?} {mean}");
            assert!(likely.low < likely.high, "{counts:?} {likely:?}");
            let mut mirrored = counts;
            mirrored.reverse();
            let other = interval(mirrored);
            assert!((likely.low + other.high - 1.0).abs() < 1e-15, "{counts:?}");
            assert!((likely.high + other.low - 1.0).abs() < 1e-15, "{counts:?}");
        }
    }

    #[test]
    fn intervals_narrow_with_more_results_and_widen_with_the_level() {
        for counts in samples() {
            let width = |interval: Interval| interval.high - interval.low;
            let few = interval(counts);
            let many = interval(counts.map(|count| 4 * count));
            assert!(width(many) < width(few), "{counts:?}");
            let surer = Outcomes::from(counts).score_interval(0.99);
            assert!(surer.low <= few.low && few.high <= surer.high && width(few) < width(surer), "{counts:?}");
        }
    }

    #[test]
    fn units_that_all_end_alike_leave_a_known_bound() {
        let drop = 1.959_963_985f64.powi(2) / 2.0;
        for units in [1, 2, 10, 1000, 1_000_000_000] {
            let won = interval([0, 0, units]);
            assert!((won.low - (-drop / units as f64).exp()).abs() < 1e-9 && won.high == 1.0, "{units} {won:?}");
            // At the lower end, the most likely distribution has lost units beside the drawn ones.
            let drawn = interval([0, 0, units, 0, 0]);
            assert!((drawn.low - 0.5 * (-drop / units as f64).exp()).abs() < 1e-9, "{units} {drawn:?}");
            assert!((drawn.low + drawn.high - 1.0).abs() < 1e-15 && drawn.contains(0.5), "{units} {drawn:?}");
        }
    }

    #[test]
    fn nothing_is_known_before_the_first_unit() {
        let none = GameOutcomes::new();
        assert_eq!((none.count(), none.effective_count(), none.mean_score()), (0, 0.0, None));
        assert_eq!(none.score_interval(LEVEL), Interval { low: 0.0, high: 1.0 });
        assert_eq!(none.score_interval(LEVEL).elo(), Interval { low: f64::NEG_INFINITY, high: f64::INFINITY });
        assert_eq!(none.likelihood_of_superiority(), 0.5);
    }

    #[test]
    fn superiority_is_half_for_even_results_and_mirrors_with_them() {
        for counts in samples() {
            let superior = Outcomes::from(counts).likelihood_of_superiority();
            assert!((0.0..=1.0).contains(&superior), "{counts:?}");
            let mut mirrored = counts;
            mirrored.reverse();
            let other = Outcomes::from(mirrored).likelihood_of_superiority();
            assert!((superior + other - 1.0).abs() < 1e-9, "{counts:?} {superior} {other}");
        }
        assert_eq!(PairOutcomes::from([0, 0, 80, 0, 0]).likelihood_of_superiority(), 0.5);
        assert_eq!(PairOutcomes::from([7, 0, 80, 0, 7]).likelihood_of_superiority(), 0.5);
        assert!(GameOutcomes::from([0, 0, 5]).likelihood_of_superiority() > 0.99);
    }

    #[test]
    fn superiority_and_the_interval_agree_on_what_is_sure() {
        for counts in samples() {
            let outcomes = Outcomes::from(counts);
            let superior = outcomes.likelihood_of_superiority();
            let border = outcomes.score_interval((2.0 * superior - 1.0).abs().clamp(1e-9, 1.0 - 1e-9));
            if (0.001..0.499).contains(&superior) {
                assert!((border.high - 0.5).abs() < 1e-6, "{counts:?} {border:?}");
            } else if (0.501..0.999).contains(&superior) {
                assert!((border.low - 0.5).abs() < 1e-6, "{counts:?} {border:?}");
            }
        }
    }

    #[test]
    fn only_differences_of_weight_matter() {
        let mut light = PairOutcomes::new();
        let mut heavy = PairOutcomes::new();
        let mut mixed = PairOutcomes::new();
        for (number, half_points) in [0, 3, 3, 4, 2, 1, 2, 2, 3, 4, 2].into_iter().enumerate() {
            light.add(half_points, 1.0);
            heavy.add(half_points, 2.0);
            mixed.add(half_points, if number % 2 == 0 { 8.0 } else { 1.0 });
        }
        assert_eq!(light, PairOutcomes::from([1, 1, 4, 3, 2]));
        assert_eq!(heavy.effective_counts(), light.effective_counts());
        assert_eq!(heavy.mean_score(), light.mean_score());
        assert_eq!(heavy.score_interval(LEVEL), light.score_interval(LEVEL));
        assert_eq!((mixed.count(), mixed.counts()), (light.count(), light.counts()));
        assert!((mixed.effective_count() - 53.0 * 53.0 / 389.0).abs() < 1e-12);
        let width = |outcomes: PairOutcomes| outcomes.score_interval(LEVEL).high - outcomes.score_interval(LEVEL).low;
        assert!(width(mixed) > width(light));
    }

    #[test]
    fn doubled_games_have_the_same_score_and_interval() {
        for counts in [[96, 111, 136], [0, 3, 4], [5, 0, 0], [0, 0, 0], [1, 0, 1]] {
            let (games, doubled) = (GameOutcomes::from(counts), GameOutcomes::from(counts).doubled());
            assert_eq!((games.count(), games.mean_score()), (doubled.count(), doubled.mean_score()));
            assert_eq!(games.score_interval(LEVEL), doubled.score_interval(LEVEL), "{counts:?}");
            assert_eq!(games.likelihood_of_superiority(), doubled.likelihood_of_superiority(), "{counts:?}");
        }
    }

    #[test]
    fn merged_outcomes_are_those_of_all_units() {
        let mut all = GameOutcomes::new();
        let mut parts = [GameOutcomes::new(), GameOutcomes::default()];
        for number in 0..50 {
            let (half_points, weight) = (number * number % 3, (1 + number % 8) as f64);
            all.add(half_points, weight);
            parts[number % 2].add(half_points, weight);
        }
        let [mut merged, rest] = parts;
        merged.merge(&rest);
        assert_eq!(merged, all);
    }

    #[test]
    #[should_panic(expected = "the weight of a unit is 0")]
    fn a_unit_without_weight_is_refused() {
        GameOutcomes::new().add(1, 0.0);
    }

    #[test]
    fn the_borders_of_tables_come_out() {
        for (level, z) in [
            (0.5, 0.674_489_750_196_081_7),
            (0.682_689_492_137_085_9, 1.0),
            (0.95, 1.959_963_984_540_054),
            (0.99, 2.575_829_303_548_901),
            (0.999_999_426_696_856_3, 5.0),
        ] {
            assert!((border(level) - z).abs() < 1e-9, "{level} {}", border(level));
        }
    }

    #[test]
    fn the_probability_inside_a_border_is_its_level() {
        for tenths in 1..=80 {
            let z = f64::from(tenths) / 10.0;
            let level = probability_up_to(z) - probability_up_to(-z);
            assert!((probability_up_to(z) + probability_up_to(-z) - 1.0).abs() < 1e-15, "{z}");
            // Far out, the level has not enough digits to tell its border.
            if level < 1.0 - 1e-9 {
                assert!((border(level) - z).abs() < 1e-6, "{z} {}", border(level));
            }
        }
        assert_eq!((probability_up_to(0.0), probability_up_to(f64::INFINITY)), (0.5, 1.0));
    }

    #[test]
    fn borders_of_the_least_and_the_largest_level_are_finite() {
        assert!((0.0..1e-15).contains(&border(f64::MIN_POSITIVE)));
        assert!((8.0..8.5).contains(&border(1.0 - f64::EPSILON / 2.0)));
    }
}
