//! The open lines of a player, and which of them a set of stones completes. A line is open for a player while its opponent
//! has no stone in it.

use crate::game::{Cell, Position};

use super::bits::Bits;

/// The empty cells of each open line: of the side to move, and of its opponent.
pub(super) fn open_lines<const W: usize>(position: &Position, cells: &[Cell]) -> [Vec<Bits<W>>; 2] {
    let size = position.rules().size();
    let mut places = vec![None; position.rules().cells()];
    (0..).zip(cells).for_each(|(place, cell)| places[cell.index(size)] = Some(place));
    let lines = position.rules().lines();
    [position.side(), !position.side()].map(|player| {
        let against = position.stones(!player);
        let open = lines.iter().filter(|line| !line.iter().any(|cell| against.contains(cell)));
        open.map(|line| Bits::of(line.iter().filter_map(|cell| places[cell.index(size)]))).collect()
    })
}

/// The empty cells of each open line of one player.
#[derive(Debug)]
pub(super) struct OpenLines<const W: usize> {
    /// Shortest first.
    lines: Vec<Bits<W>>,
    /// The index of the group of each line.
    groups_of_lines: Vec<usize>,
    groups: Vec<Vec<Bits<W>>>,
    /// The cells that all lines of a group have in common. If the player does not have all of them, no line of the group
    /// is complete.
    cores: Vec<Bits<W>>,
}

/// The lines that a player has completed.
pub(super) struct Completed<const W: usize> {
    pub(super) number: u32,
    /// The cells that all of them have in common.
    pub(super) common: Bits<W>,
}

impl<const W: usize> OpenLines<W> {
    /// The open lines with these empty cells. A line without stones has `length` of them.
    ///
    /// A line that contains all empty cells of another one is left out, because it is never completed sooner.
    pub(super) fn new(mut lines: Vec<Bits<W>>, length: u32) -> OpenLines<W> {
        // By cached keys, because the compiler then shares the sort among all numbers of words.
        lines.sort_by_cached_key(Bits::len);
        // A line without stones is contained in no other line, so only lines with stones are compared.
        let with_stones = lines.partition_point(|line| line.len() < length);
        let mut kept =
            OpenLines { lines: Vec::new(), groups_of_lines: Vec::new(), groups: Vec::new(), cores: Vec::new() };
        let mut kept_with_stones = 0;
        for (number, line) in lines.into_iter().enumerate() {
            if !kept.lines[..kept_with_stones].iter().any(|other| other.is_within(&line)) {
                kept.push(line);
                kept_with_stones += usize::from(number < with_stones);
            }
        }
        kept
    }

    /// Adds a line to the first group whose core has more than half of its cells.
    fn push(&mut self, line: Bits<W>) {
        let fits = |core: &Bits<W>| 2 * core.and(line).len() > line.len();
        let group = self.cores.iter().position(fits).unwrap_or_else(|| {
            self.cores.push(line);
            self.groups.push(Vec::new());
            self.cores.len() - 1
        });
        self.cores[group] = self.cores[group].and(line);
        self.groups[group].push(line);
        self.groups_of_lines.push(group);
        self.lines.push(line);
    }

    /// The lines, shortest first.
    pub(super) fn lines(&self) -> &[Bits<W>] {
        &self.lines
    }

    /// Whether `stones` complete no line.
    pub(super) fn none_completed(&self, stones: &Bits<W>) -> bool {
        self.complete_cores(stones) == 0 || self.all_completed(stones).number == 0
    }

    /// The lines that `stones` complete. The line at index `line` is one of them.
    pub(super) fn completed_with(&self, line: usize, stones: &Bits<W>) -> Completed<W> {
        if self.complete_cores(stones) == 1 {
            completed(&self.groups[self.groups_of_lines[line]], stones)
        } else {
            self.all_completed(stones)
        }
    }

    fn all_completed(&self, stones: &Bits<W>) -> Completed<W> {
        completed(&self.lines, stones)
    }

    /// The number of cores that `stones` contain. Counted without a branch for each core, which would be mispredicted too
    /// often.
    fn complete_cores(&self, stones: &Bits<W>) -> u32 {
        self.cores.iter().map(|core| u32::from(core.is_within(stones))).sum()
    }
}

fn completed<const W: usize>(lines: &[Bits<W>], stones: &Bits<W>) -> Completed<W> {
    let lines = lines.iter().filter(|line| line.is_within(stones));
    let none = Completed { number: 0, common: *stones };
    lines.fold(none, |so_far, line| Completed { number: so_far.number + 1, common: so_far.common.and(*line) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_hold_another_are_left_out() {
        let sets: [&[u32]; 6] = [&[0, 1, 2, 3], &[1, 2], &[2, 1], &[1, 2, 5], &[5, 6, 7], &[6, 7, 8, 9]];
        let lines = OpenLines::new(sets.map(|set| Bits::<1>::of(set.iter().copied())).to_vec(), 4);
        let kept: Vec<Vec<u32>> = lines.lines().iter().map(|line| line.iter().collect()).collect();
        assert_eq!(kept, [vec![1, 2], vec![5, 6, 7], vec![6, 7, 8, 9]]);
    }

    #[test]
    fn the_completed_lines_are_found_whatever_lines_share() {
        // Runs of four among ten cells: their cores overlap.
        let runs: Vec<Bits<1>> = (0..7).map(|first| Bits::of(first..first + 4)).collect();
        let lines = OpenLines::new(runs.clone(), 4);
        for stones in (0..1u32 << 10).map(|word| Bits::of((0..10).filter(move |bit| word >> bit & 1 == 1))) {
            let complete: Vec<usize> = (0..7).filter(|&run| runs[run].is_within(&stones)).collect();
            assert_eq!(lines.none_completed(&stones), complete.is_empty());
            for &run in &complete {
                let found = lines.completed_with(run, &stones);
                assert_eq!(found.number as usize, complete.len());
                assert_eq!(found.common, complete.iter().fold(stones, |common, &run| common.and(runs[run])));
            }
        }
    }
}
