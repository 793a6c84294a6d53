//! Where games begin.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Mutex;

use crate::protocol::{Command, ParseError, PositionCommand};
use crate::text::Excerpt;
use crate::text::Fingerprint;
use noughts_core::game::{Cell, MoveText, Position, ReachError, Rules, Value};
use noughts_core::search::{Control, Solver, Stream, ValueTable, below, generator};

use super::settings::SettingError;

/// The most openings that a book holds.
const MAX_OPENINGS: usize = 1_000_000;

/// How often random plies are drawn anew until there is taken to be no such opening.
const MAX_DRAWS: usize = 10_000;

/// Positions that proofs look at until there is taken to be no balanced opening among random plies.
const FIRST_BALANCE_NODES: u64 = 500_000;

/// Positions that a proof of the balance of one opening looks at, at most.
const BALANCE_NODES: u64 = 100_000;

/// Positions that the proofs of all openings of a finite book look at together, at most: what comes after that is not
/// proven.
const ALL_BALANCE_NODES: u64 = 50_000_000;

/// Memory for those proofs, in MiB.
const BALANCE_MEBIBYTES: u32 = 16;

/// The most verdicts that are kept.
const MAX_VERDICTS: usize = 100_000;

/// What the openings of a match are.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Openings {
    /// The start position.
    #[default]
    Start,
    /// So many random plies, drawn anew for each round.
    Random(usize),
    /// Every way to play so many plies.
    All(usize),
    /// The positions after so many plies, one for all that are the same but for a turn or a mirror of the board or
    /// the order of moves. Each weighs as much as all the ways to get there.
    Classes(usize),
    /// The positions in a file, one a line.
    File(PathBuf),
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Openings::Start => f.write_str("startpos"),
            Openings::Random(plies) => write!(f, "random:{plies}"),
            Openings::All(plies) => write!(f, "all:{plies}"),
            Openings::Classes(plies) => write!(f, "classes:{plies}"),
            Openings::File(path) => write!(f, "{}", path.display()),
        }
    }
}

/// Anything that does not begin like `startpos`, `random:K`, `all:K` or `classes:K` is a file.
impl FromStr for Openings {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Openings, SettingError> {
        let (kind, plies) = text.split_once(':').map_or((text, None), |(kind, plies)| (kind, plies.parse().ok()));
        match (kind, plies) {
            _ if text == "startpos" => Ok(Openings::Start),
            ("random", Some(plies)) => Ok(Openings::Random(plies)),
            ("all", Some(plies)) => Ok(Openings::All(plies)),
            ("classes", Some(plies)) => Ok(Openings::Classes(plies)),
            ("" | "random" | "all" | "classes", None) => Err(SettingError {
                expected: "startpos, random:K, all:K, classes:K or a file",
                found: Excerpt::of(text),
            }),
            _ => Ok(Openings::File(text.into())),
        }
    }
}

/// Why there are no such openings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpeningsError {
    /// The file cannot be read.
    Read(PathBuf, String),
    /// A line of the file is not a position to begin with.
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        number: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// There are more than anybody would play.
    TooMany,
    /// None is left.
    None,
    /// None of them is proven to be balanced, for all that a proof may cost.
    NoneProven,
}

impl fmt::Display for OpeningsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningsError::Read(path, error) => write!(f, "cannot read the openings in {}: {error}", path.display()),
            OpeningsError::Line { path, number, problem } => write!(f, "{}: line {number}: {problem}", path.display()),
            OpeningsError::TooMany => write!(f, "there are more than {MAX_OPENINGS} such openings"),
            OpeningsError::None => f.write_str("there is no such opening that the game goes on from"),
            OpeningsError::NoneProven => f.write_str("there is no such opening that is proven to be a draw"),
        }
    }
}

impl std::error::Error for OpeningsError {}

/// A position that games begin from.
#[derive(Clone, PartialEq, Debug)]
pub struct Opening {
    /// Its place in the book; for random openings, the round it was drawn for.
    pub number: u64,
    /// What comes behind `position` in the protocol, without moves of the game.
    pub line: String,
    /// The position.
    pub position: Position,
    /// How many openings it stands for.
    pub weight: f64,
}

/// The openings of a match in the order in which they are played.
pub struct Book {
    seed: u64,
    /// Says which openings are balanced, when only those are wanted.
    judge: Option<Judge>,
    contents: Contents,
}

