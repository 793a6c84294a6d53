//! What differs between operating systems.
//!
//! | file | content |
//! |---|---|
//! | `process.rs` | child processes: groups, their end, pipes that never block, waiting for several of them |
//! | `pinning.rs` | which core a thread runs on |

pub mod pinning;
pub mod process;
