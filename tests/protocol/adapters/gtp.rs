//! The Go Text Protocol, as GoGui and other programs speak it, against a model of the game.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use crate::common::random_games::any_move;
use crate::common::{Conversation, oracle, rules};
use noughts::game::{Cell, Outcome, Player, Position, Rules, Shape, Value};
use noughts::search::{Generator, Stream, below, generator};

/// A client of GTP, and what a response is to look like.
struct Gtp {
    talk: Conversation,
    unread: String,
}

impl Gtp {
    fn new() -> Gtp {
        Gtp { talk: Conversation::new(), unread: String::new() }
    }

    /// An engine whose answers are quick and depend on nothing but the commands before.
    fn playing(rules: Rules) -> Gtp {
        let mut gtp = Gtp::new();
        let Shape { rows, columns } = rules.shape();
        for line in [
            format!("boardsize {rows} {columns}"),
            format!("noughts-connect {}", rules.connect()),
            format!("noughts-reverse {}", rules.reverse()),
            "noughts-trials 50".to_owned(),
            "noughts-seed 3".to_owned(),
        ] {
            assert_eq!(gtp.ask(&line), Ok(String::new()), "{line}");
        }
        gtp
    }

    fn send(&mut self, text: &str) {
        self.talk.send(text);
    }

    /// The next response, without the blank line at its end; fails after ten seconds.
    fn response(&mut self) -> String {
        let start = Instant::now();
        loop {
            if let Some((response, rest)) = self.unread.split_once("\n\n") {
                let response = response.to_owned();
                self.unread = rest.to_owned();
                return response;
            }
            assert!(start.elapsed() < Duration::from_secs(10), "no response: {:?}", self.unread);
            self.talk.session.begin_round(Instant::now());
            self.talk.session.proceed(Instant::now);
            let bytes: Vec<u8> = self.talk.session.output().drain(..).collect();
            self.unread += std::str::from_utf8(&bytes).expect("UTF-8");
            if bytes.is_empty() && !self.talk.session.has_work() {
                let _ = self.talk.woken.recv_timeout(Duration::from_millis(5));
            }
        }
    }

    /// The result of a command, or its error.
    fn ask(&mut self, line: &str) -> Result<String, String> {
        self.send(&format!("{line}\n"));
        let response = self.response();
        let id: String = line.chars().take_while(char::is_ascii_digit).collect();
        assert!(!response.starts_with('\n'), "{line}: {response:?}");
        match response.strip_prefix('=') {
            Some(text) => Ok(after_id(text, &id).to_owned()),
            None => Err(after_id(response.strip_prefix('?').expect("a response"), &id).to_owned()),
        }
    }

    fn result(&mut self, line: &str) -> String {
        self.ask(line).unwrap_or_else(|error| panic!("{line}: {error}"))
    }
}

fn after_id<'a>(text: &'a str, id: &str) -> &'a str {
    let rest = text.strip_prefix(id).unwrap_or_else(|| panic!("{text:?} has not the id {id}"));
    assert!(rest.is_empty() || rest.starts_with([' ', '\n']), "{rest:?}");
    rest.strip_prefix(' ').unwrap_or(rest)
}

/// A vertex as the standard describes it: written here once more, by counting.
fn vertex(cell: Cell, shape: Shape) -> String {
    let letter = ('A'..='Z').filter(|&letter| letter != 'I').nth(cell.column().into()).expect("a letter");
    format!("{letter}{}", shape.rows - cell.row())
}

fn colour(player: Player) -> &'static str {
    if player == Player::X { "b" } else { "w" }
}

fn cell_of(written: &str, position: &Position) -> Cell {
    let shape = position.rules().shape();
    let found = Cell::all(shape).find(|&cell| vertex(cell, shape) == written);
    found.unwrap_or_else(|| panic!("{written} is no vertex of {shape}"))
}

fn boards() -> Vec<Rules> {
    vec![
        rules(3, 0, false),
        rules(3, 0, true),
        rules(4, 3, false),
        rules((4, 9), 4, false),
        rules((9, 4), 4, true),
        rules((1, 8), 3, false),
        rules(6, 4, true),
        rules(15, 5, false),
        rules((20, 12), 5, false),
    ]
}

