//! One game: questions to two engines in turn, judged by the rules of this program.

use std::time::Duration;

use crate::client::{Client, Failure, MoveRequest, MoveResponse};
use crate::protocol::{Info, UciScore};
use crate::text::Excerpt;
use noughts_core::game::{Outcome, Player, Position};
use noughts_core::search::{Stream, below, generator};

use super::clocks::Clocks;
use super::openings::Opening;
use super::record::{EngineRecord, GameRecord, MoveRecord, OpeningRecord, Reason};
use super::schedule::Plan;
use super::{Terms, Verdict};

/// A game under way.
pub struct Game {
    plan: Plan,
    opening: Opening,
    position: Position,
    /// The `position` line, with all moves so far.
    line: String,
    moves: Vec<MoveRecord>,
    seeds: [u32; 2],
}

/// How a game ended.
pub struct End {
    pub outcome: Outcome,
    pub reason: Reason,
    pub detail: Option<String>,
    pub exit: Option<String>,
}

impl End {
    /// Lost by a player for a reason that is not in the rules of the game.
    fn forfeit(loser: Player, reason: Reason, detail: String) -> End {
        End { outcome: Outcome::Win(!loser), reason, detail: Some(detail), exit: None }
    }

    /// Lost by a player that did not answer.
    pub fn by_failure(loser: Player, failure: &Failure, allowed: Duration) -> End {
        let reason = match failure {
            Failure::Gone { .. } | Failure::System(_) | Failure::Interrupted => Reason::Crash,
            Failure::NotReady(_) => Reason::Stall,
            Failure::Unasked => Reason::Illegal,
            Failure::Late { .. } | Failure::Flood => Reason::Time,
        };
        let detail = match failure {
            Failure::Late { answered: Some(after), .. } => {
                format!("{} ms too late", after.saturating_sub(allowed).as_micros().div_ceil(1000))
            }
            Failure::Late { answered: None, stopped } => {
                let stop = if *stopped { ", nor to stop" } else { "" };
                format!("no answer within {} ms{stop}", allowed.as_millis())
            }
            failure => failure.to_string(),
        };
        let exit = match failure {
            Failure::Gone { exit: Some(exit), .. } => Some(exit.to_string()),
            _ => None,
        };
        End { exit, ..End::forfeit(loser, reason, detail) }
    }
}

impl Game {
    /// A game at its opening.
    pub fn new(plan: Plan, terms: &Terms) -> Game {
        let opening = terms.book.opening(plan.round);
        let mut generator = generator(terms.seed, Stream::Game(plan.number));
        // Seeds from 1: 0 leaves the start to chance.
        let seeds = [(); 2].map(|()| 1 + below(&mut generator, i32::MAX as u32));
        let line = format!("position {}", opening.line);
        Game { plan, position: opening.position, line, moves: Vec::new(), seeds, opening }
    }

    pub fn plan(&self) -> Plan {
        self.plan
    }

    /// The position to move in.
    pub fn position(&self) -> &Position {
        &self.position
    }

    pub fn opening(&self) -> &Position {
        &self.opening.position
    }

    /// The `position` line.
    pub fn line(&self) -> &str {
        &self.line
    }

    /// The seed of a player's engine.
    pub fn seed(&self, player: Player) -> u32 {
        self.seeds[player as usize]
    }

    /// Plays the move of an answer; the end of the game, if it is one. `allowed` is the time that the answer might take
    /// without the margin, if there is a limit of time.
    pub fn play(&mut self, answer: &MoveResponse, allowed: Option<Duration>, records_info: bool) -> Option<End> {
        let mover = self.position.side();
        let played = match answer.best_move {
            Some(written) => {
                let rules = self.position.rules();
                let cell = written.on_board(rules.size()).and_then(|cell| self.position.play(cell).map(|()| cell));
                cell.map_err(|error| error.to_string())
            }
            None => Err("that is no move".to_owned()),
        };
        match played {
            Ok(cell) => {
                let begins = self.moves.is_empty() && !self.opening.line.contains(" moves");
                self.line.push_str(if begins { " moves " } else { " " });
                self.line.push_str(&cell.to_string());
                let info = if records_info { answer.info.clone().unwrap_or_default() } else { Info::default() };
                let over = allowed.and_then(|allowed| answer.elapsed.checked_sub(allowed));
                let margin = over.filter(|over| !over.is_zero()).map(milliseconds);
                let ms = milliseconds(answer.elapsed);
                self.moves.push(MoveRecord { cell, value: value(&info), nodes: info.nodes, ms, margin });
                let outcome = self.position.outcome()?;
                let reason = if outcome == Outcome::Draw { Reason::FullBoard } else { Reason::Line };
                Some(End { outcome, reason, detail: None, exit: None })
            }
            Err(problem) => {
                let complaint =
                    answer.error.as_ref().map(|text| format!("; before that it said {}", Excerpt::of(text)));
                let detail = format!("{}: {problem}{}", answer.excerpt(), complaint.unwrap_or_default());
                Some(End::forfeit(mover, Reason::Illegal, detail))
            }
        }
    }

