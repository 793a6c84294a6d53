//! The header of a file: the game, the position and the claims, and what the reader expects them to be.

use std::io::Read;

use crate::board::{Board, NAMES};
use crate::cells::Cells;
use crate::reader::{Reader, Record, Rejection, number};
use crate::{Claim, Kind, Node};

/// What the reader expects a file to be about. A file about something else is refused.
#[derive(Clone, Default)]
pub struct Expected {
    game: Option<String>,     // the record
    position: Option<String>, // the record
    claims: Vec<Record>,
}

impl Expected {
    /// What `--game`, `--position` and `--claim` say, each in the words that follow this word in a header. The position
    /// may also be `startpos`, the empty board with X to move.
    ///
    /// # Errors
    /// When no header can say this. A position or a claim needs a game.
    pub fn new(game: Option<&str>, position: Option<&str>, claims: &[String]) -> Result<Self, String> {
        let record = |words: String| Record { number: 0, text: words };
        let Some(game) = game.map(|game| record(format!("game {game}"))) else {
            let alone = position.is_none() && claims.is_empty();
            return if alone { Ok(Self::default()) } else { Err("--position and --claim need --game".into()) };
        };
        let wrong = |option: &'static str| {
            move |rejection| match rejection {
                Rejection::Wrong(_, expected, found) => format!("{option}: expected {expected}, found {found}"),
                Rejection::Unreadable(error) => error.to_string(),
            }
        };
        let board = Board::of_record(&game).map_err(wrong("--game"))?;
        let empty = format!("{} x", vec![board.size.to_string(); board.size].join("/"));
        let position = position.map(|text| if text == "startpos" { &empty } else { text });
        let start = record(format!("position {}", position.unwrap_or(&empty)));
        let node = board.start(&start).map_err(wrong("--position"))?;
        let claims: Vec<Record> = claims.iter().map(|claim| record(format!("claim {claim}"))).collect();
        claims.iter().try_for_each(|claim| board.header_claim(claim, &node).map(drop)).map_err(wrong("--claim"))?;
        Ok(Self { game: Some(game.text), position: position.map(|_| start.text), claims })
    }
}

/// A record of the header that the reader has named.
fn demand_named(record: &Record, option: &str, named: Option<&String>) -> Result<(), Rejection> {
    let fits = named.is_none_or(|named| *named == record.text);
    record.demand(fits, &format!("{} as in {option}", named.map_or("", |named| named)))
}

/// The records of a header.
pub struct Header {
    pub board: Board,
    pub start: Node,
    pub claims: Vec<Claim>,
    /// Which game and position this is.
    pub subject: String,
}

impl Header {
    /// Reads the records, and the one that follows them. The lines of those that are right are put behind `lines`.
    pub fn read<R: Read>(
        reader: &mut Reader<R>,
        expected: &Expected,
        lines: &mut String,
    ) -> Result<(Self, Record), Rejection> {
        let mut keep = |record: &Record| lines.extend([&record.text, "\n"]);
        let record = reader.record()?;
        let board = Board::of_record(&record)?;
        demand_named(&record, "--game", expected.game.as_ref())?;
        keep(&record);
        let record = reader.record()?;
        let start = board.start(&record)?;
        demand_named(&record, "--position", expected.position.as_ref())?;
        keep(&record);
        let place = match record.words()[1] {
            _ if start.stones == [Cells::NONE; 2] => "empty board".into(),
            text => format!("board {text}"),
        };
        let (size, rule) = (board.size, if board.reverse { "reverse" } else { "normal" });
        let to_move = NAMES[start.to_move];
        let subject = format!("{size}x{size}, {} in a row, {rule} rule, {place}, {to_move} to move", board.connect);
        let mut claims = Vec::new();
        let mut record = reader.record()?;
        while record.words()[0] == "claim" {
            let claim = board.header_claim(&record, &start)?;
            record.demand(!claims.contains(&claim), "a new claim")?;
            claims.push(claim);
            keep(&record);
            record = reader.record()?;
        }
        record.demand(!claims.is_empty(), "a claim")?;
        for named in &expected.claims {
            let found = board.header_claim(named, &start).is_ok_and(|claim| claims.contains(&claim));
            record.demand(found, &format!("{} as in --claim", named.text))?;
        }
        Ok((Self { board, start, claims, subject }, record))
    }
}

