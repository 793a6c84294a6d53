//! `noughts match` and `noughts report`: arguments to settings, figures to standard output, all else to standard
//! error.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;

use noughts::arena::record::MAX_ENGINES;
use noughts::arena::statistics::{Sprt, SprtSettings};
use noughts::arena::{self, Limit, MatchError, MatchFailure, MatchOutcome, MatchSettings, RecordError};
use noughts::client::{EngineSetup, EngineSpec};

use crate::cli::engines::{Bound, UsageError, check_limit, print, rules, set_up, surroundings};
use crate::cli::progress::Watcher;
use crate::cli::{MatchArguments, ReportArguments};

/// Plays a match.
pub fn play(arguments: MatchArguments) -> Result<()> {
    let settings = settings(&arguments)?;
    let surroundings = surroundings(arguments.start_limit, arguments.debug.as_deref())?;
    let watcher = Arc::new(Watcher::new("games"));
    let recorded = settings.record.is_some();
    let played = arena::run(settings, &surroundings, watcher.clone()).map_err(|error| match error {
        MatchError::Openings(_) => UsageError::new(error).into(),
        MatchError::Record(RecordError::Exists(_) | RecordError::OtherMatch(_)) => UsageError::new(error).into(),
        MatchError::Record(_) => anyhow::Error::from(error),
    })?;
    watcher.finish();
    let MatchOutcome { summary, failure } = played;
    // A match that has not begun has nothing to be continued.
    let has_begun = summary.games > 0 || !matches!(failure, Some(MatchFailure::Start { .. }));
    let printed = print(|out| arena::write_summary(&[summary], arguments.format, out));
    // A failed match has failed, whether or not anybody reads how far it came.
    let Some(failure) = failure else { return printed };
    let advice = if !has_begun {
        String::new()
    } else if recorded {
        format!("\n  to continue it: {}", resuming_command())
    } else {
        "\n  with --record FILE a match can be continued".to_owned()
    };
    Err(anyhow::anyhow!("{failure}{advice}"))
}

/// Prints the tables of recorded matches.
pub fn report(arguments: &ReportArguments) -> Result<()> {
    let sprt = sprt(&arguments.sprt)?;
    let summaries = arena::report(&arguments.files, sprt, &Watcher::new("games"))?;
    print(|out| arena::write_summary(&summaries, arguments.format, out))
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
    let engines = engines(arguments)?;
    let threads = |engine: &Arc<EngineSetup>| {
        engine.options.iter().any(|(name, value)| name.eq_ignore_ascii_case("threads") && value != "1")
    };
    let settings = MatchSettings {
        gauntlet: arguments.gauntlet,
        rules: rules(&arguments.game)?,
        limit: limit(arguments),
        margin: Duration::from_millis(arguments.margin),
        patience: Duration::from_secs(arguments.patience),
        openings: arguments.openings.clone(),
        balanced: arguments.balanced,
        swap: arguments.swap,
        games: arguments.games,
        seed: arguments.seed,
        concurrency: arguments.concurrency.into(),
        interleave: arguments.interleave.into(),
        pinned: arguments.pin.unwrap_or_else(|| !engines.iter().any(threads)),
        sprt: sprt(&arguments.sprt)?,
        record: arguments.record.clone(),
        pgn: arguments.pgn.clone(),
        resume: arguments.resume,
        shard: arguments.shard.unwrap_or_default(),
        recover: arguments.recover,
        engines,
    };
    check(&settings, arguments.debug.as_deref())?;
    Ok(settings)
}

fn limit(arguments: &MatchArguments) -> Limit {
    None.or(arguments.movetime.map(Limit::MoveTime))
        .or(arguments.tc.map(Limit::Clock))
        .or(arguments.nodes.map(Limit::Nodes))
        .or(arguments.trials.map(Limit::Trials))
        .unwrap_or_default()
}

