//! Exams in parts: their records put together say what one process says, byte for byte, or are refused.

use std::path::PathBuf;
use std::process::{Command, Output};

use crate::common::contest::Contest;
use crate::common::program::{NOUGHTS, RunToEnd};

const ENGINE: &str = "cmd=noughts option.player=montecarlo";

/// Questions of three blocks, the last of them smaller.
const QUESTIONS: &str = "--size 4 --sample 20000 --trials 5";

/// A folder of its own for the records of a test.
struct Records(Contest);

impl Records {
    fn new() -> Records {
        Records(Contest::new())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.file(name)
    }

    fn exam(&self, words: &str, record: Option<&str>) -> Output {
        let mut command = Command::new(&*NOUGHTS);
        command.args(["exam", "--engine", ENGINE]).args(words.split_whitespace());
        if let Some(name) = record {
            command.arg("--record").arg(self.file(name));
        }
        command.run_to_end()
    }

    fn report(&self, names: &[&str], format: &str) -> Output {
        let mut command = Command::new(&*NOUGHTS);
        command.arg("report").args(names.iter().map(|name| self.file(name))).args(["--format", format]);
        command.run_to_end()
    }
}

#[track_caller]
fn said(output: Output) -> String {
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[track_caller]
fn refused(output: Output, mentions: &[&str]) {
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(!output.status.success() && output.stdout.is_empty(), "{said}");
    assert!(said.starts_with("error: ") && said.lines().count() == 1, "{said}");
    mentions.iter().for_each(|mention| assert!(said.contains(mention), "{mention}: {said}"));
}

#[test]
fn parts_put_together_are_the_exam_of_one_process() {
    for (more, formats) in
        [("--list", &["text", "json", "markdown"][..]), ("--ties", &["json"]), ("--repeat 3", &["json"])]
    {
        let of = Records::new();
        let words = format!("{QUESTIONS} {more}");
        for part in 1..=2 {
            said(of.exam(&format!("{words} --shard {part}/2"), Some("part-{shard}")));
        }
        for format in formats {
            let whole = said(of.exam(&format!("{words} --format {format}"), None));
            assert_eq!(said(of.report(&["part-2", "part-1"], format)), whole, "{more} {format}");
        }
    }
    // All answers to 3x3 are one block, with its expected results.
    let of = Records::new();
    let whole = said(of.exam("--trials 20", Some("record")));
    assert_eq!(said(of.report(&["record"], "text")), whole);
}

#[test]
fn a_part_that_was_cut_anywhere_goes_on_and_is_the_same() {
    let of = Records::new();
    let words = format!("{QUESTIONS} --rules normal");
    let whole = said(of.exam(&words, Some("record")));
    let record = std::fs::read(of.file("record")).expect("a record");
    let first_line = record.iter().position(|&byte| byte == b'\n').expect("a line");
    for cut in [0, 5, first_line, first_line + 1, first_line + 100, record.len() / 2, record.len() - 1, record.len()] {
        std::fs::write(of.file("record"), &record[..cut]).expect("a record that is cut");
        if cut < record.len() {
            let report = of.report(&["record"], "text");
            assert!(!report.status.success() && report.stdout.is_empty(), "{cut}: {report:?}");
        }
        assert_eq!(said(of.exam(&format!("{words} --resume"), Some("record"))), whole, "{cut}");
        assert_eq!(said(of.report(&["record"], "text")), whole, "{cut}");
    }
}

#[test]
fn an_exam_record_with_a_byte_order_mark_is_read_and_continued() {
    let of = Records::new();
    let words = format!("{QUESTIONS} --rules normal");
    let whole = said(of.exam(&words, Some("record")));
    let marked = format!("\u{feff}{}", std::fs::read_to_string(of.file("record")).expect("a record"));
    std::fs::write(of.file("record"), &marked).expect("a record");
    assert_eq!(said(of.report(&["record"], "text")), whole);
    assert_eq!(said(of.exam(&format!("{words} --resume"), Some("record"))), whole);
    assert_eq!(std::fs::read_to_string(of.file("record")).expect("a record"), marked);
}

#[test]
fn parts_that_are_missing_foreign_or_wrong_are_refused() {
    let of = Records::new();
    for part in 1..=3 {
        said(of.exam(&format!("{QUESTIONS} --shard {part}/3"), Some("part-{shard}")));
    }
    refused(of.report(&["part-1", "part-3"], "text"), &["1 of 3 blocks", "4x4", "shard 2/3"]);
    said(of.exam("--size 4 --sample 20000 --trials 6", Some("other")));
    refused(of.report(&["part-1", "other"], "text"), &["other holds answers of an exam of another"]);
    refused(of.exam("--size 4 --sample 20000 --trials 6 --resume", Some("part-1")), &["another engine"]);
    refused(of.exam(QUESTIONS, Some("part-1")), &["--resume"]);
    refused(of.exam(&format!("{QUESTIONS} --shard auto:parallel/3"), Some("part")), &["PARALLEL_SEQ"]);
    // An engine in another folder is another engine when a record goes on, and the same one in another part.
    let mut command = Command::new(&*NOUGHTS);
    let engine = format!("cmd={} option.player=montecarlo", *NOUGHTS);
    command.args(["exam", "--engine", &engine]).args(QUESTIONS.split_whitespace()).args(["--shard", "1/3", "--resume"]);
    command.arg("--record").arg(of.file("part-1"));
    refused(command.run_to_end(), &["another engine"]);
    let nothing = of.exam("--trials 5 --shard 2/2", Some("nothing"));
    assert!(nothing.status.success() && nothing.stdout.is_empty(), "{nothing:?}");
    assert!(String::from_utf8_lossy(&nothing.stderr).contains("no question belongs to this part"), "{nothing:?}");
    let text = std::fs::read_to_string(of.file("part-2")).expect("a record");
    for (from, to, mention) in [
        ("\"answers\":[", "\"answers\":[99,", "do not fit"),
        ("\"answers\":[", "\"answers\":[-1,", "do not fit"),
        ("\"repeat\":1", "\"repeat\":2", "another engine"),
        ("\"positions\":20000", "\"positions\":0", "line 1 is not a line of an exam"),
        ("\"answers\":[", "\"answers\":[{\"answers\":1,\"weights\":[2.0],\"illegal\":[]},", "do not fit"),
        ("\"answers\":[", "\"answers\":", "line 2 is not a line of an exam"),
        ("\"host\":\"", "\"host\":\"\\u001b[2J", "line 1 is not a line of an exam"),
        ("\"shard\":\"2/3\"", "\"shard\":\"4/3\"", "line 1 is not a line of an exam"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        std::fs::write(of.file("changed"), changed).expect("a record");
        refused(of.report(&["part-1", "changed", "part-3"], "text"), &[mention]);
    }
}
