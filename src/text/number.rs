//! Numbers in the form that programs and people read.

/// A number with at most 4 decimals, and without a sign on zero. From 10^15 on it has an exponent.
pub fn decimal(number: f64) -> String {
    if number.abs() >= 1e15 {
        return format!("{number:e}");
    }
    let text = format!("{number:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_short_and_zero_has_no_sign() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (-0.00001, "0"),
            (1.0, "1"),
            (-0.5, "-0.5"),
            (0.12345, "0.1235"),
            (100.0, "100"),
            (-1.5e300, "-1.5e300"),
        ] {
            assert_eq!(decimal(number), text);
        }
    }
}
