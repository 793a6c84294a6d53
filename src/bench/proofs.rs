//! Measures the time of proofs: of empty boards, and of the hardest known positions.
//!
//! Every proof is made by a new solver with an empty table.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use crate::engine::{Engine, GoRequest, Options, PlayerKind};
use crate::protocol::Command;
use noughts_core::game::{Bounds, MAX_SIZE, Position, Rules, Value};
use noughts_core::search::{Control, Limits, Solver, Stream, Technique, generator};

use super::measure::{median_of, rules};

/// The number of times that a proof is made. The median counts.
const RUNS: u32 = 5;

/// A proof that takes longer than this is made only once.
const LONG: Duration = Duration::from_millis(200);

/// The usual memory of the solver in MiB: the default of the option `Hash`.
const MEMORY: u32 = 64;

/// The memory for the hardest positions, in MiB.
const LARGE_MEMORY: u32 = 256;

/// The hard positions of the tests: rules, position, how it was made, and the nodes of its proof.
const DATA: &str = include_str!("../../tests/data/positions.csv");

/// Positions that are won by threats: rules, position, kind, and the plies of the win that was found.
const THREATS: &str = include_str!("../../tests/data/threats.csv");

/// A position whose proof takes long.
#[derive(Clone, Debug)]
pub struct HardPosition {
    /// The position, in which the game goes on.
    pub position: Position,
    /// Its origin: `biased` by play with mistakes on purpose, `climbed` or `endgame` by changes from there.
    pub made: &'static str,
    /// The nodes of its proof when the position was made.
    pub nodes: u64,
}

/// The rows of a table of positions: each with its position and its fields.
fn rows(table: &'static str) -> impl Iterator<Item = (Position, [&'static str; 4])> {
    let read = |line: &'static str| {
        let mut fields = line.split(',');
        let fields @ [rules, diagram, ..] = [(); 4].map(|()| fields.next().unwrap_or_default());
        let Ok(Command::Position(command)) = format!("position fen {diagram}").parse() else { return None };
        Some((Position::set_up(rules.parse().ok()?, &command.diagram?).ok()?, fields))
    };
    table.lines().skip(1).map(move |line| read(line).expect("the data is a table of positions"))
}

/// The hard positions of this project, on boards from 4x4 to 20x20, under both rules.
pub fn hard_positions() -> impl Iterator<Item = HardPosition> {
    rows(DATA).map(|(position, [_, _, made, nodes])| {
        let nodes = nodes.parse().expect("the data has a number of nodes");
        HardPosition { position, made, nodes }
    })
}

/// Measures proofs that take seconds; with `all`, also proofs that take up to a minute.
pub fn run(all: bool, out: &mut dyn Write) -> io::Result<()> {
    row(out, &["proofs", "positions", "time of the worst", "nodes"])?;
    empty_boards(out)?;
    for group in GROUPS {
        group.measure(out)?;
    }
    wins_by_threats(all, out)?;
    row(out, &["proofs of a start", "", "time", "nodes"])?;
    for start in STARTS.iter().filter(|start| all || !start.is_long) {
        start.measure(out)?;
    }
    Ok(())
}

/// Writes a line of the table. In a heading, the first cell is not indented.
fn row(out: &mut dyn Write, cells: &[&str; 4]) -> io::Result<()> {
    let [name, positions, time, nodes] = cells;
    let name = if time.starts_with("time") || time.starts_with("within") {
        format!("\n{name:<38}")
    } else {
        format!("  {name:<36}")
    };
    writeln!(out, "{name}{positions:>10}{time:>19}{nodes:>13}")
}

/// A time in the unit that fits.
fn shown(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 1e-3 => format!("{:.1} us", seconds * 1e6),
        seconds if seconds < 1.0 => format!("{:.2} ms", seconds * 1e3),
        seconds => format!("{seconds:.2} s"),
    }
}

/// The median time of a proof, made anew each time, and its nodes. A proof that takes long is made once.
fn cold(mut prove: impl FnMut() -> u64) -> (Duration, u64) {
    let mut times = Vec::new();
    let mut nodes = 0;
    for _ in 0..RUNS {
        let start = Instant::now();
        nodes = prove();
        times.push(start.elapsed());
        if times[0] > LONG {
            break;
        }
    }
    (median_of(times), nodes)
}

