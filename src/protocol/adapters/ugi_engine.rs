//! UGI as programs for several games speak it: moves as `b2`, positions as moves from the start, clocks of two players.
//!
//! Our own protocol contains UGI, so only engines that know no other words need an adapter.
//!
//! UGI has neither a word for the rules nor a common text for positions. An engine that declares our options gets these. One
//! whose name tells that it plays the game `mnk`, such as motors, gets rows, columns and the number in a row before
//! `startpos`. The text that motors prints for a position is no help: in some versions motors cannot read it.
//! Such an engine ends when it cannot read a line.

use std::collections::VecDeque;

use super::stone_order::stones_in_turn;
use super::uci_engine::plain;
use super::{ForeignEngine, GameStep, ProtocolFacts, option_named};
use crate::engine::OptionType;
use crate::protocol::{Command, EngineReply, GoCommand, Handshake, InputLine, PositionCommand, Reply};
use noughts_core::game::{Cell, MoveText, Player, Rules, Shape};

/// The facts that a client has to know of this protocol.
pub const FACTS: ProtocolFacts = ProtocolFacts {
    name: "ugi",
    adapter: Some(|rules| Box::new(UgiEngine::new(rules))),
    introduction: "introduced itself with ugiok",
    no_introduction: "did not introduce itself with ugiok and readyok in time",
    needs_limit: true,
    has_counts: true,
    no_small_boards: None,
};

/// The name of the m,n,k-games in the introduction of an engine.
const MNK: &str = "mnk";

/// The most cells of a board of the game `mnk`.
const MNK_CELLS: usize = 128;

/// Our words for clocks and increments, and those of UGI.
const CLOCKS: [(&str, &str); 4] = [("wtime", "p1time"), ("btime", "p2time"), ("winc", "p1inc"), ("binc", "p2inc")];

/// The adapter for an engine that speaks UGI.
pub struct UgiEngine {
    rules: Rules,
    /// True if the engine has named the game `mnk`.
    is_mnk: bool,
    /// True if O began in the last position. The engine's first player is O then.
    is_swapped: bool,
}

impl UgiEngine {
    pub fn new(rules: Rules) -> UgiEngine {
        UgiEngine { rules, is_mnk: false, is_swapped: false }
    }

    /// The `position` line: the stones in an order in which the players can have put them. The rules treat both players
    /// alike, so it does not matter which of them began.
    fn position(&mut self, command: &PositionCommand) -> Option<String> {
        let (position, stones) = stones_in_turn(self.rules, command)?;
        let first = stones.first().map_or(position.side(), |&(_, player)| player);
        self.is_swapped = first == Player::O;
        let moves = stones.iter().map(|&(cell, _)| self.square(cell)).collect();
        let line = PositionCommand { moves, ..PositionCommand::default() }.to_string();
        Some(if self.is_mnk { line.replacen("startpos", &self.mnk_start(), 1) } else { line })
    }

    /// A cell as a letter from the left and a number from the bottom.
    fn square(&self, cell: Cell) -> MoveText {
        MoveText::FileRank(char::from(b'a' + cell.column()), u32::from(self.rules.shape().rows - cell.row()))
    }

    /// The empty board of the game `mnk`: rows, columns and the number in a row, or 0 where no line fits.
    fn mnk_start(&self) -> String {
        let Shape { rows, columns } = self.rules.shape();
        format!("{rows} {columns} {} startpos", self.rules.line_length().unwrap_or(0))
    }

    /// The `go` line. UGI knows no playouts either.
    fn go(&self, go: &GoCommand) -> String {
        let mut limits = go.limits;
        if self.is_swapped {
            limits.clocks.reverse();
        }
        let line = plain(&limits.into()).to_string();
        CLOCKS.iter().fold(line, |line, (ours, theirs)| line.replace(ours, theirs))
    }
}

impl ForeignEngine for UgiEngine {
    fn write_command(&mut self, command: &Command, text: &mut String) {
        let line = match command {
            Command::Handshake(_) => Some(Command::Handshake(Handshake::Ugi).to_string()),
            Command::NewGame => Some("uginewgame".to_owned()),
            Command::Position(position) => self.position(position),
            Command::Go(go) => Some(self.go(go)),
            command => Some(command.to_string()),
        };
        text.extend(line.iter().flat_map(|line| [line, "\n"]));
    }

