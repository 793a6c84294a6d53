//! The part of the work that this process has: from the command line, or from the scheduler that started the process.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::text::Excerpt;

/// A part of the work, so that several machines can share it. As text, `3/8` is the third of eight.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
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
    /// The part with this number, if there is one.
    pub fn new(part: u64, of: u64) -> Option<Shard> {
        (1..=of).contains(&part).then_some(Shard { part, of })
    }

    /// True if the item with this number, from 0, belongs to this part.
    pub fn has(self, item: u64) -> bool {
        item % self.of == self.part - 1
    }

    /// The number of the first `items` items that belong to this part.
    pub fn count(self, items: u64) -> u64 {
        items.saturating_sub(self.part - 1).div_ceil(self.of)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let numbers = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
        let shard = numbers.and_then(|(part, of)| Shard::new(part, of));
        shard.ok_or_else(|| unknown(text))
    }
}

impl Serialize for Shard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Shard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Shard, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A program that starts many processes, each with its number in a variable of the environment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scheduler {
    /// Its name on the command line.
    pub name: &'static str,
    /// The variable with the number of the process.
    pub variable: &'static str,
    /// The number of the first process, if the count is stated.
    first: u64,
}

/// Slurm, with a job array.
const SLURM: Scheduler = Scheduler { name: "slurm", variable: "SLURM_ARRAY_TASK_ID", first: 1 };

impl Scheduler {
    /// All of them: Slurm, Kubernetes with an Indexed Job, GNU Parallel.
    pub const ALL: [Scheduler; 3] = [
        SLURM,
        Scheduler { name: "kubernetes", variable: "JOB_COMPLETION_INDEX", first: 0 },
        Scheduler { name: "parallel", variable: "PARALLEL_SEQ", first: 1 },
    ];
}

/// The argument of `--shard`: a part, such as `3/8`, or `auto` for that of the scheduler. `auto/8` states the number of
/// parts, `auto:slurm` the scheduler, `auto:slurm/8` both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShardChoice {
    /// This part.
    Given(Shard),
    /// The part that the scheduler gives to the process.
    Auto {
        /// The scheduler; `None` for the only one whose variable is set.
        scheduler: Option<Scheduler>,
        /// The number of parts; `None` for the number of tasks of the whole array.
        of: Option<u64>,
    },
}

/// The reason why it is not known which part is meant.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct ShardError(String);

/// The error for a text that is none of the known forms.
fn unknown(text: &str) -> ShardError {
    let forms = "a part such as 3/8, or auto, auto/8, auto:slurm, auto:kubernetes/8, auto:parallel/8";
    ShardError(format!("expected {forms}, not {}", Excerpt::of(text)))
}

/// The error when the schedulers' variables do not name the part of this process.
fn unclear(problem: impl fmt::Display) -> ShardError {
    ShardError(format!("--shard auto: {problem}"))
}

impl FromStr for ShardChoice {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<ShardChoice, ShardError> {
        let Some(rest) = text.strip_prefix("auto") else { return text.parse().map(ShardChoice::Given) };
        let (name, of) = rest.split_once('/').map_or((rest, None), |(name, of)| (name, Some(of)));
        let of = of.map(|of| of.parse().ok().filter(|&of: &u64| of > 0).ok_or_else(|| unknown(text))).transpose()?;
        let named = |scheduler: &Scheduler| name.strip_prefix(':') == Some(scheduler.name);
        match Scheduler::ALL.into_iter().find(named) {
            None if !name.is_empty() => Err(unknown(text)),
            scheduler => Ok(ShardChoice::Auto { scheduler, of }),
        }
    }
}

