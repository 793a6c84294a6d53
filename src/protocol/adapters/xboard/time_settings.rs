//! XBoard's settings of time and depth, and the limits of a search that follow.

use std::num::NonZeroU64;

use noughts_core::game::Player;
use noughts_core::search::{Clock, Limits};

use super::super::seconds_as_ms;

/// Time and depth as XBoard has set them.
#[derive(Clone, Copy, Default, Debug)]
pub struct TimeSettings {
    mode: TimeMode,
    /// `sd`: plies.
    pub depth: Option<NonZeroU64>,
    /// `time` and `otim`: what the engine and its opponent have left, in milliseconds.
    pub left: [Option<u64>; 2],
}

/// The rule that sets the time for a move.
#[derive(Clone, Copy, Default, Debug)]
enum TimeMode {
    #[default]
    None,
    /// `st`: milliseconds for each move.
    Move(u64),
    /// `level`: moves in each session, or 0 for all; milliseconds for a session, and more for each move.
    Level { moves: u64, base: u64, increment: u64 },
}

impl TimeSettings {
    /// `level MOVES BASE INCREMENT`: minutes, perhaps with seconds as in `2:30`, and seconds, perhaps with a fraction.
    pub fn read_level(&mut self, text: &str) -> Option<()> {
        let [moves, base, increment] = text.split_ascii_whitespace().collect::<Vec<_>>().try_into().ok()?;
        let (minutes, seconds) = base.split_once(':').unwrap_or((base, "0"));
        let base = minutes.parse::<u64>().ok()?.checked_mul(60_000)?.checked_add(seconds_as_ms(seconds)?)?;
        self.mode = TimeMode::Level { moves: moves.parse().ok()?, base, increment: seconds_as_ms(increment)? };
        self.left = [None; 2];
        Some(())
    }

    /// `st SECONDS`.
    pub fn read_move_time(&mut self, text: &str) -> Option<()> {
        self.mode = TimeMode::Move(seconds_as_ms(text)?);
        Some(())
    }

    /// `sd PLIES`; 0 is no limit.
    pub fn read_depth(&mut self, text: &str) -> Option<()> {
        self.depth = NonZeroU64::new(text.parse().ok()?);
        Some(())
    }

    /// `time` (`whose` is 0, the engine) and `otim` (1, its opponent): hundredths of a second. Negative time counts as 0.
    pub fn read_left(&mut self, whose: usize, text: &str) -> Option<()> {
        let hundredths: i64 = text.parse().ok()?;
        self.left[whose] = Some(hundredths.max(0) as u64).and_then(|left| left.checked_mul(10));
        Some(())
    }

    /// The limits of a move of `side`, which has made so many moves before.
    pub fn limits(&self, side: Player, made: u64) -> Limits {
        let mut limits = Limits { depth: self.depth, ..Limits::default() };
        match self.mode {
            TimeMode::None => {}
            TimeMode::Move(ms) => limits.move_time = Some(ms),
            TimeMode::Level { moves, base, increment } => {
                let clock = |left: Option<u64>| Clock { time: Some(left.unwrap_or(base)), increment: Some(increment) };
                limits.clocks[side as usize] = clock(self.left[0]);
                limits.clocks[!side as usize] = clock(self.left[1]);
                limits.moves_to_go = made.checked_rem(moves).and_then(|made| NonZeroU64::new(moves - made));
            }
        }
        limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(lines: &[&str], made: u64) -> (Option<u64>, [Option<u64>; 2], Option<u64>, Option<u64>) {
        let mut settings = TimeSettings::default();
        for line in lines {
            let (word, rest) = line.split_once(' ').expect("a word and more");
            let read = match word {
                "level" => settings.read_level(rest),
                "st" => settings.read_move_time(rest),
                "sd" => settings.read_depth(rest),
                "time" => settings.read_left(0, rest),
                _ => settings.read_left(1, rest),
            };
            assert_eq!(read, Some(()), "{line}");
        }
        let limits = settings.limits(Player::O, made);
        let [x, o] = limits.clocks;
        assert_eq!(x.increment, o.increment);
        (limits.move_time, [o.time, x.time], o.increment, limits.moves_to_go.map(NonZeroU64::get))
    }

    #[test]
    fn the_engines_clock_is_that_of_its_side() {
        assert_eq!(limits(&["level 0 1 1"], 0), (None, [Some(60_000); 2], Some(1000), None));
        let left = limits(&["level 0 2:30 0.5", "time 100", "otim 200"], 3);
        assert_eq!(left, (None, [Some(1000), Some(2000)], Some(500), None));
        assert_eq!(limits(&["level 40 5 0"], 45).3, Some(35));
        assert_eq!(limits(&["level 40 5 0", "time -30"], 0).1[0], Some(0));
        assert_eq!(limits(&["level 0 1 1", "st 2"], 0), (Some(2000), [None; 2], None, None));
        assert_eq!(limits(&["st 0"], 0).0, Some(0));
    }

    #[test]
    fn what_is_no_time_changes_nothing() {
        let mut settings = TimeSettings::default();
        for text in ["", "1", "0 1", "0 x 1", "0 1 -1", "0 1 1 1", "-1 1 1", "0 1 nan", "0 99999999999999999999 1"] {
            assert_eq!(settings.read_level(text), None, "{text}");
        }
        for text in ["", "x", "-1", "inf", "1e300"] {
            assert_eq!(settings.read_move_time(text), None, "{text}");
        }
        assert_eq!(settings.read_left(0, "soon"), None);
        assert_eq!(settings.limits(Player::X, 0), Limits::default());
    }
}
