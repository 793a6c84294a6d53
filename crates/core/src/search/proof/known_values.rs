//! Known values of empty boards, without a search: by stored pairings, by a mirror strategy, by a published theorem.
//!
//! A *pairing* is a set of disjoint pairs of cells such that every line holds both cells of some pair. Five are stored
//! as pictures (`known_values/*.txt`), where the two cells of a pair carry the same number and `..` is a cell without one:
//!
//! | picture | board up to | in a row, at least |
//! |---|---|---|
//! | `5x5_5.txt` | 5x5 | 5 |
//! | `7x7_6.txt` | 7x7 | 6 |
//! | `10x10_7.txt` | 10x10 | 7 |
//! | `13x13_8.txt` | 13x13 | 8 |
//! | `torus_9.txt` | any | 9 |
//!
//! A pairing serves smaller boards and longer lines as well: such a line contains a line that the pairing blocks. The
//! last picture repeats every 8 rows and columns. Its pairs are neighbours, one to each row, column and diagonal of the
//! repeating square. So any nine cells in a row contain a pair. (Hales and Jewett, "Regularity and positional games",
//! 1963; Berlekamp, Conway and Guy, "Winning Ways for your Mathematical Plays", 1982, chapter 22.) A SAT solver (CaDiCaL)
//! found all five in about a second each, among the pairings that a quarter turn leaves as they are: a variable for every
//! two cells of a line, at most one pair for each cell, at least one pair for each line. They are as large as can be,
//! except perhaps the fourth: 8 in a row on 14x14 is open.
//! For 4 in a row on 4x4, 5 on 6x6, 6 on 8x8, 7 on 11x11 and 8 on 15x15, a linear program shows that not even fractions
//! of pairs suffice (computed once, in floating point, and not kept).
//!
//! Where no pairing serves from the start, *one reply, then pairs* may: for every first move there is one reply after
//! which pairs block all lines without the reply ([`replies`]). Three boards are stored as pictures, one for each first
//! move up to turns and mirror images, `**` for the first move and `++` for the reply:
//!
//! | pictures | board up to | in a row, at least |
//! |---|---|---|
//! | `6x6_5_replies.txt` | 6x6 | 5 |
//! | `8x8_6_replies.txt` | 8x8 | 6 |
//! | `11x11_7_replies.txt` | 11x11 | 7 |
//!
//! That solver found them, too, in at most 64 seconds: it also chooses the cell of one reply, and the lines through that
//! cell need no pair.
//!
//! All of these are draws of the *weak* game as well, in which the second player only prevents lines and wins nothing
//! by its own. Weak draws hold on smaller boards and for longer lines: a smaller board has no line that the larger one has
//! not, a longer line contains a shorter one, and in the weak game additional stones of the second player, outside of
//! the smaller board, never hurt it. A draw whose proof needs threats of the second player, or is not known to do
//! without, says nothing about other boards.
//!
//! There are 210 games with `connect <= size <= 20` under the normal rule. Here 103 of them are known to be draws: 91 by
//! a pairing, 3 by one reply and pairs, 7 by Zetters, 2 by Hsu and others. The other 107 are left to the search: 1 to 4
//! in a row; 5 in a row from 9x9; 6 from 9x9; 7 from 12x12. One of them, 5 in a row on 15x15, is a published win of the
//! first player, which only notes for people mention.
//!
//! Under the reverse rule the 91 games with a pairing are draws. In 62 more the second player cannot lose, and in 5 more
//! the first cannot, by a mirror strategy. In 10 of those 62, the boards of even size with 2 in a row, the second player
//! forces a win.

use once_cell::sync::Lazy;

use crate::game::{Bounds, Cell, MAX_SIZE, Rules, Shape, Symmetry, Value};

