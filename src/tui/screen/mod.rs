//! The board that fills a terminal.
//!
//! A [`Screen`] is a table and what is seen of it: keys and answers go in, and it draws itself. It knows no terminal, so
//! that it can be looked at in memory; [`run`] puts it on one.
//!
//! | file | what it holds |
//! |---|---|
//! | `screen.rs` | keys, and the loop that waits for them and for answers |
//! | `drawing.rs`, `board.rs`, `look.rs` | the screen, the board on it, and colours |
//! | `grid.rs` | where the cells are |
//! | `panel.rs` | settings that are being chosen |
//! | `terminal.rs` | the terminal, taken and given back |

mod board;
mod drawing;
mod grid;
mod look;
mod panel;
mod terminal;

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};

use crate::client::EngineSetup;
use noughts_core::game::{Cell, Rules};

use super::answer::{Answer, Post};
use super::participant::Participant;
use super::refusal::Refusal;
use super::table::{Table, Turn};

use grid::Grid;
use panel::{Panel, Then};
use terminal::Taken;

pub use look::Look;

/// How often the screen looks again at somebody who thinks: what is said aloud, and the clock.
const TICK: Duration = Duration::from_millis(100);

/// A game as far as it has gone: its rules and its moves.
type Game = (Rules, Vec<Cell>);

/// What happens while a screen is shown.
pub enum Event {
    /// A key, the mouse, or another size.
    Input(event::Event),
    /// An answer of a player or of the adviser.
    Answer(Box<Answer>),
    /// Why the last move of this game was right or wrong.
    Explanation(Game, Vec<String>),
    /// What came of trying out this program.
    Tried(Arc<EngineSetup>, Result<(), String>),
    /// The program goes on after it was stopped; what is on the terminal now is somebody else's.
    Continued,
    /// The input cannot be read any more.
    InputEnded,
    /// This signal has come.
    Signal(i32),
}

/// What is wanted of whoever shows the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// To end.
    End(Ending),
    /// To give the terminal back for a while, and to stop until somebody wants to go on.
    Suspend,
    /// To take the terminal again, which was somebody else's.
    Renew,
    /// To draw everything anew.
    Redraw,
}

/// How it ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Somebody wanted to quit.
    Quit,
    /// This signal has come.
    Signal(i32),
}

/// What lies on the board.
enum Sheet {
    None,
    Help,
    /// Lines, and how many of them are passed over.
    Text(Vec<String>, usize),
    Settings(Box<Panel>),
}

/// A table and what is seen of it.
pub struct Screen {
    table: Table,
    events: Sender<Event>,
    cursor: Cell,
    sheet: Sheet,
    /// Why the last key did nothing.
    remark: Option<String>,
    look: Look,
    grid: Option<Grid>,
    /// Programs that have been named here, or sat at the table from the beginning.
    programs: Vec<Arc<EngineSetup>>,
    /// What is being explained.
    explained: Option<Game>,
    breaks_down: bool,
}

impl Screen {
    /// The screen of a table. What is asked for later comes as an event.
    pub fn new(table: Table, events: Sender<Event>, look: Look) -> Screen {
        let middle = table.board().size.saturating_sub(1) / 2;
        let cursor = Cell::new(middle, middle);
        let mut programs = Vec::new();
        for side in &table.settings().sides {
            if let Participant::Program(setup) = side
                && !programs.contains(setup)
            {
                programs.push(Arc::clone(setup));
            }
        }
        let (sheet, remark, grid, explained, breaks_down) = (Sheet::None, None, None, None, false);
        Screen { table, events, cursor, sheet, remark, look, grid, programs, explained, breaks_down }
    }

