//! Unix: `poll`, process groups, signals. On Linux also `pidfd`, parent-death signals and pinning.

pub mod files;
mod interrupt;
mod orphan_killer;
pub mod pinning;
mod piped_child;
pub mod process;
mod resources;
pub mod signals;
mod standard_streams;

pub use interrupt::Interrupt;
pub use orphan_killer::{OrphanKiller, kill_orphans};
pub use piped_child::PipedChild;
pub use resources::{has_cursor_addressing, mebibytes_of_machine, raise_descriptor_limit};
pub use standard_streams::{StandardStreams, Waker};
