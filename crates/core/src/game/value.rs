//! Values of positions, seen by the side to move.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;

/// The result of perfect play from a position, seen by the side to move.
///
/// Ordered from worst to best for the mover: a slow loss beats a fast one, a fast win beats a slow one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// The opponent forces the end in this many plies. 0: the game is over and lost.
    Loss(u16),
    /// Neither side can force the end.
    Draw,
    /// The mover forces the end in this many plies. 0: the game is over and won.
    Win(u16),
}

impl Value {
    /// The expected result: -1, 0 or 1.
    pub fn result(self) -> i8 {
        match self {
            Value::Loss(_) => -1,
            Value::Draw => 0,
            Value::Win(_) => 1,
        }
    }

    /// Plies until the game ends when the winner hurries and the loser delays; `None` for a draw.
    pub fn plies(self) -> Option<u16> {
        match self {
            Value::Loss(plies) | Value::Win(plies) => Some(plies),
            Value::Draw => None,
        }
    }

    /// The value of a move to the player who makes it, where `self` is the value of the position after it to the opponent.
    /// The sign changes, and the end is one ply further away.
    #[doc(hidden)]
    pub fn before_move(self) -> Value {
        match -self {
            Value::Loss(plies) => Value::Loss(plies + 1),
            Value::Draw => Value::Draw,
            Value::Win(plies) => Value::Win(plies + 1),
        }
    }

    /// The value of the position after a move to the opponent, where `self` is the value of the move. The inverse of
    /// [`Value::before_move`]. 0 plies stay 0.
    #[doc(hidden)]
    pub fn after_move(self) -> Value {
        match -self {
            Value::Loss(plies) => Value::Loss(plies.saturating_sub(1)),
            Value::Draw => Value::Draw,
            Value::Win(plies) => Value::Win(plies.saturating_sub(1)),
        }
    }
}

/// `W3` for a win in 3 plies, `D` for a draw, `L4` for a loss in 4 plies.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Win(plies) => write!(f, "W{plies}"),
            Value::Draw => f.write_str("D"),
            Value::Loss(plies) => write!(f, "L{plies}"),
        }
    }
}

/// The value, seen by the other side.
impl Neg for Value {
    type Output = Value;

