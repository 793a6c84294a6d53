//! Replies: the messages of the engine.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use nom::Parser;
use nom::combinator::{all_consuming, map, map_opt, opt, value, verify};
use nom::multi::{many0, many1};
use nom::sequence::preceded;

use crate::engine::{MoveTotal, OptionType};
use crate::text::{board, explanation};
use noughts_core::game::{MoveText, Position};
use noughts_core::search::{Explanation, SearchResult};

use super::grammar::{Parsed, blanks, count, integer, keyword, move_text, number, rest, truth, word};
use super::query::query_answer;
use super::{Handshake, Info, QueryAnswer, ScoreBound, UciScore};

/// A line of output.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// `id <field> <text>`: a line of the introduction.
    Id {
        /// `name` or `author`.
        field: String,
        /// The rest of the line.
        text: String,
    },
    /// `option name <name> type ...`: an option that the client can set.
    Option {
        /// The name. It may contain blanks.
        name: String,
        /// The type, with range and default.
        kind: OptionType,
    },
    /// `ugiok` or `uciok`: the introduction is over.
    HandshakeOk(Handshake),
    /// `readyok`.
    ReadyOk,
    /// `info ...`: what a search has found.
    Info(Info),
    /// `info string error: ...`: something was wrong, and it has changed nothing.
    Error(String),
    /// `info string ...`: something for people.
    Note(String),
    /// `bestmove <move>`, or `bestmove (none)` when the game is over. A `ponder <move>` behind it is ignored.
    BestMove(Option<MoveText>),
    /// `response ...`: the answer to a `query`.
    Response(QueryAnswer),
    /// Any other line: part of a drawing, of a trace or of the help.
    Text(String),
    /// What a search has found about a position as a whole. Our own protocol has text for people instead, several lines, and
    /// reads each line as [`Reply::Text`].
    Analysis(Analysis),
}

/// What a search has found about a position as a whole.
#[derive(Clone, PartialEq, Debug)]
pub enum Analysis {
    /// The answer to `eval`: the position, and every move with its value.
    Values(Box<(Position, SearchResult)>),
    /// The answer to `explain`.
    Explanation(Box<Explanation>),
    /// What the search of a `trace` has found about a move, and its line.
    TraceTotal(MoveTotal, String),
    /// The line that ends a `trace`.
    TraceEnd(String),
}

/// The word of UCI for an empty text.
const EMPTY: &str = "<empty>";

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Id { field, text } => write!(f, "id {field} {text}"),
            Reply::Option { name, kind } => write!(f, "option name {name} type {kind}"),
            Reply::HandshakeOk(Handshake::Uci) => f.write_str("uciok"),
            Reply::HandshakeOk(Handshake::Ugi) => f.write_str("ugiok"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Info(info) => write!(f, "{info}"),
            Reply::Error(text) => write!(f, "info string error: {text}"),
            Reply::Note(text) => write!(f, "info string {text}"),
            Reply::BestMove(Some(written)) => write!(f, "bestmove {written}"),
            Reply::BestMove(None) => f.write_str("bestmove (none)"),
            Reply::Response(QueryAnswer::Moves(moves)) if moves.is_empty() => f.write_str("response"),
            Reply::Response(answer) => write!(f, "response {answer}"),
            Reply::Text(text) => f.write_str(text),
            Reply::Analysis(analysis) => write!(f, "{analysis}"),
        }
    }
}

/// The text for people. A drawing ends with an empty line.
impl fmt::Display for Analysis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Analysis::Values(values) => f.write_str(&board::evaluate(&values.0, &values.1)),
            Analysis::Explanation(explanation) => f.write_str(&explanation::explain(explanation)),
            Analysis::TraceTotal(_, line) | Analysis::TraceEnd(line) => f.write_str(line),
        }
    }
}

/// The type as UCI declares it.
impl fmt::Display for OptionType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionType::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            OptionType::Check { default } => write!(f, "check default {default}"),
            OptionType::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionType::Number { default, .. } => write!(f, "string default {default}"),
            OptionType::Text { default } if default.is_empty() => write!(f, "string default {EMPTY}"),
            OptionType::Text { default } => write!(f, "string default {default}"),
        }
    }
}

/// Reads any line: one that is no other reply is [`Reply::Text`].
impl FromStr for Reply {
    type Err = Infallible;

    fn from_str(line: &str) -> Result<Reply, Infallible> {
        let parsed = word(line).ok().and_then(|(arguments, first)| {
            let parse = REPLIES.iter().find(|(known, _)| *known == first)?.1;
            Some(all_consuming(parse).parse(arguments).ok()?.1)
        });
        Ok(parsed.unwrap_or_else(|| Reply::Text(line.to_owned())))
    }
}

type ReplyParser = fn(&str) -> Parsed<'_, Reply>;

