//! Matches on several machines: the parts that schedulers hand out, the attempts in a record, and what a report makes of
//! them. Records that were cut, mixed up or written by two processes at once are the matter of the law `records` of `fuzz`.

use std::io::Write;
use std::process::Command;
use std::time::Instant;

use crate::common::contest::{Contest, ended, ended_child, number, text};
use serde_json::Value;

/// The variables of all schedulers.
const VARIABLES: [&str; 3] = ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "PARALLEL_SEQ"];

/// As if no scheduler had started the tests.
fn without_variables(command: &mut Command) {
    for name in VARIABLES {
        command.env_remove(name);
    }
}

fn entry(line: &str) -> Value {
    serde_json::from_str(line).expect("a line of JSON")
}

/// Plays part by part as a scheduler would, and returns the names of the records.
fn play_parts(of: &Contest, variable: &str, first: u64, parts: u64) -> Vec<String> {
    for part in 0..parts {
        let _ = std::fs::remove_file(of.file(&format!("part-{}", part + 1)));
        let mut command = of.command();
        without_variables(&mut command);
        command.env(variable, (first + part).to_string()).args(["--shard", &format!("auto/{parts}")]);
        command.arg("--record").arg(of.file("part-{shard}"));
        assert_eq!(ended(command).code, Some(0), "{variable} {part}");
    }
    (1..=parts).map(|part| format!("part-{part}")).collect()
}

fn names(files: &[String]) -> Vec<&str> {
    files.iter().map(String::as_str).collect()
}

fn match_of_shards() -> Contest {
    Contest::of_random_players().with("--openings random:2 --seed 4 --games 40")
}

#[test]
fn parts_that_a_scheduler_hands_out_are_the_whole_match() {
    let of = match_of_shards();
    let whole = of.play();
    for (variable, first) in VARIABLES.into_iter().zip([1, 0, 1]) {
        let files = play_parts(&of, variable, first, 3);
        let report = of.report(&names(&files), "--format json");
        assert_eq!((report.code, report.errors.as_str()), (Some(0), ""), "{variable}");
        let counts = |table: &Value| {
            ["games", "wins", "draws", "losses", "pairs", "distinct"].map(|key| table["pairings"][0][key].clone())
        };
        assert_eq!(counts(&report.json()), counts(&whole.table), "{variable}");
    }
    let mut command = of.command();
    without_variables(&mut command);
    command.args(["--shard", "auto/3"]);
    ended(command).assert_usage_error("PARALLEL_SEQ");
    let mut command = of.command();
    command.envs(VARIABLES.map(|name| (name, "1")));
    command.args(["--shard", "auto/3"]);
    ended(command).assert_usage_error("auto:NAME");
    of.with("--record part-{shard}").run().assert_usage_error("--shard");
}

#[test]
fn a_report_names_the_parts_that_are_missing() {
    let of = match_of_shards();
    let files = play_parts(&of, "PARALLEL_SEQ", 1, 3);
    let shorter: String = of.read("part-2").lines().take(4).map(|line| format!("{line}\n")).collect();
    of.write("shorter", &shorter);
    let report = of.report(&["shorter", "part-3"], "");
    assert_eq!(report.code, Some(0));
    for said in ["25 of 40 games are missing", "shard 1/3 is not there", "shard 2/3 has 3 of 14 games"] {
        assert!(report.errors.contains(said), "{said}: {report:?}");
    }
    assert!(!report.errors.contains("3/3"), "{report:?}");
    // A whole match that ended early lacks nothing that a shard could bring.
    of.play();
    assert_eq!(of.report(&["record"], "").errors, "");
    // Parts of another match are another story.
    let other = Contest::of_random_players().with("--openings random:2 --seed 5 --games 40");
    play_parts(&other, "PARALLEL_SEQ", 1, 3);
    std::fs::copy(other.file("part-1"), of.file("other")).expect("a copy");
    let refused = of.report(&[&files[1], "other"], "");
    refused.assert_failed(&["part-2", "other", "different matches"]);
    assert_eq!(refused.output, "");
}

#[test]
fn each_attempt_has_a_line_and_games_are_read_without_it() {
    let of = Contest::of_random_players().with("--seed 2 --resume --record").path("record");
    for games in ["3", "4", "6", "6"] {
        let mut command = of.command();
        command.args(["--games", games]);
        assert_eq!(ended(command).code, Some(0));
    }
    let lines: Vec<Value> = of.read("record").lines().map(entry).collect();
    let kinds: String = lines.iter().map(|line| if line.get("attempt").is_some() { 'a' } else { 'g' }).collect();
    assert_eq!(kinds, "agggagagg", "a process that plays nothing writes nothing");
    let attempts: Vec<&Value> = lines.iter().filter_map(|line| line.get("attempt")).collect();
    for (attempt, (place, games)) in attempts.iter().zip([(1, 3), (2, 4), (3, 6)]) {
        assert_eq!(
            (number(&attempt["number"]), number(&attempt["games"]), number(&attempt["of"])),
            (place, games, games)
        );
        assert_eq!((text(&attempt["shard"]), attempt["match"] == lines[1]["match"]), ("1/1".to_owned(), true));
        assert!(!text(&attempt["host"]).is_empty() && number(&attempt["process"]) > 0);
    }
    let plain: String =
        of.read("record").lines().filter(|line| !line.contains("attempt")).map(|line| format!("{line}\n")).collect();
    of.write("plain", &plain);
    assert_eq!(of.report(&["record"], "").output, of.report(&["plain"], "").output);
}

#[test]
fn a_process_whose_record_another_goes_on_with_stops() {
    let of = Contest::of_random_players().with("--games 10000000 --seed 1 --record").path("record");
    let child = of.command().spawn().expect("the program starts");
    let start = Instant::now();
    while !of.file("record").exists() || of.read("record").lines().count() < 20 {
        assert!(start.elapsed().as_secs() < 20, "nothing is recorded");
    }
    // This is what another process does where the lock does not keep it out.
    let mut file = std::fs::OpenOptions::new().append(true).open(of.file("record")).expect("a file");
    file.write_all(b"\n").expect("a line");
    drop(file);
    let ended = ended_child(child, start);
    ended.assert_failed(&["was changed by another process"]);
    let recorded = of.read("record");
    assert!(recorded.ends_with("}\n\n"), "nothing stands behind the line of the other");
    assert_eq!(of.report(&["record"], "").code, Some(0));
}
