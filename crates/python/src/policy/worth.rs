//! The exact figures of a policy: found from the last level of positions to the first, where each follows from those after it.
//!
//! The policy has a seat, X or O; the opponent has the other. Results are seen by the policy.

use noughts::game::{Outcome, Player, Value};

use super::graph::{After, Graph};

/// The probabilities of a win, a draw and a loss.
pub type Odds = [f64; 3];

/// Numbers for each seat of the policy: X, then O.
type BySeat<T> = [T; 2];

/// The opponents whose games are expected.
const PERFECT: usize = 0;
const RANDOM: usize = 1;

/// The results that are worse than another: a loss, then a draw.
const WORSE_RESULTS: [i8; 2] = [-1, 0];

/// Expected results that differ by less are equal: the numbers are rounded.
const ROUNDING: f64 = 1e-9;

/// What is known of a position.
#[derive(Clone, Copy)]
struct Figures {
    /// The value to the side to move.
    value: Value,
    /// The odds against each opponent.
    odds: BySeat<[Odds; 2]>,
    /// The expected result against a best response, from -1 to 1.
    worst: BySeat<f64>,
    /// For each of [`WORSE_RESULTS`], the probability of the likeliest game with this result in which the opponent plays best
    /// responses: the product of the policy's probabilities.
    likeliest: BySeat<[f64; 2]>,
}

/// What is kept of a position until the end.
#[derive(Clone, Copy, Default)]
struct Kept {
    /// The cells to which the policy gives a probability above 0.
    played: u16,
    /// True if the policy plays only moves that keep the result.
    keeps_result: bool,
    /// The next cell of each of the likeliest games.
    next: BySeat<[u8; 2]>,
}

/// What is known of the end of a game, where `to_move` would move.
const fn end(winner: Option<Player>, to_move: Player) -> Figures {
    let Some(winner) = winner else {
        return Figures {
            value: Value::Draw,
            odds: [[[0.0, 1.0, 0.0]; 2]; 2],
            worst: [0.0; 2],
            likeliest: [[0.0, 1.0]; 2],
        };
    };
    let mut figures = Figures {
        value: if winner as usize == to_move as usize { Value::Win(0) } else { Value::Loss(0) },
        odds: [[[0.0, 0.0, 1.0]; 2]; 2],
        worst: [-1.0; 2],
        likeliest: [[1.0, 0.0]; 2],
    };
    figures.odds[winner as usize] = [[1.0, 0.0, 0.0]; 2];
    figures.worst[winner as usize] = 1.0;
    figures.likeliest[winner as usize] = [0.0; 2];
    figures
}

static DRAWN: Figures = end(None, Player::X);

/// By the winner and the side that would be to move.
static WON: [[Figures; 2]; 2] = [
    [end(Some(Player::X), Player::X), end(Some(Player::X), Player::O)],
    [end(Some(Player::O), Player::X), end(Some(Player::O), Player::O)],
];

/// A move, and what is known of the position after it.
struct Move<'a> {
    cell: usize,
    /// The probability that the policy plays it.
    probability: f64,
    value: Value,
    after: &'a Figures,
}

/// The game in which a best response takes the most from the policy.
pub struct WorstLine {
    /// The seat of the policy.
    pub seat: Player,
    /// The numbers of the cells.
    pub cells: Vec<usize>,
    pub probability: f64,
    /// The result of perfect play less the result of this game: 1 or 2.
    pub regret: i8,
}

/// Blunders, counted.
#[derive(Clone, Copy, Default)]
pub struct Blunders {
    /// Positions in which some move gives the result away.
    pub possible: u64,
    /// The sum of the probabilities of these moves.
    pub given_away: f64,
    /// All positions.
    pub positions: u64,
    /// Positions in which only moves are played that keep the result.
    pub by_result: u64,
    /// Positions in which only moves are played that are best by value and distance.
    pub by_distance: u64,
}

/// The figures of a policy, while they are found.
pub struct Worth {
    pub graph: Graph,
    pub blunders: Blunders,
    kept: Vec<Kept>,
    /// The figures of the level above, and those of this one so far.
    after: Vec<Figures>,
    level: Vec<Figures>,
    /// The number of the first position of the level above.
    first_after: usize,
}

