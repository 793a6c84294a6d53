//! An exam in print.

use std::io::{self, Write};

use crate::text::{Format, Sheet, grouped};

use super::{Count, ExamReport, Expected, Fault, Finding, Grade, Marks, Odds, Sample};

/// Writes an exam.
///
/// # Errors
/// When `out` takes no more.
pub fn write(report: &ExamReport, format: Format, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Text => write_paragraphs(report, out, &|sheet| sheet.to_text(), ""),
        Format::Markdown => write_paragraphs(report, out, &|sheet| sheet.to_markdown(), "### "),
        Format::Json => {
            serde_json::to_writer(&mut *out, report)?;
            writeln!(out)
        }
        Format::Csv if report.exams.iter().any(|marks| marks.list.is_some()) => all_findings(report).write_csv(out),
        Format::Csv => spread(report).write_csv(out),
    }
}

fn write_paragraphs(
    report: &ExamReport,
    out: &mut dyn Write,
    print: &dyn Fn(&Sheet) -> String,
    heading: &str,
) -> io::Result<()> {
    for marks in &report.exams {
        writeln!(out, "{heading}{}\n", verdict(marks, report.repeat))?;
        writeln!(out, "{}", print(&figures(marks, report.repeat)))?;
        if let Some(expected) = &marks.expected {
            writeln!(out, "{}", print(&expectations(expected)))?;
        }
        match marks.list.as_deref() {
            None | Some([]) => {}
            Some(findings) => writeln!(out, "{}", print(&list(findings, has_times(report))))?,
        }
    }
    write!(out, "{}", print(&notes(report)))
}

/// The whole exam of a game in one line.
fn verdict(marks: &Marks, repeat: u32) -> String {
    let Marks { rules, all, .. } = marks;
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
    format!(
        "{rules}: {} of {answers} answers gave value away ({:.1}% of the {} positions where that is possible){illegal}",
        shown(all.given_away),
        100.0 * share,
        grouped(&all.possible.to_string()),
    )
}

/// A number for people: `4,520`, or `1,899.98` where moves shared answers.
fn shown(count: Count) -> String {
    let text = plain(count);
    match text.split_once('.') {
        Some((whole, part)) => format!("{}.{part}", grouped(whole)),
        None => grouped(&text),
    }
}

