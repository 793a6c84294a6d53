//! Games as PGN, as runners of UGI engines write it: the tags of chess, the moves as the protocol prints them, and X in
//! the place of White.

use std::fmt::Write;

use crate::text::on_one_line;
use noughts_core::game::{Outcome, Player, Position};

use super::record::{EndReason, GameRecord};

/// The game as PGN, with an empty line behind it. `opening` is the position before the first recorded move.
pub fn of(record: &GameRecord, opening: &Position) -> String {
    let result = match record.result {
        Outcome::Win(Player::X) => "1-0",
        Outcome::Win(Player::O) => "0-1",
        Outcome::Draw => "1/2-1/2",
    };
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", tag_line(name, value));
    };
    tag("Event", &event(&record.match_id));
    tag("Site", "Noughts");
    tag("Date", "????.??.??");
    tag("Round", &(record.round + 1).to_string());
    tag("White", &record.x.name);
    tag("Black", &record.o.name);
    tag("Result", result);
    tag("Variant", &record.rules.to_string());
    tag("SetUp", "1");
    tag("FEN", &opening.diagram().to_string());
    if let Some(termination) = termination(record.reason) {
        tag("Adjudicated", termination);
    }
    if let Outcome::Win(winner) = record.result {
        tag("Winner", &record.engine(winner).name);
        tag("Loser", &record.engine(!winner).name);
    }
    tag("PlyCount", &record.moves.len().to_string());
    text.push('\n');
    let before = usize::from(opening.side() == Player::O);
    for (index, played) in record.moves.iter().enumerate() {
        let number = (before + index) / 2 + 1;
        let _ = match (before + index) % 2 {
            0 => write!(text, "{number}. "),
            _ if index == 0 => write!(text, "{number}... "),
            _ => Ok(()),
        };
        let _ = write!(text, "{} ", played.cell);
    }
    if let Some(detail) = &record.detail {
        // A closing brace would end the comment: `\u{e9}` is written as `\u(e9)`.
        let _ = write!(text, "{{{}}} ", on_one_line(detail).replace('{', "(").replace('}', ")"));
    }
    let _ = writeln!(text, "{result}\n");
    text
}

/// The line that begins each game of a match.
pub fn event_line(match_id: &str) -> String {
    tag_line("Event", &event(match_id))
}

fn event(match_id: &str) -> String {
    format!("Noughts match {match_id}")
}

/// A tag and its value, as a line of PGN has them.
pub fn tag_line(name: &str, value: &str) -> String {
    format!("[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The text for games that did not end by the rules.
fn termination(reason: EndReason) -> Option<&'static str> {
    match reason {
        EndReason::Line | EndReason::FullBoard => None,
        EndReason::Time => Some("Out of time"),
        EndReason::Crash => Some("Crashed"),
        EndReason::Stall => Some("Stalled"),
        EndReason::Illegal => Some("Illegal move"),
    }
}
