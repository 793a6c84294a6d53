//! The techniques of the solver by name.

/// A technique of the solver. It can be switched off, to test that no result depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Technique {
    /// Sums of weights of live lines, under both rules.
    Potential,
    /// Pairing strategies, and survival by pairs under the reverse rule.
    Pairing,
    /// Reverse rules: wins by parity, and bounds on the distance of losses.
    Parity,
    /// Reverse rules, together with parity and pairs: cells that are poison for one player alone answer each other.
    Exchange,
    /// Reverse rules: mirror strategies.
    Mirror,
    /// Known values of empty boards but for strategy stealing, and stored pairings.
    Theorem,
    /// Reverse rules: positions with isomorphic patterns of live lines share table entries.
    Isomorphism,
    /// Reverse rules: positions that differ by two dead cells share table entries, where isomorphic positions do.
    DeadPairs,
    /// Normal rules: the player who is not to move on the empty board cannot win.
    StrategyStealing,
    /// Of cells in the same live lines only one is tried.
    EqualCells,
    /// Normal rules, lines shorter than the board: wins by threats, and only the replies that matter.
    Threats,
    /// Lines that cannot be completed in time are left out.
    ShortLines,
    /// Results are stored in a transposition table.
    TranspositionTable,
    /// Normal rules: whether an attack can ever succeed is asked in the weak game first.
    WeakGame,
}

impl Technique {
    /// All of them.
    pub const ALL: [Technique; 14] = [
        Technique::Potential,
        Technique::Pairing,
        Technique::Parity,
        Technique::Exchange,
        Technique::Mirror,
        Technique::Theorem,
        Technique::Isomorphism,
        Technique::DeadPairs,
        Technique::StrategyStealing,
        Technique::EqualCells,
        Technique::Threats,
        Technique::ShortLines,
        Technique::TranspositionTable,
        Technique::WeakGame,
    ];
}

/// The techniques that are used.
#[derive(Clone, Copy)]
pub struct TechniqueSet(u16);

impl TechniqueSet {
    pub fn all() -> TechniqueSet {
        TechniqueSet(u16::MAX)
    }

    pub fn contains(self, technique: Technique) -> bool {
        self.0 & 1 << technique as u16 != 0
    }

    pub fn remove(&mut self, technique: Technique) {
        self.0 &= !(1 << technique as u16);
    }
}