/// The answers of a game by side and by the number of stones.
fn figures(marks: &Marks, repeat: u32) -> Sheet {
    let mut sheet = Sheet::new([
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
    for (name, grade) in groups(marks) {
        let name = match name.parse::<usize>() {
            Ok(1) => "  1 stone".to_owned(),
            Ok(stones) => format!("  {stones} stones"),
            Err(_) if name == "all" => name,
            Err(_) => format!("  as {name}"),
        };
        let rate = |rate: Option<f64>| rate.map_or("-".to_owned(), |rate| format!("{rate:.4}"));
        sheet.push([
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
    sheet
}

/// A number in a table.
fn plain(count: Count) -> String {
    count.whole().map_or_else(|| format!("{:.2}", count.0), |whole| whole.to_string())
}

/// The grades of a game: `all`, `X`, `O`, and by the number of stones.
fn groups(marks: &Marks) -> impl Iterator<Item = (String, &Grade)> {
    let named = [("all", &marks.all), ("X", &marks.x), ("O", &marks.o)];
    let by_stones = marks.stones.iter().enumerate().map(|(stones, grade)| (stones.to_string(), grade));
    named.into_iter().map(|(name, grade)| (name.to_owned(), grade)).chain(by_stones)
}

/// What is to be expected from games.
fn expectations(expected: &Expected) -> Sheet {
    let mut sheet = Sheet::new(["expected", "won", "drawn", "lost", "score"]);
    for (opponent, both) in [("perfect play", expected.perfect), ("random moves", expected.random)] {
        for (side, odds) in [("X", both.x), ("O", both.o)] {
            let mut row = vec![format!("as {side} against {opponent}")];
            row.extend(fields(&odds).map(|probability| format!("{probability:.5}")));
            sheet.push(row);
        }
    }
    sheet
}

fn fields(odds: &Odds) -> [f64; 4] {
    [odds.win, odds.draw, odds.loss, odds.score]
}

/// Whether faults come in other numbers than one.
fn has_times(report: &ExamReport) -> bool {
    report.repeat > 1 || report.ties
}

/// The faults, each with its refutation.
fn list(findings: &[Finding], has_times: bool) -> Sheet {
    let times = has_times.then_some("times");
    let headings = ["stones", "side", "fault"].into_iter().chain(times);
    let mut sheet =
        Sheet::of_words(headings.chain(["move", "best", "value", "position", "refutation, with best play to the end"]));
    for finding in findings {
        let mut row = vec![finding.stones.to_string(), finding.side.clone(), finding.kind.name().to_owned()];
        row.extend(has_times.then(|| plain(finding.times)));
        let before = value(finding.value, finding.plies);
        let after = match finding.kind {
            Fault::Illegal => "lost".to_owned(),
            _ => value(finding.value_after, finding.plies_after),
        };
        row.extend([finding.played.clone(), finding.best.join(" "), format!("{before} to {after}")]);
        row.extend([finding.position.clone(), finding.refutation.clone().unwrap_or_else(|| "-".to_owned())]);
        sheet.push(row);
    }
    sheet
}

/// A value as `eval` draws it: `W3`, `D`, `L4`.
fn value(result: i8, plies: Option<u16>) -> String {
    let plies = plies.map_or(String::new(), |plies| plies.to_string());
    match result {
        0 => "D".to_owned(),
        1 => format!("W{plies}"),
        _ => format!("L{plies}"),
    }
}

/// Who was asked, and how.
fn notes(report: &ExamReport) -> Sheet {
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
    let mut sheet = Sheet::notes();
    sheet.push(["engine".to_owned(), format!("{} ({}{})", engine.name, engine.command, options.collect::<String>())]);
    sheet.push(["asked".to_owned(), asked]);
    // Both rules have the same positions, and the same sample of them.
    if let Some(Sample { positions, of, seed }) = report.exams.iter().find_map(|marks| marks.sample) {
        let [positions, of] = [positions, of].map(|count| grouped(&count.to_string()));
        sheet.push(["sample".to_owned(), format!("{positions} of {of} positions, seed {seed}")]);
    }
    sheet
}

/// What stands in front of every row for programs.
const ORIGIN: [&str; 5] = ["engine", "command", "size", "connect", "reverse"];

fn origin(report: &ExamReport, marks: &Marks) -> Vec<String> {
    let rules = marks.rules;
    let (name, command) = (report.engine.name.clone(), report.engine.command.clone());
    vec![name, command, rules.size().to_string(), rules.connect().to_string(), rules.reverse().to_string()]
}

/// What stands behind every row of a sample.
const SAMPLE: [&str; 2] = ["sample_of", "sample_seed"];

/// The figures of all games, a row for each group of answers. What is to be expected from games stands with the sides.
fn spread(report: &ExamReport) -> Sheet {
    let figures = [
        "limit",
        "seed",
        "repeat",
        "ties",
        "group",
        "positions",
        "possible",
        "answers",
        "given_away",
        "rate",
        "rate_where_possible",
        "wins_missed",
        "draws_lost",
        "illegal",
        "wins_slower",
        "losses_quicker",
        "perfect_win",
        "perfect_draw",
        "perfect_loss",
        "perfect_score",
        "random_win",
        "random_draw",
        "random_loss",
        "random_score",
    ];
    let is_sample = report.exams.iter().any(|marks| marks.sample.is_some());
    let headings: Vec<&str> =
        ORIGIN.into_iter().chain(figures).chain(is_sample.then_some(SAMPLE).into_iter().flatten()).collect();
    let columns = headings.len();
    let mut sheet = Sheet::new(headings);
    let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    for marks in &report.exams {
        for (group, grade) in groups(marks) {
            let mut row = origin(report, marks);
            row.extend([report.limit.clone(), report.seed.map_or(String::new(), |seed| seed.to_string())]);
            row.extend([report.repeat.to_string(), report.ties.to_string()]);
            row.extend([group.clone(), grade.positions.to_string(), grade.possible.to_string()]);
            row.extend([exact(grade.answers), exact(grade.given_away)]);
            row.extend([number(grade.rate), number(grade.rate_where_possible)]);
            let faults = [grade.wins_missed, grade.draws_lost, grade.illegal, grade.wins_slower, grade.losses_quicker];
            row.extend(faults.map(exact));
            let odds = match (&marks.expected, group.as_str()) {
                (Some(Expected { perfect, random }), "X") => vec![perfect.x, random.x],
                (Some(Expected { perfect, random }), "O") => vec![perfect.o, random.o],
                _ => Vec::new(),
            };
            row.extend(odds.iter().flat_map(fields).map(|probability| probability.to_string()));
            if let Some(sample) = marks.sample {
                row.resize(columns - SAMPLE.len(), String::new());
                row.extend([sample.of.to_string(), sample.seed.to_string()]);
            }
            sheet.push(row);
        }
    }
    sheet
}

/// A number for programs.
fn exact(count: Count) -> String {
    count.whole().map_or_else(|| count.0.to_string(), |whole| whole.to_string())
}

/// The faults of all games, a row for each.
fn all_findings(report: &ExamReport) -> Sheet {
    let fields = [
        "stones",
        "side",
        "kind",
        "times",
        "position",
        "move",
        "best",
        "value",
        "plies",
        "value_after",
        "plies_after",
        "refutation",
        "result",
    ];
    let mut sheet = Sheet::new(ORIGIN.into_iter().chain(fields));
    let plies = |plies: Option<u16>| plies.map_or(String::new(), |plies| plies.to_string());
    for marks in &report.exams {
        for finding in marks.list.iter().flatten() {
            let mut row = origin(report, marks);
            row.extend([finding.stones.to_string(), finding.side.clone(), finding.kind.key(), exact(finding.times)]);
            row.extend([finding.position.clone(), finding.played.clone(), finding.best.join(" ")]);
            row.extend([finding.value.to_string(), plies(finding.plies)]);
            row.extend([finding.value_after.to_string(), plies(finding.plies_after)]);
            row.extend([finding.refutation.clone().unwrap_or_default(), finding.result.unwrap_or_default().to_owned()]);
            sheet.push(row);
        }
    }
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_answers_are_shown_as_parts() {
        assert_eq!((shown(Count(4520.0)), plain(Count(4520.0))), ("4,520".to_owned(), "4520".to_owned()));
        assert_eq!((shown(Count(1899.975)), plain(Count(2.0 / 3.0))), ("1,899.97".to_owned(), "0.67".to_owned()));
    }

    #[test]
    fn values_are_drawn_as_eval_draws_them() {
        assert_eq!([value(1, Some(3)), value(0, None), value(-1, Some(4))], ["W3", "D", "L4"]);
    }
}
