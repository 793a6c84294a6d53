//! Line sampling: playouts for boards on which a decided game is rare. Draws cost almost nothing.
//!
//! Take a playout that goes on until the board is full. The probability that the `j`-th stone of a player completes a
//! given line has a formula. The sum `S` of these probabilities, over all lines and stones, is small where lines are
//! long: .086 for eight in a row on 8x8, .0012 for fifteen in a row on 15x15. At least `1 - S` of all playouts are draws
//! and need no work. Each of the others goes through three steps:
//!
//! 1. Draw an event "the `j`-th stone of this player completes this line", in proportion to its probability.
//! 2. Draw the stones on the board at that moment: the cells of the line, the other stones of that player, and the stones
//!    of the opponent.
//! 3. Reject the game, as a draw, if a line was complete before. If the last stone completes `r` lines at once, keep the
//!    game with probability `1 / r`, because `r` events lead to it.
//!
//! The distribution of decided games is that of playouts ply by ply. Karp, Luby and Madras count the union of sets that
//! overlap in this way ("Monte-Carlo Approximation Algorithms for Enumeration Problems", 1989).
//!
//! `S` must be 1 at most, and the work grows with it. The probabilities of the events, and of the number of playouts with
//! an event, have rounding errors of some 1e-16. Everything else is exact.

mod alias_table;
mod binomial;
mod bits;
mod decided_counts;
mod events;
mod open_lines;
#[cfg(test)]
mod tests;

#[cfg(test)]
use crate::game::CellSet;
use crate::game::{Cell, Position};
use crate::search::{Generator, PlayoutResults, Tally, below};

use alias_table::AliasTable;
use binomial::BinomialSampler;
use bits::{Bits, Pool};
use decided_counts::DecidedCounts;
use events::{LineEvent, events_of, rate};
use open_lines::{Completed, OpenLines, open_lines};

/// The highest `S`. `S` is the probability of an event, so it cannot be above 1. Up to 1, line sampling is faster than
/// playouts ply by ply, even for four in a row on 4x4 (.77).
const HIGHEST_RATE: f64 = 1.0;

/// Above this `S`, line sampling is not tried. Leaving out lines that contain another line lowers `S`, but takes time
/// and hardly ever brings it from here down to 1.
const HOPELESS_RATE: f64 = 4.0;

/// Plays random games from a position by line sampling.
pub struct LineSampler {
    sampler: Box<dyn AnySampler + Send + Sync>,
}

impl LineSampler {
    /// The sampler for a position in which the game goes on. `None` if lines are completed too often, so that `S` is too
    /// large.
    pub fn new(position: &Position) -> Option<LineSampler> {
        let sampler = match position.empty_cells() {
            0..=64 => Sampler::<1>::boxed(position),
            65..=128 => Sampler::<2>::boxed(position),
            129..=192 => Sampler::<3>::boxed(position),
            193..=256 => Sampler::<4>::boxed(position),
            _ => Sampler::<7>::boxed(position),
        };
        Some(LineSampler { sampler: sampler? })
    }

    /// `S`: the expected number of complete lines after the board has been filled at random from this position. A line
    /// that cannot be completed before another one is not counted.
    pub fn rate(&self) -> f64 {
        self.sampler.rate()
    }

    /// Plays `playouts` games and adds them to `tally`. The squares that were filled before the playouts are not counted.
    pub fn play(&self, playouts: u64, generator: &mut Generator, tally: &mut Tally) {
        self.sampler.play(playouts, generator, tally);
    }
}

/// A sampler for boards of any size.
trait AnySampler {
    fn rate(&self) -> f64;
    fn play(&self, playouts: u64, generator: &mut Generator, tally: &mut Tally);
    /// Plays `playouts` games. Returns for each decided game the player who completed a line, and the new stones of both.
    #[cfg(test)]
    fn decided_games(&self, playouts: u64, generator: &mut Generator) -> Vec<(usize, [CellSet; 2])>;
}

/// The sampler for positions with up to `64 * W` empty cells. Player 0 is the side to move, player 1 its opponent.
struct Sampler<const W: usize> {
    /// The empty cells. Sets of them hold indices into this list.
    cells: Vec<Cell>,
    /// The set of all empty cells.
    all: Bits<W>,
    lines: [OpenLines<W>; 2],
    rate: f64,
    binomial: BinomialSampler,
    events: Vec<LineEvent>,
    choice: AliasTable,
    completer_wins: bool,
}

/// A decided game: the player who has completed a line, the new stones of that player, and those of the other.
struct DecidedGame<const W: usize> {
    completer: usize,
    own: Bits<W>,
    others: Bits<W>,
}

