//! The lines that a player can still complete, and which of them a set of stones completes.

use crate::game::{Cell, Position};

use super::bits::Bits;

/// The empty cells of each line that the side to move, and its opponent, can still complete.
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

/// The empty cells of the lines that one player can still complete: in which the other has no stone.
#[derive(Debug)]
pub(super) struct Lines<const W: usize> {
    /// Shortest first.
    lines: Vec<Bits<W>>,
    /// The same lines once more, next to those that share their core.
    by_core: Vec<Bits<W>>,
    cores: Vec<Core<W>>,
}

/// Cells that lines have in common. Where they are not all stones of a player, none of those lines is completed.
#[derive(Debug)]
struct Core<const W: usize> {
    cells: Bits<W>,
    /// Where its lines are in `by_core`.
    first: usize,
    lines: usize,
}

impl<const W: usize> Lines<W> {
    /// Leaves out what is completed no sooner than another of these lines: the same empty cells once more, or more
    /// than those. A line without stones has `length` empty cells.
    pub(super) fn new(mut lines: Vec<Bits<W>>, length: u32) -> Lines<W> {
        lines.sort_by_key(Bits::len);
        // No line holds another without stones, so only those with stones need to be looked at.
        let with_stones = lines.partition_point(|line| line.len() < length);
        let mut kept: Vec<Bits<W>> = Vec::with_capacity(lines.len());
        let mut kept_with_stones = 0;
        for (number, line) in lines.into_iter().enumerate() {
            if kept[..kept_with_stones].iter().any(|other| other.is_within(&line)) {
                continue;
            }
            kept.push(line);
            kept_with_stones += usize::from(number < with_stones);
        }
        let (by_core, cores) = grouped(&kept);
        Lines { lines: kept, by_core, cores }
    }

    /// The lines, shortest first.
    pub(super) fn lines(&self) -> &[Bits<W>] {
        &self.lines
    }

    /// Whether no line is completed by `stones`.
    pub(super) fn none_completed(&self, stones: &Bits<W>) -> bool {
        self.complete_cores(stones) == 0 || self.completed(stones).next().is_none()
    }

    /// The lines that `stones` complete.
    pub(super) fn completed(&self, stones: &Bits<W>) -> impl Iterator<Item = Bits<W>> {
        let cores = self.cores.iter().filter(|core| core.cells.is_within(stones));
        let lines = cores.flat_map(|core| &self.by_core[core.first..core.first + core.lines]);
        lines.filter(|line| line.is_within(stones)).copied()
    }

    /// Counts without a branch: one for each core would be guessed wrong too often.
    fn complete_cores(&self, stones: &Bits<W>) -> u32 {
        self.cores.iter().map(|core| u32::from(core.cells.is_within(stones))).sum()
    }
}

/// Puts lines together that have more than half of their cells in common.
fn grouped<const W: usize>(lines: &[Bits<W>]) -> (Vec<Bits<W>>, Vec<Core<W>>) {
    let mut groups: Vec<(Bits<W>, Vec<Bits<W>>)> = Vec::new();
    for &line in lines {
        let fits = |(core, _): &&mut (Bits<W>, Vec<Bits<W>>)| 2 * core.and(line).len() > line.len();
        match groups.iter_mut().find(fits) {
            Some((core, members)) => {
                *core = core.and(line);
                members.push(line);
            }
            None => groups.push((line, vec![line])),
        }
    }
    let mut by_core = Vec::with_capacity(lines.len());
    let mut cores = Vec::with_capacity(groups.len());
    for (cells, members) in groups {
        cores.push(Core { cells, first: by_core.len(), lines: members.len() });
        by_core.extend(members);
    }
    (by_core, cores)
}
