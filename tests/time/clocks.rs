//! The engine keeps its time: known values come at once, no answer is too late, no client's clock runs out.
//!
//! Machines that run tests are busy. So an answer that is to come at once has a limit of seconds and is asked for three
//! times; and a thread that only sleeps and wakes tells by how much the system delays everything.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::common::foreign::{drop_at, find, xboard_move, xy};
use crate::common::program::{Program, RunToEnd};
use crate::common::random_games::quiet_game;
use crate::common::{Conversation, rules, value_of};
use noughts::game::{Cell, Outcome, Position, Rules};
use noughts::search::{Stream, below, generator};

/// Every player of the option `player` but the searches of the textbooks.
const PLAYERS: [&str; 6] = ["auto", "perfect", "mcts", "montecarlo", "montecarlolimit", "random"];

/// A search of the textbooks that cannot finish on large boards.
const TEXTBOOK: &str = "alphabeta";

/// Limits of two seconds or more for a move.
const LONG_LIMITS: [&str; 6] = [
    "movetime 2000",
    "wtime 4000 btime 4000",
    "wtime 60000 btime 60000 winc 2000 binc 2000",
    "wtime 2000 btime 2000 movestogo 1",
    "wtime 90000 btime 90000 movestogo 40",
    "wtime 5000 btime 5000 winc 5000 binc 5000 movestogo 3",
];

/// An answer within this time has not used a limit of two seconds.
const AT_ONCE: Duration = Duration::from_millis(50);

/// The least of the times of three tries, which all begin the same.
fn best_of_three(mut measure: impl FnMut() -> Duration) -> Duration {
    let mut best = Duration::MAX;
    for _ in 0..3 {
        best = best.min(measure());
        if best < AT_ONCE {
            break;
        }
    }
    best
}

/// The least time of three answers to the same `go`, and what was said with the last of them.
fn best_of_three_answers(talk: &mut Conversation, limit: &str) -> (Duration, Vec<String>) {
    let mut said = Vec::new();
    let time = best_of_three(|| {
        let (time, lines) = ask(talk, &format!("go {limit}"), "bestmove");
        said = lines;
        time
    });
    (time, said)
}

/// The playouts that the last line with a number of them tells.
fn trials_told(said: &[String]) -> Option<u64> {
    let told = said.iter().filter_map(|line| value_of(line, "trials")).next_back();
    told.map(|trials| trials.parse().expect("a number"))
}

/// A conversation after these lines, which are all accepted.
fn set_up(lines: &str) -> Conversation {
    let mut talk = Conversation::new();
    let said = talk.send(&format!("{lines}\nisready\n")).until_line("readyok");
    assert!(!said.iter().any(|line| line.contains("error")), "{lines}: {said:?}");
    talk
}

/// The time of an answer that begins like this, and everything that was said up to it.
fn ask(talk: &mut Conversation, question: &str, answer: &str) -> (Duration, Vec<String>) {
    let start = Instant::now();
    let said = talk.send(&format!("{question}\n")).until_line(answer);
    (start.elapsed(), said)
}

fn game_lines(rules: Rules) -> String {
    let (size, connect) = (rules.shape().rows, rules.line_length().unwrap_or(0));
    format!("setoption size {size}\nsetoption connect {connect}\nsetoption reverse {}\n", rules.reverse())
}

/// The moves of a game as a `position` line, each move as it is written by `write`.
fn position_line(moves: &[Cell], write: impl Fn(Cell) -> String) -> String {
    let written: String = moves.iter().map(|&cell| format!(" {}", write(cell))).collect();
    let begin = if moves.is_empty() { "position startpos" } else { "position startpos moves" };
    begin.to_owned() + &written
}

/// The moves of a game for XBoard, a line each.
fn user_moves(moves: &[Cell], size: u8) -> String {
    moves.iter().map(|&cell| format!("usermove {}\n", xboard_move(cell, size))).collect()
}

/// The stones of a game on the board that Gomocup's `BOARD` asks about. Those of the side to move are 1.
fn board_of_gomocup(moves: &[Cell]) -> String {
    let owner = |number: usize| if number % 2 == moves.len() % 2 { 1 } else { 2 };
    let stones = moves.iter().enumerate().map(|(number, &cell)| format!("{},{}\n", xy(cell), owner(number)));
    format!("BOARD\n{}DONE", stones.collect::<String>())
}

