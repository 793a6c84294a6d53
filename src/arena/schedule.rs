//! The games of a match and their order.

use crate::system::Shard;
use noughts_core::game::Player;

use super::settings::MatchSettings;

/// The games of a match, numbered from 0. In every round each pair of engines plays one opening, with both colours
/// unless that is switched off. A longer match begins with the games of a shorter one.
///
/// ```text
/// number = (round * pairings + pairing) * games + colour
/// ```
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    /// Games of a pairing in a round: 2, or 1 without swapped colours.
    games_a_round: u64,
    /// Games of a pairing in the match.
    games_a_pairing: u64,
    shard: Shard,
}

/// A game that is to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScheduledGame {
    /// Its number in the match.
    pub number: u64,
    /// The round. It decides the opening.
    pub round: u64,
    /// The engine of each player, X first.
    pub engines: [usize; 2],
}

impl ScheduledGame {
    /// The engine that plays this player.
    pub fn engine(&self, player: Player) -> usize {
        self.engines[player as usize]
    }
}

impl Schedule {
    /// The schedule of a match.
    pub fn new(settings: &MatchSettings) -> Schedule {
        let engines = settings.engines.len();
        let firsts = if settings.gauntlet { 1 } else { engines };
        let pairings = (0..firsts).flat_map(|first| (first + 1..engines).map(move |second| (first, second))).collect();
        let games_a_round = if settings.swap { 2 } else { 1 };
        Schedule { pairings, games_a_round, games_a_pairing: settings.games, shard: settings.shard }
    }

    /// The schedule of all parts.
    pub fn whole(&self) -> Schedule {
        Schedule { shard: Shard::default(), ..self.clone() }
    }

    /// One more than the largest number of a game.
    fn end(&self) -> u64 {
        self.games_a_pairing.div_ceil(self.games_a_round) * self.games_a_round * self.pairings.len() as u64
    }

    /// The number of games in this part of the match.
    pub fn count(&self) -> u64 {
        let pairings = self.pairings.len() as u64;
        let whole_rounds = self.games_a_pairing / self.games_a_round;
        let whole = self.shard.count(whole_rounds * pairings);
        let begun = self.shard.count(self.games_a_pairing.div_ceil(self.games_a_round) * pairings) - whole;
        whole * self.games_a_round + begun * (self.games_a_pairing % self.games_a_round)
    }

    /// The games of this part of the match, round by round.
    pub fn games(&self) -> impl Iterator<Item = ScheduledGame> + Send + use<> {
        let schedule = self.clone();
        (0..self.end()).filter_map(move |number| schedule.game(number))
    }

    /// The game with this number, if there is one in this part of the match.
    fn game(&self, number: u64) -> Option<ScheduledGame> {
        let (pair, colour) = (number / self.games_a_round, number % self.games_a_round);
        let (round, pairing) = (pair / self.pairings.len() as u64, (pair % self.pairings.len() as u64) as usize);
        let (first, second) = self.pairings[pairing];
        let exists = round * self.games_a_round + colour < self.games_a_pairing && self.shard.has(pair);
        let engines = if colour == 0 { [first, second] } else { [second, first] };
        exists.then_some(ScheduledGame { number, round, engines })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(engines: usize, gauntlet: bool, games: u64, swap: bool, shard: Shard) -> Schedule {
        let firsts = if gauntlet { 1 } else { engines };
        let pairings = (0..firsts).flat_map(|first| (first + 1..engines).map(move |second| (first, second))).collect();
        Schedule { pairings, games_a_round: if swap { 2 } else { 1 }, games_a_pairing: games, shard }
    }

    #[test]
    fn every_pair_of_engines_plays_as_many_games_with_both_colours() {
        for (engines, games, swap, of) in [(2, 1, true, 1), (3, 7, true, 2), (4, 7, false, 3), (3, 10, true, 7)] {
            for part in 1..=of {
                let schedule = schedule(engines, false, games, swap, Shard { part, of });
                assert_eq!(schedule.count(), schedule.games().count() as u64);
            }
        }
        let games: Vec<ScheduledGame> = schedule(4, false, 10, true, Shard::default()).games().collect();
        assert_eq!(games.len(), 60);
        for x in 0..4 {
            for o in (0..4).filter(|&o| o != x) {
                assert_eq!(games.iter().filter(|game| game.engines == [x, o]).count(), 5);
            }
        }
        assert_eq!(schedule(5, true, 3, true, Shard::default()).games().count(), 12);
        let one_colour = schedule(2, false, 7, false, Shard::default());
        assert!(one_colour.games().all(|game| game.engines == [0, 1]));
        assert_eq!(one_colour.games().count(), 7);
    }

    #[test]
    fn a_longer_match_begins_like_a_shorter_one() {
        let short: Vec<ScheduledGame> = schedule(3, false, 7, true, Shard::default()).games().collect();
        let long: Vec<ScheduledGame> = schedule(3, false, 70, true, Shard::default()).games().collect();
        assert!(short.iter().all(|game| long.contains(game)));
        assert_eq!(short.len(), 21);
    }

    #[test]
    fn shards_share_out_the_schedule_and_keep_pairs_together() {
        let whole: Vec<ScheduledGame> = schedule(3, false, 9, true, Shard::default()).games().collect();
        let parts: Vec<Vec<ScheduledGame>> =
            (1..=4).map(|part| schedule(3, false, 9, true, Shard { part, of: 4 }).games().collect()).collect();
        let mut all: Vec<ScheduledGame> = parts.concat();
        all.sort_by_key(|game| game.number);
        assert_eq!(all, whole);
        for part in parts {
            let odd = part.iter().filter(|game| game.number % 2 == 1);
            assert!(odd.clone().all(|game| part.iter().any(|other| other.number + 1 == game.number)));
            assert!(odd.count() > 0);
        }
    }
}
