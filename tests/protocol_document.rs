//! `protocol.md` is the contract with other programs: its transcripts are replayed, its tables are compared.
//!
//! `UPDATE_TRANSCRIPTS=1 cargo test --test protocol_document` writes what is said now into the document; read the
//! difference before you commit it.

mod common;

use std::fs;
use std::path::PathBuf;

use common::{Conversation, without_times};
use noughts::engine::{OPTIONS, OptionKind};

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("protocol.md")
}

fn document() -> String {
    fs::read_to_string(path()).expect("protocol.md is there")
}

/// What a fresh session answers to the client's lines of a transcript, with those lines between.
fn replay(block: &str) -> Vec<String> {
    let mut conversation = Conversation::new();
    let mut lines = Vec::new();
    for said in block.lines().filter_map(|line| line.strip_prefix("> ")) {
        lines.push(format!("> {said}"));
        lines.extend(conversation.send(&format!("{said}\n")).until_idle());
    }
    lines
}

/// The document cut into the text outside of transcripts and, at odd places, the transcripts.
fn pieces(document: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut in_block = false;
    for line in document.lines() {
        if in_block && line == "```" {
            in_block = false;
            pieces.push(String::new());
        }
        pieces.last_mut().expect("a piece").extend([line, "\n"]);
        if line == "```transcript" {
            in_block = true;
            pieces.push(String::new());
        }
    }
    pieces
}

#[test]
fn every_transcript_is_what_the_engine_says() {
    let mut pieces = pieces(&document());
    assert!(pieces.len() > 20, "the transcripts were not found");
    for transcript in pieces.iter_mut().skip(1).step_by(2) {
        let said = replay(transcript);
        if std::env::var_os("UPDATE_TRANSCRIPTS").is_some() {
            *transcript = said.join("\n") + "\n";
            continue;
        }
        let said: Vec<String> = said.iter().map(|line| without_times(line)).collect();
        let written: Vec<String> = transcript.lines().map(without_times).collect();
        assert_eq!(said, written, "replay of\n{transcript}");
    }
    if std::env::var_os("UPDATE_TRANSCRIPTS").is_some() {
        fs::write(path(), pieces.concat()).expect("protocol.md can be written");
    }
}

#[test]
fn every_option_stands_in_the_tables_of_both_documents_with_its_range_and_default() {
    let readme = fs::read_to_string(path().with_file_name("README.md")).expect("README.md is there");
    for text in [document(), readme] {
        for option in OPTIONS {
            let (kind, default) = match option.kind() {
                OptionKind::Spin { default, min, max } => (format!("spin {min} to {max}"), default.to_string()),
                OptionKind::Check { default } => ("check".to_owned(), default.to_string()),
                OptionKind::Combo { default, .. } => ("combo".to_owned(), default.to_owned()),
                OptionKind::Number { default } => ("string".to_owned(), default.to_string()),
            };
            let row = format!("| `{}` | {kind} | {default} |", option.name);
            assert!(text.contains(&row), "{row}");
        }
    }
}
