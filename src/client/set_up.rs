//! Options held against what an engine declares.

use std::fmt;

use crate::game::Rules;
use crate::protocol::OptionType;

/// Why an engine cannot be set up as it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionProblem {
    /// The engine has no such option.
    Unknown {
        /// The option.
        name: String,
        /// The options it has.
        known: Vec<String>,
    },
    /// The value is not one that the engine takes.
    Value {
        /// The option.
        name: String,
        /// The value.
        value: String,
        /// What the engine declares.
        declared: OptionType,
    },
    /// The game needs an option that the engine does not have.
    Game {
        /// The option.
        name: &'static str,
        /// The game.
        rules: Rules,
    },
}

impl fmt::Display for OptionProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionProblem::Unknown { name, known } if known.is_empty() => {
                write!(f, "declares no option \"{name}\", nor any other")
            }
            OptionProblem::Unknown { name, known } => {
                write!(f, "declares no option \"{name}\"; its options are {}", known.join(", ").escape_debug())
            }
            OptionProblem::Value { name, value, declared } => {
                write!(f, "does not take \"{value}\" for its option {name} (type {declared})")
            }
            OptionProblem::Game { name, rules } => {
                write!(f, "cannot play {rules}: it declares no option \"{name}\"")
            }
        }
    }
}

impl std::error::Error for OptionProblem {}

/// The options to set for games under `rules`: those of the game where the engine declares them, then its own.
pub fn options(
    own: &[(String, String)],
    rules: Rules,
    declared: &[(String, OptionType)],
) -> Result<Vec<(String, String)>, OptionProblem> {
    let find = |wanted: &str| declared.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
    let mut options = Vec::new();
    for (name, value, needed) in game_options(rules) {
        match find(name) {
            Some((declared_name, kind)) => options.push((check(declared_name, value, kind)?, needed)),
            None if needed => return Err(OptionProblem::Game { name, rules }),
            None => {}
        }
    }
    let mut options: Vec<_> = options.into_iter().map(|(option, _)| option).collect();
    for (name, value) in own {
        let known = || declared.iter().map(|(name, _)| name.clone()).collect();
        let (declared_name, kind) =
            find(name).ok_or_else(|| OptionProblem::Unknown { name: name.clone(), known: known() })?;
        options.push(check(declared_name, value.clone(), kind)?);
    }
    Ok(options)
}

/// The options of the game, and whether an engine that does not declare one would play another game.
fn game_options(rules: Rules) -> [(&'static str, String, bool); 3] {
    let standard = Rules::default();
    let connects = rules.line_length() != Some(rules.size());
    [
        ("size", rules.size().to_string(), rules.size() != standard.size()),
        ("connect", rules.connect().to_string(), connects),
        ("reverse", rules.reverse().to_string(), rules.reverse() != standard.reverse()),
    ]
}

/// The option under its declared name, when the engine takes the value.
fn check(name: &str, value: String, declared: &OptionType) -> Result<(String, String), OptionProblem> {
    let fits = match declared {
        OptionType::Spin { min, max, .. } => value.parse().is_ok_and(|number| (*min..=*max).contains(&number)),
        OptionType::Check { .. } => value.parse::<bool>().is_ok(),
        OptionType::Combo { choices, .. } => choices.iter().any(|choice| choice.eq_ignore_ascii_case(&value)),
        OptionType::Text { .. } => !value.contains(['\n', '\r']),
    };
    if fits {
        Ok((name.to_owned(), value))
    } else {
        Err(OptionProblem::Value { name: name.to_owned(), value, declared: declared.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared() -> Vec<(String, OptionType)> {
        let size = OptionType::Spin { default: 3, min: 1, max: 5 };
        let player = OptionType::Combo { default: "a".to_owned(), choices: vec!["a".to_owned(), "b".to_owned()] };
        vec![("Size".to_owned(), size), ("player".to_owned(), player)]
    }

    fn rules(size: u8, connect: u16, reverse: bool) -> Rules {
        Rules::new(size, connect, reverse).expect("rules within range")
    }

    fn problem(own: &str, rules: Rules) -> String {
        let own: Vec<_> =
            own.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())).into_iter().collect();
        options(&own, rules, &declared()).expect_err("a problem").to_string()
    }

    #[test]
    fn the_game_is_set_where_it_is_declared_and_missed_where_it_is_needed() {
        let set = options(&[], rules(4, 4, false), &declared());
        assert_eq!(set, Ok(vec![("Size".to_owned(), "4".to_owned())]));
        assert_eq!(problem("", rules(3, 0, true)), "cannot play 3x3 reverse: it declares no option \"reverse\"");
        assert_eq!(problem("", rules(3, 2, false)), "cannot play 3x3 connect 2: it declares no option \"connect\"");
        assert!(options(&[], rules(3, 0, false), &[]).is_ok());
        assert!(options(&[], rules(4, 0, false), &[]).is_err());
    }

    #[test]
    fn values_that_an_engine_does_not_take_are_named() {
        assert_eq!(
            problem("player=c", rules(3, 0, false)),
            "does not take \"c\" for its option player (type combo default a var a var b)"
        );
        assert_eq!(
            problem("level=c", rules(3, 0, false)),
            "declares no option \"level\"; its options are Size, player"
        );
        assert!(problem("", rules(6, 0, false)).starts_with("does not take \"6\" for its option Size"));
    }
}
