//! Pairings of the weak game, found by local search.
//!
//! A *pairing* is a set of disjoint pairs of cells such that every line holds both cells of some pair. With Maker to move,
//! Breaker wins with it: he takes the partner of every cell that Maker takes. (Hales and Jewett, "Regularity and Positional
//! Games", 1963.) With Breaker to move he may take one cell first, and lines through it need no pair.
//!
//! Where lines overlap, a pair may serve several lines, and to find a pairing is an exact cover problem. The search here is
//! incomplete. It starts with the pairs of a position that is one or two moves away. A step takes a line that has no pair
//! and gives it that pair of its cells which leaves the fewest other lines without one. Pairs in the way are broken up. This
//! is the method of minimal conflicts (Minton, Johnston, Philips and Laird, "Minimizing Conflicts", 1992). Pairs that are
//! new are broken up less readily, as in tabu search (Glover, "Tabu Search", 1989).
//!
//! The least number of lines without a pair that was seen is the *deficiency*, a measure of how far Breaker is from a win.

use crate::search::proof::Role;

use super::bits::Bits;
use super::position::WeakPosition;

/// No partner.
pub const NONE: u16 = u16::MAX;

/// A cost that counts for one line.
const LINE_COST: i32 = 16;

/// The cost of a cell that is better left out.
const AVOIDED_COST: i32 = 2;

/// For how many steps a new pair is protected.
const PROTECTED_STEPS: u32 = 6;

/// The most lines without a pair for which a common cell is sought.
const MOST_BLOCKED: usize = 10;

/// The result of a search for a pairing.
pub enum Found<const C: usize> {
    /// A pairing, with its cells, and the cell that Breaker takes first if it is his move and a pairing needs it.
    Pairing { zone: Bits<C>, first: Option<u16> },
    /// None. So many lines at least were left without a pair.
    Deficiency(u32),
}

/// A cell as one end of a new pair.
struct PairEnd<const L: usize> {
    cell: usize,
    /// The lines that have no pair any more if the pair of the cell is broken up.
    lost: Bits<L>,
    /// The cost of these lines and of the cell.
    cost: i32,
}

/// Finds pairings. Its buffers are reused.
pub struct PairingSearch<const C: usize, const L: usize> {
    cells: Bits<C>,
    /// By cell, the lines through it.
    through: Vec<Bits<L>>,
    /// By cell, its partner or [`NONE`].
    pub partner: Vec<u16>,
    /// By cell, the step that gave it its partner.
    paired_at: Vec<u32>,
    /// The partners when the deficiency was least.
    best: Vec<u16>,
    /// By line, its pairs.
    pairs: Vec<u8>,
    /// The lines without a pair.
    unserved: Bits<L>,
    /// The lines with exactly one pair.
    served_once: Bits<L>,
    step: u32,
    random: u64,
    /// Cells that pairs should avoid.
    avoided: Bits<C>,
    /// The cost of such a cell.
    avoided_cost: i32,
    /// The cells of the line that gets a pair.
    ends: Vec<PairEnd<L>>,
}

impl<const C: usize, const L: usize> PairingSearch<C, L> {
    pub fn new() -> PairingSearch<C, L> {
        PairingSearch {
            cells: Bits::EMPTY,
            through: vec![Bits::EMPTY; 64 * C],
            partner: vec![NONE; 64 * C],
            paired_at: vec![0; 64 * C],
            best: vec![NONE; 64 * C],
            pairs: vec![0; 64 * L],
            unserved: Bits::EMPTY,
            served_once: Bits::EMPTY,
            step: 0,
            random: 1,
            avoided: Bits::EMPTY,
            avoided_cost: AVOIDED_COST,
            ends: Vec::new(),
        }
    }

    /// The number of lines through a cell that were left without a pair.
    pub fn blocked(&self, cell: usize) -> u32 {
        self.through[cell].and(self.unserved).len() as u32
    }

    /// The pairs of the pairing that was found.
    pub fn pairs(&self) -> Vec<(u16, u16)> {
        self.first_cells().map(|cell| (cell as u16, self.partner[cell])).collect()
    }

    /// The first cell of each pair.
    fn first_cells(&self) -> impl Iterator<Item = usize> {
        let is_first = |&cell: &usize| self.partner[cell] != NONE && usize::from(self.partner[cell]) > cell;
        self.cells.iter().filter(is_first)
    }

    fn load(&mut self, position: &WeakPosition<C>) {
        for cell in self.cells.iter() {
            self.through[cell] = Bits::EMPTY;
            self.partner[cell] = NONE;
        }
        self.cells = position.cells();
        self.unserved = Bits::EMPTY;
        self.served_once = Bits::EMPTY;
        for (number, line) in position.lines.iter().enumerate() {
            self.pairs[number] = 0;
            self.unserved.insert(number);
            line.iter().for_each(|cell| self.through[cell].insert(number));
        }
        self.cells.iter().for_each(|cell| self.paired_at[cell] = 0);
        self.step = PROTECTED_STEPS;
        // The result depends on the position only.
        self.random = position.lines.len() as u64 | 1 << 40;
    }