/// The known facts about the value of an empty board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownValue {
    /// The reason why the side to move cannot force a win; `None` when that is not known.
    pub mover_cannot_force: Option<KnownReason>,
    /// The reason why its opponent cannot force a win; `None` when that is not known.
    pub opponent_cannot_force: Option<KnownReason>,
    /// The opponent forces a win within this many plies, by the strategy of [`KnownReason::Mirror`]; `None` when that is not
    /// known. The least number may be smaller.
    pub opponent_wins_within: Option<u16>,
    /// A published theorem says that the side to move wins. It names no move and no number of plies, so it is for people only,
    /// and [`KnownValue::bounds`] leaves it out.
    pub published_win: Option<Theorem>,
}

impl KnownValue {
    /// The bounds on the value of the empty board, seen by the side to move.
    pub fn bounds(self) -> Bounds {
        let not_won = self.mover_cannot_force.map_or(Bounds::UNKNOWN.at_most, |_| Value::Draw);
        Bounds {
            at_least: self.opponent_cannot_force.map_or(Bounds::UNKNOWN.at_least, |_| Value::Draw),
            at_most: self.opponent_wins_within.map_or(not_won, Value::Loss),
        }
    }
}

/// The reason why a player cannot force a win from the empty board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KnownReason {
    /// Either rule, more in a row than the longer side has cells: no line can be completed.
    NoLine,
    /// Either rule: the other player answers inside the pairs of [`pairing`], which says why that suffices.
    Pairing,
    /// Normal rule: the second player makes a stored reply to the first move, and answers inside pairs from then on. See
    /// [`replies`].
    OneReply,
    /// Reverse rule: the other player answers every move with its mirror image through the centre.
    ///
    /// On a board with an even number of cells the second player does so. A line that the mirroring player completes is the
    /// image of a line that the opponent has completed before, or it holds two opposite cells, of which the opponent has
    /// one. So the mirroring player never completes a line first, whatever the number in a row.
    ///
    /// On a board with an odd number of cells the first player takes the centre and mirrors from then on. The argument
    /// holds for lines that avoid the centre. A line through the centre must not end there; then it holds two opposite
    /// cells too. This is so when twice the number in a row is at least the longer side plus 3, for example when lines are
    /// as long as the longer side, from 3 on. (Some shorter lines end in the centre, and the argument fails.)
    ///
    /// Mirror strategies of this kind are due to S. W. Golomb and A. W. Hales, "Hypercube Tic-Tac-Toe", in "More Games of
    /// No Chance", 2002.
    ///
    /// With 2 in a row the mirroring player even wins, if the number of cells is even and both sides are at least 2. Cut
    /// the board into blocks of 2x2 cells, smaller at an edge where a side is odd. Any two cells of a block are a line. So
    /// the opponent has completed a line once it has one stone more than there are blocks. Half of the cells are enough
    /// for that. The mirroring player has completed none before. So the game ends within twice the number of blocks, plus
    /// one, plies.
    Mirror,
    /// A published theorem.
    Theorem(Theorem),
}

/// A published theorem about empty boards under the normal rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Theorem {
    /// The second player cannot force a win, on any board and for any number in a row. If it could, the first player
    /// could place a stone anywhere and then play that strategy itself. An additional stone never hurts under the
    /// normal rule, so both would win. (J. Nash; A. W. Hales and R. I. Jewett, "Regularity and positional games",
    /// Transactions of the American Mathematical Society 106, 1963.)
    StrategyStealing,
    /// The first player cannot force 8 or more in a row on any board, with edges or without. The plane is cut into
    /// tiles such that every such row contains a whole line of some tile. The second player answers in the tile that
    /// the first has played in, and prevents every line there. (T. G. L. Zetters, "8 (or more) in a row", American
    /// Mathematical Monthly 87, 1980, 575-576.)
    EightInARow,
    /// 5 in a row on 7x7 and on 8x8 are draws, by a search of many hours for the latter that is not repeated here. It
    /// says nothing about other sizes. (W.-Y. Hsu, C.-L. Ko, J.-C. Chen, T.-H. Wei, C.-H. Hsueh and I-C. Wu, "On
    /// solving the 7,7,5-game and the 8,8,5-game", Theoretical Computer Science 815, 2020, 79-94.)
    FiveInARow,
    /// The first player wins 5 or more in a row on 15x15. The proof is a computer search whose tree is not published, so it
    /// gives no move and no bound, and it says nothing about other sizes. (L. V. Allis, H. J. van den Herik and M. P. H.
    /// Huntjens, "Go-Moku Solved by New Search Techniques", AAAI Fall Symposium on Games, 1993; Computational
    /// Intelligence 12, 1996, 7-23.)
    GoMoku,
}