/// The moves of a game as the model keeps them, and the positions after each of them.
struct Model {
    positions: Vec<Position>,
}

impl Model {
    fn last(&self) -> &Position {
        self.positions.last().expect("a start")
    }

    /// Compares everything that the engine says of the position with the model.
    fn compare(&self, gtp: &mut Gtp) {
        let (position, shape) = (self.last(), self.last().rules().shape());
        let legal: Vec<String> = position.moves().map(|cell| vertex(cell, shape)).collect();
        assert_eq!(gtp.result("gogui-rules_legal_moves"), legal.join(" "));
        let rows: Vec<String> = (0..shape.rows)
            .map(|row| {
                let cell = |column| match position.occupant(Cell::new(row, column)) {
                    Some(player) => player.to_string(),
                    None => ".".to_owned(),
                };
                (0..shape.columns).map(cell).collect::<Vec<_>>().join(" ")
            })
            .collect();
        assert_eq!(gtp.result("gogui-rules_board"), format!("\n{}", rows.join("\n")));
        let drawn = gtp.result("showboard");
        assert!(rows.iter().all(|row| drawn.contains(&format!(" {row} "))), "{drawn}");
        let score = match position.outcome() {
            None => Err("cannot score".to_owned()),
            Some(Outcome::Draw) => Ok("0".to_owned()),
            Some(Outcome::Win(Player::X)) => Ok("B+1".to_owned()),
            Some(Outcome::Win(Player::O)) => Ok("W+1".to_owned()),
        };
        assert_eq!(gtp.ask("gogui-rules_final_result").is_ok(), score.is_ok());
        assert_eq!(gtp.ask("final_score"), score);
        if position.outcome().is_none() {
            assert_eq!(gtp.result("gogui-rules_side_to_move"), colour(position.side()));
        }
    }
}

/// A legal or an illegal command, and what the model says to it.
fn step(gtp: &mut Gtp, model: &mut Model, random: &mut Generator) {
    let position = *model.last();
    let (side, shape) = (position.side(), position.rules().shape());
    let illegal = Err("illegal move".to_owned());
    match below(random, 10) {
        0 => {
            let expected = if model.positions.len() > 1 { Ok(String::new()) } else { Err("cannot undo".to_owned()) };
            assert_eq!(gtp.ask("undo"), expected);
            if model.positions.len() > 1 {
                model.positions.pop();
            }
        }
        1 => {
            let taken = Cell::all(shape).find(|&cell| position.occupant(cell).is_some());
            let off_board = format!("A{}", shape.rows + 1);
            let at = taken.map_or(off_board, |cell| vertex(cell, shape));
            assert_eq!(gtp.ask(&format!("play {} {at}", colour(side))), illegal);
        }
        2 if model.positions.len() > 1 => {
            let at = position.moves().next().map_or("A1".to_owned(), |cell| vertex(cell, shape));
            assert_eq!(gtp.ask(&format!("play {} {at}", colour(!side))), illegal);
            assert_eq!(gtp.ask(&format!("genmove {}", colour(!side))).is_err(), position.outcome().is_none());
        }
        3 => {
            assert_eq!(gtp.ask(&format!("17 play {} I1", colour(side))), illegal);
            assert!(
                gtp.ask("play green A1")
                    .is_err_and(|error| error.starts_with("syntax error: ") || error == "illegal move")
            );
        }
        4 | 5 if position.outcome().is_none() => {
            let answer = gtp.result(&format!("22 reg_genmove {}", colour(side)));
            assert!(position.moves().any(|cell| cell == cell_of(&answer, &position)), "{answer}");
            let played = gtp.result(&format!("genmove {}", colour(side)));
            model.positions.push(position.after(cell_of(&played, &position)));
        }
        _ if position.outcome().is_some() => {
            let has_lost = position.outcome() == Some(Outcome::Win(!side));
            assert_eq!(gtp.result(&format!("genmove {}", colour(side))), if has_lost { "resign" } else { "PASS" });
            assert_eq!(gtp.ask(&format!("play {} pass", colour(side))), Ok(String::new()));
            assert_eq!(gtp.ask("undo"), Ok(String::new()), "the pass");
            let at = position.moves().next().map_or("A1".to_owned(), |cell| vertex(cell, shape));
            assert_eq!(gtp.ask(&format!("play {} {at}", colour(side))), illegal);
        }
        _ => {
            let cell = any_move(&position, random);
            let at = vertex(cell, shape);
            let at = if below(random, 2) == 0 { at.to_lowercase() } else { at };
            assert_eq!(gtp.ask(&format!("play {} {at}", colour(side).to_ascii_uppercase())), Ok(String::new()));
            model.positions.push(position.after(cell));
        }
    }
}

