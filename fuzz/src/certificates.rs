//! Certificates: what the checker accepts is right by plain alpha-beta, its parts together say what it says of the whole, and
//! reports of parts that were changed do not.

use std::sync::LazyLock;

use noughts::game::{Player, Position, Rules, Shape, Value};
use noughts::protocol::PositionCommand;
use noughts::text::is_line;
use noughts_check::{Options, REPORT, check, join};

use super::input::Input;
use super::oracle;

/// The most empty cells of a position that plain alpha-beta judges.
const MOST_EMPTY: usize = 9;

/// Certificates that are damaged: from every rule some. Inputs of the corpus choose among them by number.
static BASES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let longer =
        [include_str!("../../crates/check/tests/example.txt"), include_str!("../../crates/check/tests/reverse.txt")];
    let small = include_str!("certificates.txt").split(TITLE).skip(1).map(|rest| TITLE.to_owned() + rest);
    longer.into_iter().map(str::to_owned).chain(small).collect()
});

/// The first line of a certificate.
const TITLE: &str = "noughts certificate 1\n";

/// Words that stand in certificates.
const WORDS: [&str; 40] = [
    "x",
    "o",
    "wins",
    "cannot",
    "weak",
    "within",
    "1",
    "2",
    "3",
    "4",
    "5",
    "9",
    "claim",
    "lemma",
    "prove",
    "move",
    "all",
    "fours",
    "none",
    "potential",
    "pairs",
    "survive",
    "parity",
    "mirror",
    "theorem",
    "use",
    "last",
    "equal",
    "free",
    "zone",
    "-",
    "0,0",
    "0,1",
    "1,0",
    "1,1",
    "2,2",
    "strategy-stealing",
    "normal",
    "reverse",
    "3/3/3",
];

/// The text itself, which may be reports of parts, or a base with changes, or reports about a base with changes.
pub fn law(data: &[u8]) {
    let mut input = Input::new(data);
    if input.is_below(64) {
        return match input.rest() {
            text if text.starts_with(REPORT.as_bytes()) => reports(&String::from_utf8_lossy(text)),
            [0, choices @ ..] => changed_reports(&mut Input::new(choices)),
            text => checked(text),
        };
    }
    let base = input.choose(&BASES);
    let mut lines: Vec<String> = base.lines().map(str::to_owned).collect();
    while !input.is_empty() {
        change(&mut lines, &mut input);
    }
    checked(counted(lines).as_bytes());
}

