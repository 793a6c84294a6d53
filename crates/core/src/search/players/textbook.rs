//! The textbook searches as players.

use std::cmp::Ordering;

use crate::game::{Cell, Position, Score};

use crate::search::{Control, Generator, SearchContext, SearchRequest, SearchResult, Searcher, Variation};
use crate::search::{Textbook, TextbookResult};

/// Plays by a [`Textbook`] search.
///
/// A search that knows the value of every move proves all of them, and the tie-break decides among the best. Alpha-beta
/// knows only the first of the best moves: it plays that one, whatever the tie-break, and shows one line. It proves draws.
/// It does not know the distance of wins and losses, so they are estimates of 1 and -1. A search with a table proves
/// nothing.
///
/// A search that ends early plays the best of the moves that it has finished. If all of those lose, it plays the first of
/// the others. It proves nothing then.
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

    /// Bounds the memory by `mebibytes` MiB.
    pub fn within(self, mebibytes: u32) -> TextbookSearcher {
        TextbookSearcher { mebibytes, ..self }
    }

    /// The moves with known values, best first.
    fn ranking(
        self,
        request: &SearchRequest,
        findings: &TextbookResult,
        generator: &mut Generator,
    ) -> Vec<(Cell, Score)> {
        let Some(score) = findings.score else { return vec![guess(request, findings)] };
        let mut moves = findings.moves.clone();
        if !self.search.knows_every_move() {
            let (cell, _) = findings.best_move().expect("a search that knows has searched a move");
            return vec![(cell, score)];
        }
        // A stable sort: equally good moves stay in reading order.
        moves.sort_by(|(_, one), (_, two)| compare(*two, *one));
        let ties = moves.iter().take_while(|(_, other)| *other == score).count();
        let chosen = request.tiebreak.pick(ties, generator);
        moves[..=chosen].rotate_right(1);
        moves
    }

    /// A move with its variation. Its score is exact only if the variation reaches the end of the game.
    fn line(self, position: &Position, cell: Cell, score: Score, control: &Control) -> Variation {
        let mut principal_variation = vec![cell];
        let rest = match score {
            Score::Exact(_) => self.best_line(position.after(cell), control),
            Score::Within(_) | Score::Estimate(_) => None,
        };
        let score = if rest.is_some() { score } else { Score::Estimate(score.expected_result()) };
        principal_variation.extend(rest.into_iter().flatten());
        Variation { score, principal_variation, total: None }
    }

    /// Best play from `position` to the end of the game: the first of the best moves each time. There is a new search after
    /// every move. `None` when `control` ends one of them.
    fn best_line(self, mut position: Position, control: &Control) -> Option<Vec<Cell>> {
        let mut line = Vec::new();
        while position.outcome().is_none() {
            let findings = self.search.search_request(&SearchRequest::new(position), control, self.mebibytes);
            let (best, _) = findings.score.and_then(|_| findings.best_move())?;
            line.push(best);
            position = position.after(best);
        }
        Some(line)
    }
}

/// `nodes` counts the first search only, not the searches for the variations.
impl Searcher for TextbookSearcher {
    fn run(&mut self, SearchContext { request, generator, control, .. }: SearchContext<'_>) -> SearchResult {
        let position = &request.position;
        let findings = self.search.search_request(request, control, self.mebibytes);
        let ranking = self.ranking(request, &findings, generator);
        let moves = ranking.into_iter().take(request.lines);
        let lines: Vec<Variation> = moves.map(|(cell, score)| self.line(position, cell, score, control)).collect();
        let depth = findings.score.map_or(1, |_| position.empty_cells() as u16);
        SearchResult::new(lines[0].score, lines, depth, findings.nodes)
    }
}

/// The move and score of a search that has ended early.
fn guess(request: &SearchRequest, findings: &TextbookResult) -> (Cell, Score) {
    let open = request.moves().find(|cell| findings.moves.iter().all(|(searched, _)| searched != cell));
    match (findings.best_move(), open) {
        (Some((best, score)), None) => (best, Score::Estimate(score.expected_result())),
        (Some((best, score)), _) if score.expected_result() >= 0.0 => (best, Score::Estimate(score.expected_result())),
        (_, open) => (open.expect("a game that goes on has a move"), Score::Estimate(0.0)),
    }
}

impl TextbookResult {
    /// The first of the best of the moves that were searched to the end.
    pub fn best_move(&self) -> Option<(Cell, Score)> {
        self.moves.iter().copied().reduce(|best, other| if compare(other.1, best.1).is_gt() { other } else { best })
    }
}

fn compare(one: Score, two: Score) -> Ordering {
    match (one, two) {
        (Score::Exact(one), Score::Exact(two)) => one.cmp(&two),
        _ => one.expected_result().total_cmp(&two.expected_result()),
    }
}
