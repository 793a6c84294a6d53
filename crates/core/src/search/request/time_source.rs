//! The clocks from which searches read the time.

use once_cell::sync::Lazy;
use std::fmt::Debug;
use std::time::Duration;

use super::host::{self, Instant};

/// A clock that searches read, through their [`Control`](super::Control).
///
/// A program uses [`SystemClock`], which is the default. A host without one, such as a web page, provides its own; a
/// test may provide a clock that it sets by hand.
pub trait TimeSource: Sync + Debug {
    /// The time since a moment that never changes for this source. It never goes back.
    fn now(&self) -> Duration;
}

/// The monotonic clock of the operating system. Its time begins when it is first read.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SystemClock;

static ORIGIN: Lazy<Instant> = Lazy::new(host::now);

impl SystemClock {
    /// The time of an instant by this clock; zero for instants before the clock was first read.
    pub fn time_of(instant: Instant) -> Duration {
        instant.saturating_duration_since(*ORIGIN)
    }
}

impl TimeSource for SystemClock {
    fn now(&self) -> Duration {
        // The origin is read first, or the first time could lie before it.
        let origin = *ORIGIN;
        host::now().saturating_duration_since(origin)
    }
}

/// A clock for tests. It goes on by a step each time it is read.
#[cfg(test)]
#[derive(Debug)]
pub(crate) struct SteppingClock {
    step: Duration,
    reads: std::sync::atomic::AtomicU32,
}

#[cfg(test)]
impl SteppingClock {
    /// A clock that is never dropped, as a `Control` needs it.
    pub fn by(step: Duration) -> &'static SteppingClock {
        Box::leak(Box::new(SteppingClock { step, reads: 0.into() }))
    }
}

#[cfg(test)]
impl TimeSource for SteppingClock {
    fn now(&self) -> Duration {
        self.step * self.reads.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_of_the_system_goes_on() {
        let before = SystemClock.now();
        std::thread::sleep(Duration::from_millis(2));
        let now = host::now();
        assert!(SystemClock::time_of(now) >= before + Duration::from_millis(2));
        assert!(SystemClock.now() >= SystemClock::time_of(now));
    }
}