    fn neg(self) -> Value {
        match self {
            Value::Loss(plies) => Value::Win(plies),
            Value::Draw => Value::Draw,
            Value::Win(plies) => Value::Loss(plies),
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Win(mine), Value::Win(other)) => other.cmp(mine),
            (Value::Loss(mine), Value::Loss(other)) => mine.cmp(other),
            _ => self.result().cmp(&other.result()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Proven bounds on a value, seen by the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bounds {
    /// The value is this or better.
    pub at_least: Value,
    /// The value is this or worse.
    pub at_most: Value,
}

impl Bounds {
    /// The bounds of a position in which the game goes on, if nothing is proven about it.
    pub const UNKNOWN: Bounds = Bounds { at_least: Value::Loss(1), at_most: Value::Win(1) };

    /// The value itself is proven.
    pub fn exactly(value: Value) -> Bounds {
        Bounds { at_least: value, at_most: value }
    }

    /// The value, if both bounds are equal.
    pub fn exact(self) -> Option<Value> {
        (self.at_least == self.at_most).then_some(self.at_least)
    }

    /// The order of moves, if these are the bounds of a move. Proven wins come first, the sooner the better; then
    /// moves that are not proven to win or to lose; then proven losses. Among those, the move with the largest number of
    /// plies within which the opponent is proven not to end the game is the best.
    pub(crate) fn preference(self) -> Value {
        if self.at_most < Value::Draw { self.at_least } else { self.at_least.max(Value::Draw) }
    }

    /// The tighter of the bounds of two proofs about the same position.
    #[doc(hidden)]
    pub fn and(self, other: Bounds) -> Bounds {
        Bounds { at_least: self.at_least.max(other.at_least), at_most: self.at_most.min(other.at_most) }
    }

    /// An expected result, limited to what these bounds prove.
    #[doc(hidden)]
    pub fn limit(self, result: f64) -> f64 {
        result.clamp(f64::from(self.at_least.result()), f64::from(self.at_most.result()))
    }

    /// The bounds of a move that leads to a position with bounds `self` for the opponent.
    #[doc(hidden)]
    pub fn before_move(self) -> Bounds {
        Bounds { at_least: self.at_most.before_move(), at_most: self.at_least.before_move() }
    }

    /// The bounds for the opponent of the position that a move with bounds `self` leads to.
    #[doc(hidden)]
    pub fn after_move(self) -> Bounds {
        Bounds { at_least: self.at_most.after_move(), at_most: self.at_least.after_move() }
    }
}

/// The score of a position or a move, seen by the side to move: proven, or an estimate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Score {
    /// Proven: the value itself.
    Exact(Value),
    /// Proven, but for the distance: a win or a loss within so many plies, perhaps in fewer. Never a draw.
    Within(Value),
    /// The result that the search expects, from -1 to 1.
    Estimate(f64),
}

impl Score {
    /// The expected result, from -1 to 1.
    #[doc(hidden)]
    pub fn expected_result(self) -> f64 {
        match self {
            Score::Exact(value) | Score::Within(value) => f64::from(value.result()),
            Score::Estimate(result) => result,
        }
    }

    /// The score that bounds prove: the value, or a win or a loss within so many plies. `None` if they leave it open who
    /// wins.
    #[doc(hidden)]
    pub fn proven_by(bounds: Bounds) -> Option<Score> {
        let Bounds { at_least, at_most } = bounds;
        match (at_least, at_most) {
            _ if at_least == at_most => Some(Score::Exact(at_least)),
            (Value::Win(_), _) => Some(Score::Within(at_least)),
            (_, Value::Loss(_)) => Some(Score::Within(at_most)),
            _ => None,
        }
    }

    /// The proven value, or a bound on its distance. `None` for an estimate.
    pub fn proven(self) -> Option<Value> {
        match self {
            Score::Exact(value) | Score::Within(value) => Some(value),
            Score::Estimate(_) => None,
        }
    }
}

/// `W3`, `D` or `L4` for a proven value, `W<=9` or `L<=8` where the distance is not proven, and an estimate as a number.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Exact(value) => write!(f, "{value}"),
            Score::Within(Value::Win(plies)) => write!(f, "W<={plies}"),
            Score::Within(Value::Draw) => f.write_str("D"),
            Score::Within(Value::Loss(plies)) => write!(f, "L<={plies}"),
            Score::Estimate(result) => write!(f, "{result}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_ordered_from_the_fastest_loss_to_the_fastest_win() {
        let worst_to_best =
            [Value::Loss(0), Value::Loss(2), Value::Loss(8), Value::Draw, Value::Win(9), Value::Win(3), Value::Win(1)];
        assert!(worst_to_best.is_sorted_by(|a, b| a < b));
        let seen_by_the_other: Vec<Value> = worst_to_best.iter().map(|&value| -value).collect();
        assert!(seen_by_the_other.is_sorted_by(|a, b| a > b));
    }

    /// Values of every kind, from worst to best.
    const VALUES: [Value; 7] =
        [Value::Loss(0), Value::Loss(2), Value::Loss(9), Value::Draw, Value::Win(9), Value::Win(3), Value::Win(0)];

    #[test]
    fn results_are_ordered_as_values_and_change_their_sign() {
        assert!(VALUES.is_sorted_by_key(|value| value.result()));
        assert_eq!(VALUES.map(Value::result), [-1, -1, -1, 0, 1, 1, 1]);
        for value in VALUES {
            assert_eq!((-value).result(), -value.result());
            assert_eq!((-value).plies(), value.plies());
            assert_eq!(value.plies().is_none(), value == Value::Draw);
        }
    }

    #[test]
    fn the_expected_result_of_a_proof_is_its_own_and_an_estimate_itself() {
        for value in VALUES {
            for score in [Score::Exact(value), Score::Within(value)] {
                assert_eq!(score.expected_result(), f64::from(value.result()));
                assert_eq!(score.proven(), Some(value));
            }
        }
        for result in [-1.0, -0.25, 0.0, 0.5, 1.0] {
            assert_eq!(Score::Estimate(result).expected_result(), result);
            assert_eq!(Score::Estimate(result).proven(), None);
        }
    }

    #[test]
    fn bounds_limit_results_and_are_turned_by_moves() {
        let sorted = |one: Value, other: Value| Bounds { at_least: one.min(other), at_most: one.max(other) };
        for (one, other) in VALUES.into_iter().flat_map(|one| VALUES.map(|other| (one, other))) {
            let bounds = sorted(one, other);
            assert_eq!(bounds.exact(), (one == other).then_some(one));
            let (least, most) = (f64::from(bounds.at_least.result()), f64::from(bounds.at_most.result()));
            for result in [-1.0, -0.5, 0.0, 0.5, 1.0] {
                assert_eq!(bounds.limit(result), result.max(least).min(most));
            }
            assert_eq!(bounds.before_move(), sorted(one.before_move(), other.before_move()));
            assert_eq!(bounds.before_move().after_move(), bounds);
            for value in VALUES {
                let both = bounds.and(Bounds { at_least: value, at_most: Value::Win(0) });
                assert_eq!(both, Bounds { at_least: bounds.at_least.max(value), at_most: bounds.at_most });
                let both = bounds.and(Bounds { at_least: Value::Loss(0), at_most: value });
                assert_eq!(both, Bounds { at_least: bounds.at_least, at_most: bounds.at_most.min(value) });
            }
        }
    }

    #[test]
    fn bounds_prove_a_score_once_they_say_who_wins() {
        let proven = |at_least, at_most| Score::proven_by(Bounds { at_least, at_most });
        assert_eq!(proven(Value::Win(9), Value::Win(3)), Some(Score::Within(Value::Win(9))));
        assert_eq!(proven(Value::Loss(4), Value::Loss(12)), Some(Score::Within(Value::Loss(12))));
        assert_eq!(proven(Value::Win(3), Value::Win(3)), Some(Score::Exact(Value::Win(3))));
        assert_eq!(proven(Value::Draw, Value::Draw), Some(Score::Exact(Value::Draw)));
        assert_eq!(proven(Value::Draw, Value::Win(3)), None);
        assert_eq!(proven(Value::Loss(2), Value::Draw), None);
    }

    #[test]
    fn a_move_takes_one_ply_more_than_the_position_it_leads_to() {
        assert_eq!(Value::Loss(0).before_move(), Value::Win(1));
        assert_eq!(Value::Win(3).before_move(), Value::Loss(4));
        assert_eq!(Value::Draw.before_move(), Value::Draw);
        for value in [Value::Loss(0), Value::Loss(7), Value::Draw, Value::Win(4)] {
            assert_eq!(value.before_move().after_move(), value);
        }
    }
}
