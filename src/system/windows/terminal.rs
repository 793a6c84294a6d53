//! The abilities of this process's console.

use std::env;

/// True if programs may write anywhere on the console: all can, and none sets `TERM`. A program that shows the output of
/// others line by line sets `TERM=dumb`.
pub fn has_cursor_addressing() -> bool {
    env::var_os("TERM").is_none_or(|kind| kind != "dumb")
}
