//! Every rule of the page by hand: what it accepts, and which record is named when something is wrong.

mod common;

use common::fault;
use noughts_check::{Options, check};

const EXAMPLE: &str = include_str!("example.txt");
const DRAW: &str = include_str!("draw.txt");
const REVERSE: &str = include_str!("reverse.txt");

/// The fault of a file with one lemma; none if the lemma is accepted.
fn lemma(game: &str, lemma: &str, proof: &str) -> Option<String> {
    let size = game.split(' ').next().unwrap().parse().unwrap();
    let board = vec![game.split(' ').next().unwrap(); size].join("/");
    let start = format!("noughts certificate 1\ngame {game}\nposition {board} x\nclaim cannot o within 1\n");
    let text = format!("{start}lemma 1 {lemma}\n{proof}\nstop\n");
    let (record, said) = fault(&text, &Options::default()).unwrap();
    let end = text.lines().count() as u64;
    if record == end && said.starts_with("expected a lemma") { None } else { Some(format!("{record}: {said}")) }
}

#[track_caller]
fn accepted(game: &str, node: &str, proof: &str) {
    assert_eq!(lemma(game, node, proof), None);
}

#[track_caller]
fn refused(game: &str, node: &str, proof: &str, record: u64) {
    let said = lemma(game, node, proof).expect("it is accepted");
    assert!(said.starts_with(&format!("{record}: ")), "{said}");
}

#[test]
fn move_ends_the_proof_by_a_line_or_a_draw() {
    accepted("2 2 normal", "x1/o1 x wins x within 1", "move 0,1");
    accepted("2 2 normal", "x1/o1 x cannot o", "move 0,1");
    refused("2 2 reverse", "x1/o1 x wins x within 1", "move 0,1", 6);
    refused("2 2 reverse", "x1/o1 x cannot o", "move 0,1", 6);
    accepted("3 3 normal", "xox/oxo/ox1 o cannot x", "move 2,2");
    refused("3 3 normal", "xox/oxo/ox1 o wins o within 1", "move 2,2", 6);
    refused("2 2 normal", "x1/o1 x wins x within 1", "move 0,0", 6);
    refused("2 2 normal", "x1/o1 x wins x within 1", "move 2,0", 6);
    refused("2 2 normal", "x1/o1 x wins x within 1", "move 0,1 1,1", 6);
    refused("2 2 normal", "x1/o1 o wins x within 1", "move 0,1", 6);
    refused("3 3 normal", "xx1/oo1/3 x wins x within 1", "move 2,2\nall", 7);
}

#[test]
fn all_asks_for_every_move_that_counts() {
    // X wins after every move of O; the moves to 1,1 and 1,0 differ, so both have a child.
    accepted("2 2 normal", "x1/2 o wins x within 2", "all\nmove 1,0\nmove 0,1\nmove 0,1");
    refused("2 2 normal", "x1/2 o wins x within 2", "all\nmove 1,0\nmove 0,1", 9);
    refused("2 2 normal", "x1/2 o wins x within 1", "all\nmove 1,0\nmove 0,1\nmove 0,1", 7);
    refused("2 2 normal", "xo/2 o cannot x", "all", 6);
    refused("2 2 normal", "xo/2 x cannot x", "all", 6);
    accepted("2 2 reverse", "xo/2 o wins x within 1", "all");
    refused("2 2 normal", "x1/2 x wins x within 2", "all", 6);
    refused("2 2 reverse", "2/2 x cannot x", "all fours 0,1", 6);
    // Dead cells need no child under the normal rule. Under the reverse rule one of them does, for all are equal.
    accepted("3 3 normal", "oxo/1x1/xo1 x cannot x", "all\nmove 1,2\nnone\nmove 1,0\nnone\nmove 1,2\nnone");
    refused("3 3 normal", "oxo/1x1/xo1 x cannot x", "all\nmove 1,2\nnone\nmove 1,0\nnone", 11);
}

