//! Text for people: excerpts of foreign text, fingerprints, tables.

mod excerpt;
mod fingerprint;
mod report_table;

pub use excerpt::{Excerpt, is_line, on_one_line};
pub use fingerprint::Fingerprint;
pub use report_table::{Format, Sheet, grouped};
