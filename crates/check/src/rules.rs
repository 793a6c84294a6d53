//! The rules for nodes and leaves, in the order of the page.

use std::collections::HashSet;
use std::io::Read;

use crate::board::Board;
use crate::cells::{Cells, union};
use crate::reader::{Record, Rejection, number};
use crate::{Checker, Claim, Kind, Lemma, Node, report};

impl Node {
    /// The node after the player to move has taken the cell, with a limit that is one less.
    fn after(&self, cell: usize) -> Self {
        let mut node = self.clone();
        node.stones[self.to_move] = self.stones[self.to_move].with(cell);
        node.to_move = 1 - self.to_move;
        node.claim.limit = self.claim.limit.map(|limit| limit.saturating_sub(1));
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

/// What a rule leaves to be proved.
struct Step {
    /// The rule's own part of the zone.
    zone: Cells,
    /// The moves to the children.
    moves: Vec<usize>,
    /// A child that no move leads to.
    other: Option<Node>,
}

impl Step {
    /// Nothing: the record is a leaf.
    fn leaf(zone: Cells) -> Step {
        Step { zone, moves: Vec::new(), other: None }
    }

    /// A leaf without a zone, if the rule holds.
    fn leaf_if(record: &Record, holds: bool, expected: &str) -> Applied {
        record.demand(holds, expected).map(|()| Step::leaf(Cells::NONE))
    }

    fn child(zone: Cells, child: Node) -> Step {
        Step { zone, moves: Vec::new(), other: Some(child) }
    }
}

type Applied = Result<Step, Rejection>;

impl<R: Read> Checker<'_, R> {
    /// Checks the next record and all below it, which have to prove the claim of the node. Gives the zone of a weak claim.
    pub fn prove(&mut self, node: &Node) -> Result<Cells, Rejection> {
        let record = self.reader.record()?;
        let found = self.apply(node, &record);
        let first = self.nodes.map_or(record.number, |(first, _)| first.min(record.number));
        *self.nodes = Some((first, record.number));
        if self.options.show == Some(record.number) {
            let moves = found.as_ref().map_or(&[][..], |step| &step.moves);
            *self.shown = Some(report::explanation(&self.board, node, &record, moves));
        }
        let Step { mut zone, moves, other } = found?;
        let mut common = Cells::ALL;
        for child in moves.into_iter().map(|cell| node.after(cell)).chain(other) {
            let found = self.prove(&child)?;
            (zone, common) = (zone.or(found), common.and(found));
        }
        let (cells, words) = (union(&node.lines), record.words());
        if words[0] == "zone" {
            // A move outside of the zone after another move loses like that one. A move to a cell is no better than one to
            // another cell that is in all lines of the first. That cell belongs to the zone then.
            let listed: Cells = self.board.listed(&record, &words[1..], cells)?.into_iter().collect();
            let (settled, shared) = (listed.or(cells.minus(common)), shared(&node.lines));
            for cell in cells.minus(settled).iter() {
                let better = shared[cell].and(settled).iter().next();
                let name = self.board.names(Cells::of(cell));
                zone = zone.with(record.need(better, "every other cell to be excluded or dominated", &name)?);
            }
        }
        Ok(zone.and(cells)) // Cells in no line of the weak game do not matter, and the real game has no zones.
    }

    fn apply(&mut self, node: &Node, record: &Record) -> Applied {
        let situation = Situation::new(&self.board, node);
        let Situation { wins, weak, normal, attacker_moves, .. } = situation;
        let words = record.words();
        match (words[0], &words[1..]) {
            ("move", [cell]) => situation.rule_move(record, cell),
            ("all", fours) if !weak => situation.rule_all(record, fours),
            ("weak", []) => situation.rule_weak(record),
            ("none", []) => situation.rule_none(record),
            ("potential", []) => situation.rule_potential(record),
            ("pairs", [first, pairs @ ..]) => situation.rule_pairs(record, first, pairs),
            ("survive", [kept, pairs @ ..]) => situation.rule_survive(record, kept, pairs),
            ("parity", [kept, pairs @ ..]) => situation.rule_parity(record, kept, pairs),
            ("mirror", []) => situation.rule_mirror(record),
            ("fours", cells @ [_, ..]) if normal && wins => situation.rule_fours(record, cells),
            ("theorem", [name]) => {
                let allowed = !self.options.no_theorems || *name == "strategy-stealing";
                let applied = situation.rule_theorem(record, name, allowed)?;
                self.report.theorems.insert(name.to_string());
                Ok(applied)
            }
            ("use" | "last", [name, symmetry]) => {
                let key = number(name, 1, u64::MAX).unwrap_or(0);
                let lemma = record.need(self.lemmas.get(&key), "a lemma above that is still open", name)?;
                let applied = situation.rule_use(record, lemma, symmetry);
                if words[0] == "last" {
                    self.lemmas.remove(&key);
                }
                applied
            }
            ("equal", [a, b]) if weak => situation.rule_equal(record, [a, b]),
            ("free", [a, b]) if weak => situation.rule_free(record, [a, b]),
            ("zone", cells @ [_, ..]) if weak && attacker_moves => situation.rule_zone(record, cells),
            _ => record.need(None, "a record that fits the claim and the rule of the game", &record.text),
        }
    }
}

/// A node as the rules see it. Each rule has a function with its name on the page.
struct Situation<'a> {
    board: &'a Board,
    node: &'a Node,
    wins: bool,
    weak: bool,
    normal: bool,
    attacker: usize,
    defender: usize,
    prover: usize,
    opponent: usize,
    attacker_moves: bool,
    prover_moves: bool,
    /// Of each player, what its lines lack. In the weak game only the lines of Maker count.
    lines: [Vec<Cells>; 2],
    /// The cells that may be taken. In the weak game cells in no line may be taken or not.
    empty: Cells,
    /// The cells on which the player to move completes a line.
    completing: Cells,
}

