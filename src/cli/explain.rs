//! `noughts explain`: a position and a move to the lines of a session, what it says to standard output.

use std::sync::mpsc::channel;

use anyhow::Result;

use noughts::game::Rules;
use noughts::protocol::{Command, LineReader, ParseError, PositionCommand, Reply};
use noughts::session::Session;

use crate::cli::ExplainArguments;
use crate::cli::engines::{UsageError, print};

/// Rows of a board that nobody has named.
const DEFAULT_SIZE: u8 = 3;

/// Explains a position or a move.
pub fn explain(arguments: &ExplainArguments) -> Result<()> {
    let position = position(&arguments.position)?;
    let rows = position.diagram.as_ref().map(|diagram| u8::try_from(diagram.rows.len()).unwrap_or(u8::MAX));
    let size = arguments.size.or(rows).unwrap_or(DEFAULT_SIZE);
    let rules = Rules::new(size, arguments.connect, arguments.reverse).map_err(UsageError::new)?;
    let question = format!("explain {}", arguments.cell.as_deref().unwrap_or_default());
    let question: Command = question.parse().map_err(|error: ParseError| usage(&error.to_string()))?;
    let script = format!(
        "setoption size {}\nsetoption connect {}\nsetoption reverse {}\n{}\n{question}\n",
        rules.size(),
        rules.connect(),
        rules.reverse(),
        Command::Position(position)
    );
    let answer = answer(&script);
    // One wrong thing makes others wrong: the first is the one to name.
    let error = answer.lines().find_map(|line| match line.parse() {
        Ok(Reply::Error(error)) => Some(error),
        _ => None,
    });
    match error {
        Some(error) => Err(usage(&error).into()),
        None => print(|out| out.write_all(answer.trim_end_matches('\n').as_bytes()).and_then(|()| writeln!(out))),
    }
}

/// The position of the command line: what may follow `position`, or `position fen`.
fn position(text: &str) -> Result<PositionCommand, UsageError> {
    let first = text.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    let start = if matches!(first.as_str(), "startpos" | "fen") { "" } else { "fen " };
    match format!("position {start}{text}").parse() {
        Ok(Command::Position(position)) => Ok(position),
        Ok(_) => Err(UsageError::new("expected a position")),
        Err(error) => Err(usage(&error.to_string())),
    }
}

/// An error of the protocol without its last clause, which says that nothing has changed.
fn usage(error: &str) -> UsageError {
    UsageError::new(error.rsplit_once("; ").map_or(error, |(error, _)| error))
}

/// What a session of its own says to these lines.
fn answer(script: &str) -> String {
    let (wake, woken) = channel();
    let mut session = Session::new(move || {
        // Nobody to wake any more: the answer is there.
        let _ = wake.send(());
    });
    let (mut reader, mut bytes) = (LineReader::default(), script.as_bytes());
    while !bytes.is_empty() {
        if let Some(line) = reader.take(&mut bytes) {
            session.receive(line);
        }
    }
    session.end_of_input();
    while !session.is_over() {
        session.begin_round();
        session.proceed();
        if session.awaits_answer() && woken.recv().is_err() {
            break;
        }
    }
    let said: Vec<u8> = session.output().drain(..).collect();
    String::from_utf8_lossy(&said).into_owned()
}
