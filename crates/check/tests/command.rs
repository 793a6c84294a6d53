//! The command line: what it prints, and its exit codes.

use std::io::Write;
use std::process::{Command, Stdio};

/// The verdict about `example.txt`.
const EXAMPLE: &str = "2x2, 2 in a row, normal rule, empty board, x to move: checked: x wins within 3 plies";

/// Runs the program in the folder of the tests. Gives the exit code, and what it prints.
fn run(arguments: &[&str], input: &str) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_noughts-check"));
    command.args(arguments).current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests"));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn verdicts_have_the_exit_codes_of_the_page() {
    assert_eq!(run(&["example.txt"], ""), (0, format!("{EXAMPLE}\n"), "".into()));
    let file = include_str!("example.txt");
    assert_eq!(run(&["-"], file).0, 0);
    let (code, said, _) = run(&["-"], &file.replace("move 0,0", "move 0,2"));
    assert_eq!((code, said.as_str()), (1, "not checked: record 6: expected a cell of the board, found \"0,2\"\n"));
    assert_eq!(run(&["--no-theorems", "draw.txt"], "").0, 0);
}

#[test]
fn several_files_and_folders_have_a_line_each_and_the_worst_exit_code() {
    let folder = std::env::temp_dir().join(format!("noughts-check-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("b.txt"), include_str!("example.txt")).unwrap();
    std::fs::write(folder.join("a.txt"), "nonsense\n").unwrap();
    std::fs::write(folder.join("index.json"), "[]").unwrap();
    let name = folder.to_str().unwrap();
    let (code, said, _) = run(&["example.txt", name], "");
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!((code, lines.len()), (1, 3), "{said}");
    assert_eq!(lines[0], format!("example.txt: {EXAMPLE}"));
    assert!(lines[1].starts_with(&format!("{name}/a.txt: not checked: ")), "{said}");
    assert_eq!(lines[2], format!("{name}/b.txt: {EXAMPLE}"));
    std::fs::remove_file(folder.join("a.txt")).unwrap();
    assert_eq!(run(&[name, "draw.txt"], "").0, 0);
    assert_eq!(run(&[name, "missing.txt"], "").0, 2);
    // Nothing that was checked is no success.
    std::fs::remove_file(folder.join("b.txt")).unwrap();
    let (code, said, error) = run(&["example.txt", name], "");
    assert_eq!((code, said.as_str()), (2, ""));
    assert_eq!(error, format!("noughts-check: {name}: no file of this folder ends with .txt\n"));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn wrong_arguments_and_missing_files_give_exit_code_2() {
    let wrong = [
        &["missing.txt"][..],
        &["missing/"],
        &[],
        &["--what"],
        &["--show", "3", "example.txt", "draw.txt"],
        &["--shard", "1/2", "."],
        &["--shard", "0/2", "example.txt"],
        &["--shard", "3/2", "example.txt"],
        &["--shard", "1/0", "example.txt"],
        &["--shard"],
        &["--show", "x", "example.txt"],
        &["--show", "3", "example.txt"],
        &["--join"],
        &["--join", "missing.txt"],
        &["--join", "--shard", "1/2", "example.txt"],
        &["--game", "2x2", "example.txt"],
        &["--game", "2 2 normal", "--position", "2/3 x", "example.txt"],
        &["--game", "2 2 normal", "--claim", "draw", "example.txt"],
        &["--position", "startpos", "example.txt"],
        &["--game"],
    ];
    for arguments in wrong {
        let (code, printed, said) = run(arguments, "");
        assert!(code == 2 && printed.is_empty() && said.starts_with("noughts-check: "), "{arguments:?}: {code} {said}");
    }
    // An option that is misspelt is no file that is missing.
    assert!(run(&["--what"], "").2.contains("unknown option \"--what\""));
    assert!(run(&["-x", "example.txt"], "").2.contains("unknown option \"-x\""));
    assert_eq!(run(&["--help"], "").0, 0);
    assert!(run(&["--version"], "").1.starts_with("noughts-check "));
}

#[test]
fn a_file_about_another_game_position_or_claim_gives_exit_code_1() {
    let asked = |game: &str, position: &str, claim: &str| {
        run(&["--game", game, "--position", position, "--claim", claim, "example.txt"], "").0
    };
    assert_eq!(asked("2 2 normal", "startpos", "wins x within 3"), 0);
    assert_eq!(asked("2 2 normal", "2/2 x", "wins x within 3"), 0);
    assert_eq!(asked("2 2 reverse", "startpos", "wins x within 3"), 1);
    assert_eq!(asked("2 2 normal", "x1/2 o", "wins x within 3"), 1);
    assert_eq!(asked("2 2 normal", "startpos", "cannot o"), 1);
}

#[test]
fn a_compressed_file_is_named_with_the_program_that_reads_it() {
    let name = std::env::temp_dir().join(format!("noughts-check-{}-compressed", std::process::id()));
    for (head, program) in [
        (&b"\x1f\x8b\x08\0"[..], "zcat"),
        (b"\x28\xb5\x2f\xfd", "zstdcat"),
        (b"\xfd7zXZ\0", "xzcat"),
        (b"BZh9", "bzcat"),
    ] {
        std::fs::write(&name, head).unwrap();
        for joins in [&[][..], &["--join"]] {
            let (code, printed, said) = run(&[joins, &[name.to_str().unwrap()]].concat(), "");
            let hint = format!("read it with: {program} {} | noughts-check -\n", name.display());
            assert!(code == 2 && printed.is_empty() && said.ends_with(&hint), "{code} {said}");
        }
    }
    std::fs::remove_file(name).unwrap();
}

/// A verdict that cannot be written must not look like one that was read.
#[cfg(target_os = "linux")]
#[test]
fn a_verdict_that_cannot_be_written_gives_exit_code_2() {
    for arguments in [&["tests/example.txt"][..], &["--shard", "1/2", "tests/draw.txt"], &["--help"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_noughts-check"));
        command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = command.stdout(full).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && said.starts_with("noughts-check: standard output: "), "{said}");
    }
}

#[test]
fn a_task_of_a_cluster_checks_its_part() {
    let run = |shard: &str, variables: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_noughts-check"));
        let slurm = ["ID", "MIN", "MAX", "STEP", "COUNT"].map(|key| format!("SLURM_ARRAY_TASK_{key}"));
        for name in slurm.iter().map(String::as_str).chain(["JOB_COMPLETION_INDEX", "PARALLEL_SEQ"]) {
            command.env_remove(name);
        }
        command.envs(variables.iter().copied()).args(["--shard", shard, "draw.txt"]);
        let output = command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests")).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap().lines().nth(1).map(str::to_owned))
    };
    let part = |text: &str| (Some(0), Some(format!("shard {text}")));
    assert_eq!(run("auto/3", &[("SLURM_ARRAY_TASK_ID", "3")]), part("3/3"));
    assert_eq!(run("auto/3", &[("JOB_COMPLETION_INDEX", "0")]), part("1/3"));
    assert_eq!(run("auto:parallel/3", &[("SLURM_ARRAY_TASK_ID", "3"), ("PARALLEL_SEQ", "2")]), part("2/3"));
    for variables in [&[][..], &[("SLURM_ARRAY_TASK_ID", "4")], &[("SLURM_ARRAY_TASK_ID", "1"), ("PARALLEL_SEQ", "2")]]
    {
        assert_eq!(run("auto/3", variables), (Some(2), None));
    }
}

#[test]
fn show_says_which_records_it_can_show() {
    let (code, _, complaint) = run(&["--show", "2", "example.txt"], "");
    assert_eq!(code, 2, "{complaint}");
    let (_, lines) = complaint.split_once("nodes begin in lines ").expect("lines");
    let numbers: Vec<&str> = lines.split([' ', ',']).filter(|word| word.parse::<u64>().is_ok()).collect();
    assert_eq!(numbers.len(), 2, "{complaint}");
    for number in numbers {
        let (code, said, _) = run(&["--show", number, "example.txt"], "");
        assert!(code == 0 && said.contains("record"), "{number}: {said}");
    }
}

#[test]
fn show_draws_the_position_of_a_record() {
    let (code, said, _) = run(&["--show", "7", "example.txt"], "");
    assert!(code == 0 && said.contains("x .\n. .\no is to move. The claim: x wins within 2 plies."), "{said}");
    assert!(said.contains("Children after moves to: 0,1") && said.ends_with(&format!("\n{EXAMPLE}\n")), "{said}");
    let (code, said, _) = run(&["--show", "11", "draw.txt"], "");
    assert!(code == 0 && said.contains("Lines in the cells with +: 7"), "{said}");
}

#[test]
fn parts_are_printed_and_joined() {
    let file = |part: u32| std::env::temp_dir().join(format!("noughts-check-{}-{part}", std::process::id()));
    for part in 1..=2 {
        let (code, said, _) = run(&["--shard", &format!("{part}/2"), "draw.txt"], "");
        assert!(code == 0 && said.ends_with("verdict checked\n"), "{said}");
        std::fs::write(file(part), said).unwrap();
    }
    let (first, second) = (file(1), file(2));
    let (first, second) = (first.to_str().unwrap(), second.to_str().unwrap());
    assert_eq!(run(&["--join", first, second], "").1, run(&["draw.txt"], "").1);
    assert_eq!(run(&["--join", first], "").0, 1);
    [file(1), file(2)].iter().for_each(|name| std::fs::remove_file(name).unwrap());
    let wrong = include_str!("draw.txt").replace("potential\nprove 2", "none\nprove 2");
    let (code, said, _) = run(&["--shard", "2/2", "-"], &wrong);
    assert!(code == 1 && said.lines().last().unwrap().starts_with("verdict not checked: record 25: "), "{said}");
    let start = "noughts-check report 2\nshard 2/2\ngame 4 4 normal\nposition 4/4/4/4 x\nclaim cannot ";
    assert!(said.starts_with(start), "{said}");
}
