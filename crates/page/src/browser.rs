//! The boundary between the engine and its worker: what the worker calls, and what it is called for.
//!
//! WebAssembly passes numbers only, so text crosses the boundary as an address and a length in the memory of the module.
//! That takes `unsafe` code, and all of it stands here. There is one thread, and every address that is handed out stays
//! valid until the call that is named beside it.
#![expect(unsafe_code, reason = "functions that cross the boundary of the module are unsafe by definition")]

use std::cell::{Cell, RefCell};
use std::panic;
use std::sync::Once;
use std::time::Duration;

use getrandom::Error;
use noughts::search::{Host, Instant, set_host};
use noughts::session::panic_message;

use crate::Page;

/// Bytes for the stack of a search that is suspended.
const SUSPENDED_BYTES: usize = 4 << 20;

/// Time that a search runs before other work has its turn, in milliseconds.
const SLICE: f64 = 4.0;

// The worker.
#[link(wasm_import_module = "worker")]
unsafe extern "C" {
    /// Milliseconds since a moment that never changes.
    safe fn now() -> f64;
    /// Fills memory with random bytes.
    fn fill_random(start: *mut u8, length: usize);
    /// Lets other work be done. The code that calls it is suspended and resumed.
    safe fn pause();
    /// Takes whole lines for the page.
    fn say(start: *const u8, length: usize);
    /// Takes the text of a panic. The module ends after it.
    fn tell_panic(start: *const u8, length: usize);
}

thread_local! {
    static PAGE: RefCell<Option<Page>> = const { RefCell::new(None) };
    /// The line that comes in.
    static LINE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// The time at which the search under way is to be suspended, while it runs.
    static SLICE_END: Cell<Option<f64>> = const { Cell::new(None) };
    /// The stack of a suspended search.
    static SUSPENDED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Suspends the search if it has run for a slice of time. A search that is over within a millisecond runs outside of slices.
fn pause_when_due() {
    if SLICE_END.get().is_some_and(|end| now() >= end) {
        SLICE_END.set(None);
        pause();
        SLICE_END.set(Some(now() + SLICE));
    }
}

fn with_page<T>(work: impl FnOnce(&mut Page) -> T) -> T {
    static PREPARED: Once = Once::new();
    PREPARED.call_once(|| {
        set_host(Host { now: || Duration::from_secs_f64(now() / 1000.0), pause: pause_when_due });
        panic::set_hook(Box::new(|info| {
            let place = info.location().map(|place| format!(" ({}:{})", file_name(place.file()), place.line()));
            let text = panic_message(info.payload()).to_owned() + &place.unwrap_or_default();
            // SAFETY: the text lives until the call is over.
            unsafe { tell_panic(text.as_ptr(), text.len()) };
        }));
    });
    PAGE.with_borrow_mut(|page| work(page.get_or_insert_with(Page::open)))
}

/// The last part of a path: the rest only shows where the module was built.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The address of a place for a line of so many bytes. It is valid until the next call of [`receive`].
#[unsafe(no_mangle)]
extern "C" fn line_place(length: usize) -> *mut u8 {
    LINE.with_borrow_mut(|line| {
        line.clear();
        line.resize(length, 0);
        line.as_mut_ptr()
    })
}

/// Takes the line that has been written to its place.
#[unsafe(no_mangle)]
extern "C" fn receive() {
    let line = LINE.take();
    with_page(|page| page.receive(&line));
}

/// Carries on for about a millisecond; returns the next step, as the number of a [`Next`](crate::Next).
#[unsafe(no_mangle)]
extern "C" fn proceed() -> u32 {
    let next = with_page(|page| {
        page.proceed(|lines| {
            // SAFETY: the lines live until the call is over.
            unsafe { say(lines.as_ptr(), lines.len()) }
        })
    });
    next as u32
}

/// Milliseconds until [`proceed`] is to be called at the latest; negative if it need not be.
#[unsafe(no_mangle)]
extern "C" fn milliseconds_left() -> f64 {
    let deadline = with_page(|page| page.conversation.deadline());
    deadline.map_or(-1.0, |deadline| deadline.saturating_duration_since(Instant::now()).as_secs_f64() * 1000.0)
}

/// Runs the search that waits.
#[unsafe(no_mangle)]
extern "C" fn search() {
    let searches = with_page(|page| page.searches.clone());
    SLICE_END.set(Some(now() + SLICE));
    searches.run();
    SLICE_END.set(None);
}

/// The stack of a suspended search: two addresses, the first free byte and the end, and then the bytes. Valid for ever.
#[unsafe(no_mangle)]
extern "C" fn suspended_stack() -> *mut u8 {
    SUSPENDED.with_borrow_mut(|bytes| {
        if bytes.is_empty() {
            *bytes = vec![0; SUSPENDED_BYTES];
        }
        let start = bytes.as_ptr() as u32;
        let end = start + SUSPENDED_BYTES as u32;
        bytes[..4].copy_from_slice(&(start + 8).to_le_bytes());
        bytes[4..8].copy_from_slice(&end.to_le_bytes());
        bytes.as_mut_ptr()
    })
}

/// Random bytes for the crate `getrandom`, which calls it by this name.
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(start: *mut u8, length: usize) -> Result<(), Error> {
    // SAFETY: the caller promises that these bytes may be written.
    unsafe { fill_random(start, length) };
    Ok(())
}
