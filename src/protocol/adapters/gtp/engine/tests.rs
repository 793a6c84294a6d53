//! Both sides of conversations, against a small model of an engine.

use proptest::prelude::*;

use super::*;
use crate::protocol::adapters::gtp::player_of;
use noughts_core::game::Diagram;
use noughts_core::search::{Generator, Stream, below, generator};

/// The commands that every engine of the tests lists.
const PLAIN: &str = "boardsize\nclear_board\nplay\ngenmove";

/// What an engine of GTP keeps of its commands.
#[derive(Default)]
struct Table {
    rows: u8,
    columns: u8,
    stones: Vec<(Cell, Player)>,
    /// All commands, with their numbers.
    heard: Vec<String>,
    lists: String,
    /// The first words of commands that it refuses.
    refuses: Vec<&'static str>,
    /// True if it refuses numbers with a decimal point.
    refuses_decimals: bool,
    /// The player whose move it was asked for, with the number of the question.
    asked: Option<(String, Player)>,
    /// True if its responses leave the number out.
    is_silent_about_numbers: bool,
}

impl Table {
    /// The response to a command. A move is left open.
    fn obey(&mut self, line: &str) -> Option<String> {
        self.heard.push(line.to_owned());
        let (id, command) = line.split_once(' ').expect("a number and a command");
        assert!(id.parse::<u64>().is_ok(), "{line}");
        let words: Vec<&str> = command.split(' ').collect();
        if self.refuses.contains(&words[0]) || self.refuses_decimals && command.contains('.') {
            return Some(self.response('?', id, "not this one"));
        }
        let answer = match words[..] {
            ["protocol_version"] => "2",
            ["name"] => "Table",
            ["version"] => "1.5",
            ["list_commands"] => &self.lists.clone(),
            ["boardsize", size] => {
                (self.rows, self.columns) = (size.parse().expect("rows"), size.parse().expect("columns"));
                ""
            }
            ["boardsize", rows, columns] => {
                (self.rows, self.columns) = (rows.parse().expect("rows"), columns.parse().expect("columns"));
                ""
            }
            ["clear_board"] => {
                self.stones.clear();
                ""
            }
            ["play", player, at] => {
                let cell = cell_at(at, self.shape()).expect("a vertex of the board");
                assert!(self.stones.iter().all(|(taken, _)| *taken != cell), "{at} is taken");
                self.stones.push((cell, player_of(player).expect("a colour")));
                ""
            }
            ["genmove", player] => {
                self.asked = Some((id.to_owned(), player_of(player).expect("a colour")));
                return None;
            }
            _ => "",
        };
        Some(self.response('=', id, answer))
    }

    fn shape(&self) -> Shape {
        Shape { rows: self.rows, columns: self.columns }
    }

    fn response(&self, status: char, id: &str, text: &str) -> String {
        format!("{status}{} {text}\n\n", if self.is_silent_about_numbers { "" } else { id })
    }

    /// The response to the question for a move: this text.
    fn answer(&mut self, text: &str) -> String {
        let (id, player) = self.asked.take().expect("a question");
        self.stones.extend(cell_at(text, self.shape()).map(|cell| (cell, player)));
        self.response('=', &id, text)
    }
}

/// An adapter and its engine.
struct Talk {
    gtp: GtpEngine,
    table: Table,
}

impl Talk {
    fn new(rules: Rules, lists: &str) -> Talk {
        Talk { gtp: GtpEngine::new(rules), table: Table { lists: lists.to_owned(), ..Table::default() } }
    }

    /// A conversation in which the game is set up.
    fn ready(rules: Rules, lists: &str) -> Talk {
        let mut talk = Talk::new(rules, lists);
        talk.say(&["ugi"]);
        assert_eq!(talk.step(), Ok(GameStep::DoneWhenReady));
        talk
    }

