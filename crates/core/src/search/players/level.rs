//! Levels below full strength, for people who want to win now and then.
//!
//! All levels follow one rule. The worth of every move comes from the table up to 9 cells, where it is exact, and from the
//! totals of flat Monte Carlo on larger boards. The *shortfall* of a move is
//!
//! ```text
//! exact         (value of the best - value of the move) / 2, where a win is worth 1, a draw 0 and a loss -1, and a
//!               win in n plies n / 4c less, a loss in n plies n / 4c more, on a board of c cells
//! Monte Carlo   (total of the best - total of the move) / (total of the best - total of the worst)
//! ```
//!
//! and its probability is proportional to `exp(-shortfall / tolerance)`. The tolerance falls from level to level.
//!
//! Three exceptions rule out absurd moves. Under normal rules, a win at once is always taken. From level 3 on, a win at once
//! of the opponent is blocked. Under reverse rules, a line is completed only when every move completes one.
//!
//! The rule is the Boltzmann distribution, known in games as softmax choice (Bridle, "Training stochastic model recognition
//! algorithms as networks can lead to maximum mutual information estimation of parameters", 1990).

use rand::RngExt;

use crate::game::{CellSet, Position, Rules, Score, Value};

use crate::search::{
    BestSoFar, MonteCarlo, SearchContext, SearchRequest, SearchResult, Searcher, TableSearcher, Tiebreak, Variation,
};

/// The strength of a player, from 1 to 10.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Level(u8);

/// The tolerances of the levels below the last.
const TOLERANCES: [f64; 9] = [1.0, 0.73, 0.53, 0.39, 0.28, 0.21, 0.15, 0.11, 0.08];

/// The first level that blocks a win at once of its opponent.
const BLOCKS: Level = Level(3);

impl Level {
    /// The lowest level.
    pub const LEAST: Level = Level(1);
    /// Full strength: the level changes nothing.
    pub const FULL: Level = Level(10);

    /// The level with this number, which is clamped to 1 to 10.
    pub fn new(number: u8) -> Level {
        Level(number.clamp(Level::LEAST.0, Level::FULL.0))
    }

    /// The number of the level, from 1 to 10.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The probability of every move, in the order of `lines`. There must be a line for every move to choose from.
    ///
    /// # Panics
    /// When there is no line.
    pub fn chances(self, position: &Position, lines: &[Variation]) -> Vec<f64> {
        let mut sensible = self.sensible(position);
        // If the request lists root moves, all of them may be absurd.
        if !lines.iter().any(|line| sensible.contains(line.first_move())) {
            sensible = lines.iter().map(Variation::first_move).collect();
        }
        let worths: Vec<f64> = lines.iter().map(|line| worth(line, position.rules().cells())).collect();
        let best = worths.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let worst = worths.iter().copied().fold(f64::INFINITY, f64::min);
        // Exact values have a fixed scale.
        let is_exact = lines.iter().all(|line| matches!(line.score, Score::Exact(_)));
        let scale = if is_exact { 2.0 } else { (best - worst).max(f64::MIN_POSITIVE) };
        let tolerance = TOLERANCES.get(usize::from(self.0) - 1).copied().unwrap_or(f64::MIN_POSITIVE);
        let mut chances: Vec<f64> = lines
            .iter()
            .zip(&worths)
            .map(|(line, worth)| {
                let is_sensible = sensible.contains(line.first_move());
                if is_sensible { libm::exp(-(best - worth) / scale / tolerance) } else { 0.0 }
            })
            .collect();
        let sum: f64 = chances.iter().sum();
        // If all sensible moves fall short by far, their probabilities may be too small for `f64`.
        if sum < 1e-200 {
            let best = lines.iter().position(|line| sensible.contains(line.first_move())).expect("a sensible move");
            return (0..lines.len()).map(|index| if index == best { 1.0 } else { 0.0 }).collect();
        }
        chances.iter_mut().for_each(|chance| *chance /= sum);
        chances
    }

    /// All moves that are not absurd; at least one.
    fn sensible(self, position: &Position) -> CellSet {
        let moves: CellSet = position.moves().collect();
        let [mine, theirs] = [position.side(), !position.side()].map(|player| position.completions(player));
        let choices = match (position.rules().completer_wins(), self < BLOCKS) {
            (true, true) => [mine, CellSet::EMPTY],
            (true, false) => [mine, theirs],
            (false, _) => [moves - mine, CellSet::EMPTY],
        };
        choices.into_iter().find(|cells| !cells.is_empty()).unwrap_or(moves)
    }
}

/// The worth of a move: from -1 to 1 if it is exact, else its total.
fn worth(line: &Variation, cells: usize) -> f64 {
    let delay = |plies: u16| f64::from(plies) / (4.0 * cells as f64);
    match line.score.proven() {
        Some(Value::Win(plies)) => 1.0 - delay(plies),
        Some(Value::Draw) => 0.0,
        Some(Value::Loss(plies)) => delay(plies) - 1.0,
        None => line.total.unwrap_or(line.score.expected_result()),
    }
}

/// A player below full strength.
pub struct LevelSearcher {
    level: Level,
    table: Option<TableSearcher>,
    monte_carlo: MonteCarlo,
}

impl LevelSearcher {
    /// A player of this level under these rules. It uses `monte_carlo` on boards that are too large for a table.
    pub fn new(level: Level, rules: Rules, monte_carlo: MonteCarlo) -> LevelSearcher {
        LevelSearcher { level, table: TableSearcher::for_rules(rules), monte_carlo }
    }
}

impl Searcher for LevelSearcher {
    fn run(&mut self, SearchContext { request, generator, control, on_progress }: SearchContext<'_>) -> SearchResult {
        let every = SearchRequest { lines: SearchRequest::EVERY_MOVE, tiebreak: Tiebreak::First, ..*request };
        // The best move must not be published, because it may not be the one to play.
        let control = control.clone().publishing(BestSoFar::default());
        let searcher: &mut dyn Searcher = match &mut self.table {
            Some(table) => table,
            None => &mut self.monte_carlo,
        };
        let mut result = searcher.search(&every, generator, &control, on_progress);
        let chances = self.level.chances(&request.position, &result.lines);
        let mut mark: f64 = generator.random();
        let drawn = chances.iter().position(|chance| {
            mark -= chance;
            mark < 0.0
        });
        // By rounding, the probabilities may add up to slightly less than 1.
        let chosen = drawn.or_else(|| chances.iter().rposition(|&chance| chance > 0.0)).unwrap_or(0);
        result.lines[..=chosen].rotate_right(1);
        result.lines.truncate(request.lines);
        // The score is that of the move that is played.
        result.score = result.lines[0].score;
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Cell;

    #[test]
    fn the_chances_are_the_same_to_the_last_bit_on_every_machine() {
        let position = Position::start(Rules::new(5, 4, false).expect("rules within range"));
        let line = |(column, total)| Variation {
            score: Score::Estimate(0.0),
            principal_variation: vec![Cell::new(0, column)],
            total: Some(total),
        };
        let lines: Vec<Variation> = [(0, 1000.0), (1, 6.0), (2, 0.0)].into_iter().map(line).collect();
        let chances = Level::LEAST.chances(&position, &lines);
        // With the `exp` of glibc, the second ends in 460e.
        assert_eq!(
            chances.into_iter().map(f64::to_bits).collect::<Vec<u64>>(),
            [0x3fe2_6989_9be7_7f10, 0x3fcb_41cb_af2f_460f, 0x3fcb_180d_e132_bdb4]
        );
    }
}
