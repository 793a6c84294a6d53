//! `noughts prove`: writes a certificate of what a search finds.

mod parts;
mod solution;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use noughts::certificate::{Header, Spool, Written};
use noughts::game::{Bounds, Player, Position, Rules, Value};
use noughts::search::certificate::{Block, BlockSink, Claim, ProofError, Prover};
use noughts::search::{Control, SHORTAGE, Solver, Stopped, Technique, take_shortage};
use noughts::system::signals::set_when_interrupted;
use noughts::system::{OutputFile, ShardChoice};
use noughts::text::explanation::plies;

use super::arguments::{PositionArguments, UsageError, chosen_shard, path_of_shard, table_size, whole};
use super::output::{log, print, warn};

pub use parts::UnfinishedError;

/// The stack of the search, in bytes. A proof goes as deep as the game is long.
const STACK: usize = 256 << 20;

const EXAMPLES: &str = "Examples:
  noughts prove --size 5 --connect 4 --out 5x5-4.txt
  noughts prove --size 7 --connect 5 --claim draw --out 7x7-5.txt.gz
  noughts prove startpos moves 1,1 0,1 --claim win";

/// The arguments of `noughts prove`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct ProveArguments {
    #[command(flatten)]
    position: PositionArguments,
    /// What to prove: value (whatever is found), draw, win or loss (of the player to move, however long it takes), or
    /// wins-within:N (plies).
    #[arg(long, value_name = "CLAIM", default_value = "value", value_parser = goal)]
    claim: Goal,
    /// Where to write the certificate; a name that ends with .gz is compressed. By default standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Milliseconds for search and proof together, half of them for the search; without it, as long as they take.
    #[arg(long, value_name = "MS", value_parser = whole::<u64>(1..=604_800_000))]
    movetime: Option<u64>,
    /// Nodes for the search, and as many for the proof.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX))]
    pub nodes: Option<u64>,
    /// MiB for the tables of the search.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = table_size::<1_048_576>)]
    pub hash: u32,
    /// Write a solution instead: all best moves of the player who wins, in every position that can follow. It is no proof.
    #[arg(long, conflicts_with_all = ["claim", "split", "list", "job", "join"])]
    solution: bool,
    /// Use no published theorem but strategy stealing, and no stored pairing.
    #[arg(long)]
    pub no_theorems: bool,
    /// Proofs in parts: write the questions that are left after so many plies to --list, with --nodes for each.
    #[arg(long, value_name = "PLIES", requires = "list", value_parser = whole::<u32>(1..=6))]
    split: Option<u32>,
    /// Where --split and --join write questions.
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
    /// Answer the questions of this list into --record, one after the other.
    #[arg(long, value_name = "FILE", requires = "record", conflicts_with_all = ["split", "join"])]
    job: Option<PathBuf>,
    /// The part of the questions, such as 3/8; auto or auto/N for the part that Slurm, Kubernetes or GNU Parallel gives to
    /// this process. {shard} in the name of --record is the number of the part.
    #[arg(long, value_name = "I/N", requires = "job")]
    shard: Option<ShardChoice>,
    /// Where --job writes answers.
    #[arg(long, value_name = "FILE", requires = "job")]
    record: Option<PathBuf>,
    /// Continue the record: answer what is missing.
    #[arg(long, requires = "record")]
    resume: bool,
    /// A list of questions, and records of answers: write the certificate, or with exit code 3 the next list.
    #[arg(long, value_name = "FILE", num_args = 2.., conflicts_with = "split")]
    join: Vec<PathBuf>,
}

/// The kind of claim to prove.
#[derive(Clone, Copy)]
enum Goal {
    Value,
    Draw,
    Win,
    Loss,
    WinWithin(u16),
}

impl Goal {
    /// True if it matters how soon a player wins, which can take longer to find out than who wins.
    fn asks_distance(self) -> bool {
        !matches!(self, Goal::Win | Goal::Loss)
    }
}

