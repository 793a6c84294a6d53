//! The Chess Engine Communication Protocol of XBoard: sizes 3 to 12 under both rules, with stones that are dropped.

use std::time::{Duration, Instant};

use crate::common::foreign::{Dialect, Foreign, any_move, find, is_thinking_line, without_thoughts, xboard_move};
use crate::common::{rules, without_times};
use noughts::engine::OPTIONS;
use noughts::game::{Cell, Outcome, Player, Position, Rules};
use noughts::search::{Generator, Stream, below, generator};

/// Options under which answers are quick and depend on nothing but the numbers of questions before.
const QUICK: &[(&str, &str)] = &[("player", "montecarlo"), ("trials", "30"), ("seed", "3")];

/// Options under which a search takes as long as it is given.
const SLOW: &[(&str, &str)] = &[("player", "montecarlo"), ("seed", "1")];

fn with_options(options: &[(&str, &str)], variant: &str) -> Foreign {
    let mut engine = Foreign::new(Dialect::XBoard, options);
    let said = engine.say("xboard\nprotover 2\n");
    assert_eq!(said.last().map(String::as_str), Some("feature done=1"));
    let said = engine.say(&format!("new\nvariant {variant}\n"));
    assert!(said.iter().all(|line| line.starts_with("setup ") || line.starts_with("piece ")), "{said:?}");
    engine
}

fn playing(variant: &str) -> Foreign {
    with_options(QUICK, variant)
}

/// A search without an end of its own.
fn thinking() -> Foreign {
    let mut engine = with_options(SLOW, "noughts12");
    engine.say("st 3600\n");
    engine.send("go\n");
    engine
}

/// Every variant with the rules it stands for.
fn variants() -> Vec<(String, Rules)> {
    let normal = (4..=12).map(|size| (format!("noughts{size}"), rules(size, 0, false)));
    let reverse = (3..=12).map(|size| (format!("reverse{size}"), rules(size, 0, true)));
    let first = ("tictactoe".to_owned(), rules(3, 0, false));
    std::iter::once(first).chain(normal).chain(reverse).collect()
}

fn usermove(cell: Cell, size: u8) -> String {
    format!("usermove {}", xboard_move(cell, size))
}

/// The move of a line `move P@b2`.
fn moved(line: &str, game: &Position) -> Cell {
    let written = line.strip_prefix("move ").unwrap_or_else(|| panic!("no move: {line}"));
    let size = game.rules().size();
    find(game, written, |cell| xboard_move(cell, size)).unwrap_or_else(|| panic!("off the board: {line}"))
}

/// How the claim of a finished game begins.
fn claim(game: &Position) -> &'static str {
    match game.outcome().expect("a finished game") {
        Outcome::Win(Player::X) => "1-0 {",
        Outcome::Win(Player::O) => "0-1 {",
        Outcome::Draw => "1/2-1/2 {",
    }
}

fn is_claim(line: &str) -> bool {
    ["1-0 {", "0-1 {", "1/2-1/2 {"].iter().any(|start| line.starts_with(start)) && line.ends_with('}')
}

fn is_refusal(line: &str) -> bool {
    line.starts_with("Error (")
        || line.starts_with("Illegal move")
        || line.starts_with("tellusererror Illegal position")
}

fn timeless(lines: Vec<String>) -> Vec<String> {
    lines.iter().map(|line| without_times(line)).collect()
}

#[test]
fn the_handshake_declares_features_and_ends_with_done() {
    let mut engine = Foreign::new(Dialect::XBoard, &[]);
    let said = engine.say("xboard\nprotover 2\n");
    assert!(said.iter().all(|line| line.starts_with("feature ")), "{said:?}");
    assert!(said.last().is_some_and(|line| line.ends_with("done=1")));
    let all = said.join(" ");
    for feature in ["setboard=1", "usermove=1", "ping=1", "colors=0", "analyze=1", "sigint=0", "sigterm=0", "myname=\""]
    {
        assert!(all.contains(feature), "{feature}: {all}");
    }
    let start = all.find("variants=\"").expect("variants are told") + "variants=\"".len();
    let told: Vec<&str> = all[start..].split('"').next().expect("quoted").split(',').collect();
    let expected = variants();
    assert_eq!(told.len(), expected.len());
    assert!(expected.iter().all(|(name, _)| told.contains(&name.as_str())), "{told:?}");
    // What the client thinks of them, and what it tells of itself, is taken in silence.
    let silent = "accepted setboard\nrejected debug\nrandom\nhard\neasy\ncomputer\nname Somebody\nrating 1 2\nics -\n\
        otim 100\ntime 100\naccepted done\n\n?\n.\ndraw\npost\nnopost\n";
    assert_eq!(engine.say(silent), [""; 0]);
}

