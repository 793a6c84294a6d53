//! The command line of `noughts-check`.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write, stdin, stdout};
use std::process::ExitCode;

use noughts_check::{Fault, Options, check, join, shard};

const HELP: &str = "\
Checks a certificate of Noughts: a file that says what is true of a position, and proves it.

usage: noughts-check [OPTION...] FILE|-
       noughts-check [--no-theorems] --join REPORT...

  --no-theorems  refuse all theorems but strategy-stealing
  --shard I/N    check only every Nth block, from the Ith on, and print a report; auto or auto/N in a task of a cluster
  --join         read the reports of all parts, and print the verdict about the whole
  --show RECORD  also explain the record in this line of the file
  --help         print this
  --version      print the version

exit code: 0 checked, 1 not checked, 2 a file that cannot be read or wrong arguments
";

/// The text to print and the exit code, or why there is none.
fn run() -> Result<(String, u8), String> {
    let (mut options, mut joins, mut files) = (Options::default(), false, Vec::new());
    let mut arguments = std::env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().and_then(|text| text.into_string().ok()).unwrap_or_default();
        match argument.to_str() {
            Some("--help") => return Ok((HELP.into(), 0)),
            Some("--version") => return Ok((format!("noughts-check {}\n", env!("CARGO_PKG_VERSION")), 0)),
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
    let because = |name: &OsString, error: io::Error| format!("{}: {error}", name.display());
    let open = |name: &OsString| -> Result<Box<dyn Read + Send>, String> {
        let file = || File::open(name).map_err(|error| because(name, error));
        Ok(if name == "-" { Box::new(stdin()) } else { Box::new(file()?) })
    };
    let alone = options.shard.is_none() && options.show.is_none();
    match &files[..] {
        [_, ..] if joins && alone => {
            let mut texts = vec![String::new(); files.len()];
            for (name, text) in files.iter().zip(&mut texts) {
                open(name)?.take(1 << 30).read_to_string(text).map_err(|error| because(name, error))?;
            }
            let whole = join(&texts, options.no_theorems);
            Ok(whole.map_or_else(|wrong| (format!("not checked: {wrong}\n"), 1), |whole| (whole.verdict() + "\n", 0)))
        }
        [name] if !joins => {
            let (result, shown) = check(open(name)?, &options);
            let missing = options.show.is_some() && shown.is_none();
            let shown = shown.unwrap_or_default();
            match (result, options.shard) {
                (Err(Fault::Unreadable(error)), _) => Err(because(name, error)),
                (Err(fault), None) => Ok((format!("{shown}not checked: {fault}\n"), 1)),
                (Err(fault), Some((i, n))) => Ok((format!("{shown}shard {i}/{n}\nverdict not checked: {fault}\n"), 1)),
                (Ok(_), _) if missing => Err("the record of --show belongs to no node that was checked".into()),
                (Ok(report), None) => Ok((format!("{shown}{}\n", report.verdict()), 0)),
                (Ok(report), Some(_)) => Ok((format!("{shown}{report}"), 0)),
            }
        }
        _ => Err("expected one file, or --join with reports, see --help".into()),
    }
}

fn main() -> ExitCode {
    let (_, code) = match run() {
        // A reader that has closed the pipe has seen enough.
        Ok((text, code)) => (stdout().write_all(text.as_bytes()), code),
        Err(error) => (writeln!(io::stderr(), "noughts-check: {error}"), 2),
    };
    ExitCode::from(code)
}
