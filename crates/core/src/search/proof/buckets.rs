//! The memory of tables of fixed size.

/// How many buckets of so many words a table of at most `bytes` may have: fewer if the system has less memory, 0 if it has
/// none.
///
/// `vec!` gets zeroed memory from the system without touching it, but ends the process if there is not enough. So a
/// reservation, which may fail, comes first.
pub fn most_buckets(bytes: usize, bucket_words: usize) -> usize {
    let mut buckets = bytes / (bucket_words * size_of::<u64>());
    while buckets > 0 && Vec::<u64>::new().try_reserve_exact(buckets * bucket_words).is_err() {
        buckets /= 2;
    }
    buckets
}
