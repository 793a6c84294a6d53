//! The game as lines of text: for pipes, scripts, screen readers and simple terminals.

use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::Receiver;

use crate::protocol::MAX_LINE;
use crate::text::{Excerpt, board, explanation};
use noughts_core::game::{Player, Rules, Shape};

use super::hints::hint;
use super::live_game::{LiveGame, Turn};
use super::player_answer::PlayerAnswer;
use super::settings::{MoveBudget, Participant, PlayError, PlaySettings, SEARCH_FAILED, check};

const HELP: &str = "\
0,2 or c3            play there: row,column from the top left, or letter and number from the edges
undo, redo           take your last move back, or play it again
hint                 what every empty square is worth
why                  why your last move was right or wrong
new                  a new game
go                   let the player move whose turn it is
x NAME, o NAME       who plays: person, or one of the engine's players, such as o perfect
level N              how strong the engine's players are, 1 to 10
movetime MS          how many milliseconds a computer player thinks about a move
trials N             so many playouts of a move, and no clock
size N, size 4x9     another board: a square, or rows and columns
connect N            how many in a row; 0 for as many as the shorter side has cells
reverse on|off       whether a completed line loses
board                show the board again
quit                 end";

/// Plays games until the input ends or a line asks to quit. `answers` brings what the handler of the game was given. With
/// `echo`, each line is repeated behind the prompt: input that is not typed at a terminal is not seen otherwise.
///
/// # Errors
/// When the input cannot be read or the output not be written.
pub fn play(
    game: LiveGame,
    answers: &Receiver<PlayerAnswer>,
    input: impl BufRead,
    output: impl Write,
    echo: bool,
) -> io::Result<()> {
    PlainBoard { game, input, output, echo }.play(answers)
}

struct PlainBoard<I, O> {
    game: LiveGame,
    input: I,
    output: O,
    echo: bool,
}

impl<I: BufRead, O: Write> PlainBoard<I, O> {
    fn play(&mut self, answers: &Receiver<PlayerAnswer>) -> io::Result<()> {
        self.greet()?;
        writeln!(self.output, "Type a move such as 0,2 or c3; help lists what else there is.")?;
        self.show()?;
        loop {
            if let Turn::Thinking(_) = self.game.turn() {
                let Ok(answer) = answers.recv() else { return Ok(()) };
                self.receive(answer)?;
                continue;
            }
            self.prompt()?;
            let Some(line) = self.read_line()? else {
                writeln!(self.output)?;
                return self.part();
            };
            if self.echo {
                writeln!(self.output, "{line}")?;
            }
            let words = line.to_lowercase();
            match words.split_whitespace().collect::<Vec<_>>()[..] {
                ["quit" | "exit" | "q"] => return self.part(),
                ["hint"] => self.show_hints(answers)?,
                ref words => self.carry_out(&line, words)?,
            }
        }
    }