impl Worth {
    /// No figures yet.
    pub fn new(graph: Graph) -> Worth {
        let positions = graph.positions.len();
        Worth {
            kept: vec![Kept::default(); positions],
            blunders: Blunders::default(),
            after: Vec::new(),
            level: Vec::new(),
            first_after: positions,
            graph,
        }
    }

    /// Adds positions of a level, in their order and from the `first` of them on, with a row of probabilities for each.
    pub fn add(&mut self, first: usize, rows: &[f64]) {
        let mut blunders = self.blunders;
        for (number, row) in (first..).zip(rows.chunks_exact(self.graph.rules.cells())) {
            let moves = self.moves(number, row);
            let (figures, mut kept) = figures(&moves, self.graph.side(number));
            kept.keeps_result = blunders.add(moves.iter().map(|choice| (choice.probability, choice.value)));
            self.level.push(figures);
            self.kept[number] = kept;
        }
        self.blunders = blunders;
    }

    /// Ends a level, whose first position has this number. The next one has a stone less.
    pub fn end_level(&mut self, first: usize) {
        self.first_after = first;
        self.after = std::mem::take(&mut self.level);
    }

    fn moves(&self, number: usize, row: &[f64]) -> Vec<Move<'_>> {
        let side = self.graph.side(number);
        let moves = self.graph.moves(number).map(|(cell, after)| {
            let after = match after {
                After::GoesOn(number) => &self.after[number - self.first_after],
                After::End(Outcome::Draw) => &DRAWN,
                After::End(Outcome::Win(winner)) => &WON[winner as usize][!side as usize],
            };
            Move { cell, probability: row[cell], value: after.value.before_move(), after }
        });
        moves.collect()
    }
}

