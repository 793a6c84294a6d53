//! The rules for nodes and leaves, in the order of the page. Each is an arm of a match, with the form of its record.

use std::collections::{HashMap, HashSet};

use crate::board::{Board, Cells, union};
use crate::node::Node;
use crate::reader::{Record, Rejection, number};

/// The lemmas that are proved and not closed, by number, with their zones.
pub type Lemmas = HashMap<u64, (Node, Cells)>;

type Theorem = (&'static str, usize, fn(&Board) -> bool);

/// The theorems: the name, the player who cannot win, and the boards on which that holds.
pub const THEOREMS: [Theorem; 3] = [
    ("hsu", 0, |board| board.connect == 5 && board.is_square() && (board.rows == 7 || board.rows == 8)),
    ("strategy-stealing", 1, |_| true),
    ("zetters", 0, |board| board.connect >= 8),
];

/// The part that a rule leaves to be proved: nothing, if the record is a leaf.
#[derive(Default)]
pub struct Step {
    pub zone: Cells,         // the rule's own part of the zone
    pub moves: Vec<usize>,   // the moves to the children
    pub other: Option<Node>, // a child that no move leads to
}

type Applied = Result<Step, Rejection>;

/// Nothing is left to be proved if the rule holds. All cells are a zone.
fn leaf(record: &Record, holds: bool, expected: &str) -> Applied {
    record.demand(holds, expected).map(|()| Step { zone: Cells::ALL, ..Step::default() })
}

impl Node {
    /// The part of the claim that a record with these words leaves to be proved.
    pub fn apply(&self, record: &Record, words: &[&str], lemmas: &Lemmas) -> Applied {
        let (claim, normal, prover_moves) = (self.claim, self.board.normal, self.to_move == self.prover());
        let empty = self.empty();
        match *words {
            ["move", cell] => {
                let cell = self.listed(record, &[cell], empty)?;
                record.demand(prover_moves && claim.limit > 0, "the prover to move, and a limit of at least 1")?;
                let (completes, full) = (self.completing().has(cell[0]), empty.count() == 1 && !claim.weak);
                record.demand(!completes || normal, "a move that completes no line")?;
                record.demand(completes || !full || !claim.wins, "a move that does not end in a draw")?;
                let moves = if completes || full { Vec::new() } else { cell.clone() };
                Ok(Step { zone: Cells::of(cell), moves, other: None })
            }
            ["all", ref more @ ..] if !claim.weak => {
                record.demand(!prover_moves && claim.limit > 0, "the opponent to move, and a limit of at least 1")?;
                let fits = more.is_empty() || (normal && more.len() > 1 && more[0] == "fours");
                record.demand(fits, "`all`, or `all fours` with cells under the normal rule")?;
                let cells = self.listed(record, more.get(1..).unwrap_or_default(), self.board.cells)?;
                let completing = self.completing();
                let completes = completing != Cells::NONE;
                record.demand(!normal || !completes, "no cell on which the opponent completes a line")?;
                let last = empty.count() == 1 && !completes;
                record.demand(!last || !claim.wins, "a position in which the opponent cannot reach a draw")?;
                let (lines, shared) = (self.lines.concat(), shared(&self.board, self.lines.iter().flatten()));
                let needs_child = |&cell: &usize| {
                    // Dead: this pass is no better than another move, for a stone more never hurts. Equal: the cells can
                    // be exchanged without a change of the game.
                    let dead = normal && shared[cell] == Cells::ALL && !lines.is_empty();
                    let equal = |other: usize| shared[cell].has(other) && shared[other].has(cell);
                    let repeats = empty.iter().take_while(|&other| other < cell).any(equal);
                    let [own, other] = [self.prover(), self.opponent()].map(|player| self.stones[player]);
                    let plies = || fours(&self.board, own, other.with(cell), &cells);
                    let settled = completing.has(cell) || last || dead || repeats;
                    !settled && plies().is_none_or(|plies| claim.wins && plies >= claim.limit)
                };
                Ok(Step { moves: empty.iter().filter(needs_child).collect(), ..Step::default() })
            }
            ["weak"] => {
                let fits = normal && !claim.wins && !claim.weak && !claim.has_limit();
                record.demand(fits, "the normal rule and `cannot`, no limit")?;
                Ok(Step { other: Some(self.weak()), ..Step::default() })
            }
            ["none"] => {
                let holds = !claim.wins && self.in_time().next().is_none();
                leaf(record, holds, "`cannot` or `weak`, and no line in time")
            }
            // The defender takes the heaviest cell, and the sum never grows to the weight of a completed line.
            ["potential"] if normal => {
                let holds = !claim.wins && light(self.board.connect, self.in_time(), !prover_moves);
                leaf(record, holds, "`cannot` or `weak`, and lighter lines")
            }
            // The defender takes the lightest cell, and only the last stone of the board can make the sum grow.
            ["potential"] => {
                let twice = empty.count().is_multiple_of(2) != prover_moves;
                let holds = !claim.wins && light(self.board.connect, &self.lines[self.prover()], twice);
                leaf(record, holds, "`cannot`, and lines of less weight")
            }
            _ => self.apply_pairs(record, words, lemmas),
        }
    }

    /// The rules with which the prover answers a cell with another one.
    fn apply_pairs(&self, record: &Record, words: &[&str], lemmas: &Lemmas) -> Applied {
        let (claim, normal, prover_moves) = (self.claim, self.board.normal, self.to_move == self.prover());
        let (prover, opponent, lines) = (self.prover(), self.opponent(), &self.lines[self.prover()]);
        match *words {
            // The defender takes the first cell and then one cell of every pair, so it gets one of every line.
            ["pairs", first, ref cells @ ..] => {
                let pairs = self.pairs(record, first, cells, Cells::NONE)?;
                let fits = normal && !claim.wins && pairs.kept.count() <= usize::from(prover_moves);
                record.demand(fits, "the normal rule, and one first cell at most, if the defender is to move")?;
                record.demand(pairs.serve(self.in_time()), "a pair in every line")?;
                Ok(Step { zone: pairs.cells, ..Step::default() })
            }
            // The prover never takes a kept cell, and takes one cell of every pair; never the first if the opponent loses by
            // the second. When the rest is full, the opponent is to move and has to take a kept cell. With one kept cell at
            // most, or if the opponent loses by every one, the prover never has to take one.
            [rule @ ("survive" | "parity"), kept, ref cells @ ..] => {
                let fits = !normal && claim.wins == (rule == "parity");
                record.demand(fits, "the reverse rule and a claim of this rule")?;
                let [own, other] = [self.stones[prover], self.stones[opponent]];
                let poison = self.board.completing(other, own);
                let pairs = self.pairs(record, kept, cells, poison)?;
                let kept = pairs.kept;
                let rest = self.empty().minus(kept).count();
                record.demand((rest % 2 == 1) == prover_moves, "one more cell in the rest, or one less")?;
                let covered = pairs.serve(lines);
                if !claim.wins {
                    let lasts = kept.count() < 2 || kept.within(poison) || claim.limit <= rest + 1;
                    let holds = covered && lasts;
                    return leaf(record, holds, "a kept cell or a pair in every line, and a limit the rest outlasts");
                }
                let loses = kept != Cells::NONE && kept.within(poison) && claim.limit > rest;
                record.demand(loses, "kept cells that lose, and a limit above the rest")?;
                // Without pairs the attacker takes the lightest cell of the rest, as in `potential`.
                let light = light(self.board.connect, lines.iter().filter(|line| !line.meets(kept)), true);
                let holds = covered || (cells.is_empty() && light);
                leaf(record, holds, "a kept cell or a pair in every line, or lines of less weight")
            }
            // The prover takes the image of every cell that the opponent takes. It completes no line with a cell and its
            // image in it, and the image of any other line has been completed by the opponent before.
            ["mirror"] => {
                let Board { rows, columns, connect, .. } = *self.board;
                let even = (rows * columns).is_multiple_of(2);
                let centre = if even { Cells::NONE } else { Cells::of([rows * columns / 2]) };
                let [x, o] = self.stones.map(|stones| stones.minus(centre));
                let fits = if claim.wins {
                    // Two cells of a block of at most 2x2 are a line of 2: a player has one stone in each block at most.
                    let blocks = rows.div_ceil(2) * columns.div_ceil(2);
                    let last = 2 * (blocks + 1).saturating_sub(self.stones[opponent].count());
                    let fits = connect == 2 && even && rows > 1 && columns > 1;
                    fits && !prover_moves && claim.limit + 1 >= last
                } else {
                    let held = if prover_moves { self.empty() } else { self.stones[prover] };
                    if even { !prover_moves } else { 2 * connect >= rows.max(columns) + 3 && centre.within(held) }
                };
                let holds = !normal && fits && self.board.image(x, 3) == o;
                leaf(record, holds, "a position and a claim of this rule")
            }
            _ => self.apply_known(record, words, lemmas),
        }
    }

    /// The rules that use what was said elsewhere: in the record, by a theorem or by a lemma.
    fn apply_known(&self, record: &Record, words: &[&str], lemmas: &Lemmas) -> Applied {
        let (board, claim, prover, opponent) = (&self.board, self.claim, self.prover(), self.opponent());
        match *words {
            // A win by forcing moves (victory by continuous fours): each move but the last makes a threat with one reply.
            ["fours", _, ..] if board.normal && claim.wins => {
                let cells = self.listed(record, &words[1..], board.cells)?;
                let plies = fours(board, self.stones[prover], self.stones[opponent], &cells);
                let holds = self.to_move == self.prover() && plies.is_some_and(|plies| plies <= claim.limit);
                leaf(record, holds, "the attacker to move, and cells with which it wins in time")
            }
            ["theorem", name] => {
                let theorem = THEOREMS.iter().find(|theorem| theorem.0 == name);
                let (_, attacker, about) = record.need(theorem, "the name of a theorem", name)?;
                let start = board.normal && self.empty() == board.cells && self.to_move == 0;
                let cannot = !claim.wins && !claim.weak && claim.attacker == *attacker;
                let holds = start && cannot && about(board);
                leaf(record, holds, "an empty board and a claim of this theorem")
            }
            // Normal: the prover has all its lines or shorter ones, the opponent no others or longer ones, and cells in no
            // line only serve to pass, which never helps. Reverse: it is the same game.
            ["use" | "last", name, symmetry] => {
                let lemma = number(name, 1, u64::MAX).and_then(|name| lemmas.get(&name));
                let (lemma, zone) = record.need(lemma, "a lemma above that is still open", name)?;
                let (last, expected) =
                    if board.is_square() { (7, "a symmetry from 0 to 7") } else { (3, "a symmetry from 0 to 3") };
                let symmetry = record.need(number(symmetry, 0, last), expected, symmetry)?;
                let about = |node: &Node| (node.claim.wins, node.claim.weak, node.claim.attacker, node.to_move);
                record.demand(about(lemma) == about(self), "a lemma with this claim, player and player to move")?;
                let (most, limit) = (lemma.claim.limit, claim.limit);
                let fits = if claim.wins { most <= limit } else { most >= limit };
                record.demand(fits, "a lemma with a limit that fits")?;
                let stones = lemma.stones.map(|stones| board.image(stones, symmetry));
                let (here, there) = (&self.lines, |player| board.live_for(player, &stones));
                let holds = if board.normal {
                    let no_less = claim.weak || contain(&there(prover), &here[prover]);
                    no_less && contain(&here[opponent], &there(opponent))
                } else {
                    let set = |lines: &[Cells]| HashSet::<Cells>::from_iter(lines.iter().copied());
                    let same_lines = (0..2).all(|player| set(&here[player]) == set(&there(player)));
                    union(&stones).count() == union(&self.stones).count() && same_lines
                };
                record.demand(holds, "a lemma about these lines")?;
                Ok(Step { zone: board.image(*zone, symmetry), ..Step::default() })
            }
            _ => self.apply_weak(record, words),
        }
    }

    /// The rules for the weak game alone.
    fn apply_weak(&self, record: &Record, words: &[&str]) -> Applied {
        let expected = "a record that fits the claim and the rule of the game";
        record.demand(self.claim.weak, expected)?;
        let cells = || self.listed(record, &words[1..], self.weak_cells());
        match *words {
            // Breaker answers one of the two cells with the other.
            ["equal", _, _] => {
                let cells = cells()?;
                let mut child = self.clone();
                let lines = &mut child.lines[self.opponent()];
                let same = cells[0] != cells[1] && lines.iter().all(|line| line.has(cells[0]) == line.has(cells[1]));
                record.demand(same, "two cells in the same lines")?;
                lines.retain(|line| !line.has(cells[0]));
                Ok(Step { zone: Cells::of(cells), other: Some(child), ..Step::default() })
            }
            // Breaker has to answer Maker at A with B, which is good for nothing else, so Maker loses nothing by taking A at
            // once.
            ["free", _, _] => {
                let cells = cells()?;
                let zone = Cells::of(cells.clone());
                let is_only_line = self.lines[self.opponent()].iter().filter(|line| line.has(cells[1])).eq([&zone]);
                let free = self.to_move != self.prover() && zone.count() == 2 && is_only_line;
                record.demand(free, "Maker to move, and a line of two cells, the second in no other line")?;
                Ok(Step { zone, other: Some(self.after(cells[0]).after(cells[1])), ..Step::default() })
            }
            ["zone", _, ..] if self.to_move != self.prover() => {
                let moves = cells()?;
                let listed = Cells::of(moves.clone());
                let fits = listed.count() == moves.len() && !listed.meets(self.completing());
                record.demand(fits, "different cells with which Maker completes no line")?;
                Ok(Step { moves, ..Step::default() })
            }
            _ => leaf(record, false, expected),
        }
    }

    /// The cells on which the player to move completes a line.
    fn completing(&self) -> Cells {
        union(self.lines[self.to_move].iter().filter(|line| line.count() == 1))
    }

    /// Cells that the record names. They have to be among the allowed ones.
    fn listed(&self, record: &Record, words: &[&str], allowed: Cells) -> Result<Vec<usize>, Rejection> {
        let expected = if allowed == self.board.cells { "a cell of the board" } else { "an empty cell in this game" };
        let cell = |word| self.board.cell(word).filter(|&cell| allowed.has(cell));
        let mut cells = Vec::with_capacity(words.len()); // to collect would allocate again and again
        for word in words {
            cells.push(record.need(cell(word), expected, word)?);
        }
        Ok(cells)
    }

    /// The lines, of the player who completes lines, that lack no more stones than this player may still place. They say
    /// nothing of a claim `wins`.
    fn in_time(&self) -> impl Iterator<Item = &Cells> {
        let completer = if self.board.normal { self.opponent() } else { self.prover() };
        let most = (self.claim.limit + usize::from(self.to_move == completer)) / 2;
        let all = !self.claim.has_limit();
        self.lines[completer].iter().filter(move |line| all || line.count() <= most)
    }

    /// The cells of the word `kept`, and the pairs of the other words. All cells are different. The opponent loses by a cell of
    /// `poison`, so it never takes one, and the prover never needs its partner.
    fn pairs(&self, record: &Record, kept: &str, pairs: &[&str], poison: Cells) -> Result<Pairs, Rejection> {
        let kept: Vec<&str> = kept.split(';').filter(|_| kept != "-").collect();
        let empty = self.empty();
        let mut listed = self.listed(record, &kept, empty)?;
        listed.extend(self.listed(record, pairs, empty)?);
        let cells = Cells::of(listed.iter().copied());
        let different = cells.count() == listed.len() && pairs.len().is_multiple_of(2);
        record.demand(different, "pairs of cells that are all different")?;
        let mut partner: Vec<usize> = (0..self.board.rows * self.board.columns).collect();
        let (kept, pairs) = listed.split_at(kept.len());
        for pair in pairs.chunks(2) {
            let [first, second] = [pair[0], pair[1]];
            partner[first] = if poison.has(second) { first } else { second };
            partner[second] = first;
        }
        Ok(Pairs { kept: Cells::of(kept.iter().copied()), cells, partner })
    }
}

/// Kept cells, and pairs of other cells.
struct Pairs {
    kept: Cells,
    cells: Cells,        // the kept ones, and those of the pairs
    partner: Vec<usize>, // by cell; a cell that the prover never takes is its own partner
}

impl Pairs {
    /// True if each of the lines contains a pair, or a cell that the prover never takes.
    fn serve<'a>(&self, lines: impl IntoIterator<Item = &'a Cells>) -> bool {
        let serves = |line: Cells| line.and(self.cells).iter().any(|cell| line.has(self.partner[cell]));
        lines.into_iter().all(|line| serves(*line))
    }
}

