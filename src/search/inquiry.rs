//! What a proof finds out about one position and its moves within the bounds of one search.
//!
//! Everything that is found is kept: a later look can only add to it.

use std::time::{Duration, Instant};

use crate::game::{Bounds, Cell, Position, Value};

use super::{Control, Note, Solver};

/// Time between two progress reports: a second, less what it may take until the solver looks at the clock.
const REPORT_INTERVAL: Duration = Duration::from_millis(990);

/// Nodes for the reason why an empty board is known: one that can be told takes no search.
const REASON_NODES: u64 = 1_000;

/// What is proven about a position and its moves.
#[derive(Clone)]
pub(super) struct Findings {
    /// What is proven about the position.
    pub value: Bounds,
    /// What is proven about its moves, in reading order.
    pub moves: Vec<(Cell, Bounds)>,
    /// Plies of the deepest proof.
    pub depth: Option<u16>,
    /// Positions looked at.
    pub nodes: u64,
}

impl Findings {
    /// What the end of the game tells about the moves of a position.
    fn at_first_sight(position: &Position) -> Findings {
        let bounds = |cell| position.after(cell).final_value().map_or(Bounds::UNKNOWN, Bounds::exactly).before_move();
        let moves = position.moves().map(|cell| (cell, bounds(cell))).collect();
        let mut findings = Findings { value: Bounds::UNKNOWN, moves, depth: None, nodes: 0 };
        findings.conclude();
        findings
    }

    /// The value, when it is known and a move is proven to be worth it.
    pub fn settled(&self) -> Option<Value> {
        self.value.exact().filter(|&value| self.moves.iter().any(|(_, bounds)| bounds.at_least >= value))
    }

    /// The most that some move is proven to be worth.
    pub fn surest(&self) -> Option<Value> {
        self.moves.iter().map(|(_, bounds)| bounds.at_least).max()
    }

    /// A position is worth what its best move is worth.
    fn conclude(&mut self) {
        let at_least = self.surest();
        let at_most = self.moves.iter().map(|(_, bounds)| bounds.at_most).max();
        if let (Some(at_least), Some(at_most)) = (at_least, at_most) {
            self.value = self.value.and(Bounds { at_least, at_most });
        }
    }
}

/// A proof under way.
pub(super) struct Inquiry<'a> {
    solver: &'a mut Solver,
    position: Position,
    /// The bounds of the whole search.
    control: &'a Control,
    /// Nodes of the solver before the search.
    before: u64,
    /// Positions that others than the solver have looked at for this search.
    elsewhere: u64,
    findings: Findings,
    /// Why the empty board is known, once that has been asked.
    known: Option<Option<Note>>,
    last_report: Instant,
}