#[test]
fn all_fours_leaves_out_what_the_fours_answer() {
    accepted("2 2 normal", "x1/2 o wins x within 2", "all fours 0,1\nmove 1,0");
    refused("2 2 normal", "x1/2 o wins x within 2", "all fours 0,1\nstop", 7);
    refused("2 2 normal", "x1/2 o wins x within 2", "all fours", 6);
    refused("2 2 normal", "x1/2 o wins x within 2", "all fives 0,1", 6);
    refused("2 2 normal", "x1/2 o wins x within 2", "all fours 0,2", 6);
    // A cell that follows the last one is an error of the fours, so every move needs a child.
    accepted("2 2 normal", "x1/2 o wins x within 2", "all fours 0,1 1,1\nmove 1,0\nmove 0,1\nmove 0,1");
}

#[test]
fn fours_threaten_with_every_cell() {
    accepted("3 3 normal", "x1x/3/o1o x wins x within 1", "fours 0,1");
    accepted("3 3 normal", "x1o/3/1ox x wins x within 3", "fours 2,0");
    refused("3 3 normal", "x1o/3/1ox x wins x within 2", "fours 2,0", 6);
    accepted("3 3 normal", "x1o/3/1ox x wins x within 1", "fours 1,1");
    refused("3 3 normal", "x1o/3/1ox x wins x within 3", "fours 1,1 0,1", 6);
    refused("3 3 normal", "x1o/3/1ox x wins x within 3", "fours", 6);
    refused("3 3 normal", "x1o/3/1ox x cannot o", "fours 1,1", 6);
    refused("3 3 normal", "x1o/3/1ox o wins x within 3", "fours 1,1", 6);
    // The opponent threatens to complete a line.
    refused("3 3 normal", "x2/oo1/3 x wins x within 5", "fours 0,1 2,1", 6);
}

#[test]
fn none_counts_the_stones_that_are_left() {
    accepted("3 3 normal", "3/3/3 x cannot x within 4", "none");
    refused("3 3 normal", "3/3/3 x cannot x within 5", "none", 6);
    accepted("3 3 reverse", "3/3/3 x cannot x within 5", "none");
    refused("3 3 reverse", "3/3/3 x cannot x within 6", "none", 6);
    accepted("3 3 normal", "xox/1x1/oxo o cannot o", "none");
    refused("3 3 normal", "3/3/3 x wins x within 4", "none", 6);
}

#[test]
fn potential_weighs_lines() {
    accepted("4 4 normal", "x3/4/4/4 o cannot x", "potential");
    refused("4 4 normal", "4/4/4/4 x cannot x", "potential", 6);
    accepted("4 4 normal", "4/4/4/4 x cannot x within 6", "potential");
    refused("4 4 normal", "4/4/4/4 x cannot x within 7", "potential", 6);
    accepted("4 4 reverse", "4/4/4/4 o cannot x", "potential");
    refused("4 4 reverse", "4/4/4/4 x cannot x", "potential", 6);
    refused("4 4 normal", "x3/4/4/4 o wins x within 20", "potential", 6);
}

#[test]
fn pairs_have_a_cell_of_every_line() {
    let node = "xo1/1x1/1xo x cannot x";
    accepted("3 3 normal", "xox/3/1xo o cannot x", "pairs 1,1 1,0 2,0");
    refused("3 3 normal", "xox/3/1xo o cannot x", "pairs 1,1 0,0 2,0", 6);
    refused("3 3 normal", "xox/3/1xo o cannot x", "pairs 1,1 1,1 2,0", 6);
    refused("3 3 normal", "xox/3/1xo o cannot x", "pairs 1,1 2,0", 6);
    refused("3 3 normal", "xox/3/1xo o cannot x", "pairs - 1,0 2,0", 6);
    refused("3 3 normal", "xox/3/1xo x cannot x", "pairs 1,1 1,0 2,0", 6);
    refused("3 3 reverse", "xox/3/1xo o cannot x", "pairs 1,1 1,0 2,0", 6);
    refused("3 3 normal", node, "pairs - 1,0 1,2", 6);
    refused("3 3 normal", node, "pairs", 6);
}