/// The moves of a game at random up to its last empty square.
fn game_to_last_square(rules: Rules) -> Vec<Cell> {
    let mut random = generator(11, Stream::Opening(rules.cells() as u64));
    loop {
        let moves = quiet_game(rules, 1, &mut random);
        if moves.len() + 1 == rules.cells() {
            return moves;
        }
    }
}

#[test]
fn the_only_move_is_answered_at_once_in_our_own_language() {
    for rules in [rules(1, 0, false), rules(3, 0, false), rules(3, 0, true), rules(5, 4, true), rules(7, 5, false)] {
        let moves = game_to_last_square(rules);
        let line = position_line(&moves, |cell| cell.to_string());
        for player in PLAYERS {
            let mut talk = set_up(&format!("{}setoption player {player}\n{line}", game_lines(rules)));
            for limit in LONG_LIMITS {
                let (time, said) = best_of_three_answers(&mut talk, limit);
                assert!(time < AT_ONCE, "{player}, {line}, {limit}: {time:?}");
                let trials = trials_told(&said);
                assert!(trials.is_none_or(|trials| trials <= 1), "{player}: {said:?}");
                assert!(player != "montecarlo" || trials == Some(1), "{said:?}");
            }
        }
    }
}

#[test]
fn the_only_move_is_answered_at_once_in_every_protocol() {
    let (uci, xboard, gomocup) = (rules(3, 0, false), rules(4, 0, true), rules(5, 5, false));
    let moves = [uci, xboard, gomocup].map(game_to_last_square);
    let drawn = position_line(&moves[0], |cell| drop_at(cell, 3));
    let played = user_moves(&moves[1], 4);
    let last = Cell::all(5).find(|cell| !moves[2].contains(cell)).expect("a square is left");
    let of_xboard = ["st 5", "level 0 5 0", "level 40 5 0", "level 0 1 5", "level 0 5 0\ntime 6000\notim 6000"];
    let of_gomocup =
        ["INFO timeout_turn 5000", "INFO timeout_match 60000\nINFO time_left 60000", "INFO time_left 5000"];
    for player in PLAYERS {
        // The lines before the clock runs, the beginning of their answer, the question, the beginning of its answer.
        let mut cases: Vec<[String; 4]> = Vec::new();
        for limit in LONG_LIMITS {
            let options = format!("setoption name UCI_Variant value tictactoe\nsetoption name player value {player}");
            let before = format!("uci\n{options}\n{drawn}\nisready");
            cases.push([before, "readyok".to_owned(), format!("go {limit}"), "bestmove P@".to_owned()]);
        }
        for limit in of_xboard {
            let before =
                format!("xboard\nprotover 2\nvariant reverse4\noption player={player}\nforce\n{played}{limit}\nping 1");
            cases.push([before, "pong 1".to_owned(), "go".to_owned(), "move P@".to_owned()]);
        }
        for limit in of_gomocup {
            let before = format!("START 5\nINFO player {player}\n{limit}");
            cases.push([before, "OK".to_owned(), board_of_gomocup(&moves[2]), xy(last)]);
        }
        for [before, ready, question, answer] in cases {
            let time = best_of_three(|| {
                let mut talk = Conversation::new();
                talk.send(&format!("{before}\n")).until_line(&ready);
                ask(&mut talk, &question, &answer).0
            });
            assert!(time < AT_ONCE, "{before}: {time:?}");
        }
    }
}

