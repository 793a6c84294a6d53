//! The game at the table: its history, who sits where, and whose turn it is.

use std::time::Instant;

use crate::protocol::{Info, OptionType};
use noughts_core::game::{Cell, MoveText, Player, Rules};

use super::advice::Advice;
use super::answer::{Answer, Post, Tickets};
use super::desk::{Board, Desk, read_move};
use super::participant::{Participant, Settings};
use super::refusal::Refusal;
use super::seat::{Adviser, Seat};

/// What the side to move does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// A person is to move.
    Person,
    /// A player thinks, since then.
    Thinking(Instant),
    /// A player is to move, and waits until it is told to.
    Waiting,
    /// The game is over.
    Over,
}

/// What was said of the position, or of the move that led to it.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// Whose view it is.
    pub side: Player,
    /// What was said.
    pub info: Info,
}

/// A table with two sides, and everything that belongs to the game.
pub struct Table {
    settings: Settings,
    pub(super) desk: Desk,
    options: Vec<(String, OptionType)>,
    post: Post,
    seats: [Option<Seat>; 2],
    adviser: Adviser,
    pub(super) moves: Vec<Cell>,
    /// Moves that were taken back, the last of the game first.
    pub(super) undone: Vec<Cell>,
    board: Board,
    turn: Turn,
    tickets: Tickets,
    /// The number of the question to a player that is waited for.
    awaited: Option<u64>,
    said: Option<Verdict>,
    problem: Option<String>,
}

impl Table {
    /// Sits down to a new game. Answers of players are handed to `post`, and are to be brought back to
    /// [`Table::take`].
    ///
    /// # Errors
    /// When the settings ask for something that there is not.
    pub fn new(settings: Settings, post: Post) -> Result<Table, Refusal> {
        let mut desk = Desk::new();
        let options = desk.options();
        desk.choose(settings.rules)?;
        let board = desk.put_up(&[])?;
        let adviser = Adviser::start(Post::clone(&post))?;
        let sides = settings.sides.clone();
        let mut table = Table {
            settings,
            desk,
            options,
            post,
            seats: [None, None],
            adviser,
            moves: Vec::new(),
            undone: Vec::new(),
            board,
            turn: Turn::Person,
            tickets: Tickets::default(),
            awaited: None,
            said: None,
            problem: None,
        };
        for (player, side) in Player::BOTH.into_iter().zip(sides) {
            table.check(&side)?;
            table.sit_down(player, side)?;
        }
        table.check_range("level", i64::from(table.settings.level))?;
        table.check_range("trials", i64::from(table.settings.trials))?;
        table.go_on();
        Ok(table)
    }

