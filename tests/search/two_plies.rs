//! No answer of a player that proves is worse than a look of two plies, whatever the limit, the rule or the protocol.
//!
//! Normal rule: a line is completed if one can be; otherwise the opponent's is blocked if one cell blocks all. Reverse rule:
//! no line is completed while another move exists. The value that a line of the answer gives its move agrees with plain play
//! of two plies, and near the end of the game with plain alpha-beta.
//!
//! The daily test asks for 500 answers. Before a release it is told to ask for 20,000: docs/release.md has the command.

use std::collections::BTreeMap;

use crate::common::biased::BiasedPlay;
use crate::common::claims::is_within;
use crate::common::oracle::{self, Judged};
use crate::common::program::{Program, command};
use crate::common::rules;
use noughts::game::{Cell, MoveText, Player, Position, Rules, Shape, Value};
use noughts::protocol::{Info, Reply};
use noughts::search::{Generator, Stream, below, generator};
use noughts_oracle as plain;

/// The answers of the daily test. The environment variable `NOUGHTS_ANSWERS` asks for another number.
const ANSWERS: u64 = 500;

const LIMITS: [&str; 24] = [
    "trials 1",
    "trials 10",
    "trials 300",
    "nodes 1",
    "nodes 20",
    "nodes 500",
    "depth 1 nodes 500",
    "depth 2 nodes 500",
    "depth 3 nodes 2000",
    "movetime 0",
    "movetime 1",
    "movetime 14",
    "movetime 15",
    "movetime 16",
    "movetime 17",
    "movetime 18",
    "movetime 20",
    "movetime 22",
    "movetime 30",
    "movetime 40",
    "movetime 80",
    "wtime 40 btime 40",
    "wtime 400 btime 400 winc 5 binc 5",
    "wtime 100 btime 100 movestogo 3",
];

/// The form of a question.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Dialect {
    Ugi,
    Gomocup,
    XBoard,
}

/// The result that two plies show in a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Sight {
    /// Normal rule: a line can be completed.
    Win,
    /// Normal rule: one cell blocks all lines of the opponent.
    OneBlock,
    /// Normal rule: no cell does.
    NoBlock,
    /// Reverse rule: some moves complete a line.
    SomeComplete,
    /// Reverse rule: all moves do.
    AllComplete,
    /// Nothing of that.
    Quiet,
}

/// A position, and what plain loops over its lines show.
struct Question {
    position: Position,
    listed: Vec<Cell>,
    /// The cells on which the side to move completes a line, and those on which its opponent does.
    completing: [Vec<Cell>; 2],
}

impl Question {
    fn new(position: Position, listed: Vec<Cell>) -> Question {
        let completing = [position.side(), !position.side()].map(|player| completing(&position, player));
        Question { position, listed, completing }
    }

    fn sight(&self) -> Sight {
        let [mine, theirs] = &self.completing;
        match (self.position.rules().reverse(), mine.len(), theirs.len()) {
            (true, 0, _) | (false, 0, 0) => Sight::Quiet,
            (true, all, _) if all == self.position.empty_cells() => Sight::AllComplete,
            (true, ..) => Sight::SomeComplete,
            (false, 0, 1) => Sight::OneBlock,
            (false, 0, _) => Sight::NoBlock,
            (false, ..) => Sight::Win,
        }
    }

    /// The plies to the loss after a move, if two plies show a loss.
    fn loss_in_sight(&self, cell: Cell) -> Option<u64> {
        let [mine, theirs] = &self.completing;
        match self.position.rules().reverse() {
            true => mine.contains(&cell).then_some(1),
            false => (!mine.contains(&cell) && theirs.iter().any(|&other| other != cell)).then_some(2),
        }
    }

    /// The moves that the law allows.
    fn allowed(&self) -> Vec<Cell> {
        let [mine, theirs] = &self.completing;
        let of_listed = |is_wanted: &dyn Fn(&Cell) -> bool| -> Vec<Cell> {
            self.listed.iter().copied().filter(|cell| is_wanted(cell)).collect()
        };
        let preferred = match self.position.rules().reverse() {
            true => vec![of_listed(&|cell| !mine.contains(cell))],
            false => vec![of_listed(&|cell| mine.contains(cell)), of_listed(&|cell| theirs[..] == [*cell])],
        };
        preferred.into_iter().find(|moves| !moves.is_empty()).unwrap_or_else(|| self.listed.clone())
    }
}

