//! The rules for nodes and leaves, in the order of the page.

use std::collections::HashSet;
use std::io::Read;

use crate::board::Board;
use crate::cells::{Cells, union};
use crate::reader::{Fault, Record, number};
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

impl<R: Read> Checker<'_, R> {
    /// Checks the next record and all below it, which have to prove the claim of the node. Gives the zone of a weak claim.
    pub fn prove(&mut self, node: &Node) -> Result<Cells, Fault> {
        let record = self.reader.record()?;
        let found = self.apply(node, &record);
        let first = self.nodes.map_or(record.number, |(first, _)| first.min(record.number));
        *self.nodes = Some((first, record.number));
        if self.options.show == Some(record.number) {
            let moves = found.as_ref().map_or(&[][..], |(_, moves, _)| moves);
            *self.shown = Some(report::explanation(&self.board, node, &record, moves));
        }
        let (mut zone, moves, other) = found?;
        let mut common = Cells::ALL;
        for child in moves.into_iter().map(|cell| node.after(cell)).chain(other) {
            let found = self.prove(&child)?;
            (zone, common) = (zone.or(found), common.and(found));
        }
        let (cells, words) = (union(&node.lines), record.words());
        if words[0] == "zone" {
            // A move outside of the zone after another move loses like that one. A move to a cell is no better than one to
            // another cell that is in all lines of the first. That cell belongs to the zone then.
            let listed: Cells = self.cells(&record, &words[1..], cells)?.into_iter().collect();
            let (settled, shared) = (listed.or(cells.minus(common)), shared(&node.lines));
            for cell in cells.minus(settled).iter() {
                let better = shared[cell].and(settled).iter().next();
                let name = self.board.names(Cells::of(cell));
                zone = zone.with(record.need(better, "every other cell to be excluded or dominated", &name)?);
            }
        }
        Ok(zone.and(cells)) // Cells in no line of the weak game do not matter, and the real game has no zones.
    }

    /// Applies a rule. Gives its own part of the zone, the moves to the children, and a child that no move leads to.
    fn apply(&mut self, node: &Node, record: &Record) -> Result<(Cells, Vec<usize>, Option<Node>), Fault> {
        let (board, stones, attacker, limit) = (&self.board, &node.stones, node.claim.attacker, node.claim.limit);
        let (wins, weak, normal) = (node.claim.kind == Kind::Wins, node.claim.kind == Kind::Weak, !board.reverse);
        let (defender, attacker_moves) = (1 - attacker, node.to_move == attacker);
        let (prover, opponent) = if wins { (attacker, defender) } else { (defender, attacker) };
        let prover_moves = node.to_move == prover;
        // In the weak game only the lines of Maker count, and cells in no line may be taken or not.
        let of = |player| if weak { Vec::new() } else { board.live(stones, player) };
        let mut lines = [of(0), of(1)];
        lines[attacker].extend(&node.lines);
        let empty = if weak { board.cells } else { board.cells.minus(union(stones)) };
        let completing = union(lines[node.to_move].iter().filter(|line| line.count() == 1));
        // The lines, of the player who completes lines, that lack no more stones than this player may still place.
        let completer = if normal { attacker } else { defender };
        let most = limit.map_or(400, |limit| (limit + usize::from(node.to_move == completer)) / 2);
        let mut in_time = lines[completer].iter().filter(|line| line.count() <= most);
        let leaf = |holds, expected: &str| record.demand(holds, expected).map(|()| (Cells::NONE, Vec::new(), None));
        let words = record.words();
        match (words[0], &words[1..]) {
            ("move", [cell]) => {
                let cell = self.cells(record, &[cell], empty)?[0];
                record.demand(prover_moves && limit != Some(0), "the prover to move, and a limit of at least 1")?;
                let (completes, full) = (completing.has(cell), empty.count() == 1 && !weak);
                record.demand(!completes || normal, "a move that completes no line")?;
                record.demand(completes || !full || !wins, "a move that does not end in a draw")?;
                Ok((Cells::of(cell), if completes || full { Vec::new() } else { vec![cell] }, None))
            }
            ("all", fours) if !weak => {
                record.demand(!prover_moves && limit != Some(0), "the opponent to move, and a limit of at least 1")?;
                let fits = fours.is_empty() || (normal && fours.len() > 1 && fours[0] == "fours");
                record.demand(fits, "`all`, or `all fours` with cells under the normal rule")?;
                let fours = self.cells(record, fours.get(1..).unwrap_or_default(), board.cells)?;
                record
                    .demand(!normal || completing == Cells::NONE, "no cell on which the opponent completes a line")?;
                let last = empty.count() == 1 && completing == Cells::NONE;
                record.demand(!last || !wins, "a position in which the opponent cannot reach a draw")?;
                let shared = shared(lines.iter().flatten());
                let needs_child = |&cell: &usize| {
                    // Dead: this pass is no better than another move, for a stone more never hurts. Equal: the cells can be
                    // exchanged without a change of the game.
                    let dead = normal && shared[cell] == Cells::ALL && lines.iter().flatten().next().is_some();
                    let equal = |other: usize| shared[cell].has(other) && shared[other].has(cell);
                    if completing.has(cell) || last || dead || empty.iter().take_while(|&other| other < cell).any(equal)
                    {
                        return false;
                    }
                    let plies = self.fours(node.after(cell).stones, prover, &fours);
                    plies.is_none_or(|plies| wins && limit.is_none_or(|limit| plies >= limit))
                };
                Ok((Cells::NONE, empty.iter().filter(needs_child).collect(), None))
            }
            ("weak", []) => {
                record.demand(normal && !wins && !weak && limit.is_none(), "the normal rule and `cannot`, no limit")?;
                Ok((Cells::NONE, Vec::new(), Some(node.weak(board))))
            }
            ("none", []) => leaf(!wins && in_time.next().is_none(), "`cannot` or `weak`, and no line in time"),
            // Normal: the defender takes the heaviest cell, and the sum never grows to the weight of a completed line.
            // Reverse: it takes the lightest cell, and only the last stone of the board can make the sum grow.
            ("potential", []) if normal => {
                record.demand(!wins && self.light(in_time, attacker_moves), "`cannot` or `weak`, and lighter lines")?;
                Ok((union(&node.lines), Vec::new(), None))
            }
            ("potential", []) => {
                let light = self.light(lines[defender].iter(), (empty.count() % 2 == 0) == attacker_moves);
                leaf(!wins && light, "`cannot`, and lines of less weight")
            }
            // The defender takes the first cell and then one cell of every pair, so it gets one of every line.
            ("pairs", [first, pairs @ ..]) => {
                let (first, pairs) = self.pairs(record, first, pairs, empty)?;
                let fits = normal && !wins && first.count() <= usize::from(prover_moves);
                record.demand(fits, "the normal rule, and one first cell at most, if the defender is to move")?;
                record.demand(in_time.all(|line| covers(line, first, &pairs)), "a pair in every line")?;
                Ok((union(&pairs).or(first), Vec::new(), None))
            }
            // The prover never takes a kept cell, and takes one cell of every pair. When the rest is full, the opponent
            // is to move and has to take a kept cell.
            (rule @ ("survive" | "parity"), [kept, pairs @ ..]) => {
                record.demand(!normal && wins == (rule == "parity"), "the reverse rule and a claim of this rule")?;
                let (kept, pairs) = self.pairs(record, kept, pairs, empty)?;
                let rest = empty.minus(kept).count();
                record.demand((rest % 2 == 1) == prover_moves, "one more cell in the rest, or one less")?;
                let covered = lines[prover].iter().all(|line| covers(line, kept, &pairs));
                if !wins {
                    // With one kept cell at most, the game ends before the defender would have to take one.
                    let fits = kept.count() < 2 || limit.is_some_and(|limit| limit <= rest + 1);
                    return leaf(covered && fits, "a kept cell or a pair in every line, and a limit the rest outlasts");
                }
                let poison = kept != Cells::NONE && kept.within(board.completing(stones, defender));
                record.demand(poison && limit > Some(rest), "kept cells that lose, and a limit above the rest")?;
                // Without pairs the attacker takes the lightest cell of the rest, as in `potential`.
                let safe = pairs.is_empty() && self.light(lines[prover].iter().filter(|line| !line.meets(kept)), true);
                leaf(covered || safe, "a kept cell or a pair in every line, or lines of less weight")
            }
            // The prover takes the image of every cell that the opponent takes. It completes no line with a cell and its
            // image in it, and the image of any other line has been completed by the opponent before.
            ("mirror", []) => {
                let (size, even) = (board.size, board.size % 2 == 0);
                let centre = if even { Cells::NONE } else { Cells::of(size * size / 2) };
                let [x, o] = stones.map(|stones| stones.minus(centre));
                let held = if prover_moves { empty } else { stones[defender] };
                // Two cells of a 2x2 block are a line of 2: a player has one stone in each block at most.
                let last = 2 * (size * size / 4 + 1).saturating_sub(stones[defender].count());
                let fits = match (wins, even) {
                    (true, _) => board.connect == 2 && even && !attacker_moves && limit.is_some_and(|l| l + 1 >= last),
                    (false, true) => attacker_moves,
                    (false, false) => 2 * board.connect >= size + 3 && centre.within(held),
                };
                leaf(!normal && fits && board.image(x, 3) == o, "a position and a claim of this rule")
            }
            ("fours", cells @ [_, ..]) if normal && wins => {
                let plies = self.fours(*stones, attacker, &self.cells(record, cells, board.cells)?);
                let holds = attacker_moves && plies.is_some() && plies <= limit;
                leaf(holds, "the attacker to move, and cells with which it wins in time")
            }
            ("theorem", [name]) => {
                let hypotheses = match *name {
                    "strategy-stealing" => attacker == 1,
                    "zetters" => attacker == 0 && board.connect >= 8,
                    "hsu" => attacker == 0 && board.connect == 5 && (board.size == 7 || board.size == 8),
                    _ => return record.need(None, "the name of a theorem", name),
                };
                let start = normal && !wins && !weak && node.to_move == 0 && empty == board.cells;
                record.demand(hypotheses && start, "an empty board and a claim of this theorem")?;
                let allowed = !self.options.no_theorems || *name == "strategy-stealing";
                self.report.theorems.insert(name.to_string());
                leaf(allowed, "a proof without this theorem")
            }
            // Normal: the prover has all its lines or shorter ones, the opponent no others or longer ones, and cells in no
            // line only serve to pass, which never helps. Reverse: it is the same game.
            ("use" | "last", [name, symmetry]) => {
                let key = number(name, 1, u64::MAX).unwrap_or(0);
                let Lemma(lemma, zone) =
                    record.need(self.lemmas.get(&key), "a lemma above that is still open", name)?;
                let symmetry = record.need(number(symmetry, 0, 7), "a symmetry from 0 to 7", symmetry)?;
                let about = |node: &Node| (node.claim.kind, node.claim.attacker, node.to_move);
                record.demand(about(lemma) == about(node), "a lemma with this claim, player and player to move")?;
                let most = lemma.claim.limit;
                let fits = if wins { most <= limit } else { most.is_none_or(|m| limit.is_some_and(|l| l <= m)) };
                record.demand(fits, "a lemma with a limit that fits")?;
                let there = lemma.stones.map(|stones| board.image(stones, symmetry));
                let theirs = |player| if weak && player != attacker { Vec::new() } else { board.live(&there, player) };
                let holds = if normal {
                    contain(&lines[opponent], &theirs(opponent)) && contain(&theirs(prover), &lines[prover])
                } else {
                    union(&there).count() == union(stones).count() && (0..2).all(|p| set(&lines[p]) == set(&theirs(p)))
                };
                let zone = board.image(*zone, symmetry);
                if words[0] == "last" {
                    self.lemmas.remove(&key);
                }
                record.demand(holds, "a lemma about these lines").map(|()| (zone, Vec::new(), None))
            }
            // Breaker answers one of the two cells with the other. Or it has to answer Maker at A with B, which is good for
            // nothing else, so Maker loses nothing by taking A at once.
            (rule @ ("equal" | "free"), [_, _]) if weak => {
                let (cells, shared) = (self.cells(record, &words[1..], union(&node.lines))?, shared(&node.lines));
                let (a, b) = (cells[0], cells[1]);
                let pair = Cells::of(a).with(b);
                if rule == "equal" {
                    record.demand(a != b && shared[a].has(b) && shared[b].has(a), "two cells in the same lines")?;
                    let lines = node.lines.iter().copied().filter(|line| !line.has(a)).collect();
                    return Ok((pair, Vec::new(), Some(Node { lines, ..*node })));
                }
                let free = attacker_moves && a != b && node.lines.contains(&pair) && shared[b] == pair;
                record.demand(free, "Maker to move, and a line of two cells, the second in no other line")?;
                Ok((pair, Vec::new(), Some(node.after(a).after(b))))
            }
            ("zone", words @ [_, ..]) if weak && attacker_moves => {
                let cells = self.cells(record, words, union(&node.lines))?;
                let listed: Cells = cells.iter().copied().collect();
                let fits = listed.count() == cells.len() && !listed.meets(completing);
                record.demand(fits, "different cells with which Maker completes no line")?;
                Ok((Cells::NONE, cells, None))
            }
            _ => record.need(None, "a record that fits the claim and the rule of the game", &record.text),
        }
    }

    /// The plies in which the player, who is to move, wins with these cells. Every stone but the last threatens to complete
    /// a line, and the opponent, who threatens nothing, has only one answer.
    fn fours(&self, mut stones: [Cells; 2], player: usize, cells: &[usize]) -> Option<usize> {
        for (index, &cell) in cells.iter().enumerate() {
            let (plies, is_last) = (2 * index + 1, index + 1 == cells.len());
            let empty = self.board.cells.minus(union(&stones));
            if self.board.completing(&stones, player).has(cell) {
                return is_last.then_some(plies);
            }
            stones[player] = stones[player].with(cell);
            let threats = self.board.completing(&stones, 1 - player);
            let gaps = self.board.completing(&stones, player);
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
    fn cells(&self, record: &Record, words: &[&str], allowed: Cells) -> Result<Vec<usize>, Fault> {
        let expected = if allowed == self.board.cells { "a cell of the board" } else { "an empty cell in this game" };
        let cell = |word| record.need(self.board.cell(word).filter(|&cell| allowed.has(cell)), expected, word);
        words.iter().map(|word| cell(word)).collect()
    }

    /// The cells that stand before pairs, and the pairs: all different and among the allowed cells.
    fn pairs(
        &self,
        record: &Record,
        first: &str,
        pairs: &[&str],
        allowed: Cells,
    ) -> Result<(Cells, Vec<Cells>), Fault> {
        let first = if first == "-" { Vec::new() } else { first.split(';').collect() };
        let cells = self.cells(record, &[&first, pairs].concat(), allowed)?;
        let different =
            cells.iter().copied().collect::<Cells>().count() == cells.len() && pairs.len().is_multiple_of(2);
        record.demand(different, "pairs of cells that are all different")?;
        let (first, pairs) = cells.split_at(first.len());
        Ok((first.iter().copied().collect(), pairs.chunks(2).map(|pair| pair.iter().copied().collect()).collect()))
    }

    /// True if the sum of 2^(connect - lacking) over the lines, or twice the sum, is below 2^connect.
    fn light<'a>(&self, lines: impl Iterator<Item = &'a Cells>, twice: bool) -> bool {
        let sum: u64 = lines.map(|line| 1 << (self.board.connect - line.count())).sum();
        sum << u32::from(twice) < 1 << self.board.connect
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
