//! Exact values: the solver, wins by threats, known values, tables, the textbook searches, and the reasons for a value.

mod bucket_table;
pub mod certificate;
mod explanation;
pub mod known_values;
mod root_proof;
mod small_board;
mod solver;
mod textbook;
pub(crate) mod threats;
mod value_table;
mod weak_game;

pub use explanation::{Explanation, Reasons};
pub(crate) use root_proof::{RootBounds, RootProof};
pub use small_board::digits as ternary_digits;
pub(crate) use small_board::{BOARDS, MOST_CELLS, OncePerRules, SmallBoard, SmallGeometry, ternary};
pub use solver::{Proof, Reason, Solution, Solver, Technique};
pub use textbook::{Textbook, TextbookResult};
pub use threats::{StrategyNode, ThreatSearch, ThreatStep, WinningStrategy};
pub use value_table::ValueTable;

/// The player who tries to force a win, or the one who tries to prevent it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// The player who tries to force a win.
    Attacker,
    /// The player who tries to prevent it.
    Defender,
}

impl std::ops::Not for Role {
    type Output = Role;

    fn not(self) -> Role {
        if self == Role::Attacker { Role::Defender } else { Role::Attacker }
    }
}
