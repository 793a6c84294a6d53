//! Limits of a session: none for a single client, smaller ones for each of the many clients of a server.

use std::time::Duration;

use crate::engine::{OptionRole, OptionSpec, OptionType};

/// The output that may wait for a client which has standard input and output to itself, in bytes.
const MAX_WAITING: usize = 16 << 20;

/// The most that a client can ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SessionLimits {
    /// Time for a search. After it the search ends, whatever its own limits are. `None` for any time.
    pub move_time: Option<Duration>,
    /// The option `Hash`, in MiB.
    pub hash: u32,
    /// The option `Threads`.
    pub threads: u32,
    /// True if options may name files.
    pub files: bool,
    /// Commands that wait, and output that waits, in bytes each. Beyond it no more input is wanted, and no more commands are
    /// carried out.
    pub waiting: usize,
}

impl SessionLimits {
    /// Everything.
    pub const NONE: SessionLimits =
        SessionLimits { move_time: None, hash: u32::MAX, threads: u32::MAX, files: true, waiting: MAX_WAITING };

    /// The most that an option accepts here, if that is less than elsewhere.
    pub(super) fn of(&self, option: &OptionSpec) -> Option<u32> {
        let most = match option.role {
            OptionRole::Memory => self.hash,
            OptionRole::Threads => self.threads,
            OptionRole::Game | OptionRole::Seed | OptionRole::Answer | OptionRole::LogFile => return None,
        };
        (most < u32::MAX).then_some(most)
    }

    /// The options that can be set here.
    pub(super) fn options(&self) -> impl Iterator<Item = &'static OptionSpec> + use<> {
        let has_files = self.files;
        OptionSpec::all().filter(move |option| has_files || option.role != OptionRole::LogFile)
    }

    /// The type of an option as it is here.
    pub(super) fn narrow(&self, option: &OptionSpec) -> OptionType {
        match (option.option_type(), self.of(option).map(i64::from)) {
            (OptionType::Spin { default, min, max }, Some(most)) => {
                OptionType::Spin { default: default.min(most), min, max: max.min(most) }
            }
            (option_type, _) => option_type,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_option_that_is_limited_has_a_most() {
        let limits = SessionLimits { hash: 8, threads: u32::MAX - 1, ..SessionLimits::NONE };
        for option in OptionSpec::all() {
            assert_eq!(SessionLimits::NONE.of(option), None, "{}", option.name);
            let most = match option.name {
                "Hash" => Some(8),
                "Threads" => Some(u32::MAX - 1),
                _ => None,
            };
            assert_eq!(limits.of(option), most, "{}", option.name);
        }
    }
}
