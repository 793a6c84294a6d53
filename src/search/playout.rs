//! Random games to the end, counted, by whichever of the ways to play them is the fastest.
//!
//! | file | what it holds |
//! |---|---|
//! | `playout.rs` | the choice, and the division of work among threads |
//! | `playout/scalar.rs` | one game at a time |
//! | `playout/lanes.rs` | 512 games at a time |
//!
//! All ways have the same law. A large number of playouts is divided into pieces, each with random numbers of its own, so
//! that the counts depend on the seed and on the number, and neither on the processor nor on the number of threads.

mod lanes;
#[cfg(test)]
mod law;
mod scalar;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use rand::{Rng, SeedableRng};

use crate::game::Position;

use super::random::mix;
use super::{Control, Generator, Tally};

pub use lanes::{LanePlayouts, Width};
pub use scalar::PlayoutBoard;

/// Time between two progress reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// A way to play random games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// One at a time: for few, and for lines of unusual length.
    Scalar,
    /// 512 at a time.
    Lanes,
}

impl Method {
    /// The fastest way to play so many games from a position, `None` for as many as there is time for. The only place
    /// where it is chosen; the figures are measured by `noughts bench`.
    pub fn fastest(position: &Position, playouts: Option<u64>) -> Method {
        let least = if position.rules().size() <= 3 { 48 } else { 128 };
        let is_many = playouts.is_none_or(|playouts| playouts >= least);
        if is_many && LanePlayouts::has_kernel(position) { Method::Lanes } else { Method::Scalar }
    }

    /// The playouts of a piece of work.
    fn piece(self, position: &Position) -> u64 {
        match self {
            Method::Scalar => 1 << 12,
            Method::Lanes if position.rules().size() <= 4 => 1 << 18,
            Method::Lanes => 1 << 15,
        }
    }
}

/// How playouts are to be played.
#[derive(Clone, Copy, Debug)]
pub struct Playouts {
    /// In which way.
    pub method: Method,
    /// On how many threads, at least 1.
    pub threads: usize,
    /// With which words.
    pub width: Width,
}

impl Playouts {
    /// The fastest way to play what `control` allows from a position, on so many threads at most.
    pub fn fastest(position: &Position, control: &Control, threads: usize) -> Playouts {
        Playouts { method: Method::fastest(position, control.playouts()), threads, width: Width::widest() }
    }

    /// Plays from a position until `control` says to stop, at least once, and counts. Every game that is started is
    /// finished. Tells `progress` at most ten times a second how far it is.
    pub fn play(
        self,
        position: &Position,
        generator: &mut Generator,
        control: &Control,
        progress: &mut dyn FnMut(&Tally),
    ) -> Tally {
        let mut tally = Tally::new(position.rules().size());
        let with_stones = |tally: &Tally| {
            let mut tally = tally.clone();
            tally.add_stones_of(position);
            tally
        };
        if control.check().is_err() {
            // An answer needs a playout.
            PlayoutBoard::new(position).play_into(&mut tally, generator);
            return with_stones(&tally);
        }
        let work = Work::new(self, position, generator.next_u64(), control);
        let threads = (self.threads as u64).min(work.pieces);
        let mut last_report = Instant::now();
        let mut report = |tally: &Tally| {
            if last_report.elapsed() >= REPORT_INTERVAL {
                progress(&with_stones(tally));
                last_report = Instant::now();
            }
        };
        thread::scope(|scope| {
            let (sender, tallies) = channel();
            for _ in 1..threads {
                let (work, sender) = (&work, sender.clone());
                scope.spawn(move || Player::new(work).play_all(&sender));
            }
            drop(sender);
            let mut player = Player::new(&work);
            while player.play_piece(&mut tally) {
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

/// Playouts in pieces, for whoever has time.
struct Work<'a> {
    playouts: Playouts,
    position: &'a Position,
    control: &'a Control,
    /// Where the random numbers of the pieces begin.
    seed: u64,
    /// All playouts.
    count: u64,
    /// The playouts of a piece; the last may be smaller.
    piece: u64,
    pieces: u64,
    /// The first piece that nobody has taken yet.
    next: AtomicU64,
}

impl Work<'_> {
    fn new<'a>(playouts: Playouts, position: &'a Position, seed: u64, control: &'a Control) -> Work<'a> {
        let (count, piece) = (control.playouts().unwrap_or(u64::MAX), playouts.method.piece(position));
        Work { playouts, position, control, seed, count, piece, pieces: count.div_ceil(piece), next: AtomicU64::new(0) }
    }

    /// The number of a piece that nobody else has taken, and its playouts.
    fn take(&self) -> Option<(u64, u64)> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        (number < self.pieces).then(|| (number, self.piece.min(self.count - number * self.piece)))
    }

    fn may_go_on(&self) -> bool {
        self.control.check().is_ok()
    }
}

/// Somebody who takes pieces and plays them.
struct Player<'a> {
    work: &'a Work<'a>,
    lanes: Option<LanePlayouts>,
}


impl Player<'_> {
    fn new<'a>(work: &'a Work<'a>) -> Player<'a> {
        let lanes = (work.playouts.method == Method::Lanes).then(|| LanePlayouts::new(work.position)).flatten();
        Player { work, lanes }
    }

