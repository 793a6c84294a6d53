//! Random numbers: seeded streams. The caller of a search owns the generator.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

/// The generator of all random choices: small, fast, the same numbers on every machine.
/// (Blackman and Vigna, "Scrambled Linear Pseudorandom Number Generators", 2021.)
pub type Generator = Xoshiro256PlusPlus;

/// A use of random numbers. The numbers of different streams of one seed are independent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// The search with this number.
    Go(u64),
    /// The `eval` with this number since the seed was set.
    #[doc(hidden)]
    Eval(u64),
    /// The `trace` with this number since the seed was set.
    #[doc(hidden)]
    Trace(u64),
    /// The opening with this number of a match.
    #[doc(hidden)]
    Opening(u64),
    /// The order in which a match goes through its openings.
    #[doc(hidden)]
    Order,
    /// The engines' seeds in the game with this number of a match.
    #[doc(hidden)]
    Game(u64),
    /// The positions of an exam.
    #[doc(hidden)]
    Sample,
}

/// A generator for a stream of `seed`. Every call with the same arguments gives the same numbers.
pub fn generator(seed: u64, stream: Stream) -> Generator {
    let (purpose, number) = match stream {
        Stream::Go(number) => (0, number),
        Stream::Eval(number) => (1, number),
        Stream::Opening(number) => (2, number),
        Stream::Order => (3, 0),
        Stream::Game(number) => (4, number),
        Stream::Sample => (5, 0),
        Stream::Trace(number) => (6, number),
    };
    Generator::seed_from_u64(mix(mix(mix(seed) ^ purpose) ^ number))
}

/// One step of SplitMix64 from the state `word`: a permutation of 64 bits in which every input bit affects every output
/// bit. (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014.)
pub fn mix(word: u64) -> u64 {
    let mut word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// The halves of a product of 128 bits, joined: one fast step of a hash. The factor should be odd, with random bits.
#[inline]
pub(crate) fn fold_product(word: u64, factor: u64) -> u64 {
    let product = u128::from(word) * u128::from(factor);
    product as u64 ^ (product >> 64) as u64
}

/// A number below `bound`, exactly uniform. (Lemire, "Fast Random Integer Generation in an Interval", 2019.)
///
/// # Panics
/// When `bound` is 0, in debug builds.
#[inline]
pub fn below(generator: &mut Generator, bound: u32) -> u32 {
    debug_assert!(bound > 0, "there is no number below 0");
    let mut product = u64::from(generator.next_u32()) * u64::from(bound);
    if (product as u32) < bound {
        // Rejects products whose low word is below 2^32 mod `bound`: with them, some results would be more likely.
        let surplus = bound.wrapping_neg() % bound;
        while (product as u32) < surplus {
            product = u64::from(generator.next_u32()) * u64::from(bound);
        }
    }
    (product >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_below_a_bound_are_uniform() {
        let mut generator = generator(1, Stream::Go(0));
        for bound in [1, 2, 3, 9, 100] {
            let draws = 20_000 * bound;
            let mut counts = vec![0f64; bound as usize];
            for _ in 0..draws {
                counts[below(&mut generator, bound) as usize] += 1.0;
            }
            let expected = f64::from(draws) / f64::from(bound);
            let chi_square: f64 = counts.iter().map(|count| (count - expected).powi(2) / expected).sum();
            // Mean plus five standard deviations of the chi-square distribution.
            let freedom = f64::from(bound - 1);
            assert!(chi_square <= freedom + 5.0 * (2.0 * freedom).sqrt(), "{bound}: {chi_square}");
        }
        // A bound just above 2^31 rejects almost half of all draws; every result stays below it.
        assert!((0..1000).all(|_| below(&mut generator, (1 << 31) + 1) <= 1 << 31));
    }

    #[test]
    fn streams_differ_by_seed_purpose_and_number() {
        let mut firsts = Vec::new();
        for seed in 0..10 {
            for number in 0..10 {
                firsts.push(generator(seed, Stream::Go(number)).next_u64());
                firsts.push(generator(seed, Stream::Eval(number)).next_u64());
            }
        }
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), 200);
        assert_eq!(generator(7, Stream::Go(3)), generator(7, Stream::Go(3)));
    }
}
