//! Features, options, thinking and results in XBoard's words.

use crate::engine::{OptionRole, OptionSpec, OptionType};
use crate::protocol::{Info, UciScore, option_names};
use noughts_core::game::{Outcome, Player};

use super::variant::XBoardVariant;

/// The score of a win in n moves is this plus n; the score of a loss is the negative of that.
const MATE: i64 = 100_000;

/// The lines that list the engine's features. The client waits for `done=1`, which comes after the options.
pub fn features() -> String {
    let variants: Vec<String> = XBoardVariant::all().map(XBoardVariant::name).collect();
    format!(
        "feature setboard=1 usermove=1 ping=1 colors=0 sigint=0 sigterm=0 reuse=1 analyze=1 memory=1 smp=1 debug=1 \
         myname=\"Noughts {}\" variants=\"{}\"",
        env!("CARGO_PKG_VERSION"),
        variants.join(",")
    )
}

/// An option of the engine as a feature; `None` if XBoard has a command of its own for it. `variant` chooses the game,
/// `memory` and `cores` set memory and threads.
pub fn option_feature(name: &str, kind: &OptionType) -> Option<String> {
    let role = OptionSpec::named(name).map(|option| option.role);
    if is_chosen_by_variant(name) || matches!(role, Some(OptionRole::Memory | OptionRole::Threads)) {
        return None;
    }
    let kind = match kind {
        OptionType::Spin { default, min, max } => format!("-spin {default} {min} {max}"),
        OptionType::Check { default } => format!("-check {}", u8::from(*default)),
        OptionType::Combo { default, choices } => {
            let mark = |choice: &String| format!("{}{choice}", if choice == default { "*" } else { "" });
            format!("-combo {}", choices.iter().map(mark).collect::<Vec<_>>().join(" /// "))
        }
        OptionType::Text { default } if name.ends_with("File") => format!("-file {}", default),
        OptionType::Number { default, .. } => format!("-string {default}"),
        OptionType::Text { default } => format!("-string {default}"),
    };
    Some(format!("feature option=\"{name} {kind}\""))
}

/// True if `variant` sets this option. Of the options of the game, the client can set only `connect` itself.
pub fn is_chosen_by_variant(name: &str) -> bool {
    option_names::is_of_the_game(name) && name != "connect"
}

/// A line of thinking: plies, score in hundredths, time in hundredths of a second, nodes, and the expected moves.
pub fn thinking(info: &Info, variant: XBoardVariant) -> String {
    let score = match info.score {
        Some(UciScore::Cp(hundredths)) => hundredths,
        Some(UciScore::Mate(moves)) if moves > 0 => MATE + moves,
        Some(UciScore::Mate(moves)) => moves - MATE,
        None => 0,
    };
    let mut line = format!("{} {score} {} {}", plies(info), hundredths(info), info.nodes.unwrap_or(0));
    info.pv.iter().for_each(|&written| line.extend([" ", &variant.rewrite(written)]));
    line
}

/// The state of an analysis: time, nodes and plies. The two zeros mean that the number of moves to search is unknown.
pub fn state(info: &Info) -> String {
    format!("stat01: {} {} {} 0 0", hundredths(info), info.nodes.unwrap_or(0), plies(info))
}

fn plies(info: &Info) -> u64 {
    info.depth.unwrap_or(info.pv.len() as u64).max(1)
}

fn hundredths(info: &Info) -> u64 {
    info.time.unwrap_or(0) / 10
}

/// The claim of a result.
pub fn claim(outcome: Outcome, variant: XBoardVariant) -> String {
    let completed =
        |winner: &str, loser: &str| format!("{} completed a line", if variant.reverse { loser } else { winner });
    match outcome {
        Outcome::Win(Player::X) => format!("1-0 {{{}}}", completed("X", "O")),
        Outcome::Win(Player::O) => format!("0-1 {{{}}}", completed("O", "X")),
        Outcome::Draw => "1/2-1/2 {the board is full}".to_owned(),
    }
}
