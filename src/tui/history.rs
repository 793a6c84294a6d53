//! Looking back at a game: moves taken back, played again, and explained.

use std::sync::mpsc::channel;
use std::thread;

use crate::engine::{Engine, ExplainRequest, Options};
use noughts_core::game::{Cell, Position};
use noughts_core::search::{Control, Explanation};

use super::live_game::LiveGame;
use super::play_error::PlayError;

impl LiveGame {
    /// Takes back the last move, and those before it until it is a person's turn. A computer player whose turn it is then
    /// waits.
    ///
    /// # Errors
    /// When there is no move.
    pub fn undo(&mut self) -> Result<(), PlayError> {
        let back = |game: &mut LiveGame| game.moves.pop().map(|last| game.undone.push(last));
        self.step(back, PlayError::NothingToUndo)
    }

    /// Plays again what was taken back, until it is a person's turn.
    ///
    /// # Errors
    /// When no move was taken back.
    pub fn redo(&mut self) -> Result<(), PlayError> {
        let forward = |game: &mut LiveGame| game.undone.pop().map(|next| game.moves.push(next));
        self.step(forward, PlayError::NothingToRedo)
    }

    /// Makes one step, and more until it is a person's turn. `step` returns `None` where there is nothing to step over.
    fn step(&mut self, step: impl Fn(&mut LiveGame) -> Option<()>, nothing: PlayError) -> Result<(), PlayError> {
        step(self).ok_or(nothing)?;
        while self.has_person() && !self.participant_after(self.moves.len()).is_person() && step(self).is_some() {}
        self.show_position();
        Ok(())
    }

    /// Why the last move of a person was right or wrong; the last move of any player, where no person plays. Waits for the
    /// search.
    ///
    /// # Errors
    /// When there is no such move, the search fails, or the system has no thread left.
    pub fn explanation(&self) -> Result<Explanation, PlayError> {
        let (sender, receiver) = channel();
        // The receiver waits for it.
        self.explain_later(move |found| drop(sender.send(found)))?;
        receiver.recv().map_err(|_| PlayError::Search)
    }

    /// The same without waiting: `tell` is called on another thread.
    ///
    /// # Errors
    /// When there is no such move, or the system has no thread left.
    pub fn explain_later(&self, tell: impl FnOnce(Explanation) + Send + 'static) -> Result<(), PlayError> {
        let (position, cell) = self.explained_move().ok_or(PlayError::NothingToExplain)?;
        on_search_thread(move || {
            let options = Options { rules: position.rules(), ..Options::default() };
            let request = ExplainRequest { position, cell: Some(cell), options };
            tell(Engine::new().explain(request, Control::unlimited()));
        })
    }

    /// The move that is to be explained, and the position before it.
    fn explained_move(&self) -> Option<(Position, Cell)> {
        let is_wanted = |made: &usize| !self.has_person() || self.participant_after(*made).is_person();
        let made = (0..self.moves.len()).rev().find(is_wanted)?;
        Some((self.position_after(made), self.moves[made]))
    }
}

fn on_search_thread(search: impl FnOnce() + Send + 'static) -> Result<(), PlayError> {
    let thread = thread::Builder::new().name("search".to_owned());
    thread.spawn(search)?;
    Ok(())
}
