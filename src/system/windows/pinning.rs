//! The core of a thread. A process of Windows does not take over the core of the thread that starts it, and to pin
//! the client without its engines gains nothing. So nothing is pinned here.

/// A core that is reserved: there is none on this system.
pub enum ReservedCore {}

/// Does nothing: on this system threads are not kept on a core.
pub fn reserve_core(_: usize) -> Option<ReservedCore> {
    None
}

/// No cores: on this system threads are not kept on a core.
pub fn cores() -> Vec<usize> {
    Vec::new()
}

/// Returns false: on this system threads are not kept on a core.
pub fn stay_on(_: usize) -> bool {
    false
}
