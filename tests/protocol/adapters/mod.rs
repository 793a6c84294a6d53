//! The protocols of others.

mod faults;
mod gomocup;
mod uci;
mod xboard;