    fn step(&mut self) -> Result<GameStep, &'static str> {
        let mut text = String::new();
        let step = self.gtp.game_step(&[], &[], &mut text);
        self.pass_on(&text);
        step
    }

    /// Says lines of our protocol. Returns what the engine hears, without the numbers, and the replies.
    fn talk(&mut self, lines: &[&str]) -> (Vec<String>, Vec<String>) {
        let mut text = String::new();
        lines.iter().for_each(|line| self.gtp.write_command(&line.parse().expect("a command"), &mut text));
        let replies = self.pass_on(&text);
        (text.lines().map(|line| line.split_once(' ').expect("a number").1.to_owned()).collect(), replies)
    }

    fn say(&mut self, lines: &[&str]) -> Vec<String> {
        self.talk(lines).0
    }

    /// The engine reads these lines, and the adapter its responses.
    fn pass_on(&mut self, text: &str) -> Vec<String> {
        let responses: String = text.lines().filter_map(|line| self.table.obey(line)).collect();
        self.hear(&responses)
    }

    /// The adapter reads these lines.
    fn hear(&mut self, lines: &str) -> Vec<String> {
        let mut replies = VecDeque::new();
        for line in lines.lines() {
            self.gtp.read_line(InputLine::Text(line.to_owned()), &mut replies);
        }
        replies.iter().map(EngineReply::to_string).collect()
    }

    /// Asks for a move, which is this. Returns what the engine heard.
    fn ask(&mut self, position: &str, answer: &str) -> Vec<String> {
        let heard = self.say(&[&format!("position {position}"), "go"]);
        let response = self.table.answer(answer);
        self.hear(&response);
        heard
    }
}

fn rules(shape: impl Into<Shape>, connect: u16, reverse: bool) -> Rules {
    Rules::new(shape, connect, reverse).expect("rules within range")
}

fn five() -> Rules {
    rules(15, 5, false)
}

#[test]
fn an_engine_introduces_itself_with_those_of_our_options_that_it_lists() {
    let mut talk =
        Talk::new(five(), &format!("{PLAIN}\nnoughts-seed\nNOUGHTS-move_overhead\nnoughts-size\nnoughts-explain"));
    let (heard, replies) = talk.talk(&["ugi"]);
    assert_eq!(heard, ["protocol_version", "name", "version", "list_commands"]);
    assert_eq!((replies[0].as_str(), replies[3].as_str()), ("id name Table 1.5", "ugiok"));
    let declared = |name| {
        let kind = OptionSpec::named(name).expect("an option").option_type();
        Reply::Option { name: name.to_owned(), kind }.to_string()
    };
    let mut options = [declared("seed"), declared("Move Overhead")];
    let mut found = replies[1..3].to_owned();
    options.sort();
    found.sort();
    assert_eq!(found, options);
    assert_eq!(talk.say(&["setoption name move overhead value 20"]), ["NOUGHTS-move_overhead 20"]);
    assert_eq!(talk.say(&["setoption name level value 2"]), [""; 0]);
    talk.table.refuses = vec!["noughts-seed"];
    let refused = talk.talk(&["setoption name seed value x"]).1;
    assert_eq!(refused, ["info string error: noughts-seed x: not this one"]);
}

#[test]
fn a_game_is_set_up_before_the_first_question() {
    let own = format!("{PLAIN}\nnoughts-connect\nnoughts-reverse");
    for (rules, lists, expected) in [
        (rules(3, 0, false), PLAIN, &["boardsize 3", "clear_board"][..]),
        (five(), PLAIN, &["boardsize 15", "clear_board"]),
        (
            rules(Shape { rows: 5, columns: 9 }, 3, false),
            &own,
            &["boardsize 5 9", "clear_board", "noughts-connect 3", "noughts-reverse false"],
        ),
        (rules(4, 0, true), &own, &["boardsize 4", "clear_board", "noughts-connect 4", "noughts-reverse true"]),
        (five(), &own, &["boardsize 15", "clear_board", "noughts-connect 5", "noughts-reverse false"]),
    ] {
        let mut talk = Talk::ready(rules, lists);
        let heard = talk.table.heard.iter().map(|line| line.split_once(' ').expect("a number").1);
        assert_eq!(heard.skip(4).collect::<Vec<_>>(), expected, "{rules}");
        assert_eq!(
            talk.talk(&["newgame", "isready"]),
            (vec!["protocol_version".to_owned()], vec!["readyok".to_owned()])
        );
    }
}

