//! The map of known values: what it says is what the certificates and the known values say.

use std::path::Path;
use std::process::Command;

use noughts::game::{Position, Rules, Value};
use noughts::known_values::{Basis, starts, starts_of, write_json};
use noughts::search::known_values::known_value;
use noughts::search::{Control, Solver};

use super::common::program::NOUGHTS;
use super::made::{text_of, verdict};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The statement of a checker about a value of the map.
fn statement(value: &str) -> String {
    match value.split(' ').collect::<Vec<_>>()[..] {
        ["draw"] => "neither player can force a win: a draw".to_owned(),
        ["X", "wins", "or", "draws"] => "o cannot force a win".to_owned(),
        ["O", "wins", "or", "draws"] => "x cannot force a win".to_owned(),
        [player, "in", "1"] => format!("{} wins within 1 ply", player.to_lowercase()),
        [player, "in", plies] => format!("{} wins in exactly {plies} plies", player.to_lowercase()),
        [player, "within", plies] => format!("{} wins within {plies} plies", player.to_lowercase()),
        _ => panic!("{value}"),
    }
}

/// The verdict of a checker about a row of the map.
fn expected_verdict(rules: Rules, rests_on: &[String], value: &str) -> String {
    let (size, rule) = (rules.shape(), if rules.reverse() { "reverse" } else { "normal" });
    let connect = rules.line_length().expect("a number");
    let resting = if rests_on.is_empty() { String::new() } else { format!(", resting on {}", rests_on.join(", ")) };
    let subject = format!("{size}, {connect} in a row, {rule} rule, empty board, x to move");
    format!("{subject}: checked{resting}: {}", statement(value))
}

#[test]
fn certificates_are_kept_or_made_and_say_what_the_map_says() {
    let (mut kept, mut squares, mut rectangles, mut bytes) = (0, 0, 0, 0);
    for (number, start) in starts().iter().enumerate() {
        let Basis::Certificate(certificate) = &start.basis else { continue };
        // `scripts/known-values --check` makes those of all rectangles.
        if certificate.file.is_none() && !start.rules.shape().is_square() && number % 10 > 0 {
            continue;
        }
        match certificate.file {
            Some(_) => kept += 1,
            // Small ones are made in milliseconds.
            None if certificate.bytes < 5_000 && start.rules.shape().is_square() => squares += 1,
            None if certificate.bytes < 5_000 => rectangles += 1,
            None => continue,
        }
        let (text, command) = (text_of(certificate), &certificate.command);
        let said = verdict(&text).unwrap_or_else(|record| panic!("{command}: record {record}"));
        let expected = expected_verdict(start.rules, &certificate.rests_on, &start.value());
        assert_eq!(said, expected, "{command}");
        assert_eq!(text.lines().count() as u64, certificate.lines, "{command}");
        assert_eq!(text.len() as u64, certificate.bytes, "{command}");
        assert!(text.len() <= 100_000, "{command}");
        bytes += text.len();
    }
    assert_eq!((kept, squares), (8, 315));
    assert!(rectangles > 100, "{rectangles}");
    assert!((1..=3_000_000).contains(&bytes), "{bytes}");
}

#[test]
fn the_map_contradicts_neither_the_known_values_nor_the_solver() {
    for start in starts() {
        if let Some(known) = known_value(start.rules) {
            let both = known.bounds().and(start.bounds);
            assert!(both.at_least <= both.at_most, "{}", start.rules);
        }
        let is_small = start.rules.cells() <= 16;
        if is_small {
            let mut solver = Solver::new(start.rules, 16);
            let value = solver.bounds(&Position::start(start.rules), &Control::unlimited()).exact().unwrap();
            assert!(start.bounds.at_least <= value && value <= start.bounds.at_most, "{}", start.rules);
        }
    }
}

#[test]
fn boards_that_are_settled_in_minutes_have_certificates() {
    let checked = |size: u8, connect: u8, reverse: bool| {
        let all = starts();
        let start = all.iter().find(|start| {
            let rules = start.rules;
            (rules.shape(), rules.line_length(), rules.reverse()) == (size.into(), Some(connect), reverse)
        });
        let start = start.expect("a board of the map");
        assert!(matches!(start.basis, Basis::Certificate(_)), "{}: {}", start.rules, start.basis);
        start.bounds
    };
    for size in 1..=20 {
        for connect in 1..=4.min(size) {
            let bounds = checked(size, connect, false);
            assert!(bounds.at_least > Value::Draw || bounds.exact() == Some(Value::Draw), "{size} {connect}");
        }
        for connect in 1..=size {
            let longest_unpaired = [(5, 4), (7, 5), (10, 6), (13, 7), (20, 8)];
            let (_, unpaired) = longest_unpaired.into_iter().find(|&(most, _)| size <= most).unwrap();
            if connect > unpaired {
                assert_eq!(checked(size, connect, false).exact(), Some(Value::Draw), "{size} {connect}");
                assert_eq!(checked(size, connect, true).exact(), Some(Value::Draw), "{size} {connect}");
            }
        }
    }
    for (size, connect) in [(6, 5), (7, 5), (8, 6), (11, 7)] {
        assert_eq!(checked(size, connect, false).exact(), Some(Value::Draw), "{size} {connect}");
    }
    for (size, connect) in [(3, 2), (4, 2), (5, 2), (4, 3), (5, 3), (5, 4), (6, 5), (8, 6)] {
        assert!(checked(size, connect, true).exact().is_some(), "{size} {connect}");
    }
    for size in (2..=20).step_by(2) {
        assert!(checked(size, 2, true).at_most < Value::Draw, "{size}");
    }
}

#[test]
fn the_page_and_its_picture_follow_from_the_json() {
    let check = root().join("scripts/known_values_page.py");
    let mut command = Command::new("python3");
    let output = command.arg(check).arg("--check").env("NOUGHTS", &*NOUGHTS).output().expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_json_of_the_map_has_a_line_for_each_board() {
    let mut text = Vec::new();
    write_json(&starts(), &mut text).expect("memory takes everything");
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&text).expect("JSON");
    let squares = |rule: &str| rows.iter().filter(|row| row["rule"] == rule && row.get("size").is_some()).count();
    assert_eq!((squares("normal"), squares("reverse")), (210, 210));
    // Rectangles of at most 42 cells, each with every number in a row; and 4 in a row on 4x11 to 4x20.
    let games = (1..=20usize).flat_map(|rows| (rows + 1..=20).map(move |columns| (rows, columns)));
    let small: usize = games.filter(|(rows, columns)| rows * columns <= 42).map(|(_, columns)| 2 * columns).sum();
    let rectangles = rows.iter().filter(|row| row.get("size").is_none());
    assert_eq!(rectangles.count(), small + 10);
    for row in rows {
        for key in ["rows", "columns", "connect", "rule", "value", "basis", "certificate", "command", "lines", "bytes"]
        {
            assert!(row.get(key).is_some(), "{key}: {row}");
        }
    }
}

#[test]
fn a_board_that_is_turned_has_the_same_row_of_the_map() {
    for (rows, columns) in [(4, 9), (3, 7), (2, 11), (5, 8), (1, 20), (13, 17)] {
        let [wide, high] = [(rows, columns), (columns, rows)].map(|shape| starts_of(&[shape.into()]));
        assert_eq!(wide.len(), 2 * usize::from(columns));
        for (wide, high) in wide.iter().zip(&high) {
            assert_eq!((wide.bounds, &wide.basis), (high.bounds, &high.basis), "{} {}", wide.rules, high.rules);
        }
    }
}
