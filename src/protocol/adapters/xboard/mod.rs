//! The Chess Engine Communication Protocol, version 2, of XBoard and WinBoard.
//!
//! The source is "Chess Engine Communication Protocol" (Tim Mann and H. G. Muller, 1999 to 2016). Games are variants of
//! which XBoard learns all it has to know: a stone is a piece that is dropped on an empty square and never moves. XBoard
//! does not know what ends such a game, so the engine claims the result, whoever has made the last move.
//!
//! | file | what it holds |
//! |---|---|
//! | `xboard.rs` | the state machine |
//! | `xboard/board.rs` | the games, and how their moves are written |
//! | `xboard/clock.rs` | what is said of time |
//! | `xboard/words.rs` | features, options, thinking and results in XBoard's words |

mod board;
mod clock;
mod words;

use crate::protocol::{Command, GoCommand, Handshake, Info, Line, PositionCommand, Query, Reply, fen};
use crate::text::Excerpt;
use noughts_core::game::{Diagram, DiagramRow, MoveText, Player};
use noughts_core::search::Limits;

use super::inquiry::Inquiry;
use super::{Dialect, Speech, options};

use board::Board;
use clock::TimeControl;

/// The dialect; see the module.
pub struct XBoard {
    board: Board,
    game: Game,
    mode: Mode,
    time: TimeControl,
    /// Whether thinking is shown.
    posts: bool,
    awaited: Awaited,
    /// The position is to be analysed, and is not yet.
    analysis_is_due: bool,
}

/// The game so far.
#[derive(Clone)]
struct Game {
    /// Where it began, if not on the empty board.
    start: Option<Diagram>,
    moves: Vec<MoveText>,
    /// What the session says of the position that this leads to.
    side: Option<Player>,
    /// The claim to be made, if it is over.
    claim: Option<String>,
}

/// The empty board.
impl Default for Game {
    fn default() -> Game {
        Game { start: None, moves: Vec::new(), side: Some(Player::X), claim: None }
    }
}

/// What the engine does on its own account.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Nothing.
    Force,
    /// It moves for this side.
    Plays(Player),
    Analysis,
}

/// What the session is to answer.
enum Awaited {
    Nothing,
    /// The options, one after the other.
    Introduction,
    /// Whether an option is taken, with the command that sets it.
    Option(Inquiry, String),
    /// What is to be said of another position.
    Position(Inquiry, Box<Game>, Origin),
    /// A move, with the last that was said about it.
    Search(Purpose, Box<Info>),
}

/// How a position has come about.
#[derive(Clone, PartialEq, Eq)]
enum Origin {
    /// By a new game, or by taking back.
    Command,
    SetBoard,
    /// By a move of the client, as it was written.
    Move(String),
    /// By a move of the engine.
    OwnMove,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Move,
    Hint,
    Analysis,
    /// None any more: what comes of it is dropped.
    Dropped,
}

/// How long a hint may take, in milliseconds.
const HINT_MS: u64 = 1000;

/// As good as for ever, in milliseconds; a search that can be proven ends nevertheless, and tells.
const ANALYSIS_MS: u64 = 1 << 40;

impl Default for XBoard {
    fn default() -> XBoard {
        XBoard {
            board: Board::FIRST,
            game: Game::default(),
            mode: Mode::Plays(Player::O),
            time: TimeControl::default(),
            posts: false,
            awaited: Awaited::Nothing,
            analysis_is_due: false,
        }
    }
}

impl Dialect for XBoard {
    fn at_once(&mut self, line: &Line, speech: &mut Speech) -> bool {
        let Line::Text(text) = line else { return false };
        let (word, rest) = words_of(text);
        if takes_nothing(word) && !rest.is_empty() {
            return false;
        }
        if word == "quit" {
            speech.command(Command::Quit);
            return true;
        }
        let Awaited::Search(purpose, info) = &self.awaited else { return false };
        match (word, *purpose) {
            ("?", Purpose::Move | Purpose::Hint) => speech.command(Command::Stop),
            (".", Purpose::Analysis) => speech.line(words::state(info)),
            ("?" | ".", _) => {}
            // An analysis makes room for anything, and is taken up again.
            (_, Purpose::Analysis) => {
                self.analysis_is_due = true;
                self.drop_search();
                speech.command(Command::Stop);
                return false;
            }
            // Everything else waits for the move, so that a script which is piped in is answered like one that is typed.
            ("new" | "force" | "exit" | "result", Purpose::Move | Purpose::Hint) => {
                self.drop_search();
                speech.command(Command::Stop);
                return false;
            }
            _ => return false,
        }
        true
    }

