//! The panel of settings: a draft that changes nothing until it is accepted.

use std::sync::Arc;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::client::{EngineSetup, EngineSpec};
use crate::engine::PlayerKind;
use crate::text::decimal;
use crate::tui::live_game::LiveGame;
use crate::tui::settings::{MoveBudget, Participant, PlaySettings};
use noughts_core::game::{MAX_SIZE, Player, Rules, Shape};

/// The most characters of a command line: a slip of the mouse may paste a whole book.
const MAX_COMMAND: usize = 4096;

/// The rows of the panel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SettingsRow {
    /// The participant who plays a side.
    Side(Player),
    /// The strength of the built-in players.
    Level,
    /// Seconds for a move.
    Seconds,
    /// Playouts of a move.
    Trials,
    /// Rows of the board.
    Rows,
    /// Columns of the board.
    Columns,
    /// Stones in a row.
    Connect,
    /// The choice of normal or reverse rules.
    Reverse,
}

/// The rows, with their names.
const ROWS: [(&str, SettingsRow); 9] = [
    ("X", SettingsRow::Side(Player::X)),
    ("O", SettingsRow::Side(Player::O)),
    ("Level", SettingsRow::Level),
    ("Seconds a move", SettingsRow::Seconds),
    ("Playouts", SettingsRow::Trials),
    ("Rows", SettingsRow::Rows),
    ("Columns", SettingsRow::Columns),
    ("In a row", SettingsRow::Connect),
    ("A line", SettingsRow::Reverse),
];

/// The value of a row that limits nothing.
const NO_LIMIT: &str = "no limit";

/// Steps between times for a move, in milliseconds.
const TIMES: [u32; 9] = [100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 60_000];

/// Steps between numbers of playouts.
const TRIALS: [u32; 19] = [
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000,
];

/// The number of playouts that is shown first, where time was the limit.
const FIRST_PLAYOUTS: u32 = 1000;

/// Settings that are being chosen.
pub struct SettingsPanel {
    /// The participants who may play a side; after the last of them comes a program that has not been named yet.
    choices: Vec<Participant>,
    chosen: [usize; 2],
    /// All settings except the sides.
    draft: PlaySettings,
    row: usize,
    /// The command line of another program, as far as it is typed.
    pub command: String,
    /// The side that the command line is typed for, while it is. The caret stands at its end.
    pub typed_for: Option<Player>,
    /// Why the command line starts no program.
    pub complaint: Option<String>,
}

/// The action of a key.
pub enum PanelAction {
    /// The panel stays.
    Stay,
    /// The panel goes; nothing changes.
    Leave,
    /// The panel goes; these settings apply.
    Accept(PlaySettings),
}

impl SettingsPanel {
    /// A draft of the settings of a game, with programs that may be chosen besides the built-in players.
    pub fn new(game: &LiveGame, programs: &[Arc<EngineSetup>]) -> SettingsPanel {
        let mut choices = vec![Participant::Person];
        choices.extend(PlayerKind::all().map(Participant::Builtin));
        choices.extend(programs.iter().cloned().map(Participant::External));
        let index = |player| choices.iter().position(|choice| choice == game.participant(player)).unwrap_or(0);
        let chosen = Player::BOTH.map(index);
        let draft = game.settings().clone();
        SettingsPanel { choices, chosen, draft, row: 0, command: String::new(), typed_for: None, complaint: None }
    }

    /// The rows as text: a name, its value, and whether it is the row at hand.
    pub fn rows(&self) -> impl Iterator<Item = (&'static str, String, bool)> {
        ROWS.iter().enumerate().map(|(number, (name, row))| (*name, self.value(*row), number == self.row))
    }

