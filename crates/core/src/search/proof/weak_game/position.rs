//! Positions of the weak game, and the reductions that keep their value.

use crate::search::proof::Role;

use super::bits::{Bits, remove_supersets};
use super::proof_table::ProofEntry;

/// The result of a position that needs no search, with its zone.
pub type Settled<const C: usize> = (Role, Bits<C>);

/// A step of the reductions that a certificate has to name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    /// Breaker takes the last cell of a line.
    Reply(usize),
    /// The lines through both cells, which are in the same lines, are removed.
    Equal(usize, usize),
    /// Maker takes the first cell, Breaker the second, which is in one line only.
    Free(usize, usize),
}

/// A position of the weak game: the lines without a stone of Breaker, each as the set of its empty cells.
#[derive(Clone, Debug)]
pub struct WeakPosition<const C: usize> {
    /// No line contains another one.
    pub lines: Vec<Bits<C>>,
    pub to_move: Role,
    /// Cells that belong to every zone of Breaker, because of the reductions so far.
    pub breaker_zone: Bits<C>,
    /// Cells that belong to every zone of Maker, because of the reductions so far.
    pub maker_zone: Bits<C>,
    /// By cell, the cells that are in all lines through it: those that dominate it, and itself. [`Bits::ALL`] for a cell
    /// without a line.
    pub common: Vec<Bits<C>>,
    /// The reductions so far, except for lines that contain others.
    pub reductions: Vec<Reduction>,
}

impl<const C: usize> WeakPosition<C> {
    pub fn new(lines: impl Iterator<Item = Bits<C>>, to_move: Role) -> WeakPosition<C> {
        let mut lines = lines.collect();
        remove_supersets(&mut lines);
        WeakPosition {
            lines,
            to_move,
            breaker_zone: Bits::EMPTY,
            maker_zone: Bits::EMPTY,
            common: vec![Bits::ALL; 64 * C],
            reductions: Vec::new(),
        }
    }

    /// The cells of all lines.
    pub fn cells(&self) -> Bits<C> {
        self.lines.iter().fold(Bits::EMPTY, |cells, &line| cells.or(line))
    }

    /// Becomes the position after a move from `before`, not yet reduced.
    pub fn set_after(&mut self, before: &WeakPosition<C>, cell: usize) {
        self.lines.clear();
        self.reductions.clear();
        self.breaker_zone = Bits::EMPTY;
        self.maker_zone = Bits::EMPTY;
        match before.to_move {
            Role::Defender => {
                self.lines.extend(before.lines.iter().filter(|line| !line.contains(cell)));
                self.to_move = Role::Attacker;
            }
            Role::Attacker => {
                self.lines.extend_from_slice(&before.lines);
                self.take_for_maker(cell);
                self.to_move = Role::Defender;
            }
        }
    }

    /// Puts a stone of Maker on a cell, and removes the lines that contain another line.
    fn take_for_maker(&mut self, cell: usize) {
        let stone = Bits::of(cell);
        // Lines with the stone first.
        let mut with_stone = 0;
        for place in 0..self.lines.len() {
            if self.lines[place].contains(cell) {
                self.lines[place] = self.lines[place].minus(stone);
                self.lines.swap(place, with_stone);
                with_stone += 1;
            }
        }
        // These have all lost the same cell, so none of them contains another one. But a line without the stone can contain one
        // of them now.
        let mut place = with_stone;
        while place < self.lines.len() {
            if self.lines[..with_stone].iter().any(|line| line.is_subset(self.lines[place])) {
                self.lines.swap_remove(place);
            } else {
                place += 1;
            }
        }
    }

    /// Applies the reductions of the module until none applies. Returns the winner if that settles the position.
    pub fn reduce(&mut self) -> Option<Settled<C>> {
        loop {
            if let Some((winner, zone)) = self.threats() {
                return Some((winner, zone.or(self.maker_zone)));
            }
            self.remove_equal_cells();
            if self.lines.is_empty() {
                return Some((Role::Defender, self.breaker_zone));
            }
            if self.to_move == Role::Defender || !self.take_free_move() {
                return None;
            }
        }
    }

