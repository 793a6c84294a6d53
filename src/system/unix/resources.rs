//! The resources of this machine and this process: memory, open files, a terminal.

use rustix::process::{Resource, getrlimit, setrlimit};

/// The memory of this machine in MiB, or what its container may have of it. `None` if the system does not report it.
#[cfg(target_os = "linux")]
pub fn mebibytes_of_machine() -> Option<u64> {
    let info = rustix::system::sysinfo();
    // The type of this number differs between processors.
    #[allow(clippy::useless_conversion)]
    let machine = u64::from(info.totalram).saturating_mul(info.mem_unit.into());
    let container =
        LIMITS_OF_CONTAINERS.iter().filter_map(|path| std::fs::read_to_string(path).ok()?.trim().parse().ok());
    container.chain([machine]).min().map(|bytes: u64| bytes >> 20).filter(|&mebibytes| mebibytes > 0)
}

/// The files with the limit of a container in bytes, for both versions of control groups. A file that holds no number, or
/// is not there, is no limit.
#[cfg(target_os = "linux")]
const LIMITS_OF_CONTAINERS: [&str; 2] = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];

/// `None`: this system is not asked.
#[cfg(not(target_os = "linux"))]
pub fn mebibytes_of_machine() -> Option<u64> {
    None
}

/// Lets this process open as many descriptors as the system allows. Every engine and every connection takes some.
pub fn raise_descriptor_limit() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    // If this fails, the part that finds no descriptor left reports it.
    let _ = setrlimit(Resource::Nofile, limit);
}

/// True if programs may write anywhere on the terminal. The variable `TERM` names its kind. Where it is unset, empty or
/// `dumb`, nothing is known of the terminal but that it prints lines.
pub fn has_cursor_addressing() -> bool {
    std::env::var_os("TERM").is_some_and(|kind| !kind.is_empty() && kind != "dumb")
}