    fn value(&self, row: SettingsRow) -> String {
        let PlaySettings { rules, budget, level, .. } = &self.draft;
        match row {
            SettingsRow::Side(player) => self.side_in_words(player),
            SettingsRow::Level => level.to_string(),
            SettingsRow::Seconds => {
                budget.time().map_or_else(|| NO_LIMIT.to_owned(), |time| decimal(time as f64 / 1000.0))
            }
            SettingsRow::Trials => match budget {
                MoveBudget::Time(_) => NO_LIMIT.to_owned(),
                MoveBudget::Playouts(playouts) => playouts.to_string(),
                MoveBudget::Standard => "by the size of the board".to_owned(),
            },
            SettingsRow::Rows => rules.shape().rows.to_string(),
            SettingsRow::Columns => rules.shape().columns.to_string(),
            SettingsRow::Connect if rules.connect() == 0 && rules.shape().is_square() => "all".to_owned(),
            SettingsRow::Connect if rules.connect() == 0 => "as the shorter side".to_owned(),
            SettingsRow::Connect => rules.connect().to_string(),
            SettingsRow::Reverse => if rules.completer_wins() { "wins" } else { "loses" }.to_owned(),
        }
    }

    fn side_in_words(&self, player: Player) -> String {
        match self.choices.get(self.chosen[player as usize]) {
            None => "another program...".to_owned(),
            Some(Participant::Person) => "you".to_owned(),
            // Two programs may have the same name, that of their interpreter.
            Some(Participant::External(setup)) => {
                let words = std::iter::once(&setup.name).chain(&setup.arguments);
                words.map(String::as_str).collect::<Vec<_>>().join(" ")
            }
            Some(participant) => participant.name().to_owned(),
        }
    }

    /// All programs that may be chosen.
    pub fn programs(&self) -> impl Iterator<Item = &Arc<EngineSetup>> {
        self.choices.iter().filter_map(Participant::program)
    }

    /// The side whose program has not been named yet; if there are two, the one at hand.
    pub fn unnamed(&self) -> Option<Player> {
        let is_unnamed = |player: &Player| self.chosen[*player as usize] == self.choices.len();
        let at_hand = Player::BOTH.into_iter().find(|player| ROWS[self.row].1 == SettingsRow::Side(*player));
        at_hand.into_iter().chain(Player::BOTH).find(is_unnamed)
    }

    /// Takes a key.
    pub fn key(&mut self, key: KeyEvent) -> PanelAction {
        if let Some(player) = self.typed_for {
            self.typing_key(player, key);
            return PanelAction::Stay;
        }
        match key.code {
            KeyCode::Enter => {
                self.typed_for = self.unnamed();
                if self.typed_for.is_none() {
                    return PanelAction::Accept(self.accepted());
                }
            }
            KeyCode::Esc | KeyCode::Char('q' | 's') => return PanelAction::Leave,
            KeyCode::Up | KeyCode::BackTab => self.go(-1),
            KeyCode::Down | KeyCode::Tab => self.go(1),
            KeyCode::Left => self.turn(-1),
            KeyCode::Right | KeyCode::Char(' ') => self.turn(1),
            _ => {}
        }
        PanelAction::Stay
    }

    fn typing_key(&mut self, player: Player, key: KeyEvent) {
        match key.code {
            KeyCode::Esc => self.typed_for = None,
            KeyCode::Enter => self.complaint = self.choose_program(player).err(),
            KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => self.edit(String::clear),
            KeyCode::Backspace => self.edit(|command| {
                command.pop();
            }),
            KeyCode::Char(character) if !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => {
                self.edit(|command| command.push(character));
            }
            _ => {}
        }
    }

    /// Inserts pasted text, as far as there is room, as one line.
    pub fn paste(&mut self, text: &str) {
        if self.typed_for.is_some() {
            let on_one_line = |character: char| if character.is_control() { ' ' } else { character };
            self.edit(|command| command.extend(text.trim().chars().map(on_one_line)));
        }
    }

