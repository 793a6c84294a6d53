//! Which core a thread runs on, and with it the engines that it starts.
//!
//! To wake a process on another core takes several times as long as an answer of a quick engine. A client that shares
//! its core with its engines loses nothing by it, for only one of them has something to do at a time.

/// A core that no other lane of any match on this machine has chosen, as long as this is kept.
pub struct Claim {
    #[cfg(target_os = "linux")]
    _name: std::os::unix::net::UnixListener,
}

/// Keeps this thread, and the processes that it starts from now on, on a core of its own: the first that nobody has
/// claimed. When all are taken, on the one that `number` falls on. Keep the claim for as long as the thread runs.
#[cfg(target_os = "linux")]
pub fn settle(number: usize) -> Option<Claim> {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixListener};
    let cores = cores();
    for &core in &cores {
        // A name that is taken as long as somebody listens under it, and is free again however that one ends.
        let name = SocketAddr::from_abstract_name(format!("noughts-core-{core}"));
        if let Ok(listener) = name.and_then(|name| UnixListener::bind_addr(&name)) {
            stay_on(core);
            return Some(Claim { _name: listener });
        }
    }
    if !cores.is_empty() {
        stay_on(cores[number % cores.len()]);
    }
    None
}

/// Stays wherever the system likes, where it cannot be told.
#[cfg(not(target_os = "linux"))]
pub fn settle(_: usize) -> Option<Claim> {
    None
}

/// The cores that this thread may run on.
#[cfg(target_os = "linux")]
pub fn cores() -> Vec<usize> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let Ok(allowed) = sched_getaffinity(None) else { return Vec::new() };
    (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect()
}

/// Keeps this thread, and the processes that it starts from now on, on one core. Whether that was possible.
#[cfg(target_os = "linux")]
pub fn stay_on(core: usize) -> bool {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut one = CpuSet::new();
    one.set(core);
    sched_setaffinity(None, &one).is_ok()
}

/// The cores that this thread may run on, where the system tells.
#[cfg(not(target_os = "linux"))]
pub fn cores() -> Vec<usize> {
    Vec::new()
}

/// Keeps this thread on one core, where the system can do that.
#[cfg(not(target_os = "linux"))]
pub fn stay_on(_: usize) -> bool {
    false
}
