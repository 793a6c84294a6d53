//! The words of a verdict, the expectations of the reader, and the reports of parts that make one.

mod common;

use common::{Random, fault};
use noughts_check::{Expected, Options, check, join};

const EXAMPLE: &str = include_str!("example.txt");
const DRAW: &str = include_str!("draw.txt");
const REVERSE: &str = include_str!("reverse.txt");

/// The verdict of a file whose blocks are empty: only the part without a block is checked, so no claim needs a proof.
fn say(game: &str, position: &str, claims: &[&str]) -> String {
    let mut text = format!("noughts certificate 1\ngame {game}\nposition {position}\n");
    claims.iter().for_each(|claim| text += &format!("claim {claim}\n"));
    (1..=claims.len()).for_each(|number| text += &format!("prove {number}\n"));
    text += &format!("end {}\n", text.lines().count() + 1);
    let report = check(text.as_bytes(), &Options { shard: Some((9, 9)), ..Options::default() }).0.unwrap();
    report.verdict()
}

#[test]
fn the_verdict_begins_with_the_game_and_the_position() {
    let says = |game, position, expected: &str| {
        assert_eq!(say(game, position, &["cannot x"]), format!("{expected} to move: checked: x cannot force a win"));
    };
    says("3 2 normal", "3/3/3 x", "3x3, 2 in a row, normal rule, empty board, x");
    says("3 3 reverse", "3/3/3 o", "3x3, 3 in a row, reverse rule, empty board, o");
    says("3 3 normal", "xo1/1x1/3 o", "3x3, 3 in a row, normal rule, board xo1/1x1/3, o");
    says("1 1 reverse", "1 x", "1x1, 1 in a row, reverse rule, empty board, x");
}

#[test]
fn the_verdict_says_what_the_claims_say_together() {
    let say = |claims: &[&str], rule: &str| {
        let verdict = say(&format!("5 4 {rule}"), "5/5/5/5/5 x", claims);
        let subject = format!("5x5, 4 in a row, {rule} rule, empty board, x to move: checked: ");
        verdict.strip_prefix(&subject).unwrap_or_else(|| panic!("{verdict}")).to_owned()
    };
    assert_eq!(say(&["wins x within 11"], "normal"), "x wins within 11 plies");
    assert_eq!(say(&["wins x within 11", "cannot x within 10"], "normal"), "x wins in exactly 11 plies");
    assert_eq!(say(&["wins x within 11", "cannot x within 9"], "normal"), "x wins in exactly 11 plies");
    assert_eq!(
        say(&["wins x within 11", "cannot x within 8"], "normal"),
        "x wins within 11 plies; x cannot force a win within 8 plies"
    );
    assert_eq!(say(&["wins x within 12", "cannot x within 9"], "normal"), "x wins in exactly 11 plies");
    assert_eq!(say(&["wins x within 11", "cannot x within 9"], "reverse"), "x wins in exactly 10 plies");
    assert_eq!(
        say(&["wins x within 11", "cannot x within 9", "cannot x within 8"], "reverse"),
        "x wins in exactly 10 plies"
    );
    assert_eq!(say(&["wins o within 12", "cannot o within 10"], "normal"), "o wins in exactly 12 plies");
    assert_eq!(say(&["cannot x", "cannot o"], "normal"), "neither player can force a win: a draw");
    assert_eq!(say(&["cannot x within 25", "cannot o"], "normal"), "neither player can force a win: a draw");
    assert_eq!(say(&["cannot x within 3", "cannot o", "cannot x"], "normal"), "neither player can force a win: a draw");
    assert_eq!(
        say(&["cannot x within 24", "cannot o"], "normal"),
        "x cannot force a win within 24 plies; o cannot force a win"
    );
    assert_eq!(say(&["cannot x within 1"], "normal"), "x cannot force a win within 1 ply");
    // The least limit of several wins, also if it is even, and both players in the order of their names.
    assert_eq!(say(&["wins x within 12", "wins x within 20"], "normal"), "x wins within 12 plies");
    assert_eq!(
        say(&["cannot o within 4", "wins x within 9", "cannot o within 2", "cannot x within 2"], "normal"),
        "x wins within 9 plies; x cannot force a win within 2 plies; o cannot force a win within 4 plies"
    );
}

