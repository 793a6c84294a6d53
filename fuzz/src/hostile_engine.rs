//! A hostile engine talks to the client: a request ends with an answer to it, or with a failure that can be printed.
//!
//! The engine is no process but a script, which reads what the client writes. So it can give the right answer where the
//! script says so, and get further than one that only talks.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use noughts::client::{
    Client, Connection, EngineProtocol, EngineSetup, Failure, Interrupt, MoveRequest, MoveResponse, OrphanKiller,
    RunContext,
};
use noughts::game::{Position, Rules};
use noughts::protocol::{Command, EngineReply, InputLine, LineReader, Reply};
use noughts::text::is_line;

use super::input::Input;
use super::script::{self, Step};

/// Lines of engines, in every protocol.
const SAID: &[&str] = &[
    "bestmove %c",
    "bestmove P@%d",
    "bestmove %d ponder %d",
    "bestmove (none)",
    "bestmove",
    "bestmove 0000",
    "readyok",
    "ugiok",
    "uciok",
    "id name %w",
    "id name Game mnk %w",
    "id author %w",
    "option name %w type spin default %n min %n max %n",
    "option name Hash type spin default 1 min 1 max 100",
    "option name %w type combo default %w var %w var %w",
    "option name %w type check default true",
    "option name %w type string default %w",
    "option name UCI_Variant type combo default chess var chess var %w",
    "option name VariantPath type string default",
    "option name %w type button",
    "option name %w type combo var %w default %w",
    "option name size type spin default 3 min 1 max 20",
    "info depth %n score cp %n nodes %n pv %c",
    "info multipv %n score mate %n value %n pv %c %c",
    "info string %w",
    "info string error: %w",
    "info error %w",
    "info value %n trials %n total %n",
    "Unknown command: %w",
    "No such option: %w",
    "OK",
    "ERROR %w",
    "UNKNOWN %w",
    "MESSAGE %w",
    "DEBUG %w",
    "%c",
    "%n,%n",
    "name=\"%w\", version=\"%n\"",
    "name=%w",
    "response %w",
    "trace %w %n",
    "%w",
    "error %w",
    "readyok and more",
    "=%n %d",
    "= %d",
    "=%n 2",
    "?%n %w",
    "=",
    "",
    "noughts-%w",
];

const WORDS: &[&str] = &[
    "seed",
    "size",
    "connect",
    "reverse",
    "Hash",
    "Threads",
    "UCI_Variant",
    "VariantPath",
    "tictactoe",
    "noughts",
    "true",
    "3",
    "value",
    "type",
    "\u{1b}[2J",
    "\u{202e}x",
    "\u{9b}",
    "\u{7f}",
    "a,b",
    "\"",
    "bestmove",
    "<empty>",
    "pass",
    "genmove",
];

/// Options that are set.
const SETS: &[&[(&str, &str)]] = &[&[], &[("Hash", "1")], &[("seed", "7")], &[("VariantPath", "/none"), ("size", "x")]];

/// What an engine of GTP lists.
const GTP_COMMANDS: &str = "boardsize\nclear_board\nplay\ngenmove\ntime_settings\ntime_left\ngogui-interrupt\nnoughts-connect\n\
                            noughts-reverse\nnoughts-seed\nnoughts-hash";

/// Requests in a series.
const MOST_REQUESTS: usize = 4;

pub fn law(data: &[u8]) {
    let mut input = Input::new(data);
    let word = *input.choose(&["noughts", "uci", "gomocup", "ugi", "gtp"]);
    let protocol = EngineProtocol::named(word).expect("a protocol");
    let rules = match word {
        "gomocup" => Rules::new(*input.choose(&[5, 6, 15]), 5, false),
        _ => Rules::new(*input.choose(&[3, 3, 15, 4]), *input.choose(&[0, 0, 5, 3]), input.is_below(32)),
    };
    let rules = rules.expect("rules within range");
    let set = *input.choose(SETS);
    let setup = Arc::new(EngineSetup {
        name: "hostile".to_owned(),
        command: "hostile".to_owned(),
        program: "hostile".into(),
        arguments: Vec::new(),
        folder: None,
        protocol,
        options: set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        restart: false,
        connector: None,
    });
    // Where time matters it is so short that waiting for its end costs nothing.
    let limit = *input.choose(&[Duration::from_secs(3600), Duration::from_micros(100)]);
    let plan: Vec<u8> = (0..input.below(8)).map(|_| input.byte()).collect();
    let context = RunContext {
        interrupt: Arc::new(Interrupt::new().expect("a pipe")),
        orphan_killer: Arc::new(OrphanKiller::none()),
        log: None,
        start_limit: Duration::from_secs(3600),
    };
    let talk = Talk::default();
    let engine = Engine {
        talk: talk.clone(),
        reader: LineReader::default(),
        steps: steps(input),
        owed: VecDeque::new(),
        rest: VecDeque::new(),
    };
    match Client::connect(Box::new(engine), &setup, rules, &context) {
        Ok(client) => play(client, rules, limit, &plan, &talk, protocol),
        Err(error) => assert!(is_line(&error.to_string()), "{:?}", error.to_string()),
    }
    written_well(&talk.get().written, protocol);
}

