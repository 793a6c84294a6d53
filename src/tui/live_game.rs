//! The game at the board: its moves, its players, and whose turn it is; moves taken back, played again and explained.

use std::sync::mpsc::channel;
use std::thread;
use std::time::Instant;

use crate::engine::{Engine, ExplainRequest, Options};
use crate::text::board;
use noughts_core::game::{Cell, MoveText, Outcome, Player, Position, Rules};
use noughts_core::search::{Control, Explanation};

use super::computer_player::ComputerPlayer;
use super::evaluation::Evaluation;
use super::hints::{HintEngine, Hints};
use super::player_answer::{AnswerHandler, PlayerAnswer, PlayerReply};
use super::settings::{Participant, PlayError, PlaySettings, SEARCH_FAILED};

/// The state of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// A person is to move.
    Person,
    /// A computer player has been thinking since then.
    Thinking(Instant),
    /// A computer player is to move, and waits for the signal to think.
    Waiting,
    /// The game is over.
    Over,
}

/// A game that is being played, with its players and the hints. No method waits for a search.
pub struct LiveGame {
    settings: PlaySettings,
    handler: AnswerHandler,
    computer_players: [Option<ComputerPlayer>; 2],
    hint_engine: HintEngine,
    moves: Vec<Cell>,
    /// Moves that were taken back, the last of the game first.
    undone: Vec<Cell>,
    position: Position,
    turn: Turn,
    /// The number of the last request to a computer player or for hints; each is given once.
    last_number: u64,
    /// The number of the request that the computer player to move works on.
    awaited: Option<u64>,
    /// The evaluation by the computer player that made the last move.
    said: Option<Evaluation>,
    problem: Option<String>,
}

impl LiveGame {
    /// Starts a new game. The answers of computer players and of the hints go to `handler`, which brings them to
    /// [`LiveGame::receive`] on the thread of the game.
    ///
    /// # Errors
    /// When a number is out of its range, or the system has no thread or process left.
    pub fn start(settings: PlaySettings, handler: AnswerHandler) -> Result<LiveGame, PlayError> {
        settings.check()?;
        let hint_engine = HintEngine::start(AnswerHandler::clone(&handler))?;
        let mut game = LiveGame {
            position: Position::start(settings.rules),
            handler,
            computer_players: [None, None],
            hint_engine,
            moves: Vec::new(),
            undone: Vec::new(),
            turn: Turn::Person,
            last_number: 0,
            awaited: None,
            said: None,
            problem: None,
            settings,
        };
        for (player, participant) in Player::BOTH.into_iter().zip(game.settings.sides.clone()) {
            game.replace_player(player, participant)?;
        }
        game.go_on();
        Ok(game)
    }

