//! Printed messages are read back as the same, and text that cannot be read gives an error with the reason.

use std::num::NonZeroU64;

use noughts::engine::{OptionSpec, TraceRequest, TraceSearch};
use noughts::game::{Diagram, DiagramRow, MoveText, Player};
use noughts::protocol::{Command, GoCommand, Handshake, ParseError, PositionCommand, Query, Reply, TraceCommand};
use noughts::search::{Clock, Limits};
use proptest::option;
use proptest::prelude::*;

fn words() -> impl Strategy<Value = String> {
    "[!-~]{1,8}( [!-~]{1,8}){0,2}"
}

fn moves() -> impl Strategy<Value = MoveText> {
    prop_oneof![
        (0u32..1_000_000, 0u32..1_000_000).prop_map(|(row, column)| MoveText::RowColumn(row, column)),
        (prop::char::range('a', 'z'), 0u32..1_000_000).prop_map(|(file, rank)| MoveText::FileRank(file, rank)),
        (prop::char::range('A', 'Z'), 0u32..10).prop_map(|(file, rank)| MoveText::FileRank(file, rank)),
        (prop::char::range('a', 'z'), 0u32..1_000_000).prop_map(|(file, rank)| MoveText::Drop(file, rank)),
    ]
}

fn players() -> impl Strategy<Value = Player> {
    prop_oneof![Just(Player::X), Just(Player::O)]
}

fn diagrams() -> impl Strategy<Value = Diagram> {
    let row = prop::collection::vec(option::of(players()), 1..8).prop_map(|cells| {
        let mut row = DiagramRow::default();
        for cell in cells {
            match cell {
                Some(player) => row.push_stone(player),
                None => row.push_empty(1),
            }
        }
        row
    });
    (prop::collection::vec(row, 1..8), option::of(players())).prop_map(|(rows, side)| Diagram { rows, side })
}

fn clocks() -> impl Strategy<Value = Clock> {
    (option::of(any::<u64>()), option::of(any::<u64>())).prop_map(|(time, increment)| Clock { time, increment })
}

fn limits() -> impl Strategy<Value = Limits> {
    let count = || option::of((1u64..).prop_map(|number| NonZeroU64::new(number).expect("from 1 on")));
    (count(), count(), count(), option::of(any::<u64>()), clocks(), clocks(), count(), any::<bool>()).prop_map(
        |(trials, nodes, depth, move_time, x, o, moves_to_go, infinite)| Limits {
            trials,
            nodes,
            depth,
            move_time,
            clocks: [x, o],
            moves_to_go,
            infinite,
        },
    )
}

fn commands() -> impl Strategy<Value = Command> {
    let ignored = prop::collection::vec("(perft|zz|[0-9]{1,5})", 0..4);
    let search_moves = || prop::collection::vec(moves(), 0..4);
    let mate = option::of((1u64..).prop_map(|number| NonZeroU64::new(number).expect("from 1 on")));
    let option_name = "(name2|[a-z_]{1,9}x( [a-z_]{1,9}y)?)";
    let query = prop_oneof![
        Just(Query::P1Turn),
        Just(Query::GameOver),
        Just(Query::Result),
        Just(Query::Position),
        Just(Query::Fen),
        Just(Query::Moves),
        moves().prop_map(Query::IsLegal),
        Just(Query::Line)
    ];
    prop_oneof![
        Just(Command::Handshake(Handshake::Uci)),
        Just(Command::Handshake(Handshake::Ugi)),
        Just(Command::IsReady),
        any::<bool>().prop_map(Command::Debug),
        Just(Command::NewGame),
        (option_name, prop_oneof![Just(String::new()), words()])
            .prop_map(|(name, value)| Command::SetOption { name, value }),
        (option::of(diagrams()), option::of(0..1_000_000_000u32), prop::collection::vec(moves(), 0..5)).prop_map(
            |(diagram, connect, moves)| {
                let game = diagram.as_ref().zip(connect).and_then(|(diagram, connect)| game_of(diagram, connect));
                Command::Position(PositionCommand { diagram, game, moves })
            }
        ),
        (limits(), search_moves(), mate, any::<bool>(), ignored).prop_map(
            |(limits, search_moves, mate, ponder, ignored)| {
                Command::Go(GoCommand { limits, search_moves, mate, ponder, ignored })
            }
        ),
        Just(Command::PonderHit),
        Just(Command::Stop),
        Just(Command::Wait),
        Just(Command::Quit),
        query.prop_map(Command::Query),
        Just(Command::GameOver),
        Just(Command::ShowBoard),
        any::<bool>().prop_map(|exact| Command::Eval { exact }),
        option::of(moves()).prop_map(Command::Explain),
        trace_commands().prop_map(Command::Trace),
        Just(Command::Help),
    ]
}

