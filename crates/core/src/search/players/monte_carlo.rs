//! Flat Monte Carlo: the classic classroom player, to the letter.
//!
//! From the position, a given number of games is played out with uniformly random moves. A draw adds nothing. In
//! a game that the side to move won, each of its squares on the final board gets `current` points and each of the
//! opponent's loses `other` points; in a lost game the signs turn. All squares of the final board count, those
//! filled before the search too. The answer is drawn uniformly among the empty squares with the highest total.
//! (Rixner, Warren et al., "Principles of Computing", Rice University, 2014: the mini-project on tic-tac-toe.)
//!
//! Every playout that is started is finished: stopping when so many *have finished* would favour short games.

use crate::game::{Cell, Position, Score};

use crate::search::request::{PUBLISH_INTERVAL, REPORT_INTERVAL};
use crate::search::{
    Control, Generator, Line, PlayoutResults, Playouts, Report, SearchRequest, SearchResult, Searcher, Tally, Weights,
};

/// Playouts that begin with one of the listed moves before the next has its turn: a few hundred microseconds at most.
const ROUND: u64 = 512;

/// The most cells that playouts may fill and still be quick: 2,000 playouts from the empty 3x3 board, a few tenths of
/// a millisecond.
const QUICK_CELLS: u64 = 18_000;

/// The flat Monte Carlo player.
#[derive(Clone, Copy, Debug)]
pub struct MonteCarlo {
    pub(crate) weights: Weights,
    threads: usize,
}

impl Default for MonteCarlo {
    fn default() -> MonteCarlo {
        MonteCarlo::new(Weights::default())
    }
}

impl MonteCarlo {
    /// A player that scores squares by these weights.
    pub fn new(weights: Weights) -> MonteCarlo {
        MonteCarlo { weights, threads: 1 }
    }

    /// The same on so many threads, at least 1. What it answers does not depend on them.
    pub fn on_threads(self, threads: usize) -> MonteCarlo {
        MonteCarlo { threads: threads.max(1), ..self }
    }

    /// Plays from a position until `control` says to stop, at least once, and counts.
    pub fn sample(
        &self,
        position: &Position,
        generator: &mut Generator,
        control: &Control,
        progress: &mut dyn FnMut(&Tally),
    ) -> Tally {
        Playouts::fastest(position, control, self.threads).play(position, generator, control, progress)
    }

    /// The same for a request; tells `progress` every few milliseconds. Where the moves to choose from are listed, every
    /// playout begins with one of them, each in turn with as many.
    pub(crate) fn sample_request(
        &self,
        request: &SearchRequest,
        generator: &mut Generator,
        control: &Control,
        progress: &mut dyn FnMut(&PlayoutSample),
    ) -> PlayoutSample {
        let position = &request.position;
        if request.root_moves.is_none() {
            let mut progress = |tally: &Tally| progress(&PlayoutSample::from(tally.clone()));
            return PlayoutSample::from(self.sample(position, generator, control, &mut progress));
        }
        let moves: Vec<Cell> = request.moves().collect();
        let mut sample = PlayoutSample::among(position, &moves);
        let mut publishing = control.timer(PUBLISH_INTERVAL);
        let mut left = control.playouts();
        while left != Some(0) && (sample.tally.results().count() == 0 || control.check().is_ok()) {
            // Whole rounds, so that all moves have as many when time ends it.
            for place in 0..moves.len() {
                let ahead = (moves.len() - place) as u64;
                let share = left.map_or(ROUND, |left| left.div_ceil(ahead).min(ROUND));
                if share == 0 {
                    break;
                }
                let after = position.after(moves[place]);
                sample.add(place, &self.play_on(&after, share, generator));
                left = left.map(|left| left - share);
            }
            if publishing.is_due() {
                progress(&sample);
            }
        }
        sample
    }

    /// So many playouts from a position, in which the game may be over.
    fn play_on(&self, position: &Position, playouts: u64, generator: &mut Generator) -> Tally {
        if position.outcome().is_some() {
            let mut tally = Tally::new(position.rules().size());
            tally.add(position, position.side());
            tally.repeat(playouts);
            return tally;
        }
        self.sample(position, generator, &Control::playouts_only(playouts), &mut |_| {})
    }

