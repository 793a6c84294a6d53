//! The game as lines of text: for pipes, scripts, screen readers, and terminals that can do nothing else.

use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::Receiver;

use crate::protocol::MAX_LINE;
use crate::text::Excerpt;
use noughts_core::game::{Player, Rules};

use super::answer::Answer;
use super::participant::Participant;
use super::refusal::Refusal;
use super::table::{Table, Turn};

const HELP: &str = "\
0,2 or c3            play there: row,column from the top left, or letter and number from the edges
undo, redo           take your last move back, or play it again
hint                 what every empty square is worth
why                  why your last move was right or wrong
new                  a new game
go                   let the player move whose turn it is
x NAME, o NAME       who plays: person, or one of the engine's players, such as o perfect
level N, trials N    how strong the engine's players are, 1 to 10; playouts of a move
size N, connect N    another board; how many in a row, 0 for as many as the board has rows
reverse on|off       whether a completed line loses
board                show the board again
quit                 end";

/// How a game is talked about.
pub struct Manner {
    /// Repeat what is read behind the prompt: nobody else does, unless it is typed.
    pub echo: bool,
}

/// Plays games until the input ends or somebody wants to quit. Answers of players are expected from `answers`.
///
/// # Errors
/// When the input cannot be read or the output not be written.
pub fn play(
    table: Table,
    answers: &Receiver<Answer>,
    input: impl BufRead,
    output: impl Write,
    manner: &Manner,
) -> io::Result<()> {
    Talk { table, input, output, echo: manner.echo }.play(answers)
}

struct Talk<I, O> {
    table: Table,
    input: I,
    output: O,
    echo: bool,
}

/// Whether another line is wanted.
enum Then {
    Next,
    Quit,
}

impl<I: BufRead, O: Write> Talk<I, O> {
    fn play(&mut self, answers: &Receiver<Answer>) -> io::Result<()> {
        self.greet()?;
        writeln!(self.output, "Type a move such as 0,2 or c3; help lists what else there is.")?;
        self.show()?;
        loop {
            if let Turn::Thinking(_) = self.table.turn() {
                let Ok(answer) = answers.recv() else { return Ok(()) };
                self.hear(answer)?;
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
            if let Then::Quit = self.obey(&line)? {
                return self.part();
            }
        }
    }

    /// The next line, or as much of it as is kept of any; `None` at the end of the input.
    fn read_line(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        self.input.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut line)?;
        if line.len() == MAX_LINE && !line.ends_with(b"\n") {
            self.input.skip_until(b'\n')?;
        }
        Ok((!line.is_empty()).then(|| String::from_utf8_lossy(&line).trim().to_owned()))
    }

    fn greet(&mut self) -> io::Result<()> {
        let [x, o] = Player::BOTH.map(|player| match self.table.side(player) {
            Participant::Person => "you".to_owned(),
            side => side.name().to_owned(),
        });
        writeln!(self.output, "{}. X: {x}, O: {o}.", self.table.board().rules)
    }

    fn part(&mut self) -> io::Result<()> {
        let unfinished = !self.table.board().is_over() && !self.table.moves().is_empty();
        writeln!(self.output, "{}", if unfinished { "The game is left unfinished. Goodbye." } else { "Goodbye." })?;
        self.output.flush()
    }

    fn prompt(&mut self) -> io::Result<()> {
        match self.table.turn() {
            Turn::Over => write!(self.output, "game over> ")?,
            _ => write!(self.output, "{}> ", self.table.board().side)?,
        }
        self.output.flush()
    }

    fn show(&mut self) -> io::Result<()> {
        let board = self.table.board();
        let lines: Vec<String> = board.drawing.clone();
        let result = board.result.clone();
        writeln!(self.output)?;
        lines.iter().try_for_each(|line| writeln!(self.output, "{line}"))?;
        writeln!(self.output)?;
        result.map_or(Ok(()), |result| writeln!(self.output, "{}.", capitalised(&result)))
    }

    /// Takes an answer of a player, and tells of its move.
    fn hear(&mut self, answer: Answer) -> io::Result<()> {
        let (side, before) = (self.table.board().side, self.table.moves().len());
        if !self.table.take(answer) {
            return Ok(());
        }
        match (self.table.moves().get(before), self.table.problem()) {
            (Some(cell), _) => {
                writeln!(self.output, "{side} plays {cell}")?;
                self.show()
            }
            (None, Some(problem)) => {
                let problem = problem.to_owned();
                writeln!(self.output, "{problem}; go asks again.")
            }
            (None, None) => Ok(()),
        }
    }

