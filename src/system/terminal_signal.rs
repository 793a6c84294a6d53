//! What a signal asks of a program that holds the terminal.

/// What a signal asks of a program that holds the terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TerminalSignal {
    /// The program goes on after it was stopped: the terminal has to be taken again.
    Continued,
    /// The program is to end, by the signal of this number, once it has given the terminal back.
    End(i32),
}
