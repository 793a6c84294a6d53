//! Matches and exams with engines that speak UCI, UGI, the Gomocup protocol or GTP instead of ours.
//!
//! This program speaks UCI, UGI and GTP itself. The others are test doubles in Python: an engine for chess variants that
//! reads files of variants, a UGI engine that ends at whatever it cannot read, and a Gomocup brain and an engine of GTP,
//! which also show the faults that engines show in `faults.rs`.

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::common::contest::{BAD_ENGINE, Contest, Ended, Played, list, moves, number, real, text};
use crate::common::program::{NOUGHTS, RunToEnd};
use serde_json::Value;

const BRAIN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/gomocup_brain.py");
const GTP_ENGINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/gtp_engine.py");
const UGI_ENGINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ugi_engine.py");
const VARIANT_ENGINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/variant_engine.py");

/// The time that an engine in Python needs to start, on a busy machine, and the runner to see its end.
const START: Duration = Duration::from_secs(6);

/// With an engine in Python, which writes down what it hears and who it is.
fn python(of: Contest, name: &str, proto: &str, script: &str, words: &str) -> Contest {
    let [heard, pids] = ["heard", "pids"].map(|file| of.file(file).display().to_string());
    of.engine(format!("name={name} proto={proto} cmd=python3 args='-IS {script} {words} heard={heard} pids={pids}'"))
}

fn with_brain(mode: &str) -> Contest {
    brain_on("--size 5", mode)
}

fn brain_on(game: &str, mode: &str) -> Contest {
    let of = Contest::new().noughts("Random", "player=random").with("--seed 5").with(game);
    python(of, "Brain", "gomocup", BRAIN, mode)
}

fn with_variants(words: &str) -> Contest {
    let of = Contest::new().noughts("Random", "player=random").with("--seed 5 --nodes 10");
    python(of, "Fairy", "uci", VARIANT_ENGINE, words)
}

fn with_gtp(game: &str, mode: &str) -> Contest {
    let of = Contest::new().noughts("Random", "player=random").with("--seed 5").with(game);
    python(of, "Table", "gtp", GTP_ENGINE, mode)
}

fn with_stub(words: &str) -> Contest {
    let of = Contest::new().noughts("Random", "player=random").with("--seed 5 --movetime 20000");
    python(of, "Stub", "ugi", UGI_ENGINE, words)
}

fn lines(of: &Contest, start: &str) -> Vec<String> {
    of.read("heard").lines().filter(|line| line.starts_with(start)).map(str::to_owned).collect()
}

