//! `noughts prove` and `noughts map` as programs: what is written where, and what is said when nothing is.

use std::fs;
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use flate2::read::GzDecoder;
use noughts::system::ShardChoice;
use rustix::fs::{CWD, FileType, Mode, makedev, mkfifoat, mknodat};
use rustix::process::{Pid, Signal, kill_process};

use super::common::program::{NOUGHTS, RunToEnd, command, join_in_time};
use super::made::verdict;

fn prove(arguments: &[&str]) -> Output {
    command().arg("prove").args(arguments).run_to_end()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).expect("a folder").next().is_none()
}

#[test]
fn the_certificate_goes_to_standard_output_and_is_checked() {
    for (arguments, expected) in [
        (vec![], "neither player can force a win: a draw"),
        (vec!["--reverse"], "neither player can force a win: a draw"),
        (vec!["--size", "4", "--connect", "3"], "x wins in exactly 5 plies"),
        (vec!["xo1/1x1/3 o"], "x wins in exactly 4 plies"),
        (vec!["xo1/3/3 x", "--claim", "win"], "x wins within 5 plies"),
        (vec!["--size", "5", "--connect", "2", "--reverse", "--claim", "loss"], "o wins within 17 plies"),
        (vec!["startpos moves 1,1 0,0", "--claim", "draw"], "neither player can force a win: a draw"),
        (vec!["--size", "6", "--connect", "4", "--claim", "wins-within:13"], "x wins within 13 plies"),
    ] {
        let output = prove(&arguments);
        let text = String::from_utf8(output.stdout.clone()).expect("text");
        let verdict = verdict(&text);
        let ends = verdict.as_ref().is_ok_and(|verdict| verdict.ends_with(expected));
        assert!(output.status.success() && ends, "{arguments:?}: {verdict:?} {}", said(&output));
    }
}

#[test]
fn what_cannot_be_certified_is_said_with_exit_code_1() {
    for (arguments, expected) in [
        (vec!["--claim", "win"], "a win of the player to move is refuted: the value is a draw"),
        (
            vec!["--size", "4", "--connect", "3", "--claim", "loss"],
            "a loss of the player to move is refuted: wins x within ",
        ),
        (vec!["--size", "4", "--connect", "3", "--claim", "draw"], "a draw is refuted: the value is a win in 5 plies"),
        (vec!["xx1/oo1/3 x", "--claim", "draw"], "a draw is refuted: the value is a win in 1 ply;"),
        (vec!["--claim", "wins-within:9"], "wins x within 9 is refuted: cannot x;"),
        (vec!["4/4/4/4", "--connect", "3", "--claim", "wins-within:3"], "wins x within 3 is refuted: cannot x within "),
        (
            vec!["6/6/6/6/6/6", "--connect", "4", "--claim", "wins-within:10"],
            "wins x within 10 is refuted: cannot x within 10;",
        ),
        (
            vec!["--size", "9", "--connect", "5", "--nodes", "1", "--claim", "draw"],
            "the search has not settled the value",
        ),
    ] {
        let output = prove(&arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", said(&output));
        assert!(said(&output).contains(expected) && output.stdout.is_empty(), "{arguments:?}: {}", said(&output));
    }
}

#[test]
fn what_is_proved_is_written_without_what_is_not_finished() {
    // That O cannot win is a mirror strategy. The other claim takes hundreds of nodes, for the search and for the proof.
    let position = "startpos moves 2,2 0,0 4,4";
    let mut codes = Vec::new();
    for nodes in (100..700).step_by(20) {
        let output = prove(&[position, "--size", "5", "--connect", "4", "--reverse", "--nodes", &nodes.to_string()]);
        let text = String::from_utf8(output.stdout.clone()).expect("text");
        let verdict = verdict(&text).unwrap_or_else(|record| panic!("{nodes}: {record} {text}"));
        let errors = said(&output);
        let (is_whole, is_settled) = (verdict.contains("a draw"), !errors.contains("has not settled the value"));
        let expected = if is_whole || !is_settled { 0 } else { 3 };
        assert_eq!(output.status.code(), Some(expected), "{nodes}: {verdict} {errors}");
        let names = errors.contains("error: cannot x: the search was stopped before the proof was complete");
        assert_eq!(names, expected == 3, "{nodes}: {errors}");
        codes.push((is_settled, expected));
    }
    codes.dedup();
    assert_eq!(
        codes,
        [(false, 0), (true, 3), (true, 0)],
        "first the search is too short, then the proof, then neither"
    );
}

#[test]
fn a_link_leads_to_the_file_that_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("below")).expect("a folder");
    fs::write(path("below/old"), "old").expect("a file");
    // A link to a file, one to nothing yet, and one to a link of another folder.
    for (link, target) in [("one", "below/old"), ("two", "below/new"), ("below/three", "../one")] {
        symlink(target, path(link)).expect("a link");
        fs::write(path("below/old"), "old").expect("a file");
        let output = prove(&["--out", path(link).to_str().expect("text")]);
        assert!(output.status.success(), "{link}: {}", said(&output));
        assert_eq!(fs::read_link(path(link)).expect("still a link"), Path::new(target));
        let text = fs::read_to_string(path(link)).expect("a file");
        assert!(verdict(&text).is_ok(), "{link}: {text}");
    }
    symlink("round", path("round")).expect("a link");
    let round = prove(&["--out", path("round").to_str().expect("text")]);
    assert!(round.status.code() == Some(1) && said(&round).contains("nothing was written"), "{}", said(&round));
    assert!(path("round").is_symlink());
    let mut command = command();
    command.args(["prove", "--claim", "draw", "--split", "2", "--nodes", "1", "--list"]).arg(path("two"));
    assert!(command.run_to_end().status.success() && path("two").is_symlink());
    assert!(fs::read_to_string(path("below/new")).is_ok_and(|text| text.starts_with("{\"plan\"")));
    let names = |path: &Path| fs::read_dir(path).expect("a folder").count();
    assert_eq!((names(folder.path()), names(&path("below"))), (4, 3), "no temporary file is left");
}

