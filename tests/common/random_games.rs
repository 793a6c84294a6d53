//! Uniformly random games from the rules alone: all of them with their probabilities, or some by plain play.

#![allow(dead_code)]

use noughts::game::{Cell, Outcome, Position, Rules, Shape};
use noughts::protocol::Command;
use noughts::search::{Generator, Stream, Tally, Weights, below, generator};

use super::oracle;

/// Points by which the two counts of a square are read from its total.
pub const CURRENT: Weights = Weights { current: 1.0, other: 0.0 };
pub const OTHER: Weights = Weights { current: 0.0, other: 1.0 };

/// The counts of a number of finished games: won, drawn and lost, and the sums on each square, for stones of the side to
/// move and of its opponent.
#[derive(Clone, PartialEq, Debug)]
pub struct Counts {
    pub results: [f64; 3],
    pub squares: Vec<[f64; 2]>,
}

impl Counts {
    pub fn of(tally: &Tally, shape: Shape) -> Counts {
        let results = tally.results();
        let squares = Cell::all(shape).map(|cell| [CURRENT, OTHER].map(|weights| tally.total(cell, weights)));
        let results = [results.wins, results.draws, results.losses].map(|count| count as f64);
        Counts { results, squares: squares.collect() }
    }

    /// One finished game from this position, from the rules.
    pub fn of_game(position: &Position, finished: &Position) -> Counts {
        let size = position.rules().shape();
        let (result, sign) = match finished.outcome().expect("a finished game") {
            Outcome::Draw => (1, 0.0),
            Outcome::Win(winner) if winner == position.side() => (0, 1.0),
            Outcome::Win(_) => (2, -1.0),
        };
        let mut results = [0.0; 3];
        results[result] = 1.0;
        let left = |cell| match finished.occupant(cell) {
            Some(player) if player == position.side() => [sign, 0.0],
            Some(_) => [0.0, -sign],
            None => [0.0, 0.0],
        };
        Counts { results, squares: Cell::all(size).map(left).collect() }
    }

    /// All numbers in one row.
    pub fn row(&self) -> impl Iterator<Item = f64> {
        self.results.iter().chain(self.squares.iter().flatten()).copied()
    }
}

/// The probability of every final board.
pub fn final_boards(position: &Position) -> Vec<(Position, f64)> {
    let boards = oracle::board_of(position).final_boards().into_iter();
    let position = |board| oracle::position_of(&board, position.rules()).expect("the end of a game");
    boards.map(|(board, chance)| (position(board), chance)).collect()
}

/// Plays one game by shuffling the empty cells.
pub fn plain_game(position: &Position, cells: &mut [Cell], generator: &mut Generator) -> Position {
    let mut game = *position;
    for ply in 0..cells.len() {
        cells.swap(ply, ply + below(generator, (cells.len() - ply) as u32) as usize);
        game = game.after(cells[ply]);
        if game.outcome().is_some() {
            break;
        }
    }
    game
}

/// A position from its text.
pub fn position(rules: Rules, text: &str) -> Position {
    let Ok(Command::Position(command)) = format!("position fen {text}").parse() else { panic!("{text}") };
    Position::set_up(rules, &command.diagram.expect("a board")).expect("a legal position")
}

/// A legal move by chance.
pub fn any_move(position: &Position, random: &mut Generator) -> Cell {
    let number = below(random, position.moves().count() as u32) as usize;
    position.moves().nth(number).expect("the game goes on")
}

/// A position from a game played at random that goes on, with so many empty cells.
pub fn late(rules: Rules, empty: usize, seed: u64, number: u64) -> Position {
    let mut random = generator(seed, Stream::Opening(number));
    loop {
        let mut position = Position::start(rules);
        while position.outcome().is_none() && position.empty_cells() > empty {
            position = position.after(any_move(&position, &mut random));
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

/// The moves of a game at random, until so many squares are empty or every move would end it.
pub fn quiet_game(rules: Rules, empty: usize, random: &mut Generator) -> Vec<Cell> {
    let (mut position, mut moves) = (Position::start(rules), Vec::new());
    while position.empty_cells() > empty {
        let quiet: Vec<Cell> = position.moves().filter(|&cell| position.after(cell).outcome().is_none()).collect();
        if quiet.is_empty() {
            break;
        }
        moves.push(quiet[below(random, quiet.len() as u32) as usize]);
        position = position.after(moves[moves.len() - 1]);
    }
    moves
}
