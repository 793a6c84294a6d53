//! Lines of traces, read back word by word.

#![allow(dead_code)]

use noughts::engine::TraceSearch;
use noughts::protocol::{ProvenResult, TraceEnd, TraceLine, TraceResult, TraceValue};
use noughts::search::LeaveReason;

/// Reads a line of a trace; `None` if it is none.
pub fn read_trace_line(line: &str) -> Option<TraceLine> {
    let mut words = Words(line.strip_prefix("trace ")?.split(' ').collect());
    let read = read(&mut words)?;
    words.0.is_empty().then_some(read)
}

fn read(words: &mut Words<'_>) -> Option<TraceLine> {
    Some(match words.next()? {
        "enter" => TraceLine::Enter {
            ply: words.next()?.parse().ok()?,
            written: words.value_of("move"),
            window: words.value_of("alpha").zip(words.value_of("beta")),
        },
        "leave" => TraceLine::Leave {
            ply: words.next()?.parse().ok()?,
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
        "find" => TraceLine::Find {
            ply: words.next()?.parse().ok()?,
            written: words.value_of("move")?,
            value: words.trace_value()?,
        },
        "iteration" => TraceLine::Iteration(words.next()?.parse().ok()?),
        "select" => TraceLine::Select {
            ply: words.next()?.parse().ok()?,
            written: words.value_of("move")?,
            visits: words.value_of("visits")?,
            value: words.value_of("value")?,
            prior: words.value_of("prior")?,
        },
        "evaluate" => TraceLine::Evaluate {
            ply: words.next()?.parse().ok()?,
            value: words.value_of("value")?,
            results: match words.value_of("wins") {
                Some(wins) => Some([wins, words.value_of("draws")?, words.value_of("losses")?]),
                None => None,
            },
            proven: words.proven(),
        },
        "backup" => TraceLine::Backup {
            ply: words.next()?.parse().ok()?,
            visits: words.value_of("visits")?,
            total: words.value_of("total")?,
            value: words.value_of("value")?,
            proven: words.proven(),
        },
        "playout" => TraceLine::Playout {
            number: words.next()?.parse().ok()?,
            result: result(&words.value_of::<String>("result")?)?,
            moves: {
                let mut moves: Vec<_> = words.value_of("moves").into_iter().collect();
                while let Some(word) = words.next() {
                    moves.push(word.parse().ok()?);
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

    /// The value behind a key, if the key comes next.
    fn value_of<T: std::str::FromStr>(&mut self, key: &str) -> Option<T> {
        let value = self.0.get(1).filter(|_| self.0[0] == key)?.parse().ok()?;
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
