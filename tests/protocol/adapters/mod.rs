//! The protocols of others.

mod faults;
mod gomocup;
mod gtp;
mod uci;
mod xboard;
