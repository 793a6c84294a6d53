//! A command to the session with queries behind it.

use crate::protocol::{Command, Query, QueryAnswer, Reply};

use super::ProtocolOutput;

/// Queries whose answers show that the command before them has been carried out.
#[derive(Default, Debug)]
pub(super) struct PendingQueries {
    missing: usize,
    /// The first error that came before the last answer.
    pub(super) error: Option<String>,
    /// The answers, in the order of the queries.
    pub(super) answers: Vec<QueryAnswer>,
}

impl PendingQueries {
    /// Emits the command and then the queries, of which there is at least one.
    pub(super) fn emit(command: Command, queries: &[Query], output: &mut ProtocolOutput) -> PendingQueries {
        output.command(command);
        PendingQueries::ask(queries, output)
    }

    /// Emits queries alone, of which there is at least one.
    pub(super) fn ask(queries: &[Query], output: &mut ProtocolOutput) -> PendingQueries {
        queries.iter().for_each(|&query| output.command(Command::Query(query)));
        PendingQueries { missing: queries.len(), ..PendingQueries::default() }
    }

    /// Takes a reply of the session. Returns the result if that was the last answer.
    pub(super) fn handle_reply(&mut self, reply: Reply) -> Option<PendingQueries> {
        match reply {
            Reply::Error(text) => {
                self.error.get_or_insert(text);
            }
            Reply::Response(answer) => {
                self.answers.push(answer);
                self.missing = self.missing.saturating_sub(1);
            }
            _ => {}
        }
        (self.missing == 0).then(|| std::mem::take(self))
    }
}
