//! The roles of the players in a search for a forced win.

/// Who tries to force a win, and who tries to prevent it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// The player who tries to force a win.
    Attacker,
    /// The player who tries to prevent it.
    Defender,
}