/// The empty cells on which a player completes a line.
fn completing(position: &Position, player: Player) -> Vec<Cell> {
    let mut cells = Vec::new();
    for line in oracle::lines(position.rules()) {
        let empty: Vec<&Cell> = line.iter().filter(|&&cell| position.occupant(cell).is_none()).collect();
        let stones = line.iter().filter(|&&cell| position.occupant(cell) == Some(player)).count();
        if empty.len() == 1 && stones + 1 == line.len() && !cells.contains(empty[0]) {
            cells.push(*empty[0]);
        }
    }
    cells
}

/// A position with some lines that lack one stone, and stones at random around them; `None` if it came out otherwise.
fn planted(rules: Rules, random: &mut Generator) -> Option<Position> {
    let mut draw = |bound: usize| below(random, bound as u32) as usize;
    let lines = oracle::lines(rules);
    let size = rules.shape();
    let side = plain::Player::BOTH[draw(2)];
    let mut board = vec![None; rules.cells()];
    // Gaps stay empty.
    let mut gaps = vec![false; rules.cells()];
    for _ in 0..draw(4) {
        let line = &lines[draw(lines.len())];
        let gap = draw(line.len());
        let owner = if draw(4) == 0 { side } else { !side };
        let owner = if rules.reverse() { !owner } else { owner };
        for (place, cell) in line.iter().enumerate() {
            let index = cell.index(size);
            if place == gap {
                gaps[index] = board[index].is_none();
            } else if board[index].is_none() && !gaps[index] {
                board[index] = Some(owner);
            }
        }
    }
    let count = |board: &[Option<plain::Player>], player| board.iter().filter(|stone| **stone == Some(player)).count();
    // The opponent has as many stones as the side to move, or one more.
    let ahead = draw(2);
    let mut more = draw(rules.cells() / 4 + 1);
    for _ in 0..4 * rules.cells() {
        let [mine, theirs] = [side, !side].map(|player| count(&board, player));
        let balanced = theirs == mine + ahead;
        if balanced && more == 0 {
            break;
        }
        more -= usize::from(balanced && more > 0);
        let player = if theirs < mine + ahead { !side } else { side };
        let index = draw(board.len());
        if board[index].is_none() && !gaps[index] {
            board[index] = Some(player);
        }
    }
    let board = plain::Board { stones: board, side, ..oracle::empty_board(rules) };
    oracle::position_of(&board, rules).filter(|position| position.outcome().is_none())
}

/// The next position in which there is this to see; `None` if it does not come up soon.
fn position_with(wanted: Sight, rules: Rules, random: &mut Generator, play: &mut BiasedPlay) -> Option<Position> {
    for number in 0..60 {
        let found = match wanted {
            // Such positions are nearly full.
            Sight::AllComplete => play.position(1 + number % 6),
            _ => planted(rules, random),
        };
        let is_wanted = |position: &Position| Question::new(*position, Vec::new()).sight() == wanted;
        if let Some(position) = found.filter(is_wanted) {
            return Some(position);
        }
    }
    None
}

/// The program in one dialect, over and over.
struct Client {
    program: Program,
    dialect: Dialect,
}

impl Client {
    fn new(dialect: Dialect) -> Client {
        Client { program: Program::spawn(&mut command()), dialect }.started()
    }

    fn started(mut self) -> Client {
        self.program.read();
        if self.dialect == Dialect::XBoard {
            self.program.send("xboard\nprotover 2\n").until("feature done=1");
        }
        self
    }

