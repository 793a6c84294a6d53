//! Which openings a match has, as its settings say it.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::arena::limit::SettingError;
use crate::text::Excerpt;

/// The openings of a match.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Openings {
    /// The start position.
    #[default]
    Start,
    /// Random plies, drawn anew for each round: their number.
    Random(usize),
    /// Every sequence of this many plies.
    All(usize),
    /// The positions after this many plies, one for each class. Positions are in one class if they are equal up to a
    /// rotation or reflection of the board. Each weighs as much as all sequences that lead to its class.
    Classes(usize),
    /// The positions in a file, one a line.
    File(PathBuf),
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Openings::Start => f.write_str("startpos"),
            Openings::Random(plies) => write!(f, "random:{plies}"),
            Openings::All(plies) => write!(f, "all:{plies}"),
            Openings::Classes(plies) => write!(f, "classes:{plies}"),
            Openings::File(path) => write!(f, "{}", path.display()),
        }
    }
}

/// Reads `startpos`, `random:K`, `all:K` or `classes:K`. Any other text is the path of a file.
impl FromStr for Openings {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Openings, SettingError> {
        let (kind, plies) = text.split_once(':').map_or((text, None), |(kind, plies)| (kind, plies.parse().ok()));
        match (kind, plies) {
            _ if text == "startpos" => Ok(Openings::Start),
            ("random", Some(plies)) => Ok(Openings::Random(plies)),
            ("all", Some(plies)) => Ok(Openings::All(plies)),
            ("classes", Some(plies)) => Ok(Openings::Classes(plies)),
            ("" | "random" | "all" | "classes", None) => Err(SettingError {
                expected: "startpos, random:K, all:K, classes:K or a file",
                found: Excerpt::of(text),
            }),
            _ => Ok(Openings::File(text.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_like_a_kind_of_openings_is_one() {
        for text in ["startpos", "random:0", "all:12", "classes:3", "file", "./all:x", "random.txt"] {
            assert_eq!(text.parse::<Openings>().map(|openings| openings.to_string()), Ok(text.to_owned()));
        }
        for text in ["", ":", "random", "random:", "all:x", "classes:-1", "all:99999999999999999999"] {
            assert!(text.parse::<Openings>().is_err(), "{text}");
        }
    }
}
