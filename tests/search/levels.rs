//! Levels below full strength: plausible mistakes, fewer from level to level, and never absurd ones.

use crate::common::random_games::any_move;
use crate::common::{Conversation, positions_by_ply, rules, value_of};
use noughts::game::{Cell, Outcome, Position, Rules, Score};
use noughts::search::{
    Control, Level, LevelSearcher, MonteCarlo, SearchRequest, Searcher, Stream, ValueTable, Variation, generator,
};

fn levels() -> impl Iterator<Item = Level> {
    (1..10).map(Level::new)
}

/// Every move of a position with its exact value.
fn exact_lines(position: &Position, table: &ValueTable) -> Vec<Variation> {
    let line = |cell| {
        let score = Score::Exact(table.value(&position.after(cell)).before_move());
        Variation { score, principal_variation: vec![cell], total: None }
    };
    position.moves().map(line).collect()
}

fn running(rules: Rules) -> impl Iterator<Item = Position> {
    positions_by_ply(rules).into_iter().flatten().filter(|position| position.outcome().is_none())
}

/// The loss of a level on average, in half points, over all positions of 3x3.
fn given_away(level: Level, rules: Rules) -> f64 {
    let table = ValueTable::build(rules);
    let (mut sum, mut positions) = (0.0, 0.0);
    for position in running(rules) {
        let lines = exact_lines(&position, &table);
        let best = table.value(&position).result();
        let chances = level.chances(&position, &lines);
        sum += lines
            .iter()
            .zip(&chances)
            .map(|(line, chance)| match line.score {
                Score::Exact(value) => f64::from(best - value.result()) * chance,
                Score::Within(_) | Score::Estimate(_) => unreachable!("all values are exact"),
            })
            .sum::<f64>();
        positions += 1.0;
    }
    sum / positions
}

#[test]
fn each_higher_level_gives_less_away_on_3x3_exactly_counted() {
    for reverse in [false, true] {
        let rules = rules(3, 0, reverse);
        let by_level: Vec<f64> = levels().map(|level| given_away(level, rules)).collect();
        assert!(by_level.is_sorted_by(|lower, higher| lower > higher), "{by_level:?}");
        assert!(by_level[0] > 0.1 && by_level[8] < 0.01, "{by_level:?}");
    }
}

#[test]
fn move_chances_sum_to_1_and_better_moves_have_better_chances() {
    for reverse in [false, true] {
        let rules = rules(3, 0, reverse);
        let table = ValueTable::build(rules);
        for position in running(rules) {
            let lines = exact_lines(&position, &table);
            for level in levels() {
                let chances = level.chances(&position, &lines);
                assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                for (line, chance) in lines.iter().zip(&chances) {
                    for (other, least) in lines.iter().zip(&chances) {
                        let (Score::Exact(value), Score::Exact(lower)) = (line.score, other.score) else { continue };
                        assert!(*chance == 0.0 || *least == 0.0 || value < lower || chance >= least);
                    }
                }
            }
        }
    }
}

/// The move of a level in a position.
fn answer(level: Level, position: &Position, seed: u64) -> Cell {
    let monte_carlo = MonteCarlo::default();
    let mut searcher = LevelSearcher::new(level, position.rules(), monte_carlo);
    let question = SearchRequest::new(*position);
    let control = Control::new(Default::default(), None, Some(50));
    let verdict = searcher.search(&question, &mut generator(seed, Stream::Go(1)), &control, &mut |_| {});
    assert_eq!(verdict.lines.len(), 1);
    assert_eq!(verdict.score, verdict.lines[0].score);
    verdict.lines[0].first_move()
}

/// Positions from random games, with some moves to come.
fn middle_games(rules: Rules, games: u64) -> Vec<Position> {
    let mut positions = Vec::new();
    for game in 0..games {
        let mut generator = generator(game, Stream::Game(1));
        let mut position = Position::start(rules);
        while position.outcome().is_none() {
            positions.push(position);
            position = position.after(any_move(&position, &mut generator));
        }
    }
    positions
}