#[test]
fn a_game_that_an_engine_cannot_be_told_is_refused() {
    let no_genmove = PLAIN.replace("\ngenmove", "");
    for (rules, lists, reason) in [
        (five(), no_genmove.as_str(), "it lists no command genmove"),
        (five(), "", "it lists no command boardsize"),
        (rules(3, 2, false), PLAIN, "it lists no command noughts-connect; "),
        (rules(4, 0, false), PLAIN, "it lists no command noughts-connect; "),
        (rules(15, 6, false), PLAIN, "it lists no command noughts-connect; "),
        (rules(Shape { rows: 5, columns: 9 }, 5, false), PLAIN, "it lists no command noughts-connect; "),
        (rules(3, 0, true), PLAIN, "it lists no command noughts-reverse; "),
    ] {
        let mut talk = Talk::new(rules, lists);
        talk.say(&["ugi"]);
        assert!(talk.step().expect_err("a reason").starts_with(reason), "{rules}");
    }
    let mut talk = Talk::new(five(), PLAIN);
    talk.table.refuses = vec!["boardsize"];
    talk.say(&["ugi"]);
    let mut text = String::new();
    assert_eq!(talk.gtp.game_step(&[], &[], &mut text), Ok(GameStep::DoneWhenReady));
    let replies = talk.pass_on(&text);
    assert_eq!(replies, ["info string error: boardsize 15: not this one"]);
}

#[test]
fn another_version_of_the_protocol_is_an_error_before_the_engine_is_ready() {
    let mut talk = Talk::new(five(), PLAIN);
    talk.gtp.write_command(&Command::IsReady, &mut String::new());
    let error = "info string error: protocol_version: 1; only version 2 of GTP is known here";
    assert_eq!(talk.hear("=1 1\n\n"), [error, "readyok"]);
}

#[test]
fn a_game_goes_on_with_the_stones_that_are_new() {
    let mut talk = Talk::ready(five(), PLAIN);
    assert_eq!(talk.ask("startpos", "H8"), ["genmove b"]);
    assert_eq!(talk.ask("startpos moves 7,7 0,14", "h7"), ["play w P15", "genmove b"]);
    assert_eq!(talk.say(&["newgame"]), ["clear_board"]);
    assert_eq!(talk.say(&["newgame"]), [""; 0]);
    assert_eq!(talk.ask("startpos moves 14,0", "B1"), ["play b A1", "genmove w"]);
    // Another game, without a word.
    assert_eq!(talk.ask("startpos moves 14,1", "A1"), ["clear_board", "play b B1", "genmove w"]);
    assert_eq!(talk.say(&["quit"]), ["quit"]);
}

#[test]
fn the_board_is_set_up_anew_after_a_wrong_move_or_a_refused_stone() {
    for wrong in ["H8", "Z99", "pass", "resign", ""] {
        let mut talk = Talk::ready(five(), PLAIN);
        talk.ask("startpos moves 7,7", wrong);
        let heard = talk.ask("startpos moves 7,7 7,8 7,9", "A1");
        assert_eq!(heard, ["clear_board", "play b H8", "play w J8", "play b K8", "genmove w"], "{wrong}");
    }
    let mut talk = Talk::ready(five(), PLAIN);
    talk.table.refuses = vec!["play"];
    let (_, replies) = talk.talk(&["position startpos moves 7,7", "go"]);
    assert_eq!(replies, ["info string error: play b H8: not this one"]);
    talk.table.refuses.clear();
    let response = talk.table.answer("A1");
    assert_eq!(talk.hear(&response), ["bestmove 14,0"]);
    let heard = talk.ask("startpos moves 7,7 14,0 7,8", "A2");
    assert_eq!(heard, ["clear_board", "play b H8", "play w A1", "play b J8", "genmove w"]);
}

#[test]
fn what_is_no_move_is_no_move_in_the_engines_words() {
    for (response, meaning) in [
        ("=# c13", "bestmove 2,2"),
        ("=#\tC13 ", "bestmove 2,2"),
        ("= C13\nit is the best", "bestmove 2,2"),
        ("=# pass", "bestmove pass"),
        ("=# resign", "bestmove resign"),
        ("=# Z99", "bestmove Z99"),
        ("=# 2,2", "bestmove 2,2"),
        ("=#", "bestmove "),
        ("?# out of ideas", "bestmove ? out of ideas"),
    ] {
        let mut talk = Talk::ready(five(), PLAIN);
        talk.say(&["position startpos", "go"]);
        let (id, _) = talk.table.asked.clone().expect("a question");
        let mut replies = VecDeque::new();
        for line in format!("{}\n\n", response.replace('#', &id)).lines() {
            talk.gtp.read_line(InputLine::Text(line.trim().to_owned()), &mut replies);
        }
        let Some(EngineReply::BestMove { best_move, line }) = replies.pop_front() else { panic!("{response}") };
        assert_eq!((line.to_string().as_str(), replies.len()), (meaning, 0), "{response}");
        assert_eq!(best_move.is_some(), response.to_ascii_lowercase().contains("c13"), "{response}");
    }
}

