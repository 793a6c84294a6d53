//! Limits of the system on files and processes.

use crate::place::{Fault, Place, other_user};
use crate::subject::{ALL, RECORDING, Subject};

#[test]
fn s04_too_few_descriptors_are_an_error_that_says_so() {
    for subject in ALL {
        let mut has_failed = false;
        for limit in [4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 24] {
            let place = Place::new(subject);
            let ran = place.run(subject, &Fault::shell(format!("ulimit -n {limit}")));
            if !ran.status.success() {
                ran.assert_failed(&["Too many open files"]);
                has_failed = true;
            }
            if limit % 4 == 0 {
                place.go_on_if_recorded(subject);
            }
        }
        // Below its needs every subject was tried.
        assert!(
            has_failed || matches!(subject, Subject::Engine | Subject::Report | Subject::Certificate),
            "{subject:?}"
        );
    }
}

#[test]
fn s05_too_few_processes_are_an_error_that_says_so() {
    for subject in RECORDING.into_iter().chain([Subject::Certificate, Subject::Engine]) {
        for limit in 1..=12 {
            let Some(user) = other_user() else { return };
            let place = Place::of_user(subject, Some(user));
            let ran = place.run(subject, &Fault::shell(format!("ulimit -u {limit}")).of_other_user());
            let is_told = ran.errors.contains("Resource temporarily unavailable");
            match subject {
                // Without a thread the engine still answers every `go`.
                Subject::Engine => {
                    assert_eq!(ran.output.matches("bestmove").count(), 2, "{limit}: {ran:?}");
                    assert_eq!(limit == 1, ran.output.contains("no search thread"), "{limit}: {ran:?}");
                }
                _ => assert!(ran.status.success() || is_told, "{subject:?}, {limit}: {ran:?}"),
            }
            if limit % 4 == 1 {
                place.go_on_if_recorded(subject);
            }
        }
    }
}
