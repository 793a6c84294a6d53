//! `noughts exam`: arguments to settings, figures to standard output, all else to standard error.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;

use noughts::client::{EngineProtocol, EngineSetup};
use noughts::exam::{self, ExamOutcome, ExamSettings, Selection};
use noughts::game::Rules;
use noughts::search::Limits;

use crate::cli::engines::{Bound, UsageError, check_limit, print, set_up, surroundings};
use crate::cli::progress::Watcher;
use crate::cli::{ExamArguments, ExamRules};

/// Options that say what is asked.
const GAME: [&str; 3] = ["size", "connect", "reverse"];

/// The largest board on which an exam asks every position if nothing is said.
const ALL_UP_TO: u8 = 3;

/// The largest board of which every position is known.
const LARGEST: u8 = 4;

/// Positions that are asked on larger boards if nothing is said.
const SAMPLE: Selection = Selection::Sample(2000);

/// Holds an exam.
pub fn hold(arguments: &ExamArguments) -> Result<()> {
    let engine = set_up(&arguments.engine)?;
    check(&engine)?;
    let bound = match arguments {
        ExamArguments { movetime: Some(_), .. } => Bound::Time,
        ExamArguments { nodes: None, trials: None, .. } => Bound::None,
        _ => Bound::Count,
    };
    check_limit(&engine, bound, "--movetime, --nodes or --trials")?;
    let games = match arguments.rules {
        ExamRules::Normal => &[false][..],
        ExamRules::Reverse => &[true],
        ExamRules::Both => &[false, true],
    };
    let &ExamArguments { size, connect, .. } = arguments;
    if size > LARGEST {
        let problem = format_args!("an exam of {size}x{size}: only boards up to 4x4 are known position by position");
        return Err(UsageError::new(problem).into());
    }
    let rules: Result<Vec<Rules>, _> = games.iter().map(|&reverse| Rules::new(size, connect, reverse)).collect();
    let default = if size <= ALL_UP_TO { Selection::All } else { SAMPLE };
    let settings = ExamSettings {
        engine: Arc::new(engine),
        rules: rules.map_err(UsageError::new)?,
        selection: arguments.sample.unwrap_or(default),
        limits: Limits {
            move_time: arguments.movetime,
            nodes: arguments.nodes,
            trials: arguments.trials,
            ..Limits::default()
        },
        repeat: arguments.repeat,
        ties: arguments.ties,
        list: arguments.list,
        seed: arguments.seed,
        patience: Duration::from_secs(arguments.patience),
    };
    let surroundings = surroundings(arguments.start_limit, arguments.debug.as_deref())?;
    let watcher = Watcher::new("answers");
    let ExamOutcome { report, failure } = exam::run(&settings, &surroundings, &watcher);
    watcher.finish();
    let printed = match report.exams[..] {
        [] => Ok(()),
        _ => print(|out| exam::write(&report, arguments.format, out)),
    };
    match failure {
        Some(failure) => Err(failure.into()),
        None => printed,
    }
}

/// What the description of an engine may not say here.
fn check(engine: &EngineSetup) -> Result<(), UsageError> {
    if let Some(name) = GAME.into_iter().find(|name| engine.sets(name)) {
        return Err(UsageError::new(format_args!(
            "an exam sets option.{name} itself; choose the game with --rules, --size and --connect"
        )));
    }
    if engine.protocol == EngineProtocol::Gomocup {
        let problem = "an exam asks about boards up to 4x4, and the Gomocup protocol begins at 5x5";
        return Err(UsageError::new(problem));
    }
    if engine.restart {
        return Err(UsageError::new("an exam has no games between which an engine could restart"));
    }
    Ok(())
}