impl Theorem {
    /// The theorem and its source in one sentence, for people.
    pub fn sentence(self) -> &'static str {
        match self {
            Theorem::StrategyStealing => {
                "the second player cannot win, or the first would steal its strategy (Hales and Jewett, 1963)"
            }
            Theorem::EightInARow => "8 or more in a row is a draw on every board (Zetters, 1980)",
            Theorem::FiveInARow => "5 in a row is a draw on 7x7 and 8x8 (Hsu, Ko, Chen, Wei, Hsueh and Wu, 2020)",
            Theorem::GoMoku => {
                "the first player wins 5 in a row on 15x15 (Allis, van den Herik and Huntjens, 1993), which is not proven here"
            }
        }
    }
}

/// The known facts about the empty board, or `None`. A constructive reason is preferred to a theorem. Takes well under a
/// microsecond after the first call.
pub fn known_value(rules: Rules) -> Option<KnownValue> {
    let both = |why| (Some(why), Some(why));
    let shape = rules.shape();
    let is_normal = rules.completer_wins();
    let (mover_cannot_force, opponent_cannot_force) = match rules.line_length() {
        None => both(KnownReason::NoLine),
        Some(length) if stored_pairing(shape, length).is_some() => both(KnownReason::Pairing),
        Some(length) if !is_normal => mirroring(shape, length),
        Some(length) => {
            let theorem = || draw_theorem(shape, length).map(KnownReason::Theorem);
            let one_reply =
                STORED_REPLIES.iter().any(|stored| shape.longer_side() <= stored.size && stored.length <= length);
            let why = one_reply.then_some(KnownReason::OneReply).or_else(theorem);
            (why, Some(KnownReason::Theorem(Theorem::StrategyStealing)))
        }
    };
    let mirror_wins = !is_normal && pairs_force_a_line(shape) && rules.line_length() == Some(2);
    let opponent_wins_within = mirror_wins.then(|| 2 * (most_without_neighbours(shape) + 1) - 1);
    let published_win = (is_normal && shape == 15.into() && rules.line_length() == Some(5)).then_some(Theorem::GoMoku);
    (mover_cannot_force.is_some() || opponent_cannot_force.is_some()).then_some(KnownValue {
        mover_cannot_force,
        opponent_cannot_force,
        opponent_wins_within,
        published_win,
    })
}

/// True if the player who moves first has a line of 2 before the second player, who mirrors its moves through the centre.
pub(crate) fn pairs_force_a_line(shape: Shape) -> bool {
    shape.cells().is_multiple_of(2) && shape.shorter_side() >= 2
}

/// The most cells of a board of which no two are neighbours, also diagonally: one in each block of 2x2 cells. Blocks at an
/// edge are smaller where a side is odd.
pub(crate) fn most_without_neighbours(shape: Shape) -> u16 {
    u16::from(shape.rows.div_ceil(2)) * u16::from(shape.columns.div_ceil(2))
}

/// The reasons why the mover and its opponent cannot force a win under the reverse rule, if a mirror strategy shows it.
fn mirroring(shape: Shape, length: u8) -> (Option<KnownReason>, Option<KnownReason>) {
    let second_mirrors = shape.cells().is_multiple_of(2);
    let first_mirrors = !second_mirrors && 2 * length >= shape.longer_side() + 3;
    (second_mirrors.then_some(KnownReason::Mirror), first_mirrors.then_some(KnownReason::Mirror))
}

/// The theorem by which the first player cannot win under the normal rule, if there is one.
fn draw_theorem(shape: Shape, length: u8) -> Option<Theorem> {
    match (shape, length) {
        (_, 8..) => Some(Theorem::EightInARow),
        (Shape { rows: 7, columns: 7 } | Shape { rows: 8, columns: 8 }, 5) => Some(Theorem::FiveInARow),
        _ => None,
    }
}

