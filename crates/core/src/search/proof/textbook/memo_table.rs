//! The table of negamax: values of positions by key.

use std::collections::HashMap;

use crate::game::Value;

use crate::search::proof::value_table::PackedValue;

/// The most cells of a board for which every key has a byte of its own: 3^16 bytes are 41 MiB.
const MOST_CELLS_INDEXED: usize = 16;

/// The most entries of a hash table within so many bytes. An entry takes 33 bytes. The table has a power of two of places,
/// an eighth of them free. While it grows, the old table of half the size takes memory too.
pub fn max_entries(bytes: usize) -> usize {
    let places = bytes / (33 + 33 / 2);
    if places < 16 { 0 } else { (1 << places.ilog2()) / 8 * 7 }
}

/// Values by key. A full table stores nothing more, and the search goes on without it.
pub enum MemoTable {
    /// A byte a key, for small boards.
    Indexed(Vec<u8>),
    /// The keys that were stored, and the most that there may be.
    Hashed(HashMap<u128, Value>, usize),
}

impl MemoTable {
    /// An empty table for boards with so many cells, of at most so many bytes.
    pub fn new(cells: usize, bytes: usize) -> MemoTable {
        if cells <= MOST_CELLS_INDEXED && 3usize.pow(cells as u32) <= bytes {
            MemoTable::Indexed(vec![0; 3usize.pow(cells as u32)])
        } else {
            MemoTable::Hashed(HashMap::new(), max_entries(bytes))
        }
    }

    /// What was stored under a key. Inlined into each search that calls it: a call costs 7% of negamax.
    #[inline(always)]
    pub fn get(&self, key: u128) -> Option<Value> {
        match self {
            MemoTable::Indexed(bytes) => PackedValue(bytes[key as usize]).value(),
            MemoTable::Hashed(values, _) => values.get(&key).copied(),
        }
    }

    /// Stores a value, if there is room.
    pub fn store(&mut self, key: u128, found: Value) {
        match self {
            MemoTable::Indexed(bytes) => bytes[key as usize] = PackedValue::of(found).0,
            MemoTable::Hashed(values, most) => {
                if values.len() < *most {
                    values.insert(key, found);
                }
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
        let MemoTable::Hashed(values, most) = &memo else { panic!("a board without a key a byte") };
        assert!(values.len() == *most && values.capacity() * 33 <= 1 << 12, "{most}");
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
