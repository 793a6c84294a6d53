//! Pairing strategies: a proof, without search, that a player never completes a line.
//!
//! If every line that is live for a player contains both cells of some pair of empty cells, and the pairs are disjoint,
//! then whoever answers inside the pairs gets one cell of each and holds the lines back: the opponent does so to stop
//! the player (normal rules), the player itself to keep clear of its own lines (reverse rules).
//! (Hales and Jewett, "Regularity and Positional Games", 1963.)
//!
//! This module finds pairs or gives up; it never says who wins. Two searches are made, each complete for its kind:
//! every line gets a pair of its own (a matching in the graph of lines and cells; nothing is lost by it where two lines
//! share one cell at most), or lines share pairs, picked greedily (where they may share more).

use super::field::Field;
use super::geometry::Geometry;

const NOBODY: u16 = u16::MAX;

/// Finds pairs, in memory of its own that it uses again each time.
pub struct Pairing {
    /// For each cell, the line that it is given to.
    line_of: Vec<u16>,
    /// For each cell, the last search that came by.
    visited: Vec<u32>,
    visit: u32,
    /// For each line, the last search in which it lacked a pair.
    needy: Vec<u32>,
    /// Cells that no pair may use and whose lines need no pair.
    kept: Vec<bool>,
    kept_list: Vec<u16>,
    lines: Vec<u16>,
    pairs: Vec<(u16, u16)>,
}

impl Pairing {
    pub fn new(geometry: &Geometry) -> Pairing {
        Pairing {
            line_of: vec![NOBODY; geometry.cells()],
            visited: vec![0; geometry.cells()],
            visit: 0,
            needy: vec![0; geometry.lines()],
            kept: vec![false; geometry.cells()],
            kept_list: Vec::new(),
            lines: Vec::new(),
            pairs: Vec::new(),
        }
    }

    /// Begins anew, without a cell that is kept off.
    pub fn clear_kept(&mut self) {
        self.kept_list.drain(..).for_each(|cell| self.kept[usize::from(cell)] = false);
    }

    /// Leaves a cell, and all lines through it, out of account.
    pub fn keep(&mut self, cell: u16) {
        if !self.kept[usize::from(cell)] {
            self.kept[usize::from(cell)] = true;
            self.kept_list.push(cell);
        }
    }

    /// Takes a cell back into account.
    pub fn release(&mut self, cell: u16) {
        self.kept[usize::from(cell)] = false;
        self.kept_list.retain(|&kept| kept != cell);
    }

    /// The cells that are left out of account.
    pub fn kept(&self) -> &[u16] {
        &self.kept_list
    }

    /// The pairs that were found last.
    pub fn pairs(&self) -> &[(u16, u16)] {
        &self.pairs
    }

    /// Looks for pairs in all live lines of a player that lack at most `missing` stones and avoid the cells that are
    /// kept.
    ///
    /// # Errors
    /// A line that is left without a pair.
    pub fn find(&mut self, geometry: &Geometry, field: &Field, player: usize, missing: usize) -> Result<(), u16> {
        let mut lines = std::mem::take(&mut self.lines);
        lines.clear();
        lines.extend(field.live_lines(geometry, player).filter(|&line| {
            geometry.line_length - usize::from(field.stones(player, line)) <= missing
                && geometry.line(line).iter().all(|&cell| !self.kept[usize::from(cell)])
        }));
        // The lines with the fewest empty cells have the least choice.
        lines.sort_by_key(|&line| std::cmp::Reverse(field.stones(player, line)));
        let found = if geometry.lines_overlap {
            self.share(geometry, field, &lines).or_else(|_| self.matching(geometry, field, &lines))
        } else {
            self.matching(geometry, field, &lines)
        };
        self.lines = lines;
        found
    }

    /// Gives each line two cells of its own, along augmenting paths. (Kuhn, "The Hungarian Method for the Assignment
    /// Problem", 1955.)
    fn matching(&mut self, geometry: &Geometry, field: &Field, lines: &[u16]) -> Result<(), u16> {
        self.line_of.fill(NOBODY);
        for &line in lines {
            for _ in 0..2 {
                self.visit += 1;
                if !self.give(geometry, field, line) {
                    return Err(line);
                }
            }
        }
        self.pairs.clear();
        for &line in lines {
            let mut cells = geometry.line(line).iter().filter(|&&cell| self.line_of[usize::from(cell)] == line);
            let (first, second) = (cells.next(), cells.next());
            self.pairs.extend(first.zip(second).map(|(&first, &second)| (first, second)));
        }
        Ok(())
    }

    /// Gives a line one more cell, moving cells between lines where that helps.
    fn give(&mut self, geometry: &Geometry, field: &Field, line: u16) -> bool {
        let cells = geometry.line(line);
        let free = cells.iter().find(|&&cell| field.is_empty(cell) && self.line_of[usize::from(cell)] == NOBODY);
        if let Some(&cell) = free {
            self.line_of[usize::from(cell)] = line;
            return true;
        }
        for &cell in cells {
            let holder = self.line_of[usize::from(cell)];
            if holder == line || !field.is_empty(cell) || self.visited[usize::from(cell)] == self.visit {
                continue;
            }
            self.visited[usize::from(cell)] = self.visit;
            if self.give(geometry, field, holder) {
                self.line_of[usize::from(cell)] = line;
                return true;
            }
        }
        false
    }

    /// Gives each line in turn, unless it has one already, the pair of free cells that serves the most lines.
    fn share(&mut self, geometry: &Geometry, field: &Field, lines: &[u16]) -> Result<(), u16> {
        self.line_of.fill(NOBODY);
        self.pairs.clear();
        self.visit += 1;
        let (needy, visit) = (&mut self.needy, self.visit);
        lines.iter().for_each(|&line| needy[usize::from(line)] = visit);
        for &line in lines {
            if needy[usize::from(line)] != visit {
                continue;
            }
            let cells = geometry.line(line);
            let mut best = None;
            for (index, &first) in cells.iter().enumerate() {
                if !field.is_empty(first) || self.line_of[usize::from(first)] != NOBODY {
                    continue;
                }
                for &second in &cells[index + 1..] {
                    if !field.is_empty(second) || self.line_of[usize::from(second)] != NOBODY {
                        continue;
                    }
                    let serves =
                        common(geometry, first, second).filter(|&line| needy[usize::from(line)] == visit).count();
                    if best.is_none_or(|(most, _)| serves > most) {
                        best = Some((serves, (first, second)));
                    }
                }
            }
            let Some((_, (first, second))) = best else { return Err(line) };
            self.line_of[usize::from(first)] = line;
            self.line_of[usize::from(second)] = line;
            common(geometry, first, second).for_each(|line| needy[usize::from(line)] = 0);
            self.pairs.push((first, second));
        }
        Ok(())
    }
}

/// The lines through two cells, the second of which comes later in reading order.
fn common(geometry: &Geometry, first: u16, second: u16) -> impl Iterator<Item = u16> + '_ {
    geometry.through(first).iter().copied().filter(move |&line| geometry.line(line).contains(&second))
}