#[test]
fn survive_and_parity_leave_out_kept_cells() {
    accepted("2 2 reverse", "2/2 x cannot x within 3", "survive 0,0;0,1 1,0 1,1");
    refused("2 2 reverse", "2/2 x cannot x within 3", "survive 0,0;0,1", 6);
    accepted("3 3 reverse", "3/3/3 x cannot x within 2", "none");
    accepted("2 2 reverse", "1x/2 o wins o within 2", "parity 1,0;1,1");
    refused("2 2 reverse", "1x/2 o wins o within 1", "parity 1,0;1,1", 6);
    refused("2 2 reverse", "1x/2 o wins o within 2", "parity 1,0", 6);
    refused("2 2 reverse", "1x/2 o wins o within 2", "parity -", 6);
    refused("2 2 reverse", "1x/2 o wins o within 2", "survive 1,0;1,1", 6);
    refused("2 2 normal", "1x/2 o wins o within 2", "parity 1,0;1,1", 6);
    refused("2 2 reverse", "1o/2 o wins o within 2", "parity 1,0;1,1", 6);
    accepted("3 3 reverse", "3/3/3 o cannot x within 3", "none");
    refused("2 2 reverse", "2/2 x cannot x", "survive 0,0;0,1 1,0 1,1", 6);
    refused("2 2 reverse", "x1/1o x cannot x", "survive - 0,1 1,0", 6);
}

#[test]
fn poison_of_the_prover_is_answered_by_poison_of_the_opponent() {
    // 0,2 is poison for X, 1,2 for O. X begins with 2,2.
    let node = "xx1/oo1/3 x cannot o";
    accepted("3 3 reverse", node, "survive - 0,2 1,2 2,0 2,1");
    refused("3 3 reverse", node, "survive - 1,2 0,2 2,0 2,1", 6);
    refused("3 3 reverse", node, "survive - 0,2 2,2 2,0 2,1", 6);
    refused("3 3 reverse", node, "survive - 0,2 1,2", 6);
    refused("3 3 reverse", "xx1/oo1/3 o cannot o", "survive - 0,2 1,2 2,0 2,1", 6);
    refused("3 3 reverse", "xx1/oo1/xo1 o cannot o", "survive - 0,2 1,2", 6);
    // The lines through the second cell need a pair of their own: with a stone of X on 2,2, 1,2 is poison for both.
    accepted("3 3 reverse", "x1x/oo1/2o o cannot o", "survive - 0,1 1,2 2,0 2,1");
    refused("3 3 reverse", "x1x/oo1/2x o cannot o", "survive - 0,1 1,2 2,0 2,1", 6);
}

#[test]
fn poison_of_the_opponent_is_kept_for_ever() {
    // 0,2 and 1,1 are poison for O, who has to take one when the rest is full.
    let node = "oo1/x2/x1o o cannot o";
    accepted("3 3 reverse", node, "survive 0,2;1,1");
    refused("3 3 reverse", node, "survive 0,2;1,2", 6);
    accepted("3 3 reverse", &format!("{node} within 3"), "survive 0,2;1,2");
    refused("3 3 reverse", "oo1/x2/x1o x cannot o", "survive 0,2;1,1", 6);
}

#[test]
fn mirror_needs_the_image_of_every_stone() {
    accepted("4 3 reverse", "4/4/4/4 x cannot x", "mirror");
    accepted("4 3 reverse", "x3/4/4/3o x cannot x", "mirror");
    refused("4 3 reverse", "x3/4/4/2o1 x cannot x", "mirror", 6);
    refused("4 3 reverse", "4/4/4/4 o cannot x", "mirror", 6);
    accepted("3 3 reverse", "3/3/3 x cannot o", "mirror");
    accepted("3 3 reverse", "3/1x1/3 o cannot o", "mirror");
    refused("3 3 reverse", "3/1o1/3 o cannot o", "mirror", 6);
    refused("3 2 reverse", "3/3/3 x cannot o", "mirror", 6);
    accepted("4 2 reverse", "4/4/4/4 x wins o within 9", "mirror");
    refused("4 2 reverse", "4/4/4/4 x wins o within 8", "mirror", 6);
    refused("4 3 normal", "4/4/4/4 x cannot x", "mirror", 6);
}

