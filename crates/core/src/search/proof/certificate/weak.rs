//! Proofs of `weak`: Breaker puts a stone into every line. Each proof comes with its zone.

use crate::game::{Cell, CellSet, Player, Position};
use crate::search::proof::Role;
use crate::search::proof::weak_game::{Key, Pairing, WeakResult, remove_supersets};

use super::lemmas::Cells;
use super::prover::{ProofError, Proved, Prover};
use super::record::{Board, Claim, Record};

/// Steps of the search for a pairing. Each pairing that is found saves a tree of moves.
const PAIRING_STEPS: u32 = 400;

/// A position of the weak game.
#[derive(Clone)]
struct WeakNode {
    /// The lines as sets of empty cells. None contains another one.
    lines: Vec<Cells>,
    to_move: Role,
    /// The stones of Maker and of Breaker, for the board of a lemma.
    stones: [Cells; 2],
    maker: Player,
    /// The moves of Maker that are still to be refuted where Maker moved last. Pairs elsewhere refute more of them.
    left: Cells,
}

impl WeakNode {
    fn cells(&self) -> Cells {
        self.lines.iter().fold(Cells::EMPTY, |cells, &line| cells.or(line))
    }

    /// The position after a stone of a side, who need not be to move.
    fn with_stone(&self, cell: usize, side: Role) -> WeakNode {
        let mut node = self.clone();
        node.stones[side as usize].insert(cell);
        match side {
            Role::Attacker => {
                node.lines.iter_mut().for_each(|line| *line = line.minus(Cells::of(cell)));
                remove_supersets(&mut node.lines);
            }
            Role::Defender => node.lines.retain(|line| !line.contains(cell)),
        }
        node.to_move = !side;
        node
    }

    /// The cells that are in all lines through a cell, itself included.
    fn common(&self, cell: usize) -> Cells {
        let through = self.lines.iter().filter(|line| line.contains(cell));
        through.fold(Cells::ALL, |common, &line| common.and(line))
    }

    /// Two cells that are in the same lines.
    fn equal_cells(&self) -> Option<(usize, usize)> {
        self.cells().iter().find_map(|first| {
            let mut others = self.common(first).iter().filter(|&second| second > first);
            others.find(|&second| self.common(second).contains(first)).map(|second| (first, second))
        })
    }

    /// A line of two cells of which the second is in no other line.
    fn free_move(&self) -> Option<(usize, usize)> {
        self.lines.iter().filter(|line| line.len() == 2).find_map(|line| {
            let is_private = |cell: &usize| self.lines.iter().filter(|line| line.contains(*cell)).count() == 1;
            let private = line.iter().find(is_private)?;
            line.minus(Cells::of(private)).first().map(|free| (free, private))
        })
    }

    /// The cell through which the lines weigh most, of some.
    fn heaviest(&self, cells: Cells) -> Option<usize> {
        let weight = |cell: usize| -> u64 {
            let through = self.lines.iter().filter(|line| line.contains(cell));
            through.map(Cells::weight).sum()
        };
        cells.iter().max_by_key(|&cell| (weight(cell), usize::MAX - cell))
    }
}

