//! Proof of the position at the root of a search and of its moves.
//!
//! Bounds are only ever tightened. A win or a draw is announced only together with a move that keeps it
//! ([`RootBounds::announced`]).

use std::time::Duration;

use crate::game::{Bounds, Cell, Position, Rules, Score, Value};

use crate::search::request::IntervalTimer;
use crate::search::{Control, Proof, SearchRequest, Solver, WinningStrategy, two_plies};

/// Time between two progress reports: a second, less the time until the solver next reads the clock.
const REPORT_INTERVAL: Duration = Duration::from_millis(990);

/// Nodes for the reason of the known value of an empty board. A reason that can be printed takes no search.
const REASON_NODES: u64 = 1_000;

/// Once the value is proven, the rest (other best moves, how the game goes on) takes at most this part of the nodes that
/// the proof has taken.
const FINISHING_PART: u64 = 4;

/// The rest may always take this number of nodes on boards of up to 64 cells, and a tenth of it on larger ones.
const FINISHING_NODES: u64 = 20_000;

/// The nodes for the distance, once it is proven who wins, times the number of cells: 100,000 nodes on 8x8. A node takes
/// longer on a larger board.
const DISTANCE_WORK: u64 = 6_400_000;

/// The share of the time for a search for threats before playouts. With a third of it, the tree search was weaker.
const THREAT_SHARE: f64 = 0.1;

/// The time for the rest when time is limited, because a known answer must come at once.
const FINISHING_TIME: Duration = Duration::from_micros(500);

/// The proven bounds of a position and its moves.
#[derive(Clone)]
pub(crate) struct RootBounds {
    /// The proven bounds of the position; if the request lists root moves, of the best of those.
    pub value: Bounds,
    /// The proven bounds of its moves, in reading order.
    pub moves: Vec<(Cell, Bounds)>,
    /// Plies of the deepest proof.
    pub depth: u16,
    /// Nodes (positions visited).
    pub nodes: u64,
    /// A win by threats whose distance is not proven: the moves of both players; else empty.
    pub winning_line: Vec<Cell>,
}

impl RootBounds {
    /// Nothing is proven.
    pub fn unknown(request: &SearchRequest) -> RootBounds {
        let moves = request.moves().map(|cell| (cell, Bounds::UNKNOWN)).collect();
        RootBounds { value: Bounds::UNKNOWN, moves, depth: 1, nodes: 0, winning_line: Vec::new() }
    }

    /// The bounds before any search: what a look of two plies proves.
    pub fn before_search(request: &SearchRequest) -> RootBounds {
        let moves = two_plies::bounds_of_moves(request);
        let mut known = RootBounds { moves, ..RootBounds::unknown(request) };
        known.update_from_moves();
        known
    }

    /// The value, if it is proven and so is a move that keeps it.
    pub fn proven_value(&self) -> Option<Value> {
        self.value.exact().filter(|&value| self.best_lower_bound() >= value)
    }

    /// The proven result of the game. A win or a draw counts only with a move that keeps it. The distance of a loss counts
    /// only with a move that delays the end as long.
    pub fn proven_score(&self) -> Option<Score> {
        match Score::proven_by(self.announced())? {
            Score::Exact(value @ Value::Loss(_)) if self.best_lower_bound() < value => Some(Score::Within(value)),
            score => Some(score),
        }
    }

    /// The best lower bound of any move.
    pub fn best_lower_bound(&self) -> Value {
        self.moves.iter().map(|(_, bounds)| bounds.at_least).max().unwrap_or(Value::Loss(0))
    }

    /// The moves with the best lower bound, in reading order.
    pub fn best_moves(&self) -> impl Iterator<Item = Cell> {
        let best = self.best_lower_bound();
        self.moves.iter().filter(move |(_, bounds)| bounds.at_least >= best).map(|(cell, _)| *cell)
    }

