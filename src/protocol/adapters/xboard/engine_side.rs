//! Engine side: XBoard plays with this engine.

use crate::protocol::{Command, GoCommand, Info, Line, PositionCommand, Query, Reply};
use crate::text::Excerpt;
use noughts_core::game::{DiagramRow, MoveText, Player};
use noughts_core::search::Limits;

use super::super::pending_queries::PendingQueries;
use super::super::{AdapterOutput, EngineAdapter};
use super::commands::{first_word, takes_nothing};
use super::messages;
use super::state::{Mode, Origin, Purpose, XBoardEngineAdapter, XBoardGame, XBoardState};

/// The time of an analysis, in milliseconds: as good as unlimited. A search that finds a proof ends earlier, and says so.
const ANALYSIS_MS: u64 = 1 << 40;

impl EngineAdapter for XBoardEngineAdapter {
    fn handle_at_once(&mut self, line: &Line, output: &mut AdapterOutput) -> bool {
        let Line::Text(text) = line else { return false };
        let (word, rest) = first_word(text);
        if takes_nothing(word) && !rest.is_empty() {
            return false;
        }
        if word == "quit" {
            output.command(Command::Quit);
            return true;
        }
        let XBoardState::Search(purpose, info) = &self.state else { return false };
        match (word, *purpose) {
            ("?", Purpose::Move | Purpose::Hint) => output.command(Command::Stop),
            (".", Purpose::Analysis) => output.line(messages::state(info)),
            ("?" | ".", _) => {}
            // An analysis makes room for anything, and is taken up again.
            (_, Purpose::Analysis) => {
                self.analysis_is_due = true;
                self.drop_search();
                output.command(Command::Stop);
                return false;
            }
            // Everything else waits for the move, so that a script which is piped in is answered like one that is typed.
            ("new" | "force" | "exit" | "result", Purpose::Move | Purpose::Hint) => {
                self.drop_search();
                output.command(Command::Stop);
                return false;
            }
            _ => return false,
        }
        true
    }

    fn handle_line(&mut self, line: &Line, output: &mut AdapterOutput) {
        let text = match line {
            Line::Text(text) => text.as_str(),
            Line::NotText(excerpt) | Line::TooLong(excerpt) => {
                return output.line(format_args!("Error (no line of text that can be read): {excerpt}"));
            }
        };
        let (word, rest) = first_word(text);
        if let Err(problem) = self.run_command(word, rest, output) {
            output.line(format_args!("Error ({problem}): {}", Excerpt::of(text)));
        }
        self.begin_due_analysis(output);
    }

    fn handle_reply(&mut self, reply: Reply, output: &mut AdapterOutput) {
        match std::mem::replace(&mut self.state, XBoardState::Idle) {
            XBoardState::Idle => {}
            XBoardState::Introduction => match reply {
                Reply::HandshakeOk(_) => {
                    output.line("feature done=1");
                    self.begin_due_analysis(output);
                }
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
                Some(found) => {
                    match found.error {
                        Some(error) => output.line(format_args!("Error ({error}): {}", Excerpt::of(&line))),
                        None => self.finish_option(&found.answers.concat(), output),
                    }
                    self.begin_due_analysis(output);
                }
            },
            XBoardState::Position(mut queries, game, origin) => match queries.handle_reply(reply) {
                None => self.state = XBoardState::Position(queries, game, origin),
                Some(found) => {
                    self.finish_position(found, *game, origin, output);
                    self.begin_due_analysis(output);
                }
            },
            XBoardState::Search(purpose, info) => self.handle_search_reply(purpose, info, reply, output),
        }
    }

    fn refuse_line(&mut self, line: &Line, output: &mut AdapterOutput) {
        output.line(format_args!("Error (too much waits behind a search): {}", line.excerpt()));
    }

    fn is_busy(&self) -> bool {
        !matches!(self.state, XBoardState::Idle)
    }

    fn end_of_input(&mut self, output: &mut AdapterOutput) {
        if let XBoardState::Search(Purpose::Analysis, _) = self.state {
            self.mode = Mode::Force;
            self.drop_search();
            output.command(Command::Stop);
        }
    }
}

impl XBoardEngineAdapter {
    /// Puts up another position, and asks what there is to say of it.
    pub(super) fn set_position(&mut self, game: XBoardGame, origin: Origin, output: &mut AdapterOutput) {
        let position = PositionCommand { diagram: game.start.clone(), moves: game.moves.clone() };
        let questions = [Query::Result, Query::P1Turn];
        let queries = PendingQueries::emit([Command::Position(position)], &questions, output);
        self.state = XBoardState::Position(queries, Box::new(game), origin);
    }

