//! Cancellation of a run.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, Weak};

use super::pipe_threads::Wake;

/// A one-shot cancellation flag: once set, it stays set. It can be polled, and it ends waits of other threads.
pub struct Interrupt {
    /// Another number for each flag.
    number: u64,
    is_set: AtomicBool,
    /// The waits that the flag ends.
    waits: Mutex<Vec<Weak<dyn Wake>>>,
}

impl Interrupt {
    /// A flag that is not set.
    ///
    /// # Errors
    /// None.
    pub fn new() -> io::Result<Interrupt> {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        Ok(Interrupt { number, is_set: AtomicBool::new(false), waits: Mutex::default() })
    }

    /// Sets the flag, which ends every wait at once.
    pub fn trigger(&self) {
        self.is_set.store(true, Ordering::SeqCst);
        for wait in self.waits.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            if let Some(wait) = wait.upgrade() {
                wait.wake();
            }
        }
    }

    /// True if the flag is set.
    pub fn is_set(&self) -> bool {
        self.is_set.load(Ordering::SeqCst)
    }

    /// Has the flag end the waits of `wait`, from now on. `known` is the number of the flag that ends them already.
    pub(super) fn watch(&self, wait: impl FnOnce() -> Weak<dyn Wake>, known: &mut Option<u64>) {
        if known.replace(self.number) != Some(self.number) {
            let mut waits = self.waits.lock().unwrap_or_else(PoisonError::into_inner);
            waits.retain(|wait| wait.strong_count() > 0);
            waits.push(wait());
        }
    }
}
