//! The table of negamax: values of positions by key.

use std::collections::HashMap;

use crate::game::Value;

use crate::search::memory::{granted, is_available};

use crate::search::proof::value_table::PackedValue;

/// The most cells of a board for which every key has a byte of its own: 3^16 bytes are 41 MiB.
const MOST_CELLS_INDEXED: usize = 16;

/// Bytes of a hash table for each of its places. An entry takes 33; while the table grows, the old one of half the size is
/// there too.
const PLACE_BYTES: usize = 33 + 33 / 2;

/// The most entries of a hash table within so many bytes. The table has a power of two of places, an eighth of them free.
fn max_entries(bytes: usize) -> usize {
    let places = bytes / PLACE_BYTES;
    if places < 16 { 0 } else { (1 << places.ilog2()) / 8 * 7 }
}

/// The bytes that a hash table takes which grows to so many entries.
fn growing_bytes(entries: usize) -> usize {
    entries.div_ceil(7) * 8 * PLACE_BYTES
}

/// Entries by key, a limited number of them.
pub struct HashedTable<V> {
    entries: HashMap<u128, V>,
    /// The most entries.
    most: usize,
}

impl<V: Copy> HashedTable<V> {
    /// An empty table of at most so many bytes.
    pub fn new(bytes: usize) -> HashedTable<V> {
        HashedTable { entries: HashMap::new(), most: max_entries(bytes) }
    }

    /// The entry under a key.
    pub fn get(&self, key: u128) -> Option<V> {
        self.entries.get(&key).copied()
    }

    /// Stores an entry, if there is room. Says whether it did.
    pub fn store(&mut self, key: u128, value: V) -> bool {
        let is_full = self.entries.len() == self.entries.capacity();
        let has_room = self.entries.len() < self.most && (!is_full || self.grow());
        if has_room {
            self.entries.insert(key, value);
        }
        has_room
    }

    /// Makes room for twice as many entries; `false`, for good, if the system has no memory for that.
    #[cold]
    fn grow(&mut self) -> bool {
        let bytes = growing_bytes(2 * self.entries.capacity());
        let has_grown = is_available(bytes) && granted(self.entries.try_reserve(1).is_ok());
        if !has_grown {
            self.most = self.entries.len();
        }
        has_grown
    }
}

/// Values by key. A full table stores nothing more, and the search goes on without it.
pub enum MemoTable {
    /// A byte a key, for small boards.
    Indexed(Vec<u8>),
    /// The keys that were stored.
    Hashed(HashedTable<Value>),
}

impl MemoTable {
    /// An empty table for boards with `cells` cells, of at most `bytes`.
    pub fn new(cells: usize, bytes: usize) -> MemoTable {
        let keys = 3usize.checked_pow(cells as u32).filter(|&keys| cells <= MOST_CELLS_INDEXED && keys <= bytes);
        match keys {
            Some(keys) if is_available(keys) => MemoTable::Indexed(vec![0; keys]),
            Some(_) => MemoTable::Hashed(HashedTable::new(0)),
            None => MemoTable::Hashed(HashedTable::new(bytes)),
        }
    }

    /// The value under a key. Inlined into each search that calls it: a call costs 7% of negamax.
    #[inline(always)]
    pub fn get(&self, key: u128) -> Option<Value> {
        match self {
            MemoTable::Indexed(bytes) => PackedValue(bytes[key as usize]).value(),
            MemoTable::Hashed(table) => table.get(key),
        }
    }

    /// Stores a value, if there is room.
    pub fn store(&mut self, key: u128, found: Value) {
        match self {
            MemoTable::Indexed(bytes) => bytes[key as usize] = PackedValue::of(found).0,
            MemoTable::Hashed(table) => {
                table.store(key, found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_memory_takes_nothing_more() {
        let mut memo = MemoTable::new(25, 1 << 12);
        (0..1000).for_each(|key| memo.store(key, Value::Draw));
        let MemoTable::Hashed(HashedTable { entries, most }) = &memo else { panic!("a board without a key a byte") };
        assert!(entries.len() == *most && entries.capacity() * 33 <= 1 << 12, "{most}");
    }

    #[test]
    fn what_a_growing_table_takes_is_what_it_may_take() {
        for bytes in (1..100_000).chain([1 << 20, 3 << 20, 1 << 30]) {
            let most = max_entries(bytes);
            assert!(growing_bytes(most) <= bytes, "{bytes}: {most}");
            assert!(growing_bytes((2 * most).max(14)) > bytes, "{bytes}: {most}");
        }
    }

    #[test]
    fn what_is_stored_is_found_again() {
        for cells in [9, 25] {
            let mut memo = MemoTable::new(cells, 1 << 20);
            let values = [Value::Draw, Value::Win(0), Value::Win(9), Value::Loss(0), Value::Loss(16)];
            for (key, value) in (0..).zip(values) {
                assert_eq!(memo.get(key), None);
                memo.store(key, value);
            }
            assert!((0..).zip(values).all(|(key, value)| memo.get(key) == Some(value)));
        }
    }
}
