//! Short hashes of long texts, the same on every machine and in every version.

use std::fmt::{self, Write};

/// A hash of the text that has been written to it: 64 bits of FNV-1a. (Fowler, Noll and Vo, 1991.)
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// The fingerprint of the empty text.
    pub const EMPTY: Fingerprint = Fingerprint(0xcbf2_9ce4_8422_2325);

    const PRIME: u64 = 0x0100_0000_01b3;

    /// The fingerprint of a value in its printed form.
    pub fn of(value: &impl fmt::Display) -> Fingerprint {
        let mut fingerprint = Fingerprint::EMPTY;
        fingerprint.add(value);
        fingerprint
    }

    /// The 64 bits of the hash.
    pub fn bits(self) -> u64 {
        self.0
    }

    /// Adds a value in its printed form.
    pub fn add(&mut self, value: &impl fmt::Display) {
        // Writing here cannot fail.
        let _ = write!(self, "{value}");
    }
}

impl Write for Fingerprint {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(Fingerprint::PRIME);
        }
        Ok(())
    }
}

/// 16 hexadecimal digits.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
