//! Text from outside, made fit to be shown in one line of an error message.

use std::fmt;

/// The UTF-8 byte-order mark. Some editors write it in front of a text, of which it is no part.
pub const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The beginning of a text from outside in quotes, shortened and escaped. Printable ASCII stays, anything else becomes an
/// escape: no input can forge a line, hide text or send a terminal control sequences.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt(String);

/// True if text can be printed within a line as it is: it has no control characters, no line ends, and no marks that change
/// the direction of the text after them.
pub fn is_line(text: &str) -> bool {
    !text.contains(is_unprintable)
}

/// Text with an escape for each character that [`is_line`] objects to.
pub fn on_one_line(text: &str) -> String {
    let shown = |character| if is_unprintable(character) { escaped(character) } else { String::from(character) };
    text.chars().map(shown).collect()
}

/// Control characters, the line ends of Unicode, and the marks that change the direction of text.
fn is_unprintable(character: char) -> bool {
    let turns = |character| matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}');
    let isolates = |character| matches!(character, '\u{2066}'..='\u{2069}');
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}') || turns(character) || isolates(character)
}

impl Excerpt {
    /// Characters kept of a longer text.
    const LENGTH: usize = 40;

    /// Characters kept of the end of a longer text.
    const END_LENGTH: usize = 200;

    /// The end of bytes as an excerpt, from the beginning of a word on: what matters of an error message is often there.
    pub fn of_end(bytes: &[u8]) -> Excerpt {
        // A character has at most four bytes. One of which only the end is there is among those that are cut.
        let from = bytes.len().saturating_sub(4 * Excerpt::END_LENGTH + 8);
        let mut pieces = pieces(&bytes[from..], usize::MAX);
        if pieces.len() > Excerpt::END_LENGTH {
            pieces.drain(..pieces.len() - Excerpt::END_LENGTH);
            // A single word of that length is cut.
            let word = pieces.iter().position(|piece| piece == " ").filter(|&blank| blank < pieces.len() - 1);
            pieces.drain(..word.unwrap_or(0));
            pieces.insert(0, "...".to_owned());
        }
        Excerpt(pieces.concat())
    }

    /// An excerpt of text.
    pub fn of(text: &str) -> Excerpt {
        Excerpt::of_bytes(text.as_bytes())
    }

    /// An excerpt of bytes; those that are not UTF-8 are shown as `\xNN`.
    pub fn of_bytes(bytes: &[u8]) -> Excerpt {
        let mut pieces = pieces(bytes, Excerpt::LENGTH);
        if pieces.len() > Excerpt::LENGTH {
            pieces.truncate(Excerpt::LENGTH);
            pieces.push("...".to_owned());
        }
        Excerpt(pieces.concat())
    }
}

/// The characters of bytes, escaped, and the bytes that are not UTF-8 as `\xNN`: all, or some more than `most`.
fn pieces(bytes: &[u8], most: usize) -> Vec<String> {
    // More bytes than this cannot be shown: a character has at most four.
    let bytes = &bytes[..bytes.len().min(most.saturating_mul(4).saturating_add(4))];
    let chunks = bytes.utf8_chunks();
    let pieces = chunks.flat_map(|chunk| {
        let invalid = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}"));
        chunk.valid().chars().map(escaped).chain(invalid)
    });
    pieces.take(most.saturating_add(1)).collect()
}

fn escaped(character: char) -> String {
    match character {
        '"' | '\\' => format!("\\{character}"),
        ' '..='~' => character.to_string(),
        '\t' => "\\t".to_owned(),
        '\r' => "\\r".to_owned(),
        control if control.is_ascii() => format!("\\x{:02x}", u32::from(control)),
        other => format!("\\u{{{:x}}}", u32::from(other)),
    }
}

impl Excerpt {
    /// The length of the excerpt in bytes.
    pub fn bytes(&self) -> usize {
        self.0.len()
    }

    /// True if this is the text, in any case.
    pub fn is(&self, text: &str) -> bool {
        self.0.eq_ignore_ascii_case(text)
    }

    /// True if the text begins like this.
    pub fn begins_with(&self, start: &str) -> bool {
        self.0.starts_with(start)
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_nothing_that_moves_the_cursor_or_turns_the_text() {
        for text in ["", "a b", "Bär \u{2717}", "\"|,\\"] {
            assert!(is_line(text) && on_one_line(text) == text, "{text}");
        }
        for text in ["\n", "a\rb", "\t", "\u{1b}[2J", "\u{7f}", "\u{9b}2J", "\u{2028}", "\u{202e}x", "\u{2067}"] {
            let shown = on_one_line(text);
            assert!(!is_line(text) && is_line(&shown) && shown.starts_with(['\\', 'a']), "{shown}");
        }
    }

    #[test]
    fn an_excerpt_is_short_and_printable_whatever_it_is_made_of() {
        assert_eq!(Excerpt::of("xyzzy").to_string(), r#""xyzzy""#);
        assert_eq!(Excerpt::of("a\tb\"c\\").to_string(), r#""a\tb\"c\\""#);
        assert_eq!(Excerpt::of("é\u{202e}\0\u{1b}[2J").to_string(), r#""\u{e9}\u{202e}\x00\x1b[2J""#);
        assert_eq!(Excerpt::of_bytes(b"go\xff\xfe!").to_string(), r#""go\xff\xfe!""#);
        let long = Excerpt::of(&"z".repeat(1_000_000)).to_string();
        assert_eq!(long, format!("\"{}...\"", "z".repeat(40)));
    }

    #[test]
    fn the_end_of_a_text_begins_with_a_whole_word() {
        let error = "python3: can't open file 'no such.py': [Errno 2] No such file or directory";
        assert_eq!(Excerpt::of_end(error.as_bytes()).to_string(), format!("\"{error}\""));
        let long = "word ".repeat(100_000) + error;
        let shown = Excerpt::of_end(long.as_bytes()).to_string();
        assert!(
            shown.starts_with("\"... word ") && shown.ends_with(&format!("{error}\"")) && shown.len() < 220,
            "{shown}"
        );
        assert_eq!(Excerpt::of_end(&[b'z'; 5000]).to_string(), format!("\"...{}\"", "z".repeat(200)));
        assert_eq!(Excerpt::of_end(b"a\x1b\xff").to_string(), r#""a\x1b\xff""#);
        for end in [" ".repeat(300), "z ".repeat(300), String::new()] {
            assert!(Excerpt::of_end(end.as_bytes()).to_string().len() <= 205, "{end}");
        }
    }
}
