//! `go`: what bounds a search.

use std::fmt;
use std::num::NonZeroU64;

use nom::combinator::map_opt;
use nom::multi::many1;

use noughts_core::game::MoveText;
use noughts_core::search::Limits;

use super::grammar::{Mismatch, Parsed, count, expect, milliseconds, move_text, word};

/// `go ...`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GoCommand {
    /// The limits of the search.
    pub limits: Limits,
    /// `searchmoves`: the moves to choose from; empty for all. They need not be legal.
    pub search_moves: Vec<MoveText>,
    /// `mate`: the length of the win to look for, in moves after `uci`, in plies after `ugi`.
    pub mate: Option<NonZeroU64>,
    /// `ponder`: time does not count before `ponderhit`. The move is held back until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Words that mean nothing here and are ignored.
    pub ignored: Vec<String>,
}

impl From<Limits> for GoCommand {
    fn from(limits: Limits) -> GoCommand {
        GoCommand { limits, ..GoCommand::default() }
    }
}

impl fmt::Display for GoCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits = &self.limits;
        let [x, o] = limits.clocks;
        let count = |number: Option<NonZeroU64>| number.map(NonZeroU64::get);
        f.write_str("go")?;
        for (name, number) in [
            ("trials", count(limits.trials)),
            ("nodes", count(limits.nodes)),
            ("depth", count(limits.depth)),
            ("movetime", limits.move_time),
            ("wtime", x.time),
            ("btime", o.time),
            ("winc", x.increment),
            ("binc", o.increment),
            ("movestogo", count(limits.moves_to_go)),
        ] {
            if let Some(number) = number {
                write!(f, " {name} {number}")?;
            }
        }
        if let Some(mate) = self.mate {
            write!(f, " mate {mate}")?;
        }
        let flags = [("ponder", self.ponder), ("infinite", limits.infinite)];
        flags.iter().filter(|(_, is_set)| *is_set).try_for_each(|(name, _)| write!(f, " {name}"))?;
        self.ignored.iter().try_for_each(|word| write!(f, " {word}"))?;
        if !self.search_moves.is_empty() {
            f.write_str(" searchmoves")?;
        }
        self.search_moves.iter().try_for_each(|written| write!(f, " {written}"))
    }
}

/// Limits in any order, each once. Other words are ignored, and listed as such.
pub(super) fn go_command(text: &str) -> Parsed<'_, GoCommand> {
    let mut go = GoCommand::default();
    let mut rest = text;
    while !rest.is_empty() {
        rest = limit(rest, &mut go)?.0;
    }
    Ok((rest, go))
}

/// A whole number behind the name of a limit.
pub(super) fn positive<'a>(name: &str, text: &'a str) -> Parsed<'a, NonZeroU64> {
    expect(format!("a whole number from 1 to {} after {name}", u64::MAX), map_opt(count, NonZeroU64::new))(text)
}

/// A limit or an unknown word.
fn limit<'a>(text: &'a str, go: &mut GoCommand) -> Parsed<'a, ()> {
    let (argument, word) = word(text)?;
    let name = word.to_ascii_lowercase();
    let number = || expect(format!("a whole number up to {} after {name}", u64::MAX), count)(argument);
    let positive = || positive(&name, argument);
    let time = || {
        let expected = format!("a whole number of milliseconds up to {} after {name}", u64::MAX);
        expect(expected, milliseconds)(argument)
    };
    let limits = &mut go.limits;
    let set = match name.as_str() {
        "trials" => once(&mut limits.trials, positive()?),
        "nodes" => once(&mut limits.nodes, positive()?),
        "depth" | "movestogo" => match number()? {
            (rest, 0) => {
                go.ignored.push(format!("{name} 0"));
                Some(rest)
            }
            _ if name == "depth" => once(&mut limits.depth, positive()?),
            _ => once(&mut limits.moves_to_go, positive()?),
        },
        "movetime" => once(&mut limits.move_time, time()?),
        "wtime" | "p1time" => once(&mut limits.clocks[0].time, time()?),
        "btime" | "p2time" => once(&mut limits.clocks[1].time, time()?),
        "winc" | "p1inc" => once(&mut limits.clocks[0].increment, time()?),
        "binc" | "p2inc" => once(&mut limits.clocks[1].increment, time()?),
        "infinite" => flag(&mut limits.infinite, argument),
        "ponder" => flag(&mut go.ponder, argument),
        "mate" => once(&mut go.mate, positive()?),
        "searchmoves" if !go.search_moves.is_empty() => None,
        "searchmoves" => {
            let expected = "moves in the form 1,2, b2 or P@b2 after searchmoves";
            let (rest, moves) = expect(expected, many1(move_text))(argument)?;
            go.search_moves = moves;
            Some(rest)
        }
        _ => {
            go.ignored.push(word.to_owned());
            Some(argument)
        }
    };
    Ok((set.ok_or_else(|| twice(text))?, ()))
}

/// The error of a limit that has been given before; the text begins with its name.
pub(super) fn twice(text: &str) -> nom::Err<Mismatch<'_>> {
    nom::Err::Failure(Mismatch { found: text, expected: Some("each limit once".to_owned()) })
}

/// Sets a limit and returns what follows it; `None` if it has been given before.
pub(super) fn once<'a, T>(limit: &mut Option<T>, (rest, number): (&'a str, T)) -> Option<&'a str> {
    limit.replace(number).is_none().then_some(rest)
}

fn flag<'a>(flag: &mut bool, rest: &'a str) -> Option<&'a str> {
    (!std::mem::replace(flag, true)).then_some(rest)
}
