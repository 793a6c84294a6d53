//! Positions and the claims about them, as they are written and as they are said. A player is 0 for X and 1 for O, so the other
//! one of `player` is `1 - player`.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::board::{Board, Cells, union};
use crate::reader::{Record, Rejection, number};

pub const NAMES: [&str; 2] = ["x", "o"];

/// The limit of a claim without a limit. No game is as long, nor what is left of it after all records above a node.
const FOREVER: usize = 1_000_000;

/// What each rule says, where P is the prover and Q the opponent.
const RULES: &str = include_str!("rules.txt");

/// A statement about a position: the attacker wins, cannot win, or cannot even win the weak game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    pub wins: bool,
    pub weak: bool,
    pub attacker: usize,
    pub limit: usize, // in plies; `FOREVER` less the plies above the node if there is none
}

impl Claim {
    /// Reads a claim about a position with so many empty cells.
    pub fn read(record: &Record, words: &[&str], empty: usize) -> Result<Self, Rejection> {
        let (name, limit) = match *words {
            ["wins" | "cannot", name, "within", limit] => (name, Some(limit)),
            ["cannot" | "weak", name] => (name, None),
            _ => return record.need(None, "a claim", &words.join(" ")),
        };
        let (wins, weak) = (words[0] == "wins", words[0] == "weak");
        let attacker = player(record, name)?;
        let read = |limit: &str| record.need(number(limit, 1, 400), "a limit from 1 to 400", limit);
        let limit = limit.map(read).transpose()?.filter(|&limit| wins || limit < empty);
        Ok(Self { wins, weak, attacker, limit: limit.unwrap_or(FOREVER) })
    }
    pub fn has_limit(self) -> bool {
        self.limit <= 400
    }
    /// The claim as a verdict says it.
    pub fn text(self) -> String {
        let cannot = if self.weak { "as Maker loses the weak game" } else { "cannot force a win" };
        let limit = if self.has_limit() { format!(" within {}", plies(self.limit)) } else { String::new() };
        format!("{} {}{limit}", NAMES[self.attacker], if self.wins { "wins" } else { cannot })
    }
}

/// Reads the name of a player.
fn player(record: &Record, name: &str) -> Result<usize, Rejection> {
    record.need(NAMES.iter().position(|&player| player == name), "x or o", name)
}

pub fn plies(number: usize) -> String {
    format!("{number} {}", if number == 1 { "ply" } else { "plies" })
}

/// A position and a claim about it.
#[derive(Clone, Debug)]
pub struct Node {
    pub board: Arc<Board>,
    pub stones: [Cells; 2],
    pub to_move: usize,
    pub claim: Claim,
    /// For each player its live lines, as the sets of their empty cells. In the weak game Breaker has none, and no line of
    /// Maker contains another one.
    pub lines: [Vec<Cells>; 2],
}

impl Node {
    /// Reads the words for a position with a claim, and the zone of a weak one.
    pub fn read(board: &Arc<Board>, record: &Record, words: &[&str]) -> Result<(Self, Cells), Rejection> {
        let (text, to_move, claim) = (words[0], words[1], &words[2..]);
        let weak = claim.first() == Some(&"weak");
        let found = board.read(text).filter(|found| weak || found[2] == Cells::NONE);
        let [x, o, zone] = record.need(found, "a board", text)?;
        let to_move = player(record, to_move)?;
        let empty = board.cells.minus(x.or(o)).count();
        record.demand(empty > 0, "an empty cell")?;
        let claim = Claim::read(record, claim, empty)?;
        let node = Self { board: board.clone(), stones: [x, o], to_move, claim, lines: board.live(&[x, o]) };
        let node = if weak { node.weak() } else { node }; // a line that Breaker has completed counts for nothing
        let completed = node.lines.concat().contains(&Cells::NONE);
        record.demand(!(completed || weak && !board.normal), "no completed line, and no weak game in reverse")?;
        Ok((node, zone))
    }

    /// The node after the player to move has taken the cell, with a limit that is one less.
    pub fn after(&self, cell: usize) -> Self {
        let (own, mut stones) = (self.to_move, self.stones);
        stones[own] = stones[own].with(cell);
        let claim = Claim { limit: self.claim.limit.saturating_sub(1), ..self.claim };
        let mut lines = [0, 1].map(|player| Vec::with_capacity(self.lines[player].len()));
        lines[1 - own].extend(self.lines[1 - own].iter().filter(|line| !line.has(cell)));
        lines[own].extend(self.lines[own].iter().filter(|line| line.has(cell)).map(|line| line.without(cell)));
        let rests = lines[own].len();
        for line in self.lines[own].iter().filter(|line| !line.has(cell)) {
            // In the weak game, a line that contains such a rest is left out.
            if !(claim.weak && lines[own][..rests].iter().any(|rest| rest.within(*line))) {
                lines[own].push(*line);
            }
        }
        Self { board: self.board.clone(), stones, to_move: 1 - own, claim, lines }
    }

    /// The weak game of the node. A line that contains another one is left out.
    pub fn weak(&self) -> Self {
        let (maker, mut node) = (self.claim.attacker, self.clone());
        let live: BTreeSet<Cells> = node.lines[maker].drain(..).collect();
        let is_least = |line: &&Cells| !live.iter().any(|part| part.within(**line) && part != *line);
        node.lines = [Vec::new(), Vec::new()];
        node.lines[maker] = live.iter().filter(is_least).copied().collect();
        node.claim.weak = true;
        node
    }

    /// The player whose strategy a proof gives.
    pub fn prover(&self) -> usize {
        if self.claim.wins { self.claim.attacker } else { 1 - self.claim.attacker }
    }

    pub fn opponent(&self) -> usize {
        1 - self.prover()
    }

    /// The cells that may be taken. In the weak game cells in no line may be taken or not.
    pub fn empty(&self) -> Cells {
        if self.claim.weak { self.board.cells } else { self.board.cells.minus(union(&self.stones)) }
    }

    /// The cells of the lines of the weak game. The real game has none.
    pub fn weak_cells(&self) -> Cells {
        if self.claim.weak { union(&self.lines[self.claim.attacker]) } else { Cells::NONE }
    }

    /// Draws the position of a record, and says what the record claims and by which rule.
    pub fn explanation(&self, record: &Record, moves: &[usize]) -> String {
        let ([x, o], claim, board) = (self.stones, self.claim, &self.board);
        let marks = if claim.weak { [(self.weak_cells(), '+'); 2] } else { [(x, 'x'), (o, 'o')] };
        let letter = |cell: usize| marks.iter().find(|(cells, _)| cells.has(cell)).map_or('.', |mark| mark.1);
        let end = |cell: usize| if (cell + 1).is_multiple_of(board.columns) { '\n' } else { ' ' };
        let rows: String = board.cells.iter().flat_map(|cell| [letter(cell), end(cell)]).collect();
        let lines = format!("Lines in the cells with +: {}", self.lines.concat().len());
        let children = format!("Children after moves to: {}", board.names(Cells::of(moves.iter().copied())));
        let about = |line: &'static str| line.strip_prefix(record.words()[0])?.strip_prefix(": ");
        let rule = RULES.lines().find_map(about).unwrap_or("There is no such rule.");
        let rule = rule.replace('P', NAMES[self.prover()]).replace('Q', NAMES[self.opponent()]);
        let text = format!("record {}: {}\n{rows}", record.number, record.text.escape_default());
        let (to_move, more) = (NAMES[self.to_move], if claim.weak { lines } else { children });
        format!("{text}{to_move} is to move. The claim: {}.\n{rule}\n{more}\n", claim.text())
    }
}
