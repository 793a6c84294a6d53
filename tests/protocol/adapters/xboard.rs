//! The Chess Engine Communication Protocol of XBoard: sizes 3 to 12 under both rules, with stones that are dropped.

use std::time::{Duration, Instant};

use crate::common::foreign::{Dialect, Foreign, find, is_thinking_line, without_thoughts, xboard_move};
use crate::common::random_games::any_move;
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
    let size = game.rules().shape().rows;
    find(game, written, |cell| xboard_move(cell, size)).unwrap_or_else(|| panic!("off the board: {line}"))
}

/// The beginning of the claim of a finished game.
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
    // It may come first, and twice.
    let first = engine.say("protover 2\n");
    let said = engine.say("xboard\nprotover 2\n");
    assert_eq!(first, said);
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
    // The client's opinion of them, and its words about itself, are taken in silence.
    let silent = "accepted setboard\nrejected debug\nrandom\nhard\neasy\ncomputer\nname Somebody\nrating 1 2\nics -\n\
        otim 100\ntime 100\naccepted done\n\n?\n.\ndraw\npost\nnopost\n";
    assert_eq!(engine.say(silent), [""; 0]);
}

#[test]
fn ten_ranks_count_from_0_and_others_from_1() {
    for (variant, accepted, refused) in [
        ("noughts9", &["P@a1", "P@i9"][..], &["P@a0", "P@a10"][..]),
        ("noughts10", &["P@a0", "P@j9", "P@a9", "P@j0"], &["P@a10", "P@k5", "P@a-1"]),
        ("noughts11", &["P@a1", "P@k11", "P@a10"], &["P@a0", "P@a12", "P@l1"]),
        ("noughts12", &["P@a1", "P@l12"], &["P@a0", "P@a13", "P@m1"]),
    ] {
        for text in accepted.iter().chain(refused) {
            let said = playing(variant).say(&format!("force\nusermove {text}\n"));
            let is_refused = said.iter().any(|line| line.starts_with("Illegal move"));
            assert_eq!(
                (said.len(), is_refused),
                (usize::from(refused.contains(text)), refused.contains(text)),
                "{said:?}"
            );
        }
    }
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
    let others = [
        "P@d1",
        "b1",
        "0,0",
        "O-O",
        "p@a9",
        "@a1",
        "Q@a1",
        "P@",
        "P@11",
        "P@a99999999999999999999",
        "",
        "resign",
        "--",
    ];
    for text in others {
        let answer = engine.answer(&format!("usermove {text}"));
        assert!(is_refusal(&answer) && (answer.contains(text) || text.len() > 15), "{text}: {answer}");
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
fn what_ends_a_search_does_so_in_the_same_write_and_later() {
    for (end, moves) in [
        ("?", 1),
        ("force", 0),
        ("new", 0),
        ("result 1-0 {Black resigns}", 0),
        ("result * {}", 0),
        ("new\nvariant noughts12", 0),
    ] {
        for pause in [0, 60] {
            let mut engine = thinking();
            assert_eq!(without_thoughts(Dialect::XBoard, engine.during(Duration::from_millis(pause))), [""; 0]);
            let start = Instant::now();
            engine.send(&format!("{end}\nping 3\n"));
            let mut said = without_thoughts(Dialect::XBoard, engine.until(|line| line == "pong 3"));
            assert!(start.elapsed() < Duration::from_secs(1), "{end}");
            assert_eq!(said.iter().filter(|line| line.starts_with("move ")).count(), moves, "{end}: {said:?}");
            said.retain(|line| !["setup", "piece", "pong", "move"].iter().any(|start| line.starts_with(start)));
            assert_eq!(said, [""; 0], "{end}");
            assert_eq!(engine.say("?\n?\n"), [""; 0], "nothing is searched, {end}");
            // It is still there, and plays when it is asked to.
            engine.say("new\nvariant noughts4\noption player=random\n");
            assert!(engine.answer("usermove P@a1\n").starts_with("move "), "{end}");
        }
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
    let wide = [("size", "3"), ("columns", "5")];
    for options in [&[("size", "5"), ("reverse", "true")][..], &[("UCI_Variant", "tictactoe")], &wide] {
        let mut engine = Foreign::new(Dialect::XBoard, options);
        let said = engine.say("xboard\nforce\nusermove P@d1\nusermove P@a1\nusermove P@a2\nusermove P@b1\n");
        assert!(said.len() == 1 && said[0].starts_with("Illegal move"), "{options:?}: {said:?}");
        let said = engine.say("protover 2\nusermove P@b2\nusermove P@c1\n");
        assert!(said.last().is_some_and(|line| line.starts_with("1-0 {X completed")), "{options:?}: {said:?}");
    }
}

/// The effect of an option.
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
        "score_current" | "score_other" | "exploration" => (&["0.5", "2"], &["-1"]),
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

/// The game as a client has set it, kept by a referee of its own.
struct Referee {
    rules: Rules,
    start: Position,
    history: Vec<Cell>,
    /// The engine's side, unless it plays neither.
    plays: Option<Player>,
}

/// The answer that the engine owes for a line.
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
        let (size, connect) = (self.rules.shape().rows, self.rules.connect());
        match below(random, 20) {
            0 => {
                // Games of large boards are long.
                let sizes = if below(random, 4) == 0 { 10 } else { 3 };
                let (size, reverse) = (3 + below(random, sizes) as u8, below(random, 2) == 1);
                self.plays = Some(Player::O);
                let rules = rules(size, connect, reverse);
                let (name, _) = variants()
                    .into_iter()
                    .find(|(_, of)| of.shape() == size.into() && of.reverse() == reverse)
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
                // A cell of the board, or one beside it.
                let cell = Cell::new(below(random, u32::from(size)) as u8, below(random, u32::from(size) + 1) as u8);
                let game = self.game();
                let owed = if cell.column() == size || game.outcome().is_some() || game.occupant(cell).is_some() {
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
    for _ in 0..200 {
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
                        assert!(claimed.starts_with(claim(&referee.game())) && is_claim(&claimed), "{line}: {claimed}");
                        claims += 1;
                    }
                }
            }
            assert_eq!(said, [""; 0], "{line} after {:?}", referee.history);
        }
    }
    assert!(claims > 150 && refusals > 1_000, "{claims} {refusals}");
}