/// Positions that a proof of a few milliseconds settles.
fn proven_positions() -> [(Rules, &'static str); 4] {
    [
        (rules(3, 0, false), "startpos"),
        (rules(4, 0, false), "startpos"),
        (rules(8, 4, false), "startpos moves 3,3 0,0 3,4 7,7"),
        (rules(15, 5, false), "startpos moves 7,7 0,0 7,8 0,2 7,9 0,4"),
    ]
}

#[test]
fn a_proven_value_is_answered_at_once_under_a_long_time_limit() {
    for (rules, position) in proven_positions() {
        for player in ["auto", "perfect", "mcts"] {
            let lines = format!("{}setoption player {player}\nposition {position}", game_lines(rules));
            let mut talk = set_up(&lines);
            for limit in LONG_LIMITS {
                let (time, said) = best_of_three_answers(&mut talk, limit);
                // A proof may take some time, but a small part of what it may have.
                assert!(time < 4 * AT_ONCE, "{player}, {position}, {limit}: {time:?}");
                assert!(
                    said.iter().any(|line| value_of(line, "proven") == Some("true")),
                    "{player}, {position}: {said:?}"
                );
            }
        }
    }
}

#[test]
fn playouts_that_are_asked_for_are_played_on_proven_positions() {
    for (rules, position) in proven_positions() {
        let mut talk = set_up(&format!("{}setoption player montecarlo\nposition {position}", game_lines(rules)));
        let (_, said) = ask(&mut talk, "go trials 5000", "bestmove");
        assert_eq!(trials_told(&said), Some(5000), "{position}: {said:?}");
    }
    // A draw that may still be won.
    for nodes in [1_000, 3_000] {
        let mut talk = set_up("setoption player mcts\nsetoption size 4\nposition startpos moves 0,0");
        let (_, said) = ask(&mut talk, &format!("go nodes {nodes}"), "bestmove");
        assert!(trials_told(&said).is_some_and(|played| played > 0), "{said:?}");
    }
}

/// True if a stone there completes a line.
fn completes(position: &Position, cell: Cell) -> bool {
    matches!(position.after(cell).outcome(), Some(Outcome::Win(_)))
}

#[test]
fn a_move_without_time_is_instant_takes_a_win_and_avoids_a_loss() {
    let mut random = generator(5, Stream::Go(3));
    let (mut wins, mut avoided) = (0, 0);
    for rules in [rules(3, 0, false), rules(6, 4, false), rules(15, 5, false), rules(3, 0, true), rules(6, 3, true)] {
        for player in PLAYERS.into_iter().chain([TEXTBOOK]) {
            let mut talk = set_up(&format!("{}setoption player {player}", game_lines(rules)));
            for number in 0..12 {
                let empty = 1 + below(&mut random, rules.cells() as u32 - 1) as usize;
                let moves = quiet_game(rules, empty, &mut random);
                let mut position = Position::start(rules);
                moves.iter().for_each(|&cell| position = position.after(cell));
                let line = position_line(&moves, |cell| cell.to_string());
                let limit =
                    ["movetime 0", "movetime 3", "movetime 10", "wtime 9 btime 9", "wtime 0 btime 0 winc 5 binc 5"];
                let limit = limit[number % limit.len()];
                let mut best = None;
                let time = best_of_three(|| {
                    let (time, said) = ask(&mut talk, &format!("{line}\ngo {limit}"), "bestmove");
                    best = said.last().and_then(|line| line.strip_prefix("bestmove ")).map(str::to_owned);
                    time
                });
                assert!(time < AT_ONCE, "{player}, {line}, {limit}: {time:?}");
                let best = best.expect("an answer");
                let cell = position.moves().find(|cell| cell.to_string() == best).expect("a legal move");
                // These two do not look for wins.
                if matches!(player, "random" | "montecarlolimit") {
                    continue;
                }
                let ends = position.moves().filter(|&cell| completes(&position, cell)).count();
                if rules.reverse() {
                    let is_forced = ends == position.empty_cells();
                    assert_eq!(completes(&position, cell), is_forced, "{player}, {line}");
                    avoided += usize::from(ends > 0 && !is_forced);
                } else {
                    assert_eq!(completes(&position, cell), ends > 0, "{player}, {line}");
                    wins += usize::from(ends > 0);
                }
            }
        }
    }
    assert!(wins > 10 && avoided > 10, "{wins} {avoided}");
}

#[test]
fn no_answer_takes_longer_than_its_limit() {
    let mut program = Program::start();
    program.send("setoption size 15\nsetoption connect 5\nsetoption seed 1\n");
    for player in ["auto", "mcts", "perfect", "montecarlo", TEXTBOOK] {
        for (limit, go) in [
            (5, "movetime 5"),
            (20, "movetime 20"),
            (50, "movetime 50"),
            (200, "movetime 200"),
            (60, "wtime 60 btime 60"),
            (300, "wtime 300 btime 300 winc 100 binc 100 movestogo 2"),
        ] {
            let limit = Duration::from_millis(limit);
            let mut best = Duration::MAX;
            for _ in 0..8 {
                program.send(format!("newgame\nsetoption player {player}\nposition startpos moves 7,7 8,7 6,6\n"));
                program.assert_alive();
                let start = Instant::now();
                program.send(format!("go {go}\n")).until("bestmove");
                best = best.min(start.elapsed());
                if best <= limit {
                    break;
                }
            }
            assert!(best <= limit, "{player}, {go}: {best:?}");
        }
    }
}

#[test]
fn a_move_that_was_pondered_on_is_answered_in_its_time() {
    let mut program = Program::start();
    program.send("setoption size 15\nsetoption connect 5\nsetoption player montecarlo\n");
    let mut best = Duration::MAX;
    for _ in 0..8 {
        program.send("position startpos moves 7,7 8,7 6,6\ngo ponder movetime 50\n");
        program.assert_alive();
        thread::sleep(Duration::from_millis(20));
        let start = Instant::now();
        program.send("ponderhit\n").until("bestmove");
        best = best.min(start.elapsed());
        if best <= Duration::from_millis(50) {
            return;
        }
    }
    panic!("the best of 8 answers took {best:?}");
}

/// A thread that sleeps a millisecond at a time and notes when it woke, and by how much too late.
struct Reference {
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<Vec<(Instant, Duration)>>>,
}

impl Reference {
    fn start() -> Reference {
        let over = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&over);
        let sleep = move || {
            let nap = Duration::from_millis(1);
            let mut delays = Vec::new();
            while !flag.load(Ordering::Relaxed) {
                let start = Instant::now();
                thread::sleep(nap);
                let late = start.elapsed() - nap;
                if late > Duration::from_micros(500) {
                    delays.push((Instant::now(), late));
                }
            }
            delays
        };
        Reference { over, thread: Some(thread::spawn(sleep)) }
    }

    fn delays(mut self) -> Vec<(Instant, Duration)> {
        self.over.store(true, Ordering::Relaxed);
        self.thread.take().expect("it runs").join().expect("it only sleeps")
    }
}

