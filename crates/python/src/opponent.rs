//! Opponents of learning agents: they play without another process.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use noughts::engine::{Engine, GoRequest, OptionError, Options, PlayerKind};
use noughts::game::{Cell, Position, Rules};
use noughts::search::{Limits, Stream, ValueTable, generator};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::tables::table;

/// A player of the engine.
pub enum Opponent {
    /// Any of the legal moves.
    Random,
    /// Any of the best moves, from a table.
    Table(Arc<ValueTable>),
    /// The engine with these options.
    Engine(Box<(Engine, Options)>),
}

/// Options that the environment sets itself.
const OF_THE_GAME: [&str; 10] =
    ["command", "size", "columns", "connect", "reverse", "multipv", "uci_variant", "seed", "player", "debug_log_file"];

impl Opponent {
    /// The player of this name with these options.
    pub fn new(py: Python<'_>, rules: Rules, player: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Opponent> {
        let mut set = Options { rules, columns: rules.shape().columns, ..Options::default() };
        let plain = set;
        set.set("player", player).map_err(|error| refused(py, &error))?;
        for (name, value) in options.into_iter().flatten() {
            let name: String = name.extract()?;
            if value.is_none() {
                continue;
            }
            if OF_THE_GAME.contains(&name.to_lowercase().as_str()) {
                return Err(PyTypeError::new_err(format!(
                    "{name} is no option of an opponent: the environment sets it"
                )));
            }
            let text = value.str()?.to_string();
            let text = if value.is_instance_of::<PyBool>() { text.to_lowercase() } else { text };
            set.set(&name.replace('_', " "), &text)
                .or_else(|_| set.set(&name, &text))
                .map_err(|error| refused(py, &error))?;
        }
        let is_plain = Options { player: plain.player, ..set } == plain;
        let in_table = set.player == PlayerKind::Perfect && is_plain;
        let table = if in_table { py.detach(|| table(rules)) } else { None };
        Ok(match table {
            Some(table) => Opponent::Table(table),
            None if set.player == PlayerKind::Random => Opponent::Random,
            None => Opponent::Engine(Box::new((Engine::new(), set))),
        })
    }
}

/// The error of an engine that refuses an option.
fn refused(py: Python<'_>, error: &OptionError) -> PyErr {
    let class = py.import("noughts.protocol").and_then(|module| module.getattr("EngineError"));
    class.and_then(|class| class.call1((error.to_string(),))).map_or_else(|error| error, PyErr::from_value)
}

/// The engine's move. The same seed gives the same move.
pub fn engine_move((engine, options): &mut (Engine, Options), position: &Position, seed: u64) -> Cell {
    let request = GoRequest::new(*position, *options, Limits::default(), generator(seed, Stream::Go(0)));
    engine.think(request, Arc::new(AtomicBool::new(false)), &mut |_| {}).result.lines[0].first_move()
}