#[test]
fn protover_may_come_first_and_twice() {
    let mut engine = Foreign::new(Dialect::XBoard, &[]);
    assert_eq!(engine.say("protover 2\n").last().map(String::as_str), Some("feature done=1"));
    assert_eq!(engine.say("xboard\nprotover 2\n").last().map(String::as_str), Some("feature done=1"));
}

/// Games to the end against chance, and who has won is claimed whoever ends the game.
#[test]
fn every_answer_of_a_game_is_one_legal_move_or_the_right_claim() {
    for (number, (variant, rules)) in variants().into_iter().enumerate() {
        let size = rules.size();
        let rounds = if size < 5 { 8 } else { 2 };
        let mut engine = playing(&variant);
        for round in 0..rounds {
            let mut random = generator(number as u64 * 100 + round, Stream::Order);
            let mut game = Position::start(rules);
            let mut said = engine.answers(&format!("new\nvariant {variant}\n"));
            said.retain(|line| !line.starts_with("setup ") && !line.starts_with("piece "));
            assert_eq!(said, [""; 0]);
            if round % 2 == 1 {
                said = engine.answers("go\n");
                assert_eq!(said.len(), 1, "{said:?}");
                game.play(moved(&said[0], &game)).expect("legal");
            }
            while game.outcome().is_none() {
                let cell = any_move(&game, &mut random);
                game.play(cell).expect("legal");
                said = engine.answers(&usermove(cell, size));
                if game.outcome().is_none() {
                    let answer = said.remove(0);
                    game.play(moved(&answer, &game)).unwrap_or_else(|error| panic!("{variant}: {answer}: {error:?}"));
                }
                if game.outcome().is_none() {
                    assert_eq!(said, [""; 0], "{variant}");
                }
            }
            assert_eq!(said.len(), 1, "{variant}: {said:?}");
            assert!(said[0].starts_with(claim(&game)) && is_claim(&said[0]), "{variant}: {said:?}");
            assert_eq!(engine.say("result 1-0 {White mates}\n"), [""; 0]);
        }
    }
}

#[test]
fn ten_ranks_count_from_0_and_others_from_1() {
    let refused = |variant: &str, moves: &[&str]| {
        for text in moves {
            let mut engine = playing(variant);
            let answer = engine.answer(&format!("force\nusermove {text}\n"));
            assert!(answer.starts_with("Illegal move"), "{variant} {text}: {answer}");
        }
    };
    let accepted = |variant: &str, moves: &[&str]| {
        for text in moves {
            assert_eq!(playing(variant).say(&format!("force\nusermove {text}\n")), [""; 0], "{variant} {text}");
        }
    };
    accepted("noughts10", &["P@a0", "P@j9", "P@a9", "P@j0"]);
    refused("noughts10", &["P@a10", "P@k5", "P@a-1"]);
    accepted("noughts11", &["P@a1", "P@k11", "P@a10"]);
    refused("noughts11", &["P@a0", "P@a12", "P@l1"]);
    accepted("noughts12", &["P@a1", "P@l12"]);
    refused("noughts12", &["P@a0", "P@a13", "P@m1"]);
    accepted("noughts9", &["P@a1", "P@i9"]);
    refused("noughts9", &["P@a0", "P@a10"]);
    // The bottom left corner is the same square on the board that is sent.
    let mut engine = playing("noughts10");
    let board = format!("{}9/1P7p/P9", "55/".repeat(7));
    let said = engine.say(&format!("setboard {board}"));
    assert!(said.len() == 1 && is_refusal(&said[0]), "a row of nine: {said:?}");
    let board = format!("{}10/p9/P9", "10/".repeat(7));
    assert_eq!(engine.say(&format!("force\nsetboard {board} w - - 0 1")), [""; 0]);
    for taken in ["P@a0", "P@a1"] {
        assert!(engine.answer(&format!("usermove {taken}")).starts_with("Illegal move"));
    }
    assert_eq!(engine.say("usermove P@b0\n"), [""; 0]);
}

#[test]
fn a_move_that_is_not_legal_is_named() {
    for (text, size) in [
        ("P@b2", "taken"),
        ("P@d1", "off"),
        ("e2e4", "no drop"),
        ("b1", "no drop"),
        ("0,0", "no drop"),
        ("O-O", "no drop"),
        ("p@a9", "off"),
        ("@a1", "no drop"),
        ("Q@a1", "no such piece"),
        ("P@", "nothing"),
        ("P@11", "no file"),
        ("P@a99999999999999999999", "off"),
        ("", "nothing"),
        ("resign", "no move"),
        ("--", "no move"),
    ] {
        let mut engine = playing("tictactoe");
        engine.say("force\nusermove P@b2\n");
        let answer = engine.answer(&format!("usermove {text}\n"));
        assert!(answer.starts_with("Illegal move") || answer.starts_with("Error ("), "{size}: {text}: {answer}");
        assert!(answer.contains(text) || text.len() > 15, "{size}: {text}: {answer}");
    }
}

