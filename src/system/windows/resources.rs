//! The resources of this machine and this process: memory, open files.

/// `None`: safe Rust has no call that asks this system.
pub fn mebibytes_of_machine() -> Option<u64> {
    None
}

/// Does nothing: this system has no such limit.
pub fn raise_descriptor_limit() {}