impl<'a> Inquiry<'a> {
    /// The beginning of a proof about a position in which the game goes on.
    pub fn new(solver: &'a mut Solver, position: Position, control: &'a Control) -> Inquiry<'a> {
        Inquiry {
            before: solver.nodes(),
            elsewhere: 0,
            solver,
            position,
            control,
            findings: Findings::at_first_sight(&position),
            known: None,
            last_report: Instant::now(),
        }
    }

    /// What has been found so far.
    pub fn findings(&self) -> &Findings {
        &self.findings
    }

    /// Why the value of the empty board is known, if it is one and that can be told.
    pub fn reason(&self) -> Option<&Note> {
        self.known.as_ref().and_then(Option::as_ref)
    }

    /// What is left of the bounds of the whole search.
    pub fn left(&self) -> Control {
        let left = self.left_of(self.control, self.before);
        let nodes = left.nodes().map(|nodes| nodes.saturating_sub(self.elsewhere));
        left.with_nodes(nodes)
    }

    /// The bounds of the whole search.
    pub fn control(&self) -> &'a Control {
        self.control
    }

    /// Adds what somebody else has proven about the position and its moves.
    pub fn learn(&mut self, value: Bounds, moves: impl Iterator<Item = (Cell, Bounds)>) {
        self.findings.value = self.findings.value.and(value);
        for (cell, bounds) in moves {
            if let Some((_, known)) = self.findings.moves.iter_mut().find(|(known, _)| *known == cell) {
                *known = known.and(bounds);
            }
        }
        self.findings.conclude();
        self.findings.nodes = self.solver.nodes() - self.before + self.elsewhere;
    }

    /// Counts positions that somebody else has looked at for this search.
    pub fn charge(&mut self, nodes: u64) {
        self.elsewhere += nodes;
        self.findings.nodes += nodes;
    }

    /// What is left of `control` when the solver had looked at `since` positions in the beginning.
    fn left_of(&self, control: &Control, since: u64) -> Control {
        control.after(self.solver.nodes() - since)
    }

    /// Tries to prove the value of the position and its best moves, telling at most once a second how far it is.
    /// Three quarters of the budget go to the position; if it stays open, its moves share the rest.
    pub fn look(&mut self, control: &Control, progress: &mut dyn FnMut(&Findings)) {
        let since = self.solver.nodes();
        if self.findings.value.exact().is_none() {
            let most = control.nodes().map(|nodes| nodes - nodes / 4);
            self.look_at_position(&control.clone().with_nodes(most).with_share_of_time(0.75), progress);
        }
        if self.findings.value.exact().is_none() {
            self.look_at_moves(&self.left_of(control, since), progress);
        }
        if self.findings.value.exact().is_some() {
            self.find_best_moves(&self.left_of(control, since), progress);
        }
        self.findings.nodes = self.solver.nodes() - self.before;
    }

    /// Looks for the values of all moves.
    pub fn complete(&mut self, control: &Control, progress: &mut dyn FnMut(&Findings)) {
        self.look_at_moves(control, progress);
        self.findings.nodes = self.solver.nodes() - self.before;
    }

    /// The moves of perfect play from a position that follows, as far as `most` positions let them be found, if that is
    /// a limit, and what is left.
    pub fn line_from(&mut self, position: &Position, most: Option<u64>) -> Vec<Cell> {
        let left = self.left();
        let nodes = left.nodes().into_iter().chain(most).min();
        let control = left.with_nodes(nodes);
        let line = self.solver.principal_variation(position, &control);
        self.findings.nodes = self.solver.nodes() - self.before + self.elsewhere;
        line
    }

    fn look_at_position(&mut self, control: &Control, progress: &mut dyn FnMut(&Findings)) {
        let is_empty = self.position.empty_cells() == self.position.rules().cells();
        let since = self.solver.nodes();
        if is_empty && self.known.is_none() {
            let nodes = control.nodes().map_or(REASON_NODES, |nodes| nodes.min(REASON_NODES));
            let proof = self.solver.prove(&self.position, &control.clone().with_nodes(Some(nodes)));
            self.known = Some(Note::on_empty_board(&self.position, &proof));
            self.findings.value = self.findings.value.and(proof.bounds);
        }
        if self.findings.value.exact().is_none() {
            let control = self.left_of(control, since);
            let nodes_before = self.solver.nodes() - self.before;
            let Inquiry { solver, findings, last_report, .. } = self;
            let found = solver.bounds_reporting(&self.position, &control, &mut |bounds, depth, nodes| {
                findings.value = findings.value.and(bounds);
                findings.depth = Some(depth);
                findings.nodes = nodes_before + nodes;
                if last_report.elapsed() >= REPORT_INTERVAL {
                    progress(findings);
                    *last_report = Instant::now();
                }
            });
            findings.value = findings.value.and(found);
        }
    }

    /// Looks for the values of all moves that are not known yet, each with an equal share of what is left.
    fn look_at_moves(&mut self, control: &Control, progress: &mut dyn FnMut(&Findings)) {
        let since = self.solver.nodes();
        let depth = control.depth().map(|plies| plies.saturating_sub(1));
        let open = self.findings.moves.iter().filter(|(_, bounds)| bounds.exact().is_none()).count();
        let mut ahead = open;
        for index in 0..self.findings.moves.len() {
            let (cell, bounds) = self.findings.moves[index];
            if bounds.exact().is_some() {
                continue;
            }
            if control.check().is_err() {
                break;
            }
            let left = self.left_of(control, since).with_share_of_time(1.0 / ahead as f64).with_depth(depth);
            let share = left.nodes().map(|nodes| nodes / ahead as u64);
            let found = self.solver.bounds(&self.position.after(cell), &left.with_nodes(share)).before_move();
            self.findings.moves[index].1 = bounds.and(found);
            ahead -= 1;
            if self.last_report.elapsed() >= REPORT_INTERVAL {
                self.findings.nodes = self.solver.nodes() - self.before;
                progress(&self.findings);
                self.last_report = Instant::now();
            }
        }
        self.findings.conclude();
    }

    /// Looks for all moves that are worth as much as the position, whose value is known.
    fn find_best_moves(&mut self, control: &Control, progress: &mut dyn FnMut(&Findings)) {
        let Some(value) = self.findings.value.exact() else { return };
        let is_decided = |&(_, bounds): &(Cell, Bounds)| bounds.at_least >= value || bounds.at_most < value;
        if self.findings.moves.iter().all(is_decided) {
            return;
        }
        if control.depth().is_some() {
            // What keeps a draw may take more plies than are allowed.
            return self.look_at_moves(control, progress);
        }
        let since = self.solver.nodes();
        let best = self.solver.best_moves(&self.position, control);
        let left = self.left_of(control, since);
        let is_complete = left.check().is_ok() && left.nodes() != Some(0);
        let worse = just_below(value, self.position.empty_cells() as u16);
        for (cell, bounds) in &mut self.findings.moves {
            if best.contains(cell) {
                *bounds = Bounds::exactly(value);
            } else if is_complete {
                bounds.at_most = bounds.at_most.min(worse);
            }
        }
        if !is_complete {
            self.look_at_moves(&left, progress);
        }
    }
}

/// The best value that is worse than `value` with so many plies to go.
fn just_below(value: Value, plies_left: u16) -> Value {
    match value {
        Value::Win(plies) if plies < plies_left => Value::Win(plies + 1),
        Value::Win(_) => Value::Draw,
        Value::Draw => Value::Loss(plies_left),
        Value::Loss(plies) => Value::Loss(plies.saturating_sub(1)),
    }
}
