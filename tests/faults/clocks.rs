//! Clocks that jump. The engine and the runner use the monotonic clock, which a system never turns back.

use crate::place::{Fault, Place, library, totals_of};
use crate::subject::{ALL, Subject};

#[test]
fn s11_a_wall_clock_that_jumps_changes_nothing() {
    if library().is_none() {
        return;
    }
    for subject in ALL {
        let place = Place::new(subject);
        let ran = place.run(subject, &Fault::library("FAULT_CLOCK", "wall 10000000"));
        assert!(ran.status.success(), "{subject:?}: {ran:?}");
        assert_eq!(subject.totals(&ran, &place.work()), totals_of(subject), "{subject:?}");
    }
}

#[test]
fn s11_a_jump_forward_costs_a_game_at_most() {
    if library().is_none() {
        return;
    }
    for subject in ALL {
        let place = Place::new(subject);
        let ran = place.run(subject, &Fault::library("FAULT_CLOCK", "forward 3"));
        assert!(ran.status.success(), "{subject:?}: {ran:?}");
        // No limit of time is as short as the jump.
        assert_eq!(subject.totals(&ran, &place.work()), totals_of(subject), "{subject:?}");
        // A jump over every limit of time: the engine that was asked has lost on time, and the match ends as ever.
        let place = Place::new(subject);
        let ran = place.run(subject, &Fault::library("FAULT_CLOCK", "forward 100000"));
        if !ran.status.success() {
            ran.assert_failed(&["in time"]);
            assert!(matches!(subject, Subject::Match | Subject::Exam), "{ran:?}");
        }
    }
}
