//! Records: what is read, written and read again is equal; damage is an error or leaves games out, and never adds one.

use std::collections::BTreeSet;
use std::path::PathBuf;

use noughts::arena::record::{EndReason, EngineRecord, GameRecord, MoveRecord, OpeningRecord};
use noughts::arena::statistics::{Sprt, SprtSettings};
use noughts::arena::{self, MatchSummary, ReportError};
use noughts::certificate::{Answer, AnswerLine, AnswerResult, ListLine, ProofPlan, Question, read_answers, read_list};
use noughts::client::EngineProtocol;
use noughts::game::{Cell, Outcome, Player, Rules};
use noughts::system::{LineFileError, json_line};
use noughts::text::{BYTE_ORDER_MARK, Format};

use super::file::file;
use super::input::Input;

const FORMATS: [Format; 3] = [Format::Text, Format::Json, Format::Markdown];

/// A record as it may be, damaged or not; or a text that may be anything.
pub fn law(data: &[u8]) {
    let mut input = Input::new(data);
    match input.below(8) {
        0 => any_file(input.rest()),
        kind => {
            let mut text = match kind {
                1..=6 => match_record(&mut input),
                _ => parts(&mut input),
            }
            .into_bytes();
            any_file(&text);
            while !input.is_empty() && !text.is_empty() {
                damage(&mut text, &mut input);
            }
            any_file(&text);
        }
    }
}

fn damage(text: &mut Vec<u8>, input: &mut Input<'_>) {
    let place = input.below(65_536) % text.len();
    match input.below(4) {
        0 => text[place] = input.byte(),
        1 => text.truncate(place),
        2 => text.insert(place, input.byte()),
        _ => drop(text.remove(place)),
    }
}

fn any_file(text: &[u8]) {
    let beginnings = [&b"{\"plan"[..], b"{\"question", b"{\"answer"];
    if beginnings.iter().any(|beginning| text.starts_with(beginning)) { lists(text) } else { matches(text) }
}

fn whole_lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = text.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n"));
    lines.map(|line| line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line))
}

fn games(summaries: &[MatchSummary]) -> u64 {
    summaries.iter().map(|summary| summary.games).sum()
}

/// The report of these files, with a sequential test.
fn report(paths: &[PathBuf]) -> Result<Vec<MatchSummary>, ReportError> {
    let settings = SprtSettings { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };
    arena::summarise_records(paths, Sprt::new(settings).ok(), &())
}

/// A record of matches.
fn matches(text: &[u8]) {
    let (mut numbers, mut copies) = (BTreeSet::new(), BTreeSet::new());
    for line in whole_lines(text) {
        if let Ok(game) = serde_json::from_slice::<GameRecord>(line) {
            let again: GameRecord = serde_json::from_str(&json_line(&game)).expect("a game that was written");
            assert_eq!(again, game);
            copies.insert(json_line(&game));
            numbers.insert((game.match_id, game.game));
        }
    }
    let path = file(text, "match");
    let whole = match report(std::slice::from_ref(&path)) {
        Ok(summaries) => summaries,
        Err(error) => return refused(text, &error),
    };
    assert_eq!(games(&whole), numbers.len() as u64, "each game counts once");
    let printed = |summaries: &[MatchSummary], format| {
        let mut out = Vec::new();
        arena::write_summary(summaries, format, &mut out).expect("a table");
        readable(&out, format)
    };
    let json = printed(&whole, Format::Json);
    // Every figure is one, though a name may be any word.
    let is_name = |word: &str| text.windows(word.len()).any(|bytes| bytes == word.as_bytes());
    let is_finite = |word: &str| !["NaN", "inf", "-inf", "+inf", "+NaN"].contains(&word) || is_name(word);
    for format in FORMATS {
        let table = printed(&whole, format);
        assert!(table.split([' ', ',', '\n', '|', '%']).all(is_finite), "{table}");
    }
    // The same file twice is the same record.
    let twice = report(&[path.clone(), path]).expect("the same file again");
    assert_eq!(printed(&twice, Format::Json), json);
    // In another order the same games count.
    let mut lines: Vec<&[u8]> = whole_lines(text).collect();
    lines.reverse();
    let turned = report(&[file(&lines.concat(), "turned")]).expect("the same lines");
    assert_eq!(games(&turned), games(&whole));
    // Nor does it matter how the lines were shared out to two files, and which of these comes first. If copies of a game
    // differ, the first one counts.
    let (first, second) = lines.split_at(lines.len() / 3);
    let files = [file(&first.concat(), "first"), file(&second.concat(), "second")];
    let [forwards, backwards] = [[0, 1], [1, 0]].map(|order| report(&order.map(|place| files[place].clone())));
    let results = |summaries: &[MatchSummary]| {
        let tables = printed(summaries, Format::Json);
        let tables = tables.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
        let pairings = tables.flat_map(|table| table["pairings"].as_array().cloned().unwrap_or_default());
        let counts = pairings.map(|pairing| ["games", "wins", "draws", "losses"].map(|key| pairing[key].as_u64()));
        counts.collect::<BTreeSet<_>>()
    };
    let [forwards, backwards] = [forwards, backwards].map(|summaries| summaries.expect("the same lines in two files"));
    assert_eq!(games(&forwards), games(&whole));
    if copies.len() == numbers.len() {
        assert_eq!(results(&forwards), results(&backwards));
    }
    // The beginning of a record is a record, with no more games.
    let cut = text.len() * 2 / 3;
    let is_usual = text.split(|&byte| byte == b'\n').all(|line| line.is_empty() || line[0] == b'{');
    match report(&[file(&text[..cut], "cut")]) {
        Ok(part) => assert!(games(&part) <= games(&whole)),
        Err(ReportError::Empty | ReportError::OtherMatch(..)) => {}
        Err(error) => assert!(!is_usual || !begins_well(&text[..cut]), "{error}"),
    }
}

