//! `noughts exam`: asks an engine about positions one by one, and counts the moves that give value away.

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::{ArgGroup, Args, ValueEnum};

use noughts::client::EngineSpec;
use noughts::exam::{self, ExamOutcome, ExamSettings, Selection};
use noughts::game::{Rules, Shape};
use noughts::search::Limits;
use noughts::text::Format;

use super::arguments::{MOST_IN_A_ROW, UsageError, shape, whole};
use super::engines::{run_context, set_up, warn_of_log};
use super::output::print;
use super::progress::ProgressDisplay;

const EXAMPLES: &str = "Examples:
  noughts exam --engine \"python3 mine.py\" --list
  noughts exam --engine \"cmd=noughts option.player=montecarlo option.trials=100\" --rules normal
  noughts exam --engine noughts --size 4 --sample 500";

/// The arguments of `noughts exam`.
#[derive(Args)]
#[command(group = ArgGroup::new("limit").args(["movetime", "nodes", "trials"]), after_help = EXAMPLES)]
pub struct ExamArguments {
    /// The engine: a command such as "python3 mine.py", or "name=A cmd=PROGRAM args='...' dir=FOLDER
    /// proto=noughts|uci|gtp option.NAME=VALUE".
    #[arg(long, value_name = "ENGINE")]
    engine: EngineSpec,
    /// The rules to ask about.
    #[arg(long, value_name = "RULES", value_enum, default_value = "both")]
    rules: ExamRules,
    /// Rows and columns of the board such as 2x7, at most 16 cells; one number for a square. Larger boards have too many
    /// positions to know them all.
    #[arg(long, value_name = "SIZE", default_value = "3", value_parser = shape)]
    size: Shape,
    /// How many in a row complete a line; 0 for as many as the shorter side has cells.
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = whole::<u16>(0..=MOST_IN_A_ROW))]
    connect: u16,
    /// How many positions to ask, drawn at random by --seed, each with the same chance; "all" for every position.
    ///
    /// The default is all of a board of up to 9 cells (4,520 on 3x3), and 2,000 of a larger one. All 9,062,619 of 4x4 take
    /// minutes to judge, apart from the time of the engine. The positions are not kept, but what --list finds is.
    #[arg(long, value_name = "N|all", value_parser = selection)]
    sample: Option<Selection>,
    /// How often each position is asked, for engines that answer differently each time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(1..=1_000_000))]
    repeat: u32,
    /// Count all moves that the engine shows as equally good (option MultiPV), instead of the one that it plays.
    #[arg(long)]
    ties: bool,
    /// List every move that gave value away or made a win slower, each with its refutation.
    #[arg(long)]
    list: bool,
    /// Milliseconds for a move.
    #[arg(long, value_name = "MS", value_parser = whole::<u64>(1..=86_400_000))]
    movetime: Option<u64>,
    /// Nodes for a move.
    #[arg(long, value_name = "N", value_parser = whole::<NonZeroU64>(1..=u64::MAX))]
    nodes: Option<NonZeroU64>,
    /// Playouts for a move.
    #[arg(long, value_name = "N", value_parser = whole::<NonZeroU64>(1..=u64::MAX))]
    trials: Option<NonZeroU64>,
    /// Seconds that an engine may take for a move beyond its time.
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = whole::<u64>(1..=86_400))]
    patience: u64,
    /// Seconds that an engine may take to start.
    #[arg(long, value_name = "S", default_value_t = 10, value_parser = whole::<u64>(1..=86_400))]
    start_limit: u64,
    /// The seed of the sample, and of an engine that declares one, unless option.seed sets it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(1..=i32::MAX as u64))]
    seed: u32,
    /// How to print the result: text, json or markdown.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Write every line of the engine to this file, with times.
    #[arg(long, value_name = "FILE")]
    debug: Option<PathBuf>,
}

/// The rules that an exam asks about.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExamRules {
    /// Completing a line wins.
    Normal,
    /// Completing a line loses.
    Reverse,
    /// First normal, then reverse.
    Both,
}

fn selection(text: &str) -> Result<Selection, &'static str> {
    match text.parse() {
        _ if text == "all" => Ok(Selection::All),
        Ok(positions @ 1..) => Ok(Selection::Sample(positions)),
        _ => Err("expected a number from 1, or all"),
    }
}

/// Runs an exam and prints its tables.
pub fn run(arguments: &ExamArguments) -> Result<()> {
    let engine = set_up(&arguments.engine)?;
    let &ExamArguments { size, connect, movetime: move_time, nodes, trials, .. } = arguments;
    let limits = Limits { move_time, nodes, trials, ..Limits::default() };
    let reverse = match arguments.rules {
        ExamRules::Normal => &[false][..],
        ExamRules::Reverse => &[true],
        ExamRules::Both => &[false, true],
    };
    let rules: Result<Vec<Rules>, _> = reverse.iter().map(|&reverse| Rules::new(size, connect, reverse)).collect();
    let settings = ExamSettings {
        engine: Arc::new(engine),
        rules: rules.map_err(UsageError::new)?,
        selection: arguments.sample.unwrap_or_else(|| Selection::of_board(size)),
        limits,
        repeat: arguments.repeat,
        ties: arguments.ties,
        list: arguments.list,
        seed: arguments.seed,
        patience: Duration::from_secs(arguments.patience),
    };
    settings.check().map_err(UsageError::new)?;
    if size.cells() > ExamSettings::MOST_CELLS {
        let most = ExamSettings::MOST_CELLS;
        let problem =
            format_args!("an exam of {size}: only boards of at most {most} cells are known position by position");
        bail!(UsageError::new(problem));
    }
    let context = run_context(arguments.start_limit, arguments.debug.as_deref())?;
    let progress = ProgressDisplay::new("answers");
    let ExamOutcome { report, failure } = exam::run(&settings, &context, &progress);
    progress.finish();
    warn_of_log(&context);
    let printed = match report.exams[..] {
        [] => Ok(()),
        _ => print(|out| exam::write(&report, arguments.format, out)),
    };
    match failure {
        Some(failure) => Err(failure.into()),
        None => printed,
    }
}
