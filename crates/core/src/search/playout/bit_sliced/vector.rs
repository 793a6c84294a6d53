//! SIMD vectors of words: the only file with processor features and `unsafe`.
//!
//! A [`Vector`] is one, two, four or eight words of 64 bits. Its operations work on all of them at once. [`dispatch`] runs a
//! [`Kernel`] with vectors of a width that this processor has. The result of a kernel must not depend on the width: every
//! word is computed independently.
//!
//! `unsafe` is here because intrinsics may only be called if the processor has them. The vector types are private to this
//! file. A kernel gets them only inside [`dispatch`], after the features were detected. Only `load` and `store` touch
//! memory, and they take arrays of the right length.
//!
//! Existing crates do not fit. Those of fixed width choose it at compile time. Those that choose it at run time have
//! neither shifts nor rotations of 64-bit words.

#![allow(unsafe_code)]

use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

/// Words in the widest vector. Every kernel computes this number of words, on every processor.
pub const WORDS: usize = 8;

/// A SIMD vector of words of 64 bits.
pub trait Vector:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
{
    /// The number of words: a divisor of [`WORDS`].
    const WORDS: usize;

    /// A vector of this word in every place.
    fn splat(word: u64) -> Self;

    /// Words `first..first + Self::WORDS`.
    fn load(words: &[u64; WORDS], first: usize) -> Self;

    /// Writes words `first..first + Self::WORDS`.
    fn store(self, words: &mut [u64; WORDS], first: usize);

    /// `self` is a mask: the bits of `one` where it is set, and those of `other` elsewhere.
    #[inline(always)]
    fn select(self, one: Self, other: Self) -> Self {
        other ^ (self & (one ^ other))
    }

    /// Each word shifted to the left, by less than 64 bits.
    fn shift_left(self, bits: u32) -> Self;

    /// Each word rotated to the left, by 1 to 63 bits.
    fn rotate_left(self, bits: u32) -> Self;

    /// The number of bits that are set in each word.
    fn count_ones(self) -> Self;

    /// True if no bit is set.
    fn is_zero(self) -> bool;
}

/// A computation with vectors.
pub trait Kernel {
    /// The result. It does not depend on the width of the vectors.
    type Output;

    /// Computes the result.
    ///
    /// An implementation must be marked `inline(always)`, and so must all functions that it calls with vectors. Only code
    /// that is inlined into [`dispatch`] is compiled for the detected features. Closures cannot be marked, so they must
    /// not use vectors.
    fn run<V: Vector>(self) -> Self::Output;
}

/// The width of vectors, by the features that a processor needs for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VectorWidth {
    /// One word: every processor.
    Portable,
    /// Two words: WebAssembly, compiled with simd128.
    Simd128,
    /// Four words: x86-64 with AVX2.
    Avx2,
    /// Eight words: x86-64 with AVX-512, including VPOPCNTDQ.
    Avx512,
}

impl VectorWidth {
    /// All widths, the widest first.
    pub const ALL: [VectorWidth; 4] =
        [VectorWidth::Avx512, VectorWidth::Avx2, VectorWidth::Simd128, VectorWidth::Portable];

