//! The report of an exam in every format; as text and Markdown, with tables for people.

use std::io::{self, Write};

use crate::system::json_line;
use crate::text::{Format, ReportTable, grouped};

use super::faults::{FaultCount, Finding};
use super::questions::PositionSample;
use super::report::{ExamReport, Expected, Scores};

/// Writes the report of an exam.
///
/// # Errors
/// When writing to `out` fails.
pub fn write(report: &ExamReport, format: Format, out: &mut dyn Write) -> io::Result<()> {
    if format == Format::Json {
        return out.write_all(json_line(report).as_bytes());
    }
    let print = |table: ReportTable| table.for_people(format);
    for scores in &report.exams {
        writeln!(out, "{}{}\n", format.heading(), headline(scores, report.repeat))?;
        writeln!(out, "{}", print(grade_table(scores, report.repeat)))?;
        if let Some(expected) = &scores.expected {
            writeln!(out, "{}", print(expectation_table(expected)))?;
        }
        match scores.list.as_deref() {
            None | Some([]) => {}
            Some(findings) => writeln!(out, "{}", print(fault_table(findings, has_times(report))))?,
        }
    }
    write!(out, "{}", print(notes(report)))
}

/// The exam of a game in one line.
fn headline(scores: &Scores, repeat: u32) -> String {
    let Scores { rules, all, .. } = scores;
    let answers = shown(all.answers);
    if all.given_away.whole() == Some(0) {
        let flaws: Vec<String> = [(all.wins_slower, "made a win slower"), (all.losses_quicker, "a loss quicker")]
            .into_iter()
            .filter(|(count, _)| count.whole() != Some(0))
            .map(|(count, what)| format!("{} {what}", shown(count)))
            .collect();
        let times = if repeat > 1 { format!(", asked {repeat} times each") } else { String::new() };
        let positions = format!("{} positions{times}", grouped(&all.positions.to_string()));
        return match &flaws[..] {
            [] => format!("{rules}, perfect: no move gave value away in {positions}"),
            flaws => format!("{rules}: no move gave value away in {positions}; {}", flaws.join(", ")),
        };
    }
    let share = all.rate_where_possible.unwrap_or(0.0);
    let illegal = match all.illegal {
        none if none.whole() == Some(0) => String::new(),
        count => format!("; {} illegal", shown(count)),
    };
    let error = scores.error.map_or(String::new(), |error| format!(" \u{b1} {:.1}%", 100.0 * error));
    format!(
        "{rules}: {} of {answers} answers gave value away ({:.1}%{error} of the {} positions where that is possible){illegal}",
        shown(all.given_away),
        100.0 * share,
        grouped(&all.possible.to_string()),
    )
}

/// A number in a sentence: `4,520`, or `1,899.98` where moves shared answers.
fn shown(count: FaultCount) -> String {
    let text = plain(count);
    match text.split_once('.') {
        Some((whole, part)) => format!("{}.{part}", grouped(whole)),
        None => grouped(&text),
    }
}

/// The answers of a game by side and by the number of stones.
fn grade_table(scores: &Scores, repeat: u32) -> ReportTable {
    let mut table = ReportTable::new([
        "",
        "answers",
        "gave away",
        "of all",
        "possible",
        "of possible",
        "wins missed",
        "draws lost",
        "illegal",
        "wins slower",
        "losses quicker",
    ]);
    for (name, grade) in scores.groups() {
        let name = match name.parse::<usize>() {
            Ok(1) => "  1 stone".to_owned(),
            Ok(stones) => format!("  {stones} stones"),
            Err(_) if name == "all" => name,
            Err(_) => format!("  as {name}"),
        };
        let rate = |rate: Option<f64>| rate.map_or("-".to_owned(), |rate| format!("{rate:.4}"));
        table.push([
            name,
            plain(grade.answers),
            plain(grade.given_away),
            rate(grade.rate),
            (grade.possible * u64::from(repeat)).to_string(),
            rate(grade.rate_where_possible),
            plain(grade.wins_missed),
            plain(grade.draws_lost),
            plain(grade.illegal),
            plain(grade.wins_slower),
            plain(grade.losses_quicker),
        ]);
    }
    table
}

/// A number in a table: `4520`, or `1899.98`.
fn plain(count: FaultCount) -> String {
    count.whole().map_or_else(|| format!("{:.2}", count.0), |whole| whole.to_string())
}