const WRONG: &[&str] = &[
    "foo",
    "usermove",
    "usermove P@b2",
    "usermove P@z9",
    "usermove e2e4",
    "usermove P@f1",
    "usermove b1",
    "variant chess",
    "variant",
    "variant noughts13",
    "variant noughts3x",
    "variant reverse2",
    "setboard",
    "setboard rnbqkbnr/8/8/8 w - - 0 1",
    "setboard rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "setboard PP3/5/5/5/5 w - - 0 1",
    "setboard P4/5/5/5/5 w - - 0 1",
    "setboard 5/5/5/5 w - - 0 1",
    "setboard PPPPP/ppppp/5/5/5 w - - 0 1",
    "setboard 5/5/5/5/5 x - - 0 1",
    "setboard 55/5/5/5/5 w",
    "level",
    "level x y z",
    "level 40",
    "level 40 5",
    "level 0 5:xx 0",
    "level 1 2 3 4 5 6 7",
    "st",
    "st abc",
    "sd",
    "sd abc",
    "time",
    "time abc",
    "otim x",
    "ping",
    "ping x",
    "ping 1 2",
    "ping 1\u{1b}[2J",
    "ping 99999999999999999999",
    "memory",
    "memory x",
    "cores x",
    "cores 0",
    "memory -1",
    "option nonsense=3",
    "option trials=abc",
    "option trials=0",
    "option",
    "option =3",
    "option player=best",
    "option size=3",
    "option size=5",
    "option SIZE = 6",
    "option Reverse=true",
    "option reverse=false",
    "option uci_variant=tictactoe",
    "option UCI_Variant=noughts",
    "option size value 6=",
    "option size\tvalue\t6=",
    "option name size value 6=1",
    "option connect=401",
    "option Connect=x",
    "isready",
    "uci",
    "position startpos",
    "go infinite",
    "go depth 3",
    "setoption size 3",
    "TURN 1,1",
    "START 15",
    "query position",
    "e2e4",
    "quit now",
    "undo 3",
    "d",
    "help",
];

/// A game of some moves on 5x5 with `between` before each of them.
fn game_with(between: &str) -> Vec<String> {
    let mut engine = playing("noughts5");
    let mut said = Vec::new();
    let mut game = Position::start(rules(5, 0, false));
    let mut random = generator(5, Stream::Order);
    game.play(Cell::new(3, 1)).expect("legal");
    let mut question = "usermove P@b2".to_owned();
    for _ in 0..5 {
        let lines = engine.say(&question);
        let answer = without_thoughts(Dialect::XBoard, lines.clone());
        game.play(moved(&answer[0], &game)).expect("legal");
        said.extend(timeless(lines));
        if !between.is_empty() {
            let refusals = engine.say(&format!("{between}\n"));
            assert_eq!(refusals.len(), 1, "{between:?}: {refusals:?}");
            assert!(is_refusal(&refusals[0]), "{between:?}: {refusals:?}");
        }
        let turn = any_move(&game, &mut random);
        game.play(turn).expect("legal");
        assert_eq!(game.outcome(), None);
        question = usermove(turn, 5);
    }
    said
}

#[test]
fn every_wrong_line_gets_one_refusal_and_changes_nothing() {
    let plain = game_with("");
    assert_eq!(plain.len(), 5);
    let mut faults = Vec::new();
    for wrong in WRONG {
        match std::panic::catch_unwind(|| game_with(wrong)) {
            Ok(said) if said == plain => {}
            _ => faults.push(wrong),
        }
    }
    assert_eq!(faults, [&""; 0]);
}

#[test]
fn errors_have_the_form_of_the_protocol() {
    let mut engine = playing("tictactoe");
    engine.say("force\nusermove P@b2\n");
    // "Error (ERRORTYPE): COMMAND" and "Illegal move (REASON): MOVE" or "Illegal move: MOVE".
    for command in ["frobnicate", "st x", "sd x", "variant chess", "level a", "undo 5", "option bla=3"] {
        let answer = engine.answer(command);
        let (kind, rest) = answer.split_once("): ").unwrap_or_else(|| panic!("{command}: {answer}"));
        assert!(kind.starts_with("Error ("), "{command}: {answer}");
        assert!(rest.contains(command), "{command}: {answer}");
    }
    for text in ["P@b2", "e2e4", "P@d4"] {
        let answer = engine.answer(&format!("usermove {text}"));
        assert!(answer.starts_with("Illegal move"), "{answer}");
        let (_, rest) = answer.split_once(": ").expect("a colon");
        assert_eq!(rest.trim_matches('"'), text, "{answer}");
    }
    assert!(engine.answer("undo\nundo").starts_with("Error ("));
}

