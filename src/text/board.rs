//! Boards drawn as text.

use std::collections::HashMap;

use noughts_core::game::{Cell, Outcome, Position, Rules, Score, Shape};
use noughts_core::search::{ExactPlayouts, SearchResult, Variation, Weights};

use super::decimal;

/// The board with coordinates, the rules, the text form of the position, and whose turn it is or the result.
pub fn describe(position: &Position) -> String {
    let mut text = board(position, |_| ".".to_owned());
    text.push_str(&format!("\nrules     {}\n", rules(position.rules())));
    text.push_str(&format!("position  {}\n", position.diagram()));
    text.push_str(&match result(position) {
        None => format!("turn      {}\n", position.side()),
        Some(result) => format!("result    {result}\n"),
    });
    text
}

/// The result of the game, or `None` while it goes on.
pub fn result(position: &Position) -> Option<String> {
    Some(match position.outcome()? {
        Outcome::Draw => "draw, the board is full".to_owned(),
        Outcome::Win(winner) => format!("{winner} wins, {}", completion(position)),
    })
}

/// The player and the completed line, in words: `X completed the line 0,0 0,1 0,2`.
pub fn completion(position: &Position) -> String {
    let line = position.completed_line();
    let completer = line.iter().next().and_then(|cell| position.occupant(cell));
    let cells: Vec<String> = line.iter().map(|cell| cell.to_string()).collect();
    let completer = completer.map(|player| player.to_string()).unwrap_or_default();
    format!("{completer} completed the line {}", cells.join(" "))
}

/// The board with the value that a search gives every empty square, and the notes of the search.
pub fn evaluate(position: &Position, found: &SearchResult) -> String {
    let judged: HashMap<Cell, String> = found
        .lines
        .iter()
        .map(|line| {
            let judgement = match (line.score.proven(), line.total) {
                (Some(_), _) => line.score.to_string(),
                (None, Some(total)) => decimal(total),
                (None, None) => "?".to_owned(),
            };
            (line.first_move(), judgement)
        })
        .collect();
    let mut text = board(position, |cell| judged.get(&cell).cloned().unwrap_or_else(|| ".".to_owned()));
    if position.outcome().is_some() {
        text.push_str("\nThe game is over.\n");
        return text;
    }
    let scores = found.playouts.map(|playouts| format!("scores of {} Monte Carlo playouts", playouts.count()));
    let expected = found.expected.map(|_| "expected scores of one Monte Carlo playout".to_owned());
    let has_values = found.lines.iter().any(|line| matches!(line.score, Score::Exact(_)));
    let values = has_values.then(|| "W3: win in 3 plies, D: draw, L4: loss in 4 plies".to_owned());
    let has_bounds = found.lines.iter().any(|line| matches!(line.score, Score::Within(_)));
    let bounds = has_bounds.then(|| "W<=9: win in 9 plies or fewer, L<=8: loss in 8 or fewer".to_owned());
    let has_gaps = found.lines.iter().any(|line| matches!(line.score, Score::Estimate(_)) && line.total.is_none());
    let gaps = has_gaps.then(|| "?: not decided".to_owned());
    let legend: Vec<String> = scores.into_iter().chain(expected).chain(values).chain(bounds).chain(gaps).collect();
    text.push_str(&format!("\n{} to move; {}\n", position.side(), legend.join("; ")));
    found.notes.iter().for_each(|note| text.push_str(&format!("{note}\n")));
    text
}

/// Two boards with the Monte Carlo scores of every empty square: on the left the expected ones for as many playouts as the
/// search has made, on the right the sampled ones.
pub fn compare(position: &Position, found: &SearchResult, weights: Weights) -> String {
    let exact = ExactPlayouts::of(position).filter(|_| position.outcome().is_none());
    let (Some(exact), Some(sampled)) = (exact, found.playouts) else {
        return evaluate(position, found);
    };
    let lines = &found.lines;
    let playouts = sampled.count();
    // About four significant digits, whatever the number of playouts.
    let decimals = 3_u32.saturating_sub(playouts.ilog10()).max(1) as usize;
    let expected = board(position, |cell| rounded(playouts as f64 * exact.total(cell, weights), decimals));
    let scored = board(position, |cell| {
        let total = lines.iter().find(|line| line.first_move() == cell).and_then(|line| line.total);
        total.map_or_else(|| "?".to_owned(), decimal)
    });
    let width = expected.lines().map(str::len).max().unwrap_or(0);
    let mut text: String =
        expected.lines().zip(scored.lines()).map(|(left, right)| format!("{left:width$}      {right}\n")).collect();
    text.push_str(&format!(
        "\n{} to move; scores of {playouts} Monte Carlo playouts: expected on the left, sampled on the right\n",
        position.side()
    ));
    let best = |cells: Vec<Cell>| cells.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ");
    let tied = lines.iter().take_while(|line| line.total == lines[0].total).map(Variation::first_move).collect();
    for (name, results, best) in
        [("expected", exact.every_order().results(), best(exact.best_moves(weights))), ("sampled", sampled, best(tied))]
    {
        let [won, drawn, lost] = [results.wins, results.draws, results.losses]
            .map(|count| format!("{:.1}%", 100.0 * count as f64 / results.count() as f64));
        text.push_str(&format!("{name:8}  won {won:>6}  drawn {drawn:>6}  lost {lost:>6}  plays {best}\n"));
    }
    text
}

/// A number with so many decimals; from 10^15 on they mean nothing, and it has an exponent.
fn rounded(number: f64, decimals: usize) -> String {
    if number.abs() >= 1e15 {
        return decimal(number);
    }
    let text = format!("{number:.decimals$}");
    let is_zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

/// The rules of the game in words: `3x3, 3 in a row wins`.
pub fn rules(rules: Rules) -> String {
    let line = match rules.line_length() {
        Some(length) => format!("{length} in a row {}", if rules.completer_wins() { "wins" } else { "loses" }),
        None => "no line fits, every game is a draw".to_owned(),
    };
    format!("{}, {line}", rules.shape())
}

/// The board with `empty` giving the text of empty cells. Rows and columns are numbered from the top left, ranks and files
/// from the bottom left:
///
/// ```text
///    0 1 2
/// 0  X O .  3
/// 1  . X .  2
/// 2  . . .  1
///    a b c
/// ```
pub fn board(position: &Position, empty: impl Fn(Cell) -> String) -> String {
    let shape = position.rules().shape();
    let Shape { rows, columns } = shape;
    let content = |cell| position.occupant(cell).map_or_else(|| empty(cell), |player| player.to_string());
    let cells: Vec<String> = Cell::all(shape).map(content).collect();
    let width = cells.iter().map(String::len).max().unwrap_or(1).max((columns - 1).to_string().len());
    let margin = rows.to_string().len();
    let line = |left: String, cells: &mut dyn Iterator<Item = String>, right: String| {
        let cells: Vec<String> = cells.map(|cell| format!("{cell:>width$}")).collect();
        format!("{left:>margin$}  {}  {right:>margin$}", cells.join(" ")).trim_end().to_owned() + "\n"
    };
    let mut text = line(String::new(), &mut (0..columns).map(|column| column.to_string()), String::new());
    for (row, cells) in cells.chunks(usize::from(columns)).enumerate() {
        let rank = usize::from(rows) - row;
        text.push_str(&line(row.to_string(), &mut cells.iter().cloned(), rank.to_string()));
    }
    let files = (b'a'..).take(usize::from(columns)).map(|file| char::from(file).to_string());
    text.push_str(&line(String::new(), &mut { files }, String::new()));
    text
}
