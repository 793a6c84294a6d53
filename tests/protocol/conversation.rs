//! A session in memory: the order of answers, what waits, what is held back, what is refused.

use std::time::{Duration, Instant};

use crate::common::random_games::any_move;
use crate::common::{Conversation, value_of, without_times};
use noughts::engine::{EngineRequest, EngineResult, GoResult, OPTIONS, OptionType, SearchBackend};
use noughts::game::{Position, Rules, Score, Shape};
use noughts::search::{Control, OnProgress, SearchRequest, SearchResult, Stream, Variation, generator};

/// Options under which a search takes as long as it is given.
const SLOW: &str = "setoption player montecarlo\nsetoption size 9\nsetoption seed 1\n";

fn said(lines: &[&str]) -> Vec<String> {
    let mut conversation = Conversation::new();
    conversation.send(&(lines.join("\n") + "\n"));
    conversation.until_idle().iter().map(|line| without_times(line)).collect()
}

fn count(lines: &[String], start: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(start)).count()
}

#[test]
fn e01_a_handshake_lists_every_option_and_ends_with_its_own_word() {
    for (hello, ok) in [("ugi", "ugiok"), ("uci", "uciok"), ("UCI", "uciok")] {
        let lines = said(&[hello]);
        assert_eq!(lines[0], format!("id name Noughts {}", env!("CARGO_PKG_VERSION")));
        assert!(lines[1].starts_with("id author "));
        assert_eq!(count(&lines, "option name "), noughts::engine::OPTIONS.len() + 1, "all, and Debug Log File");
        assert_eq!((count(&lines, ok), lines.last().map(String::as_str)), (1, Some(ok)));
    }
}

#[test]
fn the_last_info_is_complete_and_its_pv_begins_with_bestmove() {
    for player in ["auto", "perfect", "montecarlo", "mcts", "random"] {
        for size in [1, 2, 3, 4, 20] {
            for lines in [1, 3, 400] {
                let output = said(&[
                    &format!("setoption player {player}"),
                    &format!("setoption size {size}"),
                    &format!("setoption multipv {lines}"),
                    "go trials 5",
                ]);
                let info = &output[output.len() - 2];
                let best = output[output.len() - 1].strip_prefix("bestmove ").expect("the answer comes last");
                assert_eq!(value_of(info, "pv"), Some(best), "{info}");
                assert!(!info.contains("multipv"), "{info}");
                for key in ["score", "value", "proven", "nodes", "nps", "time"] {
                    assert!(value_of(info, key).is_some(), "{key}: {info}");
                }
                let shown = if lines == 1 { 0 } else { lines.min(size * size) };
                let of_many = output.iter().filter(|line| value_of(line, "multipv").is_some()).count();
                assert_eq!(of_many, shown);
                if shown > 0 {
                    let first = output.iter().find(|line| value_of(line, "multipv") == Some("1")).expect("a first");
                    assert_eq!(first.replace(" multipv 1", ""), *info);
                    assert!(output.iter().any(|line| value_of(line, "multipv") == Some(shown.to_string().as_str())));
                }
            }
        }
    }
}

#[test]
fn mate_is_told_in_moves_until_ugi_asks_for_plies() {
    let ask = "position fen xo1/1x1/2o x\ngo\n";
    let mut conversation = Conversation::new();
    let mut score = |hello: &str| {
        let lines = conversation.send(&format!("{hello}{ask}")).until_line("bestmove");
        let info = lines[lines.len() - 2].clone();
        (value_of(&info, "mate").map(str::to_owned), value_of(&info, "plies").map(str::to_owned))
    };
    let moves = (Some("2".to_owned()), Some("3".to_owned()));
    let plies = (Some("3".to_owned()), Some("3".to_owned()));
    assert_eq!(score(""), moves);
    assert_eq!(score("ugi\n"), plies);
    assert_eq!(score("uci\n"), moves);
    // The sign is that of the side to move.
    let lines = said(&["position fen PP1/1p1/P1p[PPpp] b - - 0 1", "go depth 9"]);
    assert_eq!(value_of(&lines[lines.len() - 2], "mate"), Some("-1"));
}

#[test]
fn e08_a_finished_game_has_a_value_and_no_move() {
    for (rules, board, value, plies) in [
        ("", "xxx/oo1/3 o", "-1", Some("0")),
        ("setoption reverse true\n", "xxx/oo1/3 o", "1", Some("0")),
        ("", "xox/xxo/oxo", "0", None),
        ("", "xxx/oo1/o2 x", "1", Some("0")),
    ] {
        let lines = said(&[&format!("{rules}position fen {board}"), "go", "query moves", "query gameover"]);
        assert_eq!(value_of(&lines[0], "value"), Some(value), "{board}");
        assert_eq!(value_of(&lines[0], "plies"), plies, "{board}");
        assert_eq!(lines[1..], ["bestmove (none)", "response", "response true"]);
        assert!(!lines[0].contains(" pv"), "{}", lines[0]);
    }
}

