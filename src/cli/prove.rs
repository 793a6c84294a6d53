//! `noughts prove`: writes a certificate of what a search finds.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use noughts::certificate::{Header, Spool};
use noughts::game::{Bounds, Player, Position, Rules, Value};
use noughts::search::{Block, BlockSink, Claim, Control, ProofError, Prover, Solver, Technique};
use noughts::system::ShardChoice;
use noughts::system::files::new_file_in;
use noughts::system::signals::set_when_interrupted;

use super::arguments::{BoardArguments, UsageError, chosen_shard, path_of_shard, table_size};
use super::prove_parts;

/// The stack of the search, in bytes. A proof goes as deep as the game is long.
const STACK: usize = 256 << 20;

/// The arguments of `noughts prove`.
#[derive(Args)]
pub struct ProveArguments {
    /// A board such as "xo1/1x1/3 o", perhaps with "moves 2,2 b3" behind it, or "startpos moves 1,1 0,0".
    #[arg(default_value = "startpos")]
    position: String,
    #[command(flatten)]
    game: BoardArguments,
    /// What to prove: value (whatever is found), draw, win (of the player to move), or wins-within:N (plies).
    #[arg(long, value_name = "CLAIM", default_value = "value", value_parser = goal)]
    claim: Goal,
    /// Where to write the certificate; a name that ends with .gz is compressed. By default standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Milliseconds for search and proof together, half of them for the search; without it, as long as they take.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=604_800_000))]
    movetime: Option<u64>,
    /// Nodes for the search, and as many for the proof.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// MiB for the tables of the search.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = table_size::<1_048_576>)]
    pub hash: u32,
    /// Use no published theorem but strategy stealing, and no stored pairing.
    #[arg(long)]
    pub no_theorems: bool,
    /// Proofs in parts: write the questions that are left after so many plies to --list, with --nodes for each.
    #[arg(long, value_name = "PLIES", requires = "list", value_parser = clap::value_parser!(u32).range(1..=6))]
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

/// What is to be proven.
#[derive(Clone, Copy)]
enum Goal {
    Value,
    Draw,
    Win,
    WinWithin(u16),
}

fn goal(text: &str) -> Result<Goal, &'static str> {
    let within = |text: &str| text.parse().ok().filter(|plies| (1..=400).contains(plies));
    match text {
        "value" => Ok(Goal::Value),
        "draw" => Ok(Goal::Draw),
        "win" => Ok(Goal::Win),
        _ => match text.strip_prefix("wins-within:").and_then(within) {
            Some(plies) => Ok(Goal::WinWithin(plies)),
            None => Err("expected value, draw, win, or wins-within:N with N from 1 to 400"),
        },
    }
}

/// Writes a certificate, and what it says on standard error; or does a part of that.
pub fn run(arguments: &ProveArguments) -> Result<()> {
    if let Some(list) = &arguments.job {
        let shard = arguments.shard.map(chosen_shard).transpose()?;
        let record = arguments.record.as_deref().map(|path| path_of_shard(path, shard)).transpose()?;
        let record = record.unwrap_or_default();
        return prove_parts::answer(list, &record, shard.unwrap_or_default(), arguments.resume);
    }
    if let Some((list, records)) = arguments.join.split_first() {
        return prove_parts::join(list, records, arguments.out.as_deref(), arguments.list.as_deref());
    }
    let position = position(arguments)?;
    match (arguments.split, &arguments.list) {
        (Some(plies), Some(list)) => {
            prove_parts::split(&position, &claims_of_split(arguments, &position)?, plies, arguments, list)
        }
        _ => write_certificate(arguments, &position),
    }
}

/// The position that is asked about.
fn position(arguments: &ProveArguments) -> Result<Position> {
    let position = arguments.game.reach(&arguments.position)?;
    if position.outcome().is_some() {
        return Err(UsageError::new("the game is over in this position, so there is nothing to prove").into());
    }
    if position.rules().line_length().is_none() {
        return Err(UsageError::new("no line fits on this board, so there is nothing to prove").into());
    }
    Ok(position)
}

/// The claims that `--claim` names without a search.
fn claims_of_split(arguments: &ProveArguments, position: &Position) -> Result<Vec<Claim>, UsageError> {
    match arguments.claim {
        Goal::Draw => Ok(Player::BOTH.map(|player| Claim::Cannot(player, None)).to_vec()),
        Goal::WinWithin(plies) => Ok(vec![Claim::Wins(position.side(), plies)]),
        Goal::Value | Goal::Win => Err(UsageError::new("--split needs --claim draw or --claim wins-within:N")),
    }
}

fn write_certificate(arguments: &ProveArguments, position: &Position) -> Result<()> {
    let &ProveArguments { claim, hash, no_theorems, .. } = arguments;
    let (position, rules) = (*position, position.rules());
    let is_interrupted = Arc::new(AtomicBool::new(false));
    set_when_interrupted(&is_interrupted).context("cannot catch signals")?;
    let mut control = Control::new(is_interrupted, None, None).with_nodes(arguments.nodes);
    if let Some(milliseconds) = arguments.movetime {
        control = control.with_time(Duration::from_millis(milliseconds));
    }
    let folder = folder_of(arguments.out.as_deref());
    let spool = tempfile::tempfile_in(&folder).with_context(|| format!("cannot write to {}", folder.display()))?;
    let search = move || search(&position, claim, &control, hash, !no_theorems, Spool::new(spool, rules.size()));
    let (header, spool) = with_stack(search)??;
    finish(&header, spool, arguments.out.as_deref())
}