/// The stored pairing that blocks every line of these rules, or `None`. Without lines it has no pairs.
/// Takes about a microsecond after the first call, which reads the pictures.
///
/// The answering player takes the partner of every cell that its opponent takes. So neither player ever has both cells of
/// a pair, and neither completes a line. Three details:
///
/// - The other cells of the board are paired as well, in any way. If one is left over, it is *spare*.
/// - If the answering player has to move without a move to answer, it takes the spare cell. If there is none, it takes a
///   cell of any pair, and the partner becomes the spare cell.
/// - If the opponent takes the spare cell, the answering player moves as if there were nothing to answer. If no cell is
///   left, the game is over. So after the answering player's first move there is a spare cell only while the opponent is
///   to move, and only the opponent ever takes one.
///
/// Therefore under the normal rule either player prevents the other from completing a line, and under the reverse
/// rule either player avoids completing one: the start is a draw under both. The argument holds from any position, for
/// either player, if every line that matters still holds a pair with both cells empty. Under the normal rule the lines
/// without a stone of the answering player matter; under the reverse rule the lines without a stone of its opponent.
#[doc(hidden)]
pub fn pairing(rules: Rules) -> Option<Vec<(Cell, Cell)>> {
    let Some(length) = rules.line_length() else { return Some(Vec::new()) };
    let on_board = |cell: Cell| rules.shape().contains(cell);
    let stored = stored_pairing(rules.shape(), length)?;
    Some(stored.pairs.iter().copied().filter(|&(first, second)| on_board(first) && on_board(second)).collect())
}

/// A reply to a first move, and the pairs inside which the second player answers from then on.
#[doc(hidden)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The first move of the game.
    pub first_move: Cell,
    /// The reply.
    pub reply: Cell,
    /// Disjoint pairs of the other cells. Every line without the reply contains both cells of one.
    pub pairs: Vec<(Cell, Cell)>,
}

impl Reply {
    /// The reply on a board that is turned or mirrored.
    fn image(&self, symmetry: Symmetry, shape: Shape) -> Reply {
        let image = |cell| symmetry.apply(cell, shape);
        Reply {
            first_move: image(self.first_move),
            reply: image(self.reply),
            pairs: self.pairs.iter().map(|&(first, second)| (image(first), image(second))).collect(),
        }
    }
}

/// The stored replies to a first move, under the normal rule: none if no reply is stored for the board. If the first move
/// is on an axis of symmetry, a reply comes with its mirror image.
///
/// After the reply every line without it holds a pair with both cells empty. So the second player prevents all lines as
/// [`pairing`] says, from any position: it answers inside the pairs. No line of the first player ever contains the reply.
/// Therefore the first player cannot force a win. (The reply depends on the first move, so the pairs are no pairing of
/// the empty board.)
#[doc(hidden)]
pub fn replies(rules: Rules, first_move: Cell) -> impl Iterator<Item = Reply> {
    let shape = rules.shape();
    let serves = |stored: &&StoredReplies| {
        rules.completer_wins()
            && shape == stored.size.into()
            && rules.line_length().is_some_and(|length| stored.length <= length)
    };
    let stored = STORED_REPLIES.iter().find(serves).into_iter().flat_map(|stored| stored.replies.iter());
    stored.flat_map(move |reply| {
        let images = Symmetry::all(shape).filter(move |symmetry| symmetry.apply(reply.first_move, shape) == first_move);
        images.map(move |symmetry| reply.image(symmetry, shape))
    })
}

/// Replies to all first moves on one board.
struct StoredReplies {
    /// The result holds for boards of this size and smaller ones.
    size: u8,
    /// The pairs block lines of this length and longer ones.
    length: u8,
    /// One for each first move, up to turns and mirror images.
    replies: Lazy<Vec<Reply>>,
}