impl Situation<'_> {
    fn new<'a>(board: &'a Board, node: &'a Node) -> Situation<'a> {
        let attacker = node.claim.attacker;
        let (wins, weak, normal) = (node.claim.kind == Kind::Wins, node.claim.kind == Kind::Weak, !board.reverse);
        let (defender, attacker_moves) = (1 - attacker, node.to_move == attacker);
        let (prover, opponent) = if wins { (attacker, defender) } else { (defender, attacker) };
        let prover_moves = node.to_move == prover;
        let of = |player| if weak { Vec::new() } else { board.live(&node.stones, player) };
        let mut lines = [of(0), of(1)];
        lines[attacker].extend(&node.lines);
        let empty = if weak { board.cells } else { board.cells.minus(union(&node.stones)) };
        let completing = union(lines[node.to_move].iter().filter(|line| line.count() == 1));
        Situation {
            board,
            node,
            wins,
            weak,
            normal,
            attacker,
            defender,
            prover,
            opponent,
            attacker_moves,
            prover_moves,
            lines,
            empty,
            completing,
        }
    }

    /// The lines, of the player who completes lines, that lack no more stones than this player may still place.
    fn in_time(&self) -> impl Iterator<Item = &Cells> {
        let completer = if self.normal { self.attacker } else { self.defender };
        let moves_first = usize::from(self.node.to_move == completer);
        let most = self.node.claim.limit.map_or(400, |limit| (limit + moves_first) / 2);
        self.lines[completer].iter().filter(move |line| line.count() <= most)
    }

    fn may_move(&self) -> bool {
        self.node.claim.limit != Some(0)
    }

    fn rule_move(&self, record: &Record, cell: &str) -> Applied {
        let cell = self.board.listed(record, &[cell], self.empty)?[0];
        let may_move = self.prover_moves && self.may_move();
        record.demand(may_move, "the prover to move, and a limit of at least 1")?;
        let (completes, full) = (self.completing.has(cell), self.empty.count() == 1 && !self.weak);
        record.demand(!completes || self.normal, "a move that completes no line")?;
        record.demand(completes || !full || !self.wins, "a move that does not end in a draw")?;
        let moves = if completes || full { Vec::new() } else { vec![cell] };
        Ok(Step { zone: Cells::of(cell), moves, other: None })
    }

    fn rule_all(&self, record: &Record, fours: &[&str]) -> Applied {
        let Situation { wins, normal, empty, completing, ref lines, .. } = *self;
        let may_move = !self.prover_moves && self.may_move();
        record.demand(may_move, "the opponent to move, and a limit of at least 1")?;
        let fits = fours.is_empty() || (normal && fours.len() > 1 && fours[0] == "fours");
        record.demand(fits, "`all`, or `all fours` with cells under the normal rule")?;
        let fours = self.board.listed(record, fours.get(1..).unwrap_or_default(), self.board.cells)?;
        let is_safe = !normal || completing == Cells::NONE;
        record.demand(is_safe, "no cell on which the opponent completes a line")?;
        let last = empty.count() == 1 && completing == Cells::NONE;
        record.demand(!last || !wins, "a position in which the opponent cannot reach a draw")?;
        let shared = shared(lines.iter().flatten());
        let needs_child = |&cell: &usize| {
            // Dead: this pass is no better than another move, for a stone more never hurts. Equal: the cells can be
            // exchanged without a change of the game.
            let dead = normal && shared[cell] == Cells::ALL && lines.iter().flatten().next().is_some();
            let equal = |other: usize| shared[cell].has(other) && shared[other].has(cell);
            if completing.has(cell) || last || dead || empty.iter().take_while(|&other| other < cell).any(equal) {
                return false;
            }
            let plies = self.board.fours(self.node.after(cell).stones, self.prover, &fours);
            plies.is_none_or(|plies| wins && self.node.claim.limit.is_none_or(|limit| plies >= limit))
        };
        Ok(Step { zone: Cells::NONE, moves: empty.iter().filter(needs_child).collect(), other: None })
    }

    fn rule_weak(&self, record: &Record) -> Applied {
        let fits = self.normal && !self.wins && !self.weak && self.node.claim.limit.is_none();
        record.demand(fits, "the normal rule and `cannot`, no limit")?;
        Ok(Step::child(Cells::NONE, self.node.weak(self.board)))
    }

    fn rule_none(&self, record: &Record) -> Applied {
        let holds = !self.wins && self.in_time().next().is_none();
        Step::leaf_if(record, holds, "`cannot` or `weak`, and no line in time")
    }

    /// Normal: the defender takes the heaviest cell, and the sum never grows to the weight of a completed line. Reverse: it
    /// takes the lightest cell, and only the last stone of the board can make the sum grow.
    fn rule_potential(&self, record: &Record) -> Applied {
        if self.normal {
            let holds = !self.wins && self.board.light(self.in_time(), self.attacker_moves);
            record.demand(holds, "`cannot` or `weak`, and lighter lines")?;
            return Ok(Step::leaf(union(&self.node.lines)));
        }
        let twice = self.empty.count().is_multiple_of(2) == self.attacker_moves;
        let holds = !self.wins && self.board.light(self.lines[self.defender].iter(), twice);
        Step::leaf_if(record, holds, "`cannot`, and lines of less weight")
    }

    /// The defender takes the first cell and then one cell of every pair, so it gets one of every line.
    fn rule_pairs(&self, record: &Record, first: &str, pairs: &[&str]) -> Applied {
        let (first, pairs) = self.board.pairs(record, first, pairs, self.empty)?;
        let fits = self.normal && !self.wins && first.count() <= usize::from(self.prover_moves);
        record.demand(fits, "the normal rule, and one first cell at most, if the defender is to move")?;
        record.demand(self.in_time().all(|line| covers(line, first, &pairs)), "a pair in every line")?;
        Ok(Step::leaf(union(&pairs).or(first)))
    }

    /// The prover never takes a kept cell, and takes one cell of every pair. With one kept cell at most, the game ends before
    /// the prover would have to take one.
    fn rule_survive(&self, record: &Record, kept: &str, pairs: &[&str]) -> Applied {
        record.demand(!self.normal && !self.wins, "the reverse rule and a claim of this rule")?;
        let (kept, rest, covered, _) = self.kept_and_pairs(record, kept, pairs)?;
        let outlasts = kept.count() < 2 || self.node.claim.limit.is_some_and(|limit| limit <= rest + 1);
        let expected = "a kept cell or a pair in every line, and a limit the rest outlasts";
        Step::leaf_if(record, covered && outlasts, expected)
    }

    /// As in `survive`. When the rest is full, the opponent is to move and has to take a kept cell.
    fn rule_parity(&self, record: &Record, kept: &str, pairs: &[&str]) -> Applied {
        record.demand(!self.normal && self.wins, "the reverse rule and a claim of this rule")?;
        let (kept, rest, covered, pairs) = self.kept_and_pairs(record, kept, pairs)?;
        let completing = self.board.completing(&self.node.stones, self.defender);
        let poison = kept != Cells::NONE && kept.within(completing);
        let above = self.node.claim.limit > Some(rest);
        record.demand(poison && above, "kept cells that lose, and a limit above the rest")?;
        // Without pairs the attacker takes the lightest cell of the rest, as in `potential`.
        let mut others = self.lines[self.prover].iter().filter(|line| !line.meets(kept));
        let safe = pairs.is_empty() && self.board.light(&mut others, true);
        Step::leaf_if(record, covered || safe, "a kept cell or a pair in every line, or lines of less weight")
    }

    /// The kept cells; the empty cells beside them; whether a kept cell or a pair is in every line of the prover; the pairs.
    fn kept_and_pairs(
        &self,
        record: &Record,
        kept: &str,
        pairs: &[&str],
    ) -> Result<(Cells, usize, bool, Vec<Cells>), Rejection> {
        let (kept, pairs) = self.board.pairs(record, kept, pairs, self.empty)?;
        let rest = self.empty.minus(kept).count();
        record.demand((rest % 2 == 1) == self.prover_moves, "one more cell in the rest, or one less")?;
        let covered = self.lines[self.prover].iter().all(|line| covers(line, kept, &pairs));
        Ok((kept, rest, covered, pairs))
    }

    /// The prover takes the image of every cell that the opponent takes. It completes no line with a cell and its image in
    /// it, and the image of any other line has been completed by the opponent before.
    fn rule_mirror(&self, record: &Record) -> Applied {
        let (size, connect, even) = (self.board.size, self.board.connect, self.board.size.is_multiple_of(2));
        let stones = &self.node.stones;
        let centre = if even { Cells::NONE } else { Cells::of(size * size / 2) };
        let [x, o] = stones.map(|stones| stones.minus(centre));
        let held = if self.prover_moves { self.empty } else { stones[self.defender] };
        // Two cells of a 2x2 block are a line of 2: a player has one stone in each block at most.
        let last = 2 * (size * size / 4 + 1).saturating_sub(stones[self.defender].count());
        let lasts = self.node.claim.limit.is_some_and(|limit| limit + 1 >= last);
        let fits = match (self.wins, even) {
            (true, _) => connect == 2 && even && !self.attacker_moves && lasts,
            (false, true) => self.attacker_moves,
            (false, false) => 2 * connect >= size + 3 && centre.within(held),
        };
        let holds = !self.normal && fits && self.board.image(x, 3) == o;
        Step::leaf_if(record, holds, "a position and a claim of this rule")
    }

    fn rule_fours(&self, record: &Record, cells: &[&str]) -> Applied {
        let cells = self.board.listed(record, cells, self.board.cells)?;
        let plies = self.board.fours(self.node.stones, self.attacker, &cells);
        let holds = self.attacker_moves && plies.is_some() && plies <= self.node.claim.limit;
        Step::leaf_if(record, holds, "the attacker to move, and cells with which it wins in time")
    }

    fn rule_theorem(&self, record: &Record, name: &str, allowed: bool) -> Applied {
        let Board { size, connect, cells, .. } = *self.board;
        let hypotheses = match name {
            "strategy-stealing" => self.attacker == 1,
            "zetters" => self.attacker == 0 && connect >= 8,
            "hsu" => self.attacker == 0 && connect == 5 && (size == 7 || size == 8),
            _ => return record.need(None, "the name of a theorem", name),
        };
        let start = self.normal && !self.wins && !self.weak && self.node.to_move == 0 && self.empty == cells;
        record.demand(hypotheses && start, "an empty board and a claim of this theorem")?;
        Step::leaf_if(record, allowed, "a proof without this theorem")
    }

    /// For `use` and `last`. Normal: the prover has all its lines or shorter ones, the opponent no others or longer ones, and
    /// cells in no line only serve to pass, which never helps. Reverse: it is the same game.
    fn rule_use(&self, record: &Record, Lemma(lemma, zone): &Lemma, symmetry: &str) -> Applied {
        let Situation { board, node, ref lines, prover, opponent, .. } = *self;
        let symmetry = record.need(number(symmetry, 0, 7), "a symmetry from 0 to 7", symmetry)?;
        let about = |node: &Node| (node.claim.kind, node.claim.attacker, node.to_move);
        record.demand(about(lemma) == about(node), "a lemma with this claim, player and player to move")?;
        let (most, limit) = (lemma.claim.limit, node.claim.limit);
        let fits = if self.wins { most <= limit } else { most.is_none_or(|m| limit.is_some_and(|l| l <= m)) };
        record.demand(fits, "a lemma with a limit that fits")?;
        let there = lemma.stones.map(|stones| board.image(stones, symmetry));
        let is_of_no_use = |player| self.weak && player != self.attacker;
        let theirs = |player| if is_of_no_use(player) { Vec::new() } else { board.live(&there, player) };
        let holds = if self.normal {
            contain(&lines[opponent], &theirs(opponent)) && contain(&theirs(prover), &lines[prover])
        } else {
            let same_lines = (0..2).all(|player| set(&lines[player]) == set(&theirs(player)));
            union(&there).count() == union(&node.stones).count() && same_lines
        };
        record.demand(holds, "a lemma about these lines")?;
        Ok(Step::leaf(board.image(*zone, symmetry)))
    }

    /// Breaker answers one of the two cells with the other.
    fn rule_equal(&self, record: &Record, cells: [&str; 2]) -> Applied {
        let (a, b, shared) = self.two_cells(record, cells)?;
        record.demand(a != b && shared[a].has(b) && shared[b].has(a), "two cells in the same lines")?;
        let lines = self.node.lines.iter().copied().filter(|line| !line.has(a)).collect();
        Ok(Step::child(Cells::of(a).with(b), Node { lines, ..*self.node }))
    }

    /// Breaker has to answer Maker at A with B, which is good for nothing else, so Maker loses nothing by taking A at once.
    fn rule_free(&self, record: &Record, cells: [&str; 2]) -> Applied {
        let (a, b, shared) = self.two_cells(record, cells)?;
        let pair = Cells::of(a).with(b);
        let free = self.attacker_moves && a != b && self.node.lines.contains(&pair) && shared[b] == pair;
        record.demand(free, "Maker to move, and a line of two cells, the second in no other line")?;
        Ok(Step::child(pair, self.node.after(a).after(b)))
    }

    /// Two cells of the weak game, and for each cell those that share its lines.
    fn two_cells(&self, record: &Record, cells: [&str; 2]) -> Result<(usize, usize, Vec<Cells>), Rejection> {
        let cells = self.board.listed(record, &cells, union(&self.node.lines))?;
        Ok((cells[0], cells[1], shared(&self.node.lines)))
    }

    fn rule_zone(&self, record: &Record, words: &[&str]) -> Applied {
        let moves = self.board.listed(record, words, union(&self.node.lines))?;
        let listed: Cells = moves.iter().copied().collect();
        let fits = listed.count() == moves.len() && !listed.meets(self.completing);
        record.demand(fits, "different cells with which Maker completes no line")?;
        Ok(Step { zone: Cells::NONE, moves, other: None })
    }
}

