//! Files that cannot be written, or not to their end.

use std::fs;
use std::process::Command;

use crate::place::{Fault, Place, library, other_user, totals_of};
use crate::subject::{ALL, RECORDING, Subject, lines};

/// The subjects that write a file, with the file.
fn writing() -> impl Iterator<Item = (Subject, &'static str)> {
    ALL.into_iter().filter_map(|subject| Some((subject, subject.file()?)))
}

/// Checks the errors of a run whose file fails from the first write on. An engine that cannot begin its log ends.
fn assert_told_at_once(subject: Subject, fault: &Fault, problem: &str) {
    if subject != Subject::Engine {
        return assert_told(subject, fault, problem);
    }
    let ran = Place::new(subject).run(subject, fault);
    ran.assert_failed(&["\"log\" cannot be written", problem]);
    assert_eq!(ran.output, "");
}

/// Checks the errors of a run whose file fails later: the engine tells its client, the others the user.
fn assert_told(subject: Subject, fault: &Fault, problem: &str) {
    let place = Place::new(subject);
    let ran = place.run(subject, fault);
    let file = subject.file().expect("a file");
    if subject == Subject::Engine {
        // A log that cannot be written does not stop the engine.
        assert!(ran.status.success(), "{ran:?}");
        let told = format!("info string error: Debug Log File: \"{file}\" cannot be written ({problem}");
        assert_eq!(ran.output.matches(&told).count(), 1, "{ran:?}");
        assert_eq!(ran.output.matches("bestmove").count(), 2, "{ran:?}");
        let log = fs::read_to_string(place.work().join(file)).expect("the log");
        assert!(!log.trim_end_matches(|sign| sign != '\n').contains("\u{0}"), "{log}");
    } else {
        ran.assert_failed(&[file, problem]);
        // A file that is written as a whole is not there at all.
        assert!(subject != Subject::Certificate || !place.work().join(file).exists());
    }
    place.go_on_if_recorded(subject);
}

#[test]
fn s01_and_s07_a_write_that_fails_is_named_and_leaves_whole_lines() {
    if library().is_none() {
        return;
    }
    for (kind, numbers, problem) in [
        ("full", [1, 2, 5], "No space left on device"),
        ("eio", [1, 2, 3], "Input/output error"),
        ("once", [1, 2, 3], "Input/output error"),
    ] {
        for (subject, file) in writing() {
            // A certificate has as many writes as its text fills buffers.
            let is_certificate = subject == Subject::Certificate;
            let file = if is_certificate { "/work/" } else { file };
            for number in numbers.into_iter().filter(|&number| number <= 2 || !is_certificate) {
                let fault = Fault::library("FAULT_WRITE", format!("{kind} {number} {file}"));
                let assert_told = if number == 1 { assert_told_at_once } else { assert_told };
                assert_told(subject, &fault, problem);
            }
        }
    }
}

#[test]
fn s01_a_real_file_system_that_is_full_is_no_other_case() {
    // Only root may make one.
    let mount = "mount -t tmpfs -o size=16k none .";
    let may_mount = Command::new("unshare").args(["-m", "sh", "-c", &format!("cd /tmp && {mount}")]).output();
    if !may_mount.is_ok_and(|output| output.status.success()) {
        eprintln!("not checked: a file system of its own; run the test as root");
        return;
    }
    for subject in RECORDING {
        let place = Place::new(subject);
        // A file fills the system but for one block. The record is copied to where it can be seen from outside, and the exit
        // code is that of the program.
        let shell = format!(
            "work=$PWD; mkdir ../small; exec unshare -m bash -c 'work=$0; cd ../small && {mount} && cd \"$PWD\" || exit 9; cp $work/* . 2>/dev/null; \
             head -c 64k /dev/zero > rest 2>/dev/null; truncate -s -4096 rest; \"$@\"; code=$?; cp record $work/; exit $code' $work \"$0\" \"$@\""
        );
        let ran = place.run(subject, &Fault::shell(shell));
        ran.assert_failed(&["record", "No space left on device"]);
        place.go_on(subject);
    }
}