#[test]
fn questions_are_answered_from_the_position() {
    assert_eq!(
        said(&["query p1turn", "query gameover", "query result", "query position", "query line"]),
        ["response true", "response false", "response none", "response 3/3/3 x", "response none"]
    );
    assert_eq!(
        said(&[
            "position startpos moves 0,0 b2 0,1 2,2 a1",
            "query p1turn",
            "query moves",
            "position startpos moves 0,0 1,0 0,1 1,1 0,2",
            "query result",
            "query line",
            "setoption reverse true",
            "position startpos moves 0,0 1,0 0,1 1,1 0,2",
            "query result",
            "query position",
        ]),
        [
            "response false",
            "response 0,2 1,0 1,2 2,1",
            "response p1win",
            "response 0,0 0,1 0,2",
            "response p2win",
            "response xxx/oo1/3 o"
        ]
    );
}

#[test]
fn a_move_is_legal_just_where_the_legal_moves_have_it_and_both_names_give_the_position() {
    for (rules, number) in some_rules().zip(0..) {
        let mut random = generator(11, Stream::Opening(number));
        let set = format!("setoption size {}\nsetoption columns {}\n", rules.shape().rows, rules.shape().columns);
        let set = format!("{set}setoption connect {}\nsetoption reverse {}\n", rules.connect(), rules.reverse());
        let mut conversation = Conversation::new();
        conversation.send(&set);
        let mut ask = |lines: &str| {
            conversation.send(lines);
            conversation.until_idle()
        };
        for _ in 0..3 {
            let (mut position, mut moves) = (Position::start(rules), Vec::new());
            loop {
                let start = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
                let said = ask(&format!("position startpos{start}\nquery moves\nquery position\nquery fen\n"));
                assert_eq!((said.len(), &said[1]), (3, &said[2]), "{said:?}");
                let legal: Vec<&str> = said[0].split(' ').skip(1).collect();
                // One row and one column beyond the board, too.
                let shape = rules.shape();
                let rows = 0..=shape.rows;
                let cells = rows.flat_map(|row| (0..=shape.columns).map(move |column| (row, column)));
                let (mut asked, mut answers) = (String::new(), Vec::new());
                for (row, column) in cells {
                    let written = format!("{row},{column}");
                    let answer = format!("response {}", legal.contains(&written.as_str()));
                    let mut forms = vec![written];
                    if let Some(rank) = shape.rows.checked_sub(row) {
                        let square = format!("{}{rank}", char::from(b'a' + column));
                        forms.extend([format!("P@{square}"), square]);
                    }
                    for written in forms {
                        asked += &format!("query islegal {written}\n");
                        answers.push(answer.clone());
                    }
                }
                assert_eq!(ask(&asked), answers, "{asked} {start}");
                // What it says of the position leads there again, also with the game before it.
                let text = said[2].strip_prefix("response ").expect("a response");
                let length = rules.line_length().map_or(rules.connect(), u16::from);
                let game = format!("{} {} {length} {} 7", shape.rows, shape.columns, text.to_uppercase());
                for text in [text, &game] {
                    assert_eq!(ask(&format!("newgame\nposition fen {text}\nquery fen\n")), [said[2].as_str()]);
                }
                if position.outcome().is_some() {
                    break;
                }
                let cell = any_move(&position, &mut random);
                position = position.after(cell);
                moves.push(cell.to_string());
            }
        }
    }
    for (line, mentions) in [
        ("query islegal", "found the end"),
        ("query islegal 1", "a move in the form"),
        ("query islegal a1 b2", "the end of the line"),
    ] {
        let said = said(&[line]);
        assert!(
            said.len() == 1 && said[0].starts_with("info string error: query: ") && said[0].contains(mentions),
            "{said:?}"
        );
    }
}

/// Squares and rectangles, under both rules.
fn some_rules() -> impl Iterator<Item = Rules> {
    let games = [(3, 3, 0, false), (4, 4, 3, true), (2, 5, 4, false), (5, 3, 0, true), (1, 4, 9, false)];
    games.into_iter().map(|(rows, columns, connect, reverse)| {
        Rules::new(Shape { rows, columns }, connect, reverse).expect("rules within range")
    })
}

