//! The outputs of the definition of the command line: man pages and completions of shells.

use std::fs::OpenOptions;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use assert_cmd::cargo::cargo_bin_cmd;

fn output(arguments: &[&str]) -> Output {
    cargo_bin_cmd!("noughts").args(arguments).timeout(Duration::from_secs(300)).output().expect("the program runs")
}

fn said(arguments: &[&str]) -> String {
    let output = output(arguments);
    assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// The subcommands that the help lists.
fn subcommands() -> Vec<String> {
    let help = said(&["--help"]);
    let (_, commands) = help.split_once("Commands:\n").expect("a list of subcommands");
    let lines = commands.lines().take_while(|line| !line.is_empty());
    lines.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

/// The long options that the help of a subcommand lists.
fn options(subcommand: &str) -> Vec<String> {
    let help = said(&[subcommand, "-h"]);
    let words = help.lines().filter_map(|line| line.trim_start().strip_prefix("-h, ").or(Some(line.trim_start())));
    let options = words.filter(|words| words.starts_with("--"));
    options.filter_map(|words| words.split([' ', ',']).next()).map(str::to_owned).collect()
}

#[test]
fn the_man_page_lists_every_subcommand() {
    let page = said(&["man"]);
    assert!(page.contains(".TH noughts 1") && page.contains("tic\\-tac\\-toe engine"), "{page}");
    let names = subcommands();
    assert!(names.len() >= 11, "{names:?}");
    for name in names.iter().filter(|name| *name != "help") {
        assert!(page.contains(&format!("noughts\\-{name}(1)")), "{name}: {page}");
    }
    assert!(!page.contains("launch") && !page.contains("guard"), "{page}");
}

#[test]
fn every_subcommand_has_a_man_page_with_all_of_its_options() {
    for name in subcommands().iter().filter(|name| *name != "help") {
        let page = said(&["man", name]);
        assert!(page.contains(&format!(".TH noughts-{name} 1")), "{name}: {page}");
        for option in options(name) {
            assert!(page.contains(&option.replace('-', "\\-")), "{name} {option}: {page}");
        }
    }
    assert!(options("match").contains(&"--gauntlet".to_owned()), "{:?}", options("match"));
    for name in ["match", "exam", "prove", "explain"] {
        assert!(said(&["man", name]).contains("Examples:") && said(&[name, "--help"]).contains("Examples:"), "{name}");
    }
    assert!(!said(&["man", "play"]).contains("panic"));
}

/// The names by which the help says that a value is a whole number.
const NUMBERS: [&str; 7] = ["<N>", "<K>", "<L>", "<MS>", "<S>", "<PLIES>", "<PORT>"];

#[test]
fn what_is_no_number_is_refused_with_the_numbers_that_are() {
    let mut tried = 0;
    for name in subcommands().iter().filter(|name| *name != "help") {
        let help = said(&[name, "-h"]);
        let words: Vec<&str> = help.split_whitespace().collect();
        let numbers = words.windows(2).filter(|pair| pair[0].starts_with("--") && NUMBERS.contains(&pair[1]));
        for option in numbers.map(|pair| pair[0]) {
            for value in ["easy", "-1", "1.5", "99999999999999999999999"] {
                let refused = output(&[name, &format!("{option}={value}")]);
                let complaint = String::from_utf8_lossy(&refused.stderr);
                let says = complaint.contains(": expected a whole number");
                assert!(refused.status.code() == Some(2) && says, "{name} {option}: {complaint}");
                tried += 1;
            }
        }
    }
    assert!(tried > 100, "{tried}");
    let level = output(&["play", "--level", "easy"]);
    assert!(String::from_utf8_lossy(&level.stderr).contains("expected a whole number from 1 to 10"));
}

#[test]
fn help_has_help() {
    let help = said(&["help"]);
    assert!([["help", "--help"], ["help", "-h"]].iter().all(|words| said(words) == help));
    assert_eq!(said(&["help", "match", "--help"]), said(&["help", "match"]));
}

#[test]
fn a_subcommand_that_is_typed_as_a_line_is_said_to_be_one() {
    // These are also commands of the engine.
    let commands = ["eval", "trace", "explain", "help"];
    let names = subcommands().into_iter().filter(|name| !commands.contains(&name.as_str()));
    let answer = |line: &str| {
        let run = cargo_bin_cmd!("noughts").write_stdin(format!("{line}\n")).output().expect("the program runs");
        String::from_utf8(run.stdout).expect("text")
    };
    for name in names {
        let error = format!(
            "info string error: unknown command \"{name}\"; noughts {name} is a command of the shell; help lists"
        );
        assert!(answer(&name).starts_with(&error), "{}", answer(&name));
    }
    for word in ["exit", "EXIT", "bye"] {
        assert!(answer(word).contains("; quit ends the engine; help lists the commands"), "{}", answer(word));
    }
    assert_eq!(answer("xyzzy"), "info string error: unknown command \"xyzzy\"; help lists the commands\n");
}

#[test]
fn what_is_no_subcommand_has_no_man_page() {
    for name in ["nonsense", "launch", "guard", ""] {
        let output = output(&["man", name]);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{name}: {output:?}");
        assert!(complaint.starts_with("error: there is no subcommand"), "{complaint}");
    }
}

#[test]
fn every_shell_completes_every_subcommand() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = said(&["completions", shell]);
        for name in subcommands() {
            assert!(script.contains(&name), "{shell} {name}");
        }
        assert!(script.contains("gauntlet") && !script.contains("launch"), "{shell}");
    }
    assert_eq!(output(&["completions", "cmd"]).status.code(), Some(2));
}

