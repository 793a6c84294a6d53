//! `noughts play`: a game at the terminal, on the board that fits it.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use anyhow::Result;
use signal_hook::consts::{SIGABRT, SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::iterator::Signals;
use signal_hook::low_level;

use noughts::tui::screen::{self, Screen, ScreenEvent, ScreenExit, Theme};
use noughts::tui::{self, AnswerHandler, LiveGame, Participant, PlayError, PlaySettings};

use crate::cli::PlayArguments;
use crate::cli::engines::{UsageError, rules, set_up};

/// Plays.
pub fn play(arguments: &PlayArguments) -> Result<()> {
    let side = |name: &str, engine: &Option<String>| match engine {
        Some(command) => program(command),
        None => Ok(Participant::named(name).map_err(UsageError::new)?),
    };
    let settings = PlaySettings {
        rules: rules(&arguments.game)?,
        sides: [side(&arguments.x, &arguments.x_engine)?, side(&arguments.o, &arguments.o_engine)?],
        trials: arguments.trials,
        level: arguments.level,
        seed: arguments.seed,
    };
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if arguments.plain || !is_terminal { play_plainly(settings) } else { play_on_screen(settings, arguments.panic) }
}

fn play_plainly(settings: PlaySettings) -> Result<()> {
    let (sender, answers) = channel();
    // A board that has ended needs no answers.
    let game = start(settings, Arc::new(move |answer| drop(sender.send(answer))))?;
    let (input, output) = (io::stdin(), io::stdout());
    let echo = !input.is_terminal();
    Ok(tui::play_plainly(game, &answers, input.lock(), io::LineWriter::new(output.lock()), echo)?)
}

fn play_on_screen(settings: PlaySettings, panics: bool) -> Result<()> {
    let (sender, events) = channel();
    let answers = sender.clone();
    let game = start(settings, Arc::new(move |answer| drop(answers.send(ScreenEvent::Answer(Box::new(answer))))))?;
    // https://no-color.org: set and not empty.
    let theme = Theme { colour: std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) };
    forward_signals(sender.clone())?;
    let mut screen = Screen::new(game, sender, theme);
    screen.break_down_at_first_key(panics);
    match screen::run(screen, &events)? {
        ScreenExit::Quit => Ok(()),
        // The terminal is restored: now the signal may do what it does by default.
        ScreenExit::Signal(signal) => Ok(low_level::emulate_default_handler(signal)?),
    }
}

/// Turns signals that would end the program into events, so that the terminal is restored first; also the signal after
/// which a stopped program goes on.
fn forward_signals(events: Sender<ScreenEvent>) -> Result<()> {
    let ends = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGALRM, SIGUSR1, SIGUSR2];
    let mut signals = Signals::new(ends.iter().chain(&[SIGCONT]))?;
    let forward = move || {
        for signal in signals.forever() {
            let event = if signal == SIGCONT { ScreenEvent::Continued } else { ScreenEvent::Signal(signal) };
            if events.send(event).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("signals".to_owned()).spawn(forward)?;
    Ok(())
}

fn start(settings: PlaySettings, handler: AnswerHandler) -> Result<LiveGame> {
    LiveGame::start(settings, handler).map_err(|error| match error {
        PlayError::System(_) => error.into(),
        error => UsageError::new(error).into(),
    })
}

fn program(command: &str) -> Result<Participant> {
    let spec = Participant::described(command).map_err(UsageError::new)?;
    Ok(Participant::External(Arc::new(set_up(&spec)?)))
}