/// The text of lines. The last line has the right number of them.
pub fn counted(mut lines: Vec<String>) -> String {
    let count = lines.len();
    if let Some(last) = lines.last_mut().filter(|last| last.starts_with("end ")) {
        *last = format!("end {count}");
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn change(lines: &mut Vec<String>, input: &mut Input<'_>) {
    let (kind, place) = (input.below(8), input.below(lines.len().max(1)));
    if lines.is_empty() {
        return;
    }
    let mut words: Vec<String> = lines[place].split(' ').map(str::to_owned).collect();
    match kind {
        0 => drop(lines.remove(place)),
        1 => lines.insert(place, lines[input.below(lines.len())].clone()),
        2 => {
            let other: Vec<&str> = input.choose(&BASES).lines().collect();
            lines.insert(place, (*input.choose(&other)).to_owned());
        }
        3 => {
            let other = input.below(lines.len());
            lines.swap(place, other);
        }
        4 => {
            let word = input.below(words.len());
            words[word] = (*input.choose(&WORDS)).to_owned();
            lines[place] = words.join(" ");
        }
        5 => {
            words.insert(input.below(words.len() + 1), (*input.choose(&WORDS)).to_owned());
            lines[place] = words.join(" ");
        }
        6 => {
            words.remove(input.below(words.len()));
            lines[place] = words.join(" ");
        }
        _ => lines[place] = String::from_utf8_lossy(input.until(b'\n')).into_owned(),
    }
}

fn checked(text: &[u8]) {
    let verdict = check(text, &Options::default()).0;
    let joined = parts(text, 2).map(|reports| join(&reports, &Options::default()));
    match &verdict {
        Ok(report) => {
            let joined = joined.expect("parts of a right certificate are right").expect("reports of both parts");
            assert_eq!(joined.verdict(), report.verdict());
            judge(std::str::from_utf8(text).expect("certificates are text"));
        }
        Err(fault) => {
            assert!(!matches!(joined, Some(Ok(_))), "parts of a wrong certificate are right");
            let said = fault.to_string();
            assert!(said.chars().all(|letter| !letter.is_control()), "{said:?}");
        }
    }
}

/// The reports of so many parts, if none has an error.
fn parts(text: &[u8], of: u64) -> Option<Vec<String>> {
    let part = |number| check(text, &Options { shard: Some((number, of)), ..Options::default() }).0;
    (1..=of).map(|number| part(number).ok().map(|report| report.to_string())).collect()
}

/// Reports of strangers, one behind the other. Those that are joined are of all parts and about one file; the verdict is
/// that of each of them, but for the theorems.
fn reports(text: &str) {
    let texts: Vec<String> = text.split_inclusive(REPORT).map(str::to_owned).collect();
    let texts: Vec<String> = texts[1..].iter().map(|rest| REPORT.to_owned() + rest.trim_end_matches(REPORT)).collect();
    match join(&texts, &Options::default()) {
        Ok(whole) => {
            assert!(is_line(&whole.verdict()), "{:?}", whole.verdict());
            for text in &texts {
                let about = |text: &str| -> Vec<String> {
                    let of = text.lines().nth(1).and_then(|line| line.split_once('/')).map(|(_, of)| of.to_owned());
                    let rest = text.lines().skip(2).filter(|line| !line.starts_with("theorems")).map(str::to_owned);
                    of.into_iter().chain(rest).collect()
                };
                assert_eq!(about(text), about(&texts[0]));
                assert!(text.ends_with("\nverdict checked\n"), "{text}");
            }
        }
        Err(wrong) => assert!(is_line(&wrong), "{wrong:?}"),
    }
}

/// Changes in the report of one part of several: they are not joined any more, unless only the theorems are other ones.
fn changed_reports(input: &mut Input<'_>) {
    let of = 2 + input.below(2);
    let mut reports = parts(input.choose(&BASES).as_bytes(), of as u64).expect("the bases are right");
    let own = input.below(of);
    let mut lines: Vec<String> = reports[own].lines().map(str::to_owned).collect();
    while !input.is_empty() {
        change(&mut lines, input);
    }
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let without_theorems = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.starts_with("theorems")).map(str::to_owned).collect()
    };
    let same = without_theorems(&text) == without_theorems(&reports[own]);
    reports[own] = text;
    match join(&reports, &Options::default()) {
        Ok(whole) => assert!(same && is_line(&whole.verdict()), "{reports:?}"),
        Err(wrong) => assert!(is_line(&wrong), "{wrong:?}"),
    }
}

/// Holds the claims of a certificate that was accepted against plain alpha-beta.
fn judge(text: &str) {
    let mut lines = text.lines().skip(1);
    let game: Vec<&str> = lines.next().expect("a game").split(' ').collect();
    let (size, connect) = (game[1].parse::<Shape>().expect("a size"), game[2].parse().expect("a number"));
    let rules = Rules::new(size, connect, game[3] == "reverse").expect("rules");
    let board = lines.next().expect("a position").strip_prefix("position ").expect("a position");
    let command: PositionCommand = format!("fen {board}").parse().expect("a board");
    let position = Position::reach(rules, command.diagram.as_ref(), &[]).expect("a position of a game");
    if position.empty_cells() > MOST_EMPTY {
        return;
    }
    let value = oracle::value(&position);
    for claim in lines.map_while(|line| line.strip_prefix("claim ")) {
        let words: Vec<&str> = claim.split(' ').collect();
        let attacker = Player::BOTH[usize::from(words[1] == "o")];
        let most: u16 = words.get(3).map_or(400, |plies| plies.parse().expect("a limit"));
        let wins = match value {
            Value::Win(plies) => attacker == position.side() && plies <= most,
            Value::Loss(plies) => attacker != position.side() && plies <= most,
            Value::Draw => false,
        };
        assert_eq!(wins, words[0] == "wins", "{claim} is false, the value is {value}:\n{text}");
    }
}