#[test]
fn theorems_hold_on_the_empty_board() {
    accepted("3 3 normal", "3/3/3 x cannot o", "theorem strategy-stealing");
    accepted("3 3 normal", "3/3/3 x cannot o within 3", "theorem strategy-stealing");
    refused("3 3 normal", "3/3/3 x cannot x", "theorem strategy-stealing", 6);
    refused("3 3 normal", "3/3/3 o cannot o", "theorem strategy-stealing", 6);
    refused("3 3 normal", "x2/3/3 x cannot o", "theorem strategy-stealing", 6);
    refused("3 3 reverse", "3/3/3 x cannot o", "theorem strategy-stealing", 6);
    refused("3 3 normal", "3/3/3 x cannot o", "theorem fermat", 6);
    accepted("8 8 normal", "8/8/8/8/8/8/8/8 x cannot x", "theorem zetters");
    accepted("8 5 normal", "8/8/8/8/8/8/8/8 x cannot x", "theorem hsu");
    refused("8 7 normal", "8/8/8/8/8/8/8/8 x cannot x", "theorem zetters", 6);
    refused("6 5 normal", "6/6/6/6/6/6 x cannot x", "theorem hsu", 6);
    let text = "noughts certificate 1\ngame 8 5 normal\nposition 8/8/8/8/8/8/8/8 x\nclaim cannot x\nprove 1\ntheorem hsu\nend 7\n";
    let strict = Options { no_theorems: true, ..Options::default() };
    assert_eq!(fault(text, &strict).unwrap().0, 6);
    assert_eq!(
        check(text.as_bytes(), &Options::default()).0.unwrap().verdict(),
        "8x8, 5 in a row, normal rule, empty board, x to move: checked, resting on hsu: x cannot force a win"
    );
    assert_eq!(fault(DRAW, &strict), None);
}

#[test]
fn the_weak_game_is_checked_with_its_zones() {
    let game = "4 4 normal";
    accepted(game, "x+++/++++/++++/++++ o weak x", "potential");
    refused(game, "x+2/++++/++++/++++ o weak x", "potential", 5);
    refused(game, "++++/++++/++++/++++ x weak x", "none", 6);
    // Rows 2 and 3 are left to X. In each, two cells are in no other line.
    let rows = "oxoo/xoxx/4/4";
    accepted(game, &format!("{rows} x cannot x"), "weak\nequal 2,0 2,1\nequal 3,0 3,1\nnone");
    refused(game, &format!("{rows} x cannot x"), "weak\nequal 2,0 2,1\nnone", 8);
    refused(game, &format!("{rows} x cannot x"), "weak\nequal 2,0 3,0\nnone", 7);
    refused(game, &format!("{rows} x cannot x"), "weak\nequal 2,0 2,0\nnone", 7);
    refused(game, &format!("{rows} x cannot x within 3"), "weak\npotential", 6);
    refused("4 4 reverse", &format!("{rows} x cannot x"), "weak\npotential", 6);
    accepted(game, "oxoo/xoxx/++2/2++ x weak x", "equal 2,0 2,1\npairs - 3,2 3,3");
    refused(game, "oxoo/xoxx/++2/2+1 x weak x", "equal 2,0 2,1\npairs - 3,2 3,3", 5);
    accepted(game, "oxoo/xoxx/xx++/oooo o weak x".replace("oooo", "ooxo").as_str(), "move 2,2\nnone");
    accepted(game, "oxoo/xoxx/xx++/ooxo x weak x", "free 2,2 2,3\nnone");
    refused(game, "oxoo/xoxx/xx++/ooxo o weak x", "free 2,2 2,3\nnone", 6);
    refused(game, "oxoo/xoxx/xx++/ooxo x weak x", "move 2,2\nnone", 6);
    // After 2,2 Breaker takes 2,3 with this as its zone. The other move is 2,3: it is in the zone, but dominated.
    accepted(game, "oxoo/xoxx/xx++/ooxo x weak x", "zone 2,2\nmove 2,3\nnone");
    refused(game, "oxoo/xoxx/xx1+/ooxo x weak x", "zone 2,2\nmove 2,3\nnone", 5);
    refused(game, "oxoo/xoxx/xx++/ooxo x weak x", "zone 2,2 2,2\nmove 2,3\nnone", 6);
    refused(game, "oxoo/xoxx/xx++/ooxo x weak x", "zone 0,0\nnone", 6);
    refused(game, "oxoo/xoxx/xxx+/ooxo x weak x", "zone 2,3\nnone", 6);
    refused(game, "oxoo/xoxx/xx++/ooxo x weak x", "zone", 6);
    refused("4 4 reverse", "oxoo/xoxx/xx++/ooxo x weak x", "potential", 5);
    // Lines of Breaker count for nothing, and neither do cells in no line.
    accepted(game, "oooo/xoxx/xx++/ooxo x weak x", "free 2,2 2,3\nnone");
    refused(game, "xxxx/xoxx/oo++/ooxo o weak x", "move 2,2\nnone", 5);
    accepted(game, "oxoo/xoxx/xxo1/ooxo o weak x", "move 2,3\nnone");
}

