//! The engine's options by the names that clients write.

use crate::engine::{OptionRole, OptionSpec};

/// True if an option decides which game is played. An adapter that lets its client set one has to follow the session to the
/// empty board of the new game.
pub(super) fn is_of_the_game(name: &str) -> bool {
    OptionSpec::named(name).is_some_and(|option| option.role == OptionRole::Game)
}

/// The option of this name, in any case and with any blanks between its words.
pub(super) fn named(text: &str) -> Option<&'static str> {
    beginning(text).filter(|(_, rest)| rest.is_empty()).map(|(name, _)| name)
}

/// The option with whose name the text begins, and the text behind the name. Of two such options it is that with the
/// longer name.
pub(super) fn beginning(text: &str) -> Option<(&'static str, &str)> {
    let fitting = OptionSpec::all().map(|option| option.name).filter_map(|name| Some((name, behind(text, name)?)));
    fitting.max_by_key(|(name, _)| name.len())
}

/// The text behind the words of a name.
fn behind<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    const BLANKS: [char; 2] = [' ', '\t'];
    let mut rest = text.trim_matches(BLANKS);
    for expected in name.split(' ') {
        let (word, more) = rest.split_once(BLANKS).unwrap_or((rest, ""));
        if !word.eq_ignore_ascii_case(expected) {
            return None;
        }
        rest = more.trim_start_matches(BLANKS);
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Changed, OPTIONS, OptionType, Options};

    #[test]
    fn a_name_is_found_in_any_case_and_only_as_whole_words() {
        for name in OptionSpec::all().map(|option| option.name) {
            let spaced = name.to_ascii_uppercase().replace(' ', " \t ");
            assert_eq!(named(&format!(" {spaced}\t")), Some(name));
            assert_eq!(beginning(&format!("{spaced} \t 1  2 ")), Some((name, "1  2")));
            for text in [format!("{name}s"), format!("x {name}"), format!("{name}=1")] {
                assert_eq!(beginning(&text), None, "{text}");
            }
            assert_eq!(named(&format!("{name} value")), None);
        }
        for text in ["", " ", "Debug", "Debug Log", "value"] {
            assert_eq!(beginning(text), None, "{text:?}");
        }
    }

    #[test]
    fn the_options_of_the_game_are_those_that_change_the_rules() {
        for option in OPTIONS {
            let values: Vec<String> = match option.option_type() {
                OptionType::Spin { min, max, .. } => [min, max].map(|number| number.to_string()).into(),
                OptionType::Check { default } => vec![(!default).to_string()],
                OptionType::Combo { choices, .. } => choices,
                OptionType::Number { .. } | OptionType::Text { .. } => vec!["2".to_owned()],
            };
            let changes = |value: &String| {
                let mut options = Options::default();
                options.set("size", "4").expect("a size");
                options.set(option.name, value) == Ok(Changed::Rules)
            };
            assert_eq!(values.iter().any(changes), is_of_the_game(option.name), "{}", option.name);
        }
    }
}
