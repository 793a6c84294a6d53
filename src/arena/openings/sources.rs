//! Where openings come from: all sequences of moves of a given number of plies, one for each class of equal positions, or a
//! file with a position on each line.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use crate::protocol::{Command, ParseError};
use noughts_core::game::{Cell, Position, Rules};

use super::opening::{MAX_OPENINGS, Opening, OpeningsError, line_of};

/// Every sequence of this many plies after which the game goes on, in reading order. With `by_class` the first of each
/// class of positions that are images of each other, with the number of sequences that lead to the class.
///
/// # Errors
/// When there are more than a book holds.
pub fn sequences(rules: Rules, plies: usize, by_class: bool) -> Result<Vec<Opening>, OpeningsError> {
    let mut sequences = vec![(Position::start(rules), Vec::new(), 1.0)];
    sequences.retain(|(position, ..)| position.outcome().is_none());
    for _ in 0..plies {
        let mut classes = HashMap::new();
        let mut longer: Vec<(Position, Vec<Cell>, f64)> = Vec::new();
        for (position, moves, weight) in &sequences {
            for (cell, after) in position.moves().map(|cell| (cell, position.after(cell))) {
                if after.outcome().is_none() {
                    let next = longer.len();
                    let index = if by_class { *classes.entry(after.canonical()).or_insert(next) } else { next };
                    if index == next {
                        longer.push((after, [&moves[..], &[cell]].concat(), 0.0));
                    }
                    longer[index].2 += weight;
                }
            }
            if longer.len() > MAX_OPENINGS {
                return Err(OpeningsError::TooMany);
            }
        }
        sequences = longer;
    }
    let opening =
        |(position, moves, weight): (Position, Vec<Cell>, f64)| Opening::after_moves(position, &moves, 0, weight);
    Ok(sequences.into_iter().map(opening).collect())
}

/// Reads the positions in a file. A line is what stands behind `position` or behind `position fen` in the protocol,
/// with or without these words. Blank lines and lines that begin with `#` are skipped.
///
/// # Errors
/// When the file cannot be read, or a line is not a position in which the game goes on.
pub fn read(rules: Rules, path: &Path) -> Result<Vec<Opening>, OpeningsError> {
    let file = path.display();
    let text = fs::read_to_string(path)
        .map_err(|error| OpeningsError::File(format!("cannot read the openings in {file}: {error}")))?;
    let mut openings = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let wrong = |problem| OpeningsError::File(format!("{file}: line {number}: {problem}"));
        openings.push(read_line(rules, line).map_err(wrong)?);
    }
    Ok(openings)
}

fn read_line(rules: Rules, line: &str) -> Result<Opening, String> {
    let is = |first: &&str, word: &str| first.eq_ignore_ascii_case(word);
    let mut words = line.split_whitespace().peekable();
    let _ = words.next_if(|first| is(first, "position"));
    let has_keyword = words.peek().is_some_and(|first| is(first, "startpos") || is(first, "fen"));
    let keyword = if has_keyword { "position" } else { "position fen" };
    let words: Vec<&str> = std::iter::once(keyword).chain(words).collect();
    let command = words.join(" ").parse().map_err(|error: ParseError| {
        let problem = error.problem();
        problem.strip_prefix("position: ").map(str::to_owned).unwrap_or(problem)
    })?;
    let Command::Position(command) = command else { return Err("expected a position".to_owned()) };
    let position =
        Position::reach(rules, command.diagram.as_ref(), &command.moves).map_err(|error| error.to_string())?;
    match position.outcome() {
        None => Ok(Opening { number: 0, line: line_of(&command), position, weight: 1.0 }),
        Some(_) => Err("the game is over in this position".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use noughts_core::game::Cell;

    fn rules(size: u8, reverse: bool) -> Rules {
        Rules::new(size, 0, reverse).expect("rules within range")
    }

    #[test]
    fn a_line_of_a_file_is_a_position_in_any_of_its_forms() {
        for line in [
            "startpos moves 1,1",
            "position startpos moves b2",
            "Position  StartPos\tmoves B2",
            "fen 3/1x1/3 o",
            "FEN 3/1x1/3 o",
            "3/1x1/3",
            "position 3/1x1/3 o",
        ] {
            let opening = read_line(rules(3, false), line).expect("a position");
            assert_eq!(opening.position, Position::start(rules(3, false)).after(Cell::new(1, 1)), "{line}");
        }
        for (line, problem) in [
            ("startpos moves 3,3", "move 1: 3,3 is off the 3x3 board"),
            ("xxx/oo1/3", "the game is over in this position"),
            ("4/4/4/4", "the board has 4 rows where option size asks for 3"),
        ] {
            assert_eq!(read_line(rules(3, false), line).expect_err("a problem"), problem);
        }
        let problem = read_line(rules(3, false), "hello").expect_err("a problem");
        assert_eq!(problem, "expected a board such as xo1/1x1/3, found \"hello\"");
    }
}
