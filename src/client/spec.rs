//! The text form of an engine: the command that starts it, and its settings.

use std::path::{Path, PathBuf, is_separator};
use std::str::FromStr;

use thiserror::Error;

use crate::protocol::adapters::{EngineProtocol, option_named};
use crate::system::process::split_words;
use crate::system::program_file;
use crate::text::{Excerpt, is_line};
use noughts_core::search::Limits;

use super::Connector;

/// A description of an engine: the command line that starts it, such as `python3 mine.py`; or keys with values,
/// `name=… cmd=… args=… dir=… proto=… option.<name>=… restart=on|off`, all of which are optional. Words are split as a
/// shell splits them. A text whose first word has no `=` is a command line.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EngineSpec {
    /// The name under which it plays.
    pub name: Option<String>,
    /// The program. Arguments may follow it.
    pub command: Option<String>,
    /// More arguments.
    pub arguments: Vec<String>,
    /// The folder in which it runs.
    pub folder: Option<PathBuf>,
    /// The protocol that it speaks.
    pub protocol: Option<EngineProtocol>,
    /// Options to set, in this order.
    pub options: Vec<(String, String)>,
    /// True if it is started again for each game.
    pub restart: Option<bool>,
}

/// The reason why a text does not describe an engine.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum SpecError {
    /// The text is wrong.
    #[error("{0}")]
    Text(String),
    /// There is no such program or folder, or the program is a file that cannot be executed.
    #[error("{0}")]
    Missing(String),
}

/// The keys of a description, in a sentence.
const KEYS: &str = "name, cmd, args, dir, proto, option.<name> or restart";

impl FromStr for EngineSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<EngineSpec, SpecError> {
        if split(text)?.first().is_some_and(|word| !word.contains('=')) {
            return Ok(EngineSpec { command: Some(text.to_owned()), ..EngineSpec::default() });
        }
        EngineSpec::of_keys(text)
    }
}

fn split(text: &str) -> Result<Vec<String>, SpecError> {
    split_words(text).ok_or_else(|| SpecError::Text(format!("the quotes in {} do not match", Excerpt::of(text))))
}

fn once<T>(key: &mut Option<T>, value: T) -> Option<()> {
    key.replace(value).is_none().then_some(())
}

/// Checks that a name can be printed on one line.
fn checked_name(name: String) -> Result<String, SpecError> {
    if name.trim().is_empty() || !is_line(&name) {
        let found = Excerpt::of(&name);
        return Err(SpecError::Text(format!("a name is a word or more on one line, not {found}")));
    }
    Ok(name)
}

fn switch(value: &str) -> Result<bool, SpecError> {
    match value {
        "on" | "true" => Ok(true),
        "off" | "false" => Ok(false),
        _ => Err(SpecError::Text(format!("restart is on or off, not {}", Excerpt::of(value)))),
    }
}

impl EngineSpec {
    /// The description that keys with values give, such as what several engines have in common.
    ///
    /// # Errors
    /// When a word has no known key, or a key has a wrong value.
    pub fn of_keys(text: &str) -> Result<EngineSpec, SpecError> {
        let mut spec = EngineSpec::default();
        let mut arguments = None;
        for word in split(text)? {
            let no_value = || SpecError::Text(format!("expected key=value, found {}", Excerpt::of(&word)));
            let (key, value) = word.split_once('=').ok_or_else(no_value)?;
            let twice = || SpecError::Text(format!("the key {} is there twice", Excerpt::of(key)));
            match key {
                "name" => once(&mut spec.name, checked_name(value.to_owned())?).ok_or_else(twice)?,
                "cmd" => once(&mut spec.command, value.to_owned()).ok_or_else(twice)?,
                "dir" => once(&mut spec.folder, value.into()).ok_or_else(twice)?,
                "proto" => {
                    let (names, found) = (EngineProtocol::names(), Excerpt::of(value));
                    let protocol = EngineProtocol::named(value);
                    let protocol = protocol.ok_or_else(|| SpecError::Text(format!("proto is {names}, not {found}")))?;
                    once(&mut spec.protocol, protocol).ok_or_else(twice)?;
                }
                "restart" => once(&mut spec.restart, switch(value)?).ok_or_else(twice)?,
                "args" => once(&mut arguments, split(value)?).ok_or_else(twice)?,
                _ => match key.strip_prefix("option.") {
                    Some(name) if option_named(&spec.options, name).is_some() => return Err(twice()),
                    Some(name) if !name.is_empty() => spec.options.push((name.to_owned(), value.to_owned())),
                    _ => {
                        let key = Excerpt::of(key);
                        return Err(SpecError::Text(format!("there is no key {key}; expected {KEYS}")));
                    }
                },
            }
        }
        Ok(EngineSpec { arguments: arguments.unwrap_or_default(), ..spec })
    }

