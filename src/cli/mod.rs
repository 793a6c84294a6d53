//! The command line: a file for each subcommand, with its arguments and what it does.
//!
//! | file | what it holds |
//! |---|---|
//! | `engine` | `noughts` without a subcommand |
//! | `match`, `report`, `exam` | the strength of engines |
//! | `play`, `serve`, `explain` | for people: the board in a terminal or a browser, and reasons |
//! | `ask` | `eval` and `trace`: questions about a position |
//! | `prove`, `map` | certificates; the known values of empty boards |
//! | `count`, `perft`, `bench` | sizes of searches and games; speed |
//! | `man`, `completions` | made from the definition of the command line |
//! | `launch` | hidden: the start of a match's engines |
//! | `arguments`, `engines`, `output`, `progress` | the parts that they share |

mod arguments;
mod ask;
mod bench;
mod completions;
mod count;
pub mod engine;
mod engines;
mod exam;
mod explain;
mod launch;
mod man;
mod map;
mod r#match;
mod output;
mod perft;
mod play;
mod progress;
mod prove;
mod report;
#[cfg(feature = "web")]
mod serve;

use std::ffi::OsString;
use std::io::{self, Write};

use anyhow::{Context, Result};
use clap::Parser;

use noughts::client;
use noughts::protocol::adapters::client_protocols;

pub use arguments::UsageError;
pub use output::log;
pub use prove::UnfinishedError;

/// A tic-tac-toe engine for any rectangular board, any number in a row, normal and reverse rules.
///
/// Without a command, noughts is an engine: it reads commands from standard input, a line each, and answers on
/// standard output. Type "help" there for a list; protocol.md has all of it.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true, after_help = EXAMPLES)]
struct Cli {
    /// Set an option of the engine before the first line, such as player=perfect; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = arguments::option)]
    options: Vec<(String, String)>,
    /// Speak this protocol, whatever the first line is. Without it, the first line of the client chooses.
    #[arg(long, value_name = "NAME", value_parser = clap::builder::PossibleValuesParser::new(client_protocols()))]
    protocol: Option<String>,
    /// What to do instead of being an engine.
    #[command(subcommand)]
    subcommand: Option<Subcommand>,
}

const EXAMPLES: &str = "Examples:
  noughts play                  a game on this terminal
  noughts serve --open          the same in a browser
  noughts eval xo1/1x1/3        what every move is worth
  noughts match --engine noughts --engine \"python3 mine.py\"";

/// What the program does instead of being an engine.
#[derive(clap::Subcommand)]
enum Subcommand {
    /// Play against the engine, or watch its players, on this terminal.
    Play(Box<play::PlayArguments>),
    /// Show the board in a browser: play, see what every move is worth, watch two players.
    #[cfg(feature = "web")]
    Serve(serve::ServeArguments),
    /// Say why a move is right or wrong, or why a position is worth what it is.
    Explain(explain::ExplainArguments),
    /// Print what every move of a position is worth.
    Eval(ask::EvalArguments),
    /// Print what a search does, step by step.
    Trace(ask::TraceArguments),
    /// Play engines against each other, and say what the result means.
    Match(Box<r#match::MatchArguments>),
    /// Print the tables of matches from their record files; parts of one match are put together.
    Report(report::ReportArguments),
    /// Ask an engine every position of 3x3, or of another small board, and say how many moves gave value away.
    Exam(Box<exam::ExamArguments>),
    /// Write a certificate: a proof of a position's value that anybody can check.
    Prove(prove::ProveArguments),
    /// Print what is known of every empty board up to 20x20, under both rules, and why.
    Map(map::MapArguments),
    /// Count the nodes of the textbook searches on the empty board, from minimax to memoised negamax.
    Count(count::CountArguments),
    /// Count the sequences of moves and the positions of the first plies.
    Perft(perft::PerftArguments),
    /// Measure the engine on this machine, for about a minute.
    Bench(bench::BenchArguments),
    /// Print the man page of noughts, or of one of its subcommands.
    Man(man::ManArguments),
    /// Print a script that lets a shell complete the command line.
    Completions(completions::CompletionsArguments),
    /// End the engines of a match that has been killed: it lists them on standard input. See `system::OrphanKiller`.
    #[command(hide = true)]
    Guard,
    /// Become an engine that ends with the match that started it.
    #[command(hide = true)]
    Launch(launch::LaunchArguments),
}

/// The words of the command line. clap has no help of the subcommand `help`: `noughts help --help` stands for `noughts help`.
fn words() -> Vec<OsString> {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    if words.get(1).is_some_and(|first| first == "help") {
        words.retain(|word| word != "--help" && word != "-h");
    }
    words
}

/// Does what the command line asks for.
pub fn run() -> Result<()> {
    let cli = match Cli::try_parse_from(words()) {
        Ok(cli) => cli,
        // Wrong arguments: the usage on standard error, and exit status 2.
        Err(error) if error.use_stderr() => error.exit(),
        // The help or the version, which `Cli::parse` would not miss.
        Err(error) => return error.print().and_then(|()| io::stdout().flush()).context(output::NOT_PRINTED),
    };
    match cli.subcommand {
        None => engine::run(&cli.options, cli.protocol.as_deref()),
        Some(Subcommand::Match(arguments)) => r#match::run(&arguments),
        Some(Subcommand::Report(arguments)) => report::run(&arguments),
        Some(Subcommand::Exam(arguments)) => exam::run(&arguments),
        Some(Subcommand::Explain(arguments)) => explain::run(&arguments),
        Some(Subcommand::Eval(arguments)) => ask::eval(&arguments),
        Some(Subcommand::Trace(arguments)) => ask::trace(&arguments),
        Some(Subcommand::Prove(arguments)) => prove::run(&arguments),
        Some(Subcommand::Map(arguments)) => map::run(&arguments),
        Some(Subcommand::Play(arguments)) => play::run(&arguments),
        Some(Subcommand::Count(arguments)) => count::run(&arguments),
        Some(Subcommand::Perft(arguments)) => perft::run(&arguments),
        #[cfg(feature = "web")]
        Some(Subcommand::Serve(arguments)) => serve::run(&arguments),
        Some(Subcommand::Bench(arguments)) => bench::run(&arguments),
        Some(Subcommand::Man(arguments)) => man::run(&arguments),
        Some(Subcommand::Completions(arguments)) => completions::run(&arguments),
        Some(Subcommand::Guard) => {
            client::kill_orphans(io::stdin().lock());
            Ok(())
        }
        Some(Subcommand::Launch(arguments)) => launch::run(arguments),
    }
}
