//! The engine as a module of Python: positions, engines, exact values, exams and matches, environments, policies.
//!
//! The package `noughts` (folder `python`) imports this module as `noughts._noughts` and has the rest: what draws, and the
//! interfaces of other packages.
//!
//! | file | what it holds |
//! |---|---|
//! | `position.rs` | positions and moves |
//! | `analysis.rs` | limits of a search, and its answers |
//! | `background.rs` | work on a thread of its own, and signals meanwhile |
//! | `engine.rs` | engines |
//! | `exact.rs`, `tables.rs` | exact values as arrays; tables of small boards, shared by the process |
//! | `measures.rs` | playouts, and the statistics of matches |
//! | `agents.rs` | functions of Python as engines of a client in this process |
//! | `own_engine.rs` | the engine of the library as one |
//! | `players.rs` | the players of an exam or a match, and the run that they have in common |
//! | `exam.rs`, `matches.rs` | exams; matches |
//! | `results.rs` | their results as objects of Python |
//! | `board.rs`, `opponent.rs`, `vector.rs` | many games at a time, for learning agents |
//! | `single.rs` | one game, for learning agents |
//! | `policy.rs` | what a policy is worth |

mod agents;
mod analysis;
mod background;
mod board;
mod engine;
mod exact;
mod exam;
mod matches;
mod measures;
mod opponent;
mod own_engine;
mod players;
mod policy;
mod position;
mod results;
mod single;
mod tables;
mod vector;

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;

/// Arrays need NumPy, which the package does without otherwise.
///
/// # Errors
/// A sentence for an interpreter that has none.
fn need_numpy(py: Python<'_>) -> PyResult<()> {
    let problem = |_| PyImportError::new_err("arrays need NumPy: pip install numpy");
    py.import("numpy").map(drop).map_err(problem)
}

/// What `noughts._noughts` has.
#[pymodule]
mod _noughts {
    #[pymodule_export]
    use super::agents::{AgentDialogue, AgentError, AgentWarning};
    #[pymodule_export]
    use super::analysis::{Analysis, Limit, Line};
    #[pymodule_export]
    use super::engine::{EngineError, PyEngine, PyOption};
    #[pymodule_export]
    use super::exact::{ExactValues, exact_values};
    #[pymodule_export]
    use super::exam::run_exam;
    #[pymodule_export]
    use super::matches::run_match;
    #[pymodule_export]
    use super::measures::{Statistics, playouts, statistics};
    #[pymodule_export]
    use super::policy::policy_figures;
    #[pymodule_export]
    use super::position::{IllegalMoveError, PyPosition, positions};
    #[pymodule_export]
    use super::results::PyRules;
    #[pymodule_export]
    use super::single::{PyOpponent, Values, observe};
    #[pymodule_export]
    use super::vector::BatchGames;
}
