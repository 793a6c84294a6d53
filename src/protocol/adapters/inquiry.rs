//! Questions to the session that are answered in one go.

use crate::protocol::{Command, Query, Reply};

use super::Speech;

/// Commands with questions behind them, whose answers tell that all have been carried out.
#[derive(Default, Debug)]
pub(super) struct Inquiry {
    missing: usize,
    /// The first error that came before the last answer.
    pub(super) error: Option<String>,
    /// The answers, in the order of the questions.
    pub(super) answers: Vec<String>,
}

impl Inquiry {
    /// Says the commands and asks the questions, of which there is one at least.
    pub(super) fn begin(
        commands: impl IntoIterator<Item = Command>,
        questions: &[Query],
        speech: &mut Speech,
    ) -> Inquiry {
        commands.into_iter().for_each(|command| speech.command(command));
        questions.iter().for_each(|&question| speech.command(Command::Query(question)));
        Inquiry { missing: questions.len(), ..Inquiry::default() }
    }

    /// Takes a reply; the result, when it was the last.
    pub(super) fn hear(&mut self, reply: Reply) -> Option<Inquiry> {
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
