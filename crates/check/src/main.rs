//! The command line of `noughts-check`.

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

use std::fs::File;
use std::io::{self, Cursor, Read, Write, stdin, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use noughts_check::{Expected, Notes, Options, REPORT, Rejection, check, join, shard};

/// The first bytes of compressed files, and the programs that print what is in them.
const COMPRESSED: [(&[u8], &str); 4] =
    [(b"\x1f\x8b", "zcat"), (b"\x28\xb5\x2f\xfd", "zstdcat"), (b"\xfd7zXZ", "xzcat"), (b"BZh", "bzcat")];

const USAGE: &str = "expected files or folders, one file with --shard or --show, or --join with reports, see --help";

/// The text to print, and the exit code; or the failure, which gives the exit code 2.
type Answer = Result<(String, u8), String>;

/// Says of which file or folder an error is.
fn of_file(name: &Path) -> impl Fn(io::Error) -> String {
    move |error| format!("{}: {error}", name.display())
}

/// Opens a file, or standard input for the name `-`.
fn open(name: &Path) -> Result<Box<dyn Read + Send>, String> {
    let input: io::Result<Box<dyn Read + Send>> =
        if name.as_os_str() == "-" { Ok(Box::new(stdin())) } else { File::open(name).map(|file| Box::new(file) as _) };
    let mut input = input.map_err(of_file(name))?;
    let mut head = Vec::new();
    input.by_ref().take(5).read_to_end(&mut head).map_err(of_file(name))?;
    if let Some((_, unpack)) = COMPRESSED.iter().find(|(magic, _)| head.starts_with(magic)) {
        let name = name.display();
        return Err(format!("{name}: the file is compressed; read it with: {unpack} {name} | noughts-check -"));
    }
    Ok(Box::new(Cursor::new(head).chain(input)))
}

fn run() -> Answer {
    let (mut options, mut joins, mut names) = (Options::default(), false, Vec::new());
    let (mut game, mut position, mut claims) = (None, None, Vec::new());
    let mut arguments = std::env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().and_then(|text| text.into_string().ok()).unwrap_or_default();
        let variable = |name: &str| Some(std::env::var_os(name)?.to_string_lossy().into_owned());
        match argument.to_str() {
            Some("--help") => return Ok((include_str!("help.txt").into(), 0)),
            Some("--version") => return Ok((format!("noughts-check {}\n", env!("CARGO_PKG_VERSION")), 0)),
            Some("--game") => game = Some(value()),
            Some("--position") => position = Some(value()),
            Some("--claim") => claims.push(value()),
            Some("--no-theorems") => options.no_theorems = true,
            Some("--join") => joins = true,
            Some("--shard") => options.shard = Some(shard(&value(), variable)?),
            Some("--show") => options.show = Some(value().parse().map_err(|_| "expected --show RECORD, a number")?),
            Some(text) if text.starts_with('-') && text != "-" => return Err(format!("unknown option {text:?}")),
            _ => names.push(PathBuf::from(argument)),
        }
    }
    options.expected = Expected::new(game.as_deref(), position.as_deref(), &claims)?;
    let alone = options.shard.is_none() && options.show.is_none();
    match &names[..] {
        [_, ..] if joins && alone => join_reports(&names, &options),
        [name] if !joins && !name.is_dir() => check_file(name, &options),
        [_, ..] if !joins && alone => check_files(&names, &options),
        _ => Err(USAGE.into()),
    }
}

fn join_reports(names: &[PathBuf], options: &Options) -> Answer {
    let texts = names.iter().map(|name| io::read_to_string(open(name)?.take(1 << 20)).map_err(of_file(name)));
    let whole = join(&texts.collect::<Result<Vec<_>, _>>()?, options);
    Ok(whole.map_or_else(|wrong| (format!("not checked: {wrong}\n"), 1), |whole| (whole.verdict() + "\n", 0)))
}

fn check_file(name: &Path, options: &Options) -> Answer {
    let (result, Notes { header, shown, nodes }) = check(open(name)?, options);
    let (said, code) = match (result, options.shard) {
        (Err(Rejection::Unreadable(error)), _) => return Err(of_file(name)(error)),
        (Ok(_), _) if options.show.is_some() && shown.is_none() => {
            let numbers = |(first, last)| {
                format!("; nodes begin in lines {first} to {last}, where the line is no lemma, prove or end")
            };
            return Err("the record of --show belongs to no node that was checked".to_owned()
                + &nodes.map_or(String::new(), numbers));
        }
        (Ok(report), None) => (report.verdict() + "\n", 0),
        (Ok(report), Some(_)) => (report.to_string(), 0),
        (Err(wrong), None) => (format!("not checked: {wrong}\n"), 1),
        (Err(wrong), Some((i, n))) => (format!("{REPORT}\nshard {i}/{n}\n{header}verdict not checked: {wrong}\n"), 1),
    };
    Ok((shown.unwrap_or_default() + &said, code))
}

/// A line about each of several files, those of folders too, and the largest exit code.
fn check_files(names: &[PathBuf], options: &Options) -> Answer {
    let files: Vec<_> = names.iter().map(|name| certificates(name)).collect::<Result<_, _>>()?;
    let answers = files.iter().flatten().map(|file| match check_file(file, options) {
        Ok((said, code)) => (format!("{}: {said}", file.display()), code),
        Err(error) => (error + "\n", 2),
    });
    Ok(answers.fold((String::new(), 0), |(text, worst), (said, code)| (text + &said, worst.max(code))))
}

/// The certificates in a folder, by name; of anything else, the file itself.
fn certificates(name: &Path) -> Result<Vec<PathBuf>, String> {
    if !name.is_dir() {
        return Ok(vec![name.to_owned()]);
    }
    let paths = name.read_dir().and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut files: Vec<PathBuf> = paths.map_err(of_file(name))?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "txt"));
    files.sort();
    if files.is_empty() { Err(format!("{}: no file of this folder ends with .txt", name.display())) } else { Ok(files) }
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
