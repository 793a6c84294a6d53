//! Clients of GTP: one plays with this engine.
//!
//! The adapter keeps the moves of the game, because the client may take them back, and what the session has told of the
//! position. It answers questions about the position from that. A player of either colour may begin; from then on the
//! colours take turns.

use crate::engine::{MoveTotal, OptionRole, OptionSpec, TraceSearch};
use crate::protocol::{
    Analysis, Command, GoCommand, Info, InputLine, PositionCommand, Reply, TraceCommand, option_names,
};
use crate::text::{Excerpt, decimal, explanation};
use noughts_core::game::{Cell, Diagram, MAX_SIZE, MoveText, Outcome, Player, Shape};
use noughts_core::search::Explanation;

use super::super::pending_queries::PendingQueries;
use super::super::{ClientProtocol, LineEffect, ProtocolOutput};
use super::board::Board;
use super::timing::TimeSettings;
use super::{cell_at, drawing, option_command, player_of, vertex};

/// The commands, without those that set an option.
const COMMANDS: &str = "\
    boardsize clear_board final_score genmove gogui-analyze_commands gogui-interrupt gogui-rules_board \
    gogui-rules_board_size gogui-rules_final_result gogui-rules_game_id gogui-rules_legal_moves \
    gogui-rules_side_to_move known_command komi list_commands name noughts-explain noughts-line noughts-pairs \
    noughts-threats noughts-values noughts-visits play protocol_version quit reg_genmove showboard time_left \
    time_settings undo version";

/// The words by which a client chooses this protocol: those that no other protocol of this program has.
const FIRST_WORDS: [&str; 6] =
    ["protocol_version", "list_commands", "known_command", "boardsize", "clear_board", "genmove"];

/// A reason why a command is not carried out. The texts that the protocol names begin with its own words.
#[derive(Debug, thiserror::Error)]
enum CommandError {
    #[error("unknown command")]
    Unknown,
    /// The arguments are not those that the command has. The caller knows its name.
    #[error("syntax error")]
    Syntax,
    #[error("syntax error: a colour is b or w, not {0}")]
    Colour(Excerpt),
    #[error("unacceptable size")]
    Size,
    #[error("illegal move")]
    IllegalMove,
    #[error("cannot undo")]
    NothingToUndo,
    #[error("cannot score")]
    NotOver,
    #[error("there is no position")]
    NoPosition,
}

/// The response to a command, or `None` if that comes later.
type Responded = Result<Option<String>, CommandError>;

/// The arguments of a command.
fn arguments_of(name: &str) -> &'static str {
    match name {
        "boardsize" => "N, or ROWS COLUMNS",
        "genmove" | "reg_genmove" => "COLOUR",
        "known_command" => "COMMAND",
        "komi" => "NUMBER",
        "play" => "COLOUR VERTEX",
        "time_left" => "COLOUR SECONDS STONES",
        "time_settings" => "MAIN OVERTIME STONES, in seconds",
        _ => "and nothing more",
    }
}

/// True if a client that begins with this line speaks GTP.
pub fn is_chosen_by(line: &str) -> bool {
    let (_, words) = parts(line);
    words.first().is_some_and(|first| FIRST_WORDS.contains(first) || first.starts_with("gogui-"))
}

/// The id of a line, if it has one, and its words.
fn parts(line: &str) -> (&str, Vec<&str>) {
    let line = line.split('#').next().unwrap_or_default();
    let mut words: Vec<&str> = line.split_ascii_whitespace().collect();
    let is_id = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    match words.first().copied().filter(is_id) {
        Some(id) => (id, words.split_off(1)),
        None => ("", words),
    }
}

/// The adapter for a client of GTP.
#[derive(Default)]
pub struct GtpClient {
    /// The id of the command that is carried out.
    id: String,
    /// The position; `None` before the first command.
    board: Option<Board>,
    game: Game,
    time: TimeSettings,
    state: GtpState,
    /// True once the client has quit. Nothing counts after that.
    has_quit: bool,
}

/// The moves of a game.
#[derive(Clone, Default)]
struct Game {
    /// True if O has made the first of them.
    white_begins: bool,
    moves: Vec<Cell>,
    /// Passes since the end of the game. There are none before.
    passes: usize,
}