#[test]
fn random_games_agree_with_a_model_of_the_rules() {
    for (number, rules) in (0..).zip(boards()) {
        let mut gtp = Gtp::playing(rules);
        let mut random = generator(47, Stream::Go(number));
        for _ in 0..if rules.cells() > 100 { 1 } else { 4 } {
            assert_eq!(gtp.ask("clear_board"), Ok(String::new()));
            let mut model = Model { positions: vec![Position::start(rules)] };
            model.compare(&mut gtp);
            for turn in 0..60 {
                step(&mut gtp, &mut model, &mut random);
                if turn % 5 == 0 || model.last().outcome().is_some() {
                    model.compare(&mut gtp);
                }
            }
        }
    }
}

#[test]
fn white_may_begin_and_the_game_is_that_with_other_colours() {
    for rules in [rules(4, 3, false), rules((4, 9), 4, false), rules(4, 0, true)] {
        let (mut white, mut black) = (Gtp::playing(rules), Gtp::playing(rules));
        let other = |text: &str| if text == "b" { "w" } else { "b" };
        let mut side = "b";
        for _ in 0..rules.cells() {
            let move_of_black = black.result(&format!("genmove {side}"));
            if move_of_black == "PASS" || move_of_black == "resign" {
                assert_eq!(white.result(&format!("genmove {}", other(side))), move_of_black);
                break;
            }
            assert_eq!(white.ask(&format!("play {} {move_of_black}", other(side))), Ok(String::new()));
            assert_eq!(white.result("gogui-rules_legal_moves"), black.result("gogui-rules_legal_moves"));
            side = other(side);
        }
        let score = black.result("final_score");
        let exchanged = match score.split_at(1) {
            ("B", rest) => format!("W{rest}"),
            ("W", rest) => format!("B{rest}"),
            _ => score,
        };
        assert_eq!(white.result("final_score"), exchanged);
    }
    let mut gtp = Gtp::playing(rules(3, 0, false));
    assert!(gtp.ask("genmove w").is_ok());
    assert_eq!(gtp.ask("genmove w"), Err("illegal move".to_owned()));
    assert!(gtp.ask("genmove b").is_ok());
    assert_eq!(gtp.ask("undo").and(gtp.ask("undo")), Ok(String::new()));
    assert!(gtp.ask("genmove b").is_ok(), "on the empty board either may begin");
}

#[test]
fn every_command_that_is_listed_is_known_and_answered() {
    let mut gtp = Gtp::new();
    let listed = gtp.result("list_commands");
    let required =
        "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove";
    for name in required.split(' ') {
        assert!(listed.lines().any(|known| known == name), "{name}");
    }
    for name in listed.lines().filter(|&name| name != "quit") {
        assert_eq!(gtp.result(&format!("known_command {name}")), "true");
        assert_ne!(gtp.ask(&format!("9 {name}")), Err("unknown command".to_owned()), "{name}");
        assert!(gtp.ask(&format!("9 {name} a b c d")).is_err(), "{name}");
    }
    assert_eq!(gtp.result("known_command no_such"), "false");
    assert_eq!(gtp.ask("no_such"), Err("unknown command".to_owned()));
    assert_eq!(gtp.ask("5 "), Err("unknown command".to_owned()));
    assert_eq!(gtp.result("0012 protocol_version # a comment"), "2");
    gtp.result("noughts-trials 100");
    let drawn = gtp.result("gogui-analyze_commands");
    for line in drawn.lines() {
        let [_, _, command] = line.split('/').collect::<Vec<_>>().try_into().expect("type, label and command");
        assert!(listed.lines().any(|known| known == command), "{command}");
        for size in ["3", "4 5", "15", "1"] {
            gtp.result(&format!("boardsize {size}"));
            gtp.result(command);
        }
    }
}