    /// The bounds that may be announced: a win or a draw only if a move is known that keeps it.
    pub fn announced(&self) -> Bounds {
        let at_least = match self.value.at_least {
            Value::Loss(_) => self.value.at_least,
            known => known.min(self.best_lower_bound()),
        };
        Bounds { at_least, ..self.value }
    }

    /// True if a move with these bounds may be played. If a win or a draw is announced, only moves that keep it may be.
    pub fn allows(&self, bounds: Bounds) -> bool {
        let announced = self.announced().at_least;
        announced < Value::Draw || bounds.at_least.result() >= announced.result()
    }

    /// Tightens the value by the moves: the position has the value of its best move.
    fn update_from_moves(&mut self) {
        let at_most = self.moves.iter().map(|(_, bounds)| bounds.at_most).max();
        if let Some(at_most) = at_most {
            self.value = self.value.and(Bounds { at_least: self.best_lower_bound(), at_most });
        }
    }

    fn tighten_move(&mut self, cell: Cell, bounds: Bounds) {
        if let Some((_, known)) = self.moves.iter_mut().find(|(known, _)| *known == cell) {
            *known = known.and(bounds);
        }
    }
}

/// A proof under way.
pub(crate) struct RootProof<'a> {
    solver: &'a mut Solver,
    request: &'a SearchRequest,
    /// The bounds of the whole search.
    control: &'a Control,
    /// Nodes of the solver before the search.
    before: u64,
    /// Nodes of other searches that were made for this request.
    elsewhere: u64,
    /// What is proven so far.
    pub bounds: RootBounds,
    /// The proof of the empty board without a search, once it was tried; `None` for other positions.
    pub empty_board_proof: Option<Proof>,
    reporting: IntervalTimer,
}

