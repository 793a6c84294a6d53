//! The events that a wait for standard input and output watches and sees, and the outcomes of reads and writes.

use std::io;

use thiserror::Error;

/// The bytes that a pipe with room takes without blocking.
pub(super) const WRITE_BYTES: usize = 4096;

/// The reason why the streams cannot be used any more.
#[derive(Debug, Error)]
pub enum StreamError {
    /// There is no pipe for the wake-up call.
    #[error("cannot make a pipe: {0}")]
    Wake(io::Error),
    /// Waiting failed.
    #[error("cannot wait for input: {0}")]
    Poll(io::Error),
    /// The output cannot be written though its reader is there: a full disk, for one.
    #[error("cannot write the output: {0}")]
    Write(io::Error),
}

/// The events that a wait is to watch. The output is always watched for a reader that goes.
#[derive(Clone, Copy, Debug)]
pub struct Interest {
    /// True if there is something to read.
    pub read: bool,
    /// True if the writer of the input goes, even if nothing is to be read.
    pub input_end: bool,
    /// True if there is room for output.
    pub write: bool,
}

/// The events that a wait has seen.
#[derive(Clone, Copy, Debug)]
pub struct Readiness {
    /// There may be something to read, or the end of the input.
    pub readable: bool,
    /// The input's writer has gone, but there may be something left to read.
    pub input_gone: bool,
    /// The output's reader has gone.
    pub output_gone: bool,
}

/// The result of a read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadOutcome {
    /// The number of bytes, at least one.
    Bytes(usize),
    /// Nothing this time.
    Nothing,
    /// The input has ended, or cannot be read any more.
    Ended,
}

/// The result of a write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WriteOutcome {
    /// The number of bytes that were taken.
    Bytes(usize),
    /// There is no room now.
    Full,
    /// The output's reader has gone.
    ReaderGone,
}

/// As much of the output as can be written at once, up to the end of a line where that is possible: a reader of half of the
/// output has whole lines.
pub(super) fn whole_lines(output: &[u8]) -> &[u8] {
    let most = &output[..output.len().min(WRITE_BYTES)];
    let end = most.iter().rposition(|&byte| byte == b'\n').map_or(most.len(), |newline| newline + 1);
    &most[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_lines_are_written_wherever_they_fit() {
        let long = "z".repeat(WRITE_BYTES + 1) + "\n";
        assert_eq!(whole_lines(b"readyok\nreadyok\n"), b"readyok\nreadyok\n");
        assert_eq!(whole_lines(("readyok\n".to_owned() + &long).as_bytes()), b"readyok\n");
        // A line that fits nowhere goes in pieces, and none of it is left out.
        let mut rest = long.as_bytes();
        let mut written = Vec::new();
        while !rest.is_empty() {
            let piece = whole_lines(rest);
            assert!((1..=WRITE_BYTES).contains(&piece.len()));
            written.extend_from_slice(piece);
            rest = &rest[piece.len()..];
        }
        assert_eq!(written, long.as_bytes());
    }
}
