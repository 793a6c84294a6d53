//! `noughts play`: arguments to a table, and the face that fits the terminal.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use anyhow::Result;
use signal_hook::consts::{SIGABRT, SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::iterator::Signals;
use signal_hook::low_level;

use noughts::tui::screen::{self, Ending, Event, Look, Screen};
use noughts::tui::{self, Manner, Participant, Post, Refusal, Settings, Table};

use crate::cli::PlayArguments;
use crate::cli::engines::{UsageError, rules, set_up};

/// Plays.
pub fn play(arguments: &PlayArguments) -> Result<()> {
    let side = |name: &str, engine: &Option<String>| match engine {
        Some(command) => program(command),
        None => Ok(Participant::named(name)),
    };
    let settings = Settings {
        rules: rules(&arguments.game)?,
        sides: [side(&arguments.x, &arguments.x_engine)?, side(&arguments.o, &arguments.o_engine)?],
        trials: arguments.trials,
        level: arguments.level,
        seed: arguments.seed,
    };
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if arguments.plain || !is_terminal { play_plainly(settings) } else { play_on_screen(settings, arguments.panic) }
}

fn play_plainly(settings: Settings) -> Result<()> {
    let (sender, answers) = channel();
    // Whoever has left the table needs no answers.
    let table = sit_down(settings, Arc::new(move |answer| drop(sender.send(answer))))?;
    let (input, output) = (io::stdin(), io::stdout());
    let manner = Manner { echo: !input.is_terminal() };
    Ok(tui::play_plainly(table, &answers, input.lock(), io::LineWriter::new(output.lock()), &manner)?)
}

fn play_on_screen(settings: Settings, panics: bool) -> Result<()> {
    let (sender, events) = channel();
    let answers = sender.clone();
    let table = sit_down(settings, Arc::new(move |answer| drop(answers.send(Event::Answer(Box::new(answer))))))?;
    // https://no-color.org: set and not empty.
    let look = Look { colour: std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) };
    hear_signals(sender.clone())?;
    let mut screen = Screen::new(table, sender, look);
    screen.break_down_at_first_key(panics);
    match screen::run(screen, &events)? {
        Ending::Quit => Ok(()),
        // The terminal is as it was: now the signal may do what signals do.
        Ending::Signal(signal) => Ok(low_level::emulate_default_handler(signal)?),
    }
}

/// Hands in signals that would end the program, so that the terminal is given back first, and the one after which the
/// terminal is to be taken again.
fn hear_signals(events: Sender<Event>) -> Result<()> {
    let ends = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGALRM, SIGUSR1, SIGUSR2];
    let mut signals = Signals::new(ends.iter().chain(&[SIGCONT]))?;
    let hear = move || {
        for signal in signals.forever() {
            let event = if signal == SIGCONT { Event::Continued } else { Event::Signal(signal) };
            if events.send(event).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("signals".to_owned()).spawn(hear)?;
    Ok(())
}

fn sit_down(settings: Settings, post: Post) -> Result<Table> {
    Table::new(settings, post).map_err(|refusal| match refusal {
        Refusal::Program(_) => refusal.into(),
        refusal => UsageError::new(refusal).into(),
    })
}

fn program(command: &str) -> Result<Participant> {
    let spec = Participant::described(command).map_err(UsageError::new)?;
    Ok(Participant::Program(Arc::new(set_up(&spec)?)))
}
