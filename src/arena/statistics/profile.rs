//! The likelihood of each mean score: the profile likelihood of the mean of a multinomial distribution.
//!
//! The likelihood of a mean is that of the most likely distribution with this mean. The distribution may give weight to
//! results that have not been seen, and does so when this makes the seen ones likelier.
//!
//! With counts `c` and scores `a` from 0 to 1, the most likely distributions with smaller means are found with a
//! parameter, the pull: `p[j]` proportional to `c[j] / (1 + pull * a[j])`, for every pull from 0 to infinity. If
//! there are no units of score 0, the pull ends at a mean above 0. The means below that are reached by giving the
//! score 0 the weight it needs and letting the others shrink in step. Larger means are the mirror image.
//!
//! (A. B. Owen, "Empirical likelihood ratio confidence intervals for a single functional", 1988; for the
//! multinomial with a given mean also M. Van den Bergh, "A practical introduction to the GSPRT".)

use std::array;

use super::Interval;

/// The score of a category, of evenly spaced ones from 0 to 1.
pub fn score_of<const CATEGORIES: usize>(category: usize) -> f64 {
    category as f64 / (CATEGORIES - 1) as f64
}

/// The profile of the log likelihood over all means. Its top is at the mean of the counts.
pub struct Profile<const CATEGORIES: usize> {
    falling: Slope<CATEGORIES>,
    rising: Slope<CATEGORIES>,
}

impl<const CATEGORIES: usize> Profile<CATEGORIES> {
    /// The profile for these numbers of units in each category. They need not be whole, and may all be 0.
    pub fn new(counts: [f64; CATEGORIES]) -> Profile<CATEGORIES> {
        let mirrored = array::from_fn(|j| counts[CATEGORIES - 1 - j]);
        Profile { falling: Slope::new(counts), rising: Slope::new(mirrored) }
    }

    /// The fall of the profile below its top at a mean between 0 and 1: at least 0, and always finite.
    pub fn drop_at(&self, mean: f64) -> f64 {
        if self.falling.total == 0.0 {
            0.0
        } else if mean < self.falling.top {
            self.falling.drop_at(mean)
        } else if 1.0 - mean < self.rising.top {
            self.rising.drop_at(1.0 - mean)
        } else {
            0.0
        }
    }

    /// The means at which the profile is at most `drop` below its top.
    pub fn interval(&self, drop: f64) -> Interval {
        if self.falling.total == 0.0 {
            return Interval { low: 0.0, high: 1.0 };
        }
        Interval { low: self.falling.mean_at(drop), high: 1.0 - self.rising.mean_at(drop) }
    }
}

/// The part of the profile that belongs to means below the top.
struct Slope<const CATEGORIES: usize> {
    counts: [f64; CATEGORIES],
    total: f64,
    /// The counts, divided by their total.
    shares: [f64; CATEGORIES],
    /// The mean of the shares.
    top: f64,
    /// The distance of each score from the top.
    deviations: [f64; CATEGORIES],
    variance: f64,
}

