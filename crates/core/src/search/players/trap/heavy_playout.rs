//! Heavy playouts: a player that looks one ply ahead against a random opponent, up to an exact endgame.
//!
//! This approximates perfect play where proofs would take too long. Under normal rules, the player completes a line if it
//! can and blocks one if it must. Under reverse rules, it avoids cells that lose at once. Its other moves are random. With
//! few empty cells it plays perfectly and sets traps.

use crate::game::{Cell, Position};

use super::Endgame;
use crate::search::{Control, Generator, below};

/// With at most this number of empty cells, the rest of a playout is exact.
const EXACT: usize = 7;

/// A position prepared for heavy playouts. Player 0 is the side to move.
pub struct HeavyPlayout {
    position: Position,
    /// The lines through each cell, by [`Cell::index`].
    lines_of: Vec<Vec<u16>>,
    /// The cells of each line.
    lines: Vec<Vec<u16>>,
    length: u8,
    /// The result of the player that completes a line: 1 or -1.
    completed: i8,
    start: PlayoutState,
    state: PlayoutState,
}

/// The board during a playout.
#[derive(Clone, Default)]
struct PlayoutState {
    /// Stones of each player in each line.
    counts: [Vec<u8>; 2],
    /// The cells that the playout has taken, in order.
    played: Vec<Cell>,
    empties: Vec<u16>,
    is_empty: Vec<bool>,
    /// Cells on which each player would complete a line, oldest first. Some have been taken since.
    threats: [Vec<u16>; 2],
    /// Whether a cell is in `threats`.
    is_threat: [Vec<bool>; 2],
}

impl HeavyPlayout {
    /// Playouts from a position in which the game goes on.
    pub fn new(position: &Position) -> HeavyPlayout {
        let rules = position.rules();
        let size = rules.size();
        let index = |cell: Cell| cell.index(size) as u16;
        let lines: Vec<Vec<u16>> = rules.lines().iter().map(|line| line.iter().map(index).collect()).collect();
        let mut lines_of = vec![Vec::new(); rules.cells()];
        for (number, line) in lines.iter().enumerate() {
            line.iter().for_each(|&cell| lines_of[usize::from(cell)].push(number as u16));
        }
        let mut game = HeavyPlayout {
            position: *position,
            lines_of,
            length: rules.line_length().unwrap_or(u8::MAX),
            completed: -rules.value_after_line().result(),
            start: PlayoutState::default(),
            state: PlayoutState {
                counts: [vec![0; lines.len()], vec![0; lines.len()]],
                played: Vec::new(),
                empties: (0..rules.cells() as u16).collect(),
                is_empty: vec![true; rules.cells()],
                threats: [Vec::new(), Vec::new()],
                is_threat: [vec![false; rules.cells()], vec![false; rules.cells()]],
            },
            lines,
        };
        for (side, player) in [position.side(), !position.side()].into_iter().enumerate() {
            for cell in position.stones(player).iter() {
                game.put(side, index(cell));
            }
        }
        game.state.played.clear();
        game.start = game.state.clone();
        game
    }

    /// Plays the legal move `first` and a playout after it. Returns the result of the player who made that move: at the end
    /// of the game, or as expected in an exact endgame.
    pub fn play_out(&mut self, first: Cell, generator: &mut Generator) -> f64 {
        self.state = self.start.clone();
        let mut cell = first.index(self.position.rules().size()) as u16;
        let mut side = 0;
        loop {
            if self.put(side, cell) {
                return f64::from(if side == 0 { self.completed } else { -self.completed });
            }
            if self.state.empties.is_empty() {
                return 0.0;
            }
            if side == 0 && self.state.empties.len() <= EXACT {
                let position = self.state.played.iter().fold(self.position, |position, &cell| position.after(cell));
                let mut endgame = Endgame::new(&position);
                endgame.solve(&Control::unlimited()).expect("nothing ends it");
                return endgame.result_of_trap(&position);
            }
            side = 1 - side;
            cell = if side == 0 { self.choose(generator) } else { self.draw(generator) };
        }
    }

    /// Puts a stone. True if it completes a line.
    fn put(&mut self, side: usize, cell: u16) -> bool {
        let HeavyPlayout { state, lines, lines_of, length, .. } = self;
        let index = state.empties.iter().position(|&empty| empty == cell).expect("an empty cell");
        state.empties.swap_remove(index);
        state.is_empty[usize::from(cell)] = false;
        let size = self.position.rules().size();
        state.played.push(Cell::new((cell / u16::from(size)) as u8, (cell % u16::from(size)) as u8));
        let mut completes = false;
        for &line in &lines_of[usize::from(cell)] {
            let line = usize::from(line);
            state.counts[side][line] += 1;
            completes |= state.counts[side][line] == *length;
            if state.counts[side][line] + 1 == *length && state.counts[1 - side][line] == 0 {
                let missing = lines[line].iter().find(|&&cell| state.is_empty[usize::from(cell)]);
                let is_new = |&&cell: &&u16| !std::mem::replace(&mut state.is_threat[side][usize::from(cell)], true);
                state.threats[side].extend(missing.filter(is_new));
            }
        }
        completes
    }

    /// A uniformly random empty cell.
    fn draw(&self, generator: &mut Generator) -> u16 {
        self.state.empties[below(generator, self.state.empties.len() as u32) as usize]
    }

    /// A cell for the player that looks one ply ahead.
    fn choose(&mut self, generator: &mut Generator) -> u16 {
        let HeavyPlayout { state, completed, .. } = self;
        if *completed > 0 {
            for threats in &mut state.threats {
                threats.retain(|&cell| state.is_empty[usize::from(cell)]);
            }
            let [mine, theirs] = &state.threats;
            return mine.first().or(theirs.first()).copied().unwrap_or_else(|| self.draw(generator));
        }
        let is_harmless = |cell: &&u16| !state.is_threat[0][usize::from(**cell)];
        match state.empties.iter().filter(is_harmless).count() {
            0 => self.draw(generator),
            cells => {
                let drawn = below(generator, cells as u32) as usize;
                *state.empties.iter().filter(is_harmless).nth(drawn).expect("one of those counted")
            }
        }
    }
}
