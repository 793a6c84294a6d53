//! Many games at once between one pair of engine processes: all questions to an engine go out in one write.
//!
//! This is for engines whose move depends on the `position` line of the question alone. Every question has a seed of
//! its own, so that a game does not depend on the games beside it.

use std::time::Instant;

use crate::client::{Client, Failure, MoveRequest, SeriesFailure, go_line};

use super::clocks::plain_limits;
use super::context::MatchContext;
use super::game::{FinishedGame, GameEnd, Interrupted, OngoingGame};
use super::schedule::ScheduledGame;

/// What is left of a batch after its finished games.
#[derive(Default)]
pub struct UnfinishedGames {
    /// The number of an engine that cannot be used again, and why.
    pub broken: Option<(usize, Failure)>,
    /// Games that had not ended when it broke. They have to be played again.
    pub abandoned: Vec<ScheduledGame>,
}

/// Plays games between the same two engines. `clients` are in the order of the engines' numbers. `finish` gets each
/// game as it ends.
///
/// # Errors
/// When the match is interrupted. Games that have not ended have no result.
pub fn play(
    games: Vec<ScheduledGame>,
    clients: [&mut Client; 2],
    context: &MatchContext,
    mut finish: impl FnMut(FinishedGame),
) -> Result<UnfinishedGames, Interrupted> {
    let Some(first) = games.first() else { return Ok(UnfinishedGames::default()) };
    let [x, o] = first.engines;
    let mut batch = Batch {
        context,
        engines: [x.min(o), x.max(o)],
        take_seeds: [clients[0].takes_seed(), clients[1].takes_seed()],
        go: go_line(plain_limits(context.settings.limit)),
        games: games.into_iter().map(|game| OngoingGame::new(game, context)).collect(),
    };
    while !batch.games.is_empty() {
        for side in [0, 1] {
            if let Some(unfinished) = batch.ask(side, clients[side], &mut finish)? {
                return Ok(unfinished);
            }
        }
    }
    Ok(UnfinishedGames::default())
}

struct Batch<'a> {
    context: &'a MatchContext,
    /// The two engines, in the order of their numbers.
    engines: [usize; 2],
    take_seeds: [bool; 2],
    go: String,
    /// Games that have not ended.
    games: Vec<OngoingGame>,
}

impl Batch<'_> {
    /// Asks one of the two engines for a move in all games in which it is to move. Returns what is left if it breaks.
    fn ask(
        &mut self,
        side: usize,
        client: &mut Client,
        finish: &mut impl FnMut(FinishedGame),
    ) -> Result<Option<UnfinishedGames>, Interrupted> {
        let engine = self.engines[side];
        let asked: Vec<usize> = (0..self.games.len()).filter(|&game| to_move(&self.games[game]) == engine).collect();
        if asked.is_empty() {
            return Ok(None);
        }
        let patience = self.context.settings.patience;
        let wants_info = self.context.records_info();
        let request = |&game: &usize| {
            let game = &self.games[game];
            let seed = self.take_seeds[side].then(|| question_seed(game));
            MoveRequest { position: game.line(), go: &self.go, limit: patience, seed, wants_info }
        };
        let requests: Vec<MoveRequest<'_>> = asked.iter().map(request).collect();
        let start = Instant::now();
        let mut answers = Vec::new();
        let result = client.request_series(&requests, |answer| answers.push(answer));
        if let Err(SeriesFailure { failure: Failure::Unasked, .. }) = result {
            // It is unknown which answer belongs to which question: none of them counts.
            answers.clear();
        }
        // The time of one move among many cannot be measured: each counts as long as the others.
        let share = start.elapsed() / answers.len().max(1) as u32;
        let mut ends = Vec::new();
        for (&game, answer) in asked.iter().zip(&mut answers) {
            if answer.stale > 0 {
                self.context.warn_of_stale(client.name());
            }
            if !client.requests_one_at_a_time() {
                answer.elapsed = share;
            }
            ends.extend(self.games[game].play(answer, None, self.context.records_info()).map(|end| (game, end)));
        }
        let ended: Vec<usize> = ends.iter().map(|(game, _)| *game).collect();
        ends.into_iter().for_each(|(game, end)| finish(self.finished(game, end, None)));
        match result {
            Ok(_) => {
                // From the last to the first, so that the numbers of the other games stay the same.
                ended.into_iter().rev().for_each(|game| drop(self.games.swap_remove(game)));
                Ok(None)
            }
            Err(SeriesFailure { failure: Failure::Interrupted, .. }) => Err(Interrupted),
            Err(SeriesFailure { failure, .. }) => {
                // The engine broke at the first question without an answer.
                let culprit = asked[answers.len().min(asked.len() - 1)];
                let loser = self.games[culprit].position().side();
                let end = GameEnd::by_failure(loser, &failure, patience);
                let broken = Some((engine, failure));
                finish(self.finished(culprit, end, broken.clone()));
                let unfinished = (0..self.games.len()).filter(|game| *game != culprit && !ended.contains(game));
                Ok(Some(UnfinishedGames {
                    broken,
                    abandoned: unfinished.map(|game| self.games[game].scheduled()).collect(),
                }))
            }
        }
    }

    fn finished(&mut self, game: usize, end: GameEnd, broken: Option<(usize, Failure)>) -> FinishedGame {
        let game = &mut self.games[game];
        let seeded = game.scheduled().engines.map(|engine| self.take_seeds[usize::from(engine == self.engines[1])]);
        let opening = *game.opening();
        FinishedGame { record: game.record(end, self.context, seeded), opening, broken }
    }
}

/// The engine that is to move in a game.
fn to_move(game: &OngoingGame) -> usize {
    game.scheduled().engine(game.position().side())
}

/// A seed for the next question of a game, from 1 to 2147483647, the largest that the option takes.
fn question_seed(game: &OngoingGame) -> u32 {
    let position = game.position();
    let ply = (position.rules().cells() - position.empty_cells()) as u64;
    let seed = u64::from(game.seed(position.side()));
    1 + ((seed + ply * 0x1000_0001) % (i32::MAX as u64)) as u32
}
