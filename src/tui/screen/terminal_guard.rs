//! The terminal while the game has it, and how it is restored.

use std::io::{self, Write};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

use crate::system::signals::stop_process_group;

/// True if the game has the terminal.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// A terminal in raw mode on its alternate screen, with the mouse. It is restored when this is dropped, and before the
/// message of a panic is printed.
pub struct TerminalGuard(());

impl TerminalGuard {
    /// Takes the terminal on standard output.
    ///
    /// # Errors
    /// When standard output is no terminal, or a mode cannot be set; then the terminal is as before.
    pub fn take() -> io::Result<TerminalGuard> {
        let taken = TerminalGuard(());
        restore_before_panic_message();
        take()?;
        Ok(taken)
    }

    /// Restores the terminal and stops the process group, as Ctrl-Z does. Returns with the terminal taken again when the
    /// shell continues it; at once where no shell could, because the system does not stop such a group.
    ///
    /// # Errors
    /// When the terminal cannot be taken again.
    pub fn suspend(&self) -> io::Result<()> {
        restore();
        stop_process_group()?;
        take()
    }

    /// Clears the terminal. After a change of its size the contents are undefined, even if the size is as before.
    ///
    /// # Errors
    /// When the terminal cannot be written.
    pub fn wipe(&self) -> io::Result<()> {
        execute!(io::stdout(), Clear(ClearType::All))
    }

    /// Takes the terminal again after another program has used it, while this one was stopped.
    ///
    /// # Errors
    /// When a mode cannot be set.
    pub fn renew(&self) -> io::Result<()> {
        // Raw mode off and on again: the modes to restore in the end are those of the beginning.
        disable_raw_mode()?;
        take()
    }
}

fn take() -> io::Result<()> {
    enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    let mut stdout = io::stdout();
    execute!(stdout, EnterAlternateScreen, Clear(ClearType::All), EnableMouseCapture, EnableBracketedPaste, Hide)
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        restore();
    }
}

/// Restores the terminal, once.
fn restore() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        // A terminal that has gone away needs no restoring.
        let _ = execute!(io::stdout(), Show, DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen);
        let _ = disable_raw_mode();
        let _ = io::stdout().flush();
    }
}

/// A panic of this thread ends the game, so the terminal is restored before the message. A panic of a search is answered
/// for by its own thread, and its message must not be written across the board.
fn restore_before_panic_message() {
    let own = thread::current().id();
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if thread::current().id() == own {
            restore();
        }
        if !TAKEN.load(Ordering::SeqCst) {
            print(panic);
        }
    }));
}
