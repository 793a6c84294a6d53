//! The resources of this machine and this process: memory, open files, a terminal.

/// `None`: safe Rust has no call that asks this system.
pub fn mebibytes_of_machine() -> Option<u64> {
    None
}

/// Does nothing: this system has no such limit.
pub fn raise_descriptor_limit() {}

/// True if programs may write anywhere on the console: all can, and none sets `TERM`. A program that shows the output of
/// others line by line says so with `TERM=dumb`.
pub fn has_cursor_addressing() -> bool {
    std::env::var_os("TERM").is_none_or(|kind| kind != "dumb")
}