#[test]
fn sizes_and_values_that_do_not_exist_change_nothing() {
    let mut gtp = Gtp::playing(rules((4, 9), 4, false));
    gtp.result("play b j1");
    let before = gtp.result("showboard");
    for size in ["0", "21", "4 0", "4 21", "99999"] {
        assert_eq!(gtp.ask(&format!("boardsize {size}")), Err("unacceptable size".to_owned()), "{size}");
    }
    for line in [
        "boardsize",
        "boardsize x",
        "boardsize 4 5 6",
        "boardsize -3",
        "play b",
        "play b a1 b2",
        "genmove",
        "noughts-connect x",
        "noughts-reverse maybe",
        "noughts-player nobody",
        "time_settings 1 2",
        "time_left b 3",
        "time_left red 3 0",
        "komi six",
        "known_command",
        "showboard now",
        "undo 2",
    ] {
        let error = gtp.ask(line).expect_err(line);
        assert!(!error.is_empty() && !error.contains('\n'), "{line}: {error}");
    }
    assert_eq!(gtp.result("showboard"), before);
    assert_eq!(gtp.result("gogui-rules_board_size"), "9 4");
    assert_eq!(gtp.result("boardsize 7"), "");
    assert_eq!(gtp.result("gogui-rules_board_size"), "7");
}

#[test]
fn an_option_of_the_game_begins_another_game() {
    let mut gtp = Gtp::playing(rules(4, 3, false));
    gtp.result("play b a1");
    gtp.result("noughts-level 3");
    assert!(gtp.result("gogui-rules_board").contains('X'), "no option of the game");
    gtp.result("noughts-reverse true");
    assert!(!gtp.result("gogui-rules_board").contains('X'));
    assert_eq!(gtp.ask("undo"), Err("cannot undo".to_owned()));
}

#[test]
fn only_words_that_no_other_protocol_has_choose_gtp() {
    for line in [
        "protocol_version",
        "1 protocol_version",
        "list_commands",
        "known_command play",
        "boardsize 9",
        "77 clear_board",
        "genmove b",
        "gogui-rules_game_id",
        "3 gogui-interrupt",
    ] {
        let mut gtp = Gtp::new();
        gtp.send(&format!("{line}\n"));
        assert!(gtp.response().starts_with('='), "{line}");
    }
    for line in ["quit", "undo", "play b a1", "name", "1 quit", "version", "showboard"] {
        let mut talk = Conversation::new();
        talk.send(&format!("{line}\nisready\n"));
        let said = talk.until_idle();
        assert!(!said.iter().any(|line| line.starts_with('=') || line.starts_with('?')), "{line}: {said:?}");
    }
}

#[test]
fn a_script_gets_its_responses_in_order_and_nothing_after_quit() {
    let mut gtp = Gtp::new();
    gtp.send("1 boardsize 9\n2 genmove b\n3 genmove w\n4 undo\n5 name\n6 quit\n7 name\n8 genmove b\n");
    let starts = (1..=6).map(|_| gtp.response()).map(|said| said[..2].to_owned()).collect::<Vec<_>>();
    assert_eq!(starts, ["=1", "=2", "=3", "=4", "=5", "=6"]);
    gtp.talk.session.proceed(Instant::now);
    assert!(gtp.talk.session.output().is_empty() && gtp.talk.session.is_over());
}

