//! What sits on a chair that is no person's, and the adviser behind the person's.

use std::io;
use std::num::NonZeroU64;

use crate::protocol::Info;
use noughts_core::game::{MoveText, Player, Rules};
use noughts_core::search::Limits;

use super::advice::Advice;
use super::answer::{Answer, Post, Tickets};
use super::desk::{Board, option, position, rule_options};
use super::participant::{Participant, Settings};
use super::refusal::Refusal;
use super::thinker::Thinker;
use super::visitor::Visitor;

/// The positions that a player may look at for a move, so that even one that knows no end of its own answers: a few
/// seconds on a large board.
const NODES: u32 = 2_000_000;

/// What the adviser may look at for a proof, and how long that may take, in milliseconds.
const ADVICE_NODES: u32 = 1_000_000;
const ADVICE_TIME: u64 = 1500;

/// The playouts of a guess that nobody sees: the totals come from playouts of their own.
const ADVICE_TRIALS: u32 = 100;

/// The largest seed of the engine.
const MAX_SEED: u32 = i32::MAX as u32;

/// A player that is no person.
pub enum Seat {
    /// A player of this engine.
    Builtin(Thinker),
    /// Another program.
    Program(Visitor),
}

impl Seat {
    /// What plays this side; nothing, if a person does.
    pub fn of(side: &Participant, player: Player, seed: u32, post: Post) -> Result<Option<Seat>, Refusal> {
        Ok(match side {
            Participant::Person => None,
            Participant::Program(setup) => Some(Seat::Program(Visitor::start(setup.clone(), post)?)),
            Participant::Builtin(name) => {
                let thinker = Thinker::start(post)?;
                // The two sides draw different numbers.
                let seed = match (seed, player) {
                    (0, _) | (_, Player::X) => seed,
                    (seed, Player::O) => seed % MAX_SEED + 1,
                };
                thinker.say(vec![option("player", name), option("seed", seed)]);
                Some(Seat::Builtin(thinker))
            }
        })
    }

    /// Asks for a move in the position after these moves.
    pub fn ask(&self, ticket: u64, rules: Rules, settings: &Settings, moves: &[MoveText]) {
        match self {
            Seat::Program(visitor) => visitor.ask(ticket, rules, position(moves)),
            Seat::Builtin(thinker) => {
                let mut commands = rule_options(rules).to_vec();
                commands.extend([option("level", settings.level), option("trials", settings.trials), position(moves)]);
                thinker.say(commands);
                // Playouts count as nodes too, and as many are played as somebody wants.
                let (trials, nodes) = (number(settings.trials), number(settings.trials.max(NODES)));
                thinker.ask(ticket, Limits { trials, nodes, ..Limits::default() });
            }
        }
    }

    /// What was said last about this question, which has not been answered yet.
    pub fn heard(&self, ticket: u64) -> Option<Info> {
        match self {
            Seat::Builtin(thinker) => thinker.aloud().heard(ticket),
            Seat::Program(visitor) => visitor.aloud().heard(ticket),
        }
    }

    /// Ends the thinking about the questions up to this one.
    pub fn give_up(&self, ticket: u64) {
        match self {
            Seat::Builtin(thinker) => thinker.stop(),
            Seat::Program(visitor) => visitor.give_up(ticket),
        }
    }
}

fn number(number: u32) -> Option<NonZeroU64> {
    NonZeroU64::new(number.into())
}

/// Who says what every empty square is worth.
pub struct Adviser {
    thinker: Thinker,
    wanted: bool,
    /// The position that was asked about, and the settings that matter.
    about: Option<Vec<MoveText>>,
    /// What is waited for.
    awaited: Option<(u64, Stage)>,
    advice: Option<Advice>,
}

/// The adviser asks for proofs first, and for the totals of Monte Carlo where they do not decide.
enum Stage {
    Proofs,
    /// With what was proven, and the playouts.
    Totals(Box<Advice>),
}

impl Adviser {
    /// An adviser who answers through `post`.
    pub fn start(post: Post) -> io::Result<Adviser> {
        let thinker = Thinker::start(post)?;
        thinker.say(vec![option("MultiPV", 400), option("seed", 1), option("tiebreak", "first")]);
        Ok(Adviser { thinker, wanted: false, about: None, awaited: None, advice: None })
    }

    /// Whether somebody wants to know.
    pub fn is_wanted(&self) -> bool {
        self.wanted
    }

    /// Somebody wants to know, or no longer.
    pub fn want(&mut self, wanted: bool) {
        self.wanted = wanted;
    }

    /// What is known of the position.
    pub fn advice(&self) -> Option<&Advice> {
        self.advice.as_ref().filter(|_| self.wanted)
    }

    /// Another game begins, or other numbers hold.
    pub fn forget(&mut self) {
        self.about = None;
        self.advice = None;
    }

    /// Looks at the position after these moves, if there is one to look at and somebody wants to know.
    pub fn look_at(&mut self, moves: Option<&Vec<MoveText>>, settings: &Settings, tickets: &mut Tickets) {
        let moves = moves.filter(|_| self.wanted);
        if moves.is_some() && self.about.as_ref() == moves {
            return;
        }
        if self.awaited.take().is_some() {
            self.thinker.stop();
        }
        self.advice = None;
        self.about = moves.cloned();
        let Some(moves) = moves else { return };
        let mut commands = rule_options(settings.rules).to_vec();
        commands.extend([option("trials", settings.trials), option("player", "perfect"), position(moves)]);
        self.thinker.say(commands);
        let ticket = tickets.next();
        self.awaited = Some((ticket, Stage::Proofs));
        let (nodes, trials) = (number(ADVICE_NODES), number(ADVICE_TRIALS));
        self.thinker.ask(ticket, Limits { nodes, trials, move_time: Some(ADVICE_TIME), ..Limits::default() });
    }

    /// Takes an answer; whether anything is known now.
    pub fn take(&mut self, answer: Answer, board: &Board, tickets: &mut Tickets) -> bool {
        let Some((_, stage)) = self.awaited.take_if(|(awaited, _)| *awaited == answer.ticket) else { return false };
        let Ok(said) = answer.said else { return false };
        match stage {
            Stage::Totals(proven) => self.advice = Some(proven.and_totals(&said, board.size)),
            Stage::Proofs => {
                let proven = Advice::proven(&said, board.size);
                if proven.is_decided() {
                    self.advice = Some(proven);
                } else {
                    let ticket = tickets.next();
                    self.awaited = Some((ticket, Stage::Totals(Box::new(proven))));
                    self.thinker.say(vec![option("player", "montecarlo")]);
                    self.thinker.ask(ticket, Limits::default());
                }
            }
        }
        true
    }
}
