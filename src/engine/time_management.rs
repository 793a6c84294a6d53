//! Time management: how long a move may take.

use std::time::Duration;

use noughts_core::game::Position;
use noughts_core::search::Limits;

/// The time for a move, from the line of the client that asks for it to the line of the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveTime {
    /// After this time the search ends.
    pub most: Duration,
    /// True if time that the search does not use is of use later. Then a search whose best move cannot change any more
    /// may end sooner.
    pub saves: bool,
}

/// Overheads that a move leaves on the clock, where there is as much, besides the one that is kept back from every limit.
const OVERHEADS_TO_SPARE: u64 = 3;

/// The time for a move of the side to move, if anything limits it: the move time or a share of the clock, whichever is less.
/// The overhead, in milliseconds, is kept back from both.
///
/// Time that is left at the end of a game is worth little, but a clock that runs out loses the game. So a share leaves three
/// overheads more on the clock, or half of the clock where that is less. The nearer the clock is to that reserve, the less
/// of the increment the share takes. A player that uses all of its time, for more moves than were expected, therefore keeps
/// some of each increment until the clock holds about three overheads.
pub fn time_for_move(limits: &Limits, position: &Position, overhead: u32) -> Option<MoveTime> {
    let overhead = u64::from(overhead);
    let fixed = limits.move_time.map(|time| time.saturating_sub(overhead));
    let clock = limits.clocks[position.side() as usize];
    let share = clock.time.map(|left| {
        let left = left.saturating_sub(overhead);
        let reserve = OVERHEADS_TO_SPARE * overhead;
        let spare = reserve.min(left / 2);
        let moves = limits.moves_to_go.map_or(u64::MAX, |moves| moves.get()).min(moves_to_come(position));
        let increment = scaled(clock.increment.unwrap_or(0), left, reserve);
        ((left - spare) / moves).saturating_add(increment).min(left - spare)
    });
    let most = fixed.into_iter().chain(share).min()?;
    Some(MoveTime { most: Duration::from_millis(most), saves: share == Some(most) })
}

/// The increment times `left / (left + reserve)`.
fn scaled(increment: u64, left: u64, reserve: u64) -> u64 {
    let [increment, left, reserve] = [increment, left, reserve].map(u128::from);
    (increment * left / (left + reserve).max(1)) as u64
}

/// The number of moves that the side to move will still have to think about, this one included: an estimate.
///
/// When a game is decided, the moves that follow take no time. In games of the tree search against itself that is after about
/// this many plies. (Mean over 16 games of `auto` at 20 ms a move of the last move that took more than 5 ms.)
///
/// | | 6x6 | 7x7 | 8x8 | 9x9 | 10x10 | 12x12 | 15x15 | 20x20 |
/// |---|---|---|---|---|---|---|---|---|
/// | 4 in a row | 4 | 7 | 6 | | 8 | | 9 | |
/// | 5 in a row | 10 | 21 | 29 | 29 | 33 | 25 | 25 | 52 |
/// | 6 in a row | | | 21 | | 40 | 65 | 120 | 322 |
/// | 5 in a row, reverse | 18 | | 52 | | 89 | | 215 | |
///
/// So a game takes 12 or 36 plies, half of the board with longer lines, and all of the board under the reverse rule. A game
/// that has lasted longer is expected to go on for a while.
fn moves_to_come(position: &Position) -> u64 {
    let rules = position.rules();
    let cells = rules.cells() as u64;
    let plies = match rules.line_length() {
        _ if rules.reverse() => cells,
        Some(..=4) => SHORT_GAME,
        Some(5) => LONG_GAME,
        Some(6..) | None => cells / 2,
    };
    let empty = position.empty_cells() as u64;
    let expected = plies.saturating_sub(cells - empty).div_ceil(2);
    let room = empty.div_ceil(2).max(1);
    expected.max(FEWEST_MOVES).max(plies / 16).min(room)
}

/// Plies of a game in which few stones make a line, under the normal rule.
const SHORT_GAME: u64 = 12;

/// Plies of a game in which five stones make a line, under the normal rule.
const LONG_GAME: u64 = 36;

