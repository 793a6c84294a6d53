//! Many games at once through one pair of engines: all questions to an engine go out in one write.
//!
//! The engines have to look at nothing but the `position` line of a question. So that a game does not depend on the
//! games beside it, every question comes with a seed of its own.

use std::time::Instant;

use crate::client::{Client, Failure, MoveRequest, SeriesFailure, go_line};

use super::clocks::plain_limits;
use super::game::{End, Game, Interrupted};
use super::schedule::Plan;
use super::{Terms, Verdict};

/// What became of a batch apart from the games that ended.
#[derive(Default)]
pub struct Leftover {
    /// An engine that cannot be used again, and why.
    pub broken: Option<(usize, Failure)>,
    /// Games that were under way when it broke; they are to be played again.
    pub abandoned: Vec<Plan>,
}

/// Plays games between the same two engines. `clients` are in the order of the engines' numbers, and `finish` takes
/// each game as it ends.
///
/// # Errors
/// When the match is interrupted: games that have not ended have no result.
pub fn play(
    plans: Vec<Plan>,
    clients: [&mut Client; 2],
    terms: &Terms,
    mut finish: impl FnMut(Verdict),
) -> Result<Leftover, Interrupted> {
    let Some(first) = plans.first() else { return Ok(Leftover::default()) };
    let [x, o] = first.engines;
    let mut batch = Batch {
        terms,
        engines: [x.min(o), x.max(o)],
        take_seeds: [clients[0].takes_seed(), clients[1].takes_seed()],
        go: go_line(plain_limits(terms.settings.limit)),
        games: plans.into_iter().map(|plan| Game::new(plan, terms)).collect(),
    };
    while !batch.games.is_empty() {
        for side in [0, 1] {
            if let Some(leftover) = batch.ask(side, clients[side], &mut finish)? {
                return Ok(leftover);
            }
        }
    }
    Ok(Leftover::default())
}

struct Batch<'a> {
    terms: &'a Terms,
    /// The two engines, in the order of their numbers.
    engines: [usize; 2],
    take_seeds: [bool; 2],
    go: String,
    /// Games that go on.
    games: Vec<Game>,
}

impl Batch<'_> {
    /// Has one of the two engines move in all games in which it is its turn. What is left when it breaks.
    fn ask(
        &mut self,
        side: usize,
        client: &mut Client,
        finish: &mut impl FnMut(Verdict),
    ) -> Result<Option<Leftover>, Interrupted> {
        let engine = self.engines[side];
        let asked: Vec<usize> = (0..self.games.len()).filter(|&game| to_move(&self.games[game]) == engine).collect();
        if asked.is_empty() {
            return Ok(None);
        }
        let patience = self.terms.settings.patience;
        let wants_info = self.terms.records_info();
        let request = |&game: &usize| {
            let game = &self.games[game];
            let seed = self.take_seeds[side].then(|| question_seed(game));
            MoveRequest { position: game.line(), go: &self.go, limit: patience, seed, wants_info }
        };
        let requests: Vec<MoveRequest<'_>> = asked.iter().map(request).collect();
        let start = Instant::now();
        let mut said = Vec::new();
        let result = client.request_series(&requests, |answer| said.push(answer));
        if let Err(SeriesFailure { failure: Failure::Unasked, .. }) = result {
            // Nobody knows what answers what: none of it counts.
            said.clear();
        }
        // Where questions go out together there is no telling the time of one move: each took as long as the others.
        let share = start.elapsed() / said.len().max(1) as u32;
        let mut ends = Vec::new();
        for (&game, answer) in asked.iter().zip(&mut said) {
            if answer.stale > 0 {
                self.terms.warn_of_stale(client.name());
            }
            if !client.requests_one_at_a_time() {
                answer.elapsed = share;
            }
            ends.extend(self.games[game].play(answer, None, self.terms.records_info()).map(|end| (game, end)));
        }
        let ended: Vec<usize> = ends.iter().map(|(game, _)| *game).collect();
        ends.into_iter().for_each(|(game, end)| finish(self.verdict(game, end, None)));
        match result {
            Ok(_) => {
                // From the back, so that the numbers of the others stay.
                ended.into_iter().rev().for_each(|game| drop(self.games.swap_remove(game)));
                Ok(None)
            }
            Err(SeriesFailure { failure: Failure::Interrupted, .. }) => Err(Interrupted),
            Err(SeriesFailure { failure, .. }) => {
                // The first question without an answer is the one that the engine broke on.
                let culprit = asked[said.len().min(asked.len() - 1)];
                let loser = self.games[culprit].position().side();
                let end = End::by_failure(loser, &failure, patience);
                let broken = Some((engine, failure));
                finish(self.verdict(culprit, end, broken.clone()));
                let unfinished = (0..self.games.len()).filter(|game| *game != culprit && !ended.contains(game));
                Ok(Some(Leftover { broken, abandoned: unfinished.map(|game| self.games[game].plan()).collect() }))
            }
        }
    }

    fn verdict(&mut self, game: usize, end: End, broken: Option<(usize, Failure)>) -> Verdict {
        let game = &mut self.games[game];
        let seeded = game.plan().engines.map(|engine| self.take_seeds[usize::from(engine == self.engines[1])]);
        let opening = *game.opening();
        Verdict { record: game.record(end, self.terms, seeded), opening, broken }
    }
}

fn to_move(game: &Game) -> usize {
    game.plan().engine(game.position().side())
}

/// A seed for the next question of a game: from 1 to 2147483647, the range of the option.
fn question_seed(game: &Game) -> u32 {
    let position = game.position();
    let ply = (position.rules().cells() - position.empty_cells()) as u64;
    let seed = u64::from(game.seed(position.side()));
    1 + ((seed + ply * 0x1000_0001) % (i32::MAX as u64)) as u32
}
