//! Proofs in parts: the questions that are left after some plies, their answers, and the proof above them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::protocol::PositionCommand;
use crate::system::{LineFileError, LineKind, read_lines};
use noughts_core::game::{Cell, Player, Position, Rules, Symmetry};
use noughts_core::search::certificate::{
    Block, BlockSink, Claim, Expansion, Lemma, ProofError, Prover, Record, TheoremName,
};

use super::spool::Spool;
use super::text::Header;

/// The most moves of the prover that a list of questions asks about at a time. If all of them fail, others follow.
const MOVES_AT_A_TIME: usize = 3;

/// The most plies above the questions. The work grows with every ply as many times as there are moves.
pub const MOST_PLIES: u32 = 6;

/// The subject of a list of questions: its first line.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct ProofPlan {
    /// The rules.
    pub rules: Rules,
    /// The position.
    pub position: String,
    /// The claims about it, one after the other.
    pub claims: Vec<String>,
    /// The plies after which the questions are asked.
    pub plies: u32,
    /// The number of the list, from 1.
    pub round: u32,
    /// The most nodes for each question.
    pub nodes: u64,
    /// MiB for the tables of each question.
    pub hash: u32,
    /// True if published theorems and stored pairings may be used.
    pub theorems: bool,
}

/// A question: whether a claim about a position can be proven.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Question {
    /// The position: of all its images the same.
    pub position: String,
    /// The claim.
    pub claim: String,
    /// Its rank among the questions by promise: 0 for the most promising. A list has those first.
    pub priority: u32,
}

/// The result of a question.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum AnswerResult {
    /// The claim is proven.
    Proven,
    /// The claim is false.
    Refuted,
    /// The claim was not refuted, and no rule of certificates shows it.
    Failed,
    /// The nodes were not enough.
    Open,
}

/// The word that stands in the record.
impl fmt::Display for AnswerResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// The answer to a question. It can be asked again alone: one thread, an empty table of this `hash`, and the same
/// nodes.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Answer {
    /// The rules.
    pub rules: Rules,
    /// The position of the question.
    pub position: String,
    /// Its claim.
    pub claim: String,
    /// The result.
    pub result: AnswerResult,
    /// The nodes that it took.
    pub nodes: u64,
    /// The most nodes that it might take.
    pub of: u64,
    /// MiB of the tables.
    pub hash: u32,
    /// The version of Noughts.
    pub version: String,
    /// The certificate of a proven claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
}

/// The reason why a list of questions or answers cannot be used.
#[derive(Debug, Error)]
pub enum PartsError {
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] LineFileError),
    /// The list has no plan.
    #[error("the list of questions has no first line that says what it is about")]
    NoPlan,
    /// A position or claim of the list is none.
    #[error("{0:?} in the list of questions is no position or claim of its game")]
    Text(String),
    /// The file holds answers about another game.
    #[error("{} holds answers about another game", .0.display())]
    OtherGame(PathBuf),
    /// The list asks for questions too far below its position.
    #[error("a list of questions is about at most {MOST_PLIES} plies, not {0}")]
    Plies(u32),
    /// An answer holds something else than a certificate.
    #[error("the answer about {0} has no certificate of its claim")]
    Certificate(String),
    /// The proof cannot be kept.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The work was stopped.
    #[error(transparent)]
    Proof(#[from] ProofError),
}

/// A line of a list of questions.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ListLine {
    /// The subject of the list.
    Plan(ProofPlan),
    /// A question.
    Question(Question),
}

/// A line of a record of answers.
#[derive(Serialize, Deserialize)]
pub struct AnswerLine {
    /// The answer.
    pub answer: Answer,
}

const LIST: LineKind = LineKind {
    name: "a line of a list of questions",
    longest: 1 << 20,
    beginnings: &[b"{\"plan\":{", b"{\"question\":{"],
};
const ANSWERS: LineKind = LineKind { name: "an answer", longest: 4 << 30, beginnings: &[b"{\"answer\":{"] };

/// Reads a list of questions.
///
/// # Errors
/// When the file cannot be read, or has another first line than a plan.
pub fn read_list(path: &Path) -> Result<(ProofPlan, Vec<Question>), PartsError> {
    let (mut plan, mut questions) = (None, Vec::new());
    read_lines(path, LIST, |line| {
        match serde_json::from_slice(line).map_err(|error| error.to_string())? {
            ListLine::Plan(found) => plan = Some(found),
            ListLine::Question(question) => questions.push(question),
        }
        Ok(())
    })?;
    let plan: ProofPlan = plan.ok_or(PartsError::NoPlan)?;
    if plan.plies > MOST_PLIES { Err(PartsError::Plies(plan.plies)) } else { Ok((plan, questions)) }
}

