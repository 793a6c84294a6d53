//! Adapters: foreign protocols, turned into ours and back.
//!
//! An adapter works on one of two sides.
//!
//! - **Engine side**: this program is the engine, and a graphical interface speaks a foreign protocol to it. An
//!   [`EngineAdapter`] stands between that client and a session.
//! - **Client side**: this program is the client, and an engine speaks a foreign protocol. A [`ClientAdapter`] stands
//!   between the client of this program and that engine.
//!
//! | folder | protocol | engine side | client side |
//! |---|---|---|---|
//! | `gomocup/` | the protocol of the Gomocup tournaments, also called Piskvork's | yes | yes |
//! | `uci/` | UCI as programs for chess variants speak it | our own protocol contains it | yes |
//! | `xboard/` | the Chess Engine Communication Protocol, version 2, of XBoard and WinBoard | yes | no |
//!
//! In each folder, `engine_side` and `client_side` hold the adapters of these sides. The files of this folder with the
//! same names hold what all protocols have in common on a side.

mod client_side;
mod engine_side;
pub mod gomocup;
mod options;
mod pending_queries;
mod uci;
mod xboard;

pub use client_side::{ClientAdapter, Confirmation, EngineProtocol, UnknownProtocol};
pub use engine_side::{AdapterOutput, EngineAdapter, adapter_for};
