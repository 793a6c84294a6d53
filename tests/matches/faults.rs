//! Faults of engines in a match, and their effects: the match runner under every fault that is known from
//! other runners.
//!
//! The numbers are those of `docs/faults.md`. The engine at fault is `bad_engine.py`, here called Bad. After every
//! match, however it ended, nothing that it started is left, and what it printed agrees with what it recorded.

use std::collections::BTreeSet;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::common::contest::{BAD_ENGINE, moves, number, text};
use crate::common::program::{NOUGHTS, bytes_of, in_words_of_unix, join_in_time, let_engines_end, own_peak_of};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use serde_json::Value;

use crate::common::processes::{adopt_orphans, described, living, processes};

/// Far longer than any match here takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// The time that two engines need to start, on a busy machine.
const START: Duration = Duration::from_secs(4);

/// The time within which the rest of a killed runner has to go.
const SOON: Duration = Duration::from_secs(2);

/// The moves of a game in which both take the first empty square: X wins with its fourth stone.
const FIRST_EMPTY: [&str; 7] = ["0,0", "0,1", "0,2", "1,0", "1,1", "1,2", "2,0"];

const REASONS: [&str; 6] = ["line", "full board", "time", "crash", "stall", "illegal"];

/// A match to be, with a folder of its own. When it is dropped, whatever is left of it is killed.
struct Match {
    folder: PathBuf,
    /// A word that stands in the environment and in the arguments of every process of this match.
    marker: String,
    words: Vec<String>,
    format: &'static str,
    record: PathBuf,
    /// The commands of a shell before it becomes the runner.
    before: Option<&'static str>,
}

impl Match {
    fn new(test: &str) -> Match {
        let marker = format!("noughts-{test}-{}", std::process::id());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(&marker);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let record = folder.join("record");
        Match { folder, marker, words: Vec::new(), format: "json", record, before: None }
    }

    fn engine(mut self, description: impl Into<String>) -> Match {
        self.words.extend(["--engine".to_owned(), description.into()]);
        self
    }

    fn python(self, name: &str, mode: &str) -> Match {
        let pids = self.file("pids");
        self.engine(format!("name={name} cmd=python3 args='-IS {BAD_ENGINE} {mode} pids={}'", pids.display()))
    }

    /// An engine with a fault: its mode, on which `go` it happens, and what else `bad_engine.py` takes.
    fn bad(self, mode: &str) -> Match {
        self.python("Bad", mode)
    }

    fn good(self) -> Match {
        self.python("Good", "good")
    }

    /// Noughts itself, deterministic.
    fn perfect(self) -> Match {
        self.engine(format!("name=Perfect cmd={} option.player=perfect option.tiebreak=first", *NOUGHTS))
    }

    fn random(self) -> Match {
        self.engine(format!("name=Random cmd={} option.player=random", *NOUGHTS))
    }

    fn with(mut self, words: &str) -> Match {
        self.words.extend(words.split_whitespace().map(str::to_owned));
        self
    }

    fn format(mut self, format: &'static str) -> Match {
        self.format = format;
        self
    }

    fn record_to(mut self, path: impl Into<PathBuf>) -> Match {
        self.record = path.into();
        self
    }

    /// With something that a shell does first, or without.
    fn after(mut self, shell: impl Into<Option<&'static str>>) -> Match {
        self.before = shell.into();
        self
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn command(&self) -> Command {
        let mut command = match self.before {
            None => Command::new(&*NOUGHTS),
            Some(shell) => {
                let mut command = Command::new("sh");
                command.args(["-c", &format!("{shell}; exec \"$0\" \"$@\""), &*NOUGHTS]);
                command
            }
        };
        command.arg("match").args(&self.words).args(["--format", self.format]).arg("--record").arg(&self.record);
        command
    }

    fn start(&self) -> Running<'_> {
        self.start_command(self.command())
    }

