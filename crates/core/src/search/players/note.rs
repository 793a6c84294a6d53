//! Notes of a search: when there is one on an empty board, and their words.

use std::fmt;

use crate::game::{Bounds, Player, Position, Value};

use crate::search::known_values::known_value;
use crate::search::{ExactPlayouts, Note, Proof, Reason};

use super::trap::Endgame;

impl Note {
    /// The note on the known value of an empty board. `None` if only a search proves it, or nothing is known.
    pub(crate) fn on_empty_board(position: &Position, proof: &Proof) -> Option<Note> {
        let [attack, defence] = [(position.side(), &proof.attack), (!position.side(), &proof.defence)]
            .map(|(player, reason)| reason.as_ref().and_then(|reason| in_words(player, reason)));
        // Each reason that can be put into words keeps one player from winning, except for one that makes the second
        // player win. The bounds say no more than that.
        let is_lost = proof.defence == Some(Reason::MirrorWin);
        let bounds = Bounds {
            at_least: if defence.is_some() && !is_lost { Value::Draw } else { Bounds::UNKNOWN.at_least },
            at_most: match attack {
                _ if is_lost => proof.bounds.at_most,
                Some(_) => Value::Draw,
                None => Bounds::UNKNOWN.at_most,
            },
        };
        let mut reasons: Vec<String> = attack.into_iter().filter(|_| !is_lost).chain(defence).collect();
        reasons.dedup();
        if !reasons.is_empty() {
            // A published win is not proven here, so it does not enter the bounds.
            let published = known_value(position.rules()).and_then(|known| known.published_win);
            reasons.extend(published.map(|theorem| theorem.sentence().to_owned()));
        }
        (!reasons.is_empty()).then_some(Note::Known { bounds, reasons })
    }
}

/// The words for a reason why `player` does not win on an empty board. `None` if a search is the reason.
fn in_words(player: Player, reason: &Reason) -> Option<String> {
    match reason {
        Reason::Theorem(theorem) => Some((*theorem).to_owned()),
        Reason::Pairing { lines_of, pairs, .. } if !pairs.is_empty() => {
            Some(format!("a pairing of {} pairs of cells holds every line of {lines_of}", pairs.len()))
        }
        Reason::Mirror => Some(format!("mirror images keep {player} from winning")),
        Reason::MirrorWin => Some(format!("mirror images leave {} no move but to complete a line", !player)),
        Reason::OneReply => Some(format!("one reply to each first move, then pairs, block every line of {player}")),
        _ => None,
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Known { bounds, reasons } => write!(f, "{}: {}", BoundsInWords(*bounds), reasons.join("; ")),
            Note::Proved(bounds) => write!(f, "proved: {}", BoundsInWords(*bounds)),
            Note::Undecided { moves: 1 } => f.write_str("1 move is not decided"),
            Note::Undecided { moves } => write!(f, "{moves} moves are not decided"),
            Note::NoExactPlayouts => {
                let cells = ExactPlayouts::MOST_CELLS;
                write!(f, "the limit of Monte Carlo is known up to {cells} cells; montecarlo plays in its place")
            }
            Note::Trap { moves, result: Some(result) } => {
                write!(f, "trap: one of {moves} moves, expected result {result:.4} against random moves, exact")
            }
            Note::Trap { moves, result: None } => {
                let cells = Endgame::LARGEST;
                write!(f, "trap: one of {moves} moves, drawn at random; ")?;
                write!(f, "expected results are computed up to {cells} empty cells, within the limits")
            }
        }
    }
}

/// Writes bounds in words, seen by the side to move.
struct BoundsInWords(Bounds);

