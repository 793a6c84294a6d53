//! UCI as programs for chess variants speak it: drop moves, boards as FEN, and no playouts.
//!
//! Our own protocol contains UCI, so only engines that speak it need an adapter.
//!
//! Such an engine knows games by name: the option `UCI_Variant`, and a file of variants whose path is the option
//! `VariantPath`. These options, and the files, come from Fairy-Stockfish. A file can describe any number in a row and any board
//! that the engine has room for, up to 10x10 in its larger builds. It cannot say that a completed line loses.

use std::collections::VecDeque;
use std::fmt::Write;

use super::{ForeignEngine, GameStep, ProtocolFacts, option_named};
use crate::engine::OptionType;
use crate::protocol::{Command, EngineReply, GoCommand, Handshake, InputLine, PositionCommand, Reply};
use noughts_core::game::{MoveText, Notation, Position, Rules, Shape};
use noughts_core::search::Limits;

/// The beginnings of an error of such engines. No document says so, but it is common.
const COMPLAINTS: [&str; 2] = ["Unknown command", "No such option"];

/// The facts that a client has to know of this protocol.
pub const FACTS: ProtocolFacts = ProtocolFacts {
    name: "uci",
    adapter: Some(|rules| Box::new(UciEngine::new(rules))),
    introduction: "introduced itself with uciok",
    no_introduction: "did not introduce itself with uciok and readyok in time",
    needs_limit: true,
    has_counts: true,
    no_small_boards: None,
};

/// The option with the name of the game.
const VARIANT: &str = "UCI_Variant";

/// The option with the file that describes more games.
const PATH: &str = "VariantPath";

/// The name of the game in such a file.
const NAME: &str = "noughts";

/// The name of a game in programs for chess variants, if it has one.
fn common_name(rules: Rules) -> Option<&'static str> {
    let Shape { rows, columns } = rules.shape();
    match (rows, columns, rules.line_length(), rules.reverse()) {
        (3, 3, Some(3), false) => Some("tictactoe"),
        (15, 15, Some(5), false) => Some("gomokufreestyle"),
        _ => None,
    }
}

/// The name of the game, if the engine lists it.
fn listed(rules: Rules, declared: Option<&OptionType>) -> Option<&'static str> {
    common_name(rules).filter(|name| lists(declared, name))
}

fn lists(declared: Option<&OptionType>, name: &str) -> bool {
    matches!(declared, Some(OptionType::Combo { choices, .. }) if choices.iter().any(|choice| choice == name))
}

/// The adapter for an engine that speaks UCI.
pub struct UciEngine {
    rules: Rules,
    /// True if the engine was told to read a file with its game.
    is_described: bool,
}

impl UciEngine {
    pub fn new(rules: Rules) -> UciEngine {
        UciEngine { rules, is_described: false }
    }

    /// The `position` line with a FEN and drop moves.
    fn position(&self, command: &PositionCommand) -> Option<String> {
        let shape = self.rules.shape();
        let drop = |written: &MoveText| Some(Notation::Drop.write(written.on_board(shape).ok()?, shape));
        let moves: Option<Vec<MoveText>> = command.moves.iter().map(drop).collect();
        let moves = PositionCommand { moves: moves?, ..PositionCommand::default() }.to_string();
        match &command.diagram {
            None => Some(moves),
            // A diagram may leave the side to move out. A FEN must name it.
            Some(diagram) => {
                let fen = Position::set_up(self.rules, diagram).ok()?.diagram().fen();
                Some(moves.replacen("startpos", &format!("fen {fen}"), 1))
            }
        }
    }
}

impl ForeignEngine for UciEngine {
    fn write_command(&mut self, command: &Command, text: &mut String) {
        let line = match command {
            Command::Handshake(_) => Some(Command::Handshake(Handshake::Uci).to_string()),
            Command::NewGame => Some("ucinewgame".to_owned()),
            Command::Position(position) => self.position(position),
            Command::Go(go) => Some(plain(go).to_string()),
            command => Some(command.to_string()),
        };
        text.extend(line.iter().flat_map(|line| [line, "\n"]));
    }