impl<'a> RootProof<'a> {
    /// Begins a proof of a position in which the game goes on.
    ///
    /// If the request lists root moves, only those are searched. Table entries of the whole position and known values of
    /// empty boards say nothing about some of its moves.
    pub fn new(solver: &'a mut Solver, request: &'a SearchRequest, control: &'a Control) -> RootProof<'a> {
        RootProof {
            before: solver.nodes(),
            elsewhere: 0,
            solver,
            request,
            control,
            bounds: RootBounds::before_search(request),
            empty_board_proof: None,
            reporting: control.timer(REPORT_INTERVAL),
        }
    }

    /// Publishes a move that is proven to keep a win or a draw, if one is known; in a lost position, one that puts off the
    /// end longest. A loss in two plies is seen without a search, which then says that it is proven.
    pub fn publish(&self) {
        let best_lower_bound = self.bounds.best_lower_bound();
        let is_lost = self.bounds.value.at_most < Value::Draw;
        let is_decided = best_lower_bound >= Value::Draw || (is_lost && best_lower_bound > Value::Loss(2));
        if let Some(cell) = self.bounds.best_moves().next().filter(|_| is_decided) {
            self.control.publish(cell, self.bounds.depth, f64::from(best_lower_bound.result()));
        }
    }

    /// The rest of the limits of the whole search.
    pub fn left(&self) -> Control {
        let left = self.left_of(self.control, self.before);
        let nodes = left.nodes.map(|nodes| nodes.saturating_sub(self.elsewhere));
        left.with_nodes(nodes)
    }

    /// The bounds for the rest, once the value and a move that keeps it are proven: other moves that are as good, and how
    /// the game goes on. A request for several lines may use all that is left.
    pub fn left_to_finish(&self) -> Control {
        let left = self.left();
        if self.request.lines > 1 {
            return left;
        }
        let is_large = self.request.position.rules().cells() > 64;
        let least = if is_large { FINISHING_NODES / 10 } else { FINISHING_NODES };
        let most = (self.bounds.nodes / FINISHING_PART).max(least);
        left.within_nodes(most).within(FINISHING_TIME)
    }

    /// The bounds for a comparison of the other moves with the best one, where the distance of that one is not proven.
    pub fn left_to_compare(&self) -> Control {
        self.left().within_nodes(self.distance_nodes()).with_distance_nodes(Some(0))
    }

    /// The nodes for the distance, once it is proven who wins.
    fn distance_nodes(&self) -> u64 {
        DISTANCE_WORK / self.request.position.rules().cells() as u64
    }

    /// Adds the bounds that another search has proven.
    pub fn add_bounds(&mut self, value: Bounds, moves: impl Iterator<Item = (Cell, Bounds)>) {
        self.bounds.value = self.bounds.value.and(value);
        moves.for_each(|(cell, bounds)| self.bounds.tighten_move(cell, bounds));
        self.bounds.update_from_moves();
        self.count_nodes();
    }

    /// Counts the nodes of another search that was made for this request.
    pub fn add_nodes(&mut self, nodes: u64) {
        self.elsewhere += nodes;
        self.count_nodes();
    }

    fn count_nodes(&mut self) {
        self.bounds.nodes = self.solver.nodes() - self.before + self.elsewhere;
    }

    /// The rest of `control`, if the solver had counted `since` nodes when it was given.
    fn left_of(&self, control: &Control, since: u64) -> Control {
        control.after(self.solver.nodes() - since)
    }

    /// Tries to prove the value of the position and one move that keeps it. Reports progress at most once a second. Three
    /// quarters of the budget go to the position; if its value stays open, the moves share the rest.
    pub fn prove(&mut self, control: &Control, progress: &mut dyn FnMut(&RootBounds)) {
        let since = self.solver.nodes();
        let is_whole = self.request.root_moves.is_none();
        if is_whole && self.bounds.value.exact().is_none() {
            let most = control.nodes.map(|nodes| nodes - nodes / 4);
            self.search_position(&control.clone().with_nodes(most).with_share_of_time(0.75), progress);
        }
        if self.bounds.value.exact().is_none() && self.bounds.proven_score().is_none() {
            self.search_moves(&self.left_of(control, since), progress);
        }
        if self.bounds.proven_value().is_none() {
            self.find_best_move(&self.left_of(control, since), progress);
        }
        self.bounds.update_from_moves();
        self.count_nodes();
    }

    /// Looks for a win by threats, if a win is still possible. It takes at most a tenth of the time, and at most a quarter
    /// as many nodes as the search may make playouts. A node takes about as long as a playout.
    pub fn search_threats(&mut self) {
        if self.bounds.proven_score().is_some() || self.bounds.value.at_most <= Value::Draw {
            return;
        }
        let left = self.left();
        let most = left.playouts.map(|playouts| playouts / 4);
        let control = left.with_nodes(most).with_share_of_time(THREAT_SHARE);
        let found = self.find_win_by_threats(&self.request.position, 0, &control);
        let is_listed = |strategy: &WinningStrategy| self.request.moves().any(|cell| cell == strategy.first_move());
        if let Some((strategy, bounds)) = found.filter(|(strategy, _)| is_listed(strategy)) {
            self.bounds.winning_line = strategy.longest_line();
            self.bounds.depth = self.bounds.depth.max(strategy.plies());
            self.add_bounds(bounds, [(strategy.first_move(), bounds)].into_iter());
        }
        self.count_nodes();
    }

    /// Looks for a win of the opponent by threats after a move, as long as `control` allows. If there is one, the move is
    /// proven to lose, and the result is true.
    pub fn refute(&mut self, cell: Cell, control: &Control) -> bool {
        let after = self.request.position.after(cell);
        if after.outcome().is_some() {
            return false;
        }
        let found = self.find_win_by_threats(&after, 1, control);
        self.add_bounds(Bounds::UNKNOWN, found.iter().map(|(_, bounds)| (cell, bounds.before_move())));
        found.is_some()
    }

    /// A win of the side to move by threats, and what it proves of the position, which is so many plies after the root.
    /// `None` if none is found within the depth of the whole search.
    fn find_win_by_threats(
        &mut self,
        position: &Position,
        plies: u16,
        control: &Control,
    ) -> Option<(WinningStrategy, Bounds)> {
        let strategy = self.solver.win_by_threats(position, control)?;
        let bounds = Bounds { at_least: Value::Win(strategy.plies()), ..Bounds::UNKNOWN };
        self.control.depth.is_none_or(|depth| plies + strategy.plies() <= depth).then_some((strategy, bounds))
    }

    /// The moves of perfect play from a later position, as far as `control` and the bounds of the whole search allow.
    pub fn line_from(&mut self, position: &Position, control: &Control) -> Vec<Cell> {
        let nodes = self.left().nodes.into_iter().chain(control.nodes).min();
        let line = self.solver.principal_variation(position, &control.clone().with_nodes(nodes));
        self.count_nodes();
        line
    }

    fn search_position(&mut self, control: &Control, progress: &mut dyn FnMut(&RootBounds)) {
        let position = self.request.position;
        let is_empty = position.empty_cells() == position.rules().cells();
        let since = self.solver.nodes();
        if is_empty && self.empty_board_proof.is_none() {
            let proof = self.solver.prove(&position, &control.clone().within_nodes(REASON_NODES));
            self.bounds.value = self.bounds.value.and(proof.bounds);
            self.empty_board_proof = Some(proof);
        }
        let control = self.left_of(control, since).with_distance_nodes(Some(self.distance_nodes()));
        let nodes_before = self.solver.nodes() - self.before;
        let RootProof { solver, bounds: known, reporting, .. } = self;
        let solution = solver.solve(&position, &control, &mut |bounds, depth, nodes| {
            known.value = known.value.and(bounds);
            known.depth = known.depth.max(depth);
            known.nodes = nodes_before + nodes;
            if reporting.is_due() {
                progress(known);
            }
        });
        known.value = known.value.and(solution.bounds);
        if let Some(cell) = solution.best {
            known.tighten_move(cell, Bounds { at_least: solution.bounds.at_least, at_most: known.value.at_most });
            known.winning_line = solution.winning_line;
        }
    }

    /// Tries to prove the values of all moves that are still open, each with an equal share of what is left.
    pub fn search_moves(&mut self, control: &Control, progress: &mut dyn FnMut(&RootBounds)) {
        let since = self.solver.nodes();
        let depth = control.depth.map(|plies| plies.saturating_sub(1));
        let mut ahead = self.bounds.moves.iter().filter(|(_, bounds)| bounds.exact().is_none()).count();
        for index in 0..self.bounds.moves.len() {
            let (cell, bounds) = self.bounds.moves[index];
            if bounds.exact().is_some() {
                continue;
            }
            if control.check().is_err() {
                break;
            }
            let left = self.left_of(control, since).with_share_of_time(1.0 / ahead as f64).with_depth(depth);
            let share = left.nodes.map(|nodes| nodes / ahead as u64);
            let after = self.request.position.after(cell);
            let found = self.solver.bounds(&after, &left.with_nodes(share)).before_move();
            self.bounds.moves[index].1 = bounds.and(found);
            ahead -= 1;
            if self.reporting.is_due() {
                self.count_nodes();
                progress(&self.bounds);
            }
        }
        self.bounds.update_from_moves();
        self.count_nodes();
    }

    /// Looks for a move that keeps the value of the position, which is proven.
    fn find_best_move(&mut self, control: &Control, progress: &mut dyn FnMut(&RootBounds)) {
        let Some(value) = self.bounds.value.exact() else { return };
        if control.depth.is_some() && value == Value::Draw {
            // To prove that a move keeps a draw may take more plies than are allowed.
            return self.search_moves(control, progress);
        }
        if let Some(cell) = self.solver.find_best_move(&self.request.position, value, control) {
            self.bounds.tighten_move(cell, Bounds::exactly(value));
        }
    }

    /// Looks for all moves that keep `value`, which is the value of the position or a lower bound of it. The moves that are
    /// still open share what `control` allows.
    pub fn find_keeping_moves(&mut self, value: Value, control: &Control) {
        let is_decided = |&(_, bounds): &(Cell, Bounds)| bounds.at_least >= value || bounds.at_most < value;
        if self.bounds.moves.iter().all(is_decided) {
            return;
        }
        if control.depth.is_some() {
            return self.search_moves(control, &mut |_| {});
        }
        let position = &self.request.position;
        let worse = just_below(value, position.rules(), position.empty_cells() as u16);
        let open: Vec<Cell> =
            self.bounds.moves.iter().filter(|entry| !is_decided(entry)).map(|(cell, _)| *cell).collect();
        for (cell, keeps) in self.solver.keeping_moves(&self.request.position, &open, value, control) {
            let bounds = match keeps {
                true => Bounds { at_least: value, ..Bounds::UNKNOWN },
                false => Bounds { at_most: worse, ..Bounds::UNKNOWN },
            };
            self.bounds.tighten_move(cell, bounds);
        }
        // No move is worth more than the position.
        let most = self.bounds.value.at_most;
        self.bounds.moves.iter_mut().for_each(|(_, bounds)| bounds.at_most = bounds.at_most.min(most));
        self.bounds.update_from_moves();
        self.count_nodes();
    }
}

/// The best value that is worse than `value` and can occur with so many plies to go. A line ends the game in a ply of the
/// player who completes it, so a player wins with an odd number of plies and loses with an even one, or the other way
/// round.
fn just_below(value: Value, rules: Rules, plies_left: u16) -> Value {
    let is_won_at = |plies: &u16| plies % 2 == u16::from(rules.completer_wins());
    let win_after = |plies: u16| (plies + 1..=plies_left).find(is_won_at).map(Value::Win);
    match value {
        Value::Win(plies) => win_after(plies).unwrap_or(Value::Draw),
        Value::Draw => just_below(Value::Loss(plies_left + 1), rules, plies_left),
        Value::Loss(plies) => Value::Loss((0..plies).rfind(|before| !is_won_at(before)).unwrap_or(0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::CellSet;
    use crate::search::oracle::{endgames, holds, move_values};

    /// The bounds after a search for threats.
    fn after_threats(request: &SearchRequest, depth: Option<u16>) -> RootBounds {
        let mut solver = Solver::within_bytes(request.position.rules(), 1 << 20);
        let control = Control::unlimited().with_depth(depth);
        let mut proof = RootProof::new(&mut solver, request, &control);
        proof.search_threats();
        proof.bounds.clone()
    }

    #[test]
    fn a_win_by_threats_counts_within_the_depth_and_the_listed_moves() {
        let start = Position::start(Rules::new(7, 4, false).expect("rules"));
        let position = start.after(Cell::new(3, 3)).after(Cell::new(0, 0));
        let request = SearchRequest::new(position);
        let found = after_threats(&request, None);
        let Value::Win(plies) = found.value.at_least else { panic!("no win is found") };
        assert!(plies > 3, "{plies} plies");
        assert_eq!(found.winning_line.len(), usize::from(plies));
        for depth in 1..plies + 4 {
            let found = after_threats(&request, Some(depth));
            let is_found = found.value.at_least == Value::Win(plies);
            assert!(is_found || found.value.at_least < Value::Draw, "depth {depth}");
            assert_eq!(is_found, depth >= plies, "depth {depth}");
            assert_eq!(found.winning_line.is_empty(), depth < plies, "depth {depth}");
        }
        let first = found.winning_line[0];
        let listed = |cells: CellSet| SearchRequest { root_moves: Some(cells), ..request };
        assert_eq!(after_threats(&listed(CellSet::from_iter([first])), None).value.at_least, Value::Win(plies));
        let others = position.moves().filter(|&cell| cell != first).collect();
        assert!(after_threats(&listed(others), None).value.at_least < Value::Draw);
    }

    #[test]
    fn a_move_that_threats_refute_loses() {
        let rules = Rules::new(5, 4, false).expect("rules");
        let mut refuted = 0;
        for position in endgames(rules, &[12, 11, 10], 30) {
            let (mut solver, request) = (Solver::within_bytes(rules, 1 << 20), SearchRequest::new(position));
            let control = Control::unlimited();
            let mut proof = RootProof::new(&mut solver, &request, &control);
            for (cell, value) in move_values(&position) {
                let is_refuted = proof.refute(cell, &control);
                assert!(!is_refuted || value < Value::Draw, "{cell} {value:?}\n{}", position.diagram());
                let (_, bounds) = proof.bounds.moves.iter().find(|(of, _)| *of == cell).expect("a move");
                assert!(holds(*bounds, value), "{cell} {value:?} {bounds:?}\n{}", position.diagram());
                assert!(!is_refuted || bounds.at_most < Value::Draw);
                refuted += u32::from(is_refuted);
            }
        }
        assert!(refuted > 50, "only {refuted} moves were refuted");
    }

    #[test]
    fn the_nodes_of_other_searches_come_off_the_budget() {
        let request = SearchRequest::new(Position::start(Rules::new(5, 5, false).expect("rules")));
        let mut solver = Solver::within_bytes(request.position.rules(), 1 << 17);
        let control = Control::nodes_only(100);
        let mut proof = RootProof::new(&mut solver, &request, &control);
        for (nodes, total) in [(30, 30), (20, 50), (0, 50), (70, 120)] {
            proof.add_nodes(nodes);
            assert_eq!(proof.bounds.nodes, total);
            assert_eq!(proof.left().nodes, Some(100u64.saturating_sub(total)));
        }
    }

    #[test]
    fn the_proof_of_a_root_is_true_with_any_budget_and_complete_without() {
        for (size, connect, reverse) in [(4, 4, false), (4, 3, true), (5, 4, false), (5, 4, true)] {
            let rules = Rules::new(size, connect, reverse).expect("rules");
            for (number, position) in endgames(rules, &[9, 8, 7], 8).into_iter().enumerate() {
                // Every second request lists every third of its moves.
                let lists_some = number % 2 == 1;
                let values = move_values(&position).into_iter().step_by(if lists_some { 3 } else { 1 });
                let values: Vec<(Cell, Value)> = values.collect();
                let root_moves = lists_some.then(|| values.iter().map(|&(cell, _)| cell).collect());
                let request = SearchRequest { root_moves, ..SearchRequest::new(position) };
                let value = values.iter().map(|&(_, value)| value).max().expect("a move");
                for nodes in [1, 3, 10, 30, 100, u64::MAX] {
                    let at = || format!("{rules} {}, {nodes} nodes, {root_moves:?}", position.diagram());
                    let mut solver = Solver::within_bytes(rules, 1 << 17);
                    let control = Control::nodes_only(nodes);
                    let mut proof = RootProof::new(&mut solver, &request, &control);
                    proof.prove(&control, &mut |_| {});
                    let RootBounds { value: found, moves, nodes: visited, .. } = proof.bounds.clone();
                    assert!(holds(found, value), "{}: {found:?}", at());
                    assert_eq!(moves.len(), values.len(), "{}", at());
                    for ((cell, bounds), &(of, value)) in moves.into_iter().zip(&values) {
                        assert_eq!(cell, of);
                        assert!(holds(bounds, value), "{}: {cell:?} {bounds:?}", at());
                    }
                    if nodes == u64::MAX {
                        assert_eq!(proof.bounds.proven_value(), Some(value), "{}", at());
                        assert_eq!(proof.bounds.proven_score(), Some(Score::Exact(value)), "{}", at());
                    } else {
                        assert!(visited <= nodes + 1, "{}: {visited} visited", at());
                    }
                    let announced = proof.bounds.announced();
                    let is_kept = proof.bounds.moves.iter().any(|(_, bounds)| bounds.at_least >= announced.at_least);
                    assert!(announced.at_least < Value::Draw || is_kept, "{}: {announced:?}", at());
                }
            }
        }
    }
}
