//! XBoard: game, sides and clocks across moves.

use std::num::NonZeroU64;

use super::*;
use crate::protocol::adapters::xboard::XBoardClient;
use noughts_core::search::Clock;

/// The setting of the time.
#[derive(Clone, Copy)]
enum Time {
    None,
    Move(u64),
    Level { moves: u64, base: u64, increment: u64 },
}

/// The turns at which the engine moves.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Force,
    Plays(Player),
    Analysis,
}

/// The state that the client's commands have set, by the protocol.
struct Model {
    table: Table,
    start: Position,
    moves: Vec<Cell>,
    mode: Mode,
    time: Time,
    depth: u64,
    left: [Option<u64>; 2],
    /// True if the analysis of this position has ended by itself.
    has_analysed: bool,
}

impl Model {
    fn new(variant: &str, rules: Rules) -> Model {
        let mut table = Table::new(XBoardClient::default());
        table.connect = rules.connect();
        let mut model = Model {
            table,
            start: Position::start(rules),
            moves: Vec::new(),
            mode: Mode::Plays(Player::O),
            time: Time::None,
            depth: 0,
            left: [None; 2],
            has_analysed: false,
        };
        model.say("protover 2");
        let heard = model.say(&format!("variant {variant}"));
        assert_eq!(heard.len(), 2, "{heard:?}");
        model
    }

    fn say(&mut self, line: &str) -> Vec<String> {
        self.table.say(line)
    }

    fn position(&self) -> Position {
        self.moves.iter().fold(self.start, |position, &cell| position.after(cell))
    }

    fn written(&self, cell: Cell) -> String {
        let size = self.start.rules().shape().rows;
        let rank = u32::from(size - cell.row()) - u32::from(size == 10);
        format!("P@{}{rank}", char::from(b'a' + cell.column()))
    }

    /// The limits of a move, as the client has set them.
    fn limits(&self) -> Limits {
        let mut limits = Limits { depth: NonZeroU64::new(self.depth), ..Limits::default() };
        match self.time {
            Time::None => {}
            Time::Move(ms) => limits.move_time = Some(ms),
            Time::Level { moves, base, increment } => {
                let side = self.position().side();
                for (place, player) in [side, !side].into_iter().enumerate() {
                    limits.clocks[player as usize] =
                        Clock { time: Some(self.left[place].unwrap_or(base)), increment: Some(increment) };
                }
                // The moves that the engine's side has made, each second one before this.
                let made = self.moves.iter().rev().skip(1).step_by(2).count() as u64;
                limits.moves_to_go = (moves > 0).then(|| NonZeroU64::new(moves - made % moves)).flatten();
            }
        }
        limits
    }

    /// The session must have the position of the game; a search for a move must be under way if the engine is to move.
    fn assert_in_step(&self, searches: bool) {
        assert_eq!(self.table.position.diagram(), self.position().diagram());
        let analysis = Limits { move_time: Some(1 << 40), ..Limits::default() };
        let expected = if self.mode == Mode::Analysis { analysis } else { self.limits() };
        assert_eq!(self.table.search, searches.then_some(expected));
    }

    /// Answers a search for a move, and takes the move.
    fn answer(&mut self, random: &mut Generator) {
        self.assert_in_step(true);
        let Some(cell) = quiet_cell(&self.position(), random) else { return };
        let heard = self.table.answer(cell, any_time(random));
        assert_eq!(heard, [format!("move {}", self.written(cell))]);
        self.moves.push(cell);
        self.assert_in_step(false);
    }

    /// True if the engine is searching for analysis.
    fn analyses(&self) -> bool {
        self.mode == Mode::Analysis && !self.has_analysed
    }
}

/// One thing that a client does.
fn step(model: &mut Model, random: &mut Generator) {
    let number = u64::from(1 + below(random, 500));
    let kind = below(random, 15);
    // A command that leads to a position begins an analysis anew.
    model.has_analysed &= !matches!(kind, 5 | 8 | 10 | 12..);
    match kind {
        0 => {
            model.say(&format!("st {number}"));
            model.time = Time::Move(number * 1000);
        }
        1 => {
            let moves = u64::from(below(random, 4));
            model.say(&format!("level {moves} {number}:30 1.5"));
            model.time = Time::Level { moves, base: number * 60_000 + 30_000, increment: 1500 };
            model.left = [None; 2];
        }
        2 => {
            model.say(&format!("sd {number}"));
            model.depth = number;
        }
        3 => {
            model.say(&format!("time {number}"));
            model.left[0] = Some(10 * number);
        }
        4 => {
            model.say(&format!("otim {number}"));
            model.left[1] = Some(10 * number);
        }
        5 => {
            model.say("new");
            model.start = Position::start(model.start.rules());
            (model.moves, model.mode, model.depth) = (Vec::new(), Mode::Plays(Player::O), 0);
        }
        6 => {
            model.say("force");
            model.mode = Mode::Force;
        }
        7 => {
            model.mode = Mode::Plays(model.position().side());
            model.say("go");
            return end_of_search(model, random);
        }
        8 => {
            model.say("analyze");
            model.mode = Mode::Analysis;
        }
        9 => {
            let most = if below(random, 2) == 0 { 1 } else { 2 };
            let heard = model.say(if most == 1 { "undo" } else { "remove" });
            if most <= model.moves.len() {
                model.has_analysed = false;
                model.moves.truncate(model.moves.len() - most);
                assert!(heard.is_empty(), "{heard:?}");
            } else {
                assert!(heard.len() == 1 && heard[0].starts_with("Error ("), "{heard:?}");
            }
        }
        10 => {
            model.start = model.position();
            model.moves.clear();
            let heard = model.say(&format!("setboard {}", model.start.diagram().fen()));
            assert!(heard.is_empty(), "{heard:?}");
        }
        11 if model.analyses() => {
            let Some(cell) = quiet_cell(&model.position(), random) else { return };
            // Two lines of thinking, and no move.
            assert_eq!(model.table.answer(cell, any_time(random)).len(), 2);
            model.has_analysed = true;
        }
        11 => {}
        _ => {
            let Some(cell) = quiet_cell(&model.position(), random) else { return };
            let word = if below(random, 2) == 0 { "usermove " } else { "" };
            let heard = model.say(&format!("{word}{}", model.written(cell)));
            assert!(heard.is_empty(), "{heard:?}");
            model.moves.push(cell);
            if model.mode == Mode::Plays(model.position().side()) {
                return end_of_search(model, random);
            }
        }
    }
    model.assert_in_step(model.analyses());
}

