//! Forgeries that are right in themselves: a certificate of another game, start or claim than it is given out as.
//!
//! Files that prove less are in `mutations`, and wrong reports of parts in the tests of `crates/check`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use noughts::known_values::{Basis, starts};
use noughts_check::{Expected, Options, Rejection, check};

use super::common::program::{NOUGHTS, RunToEnd};
use super::made::{python_verdict, python_verdict_of, text_of, verdict};

/// Certificates of eight starts, as the index names them.
const STARTS: [&str; 8] = ["3x3-3", "3x3-3-reverse", "4x4-3", "4x4-4", "4x4-4-reverse", "6x6-5", "4x9-5", "3x4-3"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The certificate of the index with this name.
fn certificate(name: &str) -> String {
    let indexed = starts().into_iter().find_map(|start| {
        let (rules, reverse) = (start.rules, if start.rules.reverse() { "-reverse" } else { "" });
        let of = format!("{0}-{1}{reverse}", rules.shape(), rules.line_length().expect("a number"));
        match start.basis {
            Basis::Certificate(indexed) if of == name => Some(indexed),
            _ => None,
        }
    });
    text_of(indexed.expect("a certificate of this name"))
}

/// The words after this word in the header.
fn header<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    text.lines().filter_map(|line| line.strip_prefix(word)).collect()
}

/// The verdicts of both checkers on a file of which this is expected.
fn said(text: &str, game: &str, position: &str, claims: &[&str]) -> [Result<String, u64>; 2] {
    let expected =
        Expected::new(Some(game), Some(position), &claims.iter().map(|&claim| claim.into()).collect::<Vec<_>>());
    let options = Options { expected: expected.expect("an expectation"), ..Options::default() };
    let own = match check(text.as_bytes(), &options).0 {
        Ok(report) => Ok(report.verdict()),
        Err(Rejection::Wrong(record, ..)) => Err(record),
        Err(Rejection::Unreadable(error)) => panic!("{error}"),
    };
    let claims = claims.iter().flat_map(|claim| ["--claim", claim]);
    let words: Vec<&str> = ["--game", game, "--position", position].into_iter().chain(claims).collect();
    [own, python_verdict_of(text, &words)]
}

#[test]
fn a_certificate_of_another_start_is_refused_by_both() {
    let texts = STARTS.map(certificate);
    for (place, text) in texts.iter().enumerate() {
        let own = header(text, "game ")[0];
        for (other_place, other) in texts.iter().enumerate() {
            let game = header(other, "game ")[0];
            let found = said(text, game, "startpos", &header(other, "claim "));
            let expected = if place == other_place { verdict(text) } else { Err(2) };
            assert_eq!(found, [expected.clone(), expected], "{own} for {game}");
        }
        // Another position, and another claim: the numbers are those of the record at fault.
        let rows = header(text, "position ")[0].split(' ').next().expect("a board");
        let first = rows.find('/').expect("rows");
        let moved = format!("x{}{} o", rows[..first].parse::<u8>().expect("an empty row") - 1, &rows[first..]);
        assert_eq!(said(text, own, &moved, &[]), [Err(3), Err(3)], "{moved}");
        let blocks = 4 + header(text, "claim ").len() as u64;
        assert_eq!(said(text, own, "startpos", &["wins o within 2"]), [Err(blocks), Err(blocks)]);
    }
}

#[test]
fn both_print_one_text_about_a_win_that_is_not_exact() {
    let text = "noughts certificate 1\ngame 2 2 normal\nposition 2/2 x\nclaim wins x within 5\nclaim cannot x within 1\n\
                prove 1\nmove 0,0\nall fours 0,1\nfours 1,0\nprove 2\nnone\nend 12\n";
    let expected = "2x2, 2 in a row, normal rule, empty board, x to move: checked: x wins within 5 plies; x cannot force a \
                    win within 1 ply";
    assert_eq!([verdict(text), python_verdict(text)], [Ok(expected.into()), Ok(expected.into())]);
}

/// A folder with the script that checks the index, and with the rows and files of some starts.
fn project(rows: &[&str], files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["scripts", "certificates"] {
        fs::create_dir(folder.path().join(name)).expect("a folder");
    }
    for script in ["known-values", "check_certificate.py"] {
        fs::copy(root().join("scripts").join(script), folder.path().join("scripts").join(script)).expect("a script");
    }
    fs::write(folder.path().join("certificates/index.json"), format!("[{}]", rows.join(","))).expect("a file");
    for (name, of) in files {
        fs::write(folder.path().join("certificates").join(name), certificate(of)).expect("a file");
    }
    folder
}

