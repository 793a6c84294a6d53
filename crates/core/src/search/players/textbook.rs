//! The searches as players.

use std::cmp::Ordering;

use crate::game::{Cell, Position, Score};

use crate::search::{Control, Generator, Line, Report, SearchRequest, SearchResult, Searcher};
use crate::search::{Textbook, TextbookResult};

/// Plays by a [`Textbook`] search.
///
/// A search that knows the value of every move proves them and leaves ties to the tie-break. Alpha-beta knows the
/// first of the best moves only: it plays that, whatever the tie-break, and shows one line. It proves draws; of wins
/// and losses it does not know the distance, so they are estimates of 1 and -1, and what comes with a table always is
/// an estimate.
///
/// Ended before it knows, a search answers with the best of the moves that it had searched to the end, or, when all
/// of those lose, with the first of the others, and proves nothing.
#[derive(Clone, Copy, Debug)]
pub struct TextbookSearcher {
    search: Textbook,
    mebibytes: u32,
}

impl TextbookSearcher {
    /// A player that plays by this search.
    pub fn new(search: Textbook) -> TextbookSearcher {
        TextbookSearcher { search, mebibytes: Textbook::MEBIBYTES }
    }

    /// The same in at most so many MiB.
    pub fn within(self, mebibytes: u32) -> TextbookSearcher {
        TextbookSearcher { mebibytes, ..self }
    }

    /// The moves of the position, best first, as far as the search knows them.
    fn ranking(
        self,
        request: &SearchRequest,
        findings: &TextbookResult,
        generator: &mut Generator,
    ) -> Vec<(Cell, Score)> {
        let Some(score) = findings.score else { return vec![guess(request, findings)] };
        let mut moves = findings.moves.clone();
        if !self.search.knows_every_move() {
            let (cell, _) = first_of_the_best(findings).expect("a search that knows has searched a move");
            return vec![(cell, score)];
        }
        // A stable sort: equally good moves stay in reading order.
        moves.sort_by(|(_, one), (_, two)| compare(*two, *one));
        let ties = moves.iter().take_while(|(_, other)| *other == score).count();
        let chosen = request.tiebreak.pick(ties, generator);
        moves[..=chosen].rotate_right(1);
        moves
    }

    /// A move with what follows, proven only if that is shown to the end of the game.
    fn line(self, position: &Position, cell: Cell, score: Score, control: &Control) -> Line {
        let mut principal_variation = vec![cell];
        let rest = match score {
            Score::Exact(_) => self.best_line(position.after(cell), control),
            Score::Estimate(_) => None,
        };
        let score = if rest.is_some() { score } else { Score::Estimate(score.expected_result()) };
        principal_variation.extend(rest.into_iter().flatten());
        Line { score, principal_variation, total: None }
    }

    /// The moves of best play from `position` to the end of the game, the first of the best each time, found by
    /// searching again after every move. `None` when `control` ends it before.
    fn best_line(self, mut position: Position, control: &Control) -> Option<Vec<Cell>> {
        let mut line = Vec::new();
        while position.outcome().is_none() {
            let findings = self.search.search_request(&SearchRequest::new(position), control, self.mebibytes);
            let (best, _) = findings.score.and_then(|_| first_of_the_best(&findings))?;
            line.push(best);
            position = position.after(best);
        }
        Some(line)
    }
}

/// The answer of a search that was ended before it knew.
fn guess(request: &SearchRequest, findings: &TextbookResult) -> (Cell, Score) {
    let open = request.moves().find(|cell| findings.moves.iter().all(|(searched, _)| searched != cell));
    match (first_of_the_best(findings), open) {
        (Some((best, score)), None) => (best, Score::Estimate(score.expected_result())),
        (Some((best, score)), _) if score.expected_result() >= 0.0 => (best, Score::Estimate(score.expected_result())),
        (_, open) => (open.expect("a game that goes on has a move"), Score::Estimate(0.0)),
    }
}

fn first_of_the_best(findings: &TextbookResult) -> Option<(Cell, Score)> {
    findings.moves.iter().copied().reduce(|best, other| if compare(other.1, best.1).is_gt() { other } else { best })
}

fn compare(one: Score, two: Score) -> Ordering {
    match (one, two) {
        (Score::Exact(one), Score::Exact(two)) => one.cmp(&two),
        _ => one.expected_result().total_cmp(&two.expected_result()),
    }
}

impl Searcher for TextbookSearcher {
    /// `nodes` is the count of the search; what follows the moves is found by further searches, which do not count.
    fn search(
        &mut self,
        request: &SearchRequest,
        generator: &mut Generator,
        control: &Control,
        _: Report<'_>,
    ) -> SearchResult {
        let position = &request.position;
        let findings = self.search.search_request(request, control, self.mebibytes);
        let ranking = self.ranking(request, &findings, generator);
        let moves = ranking.into_iter().take(request.lines);
        let lines: Vec<Line> = moves.map(|(cell, score)| self.line(position, cell, score, control)).collect();
        let depth = findings.score.map_or(1, |_| position.empty_cells() as u16);
        SearchResult { score: lines[0].score, lines, depth, nodes: findings.nodes, playouts: None, expected: None }
    }
}
