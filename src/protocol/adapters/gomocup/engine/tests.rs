//! Both sides of conversations, line by line.

use proptest::prelude::*;

use super::*;
use crate::protocol::PositionCommand;

/// An adapter, and all that it has written to the engine.
struct EngineTalk {
    gomocup: GomocupEngine,
    said: String,
}

impl EngineTalk {
    fn new(size: u8) -> EngineTalk {
        let rules = Rules::new(size, 5, false).expect("rules within range");
        EngineTalk { gomocup: GomocupEngine::new(rules), said: String::new() }
    }

    /// A conversation in which `START` has been confirmed.
    fn started(size: u8) -> EngineTalk {
        let mut conversation = EngineTalk::new(size);
        conversation.say(&["newgame"]);
        conversation
    }

    fn say(&mut self, lines: &[&str]) -> Vec<String> {
        let mut text = String::new();
        for line in lines {
            self.gomocup.write_command(&line.parse().expect("a command"), &mut text);
            // The client waits for this before it goes on.
            if self.gomocup.awaited().is_some() {
                assert_eq!(self.hear("OK"), ["readyok"]);
            }
        }
        self.said.push_str(&text);
        text.lines().map(str::to_owned).collect()
    }

    /// Takes a line of the engine. Returns its meaning in our protocol.
    fn hear(&mut self, line: &str) -> Vec<String> {
        let mut replies = VecDeque::new();
        self.gomocup.read_line(InputLine::Text(line.to_owned()), &mut replies);
        replies.iter().map(EngineReply::to_string).collect()
    }

    /// Asks for a move in a position and gets one.
    fn ask(&mut self, position: &str, answer: &str) -> Vec<String> {
        let said = self.say(&[&format!("position {position}"), "go"]);
        self.hear(answer);
        said
    }
}

