//! What a wait for a child process has seen.

/// What a wait for a child process has seen; nothing if the time is up.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ChildEvents {
    /// The wait was interrupted.
    pub interrupted: bool,
    /// The child's output has something to read, or has ended.
    pub readable: bool,
    /// The child's standard error has something to read, or has ended.
    pub complains: bool,
    /// The child's input has room, if the wait was to watch for it.
    pub writable: bool,
    /// The child has ended. Its output may stay open longer, if others hold it.
    pub ended: bool,
}