/// The game that a board can name: one whose rows are all as wide.
fn game_of(diagram: &Diagram, connect: u32) -> Option<[u32; 3]> {
    let width = diagram.rows[0].width;
    let is_even = diagram.rows.iter().all(|row| row.width == width) && width < 1_000_000_000;
    is_even.then_some([diagram.rows.len() as u32, width, connect])
}

fn trace_searches() -> impl Strategy<Value = TraceSearch> {
    prop::sample::select(TraceSearch::all().collect::<Vec<_>>())
}

fn trace_commands() -> impl Strategy<Value = TraceCommand> {
    let trials = (1u64..).prop_map(|number| NonZeroU64::new(number).expect("from 1 on"));
    (trace_searches(), option::of(0..=TraceRequest::MOST_EVENTS as u32), option::of(trials))
        .prop_map(|(search, events, trials)| TraceCommand { search, events, trials })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, rng_seed: proptest::test_runner::RngSeed::Fixed(1),
        failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_command_that_is_printed_is_read_back_as_the_same_command(command in commands()) {
        prop_assert_eq!(command.to_string().parse(), Ok(command));
    }

    #[test]
    fn a_command_means_the_same_in_any_case_and_between_any_blanks(command in commands()) {
        // The value of an option keeps its case, so that only its name is held against the original.
        let text = command.to_string();
        let shouted: String = text.split(' ').map(str::to_ascii_uppercase).collect::<Vec<_>>().join(" \t ");
        let read: Command = format!("  {shouted} \t").trim_end().parse().expect("still a command");
        prop_assert_eq!(read.to_string().to_ascii_lowercase().replace(" \t ", " "), text.to_ascii_lowercase());
    }
}

#[test]
fn both_clock_names_and_all_new_game_names_are_understood() {
    let same = |one: &str, two: &str| assert_eq!(one.parse::<Command>(), two.parse::<Command>(), "{one}");
    same("go wtime 1 btime 2 winc 3 binc 4", "go p1time 1 p2time 2 p1inc 3 p2inc 4");
    same("newgame", "uginewgame");
    same("newgame", "ucinewgame");
    same("setoption trials 500", "setoption name trials value 500");
    same("position fen xo./.x./... o", "position fen XO1/1x1/3 O");
    same("gameover p1win whatever", "gameover");
}

#[test]
fn the_short_form_of_setoption_knows_names_of_several_words() {
    let read = |text: &str| text.parse::<Command>();
    for name in OptionSpec::all().map(|option| option.name) {
        for value in ["", "10", "/tmp/log of today", "value 10"] {
            let long = Ok(Command::SetOption { name: name.to_owned(), value: value.to_owned() });
            assert_eq!(read(&format!("setoption name {name} value {value}")), long);
            assert_eq!(read(&format!("setoption {name} {value}")), long);
            let spaced = name.to_ascii_uppercase().replace(' ', " \t");
            let upper = Ok(Command::SetOption { name: name.to_ascii_uppercase(), value: value.to_owned() });
            assert_eq!(read(&format!("setoption  {spaced}\t {value}")), upper);
        }
        // Without its last words it is no name, and its first word alone is what the client is told.
        if let Some((first, more)) = name.split_once(' ') {
            let (second, _) = more.split_once(' ').unwrap_or((more, ""));
            let unknown = Command::SetOption { name: first.to_owned(), value: format!("{second}s 10") };
            assert_eq!(read(&format!("setoption {first} {second}s 10")), Ok(unknown));
        }
    }
}

#[test]
fn e30_the_ends_of_numbers_are_where_the_contract_puts_them() {
    let go = |text: &str| match text.parse::<Command>() {
        Ok(Command::Go(go)) => Ok(go),
        Ok(other) => panic!("{other}"),
        Err(error) => Err(error),
    };
    for refused in [
        "go trials 0",
        "go nodes 0",
        "go nodes -5",
        "go trials 1e3",
        "go movetime soon",
        "go trials -1",
        "go depth -1",
        "go movestogo -1",
        "go trials abc",
        "go trials 1.5",
        "go depth",
        "go nodes 18446744073709551616",
        "go movetime x",
        "go wtime 99999999999999999999999999999999999999999999",
        "go trials 1 trials 2",
        "go infinite infinite",
        "go trials +5",
        "go movetime 5ms",
    ] {
        assert!(matches!(go(refused), Err(ParseError::Usage { .. })), "{refused}");
    }
    for time in ["-5", "-0", "-99999999999999999999999999999999999999999999"] {
        assert_eq!(go(&format!("go movetime {time}")).unwrap().limits.move_time, Some(0));
    }
    assert_eq!(go("go nodes 18446744073709551615").unwrap().limits.playouts(), Some(u64::MAX));
    assert_eq!(go("go depth 0 movestogo 0").unwrap().ignored, ["depth 0", "movestogo 0"]);
    assert_eq!(go("go perft trials 5 zz 3").unwrap().ignored, ["perft", "zz", "3"]);
}