impl<const W: usize> Sampler<W> {
    fn boxed(position: &Position) -> Option<Box<dyn AnySampler + Send + Sync>> {
        let cells: Vec<Cell> = position.moves().collect();
        let length = u32::from(position.rules().line_length().unwrap_or(0));
        let open = open_lines::<W>(position, &cells);
        if rate([&open[0], &open[1]], cells.len()) > HOPELESS_RATE {
            return None;
        }
        let lines = open.map(|lines| OpenLines::new(lines, length));
        let rate = rate([lines[0].lines(), lines[1].lines()], cells.len());
        if rate > HIGHEST_RATE {
            return None;
        }
        let events_of = |player: usize| events_of(player, lines[player].lines(), cells.len());
        let (events, weights): (Vec<LineEvent>, Vec<f64>) = events_of(0).into_iter().chain(events_of(1)).unzip();
        Some(Box::new(Sampler::<W> {
            all: Bits::of(0..cells.len() as u32),
            cells,
            lines,
            rate,
            binomial: BinomialSampler::new(rate),
            events,
            choice: AliasTable::new(&weights),
            completer_wins: position.rules().completer_wins(),
        }))
    }

    /// Draws an event and a game with it. `None` if the game is rejected: the playout is a draw.
    fn propose(&self, generator: &mut Generator) -> Option<DecidedGame<W>> {
        let event = self.events[self.choice.draw(generator)];
        let span = self.cells.len() as u32;
        let lines = &self.lines[event.completer];
        let line = event.first + below(generator, event.lines) as usize;
        let own = lines.lines()[line];
        let rest = Pool { cells: self.all.without(own), len: span - event.line };
        let filled =
            Pool { cells: rest.subset(event.more + event.others, span, generator), len: event.more + event.others };
        let more = filled.subset(event.more, span, generator);
        let game = DecidedGame { completer: event.completer, own: own.or(more), others: filled.cells.without(more) };
        self.accepts(&game, line, generator).then_some(game)
    }

    /// Whether a game is kept in which the line with this index was proposed.
    fn accepts(&self, game: &DecidedGame<W>, line: usize, generator: &mut Generator) -> bool {
        if !self.lines[1 - game.completer].none_completed(&game.others) {
            return false;
        }
        let lines = &self.lines[game.completer];
        let Completed { number, common } = lines.completed_with(line, &game.own);
        // The last stone was any cell of the proposed line. A complete line without it was complete before.
        number == 1 || below(generator, number * lines.lines()[line].len()) < common.len()
    }

    /// Moves the counts of the games that a player has completed to a tally.
    fn move_to(&self, tally: &mut Tally, completer: usize, games: &mut DecidedCounts<W>) {
        let number = games.number();
        let [own, others] = games.take(self.cells.len());
        let (current, other) = if completer == 0 { (own, others) } else { (others, own) };
        let won = (completer == 0) == self.completer_wins;
        let (sign, results) = match won {
            true => (1, PlayoutResults { wins: number, ..PlayoutResults::default() }),
            false => (-1, PlayoutResults { losses: number, ..PlayoutResults::default() }),
        };
        let credit =
            |((&cell, current), other): ((&Cell, u64), u64)| (cell, sign * current as i64, -sign * other as i64);
        tally.add_many(results, self.cells.iter().zip(current).zip(other).map(credit));
    }

    /// Plays `playouts` games and calls `each` for every decided one.
    fn play_decided(&self, playouts: u64, generator: &mut Generator, mut each: impl FnMut(DecidedGame<W>)) {
        for block in self.binomial.blocks(playouts) {
            for _ in 0..self.binomial.draw(block, generator) {
                self.propose(generator).into_iter().for_each(&mut each);
            }
        }
    }
}

impl<const W: usize> AnySampler for Sampler<W> {
    fn rate(&self) -> f64 {
        self.rate
    }

    fn play(&self, playouts: u64, generator: &mut Generator, tally: &mut Tally) {
        let mut counted = [DecidedCounts::new(), DecidedCounts::new()];
        let mut draws = playouts;
        self.play_decided(playouts, generator, |game| {
            draws -= 1;
            let games = &mut counted[game.completer];
            games.add(&game);
            if games.is_full() {
                self.move_to(tally, game.completer, games);
            }
        });
        (0..2).zip(&mut counted).for_each(|(completer, games)| self.move_to(tally, completer, games));
        tally.add_draws(draws);
    }

    #[cfg(test)]
    fn decided_games(&self, playouts: u64, generator: &mut Generator) -> Vec<(usize, [CellSet; 2])> {
        let mut games = Vec::new();
        self.play_decided(playouts, generator, |game| games.push(game));
        let set = |bits: Bits<W>| bits.iter().map(|index| self.cells[index as usize]).collect();
        let in_turn = |game: DecidedGame<W>| {
            let mut stones = [set(game.own), set(game.others)];
            stones.rotate_left(game.completer);
            (game.completer, stones)
        };
        games.into_iter().map(in_turn).collect()
    }
}
