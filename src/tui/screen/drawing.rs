//! The whole screen: the board in the middle, messages below it, and pages over both.

use std::time::Instant;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Block, BorderType, Clear, Paragraph, Widget};

use crate::protocol::UciScore;
use crate::text::{board, explanation};
use crate::tui::evaluation::{Evaluation, PlayerScore};
use crate::tui::live_game::Turn;
use crate::tui::plain::capitalised;
use crate::tui::settings::Participant;
use noughts_core::game::{Player, Score, Value};

use super::board_view::put;
use super::grid::Grid;
use super::settings_panel::SettingsPanel;
use super::{Overlay, Screen};

/// Lines below the board.
const FOOT: u16 = 5;

/// Columns of the word in front of the sentences of an explanation.
const INDENT: usize = 10;

const KEYS: &str = "Enter play  u undo  r redo  h hints  w why  n new  s settings  ? help  q quit";
const FEW_KEYS: &str = "? help  q quit";

/// The most columns of a player's name, and of a value in a row of the settings.
const NAME: usize = 20;
const CHOICE: usize = 34;

/// The line of the page on which a command line is typed.
const COMMAND_ROW: usize = 3;

/// Columns of a command line that is typed, and lines of what is wrong with it.
const COMMAND: usize = 64;
const COMPLAINT: usize = 3;

const HELP: &[&str] = &[
    "arrows, mouse   choose a square",
    "Enter, click    play there; let a waiting player move",
    "u, r            take your last move back, play it again",
    "h               what every empty square is worth:",
    "                W3 wins, L4 loses in so many moves of both",
    "                sides, D draws; other numbers say what a",
    "                search expects, from 0, lost, to 100, won",
    "w               why your last move was right or wrong",
    "n               a new game",
    "s               sides, strength, and the game",
    "Ctrl-Z          back to the shell for a while",
    "q, Ctrl-C       end",
];

const COMMAND_HELP: &[&str] =
    &["Its command line, such as: python3 my_engine.py", "or: cmd=PROGRAM proto=uci|ugi|gomocup|gtp option.NAME=VALUE"];

/// A page over the board: a title, lines, and what the keys do.
struct Page {
    title: String,
    lines: Vec<(String, Style)>,
    foot: String,
}

impl Page {
    fn plain<L: Into<String>>(title: &str, lines: impl IntoIterator<Item = L>, foot: &str) -> Page {
        let lines = lines.into_iter().map(|line| (line.into(), Style::new())).collect();
        Page { title: title.to_owned(), lines, foot: foot.to_owned() }
    }
}

