//! Solutions: `noughts-check` accepts the files of the folder, and the moves that they leave out are worse.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use flate2::read::GzDecoder;
use noughts::game::{Player, Rules};
use noughts::search::Solver;
use noughts::search::certificate::Claim;
use noughts_oracle::{Table, Value, wins_within};

use super::common::biased::BiasedPlay;
use super::common::oracle;
use super::common::program::{RunToEnd, command};
use super::common::solution::Solution;
use super::made::{certificate, verdict};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn unpacked(path: &Path) -> String {
    let mut text = String::new();
    GzDecoder::new(File::open(path).expect("a file")).read_to_string(&mut text).expect("a text");
    text
}

/// A file of the folder, and what it says.
fn kept(name: &str) -> (String, Solution) {
    let text = unpacked(&root().join("certificates/solutions").join(name).with_extension("txt.gz"));
    let solution = Solution::read(&text);
    assert_eq!(solution.positions.len() + 5, text.lines().count());
    (text, solution)
}

#[test]
fn a_solution_of_4x4_has_exactly_the_best_moves_of_the_table() {
    let (text, solution) = kept("4x4-3-reverse");
    assert!(verdict(&text).is_ok_and(|said| said.contains("o wins within 15 plies; in 149781 positions")));
    let table = Table::new(4, 3, true);
    assert_eq!(table.value(0), Value::Loss(15));
    for solved in &solution.positions {
        let stones = (solved.stones[0] | solved.stones[1] << 16) as u32;
        let plies = solved.plies as u16;
        assert_eq!(table.value(stones), Value::Win(plies), "{stones:x}");
        let moves = solution.empty(solved.stones).into_iter().zip(table.children(stones));
        let best = moves.filter(|&(_, child)| table.value(child) == Value::Loss(plies - 1));
        assert_eq!(best.map(|(cell, _)| cell).collect::<Vec<_>>(), solved.moves, "{stones:x}");
    }
}

/// Of a seeded sample: minimax finds no faster win up to five plies, and certificates say the same of longer wins.
fn no_other_move_wins_as_soon(name: &str, rules: Rules, positions: usize) {
    let (text, solution) = kept(name);
    assert!(
        verdict(&text).is_ok_and(|said| said.contains(&format!("x wins within 11 plies; in {positions} positions")))
    );
    let mut solver = Solver::new(rules, 16);
    let mut play = BiasedPlay::new(rules, 9);
    for (plies, sample) in [(3, 100), (5, 3)] {
        let with_plies: Vec<_> = solution.positions.iter().filter(|solved| solved.plies == plies).collect();
        for _ in 0..sample {
            let solved = with_plies[play.draw(with_plies.len())];
            let board = solution.board(solved.stones);
            let wins = |cell: &usize| wins_within(&board.after(*cell), solution.winner, plies - 1);
            let best: Vec<usize> = board.moves().into_iter().filter(wins).collect();
            assert_eq!(best, solved.moves, "{board:?}");
            assert!(!wins_within(&board, solution.winner, plies - 2), "{board:?}");
        }
    }
    let long: Vec<_> = solution.positions.iter().filter(|solved| solved.plies >= 5).collect();
    let cannot = |plies: usize| vec![Claim::Cannot(Player::X, Some(plies as u16))];
    let is_certain = |made: Result<String, _>, plies: usize| {
        let text = made.unwrap_or_else(|error: noughts::search::certificate::ProofError| panic!("{error}"));
        verdict(&text).is_ok_and(|said| said.ends_with(&format!("x cannot force a win within {plies} plies")))
    };
    for (place, _) in long.iter().enumerate().filter(|(place, _)| *place < 3 || play.draw(long.len()) < 15) {
        let solved = long[place];
        let board = solution.board(solved.stones);
        let position = oracle::position_of(&board, rules).expect("a position");
        let faster = solved.plies - 1;
        assert!(is_certain(certificate(&mut solver, &position, cannot(faster)), faster), "{board:?}");
        for cell in board.moves().into_iter().filter(|cell| !solved.moves.contains(cell)) {
            let after = position.after(oracle::cell(&board, cell));
            assert!(is_certain(certificate(&mut solver, &after, cannot(faster)), faster), "{cell} {board:?}");
        }
    }
}

