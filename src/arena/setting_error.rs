//! A setting that cannot be read.

use thiserror::Error;

use crate::text::Excerpt;

/// A setting that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("expected {expected}, found {found}")]
pub struct SettingError {
    /// What a setting of this kind looks like.
    pub expected: &'static str,
    /// The text that was found.
    pub found: Excerpt,
}
