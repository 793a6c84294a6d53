//! The explanation of a record.

use crate::Node;
use crate::board::Board;
use crate::cells::union;
use crate::claim::{Kind, NAMES};
use crate::reader::Record;

/// Draws the position of a record, and says what the record claims and by which rule.
pub fn explanation(board: &Board, node: &Node, record: &Record, moves: &[usize]) -> String {
    let weak = node.claim.kind == Kind::Weak;
    let [x, o] = node.stones;
    let marks = if weak { [(union(&node.lines), '+'); 2] } else { [(x, 'x'), (o, 'o')] };
    let letter = |cell: usize| marks.iter().find(|(cells, _)| cells.has(cell)).map_or('.', |mark| mark.1);
    let end = |cell: usize| if (cell + 1).is_multiple_of(board.size) { '\n' } else { ' ' };
    let rows: String = board.cells.iter().flat_map(|cell| [letter(cell), end(cell)]).collect();
    let more = if weak {
        format!("Lines in the cells with +: {}", node.lines.len())
    } else {
        format!("Children after moves to: {}", board.names(moves.iter().copied().collect()))
    };
    let rule = match record.words()[0] {
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
        "equal" => "The cells are in the same lines: P answers one with the other. A child follows without the lines.",
        "free" => "Q may take the first cell at once, and P has to take the second. A child follows after both.",
        "zone" => "A child follows for each of these moves of Q. All others are excluded or dominated.",
        _ => "There is no such rule.",
    };
    let prover = node.claim.prover();
    let (rule, claim) = (rule.replace('P', NAMES[prover]).replace('Q', NAMES[1 - prover]), node.claim);
    let text = format!("record {}: {}\n{rows}", record.number, record.text.escape_default());
    format!("{text}{} is to move. The claim: {claim}.\n{rule}\n{more}\n", NAMES[node.to_move])
}