/// Reads the answers of a file, about questions under these rules, and hands each to `take`. Returns the length of its
/// whole lines if there is a torn line behind them.
///
/// # Errors
/// When the file cannot be read, a line is no answer, or one is about another game.
pub fn read_answers(path: &Path, rules: Rules, mut take: impl FnMut(Answer)) -> Result<Option<u64>, PartsError> {
    let mut is_foreign = false;
    let (length, torn) = read_lines(path, ANSWERS, |line| {
        let AnswerLine { answer } = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        is_foreign |= answer.rules != rules;
        take(answer);
        Ok(())
    })?;
    if is_foreign { Err(PartsError::OtherGame(path.to_owned())) } else { Ok(torn.then_some(length)) }
}

impl ProofPlan {
    /// The position and the claims.
    ///
    /// # Errors
    /// When a text is none.
    pub fn read(&self) -> Result<(Position, Vec<Claim>), PartsError> {
        let claims: Result<Vec<Claim>, PartsError> = self.claims.iter().map(|claim| claim_of(claim)).collect();
        Ok((position_of(&self.position, self.rules)?, claims?))
    }
}

impl Question {
    /// The position and the claim.
    ///
    /// # Errors
    /// When a text is none.
    pub fn read(&self, rules: Rules) -> Result<(Position, Claim), PartsError> {
        Ok((position_of(&self.position, rules)?, claim_of(&self.claim)?))
    }
}

fn position_of(text: &str, rules: Rules) -> Result<Position, PartsError> {
    let wrong = || PartsError::Text(text.to_owned());
    let command: PositionCommand = format!("fen {text}").parse().map_err(|_| wrong())?;
    let position = Position::reach(rules, command.diagram.as_ref(), &command.moves).map_err(|_| wrong())?;
    Some(position).filter(|position| position.outcome().is_none()).ok_or_else(wrong)
}

fn claim_of(text: &str) -> Result<Claim, PartsError> {
    let player = |name: &str| name.parse().ok().and_then(Player::from_letter);
    let limit = |text: &str| text.parse().ok().filter(|limit| (1..=400).contains(limit));
    let claim = match text.split(' ').collect::<Vec<_>>()[..] {
        ["wins", name, "within", plies] => player(name).and_then(|player| Some(Claim::Wins(player, limit(plies)?))),
        ["cannot", name] => player(name).map(|player| Claim::Cannot(player, None)),
        ["cannot", name, "within", plies] => {
            player(name).and_then(|player| Some(Claim::Cannot(player, Some(limit(plies)?))))
        }
        _ => None,
    };
    claim.ok_or_else(|| PartsError::Text(text.to_owned()))
}

/// The position and the claim of a question.
type QuestionKey = (String, String);

/// A proof above answers.
enum Tree {
    /// An answer about an image of the position.
    Answer(QuestionKey, Position),
    /// A move of the prover, and what follows unless it ends the game.
    Move(Cell, Option<Box<Tree>>),
    /// The moves of the opponent, and what follows each.
    Each(Vec<(Cell, Tree)>),
    /// Strategy stealing, on the empty board.
    StrategyStealing,
}

/// A claim about a position above the questions.
struct Node {
    position: Position,
    claim: Claim,
    /// The plies down to the questions.
    plies: u32,
    /// The priority of the questions below it.
    priority: u32,
}

/// The state of the proof of a claim.
enum Status {
    Proven(Tree),
    Refuted,
    Failed,
    Open,
}

/// The answers so far, and the questions that they leave.
#[derive(Default)]
pub struct Answers {
    known: HashMap<QuestionKey, AnswerResult>,
    /// The questions that are left, by position and claim.
    questions: HashMap<QuestionKey, u32>,
    /// The added questions in the order in which they were added.
    added: Vec<QuestionKey>,
}

impl Answers {
    /// Adds an answer. One that settles its question stays. Certificates are not kept: they may be large.
    pub fn add(&mut self, answer: Answer) {
        let kept = self.known.entry((answer.position, answer.claim)).or_insert(AnswerResult::Open);
        if *kept == AnswerResult::Open {
            *kept = answer.result;
        }
    }