impl Board {
    /// The plies in which the player, who is to move, wins with these cells. Every stone but the last threatens to complete
    /// a line, and the opponent, who threatens nothing, has only one answer.
    fn fours(&self, mut stones: [Cells; 2], player: usize, cells: &[usize]) -> Option<usize> {
        for (index, &cell) in cells.iter().enumerate() {
            let (plies, is_last) = (2 * index + 1, index + 1 == cells.len());
            let empty = self.cells.minus(union(&stones));
            if self.completing(&stones, player).has(cell) {
                return is_last.then_some(plies);
            }
            stones[player] = stones[player].with(cell);
            let threats = self.completing(&stones, 1 - player);
            let gaps = self.completing(&stones, player);
            match gaps.count() {
                _ if !empty.has(cell) || threats != Cells::NONE => return None,
                1 => stones[1 - player] = stones[1 - player].or(gaps),
                0 => return None,
                _ => return is_last.then_some(plies + 2),
            }
        }
        None
    }

    /// Cells that the record names. They have to be among the allowed ones.
    fn listed(&self, record: &Record, words: &[&str], allowed: Cells) -> Result<Vec<usize>, Rejection> {
        let expected = if allowed == self.cells { "a cell of the board" } else { "an empty cell in this game" };
        let cell = |word| record.need(self.cell(word).filter(|&cell| allowed.has(cell)), expected, word);
        words.iter().map(|word| cell(word)).collect()
    }

    /// The cells that stand before pairs, and the pairs: all different and among the allowed cells.
    fn pairs(
        &self,
        record: &Record,
        first: &str,
        pairs: &[&str],
        allowed: Cells,
    ) -> Result<(Cells, Vec<Cells>), Rejection> {
        let first = if first == "-" { Vec::new() } else { first.split(';').collect() };
        let cells = self.listed(record, &[&first, pairs].concat(), allowed)?;
        let different =
            cells.iter().copied().collect::<Cells>().count() == cells.len() && pairs.len().is_multiple_of(2);
        record.demand(different, "pairs of cells that are all different")?;
        let (first, pairs) = cells.split_at(first.len());
        Ok((first.iter().copied().collect(), pairs.chunks(2).map(|pair| pair.iter().copied().collect()).collect()))
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
fn shared<'a>(lines: impl IntoIterator<Item = &'a Cells>) -> Vec<Cells> {
    let mut shared = vec![Cells::ALL; 400];
    for line in lines {
        line.iter().for_each(|cell| shared[cell] = shared[cell].and(*line));
    }
    shared
}
