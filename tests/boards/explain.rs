//! Explanations: what they say is true, and every way to ask for one has its answer.

use crate::common::program::{Program, RunToEnd, command};
use crate::common::reasons::assert_proof_holds;
use crate::common::{Conversation, positions_by_ply, rules, without_times};
use noughts::game::{Bounds, Cell, Outcome, Position, Value};
use noughts::search::{Control, Explanation, Reason, Reasons, Solver, Stream, ValueTable, below, generator};
use noughts::text::explanation;

fn explain(solver: &mut Solver, position: &Position, cell: Option<Cell>) -> Explanation {
    Explanation::find(solver, position, cell, &Control::unlimited())
}

/// Holds every reason against the board.
fn assert_reasons_hold(reasons: &Reasons) {
    let side = reasons.position.side();
    let [attack, defence] = [side, !side].map(|player| &reasons.by_player[player as usize]);
    assert_proof_holds(&reasons.position, reasons.bounds, [attack, defence]);
}

/// Holds what follows from an explanation itself: the moves lead where it says.
fn assert_holds_together(explanation: &Explanation) {
    assert_reasons_hold(&explanation.reasons);
    explanation.end.iter().for_each(assert_reasons_hold);
    let follow = |line: &[Cell]| line.iter().fold(explanation.position, |position, &cell| position.after(cell));
    let wins_by = |line: &[Cell], winner| follow(line).outcome() == Some(Outcome::Win(winner));
    let side = explanation.position.side();
    let value = explanation.played.map_or(explanation.before, |(_, bounds)| bounds).exact();
    match value.expect("nothing ended the search") {
        value @ (Value::Win(plies) | Value::Loss(plies)) => {
            let winner = if value > Value::Draw { side } else { !side };
            let is_in_time = explanation.line.len() == usize::from(plies);
            assert!(wins_by(&explanation.line, winner) && is_in_time, "{explanation:?}");
        }
        Value::Draw => {
            let end = explanation.end.as_ref().unwrap_or(&explanation.reasons);
            assert_eq!(end.position, follow(&explanation.line));
            assert!(end.by_player.iter().all(|reason| reason.as_ref().is_some_and(|reason| *reason != Reason::Search)));
        }
    }
    if !explanation.better.is_empty() {
        assert!(wins_by(&explanation.better, side), "{explanation:?}");
        assert_eq!(Some(Value::Win(explanation.better.len() as u16)), explanation.before.exact());
    }
}

#[test]
fn explanations_of_all_3x3_positions_have_true_values_and_lines() {
    for reverse in [false, true] {
        let rules = rules(3, 0, reverse);
        let table = ValueTable::for_rules(rules).expect("3x3 has a table");
        let mut solver = Solver::new(rules, 1);
        let all: Vec<Position> = positions_by_ply(rules).concat();
        for (number, position) in all.iter().filter(|position| position.outcome().is_none()).enumerate() {
            let value = table.value(position);
            let worth = |cell: Cell| table.value(&position.after(cell)).before_move();
            let explanation = explain(&mut solver, position, None);
            assert_eq!(explanation.before, Bounds::exactly(value), "{position:?}");
            let best: Vec<Cell> = position.moves().filter(|&cell| worth(cell) == value).collect();
            assert_eq!((&explanation.best, explanation.best_is_complete), (&best, true), "{position:?}");
            assert_holds_together(&explanation);
            for cell in position.moves().skip(number % 3).step_by(3) {
                let explanation = explain(&mut solver, position, Some(cell));
                assert_eq!(explanation.before, Bounds::exactly(value), "{position:?}");
                assert_eq!(explanation.played, Some((cell, Bounds::exactly(worth(cell)))), "{position:?}");
                assert_eq!(explanation.line.first(), Some(&cell));
                assert_eq!(!explanation.better.is_empty(), value > Value::Draw && worth(cell) < value);
                assert_holds_together(&explanation);
            }
        }
    }
}

