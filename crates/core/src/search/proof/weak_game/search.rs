//! The df-pn search of the weak game. The folder's documentation says what it does and why it is sound.

use crate::game::Geometry;
use crate::search::Stopped;
use crate::search::proof::Role;

use super::bits::Bits;
use super::pairing::{Found, NONE, PairingSearch};
use super::position::{Reduction, Settled, WeakPosition};
use super::proof_table::{MOST, ProofEntry, ProofTable};
use super::symmetry::{Key, Symmetries, has_common_key};
use super::{Pairing, Spend, WeakResult};

/// Steps of the pairing finder at the first visit of a position. More of them save nodes, but take more time than those.
const FIRST_STEPS: u32 = 60;

/// Steps of the pairing finder at later visits, where only the pairs for positions nearby are wanted.
const LATER_STEPS: u32 = 30;

/// The number of moves that count one in a number that is a maximum.
const MOVES_PER_UNIT: u32 = 8;

/// A move of Breaker may be searched until its number exceeds that of the second best by this part. (Pawlewicz and Lew,
/// "Improving Depth-First PN-Search: 1 + epsilon Trick", 2007.)
const EPSILON_PART: u32 = 8;

/// A move of Maker may be searched until its number is so many times that of the second best. All of Maker's moves must be
/// refuted, so it saves work to refute one before the next. A limit remains, because Maker may have a better move.
const PATIENCE: u32 = 100;

/// The number of Breaker's moves that are looked up before the first one is searched.
const REPLIES_LOOKED_UP: usize = 4;

/// A move under consideration.
#[derive(Clone, Copy)]
struct Child<const C: usize> {
    cell: u16,
    /// The key of the position after it, once it was made.
    key: Key,
    proof: u32,
    disproof: u32,
    /// Cells that the move and the reductions add to a zone of Breaker, and to one of Maker.
    breaker_zone: Bits<C>,
    maker_zone: Bits<C>,
    /// The sum of 2^-cells over its lines.
    weight: u64,
    /// True if the move was made once. Until then its numbers are estimates.
    is_made: bool,
}

impl<const C: usize> Child<C> {
    fn new(cell: usize) -> Child<C> {
        Child {
            cell: cell as u16,
            key: Key::default(),
            proof: 1,
            disproof: 1,
            breaker_zone: Bits::EMPTY,
            maker_zone: Bits::EMPTY,
            weight: 0,
            is_made: false,
        }
    }

    /// The winner, with the zone before the move, if the position after it is settled with this zone.
    fn settled(&self, zone: Bits<C>) -> Option<Settled<C>> {
        match (self.proof, self.disproof) {
            (0, _) => Some((Role::Defender, zone.or(self.breaker_zone))),
            (_, 0) => Some((Role::Attacker, zone.or(self.maker_zone))),
            _ => None,
        }
    }
}

/// A position on the current path.
struct Frame<const C: usize> {
    position: WeakPosition<C>,
    key: Key,
    /// The partners of the best pairing that was found.
    partners: Vec<u16>,
    /// The moves that are not excluded, while a move is searched.
    candidates: Bits<C>,
    children: Vec<Child<C>>,
    /// The move that the next frame holds.
    next: Option<u16>,
}

impl<const C: usize> Frame<C> {
    fn new() -> Frame<C> {
        Frame {
            position: WeakPosition::new(std::iter::empty(), Role::Attacker),
            key: Key::default(),
            partners: vec![NONE; 64 * C],
            candidates: Bits::EMPTY,
            children: Vec::new(),
            next: None,
        }
    }
}

/// The result of a visit, and the nodes that it took.
struct Visited<const C: usize> {
    entry: ProofEntry<C>,
    nodes: u64,
}

/// The numbers up to which a position is searched.
#[derive(Clone, Copy)]
struct Thresholds {
    proof: u32,
    disproof: u32,
}

impl Thresholds {
    /// Only the winner ends the search.
    const NONE: Thresholds = Thresholds { proof: MOST, disproof: MOST };
}

