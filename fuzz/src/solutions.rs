//! Solutions: of one that the checker accepts, every listed move wins within its plies by plain alpha-beta.

use noughts::text::is_line;
use noughts_check::{Options, check};
use noughts_oracle::{EndGame, Value};

use super::certificates::counted;
use super::input::Input;
use super::solution::Solution;

/// The most empty cells of a position that plain alpha-beta judges.
const MOST_EMPTY: usize = 9;

/// Solutions that are damaged. Inputs of the corpus choose among them by number.
const BASES: [&str; 2] = [
    include_str!("../../crates/check/tests/solution.txt"),
    include_str!("../../crates/check/tests/solution-reverse.txt"),
];

/// Letters of moves, and what stands in front of them.
const WORDS: [&str; 12] = ["1", "2", "3", "4", "5", "7", "a", "ab", "c", "bd", "fg", "-"];

/// The text itself, or a base with changes.
pub fn law(data: &[u8]) {
    let mut input = Input::new(data);
    if input.is_below(128) {
        return checked(input.rest());
    }
    let mut lines: Vec<String> = input.choose(&BASES).lines().map(str::to_owned).collect();
    while !input.is_empty() && lines.len() > 1 {
        let place = input.below(lines.len());
        match input.below(5) {
            0 => drop(lines.remove(place)),
            1 => lines.insert(place, lines[input.below(lines.len())].clone()),
            2 => lines[place] = String::from_utf8_lossy(input.until(b'\n')).into_owned(),
            kind => {
                let mut words: Vec<&str> = lines[place].split(' ').collect();
                let word = input.below(words.len());
                let other = *input.choose(&WORDS);
                if kind == 3 {
                    words[word] = other
                } else {
                    words.insert(word, other)
                }
                lines[place] = words.join(" ");
            }
        }
    }
    checked(counted(lines).as_bytes());
}

fn checked(text: &[u8]) {
    let said = check(text, &Options::default()).0.map(|report| report.verdict()).map_err(|wrong| wrong.to_string());
    assert!(is_line(said.as_ref().unwrap_or_else(|wrong| wrong)), "{said:?}");
    let text = String::from_utf8_lossy(text);
    if said.is_err() || !text.starts_with("noughts solution 1\n") {
        return;
    }
    let solution = Solution::read(&text);
    assert_eq!(solution.positions.len() + 5, text.lines().count(), "{text}");
    for solved in &solution.positions {
        let board = solution.board(solved.stones);
        if board.empties().len() > MOST_EMPTY {
            continue;
        }
        for &cell in &solved.moves {
            let value = EndGame::value_of(&board.after(cell));
            let wins = matches!(value, Value::Loss(plies) if usize::from(plies) < solved.plies);
            assert!(wins, "{cell} on {board:?} is worth {value:?}:\n{text}");
        }
    }
}
