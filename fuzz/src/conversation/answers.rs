//! The lines that a client may get, and their numbers.

use noughts::protocol::{Command, InputLine, ParseError, Reply};

/// The protocol of a client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    Ugi,
    Uci,
    Gomocup,
    XBoard,
    Gtp,
}

const OWN: &[&str] = &[
    "go",
    "go trials %n",
    "go nodes %n",
    "go depth %n",
    "go movetime %n",
    "go wtime %n btime %n winc %n binc %n",
    "go movestogo %n wtime %n",
    "go infinite",
    "go ponder",
    "go ponder movetime %n",
    "go searchmoves %c %d",
    "go mate %n nodes %n",
    "go infinite trials %n",
    "position startpos",
    "position startpos moves %c",
    "position startpos moves %c %c",
    "position startpos moves %c %d %c",
    "position startpos moves %c %c %c %c %c",
    "position fen 3/3/3 x moves %c",
    "position fen xo1/1x1/3",
    "position fen xxx/oo1/3",
    "position fen 4/4/4/4 o",
    "position fen 3/1P1/3[PPPPpppp] b - - 0 1 moves P@%d",
    "position fen 2 4 3 XO2/4 X 2 moves %d",
    "position fen %n %n %n 3/3/3 x 1",
    "newgame",
    "ucinewgame",
    "stop",
    "wait",
    "isready",
    "quit",
    "ponderhit",
    "query p1turn",
    "query gameover",
    "query result",
    "query position",
    "query moves",
    "query line",
    "query fen",
    "query islegal %c",
    "query islegal %w",
    "d",
    "eval",
    "eval exact",
    "explain",
    "explain %c",
    "help",
    "ugi",
    "uci",
    "debug on",
    "gameover p1win",
    "setoption name size value %n",
    "setoption size 3",
    "setoption size 2",
    "setoption size 4",
    "setoption connect %n",
    "setoption reverse true",
    "setoption reverse false",
    "setoption player %w",
    "setoption level %n",
    "setoption trials %n",
    "setoption max_trials %n",
    "setoption score_current %n",
    "setoption score_other %n",
    "setoption seed %n",
    "setoption tiebreak %w",
    "setoption MultiPV %n",
    "setoption Hash %n",
    "setoption Threads %n",
    "setoption Move Overhead %n",
    "setoption name Move Overhead value %n",
    "setoption UCI_Variant %w",
    "setoption Debug Log File %w",
    "trace %w",
    "trace %w events %n",
    "trace %w trials %n",
    "# comment",
    "%w %w %w %n",
];

const OWN_WORDS: &[&str] = &[
    "auto",
    "perfect",
    "montecarlo",
    "montecarlolimit",
    "mcts",
    "random",
    "negamax",
    "alphabeta",
    "minimax",
    "first",
    "trap",
    "noughts",
    "tictactoe",
    "gomokufreestyle",
    "true",
    "go",
    "infinite",
    "position",
    "setoption",
    "value",
    "exact",
    "events",
    "\u{e9}",
    "\u{202e}",
];

const GOMOCUP: &[&str] = &[
    "START %n",
    "START 5",
    "START 15",
    "RECTSTART %n,%n",
    "RECTSTART 6,6",
    "RESTART",
    "BEGIN",
    "TURN %c",
    "BOARD",
    "%c,1",
    "%c,2",
    "%c,3",
    "DONE",
    "TAKEBACK %c",
    "ABOUT",
    "END",
    "INFO timeout_turn %n",
    "INFO timeout_match %n",
    "INFO time_left %n",
    "INFO max_memory %n",
    "INFO rule %n",
    "INFO game_type %n",
    "INFO player %w",
    "INFO trials %n",
    "INFO size %n",
    "INFO Move Overhead %n",
    "SWAP2BOARD",
    "YXSTOP",
    "board now",
    "begin %n",
];