/// The protocol of a client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Dialect {
    Own,
    Uci,
    XBoard,
    Gomocup,
}

/// The form of a client's question, and the time that it allows, in milliseconds.
#[derive(Clone, Copy, Debug)]
struct Client {
    dialect: Dialect,
    /// The time for a move.
    turn: Option<u64>,
    /// A clock with an increment.
    clock: Option<(u64, u64)>,
}

impl Client {
    fn with_turn(dialect: Dialect, turn: u64) -> Client {
        Client { dialect, turn: Some(turn), clock: None }
    }

    fn with_clock(dialect: Dialect, time: u64, increment: u64) -> Client {
        Client { dialect, turn: None, clock: Some((time, increment)) }
    }

    /// The lines before the first game, and an answer that comes behind them.
    fn hello(self, player: &str, rules: Rules) -> (String, &'static str) {
        let game = game_lines(rules);
        match self.dialect {
            Dialect::Own => (format!("ugi\n{game}setoption player {player}\nisready\n"), "readyok"),
            Dialect::Uci => (format!("uci\n{game}setoption name player value {player}\nisready\n"), "readyok"),
            Dialect::Gomocup => (format!("START {}\nINFO player {player}\n", rules.shape().rows), "OK"),
            Dialect::XBoard => {
                let (variant, connect) = (xboard_variant(rules.shape().rows), rules.line_length().unwrap_or(0));
                let options = format!("option connect={connect}\noption player={player}");
                (format!("xboard\nprotover 2\nnew\nvariant {variant}\n{options}\nping 9\n"), "pong 9")
            }
        }
    }
}

/// A loss on time: when the question was written and the answer read, and by how much it was late.
struct Loss {
    asked: Instant,
    read: Instant,
    over: Duration,
    what: String,
}

/// The side of a client in one game of a program against itself: the question for each move and the clocks.
struct Table<'a> {
    program: &'a mut Program,
    client: Client,
    rules: Rules,
    clocks: [Duration; 2],
    moves: Vec<Cell>,
    position: Position,
}

