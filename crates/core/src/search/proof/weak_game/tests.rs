//! The weak game against plain minimax, and known values of empty boards.

use std::collections::HashMap;

use crate::game::Rules;
use crate::search::{Generator, Stopped, Stream, below, generator};

use super::{WeakGame, WeakResult, bits, of_any_size};
use crate::search::proof::Role;

fn lines_of(rules: Rules) -> Vec<Vec<u16>> {
    rules.geometry().lines().map(<[u16]>::to_vec).collect()
}

/// Plain minimax of the weak game.
struct Minimax {
    lines: Vec<u32>,
    cells: u16,
    known: HashMap<(u32, u32, bool), bool>,
}

impl Minimax {
    fn new(rules: Rules) -> Minimax {
        let mask = |line: &Vec<u16>| line.iter().fold(0, |mask, cell| mask | 1 << cell);
        Minimax {
            lines: lines_of(rules).iter().map(mask).collect(),
            cells: rules.cells() as u16,
            known: HashMap::new(),
        }
    }

    fn is_over(&self, maker: u32, breaker: u32) -> bool {
        self.lines.iter().any(|line| line & !maker == 0) || self.lines.iter().all(|line| line & breaker != 0)
    }

    fn maker_wins(&mut self, maker: u32, breaker: u32, maker_moves: bool) -> bool {
        if self.lines.iter().any(|line| line & !maker == 0) {
            return true;
        }
        if self.lines.iter().all(|line| line & breaker != 0) {
            return false;
        }
        if let Some(&known) = self.known.get(&(maker, breaker, maker_moves)) {
            return known;
        }
        let empty: Vec<u32> =
            (0..self.cells).map(|cell| 1 << cell).filter(|bit| (maker | breaker) & bit == 0).collect();
        let wins = if maker_moves {
            empty.iter().any(|bit| self.maker_wins(maker | bit, breaker, false))
        } else {
            !empty.is_empty() && empty.iter().all(|bit| self.maker_wins(maker, breaker | bit, true))
        };
        self.known.insert((maker, breaker, maker_moves), wins);
        wins
    }
}

fn game(rules: Rules, bytes: usize) -> WeakGame {
    WeakGame::new(&rules.geometry(), bytes).expect("a small board")
}

/// The empty cells of each line without a stone of Breaker.
fn live_lines(rules: Rules, maker: u32, breaker: u32) -> impl Iterator<Item = impl Iterator<Item = u16>> {
    let live = lines_of(rules).into_iter().filter(move |line| line.iter().all(|&cell| breaker & 1 << cell == 0));
    live.map(move |line| line.into_iter().filter(move |&cell| maker & 1 << cell == 0))
}

fn side_to_move(maker_moves: bool) -> Role {
    if maker_moves { Role::Attacker } else { Role::Defender }
}

fn solve(game: &mut WeakGame, rules: Rules, maker: u32, breaker: u32, maker_moves: bool) -> WeakResult {
    game.solve(live_lines(rules, maker, breaker), side_to_move(maker_moves), &mut || Ok(())).unwrap()
}

fn agrees(game: &mut WeakGame, plain: &mut Minimax, rules: Rules, maker: u32, breaker: u32, maker_moves: bool) {
    if plain.is_over(maker, breaker) {
        return;
    }
    let expected = plain.maker_wins(maker, breaker, maker_moves);
    let found = solve(game, rules, maker, breaker, maker_moves);
    assert_eq!(found == WeakResult::MakerWins, expected, "{rules}: {maker:x} {breaker:x} {maker_moves}");
    if let WeakResult::BreakerWins { reply: Some(cell) } = found
        && !maker_moves
    {
        assert_eq!((maker | breaker) & 1 << cell, 0);
        assert!(!plain.maker_wins(maker, breaker | 1 << cell, true), "{rules}: {maker:x} {breaker:x} reply {cell}");
    }
}

