//! Chances, and draws by them.
//!
//! A chance is an `f64`; it is reached by sums, products and quotients alone, whose results are the same on every
//! machine. A draw then compares random words with whole numbers. Each draw is off by some 1e-16.

use rand::Rng;

use crate::search::Generator;

/// How often `chosen` of `from` things can be chosen. Exact, for what a board has: 20 of 400 are 2.8e33.
pub(super) fn combinations(from: usize, chosen: usize) -> u128 {
    if chosen > from {
        return 0;
    }
    (0..chosen).fold(1, |product, taken| product * (from - taken) as u128 / (taken + 1) as u128)
}

/// Draws numbers with given weights, in a time that does not depend on how many there are.
/// (Walker, "An Efficient Method for Generating Discrete Random Variables with General Distributions", 1977.)
#[derive(Debug)]
pub(super) struct AliasTable {
    /// A power of two of them, each as likely as the others.
    slots: Vec<AliasSlot>,
}

/// Stands for its own number where a random word is below `threshold`, and for `other` elsewhere.
#[derive(Clone, Copy, Debug)]
struct AliasSlot {
    threshold: u64,
    other: u32,
}

impl AliasTable {
    /// Weights that are not all 0.
    pub(super) fn new(weights: &[f64]) -> AliasTable {
        let slots = weights.len().next_power_of_two();
        let scale = slots as f64 / weights.iter().sum::<f64>();
        let mut shares: Vec<f64> = weights.iter().map(|weight| weight * scale).collect();
        shares.resize(slots, 0.0);
        // Slots that nothing is left to fill up keep themselves, whatever rounding has made of their shares.
        let mut table: Vec<AliasSlot> =
            (0..slots).map(|slot| AliasSlot { threshold: u64::MAX, other: slot as u32 }).collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) = (0..slots).partition(|&slot| shares[slot] < 1.0);
        while let Some(&giver) = large.last()
            && let Some(taker) = small.pop()
        {
            table[taker] = AliasSlot { threshold: (shares[taker] * WORDS) as u64, other: giver as u32 };
            shares[giver] -= 1.0 - shares[taker];
            if shares[giver] < 1.0 {
                small.extend(large.pop());
            }
        }
        AliasTable { slots: table }
    }

    /// The place of a weight, drawn with a chance in proportion to it.
    pub(super) fn draw(&self, generator: &mut Generator) -> usize {
        let word = generator.next_u64();
        // The lowest bits choose the slot; the comparison is as good as without them, but for some 1e-17.
        let slot = word as usize & (self.slots.len() - 1);
        let AliasSlot { threshold, other } = self.slots[slot];
        if word < threshold { slot } else { other as usize }
    }
}

/// Draws how many of a number of playouts something happens in that has the same chance in each.
///
/// The law for twice as many playouts is the convolution of a law with itself.
#[derive(Debug)]
pub(super) struct BinomialSampler {
    /// The law for 1, 2, 4, 8, ... playouts.
    levels: Vec<AliasTable>,
}

/// The number of random words.
const WORDS: f64 = (1u128 << 64) as f64;

/// How often a thing may happen, on average, in the most playouts that are drawn for at once.
const MEAN: f64 = 4.0;

/// Chances below this are taken for 0.
const NEGLIGIBLE: f64 = 1e-24;

impl BinomialSampler {
    /// For something that happens in a playout with a chance of `rate`, 1 at most.
    pub(super) fn new(rate: f64) -> BinomialSampler {
        let mut law = vec![1.0 - rate, rate];
        let mut levels = vec![AliasTable::new(&law)];
        let mut mean = rate;
        while mean < MEAN && levels.len() < 64 {
            law = doubled(&law);
            levels.push(AliasTable::new(&law));
            mean *= 2.0;
        }
        BinomialSampler { levels }
    }

    /// The blocks that so many playouts fall into: [`BinomialSampler::draw`] for each, and add up. There may be very many.
    pub(super) fn blocks(&self, playouts: u64) -> impl Iterator<Item = usize> + use<> {
        let largest = self.levels.len() - 1;
        let rest = (0..largest).filter(move |block| playouts >> block & 1 == 1);
        (0..playouts >> largest).map(move |_| largest).chain(rest)
    }