/// The first words of replies, each with the parser of its arguments.
const REPLIES: &[(&str, ReplyParser)] = &[
    ("id", |text| {
        map((word, rest), |(field, text)| Reply::Id { field: field.to_owned(), text: text.to_owned() }).parse(text)
    }),
    ("option", option),
    ("uciok", |text| value(Reply::HandshakeOk(Handshake::Uci), blanks).parse(text)),
    ("ugiok", |text| value(Reply::HandshakeOk(Handshake::Ugi), blanks).parse(text)),
    ("readyok", |text| value(Reply::ReadyOk, blanks).parse(text)),
    ("info", |text| match text.strip_prefix("string ") {
        Some(text) => map(rest, note).parse(text),
        None if text == "string" => Ok(("", Reply::Note(String::new()))),
        None => map(info, Reply::Info).parse(text),
    }),
    ("bestmove", |text| {
        let none = map(keyword("(none)"), |_| None);
        let best = nom::branch::alt((none, map(move_text, Some)));
        map((best, opt((keyword("ponder"), word))), |(best, _)| Reply::BestMove(best)).parse(text)
    }),
    ("response", |text| map(query_answer, Reply::Response).parse(text)),
];

fn note(text: &str) -> Reply {
    match text.strip_prefix("error: ") {
        Some(error) => Reply::Error(error.to_owned()),
        None => Reply::Note(text.to_owned()),
    }
}

fn option(text: &str) -> Parsed<'_, Reply> {
    let name = preceded(keyword("name"), many1(verify(word, |word: &str| word != "type")));
    let (text, (name, _, kind)) = (name, keyword("type"), word).parse(text)?;
    let default = || preceded(keyword("default"), word);
    let choices = || many0(preceded(keyword("var"), word));
    let (text, kind) = match kind {
        "spin" => {
            let number = |name| preceded(keyword(name), integer);
            let numbers = (number("default"), number("min"), number("max"));
            map(numbers, |(default, min, max)| OptionType::Spin { default, min, max }).parse(text)?
        }
        "check" => map(preceded(keyword("default"), truth), |default| OptionType::Check { default }).parse(text)?,
        // Some engines write the default behind the choices.
        "combo" => map((choices(), default(), choices()), |(before, default, behind)| OptionType::Combo {
            default: default.to_owned(),
            choices: before.into_iter().chain(behind).map(str::to_owned).collect(),
        })
        .parse(text)?,
        "string" if text.is_empty() => (text, OptionType::Text { default: String::new() }),
        _ => map(preceded(keyword("default"), rest), |default| OptionType::Text {
            default: if default == EMPTY { String::new() } else { default.to_owned() },
        })
        .parse(text)?,
    };
    Ok((text, Reply::Option { name: name.join(" "), kind }))
}

/// The keys of an `info` line in any order. Unknown words are ignored, such as keys of other engines.
fn info(text: &str) -> Parsed<'_, Info> {
    let mut info = Info::default();
    let mut text = text;
    while !text.is_empty() {
        let (argument, key) = word(text)?;
        text = info_key(key, argument, &mut info).map_or(argument, |(rest, ())| rest);
    }
    Ok((text, info))
}

fn info_key<'a>(key: &str, text: &'a str, info: &mut Info) -> Parsed<'a, ()> {
    let rest = match key {
        "depth" => store(&mut info.depth, count(text)?),
        "multipv" => store(&mut info.multipv, count(text)?),
        "score" => store(&mut info.score, score(text)?),
        "wdl" => store(&mut info.wdl, wdl(text)?),
        "value" => store(&mut info.value, number(text)?),
        "proven" => store(&mut info.proven, truth(text)?),
        "plies" => store(&mut info.plies, count(text)?),
        "plies_at_most" => store(&mut info.plies_at_most, count(text)?),
        "lowerbound" => store(&mut info.score_bound, (text, ScoreBound::Lower)),
        "upperbound" => store(&mut info.score_bound, (text, ScoreBound::Upper)),
        "trials" => store(&mut info.trials, count(text)?),
        "total" => store(&mut info.total, number(text)?),
        "nodes" => store(&mut info.nodes, count(text)?),
        "nps" => store(&mut info.nps, count(text)?),
        "time" => store(&mut info.time, count(text)?),
        "pv" => {
            let (rest, moves) = many1(move_text).parse(text)?;
            info.pv = moves;
            rest
        }
        _ => text,
    };
    Ok((rest, ()))
}

fn store<'a, T>(key: &mut Option<T>, (rest, value): (&'a str, T)) -> &'a str {
    *key = Some(value);
    rest
}

fn score(text: &str) -> Parsed<'_, UciScore> {
    let cp = map(preceded(keyword("cp"), integer), UciScore::Cp);
    let mate = map(preceded(keyword("mate"), integer), UciScore::Mate);
    nom::branch::alt((cp, mate)).parse(text)
}

fn wdl(text: &str) -> Parsed<'_, [u16; 3]> {
    let per_mille = || map_opt(count, |number| u16::try_from(number).ok());
    map((per_mille(), per_mille(), per_mille()), |(wins, draws, losses)| [wins, draws, losses]).parse(text)
}