    /// Lines that lack one or two stones: a win of Maker, or replies that are forced.
    fn threats(&mut self) -> Option<Settled<C>> {
        if self.to_move == Role::Defender {
            let mut single: Option<Bits<C>> = None;
            for &line in self.lines.iter().filter(|line| line.len() == 1) {
                match single {
                    Some(other) => return Some((Role::Attacker, line.or(other))),
                    None => single = Some(line),
                }
            }
            let reply = single?;
            self.reductions.extend(reply.first().map(Reduction::Reply));
            self.lines.retain(|line| !line.meets(reply));
            self.breaker_zone = self.breaker_zone.or(reply);
            self.maker_zone = self.maker_zone.or(reply);
            self.to_move = Role::Attacker;
        }
        // The cells of lines that lack two stones.
        let mut cells = Bits::EMPTY;
        for (place, &line) in self.lines.iter().enumerate() {
            match line.len() {
                1 => return Some((Role::Attacker, line)),
                2 if line.meets(cells) => {
                    let earlier = self.lines[..place].iter().find(|other| other.len() == 2 && other.meets(line));
                    return earlier.map(|other| (Role::Attacker, other.or(line)));
                }
                2 => cells = cells.or(line),
                _ => {}
            }
        }
        None
    }

    /// By cell, the cells that are in all lines through it.
    fn find_common(&mut self) {
        for cell in self.cells().iter() {
            self.common[cell] = Bits::ALL;
        }
        for &line in &self.lines {
            for cell in line.iter() {
                self.common[cell] = self.common[cell].and(line);
            }
        }
    }

    /// Removes the lines through two cells that are in the same lines, until there are no such cells.
    fn remove_equal_cells(&mut self) {
        loop {
            self.find_common();
            let mut has_changed = false;
            for first in self.cells().iter() {
                let equal = |second: &usize| *second > first && self.common[*second].contains(first);
                if let Some(second) = self.common[first].iter().find(equal) {
                    let lines = self.lines.len();
                    self.lines.retain(|line| !line.contains(first));
                    if self.lines.len() < lines {
                        self.breaker_zone.insert(first);
                        self.breaker_zone.insert(second);
                        self.reductions.push(Reduction::Equal(first, second));
                        has_changed = true;
                    }
                }
            }
            if !has_changed {
                return;
            }
        }
    }

    /// Makes a move of Maker that costs nothing: in a line of two cells, one of which is in no other line.
    fn take_free_move(&mut self) -> bool {
        for place in 0..self.lines.len() {
            let line = self.lines[place];
            if line.len() != 2 {
                continue;
            }
            // A cell that is in this line only has exactly this line in common; a cell with other lines has less.
            if let Some(private) = line.iter().find(|&cell| self.common[cell] == line) {
                let free = line.minus(Bits::of(private)).first().expect("the line has two cells");
                self.breaker_zone = self.breaker_zone.or(line);
                self.maker_zone = self.maker_zone.or(line);
                self.lines.swap_remove(place);
                self.take_for_maker(free);
                self.reductions.push(Reduction::Free(free, private));
                return true;
            }
        }
        false
    }

    /// True if no other cell is in all lines through this one.
    pub fn is_undominated(&self, cell: usize) -> bool {
        self.common[cell] == Bits::of(cell)
    }

    /// For each of these cells that is dominated, an undominated cell that dominates it.
    pub fn dominators(&self, cells: Bits<C>) -> Bits<C> {
        let dominator = |cell: usize| self.common[cell].iter().find(|&other| self.is_undominated(other));
        let dominated = cells.iter().filter(|&cell| !self.is_undominated(cell));
        let dominators = dominated.map(dominator);
        dominators.map(|cell| cell.expect("there are no equal cells, so some cell is in the most lines")).collect()
    }

    /// Narrows the moves of Breaker by the threats of Maker. If two lines of two cells share a cell, Maker wins unless
    /// Breaker takes one of their three cells.
    pub fn narrow(&self, entry: &mut ProofEntry<C>) {
        for (place, &line) in self.lines.iter().enumerate().filter(|(_, line)| line.len() == 2) {
            for &other in self.lines[..place].iter().filter(|other| other.len() == 2 && other.meets(line)) {
                if !entry.candidates.is_subset(line.or(other)) {
                    entry.exclude_outside(line.or(other));
                }
            }
        }
    }

