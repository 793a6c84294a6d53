//! A small network that judges positions of five in a row under the normal rule: who is better, and which moves matter.
//!
//! In a direction, a *half* is what one player sees on one side of an empty cell: up to four cells, each empty or with a
//! stone of the player, as far as the first one that is blocked. A direction has two halves for each player. The network
//! looks at the empty cells near the stones:
//!
//! ```text
//!  8 pairs of halves    a row of the table for each      their sum, not below 0     the cell's policy
//!  (4 directions,    -> [ WIDTH numbers ]             -> [ WIDTH activations ]   -> weighted sum: how likely the move is
//!   2 players)                                                    |
//!                                         sum and maximum over the cells: [ 2 WIDTH ]
//!                                                                 |
//!                                       [ HIDDEN ], not below 0, and one more layer: the value
//! ```
//!
//! It was fitted to the results and the moves of games of this search against itself, by `scripts/fit-network`. All sums
//! over directions and cells are of whole numbers, and the order of all others is fixed: every machine gets the same value.
//!
//! (Y. Nasu, "Efficiently updatable neural-network-based evaluation functions for computer shogi", 2018: sums of table rows
//! before small layers. Z. Jin et al., "Rapfi: distilling efficient neural network for the game of Gomoku", 2025: rows by the
//! patterns of lines through a cell. D. Silver et al., "Mastering the game of Go without human knowledge", Nature 550, 2017:
//! values and priors from games against itself.)

use crate::game::{Cell, MAX_SIZE, Position, Rules, Shape};

use super::near::near_cells;
use crate::search::line_board::LineBoard;

/// The cells on one side that matter for lines of five.
const REACH: usize = 4;

/// The line length that the network is for.
const LINE_LENGTH: u8 = REACH as u8 + 1;

/// The number of halves: 1 of no cell, 2 of one cell, 4 of two, 8 of three and 16 of four.
const HALVES: usize = (1 << (REACH + 1)) - 1;

/// The pairs of halves, in any order.
const PAIRS: usize = HALVES * (HALVES + 1) / 2;

/// The activations of a cell.
const WIDTH: usize = 32;

/// The units of the hidden layer.
const HIDDEN: usize = 32;

/// The table has this many steps for 1.
const STEPS: f32 = 64.0;

/// The sum of the activations is divided by this.
const CELLS: f32 = 16.0;

/// The steps of 1 in the weights of the policy.
const POLICY_STEPS: f32 = 1024.0;

/// Two tables, the one of the side to move first, of a row of bytes for each pair of halves. Then 32-bit floating point
/// numbers: the biases of the activations, the weights of the policy, of the hidden layer with its biases, and of the value
/// with its bias.
static WEIGHTS: &[u8; 2 * PAIRS * WIDTH + 4 * (2 * WIDTH * (HIDDEN + 1) + 2 * HIDDEN + 1)] =
    include_bytes!("network.bin");

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

/// A number for every activation.
type Row = [i16; WIDTH];

/// What the network says of a position.
pub struct Assessment {
    /// The value for the side to move, from -1 to 1.
    pub value: f64,
    /// By number of the cell, the exponent of its prior; `None` for cells that are occupied or far.
    pub exponents: Vec<Option<f32>>,
}

/// The network, prepared for a board.
pub struct Network {
    shape: Shape,
    /// The cells outside of the board.
    outside: Words,
    /// The numbers of the halves to the left and to the right, by the four bits of the player's stones and, above them, of
    /// what is blocked.
    halves: [[u8; 256]; 2],
    /// The numbers of the pairs of halves.
    pairs: [u16; HALVES * HALVES],
    /// By player and pair of halves.
    table: Vec<Row>,
    biases: Row,
    policy: Row,
    /// By input: first the sums, then the maxima.
    hidden: Vec<[f32; HIDDEN]>,
    hidden_biases: [f32; HIDDEN],
    output: [f32; HIDDEN],
    output_bias: f32,
}