fn goal(text: &str) -> Result<Goal, &'static str> {
    let within = |text: &str| text.parse().ok().filter(|plies| (1..=400).contains(plies));
    match (text, text.strip_prefix("wins-within:").and_then(within)) {
        ("value", _) => Ok(Goal::Value),
        ("draw", _) => Ok(Goal::Draw),
        ("win", _) => Ok(Goal::Win),
        ("loss", _) => Ok(Goal::Loss),
        (_, Some(plies)) => Ok(Goal::WinWithin(plies)),
        (_, None) => Err("expected value, draw, win, loss, or wins-within:N with N from 1 to 400"),
    }
}

/// Writes a certificate, and what it says on standard error; or does a part of that.
pub fn run(arguments: &ProveArguments) -> Result<()> {
    if let Some(list) = &arguments.job {
        let shard = arguments.shard.map(chosen_shard).transpose()?;
        let record = arguments.record.as_deref().map(|path| path_of_shard(path, shard)).transpose()?;
        let record = record.unwrap_or_default();
        return parts::answer(list, &record, shard.unwrap_or_default(), arguments.resume);
    }
    if let Some((list, records)) = arguments.join.split_first() {
        return parts::join(list, records, arguments.out.as_deref(), arguments.list.as_deref());
    }
    let position = position(arguments)?;
    if arguments.solution {
        return write_solution(arguments, &position);
    }
    match (arguments.split, &arguments.list) {
        (Some(plies), Some(list)) => {
            parts::split(&position, &claims_of_split(arguments, &position)?, plies, arguments, list)
        }
        _ => write_certificate(arguments, &position),
    }
}

/// The position that is asked about.
fn position(arguments: &ProveArguments) -> Result<Position> {
    let position = arguments.position.position()?;
    if position.outcome().is_some() {
        bail!(UsageError::new("the game is over in this position, so there is nothing to prove"));
    }
    if position.rules().line_length().is_none() {
        bail!(UsageError::new("no line fits on this board, so there is nothing to prove"));
    }
    Ok(position)
}

/// The claims that `--claim` names without a search.
fn claims_of_split(arguments: &ProveArguments, position: &Position) -> Result<Vec<Claim>, UsageError> {
    match arguments.claim {
        Goal::Draw => Ok(Player::BOTH.map(|player| Claim::Cannot(player, None)).to_vec()),
        Goal::WinWithin(plies) => Ok(vec![Claim::Wins(position.side(), plies)]),
        Goal::Value | Goal::Win | Goal::Loss => {
            Err(UsageError::new("--split needs --claim draw or --claim wins-within:N"))
        }
    }
}

/// The limits of a search, which the flag ends.
fn control(arguments: &ProveArguments, is_interrupted: &Arc<AtomicBool>) -> Control {
    let control = Control::new(is_interrupted.clone(), None, None).with_nodes(arguments.nodes);
    let time = arguments.movetime.map(Duration::from_millis);
    time.into_iter().fold(control, Control::with_time)
}

fn write_solution(arguments: &ProveArguments, position: &Position) -> Result<()> {
    let &ProveArguments { hash, no_theorems, .. } = arguments;
    let (position, control) = (*position, control(arguments, &interrupt_flag()?));
    let search = move || {
        let mut solver = solver_of(position.rules(), hash, !no_theorems);
        solution::solution(&mut solver, &position, &control)
    };
    let (text, positions) = with_stack(search)??;
    warn_of_shortage();
    let write = |out: &mut dyn Write| out.write_all(text.as_bytes());
    match &arguments.out {
        None => print(write)?,
        Some(name) => write_output(name, |file| write_file(file, name, Compression::best(), write))?,
    }
    log(format_args!("{positions} positions"));
    Ok(())
}

fn write_certificate(arguments: &ProveArguments, position: &Position) -> Result<()> {
    let &ProveArguments { claim, hash, no_theorems, .. } = arguments;
    let (position, rules) = (*position, position.rules());
    let is_interrupted = interrupt_flag()?;
    let control = control(arguments, &is_interrupted);
    let folder = match arguments.out.as_deref() {
        Some(name) => OutputFile::named(name).with_context(|| cannot_write(name))?.folder(),
        None => std::env::temp_dir(),
    };
    let spool = tempfile::tempfile_in(&folder).with_context(|| format!("cannot write to {}", folder.display()))?;
    let spool = Spool::new(spool, rules.shape());
    let search = move || search(&position, claim, &control, &is_interrupted, hash, !no_theorems, spool);
    let (header, spool, missing) = with_stack(search)??;
    finish(&header, spool, arguments.out.as_deref())?;
    match missing {
        None => Ok(()),
        Some(missing) => Err(UnfinishedError(format!("{missing}; the certificate is without it")).into()),
    }
}