#[test]
fn bytes_that_are_no_text_stand_for_a_move_that_is_none() {
    let mut talk = Talk::ready(five(), PLAIN);
    talk.say(&["position startpos", "go"]);
    let (id, _) = talk.table.asked.take().expect("a question");
    let mut replies = VecDeque::new();
    let bytes = [format!("={id} ").as_bytes(), b"\xff"].concat();
    talk.gtp.read_line(InputLine::NotText(crate::text::Excerpt::of_bytes(&bytes)), &mut replies);
    talk.gtp.read_line(InputLine::default(), &mut replies);
    let line = InputLine::Text("bestmove \\xff".to_owned());
    assert_eq!(replies, [EngineReply::BestMove { best_move: None, line }]);
}

#[test]
fn a_response_belongs_to_its_number_or_to_the_oldest_command() {
    for is_silent in [false, true] {
        let mut talk = Talk::new(five(), PLAIN);
        talk.table.is_silent_about_numbers = is_silent;
        talk.say(&["ugi"]);
        assert_eq!(talk.step(), Ok(GameStep::DoneWhenReady));
        talk.say(&["isready"]);
        talk.ask("startpos", "A1");
        // One more answer is stale, before the engine is ready for the next question.
        let stale = talk.table.response('=', "8", "B1");
        assert!(talk.table.heard[7].starts_with("8 genmove"), "{:?}", talk.table.heard);
        let mut text = String::new();
        talk.gtp.write_command(&Command::IsReady, &mut text);
        assert_eq!(talk.hear(&stale), ["info string B1 without a question"]);
        assert_eq!(talk.pass_on(&text), ["bestmove (none)", "readyok"]);
        assert_eq!(talk.talk(&["isready"]).1, ["readyok"]);
        assert_eq!(talk.ask("startpos moves 14,0 14,1", "C1"), ["play w B1", "genmove b"]);
    }
}

#[test]
fn an_answer_to_an_earlier_question_comes_before_the_engine_is_ready() {
    let mut talk = Talk::ready(five(), PLAIN);
    talk.say(&["position startpos", "go"]);
    let late = talk.table.answer("A1");
    let mut text = String::new();
    for line in ["isready", "position startpos moves 14,0 14,1", "go"] {
        talk.gtp.write_command(&line.parse().expect("a command"), &mut text);
    }
    // The engine's board may have its stone or not.
    assert!(text.contains("clear_board") && text.contains("play b A1"), "{text}");
    assert_eq!(talk.hear(&late), ["bestmove 14,0"]);
    assert_eq!(talk.pass_on(&text), ["readyok"]);
    let response = talk.table.answer("C1");
    assert_eq!(talk.hear(&response), ["bestmove 14,2"]);
    assert_eq!(talk.ask("startpos moves 14,0 14,1 14,2 0,0", "D1"), ["play w A15", "genmove b"]);
}

#[test]
fn a_response_that_begins_before_its_question_is_none() {
    for start in ["=8 A1\n", "= A1\n"] {
        let mut talk = Talk::ready(five(), PLAIN);
        talk.say(&["isready"]);
        assert!(talk.hear(start).is_empty());
        let (heard, _) = talk.talk(&["position startpos", "go"]);
        assert!(heard == ["genmove b"] && talk.table.heard[7] == "8 genmove b", "{heard:?}");
        assert_eq!(talk.hear("\n"), ["info string A1 without a question"]);
        let response = talk.table.answer("A2");
        assert_eq!(talk.hear(&response), ["bestmove 13,0"]);
    }
}

#[test]
fn lines_outside_a_response_are_for_people_and_a_long_response_is_cut() {
    let mut talk = Talk::ready(five(), PLAIN);
    assert_eq!(talk.hear("\nWelcome!\n\n"), ["info string Welcome!"]);
    assert_eq!(talk.hear("=77777777777777777777777 x\n\n"), ["info string x without a question"]);
    let lines = format!("{}\n", "z".repeat(1000)).repeat(1000);
    assert!(talk.hear(&format!("= \n{lines}")).is_empty());
    assert_eq!(talk.hear("\n").len(), 1);
}