/// Bash itself completes what is typed at it.
#[test]
fn bash_completes_subcommands_and_options() {
    let program = assert_cmd::cargo::cargo_bin!("noughts");
    let complete = |words: &str| {
        let script = format!(
            "source <({} completions bash); COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _noughts noughts \"${{COMP_WORDS[-1]}}\"; echo \"${{COMPREPLY[@]}}\"",
            program.display()
        );
        let output = Command::new("bash").args(["-c", &script]).stderr(Stdio::inherit()).output().expect("bash");
        String::from_utf8(output.stdout).expect("text").trim_end().to_owned()
    };
    assert_eq!(complete("noughts perf"), "perft");
    assert_eq!(complete("noughts match --gaun"), "--gauntlet");
}

/// A device that is always full, to write to.
#[cfg(target_os = "linux")]
fn full() -> Stdio {
    OpenOptions::new().write(true).open("/dev/full").expect("the device is there").into()
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_printed_is_an_error_with_a_sentence() {
    let fixed = [
        "--version",
        "-V",
        "--help",
        "-h",
        "man",
        "man match",
        "completions bash",
        "completions elvish",
        "perft 2",
        "count",
        "map",
        "map --json",
        "explain startpos",
        "prove",
        "prove --help",
        "play --plain",
        "bench --signature",
    ];
    let of_each = subcommands().into_iter().map(|name| if name == "help" { name } else { format!("{name} --help") });
    for line in fixed.into_iter().map(str::to_owned).chain(of_each) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_noughts"));
        let output = command.args(line.split(' ')).stdin(Stdio::null()).stdout(full()).output().expect("it runs");
        let errors = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(1), "{line}: {errors}");
        let says = errors.contains("standard output") && errors.contains("No space left on device");
        assert!(says && !errors.contains("panicked"), "{line}: {errors}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_exit_code_is_the_same_where_no_error_can_be_said() {
    for (line, code) in [
        ("nonsense", 2),
        ("map --nonsense", 2),
        ("man nonsense", 2),
        ("explain nonsense", 2),
        ("prove --out no/such/folder/file", 1),
        ("prove --claim win", 1),
        ("report no-such-file", 1),
        ("exam --engine cmd=no-such-program", 1),
        ("map", 0),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_noughts"));
        let output = command.args(line.split(' ')).stdin(Stdio::null()).stderr(full()).output().expect("it runs");
        assert_eq!(output.status.code(), Some(code), "{line}: {output:?}");
    }
}
