//! How many files and connections a process may have open.

/// The most files and connections that this process may have open at the same time: the limit that `ulimit -n` shows.
/// `usize::MAX` where there is none.
#[cfg(unix)]
#[must_use]
pub fn max_open_files() -> usize {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX))
}

/// No limit: this system has none that matters here.
#[cfg(not(unix))]
#[must_use]
pub fn max_open_files() -> usize {
    usize::MAX
}
