//! The rules for nodes and leaves, in the order of the page. Each has a function with its name.

use std::collections::HashSet;

use crate::board::Board;
use crate::cells::{Cells, union};
use crate::claim::{Claim, Kind};
use crate::reader::{Record, Rejection, number};
use crate::{Lemmas, Node};

type Theorem = (&'static str, usize, fn(usize, usize) -> bool);

/// The theorems: the name, the player who cannot win, and the size and `connect` of the boards on which that holds.
pub const THEOREMS: [Theorem; 3] = [
    ("hsu", 0, |size, connect| connect == 5 && (size == 7 || size == 8)),
    ("strategy-stealing", 1, |_, _| true),
    ("zetters", 0, |_, connect| connect >= 8),
];

impl Node {
    /// The node after the player to move has taken the cell, with a limit that is one less.
    pub fn after(&self, cell: usize) -> Self {
        let mut node = self.clone();
        node.stones[self.to_move] = self.stones[self.to_move].with(cell);
        node.to_move = 1 - self.to_move;
        node.claim.limit = self.claim.limit.saturating_sub(1);
        let (with, without): (Vec<_>, Vec<_>) = self.lines.iter().partition(|line| line.has(cell));
        node.lines = without;
        if self.to_move == self.claim.attacker {
            // Maker needs the rest of the lines. Of the others, those that contain such a rest are left out.
            let rests: Vec<_> = with.into_iter().map(|line: Cells| line.minus(Cells::of(cell))).collect();
            node.lines.retain(|line| !rests.iter().any(|rest| rest.within(*line)));
            node.lines.extend(rests);
        }
        node
    }

    /// The weak game of the node. A line that contains another one is left out.
    pub fn weak(&self, board: &Board) -> Self {
        let mut live = board.live(&self.stones, self.claim.attacker);
        live.sort_by_key(|line| line.count());
        let mut lines: Vec<Cells> = Vec::new();
        for line in live {
            if !lines.iter().any(|part| part.within(line)) {
                lines.push(line);
            }
        }
        Self { lines, claim: Claim { kind: Kind::Weak, ..self.claim }, ..*self }
    }
}

/// The part that a rule leaves to be proved: nothing, if the record is a leaf.
#[derive(Default)]
pub struct Step {
    pub zone: Cells,         // the rule's own part of the zone
    pub moves: Vec<usize>,   // the moves to the children
    pub other: Option<Node>, // a child that no move leads to
}

type Applied = Result<Step, Rejection>;

/// A node as the rules see it.
struct Situation<'a> {
    board: &'a Board,
    node: &'a Node,
    record: &'a Record,
    wins: bool,
    weak: bool,
    normal: bool,
    prover: usize,
    opponent: usize,
    prover_moves: bool,
    /// Of each player, what its lines lack. In the weak game only the lines of Maker count.
    lines: [Vec<Cells>; 2],
    /// The cells that may be taken. In the weak game cells in no line may be taken or not.
    empty: Cells,
    /// The cells on which the player to move completes a line.
    completing: Cells,
}

/// The part of the claim of the node that the record with these words leaves to be proved.
pub fn apply(board: &Board, lemmas: &Lemmas, node: &Node, record: &Record, words: &[&str]) -> Applied {
    let Claim { kind, attacker, .. } = node.claim;
    let (wins, weak, normal) = (kind == Kind::Wins, kind == Kind::Weak, !board.reverse);
    let prover = node.claim.prover();
    let (opponent, prover_moves) = (1 - prover, node.to_move == prover);
    let mut lines = [0, 1].map(|player| if weak { Vec::new() } else { board.live(&node.stones, player) });
    lines[attacker].extend(&node.lines);
    let empty = if weak { board.cells } else { board.cells.minus(union(&node.stones)) };
    let completing = union(lines[node.to_move].iter().filter(|line| line.count() == 1));
    let here =
        Situation { board, node, record, wins, weak, normal, prover, opponent, prover_moves, lines, empty, completing };
    let rest = &words[1..];
    match (words[0], rest) {
        ("move", [_]) => here.rule_move(rest),
        ("all", _) if !weak => here.rule_all(rest),
        ("weak", []) => here.rule_weak(),
        ("none", []) => here.rule_none(),
        ("potential", []) => here.rule_potential(),
        ("pairs", [_, ..]) => here.rule_pairs(rest),
        ("survive", [_, ..]) => here.rule_survive(rest),
        ("parity", [_, ..]) => here.rule_parity(rest),
        ("mirror", []) => here.rule_mirror(),
        ("fours", [_, ..]) if normal && wins => here.rule_fours(rest),
        ("theorem", [name]) => here.rule_theorem(name),
        ("use" | "last", [lemma, symmetry]) => here.rule_use(lemmas, lemma, symmetry),
        ("equal", [_, _]) if weak => here.rule_equal(rest),
        ("free", [_, _]) if weak => here.rule_free(rest),
        ("zone", [_, ..]) if weak && !prover_moves => here.rule_zone(rest),
        _ => here.leaf(false, "a record that fits the claim and the rule of the game"),
    }
}

