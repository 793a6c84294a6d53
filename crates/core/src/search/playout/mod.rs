//! Playouts: uniformly random games to the end, and their counts, one at a time or 512 at a time.
//!
//! | file | what it holds |
//! |---|---|
//! | `mod.rs` | the choice of the method, and the division of playouts among threads |
//! | `scalar.rs` | one game at a time, also for people who watch them |
//! | `bit_sliced/` | 512 games at a time, bit-sliced |
//! | `exact_playouts.rs` | no games, but their exact expectation, on boards of up to 9 cells |
//! | `tally.rs` | the counts |
//! | `chi_square.rs` | the test of both methods: their final boards |
//!
//! Both methods have the same probability distribution. A large number of playouts is divided into chunks with random
//! numbers of their own. So the counts depend on the seed and the number of playouts, not on the processor or the threads.

mod bit_sliced;
#[cfg(test)]
mod chi_square;
mod exact_playouts;
mod scalar;
mod tally;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use rand::Rng;

use crate::game::Position;
use crate::search::request::PUBLISH_INTERVAL;
use crate::search::{Control, Generator};

use bit_sliced::COMMON_LENGTHS;
pub use bit_sliced::{BitSlicedPlayouts, VectorWidth};
pub use exact_playouts::ExactPlayouts;
use scalar::generator_of_chunk;
pub use scalar::{PlayoutBoard, trace_playouts};
pub use tally::{Tally, Weights};

/// From this number of playouts on, lanes are faster than scalar playouts: for three in a row on 3x3, for other lines of
/// [`COMMON_LENGTHS`], and for the rest, where most games fill the board.
const LEAST_FOR_LANES: [u64; 3] = [48, 128, 512];

/// A method to play random games from a position.
pub enum PlayoutMethod {
    /// One game at a time: for few playouts.
    Scalar,
    /// 512 games at a time, bit-sliced.
    Lanes(BitSlicedPlayouts),
}

impl PlayoutMethod {
    /// The fastest method for this number of playouts; `None` for as many as there is time for. The constants were measured
    /// with `noughts bench`.
    fn fastest(position: &Position, playouts: Option<u64>) -> PlayoutMethod {
        let [small, common, rest] = LEAST_FOR_LANES;
        let least_for_lanes = match position.rules().line_length() {
            Some(3) if position.rules().shape() == 3.into() => small,
            Some(length) if COMMON_LENGTHS.contains(&length) => common,
            _ => rest,
        };
        if playouts.is_none_or(|playouts| playouts >= least_for_lanes) {
            PlayoutMethod::Lanes(BitSlicedPlayouts::new(position))
        } else {
            PlayoutMethod::Scalar
        }
    }

    /// The number of playouts in a chunk.
    fn chunk(&self, position: &Position) -> u64 {
        match self {
            PlayoutMethod::Scalar => 1 << 12,
            PlayoutMethod::Lanes(_) if position.rules().cells() > 16 => 1 << 15,
            PlayoutMethod::Lanes(_) => 1 << 18,
        }
    }
}

/// The settings of playouts.
pub struct Playouts {
    /// The method.
    #[doc(hidden)]
    pub method: PlayoutMethod,
    /// The number of threads, at least 1.
    #[doc(hidden)]
    pub threads: usize,
    /// The width of the vectors of [`PlayoutMethod::Lanes`].
    #[doc(hidden)]
    pub width: VectorWidth,
}

impl Playouts {
    /// The fastest method for the playouts that `control` allows, on at most `threads` threads.
    pub fn fastest(position: &Position, control: &Control, threads: usize) -> Playouts {
        Playouts { method: PlayoutMethod::fastest(position, control.playouts), threads, width: VectorWidth::widest() }
    }

    /// Plays games from a position until `control` ends it, but at least one, and counts them. Every game that is started is
    /// finished. Calls `progress` with the counts so far every few milliseconds.
    pub fn play(
        &self,
        position: &Position,
        generator: &mut Generator,
        control: &Control,
        progress: &mut dyn FnMut(&Tally),
    ) -> Tally {
        let mut tally = Tally::new(position.rules().shape());
        let with_stones = |tally: &Tally| {
            let mut tally = tally.clone();
            tally.add_stones_of(position);
            tally
        };
        if control.check().is_err() {
            // A result needs at least one playout.
            PlayoutBoard::new(position).play_into(&mut tally, generator);
            return with_stones(&tally);
        }
        let queue = ChunkQueue::new(self, position, generator.next_u64(), control);
        let threads = (self.threads as u64).min(queue.chunks);
        let mut publishing = control.timer(PUBLISH_INTERVAL);
        let mut report = |tally: &Tally| {
            if publishing.is_due() {
                progress(&with_stones(tally));
            }
        };
        if threads <= 1 {
            while queue.play_chunk(&mut tally) {
                report(&tally);
            }
            return with_stones(&tally);
        }
        thread::scope(|scope| {
            let (sender, tallies) = channel();
            for _ in 1..threads {
                let (queue, sender) = (&queue, sender.clone());
                // Chunks that no thread takes are played by this one.
                if thread::Builder::new().spawn_scoped(scope, move || queue.play_all(&sender)).is_err() {
                    break;
                }
            }
            drop(sender);
            while queue.play_chunk(&mut tally) {
                tallies.try_iter().for_each(|part| tally.add_tally(&part));
                report(&tally);
            }
            for part in tallies {
                tally.add_tally(&part);
                report(&tally);
            }
        });
        with_stones(&tally)
    }
}