/// No process that wrote down its number is there any more.
#[track_caller]
fn assert_gone(of: &Contest) {
    let start = Instant::now();
    for pid in of.read("pids").lines() {
        let command = format!("/proc/{pid}/cmdline");
        let lives = || std::fs::read_to_string(&command).is_ok_and(|words| words.contains("heard="));
        while lives() {
            assert!(start.elapsed() < Duration::from_secs(2), "{pid} is left");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// No game was lost by anything but play.
#[track_caller]
fn assert_played_out(played: &Played, games: usize) {
    assert_eq!(played.games.len(), games);
    for game in &played.games {
        assert!(game["reason"] == "line" || game["reason"] == "full board", "{game}");
    }
    assert_eq!(played.errors, "", "{:?}", played.games);
}

/// The moves of one of the players, with what it had before it each time.
fn moves_of(game: &Value, name: &str) -> Vec<(Vec<String>, String)> {
    let first = usize::from(game["o"]["name"] == name);
    let moves = moves(game);
    let own = (first..moves.len()).step_by(2);
    own.map(|ply| (moves[..ply].to_vec(), moves[ply].clone())).collect()
}

#[test]
fn the_same_seed_gives_the_same_games_in_uci_and_ugi_and_our_protocol() {
    for (game, words) in [
        ("--games 12", "--nodes 30"),
        ("--games 12 --openings random:2", "--nodes 31"),
        ("--games 2 --size 15 --connect 5", "--nodes 20"),
        ("--games 8 --size 5 --connect 4 --reverse --openings random:3", "--nodes 20"),
        ("--games 8 --size 4x9 --connect 4 --openings random:2", "--nodes 20"),
        ("--games 8 --size 5x3 --reverse", "--nodes 20"),
    ] {
        let play = |proto: &str| {
            let of = Contest::new().noughts("A", "player=montecarlo").noughts("B", "player=mcts");
            let played = of.with(game).with(words).with("--seed 3 --each").word(format!("proto={proto}")).play();
            (played.moves(), played.errors)
        };
        let ours = play("noughts");
        assert_eq!(ours, play("uci"), "{game}");
        assert_eq!(ours, play("ugi"), "{game}");
    }
}

#[test]
fn the_same_options_give_the_same_games_in_gtp_and_our_protocol() {
    for game in [
        "--games 12",
        "--games 12 --openings random:2",
        "--games 2 --size 15 --connect 5",
        "--games 6 --size 4x9 --connect 4 --openings random:3",
        "--games 6 --size 9x4 --connect 4 --reverse",
        "--games 8 --size 5 --connect 4 --reverse --openings random:3",
    ] {
        let play = |proto: &str| {
            let of = Contest::new().noughts("A", "player=montecarlo").noughts("B", "player=mcts");
            let played = of.with(game).with("--seed 3 --each").word(format!("proto={proto} option.trials=30")).play();
            assert_played_out(&played, played.games.len());
            played.moves()
        };
        assert_eq!(play("noughts"), play("gtp"), "{game}");
    }
}

#[test]
fn gtp_against_ugi_gives_the_same_games_as_our_protocol() {
    for game in ["--games 8", "--games 6 --size 4x6 --connect 4 --reverse", "--games 4 --size 9 --connect 5"] {
        let play = |a: &str, b: &str| {
            let engine = |name, proto| format!("name={name} cmd=noughts proto={proto} option.player=montecarlo");
            let of = Contest::new().engine(engine("A", a)).engine(engine("B", b)).with(game);
            let of = of.with("--seed 5 --movetime 20000 --openings random:2 --each option.max_trials=30");
            let played = of.play();
            assert_played_out(&played, played.games.len());
            played.moves()
        };
        let ours = play("noughts", "noughts");
        assert_eq!(ours, play("gtp", "ugi"), "{game}");
        assert_eq!(ours, play("ugi", "gtp"), "{game}");
    }
}

#[test]
fn an_exam_in_gtp_finds_what_an_exam_in_our_own_protocol_finds() {
    for (player, words) in [("montecarlo", "--size 2x4"), ("perfect", "--repeat 2")] {
        let exam = |proto: &str| {
            let engine = format!("cmd=noughts proto={proto} option.player={player} option.trials=20");
            let output = exam(&engine, &format!("{words} --format json"));
            assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
            String::from_utf8(output.stdout).expect("JSON")
        };
        assert_eq!(exam("noughts"), exam("gtp"), "{player}");
    }
}

#[test]
fn an_exam_in_uci_or_ugi_finds_what_an_exam_in_our_own_protocol_finds() {
    for (player, words) in [("montecarlo", ""), ("perfect", "--ties")] {
        let exam = |proto: &str| {
            let engine = format!("cmd=noughts proto={proto} option.player={player}");
            let output = exam(&engine, &format!("--nodes 20 {words} --format json"));
            assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
            output.stdout
        };
        let ours = exam("noughts");
        assert_eq!(ours, exam("uci"), "{player}");
        assert_eq!(ours, exam("ugi"), "{player}");
    }
}

fn exam(engine: &str, words: &str) -> Output {
    let mut command = Command::new(&*NOUGHTS);
    command.args(["exam", "--engine", engine]).args(words.split_whitespace());
    command.run_to_end()
}

/// The commands that this program gets as an engine of UCI.
fn heard_in_uci(words: &str) -> Vec<String> {
    let of = Contest::new().noughts("Perfect", "player=perfect").with("--games 2 --seed 1").with(words);
    let of = of.shell("Ear", "tee $1 | exec $0", "heard").with("--each proto=uci");
    assert_played_out(&of.play(), 2);
    of.read("heard").lines().map(str::to_owned).collect()
}

#[test]
fn a_common_game_is_set_by_name_and_any_other_by_options() {
    let heard = heard_in_uci("--nodes 5");
    assert_eq!(heard[..2], ["uci", "setoption name UCI_Variant value tictactoe"]);
    assert_eq!(heard.last().map(String::as_str), Some("quit"));
    assert!(heard.contains(&"ucinewgame".to_owned()) && heard.contains(&"go nodes 5".to_owned()), "{heard:?}");
    let moves = heard.iter().filter_map(|line| line.split_once(" moves ")).flat_map(|(_, moves)| moves.split(' '));
    assert!(moves.into_iter().all(|written| written.starts_with("P@")), "{heard:?}");

    let heard = heard_in_uci("--trials 5 --size 15 --connect 5");
    assert_eq!(heard[1], "setoption name UCI_Variant value gomokufreestyle");
    assert!(heard.contains(&"go nodes 5".to_owned()), "{heard:?}");

    let heard = heard_in_uci("--movetime 50 --size 4 --connect 3 --reverse");
    for option in ["size value 4", "connect value 3", "reverse value true"] {
        assert!(heard.contains(&format!("setoption name {option}")), "{option}: {heard:?}");
    }
    assert!(!heard.iter().any(|line| line.contains("UCI_Variant")), "{heard:?}");
}

#[test]
fn a_variant_file_is_given_to_its_engine_and_removed_afterwards() {
    for (game, games) in
        [("", 6), ("--size 5 --connect 4", 4), ("--size 10 --connect 5", 2), ("--size 2 --connect 1", 2)]
    {
        let of = with_variants("").with(game).with(&format!("--games {games}"));
        let played = of.play();
        assert_played_out(&played, games);
        let set = lines(&of, "setoption name ");
        let path = set[0].strip_prefix("setoption name VariantPath value ").expect("the file comes first");
        assert_eq!(set[1], "setoption name UCI_Variant value noughts");
        assert!(Path::new(path).is_absolute() && !Path::new(path).exists(), "{path}");
        // It plays the last empty square, whatever is on the others.
        for game in &played.games {
            let size = number(&game["rules"]["size"]);
            for (before, written) in moves_of(game, "Fairy") {
                let mut cells = (0..size * size).rev().map(|cell| format!("{},{}", cell / size, cell % size));
                assert_eq!(cells.find(|cell| !before.contains(cell)), Some(written), "{game}");
            }
        }
    }
}

#[test]
fn a_game_an_engine_cannot_be_told_is_refused_with_the_reason() {
    for (words, game, mentions) in [
        ("", "--reverse", "cannot play 3x3 reverse: its option UCI_Variant lists no such game"),
        ("", "--reverse --size 5", "normal rules only"),
        ("", "--size 11 --connect 5", "cannot play 11x11 connect 5: it did not take this game"),
        ("largest=4", "--size 5", "its boards may be smaller"),
        ("no-path", "", "cannot play 3x3: its option UCI_Variant lists no such game"),
        ("no-path names=tictactoe", "--reverse", "cannot play 3x3 reverse"),
        ("no-path names=tictactoe", "--size 15 --connect 5", "lists no such game"),
    ] {
        let of = with_variants(words).with("--games 2").with(game);
        let ended = of.run();
        ended.assert_failed(&["engine Fairy (python3", mentions]);
        assert!(ended.output.contains("no game was played") && ended.time < START, "{ended:?}");
    }
}

#[test]
fn names_that_an_engine_lists_come_before_files() {
    let of = with_variants("names=tictactoe,gomokufreestyle").with("--games 2");
    assert_played_out(&of.play(), 2);
    assert_eq!(lines(&of, "setoption"), ["setoption name UCI_Variant value tictactoe"]);
    let of = with_variants("names=tictactoe,gomokufreestyle").with("--games 2 --size 15 --connect 5");
    assert_played_out(&of.play(), 2);
    assert_eq!(lines(&of, "setoption"), ["setoption name UCI_Variant value gomokufreestyle"]);
}

#[test]
fn options_of_the_user_come_before_those_of_the_runner() {
    // A name of one's own, also if it means another game: then every move is wrong.
    let of = Contest::new().noughts("Random", "player=random").with("--nodes 10 --games 2");
    let of = python(of, "Fairy", "uci option.UCI_Variant=chess", VARIANT_ENGINE, "names=tictactoe");
    let played = of.play();
    assert_eq!(lines(&of, "setoption"), ["setoption name UCI_Variant value chess"]);
    assert!(played.games.iter().any(|game| game["reason"] == "illegal"), "{:?}", played.games);

    // A file of one's own; the game is known there by its common name.
    let of = Contest::new().noughts("Random", "player=random").with("--nodes 10 --games 2");
    let file = of.write(
        "own.ini",
        "[tictactoe]\nmaxRank = 3\nmaxFile = 3\nstartFen = 3/3/3[PPPPPpppp] w - - 0 1\nimmobile = p\npieceDrops = true\n\
         doubleStep = false\ncastling = false\nstalemateValue = draw\nimmobilityIllegal = false\nconnectN = 3\n",
    );
    let of = python(of, "Fairy", &format!("uci option.VariantPath={file}"), VARIANT_ENGINE, "");
    assert_played_out(&of.play(), 2);
    let game = "setoption name UCI_Variant value tictactoe".to_owned();
    assert_eq!(lines(&of, "setoption"), [format!("setoption name VariantPath value {file}"), game]);

    // Both, in either order: the name is one that only the file knows.
    let of = Contest::new().noughts("Random", "player=random").with("--nodes 10 --games 2");
    let text = std::fs::read_to_string(&file).expect("the file of before");
    let file = of.write("other.ini", &text.replace("tictactoe", "mine"));
    let both = format!("uci option.UCI_Variant=mine option.VariantPath={file}");
    let of = python(of, "Fairy", &both, VARIANT_ENGINE, "");
    assert_played_out(&of.play(), 2);
    let game = "setoption name UCI_Variant value mine".to_owned();
    assert_eq!(lines(&of, "setoption"), [format!("setoption name VariantPath value {file}"), game]);
}

#[test]
fn an_exam_of_a_variant_engine_leaves_out_reverse_and_says_so() {
    let engine = format!("name=Fairy proto=uci cmd=python3 args='-IS {VARIANT_ENGINE}'");
    let output = exam(&engine, "--nodes 10 --format json");
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{output:?}");
    let report: Value = serde_json::from_str(&said).expect("one object");
    assert_eq!(report["exams"].as_array().map(Vec::len), Some(1), "{said}");
    assert!(errors.contains("cannot play 3x3 reverse") && errors.contains("is left out"), "{errors}");
    // An engine that always takes the last empty square gives away as much in any protocol.
    assert!(!errors.contains("answers more than it is asked"), "{errors}");
}

#[test]
fn an_engine_that_ends_at_an_unknown_line_plays_every_game_it_can_be_told() {
    for (game, start) in [
        ("--games 6", "3 3 3 "),
        ("--games 4 --size 5 --connect 4", "5 5 4 "),
        ("--games 4 --size 4x9 --connect 4", "4 9 4 "),
        ("--games 2 --size 20x6 --connect 5", "20 6 5 "),
    ] {
        for name in ["", "name=Noughts,mnk"] {
            let of = with_stub(name).with(game);
            let played = of.play();
            assert_played_out(&played, played.games.len());
            let positions = lines(&of, "position");
            let wanted = format!("position {start}startpos");
            assert!(positions.iter().all(|line| line.starts_with(&wanted)), "{positions:?}");
            assert_eq!(lines(&of, "uginewgame").len(), played.games.len());
            // Its first empty square in every position is what the record has.
            for game in &played.games {
                let [rows, columns] = ["rows", "columns"].map(|key| number(&game["rules"][key]));
                for (before, written) in moves_of(game, "Stub") {
                    let cells =
                        (0..rows).rev().flat_map(|row| (0..columns).map(move |column| format!("{row},{column}")));
                    assert_eq!(cells.into_iter().find(|cell| !before.contains(cell)), Some(written), "{game}");
                }
            }
            assert_gone(&of);
        }
    }
    // An engine of another game knows what needs no words.
    let of = with_stub("name=other").with("--games 2");
    assert_played_out(&of.play(), 2);
    assert!(lines(&of, "position").iter().all(|line| line.starts_with("position startpos")));
}

#[test]
fn a_ugi_engine_that_ends_loses_with_its_last_words_and_a_game_it_cannot_know_is_refused() {
    let of = with_stub("error=2").with("--games 2 --size 5 --recover");
    let (game, ended) = lost_game(&of, "Stub");
    assert_eq!((ended.code, of.games("record").len()), (Some(0), 2), "{ended:?}");
    assert!(game["reason"] == "crash" && text(&game["detail"]).contains("out of ideas"), "{game}");
    assert_gone(&of);
    for (words, game, mentions) in [
        ("", "--size 15 --connect 5", "cannot play 15x15 connect 5: its game mnk has up to 128 cells"),
        ("", "--reverse", "cannot play 3x3 reverse: its game mnk has"),
        ("", "--size 3x5 --connect 4", "lines up to the shorter side"),
        ("name=chess", "--size 4", "cannot play 4x4: it declares no option \"size\" and does not name the game mnk"),
    ] {
        let ended = with_stub(words).with("--games 2").with(game).run();
        ended.assert_failed(&["engine Stub (python3", mentions]);
        assert!(ended.output.contains("no game was played") && ended.time < START, "{ended:?}");
    }
    // Options are checked against what it declares, in whichever order it does so.
    let of = Contest::new().noughts("Random", "player=random").with("--games 2 --nodes 10");
    let of = python(of, "Stub", "ugi option.Style=wild option.UGI_Opponent=me", UGI_ENGINE, "");
    assert_played_out(&of.play(), 2);
    assert_eq!(lines(&of, "setoption"), ["setoption name Style value wild", "setoption name UGI_Opponent value me"]);
    let of = Contest::new().noughts("Random", "player=random").with("--games 2 --nodes 10");
    let of = python(of, "Stub", "ugi option.Style=rude", UGI_ENGINE, "");
    of.run().assert_failed(&["does not take \"rude\" for its option Style"]);
}

#[test]
fn an_exam_of_a_ugi_engine_leaves_out_reverse_and_says_so() {
    let engine = format!("name=Stub proto=ugi cmd=python3 args='-IS {UGI_ENGINE}'");
    let output = exam(&engine, "--nodes 10 --format json");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!(report["exams"].as_array().map(Vec::len), Some(1), "{report}");
    assert!(errors.contains("cannot play 3x3 reverse") && errors.contains("is left out"), "{errors}");
}

#[test]
fn two_protocols_meet_and_the_record_tells_who_spoke_which() {
    let of = with_brain("good").with("--games 4");
    let played = of.play();
    assert_played_out(&played, 4);
    for game in &played.games {
        let [brain, random] = if game["x"]["name"] == "Brain" { ["x", "o"] } else { ["o", "x"] };
        assert_eq!((&game[brain]["proto"], game[random].get("proto")), (&Value::from("gomocup"), None), "{game}");
    }
    assert_gone(&of);
    // The same engines under another protocol are another match.
    let command = |of: &Contest, proto: &str| {
        let mut command = of.command();
        command.args(["--nodes", "5", "--record"]).arg(of.file("record")).args(["--each", proto]);
        command
    };
    let of = Contest::of_random_players().with("--games 2 --seed 1");
    let ended = |command| crate::common::contest::ended(command);
    assert_eq!(ended(command(&of, "proto=uci")).code, Some(0));
    let resumed = |proto| {
        let mut command = command(&of, proto);
        command.arg("--resume");
        ended(command)
    };
    assert_eq!(resumed("proto=uci").code, Some(0));
    assert_eq!(resumed("proto=noughts").code, Some(2));
}

#[test]
fn options_reach_this_program_as_a_brain() {
    let against = |options: &str| {
        let of = Contest::new().noughts("Random", "player=random").with("--seed 5 --size 7 --connect 5 --games 4");
        of.engine(format!("name=Brain cmd=noughts proto=gomocup {options}"))
    };
    // A seed counts only for the engine that gets it: without one, its moves are never the same twice.
    let play = |options: &str| {
        let played = against(options).play();
        assert_played_out(&played, 4);
        played.moves()
    };
    let moves = play("option.player=random option.Level=3 option.seed=5");
    assert_eq!(moves, play("option.player=random option.Level=3 option.seed=5"));
    assert_ne!(moves, play("option.player=random option.Level=3 option.seed=6"));
    for (options, mentions) in [
        ("option.level=11", "refuses its options: INFO: level accepts a whole number from 1 to 10"),
        (
            "option.level=1 option.uci_variant=noughts",
            "refuses its options: INFO UCI_Variant: the game is chosen by START",
        ),
    ] {
        against(options).run().assert_failed(&["engine Brain", mentions]);
    }
}

#[test]
fn limits_that_a_protocol_cannot_obey_are_refused_at_once() {
    let random = || Contest::new().noughts("Random", "player=random");
    for (of, mentions) in [
        (random().engine("cmd=noughts proto=uci"), "needs a limit"),
        (random().engine("cmd=noughts proto=uci"), "--movetime, --tc, --nodes or --trials"),
        (random().engine("cmd=noughts proto=ugi"), "with proto=ugi a move needs a limit"),
        (with_brain("good").with("--nodes 5"), "engine Brain: proto=gomocup knows limits of time only"),
        (with_gtp("--size 5", "good").with("--nodes 5"), "engine Table: proto=gtp knows limits of time only"),
        (with_brain("good").with("--trials 5"), "engine Brain: proto=gomocup knows limits of time only"),
        (random().engine("cmd=noughts proto=xboard"), "proto is noughts, uci, ugi, gomocup or gtp, not \"xboard\""),
    ] {
        of.run().assert_usage_error(mentions);
    }
    let output = exam("cmd=noughts proto=uci", "");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--movetime, --nodes or --trials"), "{output:?}");
}

#[test]
fn this_program_as_a_brain_plays_this_program() {
    for words in [
        "--size 5 --games 4",
        "--size 15 --connect 5 --games 2 --movetime 20",
        "--size 7 --connect 5 --games 2 --tc 2+0.05 --openings random:3",
        "--size 6 --connect 5 --games 8 --openings random:2",
    ] {
        let of = Contest::new().engine("name=Brain cmd=noughts proto=gomocup").noughts("Random", "player=random");
        let of = of.with("--seed 2 --margin 5000").with(words);
        let played = of.play();
        assert_played_out(&played, played.games.len());
        let lost = played.games.iter().any(|game| game[text(&game["result"])]["name"] == "Random");
        assert!(!lost, "{words}: {:?}", played.games);
    }
}

#[test]
fn a_game_gomocup_does_not_know_is_refused_with_the_reason() {
    for game in [
        "--size 3",
        "--size 5 --connect 4",
        "--size 15 --connect 6",
        "--size 15",
        "--size 5 --reverse",
        "--size 4 --connect 5",
    ] {
        let ended = brain_on(game, "good").with("--games 2").run();
        ended.assert_failed(&["engine Brain", "five in a row on 5x5 to 20x20, normal rules only"]);
    }
    let output = exam(&format!("proto=gomocup cmd=python3 args='-IS {BRAIN} good'"), "");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("the Gomocup protocol begins at 5x5"), "{output:?}");
}

#[test]
fn habits_that_are_no_faults_are_not_noticed() {
    for mode in ["crlf", "talks", "ignores-end", "says-error 0", "flood 2", "long-line 2"] {
        let of = with_brain(mode).with("--games 2 --movetime 30000");
        assert_played_out(&of.play(), 2);
        assert_gone(&of);
    }
}

#[test]
fn a_brain_that_does_not_start_is_named_with_what_it_did() {
    for (mode, mentions) in [
        ("exit-at-about", &["exit status: 7", "before it had answered ABOUT"][..]),
        ("silent-at-start", &["did not answer ABOUT and START in time"]),
        ("refuses-the-size", &["refuses", "unsupported size"]),
    ] {
        let of = with_brain(mode).with("--games 2 --start-limit 1");
        let ended = of.run();
        ended.assert_failed(&["engine Brain (python3"]);
        ended.assert_failed(mentions);
        assert!(ended.time < START, "{ended:?}");
        assert_gone(&of);
    }
}

/// Plays a match in which something goes wrong in the first game, and returns that game.
#[track_caller]
fn lost_game(of: &Contest, name: &str) -> (Value, Ended) {
    let mut command = of.command();
    command.arg("--record").arg(of.file("record"));
    let ended = crate::common::contest::ended(command);
    let games = of.games("record");
    let lost = games.iter().find(|game| game.get("detail").is_some()).unwrap_or_else(|| panic!("{ended:?} {games:?}"));
    let winner = text(&lost["result"]);
    assert!(winner != "draw" && lost[&winner]["name"] != name, "{lost}");
    (lost.clone(), ended)
}

/// With an engine at fault that speaks this protocol, against an engine without one.
fn at_fault(proto: &str, mode: &str, words: &str) -> Contest {
    // A player that draws its moves is done before anything that is to come later comes.
    let player = if mode.contains("later") { "montecarlo" } else { "random" };
    let of = Contest::new().noughts("Good", &format!("player={player}"));
    let of = of.with("--seed 5 --size 5 --games 2 --start-limit 2");
    let script = match proto {
        "gomocup" => BRAIN,
        "gtp" => GTP_ENGINE,
        _ => BAD_ENGINE,
    };
    python(of.with(words), "Bad", proto, script, mode)
}

#[test]
fn a_broken_engine_loses_and_stops_the_match_in_any_protocol() {
    for (proto, mode, words, reason) in [
        ("gomocup", "crash 3", "", "crash"),
        ("gomocup", "signal 2", "", "crash"),
        ("gomocup", "move-then-exit 2", "", "crash"),
        ("gomocup", "closes-stdout 2", "--movetime 30000", "crash"),
        ("gomocup", "hang 2", "--movetime 200", "time"),
        ("gomocup", "silent 2", "--tc 0.3+0.01", "time"),
        ("gomocup", "silent", "--patience 1", "time"),
        ("gomocup", "stops-reading 2", "--movetime 300", "time"),
        ("uci", "crash-on-go 3", "--nodes 5", "crash"),
        ("uci", "signal-on-go 2", "--nodes 5", "crash"),
        ("uci", "move-then-exit 2", "--nodes 5", "crash"),
        ("uci", "closes-stdout 2", "--movetime 30000", "crash"),
        ("uci", "hang-on-go 2", "--movetime 200", "time"),
        ("uci", "silent-on-go", "--nodes 5 --patience 1", "time"),
        ("uci", "no-readyok 2", "--movetime 1500", "stall"),
        ("gtp", "crash 3", "", "crash"),
        ("gtp", "signal 2", "", "crash"),
        ("gtp", "move-then-exit 2", "", "crash"),
        ("gtp", "closes-stdout 2", "--movetime 30000", "crash"),
        ("gtp", "hang 2", "--movetime 200", "time"),
        ("gtp", "hang", "--tc 0.3+0.01", "time"),
        ("gtp", "skips 2", "--patience 1", "time"),
        ("gtp", "endless-response 2", "--movetime 300", "time"),
        ("gtp", "stops-reading 2", "--movetime 300", "stall"),
        ("gtp", "no-ready 2", "--movetime 1500", "stall"),
        ("ugi", "crash-on-go 3", "--nodes 5", "crash"),
        ("ugi", "hang-on-go 2", "--tc 0.3+0.01", "time"),
        ("ugi", "no-readyok 2", "--movetime 1500", "stall"),
    ] {
        let of = at_fault(proto, mode, words);
        let (game, ended) = lost_game(&of, "Bad");
        assert_eq!(game["reason"], reason, "{proto} {mode}: {game}");
        ended.assert_failed(&["Bad", "--resume"]);
        if proto == "gtp" && reason == "stall" {
            ended.assert_failed(&["did not answer protocol_version"]);
        }
        assert!(ended.time < START + Duration::from_secs(2), "{proto} {mode}: {ended:?}");
        assert_eq!(of.games("record").len(), 1);
        assert_gone(&of);
    }
}

#[test]
fn a_strict_brain_plays_whole_matches_and_is_asked_about_once() {
    for words in ["--games 6", "--games 4 --movetime 5000", "--games 4 --tc 20+1 --openings random:2"] {
        // The opponent answers at once.
        let of = with_brain("strict").with(words).with("--patience 5");
        let played = of.play();
        assert_played_out(&played, played.games.len());
        assert_eq!(lines(&of, "ABOUT").len(), 1);
        assert!(lines(&of, "RESTART").len() + 1 >= played.games.len(), "{words}");
        // The pause after its move is not its time.
        let spent = played.games.iter().flat_map(|game| own_times(game, "Brain")).filter(|&ms| ms < 10.0).count();
        assert!(spent > 0, "{words}: {:?}", played.games);
        assert_gone(&of);
    }
}

/// The milliseconds of the moves of one of the players.
fn own_times(game: &Value, name: &str) -> Vec<f64> {
    let first = usize::from((game["o"]["name"] == name) == (game["opening"]["side"] == "x"));
    list(&game["moves"]).iter().skip(first).step_by(2).map(|each| real(&each["ms"])).collect()
}

#[test]
fn a_brain_that_does_not_confirm_a_new_game_stalls_in_it() {
    for (mode, words) in [
        ("silent-at-restart", "--movetime 20000"),
        ("silent-at-restart", ""),
        ("refuses-restart", "--tc 20+1"),
        ("refuses-restart", ""),
    ] {
        let of = at_fault("gomocup", mode, words);
        let (game, ended) = lost_game(&of, "Bad");
        assert!(game["reason"] == "stall" && game["game"] == 1, "{mode}: {game}");
        assert!(text(&game["detail"]).contains("did not answer RESTART with OK"), "{mode}: {game}");
        ended.assert_failed(&["Bad", "did not answer RESTART with OK", "restart=on", "--resume"]);
        assert!(!ended.errors.contains("readyok"), "{ended:?}");
        assert!(mode.contains("silent") || ended.time < START, "{ended:?}");
        assert_gone(&of);
        // As the message says.
        let of = Contest::new().noughts("Good", "player=random").with("--seed 5 --size 5 --games 3").with(words);
        assert_played_out(&python(of, "Bad", "gomocup restart=on", BRAIN, mode).play(), 3);
    }
}

#[test]
fn the_move_of_a_brain_that_was_ended_is_none_of_the_next_game() {
    // A brain that hangs is ended, and what it would have said goes with it.
    let of = at_fault("gomocup", "late 2 700", "--movetime 200 --recover");
    let (game, ended) = lost_game(&of, "Bad");
    assert!(game["reason"] == "time" && text(&game["detail"]) == "no answer within 200 ms", "{game}");
    assert_eq!((ended.code, of.games("record").len()), (Some(0), 2), "{ended:?}");
    for game in of.games("record").iter().filter(|game| game["reason"] != "time") {
        assert!(game["reason"] == "line" || game["reason"] == "full board", "{game}");
    }
}

#[test]
fn a_move_said_once_more_is_the_answer_if_nothing_else_is() {
    let of = at_fault("gomocup", "repeats-itself 2", "--movetime 300");
    let (game, ended) = lost_game(&of, "Bad");
    assert_eq!((ended.code, of.games("record").len()), (Some(0), 2), "{ended:?}");
    assert!(game["reason"] == "illegal" && text(&game["detail"]).contains("taken"), "{game}");
}

/// Whatever was said besides, every move of the engine is the one that it chose.
#[track_caller]
fn assert_first_empty_squares(played: &Played, what: &str) {
    for game in &played.games {
        assert!(game["reason"] == "line" || game["reason"] == "full board", "{game}");
        for (before, written) in moves_of(game, "Bad") {
            let mut cells = (0..25).map(|cell| format!("{},{}", cell / 5, cell % 5));
            assert_eq!(cells.find(|cell| !before.contains(cell)), Some(written), "{what} {game}");
        }
    }
}

#[test]
fn a_lost_game_is_named_and_the_match_goes_on() {
    for (proto, mode, words, reason, said) in [
        ("gomocup", "illegal-off-board 2", "--movetime 20000", "illegal", "99,99"),
        ("gomocup", "illegal-occupied 2", "--movetime 20000", "illegal", "taken"),
        ("gomocup", "rubbish-move 2", "--movetime 20000", "illegal", "\\x1b[2J"),
        ("gomocup", "other-notation 2", "--movetime 20000", "illegal", "b2"),
        ("gomocup", "no-move 2", "--movetime 20000", "illegal", "OK, I pass"),
        ("uci", "illegal-off-board 2", "--movetime 20000", "illegal", "5,5"),
        ("uci", "rubbish-move 2", "--movetime 20000", "illegal", "\\x1b[2J"),
        ("uci", "none-move 2", "--movetime 20000", "illegal", "(none)"),
        ("uci", "null-move 2", "--movetime 20000", "illegal", "0000"),
        ("ugi", "illegal-off-board 2", "--movetime 20000", "illegal", "5,5"),
        ("ugi", "none-move 2", "--tc 20+1", "illegal", "(none)"),
        ("gomocup", "late 2 150", "--movetime 400 --margin 50", "time", "ms too late"),
        ("uci", "late 2 150", "--movetime 400 --margin 50", "time", "ms too late"),
        ("gtp", "illegal-off-board 2", "--movetime 20000", "illegal", "Z99"),
        ("gtp", "illegal-occupied 2", "--movetime 20000", "illegal", "taken"),
        ("gtp", "rubbish-move 2", "--movetime 20000", "illegal", "\\x1b[2J"),
        ("gtp", "other-notation 2", "", "illegal", "\"bestmove 0,0\": that is no move"),
        ("gtp", "resigns 2", "", "illegal", "\"bestmove resign\": that is no move"),
        ("gtp", "passes 2", "", "illegal", "\"bestmove pass\": that is no move"),
        ("gtp", "no-answer-text 2", "", "illegal", "that is no move"),
        ("gtp", "says-error 2", "", "illegal", "\"bestmove ? out of ideas\": that is no move"),
        ("gtp", "late 2 150", "--movetime 400 --margin 50", "time", "ms too late"),
        ("gtp", "hang-but-stops 2", "--movetime 200", "time", "ms too late"),
        // A brain that breaks is started again.
        ("gomocup", "crash", "--recover", "crash", ""),
        ("gomocup", "crash 4", "--recover", "crash", ""),
        ("gtp", "crash 4", "--recover", "crash", ""),
        ("gtp", "hang 2", "--movetime 200 --recover", "time", ""),
        ("gomocup", "hang 2", "--movetime 200 --recover", "time", ""),
    ] {
        let of = at_fault(proto, mode, words);
        let (game, ended) = lost_game(&of, "Bad");
        assert_eq!((ended.code, of.games("record").len()), (Some(0), 2), "{proto} {mode}: {ended:?}");
        assert!(game["reason"] == reason && text(&game["detail"]).contains(said), "{proto} {mode}: {game}");
        assert!(!text(&game["detail"]).contains(char::is_control), "{game}");
        assert_gone(&of);
    }
}

#[test]
fn a_second_answer_is_ignored_with_a_warning_in_any_protocol() {
    for (proto, mode, words) in [
        ("gomocup", "stale 0", ""),
        ("gomocup", "stale-at-restart", ""),
        ("gomocup", "stale-at-restart", "--movetime 20000"),
        ("gomocup", "stale-with-ok", ""),
        ("gomocup", "stale-with-ok", "--movetime 20000"),
        // A move that is said once more is an answer only if nothing else is.
        ("gomocup", "repeats 0", ""),
        ("gomocup", "repeats 0", "--movetime 20000"),
        // While the opponent thinks.
        ("gomocup", "stale-later 0 5", "--movetime 40 --margin 5000"),
        ("uci", "stale-bestmove 0", "--nodes 5"),
        ("gtp", "stale 0", ""),
        ("gtp", "stale 0", "--movetime 20000"),
        ("gtp", "stale-no-numbers 0", ""),
    ] {
        let of = at_fault(proto, mode, words);
        let played = of.play();
        assert!(played.errors.contains("Bad: an answer to an earlier question"), "{proto} {mode}: {}", played.errors);
        assert_first_empty_squares(&played, &format!("{proto} {mode}"));
    }
}

#[test]
fn an_engine_of_gtp_plays_every_game_that_it_can_be_told() {
    for (game, mode, games) in [
        ("", "good", 6),
        ("--size 15 --connect 5", "good", 2),
        ("--size 5x9 --connect 5", "good 1 0 own", 4),
        ("--size 5 --connect 4 --reverse --openings random:3", "good 1 0 own", 6),
        ("--size 4x7 --connect 3", "good 1 0 own", 6),
        ("--size 5", "no-numbers", 4),
        ("--size 5", "crlf", 4),
        ("--size 5", "talks", 4),
        ("--size 5 --movetime 20000", "refuses-times", 4),
        ("--size 5 --tc 20+1", "good", 4),
        ("--size 5 --tc 20+1", "whole-seconds", 4),
        ("", "many-commands", 2),
        ("", "ignores-end", 2),
        ("--movetime 30000", "flood 2", 2),
        ("--movetime 30000", "long-line 2", 2),
    ] {
        let of = with_gtp(game, mode).with(&format!("--games {games}"));
        assert_played_out(&of.play(), games);
        assert_gone(&of);
    }
}

#[test]
fn an_engine_of_gtp_hears_a_game_in_as_few_commands_as_can_be() {
    let of = with_gtp("--size 5 --tc 20+1", "good").with("--games 3");
    let played = of.play();
    assert_played_out(&played, 3);
    let heard = of.read("heard");
    let heard: Vec<(&str, &str)> = heard.lines().map(|line| line.split_once(' ').expect("a number")).collect();
    assert!(heard.iter().enumerate().all(|(index, (number, _))| *number == (index + 1).to_string()), "{heard:?}");
    let count = |start: &str| heard.iter().filter(|(_, command)| command.starts_with(start)).count();
    let start = ["protocol_version", "name", "version", "list_commands", "boardsize 5", "clear_board"];
    assert_eq!(heard.iter().map(|(_, command)| *command).take(6).collect::<Vec<_>>(), start);
    // Each of its own moves is a question, and the others are told once. Those after its last move are not told.
    let own: usize = played.games.iter().map(|game| moves_of(game, "Table").len()).sum();
    let others: usize = played.games.iter().map(|game| moves_of(game, "Random").len()).sum();
    let untold = played.games.iter().filter(|game| {
        let last = moves(game).len() % 2;
        game[["o", "x"][last]]["name"] == "Random"
    });
    assert_eq!((count("genmove"), count("play")), (own, others - untold.count()));
    assert_eq!((count("boardsize"), count("clear_board"), count("time_settings 20 0 0")), (1, 3, 3));
    assert_eq!((count("time_left b"), count("time_left w")), (own, own));
    assert_eq!(heard.last().map(|(_, command)| *command), Some("quit"));
}

#[test]
fn a_seed_reaches_an_engine_of_gtp_that_lists_the_command() {
    let moves = |words: &str| {
        let of = with_gtp("--size 5 --games 4", "good 1 0 own").with(words);
        let played = of.play();
        assert_played_out(&played, 4);
        (played.moves(), lines(&of, "").iter().filter(|line| line.contains("noughts-seed")).count())
    };
    let (first, seeds) = moves("");
    assert_eq!(seeds, 4);
    assert_eq!((first.clone(), seeds), moves(""));
    let plain = with_gtp("--size 5 --games 4", "good").play();
    assert_played_out(&plain, 4);
    assert!(plain.games.iter().all(|game| game["x"].get("seed").is_none() || game["x"]["name"] == "Random"));
    let of = Contest::new().noughts("Random", "player=random").with("--games 2 --size 5");
    let of = python(of, "Table", "gtp option.seed=7", GTP_ENGINE, "refuses-the-seed 1 0 own");
    of.run().assert_failed(&["engine Table (python3", "refuses its options: noughts-seed 7: no such seed"]);
    let of = Contest::new().noughts("Random", "player=random").with("--games 2 --size 5");
    let of = python(of, "Table", "gtp option.trials=7", GTP_ENGINE, "good 1 0 own");
    of.run().assert_failed(&["engine Table (python3", "declares no option \"trials\"; its options are seed"]);
}

#[test]
fn an_engine_of_gtp_that_cannot_take_part_is_named_with_what_it_said() {
    for (game, mode, mentions) in [
        ("", "exit-at-start", &["exit status: 7", "before it had answered list_commands"][..]),
        ("", "silent-at-start", &["did not answer list_commands and boardsize in time"]),
        ("", "no-blank-line", &["did not answer list_commands and boardsize in time"]),
        ("", "other-version", &["cannot play 3x3: it answered protocol_version: 1; only version 2"]),
        ("--size 5", "refuses-the-size", &["cannot play 5x5: it answered boardsize 5: unacceptable size"]),
        ("", "good 1 0 without=genmove", &["cannot play 3x3: it lists no command genmove"]),
        ("--size 4", "good", &["cannot play 4x4: it lists no command noughts-connect; ", "five in a row"]),
        ("--size 5x9 --connect 5", "good", &["cannot play 5x9 connect 5: it lists no command noughts-connect; "]),
        ("--size 7 --connect 4", "good", &["cannot play 7x7 connect 4: it lists no command noughts-connect"]),
        ("--size 5 --reverse", "good", &["cannot play 5x5 reverse: it lists no command noughts-reverse; "]),
    ] {
        let limit = if mentions[0].starts_with("did not answer") { 1 } else { 10 };
        let of = with_gtp(game, mode).with(&format!("--games 2 --start-limit {limit}"));
        let ended = of.run();
        ended.assert_failed(&["engine Table (python3"]);
        ended.assert_failed(mentions);
        assert!(ended.output.contains("no game was played") && ended.time < START, "{ended:?}");
        assert_gone(&of);
    }
}

#[test]
fn an_exam_of_an_engine_of_gtp_asks_every_position() {
    for (words, exams) in [("", 1), ("1 0 own", 2)] {
        let engine = format!("name=Table proto=gtp cmd=python3 args='-IS {GTP_ENGINE} good {words}'");
        let output = exam(&engine, "--format json");
        let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{output:?}");
        let report: Value = serde_json::from_str(&said).expect("one object");
        assert_eq!(report["exams"].as_array().map(Vec::len), Some(exams), "{said}");
        assert_eq!(errors.contains("cannot play 3x3 reverse"), exams == 1, "{errors}");
    }
}
