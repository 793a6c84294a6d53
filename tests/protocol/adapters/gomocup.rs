//! The protocol of Gomocup: five in a row on 5x5 to 20x20, one answer to each question, errors that change nothing.

use std::time::{Duration, Instant};

use crate::common::foreign::{Dialect, Foreign, read_xy, xy};
use crate::common::random_games::any_move;
use crate::common::{rules, without_times};
use noughts::game::{Cell, Position};
use noughts::search::{Stream, below, generator};
use noughts_oracle::{Board, Player};

/// Options under which answers are quick and depend on nothing but the numbers of questions before.
const QUICK: &[(&str, &str)] = &[("player", "montecarlo"), ("trials", "30"), ("seed", "3")];

fn gomocup() -> Foreign {
    Foreign::new(Dialect::Gomocup, QUICK)
}

fn started(size: u8) -> Foreign {
    let mut brain = gomocup();
    assert_eq!(brain.answer(&format!("START {size}")), "OK");
    brain
}

/// The answer to a question that asks for a move.
fn asked(brain: &mut Foreign, question: &str) -> Cell {
    let answer = brain.answer(question);
    read_xy(&answer).unwrap_or_else(|| panic!("{question}: {answer}"))
}

fn is_refusal(line: &str) -> bool {
    line.starts_with("ERROR ") || line.starts_with("UNKNOWN")
}

#[test]
fn boards_from_5_to_20_are_accepted() {
    for size in 5..=20 {
        assert_eq!(gomocup().answer(&format!("START {size}")), "OK");
        assert_eq!(gomocup().answer(&format!("RECTSTART {size},{size}")), "OK");
    }
}

#[test]
fn about_names_the_program_on_one_line() {
    let mut talk = gomocup().talk;
    let said = talk.send("ABOUT\n").until_idle();
    assert_eq!(said.len(), 1);
    for key in ["name=\"", "version=\"", "author=\""] {
        assert!(said[0].contains(key), "{}", said[0]);
    }
    assert!(said[0].contains(env!("CARGO_PKG_VERSION")));
}

#[test]
fn without_a_board_every_question_is_refused() {
    for question in ["BEGIN", "TURN 1,1", "RESTART", "TAKEBACK 1,1", "BOARD\n1,1,2\nDONE"] {
        let mut talk = gomocup().talk;
        let said = talk.send(&format!("ABOUT\n{question}\n")).until_idle();
        assert_eq!(said.len(), 2, "{question}: {said:?}");
        assert!(said[1].starts_with("ERROR"), "{question}: {said:?}");
        let said = talk.send("START 5\nBEGIN\n").until_idle();
        assert_eq!(said[0], "OK");
        assert!(read_xy(said.last().expect("an answer")).is_some(), "{said:?}");
    }
}

/// Games to the end, the engine against chance; every answer is legal.
#[test]
fn every_answer_of_a_whole_game_is_one_legal_move() {
    for (number, size) in [5, 5, 5, 5, 6, 6, 7, 8, 9, 10, 11, 15, 19, 20].into_iter().enumerate() {
        let mut random = generator(number as u64, Stream::Order);
        let mut brain = started(size);
        let mut game = Position::start(rules(size, 5, false));
        if number % 2 == 0 {
            game.play(asked(&mut brain, "BEGIN")).expect("a legal move");
        }
        while game.outcome().is_none() {
            let turn = any_move(&game, &mut random);
            game.play(turn).expect("a legal move");
            let question = format!("TURN {}", xy(turn));
            if game.outcome().is_some() {
                // The manager would not ask any more; who does gets one line and no move.
                let answer = brain.answer(&question);
                assert!(read_xy(&answer).is_none(), "{size}: {answer}");
            } else {
                let answer = asked(&mut brain, &question);
                game.play(answer).unwrap_or_else(|error| panic!("{size}: {question}: {answer}: {error:?}"));
            }
        }
        let anything = game.moves().next().unwrap_or(Cell::new(0, 0));
        for question in [format!("TURN {}", xy(anything)), "BEGIN".to_owned()] {
            let answer = brain.answer(&question);
            assert!(answer.starts_with("ERROR"), "{size}: after the end, {question}: {answer}");
        }
        assert_eq!(brain.answer("RESTART"), "OK");
        asked(&mut brain, "BEGIN");
    }
}