    fn obey(&mut self, line: &str) -> io::Result<Then> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
        let done = match lower[..] {
            [] => return Ok(Then::Next),
            ["quit" | "exit" | "q"] => return Ok(Then::Quit),
            ["help" | "?"] => {
                writeln!(self.output, "{HELP}")?;
                return Ok(Then::Next);
            }
            ["board"] => Ok(()),
            ["undo"] => self.table.undo(),
            ["redo"] => self.table.redo(),
            ["new"] => self.table.begin(),
            ["go"] => self.go_on(),
            ["hint"] => return self.print(Table::evaluation),
            ["why"] => return self.print(Table::explanation),
            [side @ ("x" | "o"), name] => self.seat(side, name),
            ["level", number] => return self.set(number, Table::set_level),
            ["trials", number] => return self.set(number, Table::set_trials),
            ["size" | "connect" | "reverse", value] => self.choose(lower[0], value),
            _ => self.table.play(line),
        };
        match done {
            Ok(()) => {
                if let ["x" | "o" | "size" | "connect" | "reverse" | "new", ..] = lower[..] {
                    self.greet()?;
                }
                // After the move of a player the board is shown again.
                if !matches!(self.table.turn(), Turn::Thinking(_)) {
                    self.show()?;
                }
            }
            Err(refusal) => self.refuse(line, &refusal)?,
        }
        Ok(Then::Next)
    }

    /// Says why something is not done.
    fn refuse(&mut self, line: &str, refusal: &Refusal) -> io::Result<()> {
        let text = match refusal {
            // It may begin with a move, and moves are written small.
            Refusal::Objection(objection) => return writeln!(self.output, "{objection}."),
            Refusal::NoMove => {
                let line = Excerpt::of(line);
                format!("{line} is no move and no command; {refusal}; help lists the commands")
            }
            Refusal::Over => format!("{refusal}; new starts another, undo takes a move back"),
            Refusal::NotYours(..) => format!("{refusal}; go lets it move"),
            _ => refusal.to_string(),
        };
        writeln!(self.output, "{}.", capitalised(&text))
    }

    fn go_on(&mut self) -> Result<(), Refusal> {
        match self.table.turn() {
            Turn::Over => Err(Refusal::Over),
            _ => {
                self.table.go_on();
                Ok(())
            }
        }
    }

    fn seat(&mut self, side: &str, name: &str) -> Result<(), Refusal> {
        let player = if side == "x" { Player::X } else { Player::O };
        self.table.seat(player, Participant::named(name))
    }

    fn choose(&mut self, what: &str, value: &str) -> Result<(), Refusal> {
        let rules = self.table.settings().rules;
        let (size, connect, reverse) = (rules.size(), rules.connect(), rules.reverse());
        let rules = match (what, value) {
            ("size", _) => Rules::new(self.number("size", value)?, connect, reverse),
            ("connect", _) => Rules::new(size, self.number("connect", value)?, reverse),
            (_, "on" | "true") => Rules::new(size, connect, true),
            (_, "off" | "false") => Rules::new(size, connect, false),
            _ => return Err(Refusal::Rules("reverse is on or off".to_owned())),
        };
        self.table.choose(rules.map_err(|error| Refusal::Rules(error.to_string()))?)
    }

    /// A number that may stand for this option.
    fn number<N: TryFrom<i64>>(&self, option: &'static str, text: &str) -> Result<N, Refusal> {
        let (least, most) = self.table.range(option);
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        number.and_then(|number| N::try_from(number).ok()).ok_or(Refusal::Range(option, least, most))
    }

    fn set(&mut self, number: &str, set: fn(&mut Table, i64) -> Result<(), Refusal>) -> io::Result<Then> {
        // What is no number is out of any range.
        match set(&mut self.table, number.parse().unwrap_or(i64::MIN)) {
            Ok(()) => writeln!(self.output, "From the next move on.")?,
            Err(refusal) => self.refuse(number, &refusal)?,
        }
        Ok(Then::Next)
    }

    fn print(&mut self, ask: fn(&mut Table) -> Result<Vec<String>, Refusal>) -> io::Result<Then> {
        match ask(&mut self.table) {
            Ok(lines) => {
                writeln!(self.output)?;
                lines.iter().try_for_each(|line| writeln!(self.output, "{line}"))?;
            }
            Err(refusal) => self.refuse("", &refusal)?,
        }
        Ok(Then::Next)
    }
}

/// The sentence with a large letter at its beginning.
pub fn capitalised(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
