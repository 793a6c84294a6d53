//! The abilities of this process's terminal.

use std::env;

/// True if programs may write anywhere on the terminal. The variable `TERM` names its kind. Where it is unset, empty or
/// `dumb`, nothing is known of the terminal but that it prints lines.
pub fn has_cursor_addressing() -> bool {
    env::var_os("TERM").is_some_and(|kind| !kind.is_empty() && kind != "dumb")
}
