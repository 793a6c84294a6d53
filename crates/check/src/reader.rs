//! The records of the file, one a line, and what can be wrong with them.

use std::fmt::{self, Display};
use std::io::{self, BufRead, BufReader, Read};
use std::mem::take;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{Builder, JoinHandle};

use crate::sha256::Sha256;

/// The reason why a certificate is not checked.
#[derive(Debug)]
pub enum Rejection {
    /// The file cannot be read.
    Unreadable(io::Error),
    /// A record is wrong: the number of its line, what the page asks for, and what stands there.
    Wrong(u64, String, String),
}

impl Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(f, "{error}"),
            Self::Wrong(0, expected, found) => write!(f, "expected {expected}, found {found}"), // it stands in no file
            Self::Wrong(record, expected, found) => write!(f, "record {record}: expected {expected}, found {found}"),
        }
    }
}

/// A number of the file within limits. Numbers have at most 18 digits.
pub fn number<N: TryFrom<u64> + PartialOrd>(word: &str, from: N, to: N) -> Option<N> {
    if !(1..=18).contains(&word.len()) || (word.len() > 1 && word.starts_with('0')) {
        return None;
    }
    let digit = |byte: u8| byte.is_ascii_digit().then(|| u64::from(byte - b'0'));
    let value = word.bytes().try_fold(0, |value, byte| Some(10 * value + digit(byte)?))?;
    N::try_from(value).ok().filter(|value| (from..=to).contains(value))
}

/// A line without its line feed, and its number.
#[derive(Clone)]
pub struct Record {
    pub number: u64,
    pub text: String,
}

impl Record {
    pub fn words(&self) -> Vec<&str> {
        let mut words = Vec::with_capacity(self.text.len() / 4 + 1); // most words are cells
        words.extend(self.text.split(' '));
        words
    }
    /// The value of what has to be there. Otherwise the word at fault is quoted: printable, and at most 40 characters.
    pub fn need<T>(&self, value: Option<T>, expected: &str, word: &str) -> Result<T, Rejection> {
        value.ok_or_else(|| {
            let quote = format!("\"{word:.40}{}\"", if word.len() > 40 { "..." } else { "" });
            Rejection::Wrong(self.number, expected.into(), quote.replace(char::is_control, "?"))
        })
    }
    /// The value of the words behind the first ones, if they say what is expected.
    pub fn value<T>(&self, first: &str, expected: &str, read: impl Fn(&str) -> Option<T>) -> Result<T, Rejection> {
        self.need(self.text.strip_prefix(first).and_then(read), expected, &self.text)
    }
    /// A condition that has to hold.
    pub fn demand(&self, holds: bool, expected: &str) -> Result<(), Rejection> {
        self.need(holds.then_some(()), expected, &self.text)
    }
}

/// The checksum of what is read. From the second block on, a thread of its own takes it: it is an eighth of the work.
#[derive(Default)]
struct Checksum {
    block: Vec<u8>, // not handed over yet
    thread: Option<(SyncSender<Vec<u8>>, JoinHandle<String>)>,
}

impl Checksum {
    const BLOCK: usize = 1 << 16;

    fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.block.extend(bytes);
        if self.block.len() >= Self::BLOCK {
            let (blocks, _) = match &mut self.thread {
                Some(thread) => thread,
                none => none.insert(start()?),
            };
            let _ = blocks.send(take(&mut self.block)); // if the thread has ended, `finish` says it
        }
        Ok(())
    }
    fn finish(self) -> io::Result<String> {
        let Some((blocks, thread)) = self.thread else { return Ok(checksum([self.block])) };
        let _ = blocks.send(self.block);
        drop(blocks);
        thread.join().map_err(|_| io::Error::other("the checksum stopped"))
    }
}

/// Starts the thread that takes the checksum of the blocks that are sent to it.
fn start() -> io::Result<(SyncSender<Vec<u8>>, JoinHandle<String>)> {
    let (blocks, received) = sync_channel(4);
    Ok((blocks, Builder::new().spawn(|| checksum(received))?))
}

fn checksum(blocks: impl IntoIterator<Item = Vec<u8>>) -> String {
    let mut sum = Sha256::new();
    blocks.into_iter().for_each(|block| sum.add(&block));
    sum.finish()
}

/// Reads records, counts their lines and bytes, and takes the checksum.
pub struct Reader<'a> {
    input: BufReader<&'a mut (dyn Read + 'a)>,
    lines: u64,
    checksum: Checksum,
}

impl<'a> Reader<'a> {
    pub fn new(input: &'a mut (dyn Read + 'a)) -> Self {
        Self { input: BufReader::with_capacity(1 << 16, input), lines: 0, checksum: Checksum::default() }
    }
    /// The next record, which has to be there.
    pub fn record(&mut self) -> Result<Record, Rejection> {
        let mut line = Vec::with_capacity(256);
        let bytes = (&mut self.input).take(65_536).read_until(b'\n', &mut line).map_err(Rejection::Unreadable)?;
        self.lines += 1;
        self.checksum.add(&line).map_err(Rejection::Unreadable)?;
        let wrong = |expected: &str, found: &str| Err(Rejection::Wrong(self.lines, expected.into(), found.into()));
        match (line.pop(), String::from_utf8(line)) {
            (Some(b'\n'), Ok(text)) if text.is_ascii() => Ok(Record { number: self.lines, text }),
            (Some(b'\n'), _) => wrong("ASCII text", "another byte"),
            _ if bytes == 65_536 => wrong("a line of at most 65536 bytes", "more"),
            _ => wrong("a record and a line feed", "the end of the file"),
        }
    }
    /// The number of bytes and their checksum, if this is the end of the file.
    pub fn end(mut self) -> Result<String, Rejection> {
        let is_end = self.input.fill_buf().map_err(Rejection::Unreadable)?.is_empty();
        let more = Rejection::Wrong(self.lines + 1, "the end of the file".into(), "more".into());
        if is_end { self.checksum.finish().map_err(Rejection::Unreadable) } else { Err(more) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_on_a_thread_have_the_checksum_of_the_whole() {
        const BLOCK: usize = Checksum::BLOCK;
        for length in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 9 * BLOCK + 77] {
            let bytes: Vec<u8> = (0..length).map(|place| (place * place / 7) as u8).collect();
            let mut plain = Sha256::new();
            plain.add(&bytes);
            let expected = plain.finish();
            for step in [100, 1000, 65_536] {
                let mut sum = Checksum::default();
                bytes.chunks(step).for_each(|line| sum.add(line).expect("a thread"));
                assert_eq!(sum.finish().expect("a checksum"), expected, "{length} bytes, {step} at a time");
            }
        }
    }
}