/// A flag that Ctrl-C sets.
fn interrupt_flag() -> Result<Arc<AtomicBool>> {
    let is_interrupted = Arc::new(AtomicBool::new(false));
    set_when_interrupted(&is_interrupted).context("cannot catch signals")?;
    Ok(is_interrupted)
}

/// The error of a file that cannot be written as a whole.
pub fn cannot_write(name: &Path) -> String {
    format!("cannot write {}; nothing was written", name.display())
}

/// Does something on a thread whose stack is large enough for proofs.
pub fn with_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let thread = thread::Builder::new().name("search".to_owned()).stack_size(STACK).spawn(work);
    thread.context("cannot start a thread")?.join().map_err(|_| anyhow!("the search failed"))
}

/// Writes the certificate of a spool, to standard output without a name.
pub fn finish(header: &Header, spool: Spool, out: Option<&Path>) -> Result<()> {
    let begun = Instant::now();
    let written = match out {
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            let written = spool.finish(header, &mut out).and_then(|written| out.flush().map(|()| written));
            written.context("cannot put the certificate together and write it to standard output")?
        }
        Some(name) => {
            let write = |mut out: &mut dyn Write| spool.finish(header, &mut out);
            write_output(name, |file| write_file(file, name, Compression::default(), write))?
        }
    };
    let Written { lines, lemmas } = written;
    log(format_args!("{lines} lines, {lemmas} lemmas, written in {:.1} s", begun.elapsed().as_secs_f64()));
    Ok(())
}

/// Writes a file as a whole, or to a pipe or a device of this name.
pub fn write_output<T>(name: &Path, write: impl FnOnce(&File) -> io::Result<T>) -> Result<T> {
    let file = OutputFile::named(name).with_context(|| cannot_write(name))?;
    file.write(write).map_err(|error| {
        let failure = match &file {
            OutputFile::Regular(_) => cannot_write(name),
            OutputFile::Special(_) => format!("cannot write {} to its end", name.display()),
        };
        // The type of the error is dropped: a pipe without a reader is a success only for standard output.
        anyhow!("{failure}: {error}")
    })
}

/// Writes into a file, compressed if its name ends with `.gz`.
fn write_file<T>(
    file: &File,
    name: &Path,
    compression: Compression,
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> io::Result<T> {
    let mut out = BufWriter::new(file);
    let written = if name.extension().is_some_and(|extension| extension == "gz") {
        let mut out = BufWriter::new(GzEncoder::new(&mut out, compression));
        let written = write(&mut out)?;
        out.into_inner()?.finish()?;
        written
    } else {
        write(&mut out)?
    };
    out.flush()?;
    Ok(written)
}

/// A solver, with or without published theorems and stored pairings.
pub fn solver_of(rules: Rules, mebibytes: u32, theorems: bool) -> Solver {
    let solver = Solver::new(rules, mebibytes);
    if theorems { solver } else { solver.without(&[Technique::Theorem]) }
}

/// Finds out what can be claimed, and proves it, or as much of it as the limits allow. The last value is present if claims
/// are not proved: these, with the reasons.
fn search(
    position: &Position,
    goal: Goal,
    control: &Control,
    is_interrupted: &AtomicBool,
    mebibytes: u32,
    theorems: bool,
    spool: Spool,
) -> Result<(Header, Spool, Option<String>)> {
    let mut solver = solver_of(position.rules(), mebibytes, theorems);
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{elapsed}  {msg}") {
        bar.set_style(style);
    }
    let begun = Instant::now();
    let claims = match goal {
        Goal::WinWithin(plies) => vec![Claim::Wins(position.side(), plies)],
        Goal::Value | Goal::Draw | Goal::Win | Goal::Loss => {
            let mut progress =
                |_: Bounds, depth, nodes| bar.set_message(format!("search: {nodes} nodes, {}", plies(depth)));
            let half = control.clone().with_share_of_time(0.5);
            let half = half.with_distance_nodes(if goal.asks_distance() { None } else { Some(0) });
            let bounds = solver.solve(position, &half, &mut progress).bounds;
            warn_of_shortage();
            claims(position, goal, bounds)?
        }
    };
    let searched = begun.elapsed();
    let mut sink = ProgressSink { spool, bar: &bar };
    let shares = shares(control, claims.len());
    let mut prover = Prover::new(&mut solver, control, &mut sink);
    // The shares come first. Then those claims that are not finished have the rest.
    let attempts = claims.iter().copied().zip(&shares).chain(claims.iter().map(|&claim| (claim, control)));
    let proofs = prove(&mut prover, position, attempts, is_interrupted);
    let nodes = prover.nodes();
    bar.finish_and_clear();
    warn_of_shortage();
    let Proofs { proved, failed } = proofs.context("the proof cannot be kept; nothing was written")?;
    let problem = |claim: &Claim| match failed.iter().find(|(failed, _)| failed == claim) {
        Some((_, why)) => format!("{claim}{why}"),
        None => format!("{claim}: {}", ProofError::Stopped),
    };
    let missing: Vec<String> = claims.iter().filter(|claim| !proved.contains(claim)).map(problem).collect();
    let missing = Some(missing.join("; ")).filter(|missing| !missing.is_empty());
    if let Some(missing) = missing.as_ref().filter(|_| proved.is_empty()) {
        bail!("{missing}; nothing was written");
    }
    proved.iter().for_each(log);
    let proof_time = (begun.elapsed() - searched).as_secs_f64();
    let search_time = searched.as_secs_f64();
    log(format_args!("searched in {search_time:.1} s, proved in {proof_time:.1} s with {nodes} more nodes"));
    Ok((Header { position: *position, claims: proved }, sink.spool, missing))
}