impl Situation<'_> {
    fn demand(&self, holds: bool, expected: &str) -> Result<(), Rejection> {
        self.record.demand(holds, expected)
    }

    /// Nothing is left to be proved if the rule holds. All cells are a zone.
    fn leaf(&self, holds: bool, expected: &str) -> Applied {
        self.demand(holds, expected).map(|()| Step { zone: Cells::ALL, ..Step::default() })
    }

    /// Cells that the record names. They have to be among the allowed ones.
    fn listed(&self, words: &[&str], allowed: Cells) -> Result<Vec<usize>, Rejection> {
        let expected = if allowed == self.board.cells { "a cell of the board" } else { "an empty cell in this game" };
        let cell = |word| self.board.cell(word).filter(|&cell| allowed.has(cell));
        words.iter().map(|word| self.record.need(cell(word), expected, word)).collect()
    }

    /// The lines, of the player who completes lines, that lack no more stones than this player may still place. They say
    /// nothing of a claim `wins`.
    fn in_time(&self) -> impl Iterator<Item = &Cells> {
        let completer = if self.normal { self.opponent } else { self.prover };
        let most = (self.node.claim.limit + usize::from(self.node.to_move == completer)) / 2;
        self.lines[completer].iter().filter(move |line| line.count() <= most)
    }

    fn rule_move(&self, cell: &[&str]) -> Applied {
        let moves = self.listed(cell, self.empty)?;
        let may_move = self.prover_moves && self.node.claim.limit > 0;
        self.demand(may_move, "the prover to move, and a limit of at least 1")?;
        let (completes, full) = (self.completing.has(moves[0]), self.empty.count() == 1 && !self.weak);
        self.demand(!completes || self.normal, "a move that completes no line")?;
        self.demand(completes || !full || !self.wins, "a move that does not end in a draw")?;
        let zone = Cells::of(moves[0]);
        Ok(Step { zone, moves: if completes || full { Vec::new() } else { moves }, other: None })
    }

    fn rule_all(&self, fours: &[&str]) -> Applied {
        let Self { board, node, wins, normal, empty, completing, ref lines, .. } = *self;
        let may_move = !self.prover_moves && node.claim.limit > 0;
        self.demand(may_move, "the opponent to move, and a limit of at least 1")?;
        let fits = fours.is_empty() || (normal && fours.len() > 1 && fours[0] == "fours");
        self.demand(fits, "`all`, or `all fours` with cells under the normal rule")?;
        let fours = self.listed(fours.get(1..).unwrap_or_default(), board.cells)?;
        let is_safe = !normal || completing == Cells::NONE;
        self.demand(is_safe, "no cell on which the opponent completes a line")?;
        let last = empty.count() == 1 && completing == Cells::NONE;
        self.demand(!last || !wins, "a position in which the opponent cannot reach a draw")?;
        let shared = shared(lines.iter().flatten());
        let needs_child = |&cell: &usize| {
            // Dead: this pass is no better than another move, for a stone more never hurts. Equal: the cells can be
            // exchanged without a change of the game.
            let dead = normal && shared[cell] == Cells::ALL && lines.iter().flatten().next().is_some();
            let equal = |other: usize| shared[cell].has(other) && shared[other].has(cell);
            let settled =
                completing.has(cell) || last || dead || empty.iter().take_while(|&other| other < cell).any(equal);
            let plies = || board.fours(node.after(cell).stones, self.prover, &fours);
            !settled && plies().is_none_or(|plies| wins && plies >= node.claim.limit)
        };
        Ok(Step { moves: empty.iter().filter(needs_child).collect(), ..Step::default() })
    }

    fn rule_weak(&self) -> Applied {
        let fits = self.normal && !self.wins && !self.weak && !self.node.claim.has_limit();
        self.demand(fits, "the normal rule and `cannot`, no limit")?;
        Ok(Step { other: Some(self.node.weak(self.board)), ..Step::default() })
    }

    fn rule_none(&self) -> Applied {
        self.leaf(!self.wins && self.in_time().next().is_none(), "`cannot` or `weak`, and no line in time")
    }

    /// Normal: the defender takes the heaviest cell, and the sum never grows to the weight of a completed line. Reverse: it
    /// takes the lightest cell, and only the last stone of the board can make the sum grow.
    fn rule_potential(&self) -> Applied {
        if self.normal {
            let holds = !self.wins && self.board.light(self.in_time(), !self.prover_moves);
            return self.leaf(holds, "`cannot` or `weak`, and lighter lines");
        }
        let twice = self.empty.count().is_multiple_of(2) != self.prover_moves;
        let holds = !self.wins && self.board.light(self.lines[self.prover].iter(), twice);
        self.leaf(holds, "`cannot`, and lines of less weight")
    }

    /// The defender takes the first cell and then one cell of every pair, so it gets one of every line.
    fn rule_pairs(&self, words: &[&str]) -> Applied {
        let (first, pairs) = self.kept_and_pairs(words)?;
        let fits = self.normal && !self.wins && first.count() <= usize::from(self.prover_moves);
        self.demand(fits, "the normal rule, and one first cell at most, if the defender is to move")?;
        self.demand(self.in_time().all(|line| covers(line, first, &pairs)), "a pair in every line")?;
        Ok(Step { zone: union(&pairs).or(first), ..Step::default() })
    }

    /// The prover never takes a kept cell, and takes one cell of every pair. With one kept cell at most, the game ends before
    /// the prover would have to take one.
    fn rule_survive(&self, words: &[&str]) -> Applied {
        let (kept, pairs, rest) = self.rest_and_pairs(false, words)?;
        let covered = self.lines[self.prover].iter().all(|line| covers(line, kept, &pairs));
        let outlasts = kept.count() < 2 || self.node.claim.limit <= rest + 1;
        self.leaf(covered && outlasts, "a kept cell or a pair in every line, and a limit the rest outlasts")
    }

    /// As in `survive`. When the rest is full, the opponent is to move and has to take a kept cell.
    fn rule_parity(&self, words: &[&str]) -> Applied {
        let (kept, pairs, rest) = self.rest_and_pairs(true, words)?;
        let poison = self.board.completing(&self.node.stones, self.opponent);
        let loses = kept != Cells::NONE && kept.within(poison);
        self.demand(loses && self.node.claim.limit > rest, "kept cells that lose, and a limit above the rest")?;
        let lines = &self.lines[self.prover];
        let covered = lines.iter().all(|line| covers(line, kept, &pairs));
        // Without pairs the attacker takes the lightest cell of the rest, as in `potential`.
        let light = pairs.is_empty() && self.board.light(lines.iter().filter(|line| !line.meets(kept)), true);
        self.leaf(covered || light, "a kept cell or a pair in every line, or lines of less weight")
    }

    /// For `survive` and `parity`: the kept cells, the pairs, and the number of empty cells that are not kept.
    fn rest_and_pairs(&self, wins: bool, words: &[&str]) -> Result<(Cells, Vec<Cells>, usize), Rejection> {
        self.demand(!self.normal && self.wins == wins, "the reverse rule and a claim of this rule")?;
        let (kept, pairs) = self.kept_and_pairs(words)?;
        let rest = self.empty.minus(kept).count();
        self.demand((rest % 2 == 1) == self.prover_moves, "one more cell in the rest, or one less")?;
        Ok((kept, pairs, rest))
    }

    /// The cells of the first word and the pairs of the others, all different.
    fn kept_and_pairs(&self, words: &[&str]) -> Result<(Cells, Vec<Cells>), Rejection> {
        let kept: Vec<&str> = words[0].split(';').filter(|_| words[0] != "-").collect();
        let cells = self.listed(&[&kept, &words[1..]].concat(), self.empty)?;
        let all: Cells = cells.iter().copied().collect();
        let different = all.count() == cells.len() && words.len() % 2 == 1;
        self.demand(different, "pairs of cells that are all different")?;
        let (kept, pairs) = cells.split_at(kept.len());
        Ok((kept.iter().copied().collect(), pairs.chunks(2).map(|pair| pair.iter().copied().collect()).collect()))
    }

    /// The prover takes the image of every cell that the opponent takes. It completes no line with a cell and its image in
    /// it, and the image of any other line has been completed by the opponent before.
    fn rule_mirror(&self) -> Applied {
        let Self { board: &Board { size, connect, .. }, node, prover_moves, .. } = *self;
        let even = size.is_multiple_of(2);
        let centre = if even { Cells::NONE } else { Cells::of(size * size / 2) };
        let [x, o] = node.stones.map(|stones| stones.minus(centre));
        let fits = if self.wins {
            // Two cells of a 2x2 block are a line of 2: a player has one stone in each block at most.
            let last = 2 * (size * size / 4 + 1).saturating_sub(node.stones[self.opponent].count());
            connect == 2 && even && !prover_moves && node.claim.limit + 1 >= last
        } else {
            let held = if prover_moves { self.empty } else { node.stones[self.prover] };
            if even { !prover_moves } else { 2 * connect >= size + 3 && centre.within(held) }
        };
        self.leaf(!self.normal && fits && self.board.image(x, 3) == o, "a position and a claim of this rule")
    }

    /// A win by forcing moves (victory by continuous fours): each move but the last makes a threat that has one reply.
    fn rule_fours(&self, words: &[&str]) -> Applied {
        let cells = self.listed(words, self.board.cells)?;
        let plies = self.board.fours(self.node.stones, self.prover, &cells);
        let holds = self.prover_moves && plies.is_some_and(|plies| plies <= self.node.claim.limit);
        self.leaf(holds, "the attacker to move, and cells with which it wins in time")
    }

    fn rule_theorem(&self, name: &str) -> Applied {
        let theorem = THEOREMS.iter().find(|theorem| theorem.0 == name);
        let (_, attacker, about) = self.record.need(theorem, "the name of a theorem", name)?;
        let start = self.normal && self.empty == self.board.cells && self.node.to_move == 0;
        let cannot = !self.wins && !self.weak && self.opponent == *attacker;
        let holds = start && cannot && about(self.board.size, self.board.connect);
        self.leaf(holds, "an empty board and a claim of this theorem")
    }

    /// For `use` and `last`. Normal: the prover has all its lines or shorter ones, the opponent no others or longer ones, and
    /// cells in no line only serve to pass, which never helps. Reverse: it is the same game.
    fn rule_use(&self, lemmas: &Lemmas, name: &str, symmetry: &str) -> Applied {
        let Self { board, node, record, ref lines, prover, opponent, .. } = *self;
        let lemma = number(name, 1, u64::MAX).and_then(|name| lemmas.get(&name));
        let (lemma, zone) = record.need(lemma, "a lemma above that is still open", name)?;
        let symmetry = record.need(number(symmetry, 0, 7), "a symmetry from 0 to 7", symmetry)?;
        let about = |node: &Node| (node.claim.kind, node.claim.attacker, node.to_move);
        self.demand(about(lemma) == about(node), "a lemma with this claim, player and player to move")?;
        let (most, limit) = (lemma.claim.limit, node.claim.limit);
        self.demand(if self.wins { most <= limit } else { most >= limit }, "a lemma with a limit that fits")?;
        let there = lemma.stones.map(|stones| board.image(stones, symmetry));
        let theirs = |player| board.live(&there, player);
        let holds = if self.normal {
            let no_less = self.weak || contain(&theirs(prover), &lines[prover]);
            no_less && contain(&lines[opponent], &theirs(opponent))
        } else {
            let same_lines = (0..2).all(|player| set(&lines[player]) == set(&theirs(player)));
            union(&there).count() == union(&node.stones).count() && same_lines
        };
        self.demand(holds, "a lemma about these lines")?;
        Ok(Step { zone: board.image(*zone, symmetry), ..Step::default() })
    }

    /// Breaker answers one of the two cells with the other.
    fn rule_equal(&self, words: &[&str]) -> Applied {
        let lines = &self.node.lines;
        let cells = self.listed(words, union(lines))?;
        let same = cells[0] != cells[1] && lines.iter().all(|line| line.has(cells[0]) == line.has(cells[1]));
        self.demand(same, "two cells in the same lines")?;
        let lines = lines.iter().copied().filter(|line| !line.has(cells[0])).collect();
        Ok(Step { zone: cells.into_iter().collect(), other: Some(Node { lines, ..*self.node }), ..Step::default() })
    }

    /// Breaker has to answer Maker at A with B, which is good for nothing else, so Maker loses nothing by taking A at once.
    fn rule_free(&self, words: &[&str]) -> Applied {
        let cells = self.listed(words, union(&self.node.lines))?;
        let zone: Cells = cells.iter().copied().collect();
        let is_only_line = self.node.lines.iter().filter(|line| line.has(cells[1])).eq([&zone]);
        let free = !self.prover_moves && zone.count() == 2 && is_only_line;
        self.demand(free, "Maker to move, and a line of two cells, the second in no other line")?;
        Ok(Step { zone, other: Some(self.node.after(cells[0]).after(cells[1])), ..Step::default() })
    }

    fn rule_zone(&self, words: &[&str]) -> Applied {
        let moves = self.listed(words, union(&self.node.lines))?;
        let listed: Cells = moves.iter().copied().collect();
        let fits = listed.count() == moves.len() && !listed.meets(self.completing);
        self.demand(fits, "different cells with which Maker completes no line")?;
        Ok(Step { moves, ..Step::default() })
    }
}

