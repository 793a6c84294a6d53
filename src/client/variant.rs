//! The game for engines that know games by name: the option `UCI_Variant`, and a file of variants whose name is the
//! option `VariantPath`.
//!
//! These options, and the files, come from Fairy-Stockfish. A file can describe any number in a row and any board that
//! the engine has room for, up to 10x10 in its larger builds. It cannot state that a completed line loses.

use std::fmt::Write;
use std::io;

use tempfile::NamedTempFile;

use crate::engine::OptionType;
use noughts_core::game::{Position, Rules};

/// The option with the name of the game.
pub const VARIANT: &str = "UCI_Variant";

/// The option with the file that describes more games.
pub const PATH: &str = "VariantPath";

/// The name of the game in such a file.
const NAME: &str = "noughts";

/// The name of a game in programs for chess variants, if it has one.
fn common_name(rules: Rules) -> Option<&'static str> {
    match (rules.size(), rules.line_length(), rules.reverse()) {
        (3, Some(3), false) => Some("tictactoe"),
        (15, Some(5), false) => Some("gomokufreestyle"),
        _ => None,
    }
}

/// The name of the game, if the engine lists it.
pub fn listed(rules: Rules, declared: Option<&OptionType>) -> Option<&'static str> {
    common_name(rules).filter(|name| lists(declared, name))
}

fn lists(declared: Option<&OptionType>, name: &str) -> bool {
    matches!(declared, Some(OptionType::Combo { choices, .. }) if choices.iter().any(|choice| choice == name))
}

/// A file that describes one game. Dropping the value removes the file.
pub struct VariantFile(NamedTempFile);

impl VariantFile {
    /// A new file, under a name of its own.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(rules: Rules) -> io::Result<VariantFile> {
        let file = tempfile::Builder::new().prefix("noughts-").suffix(".ini").tempfile()?;
        std::fs::write(file.path(), description(rules))?;
        Ok(VariantFile(file))
    }

    /// The absolute path of the file.
    ///
    /// # Errors
    /// When the path does not fit on a line of text.
    pub fn path(&self) -> io::Result<String> {
        let path = self.0.path().canonicalize()?;
        let text = path.to_str().filter(|text| !text.contains(char::is_control));
        text.map(str::to_owned).ok_or_else(|| io::Error::other("the folder for temporary files has an unusual name"))
    }

    /// The name of the game in the file, if the engine lists it.
    pub fn listed(&self, declared: Option<&OptionType>) -> Option<&'static str> {
        lists(declared, NAME).then_some(NAME)
    }
}

/// The game as a section of such a file: chess without all that is not tic-tac-toe.
fn description(rules: Rules) -> String {
    let size = rules.size();
    let mut text = format!(
        "[{NAME}]\nmaxRank = {size}\nmaxFile = {size}\nstartFen = {}\nimmobile = p\npieceDrops = true\n\
         doubleStep = false\ncastling = false\npromotionPieceTypes = -\nnMoveRule = 0\nnFoldRule = 0\n\
         stalemateValue = draw\nimmobilityIllegal = false\n",
        Position::start(rules).diagram().fen()
    );
    if let Some(length) = rules.line_length() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "connectN = {length}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(size: u8, connect: u16, reverse: bool) -> Rules {
        Rules::new(size, connect, reverse).expect("rules within range")
    }

    #[test]
    fn a_game_has_a_common_name_only_where_the_name_means_just_that() {
        let choices = ["tictactoe", "gomokufreestyle"].map(str::to_owned).to_vec();
        let declared = OptionType::Combo { default: "chess".to_owned(), choices };
        for (rules, name) in [
            (rules(3, 0, false), Some("tictactoe")),
            (rules(3, 3, false), Some("tictactoe")),
            (rules(15, 5, false), Some("gomokufreestyle")),
            (rules(3, 0, true), None),
            (rules(3, 2, false), None),
            (rules(15, 5, true), None),
            (rules(15, 0, false), None),
            (rules(5, 5, false), None),
        ] {
            assert_eq!(listed(rules, Some(&declared)), name, "{rules}");
            assert_eq!(listed(rules, None), None);
            assert_eq!(listed(rules, Some(&OptionType::Text { default: String::new() })), None);
        }
    }

    #[test]
    fn a_variant_file_describes_the_game_and_is_removed_on_drop() {
        let file = VariantFile::write(rules(4, 3, false)).expect("a temporary file");
        let path = file.path().expect("a path");
        let text = std::fs::read_to_string(&path).expect("a file");
        let fen = format!("4/4/4/4[{}{}] w - - 0 1", "P".repeat(8), "p".repeat(8));
        for line in ["[noughts]", "maxRank = 4", "maxFile = 4", "connectN = 3", &format!("startFen = {fen}")] {
            assert!(text.lines().any(|written| written == line), "{line}: {text}");
        }
        drop(file);
        assert!(!std::path::Path::new(&path).exists());
    }

    #[test]
    fn where_no_line_fits_no_line_is_asked_for() {
        assert!(!description(rules(3, 5, false)).contains("connectN"));
    }
}
