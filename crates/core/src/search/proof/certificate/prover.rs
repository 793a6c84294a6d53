//! The claims of a position, and the blocks that prove them.

use std::io;
use std::ops::Range;

use crate::game::{Bounds, CellSet, Player, Position, Value};
use crate::search::line_board::LineBoard;
use crate::search::proof::Role;
use crate::search::proof::solver::{AttackResult, NEVER, NodeBudget, Solver};
use crate::search::proof::weak_game::Key;
use crate::search::{Control, Stopped};

use super::lemmas::{Cells, Lemmas};
use super::record::{Board, Claim, Lemma, Record};

/// A proof with at least so many records becomes a lemma.
const LEMMA_RECORDS: usize = 3;

/// A lemma or the proof of a claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The board of a lemma; `None` for a claim about the position itself.
    pub board: Option<Board>,
    /// The proven claim.
    pub claim: Claim,
    /// The proof.
    pub records: Vec<Record>,
    /// By place in `records`, whether a [`Record::Use`] stands where its lemma was proven. It may be replaced by its proof.
    pub own: Vec<usize>,
}

/// Takes the blocks as they are made, lemmas before their use.
pub trait BlockSink {
    /// Takes a block.
    ///
    /// # Errors
    /// If it cannot be kept: the proof ends.
    fn take(&mut self, block: Block) -> io::Result<()>;
}

/// The reason why a claim is not proven.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// The claim is false, or no rule of certificates shows it.
    #[error("no proof was found that can be written down")]
    Open,
    /// The control has ended the search.
    #[error("the search was stopped before the proof was complete")]
    Stopped,
    /// The block cannot be kept.
    #[error(transparent)]
    Sink(#[from] io::Error),
}

impl From<Stopped> for ProofError {
    fn from(_: Stopped) -> ProofError {
        ProofError::Stopped
    }
}

/// A result of a part of a proof.
pub type Proved<T = ()> = Result<T, ProofError>;

/// Proves claims about one position, with the help of a solver.
pub struct Prover<'a> {
    pub(super) solver: &'a mut Solver,
    pub(super) budget: NodeBudget<'a>,
    pub(super) lemmas: Lemmas,
    /// The board that is set up at each node.
    pub(super) board: LineBoard,
    sink: &'a mut dyn BlockSink,
    /// The records of the block under way.
    pub(super) records: Vec<Record>,
    /// The places in it of lemmas that were proven there.
    own: Vec<usize>,
}

