//! `noughts play` through pipes: the game as lines of text.

use std::process::Output;

use crate::common::program::{DEADLINE, Program, command};
use assert_cmd::cargo::cargo_bin_cmd;

/// The output of the program to these lines, and its exit.
fn output(arguments: &str, script: &str) -> Output {
    let arguments = shell_words::split(arguments).expect("words");
    cargo_bin_cmd!("noughts")
        .arg("play")
        .args(arguments)
        .write_stdin(script)
        .timeout(DEADLINE)
        .output()
        .expect("the program starts")
}

/// The lines that the program says to these; it must end well.
fn said(arguments: &str, script: &str) -> Vec<String> {
    let output = output(arguments, script);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect()
}

#[track_caller]
fn assert_says(said: &[String], expected: &[&str]) {
    let mut rest = said.iter();
    for line in expected {
        assert!(rest.any(|other| other == line), "{line:?} is missing, or not in its place, in {said:#?}");
    }
}

#[test]
fn a_whole_game_is_lost() {
    let said = said("--o perfect --seed 1", "0,0\n0,2\n1,0\n");
    assert_says(
        &said,
        &[
            "3x3, 3 in a row wins. X: you, O: perfect.",
            "X> 0,0",
            "O plays 1,1",
            "X> 0,2",
            "O plays 0,1",
            "X> 1,0",
            "O plays 2,1",
            "0  X O X  3",
            "1  X O .  2",
            "2  . O .  1",
            "You lost: O completed the line 0,1 1,1 2,1.",
            "game over> ",
            "Goodbye.",
        ],
    );
}

#[test]
fn a_whole_game_is_drawn() {
    let said = said("--o perfect --seed 1", "1,1\n0,2\n2,1\n1,0\n0,0\nquit\n");
    assert_says(&said, &["O plays 2,2", "O plays 2,0", "O plays 0,1", "O plays 1,2", "0  X O X  3"]);
    assert_says(&said, &["Draw, the board is full.", "game over> quit", "Goodbye."]);
}

#[test]
fn a_whole_game_is_won_and_another_one_begins() {
    let said = said("--o random --seed 1", "b2\na3\nb3\nc3\nnew\n0,0\n");
    assert_says(&said, &["You win: X completed the line 0,0 0,1 0,2.", "game over> new", "0  . . .  3", "X> 0,0"]);
    assert_eq!(said.last().map(String::as_str), Some("The game is left unfinished. Goodbye."));
}

#[test]
fn in_reverse_4x4_the_side_that_completes_a_line_has_lost() {
    let cells: String = (0..16).map(|cell| format!("{},{}\n", cell / 4, cell % 4)).collect();
    let said = said("--size 4 --reverse --o perfect --seed 1", &cells);
    assert_says(&said, &["4x4, 4 in a row loses. X: you, O: perfect.", "X> 0,0"]);
    let result = said.iter().find(|line| line.contains(" completed the line ")).expect("a loser");
    assert!(result.starts_with("You lost: X completed the line "), "{result}");
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let game = || said("--x random --o mcts --size 5 --connect 4 --seed 7", "new\n");
    assert_eq!(game(), game());
    assert!(game().iter().filter(|line| line.ends_with('.') && line.contains(" in a row")).count() == 2);
}

#[test]
fn the_clock_limits_a_move_unless_a_seed_or_playouts_do() {
    let line = |time: &str| format!("The computer thinks for at most {time} about a move.");
    for (arguments, script, time) in [
        ("", "", Some("1 second")),
        ("--seed 0", "", Some("1 second")),
        ("--movetime 250", "", Some("0.25 seconds")),
        ("--seed 1 --movetime 250", "", Some("0.25 seconds")),
        ("--seed 1", "movetime 0\nmovetime 2000\nnew\n", Some("2 seconds")),
        ("--seed 1", "", None),
        ("--trials 100", "", None),
        ("--movetime 250 --o person", "", None),
    ] {
        let said = said(arguments, script);
        let told = said.iter().rfind(|line| line.starts_with("The computer thinks"));
        assert_eq!(told, time.map(line).as_ref(), "{arguments}: {said:#?}");
    }
    assert_says(&said("--seed 1", "movetime 0\n"), &["Movetime is a whole number from 1 to 3600000."]);
    assert_eq!(output("--movetime 100 --trials 100", "").status.code(), Some(2));
}

