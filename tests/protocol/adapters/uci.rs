//! UCI as graphical interfaces and compliance checks for chess engines speak it, with games whose moves are drops.

use crate::common::foreign::{drop_at, find};
use crate::common::{Conversation, rules, said, value_of};
use noughts::game::{Position, Rules};

/// The games by their names, their rules, and how far they are from ours.
fn games() -> [(&'static str, Rules); 2] {
    [("tictactoe", rules(3, 3, false)), ("gomokufreestyle", rules(15, 5, false))]
}

fn playing(variant: &str, options: &str) -> Conversation {
    let mut conversation = Conversation::new();
    let said = conversation.send(&format!("uci\nsetoption name UCI_Variant value {variant}\n{options}isready\n"));
    let lines = said.until_line("readyok");
    assert!(!lines.iter().any(|line| line.starts_with("info string error")), "{lines:?}");
    conversation
}

/// The bestmove of a `go`, and the lines before it.
fn asked(conversation: &mut Conversation, text: &str) -> (String, Vec<String>) {
    let mut lines = conversation.send(text).until_line("bestmove");
    let best = lines.pop().expect("a line");
    (best.strip_prefix("bestmove ").unwrap_or_else(|| panic!("behind the answer: {best}")).to_owned(), lines)
}

/// Every number in an info line that chess programs read is a whole one.
fn assert_plain(lines: &[String]) {
    for line in lines.iter().filter(|line| line.starts_with("info ") && !line.starts_with("info string")) {
        let words: Vec<&str> = line.split(' ').collect();
        let score = words.iter().position(|word| *word == "score").unwrap_or_else(|| panic!("no score: {line}"));
        assert!(matches!(words[score + 1], "cp" | "mate"), "{line}");
        assert!(words[score + 2].parse::<i64>().is_ok(), "{line}");
        for key in ["time", "nps", "nodes"] {
            let value = value_of(line, key).unwrap_or_else(|| panic!("{key} is missing: {line}"));
            assert!(value.parse::<u64>().is_ok(), "{key}: {line}");
        }
        if let Some(depth) = value_of(line, "depth") {
            assert!(depth.parse::<u64>().is_ok(), "{line}");
        }
    }
}

/// The lines of a compliance check for chess engines.
const CHECK: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "isready",
    "position startpos",
    "go wtime 100",
    "go btime 100",
    "go wtime 100 btime 100",
    "go wtime 100 winc 100 btime 100 binc 100",
    "go movetime 50",
    "go nodes 100",
    "go depth 1",
    "position fen 5k2/8/8/8/8/8/8/4K2R w K - 0 1",
    "go depth 2",
    "isready",
    "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4 e7e5",
    "go wtime 100 btime 100 movestogo 10",
    "position startpos moves e2e4 e7e5 g1f3 b8c6",
    "go nodes 50",
    "position startpos moves e7e8q",
    "position startpos moves e1g1",
    "go wtime 50 btime 50",
    "setoption name Clear Hash",
    "setoption name UCI_Chess960 value true",
    "setoption name Ponder value true",
    "go searchmoves e2e4 d2d4 movetime 20",
    "go mate 2",
    "ponderhit",
    "register later",
    "debug on",
    "joho debug on",
    "stop",
    "isready",
];

#[test]
fn e41_a_chess_compliance_check_gets_errors_readyok_and_legal_moves() {
    for variant in ["noughts", "tictactoe", "gomokufreestyle"] {
        let mut conversation = playing(variant, "setoption name trials value 200\n");
        let moves = conversation.send("query moves\n").until_line("response");
        let legal: Vec<String> = moves[0].split(' ').skip(1).map(str::to_owned).collect();
        for line in CHECK {
            // A list with a move that is none here is refused, and the `go` with it.
            let is_refused = line.starts_with("go searchmoves e2e4");
            let waits_for = match line.split(' ').next() {
                Some("go") if !is_refused => "bestmove ",
                Some("uci") => "uciok",
                _ => "readyok",
            };
            conversation.send(&format!("{line}\n"));
            if waits_for == "readyok" && *line != "isready" {
                conversation.send("isready\n");
            }
            let lines = conversation.until_line(waits_for);
            assert_plain(&lines);
            let bests: Vec<&String> = lines.iter().filter(|line| line.starts_with("bestmove ")).collect();
            let is_search = line.starts_with("go") && !is_refused;
            assert_eq!(bests.len(), usize::from(is_search), "{variant}: {line}: {lines:?}");
            for best in bests {
                let best = best.strip_prefix("bestmove ").expect("a move");
                let written = legal.iter().any(|text| text == best);
                assert!(written, "{variant}: {line}: {best} is not one of {legal:?}");
            }
            let wrong = ["/", "moves", "Chess960", "Ponder", "Clear", "register", "joho"];
            let is_wrong = wrong.iter().any(|part| line.contains(part)) && !is_search;
            let errors = lines.iter().filter(|line| line.starts_with("info string error")).count();
            assert!(errors <= 1 && (!is_wrong || errors == 1), "{variant}: {line}: {lines:?}");
        }
    }
}