    /// Looks for a pairing in at most `steps` steps. `partners` are those of a position nearby. Pairs without `avoided` cells
    /// are preferred.
    pub fn find(&mut self, position: &WeakPosition<C>, partners: &[u16], avoided: Bits<C>, steps: u32) -> Found<C> {
        self.load(position);
        self.avoided = avoided;
        self.avoided_cost = AVOIDED_COST;
        for first in self.cells.iter() {
            let second = partners[first];
            if second != NONE && usize::from(second) > first && self.cells.contains(second.into()) {
                let served = self.through[first].and(self.through[usize::from(second)]);
                if served.meets(self.unserved) {
                    self.pair(first, second.into());
                }
            }
        }
        let mut least = usize::MAX;
        let mut left = steps;
        loop {
            let unserved = self.unserved.len();
            if unserved < least {
                least = unserved;
                self.best.copy_from_slice(&self.partner);
            }
            if let Some((zone, first)) = self.needed_pairs(position) {
                return Found::Pairing { zone, first };
            }
            if left == 0 {
                break;
            }
            left -= 1;
            self.serve_one(position, unserved);
        }
        self.restore_best();
        Found::Deficiency(least as u32)
    }

    /// Looks for a pairing as [`PairingSearch::find`] does, and then for others in `more` steps. Returns one with the fewest
    /// avoided cells that was found.
    pub fn find_small(
        &mut self,
        position: &WeakPosition<C>,
        partners: &[u16],
        avoided: Bits<C>,
        steps: u32,
        more: u32,
    ) -> Found<C> {
        let mut found = self.find(position, partners, avoided, steps);
        let Found::Pairing { zone: mut smallest, .. } = found else { return found };
        self.best.copy_from_slice(&self.partner);
        self.avoided_cost = LINE_COST;
        let mut is_new = false;
        for _ in 0..more {
            if let Some((zone, first)) = is_new.then(|| self.needed_pairs(position)).flatten() {
                if self.cost_of(zone) < self.cost_of(smallest) {
                    smallest = zone;
                    found = Found::Pairing { zone, first };
                    self.best.copy_from_slice(&self.partner);
                }
                is_new = false;
            }
            if !is_new && !self.break_up_avoided() {
                break;
            }
            is_new = true;
            match self.unserved.len() {
                0 => {}
                unserved => self.serve_one(position, unserved),
            }
        }
        self.partner.copy_from_slice(&self.best);
        found
    }

    /// The cost of a pairing by its cells: few avoided ones, and few.
    fn cost_of(&self, zone: Bits<C>) -> usize {
        4 * zone.and(self.avoided).len() + zone.len()
    }

    /// Breaks up some pair with an avoided cell. `false` if there is none.
    fn break_up_avoided(&mut self) -> bool {
        let paired: Bits<C> = self.cells.and(self.avoided).iter().filter(|&cell| self.partner[cell] != NONE).collect();
        if paired == Bits::EMPTY {
            return false;
        }
        let nth = (self.next_random() >> 32) as usize % paired.len();
        self.break_up(paired.iter().nth(nth).expect("there are so many"));
        true
    }

    /// If the present pairs block every line: drops those that are not needed, and returns the cells of the others, with the
    /// cell that Breaker takes first.
    fn needed_pairs(&mut self, position: &WeakPosition<C>) -> Option<(Bits<C>, Option<u16>)> {
        let first = self.needed_first(position)?;
        Some((self.needed(position, first), first.map(|cell| cell as u16)))
    }

    /// The cell that Breaker has to take first with the present pairs, if these and one cell are enough. `Some(None)` if he
    /// needs none.
    fn needed_first(&self, position: &WeakPosition<C>) -> Option<Option<usize>> {
        match self.unserved.len() {
            0 => Some(None),
            1..=MOST_BLOCKED if position.to_move == Role::Defender => {
                let lines = self.unserved.iter().map(|line| position.lines[line]);
                lines.fold(Bits::ALL, Bits::and).first().map(Some)
            }
            _ => None,
        }
    }

    /// Goes back to the best partners.
    fn restore_best(&mut self) {
        for cell in self.cells.iter() {
            let (partner, best) = (self.partner[cell], self.best[cell]);
            if partner != NONE && partner != best {
                self.break_up(cell);
            }
        }
        for cell in self.cells.iter() {
            let best = usize::from(self.best[cell]);
            if self.best[cell] != NONE && best > cell && self.partner[cell] == NONE {
                self.pair(cell, best);
            }
        }
    }

    /// The next number of a xorshift generator. (Marsaglia, "Xorshift RNGs", 2003.)
    fn next_random(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }

    /// Gives a pair to one of the lines without a pair.
    fn serve_one(&mut self, position: &WeakPosition<C>, unserved: usize) {
        let random = self.next_random();
        let nth = (random >> 32) as usize % unserved;
        let line = self.unserved.iter().nth(nth).expect("there are so many");
        let mut ends = std::mem::take(&mut self.ends);
        ends.clear();
        ends.extend(position.lines[line].iter().map(|cell| self.end(cell)));
        let mut best = (i32::MAX, 0, 0);
        let mut noise = random;
        for (place, first) in ends.iter().enumerate() {
            for second in &ends[place + 1..] {
                // Of the lines through both cells, those that gain a pair, and those that keep one. No line is lost with both
                // cells: it would have two pairs.
                let served = self.through[first.cell].and(self.through[second.cell]);
                let saved = served.and(first.lost.or(second.lost).or(self.unserved)).len() as i32;
                noise = noise.rotate_left(5);
                let cost = first.cost + second.cost - LINE_COST * saved + (noise & 7) as i32;
                if cost < best.0 {
                    best = (cost, first.cell, second.cell);
                }
            }
        }
        self.ends = ends;
        let (_, first, second) = best;
        self.step += 1;
        self.break_up(first);
        self.break_up(second);
        self.pair(first, second);
    }

    /// A cell as one end of a new pair.
    #[inline]
    fn end(&self, cell: usize) -> PairEnd<L> {
        let lost = self.lost_with(cell);
        PairEnd { cell, lost, cost: LINE_COST * lost.len() as i32 + self.penalty(cell) }
    }

    /// The lines that have no pair any more if the pair of a cell is broken up.
    #[inline]
    fn lost_with(&self, cell: usize) -> Bits<L> {
        match self.partner[cell] {
            NONE => Bits::EMPTY,
            other => self.through[cell].and(self.through[usize::from(other)]).and(self.served_once),
        }
    }

    /// The cost of a cell because its pair is new, or because the cell is better left out.
    #[inline]
    fn penalty(&self, cell: usize) -> i32 {
        let is_new = self.partner[cell] != NONE && self.step - self.paired_at[cell] < PROTECTED_STEPS;
        let avoided = if self.avoided.contains(cell) { self.avoided_cost } else { 0 };
        avoided + if is_new { LINE_COST } else { 0 }
    }

    fn pair(&mut self, first: usize, second: usize) {
        self.partner[first] = second as u16;
        self.partner[second] = first as u16;
        self.paired_at[first] = self.step;
        self.paired_at[second] = self.step;
        for line in self.through[first].and(self.through[second]).iter() {
            self.pairs[line] += 1;
            match self.pairs[line] {
                1 => {
                    self.unserved.remove(line);
                    self.served_once.insert(line);
                }
                _ => self.served_once.remove(line),
            }
        }
    }

    fn break_up(&mut self, cell: usize) {
        let other = self.partner[cell];
        if other == NONE {
            return;
        }
        self.partner[cell] = NONE;
        self.partner[usize::from(other)] = NONE;
        for line in self.through[cell].and(self.through[usize::from(other)]).iter() {
            self.pairs[line] -= 1;
            match self.pairs[line] {
                0 => {
                    self.served_once.remove(line);
                    self.unserved.insert(line);
                }
                1 => self.served_once.insert(line),
                _ => {}
            }
        }
    }

    /// The cells of the pairs that are needed if Breaker takes the cell `first`. Removes the other pairs.
    fn needed(&mut self, position: &WeakPosition<C>, first: Option<usize>) -> Bits<C> {
        let mut zone = Bits::EMPTY;
        let mut blocked = Bits::EMPTY;
        if let Some(cell) = first {
            zone.insert(cell);
            self.break_up(cell);
            blocked = self.through[cell];
        }
        debug_assert!(self.unserved.is_subset(blocked), "{:?}", position.lines);
        // Pairs of two avoided cells go first, then those of one.
        let mut by_avoided = [Bits::EMPTY; 3];
        for cell in self.first_cells() {
            let ends = [cell, self.partner[cell].into()];
            by_avoided[ends.into_iter().filter(|&end| self.avoided.contains(end)).count()].insert(cell);
        }
        for cell in by_avoided.into_iter().rev().flat_map(|cells: Bits<C>| cells.iter()) {
            let served = self.through[cell].and(self.through[usize::from(self.partner[cell])]);
            if served.and(self.served_once).is_subset(blocked) {
                self.break_up(cell);
            }
        }
        for cell in self.cells.iter() {
            if self.partner[cell] != NONE {
                zone.insert(cell);
            }
        }
        zone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(cells: u64) -> Bits<1> {
        Bits::from_words(&[cells])
    }

    #[test]
    fn of_two_pairs_the_one_to_be_avoided_goes() {
        // Two pairs serve the same line; one of them is enough.
        let position = WeakPosition::new([bits(0b1111)].into_iter(), Role::Attacker);
        for avoided in 0..16u64 {
            let mut search = PairingSearch::<1, 1>::new();
            search.load(&position);
            search.avoided = bits(avoided);
            search.pair(0, 1);
            search.pair(2, 3);
            let zone = search.needed(&position, None);
            let (first, second) = ((avoided & 0b0011).count_ones(), (avoided & 0b1100).count_ones());
            let expected = if first >= second { 0b1100 } else { 0b0011 };
            assert_eq!(zone, bits(expected), "avoided {avoided:04b}");
        }
    }
}
