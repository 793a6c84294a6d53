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
pub(super) struct Weighted {
    /// A power of two of them, each as likely as the others.
    slots: Vec<Slot>,
}

/// Stands for its own number where a random word is below `threshold`, and for `other` elsewhere.
#[derive(Clone, Copy, Debug)]
struct Slot {
    threshold: u64,
    other: u32,
}

impl Weighted {
    /// Weights that are not all 0.
    pub(super) fn new(weights: &[f64]) -> Weighted {
        let slots = weights.len().next_power_of_two();
        let scale = slots as f64 / weights.iter().sum::<f64>();
        let mut shares: Vec<f64> = weights.iter().map(|weight| weight * scale).collect();
        shares.resize(slots, 0.0);
        // Slots that nothing is left to fill up keep themselves, whatever rounding has made of their shares.
        let mut table: Vec<Slot> = (0..slots).map(|slot| Slot { threshold: u64::MAX, other: slot as u32 }).collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) = (0..slots).partition(|&slot| shares[slot] < 1.0);
        while let Some(&giver) = large.last()
            && let Some(taker) = small.pop()
        {
            table[taker] = Slot { threshold: (shares[taker] * 2f64.powi(64)) as u64, other: giver as u32 };
            shares[giver] -= 1.0 - shares[taker];
            if shares[giver] < 1.0 {
                small.extend(large.pop());
            }
        }
        Weighted { slots: table }
    }

    /// The place of a weight, drawn with a chance in proportion to it.
    pub(super) fn draw(&self, generator: &mut Generator) -> usize {
        let word = generator.next_u64();
        // The lowest bits choose the slot; the comparison is as good as without them, but for some 1e-17.
        let slot = word as usize & (self.slots.len() - 1);
        let Slot { threshold, other } = self.slots[slot];
        if word < threshold { slot } else { other as usize }
    }
}

/// Draws how many of a number of playouts something happens in that has the same chance in each.
///
/// The law for twice as many playouts is the convolution of a law with itself.
#[derive(Debug)]
pub(super) struct Thinning {
    /// The law for 1, 2, 4, 8, ... playouts.
    levels: Vec<Weighted>,
}

/// How often a thing may happen, on average, in the most playouts that are drawn for at once.
const MEAN: f64 = 4.0;

/// Chances below this are taken for 0.
const NEGLIGIBLE: f64 = 1e-24;

impl Thinning {
    /// For something that happens in a playout with a chance of `rate`, 1 at most.
    pub(super) fn new(rate: f64) -> Thinning {
        let mut law = vec![1.0 - rate, rate];
        let mut levels = vec![Weighted::new(&law)];
        let mut mean = rate;
        while mean < MEAN && levels.len() < 64 {
            law = doubled(&law);
            levels.push(Weighted::new(&law));
            mean *= 2.0;
        }
        Thinning { levels }
    }

    /// The blocks that so many playouts fall into: [`Thinning::draw`] for each, and add up. There may be very many.
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