    /// The game and its players.
    pub fn settings(&self) -> &PlaySettings {
        &self.settings
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves of the game so far.
    pub fn moves(&self) -> &[Cell] {
        &self.moves
    }

    /// The state of the side to move.
    pub fn turn(&self) -> Turn {
        self.turn
    }

    /// The participant who plays this side.
    pub fn participant(&self, player: Player) -> &Participant {
        &self.settings.sides[player as usize]
    }

    /// The problem that has come up since the last move.
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// The hints, if they are wanted and known.
    pub fn hints(&self) -> Option<&Hints> {
        self.hint_engine.hints()
    }

    /// True if hints are on their way.
    pub fn awaits_hints(&self) -> bool {
        self.hint_engine.is_searching()
    }

    /// True if hints are wanted.
    pub fn wants_hints(&self) -> bool {
        self.hint_engine.wanted
    }

    /// The evaluation of the position: by the computer player that thinks about it, else by the hints, else by the
    /// computer player that made the last move. A person who wants no hints is not told which moves are expected. A game
    /// that is over has a result in place of a value.
    pub fn evaluation(&self) -> Option<Evaluation> {
        if self.turn == Turn::Over {
            return None;
        }
        let player = self.computer_players[self.position.side() as usize].as_ref();
        let progress = self.awaited.zip(player).and_then(|(number, player)| player.progress(number));
        let mut said = self.said.clone();
        if let Some(said) = said.as_mut().filter(|_| self.turn == Turn::Person && !self.wants_hints()) {
            said.expected.clear();
        }
        progress.or_else(|| self.hints().map(|hints| hints.evaluation.clone())).or(said)
    }

    /// Plays a person's move, as it was written.
    ///
    /// # Errors
    /// When there is no such move, or it is not a person's turn.
    pub fn play(&mut self, written: &str) -> Result<(), PlayError> {
        let written: MoveText = written.parse().map_err(|_| PlayError::NoMove)?;
        match self.turn {
            Turn::Over => return Err(PlayError::Over),
            Turn::Person => {}
            Turn::Thinking(_) | Turn::Waiting => {
                let side = self.position.side();
                return Err(PlayError::NotYourTurn(side, self.participant(side).name().to_owned()));
            }
        }
        self.make(written)?;
        self.said = None;
        self.go_on();
        Ok(())
    }

    /// Starts another game with the same settings.
    pub fn restart(&mut self) {
        self.moves.clear();
        self.undone.clear();
        self.show_position();
        self.go_on();
    }

    /// Starts a game with other rules.
    pub fn set_rules(&mut self, rules: Rules) {
        self.settings.rules = rules;
        self.hint_engine.forget();
        self.restart();
    }

    /// Takes over these settings, except for the seed, from the next move on. With other rules a new game starts.
    ///
    /// # Errors
    /// When a number is out of its range; then nothing has changed. When the system has no thread or process left for a
    /// player; then those before it have been replaced.
    pub fn apply(&mut self, wanted: PlaySettings) -> Result<(), PlayError> {
        wanted.check()?;
        self.settings.level = wanted.level;
        if wanted.budget != self.settings.budget {
            self.settings.budget = wanted.budget;
            self.hint_engine.forget();
            self.search_hints();
        }
        let sides = Player::BOTH.into_iter().zip(wanted.sides);
        let changed: Vec<_> = sides.filter(|(player, side)| side != self.participant(*player)).collect();
        let is_another_game = wanted.rules != self.settings.rules;
        if changed.is_empty() && !is_another_game {
            return Ok(());
        }
        self.give_up();
        changed.into_iter().try_for_each(|(player, side)| self.replace_player(player, side))?;
        match is_another_game {
            true => self.set_rules(wanted.rules),
            false => self.go_on(),
        }
        Ok(())
    }

    /// Lets another participant play a side. A computer player whose turn it is begins to think.
    ///
    /// # Errors
    /// When the system has no thread or process left for it.
    pub fn set_participant(&mut self, player: Player, participant: Participant) -> Result<(), PlayError> {
        self.give_up();
        self.replace_player(player, participant)?;
        self.go_on();
        Ok(())
    }

    /// The most time that a computer player thinks, in words, if one plays and time limits it.
    pub fn seconds_in_words(&self) -> Option<String> {
        self.settings.budget.seconds_in_words().filter(|_| !self.is_between_people())
    }

    /// Shows hints or hides them.
    pub fn show_hints(&mut self, wanted: bool) {
        self.hint_engine.wanted = wanted;
        self.search_hints();
    }

    /// Lets the computer player whose turn it is think, or waits for the person whose turn it is.
    pub fn go_on(&mut self) {
        self.give_up();
        self.problem = None;
        self.turn = self.turn_without_thought();
        let number = self.next_number();
        let player = self.computer_players[self.position.side() as usize].as_mut();
        if let Some(player) = player.filter(|_| self.turn == Turn::Waiting) {
            self.awaited = Some(number);
            player.ask(number, self.position, &self.moves, &self.settings);
            self.turn = Turn::Thinking(Instant::now());
        }
        self.search_hints();
    }

    /// Takes an answer of a computer player or of the hints; false if it has changed nothing.
    pub fn receive(&mut self, answer: PlayerAnswer) -> bool {
        if self.awaited != Some(answer.request) {
            let number = self.next_number();
            return self.hint_engine.receive(answer, number);
        }
        self.awaited = None;
        self.turn = Turn::Waiting;
        let side = self.position.side();
        match self.make_answer(answer.result) {
            Ok(evaluation) => {
                self.said = Some(evaluation);
                self.go_on();
            }
            Err(problem) => self.problem = Some(format!("{side} ({}) {problem}", self.participant(side).name())),
        }
        true
    }

    /// Plays the move of a computer player's answer, and returns the player's evaluation of the position.
    fn make_answer(&mut self, result: Result<PlayerReply, String>) -> Result<Evaluation, String> {
        let (best, evaluation) = match result? {
            PlayerReply::Searched(result) => {
                let best = result.lines.first().map(|line| MoveText::from(line.first_move()));
                (best, Evaluation::of_search(self.position.side(), &result))
            }
            PlayerReply::Moved(best, evaluation) => (Some(best), evaluation),
        };
        let best = best.ok_or("gave no move")?;
        let cell = self.make(best).map_err(|error| format!("played {best}: {error}"))?;
        Ok(evaluation.after(cell, self.settings.rules.shape()))
    }

    fn make(&mut self, written: MoveText) -> Result<Cell, PlayError> {
        let cell = self.position.legal_move(written)?;
        self.position.play(cell)?;
        self.moves.push(cell);
        self.undone.clear();
        self.problem = None;
        Ok(cell)
    }

    /// Takes back the last move, and those before it until it is a person's turn. A computer player whose turn it is then
    /// waits.
    ///
    /// # Errors
    /// When there is no move.
    pub fn undo(&mut self) -> Result<(), PlayError> {
        let back = |game: &mut LiveGame| game.moves.pop().map(|last| game.undone.push(last));
        self.step(back, "there is no move to take back")
    }

    /// Plays again what was taken back, until it is a person's turn.
    ///
    /// # Errors
    /// When no move was taken back.
    pub fn redo(&mut self) -> Result<(), PlayError> {
        let forward = |game: &mut LiveGame| game.undone.pop().map(|next| game.moves.push(next));
        self.step(forward, "no move has been taken back")
    }

    /// Makes one step, and more until it is a person's turn. `step` returns `None` where there is nothing to step over.
    fn step(&mut self, step: impl Fn(&mut LiveGame) -> Option<()>, nothing: &str) -> Result<(), PlayError> {
        step(self).ok_or_else(|| PlayError::refused(nothing))?;
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
        receiver.recv().map_err(|_| PlayError::refused(SEARCH_FAILED))
    }

    /// Explains the same move without waiting: `tell` is called on another thread.
    ///
    /// # Errors
    /// When there is no such move, or the system has no thread left.
    pub fn explain_later(&self, tell: impl FnOnce(Explanation) + Send + 'static) -> Result<(), PlayError> {
        let explained = self.explained_move();
        let (position, cell) = explained.ok_or_else(|| PlayError::refused("you have made no move yet"))?;
        thread::Builder::new().name("search".to_owned()).spawn(move || {
            let options = Options { rules: position.rules(), ..Options::default() };
            let request = ExplainRequest { position, cell: Some(cell), options };
            tell(Engine::new().explain(request, Control::unlimited()));
        })?;
        Ok(())
    }

    /// The result in words, or `None` while the game goes on. Where one person plays, it is said to that person.
    pub fn result_in_words(&self) -> Option<String> {
        match self.position.outcome()? {
            Outcome::Win(winner) if self.has_person() && !self.is_between_people() => {
                let verdict = if self.participant(winner).is_person() { "you win" } else { "you lost" };
                Some(format!("{verdict}: {}", board::completion(&self.position)))
            }
            _ => board::result(&self.position),
        }
    }

    /// Shows the position after [`LiveGame::moves`]. A computer player whose turn it is there waits.
    fn show_position(&mut self) {
        self.give_up();
        self.position = self.position_after(self.moves.len());
        self.said = None;
        self.problem = None;
        self.turn = self.turn_without_thought();
        self.search_hints();
    }

    /// The turn of the side to move; a computer player waits.
    fn turn_without_thought(&self) -> Turn {
        match self.participant(self.position.side()) {
            _ if self.position.outcome().is_some() => Turn::Over,
            Participant::Person => Turn::Person,
            _ => Turn::Waiting,
        }
    }

    /// The position after so many moves of this game.
    fn position_after(&self, moves: usize) -> Position {
        self.moves[..moves].iter().fold(Position::start(self.settings.rules), |position, &cell| position.after(cell))
    }

    /// Gives up the request that a computer player works on.
    fn give_up(&mut self) {
        if self.awaited.take().is_some() {
            self.turn = Turn::Waiting;
            let player = &self.computer_players[self.position.side() as usize];
            player.iter().for_each(ComputerPlayer::give_up);
        }
    }

    fn is_between_people(&self) -> bool {
        self.settings.sides.iter().all(Participant::is_person)
    }

    fn has_person(&self) -> bool {
        self.settings.sides.iter().any(Participant::is_person)
    }

    /// Who is to move after so many moves: X begins.
    fn participant_after(&self, moves: usize) -> &Participant {
        &self.settings.sides[moves % 2]
    }

    /// The move that is to be explained, and the position before it.
    fn explained_move(&self) -> Option<(Position, Cell)> {
        let is_wanted = |made: &usize| !self.has_person() || self.participant_after(*made).is_person();
        let made = (0..self.moves.len()).rev().find(is_wanted)?;
        Some((self.position_after(made), self.moves[made]))
    }

    fn replace_player(&mut self, player: Player, participant: Participant) -> Result<(), PlayError> {
        let handler = AnswerHandler::clone(&self.handler);
        let computer_player = ComputerPlayer::start(&participant, player, self.settings.seed, handler)?;
        self.computer_players[player as usize] = computer_player;
        self.settings.sides[player as usize] = participant;
        Ok(())
    }

    /// Searches for hints, if they are wanted and no computer player thinks.
    fn search_hints(&mut self) {
        let is_idle = matches!(self.turn, Turn::Person | Turn::Waiting);
        let number = self.next_number();
        self.hint_engine.look_at(is_idle.then_some(self.position), &self.settings, number);
    }

    fn next_number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }
}