/// The search on boards of up to `64 * C` cells, in positions of up to `64 * L` lines.
pub struct WeakSearch<const C: usize, const L: usize> {
    symmetries: Symmetries,
    table: ProofTable<C>,
    pairing: PairingSearch<C, L>,
    /// The current path. Frames are kept and used again, so a node allocates nothing.
    frames: Vec<Frame<C>>,
    /// The move that decides the root.
    reply: Option<u16>,
    /// By cell, its weight in the position that is expanded.
    weights: Vec<u64>,
}

impl<const C: usize, const L: usize> WeakSearch<C, L> {
    pub fn new(geometry: &Geometry, bytes: usize) -> WeakSearch<C, L> {
        WeakSearch {
            symmetries: Symmetries::new(geometry),
            table: ProofTable::new(bytes),
            pairing: PairingSearch::new(),
            frames: Vec::new(),
            reply: None,
            weights: vec![0; 64 * C],
        }
    }

    /// Drops what earlier searches have stored.
    pub fn forget(&mut self) {
        self.table.forget();
    }

    /// Finds the winner of a position, given by its lines without a stone of Breaker, each as its empty cells.
    pub fn solve(
        &mut self,
        lines: impl Iterator<Item = Bits<C>>,
        to_move: Role,
        spend: Spend<'_>,
    ) -> Result<WeakResult, Stopped> {
        self.reply = None;
        let winner = match self.set_up(lines, to_move) {
            Some((winner, _)) => winner,
            None => {
                self.frames[0].partners.fill(NONE);
                if self.visit(0, Thresholds::NONE, spend)?.entry.proof == 0 { Role::Defender } else { Role::Attacker }
            }
        };
        let forced = match self.frames[0].position.reductions.first() {
            Some(&Reduction::Reply(cell)) => Some(cell as u16),
            _ => None,
        };
        Ok(match winner {
            Role::Attacker => WeakResult::MakerWins,
            Role::Defender => WeakResult::BreakerWins { reply: forced.or(self.reply) },
        })
    }

    /// Sets up a position as the first of a path. Returns the winner if the reductions settle it.
    pub fn set_up(&mut self, lines: impl Iterator<Item = Bits<C>>, to_move: Role) -> Option<Settled<C>> {
        self.grow_path(1);
        let frame = &mut self.frames[0];
        frame.position = WeakPosition::new(lines, to_move);
        assert!(frame.position.lines.len() <= 64 * L, "more lines than the board has");
        let settled = frame.position.reduce();
        if settled.is_none() {
            frame.key = self.symmetries.key(&frame.position);
        }
        settled
    }

    /// Makes frames until there are so many.
    fn grow_path(&mut self, frames: usize) {
        self.frames.resize_with(self.frames.len().max(frames), Frame::new);
    }

    // The functions from here to `found` are for those who walk through a proof.

    /// The position of a frame, after the reductions.
    pub fn position(&self, ply: usize) -> &WeakPosition<C> {
        &self.frames[ply].position
    }

    /// A key of the position of a frame that all its images have.
    pub fn common_key(&self, ply: usize) -> Key {
        let Frame { position, key, .. } = &self.frames[ply];
        if has_common_key(position) { *key } else { self.symmetries.common_key(position) }
    }

    /// The entry of the position of a frame, if Breaker or Maker is known to win.
    pub fn known_entry(&self, ply: usize) -> Option<ProofEntry<C>> {
        self.probe(self.frames[ply].key).filter(ProofEntry::is_settled)
    }

    /// The nodes that the search of the position of a frame has taken, or up to twice as many.
    pub fn known_nodes(&self, ply: usize) -> Option<u64> {
        self.table.nodes(self.frames[ply].key.words)
    }

    /// Searches the position of a frame.
    pub fn search(&mut self, ply: usize, spend: Spend<'_>) -> Result<ProofEntry<C>, Stopped> {
        self.visit(ply, Thresholds::NONE, spend).map(|visited| visited.entry)
    }