/// The results of claims. Those that are in neither list are not finished.
struct Proofs {
    /// In the order of their proofs.
    proved: Vec<Claim>,
    /// With what is to be read behind the claim.
    failed: Vec<(Claim, String)>,
}

/// Proves claims, each under its control, unless an earlier attempt has settled it. An attempt that was stopped leaves its
/// lemmas to the next one.
fn prove<'a>(
    prover: &mut Prover<'a>,
    position: &Position,
    attempts: impl Iterator<Item = (Claim, &'a Control)>,
    is_interrupted: &AtomicBool,
) -> io::Result<Proofs> {
    let (mut proved, mut failed) = (Vec::new(), Vec::new());
    for (claim, control) in attempts {
        let is_settled = proved.contains(&claim) || failed.iter().any(|(known, _)| *known == claim);
        if is_settled || is_interrupted.load(Ordering::Relaxed) {
            continue;
        }
        prover.set_control(control);
        match prover.prove(position, claim) {
            Ok(()) => proved.push(claim),
            Err(ProofError::Stopped) => {}
            Err(ProofError::Open) => failed.push((claim, why_open(prover, position, claim))),
            Err(ProofError::Sink(error)) => return Err(error),
        }
    }
    Ok(Proofs { proved, failed })
}

/// For each of so many claims, what ends its first attempt: a long proof leaves room for a short one. Half of what is left
/// is kept for the claims behind it.
fn shares(control: &Control, claims: usize) -> Vec<Control> {
    let share = |number: usize| {
        let kept = if claims > 1 { 0.5_f64.powi(number as i32 + 1) } else { 0.0 };
        let nodes = control.nodes.map(|nodes| nodes - (nodes as f64 * kept) as u64);
        control.clone().with_share_of_time(1.0 - kept).with_nodes(nodes)
    };
    (0..claims).map(share).collect()
}

/// The reason why no proof of a claim was found, to be read behind the claim.
fn why_open(prover: &mut Prover<'_>, position: &Position, claim: Claim) -> String {
    match prover.refutation(position, claim) {
        Ok(Some(opposite)) => format!(" is refuted: {opposite}"),
        Ok(None) => " is true by the search, but no proof was found that can be written down".to_owned(),
        Err(Stopped) => format!(": {}", ProofError::Open),
    }
}

/// Says if tables are smaller than `--hash` allows.
fn warn_of_shortage() {
    if take_shortage() {
        warn(SHORTAGE);
    }
}