#[test]
fn s01_a_pgn_that_a_full_disk_cut_short_is_made_whole() {
    if library().is_none() {
        return;
    }
    for (kind, problem) in [("full", "No space left on device"), ("eio", "Input/output error")] {
        for number in [1, 2, 17, 40] {
            let place = Place::new(Subject::Match);
            let fault = Fault::library("FAULT_WRITE", format!("{kind} {number} games.pgn"));
            let ran = place.run(Subject::Match, &fault);
            ran.assert_failed(&["games.pgn", problem, "--resume"]);
            // The game whose PGN could not be written is recorded and counts.
            let games = lines(&place.work().join("record")).iter().filter(|line| line.get("attempt").is_none()).count();
            let written = fs::read_to_string(place.work().join("games.pgn")).expect("text").matches("[Event ").count();
            assert_eq!((games, written), (number, number - 1), "{ran:?}");
            // While the disk is full, going on fails in the same way and loses nothing.
            let again =
                place.start(Subject::Match, &Fault::library("FAULT_WRITE", format!("{kind} 1 games.pgn")), true).end();
            again.assert_failed(&["games.pgn", problem]);
            place.go_on(Subject::Match);
        }
    }
}

#[test]
fn s02_a_read_only_folder_is_an_error_before_the_work_begins() {
    let Some(user) = other_user() else { return };
    for (subject, file) in writing() {
        let place = Place::of_user(subject, Some(user));
        let ran = place.run(subject, &Fault::shell("chmod 555 .").of_other_user());
        if subject == Subject::Engine {
            assert_eq!(ran.status.code(), Some(1), "the log was asked for on the command line: {ran:?}");
        }
        ran.assert_failed(&["Permission denied"]);
        assert!(!place.work().join(file).exists());
        fs::remove_dir_all(place.work()).expect("root may do this");
    }
}

#[test]
fn s03_a_limit_on_the_size_of_files_is_an_error_and_no_signal() {
    for subject in [Subject::Match, Subject::Questions, Subject::Certificate, Subject::Engine] {
        // Blocks of 1,024 bytes; a proof that is searched for has a file for it too.
        assert_told(subject, &Fault::shell("ulimit -f 1"), "File too large");
    }
}

#[test]
fn s08_short_and_interrupted_writes_lose_nothing() {
    if library().is_none() {
        return;
    }
    for (subject, _) in writing() {
        let place = Place::new(subject);
        let ran = place.run(subject, &Fault::library("FAULT_WRITE", "short 1 /work/"));
        assert!(ran.status.success(), "{ran:?}");
        assert_eq!(subject.totals(&ran, &place.work()), totals_of(subject), "{subject:?}");
    }
}

#[test]
fn s14_a_log_that_cannot_be_written_loses_nothing() {
    // A full device, no descriptor, and a pipe whose reader has gone.
    for shell in ["exec 2>/dev/full", "exec 2>&-", "exec 2> >(:); sleep 0.1"] {
        for subject in ALL {
            let place = Place::new(subject);
            let ran = place.run(subject, &Fault::shell(shell));
            assert!(ran.status.success(), "{shell}: {ran:?}");
            assert_eq!(subject.totals(&ran, &place.work()), totals_of(subject), "{shell}: {subject:?}");
        }
    }
}

#[test]
fn s12_output_that_cannot_be_written_is_an_error_and_loses_no_record() {
    for subject in [Subject::Match, Subject::Exam, Subject::Report, Subject::Engine] {
        let place = Place::new(subject);
        let ran = place.run(subject, &Fault { output: Some("/dev/full"), ..Fault::none() });
        let output = if subject == Subject::Engine { "error: cannot write the output: " } else { "output" };
        ran.assert_failed(&[output, "No space left on device"]);
        place.go_on_if_recorded(subject);
    }
}