static STORED_REPLIES: [StoredReplies; 3] = {
    const fn stored(size: u8, length: u8, read: fn() -> Vec<Reply>) -> StoredReplies {
        StoredReplies { size, length, replies: Lazy::new(read) }
    }
    [
        stored(6, 5, || read_replies(include_str!("known_values/6x6_5_replies.txt"))),
        stored(8, 6, || read_replies(include_str!("known_values/8x8_6_replies.txt"))),
        stored(11, 7, || read_replies(include_str!("known_values/11x11_7_replies.txt"))),
    ]
};

/// The replies of a file of pictures, with an empty line between two of them.
fn read_replies(text: &str) -> Vec<Reply> {
    let read = |picture: &str| {
        let rows = self::picture(picture);
        let find = |mark: &str| {
            let is_marked = |cell: &Cell| rows[usize::from(cell.row())][usize::from(cell.column())] == mark;
            Cell::all(rows.len() as u8).find(is_marked).expect("a picture shows a first move and a reply")
        };
        Reply { first_move: find("**"), reply: find("++"), pairs: board_pairs(picture) }
    };
    text.split("\n\n").map(read).collect()
}

/// A pairing on the largest board for which it is used.
struct StoredPairing {
    /// It is used for boards of this size and smaller ones.
    size: u8,
    /// It blocks lines of this length and longer ones.
    length: u8,
    pairs: Vec<(Cell, Cell)>,
}

/// From small to large, so that the board at hand is cut from one that is not much larger.
static STORED: Lazy<[StoredPairing; 5]> = Lazy::new(|| {
    [
        StoredPairing { size: 5, length: 5, pairs: board_pairs(include_str!("known_values/5x5_5.txt")) },
        StoredPairing { size: 7, length: 6, pairs: board_pairs(include_str!("known_values/7x7_6.txt")) },
        StoredPairing { size: 10, length: 7, pairs: board_pairs(include_str!("known_values/10x10_7.txt")) },
        StoredPairing { size: 13, length: 8, pairs: board_pairs(include_str!("known_values/13x13_8.txt")) },
        StoredPairing { size: MAX_SIZE, length: 9, pairs: torus_pairs(include_str!("known_values/torus_9.txt")) },
    ]
});

fn stored_pairing(shape: Shape, length: u8) -> Option<&'static StoredPairing> {
    STORED.iter().find(|stored| shape.longer_side() <= stored.size && stored.length <= length)
}

/// The rows of a picture, each a list of what its cells show.
fn picture(text: &str) -> Vec<Vec<&str>> {
    text.lines().map(|row| row.split_whitespace().collect()).collect()
}

/// The pairs of a picture of one board: cells that show the same number. Other signs stand on single cells.
fn board_pairs(text: &str) -> Vec<(Cell, Cell)> {
    let rows = picture(text);
    let shown = |cell: Cell| rows[usize::from(cell.row())][usize::from(cell.column())];
    let numbered: Vec<Cell> = Cell::all(rows.len() as u8).filter(|&cell| shown(cell) != "..").collect();
    let pair = |&first: &Cell| {
        let second = numbered.iter().copied().find(|&other| other > first && shown(other) == shown(first));
        second.map(|second| (first, second))
    };
    numbered.iter().filter_map(pair).collect()
}

/// The pairs of a picture that repeats over the largest board: neighbours that show the same number.
fn torus_pairs(text: &str) -> Vec<(Cell, Cell)> {
    let rows = picture(text);
    let shown = |cell: Cell| rows[usize::from(cell.row()) % rows.len()][usize::from(cell.column()) % rows.len()];
    // The four of the eight neighbours that come later in reading order; fewer at the edges.
    let later_neighbours = |cell: Cell| {
        let below = cell.row() + 1;
        let columns = [(cell.row(), 1), (below, -1), (below, 0), (below, 1)];
        columns.into_iter().filter_map(move |(row, right)| {
            let column = cell.column().checked_add_signed(right)?;
            (row < MAX_SIZE && column < MAX_SIZE).then(|| Cell::new(row, column))
        })
    };
    let pair = |first: Cell| {
        let second = later_neighbours(first).find(|&other| shown(other) == shown(first));
        second.map(|second| (first, second))
    };
    Cell::all(MAX_SIZE).filter_map(pair).collect()
}