impl Network {
    /// True if the network is for these rules.
    pub fn fits(rules: Rules) -> bool {
        rules.completer_wins() && rules.line_length() == Some(LINE_LENGTH)
    }

    /// The network for these rules; `None` where it does not fit.
    pub fn new(rules: Rules) -> Option<Network> {
        let reversed = |bits: usize| (bits as u8 & 15).reverse_bits() >> 4;
        let right = |index: usize| half(index as u8 & 15, index as u8 >> 4);
        let left = |index: usize| half(reversed(index), reversed(index >> 4));
        let (bytes, numbers) = WEIGHTS.split_at(2 * PAIRS * WIDTH);
        let mut numbers =
            numbers.chunks_exact(4).map(|bytes| f32::from_le_bytes(bytes.try_into().expect("four bytes")));
        let mut next = || numbers.next().expect("as many numbers as the network has");
        Network::fits(rules).then(|| Network {
            shape: rules.shape(),
            outside: words(Cell::all(rules.shape()), rules.shape()).map(|inside| !inside),
            halves: [std::array::from_fn(left), std::array::from_fn(right)],
            pairs: std::array::from_fn(|index| pair(index / HALVES, index % HALVES)),
            table: bytes
                .chunks_exact(WIDTH)
                .map(|row| std::array::from_fn(|unit| i16::from(row[unit] as i8)))
                .collect(),
            biases: std::array::from_fn(|_| libm::roundf(next() * STEPS) as i16),
            policy: std::array::from_fn(|_| libm::roundf(next() * POLICY_STEPS) as i16),
            hidden: (0..2 * WIDTH).map(|_| std::array::from_fn(|_| next())).collect(),
            hidden_biases: std::array::from_fn(|_| next()),
            output: std::array::from_fn(|_| next()),
            output_bias: next(),
        })
    }

    /// Judges a position.
    pub fn assess(&self, position: &Position, board: &LineBoard) -> Assessment {
        let stones =
            [position.side(), !position.side()].map(|player| words(position.stones(player).iter(), self.shape));
        let mut exponents = vec![None; position.rules().cells()];
        let (mut sums, mut maxima) = ([0i32; WIDTH], [0; WIDTH]);
        let near = near_cells(position, board);
        for row in 0..self.shape.rows {
            let occupied = stones[0][usize::from(row)] | stones[1][usize::from(row)] | self.outside[usize::from(row)];
            let mut columns = near[usize::from(row)] & !(occupied >> REACH);
            // The sum of a row of the board fits into 16 bits: 20 cells, 8 numbers of at most 127 each, and the biases.
            let mut of_row = [0; WIDTH];
            while columns != 0 {
                let cell = Cell::new(row, columns.trailing_zeros() as u8);
                columns &= columns - 1;
                let activations = activations(self.rows(cell, &stones), &self.biases);
                let policy = add_activations(&activations, &mut of_row, &mut maxima, &self.policy);
                exponents[usize::from(board.number(cell))] = Some(policy as f32 / (STEPS * POLICY_STEPS));
            }
            for (sum, more) in sums.iter_mut().zip(of_row) {
                *sum += i32::from(more);
            }
        }
        Assessment { value: self.value(&sums, &maxima), exponents }
    }

    /// The rows of the table for an empty cell: one for each direction and player.
    #[inline(always)]
    fn rows(&self, cell: Cell, stones: &[Words; 2]) -> [&Row; 8] {
        let mut rows = [&self.biases; 8];
        for ((word, bit), of_direction) in places(cell, self.shape).into_iter().zip(rows.chunks_exact_mut(2)) {
            let [mine, theirs, outside] =
                [stones[0][word], stones[1][word], self.outside[word]].map(|word| word >> (bit - REACH));
            for (player, own, other) in [(0, mine, theirs), (1, theirs, mine)] {
                let blocked = other | outside;
                let [left, right] =
                    [0, REACH + 1].map(|shift| ((own >> shift & 15) | (blocked >> shift & 15) << REACH) as usize);
                let pair = usize::from(self.halves[0][left]) * HALVES + usize::from(self.halves[1][right]);
                of_direction[player] = &self.table[player * PAIRS + usize::from(self.pairs[pair])];
            }
        }
        rows
    }