const WRONG: &[&str] = &[
    "TURN",
    "TURN 1",
    "TURN 1,",
    "TURN ,1",
    "TURN a,b",
    "TURN 7,0",
    "TURN 0,7",
    "TURN -1,0",
    "TURN 1,2,3",
    "TURN 99999999999999999999,1",
    "TURN 3,3",
    "TURN 4294967299,3",
    "TURN 0x1,1",
    "TURN b2",
    "TURN P@b2",
    "FOO",
    "START 0",
    "START 1",
    "START 4",
    "START 21",
    "START -5",
    "START 5.5",
    "START 99999999999999999999",
    "START",
    "START abc",
    "RECTSTART 0,0",
    "RECTSTART 4,4",
    "RECTSTART 4,6",
    "RECTSTART 21,21",
    "RECTSTART 15",
    "RECTSTART a,b",
    "RECTSTART",
    "TAKEBACK",
    "TAKEBACK 9,9",
    "TAKEBACK 0,0",
    "TAKEBACK x",
    "INFO rule 1",
    "INFO rule 2",
    "INFO rule 4",
    "INFO rule 8",
    "INFO rule x",
    "INFO rule -1",
    "INFO rule",
    "INFO timeout_turn abc",
    "INFO timeout_turn",
    "INFO timeout_match x",
    "INFO time_left x",
    "INFO max_memory x",
    "INFO size 9",
    "INFO SIZE 7",
    "INFO Connect 4",
    "INFO reverse true",
    "INFO uci_variant tictactoe",
    "INFO level 11",
    "INFO level",
    "INFO Seed x",
    "INFO player best",
    "INFO player value random",
    "INFO score_other -1",
    "INFO Debug  Log\tFile /",
    "DONE",
    "1,1,1",
    "1,1",
    "go",
    "position startpos",
    "isready",
    "uci",
    "ugi",
    "xboard",
    "usermove P@b2",
    "quit now",
    "setoption size 3",
    "P@b2",
    "PLAY 1,1",
    "SWAP2BOARD",
    "BOARD\n1,1,1\nxyz\nDONE",
    "BOARD\n1,1,2\nTURN 0,0\nDONE",
    "BOARD\n1,1,1\n1,1,2\nDONE",
    "BOARD\n1,1,1\n1,1,1\n0,0,2\nDONE",
    "BOARD\n7,1,2\nDONE",
    "BOARD\n1,1,0\nDONE",
    "BOARD\n1,1,4\nDONE",
    "BOARD\n1,1\nDONE",
    "BOARD\n1,1,1\nDONE",
    "BOARD\n1,1,2\n2,2,2\nDONE",
    "BOARD\n-1,1,2\nDONE",
    "BOARD\n1,1,2,2\nDONE",
    "BOARD\n1,1,99999999999999999999\nDONE",
    "BOARD\n0,0,2\n1,0,2\n2,0,2\n3,0,2\n4,0,2\n0,1,1\n1,1,1\n2,1,1\n3,1,1\nDONE",
];

/// A game of seven questions on 7x7, with `between` before each from the second on.
fn game_with(between: &str) -> Vec<String> {
    let mut brain = started(7);
    let mut said = Vec::new();
    for (number, question) in ["TURN 3,3", "TURN 0,6", "TURN 6,6", "TURN 6,0", "TURN 5,1"].iter().enumerate() {
        if number > 0 && !between.is_empty() {
            let refusals = brain.answers(between);
            assert_eq!(refusals.len(), 1, "{between:?}: {refusals:?}");
            assert!(is_refusal(&refusals[0]), "{between:?}: {refusals:?}");
        }
        said.extend(brain.say(question).iter().map(|line| without_times(line)));
    }
    said
}

#[test]
fn every_wrong_line_gets_one_refusal_and_changes_nothing() {
    let plain = game_with("");
    assert_eq!(plain.len(), 10);
    for wrong in WRONG {
        assert_eq!(game_with(wrong), plain, "{wrong:?}");
    }
}

#[test]
fn what_a_manager_says_for_information_is_silent() {
    let plain = game_with("");
    let mut brain = started(7);
    let mut said = Vec::new();
    for question in ["TURN 3,3", "TURN 0,6", "TURN 6,6", "TURN 6,0", "TURN 5,1"] {
        let silent = "INFO rule 0\nINFO game_type 1\nINFO timeout_match 0\nINFO time_left 2147483647\n\
            INFO folder /tmp\nINFO evaluate 1,2\nINFO max_memory 0\nINFO frobnicate 7\nINFO frobnicate\n\
            INFO debug log 1\nINFO levels 3\nINFO size=9\nINFO name size value 9\nINFO\n\n   \n";
        assert_eq!(brain.say(silent), [""; 0]);
        said.extend(brain.say(question).iter().map(|line| without_times(line)));
    }
    assert_eq!(said.iter().filter(|line| read_xy(line).is_some()).count(), plain.len() / 2);
}

/// Moves of a brain on 7x7 to which this has been said behind START.
fn moves_after(options: &[(&str, &str)], infos: &str) -> Vec<String> {
    let mut brain = Foreign::new(Dialect::Gomocup, options);
    brain.say("START 7");
    assert_eq!(brain.say(infos), [""; 0], "{infos}");
    ["TURN 3,3", "TURN 0,6", "TURN 6,6", "TURN 6,0"].map(|question| brain.answer(question)).to_vec()
}

