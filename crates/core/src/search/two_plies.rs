//! Proves of each move what a look of two plies shows. Every proof and every tree search begins with it, and so does the
//! answer without a search: none of them knows less.
//!
//! Normal rules: a move that completes a line wins. Any other move loses if the opponent can then complete a line.
//! Reverse rules: a move that completes a line loses. Any other move wins if every reply completes a line.
//!
//! All other moves are bounded by the soonest end that is left: plies 3 and 4.

use crate::game::{Bounds, Cell, Value};

use super::SearchRequest;

/// The bounds of every move of a request, in reading order, seen by the side to move. The game goes on in the position.
pub(crate) fn bounds_of_moves(request: &SearchRequest) -> Vec<(Cell, Bounds)> {
    let (position, rules) = (&request.position, request.position.rules());
    let [mine, theirs] = [position.side(), !position.side()].map(|player| position.completions(player));
    // Empty cells after the move.
    let left = position.empty_cells() - 1;
    // The value if a line is completed in a ply, counted from 1; a draw where the board is full before.
    let line_at = |ply: u16| match usize::from(ply) - 1 <= left {
        true => (1..=ply).fold(rules.value_after_line(), |value, _| value.before_move()),
        false => Value::Draw,
    };
    let bounds = |cell: Cell| {
        if mine.contains(cell) {
            return Bounds::exactly(line_at(1));
        }
        if left == 0 {
            return Bounds::exactly(Value::Draw);
        }
        let completing = theirs.len() - usize::from(theirs.contains(cell));
        let ends = if rules.completer_wins() { completing > 0 } else { completing == left };
        if ends {
            return Bounds::exactly(line_at(2));
        }
        let [third, fourth] = [line_at(3), line_at(4)];
        Bounds { at_least: third.min(fourth), at_most: third.max(fourth) }
    };
    request.moves().map(|cell| (cell, bounds(cell))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Position, Rules};
    use crate::search::oracle::{endgames, holds, move_values};

    /// The value of a move by plain play of every move and every reply.
    fn in_sight(position: &Position, cell: Cell) -> Option<Value> {
        let after = position.after(cell);
        if let Some(value) = after.final_value() {
            return Some(value.before_move());
        }
        let replies: Vec<Option<Value>> = after.moves().map(|reply| after.after(reply).final_value()).collect();
        let is_lost = replies.contains(&Some(Value::Loss(0)));
        let is_won = replies.iter().all(|value| *value == Some(Value::Win(0)));
        let is_drawn = replies.iter().all(|value| *value == Some(Value::Draw));
        match (is_lost, is_won, is_drawn) {
            (true, _, _) => Some(Value::Loss(2)),
            (_, true, _) => Some(Value::Win(2)),
            (_, _, true) => Some(Value::Draw),
            _ => None,
        }
    }

    #[test]
    fn a_look_of_two_plies_sees_every_end_in_two_plies() {
        let (mut exact, mut open) = (0, 0);
        for (size, connect) in [(2, 0), (3, 0), (3, 2), (4, 3), (4, 4), (5, 4)] {
            for reverse in [false, true] {
                let rules = Rules::new(size, connect, reverse).expect("rules");
                for position in endgames(rules, &[1, 2, 3, 4, 5, 6, 7], 40) {
                    let values = move_values(&position);
                    let found = bounds_of_moves(&SearchRequest::new(position));
                    assert_eq!(found.len(), values.len());
                    for ((cell, bounds), (of, value)) in found.into_iter().zip(values) {
                        let at = || format!("{rules} {} {cell}: {bounds:?}, {value:?}", position.diagram());
                        assert_eq!(cell, of);
                        assert!(holds(bounds, value), "{}", at());
                        match in_sight(&position, cell) {
                            Some(_) => assert_eq!(bounds.exact(), in_sight(&position, cell), "{}", at()),
                            None => assert!(
                                bounds.at_least > Value::Loss(2) && bounds.at_most < Value::Win(2)
                                    || bounds.at_most < Value::Win(1) && bounds.at_least > Value::Loss(1),
                                "{}",
                                at()
                            ),
                        }
                        *(if bounds.exact().is_some() { &mut exact } else { &mut open }) += 1;
                    }
                }
            }
        }
        assert!(exact > 500 && open > 500, "{exact} {open}");
    }
}