#[test]
fn a_position_with_its_game_sets_the_game_or_nothing() {
    let after = |lines: &[&str]| said(&[lines, &["query fen", "position startpos", "query fen"]].concat());
    // The game in force stays as it was set: `size` still has as many columns.
    let lines = ["position fen 3 3 3 3/1X1/3 o 1", "setoption size 4"];
    assert_eq!(after(&lines), ["response 4/4/4/4 x", "response 4/4/4/4 x"]);
    let lines = ["position fen 2 5 2 XO3/5 x 2 moves e1"];
    assert_eq!(after(&lines), ["response xo3/4x o", "response 5/5 x"]);
    assert_eq!(
        after(&["setoption columns 5", "position fen 4 4 3 4/4/4/4", "setoption size 3"])[0],
        "response 3/3/3 x"
    );
    // The number in a row counts as well, and reverse stays.
    let lines = ["setoption reverse true", "position fen 3 3 2 XX1/OO1/3 x 3", "query result"];
    assert_eq!(
        after(&lines)[0],
        "info string error: position: both sides have completed a line; the position is unchanged"
    );
    let lines = ["setoption reverse true", "position fen 3 3 2 XX1/O2/3 o 2", "query result"];
    assert_eq!(after(&lines)[0], "response p2win");
    for wrong in [
        "position fen 21 3 3 3/3/3 x 1",
        "position fen 4 4 401 4/4/4/4 x 1",
        "position fen 4 4 4 4/4/4/4 x 1 moves 9,9",
        "position fen 4 4 4 XX2/4/4/4",
        "position fen 4 3 3 4/4/4/4 x 1",
        "position fen 4 4 4 4/4/4 x 1",
        "position fen 4 4 4/4/4/4 x 1",
        "position fen 4 4 4 4/4/4/4 1",
        "position 4 4 4 startpos",
    ] {
        let said = after(&["position startpos moves 1,1", wrong]);
        assert!(said[0].starts_with("info string error: position: "), "{wrong}: {said:?}");
        assert_eq!(said[1..], ["response 3/1x1/3 o", "response 3/3/3 x"], "{wrong}");
    }
    let lines = ["setoption UCI_Variant tictactoe", "position fen 4 4 4 4/4/4/4 x 1"];
    assert!(after(&lines)[0].contains("set UCI_Variant to noughts first"), "{:?}", after(&lines));
}

#[test]
fn only_a_changed_rule_clears_the_board() {
    let with = |option: &str| said(&["position startpos moves 1,1", option, "query position"]);
    for keeps in ["setoption size 3", "setoption connect 0", "setoption reverse false", "setoption trials 7"] {
        assert_eq!(with(keeps), ["response 3/1x1/3 o"], "{keeps}");
    }
    assert_eq!(with("setoption size 2"), ["response 2/2 x"]);
    assert_eq!(with("setoption connect 3"), ["response 3/3/3 x"]);
    assert_eq!(with("setoption reverse true"), ["response 3/3/3 x"]);
}

#[test]
fn e26_and_e27_what_is_wrong_gets_one_line_and_changes_nothing() {
    for wrong in [
        "position startpos moves 0,0 0,0",
        "position startpos moves 3,3",
        "position startpos moves 0,0 1,0 0,1 1,1 0,2 2,2",
        "position fen xo/.. x",
        "position fen xxx/ooo/3 x",
        "position fen x2/3/3 x",
        "position fen xxx/3/3 o",
        "position fen 4/4/4/4",
        "position fen 3/3/3 w KQkq - 0 1",
        "position startpos moves e2e4",
        "position startpos moves 0,0 x",
        "position",
        "position fen xxxx/4/4/4",
        "position fen xx1/3/3",
        "position fen xo1/3/3/3",
        "position fen xo2/3/3",
        "position fen qo1/3/3",
        "position fen 3/3/3 z",
        "position fen",
        "position fen 3/3 w",
        "position fen 3/1P1/3 w - - 0 1",
        "position fen 3/1P1/3[PPPPpppp] q - - 0 1",
        "position fen 3/1P1/3[PPPP b - - 0 1",
        "position fen 3/1K1/3 b - - 0 1",
        "position fen 3/1P1/3 b - - 0 1 moves P@b2",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "position startpos moves P@d1",
        "position startpos moves P@a0",
        "position startpos moves Q@a1",
        "position startpos moves P@",
        "position startpos moves P@a1b2",
        "position startpos moves P@1a",
        "position startpos moves 0000",
        "position fen 99999999999/3/3",
        "setoption size 21",
        "setoption nonsense 3",
        "go trials 0",
        "go infinite nodes -1",
        "frobnicate",
        "isready now",
    ] {
        let lines = said(&["position startpos moves 1,1", wrong, "query position"]);
        assert_eq!(lines.len(), 2, "{wrong}: {lines:?}");
        assert!(lines[0].starts_with("info string error: "), "{}", lines[0]);
        assert_eq!(lines[1], "response 3/1x1/3 o", "{wrong}");
    }
}

#[test]
fn e26_an_illegal_move_is_named_with_its_place_in_the_list() {
    for (moves, problem) in [("1,1 0,0 b2", "1,1 is taken"), ("1,1 0,0 7,7", "7,7 is off the 3x3 board")] {
        let error = format!("info string error: position: move 3: {problem}; the position is unchanged");
        assert_eq!(said(&[&format!("position startpos moves {moves}")]), [error]);
    }
}