    /// By cell, the sum over the lines through it of 2^-cells, in units of 2^-32.
    pub fn weigh(&self, weights: &mut [u64]) {
        weights.fill(0);
        for line in &self.lines {
            let weight = line.weight();
            line.iter().for_each(|cell| weights[cell] += weight);
        }
    }

    /// The sum over the lines of 2^-cells, in units of 2^-32.
    pub fn potential(&self) -> u64 {
        self.lines.iter().map(Bits::weight).sum()
    }

    /// The key of the position: a sum over its lines, so their order does not matter.
    pub fn key(&self) -> [u64; 2] {
        self.key_of(|line| line)
    }

    /// The key of an image of the position. `image` takes a line to its image.
    pub fn key_of(&self, image: impl Fn(Bits<C>) -> Bits<C>) -> [u64; 2] {
        let start =
            if self.to_move == Role::Attacker { [0, 0] } else { [0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03] };
        self.lines.iter().fold(start, |key, &line| {
            let [low, high] = image(line).hash([0x2d35_8dcc_aa6c_78a5, 0x4b33_a62e_d433_d4a3]);
            [key[0].wrapping_add(low), key[1].wrapping_add(high)]
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::search::{Generator, Stream, below, generator};

    /// The lines that contain no other one, sorted.
    fn minimal(lines: &[u64]) -> Vec<u64> {
        let contains_none = |&line: &u64| !lines.iter().any(|&other| other != line && other & line == other);
        let mut kept: Vec<u64> = lines.iter().copied().filter(contains_none).collect();
        kept.sort_unstable();
        kept.dedup();
        kept
    }

    fn sorted(position: &WeakPosition<1>) -> Vec<u64> {
        let mut lines: Vec<u64> = position.lines.iter().map(|line| line.words()[0]).collect();
        lines.sort_unstable();
        lines
    }

    #[test]
    fn the_lines_after_any_move_are_those_that_contain_no_other() {
        let mut random = generator(1, Stream::Go(0));
        for _ in 0..2000 {
            // Lines of at most four of nine cells, so that many contain others.
            let any_line = |random: &mut Generator| (0..4).fold(0, |line, _| line | 1 << below(random, 9));
            let lines: Vec<u64> = (0..1 + below(&mut random, 9)).map(|_| any_line(&mut random)).collect();
            let mut position =
                WeakPosition::<1>::new(lines.iter().map(|&line| Bits::from_words(&[line])), Role::Attacker);
            let mut expected = minimal(&lines);
            assert_eq!(sorted(&position), expected);
            // A stone of Maker may not complete a line.
            while let Some(cell) = (0..9).find(|&cell| below(&mut random, 3) == 0 && !expected.contains(&(1 << cell))) {
                position.to_move = if below(&mut random, 2) == 0 { Role::Attacker } else { Role::Defender };
                let left: Vec<u64> = match position.to_move {
                    Role::Attacker => expected.iter().map(|line| line & !(1 << cell)).collect(),
                    Role::Defender => expected.iter().copied().filter(|line| line >> cell & 1 == 0).collect(),
                };
                let mut next = WeakPosition::new([].into_iter(), Role::Attacker);
                next.set_after(&position, cell);
                expected = minimal(&left);
                assert_eq!(sorted(&next), expected, "{left:?}");
                position = next;
            }
        }
    }

    #[test]
    fn each_word_of_a_key_tells_short_lines_apart() {
        // All lines of one, two or three of 60 cells, in either of two words.
        for word in [0, 1] {
            let cells = (0..60).map(|cell| 1u64 << cell);
            let pairs = cells.clone().flat_map(|one| cells.clone().map(move |other| one | other));
            let lines: HashSet<u64> = pairs.flat_map(|pair| cells.clone().map(move |cell| pair | cell)).collect();
            let mut seen = [HashSet::new(), HashSet::new()];
            for &line in &lines {
                let mut words = [0, 0];
                words[word] = line;
                let position = WeakPosition::<2>::new([Bits::from_words(&words)].into_iter(), Role::Attacker);
                let other = WeakPosition::<2>::new([Bits::from_words(&words)].into_iter(), Role::Defender);
                assert_ne!(position.key(), other.key());
                for (key, seen) in position.key().into_iter().zip(&mut seen) {
                    seen.insert(key);
                }
            }
            assert!(seen.iter().all(|seen| seen.len() == lines.len()), "two of {} lines share a word", lines.len());
        }
    }
}
