//! The board that fills a terminal.
//!
//! A [`Screen`] is a game and what is shown of it. Keys and answers go in, and it draws itself. It knows no terminal, so
//! tests look at it in memory; [`run`] shows it on a terminal.
//!
//! | file | what it holds |
//! |---|---|
//! | `mod` | events, and the loop that waits for them |
//! | `drawing`, `board_view` | the whole screen; the board on it, and the colours |
//! | `grid` | where the cells are |
//! | `settings_panel` | settings that are being chosen |
//! | `terminal_guard` | the terminal, taken and restored |

mod board_view;
mod drawing;
mod grid;
mod settings_panel;
mod terminal_guard;

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};

use crate::client::EngineSetup;
use crate::text::explanation;
use noughts_core::game::{Cell, Rules, Shape};
use noughts_core::search::Explanation;

use super::live_game::{LiveGame, Turn};
use super::player_answer::PlayerAnswer;
use super::settings::{Participant, PlayError};

use grid::Grid;
use settings_panel::{PanelAction, SettingsPanel};

pub use board_view::Theme;
pub use terminal_guard::TerminalGuard;

/// The interval at which the screen is drawn while a computer player thinks, for its progress and the clock.
const TICK: Duration = Duration::from_millis(100);

/// A game as far as it has gone: its rules and its moves.
type MovesSoFar = (Rules, Vec<Cell>);

/// An event while a screen is shown.
pub enum ScreenEvent {
    /// A key, the mouse, or a change of the terminal's size.
    Terminal(event::Event),
    /// An answer of a computer player or of the hints.
    Answer(Box<PlayerAnswer>),
    /// The explanation of the last move of this game.
    Explanation(MovesSoFar, Box<Explanation>),
    /// The process goes on after it was stopped. Another program has used the terminal since.
    Continued,
    /// The input cannot be read any more.
    InputEnded,
    /// This signal has come.
    Signal(i32),
}

/// A request of the screen to the loop that shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScreenAction {
    /// End.
    Exit(ScreenExit),
    /// Restore the terminal and stop, until the shell continues the process.
    Suspend,
    /// Take the terminal again.
    Renew,
    /// Clear the terminal and draw all of it.
    Redraw,
}

/// The reason for the end of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScreenExit {
    /// The person wants to quit.
    Quit,
    /// This signal has come.
    Signal(i32),
}

/// The text or the panel that lies over the board.
enum Overlay {
    None,
    Help,
    /// An explanation as text that is not folded yet, and how many lines are scrolled past.
    Text(String, usize),
    Settings(Box<SettingsPanel>),
}

/// A game and what is shown of it.
pub struct Screen {
    game: LiveGame,
    events: Sender<ScreenEvent>,
    cursor: Cell,
    overlay: Overlay,
    /// The reason why the last key did nothing.
    error: Option<String>,
    theme: Theme,
    grid: Option<Grid>,
    /// Programs that were named on the command line or on this screen.
    programs: Vec<Arc<EngineSetup>>,
    /// The game whose last move is being explained.
    explained: Option<MovesSoFar>,
}

impl Screen {
    /// The screen of a game. Explanations come back through `events`.
    pub fn new(game: LiveGame, events: Sender<ScreenEvent>, theme: Theme) -> Screen {
        let Shape { rows, columns } = game.settings().rules.shape();
        let cursor = Cell::new((rows - 1) / 2, (columns - 1) / 2);
        let mut programs: Vec<_> = game.settings().sides.iter().filter_map(Participant::program).cloned().collect();
        programs.dedup();
        let (overlay, error, grid, explained) = (Overlay::None, None, None, None);
        Screen { game, events, cursor, overlay, error, theme, grid, programs, explained }
    }

    /// The game.
    pub fn game(&self) -> &LiveGame {
        &self.game
    }

