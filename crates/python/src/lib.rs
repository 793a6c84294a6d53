//! The engine as a module of Python: positions, engines, exact values, exams and matches, environments, policies.
//!
//! The package `noughts` (folder `python`) imports this module as `noughts._noughts` and has the rest: what draws, and the
//! interfaces of other packages.
//!
//! | file | what it holds |
//! |---|---|
//! | `exact.rs`, `tables.rs` | exact values as arrays; tables of small boards |
//! | `measures.rs` | playouts, and the statistics of matches |
//! | `position.rs` | positions and moves |
//! | `analysis.rs` | limits of a search, and its answers |
//! | `background.rs` | work on a thread of its own, and signals meanwhile |
//! | `engine.rs` | engines |
//! | `policy.rs` | what a policy is worth |

mod analysis;
mod background;
mod engine;
mod exact;
mod measures;
mod policy;
mod position;
mod tables;

use pyo3::prelude::*;

/// What `noughts._noughts` has.
#[pymodule]
mod _noughts {
    #[pymodule_export]
    use super::analysis::{Analysis, Limit, Line};
    #[pymodule_export]
    use super::engine::{EngineError, PyEngine, PyOption};
    #[pymodule_export]
    use super::exact::{ExactValues, exact_values};
    #[pymodule_export]
    use super::measures::{Statistics, playouts, statistics};
    #[pymodule_export]
    use super::policy::policy_figures;
    #[pymodule_export]
    use super::position::{IllegalMoveError, PyPosition, positions};
}
