//! `noughts play` on a terminal, and what is left of the terminal afterwards.

use std::io::{Read, Write};
use std::num::NonZero;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use noughts::tui::screen::TerminalGuard;
use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};

/// Far longer than anything takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

const UP: &str = "\x1b[A";
const DOWN: &str = "\x1b[B";
const RIGHT: &str = "\x1b[C";
const LEFT: &str = "\x1b[D";

/// The program on a terminal of its own. Killed when dropped.
struct Terminal {
    master: Box<dyn MasterPty>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    seen: Arc<Mutex<vt100::Parser>>,
    /// The settings of the terminal before, in words.
    before: String,
}

fn number(number: u16) -> NonZero<u16> {
    NonZero::new(number).expect("not 0")
}

fn size(rows: u16, cols: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

impl Terminal {
    fn play(arguments: &str) -> Terminal {
        Terminal::play_with(arguments, &[])
    }

    /// Against a program that plays O.
    fn play_engine(engine: &str) -> Terminal {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_noughts"));
        command.args(["play", "--o-engine", engine]);
        Terminal::start(command)
    }

    fn play_with(arguments: &str, variables: &[(&str, &str)]) -> Terminal {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_noughts"));
        command.args(["play", "--seed", "1"]);
        command.args(arguments.split_whitespace());
        command.env_remove("NO_COLOR");
        variables.iter().for_each(|(name, value)| command.env(name, value));
        Terminal::start(command)
    }

    fn start(mut command: CommandBuilder) -> Terminal {
        command.env("TERM", "xterm-256color");
        Terminal::start_as_it_is(command)
    }

    /// With `TERM` as the command has it.
    fn start_as_it_is(mut command: CommandBuilder) -> Terminal {
        let pair = native_pty_system().openpty(size(24, 80)).expect("a terminal");
        // A backtrace would scroll the first line of a panic away.
        command.env("RUST_BACKTRACE", "0");
        let before = modes(pair.master.as_ref());
        let child = pair.slave.spawn_command(command).expect("the program starts");
        let seen = Arc::new(Mutex::new(vt100::Parser::new(number(24), number(80), 0)));
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let screen = Arc::clone(&seen);
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = reader.read(&mut bytes) {
                screen.lock().expect("the screen").process(&bytes[..read]);
            }
        });
        let keys = pair.master.take_writer().expect("a writer");
        // The terminal stays open when the program has ended, so that its modes can still be read.
        std::mem::forget(pair.slave);
        Terminal { master: pair.master, keys, child, seen, before }
    }

    fn text(&self) -> String {
        self.seen.lock().expect("the screen").screen().contents()
    }

    fn wait(&mut self, what: &str, is_so: impl Fn(&vt100::Screen) -> bool) -> &mut Terminal {
        let start = Instant::now();
        while !is_so(self.seen.lock().expect("the screen").screen()) {
            assert!(start.elapsed() < PATIENCE, "{what} is not seen:\n{}", self.text());
            thread::sleep(Duration::from_millis(5));
        }
        self
    }

    fn sees(&mut self, text: &str) -> &mut Terminal {
        self.wait(text, |screen| screen.contents().contains(text))
    }

    fn sees_no(&mut self, text: &str) -> &mut Terminal {
        self.wait(&format!("no {text}"), |screen| !screen.contents().contains(text))
    }

    fn press(&mut self, keys: &str) -> &mut Terminal {
        self.keys.write_all(keys.as_bytes()).and_then(|()| self.keys.flush()).expect("keys are taken");
        self
    }

    /// Ends the program and makes sure that the terminal is as it was.
    fn is_given_back(&mut self) -> ExitStatus {
        let start = Instant::now();
        let exit = loop {
            if let Some(exit) = self.child.try_wait().expect("the child can be waited for") {
                break exit;
            }
            assert!(start.elapsed() < PATIENCE, "the program does not end:\n{}", self.text());
            thread::sleep(Duration::from_millis(5));
        };
        self.wait("the terminal as it was", is_untouched);
        assert_eq!(modes(self.master.as_ref()), self.before);
        exit
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// True if the terminal is as it is when no program has taken it.
fn is_untouched(screen: &vt100::Screen) -> bool {
    let mouse = screen.mouse_protocol_mode();
    let takes_keys = mouse == vt100::MouseProtocolMode::None && !screen.bracketed_paste();
    takes_keys && !screen.alternate_screen() && !screen.hide_cursor()
}

/// The settings of a terminal, in words.
fn modes(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios().expect("the modes of a terminal"))
}