#[test]
fn a_file_about_something_else_than_the_reader_expects_is_refused() {
    let expected = |game: &str, position: Option<&str>, claims: &[&str]| {
        let claims: Vec<String> = claims.iter().map(|claim| claim.to_string()).collect();
        Options { expected: Expected::new(Some(game), position, &claims).unwrap(), ..Options::default() }
    };
    let refused = |options: Options, record: u64, said: &str| {
        let (wrong, found) = fault(EXAMPLE, &options).expect("it is accepted");
        assert!(wrong == record && found.contains(said), "{wrong}: {found}");
    };
    let win = "wins x within 3";
    assert_eq!(fault(EXAMPLE, &expected("2 2 normal", None, &[])), None);
    assert_eq!(fault(EXAMPLE, &expected("2 2 normal", Some("startpos"), &[win, win])), None);
    assert_eq!(fault(EXAMPLE, &expected("2 2 normal", Some("2/2 x"), &[])), None);
    refused(expected("2 2 reverse", None, &[]), 2, "expected game 2 2 reverse as in --game, found \"game 2 2 normal\"");
    refused(expected("2 1 normal", Some("startpos"), &[win]), 2, "--game");
    refused(expected("9 5 normal", Some("startpos"), &[]), 2, "--game");
    refused(expected("2 2 normal", Some("2/2 o"), &[win]), 3, "expected position 2/2 o as in --position");
    refused(expected("2 2 normal", Some("x1/2 o"), &[win]), 3, "--position");
    refused(expected("2 2 normal", Some("startpos"), &["wins x within 2"]), 5, "claim wins x within 2 as in --claim");
    refused(expected("2 2 normal", None, &[win, "cannot o"]), 5, "claim cannot o as in --claim, found \"prove 1\"");
    // Claims that are the same in other words are the same, and their order does not matter.
    let other_words = expected("4 4 normal", Some("startpos"), &["cannot o within 9", "cannot x within 400"]);
    assert_eq!(fault(DRAW, &other_words), None);
    assert!(fault(DRAW, &expected("4 4 normal", None, &["cannot x within 15"])).is_some());
}

#[test]
fn what_no_header_can_say_is_no_expectation() {
    let wrong = |game: Option<&str>, position: Option<&str>, claims: &[&str], said: &str| {
        let claims: Vec<String> = claims.iter().map(|claim| claim.to_string()).collect();
        let error = Expected::new(game, position, &claims).err().expect("it is taken");
        assert!(error.contains(said), "{error}");
    };
    wrong(None, Some("startpos"), &[], "need --game");
    wrong(None, None, &["cannot x"], "need --game");
    for game in ["", "3 3", "3x3 3", "3 4 normal", "21 5 normal", "3 3 reversed", "3 3 normal ", "game 3 3 normal"] {
        wrong(Some(game), None, &[], "--game: expected \"game SIZE CONNECT normal|reverse\", found");
    }
    for position in ["", "startpos moves 1,1", "3/3/3", "3/3 x", "3/3/4 x", "x2/3/3 x", "xxx/oo1/3 o", "++1/3/3 x"] {
        wrong(Some("3 3 normal"), Some(position), &[], "--position: expected ");
    }
    for claim in
        ["", "draw", "x wins", "wins x", "weak x", "wins x within 0", "wins x within 401", "cannot x within 02"]
    {
        wrong(Some("3 3 normal"), None, &["cannot x", claim], "--claim: expected ");
    }
}

/// The report of a part of a file; none if the part has an error.
fn part(file: &str, part: u64, of: u64) -> Option<String> {
    let report = check(file.as_bytes(), &Options { shard: Some((part, of)), ..Options::default() }).0;
    report.ok().map(|report| report.to_string())
}

