//! A folder in which a subject runs under a fault, and the laws that hold afterwards.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getuid, kill_process};
use tempfile::TempDir;

use crate::common::processes::{adopt_orphans, described, living};
use crate::common::program::{bytes_of, join_in_time};
use crate::subject::{ALL, RECORDING, Subject};

const NOUGHTS: &str = env!("CARGO_BIN_EXE_noughts");

/// Far longer than any run here takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// The time within which the rest of a killed run has to go.
const SOON: Duration = Duration::from_secs(5);

/// The system as one run finds it.
#[derive(Clone, Default, Debug)]
pub struct Fault {
    /// The commands of a shell before it becomes the program, such as `ulimit -n 8`.
    pub shell: String,
    /// Variables for the library that plays a system at fault: see `tests/faulty_system.c`.
    pub library: Vec<(&'static str, String)>,
    /// True if the run belongs to another user, whom the limits and permissions bind that do not bind root.
    pub other_user: bool,
    /// Where standard output goes, if not to the test.
    pub output: Option<&'static str>,
}

impl Fault {
    /// No fault at all.
    pub fn none() -> Fault {
        Fault::default()
    }

    /// A limit or another command of a shell.
    pub fn shell(command: impl Into<String>) -> Fault {
        Fault { shell: command.into(), ..Fault::default() }
    }

    /// A fault of the library.
    pub fn library(name: &'static str, value: impl Into<String>) -> Fault {
        Fault { library: vec![(name, value.into())], ..Fault::default() }
    }

    /// This fault, as another user.
    pub fn of_other_user(self) -> Fault {
        Fault { other_user: true, ..self }
    }
}

/// The library that plays a system at fault. `None`, with a word on standard error, where there is no compiler.
pub fn library() -> Option<&'static Path> {
    static LIBRARY: OnceLock<Option<PathBuf>> = OnceLock::new();
    let compile = || {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/faulty_system.c");
        let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("faulty-system-{}.so", std::process::id()));
        let compiler =
            Command::new("cc").args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).args([source, "-ldl"]).status();
        if compiler.is_err() {
            eprintln!("not checked: there is no C compiler (cc) for tests/faulty_system.c");
            return None;
        }
        assert!(compiler.is_ok_and(|status| status.success()), "tests/faulty_system.c does not compile");
        Some(library)
    };
    LIBRARY.get_or_init(compile).as_deref()
}

/// A user with no other process, whom limits bind. `None`, with a word on standard error, if this test cannot become one.
pub fn other_user() -> Option<u32> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let has_tool = Command::new("setpriv").arg("--version").stdout(Stdio::null()).status().is_ok();
    if !getuid().is_root() || !has_tool {
        eprintln!("not checked: another user; run the test as root, with setpriv");
        return None;
    }
    let number = 100_000 + std::process::id() % 10_000 * 100;
    Some(number + NEXT.fetch_add(1, Ordering::Relaxed) % 100)
}

/// A folder of its own. When it is dropped, whatever is left of its runs is killed.
pub struct Place {
    folder: TempDir,
    marker: String,
    program: PathBuf,
    user: Option<u32>,
}

impl Place {
    /// A folder in which everything is prepared for the subject.
    pub fn new(subject: Subject) -> Place {
        Place::of_user(subject, None)
    }

