//! Text for people: drawn boards, explanations, tables, numbers, excerpts of foreign text.

pub mod board;
mod csv_rows;
mod excerpt;
pub mod explanation;
mod fingerprint;
mod number;
mod report_table;

pub use csv_rows::{PlainNumber, write_csv};
pub use excerpt::{Excerpt, is_line, on_one_line};
pub use fingerprint::Fingerprint;
pub use number::decimal;
pub use report_table::{Format, Sheet, grouped};