/// What no single argument can know.
fn check(settings: &MatchSettings, debug: Option<&Path>) -> Result<(), UsageError> {
    if settings.interleave > 1 && settings.limit.is_timed() {
        return Err(UsageError::new("--interleave plays many games at once: there is no telling the time of one move"));
    }
    if settings.interleave > 1 && settings.engines.iter().any(|engine| engine.restart) {
        return Err(UsageError::new("--interleave plays many games at once: engines cannot restart between them"));
    }
    if settings.sprt.is_some() && settings.engines.len() > 2 {
        return Err(UsageError::new("--sprt is about two engines"));
    }
    if settings.shard.of > 1 && settings.seed.is_none() {
        return Err(UsageError::new("--shard needs --seed: parts of a match must agree on its openings"));
    }
    let bound = match settings.limit {
        Limit::None => Bound::None,
        Limit::MoveTime(_) | Limit::Clock(_) => Bound::Time,
        Limit::Nodes(_) | Limit::Trials(_) => Bound::Count,
    };
    let flags = "--movetime, --tc, --nodes or --trials";
    settings.engines.iter().try_for_each(|engine| check_limit(engine, bound, flags))?;
    check_game(settings)?;
    check_files(&[settings.record.as_deref(), settings.pgn.as_deref(), debug])
}

/// An engine that is told to play another game than the match would lose every game of it.
fn check_game(settings: &MatchSettings) -> Result<(), UsageError> {
    let rules = settings.rules;
    let of_game = [
        ("size", rules.size().to_string()),
        ("connect", rules.connect().to_string()),
        ("reverse", rules.reverse().to_string()),
    ];
    for engine in &settings.engines {
        for (option, value) in &of_game {
            let differs = |(name, own): &(String, String)| name.eq_ignore_ascii_case(option) && own != value;
            if engine.options.iter().any(differs) {
                let name = &engine.name;
                return Err(UsageError::new(format_args!("engine {name}: --{option} sets option.{option} for all")));
            }
        }
    }
    Ok(())
}

/// What is written to one file would not be read again.
fn check_files(paths: &[Option<&Path>]) -> Result<(), UsageError> {
    let mut seen = HashSet::new();
    for path in paths.iter().flatten() {
        let is_special = path.metadata().is_ok_and(|metadata| !metadata.is_file());
        if !is_special && !seen.insert(path) {
            let path = path.display();
            return Err(UsageError::new(format_args!("--record, --pgn and --debug cannot share one file, {path}")));
        }
    }
    Ok(())
}

/// The engines, each under a name of its own.
fn engines(arguments: &MatchArguments) -> Result<Vec<Arc<EngineSetup>>> {
    if arguments.engines.len() < 2 {
        return Err(UsageError::new("a match needs two engines: give --engine twice or more").into());
    }
    if arguments.engines.len() > MAX_ENGINES {
        return Err(UsageError::new(format_args!("a match has room for {MAX_ENGINES} engines")).into());
    }
    let each = arguments.each.clone().unwrap_or_default();
    let specs: Vec<EngineSpec> = arguments.engines.iter().map(|spec| spec.clone().or(&each)).collect();
    let mut names = HashSet::new();
    for name in specs.iter().filter_map(|spec| spec.name.as_ref()) {
        if !names.insert(name.clone()) {
            return Err(UsageError::new(format_args!("two engines are called {name}")).into());
        }
    }
    let mut engines = Vec::new();
    for spec in &specs {
        let mut engine = set_up(spec)?;
        if spec.name.is_none() {
            // Names that somebody has given are left to their engines.
            let numbered = (2..).map(|number| format!("{}-{number}", engine.name));
            let name = std::iter::once(engine.name.clone()).chain(numbered).find(|name| !names.contains(name));
            engine.name = name.unwrap_or_default();
            names.insert(engine.name.clone());
        }
        engines.push(Arc::new(engine));
    }
    Ok(engines)
}

/// The sequential test of `elo0=0 elo1=10 alpha=0.05 beta=0.05`; what is left out is as here.
fn sprt(words: &[String]) -> Result<Option<Sprt>, UsageError> {
    if words.is_empty() {
        return Ok(None);
    }
    let mut settings = SprtSettings { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };
    for word in words.iter().flat_map(|words| words.split_whitespace()) {
        let wrong =
            || UsageError::new(format_args!("--sprt: expected elo0=0 elo1=10 alpha=0.05 beta=0.05, found {word:?}"));
        let (key, value) = word.split_once('=').ok_or_else(wrong)?;
        let number = value.parse().map_err(|_| wrong())?;
        match key {
            "elo0" => settings.elo0 = number,
            "elo1" => settings.elo1 = number,
            "alpha" => settings.alpha = number,
            "beta" => settings.beta = number,
            _ => return Err(wrong()),
        }
    }
    Sprt::new(settings).map(Some).map_err(|error| UsageError::new(format_args!("--sprt: {error}")))
}
