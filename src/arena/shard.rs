//! A part of the schedule, so that several machines can share a match.

use std::str::FromStr;

use crate::text::Excerpt;

use super::setting_error::SettingError;

/// A part of the schedule. As text, `3/8` is the third of eight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// The number of the part, from 1.
    pub part: u64,
    /// The number of parts.
    pub of: u64,
}

impl Default for Shard {
    fn default() -> Shard {
        Shard { part: 1, of: 1 }
    }
}

impl Shard {
    /// Whether the pair of games with this number belongs to this part.
    pub fn has(self, pair: u64) -> bool {
        pair % self.of == self.part - 1
    }

    /// How many of the first `pairs` pairs belong to this part.
    pub fn count(self, pairs: u64) -> u64 {
        pairs.saturating_sub(self.part - 1).div_ceil(self.of)
    }
}

impl FromStr for Shard {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Shard, SettingError> {
        let numbers = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((part, of)) if (1..=of).contains(&part) => Ok(Shard { part, of }),
            _ => Err(SettingError { expected: "a part such as 3/8", found: Excerpt::of(text) }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shards_of_a_match_are_the_whole_of_it() {
        let shards: Vec<Shard> = (1..=8).map(|part| format!("{part}/8").parse().expect("a shard")).collect();
        assert!((0..100).all(|pair| shards.iter().filter(|shard| shard.has(pair)).count() == 1));
        for text in ["", "3", "0/8", "9/8", "1/0", "-1/3"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