    /// Reads a line of the engine as it is, also the moves. Only errors need another form.
    fn read_line(&mut self, line: InputLine, replies: &mut VecDeque<EngineReply>) {
        replies.extend(match line {
            InputLine::Text(text) if COMPLAINTS.iter().any(|start| text.starts_with(start)) => {
                Some(Reply::Error(text).into())
            }
            line => EngineReply::read(line, true),
        });
    }

    /// A name that the engine lists, a name in a file, or the options of our own protocol. Options of the set-up come first.
    fn game_step(
        &mut self,
        declared: &[(String, OptionType)],
        own: &[(String, String)],
        _: &mut String,
    ) -> Result<GameStep, &'static str> {
        let variants = option_named(declared, VARIANT).map(|(_, kind)| kind);
        if self.is_described {
            // An engine leaves out a game that does not fit its boards, and would go on with another game.
            return match lists(variants, NAME) {
                true => Ok(GameStep::Option(VARIANT, NAME)),
                false => Err("it did not take this game from a file of variants; its boards may be smaller"),
            };
        }
        if option_named(own, VARIANT).is_some() {
            return Ok(GameStep::Done);
        }
        if let Some(name) = listed(self.rules, variants) {
            return Ok(GameStep::Option(VARIANT, name));
        }
        if variants.is_none() || option_named(declared, "size").is_some() {
            return Ok(GameStep::OwnOptions);
        }
        if option_named(declared, PATH).is_none() || option_named(own, PATH).is_some() {
            return Err("its option UCI_Variant lists no such game");
        }
        if self.rules.reverse() {
            return Err("its option UCI_Variant lists no such game, and a file of variants knows normal rules only");
        }
        self.is_described = true;
        Ok(GameStep::File(PATH, description(self.rules)))
    }

    fn first_option(&self) -> Option<&'static str> {
        Some(PATH)
    }
}

/// The limits in UCI, which knows no playouts. A limit of playouts becomes a limit of nodes.
pub(super) fn plain(go: &GoCommand) -> Command {
    let limits = go.limits;
    let nodes = limits.trials.into_iter().chain(limits.nodes).min();
    Command::Go(GoCommand::from(Limits { trials: None, nodes, ..limits }))
}