#[test]
fn no_other_move_of_6x6_wins_as_soon() {
    no_other_move_wins_as_soon("6x6-4", Rules::new(6, 4, false).expect("rules"), 11_642);
}

#[test]
fn no_other_move_of_7x7_wins_as_soon() {
    no_other_move_wins_as_soon("7x7-4", Rules::new(7, 4, false).expect("rules"), 87_096);
}

#[test]
fn the_program_makes_the_files_of_the_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let made: PathBuf = folder.path().join("made.txt.gz");
    let words = ["prove", "--size", "6", "--connect", "4", "--solution", "--out"];
    assert!(command().args(words).arg(&made).run_to_end().status.success());
    assert!(unpacked(&made) == kept("6x6-4").0);
}

#[test]
fn other_starts_have_solutions_that_are_checked() {
    let said = |words: &str| {
        let output = command().arg("prove").args(words.split(' ')).arg("--solution").run_to_end();
        let text = String::from_utf8(output.stdout).expect("text");
        let log = String::from_utf8(output.stderr).expect("text");
        output.status.code().filter(|code| *code != 0).map_or_else(|| verdict(&text).expect("checked"), |_| log)
    };
    assert!(said("--size 3x4 --connect 3").contains("x wins within 7 plies; in 50 positions every"));
    assert!(said("--size 2 --connect 2 --reverse").contains("o wins within 3 plies; in 1 position every"));
    assert!(said("--size 1").contains("x wins within 1 ply; in 0 positions every"));
    assert!(said("xo1/1x1/3 o --reverse").contains("o wins within 6 plies; in 35 positions every"));
    assert!(said("--size 3").starts_with("error: the value is a draw"));
    assert!(said("--size 9 --connect 4").starts_with("error: --solution needs a board of at most 64 cells"));
    // A search that is stopped writes nothing, for some best move may be missing.
    for nodes in [1, 10, 100, 1_000] {
        assert!(
            said(&format!("--size 5 --connect 4 --nodes {nodes} xx3/oo3/5/5/5")).ends_with("nothing was written\n")
        );
    }
}

#[test]
fn the_reader_of_the_page_follows_a_solution_to_its_end() {
    let page = std::fs::read_to_string(root().join("docs/certificates.md")).expect("a page");
    let program = page.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a program");
    for words in ["--size 3x4 --connect 3", "--size 3 --connect 2 --reverse", "xo1/1x1/3 o --reverse"] {
        let mut child =
            Command::new("python3").args(["-c", program]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let child = child.as_mut().expect("python3 is installed");
        let output = command().arg("prove").args(words.split(' ')).arg("--solution").run_to_end();
        let text = String::from_utf8(output.stdout).expect("text");
        let solution = Solution::read(&text);
        child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("a reader");
        let mut said = String::new();
        child.stdout.take().expect("a pipe").read_to_string(&mut said).expect("text");
        assert!(child.wait().expect("an end").success());
        assert_eq!(said.lines().count(), solution.positions.len());
        for (line, solved) in said.lines().zip(&solution.positions) {
            let board = solution.board(solved.stones);
            let stone = |stone: &Option<noughts_oracle::Player>| {
                stone.map_or('.', |player| "xo".as_bytes()[player as usize].into())
            };
            let stones: String = board.stones.iter().map(stone).collect();
            let moves: Vec<String> = solved.moves.iter().map(|&cell| oracle::cell(&board, cell).to_string()).collect();
            assert_eq!(line, format!("{stones} {} {}", solved.plies, moves.join(" ")));
        }
    }
}
