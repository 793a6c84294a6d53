//! `noughts count` and `noughts perft`: arguments to settings, figures to standard output.

use anyhow::Result;

use noughts::count;

use crate::cli::engines::{print, rules};
use crate::cli::{CountArguments, PerftArguments};

/// Counts the nodes of the searches.
pub fn count(arguments: &CountArguments) -> Result<()> {
    let counts = count::count(rules(&arguments.game)?, arguments.nodes);
    print(|out| count::write_counts(&counts, arguments.format, out))
}

/// Counts sequences of moves and positions.
pub fn perft(arguments: &PerftArguments) -> Result<()> {
    let perft = count::perft(rules(&arguments.game)?, arguments.depth);
    print(|out| count::write_perft(&perft, arguments.format, out))
}
