//! The moves of the game looked at again: taken back, played again, and explained.

use std::thread;

use crate::protocol::Command;

use super::desk::{Desk, option};
use super::refusal::Refusal;
use super::table::Table;

impl Table {
    /// Takes back the last move, and those before it until it is a person's turn. A player whose turn it is then waits.
    ///
    /// # Errors
    /// When there is none.
    pub fn undo(&mut self) -> Result<(), Refusal> {
        let back = |table: &mut Table| table.moves.pop().map(|last| table.undone.push(last));
        self.leaf(back, Refusal::NothingToUndo)
    }

    /// Plays again what was taken back, until it is a person's turn.
    ///
    /// # Errors
    /// When nothing was.
    pub fn redo(&mut self) -> Result<(), Refusal> {
        let on = |table: &mut Table| table.undone.pop().map(|next| table.moves.push(next));
        self.leaf(on, Refusal::NothingToRedo)
    }

    /// Goes a move back or on, which `step` does if there is one, and further until it is a person's turn.
    fn leaf(&mut self, step: impl Fn(&mut Table) -> Option<()>, nothing: Refusal) -> Result<(), Refusal> {
        step(self).ok_or(nothing)?;
        while self.someone_plays() && !self.side_after(self.moves.len()).is_person() && step(self).is_some() {}
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
        let explained = self.desk.explain(&written[..made], written[made]);
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
            let told = desk.choose(rules).and_then(|()| desk.explain(&written[..made], written[made]));
            tell(told.unwrap_or_else(|objection| vec![objection.to_string()]));
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
