//! Settings as they are chosen: a draft that changes nothing until it is accepted.

use std::sync::Arc;
use std::time::Instant;

use ratatui::crossterm::event::{Event, KeyCode, KeyEvent};
use tui_input::backend::crossterm::EventHandler;
use tui_input::{Input, InputRequest};

use crate::client::EngineSetup;
use crate::tui::answer::Post;
use crate::tui::participant::{Participant, Settings};
use crate::tui::refusal::Refusal;
use crate::tui::table::Table;
use crate::tui::visitor::Visitor;
use noughts_core::game::{Player, Rules};

/// The most characters of a command line that is pasted: a slip of the mouse may bring a whole book.
const MAX_PASTED: usize = 4096;

/// The rows of the panel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Row {
    /// Who plays a side.
    Side(Player),
    /// How strong the engine's players are.
    Level,
    /// Playouts of a move.
    Trials,
    /// Rows and columns.
    Size,
    /// How many in a row.
    Connect,
    /// Whether a completed line loses.
    Reverse,
}

const ROWS: [Row; 7] =
    [Row::Side(Player::X), Row::Side(Player::O), Row::Level, Row::Trials, Row::Size, Row::Connect, Row::Reverse];

/// Steps between numbers of playouts.
const TRIALS: [u32; 19] = [
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000,
];

/// Settings that are being chosen.
pub struct Panel {
    /// Who may sit on either side; behind the last of them comes a program that nobody has named yet.
    choices: Vec<Participant>,
    chosen: [usize; 2],
    /// Everything but the sides.
    draft: Settings,
    row: usize,
    /// The command line of another program, as far as it has been typed.
    command: Input,
    /// For whom it is typed, while it is.
    typed_for: Option<Player>,
    trial: Option<Trial>,
    /// Why the program cannot play.
    complaint: Option<String>,
}

/// A program that is tried out before it may sit down. It ends when this is dropped.
struct Trial {
    setup: Arc<EngineSetup>,
    since: Instant,
    _visitor: Visitor,
}

/// What comes of a key.
pub enum Then {
    /// Something else is chosen.
    Stay,
    /// Nothing is to be changed.
    Leave,
    /// This is to be.
    Accept(Settings),
    /// A program is to be tried out.
    Try,
}

/// What is to be seen of a command line that is typed.
pub struct Typing<'a> {
    /// Whose program it is.
    pub player: Player,
    /// The text.
    pub command: &'a Input,
    /// The name of the program that is tried out, and since when.
    pub trial: Option<(&'a str, Instant)>,
    /// Why it cannot play.
    pub complaint: Option<&'a str>,
}

impl Panel {
    /// A draft of what is so now, with programs that may be chosen besides the engine's players.
    pub fn new(table: &Table, programs: &[Arc<EngineSetup>]) -> Panel {
        let mut choices = vec![Participant::Person];
        choices.extend(table.players().into_iter().map(Participant::Builtin));
        choices.extend(programs.iter().cloned().map(Participant::Program));
        let chosen = Player::BOTH.map(|player| {
            let place = choices.iter().position(|choice| choice == table.side(player));
            place.unwrap_or(0)
        });
        let draft = table.settings().clone();
        let command = Input::default();
        Panel { choices, chosen, draft, row: 0, command, typed_for: None, trial: None, complaint: None }
    }

    /// The rows as text: what is chosen, and what it is now; and whether it is the row at hand.
    pub fn rows(&self) -> Vec<(String, String, bool)> {
        let rules = self.draft.rules;
        let row = |(number, row): (usize, &Row)| {
            let (name, value) = match row {
                Row::Side(player) => (player.to_string(), self.side_in_words(*player)),
                Row::Level => ("Level".to_owned(), self.draft.level.to_string()),
                Row::Trials => ("Playouts".to_owned(), self.draft.trials.to_string()),
                Row::Size => ("Board".to_owned(), format!("{0}x{0}", rules.size())),
                Row::Connect if rules.connect() == 0 => ("In a row".to_owned(), "all".to_owned()),
                Row::Connect => ("In a row".to_owned(), rules.connect().to_string()),
                Row::Reverse => ("A line".to_owned(), if rules.reverse() { "loses" } else { "wins" }.to_owned()),
            };
            (name, value, number == self.row)
        };
        ROWS.iter().enumerate().map(row).collect()
    }