impl fmt::Display for BoundsInWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let within = |plies: u16| format!("{plies} {}", if plies == 1 { "ply" } else { "plies" });
        // "No win within 1 ply" is not worth a note.
        let before = |end: u16| end.checked_sub(1).filter(|&plies| plies > 1).map(within);
        let also = |text: &str, end: u16| before(end).map_or(String::new(), |plies| format!(", {text} {plies}"));
        let (at_least, at_most) = (self.0.at_least, self.0.at_most);
        if at_least == at_most {
            return match at_least {
                Value::Win(plies) => write!(f, "win in {}", within(plies)),
                Value::Draw => f.write_str("draw"),
                Value::Loss(plies) => write!(f, "loss in {}", within(plies)),
            };
        }
        match (at_least, at_most) {
            (Value::Win(latest), Value::Win(soonest)) => {
                write!(f, "wins within {}{}", within(latest), also("not within", soonest))
            }
            (Value::Loss(soonest), Value::Loss(latest)) => {
                write!(f, "loses within {}{}", within(latest), also("not within", soonest))
            }
            (Value::Draw, Value::Win(soonest)) => write!(f, "does not lose{}", also("no win within", soonest)),
            (Value::Loss(soonest), Value::Draw) => write!(f, "does not win{}", also("no loss within", soonest)),
            (Value::Loss(loss), Value::Win(win)) => match (before(win), before(loss)) {
                (Some(win), Some(loss)) => write!(f, "no win within {win}, no loss within {loss}"),
                (Some(win), None) => write!(f, "no win within {win}"),
                (None, Some(loss)) => write!(f, "no loss within {loss}"),
                (None, None) => f.write_str("nothing"),
            },
            // Not bounds of any value.
            _ => f.write_str("nothing"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_proved_is_said_as_tightly_as_it_is_known() {
        let proved = |at_least, at_most| Note::Proved(Bounds { at_least, at_most }).to_string();
        for (at_least, at_most, said) in [
            (Value::Draw, Value::Draw, "draw"),
            (Value::Draw, Value::Win(1), "does not lose"),
            (Value::Draw, Value::Win(9), "does not lose, no win within 8 plies"),
            (Value::Loss(1), Value::Draw, "does not win"),
            (Value::Loss(6), Value::Draw, "does not win, no loss within 5 plies"),
            (Value::Win(9), Value::Win(1), "wins within 9 plies"),
            (Value::Win(9), Value::Win(5), "wins within 9 plies, not within 4 plies"),
            (Value::Loss(2), Value::Loss(8), "loses within 8 plies"),
            (Value::Loss(4), Value::Win(3), "no win within 2 plies, no loss within 3 plies"),
            (Value::Loss(2), Value::Win(3), "no win within 2 plies"),
            (Value::Loss(1), Value::Win(3), "no win within 2 plies"),
            (Value::Win(3), Value::Win(3), "win in 3 plies"),
            (Value::Win(1), Value::Win(1), "win in 1 ply"),
            (Value::Loss(1), Value::Win(1), "nothing"),
        ] {
            assert_eq!(proved(at_least, at_most), format!("proved: {said}"));
        }
    }

    #[test]
    fn an_empty_board_is_known_only_for_a_reason_that_can_be_told() {
        let rules = crate::game::Rules::new(9, 0, false).expect("rules within range");
        let start = Position::start(rules);
        let theorem = Some(Reason::Theorem("nobody completes eight in a row (Zetters, 1980)"));
        let bounds = Bounds::exactly(Value::Draw);
        let known = |attack, defence| Note::on_empty_board(&start, &Proof { bounds, attack, defence });
        let note = known(theorem.clone(), theorem).expect("a reason");
        assert_eq!(note.to_string(), "draw: nobody completes eight in a row (Zetters, 1980)");
        assert_eq!(known(Some(Reason::Search), None), None);
        let mirror = known(Some(Reason::Mirror), Some(Reason::Search)).expect("a reason");
        assert_eq!(mirror.to_string(), "does not win: mirror images keep X from winning");
    }

    #[test]
    fn a_loss_of_the_empty_board_is_told_with_its_plies() {
        let rules = crate::game::Rules::new(8, 2, true).expect("rules within range");
        let bounds = Bounds { at_least: Value::Loss(3), at_most: Value::Loss(33) };
        let proof = Proof { bounds, attack: Some(Reason::Mirror), defence: Some(Reason::MirrorWin) };
        let note = Note::on_empty_board(&Position::start(rules), &proof).expect("a reason");
        assert_eq!(note.to_string(), "loses within 33 plies: mirror images leave X no move but to complete a line");
    }

    #[test]
    fn a_published_win_is_told_without_entering_the_bounds() {
        let rules = crate::game::Rules::new(15, 5, false).expect("rules within range");
        let bounds = Bounds { at_least: Value::Draw, at_most: Value::Win(1) };
        let defence = Some(Reason::Theorem("nobody steals (Nash)"));
        let note =
            Note::on_empty_board(&Position::start(rules), &Proof { bounds, attack: None, defence }).expect("a reason");
        let Note::Known { bounds: told, reasons } = &note else { panic!("{note}") };
        assert_eq!((*told, reasons.len()), (bounds, 2));
        assert!(note.to_string().starts_with("does not lose: "), "{note}");
        assert!(note.to_string().contains("wins 5 in a row on 15x15"), "{note}");
    }
}