#[test]
fn e31_an_unknown_word_in_a_go_gets_a_note_and_the_rest_is_obeyed() {
    let lines = said(&["setoption player montecarlo", "go perft trials 7"]);
    assert!(lines[0].starts_with("info string go: \"perft\""), "{}", lines[0]);
    assert_eq!(value_of(&lines[1], "trials"), Some("7"));
    assert_eq!(count(&lines, "bestmove"), 1);
}

#[test]
fn limits_are_upper_bounds_and_trials_is_for_a_go_without_any() {
    let trials = |go: &str| {
        let lines = said(&["setoption player montecarlo", "setoption trials 40", go]);
        value_of(&lines[lines.len() - 2], "trials").map(str::to_owned)
    };
    assert_eq!(trials("go").as_deref(), Some("40"));
    assert_eq!(trials("go depth 3").as_deref(), Some("40"));
    assert_eq!(trials("go trials 900").as_deref(), Some("900"));
    assert_eq!(trials("go nodes 30 trials 900").as_deref(), Some("30"));
    // Where there is no time for a playout, none is played.
    assert_eq!(trials("go movetime 0"), None);
    assert_eq!(trials("go wtime 0 btime 5000"), None);
    // The clock of the other side is no limit.
    assert_eq!(trials("go btime 1").as_deref(), Some("40"));
}

#[test]
fn e05_readyok_overtakes_a_running_search_but_not_a_stopped_one() {
    let mut conversation = Conversation::new();
    conversation.send(SLOW).send("go infinite\nisready\n");
    assert_eq!(conversation.until_line("readyok").iter().filter(|line| line.starts_with("bestmove")).count(), 0);
    conversation.send("stop\nisready\nisready\n");
    let mut lines = conversation.until_line("readyok");
    lines.extend(conversation.until_idle());
    assert_eq!(count(&lines, "bestmove"), 1);
    assert_eq!(count(&lines, "readyok"), 2);
    let best = lines.iter().position(|line| line.starts_with("bestmove"));
    let ready = lines.iter().position(|line| line == "readyok");
    assert!(best < ready, "{lines:?}");
}

#[test]
fn readyok_waits_only_for_searches_stopped_before_it() {
    let mut conversation = Conversation::new();
    conversation.send(SLOW).send("go infinite\nstop\nisready\n");
    conversation.send(&"go infinite\nstop\n".repeat(50)).send("isready\n");
    let lines = conversation.until_idle();
    let said: Vec<&String> = lines.iter().filter(|line| !line.starts_with("info")).collect();
    assert_eq!(said.len(), 53);
    assert_eq!((said[1].as_str(), said[52].as_str()), ("readyok", "readyok"), "{said:?}");
}

#[test]
fn e09_to_e12_commands_during_a_search_wait_their_turn_in_order() {
    let mut conversation = Conversation::new();
    conversation
        .send(SLOW)
        .send("go infinite\nsetoption size 3\nquery position\nnewgame\nposition startpos moves 0,0\n");
    conversation.send("go trials 5\nquery position\nfoo\n");
    assert_eq!(count(&conversation.until_idle(), "response"), 0);
    conversation.send("stop\n");
    let lines = conversation.until_line("info string error");
    let words: Vec<&str> = lines.iter().map(|line| line.split(' ').next().unwrap_or("")).collect();
    let tail: Vec<&str> = words.into_iter().filter(|word| *word != "info").collect();
    assert_eq!(tail, ["bestmove", "response", "bestmove", "response"]);
    assert!(["response 3/3/3 x", "response x2/3/3 o"].iter().all(|told| lines.contains(&(*told).to_owned())));
}

#[test]
fn e06_and_e34_stop_ends_every_search_before_it_and_none_after() {
    for options in ["", SLOW] {
        let mut conversation = Conversation::new();
        conversation.send(options);
        for _ in 0..200 {
            conversation.send("go infinite\nstop\n");
        }
        conversation.send("go infinite\n");
        let lines = conversation.until_idle();
        assert_eq!(count(&lines, "bestmove"), 200);
        assert_eq!(count(&conversation.send("stop\nstop\n").until_line("bestmove"), "bestmove"), 1);
        assert_eq!(conversation.send("stop\n").until_idle(), Vec::<String>::new());
    }
}

#[test]
fn e07_a_proven_answer_is_held_back_under_infinite_until_stop() {
    for go in ["go infinite", "go infinite trials 1", "go infinite movetime 1"] {
        let mut conversation = Conversation::new();
        // The result so far is sent, the move is not.
        let told = conversation.send(&format!("{go}\n")).until_idle();
        assert_eq!((value_of(&told[0], "proven"), count(&told, "bestmove")), (Some("true"), 0));
        assert_eq!(conversation.send("isready\n").until_idle(), ["readyok"]);
        assert_eq!(count(&conversation.send("stop\n").until_idle(), "bestmove"), 1);
    }
}

#[test]
fn quit_waits_for_the_running_search_only() {
    let mut conversation = Conversation::new();
    conversation.send(SLOW).send("go infinite\ngo trials 5\nd\nquit\ngo trials 5\n");
    let lines = conversation.until_idle();
    assert_eq!(count(&lines, "bestmove"), 1);
    assert!(conversation.session.is_over());
}

