//! The examples of the documents and the scripts, run as a newcomer would. Every link leads to a file and a heading.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::{pages, root, text};
use crate::common::program::RunToEnd;
use crate::common::without_times;
use assert_cmd::cargo::cargo_bin_cmd;

/// Runs a shell command in the project with this build's program as `noughts` and as the release build.
fn shell(command: &str) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_noughts"));
    let folder = program.parent().expect("a folder").display();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    let command = command
        .replace("cargo run --release --quiet", "noughts")
        .replace("target/release/noughts", &program.display().to_string());
    Command::new("sh").args(["-c", &command]).current_dir(root()).env("PATH", path).env("NOUGHTS", program).run_to_end()
}

fn lines(output: &[u8]) -> Vec<String> {
    String::from_utf8(output.to_vec()).expect("text").lines().map(without_speed).collect()
}

/// A line without what differs from run to run: times of a search, milliseconds a move and games a second in a table.
fn without_speed(line: &str) -> String {
    let is_time = |word: &str| word.split_once('.').is_some_and(|(_, decimals)| decimals.len() == 3);
    match line.rsplit_once(' ') {
        Some((row, last)) if is_time(last) => format!("{} *", row.trim_end()),
        Some((row, "games/s")) => row.split(' ').next().unwrap_or_default().to_owned(),
        _ => without_times(line),
    }
}

/// The blocks of the documents in this language.
fn blocks(language: &str) -> Vec<String> {
    let opening = format!("```{language}\n");
    let of_page = |page: PathBuf| {
        let text = text(&page);
        let blocks = text.split(&opening).skip(1).map(|rest| rest.split("```").next().unwrap_or_default().to_owned());
        blocks.collect::<Vec<_>>()
    };
    pages().into_iter().flat_map(of_page).collect()
}

/// The first command of these lines and what follows it. A command goes on behind a backslash at the end of a line.
fn first_command(lines: &str) -> (&str, &str) {
    let mut end = 0;
    for line in lines.split_inclusive('\n') {
        end += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    lines.split_at(end)
}

#[test]
fn every_example_of_the_pages_prints_what_they_show() {
    let examples = blocks("console");
    assert!(examples.len() >= 19, "the examples were not found");
    for example in examples {
        let (command, expected) = first_command(&example);
        let command = command.strip_prefix("$ ").expect("a prompt").trim_end();
        let output = shell(command);
        assert!(output.status.success(), "{command}: {output:?}");
        let said = lines(&output.stdout);
        let expected: Vec<String> = expected.lines().map(without_speed).collect();
        assert_eq!(said, expected, "{command}");
    }
}

#[test]
fn every_command_of_the_pages_without_shown_output_works() {
    // Records of an earlier run, perhaps of another version.
    for part in ["target/part1.jsonl", "target/part2.jsonl"] {
        let _ = std::fs::remove_file(root().join(part));
    }
    let mut count = 0;
    for block in blocks("sh") {
        let mut rest = block.as_str();
        while !rest.is_empty() {
            let (command, next) = first_command(rest);
            rest = next;
            if command.starts_with("scripts/check") {
                continue;
            }
            let output = shell(command);
            assert!(output.status.success() && !output.stdout.is_empty(), "{command}: {output:?}");
            assert!(!lines(&output.stdout).iter().any(|line| line.contains("error")), "{command}: {output:?}");
            count += 1;
        }
    }
    assert!(count >= 10, "the commands were not found");
}

/// The links of a document to files of the project, and its pictures.
fn links(text: &str) -> Vec<String> {
    let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let pictures = text.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next());
    links.chain(pictures).filter(|link| !link.starts_with("http")).map(str::to_owned).collect()
}

/// The words by which links name the headings of a document.
fn anchors(text: &str) -> Vec<String> {
    let mut in_block = false;
    let mut headings = Vec::new();
    for line in text.lines() {
        in_block ^= line.starts_with("```");
        if let Some(heading) =
            line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#') && !in_block)
        {
            let kept = heading.chars().filter(|&letter| letter.is_alphanumeric() || " -_".contains(letter));
            headings.push(kept.collect::<String>().to_lowercase().replace(' ', "-"));
        }
    }
    headings
}

#[test]
fn no_document_names_a_file_or_a_heading_that_is_not_there() {
    for page in pages() {
        let folder = page.parent().expect("a folder");
        for link in links(&text(&page)) {
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { page.clone() } else { folder.join(file) };
            assert!(target.exists(), "{}: {link}", page.display());
            assert!(
                heading.is_empty() || anchors(&text(&target)).iter().any(|anchor| anchor == heading),
                "{}: {link}",
                page.display()
            );
        }
    }
}

/// Paths of the source, the tests and the documents that stand between backquotes.
fn paths_in_code(text: &str) -> impl Iterator<Item = &str> {
    let is_path = |code: &&str| {
        ["src/", "crates/", "tests/", "scripts/", "docs/", "benches/"].iter().any(|folder| code.starts_with(folder))
    };
    text.split('`').skip(1).step_by(2).filter(is_path).map(|code| code.split(' ').next().unwrap_or_default())
}

