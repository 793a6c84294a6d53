//! A program that plays against people: started when a move is wanted, and anew after it has failed.

use std::sync::Arc;
use std::time::Duration;

use crate::protocol::{Info, PositionCommand};
use noughts_core::game::{MoveText, Rules};
use noughts_core::search::Limits;

use super::{Client, EngineSetup, Interrupt, MoveRequest, OrphanKiller, RunContext, go_line};

/// The time that the player waits for the program beyond the time for a move.
const PATIENCE: Duration = Duration::from_secs(10);

/// The time that a program may take to start.
const START_LIMIT: Duration = Duration::from_secs(10);

/// A program that plays, and whether it runs. Dropping it ends the program.
pub struct ProgramPlayer {
    setup: Arc<EngineSetup>,
    orphan_killer: Arc<OrphanKiller>,
    /// The running program, and the rules that it was started for.
    client: Option<(Client, Rules)>,
}

impl ProgramPlayer {
    /// The player of a program, which is not started yet. `orphan_killer` ends the program if this process is killed.
    pub fn new(setup: Arc<EngineSetup>, orphan_killer: Arc<OrphanKiller>) -> ProgramPlayer {
        ProgramPlayer { setup, orphan_killer, client: None }
    }

    /// The name under which the program plays.
    pub fn name(&self) -> &str {
        &self.setup.name
    }

    /// Begins a new game with a running program.
    pub fn begin_game(&mut self) {
        if let Some((client, _)) = &mut self.client {
            client.begin_game(rand::random_range(1..=i32::MAX as u32));
        }
    }

    /// Asks for a move and, if the program sent any, the last `info` of its search. `on_info` gets each of them as it
    /// comes. The program is started if it does not run, or runs for other rules. `interrupt` ends the wait and is that of
    /// the program until it is started anew.
    ///
    /// # Errors
    /// When the program gives no move in time: a sentence that follows the program's name, without its full stop. It is ended
    /// then.
    pub fn request_move(
        &mut self,
        rules: Rules,
        position: &PositionCommand,
        move_time: u64,
        interrupt: Arc<Interrupt>,
        on_info: impl FnMut(&Info),
    ) -> Result<(MoveText, Info), String> {
        let mut client = match self.client.take().filter(|(_, known)| *known == rules) {
            Some((client, _)) => client,
            None => {
                let orphan_killer = Arc::clone(&self.orphan_killer);
                let context = RunContext { interrupt, orphan_killer, log: None, start_limit: START_LIMIT };
                Client::start(&self.setup, rules, &context).map_err(|error| error.to_string())?
            }
        };
        let limits = Limits { move_time: Some(move_time), ..Limits::default() };
        let (position, go, limit) =
            (position.to_string(), go_line(limits), Duration::from_millis(move_time) + PATIENCE);
        let request = MoveRequest { position: &position, go: &go, limit, wants_info: true };
        let answer = client.request_move_with(request, on_info).map_err(|failure| failure.to_string())?;
        let best = answer.best_move.ok_or_else(|| format!("gave no move: {}", answer.excerpt()))?;
        self.client = Some((client, rules));
        Ok((best, answer.info.unwrap_or_default()))
    }

    /// Ends a running program at once.
    pub fn end(&mut self) {
        self.client = None;
    }

    /// Sends a running program `quit`, and ends it if it does not obey.
    pub fn quit(self) {
        Client::quit(self.client.map(|(client, _)| client));
    }
}