#[test]
fn info_sets_every_option_but_those_of_the_game() {
    let all = [
        ("player", "montecarlo"),
        ("level", "3"),
        ("trials", "40"),
        ("max_trials", "30"),
        ("score_current", "2"),
        ("score_other", "0.5"),
        ("exploration", "0.7"),
        ("tiebreak", "first"),
        ("MultiPV", "2"),
        ("Hash", "8"),
        ("Threads", "2"),
        ("Move Overhead", "20"),
        ("seed", "5"),
    ];
    let names: Vec<&str> = noughts::engine::OPTIONS.iter().map(|option| option.name).collect();
    for name in names {
        let is_of_the_game = ["size", "columns", "connect", "reverse", "UCI_Variant"].contains(&name);
        assert_eq!(all.iter().any(|(set, _)| *set == name), !is_of_the_game, "{name}");
    }
    let infos =
        |options: &[(&str, &str)]| options.iter().map(|(name, value)| format!("INFO {name} {value}\n")).collect();
    let told: String = infos(&all);
    assert_eq!(moves_after(&[], &told), moves_after(&all, ""));
    assert_eq!(moves_after(&[], &told.to_ascii_uppercase()), moves_after(&all, ""));
    assert_eq!(moves_after(&[], &told.replace(' ', " \t ")), moves_after(&all, ""));
    // Each of these options alone makes another player of this one.
    for (name, value) in [("level", "1"), ("player", "random"), ("seed", "6"), ("trials", "1")] {
        let others: Vec<_> = all.iter().map(|&(set, old)| (set, if set == name { value } else { old })).collect();
        let told: String = infos(&others);
        assert_eq!(moves_after(&[], &told), moves_after(&others, ""), "{name}");
        assert_ne!(moves_after(&[], &told), moves_after(&all, ""), "{name}");
    }
}

