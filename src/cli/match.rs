//! `noughts match`: plays engines against each other.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::{ArgAction, ArgGroup, Args};

use noughts::arena::record::MAX_ENGINES;
use noughts::arena::{
    self, Limit, MatchError, MatchFailure, MatchOutcome, MatchSettings, Openings, RecordError, TimeControl,
};
use noughts::client::{EngineSetup, EngineSpec};
use noughts::engine::{OptionRole, OptionSpec};
use noughts::system::{LineFileError, ShardChoice};
use noughts::text::Format;

use super::arguments::{GameArguments, UsageError, chosen_shard, names_shard, on_or_off, path_of_shard, sprt, whole};
use super::engines::{run_context, set_up, warn_of_log};
use super::output::print;
use super::progress::ProgressDisplay;

const EXAMPLES: &str = "Examples:
  noughts match --engine noughts --engine \"python3 mine.py\" --games 200
  noughts match --engine \"name=perfect cmd=noughts option.player=perfect\" \\
      --engine \"name=mc cmd=noughts option.player=montecarlo\" --seed 1
  noughts match --engine \"cmd=./new proto=uci\" --engine \"cmd=./old proto=uci\" \\
      --size 15 --connect 5 --movetime 100 --openings random:2 --sprt elo0=0 elo1=10";

/// The arguments of `noughts match`.
#[derive(Args)]
#[command(group = ArgGroup::new("limit").args(["movetime", "tc", "nodes", "trials"]), after_help = EXAMPLES)]
pub struct MatchArguments {
    /// An engine: a command such as "python3 mine.py", or "name=A cmd=PROGRAM args='...' dir=FOLDER
    /// proto=noughts|uci|ugi|gomocup|gtp option.NAME=VALUE restart=on". Give two or more.
    #[arg(long = "engine", value_name = "ENGINE", required = true)]
    engines: Vec<EngineSpec>,
    /// What all engines have in common, as words with a key.
    #[arg(long, value_name = "ENGINE", value_parser = EngineSpec::of_keys)]
    each: Option<EngineSpec>,
    /// The first engine plays each of the others; without it, every engine plays every other.
    #[arg(long)]
    gauntlet: bool,
    /// The game.
    #[command(flatten)]
    game: GameArguments,
    /// Games for each pair of engines.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole::<u64>(1..=1_000_000_000))]
    games: u64,
    /// Milliseconds for a move.
    #[arg(long, value_name = "MS", value_parser = whole::<u64>(1..=86_400_000))]
    movetime: Option<u64>,
    /// Seconds for the game, and for each move: 10+0.1.
    #[arg(long, value_name = "TIME")]
    tc: Option<TimeControl>,
    /// Nodes for a move.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX))]
    nodes: Option<u64>,
    /// Playouts for a move.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX))]
    trials: Option<u64>,
    /// Milliseconds by which an engine may exceed its time.
    #[arg(long, value_name = "MS", default_value_t = 50, value_parser = whole::<u64>(0..=86_400_000))]
    margin: u64,
    /// Seconds that an engine may take for a move when no time limits it.
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = whole::<u64>(1..=86_400))]
    patience: u64,
    /// Seconds that an engine may take to start.
    #[arg(long, value_name = "S", default_value_t = 10, value_parser = whole::<u64>(1..=86_400))]
    start_limit: u64,
    /// The positions in which games begin: startpos, random:K, all:K, classes:K, or a file of positions.
    #[arg(long, value_name = "OPENINGS", default_value = "startpos")]
    openings: Openings,
    /// Only openings that are proven draws; each proof looks at 100,000 positions at most.
    #[arg(long)]
    balanced: bool,
    /// Play every opening twice, with sides swapped.
    #[arg(long, value_name = "on|off", default_value = "on", value_parser = on_or_off, action = ArgAction::Set)]
    swap: bool,
    /// The seed of the random numbers: openings, their order, and the seeds of the engines.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=MatchSettings::MAX_SEED))]
    seed: Option<u64>,
    /// Games that are played at the same time, each by processes of its own.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u16>(1..=1024))]
    concurrency: u16,
    /// Keep each of the games at the same time on one core; on by default, unless an engine has option.Threads above 1.
    #[arg(long, value_name = "on|off", value_parser = on_or_off)]
    pin: Option<bool>,
    /// Stop when a sequential test accepts that the first of two engines is stronger, or that it is not: elo0=0 elo1=10
    /// alpha=0.05 beta=0.05.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..=4)]
    sprt: Vec<String>,
    /// Write every game to this file as it ends, as a line of JSON.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write every game to this file as PGN.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Continue the match in the record file: play the games that are missing.
    #[arg(long, requires = "record")]
    resume: bool,
    /// Play a part of the match, such as 3/8, the third of eight; auto or auto/N for the part that Slurm, Kubernetes or GNU
    /// Parallel gives to this process. {shard} in the names of --record and --pgn is the number of the part.
    #[arg(long, value_name = "I/N")]
    shard: Option<ShardChoice>,
    /// Start engines that crash or hang again, and play on.
    #[arg(long)]
    recover: bool,
    /// How to print the result: text, json or markdown.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Write every line of every engine to this file, with times.
    #[arg(long, value_name = "FILE")]
    debug: Option<PathBuf>,
}

