//! Exact values: the solver, known values, tables, the textbook searches, and the reasons for a value.

mod explanation;
pub mod known_values;
mod root_proof;
mod small_board;
mod solver;
mod textbook;
mod value_table;

pub use explanation::{Explanation, Reasons};
pub(crate) use root_proof::{RootBounds, RootProof};
pub(crate) use small_board::{BOARDS, LARGEST, OncePerRules, SmallBoard, SmallGeometry, ternary};
pub use solver::{Proof, Reason, Solution, Solver, Technique};
pub use textbook::{Textbook, TextbookResult};
pub use value_table::ValueTable;