enum Contents {
    Finite { openings: Vec<Opening>, order: Vec<u32> },
    Random { plies: usize, rules: Rules },
}

impl Book {
    /// The book of these openings. `seed` decides their order, and random plies.
    ///
    /// # Errors
    /// When there is no opening, or too many, or the file is not one of positions.
    pub fn open(openings: &Openings, rules: Rules, balanced: bool, seed: u64) -> Result<Book, OpeningsError> {
        let judge = balanced.then(|| Judge::new(rules));
        let none = if balanced { OpeningsError::NoneProven } else { OpeningsError::None };
        let found = match openings {
            Openings::Random(plies) => {
                let book = Book { seed, judge, contents: Contents::Random { plies: *plies, rules } };
                return if book.draw(0, MAX_DRAWS, FIRST_BALANCE_NODES).is_some() { Ok(book) } else { Err(none) };
            }
            Openings::Start => all(rules, 0)?,
            Openings::All(plies) => all(rules, *plies)?,
            Openings::Classes(plies) => classes(rules, *plies)?,
            Openings::File(path) => read(rules, path)?,
        };
        let none = if found.is_empty() { OpeningsError::None } else { none };
        let mut left = ALL_BALANCE_NODES;
        let is_wanted =
            |opening: &Opening| judge.as_ref().is_none_or(|judge| judge.is_draw(&opening.position, &mut left));
        let mut openings: Vec<Opening> = found.into_iter().filter(is_wanted).collect();
        for (number, opening) in openings.iter_mut().enumerate() {
            opening.number = number as u64;
        }
        if openings.is_empty() {
            return Err(none);
        }
        let order = shuffled(openings.len(), seed);
        Ok(Book { seed, judge, contents: Contents::Finite { openings, order } })
    }

    /// How many openings there are; `None` when they are drawn at random.
    pub fn size(&self) -> Option<u64> {
        match &self.contents {
            Contents::Finite { openings, .. } => Some(openings.len() as u64),
            Contents::Random { .. } => None,
        }
    }

    /// A name for what is in the book.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut fingerprint = Fingerprint::EMPTY;
        match &self.contents {
            Contents::Finite { openings, .. } => {
                openings.iter().for_each(|opening| fingerprint.add(&format_args!("{}|", opening.line)));
            }
            Contents::Random { plies, .. } => fingerprint.add(&format_args!("random:{plies}|{}", self.judge.is_some())),
        }
        fingerprint
    }

    /// The opening of a round. When all have been played they come again in the same order.
    ///
    /// # Panics
    /// Never: when the book was opened, there was an opening to be drawn.
    pub fn opening(&self, round: u64) -> Opening {
        match &self.contents {
            Contents::Finite { openings, order } => {
                let place = (round % order.len() as u64) as usize;
                openings[order[place] as usize].clone()
            }
            Contents::Random { .. } => self.draw(round, usize::MAX, u64::MAX).expect("there are random openings"),
        }
    }

    /// Random plies for a round: drawn anew as a whole, at most so often, whenever they end the game or are not
    /// balanced, which proofs may look at so many positions to tell.
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
            let mut is_wanted = || self.judge.as_ref().is_none_or(|judge| judge.is_draw(&position, &mut nodes));
            if position.outcome().is_none() && is_wanted() {
                return Some(opening(position, &moves, round, 1.0));
            }
        }
        None
    }
}

/// Says which positions are proven to be draws.
enum Judge {
    Table(&'static ValueTable),
    Proofs(Box<Mutex<Proofs>>),
}

/// Proofs within a budget. Equal positions are judged once.
struct Proofs {
    solver: Solver,
    known: HashMap<Position, bool>,
}

impl Judge {
    fn new(rules: Rules) -> Judge {
        let proofs = || Proofs { solver: Solver::new(rules, BALANCE_MEBIBYTES), known: HashMap::new() };
        ValueTable::for_rules(rules).map_or_else(|| Judge::Proofs(Box::new(Mutex::new(proofs()))), Judge::Table)
    }