#[test]
fn quit_behind_wait_lets_everything_before_it_end() {
    let mut conversation = Conversation::new();
    conversation.send(SLOW).send("go trials 50000\ngo trials 10\nd\nwait\nquit\ngo trials 5\n");
    assert!(!conversation.session.is_over());
    let lines = conversation.until_line("turn");
    assert_eq!(count(&lines, "bestmove"), 2);
    conversation.until_idle();
    assert!(conversation.session.is_over());
}

#[test]
fn wait_does_not_hold_a_quit_back_behind_an_infinite_search() {
    for search in ["go infinite\n", "go trials 50000\ngo infinite\n"] {
        let mut conversation = Conversation::new();
        conversation.send(SLOW).send(search).send("wait\nquit\n");
        assert_eq!(count(&conversation.until_line("bestmove"), "bestmove"), 1);
        assert!(conversation.session.is_over());
    }
}

#[test]
fn commands_between_wait_and_quit_are_dropped_after_the_wait() {
    for between in ["go trials 20000\n", "go infinite\n", "go trials 20000\ngo infinite\nd\n"] {
        let mut conversation = Conversation::new();
        conversation.send(SLOW).send("go trials 30000\nwait\n").send(between).send("quit\ngo trials 7\n");
        let lines = conversation.until_idle();
        assert!(conversation.session.is_over());
        assert_eq!(count(&lines, "bestmove"), 1);
        assert!(lines.iter().any(|line| value_of(line, "trials") == Some("30000")), "{lines:?}");
    }
}

#[test]
fn a_wait_that_has_had_its_turn_holds_nothing_back() {
    for _ in 0..20 {
        let mut conversation = Conversation::new();
        conversation.send(SLOW).send("wait\ngo infinite\n").until_idle();
        assert_eq!(count(&conversation.send("quit\n").until_idle(), "bestmove"), 1);
        assert!(conversation.session.is_over());
    }
}

#[test]
fn a_quit_that_is_held_back_leaves_stop_and_isready_alive() {
    let mut conversation = Conversation::new();
    conversation.send(SLOW).send("go movetime 60000\nwait\nquit\nisready\n").until_line("readyok");
    assert!(!conversation.session.is_over());
    assert_eq!(count(&conversation.send("d\nstop\n").until_idle(), "bestmove"), 1);
    assert!(conversation.session.is_over());
}

#[test]
fn end_of_input_finishes_limited_and_ends_infinite_searches() {
    let mut conversation = Conversation::new();
    conversation.send(SLOW).send("go trials 30000\ngo infinite\ngo trials 20000\n").end_of_input();
    let mut lines = Vec::new();
    while !conversation.session.is_over() {
        lines.extend(conversation.until_line("bestmove"));
    }
    assert_eq!(count(&lines, "bestmove"), 3);
    let trials: Vec<_> = lines
        .iter()
        .zip(lines.iter().skip(1))
        .filter(|(_, next)| next.starts_with("bestmove"))
        .map(|(info, _)| value_of(info, "trials").map(str::to_owned))
        .collect();
    assert_eq!(trials[0].as_deref(), Some("30000"));
    assert_eq!(trials[2].as_deref(), Some("20000"));
}

#[test]
fn random_streams_depend_only_on_the_seed_and_the_go_number() {
    let answers = |script: &[&str]| -> Vec<String> {
        let mut lines = said(&[&["setoption player montecarlo", "setoption seed 9"], script].concat());
        lines.retain(|line| value_of(line, "total").is_some());
        lines
    };
    let plain = answers(&["go trials 50", "go trials 50", "go trials 50"]);
    assert!(plain[0] != plain[1] && plain[1] != plain[2]);
    let disturbed = answers(&[
        "go trials 50",
        "newgame",
        "eval",
        "d",
        "go trials zero",
        "position startpos",
        "isready",
        "setoption trials 3",
        "go trials 50",
        "eval",
        "go trials 50",
    ]);
    assert_eq!(disturbed, plain);
    assert_eq!(answers(&["go trials 50", "setoption seed 9", "go trials 50"]), [plain[0].clone(), plain[0].clone()]);
    // Without a seed two programs differ.
    let free = || said(&["setoption player montecarlo", "go trials 1000", "go trials 1000", "go trials 1000"]);
    assert_ne!(free(), free());
}

