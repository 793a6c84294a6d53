//! The openings of a match, in the order in which they are played.

use std::collections::HashMap;
use std::sync::Mutex;

use crate::text::Fingerprint;
use noughts_core::game::{Cell, Position, Rules, Value};
use noughts_core::search::{Control, Solver, Stream, below, generator};

use super::opening::{Opening, Openings, OpeningsError};
use super::sources;

/// The number of times that random plies are tried before the book is taken to have no such opening.
const MAX_ATTEMPTS: usize = 10_000;

/// The most positions that proofs visit before the book is taken to have no balanced random opening.
const FIRST_BALANCE_NODES: u64 = 500_000;

/// The most positions that the proofs of all openings of a finite book visit together. Openings after that count as not
/// proven.
const ALL_BALANCE_NODES: u64 = 50_000_000;

/// The openings of a match in the order in which they are played.
pub struct Book {
    seed: u64,
    /// Present if only balanced openings are wanted: those that are proven to be draws.
    prover: Option<Mutex<DrawProver>>,
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
        let prover = balanced.then(|| Mutex::new(DrawProver::new(rules)));
        let none = if balanced { OpeningsError::NoneProven } else { OpeningsError::None };
        let found = match openings {
            Openings::Random(plies) => {
                let book = Book { seed, prover, contents: Contents::Random { plies: *plies, rules } };
                return if book.draw(0, MAX_ATTEMPTS, FIRST_BALANCE_NODES).is_some() { Ok(book) } else { Err(none) };
            }
            Openings::Start => sources::sequences(rules, 0, false)?,
            Openings::All(plies) => sources::sequences(rules, *plies, false)?,
            Openings::Classes(plies) => sources::sequences(rules, *plies, true)?,
            Openings::File(path) => sources::read(rules, path)?,
        };
        let none = if found.is_empty() { OpeningsError::None } else { none };
        let mut left = ALL_BALANCE_NODES;
        let mut openings = found;
        openings.retain(|opening| is_wanted(prover.as_ref(), &opening.position, &mut left));
        for (number, opening) in openings.iter_mut().enumerate() {
            opening.number = number as u64;
        }
        if openings.is_empty() {
            return Err(none);
        }
        let order = shuffled(openings.len(), seed);
        Ok(Book { seed, prover, contents: Contents::Finite { openings, order } })
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
                fingerprint.add(&format_args!("random:{plies}|{}", self.prover.is_some()))
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
                let index = (round % order.len() as u64) as usize;
                openings[order[index] as usize].clone()
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
            if position.outcome().is_none() && is_wanted(self.prover.as_ref(), &position, &mut nodes) {
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

/// The most positions that a proof of the balance of one opening visits.
const MAX_NODES: u64 = 100_000;

/// The memory of the solver, in MiB.
const MEBIBYTES: u32 = 16;

/// The most results of proofs that are kept.
const MAX_KNOWN: usize = 100_000;

/// True if an opening is wanted: always without a prover. With one, if perfect play from there is proven to be a draw.
/// A proof visits at most [`MAX_NODES`] positions and at most `left`, from which the positions that it visits are
/// subtracted.
fn is_wanted(prover: Option<&Mutex<DrawProver>>, position: &Position, left: &mut u64) -> bool {
    // A worker that panicked during a proof has ended the match.
    prover.is_none_or(|prover| prover.lock().is_ok_and(|mut prover| prover.is_draw(position, left)))
}

/// Proofs within a budget. A position is proven once, and so are all positions that are symmetric to it.
struct DrawProver {
    solver: Solver,
    known: HashMap<Position, bool>,
}

impl DrawProver {
    fn new(rules: Rules) -> DrawProver {
        DrawProver { solver: Solver::new(rules, MEBIBYTES), known: HashMap::new() }
    }

    /// The result depends on the position and the budget alone, not on earlier proofs: the solver forgets them.
    fn is_draw(&mut self, position: &Position, left: &mut u64) -> bool {
        let position = position.canonical();
        if let Some(known) = self.known.get(&position) {
            return *known;
        }
        let before = self.solver.nodes();
        self.solver.forget();
        let bounds = self.solver.bounds(&position, &Control::nodes_only(MAX_NODES.min(*left)));
        *left = left.saturating_sub(self.solver.nodes() - before);
        let is_draw = bounds.exact() == Some(Value::Draw);
        if self.known.len() < MAX_KNOWN {
            self.known.insert(position, is_draw);
        }
        is_draw
    }
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