    /// Whether perfect play from a position is proven to be a draw by looking at no more than [`BALANCE_NODES`]
    /// positions, and no more than are left of a budget, which pays for them.
    fn is_draw(&self, position: &Position, left: &mut u64) -> bool {
        match self {
            Judge::Table(table) => table.value(position) == Value::Draw,
            Judge::Proofs(proofs) => match proofs.lock() {
                Ok(mut proofs) => proofs.is_draw(position, left),
                // Whoever panicked over a proof has ended the match.
                Err(_) => false,
            },
        }
    }
}

impl Proofs {
    /// The verdict on a position depends on nothing but the position and the budget, whatever was judged before.
    fn is_draw(&mut self, position: &Position, left: &mut u64) -> bool {
        let position = position.canonical();
        if let Some(known) = self.known.get(&position) {
            return *known;
        }
        let before = self.solver.nodes();
        self.solver.forget();
        let bounds = self.solver.bounds(&position, &Control::nodes_only(BALANCE_NODES.min(*left)));
        *left = left.saturating_sub(self.solver.nodes() - before);
        let is_draw = bounds.exact() == Some(Value::Draw);
        if self.known.len() < MAX_VERDICTS {
            self.known.insert(position, is_draw);
        }
        is_draw
    }
}

fn opening(position: Position, moves: &[Cell], number: u64, weight: f64) -> Opening {
    let moves = moves.iter().map(|&cell| MoveText::from(cell)).collect();
    let command = PositionCommand { diagram: None, moves };
    Opening { number, line: line_of(&command), position, weight }
}

/// What comes behind the word `position`.
fn line_of(command: &PositionCommand) -> String {
    let line = command.to_string();
    line.strip_prefix("position ").map(str::to_owned).unwrap_or(line)
}

/// Every way to play so many plies after which the game goes on, in reading order.
fn all(rules: Rules, plies: usize) -> Result<Vec<Opening>, OpeningsError> {
    let mut ways = vec![(Position::start(rules), Vec::new())];
    ways.retain(|(position, _)| position.outcome().is_none());
    for _ in 0..plies {
        let mut longer = Vec::new();
        for (position, moves) in &ways {
            for cell in position.moves() {
                let after = position.after(cell);
                if after.outcome().is_none() {
                    longer.push((after, [&moves[..], &[cell]].concat()));
                }
            }
            if longer.len() > MAX_OPENINGS {
                return Err(OpeningsError::TooMany);
            }
        }
        ways = longer;
    }
    Ok(ways.into_iter().map(|(position, moves)| opening(position, &moves, 0, 1.0)).collect())
}

/// One position for all that symmetry and the order of moves make the same, with the number of ways to get there.
fn classes(rules: Rules, plies: usize) -> Result<Vec<Opening>, OpeningsError> {
    let mut ways = BTreeMap::from([(0, (Position::start(rules), Vec::new(), 1.0))]);
    ways.retain(|_, (position, ..)| position.outcome().is_none());
    for _ in 0..plies {
        // Classes keep the order in which they are found.
        let mut places = std::collections::HashMap::new();
        let mut longer: BTreeMap<usize, (Position, Vec<Cell>, f64)> = BTreeMap::new();
        for (position, moves, weight) in ways.values() {
            for cell in position.moves() {
                let after = position.after(cell);
                if after.outcome().is_none() {
                    let next = places.len();
                    let place = *places.entry(after.canonical()).or_insert(next);
                    let class = longer.entry(place).or_insert_with(|| (after, [&moves[..], &[cell]].concat(), 0.0));
                    class.2 += weight;
                }
            }
            if longer.len() > MAX_OPENINGS {
                return Err(OpeningsError::TooMany);
            }
        }
        ways = longer;
    }
    Ok(ways.into_values().map(|(position, moves, weight)| opening(position, &moves, 0, weight)).collect())
}

/// The positions in a file: lines as they stand behind `position` in the protocol, with or without that word, or
/// behind `position fen`. Blank lines and those that begin with `#` do not count.
fn read(rules: Rules, path: &Path) -> Result<Vec<Opening>, OpeningsError> {
    let text = fs::read_to_string(path).map_err(|error| OpeningsError::Read(path.to_owned(), error.to_string()))?;
    let mut openings = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    for (index, line) in text.lines().enumerate().map(|(index, line)| (index, line.trim())) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let position = read_line(rules, line);
        openings.push(position.map_err(|problem| OpeningsError::Line {
            path: path.to_owned(),
            number: index + 1,
            problem,
        })?);
    }
    Ok(openings)
}