    /// Changes the command line, which is then one that has not been complained of.
    fn edit(&mut self, change: impl FnOnce(&mut String)) {
        change(&mut self.command);
        if let Some((end, _)) = self.command.char_indices().nth(MAX_COMMAND) {
            self.command.truncate(end);
        }
        self.complaint = None;
    }

    /// Chooses the program whose command line was typed for a player.
    fn choose_program(&mut self, player: Player) -> Result<(), String> {
        let setup = self.command.parse::<EngineSpec>().and_then(|spec| spec.set_up());
        let program = Participant::External(Arc::new(setup.map_err(|error| error.to_string())?));
        let (known, behind) = (self.choices.iter().position(|choice| *choice == program), self.choices.len());
        if known.is_none() {
            self.choices.push(program);
            // The other side may still have an unnamed program, which comes after the last.
            self.chosen.iter_mut().filter(|chosen| **chosen == behind).for_each(|chosen| *chosen += 1);
        }
        self.chosen[player as usize] = known.unwrap_or(behind);
        self.command.clear();
        self.typed_for = None;
        Ok(())
    }

    /// Goes to the row above (-1) or below (1).
    fn go(&mut self, step: isize) {
        self.row = self.row.saturating_add_signed(step).min(ROWS.len() - 1);
    }

    /// Changes the row at hand by a step back (-1) or on (1).
    fn turn(&mut self, step: isize) {
        let on = step > 0;
        let PlaySettings { rules, budget, level, .. } = &mut self.draft;
        let (shape, connect, reverse) = (rules.shape(), rules.connect(), rules.reverse());
        // No step leads out of the range.
        let with = |shape, connect, reverse| Rules::new(shape, connect, reverse).unwrap_or(*rules);
        let with_shape =
            |shape: Shape| with(shape, if connect > u16::from(shape.longer_side()) { 0 } else { connect }, reverse);
        let side = |side: u8| side.saturating_add_signed(step as i8).clamp(1, MAX_SIZE);
        match ROWS[self.row].1 {
            SettingsRow::Side(player) => {
                let count = self.choices.len() as isize + 1;
                let chosen = &mut self.chosen[player as usize];
                *chosen = (*chosen as isize + step).rem_euclid(count) as usize;
            }
            SettingsRow::Level => *level = level.saturating_add_signed(step as i8).clamp(1, 10),
            // One of the two limits a move, the one that was changed last.
            SettingsRow::Seconds => {
                *budget = match *budget {
                    MoveBudget::Time(time) => MoveBudget::Time(next(&TIMES, time, on)),
                    _ => MoveBudget::SECOND,
                };
            }
            SettingsRow::Trials => {
                let playouts = budget.playouts().map_or(FIRST_PLAYOUTS, |playouts| next(&TRIALS, playouts, on));
                *budget = MoveBudget::Playouts(playouts);
            }
            // A square stays one.
            SettingsRow::Rows if shape.is_square() => *rules = with_shape(side(shape.rows).into()),
            SettingsRow::Rows => *rules = with_shape(Shape { rows: side(shape.rows), ..shape }),
            SettingsRow::Columns => *rules = with_shape(Shape { columns: side(shape.columns), ..shape }),
            SettingsRow::Connect => {
                *rules =
                    with(shape, connect.saturating_add_signed(step as i16).min(shape.longer_side().into()), reverse);
            }
            SettingsRow::Reverse => *rules = with(shape, connect, !reverse),
        }
    }

    fn accepted(&self) -> PlaySettings {
        let sides = self.chosen.map(|chosen| self.choices.get(chosen).cloned().unwrap_or(Participant::Person));
        PlaySettings { sides, ..self.draft.clone() }
    }
}

/// The step above a number, or below it.
fn next(steps: &[u32], number: u32, above: bool) -> u32 {
    let step = match above {
        true => steps.iter().find(|&&step| step > number),
        false => steps.iter().rfind(|&&step| step < number),
    };
    step.copied().unwrap_or(number)
}