impl<const CATEGORIES: usize> Slope<CATEGORIES> {
    fn new(counts: [f64; CATEGORIES]) -> Slope<CATEGORIES> {
        let score = score_of::<CATEGORIES>;
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / total);
        // Not score(j) - top: for a billion games with one loss, this would lose half of the digits.
        let deviations = array::from_fn(|j| sum::<CATEGORIES>(|k| shares[k] * (score(j) - score(k))));
        let variance = sum::<CATEGORIES>(|j| shares[j] * deviations[j] * deviations[j]);
        Slope { counts, total, shares, top: sum::<CATEGORIES>(|j| shares[j] * score(j)), deviations, variance }
    }

    /// The fall of the profile below the top at a mean above 0 and below the top.
    fn drop_at(&self, mean: f64) -> f64 {
        if self.counts[0] == 0.0 && mean <= self.pulled(f64::INFINITY).mean {
            return self.log_scores_over(mean);
        }
        let fall = self.top - mean;
        let goal = (fall / mean).ln();
        // In these logarithms the function is straight at both ends: few steps are needed from any start.
        let pull = root(self.guess(fall / self.variance), |pull| {
            let pulled = self.pulled(pull);
            let slope = pulled.fall_rate * self.top / (pulled.fall * pulled.mean);
            ((pulled.fall / pulled.mean).ln() - goal, slope)
        });
        self.drop(&self.pulled(pull))
    }

    /// The mean, not above the top, at which the profile is `drop` below its top; 0 if the profile is never that low.
    fn mean_at(&self, drop: f64) -> f64 {
        if self.top == 0.0 {
            return 0.0;
        }
        if self.counts[0] == 0.0 && self.drop(&self.pulled(f64::INFINITY)) <= drop {
            return self.top * ((self.log_scores_over(self.top) - drop) / self.total).exp();
        }
        let pull = root(self.guess((2.0 * drop / (self.total * self.variance)).sqrt()), |pull| {
            let pulled = self.pulled(pull);
            let lies = self.drop(&pulled);
            let slope = self.total * pulled.multiplier * pulled.fall_rate / lies;
            ((lies / drop).ln(), slope)
        });
        self.pulled(pull).mean.min(self.top)
    }

    /// The distribution that belongs to a pull.
    fn pulled(&self, pull: f64) -> Pulled<CATEGORIES> {
        let score = score_of::<CATEGORIES>;
        // 1 + pull * a, divided by 1 + pull so that it is finite for every pull.
        let (constant, linear) = (1.0 / (1.0 + pull), 1.0 / (1.0 + 1.0 / pull));
        let scale = constant + linear * self.top;
        let step = linear / scale;
        let factor = |j| if self.counts[j] == 0.0 { 0.0 } else { scale / (constant + linear * score(j)) };
        let factors: [f64; CATEGORIES] = array::from_fn(factor);
        let weights: [f64; CATEGORIES] = array::from_fn(|j| self.shares[j] * factors[j]);

        // The weights add up to 1 + excess.
        let spread = sum::<CATEGORIES>(|j| weights[j] * self.deviations[j] * self.deviations[j]);
        let excess = step * step * spread;
        let mean = sum::<CATEGORIES>(|j| weights[j] * score(j)) / (1.0 + excess);
        let covariance = sum::<CATEGORIES>(|j| weights[j] * (score(j) - mean) * score(j) * factors[j]) / (1.0 + excess);
        Pulled {
            step,
            factors,
            excess,
            mean,
            fall: step * spread / (1.0 + excess),
            fall_rate: step * covariance,
            multiplier: linear / (constant + linear * mean),
        }
    }

    /// The fall of the likelihood of a pulled distribution below the top: the sum of
    /// `counts * ln((1 + excess) / factors)`, computed without the terms that cancel out.
    fn drop(&self, pulled: &Pulled<CATEGORIES>) -> f64 {
        let saved = sum::<CATEGORIES>(|j| {
            if self.counts[j] == 0.0 {
                return 0.0;
            }
            // The factor is 1 / (1 + change).
            let change = pulled.step * self.deviations[j];
            let logarithm = if change.abs() < 0.5 { change.ln_1p() } else { -pulled.factors[j].ln() };
            self.counts[j] * (change - logarithm)
        });
        (self.total * pulled.excess.ln_1p() - saved).max(0.0)
    }

    /// The sum of `counts * ln(scores / mean)`. When there are no units of score 0, this is how far below the top the
    /// profile is at means below those of all pulls.
    fn log_scores_over(&self, mean: f64) -> f64 {
        let term = |j| self.counts[j] * (score_of::<CATEGORIES>(j) / mean).ln();
        sum::<CATEGORIES>(|j| if self.counts[j] == 0.0 { 0.0 } else { term(j) })
    }

    /// The pull that leads to a step of this size, if there is one; else a strong pull.
    fn guess(&self, step: f64) -> f64 {
        let part = (step * self.top).min(0.9);
        part / (1.0 - part) / self.top
    }
}

/// A distribution with a smaller mean: `shares * factors / (1 + excess)`.
struct Pulled<const CATEGORIES: usize> {
    /// The factors are `1 / (1 + step * deviations)`, and 0 for results that were not seen.
    step: f64,
    factors: [f64; CATEGORIES],
    excess: f64,
    mean: f64,
    /// The distance of the mean below the top.
    fall: f64,
    /// The derivative of the fall by the logarithm of the pull.
    fall_rate: f64,
    /// The derivative of the drop by the fall, for each unit counted.
    multiplier: f64,
}