    /// Makes a move from the position of a frame, which becomes that of the next frame. Returns the winner if the reductions
    /// settle it.
    pub fn play(&mut self, ply: usize, cell: usize) -> Option<Role> {
        self.grow_path(ply + 2);
        self.make(ply, &mut Child::new(cell)).map(|(winner, _)| winner)
    }

    /// The zone before a move from the position of a frame, if the reductions or the table say that Breaker wins then.
    pub fn known_zone(&mut self, ply: usize, cell: usize) -> Option<Bits<C>> {
        self.grow_path(ply + 2);
        let (winner, zone) = self.look_up(ply, &mut Child::new(cell))?;
        (winner == Role::Defender).then_some(zone)
    }

    /// By cell, its weight in the position of a frame.
    pub fn weights(&self, ply: usize) -> Vec<u64> {
        let mut weights = vec![0; 64 * C];
        self.frames[ply].position.weigh(&mut weights);
        weights
    }

    /// The cell of the most weight in the position of a frame.
    pub fn heaviest(&self, ply: usize) -> usize {
        let weights = self.weights(ply);
        (0..64 * C).max_by_key(|&cell| weights[cell]).unwrap_or(0)
    }

    /// Says which moves of Maker from the position of a frame are left to refute. Pairs elsewhere refute more of them.
    pub fn set_left(&mut self, ply: usize, left: Bits<C>) {
        self.frames[ply].candidates = left;
    }

    /// The moves of Maker that were left to refute when Maker moved last.
    pub fn left(&self, ply: usize) -> Bits<C> {
        let mut before = self.frames[..ply].iter().rev().take(2);
        before.find(|frame| frame.position.to_move == Role::Attacker).map_or(Bits::EMPTY, |frame| frame.candidates)
    }

    /// A pairing of the position of a frame, with its cells, if one is found in so many steps. In `more` steps it gets fewer
    /// cells that are left to refute.
    pub fn find_pairing(&mut self, ply: usize, steps: u32, more: u32) -> Option<(Pairing, Bits<C>)> {
        let avoided = self.left(ply);
        let (before, rest) = self.frames.split_at_mut(ply);
        let frame = &mut rest[0];
        let partners = before.last().map_or(&frame.partners, |parent| &parent.partners);
        let found = self.pairing.find_small(&frame.position, partners, avoided, steps, more);
        frame.partners.copy_from_slice(&self.pairing.partner);
        self.found(found)
    }

    /// A pairing of the position of a frame inside of the cells of one that was found before.
    pub fn find_pairing_inside(&mut self, ply: usize, zone: Bits<C>, steps: u32) -> Option<(Pairing, Bits<C>)> {
        let position = &self.frames[ply].position;
        let inside = WeakPosition::new(position.lines.iter().map(|line| line.and(zone)), Role::Attacker);
        if inside.lines.iter().any(|line| line.len() < 2) {
            return None;
        }
        let found = self.pairing.find(&inside, &vec![NONE; 64 * C], Bits::EMPTY, steps);
        self.found(found)
    }

    fn found(&self, found: Found<C>) -> Option<(Pairing, Bits<C>)> {
        match found {
            Found::Pairing { first, zone } => Some((Pairing { first, pairs: self.pairing.pairs() }, zone)),
            Found::Deficiency(_) => None,
        }
    }

    fn probe(&self, key: Key) -> Option<ProofEntry<C>> {
        let entry = self.table.probe(key.words)?;
        let own = |cells| self.symmetries.in_position(key, cells);
        Some(ProofEntry { candidates: own(entry.candidates), zone: own(entry.zone), ..entry })
    }

    fn store(&mut self, key: Key, entry: &ProofEntry<C>, nodes: u64) {
        let image = |cells| self.symmetries.in_image(key, cells);
        let stored = ProofEntry { candidates: image(entry.candidates), zone: image(entry.zone), ..*entry };
        self.table.store(key.words, &stored, nodes);
    }

