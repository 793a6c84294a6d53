//! Bytes to lines. The bytes need not be text.

use std::fmt;

use crate::text::{BYTE_ORDER_MARK, Excerpt};

use super::{Command, MAX_LINE, ParseError};

/// The comment by which GoGui ends a search. The manual of GoGui has it under `gogui-interrupt`.
const INTERRUPT: &str = "# interrupt";

/// A line of input, as far as it can be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputLine {
    /// Text without the line end and without blanks around it.
    Text(String),
    /// Bytes that are not UTF-8.
    NotText(Excerpt),
    /// Longer than [`MAX_LINE`]. The rest was dropped.
    TooLong(Excerpt),
}

/// An empty line.
impl Default for InputLine {
    fn default() -> InputLine {
        InputLine::Text(String::new())
    }
}

impl InputLine {
    /// A line of these bytes, the line end cut off.
    fn of(bytes: &[u8]) -> InputLine {
        // A comment may be of any length and in any encoding.
        let is_comment = bytes.trim_ascii_start().starts_with(b"#");
        match std::str::from_utf8(bytes) {
            _ if bytes.trim_ascii() == INTERRUPT.as_bytes() => InputLine::Text(INTERRUPT.to_owned()),
            _ if is_comment => InputLine::Text("#".to_owned()),
            _ if bytes.len() > MAX_LINE => InputLine::TooLong(Excerpt::of_bytes(bytes)),
            Ok(text) => InputLine::Text(text.trim_matches(is_around).to_owned()),
            Err(_) => InputLine::NotText(Excerpt::of_bytes(bytes.trim_ascii())),
        }
    }

    /// True if the line is the comment by which GoGui ends a search.
    pub fn is_interrupt(&self) -> bool {
        matches!(self, InputLine::Text(text) if text == INTERRUPT)
    }

    /// True if the line is blank or a comment. Such a line is no command in any protocol.
    pub fn is_silent(&self) -> bool {
        matches!(self, InputLine::Text(text) if text.is_empty() || text.starts_with('#'))
    }

    /// The command of the line; `None` if the line is blank or a comment.
    ///
    /// # Errors
    /// Says why the line is not a command.
    pub fn command(&self) -> Option<Result<Command, ParseError>> {
        match self {
            InputLine::Text(_) if self.is_silent() => None,
            InputLine::Text(text) => Some(text.parse()),
            InputLine::NotText(start) => Some(Err(ParseError::NotText(start.clone()))),
            InputLine::TooLong(start) => Some(Err(ParseError::TooLong(start.clone()))),
        }
    }

    /// The line in quotes, shortened.
    pub fn excerpt(&self) -> Excerpt {
        match self {
            InputLine::Text(text) => Excerpt::of(text),
            InputLine::NotText(start) | InputLine::TooLong(start) => start.clone(),
        }
    }

    /// Roughly the bytes that it takes to keep the line.
    pub fn bytes(&self) -> usize {
        match self {
            InputLine::Text(text) => text.len(),
            InputLine::NotText(start) | InputLine::TooLong(start) => start.bytes(),
        }
    }
}

/// The text of the line, or an excerpt if it is not text or too long.
impl fmt::Display for InputLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputLine::Text(text) => f.write_str(text),
            InputLine::NotText(start) | InputLine::TooLong(start) => write!(f, "{start}"),
        }
    }
}

/// A blank that means nothing around a line. A carriage return counts too, where it is no line end.
fn is_around(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\r')
}

/// Cuts a stream of bytes into lines, in bounded memory.
#[derive(Default, Debug)]
pub struct LineReader {
    /// The beginning of the next line, up to one byte more than a mark, the longest line and a line end.
    partial: Vec<u8>,
    /// True if a line has ended before. A byte-order mark can stand only before the first line.
    past_first: bool,
}

impl LineReader {
    /// Takes bytes up to and including the next line end, and returns the line when it has ended. The caller hands in
    /// again what is left. Of bytes that are not empty, at least one is taken.
    pub fn take(&mut self, bytes: &mut &[u8]) -> Option<InputLine> {
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let taken = &bytes[..end.unwrap_or(bytes.len())];
        let room = MAX_LINE + BYTE_ORDER_MARK.len() + 2 - self.partial.len();
        self.partial.extend_from_slice(&taken[..taken.len().min(room)]);
        *bytes = &bytes[end.map_or(bytes.len(), |end| end + 1)..];
        end.map(|_| self.finish())
    }

    /// The last line, when the input ended without a line end behind it.
    pub fn last(&mut self) -> Option<InputLine> {
        (!self.partial.is_empty()).then(|| self.finish())
    }

    fn finish(&mut self) -> InputLine {
        let mut bytes = std::mem::take(&mut self.partial);
        let mark = if self.past_first { &[][..] } else { BYTE_ORDER_MARK };
        self.past_first = true;
        let unmarked = bytes.strip_prefix(mark).unwrap_or(&bytes);
        let line = InputLine::of(unmarked.strip_suffix(b"\r").unwrap_or(unmarked));
        // A short line leaves its memory to the next one.
        if bytes.capacity() <= 1024 {
            bytes.clear();
            self.partial = bytes;
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8], chunk: usize) -> Vec<InputLine> {
        let mut reader = LineReader::default();
        let mut lines = Vec::new();
        for mut bytes in input.chunks(chunk) {
            while !bytes.is_empty() {
                lines.extend(reader.take(&mut bytes));
            }
        }
        lines.extend(reader.last());
        lines
    }

    fn text(text: &str) -> InputLine {
        InputLine::Text(text.to_owned())
    }

    #[test]
    fn lines_are_the_same_however_the_bytes_arrive() {
        let input = b"\xef\xbb\xbf  uci\t\r\n\r\n go \xff\n# \xff\nquit";
        let expected =
            [text("uci"), text(""), InputLine::NotText(Excerpt::of_bytes(b"go \xff")), text("#"), text("quit")];
        for chunk in 1..=input.len() {
            assert_eq!(lines(input, chunk), expected, "{chunk}");
        }
    }

    #[test]
    fn a_comment_of_any_length_is_a_comment() {
        let input = format!("  # {}\nquit", "z".repeat(10 * MAX_LINE));
        assert_eq!(lines(input.as_bytes(), 1000), [text("#"), text("quit")]);
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_and_the_next_one_is_whole() {
        let mut input = vec![b'z'; 10 * MAX_LINE];
        input.extend_from_slice(b"\nisready\n");
        let start = Excerpt::of(&"z".repeat(100));
        assert_eq!(lines(&input, 1000), [InputLine::TooLong(start), text("isready")]);
        for (before, behind) in [("", ""), ("", "\n"), ("", "\r\n"), ("\u{feff}", "\r\n")] {
            for (length, fits) in [(MAX_LINE, true), (MAX_LINE + 1, false), (MAX_LINE + 5, false)] {
                let line = lines(format!("{before}{}{behind}", "z".repeat(length)).as_bytes(), 4096).remove(0);
                assert_eq!(line == text(&"z".repeat(length)), fits, "{before:?} {behind:?} {length}");
            }
        }
    }
}
