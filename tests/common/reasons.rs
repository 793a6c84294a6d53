//! Reasons of proofs, checked against the board without the solver.

#![allow(dead_code)]

use std::collections::HashSet;

use noughts::game::{Bounds, Cell, CellSet, Player, Position, Symmetry, Value};
use noughts::search::Reason;
use noughts::search::known_values::replies;

/// Checks the reasons for bounds: why the side to move can, or cannot, force the end, and why its opponent can or cannot. A
/// proven bound has a reason, and a bound with a reason is proven.
pub fn assert_proof_holds(position: &Position, bounds: Bounds, [attack, defence]: [&Option<Reason>; 2]) {
    let sides = [
        (position.side(), attack, bounds.at_least > Value::Draw, bounds.at_most <= Value::Draw),
        (!position.side(), defence, bounds.at_most < Value::Draw, bounds.at_least >= Value::Draw),
    ];
    for (attacker, reason, succeeds, fails) in sides {
        let context = || format!("{}: {reason:?}", position.diagram());
        assert_eq!(reason.is_some(), succeeds || fails, "proofs have reasons, others none: {}", context());
        if let Some(reason) = reason {
            check(position, attacker, reason, succeeds);
        }
    }
}

/// The lines in which `player` may yet have all cells.
fn live_lines(position: &Position, player: Player) -> Vec<CellSet> {
    let is_live = |line: &CellSet| line.iter().all(|cell| position.occupant(cell) != Some(!player));
    position.rules().lines().into_iter().filter(is_live).collect()
}

fn is_empty(position: &Position, cell: Cell) -> bool {
    position.occupant(cell).is_none()
}

/// Checks that pairs are pairs: empty cells, each in one pair only.
fn check_disjoint(position: &Position, pairs: &[(Cell, Cell)], others: &[Cell]) {
    let cells: Vec<Cell> = pairs.iter().flat_map(|&(a, b)| [a, b]).chain(others.iter().copied()).collect();
    assert!(cells.iter().all(|&cell| is_empty(position, cell)), "{}", position.diagram());
    assert_eq!(cells.iter().collect::<HashSet<_>>().len(), cells.len(), "{}", position.diagram());
}

/// The lines that contain none of the cells and none of the pairs.
fn left_over(lines: Vec<CellSet>, pairs: &[(Cell, Cell)], cells: &[Cell]) -> Vec<CellSet> {
    let is_held = |line: &CellSet| {
        pairs.iter().any(|&(a, b)| line.contains(a) && line.contains(b))
            || cells.iter().any(|&cell| line.contains(cell))
    };
    lines.into_iter().filter(|line| !is_held(line)).collect()
}

fn potential(position: &Position, lines: &[CellSet]) -> f64 {
    let missing = |line: &CellSet| line.iter().filter(|&cell| is_empty(position, cell)).count() as i32;
    lines.iter().map(|line| 0.5f64.powi(missing(line))).sum()
}