/// The reports of all parts of a file.
fn parts(file: &str, of: u64) -> Vec<String> {
    (1..=of).map(|number| part(file, number, of).expect("no error")).collect()
}

/// The verdict of reports, or what is wrong with them.
fn joined(reports: &[String]) -> Result<String, String> {
    join(reports, &Options::default()).map(|whole| whole.verdict())
}

#[test]
fn parts_join_to_the_verdict_about_the_whole() {
    for file in [EXAMPLE, DRAW, REVERSE] {
        let whole = check(file.as_bytes(), &Options::default()).0.unwrap().verdict();
        for count in 1..=6 {
            let mut reports = parts(file, count);
            reports.reverse();
            assert_eq!(joined(&reports), Ok(whole.clone()));
        }
    }
    // Parts without a block may be missing: there is nothing to check in them.
    assert!(joined(&parts(EXAMPLE, 6)[..1]).is_ok());
}

#[test]
fn reports_are_held_to_what_the_reader_expects() {
    let reports = parts(DRAW, 2);
    let said = |game: &str, claim: &str, no_theorems: bool| {
        let expected = Expected::new(Some(game), Some("startpos"), &[claim.into()]).unwrap();
        join(&reports, &Options { expected, no_theorems, ..Options::default() }).map(|whole| whole.verdict())
    };
    assert_eq!(said("4 4 normal", "cannot x", true), joined(&reports));
    assert!(said("4 3 normal", "cannot x", true).unwrap_err().starts_with("report 1: record 3: expected game 4 3"));
    assert!(said("4 4 normal", "wins x within 7", true).unwrap_err().contains("--claim"));
    let hsu = "noughts certificate 1\ngame 8 5 normal\nposition 8/8/8/8/8/8/8/8 x\nclaim cannot x\nprove 1\ntheorem hsu\nend 7\n";
    let strict = Options { no_theorems: true, ..Options::default() };
    assert!(joined(&parts(hsu, 1)).unwrap().contains("resting on hsu"));
    assert!(join(&parts(hsu, 1), &strict).unwrap_err().contains("no theorem but strategy-stealing"));
}

#[test]
fn parts_with_a_gap_or_a_change_are_not_joined() {
    let reports = parts(DRAW, 3);
    assert!(joined(&[]).is_err());
    for left_out in 0..3 {
        let some: Vec<String> = (0..3).filter(|&i| i != left_out).map(|i| reports[i].clone()).collect();
        let missing = format!("none about part {}/3", left_out + 1);
        assert!(joined(&some).unwrap_err().ends_with(&missing), "without {left_out}");
        let twice = [some.clone(), some].concat();
        assert!(joined(&twice).unwrap_err().contains("which has a report"));
    }
    assert!(joined(&[parts(DRAW, 3), parts(REVERSE, 3)].concat()).is_err());
    assert!(joined(&[&parts(DRAW, 2)[..1], &parts(DRAW, 3)[1..]].concat()).is_err());
    // Any line less, and any other byte, is found.
    for (index, report) in reports.iter().enumerate() {
        for place in 0..report.len() {
            for byte in *b"019 \nxa" {
                let mut bytes = report.clone().into_bytes();
                if bytes[place] == byte {
                    continue;
                }
                bytes[place] = byte;
                let mut changed = reports.clone();
                changed[index] = String::from_utf8(bytes).unwrap();
                assert!(joined(&changed).is_err(), "{}", changed[index]);
            }
        }
        for cut in 0..report.len() {
            let mut changed = reports.clone();
            changed[index].truncate(cut);
            assert!(joined(&changed).is_err());
        }
    }
    let wrong =
        "noughts-check report 2\nshard 1/3\nverdict not checked: record 5: expected a board, found \"\u{202e}x\"\n";
    let said = joined(&[wrong.into(), reports[1].clone(), reports[2].clone()]).unwrap_err();
    assert_eq!(said, "report 1: verdict not checked: record 5: expected a board, found \"?x\"");
}