/// The lines of both sides.
#[derive(Clone, Default)]
struct Talk(Arc<Mutex<Said>>);

#[derive(Default)]
struct Said {
    /// The lines of the engine that the client has taken.
    lines: Vec<InputLine>,
    /// Those of the client.
    written: Vec<String>,
}

impl Talk {
    fn get(&self) -> MutexGuard<'_, Said> {
        self.0.lock().expect("one thread")
    }
}

fn steps(mut input: Input<'_>) -> VecDeque<Step> {
    let mut steps = VecDeque::new();
    while !input.is_empty() {
        steps.push_back(script::next(&mut input, SAID, WORDS));
    }
    steps
}

/// An engine that follows a script.
struct Engine {
    talk: Talk,
    reader: LineReader,
    steps: VecDeque<Step>,
    /// The right answers that it has not given.
    owed: VecDeque<String>,
    /// Lines of the answer that it has begun.
    rest: VecDeque<String>,
}

impl Engine {
    fn say(&mut self, line: &[u8]) -> InputLine {
        let mut bytes = &[line, b"\n"].concat()[..];
        let line = LineReader::default().take(&mut bytes).expect("a line");
        self.talk.get().lines.push(line.clone());
        line
    }

    /// Owes the right answer to a line of the client.
    fn read(&mut self, line: &str) {
        self.talk.get().written.push(line.to_owned());
        if let Some((number, command)) = line.split_once(' ')
            && number.parse::<u64>().is_ok()
        {
            let answer = match command {
                "protocol_version" => "2",
                "list_commands" => GTP_COMMANDS,
                "genmove b" | "genmove w" => "B2",
                _ => "",
            };
            return self.owed.push_back(format!("={number} {answer}\n"));
        }
        let answers: &[&str] = match line.split(' ').next().unwrap_or_default() {
            "ugi" => &["id name Engine 1", "option name seed type spin default 0 min 0 max 2147483647", "ugiok"],
            "uci" => &["id name Engine 1", "option name UCI_Variant type combo default chess var tictactoe", "uciok"],
            "isready" => &["readyok"],
            "go" => &["bestmove b2"],
            "ABOUT" => &["name=\"Engine\", version=\"1\""],
            "START" | "RESTART" => &["OK"],
            "BEGIN" | "TURN" | "DONE" => &["2,2"],
            _ => &[],
        };
        self.owed.extend(answers.iter().map(|&answer| answer.to_owned()));
    }

    /// The next line of the script, if the engine says it before `deadline`.
    fn next(&mut self, deadline: Instant) -> Result<Option<InputLine>, Failure> {
        if let Some(line) = self.rest.pop_front() {
            return Ok(Some(self.say(line.as_bytes())));
        }
        while let Some(step) = self.steps.pop_front() {
            match step {
                Step::Line(line) => return Ok(Some(self.say(&line))),
                Step::Event(event) => match event % 8 {
                    1 => {
                        // A short time is waited for, for a client whose time is not up may not hear that it is.
                        let left = deadline.saturating_duration_since(Instant::now());
                        thread::sleep(Some(left).filter(|left| *left < Duration::from_millis(1)).unwrap_or_default());
                        return Ok(None);
                    }
                    2 => return Err(Failure::Gone { exit: None, last_words: None }),
                    // These stand before what comes without being waited for.
                    3 | 4 => {}
                    _ => {
                        if let Some(answer) = self.owed.pop_front() {
                            let mut lines = answer.split('\n').map(str::to_owned);
                            let first = lines.next().unwrap_or_default();
                            self.rest.extend(lines);
                            return Ok(Some(self.say(first.as_bytes())));
                        }
                    }
                },
            }
        }
        Ok(None)
    }
}

impl Connection for Engine {
    fn write(
        &mut self,
        bytes: &mut &[u8],
        deadline: Instant,
        arrived: &mut VecDeque<InputLine>,
    ) -> Result<(), Failure> {
        let taken = bytes.len().min(100);
        let mut taken_bytes = &bytes[..taken];
        while !taken_bytes.is_empty() {
            if let Some(line) = self.reader.take(&mut taken_bytes) {
                self.read(&line.to_string());
            }
        }
        *bytes = &bytes[taken..];
        if matches!(self.steps.front(), Some(Step::Event(event)) if event % 8 == 3) {
            self.steps.pop_front();
            arrived.extend(self.next(deadline)?);
        }
        Ok(())
    }

    fn next_line(&mut self, deadline: Instant) -> Result<Option<InputLine>, Failure> {
        self.next(deadline)
    }

    fn arrived_line(&mut self) -> Result<Option<InputLine>, Failure> {
        if !matches!(self.steps.front(), Some(Step::Event(event)) if event % 8 == 4) {
            return Ok(None);
        }
        self.steps.pop_front();
        self.next(Instant::now())
    }

    fn close(&mut self) {}

    fn end(self: Box<Self>, _: Instant) {}
}

