//! `docs/faults.md` lists the fault cases whose numbers the names of tests carry.

use std::collections::BTreeMap;

use super::{root, sources, text};

/// A case number at the beginning of a text, as `e30b`, and what follows it.
fn leading_case(text: &str) -> Option<(&str, &str)> {
    let digits = text.strip_prefix(['e', 'm', 's'])?.bytes().take_while(u8::is_ascii_digit).count();
    let length = 1 + digits + usize::from(text[1 + digits..].starts_with("b_"));
    let (case, rest) = text.split_at(length);
    (digits == 2).then_some((case, rest.strip_prefix('_')?))
}

/// The cases that the name of a test carries: one, two with `_and_` between them, or all from one `_to_` another.
fn cases(name: &str) -> Vec<String> {
    let Some((first, rest)) = leading_case(name) else { return Vec::new() };
    let last_after = |word: &str| rest.strip_prefix(word).and_then(leading_case).map(|(last, _)| last);
    let number = |case: &str| case[1..].parse::<u32>().expect("a number");
    if let Some(last) = last_after("to_") {
        (number(first)..=number(last)).map(|number| format!("{}{number:02}", &first[..1])).collect()
    } else {
        [Some(first), last_after("and_")].into_iter().flatten().map(str::to_owned).collect()
    }
}

/// The tests of each case, from their names.
fn tests_by_case() -> BTreeMap<String, Vec<String>> {
    let mut tests: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in sources(&root().join("tests")) {
        let code = text(&path);
        for line in code.lines().filter_map(|line| line.trim_start().strip_prefix("fn ")) {
            let name = line.split('(').next().expect("a name");
            cases(name).into_iter().for_each(|case| tests.entry(case).or_default().push(name.to_owned()));
        }
    }
    tests.values_mut().for_each(|names| names.sort());
    tests
}

/// The cases of the document, each with the tests that its row names.
fn rows() -> BTreeMap<String, Vec<String>> {
    let document = text(&root().join("docs/faults.md"));
    let mut rows = BTreeMap::new();
    for row in document.lines().filter_map(|line| line.strip_prefix("| ")) {
        let columns: Vec<&str> = row.split(" | ").collect();
        let case = columns[0].to_lowercase();
        if leading_case(&format!("{case}_")).is_some() {
            assert_eq!(columns.len(), if case.starts_with('s') { 5 } else { 4 }, "{row}");
            let mut tests: Vec<String> = columns[3].split('`').skip(1).step_by(2).map(str::to_owned).collect();
            tests.sort();
            assert!(rows.insert(case, tests).is_none(), "{row} stands there twice");
        }
    }
    rows
}

#[test]
fn every_fault_case_of_a_test_stands_in_the_list_with_that_test() {
    assert_eq!(cases("e10_to_e12_options"), ["e10", "e11", "e12"]);
    assert_eq!(cases("e18_and_e19_a_script"), ["e18", "e19"]);
    assert_eq!(cases("e30b_no_time"), ["e30b"]);
    assert!(cases("every_fault").is_empty());
    let tests = tests_by_case();
    assert!(tests.len() >= 60, "the tests were not found: {tests:?}");
    assert_eq!(rows(), tests);
}