/// A file with some text replaced.
#[track_caller]
fn changed(file: &str, from: &str, to: &str, record: u64, said: &str) {
    assert!(file.contains(from), "{from}");
    let (wrong, found) = fault(&file.replacen(from, to, 1), &Options::default()).expect("it is accepted");
    assert!(wrong == record && found.contains(said), "{wrong}: {found}");
}

#[test]
fn the_first_wrong_record_is_named() {
    changed(EXAMPLE, "certificate 1", "certificate 2", 1, "noughts certificate 1");
    changed(EXAMPLE, "2 2 normal", "2 3 normal", 2, "game SIZE");
    changed(EXAMPLE, "2 2 normal", "21 2 normal", 2, "game SIZE");
    changed(EXAMPLE, "2 2 normal", "02 2 normal", 2, "game SIZE");
    changed(EXAMPLE, "2/2 x", "x1/2 x", 3, "stones");
    changed(EXAMPLE, "2/2 x", "2/2 o", 6, "the prover");
    changed(EXAMPLE, "2/2 x", "xx/2 o", 3, "line");
    changed(EXAMPLE, "2/2 x", "xo/ox x", 3, "an empty cell");
    changed(EXAMPLE, "2/2 x", "11/2 x", 3, "a board");
    changed(EXAMPLE, "2/2 x", "2/2/2 x", 3, "a board");
    changed(EXAMPLE, "2/2 x", "2/++ x", 3, "a board");
    changed(EXAMPLE, "2/2 x", "2/02 x", 3, "a board");
    changed(EXAMPLE, "2/2 x", "2/2  x", 3, "position");
    changed(EXAMPLE, "within 3", "within 0", 4, "a limit");
    changed(EXAMPLE, "within 3", "within 401", 4, "a limit");
    changed(EXAMPLE, "within 3", "within 2", 8, "fours");
    changed(EXAMPLE, "claim wins", "claim weak", 4, "a claim");
    changed(EXAMPLE, "prove 1\n", "claim wins x within 3\nprove 1\n", 5, "a new claim");
    changed(EXAMPLE, "prove 1\n", "prove 2\n", 5, "not proved yet");
    changed(EXAMPLE, "fours 1,0\n", "fours 0,0\n", 8, "cells with which");
    changed(EXAMPLE, "move 0,0", "move 0,0 ", 6, "a record");
    changed(EXAMPLE, "fours 1,0\n", "", 8, "a record");
    changed(EXAMPLE, "end 9\n", "none\nend 10\n", 9, "a lemma");
    changed(EXAMPLE, "end 9\n", "end 8\n", 9, "number of this line");
    changed(EXAMPLE, "end 9\n", "end 9", 9, "a line feed");
    changed(EXAMPLE, "end 9\n", "", 9, "the end of the file");
    changed(EXAMPLE, "end 9\n", "end 9\n\n", 10, "the end of the file");
    changed(EXAMPLE, "end 9\n", "prove 1\n", 9, "not proved yet");
    changed(EXAMPLE, "move 0,0", "move 0,0\u{e9}", 6, "ASCII");
    changed(DRAW, "last 1 3", "last 3 3", 49, "a lemma");
    changed(DRAW, "use 1 0\n", "last 1 0\n", 33, "a lemma");
    changed(DRAW, "use 1 0\n", "use 1 8\n", 30, "a symmetry");
    changed(DRAW, "use 1 1\n", "use 1 0\n", 33, "these lines");
    changed(DRAW, "use 1 0\n", "use 2 0\n", 30, "this claim");
    changed(DRAW, "lemma 2", "lemma 3", 9, "next lemma");
    changed(DRAW, "++++/+x++", "3+/+x++", 9, "zone");
    changed(REVERSE, "mirror", "none", 17, "in time");
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    for (bytes, number) in [(&b"\xff\n"[..], 1), (b"", 1), (b"\n", 1), (b"noughts certificate 1\n\xc3\x28\n", 2)] {
        match check(bytes, &Options::default()).0 {
            Err(noughts_check::Rejection::Wrong(record, ..)) => assert_eq!(record, number),
            other => panic!("{other:?}"),
        }
    }
    let mut long = b"noughts certificate 1\ngame 20 5 normal ".to_vec();
    long.resize(10_000_000, b'x');
    let said = check(&long[..], &Options::default()).0.unwrap_err().to_string();
    assert_eq!(said, "record 2: expected a line of at most 65536 bytes, found more");
}

