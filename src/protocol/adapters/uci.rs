//! UCI as programs for chess variants speak it: drop moves, boards as FEN, and no playouts.
//!
//! Our own protocol contains UCI, so only engines that speak it need an adapter.

use std::collections::VecDeque;

use super::ForeignEngine;
use crate::protocol::{Command, EngineReply, GoCommand, Handshake, InputLine, PositionCommand, Reply};
use noughts_core::game::{MoveText, Notation, Position, Rules};
use noughts_core::search::Limits;

/// The beginnings of an error of such engines. No document says so, but it is common.
const COMPLAINTS: [&str; 2] = ["Unknown command", "No such option"];

/// The adapter for an engine that speaks UCI.
pub struct UciEngine {
    rules: Rules,
}

impl UciEngine {
    pub fn new(rules: Rules) -> UciEngine {
        UciEngine { rules }
    }

    /// The `position` line with a FEN and drop moves.
    fn position(&self, command: &PositionCommand) -> Option<String> {
        let size = self.rules.size();
        let drop = |written: &MoveText| Some(Notation::Drop.write(written.on_board(size).ok()?, size));
        let moves: Option<Vec<MoveText>> = command.moves.iter().map(drop).collect();
        let moves = PositionCommand { diagram: None, moves: moves? }.to_string();
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
}

/// The limits in UCI, which knows no playouts. A limit of playouts becomes a limit of nodes.
fn plain(go: &GoCommand) -> Command {
    let limits = go.limits;
    let nodes = limits.trials.into_iter().chain(limits.nodes).min();
    Command::Go(GoCommand::from(Limits { trials: None, nodes, ..limits }))
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
}
