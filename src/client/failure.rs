//! The reasons why an engine does not answer, and why it cannot take part.

use std::process::ExitStatus;
use std::time::Duration;

use thiserror::Error;

use crate::protocol::adapters::EngineProtocol;
use crate::system::process::describe_exit;
use crate::text::Excerpt;
use noughts_core::game::Rules;

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
    /// The engine did not do in time what has to come before a request: the sentence about that.
    #[error("{0}")]
    NotReady(&'static str),
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

impl Failure {
    /// The engine did not read what the client writes.
    pub(super) const NOT_READING: Failure = Failure::NotReady("did not read what it was told");
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

/// The reason why an engine cannot take part. Each is a sentence that follows the engine's name, without its full stop.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum StartError {
    /// The program was started, and failed before it had introduced itself as its protocol wants.
    #[error("{}", introduction_failure(.0, *.1))]
    Introduction(Failure, EngineProtocol),
    /// The game needs an option that the engine does not have, or its protocol has no way to choose the game: the reason.
    #[error("cannot play {0}: {1}")]
    Game(Rules, String),
    /// The program cannot be started or told of its game, an option does not fit what it declares, or it answered its
    /// options with an error.
    #[error("{0}")]
    Other(String),
}

fn introduction_failure(failure: &Failure, protocol: EngineProtocol) -> String {
    match failure {
        Failure::Gone { .. } => format!("{failure} before it had {}", protocol.facts().introduction),
        Failure::Late { .. } | Failure::NotReady(_) => protocol.facts().no_introduction.to_owned(),
        failure => failure.to_string(),
    }
}
