//! Whatever is typed: the session lives, every accepted `go` has its answer, every line of output is one of ours.

mod common;

use common::Conversation;
use noughts::protocol::Reply;
use noughts::search::{Generator, Stream, below, generator};

const WORDS: &[&str] = &[
    "go",
    "position",
    "startpos",
    "fen",
    "moves",
    "setoption",
    "name",
    "value",
    "stop",
    "wait",
    "isready",
    "newgame",
    "query",
    "result",
    "moves",
    "line",
    "d",
    "eval",
    "help",
    "ugi",
    "uci",
    "gameover",
    "trials",
    "nodes",
    "depth",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "p2inc",
    "movestogo",
    "infinite",
    "size",
    "connect",
    "reverse",
    "player",
    "montecarlo",
    "perfect",
    "random",
    "auto",
    "tiebreak",
    "first",
    "seed",
    "score_current",
    "score_other",
    "MultiPV",
    "true",
    "false",
    "0",
    "1",
    "2",
    "3",
    "5",
    "20",
    "-1",
    "400",
    "1e9",
    "nan",
    "99999999999999999999",
    "0,0",
    "1,1",
    "2,2",
    "0,1",
    "b2",
    "a1",
    "c3",
    "t20",
    "9,9",
    "xo1/1x1/3",
    "3/3/3",
    "xxx/oo1/3",
    "2/2",
    "xo./.x./...",
    "x",
    "o",
    "#",
    "\t",
    "é",
    "\u{202e}",
    "\0",
    "\r",
    "{}",
    "p1turn",
    "gameover",
    "bestmove",
    "searchmoves",
    "ponder",
];

/// Lines that mean something, so that sessions get somewhere between the nonsense.
const SENSE: &[&str] = &[
    "go",
    "go trials 3",
    "go nodes 20",
    "go movetime 0",
    "go wtime 0 btime 0",
    "position startpos",
    "position startpos moves 1,1 0,0",
    "position startpos moves 0,0",
    "newgame",
    "stop",
    "isready",
    "query moves",
    "query result",
    "query line",
    "d",
    "eval",
    "setoption player montecarlo",
    "setoption player perfect",
    "setoption player auto",
    "setoption size 3",
    "setoption size 2",
    "setoption size 4",
    "setoption connect 2",
    "setoption connect 0",
    "setoption reverse true",
    "setoption reverse false",
    "setoption MultiPV 3",
    "setoption trials 5",
    "position fen xxx/oo1/3",
    "position fen xo1/1x1/3 o moves 2,2",
    "ugi",
    "uci",
    "go infinite",
    "go infinite trials 3",
];

struct Random(Generator);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        below(&mut self.0, bound as u32) as usize
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    /// A line of sense, of random words, of random bytes, or one of these with a byte changed.
    fn line(&mut self) -> Vec<u8> {
        let mut line = match self.below(10) {
            0..=4 => self.of(SENSE).as_bytes().to_vec(),
            5..=7 => {
                let words: Vec<&str> = (0..1 + self.below(8)).map(|_| self.of(WORDS)).collect();
                words.join(" ").into_bytes()
            }
            8 => (0..self.below(60)).map(|_| self.below(256) as u8).collect(),
            _ => format!("{} {}", self.of(SENSE), self.of(WORDS)).into_bytes(),
        };
        if self.below(5) == 0 && !line.is_empty() {
            let place = self.below(line.len());
            match self.below(3) {
                0 => line[place] = self.below(256) as u8,
                1 => line.truncate(place),
                _ => line.insert(place, self.below(128) as u8),
            }
        }
        // `quit` ends the session; it has tests of its own.
        line.retain(|&byte| byte != b'\n');
        if line.to_ascii_lowercase().windows(4).any(|word| word == b"quit") { b"stop".to_vec() } else { line }
    }
}

#[test]
fn a_hundred_thousand_random_lines_leave_as_many_answers_as_accepted_searches() {
    let mut random = Random(generator(2026, Stream::Go(1)));
    let mut conversation = Conversation::new();
    conversation.send("setoption seed 1\n");
    let (mut accepted, mut answered) = (0, 0);
    let mut sent = 0;
    while sent < 100_000 {
        // A few lines in one piece, as they come through a pipe, then whatever they are answered.
        for _ in 0..1 + random.below(6) {
            let line = random.line();
            if let Some(Ok(command)) = noughts::protocol::LineReader::default()
                .take(&mut [&line[..], b"\n"].concat().as_slice())
                .and_then(|line| line.command())
            {
                accepted += usize::from(command.to_string().starts_with("go"));
                // Searches of minutes are legal, but not here.
                let text = command.to_string();
                if text.starts_with("go") && text.split(' ').any(|word| word.len() > 4 && word.parse::<u64>().is_ok()) {
                    accepted -= 1;
                    continue;
                }
            }
            conversation.send_bytes(&line).send("\n");
            sent += 1;
        }
        conversation.send("stop\nisready\n");
        let lines = conversation.until_line("readyok");
        for line in &lines {
            let reply: Reply = line.parse().expect("every line is a reply");
            assert_eq!(reply.to_string(), *line, "every line reads back as itself");
            assert!(line.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{line:?}");
        }
        answered += lines.iter().filter(|line| line.starts_with("bestmove ")).count();
    }
    answered += conversation.until_idle().iter().filter(|line| line.starts_with("bestmove ")).count();
    assert!(accepted > 10_000, "{accepted}");
    assert_eq!(answered, accepted);
    assert_eq!(conversation.send("isready\n").until_idle(), ["readyok"]);
}