    /// The value for the sums and the maxima of the activations.
    fn value(&self, sums: &[i32; WIDTH], maxima: &Row) -> f64 {
        let mut units = self.hidden_biases;
        let sums = sums.iter().map(|&sum| sum as f32 / (STEPS * CELLS));
        let maxima = maxima.iter().map(|&maximum| f32::from(maximum) / STEPS);
        for (input, weights) in sums.chain(maxima).zip(&self.hidden) {
            for (unit, weight) in units.iter_mut().zip(weights) {
                *unit += input * weight;
            }
        }
        let mut output = self.output_bias;
        for (unit, weight) in units.iter().zip(&self.output) {
            output += unit.max(0.0) * weight;
        }
        2.0 / (1.0 + libm::exp(f64::from(-output))) - 1.0
    }
}

/// The activations of a cell, in steps. Not inlined, nor is the next function: so the compiler makes vector instructions of
/// their loops.
#[inline(never)]
fn activations(rows: [&Row; 8], biases: &Row) -> Row {
    let mut sum = [0; WIDTH];
    for unit in 0..WIDTH {
        sum[unit] = rows.iter().map(|row| row[unit]).fold(biases[unit], i16::wrapping_add).max(0);
    }
    sum
}

/// Adds the activations of a cell to those of its row of the board and to the maxima, and returns their sum with the weights
/// of the policy.
#[inline(never)]
fn add_activations(activations: &Row, of_row: &mut Row, maxima: &mut Row, policy: &Row) -> i32 {
    maxima.iter_mut().zip(activations).for_each(|(maximum, &one)| *maximum = one.max(*maximum));
    of_row.iter_mut().zip(activations).for_each(|(sum, &more)| *sum = sum.wrapping_add(more));
    activations.iter().zip(policy).map(|(&one, &other)| i32::from(one) * i32::from(other)).sum()
}

/// The number of a half. The lowest bits are those of the nearest cell.
fn half(stones: u8, blocked: u8) -> u8 {
    let free = (1 << (blocked | 1 << REACH).trailing_zeros()) - 1;
    free + (stones & free)
}

