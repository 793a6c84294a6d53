//! The map as a picture: a triangle for each rule, with a square for each board.

use std::io::{self, Write};

use noughts_core::game::MAX_SIZE;

use super::{Basis, Kind, Start};

/// The side of a square, in units of the picture.
const SQUARE: u32 = 20;

/// The space around a triangle.
const MARGIN: u32 = 44;

/// Below the triangles stand the names of the colours.
const LEGEND: u32 = 70;

/// The colour of a kind. They differ in lightness as well, for readers who see few colours.
fn colour(kind: Kind) -> &'static str {
    match kind {
        Kind::XWins => "#2752b3",
        Kind::Draw => "#9fb8a8",
        Kind::OWins => "#c9622c",
        Kind::XHolds => "#dbe4f7",
        Kind::OHolds => "#f8e3d6",
        Kind::Open => "#ffffff",
    }
}

/// Writes the picture as SVG.
///
/// # Errors
/// Those of `out`.
pub fn write_picture(starts: &[Start], out: &mut dyn Write) -> io::Result<()> {
    let triangle = u32::from(MAX_SIZE) * SQUARE;
    let (width, height) = (2 * triangle + 3 * MARGIN, triangle + 2 * MARGIN + LEGEND);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">"
    )?;
    writeln!(out, "<title>Values of all empty boards up to 20x20, under the normal and the reverse rule</title>")?;
    writeln!(out, "<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>")?;
    for (place, name) in ["normal rule", "reverse rule"].into_iter().enumerate() {
        let left = MARGIN + place as u32 * (triangle + MARGIN);
        writeln!(out, "<text x=\"{left}\" y=\"20\" font-size=\"15\" fill=\"#23272f\">{name}</text>")?;
        for size in 1..=u32::from(MAX_SIZE) {
            let middle = SQUARE * size - SQUARE / 2;
            let (row, column) = (MARGIN + middle + 4, left + middle);
            writeln!(out, "<text x=\"{}\" y=\"{row}\" text-anchor=\"end\" fill=\"#5b6270\">{size}</text>", left - 5)?;
            writeln!(
                out,
                "<text x=\"{column}\" y=\"{}\" text-anchor=\"middle\" fill=\"#5b6270\">{size}</text>",
                MARGIN - 6
            )?;
        }
    }
    for start in starts {
        let (size, connect) = (u32::from(start.rules.size()), u32::from(start.rules.line_length().unwrap_or_default()));
        let left = MARGIN + if start.rules.reverse() { triangle + MARGIN } else { 0 };
        let (x, y) = (left + (connect - 1) * SQUARE, MARGIN + (size - 1) * SQUARE);
        let (kind, colour) = (start.kind(), colour(start.kind()));
        let is_settled = matches!(kind, Kind::XWins | Kind::Draw | Kind::OWins);
        writeln!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" rx=\"2\" fill=\"{colour}\"{}><title>{} on {size}x{size}: {}, {}</title></rect>",
            SQUARE - 2,
            SQUARE - 2,
            if is_settled { "" } else { " stroke=\"#c9c4b6\"" },
            connect,
            start.value(),
            start.basis,
        )?;
        if matches!(start.basis, Basis::Certificate(_)) {
            let (x, y) = (x + SQUARE / 2 - 1, y + SQUARE / 2 - 1);
            let ink = if kind == Kind::XWins { "#ffffff" } else { "#23272f" };
            writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"2.5\" fill=\"{ink}\" pointer-events=\"none\"/>")?;
        }
    }
    let below = MARGIN + triangle + 30;
    let mut x = MARGIN;
    for kind in Kind::ALL {
        let (name, colour) = (kind.name(), colour(kind));
        writeln!(
            out,
            "<rect x=\"{x}\" y=\"{}\" width=\"16\" height=\"16\" rx=\"2\" fill=\"{colour}\" stroke=\"#c9c4b6\"/>",
            below - 13
        )?;
        writeln!(out, "<text x=\"{}\" y=\"{below}\" fill=\"#23272f\">{name}</text>", x + 22)?;
        x += 46 + 7 * name.len() as u32;
    }
    writeln!(out, "<circle cx=\"{}\" cy=\"{}\" r=\"2.5\" fill=\"#23272f\"/>", x + 8, below - 5)?;
    writeln!(out, "<text x=\"{}\" y=\"{below}\" fill=\"#23272f\">checked by certificate</text>", x + 22)?;
    writeln!(
        out,
        "<text x=\"{MARGIN}\" y=\"{}\" fill=\"#5b6270\">rows: the size of the board; columns: how many in a row</text>",
        below + 26
    )?;
    writeln!(out, "</svg>")
}
