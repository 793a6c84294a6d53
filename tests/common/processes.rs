//! The processes of this machine: what a test has started, and what it has left.

#![allow(dead_code)]

/// Makes us the parent of processes whose parent has ended, so that those which no process waited for can be seen.
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

/// The living processes with a marker among their arguments or in their environment. A process that has been killed is
/// not one of them: on a busy machine some time passes before it runs once more, which is when it ends.
pub fn living(marker: &str) -> Vec<String> {
    let read = |pid: &str, what: &str| std::fs::read(format!("/proc/{pid}/{what}")).unwrap_or_default();
    let has = |pid: &String| {
        [read(pid, "cmdline"), read(pid, "environ")].iter().any(|text| String::from_utf8_lossy(text).contains(marker))
    };
    // In this order: what is killed may be gone when the second question is asked.
    processes().into_iter().filter(|pid| !is_killed(pid) && has(pid)).collect()
}

/// True if SIGKILL has been sent to the process. The system keeps that signal among the pending ones until the end.
fn is_killed(pid: &str) -> bool {
    const SIGKILL: u64 = 1 << (9 - 1);
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let pending = status.lines().find_map(|line| line.strip_prefix("ShdPnd:"));
    pending.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask & SIGKILL != 0))
}

pub fn described(pid: &String) -> String {
    let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    format!("{pid}: {}", String::from_utf8_lossy(&words).replace('\0', " "))
}
