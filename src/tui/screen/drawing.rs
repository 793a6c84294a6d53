//! The whole screen: the board in the middle, messages below it, and pages over both.

use std::time::Instant;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Clear, Paragraph, Widget};

use crate::protocol::UciScore;
use crate::text::{board, explanation};
use crate::tui::evaluation::{Evaluation, PlayerScore};
use crate::tui::live_game::Turn;
use crate::tui::plain::capitalised;
use crate::tui::settings::Participant;
use noughts_core::game::{Player, Score, Value};

use super::board_view::{BoardView, put};
use super::grid::Grid;
use super::settings_panel::{CommandPrompt, SettingsPanel};
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
    &["Its command line, such as: python3 my_engine.py", "or: cmd=PROGRAM proto=noughts|uci|gomocup option.NAME=VALUE"];

/// A page over the board: a title, lines, and what the keys do.
struct Page {
    title: String,
    lines: Vec<(String, Style)>,
    foot: String,
}

impl Page {
    fn plain(title: &str, lines: impl IntoIterator<Item = String>, foot: &str) -> Page {
        let lines = lines.into_iter().map(|line| (line, Style::new())).collect();
        Page { title: title.to_owned(), lines, foot: foot.to_owned() }
    }
}

impl Screen {
    /// Draws everything.
    pub fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        let buffer = frame.buffer_mut();
        let space = Rect { y: area.y + 1, height: area.height.saturating_sub(1 + FOOT), ..area };
        self.grid = Grid::fit(space, self.game.settings().rules.size(), self.cursor, self.grid);
        let Some(grid) = self.grid else {
            put(buffer, 0, 0, "Please make the window larger; q quits.", Style::new());
            return;
        };
        let hints = self.game.hints();
        let view = BoardView {
            position: self.game.position(),
            line: self.game.position().completed_line(),
            hints,
            cursor: self.cursor,
            last: self.game.moves().last().copied(),
            theme: self.theme,
        };
        view.draw(&grid, buffer);
        self.draw_title(area, buffer);
        self.draw_foot(area, buffer);
        let text = |text: &str| {
            let width = usize::from(area.width.saturating_sub(4));
            // What is left to fold is a single word, or a board.
            folded(&explanation::fold(text, width), width, INDENT)
        };
        let room = usize::from(area.height.saturating_sub(4));
        if let Overlay::Text(unfolded, first) = &mut self.overlay {
            *first = (*first).min(text(unfolded).len().saturating_sub(room));
        }
        match &self.overlay {
            Overlay::None => {}
            Overlay::Help => {
                let page = Page::plain(" Keys ", HELP.iter().map(|&line| line.to_owned()), "any key goes back");
                self.draw_page(area, buffer, &page);
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
            Overlay::Settings(panel) => match panel.prompt() {
                None => drop(self.draw_page(area, buffer, &self.choices(panel))),
                Some(prompt) => {
                    let inside = self.draw_page(area, buffer, &self.command(&prompt));
                    let line = inside.rows().nth(COMMAND_ROW).unwrap_or_default();
                    let command = Line::from(prompt.command).style(self.theme.strong());
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
        let row = |(name, value, is_chosen): &(String, String, bool)| {
            let (left, right, style) =
                if *is_chosen { ("<", ">", self.theme.strong()) } else { (" ", " ", Style::new()) };
            (format!("{name:<15}{left} {:^CHOICE$} {right}", abridged(value, CHOICE)), style)
        };
        let mut lines: Vec<(String, Style)> = panel.rows().iter().map(row).collect();
        lines.insert(5, (String::new(), Style::new()));
        Page { title: " Settings ".to_owned(), lines, foot: panel.foot().to_owned() }
    }

    /// The page on which a command line is typed. The text itself comes on the line numbered [`COMMAND_ROW`].
    fn command(&self, prompt: &CommandPrompt<'_>) -> Page {
        let title = format!(" A program for {} ", prompt.player);
        let mut page =
            Page::plain(&title, COMMAND_HELP.iter().map(|&line| line.to_owned()), "Enter chooses it, Esc goes back");
        page.lines.extend([
            (String::new(), Style::new()),
            (" ".repeat(COMMAND), Style::new()),
            (String::new(), Style::new()),
        ]);
        let complaint = prompt.complaint.map(sentence).unwrap_or_default();
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
        let inside = usize::from(width.saturating_sub(2));
        let rule = "\u{2500}".repeat(inside);
        let style = Style::new();
        // Otherwise the colours of the board would shine through.
        Clear.render(Rect { x, y, width, height }, buffer);
        put(buffer, x, y, &format!("\u{256d}{rule}\u{256e}"), style);
        for row in 1..height.saturating_sub(1) {
            put(buffer, x, y + row, "\u{2502}", style);
            put(buffer, x + width.saturating_sub(1), y + row, "\u{2502}", style);
        }
        put(buffer, x, y + height - 1, &format!("\u{2570}{rule}\u{256f}"), style);
        put(buffer, x + 2, y, title, self.theme.strong());
        let room = inside.saturating_sub(2);
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
    let moves = |plies: u16| match plies {
        0 => String::new(),
        1 => " with the next move".to_owned(),
        plies => format!(" in {plies} moves"),
    };
    let value = match evaluation.score {
        Some(PlayerScore::Own(Score::Exact(Value::Win(plies)))) => format!("{side} wins{}.", moves(plies)),
        Some(PlayerScore::Own(Score::Exact(Value::Loss(plies)))) => format!("{side} loses{}.", moves(plies)),
        Some(PlayerScore::Own(Score::Exact(Value::Draw) | Score::Within(Value::Draw))) => {
            "A draw with best play.".to_owned()
        }
        Some(PlayerScore::Own(Score::Within(Value::Win(plies)))) => format!("{side} wins in {plies} moves or fewer."),
        Some(PlayerScore::Own(Score::Within(Value::Loss(plies)))) => format!("{side} loses in {plies} moves or fewer."),
        Some(PlayerScore::Own(Score::Estimate(value))) => {
            // A value next to nothing has no sign.
            let value = if value.abs() < 0.005 { "0".to_owned() } else { format!("{value:+.2}") };
            format!("For {side} {value}, between -1 (lost) and +1 (won).")
        }
        Some(PlayerScore::Foreign(UciScore::Mate(distance))) if distance > 0 => format!("{side} wins, it says."),
        Some(PlayerScore::Foreign(UciScore::Mate(_))) => format!("{side} loses, it says."),
        Some(PlayerScore::Foreign(UciScore::Cp(hundredths))) => {
            format!("For {side} {:+.2}, as it counts.", hundredths as f64 / 100.0)
        }
        None => String::new(),
    };
    let line: Vec<String> = evaluation.expected.iter().map(ToString::to_string).collect();
    let expected = if line.is_empty() { String::new() } else { format!("  Expected: {}", line.join(" ")) };
    value + &expected
}

/// The lines of a text, folded to a width. What follows a fold is indented, under the sentence that it belongs to.
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