/// Plays a match and prints its tables.
pub fn run(arguments: &MatchArguments) -> Result<()> {
    let settings = settings(arguments)?;
    let context = run_context(arguments.start_limit, arguments.debug.as_deref())?;
    let progress = Arc::new(ProgressDisplay::new("games"));
    let is_recorded = settings.record.is_some();
    let played = arena::run(settings, &context, progress.clone()).map_err(|error| match error {
        MatchError::Openings(_) => UsageError::new(error).into(),
        MatchError::Record(
            RecordError::File(LineFileError::Exists(_) | LineFileError::Stream(_)) | RecordError::OtherGames(_),
        ) => UsageError::new(error).into(),
        MatchError::Record(_) => anyhow::Error::from(error),
    })?;
    progress.finish();
    warn_of_log(&context);
    let MatchOutcome { summary, failure } = played;
    // A match that has not begun cannot be continued.
    let has_begun = summary.games > 0 || !matches!(failure, Some(MatchFailure::Start(_)));
    let printed = print(|out| arena::write_summary(&[summary], arguments.format, out));
    // The failure counts more than an error of printing how far the match came.
    let Some(failure) = failure else { return printed };
    let advice = if !has_begun {
        String::new()
    } else if is_recorded {
        format!("\n  to continue it: {}", resuming_command())
    } else {
        "\n  with --record FILE a match can be continued".to_owned()
    };
    Err(anyhow::anyhow!("{failure}{advice}"))
}

/// The command line that continues this match.
fn resuming_command() -> String {
    let mut words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    if !words.iter().any(|word| word == "--resume") {
        words.push("--resume".to_owned());
    }
    shell_words::join(words)
}

