//! Opponents of learning agents: they play without another process.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use noughts::engine::{Engine, GoRequest, Options, PlayerKind};
use noughts::game::{Cell, Position, Rules};
use noughts::search::{Limits, Stream, ValueTable, generator};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::engine::{EngineError, setting};
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

impl Opponent {
    /// The player of this name with these options.
    pub fn new(py: Python<'_>, rules: Rules, player: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Opponent> {
        let mut set = Options { rules, columns: rules.shape().columns, ..Options::default() };
        let plain = set;
        set_option(&mut set, "player", &PyString::new(py, player))?;
        for (name, value) in options.into_iter().flatten().filter(|(_, value)| !value.is_none()) {
            let name: String = name.extract()?;
            if ["player", "seed"].contains(&name.to_lowercase().as_str()) {
                let problem = format!("{name} is no option of an opponent: the environment sets it");
                return Err(PyTypeError::new_err(problem));
            }
            set_option(&mut set, &name, &value)?;
        }
        let is_plain = Options { player: plain.player, ..set } == plain;
        let in_table = set.player == PlayerKind::Perfect && is_plain;
        let table = if in_table { py.detach(|| table(rules)) } else { None };
        Ok(match table {
            Some(table) => Opponent::Table(table),
            None if set.player == PlayerKind::Random && is_plain => Opponent::Random,
            None if set.player == PlayerKind::Random => {
                return Err(PyTypeError::new_err(
                    "the opponent random has no options: expected another player, or none of level, trials and so on",
                ));
            }
            None => Opponent::Engine(Box::new((Engine::new(), set))),
        })
    }
}

/// Sets an option of the engine.
fn set_option(options: &mut Options, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let (name, text) = setting(name, value)?;
    options.set(name, &text).map(drop).map_err(|error| EngineError::new_err(error.to_string()))
}

/// The engine's move. The same seed gives the same move.
pub fn engine_move((engine, options): &mut (Engine, Options), position: &Position, seed: u64) -> Cell {
    let request = GoRequest::new(*position, *options, Limits::default(), generator(seed, Stream::Go(0)));
    engine.think(request, Arc::new(AtomicBool::new(false)), &mut |_| {}).result.lines[0].first_move()
}