impl Board {
    /// The plies in which the player, who is to move, wins with these cells. Every stone but the last threatens to complete
    /// a line, and the opponent, who threatens nothing, has only one answer.
    fn fours(&self, mut stones: [Cells; 2], player: usize, cells: &[usize]) -> Option<usize> {
        for (index, &cell) in cells.iter().enumerate() {
            let (plies, is_last) = (2 * index + 1, index + 1 == cells.len());
            let taken = union(&stones).has(cell);
            if self.completing(&stones, player).has(cell) {
                return is_last.then_some(plies);
            }
            stones[player] = stones[player].with(cell);
            let threats = self.completing(&stones, 1 - player);
            let gaps = self.completing(&stones, player);
            match gaps.count() {
                _ if taken || threats != Cells::NONE => return None,
                1 => stones[1 - player] = stones[1 - player].or(gaps),
                0 => return None,
                _ => return is_last.then_some(plies + 2),
            }
        }
        None
    }

    /// True if the sum of 2^(connect - lacking) over the lines, or twice the sum, is below 2^connect.
    fn light<'a>(&self, lines: impl Iterator<Item = &'a Cells>, twice: bool) -> bool {
        let sum: u64 = lines.map(|line| 1 << (self.connect - line.count())).sum();
        sum << u32::from(twice) < 1 << self.connect
    }
}

/// True if the line contains one of the cells or both cells of a pair.
fn covers(line: &Cells, cells: Cells, pairs: &[Cells]) -> bool {
    line.meets(cells) || pairs.iter().any(|pair| pair.within(*line))
}

/// True if each of the lines contains one of the parts. Often it is one of them.
fn contain(lines: &[Cells], parts: &[Cells]) -> bool {
    let same = set(parts);
    lines.iter().all(|line| same.contains(line) || parts.iter().any(|part| part.within(*line)))
}

fn set(lines: &[Cells]) -> HashSet<&Cells> {
    lines.iter().collect()
}

/// For each cell the cells that are in all of the lines that contain it. A dead cell has no such line: it has all cells.
pub fn shared<'a>(lines: impl IntoIterator<Item = &'a Cells>) -> Vec<Cells> {
    let mut shared = vec![Cells::ALL; 400];
    for line in lines {
        line.iter().for_each(|cell| shared[cell] = shared[cell].and(*line));
    }
    shared
}
