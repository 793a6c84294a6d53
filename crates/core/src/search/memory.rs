//! Memory that may be missing. A search that gets less memory than it was allowed goes on with less.
//!
//! Rust ends the process when an allocation fails. So a search asks for the memory of a table before it takes it. The
//! question is a reservation that is given back at once, because a reservation may fail and zeroed memory may not:
//! `vec![0; n]` gets memory from the system that is zero already and costs nothing until it is used, while a vector that is
//! reserved and then filled writes to all of it.

use std::fmt;
use std::hint::black_box;

/// Bytes that must be free beyond the memory that is asked for: for everything that is allocated without asking. In a web
/// page, memory that was once asked for stays with the page.
const HEADROOM: usize = if cfg!(target_family = "wasm") { 0 } else { 16 << 20 };

/// Memory that grows is asked for in pieces of at least so many bytes.
const PIECE: usize = 4 << 20;

/// Memory that grows is not asked for before it has so many bytes.
const UNASKED: usize = 256 << 10;

/// Something has got less memory than the search was allowed, because the system has no more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryShortage {
    /// What the memory is for, such as "the transposition table".
    pub what: &'static str,
    /// The bytes that it was to have at most.
    pub wanted: usize,
    /// The bytes that it has got.
    pub granted: usize,
}

impl fmt::Display for MemoryShortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MemoryShortage { what, wanted, granted } = *self;
        let wanted = Bytes(wanted);
        match granted {
            0 => write!(f, "there is no memory for {what}, which may take {wanted}; the search does without it"),
            _ => write!(f, "there is not enough memory for {what}: it has {} of {wanted}", Bytes(granted)),
        }
    }
}

/// Writes a number of bytes with a unit.
struct Bytes(usize);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < 1 << 20 { write!(f, "{} KiB", self.0 >> 10) } else { write!(f, "{} MiB", self.0 >> 20) }
    }
}

/// True if the system has so many bytes, and some more.
pub fn is_available(bytes: usize) -> bool {
    let mut reservation: Vec<u8> = Vec::new();
    let is_there = reservation.try_reserve_exact(bytes.saturating_add(HEADROOM)).is_ok();
    // The compiler may leave out an allocation whose memory is not used, and then takes it for a success.
    black_box(&mut reservation);
    is_there
}

/// How many buckets of so many words a table of at most `bytes` may have: fewer if the system has less memory, 0 if it has
/// none. Then the second value says so.
pub fn most_buckets(what: &'static str, bytes: usize, bucket_words: usize) -> (usize, Option<MemoryShortage>) {
    let bucket_bytes = bucket_words * size_of::<u64>();
    let most = bytes / bucket_bytes;
    let mut buckets = most;
    while buckets > 0 && !is_available(buckets * bucket_bytes) {
        buckets /= 2;
    }
    let shortage = MemoryShortage { what, wanted: bytes, granted: buckets * bucket_bytes };
    (buckets, (buckets < most).then_some(shortage))
}

/// The memory of something that grows.
#[derive(Debug)]
pub struct GrowingMemory {
    what: &'static str,
    /// The most bytes that it may take.
    most: usize,
    /// The most that it was to have, until less has been told.
    wanted: usize,
    /// It may have so many bytes without asking again.
    asked: usize,
    /// True if it grows by taking a block of twice the size, and not by small blocks.
    doubles: bool,
}

impl GrowingMemory {
    /// Memory of at most so many bytes, in small blocks.
    pub fn in_blocks(what: &'static str, most: usize) -> GrowingMemory {
        GrowingMemory { what, most, wanted: most, asked: most.min(UNASKED), doubles: false }
    }

    /// The same in one block, which is copied to one of twice the size when it is full.
    pub fn doubling(what: &'static str, most: usize) -> GrowingMemory {
        GrowingMemory { doubles: true, ..GrowingMemory::in_blocks(what, most) }
    }

    /// The most bytes that it may take.
    pub fn most(&self) -> usize {
        self.most
    }

    /// True if it may have so many bytes. Once the system has no more, it stays as large as it is.
    pub fn may_have(&mut self, bytes: usize) -> bool {
        bytes <= self.asked || self.ask(bytes)
    }

    #[cold]
    fn ask(&mut self, bytes: usize) -> bool {
        if bytes > self.most {
            return false;
        }
        let piece = if self.doubles { bytes.max(PIECE) } else { PIECE };
        if is_available(piece) {
            self.asked = bytes.saturating_add(piece).min(self.most);
        } else {
            self.most = self.asked;
        }
        bytes <= self.asked
    }

    /// Says once if the system had less memory than it was to have.
    pub fn take_shortage(&mut self) -> Option<MemoryShortage> {
        let wanted = std::mem::replace(&mut self.wanted, self.most);
        let shortage = MemoryShortage { what: self.what, wanted, granted: self.most };
        (self.most < wanted).then_some(shortage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More than any machine has.
    const TOO_MUCH: usize = isize::MAX as usize / 2;

    #[test]
    fn memory_that_no_system_has_is_not_available() {
        assert!(is_available(1 << 20));
        assert!(!is_available(TOO_MUCH));
        assert!(!is_available(usize::MAX));
    }

    #[test]
    fn a_table_gets_what_there_is_and_says_so_if_it_is_less() {
        assert_eq!(most_buckets("a table", 1 << 20, 8), (1 << 14, None));
        assert_eq!(most_buckets("a table", 63, 8), (0, None));
        let (buckets, shortage) = most_buckets("a table", TOO_MUCH, 8);
        let shortage = shortage.expect("less memory than that");
        assert!(buckets > 0 && buckets < TOO_MUCH / 64, "{buckets}");
        assert_eq!((shortage.wanted, shortage.granted), (TOO_MUCH, buckets * 64));
    }

    #[test]
    fn memory_grows_to_its_most_and_no_further() {
        for mut memory in [GrowingMemory::in_blocks("a list", 64 << 20), GrowingMemory::doubling("a list", 64 << 20)] {
            let sizes = (0..=64 << 10).map(|kibibytes| kibibytes << 10);
            assert!(sizes.into_iter().all(|bytes| memory.may_have(bytes)));
            assert!(!memory.may_have((64 << 20) + 1));
            assert_eq!(memory.take_shortage(), None);
        }
    }

    #[test]
    fn memory_that_cannot_grow_stays_as_it_is_and_says_so() {
        let mut memory = GrowingMemory::doubling("a list", TOO_MUCH);
        assert!(memory.may_have(1));
        assert!(!memory.may_have(TOO_MUCH - 1));
        let granted = memory.most();
        assert!(memory.may_have(granted) && !memory.may_have(granted + 1));
        assert_eq!(memory.take_shortage(), Some(MemoryShortage { what: "a list", wanted: TOO_MUCH, granted }));
    }

    #[test]
    fn a_shortage_is_told_with_both_sizes() {
        let shortage = |granted| MemoryShortage { what: "the tree", wanted: 32 << 20, granted }.to_string();
        assert_eq!(shortage(1 << 19), "there is not enough memory for the tree: it has 512 KiB of 32 MiB");
        assert_eq!(shortage(0), "there is no memory for the tree, which may take 32 MiB; the search does without it");
    }
}
