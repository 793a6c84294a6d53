//! Colours, and what stands in for them where there are none.

use ratatui::style::{Color, Modifier, Style};

use crate::tui::advice::Worth;
use noughts_core::game::Player;

/// How things look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// Whether there are colours.
    pub colour: bool,
}

/// From cold to hot, of the 256 colours.
const HEAT: [u8; 5] = [240, 66, 71, 113, 154];

impl Look {
    fn of(self, colour: Color) -> Style {
        if self.colour { Style::new().fg(colour) } else { Style::new() }
    }

    /// Stones.
    pub fn stone(self, player: Player) -> Style {
        self.of(if player == Player::X { Color::LightCyan } else { Color::LightYellow }).add_modifier(Modifier::BOLD)
    }

    /// Stones of the completed line.
    pub fn line(self, player: Player) -> Style {
        self.stone(player).add_modifier(Modifier::REVERSED)
    }

    /// What is there and need not be read.
    pub fn faint(self) -> Style {
        if self.colour { Style::new().fg(Color::DarkGray) } else { Style::new().add_modifier(Modifier::DIM) }
    }

    /// What stands out.
    pub fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// The cell that Enter plays.
    pub fn cursor(self) -> Style {
        self.of(Color::LightMagenta).add_modifier(Modifier::BOLD)
    }

    /// What went wrong.
    pub fn wrong(self) -> Style {
        self.of(Color::LightRed)
    }

    /// What a move is worth; of Monte Carlo totals, how hot it is from 0 to 1.
    pub fn worth(self, worth: Worth, heat: f64) -> Style {
        match worth {
            Worth::Win(_) => self.of(Color::LightGreen).add_modifier(Modifier::BOLD),
            Worth::Draw => self.of(Color::White),
            Worth::Loss(_) => self.of(Color::LightRed),
            Worth::Total(_) => {
                let step = (heat * (HEAT.len() - 1) as f64).round() as usize;
                let style = self.of(Color::Indexed(HEAT[step.min(HEAT.len() - 1)]));
                if heat >= 1.0 { style.add_modifier(Modifier::BOLD) } else { style }
            }
        }
    }
}