    /// A place for the runs of another user, who has a copy of the program: the build may be out of reach.
    pub fn of_user(subject: Subject, user: Option<u32>) -> Place {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        adopt_orphans();
        let folder = tempfile::Builder::new().prefix("noughts-faults-").tempdir().expect("a folder");
        let marker = format!("noughts-fault-{}-{}.", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let mut place = Place { folder, marker, program: PathBuf::from(NOUGHTS), user };
        if let Some(user) = user {
            place.program = place.file("program");
            // A copy of our own would be open for writing in a process that another test starts meanwhile, and no such file
            // can be executed.
            let copied = Command::new("cp").arg(NOUGHTS).arg(&place.program).status();
            assert!(copied.is_ok_and(|status| status.success()), "a copy of the program");
            fs::create_dir(place.file("work")).expect("a folder");
            chown(place.file("work"), Some(user), Some(user)).expect("root may do this");
            fs::set_permissions(place.folder.path(), fs::Permissions::from_mode(0o755)).expect("our own folder");
        } else {
            fs::create_dir(place.file("work")).expect("a folder");
        }
        if let Some(words) = subject.preparation(&place.program) {
            let output = Command::new(NOUGHTS).args(words).current_dir(place.work()).output().expect("it runs");
            assert!(output.status.success(), "{output:?}");
        }
        place
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The folder in which the subject runs.
    pub fn work(&self) -> PathBuf {
        self.file("work")
    }

    /// The program with these words, under a fault.
    pub fn command(&self, words: &[String], fault: &Fault) -> Command {
        let mut command = Command::new(if fault.other_user { "setpriv" } else { "bash" });
        if fault.other_user {
            let user = self.user.expect("a place of another user");
            command.args([&format!("--reuid={user}"), &format!("--regid={user}"), "--clear-groups", "bash"]);
        }
        let shell = if fault.shell.is_empty() { ":" } else { &fault.shell };
        command.args(["-c", &format!("{shell}; exec \"$0\" \"$@\"")]).arg(&self.program).args(words);
        command.env("NOUGHTS_TEST", &self.marker).current_dir(self.work()).process_group(0);
        if let Some(library) = library().filter(|_| !fault.library.is_empty()) {
            command.env("LD_PRELOAD", library).envs(fault.library.iter().map(|(name, value)| (name, value)));
        }
        command
    }

    /// Starts the subject.
    pub fn start(&self, subject: Subject, fault: &Fault, resume: bool) -> Running {
        let mut words = subject.words(&self.program);
        if resume {
            words.push("--resume".to_owned());
        }
        let mut command = self.command(&words, fault);
        command.stdin(Stdio::piped()).stderr(Stdio::piped());
        match fault.output {
            Some(path) => command.stdout(fs::File::create(path).expect("a file to write to")),
            None => command.stdout(Stdio::piped()),
        };
        let mut child = command.spawn().expect("it starts");
        let input = child.stdin.take().expect("piped");
        let writing = thread::spawn(move || {
            // The program may end before it has read everything.
            let _ = (&input).write_all(subject.input().as_bytes());
        });
        let output = child.stdout.take().map(bytes_of);
        let errors = child.stderr.take().map(bytes_of);
        Running { child, start: Instant::now(), output, errors, _writing: writing }
    }

    /// Runs the subject under a fault, and holds what becomes of it against the laws that hold under any fault.
    pub fn run(&self, subject: Subject, fault: &Fault) -> Ran {
        let ran = self.start(subject, fault, false).end();
        self.check(subject, &ran);
        assert!(ran.status.signal().is_none(), "{subject:?}, {fault:?}: {ran:?}");
        ran
    }

    /// The laws that hold under any fault, however the run has ended.
    pub fn check(&self, subject: Subject, ran: &Ran) {
        assert!(!ran.errors.contains("panicked"), "{subject:?}: {ran:?}");
        let is_told = ran.status.success() || ran.errors.contains("error: ") || ran.status.signal().is_some();
        assert!(is_told, "{subject:?} failed without a word: {ran:?}");
        let start = Instant::now();
        while !living(&self.marker).is_empty() {
            let left: Vec<String> = living(&self.marker).iter().map(described).collect();
            assert!(start.elapsed() < SOON, "{subject:?}: processes are left: {left:?}; {ran:?}");
            thread::sleep(Duration::from_millis(10));
        }
        subject.check_files(ran, &self.work());
    }

    /// Goes on if the subject has a record; does nothing for the others.
    pub fn go_on_if_recorded(&self, subject: Subject) {
        if RECORDING.contains(&subject) {
            self.go_on(subject);
        }
    }

    /// Goes on without a fault, from the record if the subject has one, and expects the totals of an unbroken run.
    pub fn go_on(&self, subject: Subject) {
        let continues = RECORDING.contains(&subject);
        let fault = Fault { other_user: self.user.is_some(), ..Fault::none() };
        let ran = self.start(subject, &fault, continues).end();
        self.check(subject, &ran);
        assert!(ran.status.success(), "{subject:?}: {ran:?}");
        assert_eq!(subject.totals(&ran, &self.work()), totals_of(subject), "{subject:?}: {ran:?}");
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let numbers = living(&self.marker).into_iter().filter_map(|pid| Pid::from_raw(pid.parse().ok()?));
        numbers.for_each(|pid| kill_process(pid, Signal::KILL).unwrap_or_default());
    }
}

/// The totals of an unbroken run.
pub fn totals_of(subject: Subject) -> Vec<String> {
    static TOTALS: [OnceLock<Vec<String>>; ALL.len()] = [const { OnceLock::new() }; ALL.len()];
    let find = || {
        let place = Place::new(subject);
        let ran = place.run(subject, &Fault::none());
        assert!(ran.status.success(), "{ran:?}");
        subject.totals(&ran, &place.work())
    };
    TOTALS[subject as usize].get_or_init(find).clone()
}

/// A subject at work.
pub struct Running {
    pub child: Child,
    pub start: Instant,
    output: Option<JoinHandle<Vec<u8>>>,
    errors: Option<JoinHandle<Vec<u8>>>,
    _writing: JoinHandle<()>,
}

impl Running {
    pub fn signal(&self, signal: Signal) {
        // A run that has ended cannot be told anything.
        let _ = kill_process(Pid::from_child(&self.child), signal);
    }

    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("our own child").is_some()
    }

    /// Waits for the end.
    pub fn end(mut self) -> Ran {
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("our own child") {
                break status;
            }
            if self.start.elapsed() > PATIENCE {
                let _ = self.child.kill();
                panic!("the run does not end");
            }
            thread::sleep(Duration::from_millis(2));
        };
        let text = |said: Option<JoinHandle<Vec<u8>>>| {
            String::from_utf8(said.map(join_in_time).unwrap_or_default()).expect("what is said is text")
        };
        Ran { status, output: text(self.output), errors: text(self.errors) }
    }
}

/// The end of a run.
#[derive(Debug)]
pub struct Ran {
    pub status: ExitStatus,
    pub output: String,
    pub errors: String,
}

impl Ran {
    /// The run failed, and the error tells so much.
    #[track_caller]
    pub fn assert_failed(&self, mentions: &[&str]) {
        assert_eq!(self.status.code(), Some(1), "{self:?}");
        for mention in mentions {
            assert!(self.errors.contains(mention), "{mention} is not mentioned: {self:?}");
        }
    }
}
