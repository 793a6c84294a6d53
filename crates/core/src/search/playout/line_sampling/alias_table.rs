//! Draws by weight in constant time: the alias method.
//! (Walker, "An Efficient Method for Generating Discrete Random Variables with General Distributions", 1977.)
//!
//! The table is made by sums, products and quotients of `f64`, whose results are the same on every machine. A draw compares
//! random words with whole numbers. Each draw has a rounding error of some 1e-16.

use rand::Rng;

use crate::search::Generator;

/// The number of different random words.
const WORDS: f64 = (1u128 << 64) as f64;

/// A table for draws by weight.
#[derive(Debug)]
pub(super) struct AliasTable {
    /// The number of slots is a power of two. All slots are equally likely.
    slots: Vec<AliasSlot>,
}

/// Stands for its own index if a random word is below `threshold`, else for `other`.
#[derive(Clone, Copy, Debug)]
struct AliasSlot {
    threshold: u64,
    other: u32,
}

impl AliasTable {
    /// The table of these weights. At least one of them is not 0.
    pub(super) fn new(weights: &[f64]) -> AliasTable {
        let slots = weights.len().next_power_of_two();
        let scale = slots as f64 / weights.iter().sum::<f64>();
        let mut shares: Vec<f64> = weights.iter().map(|weight| weight * scale).collect();
        shares.resize(slots, 0.0);
        // By rounding, the share of a last slot may differ from 1. Such a slot stands for its own index alone.
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

    /// The index of a weight, drawn with a probability in proportion to the weight.
    pub(super) fn draw(&self, generator: &mut Generator) -> usize {
        let word = generator.next_u64();
        // The lowest bits choose the slot. They also take part in the comparison, which is an error of some 1e-17.
        let slot = word as usize & (self.slots.len() - 1);
        let AliasSlot { threshold, other } = self.slots[slot];
        if word < threshold { slot } else { other as usize }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::search::{Stream, generator};

    /// The probability of each index, as the slots have it.
    pub(in super::super) fn probabilities(table: &AliasTable) -> Vec<f64> {
        let mut probabilities = vec![0.0; table.slots.len()];
        for (number, slot) in table.slots.iter().enumerate() {
            let share = slot.threshold as f64 / WORDS;
            probabilities[number] += share / table.slots.len() as f64;
            probabilities[slot.other as usize] += (1.0 - share) / table.slots.len() as f64;
        }
        probabilities
    }

    #[test]
    fn slots_have_the_probabilities_of_their_weights() {
        let many: Vec<f64> = (0..1000).map(|number| f64::from(number * number % 97)).collect();
        for weights in [vec![2.0], vec![1.0, 0.0, 3.0], vec![1e-9, 1.0, 1e-18, 5.0, 5.0], many] {
            let sum: f64 = weights.iter().sum();
            let probabilities = probabilities(&AliasTable::new(&weights));
            for (number, chance) in probabilities.into_iter().enumerate() {
                let expected = weights.get(number).copied().unwrap_or(0.0) / sum;
                assert!((chance - expected).abs() < 1e-15, "{number}: {chance} for {expected}");
            }
        }
    }

    #[test]
    fn numbers_are_drawn_with_the_probabilities_of_their_slots() {
        const DRAWS: u32 = 100_000;
        let table = AliasTable::new(&[5.0, 1.0, 0.0, 2.0, 0.5]);
        let mut generator = generator(2, Stream::Go(1));
        let mut found = vec![0.0; 8];
        (0..DRAWS).for_each(|_| found[table.draw(&mut generator)] += 1.0);
        for (found, chance) in found.into_iter().zip(probabilities(&table)) {
            let expected = chance * f64::from(DRAWS);
            assert!((found - expected).abs() <= 4.0 * expected.sqrt(), "{found} for {expected}");
        }
    }
}
