//! The records of the file, one a line, and what can be wrong with them.

use std::fmt::{self, Display};
use std::io::{self, BufRead, BufReader, Read};

/// Why a certificate is not checked.
#[derive(Debug)]
pub enum Fault {
    /// The file cannot be read.
    Unreadable(io::Error),
    /// A record is wrong: the number of its line, what the page asks for, and what stands there.
    Wrong(u64, String, String),
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(f, "{error}"),
            Self::Wrong(record, expected, found) => write!(f, "record {record}: expected {expected}, found {found}"),
        }
    }
}

/// A number of the file within limits. Numbers have at most 18 digits.
pub fn number<N: TryFrom<u64> + PartialOrd>(word: &str, from: N, to: N) -> Option<N> {
    let plain = word.bytes().all(|byte| byte.is_ascii_digit()) && (word == "0" || !word.starts_with('0'));
    let value = word.parse::<u64>().ok().filter(|_| plain && word.len() <= 18)?;
    N::try_from(value).ok().filter(|value| (from..=to).contains(value))
}

/// A line without its line feed, and its number.
pub struct Record {
    pub number: u64,
    pub text: String,
}

impl Record {
    pub fn words(&self) -> Vec<&str> {
        self.text.split(' ').collect()
    }
    /// The value of what has to be there. Otherwise the word at fault is quoted: printable, and at most 40 characters.
    pub fn need<T>(&self, value: Option<T>, expected: &str, word: &str) -> Result<T, Fault> {
        let quote = || format!("\"{:.40}{}\"", word, if word.len() > 40 { "..." } else { "" });
        value.ok_or_else(|| Fault::Wrong(self.number, expected.into(), quote().replace(|c: char| c.is_control(), "?")))
    }
    /// A condition that has to hold.
    pub fn demand(&self, holds: bool, expected: &str) -> Result<(), Fault> {
        self.need(holds.then_some(()), expected, &self.text)
    }
}

/// Reads records, counts their lines and bytes, and takes the checksum.
pub struct Reader<R> {
    pub input: BufReader<R>,
    pub lines: u64,
    pub bytes: u64,
    pub checksum: u64,
}

impl<R: Read> Reader<R> {
    /// The next record, which has to be there.
    pub fn record(&mut self) -> Result<Record, Fault> {
        let mut line = Vec::with_capacity(64);
        let bytes = (&mut self.input).take(65_536).read_until(b'\n', &mut line).map_err(Fault::Unreadable)?;
        (self.lines, self.bytes) = (self.lines + 1, self.bytes + bytes as u64);
        self.checksum = line.iter().fold(self.checksum, |sum, &b| (sum ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
        let wrong = |expected: &str, found: &str| Err(Fault::Wrong(self.lines, expected.into(), found.into()));
        match (line.pop(), String::from_utf8(line)) {
            (Some(b'\n'), Ok(text)) if text.is_ascii() => Ok(Record { number: self.lines, text }),
            (Some(b'\n'), _) => wrong("ASCII text", "another byte"),
            _ if bytes == 65_536 => wrong("a line of at most 65536 bytes", "more"),
            _ => wrong("a record and a line feed", "the end of the file"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_published_one_and_lines_do_not_matter() {
        let read = |text: &'static [u8]| {
            let input = BufReader::new(text);
            let mut reader = Reader { input, lines: 0, bytes: 0, checksum: 0xcbf2_9ce4_8422_2325 };
            while reader.record().is_ok() {}
            (reader.bytes, reader.checksum)
        };
        // FNV-1a of 64 bits, with the values of its authors.
        assert_eq!(read(b""), (0, 0xcbf2_9ce4_8422_2325));
        assert_eq!(read(b"a"), (1, 0xaf63_dc4c_8601_ec8c));
        assert_eq!(read(b"foobar"), (6, 0x8594_4171_f739_67e8));
        let whole = b"foo\nbar\n"
            .iter()
            .fold(0xcbf2_9ce4_8422_2325, |sum: u64, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        assert_eq!(read(b"foo\nbar\n"), (8, whole));
    }
}