/// Ends the search for a move: by an answer, by `?`, or by a command that wants no move any more.
fn end_of_search(model: &mut Model, random: &mut Generator) {
    model.assert_in_step(true);
    // The move with which a table answers `stop`.
    let stopped = model.position().moves().last().expect("the game goes on");
    match below(random, 5) {
        0 if model.position().after(stopped).outcome().is_none() => {
            assert_eq!(model.say("?"), [format!("move {}", model.written(stopped))]);
            model.moves.push(stopped);
        }
        1 => {
            let word = ["force", "exit", "result 1-0 {resigns}"][below(random, 3) as usize];
            assert_eq!(model.say(word), [""; 0]);
            model.mode = Mode::Force;
        }
        _ => return model.answer(random),
    }
    model.assert_in_step(false);
}

#[test]
fn every_search_has_the_game_and_the_time_that_were_told() {
    let mut random = generator(31, Stream::Go(1));
    for (variant, size, reverse) in [("noughts5", 5, false), ("reverse4", 4, true), ("noughts10", 10, false)] {
        for _ in 0..60 {
            let mut model = Model::new(variant, Rules::new(size, 4, reverse).expect("rules within range"));
            for _ in 0..60 {
                if quiet_cell(&model.position(), &mut random).is_none() {
                    break;
                }
                step(&mut model, &mut random);
            }
        }
    }
}

#[test]
fn a_result_is_claimed_once_and_taken_back_with_its_move() {
    for (reverse, variant, winner) in [(false, "noughts4", "1-0"), (true, "reverse4", "0-1")] {
        let mut model = Model::new(variant, Rules::new(4, 3, reverse).expect("rules within range"));
        model.say("force");
        let cells: Vec<String> =
            [(0, 0), (3, 0), (0, 1), (3, 1), (0, 2)].map(|(row, column)| model.written(Cell::new(row, column))).into();
        for (ply, cell) in cells.iter().enumerate() {
            let heard = model.say(cell);
            let is_last = ply + 1 == cells.len();
            assert_eq!(heard.len(), usize::from(is_last), "{heard:?}");
            assert!(!is_last || heard[0].starts_with(winner), "{heard:?}");
        }
        assert_eq!(model.table.position.outcome(), Some(Outcome::Win(if reverse { Player::O } else { Player::X })));
        // No search in a game that is over: the claim again, or a refusal.
        assert!(model.say("go")[0].starts_with(winner) && model.table.search.is_none());
        assert!(model.say("hint")[0].starts_with("Error ") && model.table.search.is_none());
        assert!(model.say("analyze").is_empty() && model.table.search.is_none());
        let refused = model.say(&cells[0]);
        assert!(refused[0].starts_with("Illegal move"), "{refused:?}");
        model.say("force");
        assert!(model.say("undo").is_empty());
        // The game goes on: the same move claims again, another does not.
        assert!(model.say("go").is_empty() && model.table.search.is_some());
    }
}

#[test]
fn a_move_of_the_engine_that_ends_the_game_claims_it() {
    let mut model = Model::new("noughts4", Rules::new(4, 3, false).expect("rules within range"));
    model.say("force");
    for (row, column) in [(0, 0), (3, 0), (0, 1), (3, 1)] {
        model.say(&model.written(Cell::new(row, column)));
    }
    assert!(model.say("go").is_empty());
    let heard = model.table.answer(Cell::new(0, 2), None);
    assert_eq!(heard.len(), 2, "{heard:?}");
    assert!(heard[0] == "move P@c4" && heard[1].starts_with("1-0 {X completed a line}"), "{heard:?}");
    assert!(matches!(MoveText::from(Cell::new(0, 2)), MoveText::RowColumn(0, 2)));
}

#[test]
fn thinking_is_shown_from_post_to_nopost_across_games() {
    let mut model = Model::new("noughts5", Rules::new(5, 4, false).expect("rules within range"));
    let mut shown = |word: &str| {
        model.say(word);
        model.say("new");
        model.say(&model.written(Cell::new(2, 2)));
        let heard = model.table.answer(Cell::new(0, 0), Some(50));
        heard.iter().filter(|line| !line.starts_with("move ")).count()
    };
    assert_eq!(["random", "post", "random", "nopost", "random"].map(&mut shown), [0, 2, 2, 0, 0]);
}

#[test]
fn memory_and_cores_set_the_options_of_the_engine() {
    let mut model = Model::new("noughts5", Rules::new(5, 4, false).expect("rules within range"));
    for (line, name, value) in
        [("memory 64", "Hash", "64"), ("cores 2", "Threads", "2"), ("option trials=300", "trials", "300")]
    {
        assert!(model.say(line).is_empty(), "{line}");
        assert_eq!(model.table.options.last(), Some(&(name.to_owned(), value.to_owned())), "{line}");
    }
    assert!(model.say("ping 7") == ["pong 7"]);
}
