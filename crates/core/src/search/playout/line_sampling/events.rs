//! The events of line sampling and their probabilities.

use super::binomial::combinations;
use super::bits::Bits;

/// "This stone of this player completes a line": one event for all lines of the player with the same number of empty
/// cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineEvent {
    pub(super) completer: usize,
    /// The index of its first line among those of the player.
    pub(super) first: usize,
    pub(super) lines: u32,
    /// Empty cells of such a line.
    pub(super) line: u32,
    /// Stones of the player elsewhere.
    pub(super) more: u32,
    /// Stones of the other player.
    pub(super) others: u32,
}

/// The sum, over all lines, of the probability that the player gets all empty cells of the line.
pub(super) fn rate<const W: usize>(lines: [&[Bits<W>]; 2], cells: usize) -> f64 {
    let longest = lines.into_iter().flatten().map(Bits::len).max().unwrap_or(0);
    let rate = |player| {
        let chances: Vec<f64> = (0..=longest).map(|line| chance_of_line(player, line as usize, cells)).collect();
        lines[player].iter().map(|line| chances[line.len() as usize]).sum::<f64>()
    };
    rate(0) + rate(1)
}

/// The stones that a player puts until the board is full.
fn stones_to_come(player: usize, cells: usize) -> usize {
    (cells + 1 - player) / 2
}

/// The probability that a player gets `line` given cells of the empty ones.
fn chance_of_line(player: usize, line: usize, cells: usize) -> f64 {
    combinations(stones_to_come(player, cells), line) as f64 / combinations(cells, line) as f64
}

/// The events of the lines of a player, with their probabilities.
pub(super) fn events_of<const W: usize>(completer: usize, lines: &[Bits<W>], cells: usize) -> Vec<(LineEvent, f64)> {
    let mut events = Vec::new();
    let mut first = 0;
    for same in lines.chunk_by(|one, other| one.len() == other.len()) {
        let line = same[0].len() as usize;
        let all_ways = combinations(cells, line) as f64;
        // The ways to choose the stones of the line among those of the player. The newest stone is one of them.
        let mut ways = 1;
        for stones in line..=stones_to_come(completer, cells) {
            // The side to move completes lines one stone ahead of its opponent.
            let (more, others) = (stones - line, stones + completer - 1);
            let event = LineEvent {
                completer,
                first,
                lines: same.len() as u32,
                line: line as u32,
                more: more as u32,
                others: others as u32,
            };
            events.push((event, same.len() as f64 * (ways as f64 / all_ways)));
            ways = ways * stones as u128 / (more + 1) as u128;
        }
        first += same.len();
    }
    events
}
