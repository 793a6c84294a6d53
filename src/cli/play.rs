//! `noughts play`: a game at the terminal, on the board that fits it.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

use anyhow::{Context, Result};
use clap::Args;

use noughts::system::{TerminalSignal, has_cursor_addressing, signals};
use noughts::tui::screen::{self, Screen, ScreenEvent, ScreenExit, Theme};
use noughts::tui::{self, AnswerHandler, LiveGame, MoveBudget, Participant, PlayError, PlaySettings};

use super::arguments::{GameArguments, UsageError, whole};
use super::engines::program;

/// The arguments of `noughts play`.
#[derive(Args)]
pub struct PlayArguments {
    /// The game.
    #[command(flatten)]
    game: GameArguments,
    /// Who plays X: person, auto, perfect, montecarlo, mcts, random, or another player of the engine.
    #[arg(long, value_name = "PLAYER", default_value = "person")]
    x: String,
    /// Who plays O.
    #[arg(long, value_name = "PLAYER", default_value = "auto")]
    o: String,
    /// A program that plays X: a command, or "cmd=PROGRAM proto=noughts|uci|ugi|gomocup|gtp option.NAME=VALUE".
    #[arg(long, value_name = "CMD", conflicts_with = "x")]
    x_engine: Option<String>,
    /// A program that plays O.
    #[arg(long, value_name = "CMD", conflicts_with = "o")]
    o_engine: Option<String>,
    /// How strong the engine's players are, from 1, which a beginner beats, to 10.
    #[arg(long, value_name = "L", default_value_t = 10, value_parser = whole::<u8>(1..=10))]
    level: u8,
    /// Milliseconds that a computer player thinks about a move, where no proof ends sooner; by default 1000. With --seed
    /// the default is no clock, but the budget of a go without limits.
    #[arg(long, value_name = "MS", value_parser = whole::<u32>(1..=u64::from(MoveBudget::LONGEST_TIME)))]
    movetime: Option<u32>,
    /// So many playouts of a move and no clock, for players that play them.
    #[arg(long, value_name = "N", conflicts_with = "movetime", value_parser = whole::<u32>(1..=i32::MAX as u64))]
    trials: Option<u32>,
    /// The seed of the random numbers: the same seed gives the same game. 0 for another game every time.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u32>(0..=i32::MAX as u64))]
    seed: u32,
    /// Lines of text instead of a board that fills the screen. Always so without a terminal, where TERM is "dumb", and on
    /// Unix where it is unset or empty.
    #[arg(long)]
    plain: bool,
}

/// Plays a game.
pub fn run(arguments: &PlayArguments) -> Result<()> {
    let side = |name: &str, engine: &Option<String>| match engine {
        Some(command) => program(command).map(Participant::External),
        None => Ok(Participant::named(name).map_err(UsageError::new)?),
    };
    let settings = PlaySettings {
        rules: arguments.game.rules()?,
        sides: [side(&arguments.x, &arguments.x_engine)?, side(&arguments.o, &arguments.o_engine)?],
        budget: arguments.budget(),
        level: arguments.level,
        seed: arguments.seed,
    };
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let fills_screen = !arguments.plain && is_terminal && has_cursor_addressing();
    if fills_screen { play_on_screen(settings) } else { play_plainly(settings) }
}

impl PlayArguments {
    /// The budget of a computer player for a move. With a seed it is never the clock, unless the command line sets a time.
    fn budget(&self) -> MoveBudget {
        match (self.movetime, self.trials) {
            (Some(time), _) => MoveBudget::Time(time),
            (None, Some(playouts)) => MoveBudget::Playouts(playouts),
            (None, None) if self.seed == 0 => MoveBudget::SECOND,
            (None, None) => MoveBudget::Standard,
        }
    }
}

fn play_plainly(settings: PlaySettings) -> Result<()> {
    let (sender, answers) = channel();
    // Answers that come after the board has ended are dropped.
    let game = start(settings, Arc::new(move |answer| drop(sender.send(answer))))?;
    let (input, output) = (io::stdin(), io::stdout());
    let echo = !input.is_terminal();
    tui::play_plainly(game, &answers, input.lock(), io::LineWriter::new(output.lock()), echo)
        .context("cannot read standard input, or write the game to standard output")
}

fn play_on_screen(settings: PlaySettings) -> Result<()> {
    let (sender, events) = channel();
    let answers = sender.clone();
    let game = start(settings, Arc::new(move |answer| drop(answers.send(ScreenEvent::Answer(Box::new(answer))))))?;
    // https://no-color.org: set and not empty.
    let theme = Theme { colour: std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) };
    forward_signals(sender.clone())?;
    let screen = Screen::new(game, sender, theme);
    match screen::run(screen, &events)? {
        ScreenExit::Quit => Ok(()),
        // The terminal is restored: now the signal may do what it does by default.
        ScreenExit::Signal(signal) => Ok(signals::do_by_default(signal)?),
    }
}

/// Turns signals that would end the program into events, so that the terminal is restored first; also SIGCONT, with
/// which a stopped program goes on.
fn forward_signals(events: Sender<ScreenEvent>) -> io::Result<()> {
    signals::forward_terminal_signals(move |signal| {
        let event = match signal {
            TerminalSignal::Continued => ScreenEvent::Continued,
            TerminalSignal::End(signal) => ScreenEvent::Signal(signal),
        };
        events.send(event).is_ok()
    })
}

fn start(settings: PlaySettings, handler: AnswerHandler) -> Result<LiveGame> {
    LiveGame::start(settings, handler).map_err(|error| match error {
        PlayError::System(_) => error.into(),
        error => UsageError::new(error).into(),
    })
}