/// An error is one line. If it names a line of the file, that is the first one that is wrong.
fn refused(text: &[u8], error: &ReportError) {
    assert!(noughts::text::is_line(&error.to_string()), "{:?}", error.to_string());
    if let ReportError::Record(LineFileError::Line { number, .. }) = error {
        let before: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').take(number - 1).collect();
        let again = report(&[file(&before.concat(), "before")]);
        assert!(!matches!(again, Err(ReportError::Record(_))), "{again:?} before line {number}");
    }
}

/// True if the last line, which may be torn, begins like one of a record.
fn begins_well(text: &[u8]) -> bool {
    let last = text.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    [&b"{\"match\":\""[..], b"{\"attempt\":{"].iter().any(|beginning| last.iter().zip(*beginning).all(|(a, b)| a == b))
}

/// The output has nothing that moves the cursor.
fn readable(out: &[u8], format: Format) -> String {
    let text = std::str::from_utf8(out).expect("UTF-8");
    assert!(
        text.chars().all(|letter| letter == '\n' || noughts::text::is_line(letter.encode_utf8(&mut [0; 4]))),
        "{text:?}"
    );
    if format == Format::Json {
        // An object for each match.
        text.lines().for_each(|line| drop(serde_json::from_str::<serde_json::Value>(line).expect("JSON")));
    }
    text.to_owned()
}

/// Lists of questions and records of answers, for proofs in parts.
fn lists(text: &[u8]) {
    let path = file(text, "list");
    match read_list(&path) {
        Ok((plan, questions)) => {
            for question in &questions {
                if let Ok((position, claim)) = question.read(plan.rules) {
                    let same =
                        Question { position: position.diagram().to_string(), claim: claim.to_string(), priority: 0 };
                    assert_eq!(same.read(plan.rules).ok(), Some((position, claim)));
                }
            }
            let _ = plan.read();
            let lines = questions.iter().cloned().map(ListLine::Question);
            let written: String =
                [ListLine::Plan(plan.clone())].into_iter().chain(lines).map(|line| json_line(&line)).collect();
            let again = read_list(&file(written.as_bytes(), "again")).expect("a list that was written");
            assert_eq!(again, (plan, questions));
        }
        Err(error) => assert!(noughts::text::is_line(&error.to_string()), "{:?}", error.to_string()),
    }
    let mut answers = Vec::new();
    match read_answers(&path, Rules::default(), |answer| answers.push(answer)) {
        Ok(_) => {
            assert!(answers.len() <= whole_lines(text).count());
            let written: String =
                answers.iter().map(|answer| json_line(&AnswerLine { answer: answer.clone() })).collect();
            let mut again = Vec::new();
            read_answers(&file(written.as_bytes(), "again"), Rules::default(), |answer| again.push(answer))
                .expect("answers");
            assert_eq!(again, answers);
        }
        Err(error) => assert!(noughts::text::is_line(&error.to_string()), "{:?}", error.to_string()),
    }
}

const TEXTS: [&str; 8] = ["a", "b", "Engine 1", "\"|,\\", "B\u{e4}r", "-", "noughts --x", ""];