#[test]
fn pipes_and_devices_are_written_to_and_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let plain = prove(&[]).stdout;
    mkfifoat(CWD, path("pipe"), Mode::RWXU).expect("a pipe");
    let pipe = path("pipe");
    let reader = thread::spawn(move || fs::read(pipe).expect("a pipe"));
    let output = prove(&["--out", path("pipe").to_str().expect("text")]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(join_in_time(reader) == plain && fs::metadata(path("pipe")).unwrap().file_type().is_fifo());
    // The standard output of the program by its name: a pipe here, then a file that has something already.
    symlink("/proc/self/fd/1", path("output")).expect("a link");
    let arguments = ["--out", path("output").to_str().expect("text")].map(str::to_owned);
    assert_eq!(prove(&arguments.each_ref().map(String::as_str)).stdout, plain);
    let shell = "{ echo before; \"$0\" prove \"$@\"; echo after; } > file";
    let mut around = Command::new("bash");
    around.args(["-c", shell, &NOUGHTS]).args(&arguments).current_dir(folder.path());
    assert!(around.run_to_end().status.success());
    assert_eq!(fs::read(path("file")).expect("a file"), [b"before\n", &plain[..], b"after\n"].concat());
    assert!(path("output").is_symlink());
    // Only root makes devices, and only root could replace one.
    for (name, minor, succeeds) in [("null", 3, true), ("full", 7, false)] {
        if mknodat(CWD, path(name), FileType::CharacterDevice, Mode::RWXU, makedev(1, minor)).is_err() {
            eprintln!("not checked: a device; run the test as root");
            return;
        }
        let output = prove(&["--out", path(name).to_str().expect("text")]);
        assert_eq!(output.status.success(), succeeds, "{name}: {}", said(&output));
        assert!(succeeds || said(&output).contains("No space left on device"), "{}", said(&output));
        assert!(fs::metadata(path(name)).expect("still there").file_type().is_char_device(), "{name}");
    }
}

