//! The core that a thread runs on, and with it the processes that it starts.
//!
//! To wake a process on another core takes several times as long as an answer of a quick engine. A client that shares
//! its core with its engines loses nothing: only one of them has something to do at a time.

/// A core that no other thread of this kind on this machine uses, in any process, as long as this value is kept.
pub struct ReservedCore {
    #[cfg(target_os = "linux")]
    _name: std::os::unix::net::UnixListener,
}

/// Keeps this thread, and the processes that it starts from now on, on the first core that is not reserved. If all cores
/// are reserved, `number` chooses one of them, and there is no reservation. Keep the result as long as the thread runs.
#[cfg(target_os = "linux")]
pub fn reserve_core(number: usize) -> Option<ReservedCore> {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixListener};
    let cores = cores();
    for &core in &cores {
        // The name is taken as long as the listener lives, and free again however its process ends.
        let name = SocketAddr::from_abstract_name(format!("noughts-core-{core}"));
        if let Ok(listener) = name.and_then(|name| UnixListener::bind_addr(&name)) {
            stay_on(core);
            return Some(ReservedCore { _name: listener });
        }
    }
    if !cores.is_empty() {
        stay_on(cores[number % cores.len()]);
    }
    None
}

/// Does nothing: on this system threads cannot be kept on a core.
#[cfg(not(target_os = "linux"))]
pub fn reserve_core(_: usize) -> Option<ReservedCore> {
    None
}

/// The cores that this thread may run on; none if the system does not report them.
#[cfg(target_os = "linux")]
pub fn cores() -> Vec<usize> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let Ok(allowed) = sched_getaffinity(None) else { return Vec::new() };
    (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect()
}

/// Keeps this thread, and the processes that it starts from now on, on one core. Returns whether that was possible.
#[cfg(target_os = "linux")]
pub fn stay_on(core: usize) -> bool {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut one = CpuSet::new();
    one.set(core);
    sched_setaffinity(None, &one).is_ok()
}

/// The cores that this thread may run on; none if the system does not report them.
#[cfg(not(target_os = "linux"))]
pub fn cores() -> Vec<usize> {
    Vec::new()
}

/// Returns false: on this system threads cannot be kept on a core.
#[cfg(not(target_os = "linux"))]
pub fn stay_on(_: usize) -> bool {
    false
}