/// A record of a match between a few engines.
fn match_record(input: &mut Input<'_>) -> String {
    let mut text = String::new();
    let rules = Rules::new(3, 0, input.is_below(64)).expect("rules");
    let swap = input.is_below(128);
    if input.is_below(128) {
        let of = 1 + input.below(3);
        text += &format!(
            "{{\"attempt\":{{\"match\":\"m\",\"number\":1,\"host\":\"h\",\"process\":1,\"version\":\"1\",\"shard\":\"{}/{of}\",\
             \"games\":{},\"of\":{},\"swap\":{swap},\"engines\":[\"a\",\"b\"],\"rules\":{{\"size\":3,\"connect\":0,\
             \"reverse\":false}},\"limit\":\"none\",\"seed\":1}}}}\n",
            1 + input.below(of),
            input.below(10),
            input.below(20),
        );
    }
    let number = 1 + input.below(6);
    for _ in 0..number {
        let (x, o) = *input.choose(&[(0, 1), (1, 0), (0, 2), (2, 1)]);
        let engine = |place: usize, input: &mut Input<'_>| EngineRecord {
            engine: place,
            name: TEXTS[place].to_owned(),
            command: (*input.choose(&TEXTS)).to_owned(),
            dir: None,
            proto: *input.choose(&[EngineProtocol::Noughts, EngineProtocol::Gomocup]),
            options: [("Hash".to_owned(), (*input.choose(&TEXTS)).to_owned())].into(),
            seed: input.is_below(64).then_some(3),
        };
        let number = input.below(8) as u64;
        let plies = input.below(5);
        let mut played = || MoveRecord {
            cell: Cell::new(input.below(20) as u8, input.below(20) as u8),
            value: input.is_below(64).then(|| *input.choose(&[0.5, -1.0, 1e-300, 0.1])),
            nodes: input.is_below(64).then_some(u64::MAX),
            ms: *input.choose(&[0.0, 0.25, 1e12, 3.3]),
            margin: input.is_below(32).then_some(1.5),
        };
        let moves = (0..plies).map(|_| played()).collect();
        let game = GameRecord {
            match_id: (*input.choose(&["m", "m", "m", "n"])).to_owned(),
            moves,
            game: number,
            round: number / if swap { 2 } else { 1 },
            swap,
            x: engine(x, input),
            o: engine(o, input),
            rules,
            limit: "nodes 10".to_owned(),
            opening: OpeningRecord {
                line: "startpos".to_owned(),
                side: *input.choose(&['x', 'o']),
                number: input.below(3) as u64,
                of: *input.choose(&[None, Some(3), Some(u64::from(u32::MAX))]),
                weight: *input.choose(&[1.0, 8.0, 1e15, 1.5]),
            },
            result: *input.choose(&[Outcome::Win(Player::X), Outcome::Win(Player::O), Outcome::Draw]),
            reason: *input.choose(&EndReason::ALL),
            detail: input.is_below(32).then(|| (*input.choose(&TEXTS)).to_owned()),
            exit: None,
            seed: 1,
        };
        text += &json_line(&game);
    }
    text
}

/// A list of questions, or a record of answers.
fn parts(input: &mut Input<'_>) -> String {
    const POSITIONS: [&str; 5] = ["3/3/3 x", "x2/1o1/3 x", "2x/1o1/3 x", "3/3/2 x", "xxx/oo1/3 o"];
    const CLAIMS: [&str; 5] = ["wins x within 5", "cannot o", "cannot x within 3", "wins x", "wins y within 0"];
    let is_list = input.is_below(128);
    let mut text = String::new();
    if is_list {
        let plan = ProofPlan {
            rules: Rules::default(),
            position: (*input.choose(&POSITIONS)).to_owned(),
            claims: vec![(*input.choose(&CLAIMS)).to_owned()],
            plies: input.below(8) as u32,
            round: 1,
            nodes: 1000,
            hash: 16,
            theorems: false,
        };
        text += &json_line(&ListLine::Plan(plan));
    }
    let number = input.below(4);
    for _ in 0..number {
        let (position, claim) = ((*input.choose(&POSITIONS)).to_owned(), (*input.choose(&CLAIMS)).to_owned());
        text += &if is_list {
            json_line(&ListLine::Question(Question { position, claim, priority: input.byte().into() }))
        } else {
            let answer = Answer {
                rules: Rules::default(),
                position,
                claim,
                result: *input.choose(&[AnswerResult::Proven, AnswerResult::Failed, AnswerResult::Open]),
                nodes: 5,
                of: 1000,
                hash: 16,
                version: "1".to_owned(),
                certificate: input.is_below(128).then(|| "noughts certificate 1\n".to_owned()),
            };
            json_line(&AnswerLine { answer })
        };
    }
    text
}
