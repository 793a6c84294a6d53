//! The reason why an engine does not answer.

use std::fmt;
use std::process::ExitStatus;
use std::time::Duration;

use thiserror::Error;

use crate::system::process::describe_exit;
use crate::text::Excerpt;

/// The reason why an engine does not answer. Each is a sentence that follows the engine's name, without its full stop.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The process has ended, or it lives and has closed its output.
    #[error("{}{}", departure(*exit), last_words_of(last_words))]
    Gone {
        /// Its exit status; `None` when it only closed its output.
        exit: Option<ExitStatus>,
        /// The last line on its standard error.
        last_words: Option<Excerpt>,
    },
    /// The engine has sent more than the client keeps, and no answer.
    #[error("said too much without an answer")]
    Flood,
    /// There were more responses than requests, and it is not sure which response belongs to which request.
    #[error("gave more answers than it was asked for")]
    Unasked,
    /// The engine did not do in time what has to come before a request.
    #[error("{0}")]
    NotReady(Preparation),
    /// There was no response in time.
    #[error("{}", lateness(*answered, *stopped))]
    Late {
        /// The time of a response that came within the grace after the end of the time.
        answered: Option<Duration>,
        /// True if `stop` was sent. Not every protocol has a command for that.
        stopped: bool,
    },
    /// The run was interrupted.
    #[error("was interrupted")]
    Interrupted,
    /// Waiting or writing failed.
    #[error("cannot be talked to: {0}")]
    System(String),
}

fn departure(exit: Option<ExitStatus>) -> String {
    exit.map_or_else(|| "closed its output".to_owned(), |exit| format!("ended ({})", describe_exit(exit)))
}

fn last_words_of(last_words: &Option<Excerpt>) -> String {
    last_words.as_ref().map_or_else(String::new, |words| format!(", its last words: {words}"))
}

fn lateness(answered: Option<Duration>, stopped: bool) -> String {
    match (answered, stopped) {
        (Some(after), _) => format!("answered after {} ms", after.as_millis()),
        (None, true) => "did not answer, not even to stop".to_owned(),
        (None, false) => "did not answer in time".to_owned(),
    }
}

/// A step of an engine before it can be asked for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preparation {
    /// Read what the client writes.
    Reading,
    /// Send `readyok`.
    ReadyOk,
    /// Confirm the beginning of a game, in a protocol without `isready`: the sentence if it does not.
    Confirmation(&'static str),
}

/// A sentence about an engine that did not do it.
impl fmt::Display for Preparation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Preparation::Reading => "did not read what it was told",
            Preparation::ReadyOk => "did not say readyok",
            Preparation::Confirmation(missing) => missing,
        })
    }
}