/// The fewest moves that are expected, however long the game has lasted, as long as the board has room for them.
const FEWEST_MOVES: u64 = 8;

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use super::*;
    use noughts_core::game::Rules;
    use noughts_core::search::Clock;

    fn clock(time: u64, increment: u64) -> Limits {
        let clock = Clock { time: Some(time), increment: Some(increment) };
        Limits { clocks: [clock; 2], ..Limits::default() }
    }

    fn start(size: u8, connect: u16) -> Position {
        Position::start(Rules::new(size, connect, false).expect("rules within range"))
    }

    fn ms(limits: &Limits, position: &Position, overhead: u32) -> Option<u128> {
        time_for_move(limits, position, overhead).map(|time| time.most.as_millis())
    }

    #[test]
    fn the_overhead_is_kept_back_from_every_limit() {
        let board = start(15, 5);
        let moved = |time| Limits { move_time: Some(time), ..Limits::default() };
        assert_eq!(ms(&Limits::default(), &board, 10), None);
        assert_eq!(ms(&moved(100), &board, 0), Some(100));
        assert_eq!(ms(&moved(100), &board, 10), Some(90));
        for overhead in [0, 10, 500] {
            for time in [0, 5, 9, 10, 11, 500, 10_000, u64::MAX] {
                for increment in [0, 5, 1000, u64::MAX] {
                    for moves in [None, NonZeroU64::new(1), NonZeroU64::new(40)] {
                        let limits = Limits { moves_to_go: moves, ..clock(time, increment) };
                        let most = ms(&limits, &board, overhead).expect("a clock limits it");
                        assert!(most <= u128::from(time.saturating_sub(overhead.into())), "{limits:?}");
                        assert!(time_for_move(&limits, &board, overhead).is_some_and(|time| time.saves));
                    }
                }
            }
        }
    }

    #[test]
    fn the_tightest_limit_counts_and_only_a_clock_saves_time() {
        let board = start(15, 5);
        let both = |time| Limits { move_time: Some(time), ..clock(10_000, 0) };
        let least = ms(&clock(10_000, 0), &board, 10).expect("a clock limits it");
        assert_eq!(ms(&both(20), &board, 10), Some(10));
        assert_eq!(time_for_move(&both(20), &board, 10).map(|time| time.saves), Some(false));
        assert_eq!(ms(&both(9_000), &board, 10), Some(least));
    }

    /// A player that spends its share and 2 ms more on every move keeps two overheads on the clock, if it has an
    /// increment.
    #[test]
    fn an_increment_keeps_a_reserve_on_the_clock() {
        for (size, connect) in [(8, 5), (15, 5), (20, 0)] {
            for (time, increment) in [(200, 5), (1_000, 10), (5_000, 50)] {
                let board = start(size, connect);
                let mut left: u64 = time;
                for _ in 0..board.rules().cells() / 2 {
                    left -= ms(&clock(left, increment), &board, 15).expect("a clock limits it") as u64 + 2;
                    left += increment;
                    assert!(left > 30, "{size}x{size}, {time} + {increment} ms: {left} ms");
                }
            }
        }
    }

    /// A player that spends all of its share on every move has time to the end of any game. When a game of the usual
    /// length ends, it has used most of the time.
    #[test]
    fn a_clock_lasts_for_any_game_and_is_used_in_the_usual_one() {
        for (size, connect, usual) in [(15, 5, 16), (8, 5, 16), (6, 4, 6), (20, 6, 100), (10, 6, 25), (3, 3, 4)] {
            for increment in [0, 50] {
                let mut left = 5_000u64;
                let mut position = start(size, connect);
                let mut used = 0;
                for number in 0..position.rules().cells() / 2 {
                    let spent = ms(&clock(left, increment), &position, 10).expect("a clock limits it") as u64;
                    assert!(spent <= left - left.min(10));
                    assert!(left > 10, "{size}x{size}: move {number}");
                    left = left - spent + increment;
                    used += spent;
                    if number + 1 == usual {
                        assert!(used * 2 > 5_000, "{size}x{size}, {connect} in a row: {used} ms");
                    }
                    // Two plies that complete no line.
                    for _ in 0..2 {
                        let quiet = |cell: &noughts_core::game::Cell| position.after(*cell).outcome().is_none();
                        let next = position.moves().find(quiet);
                        position = next.map_or(position, |cell| position.after(cell));
                    }
                }
            }
        }
    }
}