    /// Searches the position of a frame until it is settled, or one of its numbers reaches its limit.
    fn visit(&mut self, ply: usize, thresholds: Thresholds, spend: Spend<'_>) -> Result<Visited<C>, Stopped> {
        spend()?;
        let is_root = ply == 0;
        self.grow_path(ply + 2);
        let key = self.frames[ply].key;
        let known = self.probe(key);
        if let Some(entry) = known.filter(|entry| entry.is_settled() && !is_root) {
            return Ok(Visited { entry, nodes: 1 });
        }
        let steps = if known.is_none() { FIRST_STEPS } else { LATER_STEPS };
        let avoided = self.left(ply);
        let (before, rest) = self.frames.split_at_mut(ply);
        let frame = &mut rest[0];
        let is_breaker = frame.position.to_move == Role::Defender;
        let partners = before.last().map_or(&frame.partners, |parent| &parent.partners);
        let deficiency = match self.pairing.find(&frame.position, partners, avoided, steps) {
            Found::Pairing { zone, first } => return Ok(self.settle_leaf(ply, zone, first)),
            Found::Deficiency(lines) => lines,
        };
        frame.partners.copy_from_slice(&self.pairing.partner);
        let cells = frame.position.cells();
        // Erdős and Selfridge: Breaker always takes the heaviest cell.
        let unit = 1u64 << 32;
        if frame.position.potential() < if is_breaker { unit } else { unit / 2 } {
            frame.position.weigh(&mut self.weights);
            let heaviest = cells.iter().max_by_key(|&cell| self.weights[cell]).map(|cell| cell as u16);
            return Ok(self.settle_leaf(ply, cells, heaviest));
        }
        let mut entry = known.filter(|_| !is_root).unwrap_or_else(|| {
            let proof = if is_breaker {
                let most = cells.iter().map(|cell| self.pairing.blocked(cell)).max().unwrap_or(0);
                (deficiency - most).max(1)
            } else {
                // The number that Maker's moves will give, without a list of them.
                let moves = cells.iter().filter(|&cell| frame.position.is_undominated(cell)).count();
                deficiency + others(moves)
            };
            ProofEntry { proof, disproof: 1, candidates: cells, zone: Bits::EMPTY }
        });
        if known.is_none() && (entry.proof >= thresholds.proof || entry.disproof >= thresholds.disproof) {
            self.store(key, &entry, 1);
            return Ok(Visited { entry, nodes: 1 });
        }
        if is_breaker {
            frame.position.narrow(&mut entry);
        }
        let mut children = std::mem::take(&mut self.frames[ply].children);
        let result = self.expand(ply, entry, deficiency, &mut children, thresholds, spend);
        self.frames[ply].children = children;
        result
    }