impl Game {
    /// The command that sets the position after these moves.
    fn position(&self, shape: Shape) -> Command {
        let diagram = self.white_begins.then(|| Diagram::empty(shape, Some(Player::O)));
        let moves = self.moves.iter().map(|&cell| cell.into()).collect();
        Command::Position(PositionCommand { diagram, moves, ..PositionCommand::default() })
    }
}

/// The replies of the session that the adapter waits for.
#[derive(Default)]
enum GtpState {
    /// None: the next line can be taken.
    #[default]
    Idle,
    /// Those that tell the position before the first command, which is this line.
    Begin(PendingQueries, String),
    /// Those that show if a change was made.
    Change(PendingQueries, Change),
    /// A move; the last `info` about it.
    Search(SearchUse, Box<Info>),
    /// The value of every move.
    Values,
    /// What the tree search has found about the moves so far.
    Visits(Vec<MoveTotal>),
    /// An explanation, and the text that is made of it.
    Explanation(fn(&Explanation) -> String),
}

/// A change of the session's game or options.
#[derive(Default)]
struct Change {
    /// The game after it; `None` if the moves are the same.
    game: Option<Game>,
    /// The response, if the session makes the change.
    response: String,
    /// The response, if it does not. `None` for the session's own words.
    refusal: Option<&'static str>,
}

/// The use of the move of a search.
#[derive(Clone, Copy)]
enum SearchUse {
    /// It is played.
    Play,
    /// It is the response.
    Answer,
    /// The principal variation is drawn.
    Line,
}

impl ClientProtocol for GtpClient {
    fn handle_at_once(&mut self, _: &InputLine, _: &mut ProtocolOutput) -> Option<LineEffect> {
        Some(LineEffect::Unknown)
    }

    fn interrupt(&mut self, output: &mut ProtocolOutput) {
        if !matches!(self.state, GtpState::Idle | GtpState::Begin(..) | GtpState::Change(..)) {
            output.command(Command::Stop);
        }
    }

    fn handle_line(&mut self, line: &InputLine, output: &mut ProtocolOutput) {
        match line {
            _ if self.has_quit => {}
            InputLine::Text(text) if self.board.is_none() => {
                let queries = PendingQueries::ask(&Board::QUERIES, output);
                self.state = GtpState::Begin(queries, text.clone());
            }
            InputLine::Text(text) => self.run_line(text, output),
            InputLine::NotText(excerpt) | InputLine::TooLong(excerpt) => {
                self.id.clear();
                self.fail(&format!("syntax error: {excerpt} is no line of text that can be read"), output);
            }
        }
    }

    fn handle_reply(&mut self, reply: Reply, output: &mut ProtocolOutput) {
        self.state = match (std::mem::take(&mut self.state), reply) {
            (GtpState::Begin(mut queries, line), reply) => match queries.handle_reply(reply) {
                None => GtpState::Begin(queries, line),
                Some(found) => {
                    self.board = Board::of(&found.answers);
                    return self.run_line(&line, output);
                }
            },
            (GtpState::Change(mut queries, change), reply) => match queries.handle_reply(reply) {
                None => GtpState::Change(queries, change),
                Some(found) => {
                    self.finish_change(found, change, output);
                    GtpState::Idle
                }
            },
            (GtpState::Search(use_, info), Reply::BestMove(best)) => {
                return self.finish_search(use_, &info, best, output);
            }
            (GtpState::Search(use_, _), Reply::Info(info)) => GtpState::Search(use_, Box::new(info)),
            (GtpState::Visits(mut totals), Reply::Analysis(Analysis::TraceTotal(total, _))) => {
                totals.push(total);
                GtpState::Visits(totals)
            }
            (GtpState::Visits(totals), Reply::Analysis(Analysis::TraceEnd(_))) => {
                let text = self.board.as_ref().map(|board| drawing::visits(&totals, board.side, board.shape));
                self.succeed(&text.unwrap_or_default(), output);
                GtpState::Idle
            }
            (state @ (GtpState::Values | GtpState::Explanation(_)), Reply::Analysis(analysis)) => {
                let text = match (state, analysis) {
                    (GtpState::Explanation(text), Analysis::Explanation(found)) => text(&found),
                    (_, Analysis::Values(values)) => drawing::values(&values.0, &values.1),
                    _ => String::new(),
                };
                self.succeed(&text, output);
                GtpState::Idle
            }
            (state, _) => state,
        };
    }

