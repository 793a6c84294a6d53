//! Colours and text styles.

use ratatui::style::{Color, Modifier, Style};

use crate::tui::hints::Hint;
use noughts_core::game::{Player, Value};

/// The colours and text styles of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Theme {
    /// Whether colours are used; text styles are used in any case.
    pub colour: bool,
}

/// Colours of Monte Carlo scores from the lowest to the highest, as numbers among the 256 colours.
const HEAT: [u8; 5] = [240, 66, 71, 113, 154];

impl Theme {
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

    /// Text that is there for orientation: numbers around the board, keys.
    pub fn faint(self) -> Style {
        if self.colour { Style::new().fg(Color::DarkGray) } else { Style::new().add_modifier(Modifier::DIM) }
    }

    /// Titles and the row that is chosen.
    pub fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// The cell that Enter plays.
    pub fn cursor(self) -> Style {
        self.of(Color::LightMagenta).add_modifier(Modifier::BOLD)
    }

    /// Errors.
    pub fn wrong(self) -> Style {
        self.of(Color::LightRed)
    }

    /// The hint of a move; the heat of an expected value goes from 0 to 1.
    pub fn hint(self, hint: Hint, heat: f64) -> Style {
        match hint {
            Hint::Proven(Value::Win(_)) | Hint::Decided(Value::Win(_)) => {
                self.of(Color::LightGreen).add_modifier(Modifier::BOLD)
            }
            Hint::Proven(Value::Draw) | Hint::Decided(Value::Draw) => self.of(Color::White),
            Hint::Proven(Value::Loss(_)) | Hint::Decided(Value::Loss(_)) => self.of(Color::LightRed),
            Hint::Expected(_) => {
                let step = (heat * (HEAT.len() - 1) as f64).round() as usize;
                let style = self.of(Color::Indexed(HEAT[step.min(HEAT.len() - 1)]));
                if heat >= 1.0 { style.add_modifier(Modifier::BOLD) } else { style }
            }
        }
    }
}
