//! The checksum SHA-256 (FIPS 180-4), by hand: it is all that a dependency would be needed for.

use std::array::from_fn;

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
#[rustfmt::skip]
const ROUNDS: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

/// The checksum of the bytes so far.
pub struct Sha256 {
    state: [u32; 8],
    rest: Vec<u8>, // bytes that do not fill a block of 64 yet
    bytes: u64,
}

impl Sha256 {
    pub fn new() -> Self {
        // Fractional parts of the square roots of the first eight primes.
        let state = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
        Self { state, rest: Vec::new(), bytes: 0 }
    }

    pub fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.rest.extend(bytes);
        let whole = self.rest.len() / 64 * 64;
        for block in self.rest.drain(..whole).as_slice().as_chunks().0 {
            compress(&mut self.state, block);
        }
    }

    /// The number of bytes and their checksum in 64 hexadecimal digits.
    pub fn finish(mut self) -> String {
        let bytes = self.bytes;
        self.add(&[0x80]);
        self.add(&vec![0; (120 - self.rest.len()) % 64]); // up to the last 8 bytes of a block
        self.add(&(bytes * 8).to_be_bytes());
        self.state.iter().fold(format!("{bytes} "), |digits, word| format!("{digits}{word:08x}"))
    }
}

fn compress(state: &mut [u32; 8], block: &[u8; 64]) {
    let (start, _) = block.as_chunks();
    let mut words: [u32; 64] = from_fn(|i| start.get(i).map_or(0, |bytes| u32::from_be_bytes(*bytes)));
    for i in 16..64 {
        let (a, b) = (words[i - 15], words[i - 2]);
        let small = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
        let large = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
        words[i] = sum([small, words[i - 16], words[i - 7], large]);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (word, round) in words.into_iter().zip(ROUNDS) {
        let choice = (e & f) ^ (!e & g);
        let majority = (a & b) ^ (a & c) ^ (b & c);
        let first = sum([h, e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25), choice, round, word]);
        let second = sum([a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22), majority]);
        (h, g, f, e, d, c, b, a) = (g, f, e, sum([d, first]), c, b, a, sum([first, second]));
    }
    *state = from_fn(|i| sum([state[i], [a, b, c, d, e, f, g, h][i]]));
}

fn sum<const N: usize>(words: [u32; N]) -> u32 {
    words.into_iter().fold(0, u32::wrapping_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksums_are_those_that_the_standard_gives() {
        let (half, million) = ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "a".repeat(1_000_000));
        let long = "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu";
        for (text, digits) in [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (half, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
            (long, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"),
            (&million, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ] {
            for step in [1, 63, 64, 65, 1_000_000] {
                let mut sum = Sha256::new();
                text.as_bytes().chunks(step).for_each(|bytes| sum.add(bytes));
                assert_eq!(sum.finish(), format!("{} {digits}", text.len()), "{step} at a time");
            }
        }
    }
}