#[test]
fn an_error_names_the_text_at_fault_and_what_was_expected() {
    for (line, expected) in [
        ("Xyzzy 1", r#"unknown command "Xyzzy"; help lists the commands"#),
        (
            "go trials abc",
            r#"go: expected a whole number from 1 to 18446744073709551615 after trials, found "abc"; the line is ignored"#,
        ),
        ("position", "position: expected startpos or fen, found the end of the line; the line is ignored"),
        (
            "position startpos moves 1,1 q",
            r#"position: expected move 2 in the form 1,2, b2 or P@b2, found "q"; the line is ignored"#,
        ),
        ("position fen xyz", r#"position: expected a board such as xo1/1x1/3, found "xyz"; the line is ignored"#),
        (
            "position fen 4 9 4 3/3/3 x 1",
            r#"position: expected a board of 4 rows and 9 columns, found "3/3/3"; the line is ignored"#,
        ),
        (
            "query islegal here",
            r#"query: expected a move in the form 1,2, b2 or P@b2, found "here"; the line is ignored"#,
        ),
        ("stop now", r#"stop: expected the end of the line, found "now"; the line is ignored"#),
        ("debug", "debug: expected on or off, found the end of the line; the line is ignored"),
        ("debug yes", r#"debug: expected on or off, found "yes"; the line is ignored"#),
        ("debug on 2", r#"debug: expected the end of the line, found "2"; the line is ignored"#),
        (
            "query who",
            r#"query: expected p1turn, gameover, result, position, fen, moves, islegal or line, found "who"; the line is ignored"#,
        ),
        ("eval now", r#"eval: expected exact or the end of the line, found "now"; the line is ignored"#),
        ("eval exact 9", r#"eval: expected the end of the line, found "9"; the line is ignored"#),
        ("setoption", "setoption: expected the name of an option, found the end of the line; the line is ignored"),
    ] {
        assert_eq!(line.parse::<Command>().unwrap_err().to_string(), expected);
    }
}

#[test]
fn a_fen_may_leave_out_what_means_nothing_here() {
    let read = |text: &str| format!("position fen {text}").parse::<Command>().map(|command| command.to_string());
    for (fen, own) in [
        ("3/1P1/3[PPPPpppp] b - - 0 1", "3/1x1/3 o"),
        ("3/1P1/3[] b - - 0 1", "3/1x1/3 o"),
        ("3/1P1/3 b", "3/1x1/3 o"),
        ("3/1P1/3", "3/1x1/3"),
        ("3/3/3 w - - 0 1 moves P@b2 p@a1 c3 0,1", "3/3/3 x moves P@b2 P@a1 c3 0,1"),
        ("p1P/3/3[PPp] w moves P@b2", "o1x/3/3 x moves P@b2"),
        ("3/3/3 x", "3/3/3 x"),
    ] {
        assert_eq!(read(fen), Ok(format!("position fen {own}")), "{fen}");
    }
    for fen in ["P1x/3/3", "3/1P1/3 x", "3/1x1/3 b", "3/1P1/3[Q] b", "3/1P1/3 b KQkq", "rnbqkbnr/8/8 w KQkq - 0 1"] {
        assert!(read(fen).is_err(), "{fen}");
    }
}

#[test]
fn what_other_engines_add_to_their_answers_is_passed_over() {
    let info = |text: &str| match text.parse() {
        Ok(Reply::Info(info)) => (info.depth, info.nodes, info.value, info.pv.len()),
        other => panic!("{other:?}"),
    };
    assert_eq!(info("info depth 3 score cp 5 lowerbound nodes 10 hashfull 7 pv b2 a1"), (Some(3), Some(10), None, 2));
    assert_eq!(info("info currmove 1,1 nodes many depth 2 value 0.5 pv 1,1 0,0"), (Some(2), None, Some(0.5), 2));
    let best = |text: &str| text.parse::<Reply>();
    assert_eq!(best("bestmove b2 ponder a1"), Ok(Reply::BestMove(Some(MoveText::FileRank('b', 2)))));
    assert_eq!(best("bestmove 1,1 and more"), Ok(Reply::Text("bestmove 1,1 and more".to_owned())));
}