#[test]
fn every_key_works_in_a_game_and_the_terminal_is_restored() {
    let mut terminal = Terminal::play("--o perfect");
    terminal.sees("Your move, X.").wait("the board", |screen| screen.alternate_screen());
    terminal.press("\r").sees("A draw with best play.").sees("[  \u{2573}  ]");
    terminal.press("h").sees("0     D");
    terminal.press("h").sees_no("0     D");
    terminal.press("u").sees("[  \u{b7}  ]").press("u").sees("There is no move to take back.");
    terminal.press("r").sees("[  \u{2573}  ]");
    terminal.press("w").sees("move      X 1,1 is right").press("x").sees_no("X 1,1 is right");
    terminal.press("?").sees("any key goes back").press(" ").sees_no("any key goes back");
    terminal.press("n").sees("[  \u{b7}  ]");
    terminal
        .press(UP)
        .press(LEFT)
        .sees("0  [  \u{b7}  ]")
        .press(DOWN)
        .press(RIGHT)
        .sees("\u{2502}[  \u{b7}  ]\u{2502}");
    // The sides: O is a person, and then the board: 4x4.
    terminal.press("s").sees("Settings").press(DOWN).press(LEFT).press(LEFT).sees("you                 >");
    terminal.press(&DOWN.repeat(4)).press(RIGHT).sees("<                 4                  >").press("\r");
    terminal.sees("4x4, 4 in a row wins").sees("O you");
    terminal.press(" ").sees("Your move, O.");
    assert!(terminal.press("q").is_given_back().success());
    assert!(!terminal.text().contains("Your move"));
}

#[test]
fn the_mouse_plays() {
    let mut terminal = Terminal::play("--o person");
    terminal.sees("Your move, X.");
    // The top left square; places are counted from 1.
    terminal.press("\x1b[<0;32;6M\x1b[<0;32;6m").sees("Your move, O.").sees("0  [  \u{2573}  ]");
    terminal.press("\u{3}").is_given_back();
}

#[test]
fn the_board_fits_itself_to_the_window() {
    let mut terminal = Terminal::play("--size 5 --o person");
    terminal.sees("\u{2502}[\u{b7}]\u{2502}");
    for (rows, columns, square) in
        [(40, 100, "\u{2502}[  \u{b7}  ]\u{2502}"), (14, 40, "[\u{b7}] \u{b7}"), (24, 80, "\u{2502}[\u{b7}]\u{2502}")]
    {
        terminal.seen.lock().expect("the screen").screen_mut().set_size(number(rows), number(columns));
        terminal.master.resize(size(rows, columns)).expect("another size");
        terminal.wait(square, |screen| screen.contents().contains(square.trim_end_matches(" \u{b7}")));
    }
    terminal.press("q").is_given_back();
}

/// The test below runs this on a terminal of its own.
#[test]
#[ignore = "it panics, on the terminal of the test below"]
fn a_board_that_panics_at_the_first_key() {
    let _terminal = TerminalGuard::take().expect("a terminal");
    print!("Your move, X.");
    std::io::stdout().flush().expect("a terminal");
    let _ = std::io::stdin().read(&mut [0]);
    panic!("this was to break down at the first key");
}

#[test]
fn a_panic_is_told_on_the_terminal_as_it_was() {
    let mut command = CommandBuilder::new(std::env::current_exe().expect("this program"));
    command.args(["--ignored", "--nocapture", "--exact", "terminal::a_board_that_panics_at_the_first_key"]);
    let mut terminal = Terminal::start(command);
    terminal.sees("Your move, X.").press("x");
    let exit = terminal.is_given_back();
    assert!(!exit.success());
    terminal.sees("this was to break down at the first key");
}

#[test]
fn signals_end_the_game_and_give_the_terminal_back() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT] {
        let mut terminal = Terminal::play("--o mcts");
        terminal.sees("Your move, X.");
        let pid = terminal.child.process_id().and_then(|pid| Pid::from_raw(pid as i32)).expect("a process");
        kill_process(pid, signal).expect("the program lives");
        let exit = terminal.is_given_back();
        assert!(!exit.success() && exit.signal().is_some(), "{signal:?}: {exit:?}");
    }
}