/// The first `go` of an engine on every board with lines as long as the board.
fn empty_boards(out: &mut dyn Write) -> io::Result<()> {
    let games: Vec<Rules> =
        (3..=MAX_SIZE).flat_map(|size| [false, true].map(|reverse| rules(size, 0, reverse))).collect();
    let worst = games.iter().map(|&rules| cold(|| first_go(rules))).max_by_key(|(time, _)| *time);
    let (time, nodes) = worst.unwrap_or_default();
    let name = format!("first go, 3x3 to {MAX_SIZE}x{MAX_SIZE}, both rules");
    row(out, &[&name, &games.len().to_string(), &shown(time), &nodes.to_string()])
}

/// The nodes of the first answer of a new engine.
fn first_go(rules: Rules) -> u64 {
    let options = Options { rules, player: PlayerKind::Perfect, ..Options::default() };
    let request = GoRequest::new(Position::start(rules), options, Limits::default(), generator(1, Stream::Go(1)));
    Engine::new().think(request, Default::default(), &mut |_| {}).result.nodes
}

/// Hard positions of several boards with lines as long as the board.
struct Group {
    name: &'static str,
    /// The smallest and the largest board.
    sizes: [u8; 2],
    /// True for the reverse rules, false for the normal ones, `None` for both.
    reverse: Option<bool>,
    /// True if only positions of biased play count, and their 99th percentile instead of the hardest.
    biased: bool,
    mebibytes: u32,
}

/// A group whose hardest position counts.
const HARDEST: Group = Group { name: "", sizes: [0; 2], reverse: Some(true), biased: false, mebibytes: MEMORY };

const GROUPS: [Group; 7] = [
    Group { name: "4x4, both rules", sizes: [4, 4], reverse: None, ..HARDEST },
    Group { name: "5x5 to 8x8", sizes: [5, 8], reverse: Some(false), ..HARDEST },
    Group { name: "9x9 to 20x20", sizes: [9, 20], reverse: Some(false), ..HARDEST },
    Group { name: "5x5 reverse", sizes: [5, 5], ..HARDEST },
    Group { name: "6x6 reverse", sizes: [6, 6], ..HARDEST },
    Group { name: "7x7 and 8x8 reverse, Hash 256", sizes: [7, 8], mebibytes: LARGE_MEMORY, ..HARDEST },
    Group { name: "9x9 to 20x20 reverse, biased, p99", sizes: [9, 20], biased: true, ..HARDEST },
];

impl Group {
    fn holds(&self, hard: &HardPosition) -> bool {
        let rules = hard.position.rules();
        let [smallest, largest] = self.sizes;
        let side = rules.shape().shorter_side();
        rules.shape().is_square()
            && (smallest..=largest).contains(&side)
            && rules.line_length() == Some(side)
            && self.reverse.is_none_or(|reverse| rules.reverse() == reverse)
            && (!self.biased || hard.made == "biased")
    }

    fn measure(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut proofs: Vec<(Duration, u64)> = hard_positions()
            .filter(|hard| self.holds(hard))
            .map(|hard| cold(|| value_and_best_moves(&hard.position, self.mebibytes)))
            .collect();
        proofs.sort_unstable();
        // With fewer than a hundred positions, the 99th percentile is the hardest.
        let share = if self.biased { 0.99 } else { 1.0 };
        let rank = (proofs.len() as f64 * share).ceil() as usize;
        let (time, nodes) = proofs.get(rank.saturating_sub(1)).copied().unwrap_or_default();
        row(out, &[self.name, &proofs.len().to_string(), &shown(time), &nodes.to_string()])
    }
}

/// The nodes that a new solver needs for the value of a position and its best moves.
fn value_and_best_moves(position: &Position, mebibytes: u32) -> u64 {
    let control = Control::unlimited();
    let mut solver = Solver::new(position.rules(), mebibytes);
    solver.bounds(position, &control);
    solver.best_moves(position, &control);
    solver.nodes()
}