fn read_line(rules: Rules, line: &str) -> Result<Opening, String> {
    let is = |first: &&str, word: &str| first.eq_ignore_ascii_case(word);
    let mut words = line.split_whitespace().peekable();
    let _ = words.next_if(|first| is(first, "position"));
    let has_keyword = words.peek().is_some_and(|first| is(first, "startpos") || is(first, "fen"));
    let keyword = if has_keyword { "position" } else { "position fen" };
    let words: Vec<&str> = std::iter::once(keyword).chain(words).collect();
    let command = words.join(" ").parse().map_err(|error| match error {
        ParseError::Usage { expected, found: Some(found), .. } => format!("expected {expected}, found {found}"),
        ParseError::Usage { expected, found: None, .. } => format!("expected {expected}, found the end of the line"),
        error => error.to_string(),
    })?;
    let Command::Position(command) = command else { return Err("expected a position".to_owned()) };
    let position = Position::reach(rules, command.diagram.as_ref(), &command.moves)
        .map_err(|error: ReachError| error.to_string())?;
    match position.outcome() {
        None => Ok(Opening { number: 0, line: line_of(&command), position, weight: 1.0 }),
        Some(_) => Err("the game is over in this position".to_owned()),
    }
}

/// The numbers below `count` in an order that follows from the seed. (Fisher and Yates, 1938; Durstenfeld, 1964.)
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
        // An edge answered by the far corner, for one, loses.
        let drawn = sizes("all:2", rules(3, false), true).0;
        let table = ValueTable::for_rules(rules(3, false)).expect("a table");
        let every = book("all:2", rules(3, false), false).expect("a book");
        let expected = (0..72).filter(|&round| table.value(&every.opening(round).position) == Value::Draw).count();
        assert_eq!(drawn, expected as u64);
        assert_eq!(book("all:1", rules(2, false), true).err(), Some(OpeningsError::NoneProven));
    }

    #[test]
    fn random_openings_follow_from_the_seed_and_the_round_and_the_game_goes_on() {
        for balanced in [false, true] {
            let book = book("random:6", rules(3, false), balanced).expect("a book");
            let openings: Vec<Opening> = (0..200).map(|round| book.opening(round)).collect();
            assert!(openings.iter().all(|opening| opening.position.outcome().is_none()));
            assert!(openings.iter().all(|opening| opening.position.empty_cells() == 3));
            assert_eq!(openings[7], book.opening(7));
            assert!(openings.iter().any(|opening| opening.position != openings[0].position));
        }
        assert_eq!(book("random:9", rules(3, false), false).err(), Some(OpeningsError::None));
        // Hardly any 22 plies on 5x5 leave no three in a row: there are rounds that need more draws than the first.
        let rare = book("random:22", Rules::new(5, 3, false).expect("rules within range"), false).expect("a book");
        assert!((0..30).all(|round| rare.opening(round).position.outcome().is_none()));
    }

    #[test]
    fn a_line_of_a_file_is_a_position_in_any_of_its_forms() {
        for line in [
            "startpos moves 1,1",
            "position startpos moves b2",
            "Position  StartPos\tmoves B2",
            "fen 3/1x1/3 o",
            "FEN 3/1x1/3 o",
            "3/1x1/3",
            "position 3/1x1/3 o",
        ] {
            let opening = read_line(rules(3, false), line).expect("a position");
            assert_eq!(opening.position, Position::start(rules(3, false)).after(Cell::new(1, 1)), "{line}");
        }
        for (line, problem) in [
            ("startpos moves 3,3", "move 1: 3,3 is off the 3x3 board"),
            ("xxx/oo1/3", "the game is over in this position"),
            ("4/4/4/4", "the board has 4 rows where option size asks for 3"),
        ] {
            assert_eq!(read_line(rules(3, false), line).expect_err("a problem"), problem);
        }
        let problem = read_line(rules(3, false), "hello").expect_err("a problem");
        assert_eq!(problem, "expected a board such as xo1/1x1/3, found \"hello\"");
    }

    #[test]
    fn what_begins_like_a_kind_of_openings_is_one() {
        for text in ["startpos", "random:0", "all:12", "classes:3", "file", "./all:x", "random.txt"] {
            assert_eq!(text.parse::<Openings>().map(|openings| openings.to_string()), Ok(text.to_owned()));
        }
        for text in ["", ":", "random", "random:", "all:x", "classes:-1", "all:99999999999999999999"] {
            assert!(text.parse::<Openings>().is_err(), "{text}");
        }
    }
}
