//! `--shard`: which part of the blocks this process checks.

/// The programs that start the tasks of a cluster, the variable with the number of a task, and the number of the first.
const SCHEDULERS: [(&str, &str, u64); 3] =
    [("slurm", "SLURM_ARRAY_TASK_ID", 1), ("kubernetes", "JOB_COMPLETION_INDEX", 0), ("parallel", "PARALLEL_SEQ", 1)];

const EXPECTED: &str = "expected --shard I/N with I from 1 to N, or auto/N in one task of N";

/// The part and the number of parts, of `I/N` or of `auto/N`, `auto`, `auto:slurm/N` in a task of a cluster. `variable`
/// gives the variables of the environment.
///
/// # Errors
/// When the text, or the number of the scheduler, is no part.
pub fn shard(text: &str, variable: impl Fn(&str) -> Option<String>) -> Result<(u64, u64), String> {
    let (part, of) = text.split_once('/').map_or((text, None), |(part, of)| (part, Some(of)));
    let of: Option<u64> = of.map(str::parse).transpose().map_err(|_| EXPECTED)?;
    let number = |name: &str| -> Result<u64, String> {
        let text = variable(name).unwrap_or_default();
        text.trim().parse().map_err(|_| format!("expected a number in {name}, found {text:?}"))
    };
    let is_named = |name: &str| part == "auto" || part.strip_prefix("auto:") == Some(name);
    let named: Vec<_> = SCHEDULERS.iter().filter(|scheduler| is_named(scheduler.0)).collect();
    let set: Vec<_> = named.iter().copied().filter(|scheduler| variable(scheduler.1).is_some()).collect();
    let (place, first, step, of) = match (&set[..], of) {
        _ if named.is_empty() => (part.parse().map_err(|_| EXPECTED)?, 1, 1, of.ok_or(EXPECTED)?),
        ([(_, name, first)], Some(of)) => (number(name)?, *first, 1, of),
        ([("slurm", name, _)], None) => {
            let [first, last, step, of] = ["MIN", "MAX", "STEP", "COUNT"].map(|key| format!("SLURM_ARRAY_TASK_{key}"));
            let (first, last, step, of) = (number(&first)?, number(&last)?, number(&step)?, number(&of)?);
            if Some(last) != of.checked_sub(1).and_then(|steps| steps.checked_mul(step)?.checked_add(first)) {
                return Err(format!("the array has {of} tasks from {first} to {last}, with gaps: say auto/N"));
            }
            (number(name)?, first, step, of)
        }
        ([(_, name, _)], None) => return Err(format!("{name} does not say how many parts there are: say auto/N")),
        _ => {
            let [expected, found] = [&named, &set].map(|of| of.iter().map(|it| it.1).collect::<Vec<_>>().join(", "));
            let found = if found.is_empty() { "none" } else { &found };
            return Err(format!("expected one of {expected} to be set, found {found}: say I/N or auto:NAME/N"));
        }
    };
    let steps = place.checked_sub(first).filter(|distance| step > 0 && distance % step == 0).map(|steps| steps / step);
    steps.filter(|&steps| steps < of).map(|steps| (steps + 1, of)).ok_or_else(|| EXPECTED.to_owned())
}
