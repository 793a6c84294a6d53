//! The whole screen: the board in the middle, what there is to say below it, and panels above all.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::game::Player;
use crate::play::participant::Participant;
use crate::play::plain::capitalised;
use crate::play::table::{Turn, Verdict};

use super::board::{Scene, is_too_wide, put};
use super::grid::Grid;
use super::{Screen, Sheet};

/// Lines below the board.
const FOOT: u16 = 5;

const KEYS: &str = "Enter play  u undo  r redo  h hints  w why  n new  s settings  ? help  q quit";
/// Columns of the word in front of the sentences of an explanation.
const INDENT: usize = 10;

const FEW_KEYS: &str = "? help  q quit";

const HELP: &[&str] = &[
    "arrows, mouse   choose a square",
    "Enter, click    play there; let a waiting player move",
    "u, r            take your last move back, play it again",
    "h               what every empty square is worth:",
    "                W3 wins, L4 loses in so many moves of both",
    "                sides, D draws; other numbers are scores of",
    "                random games: the more, the better",
    "w               why your last move was right or wrong",
    "n               a new game",
    "s               sides, strength, and the game",
    "q, Ctrl-C       end",
];

impl Screen {
    /// Draws everything.
    pub fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        let buffer = frame.buffer_mut();
        let space = Rect { y: area.y + 1, height: area.height.saturating_sub(1 + FOOT), ..area };
        self.grid = Grid::fit(space, self.table.board().size, self.cursor, self.grid);
        let Some(grid) = self.grid else {
            put(buffer, 0, 0, "Please make the window larger; q quits.", Style::new());
            return;
        };
        let advice = self.table.advice();
        let scaled = advice.is_some_and(|advice| is_too_wide(advice, &grid));
        let scene = Scene {
            board: self.table.board(),
            advice,
            cursor: self.cursor,
            last: self.table.moves().last().copied(),
            look: self.look,
            scaled,
        };
        scene.draw(&grid, buffer);
        self.draw_title(area, buffer);
        self.draw_foot(area, buffer);
        match &self.sheet {
            Sheet::None => {}
            Sheet::Help => self.draw_sheet(
                area,
                buffer,
                " Keys ",
                &HELP.iter().map(|&line| line.to_owned()).collect::<Vec<_>>(),
                "any key goes back",
            ),
            Sheet::Text(lines, first) => {
                let lines = folded(lines, usize::from(area.width.saturating_sub(4)));
                let fits = lines.len() + 4 <= area.height.into();
                let foot = if fits { "any key goes back" } else { "up and down for more, any other key goes back" };
                let first = if fits { 0 } else { (*first).min(lines.len()) };
                self.draw_sheet(area, buffer, " Why ", &lines[first..], foot);
            }
            Sheet::Settings(panel) => {
                let row = |(name, value, chosen): &(String, String, bool)| {
                    let (left, right) = if *chosen { ("<", ">") } else { (" ", " ") };
                    format!("{name:<10}{left} {value:^22} {right}")
                };
                let mut lines: Vec<String> = panel.rows().iter().map(row).collect();
                lines.insert(4, String::new());
                self.draw_sheet(area, buffer, " Settings ", &lines, "arrows change, Enter accepts, Esc leaves");
            }
        }
    }

    fn draw_title(&self, area: Rect, buffer: &mut Buffer) {
        let side = |player| match self.table.side(player) {
            Participant::Person => format!("{player} you"),
            side => format!("{player} {}", side.name()),
        };
        let sides = format!("{}   {}", side(Player::X), side(Player::O));
        put(buffer, area.x + 1, area.y, &self.table.board().rules, self.look.strong());
        let from = area.right().saturating_sub(sides.chars().count() as u16 + 1);
        put(buffer, from, area.y, &sides, Style::new());
    }

    fn draw_foot(&self, area: Rect, buffer: &mut Buffer) {
        let top = area.bottom().saturating_sub(FOOT);
        let mut line = |number: u16, text: &str, style| {
            let width = text.chars().count() as u16;
            put(buffer, area.x + area.width.saturating_sub(width) / 2, top + number, text, style);
        };
        line(1, &self.state(), self.look.strong());
        if let Some(verdict) = self.table.verdict() {
            let (value, expected) = words(&verdict);
            let room = usize::from(area.width.saturating_sub(2));
            line(2, &shortened(&format!("{value}{expected}"), room), Style::new());
        }
        match (&self.remark, self.table.problem()) {
            (Some(remark), _) => line(3, &format!("{}.", capitalised(remark)), self.look.wrong()),
            (None, Some(problem)) => line(3, &format!("{problem}; Enter asks again."), self.look.wrong()),
            (None, None) => {}
        }
        let keys = if usize::from(area.width) > KEYS.len() { KEYS } else { FEW_KEYS };
        line(4, keys, self.look.faint());
    }

    /// Whose turn it is, or how the game ended.
    fn state(&self) -> String {
        let board = self.table.board();
        let side = board.side;
        match self.table.turn() {
            Turn::Over => format!("{}. n plays again.", capitalised(board.result.as_deref().unwrap_or_default())),
            Turn::Person if self.table.hints() && self.table.advice().is_none() => {
                format!("Your move, {side}. Hints are on their way...")
            }
            Turn::Person => format!("Your move, {side}."),
            Turn::Waiting => format!("{side}, {}, waits. Enter lets it move.", self.table.side(side).name()),
            Turn::Thinking(since) => {
                let seconds = since.elapsed().as_secs();
                let clock = if seconds > 0 { format!(" {seconds} s") } else { String::new() };
                format!("{side}, {}, is thinking...{clock}", self.table.side(side).name())
            }
        }
    }

    /// A sheet of text in the middle of everything.
    fn draw_sheet(&self, area: Rect, buffer: &mut Buffer, title: &str, lines: &[String], foot: &str) {
        let widest = lines.iter().map(|line| line.chars().count()).chain([foot.len(), title.len()]).max().unwrap_or(0);
        let width = (widest as u16 + 4).min(area.width);
        let height = (lines.len() as u16 + 4).min(area.height);
        let (x, y) = (area.x + (area.width - width) / 2, area.y + (area.height - height) / 2);
        let inside = usize::from(width.saturating_sub(2));
        let rule = "\u{2500}".repeat(inside);
        let style = Style::new();
        put(buffer, x, y, &format!("\u{256d}{rule}\u{256e}"), style);
        for row in 1..height.saturating_sub(1) {
            put(buffer, x, y + row, &format!("\u{2502}{}\u{2502}", " ".repeat(inside)), style);
        }
        put(buffer, x, y + height - 1, &format!("\u{2570}{rule}\u{256f}"), style);
        put(buffer, x + 2, y, title, self.look.strong());
        let room = inside.saturating_sub(2);
        for (line, row) in lines.iter().zip(1..height.saturating_sub(3)) {
            let style = if line.contains("< ") { self.look.strong() } else { style };
            put(buffer, x + 2, y + row, &shortened(line, room), style);
        }
        put(buffer, x + 2, y + height.saturating_sub(2), &shortened(foot, room), self.look.faint());
    }
}

