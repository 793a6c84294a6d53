//! Exact values of small boards, shared by the process.

use std::sync::{Arc, Mutex};

use noughts::game::Rules;
use noughts::search::ValueTable;

/// The most tables that are kept: the largest have 41 MiB.
const MOST_TABLES: usize = 4;

/// The tables that were used last, the latest first.
static TABLES: Mutex<Vec<(Rules, Arc<ValueTable>)>> = Mutex::new(Vec::new());

/// The table for `rules`, built now if it is not kept. That takes up to half a second, so the caller releases the lock of the
/// interpreter. `None` if the board has more than [`ValueTable::MOST_CELLS`] cells.
pub fn table(rules: Rules) -> Option<Arc<ValueTable>> {
    if rules.cells() > ValueTable::MOST_CELLS {
        return None;
    }
    let mut tables = TABLES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let kept = tables.iter().position(|(known, _)| *known == rules);
    let entry = match kept {
        Some(index) => tables.remove(index),
        None => (rules, Arc::new(ValueTable::build(rules))),
    };
    tables.insert(0, entry.clone());
    tables.truncate(MOST_TABLES);
    Some(entry.1)
}