fn settings(arguments: &MatchArguments) -> Result<MatchSettings> {
    let shard = arguments.shard.map(chosen_shard).transpose()?;
    let engines = engines(arguments)?;
    let threads = |engine: &Arc<EngineSetup>| {
        let takes_threads = |name| OptionSpec::named(name).is_some_and(|option| option.role == OptionRole::Threads);
        engine.options.iter().any(|(name, value)| takes_threads(name) && value != "1")
    };
    let settings = MatchSettings {
        gauntlet: arguments.gauntlet,
        rules: arguments.game.rules()?,
        limit: limit(arguments),
        margin: Duration::from_millis(arguments.margin),
        patience: Duration::from_secs(arguments.patience),
        openings: arguments.openings.clone(),
        balanced: arguments.balanced,
        swap: arguments.swap,
        games: arguments.games,
        seed: arguments.seed,
        concurrency: arguments.concurrency.into(),
        pinned: arguments.pin.unwrap_or_else(|| !engines.iter().any(threads)),
        sprt: sprt(&arguments.sprt)?,
        record: arguments.record.as_deref().map(|path| path_of_shard(path, shard)).transpose()?,
        pgn: arguments.pgn.as_deref().map(|path| path_of_shard(path, shard)).transpose()?,
        resume: arguments.resume,
        shard: shard.unwrap_or_default(),
        recover: arguments.recover,
        engines,
    };
    check(&settings, arguments.debug.as_deref())?;
    if let (Some(record), Some(pgn)) = (&arguments.record, &arguments.pgn)
        && names_shard(record)
        && !names_shard(pgn)
        && !is_special(pgn)
    {
        let pgn = pgn.display();
        bail!(UsageError::new(format_args!(
            "--pgn {pgn} is one file for all parts: expected {{shard}} in its name, as in that of --record"
        )));
    }
    Ok(settings)
}

fn limit(arguments: &MatchArguments) -> Limit {
    None.or(arguments.movetime.map(Limit::MoveTime))
        .or(arguments.tc.map(Limit::Clock))
        .or(arguments.nodes.map(Limit::Nodes))
        .or(arguments.trials.map(Limit::Trials))
        .unwrap_or_default()
}

/// Checks what depends on several arguments.
fn check(settings: &MatchSettings, debug: Option<&Path>) -> Result<(), UsageError> {
    if settings.sprt.is_some() && settings.engines.len() > 2 {
        return Err(UsageError::new("--sprt is about two engines"));
    }
    if settings.shard.of > 1 && settings.seed.is_none() {
        return Err(UsageError::new("--shard needs --seed: parts of a match must agree on its openings"));
    }
    settings.check_engines().map_err(UsageError::new)?;
    check_files(&[settings.record.as_deref(), settings.pgn.as_deref(), debug])
}

/// Checks that no two outputs go to one file.
fn check_files(paths: &[Option<&Path>]) -> Result<(), UsageError> {
    let mut seen = HashSet::new();
    for path in paths.iter().flatten() {
        if !is_special(path) && !seen.insert(path) {
            let path = path.display();
            return Err(UsageError::new(format_args!("--record, --pgn and --debug cannot share one file, {path}")));
        }
    }
    Ok(())
}

/// True if the path is that of a device or a folder. Several outputs may share a device.
fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| !metadata.is_file())
}

/// The engines, each under a name of its own.
fn engines(arguments: &MatchArguments) -> Result<Vec<Arc<EngineSetup>>> {
    if arguments.engines.len() < 2 {
        bail!(UsageError::new("a match needs two engines: give --engine twice or more"));
    }
    if arguments.engines.len() > MAX_ENGINES {
        bail!(UsageError::new(format_args!("a match has room for {MAX_ENGINES} engines")));
    }
    let each = arguments.each.clone().unwrap_or_default();
    let specs: Vec<EngineSpec> = arguments.engines.iter().map(|spec| spec.clone().or(&each)).collect();
    let mut names = HashSet::new();
    for name in specs.iter().filter_map(|spec| spec.name.as_ref()) {
        if !names.insert(name.clone()) {
            bail!(UsageError::new(format_args!("two engines are called {name}")));
        }
    }
    let mut engines = Vec::new();
    for spec in &specs {
        let mut engine = set_up(spec)?;
        if spec.name.is_none() {
            // Names that descriptions give stay with their engines.
            let numbered = (2..).map(|number| format!("{}-{number}", engine.name));
            let name = std::iter::once(engine.name.clone()).chain(numbered).find(|name| !names.contains(name));
            engine.name = name.unwrap_or_default();
            names.insert(engine.name.clone());
        }
        engines.push(Arc::new(engine));
    }
    Ok(engines)
}