#[test]
fn every_level_takes_a_win_at_once_and_level_3_and_up_block_one() {
    let mut cases = [0; 2];
    for (size, connect) in [(3, 0), (4, 3), (5, 4), (7, 5)] {
        let rules = rules(size, connect, false);
        for (number, position) in middle_games(rules, 40).into_iter().enumerate() {
            let side = position.side();
            let wins = |cell: &Cell| position.after(*cell).outcome() == Some(Outcome::Win(side));
            let can_win = position.moves().any(|cell| wins(&cell));
            // The same board with the other side to move, as far as there is such a position.
            let diagram = noughts::game::Diagram { side: Some(!side), ..position.diagram() };
            let threatened: Vec<Cell> = match Position::set_up(rules, &diagram) {
                Ok(other) => {
                    other.moves().filter(|&cell| other.after(cell).outcome() == Some(Outcome::Win(!side))).collect()
                }
                Err(_) => Vec::new(),
            };
            for level in levels() {
                let played = answer(level, &position, number as u64);
                if can_win {
                    cases[0] += 1;
                    assert!(wins(&played), "level {level:?}: {played} in {}", position.diagram());
                } else if level >= Level::new(3) && !threatened.is_empty() {
                    cases[1] += 1;
                    assert!(threatened.contains(&played), "level {level:?}: {played} in {}", position.diagram());
                }
            }
        }
    }
    assert!(cases[0] > 500 && cases[1] > 300, "{cases:?}");
}

#[test]
fn levels_complete_a_line_in_reverse_only_when_forced() {
    let mut cases = 0;
    for (size, connect) in [(3, 0), (4, 3), (5, 4)] {
        let rules = rules(size, connect, true);
        for (number, position) in middle_games(rules, 60).into_iter().enumerate() {
            let side = position.side();
            let loses = |cell: Cell| position.after(cell).outcome() == Some(Outcome::Win(!side));
            if position.moves().any(loses) && !position.moves().all(loses) {
                cases += 1;
                for level in levels() {
                    assert!(!loses(answer(level, &position, number as u64)), "{level:?} in {}", position.diagram());
                }
            }
        }
    }
    assert!(cases > 100, "{cases}");
}

#[test]
fn a_move_is_told_at_its_own_worth_and_eval_knows_no_levels() {
    let mut conversation = Conversation::new();
    conversation.send("setoption seed 1\nsetoption level 1\nsetoption MultiPV 9\n");
    let mut blunders = 0;
    for _ in 0..50 {
        // O has to answer in a corner.
        let lines = conversation.send("position startpos moves 1,1\ngo\n").until_line("bestmove");
        let told = &lines[lines.len() - 2];
        let played = lines.last().expect("an answer").trim_start_matches("bestmove ").to_owned();
        let is_corner = ["0,0", "0,2", "2,0", "2,2"].contains(&played.as_str());
        assert_eq!(value_of(told, "value"), Some(if is_corner { "0" } else { "-1" }), "{told}");
        assert_eq!((value_of(told, "proven"), value_of(told, "pv")), (Some("true"), Some(played.as_str())));
        blunders += u32::from(!is_corner);
    }
    assert!((5..45).contains(&blunders), "{blunders}");
    let drawn = |conversation: &mut Conversation| conversation.send("eval\n").until_idle();
    let weak = drawn(&mut conversation);
    conversation.send("setoption level 10\n");
    assert_eq!(weak, drawn(&mut conversation));
}

#[test]
fn random_moves_and_textbooks_have_no_levels() {
    for player in ["random", "negamax", "montecarlolimit"] {
        let said = |level: &str| {
            let mut conversation = Conversation::new();
            conversation.send(&format!("setoption seed 3\nsetoption player {player}\nsetoption level {level}\n"));
            conversation.send("go\n").until_line("bestmove").pop()
        };
        assert_eq!(said("1"), said("10"));
    }
}