/// The game as a section of such a file: chess without all that is not tic-tac-toe.
fn description(rules: Rules) -> String {
    let Shape { rows, columns } = rules.shape();
    let mut text = format!(
        "[{NAME}]\nmaxRank = {rows}\nmaxFile = {columns}\nstartFen = {}\nimmobile = p\npieceDrops = true\n\
         doubleStep = false\ncastling = false\npromotionPieceTypes = -\nnMoveRule = 0\nnFoldRule = 0\n\
         stalemateValue = draw\nimmobilityIllegal = false\n",
        Position::start(rules).diagram().fen()
    );
    if let Some(length) = rules.line_length() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "connectN = {length}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uci(size: u8) -> UciEngine {
        UciEngine::new(Rules::new(size, 0, false).expect("rules within range"))
    }

    fn said(mut uci: UciEngine, lines: &[&str]) -> String {
        let mut text = String::new();
        lines.iter().for_each(|line| uci.write_command(&line.parse().expect("a command"), &mut text));
        text
    }

    #[test]
    fn a_conversation_of_ours_becomes_one_of_uci() {
        for (ours, theirs) in [
            ("ugi", "uci\n"),
            ("isready", "isready\n"),
            ("newgame", "ucinewgame\n"),
            ("setoption name Hash value 16", "setoption name Hash value 16\n"),
            ("position startpos", "position startpos\n"),
            ("position startpos moves 1,1 0,0 2,1", "position startpos moves P@b2 P@a3 P@b1\n"),
            ("position fen 3/1x1/3", "position fen 3/1P1/3[PPPPpppp] b - - 0 1\n"),
            ("position fen o2/1x1/3 x moves 2,2", "position fen p2/1P1/3[PPPPppp] w - - 0 2 moves P@c1\n"),
            ("go trials 100", "go nodes 100\n"),
            ("go nodes 30 trials 100", "go nodes 30\n"),
            ("go movetime 50", "go movetime 50\n"),
            ("go wtime 8500 btime 10400 winc 500 binc 500", "go wtime 8500 btime 10400 winc 500 binc 500\n"),
            ("stop", "stop\n"),
            ("quit", "quit\n"),
        ] {
            assert_eq!(said(uci(3), &[ours]), theirs, "{ours}");
        }
        assert_eq!(said(uci(15), &["position startpos moves 0,0 14,14"]), "position startpos moves P@a15 P@o1\n");
    }

    #[test]
    fn every_position_of_a_game_reads_back_as_the_same_position() {
        let rules = Rules::new(4, 3, false).expect("rules within range");
        let lines =
            ["startpos", "startpos moves 0,0 3,3", "fen 4/1xo1/4/4", "fen 4/1xo1/4/3x", "fen 4/4/4/4 o moves 1,2"];
        for line in lines {
            let [ours, theirs] =
                [line.to_owned(), said(UciEngine::new(rules), &[&format!("position {line}")])].map(|text| {
                    let text = text.trim();
                    let text = if text.starts_with("position") { text.to_owned() } else { format!("position {text}") };
                    let Ok(Command::Position(command)) = text.parse() else { panic!("{text}") };
                    Position::reach(rules, command.diagram.as_ref(), &command.moves)
                });
            assert!(ours.is_ok() && ours == theirs, "{line}: {ours:?} {theirs:?}");
        }
    }

    #[test]
    fn what_uci_engines_say_is_kept_but_for_complaints() {
        let read = |line: &str| {
            let mut replies = VecDeque::new();
            uci(3).read_line(InputLine::Text(line.to_owned()), &mut replies);
            replies.pop_front()
        };
        for line in ["uciok", "readyok", "bestmove P@b2 ponder P@a1", "info depth 3 score cp 10 pv P@b2", "hello"] {
            assert_eq!(read(line).map(|reply| reply.to_string()), Some(line.to_owned()));
            assert_eq!(read(line), EngineReply::read(InputLine::Text(line.to_owned()), true));
        }
        for line in ["Unknown command: go", "No such option: Colour"] {
            assert_eq!(read(line), Some(EngineReply::Reply(Reply::Error(line.to_owned()))));
        }
    }

    fn rules(size: u8, connect: u16, reverse: bool) -> Rules {
        Rules::new(size, connect, reverse).expect("rules within range")
    }

    #[test]
    fn a_game_has_a_common_name_only_where_the_name_means_just_that() {
        let choices = ["tictactoe", "gomokufreestyle"].map(str::to_owned).to_vec();
        let declared = OptionType::Combo { default: "chess".to_owned(), choices };
        for (rules, name) in [
            (rules(3, 0, false), Some("tictactoe")),
            (rules(3, 3, false), Some("tictactoe")),
            (rules(15, 5, false), Some("gomokufreestyle")),
            (rules(3, 0, true), None),
            (rules(3, 2, false), None),
            (rules(15, 5, true), None),
            (rules(15, 0, false), None),
            (rules(5, 5, false), None),
        ] {
            assert_eq!(listed(rules, Some(&declared)), name, "{rules}");
            assert_eq!(listed(rules, None), None);
            assert_eq!(listed(rules, Some(&OptionType::Text { default: String::new() })), None);
        }
    }

    #[test]
    fn a_description_names_board_and_line() {
        let text = description(rules(4, 3, false));
        let fen = format!("4/4/4/4[{}{}] w - - 0 1", "P".repeat(8), "p".repeat(8));
        for line in ["[noughts]", "maxRank = 4", "maxFile = 4", "connectN = 3", &format!("startFen = {fen}")] {
            assert!(text.lines().any(|written| written == line), "{line}: {text}");
        }
    }

    #[test]
    fn where_no_line_fits_no_line_is_asked_for() {
        assert!(!description(rules(3, 5, false)).contains("connectN"));
    }
}