    fn refuse_line(&mut self, line: &InputLine, output: &mut ProtocolOutput) {
        let text = match line {
            InputLine::Text(text) => text,
            InputLine::NotText(_) | InputLine::TooLong(_) => "",
        };
        let (id, _) = parts(text);
        output.line(format_args!("?{id} too much waits behind a search; {} is left out\n", line.excerpt()));
    }

    fn is_busy(&self) -> bool {
        !matches!(self.state, GtpState::Idle)
    }
}

impl GtpClient {
    /// Responds with the result of the command. A blank line would end the response too early.
    fn succeed(&self, text: &str, output: &mut ProtocolOutput) {
        let blank = if text.is_empty() || text.starts_with('\n') { "" } else { " " };
        output.line(format_args!("={}{blank}{}\n", self.id, without_blank_lines(text)));
    }

    /// Responds with an error.
    fn fail(&self, problem: &str, output: &mut ProtocolOutput) {
        output.line(format_args!("?{} {problem}\n", self.id));
    }

    /// Carries out a line. The session has told the position.
    fn run_line(&mut self, line: &str, output: &mut ProtocolOutput) {
        let (id, words) = parts(line);
        self.id = id.to_owned();
        let (name, arguments) = words.split_first().map_or(("", &[][..]), |(name, arguments)| (*name, arguments));
        match self.run(name, arguments, output) {
            Ok(Some(text)) => self.succeed(&text, output),
            Ok(None) => {}
            Err(problem @ CommandError::Syntax) => {
                self.fail(&format!("{problem}: expected {name} {}", arguments_of(name)), output);
            }
            Err(problem) => self.fail(&problem.to_string(), output),
        }
        if name == "quit" && arguments.is_empty() {
            self.has_quit = true;
            output.command(Command::Quit);
        }
    }

    /// Carries out a command. Returns its response, or `None` if that comes later.
    fn run(&mut self, name: &str, arguments: &[&str], output: &mut ProtocolOutput) -> Responded {
        let board = self.board.as_ref().ok_or(CommandError::NoPosition)?;
        let text = match (name, arguments) {
            ("protocol_version", []) => "2".to_owned(),
            ("name", []) => "Noughts".to_owned(),
            ("version", []) => env!("CARGO_PKG_VERSION").to_owned(),
            ("list_commands", []) => list(),
            ("known_command", [wanted]) => list().lines().any(|known| known == *wanted).to_string(),
            ("quit" | "gogui-interrupt", []) => String::new(),
            // Nothing counts but lines.
            ("komi", [number]) => number.parse::<f64>().map(|_| String::new()).map_err(|_| CommandError::Syntax)?,
            ("showboard", []) => board.drawing(),
            ("final_score", []) => board.score().ok_or(CommandError::NotOver)?.to_owned(),
            ("gogui-rules_game_id", []) => "Noughts".to_owned(),
            ("gogui-rules_board", []) => board.rows().fold(String::new(), |text, row| text + "\n" + &row),
            ("gogui-rules_board_size", []) if board.shape.is_square() => board.shape.rows.to_string(),
            ("gogui-rules_board_size", []) => format!("{} {}", board.shape.columns, board.shape.rows),
            ("gogui-rules_legal_moves", []) => board.legal_moves(),
            ("gogui-rules_side_to_move", []) => super::colour(board.side).to_string(),
            ("gogui-rules_final_result", []) => board.result().ok_or(CommandError::NotOver)?,
            ("gogui-analyze_commands", []) => drawing::ANALYZE_COMMANDS.to_owned(),
            ("time_settings", times) => self.time.read(times).map(|()| String::new()).ok_or(CommandError::Syntax)?,
            ("time_left", [colour, time, stones]) => {
                let read = player_of(colour).and_then(|player| self.time.read_left(player, time, stones));
                read.map(|()| String::new()).ok_or(CommandError::Syntax)?
            }
            _ => return self.begin_command(name, arguments, output),
        };
        Ok(Some(text))
    }