#[test]
fn a_board_is_the_same_position_as_the_moves_that_lead_there() {
    for (variant, rules) in variants() {
        let size = rules.size();
        let mut random = generator(u64::from(size), Stream::Order);
        let mut game = Position::start(rules);
        let mut moves = String::new();
        for _ in 0..size {
            let cell = any_move(&game, &mut random);
            let after = game.after(cell);
            if after.outcome().is_some() {
                break;
            }
            game = after;
            moves.push_str(&usermove(cell, size));
            moves.push('\n');
        }
        let text = game.diagram().to_string();
        let (board, side) = text.split_once(' ').expect("board and side");
        let fen = board.replace('x', "P").replace('o', "p");
        let side = if side == "x" { 'w' } else { 'b' };
        let mut answers = Vec::new();
        for set_up in [
            moves.clone(),
            format!("setboard {fen} {side} - - 0 1\n"),
            format!("setboard {fen} {side}\n"),
            format!("setboard {fen}[PPPpp] {side} - - 0 1\n"),
            format!("setboard {fen}[] {side} - - 0 1\n"),
        ] {
            let mut engine = playing(&variant);
            answers.push(timeless(engine.say(&format!("force\n{set_up}post\noption seed=6\ngo\n"))));
        }
        assert!(answers[0].last().is_some_and(|line| line.starts_with("move ")), "{variant}: {answers:?}");
        assert!(answers.iter().all(|said| *said == answers[0]), "{variant}: {moves} {fen}: {answers:?}");
    }
}

#[test]
fn post_shows_thinking_lines_of_four_integers_and_a_line() {
    let mut engine = playing("noughts5");
    let said = engine.say("nopost\nusermove P@a1\n");
    assert_eq!(said.len(), 1, "{said:?}");
    for player in ["montecarlo", "mcts", "perfect", "auto", "random"] {
        engine.say(&format!("option player={player}\nnew\nvariant noughts4\n"));
        let said = engine.say("post\nsd 20\nusermove P@a1\n");
        let (last, thoughts) = said.split_last().expect("an answer");
        assert!(last.starts_with("move "), "{said:?}");
        assert!(!thoughts.is_empty(), "{player}");
        let shown = thoughts.iter().filter(|line| !line.starts_with('#')).collect::<Vec<_>>();
        assert!(shown.iter().all(|line| is_thinking_line(line)), "{player}: {said:?}");
        let play: Vec<&str> = shown[shown.len() - 1].split_ascii_whitespace().skip(4).collect();
        assert_eq!(play.first().map(|text| format!("move {text}")).as_ref(), Some(last), "{player}: {said:?}");
        assert!(play.iter().all(|text| text.starts_with("P@")), "{player}: {said:?}");
    }
}

#[test]
fn pings_are_answered_in_order_and_behind_the_move() {
    let mut engine = playing("noughts8");
    engine.send("ping 1\nusermove P@a1\nping 2\nping 3\nusermove P@a2\nfoo\nping 4\n");
    let said = engine.until(|line| line == "pong 4");
    let words: Vec<String> = said
        .iter()
        .filter(|line| !is_thinking_line(line))
        .map(|line| if line.starts_with("move") { "move".to_owned() } else { line.chars().take(6).collect() })
        .collect();
    assert!(
        words == ["pong 1", "move", "pong 2", "pong 3", "move", "Error ", "pong 4"]
            || words == ["pong 1", "move", "pong 2", "pong 3", "Illega", "Error ", "pong 4"],
        "{said:?}"
    );
    // While the engine thinks, the pong waits for the move.
    let mut engine = with_options(SLOW, "noughts12");
    engine.say("level 0 0:30 0\nst 1\n");
    engine.send("usermove P@a1\nping 77\n");
    assert_eq!(engine.during(Duration::from_millis(200)).iter().filter(|line| line.starts_with("pong")).count(), 0);
    let said = engine.until(|line| line == "pong 77");
    assert!(said.iter().any(|line| line.starts_with("move ")), "{said:?}");
}

#[test]
fn a_question_mark_moves_now_and_means_nothing_otherwise() {
    let mut engine = thinking();
    assert_eq!(without_thoughts(Dialect::XBoard, engine.during(Duration::from_millis(100))), [""; 0]);
    let start = Instant::now();
    engine.send("?\n");
    engine.until(|line| line.starts_with("move "));
    assert!(start.elapsed() < Duration::from_secs(1));
    assert_eq!(engine.say("?\n?\n"), [""; 0]);
}

