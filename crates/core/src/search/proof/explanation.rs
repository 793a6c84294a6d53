//! Explanations: why a position has its value, and how a move changes it.
//!
//! An explanation consists of what a [`Solver`] proves: values, moves of perfect play, and reasons. A reason with pairs or
//! kept cells is checked against the lines of the board and cut down to what it needs before it is handed out.

use crate::game::{Bounds, Cell, CellSet, Player, Position, Value};

use crate::search::{Control, Proof, Reason, Solver, ThreatStep, known_values};

/// The most pairs that a person can follow on a board.
const FEW_PAIRS: usize = 24;

/// The reasons for the value of a position, and for its change by a move. Everything in it is proven.
#[derive(Clone, PartialEq, Debug)]
pub struct Explanation {
    /// The position of the request.
    pub position: Position,
    /// The proven bounds of its value, seen by the side to move.
    pub before: Bounds,
    /// Moves that are proven to be as good as perfect play, value and distance, in reading order.
    pub best: Vec<Cell>,
    /// True if these are all of them.
    pub best_is_complete: bool,
    /// The move of the request, and what is proven about its value for the player who makes it. Its plies include the move
    /// itself.
    pub played: Option<(Cell, Bounds)>,
    /// Moves from the position on, beginning with the move of the request. In a won or lost game: perfect play of both
    /// sides to the end, which refutes a wrong move. In a draw that needed a search: the moves that lead to
    /// [`Explanation::end`]. Shorter if the search was stopped.
    pub line: Vec<Cell>,
    /// A faster win, to the end of the game, if the move of the request misses it; else empty.
    pub better: Vec<Cell>,
    /// The reasons for the value of the position after the move, or of the position itself without a move.
    pub reasons: Reasons,
    /// In a draw that needed a search: why neither side wins at the end of the line.
    pub end: Option<Reasons>,
    /// Nodes (positions visited) of the solver.
    pub nodes: u64,
}

/// The reasons why each player can, or cannot, force a win from a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Reasons {
    /// The position.
    pub position: Position,
    /// The proven bounds of its value, seen by the side to move.
    pub bounds: Bounds,
    /// The reasons for X and O; `None` if it is not known whether that player can win.
    pub by_player: [Option<Reason>; 2],
}

impl Reasons {
    /// The reasons in a finished game. In any other position, nothing is known without a search.
    fn unknown(position: &Position) -> Reasons {
        let value = position.final_value();
        let by_player = [(); 2].map(|()| value.map(|_| Reason::GameOver));
        Reasons { position: *position, bounds: value.map_or(Bounds::UNKNOWN, Bounds::exactly), by_player }
    }

    /// Proves as much as it can before `control` ends the search.
    fn find(solver: &mut Solver, position: &Position, control: &Control) -> Reasons {
        let Proof { bounds, attack, defence } = solver.prove(position, control);
        let mut reasons = Reasons::unknown(position);
        reasons.bounds = bounds;
        for (player, reason) in [(position.side(), attack), (!position.side(), defence)] {
            reasons.by_player[player as usize] = reason.map(|reason| checked(position, player, reason));
        }
        reasons
    }

    /// The reason for a player.
    pub fn of(&self, player: Player) -> Option<&Reason> {
        self.by_player[player as usize].as_ref()
    }

    /// True if both reasons are known and neither of them is a search.
    fn need_no_search(&self) -> bool {
        self.by_player.iter().all(|reason| reason.as_ref().is_some_and(|reason| *reason != Reason::Search))
    }
}

impl Explanation {
    /// The explanation without a search: either the game is over, or nothing is known. `cell` is a legal move.
    ///
    /// # Panics
    /// When the move is not legal.
    pub fn without_search(position: &Position, cell: Option<Cell>) -> Explanation {
        let subject = cell.map_or(*position, |cell| position.after(cell));
        let reasons = Reasons::unknown(&subject);
        Explanation {
            position: *position,
            before: Reasons::unknown(position).bounds,
            best: Vec::new(),
            best_is_complete: false,
            played: cell.map(|cell| (cell, reasons.bounds.before_move())),
            line: Vec::from_iter(cell),
            better: Vec::new(),
            reasons,
            end: None,
            nodes: 0,
        }
    }

    /// Explains a position, or the legal move `cell` in it, as far as it can before `control` ends the search.
    ///
    /// # Panics
    /// When the move is not legal.
    pub fn find(solver: &mut Solver, position: &Position, cell: Option<Cell>, control: &Control) -> Explanation {
        let mut explanation = Explanation::without_search(position, cell);
        if position.outcome().is_none() {
            let since = solver.nodes();
            let mut search = BudgetedSolver { solver, control, since };
            explanation.fill(&mut search);
            explanation.nodes = search.solver.nodes() - since;
        }
        explanation
    }

