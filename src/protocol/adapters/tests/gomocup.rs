//! Gomocup: stones and clocks across moves.

use super::*;
use crate::protocol::adapters::gomocup::GomocupClient;
use noughts_core::search::Clock;

/// The state that the client's commands have set, by the protocol.
struct Model {
    table: Table,
    size: u8,
    /// The stones of the engine, and those of its opponent.
    stones: [Vec<Cell>; 2],
    turn: Option<u64>,
    left: Option<u64>,
}

fn written(cell: Cell) -> String {
    format!("{},{}", cell.column(), cell.row())
}

impl Model {
    fn new(size: u8) -> Model {
        let mut table = Table::new(GomocupClient::default());
        assert_eq!(table.say(&format!("START {size}")), ["OK"]);
        Model { table, size, stones: [Vec::new(), Vec::new()], turn: None, left: None }
    }

    /// A cell without a stone that makes no line of five with a few stones.
    fn free_cell(&self, random: &mut Generator) -> Cell {
        loop {
            let [row, column] = [(); 2].map(|()| below(random, self.size.into()) as u8);
            let cell = Cell::new(row, column);
            if !self.stones.iter().flatten().any(|&stone| stone == cell) {
                return cell;
            }
        }
    }

    /// The adapter must have begun a search in the position with these stones, the engine to move, with these limits.
    fn assert_asked(&self) {
        let limits = self.table.search.expect("a search has begun");
        let fastest = |turn| if turn == 0 { 20 } else { turn };
        let mut expected = Limits { move_time: self.turn.map(fastest), ..Limits::default() };
        expected.clocks[Player::X as usize] = Clock { time: self.left, increment: None };
        assert_eq!(limits, expected);
        let position = &self.table.position;
        assert_eq!((position.side(), position.rules().shape()), (Player::X, self.size.into()));
        for (player, stones) in Player::BOTH.into_iter().zip(&self.stones) {
            let found: Vec<Cell> =
                Cell::all(self.size).filter(|&cell| position.occupant(cell) == Some(player)).collect();
            let mut expected = stones.clone();
            expected.sort_unstable();
            assert_eq!(found, expected, "the stones of {player:?}");
        }
    }

    /// Answers the search, and takes the move.
    fn answer(&mut self, random: &mut Generator) {
        self.assert_asked();
        let (cell, time) = (self.free_cell(random), any_time(random));
        let heard = self.table.answer(cell, time);
        assert_eq!(heard.last(), Some(&written(cell)));
        assert_eq!(heard.iter().filter(|line| !line.starts_with("MESSAGE ")).count(), 1, "{heard:?}");
        self.stones[0].push(cell);
        self.left = self.left.map(|left| left.saturating_sub(time.unwrap_or(0)));
    }
}

/// One thing that a client does between two moves, or a move.
fn step(model: &mut Model, random: &mut Generator) {
    let number = u64::from(below(random, 5000));
    let silent: &[&str] = &[];
    match below(random, 10) {
        0 => {
            assert_eq!(model.table.say(&format!("INFO timeout_turn {number}")), silent);
            model.turn = Some(number);
        }
        1 => {
            assert_eq!(model.table.say("INFO timeout_turn 0"), silent);
            model.turn = Some(0);
        }
        2 => {
            assert_eq!(model.table.say(&format!("INFO time_left {number}")), silent);
            model.left = Some(number);
        }
        3 => {
            let word = if number % 2 == 0 { "INFO time_left 2147483647" } else { "INFO timeout_match 0" };
            assert_eq!(model.table.say(word), silent);
            model.left = None;
        }
        4 => {
            let word = if number % 2 == 0 { "RESTART".to_owned() } else { format!("START {}", model.size) };
            assert_eq!(model.table.say(&word), ["OK"]);
            model.stones = [Vec::new(), Vec::new()];
        }
        5 => {
            // The last move of both is taken back.
            for side in [0, 1] {
                if let Some(cell) = model.stones[side].pop() {
                    assert_eq!(model.table.say(&format!("TAKEBACK {}", written(cell))), ["OK"]);
                }
            }
        }
        6 => {
            // The whole board anew, in any order.
            let mut lines: Vec<String> = Vec::new();
            for (word, stones) in [1, 2].into_iter().zip(&model.stones) {
                lines.extend(stones.iter().rev().map(|&cell| format!("{},{word}", written(cell))));
            }
            if model.stones[0].len() == model.stones[1].len() {
                model.table.say("BOARD");
                lines.iter().for_each(|line| assert_eq!(model.table.say(line), silent));
                assert_eq!(model.table.say("DONE"), silent);
                model.answer(random);
            }
        }
        7 if model.stones[0].is_empty() && model.stones[1].is_empty() => {
            assert_eq!(model.table.say("BEGIN"), silent);
            model.answer(random);
        }
        _ => {
            let cell = model.free_cell(random);
            model.stones[1].push(cell);
            assert_eq!(model.table.say(&format!("TURN {}", written(cell))), silent);
            model.answer(random);
        }
    }
}

