//! The processes of this machine: what a test has started, and what it has left.

#![allow(dead_code)]

/// Makes us the parent of processes whose parent has ended, so that those which nobody waited for can be seen.
pub fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).expect("orphans can be adopted");
}

/// The numbers of all processes, where the system lists them.
pub fn processes() -> Vec<String> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.filter(|name| name.bytes().all(|byte| byte.is_ascii_digit())).collect()
}

/// The living processes with a marker among their arguments or in their environment.
pub fn living(marker: &str) -> Vec<String> {
    let read = |pid: &str, what: &str| std::fs::read(format!("/proc/{pid}/{what}")).unwrap_or_default();
    let has = |pid: &String| {
        [read(pid, "cmdline"), read(pid, "environ")].iter().any(|text| String::from_utf8_lossy(text).contains(marker))
    };
    processes().into_iter().filter(has).collect()
}

pub fn described(pid: &String) -> String {
    let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    format!("{pid}: {}", String::from_utf8_lossy(&words).replace('\0', " "))
}
