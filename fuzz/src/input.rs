//! Bytes of a fuzzer as choices. When they run out, every choice is the first one.

use noughts::game::Rules;

use noughts_oracle::Board;

/// The bytes that are left.
pub struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    pub fn new(bytes: &'a [u8]) -> Input<'a> {
        Input(bytes)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        self.0.split_off_first().copied().unwrap_or(0)
    }

    /// A number below `bound`, which is from 1 to 65,536.
    pub fn below(&mut self, bound: usize) -> usize {
        let number =
            if bound <= 256 { self.byte().into() } else { usize::from(self.byte()) << 8 | usize::from(self.byte()) };
        number % bound
    }

    /// True for so many of 256 bytes.
    pub fn is_below(&mut self, bound: u8) -> bool {
        // The first choice is no.
        self.byte() > 255 - bound
    }

    pub fn choose<'b, T>(&mut self, choices: &'b [T]) -> &'b T {
        &choices[self.below(choices.len())]
    }

    /// Everything up to a byte, which is taken too and is no part of it.
    pub fn until(&mut self, end: u8) -> &'a [u8] {
        let length = self.0.iter().position(|&byte| byte == end);
        let (taken, rest) = self.0.split_at(length.unwrap_or(self.0.len()));
        self.0 = rest.get(1..).unwrap_or_default();
        taken
    }

    /// All that is left.
    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.0)
    }

    /// Rules for boards of up to `largest` rows and columns. A quarter of them have a number of columns of their own.
    pub fn rules(&mut self, largest: usize) -> Rules {
        let rows = 1 + self.below(largest);
        // 0 is the length of a side, and beyond it no line fits.
        let connect = self.below(rows + 2);
        let last = self.byte();
        let columns = if last % 4 == 3 { 1 + usize::from(last / 4) % largest } else { rows };
        Rules::new((rows as u8, columns as u8), connect as u16, last > 127).expect("numbers within range")
    }

    /// Plays moves until so few cells are empty. Moves that end the game are passed over; if all of them do, the board is
    /// left as it is.
    pub fn play_on(&mut self, board: &mut Board, empties: usize) {
        while board.empties().len() > empties {
            let moves = board.empties();
            let first = self.below(moves.len());
            let next = (0..moves.len()).map(|step| moves[(first + step) % moves.len()]);
            let Some(cell) = next.into_iter().find(|&cell| board.after(cell).outcome().is_none()) else { return };
            board.play(cell);
        }
    }
}