    /// Plays pieces until there are none, or no time.
    fn play_all(&mut self, tallies: &Sender<Tally>) {
        loop {
            let mut tally = Tally::new(self.work.position.rules().size());
            let goes_on = self.play_piece(&mut tally);
            // The one who listens hears everybody out.
            let _ = tallies.send(tally);
            if !goes_on {
                return;
            }
        }
    }

    /// Plays a piece, and says whether there may be another.
    fn play_piece(&mut self, tally: &mut Tally) -> bool {
        let Some((number, playouts)) = self.work.take() else { return false };
        let mut generator = generator_of_piece(self.work.seed, number);
        let may_go_on = || self.work.may_go_on();
        match &self.lanes {
            Some(lanes) => lanes.play(playouts, &mut generator, self.work.playouts.width, &may_go_on, tally),
            // A board remembers the order of its last game, so each piece has its own.
            None => PlayoutBoard::new(self.work.position).play(playouts, &mut generator, &may_go_on, tally),
        }
        may_go_on()
    }
}

/// The random numbers of a piece of work.
fn generator_of_piece(seed: u64, number: u64) -> Generator {
    Generator::seed_from_u64(mix(seed.wrapping_add(number)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::search::{Stream, generator};

    #[test]
    fn the_counts_depend_neither_on_the_threads_nor_on_the_processor() {
        for (size, connect, count) in [(3, 0, 1_000_000), (6, 5, 200_000), (15, 5, 70_000), (12, 11, 10_000)] {
            let position = Position::start(Rules::new(size, connect, false).unwrap());
            let control = Control::playouts_only(count);
            let fastest = Playouts::fastest(&position, &control, 1);
            let play = |playouts: Playouts| {
                let tally = playouts.play(&position, &mut generator(1, Stream::Go(1)), &control, &mut |_| {});
                assert_eq!(tally.results().count(), count);
                tally
            };
            let expected = play(fastest);
            assert_eq!(play(Playouts { threads: 3, ..fastest }), expected);
            assert_eq!(play(Playouts { width: Width::Portable, threads: 2, ..fastest }), expected);
        }
    }

    #[test]
    fn progress_is_told_at_most_ten_times_a_second() {
        let position = Position::start(Rules::new(20, 5, false).unwrap());
        let end = Instant::now() + Duration::from_millis(450);
        let control = Control::new(std::sync::Arc::default(), Some(end), None);
        let mut told = Vec::new();
        Playouts::fastest(&position, &control, 2).play(
            &position,
            &mut generator(1, Stream::Go(1)),
            &control,
            &mut |tally| told.push(tally.results().count()),
        );
        assert!((1..=5).contains(&told.len()), "{told:?}");
        assert!(told.is_sorted());
    }
}
