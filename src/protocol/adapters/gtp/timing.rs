//! The time settings of a client, and the limits of a search that follow.

use std::num::NonZeroU64;

use noughts_core::game::Player;
use noughts_core::search::{Clock, Limits};

use super::super::seconds_as_ms;

/// The times of a game. All are in milliseconds.
#[derive(Clone, Copy, Default, Debug)]
pub struct TimeSettings {
    /// The time before the overtime begins.
    main: u64,
    /// The time of a period of overtime, and the moves in it; `None` without overtime.
    overtime: Option<(u64, NonZeroU64)>,
    /// What the players have left, and for how many moves; 0 before the overtime. `None` if nothing limits the time.
    left: [Option<(u64, u64)>; 2],
}

impl TimeSettings {
    /// `time_settings MAIN OVERTIME STONES`, in seconds. An overtime of no stones lifts all limits.
    pub fn read(&mut self, arguments: &[&str]) -> Option<()> {
        let [main, overtime, stones] = arguments else { return None };
        let (main, overtime, stones) = (seconds_as_ms(main)?, seconds_as_ms(overtime)?, stones.parse::<u64>().ok()?);
        let is_unlimited = overtime > 0 && stones == 0;
        *self = TimeSettings {
            main,
            overtime: NonZeroU64::new(stones).map(|stones| (overtime, stones)),
            left: [(!is_unlimited).then_some((main, 0)); 2],
        };
        Some(())
    }

    /// `time_left COLOUR TIME STONES`: seconds, and the moves for them; 0 stones before the overtime. A negative time counts
    /// as 0.
    pub fn read_left(&mut self, player: Player, time: &str, stones: &str) -> Option<()> {
        let time = seconds_as_ms(time.strip_prefix('-').map_or(time, |_| "0"))?;
        self.left[player as usize] = Some((time, stones.parse().ok()?));
        Some(())
    }

    /// The limits of a move of `side`.
    pub fn limits(&self, side: Player) -> Limits {
        let mut limits = Limits::default();
        let Some((time, stones)) = self.left[side as usize] else { return limits };
        match self.overtime {
            Some((period, moves)) if time == 0 && stones == 0 => limits.move_time = Some(period / moves),
            _ => {
                limits.moves_to_go = NonZeroU64::new(stones);
                limits.clocks[side as usize] = Clock { time: Some(time), increment: None };
            }
        }
        limits
    }

    /// Takes the time of a move of `side` off, until the client says what is left.
    pub fn spend(&mut self, side: Player, elapsed: u64) {
        let Some((time, stones)) = &mut self.left[side as usize] else { return };
        let rest = time.saturating_sub(elapsed);
        (*time, *stones) = match self.overtime {
            // The moves of a period that are made get a new period.
            Some((period, moves)) if *stones == 1 => (period, moves.get()),
            Some(_) if *stones > 1 => (rest, *stones - 1),
            _ => (rest, *stones),
        };
    }

    /// Begins another game with the full time.
    pub fn begin_game(&mut self) {
        self.left = self.left.map(|left| left.map(|_| (self.main, 0)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(lines: &[&str]) -> (Option<u64>, Option<u64>, Option<u64>) {
        let mut settings = TimeSettings::default();
        for line in lines {
            let words: Vec<&str> = line.split(' ').collect();
            let read = match words[..] {
                ["left", time, stones] => settings.read_left(Player::O, time, stones),
                ["spend", elapsed] => {
                    settings.spend(Player::O, elapsed.parse().expect("a number"));
                    Some(())
                }
                ["begin"] => {
                    settings.begin_game();
                    Some(())
                }
                _ => settings.read(&words),
            };
            read.expect(line);
        }
        let Limits { move_time, clocks, moves_to_go, .. } = settings.limits(Player::O);
        (move_time, clocks[1].time, moves_to_go.map(NonZeroU64::get))
    }

    #[test]
    fn times_of_the_standard_become_clocks_and_times_of_moves() {
        assert_eq!(limits(&[]), (None, None, None));
        assert_eq!(limits(&["60 0 0"]), (None, Some(60_000), None));
        assert_eq!(limits(&["0 1 0"]), (None, None, None));
        assert_eq!(limits(&["0 10 5"]), (Some(2000), None, None));
        assert_eq!(limits(&["0 0.2 1"]), (Some(200), None, None));
        assert_eq!(limits(&["60 10 5", "left 7 3"]), (None, Some(7000), Some(3)));
        assert_eq!(limits(&["60 0 0", "left -2 0"]), (None, Some(0), None));
        assert_eq!(limits(&["60 10 5", "left 0 0"]), (Some(2000), None, None));
        assert_eq!(limits(&["60 0 0", "spend 1500"]), (None, Some(58_500), None));
        assert_eq!(limits(&["60 0 0", "spend 1500", "begin"]), (None, Some(60_000), None));
        assert_eq!(limits(&["0 10 2", "left 5 2", "spend 1000"]), (None, Some(4000), Some(1)));
        assert_eq!(limits(&["0 10 2", "left 5 1", "spend 1000"]), (None, Some(10_000), Some(2)));
        // No limit before, and none after.
        assert_eq!(limits(&["0 1 0", "spend 1500", "begin"]), (None, None, None));
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in ["", "1 2", "1 2 3 4", "a 0 0", "-1 0 0", "1 0 -1", "nan 0 0", "1e99 0 0"] {
            let words: Vec<&str> = text.split(' ').collect();
            assert_eq!(TimeSettings::default().read(&words), None, "{text}");
        }
    }
}