#[test]
fn an_interrupt_ends_the_search_and_the_move_is_the_response() {
    let mut gtp = Gtp::new();
    gtp.result("boardsize 15");
    gtp.result("noughts-player uct");
    gtp.result("noughts-trials 2000000000");
    assert_eq!(gtp.result("gogui-interrupt"), "");
    for command in ["genmove b", "reg_genmove w", "noughts-line"] {
        gtp.send(&format!("{command}\n"));
        gtp.send("# interrupt\n");
        assert!(gtp.response().starts_with("= "), "{command}");
    }
    // There is nothing to interrupt, and other comments interrupt nothing.
    gtp.send("# interrupt\n# interrupt it\n");
    assert_eq!(gtp.result("name"), "Noughts");
}

/// The points of the lines of an answer that begin with `word`, each with what stands behind it if `pairs`.
fn pieces<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    text.lines().filter_map(|line| line.strip_prefix(word)).flat_map(|rest| rest.split(' ').skip(1)).collect()
}

#[test]
fn labels_and_colours_of_moves_are_their_values() {
    for (rules, seed) in [(rules(3, 0, false), 1), (rules(3, 0, true), 2), (rules((2, 5), 3, false), 3)] {
        let mut random = generator(48, Stream::Go(seed));
        for _ in 0..20 {
            let mut gtp = Gtp::playing(rules);
            let mut position = Position::start(rules);
            for _ in 0..below(&mut random, 6) {
                if position.outcome().is_some() {
                    break;
                }
                let cell = any_move(&position, &mut random);
                gtp.result(&format!("play {} {}", colour(position.side()), vertex(cell, rules.shape())));
                position = position.after(cell);
            }
            let text = gtp.result("noughts-values");
            let labels = pieces(&text, "LABEL");
            assert_eq!(labels.len(), 2 * position.moves().count());
            for label in labels.chunks(2) {
                let value = oracle::value(&position.after(cell_of(label[0], &position))).before_move();
                let (letter, name) = match value {
                    Value::Win(plies) => (format!("W{plies}"), "COLOR green"),
                    Value::Loss(plies) => (format!("L{plies}"), "COLOR red"),
                    Value::Draw => ("D".to_owned(), "COLOR yellow"),
                };
                assert_eq!(label[1], letter, "{text}");
                assert!(pieces(&text, name).contains(&label[0]), "{text}");
            }
        }
    }
}

#[test]
fn what_is_drawn_of_threats_pairs_and_visits_can_be_played() {
    let mut gtp = Gtp::playing(rules(4, 3, false));
    let threats = gtp.result("noughts-threats");
    let moves = pieces(&threats, "VAR");
    assert!(moves.len() >= 6, "{threats}");
    for pair in moves.chunks(2) {
        assert_eq!(gtp.ask(&format!("play {} {}", pair[0], pair[1])), Ok(String::new()), "{threats}");
    }
    assert_eq!(gtp.result("final_score"), "B+1");

    for rules in [rules(5, 0, false), rules(6, 5, false), rules(9, 0, false)] {
        let (mut gtp, start) = (Gtp::playing(rules), Position::start(rules));
        let pairs = gtp.result("noughts-pairs");
        let numbered: HashMap<Cell, &str> =
            pieces(&pairs, "LABEL").chunks(2).map(|label| (cell_of(label[0], &start), label[1])).collect();
        let count = |number: &str| numbered.values().filter(|&&other| other == number).count();
        assert!(numbered.values().all(|number| count(number) == 2), "{pairs}");
        // At most one cell of a line without a pair is in no pair: the one that the defender takes first.
        for line in oracle::lines(rules) {
            let pairs_in_line = line.iter().filter_map(|cell| numbered.get(cell)).collect::<HashSet<_>>().len();
            let paired = line.iter().filter(|cell| numbered.contains_key(cell)).count();
            assert!(pairs_in_line < paired || paired < line.len(), "{pairs}");
        }
    }

    let mut gtp = Gtp::playing(rules(9, 5, false));
    let visits = gtp.result("noughts-visits");
    let counts = pieces(&visits, "LABEL")
        .iter()
        .skip(1)
        .step_by(2)
        .map(|text| text.parse::<u64>().expect("a number"))
        .sum::<u64>();
    assert!(counts > 0 && visits.contains(&format!("TEXT {counts} visits")), "{visits}");
    let line = gtp.result("noughts-line");
    assert!(pieces(&line, "VAR").len() >= 2, "{line}");
}