impl Table<'_> {
    /// The time that the next answer may take.
    fn allowed(&self) -> Duration {
        let turn = self.client.turn.map(Duration::from_millis);
        let clock = self.client.clock.map(|_| self.clock());
        turn.into_iter().chain(clock).min().expect("a limit")
    }

    fn clock(&self) -> Duration {
        self.clocks[self.position.side() as usize]
    }

    /// The lines before the clock runs, and the line that asks.
    fn question(&self) -> (String, String) {
        let size = self.rules.shape().rows;
        let (own, other) = (self.position.side() as usize, !self.position.side() as usize);
        let left = self.clocks.map(|clock| clock.as_millis());
        match self.client.dialect {
            Dialect::Own | Dialect::Uci => {
                let limit = match (self.client.turn, self.client.clock) {
                    (Some(time), _) => format!("movetime {time}"),
                    (None, clock) => {
                        let increment = clock.map_or(0, |(_, increment)| increment);
                        format!("wtime {} btime {} winc {increment} binc {increment}", left[0], left[1])
                    }
                };
                (position_line(&self.moves, |cell| cell.to_string()), format!("go {limit}"))
            }
            Dialect::XBoard => {
                let (level, clocks) = match self.client.clock {
                    Some((time, increment)) => (
                        format!("level 0 {}:{:02} {}", time / 60_000, time / 1000 % 60, increment / 1000),
                        format!("time {}\notim {}\n", left[own] / 10, left[other] / 10),
                    ),
                    None => (format!("st {}", self.client.turn.unwrap_or(0) / 1000), String::new()),
                };
                let (variant, played) = (xboard_variant(size), user_moves(&self.moves, size));
                (format!("new\nvariant {variant}\n{level}\nforce\n{played}{clocks}ping 1"), "go".to_owned())
            }
            Dialect::Gomocup => {
                let (turn, (total, _)) = (self.client.turn.unwrap_or(0), self.client.clock.unwrap_or_default());
                let limits =
                    format!("INFO timeout_turn {turn}\nINFO timeout_match {total}\nINFO time_left {}", left[own]);
                (limits, board_of_gomocup(&self.moves))
            }
        }
    }

    /// The cell of an answer.
    fn read(&self, line: &str) -> Option<Cell> {
        let size = self.rules.shape().rows;
        find(&self.position, line, |cell| match self.client.dialect {
            Dialect::XBoard => format!("move {}", xboard_move(cell, size)),
            Dialect::Gomocup => xy(cell),
            Dialect::Own | Dialect::Uci => format!("bestmove {cell}"),
        })
    }

    /// Plays to the end; the moves that came too late.
    fn play(&mut self) -> Vec<Loss> {
        let mut losses = Vec::new();
        while self.position.outcome().is_none() {
            let (before, question) = self.question();
            self.program.send(format!("{before}\n"));
            if self.client.dialect == Dialect::XBoard {
                self.program.until("pong 1");
            }
            let allowed = self.allowed();
            let asked = Instant::now();
            self.program.send(format!("{question}\n"));
            let cell = loop {
                let line = self.program.line();
                if let Some(cell) = self.read(&line) {
                    break cell;
                }
            };
            let read = Instant::now();
            // Clients of chess count whole milliseconds.
            let taken = Duration::from_millis((read - asked).as_millis() as u64);
            if taken > allowed {
                let what = format!("{:?}, move {}", self.client, self.moves.len() + 1);
                losses.push(Loss { asked, read, over: taken - allowed, what });
            }
            let increment = Duration::from_millis(self.client.clock.map_or(0, |(_, increment)| increment));
            let clock = &mut self.clocks[self.position.side() as usize];
            *clock = clock.saturating_sub(taken) + increment;
            self.moves.push(cell);
            self.position = self.position.after(cell);
        }
        losses
    }
}

fn xboard_variant(size: u8) -> String {
    if size == 3 { "tictactoe".to_owned() } else { format!("noughts{size}") }
}

/// Plays as a client, up to three times: fails if every time there is a loss on time that the machine does not excuse. A
/// single one may be the machine's all the same, for the reference sees one core at a time.
fn assert_no_time_losses(client: Client, rules: Rules, time: Duration) {
    let attempts: Vec<String> = (0..3).map_while(|_| unexcused_loss(client, rules, time)).collect();
    assert!(attempts.len() < 3, "{attempts:?}");
}

/// Plays games as a client for at least this long, each against itself. A loss on time that is larger than what the
/// reference was late by in the same stretch of time, if there is one.
fn unexcused_loss(client: Client, rules: Rules, time: Duration) -> Option<String> {
    let reference = Reference::start();
    let mut losses = Vec::new();
    let start = Instant::now();
    let mut games = 0;
    for player in ["auto", "mcts", "montecarlo", "perfect"].into_iter().cycle() {
        let mut program = Program::start();
        let (hello, ready) = client.hello(player, rules);
        program.send(hello).until(ready);
        let position = Position::start(rules);
        let clocks = [Duration::from_millis(client.clock.map_or(0, |(time, _)| time)); 2];
        losses.extend(Table { program: &mut program, client, rules, clocks, moves: Vec::new(), position }.play());
        games += 1;
        if start.elapsed() > time {
            break;
        }
    }
    let delays = reference.delays();
    losses.into_iter().find_map(|loss| {
        // An answer waits for the system several times: the engine for the question and for its clock, the reader for the
        // answer. The reference waits once at a time, so the worst that it met counts twice.
        let meanwhile = |(woken, late): &&(Instant, Duration)| *woken >= loss.asked && *woken <= loss.read + *late;
        let met: Vec<Duration> = delays.iter().filter(meanwhile).map(|(_, late)| *late).collect();
        let excused = met.iter().sum::<Duration>() + met.iter().max().copied().unwrap_or_default();
        let Loss { over, what, .. } = loss;
        (over > excused).then(|| format!("{what}: {over:?} too late in {games} games, {excused:?} are excused"))
    })
}