fn check_index(folder: &Path, names: &[&str]) -> Output {
    let mut command = Command::new("python3");
    command.arg(folder.join("scripts/known-values")).arg("--check").args(names);
    command.env("NOUGHTS", &*NOUGHTS).env("NOUGHTS_CHECK", folder.join("scripts/check_certificate.py"));
    command.run_to_end()
}

/// The row of a certificate that is made, and the same row of a file.
fn rows_of(name: &str) -> [String; 2] {
    let index = fs::read_to_string(root().join("certificates/index.json")).expect("a file");
    let size_and_connect = name.split(['x', '-']).collect::<Vec<_>>();
    let key =
        format!("\"size\": \"{}\", \"connect\": {}, \"rule\": \"normal\"", size_and_connect[0], size_and_connect[2]);
    let row = index.lines().find(|row| row.contains(&key)).expect("a row").trim_end_matches(',').to_owned();
    let of_file = changed(&row, "\"file\": null", &format!("\"file\": \"{name}.txt\""));
    [row, of_file]
}

fn changed(row: &str, old: &str, new: &str) -> String {
    assert!(row.contains(old), "{row}");
    row.replacen(old, new, 1)
}

#[test]
fn a_certificate_that_is_not_what_its_row_says_is_named() {
    let [[made, four], [_, three]] = ["4x4-4", "4x4-3"].map(rows_of);
    let right = project(&[&four, &three], &[("4x4-4.txt", "4x4-4"), ("4x4-3.txt", "4x4-3")]);
    let said = |output: &Output| String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned();
    for names in [&[][..], &["4x4-4"]] {
        let output = check_index(right.path(), names);
        assert!(output.status.success() && said(&output).contains("is what the index says"), "{}", said(&output));
    }
    assert!(!check_index(right.path(), &["5x5-5"]).status.success());
    let wrong = |rows: &[&str], files: &[(&str, &str)], names: &[&str], expected: &str| {
        let output = check_index(project(rows, files).path(), names);
        assert!(!output.status.success() && said(&output).contains(expected), "{expected}: {}", said(&output));
    };
    // Another row's certificate: of another game, of the other rule, and both at once.
    let one = |of| [("4x4-4.txt", of)];
    wrong(&[&four], &one("4x4-3"), &[], "expected game 4 4 normal as in --game");
    wrong(&[&four], &one("4x4-4-reverse"), &["4x4-4"], "expected game 4 4 normal as in --game");
    let swapped = [("4x4-4.txt", "4x4-3"), ("4x4-3.txt", "4x4-4")];
    wrong(&[&four, &three], &swapped, &["4x4-3"], "expected game 4 3 normal as in --game");
    // A row that says more, less or something else than its file.
    let file = [("4x4-3.txt", "4x4-3")];
    wrong(&[&changed(&three, "wins x within 5", "wins x within 3")], &file, &[], "wins x within 3 as in --claim");
    wrong(&[&changed(&three, ", \"cannot x within 4\"", "")], &file, &[], "claims: ");
    wrong(&[&changed(&three, ", \"cannot x within 4\"", ", \"cannot o\"")], &file, &[], "cannot o as in --claim");
    wrong(&[&changed(&three, "\"rests_on\": []", "\"rests_on\": [\"zetters\"]")], &file, &[], "rests_on: ");
    wrong(&[&changed(&three, "\"lines\": 14", "\"lines\": 15")], &file, &[], "lines: ");
    wrong(&[&four, &three], &file, &[], "differ");
    // One that is made: as it is, by the command of another row, by one that fails, and with a file that has no row.
    let output = check_index(project(&[&made], &[]).path(), &[]);
    assert!(output.status.success() && said(&output).contains("1 certificates checked"), "{}", said(&output));
    wrong(&[&changed(&made, "--connect 4", "--connect 3")], &[], &[], "expected game 4 4 normal as in --game");
    wrong(&[&changed(&made, "--connect 4", "--connect 5")], &[], &[], "was not made");
    wrong(&[&changed(&made, "\"bytes\": 284", "\"bytes\": 285")], &[], &[], "bytes: ");
    wrong(&[&made], &file, &[], "differ");
}
