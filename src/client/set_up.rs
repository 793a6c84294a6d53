//! Options of an engine, checked against what the engine declares.

use crate::engine::{OptionSpec, OptionType};
use crate::protocol::Reply;
use crate::protocol::adapters::option_named;
use crate::text::on_one_line;
use noughts_core::game::Rules;

use super::failure::StartError;

/// The line by which this engine declares an option of the game.
fn declaration(name: &str) -> String {
    let declared = |spec: &OptionSpec| Reply::Option { name: spec.name.to_owned(), kind: spec.option_type() };
    OptionSpec::named(name).map(|spec| declared(spec).to_string()).unwrap_or_default()
}

/// The end of a sentence about an option that an engine does not have.
fn alternatives(declared: &[(String, OptionType)]) -> String {
    if declared.is_empty() {
        return ", nor any other".to_owned();
    }
    let names: Vec<&str> = declared.iter().map(|(name, _)| name.as_str()).collect();
    format!("; its options are {}", names.join(", ").escape_debug())
}

/// The options to set for games under `rules`, where the engine declares them.
pub fn game(rules: Rules, declared: &[(String, OptionType)]) -> Result<Vec<(String, String)>, StartError> {
    let mut options = Vec::new();
    for (name, value, needed) in game_options(rules) {
        match option_named(declared, name) {
            Some((declared_name, kind)) => options.push(check(declared_name, value, kind)?),
            None if needed => {
                let declaration = declaration(name);
                let reason = format!("it declares no option \"{name}\"; an engine that can prints \"{declaration}\"");
                return Err(StartError::Game(rules, reason));
            }
            None => {}
        }
    }
    Ok(options)
}

/// The options of an engine's set-up, under the names by which the engine declares them.
pub fn own(own: &[(String, String)], declared: &[(String, OptionType)]) -> Result<Vec<(String, String)>, StartError> {
    let checked = own.iter().map(|(name, value)| {
        let unknown = || StartError::Other(format!("declares no option \"{name}\"{}", alternatives(declared)));
        let (declared_name, kind) = option_named(declared, name).ok_or_else(unknown)?;
        check(declared_name, value.clone(), kind)
    });
    checked.collect()
}

/// The options of the game. The last value is true if an engine without the option would play another game.
fn game_options(rules: Rules) -> [(&'static str, String, bool); 4] {
    let (standard, shape) = (Rules::default(), rules.shape());
    let connects = rules.line_length() != Some(shape.shorter_side());
    [
        ("size", shape.rows.to_string(), shape != standard.shape()),
        ("columns", shape.columns.to_string(), !shape.is_square()),
        ("connect", rules.connect().to_string(), connects),
        ("reverse", rules.reverse().to_string(), rules.reverse() != standard.reverse()),
    ]
}

/// The option under its declared name, when the engine takes the value.
fn check(name: &str, value: String, declared: &OptionType) -> Result<(String, String), StartError> {
    let fits = match declared {
        OptionType::Spin { min, max, .. } => value.parse().is_ok_and(|number| (*min..=*max).contains(&number)),
        OptionType::Check { .. } => value.parse::<bool>().is_ok(),
        OptionType::Combo { choices, .. } => choices.iter().any(|choice| choice.eq_ignore_ascii_case(&value)),
        OptionType::Number { .. } | OptionType::Text { .. } => !value.contains(['\n', '\r']),
    };
    if fits {
        return Ok((name.to_owned(), value));
    }
    let (name, declared) = (on_one_line(name), on_one_line(&declared.to_string()));
    Err(StartError::Other(format!("does not take \"{value}\" for its option {name} (type {declared})")))
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

    fn game_problem(rules: Rules) -> String {
        game(rules, &declared()).expect_err("a problem").to_string()
    }

    fn own_problem(name: &str, value: &str) -> String {
        own(&[(name.to_owned(), value.to_owned())], &declared()).expect_err("a problem").to_string()
    }

    #[test]
    fn the_game_is_set_by_declared_options_and_fails_without_them() {
        let set = game(rules(4, 4, false), &declared());
        assert_eq!(set, Ok(vec![("Size".to_owned(), "4".to_owned())]));
        assert_eq!(
            game_problem(rules(3, 0, true)),
            "cannot play 3x3 reverse: it declares no option \"reverse\"; an engine that can prints \"option name reverse type check default false\""
        );
        let connect = game_problem(rules(3, 2, false));
        assert!(connect.ends_with("\"option name connect type spin default 0 min 0 max 400\""), "{connect}");
        assert!(game(rules(3, 0, false), &[]).is_ok());
        assert!(game(rules(4, 0, false), &[]).is_err());
    }

    #[test]
    fn values_that_an_engine_does_not_take_are_named() {
        assert_eq!(
            own_problem("player", "c"),
            "does not take \"c\" for its option player (type combo default a var a var b)"
        );
        assert_eq!(own_problem("level", "c"), "declares no option \"level\"; its options are Size, player");
        assert!(game_problem(rules(6, 0, false)).starts_with("does not take \"6\" for its option Size"));
    }
}
