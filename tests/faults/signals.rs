//! Signals at random moments. The moments come from fixed seeds; what they hit differs from run to run.

use std::thread;
use std::time::Duration;

use noughts::search::{Stream, below, generator};
use rustix::process::Signal;

use crate::place::{Fault, Place, totals_of};
use crate::subject::{ALL, RECORDING};

/// The runs of each subject.
const RUNS: u64 = 6;

#[test]
fn s09_a_run_that_is_stopped_and_continued_loses_nothing() {
    for subject in ALL {
        for seed in 0..RUNS {
            let mut random = generator(9, Stream::Opening(seed));
            let place = Place::new(subject);
            let mut running = place.start(subject, &Fault::none(), false);
            for _ in 0..4 {
                thread::sleep(Duration::from_millis(below(&mut random, 120).into()));
                running.signal(Signal::STOP);
                thread::sleep(Duration::from_millis(20 + u64::from(below(&mut random, 100))));
                running.signal(Signal::CONT);
                if running.has_ended() {
                    break;
                }
            }
            let ran = running.end();
            place.check(subject, &ran);
            assert!(ran.status.success(), "{subject:?}, {seed}: {ran:?}");
            assert_eq!(subject.totals(&ran, &place.work()), totals_of(subject), "{subject:?}, {seed}");
        }
    }
}

#[test]
fn s10_a_run_that_is_killed_goes_on_to_the_same_totals() {
    for subject in RECORDING {
        for seed in 0..RUNS {
            let mut random = generator(10, Stream::Opening(seed));
            let place = Place::new(subject);
            // Killed again and again, and never from the start.
            for resume in [false, true, true] {
                let running = place.start(subject, &Fault::none(), resume);
                thread::sleep(Duration::from_millis(below(&mut random, 700).into()));
                running.signal(Signal::KILL);
                place.check(subject, &running.end());
            }
            place.go_on(subject);
        }
    }
}