/// What is known of the position, and what is expected to follow.
fn words(verdict: &Verdict) -> (String, String) {
    let Verdict { side, info } = verdict;
    let moves = |plies: Option<u64>| match plies {
        None | Some(0) => String::new(),
        Some(1) => " with the next move".to_owned(),
        Some(plies) => format!(" in {plies} moves"),
    };
    let value = match (info.proven, info.value) {
        (Some(true), Some(value)) if value > 0.0 => format!("{side} wins{}.", moves(info.plies)),
        (Some(true), Some(value)) if value < 0.0 => format!("{side} loses{}.", moves(info.plies)),
        (Some(true), Some(_)) => "A draw with best play.".to_owned(),
        (_, Some(value)) => format!("For {side} {value:+.2}, between -1 (lost) and +1 (won)."),
        _ => String::new(),
    };
    let line: Vec<String> = info.pv.iter().map(ToString::to_string).collect();
    let expected = if line.is_empty() { String::new() } else { format!("  Expected: {}", line.join(" ")) };
    (value, expected)
}

/// Lines that fit, and what is behind them further down, under the sentence that it belongs to.
fn folded(lines: &[String], width: usize) -> Vec<String> {
    let mut folded = Vec::new();
    for line in lines.join("\n").trim_end().lines() {
        let mut rest = line.to_owned();
        while rest.chars().count() > width.max(2 * INDENT) {
            let end = rest.char_indices().nth(width.max(2 * INDENT)).map_or(rest.len(), |(index, _)| index);
            let cut = rest[..end].rfind(' ').filter(|&cut| cut > INDENT).unwrap_or(end);
            let tail = format!("{:INDENT$}{}", "", rest[cut..].trim_start());
            folded.push(rest[..cut].trim_end().to_owned());
            rest = tail;
        }
        folded.push(rest);
    }
    folded
}

/// As much of a text as fits.
fn shortened(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(3)).chain("...".chars()).collect()
}