    /// The move, and what is said of moves on the way.
    fn ask(&mut self, question: &Question, player: &str, limit: &str, lines: u64) -> (Cell, Vec<Info>) {
        let position = &question.position;
        let rules = position.rules();
        let shape = rules.shape();
        let Shape { rows, columns } = shape;
        let on_board = |text: &str| text.parse::<MoveText>().expect("a move").on_board(shape).expect("on the board");
        match self.dialect {
            Dialect::Ugi => {
                let (connect, reverse) = (rules.connect(), rules.reverse());
                let listed: Vec<String> = question.listed.iter().map(Cell::to_string).collect();
                self.program.send(format!(
                    "setoption size {rows}\nsetoption columns {columns}\nsetoption connect {connect}\n\
                     setoption reverse {reverse}\nsetoption player {player}\nsetoption MultiPV {lines}\nnewgame\nposition fen {}\n\
                     go {limit} searchmoves {}\n",
                    position.diagram(),
                    listed.join(" ")
                ));
                let said = self.program.until("bestmove");
                let infos = said.iter().filter_map(|line| match line.parse() {
                    Ok(Reply::Info(info)) => Some(info),
                    _ => None,
                });
                let chosen = said.last().and_then(|line| line.split(' ').nth(1)).expect("a move");
                (on_board(chosen), infos.collect())
            }
            Dialect::Gomocup => {
                let mut text = format!("RECTSTART {columns},{rows}\nINFO player {player}\nINFO multipv {lines}\n");
                let (key, time) = gomocup_time(limit);
                text += &format!("INFO timeout_turn 0\nINFO timeout_match 0\nINFO {key} {time}\nBOARD\n");
                for cell in Cell::all(shape) {
                    if let Some(player) = position.occupant(cell) {
                        let field = if player == position.side() { 1 } else { 2 };
                        text += &format!("{},{},{field}\n", cell.column(), cell.row());
                    }
                }
                self.program.send(text + "DONE\n").until("OK");
                let said = loop {
                    let line = self.program.line();
                    assert!(!line.starts_with("ERROR"), "{line}");
                    if !line.starts_with("MESSAGE") {
                        break line;
                    }
                };
                let (column, row) = said.split_once(',').expect("a move");
                (Cell::new(row.parse().expect("a row"), column.parse().expect("a column")), Vec::new())
            }
            Dialect::XBoard => {
                let variant = match (rows, rules.reverse()) {
                    (3, false) => "tictactoe".to_owned(),
                    (size, reverse) => format!("{}{size}", if reverse { "reverse" } else { "noughts" }),
                };
                let connect = rules.connect();
                let board = position.diagram().to_string().replace('x', "P").replace('o', "p");
                let (board, _) = board.split_once(' ').expect("a board and a side");
                let side = if position.side() == Player::X { "w" } else { "b" };
                let time = limit.split(' ').find_map(|word| word.parse::<u64>().ok()).expect("a number") / 10;
                self.program.send(format!(
                    "variant {variant}\noption connect={connect}\noption player={player}\noption MultiPV={lines}\n\
                     force\nsetboard {board} {side} - - 0 1\nlevel 0 0:01 0\ntime {time}\notim {time}\ngo\n"
                ));
                let said = self.program.until("move ");
                assert!(said.iter().all(|line| !line.contains("llegal")), "{said:?}");
                (on_board(&said[said.len() - 1]["move ".len()..]), Vec::new())
            }
        }
    }
}

/// A limit as a key of Gomocup and its value.
fn gomocup_time(limit: &str) -> (&str, &str) {
    let (key, rest) = limit.split_once(' ').expect("a key and a value");
    let value = rest.split(' ').next().expect("a value");
    (if key == "movetime" { "timeout_turn" } else { "time_left" }, value)
}

