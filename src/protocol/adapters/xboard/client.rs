//! Clients such as XBoard: one plays with this engine.

use crate::protocol::{Command, GoCommand, InputLine, PositionCommand, Query, QueryAnswer, Reply};
use crate::text::Excerpt;
use noughts_core::game::{DiagramRow, MoveText, Player};
use noughts_core::search::Limits;

use super::super::pending_queries::PendingQueries;
use super::super::{ClientProtocol, LineEffect, ProtocolOutput};
use super::commands::{first_word, takes_nothing};
use super::messages;
use super::state::{Mode, Origin, Purpose, XBoardClient, XBoardGame, XBoardState};

/// The time of an analysis, in milliseconds: as good as unlimited. A search that finds a proof ends earlier, and reports it.
const ANALYSIS_MS: u64 = 1 << 40;

/// The effect of a line depends on the lines before it.
const WAITS: Option<LineEffect> = Some(LineEffect::Unknown);

impl ClientProtocol for XBoardClient {
    fn handle_at_once(&mut self, line: &InputLine, output: &mut ProtocolOutput) -> Option<LineEffect> {
        let InputLine::Text(text) = line else { return WAITS };
        let (word, rest) = first_word(text);
        if takes_nothing(word) && !rest.is_empty() {
            return WAITS;
        }
        if word == "quit" {
            output.command(Command::Quit);
            return None;
        }
        let XBoardState::Search(purpose, info) = &self.state else { return WAITS };
        match (word, *purpose) {
            ("?", Purpose::Move | Purpose::Hint) => output.command(Command::Stop),
            (".", Purpose::Analysis) => output.line(messages::state(info)),
            ("?" | ".", _) => {}
            // Every other line ends the analysis, which is due again afterwards.
            (_, Purpose::Analysis) => {
                self.analysis_is_due = true;
                self.drop_search(output);
                return WAITS;
            }
            // All other lines wait for the move: a script through a pipe gets the same answers as a person.
            ("new" | "force" | "exit" | "result", Purpose::Move | Purpose::Hint) => {
                self.drop_search(output);
                return WAITS;
            }
            _ => return WAITS,
        }
        None
    }

    fn handle_line(&mut self, line: &InputLine, output: &mut ProtocolOutput) {
        let text = match line {
            InputLine::Text(text) => text.as_str(),
            InputLine::NotText(excerpt) | InputLine::TooLong(excerpt) => {
                return output.line(format_args!("Error (no line of text that can be read): {excerpt}"));
            }
        };
        let (word, rest) = first_word(text);
        if let Err(problem) = self.run_command(word, rest, output) {
            output.line(format_args!("Error ({problem}): {}", Excerpt::of(text)));
        }
        self.begin_due_analysis(output);
    }

    fn handle_reply(&mut self, reply: Reply, output: &mut ProtocolOutput) {
        if let XBoardState::Search(..) = self.state {
            return self.handle_search_reply(reply, output);
        }
        match std::mem::take(&mut self.state) {
            XBoardState::Idle | XBoardState::Search(..) => return,
            XBoardState::Introduction => match reply {
                Reply::HandshakeOk(_) => output.line("feature done=1"),
                reply => {
                    if let Reply::Option { name, kind } = reply
                        && let Some(feature) = messages::option_feature(&name, &kind)
                    {
                        output.line(feature);
                    }
                    self.state = XBoardState::Introduction;
                }
            },
            XBoardState::Option(mut queries, line) => match queries.handle_reply(reply) {
                None => self.state = XBoardState::Option(queries, line),
                Some(PendingQueries { error: Some(error), .. }) => {
                    output.line(format_args!("Error ({error}): {}", Excerpt::of(&line)));
                }
                Some(found) => self.finish_option(&found.answers, output),
            },
            XBoardState::Position(mut queries, game, origin) => match queries.handle_reply(reply) {
                None => self.state = XBoardState::Position(queries, game, origin),
                Some(found) => self.finish_position(found, *game, origin, output),
            },
        }
        self.begin_due_analysis(output);
    }

    fn refuse_line(&mut self, line: &InputLine, output: &mut ProtocolOutput) {
        output.line(format_args!("Error (too much waits behind a search): {}", line.excerpt()));
    }

    fn is_busy(&self) -> bool {
        !matches!(self.state, XBoardState::Idle)
    }

    fn end_of_input(&mut self, output: &mut ProtocolOutput) {
        if let XBoardState::Search(Purpose::Analysis, _) = self.state {
            self.mode = Mode::Force;
            self.drop_search(output);
        }
    }
}

impl XBoardClient {
    /// Sets another position, and asks the session who is to move in it and whether the game is over.
    pub(super) fn set_position(&mut self, game: XBoardGame, origin: Origin, output: &mut ProtocolOutput) {
        let position = PositionCommand { diagram: game.start.clone(), game: None, moves: game.moves.clone() };
        let queries = PendingQueries::emit(Command::Position(position), &[Query::Result, Query::P1Turn], output);
        self.state = XBoardState::Position(queries, Box::new(game), origin);
    }

    /// Claims the result, if the game is over.
    fn claim_result(&self, output: &mut ProtocolOutput) {
        self.game.outcome.iter().for_each(|&outcome| output.line(messages::claim(outcome, self.variant)));
    }

