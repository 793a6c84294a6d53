//! The services that a search takes from its host: moments in time, and turns for other work.
//!
//! On an operating system the standard library has a clock, and other work has threads of its own. A web page has neither:
//! the program that embeds the engine there provides a `Host`.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod system {
    pub use std::time::Instant;

    /// The moment of the call.
    #[expect(clippy::disallowed_methods, reason = "all other code of this crate reads a TimeSource")]
    pub fn now() -> Instant {
        Instant::now()
    }

    /// Other work has threads of its own.
    #[inline(always)]
    pub fn pause() {}
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod system {
    use std::ops::Add;
    use std::sync::OnceLock;
    use std::time::Duration;

    /// The functions that a web page provides.
    #[derive(Clone, Copy, Debug)]
    pub struct Host {
        /// The time since a moment that never changes. It never goes back.
        pub now: fn() -> Duration,
        /// Called at each poll of a search: other work may be done before it returns.
        pub pause: fn(),
    }

    static HOST: OnceLock<Host> = OnceLock::new();

    /// Sets the host, once, before anything else of this crate is used. A later call changes nothing.
    pub fn set_host(host: Host) {
        let _ = HOST.set(host);
    }

    fn host() -> &'static Host {
        HOST.get().expect("the host is set before it is used")
    }

    /// A moment, by the clock of the host. It takes the place of the type of the same name in the standard library, which
    /// panics here.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        /// The moment of the call.
        pub fn now() -> Instant {
            Instant((host().now)())
        }

        /// The time since this moment.
        pub fn elapsed(&self) -> Duration {
            Instant::now().saturating_duration_since(*self)
        }

        /// The time from `earlier` to this moment; zero if that is later.
        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// The moment so much later, if there is one.
        pub fn checked_add(&self, time: Duration) -> Option<Instant> {
            self.0.checked_add(time).map(Instant)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, time: Duration) -> Instant {
            Instant(self.0 + time)
        }
    }

    pub fn now() -> Instant {
        Instant::now()
    }

    pub fn pause() {
        (host().pause)();
    }
}

pub use system::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use system::{Host, set_host};
pub(super) use system::{now, pause};