const XBOARD: &[&str] = &[
    "new",
    "variant tictactoe",
    "variant %w",
    "variant noughts%n",
    "variant reverse%n",
    "usermove P@%d",
    "P@%d",
    "go",
    "force",
    "?",
    ".",
    "undo",
    "remove",
    "hint",
    "analyze",
    "exit",
    "post",
    "nopost",
    "ping %n",
    "level %n %n %n",
    "level 0 1:30 1",
    "st %n",
    "sd %n",
    "time %n",
    "otim %n",
    "memory %n",
    "cores %n",
    "option player=%w",
    "option connect=%n",
    "option trials=%n",
    "option Move Overhead=%n",
    "option size=%n",
    "setboard 3/1P1/3[PPPPpppp] b - - 0 1",
    "setboard 3/3/3 w",
    "setboard 4/4/4/4",
    "setboard P2/1P1/2P b",
    "quit",
    "result 1-0 {x}",
    "protover 2",
    "xboard",
    "accepted done",
    "easy",
    "hard",
    "draw",
    "random",
    "quit now",
    "ping x",
    "usermove %c",
    "%w",
];

const GTP: &[&str] = &[
    "%n boardsize %n",
    "boardsize 3",
    "boardsize 4 5",
    "boardsize %n %n",
    "clear_board",
    "play b %d",
    "%n play w %d",
    "play black C3",
    "play w pass",
    "play %w %w",
    "genmove b",
    "genmove w",
    "%n reg_genmove b",
    "undo",
    "showboard",
    "final_score",
    "komi 6.5",
    "time_settings %n %n %n",
    "time_settings 0 0.1 1",
    "time_left b %n %n",
    "time_left w -1 0",
    "name",
    "list_commands",
    "known_command %w",
    "gogui-analyze_commands",
    "gogui-interrupt",
    "# interrupt",
    "gogui-rules_board",
    "gogui-rules_legal_moves",
    "gogui-rules_final_result",
    "noughts-values",
    "noughts-visits",
    "noughts-line",
    "noughts-threats",
    "noughts-pairs",
    "noughts-explain",
    "noughts-connect %n",
    "noughts-reverse true",
    "noughts-player %w",
    "noughts-trials %n",
    "noughts-move_overhead %n",
    "quit",
    "%n quit now",
    "%n",
    "%w %w %n # %w",
];

impl Language {
    /// The lines with which the client begins.
    pub fn opening(self) -> &'static [&'static str] {
        match self {
            Language::Ugi => &["ugi"],
            Language::Uci => &["uci"],
            Language::Gomocup => &["START 5"],
            Language::XBoard => &["xboard", "protover 2"],
            Language::Gtp => &["protocol_version"],
        }
    }

    pub fn templates(self) -> &'static [&'static str] {
        match self {
            Language::Ugi | Language::Uci => OWN,
            Language::Gomocup => GOMOCUP,
            Language::XBoard => XBOARD,
            Language::Gtp => GTP,
        }
    }

    pub fn words(self) -> &'static [&'static str] {
        OWN_WORDS
    }
}

/// The questions of the client, and the lines that it has got.
pub struct Answers {
    language: Language,
    /// The beginning of a line.
    partial: Vec<u8>,
    /// Answers that must come, and that may come besides.
    due: usize,
    optional: usize,
    answers: usize,
    /// Questions of the own protocol that are no search: `isready`, `query` and handshakes.
    asked: [usize; 3],
    told: [usize; 3],
    /// The numbers of `ping` that are not answered.
    pings: Vec<String>,
    /// True if there was a command that is answered by free text.
    may_draw: bool,
    /// True if a line of Gomocup's board is next, or of a response of GTP.
    is_in_block: bool,
    has_quit: bool,
    was_refused: bool,
}

impl Answers {
    pub fn new(language: Language) -> Answers {
        Answers {
            language,
            partial: Vec::new(),
            due: 0,
            optional: 0,
            answers: 0,
            asked: [0; 3],
            told: [0; 3],
            pings: Vec::new(),
            may_draw: false,
            is_in_block: false,
            has_quit: false,
            was_refused: false,
        }
    }

