//! What this machine and this process have: memory, open files.

/// `None`: safe Rust has no call that asks this system.
pub fn mebibytes_of_machine() -> Option<u64> {
    None
}

/// No limit: this system has none that matters here.
#[must_use]
pub fn max_open_files() -> usize {
    usize::MAX
}

/// Does nothing: this system has no such limit.
pub fn raise_descriptor_limit() {}