/// What follows from the moves of a position.
fn figures(moves: &[Move<'_>], side: Player) -> (Figures, Kept) {
    let value = moves.iter().map(|choice| choice.value).max().expect("a game that goes on has a move");
    let (mut figures, mut kept) = (Figures { value, ..DRAWN }, Kept::default());
    let (own, other) = (side as usize, !side as usize);
    let policy = |choice: &Move<'_>| choice.probability;
    let perfect = |choice: &Move<'_>| f64::from(u8::from(choice.value == value));
    figures.odds[own][PERFECT] = mean(moves, policy, |after| after.odds[own][PERFECT]);
    figures.odds[own][RANDOM] = mean(moves, policy, |after| after.odds[own][RANDOM]);
    figures.odds[other][PERFECT] = mean(moves, perfect, |after| after.odds[other][PERFECT]);
    figures.odds[other][RANDOM] = mean(moves, |_| 1.0, |after| after.odds[other][RANDOM]);
    [figures.worst[own]] = mean(moves, policy, |after| [after.worst[own]]);
    figures.worst[other] = moves.iter().map(|choice| choice.after.worst[other]).fold(f64::INFINITY, f64::min);
    let most = figures.worst[other] + ROUNDING;
    let best_response = |choice: &Move<'_>| f64::from(u8::from(choice.after.worst[other] <= most));
    (figures.likeliest[own], kept.next[own]) = likeliest(moves, policy, own);
    (figures.likeliest[other], kept.next[other]) = likeliest(moves, best_response, other);
    let played = moves.iter().filter(|choice| choice.probability > 0.0);
    kept.played = played.fold(0, |set, choice| set | 1 << choice.cell);
    (figures, kept)
}

/// The mean of numbers over moves. They are divided by the sum of the weights, and at the end: so equal numbers have exactly
/// that number as their mean.
fn mean<const N: usize>(
    moves: &[Move<'_>],
    weight: impl Fn(&Move<'_>) -> f64,
    numbers: impl Fn(&Figures) -> [f64; N],
) -> [f64; N] {
    let (mut sums, mut total) = ([0.0; N], 0.0);
    for choice in moves {
        let weight = weight(choice);
        sums.iter_mut().zip(numbers(choice.after)).for_each(|(sum, number)| *sum += weight * number);
        total += weight;
    }
    sums.map(|sum| sum / total)
}

/// The probability of the likeliest game with each of [`WORSE_RESULTS`], and its next cell, where a move has this weight.
fn likeliest(moves: &[Move<'_>], weight: impl Fn(&Move<'_>) -> f64, seat: usize) -> ([f64; 2], [u8; 2]) {
    let (mut most, mut next) = ([0.0; 2], [0; 2]);
    for choice in moves {
        let weight = weight(choice);
        for (result, probability) in choice.after.likeliest[seat].into_iter().enumerate() {
            if weight * probability > most[result] {
                (most[result], next[result]) = (weight * probability, choice.cell as u8);
            }
        }
    }
    (most, next)
}

impl Blunders {
    /// Adds a position, by the probability and the value of each of its moves. Returns true if only moves are played that keep
    /// the result.
    pub fn add(&mut self, moves: impl Iterator<Item = (f64, Value)> + Clone) -> bool {
        let best = moves.clone().map(|(_, value)| value).max().expect("a game that goes on has a move");
        let blunders = moves.clone().filter(|(_, value)| value.result() < best.result());
        let total: f64 = moves.clone().map(|(probability, _)| probability).sum();
        let given_away: f64 = blunders.clone().map(|(probability, _)| probability).sum();
        self.positions += 1;
        self.possible += u64::from(blunders.clone().next().is_some());
        self.given_away += given_away / total;
        self.by_result += u64::from(given_away == 0.0);
        self.by_distance += u64::from(moves.clone().all(|(probability, value)| probability == 0.0 || value == best));
        given_away == 0.0
    }
}

impl Worth {
    /// The result of perfect play, seen by X.
    pub fn value(&self) -> i8 {
        self.after[0].value.result()
    }

    /// The odds of the policy in a seat, against perfect play and against random moves.
    pub fn odds(&self, seat: Player) -> [Odds; 2] {
        self.after[0].odds[seat as usize]
    }

    /// The expected result of the policy in a seat against a best response, from -1 to 1.
    pub fn worst(&self, seat: Player) -> f64 {
        self.after[0].worst[seat as usize]
    }

    /// The number of positions that the policy can reach and has to move in, and of those among them in which it plays only
    /// moves that keep the result. The opponent plays any moves.
    pub fn reached(&self) -> [u64; 2] {
        let mut reached = vec![[false; 2]; self.kept.len()];
        reached[0] = [true; 2];
        let mut counts = [0; 2];
        for number in 0..reached.len() {
            let (seats, side) = (reached[number], self.graph.side(number) as usize);
            let kept = self.kept[number];
            counts[0] += u64::from(seats[side]);
            counts[1] += u64::from(seats[side] && kept.keeps_result);
            if seats == [false; 2] {
                continue;
            }
            for (cell, after) in self.graph.moves(number) {
                if let After::GoesOn(after) = after {
                    reached[after][side] |= seats[side] && kept.played >> cell & 1 == 1;
                    reached[after][1 - side] |= seats[1 - side];
                }
            }
        }
        counts
    }

    /// The game in which a best response takes the most from the policy: of all games that a best response and the policy can
    /// play, the one whose regret times its probability is the greatest. `None` if no game has a regret.
    pub fn worst_line(&self) -> Option<WorstLine> {
        let mut worst: Option<(f64, WorstLine, usize)> = None;
        for seat in Player::BOTH {
            let perfect = if seat == Player::X { self.value() } else { -self.value() };
            for (index, result) in WORSE_RESULTS.into_iter().enumerate() {
                let (probability, regret) = (self.after[0].likeliest[seat as usize][index], perfect - result);
                let weight = probability * f64::from(regret);
                if weight > worst.as_ref().map_or(0.0, |(most, ..)| most + ROUNDING * most) {
                    worst = Some((weight, WorstLine { seat, cells: Vec::new(), probability, regret }, index));
                }
            }
        }
        let (_, mut line, index) = worst?;
        let mut number = 0;
        loop {
            let next = usize::from(self.kept[number].next[line.seat as usize][index]);
            line.cells.push(next);
            match self.graph.moves(number).find(|(cell, _)| *cell == next) {
                Some((_, After::GoesOn(after))) => number = after,
                _ => return Some(line),
            }
        }
    }
}