#[test]
fn reasons_hold_on_larger_boards_under_both_rules() {
    let mut kinds = [0; 4];
    for (number, (size, connect)) in [(4, 0), (4, 3), (5, 0), (5, 4), (6, 0)].into_iter().enumerate() {
        for reverse in [false, true] {
            let mut solver = Solver::new(rules(size, connect, reverse), 16);
            let mut numbers = generator(7, Stream::Opening(number as u64));
            for game in 0..40 {
                let mut position = Position::start(rules(size, connect, reverse));
                let stones = size as usize * size as usize / 2 + game % 6;
                for _ in 0..stones {
                    let moves: Vec<Cell> = position.moves().collect();
                    let next = moves.get(below(&mut numbers, moves.len().max(1) as u32) as usize);
                    let after = next.map(|&cell| position.after(cell));
                    position = after.filter(|after| after.outcome().is_none()).unwrap_or(position);
                }
                let explanation = explain(&mut solver, &position, position.moves().next());
                assert_holds_together(&explanation);
                for reason in explanation.reasons.by_player.iter().flatten() {
                    match reason {
                        Reason::Pairing { .. } => kinds[0] += 1,
                        Reason::Parity { .. } => kinds[1] += 1,
                        Reason::Potential { .. } => kinds[2] += 1,
                        Reason::Search => kinds[3] += 1,
                        _ => {}
                    }
                }
            }
        }
    }
    assert!(kinds.iter().all(|&count| count > 5), "{kinds:?}");
}

/// Folding changes no word, and a line is as full as it can be: what follows a fold does not fit in front of it.
#[test]
fn an_explanation_is_folded_once_at_any_width() {
    let mut solver = Solver::new(rules(4, 0, false), 16);
    let mut numbers = generator(7, Stream::Opening(1));
    for stones in (0..36).map(|game| game % 12) {
        let start = Position::start(rules(4, 0, false));
        let position = (0..stones).fold(start, |position, _| {
            let moves: Vec<Cell> = position.moves().collect();
            moves
                .get(below(&mut numbers, moves.len().max(1) as u32) as usize)
                .map_or(position, |&cell| position.after(cell))
        });
        let text = explanation::unfolded(&explain(&mut solver, &position, None));
        for width in [32, 50, 76, 100, 1000] {
            let folded = explanation::fold(&text, width);
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(words(&folded), words(&text), "{folded}");
            let indent = " ".repeat(10);
            for (line, next) in folded.lines().zip(folded.lines().skip(1)) {
                let is_continued = next.starts_with(&indent) && !line.is_empty();
                assert!(!is_continued || line.chars().count() + 1 + next.trim().chars().count() > width, "{folded}");
                let is_sentence = line.starts_with(char::is_alphabetic) || line.starts_with(&indent);
                assert!(!is_sentence || line.chars().count() <= width || words(line).len() <= 2, "{folded}");
            }
        }
    }
}

fn said(script: &str) -> Vec<String> {
    Conversation::new().send(script).until_idle()
}

#[test]
fn a_losing_move_is_refuted_on_the_board() {
    assert_eq!(
        said("position startpos moves 1,1\nexplain b3\n"),
        [
            "    0  1  2",
            "0  o3 o1 x4  3",
            "1   .  X x6  2",
            "2  o5  . x2  1",
            "    a  b  c",
            "",
            "move      O 0,1 is wrong: it loses a drawn game, half a point",
            "before    draw",
            "after     O loses in 6 plies, this move counted",
            "best      0,0 0,2 2,0 2,2",
            "line      O 0,1  X 2,2  O 0,0  X 0,2  O 2,0  X 1,2: X wins, X completed the line 0,2 1,2 2,2",
            "proof     as a certificate that others can check: noughts prove \"3/1x1/3 o\"",
            "searched  70 positions",
            ""
        ]
    );
}

#[test]
fn a_draw_is_explained_by_pairs_on_the_board() {
    let lines = said("setoption size 5\nexplain\n");
    assert!(lines.contains(&"value     draw".to_owned()), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("why       X cannot win: O answers inside the pairs a a to")));
    let letters: String = lines[1..6].iter().flat_map(|row| row.chars()).filter(char::is_ascii_lowercase).collect();
    let mut letters: Vec<char> = letters.chars().collect();
    letters.sort();
    assert!(letters.len() >= 20 && letters.chunks(2).all(|two| two[0] == two[1]), "{letters:?}");
}

