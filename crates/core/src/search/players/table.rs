//! The table player: exact values of all positions, on boards of up to 9 cells.

use crate::game::{Cell, Position, Rules, Score, Value};
use crate::search::proof::{OncePerRules, SmallBoard};
use crate::search::{Control, SearchContext, SearchResult, Searcher, Tiebreak, ValueTable, Variation};

use super::trap::{Endgame, Trap};

/// The expected results against random moves, for each set of rules.
static ENDGAMES: OncePerRules<Endgame> = OncePerRules::new();

/// The trap among the best moves of a position on a board of up to 9 cells.
fn trap(position: &Position, moves: &[Cell]) -> Trap {
    let solve = || {
        let mut endgame = Endgame::new(&Position::start(position.rules()));
        endgame.solve(&Control::unlimited()).expect("nothing ends it");
        endgame
    };
    let endgame = ENDGAMES.get(position.rules(), solve).expect("the board is small enough");
    Trap::in_endgame(endgame, position, moves)
}

/// Plays from a [`ValueTable`].
#[derive(Clone, Copy)]
pub struct TableSearcher {
    table: &'static ValueTable,
}

impl TableSearcher {
    /// A searcher for positions of `rules`; `None` when their board is too large for a table.
    pub fn for_rules(rules: Rules) -> Option<TableSearcher> {
        ValueTable::for_rules(rules).map(|table| TableSearcher { table })
    }
}

/// `nodes` is the number of positions whose values were compared. The positions of building the table do not count.
impl Searcher for TableSearcher {
    fn run(&mut self, SearchContext { request, generator, .. }: SearchContext<'_>) -> SearchResult {
        let board = SmallBoard::of(&request.position);
        let is_listed = |cell: Cell| request.root_moves.is_none_or(|listed| listed.contains(cell));
        let moves = self.table.moves(board).filter(|&(bit, _)| is_listed(self.table.geometry.cell(bit)));
        let mut moves: Vec<(u16, Value)> = moves.collect();
        let nodes = moves.len() as u64;
        // A stable sort: equally good moves stay in reading order.
        moves.sort_by(|(_, a), (_, b)| b.cmp(a));
        let best = moves[0].1;
        let ties = moves.iter().take_while(|(_, value)| *value == best).count();
        let (chosen, note) = match request.tiebreak {
            Tiebreak::Trap => {
                let ties: Vec<Cell> = moves[..ties].iter().map(|(cell, _)| self.table.geometry.cell(*cell)).collect();
                let trap = trap(&request.position, &ties);
                (trap.index, trap.note)
            }
            tiebreak => (tiebreak.pick(ties, generator), None),
        };
        moves[..=chosen].rotate_right(1);
        let line = |(cell, value): (u16, Value)| {
            let mut principal_variation = vec![self.table.geometry.cell(cell)];
            principal_variation.extend(self.table.best_line(board.after(cell)));
            Variation { score: Score::Exact(value), principal_variation, total: None }
        };
        let lines = moves.into_iter().take(request.lines).map(line).collect();
        let depth = request.position.empty_cells() as u16;
        SearchResult { notes: note.into_iter().collect(), ..SearchResult::new(Score::Exact(best), lines, depth, nodes) }
    }
}