#[test]
fn a_move_that_is_not_legal_is_explained_and_asked_for_again() {
    let said = said("--o random --seed 1", "1,1\n1,1\nz9\n3,3\n2\n\nxyzzy 7\n\u{7}\u{e9}\n");
    assert_says(
        &said,
        &[
            "X> 1,1",
            "1,1 is taken.",
            "X> z9",
            "z9 is off the 3x3 board.",
            "X> 3,3",
            "3,3 is off the 3x3 board.",
            "X> 2",
            "\"2\" is no move and no command; a move is written as row,column such as 0,2, or as b2; help lists the commands.",
            "X> ",
            "X> xyzzy 7",
        ],
    );
    assert!(said.iter().all(|line| line.starts_with("X> ") || !line.contains('\u{7}')), "{said:#?}");
}

#[test]
fn bytes_that_are_no_text_are_no_move() {
    let output =
        cargo_bin_cmd!("noughts").arg("play").write_stdin(b"\xff\xfe\n1,1\n".as_slice()).timeout(DEADLINE).output();
    let output = output.expect("the program starts");
    let said = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success() && said.contains("is no move and no command"), "{said}");
}

#[test]
fn what_is_out_of_all_bounds_is_refused_with_the_bounds() {
    let numbers = "level 99999999999999999999\nsize 0\nsize 300\nsize -1\nconnect 70000\ntrials 1e9\n4294967297,0\n";
    assert_says(
        &said("--seed 1", numbers),
        &[
            "Level is a whole number from 1 to 10.",
            "X> size 0",
            "Size is a whole number from 1 to 20, or rows and columns such as 4x9.",
            "X> size 300",
            "Size is a whole number from 1 to 20, or rows and columns such as 4x9.",
            "X> size -1",
            "Size is a whole number from 1 to 20, or rows and columns such as 4x9.",
            "Connect is a whole number from 0 to 400.",
            "Trials is a whole number from 1 to 2147483647.",
            "X> 4294967297,0",
        ],
    );
}

#[test]
fn a_line_of_any_length_is_one_line_and_little_of_it_is_kept() {
    let mut script = "x".repeat(10_000_000);
    script.push_str("\n1,1\n");
    let said = said("--o person", &script);
    assert_says(&said, &["X> 1,1", "1  . X .  2", "The game is left unfinished. Goodbye."]);
    assert!(said.iter().all(|line| line.len() < 100_000));
    assert_eq!(said.iter().filter(|line| line.contains("is no move and no command")).count(), 1);
}

#[test]
fn a_reader_that_stops_reading_ends_the_game() {
    let mut program = Program::spawn(command().args(["play", "--x", "random", "--o", "random", "--seed", "1"]));
    drop(program.child.stdout.take());
    assert!(program.exit().0.success());
}

#[test]
fn moves_are_taken_back_and_played_again() {
    let said = said("--o perfect --seed 1", "undo\nredo\n1,1\nundo\nredo\n0,2\nundo\n0,1\nredo\n");
    assert_says(
        &said,
        &[
            "There is no move to take back.",
            "No move has been taken back.",
            "X> 1,1",
            "O plays 2,2",
            "X> undo",
            "1  . . .  2",
            "X> redo",
            "1  . X .  2",
            "2  . . O  1",
            "X> 0,2",
            "X> undo",
            "0  . . .  3",
            "2  . . O  1",
            "X> 0,1",
            "X> redo",
            "No move has been taken back.",
        ],
    );
}

#[test]
fn a_hint_says_what_every_empty_square_is_worth() {
    let said = said("--o perfect --reverse --seed 1", "hint\n");
    assert_says(&said, &["0  L9 L9 L9  3", "1  L9  D L9  2", "2  L9 L9 L9  1"]);
    let meaning = "X to move. W: wins, L: loses, in so many moves of both sides; D: draws.";
    assert_says(&said, &[meaning, "X> "]);
    // Where nothing is proven, a tree search says what it expects.
    let said = self::said("--size 10 --connect 5 --seed 1", "hint\n");
    assert_says(&said, &["X to move. Numbers: the expected result in percent, 0 lost, 100 won."]);
    let over = self::said("--size 1 --o person", "0,0\nhint\n");
    assert_says(&over, &["The game is over; new starts another, undo takes a move back."]);
}

#[test]
fn why_says_whether_the_last_move_of_a_person_was_right() {
    let with_engine = said("--o perfect --seed 1", "why\n1,1\nwhy\n");
    assert_says(
        &with_engine,
        &["You have made no move yet.", "O plays 2,2", "move      X 1,1 is right: it keeps the draw"],
    );
    let said = said("--o person", "1,1\n0,1\nwhy\n2,2\n");
    assert_says(&said, &["X> why", "move      O 0,1 is wrong: it loses a drawn game, half a point", "2  . . X  1"]);
}