#[test]
fn an_engine_introduces_itself_by_its_answer_to_about() {
    for (answer, title) in [
        (r#"name="Brain", version="1.2", author="A", country="B""#, "id name Brain 1.2"),
        (r#"NAME = "A Brain""#, "id name A Brain"),
        ("name=Brain,version=3", "id name Brain 3"),
        ("name=", "id name "),
    ] {
        let mut conversation = EngineTalk::new(15);
        assert_eq!(conversation.say(&["ugi"]), ["ABOUT"]);
        assert_eq!(conversation.hear(answer), [title, "ugiok"]);
        assert!(conversation.say(&["isready"]).is_empty(), "it is asked once");
        assert_eq!(conversation.hear(answer), [format!("info string {answer}")]);
    }
}

#[test]
fn a_game_is_begun_and_then_told_move_by_move() {
    let mut conversation = EngineTalk::new(15);
    assert_eq!(conversation.say(&["newgame"]), ["START 15", "INFO max_memory 0", "INFO game_type 1", "INFO rule 0"]);
    assert!(conversation.say(&["newgame"]).is_empty(), "its board is still empty");
    assert_eq!(conversation.ask("startpos", "7,8"), ["BEGIN"]);
    assert_eq!(conversation.ask("startpos moves 8,7 0,14", "6,8"), ["TURN 14,0"]);
    assert_eq!(conversation.ask("startpos moves 8,7 0,14 8,6 1,14", "5,8"), ["TURN 14,1"]);
    assert_eq!(conversation.say(&["newgame"]), ["RESTART"]);
    assert_eq!(conversation.ask("startpos moves 3,4", "0,0"), ["TURN 4,3"]);
    assert_eq!(conversation.say(&["quit"]), ["END"]);
}

#[test]
fn what_an_engine_does_not_have_on_its_board_is_put_there() {
    let mut conversation = EngineTalk::started(15);
    assert_eq!(conversation.ask("startpos moves 0,1 0,2 3,4", "9,9"), ["BOARD", "1,0,2", "2,0,1", "4,3,2", "DONE"]);
    // The same engine in another game: by the protocol, a board with stones is cleared first.
    assert_eq!(conversation.ask("startpos moves 7,7 7,8", "9,9"), ["RESTART", "BOARD", "7,7,1", "8,7,2", "DONE"]);
    assert_eq!(conversation.ask("startpos moves 7,7 7,8 9,9 0,0", "1,1"), ["TURN 0,0"]);
    assert_eq!(conversation.ask("startpos", "7,7"), ["RESTART", "BEGIN"]);
}

#[test]
fn an_engine_gets_the_whole_board_after_an_invalid_answer() {
    for answer in ["7,7", "99,99", "-1,0", "pass"] {
        let mut conversation = EngineTalk::started(15);
        conversation.ask("startpos moves 7,7", answer);
        let said = conversation.ask("startpos moves 7,7 7,8 7,9", "0,0");
        assert_eq!(said[..2], ["RESTART", "BOARD"], "{answer}");
    }
}

#[test]
fn diagram_stones_alternate_and_the_last_is_the_opponents() {
    for (position, stones) in [
        ("fen xxo2/5/5/5/o4", &["0,0,1", "2,0,2", "1,0,1", "0,4,2"][..]),
        ("fen xx3/5/5/5/o4", &["0,0,2", "0,4,1", "1,0,2"]),
        ("fen x4/5/5/5/5 o moves 4,4", &["0,0,1", "4,4,2"]),
        ("fen oo3/5/5/5/x4", &["0,0,2", "0,4,1", "1,0,2"]),
    ] {
        let said = EngineTalk::started(5).ask(position, "4,4");
        let stones: Vec<&str> = ["BOARD"].into_iter().chain(stones.iter().copied()).chain(["DONE"]).collect();
        assert_eq!(said, stones, "{position}");
    }
}

#[test]
fn times_are_told_when_they_change() {
    let mut conversation = EngineTalk::started(15);
    let mut times = |lines: &[&str]| {
        let said = conversation.say(lines).into_iter().filter_map(|line| line.strip_prefix("INFO ").map(str::to_owned));
        let said = said.collect::<Vec<_>>().join(", ");
        conversation.hear("0,0");
        said
    };
    let unlimited = "timeout_turn 500, timeout_match 0, time_left 2147483647";
    assert_eq!(times(&["position startpos", "go movetime 500"]), unlimited);
    assert_eq!(times(&["position startpos", "go movetime 500"]), "");
    assert_eq!(times(&["position startpos", "go movetime 400"]), "timeout_turn 400");
    let clock = "go wtime 10000 btime 9000 winc 100 binc 100";
    let begun = "timeout_turn 9000, timeout_match 9000, time_left 9000";
    assert_eq!(times(&["newgame", "position startpos moves 1,1", clock]), begun);
    let clock = "go wtime 9500 btime 8700 winc 100 binc 100";
    assert_eq!(times(&["position startpos moves 1,1 2,2 3,3", clock]), "time_left 8700");
    assert_eq!(times(&["newgame", "position startpos", "go"]), "");
}

#[test]
fn options_are_told_as_they_are() {
    assert_eq!(
        EngineTalk::started(15).say(&["setoption name max_memory value 83886080"]),
        ["INFO max_memory 83886080"]
    );
}

#[test]
fn every_line_of_an_engine_has_its_meaning() {
    for (line, meaning) in [
        ("OK", None),
        ("", None),
        ("MESSAGE depth 3", Some("info string MESSAGE depth 3")),
        ("DEBUG error: none", Some("info string DEBUG error: none")),
        ("ERROR unsupported size", Some("info string error: unsupported size")),
        ("UNKNOWN RECTSTART", Some("info string error: UNKNOWN RECTSTART")),
        ("7,8", Some("bestmove 8,7")),
        ("07 , 8", Some("bestmove 8,7")),
        ("99,5", Some("bestmove 5,99")),
        ("b2", Some("bestmove \"b2\"")),
        ("-1,-1", Some("bestmove \"-1,-1\"")),
        ("7,8,1", Some("bestmove \"7,8,1\"")),
        ("name=x", Some("info string name=x")),
    ] {
        let mut conversation = EngineTalk::started(15);
        conversation.say(&["position startpos", "go"]);
        assert_eq!(conversation.hear(line), meaning.into_iter().collect::<Vec<_>>(), "{line}");
    }
    // When nothing is awaited, a line that is no word of the protocol is only for people.
    assert_eq!(EngineTalk::started(15).hear("Welcome!"), ["info string \"Welcome!\""]);
}

#[test]
fn bytes_that_are_no_text_stand_for_a_move_that_is_none() {
    let mut conversation = EngineTalk::started(15);
    conversation.say(&["position startpos", "go"]);
    let mut replies = VecDeque::new();
    conversation.gomocup.read_line(InputLine::NotText(Excerpt::of_bytes(b"\xff\xfe")), &mut replies);
    let line = InputLine::Text("bestmove \"\\xff\\xfe\"".to_owned());
    assert_eq!(replies, [EngineReply::BestMove { best_move: None, line }]);
}

#[test]
fn a_move_without_a_question_changes_nothing_that_is_known() {
    let mut conversation = EngineTalk::started(15);
    conversation.ask("startpos", "7,7");
    conversation.say(&["position startpos moves 7,7 0,0"]);
    assert_eq!(conversation.hear("5,5"), ["info string 5,5 without a question"]);
    assert_eq!((conversation.gomocup.take_stale(), conversation.gomocup.take_stale()), (1, 0));
    conversation.say(&["go"]);
    assert_eq!(conversation.hear("6,6"), ["bestmove 6,6"]);
    assert_eq!(conversation.ask("startpos moves 7,7 0,0 6,6 1,1", "2,2"), ["TURN 1,1"]);
    assert_eq!(conversation.gomocup.take_stale(), 0);
}

#[test]
fn a_move_said_before_a_new_game_is_confirmed_is_stale() {
    let mut conversation = EngineTalk::started(15);
    conversation.say(&["position startpos", "go"]);
    let mut text = String::new();
    conversation.gomocup.write_command(&Command::NewGame, &mut text);
    assert_eq!((text.as_str(), conversation.gomocup.awaited()), ("RESTART\n", Some(RESTART)));
    assert_eq!(conversation.hear("7,7"), ["info string 7,7 without a question"]);
    assert_eq!(conversation.hear("OK"), ["readyok"]);
    assert!(conversation.hear("OK").is_empty() && conversation.gomocup.awaited().is_none());
    assert_eq!(conversation.ask("startpos", "8,8"), ["BEGIN"]);
    assert_eq!(conversation.gomocup.take_stale(), 1);
}

#[test]
fn the_last_move_said_once_more_is_the_answer_only_in_the_end() {
    let mut conversation = EngineTalk::started(15);
    conversation.ask("startpos", "7,8");
    conversation.say(&["position startpos moves 8,7 0,0", "go"]);
    assert_eq!(conversation.gomocup.last_resort(), None);
    assert_eq!(conversation.hear("7,8"), ["info string 8,7 once more"]);
    assert_eq!(conversation.hear("6,6"), ["bestmove 6,6"]);
    assert_eq!((conversation.gomocup.take_stale(), conversation.gomocup.last_resort()), (1, None));
    conversation.say(&["position startpos moves 8,7 0,0 6,6 1,1", "go"]);
    conversation.hear("6,6");
    let answer = Some(EngineReply::from(Reply::BestMove(Some(MoveText::RowColumn(6, 6)))));
    assert_eq!((conversation.gomocup.take_stale(), conversation.gomocup.last_resort()), (0, answer));
    // On another board the same square is a move like any other.
    assert_eq!(conversation.say(&["position startpos", "go"]), ["RESTART", "BEGIN"]);
    assert_eq!(conversation.hear("6,6"), ["bestmove 6,6"]);
}

/// The board of an engine that obeys its commands and does nothing else.
#[derive(Default)]
struct Brain {
    own: Vec<String>,
    other: Vec<String>,
    fields: bool,
}

impl Brain {
    fn hear(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "RESTART" => *self = Brain::default(),
            "BEGIN" => assert!(self.own.is_empty() && self.other.is_empty(), "BEGIN is for an empty board"),
            "TURN" => self.other.push(rest.to_owned()),
            "BOARD" => {
                assert!(self.own.is_empty() && self.other.is_empty(), "BOARD is for an empty board");
                self.fields = true;
            }
            "DONE" => self.fields = false,
            _ if self.fields => {
                let (cell, field) = line.rsplit_once(',').expect("x,y,field");
                let side = if field == "1" { &mut self.own } else { &mut self.other };
                side.push(cell.to_owned());
            }
            _ => {}
        }
    }
}

proptest! {
    #[test]
    fn every_request_leaves_the_position_on_the_board_of_the_engine(
        games in prop::collection::vec((0..40_usize, any::<bool>(), any::<u64>()), 1..20),
    ) {
        let mut conversation = EngineTalk::started(8);
        let rules = conversation.gomocup.rules;
        let mut brain = Brain::default();
        let mut moves: Vec<Cell> = Vec::new();
        for (length, goes_on, seed) in games {
            // Either the game goes on by a move of the opponent, or it is another game.
            if !goes_on || moves.is_empty() {
                moves.clear();
                let mut cells: Vec<Cell> = Cell::all(8).collect();
                for ply in 0..length {
                    let place = (seed.rotate_left(ply as u32) % cells.len() as u64) as usize;
                    moves.push(cells.swap_remove(place));
                }
            } else if let Some(cell) = Cell::all(8).find(|cell| !moves.contains(cell)) {
                moves.push(cell);
            }
            let texts: Vec<MoveText> = moves.iter().map(|&cell| cell.into()).collect();
            let Ok(mut position) = Position::reach(rules, None, &texts) else { moves.clear(); continue };
            if position.outcome().is_some() { moves.clear(); continue }
            let line = PositionCommand { moves: texts, ..PositionCommand::default() }.to_string();
            conversation.say(&[&line, "go"]).iter().for_each(|line| brain.hear(line));
            for (stones, player) in [(&mut brain.own, position.side()), (&mut brain.other, !position.side())] {
                stones.sort();
                let mut expected: Vec<String> = position.stones(player).iter().map(|cell| Coordinates::from(cell).to_string()).collect();
                expected.sort();
                prop_assert_eq!(&*stones, &expected);
            }
            let Some(cell) = position.moves().last() else { continue };
            conversation.hear(&Coordinates::from(cell).to_string());
            brain.own.push(Coordinates::from(cell).to_string());
            prop_assert!(position.play(cell).is_ok());
            moves.push(cell);
            if position.outcome().is_some() { moves.clear(); }
        }
    }
}