#[test]
fn a_lemma_is_gone_after_last_in_every_part() {
    let text = DRAW.replace("use 1 0\n", "last 1 0\n");
    for part in 1..=2 {
        let result = fault(&text, &Options { shard: Some((part, 2)), ..Options::default() });
        // The fourth block has both records, so only the second part sees the error.
        assert_eq!(result.is_some(), part == 2, "{result:?}");
    }
}
#[test]
fn a_proof_may_be_as_deep_as_the_board_has_cells() {
    let board = vec!["20"; 20].join("/");
    let mut text = format!("noughts certificate 1\ngame 20 20 reverse\nposition {board} x\nclaim cannot x\nprove 1\n");
    for ply in 0..400 {
        text += &if ply % 2 == 0 { "all\n".into() } else { format!("move {},{}\n", 19 - ply / 38, 19 - ply / 2 % 19) };
    }
    // Every `all` descends to its first child. At some depth the prover is out of good moves, or a line is complete.
    let (record, said) = fault(&text, &Options::default()).unwrap();
    assert!(record > 200, "{record}: {said}");
}

/// The most serious mistake of a checker would be to accept a claim without its proof.
#[test]
fn no_certificate_ends_before_every_claim_is_proved() {
    for text in [EXAMPLE, DRAW, REVERSE] {
        assert!(fault(text, &Options::default()).is_none());
        let lines: Vec<&str> = text.lines().collect();
        let is_block = |line: &str| ["prove ", "lemma ", "end "].iter().any(|word| line.starts_with(word));
        for (start, _) in lines.iter().enumerate().filter(|(_, line)| line.starts_with("prove ")) {
            let length = lines[start + 1..].iter().position(|line| is_block(line)).expect("an end") + 1;
            let mut fewer = lines.clone();
            fewer.drain(start..start + length);
            let end = format!("end {}", fewer.len());
            *fewer.last_mut().expect("an end") = &end;
            let (record, said) = fault(&(fewer.join("\n") + "\n"), &Options::default()).expect("a refusal");
            assert_eq!(record, fewer.len() as u64, "{said}");
            assert!(said.contains("the end after all claims"), "{said}");
        }
    }
}
