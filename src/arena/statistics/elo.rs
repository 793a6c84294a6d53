//! Scores as differences of strength.
//!
//! The logistic scale: 400 points are odds of ten to one. (A. E. Elo, "The Rating of Chessplayers", 1978, in the
//! form that federations use today.)

/// The Elo difference at which a mean score from 0 to 1 is expected: minus infinity for 0, infinity for 1.
pub fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The expected mean score of a player who is stronger by `elo`.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_and_expected_score_undo_each_other() {
        for difference in [-1200.0, -400.0, -2.5, 0.0, 0.5, 40.7, 800.0] {
            assert!((elo(expected_score(difference)) - difference).abs() < 1e-9, "{difference}");
        }
        assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-15);
    }

    #[test]
    fn equal_players_differ_by_nothing_and_the_ends_are_infinite() {
        assert!(elo(0.5) == 0.0 && elo(0.5).is_sign_positive());
        assert_eq!((elo(0.0), elo(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
        assert_eq!((expected_score(f64::NEG_INFINITY), expected_score(f64::INFINITY)), (0.0, 1.0));
    }
}
