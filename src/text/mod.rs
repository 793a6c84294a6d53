//! Text for people: drawn boards, explanations, tables, numbers, and excerpts of text from outside.

pub mod board;
mod excerpt;
pub mod explanation;
mod fingerprint;
mod report_table;

pub use excerpt::{BYTE_ORDER_MARK, Excerpt, is_line, on_one_line};
pub use fingerprint::Fingerprint;
pub use report_table::{Format, ReportTable, decimal, grouped};
