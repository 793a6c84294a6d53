//! `protocol.md` is the contract with other programs: its transcripts, and those of the pages of `docs`, are replayed. Its
//! table of options and the tables of `docs/formats.md` are compared with what the program has.
//!
//! `UPDATE_TRANSCRIPTS=1 cargo test --test documents protocol` writes what is said now into the documents; read the
//! difference before you commit it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::{pages, root, text};
use crate::common::program::RunToEnd;
use crate::common::{Conversation, without_times};
use noughts::engine::{OPTIONS, OptionType};
use serde_json::Value;

/// The answers of a fresh session to the client's lines of a transcript, with those lines between. `options` stand behind
/// the fence, as in `seed=1 player=random`.
fn replay(block: &str, options: &str) -> Vec<String> {
    let mut conversation = Conversation::new();
    for option in options.split_whitespace() {
        let (name, value) = option.split_once('=').expect("NAME=VALUE");
        conversation.session.preset(name, value).expect("an option");
    }
    let mut lines = Vec::new();
    for said in block.lines().filter_map(|line| line.strip_prefix("> ")) {
        lines.push(format!("> {said}"));
        lines.extend(conversation.send(&format!("{said}\n")).until_idle());
    }
    lines
}

const FENCE: &str = "```transcript";

/// The document cut into the text outside of transcripts, with their fences, and, at odd places, the transcripts.
fn pieces(document: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut in_block = false;
    for line in document.lines() {
        if in_block && line == "```" {
            in_block = false;
            pieces.push(String::new());
        }
        pieces.last_mut().expect("a piece").extend([line, "\n"]);
        if line.starts_with(FENCE) {
            in_block = true;
            pieces.push(String::new());
        }
    }
    pieces
}

/// Compares the transcripts of a document with what the engine says, or writes what it says; returns how many there are.
fn replay_document(path: &Path) -> usize {
    let mut pieces = pieces(&text(path));
    for index in (1..pieces.len()).step_by(2) {
        let options = pieces[index - 1].lines().last().and_then(|line| line.strip_prefix(FENCE)).expect("a fence");
        let said = replay(&pieces[index], options);
        let transcript = &mut pieces[index];
        let without_times = |lines: Vec<&str>| lines.into_iter().map(without_times).collect::<Vec<String>>();
        let new = without_times(said.iter().map(String::as_str).collect());
        let written = without_times(transcript.lines().collect());
        if std::env::var_os("UPDATE_TRANSCRIPTS").is_none() {
            assert_eq!(new, written, "{}: replay of\n{transcript}", path.display());
        } else if new != written {
            *transcript = said.join("\n") + "\n";
        }
    }
    if std::env::var_os("UPDATE_TRANSCRIPTS").is_some() {
        fs::write(path, pieces.concat()).expect("the document can be written");
    }
    pieces.len() / 2
}

#[test]
fn every_transcript_is_what_the_engine_says() {
    let counts: Vec<usize> = pages().iter().map(|path| replay_document(path)).collect();
    assert!(counts[0] > 15 && counts.iter().sum::<usize>() > 30, "the transcripts were not found: {counts:?}");
}

#[test]
fn every_option_row_stands_in_protocol_md_and_nowhere_else() {
    for option in OPTIONS {
        let (kind, default) = match option.option_type() {
            OptionType::Spin { default, min, max } => (format!("spin {min} to {max}"), default.to_string()),
            OptionType::Check { default } => ("check".to_owned(), default.to_string()),
            OptionType::Combo { default, .. } => ("combo".to_owned(), default),
            OptionType::Number { default, .. } => ("string".to_owned(), default.to_string()),
            OptionType::Text { default } => ("string".to_owned(), default),
        };
        let row = format!("| `{}` | {kind} | {default} |", option.name);
        for path in pages() {
            assert_eq!(text(&path).contains(&row), path.ends_with("protocol.md"), "{}: {row}", path.display());
        }
    }
}

/// The names in the tables of a chapter of `docs/formats.md`: everything between backticks.
fn names(heading: &str) -> BTreeSet<String> {
    let document = text(&root().join("docs/formats.md"));
    let chapter = document.split(heading).nth(1).expect("the chapter is there");
    let chapter = chapter.split("\n## ").next().expect("a chapter");
    chapter.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// All keys of a JSON value, but not those of maps whose keys are data.
fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
        Value::Object(map) => {
            for (key, item) in map {
                found.insert(key.clone());
                if key != "options" && key != "reasons" {
                    keys(item, found);
                }
            }
        }
        _ => {}
    }
}

#[test]
fn every_key_of_records_and_results_stands_in_the_document() {
    let record = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("document.jsonl");
    let _ = fs::remove_file(&record);
    let bad = format!("name=bad cmd=python3 args='{}/tests/bad_engine.py crash-on-go 3'", env!("CARGO_MANIFEST_DIR"));
    let output = crate::common::program::command()
        .args(["match", "--engine", "cmd=noughts", "--engine", &bad, "--games", "8", "--recover", "--format", "json"])
        .args(["--sprt", "elo0=0", "--record"])
        .arg(&record)
        .run_to_end();
    assert!(output.status.success(), "{output:?}");
    let records = fs::read_to_string(&record).expect("the record is there");
    let exam = |words: &str| {
        let arguments = ["exam", "--engine", "cmd=noughts option.player=random", "--format", "json", "--list"];
        let output = crate::common::program::command().args(arguments).args(words.split(' ')).run_to_end();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    for (heading, text) in [
        ("\n## Records", records),
        ("\n## Match results", String::from_utf8(output.stdout).expect("text")),
        ("\n## Exam results", exam("--size 3")),
        ("\n## Exam results", exam("--size 4 --sample 100")),
    ] {
        let mut found = BTreeSet::new();
        text.lines().for_each(|line| keys(&serde_json::from_str(line).expect("JSON"), &mut found));
        let names = names(heading);
        let missing: Vec<&String> = found.difference(&names).collect();
        assert!(missing.is_empty() && found.len() > 20, "{heading}: {missing:?}");
    }
}
