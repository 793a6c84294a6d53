//! Moves without a search: of the random player, and of a search that has no time or is stopped before it begins.
//!
//! There, a look of two plies comes first. Among moves that are equal by it, normal rules: play where the live lines of
//! both players weigh most. Reverse rules: play where the mover's own live lines weigh least. Nothing is kept between moves:
//! on 20x20 a move takes some 40 microseconds, most of them for a new board of live lines.

use crate::game::{Bounds, Cell, Player, Position, Score};

use crate::search::line_board::LineBoard;
use crate::search::proof::RootBounds;
use crate::search::{SearchContext, SearchResult, Searcher, Variation, below};

/// What a move is worth by the live lines: the more, the better for the side to move.
pub(super) fn by_live_lines(position: &Position) -> impl Fn(Cell) -> i32 + use<> {
    let (side, completer_wins) = (position.side(), position.rules().completer_wins());
    let mut board = LineBoard::new(position.rules());
    board.set_up(position);
    move |cell| {
        let weight = |player: Player| board.weight(player as usize, board.number(cell));
        let mine = weight(side);
        if completer_wins { mine + weight(!side) } else { -mine }
    }
}

/// Plays by the live lines, without a search.
pub struct InstantMover;

impl Searcher for InstantMover {
    fn run(&mut self, SearchContext { request, generator, .. }: SearchContext<'_>) -> SearchResult {
        let weight = by_live_lines(&request.position);
        let rank = |&(cell, bounds): &(Cell, Bounds)| (bounds.preference(), weight(cell));
        let RootBounds { value, mut moves, .. } = RootBounds::before_search(request);
        // A stable sort: equally good moves stay in reading order.
        moves.sort_by_key(|entry| std::cmp::Reverse(rank(entry)));
        let ties = moves.iter().take_while(|entry| rank(entry) == rank(&moves[0])).count();
        let chosen = request.tiebreak.pick(ties, generator);
        moves[..=chosen].rotate_right(1);
        let score = |bounds| Score::proven_by(bounds).unwrap_or(Score::Estimate(0.0));
        let line = |(cell, bounds)| Variation { score: score(bounds), principal_variation: vec![cell], total: None };
        let lines = moves.into_iter().take(request.lines).map(line).collect();
        SearchResult::new(score(value), lines, 2, 0)
    }
}

/// Plays a uniformly random move. Its score is an estimate of 0.
pub struct RandomMover;

impl Searcher for RandomMover {
    fn run(&mut self, SearchContext { request, generator, .. }: SearchContext<'_>) -> SearchResult {
        let mut moves: Vec<_> = request.moves().collect();
        let chosen = below(generator, moves.len() as u32) as usize;
        moves[..=chosen].rotate_right(1);
        let guess = Score::Estimate(0.0);
        let line = |cell| Variation { score: guess, principal_variation: vec![cell], total: None };
        let lines = moves.into_iter().take(request.lines).map(line).collect();
        SearchResult::new(guess, lines, 1, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Outcome, Rules, Value};
    use crate::search::{Control, Generator, SearchRequest, Stream, generator};

    fn instant_move(request: &SearchRequest, generator: &mut Generator) -> SearchResult {
        InstantMover.search(request, generator, &Control::unlimited(), &mut |_| {})
    }

    #[test]
    fn wins_at_once_are_taken_and_lines_not_completed_in_reverse() {
        let mut random = generator(3, Stream::Go(1));
        let (mut wins, mut blocks, mut forced) = (0, 0, 0);
        for (size, connect) in [(1, 0), (2, 0), (3, 0), (3, 2), (4, 3), (5, 4), (7, 5), (6, 6), (4, 9)] {
            for reverse in [false, true] {
                let rules = Rules::new(size, connect, reverse).unwrap();
                for _ in 0..60 {
                    let mut position = Position::start(rules);
                    while position.outcome().is_none() {
                        let request = SearchRequest { lines: 3, ..SearchRequest::new(position) };
                        let result = instant_move(&request, &mut random);
                        let chosen = result.lines[0].first_move();
                        let ends = |position: &Position, cell: Cell| {
                            matches!(position.after(cell).outcome(), Some(Outcome::Win(_)))
                        };
                        let completing = position.moves().filter(|&cell| ends(&position, cell)).count();
                        if reverse {
                            let all = completing == position.empty_cells();
                            assert_eq!(ends(&position, chosen), all, "{}", position.diagram());
                            forced += usize::from(all);
                        } else {
                            assert_eq!(ends(&position, chosen), completing > 0, "{}", position.diagram());
                            assert_eq!(result.score == Score::Exact(Value::Win(1)), completing > 0);
                            wins += usize::from(completing > 0);
                            let other = position.moves().find(|&cell| cell != chosen && completing == 0);
                            let threats = |after: Position| after.moves().filter(|&cell| ends(&after, cell)).count();
                            if let Some(other) = other.filter(|&other| threats(position.after(other)) == 1) {
                                let there =
                                    position.after(other).moves().find(|&cell| ends(&position.after(other), cell));
                                if there != Some(other) && threats(position.after(chosen)) == 0 {
                                    blocks += 1;
                                }
                            }
                        }
                        let moves: Vec<Cell> = position.moves().collect();
                        position = position.after(moves[below(&mut random, moves.len() as u32) as usize]);
                    }
                }
            }
        }
        assert!(wins > 50 && blocks > 20 && forced > 20, "{wins} {blocks} {forced}");
    }

    #[test]
    fn only_listed_moves_are_played() {
        let position = Position::start(Rules::new(5, 4, false).unwrap());
        let listed = [Cell::new(4, 4), Cell::new(0, 0)];
        let request =
            SearchRequest { root_moves: Some(listed.into_iter().collect()), lines: 25, ..SearchRequest::new(position) };
        let result = instant_move(&request, &mut generator(1, Stream::Go(1)));
        assert_eq!(result.lines.len(), 2);
        assert!(result.lines.iter().all(|line| listed.contains(&line.first_move())));
    }
}