    fn start_command(&self, mut command: Command) -> Running<'_> {
        adopt_orphans();
        command.env("NOUGHTS_TEST", &self.marker).process_group(0);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let start = Instant::now();
        let mut child = command.spawn().expect("the runner starts");
        let output = bytes_of(child.stdout.take().expect("piped"));
        let errors = bytes_of(child.stderr.take().expect("piped"));
        Running { of: self, child, start, output, errors }
    }

    /// Plays the match to its end, whatever that is.
    fn run(&self) -> Outcome {
        self.start().end()
    }

    /// Plays a match that must end in time, because Bad has lost a game for this reason. Returns that game, the only one.
    #[track_caller]
    fn lose_and_stop(&self, reason: &str, mentions: &[&str], time: Duration) -> Value {
        let outcome = self.run();
        outcome.assert_failed(&[&["Bad", "--resume"], mentions].concat());
        outcome.assert_within(START + time + SOON);
        let records = self.records();
        assert_eq!(records.len(), 1, "{records:?}");
        assert_lost(&records[0], "Bad", reason);
        records[0].clone()
    }

    /// Plays a match with `--recover` to its end. Bad loses all of its games for this reason.
    #[track_caller]
    fn lose_all(&self, games: u64, reason: &str) -> Outcome {
        let outcome = self.run();
        outcome.assert_done();
        self.assert_complete(games);
        self.records().iter().for_each(|game| assert_lost(game, "Bad", reason));
        outcome
    }

    /// Goes on with the match from its record.
    fn resume(&self) -> Outcome {
        let mut command = self.command();
        command.arg("--resume");
        self.start_command(command).end()
    }

    /// The text of a file of the match; nothing if there is no such file.
    fn text(&self, path: &Path) -> String {
        let is_file = path.metadata().is_ok_and(|about| about.is_file());
        if is_file { std::fs::read_to_string(path).expect("what is written is text") } else { String::new() }
    }

    /// The games in the record, which holds whole lines only.
    fn records(&self) -> Vec<Value> {
        let text = self.text(&self.record);
        assert!(text.is_empty() || text.ends_with('\n'), "a torn line: {text}");
        let entry = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        text.lines().map(entry).filter(|entry: &Value| entry.get("attempt").is_none()).collect()
    }

    /// The record, sorted by game, as far as it tells how each went.
    fn games(&self) -> Vec<(u64, Vec<String>, String, String)> {
        let mut games: Vec<_> = self
            .records()
            .iter()
            .map(|game| (number(&game["game"]), moves(game), text(&game["result"]), text(&game["reason"])))
            .collect();
        games.sort();
        games
    }

    /// Processes of this match that are there: those that are alive, and the engines that no process has waited for.
    fn left(&self) -> (Vec<String>, Vec<String>) {
        let pids = self.text(&self.file("pids"));
        (
            living(&self.marker).iter().map(described).collect(),
            pids.lines().filter(|pid| is_zombie(pid, "python3")).map(str::to_owned).collect(),
        )
    }

    /// The processes that a killed runner leaves end by themselves.
    fn assert_dies_out(&self) {
        let start = Instant::now();
        while !self.left().0.is_empty() {
            assert!(start.elapsed() < SOON, "still there: {:?}", self.left().0);
            thread::sleep(Duration::from_millis(10));
        }
        // The dead were left to us, not to a runner that goes on with the match.
        let _ = std::fs::remove_file(self.file("pids"));
    }

    /// Every game from the first to the last is there once.
    fn assert_complete(&self, games: u64) {
        let numbers: Vec<u64> = self.games().iter().map(|game| game.0).collect();
        assert_eq!(numbers, (0..games).collect::<Vec<_>>());
    }
}