/// The claims that the bounds allow; an error if they are not what was asked for.
fn claims(position: &Position, goal: Goal, bounds: Bounds) -> Result<Vec<Claim>> {
    let mut claims = Prover::claims(position, bounds);
    let found = match bounds.exact() {
        Some(Value::Draw) => "the value is a draw".to_owned(),
        Some(Value::Win(distance)) => format!("the value is a win in {}", plies(distance)),
        Some(Value::Loss(distance)) => format!("the value is a loss in {}", plies(distance)),
        None => "the search has not settled the value within its limits".to_owned(),
    };
    let is_decisive = bounds.at_least > Value::Draw || bounds.at_most < Value::Draw;
    let refuted = match goal {
        Goal::Draw => is_decisive.then_some("a draw"),
        Goal::Win => (bounds.at_most <= Value::Draw).then_some("a win of the player to move"),
        Goal::Loss => (bounds.at_least >= Value::Draw).then_some("a loss of the player to move"),
        Goal::Value | Goal::WinWithin(_) => None,
    };
    if let Some(refuted) = refuted {
        // Where the value is not settled, the first claim alone refutes the goal.
        let found = bounds.exact().map_or_else(|| claims[0].to_string(), |_| found);
        bail!("{refuted} is refuted: {found}; nothing was written");
    }
    match goal {
        Goal::Draw if bounds.exact().is_none() => bail!("not proven a draw: {found}"),
        Goal::Win if bounds.at_least <= Value::Draw => bail!("not proven a win of the player to move: {found}"),
        Goal::Loss if bounds.at_most >= Value::Draw => bail!("not proven a loss of the player to move: {found}"),
        Goal::Win | Goal::Loss => claims.truncate(1),
        _ => {}
    }
    if claims.is_empty() {
        bail!("nothing to certify: {found}");
    }
    if bounds.exact().is_none() && goal.asks_distance() {
        log(format_args!("{found}: the certificate says what is known of it"));
    }
    Ok(claims)
}

/// A spool that shows how many blocks it has.
struct ProgressSink<'a> {
    spool: Spool,
    bar: &'a ProgressBar,
}

impl BlockSink for ProgressSink<'_> {
    fn take(&mut self, block: Block) -> io::Result<()> {
        self.spool.take(block)?;
        if self.spool.blocks().is_multiple_of(1000) {
            self.bar.set_message(format!("proof: {} lemmas", self.spool.blocks()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Proves claims within `nodes`.
    fn proved(position: &Position, claims: &[Claim], nodes: u64, is_interrupted: bool) -> Vec<Claim> {
        let mut solver = solver_of(position.rules(), 1, true);
        let mut spool = Spool::new(tempfile::tempfile().expect("a file"), position.rules().shape());
        let control = Control::unlimited().with_nodes(Some(nodes));
        let shares = shares(&control, claims.len());
        let mut prover = Prover::new(&mut solver, &control, &mut spool);
        let attempts = claims.iter().copied().zip(&shares).chain(claims.iter().map(|&claim| (claim, &control)));
        let proofs = prove(&mut prover, position, attempts, &AtomicBool::new(is_interrupted)).expect("room");
        assert!(proofs.failed.is_empty() && prover.nodes() <= nodes);
        proofs.proved
    }

    #[test]
    fn a_long_proof_leaves_room_for_a_short_one_and_has_the_rest() {
        // That X cannot win takes some 400,000 nodes; that O cannot is a mirror strategy.
        let start = Position::start(Rules::new(5, 4, true).expect("rules"));
        let [long, short] = Player::BOTH.map(|player| Claim::Cannot(player, None));
        for claims in [[long, short], [short, long]] {
            assert_eq!(proved(&start, &claims, 1_000, false), [short]);
            assert_eq!(proved(&start, &claims, 1_000, true), []);
        }
        // Twice the nodes of both proofs are enough for each of them at its first attempt.
        let start = Position::start(Rules::new(4, 4, false).expect("rules"));
        let claims = Player::BOTH.map(|player| Claim::Cannot(player, None));
        let needed = (1..).find(|&nodes| proved(&start, &claims, nodes, false) == claims);
        let needed = needed.expect("a number of nodes that is enough");
        (needed..2 * needed).for_each(|nodes| assert_eq!(proved(&start, &claims, nodes, false).len(), 2, "{nodes}"));
    }
}