    /// Takes an event, and returns what the loop has to do now.
    pub fn handle(&mut self, event: ScreenEvent) -> Option<ScreenAction> {
        match event {
            ScreenEvent::Terminal(event::Event::Key(key)) if key.kind != KeyEventKind::Release => return self.key(key),
            ScreenEvent::Terminal(event::Event::Mouse(mouse))
                if mouse.kind == MouseEventKind::Down(MouseButton::Left) =>
            {
                self.click(mouse.column, mouse.row);
            }
            ScreenEvent::Terminal(event::Event::Resize(..)) => return Some(ScreenAction::Redraw),
            ScreenEvent::Terminal(event::Event::Paste(text)) => {
                // On the board every letter would be a key.
                if let Overlay::Settings(panel) = &mut self.overlay {
                    panel.paste(&text);
                }
            }
            ScreenEvent::Terminal(_) => {}
            ScreenEvent::Answer(answer) => drop(self.game.receive(*answer)),
            ScreenEvent::Explanation(game, found) => self.show_explanation(&game, &found),
            ScreenEvent::Continued => return Some(ScreenAction::Renew),
            ScreenEvent::InputEnded => return Some(ScreenAction::Exit(ScreenExit::Quit)),
            ScreenEvent::Signal(signal) => return Some(ScreenAction::Exit(ScreenExit::Signal(signal))),
        }
        None
    }

    fn key(&mut self, key: KeyEvent) -> Option<ScreenAction> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if control => return Some(ScreenAction::Exit(ScreenExit::Quit)),
            KeyCode::Char('z') if control => return Some(ScreenAction::Suspend),
            _ => {}
        }
        self.error = None;
        match std::mem::replace(&mut self.overlay, Overlay::None) {
            // With Ctrl or Alt a letter is no command of the board.
            Overlay::None if control || key.modifiers.contains(KeyModifiers::ALT) => {}
            Overlay::None => return self.board_key(key.code),
            Overlay::Text(text, first) if key.code == KeyCode::Down => {
                // The drawing limits how far it goes.
                self.overlay = Overlay::Text(text, first + 1);
            }
            Overlay::Text(text, first) if key.code == KeyCode::Up => {
                self.overlay = Overlay::Text(text, first.saturating_sub(1));
            }
            Overlay::Help | Overlay::Text(..) => {}
            Overlay::Settings(panel) => self.panel_key(panel, key),
        }
        None
    }

    fn board_key(&mut self, key: KeyCode) -> Option<ScreenAction> {
        let mut done = Ok(());
        match key {
            KeyCode::Char('q') => return Some(ScreenAction::Exit(ScreenExit::Quit)),
            KeyCode::Up => self.go(-1, 0),
            KeyCode::Down => self.go(1, 0),
            KeyCode::Left => self.go(0, -1),
            KeyCode::Right => self.go(0, 1),
            KeyCode::Enter | KeyCode::Char(' ') => done = self.play(),
            KeyCode::Char('u') => done = self.game.undo(),
            KeyCode::Char('r') => done = self.game.redo(),
            KeyCode::Char('n') => self.game.restart(),
            KeyCode::Char('h') => self.game.show_hints(!self.game.wants_hints()),
            KeyCode::Char('w') => done = self.explain(),
            KeyCode::Char('s') => {
                self.overlay = Overlay::Settings(Box::new(SettingsPanel::new(&self.game, &self.programs)));
            }
            KeyCode::Char('?') | KeyCode::F(1) => self.overlay = Overlay::Help,
            _ => {}
        }
        self.note(done);
        None
    }

    /// Explains the last move in the background, unless that goes on already.
    fn explain(&mut self) -> Result<(), PlayError> {
        let game = (self.game.settings().rules, self.game.moves().to_vec());
        if self.explained.as_ref() == Some(&game) {
            return Ok(());
        }
        let (events, about) = (self.events.clone(), game.clone());
        // A screen that has ended needs no explanation.
        let tell = move |found| drop(events.send(ScreenEvent::Explanation(about, Box::new(found))));
        self.game.explain_later(tell)?;
        self.explained = Some(game);
        Ok(())
    }

    /// Shows an explanation, if it is the awaited one and the game still goes on from there. It does not hide settings that
    /// are being chosen.
    fn show_explanation(&mut self, game: &MovesSoFar, found: &Explanation) {
        let is_awaited = self.explained.take_if(|awaited| awaited == game).is_some();
        if is_awaited && self.goes_on_from(game) && !matches!(self.overlay, Overlay::Settings(_)) {
            self.overlay = Overlay::Text(explanation::unfolded(found), 0);
        }
    }

    /// True if a move is being explained that the game still goes on from.
    fn is_explaining(&self) -> bool {
        self.explained.as_ref().is_some_and(|game| self.goes_on_from(game))
    }

    fn goes_on_from(&self, (rules, moves): &MovesSoFar) -> bool {
        self.game.settings().rules == *rules && self.game.moves().starts_with(moves)
    }

    fn panel_key(&mut self, mut panel: Box<SettingsPanel>, key: KeyEvent) {
        let action = panel.key(key);
        // A program that was named stays in the list, also when no side plays it then.
        self.programs = panel.programs().cloned().collect();
        match action {
            PanelAction::Stay => {}
            PanelAction::Leave => return,
            PanelAction::Accept(settings) => {
                let done = self.game.apply(settings);
                self.note(done);
                // The board may be smaller.
                self.go(0, 0);
                return;
            }
        }
        self.overlay = Overlay::Settings(panel);
    }

    /// Moves the cursor within the board.
    fn go(&mut self, down: i8, right: i8) {
        let Shape { rows, columns } = self.game.settings().rules.shape();
        let row = self.cursor.row().saturating_add_signed(down).min(rows - 1);
        self.cursor = Cell::new(row, self.cursor.column().saturating_add_signed(right).min(columns - 1));
    }

    fn play(&mut self) -> Result<(), PlayError> {
        if self.game.turn() == Turn::Waiting {
            self.game.go_on();
            return Ok(());
        }
        self.game.play(&self.cursor.to_string())
    }

    fn click(&mut self, column: u16, row: u16) {
        self.error = None;
        if !matches!(self.overlay, Overlay::None) {
            return;
        }
        if let Some(cell) = self.grid.and_then(|grid| grid.cell_at(column, row)) {
            self.cursor = cell;
            let done = self.play();
            self.note(done);
        }
    }

    fn note(&mut self, done: Result<(), PlayError>) {
        self.error = done.err().map(|error| error.to_string());
    }
}

