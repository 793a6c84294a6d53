//! Certificates that the tests make, and what the checkers say of them.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use noughts::certificate::{Header, Spool};
use noughts::game::{Bounds, Position};
use noughts::known_values::Certificate;
use noughts::search::certificate::{Claim, ProofError, Prover};
use noughts::search::{Control, Solver};
use noughts_check::{Options, Rejection, check};

use super::common::program::{RunToEnd, command};

/// A certificate of claims about a position.
pub fn certificate(solver: &mut Solver, position: &Position, claims: Vec<Claim>) -> Result<String, ProofError> {
    let file = tempfile::tempfile().expect("a file");
    let mut spool = Spool::new(file, position.rules().shape());
    let control = Control::unlimited();
    let mut prover = Prover::new(solver, &control, &mut spool);
    claims.iter().try_for_each(|&claim| prover.prove(position, claim))?;
    let mut text = Vec::new();
    spool.finish(&Header { position: *position, claims }, &mut text)?;
    Ok(String::from_utf8(text).expect("ASCII"))
}

/// A certificate of what is known about a position.
pub fn certificate_of(solver: &mut Solver, position: &Position, bounds: Bounds) -> String {
    let claims = Prover::claims(position, bounds);
    let made = certificate(solver, position, claims);
    made.unwrap_or_else(|error| panic!("{} {}: {error}", position.rules(), position.diagram()))
}

/// The text of a certificate of the index: its file, or what its command writes.
pub fn text_of(indexed: &Certificate) -> String {
    if let Some(file) = &indexed.file {
        return fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("certificates").join(file)).expect(file);
    }
    let output = command().args(indexed.command.split(' ').skip(1)).run_to_end();
    assert!(output.status.success(), "{}: {}", indexed.command, String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("ASCII")
}

/// The answer of `noughts-check`: the verdict, or the number of the record that is wrong.
pub fn verdict(text: &str) -> Result<String, u64> {
    match check(text.as_bytes(), &Options::default()).0 {
        Ok(report) => Ok(report.verdict()),
        Err(Rejection::Wrong(record, ..)) => Err(record),
        Err(Rejection::Unreadable(error)) => panic!("{error}"),
    }
}

/// The answer of the checker in Python.
pub fn python_verdict(text: &str) -> Result<String, u64> {
    python_verdict_of(text, &[])
}

/// The answer of the checker in Python with options.
pub fn python_verdict_of(text: &str, options: &[&str]) -> Result<String, u64> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/check_certificate.py");
    let mut child = Command::new("python3")
        .arg(script)
        .args(options)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 is installed");
    // A checker that has found an error reads no more.
    let _ = child.stdin.take().expect("a pipe").write_all(text.as_bytes());
    let output = child.run_to_end();
    let said = String::from_utf8(output.stdout).expect("text").trim_end().to_owned();
    match (output.status.code(), said.strip_prefix("not checked: record ")) {
        (Some(0), None) => Ok(said),
        (Some(1), Some(rest)) => Err(rest.split(':').next().and_then(|number| number.parse().ok()).expect("a number")),
        other => panic!("{other:?}: {said}"),
    }
}
