//! The summary of a match in every format; as text and Markdown, with tables for people.

use std::io::{self, Write};

use crate::system::json_line;
use crate::text::{Format, ReportTable};

use super::summary::{MatchSummary, PairingSummary, PartSummary, Range, SprtSummary};

/// Writes the summaries of matches, one after the other.
///
/// # Errors
/// When writing to `out` fails.
pub fn write(matches: &[MatchSummary], format: Format, out: &mut dyn Write) -> io::Result<()> {
    if format == Format::Json {
        return matches.iter().try_for_each(|summary| out.write_all(json_line(summary).as_bytes()));
    }
    let print = |table: ReportTable| table.for_people(format);
    for (index, summary) in matches.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{}{}\n", format.heading(), title(summary))?;
        match &summary.pairings[..] {
            [] => writeln!(out, "no game was played")?,
            [pairing] => {
                write!(out, "{}", print(results_of_two(summary, pairing)))?;
                writeln!(out)?;
                write!(out, "{}", print(meaning_of_two(summary, pairing)))?;
            }
            _ => {
                for table in [standings(summary), cross_table(summary), pairing_table(summary)] {
                    writeln!(out, "{}", print(table))?;
                }
                write!(out, "{}", print(ReportTable::notes(match_notes(summary))))?;
            }
        }
    }
    Ok(())
}

/// The line that names the match.
fn title(summary: &MatchSummary) -> String {
    let rules = summary.rules.map(|rules| rules.to_string()).unwrap_or_default();
    let games = match summary.of {
        Some(of) if of > summary.games => format!("{} of {of} games", summary.games),
        _ => counted(summary.games, "game"),
    };
    let limit = if summary.limit == "none" { "no limit".to_owned() } else { summary.limit.clone() };
    let openings = match summary.openings {
        None => "random openings".to_owned(),
        Some(1) => "one opening".to_owned(),
        Some(openings) => format!("{openings} openings"),
    };
    format!("{rules}, {games}, {limit}, {openings}, seed {}", summary.seed)
}

fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

const PART_HEADINGS: [&str; 7] = ["", "games", "won", "drawn", "lost", "score", "ms/move"];

fn part_row(name: &str, part: &PartSummary) -> Vec<String> {
    let mut row = vec![name.to_owned()];
    row.extend([part.games, part.wins, part.draws, part.losses].map(|count| count.to_string()));
    row.extend([
        part.score.map_or(String::new(), score),
        part.ms_per_move.map_or(String::new(), |ms| format!("{ms:.3}")),
    ]);
    row
}

/// The results of two engines, in total and by colour.
fn results_of_two(summary: &MatchSummary, pairing: &PairingSummary) -> ReportTable {
    let mut table = ReportTable::new(PART_HEADINGS);
    let order = pairing.engines.iter().filter_map(|name| summary.engines.iter().find(|engine| engine.name == *name));
    for engine in order {
        table.push(part_row(&engine.name, &engine.games.total));
        table.push(part_row("  as X", &engine.games.x));
        table.push(part_row("  as O", &engine.games.o));
    }
    table
}

/// The figures below the table of two engines.
fn meaning_of_two(summary: &MatchSummary, pairing: &PairingSummary) -> ReportTable {
    let [first, _] = &pairing.engines;
    let mut rows = vec![("Elo", format!("{first} {}", elo(pairing)))];
    if pairing.exhausted {
        rows.push((
            "exhausted",
            "every opening has been played and both engines always repeat themselves: exact".to_owned(),
        ));
    } else {
        rows.push(("LOS", format!("{:.1}%", 100.0 * pairing.los)));
    }
    if let Some(pairs) = pairing.pairs {
        let counts = pairs.map(|count| count.to_string()).join(" ");
        rows.push(("pairs", format!("{counts}, by points of {first}: 0, 1/2, 1, 3/2, 2")));
    }
    rows.push(("draws", format!("{:.1}%", 100.0 * pairing.draw_ratio)));
    rows.push(("ended by", reasons(pairing)));
    rows.push(("games", format!("{} distinct, {}", pairing.distinct, counted(pairing.repeats, "repeat"))));
    if pairing.weighted {
        rows.push(("weights", "openings stand for different numbers of symmetric ones, and count so".to_owned()));
    }
    ReportTable::notes(rows.into_iter().chain(match_notes(summary)))
}

/// Notes on the whole match, each with its name.
fn match_notes(summary: &MatchSummary) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    rows.extend(summary.sprt.map(|sprt| ("SPRT", sprt_text(&sprt))));
    if summary.pairings.len() > 1 {
        let of_pair = |pairing: &PairingSummary| {
            pairing.sprt.map(|sprt| ("SPRT", format!("{}: {}", pairing.engines.join(" : "), sprt_text(&sprt))))
        };
        rows.extend(summary.pairings.iter().filter_map(of_pair));
    }
    rows.extend(margin_text(summary).map(|text| ("margin", text)));
    rows.extend(summary.games_per_second.map(|speed| ("speed", format!("{} games/s", speed_text(speed)))));
    rows.push(("match", summary.match_id.clone()));
    rows
}

/// The use of the margin by each engine that needed it; `None` when no engine did.
fn margin_text(summary: &MatchSummary) -> Option<String> {
    let engines = summary.engines.iter().filter_map(|engine| {
        let (name, moves) = (&engine.name, counted(engine.margin.moves, "time"));
        engine.margin.ms.map(|ms| format!("{name} needed it {moves}, by {ms:.1} ms at most"))
    });
    Some(engines.collect::<Vec<_>>().join("; ")).filter(|text| !text.is_empty())
}