impl Board {
    /// The board of the record `game`.
    fn of_record(record: &Record) -> Result<Self, Rejection> {
        let game = match record.words()[..] {
            ["game", size, connect, rule @ ("normal" | "reverse")] => {
                let size = number(size, 1, 20);
                size.and_then(|size| Some(Self::new(size, number(connect, 1, size)?, rule == "reverse")))
            }
            _ => None,
        };
        record.need(game, "\"game SIZE CONNECT normal|reverse\"", &record.text)
    }

    /// The position of the record `position`. The claim of the node means nothing.
    fn start(&self, record: &Record) -> Result<Node, Rejection> {
        let (start, _) = match record.words()[..] {
            // No line is completed, which the claim does not say, so any claim does here.
            ["position", board, to_move] => self.node(record, board, to_move, &["cannot", "x"])?,
            _ => return record.need(None, "\"position BOARD x|o\"", &record.text),
        };
        let [own, other] = [start.to_move, 1 - start.to_move].map(|player| start.stones[player].count());
        record.demand(other == own || other == own + 1, "numbers of stones that fit the player to move")?;
        Ok(start)
    }

    /// The claim of a record `claim`.
    fn header_claim(&self, record: &Record, start: &Node) -> Result<Claim, Rejection> {
        let claim = self.claim(record, &record.words()[1..], &start.stones)?;
        record.demand(claim.kind != Kind::Weak, "a claim, `wins` or `cannot`")?;
        Ok(claim)
    }

    /// A position of the file with a claim, and the zone of a weak one.
    pub fn node(&self, record: &Record, text: &str, to_move: &str, claim: &[&str]) -> Result<(Node, Cells), Rejection> {
        let weak = claim.first() == Some(&"weak");
        let board = self.read(text).filter(|found| weak || found[2] == Cells::NONE);
        let [x, o, zone] = record.need(board, "a board", text)?;
        let to_move = record.need(NAMES.iter().position(|&name| name == to_move), "x or o", to_move)?;
        let stones = [x, o];
        record.demand(x.or(o) != self.cells, "an empty cell")?;
        let claim = self.claim(record, claim, &stones)?;
        // In the weak game the lines of Breaker count for nothing.
        let line = |player| self.live(&stones, player).contains(&Cells::NONE);
        let line = (0..2).any(|player| (!weak || player == claim.attacker) && line(player));
        record.demand(!(line || weak && self.reverse), "no completed line, and no weak game in reverse")?;
        let node = Node { stones, to_move, claim, lines: Vec::new() };
        Ok((if weak { node.weak(self) } else { node }, zone))
    }

    fn claim(&self, record: &Record, words: &[&str], stones: &[Cells; 2]) -> Result<Claim, Rejection> {
        let (kind, player, limit) = match *words {
            ["wins", player, "within", limit] => (Kind::Wins, player, Some(limit)),
            ["cannot", player] => (Kind::Cannot, player, None),
            ["cannot", player, "within", limit] => (Kind::Cannot, player, Some(limit)),
            ["weak", player] => (Kind::Weak, player, None),
            _ => return record.need(None, "a claim", &words.join(" ")),
        };
        let attacker = record.need(NAMES.iter().position(|&name| name == player), "x or o", player)?;
        let read = |limit: &str| record.need(number(limit, 1, 400), "a limit from 1 to 400", limit);
        let empty = self.cells.count() - stones[0].or(stones[1]).count();
        let limit = limit.map(read).transpose()?.filter(|&limit| kind == Kind::Wins || limit < empty);
        Ok(Claim { kind, attacker, limit })
    }
}
