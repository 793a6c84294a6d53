//! Binomial coefficients and binomial distributions.

use crate::search::Generator;

use super::alias_table::AliasTable;

/// The binomial coefficient: the number of ways to choose `chosen` of `from` things. Exact for the lines of every board: 20
/// of 400 are 2.8e33.
pub(super) fn combinations(from: usize, chosen: usize) -> u128 {
    if chosen > from {
        return 0;
    }
    (0..chosen).fold(1, |product, taken| product * (from - taken) as u128 / (taken + 1) as u128)
}

/// Draws from binomial distributions: the number of playouts with an event that has the same probability in each.
///
/// The distribution for twice as many playouts is the convolution of a distribution with itself.
#[derive(Debug)]
pub(super) struct BinomialSampler {
    /// The distributions for 1, 2, 4, 8, ... playouts.
    levels: Vec<AliasTable>,
}

/// The mean of the distribution for the most playouts is at least this.
const MEAN: f64 = 4.0;

/// Probabilities below this count as 0.
const NEGLIGIBLE: f64 = 1e-24;

impl BinomialSampler {
    /// The sampler for an event with probability `rate` in each playout.
    pub(super) fn new(rate: f64) -> BinomialSampler {
        let mut distribution = vec![1.0 - rate, rate];
        let mut levels = vec![AliasTable::new(&distribution)];
        let mut mean = rate;
        while mean < MEAN && levels.len() < 64 {
            distribution = doubled(&distribution);
            levels.push(AliasTable::new(&distribution));
            mean *= 2.0;
        }
        BinomialSampler { levels }
    }

    /// Divides a number of playouts into blocks. The number of events is the sum of a [`BinomialSampler::draw`] for each
    /// block. There may be very many blocks.
    pub(super) fn blocks(&self, playouts: u64) -> impl Iterator<Item = usize> + use<> {
        let largest = self.levels.len() - 1;
        let rest = (0..largest).filter(move |block| playouts >> block & 1 == 1);
        (0..playouts >> largest).map(move |_| largest).chain(rest)
    }

    /// The number of playouts with the event in a block.
    pub(super) fn draw(&self, block: usize, generator: &mut Generator) -> usize {
        self.levels[block].draw(generator)
    }
}

/// The distribution of the sum of two independent numbers that both have this distribution.
fn doubled(distribution: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; 2 * distribution.len() - 1];
    for (one, probability) in distribution.iter().enumerate() {
        for (other, also) in distribution.iter().enumerate() {
            sum[one + other] += probability * also;
        }
    }
    while sum.last().is_some_and(|&last| last < NEGLIGIBLE) {
        sum.pop();
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::alias_table::tests::probabilities;
    use super::*;

    #[test]
    fn combinations_are_exact() {
        assert_eq!([0, 1, 2, 3, 5].map(|chosen| combinations(4, chosen)), [1, 4, 6, 4, 0]);
        assert_eq!(combinations(400, 20), 2_788_360_983_670_896_737_872_851_072_994_080);
    }

    #[test]
    fn blocks_cover_every_playout_and_are_binomially_distributed() {
        for rate in [0.0, 1e-6, 0.0012, 0.086, 0.5, 1.0] {
            let binomial = BinomialSampler::new(rate);
            for playouts in [0, 1, 2, 3, 1000, 12_345] {
                assert_eq!(binomial.blocks(playouts).map(|block| 1 << block).sum::<u64>(), playouts);
            }
            for (block, distribution) in binomial.levels.iter().map(probabilities).enumerate() {
                let playouts = 2f64.powi(block as i32);
                let mut expected = (1.0 - rate).powf(playouts);
                for (events, probability) in distribution.into_iter().enumerate() {
                    assert!(
                        (probability - expected).abs() < 1e-9,
                        "{rate} {playouts} {events}: {probability} for {expected}"
                    );
                    expected *= (playouts - events as f64) / (events as f64 + 1.0) * rate / (1.0 - rate).max(1e-300);
                    // The event is in every playout. The formula divides by 0 there.
                    if rate == 1.0 {
                        expected = f64::from(events as f64 + 1.0 == playouts);
                    }
                }
            }
        }
    }
}