impl Screen {
    /// Draws everything.
    pub fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        let buffer = frame.buffer_mut();
        let space = Rect { y: area.y + 1, height: area.height.saturating_sub(1 + FOOT), ..area };
        self.grid = Grid::fit(space, self.game.settings().rules.shape(), self.cursor, self.grid);
        let Some(grid) = self.grid else {
            put(buffer, 0, 0, "Please make the window larger; q quits.", Style::new());
            return;
        };
        self.draw_board(&grid, buffer);
        self.draw_title(area, buffer);
        self.draw_foot(area, buffer);
        let text = |text: &str| {
            let width = usize::from(area.width.saturating_sub(4));
            // The rest to fold is a single word, or a board.
            folded(&explanation::fold(text, width), width, INDENT)
        };
        let room = usize::from(area.height.saturating_sub(4));
        if let Overlay::Text(unfolded, first) = &mut self.overlay {
            *first = (*first).min(text(unfolded).len().saturating_sub(room));
        }
        match &self.overlay {
            Overlay::None => {}
            Overlay::Help => {
                self.draw_page(area, buffer, &Page::plain(" Keys ", HELP.iter().copied(), "any key goes back"));
            }
            Overlay::Text(unfolded, first) => {
                let lines = text(unfolded);
                let foot = if lines.len() <= room {
                    "any key goes back"
                } else {
                    "up and down for more, any other key goes back"
                };
                self.draw_page(area, buffer, &Page::plain(" Why ", lines.into_iter().skip(*first), foot));
            }
            Overlay::Settings(panel) => match panel.typed_for {
                None => drop(self.draw_page(area, buffer, &self.choices(panel))),
                Some(player) => {
                    let page = self.command(player, panel.complaint.as_deref());
                    let inside = self.draw_page(area, buffer, &page);
                    let line = inside.rows().nth(COMMAND_ROW).unwrap_or_default();
                    let command = Line::from(panel.command.as_str()).style(self.theme.strong());
                    // The end of a long line is seen. The caret behind it needs a column of its own.
                    let width = command.width() as u16;
                    let first = (width + 1).saturating_sub(line.width);
                    Paragraph::new(command).scroll((0, first)).render(line, buffer);
                    if !line.is_empty() {
                        frame.set_cursor_position((line.x + width - first, line.y));
                    }
                }
            },
        }
    }

    /// The settings.
    fn choices(&self, panel: &SettingsPanel) -> Page {
        let row = |(name, value, is_chosen): (&str, String, bool)| {
            let (left, right, style) =
                if is_chosen { ("<", ">", self.theme.strong()) } else { (" ", " ", Style::new()) };
            (format!("{name:<15}{left} {:^CHOICE$} {right}", abridged(&value, CHOICE)), style)
        };
        let mut lines: Vec<(String, Style)> = panel.rows().map(row).collect();
        lines.insert(5, (String::new(), Style::new()));
        let enter = if panel.unnamed().is_some() { "asks which" } else { "accepts" };
        Page { title: " Settings ".to_owned(), lines, foot: format!("arrows change, Enter {enter}, Esc leaves") }
    }

    /// The page on which a command line is typed. The text itself comes on the line numbered [`COMMAND_ROW`].
    fn command(&self, player: Player, complaint: Option<&str>) -> Page {
        let title = format!(" A program for {player} ");
        let line = " ".repeat(COMMAND);
        let lines = COMMAND_HELP.iter().copied().chain(["", &line, ""]);
        let mut page = Page::plain(&title, lines, "Enter chooses it, Esc goes back");
        let complaint = complaint.map(sentence).unwrap_or_default();
        let lines = folded(&complaint, COMMAND, 0).into_iter().chain(std::iter::repeat(String::new()));
        page.lines.extend(lines.take(COMPLAINT).map(|line| (line, self.theme.wrong())));
        page
    }

    fn draw_title(&self, area: Rect, buffer: &mut Buffer) {
        let side = |player| match self.game.participant(player) {
            Participant::Person => format!("{player} you"),
            participant => format!("{player} {}", shortened(participant.name(), NAME)),
        };
        let mut sides = format!("{}   {}", side(Player::X), side(Player::O));
        let rules = board::rules(self.game.settings().rules);
        if let Some(seconds) = self.game.seconds_in_words() {
            let with_time = format!("{sides}   at most {seconds} a move");
            let room = usize::from(area.width).saturating_sub(rules.chars().count() + 4);
            if with_time.chars().count() <= room {
                sides = with_time;
            }
        }
        put(buffer, area.x + 1, area.y, &rules, self.theme.strong());
        let from = area.right().saturating_sub(sides.chars().count() as u16 + 1);
        put(buffer, from, area.y, &sides, Style::new());
    }

    fn draw_foot(&self, area: Rect, buffer: &mut Buffer) {
        let top = area.bottom().saturating_sub(FOOT);
        let room = usize::from(area.width.saturating_sub(2));
        let mut line = |number: u16, text: &str, style| {
            let text = shortened(text, room);
            let width = text.chars().count() as u16;
            put(buffer, area.x + area.width.saturating_sub(width) / 2, top + number, &text, style);
        };
        line(1, &self.state(), self.theme.strong());
        if let Some(evaluation) = self.game.evaluation() {
            line(2, &words(&evaluation), Style::new());
        }
        match (&self.error, self.game.problem(), self.game.hints()) {
            (Some(error), ..) => line(3, &sentence(error), self.theme.wrong()),
            (None, Some(problem), _) => {
                let what_to_do = "; Enter asks again.";
                let problem = shortened(problem, room.saturating_sub(what_to_do.len()));
                line(3, &format!("{problem}{what_to_do}"), self.theme.wrong());
            }
            _ if self.is_explaining() => line(3, "The reason is on its way...", self.theme.faint()),
            (None, None, Some(hints)) => line(3, hints.legend(), self.theme.faint()),
            (None, None, None) => {}
        }
        let keys = if usize::from(area.width) > KEYS.len() { KEYS } else { FEW_KEYS };
        line(4, keys, self.theme.faint());
    }

    /// Whose turn it is, or how the game ended.
    fn state(&self) -> String {
        let position = self.game.position();
        let side = position.side();
        match self.game.turn() {
            Turn::Over => format!("{}. n plays again.", capitalised(&self.game.result_in_words().unwrap_or_default())),
            Turn::Person if self.game.wants_hints() && self.game.hints().is_none() => {
                format!("Your move, {side}. Hints are on their way...")
            }
            Turn::Person => format!("Your move, {side}."),
            Turn::Waiting => format!("{side}, {}, waits. Enter lets it move.", self.name_of(side)),
            Turn::Thinking(since) => format!("{side}, {}, is thinking...{}", self.name_of(side), clock(since)),
        }
    }

    fn name_of(&self, player: Player) -> String {
        shortened(self.game.participant(player).name(), NAME)
    }

    /// A page in the middle of everything, and where its lines are.
    fn draw_page(&self, area: Rect, buffer: &mut Buffer, page: &Page) -> Rect {
        let Page { title, lines, foot } = page;
        let lengths = lines.iter().map(|(line, _)| line.chars().count());
        let widest = lengths.chain([foot.len(), title.len()]).max().unwrap_or(0);
        let width = (widest as u16 + 4).min(area.width);
        let height = (lines.len() as u16 + 4).min(area.height);
        let (x, y) = (area.x + (area.width - width) / 2, area.y + (area.height - height) / 2);
        // Otherwise the colours of the board would shine through.
        Clear.render(Rect { x, y, width, height }, buffer);
        Block::bordered().border_type(BorderType::Rounded).render(Rect { x, y, width, height }, buffer);
        put(buffer, x + 2, y, title, self.theme.strong());
        let room = usize::from(width.saturating_sub(4));
        let rows = height.saturating_sub(4);
        for ((line, style), row) in lines.iter().zip(1..=rows) {
            put(buffer, x + 2, y + row, &shortened(line, room), *style);
        }
        put(buffer, x + 2, y + height.saturating_sub(2), &shortened(foot, room), self.theme.faint());
        Rect { x: x + 2, y: y + 1, width: room as u16, height: rows }
    }
}