    /// This engine, with the keys that it leaves out taken from `each`.
    pub fn or(mut self, each: &EngineSpec) -> EngineSpec {
        let shared = each
            .options
            .iter()
            .filter(|(name, _)| option_named(&self.options, name).is_none())
            .cloned()
            .collect::<Vec<_>>();
        self.options.splice(..0, shared);
        if self.arguments.is_empty() {
            self.arguments = each.arguments.clone();
        }
        EngineSpec {
            name: self.name.or_else(|| each.name.clone()),
            command: self.command.or_else(|| each.command.clone()),
            folder: self.folder.or_else(|| each.folder.clone()),
            protocol: self.protocol.or(each.protocol),
            restart: self.restart.or(each.restart),
            ..self
        }
    }

    /// This engine under another name.
    ///
    /// # Errors
    /// When the name cannot be printed on one line.
    pub fn named(self, name: String) -> Result<EngineSpec, SpecError> {
        Ok(EngineSpec { name: Some(checked_name(name)?), ..self })
    }

    /// Finds the program. The command `noughts` is this program itself; any other is a path, from the engine's own
    /// folder if it has one, or a program on the PATH.
    ///
    /// # Errors
    /// When there is no such program or folder, or the program gives its name and that cannot be printed.
    pub fn set_up(&self) -> Result<EngineSetup, SpecError> {
        let no_command = || SpecError::Text("an engine needs a program: cmd=...".to_owned());
        let command = self.command.as_deref().ok_or_else(no_command)?;
        if let Some(folder) = self.folder.as_ref().filter(|folder| !folder.is_dir()) {
            return Err(SpecError::Missing(format!("there is no folder {}", folder.display())));
        }
        let folder = self.folder.clone().unwrap_or_else(|| PathBuf::from("."));
        // A path may contain blanks. If there is no such file, the words behind the first are arguments.
        let (program, mut arguments) = match find(command, &folder) {
            Ok(program) => (program, Vec::new()),
            Err(_) => {
                let mut words = split(command)?.into_iter();
                let program = words.next().ok_or_else(no_command)?;
                (find(&program, &folder)?, words.collect())
            }
        };
        arguments.extend(self.arguments.iter().cloned());
        Ok(EngineSetup {
            name: self.name.clone().map_or_else(|| checked_name(own_name(&program, &arguments, &folder)), Ok)?,
            command: shell_words::join(std::iter::once(command).chain(self.arguments.iter().map(String::as_str))),
            program,
            arguments,
            folder: self.folder.clone(),
            protocol: self.protocol.unwrap_or_default(),
            options: self.options.clone(),
            restart: self.restart.unwrap_or(false),
            connector: None,
        })
    }
}

/// An engine whose program has been found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSetup {
    /// The name under which it plays.
    pub name: String,
    /// The command as it was written, with its arguments.
    pub command: String,
    /// The program file.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The folder in which it runs.
    pub folder: Option<PathBuf>,
    /// The protocol that it speaks.
    pub protocol: EngineProtocol,
    /// Options to set, in this order.
    pub options: Vec<(String, String)>,
    /// True if it is started again for each game.
    pub restart: bool,
    /// What connects to it; `None` for a child process.
    pub connector: Option<Connector>,
}

