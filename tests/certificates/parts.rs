//! Proofs in parts: several processes answer questions, and both checkers accept what is put together.

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use serde_json::{Value, json};

use super::common::program::{RunToEnd, command};
use super::made::{python_verdict, verdict};

/// A folder of its own for the files of a proof, which goes when it goes.
struct Proof(tempfile::TempDir);

impl Proof {
    fn new() -> Proof {
        Proof(tempfile::tempdir().expect("a folder"))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn prove(&self, words: &str) -> Output {
        let words = shell_words::split(words).expect("words");
        let mut command = command();
        for name in ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "PARALLEL_SEQ"] {
            command.env_remove(name);
        }
        command.current_dir(self.0.path()).arg("prove").args(words).run_to_end()
    }

    #[track_caller]
    fn succeed(&self, words: &str) {
        let output = self.prove(words);
        assert!(output.status.success(), "{words}: {}", said(&output));
    }

    /// Answers list by list in parts, until nothing is left. Returns the last exit code, what was said with it, and the
    /// number of lists.
    fn answer_and_join(&self, parts: u64) -> (Option<i32>, String, u32) {
        for round in 1..12 {
            for part in 1..=parts {
                self.succeed(&format!("--job list-{round} --shard {part}/{parts} --record answers-{round}-{{shard}}"));
            }
            let mut records: Vec<String> = fs::read_dir(self.0.path())
                .expect("a folder")
                .map(|entry| entry.expect("a file").file_name().into_string().expect("a name"))
                .filter(|name| name.starts_with("answers-"))
                .collect();
            records.sort();
            let words = format!("--join list-{round} {} --out proof --list list-{}", records.join(" "), round + 1);
            let output = self.prove(&words);
            if output.status.code() != Some(3) {
                return (output.status.code(), said(&output), round);
            }
            assert!(!self.file("proof").exists() && said(&output).contains("questions are left"), "{}", said(&output));
        }
        panic!("the proof does not end");
    }
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

#[test]
fn what_parts_prove_together_is_accepted_by_both_checkers() {
    for (words, lists, expected) in [
        ("--size 4 --claim draw --split 2 --nodes 50", 1, "a draw"),
        ("--size 4 --reverse --claim draw --split 2 --nodes 200", 1, "a draw"),
        ("--size 5 --connect 4 --claim draw --split 2 --nodes 200", 2, "a draw"),
        ("--size 4 --connect 3 --claim wins-within:5 --split 2 --nodes 100", 1, "x wins within 5 plies"),
        ("--size 4 --connect 3 --claim wins-within:7 --split 3 --nodes 2", 1, "x wins within 7 plies"),
        ("'4/1x2/4/4 o' --connect 3 --claim draw --split 1", 0, ""),
        ("--size 6 --connect 5 --claim draw --no-theorems --split 1 --nodes 5000", 1, "a draw"),
        ("'xo2/4/4/4 x' --claim draw --split 2 --nodes 300", 1, "a draw"),
    ] {
        let proof = Proof::new();
        proof.succeed(&format!("{words} --list list-1"));
        let (code, errors, rounds) = proof.answer_and_join(3);
        if lists == 0 {
            // The claim is false: every move is refuted in the end, and there is no certificate.
            assert!(code == Some(1) && !proof.file("proof").exists(), "{words}: {code:?}");
            assert!(errors.contains("cannot x is refuted by the answers"), "{words}: {errors}");
            continue;
        }
        assert!(code == Some(0) && rounds >= lists, "{words}: {code:?} after {rounds} lists");
        let text = proof.read("proof");
        let found = verdict(&text);
        assert!(found.as_ref().is_ok_and(|found| found.ends_with(expected)), "{words}: {found:?}");
        assert_eq!(python_verdict(&text), found, "{words}");
    }
}

#[test]
fn an_answer_is_the_same_alone_in_any_part_and_after_a_cut() {
    let proof = Proof::new();
    proof.succeed("--size 5 --connect 4 --claim draw --split 2 --nodes 300 --list list");
    proof.succeed("--job list --record whole");
    let whole = proof.read("whole");
    let mut lines: Vec<&str> = whole.lines().collect();
    lines.sort_unstable();
    for parts in [2, 5] {
        let mut all = String::new();
        for part in 1..=parts {
            proof.succeed(&format!("--job list --shard {part}/{parts} --record {parts}-{{shard}}"));
            all += &proof.read(&format!("{parts}-{part}"));
        }
        let mut found: Vec<&str> = all.lines().collect();
        found.sort_unstable();
        assert_eq!(found, lines, "{parts} parts");
    }
    for cut in [0, 10, whole.len() / 3, whole.len() / 2, whole.len() - 1, whole.len()] {
        fs::write(proof.file("cut"), &whole[..cut]).expect("a file");
        proof.succeed("--job list --record cut --resume");
        assert_eq!(proof.read("cut"), whole, "cut at {cut}");
    }
    for line in &lines {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let answer = &line["answer"];
        assert!(answer["nodes"].as_u64().is_some_and(|nodes| nodes <= 300 + 1), "{answer}");
        assert_eq!(answer["result"] == "proven", answer["certificate"].is_string(), "{answer}");
        if let Some(text) = answer["certificate"].as_str() {
            assert!(verdict(text).is_ok(), "{text}");
        }
    }
}

#[test]
fn wrong_lists_and_answers_are_refused_with_a_sentence() {
    let proof = Proof::new();
    proof.succeed("--size 4 --claim draw --split 2 --nodes 50 --list list");
    proof.succeed("--job list --record answers");
    // O, who is to move on the empty board, wins 3 in a row: strategy stealing is for X.
    proof.succeed("'4/4/4/4 o' --connect 3 --claim draw --split 1 --nodes 1000 --list list-1");
    let (code, ..) = proof.answer_and_join(1);
    assert!(code == Some(1) && !proof.file("proof").exists());
    let (list, answers) = (proof.read("list"), proof.read("answers"));
    let wrong = |words: &str, code: i32, mention: &str| {
        let output = proof.prove(words);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(code), "{words}: {text}");
        assert!(
            text.starts_with("error: ") && text.contains(mention) && !proof.file("proof").exists(),
            "{words}: {text}"
        );
    };
    wrong("--size 4 --split 2 --list other", 2, "--claim draw");
    wrong("--size 3 --claim wins-within:1 --split 1 --list other", 1, "refuted");
    wrong("--size 3 --connect 1 --claim draw --split 1 --list other", 1, "refuted");
    wrong("--job list --record answers", 1, "--resume");
    wrong("--job missing --record other", 1, "missing");
    wrong("--join list missing --out proof", 1, "missing");
    wrong("--join list list --out proof", 1, "line 1 is not an answer");
    wrong("--job answers --record other2", 1, "line 1 is not a line of a list");
    fs::write(proof.file("half"), answers.lines().next().expect("a line").to_owned() + "\n").expect("a file");
    wrong("--join list half --out proof", 3, "--list FILE");
    wrong("--join list half --out proof --list list", 2, "another name");
    for (name, text) in [
        ("no-plan", list.lines().skip(1).map(|line| format!("{line}\n")).collect::<String>()),
        ("position", list.replacen("\"position\":\"4/4/4/4 x\"", "\"position\":\"4/4/4/9 x\"", 1)),
        ("claim", list.replacen("\"claims\":[\"cannot x\"", "\"claims\":[\"cannot z\"", 1)),
    ] {
        assert_ne!(text, list);
        fs::write(proof.file(name), text).expect("a file");
        wrong(&format!("--join {name} answers --out proof"), 1, "list of questions");
    }
    // Answers about another game are none to these questions, whatever they say.
    proof.succeed("--size 4 --connect 3 --claim draw --split 2 --nodes 50 --list list-3");
    wrong("--job list-3 --record answers --resume", 1, "another game");
    wrong("--join list-3 answers --out proof", 1, "another game");
    fs::write(proof.file("own"), answers.replacen("\\nend ", "\\nown 99999 0\\nend ", 1)).expect("a file");
    wrong("--join list own --out proof", 1, "certificate");
    let deep = list.replacen("\"plies\":2", "\"plies\":2000000", 1);
    assert_ne!(deep, list);
    fs::write(proof.file("deep"), deep).expect("a file");
    wrong("--join deep answers --out proof", 1, "at most 6 plies");
    let changed = answers.replace("noughts certificate 1\\n", "").replace("\\nprove 1\\n", "\\n");
    fs::write(proof.file("changed"), changed).expect("a file");
    wrong("--join list changed --out proof", 1, "certificate");
}

