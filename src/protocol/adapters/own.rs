//! Our own protocol on the side of clients: a line is a command, and a reply is a line. See `protocol.md`.

use crate::protocol::{Command, InputLine, Reply};
use crate::text::Excerpt;

use super::{ClientProtocol, LineEffect, ProtocolOutput};

/// Our own protocol. It keeps nothing from line to line.
pub struct OwnProtocol;

impl ClientProtocol for OwnProtocol {
    fn handle_at_once(&mut self, line: &InputLine, output: &mut ProtocolOutput) -> Option<LineEffect> {
        let Some(Ok(command)) = line.command() else { return Some(LineEffect::Other) };
        Some(match command {
            Command::Stop | Command::PonderHit | Command::IsReady | Command::Quit => {
                output.command(command);
                return None;
            }
            Command::Go(go) => LineEffect::Search { is_endless: go.limits.infinite || go.ponder },
            Command::Eval { .. } | Command::Explain(_) | Command::Trace(_) => LineEffect::Search { is_endless: false },
            Command::Position(_) | Command::NewGame | Command::SetOption { .. } => LineEffect::Change,
            Command::Wait => LineEffect::Wait,
            _ => LineEffect::Other,
        })
    }

    fn handle_line(&mut self, line: &InputLine, output: &mut ProtocolOutput) {
        match line.command() {
            Some(Ok(command)) => output.command(command),
            Some(Err(error)) => output.line(Reply::Error(error.to_string())),
            None => {}
        }
    }

    fn handle_reply(&mut self, reply: Reply, output: &mut ProtocolOutput) {
        output.line(reply);
    }

    fn refuse_line(&mut self, line: &InputLine, output: &mut ProtocolOutput) {
        let name = match line.command() {
            Some(Ok(command)) => Excerpt::of(&command.to_string()).to_string(),
            Some(Err(error)) => error.to_string(),
            None => return,
        };
        let problem = format!("too much waits behind an infinite search; refused until a stop: {name}");
        output.line(Reply::Error(problem));
    }
}