#[test]
fn a_finished_game_is_told_as_such() {
    let lines = said("position fen xxx/oo1/3\nexplain\n");
    assert!(lines.contains(&"result    the game is over: X wins, X completed the line 0,0 0,1 0,2".to_owned()));
    assert_eq!(lines.last().map(String::as_str), Some(""));
}

#[test]
fn a_move_that_cannot_be_played_gets_one_line() {
    for (position, written, problem) in [
        ("startpos moves 0,0", "0,0", "0,0 is taken"),
        ("startpos", "9,9", "9,9 is off the 3x3 board"),
        ("startpos", "z9", "z9 is off the 3x3 board"),
        ("fen xxx/oo1/3", "2,2", "2,2 comes after the end of the game"),
    ] {
        assert_eq!(
            said(&format!("position {position}\nexplain {written}\n")),
            [format!("info string error: explain: {problem}; there is nothing to explain")]
        );
    }
    for nonsense in ["explain 1,1 2,2", "explain e2e4", "explain move"] {
        let lines = said(&format!("{nonsense}\n"));
        assert!(lines.len() == 1 && lines[0].starts_with("info string error: explain: expected "), "{lines:?}");
    }
}

/// Moves that leave 9x9 with 6 in a row open for long.
const HARD: &str = "setoption size 9\nsetoption connect 6\nposition startpos moves 4,4\n";

#[test]
fn stop_ends_an_explanation_with_what_is_proven() {
    let mut conversation = Conversation::new();
    let lines = conversation.send(HARD).send("explain\nstop\nisready\n").until_line("readyok");
    assert!(lines.iter().any(|line| line.starts_with("value     not decided for O; proved: ")), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.starts_with("searched  ")).count(), 1);
    // The state is as it was.
    let asked = conversation.send("query position\n").until_idle();
    assert_eq!(asked, ["response 9/9/9/9/4x4/9/9/9/9 o"]);
}

#[test]
fn an_explanation_waits_for_a_search_and_uses_no_random_numbers() {
    let mut conversation = Conversation::new();
    conversation
        .send("setoption player montecarlo\nsetoption size 9\ngo trials 30000\nsetoption size 3\nexplain 1,1\nd\n");
    let lines = conversation.until_line("turn ");
    let place = |start: &str| lines.iter().position(|line| line.starts_with(start));
    assert!(place("bestmove ") < place("move      X 1,1 is right"), "{lines:?}");
    assert!(place("searched ") < place("rules "), "{lines:?}");

    let answer = |between: &str| {
        let script = format!("setoption player montecarlo\nsetoption seed 3\ngo trials 9\n{between}go trials 9\n");
        let lines = said(&script);
        lines.iter().filter(|line| line.starts_with("info ")).map(|line| without_times(line)).collect::<Vec<_>>()
    };
    assert_eq!(answer("explain 1,1\nexplain\n"), answer(""));
}

#[test]
fn an_explanation_does_not_depend_on_earlier_questions() {
    let question = "setoption size 4\nposition startpos moves 0,0 1,1\nexplain 2,2\n";
    let alone = said(question);
    let later = said(&format!("setoption size 4\nexplain\nexplain 1,2\ngo\nposition startpos\n{question}"));
    assert!(later.ends_with(&alone), "{alone:?}\n{later:?}");
}

