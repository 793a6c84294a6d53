//! Many games at once through one pair of engines: all questions to an engine go out in one write.
//!
//! The engines have to look at nothing but the `position` line of a question. So that a game does not depend on the
//! games beside it, every question comes with a seed of its own.

use std::fmt::Write;

use crate::client::{Answer, Client, Failure, go_line};
use crate::protocol::Command;

use super::game::{End, Game, Interrupted, plain_limits};
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
    let mut games: Vec<Game> = plans.into_iter().map(|plan| Game::new(plan, terms)).collect();
    let engines = games.first().map_or([0, 1], |game| {
        let [x, o] = game.plan().engines;
        [x.min(o), x.max(o)]
    });
    let seeds = [clients[0].takes_seed(), clients[1].takes_seed()];
    let go = go_line(plain_limits(terms.settings.limit));
    let mut questions = String::new();
    while !games.is_empty() {
        for (index, &engine) in engines.iter().enumerate() {
            let asked: Vec<usize> = (0..games.len()).filter(|&game| to_move(&games[game]) == engine).collect();
            if asked.is_empty() {
                continue;
            }
            questions.clear();
            asked.iter().for_each(|&game| write_question(&mut questions, &games[game], seeds[index], &go));
            let seeded = |plan: Plan| plan.engines.map(|engine| seeds[usize::from(engine == engines[1])]);
            let mut ended = Vec::new();
            let mut answers = 0;
            let result = clients[index].ask_many(&questions, asked.len(), terms.settings.patience, |which, answer| {
                warn_of_stale(&answer, engine, terms);
                answers += 1;
                let game = &mut games[asked[which]];
                if let Some(end) = game.play(&answer, terms.records_info()) {
                    ended.push(asked[which]);
                    finish(verdict(game, end, terms, seeded(game.plan()), None));
                }
            });
            if let Err(failure) = result {
                if failure == Failure::Interrupted {
                    return Err(Interrupted);
                }
                // The first question without an answer is the one that the engine broke on.
                let culprit = asked[answers.min(asked.len() - 1)];
                let game = &mut games[culprit];
                let end = End::by_failure(game.position().side(), &failure, terms.settings.patience);
                let broken = Some((engine, failure));
                finish(verdict(game, end, terms, seeded(game.plan()), broken.clone()));
                let unfinished = (0..games.len()).filter(|game| *game != culprit && !ended.contains(game));
                return Ok(Leftover { broken, abandoned: unfinished.map(|game| games[game].plan()).collect() });
            }
            // From the back, so that the numbers of the others stay.
            ended.sort_unstable();
            ended.into_iter().rev().for_each(|game| drop(games.swap_remove(game)));
        }
    }
    Ok(Leftover::default())
}

fn to_move(game: &Game) -> usize {
    game.plan().engine(game.position().side())
}

fn write_question(questions: &mut String, game: &Game, takes_seed: bool, go: &str) {
    if takes_seed {
        let value = question_seed(game).to_string();
        let command = Command::SetOption { name: "seed".to_owned(), value };
        // Writing to a string cannot fail.
        let _ = writeln!(questions, "{command}");
    }
    questions.extend([game.line(), "\n", go, "\n"]);
}

/// A seed for the next question of a game: from 1 to 2147483647, the range of the option.
fn question_seed(game: &Game) -> u64 {
    let position = game.position();
    let ply = (position.rules().cells() - position.empty_cells()) as u64;
    let seed = u64::from(game.seed(position.side()));
    1 + (seed + ply * 0x1000_0001) % (i32::MAX as u64)
}

fn warn_of_stale(answer: &Answer, engine: usize, terms: &Terms) {
    if answer.stale > 0 {
        let name = &terms.settings.engines[engine].name;
        terms.warn(&format!("{name}: an answer to an earlier question came late and is ignored"));
    }
}

fn verdict(game: &mut Game, end: End, terms: &Terms, seeded: [bool; 2], broken: Option<(usize, Failure)>) -> Verdict {
    let opening = *game.opening();
    Verdict { record: game.record(end, terms, seeded), opening, broken }
}