fn sum<const CATEGORIES: usize>(term: impl Fn(usize) -> f64) -> f64 {
    (0..CATEGORIES).map(term).sum()
}

/// The logarithm of a pull is between minus this and this.
const STRONGEST: f64 = 300.0;

/// The most Newton steps. After these, only rounding errors change.
const MOST_STEPS: usize = 120;

/// The pull at which `function` is 0. The function returns its value and its slope by the logarithm of the pull, and
/// rises. Newton's method, with bisection where a Newton step leaves the bracket. (W. H. Press and others, "Numerical
/// Recipes", 1992, section 9.4.)
fn root(guess: f64, function: impl Fn(f64) -> (f64, f64)) -> f64 {
    let (mut low, mut high) = (-STRONGEST, STRONGEST);
    let mut pull = guess.ln().clamp(low, high);
    let mut last_step = high - low;
    for _ in 0..MOST_STEPS {
        let (value, slope) = function(pull.exp());
        if value < 0.0 {
            low = pull
        } else {
            high = pull
        }
        let newton = pull - value / slope;
        let good = low <= newton && newton <= high && (newton - pull).abs() <= last_step / 2.0;
        let next = if good { newton } else { f64::midpoint(low, high) };
        last_step = (next - pull).abs();
        pull = next;
        // The next Newton step would be about the square of this one.
        if last_step < 1e-8 {
            break;
        }
    }
    pull.exp()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    use noughts_core::search::{Generator, Stream, below, generator};

    fn uniform(generator: &mut Generator) -> f64 {
        f64::from(below(generator, 1 << 30)) / f64::from(1 << 30)
    }

    fn log_likelihood<const CATEGORIES: usize>(counts: &[f64], distribution: &[f64; CATEGORIES]) -> f64 {
        let seen = counts.iter().zip(distribution).filter(|(count, _)| **count > 0.0);
        seen.map(|(count, probability)| count * probability.ln()).sum()
    }

    /// The drop at `mean`, found without the theory: random changes that keep the mean are tried, smaller and smaller,
    /// from a distribution with almost all weight on both ends.
    fn drop_by_search<const CATEGORIES: usize>(counts: &[f64; CATEGORIES], mean: f64, random: &mut Generator) -> f64 {
        let total: f64 = counts.iter().sum();
        let top = log_likelihood(counts, &counts.map(|count| count / total));
        let mut best = [0.0; CATEGORIES];
        for (j, probability) in best.iter_mut().enumerate() {
            // A little of everything, then the ends to make up for it.
            *probability = if j == 0 || j == CATEGORIES - 1 { 0.0 } else { 0.01 * mean.min(1.0 - mean) };
        }
        let inner: f64 = best.iter().sum();
        best[CATEGORIES - 1] = mean - best.iter().enumerate().map(|(j, p)| p * score_of::<CATEGORIES>(j)).sum::<f64>();
        best[0] = 1.0 - inner - best[CATEGORIES - 1];
        let mut likelihood = log_likelihood(counts, &best);

        let mut size = 0.3;
        while size > 1e-7 {
            let mut better = false;
            for _ in 0..60 {
                // Weight from one category to two others, or back, so that sum and mean stay.
                let mut chosen: Vec<usize> = (0..CATEGORIES).collect();
                for place in 0..3 {
                    chosen.swap(place, place + below(random, (CATEGORIES - place) as u32) as usize);
                }
                let [a, b, c] = [chosen[0], chosen[1], chosen[2]];
                let shift = size * (2.0 * uniform(random) - 1.0);
                let share = (c as f64 - a as f64) / (c as f64 - b as f64);
                let mut tried = best;
                tried[a] += shift;
                tried[b] -= shift * share;
                tried[c] -= shift * (1.0 - share);
                let found = log_likelihood(counts, &tried);
                if tried.iter().all(|&probability| probability >= 0.0) && found > likelihood {
                    (best, likelihood, better) = (tried, found, true);
                }
            }
            if !better {
                size /= 1.5;
            }
        }
        top - likelihood
    }

    fn compare_with_search<const CATEGORIES: usize>(highest: u32, seed: u64) {
        let mut random = generator(seed, Stream::Go(0));
        for _ in 0..40 {
            let mut counts = [0.0; CATEGORIES];
            while counts.iter().sum::<f64>() == 0.0 {
                // Whole counts, many of them 0, times a factor as weights would make it.
                let factor = 0.2 + 2.0 * uniform(&mut random);
                counts =
                    array::from_fn(|_| factor * f64::from(below(&mut random, highest).saturating_sub(highest / 3)));
            }
            let mean = 0.02 + 0.96 * uniform(&mut random);
            let found = drop_by_search(&counts, mean, &mut random);
            let drop = Profile::new(counts).drop_at(mean);
            assert!((found - drop).abs() < 1e-4 * (1.0 + drop), "{counts:?} {mean}: {drop}, by search {found}");
        }
    }

    #[test]
    fn the_likeliest_distribution_equals_that_of_a_long_search() {
        compare_with_search::<3>(6, 1);
        compare_with_search::<5>(6, 2);
        compare_with_search::<5>(40, 3);
    }

    #[test]
    fn a_root_takes_few_steps_if_the_slope_is_right() {
        for goal in [-200.0, -3.0, 0.0, 0.1, 40.0] {
            for (slope_told, most) in [(1.0, 3), (1e-9, MOST_STEPS), (0.1, MOST_STEPS)] {
                let steps = Cell::new(0);
                let pull = root(1.0, |pull| {
                    steps.set(steps.get() + 1);
                    (pull.ln() - goal, slope_told)
                });
                assert!(steps.get() <= most, "{goal} {slope_told}: {} steps", steps.get());
                assert!((pull.ln() - goal).abs() < 1e-6, "{goal} {slope_told}: {pull}");
            }
        }
    }

    #[test]
    fn lost_and_won_units_alone_give_the_binomial_likelihood() {
        for (lost, won) in [(1.0, 1.0), (3.0, 7.0), (1.0, 1e9), (1e9, 1e9), (0.5, 1e6), (4.0, 0.0), (0.0, 1e9)] {
            let profile = Profile::new([lost, 0.0, won]);
            for mean in [1e-9, 0.01, 0.3, 0.5, 0.7, 1.0 - 1e-9] {
                let total: f64 = lost + won;
                let part = |count: f64, probability: f64| {
                    if count == 0.0 { 0.0 } else { count * (count / total / probability).ln() }
                };
                let expected = part(lost, 1.0 - mean) + part(won, mean);
                let drop = profile.drop_at(mean);
                assert!((drop - expected).abs() <= 1e-6 * (1.0 + expected), "{lost} {won} {mean}: {drop} {expected}");
            }
        }
    }

    #[test]
    fn the_ends_of_an_interval_lie_as_low_as_was_asked() {
        let mut random = generator(4, Stream::Go(0));
        for round in 0..2000 {
            let scale = 10f64.powi(round % 10);
            let counts: [f64; 5] = array::from_fn(|_| match below(&mut random, 3) {
                0 => 0.0,
                1 => f64::from(below(&mut random, 4)),
                _ => (scale * uniform(&mut random)).ceil(),
            });
            for drop in [0.01, 1.92, 10.0] {
                let profile = Profile::new(counts);
                let interval = profile.interval(drop);
                assert!(interval.low <= interval.high, "{counts:?} {interval:?}");
                for end in [interval.low, interval.high] {
                    // At the ends of all means there is nothing lower.
                    if end > 1e-6 && end < 1.0 - 1e-6 {
                        assert!((profile.drop_at(end) / drop - 1.0).abs() < 1e-5, "{counts:?} {drop} {interval:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn unseen_ends_are_the_limit_of_rarely_seen_ones() {
        for counts in [[0.0, 0.0, 3.0], [0.0, 9.0, 0.0], [0.0, 2.0, 5.0]] {
            let exact = Profile::new(counts);
            let near = Profile::new(counts.map(|count: f64| count.max(1e-12)));
            for mean in [0.01, 0.2, 0.45, 0.7, 0.95] {
                assert!((exact.drop_at(mean) - near.drop_at(mean)).abs() < 1e-9, "{counts:?} {mean}");
            }
            let (one, other) = (exact.interval(1.92), near.interval(1.92));
            assert!((one.low - other.low).abs() < 1e-9 && (one.high - other.high).abs() < 1e-9, "{counts:?}");
        }
    }
}
