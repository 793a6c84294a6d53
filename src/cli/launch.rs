//! `noughts launch`, hidden: the process becomes an engine that ends with the match that started it.

use std::ffi::OsString;

use anyhow::Result;
use clap::Args;

use noughts::client;

/// The arguments of `noughts launch`.
#[derive(Args)]
pub struct LaunchArguments {
    /// The process of the match.
    parent: u32,
    /// The program to become.
    program: OsString,
    /// Its arguments.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Becomes the program. Returns only with an error.
pub fn run(arguments: LaunchArguments) -> Result<()> {
    match client::launch(arguments.parent, arguments.program, arguments.arguments)? {}
}
