//! The terminal while it is ours, and that it is given back as it was.

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
use rustix::process::{Signal, kill_current_process_group};

/// Whether the terminal is ours.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// A terminal that has been taken: keys come one by one, the mouse is heard, and what stood there is kept. It is given
/// back when this is dropped, and before a panic is told of.
pub struct Taken(());

impl Taken {
    /// Takes the terminal on standard output.
    ///
    /// # Errors
    /// When it is none, or does not do what it is told; then it is as it was.
    pub fn take() -> io::Result<Taken> {
        let taken = Taken(());
        give_back_before_a_panic_is_told();
        take()?;
        Ok(taken)
    }

    /// Gives the terminal back and stops, as a program does that does not know of Ctrl-Z, and with it whoever has started
    /// it for its own terminal. Returns when it is to go on, with the terminal taken again; at once where nobody could
    /// tell it to go on, for then the system does not stop it.
    ///
    /// # Errors
    /// When the terminal cannot be taken again.
    pub fn suspend(&self) -> io::Result<()> {
        give_back();
        kill_current_process_group(Signal::TSTP)?;
        take()
    }

    /// Wipes everything away. A window of another size, even one that was so only for a moment, shows what it likes.
    ///
    /// # Errors
    /// When the terminal does not do what it is told.
    pub fn wipe(&self) -> io::Result<()> {
        execute!(io::stdout(), Clear(ClearType::All))
    }

    /// Takes the terminal again from whoever has used it while this program was stopped.
    ///
    /// # Errors
    /// When it does not do what it is told.
    pub fn renew(&self) -> io::Result<()> {
        // The modes that are to be given back in the end are those of the beginning.
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

impl Drop for Taken {
    fn drop(&mut self) {
        give_back();
    }
}

/// Gives the terminal back, once.
fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        // Whoever has taken the terminal away needs nothing back.
        let _ = execute!(io::stdout(), Show, DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen);
        let _ = disable_raw_mode();
        let _ = io::stdout().flush();
    }
}

/// A panic of this thread ends the game: what it says is to be read on the terminal as it was. A search that panics on a
/// thread of its own is answered for by its session, and is not to write across the board.
fn give_back_before_a_panic_is_told() {
    let own = thread::current().id();
    let tell = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if thread::current().id() == own {
            give_back();
        }
        if !TAKEN.load(Ordering::SeqCst) {
            tell(panic);
        }
    }));
}