/// The seconds since then, as soon as there is one.
fn clock(since: Instant) -> String {
    match since.elapsed().as_secs() {
        0 => String::new(),
        seconds => format!(" {seconds} s"),
    }
}

fn sentence(text: &str) -> String {
    format!("{}.", capitalised(text))
}

/// The value of the position and the moves that are expected, in words.
fn words(evaluation: &Evaluation) -> String {
    let side = evaluation.side;
    let verb = |wins: bool| if wins { "wins" } else { "loses" };
    let value = match evaluation.score {
        None => String::new(),
        Some(PlayerScore::Own(Score::Exact(Value::Draw) | Score::Within(Value::Draw))) => {
            "A draw with best play.".to_owned()
        }
        Some(PlayerScore::Own(Score::Exact(value))) => match (verb(value.result() > 0), value.plies()) {
            (verb, None | Some(0)) => format!("{side} {verb}."),
            (verb, Some(1)) => format!("{side} {verb} with the next move."),
            (verb, Some(plies)) => format!("{side} {verb} in {plies} moves."),
        },
        Some(PlayerScore::Own(Score::Within(value))) => {
            format!("{side} {} in {} moves or fewer.", verb(value.result() > 0), value.plies().unwrap_or(0))
        }
        Some(PlayerScore::Own(Score::Estimate(value))) => {
            // A value next to nothing has no sign.
            let value = if value.abs() < 0.005 { "0".to_owned() } else { format!("{value:+.2}") };
            format!("For {side} {value}, between -1 (lost) and +1 (won).")
        }
        Some(PlayerScore::Foreign(UciScore::Mate(distance))) => format!("{side} {}, it says.", verb(distance > 0)),
        Some(PlayerScore::Foreign(UciScore::Cp(hundredths))) => {
            format!("For {side} {:+.2}, as it counts.", hundredths as f64 / 100.0)
        }
    };
    let expected = evaluation.expected.iter().map(|played| format!(" {played}")).collect::<String>();
    if expected.is_empty() { value } else { format!("{value}  Expected:{expected}") }
}

/// The lines of a text, folded to a width. Text after a fold is indented, under the sentence that it belongs to.
fn folded(text: &str, width: usize, indent: usize) -> Vec<String> {
    let width = width.max(2 * INDENT);
    let mut folded = Vec::new();
    for line in text.trim_end().lines() {
        let mut rest = line.to_owned();
        while rest.chars().count() > width {
            let end = rest.char_indices().nth(width).map_or(rest.len(), |(index, _)| index);
            let cut = rest[..end].rfind(' ').filter(|&cut| cut > indent).unwrap_or(end);
            let tail = format!("{:indent$}{}", "", rest[cut..].trim_start());
            folded.push(rest[..cut].trim_end().to_owned());
            rest = tail;
        }
        folded.push(rest);
    }
    folded
}

/// The beginning and the end of a text, as much as fits: paths have their names at the end.
fn abridged(text: &str, width: usize) -> String {
    let length = text.chars().count();
    if length <= width {
        return text.to_owned();
    }
    let room = width.saturating_sub(3);
    let (head, tail) = (room / 4, room - room / 4);
    text.chars().take(head).chain("...".chars()).chain(text.chars().skip(length - tail)).collect()
}

/// As much of a text as fits.
fn shortened(text: &str, width: usize) -> String {
    let text = text.trim_end();
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(3)).chain("...".chars()).collect()
}