/// The expected results of games.
fn expectation_table(expected: &Expected) -> ReportTable {
    let mut table = ReportTable::new(["expected", "won", "drawn", "lost", "score"]);
    for (opponent, both) in [("perfect play", expected.perfect), ("random moves", expected.random)] {
        for (side, odds) in [("X", both.x), ("O", both.o)] {
            let mut row = vec![format!("as {side} against {opponent}")];
            row.extend([odds.win, odds.draw, odds.loss, odds.score].map(|probability| format!("{probability:.5}")));
            table.push(row);
        }
    }
    table
}

/// True if the number of times of a fault can differ from 1.
fn has_times(report: &ExamReport) -> bool {
    report.repeat > 1 || report.ties
}

/// The faults, each with its refutation.
fn fault_table(findings: &[Finding], has_times: bool) -> ReportTable {
    let times = has_times.then_some("times");
    let headings = ["stones", "side", "fault"].into_iter().chain(times);
    let mut table = ReportTable::of_words(headings.chain([
        "move",
        "best",
        "value",
        "position",
        "refutation, with best play to the end",
    ]));
    for finding in findings {
        let mut row =
            vec![finding.stones.to_string(), finding.side.clone(), finding.kind.to_string().replace('_', " ")];
        row.extend(has_times.then(|| plain(finding.times)));
        let after = finding.value_after.map_or("lost".to_owned(), |value| value.to_string());
        row.extend([finding.played.clone(), finding.best.join(" "), format!("{} to {after}", finding.value)]);
        row.extend([finding.position.clone(), finding.refutation.clone().unwrap_or_else(|| "-".to_owned())]);
        table.push(row);
    }
    table
}

/// The engine that was asked, and the settings.
fn notes(report: &ExamReport) -> ReportTable {
    let engine = &report.engine;
    let options = engine.options.iter().map(|(name, value)| format!(" option.{name}={value}"));
    let mut asked = match report.repeat {
        1 => "once each".to_owned(),
        repeat => format!("{repeat} times each"),
    };
    asked.push_str(", ");
    asked.push_str(if report.limit == "none" { "no limit" } else { &report.limit });
    asked.extend(report.seed.map(|seed| format!(", seed {seed}")));
    asked.push_str(if report.ties { ", equally good moves in equal parts" } else { "" });
    let mut rows = vec![
        ("engine", format!("{} ({}{})", engine.name, engine.command, options.collect::<String>())),
        ("asked", asked),
    ];
    // Both rules have the same positions, and the same sample of them.
    if let Some(PositionSample { positions, of, seed }) = report.exams.iter().find_map(|scores| scores.sample) {
        let [positions, of] = [positions, of].map(|count| grouped(&count.to_string()));
        rows.push(("sample", format!("{positions} of {of} positions, seed {seed}")));
    }
    ReportTable::notes(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exam::faults::Fault;
    use noughts_core::game::Value;

    #[test]
    fn parts_of_answers_are_shown_as_parts() {
        assert_eq!((shown(FaultCount(4520.0)), plain(FaultCount(4520.0))), ("4,520".to_owned(), "4520".to_owned()));
        assert_eq!(
            (shown(FaultCount(1899.975)), plain(FaultCount(2.0 / 3.0))),
            ("1,899.97".to_owned(), "0.67".to_owned())
        );
    }

    #[test]
    fn values_are_drawn_as_eval_draws_them() {
        let drawn = |value, value_after| {
            let finding = Finding {
                stones: 3,
                side: "O".to_owned(),
                kind: Fault::WinMissed,
                times: FaultCount(1.0),
                position: "position startpos".to_owned(),
                played: "0,0".to_owned(),
                best: vec!["1,1".to_owned()],
                value,
                value_after,
                refutation: None,
                result: None,
            };
            let table = fault_table(&[finding], false).to_text();
            let words: Vec<&str> = table.lines().nth(1).expect("a row").split_whitespace().collect();
            words[6..9].join(" ")
        };
        assert_eq!(drawn(Value::Win(3), Some(Value::Draw)), "W3 to D");
        assert_eq!(drawn(Value::Draw, Some(Value::Loss(4))), "D to L4");
        assert_eq!(drawn(Value::Loss(4), None), "L4 to lost");
    }
}