    /// Begins a command whose response depends on the session.
    fn begin_command(&mut self, name: &str, arguments: &[&str], output: &mut ProtocolOutput) -> Responded {
        match (name, arguments) {
            ("boardsize", sizes) => self.resize(sizes, output)?,
            ("clear_board", []) => self.clear(output),
            ("play", [colour, at]) => return self.play(colour, at, output),
            ("undo", []) => return self.undo(output),
            ("genmove", [colour]) => return self.generate(colour, SearchUse::Play, output),
            ("reg_genmove", [colour]) => return self.generate(colour, SearchUse::Answer, output),
            ("noughts-line", []) => self.search(SearchUse::Line, output),
            ("noughts-values", []) => {
                output.command(Command::Eval { exact: false });
                self.state = GtpState::Values;
            }
            ("noughts-visits", []) => {
                let search = TraceSearch::Mcts;
                output.command(Command::Trace(TraceCommand { search, events: Some(0), trials: None }));
                self.state = GtpState::Visits(Vec::new());
            }
            ("noughts-threats", []) => self.explain(drawing::threats, output),
            ("noughts-pairs", []) => self.explain(drawing::pairs, output),
            ("noughts-explain", []) => self.explain(explanation::explain, output),
            _ if COMMANDS.split(' ').any(|known| known == name) => return Err(CommandError::Syntax),
            (_, values) => self.set_option(name, values, output)?,
        }
        Ok(None)
    }

    /// Emits a command that changes something, and waits for the position after it.
    fn change(&mut self, command: Command, change: Change, output: &mut ProtocolOutput) {
        self.state = GtpState::Change(PendingQueries::emit(command, &Board::QUERIES, output), change);
    }

    /// Emits the position of a game.
    fn set_game(&mut self, game: Game, response: String, output: &mut ProtocolOutput) {
        let Some(board) = &self.board else { return };
        let position = game.position(board.shape);
        self.change(position, Change { game: Some(game), response, refusal: Some("illegal move") }, output);
    }

    /// Responds to a command that has changed something, or has not.
    fn finish_change(&mut self, found: PendingQueries, change: Change, output: &mut ProtocolOutput) {
        self.board = Board::of(&found.answers).or(self.board.take());
        match found.error {
            Some(error) => {
                let words = error.strip_prefix("setoption: ").unwrap_or(&error);
                self.fail(change.refusal.unwrap_or(words), output);
            }
            None => {
                self.game = change.game.unwrap_or(std::mem::take(&mut self.game));
                self.succeed(&change.response, output);
            }
        }
    }

    /// `boardsize N` or `boardsize ROWS COLUMNS`: an empty board of this size.
    fn resize(&mut self, sizes: &[&str], output: &mut ProtocolOutput) -> Result<(), CommandError> {
        let numbers: Result<Vec<u32>, _> = sizes.iter().map(|size| size.parse()).collect();
        let (rows, columns) = match numbers.as_deref() {
            Ok([size]) => (*size, *size),
            Ok([rows, columns]) => (*rows, *columns),
            _ => return Err(CommandError::Syntax),
        };
        if ![rows, columns].iter().all(|side| (1..=MAX_SIZE.into()).contains(side)) {
            return Err(CommandError::Size);
        }
        output.set_option("size", rows);
        output.set_option("columns", if rows == columns { 0 } else { columns });
        self.clear(output);
        Ok(())
    }

    /// `clear_board`: a new game.
    fn clear(&mut self, output: &mut ProtocolOutput) {
        self.time.begin_game();
        self.change(Command::NewGame, Change { game: Some(Game::default()), ..Change::default() }, output);
    }

    /// The player of a colour who is to move. On the empty board that may be either.
    fn mover(&self, colour: &str) -> Result<Player, CommandError> {
        let player = player_of(colour).ok_or_else(|| CommandError::Colour(Excerpt::of(colour)))?;
        let is_turn = self.board.as_ref().is_some_and(|board| board.side == player || board.is_empty());
        if is_turn { Ok(player) } else { Err(CommandError::IllegalMove) }
    }

    /// The game in which this player begins, if the board is empty; else the game as it is.
    fn game_of(&self, first: Player) -> Game {
        let is_empty = self.board.as_ref().is_some_and(Board::is_empty);
        Game { white_begins: if is_empty { first == Player::O } else { self.game.white_begins }, ..self.game.clone() }
    }

    /// `play COLOUR VERTEX`. A pass is a move only when the game is over, and means nothing.
    fn play(&mut self, colour: &str, at: &str, output: &mut ProtocolOutput) -> Responded {
        let Some(board) = &self.board else { return Ok(None) };
        if at.eq_ignore_ascii_case("pass") && board.outcome.is_some() && player_of(colour).is_some() {
            self.game.passes += 1;
            return Ok(Some(String::new()));
        }
        let shape = board.shape;
        let player = self.mover(colour)?;
        let mut game = self.game_of(player);
        game.moves.push(cell_at(at, shape).ok_or(CommandError::IllegalMove)?);
        self.set_game(game, String::new(), output);
        Ok(None)
    }