/// The checksum of reports before version 2: 64 bits of FNV-1a.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[test]
fn parts_of_two_files_with_one_old_checksum_are_not_joined() {
    // Each part is right in one of the files, and the other file has free bytes there. The claim is false.
    let files = [include_str!("same-fnv-1.txt"), include_str!("same-fnv-2.txt")];
    assert!(files[0] != files[1] && files[0].len() == files[1].len() && fnv(files[0]) == fnv(files[1]));
    assert!(files.iter().all(|file| fault(file, &Options::default()).is_some()));
    let reports = [part(files[1], 1, 2), part(files[0], 2, 2)].map(|report| report.expect("no error in this part"));
    assert_eq!(joined(&reports), Err("report 2: it is about another file or division than report 1".into()));
}

#[test]
fn parts_of_different_files_are_never_joined() {
    let (reports, mut random, mut compared) = (parts(DRAW, 2), Random(77), 0);
    for place in 0..DRAW.len() {
        let mut bytes = DRAW.as_bytes().to_vec();
        bytes[place] = b"0123xo+-/ \n"[random.below(11)];
        let other = String::from_utf8(bytes).unwrap();
        if other == DRAW {
            continue;
        }
        for index in 0..2 {
            let Some(report) = part(&other, index as u64 + 1, 2) else { continue };
            let mut mixed = reports.clone();
            mixed[index] = report;
            assert!(joined(&mixed).is_err(), "{other}");
            compared += 1;
        }
    }
    assert!(compared > 300, "only {compared} parts of other files had no error");
}

#[test]
fn reports_made_by_hand_are_held_to_their_grammar() {
    let whole = parts(EXAMPLE, 1).remove(0);
    assert!(joined(std::slice::from_ref(&whole)).is_ok());
    let lines: Vec<String> = whole.lines().map(str::to_owned).collect();
    for place in 0..lines.len() {
        let refused = |change: &dyn Fn(&mut Vec<String>)| {
            let mut lines = lines.clone();
            change(&mut lines);
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            assert!(joined(std::slice::from_ref(&text)).is_err(), "{text}");
        };
        refused(&|lines| drop(lines.remove(place)));
        refused(&|lines| lines.insert(place, lines[place].clone()));
        for line in ["", "statement the moon is made of cheese"] {
            refused(&|lines| lines.insert(place, line.into()));
        }
        if place + 1 < lines.len() {
            refused(&|lines| lines.swap(place, place + 1));
        }
        for end in [" ", "\r", " 1", "x"] {
            refused(&|lines| lines[place] += end);
        }
    }
    for (old, new) in [
        ("noughts-check report 2", "noughts-check report 3"),
        ("shard 1/1", "shard 0/1"),
        ("shard 1/1", "shard 2/1"),
        ("shard 1/1", "shard 01/1"),
        ("shard 1/1", "shard 1 /1"),
        ("game 2 2 normal", "game 2 3 normal"),
        ("position 2/2 x", "position xx/oo x"),
        ("claim wins x within 3", "claim weak x"),
        ("claim wins x within 3", "claim x wins"),
        ("file ", "file 0"),
        ("blocks 1", "blocks 0"),
        ("theorems", "theorems zorn"),
        ("theorems", "theorems zetters hsu"),
        ("theorems", "theorems hsu hsu"),
        ("verdict checked", "verdict not checked: "),
    ] {
        assert!(whole.contains(old) && joined(&[whole.replace(old, new)]).is_err(), "{new}");
    }
    let checksum = whole.split(['\n', ' ']).find(|word| word.len() == 64).expect("a checksum");
    for other in [&checksum[1..], &checksum.to_uppercase(), &checksum.replace(&checksum[..1], "g"), "8b89d748ad8000f3"]
    {
        assert!(joined(&[whole.replace(checksum, other)]).is_err(), "{other}");
    }
    // A report as the first version could write it.
    let old = "shard 1/1\nfile 9 x\nblocks 0\nproved\nassumed\ntheorems\nstatement the moon is made of cheese\nverdict checked\n";
    let said = joined(&[old.into()]).unwrap_err();
    assert!(said.starts_with("report 1: record 1: expected a report of version 2, for the checksum"), "{said}");
}
