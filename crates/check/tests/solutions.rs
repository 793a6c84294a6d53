//! Solutions: a file with a position, a move or a distance changed is refused, unless a move is missing that leads nowhere new.

mod common;

use common::fault;
use noughts_check::{Expected, Options, check};

const NORMAL: &str = include_str!("solution.txt");
const REVERSE: &str = include_str!("solution-reverse.txt");

fn said(text: &str) -> Result<String, (u64, String)> {
    let options = Options::default();
    fault(text, &options).map_or_else(|| Ok(check(text.as_bytes(), &options).0.unwrap().verdict()), Err)
}

/// A file with these lines and a right end.
fn file(lines: &[String]) -> String {
    let last = lines.len();
    lines[..last - 1].iter().fold(String::new(), |text, line| text + line + "\n") + &format!("end {last}\n")
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

#[test]
fn the_verdict_says_what_is_shown_and_what_is_not() {
    let behind = "every listed move wins within the listed plies; that no other move wins as soon is not shown";
    let normal =
        "3x3, 3 in a row, normal rule, board xo1/3/3, x to move: checked: x wins within 5 plies; in 4 positions ";
    let reverse =
        "3x3, 2 in a row, reverse rule, empty board, x to move: checked: o wins within 7 plies; in 10 positions ";
    assert_eq!(said(NORMAL), Ok(format!("{normal}{behind}")));
    assert_eq!(said(REVERSE), Ok(format!("{reverse}{behind}")));
}

#[test]
fn a_cut_or_a_longer_file_is_refused() {
    for text in [NORMAL, REVERSE] {
        assert!((0..text.len()).all(|end| said(&text[..end]).is_err()));
        for more in ["\n", " ", "2 a\n", "end 11\n", "\0"] {
            assert!(said(&format!("{text}{more}")).is_err(), "{more:?}");
        }
    }
}

#[test]
fn a_record_that_is_missing_twice_or_swapped_is_refused() {
    for text in [NORMAL, REVERSE] {
        let all = lines(text);
        for place in 0..all.len() - 1 {
            let mut missing = all.clone();
            missing.remove(place);
            assert!(said(&file(&missing)).is_err(), "without line {place}");
            let mut twice = all.clone();
            twice.insert(place, all[place].clone());
            assert!(said(&file(&twice)).is_err(), "with line {place} twice");
        }
    }
}

#[test]
fn another_distance_is_refused_everywhere() {
    for text in [NORMAL, REVERSE] {
        for place in 4..text.lines().count() - 1 {
            let mut changed = lines(text);
            let (plies, moves) = changed[place].split_once(' ').unwrap();
            let (plies, moves) = (plies.parse::<i64>().unwrap(), moves.to_owned());
            for other in (-2..10).filter(|&other| other != plies) {
                changed[place] = format!("{other} {moves}");
                assert!(said(&file(&changed)).is_err(), "line {place}: {other}");
            }
        }
        for plies in (1..10).filter(|plies| !text.contains(&format!("within {plies}"))) {
            let mut changed = lines(text);
            changed[3] = format!("{}{plies}", &text.lines().nth(3).unwrap()[..20]);
            assert_eq!(said(&file(&changed)).unwrap_err().0, 4, "{plies}");
        }
    }
}

#[test]
fn a_worse_move_is_refused_and_a_missing_one_if_it_leads_elsewhere() {
    let (mut accepted, mut refused) = (0, 0);
    for text in [NORMAL, REVERSE] {
        for place in 4..text.lines().count() - 1 {
            let all = lines(text);
            let (plies, moves) = all[place].split_once(' ').unwrap();
            for letter in 'a'..='k' {
                let mut changed = all.clone();
                let mut letters: Vec<char> = moves.chars().filter(|&other| other != letter).collect();
                let is_missing = letters.len() < moves.len();
                if !is_missing {
                    letters.push(letter);
                    letters.sort_unstable();
                }
                changed[place] = format!("{plies} {}", letters.into_iter().collect::<String>());
                match said(&file(&changed)) {
                    Ok(_) => {
                        assert!(is_missing, "line {place} with {letter}");
                        accepted += 1;
                    }
                    Err(_) => refused += u32::from(is_missing),
                }
            }
        }
    }
    assert_eq!((accepted, refused), (26, 9));
}

#[test]
fn records_that_are_no_positions_are_refused() {
    let fifth = NORMAL.lines().nth(4).unwrap();
    for other in ["", "5", "5 ", " a", "5 ba", "5 aa", "5 z", "5 ä", "05 a", "5 a b", "x a", "5  a", "401 a", "end 6"]
    {
        let wrong = said(&NORMAL.replacen(&format!("\n{fifth}\n"), &format!("\n{other}\n"), 1)).unwrap_err();
        assert_eq!(wrong.0, 5, "{other}: {}", wrong.1);
    }
}

#[test]
fn a_header_without_one_win_is_refused() {
    let claim = NORMAL.lines().nth(3).unwrap();
    for claims in ["claim cannot x", "claim wins o within 5", "claim wins x within 5\nclaim cannot x within 4", ""] {
        assert!(said(&NORMAL.replace(claim, claims)).is_err(), "{claims}");
    }
    assert!(said(&NORMAL.replace("xo1/3/3 x", "xo1/2x/3 o")).is_err());
    let large = "noughts solution 1\ngame 9 2 normal\nposition 9/9/9/9/9/9/9/9/9 x\nclaim wins x within 3\nend 5\n";
    assert!(said(large).unwrap_err().1.contains("at most 64 cells"));
    // It has no blocks that could be shared out, and no records of nodes.
    let part = Options { shard: Some((1, 2)), ..Options::default() };
    assert_eq!(fault(NORMAL, &part).unwrap().0, 1);
    let other = Expected::new(Some("3 3 reverse"), None, &[]).unwrap();
    assert_eq!(fault(NORMAL, &Options { expected: other, ..Options::default() }).unwrap().0, 2);
}