    /// The record of the finished game. `seeded` tells which engines got a seed, X first.
    pub fn record(&mut self, end: End, terms: &Terms, seeded: [bool; 2]) -> GameRecord {
        let engine = |player: Player| {
            let number = self.plan.engine(player);
            let setup = &terms.settings.engines[number];
            EngineRecord {
                engine: number,
                name: setup.name.clone(),
                command: setup.command.clone(),
                dir: setup.folder_text(),
                proto: setup.protocol,
                options: setup.options.iter().cloned().collect(),
                seed: seeded[player as usize].then(|| self.seed(player)),
            }
        };
        GameRecord {
            match_id: terms.match_id.clone(),
            game: self.plan.number,
            round: self.plan.round,
            swap: terms.settings.swap,
            x: engine(Player::X),
            o: engine(Player::O),
            rules: terms.settings.rules,
            limit: terms.settings.limit.to_string(),
            opening: OpeningRecord {
                line: self.opening.line.clone(),
                side: self.opening.position.side().letter(),
                number: self.opening.number,
                of: terms.book.size(),
                weight: self.opening.weight,
            },
            moves: std::mem::take(&mut self.moves),
            result: end.outcome,
            reason: end.reason,
            detail: end.detail,
            exit: end.exit,
            seed: terms.seed,
        }
    }
}

/// Milliseconds to three decimals.
fn milliseconds(time: Duration) -> f64 {
    (time.as_nanos() as f64 / 1e3).round() / 1e3
}

/// The value that an engine gave: in so many words, or as a proven win or loss.
fn value(info: &Info) -> Option<f64> {
    info.value.or(match info.score {
        Some(UciScore::Mate(distance)) => Some(distance.signum() as f64),
        _ => None,
    })
}

/// Plays a game to its end, each engine asked in turn. The verdict tells which engine cannot be used again.
///
/// # Errors
/// When the match is interrupted: then there is no result.
pub fn play(plan: Plan, clients: [&mut Client; 2], terms: &Terms) -> Result<Verdict, Interrupted> {
    let mut game = Game::new(plan, terms);
    let seeded = [clients[0].takes_seed(), clients[1].takes_seed()];
    let (end, failure) = play_on(&mut game, clients, terms);
    let broken = match failure {
        Some(Failure::Interrupted) => return Err(Interrupted),
        // An engine that has answered late can be asked again.
        None | Some(Failure::Late { answered: Some(_), .. }) => None,
        Some(failure) => Some((plan.engine(game.position.side()), failure)),
    };
    let opening = *game.opening();
    Ok(Verdict { record: game.record(end, terms, seeded), opening, broken })
}

/// Asks the engines in turn until the game ends, and says how; with the failure that ended it, if one did.
fn play_on(game: &mut Game, clients: [&mut Client; 2], terms: &Terms) -> (End, Option<Failure>) {
    let mut clocks = Clocks::new(terms.settings.limit);
    for player in Player::BOTH {
        clients[player as usize].begin_game(game.seed(player));
    }
    loop {
        let mover = game.position.side();
        let client = &mut *clients[mover as usize];
        // With a clock running, what a new game costs is not charged to the first move.
        if terms.settings.limit.is_timed()
            && game.moves.len() < 2
            && let Err(failure) = client.get_ready()
        {
            return (End::by_failure(mover, &failure, Duration::ZERO), Some(failure));
        }
        let time = clocks.allowed(mover);
        let allowed = time.unwrap_or(terms.settings.patience);
        let limit = time.map_or(allowed, |time| time + terms.settings.margin);
        let wants_info = terms.records_info();
        let request = MoveRequest { position: &game.line, go: clocks.go(), limit, seed: None, wants_info };
        let answer = match client.request_move(request) {
            Ok(answer) => answer,
            Err(failure) => return (End::by_failure(mover, &failure, allowed), Some(failure)),
        };
        if answer.stale > 0 {
            terms.warn_of_stale(client.name());
        }
        if let Some(end) = game.play(&answer, time, terms.records_info()) {
            return (end, None);
        }
        clocks.spend(mover, answer.elapsed);
    }
}

/// The match is over before the game.
#[derive(Debug)]
pub struct Interrupted;
