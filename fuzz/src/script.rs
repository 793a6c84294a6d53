//! Lines of a protocol, made of bytes: so that most inputs make sense, and all others can still be written.
//!
//! A byte from 128 on chooses a template, whose holes the next bytes fill. A byte below 32 is an event of the driver. Any
//! other byte begins a line that stands there as it is, up to its line end.

use super::input::Input;

/// The next step.
pub enum Step {
    /// Something that the other side of the protocol has nothing to do with.
    Event(u8),
    /// A line without its end.
    Line(Vec<u8>),
}

/// Numbers at which something changes.
const NUMBERS: [&str; 25] = [
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "9",
    "15",
    "20",
    "21",
    "50",
    "100",
    "400",
    "401",
    "1000",
    "65536",
    "2147483647",
    "2147483648",
    "18446744073709551615",
    "18446744073709551616",
    "-1",
    "0.5",
    "1e100",
    "1e300",
];

/// The next step. In a template, `%c` is a cell such as `1,2`, `%d` the same as `b2`, `%n` a number, `%w` one of `words`.
pub fn next(input: &mut Input<'_>, templates: &[&str], words: &[&str]) -> Step {
    let first = input.byte();
    match first {
        b'\t' | 32..128 => Step::Line([&[first], input.until(b'\n')].concat()),
        0..32 => Step::Event(first),
        128.. => {
            let template = templates[(usize::from(first) - 128) % templates.len()];
            let mut pieces = template.split('%');
            let mut line = pieces.next().unwrap_or_default().to_owned();
            for piece in pieces {
                line += &fill(piece.as_bytes()[0], input, words);
                line += &piece[1..];
            }
            Step::Line(line.into_bytes())
        }
    }
}

fn fill(hole: u8, input: &mut Input<'_>, words: &[&str]) -> String {
    let mut cell = || {
        let byte = input.below(256);
        // Most boards are small.
        let size = if byte < 144 { 3 } else { 16 };
        (byte % size, byte / size % size)
    };
    match hole {
        b'c' => {
            let (row, column) = cell();
            format!("{row},{column}")
        }
        b'd' => {
            let (row, column) = cell();
            format!("{}{}", char::from(b'a' + column as u8), row + 1)
        }
        b'n' => (*input.choose(&NUMBERS)).to_owned(),
        b'w' => (*input.choose(words)).to_owned(),
        other => unreachable!("%{}", char::from(other)),
    }
}