/// A number of games a second: `9.52`, or `120`.
pub fn speed_text(games_per_second: f64) -> String {
    let decimals = if games_per_second < 10.0 { 2 } else { 0 };
    format!("{games_per_second:.decimals$}")
}

/// `+12.3, between +1.0 and +20.0 (95%)`; without the ends or the number that are infinite.
fn elo(pairing: &PairingSummary) -> String {
    match pairing.elo {
        Range { value: Some(value), .. } if pairing.exhausted => format!("{}, exactly", signed(value)),
        Range { value: Some(value), low, high } => format!("{}, {} (95%)", signed(value), between(low, high)),
        Range { value: None, .. } if pairing.exhausted && pairing.los > 0.5 => "wins every game".to_owned(),
        Range { value: None, .. } if pairing.exhausted => "loses every game".to_owned(),
        Range { value: None, low, high } => format!("{} (95%)", between(low, high)),
    }
}

fn between(low: Option<f64>, high: Option<f64>) -> String {
    match (low, high) {
        (Some(low), Some(high)) => format!("between {} and {}", signed(low), signed(high)),
        (Some(low), None) => format!("above {}", signed(low)),
        (None, Some(high)) => format!("below {}", signed(high)),
        (None, None) => "anything".to_owned(),
    }
}

fn signed(elo: f64) -> String {
    let text = format!("{elo:+.1}");
    if text == "-0.0" { "+0.0".to_owned() } else { text }
}

fn score(score: f64) -> String {
    format!("{score:.4}")
}

fn reasons(pairing: &PairingSummary) -> String {
    let happened = pairing.reasons.iter().filter(|(_, count)| **count > 0);
    happened.map(|(reason, count)| format!("{reason} {count}")).collect::<Vec<_>>().join(", ")
}

fn sprt_text(sprt: &SprtSummary) -> String {
    let verdict = match sprt.verdict {
        "H0" => format!("H0 accepted: {} Elo rather than {}", sprt.elo0, sprt.elo1),
        "H1" => format!("H1 accepted: {} Elo rather than {}", sprt.elo1, sprt.elo0),
        _ => "not decided".to_owned(),
    };
    let exact = match sprt.exact {
        None => String::new(),
        Some("H0") => format!("; the exact score is no better than {} Elo: H0 is true", sprt.elo0),
        Some("H1") => format!("; the exact score is no worse than {} Elo: H1 is true", sprt.elo1),
        Some(_) => format!("; the exact score is between {} and {} Elo: neither is true", sprt.elo0, sprt.elo1),
    };
    let SprtSummary { llr, low, high, elo0, elo1, .. } = sprt;
    format!("LLR {llr:.2} ({low:.2} to {high:.2}) for [{elo0}, {elo1}]; {verdict}{exact}")
}

/// All engines, best first.
fn standings(summary: &MatchSummary) -> ReportTable {
    let mut table = ReportTable::new([&PART_HEADINGS[..], &["as X", "as O", "Elo", "from", "to"]].concat());
    for engine in &summary.engines {
        let mut row = part_row(&engine.name, &engine.games.total);
        row.extend([engine.games.x.score, engine.games.o.score].map(|part| part.map_or(String::new(), score)));
        row.extend([engine.elo.value, engine.elo.low, engine.elo.high].map(|elo| elo.map_or("-".to_owned(), signed)));
        table.push(row);
    }
    table
}

/// The points of every engine against every other.
fn cross_table(summary: &MatchSummary) -> ReportTable {
    let names = summary.engines.iter().map(|engine| engine.name.clone());
    let mut table = ReportTable::new(std::iter::once("points".to_owned()).chain(names));
    for engine in &summary.engines {
        let against = |opponent: &str| {
            let found = summary.pairings.iter().find_map(|pairing| match &pairing.engines {
                [first, second] if *first == engine.name && second == opponent => {
                    Some((pairing.games.total.wins, pairing))
                }
                [first, second] if *second == engine.name && first == opponent => {
                    Some((pairing.games.total.losses, pairing))
                }
                _ => None,
            });
            let points = |(wins, pairing): (u64, &PairingSummary)| {
                format!("{} / {}", wins as f64 + pairing.games.total.draws as f64 / 2.0, pairing.games.total.games)
            };
            found.map_or("-".to_owned(), points)
        };
        let points = summary.engines.iter().map(|opponent| against(&opponent.name));
        table.push(std::iter::once(engine.name.clone()).chain(points));
    }
    table
}

/// The results of every pair of engines.
fn pairing_table(summary: &MatchSummary) -> ReportTable {
    let mut table = ReportTable::new([
        "", "games", "won", "drawn", "lost", "score", "Elo", "from", "to", "LOS", "draws", "distinct", "repeats",
        "ended by",
    ]);
    for pairing in &summary.pairings {
        let PartSummary { games, wins, draws, losses, .. } = pairing.games.total;
        let mut row = vec![pairing.engines.join(" : ")];
        row.extend([games, wins, draws, losses].map(|count| count.to_string()));
        row.push(pairing.games.total.score.map_or(String::new(), score));
        row.extend(
            [pairing.elo.value, pairing.elo.low, pairing.elo.high].map(|elo| elo.map_or("-".to_owned(), signed)),
        );
        let los = if pairing.exhausted { "exact".to_owned() } else { format!("{:.1}%", 100.0 * pairing.los) };
        row.extend([los, format!("{:.1}%", 100.0 * pairing.draw_ratio)]);
        row.extend([pairing.distinct.to_string(), pairing.repeats.to_string(), reasons(pairing)]);
        table.push(row);
    }
    table
}