/// The boards of the stand-ins for clients.
fn boards() -> [Rules; 3] {
    [rules(3, 3, false), rules(8, 5, false), rules(15, 5, false)]
}

#[test]
fn nothing_is_lost_on_time_under_cutechess() {
    // With `timemargin=0`: `st` and `tc`.
    for rules in boards() {
        assert_no_time_losses(Client::with_turn(Dialect::Own, 25), rules, Duration::from_millis(1200));
        assert_no_time_losses(Client::with_clock(Dialect::Own, 400, 10), rules, Duration::from_millis(1200));
    }
}

#[test]
fn nothing_is_lost_on_time_under_python_chess() {
    for rules in boards() {
        assert_no_time_losses(Client::with_clock(Dialect::Uci, 300, 20), rules, Duration::from_millis(1500));
    }
}

#[test]
fn nothing_is_lost_on_time_under_xboard() {
    for rules in [rules(3, 3, false), rules(8, 5, false), rules(12, 5, false)] {
        assert_no_time_losses(Client::with_clock(Dialect::XBoard, 1_000, 0), rules, Duration::from_millis(2000));
    }
    assert_no_time_losses(Client::with_turn(Dialect::XBoard, 1_000), rules(3, 3, false), Duration::from_millis(1000));
}

#[test]
fn nothing_is_lost_on_time_under_gomocup() {
    for rules in [rules(8, 5, false), rules(15, 5, false)] {
        for (turn, total, time) in [(50, 2_000, 2000), (30, 600, 1200)] {
            let client = Client { dialect: Dialect::Gomocup, turn: Some(turn), clock: Some((total, 0)) };
            assert_no_time_losses(client, rules, Duration::from_millis(time));
        }
    }
}

#[test]
fn nothing_is_lost_on_time_in_a_match_of_our_own() {
    for (size, limit) in [(3, ["--movetime", "25"]), (8, ["--tc", "0.4+0.01"]), (15, ["--movetime", "25"])] {
        let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
        let record = folder.join(format!("time-{size}-{}.jsonl", std::process::id()));
        let _ = std::fs::remove_file(&record);
        let reference = Reference::start();
        let mut command = crate::common::program::command();
        command.args("match --margin 0 --games 6 --seed 1 --openings random:2 --recover".split(' '));
        for player in ["auto", "mcts"] {
            command.args(["--engine", &format!("name={player} cmd=noughts option.player={player}")]);
        }
        command.args(["--size", &size.to_string(), "--connect", &size.min(5).to_string()]).args(limit);
        let output = command.arg("--record").arg(&record).run_to_end();
        assert!(output.status.success(), "{output:?}");
        let worst = reference.delays().into_iter().map(|(_, late)| late).max().unwrap_or_default();
        let games = std::fs::read_to_string(&record).expect("the games are recorded");
        assert_eq!(games.lines().filter(|line| line.starts_with("{\"match\"")).count(), 6);
        for game in games.lines().filter(|game| game.contains("\"reason\":\"time\"")) {
            let over = game.split("\"detail\":\"").nth(1).and_then(|detail| detail.split(' ').next());
            let over: u64 = over.and_then(|text| text.parse().ok()).unwrap_or(u64::MAX);
            // Three times the system makes an answer wait: the engine twice, the runner once.
            let excused = 3 * worst.as_millis() as u64;
            assert!(over <= excused, "{size}x{size}: {over} ms too late; the reference was {worst:?} late at the most");
        }
        let _ = std::fs::remove_file(&record);
    }
}

#[test]
fn the_side_to_move_has_its_own_clock() {
    // The clock of the other side is of no use to it.
    let mut talk =
        set_up("setoption size 15\nsetoption connect 5\nsetoption player montecarlo\nposition startpos moves 7,7");
    let time = best_of_three(|| ask(&mut talk, "go wtime 3600000 btime 5", "bestmove").0);
    assert!(time < AT_ONCE, "{time:?}");
}