/// Every rule, square from 4x4 to 20x20 and line length from 3 comes up, with some of the limits, players and dialects. A
/// third of the boards are no squares.
#[test]
fn no_answer_is_worse_than_a_look_of_two_plies() {
    let answers = std::env::var("NOUGHTS_ANSWERS").map_or(ANSWERS, |number| number.parse().expect("a number"));
    let games: Vec<(u8, u16, bool)> = (4..=20u8)
        .flat_map(|size| {
            (3..=u16::from(size)).flat_map(move |connect| [false, true].map(|reverse| (size, connect, reverse)))
        })
        .collect();
    let mut random = generator(41, Stream::Opening(0));
    let mut clients: BTreeMap<Dialect, Client> = BTreeMap::new();
    let mut seen: BTreeMap<(Sight, Dialect), u64> = BTreeMap::new();
    let (mut asked, mut claims) = (0, [0; 2]);
    while asked < answers {
        // Small boards and short lines come up more often than others.
        let index = below(&mut random, games.len() as u32).min(below(&mut random, games.len() as u32));
        let (size, connect, reverse) = games[index as usize];
        let mut draw = |bound: usize| below(&mut random, bound as u32) as usize;
        let protocol = draw(6);
        // XBoard has squares only.
        let columns = if protocol != 1 && draw(3) == 0 { 1 + draw(20) as u8 } else { size };
        let rules = rules((size, columns), connect, reverse);
        let kinds = match reverse {
            false => [Sight::Win, Sight::OneBlock, Sight::OneBlock, Sight::NoBlock, Sight::Quiet],
            true => [Sight::SomeComplete, Sight::SomeComplete, Sight::SomeComplete, Sight::AllComplete, Sight::Quiet],
        };
        let wanted = kinds[draw(kinds.len())];
        let mut limit = LIMITS[draw(LIMITS.len())].to_owned();
        let player = ["auto", "perfect", "mcts"][draw(3)];
        if player == "perfect" && limit.starts_with("trials") {
            // Nothing else would end a long proof.
            limit += " nodes 500";
        }
        let lines = [1, 1, 3, 400][draw(4)];
        let is_timed = limit.contains("time ");
        let dialect = match protocol {
            0 if !reverse && connect == 5 && columns >= 5 && is_timed => Dialect::Gomocup,
            1 if size <= 12 && size != 10 && limit.starts_with("wtime") => Dialect::XBoard,
            _ => Dialect::Ugi,
        };
        let lists_some = dialect == Dialect::Ugi && draw(4) == 0;
        let mut play = BiasedPlay::new(rules, u64::from(below(&mut random, 1 << 30)));
        let Some(position) = position_with(wanted, rules, &mut random, &mut play) else { continue };
        let mut listed: Vec<Cell> = position.moves().collect();
        if lists_some {
            listed.retain(|_| below(&mut random, 2) == 0);
        }
        if listed.is_empty() {
            continue;
        }
        asked += 1;
        let question = Question::new(position, listed);
        *seen.entry((question.sight(), dialect)).or_default() += 1;
        let client = clients.entry(dialect).or_insert_with(|| Client::new(dialect));
        let (chosen, infos) = client.ask(&question, player, &limit, lines);
        let context = || {
            let listed: Vec<String> = question.listed.iter().map(Cell::to_string).collect();
            format!(
                "{rules}, {player}, {dialect:?}, go {limit}, MultiPV {lines}: position fen {}, searchmoves {}: {chosen}, {infos:?}",
                position.diagram(),
                listed.join(" ")
            )
        };
        let allowed = question.allowed();
        assert!(allowed.contains(&chosen), "allowed: {allowed:?}: {}", context());
        let mut values = (position.empty_cells() <= 9).then(|| Judged::new(position).moves);
        for info in infos.iter().filter(|info| info.multipv.is_some()) {
            check_claim(info, &question, values.as_deref_mut(), &mut claims, &context);
        }
    }
    // Every kind of position came up in our own protocol, and most in the others.
    let kinds = [Sight::Win, Sight::OneBlock, Sight::NoBlock, Sight::SomeComplete, Sight::AllComplete, Sight::Quiet];
    for kind in kinds {
        assert!(seen.get(&(kind, Dialect::Ugi)).is_some_and(|&number| number > answers / 60), "{seen:?}");
    }
    for (kind, dialect) in [(Sight::OneBlock, Dialect::Gomocup), (Sight::OneBlock, Dialect::XBoard)] {
        assert!(seen.contains_key(&(kind, dialect)), "{seen:?}");
    }
    assert!(claims.iter().all(|&number| number > answers / 50), "{claims:?}");
    println!("{asked} answers: {seen:?}, claims: {claims:?}");
}

/// Holds the value of a line's move against what is in sight, and against its exact value where that is known. `claims`
/// counts losses in sight, and values that were compared.
fn check_claim(
    info: &Info,
    question: &Question,
    values: Option<&mut [(Cell, Value)]>,
    claims: &mut [u64; 2],
    context: &dyn Fn() -> String,
) {
    let size = question.position.rules().shape();
    let cell = info.pv[0].on_board(size).expect("on the board");
    let loss = question.loss_in_sight(cell);
    let is_lost = info.proven == Some(true) && info.value == Some(-1.0);
    match loss {
        Some(_) => {
            assert!(is_lost && info.plies == loss && info.plies_at_most.is_none(), "{cell}: {}", context());
            claims[0] += 1;
        }
        None => assert!(!is_lost || info.plies.or(info.plies_at_most) > Some(2), "{cell}: {}", context()),
    }
    let Some(values) = values else { return };
    let (_, value) = *values.iter().find(|(of, _)| *of == cell).expect("a legal move");
    let claimed = |plies: u64| match info.value {
        Some(-1.0) => Value::Loss(plies as u16),
        _ => Value::Win(plies as u16),
    };
    if info.proven != Some(true) {
        return;
    }
    claims[1] += 1;
    match (info.plies, info.plies_at_most) {
        (Some(plies), _) => assert_eq!(value, claimed(plies), "{cell}: {}", context()),
        (None, Some(plies)) => assert!(is_within(value, claimed(plies)), "{cell} {value}: {}", context()),
        (None, None) => assert_eq!(value, Value::Draw, "{cell}: {}", context()),
    }
}
