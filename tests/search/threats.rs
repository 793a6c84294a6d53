//! Wins by threats: every strategy is walked through against every legal reply, and no win is claimed that is none.
//!
//! `tests/data/threats.csv` has positions that are won by threats. They come from games of `mcts` against itself, a few
//! milliseconds a move, from random openings: the first position of each game in which the threat search found a win
//! within 400,000 nodes (15x15) or 200,000 (other boards). A line has the rules, the position, the kind, and the plies of
//! the win that was found.

use crate::common::biased::BiasedPlay;
use crate::common::claims::is_within;
use crate::common::oracle::{self, stones, table_of_4x4, table_value};
use crate::common::part::Part;
use crate::common::{random_games, rules};
use crate::exact_values::visit_all;
use noughts::game::{Cell, Player, Position, Rules, Value};
use noughts::search::{Control, StrategyNode, ThreatSearch};
use noughts_oracle::Table;

const PUZZLES: &str = include_str!("../data/threats.csv");

/// MiB of a search.
const MEMORY: u32 = 16;

/// The moves that lead to the first flaw of a strategy; `None` if it wins.
///
/// It makes every legal reply, those outside of the threats included. It uses the rules of the game and nothing of the
/// search.
fn flaw(nodes: &[StrategyNode], position: &Position) -> Option<Vec<Cell>> {
    flaw_below(nodes, 0, position, position.side())
}

fn flaw_below(nodes: &[StrategyNode], index: usize, position: &Position, attacker: Player) -> Option<Vec<Cell>> {
    let node = &nodes[index];
    let wrong = Some(vec![node.cell]);
    let mut after = *position;
    if position.side() != attacker || after.play(node.cell).is_err() {
        return wrong;
    }
    if let Some(value) = after.final_value() {
        return if value == Value::Loss(0) { None } else { wrong };
    }
    after.moves().find_map(|reply| {
        let listed = node.replies.iter().find(|(cell, _)| *cell == reply).map(|(_, answer)| *answer);
        let position = after.after(reply);
        let below = match listed.or(node.otherwise) {
            Some(answer) if position.outcome().is_none() => {
                let is_sooner = answer > index && nodes[answer].plies + 2 <= node.plies;
                if is_sooner { flaw_below(nodes, answer, &position, attacker) } else { Some(Vec::new()) }
            }
            _ => Some(Vec::new()),
        };
        below.map(|moves| [vec![node.cell, reply], moves].concat())
    })
}

/// A search of up to 2,000 nodes: the strategy and the plies within which it wins.
fn find(search: &mut ThreatSearch, position: &Position) -> Option<(Vec<StrategyNode>, u16)> {
    let strategy = search.find_win(position, &Control::nodes_only(2_000))?;
    let plies = strategy.plies();
    assert_eq!(strategy.longest_line().len(), usize::from(plies), "{}", position.diagram());
    Some((strategy.into_nodes(), plies))
}

/// Finds a win and walks through the strategy: the plies within which it wins.
fn find_and_walk(search: &mut ThreatSearch, position: &Position) -> Option<u16> {
    let (nodes, plies) = find(search, position)?;
    assert_eq!(flaw(&nodes, position), None, "{}: {}", position.rules(), position.diagram());
    Some(plies)
}

fn read(line: &str) -> Position {
    let mut fields = line.split(',');
    let [rules, diagram] = [(); 2].map(|()| fields.next().expect("a table of positions"));
    random_games::position(rules.parse().expect("rules"), diagram)
}

/// Searches biased positions of a board, walks through every strategy, and gives each win to `check`.
fn on_biased_positions(rules: Rules, number: u64, mut check: impl FnMut(&Position, u16)) -> usize {
    let mut search = ThreatSearch::new(rules, MEMORY);
    let mut play = BiasedPlay::new(rules, 5);
    let mut wins = 0;
    for game in 0..number {
        let cells = rules.cells();
        let empties = cells / 3 + game as usize % (cells / 2);
        let Some(position) = play.position(empties) else { continue };
        if let Some(plies) = find_and_walk(&mut search, &position) {
            check(&position, plies);
            wins += 1;
        }
    }
    wins
}