/// The number of a pair of halves, the same in both orders.
fn pair(one: usize, other: usize) -> u16 {
    let (less, more) = (one.min(other), one.max(other));
    (more * (more + 1) / 2 + less) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Player, Symmetry};
    use crate::search::{Stream, below, generator};

    /// The number of what a player sees from a cell in a direction, stone by stone.
    fn plain_half(position: &Position, cell: Cell, player: Player, (down, right): (i16, i16)) -> usize {
        let shape = position.rules().shape();
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
    }

    /// The activations of a cell.
    fn plain_activations(network: &Network, position: &Position, cell: Cell) -> [i64; WIDTH] {
        let mut sum = network.biases.map(i64::from);
        for (index, player) in [position.side(), !position.side()].into_iter().enumerate() {
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let one = plain_half(position, cell, player, (down, right));
                let other = plain_half(position, cell, player, (-down, -right));
                let row = index * PAIRS + usize::from(pair(one, other));
                let bytes = &WEIGHTS[row * WIDTH..(row + 1) * WIDTH];
                sum.iter_mut().zip(bytes).for_each(|(sum, &byte)| *sum += i64::from(byte as i8));
            }
        }
        sum.map(|sum| sum.max(0))
    }

    /// The value and the exponents.
    fn plain_assessment(network: &Network, position: &Position, near: &[Cell]) -> (f64, Vec<f64>) {
        let activations: Vec<_> = near.iter().map(|&cell| plain_activations(network, position, cell)).collect();
        let policy = |of_cell: &[i64; WIDTH]| {
            let products = of_cell.iter().zip(network.policy).map(|(&one, other)| one * i64::from(other));
            products.sum::<i64>() as f64 / f64::from(STEPS * POLICY_STEPS)
        };
        let mut output = f64::from(network.output_bias);
        for unit in 0..HIDDEN {
            let mut input = f64::from(network.hidden_biases[unit]);
            for (number, weights) in network.hidden.iter().enumerate() {
                let of_cells = activations.iter().map(|of_cell| of_cell[number % WIDTH]);
                let pooled = if number < WIDTH {
                    of_cells.sum::<i64>() as f64 / f64::from(CELLS)
                } else {
                    of_cells.max().unwrap_or(0) as f64
                };
                input += pooled / f64::from(STEPS) * f64::from(weights[unit]);
            }
            output += input.max(0.0) * f64::from(network.output[unit]);
        }
        (libm::tanh(output / 2.0), activations.iter().map(policy).collect())
    }

    fn board_of(position: &Position) -> LineBoard {
        let mut board = LineBoard::new(position.rules());
        board.set_up(position);
        board
    }

    /// Calls a function with the positions of random games on boards of many shapes.
    fn for_positions(mut take: impl FnMut(&Network, &Position)) {
        let mut random = generator(1, Stream::Go(1));
        for shape in [(5, 5), (15, 15), (20, 20), (6, 20), (19, 5)] {
            let mut position = Position::start(Rules::new(shape, 5, false).expect("rules"));
            let network = Network::new(position.rules()).expect("five in a row");
            while position.outcome().is_none() {
                take(&network, &position);
                let moves: Vec<Cell> = position.moves().collect();
                position = position.after(moves[below(&mut random, moves.len() as u32) as usize]);
            }
        }
    }

    #[test]
    fn an_assessment_is_that_of_plain_loops() {
        for_positions(|network, position| {
            let board = board_of(position);
            let rows = near_cells(position, &board);
            let is_near = |cell: &Cell| rows[usize::from(cell.row())] >> cell.column() & 1 == 1;
            let near: Vec<Cell> = position.moves().filter(is_near).collect();
            let (value, exponents) = plain_assessment(network, position, &near);
            let found = network.assess(position, &board);
            assert!((found.value - value).abs() < 1e-4, "{} {value}\n{}", found.value, position.diagram());
            assert_eq!(found.exponents.iter().flatten().count(), near.len());
            for (&cell, exponent) in near.iter().zip(exponents) {
                let found = found.exponents[usize::from(board.number(cell))].expect("a cell near a stone");
                assert!((f64::from(found) - exponent).abs() < 1e-4, "{cell} {found} {exponent}");
            }
        });
    }

    #[test]
    fn images_of_a_position_have_the_same_value() {
        for_positions(|network, position| {
            let value = network.assess(position, &board_of(position)).value;
            for symmetry in Symmetry::all(position.rules().shape()) {
                let image = position.image(symmetry);
                assert_eq!(network.assess(&image, &board_of(&image)).value, value, "{}", position.diagram());
            }
        });
    }

    #[test]
    fn no_sum_of_a_row_of_a_board_overflows() {
        let network = Network::new(Rules::new(15, 5, false).expect("rules")).expect("five in a row");
        let largest = |rows: &[Row], unit: usize| rows.iter().map(|row| i64::from(row[unit])).max().expect("rows");
        for unit in 0..WIDTH {
            let (mine, theirs) = network.table.split_at(PAIRS);
            let of_cell = i64::from(network.biases[unit]) + 4 * (largest(mine, unit) + largest(theirs, unit));
            assert!(of_cell * i64::from(MAX_SIZE) <= i64::from(i16::MAX), "unit {unit}: {of_cell}");
        }
    }
}