    /// What a sample says about the moves of a position; the move to play is the one numbered `chosen` among those
    /// with the highest total.
    pub(crate) fn result(
        &self,
        request: &SearchRequest,
        sample: &PlayoutSample,
        choose: impl FnOnce(usize) -> usize,
    ) -> SearchResult {
        let tally = &sample.tally;
        let results = tally.results();
        let mut moves: Vec<Cell> = request.moves().collect();
        // A stable sort: squares with equal totals stay in reading order.
        moves.sort_by(|&a, &b| tally.compare(b, a, self.weights));
        let ties = moves.iter().take_while(|&&cell| tally.compare(cell, moves[0], self.weights).is_eq()).count();
        moves[..=choose(ties)].rotate_right(1);
        let line = |cell| {
            let score = Score::Estimate(sample.mean(cell));
            Line { score, principal_variation: vec![cell], total: Some(tally.total(cell, self.weights)) }
        };
        let lines: Vec<Line> = moves.into_iter().take(request.lines).map(line).collect();
        let score = lines[0].score;
        SearchResult { score, lines, depth: 1, nodes: results.count(), playouts: Some(results), expected: None }
    }
}

/// What is done with each sample of a search under way: its result is published, and reported now and then.
pub(crate) fn telling<'a>(
    control: &'a Control,
    report: Report<'a>,
    result: impl Fn(&PlayoutSample) -> SearchResult + 'a,
) -> impl FnMut(&PlayoutSample) + 'a {
    let mut reporting = control.timer(REPORT_INTERVAL);
    move |sample| {
        let result = result(sample);
        control.publish(result.lines[0].first_move(), result.depth, result.score.expected_result());
        if reporting.is_due() {
            report(&result);
        }
    }
}

/// Playouts of a request.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PlayoutSample {
    /// All of them, seen by the side to move.
    pub tally: Tally,
    /// Where the moves to choose from are listed, each with the results of the playouts that began with it.
    by_move: Vec<(Cell, PlayoutResults)>,
}

impl From<Tally> for PlayoutSample {
    fn from(tally: Tally) -> PlayoutSample {
        PlayoutSample { tally, by_move: Vec::new() }
    }
}

impl PlayoutSample {
    /// No playouts yet, of which each is to begin with one of these moves.
    pub fn among(position: &Position, moves: &[Cell]) -> PlayoutSample {
        let none = |&cell: &Cell| (cell, PlayoutResults::default());
        PlayoutSample { tally: Tally::new(position.rules().size()), by_move: moves.iter().map(none).collect() }
    }

    /// Adds playouts that began with the move at a place, as the opponent has counted them.
    pub fn add(&mut self, place: usize, seen_by_other: &Tally) {
        let before = self.tally.results();
        self.tally.add_seen_by_other(seen_by_other);
        let after = self.tally.results();
        let own = &mut self.by_move[place].1;
        own.wins += after.wins - before.wins;
        own.draws += after.draws - before.draws;
        own.losses += after.losses - before.losses;
    }

    /// The mean result, from -1 to 1: of the playouts that began with a move where the moves are listed, else of all.
    pub fn mean(&self, cell: Cell) -> f64 {
        let own = self.by_move.iter().find(|(listed, _)| *listed == cell);
        own.map_or(self.tally.results(), |(_, results)| *results).mean()
    }
}

impl Searcher for MonteCarlo {
    fn search(
        &mut self,
        request: &SearchRequest,
        generator: &mut Generator,
        control: &Control,
        report: Report<'_>,
    ) -> SearchResult {
        let mut progress = telling(control, report, |sample| self.result(request, sample, |_| 0));
        let sample = self.sample_request(request, generator, control, &mut progress);
        self.result(request, &sample, |ties| request.tiebreak.pick(ties, generator))
    }

    fn is_quick(&self, position: &Position, playouts: Option<u64>) -> bool {
        let cells = position.empty_cells() as u64;
        playouts.is_some_and(|playouts| playouts.saturating_mul(cells) <= QUICK_CELLS)
    }
}