#[test]
fn wins_by_threats_hold_against_every_reply() {
    let boards = [(7, 4), (8, 4), (8, 5), (9, 3), (10, 5), (12, 6), (15, 5), (20, 6), (20, 4)];
    let wins: usize =
        boards.map(|(size, connect)| on_biased_positions(rules(size, connect, false), 60, |_, _| {})).iter().sum();
    assert!(wins > 100, "{wins}");
}

/// Boards on which plain alpha-beta knows the value of many positions.
const SMALL_BOARDS: [(u8, u16); 6] = [(5, 3), (5, 4), (5, 5), (6, 3), (6, 4), (6, 5)];

/// Empty cells up to which plain alpha-beta is asked.
const ENDGAME: usize = 14;

#[test]
fn no_win_by_threats_is_denied_by_alpha_beta() {
    let mut wins = 0;
    for (size, connect) in SMALL_BOARDS {
        let rules = rules(size, connect, false);
        wins += on_biased_positions(rules, 3_000, |position, plies| {
            if position.empty_cells() <= ENDGAME {
                let value = oracle::value(position);
                assert!(is_within(value, Value::Win(plies)), "{rules}: {}: {value}", position.diagram());
            }
        });
    }
    assert!(wins > 1_000, "{wins}");
}

/// Climbs to positions with ever longer wins, and among those without a win, to those that take ever more nodes.
fn no_win_is_denied_on_the_way_to_long_wins(part: Part) {
    // The two parts are drawn with seeds of their own.
    let (climbs, seed, least) = match part {
        Part::Daily => (8, 17, 200),
        Part::Rest => (32, 18, 800),
    };
    const STEPS: usize = 100;
    let mut wins = 0;
    for (size, connect) in SMALL_BOARDS {
        let rules = rules(size, connect, false);
        let mut search = ThreatSearch::new(rules, MEMORY);
        let mut play = BiasedPlay::new(rules, seed);
        let (mut found, mut missed, mut longest) = (0, 0, 0);
        for climb in 0..climbs {
            // Every second climb stays where plain alpha-beta can judge.
            let most_empty = if climb % 2 == 0 { ENDGAME } else { rules.cells() };
            let Some(mut best) = play.position(most_empty.min(rules.cells() / 2)) else { continue };
            let mut height = (0, 0);
            for step in 0..STEPS {
                let Some(position) = play.mutated(&best).filter(|changed| changed.empty_cells() <= most_empty) else {
                    continue;
                };
                let before = search.nodes();
                let plies = find_and_walk(&mut search, &position).unwrap_or(0);
                if position.empty_cells() <= ENDGAME && (plies > 0 || step % 10 == 0) {
                    let value = oracle::value(&position);
                    let is_true = plies == 0 || is_within(value, Value::Win(plies));
                    assert!(is_true, "{rules}: {}: {value}", position.diagram());
                    found += usize::from(plies > 0 && step % 10 == 0);
                    missed += usize::from(plies == 0 && value > Value::Draw);
                }
                wins += usize::from(plies > 0);
                longest = longest.max(plies);
                let reached = (plies, search.nodes() - before);
                if reached >= height {
                    (best, height) = (position, reached);
                }
            }
        }
        println!(
            "{size}x{size} connect {connect}: every tenth step, {found} wins found, {missed} missed; up to {longest} plies"
        );
    }
    assert!(wins > least, "{wins}");
}

#[test]
fn no_win_by_threats_is_denied_on_the_way_to_long_wins() {
    no_win_is_denied_on_the_way_to_long_wins(Part::Daily);
}

fn no_win_on_4x4_is_denied(part: Part) {
    /// Every so many positions of four in a row are searched.
    const STEP: u64 = 11;
    // With 1 in a row only the start goes on, and it belongs to the daily part.
    let shortest = if part == Part::Daily { 1 } else { 2 };
    for (connect, step) in (shortest..).zip([1, 1, 1, STEP].into_iter().skip(shortest as usize - 1)) {
        let made = (connect < 4).then(|| Table::new(4, connect, false));
        let table = made.as_ref().unwrap_or_else(|| table_of_4x4(false));
        let mut search = ThreatSearch::new(rules(4, connect as u16, false), MEMORY);
        let (mut number, mut found, mut missed) = (0, 0, 0);
        visit_all(connect as u16, false, |position| {
            number += 1;
            if number % step > 0 || !part.has(number) {
                return;
            }
            let value = table_value(table, stones(position));
            match find(&mut search, position) {
                Some((_, plies)) => {
                    assert!(is_within(value, Value::Win(plies)), "{}: {value}", position.diagram());
                    found += 1;
                }
                None => missed += usize::from(value > Value::Draw),
            }
        });
        println!("4x4 connect {connect}: {found} wins found, {missed} missed");
        assert!(found > 0);
    }
}