    /// Begins the search for a move, or claims the result.
    pub(super) fn move_or_claim(&mut self, output: &mut ProtocolOutput) {
        match self.game.outcome {
            Some(_) => self.claim_result(output),
            None => {
                // The moves before a position that was set up are not known.
                let made = self.game.moves.len() as u64 / 2;
                let limits = self.time.limits(self.game.side.unwrap_or(Player::X), made);
                self.search(Purpose::Move, limits, output);
            }
        }
    }

    /// Begins a search.
    pub(super) fn search(&mut self, purpose: Purpose, limits: Limits, output: &mut ProtocolOutput) {
        output.command(Command::Go(GoCommand::from(limits)));
        self.state = XBoardState::Search(purpose, Box::default());
    }

    /// Stops the current search, and has its replies dropped.
    fn drop_search(&mut self, output: &mut ProtocolOutput) {
        if let XBoardState::Search(purpose, _) = &mut self.state {
            *purpose = Purpose::Dropped;
        }
        output.command(Command::Stop);
    }

    /// Begins an analysis, if one is due.
    fn begin_due_analysis(&mut self, output: &mut ProtocolOutput) {
        let is_idle = matches!(self.state, XBoardState::Idle) && self.game.outcome.is_none();
        if self.mode == Mode::Analysis && is_idle && std::mem::take(&mut self.analysis_is_due) {
            let limits = Limits { move_time: Some(ANALYSIS_MS), ..Limits::default() };
            self.search(Purpose::Analysis, limits, output);
        }
    }

    /// True if the board is empty and X is to move.
    fn is_at_its_beginning(&self) -> bool {
        let is_empty = |row: &DiagramRow| row.stones.is_empty();
        let start = self.game.start.as_ref();
        self.game.moves.is_empty()
            && start.is_none_or(|start| start.side != Some(Player::O) && start.rows.iter().all(is_empty))
    }

    /// Goes on after an option was set. The session's position is the same as before, or the empty board of another game.
    fn finish_option(&mut self, answers: &[QueryAnswer], output: &mut ProtocolOutput) {
        // An analysis with the old options need not hold with the new ones.
        self.analysis_is_due = self.mode == Mode::Analysis;
        if !self.is_at_its_beginning() && answers == [QueryAnswer::Position(self.variant.empty())] {
            self.game = XBoardGame::default();
            if let Mode::Plays(_) = self.mode {
                self.mode = Mode::Plays(Player::O);
            }
            output.line("telluser The option connect begins a new game, on the empty board.");
        }
    }

    /// Goes on from the new position, or keeps the old one if the session has refused the new.
    fn finish_position(
        &mut self,
        found: PendingQueries,
        mut game: XBoardGame,
        origin: Origin,
        output: &mut ProtocolOutput,
    ) {
        if let Some(error) = found.error {
            return match origin {
                Origin::Move(text) if self.game.outcome.is_some() => {
                    output.line(format_args!("Illegal move (the game is over): {text}"));
                }
                Origin::Move(text) => output.line(format_args!("Illegal move: {text}")),
                Origin::SetBoard => output.line(format_args!("tellusererror Illegal position: {error}")),
                Origin::Command | Origin::OwnMove => output.line(format_args!("Error ({error}): position")),
            };
        }
        if let [result, QueryAnswer::Flag(is_x)] = &found.answers[..] {
            game.side = Some(if *is_x { Player::X } else { Player::O });
            game.outcome = match result {
                QueryAnswer::Result(outcome) => Some(*outcome),
                _ => None,
            };
        }
        self.game = game;
        self.analysis_is_due = self.mode == Mode::Analysis;
        match (origin, self.mode) {
            (Origin::OwnMove, _) => self.claim_result(output),
            (Origin::Move(_), Mode::Plays(side)) if self.game.side == Some(side) => self.move_or_claim(output),
            (Origin::Move(_), _) => self.claim_result(output),
            (Origin::Command | Origin::SetBoard, _) => {}
        }
    }

    /// Takes a reply of the session during a search.
    fn handle_search_reply(&mut self, reply: Reply, output: &mut ProtocolOutput) {
        let XBoardState::Search(purpose, info) = &mut self.state else { return };
        match reply {
            Reply::BestMove(best) => {
                let purpose = *purpose;
                self.state = XBoardState::Idle;
                self.finish_search(purpose, best, output);
            }
            Reply::Info(said) => {
                if *purpose == Purpose::Analysis || (self.shows_thinking && *purpose == Purpose::Move) {
                    output.line(messages::thinking(&said, self.variant));
                }
                **info = said;
            }
            Reply::Note(text) | Reply::Error(text) => output.line(format_args!("# {text}")),
            _ => {}
        }
    }

    fn finish_search(&mut self, purpose: Purpose, best: Option<MoveText>, output: &mut ProtocolOutput) {
        let Some(best) = best else { return };
        match purpose {
            Purpose::Dropped | Purpose::Analysis => {}
            Purpose::Hint => output.line(format_args!("Hint: {}", self.variant.rewrite(best))),
            Purpose::Move => {
                output.line(format_args!("move {}", self.variant.rewrite(best)));
                let mut game = self.game.clone();
                game.moves.push(best);
                self.set_position(game, Origin::OwnMove, output);
            }
        }
    }
}