impl EngineSetup {
    /// An engine that is no child process. `command` stands in reports where others have their command.
    ///
    /// # Errors
    /// When the name cannot be printed on one line.
    pub fn connected(name: String, command: &str, connector: Connector) -> Result<EngineSetup, SpecError> {
        Ok(EngineSetup {
            name: checked_name(name)?,
            command: command.to_owned(),
            program: PathBuf::new(),
            arguments: Vec::new(),
            folder: None,
            protocol: EngineProtocol::default(),
            options: Vec::new(),
            restart: false,
            connector: Some(connector),
        })
    }

    /// Checks that the protocol of the engine knows the limits of a move. `flags` are the arguments that set limits.
    ///
    /// # Errors
    /// The reason as a sentence.
    pub fn check_limits(&self, limits: &Limits, flags: &str) -> Result<(), String> {
        let (name, facts) = (&self.name, self.protocol.facts());
        let protocol = facts.name;
        if facts.needs_limit && *limits == Limits::default() {
            return Err(format!(
                "engine {name}: with proto={protocol} a move needs a limit, for without one such an engine thinks for ever: \
                 {flags}"
            ));
        }
        if !facts.has_counts && (limits.nodes.is_some() || limits.trials.is_some()) {
            return Err(format!(
                "engine {name}: proto={protocol} knows limits of time only, no --nodes and no --trials"
            ));
        }
        Ok(())
    }

    /// The folder in which it runs, as it was written.
    pub fn folder_text(&self) -> Option<String> {
        self.folder.as_ref().map(|folder| folder.display().to_string())
    }

    /// True if an option is set here.
    pub fn sets(&self, option: &str) -> bool {
        option_named(&self.options, option).is_some()
    }

    /// The engine as messages name it: its name, and its command in brackets.
    pub fn name_and_command(&self) -> String {
        format!("{} ({})", self.name, self.command)
    }
}

/// Programs that run other programs, without the digits of a version.
const INTERPRETERS: [&str; 11] =
    ["bash", "dotnet", "java", "julia", "lua", "node", "perl", "php", "python", "ruby", "sh"];

