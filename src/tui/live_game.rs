//! The game at the board: its moves, its players, and whose turn it is.

use std::time::Instant;

use crate::text::board;
use noughts_core::game::{Cell, MoveText, Outcome, Player, Position, Rules};

use super::computer_player::ComputerPlayer;
use super::evaluation::Evaluation;
use super::hint_engine::HintEngine;
use super::hints::Hints;
use super::play_error::PlayError;
use super::player_answer::{AnswerHandler, PlayerAnswer, PlayerError, PlayerReply, RequestNumbers};
use super::settings::{MoveBudget, Participant, PlaySettings, check};

/// What the side to move does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// A person is to move.
    Person,
    /// A computer player has been thinking since then.
    Thinking(Instant),
    /// A computer player is to move, and waits until it is told to.
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
    pub(super) moves: Vec<Cell>,
    /// Moves that were taken back, the last of the game first.
    pub(super) undone: Vec<Cell>,
    position: Position,
    turn: Turn,
    numbers: RequestNumbers,
    /// The number of the request that the computer player to move works on.
    awaited: Option<u64>,
    /// What the computer player that made the last move said of it.
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
        check("level", settings.level.into())?;
        settings.budget.check()?;
        let hint_engine = HintEngine::start(AnswerHandler::clone(&handler))?;
        let mut game = LiveGame {
            position: Position::start(settings.rules),
            handler,
            computer_players: [None, None],
            hint_engine,
            moves: Vec::new(),
            undone: Vec::new(),
            turn: Turn::Person,
            numbers: RequestNumbers::default(),
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

    /// What is played, and by whom.
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

    /// What the side to move does.
    pub fn turn(&self) -> Turn {
        self.turn
    }

    /// Who plays this side.
    pub fn participant(&self, player: Player) -> &Participant {
        &self.settings.sides[player as usize]
    }

    /// What has gone wrong since the last move.
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// The hints, if they are wanted and known.
    pub fn hints(&self) -> Option<&Hints> {
        self.hint_engine.hints()
    }

    /// Whether hints are on their way.
    pub fn awaits_hints(&self) -> bool {
        self.hint_engine.is_searching()
    }

    /// Whether hints are wanted.
    pub fn wants_hints(&self) -> bool {
        self.hint_engine.is_wanted()
    }

    /// What is known of the position: by the computer player that thinks about it, else by the hints, else by the
    /// computer player that made the last move. A person who wants no hints is not told which moves are expected. A game
    /// that is over has a result in place of a value.
    pub fn evaluation(&self) -> Option<Evaluation> {
        if self.turn == Turn::Over {
            return None;
        }
        let side = self.position.side();
        let thinking = self.awaited.zip(self.computer_players[side as usize].as_ref());
        let progress = thinking.and_then(|(number, player)| player.progress(number, side));
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

    /// Takes over these settings, except for the seed. With other rules a new game starts.
    ///
    /// # Errors
    /// When a number is out of its range; then nothing has changed. When the system has no thread or process left for a
    /// player; then those before it have been replaced.
    pub fn apply(&mut self, wanted: PlaySettings) -> Result<(), PlayError> {
        wanted.budget.check()?;
        self.set_level(wanted.level.into())?;
        self.set_budget(wanted.budget)?;
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

    /// Sets how long computer players think, from the next move on.
    ///
    /// # Errors
    /// When its number is out of its range.
    pub fn set_budget(&mut self, budget: MoveBudget) -> Result<(), PlayError> {
        budget.check()?;
        if budget != self.settings.budget {
            self.settings.budget = budget;
            self.hint_engine.forget();
            self.search_hints();
        }
        Ok(())
    }

    /// How long a computer player thinks at most, in words, if one plays and time limits it.
    pub fn seconds_in_words(&self) -> Option<String> {
        self.settings.budget.seconds_in_words().filter(|_| !self.is_between_people())
    }

    /// Sets the strength of the built-in players, from the next move on.
    ///
    /// # Errors
    /// When the number is out of its range.
    pub fn set_level(&mut self, level: u32) -> Result<(), PlayError> {
        self.settings.level = check("level", level)? as u8;
        Ok(())
    }

    /// Shows hints or hides them.
    pub fn show_hints(&mut self, wanted: bool) {
        self.hint_engine.want(wanted);
        self.search_hints();
    }

    /// Lets the computer player whose turn it is think, or waits for the person whose turn it is.
    pub fn go_on(&mut self) {
        self.give_up();
        self.problem = None;
        self.turn = match &mut self.computer_players[self.position.side() as usize] {
            _ if self.position.outcome().is_some() => Turn::Over,
            None => Turn::Person,
            Some(player) => {
                let number = self.numbers.next();
                self.awaited = Some(number);
                player.ask(number, self.position, &self.moves, &self.settings);
                Turn::Thinking(Instant::now())
            }
        };
        self.search_hints();
    }

    /// Takes an answer of a computer player or of the hints; false if it has changed nothing.
    pub fn receive(&mut self, answer: PlayerAnswer) -> bool {
        if self.awaited != Some(answer.request) {
            return self.hint_engine.receive(answer, &mut self.numbers);
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

    /// Plays the move of a computer player's answer, and returns what the player says of the position.
    fn make_answer(&mut self, result: Result<PlayerReply, PlayerError>) -> Result<Evaluation, String> {
        let (best, evaluation) = match result.map_err(|error| error.to_string())? {
            PlayerReply::Searched(result) => {
                let best = result.lines.first().map(|line| MoveText::from(line.first_move()));
                (best, Evaluation::of_search(self.position.side(), &result))
            }
            PlayerReply::Moved(best, evaluation) => (Some(best), evaluation),
        };
        let best = best.ok_or("gave no move")?;
        let cell = self.make(best).map_err(|error| format!("played {best}: {error}"))?;
        Ok(evaluation.after(cell, self.settings.rules.size()))
    }

    fn make(&mut self, written: MoveText) -> Result<Cell, PlayError> {
        let cell = self.position.legal_move(written)?;
        self.position.play(cell)?;
        self.moves.push(cell);
        self.undone.clear();
        self.problem = None;
        Ok(cell)
    }

    /// How the game ended, or `None` while it goes on. Where one person plays, it is said to that person.
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
    pub(super) fn show_position(&mut self) {
        self.give_up();
        self.position = self.position_after(self.moves.len());
        self.said = None;
        self.problem = None;
        self.turn = match () {
            () if self.position.outcome().is_some() => Turn::Over,
            () if self.participant(self.position.side()).is_person() => Turn::Person,
            () => Turn::Waiting,
        };
        self.search_hints();
    }

    /// The position after so many moves of this game.
    pub(super) fn position_after(&self, moves: usize) -> Position {
        self.moves[..moves].iter().fold(Position::start(self.settings.rules), |position, &cell| position.after(cell))
    }

    /// Gives up the request that a computer player works on.
    fn give_up(&mut self) {
        if let Some(number) = self.awaited.take() {
            self.turn = Turn::Waiting;
            let player = &self.computer_players[self.position.side() as usize];
            player.iter().for_each(|player| player.give_up(number));
        }
    }

    fn is_between_people(&self) -> bool {
        self.settings.sides.iter().all(Participant::is_person)
    }

    pub(super) fn has_person(&self) -> bool {
        self.settings.sides.iter().any(Participant::is_person)
    }

    /// Who is to move after so many moves: X begins.
    pub(super) fn participant_after(&self, moves: usize) -> &Participant {
        &self.settings.sides[moves % 2]
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
        self.hint_engine.look_at(is_idle.then_some(self.position), &self.settings, &mut self.numbers);
    }
}
