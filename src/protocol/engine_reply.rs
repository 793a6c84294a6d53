//! The meaning of a line of an engine for its client.

use std::fmt;

use noughts_core::game::MoveText;

use super::{InputLine, Reply};

/// A line of an engine, read once.
#[derive(Clone, PartialEq, Debug)]
pub enum EngineReply {
    /// `bestmove`: the answer to `go`.
    BestMove {
        /// The move; `None` if there is none, or none that can be read. A wrong answer is an answer all the same.
        best_move: Option<MoveText>,
        /// The line as the engine wrote it, for people.
        line: InputLine,
    },
    /// Any other reply.
    Reply(Reply),
}

impl EngineReply {
    /// Reads a line of an engine that speaks our protocol or UCI. `None` if it means nothing to the client: it is not
    /// text, or it is an `info` and `wants_info` is false. Errors and notes are read in any case.
    pub fn read(line: InputLine, wants_info: bool) -> Option<EngineReply> {
        let text = match &line {
            InputLine::Text(text) => text,
            InputLine::NotText(start) | InputLine::TooLong(start) => {
                let is_answer = start.begins_with("bestmove ");
                return is_answer.then_some(EngineReply::BestMove { best_move: None, line });
            }
        };
        let (word, rest) = text.split_once([' ', '\t']).unwrap_or((text, ""));
        let Ok(reply) = match word {
            "info" if !wants_info && !rest.trim_start().starts_with("string") => return None,
            // Some engines write more behind it.
            "readyok" => Ok(Reply::ReadyOk),
            _ => text.parse(),
        };
        Some(match (word, reply) {
            (_, Reply::BestMove(best_move)) => EngineReply::BestMove { best_move, line },
            ("bestmove", _) => EngineReply::BestMove { best_move: None, line },
            (_, reply) => EngineReply::Reply(reply),
        })
    }

    /// The text of an error.
    pub fn error(&self) -> Option<&str> {
        match self {
            EngineReply::Reply(Reply::Error(text)) => Some(text),
            _ => None,
        }
    }
}

/// A reply that an adapter makes of what an engine wrote.
impl From<Reply> for EngineReply {
    fn from(reply: Reply) -> EngineReply {
        match reply {
            Reply::BestMove(best_move) => EngineReply::BestMove { best_move, line: InputLine::Text(reply.to_string()) },
            reply => EngineReply::Reply(reply),
        }
    }
}

/// The line in our protocol.
impl fmt::Display for EngineReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineReply::BestMove { line, .. } => write!(f, "{line}"),
            EngineReply::Reply(reply) => write!(f, "{reply}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::LineReader;

    fn read(text: &str, wants_info: bool) -> Option<EngineReply> {
        EngineReply::read(InputLine::Text(text.to_owned()), wants_info)
    }

    #[test]
    fn info_is_left_out_on_demand_but_for_errors_and_notes() {
        for text in ["info depth 3 value 0.5 pv 1,1", "info\tdepth 3", "info nodes 12"] {
            assert!(matches!(read(text, true), Some(EngineReply::Reply(Reply::Info(_)))), "{text}");
            assert_eq!(read(text, false), None, "{text}");
        }
        for text in ["info string error: go: no", "info  string error: go: no", "info string a note"] {
            let found = read(text, false);
            assert!(found.is_some(), "{text}");
            assert_eq!(found, read(text, true), "{text}");
        }
        let error = read("info string error: go: no", false).expect("an error");
        assert_eq!(error.error(), Some("go: no"));
    }

    #[test]
    fn other_lines_mean_the_same_with_and_without_info() {
        for text in
            ["bestmove 1,1", "bestmove", "bestmove what", "readyok and more", "ugiok", "id name A", "", "nonsense"]
        {
            assert_eq!(read(text, false), read(text, true), "{text}");
        }
        let answer = |text: &str| match read(text, false) {
            Some(EngineReply::BestMove { best_move, line }) => Some((best_move.is_some(), line.to_string())),
            _ => None,
        };
        assert_eq!(answer("bestmove 1,1"), Some((true, "bestmove 1,1".to_owned())));
        assert_eq!(answer("bestmove what"), Some((false, "bestmove what".to_owned())));
        assert_eq!(read("readyok and more", false), Some(EngineReply::Reply(Reply::ReadyOk)));
        // A line that is no text is no answer, unless it begins as one.
        let mut reader = LineReader::default();
        let mut bytes = &b"bestmove \xff\ninfo \xff\n"[..];
        let mut is_answer = || EngineReply::read(reader.take(&mut bytes).expect("a line"), false).is_some();
        assert_eq!([is_answer(), is_answer()], [true, false]);
    }
}
