//! Which core a thread runs on, and with it the engines that it starts.
//!
//! To wake a process on another core takes several times as long as an answer of a quick engine. A client that shares
//! its core with its engines loses nothing by it, for only one of them has something to do at a time.

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
