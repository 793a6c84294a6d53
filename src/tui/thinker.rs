//! A player of this engine, in a session and on a thread of its own.

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::protocol::{Command, GoCommand, Line, Reply};
use crate::session::Session;
use noughts_core::search::Limits;

use super::answer::{Aloud, Answer, Post, Said};

/// The near end of a session that thinks. It never keeps anybody waiting; when it is dropped, the session ends.
pub struct Thinker {
    inputs: Sender<Input>,
    aloud: Aloud,
}

enum Input {
    /// Commands that are not answered.
    Say(Vec<Command>),
    /// The limits of a `go`, and the number of the question.
    Ask(u64, Limits),
    /// The search thread has something to say.
    Woken,
    End,
}

impl Thinker {
    /// Starts a session whose answers go to `post`.
    ///
    /// # Errors
    /// When the system has no thread left.
    pub fn start(post: Post) -> io::Result<Thinker> {
        let (inputs, received) = channel();
        let (wake, aloud) = (inputs.clone(), Aloud::default());
        let heard = aloud.clone();
        let run = move || {
            // A session that has ended needs no waking.
            let session = Session::new(move || drop(wake.send(Input::Woken)));
            Driver { session, post, aloud, tickets: VecDeque::new(), said: Said::default() }.run(received);
        };
        thread::Builder::new().name("player".to_owned()).spawn(run)?;
        Ok(Thinker { inputs, aloud: heard })
    }

    /// Says commands that have no answer of their own.
    pub fn say(&self, commands: Vec<Command>) {
        self.send(Input::Say(commands));
    }

    /// Asks for a move; the answer comes with the same ticket.
    pub fn ask(&self, ticket: u64, limits: Limits) {
        self.send(Input::Ask(ticket, limits));
    }

    /// What is said before the answer.
    pub fn aloud(&self) -> &Aloud {
        &self.aloud
    }

    /// Ends all searches asked for so far. Each is answered nevertheless.
    pub fn stop(&self) {
        self.say(vec![Command::Stop]);
    }

    fn send(&self, input: Input) {
        // The thread ends only after this end has gone.
        let _ = self.inputs.send(input);
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.send(Input::End);
    }
}

/// The far end.
struct Driver {
    session: Session,
    post: Post,
    aloud: Aloud,
    /// The questions that have not been answered yet; sessions answer in order.
    tickets: VecDeque<u64>,
    said: Said,
}

impl Driver {
    fn run(mut self, inputs: Receiver<Input>) {
        for input in inputs {
            self.session.begin_round();
            match input {
                Input::Say(commands) => commands.iter().for_each(|command| self.say(command)),
                Input::Ask(ticket, limits) => {
                    self.tickets.push_back(ticket);
                    self.say(&Command::Go(GoCommand::from(limits)));
                }
                Input::Woken => {}
                Input::End => return,
            }
            loop {
                self.session.proceed();
                self.hear();
                if !self.session.has_work() {
                    break;
                }
                self.session.begin_round();
            }
        }
    }

    fn say(&mut self, command: &Command) {
        self.session.receive(Line::Text(command.to_string()));
    }

    /// Takes in what the session has said, and hands in the answers that are complete.
    fn hear(&mut self) {
        for line in self.session.take_lines() {
            self.tickets.front().iter().for_each(|&&ticket| self.aloud.say(ticket, &line));
            let Ok(reply) = line.parse();
            self.take(reply);
        }
    }

    fn take(&mut self, reply: Reply) {
        let said = match reply {
            // A question that was refused has no other answer.
            Reply::Error(error) if error.starts_with("go:") => Err(error),
            reply if self.said.hear(reply.clone()) => Ok(std::mem::take(&mut self.said)),
            _ => return,
        };
        if let Some(ticket) = self.tickets.pop_front() {
            (self.post)(Answer { ticket, said });
        }
    }
}
