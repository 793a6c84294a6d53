//! The openings of a match, in the order in which they are played.

use crate::text::Fingerprint;
use noughts_core::game::{Cell, Position, Rules};
use noughts_core::search::{Stream, below, generator};

use super::balance::BalanceCheck;
use super::opening::{Opening, OpeningsError};
use super::setting::Openings;
use super::{file, generated};

/// How many times random plies are tried before the book is taken to have no such opening.
const MAX_ATTEMPTS: usize = 10_000;

/// The most positions that proofs visit before the book is taken to have no balanced random opening.
const FIRST_BALANCE_NODES: u64 = 500_000;

/// The most positions that the proofs of all openings of a finite book visit together. Openings after that count as not
/// proven.
const ALL_BALANCE_NODES: u64 = 50_000_000;

/// The openings of a match in the order in which they are played.
pub struct Book {
    seed: u64,
    /// Present if only balanced openings are wanted.
    balance_check: Option<BalanceCheck>,
    contents: Contents,
}

enum Contents {
    Finite { openings: Vec<Opening>, order: Vec<u32> },
    Random { plies: usize, rules: Rules },
}

impl Book {
    /// Makes the book of these openings. `seed` decides their order and the random plies.
    ///
    /// # Errors
    /// When there is no opening, there are too many, or the file cannot be read or is not a file of positions.
    pub fn open(openings: &Openings, rules: Rules, balanced: bool, seed: u64) -> Result<Book, OpeningsError> {
        let balance_check = balanced.then(|| BalanceCheck::new(rules));
        let none = if balanced { OpeningsError::NoneProven } else { OpeningsError::None };
        let found = match openings {
            Openings::Random(plies) => {
                let book = Book { seed, balance_check, contents: Contents::Random { plies: *plies, rules } };
                return if book.draw(0, MAX_ATTEMPTS, FIRST_BALANCE_NODES).is_some() { Ok(book) } else { Err(none) };
            }
            Openings::Start => generated::all(rules, 0)?,
            Openings::All(plies) => generated::all(rules, *plies)?,
            Openings::Classes(plies) => generated::classes(rules, *plies)?,
            Openings::File(path) => file::read(rules, path)?,
        };
        let none = if found.is_empty() { OpeningsError::None } else { none };
        let mut left = ALL_BALANCE_NODES;
        let is_wanted =
            |opening: &Opening| balance_check.as_ref().is_none_or(|check| check.is_draw(&opening.position, &mut left));
        let mut openings: Vec<Opening> = found.into_iter().filter(is_wanted).collect();
        for (number, opening) in openings.iter_mut().enumerate() {
            opening.number = number as u64;
        }
        if openings.is_empty() {
            return Err(none);
        }
        let order = shuffled(openings.len(), seed);
        Ok(Book { seed, balance_check, contents: Contents::Finite { openings, order } })
    }

    /// The number of openings; `None` when they are drawn at random.
    pub fn size(&self) -> Option<u64> {
        match &self.contents {
            Contents::Finite { openings, .. } => Some(openings.len() as u64),
            Contents::Random { .. } => None,
        }
    }

    /// The fingerprint of the contents.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut fingerprint = Fingerprint::EMPTY;
        match &self.contents {
            Contents::Finite { openings, .. } => {
                openings.iter().for_each(|opening| fingerprint.add(&format_args!("{}|", opening.line)));
            }
            Contents::Random { plies, .. } => {
                fingerprint.add(&format_args!("random:{plies}|{}", self.balance_check.is_some()))
            }
        }
        fingerprint
    }

    /// The opening of a round. After the last opening, they repeat in the same order.
    ///
    /// # Panics
    /// Never: [`Book::open`] has made sure that random openings exist.
    pub fn opening(&self, round: u64) -> Opening {
        match &self.contents {
            Contents::Finite { openings, order } => {
                let place = (round % order.len() as u64) as usize;
                openings[order[place] as usize].clone()
            }
            Contents::Random { .. } => self.draw(round, usize::MAX, u64::MAX).expect("there are random openings"),
        }
    }

    /// Draws random plies for a round. They are drawn anew as a whole when they end the game or are not balanced, at
    /// most `draws` times. Proofs of balance visit at most `nodes` positions.
    fn draw(&self, round: u64, draws: usize, mut nodes: u64) -> Option<Opening> {
        let Contents::Random { plies, rules } = self.contents else { return None };
        let mut generator = generator(self.seed, Stream::Opening(round));
        for _ in 0..draws {
            let mut position = Position::start(rules);
            let mut moves = Vec::new();
            while moves.len() < plies && position.outcome().is_none() {
                let legal: Vec<Cell> = position.moves().collect();
                let cell = legal[below(&mut generator, legal.len() as u32) as usize];
                position = position.after(cell);
                moves.push(cell);
            }
            let mut is_wanted = || self.balance_check.as_ref().is_none_or(|check| check.is_draw(&position, &mut nodes));
            if position.outcome().is_none() && is_wanted() {
                return Some(Opening::after_moves(position, &moves, round, 1.0));
            }
        }
        None
    }
}