impl<'a> Prover<'a> {
    /// A prover that hands its blocks to `sink` and ends when `control` ends it.
    pub fn new(solver: &'a mut Solver, control: &'a Control, sink: &'a mut dyn BlockSink) -> Prover<'a> {
        let lemmas = Lemmas::new(solver.rules());
        let budget = NodeBudget::new(control, None);
        let board = LineBoard::new(solver.rules());
        Prover { solver, budget, lemmas, board, sink, records: Vec::new(), own: Vec::new() }
    }

    /// The claims that together state what is proven about a position: the value, and the distance where it is known.
    pub fn claims(position: &Position, bounds: Bounds) -> Vec<Claim> {
        let [mover, other] = [position.side(), !position.side()];
        let mut claims = Vec::new();
        let earlier = |player, plies: u16| (plies > 1).then(|| Claim::Cannot(player, Some(plies - 1)));
        match (bounds.at_least, bounds.at_most) {
            (Value::Win(plies), at_most) => {
                claims.push(Claim::Wins(mover, plies));
                claims.extend(earlier(mover, plies).filter(|_| at_most == Value::Win(plies)));
            }
            (at_least, Value::Loss(plies)) => {
                claims.push(Claim::Wins(other, plies));
                claims.extend(earlier(other, plies).filter(|_| at_least == Value::Loss(plies)));
            }
            (at_least, at_most) => {
                claims.extend((at_most <= Value::Draw).then_some(Claim::Cannot(mover, None)));
                claims.extend((at_least >= Value::Draw).then_some(Claim::Cannot(other, None)));
            }
        }
        claims
    }

    /// Proves a claim about a position in which the game goes on, and hands its blocks to the sink.
    ///
    /// # Errors
    /// When the claim is false, no rule shows it, the control ends the search, or the sink refuses a block.
    pub fn prove(&mut self, position: &Position, claim: Claim) -> Proved {
        self.records.clear();
        self.own.clear();
        match claim {
            Claim::Wins(attacker, plies) => self.wins(position, attacker, plies, None)?,
            Claim::Cannot(attacker, limit) => self.cannot_from_root(position, attacker, limit)?,
            Claim::Weak(_) => return Err(ProofError::Open),
        }
        self.hand_over(None, claim, 0)?;
        Ok(())
    }

    /// Replaces the control. Its nodes are those of the prover from its beginning on. Proven claims stay.
    pub fn set_control(&mut self, control: &'a Control) {
        let nodes = self.budget.nodes;
        self.budget = NodeBudget::new(control, None);
        self.budget.nodes = nodes;
    }

    /// The claim that refutes a claim `wins` or `cannot`: the opposite, with the limit that was found. `None` if the claim
    /// is true.
    ///
    /// # Errors
    /// When the control ends the search.
    pub fn refutation(&mut self, position: &Position, claim: Claim) -> Result<Option<Claim>, Stopped> {
        let attacker = claim.attacker();
        let limit = claim.limit().min(position.empty_cells() as u16);
        let mut attack = self.solver.attack_of(position, attacker);
        let result = attack.search(role_to_move(position, attacker), limit, &mut self.budget)?;
        Ok(match (claim, result) {
            (Claim::Wins(..), AttackResult::Fails(plies)) => {
                Some(Claim::Cannot(attacker, Some(plies).filter(|&plies| plies != NEVER)))
            }
            (Claim::Cannot(..), AttackResult::Succeeds(plies)) => Some(Claim::Wins(attacker, plies)),
            _ => None,
        })
    }

    /// The nodes that the prover has asked the solver for.
    pub fn nodes(&self) -> u64 {
        self.budget.nodes
    }

    /// Makes a lemma of the records from `first` on if there are enough of them.
    pub(super) fn make_lemma(&mut self, first: usize, claim: Claim, board: Board) -> Proved<Option<Lemma>> {
        if self.records.len() < first + LEMMA_RECORDS {
            return Ok(None);
        }
        let lemma = self.hand_over(Some(board), claim, first)?;
        self.own.push(self.records.len());
        self.records.push(Record::Use(lemma, 0));
        Ok(Some(lemma))
    }

    /// Hands the records from `first` on to the sink.
    fn hand_over(&mut self, board: Option<Board>, claim: Claim, first: usize) -> Proved<Lemma> {
        let records = self.records.split_off(first);
        let split = self.own.partition_point(|&place| place < first);
        let own = self.own.split_off(split).into_iter().map(|place| place - first).collect();
        self.sink.take(Block { board, claim, records, own })?;
        Ok(self.lemmas.next_number())
    }

    /// Drops records that the proof does not need. Lemmas that they use stay.
    pub(super) fn drop_records(&mut self, span: Range<usize>) {
        self.own.retain(|place| !span.contains(place));
        self.own.iter_mut().filter(|place| **place >= span.end).for_each(|place| *place -= span.len());
        self.records.drain(span);
    }

    /// Forgets the records from `first` on: their proof has failed.
    pub(super) fn give_up(&mut self, first: usize) {
        self.records.truncate(first);
        self.own.retain(|&place| place < first);
    }

    /// The live lines of a player, as sets of empty cells.
    pub(super) fn lines(&mut self, position: &Position, player: Player) -> Vec<Cells> {
        let (attack, _) = self.solver.attack_search(position);
        let (live, geometry) = (&attack.live, attack.geometry);
        let empty = |line| geometry.line(line).iter().copied().filter(|&cell| live.is_empty(cell));
        live.lines(geometry, player as usize).map(|line| empty(line).map(usize::from).collect()).collect()
    }

    pub(super) fn find_lemma(&mut self, position: &Position, claim: Claim) -> Option<Record> {
        let key = self.key(position, claim);
        let (lemma, symmetry) = self.lemmas.find(key, claim)?;
        Some(Record::Use(lemma, symmetry))
    }

    pub(super) fn keep_lemma(&mut self, position: &Position, claim: Claim, first: usize) -> Proved {
        let key = self.key(position, claim);
        let stones = Player::BOTH.map(|player| *position.stones(player));
        let lemma = self.make_lemma(first, claim, Board { stones, zone: CellSet::EMPTY, side: position.side() })?;
        lemma.into_iter().for_each(|lemma| self.lemmas.insert(key, claim, lemma));
        Ok(())
    }

    fn key(&mut self, position: &Position, claim: Claim) -> Key {
        let [x, o] = Player::BOTH.map(|player| self.lines(position, player));
        // Under the normal rule a cell in no live line is a pass, so the number of cells does not matter.
        let empty = if position.rules().completer_wins() { 0 } else { position.empty_cells() as u16 };
        self.lemmas.key([&x, &o], claim, position.side(), empty)
    }
}

/// The role of the player to move.
pub(super) fn role_to_move(position: &Position, attacker: Player) -> Role {
    if position.side() == attacker { Role::Attacker } else { Role::Defender }
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::game::{Cell, Rules};
    use crate::search::proof::certificate::record::TheoremName;
    use crate::search::proof::solver::Technique;

    /// All blocks of a proof.
    #[derive(Default)]
    pub(in super::super) struct Kept(Vec<Block>);

    impl BlockSink for Kept {
        fn take(&mut self, block: Block) -> io::Result<()> {
            self.0.push(block);
            Ok(())
        }
    }

    #[test]
    fn lemmas_are_worth_their_block_and_stand_before_their_use() {
        let (mut count, mut uses_again) = (0, 0);
        for (size, connect, reverse, moves) in [(3, 3, false, vec![]), (4, 3, false, vec![]), (4, 3, true, vec![0, 15])]
        {
            let rules = Rules::new(size, connect, reverse).expect("rules");
            let cell = |number: u8| Cell::new(number / size, number % size);
            let position =
                moves.into_iter().map(cell).fold(Position::start(rules), |position, cell| position.after(cell));
            let mut solver = Solver::within_bytes(rules, 1 << 20);
            let control = Control::unlimited();
            let bounds = solver.bounds(&position, &control);
            for claim in Prover::claims(&position, bounds) {
                let mut kept = Kept::default();
                Prover::new(&mut solver, &control, &mut kept).prove(&position, claim).expect("a proof");
                let (last, lemmas) = kept.0.split_last().expect("a block");
                assert!(last.board.is_none() && last.claim == claim);
                let mut owned = HashSet::new();
                for (number, block) in kept.0.iter().enumerate() {
                    let uses = block.records.iter().filter_map(|record| match record {
                        Record::Use(lemma, _) => Some(*lemma as usize),
                        _ => None,
                    });
                    assert!(uses.clone().all(|lemma| lemma < number), "{rules} {claim}: block {number}");
                    uses_again += uses.count() - block.own.len();
                    for &place in &block.own {
                        let Record::Use(lemma, 0) = block.records[place] else { panic!("no lemma at {place}") };
                        assert!(owned.insert(lemma), "{rules} {claim}: two blocks own lemma {lemma}");
                    }
                }
                assert_eq!(owned.len(), lemmas.len());
                assert!(lemmas.iter().all(|lemma| lemma.board.is_some() && lemma.records.len() >= LEMMA_RECORDS));
                count += lemmas.len();
            }
        }
        assert!(count > 100 && uses_again > 100, "{count} lemmas, used again {uses_again} times");
    }

    #[test]
    fn a_solver_without_theorems_names_none() {
        let rules = Rules::new(15, 8, false).expect("rules");
        let prove = |solver: &mut Solver| {
            let mut kept = Kept::default();
            let control = Control::nodes_only(1_000);
            let claim = Claim::Cannot(Player::X, None);
            let proved = Prover::new(solver, &control, &mut kept).prove(&Position::start(rules), claim);
            let records: Vec<Record> = kept.0.into_iter().flat_map(|block| block.records).collect();
            (proved, records)
        };
        let mut solver = Solver::within_bytes(rules, 1 << 20);
        let (proved, records) = prove(&mut solver);
        assert!(proved.is_ok() && records == [Record::Theorem(TheoremName::Zetters)], "{records:?}");
        let (proved, records) = prove(&mut solver.without(&[Technique::Theorem]));
        assert!(matches!(proved, Err(ProofError::Stopped)), "{proved:?}");
        assert!(!records.iter().any(|record| matches!(record, Record::Theorem(_))), "{records:?}");
    }
}
