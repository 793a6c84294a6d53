//! `trace` lines: what a search does, step by step. Values are printed with at most 4 decimals.

use std::fmt::Display;

use noughts_core::game::Score;
use noughts_core::search::TraceEvent;

use crate::engine::{MoveTotal, Options, Trace, TraceCounts};
use crate::text::decimal;

/// The line of an event.
pub fn event_line(event: &TraceEvent, options: &Options) -> String {
    let written = |cell| options.write_move(cell);
    let rest = match *event {
        TraceEvent::Enter { ply, cell, window } => {
            let window = window.map_or_else(String::new, |(alpha, beta)| format!(" alpha {alpha} beta {beta}"));
            format!("{ply}{}{window}", pair("move", cell.map(written)))
        }
        TraceEvent::Leave { ply, score, reason } => format!("{ply}{} reason {}", value(score), reason.name()),
        TraceEvent::Find { ply, cell, score } => format!("{ply} move {}{}", written(cell), value(score)),
        TraceEvent::Iteration(number) => number.to_string(),
        TraceEvent::Select { ply, cell, visits, mean, prior } => {
            let (mean, prior) = (decimal(mean), decimal(prior.into()));
            format!("{ply} move {} visits {visits} value {mean} prior {prior}", written(cell))
        }
        TraceEvent::Evaluate { ply, value, results, proven } => {
            let ends = (results.count() > 0)
                .then(|| format!(" wins {} draws {} losses {}", results.wins, results.draws, results.losses));
            format!("{ply} value {}{}{}", decimal(value), ends.unwrap_or_default(), result(proven))
        }
        TraceEvent::Backup { ply, visits, total, proven } => {
            let mean = decimal(total / f64::from(visits.max(1)));
            format!("{ply} visits {visits} total {} value {mean}{}", decimal(total), result(proven))
        }
        TraceEvent::Playout { number, result, ref moves } => {
            let moves: String = moves.iter().map(|&cell| format!(" {}", written(cell))).collect();
            format!("{number} result {} moves{moves}", result_name(result))
        }
    };
    format!("trace {} {rest}", event.kind().name())
}

/// The line of what a search has found about a move.
pub fn total_line(total: &MoveTotal, options: &Options) -> String {
    match *total {
        MoveTotal::Playouts { cell, playouts, total, expected } => {
            let (written, expected) = (options.write_move(cell), pair("expected", expected.map(decimal)));
            format!("trace total move {written} playouts {playouts} total {}{expected}", decimal(total))
        }
        MoveTotal::Tree(of_move) => {
            let (written, visits) = (options.write_move(of_move.cell), of_move.visits);
            let [total, mean, prior] = [of_move.total, of_move.mean(), of_move.prior.into()].map(decimal);
            let proven = result(of_move.proven);
            format!("trace total move {written} visits {visits} total {total} value {mean} prior {prior}{proven}")
        }
    }
}

/// The last line of a trace, of which so many events of each kind have been sent.
pub fn end_line(trace: &Trace, sent: &TraceCounts, options: &Options) -> String {
    let Trace { search, log, nodes, score, best, is_finished, .. } = trace;
    let score = score.map_or_else(String::new, value);
    let best = pair("move", best.map(|cell| options.write_move(cell)));
    let unsent = search.kinds().iter().map(|&kind| pair(kind.name(), Some(log.counts.of(kind) - sent.of(kind))));
    let (name, sent, unsent) = (search.name(), sent.sum(), unsent.collect::<String>());
    format!("trace end search {name} nodes {nodes}{score}{best} finished {is_finished} sent {sent}{unsent}")
}

/// A value, and the plies to the end of the game behind an exact win or loss.
fn value(score: Score) -> String {
    format!(" value {}{}", decimal(score.expected_result()), plies(score))
}

/// A result that is proven, and the plies to the end of the game where they are too.
fn result(proven: Option<Score>) -> String {
    let result = |score: Score| Some(format!(" proven {}{}", result_name(score.proven()?.result()), plies(score)));
    proven.and_then(result).unwrap_or_default()
}

fn plies(score: Score) -> String {
    let plies = match score {
        Score::Exact(value) => value.plies(),
        Score::Within(_) | Score::Estimate(_) => None,
    };
    pair("plies", plies)
}

/// The word for a result that is 1, 0 or -1.
fn result_name(result: i8) -> &'static str {
    match result.signum() {
        1 => "win",
        0 => "draw",
        _ => "loss",
    }
}

/// A key and its value, if there is one.
fn pair(key: &str, value: Option<impl Display>) -> String {
    value.map_or_else(String::new, |value| format!(" {key} {value}"))
}
