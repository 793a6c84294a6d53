//! One game: two engines are asked in turn, and this program judges their moves by the rules.

use std::time::Duration;

use crate::client::{Client, Failure, MoveRequest, MoveResponse};
use crate::protocol::{Info, UciScore};
use crate::system::process::describe_exit;
use crate::text::Excerpt;
use noughts_core::game::{Outcome, Player, Position};
use noughts_core::search::{Stream, below, generator};

use super::context::MatchContext;
use super::limit::Clocks;
use super::openings::Opening;
use super::record::{EndReason, EngineRecord, GameRecord, MoveRecord, OpeningRecord};
use super::schedule::ScheduledGame;

/// A game that has ended.
pub struct FinishedGame {
    pub record: GameRecord,
    /// The position of the opening.
    pub opening: Position,
    /// The number of an engine that cannot be used again, and why.
    pub broken: Option<(usize, Failure)>,
}

/// A game that is being played.
struct OngoingGame {
    scheduled: ScheduledGame,
    opening: Opening,
    position: Position,
    /// The `position` line, with all moves so far.
    line: String,
    moves: Vec<MoveRecord>,
    seeds: [u32; 2],
}

/// The end of a game.
struct GameEnd {
    outcome: Outcome,
    reason: EndReason,
    detail: Option<String>,
    exit: Option<String>,
}

impl GameEnd {
    /// A loss that does not follow from the rules of the game.
    fn forfeit(loser: Player, reason: EndReason, detail: String) -> GameEnd {
        GameEnd { outcome: Outcome::Win(!loser), reason, detail: Some(detail), exit: None }
    }

    /// A loss by a failure of the engine.
    fn by_failure(loser: Player, failure: &Failure, allowed: Duration) -> GameEnd {
        let reason = match failure {
            Failure::Gone { .. } | Failure::System(_) | Failure::Interrupted => EndReason::Crash,
            Failure::NotReady(_) => EndReason::Stall,
            Failure::Unasked => EndReason::Illegal,
            Failure::Late { .. } | Failure::Flood => EndReason::Time,
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
            Failure::Gone { exit: Some(exit), .. } => Some(describe_exit(*exit)),
            _ => None,
        };
        GameEnd { exit, ..GameEnd::forfeit(loser, reason, detail) }
    }
}

impl OngoingGame {
    /// A game at its opening.
    fn new(scheduled: ScheduledGame, context: &MatchContext) -> OngoingGame {
        let opening = context.book.opening(scheduled.round);
        let mut generator = generator(context.seed, Stream::Game(scheduled.number));
        // Seeds from 1: 0 means a random seed.
        let seeds = [(); 2].map(|()| 1 + below(&mut generator, i32::MAX as u32));
        let line = format!("position {}", opening.line);
        OngoingGame { scheduled, position: opening.position, line, moves: Vec::new(), seeds, opening }
    }

    /// The seed for the engine of a player.
    fn seed(&self, player: Player) -> u32 {
        self.seeds[player as usize]
    }

    /// Plays the move of an answer. Returns how the game ended, if it did. `allowed` is the time limit of the answer
    /// without the margin, if there is one.
    fn play(&mut self, answer: &MoveResponse, allowed: Option<Duration>, records_info: bool) -> Option<GameEnd> {
        let mover = self.position.side();
        let played = match answer.best_move {
            Some(written) => {
                let rules = self.position.rules();
                let cell = written.on_board(rules.shape()).and_then(|cell| self.position.play(cell).map(|()| cell));
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
                let reason = if outcome == Outcome::Draw { EndReason::FullBoard } else { EndReason::Line };
                Some(GameEnd { outcome, reason, detail: None, exit: None })
            }
            Err(problem) => {
                let complaint =
                    answer.error.as_ref().map(|text| format!("; before that it said {}", Excerpt::of(text)));
                let detail = format!("{}: {problem}{}", answer.excerpt(), complaint.unwrap_or_default());
                Some(GameEnd::forfeit(mover, EndReason::Illegal, detail))
            }
        }
    }