impl ShardChoice {
    /// The part that is meant, where `variable` gives the variables of the environment.
    ///
    /// # Errors
    /// When the schedulers' variables do not name the part of this process.
    pub fn shard(self, variable: impl Fn(&str) -> Option<String>) -> Result<Shard, ShardError> {
        let (scheduler, of) = match self {
            ShardChoice::Given(shard) => return Ok(shard),
            ShardChoice::Auto { scheduler, of } => (scheduler, of),
        };
        let candidates: Vec<Scheduler> =
            Scheduler::ALL.into_iter().filter(|&one| scheduler.is_none_or(|chosen| chosen == one)).collect();
        let names = |schedulers: &[Scheduler]| schedulers.iter().map(|one| one.variable).collect::<Vec<_>>();
        let set: Vec<Scheduler> = candidates.iter().copied().filter(|one| variable(one.variable).is_some()).collect();
        let scheduler = match set[..] {
            [] => {
                let names = names(&candidates).join(" or ");
                let meaning = "so no scheduler says which part this process has; write I/N";
                return Err(unclear(format_args!("{names} is not set, {meaning}")));
            }
            [scheduler] => scheduler,
            _ => {
                let choice = "choose one with auto:NAME, where NAME is slurm, kubernetes or parallel";
                return Err(unclear(format_args!("{} are set; {choice}", names(&set).join(" and "))));
            }
        };
        let number = |name: &'static str, from: u64, to: u64| {
            let text = variable(name).unwrap_or_default();
            let value = text.trim().parse().ok().filter(|value| (from..=to).contains(value));
            let expected = if to == u64::MAX { format!("from {from}") } else { format!("from {from} to {to}") };
            let found = Excerpt::of(&text);
            value.ok_or_else(|| unclear(format_args!("{name} is {found}; expected a number {expected}")))
        };
        let (first, step, of) = match (of, scheduler) {
            (Some(of), _) => (scheduler.first, 1, of),
            (None, SLURM) => {
                let min = number("SLURM_ARRAY_TASK_MIN", 0, u64::MAX)?;
                let max = number("SLURM_ARRAY_TASK_MAX", min, u64::MAX)?;
                let step = number("SLURM_ARRAY_TASK_STEP", 1, u64::MAX)?;
                let count = number("SLURM_ARRAY_TASK_COUNT", 1, u64::MAX)?;
                if (max - min) / step + 1 != count || !(max - min).is_multiple_of(step) {
                    return Err(unclear(format_args!(
                        "Slurm's {count} tasks from {min} to {max} in steps of {step} have gaps, so they may be a part of \
                         an array; write auto/N, with the number of parts of the whole"
                    )));
                }
                (min, step, count)
            }
            (None, _) => {
                let name = scheduler.variable;
                return Err(unclear(format_args!("{name} does not say how many parts there are; write auto/N")));
            }
        };
        let last = first.saturating_add(step.saturating_mul(of - 1));
        let index = number(scheduler.variable, first, last)? - first;
        Ok(Shard { part: index / step + 1, of })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The part that is meant by a text in an environment.
    fn shard(text: &str, variables: &[(&str, &str)]) -> Result<String, String> {
        let variable =
            |name: &str| variables.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned());
        let choice: ShardChoice = text.parse().map_err(|error: ShardError| error.to_string())?;
        choice.shard(variable).map(|shard| shard.to_string()).map_err(|error| error.to_string())
    }

    fn array<'a>(id: &'a str, min: &'a str, max: &'a str, step: &'a str, count: &'a str) -> [(&'a str, &'a str); 5] {
        [
            ("SLURM_ARRAY_TASK_ID", id),
            ("SLURM_ARRAY_TASK_MIN", min),
            ("SLURM_ARRAY_TASK_MAX", max),
            ("SLURM_ARRAY_TASK_STEP", step),
            ("SLURM_ARRAY_TASK_COUNT", count),
        ]
    }

    #[test]
    fn the_shards_of_a_whole_are_the_whole_of_it() {
        let shards: Vec<Shard> = (1..=8).map(|part| format!("{part}/8").parse().expect("a shard")).collect();
        assert!((0..100).all(|item| shards.iter().filter(|shard| shard.has(item)).count() == 1));
        assert!((0..100).all(|items| shards.iter().map(|shard| shard.count(items)).sum::<u64>() == items));
        for text in ["", "3", "0/8", "9/8", "1/0", "-1/3", "auto/0", "auto:pbs", "autos", "auto:", "auto/x"] {
            assert!(shard(text, &[]).is_err_and(|error| error.starts_with("expected a part such as 3/8")), "{text}");
        }
    }

    #[test]
    fn each_scheduler_counts_from_its_own_first_number() {
        assert_eq!(shard("auto/8", &[("SLURM_ARRAY_TASK_ID", "3")]), Ok("3/8".to_owned()));
        assert_eq!(shard("auto/8", &[("JOB_COMPLETION_INDEX", "0")]), Ok("1/8".to_owned()));
        assert_eq!(shard("auto/8", &[("JOB_COMPLETION_INDEX", "7")]), Ok("8/8".to_owned()));
        assert_eq!(shard("auto/8", &[("PARALLEL_SEQ", "8")]), Ok("8/8".to_owned()));
        for (variable, wrong) in [
            ("SLURM_ARRAY_TASK_ID", "0"),
            ("SLURM_ARRAY_TASK_ID", "9"),
            ("JOB_COMPLETION_INDEX", "8"),
            ("PARALLEL_SEQ", "0"),
            ("PARALLEL_SEQ", "x"),
        ] {
            let said = shard("auto/8", &[(variable, wrong)]).expect_err("an error");
            assert!(said.contains(variable) && said.contains(wrong), "{said}");
        }
    }

    #[test]
    fn a_whole_array_of_slurm_needs_no_count() {
        for (min, step, count) in [(0, 1, 4), (1, 1, 4), (10, 5, 3), (7, 1, 1)] {
            let max = min + step * (count - 1);
            for place in 0..count {
                let texts = [min + step * place, min, max, step, count].map(|number| number.to_string());
                let [id, min, max, step, count_text] = texts.each_ref().map(String::as_str);
                let expected = format!("{}/{count}", place + 1);
                assert_eq!(shard("auto", &array(id, min, max, step, count_text)), Ok(expected.clone()));
                assert_eq!(shard("auto:slurm", &array(id, min, max, step, count_text)), Ok(expected));
            }
        }
        // --array=3,7 is what is left of another array.
        let said = shard("auto", &array("3", "3", "7", "1", "2")).expect_err("gaps");
        assert!(said.contains("2 tasks from 3 to 7") && said.contains("auto/N"), "{said}");
        assert_eq!(shard("auto/8", &array("7", "3", "7", "1", "2")), Ok("7/8".to_owned()));
        assert!(shard("auto", &[("SLURM_ARRAY_TASK_ID", "3")]).is_err_and(|said| said.contains("TASK_MIN")));
    }

    #[test]
    fn a_scheduler_that_is_in_doubt_is_an_error_that_names_it() {
        let said = shard("auto", &[]).expect_err("nothing is set");
        assert!(Scheduler::ALL.iter().all(|scheduler| said.contains(scheduler.variable)), "{said}");
        let both = [("SLURM_ARRAY_TASK_ID", "2"), ("PARALLEL_SEQ", "5")];
        let said = shard("auto/8", &both).expect_err("two are set");
        assert!(both.iter().all(|(name, _)| said.contains(name)) && !said.contains("JOB"), "{said}");
        assert_eq!(shard("auto:parallel/8", &both), Ok("5/8".to_owned()));
        assert_eq!(shard("auto:slurm/8", &both), Ok("2/8".to_owned()));
        let said = shard("auto:kubernetes/8", &both).expect_err("not set");
        assert!(said.contains("JOB_COMPLETION_INDEX") && !said.contains("SLURM"), "{said}");
        for (name, text) in [("JOB_COMPLETION_INDEX", "auto"), ("PARALLEL_SEQ", "auto:parallel")] {
            assert!(shard(text, &[(name, "2")]).is_err_and(|said| said.contains("auto/N") && said.contains(name)));
        }
    }
}