    /// Lets the first key end in a panic, so that what becomes of the terminal then can be tested.
    pub fn break_down_at_first_key(&mut self, breaks_down: bool) {
        self.breaks_down = breaks_down;
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Takes in what happens; what is wanted now, if anything is.
    pub fn take(&mut self, event: Event) -> Option<Wish> {
        match event {
            Event::Input(event::Event::Key(key)) if key.kind != KeyEventKind::Release => return self.key(key),
            Event::Input(event::Event::Mouse(mouse)) if mouse.kind == MouseEventKind::Down(MouseButton::Left) => {
                self.click(mouse.column, mouse.row);
            }
            Event::Input(event::Event::Resize(..)) => return Some(Wish::Redraw),
            Event::Input(event::Event::Paste(text)) => {
                // On the board every letter would be a key.
                if let Sheet::Settings(panel) = &mut self.sheet {
                    panel.paste(&text);
                }
            }
            Event::Input(_) => {}
            Event::Tried(setup, outcome) => {
                if let Sheet::Settings(panel) = &mut self.sheet {
                    self.programs.extend(panel.conclude(&setup, outcome));
                }
            }
            Event::Answer(answer) => drop(self.table.take(*answer)),
            Event::Explanation(game, lines) => self.show_explanation(&game, lines),
            Event::Continued => return Some(Wish::Renew),
            Event::InputEnded => return Some(Wish::End(Ending::Quit)),
            Event::Signal(signal) => return Some(Wish::End(Ending::Signal(signal))),
        }
        None
    }

    fn key(&mut self, key: KeyEvent) -> Option<Wish> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if control => return Some(Wish::End(Ending::Quit)),
            KeyCode::Char('z') if control => return Some(Wish::Suspend),
            _ => {}
        }
        assert!(!self.breaks_down, "this was to break down at the first key");
        self.remark = None;
        match std::mem::replace(&mut self.sheet, Sheet::None) {
            // With Ctrl or Alt a letter is no command of the board.
            Sheet::None if control || key.modifiers.contains(KeyModifiers::ALT) => {}
            Sheet::None => return self.board_key(key.code),
            Sheet::Text(lines, first) if key.code == KeyCode::Down => {
                // How far it goes depends on how it is drawn.
                self.sheet = Sheet::Text(lines, first + 1);
            }
            Sheet::Text(lines, first) if key.code == KeyCode::Up => {
                self.sheet = Sheet::Text(lines, first.saturating_sub(1));
            }
            Sheet::Help | Sheet::Text(..) => {}
            Sheet::Settings(panel) => self.panel_key(panel, key),
        }
        None
    }

    fn board_key(&mut self, key: KeyCode) -> Option<Wish> {
        let done = match key {
            KeyCode::Char('q') => return Some(Wish::End(Ending::Quit)),
            KeyCode::Up => self.go(-1, 0),
            KeyCode::Down => self.go(1, 0),
            KeyCode::Left => self.go(0, -1),
            KeyCode::Right => self.go(0, 1),
            KeyCode::Enter | KeyCode::Char(' ') => self.play(),
            KeyCode::Char('u') => self.table.undo(),
            KeyCode::Char('r') => self.table.redo(),
            KeyCode::Char('n') => self.table.begin(),
            KeyCode::Char('h') => {
                self.table.show_hints(!self.table.hints());
                Ok(())
            }
            KeyCode::Char('w') => self.explain(),
            KeyCode::Char('s') => {
                self.sheet = Sheet::Settings(Box::new(Panel::new(&self.table, &self.programs)));
                Ok(())
            }
            KeyCode::Char('?') | KeyCode::F(1) => {
                self.sheet = Sheet::Help;
                Ok(())
            }
            _ => Ok(()),
        };
        self.note(done);
        None
    }

    /// Asks why the last move was right or wrong, unless that is being found out.
    fn explain(&mut self) -> Result<(), Refusal> {
        let game = self.game();
        if self.explained.as_ref() == Some(&game) {
            return Ok(());
        }
        let (events, about) = (self.events.clone(), game.clone());
        // Whoever has gone wants no explanation.
        self.table.explain_later(move |lines| drop(events.send(Event::Explanation(about, lines))))?;
        self.explained = Some(game);
        Ok(())
    }

    /// Shows an explanation, if it is the one that is waited for, the game still goes on from there, and nothing is being
    /// chosen that would be lost.
    fn show_explanation(&mut self, game: &Game, lines: Vec<String>) {
        let is_awaited = self.explained.take_if(|awaited| awaited == game).is_some();
        if is_awaited && self.goes_on_from(game) && !matches!(self.sheet, Sheet::Settings(_)) {
            self.sheet = Sheet::Text(lines, 0);
        }
    }

    /// Whether something is being explained that may be shown.
    fn is_explaining(&self) -> bool {
        self.explained.as_ref().is_some_and(|game| self.goes_on_from(game))
    }

    fn goes_on_from(&self, (rules, moves): &Game) -> bool {
        self.table.settings().rules == *rules && self.table.moves().starts_with(moves)
    }

    /// The game so far.
    fn game(&self) -> Game {
        (self.table.settings().rules, self.table.moves().to_vec())
    }

    fn panel_key(&mut self, mut panel: Box<Panel>, key: KeyEvent) {
        match panel.key(key) {
            Then::Stay => {}
            Then::Leave => return,
            Then::Try => {
                let events = self.events.clone();
                // Whoever has gone does not need the program.
                let tell = move |setup, said| drop(events.send(Event::Tried(setup, said)));
                panel.try_out(|setup| -> Post {
                    Arc::new(move |answer: Answer| tell(Arc::clone(&setup), answer.said.map(drop)))
                });
            }
            Then::Accept(settings) => {
                let done = self.table.arrange(settings);
                self.note(done);
                let last = self.table.board().size.saturating_sub(1);
                self.cursor = Cell::new(self.cursor.row().min(last), self.cursor.column().min(last));
                return;
            }
        }
        self.sheet = Sheet::Settings(panel);
    }

    /// Whether something goes on that is seen to go on.
    fn is_busy(&self) -> bool {
        let tries = matches!(&self.sheet, Sheet::Settings(panel) if panel.is_waiting());
        tries || matches!(self.table.turn(), Turn::Thinking(_))
    }

    /// Moves the cursor, as far as the board goes.
    fn go(&mut self, down: i8, right: i8) -> Result<(), Refusal> {
        let last = self.table.board().size.saturating_sub(1);
        let row = self.cursor.row().saturating_add_signed(down).min(last);
        self.cursor = Cell::new(row, self.cursor.column().saturating_add_signed(right).min(last));
        Ok(())
    }

    fn play(&mut self) -> Result<(), Refusal> {
        if self.table.turn() == Turn::Waiting {
            self.table.go_on();
            return Ok(());
        }
        self.table.play(&self.cursor.to_string())
    }

    fn click(&mut self, column: u16, row: u16) {
        self.remark = None;
        if !matches!(self.sheet, Sheet::None) {
            return;
        }
        if let Some(cell) = self.grid.and_then(|grid| grid.cell_at(column, row)) {
            self.cursor = cell;
            let done = self.play();
            self.note(done);
        }
    }

    fn note(&mut self, done: Result<(), Refusal>) {
        self.remark = done.err().map(|refusal| refusal.to_string());
    }
}

