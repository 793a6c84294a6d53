//! Memory that may be missing. A search that gets less memory than it was allowed goes on with less.
//!
//! Rust ends the process when an allocation fails. So a search asks for the memory of a table before it takes it. The
//! question is a reservation that is given back at once: a reservation may fail, zeroed memory may not. The table itself is
//! `vec![0; n]`. The system gives zeroed memory, which costs nothing until it is used. A vector that is reserved and then
//! filled writes to all of it.

use std::cell::Cell;
use std::hint::black_box;

/// Bytes that must be free beyond the memory that is asked for: for everything that is allocated without asking. In a web
/// page, memory that was once asked for stays with the page.
const HEADROOM: usize = if cfg!(target_family = "wasm") { 0 } else { 16 << 20 };

/// Memory that grows is asked for in pieces of at least so many bytes.
const PIECE: usize = 4 << 20;

/// Memory that grows is not asked for before it has so many bytes.
const UNASKED: usize = 256 << 10;

thread_local! {
    /// True if the system had less memory than a search of this thread has asked for.
    static WAS_SHORT: Cell<bool> = const { Cell::new(false) };
}

/// Says once whether a search of this thread has had less memory than it was allowed, because the system has no more. A
/// search takes its memory in one thread, so its caller need not ask each table.
pub fn take_shortage() -> bool {
    WAS_SHORT.take()
}

/// The note to the user then.
pub const SHORTAGE: &str =
    "there is not enough memory for the tables that Hash allows; the search goes on with smaller ones";

/// True if the system has so many bytes, and some more.
pub fn is_available(bytes: usize) -> bool {
    let mut reservation: Vec<u8> = Vec::new();
    let is_there = reservation.try_reserve_exact(bytes.saturating_add(HEADROOM)).is_ok();
    // The compiler may leave out an allocation whose memory is not used, and then takes it for a success.
    black_box(&mut reservation);
    granted(is_there)
}

/// Notes a shortage if memory was not granted. Returns whether it was.
pub fn granted(is_there: bool) -> bool {
    if !is_there {
        WAS_SHORT.set(true);
    }
    is_there
}

/// The number of buckets of `bucket_words` that a table of at most `bytes` may have. It is halved while the system has less
/// memory; 0 if it has none.
pub fn most_buckets(bytes: usize, bucket_words: usize) -> usize {
    let bucket_bytes = bucket_words * size_of::<u64>();
    let mut buckets = bytes / bucket_bytes;
    while buckets > 0 && !is_available(buckets * bucket_bytes) {
        buckets /= 2;
    }
    buckets
}

/// The memory of something that grows.
#[derive(Debug)]
pub struct GrowingMemory {
    /// The most bytes that it may take.
    pub most: usize,
    /// It may have so many bytes without asking again.
    asked: usize,
    /// True if it grows by taking a block of twice the size, and not by small blocks.
    doubles: bool,
}

impl GrowingMemory {
    /// Memory of at most so many bytes, in small blocks.
    pub fn in_blocks(most: usize) -> GrowingMemory {
        GrowingMemory { most, asked: most.min(UNASKED), doubles: false }
    }

    /// Memory in one block, which is copied to one of twice the size when it is full.
    pub fn doubling(most: usize) -> GrowingMemory {
        GrowingMemory { doubles: true, ..GrowingMemory::in_blocks(most) }
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
    fn a_table_gets_what_there_is_and_a_shortage_is_told_once() {
        assert_eq!(most_buckets(1 << 20, 8), 1 << 14);
        assert_eq!(most_buckets(63, 8), 0);
        assert!(!take_shortage());
        let buckets = most_buckets(TOO_MUCH, 8);
        assert!(buckets > 0 && buckets < TOO_MUCH / 64, "{buckets}");
        assert!(take_shortage() && !take_shortage());
    }

    #[test]
    fn memory_grows_to_its_most_and_no_further() {
        for mut memory in [GrowingMemory::in_blocks(64 << 20), GrowingMemory::doubling(64 << 20)] {
            let sizes = (0..=64 << 10).map(|kibibytes| kibibytes << 10);
            assert!(sizes.into_iter().all(|bytes| memory.may_have(bytes)));
            assert!(!memory.may_have((64 << 20) + 1));
            assert!(!take_shortage());
        }
    }

    #[test]
    fn memory_that_cannot_grow_stays_as_it_is_and_says_so() {
        let mut memory = GrowingMemory::doubling(TOO_MUCH);
        assert!(memory.may_have(1));
        assert!(!memory.may_have(TOO_MUCH - 1));
        let granted = memory.most;
        assert!(memory.may_have(granted) && !memory.may_have(granted + 1));
        assert!(take_shortage() && !take_shortage());
    }
}