#[test]
fn info_sets_an_option_whose_name_and_value_have_blanks() {
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = path.join(format!("gomocup {} a log", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let mut brain = started(5);
    assert_eq!(brain.say(&format!("INFO debug LOG file {}", path.display())), [""; 0]);
    let text = std::fs::read_to_string(&path).expect("the log has begun");
    assert!(text.contains(" = Noughts "), "{text}");
    std::fs::remove_file(path).expect("it can be removed");
}

#[test]
fn commands_in_lower_case_and_with_odd_blanks_are_understood() {
    let talk = |text: &str| {
        let mut talk = gomocup().talk;
        let said = talk.send(text).until_idle();
        said.iter().map(|line| without_times(line)).collect::<Vec<_>>()
    };
    let plain = talk("START 9\nTURN 3,4\nTURN 8,8\nRESTART\nBEGIN\n");
    assert_eq!(plain.len(), 8);
    assert_eq!(talk("start 9\nturn 3,4\nTurn 8,8\nrestart\nbegin\n"), plain);
    assert_eq!(talk("\u{feff}START 9\r\nTURN 3,4\r\n\r\n\r\nTURN 8,8\r\nRESTART\r\nBEGIN\r\n"), plain);
    assert_eq!(talk("  START \t 9  \n TURN\t3,4 \nTURN   8,8\n# what\nRESTART\n\nBEGIN \n"), plain);
}

#[test]
fn the_end_of_a_game_can_be_taken_back() {
    let mut brain = Foreign::new(Dialect::Gomocup, &[("player", "perfect"), ("tiebreak", "first")]);
    brain.say("START 9");
    let board = "BOARD\n0,0,1\n1,0,1\n2,0,1\n3,0,1\n0,2,2\n1,4,2\n7,7,2\n6,2,2\nDONE";
    assert_eq!(brain.answer(board), "4,0");
    assert_eq!(brain.answer("TAKEBACK 4,0"), "OK");
    assert_eq!(brain.answer(board), "4,0");
    assert_eq!(brain.answer("TAKEBACK 4,0"), "OK");
}

#[test]
fn a_full_or_won_board_gets_an_error_and_keeps_the_old_game() {
    let full: Vec<String> = Cell::all(5)
        .map(|cell| format!("{},{}", xy(cell), if (cell.column() + cell.row() / 2) % 2 == 0 { 1 } else { 2 }))
        .collect();
    let won = "0,0,1\n0,1,1\n0,2,1\n0,3,1\n0,4,1\n1,0,2\n1,1,2\n1,2,2\n1,3,2\n2,2,2".to_owned();
    for stones in [full.join("\n"), won] {
        let mut brain = started(5);
        let first = asked(&mut brain, "TURN 2,2");
        let answer = brain.answer(&format!("BOARD\n{stones}\nDONE"));
        assert!(answer.starts_with("ERROR"), "{answer}");
        assert!(brain.answer("TURN 2,2").starts_with("ERROR"), "the old game is still there");
        let free = Cell::all(5).find(|&cell| cell != first && cell != Cell::new(2, 2)).expect("a square");
        asked(&mut brain, &format!("TURN {}", xy(free)));
    }
}

#[test]
fn the_clock_is_obeyed() {
    for (infos, most) in [
        ("INFO timeout_turn 200", 1500),
        ("INFO timeout_turn 0", 1000),
        ("INFO timeout_turn 1", 1000),
        ("INFO timeout_turn 60000\nINFO timeout_match 1000\nINFO time_left 300", 1300),
        ("INFO timeout_turn 60000\nINFO timeout_match 60000\nINFO time_left 0", 1000),
        ("INFO timeout_turn 60000\nINFO timeout_match 60000\nINFO time_left -5", 1000),
        ("INFO timeout_turn 300\nINFO timeout_match 0\nINFO time_left 2147483647", 1500),
        ("INFO timeout_turn 300\nINFO timeout_match 1000000\nINFO time_left 1000000", 1500),
    ] {
        for player in ["auto", "mcts", "perfect"] {
            let mut brain = Foreign::new(Dialect::Gomocup, &[("player", player)]);
            brain.say(&format!("START 20\n{infos}"));
            let start = Instant::now();
            asked(&mut brain, "TURN 9,9");
            let time = start.elapsed();
            assert!(time < Duration::from_millis(most), "{player}: {infos}: {time:?}");
        }
    }
}

/// Random lines of sense and nonsense, with a referee that knows what each must be answered.
#[test]
fn whatever_is_said_every_question_has_one_answer() {
    let mut random = generator(2026, Stream::Order);
    for round in 0..40 {
        let size = [5, 6, 7][round % 3];
        let mut brain = started(size);
        let mut table = Table(Board::new(size.into(), 5, false));
        for _ in 0..80 {
            let (x, y) = (below(&mut random, u32::from(size) + 1) as u8, below(&mut random, u32::from(size) + 1) as u8);
            let cell = Cell::new(y, x);
            match below(&mut random, 8) {
                // A move of the engine, if it can be its turn.
                0 => {
                    let answer = brain.answer("BEGIN");
                    match read_xy(&answer) {
                        Some(answer) => table.engine_moves(answer),
                        None => assert!(answer.starts_with("ERROR") && !table.is_engines_turn(), "{answer}"),
                    }
                }
                1 => {
                    let answer = brain.answer(&format!("TAKEBACK {}", xy(cell)));
                    let taken = table.is_on_board(cell) && table.has_stone(cell);
                    if taken {
                        let index = table.index(cell);
                        table.0.stones[index] = None;
                    }
                    assert_eq!(answer == "OK", taken, "{}: {answer}", xy(cell));
                    assert!(taken || answer.starts_with("ERROR"), "{answer}");
                }
                2 => assert!(is_refusal(&brain.answer("GARBAGE 1"))),
                _ => {
                    let answer = brain.answer(&format!("TURN {}", xy(cell)));
                    if !table.is_on_board(cell) || table.has_stone(cell) {
                        assert!(answer.starts_with("ERROR"), "{answer}");
                        continue;
                    }
                    let index = table.index(cell);
                    table.0.stones[index] = Some(Player::O);
                    match read_xy(&answer) {
                        Some(answer) => table.engine_moves(answer),
                        None => {
                            assert!(answer.starts_with("ERROR") && !table.is_engines_turn(), "{answer}");
                            // Refused or the end of the game: the next game is a new one.
                            assert_eq!(brain.answer("RESTART"), "OK");
                            table.0.stones.fill(None);
                        }
                    }
                }
            }
        }
    }
}

/// A board with the stones of the engine as X, whatever their order was.
struct Table(Board);

impl Table {
    /// True if a stone lies there.
    fn has_stone(&self, cell: Cell) -> bool {
        self.0.stones[self.index(cell)].is_some()
    }

    fn index(&self, cell: Cell) -> usize {
        cell.index(self.0.columns as u8)
    }

    fn is_on_board(&self, cell: Cell) -> bool {
        usize::from(cell.row().max(cell.column())) < self.0.columns
    }

    /// True if the engine can be to move: the game goes on, and the numbers of stones may be those of a game.
    fn is_engines_turn(&self) -> bool {
        let [own, others] =
            Player::BOTH.map(|player| self.0.stones.iter().filter(|&&stone| stone == Some(player)).count());
        (own == others || own + 1 == others) && self.0.outcome().is_none()
    }

    fn engine_moves(&mut self, cell: Cell) {
        assert!(self.is_engines_turn(), "{}: it is not the engine's turn", xy(cell));
        assert!(self.is_on_board(cell) && !self.has_stone(cell), "{}", xy(cell));
        let index = self.index(cell);
        self.0.stones[index] = Some(Player::X);
    }
}