#[test]
fn every_search_has_the_stones_and_the_time_that_were_told() {
    let mut random = generator(21, Stream::Go(1));
    for size in [9, 20] {
        for _ in 0..40 {
            let mut model = Model::new(size);
            // So few stones that five in a row are out of reach.
            while model.stones[1].len() < 7 {
                step(&mut model, &mut random);
                if below(&mut random, 12) == 0 {
                    break;
                }
            }
        }
    }
}

#[test]
fn time_of_all_moves_is_taken_off_what_was_left() {
    let mut random = generator(22, Stream::Go(1));
    let mut model = Model::new(15);
    assert_eq!(model.table.say("INFO time_left 10000"), [""; 0]);
    for (column, (time, left)) in
        (0..).zip([(Some(300), 10_000), (None, 9_700), (Some(9_000), 9_700), (Some(900), 700)])
    {
        let at = Cell::new(0, 3 * column);
        model.stones[1].push(at);
        assert_eq!(model.table.say(&format!("TURN {}", written(at))), [""; 0]);
        let clocks = model.table.search.expect("a search has begun").clocks;
        assert_eq!(clocks.map(|clock| clock.time), [Some(left), None]);
        let cell = model.free_cell(&mut random);
        model.stones[0].push(cell);
        model.table.answer(cell, time);
    }
    // More time than was left: none is left, not an odd number.
    model.table.say("TURN 0,14");
    assert_eq!(model.table.search.expect("a search has begun").clocks[0].time, Some(0));
}

#[test]
fn a_stone_that_ends_the_game_stays_until_it_is_taken_back() {
    let mut model = Model::new(10);
    for column in 0..4 {
        assert_eq!(model.table.say(&format!("TURN {column},0")), [""; 0]);
        model.table.answer(Cell::new(5, 2 * column), None);
    }
    let over = model.table.say("TURN 4,0");
    assert!(over.len() == 1 && over[0].starts_with("ERROR TURN: ") && model.table.search.is_none(), "{over:?}");
    // A board in which the game is over is refused, and the stones stay.
    model.table.say("BOARD");
    (0..5).for_each(|column| drop(model.table.say(&format!("{column},3,1"))));
    (0..5).for_each(|column| drop(model.table.say(&format!("{},{column},2", 2 * column))));
    assert!(model.table.say("DONE")[0].starts_with("ERROR BOARD: "));
    assert_eq!(model.table.say("TAKEBACK 4,0"), ["OK"]);
    assert_eq!(model.table.say("TURN 9,9"), [""; 0]);
    model.stones = [
        (0..4).map(|column| Cell::new(5, 2 * column)).collect(),
        (0..4).map(|column| Cell::new(0, column)).chain([Cell::new(9, 9)]).collect(),
    ];
    model.assert_asked();
}

#[test]
fn a_refused_command_leaves_stones_and_size_as_they_were() {
    let mut model = Model::new(10);
    model.table.say("TURN 0,0");
    model.table.answer(Cell::new(5, 5), None);
    for line in ["TURN 5,5", "TURN 0,0", "TURN 10,0", "TURN x", "TAKEBACK 3,3", "START 4", "START 21", "RECTSTART 21,8"]
    {
        let heard = model.table.say(line);
        assert!(heard.len() == 1 && heard[0].starts_with("ERROR "), "{line}: {heard:?}");
        assert!(model.table.search.is_none(), "{line}");
    }
    // Two stones of one side without a move of the other between them.
    let heard = model.table.say("BEGIN");
    assert!(heard.is_empty() && model.table.search.is_some(), "{heard:?}");
    model.table.answer(Cell::new(6, 6), None);
    let heard = model.table.say("BEGIN");
    assert!(
        heard[0].starts_with("ERROR BEGIN: ") && heard[0].contains("with 2 stones of its own and 1 of"),
        "{heard:?}"
    );
    model.table.say("TURN 1,1");
    model.stones = [vec![Cell::new(5, 5), Cell::new(6, 6)], vec![Cell::new(0, 0), Cell::new(1, 1)]];
    model.assert_asked();
}