/// Plays a game with the engine, as the plan says.
fn play(mut client: Client, rules: Rules, limit: Duration, plan: &[u8], talk: &Talk, protocol: EngineProtocol) {
    let mut position = Position::start(rules);
    let mut line = "position startpos".to_owned();
    for &what in plan {
        let request = MoveRequest {
            position: &line,
            go: if what & 16 == 0 { "go nodes 10" } else { "go movetime 50 searchmoves 0,0" },
            limit,
            wants_info: what & 64 > 0,
        };
        let before = talk.get().lines.len();
        let failure = match what % 8 {
            0 => {
                client.begin_game(3);
                (position, line) = (Position::start(rules), "position startpos".to_owned());
                None
            }
            1 => client.get_ready().err(),
            2 => {
                let requests = [request; MOST_REQUESTS];
                let mut responses = Vec::new();
                let order = client.request_series(&requests, |response| responses.push(response));
                responses.iter().for_each(|response| answered(response, talk, before, protocol));
                match order {
                    Ok(_) => assert_eq!(responses.len(), requests.len()),
                    Err(ref failed) => {
                        assert!(responses.len() <= requests.len());
                        assert!(failed.request <= responses.len().max(requests.len() - 1));
                    }
                }
                order.err().map(|failed| failed.failure)
            }
            _ => match client.request_move(request) {
                Ok(response) => {
                    answered(&response, talk, before, protocol);
                    let next = response.best_move.and_then(|written| position.legal_move(written).ok());
                    if let Some(cell) = next {
                        position = position.after(cell);
                        line += &format!("{} {cell}", if line.contains("moves") { "" } else { " moves" });
                    }
                    // A game goes on while there is a move, and begins anew after that.
                    if position.outcome().is_some() {
                        client.begin_game(4);
                        (position, line) = (Position::start(rules), "position startpos".to_owned());
                    }
                    None
                }
                Err(failure) => Some(failure),
            },
        };
        if let Some(failure) = failure {
            assert!(is_line(&failure.to_string()), "{failure}");
            // Only an engine that was late may go on.
            if !matches!(failure, Failure::Late { answered: Some(_), .. }) {
                break;
            }
        }
    }
    Client::quit([client]);
}

/// A response is one of the lines that came for the request, and not before the engine was ready for it.
fn answered(response: &MoveResponse, talk: &Talk, before: usize, protocol: EngineProtocol) {
    let said = talk.get();
    let lines = &said.lines[before..];
    assert!(response.stale as usize <= said.lines.len());
    if let Some(error) = &response.error {
        assert!(!error.contains('\n'));
    }
    if protocol == EngineProtocol::Gomocup {
        let is_from = |line: &InputLine| match response.best_move {
            // The line as it came begins with the column.
            Some(_) => line.to_string().contains(','),
            None => true,
        };
        return assert!(lines.iter().any(is_from), "{response:?} was not said");
    }
    if protocol == EngineProtocol::Gtp {
        let is_from = |line: &InputLine| match response.best_move {
            Some(_) => line.to_string().starts_with('='),
            None => line.to_string().trim_start_matches('"').starts_with(['=', '?']),
        };
        return assert!(lines.iter().any(is_from), "{response:?} was not said");
    }
    let ready = lines
        .iter()
        .position(|line| matches!(EngineReply::read(line.clone(), true), Some(EngineReply::Reply(Reply::ReadyOk))));
    let ready = ready.expect("an answer before the engine was ready");
    assert!(lines[ready..].contains(&response.line), "{response:?} was not said");
    let read = EngineReply::read(response.line.clone(), false);
    assert!(matches!(read, Some(EngineReply::BestMove { best_move, .. }) if best_move == response.best_move));
}

/// The lines that the client has written are commands of the protocol.
fn written_well(written: &[String], protocol: EngineProtocol) {
    const GOMOCUP: [&str; 8] = ["ABOUT", "START", "RESTART", "INFO", "BEGIN", "TURN", "BOARD", "DONE"];
    assert!(written.len() < 10_000);
    let mut numbers = 0_u64;
    for line in written {
        let word = line.split(' ').next().unwrap_or_default();
        if protocol == EngineProtocol::Gomocup {
            let is_stone = line.bytes().all(|byte| byte == b',' || byte.is_ascii_digit());
            assert!(GOMOCUP.contains(&word) || word == "END" || is_stone, "{line:?}");
        } else if protocol == EngineProtocol::Gtp {
            let (number, command) = line.split_once(' ').expect("a number");
            // A command of the game or of an option is written as the engine lists it.
            let is_numbered = number.parse() == Ok(numbers + 1);
            numbers += u64::from(is_numbered);
            assert!(line == "# interrupt" || is_numbered && !command.contains(char::is_control), "{line:?}");
        } else if let Some(game) = line.strip_prefix("position ").filter(|_| protocol == EngineProtocol::Ugi) {
            // The game may stand before the start position.
            let start = game.find("startpos").expect("moves from the start");
            assert!(game[..start].bytes().all(|byte| byte == b' ' || byte.is_ascii_digit()), "{line:?}");
            assert!(format!("position {}", &game[start..]).parse::<Command>().is_ok(), "{line:?}");
        } else {
            assert!(line.parse::<Command>().is_ok(), "{line:?}");
        }
    }
}
