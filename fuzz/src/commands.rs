//! Commands and replies: what is printed is read back as the same.

use noughts::game::{MoveText, Rules};
use noughts::protocol::{Command, EngineReply, InputLine, LineReader, Reply, fen};
use noughts::text::{Excerpt, is_line, on_one_line};

/// The first byte says what the rest is.
pub fn law(data: &[u8]) {
    let Some((kind, bytes)) = data.split_first() else { return };
    if kind % 4 == 3 {
        return lines(bytes);
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return excerpts(bytes) };
    match kind % 4 {
        0 => command(text),
        1 => reply(text),
        _ => words(text),
    }
}

/// A text is a command that reads back what it prints, or an error of one line.
fn command(text: &str) {
    match text.parse::<Command>() {
        Ok(command) => {
            let printed = command.to_string();
            assert_eq!(printed.parse(), Ok(command), "{printed:?}");
        }
        Err(error) => {
            let error = error.to_string();
            assert!(error.chars().all(|letter| letter == ' ' || letter.is_ascii_graphic()), "{error:?}");
            assert!(error.len() < 1000, "{error}");
        }
    }
}

/// A line is a reply. Numbers are printed with at most four decimals, so the second reading is the last.
fn reply(text: &str) {
    let Ok(reply) = text.parse::<Reply>();
    let printed = reply.to_string();
    let Ok(again) = printed.parse::<Reply>();
    assert_eq!(again.to_string(), printed);
    if !matches!(reply, Reply::Info(_)) {
        assert_eq!(again, reply);
    }
    // The client reads the same reply, or an answer that it cannot read.
    let line = InputLine::Text(text.to_owned());
    match EngineReply::read(line.clone(), true) {
        Some(EngineReply::Reply(read)) => assert!(read == reply || text.starts_with("readyok"), "{read:?} {reply:?}"),
        Some(EngineReply::BestMove { best_move, line: kept }) => {
            assert_eq!(kept, line);
            assert!(best_move.is_none() || reply == Reply::BestMove(best_move));
        }
        None => panic!("a line of text means nothing: {text:?}"),
    }
}

/// Moves, rules and boards of other programs.
fn words(text: &str) {
    if let Ok(written) = text.parse::<MoveText>() {
        assert_eq!(written.to_string().parse(), Ok(written));
        for size in 1..=20 {
            if let Ok(cell) = written.on_board(size) {
                assert_eq!(MoveText::from(cell).on_board(size), Ok(cell));
            }
        }
    }
    if let Ok(rules) = text.parse::<Rules>() {
        assert_eq!(rules.to_string().parse(), Ok(rules));
    }
    if let Some(diagram) = fen(text) {
        // A FEN has a letter for each empty cell.
        let cells: u64 = diagram.rows.iter().map(|row| u64::from(row.width)).sum();
        if diagram.side.is_some() && cells <= 10_000 {
            assert_eq!(fen(&diagram.fen()).as_ref(), Some(&diagram), "{}", diagram.fen());
        }
        // Either form, as the protocol reads it.
        let printed = format!("position fen {diagram}");
        let Ok(Command::Position(read)) = printed.parse() else { panic!("{printed} is no position") };
        assert_eq!(read.diagram, Some(diagram));
    }
    excerpts(text.as_bytes());
    assert!(is_line(&on_one_line(text)));
    assert!(!is_line(text) || on_one_line(text) == text);
}

/// An excerpt is short and printable.
fn excerpts(bytes: &[u8]) {
    let excerpt = Excerpt::of_bytes(bytes).to_string();
    assert!(excerpt.bytes().all(|byte| (b' '..=b'~').contains(&byte)) && excerpt.len() < 500, "{excerpt}");
}

/// Lines are the same however the bytes arrive.
fn lines(bytes: &[u8]) {
    let cut = |chunk: usize| {
        let (mut reader, mut lines) = (LineReader::default(), Vec::new());
        for mut bytes in bytes.chunks(chunk) {
            while !bytes.is_empty() {
                lines.extend(reader.take(&mut bytes));
            }
        }
        lines.extend(reader.last());
        lines
    };
    let whole = cut(bytes.len().max(1));
    assert_eq!(cut(1 + bytes.len() / 3), whole);
    assert_eq!(cut(1), whole);
    for line in whole {
        assert_eq!(line.command().is_none(), line.is_silent());
    }
}