/// A random position: every second stone is Maker's, or three of five are.
fn random_position(cells: u32, stones: u32, is_fair: bool, generator: &mut Generator) -> (u32, u32) {
    let (mut maker, mut breaker) = (0u32, 0u32);
    for stone in 0..stones {
        let bit = loop {
            let bit = 1 << below(generator, cells);
            if (maker | breaker) & bit == 0 {
                break bit;
            }
        };
        let is_maker = if is_fair { stone % 2 == 0 } else { below(generator, 5) < 3 };
        if is_maker { maker |= bit } else { breaker |= bit }
    }
    (maker, breaker)
}

#[test]
fn random_positions_equal_plain_minimax() {
    for (size, connect, games) in [(2, 2, 50), (3, 2, 300), (3, 3, 300), (4, 2, 500), (4, 3, 500), (4, 4, 500)]
        .into_iter()
        .chain([(5, 3, 150), (5, 4, 150), (5, 5, 150)])
    {
        let rules = Rules::new(size, connect, false).unwrap();
        let mut plain = Minimax::new(rules);
        let mut game = game(rules, 1 << 20);
        let mut generator = generator(1, Stream::Go(u64::from(connect) + 100 * u64::from(size)));
        let cells = u32::from(size) * u32::from(size);
        for number in 0..games {
            let least = cells.saturating_sub(12);
            let stones = least + below(&mut generator, cells - least);
            let (maker, breaker) = random_position(cells, stones, number % 2 == 0, &mut generator);
            for maker_moves in [true, false] {
                agrees(&mut game, &mut plain, rules, maker, breaker, maker_moves);
            }
        }
    }
}

#[test]
fn a_table_that_is_full_changes_no_winner() {
    let rules = Rules::new(5, 4, false).unwrap();
    let mut plain = Minimax::new(rules);
    let mut generator = generator(2, Stream::Go(1));
    for bytes in [0, 100, 1000] {
        let mut game = game(rules, bytes);
        for _ in 0..70 {
            let (maker, breaker) = random_position(25, 13, false, &mut generator);
            agrees(&mut game, &mut plain, rules, maker, breaker, true);
        }
    }
}

#[test]
fn every_3x3_position_equals_plain_minimax() {
    for connect in [2, 3] {
        let rules = Rules::new(3, connect, false).unwrap();
        let mut plain = Minimax::new(rules);
        let mut game = game(rules, 1 << 16);
        for maker in 0..512u32 {
            for breaker in (0..512u32).filter(|breaker| breaker & maker == 0 && (maker | breaker) != 511) {
                for maker_moves in [true, false] {
                    agrees(&mut game, &mut plain, rules, maker, breaker, maker_moves);
                }
            }
        }
    }
}

#[test]
fn empty_boards_have_their_known_weak_winners() {
    let won_by_maker = [(3, 3), (4, 3), (5, 4), (6, 4), (7, 4)];
    let won_by_breaker = [(4, 4), (5, 5), (6, 5), (7, 6), (8, 6)];
    for (games, winner) in
        [(won_by_maker, WeakResult::MakerWins), (won_by_breaker, WeakResult::BreakerWins { reply: None })]
    {
        for (size, connect) in games {
            let rules = Rules::new(size, connect, false).unwrap();
            let lines = lines_of(rules).into_iter().map(Vec::into_iter);
            let found = game(rules, 1 << 20).solve(lines, Role::Attacker, &mut || Ok(()));
            assert_eq!(found, Ok(winner), "{rules}");
        }
    }
}

#[test]
fn a_search_that_is_stopped_has_no_result() {
    let rules = Rules::new(7, 5, false).unwrap();
    let mut left = 100;
    let mut spend = || {
        left -= 1;
        if left == 0 { Err(Stopped) } else { Ok(()) }
    };
    let lines = lines_of(rules).into_iter().map(Vec::into_iter);
    assert_eq!(game(rules, 1 << 20).solve(lines, Role::Attacker, &mut spend), Err(Stopped));
}