    fn hear(&mut self, line: &Line, speech: &mut Speech) {
        let text = match line {
            Line::Text(text) => text.as_str(),
            Line::NotText(excerpt) | Line::TooLong(excerpt) => {
                return speech.line(format_args!("Error (no line of text that can be read): {excerpt}"));
            }
        };
        let (word, rest) = words_of(text);
        if let Err(problem) = self.obey(word, rest, speech) {
            speech.line(format_args!("Error ({problem}): {}", Excerpt::of(text)));
        }
        self.take_up_analysis(speech);
    }

    fn reply(&mut self, reply: Reply, speech: &mut Speech) {
        match std::mem::replace(&mut self.awaited, Awaited::Nothing) {
            Awaited::Nothing => {}
            Awaited::Introduction => match reply {
                Reply::HandshakeOk(_) => {
                    speech.line("feature done=1");
                    self.take_up_analysis(speech);
                }
                reply => {
                    if let Reply::Option { name, kind } = reply
                        && let Some(feature) = words::option_feature(&name, &kind)
                    {
                        speech.line(feature);
                    }
                    self.awaited = Awaited::Introduction;
                }
            },
            Awaited::Option(mut inquiry, line) => match inquiry.hear(reply) {
                None => self.awaited = Awaited::Option(inquiry, line),
                Some(found) => {
                    match found.error {
                        Some(error) => speech.line(format_args!("Error ({error}): {}", Excerpt::of(&line))),
                        None => self.follow(&found.answers.concat(), speech),
                    }
                    self.take_up_analysis(speech);
                }
            },
            Awaited::Position(mut inquiry, game, origin) => match inquiry.hear(reply) {
                None => self.awaited = Awaited::Position(inquiry, game, origin),
                Some(found) => {
                    self.arrive(found, *game, origin, speech);
                    self.take_up_analysis(speech);
                }
            },
            Awaited::Search(purpose, info) => self.hear_search(purpose, info, reply, speech),
        }
    }

    fn refuse(&mut self, line: &Line, speech: &mut Speech) {
        speech.line(format_args!("Error (too much waits behind a search): {}", line.excerpt()));
    }

    fn is_busy(&self) -> bool {
        !matches!(self.awaited, Awaited::Nothing)
    }

    fn end_of_input(&mut self, speech: &mut Speech) {
        if let Awaited::Search(Purpose::Analysis, _) = self.awaited {
            self.mode = Mode::Force;
            self.drop_search();
            speech.command(Command::Stop);
        }
    }
}

/// The first word of a line, and what follows.
fn words_of(text: &str) -> (&str, &str) {
    text.split_once([' ', '\t']).map_or((text, ""), |(word, rest)| (word, rest.trim()))
}

/// Whether nothing may follow this command.
fn takes_nothing(word: &str) -> bool {
    matches!(
        word,
        "new"
            | "quit"
            | "force"
            | "go"
            | "?"
            | "."
            | "undo"
            | "remove"
            | "hint"
            | "post"
            | "nopost"
            | "analyze"
            | "exit"
    )
}

