//! Settings as people write them: engines, openings, limits and parts of the work.

use noughts::arena::{Book, Openings, TimeControl};
use noughts::client::EngineSpec;
use noughts::game::{Position, Rules};
use noughts::protocol::PositionCommand;
use noughts::system::{Shard, ShardChoice};
use noughts::text::is_line;

use super::file::file;
use super::input::Input;

/// The first byte says what the text is.
pub fn law(data: &[u8]) {
    let mut input = Input::new(data);
    match input.below(4) {
        0 => match input.rest() {
            [first, choices @ ..] if *first >= 128 => engine(two_engines(&mut Input::new(choices)).as_bytes()),
            text => engine(text),
        },
        1 => openings(&mut input),
        2 => shards(&mut input),
        _ => settings(input.rest()),
    }
}

/// Two descriptions of words that make sense, a line each.
fn two_engines(input: &mut Input<'_>) -> String {
    const WORDS: [&str; 12] = [
        "name=a",
        "name=b",
        "cmd=noughts",
        "cmd='./other x'",
        "args='-a \"b c\"'",
        "dir=.",
        "proto=uci",
        "proto=gomocup",
        "option.Hash=1",
        "option.hash=2",
        "restart=on",
        "restart=off",
    ];
    let mut line = || (0..input.below(6)).map(|_| *input.choose(&WORDS)).collect::<Vec<_>>().join(" ");
    let own = line();
    format!("{own}\n{}", line())
}

/// A description of an engine reads back from its words, and takes from others only what it leaves out.
fn engine(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut parts = text.splitn(2, '\n');
    let [own, each] = [parts.next(), parts.next()].map(|text| text.unwrap_or_default().parse::<EngineSpec>());
    let spec = match &own {
        Ok(spec) => spec,
        Err(error) => return assert!(is_line(&error.to_string()), "{:?}", error.to_string()),
    };
    assert_eq!(words(spec).parse().as_ref(), Ok(spec), "{}", words(spec));
    assert!(spec.name.as_deref().is_none_or(is_line));
    let none = EngineSpec::default();
    assert_eq!(&spec.clone().or(&none), spec);
    assert_eq!(&none.or(spec), spec);
    assert_eq!(&spec.clone().or(spec), spec);
    if let Ok(each) = each {
        let both = spec.clone().or(&each);
        assert_eq!(words(&both).parse().as_ref(), Ok(&both), "{}", words(&both));
        assert_eq!(both.clone().or(&each), both);
        assert_eq!(both.protocol, spec.protocol.or(each.protocol));
    }
}

/// The words of a description, quoted as a shell needs them.
fn words(spec: &EngineSpec) -> String {
    let mut words = Vec::new();
    words.extend(spec.name.iter().map(|name| format!("name={name}")));
    words.extend(spec.command.iter().map(|command| format!("cmd={command}")));
    words.push(format!("args={}", shell_words::join(&spec.arguments)));
    words.extend(spec.folder.iter().map(|folder| format!("dir={}", folder.display())));
    words.extend(spec.protocol.iter().map(|protocol| format!("proto={}", protocol.facts().name)));
    words.extend(spec.options.iter().map(|(name, value)| format!("option.{name}={value}")));
    words.extend(spec.restart.iter().map(|&restart| format!("restart={}", if restart { "on" } else { "off" })));
    shell_words::join(words)
}

/// A file of openings: each is a position in which the game goes on, and its line leads there.
fn openings(input: &mut Input<'_>) {
    let rules = input.rules(4);
    let seed = input.byte().into();
    let Some(book) = book(rules, input.rest(), seed) else { return };
    let size = book.size().expect("a finite book");
    let mut lines = vec![String::new(); size as usize];
    for round in 0..size {
        let opening = book.opening(round);
        assert_eq!(opening.position.outcome(), None);
        let command: PositionCommand = opening.line.parse().expect("a position");
        assert_eq!(Position::reach(rules, command.diagram.as_ref(), &command.moves), Ok(opening.position));
        assert_eq!(book.opening(round + size), opening);
        lines[opening.number as usize] = opening.line + "\n";
    }
    let again = self::book(rules, lines.concat().as_bytes(), seed).expect("a book of the same lines");
    assert_eq!(again.fingerprint().bits(), book.fingerprint().bits());
    assert!((0..size).all(|round| again.opening(round) == book.opening(round)));
}

fn book(rules: Rules, text: &[u8], seed: u64) -> Option<Book> {
    match Book::open(&Openings::File(file(text, "openings")), rules, false, seed) {
        Ok(book) => Some(book),
        Err(error) => {
            assert!(is_line(&error.to_string()), "{:?}", error.to_string());
            None
        }
    }
}

/// Whatever a scheduler says, all parts together are the whole.
fn shards(input: &mut Input<'_>) {
    const VARIABLES: [&str; 7] = [
        "SLURM_ARRAY_TASK_ID",
        "SLURM_ARRAY_TASK_MIN",
        "SLURM_ARRAY_TASK_MAX",
        "SLURM_ARRAY_TASK_STEP",
        "SLURM_ARRAY_TASK_COUNT",
        "JOB_COMPLETION_INDEX",
        "PARALLEL_SEQ",
    ];
    let variables: Vec<(&str, String)> = (0..input.below(8))
        .map(|_| (*input.choose(&VARIABLES), String::from_utf8_lossy(input.until(b'\n')).into_owned()))
        .collect();
    let Ok(text) = std::str::from_utf8(input.rest()) else { return };
    let variable = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone());
    let found = text.parse::<ShardChoice>().and_then(|choice| choice.shard(variable));
    // The checker of certificates reads the same words for itself.
    let part = found.as_ref().ok().map(|shard| (shard.part, shard.of));
    let checked = noughts_check::shard(text, variable).ok();
    assert!(checked.is_none() || checked == part, "{text} {variables:?}: {checked:?}, not {part:?}");
    match found {
        Ok(shard) => {
            assert!((1..=shard.of).contains(&shard.part), "{shard}");
            assert_eq!(shard.to_string().parse(), Ok(shard));
            if shard.of < 100 {
                let count = |items| {
                    (1..=shard.of).map(|part| Shard::new(part, shard.of).expect("a part").count(items)).sum::<u64>()
                };
                assert_eq!([count(7), count(200)], [7, 200]);
            }
        }
        Err(error) => assert!(is_line(&error.to_string()), "{:?}", error.to_string()),
    }
}

/// Openings and times that are printed are read back as the same.
fn settings(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match text.parse::<Openings>() {
        Ok(openings) => assert_eq!(openings.to_string().parse().as_ref(), Ok(&openings)),
        Err(error) => assert!(is_line(&error.to_string()), "{:?}", error.to_string()),
    }
    match text.parse::<TimeControl>() {
        Ok(control) => assert_eq!(control.to_string().parse(), Ok(control), "{text}"),
        Err(error) => assert!(is_line(&error.to_string()), "{:?}", error.to_string()),
    }
    // A generated book is no more than the boards allow, and the largest are refused in time.
    if let Ok(openings @ (Openings::All(0..=2) | Openings::Classes(0..=3))) = text.parse::<Openings>() {
        for reverse in [false, true] {
            let rules = Rules::new(3, 0, reverse).expect("rules");
            let book = Book::open(&openings, rules, false, 1).expect("a book");
            let weight: f64 = (0..book.size().expect("a finite book")).map(|round| book.opening(round).weight).sum();
            let plies = openings.to_string().bytes().last().map_or(0, |digit| digit - b'0');
            assert_eq!(weight, (0..plies).map(|ply| f64::from(9 - ply)).product::<f64>(), "{openings}");
        }
    }
}