#[test]
fn eval_exact_adds_exact_scores_and_disturbs_no_random_stream() {
    let script = ["setoption seed 1", "setoption trials 1000", "position fen x1o/3/3 x"];
    let drawn = said(&[&script[..], &["eval exact"]].concat());
    assert_eq!(drawn.len(), 5 + 1 + 3 + 1, "{drawn:?}");
    // The law of a square is not at the mercy of the seed; the sample is what `eval` of Monte Carlo draws.
    let left = |line: &str| line.split("      ").next().unwrap_or_default().trim_end().to_owned();
    let other = said(&[&["setoption seed 2"], &script[1..], &["setoption player random", "eval exact"]].concat());
    for row in [1, 2, 3, 7] {
        let is_row = row < 7;
        let [one, two] = [&drawn[row], &other[row]].map(|line| if is_row { left(line) } else { line.clone() });
        assert_eq!(one, two);
        assert!(is_row == (drawn[row] != other[row]), "{drawn:?}");
    }
    let sampled = said(&[&script[..], &["setoption player montecarlo", "eval"]].concat());
    assert!(drawn[1..4].iter().zip(&sampled[1..4]).all(|(both, sample)| both.ends_with(sample)), "{drawn:?}");
    assert!(drawn[7].contains("won  58.6%  drawn  11.4%  lost  30.0%  plays 1,1"), "{drawn:?}");
    assert!(drawn[8].starts_with("sampled "), "{drawn:?}");
    // One playout, weights of any size, finished games, positions without a choice: always a drawing.
    for setting in ["trials 1", "score_current 1e100", "score_other 0", "connect 0", "size 1", "size 2", "connect 9"] {
        for board in ["startpos", "fen xxx/oo1/3", "fen xoo/oxx/xo1 x"] {
            let lines = said(&[&format!("setoption {setting}"), &format!("position {board}"), "eval exact", "d"]);
            assert!(lines.iter().filter(|line| line.is_empty()).count() >= 3, "{setting}: {lines:?}");
        }
    }
    let go = |evals: &[&str]| said(&[&["setoption seed 5", "setoption player random"], evals, &["go"]].concat()).pop();
    assert_eq!(go(&[]), go(&["eval exact", "eval exact"]));
    let refused = said(&["setoption size 4", "setoption seed 1", "eval exact", "query position"]);
    let error = "eval: exact scores are known on boards of up to 9 cells, not on 4x4; nothing is drawn";
    assert_eq!(refused, [format!("info string error: {error}"), "response 4/4/4/4 x".to_owned()]);
}

#[test]
fn every_number_is_finite_under_the_largest_and_least_weights() {
    let most = OPTIONS.iter().find_map(|option| match option.option_type() {
        OptionType::Number { max, .. } if option.name == "score_current" => Some(max),
        _ => None,
    });
    let most = most.expect("the option is a number");
    assert!((2.0 * most * u64::MAX as f64).is_finite(), "all playouts that a go can ask for, twice");
    let weights = ["0", "5e-324", "1", &most.to_string()];
    for (current, other) in weights.iter().flat_map(|current| weights.map(|other| (current, other))) {
        for game in ["size 1", "size 3", "connect 9", "reverse true", "size 20"] {
            let script = format!(
                "setoption score_current {current}\nsetoption score_other {other}\nsetoption {game}\nsetoption MultiPV 3\n\
                 setoption seed 1\nsetoption trials 50\neval\neval exact\ntrace montecarlo\n\
                 setoption player montecarlo\neval\ngo trials 40\nsetoption player montecarlolimit\neval\ngo trials 40"
            );
            let answers = said(&[&script]);
            let words = answers.iter().flat_map(|line| line.split([' ', '|']));
            let infinite: Vec<&str> =
                words.filter(|word| word.parse().is_ok_and(|number: f64| !number.is_finite())).collect();
            assert!(infinite.is_empty() && answers.len() > 10, "{current} {other} {game}: {infinite:?} in {answers:?}");
        }
    }
}

#[test]
fn eval_shows_exact_values_where_proven_and_totals_elsewhere() {
    let drawn = said(&["position fen xo1/1x1/3 o", "eval"]);
    assert_eq!(drawn[1..4], ["0   X  O L2  3", "1  L2  X L2  2", "2  L2 L2 L4  1"]);
    assert_eq!(drawn.last().map(String::as_str), Some(""));
    let counted = said(&["setoption player montecarlo", "setoption seed 1", "setoption trials 100", "eval"]);
    assert!(counted.iter().any(|line| line.contains("100 Monte Carlo playouts")), "{counted:?}");
    assert_eq!(counted, said(&["setoption player montecarlo", "setoption seed 1", "setoption trials 100", "eval"]));
    let over = said(&["position fen xxx/oo1/3", "eval"]);
    assert!(over.contains(&"The game is over.".to_owned()), "{over:?}");
}

#[test]
fn eval_is_exact_beyond_3x3_and_has_totals_for_unproven_moves() {
    let drawn = said(&["setoption size 4", "position fen xoxo/oxox/2x1/o3", "eval"]);
    assert_eq!(drawn[1..5], ["0   X  O  X  O  4", "1   O  X  O  X  3", "2  L2  D  X L2  2", "3   O L2 L2 W1  1"]);
    let open = said(&["setoption size 12", "setoption connect 6", "setoption trials 20", "eval"]);
    assert!(open.iter().any(|line| line.contains("scores of 20 Monte Carlo playouts")), "{open:?}");
}