    /// The questions that are left, the most promising first.
    pub fn questions(&self) -> Vec<Question> {
        let question = |((position, claim), &priority): (&QuestionKey, &u32)| {
            let (position, claim) = (position.clone(), claim.clone());
            Question { position, claim, priority }
        };
        let mut questions: Vec<Question> = self.questions.iter().map(question).collect();
        questions.sort_by(|a, b| (a.priority, &a.position, &a.claim).cmp(&(b.priority, &b.position, &b.claim)));
        questions
    }

    /// The state of a node by the answers. Adds the questions that are left.
    fn status(&mut self, prover: &mut Prover<'_>, node: &Node) -> Result<Status, PartsError> {
        let &Node { position, claim, plies, priority } = node;
        let rules = position.rules();
        if let Claim::Wins(_, 0) = claim {
            return Ok(Status::Refuted);
        }
        let is_start = position.empty_cells() == rules.cells() && position.side() == Player::X;
        if is_start && rules.completer_wins() && matches!(claim, Claim::Cannot(Player::O, _)) {
            return Ok(Status::Proven(Tree::StrategyStealing));
        }
        let canonical = position.canonical();
        let key = (canonical.diagram().to_string(), claim.to_string());
        match self.known.get(&key) {
            Some(AnswerResult::Proven) => return Ok(Status::Proven(Tree::Answer(key, canonical))),
            Some(AnswerResult::Refuted) => return Ok(Status::Refuted),
            Some(AnswerResult::Failed) => return Ok(Status::Failed),
            _ => {}
        }
        let below = claim.after_a_move().filter(|_| plies > 0);
        let Some(below) = below else {
            match self.questions.entry(key) {
                Entry::Occupied(mut entry) => *entry.get_mut() = priority.min(*entry.get()),
                Entry::Vacant(entry) => {
                    self.added.push(entry.key().clone());
                    entry.insert(priority);
                }
            }
            return Ok(Status::Open);
        };
        let child = |cell| Node { position: position.after(cell), claim: below, plies: plies - 1, priority };
        let children = |cells: Vec<Cell>| cells.into_iter().map(|cell| (cell, child(cell))).collect::<Vec<_>>();
        let before = self.added.len();
        let status = match prover.expand(&position, claim)? {
            Expansion::False => Status::Refuted,
            Expansion::Each(replies) => self.status_of_each(prover, children(replies))?,
            Expansion::One(moves) => self.status_of_one(prover, children(moves))?,
        };
        if !matches!(status, Status::Open) {
            // Questions about other moves are not needed any more.
            for key in self.added.drain(before..) {
                self.questions.remove(&key);
            }
        }
        Ok(status)
    }

    /// The status where the opponent moves, and every reply has to be answered.
    fn status_of_each(&mut self, prover: &mut Prover<'_>, replies: Vec<(Cell, Node)>) -> Result<Status, PartsError> {
        let (mut proofs, mut has_failed, mut is_open) = (Vec::new(), false, false);
        for (cell, child) in replies {
            match self.status(prover, &child)? {
                Status::Refuted => return Ok(Status::Refuted),
                Status::Failed => has_failed = true,
                Status::Open => is_open = true,
                Status::Proven(proof) => proofs.push((cell, proof)),
            }
        }
        Ok(match (has_failed, is_open) {
            (true, _) => Status::Failed,
            (false, true) => Status::Open,
            (false, false) => Status::Proven(Tree::Each(proofs)),
        })
    }

    /// The status where the prover moves, and one move is enough. The first moves are the most promising.
    fn status_of_one(&mut self, prover: &mut Prover<'_>, moves: Vec<(Cell, Node)>) -> Result<Status, PartsError> {
        let (mut open, mut has_failed) = (0, false);
        for (rank, (cell, mut child)) in (0..).zip(moves) {
            if child.position.outcome().is_some() {
                return Ok(Status::Proven(Tree::Move(cell, None)));
            }
            child.priority += rank;
            if open < MOVES_AT_A_TIME {
                match self.status(prover, &child)? {
                    Status::Proven(proof) => return Ok(Status::Proven(Tree::Move(cell, Some(Box::new(proof))))),
                    Status::Refuted => {}
                    Status::Failed => has_failed = true,
                    Status::Open => open += 1,
                }
            }
        }
        Ok(match (open, has_failed) {
            (0, false) => Status::Refuted,
            (0, true) => Status::Failed,
            _ => Status::Open,
        })
    }