    /// Reads a line of the engine as it is, also the moves. Only errors need another form.
    fn read_line(&mut self, line: InputLine, replies: &mut VecDeque<EngineReply>) {
        if let InputLine::Text(text) = &line {
            if let Some(error) = text.strip_prefix("info error ") {
                return replies.push_back(Reply::Error(error.to_owned()).into());
            }
            let name = text.strip_prefix("id name ").unwrap_or_default();
            self.is_mnk |= name.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == MNK);
        }
        replies.extend(EngineReply::read(line, true));
    }

    /// The options of our own protocol, the start position of the game `mnk`, or nothing for the game that needs no words.
    fn game_step(
        &mut self,
        declared: &[(String, OptionType)],
        _: &[(String, String)],
        text: &mut String,
    ) -> Result<GameStep, &'static str> {
        let (rules, shape) = (self.rules, self.rules.shape());
        if option_named(declared, "size").is_some() {
            return Ok(GameStep::OwnOptions);
        }
        let length = rules.line_length().filter(|_| !rules.reverse());
        if !self.is_mnk {
            return match (shape.rows, shape.columns, length) {
                (3, 3, Some(3)) => Ok(GameStep::Done),
                _ => Err(
                    "it declares no option \"size\" and does not name the game mnk, so 3x3 with normal rules is all it knows",
                ),
            };
        }
        if rules.cells() > MNK_CELLS || length.is_none_or(|length| length > shape.rows.min(shape.columns)) {
            return Err("its game mnk has up to 128 cells, lines up to the shorter side, and normal rules only");
        }
        // An engine that does not take the game says so before the first game.
        text.extend(["position ", &self.mnk_start(), "\n"]);
        Ok(GameStep::Done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use noughts_core::game::Position;
    use noughts_core::search::{Stream, below, generator};

    fn rules(rows: u8, columns: u8, connect: u16, reverse: bool) -> Rules {
        Rules::new(Shape { rows, columns }, connect, reverse).expect("rules within range")
    }

    /// An adapter that has heard the introduction of an engine.
    fn ugi(rules: Rules, introduction: &[&str]) -> UgiEngine {
        let mut ugi = UgiEngine::new(rules);
        introduction.iter().for_each(|line| ugi.read_line(InputLine::Text((*line).to_owned()), &mut VecDeque::new()));
        ugi
    }

    fn mnk(rules: Rules) -> UgiEngine {
        ugi(rules, &["id name Motors -- Game mnk -- Engine GAPS", "id author someone"])
    }

    fn say(ugi: &mut UgiEngine, line: &str) -> String {
        let mut text = String::new();
        ugi.write_command(&line.parse().expect("a command"), &mut text);
        text
    }

    #[test]
    fn a_conversation_of_ours_becomes_one_of_ugi() {
        for (ours, theirs) in [
            ("uci", "ugi\n"),
            ("isready", "isready\n"),
            ("newgame", "uginewgame\n"),
            ("setoption name Hash value 16", "setoption name Hash value 16\n"),
            ("position startpos", "position startpos\n"),
            ("position startpos moves 1,1 0,0 2,1", "position startpos moves b2 a3 b1\n"),
            ("position fen 3/1x1/3", "position startpos moves b2\n"),
            ("position fen o2/1x1/3 x moves 2,2", "position startpos moves b2 a3 c1\n"),
            ("go trials 100", "go nodes 100\n"),
            ("go nodes 30 trials 100 depth 2", "go nodes 30 depth 2\n"),
            ("go movetime 50", "go movetime 50\n"),
            (
                "go wtime 85 btime 104 winc 5 binc 6 movestogo 3",
                "go p1time 85 p2time 104 p1inc 5 p2inc 6 movestogo 3\n",
            ),
            ("stop", "stop\n"),
            ("quit", "quit\n"),
        ] {
            assert_eq!(say(&mut UgiEngine::new(Rules::default()), ours), theirs, "{ours}");
        }
        let moves = "position startpos moves 3,0 0,8";
        assert_eq!(say(&mut mnk(rules(4, 9, 3, false)), moves), "position 4 9 3 startpos moves a1 i4\n");
        assert_eq!(say(&mut UgiEngine::new(rules(4, 9, 3, false)), moves), "position startpos moves a1 i4\n");
    }

    /// The position that the line of a position leads to, and the clocks behind it.
    fn heard(ugi: &mut UgiEngine, line: &str) -> (Position, String) {
        let line = say(ugi, line);
        let (start, moves) = line.trim().split_once("startpos").expect("moves from the start");
        let known = format!("position startpos{moves}");
        let Ok(Command::Position(command)) = known.parse() else { panic!("{line}") };
        let shape = ugi.rules.shape();
        let game = format!("position {} {} {} ", shape.rows, shape.columns, ugi.rules.line_length().unwrap_or(0));
        assert_eq!(start, if ugi.is_mnk { game.as_str() } else { "position " });
        let position = Position::reach(ugi.rules, command.diagram.as_ref(), &command.moves).expect("a legal position");
        (position, say(ugi, "go wtime 1 btime 2 winc 3 binc 4"))
    }

    #[test]
    fn every_position_of_a_game_reads_back_up_to_the_names_of_the_players() {
        for (number, rules) in
            [rules(3, 3, 0, false), rules(4, 9, 4, false), rules(9, 2, 5, true), rules(20, 20, 5, false)]
                .into_iter()
                .enumerate()
        {
            let mut random = generator(7, Stream::Opening(number as u64));
            for game in 0..20 {
                let mut position = Position::start(rules);
                let mut moves = String::new();
                while position.outcome().is_none() {
                    let own = position.diagram().to_string();
                    let swap = |letter| match letter {
                        'x' => 'o',
                        'o' => 'x',
                        other => other,
                    };
                    let swapped: String = own.chars().map(swap).collect();
                    let clocks = "go p1time 1 p2time 2 p1inc 3 p2inc 4\n";
                    let mut ugi = if game % 2 == 0 { mnk(rules) } else { UgiEngine::new(rules) };
                    let by_moves = if moves.is_empty() { String::new() } else { format!(" moves{moves}") };
                    for line in [format!("position startpos{by_moves}"), format!("position fen {own}")] {
                        assert_eq!(heard(&mut ugi, &line), (position, clocks.to_owned()), "{line}");
                    }
                    // O began: the same game for an engine, whose first player is O.
                    let clocks = "go p1time 2 p2time 1 p1inc 4 p2inc 3\n".to_owned();
                    assert_eq!(heard(&mut ugi, &format!("position fen {swapped}")), (position, clocks), "{swapped}");
                    let count = position.moves().count() as u32;
                    let cell = position.moves().nth(below(&mut random, count) as usize).expect("the game goes on");
                    position = position.after(cell);
                    moves += &format!(" {cell}");
                }
            }
        }
    }

    #[test]
    fn what_ugi_engines_say_is_kept_but_for_errors() {
        let read = |line: &str| {
            let mut replies = VecDeque::new();
            UgiEngine::new(Rules::default()).read_line(InputLine::Text(line.to_owned()), &mut replies);
            replies.pop_front()
        };
        for line in
            ["ugiok", "readyok", "bestmove b2 ponder a1", "info depth 3 score cp 10 pv b2", "hello", "info error"]
        {
            assert_eq!(read(line), EngineReply::read(InputLine::Text(line.to_owned()), true));
        }
        assert_eq!(read("bestmove b2").map(|reply| reply.to_string()), Some("bestmove b2".to_owned()));
        assert_eq!(read("info error no such move"), Some(EngineReply::Reply(Reply::Error("no such move".to_owned()))));
    }

    #[test]
    fn a_game_is_told_by_options_or_by_the_name_of_the_game_or_not_at_all() {
        let size = ("Size".to_owned(), OptionType::Spin { default: 3, min: 1, max: 20 });
        for (rules, by_mnk, without) in [
            (rules(3, 3, 0, false), Some("position 3 3 3 startpos\n"), true),
            (rules(3, 3, 3, false), Some("position 3 3 3 startpos\n"), true),
            (rules(3, 3, 2, false), Some("position 3 3 2 startpos\n"), false),
            (rules(4, 9, 4, false), Some("position 4 9 4 startpos\n"), false),
            (rules(9, 4, 0, false), Some("position 9 4 4 startpos\n"), false),
            (rules(1, 9, 1, false), Some("position 1 9 1 startpos\n"), false),
            (rules(6, 20, 5, false), Some("position 6 20 5 startpos\n"), false),
            (rules(3, 3, 0, true), None, false),
            (rules(3, 3, 4, false), None, false),
            (rules(3, 5, 4, false), None, false),
            (rules(15, 15, 5, false), None, false),
            (rules(7, 20, 5, false), None, false),
        ] {
            let step = |mut ugi: UgiEngine, declared: &[(String, OptionType)]| {
                let mut text = String::new();
                (ugi.game_step(declared, &[], &mut text), text)
            };
            let (by_name, text) = step(mnk(rules), &[]);
            assert_eq!((by_name.is_ok(), text.as_str()), (by_mnk.is_some(), by_mnk.unwrap_or_default()), "{rules}");
            assert_eq!(
                step(ugi(rules, &["id name mnkgame", "mnk", "id author mnk"]), &[]).0.is_ok(),
                without,
                "{rules}"
            );
            for ugi in [mnk(rules), UgiEngine::new(rules)] {
                assert_eq!(step(ugi, std::slice::from_ref(&size)), (Ok(GameStep::OwnOptions), String::new()));
            }
        }
    }
}