#[test]
fn force_new_and_result_end_a_search_without_a_move() {
    for end in ["force", "new", "result 1-0 {Black resigns}", "result * {}", "new\nvariant noughts12"] {
        let mut engine = thinking();
        engine.during(Duration::from_millis(60));
        let start = Instant::now();
        let said = without_thoughts(Dialect::XBoard, engine.say(&format!("{end}\n")));
        assert!(start.elapsed() < Duration::from_secs(1), "{end}");
        assert!(said.iter().all(|line| line.starts_with("setup") || line.starts_with("piece")), "{end}: {said:?}");
        // It is still there, and plays when it is asked to.
        engine.say("new\nvariant noughts4\noption player=random\n");
        assert!(engine.answer("usermove P@a1\n").starts_with("move "), "{end}");
    }
}

#[test]
fn quit_in_a_search_ends_at_once() {
    let mut engine = thinking();
    engine.during(Duration::from_millis(60));
    let start = Instant::now();
    engine.send("quit\n");
    while !engine.talk.session.is_over() {
        engine.during(Duration::from_millis(5));
        assert!(start.elapsed() < Duration::from_secs(1));
    }
    let mut engine = playing("tictactoe");
    engine.send("quit\nping 5\nusermove P@b2\n");
    let said = engine.during(Duration::from_millis(50));
    assert!(engine.talk.session.is_over());
    assert_eq!(said, [""; 0]);
}

#[test]
fn what_is_wrong_during_a_search_does_not_disturb_it() {
    for wrong in [
        "usermove e2e4",
        "usermove P@z9",
        "foo",
        "undo 7",
        "remove",
        "setboard x",
        "setboard PP10/12 w",
        "go 3",
        "variant chess",
        "st x",
        ".",
        "hard",
        "force now",
        "\0",
    ] {
        let mut engine = thinking();
        engine.send(&format!("{wrong}\n"));
        let said = engine.during(Duration::from_millis(30));
        assert!(!said.iter().any(|line| line.starts_with("move ")), "{wrong:?}: {said:?}");
        engine.send("?\nping 3\n");
        let said = without_thoughts(Dialect::XBoard, engine.until(|line| line == "pong 3"));
        assert_eq!(said.iter().filter(|line| line.starts_with("move ")).count(), 1, "{wrong:?}: {said:?}");
    }
}

#[test]
fn what_is_piped_in_waits_for_the_moves_before_it() {
    let script = "usermove P@a1\nusermove P@l12\ngo\ngo\nundo\nremove\nusermove P@l1\nping 1\n";
    let mut piped = with_options(SLOW, "noughts12");
    piped.send(&format!("option trials=3000\n{script}"));
    let piped = piped.until(|line| line == "pong 1");
    let mut typed = with_options(SLOW, "noughts12");
    typed.say("option trials=3000\n");
    let mut said: Vec<String> = script.lines().flat_map(|line| typed.say(line)).collect();
    said.retain(|line| !line.starts_with("pong 7"));
    assert_eq!(piped, said);
    assert_eq!(piped.iter().filter(|line| line.starts_with("move ")).count(), 4, "{piped:?}");
}

#[test]
fn what_ends_a_search_does_so_in_the_same_write_too() {
    for (end, moves) in [("?", 1), ("force", 0), ("new", 0), ("result *", 0)] {
        let mut engine = with_options(SLOW, "noughts12");
        engine.send(&format!("st 3600\ngo\n{end}\nping 3\n"));
        let said = engine.until(|line| line == "pong 3");
        assert_eq!(said.iter().filter(|line| line.starts_with("move ")).count(), moves, "{end}: {said:?}");
    }
}