    /// Joins the answers to a proof of all claims of a plan, or finds out which questions are left.
    ///
    /// # Errors
    /// When the plan has no position or claim.
    pub fn join(&mut self, plan: &ProofPlan, prover: &mut Prover<'_>) -> Result<Joined, PartsError> {
        let (position, claims) = plan.read()?;
        self.questions.clear();
        self.added.clear();
        let mut trees = Vec::new();
        for &claim in &claims {
            match self.status(prover, &Node { position, claim, plies: plan.plies, priority: 0 })? {
                Status::Proven(tree) => trees.push(tree),
                Status::Refuted => return Ok(Joined::Refuted(claim)),
                Status::Failed => return Ok(Joined::Failed(claim)),
                Status::Open => {}
            }
        }
        if trees.len() < claims.len() {
            return Ok(Joined::Open);
        }
        let mut missing = HashMap::new();
        trees.iter().for_each(|tree| tree.list_answers(&mut missing));
        let header = Header { position, claims };
        Ok(Joined::Proven(Box::new(JoinedProof { header, trees, missing, lemmas: HashMap::new() })))
    }
}

impl Tree {
    /// Adds the answers that the proof rests on, each with its position.
    fn list_answers(&self, answers: &mut HashMap<QuestionKey, Position>) {
        match self {
            Tree::Answer(key, canonical) => {
                answers.insert(key.clone(), *canonical);
            }
            Tree::Move(_, proof) => proof.iter().for_each(|proof| proof.list_answers(answers)),
            Tree::Each(proofs) => proofs.iter().for_each(|(_, proof)| proof.list_answers(answers)),
            Tree::StrategyStealing => {}
        }
    }
}

/// A proof of all claims of a plan, from which the certificates of its answers are missing. Each is read once more, so that
/// one at a time is in memory.
pub struct JoinedProof {
    header: Header,
    /// By claim.
    trees: Vec<Tree>,
    /// The answers that the proof rests on and that are not in the spool yet, with their positions.
    missing: HashMap<QuestionKey, Position>,
    /// The answers in the spool.
    lemmas: HashMap<QuestionKey, Lemma>,
}

impl JoinedProof {
    /// Puts the certificate of an answer into the spool, if the proof needs it and does not have it yet.
    ///
    /// # Errors
    /// When the answer holds another certificate, or the spool cannot be written.
    pub fn adopt(&mut self, answer: Answer, spool: &mut Spool) -> Result<(), PartsError> {
        let Some(certificate) = answer.certificate else { return Ok(()) };
        if let Some((key, position)) = self.missing.remove_entry(&(answer.position, answer.claim)) {
            let lemma = spool.adopt(&position, claim_of(&key.1)?, &certificate)?;
            let lemma = lemma.ok_or_else(|| PartsError::Certificate(key.0.clone()))?;
            self.lemmas.insert(key, lemma);
        }
        Ok(())
    }

    /// Puts the proof above the answers into the spool, which has the certificates of all of them.
    ///
    /// # Errors
    /// When an answer had no certificate, or the spool cannot be written.
    pub fn finish(self, spool: &mut Spool) -> Result<Header, PartsError> {
        for (&claim, tree) in self.header.claims.iter().zip(&self.trees) {
            let mut records = Vec::new();
            self.write(tree, &self.header.position, &mut records)?;
            spool.take(Block { board: None, claim, records, own: Vec::new() })?;
        }
        Ok(self.header)
    }

    fn write(&self, tree: &Tree, position: &Position, records: &mut Vec<Record>) -> Result<(), PartsError> {
        match tree {
            Tree::Answer(key, canonical) => {
                let lemma = *self.lemmas.get(key).ok_or_else(|| PartsError::Certificate(key.0.clone()))?;
                let symmetry =
                    Symmetry::all(position.rules().shape()).position(|symmetry| canonical.image(symmetry) == *position);
                records.push(Record::Use(lemma, symmetry.unwrap_or_default() as u8));
            }
            Tree::Move(cell, proof) => {
                records.push(Record::Move(*cell));
                if let Some(proof) = proof {
                    self.write(proof, &position.after(*cell), records)?;
                }
            }
            Tree::Each(proofs) => {
                records.push(Record::All { fours: Vec::new() });
                for (cell, proof) in proofs {
                    self.write(proof, &position.after(*cell), records)?;
                }
            }
            Tree::StrategyStealing => records.push(Record::Theorem(TheoremName::StrategyStealing)),
        }
        Ok(())
    }
}

/// The result of joining the answers of a plan.
pub enum Joined {
    /// All claims are proven.
    Proven(Box<JoinedProof>),
    /// Questions are left.
    Open,
    /// This claim is false, if the answers are right.
    Refuted(Claim),
    /// No move of those that were asked about proves this claim.
    Failed(Claim),
}
