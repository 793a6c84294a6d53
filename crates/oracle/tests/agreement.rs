//! The oracles against each other, against plain minimax, and against what is known of the game.

use std::collections::HashMap;

use noughts_oracle::{Board, EndGame, Outcome, Player, Stones, Table, Value, wins_within};

/// The boards of up to 3x3 with lines of every length, one that does not fit included, under both rules.
fn small_boards() -> impl Iterator<Item = Board> {
    let boards = (1..=3).flat_map(|size| (1..=size + 1).map(move |connect| (size, connect)));
    boards.flat_map(|(size, connect)| [false, true].map(|reverse| Board::new(size, connect, reverse)))
}

/// The value of a position by minimax, without a bound or a table of lines, and those of all that follow from it.
fn minimax(board: &Board, known: &mut HashMap<Board, Value>) -> Value {
    if let Some(&value) = known.get(board) {
        return value;
    }
    let before_move = |value| match value {
        Value::Win(plies) => Value::Loss(plies + 1),
        Value::Draw => Value::Draw,
        Value::Loss(plies) => Value::Win(plies + 1),
    };
    // A fast win is better than a slow one, and a slow loss than a fast one.
    let preference = |value: &Value| match *value {
        Value::Win(plies) => 1000 - i32::from(plies),
        Value::Draw => 0,
        Value::Loss(plies) => i32::from(plies) - 1000,
    };
    let value = match board.outcome() {
        Some(Outcome::Draw) => Value::Draw,
        Some(Outcome::Win(winner)) => {
            if winner == board.side {
                Value::Win(0)
            } else {
                Value::Loss(0)
            }
        }
        None => {
            let values = board.moves().into_iter().map(|cell| before_move(minimax(&board.after(cell), known)));
            values.max_by_key(preference).expect("a move")
        }
    };
    known.insert(board.clone(), value);
    value
}

/// The positions that follow from a board, itself included, with their values.
fn all_values(board: &Board) -> HashMap<Board, Value> {
    let mut known = HashMap::new();
    minimax(board, &mut known);
    known
}

fn stones(board: &Board) -> Stones {
    let bit = |(cell, stone): (usize, &Option<Player>)| stone.map_or(0, |player| 1 << (cell + 16 * player as usize));
    board.stones.iter().enumerate().map(bit).sum()
}

fn board_of(stones: Stones, empty: &Board) -> Board {
    let stone = |cell| match (stones >> cell & 1, stones >> (cell + 16) & 1) {
        (0, 0) => None,
        (_, 0) => Some(Player::X),
        _ => Some(Player::O),
    };
    let side = Player::BOTH[stones.count_ones() as usize % 2];
    Board { stones: (0..empty.stones.len()).map(stone).collect(), side, ..*empty }
}

#[test]
fn both_oracles_equal_minimax_on_every_position_of_small_boards() {
    for start in small_boards() {
        let known = all_values(&start);
        let table = Table::new(start.rows as u32, start.length as u32, start.reverse);
        assert_eq!(table.plies().iter().map(Vec::len).sum::<usize>(), known.len());
        for (board, &value) in &known {
            assert_eq!(table.value(stones(board)), value, "{board:?}");
            assert_eq!(EndGame::value_of(board), value, "{board:?}");
            assert_eq!(EndGame::value_of(&board.exchanged()), value, "{board:?}");
            assert_eq!(table.is_over(stones(board)), board.outcome().is_some());
            let children: Vec<Stones> = board.empties().iter().map(|&cell| stones(&board.after(cell))).collect();
            assert_eq!(table.children(stones(board)).collect::<Vec<_>>(), children);
        }
    }
}

#[test]
fn one_end_game_knows_all_that_follows() {
    fn check(board: &Board, moves: &mut Vec<usize>, end_game: &mut EndGame, known: &HashMap<Board, Value>) {
        assert_eq!(end_game.value_after(moves), known[board], "{board:?}");
        for cell in board.moves() {
            moves.push(cell);
            check(&board.after(cell), moves, end_game, known);
            moves.pop();
        }
    }
    for start in small_boards() {
        // A line of one cell is completed by the first move.
        let start = if start.rows == 3 && start.length > 1 { start.after(4).after(5) } else { start };
        let known = all_values(&start);
        check(&start, &mut Vec::new(), &mut EndGame::new(&start), &known);
        let moves = EndGame::new(&start).move_values();
        assert_eq!(moves.iter().map(|(cell, _)| *cell).collect::<Vec<_>>(), start.moves());
        for (cell, value) in moves {
            let before_move = match known[&start.after(cell)] {
                Value::Win(plies) => Value::Loss(plies + 1),
                Value::Draw => Value::Draw,
                Value::Loss(plies) => Value::Win(plies + 1),
            };
            assert_eq!(value, before_move, "{cell} {start:?}");
        }
    }
}

