//! The command line.

pub mod count;
pub mod engines;
pub mod exam;
pub mod explain;
pub mod r#match;
pub mod play;
mod progress;
#[cfg(feature = "web")]
pub mod serve;

use std::ffi::OsString;
use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::{ArgAction, ArgGroup, Args, Parser, Subcommand, ValueEnum};

use noughts::arena::{Openings, Shard, TimeControl};
use noughts::client::EngineSpec;
use noughts::exam::Selection;
use noughts::search::Textbook;
use noughts::text::Format;

/// A tic-tac-toe engine for any square board, any number in a row, normal and reverse rules.
///
/// Without a command, noughts is an engine: it reads commands from standard input, a line each, and answers on
/// standard output. Type "help" there for a list; protocol.md has all of it.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// Set an option of the engine before the first line, such as player=perfect; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, String)>,
    /// What to do instead.
    #[command(subcommand)]
    pub face: Option<Face>,
}

/// What the program can be instead of an engine.
#[derive(Subcommand)]
pub enum Face {
    /// Play engines against each other, and say what the result means.
    Match(Box<MatchArguments>),
    /// Print the tables of matches from their record files; parts of one match are put together.
    Report(ReportArguments),
    /// Ask an engine every position of 3x3, or positions of 4x4, and say how many moves gave value away.
    Exam(Box<ExamArguments>),
    /// Say why a move is right or wrong, or why a position is worth what it is.
    Explain(ExplainArguments),
    /// Play against the engine, or watch its players, on this terminal.
    Play(Box<PlayArguments>),
    /// Count the nodes of the textbook searches on the empty board, from minimax to memoised negamax.
    Count(CountArguments),
    /// Count the sequences of moves and the positions of the first plies.
    Perft(PerftArguments),
    /// Show the board in a browser: play, see what every move is worth, watch two players.
    #[cfg(feature = "web")]
    Serve(ServeArguments),
    /// Measure the engine on this machine, for about a minute.
    Bench {
        /// Only print the signature: what the engine answers to fixed questions, the same on every machine.
        #[arg(long, conflicts_with = "proofs")]
        signature: bool,
        /// Only measure proofs, those too that take up to a minute each.
        #[arg(long)]
        proofs: bool,
        /// Only measure answers against their limits of time while every core is busy, for about a minute.
        #[arg(long, conflicts_with_all = ["signature", "proofs"])]
        latency: bool,
        /// How many answers of each kind --latency measures; without it, fewer where the limit is long.
        #[arg(long, value_name = "N", requires = "latency", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
        answers: Option<u32>,
    },
    /// End the engines of a match that has been killed: it lists them on standard input.
    #[command(hide = true)]
    Guard,
    /// Become an engine that ends with the match that started it.
    #[command(hide = true)]
    Launch {
        /// The process of the match.
        parent: u32,
        /// The program to become.
        program: OsString,
        /// Its arguments.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
}

/// A server for browsers.
#[cfg(feature = "web")]
#[derive(Args)]
pub struct ServeArguments {
    /// The port; without it, the first free one from 8383 on.
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
    /// The address to listen on; other machines reach the engine unless it is this one's own.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1")]
    pub listen: std::net::IpAddr,
    /// Open the page in the browser of the desktop.
    #[arg(long)]
    pub open: bool,
    /// The most tabs at the same time, each with a session of its own.
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub max_sessions: u32,
    /// Milliseconds after which a search is ended, whatever its limits are.
    #[arg(long, value_name = "MS", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub max_movetime: u64,
    /// The most memory for what the searches of a session remember, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub max_hash: u32,
    /// Seconds after which a tab that says nothing loses its session.
    #[arg(long, value_name = "S", default_value_t = 1800, value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub max_idle: u64,
}

/// A position or a move to explain.
#[derive(Args)]
pub struct ExplainArguments {
    /// A board such as "xo1/1x1/3 o", perhaps with "moves 2,2 b3" behind it, or "startpos moves 1,1 0,0".
    pub position: String,
    /// The move, such as 2,2 or c1; without it, the position is explained.
    #[arg(value_name = "MOVE")]
    pub cell: Option<String>,
    /// Rows and columns of the board, 1 to 20; if not said, those of the position, 3 for "startpos".
    #[arg(long, value_name = "N")]
    pub size: Option<u8>,
    /// How many in a row complete a line; 0 for as many as the board has rows.
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub connect: u16,
    /// Completing a line loses.
    #[arg(long)]
    pub reverse: bool,
}

/// The game that is played.
#[derive(Args)]
pub struct GameArguments {
    /// Rows and columns of the board, 1 to 20.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub size: u8,
    /// How many in a row complete a line; 0 for as many as the board has rows.
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub connect: u16,
    /// Completing a line loses.
    #[arg(long)]
    pub reverse: bool,
}

/// A match.
#[derive(Args)]
#[command(group = ArgGroup::new("limit").args(["movetime", "tc", "nodes", "trials"]))]
pub struct MatchArguments {
    /// An engine: "name=A cmd=PROGRAM args='...' dir=FOLDER proto=noughts|uci|gomocup
    /// option.NAME=VALUE restart=on". Give two or more.
    #[arg(long = "engine", value_name = "ENGINE", required = true)]
    pub engines: Vec<EngineSpec>,
    /// What all engines have in common, in the same form.
    #[arg(long, value_name = "ENGINE")]
    pub each: Option<EngineSpec>,
    /// The first engine plays all others, instead of everybody everybody.
    #[arg(long)]
    pub gauntlet: bool,
    /// The game.
    #[command(flatten)]
    pub game: GameArguments,
    /// Games for each pair of engines.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub games: u64,
    /// Milliseconds for a move.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub movetime: Option<u64>,
    /// Seconds for the game, and for each move: 10+0.1.
    #[arg(long, value_name = "TIME")]
    pub tc: Option<TimeControl>,
    /// Nodes for a move.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Playouts for a move.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub trials: Option<u64>,
    /// Milliseconds that an engine may exceed its time by.
    #[arg(long, value_name = "MS", default_value_t = 50, value_parser = clap::value_parser!(u64).range(..=86_400_000))]
    pub margin: u64,
    /// Seconds that an engine may take for a move when nothing else limits it.
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub patience: u64,
    /// Seconds that an engine may take to start.
    #[arg(long, value_name = "S", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub start_limit: u64,
    /// Where games begin: startpos, random:K, all:K, classes:K, or a file of positions.
    #[arg(long, value_name = "OPENINGS", default_value = "startpos")]
    pub openings: Openings,
    /// Only openings that are proven to be draws, each by a proof of 100,000 positions at most.
    #[arg(long)]
    pub balanced: bool,
    /// Play every opening with both colours.
    #[arg(long, value_name = "on|off", default_value = "on", value_parser = switch, action = ArgAction::Set)]
    pub swap: bool,
    /// Where random numbers start: openings, their order, and the seeds of the engines.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=MAX_SEED))]
    pub seed: Option<u64>,
    /// Games that are played at the same time, each by processes of its own.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: u16,
    /// Games that each pair of processes plays at once; for engines that look at the position line alone.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub interleave: u16,
    /// Keep each of the games at the same time on one core; on, unless an engine has option.Threads above 1.
    #[arg(long, value_name = "on|off", value_parser = switch)]
    pub pin: Option<bool>,
    /// Stop when the first of two engines is shown to be stronger, or not: elo0=0 elo1=10 alpha=0.05 beta=0.05.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..=4)]
    pub sprt: Vec<String>,
    /// Write every game to this file as it ends, as a line of JSON.
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Write every game to this file as PGN.
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// Continue the match in the record file: play the games that are missing.
    #[arg(long, requires = "record")]
    pub resume: bool,
    /// Play a part of the match, such as 3/8, the third of eight.
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Start engines that crash or hang again, and play on.
    #[arg(long)]
    pub recover: bool,
    /// How to print the result: text, json, markdown or csv.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Write every line of every engine to this file, with times.
    #[arg(long, value_name = "FILE")]
    pub debug: Option<PathBuf>,
}

/// The largest seed: every whole number up to it is exact in JSON.
const MAX_SEED: u64 = (1 << 53) - 1;

/// A report.
#[derive(Args)]
pub struct ReportArguments {
    /// Record files of noughts match.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Say what a sequential test makes of them: elo0=0 elo1=10 alpha=0.05 beta=0.05.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..=4)]
    pub sprt: Vec<String>,
    /// How to print the result: text, json, markdown or csv.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

/// An exam.
#[derive(Args)]
#[command(group = ArgGroup::new("limit").args(["movetime", "nodes", "trials"]))]
pub struct ExamArguments {
    /// The engine: "name=A cmd=PROGRAM args='...' dir=FOLDER proto=noughts|uci option.NAME=VALUE".
    #[arg(long, value_name = "ENGINE")]
    pub engine: EngineSpec,
    /// The rules to ask about.
    #[arg(long, value_name = "RULES", value_enum, default_value = "both")]
    pub rules: ExamRules,
    /// Rows and columns of the board, 1 to 4: larger boards have too many positions to know them all.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub size: u8,
    /// How many in a row complete a line; 0 for as many as the board has rows.
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub connect: u16,
    /// How many positions to ask, drawn at random by --seed, each as likely as any other; "all" for every one.
    ///
    /// If nothing is said, it is all up to 3x3 (4,520) and 2,000 on 4x4, which has 9,062,619. All of 4x4 take minutes to
    /// judge besides what the engine needs; the positions are not kept, but what --list finds is.
    #[arg(long, value_name = "N|all", value_parser = extent)]
    pub sample: Option<Selection>,
    /// How often each position is asked, for engines that answer differently each time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub repeat: u32,
    /// Count all moves that the engine shows as equally good (option MultiPV), instead of the one that it plays.
    #[arg(long)]
    pub ties: bool,
    /// List every move that gave value away or made a win slower, each with its refutation.
    #[arg(long)]
    pub list: bool,
    /// Milliseconds for a move.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub movetime: Option<u64>,
    /// Nodes for a move.
    #[arg(long, value_name = "N")]
    pub nodes: Option<NonZeroU64>,
    /// Playouts for a move.
    #[arg(long, value_name = "N")]
    pub trials: Option<NonZeroU64>,
    /// Seconds that an engine may take for a move beyond its time.
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub patience: u64,
    /// Seconds that an engine may take to start.
    #[arg(long, value_name = "S", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub start_limit: u64,
    /// The seed of the sample, and of an engine that declares one, unless it is set with option.seed.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(i32::MAX)))]
    pub seed: u32,
    /// How to print the result: text, json, markdown or csv.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Write every line of the engine to this file, with times.
    #[arg(long, value_name = "FILE")]
    pub debug: Option<PathBuf>,
}

/// A game at the terminal.
#[derive(Args)]
pub struct PlayArguments {
    /// The game.
    #[command(flatten)]
    pub game: GameArguments,
    /// Who plays X: person, auto, perfect, montecarlo, mcts, random, or another player of the engine.
    #[arg(long, value_name = "PLAYER", default_value = "person")]
    pub x: String,
    /// Who plays O.
    #[arg(long, value_name = "PLAYER", default_value = "auto")]
    pub o: String,
    /// A program that plays X: a command, or "cmd=PROGRAM proto=noughts|uci|gomocup option.NAME=VALUE".
    #[arg(long, value_name = "CMD", conflicts_with = "x")]
    pub x_engine: Option<String>,
    /// A program that plays O.
    #[arg(long, value_name = "CMD", conflicts_with = "o")]
    pub o_engine: Option<String>,
    /// How strong the engine's players are, from 1, which anybody beats, to 10.
    #[arg(long, value_name = "L", default_value_t = 10, value_parser = clap::value_parser!(u8).range(1..=10))]
    pub level: u8,
    /// Playouts of a move, for players that play them.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=i64::from(i32::MAX)))]
    pub trials: u32,
    /// Where random numbers start, for games that come out the same again; 0 for somewhere else every time.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=i64::from(i32::MAX)))]
    pub seed: u32,
    /// Lines of text instead of a board that fills the screen; so it is where there is no terminal.
    #[arg(long)]
    pub plain: bool,
    /// Break down at the first key, for the test that the terminal is given back even then.
    #[arg(long, hide = true)]
    pub panic: bool,
}

/// A table of the textbook searches.
#[derive(Args)]
pub struct CountArguments {
    /// The game.
    #[command(flatten)]
    pub game: GameArguments,
    /// Nodes after which a search is given up.
    #[arg(long, value_name = "N", default_value_t = Textbook::NODES, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// How to print the result: text, json, markdown or csv.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

/// A table of plies.
#[derive(Args)]
pub struct PerftArguments {
    /// The last ply to count, from 0, if the game goes as far.
    #[arg(value_name = "N", value_parser = clap::value_parser!(u16).range(..=400))]
    pub depth: u16,
    /// The game.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to print the result: text, json, markdown or csv.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

/// The rules that an exam asks about.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExamRules {
    /// Completing a line wins.
    Normal,
    /// Completing a line loses.
    Reverse,
    /// The one after the other.
    Both,
}

fn option(text: &str) -> Result<(String, String), &'static str> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    if name.trim().is_empty() {
        return Err("expected the name of an option in front of the =");
    }
    if text.contains(['\n', '\r']) {
        return Err("expected one line");
    }
    Ok((name.to_owned(), value.to_owned()))
}

fn switch(text: &str) -> Result<bool, &'static str> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("expected on or off"),
    }
}

fn extent(text: &str) -> Result<Selection, &'static str> {
    match text.parse() {
        _ if text == "all" => Ok(Selection::All),
        Ok(positions @ 1..) => Ok(Selection::Sample(positions)),
        _ => Err("expected a number from 1, or all"),
    }
}