    /// A line goes to the engine, which still takes commands if `is_open`.
    pub fn expect(&mut self, line: &InputLine, is_open: bool) {
        if line.is_silent() {
            return;
        }
        match self.language {
            Language::Ugi | Language::Uci => self.expect_own(line, is_open),
            _ if !is_open => {}
            Language::Gomocup => self.expect_gomocup(line),
            Language::XBoard => self.expect_xboard(line),
            Language::Gtp => self.expect_gtp(line),
        }
    }

    fn expect_own(&mut self, line: &InputLine, is_open: bool) {
        match line.command().expect("a line that is not silent") {
            Ok(Command::IsReady) => self.asked[0] += 1,
            _ if !is_open => {}
            Ok(Command::Go(_)) | Err(ParseError::Usage { command: "go", .. }) => self.due += 1,
            Ok(Command::Query(_)) => self.asked[1] += 1,
            Ok(Command::Handshake(_)) => self.asked[2] += 1,
            Ok(Command::ShowBoard | Command::Help | Command::Eval { .. } | Command::Explain(_)) => self.may_draw = true,
            Ok(Command::Quit) => self.has_quit = true,
            _ => {}
        }
    }

    fn expect_gomocup(&mut self, line: &InputLine) {
        let InputLine::Text(text) = line else {
            self.due += usize::from(!self.is_in_block);
            return;
        };
        let (word, rest) = text.split_once([' ', '\t']).unwrap_or((text, ""));
        match (self.is_in_block, word.to_ascii_lowercase().as_str()) {
            _ if text.eq_ignore_ascii_case("end") => self.has_quit = true,
            (true, "done") => {
                self.is_in_block = false;
                self.due += 1;
            }
            (true, _) => {}
            (false, "board") if rest.trim().is_empty() => self.is_in_block = true,
            (false, "info") => self.optional += 1,
            _ => self.due += 1,
        }
    }

    fn expect_xboard(&mut self, line: &InputLine) {
        let InputLine::Text(text) = line else { return };
        let (word, rest) = text.split_once([' ', '\t']).map_or((&text[..], ""), |(word, rest)| (word, rest.trim()));
        match word {
            "quit" if rest.is_empty() => self.has_quit = true,
            "ping" if rest.parse::<i64>().is_ok() => self.pings.push(rest.to_owned()),
            _ => {}
        }
    }