/// A backend that leaves every `go` to a function.
struct SearchesBy(fn(&SearchRequest) -> SearchResult);

impl SearchBackend for SearchesBy {
    fn answer(&mut self, request: EngineRequest, _: Control, _: OnProgress<'_>) -> EngineResult {
        let EngineRequest::Go { request: go, .. } = request else { panic!("only moves are asked for") };
        let lines = go.options.multi_pv as usize;
        let question = SearchRequest { lines, root_moves: go.root_moves, ..SearchRequest::new(go.position) };
        EngineResult::Go(GoResult { result: (self.0)(&question), elapsed: go.since.elapsed() })
    }
}

/// A search with a bug.
fn panicking(question: &SearchRequest) -> SearchResult {
    panic!("no idea about {}", question.position.diagram())
}

#[test]
fn a_panicking_search_is_reported_and_answered_without_one() {
    let mut conversation = Conversation::with_backend(|| Box::new(SearchesBy(panicking)));
    for _ in 0..3 {
        let lines = conversation.send("position startpos moves 0,0\ngo\n").until_line("bestmove");
        assert!(lines[0].contains("the search failed (\"no idea about x2/3/3 o\")"), "{}", lines[0]);
        // Up to 3x3 the answer without a search is exact.
        assert_eq!(value_of(&lines[1], "proven"), Some("true"));
        assert_eq!(lines[2], "bestmove 1,1");
    }
    for (position, go, best) in [
        ("startpos moves 0,0", "go searchmoves 2,2", "bestmove 2,2"),
        ("fen xxx2/oo3/5/5/4o x", "go", "bestmove 0,3"),
        ("fen xx3/ooo2/5/5/4x x", "go", "bestmove 1,3"),
    ] {
        let size = if best == "bestmove 2,2" { 3 } else { 5 };
        let text = format!("setoption size {size}\nsetoption connect {}\nposition {position}\n{go}\n", size.min(4));
        assert_eq!(
            conversation.send(&text).until_line("bestmove").last().map(String::as_str),
            Some(best),
            "{position}"
        );
    }
    conversation.send("setoption size 3\nposition startpos\n");
    assert_eq!(
        conversation.send("go infinite\nisready\n").until_line("readyok").last().map(String::as_str),
        Some("readyok")
    );
    assert_eq!(count(&conversation.send("stop\n").until_line("bestmove"), "bestmove"), 1);
}

/// A search that waits for a core for two seconds, whatever it is told, and then plays its last legal move.
fn starved(question: &SearchRequest) -> SearchResult {
    std::thread::sleep(Duration::from_secs(2));
    let last = question.moves().last().expect("a legal move");
    let line = Variation { score: Score::Estimate(0.0), principal_variation: vec![last], total: None };
    SearchResult::new(line.score, vec![line], 1, 1)
}

#[test]
fn a_search_that_is_late_holds_up_no_later_one() {
    let start = Instant::now();
    let mut conversation = Conversation::with_backend(|| Box::new(SearchesBy(starved)));
    conversation.send("setoption tiebreak first\n");
    for (lines, answer) in [
        ("go movetime 50\n", "bestmove 0,0"),
        ("position startpos moves 0,0\ngo movetime 50\n", "bestmove 1,1"),
        ("go movetime 50\n", "bestmove 1,1"),
    ] {
        assert_eq!(conversation.send(lines).until_line("bestmove").last().map(String::as_str), Some(answer));
    }
    assert!(start.elapsed() < Duration::from_millis(1_500), "{:?}", start.elapsed());
    // A search without a limit of time gets the engine when it comes back, or the new one of a new game.
    for lines in ["go nodes 1\n", "go movetime 50\nnewgame\ngo nodes 1\n"] {
        let answers = conversation.send(lines).until(Duration::from_secs(3), |line| line == "bestmove 2,2");
        assert_eq!(answers.last().map(String::as_str), Some("bestmove 2,2"), "{answers:?}");
        assert_eq!(
            count(&answers, "bestmove"),
            count(&lines.split('\n').map(str::to_owned).collect::<Vec<_>>(), "go ")
        );
    }
    // Commands that stop or end the conversation meanwhile are answered all the same.
    conversation.send("go movetime 50\n").until_line("bestmove");
    conversation.send("go infinite\nstop\nquit\n").until_line("bestmove");
    assert!(conversation.session.is_over());
}

/// Waiting commands, one by one, until no more are wanted or `most` have been sent.
fn fill(conversation: &mut Conversation, line: &str, most: usize) -> usize {
    for sent in 0..most {
        if !conversation.session.wants_input() {
            return sent;
        }
        conversation.send(line);
    }
    most
}