    fn fill(&mut self, search: &mut BudgetedSolver<'_>) {
        let position = self.position;
        // The rest of the nodes is for the lines and the best moves.
        let (nodes, before) = (search.left().nodes, self.before);
        let share = |parts: u64| nodes.map(|nodes| nodes / 10 * parts);
        self.before = before.and(search.solver.bounds(&position, &search.left().with_nodes(share(4))));
        let control = search.left().with_nodes(share(4).min(search.left().nodes));
        self.reasons = Reasons::find(search.solver, &self.reasons.position, &control);
        match &mut self.played {
            Some((_, bounds)) => {
                *bounds = bounds.and(self.reasons.bounds.before_move());
                // A position is worth no less than any of its moves.
                self.before.at_least = self.before.at_least.max(bounds.at_least);
            }
            None => {
                self.before = self.before.and(self.reasons.bounds);
                self.reasons.bounds = self.before;
            }
        }
        self.follow(search);
        if let (Some((_, played)), Some(Value::Win(_))) = (self.played, self.before.exact())
            && played.at_most < self.before.at_least
        {
            self.better = search.solver.principal_variation(&position, &search.left());
        }
        if let Some(value) = search.solver.bounds(&position, &search.left()).exact() {
            let moves: Vec<Cell> = position.moves().collect();
            // A move whose share of the nodes is too small stays undecided, though the search as a whole has nodes left.
            let decided = search.solver.keeping_moves(&position, &moves, value, &search.left());
            self.best_is_complete = decided.len() == moves.len();
            self.best = decided.into_iter().filter_map(|(cell, keeps)| keeps.then_some(cell)).collect();
        }
    }

    /// Follows perfect play. A won or lost game is followed to its end, a draw until no search is needed to see that
    /// neither side wins.
    fn follow(&mut self, search: &mut BudgetedSolver<'_>) {
        let mut position = self.reasons.position;
        match self.reasons.bounds.exact() {
            Some(Value::Draw) if !self.reasons.need_no_search() => {
                while let [cell, ..] = search.solver.principal_variation(&position, &search.left())[..] {
                    position = position.after(cell);
                    self.line.push(cell);
                    let reasons = Reasons::find(search.solver, &position, &search.left());
                    if reasons.need_no_search() {
                        self.end = Some(reasons);
                        return;
                    }
                }
            }
            Some(Value::Win(_) | Value::Loss(_)) => {
                self.line.extend(search.solver.principal_variation(&position, &search.left()));
            }
            _ => {
                // The distance is not proven, but a strategy may be known.
                if let Some(Reason::Threats { steps, .. }) = self.reasons.of(position.side()) {
                    self.line.extend(steps.iter().flat_map(ThreatStep::moves));
                }
            }
        }
    }
}

/// A solver and the bounds on its use.
struct BudgetedSolver<'a> {
    solver: &'a mut Solver,
    control: &'a Control,
    /// The nodes of the solver before.
    since: u64,
}

impl BudgetedSolver<'_> {
    fn left(&self) -> Control {
        // A part of the nodes is kept for the reasons where the distance is hard to prove.
        let distance_nodes = self.control.nodes.map(|nodes| nodes / 8);
        self.control.after(self.solver.nodes() - self.since).with_distance_nodes(distance_nodes)
    }
}

/// A checked reason for what `player` can or cannot do, cut down to what it needs. [`Reason::Search`] if the pairs alone
/// do not prove it.
fn checked(position: &Position, player: Player, reason: Reason) -> Reason {
    match reason {
        Reason::Pairing { lines_of, pairs, absorbed } => {
            let lines = live_lines(position, lines_of, absorbed.as_slice());
            let needed = needed(position, &lines, pairs, absorbed.as_slice());
            needed.map_or(Reason::Search, |pairs| Reason::Pairing { lines_of, pairs, absorbed })
        }
        Reason::Parity { mut kept, pairs } => {
            kept.sort();
            // Without pairs the lines weigh too little to matter.
            let lines = if pairs.is_empty() { Vec::new() } else { live_lines(position, player, &kept) };
            let needed = needed(position, &lines, pairs, &kept);
            needed.map_or(Reason::Search, |pairs| Reason::Parity { kept, pairs })
        }
        // Pairs are easier to see than a sum, as long as there are few.
        Reason::Potential { lines_of, .. } => {
            let stored = known_values::pairing(position.rules());
            let pairs = stored.and_then(|pairs| needed(position, &live_lines(position, lines_of, &[]), pairs, &[]));
            let few = pairs.filter(|pairs| pairs.len() <= FEW_PAIRS);
            few.map_or(reason, |pairs| Reason::Pairing { lines_of, pairs, absorbed: None })
        }
        reason => reason,
    }
}