#[test]
fn no_document_names_a_path_that_is_not_there() {
    let mut found = 0;
    for page in pages() {
        for path in paths_in_code(&text(&page)) {
            assert!(root().join(path).exists(), "{}: {path}", page.display());
            found += 1;
        }
    }
    assert!(found > 20, "the paths were not found");
}

#[test]
fn the_readme_is_read_in_two_minutes() {
    let readme = text(&root().join("README.md"));
    assert!(readme.lines().count() <= 150, "{} lines", readme.lines().count());
    let long: Vec<&str> = readme.lines().filter(|line| line.chars().count() > 120).collect();
    assert!(long.is_empty(), "lines of more than 120 columns: {long:?}");
    assert!(readme.lines().take(20).any(|line| line.contains("<img src=\"docs/")), "no picture on the first screen");
}

#[test]
fn the_shell_script_says_what_was_wrong() {
    let output = shell("scripts/best-move.sh 'startpos moves 0,0 0,0'");
    assert!(!output.status.success() && output.stdout.is_empty());
    assert!(lines(&output.stderr)[0].starts_with("error: position: move 2"), "{output:?}");
    let proven = shell("scripts/best-move.sh 'fen xoxo/oxox/2x1/o3' 'size 4' 'player perfect'");
    assert_eq!((lines(&proven.stdout), proven.stderr.is_empty()), (vec!["3,3".to_owned()], true));
    let finished = shell("scripts/best-move.sh 'fen xxx/oo1/3'");
    assert_eq!((lines(&finished.stdout), finished.status.success()), (vec!["(none)".to_owned()], true));
}

#[test]
fn the_smallest_clients_print_the_move() {
    let page = text(&root().join("docs/clients.md"));
    let (_, section) = page.split_once("## The smallest clients\n").expect("the section");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clients");
    std::fs::create_dir_all(&folder).expect("a folder");
    let session = "rm -f address; noughts serve --port 0 > address & until [ -s address ]; do sleep 0.05; done;
        sed -i \"s/8383/$(sed 's/.*:\\([0-9]*\\).*/\\1/' address)/\" session.js;
        node --experimental-websocket session.js; kill $!";
    // The language of the block, its file, what the machine needs, and how the client is run.
    let clients = [
        ("python", "client.py", "command -v python3", "python3 client.py"),
        ("javascript", "client.mjs", "command -v node", "node client.mjs"),
        ("js", "session.js", "node --experimental-websocket -e WebSocket", session),
        ("java", "Client.java", "command -v javac", "java Client.java"),
        ("cpp", "client.cpp", "command -v g++", "g++ client.cpp -o client && ./client"),
    ];
    for (language, file, needed, run) in clients {
        let (_, block) = section.split_once(&format!("```{language}\n")).expect("a block");
        let code = block.split("```").next().unwrap_or_default();
        std::fs::write(folder.join(file), code).expect("a temporary file");
        if !shell(needed).status.success() {
            eprintln!("not checked: {file}, because this fails: {needed}");
            continue;
        }
        let output = shell(&format!("cd '{}' || exit\n{run}", folder.display()));
        assert_eq!(lines(&output.stdout), ["0,2"], "{file}: {output:?}");
    }
}

#[test]
fn scripts_find_the_program_and_say_which() {
    let built = env!("CARGO_BIN_EXE_noughts");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("finding");
    let _ = std::fs::remove_dir_all(&folder);
    // A copy of the scripts beside a build, and a PATH with nothing but what they need.
    let prepare = format!(
        "mkdir -p '{0}/bin' '{0}/target/release' '{0}/with' && cp -r scripts '{0}' && cd '{0}' &&
         ln -s \"$(command -v dirname)\" bin &&
         ln -s \"$(python3 -c 'import sys; print(sys.executable)')\" bin/python3 && ln -s '{built}' with/noughts",
        folder.display()
    );
    assert!(shell(&prepare).status.success());
    let asked = ["scripts/best-move.sh 'startpos moves 1,1' 'tiebreak first'", "python3 asks.py"];
    let asks = "import sys\nsys.path.insert(0, 'scripts')\nimport noughts_program\nprint(noughts_program.find())\n";
    std::fs::write(folder.join("asks.py"), asks).expect("a temporary file");
    let run = |setting: &str, command: &str| {
        let output = shell(&format!("cd '{}' && unset NOUGHTS && export {setting} && {command}", folder.display()));
        (output.status.success(), lines(&output.stderr).join("\n"))
    };
    for command in asked {
        let (found, said) = run("PATH=bin", command);
        assert!(!found && said.starts_with("error: there is no program noughts; set NOUGHTS"), "{said}");
        assert_eq!(run(&format!("PATH=bin NOUGHTS='{built}'"), command), (true, String::new()));
        let (found, said) = run("PATH=bin:with", command);
        assert!(found && said.starts_with("the program is ") && said.ends_with("with/noughts"), "{said}");
        std::os::unix::fs::symlink(built, folder.join("target/release/noughts")).expect("a link");
        let (found, said) = run("PATH=bin", command);
        assert!(found && said.starts_with("the program is ") && said.ends_with("target/release/noughts"), "{said}");
        std::fs::remove_file(folder.join("target/release/noughts")).expect("a link of ours");
    }
}

