//! What a record says, in words, for `--show`.

use std::io::Read;

use crate::board::NAMES;
use crate::cells::Cells;
use crate::reader::Record;
use crate::{Checker, Kind, Node, report};

impl<const W: usize, R: Read> Checker<'_, W, R> {
    /// Draws the position of the record that is asked for, and explains the record. `more` says what else is known.
    pub fn show(&mut self, node: &Node<W>, record: &Record, letters: [(Cells<W>, char); 2], more: &str) {
        let mut rows = String::new();
        for cell in 0..self.board.size * self.board.size {
            let letter = letters.iter().find(|(cells, _)| cells.has(cell)).map_or('.', |&(_, letter)| letter);
            rows.extend([letter, if (cell + 1) % self.board.size == 0 { '\n' } else { ' ' }]);
        }
        let (claim, to_move) = (report::sentence(node.claim), NAMES[node.position.to_move]);
        let prover = if node.claim.kind == Kind::Wins { node.claim.attacker } else { 1 - node.claim.attacker };
        let what = rule(&record.text).replace('P', NAMES[prover]).replace('Q', NAMES[1 - prover]);
        let text = format!("record {}: {}", record.number, record.text.escape_default());
        *self.shown = Some(format!("{text}\n{rows}{to_move} is to move. The claim: {claim}.\n{what}\n{more}\n"));
    }
}

/// What a rule says in a sentence or two. P is the prover, Q the opponent.
fn rule(text: &str) -> &'static str {
    match text.split(' ').next().unwrap_or_default() {
        "move" => "P plays this cell.",
        "all" => "Q may play any cell. Moves without a child end the game, are dead or equal, or P answers by fours.",
        "weak" => "P even wins the weak game, which follows.",
        "none" => "No line can be completed in time.",
        "potential" => "The lines weigh so little that P can always take a cell that keeps the sum low.",
        "pairs" => "P takes the first cell, if there is one, and then the partner of every cell that Q takes.",
        "survive" | "parity" => "P leaves out the kept cells, which stand first, and answers inside the pairs.",
        "mirror" => "P takes the image through the centre of every cell that Q takes.",
        "fours" => "P takes these cells, and each but the last leaves Q one answer.",
        "theorem" => "A published theorem says so.",
        "use" | "last" => "The lemma says so, placed here by the symmetry.",
        "equal" => {
            "The cells are in the same lines, so P answers one with the other. A child follows without the lines."
        }
        "free" => "Q may take the first cell at once, and P has to take the second. A child follows after both.",
        "zone" => "A child follows for each of these moves of Q. All others are excluded or dominated.",
        _ => "There is no such rule.",
    }
}