impl XBoard {
    /// Carries out a command in its turn.
    fn obey(&mut self, word: &str, rest: &str, speech: &mut Speech) -> Result<(), String> {
        let number = |read: Option<()>| read.ok_or_else(|| format!("{word} cannot be read; nothing is changed"));
        match word {
            _ if takes_nothing(word) && !rest.is_empty() => {
                return Err(format!("{word} stands alone; nothing is changed"));
            }
            "xboard" => self.tell_game(speech),
            "accepted" | "rejected" | "random" | "computer" | "name" | "rating" | "ics" | "easy" | "hard" | "draw"
            | "bk" | "pause" | "resume" => {}
            // There is no search to be ended, or to be told of.
            "?" | "." => {}
            "protover" => {
                self.tell_game(speech);
                speech.line(words::features());
                speech.command(Command::Handshake(Handshake::Uci));
                self.awaited = Awaited::Introduction;
            }
            "ping" if rest.parse::<i64>().is_err() => return Err("expected a whole number".to_owned()),
            "ping" => speech.line(format_args!("pong {rest}")),
            "post" => self.posts = true,
            "nopost" => self.posts = false,
            "level" => number(self.time.read_level(rest))?,
            "st" => number(self.time.read_move_time(rest))?,
            "sd" => number(self.time.read_depth(rest))?,
            "time" => number(self.time.read_left(0, rest))?,
            "otim" => number(self.time.read_left(1, rest))?,
            "memory" => self.set_option("Hash", rest, &format!("{word} {rest}"), speech),
            "cores" => self.set_option("Threads", rest, &format!("{word} {rest}"), speech),
            "option" => {
                let (name, value) = rest.split_once('=').ok_or("expected NAME=VALUE; nothing is changed")?;
                match options::named(name) {
                    None => return Err("there is no such option; nothing is changed".to_owned()),
                    Some(name) if words::is_chosen_by_variant(name) => {
                        return Err("the game is chosen by variant; nothing is changed".to_owned());
                    }
                    Some(name) => self.set_option(name, value, &format!("{word} {rest}"), speech),
                }
            }
            "new" => self.begin(speech),
            "variant" => {
                self.board = Board::named(rest).ok_or("there is no such variant; nothing is changed")?;
                speech.line(self.board.set_up());
                self.begin(speech);
            }
            "setboard" => {
                let start = Some(fen(rest).ok_or("expected a board such as 3/1P1/3 b; nothing is changed")?);
                self.put_up(Game { start, ..Game::default() }, Origin::SetBoard, speech);
            }
            "force" | "result" | "exit" => self.mode = Mode::Force,
            "go" => {
                self.mode = Mode::Plays(self.game.side.unwrap_or(Player::X));
                self.move_or_claim(speech);
            }
            "analyze" => {
                self.mode = Mode::Analysis;
                self.analysis_is_due = true;
            }
            "hint" if self.game.claim.is_some() => return Err("the game is over".to_owned()),
            "hint" => {
                let limits = Limits { move_time: Some(HINT_MS), ..Limits::default() };
                self.search(Purpose::Hint, limits, speech);
            }
            "undo" => self.take_back(1, speech)?,
            "remove" => self.take_back(2, speech)?,
            "usermove" => self.play(rest, speech),
            _ if self.board.read(word).is_some() && rest.is_empty() => self.play(word, speech),
            _ => return Err("unknown command".to_owned()),
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: &str, line: &str, speech: &mut Speech) {
        let option = Command::SetOption { name: name.to_owned(), value: value.trim().to_owned() };
        self.awaited = Awaited::Option(Inquiry::begin([option], &[Query::Position], speech), line.to_owned());
    }

    /// Goes on from `position`, which the session has after an option was set. It is the same as before, or the empty
    /// board of another game.
    fn follow(&mut self, position: &str, speech: &mut Speech) {
        // What has been found with the old options need not hold with the new ones.
        self.analysis_is_due = self.mode == Mode::Analysis;
        if !self.is_at_its_beginning() && position == self.board.empty().to_string() {
            self.game = Game::default();
            if let Mode::Plays(_) = self.mode {
                self.mode = Mode::Plays(Player::O);
            }
            speech.line("telluser The option connect begins a new game, on the empty board.");
        }
    }

    /// Whether the board is empty and X is to move.
    fn is_at_its_beginning(&self) -> bool {
        let is_empty = |row: &DiagramRow| row.stones.is_empty();
        let start = self.game.start.as_ref();
        self.game.moves.is_empty()
            && start.is_none_or(|start| start.side != Some(Player::O) && start.rows.iter().all(is_empty))
    }

    /// Has the session play the game that is chosen. Its board stays if it plays that game already.
    fn tell_game(&self, speech: &mut Speech) {
        speech.set_option("UCI_Variant", "noughts");
        speech.set_option("size", self.board.size);
        speech.set_option("reverse", self.board.reverse);
    }

    /// The empty board of the game that is chosen; the engine moves second.
    fn begin(&mut self, speech: &mut Speech) {
        self.mode = Mode::Plays(Player::O);
        self.time.depth = None;
        self.tell_game(speech);
        speech.command(Command::NewGame);
        self.put_up(Game::default(), Origin::Command, speech);
    }

    fn take_back(&mut self, moves: usize, speech: &mut Speech) -> Result<(), String> {
        let left = self.game.moves.len().checked_sub(moves).ok_or("there is nothing to take back")?;
        let moves = self.game.moves[..left].to_vec();
        self.put_up(Game { start: self.game.start.clone(), moves, ..Game::default() }, Origin::Command, speech);
        Ok(())
    }

    /// A move of the client.
    fn play(&mut self, text: &str, speech: &mut Speech) {
        match self.board.read(text) {
            Some(written) => {
                let mut game = self.game.clone();
                game.moves.push(written);
                self.put_up(game, Origin::Move(text.to_owned()), speech);
            }
            None => speech.line(format_args!("Illegal move (expected one such as P@b2): {}", Excerpt::of(text))),
        }
    }

    /// Puts up another position, and asks what there is to say of it.
    fn put_up(&mut self, game: Game, origin: Origin, speech: &mut Speech) {
        let position = PositionCommand { diagram: game.start.clone(), moves: game.moves.clone() };
        let questions = [Query::Result, Query::P1Turn];
        let inquiry = Inquiry::begin([Command::Position(position)], &questions, speech);
        self.awaited = Awaited::Position(inquiry, Box::new(game), origin);
    }

    /// Goes on from the position that was put up, or stays where it was if there is no such position.
    fn arrive(&mut self, found: Inquiry, mut game: Game, origin: Origin, speech: &mut Speech) {
        if let Some(error) = found.error {
            return match origin {
                Origin::Move(text) if self.game.claim.is_some() => {
                    speech.line(format_args!("Illegal move (the game is over): {text}"));
                }
                Origin::Move(text) => speech.line(format_args!("Illegal move: {text}")),
                Origin::SetBoard => speech.line(format_args!("tellusererror Illegal position: {error}")),
                Origin::Command | Origin::OwnMove => speech.line(format_args!("Error ({error}): position")),
            };
        }
        if let [result, is_x] = &found.answers[..] {
            game.side = Some(if is_x == "true" { Player::X } else { Player::O });
            game.claim = words::claim(result, self.board);
        }
        self.game = game;
        self.analysis_is_due = self.mode == Mode::Analysis;
        match (origin, self.mode) {
            (Origin::OwnMove, _) => self.game.claim.iter().for_each(|claim| speech.line(claim)),
            (Origin::Move(_), Mode::Plays(side)) if self.game.side == Some(side) => self.move_or_claim(speech),
            (Origin::Move(_), _) => self.game.claim.iter().for_each(|claim| speech.line(claim)),
            (Origin::Command | Origin::SetBoard, _) => {}
        }
    }

    /// Looks for a move, or says how the game has ended.
    fn move_or_claim(&mut self, speech: &mut Speech) {
        match &self.game.claim {
            Some(claim) => speech.line(claim),
            None => {
                // Those of a position that was set up are not known.
                let made = self.game.moves.len() as u64 / 2;
                let limits = self.time.limits(self.game.side.unwrap_or(Player::X), made);
                self.search(Purpose::Move, limits, speech);
            }
        }
    }

    /// Begins an analysis that is due.
    fn take_up_analysis(&mut self, speech: &mut Speech) {
        let is_idle = matches!(self.awaited, Awaited::Nothing) && self.game.claim.is_none();
        if self.mode == Mode::Analysis && is_idle && std::mem::take(&mut self.analysis_is_due) {
            let limits = Limits { move_time: Some(ANALYSIS_MS), ..Limits::default() };
            self.search(Purpose::Analysis, limits, speech);
        }
    }

    fn search(&mut self, purpose: Purpose, limits: Limits, speech: &mut Speech) {
        speech.command(Command::Go(GoCommand::from(limits)));
        self.awaited = Awaited::Search(purpose, Box::default());
    }

    fn drop_search(&mut self) {
        if let Awaited::Search(purpose, _) = &mut self.awaited {
            *purpose = Purpose::Dropped;
        }
    }

    /// Takes what is said during a search, and its answer.
    fn hear_search(&mut self, purpose: Purpose, mut info: Box<Info>, reply: Reply, speech: &mut Speech) {
        match reply {
            Reply::BestMove(best) => return self.hear_move(purpose, best, speech),
            Reply::Info(said) => {
                *info = said;
                if purpose == Purpose::Analysis || (self.posts && purpose == Purpose::Move) {
                    speech.line(words::thinking(&info, self.board));
                }
            }
            Reply::Note(text) | Reply::Error(text) => speech.line(format_args!("# {text}")),
            _ => {}
        }
        self.awaited = Awaited::Search(purpose, info);
    }

    fn hear_move(&mut self, purpose: Purpose, best: Option<MoveText>, speech: &mut Speech) {
        let Some(best) = best else { return };
        match purpose {
            Purpose::Dropped | Purpose::Analysis => {}
            Purpose::Hint => speech.line(format_args!("Hint: {}", self.board.rewrite(best))),
            Purpose::Move => {
                speech.line(format_args!("move {}", self.board.rewrite(best)));
                let mut game = self.game.clone();
                game.moves.push(best);
                self.put_up(game, Origin::OwnMove, speech);
            }
        }
    }
}
