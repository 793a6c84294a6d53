//! The moves of the game looked at again: taken back, played again, and explained.

use std::thread;

use crate::protocol::Command;

use super::desk::{Desk, Objection, option};
use super::refusal::Refusal;
use super::table::Table;

impl Table {
    /// Takes back the last move, and those before it until it is a person's turn. A player whose turn it is then waits.
    ///
    /// # Errors
    /// When there is none.
    pub fn undo(&mut self) -> Result<(), Refusal> {
        let last = self.moves.pop().ok_or(Refusal::NothingToUndo)?;
        self.undone.push(last);
        while self.someone_plays() && !self.side_after(self.moves.len()).is_person() {
            let Some(last) = self.moves.pop() else { break };
            self.undone.push(last);
        }
        self.turn_pages()
    }

    /// Plays again what was taken back, until it is a person's turn.
    ///
    /// # Errors
    /// When nothing was.
    pub fn redo(&mut self) -> Result<(), Refusal> {
        let next = self.undone.pop().ok_or(Refusal::NothingToRedo)?;
        self.moves.push(next);
        while self.someone_plays() && !self.side_after(self.moves.len()).is_person() {
            let Some(next) = self.undone.pop() else { break };
            self.moves.push(next);
        }
        self.turn_pages()
    }

    /// What is worth knowing of every empty square, drawn as text.
    ///
    /// # Errors
    /// When the engine objects.
    pub fn evaluation(&mut self) -> Result<Vec<String>, Refusal> {
        self.desk.ask(&option("trials", self.settings().trials))?;
        Ok(self.desk.ask(&Command::Eval { exact: false })?)
    }

    /// Why a person's last move was right or wrong; anybody's, where no person plays.
    ///
    /// # Errors
    /// When there is none.
    pub fn explanation(&mut self) -> Result<Vec<String>, Refusal> {
        let written = self.written();
        let made = self.explained().ok_or(Refusal::NothingToExplain)?;
        let (before, last) = (&written[..made], written[made]);
        self.desk.put_up(before)?;
        let explained = self.desk.ask(&Command::Explain(Some(last)));
        self.desk.put_up(&written)?;
        Ok(explained?)
    }

    /// The same, told later by a thread of its own, so that nobody has to wait.
    ///
    /// # Errors
    /// When there is none.
    pub fn explain_later(&self, tell: impl FnOnce(Vec<String>) + Send + 'static) -> Result<(), Refusal> {
        let (rules, made) = (self.settings().rules, self.explained().ok_or(Refusal::NothingToExplain)?);
        let written = self.written();
        let explain = move || {
            let mut desk = Desk::new();
            let mut told = || {
                desk.choose(rules)?;
                desk.put_up(&written[..made])?;
                desk.ask(&Command::Explain(Some(written[made])))
            };
            tell(told().unwrap_or_else(|objection: Objection| vec![objection.to_string()]));
        };
        thread::Builder::new().name("explanation".to_owned()).spawn(explain)?;
        Ok(())
    }

    /// How many moves had been made before the one that is to be explained.
    fn explained(&self) -> Option<usize> {
        let wanted = |made: &usize| !self.someone_plays() || self.side_after(*made).is_person();
        (0..self.moves.len()).rev().find(wanted)
    }
}
