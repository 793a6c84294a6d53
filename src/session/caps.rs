//! What a session lets its client have: everything, or no more than a server can spare for each of many.

use std::time::Duration;

use crate::engine::OptionKind;

/// What may wait of a client that has standard input and output to itself, in bytes.
pub(super) const MAX_WAITING: usize = 16 << 20;

/// The most that a client can ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Caps {
    /// Time for a search, after which it is ended whatever its limits are; `None` for any.
    pub move_time: Option<Duration>,
    /// The option `Hash`, in MiB.
    pub hash: u32,
    /// The option `Threads`.
    pub threads: u32,
    /// Whether options may name files.
    pub files: bool,
    /// Waiting commands beyond which no further line is wanted, and waiting output beyond which none is carried out either,
    /// in bytes each.
    pub waiting: usize,
}

impl Caps {
    /// Everything.
    pub const NONE: Caps =
        Caps { move_time: None, hash: u32::MAX, threads: u32::MAX, files: true, waiting: MAX_WAITING };

    /// The most that an option takes here, if there is less than usual.
    pub(super) fn of_option(&self, name: &str) -> Option<u32> {
        let most = |most: u32| (most < u32::MAX).then_some(most);
        match name.to_ascii_lowercase().as_str() {
            "hash" => most(self.hash),
            "threads" => most(self.threads),
            _ => None,
        }
    }

    /// What an option accepts here.
    pub(super) fn on(&self, name: &str, kind: OptionKind) -> OptionKind {
        match (kind, self.of_option(name)) {
            (OptionKind::Spin { default, min, max }, Some(most)) => {
                OptionKind::Spin { default: default.min(most), min, max: max.min(most) }
            }
            (kind, _) => kind,
        }
    }
}