#[test]
fn analysis_shows_lines_and_never_moves() {
    let mut engine = with_options(SLOW, "noughts8");
    engine.send("post\nforce\nusermove P@a1\nanalyze\n");
    let shows = |engine: &mut Foreign| {
        let said = engine.until(is_thinking_line);
        assert!(!said.iter().any(|line| line.starts_with("move ") || is_refusal(line)), "{said:?}");
    };
    shows(&mut engine);
    engine.send("usermove P@b2\n");
    shows(&mut engine);
    engine.send("ping 4\n");
    engine.until(|line| line == "pong 4");
    engine.send(".\n");
    let said = engine.until(|line| line.starts_with("stat01: "));
    let stat = said.last().expect("a line").split(' ').skip(1).collect::<Vec<_>>();
    assert!(stat.len() >= 5 && stat[..5].iter().all(|word| word.parse::<u64>().is_ok()), "{said:?}");
    engine.send("undo\n");
    shows(&mut engine);
    // The move that was taken back may be played again; an illegal one is told and changes nothing.
    engine.send("usermove P@a1\nping 5\n");
    let said = engine.until(|line| line == "pong 5");
    assert_eq!(said.iter().filter(|line| line.starts_with("Illegal move")).count(), 1, "{said:?}");
    shows(&mut engine);
    engine.send("usermove P@b2\n");
    shows(&mut engine);
    engine.send("setboard 8/8/8/3Pp3/8/8/8/8 w - - 0 1\n");
    shows(&mut engine);
    engine.send("new\nvariant tictactoe\nping 6\n");
    engine.until(|line| line == "pong 6");
    engine.send("exit\nping 7\n");
    let said = engine.until(|line| line == "pong 7");
    assert!(!said.iter().any(|line| line.starts_with("move ")), "{said:?}");
    assert_eq!(engine.during(Duration::from_millis(100)), [""; 0], "nothing is searched after exit");
    assert!(engine.answer("option trials=5\nsd 3\ngo\n").starts_with("move "));
}

#[test]
fn analysis_of_a_won_game_says_nothing_wrong_and_ends() {
    let mut engine = with_options(SLOW, "tictactoe");
    engine.send("force\nsetboard PPP/pp1/3 b - - 0 1\nanalyze\nping 1\n");
    let said = engine.until(|line| line == "pong 1");
    assert!(!said.iter().any(|line| line.starts_with("move ")), "{said:?}");
    engine.send("exit\nping 2\n");
    engine.until(|line| line == "pong 2");
    engine.send("analyze\nusermove P@c1\n.\nundo\nexit\nping 3\n");
    let said = engine.until(|line| line == "pong 3");
    assert!(!said.iter().any(|line| line.starts_with("move ")), "{said:?}");
}

#[test]
fn a_hint_is_a_legal_move() {
    let mut engine = playing("tictactoe");
    engine.answer("usermove P@b2\n");
    let said = engine.say("hint\n");
    assert!(said.len() <= 1, "{said:?}");
    if let Some(line) = said.first() {
        let written = line.strip_prefix("Hint: ").expect("the form of a hint");
        assert_eq!(engine.say(&format!("force\nusermove {written}\n")), [""; 0]);
    }
}

#[test]
fn the_clock_is_obeyed() {
    for (clock, most) in [
        ("st 1", 2000),
        ("st 0", 1000),
        ("level 0 0:02 0\ntime 200\notim 200", 2500),
        ("level 40 0:10 0\ntime 50\notim 1000", 1500),
        ("level 0 5 0\ntime 0\notim 0", 1000),
        ("level 0 5 0\ntime -30\notim -30", 1000),
        ("level 0 0 1\ntime 100\notim 100", 2500),
        ("level 0 100 0\nst 1\ntime 600000", 2500),
        ("sd 1", 5000),
    ] {
        for player in ["auto", "mcts", "montecarlo", "perfect"] {
            let mut engine = with_options(&[("player", player)], "noughts12");
            engine.say(&format!("{clock}\n"));
            let start = Instant::now();
            assert!(engine.answer("usermove P@f6\n").starts_with("move "));
            let time = start.elapsed();
            assert!(time < Duration::from_millis(most), "{player}: {clock}: {time:?}");
        }
    }
}