#[test]
fn a_join_says_that_its_answers_are_not_checked() {
    // O, who is to move, wins 3 in a row, so the claim of a draw is false, and every answer is forged.
    let proof = Proof::new();
    proof.succeed("'4/4/4/4 o' --connect 3 --claim draw --split 1 --nodes 1 --list list");
    let lines: Vec<Value> = proof.read("list").lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let forged = lines[1..].iter().map(|line| {
        let question = &line["question"];
        let [position, claim] = ["position", "claim"].map(|key| question[key].as_str().expect("text"));
        let certificate = format!(
            "noughts certificate 1\ngame 4 3 normal\nposition {position}\nclaim {claim}\nprove 1\nnone\nend 7\n"
        );
        let answer = json!({
            "rules": lines[0]["plan"]["rules"], "position": position, "claim": claim, "result": "proven", "nodes": 1,
            "of": 1, "hash": 64, "version": "1.0.0", "certificate": certificate,
        });
        format!("{}\n", json!({ "answer": answer }))
    });
    fs::write(proof.file("forged"), forged.collect::<String>()).expect("a file");
    let output = proof.prove("--join list forged --out proof");
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    for told in ["cannot x (not checked)\n", "cannot o (not checked)\n", "noughts-check checks the certificate"] {
        assert!(text.contains(told), "{told}: {text}");
    }
    assert!(verdict(&proof.read("proof")).is_err(), "the checker refuses it");
}
