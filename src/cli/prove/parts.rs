//! `noughts prove` in parts: the list of questions, the answers to some of them, and the certificate of all.

use std::collections::HashSet;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use thiserror::Error;

use noughts::certificate::{
    Answer, AnswerLine, AnswerResult, Answers, Header, Joined, ListLine, ProofPlan, Question, Spool, read_answers,
    read_list,
};
use noughts::game::Position;
use noughts::search::certificate::{Block, BlockSink, Claim, ProofError, Prover};
use noughts::search::{Control, SHORTAGE, take_shortage};
use noughts::system::{Appender, Shard, json_line, memory};

use super::super::arguments::UsageError;
use super::super::output::{log, warn};
use super::{ProveArguments, finish, interrupt_flag, solver_of, with_stack, write_output};

/// Nodes for each question of the first list, unless `--nodes` sets another number.
const NODES: u64 = 1_000_000;

/// The factor by which the next list allows more nodes.
const MORE_NODES: u64 = 8;

/// The proof is not complete: questions or claims are left. The program ends with exit status 3.
#[derive(Error, Debug)]
#[error("{0}")]
pub struct UnfinishedError(pub String);

/// A sink for questions, which make no blocks.
struct NoBlocks;

impl BlockSink for NoBlocks {
    fn take(&mut self, _: Block) -> io::Result<()> {
        Ok(())
    }
}

/// Writes the first list of questions.
pub fn split(position: &Position, claims: &[Claim], plies: u32, arguments: &ProveArguments, list: &Path) -> Result<()> {
    let plan = ProofPlan {
        rules: position.rules(),
        position: position.diagram().to_string(),
        claims: claims.iter().map(Claim::to_string).collect(),
        plies,
        round: 1,
        nodes: arguments.nodes.unwrap_or(NODES),
        hash: arguments.hash,
        theorems: !arguments.no_theorems,
    };
    let mut answers = Answers::default();
    match join_answers(&plan, &mut answers)? {
        Joined::Refuted(claim) => bail!("{claim} is refuted: the moves of {plies} plies show it"),
        Joined::Failed(claim) => bail!("{claim}: no move proves it"),
        Joined::Proven(_) => bail!("no question is left after {plies} plies; prove it without --split"),
        Joined::Open => write_list(&plan, &answers.questions(), list),
    }
}

/// Joins the answers of a plan.
fn join_answers(plan: &ProofPlan, answers: &mut Answers) -> Result<Joined> {
    let mut solver = solver_of(plan.rules, 1, plan.theorems);
    let control = Control::new(Arc::new(AtomicBool::new(false)), None, None);
    let mut sink = NoBlocks;
    Ok(answers.join(plan, &mut Prover::new(&mut solver, &control, &mut sink))?)
}

fn spool_of(plan: &ProofPlan) -> Result<Spool> {
    Ok(Spool::new(tempfile::tempfile().context("cannot make a temporary file")?, plan.rules.shape()))
}

fn write_list(plan: &ProofPlan, questions: &[Question], list: &Path) -> Result<()> {
    let lines = questions.iter().cloned().map(ListLine::Question);
    write_output(list, |file| {
        let mut out = BufWriter::new(file);
        for line in std::iter::once(ListLine::Plan(plan.clone())).chain(lines) {
            out.write_all(json_line(&line).as_bytes())?;
        }
        out.flush()
    })?;
    log(format_args!("{} questions of {} nodes each, list {}", questions.len(), plan.nodes, plan.round));
    Ok(())
}

/// Answers the questions of a part of the list.
pub fn answer(list: &Path, record: &Path, shard: Shard, resume: bool) -> Result<()> {
    let (plan, questions) = read_list(list)?;
    memory::check(plan.hash).with_context(|| format!("{}: nothing is answered", list.display()))?;
    let mut file = if resume { Appender::open(record)? } else { Appender::create(record)? };
    let mut answered = HashSet::new();
    if resume && record.is_file() {
        let torn = read_answers(record, plan.rules, |answer| {
            // An answer that was left open with fewer nodes is asked again.
            if answer.result != AnswerResult::Open || answer.of >= plan.nodes {
                answered.insert((answer.position, answer.claim));
            }
        })?;
        if let Some(length) = torn {
            file.cut(length)?;
        }
    }
    let is_interrupted = interrupt_flag()?;
    let mine = questions.into_iter().zip(0..).filter(|&(_, number)| shard.has(number)).map(|(question, _)| question);
    let mine: Vec<Question> =
        mine.filter(|question| !answered.contains(&(question.position.clone(), question.claim.clone()))).collect();
    let of = mine.len();
    for (number, question) in (1..).zip(mine) {
        let (plan, interrupt) = (plan.clone(), is_interrupted.clone());
        let answer = with_stack(move || ask(&plan, &question, interrupt))??;
        if is_interrupted.load(Ordering::Relaxed) {
            bail!("the work was interrupted; --resume goes on with it");
        }
        let Answer { position, claim, result, nodes, .. } = &answer;
        log(format_args!("{number} of {of}: {position} {claim}: {result}, {nodes} nodes"));
        let appended = file.append(json_line(&AnswerLine { answer }).as_bytes());
        appended.context("an answer is not recorded; --resume asks its question again")?;
    }
    Ok(())
}