    /// Lists the moves and searches the best one, until the position is settled or a limit is reached.
    fn expand(
        &mut self,
        ply: usize,
        mut entry: ProofEntry<C>,
        deficiency: u32,
        children: &mut Vec<Child<C>>,
        thresholds: Thresholds,
        spend: Spend<'_>,
    ) -> Result<Visited<C>, Stopped> {
        let mover = self.frames[ply].position.to_move;
        let is_breaker = mover == Role::Defender;
        let mut nodes = 1;
        self.list_moves(ply, entry.candidates, deficiency, children);
        if is_breaker {
            let replies = REPLIES_LOOKED_UP.min(children.len());
            if let Some((settled, cell)) = self.look_up_moves(ply, &mut entry, &mut children[..replies]) {
                return Ok(self.settle(ply, settled, Some(cell), nodes));
            }
        }
        loop {
            children.retain(|child| entry.candidates.contains(child.cell.into()));
            if children.is_empty() {
                let zone = entry.zone.or(self.frames[ply].position.dominators(entry.candidates));
                return Ok(self.settle(ply, (!mover, zone), None, nodes));
            }
            let choice = Choice::of(children, is_breaker);
            (entry.proof, entry.disproof) = choice.numbers(is_breaker);
            if entry.proof >= thresholds.proof || entry.disproof >= thresholds.disproof {
                self.store(self.frames[ply].key, &entry, nodes);
                return Ok(Visited { entry, nodes });
            }
            let child = &mut children[choice.best];
            let mut settled = None;
            if !child.is_made {
                settled = self.look_up(ply, child);
                if settled.is_none() {
                    // Its numbers may have changed.
                    continue;
                }
            }
            if settled.is_none() {
                if self.frames[ply].next != Some(child.cell) {
                    self.make(ply, child);
                }
                self.frames[ply].candidates = entry.candidates;
                let visited = self.visit(ply + 1, choice.thresholds(thresholds, is_breaker), spend)?;
                nodes += visited.nodes;
                (child.proof, child.disproof) = (visited.entry.proof, visited.entry.disproof);
                settled = child.settled(visited.entry.zone);
            }
            match settled {
                Some(settled) if settled.0 == mover => return Ok(self.settle(ply, settled, Some(child.cell), nodes)),
                Some((_, zone)) => {
                    entry.exclude_outside(zone);
                    // One of Maker's moves is refuted, so the others may be. Each that is known to be excludes more.
                    if !is_breaker && let Some((settled, cell)) = self.look_up_moves(ply, &mut entry, children) {
                        return Ok(self.settle(ply, settled, Some(cell), nodes));
                    }
                }
                None => {}
            }
        }
    }

    /// Looks up the moves that were not made yet. Returns one that wins, with its result; excludes those that lose.
    fn look_up_moves(
        &mut self,
        ply: usize,
        entry: &mut ProofEntry<C>,
        children: &mut [Child<C>],
    ) -> Option<(Settled<C>, u16)> {
        let mover = self.frames[ply].position.to_move;
        for child in children.iter_mut().filter(|child| !child.is_made) {
            if entry.candidates.contains(child.cell.into())
                && let Some((winner, zone)) = self.look_up(ply, child)
            {
                if winner == mover {
                    return Some(((winner, zone), child.cell));
                }
                entry.exclude_outside(zone);
            }
        }
        None
    }

    /// Lists the moves that are neither excluded nor dominated, with estimates of their numbers.
    fn list_moves(&mut self, ply: usize, candidates: Bits<C>, deficiency: u32, children: &mut Vec<Child<C>>) {
        let frame = &mut self.frames[ply];
        frame.next = None;
        let position = &frame.position;
        let is_breaker = position.to_move == Role::Defender;
        position.weigh(&mut self.weights);
        children.clear();
        for cell in position.cells().and(candidates).iter().filter(|&cell| position.is_undominated(cell)) {
            // The lines without a pair that a stone of Breaker blocks.
            let blocked = if is_breaker { self.pairing.blocked(cell) } else { 0 };
            let proof = (deficiency - blocked).max(1);
            children.push(Child { proof, weight: self.weights[cell], ..Child::new(cell) });
        }
        // Of equal numbers the first counts: the heaviest cell.
        children.sort_unstable_by_key(|child| (child.proof, u64::MAX - child.weight, child.cell));
    }

    /// Makes a move for the first time, and looks up what is known about it.
    fn look_up(&mut self, ply: usize, child: &mut Child<C>) -> Option<Settled<C>> {
        child.is_made = true;
        self.make(ply, child).or_else(|| {
            let known = self.probe(child.key)?;
            (child.proof, child.disproof) = (known.proof, known.disproof);
            child.settled(known.zone)
        })
    }