/// The winner of a position that was solved, a zone of the winner, and the reply of Breaker that the table has.
fn known(
    game: &mut WeakGame,
    lines: impl Iterator<Item = impl Iterator<Item = u16>>,
    maker_moves: bool,
) -> (Role, Vec<usize>, Option<usize>) {
    of_any_size!(game, search => {
        if let Some((winner, zone)) = search.set_up(lines.map(bits), side_to_move(maker_moves)) {
            return (winner, zone.iter().collect(), None);
        }
        let entry = search.known_entry(0).expect("it was solved");
        let position = search.position(0);
        let has_reply = entry.proof == 0 && position.to_move == Role::Defender && position.reductions.is_empty();
        let reply = entry.candidates.first().filter(|_| has_reply);
        let (winner, reduced) = match entry.proof {
            0 => (Role::Defender, position.breaker_zone),
            _ => (Role::Attacker, position.maker_zone),
        };
        (winner, entry.zone.or(reduced).iter().collect(), reply)
    })
}

#[test]
fn outside_of_its_zone_a_winner_may_give_every_cell_away() {
    let (mut zones, mut replies) = ([0, 0], 0);
    for (size, connect) in [(3, 3), (4, 3), (4, 4), (5, 4)] {
        let rules = Rules::new(size, connect, false).unwrap();
        let cells = u32::from(size) * u32::from(size);
        let mut plain = Minimax::new(rules);
        let mut game = game(rules, 1 << 20);
        let mut generator = generator(5, Stream::Go(u64::from(size)));
        for _ in 0..100 {
            let least = cells.saturating_sub(14);
            let stones = least + below(&mut generator, 5);
            let (maker, breaker) = random_position(cells, stones, true, &mut generator);
            if plain.is_over(maker, breaker) {
                continue;
            }
            for maker_moves in [true, false] {
                let result = solve(&mut game, rules, maker, breaker, maker_moves);
                let (winner, zone, reply) = known(&mut game, live_lines(rules, maker, breaker), maker_moves);
                assert_eq!(winner == Role::Attacker, result == WeakResult::MakerWins);
                if let Some(cell) = reply {
                    assert!(
                        !plain.maker_wins(maker, breaker | 1 << cell, true),
                        "{rules}: {maker:x} {breaker:x} {cell}"
                    );
                    replies += 1;
                }
                let zone = zone.into_iter().fold(0, |zone, cell| zone | 1 << cell);
                let outside = ((1 << cells) - 1) & !(maker | breaker | zone);
                let (maker, breaker) =
                    if winner == Role::Attacker { (maker, breaker | outside) } else { (maker | outside, breaker) };
                assert_eq!(
                    plain.maker_wins(maker, breaker, maker_moves),
                    winner == Role::Attacker,
                    "{rules}: {maker:x} {breaker:x} {maker_moves}, zone {zone:x}"
                );
                zones[winner as usize] += u32::from(outside != 0);
            }
        }
    }
    assert!(zones.iter().all(|&count| count > 50), "{zones:?} zones that are smaller than the board");
    assert!(replies > 50, "{replies} replies");
}

/// A signature of the search: a change that is not meant to alter it leaves these numbers as they are.
#[test]
fn proofs_of_empty_boards_take_the_same_nodes_every_time() {
    for (size, connect, expected) in [(5, 4, 21), (6, 4, 12), (6, 5, 59), (7, 5, 16_376), (8, 6, 507)] {
        let rules = Rules::new(size, connect, false).unwrap();
        let mut nodes = 0;
        let mut spend = || {
            nodes += 1;
            Ok(())
        };
        let lines = lines_of(rules).into_iter().map(Vec::into_iter);
        game(rules, 1 << 24).solve(lines, Role::Attacker, &mut spend).expect("nothing ends it");
        assert_eq!(nodes, expected, "{rules}");
    }
}