/// The plies in which the player to move wins with these cells. Every stone but the last threatens to complete a line, and
/// the opponent, who threatens nothing, has only one answer.
fn fours(board: &Board, own: Cells, other: Cells, cells: &[usize]) -> Option<usize> {
    let (&cell, rest) = cells.split_first()?;
    if board.completing(own, other).has(cell) {
        return rest.is_empty().then_some(1);
    }
    let (taken, own) = (own.or(other).has(cell), own.with(cell));
    let (gaps, threats) = (board.completing(own, other), board.completing(other, own));
    match gaps.count() {
        0 => None,
        _ if taken || threats != Cells::NONE => None,
        1 => Some(fours(board, own, other.or(gaps), rest)? + 2),
        _ => rest.is_empty().then_some(3),
    }
}

/// True if the sum of 2^(connect - lacking) over the lines, or twice the sum, is below 2^connect.
fn light<'a>(connect: usize, lines: impl IntoIterator<Item = &'a Cells>, twice: bool) -> bool {
    let sum: u64 = lines.into_iter().map(|line| 1 << (connect - line.count())).sum();
    sum << u32::from(twice) < 1 << connect
}

/// True if each of the lines contains one of the parts. Often it is one of them.
fn contain<'a>(lines: impl IntoIterator<Item = &'a Cells>, parts: &[Cells]) -> bool {
    let same: HashSet<&Cells> = parts.iter().collect();
    lines.into_iter().all(|line| same.contains(line) || parts.iter().any(|part| part.within(*line)))
}

/// For each cell the cells that are in all of the lines that contain it. A dead cell has no such line: it has all cells.
pub fn shared<'a>(board: &Board, lines: impl IntoIterator<Item = &'a Cells>) -> Vec<Cells> {
    let mut shared = vec![Cells::ALL; board.rows * board.columns];
    for line in lines {
        line.iter().for_each(|cell| shared[cell] = shared[cell].and(*line));
    }
    shared
}