/// A question has not got its answer.
const NOT_KEPT: &str =
    "the proof cannot be kept in a temporary file; the answer is not recorded, --resume asks its question again";

/// Answers a question, with empty tables and on one thread.
fn ask(plan: &ProofPlan, question: &Question, interrupt: Arc<AtomicBool>) -> Result<Answer> {
    let (position, claim) = question.read(plan.rules)?;
    let mut solver = solver_of(plan.rules, plan.hash, plan.theorems);
    let control = Control::new(interrupt, None, None).with_nodes(Some(plan.nodes));
    let mut spool = spool_of(plan)?;
    let mut prover = Prover::new(&mut solver, &control, &mut spool);
    let proved = prover.prove(&position, claim);
    let is_refuted =
        matches!(proved, Err(ProofError::Open)) && matches!(prover.refutation(&position, claim), Ok(Some(_)));
    let nodes = prover.nodes();
    if take_shortage() {
        // With smaller tables the question takes other nodes, so its answer could not be had again.
        bail!("{SHORTAGE}; the question is not answered, --resume asks it again");
    }
    let mut certificate = None;
    let result = match proved {
        Ok(()) => {
            let mut text = Vec::new();
            spool.finish(&Header { position, claims: vec![claim] }, &mut text).context(NOT_KEPT)?;
            certificate = Some(String::from_utf8(text).context("a certificate is text")?);
            AnswerResult::Proven
        }
        Err(ProofError::Open) if is_refuted => AnswerResult::Refuted,
        Err(ProofError::Open) => AnswerResult::Failed,
        Err(ProofError::Stopped) => AnswerResult::Open,
        Err(ProofError::Sink(error)) => return Err(error).context(NOT_KEPT),
    };
    let Question { position, claim, .. } = question.clone();
    let version = env!("CARGO_PKG_VERSION").to_owned();
    Ok(Answer {
        rules: plan.rules,
        position,
        claim,
        result,
        nodes,
        of: plan.nodes,
        hash: plan.hash,
        version,
        certificate,
    })
}

/// Writes the certificate that follows from the answers, or the next list of questions.
pub fn join(list: &Path, records: &[PathBuf], out: Option<&Path>, next: Option<&Path>) -> Result<()> {
    let (plan, _) = read_list(list)?;
    let mut answers = Answers::default();
    for path in records {
        if read_answers(path, plan.rules, |answer| answers.add(answer))?.is_some() {
            warn(format_args!("{}: the last line is torn and does not count", path.display()));
        }
    }
    match join_answers(&plan, &mut answers)? {
        Joined::Proven(mut proof) => {
            let mut spool = spool_of(&plan)?;
            for path in records {
                let mut adopted = Ok(());
                read_answers(path, plan.rules, |answer| {
                    if adopted.is_ok() {
                        adopted = proof.adopt(answer, &mut spool);
                    }
                })?;
                adopted?;
            }
            let header = proof.finish(&mut spool)?;
            header.claims.iter().for_each(|claim| log(format_args!("{claim} (not checked)")));
            finish(&header, spool, out)?;
            log("the answers that prove this were not checked; noughts-check checks the certificate");
            Ok(())
        }
        Joined::Refuted(claim) => bail!("{claim} is refuted by the answers; nothing was written"),
        Joined::Failed(claim) => bail!("{claim}: no move of the list proves it; nothing was written"),
        Joined::Open => {
            let questions = answers.questions();
            let left = questions.len();
            let Some(next) = next else {
                bail!(UnfinishedError(format!("{left} questions are left; --list FILE writes them")));
            };
            if next == list {
                bail!(UsageError::new("--list names the list that is joined; the next one needs another name"));
            }
            let plan = ProofPlan { round: plan.round + 1, nodes: plan.nodes.saturating_mul(MORE_NODES), ..plan };
            write_list(&plan, &questions, next)?;
            bail!(UnfinishedError(format!("{left} questions are left, in {}", next.display())))
        }
    }
}