    /// The next line, or its beginning if it is too long; `None` at the end of the input.
    fn read_line(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        self.input.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut line)?;
        if line.len() == MAX_LINE && !line.ends_with(b"\n") {
            self.input.skip_until(b'\n')?;
        }
        Ok((!line.is_empty()).then(|| String::from_utf8_lossy(&line).trim().to_owned()))
    }

    fn greet(&mut self) -> io::Result<()> {
        let [x, o] = Player::BOTH.map(|player| match self.game.participant(player) {
            Participant::Person => "you".to_owned(),
            participant => participant.name().to_owned(),
        });
        writeln!(self.output, "{}. X: {x}, O: {o}.", board::rules(self.game.settings().rules))?;
        match self.game.seconds_in_words() {
            Some(seconds) => writeln!(self.output, "The computer thinks for at most {seconds} about a move."),
            None => Ok(()),
        }
    }

    fn part(&mut self) -> io::Result<()> {
        let is_unfinished = self.game.position().outcome().is_none() && !self.game.moves().is_empty();
        let parting = if is_unfinished { "The game is left unfinished. Goodbye." } else { "Goodbye." };
        writeln!(self.output, "{parting}")?;
        self.output.flush()
    }

    fn prompt(&mut self) -> io::Result<()> {
        match self.game.turn() {
            Turn::Over => write!(self.output, "game over> ")?,
            _ => write!(self.output, "{}> ", self.game.position().side())?,
        }
        self.output.flush()
    }

    fn show(&mut self) -> io::Result<()> {
        let position = self.game.position();
        writeln!(self.output, "\n{}", board::board(position, |_| ".".to_owned()))?;
        match self.game.result_in_words() {
            None => Ok(()),
            Some(result) => writeln!(self.output, "{}.", capitalised(&result)),
        }
    }

    /// Takes an answer of a computer player, and prints its move.
    fn receive(&mut self, answer: PlayerAnswer) -> io::Result<()> {
        let (side, before) = (self.game.position().side(), self.game.moves().len());
        if !self.game.receive(answer) {
            return Ok(());
        }
        match (self.game.moves().get(before), self.game.problem()) {
            (Some(cell), _) => {
                writeln!(self.output, "{side} plays {cell}")?;
                self.show()
            }
            (None, Some(problem)) => writeln!(self.output, "{problem}; go asks again."),
            (None, None) => Ok(()),
        }
    }

    /// Does what a line asks for; `words` are its words in small letters.
    fn carry_out(&mut self, line: &str, words: &[&str]) -> io::Result<()> {
        let mut done = Ok(());
        match *words {
            [] => return Ok(()),
            ["help" | "?"] => return writeln!(self.output, "{HELP}"),
            ["why"] => return self.explain(),
            ["level", number] => return self.set("level", number, |settings, level| settings.level = level as u8),
            ["movetime", number] => {
                return self.set(MoveBudget::TIME, number, |settings, time| settings.budget = MoveBudget::Time(time));
            }
            ["trials", number] => {
                return self.set("trials", number, |settings, most| settings.budget = MoveBudget::Playouts(most));
            }
            ["board"] => {}
            ["undo"] => done = self.game.undo(),
            ["redo"] => done = self.game.redo(),
            ["new"] => self.game.restart(),
            ["go"] if self.game.turn() == Turn::Over => done = Err(PlayError::Over),
            ["go"] => self.game.go_on(),
            ["x", name] => done = self.set_participant(Player::X, name),
            ["o", name] => done = self.set_participant(Player::O, name),
            [option @ ("size" | "connect" | "reverse"), value] => done = self.set_rules(option, value),
            _ => done = self.game.play(line),
        }
        match done {
            Ok(()) => {
                if let ["x" | "o" | "size" | "connect" | "reverse" | "new", ..] = words {
                    self.greet()?;
                }
                // While a computer player thinks, the board is shown again after its move.
                if matches!(self.game.turn(), Turn::Thinking(_)) { Ok(()) } else { self.show() }
            }
            Err(error) => self.refuse(line, &error),
        }
    }

    /// Says why something is not done.
    fn refuse(&mut self, line: &str, error: &PlayError) -> io::Result<()> {
        let text = match error {
            // The sentence begins with a move, and moves are written small.
            PlayError::Move(error) => return writeln!(self.output, "{error}."),
            PlayError::NoMove => {
                let line = Excerpt::of(line);
                format!("{line} is no move and no command; {error}; help lists the commands")
            }
            PlayError::Over => format!("{error}; new starts another, undo takes a move back"),
            PlayError::NotYourTurn(..) => format!("{error}; go lets it move"),
            _ => error.to_string(),
        };
        writeln!(self.output, "{}.", capitalised(&text))
    }

    fn set_participant(&mut self, player: Player, name: &str) -> Result<(), PlayError> {
        self.game.set_participant(player, Participant::named(name)?)
    }

    fn set_rules(&mut self, option: &str, value: &str) -> Result<(), PlayError> {
        let rules = self.game.settings().rules;
        let (shape, connect, reverse) = (rules.shape(), rules.connect(), rules.reverse());
        let rules = match (option, value) {
            ("size", _) => Rules::new(
                value.parse::<Shape>().map_err(|_| {
                    PlayError::refused("size is a whole number from 1 to 20, or rows and columns such as 4x9")
                })?,
                connect,
                reverse,
            ),
            ("connect", _) => Rules::new(shape, check("connect", value.parse().ok())? as u16, reverse),
            (_, "on" | "true") => Rules::new(shape, connect, true),
            (_, "off" | "false") => Rules::new(shape, connect, false),
            _ => return Err(PlayError::refused("reverse is on or off")),
        };
        self.game.set_rules(rules?);
        Ok(())
    }

    fn set(&mut self, option: &'static str, value: &str, set: fn(&mut PlaySettings, u32)) -> io::Result<()> {
        let mut settings = self.game.settings().clone();
        let done = check(option, value.parse().ok()).and_then(|number| {
            set(&mut settings, number);
            self.game.apply(settings)
        });
        match done {
            Ok(()) => writeln!(self.output, "From the next move on."),
            Err(error) => self.refuse(value, &error),
        }
    }

    /// Shows what every empty square is worth. Waits for the search.
    fn show_hints(&mut self, answers: &Receiver<PlayerAnswer>) -> io::Result<()> {
        if self.game.turn() == Turn::Over {
            return self.refuse("", &PlayError::Over);
        }
        self.game.show_hints(true);
        while self.game.awaits_hints()
            && let Ok(answer) = answers.recv()
        {
            self.game.receive(answer);
        }
        let position = *self.game.position();
        let text = self.game.hints().map(|hints| {
            let worth = |cell| hints.of(cell).map_or_else(|| ".".to_owned(), hint);
            format!("\n{}\n{} to move. {}.\n", board::board(&position, worth), position.side(), hints.legend())
        });
        self.game.show_hints(false);
        match text {
            Some(text) => writeln!(self.output, "{text}"),
            None => self.refuse("", &PlayError::refused(SEARCH_FAILED)),
        }
    }

    fn explain(&mut self) -> io::Result<()> {
        match self.game.explanation() {
            Ok(found) => writeln!(self.output, "\n{}", explanation::explain(&found)),
            Err(error) => self.refuse("", &error),
        }
    }
}

/// The sentence with its first letter as a capital.
pub fn capitalised(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
