//! Lines of traces, read back word by word.

#![allow(dead_code)]

use std::fmt::Display;
use std::str::FromStr;

use noughts::engine::TraceSearch;
use noughts::game::MoveText;
use noughts::search::{LeaveReason, TraceKind};

/// A line of a trace.
#[derive(Clone, PartialEq, Debug)]
pub enum TraceLine {
    Enter { ply: u64, written: Option<MoveText>, window: Option<(i64, i64)> },
    Leave { ply: u64, value: TraceValue, reason: LeaveReason },
    Find { ply: u64, written: MoveText, value: TraceValue },
    Iteration(u64),
    Select { ply: u64, written: MoveText, visits: u64, value: f64, prior: f64 },
    Evaluate { ply: u64, value: f64, results: Option<[u64; 3]>, proven: Option<ProvenResult> },
    Backup { ply: u64, visits: u64, total: f64, value: f64, proven: Option<ProvenResult> },
    Playout { number: u64, result: TraceResult, moves: Vec<MoveText> },
    MonteCarloTotal { written: MoveText, playouts: u64, total: f64, expected: Option<f64> },
    TreeTotal { written: MoveText, visits: u64, total: f64, value: f64, prior: f64, proven: Option<ProvenResult> },
    End(TraceEnd),
}

/// A value from -1 to 1, and the plies to the end of the game for an exact win or loss.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TraceValue {
    pub value: f64,
    pub plies: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceResult {
    Win,
    Draw,
    Loss,
}

impl TraceResult {
    /// The result of a value that is 1, 0 or -1.
    pub fn of(result: i8) -> TraceResult {
        match result {
            1 => TraceResult::Win,
            0 => TraceResult::Draw,
            _ => TraceResult::Loss,
        }
    }
}

/// A result that is proven, and the plies to the end of the game where they are too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProvenResult {
    pub result: TraceResult,
    pub plies: Option<u64>,
}

/// The last line of a trace.
#[derive(Clone, PartialEq, Debug)]
pub struct TraceEnd {
    pub search: TraceSearch,
    pub nodes: u64,
    pub value: Option<TraceValue>,
    pub best: Option<MoveText>,
    pub is_finished: bool,
    /// Lines of events.
    pub sent: u64,
    /// Events of each kind that were not sent.
    pub unsent: Vec<(TraceKind, u64)>,
}

/// Reads a line of a trace; `None` if it is none. Every word of it is printed as its value is printed again.
pub fn read_trace_line(line: &str) -> Option<TraceLine> {
    let mut words = Words(line.strip_prefix("trace ")?.split(' ').collect());
    let read = read(&mut words)?;
    words.0.is_empty().then_some(read)
}

fn read(words: &mut Words<'_>) -> Option<TraceLine> {
    Some(match words.next()? {
        "enter" => TraceLine::Enter {
            ply: words.parse_next()?,
            written: words.value_of("move"),
            window: words.value_of("alpha").zip(words.value_of("beta")),
        },
        "leave" => TraceLine::Leave {
            ply: words.parse_next()?,
            value: words.trace_value()?,
            reason: match words.value_of::<String>("reason")?.as_str() {
                "gameover" => LeaveReason::GameOver,
                "allmoves" => LeaveReason::AllMoves,
                "cutoff" => LeaveReason::CutOff,
                "table" => LeaveReason::Table,
                "symmetry" => LeaveReason::Symmetry,
                _ => return None,
            },
        },
        "find" => {
            TraceLine::Find { ply: words.parse_next()?, written: words.value_of("move")?, value: words.trace_value()? }
        }
        "iteration" => TraceLine::Iteration(words.parse_next()?),
        "select" => TraceLine::Select {
            ply: words.parse_next()?,
            written: words.value_of("move")?,
            visits: words.value_of("visits")?,
            value: words.value_of("value")?,
            prior: words.value_of("prior")?,
        },
        "evaluate" => TraceLine::Evaluate {
            ply: words.parse_next()?,
            value: words.value_of("value")?,
            results: match words.value_of("wins") {
                Some(wins) => Some([wins, words.value_of("draws")?, words.value_of("losses")?]),
                None => None,
            },
            proven: words.proven(),
        },
        "backup" => TraceLine::Backup {
            ply: words.parse_next()?,
            visits: words.value_of("visits")?,
            total: words.value_of("total")?,
            value: words.value_of("value")?,
            proven: words.proven(),
        },
        "playout" => TraceLine::Playout {
            number: words.parse_next()?,
            result: result(&words.value_of::<String>("result")?)?,
            moves: {
                let mut moves: Vec<_> = words.value_of("moves").into_iter().collect();
                while !words.0.is_empty() {
                    moves.push(words.parse_next()?);
                }
                moves
            },
        },
        "total" => {
            let written = words.value_of("move")?;
            match words.value_of("playouts") {
                Some(playouts) => TraceLine::MonteCarloTotal {
                    written,
                    playouts,
                    total: words.value_of("total")?,
                    expected: words.value_of("expected"),
                },
                None => TraceLine::TreeTotal {
                    written,
                    visits: words.value_of("visits")?,
                    total: words.value_of("total")?,
                    value: words.value_of("value")?,
                    prior: words.value_of("prior")?,
                    proven: words.proven(),
                },
            }
        }
        "end" => {
            let name: String = words.value_of("search")?;
            let search = TraceSearch::all().find(|search| search.name() == name)?;
            TraceLine::End(TraceEnd {
                search,
                nodes: words.value_of("nodes")?,
                value: words.trace_value(),
                best: words.value_of("move"),
                is_finished: words.value_of("finished")?,
                sent: words.value_of("sent")?,
                unsent: search.kinds().iter().filter_map(|&kind| Some((kind, words.value_of(kind.name())?))).collect(),
            })
        }
        _ => return None,
    })
}

fn result(name: &str) -> Option<TraceResult> {
    match name {
        "win" => Some(TraceResult::Win),
        "draw" => Some(TraceResult::Draw),
        "loss" => Some(TraceResult::Loss),
        _ => None,
    }
}

/// The words that have not been read yet.
struct Words<'a>(Vec<&'a str>);

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<&'a str> {
        (!self.0.is_empty()).then(|| self.0.remove(0))
    }

    fn parse_next<T: FromStr + Display>(&mut self) -> Option<T> {
        parse(self.next()?)
    }

    /// The value behind a key, if the key comes next.
    fn value_of<T: FromStr + Display>(&mut self, key: &str) -> Option<T> {
        let value = parse(self.0.get(1).filter(|_| self.0[0] == key)?)?;
        self.0.drain(..2);
        Some(value)
    }

    fn trace_value(&mut self) -> Option<TraceValue> {
        Some(TraceValue { value: self.value_of("value")?, plies: self.value_of("plies") })
    }

    fn proven(&mut self) -> Option<ProvenResult> {
        Some(ProvenResult { result: result(&self.value_of::<String>("proven")?)?, plies: self.value_of("plies") })
    }
}

fn parse<T: FromStr + Display>(word: &str) -> Option<T> {
    let value: T = word.parse().ok()?;
    assert_eq!(value.to_string(), word, "what is read is printed as the same word");
    Some(value)
}