/// A queue of chunks of playouts, shared by all threads.
struct ChunkQueue<'a> {
    playouts: &'a Playouts,
    position: &'a Position,
    control: &'a Control,
    /// The seed from which the chunks get their random numbers.
    seed: u64,
    /// All playouts.
    count: u64,
    /// The playouts of a chunk. The last chunk may be smaller.
    chunk: u64,
    chunks: u64,
    /// The index of the first chunk that no thread has taken.
    next: AtomicU64,
}

impl ChunkQueue<'_> {
    fn new<'a>(playouts: &'a Playouts, position: &'a Position, seed: u64, control: &'a Control) -> ChunkQueue<'a> {
        let (count, chunk) = (control.playouts.unwrap_or(u64::MAX), playouts.method.chunk(position));
        ChunkQueue {
            playouts,
            position,
            control,
            seed,
            count,
            chunk,
            chunks: count.div_ceil(chunk),
            next: AtomicU64::new(0),
        }
    }

    /// Takes a chunk: its index and the number of its playouts. `None` when all have been taken.
    fn take(&self) -> Option<(u64, u64)> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        (number < self.chunks).then(|| (number, self.chunk.min(self.count - number * self.chunk)))
    }

    /// Plays chunks until there are none left or `control` ends it.
    fn play_all(&self, tallies: &Sender<Tally>) {
        loop {
            let mut tally = Tally::new(self.position.rules().shape());
            let goes_on = self.play_chunk(&mut tally);
            // The receiver waits for all senders, so this cannot fail.
            let _ = tallies.send(tally);
            if !goes_on {
                return;
            }
        }
    }

    /// Plays a chunk. False if there is none left or `control` ends it.
    fn play_chunk(&self, tally: &mut Tally) -> bool {
        let Some((number, games)) = self.take() else { return false };
        let mut generator = generator_of_chunk(self.seed, number);
        let may_go_on = || self.control.check().is_ok();
        match &self.playouts.method {
            // The next game of a board depends on the order of its last one, so each chunk has a board of its own.
            PlayoutMethod::Scalar => PlayoutBoard::new(self.position).play(games, &mut generator, &may_go_on, tally),
            PlayoutMethod::Lanes(lanes) => lanes.play(games, &mut generator, self.playouts.width, &may_go_on, tally),
        }
        may_go_on()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::game::Rules;
    use crate::search::{MonteCarlo, SearchRequest, Searcher, Stream, generator};

    #[test]
    fn counts_do_not_depend_on_threads_or_processor() {
        for (shape, connect, count) in [
            ((3, 3), 0, 200_000),
            ((6, 6), 5, 70_000),
            ((15, 15), 5, 70_000),
            ((8, 8), 8, 70_000),
            ((12, 12), 11, 40_000),
            ((20, 20), 12, 40_000),
            ((4, 9), 4, 70_000),
            ((20, 19), 5, 40_000),
        ] {
            let position = Position::start(Rules::new(shape, connect, false).unwrap());
            let control = Control::playouts_only(count);
            let fastest = || Playouts::fastest(&position, &control, 1);
            let play = |playouts: Playouts| {
                let tally = playouts.play(&position, &mut generator(1, Stream::Go(1)), &control, &mut |_| {});
                assert_eq!(tally.results().count(), count);
                tally
            };
            let expected = play(fastest());
            assert_eq!(play(Playouts { threads: 3, ..fastest() }), expected);
            assert_eq!(play(Playouts { width: VectorWidth::Portable, threads: 2, ..fastest() }), expected);
        }
    }

    #[test]
    fn progress_is_told_at_most_ten_times_a_second() {
        let position = Position::start(Rules::new(20, 5, false).unwrap());
        let control = Control::unlimited().with_time(Duration::from_millis(450));
        let mut told = Vec::new();
        let mut player = MonteCarlo::default().on_threads(2);
        player.search(&SearchRequest::new(position), &mut generator(1, Stream::Go(1)), &control, &mut |result| {
            told.push(result.nodes);
        });
        assert!((1..=5).contains(&told.len()), "{told:?}");
        assert!(told.is_sorted());
    }
}