    /// Every line is a command until `quit` has had its turn. Lines before it may be refused, but not `quit` itself.
    fn expect_gtp(&mut self, line: &InputLine) {
        if self.has_quit {
            self.optional += 1;
            return;
        }
        self.due += 1;
        let InputLine::Text(text) = line else { return };
        let mut words: Vec<&str> = text.split('#').next().unwrap_or_default().split_ascii_whitespace().collect();
        if words.first().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit())) {
            words.remove(0);
        }
        self.has_quit = words == ["quit"];
    }

    /// Bytes come from the engine.
    pub fn take(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.partial.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                self.partial.pop();
                let line = String::from_utf8(std::mem::take(&mut self.partial)).expect("UTF-8");
                assert!(line.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{line:?} is not printable");
                // A client may say these words too, and then they are quoted.
                let said = ["info string error: ", "MESSAGE ", "# "].iter().find_map(|start| line.strip_prefix(start));
                assert!(!said.is_some_and(|said| said.starts_with("the search failed")), "{line}");
                match self.language {
                    Language::Ugi | Language::Uci => self.take_own(&line),
                    Language::Gomocup => self.take_gomocup(&line),
                    Language::XBoard => self.take_xboard(&line),
                    Language::Gtp => self.take_gtp(&line),
                }
            }
        }
    }

    fn take_own(&mut self, line: &str) {
        const REFUSED: &str = "too much waits behind an infinite search; refused until a stop: ";
        let Ok(reply) = line.parse::<Reply>();
        assert_eq!(reply.to_string(), line);
        match &reply {
            Reply::BestMove(_) => self.answers += 1,
            Reply::Error(text) if text.starts_with("go: ") => self.answers += 1,
            Reply::Error(text) if text.starts_with(REFUSED) => {
                self.was_refused = true;
                let command = text[REFUSED.len()..].trim_start_matches('"');
                self.answers += usize::from(["go ", "go\"", "go:"].iter().any(|start| command.starts_with(start)));
            }
            Reply::ReadyOk => self.told[0] += 1,
            Reply::Response(_) => self.told[1] += 1,
            Reply::HandshakeOk(_) => self.told[2] += 1,
            Reply::Text(text) => assert!(self.may_draw || text.starts_with("trace "), "{text:?}"),
            Reply::Analysis(_) => panic!("{line:?} is read as the lines of a drawing"),
            Reply::Id { .. } | Reply::Option { .. } | Reply::Info(_) | Reply::Note(_) | Reply::Error(_) => {}
        }
    }

    fn take_gomocup(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_move = line.split_once(',').is_some_and(|(x, y)| is_number(x) && is_number(y));
        match word {
            "MESSAGE" => assert!(!rest.is_empty()),
            "OK" => self.answers += usize::from(rest.is_empty()),
            "ERROR" | "UNKNOWN" => {
                self.answers += 1;
                self.was_refused |= rest.starts_with("too much waits");
            }
            _ if is_move || word == "name=\"Noughts\"," => self.answers += 1,
            _ => panic!("{line:?} is no line of the protocol"),
        }
    }

    /// A response begins with `=` or `?` and ends with a blank line. No two blank lines follow each other.
    fn take_gtp(&mut self, line: &str) {
        match (self.is_in_block, line) {
            (true, line) => self.is_in_block = !line.is_empty(),
            (false, line) => {
                assert!(line.starts_with(['=', '?']), "{line:?} is no response");
                self.answers += 1;
                self.was_refused |= line.contains(" too much waits behind a search; ");
                self.is_in_block = true;
            }
        }
    }

    fn take_xboard(&mut self, line: &str) {
        const STARTS: [&str; 15] = [
            "feature ",
            "move P@",
            "Illegal move",
            "Error (",
            "Hint: P@",
            "tellusererror Illegal position: ",
            "telluser The option connect",
            "# ",
            "1-0 {",
            "0-1 {",
            "1/2-1/2 {",
            "setup (",
            "piece P& @",
            "stat01: ",
            "pong ",
        ];
        if let Some(number) = line.strip_prefix("pong ") {
            assert!(!self.pings.is_empty(), "{line} without a ping");
            // A refused ping is left out.
            while self.pings.remove(0) != number {
                assert!(self.was_refused && !self.pings.is_empty(), "{line} is out of its turn");
            }
        }
        self.was_refused |= line.starts_with("Error (too much waits");
        let words: Vec<&str> = line.split(' ').collect();
        let is_thinking = words.len() >= 4 && words[..4].iter().all(|word| word.parse::<i64>().is_ok());
        let is_known = is_thinking || STARTS.iter().any(|start| line.starts_with(start));
        assert!(is_known, "{line:?} is no line of the protocol");
    }

    /// True if the client has said `quit`, and the engine has not refused it.
    pub fn has_quit(&self) -> bool {
        self.has_quit && !self.was_refused
    }

    /// The conversation is over.
    pub fn check(&self) {
        assert!(self.partial.is_empty(), "half a line at the end");
        let most = self.due + self.optional;
        assert!(self.answers <= most || self.was_refused, "{} answers to {most} questions", self.answers);
        if self.has_quit {
            return;
        }
        let is_own = matches!(self.language, Language::Ugi | Language::Uci);
        if is_own || !self.was_refused {
            assert!(self.answers >= self.due, "{} answers to {} questions", self.answers, self.due);
        }
        assert_eq!(self.told[0], self.asked[0], "readyok");
        assert!(self.was_refused || self.told == self.asked, "{:?} of {:?}", self.told, self.asked);
        assert!(self.was_refused || self.pings.is_empty(), "{:?} have no answer", self.pings);
    }
}
