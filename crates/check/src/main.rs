//! The command line of `noughts-check`.

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Cursor, Read, Write, stdin, stdout};
use std::path::Path;
use std::process::ExitCode;

use noughts_check::{Expected, Options, REPORT, Rejection, check, join, shard};

/// The first bytes of compressed files, and the programs that print what is in them.
const COMPRESSED: [(&[u8], &str); 4] =
    [(b"\x1f\x8b", "zcat"), (b"\x28\xb5\x2f\xfd", "zstdcat"), (b"\xfd7zXZ", "xzcat"), (b"BZh", "bzcat")];

const HELP: &str = "\
Checks a certificate of Noughts: a file that says what is true of a position, and proves it.

usage: noughts-check [OPTION...] FILE|FOLDER|-...
       noughts-check [OPTION...] --join REPORT...

Of a folder, all files whose names end with .txt are checked.

  --game GAME    refuse files about another game: SIZE CONNECT normal|reverse
  --position POS refuse files about another position: BOARD x|o, or startpos
  --claim CLAIM  refuse files without this claim, such as \"wins x within 11\" or \"cannot o\"; may be repeated
  --no-theorems  refuse all theorems but strategy-stealing
  --shard I/N    check only every Nth block, from the Ith on, and print a report; auto or auto/N in a task of a cluster
  --join         read the reports of all parts, and print the verdict about the whole
  --show RECORD  also explain the record in this line of the file
  --help         print this
  --version      print the version

exit code: 0 all checked, 1 not checked, 2 a file that cannot be read, a verdict that cannot be written or wrong arguments
";

/// What is wrong with a file.
fn because(name: &OsString, error: io::Error) -> String {
    format!("{}: {error}", name.display())
}

/// Opens a file, or standard input for the name `-`.
fn open(name: &OsString) -> Result<Box<dyn Read + Send>, String> {
    let because = |error| because(name, error);
    let mut file: Box<dyn Read + Send> =
        if name == "-" { Box::new(stdin()) } else { Box::new(File::open(name).map_err(because)?) };
    let mut head = Vec::new();
    file.by_ref().take(5).read_to_end(&mut head).map_err(because)?;
    match COMPRESSED.iter().find(|(magic, _)| head.starts_with(magic)) {
        Some((_, unpack)) => {
            let name = name.display();
            Err(format!("{name}: the file is compressed; read it with: {unpack} {name} | noughts-check -"))
        }
        None => Ok(Box::new(Cursor::new(head).chain(file))),
    }
}

/// The text to print and the exit code, or why there is none.
fn run() -> Result<(String, u8), String> {
    let (mut options, mut joins, mut files) = (Options::default(), false, Vec::new());
    let (mut game, mut position, mut claims) = (None, None, Vec::new());
    let mut arguments = std::env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().and_then(|text| text.into_string().ok()).unwrap_or_default();
        match argument.to_str() {
            Some("--help") => return Ok((HELP.into(), 0)),
            Some("--version") => return Ok((format!("noughts-check {}\n", env!("CARGO_PKG_VERSION")), 0)),
            Some("--game") => game = Some(value()),
            Some("--position") => position = Some(value()),
            Some("--claim") => claims.push(value()),
            Some("--no-theorems") => options.no_theorems = true,
            Some("--join") => joins = true,
            Some("--shard") => {
                let variable = |name: &str| Some(std::env::var_os(name)?.to_string_lossy().into_owned());
                options.shard = Some(shard(&value(), variable)?);
            }
            Some("--show") => options.show = Some(value().parse().map_err(|_| "expected --show RECORD, a number")?),
            Some(text) if text.starts_with('-') && text != "-" => return Err(format!("unknown option {text:?}")),
            _ => files.push(argument),
        }
    }
    options.expected = Expected::new(game.as_deref(), position.as_deref(), &claims)?;
    let alone = options.shard.is_none() && options.show.is_none();
    match &files[..] {
        [_, ..] if joins && alone => {
            let mut texts = vec![String::new(); files.len()];
            for (name, text) in files.iter().zip(&mut texts) {
                open(name)?.take(1 << 20).read_to_string(text).map_err(|error| because(name, error))?;
            }
            let whole = join(&texts, &options);
            Ok(whole.map_or_else(|wrong| (format!("not checked: {wrong}\n"), 1), |whole| (whole.verdict() + "\n", 0)))
        }
        [name] if !joins && !Path::new(name).is_dir() => check_file(name, &options),
        [_, ..] if !joins && alone => check_files(&files, &options),
        _ => {
            Err("expected files or folders, one file with --shard or --show, or --join with reports, see --help".into())
        }
    }
}

/// The text to print about a file and the exit code, or why it cannot be read.
fn check_file(name: &OsString, options: &Options) -> Result<(String, u8), String> {
    let (result, notes) = check(open(name)?, options);
    let missing = options.show.is_some() && notes.shown.is_none();
    let (header, shown) = (notes.header, notes.shown.unwrap_or_default());
    match (result, options.shard) {
        (Err(Rejection::Unreadable(error)), _) => Err(because(name, error)),
        (Err(rejection), None) => Ok((format!("{shown}not checked: {rejection}\n"), 1)),
        (Err(rejection), Some((i, n))) => {
            Ok((format!("{shown}{REPORT}\nshard {i}/{n}\n{header}verdict not checked: {rejection}\n"), 1))
        }
        (Ok(_), _) if missing => {
            let lines = notes.nodes.map_or(String::new(), |(first, last)| {
                format!("; nodes begin in lines {first} to {last}, where the line is no lemma, prove or end")
            });
            Err(format!("the record of --show belongs to no node that was checked{lines}"))
        }
        (Ok(report), None) => Ok((format!("{shown}{}\n", report.verdict()), 0)),
        (Ok(report), Some(_)) => Ok((format!("{shown}{report}"), 0)),
    }
}

/// A line about each of several files, and the largest exit code.
fn check_files(names: &[OsString], options: &Options) -> Result<(String, u8), String> {
    let (mut text, mut worst) = (String::new(), 0);
    for name in names {
        for file in certificates(name)? {
            let (said, code) = match check_file(&file, options) {
                Ok((said, code)) => (format!("{}: {said}", file.display()), code),
                Err(error) => (error + "\n", 2),
            };
            text += &said;
            worst = worst.max(code);
        }
    }
    Ok((text, worst))
}

/// The certificates in a folder, by name; of anything else, the file itself.
fn certificates(name: &OsString) -> Result<Vec<OsString>, String> {
    let path = Path::new(name);
    if !path.is_dir() {
        return Ok(vec![name.clone()]);
    }
    let entries: io::Result<Vec<_>> =
        path.read_dir().and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut files = entries.map_err(|error| because(name, error))?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "txt"));
    if files.is_empty() {
        return Err(format!("{}: no file of this folder ends with .txt", name.display()));
    }
    files.sort();
    Ok(files.into_iter().map(Into::into).collect())
}

fn main() -> ExitCode {
    // A verdict that is not written is none: the exit code 0 would say that the reader has it.
    let printed = run().and_then(|(text, code)| {
        let written = stdout().write_all(text.as_bytes()).and_then(|()| stdout().flush());
        written.map(|()| code).map_err(|error| format!("standard output: {error}"))
    });
    ExitCode::from(printed.unwrap_or_else(|error| {
        // Without standard error the exit code has to do.
        let _ = writeln!(io::stderr(), "noughts-check: {error}");
        2
    }))
}