    /// `undo`: takes the last move back.
    fn undo(&mut self, output: &mut ProtocolOutput) -> Responded {
        if self.game.passes > 0 {
            self.game.passes -= 1;
            return Ok(Some(String::new()));
        }
        let mut game = self.game.clone();
        game.moves.pop().ok_or(CommandError::NothingToUndo)?;
        game.white_begins &= !game.moves.is_empty();
        self.set_game(game, String::new(), output);
        Ok(None)
    }

    /// `genmove COLOUR` or `reg_genmove COLOUR`. When the game is over, the loser resigns and everybody else passes.
    fn generate(&mut self, colour: &str, use_: SearchUse, output: &mut ProtocolOutput) -> Responded {
        if let Some(outcome) = self.board.as_ref().and_then(|board| board.outcome) {
            let player = player_of(colour);
            let has_lost = player.is_some_and(|player| outcome == Outcome::Win(!player));
            return Ok(Some(if has_lost { "resign" } else { "PASS" }.to_owned()));
        }
        let player = self.mover(colour)?;
        let game = self.game_of(player);
        if let Some(board) = &mut self.board
            && game.white_begins != self.game.white_begins
        {
            output.command(game.position(board.shape));
            board.side = player;
            self.game = game;
        }
        self.search(use_, output);
        Ok(None)
    }

    /// Begins the search for a move.
    fn search(&mut self, use_: SearchUse, output: &mut ProtocolOutput) {
        let limits = self.board.as_ref().map(|board| self.time.limits(board.side)).unwrap_or_default();
        output.command(Command::Go(GoCommand::from(limits)));
        self.state = GtpState::Search(use_, Box::default());
    }

    /// Uses the move that was found.
    fn finish_search(&mut self, use_: SearchUse, info: &Info, best: Option<MoveText>, output: &mut ProtocolOutput) {
        let Some(board) = &self.board else { return };
        let (shape, side) = (board.shape, board.side);
        let Some(cell) = best.and_then(|best| best.on_board(shape).ok()) else {
            return self.fail("there is no move, the game is over", output);
        };
        let moves: Vec<Cell> = info.pv.iter().filter_map(|written| written.on_board(shape).ok()).collect();
        let value = info.value.map(|value| format!("value {}", decimal(value))).unwrap_or_default();
        match use_ {
            SearchUse::Line => self.succeed(&drawing::variation(&moves, side, shape, &value), output),
            SearchUse::Answer => self.succeed(&vertex(cell, shape), output),
            SearchUse::Play => {
                self.time.spend(side, info.time.unwrap_or(0));
                let mut game = self.game.clone();
                game.moves.push(cell);
                self.set_game(game, vertex(cell, shape), output);
            }
        }
    }

    /// Asks for an explanation, of which `text` makes the response.
    fn explain(&mut self, text: fn(&Explanation) -> String, output: &mut ProtocolOutput) {
        output.command(Command::Explain(None));
        self.state = GtpState::Explanation(text);
    }

    /// `noughts-OPTION VALUE`: sets an option of this engine.
    fn set_option(&mut self, name: &str, values: &[&str], output: &mut ProtocolOutput) -> Result<(), CommandError> {
        let option = options().find(|option| option_command(option.name) == name).ok_or(CommandError::Unknown)?;
        let game = option_names::is_of_the_game(option.name).then(Game::default);
        let command = Command::SetOption { name: option.name.to_owned(), value: values.join(" ") };
        self.change(command, Change { game, ..Change::default() }, output);
        Ok(())
    }
}

/// The options that have a command: all but the size of the board, which has its own.
fn options() -> impl Iterator<Item = &'static OptionSpec> {
    let is_size = |option: &&OptionSpec| ["size", "columns", "UCI_Variant"].contains(&option.name);
    OptionSpec::all().filter(move |option| !is_size(option) && option.role != OptionRole::LogFile)
}

/// All commands, a line each.
fn list() -> String {
    let set = options().map(|option| option_command(option.name));
    let mut names: Vec<String> = COMMANDS.split(' ').map(str::to_owned).chain(set).collect();
    names.sort();
    names.join("\n")
}

/// The text without its blank lines, which would end a response.
fn without_blank_lines(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().to_owned();
    lines.filter(|line| !line.trim().is_empty()).fold(first, |text, line| text + "\n" + line)
}
