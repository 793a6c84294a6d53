//! Forgeries that are right in themselves: a certificate of another game, start or claim than it is given out as.
//!
//! What proves less is in `mutations`, and what is wrong with reports of parts in the tests of `crates/check`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use noughts_check::{Expected, Fault, Options, check};

use super::common::program::RunToEnd;
use super::made::{python_verdict, python_verdict_of, verdict};

/// Kept certificates of six starts.
const STARTS: [&str; 6] = ["3x3-3", "3x3-3-reverse", "4x4-3", "4x4-4", "4x4-4-reverse", "6x6-5"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn kept(name: &str) -> String {
    fs::read_to_string(root().join("certificates").join(format!("{name}.txt"))).expect("a certificate")
}

/// The words after this word in the header.
fn header<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    text.lines().filter_map(|line| line.strip_prefix(word)).collect()
}

/// What both checkers say of a file when this is expected of it.
fn said(text: &str, game: &str, position: &str, claims: &[&str]) -> [Result<String, u64>; 2] {
    let expected =
        Expected::new(Some(game), Some(position), &claims.iter().map(|&claim| claim.into()).collect::<Vec<_>>());
    let options = Options { expected: expected.expect("an expectation"), ..Options::default() };
    let own = match check(text.as_bytes(), &options).0 {
        Ok(report) => Ok(report.verdict()),
        Err(Fault::Wrong(record, ..)) => Err(record),
        Err(Fault::Unreadable(error)) => panic!("{error}"),
    };
    let claims = claims.iter().flat_map(|claim| ["--claim", claim]);
    let words: Vec<&str> = ["--game", game, "--position", position].into_iter().chain(claims).collect();
    [own, python_verdict_of(text, &words)]
}

#[test]
fn a_certificate_of_another_start_is_refused_by_both() {
    let texts = STARTS.map(kept);
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

/// A folder with the script that checks kept certificates, and with the rows and files of some starts.
fn project(rows: &[&str], files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["scripts", "certificates"] {
        fs::create_dir(folder.path().join(name)).expect("a folder");
    }
    for script in ["known-values", "check_certificate.py"] {
        fs::copy(root().join("scripts").join(script), folder.path().join("scripts").join(script)).expect("a script");
    }
    fs::write(folder.path().join("certificates/index.csv"), rows.concat()).expect("a file");
    for (name, of) in files {
        fs::write(folder.path().join("certificates").join(name), kept(of)).expect("a file");
    }
    folder
}

fn check_kept(folder: &Path, names: &[&str]) -> Output {
    let mut command = Command::new("python3");
    command.arg(folder.join("scripts/known-values")).arg("--check").args(names);
    command.env("NOUGHTS_CHECK", folder.join("scripts/check_certificate.py"));
    command.run_to_end()
}

#[test]
fn a_kept_certificate_that_is_not_what_its_row_says_is_named() {
    let index = fs::read_to_string(root().join("certificates/index.csv")).expect("a file");
    let head = index.split_inclusive('\n').next().expect("a head");
    let row = |name: &str| {
        let file = format!(",{name}.txt,");
        index.split_inclusive('\n').find(|row| row.contains(&file)).expect("a row").to_owned()
    };
    let [four, three] = ["4x4-4", "4x4-3"].map(row);
    let right = project(&[head, &four, &three], &[("4x4-4.txt", "4x4-4"), ("4x4-3.txt", "4x4-3")]);
    let said = |output: &Output| String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned();
    for names in [&[][..], &["4x4-4"]] {
        let output = check_kept(right.path(), names);
        assert!(output.status.success() && said(&output).contains("is what the index says"), "{}", said(&output));
    }
    assert!(!check_kept(right.path(), &["5x5-5"]).status.success());
    let wrong = |rows: &[&str], files: &[(&str, &str)], names: &[&str], expected: &str| {
        let output = check_kept(project(rows, files).path(), names);
        assert!(!output.status.success() && said(&output).contains(expected), "{expected}: {}", said(&output));
    };
    // Another row's certificate: of another game, of the other rule, and both at once.
    let one = |of| [("4x4-4.txt", of)];
    wrong(&[head, &four], &one("4x4-3"), &[], "expected game 4 4 normal as in --game");
    wrong(&[head, &four], &one("4x4-4-reverse"), &["4x4-4"], "expected game 4 4 normal as in --game");
    let swapped = [("4x4-4.txt", "4x4-3"), ("4x4-3.txt", "4x4-4")];
    wrong(&[head, &four, &three], &swapped, &["4x4-3"], "expected game 4 3 normal as in --game");
    // A row that says more, less or something else than its file.
    let changed = |old: &str, new: &str| {
        assert!(three.contains(old), "{three}");
        three.replacen(old, new, 1)
    };
    let file = [("4x4-3.txt", "4x4-3")];
    wrong(&[head, &changed("wins x within 5", "wins x within 3")], &file, &[], "wins x within 3 as in --claim");
    wrong(&[head, &changed("; cannot x within 4", "")], &file, &[], "claims: ");
    wrong(&[head, &changed("; cannot x within 4", "; cannot o")], &file, &[], "cannot o as in --claim");
    wrong(&[head, &changed(",4x4-3.txt", "zetters,4x4-3.txt")], &file, &[], "rests_on: ");
    wrong(&[head, &changed(",14,", ",15,")], &file, &[], "lines: ");
    wrong(&[head, &four, &three], &file, &[], "differ");
}
