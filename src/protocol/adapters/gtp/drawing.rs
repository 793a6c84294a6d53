//! What GoGui draws on its board: the analyze commands, and their answers as lines of its type `gfx`.

use crate::engine::MoveTotal;
use crate::text::decimal;
use noughts_core::game::{Cell, Player, Position, Score, Shape, Value};
use noughts_core::search::{Explanation, Reason, SearchResult, ThreatStep, Variation};

use super::{colour, name, vertex};

/// The analyze commands of this engine, a line each: type, label, command.
pub const ANALYZE_COMMANDS: &str = "\
gfx/Values of all moves/noughts-values
gfx/Visits of the tree search/noughts-visits
gfx/Principal variation/noughts-line
gfx/Win by threats/noughts-threats
gfx/Pairs that hold the draw/noughts-pairs
string/Explain the position/noughts-explain";

/// The value of every move: a label each, wins in green, draws in yellow, losses in red.
pub fn values(position: &Position, found: &SearchResult) -> String {
    let shape = position.rules().shape();
    let labels = found.lines.iter().map(|line| (line.first_move(), label(line)));
    let coloured = |name: &str, result: i8| {
        let is_such = |line: &&Variation| line.score.proven().is_some_and(|value| value.result() == result);
        points(&format!("COLOR {name}"), found.lines.iter().filter(is_such).map(Variation::first_move), shape)
    };
    let text = format!("TEXT {} to move: {}", name(position.side()), found.score);
    joined(&[labelled(labels, shape), coloured("green", 1), coloured("yellow", 0), coloured("red", -1), text])
}

/// The value of a move in a few letters. `W5`, `L4` and `D` are proven, with the plies to the end; `W<8` is a win in fewer plies
/// than 8. Where nothing is proven, it is the Monte Carlo score.
fn label(line: &Variation) -> String {
    match line.score {
        Score::Exact(Value::Win(plies)) => format!("W{plies}"),
        Score::Exact(Value::Loss(plies)) => format!("L{plies}"),
        Score::Exact(Value::Draw) | Score::Within(Value::Draw) => "D".to_owned(),
        Score::Within(Value::Win(plies)) => format!("W<{}", u32::from(plies) + 1),
        Score::Within(Value::Loss(plies)) => format!("L<{}", u32::from(plies) + 1),
        Score::Estimate(_) => line.total.map_or("?".to_owned(), decimal),
    }
}

/// How often the tree search has visited each move, and its mean as influence.
pub fn visits(totals: &[MoveTotal], side: Player, shape: Shape) -> String {
    let tree = || {
        totals.iter().filter_map(|total| match total {
            MoveTotal::Tree(of_move) => Some(of_move),
            MoveTotal::Playouts { .. } => None,
        })
    };
    let visited = || tree().filter(|of_move| of_move.visits > 0);
    let all: u64 = tree().map(|of_move| u64::from(of_move.visits)).sum();
    let sign = match side {
        Player::X => 1.0,
        Player::O => -1.0,
    };
    let influence: String =
        visited().map(|of_move| format!(" {} {:.3}", vertex(of_move.cell, shape), sign * of_move.mean())).collect();
    let influence = if influence.is_empty() { influence } else { format!("INFLUENCE{influence}") };
    let labels = visited().map(|of_move| (of_move.cell, of_move.visits.to_string()));
    joined(&[labelled(labels, shape), influence, format!("TEXT {all} visits")])
}

/// Moves as a variation.
pub fn variation(moves: &[Cell], mut side: Player, shape: Shape, words: &str) -> String {
    let mut text = String::new();
    for &cell in moves {
        text += &format!(" {} {}", colour(side), vertex(cell, shape));
        side = !side;
    }
    let line = if moves.is_empty() { text } else { format!("VAR{text}") };
    joined(&[line, format!("TEXT {words}")])
}

/// The win by threats that is known for the side to move, if there is one.
pub fn threats(found: &Explanation) -> String {
    let position = &found.position;
    let (side, shape) = (position.side(), position.rules().shape());
    match found.reasons.of(side) {
        Some(Reason::Threats { steps, plies }) => {
            let moves: Vec<Cell> = steps.iter().flat_map(ThreatStep::moves).collect();
            variation(&moves, side, shape, &format!("a win by threats within {plies} plies"))
        }
        _ => "TEXT no win by threats is known".to_owned(),
    }
}

/// The pairs inside which the defender answers, if they are known: two cells with the same number.
pub fn pairs(found: &Explanation) -> String {
    let shape = found.position.rules().shape();
    let known = [Player::X, Player::O].into_iter().find_map(|player| match found.reasons.of(player) {
        Some(Reason::Pairing { pairs, .. } | Reason::Parity { pairs, .. }) if !pairs.is_empty() => Some(pairs),
        _ => None,
    });
    let Some(pairs) = known else { return "TEXT no pairs are known to hold the draw".to_owned() };
    let numbered = (1..)
        .zip(pairs)
        .flat_map(|(number, &(one, other)): (u32, _)| [one, other].map(|cell| (cell, number.to_string())));
    let text = "TEXT the defender answers in the square with the same number".to_owned();
    joined(&[labelled(numbered, shape), text])
}

/// `LABEL A1 W5 B2 D`; nothing without a cell.
fn labelled(labels: impl Iterator<Item = (Cell, String)>, shape: Shape) -> String {
    let written: String = labels.map(|(cell, label)| format!(" {} {label}", vertex(cell, shape))).collect();
    if written.is_empty() { written } else { format!("LABEL{written}") }
}

/// A command with the vertices of cells; nothing without a cell.
fn points(command: &str, cells: impl Iterator<Item = Cell>, shape: Shape) -> String {
    let written: String = cells.map(|cell| format!(" {}", vertex(cell, shape))).collect();
    if written.is_empty() { written } else { format!("{command}{written}") }
}

/// Joins lines, without those that are empty.
fn joined(lines: &[String]) -> String {
    let lines: Vec<&str> = lines.iter().map(String::as_str).filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}