impl Prover<'_> {
    /// Proves `cannot` in the weak game, from its lines. Says whether Breaker was found to win within so many nodes.
    pub(super) fn weak_from(
        &mut self,
        position: &Position,
        attacker: Player,
        lines: Vec<Cells>,
        to_move: Role,
        most_nodes: u64,
    ) -> Proved<bool> {
        let stones = [attacker, !attacker].map(|player| self.cells(position.stones(player)));
        let mut node = WeakNode { lines, to_move, stones, maker: attacker, left: Cells::EMPTY };
        remove_supersets(&mut node.lines);
        match self.ask_weak_game(&node, most_nodes) {
            Ok(WeakResult::BreakerWins { .. }) => {}
            Ok(WeakResult::MakerWins) => return Ok(false),
            Err(ProofError::Stopped) if !self.budget.is_over() => return Ok(false),
            Err(error) => return Err(error),
        }
        let first = self.records.len();
        self.records.push(Record::Weak);
        match self.weak(&node) {
            Ok(_) => Ok(true),
            Err(ProofError::Open) => {
                self.give_up(first);
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    fn ask_weak_game(&mut self, node: &WeakNode, most_nodes: u64) -> Proved<WeakResult> {
        let weak_game = self.solver.weak_game.as_mut().ok_or(ProofError::Open)?;
        let lines = node.lines.iter().map(|line| line.iter().map(|cell| cell as u16));
        let found = self.budget.within(most_nodes, |budget| {
            let mut spend = || budget.spend();
            weak_game.solve(lines, node.to_move, &mut spend)
        });
        Ok(found?)
    }

    /// Proves that Breaker wins, and returns the zone of the proof. Cells in no line are in no zone.
    fn weak(&mut self, node: &WeakNode) -> Proved<Cells> {
        Ok(self.weak_node(node)?.and(node.cells()))
    }

    fn weak_node(&mut self, node: &WeakNode) -> Proved<Cells> {
        self.budget.spend()?;
        if node.lines.is_empty() {
            self.records.push(Record::NoLine);
            return Ok(Cells::EMPTY);
        }
        if node.lines.iter().any(|line| line.len() == 0 || (line.len() == 1 && node.to_move == Role::Attacker)) {
            return Err(ProofError::Open);
        }
        let single = node.lines.iter().find(|line| line.len() == 1).and_then(Cells::first);
        if let Some(gap) = single {
            return self.breaker_moves(node, gap);
        }
        if let Some(pairing) = self.find_pairs(node) {
            return Ok(self.weak_pairs(pairing));
        }
        if let Some((first, second)) = node.equal_cells() {
            self.records.push(Record::Equal(self.cell(first), self.cell(second)));
            let mut after = node.with_stone(first, Role::Defender);
            after.stones[Role::Attacker as usize].insert(second);
            after.to_move = node.to_move;
            return Ok(self.weak(&after)?.or(Cells::of(first)).or(Cells::of(second)));
        }
        let length = self.board.line_length();
        let sum: u64 = node.lines.iter().map(|line| 1 << (length - line.len())).sum();
        if if node.to_move == Role::Attacker { 2 * sum } else { sum } < 1 << length {
            self.records.push(Record::Potential);
            return Ok(node.cells());
        }
        let key = self.weak_key(node);
        if let Some((lemma, symmetry, zone)) = self.lemmas.find(key, Claim::Weak(node.maker)) {
            self.records.push(Record::Use(lemma, symmetry));
            return Ok(self.cells(&zone));
        }
        let first = self.records.len();
        let zone = match node.to_move {
            Role::Defender => {
                let reply = self.winning_reply(node)?;
                self.breaker_moves(node, reply)?
            }
            Role::Attacker => match node.free_move() {
                Some((free, private)) => {
                    self.records.push(Record::Free(self.cell(free), self.cell(private)));
                    let after = node.with_stone(free, Role::Attacker).with_stone(private, Role::Defender);
                    self.weak(&after)?.or(Cells::of(free)).or(Cells::of(private))
                }
                None => self.refute_all(node)?,
            },
        };
        let zone = zone.and(node.cells());
        let board = Board {
            stones: Player::BOTH.map(|player| self.cell_set(node.stones[usize::from(player != node.maker)])),
            zone: self.cell_set(zone),
            side: if node.to_move == Role::Attacker { node.maker } else { !node.maker },
        };
        self.make_lemma(first, key, Claim::Weak(node.maker), board)?;
        Ok(zone)
    }

    /// Proves that Breaker wins by a pairing, and returns the zone: its cells.
    fn weak_pairs(&mut self, Pairing { first, pairs }: Pairing) -> Cells {
        let paired = pairs.iter().flat_map(|&(one, two)| [one, two]);
        let zone = first.into_iter().chain(paired).map(usize::from).collect();
        let pairs = pairs.into_iter().map(|(one, two)| (self.cell(one.into()), self.cell(two.into()))).collect();
        self.records.push(Record::Pairs(first.map(|cell| self.cell(cell.into())), pairs));
        zone
    }

    /// A move with which Breaker wins: of those that are known the one with the smallest zone, else what a search finds.
    fn winning_reply(&mut self, node: &WeakNode) -> Proved<usize> {
        let known = node.cells().iter().filter_map(|cell| {
            let zone = self.known_zone(&node.with_stone(cell, Role::Defender))?;
            Some((zone.len(), cell))
        });
        if let Some((_, cell)) = known.min() {
            return Ok(cell);
        }
        match self.ask_weak_game(node, u64::MAX)? {
            WeakResult::BreakerWins { reply } => {
                reply.map(usize::from).or_else(|| node.heaviest(node.cells())).ok_or(ProofError::Open)
            }
            WeakResult::MakerWins => Err(ProofError::Open),
        }
    }

    /// The zone of a position that Breaker is known to win.
    fn known_zone(&mut self, node: &WeakNode) -> Option<Cells> {
        let lines = node.lines.iter().map(|line| line.iter().map(|cell| cell as u16));
        let (winner, zone) = self.solver.weak_game.as_ref()?.known(lines, node.to_move)?;
        (winner == Role::Defender).then(|| zone.into_iter().map(usize::from).collect())
    }

    fn breaker_moves(&mut self, node: &WeakNode, cell: usize) -> Proved<Cells> {
        self.records.push(Record::Move(self.cell(cell)));
        Ok(self.weak(&node.with_stone(cell, Role::Defender))?.or(Cells::of(cell)))
    }

    /// Refutes moves of Maker until all others are excluded or dominated.
    fn refute_all(&mut self, node: &WeakNode) -> Proved<Cells> {
        let place = self.records.len();
        self.records.push(Record::Zone(Vec::new()));
        let cells = node.cells();
        let is_undominated = |cell: &usize| node.common(*cell) == Cells::of(*cell);
        let mut moves = Vec::new();
        // The moves that no zone excludes, and those of them that are worth trying.
        let mut left = cells;
        let mut zone = Cells::EMPTY;
        let mut candidates: Cells = cells.iter().filter(is_undominated).collect();
        while let Some(cell) = self.most_excluding(node, candidates.and(left), left) {
            moves.push(cell);
            candidates.remove(cell);
            let mut after = node.with_stone(cell, Role::Attacker);
            after.left = candidates.and(left);
            let refuted = self.weak(&after)?;
            zone = zone.or(refuted);
            left = left.and(refuted);
        }
        for cell in left.iter().filter(|cell| !moves.contains(cell)) {
            let common = node.common(cell);
            let dominates = |&other: &usize| other != cell && (moves.contains(&other) || !left.contains(other));
            zone.insert(common.and(cells).iter().find(dominates).ok_or(ProofError::Open)?);
        }
        // The record stands before those of the moves.
        self.records[place] = Record::Zone(moves.into_iter().map(|cell| self.cell(cell)).collect());
        Ok(zone)
    }

    /// The move, of some, whose refutation is known to leave the fewest of the moves that are left; else the heaviest.
    fn most_excluding(&mut self, node: &WeakNode, candidates: Cells, left: Cells) -> Option<usize> {
        let known = candidates.iter().filter_map(|cell| {
            let zone = self.known_zone(&node.with_stone(cell, Role::Attacker))?;
            Some((zone.and(left).len(), cell))
        });
        known.min().map(|(_, cell)| cell).or_else(|| node.heaviest(candidates))
    }

    fn find_pairs(&mut self, node: &WeakNode) -> Option<Pairing> {
        let lines = node.lines.iter().map(|line| line.iter().map(|cell| cell as u16));
        let avoided = node.left.iter().map(|cell| cell as u16);
        self.solver.weak_game.as_mut()?.find_pairing(lines, node.to_move, avoided, PAIRING_STEPS)
    }

    fn weak_key(&self, node: &WeakNode) -> Key {
        let side = if node.to_move == Role::Attacker { node.maker } else { !node.maker };
        self.lemmas.key([&node.lines, &[]], Claim::Weak(node.maker), side, 0)
    }

    fn cell(&self, number: usize) -> Cell {
        self.board.cell(number as u16)
    }

    fn cells(&self, set: &CellSet) -> Cells {
        set.iter().map(|cell| usize::from(self.board.number(cell))).collect()
    }

    fn cell_set(&self, cells: Cells) -> CellSet {
        cells.iter().map(|cell| self.cell(cell)).collect()
    }
}