#[test]
fn wins_within_some_plies_are_those_of_minimax() {
    for start in small_boards() {
        for (board, value) in all_values(&start) {
            for plies in 0..=4 {
                let wins = |player: Player| wins_within(&board, player, plies);
                let within = |most: u16| usize::from(most) <= plies;
                assert_eq!(wins(board.side), matches!(value, Value::Win(most) if within(most)), "{board:?}");
                assert_eq!(wins(!board.side), matches!(value, Value::Loss(most) if within(most)), "{board:?}");
            }
        }
    }
}

#[test]
fn both_oracles_agree_on_4x4_and_know_the_empty_board() {
    for (connect, values) in [
        (1, [Value::Win(1), Value::Loss(1)]),
        (2, [Value::Win(3), Value::Loss(9)]),
        (3, [Value::Win(5), Value::Loss(15)]),
        (4, [Value::Draw, Value::Draw]),
    ] {
        for (reverse, value) in [false, true].into_iter().zip(values) {
            let (table, empty) = (Table::new(4, connect, reverse), Board::new(4, connect as usize, reverse));
            assert_eq!(table.value(0), value, "{empty:?}");
            for ply in table.plies().iter().skip(5) {
                // Of each ply some hundred positions, from the first to the last.
                for &stones in ply.iter().step_by(1 + ply.len() / 150) {
                    let board = board_of(stones, &empty);
                    assert_eq!(EndGame::value_of(&board), table.value(stones), "{board:?}");
                    assert_eq!(board.outcome().is_some(), table.is_over(stones), "{board:?}");
                }
            }
        }
    }
}

#[test]
fn games_and_positions_of_3x3_are_as_many_as_known() {
    /// The games that X wins, O wins and nobody wins.
    fn count(board: &Board, games: &mut [u32; 3]) {
        match board.outcome() {
            Some(Outcome::Win(Player::X)) => games[0] += 1,
            Some(Outcome::Win(Player::O)) => games[1] += 1,
            Some(Outcome::Draw) => games[2] += 1,
            None => board.moves().into_iter().for_each(|cell| count(&board.after(cell), games)),
        }
    }
    for (reverse, expected) in [(false, [131_184, 77_904, 46_080]), (true, [77_904, 131_184, 46_080])] {
        let start = Board::new(3, 0, reverse);
        let mut games = [0; 3];
        count(&start, &mut games);
        assert_eq!(games, expected);
        assert_eq!(games.iter().sum::<u32>(), 255_168);
        let positions: Vec<Board> = all_values(&start).into_keys().collect();
        assert_eq!(positions.len(), 5478);
        let finished = |outcome| positions.iter().filter(|board| board.outcome() == Some(outcome)).count();
        let won = [Player::X, Player::O].map(|player| finished(Outcome::Win(if reverse { !player } else { player })));
        assert_eq!((won, finished(Outcome::Draw)), ([626, 316], 16));
        let plies: Vec<usize> = Table::new(3, 0, reverse).plies().iter().map(Vec::len).collect();
        assert_eq!(plies, [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]);
    }
}

#[test]
fn random_games_of_3x3_end_as_often_as_known() {
    let boards = Board::new(3, 0, false).final_boards();
    assert_eq!(boards.len(), 958);
    let share = |outcome| -> f64 {
        boards.iter().filter(|(board, _)| board.outcome() == Some(outcome)).map(|(_, chance)| chance).sum()
    };
    let shares = [Outcome::Win(Player::X), Outcome::Win(Player::O), Outcome::Draw].map(share);
    for (share, of_1260) in shares.into_iter().zip([737.0, 363.0, 160.0]) {
        assert!((share - of_1260 / 1260.0).abs() < 1e-12, "{shares:?}");
    }
}

#[test]
fn a_board_has_as_many_lines_as_are_counted() {
    for size in 1..=20 {
        for length in 2..=21 {
            let starts = (size + 1_usize).saturating_sub(length);
            let expected = 2 * starts * size + 2 * starts * starts;
            assert_eq!(Board::new(size, length, false).lines().len(), expected, "{size} {length}");
        }
    }
}