#[test]
fn commands_that_are_passed_over_are_given_up() {
    let mut talk = Talk::ready(five(), PLAIN);
    let mut text = String::new();
    for line in ["position startpos moves 7,7", "isready", "go movetime 5"] {
        talk.gtp.write_command(&line.parse().expect("a command"), &mut text);
    }
    let numbers: Vec<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    let [play, ready, genmove] = numbers[..] else { panic!("{text}") };
    assert_eq!(talk.hear(&format!("={ready} 2\n\n")), ["readyok"]);
    assert_eq!(talk.hear(&format!("={play}\n\n")), ["info string  without a question"]);
    assert_eq!(talk.hear(&format!("={genmove} A1\n\n")), ["bestmove 14,0"]);
    talk.table.asked = None;
    assert_eq!(talk.ask("startpos moves 7,7 14,0 0,0", "C1")[0], "clear_board");
}

#[test]
fn times_are_told_when_they_change_as_far_as_the_engine_knows_the_commands() {
    let clock = |x: u32, o: u32| format!("go wtime {x} btime {o} winc 100 binc 100");
    let mut talk = Talk::ready(five(), &format!("{PLAIN}\ntime_settings\ntime_left"));
    let mut times = |lines: &[&str]| {
        let (heard, replies) = talk.talk(lines);
        let response = talk.table.answer("A1");
        talk.hear(&response);
        let heard = heard.into_iter().filter(|line| line.starts_with("time")).collect::<Vec<_>>().join(", ");
        (heard, replies)
    };
    let mut told = |lines: &[&str]| times(lines).0;
    assert_eq!(told(&["position startpos", "go"]), "");
    assert_eq!(told(&["position startpos", "go movetime 200"]), "time_settings 0 0.2 1");
    assert_eq!(told(&["position startpos", "go movetime 200"]), "");
    assert_eq!(told(&["position startpos", "go movetime 3000"]), "time_settings 0 3 1");
    assert_eq!(
        told(&["newgame", "position startpos", &clock(10_000, 9000)]),
        "time_settings 10 0 0, time_left b 10 0, time_left w 9 0"
    );
    assert_eq!(told(&["position startpos", &clock(9500, 8001)]), "time_left b 9.5 0, time_left w 8.001 0");
    assert_eq!(
        told(&["newgame", "position startpos moves 7,7", &clock(9500, 9000)]),
        "time_settings 9 0 0, time_left b 9.5 0, time_left w 9 0"
    );
    let mut talk = Talk::ready(five(), &format!("{PLAIN}\ntime_left"));
    assert_eq!(talk.say(&["position startpos", &clock(5, 5)]).len(), 3);
}