    fn side_in_words(&self, player: Player) -> String {
        match self.choices.get(self.chosen[player as usize]) {
            None => "another program...".to_owned(),
            Some(Participant::Person) => "you".to_owned(),
            // Two programs may have the same name, that of their interpreter.
            Some(Participant::Program(setup)) => {
                let words = std::iter::once(&setup.name).chain(&setup.arguments);
                words.map(String::as_str).collect::<Vec<_>>().join(" ")
            }
            Some(side) => side.name().to_owned(),
        }
    }

    /// What Enter does.
    pub fn foot(&self) -> &'static str {
        match self.unnamed() {
            Some(_) => "arrows change, Enter asks which, Esc leaves",
            None => "arrows change, Enter accepts, Esc leaves",
        }
    }

    /// The command line that is being typed.
    pub fn typing(&self) -> Option<Typing<'_>> {
        let trial = self.trial.as_ref().map(|trial| (trial.setup.name.as_str(), trial.since));
        let complaint = self.complaint.as_deref();
        self.typed_for.map(|player| Typing { player, command: &self.command, trial, complaint })
    }

    /// The side that is to have a program that has not been named, the one at hand before the other.
    fn unnamed(&self) -> Option<Player> {
        let is_unnamed = |player: &Player| self.chosen[*player as usize] == self.choices.len();
        let at_hand = Player::BOTH.into_iter().find(|player| ROWS[self.row] == Row::Side(*player));
        at_hand.into_iter().chain(Player::BOTH).find(is_unnamed)
    }

    /// Takes a key.
    pub fn key(&mut self, key: KeyEvent) -> Then {
        match (self.typed_for, key.code) {
            (Some(_), code) => self.typing_key(key, code),
            (None, KeyCode::Enter) => {
                self.typed_for = self.unnamed();
                if self.typed_for.is_none() { Then::Accept(self.accepted()) } else { Then::Stay }
            }
            (None, KeyCode::Esc | KeyCode::Char('q' | 's')) => Then::Leave,
            (None, code) => {
                match code {
                    KeyCode::Up | KeyCode::BackTab => self.go(-1),
                    KeyCode::Down | KeyCode::Tab => self.go(1),
                    KeyCode::Left => self.turn(-1),
                    KeyCode::Right | KeyCode::Char(' ') => self.turn(1),
                    _ => {}
                }
                Then::Stay
            }
        }
    }

    fn typing_key(&mut self, key: KeyEvent, code: KeyCode) -> Then {
        match code {
            KeyCode::Esc if self.trial.is_some() => self.trial = None,
            KeyCode::Esc => self.typed_for = None,
            // The program is told of when it has been tried out.
            _ if self.trial.is_some() => {}
            KeyCode::Enter => return Then::Try,
            _ => {
                self.complaint = None;
                self.command.handle_event(&Event::Key(key));
            }
        }
        Then::Stay
    }

    /// Takes text that was pasted, as far as there is room. It stays one line.
    pub fn paste(&mut self, text: &str) {
        if self.typed_for.is_some() && self.trial.is_none() {
            self.complaint = None;
            let room = MAX_PASTED.saturating_sub(self.command.value().chars().count());
            for character in text.trim().chars().take(room) {
                let character = if character.is_control() { ' ' } else { character };
                self.command.handle(InputRequest::InsertChar(character));
            }
        }
    }

    /// Tries out the program whose command line was typed; what comes of it is told through `post`.
    pub fn try_out(&mut self, post: impl FnOnce(Arc<EngineSetup>) -> Post) {
        self.complaint = self.start_trial(post).err();
    }

    fn start_trial(&mut self, post: impl FnOnce(Arc<EngineSetup>) -> Post) -> Result<(), String> {
        let setup = Participant::described(self.command.value()).and_then(|spec| spec.set_up());
        let setup = Arc::new(setup.map_err(|error| error.to_string())?);
        let visitor = Visitor::start(Arc::clone(&setup), post(Arc::clone(&setup)));
        let visitor = visitor.map_err(|error| Refusal::from(error).to_string())?;
        visitor.welcome(self.draft.rules);
        self.trial = Some(Trial { setup, since: Instant::now(), _visitor: visitor });
        Ok(())
    }

    /// Takes what came of trying this program out. It is returned if it may sit down, and then it is chosen.
    pub fn conclude(&mut self, setup: &Arc<EngineSetup>, outcome: Result<(), String>) -> Option<Arc<EngineSetup>> {
        let trial = self.trial.take_if(|trial| Arc::ptr_eq(&trial.setup, setup))?;
        if let Err(problem) = outcome {
            self.complaint = Some(format!("{} {problem}", trial.setup.name));
            return None;
        }
        let program = Participant::Program(trial.setup.clone());
        let known = self.choices.iter().position(|choice| *choice == program);
        let (place, behind) = (known.unwrap_or(self.choices.len()), self.choices.len());
        if known.is_none() {
            self.choices.push(program);
        }
        let player = self.typed_for.take()?;
        // The other side may still be waiting for a program of its own, which comes behind the last.
        self.chosen.iter_mut().filter(|chosen| **chosen == behind).for_each(|chosen| *chosen = self.choices.len());
        self.chosen[player as usize] = place;
        self.command = Input::default();
        known.is_none().then_some(trial.setup)
    }

    /// Whether a program is being tried out.
    pub fn is_waiting(&self) -> bool {
        self.trial.is_some()
    }

    /// Goes to the row above (-1) or below (1).
    fn go(&mut self, step: isize) {
        self.row = self.row.saturating_add_signed(step).min(ROWS.len() - 1);
    }

    /// Changes the row at hand by a step back (-1) or on (1).
    fn turn(&mut self, step: isize) {
        let on = step > 0;
        let rules = self.draft.rules;
        let (size, connect, reverse) = (rules.size(), rules.connect(), rules.reverse());
        let changed = match ROWS[self.row] {
            Row::Side(player) => {
                let count = self.choices.len() as isize + 1;
                let chosen = &mut self.chosen[player as usize];
                *chosen = (*chosen as isize + step).rem_euclid(count) as usize;
                return;
            }
            Row::Level => {
                self.draft.level = self.draft.level.saturating_add_signed(step as i8).clamp(1, 10);
                return;
            }
            Row::Trials => {
                let larger = TRIALS.into_iter().find(|&trials| trials > self.draft.trials);
                let smaller = TRIALS.into_iter().rev().find(|&trials| trials < self.draft.trials);
                self.draft.trials = if on { larger } else { smaller }.unwrap_or(self.draft.trials);
                return;
            }
            Row::Size => {
                let size = size.saturating_add_signed(step as i8).clamp(1, 20);
                Rules::new(size, if connect > u16::from(size) { 0 } else { connect }, reverse)
            }
            Row::Connect => Rules::new(size, connect.saturating_add_signed(step as i16).min(size.into()), reverse),
            Row::Reverse => Rules::new(size, connect, !reverse),
        };
        // No step leads out of the range.
        self.draft.rules = changed.unwrap_or(rules);
    }

    fn accepted(&self) -> Settings {
        let sides = self.chosen.map(|chosen| self.choices.get(chosen).cloned().unwrap_or(Participant::Person));
        Settings { sides, ..self.draft.clone() }
    }
}
