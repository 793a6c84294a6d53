//! Results of attack searches: can a player, the attacker, force a win within so many plies?

/// A bound on plies: within no number of them.
pub const NEVER: u16 = u16::MAX;

/// The result of an attack search with a limit on its plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttackResult {
    /// The attacker wins within this many plies, at most the limit.
    Succeeds(u16),
    /// The attacker cannot win within this many plies, at least the limit. [`NEVER`]: it cannot win at all.
    Fails(u16),
}

impl AttackResult {
    /// A failure within so many plies, with `empty` cells left. As many plies as cells are all there are.
    pub fn fails(plies: u16, empty: u16) -> AttackResult {
        AttackResult::Fails(if plies >= empty { NEVER } else { plies })
    }
}

/// The plies before a move, given the plies after it.
pub fn one_ply_more(plies: u16) -> u16 {
    plies.saturating_add(1)
}

/// What a win by fours says of a position.
pub enum FoursResult {
    /// The attacker is to move and wins within so many plies, with this cell first.
    Win(u16, u16),
    /// The attacker wins within so many plies after every reply but these cells.
    Threat(u16, Vec<u16>),
}

/// The result of the static rules, before any move is tried.
pub enum StaticResult {
    /// The attack is decided, by a rule.
    Decided(AttackResult, StaticReason),
    /// All moves but this one lose at once, or miss a win.
    Forced(u16),
    /// No rule applies.
    Open,
}

/// The rule that decides an attack without a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StaticReason {
    /// A line can be completed with the next move, or too few plies are left for any line.
    Plies,
    /// No live line is left.
    NoLine,
    /// The potential of the lines is too small.
    Potential,
    /// A pairing, perhaps with a cell that the attacker has to absorb.
    Pairing,
    /// Reverse rules: kept cells, and pairs in the others.
    Parity,
    /// Reverse rules: a mirror strategy through the centre.
    Mirror,
    /// Reverse rules, 2 in a row on a board of even size: the same strategy wins.
    MirrorWin,
}