/// Shows a screen on the terminal until somebody wants to quit, and gives the terminal back as it was.
///
/// # Errors
/// When the terminal cannot be used.
pub fn run(mut screen: Screen, events: &Receiver<Event>) -> io::Result<Ending> {
    let taken = Taken::take()?;
    // One that knows of nothing that is drawn draws everything.
    let blank = || Terminal::new(CrosstermBackend::new(io::stdout()));
    let mut terminal = blank()?;
    read_input(screen.events.clone())?;
    let ending = loop {
        terminal.draw(|frame| screen.draw(frame))?;
        let next = match events.recv_timeout(if screen.is_busy() { TICK } else { Duration::MAX }) {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => break Ending::Quit,
        };
        // What has piled up is taken in at once: only the last of it is worth drawing.
        match std::iter::once(next).chain(events.try_iter()).find_map(|event| screen.take(event)) {
            None => continue,
            Some(Wish::End(ending)) => break ending,
            Some(Wish::Suspend) => taken.suspend()?,
            Some(Wish::Renew) => taken.renew()?,
            Some(Wish::Redraw) => taken.wipe()?,
        }
        terminal = blank()?;
    };
    drop(taken);
    Ok(ending)
}

/// Reads keys on a thread of its own, which ends with the process.
fn read_input(events: Sender<Event>) -> io::Result<()> {
    let read = move || {
        while let Ok(event) = event::read() {
            if events.send(Event::Input(event)).is_err() {
                return;
            }
        }
        let _ = events.send(Event::InputEnded);
    };
    thread::Builder::new().name("keys".to_owned()).spawn(read)?;
    Ok(())
}
