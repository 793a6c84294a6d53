//! Text from outside, made fit to be shown in one line of an error message.

use std::fmt;

/// A piece of somebody's text in quotes, shortened and escaped: printable ASCII stays, anything else becomes
/// an escape, so that no input can forge a line, hide text or upset a terminal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt(String);

impl Excerpt {
    /// Characters kept of a longer text.
    const LENGTH: usize = 40;

    /// An excerpt of text.
    pub fn of(text: &str) -> Excerpt {
        Excerpt::of_bytes(text.as_bytes())
    }

    /// An excerpt of bytes that may not be text; those that are not show as `\xNN`.
    pub fn of_bytes(bytes: &[u8]) -> Excerpt {
        // More bytes than this cannot be shown; a character has four at most.
        let mut rest = &bytes[..bytes.len().min(4 * Excerpt::LENGTH + 4)];
        let mut pieces = Vec::new();
        while !rest.is_empty() && pieces.len() <= Excerpt::LENGTH {
            let valid = match std::str::from_utf8(rest) {
                Ok(text) => text,
                Err(error) => std::str::from_utf8(&rest[..error.valid_up_to()]).unwrap_or_default(),
            };
            match valid.chars().next() {
                Some(character) => {
                    pieces.push(escaped(character));
                    rest = &rest[character.len_utf8()..];
                }
                None => {
                    pieces.push(format!("\\x{:02x}", rest[0]));
                    rest = &rest[1..];
                }
            }
        }
        if pieces.len() > Excerpt::LENGTH {
            pieces.truncate(Excerpt::LENGTH);
            pieces.push("...".to_owned());
        }
        Excerpt(pieces.concat())
    }
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

    /// Whether the text begins like this.
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
    fn an_excerpt_is_short_and_printable_whatever_it_is_made_of() {
        assert_eq!(Excerpt::of("xyzzy").to_string(), r#""xyzzy""#);
        assert_eq!(Excerpt::of("a\tb\"c\\").to_string(), r#""a\tb\"c\\""#);
        assert_eq!(Excerpt::of("é\u{202e}\0\u{1b}[2J").to_string(), r#""\u{e9}\u{202e}\x00\x1b[2J""#);
        assert_eq!(Excerpt::of_bytes(b"go\xff\xfe!").to_string(), r#""go\xff\xfe!""#);
        let long = Excerpt::of(&"z".repeat(1_000_000)).to_string();
        assert_eq!(long, format!("\"{}...\"", "z".repeat(40)));
    }
}