/// Shows a screen on the terminal until it ends, and restores the terminal.
///
/// # Errors
/// When the terminal cannot be used.
pub fn run(mut screen: Screen, events: &Receiver<ScreenEvent>) -> io::Result<ScreenExit> {
    let guard = TerminalGuard::take()?;
    // A new ratatui terminal believes that nothing is drawn yet, and draws everything.
    let blank = || Terminal::new(CrosstermBackend::new(io::stdout()));
    let mut terminal = blank()?;
    read_input(screen.events.clone())?;
    let exit = loop {
        terminal.draw(|frame| screen.draw(frame))?;
        let changes_with_time = matches!(screen.game.turn(), Turn::Thinking(_));
        let next = match events.recv_timeout(if changes_with_time { TICK } else { Duration::MAX }) {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => break ScreenExit::Quit,
        };
        // All events that have come are handled before the next drawing.
        match std::iter::once(next).chain(events.try_iter()).find_map(|event| screen.handle(event)) {
            None => continue,
            Some(ScreenAction::Exit(exit)) => break exit,
            Some(ScreenAction::Suspend) => guard.suspend()?,
            Some(ScreenAction::Renew) => guard.renew()?,
            Some(ScreenAction::Redraw) => guard.wipe()?,
        }
        terminal = blank()?;
    };
    drop(guard);
    Ok(exit)
}

/// Reads keys on a thread of its own, which ends with the process.
fn read_input(events: Sender<ScreenEvent>) -> io::Result<()> {
    let read = move || {
        while let Ok(event) = event::read() {
            if events.send(ScreenEvent::Terminal(event)).is_err() {
                return;
            }
        }
        let _ = events.send(ScreenEvent::InputEnded);
    };
    thread::Builder::new().name("keys".to_owned()).spawn(read)?;
    Ok(())
}
