//! A limit on memory: tables are smaller than they may be, and the search goes on.

use std::process::Stdio;

use crate::common::part::Part;
use crate::common::program::{Program, command};
use crate::place::{Fault, Place};
use crate::subject::{RECORDING, Subject};

/// The engine with at most so many KiB of address space.
fn limited(kibibytes: u64) -> Program {
    let mut shell = std::process::Command::new("bash");
    shell.args(["-c", &format!("ulimit -v {kibibytes}; exec \"$0\"")]).arg(command().get_program());
    let mut program = Program::spawn(&mut shell);
    program.read();
    program
}

/// The error lines of a conversation about memory that was missing.
fn shortages(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("info string error: there is n") && line.contains("memory for")).count()
}

/// Every kind of search that takes memory by `Hash`, on a board where it takes all of it.
const SEARCHES: [(&str, &str); 7] = [
    ("perfect", "setoption size 8\nsetoption connect 5\nsetoption player perfect\ngo nodes 20000\n"),
    (
        "perfect reverse",
        "setoption size 5\nsetoption connect 4\nsetoption reverse true\nsetoption player perfect\ngo nodes 20000\n",
    ),
    ("mcts", "setoption size 9\nsetoption connect 5\nsetoption player mcts\ngo trials 5000\n"),
    ("auto", "setoption size 9\nsetoption connect 5\ngo trials 5000\n"),
    ("negamax", "setoption size 4\nsetoption player negamax\ngo nodes 20000\n"),
    ("alphabetasymmetryall", "setoption size 5\nsetoption player alphabetasymmetryall\ngo nodes 20000\n"),
    (
        "montecarlo",
        "setoption size 9\nsetoption connect 5\nsetoption Threads 8\nsetoption player montecarlo\ngo trials 5000\n",
    ),
];

#[test]
fn s06_a_table_that_does_not_fit_is_smaller_and_told() {
    for (name, script) in SEARCHES {
        let mut program = limited(400 << 10);
        // Far more than the limit, and less than any machine has that runs these tests.
        program.send(format!("setoption Hash 1500\n{script}"));
        let lines = program.until("bestmove");
        assert!(lines.last().is_some_and(|line| line != "bestmove (none)"), "{name}: {lines:?}");
        // The table of negamax on 4x4 has 41 MiB; playouts have none.
        let expects = !["negamax", "alphabetasymmetryall", "montecarlo"].contains(&name);
        assert_eq!(shortages(&lines) > 0, expects, "{name}: {lines:?}");
        // It is told once.
        assert_eq!(shortages(&program.send("go trials 100 nodes 100\n").until("bestmove")), 0, "{name}");
        // A value that fits is taken.
        let lines = program.send(format!("setoption Hash 16\nnewgame\n{script}")).until("bestmove");
        assert_eq!(shortages(&lines), 0, "{name}: {lines:?}");
        program.send("quit\n");
        assert!(program.exit().0.success(), "{name}");
        assert_eq!(program.stderr(), "", "{name}");
    }
}

/// Pairs of a limit and a search; a fifth of them every day.
fn any_limit_on_memory_leaves_answers(part: Part) {
    let mut case = 0;
    // From little more than the program itself on.
    for megabytes in (60..=400).step_by(20) {
        // Some explanations take two seconds each, so they are asked for at three of the limits.
        let explain = if megabytes % 160 == 60 { "explain\n" } else { "" };
        for (name, script) in SEARCHES {
            case += 1;
            if !part.has(case) {
                continue;
            }
            // The values of all moves take longer than the patience of this test.
            let eval = if name == "perfect reverse" { "" } else { "eval\n" };
            let mut program = limited(megabytes << 10);
            program.send(format!("setoption Hash 256\n{script}{eval}{script}{explain}wait\nquit\n"));
            let lines = program.rest();
            let answers = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
            assert_eq!(answers, 2, "{megabytes} MiB, {name}: {lines:?}, {}", program.stderr());
            assert!(program.exit().0.success(), "{megabytes} MiB, {name}");
        }
    }
}

#[test]
fn s06_any_limit_on_memory_leaves_answers_to_every_go() {
    any_limit_on_memory_leaves_answers(Part::Daily);
}

/// The other four fifths.
mod long {
    use super::*;

    #[test]
    #[ignore = "long: scripts/check all"]
    fn any_other_limit_on_memory_leaves_answers_to_every_go() {
        any_limit_on_memory_leaves_answers(Part::Rest);
    }
}

#[test]
fn s06_matches_and_proofs_end_with_a_sentence_or_their_totals() {
    for subject in RECORDING.into_iter().chain([Subject::Certificate, Subject::Report]) {
        for megabytes in [80, 120, 200, 400] {
            let place = Place::new(subject);
            let ran = place.run(subject, &Fault::shell(format!("ulimit -v {}", megabytes << 10)));
            if ran.status.success() && !ran.errors.contains("warning: there is n") {
                assert_eq!(subject.totals(&ran, &place.work()), crate::place::totals_of(subject), "{subject:?}");
            }
            place.go_on_if_recorded(subject);
        }
    }
}

#[test]
fn s13_a_hash_above_the_memory_of_the_machine_is_refused() {
    let Some(machine) = noughts::system::memory::mebibytes_of_machine().filter(|&mebibytes| mebibytes < 65_536) else {
        eprintln!("not checked: this machine has memory for every value of Hash");
        return;
    };
    let problem = format!("65536 MiB are more than the {machine} MiB of memory that this machine has");
    let mut program = Program::start();
    let line = program.send("setoption name Hash value 65536\n").line();
    assert_eq!(line, format!("info string error: setoption: Hash: {problem}; it stays 64"));
    program.send("go trials 10\n").until("bestmove");
    // XBoard's command for the same.
    let mut program = Program::start();
    let lines = program.send("xboard\nprotover 2\nmemory 65536\nping 1\n").until("pong");
    assert!(lines.iter().any(|line| line.contains(&problem)), "{lines:?}");
    // On the command line: the engine's own option, and those of the subcommands.
    let run = |words: &[&str]| {
        let mut command = command();
        command.args(words).stdin(Stdio::null()).output().expect("it runs")
    };
    for (words, code) in [
        (&["--option", "Hash=65536"][..], 1),
        (&["prove", "--hash", "65536"], 2),
        (&["serve", "--max-hash", "65536"], 2),
    ] {
        let output = run(words);
        let errors = String::from_utf8(output.stderr).expect("text");
        assert!(errors.contains(&problem) && output.stdout.is_empty(), "{words:?}: {errors}");
        assert_eq!(output.status.code(), Some(code), "{words:?}: {errors}");
    }
}
