//! The standard normal distribution: mean 0, variance 1.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI};

/// The probability that a normal variable is at most `x`.
pub fn probability_up_to(x: f64) -> f64 {
    libm::erfc(-x * FRAC_1_SQRT_2) / 2.0
}

/// The border `z` for which a normal variable lies between `-z` and `z` with the probability `level`, which is above 0 and
/// below 1.
pub fn border(level: f64) -> f64 {
    let outside = |z: f64| libm::erfc(z * FRAC_1_SQRT_2);
    // Newton's method. The function falls and is convex, so the steps from 0 grow towards the border and never pass it.
    let mut z = 0.0;
    loop {
        let slope = FRAC_2_PI.sqrt() * libm::exp(-z * z / 2.0);
        let next = z + (outside(z) - (1.0 - level)) / slope;
        if next <= z {
            return z;
        }
        z = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_borders_of_tables_come_out() {
        for (level, z) in [
            (0.5, 0.674_489_750_196_081_7),
            (0.682_689_492_137_085_9, 1.0),
            (0.95, 1.959_963_984_540_054),
            (0.99, 2.575_829_303_548_901),
            (0.999_999_426_696_856_3, 5.0),
        ] {
            assert!((border(level) - z).abs() < 1e-9, "{level} {}", border(level));
        }
    }

    #[test]
    fn the_probability_inside_a_border_is_its_level() {
        for tenths in 1..=80 {
            let z = f64::from(tenths) / 10.0;
            let level = probability_up_to(z) - probability_up_to(-z);
            assert!((probability_up_to(z) + probability_up_to(-z) - 1.0).abs() < 1e-15, "{z}");
            // Far out, the level has not enough digits to tell its border.
            if level < 1.0 - 1e-9 {
                assert!((border(level) - z).abs() < 1e-6, "{z} {}", border(level));
            }
        }
        assert_eq!((probability_up_to(0.0), probability_up_to(f64::INFINITY)), (0.5, 1.0));
    }

    #[test]
    fn borders_of_the_least_and_the_largest_level_are_finite() {
        assert!((0.0..1e-15).contains(&border(f64::MIN_POSITIVE)));
        assert!((8.0..8.5).contains(&border(1.0 - f64::EPSILON / 2.0)));
    }
}