#[test]
fn the_screen_does_not_wait_for_an_engine_that_thinks() {
    let mut terminal = Terminal::play("--size 20 --connect 5 --trials 2000000000 --x montecarlo --o person");
    terminal.sees("X, montecarlo, is thinking...").press("?").sees("any key goes back");
    let start = Instant::now();
    terminal.press("x").press("q");
    assert!(terminal.is_given_back().success());
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_program_that_hangs_can_be_left() {
    let mut terminal = Terminal::play("--o-engine cat");
    terminal.sees("Your move, X.").press("\r").sees("O, cat, is thinking...").press("u").sees("Your move, X.");
    terminal.press("\r").sees("O, cat, is thinking...").press("q");
    assert!(terminal.is_given_back().success());
}

/// A command that runs a script of this repository with arguments.
fn script(name: &str, arguments: &str) -> String {
    format!("python3 {}/{name} {arguments}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_program_named_at_the_board_can_play_either_side() {
    let mut terminal = Terminal::play("--o person");
    terminal.sees("Your move, X.").press("s").press(DOWN).press(LEFT).sees("another program...").press("\r");
    terminal.sees("A program for O").wait("a caret", |screen| !screen.hide_cursor());
    terminal.press("no-such-program\r").sees("There is no program no-such-program.").press("\u{15}");
    let template = script("scripts/engine_template.py", "");
    terminal.press(&format!("\x1b[200~{template}\x1b[201~")).sees("engine_template.py").press("\r");
    terminal.sees("Enter accepts").wait("no caret", vt100::Screen::hide_cursor).press("\r");
    terminal.sees("O engine_template").press("\r").sees("\u{256d}\u{2500}\u{256e}").sees("Your move, X.");
    // It is there for the other side too, once, and stays when no side plays it any more.
    terminal.press("s").press(LEFT).press(LEFT).sees("engine_template.py >").press(DOWN);
    terminal
        .press(RIGHT)
        .press(RIGHT)
        .sees("you  ")
        .press("\r")
        .sees("X engine_template   O you")
        .sees("Your move, O.");
    terminal.press("s").press(&RIGHT.repeat(2)).sees("you  ").press("\r").sees("X you   O you");
    terminal.press("s").press(&LEFT.repeat(2)).sees("engine_template.py >").press("\x1b").sees_no("Settings");
    assert!(terminal.press("q").is_given_back().success());
}

#[test]
fn what_a_program_thinks_is_seen_while_it_thinks() {
    let mut terminal = Terminal::play_engine(&script("tests/thinking_engine.py", ""));
    terminal.sees("Your move, X.").press("\r").sees("For O +0.25").sees("Expected: 0,0 2,2").sees("is thinking...");
    terminal.press("u").sees("Your move, X.").sees_no("For O");
    assert!(terminal.press("q").is_given_back().success());
}

#[test]
fn a_program_that_goes_wrong_is_told_of_and_the_game_goes_on() {
    for (mode, told) in [
        ("illegal-occupied", "O (bad_engine) played 1,1: 1,1 is taken; Enter asks again."),
        ("illegal-off-board", "O (bad_engine) played 3,3: 3,3 is off the 3x3 board; Enter asks again."),
        ("rubbish-move", "O (bad_engine) gave no move"),
        ("crash-on-go", "O (bad_engine) ended (exit status: 3); Enter asks again."),
        ("signal-on-go", "O (bad_engine) ended (signal: 11 (SIGSEGV))"),
    ] {
        let mut terminal = Terminal::play_engine(&script("tests/bad_engine.py", mode));
        terminal.sees("Your move, X.").press("\r").sees(told);
        terminal.press("u").sees("Your move, X.").sees_no("O (bad_engine)").press("q");
        assert!(terminal.is_given_back().success());
    }
}

#[test]
fn a_program_that_is_killed_in_its_search_can_be_asked_again() {
    let mut terminal = Terminal::play_engine(&script("tests/thinking_engine.py", ""));
    terminal.sees("Your move, X.").press("\r").sees("For O +0.25");
    let game = terminal.child.process_id().expect("a process");
    let engine = processes_of(game).into_iter().find(|(_, words)| words.contains("thinking_engine"));
    let (engine, _) = engine.expect("the engine is a child of the game");
    kill_process(Pid::from_raw(engine).expect("a process"), Signal::KILL).expect("the engine lives");
    terminal
        .sees("O (thinking_engine) ended (signal: 9 (SIGKILL)); Enter asks again.")
        .press("\r")
        .sees("is thinking...");
    assert!(terminal.press("q").is_given_back().success());
}

/// The children of a process, with their command lines.
fn processes_of(parent: u32) -> Vec<(i32, String)> {
    let listed = std::fs::read_dir("/proc").expect("a list of processes").flatten();
    let numbers = listed.filter_map(|entry| entry.file_name().to_string_lossy().parse::<i32>().ok());
    let child = |number: i32| {
        let status = std::fs::read_to_string(format!("/proc/{number}/status")).ok()?;
        let own = status.lines().any(|line| *line == format!("PPid:\t{parent}"));
        let words = std::fs::read(format!("/proc/{number}/cmdline")).ok()?;
        own.then(|| (number, String::from_utf8_lossy(&words).into_owned()))
    };
    numbers.filter_map(child).collect()
}

#[test]
fn control_z_gives_the_terminal_to_the_shell_until_fg() {
    let shell = "set -m; \"$GAME\" play --seed 1; echo back in the shell; read -r line; fg >/dev/null; echo over";
    let mut command = CommandBuilder::new("bash");
    command.args(["-c", shell]);
    command.env("GAME", env!("CARGO_BIN_EXE_noughts"));
    let mut terminal = Terminal::start(command);
    terminal.sees("Your move, X.").press("\r").sees("[  \u{2573}  ]").press("\u{1a}").sees("back in the shell");
    terminal.wait("the terminal as it was", is_untouched);
    assert_eq!(modes(terminal.master.as_ref()), terminal.before);
    terminal.press("\r").sees("[  \u{2573}  ]").sees("Your move, X.");
    terminal.wait("the board", |screen| screen.alternate_screen() && screen.hide_cursor());
    terminal.press("u").sees("[  \u{b7}  ]").press("q").sees("over");
    assert!(terminal.is_given_back().success());
}

#[test]
fn control_z_without_a_shell_only_redraws_the_board() {
    let mut terminal = Terminal::play("--o person");
    terminal.sees("Your move, X.").press("\u{1a}").press(" ").sees("Your move, O.");
    terminal.wait("the board", vt100::Screen::alternate_screen).press("q");
    assert!(terminal.is_given_back().success());
}

#[test]
fn any_input_and_any_window_leave_a_board_to_play_on() {
    let mut terminal = Terminal::play("--o person");
    terminal.sees("Your move, X.");
    for keys in [
        "zxcvb,.-1234567890\u{e9}\u{4e95}\u{1f600}",
        "\u{1}\u{2}\u{5}\u{c}\u{1c}\u{7f}\t\x1b[15~\x1b[200;300H",
        "\x1b[<0;999;999M\x1b[<64;1;1M",
    ] {
        terminal.press(keys);
    }
    terminal.press(&format!("\x1b[200~{}\x1b[201~", "qunsh".repeat(2000)));
    terminal.press(&RIGHT.repeat(500)).press(&UP.repeat(500)).sees("\u{2502}[  \u{b7}  ]  3");
    for (rows, columns) in [(3, 5), (1, 1), (24, 80)] {
        terminal.seen.lock().expect("the screen").screen_mut().set_size(number(rows), number(columns));
        terminal.master.resize(size(rows, columns)).expect("another size");
    }
    terminal.sees("Your move, X.").press("\r").sees("Your move, O.").press("q");
    assert!(terminal.is_given_back().success());
}

#[test]
fn without_colour_there_is_none() {
    for (value, is_coloured) in [("1", false), ("", true)] {
        let mut terminal = Terminal::play_with("--o perfect", &[("NO_COLOR", value)]);
        terminal.sees("Your move, X.").press("\rh").sees("0     D");
        let is_seen = {
            let seen = terminal.seen.lock().expect("the screen");
            let cells = (0..24).flat_map(|row| (0..80).map(move |column| (row, column)));
            let mut cells = cells.filter_map(|(row, column)| seen.screen().cell(row, column));
            cells.any(|cell| cell.fgcolor() != vt100::Color::Default || cell.bgcolor() != vt100::Color::Default)
        };
        assert_eq!(is_seen, is_coloured);
        terminal.press("q").is_given_back();
    }
}

#[test]
fn plain_is_plain_and_a_terminal_of_an_unknown_kind_gets_lines_too() {
    for (kind, plain) in [(None, false), (Some(""), false), (Some("dumb"), false), (Some("xterm-256color"), true)] {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_noughts"));
        command.args(["play", "--o", "perfect", "--seed", "1"]);
        if plain {
            command.arg("--plain");
        }
        match kind {
            Some(kind) => command.env("TERM", kind),
            None => command.env_remove("TERM"),
        }
        let mut terminal = Terminal::start_as_it_is(command);
        terminal.sees("X> ").press("1,1\n").sees("O plays 2,2").press("quit\n").sees("unfinished. Goodbye.");
        assert!(terminal.is_given_back().success(), "{kind:?}");
    }
}