#[test]
fn the_game_and_the_players_are_chosen_at_the_table() {
    let said = said(
        "--seed 1",
        "size 4\nconnect 3\nreverse on\nreverse maybe\nsize 21\nsize x\nlevel 1\nlevel 11\ntrials 0\ntrials 10\no person\n0,0\no frob\nx random\n",
    );
    assert_says(
        &said,
        &[
            "4x4, 4 in a row wins. X: you, O: auto.",
            "4x4, 3 in a row wins. X: you, O: auto.",
            "4x4, 3 in a row loses. X: you, O: auto.",
            "Reverse is on or off.",
            "From the next move on.",
            "Level is a whole number from 1 to 10.",
            "Trials is a whole number from 1 to 2147483647.",
            "From the next move on.",
            "4x4, 3 in a row loses. X: you, O: you.",
            "O> o frob",
            "4x4, 3 in a row loses. X: random, O: you.",
        ],
    );
    assert!(said.iter().any(|line| line.starts_with("There is no player \"frob\"; there are person, auto, perfect,")));
}

#[test]
fn another_program_plays() {
    let template = format!("python3 {}/scripts/engine_template.py", env!("CARGO_MANIFEST_DIR"));
    let said = said(&format!("--o-engine '{template}'"), "2,2\n1,1\n");
    assert_says(&said, &["3x3, 3 in a row wins. X: you, O: engine_template.", "O plays 0,0", "X> 1,1", "O plays 0,1"]);
}

#[test]
fn a_program_that_fails_can_be_asked_again_or_replaced() {
    let said = said("--o-engine 'false' --seed 1", "1,1\ngo\n0,0\no perfect\n");
    let failure = "O (false) ended (exit status: 1) before it had introduced itself with ugiok; go asks again.";
    assert_says(
        &said,
        &[
            failure,
            "O> go",
            failure,
            "O> 0,0",
            "It is the turn of O, which false plays; go lets it move.",
            "O> o perfect",
            "O plays 2,2",
        ],
    );
}

#[test]
fn a_program_that_goes_wrong_is_told_of() {
    for (mode, told) in [
        ("illegal-occupied", "O (bad_engine) played 1,1: 1,1 is taken; go asks again."),
        ("illegal-off-board", "O (bad_engine) played 3,3: 3,3 is off the 3x3 board; go asks again."),
        ("no-move", "O (bad_engine) gave no move: \"bestmove\"; go asks again."),
        ("crash-on-go", "O (bad_engine) ended (exit status: 3); go asks again."),
        // However much is said: there is an answer at the end.
        ("flood", "O plays 0,0"),
    ] {
        let engine = format!("python3 {}/tests/bad_engine.py {mode}", env!("CARGO_MANIFEST_DIR"));
        assert_says(&said(&format!("--o-engine '{engine}'"), "1,1\n"), &[told]);
    }
}

#[test]
fn every_player_moves_in_a_time_that_people_wait() {
    let players = "auto perfect montecarlo montecarlolimit mcts uct random minimax stopatwin alphabeta alphabetatable \
                   alphabetasymmetry alphabetasymmetryall negamax";
    for player in players.split_whitespace() {
        let said = said(&format!("--size 6 --x {player} --o person --seed 1 --trials 100"), "");
        assert!(said.iter().any(|line| line.starts_with("X plays ")), "{player}: {said:#?}");
    }
}

#[test]
fn what_there_is_not_is_a_wrong_command_line() {
    for (arguments, code, error) in [
        ("--o frob", 2, "error: there is no player \"frob\"; there are person, auto,"),
        ("--size 21", 2, "error: "),
        ("--level 0", 2, "error: "),
        ("--o-engine no-such-program", 1, "error: there is no program no-such-program"),
    ] {
        let output = output(arguments, "");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(code) && complaint.starts_with(error), "{arguments}: {output:?}");
    }
}

#[test]
fn a_client_that_writes_line_by_line_is_answered_line_by_line() {
    let mut program = Program::spawn(command().args(["play", "--o", "perfect", "--seed", "1"]));
    program.read();
    program.until("   a b c");
    program.send("1,1\n").until("O plays 2,2");
    program.until("   a b c");
    program.close();
    assert_eq!(program.rest().last().map(String::as_str), Some("The game is left unfinished. Goodbye."));
    assert!(program.exit().0.success());
}