/// An executable file of this name with these lines for the shell.
fn program(name: &str, lines: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{lines}\n")).expect("a temporary file");
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("a file of ours");
    path
}

#[test]
fn the_checked_matches_fail_if_the_engine_is_too_weak() {
    // An engine that reads the same files as Fairy-Stockfish and is not as strong.
    let double = program("engine to beat", &format!("exec python3 '{}/tests/variant_engine.py'", root().display()));
    let run = |noughts: &str| {
        shell(&format!("FAIRY_STOCKFISH='{}' NOUGHTS='{noughts}' scripts/fairy_matches.py", double.display()))
    };
    let noughts = env!("CARGO_BIN_EXE_noughts");
    let sound = run(noughts);
    assert!(sound.status.success() && !lines(&sound.stdout).iter().any(|line| line.contains("WRONG")), "{sound:?}");
    // The runner is the same, the engine plays at random.
    let exchanged =
        format!("[ $# -gt 0 ] && exec '{noughts}' \"$@\"\nexec '{noughts}' --option player=random --option seed=1");
    let weak = run(&program("noughts at random", &exchanged).display().to_string());
    assert_eq!(weak.status.code(), Some(1), "{weak:?}");
    assert!(lines(&weak.stdout).iter().any(|line| line.starts_with("WRONG: ") && line.contains("lost")), "{weak:?}");
}

#[test]
fn the_template_speaks_the_protocol() {
    let script = "ugi\nisready\nnewgame\nsetoption name size value 2\ngo\nposition startpos moves 0,0 0,1\ngo\n\
                  position fen xo/xo\ngo\nposition fen 2/1x moves 0,0\ngo\nquit\n";
    let output = shell(&format!("printf '{script}' | python3 scripts/engine_template.py"));
    let said = lines(&output.stdout);
    assert!(said.contains(&"ugiok".to_owned()) && said.contains(&"readyok".to_owned()));
    let moves: Vec<&String> = said.iter().filter(|line| line.starts_with("bestmove")).collect();
    assert_eq!(moves, ["bestmove 0,0", "bestmove 1,0", "bestmove (none)", "bestmove 0,1"]);
    let code = std::fs::read_to_string(root().join("scripts/engine_template.py")).expect("the template is there");
    assert!(code.lines().count() <= 40, "a template should be short");
}

#[test]
fn the_templates_of_all_languages_say_the_same() {
    let script = "ugi\nisready\nnewgame\nsetoption name size value 2\ngo\nposition startpos moves 0,0 0,1\ngo\n\
                  position fen xo/xo\ngo\nposition fen 2/1x moves 0,0\ngo\nsetoption name size value 12\n\
                  setoption name connect value 5\nsetoption name reverse value true\n\
                  position fen xo10/12/12/12/12/12/12/12/12/12/12/11x x moves 0,2 0,3\ngo\nposition startpos\ngo\n\
                  uci\nsetoption name size value 2\nsetoption name columns value 3\nposition startpos moves 0,0 0,1 0,2\n\
                  go\nposition fen x2/o2\ngo\nquit\n";
    let said = |engine: &str| lines(&shell(&format!("printf '{script}' | {engine}")).stdout);
    let expected = said("python3 scripts/engine_template.py");
    assert!(expected.contains(&"bestmove 0,4".to_owned()), "{expected:?}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("templates");
    std::fs::create_dir_all(&folder).expect("a folder");
    let compiled = folder.join("mine").display().to_string();
    // The compiler or interpreter, what is done first, and the engine.
    let templates = [
        ("node", "true".to_owned(), "node scripts/engine_template.mjs".to_owned()),
        ("javac", "true".to_owned(), "java scripts/EngineTemplate.java".to_owned()),
        ("g++", format!("g++ -Wall -Wextra -o '{compiled}' scripts/engine_template.cpp"), format!("'{compiled}'")),
    ];
    for (needed, prepare, engine) in templates {
        if !shell(&format!("command -v {needed}")).status.success() {
            eprintln!("not checked: {engine}, because there is no {needed}");
            continue;
        }
        let prepared = shell(&prepare);
        assert!(prepared.status.success() && prepared.stderr.is_empty(), "{prepared:?}");
        assert_eq!(said(&engine), expected, "{engine}");
        for size in ["4", "4x5"] {
            let rules = format!("--size {size} --connect 3 --reverse --openings random:2 --games 4");
            let played = shell(&format!("noughts match {rules} --engine noughts --engine \"{engine}\""));
            // A fault of an engine is told on standard error.
            assert!(played.status.success() && played.stderr.is_empty(), "{engine} {size}: {played:?}");
        }
    }
}

#[test]
fn the_signature_is_the_same_every_time_and_on_every_machine() {
    let run = || cargo_bin_cmd!("noughts").args(["bench", "--signature"]).assert().success();
    // A commit that changes this line says so: the engine answers differently.
    (0..2).for_each(|_| drop(run().stdout("signature  290562 nodes, answers cb2944e97f1070b3\n")));
}
