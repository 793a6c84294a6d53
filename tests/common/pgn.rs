//! PGN as its standard has it, read anew, and held against the record of the same match.

#![allow(dead_code)]

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use super::contest::{moves, number, players, text};

/// A game of a PGN file: its tags, its moves without their numbers, and the result behind them.
pub struct PgnGame {
    pub tags: BTreeMap<String, String>,
    pub moves: Vec<String>,
    pub comments: Vec<String>,
    pub result: String,
}

/// Reads PGN as its standard has it: tags in brackets, a blank line, the moves, a blank line.
#[track_caller]
pub fn read_pgn(text: &str) -> Vec<PgnGame> {
    let mut games: Vec<PgnGame> = Vec::new();
    for paragraph in text.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
        if paragraph.starts_with('[') {
            let tag = |line: &str| {
                let (name, value) =
                    line.strip_prefix('[').and_then(|line| line.strip_suffix("\"]"))?.split_once(" \"")?;
                Some((name.to_owned(), value.replace("\\\"", "\"").replace("\\\\", "\\")))
            };
            let tags = paragraph.lines().map(|line| tag(line).unwrap_or_else(|| panic!("{line}"))).collect();
            games.push(PgnGame { tags, moves: Vec::new(), comments: Vec::new(), result: String::new() });
            continue;
        }
        let game = games.last_mut().expect("tags come first");
        let mut rest = paragraph.trim();
        while let Some((before, after)) = rest.split_once('{') {
            let (comment, after) = after.split_once('}').expect("a comment ends");
            game.comments.push(comment.to_owned());
            game.moves.extend(before.split_whitespace().map(str::to_owned));
            rest = after;
        }
        game.moves.extend(rest.split_whitespace().map(str::to_owned));
        game.result = game.moves.pop().expect("a result");
        game.moves.retain(|word| !word.ends_with('.'));
    }
    games
}

/// The PGN has every game of the record once, in the order of the record, and says the same of it.
#[track_caller]
pub fn assert_same_games(record: &str, pgn: &str) {
    let entries = record.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"));
    let mut seen = HashSet::new();
    let is_first = |game: &Value| game.get("attempt").is_none() && seen.insert(number(&game["game"]));
    let games: Vec<Value> = entries.filter(is_first).collect();
    let written = read_pgn(pgn);
    assert_eq!(written.len(), games.len());
    written.iter().zip(&games).for_each(|(written, game)| assert_same_game(written, game));
}

/// A game of the PGN says the same as its entry in the record.
#[track_caller]
pub fn assert_same_game(written: &PgnGame, game: &Value) {
    let tag = |name: &str| written.tags.get(name).cloned().unwrap_or_default();
    assert_eq!((tag("White"), tag("Black")), players(game));
    assert_eq!(written.moves, moves(game));
    let result = match text(&game["result"]).as_str() {
        "x" => "1-0",
        "o" => "0-1",
        _ => "1/2-1/2",
    };
    assert_eq!((tag("Result").as_str(), written.result.as_str()), (result, result));
    assert_eq!(tag("PlyCount"), moves(game).len().to_string());
    assert_eq!(tag("Round"), (number(&game["round"]) + 1).to_string());
    assert_eq!(tag("Event"), format!("Noughts match {}", text(&game["match"])));
    assert_eq!(tag("SetUp"), "1", "the standard asks for it beside FEN");
}