#[test]
fn garbage_is_refused_line_by_line_in_plain_characters() {
    let mut engine = playing("noughts5");
    let first = engine.answer("usermove P@a1\n");
    assert!(first.starts_with("move "));
    let long = "z".repeat(100_000);
    for line in [&b"\0"[..], b"usermove P@b2\0", b"usermove \xff", b"\x1b[2J", b"go \xf0\x9f\x98\x80", long.as_bytes()]
    {
        let said = engine.say_bytes(line);
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(is_refusal(&said[0]) && said[0].len() < 300, "{said:?}");
        assert!(said[0].bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{said:?}");
    }
    assert_eq!(engine.say("\n  \n# usermove P@b2\n\t\n"), [""; 0]);
    assert_eq!(engine.say("  force \r\nusermove\t P@e5 \r\n"), [""; 0]);
}

#[test]
fn thousands_of_lines_in_one_write_are_answered_one_by_one() {
    let mut engine = playing("noughts4");
    let said = engine.say(&"force\nnew\nvariant noughts4\nusermove P@a1\nfoo\nusermove e2e4\n".repeat(2000));
    let count = |start: &str| said.iter().filter(|line| line.starts_with(start)).count();
    assert_eq!((count("setup "), count("move "), count("Error "), count("Illegal move")), (2000, 2000, 2000, 2000));
}

#[test]
fn an_analysis_goes_on_in_the_current_position_after_an_option() {
    let mut engine = with_options(SLOW, "noughts8");
    engine.send("post\nforce\nusermove P@a1\nanalyze\n");
    engine.until(is_thinking_line);
    for (option, is_new) in [("seed=2", false), ("connect=8", true), ("connect=5", false), ("connect=5", false)] {
        engine.send(&format!("option {option}\nping 1\n"));
        let said = engine.until(|line| line == "pong 1");
        assert_eq!(said.iter().filter(|line| line.starts_with("telluser")).count(), usize::from(is_new), "{said:?}");
        assert!(!said.iter().any(|line| line.starts_with("move ") || is_refusal(line)), "{option}: {said:?}");
        engine.until(is_thinking_line);
        // Without another line behind it too.
        engine.send(&format!("option {option}\n"));
        engine.during(Duration::from_millis(50));
        engine.until(is_thinking_line);
    }
    engine.send("usermove P@a1\nping 2\n");
    let said = engine.until(|line| line == "pong 2");
    assert!(!said.iter().any(|line| is_refusal(line)), "{said:?}");
    engine.until(is_thinking_line);
    let said = without_thoughts(Dialect::XBoard, engine.say("exit\nusermove P@a1\n"));
    assert!(said.len() == 1 && said[0].starts_with("Illegal move"), "{said:?}");
}

#[test]
fn options_of_the_command_line_do_not_choose_another_game() {
    for options in [&[("size", "5"), ("reverse", "true")][..], &[("UCI_Variant", "tictactoe")]] {
        let mut engine = Foreign::new(Dialect::XBoard, options);
        let said = engine.say("xboard\nforce\nusermove P@d1\nusermove P@a1\nusermove P@a2\nusermove P@b1\n");
        assert!(said.len() == 1 && said[0].starts_with("Illegal move"), "{options:?}: {said:?}");
        let said = engine.say("protover 2\nusermove P@b2\nusermove P@c1\n");
        assert!(said.last().is_some_and(|line| line.starts_with("1-0 {X completed")), "{options:?}: {said:?}");
    }
}

/// What comes of an option.
enum Set {
    Silent,
    Refused,
    Connect(u16),
}

/// An option of any name, in any case, with a value that it takes or not.
fn any_option(random: &mut Generator) -> (String, Set) {
    let names = OPTIONS.iter().map(|option| option.name).chain(["Debug Log File", "nonsense", "size value 5", ""]);
    let names: Vec<&str> = names.collect();
    let name = names[below(random, names.len() as u32) as usize];
    let (values, wrong): (&[&str], &[&str]) = match name {
        "connect" => (&["0", "2", "3", "4", "5", "400"], &["401", "x", "", "-1"]),
        "size" => (&[], &["3", "4", "5"]),
        "reverse" => (&[], &["true", "false"]),
        "UCI_Variant" => (&[], &["noughts", "tictactoe", "gomokufreestyle"]),
        "player" => (&["random", "MonteCarlo"], &["best"]),
        "level" => (&["1", "10"], &["11"]),
        "score_current" | "score_other" => (&["0.5", "2"], &["-1"]),
        "tiebreak" => (&["first", "random"], &["last"]),
        "trials" | "max_trials" | "seed" | "MultiPV" | "Hash" | "Threads" | "Move Overhead" => {
            (&["1", "2"], &["-1", "x"])
        }
        "Debug Log File" => (&["", "<empty>"], &["/", "/dev/null"]),
        _ => (&[], &["", "5"]),
    };
    let number = below(random, (values.len() + wrong.len()) as u32) as usize;
    let value = values.iter().chain(wrong).nth(number).expect("a value");
    let any_case = |letter: char| {
        if below(random, 2) == 0 { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
    };
    let line = format!("option {}={value}", name.chars().map(any_case).collect::<String>());
    let set = match value.parse() {
        _ if number >= values.len() => Set::Refused,
        Ok(connect) if name == "connect" => Set::Connect(connect),
        _ => Set::Silent,
    };
    (line, set)
}

/// What a client has told of the game, kept by a referee of its own.
struct Referee {
    rules: Rules,
    start: Position,
    history: Vec<Cell>,
    /// The engine's side, unless it plays neither.
    plays: Option<Player>,
}

/// What the engine owes for a line.
enum Owed {
    Nothing,
    Refusal,
    /// A move unless the game is over, and the claim if it is.
    Answer,
    /// Word of a new game.
    Word,
}

impl Referee {
    fn new(rules: Rules) -> Referee {
        Referee { rules, start: Position::start(rules), history: Vec::new(), plays: Some(Player::O) }
    }

    fn game(&self) -> Position {
        self.history.iter().fold(self.start, |game, &cell| game.after(cell))
    }

    fn begin(&mut self, start: Position) -> Owed {
        (self.rules, self.start) = (start.rules(), start);
        self.history.clear();
        Owed::Nothing
    }

    fn take_back(&mut self, moves: usize) -> Owed {
        match self.history.len().checked_sub(moves) {
            Some(left) => {
                self.history.truncate(left);
                Owed::Nothing
            }
            None => Owed::Refusal,
        }
    }

    /// Any line, of sense or of nonsense.
    fn any_line(&mut self, random: &mut Generator) -> (String, Owed) {
        let (size, connect) = (self.rules.size(), self.rules.connect());
        match below(random, 20) {
            0 => {
                let (size, reverse) = (3 + below(random, 3) as u8, below(random, 2) == 1);
                self.plays = Some(Player::O);
                let rules = rules(size, connect, reverse);
                let (name, _) = variants()
                    .into_iter()
                    .find(|(_, of)| of.size() == size && of.reverse() == reverse)
                    .expect("a game");
                (format!("variant {name}"), self.begin(Position::start(rules)))
            }
            1 => {
                self.plays = Some(Player::O);
                ("new".to_owned(), self.begin(Position::start(self.rules)))
            }
            2 => {
                self.plays = None;
                ("force".to_owned(), Owed::Nothing)
            }
            3 | 4 => {
                self.plays = Some(self.game().side());
                ("go".to_owned(), Owed::Answer)
            }
            5 => ("undo".to_owned(), self.take_back(1)),
            6 => ("remove".to_owned(), self.take_back(2)),
            7 => ("xyzzy 1".to_owned(), Owed::Refusal),
            8 => {
                let start = Position::start(self.rules).after(Cell::new(1, 1)).after(Cell::new(2, 2));
                let text = start.diagram().to_string().replace('x', "P").replace('o', "p").replace(" P", " w");
                (format!("setboard {text} - - 0 1"), self.begin(start))
            }
            9 => (format!("setboard {}/{}", "P".repeat(size.into()), size), Owed::Refusal),
            10..=12 => {
                let (line, set) = any_option(random);
                let owed = match set {
                    Set::Silent => Owed::Nothing,
                    Set::Refused => Owed::Refusal,
                    Set::Connect(number) if number == connect => Owed::Nothing,
                    Set::Connect(number) => {
                        let is_told = self.game() != Position::start(self.rules);
                        self.begin(Position::start(rules(size, number, self.rules.reverse())));
                        // Where no stone is gone, it goes on as before.
                        self.plays = if is_told { self.plays.and(Some(Player::O)) } else { self.plays };
                        if is_told { Owed::Word } else { Owed::Nothing }
                    }
                };
                (line, owed)
            }
            _ => {
                let cell = Cell::new(below(random, u32::from(size)) as u8, below(random, u32::from(size)) as u8);
                let game = self.game();
                let owed = if game.outcome().is_some() || game.occupant(cell).is_some() {
                    Owed::Refusal
                } else {
                    self.history.push(cell);
                    let after = self.game();
                    let is_asked = self.plays == Some(after.side()) || after.outcome().is_some();
                    if is_asked { Owed::Answer } else { Owed::Nothing }
                };
                (usermove(cell, size), owed)
            }
        }
    }
}

/// Lines of sense, of nonsense and of both, in any order.
#[test]
fn whatever_is_said_every_question_has_one_answer() {
    let mut random = generator(2026, Stream::Order);
    let (mut claims, mut refusals) = (0, 0);
    for _ in 0..120 {
        let mut engine = playing("noughts4");
        let mut referee = Referee::new(rules(4, 0, false));
        for _ in 0..80 {
            let (line, owed) = referee.any_line(&mut random);
            let mut said = engine.answers(&line);
            said.retain(|line| !line.starts_with("setup ") && !line.starts_with("piece "));
            match owed {
                Owed::Nothing => {}
                Owed::Word => assert!(said.remove(0).starts_with("telluser "), "{line}"),
                Owed::Refusal => {
                    assert!(said.len() == 1 && is_refusal(&said.remove(0)), "{line}");
                    refusals += 1;
                }
                Owed::Answer => {
                    if referee.game().outcome().is_none() {
                        let answer = moved(&said.remove(0), &referee.game());
                        assert_eq!(referee.game().occupant(answer), None);
                        referee.history.push(answer);
                    }
                    if referee.game().outcome().is_some() {
                        let claimed = said.remove(0);
                        assert!(claimed.starts_with(claim(&referee.game())), "{line}: {claimed}");
                        claims += 1;
                    }
                }
            }
            assert_eq!(said, [""; 0], "{line} after {:?}", referee.history);
        }
    }
    assert!(claims > 150 && refusals > 1_000, "{claims} {refusals}");
}