    /// Makes a move in the next frame. Returns the winner if the reductions settle it.
    fn make(&mut self, ply: usize, child: &mut Child<C>) -> Option<Settled<C>> {
        let (before, rest) = self.frames.split_at_mut(ply + 1);
        let (frame, next) = (&mut before[ply], &mut rest[0]);
        let cell = usize::from(child.cell);
        frame.next = Some(child.cell);
        next.position.set_after(&frame.position, cell);
        let settled = next.position.reduce();
        child.breaker_zone = next.position.breaker_zone;
        child.maker_zone = next.position.maker_zone;
        let mover = frame.position.to_move;
        match mover {
            Role::Attacker => child.maker_zone.insert(cell),
            Role::Defender => child.breaker_zone.insert(cell),
        }
        if let Some((winner, mut zone)) = settled {
            if winner == mover {
                zone.insert(cell);
            }
            return Some((winner, zone));
        }
        next.key = self.symmetries.key(&next.position);
        child.key = next.key;
        None
    }

    /// Stores the winner of a position, with a zone. `cell` is the deciding move, if the winner is to move.
    fn settle(&mut self, ply: usize, (winner, zone): Settled<C>, cell: Option<u16>, nodes: u64) -> Visited<C> {
        if ply == 0 {
            self.reply = cell;
        }
        let (proof, disproof) = if winner == Role::Defender { (0, MOST) } else { (MOST, 0) };
        let candidates = cell.map_or(zone, |cell| Bits::of(cell.into()));
        let entry = ProofEntry { proof, disproof, candidates, zone };
        self.store(self.frames[ply].key, &entry, nodes);
        Visited { entry, nodes }
    }

    /// Stores that Breaker wins a position by a pairing, or by its weight. `first` is his move if he needs one.
    fn settle_leaf(&mut self, ply: usize, zone: Bits<C>, first: Option<u16>) -> Visited<C> {
        if ply == 0 {
            self.reply = first;
        }
        let candidates = first.map_or(Bits::EMPTY, |cell| Bits::of(cell.into()));
        let entry = ProofEntry { proof: 0, disproof: MOST, candidates, zone };
        self.store(self.frames[ply].key, &entry, 1);
        Visited { entry, nodes: 1 }
    }
}

/// The amount that the other moves add to a number that is the maximum over `moves`.
fn others(moves: usize) -> u32 {
    (moves as u32 - 1) / MOVES_PER_UNIT
}

/// The move to search next, and what the numbers of the position are made of.
struct Choice {
    best: usize,
    /// The least number of the mover: its own number in the position.
    least: u32,
    /// The second least.
    second: u32,
    /// The largest number of the opponent.
    hardest: u32,
    /// The amount that the other moves add to that.
    others: u32,
}

impl Choice {
    fn of<const C: usize>(children: &[Child<C>], is_breaker: bool) -> Choice {
        let others = others(children.len());
        let mut choice = Choice { best: 0, least: u32::MAX, second: MOST, hardest: 0, others };
        for (place, child) in children.iter().enumerate() {
            let (own, other) = if is_breaker { (child.proof, child.disproof) } else { (child.disproof, child.proof) };
            choice.hardest = choice.hardest.max(other);
            if own < choice.least {
                choice.second = choice.least.min(MOST);
                choice.least = own;
                choice.best = place;
            } else {
                choice.second = choice.second.min(own);
            }
        }
        choice
    }

    /// The proof number and the disproof number of the position.
    fn numbers(&self, is_breaker: bool) -> (u32, u32) {
        let opposing = (self.hardest + self.others).min(MOST - 1);
        if is_breaker { (self.least, opposing) } else { (opposing, self.least) }
    }

    /// The thresholds of the best move, given those of the position.
    fn thresholds(&self, thresholds: Thresholds, is_breaker: bool) -> Thresholds {
        let (own, opposing) =
            if is_breaker { (thresholds.proof, thresholds.disproof) } else { (thresholds.disproof, thresholds.proof) };
        let patient =
            if is_breaker { self.second + self.second / EPSILON_PART } else { self.second.saturating_mul(PATIENCE) };
        let own = own.min(patient.max(self.second + 1));
        let opposing = if opposing == MOST { MOST } else { opposing - self.others };
        if is_breaker {
            Thresholds { proof: own, disproof: opposing }
        } else {
            Thresholds { proof: opposing, disproof: own }
        }
    }
}