#[test]
fn a_descriptor_of_a_regular_file_is_shared_or_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    let plain = String::from_utf8(prove(&[]).stdout).expect("text");
    // The shell's own output to the same descriptor stays, before and after, and nothing of the certificate is lost.
    for (out, number) in
        [("/dev/stdin", 0), ("/dev/stdout", 1), ("/dev/stderr", 2), ("/dev/fd/1", 1), ("/proc/self/fd/2", 2)]
    {
        let redirection = if number == 0 { "<>" } else { ">" };
        let shell = format!(
            "{{ echo before >&{number}; \"$0\" prove --out {out}; echo \"after $?\" >&{number}; }} {number}{redirection}file"
        );
        fs::write(&file, "").expect("a file");
        let mut around = Command::new("bash");
        around.args(["-c", &shell, &NOUGHTS]).current_dir(folder.path()).run_to_end();
        let text = fs::read_to_string(&file).expect("a file");
        let is_whole = text.starts_with("before\n") && text.contains(&plain) && text.ends_with("after 0\n");
        assert!(is_whole, "{out}: {text}");
    }
    // Another descriptor can only be opened again. A pipe behind it is the same pipe.
    let shell = "echo before >&3; \"$0\" prove --out /dev/fd/3 2>&1; echo \"after $?\" >&3";
    let run = |shell: &str| Command::new("bash").args(["-c", shell, &NOUGHTS]).current_dir(folder.path()).run_to_end();
    let output = run(&format!("{{ {shell}; }} 3>file"));
    let words = String::from_utf8(output.stdout).expect("text");
    assert!(words.contains("nothing was written: the name stands for an open descriptor"), "{words}");
    assert_eq!(fs::read_to_string(&file).expect("a file"), "before\nafter 1\n");
    let piped = run("{ \"$0\" prove --out /dev/fd/3 2>/dev/null >&2; } 3>&1 | cat").stdout;
    assert_eq!(String::from_utf8(piped).expect("text"), plain);
}

#[test]
fn a_reader_that_leaves_a_pipe_of_out_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe");
    mkfifoat(CWD, &pipe, Mode::RWXU).expect("a pipe");
    // The certificate is larger than a pipe, so the program still writes when the reader goes.
    let large = ["--size", "5", "--connect", "4"];
    for out in [pipe.to_str().expect("text"), "/dev/stdout"] {
        let mut child = command();
        child.arg("prove").args(large).args(["--out", out]).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn().expect("the program runs");
        drop(child.stdout.take());
        if out != "/dev/stdout" {
            let reader = pipe.clone();
            join_in_time(thread::spawn(move || drop(fs::File::open(reader).expect("a pipe"))));
        }
        let output = child.run_to_end();
        let expected = format!("error: cannot write {out} to its end: ");
        assert!(output.status.code() == Some(1) && said(&output).contains(&expected), "{out}: {}", said(&output));
    }
    // Without --out, the reader of standard output has read enough.
    let mut child = command();
    child.arg("prove").args(large).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().expect("the program runs");
    drop(child.stdout.take());
    let output = child.run_to_end();
    assert!(output.status.success() && !said(&output).contains("error"), "{}", said(&output));
}

#[test]
fn wrong_arguments_are_named_with_exit_code_2() {
    for (arguments, expected) in [
        (vec!["--claim", "lose"], "expected value, draw, win, loss, or wins-within:N"),
        (vec!["--claim", "wins-within:0"], "N from 1 to 400"),
        (vec!["xxx/oo1/3"], "the game is over"),
        (vec!["--size", "3", "--connect", "4"], "no line fits"),
        (vec!["nonsense"], "nonsense"),
        (vec!["--hash", "0"], "expected a whole number from 1 to 1048576"),
    ] {
        let output = prove(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", said(&output));
        assert!(said(&output).contains(expected), "{arguments:?}: {}", said(&output));
    }
}

#[test]
fn a_name_that_ends_with_gz_is_compressed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (plain, packed) = (folder.path().join("a.txt"), folder.path().join("a.txt.gz"));
    for path in [&plain, &packed] {
        let output = prove(&["--size", "5", "--connect", "4", "--out", path.to_str().expect("text")]);
        assert!(output.status.success() && output.stdout.is_empty(), "{}", said(&output));
    }
    let text = fs::read_to_string(&plain).expect("a file");
    let mut unpacked = String::new();
    GzDecoder::new(fs::File::open(&packed).expect("a file")).read_to_string(&mut unpacked).expect("text");
    assert_eq!(text, unpacked);
    assert!(fs::metadata(&packed).unwrap().len() < text.len() as u64 / 3);
    assert!(verdict(&text).is_ok(), "{:?}", verdict(&text));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left in the folder");
}