    /// How many of the playouts in a block it happens in.
    pub(super) fn draw(&self, block: usize, generator: &mut Generator) -> usize {
        self.levels[block].draw(generator)
    }
}

/// The law of the sum of two numbers that both have this law.
fn doubled(law: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; 2 * law.len() - 1];
    for (one, chance) in law.iter().enumerate() {
        for (other, also) in law.iter().enumerate() {
            sum[one + other] += chance * also;
        }
    }
    while sum.last().is_some_and(|&last| last < NEGLIGIBLE) {
        sum.pop();
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Stream, generator};

    /// The chance of each number, as the slots have it.
    fn chances(weighted: &AliasTable) -> Vec<f64> {
        let mut chances = vec![0.0; weighted.slots.len()];
        for (number, slot) in weighted.slots.iter().enumerate() {
            let share = slot.threshold as f64 / WORDS;
            chances[number] += share / weighted.slots.len() as f64;
            chances[slot.other as usize] += (1.0 - share) / weighted.slots.len() as f64;
        }
        chances
    }

    #[test]
    fn combinations_are_exact() {
        assert_eq!([0, 1, 2, 3, 5].map(|chosen| combinations(4, chosen)), [1, 4, 6, 4, 0]);
        assert_eq!(combinations(400, 20), 2_788_360_983_670_896_737_872_851_072_994_080);
    }

    #[test]
    fn slots_have_the_chances_of_their_weights() {
        let many: Vec<f64> = (0..1000).map(|number| f64::from(number * number % 97)).collect();
        for weights in [vec![2.0], vec![1.0, 0.0, 3.0], vec![1e-9, 1.0, 1e-18, 5.0, 5.0], many] {
            let sum: f64 = weights.iter().sum();
            let chances = chances(&AliasTable::new(&weights));
            for (number, chance) in chances.into_iter().enumerate() {
                let expected = weights.get(number).copied().unwrap_or(0.0) / sum;
                assert!((chance - expected).abs() < 1e-15, "{number}: {chance} for {expected}");
            }
        }
    }

    #[test]
    fn numbers_are_drawn_with_the_chances_of_their_slots() {
        const DRAWS: u32 = 100_000;
        let weighted = AliasTable::new(&[5.0, 1.0, 0.0, 2.0, 0.5]);
        let mut generator = generator(2, Stream::Go(1));
        let mut found = vec![0.0; 8];
        (0..DRAWS).for_each(|_| found[weighted.draw(&mut generator)] += 1.0);
        for (found, chance) in found.into_iter().zip(chances(&weighted)) {
            let expected = chance * f64::from(DRAWS);
            assert!((found - expected).abs() <= 4.0 * expected.sqrt(), "{found} for {expected}");
        }
    }

    #[test]
    fn every_playout_is_in_a_block_and_every_block_has_the_binomial_law() {
        for rate in [0.0, 1e-6, 0.0012, 0.086, 0.5, 1.0] {
            let binomial = BinomialSampler::new(rate);
            for playouts in [0, 1, 2, 3, 1000, 12_345] {
                assert_eq!(binomial.blocks(playouts).map(|block| 1 << block).sum::<u64>(), playouts);
            }
            for (block, law) in binomial.levels.iter().map(chances).enumerate() {
                let playouts = 2f64.powi(block as i32);
                let mut expected = (1.0 - rate).powf(playouts);
                for (times, chance) in law.into_iter().enumerate() {
                    assert!((chance - expected).abs() < 1e-9, "{rate} {playouts} {times}: {chance} for {expected}");
                    expected *= (playouts - times as f64) / (times as f64 + 1.0) * rate / (1.0 - rate).max(1e-300);
                    // Everything happens in every playout: the formula divides by 0 there.
                    if rate == 1.0 {
                        expected = f64::from(times as f64 + 1.0 == playouts);
                    }
                }
            }
        }
    }
}
