//! The values of the options.

use noughts_core::game::{Cell, MoveText, Notation, Rules, Shape};
use noughts_core::search::{Level, Textbook, Tiebreak, Uct, Weights};

/// The player that answers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum PlayerKind {
    /// A short try at a proof, else Monte Carlo tree search.
    #[default]
    Auto,
    /// Perfect play wherever a proof fits in the limits.
    Perfect,
    /// Flat Monte Carlo.
    MonteCarlo,
    /// Flat Monte Carlo with infinitely many trials, on boards where that is known.
    MonteCarloLimit,
    /// Monte Carlo tree search.
    Mcts,
    /// Plain UCT, which proves nothing.
    Uct,
    /// Uniform over the empty squares.
    Random,
    /// A textbook search.
    Textbook(Textbook),
}

impl PlayerKind {
    /// True if the player tries to prove what it plays, wherever it can.
    pub fn proves(self) -> bool {
        matches!(self, PlayerKind::Auto | PlayerKind::Perfect | PlayerKind::Mcts)
    }
}

/// A game by its name in programs for chess variants.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Variant {
    /// The game of the options `size`, `columns`, `connect` and `reverse`.
    #[default]
    Noughts,
    /// 3x3, three in a row wins.
    TicTacToe,
    /// 15x15, five or more in a row win.
    GomokuFreestyle,
}

impl Variant {
    /// The rules that the name stands for; `None` when it leaves them open.
    pub fn rules(self) -> Option<Rules> {
        let (size, connect) = match self {
            Variant::Noughts => return None,
            Variant::TicTacToe => (3, 0),
            Variant::GomokuFreestyle => (15, 5),
        };
        Rules::new(size, connect, false).ok()
    }

    fn notation(self) -> Notation {
        if self == Variant::Noughts { Notation::RowColumn } else { Notation::Drop }
    }
}

/// The values of all options.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// `size`, `columns`, `connect` and `reverse`: the game.
    pub rules: Rules,
    /// `columns` as it was set: 0 for as many as rows, also when `size` changes.
    pub columns: u8,
    /// `player`.
    pub player: PlayerKind,
    /// `level`: how strong the players are that look for good moves.
    pub level: Level,
    /// `trials`: playouts of a `go` without any limit, at least 1; `None` for [`Options::DEFAULT_TRIALS`], and for a
    /// tree search as many as suit the board.
    pub trials: Option<u32>,
    /// `max_trials`: the most playouts of any search, whatever its limits; 0 for no such bound.
    pub max_trials: u32,
    /// `score_current` and `score_other`.
    pub weights: Weights,
    /// `exploration`: the constant of UCT, at least 0.
    pub exploration: f64,
    /// `seed`: where random numbers start; 0 asks the operating system for a start.
    pub seed: u32,
    /// `tiebreak`.
    pub tiebreak: Tiebreak,
    /// `MultiPV`: how many of the best moves to report, at least 1.
    pub multi_pv: u32,
    /// `Hash`: the most memory for what a search remembers, proofs and tree together, in MiB (2^20 bytes), 1 to 65,536.
    pub hash: u32,
    /// `Threads`: on how many threads large numbers of playouts are played, at least 1.
    pub threads: u32,
    /// `Move Overhead`: time that is kept back from every limit of time, in milliseconds.
    pub move_overhead: u32,
    /// `UCI_Variant`: the game by name, and how its moves are printed.
    pub variant: Variant,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            rules: Rules::default(),
            columns: 0,
            player: PlayerKind::default(),
            level: Level::FULL,
            trials: None,
            max_trials: 0,
            weights: Weights::default(),
            exploration: Uct::EXPLORATION,
            seed: 0,
            tiebreak: Tiebreak::default(),
            multi_pv: 1,
            hash: 64,
            threads: 1,
            move_overhead: MOVE_OVERHEAD,
            variant: Variant::default(),
        }
    }
}

impl Options {
    pub(super) fn set_size(&mut self, size: u32) {
        self.set_shape(size as u8, self.columns);
    }

    pub(super) fn set_columns(&mut self, columns: u32) {
        self.set_shape(self.rules.shape().rows, columns as u8);
    }

    fn set_shape(&mut self, rows: u8, columns: u8) {
        self.columns = columns;
        let columns = if columns == 0 { rows } else { columns };
        self.set_rules(Shape { rows, columns }, self.rules.connect(), self.rules.reverse());
    }

    pub(super) fn set_connect(&mut self, connect: u32) {
        self.set_rules(self.rules.shape(), connect as u16, self.rules.reverse());
    }

    pub(super) fn set_reverse(&mut self, reverse: bool) {
        self.set_rules(self.rules.shape(), self.rules.connect(), reverse);
    }

    fn set_rules(&mut self, shape: Shape, connect: u16, reverse: bool) {
        self.rules = Rules::new(shape, connect, reverse).expect("the ranges of the options are the rules'");
    }

    pub(super) fn set_level(&mut self, level: u32) {
        self.level = Level::new(level as u8);
    }

    /// The value of [`Options::trials`] unless the client sets it.
    pub const DEFAULT_TRIALS: u32 = 1000;

    /// Playouts of a search that samples without a tree, if nothing else limits it.
    pub fn trials(&self) -> u32 {
        self.trials.unwrap_or(Options::DEFAULT_TRIALS)
    }

    /// Playouts of a tree search, if nothing else limits it. Unless the option says otherwise, there are eight times the
    /// cube of the side of a square with as many cells, but at least as many as without a tree. So a search of a larger
    /// board sees more of it.
    pub(super) fn tree_trials(&self) -> u32 {
        let cells = self.rules.cells() as u32;
        self.trials.unwrap_or((8 * cells * cells.isqrt()).max(Options::DEFAULT_TRIALS))
    }

    /// The most playouts of any search, if there is such a bound.
    pub(super) fn most_playouts(&self) -> Option<u64> {
        Some(u64::from(self.max_trials)).filter(|&most| most > 0)
    }

    /// Bytes that proofs may take: what the tree leaves of `Hash`.
    pub fn proof_bytes(&self) -> usize {
        ((self.hash as usize) << 20) - self.tree_bytes()
    }

    /// Bytes that the tree may take.
    pub fn tree_bytes(&self) -> usize {
        self.tree_bytes_of(self.player)
    }

    /// Bytes that the tree of a player may take: half of `Hash`, or an eighth for the player that proves first.
    pub(super) fn tree_bytes_of(&self, player: PlayerKind) -> usize {
        let part = if player == PlayerKind::Perfect { 8 } else { 2 };
        ((self.hash as usize) << 20) / part
    }

    /// A move as it is printed.
    pub fn write_move(&self, cell: Cell) -> MoveText {
        self.variant.notation().write(cell, self.rules.shape())
    }
}

/// The time that is kept back from every limit unless the client sets another value, in milliseconds. A busy machine with
/// two cores may take as long to let the engine see a line, end a search, and write the answer.
const MOVE_OVERHEAD: u32 = 15;

/// The largest whole number that every front end can hold.
pub(super) const LARGEST_SPIN: u32 = i32::MAX as u32;