#[test]
fn no_win_by_threats_on_a_fifth_of_4x4_is_denied_by_the_table() {
    no_win_on_4x4_is_denied(Part::Daily);
}

#[test]
fn no_win_by_threats_on_3x3_is_denied_by_the_plain_table() {
    for connect in 1..=3 {
        let table = Table::new(3, connect, false);
        let rules = rules(3, connect as u16, false);
        let mut search = ThreatSearch::new(rules, MEMORY);
        for position in crate::common::positions_by_ply(rules).concat() {
            if position.outcome().is_none()
                && let Some(plies) = find_and_walk(&mut search, &position)
            {
                let value = table_value(&table, stones(&position));
                assert!(is_within(value, Value::Win(plies)), "{}: {value}", position.diagram());
            }
        }
    }
}

fn four_in_a_row_is_won_from_the_start(sizes: impl IntoIterator<Item = u8>) {
    for size in sizes {
        let start = Position::start(rules(size, 4, false));
        let mut search = ThreatSearch::new(start.rules(), MEMORY);
        let strategy = search.find_win(&start, &Control::unlimited()).expect("the first player wins");
        assert_eq!(flaw(strategy.nodes(), &start), None, "{size}");
    }
}

#[test]
fn four_in_a_row_is_won_from_the_start_on_small_boards() {
    four_in_a_row_is_won_from_the_start(6..=10);
}

/// Larger boards, and four fifths of the cases of which a fifth is checked every day.
mod long {
    use super::*;

    #[test]
    #[ignore = "long: scripts/check all"]
    fn four_in_a_row_is_won_from_the_start_on_large_boards() {
        four_in_a_row_is_won_from_the_start(11..=20);
    }

    #[test]
    #[ignore = "long: scripts/check all"]
    fn no_win_by_threats_on_the_rest_of_4x4_is_denied_by_the_table() {
        no_win_on_4x4_is_denied(Part::Rest);
    }

    #[test]
    #[ignore = "long: scripts/check all"]
    fn no_win_by_threats_is_denied_on_more_ways_to_long_wins() {
        no_win_is_denied_on_the_way_to_long_wins(Part::Rest);
    }
}

#[test]
fn a_strategy_that_misses_an_answer_is_found_out() {
    let start = Position::start(rules(7, 4, false));
    let strategy = ThreatSearch::new(start.rules(), MEMORY).find_win(&start, &Control::unlimited());
    let nodes = strategy.expect("the first player wins").into_nodes();
    assert_eq!(flaw(&nodes, &start), None);
    // The first move is quiet, so every reply has an answer of its own, and none may be missing.
    for place in 0..nodes[0].replies.len() {
        let mut spoiled = nodes.clone();
        spoiled[0].replies.remove(place);
        assert!(flaw(&spoiled, &start).is_some(), "{place}");
    }
    // A node that answers everything in the same way misses the replies that matter.
    let mut spoiled = nodes.clone();
    spoiled.iter_mut().filter(|node| node.otherwise.is_some()).for_each(|node| node.replies.clear());
    assert!(flaw(&spoiled, &start).is_some());
}

#[test]
fn the_puzzles_are_won_against_every_reply() {
    let mut won = 0;
    let puzzles: Vec<&str> = PUZZLES.lines().skip(1).collect();
    for line in puzzles.iter().step_by(3) {
        let position = read(line);
        let mut search = ThreatSearch::new(position.rules(), MEMORY);
        if let Some(strategy) = search.find_win(&position, &Control::nodes_only(20_000)) {
            assert_eq!(flaw(strategy.nodes(), &position), None, "{line}");
            won += 1;
        }
    }
    assert!(3 * won > 2 * puzzles.len() / 3, "{won}");
}