/// The name of an engine that has none: that of its program, or of the script that an interpreter runs.
fn own_name(program: &Path, arguments: &[String], folder: &Path) -> String {
    let stem = |path: &Path| path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let name = stem(program);
    let is_interpreter = INTERPRETERS.contains(&name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'));
    let script = arguments.iter().map(Path::new).find(|path| is_interpreter && folder.join(path).is_file());
    script.map_or(name, stem)
}

fn find(program: &str, folder: &Path) -> Result<PathBuf, SpecError> {
    if program == "noughts"
        && let Ok(this) = program_file()
    {
        return Ok(this);
    }
    // Relative paths must hold from any folder.
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let found = which::which_in(program, std::env::var_os("PATH"), &folder);
    found.map_err(|_| match folder.join(program) {
        path if program.contains(is_separator) && path.exists() => {
            SpecError::Missing(format!("{program} is not an executable file"))
        }
        _ => SpecError::Missing(format!("there is no program {program}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> EngineSpec {
        text.parse().expect("a description of an engine")
    }

    #[test]
    fn words_are_split_as_a_shell_splits_them() {
        let spec = spec("name='Old Mill' cmd=/bin/cat args=\"-n 'a b'\" dir=/ option.score_other=0.5 restart=on");
        assert_eq!(spec.name.as_deref(), Some("Old Mill"));
        assert_eq!(spec.arguments, ["-n", "a b"]);
        assert_eq!(spec.options, [("score_other".to_owned(), "0.5".to_owned())]);
        assert_eq!(spec.restart, Some(true));
    }

    #[test]
    fn what_an_engine_leaves_open_comes_from_each() {
        let own = spec("cmd=noughts option.trials=5").or(&spec("option.Trials=9 option.player=random restart=on"));
        let options: Vec<String> = own.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(options, ["player=random", "trials=5"]);
        assert_eq!(own.restart, Some(true));
        for (own, each, protocol) in [
            ("", "", None),
            ("", "proto=uci", EngineProtocol::named("uci")),
            ("proto=noughts", "proto=gomocup", EngineProtocol::named("noughts")),
        ] {
            assert_eq!(spec(own).or(&spec(each)).protocol, protocol, "{own} {each}");
        }
    }

    #[test]
    fn the_word_at_fault_is_named() {
        for (text, error) in [
            ("cmd='x", "the quotes in \"cmd='x\" do not match"),
            ("cmd=x fast", "expected key=value, found \"fast\""),
            ("cmd=x cmd=y", "the key \"cmd\" is there twice"),
            ("option.a=1 option.A=2", "the key \"option.A\" is there twice"),
            ("name=", "a name is a word or more on one line, not \"\""),
            ("name='a\nb'", "a name is a word or more on one line, not \"a\\x0ab\""),
            ("name='a\u{1b}[2J'", "a name is a word or more on one line, not \"a\\x1b[2J\""),
            ("name='a\u{9b}b'", "a name is a word or more on one line, not \"a\\u{9b}b\""),
            ("name='a\u{202e}b'", "a name is a word or more on one line, not \"a\\u{202e}b\""),
            ("restart=maybe", "restart is on or off, not \"maybe\""),
            ("proto=UCI", "proto is noughts, uci, ugi, gomocup or gtp, not \"UCI\""),
            ("proto=uci proto=uci", "the key \"proto\" is there twice"),
            ("args=-n cmd=cat args=", "the key \"args\" is there twice"),
            (
                "protocol=uci",
                "there is no key \"protocol\"; expected name, cmd, args, dir, proto, option.<name> or restart",
            ),
        ] {
            assert_eq!(text.parse::<EngineSpec>().map_err(|error| error.to_string()), Err(error.to_owned()));
        }
        let missing = |sentence: &str| Err(SpecError::Missing(sentence.to_owned()));
        assert_eq!(spec("name=a").set_up(), Err(SpecError::Text("an engine needs a program: cmd=...".to_owned())));
        assert_eq!(spec("cmd=no-such-program-here").set_up(), missing("there is no program no-such-program-here"));
        assert_eq!(spec("cmd=/etc/passwd").set_up(), missing("/etc/passwd is not an executable file"));
        assert_eq!(spec("cmd=cat dir=/no/such").set_up(), missing("there is no folder /no/such"));
    }

    #[test]
    fn a_program_lends_its_name_only_if_that_can_be_printed() {
        let folder = tempfile::tempdir().expect("a folder");
        for (file, lends) in [("brain v2", true), ("brain\n2", false), ("brain\u{1b}[2J", false)] {
            let path = folder.path().join(file);
            std::fs::copy("/bin/cat", &path).expect("a copy");
            let mut engine = EngineSpec { command: path.to_str().map(str::to_owned), ..EngineSpec::default() };
            let lent = engine.set_up().map(|setup| setup.name);
            let refusal = format!("a name is a word or more on one line, not {}", Excerpt::of(file));
            assert_eq!(lent, if lends { Ok(file.to_owned()) } else { Err(SpecError::Text(refusal)) });
            engine.name = Some("Brain".to_owned());
            assert_eq!(engine.set_up().map(|setup| setup.name), Ok("Brain".to_owned()));
        }
    }

    #[test]
    fn a_command_may_carry_its_arguments() {
        let setup = spec("cmd='cat -n' args=-v").set_up().expect("cat is on the PATH");
        assert_eq!(setup.arguments, ["-n", "-v"]);
        assert_eq!(setup.name, "cat");
        assert!(setup.program.is_absolute());
        let bare = spec("cat -n 'a b'").set_up().expect("cat is on the PATH");
        assert_eq!((bare.name.as_str(), bare.arguments), ("cat", vec!["-n".to_owned(), "a b".to_owned()]));
    }

    #[test]
    fn an_engine_is_named_after_its_script() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("mine.sh"), "").expect("a file");
        let text = format!("dir={} cmd='sh -e mine.sh other.sh'", folder.path().display());
        assert_eq!(spec(&text).set_up().expect("sh is on the PATH").name, "mine");
        assert_eq!(spec("sh -c true").set_up().expect("sh is on the PATH").name, "sh");
        assert_eq!(spec("cat /etc/passwd").set_up().expect("cat is on the PATH").name, "cat");
    }
}