/// The lines without a stone of the opponent of `player` and without any of the cells in `apart`.
fn live_lines(position: &Position, player: Player, apart: &[Cell]) -> Vec<CellSet> {
    let opposing = position.stones(!player);
    let is_live = |line: &CellSet| line.iter().all(|cell| !opposing.contains(cell) && !apart.contains(&cell));
    position.rules().lines().into_iter().filter(is_live).collect()
}

/// A subset of the pairs with one pair in each of the lines. `None` if some line has no pair of empty cells outside of
/// `apart`, or if the pairs are not disjoint.
fn needed(
    position: &Position,
    lines: &[CellSet],
    pairs: Vec<(Cell, Cell)>,
    apart: &[Cell],
) -> Option<Vec<(Cell, Cell)>> {
    let is_free = |cell: Cell| position.occupant(cell).is_none() && !apart.contains(&cell);
    let holds = |line: &CellSet, &(first, second): &(Cell, Cell)| line.contains(first) && line.contains(second);
    let mut pairs = pairs;
    pairs.retain(|pair| is_free(pair.0) && is_free(pair.1));
    pairs.sort();
    let mut held: Vec<usize> = lines.iter().map(|line| pairs.iter().filter(|pair| holds(line, pair)).count()).collect();
    let cells: CellSet = pairs.iter().flat_map(|&(first, second)| [first, second]).collect();
    if held.contains(&0) || cells.len() != 2 * pairs.len() {
        return None;
    }
    pairs.retain(|pair| {
        let served: Vec<usize> = (0..lines.len()).filter(|&index| holds(&lines[index], pair)).collect();
        let is_needed = served.iter().any(|&index| held[index] == 1);
        if !is_needed {
            served.into_iter().for_each(|index| held[index] -= 1);
        }
        is_needed
    });
    Some(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::search::{Generator, Stream, Technique, below, generator};

    /// True if each line has one of the pairs.
    fn serve(pairs: &[(Cell, Cell)], lines: &[CellSet]) -> bool {
        lines.iter().all(|line| pairs.iter().any(|&(first, second)| line.contains(first) && line.contains(second)))
    }

    /// Checks that each line has one of the pairs, and that no pair is there in vain.
    fn check_that_all_are_needed(pairs: &[(Cell, Cell)], lines: &[CellSet]) {
        assert!(serve(pairs, lines), "{pairs:?}");
        for place in 0..pairs.len() {
            let fewer = [&pairs[..place], &pairs[place + 1..]].concat();
            assert!(!serve(&fewer, lines), "{:?} is not needed", pairs[place]);
        }
    }

    #[test]
    fn pairs_are_cut_down_until_each_line_has_one_and_no_further() {
        let mut random = generator(1, Stream::Sample);
        let rules = Rules::new(5, 0, false).expect("rules");
        let position = Position::start(rules).after(Cell::new(2, 2));
        let apart = [Cell::new(0, 0)];
        let is_usable = |cell: Cell| cell != apart[0] && cell != Cell::new(2, 2);
        let (mut kept_all, mut cut, mut failed) = (0, 0, 0);
        for _ in 0..2000 {
            let mut cells: Vec<Cell> = Cell::all(5).collect();
            for place in (1..cells.len()).rev() {
                cells.swap(place, below(&mut random, place as u32 + 1) as usize);
            }
            let pairs: Vec<(Cell, Cell)> = cells.chunks_exact(2).take(8).map(|pair| (pair[0], pair[1])).collect();
            let usable: Vec<_> = pairs.iter().copied().filter(|pair| is_usable(pair.0) && is_usable(pair.1)).collect();
            // A line is made of one to three pairs, of which some may be of no use.
            let mut line = || -> CellSet {
                let chosen = (0..=below(&mut random, 3)).map(|_| pairs[below(&mut random, 8) as usize]);
                chosen.collect::<Vec<_>>().into_iter().flat_map(|(first, second)| [first, second]).collect()
            };
            let lines: Vec<CellSet> = (0..6).map(|_| line()).collect();
            let Some(found) = needed(&position, &lines, pairs.clone(), &apart) else {
                assert!(!serve(&usable, &lines));
                failed += 1;
                continue;
            };
            assert!(found.iter().all(|pair| usable.contains(pair)));
            check_that_all_are_needed(&found, &lines);
            if found.len() < usable.len() { cut += 1 } else { kept_all += 1 }
        }
        assert!(cut > 100 && failed > 100 && cut > kept_all, "{cut} {failed} {kept_all}");
        // A cell in two pairs could not answer both.
        let [first, second, third] = [(0, 1), (0, 2), (0, 3)].map(|(row, column)| Cell::new(row, column));
        let line = [first, second, third].into_iter().collect();
        assert_eq!(needed(&position, &[line], vec![(first, second), (second, third)], &[]), None);
    }

    /// The position after `least` random moves and up to five more, without those that end the game.
    fn after_random_moves(rules: Rules, least: u32, random: &mut Generator) -> Position {
        (0..least + below(random, 6)).fold(Position::start(rules), |position, _| {
            let moves: Vec<Cell> = position.moves().collect();
            let next = position.after(moves[below(random, moves.len() as u32) as usize]);
            if next.outcome().is_none() { next } else { position }
        })
    }

    #[test]
    fn kept_cells_stay_and_pairs_that_no_line_needs_go() {
        let mut random = generator(2, Stream::Sample);
        let rules = Rules::new(4, 3, true).expect("rules");
        // Without potentials every proof by parity has pairs where the player has lines.
        let mut solvers =
            [&[][..], &[Technique::Potential]].map(|left_out| Solver::within_bytes(rules, 1 << 16).without(left_out));
        let (mut without_pairs, mut cut) = (0, 0);
        for number in 0..800 {
            let position = after_random_moves(rules, 4, &mut random);
            let Proof { attack, defence, .. } = solvers[number % 2].prove(&position, &Control::unlimited());
            for (player, reason) in [(position.side(), attack), (!position.side(), defence)] {
                let Some(Reason::Parity { mut kept, mut pairs }) = reason else { continue };
                kept.sort();
                let is_paired = |cell: &Cell| pairs.iter().any(|pair| [pair.0, pair.1].contains(cell));
                let spare: Vec<Cell> =
                    position.moves().filter(|cell| !kept.contains(cell) && !is_paired(cell)).take(2).collect();
                if let ([first, second], false) = (&spare[..], pairs.is_empty()) {
                    pairs.push((*first, *second));
                }
                let reason = Reason::Parity { kept: kept.iter().rev().copied().collect(), pairs: pairs.clone() };
                let found = checked(&position, player, reason);
                let Reason::Parity { kept: kept_still, pairs: needed } = found else { panic!("{found:?}") };
                assert_eq!(kept_still, kept);
                let lines = live_lines(&position, player, &kept);
                assert!(needed.iter().all(|pair| pairs.contains(pair)));
                if pairs.is_empty() {
                    without_pairs += usize::from(!lines.is_empty());
                } else {
                    check_that_all_are_needed(&needed, &lines);
                    cut += usize::from(needed.len() < pairs.len());
                }
            }
        }
        assert!(without_pairs > 10 && cut > 10, "{without_pairs} {cut}");
    }

    #[test]
    fn exchanges_take_no_reason_away() {
        let mut random = generator(3, Stream::Sample);
        let rules = Rules::new(4, 3, true).expect("rules");
        let [mut with, mut without] =
            [&[][..], &[Technique::Exchange]].map(|left_out| Solver::within_bytes(rules, 1 << 16).without(left_out));
        let mut found = 0;
        for _ in 0..300 {
            let position = after_random_moves(rules, 6, &mut random);
            let proof = with.prove(&position, &Control::unlimited());
            assert_eq!(proof, without.prove(&position, &Control::unlimited()), "{}", position.diagram());
            found += [proof.attack, proof.defence].iter().flatten().filter(|reason| **reason != Reason::Search).count();
        }
        assert!(found >= 50, "{found}");
    }

    #[test]
    fn best_moves_that_are_said_to_be_all_are_all_under_every_limit() {
        for reverse in [false, true] {
            let rules = Rules::new(3, 0, reverse).expect("rules");
            let opened = Position::start(rules).after(Cell::new(0, 2)).after(Cell::new(2, 2)).after(Cell::new(2, 1));
            let explain = |control: &Control| {
                let mut solver = Solver::within_bytes(rules, 1 << 16).without(&Technique::ALL);
                Explanation::find(&mut solver, &opened, None, control)
            };
            let all = explain(&Control::unlimited());
            assert!(all.best_is_complete);
            for nodes in 1..=2000 {
                let found = explain(&Control::nodes_only(nodes));
                assert!(found.best.iter().all(|cell| all.best.contains(cell)), "{nodes} nodes");
                assert!(!found.best_is_complete || found.best == all.best, "{nodes} nodes: {:?}", found.best);
            }
        }
    }
}
