//! The header of a file: the game, the position and the claims, and what the reader expects them to be.

use crate::Node;
use crate::board::Board;
use crate::cells::{Cells, union};
use crate::claim::{Claim, Kind, NAMES, player};
use crate::reader::{Reader, Record, Rejection, number};

/// The game, the position and the claims that the reader expects. A file about something else is refused.
#[derive(Clone, Default)]
pub struct Expected {
    game: Option<Record>,
    position: Option<Record>,
    claims: Vec<Record>,
}

impl Expected {
    /// Reads `--game`, `--position` and `--claim`, each in the words that follow this word in a header. The position
    /// may also be `startpos`, the empty board with X to move.
    ///
    /// # Errors
    /// When no header can have such values. A position or a claim needs a game.
    pub fn new(game: Option<&str>, position: Option<&str>, claims: &[String]) -> Result<Self, String> {
        let record = |word: &str, words: &str| Record { number: 0, text: format!("{word} {words}") };
        let Some(game) = game.map(|game| record("game", game)) else {
            let alone = position.is_none() && claims.is_empty();
            return if alone { Ok(Self::default()) } else { Err("--position and --claim need --game".into()) };
        };
        let board = Board::of_record(&game).map_err(|wrong| format!("--game: {wrong}"))?;
        let empty = format!("{} x", vec![board.size.to_string(); board.size].join("/"));
        let of_position = |text| record("position", if text == "startpos" { &empty } else { text });
        let start = board.start(&of_position(position.unwrap_or("startpos")));
        let start = start.map_err(|wrong| format!("--position: {wrong}"))?;
        let claims: Vec<Record> = claims.iter().map(|claim| record("claim", claim)).collect();
        let are_claims = claims.iter().try_for_each(|claim| board.claim(claim, &start).map(drop));
        are_claims.map_err(|wrong| format!("--claim: {wrong}"))?;
        Ok(Self { game: Some(game), position: position.map(of_position), claims })
    }
}

/// The records of a header.
pub struct Header {
    pub board: Board,
    pub start: Node, // its claim means nothing
    pub claims: Vec<Claim>,
    pub subject: String, // which game and position this is
}

impl Header {
    /// Reads the records. The lines of those that are right are put behind `lines`.
    pub fn read(reader: &mut Reader, expected: &Expected, lines: &mut String) -> Result<Self, Rejection> {
        let mut keep = |record: &Record, named: Option<&Record>, option: &str| {
            let named = named.unwrap_or(record);
            record.demand(named.text == record.text, &format!("{} as in {option}", named.text))?;
            lines.extend([&record.text, "\n"]);
            Ok(())
        };
        let game = reader.record()?;
        let board = Board::of_record(&game)?;
        keep(&game, expected.game.as_ref(), "--game")?;
        let position = reader.record()?;
        let start = board.start(&position)?;
        keep(&position, expected.position.as_ref(), "--position")?;
        let (game, text) = (game.words(), position.words()[1]);
        let place = if start.stones == [Cells::NONE; 2] { "empty board" } else { &format!("board {text}") };
        let to_move = NAMES[start.to_move];
        let subject = format!("{0}x{0}, {1} in a row, {2} rule, {place}, {to_move} to move", game[1], game[2], game[3]);
        let (mut claims, mut record) = (Vec::new(), reader.record()?);
        while record.words()[0] == "claim" {
            let claim = board.claim(&record, &start)?;
            record.demand(!claims.contains(&claim), "a new claim")?;
            claims.push(claim);
            keep(&record, None, "")?;
            record = reader.record()?;
        }
        record.demand(!claims.is_empty(), "a claim")?;
        for named in &expected.claims {
            let found = board.claim(named, &start).is_ok_and(|claim| claims.contains(&claim));
            record.demand(found, &format!("{} as in --claim", named.text))?;
        }
        reader.ahead = Some(record);
        Ok(Self { board, start, claims, subject })
    }
}

impl Board {
    /// The board of the record `game`.
    fn of_record(record: &Record) -> Result<Self, Rejection> {
        let game = match record.words()[..] {
            ["game", size, connect, rule @ ("normal" | "reverse")] => {
                number(size, 1, 20).and_then(|size| Some(Self::new(size, number(connect, 1, size)?, rule == "reverse")))
            }
            _ => None,
        };
        record.need(game, "\"game SIZE CONNECT normal|reverse\"", &record.text)
    }

    /// The position of the record `position`.
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
    fn claim(&self, record: &Record, start: &Node) -> Result<Claim, Rejection> {
        let empty = self.cells.minus(union(&start.stones)).count();
        let claim = Claim::read(record, &record.words()[1..], empty)?;
        record.demand(claim.kind != Kind::Weak, "a claim, `wins` or `cannot`")?;
        Ok(claim)
    }

    /// A position of the file with a claim, and the zone of a weak one.
    pub fn node(&self, record: &Record, text: &str, to_move: &str, claim: &[&str]) -> Result<(Node, Cells), Rejection> {
        let weak = claim.first() == Some(&"weak");
        let board = self.read(text).filter(|found| weak || found[2] == Cells::NONE);
        let [x, o, zone] = record.need(board, "a board", text)?;
        let to_move = player(record, to_move)?;
        let (stones, empty) = ([x, o], self.cells.minus(x.or(o)).count());
        record.demand(empty > 0, "an empty cell")?;
        let claim = Claim::read(record, claim, empty)?;
        // In the weak game the lines of Breaker count for nothing.
        let line = |player| self.live(&stones, player).contains(&Cells::NONE);
        let line = (0..2).any(|player| (!weak || player == claim.attacker) && line(player));
        record.demand(!(line || weak && self.reverse), "no completed line, and no weak game in reverse")?;
        let node = Node { stones, to_move, claim, lines: Vec::new() };
        Ok((if weak { node.weak(self) } else { node }, zone))
    }
}