#[test]
fn an_engine_that_knows_whole_seconds_only_gets_such() {
    let mut talk = Talk::ready(five(), &format!("{PLAIN}\ntime_settings\ntime_left"));
    let mut times = |go: &str| {
        talk.table.refuses_decimals = true;
        let heard = talk.say(&["position startpos", go]);
        let response = talk.table.answer("A1");
        talk.hear(&response);
        heard.into_iter().filter(|line| line.starts_with("time")).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(times("go wtime 3000 btime 2500"), "time_settings 3 0 0, time_left b 3 0, time_left w 2.5 0");
    assert_eq!(times("go wtime 2999 btime 900"), "time_left b 2 0, time_left w 0 0");
    assert_eq!(times("go movetime 1999"), "time_settings 0 1 1");
    assert_eq!(times("go movetime 200"), "time_settings 0 1 1");
    assert_eq!(times("go movetime 200"), "");
    let mut talk = Talk::ready(five(), &format!("{PLAIN}\ntime_settings\ntime_left"));
    talk.table.refuses_decimals = true;
    for (go, expected) in
        [("go movetime 200", "time_settings 0 0.2 1"), ("go movetime 200", "time_settings 0 1 1"), ("go", "genmove b")]
    {
        let heard = talk.say(&["newgame", "position startpos", go]);
        assert!(heard.contains(&expected.to_owned()), "{go}: {heard:?}");
        let response = talk.table.answer("A1");
        talk.hear(&response);
    }
}

#[test]
fn a_time_that_is_refused_is_not_told_again() {
    let mut talk = Talk::ready(five(), &format!("{PLAIN}\ntime_settings\ntime_left"));
    talk.table.refuses = vec!["time_settings"];
    let (_, replies) = talk.talk(&["position startpos", "go movetime 2000"]);
    assert_eq!(replies, ["info string time_settings 0 2 1: not this one"]);
    let response = talk.table.answer("A1");
    assert_eq!(talk.hear(&response), ["bestmove 14,0"]);
    assert_eq!(talk.say(&["newgame", "position startpos", "go movetime 300"]), ["clear_board", "genmove b"]);
}

#[test]
fn a_search_is_stopped_where_the_engine_knows_how() {
    for (lists, expected) in [(PLAIN.to_owned(), ""), (format!("{PLAIN}\ngogui-interrupt"), "# interrupt\n")] {
        let mut talk = Talk::ready(five(), &lists);
        let mut text = String::new();
        talk.gtp.write_command(&Command::Stop, &mut text);
        assert_eq!(text, expected);
    }
}

/// A game under way, as the client writes it.
struct Game {
    line: String,
    position: Position,
}

impl Game {
    /// A position as a diagram, in which O may have begun.
    fn any(rules: Rules, random: &mut Generator) -> Game {
        let begins = [Player::X, Player::O][below(random, 2) as usize];
        let empty = Diagram { side: Some(begins), ..Position::start(rules).diagram() };
        let mut position = Position::set_up(rules, &empty).expect("an empty board");
        for _ in 0..below(random, rules.cells() as u32) {
            let next = position.after(any_move(&position, random));
            if next.outcome().is_some() {
                break;
            }
            position = next;
        }
        Game { line: format!("fen {}", position.diagram()), position }
    }

    fn play(&mut self, cell: Cell) {
        let word = if self.line.contains(" moves ") { "" } else { " moves" };
        self.line += &format!("{word} {cell}");
        self.position = self.position.after(cell);
    }
}

fn any_move(position: &Position, random: &mut Generator) -> Cell {
    let number = below(random, position.empty_cells() as u32) as usize;
    position.moves().nth(number).expect("a move")
}

proptest! {
    #[test]
    fn every_position_reaches_the_board_of_the_engine(
        (rows, columns, connect) in (1..=20_u8, 1..=20_u8, 0..=6_u16),
        is_silent: bool,
        seed: u64,
        faults in prop::collection::vec(0..10_u8, 1..30),
    ) {
        let mut random = generator(seed, Stream::Order);
        let rules = rules(Shape { rows, columns }, connect, false);
        let mut talk = Talk::new(rules, &format!("{PLAIN}\nnoughts-connect"));
        talk.table.is_silent_about_numbers = is_silent;
        talk.say(&["ugi"]);
        prop_assert_eq!(talk.step(), Ok(GameStep::DoneWhenReady));
        prop_assert_eq!(talk.table.shape(), rules.shape());
        let mut game = Game::any(rules, &mut random);
        let mut goes_on = false;
        for fault in faults {
            talk.table.refuses = if fault == 1 { vec!["play"] } else { Vec::new() };
            let lines = ["isready", &format!("position {}", game.line), "go"];
            let (heard, replies) = talk.talk(&lines);
            prop_assert_eq!(&replies[0], "readyok");
            if fault != 1 {
                let mut expected: Vec<_> =
                    Cell::all(rules.shape()).filter_map(|cell| Some((cell, game.position.occupant(cell)?))).collect();
                expected.sort_by_key(|(cell, _)| (cell.row(), cell.column()));
                talk.table.stones.sort_by_key(|(cell, _)| (cell.row(), cell.column()));
                prop_assert_eq!(&talk.table.stones, &expected, "{}", game.line);
                // At most the move of the opponent is new.
                prop_assert!(!goes_on || heard.len() <= 3, "{:?}", heard);
            }
            let cell = any_move(&game.position, &mut random);
            let answer = match fault {
                2 => "pass".to_owned(),
                3 => "Z99".to_owned(),
                // A cell that may be taken.
                4 => "A1".to_owned(),
                _ => vertex(cell, rules.shape()),
            };
            prop_assert_eq!(talk.table.asked.as_ref().map(|(_, player)| *player), Some(game.position.side()));
            let response = talk.table.answer(&answer);
            prop_assert_eq!(talk.hear(&response).len(), 1);
            goes_on = (fault == 0 || fault > 4) && game.position.after(cell).outcome().is_none();
            if goes_on {
                game.play(cell);
                let reply = any_move(&game.position, &mut random);
                goes_on = game.position.after(reply).outcome().is_none();
                if goes_on {
                    game.play(reply);
                }
            }
            if !goes_on {
                game = Game::any(rules, &mut random);
                if fault % 2 == 0 {
                    talk.say(&["newgame"]);
                    prop_assert!(talk.table.stones.is_empty());
                }
            }
        }
    }
}