#[test]
fn ctrl_c_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("long.txt");
    let arguments =
        ["prove", "--size", "6", "--connect", "3", "--reverse", "--hash", "1", "--out", path.to_str().unwrap()];
    let child = command().args(arguments).stderr(Stdio::piped()).spawn().expect("the program runs");
    thread::sleep(Duration::from_millis(500));
    kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
    let output = child.run_to_end();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(is_empty(folder.path()), "{}", said(&output));
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let missing = prove(&["--out", "no/such/folder/a.txt"]);
    assert_eq!(missing.status.code(), Some(1), "{}", said(&missing));
    assert!(said(&missing).contains("no/such/folder"), "{}", said(&missing));
    // A folder stands under the final name.
    let folder = tempfile::tempdir().expect("a folder");
    let name = folder.path().join("taken");
    fs::create_dir(&name).expect("a folder");
    fs::write(name.join("file"), "").expect("a file");
    let taken = prove(&["--out", name.to_str().unwrap()]);
    assert_eq!(taken.status.code(), Some(1), "{}", said(&taken));
    assert!(said(&taken).contains("nothing was written"), "{}", said(&taken));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no half file is left");
}

#[test]
fn a_full_disk_leaves_no_half_file() {
    // A limit on the size of files stands in for the full disk; the signal that goes with it is ignored.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.txt");
    let line = format!(
        "trap '' XFSZ; ulimit -f 20; {} prove --size 5 --connect 4 --out {}",
        env!("CARGO_BIN_EXE_noughts"),
        path.display()
    );
    let output = Command::new("bash").args(["-c", &line]).run_to_end();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("nothing was written"), "{}", said(&output));
    assert!(is_empty(folder.path()));
}

#[test]
fn one_mebibyte_proves_what_does_not_fit() {
    let output = prove(&["--size", "5", "--connect", "2", "--reverse", "--hash", "1"]);
    let text = String::from_utf8(output.stdout).expect("text");
    let expected = "5x5, 2 in a row, reverse rule, empty board, x to move: checked: o wins in exactly 15 plies";
    assert_eq!(verdict(&text), Ok(expected.to_owned()));
}

#[test]
fn the_checker_takes_the_same_part_as_the_program() {
    let numbers = ["", "0", "1", "2", "3", "7", "8", "x", "-1", "18446744073709551615"];
    let arrays =
        [["1", "8", "1", "8"], ["0", "7", "1", "8"], ["3", "7", "2", "3"], ["3", "7", "1", "2"], ["7", "3", "1", "1"]];
    let mut environments: Vec<Vec<(String, &str)>> = vec![Vec::new()];
    for (place, number) in numbers.into_iter().enumerate() {
        for name in ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "PARALLEL_SEQ"] {
            environments.push(vec![(name.to_owned(), number)]);
        }
        let other = ["JOB_COMPLETION_INDEX", "PARALLEL_SEQ"][place % 2].to_owned();
        environments.push(vec![("SLURM_ARRAY_TASK_ID".to_owned(), number), (other, "2")]);
        for array in arrays.into_iter().chain([["0", "1", "0", "2"], ["0", "18446744073709551615", "1", "0"]]) {
            let names = ["MIN", "MAX", "STEP", "COUNT"].map(|key| format!("SLURM_ARRAY_TASK_{key}"));
            let all = names.into_iter().zip(array).chain([("SLURM_ARRAY_TASK_ID".to_owned(), number)]);
            environments.push(all.collect());
        }
    }
    let mut parts = 0;
    for environment in &environments {
        let variable = |name: &str| environment.iter().find(|own| own.0 == name).map(|own| own.1.to_owned());
        for choice in ["auto", "auto:slurm", "auto:kubernetes", "auto:parallel", "autos", "3", "", "x"] {
            for of in ["", "/8", "/1", "/0", "/x", "/", "/8/8"] {
                let text = format!("{choice}{of}");
                let own = text.parse::<ShardChoice>().ok().and_then(|choice| choice.shard(variable).ok());
                let checked = noughts_check::shard(&text, variable).ok();
                assert_eq!(checked, own.map(|shard| (shard.part, shard.of)), "{text} {environment:?}");
                parts += u32::from(own.is_some());
            }
        }
    }
    assert!(parts > 200, "{parts}");
}