/// Checks the reason why `attacker` can, or cannot, force the end.
fn check(position: &Position, attacker: Player, reason: &Reason, succeeds: bool) {
    let context = || format!("{} {}: {attacker}: {reason:?}", position.rules(), position.diagram());
    let reverse = position.rules().reverse();
    let defender = !attacker;
    let in_question = if reverse { defender } else { attacker };
    let attacker_moves = position.side() == attacker;
    let empty = position.empty_cells();
    let lines = live_lines(position, in_question);
    match reason {
        Reason::GameOver => assert!(position.outcome().is_some(), "{}", context()),
        Reason::Search => {}
        Reason::Theorem(_) => assert!(position.stones(attacker).is_empty(), "{}", context()),
        Reason::Threats { steps, plies } => {
            assert!(succeeds && !reverse && attacker_moves, "{}", context());
            // One line of the win; the strategy as a whole is walked through in `threats.rs`.
            let mut position = *position;
            for cell in steps.iter().flat_map(|step| [Some(step.cell), step.reply]).flatten() {
                position.play(cell).unwrap_or_else(|error| panic!("{error}: {}", context()));
            }
            assert!(!position.completed_line().is_empty(), "{}", context());
            assert_eq!(2 * steps.len() - 1, usize::from(*plies), "{}", context());
        }
        Reason::OneReply => {
            assert!(!succeeds && !reverse && position.stones(attacker).is_empty(), "{}", context());
            let first_moves = Cell::all(position.rules().shape());
            assert!(
                first_moves.into_iter().all(|cell| replies(position.rules(), cell).next().is_some()),
                "{}",
                context()
            );
        }
        Reason::MirrorWin => {
            assert!(succeeds && reverse && !attacker_moves, "{}", context());
            assert_eq!((position.rules().line_length(), position.rules().cells() % 2), (Some(2), 0), "{}", context());
            let shape = position.rules().shape();
            let image = |cell| Symmetry::all(shape).nth(3).expect("a half turn").apply(cell, shape);
            let stones: Vec<Cell> = position.stones(attacker).iter().map(image).collect();
            let mirrored: HashSet<Cell> = stones.into_iter().collect();
            assert_eq!(mirrored, position.stones(defender).iter().collect(), "{}", context());
        }
        Reason::NoLine => assert!(!succeeds && lines.is_empty(), "{}", context()),
        Reason::Potential { lines_of, sum, bound } => {
            assert!(!succeeds && *lines_of == in_question, "{}", context());
            assert!((potential(position, &lines) - sum).abs() < 1e-12 && sum < bound, "{}", context());
            // Normal: the attacker's stone comes first. Reverse: the defender may be left with the last cell.
            let allowed = match reverse {
                false if attacker_moves => 0.5,
                false => 1.0,
                true if (empty % 2 == 1) != attacker_moves => 0.5,
                true => 1.0,
            };
            assert!(*bound <= allowed, "{}", context());
        }
        Reason::Pairing { lines_of, pairs, absorbed } => {
            assert!(!succeeds && *lines_of == in_question, "{}", context());
            let absorbed: Vec<Cell> = absorbed.iter().copied().collect();
            check_disjoint(position, pairs, &absorbed);
            assert_eq!(left_over(lines, pairs, &absorbed), [], "{}", context());
            // Normal: the cell that the defender takes first. Reverse: the cell that the attacker is left with.
            let may_absorb = if reverse { (empty % 2 == 1) == attacker_moves } else { !attacker_moves };
            assert!(absorbed.is_empty() || may_absorb, "{}", context());
        }
        Reason::Parity { kept, pairs } => {
            assert!(succeeds && reverse && !kept.is_empty(), "{}", context());
            check_disjoint(position, pairs, kept);
            let completes = |cell: &Cell| {
                let line = |line: &CellSet| {
                    line.contains(*cell) && line.iter().filter(|&c| is_empty(position, c)).count() == 1
                };
                lines.iter().any(line)
            };
            assert!(kept.iter().all(completes), "{}", context());
            assert_eq!((empty - kept.len()) % 2 == 1, attacker_moves, "{}", context());
            let own = left_over(live_lines(position, attacker), &[], kept);
            let held = left_over(own.clone(), pairs, &[]).is_empty();
            assert!(held || (pairs.is_empty() && potential(position, &own) < 0.5), "{}", context());
        }
        Reason::Mirror => {
            assert!(!succeeds && reverse, "{}", context());
            let size = position.rules().shape();
            let image = |cell: Cell| Cell::new(size.rows - 1 - cell.row(), size.columns - 1 - cell.column());
            for cell in Cell::all(size).filter(|&cell| image(cell) != cell) {
                let expected = position.occupant(image(cell)).map(|player| !player);
                assert_eq!(position.occupant(cell), expected, "{}", context());
            }
        }
    }
}