#[test]
fn e35_an_infinite_search_queues_65536_commands_and_refuses_more() {
    let mut conversation = Conversation::new();
    conversation.send(SLOW).send("go infinite\n");
    assert_eq!(fill(&mut conversation, "query p1turn\n", 70_000), 70_000);
    conversation.send("position startpos moves 0,0\ngo trials 1\nisready\n");
    conversation.send("stop\n");
    let mut lines = conversation.until_idle();
    lines.extend(conversation.send("go trials 1\nsetoption trials 5\neval\ngo trials 1\n").until_idle());
    assert_eq!(count(&lines, "response"), 65_536);
    assert_eq!(count(&lines, "info string error: too much waits"), 70_000 - 65_536 + 2);
    assert_eq!(count(&lines, "info string error: go: refused"), 2);
    assert_eq!(count(&lines, "info string error: eval: refused"), 1);
    assert_eq!(count(&lines, "bestmove"), 1);
    assert_eq!(count(&lines, "readyok"), 1);
    let lines = conversation.send("position startpos\ngo trials 1\n").until_line("bestmove");
    assert_eq!(count(&lines, "bestmove"), 1);
}

#[test]
fn go_after_a_refused_game_change_needs_a_position_or_newgame() {
    for (refused, cure, cured) in [
        ("newgame", "newgame", true),
        ("setoption size 5", "position startpos", true),
        ("position startpos", "setoption size 3", false),
        ("query position", "query position", true),
        ("position startpos", "position startpos moves 9,9", false),
    ] {
        let mut conversation = Conversation::new();
        conversation.send(SLOW).send("go infinite\n");
        fill(&mut conversation, "gameover\n", 65_536);
        conversation.send(&format!("{refused}\nstop\n")).until_line("bestmove");
        conversation.until_idle();
        let lines = conversation.send(&format!("{cure}\ngo trials 1\n")).until_idle();
        assert_eq!(count(&lines, "bestmove") == 1, cured, "{refused}, {cure}: {lines:?}");
    }
}

#[test]
fn a_limited_search_pauses_reading_and_refuses_nothing() {
    let mut conversation = Conversation::new();
    conversation.send(SLOW).send("go movetime 300\n");
    let sent = fill(&mut conversation, "gameover\n", 70_000);
    assert_eq!(sent, 65_536);
    assert!(!conversation.session.wants_input());
    conversation.until_line("bestmove");
    conversation.until_idle();
    assert!(conversation.session.wants_input());
    assert_eq!(count(&conversation.send("go trials 1\n").until_idle(), "bestmove"), 1);
}

#[test]
fn a_search_with_huge_limits_counts_as_infinite_for_the_queue() {
    for go in ["go nodes 18446744073709551615", "go movetime 99999999999", "go wtime 9999999999999 btime 1"] {
        let mut conversation = Conversation::new();
        conversation.send(SLOW).send(&format!("{go}\n"));
        assert_eq!(fill(&mut conversation, "gameover\n", 65_600), 65_600, "{go}");
        let lines = conversation.send("stop\n").until_line("bestmove");
        assert_eq!(count(&lines, "info string error: too much waits"), 64);
    }
}

#[test]
fn sixteen_mebibytes_of_waiting_text_are_enough_too() {
    let mut conversation = Conversation::new();
    conversation.send(SLOW).send("go movetime 200\n");
    let sent = fill(&mut conversation, &format!("gameover {}\n", "z".repeat(60_000)), 1000);
    assert!((275..=285).contains(&sent), "{sent}");
}

#[test]
fn untaken_output_pauses_reading_and_work_but_loses_nothing() {
    let mut conversation = Conversation::new();
    let mut sent = 0;
    while conversation.session.wants_input() {
        conversation.send("help\n");
        conversation.session.proceed(Instant::now);
        sent += 1;
        assert!(sent < 100_000, "output is not bounded");
    }
    assert!(conversation.session.output().len() < 17 << 20);
    let lines = conversation.until_idle();
    assert_eq!(count(&lines, "quit "), sent);
}

#[test]
fn progress_is_reported_while_a_search_runs() {
    let mut conversation = Conversation::new();
    conversation.send(SLOW).send("go movetime 700\n");
    let lines = conversation.until_line("bestmove");
    let progress = lines.iter().filter(|line| line.starts_with("info depth")).count();
    assert!((2..=8).contains(&progress), "{lines:?}");

    // While the client does not read, none is kept.
    for before in ["d\n", ""] {
        conversation.send(before).send("go movetime 700\n");
        while conversation.session.awaits_answer() {
            conversation.session.proceed(Instant::now);
            conversation.session.drop_progress();
        }
        assert_eq!(count(&conversation.heard(), "info"), 1, "{before}");
    }
    // A reply that happens to be as long as a progress line is none.
    conversation.send("isready\n");
    conversation.session.drop_progress();
    assert_eq!(conversation.heard(), ["readyok"]);
    // None is mixed into a drawing.
    let drawn = conversation.send("setoption trials 400000\neval\n").until_line("X to move");
    assert_eq!(count(&drawn, "info"), 0);
}