/// The share of the positions won by threats whose win is proven within so many milliseconds, by board and kind.
fn wins_by_threats(all: bool, out: &mut dyn Write) -> io::Result<()> {
    const LIMITS: [u64; 2] = [100, 1_000];
    let limits = if all { &LIMITS[..] } else { &LIMITS[..1] };
    let heading = if all { "within 0.1 s, 1 s" } else { "within 0.1 s" };
    row(out, &["wins by threats", "positions", heading, ""])?;
    let mut groups: Vec<(String, Vec<Position>)> = Vec::new();
    for (position, [rules, _, kind, _]) in rows(THREATS) {
        let name = format!("{rules}, {kind}");
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, positions)) => positions.push(position),
            None => groups.push((name, vec![position])),
        }
    }
    for (name, positions) in groups {
        let is_proven = |position: &&Position, milliseconds: u64| {
            let player = PlayerKind::Perfect;
            let options = Options { rules: position.rules(), player, move_overhead: 0, ..Options::default() };
            let limits = Limits { move_time: Some(milliseconds), ..Limits::default() };
            let request = GoRequest::new(**position, options, limits, generator(1, Stream::Go(1)));
            let result = Engine::new().think(request, Default::default(), &mut |_| {}).result;
            result.score.proven().is_some_and(|value| value > Value::Draw)
        };
        let share = |milliseconds: &u64| {
            let proven = positions.iter().filter(|position| is_proven(position, *milliseconds)).count();
            format!("{:.1}%", 100.0 * proven as f64 / positions.len() as f64)
        };
        let shares: Vec<String> = limits.iter().map(share).collect();
        row(out, &[&name, &positions.len().to_string(), &shares.join("  "), ""])?;
    }
    Ok(())
}

/// An empty board whose value is proven.
struct Start {
    size: u8,
    connect: u16,
    reverse: bool,
    /// True if theorems and stored pairings may be used. Strategy stealing always is.
    theorems: bool,
    /// True if the proof takes many seconds.
    is_long: bool,
}

/// A start whose proof takes some seconds at most.
const SHORT: Start = Start { size: 0, connect: 0, reverse: false, theorems: true, is_long: false };

const STARTS: [Start; 11] = [
    Start { size: 5, connect: 4, ..SHORT },
    Start { size: 6, connect: 4, ..SHORT },
    Start { size: 7, connect: 4, ..SHORT },
    Start { size: 6, connect: 5, theorems: false, ..SHORT },
    Start { size: 7, connect: 5, ..SHORT },
    Start { size: 7, connect: 5, theorems: false, ..SHORT },
    Start { size: 8, connect: 6, theorems: false, ..SHORT },
    Start { size: 8, connect: 4, ..SHORT },
    Start { size: 4, connect: 3, reverse: true, ..SHORT },
    Start { size: 5, connect: 3, reverse: true, is_long: true, ..SHORT },
    Start { size: 5, connect: 4, reverse: true, is_long: true, ..SHORT },
];

impl Start {
    fn measure(&self, out: &mut dyn Write) -> io::Result<()> {
        let rules = rules(self.size, self.connect, self.reverse);
        let mut bounds = Bounds::UNKNOWN;
        let (time, nodes) = cold(|| {
            let mut solver = Solver::new(rules, MEMORY);
            if !self.theorems {
                solver = solver.without(&[Technique::Theorem]);
            }
            bounds = solver.bounds(&Position::start(rules), &Control::unlimited());
            solver.nodes()
        });
        let how = if self.theorems { "" } else { ", no theorems" };
        let value = match bounds.exact() {
            Some(Value::Win(plies)) => format!("win in {plies}"),
            Some(Value::Draw) => "draw".to_owned(),
            Some(Value::Loss(plies)) => format!("loss in {plies}"),
            None => "open".to_owned(),
        };
        row(out, &[&format!("{rules}{how}, {value}"), "", &shown(time), &nodes.to_string()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_has_hard_positions_in_which_the_game_goes_on() {
        assert!(hard_positions().all(|hard| hard.position.outcome().is_none()));
        for group in GROUPS {
            assert!(hard_positions().any(|hard| group.holds(&hard)), "{}", group.name);
        }
    }

    #[test]
    fn times_have_a_unit_that_fits() {
        let times = [(500, "500.0 us"), (12_340, "12.34 ms"), (2_500_000, "2.50 s")];
        for (microseconds, text) in times {
            assert_eq!(shown(Duration::from_micros(microseconds)), text);
        }
    }
}