impl Drop for Match {
    fn drop(&mut self) {
        let numbers = living(&self.marker).into_iter().filter_map(|pid| Pid::from_raw(pid.parse().ok()?));
        numbers.for_each(|pid| kill_process(pid, Signal::KILL).unwrap_or_default());
        if !thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// The runner at work, in a process group of its own.
struct Running<'a> {
    of: &'a Match,
    child: Child,
    start: Instant,
    output: JoinHandle<Vec<u8>>,
    errors: JoinHandle<Vec<u8>>,
}

impl Running<'_> {
    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("our own child can be sent a signal");
    }

    /// Acts as a terminal when Ctrl-C is pressed: every process of the group gets the signal.
    fn press_ctrl_c(&self) {
        kill_process_group(Pid::from_child(&self.child), Signal::INT).expect("our own children can be sent a signal");
    }

    /// Sends a signal to the engines that are bad engines.
    fn signal_engines(&self, signal: Signal) {
        let pids = self.of.text(&self.of.file("pids"));
        for pid in pids.lines().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)) {
            kill_process(pid, signal).expect("the engine lives and can be sent a signal");
        }
    }

    /// Waits until so many games are recorded.
    fn wait_for_games(&self, games: usize) {
        self.wait_until(|| self.of.text(&self.of.record).matches("\n{\"match\"").count() >= games);
    }

    /// Waits until so many engines have been started.
    fn wait_for_engines(&self, engines: usize) {
        self.wait_until(|| self.of.text(&self.of.file("pids")).lines().count() >= engines);
    }

    fn wait_until(&self, is_so: impl Fn() -> bool) {
        while !is_so() {
            assert!(self.start.elapsed() < PATIENCE, "the match does not get on");
            let has_ended = is_zombie(&self.child.id().to_string(), "noughts");
            assert!(!has_ended || is_so(), "the match has ended: {:?}", self.of.records());
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits for the end of the runner and sees that it leaves everything in order.
    fn end(self) -> Outcome {
        let of = self.of;
        let outcome = self.end_untidily();
        let_engines_end();
        assert_eq!(of.left(), (Vec::new(), Vec::new()), "processes are left; {outcome:?}");
        if outcome.code().is_some() && of.format == "json" && !outcome.output.is_empty() {
            outcome.assert_adds_up(&of.records());
        }
        outcome
    }

    /// Waits for the end of the runner.
    fn end_untidily(mut self) -> Outcome {
        let (mut memory, mut zombies) = (0, 0);
        let status = loop {
            memory = memory.max(own_peak_of(self.child.id()));
            zombies = zombies.max(zombies_of(&self.child));
            if let Some(status) = self.child.try_wait().expect("the child can be waited for") {
                break status;
            }
            assert!(self.start.elapsed() < PATIENCE, "the match does not end");
            thread::sleep(Duration::from_millis(5));
        };
        let time = self.start.elapsed();
        while !(self.output.is_finished() && self.errors.is_finished()) {
            assert!(self.start.elapsed() < time + SOON, "somebody else holds the output open: {:?}", self.of.left());
            thread::sleep(Duration::from_millis(1));
        }
        let [output, errors] =
            [self.output, self.errors].map(|said| String::from_utf8(join_in_time(said)).expect("what is said is text"));
        let errors = in_words_of_unix(&errors);
        Outcome { status, output, errors, time, memory, zombies }
    }
}

/// The end of a match.
#[derive(Debug)]
struct Outcome {
    status: ExitStatus,
    output: String,
    errors: String,
    time: Duration,
    /// The most memory that the runner ever had, in KiB.
    memory: u64,
    /// The most children that had ended at one time and had not been waited for.
    zombies: usize,
}

impl Outcome {
    fn code(&self) -> Option<i32> {
        self.status.code()
    }

    fn table(&self) -> Value {
        serde_json::from_str(&self.output).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    fn pairing(&self) -> Value {
        self.table()["pairings"][0].clone()
    }

    /// Wins, draws and losses of the engine that is named first.
    fn totals(&self) -> [u64; 3] {
        let pairing = self.pairing();
        ["wins", "draws", "losses"].map(|key| number(&pairing[key]))
    }

    /// The table tells of the games in the record and of no others.
    fn assert_adds_up(&self, records: &[Value]) {
        let table = self.table();
        assert_eq!(number(&table["games"]), records.len() as u64, "{table}");
        if records.is_empty() {
            return;
        }
        let pairing = self.pairing();
        let first = text(&pairing["engines"][0]);
        let wins = records.iter().filter(|game| winner(game).as_ref() == Some(&first)).count() as u64;
        let draws = records.iter().filter(|game| winner(game).is_none()).count() as u64;
        assert_eq!(number(&pairing["games"]), records.len() as u64, "{table}");
        assert_eq!(self.totals(), [wins, draws, records.len() as u64 - wins - draws], "{table}");
        for reason in REASONS {
            let games = records.iter().filter(|game| game["reason"] == reason).count() as u64;
            assert_eq!(pairing["reasons"][reason].as_u64().unwrap_or(0), games, "{reason}: {table}");
        }
    }

    #[track_caller]
    fn assert_done(&self) {
        assert_eq!(self.code(), Some(0), "{self:?}");
    }

    /// The match failed, and the error tells so much.
    #[track_caller]
    fn assert_failed(&self, mentions: &[&str]) {
        assert_eq!(self.code(), Some(1), "{self:?}");
        assert!(self.errors.contains("error: "), "{self:?}");
        for mention in mentions {
            assert!(self.errors.contains(mention), "{mention} is not mentioned: {self:?}");
        }
    }

    #[track_caller]
    fn assert_within(&self, time: Duration) {
        assert!(self.time < time, "{self:?}");
    }

    /// The warnings about what an engine said out of turn.
    fn warnings(&self) -> Vec<&str> {
        let is_warning = |line: &&str| line.to_lowercase().contains("warning");
        self.errors.lines().filter(is_warning).collect()
    }
}

/// The name of the engine that won, if one did.
fn winner(game: &Value) -> Option<String> {
    match text(&game["result"]).as_str() {
        "draw" => None,
        side => Some(text(&game[side]["name"])),
    }
}

#[track_caller]
fn assert_lost(game: &Value, name: &str, reason: &str) {
    assert_eq!(game["reason"], reason, "{game}");
    assert!(winner(game).is_some_and(|winner| winner != name), "{game}");
}

#[track_caller]
fn assert_no_trace_in_the_result(of: &Match, games: u64) {
    of.assert_complete(games);
    for game in of.records() {
        assert_eq!((moves(&game), text(&game["reason"])), (FIRST_EMPTY.map(str::to_owned).to_vec(), "line".to_owned()));
    }
}

/// Text without anything that a terminal could take for a command.
#[track_caller]
fn assert_plain(text: &str, what: &str) {
    let is_odd = |sign: char| sign.is_control() && sign != '\n' && sign != '\t' || sign == char::REPLACEMENT_CHARACTER;
    assert!(!text.contains(is_odd), "{what}: {text:?}");
}

/// The whole numbers in a text.
fn numbers(text: &str) -> Vec<u64> {
    text.split(|sign: char| !sign.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

fn is_zombie(pid: &str, program: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| stat.contains(&format!("({program}) Z ")))
}

fn zombies_of(parent: &Child) -> usize {
    let state = format!(") Z {} ", parent.id());
    let is_one = |pid: &String| std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|s| s.contains(&state));
    processes().iter().filter(|pid| is_one(pid)).count()
}

/// The command line that an error message offers for going on with the match.
fn offered_command(errors: &str) -> &str {
    let line = errors.lines().find(|line| line.contains("noughts match") && line.contains("--resume"));
    let line = line.unwrap_or_else(|| panic!("no command line: {errors}"));
    let start = line.find("noughts match").expect("just found");
    line[start..].trim_end_matches(['`', ' '])
}

#[test]
fn two_good_engines_play_a_match() {
    let of = Match::new("good").bad("good").good().with("--games 4 --trials 10");
    let outcome = of.run();
    outcome.assert_done();
    assert!(outcome.warnings().is_empty(), "{outcome:?}");
    assert_no_trace_in_the_result(&of, 4);
    assert_eq!(outcome.totals(), [2, 0, 2]);
}

#[test]
fn m01_a_program_that_cannot_be_started_is_named() {
    for program in ["/nowhere/engine", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"), "no-such-program-anywhere"] {
        let of = Match::new("m01").good().engine(format!("name=Bad cmd={program}")).with("--games 2 --trials 10");
        let outcome = of.run();
        outcome.assert_failed(&["Bad", program]);
        outcome.assert_within(Duration::from_secs(2));
        assert!(of.records().is_empty());
    }
}

#[test]
fn m01_an_exit_before_the_handshake_is_reported_with_its_code() {
    for recover in ["", "--recover"] {
        let of = Match::new("m01-exit").good().bad("exit-before-handshake").with("--games 2 --trials 10").with(recover);
        let outcome = of.run();
        outcome.assert_failed(&["Bad", "python3", "bad_engine.py", "exit status: 7"]);
        outcome.assert_within(Duration::from_secs(2));
        assert!(of.records().is_empty());
    }
}

#[test]
fn m02_an_engine_that_never_answers_the_handshake_is_killed() {
    for silent in [Match::new("m02").bad("no-handshake"), Match::new("m02-deaf").engine("name=Bad cmd=sleep args=60")] {
        let of = silent.good().with("--games 2 --trials 10 --start-limit 1");
        let outcome = of.run();
        outcome.assert_failed(&["Bad"]);
        outcome.assert_within(Duration::from_secs(1) + SOON);
        assert!(outcome.time >= Duration::from_millis(900), "{outcome:?}");
    }
}

#[test]
fn m03_a_crash_loses_the_game_and_stops_the_match() {
    for opponent in [Match::good, Match::perfect] {
        let of = opponent(Match::new("m03").bad("crash-on-go")).with("--games 6 --trials 10");
        let game = of.lose_and_stop("crash", &["exit status: 3", "noughts match"], PATIENCE);
        assert_eq!(game["exit"], "exit status: 3");
    }
}

#[test]
fn m03_the_moves_before_a_crash_are_recorded() {
    let of = Match::new("m03-late").bad("crash-on-go 3").good().with("--games 2 --trials 10");
    of.run().assert_failed(&["Bad"]);
    let moves = moves(&of.records()[0]);
    assert!(moves.len() == 4 || moves.len() == 5, "{moves:?}");
    assert_eq!(moves, FIRST_EMPTY[..moves.len()]);
}

#[test]
fn m03_the_command_offered_after_a_crash_resumes_the_match() {
    // In the fourth game for the first time; after that there are not enough games left for another.
    let of = Match::new("m03-resume").bad("crash-on-go 12").good().with("--games 6 --trials 10");
    let outcome = of.run();
    outcome.assert_failed(&["Bad"]);
    let recorded = of.text(&of.record);
    assert_eq!(of.records().len(), 4);
    let folder = Path::new(&*NOUGHTS).parent().expect("the program is in a folder").display();
    let mut command = Command::new("sh");
    command.args(["-c", &format!("PATH={folder}:$PATH; {}", offered_command(&outcome.errors))]);
    of.start_command(command).end().assert_done();
    assert!(of.text(&of.record).starts_with(&recorded));
    of.assert_complete(6);
}

#[test]
fn m03_with_recover_a_crash_costs_one_game_each_time() {
    for concurrency in ["1", "2"] {
        let of = Match::new("m03-recover").bad("crash-on-go").good().with("--games 20 --trials 10 --recover");
        let outcome = of.with("--concurrency").with(concurrency).lose_all(20, "crash");
        assert!(outcome.zombies <= 4, "{outcome:?}");
    }
}

#[test]
fn m04_the_signal_that_ended_an_engine_is_named() {
    let of = Match::new("m04").bad("signal-on-go 2").perfect().with("--games 4 --trials 10");
    let game = of.lose_and_stop("crash", &["SIGSEGV"], PATIENCE);
    assert!(text(&game["exit"]).contains("signal: 11 (SIGSEGV)"), "{game}");
}

#[test]
fn m04_an_engine_that_is_killed_loses_when_its_match_goes_on() {
    for signal in [Signal::KILL, Signal::TERM] {
        let of = match_of_a_second("m04-killed", "1").with("--recover");
        let running = of.start();
        running.wait_for_games(7);
        running.signal_engines(signal);
        running.end().assert_done();
        of.assert_complete(60);
        let records = of.records();
        let crashes: Vec<_> = records.iter().filter(|game| game["reason"] == "crash").collect();
        assert!(matches!(crashes[..], [game] if text(&game["exit"]).starts_with("signal: ")), "{crashes:?}");
    }
}

#[test]
fn m05_an_engine_that_never_answers_loses_on_time_and_is_killed() {
    for mode in ["silent-on-go", "hang-on-go"] {
        for limit in ["--movetime 300", "--tc 0.3+0.01"] {
            let of = Match::new("m05").bad(mode).good().with("--games 4").with(limit);
            of.lose_and_stop("time", &[], Duration::from_millis(300 + 10 + 50));
        }
    }
}

#[test]
fn m05_with_recover_an_engine_that_never_answers_is_restarted() {
    let of = Match::new("m05-recover").bad("hang-on-go 2").good().with("--games 3 --movetime 200 --recover");
    of.lose_all(3, "time").assert_within(3 * (START + Duration::from_millis(250) + SOON));
}

#[test]
fn m05_an_engine_without_a_clock_gets_what_patience_says() {
    let of = Match::new("m05-patience").bad("silent-on-go").good().with("--games 2 --trials 10 --patience 1");
    let outcome = of.run();
    outcome.assert_failed(&["Bad"]);
    outcome.assert_within(START + Duration::from_secs(1) + SOON);
    assert!(outcome.time > Duration::from_secs(1), "{outcome:?}");
    let game = &of.records()[0];
    assert!(game["reason"] == "time" || game["reason"] == "stall", "{game}");
}

#[test]
fn m06_a_late_answer_loses_on_time_and_the_match_goes_on() {
    let of = Match::new("m06").bad("late 2 150").good().with("--games 4 --movetime 400 --margin 50");
    let outcome = of.run();
    outcome.assert_done();
    outcome.assert_within(START + Duration::from_millis(400 + 150) + SOON);
    of.assert_complete(4);
    let games = of.records();
    let late: Vec<&Value> = games.iter().filter(|game| game["reason"] == "time").collect();
    assert_eq!(late.len(), 1, "{games:?}");
    assert_lost(late[0], "Bad", "time");
    let detail = text(&late[0]["detail"]);
    assert!(detail.contains("ms") && numbers(&detail).iter().any(|ms| (100..400).contains(ms)), "{detail}");
}

#[test]
fn m06_a_move_within_the_margin_is_not_late() {
    let of = Match::new("m06-margin").bad("late 2 100").good().with("--games 2 --movetime 100 --margin 3000");
    of.run().assert_done();
    assert_no_trace_in_the_result(&of, 2);
}

#[test]
fn m07_an_illegal_move_loses_and_its_text_is_kept() {
    for (mode, said) in [
        ("illegal-off-board", "3,3"),
        ("illegal-off-board 3", "3,3"),
        ("no-move", ""),
        ("null-move", "0000"),
        ("none-move 2", "(none)"),
    ] {
        let of = Match::new("m07").bad(mode).good().with("--games 4 --trials 10");
        let pgn = of.file("pgn");
        let of = of.with("--pgn").with(&pgn.display().to_string());
        of.run().assert_done();
        of.assert_complete(4);
        let games = of.records();
        let lost: Vec<&Value> = games.iter().filter(|game| game["reason"] == "illegal").collect();
        // Once in its life; it may have been given a new one after that.
        assert!(!lost.is_empty(), "{mode}: {games:?}");
        for game in lost {
            assert_lost(game, "Bad", "illegal");
            assert!(text(&game["detail"]).contains(said), "{mode}: {game}");
        }
        assert!(of.text(&pgn).contains(said), "{mode}: {}", of.text(&pgn));
    }
}

#[test]
fn m07_a_move_to_a_square_that_is_taken_is_illegal() {
    let of = Match::new("m07-taken").bad("illegal-occupied 3").perfect().with("--games 1 --trials 10");
    of.run().assert_done();
    let game = &of.records()[0];
    assert_lost(game, "Bad", "illegal");
    let (moves, detail) = (moves(game), text(&game["detail"]));
    assert!(moves.iter().any(|each| detail.contains(each)), "{game}");
    assert_eq!(moves.iter().collect::<BTreeSet<_>>().len(), moves.len(), "{game}");
}

#[test]
fn m08_rubbish_in_place_of_a_move_is_escaped_in_all_output() {
    for format in ["text", "json", "markdown"] {
        let of = Match::new("m08").bad("rubbish-move 2").good().with("--games 2 --trials 10").format(format);
        let (pgn, debug) = (of.file("pgn"), of.file("debug"));
        let of = of.with(&format!("--pgn {} --debug {}", pgn.display(), debug.display()));
        let outcome = of.run();
        outcome.assert_done();
        assert_lost(&of.records()[0], "Bad", "illegal");
        assert_plain(&text(&of.records()[0]["detail"]), "detail");
        assert_plain(&outcome.output, format);
        assert_plain(&outcome.errors, "errors");
        for file in [&of.record, &pgn, &debug] {
            assert!(!of.text(file).is_empty(), "{}", file.display());
            assert_plain(&of.text(file), &file.display().to_string());
        }
    }
}

#[test]
fn m09_crlf_ponder_and_few_options_are_no_faults() {
    for mode in ["crlf", "ponder", "no-options"] {
        let of = Match::new("m09").bad(mode).good().with("--games 4 --trials 10");
        of.run().assert_done();
        assert_no_trace_in_the_result(&of, 4);
    }
}

#[test]
fn m10_a_second_bestmove_is_ignored_with_a_warning() {
    for mode in ["stale-bestmove 0", "stale-bestmove-later 0 30"] {
        let of = Match::new("m10").bad(mode).good().with("--games 4 --trials 10");
        let outcome = of.run();
        outcome.assert_done();
        assert_no_trace_in_the_result(&of, 4);
        let warnings = outcome.warnings();
        assert!(!warnings.is_empty(), "{outcome:?}");
        assert!(warnings.iter().all(|line| line.contains("Bad") && !line.contains("Good")), "{outcome:?}");
    }
}

#[test]
fn m10_a_second_bestmove_in_the_opponents_turn_is_ignored_too() {
    let of = Match::new("m10-slow").bad("stale-bestmove-later 0 10").python("Slow", "late 0 50");
    let of = of.with("--games 2 --trials 10");
    let outcome = of.run();
    outcome.assert_done();
    assert_no_trace_in_the_result(&of, 2);
    assert!(outcome.warnings().iter().any(|line| line.contains("Bad")), "{outcome:?}");
}

#[test]
fn m11_the_last_move_of_an_engine_that_exits_counts() {
    let of = Match::new("m11").bad("move-then-exit 2").good().with("--games 2 --trials 10");
    let game = of.lose_and_stop("crash", &["exit status: 0"], PATIENCE);
    assert_eq!(game["exit"], "exit status: 0");
    let moves = moves(&game);
    assert!(moves.len() >= 3, "{game}");
    assert_eq!(moves, FIRST_EMPTY[..moves.len()]);
}

#[test]
fn m11_who_exits_after_the_winning_move_has_won() {
    let of = Match::new("m11-won").bad("move-then-exit 4").good().with("--games 1 --trials 10");
    of.run().assert_done();
    assert_no_trace_in_the_result(&of, 1);
    assert_eq!(winner(&of.records()[0]).as_deref(), Some("Bad"));
}

#[test]
fn m12_an_engine_that_does_not_say_readyok_stalls() {
    let words = "--games 2 --movetime 200 --patience 1 --start-limit 1";
    let of = |name| Match::new(name).bad("no-readyok").good().with(words);
    of("m12").lose_and_stop("stall", &[], Duration::from_secs(1));
    of("m12-recover").with("--recover").lose_all(2, "stall");
}

#[test]
fn m13_an_engine_that_closes_its_output_is_killed_at_once() {
    let of = Match::new("m13").bad("closes-stdout 2").good().with("--games 2 --movetime 30000");
    of.lose_and_stop("crash", &[], Duration::ZERO);
}

#[test]
fn m14_floods_and_long_lines_are_handled_in_bounded_memory() {
    for mode in ["flood 0", "long-line 0", "stderr-flood 0"] {
        let of = Match::new("m14").bad(mode).good().with("--games 1 --trials 10");
        let outcome = of.run();
        outcome.assert_done();
        assert_no_trace_in_the_result(&of, 1);
        assert!(outcome.memory < 24 << 10, "{mode}: {} KiB", outcome.memory);
    }
}

#[test]
fn m14_an_engine_that_stops_reading_stalls() {
    let of = Match::new("m14-deaf").bad("stops-reading 2").good();
    let of = of.with("--games 2 --movetime 200 --patience 1 --start-limit 1 --recover");
    of.lose_all(2, "stall").assert_within(2 * (START + Duration::from_secs(1) + SOON));
}

#[test]
fn m14_an_engine_that_reads_only_the_handshake_stops_the_match() {
    let of = Match::new("m14-deaf-early").bad("stops-reading").good();
    let of = of.with("--games 2 --movetime 200 --patience 1 --start-limit 1");
    let outcome = of.run();
    outcome.assert_failed(&["Bad"]);
    outcome.assert_within(START + Duration::from_secs(1) + SOON);
}

#[test]
fn m15_an_engine_that_ignores_quit_is_gone_in_the_end() {
    let of = Match::new("m15").bad("ignores-quit").python("Bad2", "ignores-quit").with("--games 2 --trials 10");
    let outcome = of.run();
    outcome.assert_done();
    outcome.assert_within(Duration::from_secs(5));
    assert_no_trace_in_the_result(&of, 2);
}

#[cfg(target_os = "linux")]
#[test]
fn m16_when_the_runner_is_killed_its_engines_go_too() {
    for (mode, games) in [("ignores-quit", 3), ("hang-on-go", 0)] {
        for concurrency in ["1", "2"] {
            let of = Match::new("m16-killed").bad(mode).python("Bad2", "ignores-quit");
            let of = of.with("--games 100000 --movetime 60000 --concurrency").with(concurrency);
            let running = of.start();
            running.wait_for_games(games);
            running.wait_for_engines(2);
            thread::sleep(Duration::from_millis(50));
            running.signal(Signal::KILL);
            assert_eq!(running.end_untidily().code(), None);
            of.assert_dies_out();
            assert!(of.records().len() >= games);
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn m16_killing_the_runner_ends_child_processes_of_its_engines() {
    let of = Match::new("m16-wrapper").with("--games 10 --movetime 60000");
    // The shell does not become the engine: it starts it, and waits.
    let pids = of.file("pids");
    let inner = format!("python3 -IS {BAD_ENGINE} hang-on-go 1 pids={} {}", pids.display(), of.marker);
    let wrapped = |name: &str| format!("name={name} cmd=sh args=\"-c '{inner}; true'\"");
    let of = of.engine(wrapped("Inner1")).engine(wrapped("Inner2"));
    let running = of.start();
    running.wait_for_engines(2);
    thread::sleep(Duration::from_millis(200));
    running.signal(Signal::KILL);
    assert_eq!(running.end_untidily().code(), None);
    of.assert_dies_out();
}

#[cfg(target_os = "linux")]
#[test]
fn m16_the_end_of_a_match_ends_child_processes_of_its_engines() {
    // Each engine leaves a process behind when it ends.
    let engine = |name: &str| format!("name={name} cmd=sh args=\"-c 'sleep 600 >/dev/null & exec {}'\"", *NOUGHTS);
    let of = Match::new("m16-helper").engine(engine("A")).engine(engine("B")).with("--games 2 --trials 10");
    of.run().assert_done();
    of.assert_complete(2);
}

#[test]
fn m16_an_interrupt_ends_the_runner_and_a_hanging_engine() {
    let of = Match::new("m16-hang").bad("hang-on-go").python("Bad2", "ignores-quit");
    let of = of.with("--games 10 --movetime 60000");
    let running = of.start();
    running.wait_for_engines(2);
    thread::sleep(Duration::from_millis(200));
    running.signal(Signal::INT);
    let outcome = running.end();
    assert_ne!(outcome.code(), Some(0), "{outcome:?}");
    outcome.assert_within(START + Duration::from_secs(5));
    assert!(of.records().is_empty());
}

/// A match that takes a second or so, with an engine whose moves follow from the seed of the match alone.
fn match_of_a_second(test: &str, concurrency: &str) -> Match {
    let of = Match::new(test).bad("late 0 4").random().with("--games 60 --trials 10 --seed 5 --concurrency");
    of.with(concurrency)
}

/// A match that is broken off in this way after some games and resumed has the games and totals of an unbroken one.
fn assert_resumes_as_unbroken(test: &str, concurrency: &str, break_off: impl Fn(&Running<'_>)) {
    let unbroken = match_of_a_second(&format!("{test}-unbroken"), concurrency);
    let expected = unbroken.run();
    expected.assert_done();

    let broken = match_of_a_second(&format!("{test}-broken"), concurrency);
    let running = broken.start();
    running.wait_for_games(7);
    break_off(&running);
    let outcome = running.end_untidily();
    assert_ne!(outcome.code(), Some(0), "{outcome:?}");
    broken.assert_dies_out();
    let recorded = broken.text(&broken.record);
    assert!((7..60).contains(&broken.records().len()), "{outcome:?}");

    let resumed = broken.resume();
    resumed.assert_done();
    assert!(broken.text(&broken.record).starts_with(&recorded), "what was recorded stays");
    broken.assert_complete(60);
    assert_eq!(resumed.totals(), expected.totals());
    assert_eq!(broken.games(), unbroken.games());
}

#[test]
fn m16_an_interrupted_and_resumed_match_equals_an_unbroken_one() {
    for (concurrency, signal) in [("1", Signal::INT), ("2", Signal::INT), ("2", Signal::KILL)] {
        assert_resumes_as_unbroken("m16", concurrency, |running| running.signal(signal));
    }
}

#[test]
fn m16_an_engine_killed_just_before_its_match_has_not_lost() {
    for signal in [Signal::KILL, Signal::TERM, Signal::HUP] {
        assert_resumes_as_unbroken("m16-all-killed", "2", |running| {
            running.signal_engines(signal);
            thread::sleep(Duration::from_millis(50));
            running.signal(signal);
        });
    }
}

#[test]
fn m16_an_interrupted_match_leaves_no_process_and_whole_lines() {
    let of = match_of_a_second("m16-tidy", "2");
    let running = of.start();
    running.wait_for_games(3);
    running.signal(Signal::INT);
    let outcome = running.end();
    assert_ne!(outcome.code(), Some(0), "{outcome:?}");
    outcome.assert_within(START + Duration::from_secs(5));
    assert!(of.records().len() >= 3);
}

#[test]
fn m16_when_ctrl_c_ends_the_engines_too_they_have_not_lost() {
    for _ in 0..3 {
        let of = match_of_a_second("m16-keyboard", "2");
        let running = of.start();
        running.wait_for_games(3);
        running.press_ctrl_c();
        let outcome = running.end();
        assert_ne!(outcome.code(), Some(0), "{outcome:?}");
        assert!(of.records().iter().all(|game| game["reason"] == "line" || game["reason"] == "full board"));
        of.resume().assert_done();
        of.assert_complete(60);
    }
}

#[test]
fn m16_resuming_a_torn_record_plays_just_the_missing_games() {
    let of = Match::new("m16-torn").good().random().with("--games 12 --trials 10 --seed 3");
    let expected = of.run();
    expected.assert_done();
    let (whole, games) = (of.text(&of.record), of.games());
    for cut in (0..8).map(|part| whole.len() * part / 8).chain([1, whole.len() - 1, whole.len()]) {
        std::fs::write(&of.record, &whole[..cut]).expect("the record can be cut");
        let resumed = of.resume();
        resumed.assert_done();
        let kept = whole[..cut].rfind('\n').map_or(0, |end| end + 1);
        assert!(of.text(&of.record).starts_with(&whole[..kept]), "cut at {cut}");
        assert_eq!(of.games(), games, "cut at {cut}");
        assert_eq!(resumed.totals(), expected.totals());
    }
}

#[test]
fn m16_a_complete_match_is_not_played_again() {
    let of = Match::new("m16-complete").bad("crash-on-go 9").good().with("--games 2 --trials 10");
    let first = of.run();
    first.assert_done();
    let whole = of.text(&of.record);
    let again = of.resume();
    again.assert_done();
    assert_eq!(of.text(&of.record), whole);
    // Nothing was played, so there is no speed.
    let mut expected = first.table();
    expected["games_per_second"] = Value::Null;
    assert_eq!(again.table(), expected);
}

#[test]
fn m17_a_record_or_game_list_that_cannot_be_written_is_an_error() {
    for path in ["/nowhere/at/all/file", "/dev/full", "/"] {
        if path == "/dev/full" && !Path::new(path).exists() {
            continue;
        }
        let of = |name| Match::new(name).good().perfect().with("--games 20 --trials 10");
        let of_list = (path != "/").then(|| of("m17-pgn").with("--pgn").with(path));
        for of in [of("m17").record_to(path)].into_iter().chain(of_list) {
            let outcome = of.run();
            outcome.assert_failed(&[path]);
            outcome.assert_within(START + SOON);
        }
    }
}

#[test]
fn m17_a_full_disk_ends_the_match_with_counted_games_recorded() {
    for concurrency in ["1", "2"] {
        let of = Match::new("m17-full").good().random().with("--games 60 --trials 10 --seed 2 --concurrency");
        let of = of.with(concurrency).after("ulimit -f 8; trap '' XFSZ");
        let outcome = of.run();
        outcome.assert_failed(&["record"]);
        assert!((1..60).contains(&of.records().len()), "{outcome:?}");
        // That the totals are those of the record has been seen; now there is room again.
        let of = of.after(None);
        of.resume().assert_done();
        of.assert_complete(60);
    }
}

#[test]
fn m17_however_much_fits_on_a_full_disk_the_record_is_whole() {
    // Not even the first line, one game or none, some games.
    for (limit, words) in [
        ("ulimit -f 1; trap '' XFSZ", ""),
        ("ulimit -f 3; trap '' XFSZ", ""),
        ("ulimit -f 9; trap '' XFSZ", ""),
        ("ulimit -f 10; trap '' XFSZ", "--concurrency 2"),
    ] {
        let of = Match::new("m17-fits").good().random().with("--games 24 --trials 10 --seed 2").with(words);
        let of = of.after(limit);
        // Each call ends when nothing fits any more. That its totals are those of the record has been seen.
        let first = of.run();
        first.assert_failed(&["cannot write", "record"]);
        let (games, whole) = (of.records().len(), of.text(&of.record));
        assert!(games < 24 && whole.len() < 24 * 512, "{limit}: {first:?}");
        // Nothing more fits, and nothing of what is there is lost.
        of.resume().assert_failed(&["cannot write"]);
        assert!(of.text(&of.record).starts_with(&whole));
        let of = of.after(None);
        of.resume().assert_done();
        of.assert_complete(24);
        assert!(of.text(&of.record).starts_with(&whole));
        assert_attempts_have_games(&of.text(&of.record));
    }
}

/// An attempt is written with its first game or not at all, and attempts are numbered from 1.
fn assert_attempts_have_games(record: &str) {
    let entry = |line| serde_json::from_str::<Value>(line).expect("a line of JSON");
    let entries: Vec<Value> = record.lines().map(entry).collect();
    let is_attempt = |entry: &Value| entry.get("attempt").is_some();
    let numbers: Vec<u64> =
        entries.iter().filter(|entry| is_attempt(entry)).map(|entry| number(&entry["attempt"]["number"])).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
    assert!(is_attempt(&entries[0]) && !is_attempt(&entries[entries.len() - 1]));
    assert!(!entries.windows(2).any(|pair| is_attempt(&pair[0]) && is_attempt(&pair[1])), "{numbers:?}");
}

#[test]
fn m18_deterministic_games_repeat_and_the_score_is_exact() {
    for (openings, games) in [("", 10), ("--openings all:1", 40)] {
        let of = Match::new("m18").perfect().good().with("--trials 10 --games").with(&games.to_string());
        let of = of.with(openings);
        let outcome = of.run();
        outcome.assert_done();
        of.assert_complete(games);
        let (pairing, openings) = (outcome.pairing(), number(&of.records()[0]["opening"]["of"]));
        let distinct = number(&pairing["distinct"]);
        // With the colours changed a game may, once in a while, be the same.
        assert!(distinct > openings && distinct <= 2 * openings, "{pairing}");
        assert_eq!(number(&pairing["repeats"]), games - distinct, "{pairing}");
        assert_eq!(pairing["exhausted"], true, "{pairing}");
        assert_elo_makes_sense(&pairing);
        if openings == 1 {
            assert_eq!(outcome.totals(), [games, 0, 0]);
            assert_eq!(pairing["score"].as_f64(), Some(1.0), "{pairing}");
        }
    }
}

#[test]
fn m18_a_match_that_leaves_openings_out_is_not_exhausted() {
    let of = Match::new("m18-short").perfect().good().with("--trials 10 --games 2 --openings all:1");
    let outcome = of.run();
    outcome.assert_done();
    assert!(number(&of.records()[0]["opening"]["of"]) > 1);
    assert_eq!(outcome.pairing()["exhausted"], false);
}

#[test]
fn m18_a_random_player_never_exhausts_a_match() {
    for games in [2, 6, 60] {
        let of = Match::new("m18-random").random().good().with("--trials 10 --seed 4 --games").with(&games.to_string());
        let outcome = of.run();
        outcome.assert_done();
        let pairing = outcome.pairing();
        assert_eq!(pairing["exhausted"], false, "{pairing}");
        assert_eq!(number(&pairing["distinct"]) + number(&pairing["repeats"]), games, "{pairing}");
        assert_elo_makes_sense(&pairing);
    }
}

#[test]
fn m18_games_that_are_all_alike_give_bounds_and_no_odd_numbers() {
    for format in ["json", "text", "markdown"] {
        for (second, games) in [("Good", "1"), ("Good", "10"), ("Perfect", "10")] {
            let of = Match::new("m18-alike").perfect().with("--trials 10 --swap off --games").with(games);
            let of = if second == "Good" { of.good() } else { of.engine(perfect_too()) }.format(format);
            let outcome = of.run();
            outcome.assert_done();
            assert!(outcome.output.contains("Perfect") && outcome.output.contains(second), "{outcome:?}");
            for word in outcome.output.to_lowercase().split(|sign: char| !sign.is_ascii_alphabetic()) {
                assert!(!["nan", "inf", "infinity"].contains(&word), "{outcome:?}");
            }
            if format == "json" {
                assert_elo_makes_sense(&outcome.pairing());
                assert_eq!(outcome.pairing()["distinct"], 1, "{outcome:?}");
            }
        }
    }
}

fn perfect_too() -> String {
    format!("name=Perfect2 cmd={} option.player=perfect option.tiebreak=first", *NOUGHTS)
}

/// Bounds on both sides of the value, as far as there are any, and the likelihood of superiority is one.
#[track_caller]
fn assert_elo_makes_sense(pairing: &Value) {
    let [low, value, high] = ["low", "value", "high"].map(|key| {
        let elo = &pairing["elo"][key];
        assert!(elo.is_null() || elo.as_f64().is_some_and(f64::is_finite), "{pairing}");
        elo.as_f64()
    });
    assert!(low.zip(value).is_none_or(|(low, value)| low <= value), "{pairing}");
    assert!(value.zip(high).is_none_or(|(value, high)| value <= high), "{pairing}");
    let los = &pairing["los"];
    assert!(los.is_null() || los.as_f64().is_some_and(|los| (0.0..=1.0).contains(&los)), "{pairing}");
}
