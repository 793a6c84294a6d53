//! Whatever is typed: the session lives, every accepted `go` has its answer, every line of output is one of ours.

use std::time::Instant;

use crate::common::Conversation;
use noughts::protocol::{Command, LineReader, Reply};
use proptest::prelude::*;

/// Words of the protocol, of boards and of none, with a blank between any two.
const WORDS: &str = "go position startpos fen moves setoption name value stop wait isready newgame query result moves line d eval \
    explain trace events negamax help ugi uci gameover trials nodes depth movetime wtime btime winc p2inc \
    movestogo infinite size connect reverse player montecarlo montecarlolimit mcts perfect random auto tiebreak \
    first seed score_current score_other MultiPV true false 0 1 2 3 5 20 -1 400 1e9 nan 99999999999999999999 0,0 \
    1,1 2,2 0,1 b2 a1 c3 t20 9,9 xo1/1x1/3 3/3/3 xxx/oo1/3 2/2 xo./.x./... x o # é \u{202e} {} p1turn gameover \
    bestmove searchmoves exact ponder fen islegal";

/// Lines that mean something, so that sessions get somewhere between the nonsense.
const SENSE: &str = "go; go trials 3; go nodes 20; go movetime 0; go wtime 0 btime 0; position startpos; position startpos moves \
    1,1 0,0; position startpos moves 0,0; newgame; stop; isready; query moves; query result; query line; query fen; \
    query islegal 1,1; position fen 2 4 3 xo2/4 x 2; position fen 3 3 3 3/3/3 x 1; d; eval; \
    eval exact; explain; explain 1,1; trace negamax; trace mcts events 50; trace montecarlo trials 9; setoption \
    player montecarlo; setoption player montecarlolimit; setoption player perfect; setoption player auto; \
    setoption size 3; setoption size 2; setoption size 4; setoption connect 2; setoption connect 0; setoption \
    reverse true; setoption reverse false; setoption MultiPV 3; position fen xxx/oo1/3; position fen xo1/1x1/3 o \
    moves 2,2; ugi; uci; go infinite; go infinite trials 3";

/// A line of sense, of random words, of random bytes, or one of these with a byte changed.
fn lines() -> impl Strategy<Value = Vec<u8>> {
    let sense = || prop::sample::select(SENSE.split("; ").collect::<Vec<_>>()).prop_map(str::to_owned);
    let controls = ["\t", "\0", "\r"];
    let word = || prop::sample::select(WORDS.split(' ').chain(controls).collect::<Vec<_>>());
    let words = || prop::collection::vec(word(), 1..9).prop_map(|words| words.join(" "));
    let text = prop_oneof![5 => sense(), 3 => words(), 1 => (sense(), words()).prop_map(|(a, b)| format!("{a} {b}"))];
    let bytes = prop_oneof![9 => text.prop_map(String::into_bytes), 1 => prop::collection::vec(any::<u8>(), 0..60)];
    let changed = (bytes, prop::option::weighted(0.2, (any::<prop::sample::Index>(), any::<u8>(), 0..3)));
    changed.prop_map(|(mut line, change)| {
        if let Some((place, byte, how)) = change.filter(|_| !line.is_empty()) {
            let place = place.index(line.len());
            match how {
                0 => line[place] = byte,
                1 => line.truncate(place),
                _ => line.insert(place, byte),
            }
        }
        line.retain(|&byte| byte != b'\n');
        line
    })
}

fn command(line: &[u8]) -> Option<Command> {
    let mut bytes = &[line, b"\n"].concat()[..];
    LineReader::default().take(&mut bytes)?.command()?.ok()
}

/// Commands that these tests keep out: `quit`, which ends the session and has tests of its own, and searches that
/// are legal but take minutes.
fn is_for_another_test(command: &Command) -> bool {
    let is_large = |text: &str| text.split(' ').any(|word| word.parse::<u64>().is_ok_and(|number| number > 1000));
    match command {
        Command::Quit => true,
        Command::SetOption { name, .. } => name.eq_ignore_ascii_case("trials"),
        Command::Trace(trace) => is_large(&trace.to_string()),
        Command::Go(go) => is_large(&go.to_string()),
        _ => false,
    }
}

/// A move, or the one line that refuses a list of moves that are not all legal.
fn is_answer(line: &str) -> bool {
    line.starts_with("bestmove ") || line.starts_with("info string error: go: searchmoves: ")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, rng_seed: proptest::test_runner::RngSeed::Fixed(2026),
        failure_persistence: None, ..ProptestConfig::default() })]

    /// A thousand sessions of a hundred lines each.
    #[test]
    fn every_accepted_go_has_its_answer_among_random_lines(
        lines in prop::collection::vec(lines(), 100),
    ) {
        let mut conversation = Conversation::new();
        conversation.send("setoption seed 1\nsetoption trials 50\n");
        let (mut accepted, mut answered) = (0, 0);
        // A few lines in one piece, as they come through a pipe, then whatever they are answered.
        for piece in lines.chunks(7) {
            for line in piece {
                let command = command(line);
                if command.as_ref().is_some_and(is_for_another_test) {
                    continue;
                }
                accepted += usize::from(matches!(command, Some(Command::Go(_))));
                conversation.send_bytes(line).send("\n");
            }
            let said = conversation.send("stop\nisready\n").until_line("readyok");
            for line in &said {
                let reply: Reply = line.parse().expect("every line is a reply");
                prop_assert_eq!(&reply.to_string(), line);
                prop_assert!(line.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{:?}", line);
            }
            answered += said.iter().filter(|line| is_answer(line)).count();
        }
        conversation.end_of_input();
        while !conversation.session.is_over() {
            conversation.session.begin_round(Instant::now());
            conversation.session.proceed(Instant::now);
        }
        answered += conversation.heard().iter().filter(|line| is_answer(line)).count();
        prop_assert_eq!(answered, accepted);
    }
}