    /// The record of the finished game. `seeded` is true for engines that got a seed, X first.
    fn record(&mut self, end: GameEnd, context: &MatchContext, seeded: [bool; 2]) -> GameRecord {
        let engine = |player: Player| {
            let number = self.scheduled.engine(player);
            let setup = &context.settings.engines[number];
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
            match_id: context.match_id.clone(),
            game: self.scheduled.number,
            round: self.scheduled.round,
            swap: context.settings.swap,
            x: engine(Player::X),
            o: engine(Player::O),
            rules: context.settings.rules,
            limit: context.settings.limit.to_string(),
            opening: OpeningRecord {
                line: self.opening.line.clone(),
                side: self.opening.position.side().letter(),
                number: self.opening.number,
                of: context.book.size(),
                weight: self.opening.weight,
            },
            moves: std::mem::take(&mut self.moves),
            result: end.outcome,
            reason: end.reason,
            detail: end.detail,
            exit: end.exit,
            seed: context.seed,
        }
    }
}

/// Milliseconds, rounded to three decimals.
fn milliseconds(time: Duration) -> f64 {
    (time.as_nanos() as f64 / 1e3).round() / 1e3
}

/// The value that an engine gave, directly or as a proven win or loss.
fn value(info: &Info) -> Option<f64> {
    info.value.or(match info.score {
        Some(UciScore::Mate(distance)) => Some(distance.signum() as f64),
        _ => None,
    })
}

/// Plays a game to its end and asks each engine in turn. `None` when the match is interrupted: then the game has no result.
pub fn play(scheduled: ScheduledGame, clients: [&mut Client; 2], context: &MatchContext) -> Option<FinishedGame> {
    let mut game = OngoingGame::new(scheduled, context);
    let seeded = [clients[0].takes_seed(), clients[1].takes_seed()];
    let (end, failure) = play_on(&mut game, clients, context);
    let broken = match failure {
        Some(Failure::Interrupted) => return None,
        // An engine that answered late can be used again.
        None | Some(Failure::Late { answered: Some(_), .. }) => None,
        Some(failure) => Some((scheduled.engine(game.position.side()), failure)),
    };
    let opening = game.opening.position;
    Some(FinishedGame { record: game.record(end, context, seeded), opening, broken })
}

/// Asks the engines in turn until the game ends. Returns how it ended, and the failure that ended it, if one did.
fn play_on(game: &mut OngoingGame, clients: [&mut Client; 2], context: &MatchContext) -> (GameEnd, Option<Failure>) {
    let mut clocks = Clocks::new(context.settings.limit);
    for player in Player::BOTH {
        clients[player as usize].begin_game(game.seed(player));
    }
    loop {
        let mover = game.position.side();
        let client = &mut *clients[mover as usize];
        // With a time limit, the preparation for a new game does not count as time of the first move.
        if context.settings.limit.is_timed()
            && game.moves.len() < 2
            && let Err(failure) = client.get_ready()
        {
            return (GameEnd::by_failure(mover, &failure, Duration::ZERO), Some(failure));
        }
        let time = clocks.allowed(mover);
        let allowed = time.unwrap_or(context.settings.patience);
        let limit = time.map_or(allowed, |time| time + context.settings.margin);
        let wants_info = context.settings.record.is_some();
        let request = MoveRequest { position: &game.line, go: clocks.go(), limit, wants_info };
        let answer = match client.request_move(request) {
            Ok(answer) => answer,
            Err(failure) => return (GameEnd::by_failure(mover, &failure, allowed), Some(failure)),
        };
        if answer.stale > 0 {
            let name = client.name();
            context.warn(format!("{name}: an answer to an earlier question came late and is ignored"));
        }
        if let Some(end) = game.play(&answer, time, context.settings.record.is_some()) {
            return (end, None);
        }
        clocks.spend(mover, answer.elapsed);
    }
}
