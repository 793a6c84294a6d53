//! Patterns: the stones around an empty cell, in each of four directions. For five in a row under the normal rule they tell
//! more about a move than the weight of its lines.
//!
//! In a direction, a *half* is what one player sees on one side of the cell: up to four cells, each empty or with a stone of
//! the player, as far as the first one that is blocked. A direction has four halves, two for each player. The table has a
//! number for every player and every pair of halves; the sum over the directions ranks the moves. It was fitted to the moves
//! of games of this search against itself, by `scripts/fit-patterns`.

use crate::game::{Cell, MAX_SIZE, Position, Rules, Shape};

/// The cells on one side that matter for lines of five.
const REACH: usize = 4;

/// The line length that the table is for.
const LINE_LENGTH: u8 = REACH as u8 + 1;

/// The number of halves: 1 of no cell, 2 of one cell, 4 of two, 8 of three and 16 of four.
const HALVES: usize = (1 << (REACH + 1)) - 1;

/// By player, the side to move first, and by the halves on both sides: sixteenths of a power of two.
static TABLE: &[u8; 2 * HALVES * HALVES] = include_bytes!("patterns.bin");

/// Rows, columns, and the diagonals of both slopes of the largest board.
const WORDS: usize = 6 * MAX_SIZE as usize - 2;

/// Cells by row, column and both diagonals, a word each. A word begins with [`REACH`] bits for cells outside of the board.
type Words = [u32; WORDS];

/// The place of a cell in the words: four words, and its bit in each of them.
fn places(cell: Cell, Shape { rows, columns }: Shape) -> [(usize, usize); 4] {
    let [row, column, rows, columns] = [cell.row(), cell.column(), rows, columns].map(usize::from);
    let (both, diagonals) = (rows + columns, rows + columns - 1);
    let words = [row, rows + column, both + (row + columns - 1 - column), both + diagonals + (row + column)];
    std::array::from_fn(|index| (words[index], REACH + if index == 1 { row } else { column }))
}

fn words(cells: impl Iterator<Item = Cell>, shape: Shape) -> Words {
    let mut words = [0; WORDS];
    cells.flat_map(|cell| places(cell, shape)).for_each(|(word, bit)| words[word] |= 1 << bit);
    words
}

/// The table, prepared for a board.
pub struct Patterns {
    shape: Shape,
    /// The cells outside of the board.
    outside: Words,
    /// The numbers of the halves to the left and to the right, by the four bits of the player's stones and, above them, of
    /// what is blocked.
    halves: [[u8; 256]; 2],
    /// 2^(n/16) for n from 0 to 15.
    roots: [f64; 16],
}

impl Patterns {
    /// The patterns of these rules; `None` where the table does not fit.
    pub fn new(rules: Rules) -> Option<Patterns> {
        let fits = rules.completer_wins() && rules.line_length() == Some(LINE_LENGTH);
        let reversed = |bits: usize| (bits as u8 & 15).reverse_bits() >> 4;
        let right = |index: usize| half(index as u8 & 15, index as u8 >> 4);
        let left = |index: usize| half(reversed(index), reversed(index >> 4));
        fits.then(|| Patterns {
            shape: rules.shape(),
            outside: words(Cell::all(rules.shape()), rules.shape()).map(|inside| !inside),
            halves: [std::array::from_fn(left), std::array::from_fn(right)],
            roots: std::array::from_fn(|index| libm::exp2(index as f64 / 16.0)),
        })
    }

    /// A function that gives the factor for the prior of a move on an empty cell.
    pub fn factors(&self, position: &Position) -> impl Fn(Cell) -> f64 + use<'_> {
        let stones =
            [position.side(), !position.side()].map(|player| words(position.stones(player).iter(), self.shape));
        move |cell| {
            let mut sum = 0;
            for (word, bit) in places(cell, self.shape) {
                for player in [0, 1] {
                    let own = stones[player][word] >> (bit - REACH);
                    let blocked = (stones[1 - player][word] | self.outside[word]) >> (bit - REACH);
                    let [left, right] =
                        [0, REACH + 1].map(|shift| ((own >> shift & 15) | (blocked >> shift & 15) << REACH) as usize);
                    let pair = usize::from(self.halves[0][left]) * HALVES + usize::from(self.halves[1][right]);
                    sum += i64::from(TABLE[player * HALVES * HALVES + pair] as i8);
                }
            }
            // The sum is at most 8 * 128 sixteenths from zero, so the power of two is a normal number.
            f64::from_bits(((1023 + (sum >> 4)) as u64) << 52) * self.roots[(sum & 15) as usize]
        }
    }
}

/// The number of a half. The lowest bits are those of the nearest cell.
fn half(stones: u8, blocked: u8) -> u8 {
    let free = (1 << (blocked | 1 << REACH).trailing_zeros()) - 1;
    free + (stones & free)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Player;
    use crate::search::{Stream, below, generator};

    /// The exponent of the factor of a move, in sixteenths, cell by cell.
    fn plain_exponent(position: &Position, cell: Cell) -> i64 {
        let shape = position.rules().shape();
        let half = |player: Player, (down, right): (i16, i16)| {
            let (mut free, mut stones) = (0, 0);
            for step in 1..=REACH as i16 {
                let (row, column) = (i16::from(cell.row()) + step * down, i16::from(cell.column()) + step * right);
                let is_inside =
                    (0..i16::from(shape.rows)).contains(&row) && (0..i16::from(shape.columns)).contains(&column);
                let occupant = is_inside.then(|| position.occupant(Cell::new(row as u8, column as u8)));
                if occupant.is_none_or(|occupant| occupant == Some(!player)) {
                    break;
                }
                stones += usize::from(occupant == Some(Some(player))) << free;
                free += 1;
            }
            (1 << free) - 1 + stones
        };
        let sides = [position.side(), !position.side()];
        let directions = [(0, 1), (1, 0), (1, 1), (1, -1)];
        let number = |(index, player): (usize, Player), (down, right): (i16, i16)| {
            let pair = half(player, (-down, -right)) * HALVES + half(player, (down, right));
            i64::from(TABLE[index * HALVES * HALVES + pair] as i8)
        };
        let of_player = |player| directions.map(|direction| number(player, direction)).iter().sum::<i64>();
        sides.into_iter().enumerate().map(of_player).sum()
    }

    #[test]
    fn factors_are_those_of_plain_loops() {
        let mut random = generator(1, Stream::Go(1));
        for shape in [(5, 5), (15, 15), (20, 20), (6, 20), (19, 5)] {
            let mut position = Position::start(Rules::new(shape, 5, false).expect("rules"));
            let patterns = Patterns::new(position.rules()).expect("five in a row");
            while position.outcome().is_none() {
                let factor = patterns.factors(&position);
                let moves: Vec<Cell> = position.moves().collect();
                for &cell in &moves {
                    let expected = libm::exp2(plain_exponent(&position, cell) as f64 / 16.0);
                    assert!((factor(cell) / expected - 1.0).abs() < 1e-9, "{cell}\n{}", position.diagram());
                }
                position = position.after(moves[below(&mut random, moves.len() as u32) as usize]);
            }
        }
    }

    #[test]
    fn both_directions_of_a_line_are_worth_the_same() {
        let index = |player: usize, one: usize, two: usize| TABLE[(player * HALVES + one) * HALVES + two];
        let pairs = (0..HALVES).flat_map(|one| (0..HALVES).map(move |two| (one, two)));
        assert!(
            pairs.clone().all(|(one, two)| [0, 1].iter().all(|&side| index(side, one, two) == index(side, two, one)))
        );
    }
}