/// The numbers below `count` in a random order, decided by the seed. (Fisher and Yates, 1938; Durstenfeld, 1964.)
fn shuffled(count: usize, seed: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count as u32).collect();
    let mut generator = generator(seed, Stream::Order);
    for last in (1..count).rev() {
        order.swap(last, below(&mut generator, last as u32 + 1) as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use noughts_core::game::Value;
    use noughts_core::search::ValueTable;

    fn rules(size: u8, reverse: bool) -> Rules {
        Rules::new(size, 0, reverse).expect("rules within range")
    }

    fn book(openings: &str, rules: Rules, balanced: bool) -> Result<Book, OpeningsError> {
        Book::open(&openings.parse().expect("openings"), rules, balanced, 1)
    }

    fn sizes(openings: &str, rules: Rules, balanced: bool) -> (u64, f64) {
        let book = book(openings, rules, balanced).expect("a book");
        let size = book.size().expect("a finite book");
        (size, (0..size).map(|round| book.opening(round).weight).sum())
    }

    #[test]
    fn all_openings_are_as_many_as_there_are_ways_to_play() {
        for (plies, count3, count4) in [(0, 1, 1), (1, 9, 16), (2, 72, 240), (3, 504, 3360)] {
            assert_eq!(sizes(&format!("all:{plies}"), rules(3, false), false).0, count3);
            assert_eq!(sizes(&format!("all:{plies}"), rules(4, false), false).0, count4);
        }
        assert_eq!(book("all:9", rules(3, false), false).err(), Some(OpeningsError::None));
        assert_eq!(book("all:6", rules(9, false), false).err(), Some(OpeningsError::TooMany));
    }

    #[test]
    fn classes_weigh_as_much_as_the_openings_they_stand_for() {
        for (plies, classes, ways) in [(0, 1, 1.0), (1, 3, 9.0), (2, 12, 72.0), (3, 38, 504.0), (4, 108, 3024.0)] {
            assert_eq!(sizes(&format!("classes:{plies}"), rules(3, false), false), (classes, ways));
        }
        assert_eq!(sizes("classes:3", rules(4, false), false).1, 3360.0);
    }

    #[test]
    fn every_opening_comes_once_before_the_first_comes_again() {
        let book = book("all:2", rules(3, false), false).expect("a book");
        let round = |round: u64| -> Vec<u64> { (0..72).map(|place| book.opening(72 * round + place).number).collect() };
        assert_eq!(round(0), round(1));
        let mut numbers = round(0);
        assert!(!numbers.is_sorted());
        numbers.sort_unstable();
        assert_eq!(numbers, (0..72).collect::<Vec<_>>());
    }

    #[test]
    fn balanced_openings_are_draws() {
        assert_eq!(sizes("all:1", rules(3, true), true).0, 1);
        assert_eq!(sizes("all:1", rules(3, false), true).0, 9);
        // Some second plies lose, for example a far corner after an edge.
        let drawn = sizes("all:2", rules(3, false), true).0;
        let table = ValueTable::for_rules(rules(3, false)).expect("a table");
        let every = book("all:2", rules(3, false), false).expect("a book");
        let expected = (0..72).filter(|&round| table.value(&every.opening(round).position) == Value::Draw).count();
        assert_eq!(drawn, expected as u64);
        assert_eq!(book("all:1", rules(2, false), true).err(), Some(OpeningsError::NoneProven));
    }

    #[test]
    fn random_openings_depend_on_seed_and_round_and_end_no_game() {
        for balanced in [false, true] {
            let book = book("random:6", rules(3, false), balanced).expect("a book");
            let openings: Vec<Opening> = (0..200).map(|round| book.opening(round)).collect();
            assert!(openings.iter().all(|opening| opening.position.outcome().is_none()));
            assert!(openings.iter().all(|opening| opening.position.empty_cells() == 3));
            assert_eq!(openings[7], book.opening(7));
            assert!(openings.iter().any(|opening| opening.position != openings[0].position));
        }
        assert_eq!(book("random:9", rules(3, false), false).err(), Some(OpeningsError::None));
        // Few sequences of 22 plies on 5x5 avoid three in a row, so some rounds need more draws than the first.
        let rare = book("random:22", Rules::new(5, 3, false).expect("rules within range"), false).expect("a book");
        assert!((0..30).all(|round| rare.opening(round).position.outcome().is_none()));
    }
}