fn run(words: &[&str]) -> (Option<i32>, String, String) {
    let output = command().args(words).run_to_end();
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_command_line_says_what_the_protocol_says() {
    for (words, script) in [
        (vec!["explain", "xo1/1x1/3 o", "2,2"], "position fen xo1/1x1/3 o\nexplain 2,2\n"),
        (vec!["explain", "xo1/1x1/3", "o", "2,2"], "position fen xo1/1x1/3 o\nexplain 2,2\n"),
        (vec!["explain", "xo..x....", "c1"], "position fen xo1/1x1/3\nexplain 2,2\n"),
        (vec!["explain", "fen xo1/1x1/3 o moves 2,2"], "position fen xo1/1x1/3 o moves c1\nexplain\n"),
        (vec!["explain", "startpos", "moves", "1,1", "0,1"], "position startpos moves 1,1 0,1\nexplain\n"),
        (vec!["explain", "startpos moves 1,1", "0,1"], "position startpos moves 1,1\nexplain 0,1\n"),
        (vec!["explain", "startpos", "b2", "--reverse"], "setoption reverse true\nexplain 1,1\n"),
        (vec!["explain", "--size", "5", "--connect", "6"], "setoption size 5\nsetoption connect 6\nexplain\n"),
        (vec!["explain", "4/4/4/4", "0,0", "--connect", "3"], "setoption size 4\nsetoption connect 3\nexplain 0,0\n"),
        (vec!["eval"], "eval\n"),
        (vec!["eval", "xo..x....", "o"], "position fen xo1/1x1/3 o\neval\n"),
        (vec!["eval", "16", "--reverse"], "setoption size 4\nsetoption reverse true\neval\n"),
        (vec!["trace", "negamax", "xoxo.ox..", "--events", "9"], "position fen xox/o1o/x2\ntrace negamax events 9\n"),
        (
            vec!["trace", "mcts", "startpos", "moves", "1,1", "--trials", "8", "--seed", "3"],
            "setoption seed 3\nposition startpos moves 1,1\ntrace mcts trials 8\n",
        ),
    ] {
        let (code, output, errors) = run(&words);
        assert_eq!((code, errors.as_str()), (Some(0), ""), "{words:?}");
        assert_eq!(output.trim_end(), said(script).join("\n").trim_end(), "{words:?}");
        assert!(output.ends_with('\n'), "{words:?}");
    }
}

#[test]
fn nonsense_on_the_command_line_ends_with_2_and_a_sentence() {
    for (words, mentions) in [
        (&["foo"][..], "error: position: expected a board such as xo1/1x1/3, found \"foo\""),
        (&["startpos moves"], "searched"),
        (&["startpos", "0,0,0"], "error: move: expected a move in the form 1,2, b2 or P@b2"),
        (&["startpos moves 1,1", "1,1"], "error: move: 1,1 is taken"),
        (&["startpos moves 1,1 b2"], "error: position: move 2: 1,1 is taken"),
        (&["xxx/oo1/3", "2,2"], "error: move: 2,2 comes after the end of the game"),
        (&["xo1/1x1/3 o", "--size", "4"], "error: position: the board has 3 rows where option size asks for 4"),
        (&["xo/x x"], "error: position: "),
        (&["xxx/ooo/3"], "error: position: both sides have completed a line"),
        (
            &["startpos", "--size", "21"],
            "error: invalid value '21' for '--size <SIZE>': expected a number from 1 to 20, or rows and columns such as 4x9",
        ),
        (&["startpos", "--connect", "401"], "error: "),
        (&["", "1,1"], "error: "),
        (&["startpos\nquit", "1,1"], "error: "),
        (&["startpos", "1,1", "2,2"], "error: position: "),
        (&["xo..x...", "2,2"], "error: position: 8 cells in one row are no square; --size says how many rows"),
        (&["9/9/9/8"], "error: position: row 3 of the board has 8 columns where option columns asks for 9"),
    ] {
        let (code, output, errors) = run(&[&["explain"], words].concat());
        if mentions == "searched" {
            assert_eq!((code, errors.as_str()), (Some(0), ""), "{words:?}");
            continue;
        }
        assert_eq!((code, output.as_str()), (Some(2), ""), "{words:?}: {errors}");
        assert!(errors.starts_with(mentions) && !errors.contains("panicked"), "{words:?}: {errors}");
    }
}

#[test]
fn a_piped_explanation_ends_at_once_with_stop_and_quit() {
    let mut program = Program::start();
    program.send(HARD).send("explain\nexplain 0,0\nisready\nstop\nquit\n");
    let lines = program.rest();
    assert_eq!(lines.iter().filter(|line| line.starts_with("searched ")).count(), 2, "{lines:?}");
    assert!(program.exit().0.success());
}