/// The folder of a file; that of temporary files without one.
pub fn folder_of(out: Option<&Path>) -> PathBuf {
    match out.and_then(Path::parent) {
        Some(folder) if folder.as_os_str().is_empty() => PathBuf::from("."),
        Some(folder) => folder.to_owned(),
        None => std::env::temp_dir(),
    }
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
            let written = spool.finish(header, &mut out)?;
            out.flush()?;
            written
        }
        Some(name) => {
            let problem = || format!("cannot write {}; nothing was written", name.display());
            let file = new_file_in(&folder_of(out)).with_context(problem)?;
            let written = write_file(header, spool, file.as_file(), name).with_context(problem)?;
            file.persist(name).with_context(problem)?;
            written
        }
    };
    eprintln!("{} lines, {} lemmas, written in {:.1} s", written.lines, written.lemmas, begun.elapsed().as_secs_f64());
    Ok(())
}

/// Writes a certificate to a file that is still empty, compressed if its name says so.
fn write_file(header: &Header, spool: Spool, file: &File, name: &Path) -> io::Result<noughts::certificate::Written> {
    let mut out = BufWriter::new(file);
    let written = if name.extension().is_some_and(|extension| extension == "gz") {
        let mut out = BufWriter::new(GzEncoder::new(&mut out, Compression::default()));
        let written = spool.finish(header, &mut out)?;
        out.into_inner()?.finish()?;
        written
    } else {
        spool.finish(header, &mut out)?
    };
    out.flush()?;
    drop(out);
    file.sync_all()?;
    Ok(written)
}

/// A solver, with or without published theorems and stored pairings.
pub fn solver_of(rules: Rules, mebibytes: u32, theorems: bool) -> Solver {
    let solver = Solver::new(rules, mebibytes);
    if theorems { solver } else { solver.without(&[Technique::Theorem]) }
}

/// Finds out what can be claimed, and proves it.
fn search(
    position: &Position,
    goal: Goal,
    control: &Control,
    mebibytes: u32,
    theorems: bool,
    spool: Spool,
) -> Result<(Header, Spool)> {
    let mut solver = solver_of(position.rules(), mebibytes, theorems);
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{elapsed}  {msg}") {
        bar.set_style(style);
    }
    let begun = Instant::now();
    let claims = match goal {
        Goal::WinWithin(plies) => vec![Claim::Wins(position.side(), plies)],
        Goal::Value | Goal::Draw | Goal::Win => {
            let mut progress =
                |_: Bounds, plies, nodes| bar.set_message(format!("search: {nodes} nodes, {plies} plies"));
            let half = control.clone().with_share_of_time(0.5);
            let bounds = solver.solve(position, &half, &mut progress).bounds;
            warn_of_shortages(&mut solver);
            claims(position, goal, bounds)?
        }
    };
    let searched = begun.elapsed();
    let mut sink = Watched { spool, bar: &bar };
    let mut prover = Prover::new(&mut solver, control, &mut sink);
    let proved = claims.iter().try_for_each(|&claim| {
        let proved = prover.prove(position, claim);
        proved.map_err(|error| failure(error, claim))
    });
    let nodes = prover.nodes();
    bar.finish_and_clear();
    warn_of_shortages(&mut solver);
    proved?;
    for claim in &claims {
        eprintln!("{claim}");
    }
    let proved = (begun.elapsed() - searched).as_secs_f64();
    eprintln!("searched in {:.1} s, proved in {proved:.1} s with {nodes} more nodes", searched.as_secs_f64());
    Ok((Header { position: *position, claims }, sink.spool))
}

/// Says which tables are smaller than `--hash` allows.
fn warn_of_shortages(solver: &mut Solver) {
    solver.take_shortages().iter().for_each(|shortage| eprintln!("warning: {shortage}"));
}

/// The claims that the bounds allow; an error if they are not what was asked for.
fn claims(position: &Position, goal: Goal, bounds: Bounds) -> Result<Vec<Claim>> {
    let found = match bounds.exact() {
        Some(Value::Draw) => "the value is a draw".to_owned(),
        Some(Value::Win(plies)) => format!("the value is a win in {plies} plies"),
        Some(Value::Loss(plies)) => format!("the value is a loss in {plies} plies"),
        None => "the search has not settled the value within its limits".to_owned(),
    };
    match goal {
        Goal::Draw if bounds.exact() != Some(Value::Draw) => bail!("not proven a draw: {found}"),
        Goal::Win if bounds.at_least <= Value::Draw => bail!("not proven a win of the player to move: {found}"),
        _ => {}
    }
    let mut claims = Prover::claims(position, bounds);
    if let Goal::Win = goal {
        claims.truncate(1);
    }
    if claims.is_empty() {
        bail!("nothing to certify: {found}");
    }
    if bounds.exact().is_none() {
        eprintln!("{found}: the certificate says what is known of it");
    }
    Ok(claims)
}

/// What to say when a claim was not proven.
fn failure(error: ProofError, claim: Claim) -> anyhow::Error {
    match error {
        ProofError::Sink(error) => anyhow!(error).context("the proof cannot be kept; nothing was written"),
        error => anyhow!("{claim}: {error}; nothing was written"),
    }
}

/// A spool that shows how many blocks it has.
struct Watched<'a> {
    spool: Spool,
    bar: &'a ProgressBar,
}

impl BlockSink for Watched<'_> {
    fn take(&mut self, block: Block) -> io::Result<()> {
        self.spool.take(block)?;
        if self.spool.blocks().is_multiple_of(1000) {
            self.bar.set_message(format!("proof: {} lemmas", self.spool.blocks()));
        }
        Ok(())
    }
}