    /// True if this processor has vectors of this width.
    pub fn is_available(self) -> bool {
        match self {
            VectorWidth::Portable => true,
            // A module with such instructions is refused where they are missing, so there is nothing to detect.
            VectorWidth::Simd128 => cfg!(all(target_arch = "wasm32", target_feature = "simd128")),
            #[cfg(target_arch = "x86_64")]
            VectorWidth::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt"),
            #[cfg(target_arch = "x86_64")]
            VectorWidth::Avx512 => is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq"),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// The largest width that this processor has.
    pub fn widest() -> VectorWidth {
        VectorWidth::ALL.into_iter().find(|width| width.is_available()).unwrap_or(VectorWidth::Portable)
    }
}

/// Runs a kernel with vectors of this width, or with single words if the processor does not have it.
pub fn dispatch<K: Kernel>(width: VectorWidth, kernel: K) -> K::Output {
    match width {
        // SAFETY: the features that the function is compiled for have just been detected.
        #[cfg(target_arch = "x86_64")]
        VectorWidth::Avx512 if width.is_available() => unsafe { x86::on_512_bits(kernel) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        VectorWidth::Avx2 if width.is_available() => unsafe { x86::on_256_bits(kernel) },
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        VectorWidth::Simd128 => kernel.run::<wasm::TwoWords>(),
        _ => kernel.run::<Word>(),
    }
}

/// A vector of one word, for every processor.
#[derive(Clone, Copy)]
struct Word(u64);

impl Vector for Word {
    const WORDS: usize = 1;

    #[inline(always)]
    fn splat(word: u64) -> Word {
        Word(word)
    }

    #[inline(always)]
    fn load(words: &[u64; WORDS], first: usize) -> Word {
        Word(words[first])
    }

    #[inline(always)]
    fn store(self, words: &mut [u64; WORDS], first: usize) {
        words[first] = self.0;
    }

    #[inline(always)]
    fn shift_left(self, bits: u32) -> Word {
        Word(self.0 << bits)
    }

    #[inline(always)]
    fn rotate_left(self, bits: u32) -> Word {
        Word(self.0.rotate_left(bits))
    }

    #[inline(always)]
    fn count_ones(self) -> Word {
        Word(self.0.count_ones().into())
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self.0 == 0
    }
}

/// Implements the operators of a vector type by functions on its content.
macro_rules! operators {
    ($vector:ident, $and:expr, $or:expr, $xor:expr, $add:expr, $sub:expr) => {
        operators!($vector, BitAnd, bitand, $and);
        operators!($vector, BitOr, bitor, $or);
        operators!($vector, BitXor, bitxor, $xor);
        operators!($vector, Add, add, $add);
        operators!($vector, Sub, sub, $sub);

        impl Not for $vector {
            type Output = $vector;

            #[inline(always)]
            fn not(self) -> $vector {
                self ^ $vector::splat(u64::MAX)
            }
        }
    };
    ($vector:ident, $operator:ident, $method:ident, $function:expr) => {
        impl $operator for $vector {
            type Output = $vector;

            #[inline(always)]
            fn $method(self, other: $vector) -> $vector {
                // SAFETY: a vector of this type exists only after its features were detected.
                #[allow(unused_unsafe)]
                unsafe {
                    $vector($function(self.0, other.0))
                }
            }
        }
    };
}

operators!(Word, u64::bitand, u64::bitor, u64::bitxor, u64::wrapping_add, u64::wrapping_sub);

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm {
    use std::arch::wasm32::*;
    use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

    use super::{Vector, WORDS};

    #[derive(Clone, Copy)]
    pub struct TwoWords(v128);

    operators!(TwoWords, v128_and, v128_or, v128_xor, u64x2_add, u64x2_sub);

    impl Vector for TwoWords {
        const WORDS: usize = 2;

        #[inline(always)]
        fn splat(word: u64) -> TwoWords {
            TwoWords(u64x2_splat(word))
        }

        #[inline(always)]
        fn load(words: &[u64; WORDS], first: usize) -> TwoWords {
            TwoWords(u64x2(words[first], words[first + 1]))
        }

        #[inline(always)]
        fn store(self, words: &mut [u64; WORDS], first: usize) {
            words[first] = u64x2_extract_lane::<0>(self.0);
            words[first + 1] = u64x2_extract_lane::<1>(self.0);
        }

        #[inline(always)]
        fn select(self, one: TwoWords, other: TwoWords) -> TwoWords {
            TwoWords(v128_bitselect(one.0, other.0, self.0))
        }

        #[inline(always)]
        fn shift_left(self, bits: u32) -> TwoWords {
            TwoWords(u64x2_shl(self.0, bits))
        }

        #[inline(always)]
        fn rotate_left(self, bits: u32) -> TwoWords {
            TwoWords(v128_or(u64x2_shl(self.0, bits), u64x2_shr(self.0, 64 - bits)))
        }

        /// Counts the bits of each byte, and adds the counts of each word: bytes, then pairs, then halves.
        #[inline(always)]
        fn count_ones(self) -> TwoWords {
            let pairs = u16x8_extadd_pairwise_u8x16(u8x16_popcnt(self.0));
            let halves = u32x4_extadd_pairwise_u16x8(pairs);
            TwoWords(u64x2_add(v128_and(halves, u64x2_splat(u32::MAX.into())), u64x2_shr(halves, 32)))
        }

        #[inline(always)]
        fn is_zero(self) -> bool {
            !v128_any_true(self.0)
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;
    use std::hint::black_box;
    use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

    use super::{Kernel, Vector, WORDS};

    /// A value with the size and alignment of a cache line.
    ///
    /// A stack frame that holds one is aligned too. Otherwise, vectors that are spilled to the stack may lie across two cache
    /// lines, which doubles the time of a kernel.
    #[repr(align(64))]
    struct CacheLine(#[allow(dead_code)] [u8; 64]);

    /// # Safety
    /// The processor has these features.
    #[target_feature(enable = "avx512f,avx512vpopcntdq")]
    pub fn on_512_bits<K: Kernel>(kernel: K) -> K::Output {
        black_box(&mut CacheLine([0; 64]));
        kernel.run::<EightWords>()
    }

    /// # Safety
    /// The processor has these features.
    #[target_feature(enable = "avx2,popcnt")]
    pub fn on_256_bits<K: Kernel>(kernel: K) -> K::Output {
        black_box(&mut CacheLine([0; 64]));
        kernel.run::<FourWords>()
    }

    #[derive(Clone, Copy)]
    struct EightWords(__m512i);

    operators!(EightWords, _mm512_and_si512, _mm512_or_si512, _mm512_xor_si512, _mm512_add_epi64, _mm512_sub_epi64);

    // SAFETY of all that follows: a vector of these types exists only after its features were detected.
    impl Vector for EightWords {
        const WORDS: usize = 8;

        #[inline(always)]
        fn splat(word: u64) -> EightWords {
            unsafe { EightWords(_mm512_set1_epi64(word.cast_signed())) }
        }

        #[inline(always)]
        fn load(words: &[u64; WORDS], first: usize) -> EightWords {
            let words = words[first..].first_chunk::<8>().expect("eight words");
            unsafe { EightWords(_mm512_loadu_si512(words.as_ptr().cast())) }
        }

        #[inline(always)]
        fn store(self, words: &mut [u64; WORDS], first: usize) {
            let words = words[first..].first_chunk_mut::<8>().expect("eight words");
            unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), self.0) }
        }

        /// One instruction: bit `4 * self + 2 * one + other` of the constant is the result for these three bits.
        #[inline(always)]
        fn select(self, one: EightWords, other: EightWords) -> EightWords {
            unsafe { EightWords(_mm512_ternarylogic_epi64::<0b1100_1010>(self.0, one.0, other.0)) }
        }

        #[inline(always)]
        fn shift_left(self, bits: u32) -> EightWords {
            unsafe { EightWords(_mm512_sllv_epi64(self.0, _mm512_set1_epi64(bits.into()))) }
        }

        #[inline(always)]
        fn rotate_left(self, bits: u32) -> EightWords {
            unsafe { EightWords(_mm512_rolv_epi64(self.0, _mm512_set1_epi64(bits.into()))) }
        }

        #[inline(always)]
        fn count_ones(self) -> EightWords {
            unsafe { EightWords(_mm512_popcnt_epi64(self.0)) }
        }

        #[inline(always)]
        fn is_zero(self) -> bool {
            unsafe { _mm512_test_epi64_mask(self.0, self.0) == 0 }
        }
    }

    #[derive(Clone, Copy)]
    struct FourWords(__m256i);

    operators!(FourWords, _mm256_and_si256, _mm256_or_si256, _mm256_xor_si256, _mm256_add_epi64, _mm256_sub_epi64);

    impl Vector for FourWords {
        const WORDS: usize = 4;

        #[inline(always)]
        fn splat(word: u64) -> FourWords {
            unsafe { FourWords(_mm256_set1_epi64x(word.cast_signed())) }
        }

        #[inline(always)]
        fn load(words: &[u64; WORDS], first: usize) -> FourWords {
            let words = words[first..].first_chunk::<4>().expect("four words");
            unsafe { FourWords(_mm256_loadu_si256(words.as_ptr().cast())) }
        }

        #[inline(always)]
        fn store(self, words: &mut [u64; WORDS], first: usize) {
            let words = words[first..].first_chunk_mut::<4>().expect("four words");
            unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
        }

        #[inline(always)]
        fn shift_left(self, bits: u32) -> FourWords {
            unsafe { FourWords(_mm256_sllv_epi64(self.0, _mm256_set1_epi64x(bits.into()))) }
        }

        #[inline(always)]
        fn rotate_left(self, bits: u32) -> FourWords {
            let [left, right] = [bits, 64 - bits].map(|bits| unsafe { _mm256_set1_epi64x(bits.into()) });
            unsafe { FourWords(_mm256_or_si256(_mm256_sllv_epi64(self.0, left), _mm256_srlv_epi64(self.0, right))) }
        }

        /// Looks up the count of each half byte, and adds the counts of each word.
        #[inline(always)]
        fn count_ones(self) -> FourWords {
            unsafe {
                let ones = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
                let low = _mm256_set1_epi8(0x0f);
                let of_low = _mm256_shuffle_epi8(ones, _mm256_and_si256(self.0, low));
                let of_high = _mm256_shuffle_epi8(ones, _mm256_and_si256(_mm256_srli_epi16::<4>(self.0), low));
                FourWords(_mm256_sad_epu8(_mm256_add_epi8(of_low, of_high), _mm256_setzero_si256()))
            }
        }

        #[inline(always)]
        fn is_zero(self) -> bool {
            unsafe { _mm256_testz_si256(self.0, self.0) == 1 }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::*;
    use crate::search::{Stream, generator};

    /// Every operation on two rows of words.
    struct Operations([[u64; WORDS]; 2]);

    impl Kernel for Operations {
        type Output = Vec<[u64; WORDS]>;

        #[inline(always)]
        fn run<V: Vector>(self) -> Vec<[u64; WORDS]> {
            let Operations([one, two]) = self;
            let mut results = vec![[0; WORDS]; 12];
            for first in (0..WORDS).step_by(V::WORDS) {
                let (a, b) = (V::load(&one, first), V::load(&two, first));
                let zero = |vector: V| V::splat(u64::from(vector.is_zero()));
                let all = [
                    a & b,
                    a | b,
                    a ^ b,
                    !a,
                    a & !b,
                    a + b,
                    a - b,
                    a.shift_left(17),
                    a.rotate_left(23),
                    a.rotate_left(45),
                    a.count_ones(),
                    zero(a) + zero(V::splat(0)),
                ];
                for (result, vector) in results.iter_mut().zip(all) {
                    vector.store(result, first);
                }
            }
            results
        }
    }

    #[test]
    fn all_widths_do_to_each_word_what_a_word_does() {
        let mut generator = generator(5, Stream::Go(1));
        for _ in 0..1000 {
            let rows = [[0; WORDS]; 2].map(|row: [u64; WORDS]| row.map(|_| generator.next_u64()));
            let [one, two] = rows;
            let plain = |operation: fn(u64, u64) -> u64| -> [u64; WORDS] {
                std::array::from_fn(|word| operation(one[word], two[word]))
            };
            let expected = vec![
                plain(|a, b| a & b),
                plain(|a, b| a | b),
                plain(|a, b| a ^ b),
                plain(|a, _| !a),
                plain(|a, b| a & !b),
                plain(u64::wrapping_add),
                plain(u64::wrapping_sub),
                plain(|a, _| a << 17),
                plain(|a, _| a.rotate_left(23)),
                plain(|a, _| a.rotate_left(45)),
                plain(|a, _| a.count_ones().into()),
                [1; WORDS],
            ];
            for width in VectorWidth::ALL {
                assert_eq!(dispatch(width, Operations(rows)), expected, "{width:?}");
            }
        }
    }
}