    /// What is played, and by whom.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The position.
    pub fn board(&self) -> &Board {
        &self.board
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
    pub fn side(&self, player: Player) -> &Participant {
        &self.settings.sides[player as usize]
    }

    /// The names of the players that the engine has.
    pub fn players(&self) -> Vec<String> {
        let player = self.options.iter().find(|(name, _)| name == "player");
        match player {
            Some((_, OptionType::Combo { choices, .. })) => choices.clone(),
            _ => Vec::new(),
        }
    }

    /// The values that a number among the engine's options may have.
    pub fn range(&self, option: &str) -> (i64, i64) {
        match self.options.iter().find(|(name, _)| name == option) {
            Some((_, OptionType::Spin { min, max, .. })) => (*min, *max),
            _ => (0, i64::from(i32::MAX)),
        }
    }

    /// What has gone wrong since the last move, if anything has.
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// What every empty square is worth, if that was asked for and is known.
    pub fn advice(&self) -> Option<&Advice> {
        self.adviser.advice()
    }

    /// Whether hints are wanted.
    pub fn hints(&self) -> bool {
        self.adviser.is_wanted()
    }

    /// What is known of the position: by the player who thinks about it, by the adviser, or by the player who made the
    /// last move.
    pub fn verdict(&self) -> Option<Verdict> {
        let side = self.board.side;
        let heard = self.awaited.and_then(|ticket| self.seats[side as usize].as_ref()?.heard(ticket));
        if let Some(info) = heard {
            return Some(Verdict { side, info });
        }
        let advised = self.advice().map(|advice| Verdict { side, info: advice.summary.clone() });
        advised.or_else(|| self.said.clone())
    }

    /// A person's move, as it was written.
    ///
    /// # Errors
    /// When there is no such move, or it is not a person's turn.
    pub fn play(&mut self, written: &str) -> Result<(), Refusal> {
        let written = read_move(written).ok_or(Refusal::NoMove)?;
        match self.turn {
            Turn::Over => return Err(Refusal::Over),
            Turn::Person => {}
            Turn::Thinking(_) | Turn::Waiting => {
                let side = self.board.side;
                return Err(Refusal::NotYours(side, self.side(side).name().to_owned()));
            }
        }
        self.make(written)?;
        self.said = None;
        self.go_on();
        Ok(())
    }

    /// Clears the board.
    ///
    /// # Errors
    /// When the engine objects.
    pub fn begin(&mut self) -> Result<(), Refusal> {
        self.moves.clear();
        self.undone.clear();
        self.turn_pages()?;
        self.go_on();
        Ok(())
    }

    /// Clears the board for another game.
    ///
    /// # Errors
    /// When there is no such game.
    pub fn choose(&mut self, rules: Rules) -> Result<(), Refusal> {
        self.desk.choose(rules)?;
        self.settings.rules = rules;
        self.adviser.forget();
        self.begin()
    }

    /// Makes all of this so, as far as it is not yet. Another game, or another player whose turn it is, begins anew.
    ///
    /// # Errors
    /// When there is no such player, or a number is out of its range; then nothing is changed. When the system has no thread or
    /// process left for a player; then those before it are seated.
    pub fn arrange(&mut self, wanted: Settings) -> Result<(), Refusal> {
        wanted.sides.iter().try_for_each(|side| self.check(side))?;
        self.check_range("trials", wanted.trials.into())?;
        self.set_level(wanted.level.into())?;
        if wanted.trials != self.settings.trials {
            self.set_trials(wanted.trials.into())?;
        }
        let sides = Player::BOTH.into_iter().zip(wanted.sides);
        let newcomers: Vec<_> = sides.filter(|(player, side)| side != self.side(*player)).collect();
        let is_another_game = wanted.rules != self.settings.rules;
        if newcomers.is_empty() && !is_another_game {
            return Ok(());
        }
        self.halt();
        newcomers.into_iter().try_for_each(|(player, side)| self.sit_down(player, side))?;
        if is_another_game {
            return self.choose(wanted.rules);
        }
        self.go_on();
        Ok(())
    }

    /// Seats somebody else. A player whose turn it is begins to think.
    ///
    /// # Errors
    /// When there is no such player.
    pub fn seat(&mut self, player: Player, side: Participant) -> Result<(), Refusal> {
        self.check(&side)?;
        self.halt();
        self.sit_down(player, side)?;
        self.go_on();
        Ok(())
    }

    /// Sets the number of playouts, from the next move on.
    ///
    /// # Errors
    /// When the engine does not take it.
    pub fn set_trials(&mut self, trials: i64) -> Result<(), Refusal> {
        self.check_range("trials", trials)?;
        self.settings.trials = u32::try_from(trials).unwrap_or(u32::MAX);
        self.adviser.forget();
        self.advise();
        Ok(())
    }

    /// Sets the strength, from the next move on.
    ///
    /// # Errors
    /// When the engine does not take it.
    pub fn set_level(&mut self, level: i64) -> Result<(), Refusal> {
        self.check_range("level", level)?;
        self.settings.level = u8::try_from(level).unwrap_or(u8::MAX);
        Ok(())
    }

    /// Shows hints or hides them.
    pub fn show_hints(&mut self, wanted: bool) {
        self.adviser.want(wanted);
        self.advise();
    }

    /// Lets the player whose turn it is think; a person is waited for.
    pub fn go_on(&mut self) {
        self.halt();
        let (rules, side) = (self.settings.rules, self.board.side);
        let written = self.written();
        self.turn = match &self.seats[side as usize] {
            _ if self.board.is_over() => Turn::Over,
            None => Turn::Person,
            Some(seat) => {
                let ticket = self.tickets.next();
                self.awaited = Some(ticket);
                self.problem = None;
                seat.ask(ticket, rules, &self.settings, &written);
                Turn::Thinking(Instant::now())
            }
        };
        self.advise();
    }

    /// Takes an answer; whether it was waited for.
    pub fn take(&mut self, answer: Answer) -> bool {
        if self.awaited != Some(answer.ticket) {
            return self.adviser.take(answer, &self.board, &mut self.tickets);
        }
        self.awaited = None;
        self.turn = Turn::Waiting;
        let side = self.board.side;
        let made = answer.said.and_then(|said| {
            let best = said.best.ok_or("gave no move")?;
            self.make(best).map_err(|refusal| format!("played {best}: {refusal}"))?;
            Ok(said.summary)
        });
        match made {
            Ok(info) => {
                self.said = Some(Verdict { side, info });
                self.go_on();
            }
            Err(problem) => self.problem = Some(format!("{side} ({}) {problem}", self.side(side).name())),
        }
        true
    }

    pub(super) fn written(&self) -> Vec<MoveText> {
        self.moves.iter().map(|&cell| cell.into()).collect()
    }

    fn make(&mut self, written: MoveText) -> Result<(), Refusal> {
        let mut moves = self.written();
        moves.push(written);
        let board = self.desk.put_up(&moves)?;
        if let Ok(cell) = written.on_board(board.size) {
            self.moves.push(cell);
        }
        self.undone.clear();
        self.board = board;
        self.problem = None;
        Ok(())
    }

    /// Shows another place of the game. A player whose turn it is there waits.
    pub(super) fn turn_pages(&mut self) -> Result<(), Refusal> {
        self.halt();
        self.board = self.desk.put_up(&self.written())?;
        self.said = None;
        self.problem = None;
        self.turn = match () {
            () if self.board.is_over() => Turn::Over,
            () if self.side(self.board.side).is_person() => Turn::Person,
            () => Turn::Waiting,
        };
        self.advise();
        Ok(())
    }

    /// Ends the thinking of a player.
    fn halt(&mut self) {
        if let Some(ticket) = self.awaited.take() {
            self.turn = Turn::Waiting;
            let thinks = &self.seats[self.board.side as usize];
            thinks.iter().for_each(|seat| seat.give_up(ticket));
        }
    }

    pub(super) fn someone_plays(&self) -> bool {
        self.settings.sides.iter().any(Participant::is_person)
    }

    /// Who is to move after so many moves: X begins.
    pub(super) fn side_after(&self, moves: usize) -> &Participant {
        &self.settings.sides[moves % 2]
    }

    fn check(&self, side: &Participant) -> Result<(), Refusal> {
        let players = self.players();
        match side {
            Participant::Builtin(name) if !players.contains(name) => {
                let known = std::iter::once(Participant::PERSON.to_owned()).chain(players).collect();
                Err(Refusal::NoPlayer(name.clone(), known))
            }
            _ => Ok(()),
        }
    }

    fn check_range(&self, option: &'static str, number: i64) -> Result<(), Refusal> {
        let (least, most) = self.range(option);
        if (least..=most).contains(&number) { Ok(()) } else { Err(Refusal::Range(option, least, most)) }
    }

    fn sit_down(&mut self, player: Player, side: Participant) -> Result<(), Refusal> {
        self.seats[player as usize] = Seat::of(&side, player, self.settings.seed, Post::clone(&self.post))?;
        self.settings.sides[player as usize] = side;
        Ok(())
    }

    /// Asks the adviser, if hints are wanted and nobody thinks.
    fn advise(&mut self) {
        let goes_on = matches!(self.turn, Turn::Person | Turn::Waiting);
        let written = self.written();
        self.adviser.look_at(goes_on.then_some(&written), &self.settings, &mut self.tickets);
    }
}
