//! The rules of the solver by name.

/// A rule of the solver that can be switched off, to see that no answer depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Technique {
    /// Sums of weights of live lines, for makers and breakers and for avoiders.
    Potential,
    /// Pairing strategies, and survival by pairs under the reverse rule.
    Pairing,
    /// Reverse rules: wins by parity, and survival for a time.
    Parity,
    /// Reverse rules: mirror strategies.
    Mirror,
    /// Starts that theorems and stored pairings settle.
    Theorem,
    /// Equal cells are tried once.
    EqualCells,
    /// Lines that cannot be completed in time are left out.
    ShortLines,
    /// Positions are remembered.
    TranspositionTable,
}

impl Technique {
    /// All of them.
    pub const ALL: [Technique; 8] = [
        Technique::Potential,
        Technique::Pairing,
        Technique::Parity,
        Technique::Mirror,
        Technique::Theorem,
        Technique::EqualCells,
        Technique::ShortLines,
        Technique::TranspositionTable,
    ];
}

/// Which techniques are used.
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