#[test]
fn moves_are_printed_as_drops_in_the_games_that_have_drops() {
    for (variant, rules) in games() {
        for player in ["auto", "mcts", "montecarlo", "random", "perfect"] {
            let mut conversation = playing(variant, &format!("setoption name player value {player}\n"));
            let (best, lines) = asked(&mut conversation, "position startpos\ngo nodes 200\n");
            let start = Position::start(rules);
            assert!(
                find(&start, &best, |cell| drop_at(cell, rules.shape().rows)).is_some(),
                "{variant} {player}: {best}"
            );
            assert_plain(&lines);
            let info = lines.iter().rfind(|line| line.contains(" pv ")).expect("a line with moves");
            let play = info.split(" pv ").nth(1).expect("moves");
            assert!(play.split(' ').all(|text| text.starts_with("P@")), "{info}");
            assert_eq!(play.split(' ').next(), Some(best.as_str()));
        }
    }
}

#[test]
fn a_named_game_has_its_size_until_it_is_given_up() {
    for (variant, board) in [("tictactoe", "3/3/3"), ("gomokufreestyle", "15/15")] {
        let mut conversation = playing(variant, "");
        let before = conversation.send("position startpos moves P@a1\nquery position\n").until_line("response");
        for option in ["size value 4", "connect value 4", "reverse value true"] {
            let lines = conversation.send(&format!("setoption name {option}\nquery position\n")).until_line("response");
            assert_eq!(lines.len(), 2, "{option}: {lines:?}");
            assert!(lines[0].starts_with("info string error: setoption: "), "{option}: {lines:?}");
            assert!(lines[0].contains("UCI_Variant") || lines[0].contains(variant), "the reason is missing: {lines:?}");
            assert_eq!(lines[1], before[0]);
        }
        assert!(before[0].contains(&board[..2]));
        let lines = conversation
            .send("setoption name UCI_Variant value noughts\nsetoption name size value 4\nquery position\n")
            .until_line("response");
        assert_eq!(lines, ["response 4/4/4/4 x"]);
    }
}

#[test]
fn choosing_a_game_again_keeps_the_board_and_another_clears_it() {
    let mut conversation = playing("tictactoe", "");
    conversation.send("position startpos moves P@b2\nquery moves\n");
    let eight = conversation.until_line("response");
    let same = conversation.send("setoption name UCI_Variant value tictactoe\nquery moves\n").until_line("response");
    assert_eq!(same, eight);
    let lines =
        conversation.send("setoption name UCI_Variant value gomokufreestyle\nquery moves\n").until_line("response");
    assert_eq!(lines[0].split(' ').count(), 226);
    // Five or more in a row win.
    let six = "position startpos moves P@a1 P@a2 P@b1 P@b2 P@c1 P@c2 P@e1 P@e2 P@f1 P@f2 P@d1\nquery result\n";
    assert_eq!(conversation.send(six).until_line("response"), ["response p1win"]);
}

#[test]
fn the_same_game_is_the_same_whichever_way_it_is_chosen() {
    let ask =
        "setoption name seed value 5\nsetoption name player value mcts\nposition startpos moves b2\ngo nodes 300\n";
    let by_name = said(&format!("setoption name UCI_Variant value gomokufreestyle\n{ask}"));
    let by_size = said(&format!("setoption name size value 15\nsetoption name connect value 5\n{ask}"));
    let number = |lines: &[String]| {
        let info = lines.iter().rfind(|line| line.contains(" pv ")).expect("an info line");
        (value_of(info, "value").map(str::to_owned), value_of(info, "nodes").map(str::to_owned))
    };
    assert_eq!(number(&by_name), number(&by_size));
    let best = by_size.last().and_then(|line| line.strip_prefix("bestmove ")).expect("a move").to_owned();
    let start = Position::start(rules(15, 5, false));
    let cell = find(&start, &best, |cell| cell.to_string()).expect("a cell");
    assert_eq!(by_name.last(), Some(&format!("bestmove {}", drop_at(cell, 15))));
}