    /// Looks for a move, or says how the game has ended.
    pub(super) fn move_or_claim(&mut self, output: &mut AdapterOutput) {
        match &self.game.claim {
            Some(claim) => output.line(claim),
            None => {
                // Those of a position that was set up are not known.
                let made = self.game.moves.len() as u64 / 2;
                let limits = self.time.limits(self.game.side.unwrap_or(Player::X), made);
                self.search(Purpose::Move, limits, output);
            }
        }
    }

    pub(super) fn search(&mut self, purpose: Purpose, limits: Limits, output: &mut AdapterOutput) {
        output.command(Command::Go(GoCommand::from(limits)));
        self.state = XBoardState::Search(purpose, Box::default());
    }

    fn drop_search(&mut self) {
        if let XBoardState::Search(purpose, _) = &mut self.state {
            *purpose = Purpose::Dropped;
        }
    }

    /// Begins an analysis that is due.
    fn begin_due_analysis(&mut self, output: &mut AdapterOutput) {
        let is_idle = matches!(self.state, XBoardState::Idle) && self.game.claim.is_none();
        if self.mode == Mode::Analysis && is_idle && std::mem::take(&mut self.analysis_is_due) {
            let limits = Limits { move_time: Some(ANALYSIS_MS), ..Limits::default() };
            self.search(Purpose::Analysis, limits, output);
        }
    }

    /// Whether the board is empty and X is to move.
    fn is_at_its_beginning(&self) -> bool {
        let is_empty = |row: &DiagramRow| row.stones.is_empty();
        let start = self.game.start.as_ref();
        self.game.moves.is_empty()
            && start.is_none_or(|start| start.side != Some(Player::O) && start.rows.iter().all(is_empty))
    }

    /// Goes on from `position`, which the session has after an option was set. It is the same as before, or the empty
    /// board of another game.
    fn finish_option(&mut self, position: &str, output: &mut AdapterOutput) {
        // What has been found with the old options need not hold with the new ones.
        self.analysis_is_due = self.mode == Mode::Analysis;
        if !self.is_at_its_beginning() && position == self.variant.empty().to_string() {
            self.game = XBoardGame::default();
            if let Mode::Plays(_) = self.mode {
                self.mode = Mode::Plays(Player::O);
            }
            output.line("telluser The option connect begins a new game, on the empty board.");
        }
    }

    /// Goes on from the position that was put up, or stays where it was if there is no such position.
    fn finish_position(
        &mut self,
        found: PendingQueries,
        mut game: XBoardGame,
        origin: Origin,
        output: &mut AdapterOutput,
    ) {
        if let Some(error) = found.error {
            return match origin {
                Origin::Move(text) if self.game.claim.is_some() => {
                    output.line(format_args!("Illegal move (the game is over): {text}"));
                }
                Origin::Move(text) => output.line(format_args!("Illegal move: {text}")),
                Origin::SetBoard => output.line(format_args!("tellusererror Illegal position: {error}")),
                Origin::Command | Origin::OwnMove => output.line(format_args!("Error ({error}): position")),
            };
        }
        if let [result, is_x] = &found.answers[..] {
            game.side = Some(if is_x == "true" { Player::X } else { Player::O });
            game.claim = messages::claim(result, self.variant);
        }
        self.game = game;
        self.analysis_is_due = self.mode == Mode::Analysis;
        match (origin, self.mode) {
            (Origin::OwnMove, _) => self.game.claim.iter().for_each(|claim| output.line(claim)),
            (Origin::Move(_), Mode::Plays(side)) if self.game.side == Some(side) => self.move_or_claim(output),
            (Origin::Move(_), _) => self.game.claim.iter().for_each(|claim| output.line(claim)),
            (Origin::Command | Origin::SetBoard, _) => {}
        }
    }

    /// Takes what is said during a search, and its answer.
    fn handle_search_reply(&mut self, purpose: Purpose, mut info: Box<Info>, reply: Reply, output: &mut AdapterOutput) {
        match reply {
            Reply::BestMove(best) => return self.finish_search(purpose, best, output),
            Reply::Info(said) => {
                *info = said;
                if purpose == Purpose::Analysis || (self.shows_thinking && purpose == Purpose::Move) {
                    output.line(messages::thinking(&info, self.variant));
                }
            }
            Reply::Note(text) | Reply::Error(text) => output.line(format_args!("# {text}")),
            _ => {}
        }
        self.state = XBoardState::Search(purpose, info);
    }

    fn finish_search(&mut self, purpose: Purpose, best: Option<MoveText>, output: &mut AdapterOutput) {
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
