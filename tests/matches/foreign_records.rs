//! Records that this program did not write: what is out of its bounds is an error that names the line. Whatever else is in them
//! is the matter of the law `records` of `fuzz`.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use noughts::arena::statistics::{Sprt, SprtSettings};
use noughts::arena::{ReportError, summarise_records, write_summary};
use noughts::system::LineFileError;
use noughts::text::Format;
use serde_json::{Value, json};

/// Lines as this program writes them.
fn records() -> Vec<Value> {
    let engine = |place: usize| {
        let name = ["A", "Bär 2"][place];
        json!({ "engine": place, "name": name, "command": "sh -c 'a\nb'", "options": { "player": "random" }, "seed": 7 })
    };
    let game = |game: u64, opening: Value, moves: Value, result: &str, reason: &str| {
        let first = (game % 2) as usize;
        json!({
            "match": "9b6a5447f3d6d2a7", "game": game, "round": game / 2, "swap": true, "x": engine(first),
            "o": engine(1 - first), "rules": { "size": 3, "connect": 0, "reverse": false }, "limit": "tc 10+0.1",
            "opening": opening, "moves": moves, "result": result, "reason": reason, "seed": 18_446_744_073_709_551_615_u64,
        })
    };
    // The second stands for as many openings as an opening of this program can.
    let weights = [1.0, 20_922_789_888_000.0];
    let opening = |number: usize| {
        let weight = weights[number];
        json!({ "line": "startpos moves 0,0", "side": "o", "number": number, "of": 2, "weight": weight })
    };
    let moves = json!([
        { "move": "1,1", "value": 0.5, "nodes": 12, "ms": 0.25 },
        { "move": "0,1", "ms": 10001.5, "margin": 1.5 },
        { "move": "2,2", "value": -1.0, "ms": 0.0 },
    ]);
    let mut records = vec![
        game(0, opening(0), moves.clone(), "draw", "full board"),
        game(1, opening(0), moves.clone(), "x", "line"),
        game(2, opening(1), moves.clone(), "o", "time"),
        game(3, opening(1), json!([]), "x", "illegal"),
    ];
    records[2]["detail"] = json!("12 ms too late");
    records[3]["exit"] = json!("exit status: 1");
    records[3]["o"]["proto"] = json!("gomocup");
    records
}

/// A file with these lines, which goes when this goes.
struct Lines(PathBuf);

impl Lines {
    fn new<'a>(lines: impl IntoIterator<Item = &'a str>) -> Lines {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("foreign-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let text: String = lines.into_iter().flat_map(|line| [line, "\n"]).collect();
        std::fs::write(&path, text).expect("a file can be written");
        Lines(path)
    }

    /// The report in every format, or the reason why there is none.
    fn report(&self) -> Result<Vec<String>, ReportError> {
        let settings = SprtSettings { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };
        let matches = summarise_records(std::slice::from_ref(&self.0), Sprt::new(settings).ok(), &())?;
        let print = |format| {
            let mut out = Vec::new();
            write_summary(&matches, format, &mut out).expect("a vector takes all");
            String::from_utf8(out).expect("output is text")
        };
        Ok([Format::Text, Format::Markdown, Format::Json].map(print).to_vec())
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// True if text upsets no terminal and has no figure that is none.
fn is_clean(text: &str) -> bool {
    let is_number = |word: &str| !["NaN", "inf", "-inf", "+inf", "+NaN"].contains(&word);
    !text.replace('\n', "").contains(char::is_control) && text.split([' ', ',', '\n', '|', '%']).all(is_number)
}

#[test]
fn the_records_of_these_tests_are_records() {
    let lines: Vec<String> = records().iter().map(Value::to_string).collect();
    let tables = Lines::new(lines.iter().map(String::as_str)).report().expect("four games");
    assert!(tables.iter().all(|table| is_clean(table)), "{tables:?}");
    assert!(tables[0].contains("4 games") && tables[0].contains("needed it "), "{}", tables[0]);
}

/// The error for a second line in which the value at a place is another one.
#[track_caller]
fn refused(place: &str, value: Value) -> String {
    let mut second = records()[1].clone();
    *second.pointer_mut(place).unwrap_or_else(|| panic!("there is no {place}")) = value;
    refused_line(&second.to_string())
}

#[track_caller]
fn refused_line(second: &str) -> String {
    let first = records()[0].to_string();
    match Lines::new([&first, second]).report() {
        Err(ReportError::Record(error @ LineFileError::Line { number: 2, .. })) => {
            let error = error.to_string();
            assert!(is_clean(&error), "{error:?}");
            error
        }
        other => panic!("{second}: {other:?}"),
    }
}

#[test]
fn text_that_cannot_be_printed_in_a_line_is_refused() {
    for place in ["/x/name", "/o/name", "/limit", "/match"] {
        for text in ["\u{1b}[2J", "a\nb", "a\rb", "a\tb", "\0", "\u{7f}", "\u{9b}31m", "a\u{2028}b", "\u{202e}a"] {
            let error = refused(place, json!(text));
            assert!(error.contains("text on one line"), "{error}");
        }
    }
    // The text that an error quotes is foreign too.
    for place in ["/reason", "/result", "/x/engine", "/rules", "/moves/0/move", "/opening/side"] {
        refused(place, json!("\u{1b}[2J\nerror: none"));
    }
}

#[test]
fn numbers_beyond_their_bounds_are_refused() {
    for (place, values, mentions) in [
        ("/opening/weight", [0.0, -1.0, 0.5, 1e308], "the weight of an opening is from 1 to 1e15"),
        ("/moves/0/ms", [-1.0, -1e308, 1e13, 1e308], "a move takes from 0 to 1e12 ms"),
        ("/moves/1/margin", [-1.0, -0.001, 1e13, 1e308], "a move takes from 0 to 1e12 ms"),
    ] {
        for value in values {
            let error = refused(place, json!(value));
            assert!(error.contains(mentions), "{place} {value}: {error}");
        }
    }
    for (place, values, mentions) in [
        ("/opening/of", [0, 1 << 32, 1 << 63, u64::MAX], "none of 1 to 4294967295 openings"),
        ("/opening/number", [2, 3, 1 << 32, u64::MAX], "none of 1 to 4294967295 openings"),
        ("/x/engine", [1000, 1 << 32, 1 << 63, u64::MAX], "the place of an engine is from 0 to 999"),
    ] {
        for value in values {
            let error = refused(place, json!(value));
            assert!(error.contains(mentions), "{place} {value}: {error}");
        }
    }
    for place in ["/opening/weight", "/moves/0/ms", "/moves/0/value"] {
        for value in ["1e999", "-1e999", "NaN", "Infinity"] {
            let mut second = records()[1].clone();
            *second.pointer_mut(place).expect("it is there") = json!("here");
            refused_line(&second.to_string().replace("\"here\"", value));
        }
    }
}

#[test]
fn games_that_cannot_be_are_refused() {
    let moves = vec![records()[0]["moves"][0].clone(); 10];
    refused("/rules/size", json!(77));
    refused("/opening/side", json!("y"));
    refused("/result", json!("?x"));
    assert!(refused("/moves", json!(moves)).contains("10 moves do not fit on the board"));
    assert!(refused("/x/engine", json!(0)).contains("both players are one engine"));
    assert!(refused("/x/name", json!("A")).contains("both players are one engine"));
}

#[test]
fn a_line_without_an_end_is_not_read_into_memory() {
    let line = format!("{{\"match\":\"{}", "z".repeat(17 << 20));
    assert!(refused_line(&line).contains("longer than 16777216 bytes"));
}
