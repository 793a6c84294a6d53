//! Explanations in sentences, with the moves, pairs and cells that they name drawn on the board.

use std::collections::HashMap;

use noughts_core::game::{Bounds, Cell, Player, Position, Score, Value};
use noughts_core::search::{Explanation, Note, Reason, Reasons, ThreatStep};

use super::board::{board, result};

/// Columns of a line of text.
const WIDTH: usize = 100;

/// Columns of the key in front of a sentence, such as `why`.
const KEY_WIDTH: usize = 10;

/// The most moves that are listed one by one; of more, the rest is counted.
const MOST_LISTED: usize = 12;

/// The names of pairs: all letters except those of the players. With more pairs than letters, the names are numbers.
const LETTERS: &[u8] = b"abcdefghijklmnpqrstuvwyz";

/// A blank at which no line ends.
const TIE: &str = "\u{a0}";

/// An explanation as text: a board, then sentences, with more boards where the first cannot show everything. The last line
/// is `searched`.
pub fn explain(explanation: &Explanation) -> String {
    fold(&unfolded(explanation), WIDTH)
}

/// An explanation for a width that is not known yet: each sentence is a line, until [`fold`] folds it.
pub fn unfolded(explanation: &Explanation) -> String {
    let position = &explanation.position;
    if let Some(result) = result(position) {
        let text = board(position, |_| ".".to_owned()) + "\n";
        return text + &sentence("result", &format!("the game is over: {result}")) + &searched(explanation.nodes);
    }
    let has_line = explanation.line.len() > usize::from(explanation.played.is_some());
    let mut arguments = Arguments::new(explanation);
    // The first board shows the expected line, or else the drawing of the first argument that has one.
    let drawn = if has_line { None } else { arguments.list.iter_mut().find_map(|argument| argument.drawing.take()) };
    let mut text = drawn.unwrap_or_else(|| numbered(position, &explanation.line)) + "\n";
    text += &match explanation.played {
        Some((cell, bounds)) => judge_move(explanation, cell, bounds),
        None => sentence("value", &value_in_words(explanation.before, position.side())),
    };
    text += &list_best(explanation);
    if has_line {
        text += &sentence("line", &moves(position, &explanation.line));
    }
    if !explanation.better.is_empty() {
        text += &sentence("better", &moves(position, &explanation.better));
    }
    for argument in arguments.list {
        text += &sentence(argument.key, &argument.words);
        text += &argument.drawing.map(|drawing| format!("\n{drawing}\n")).unwrap_or_default();
    }
    text + &explain_weights(explanation) + &certificate(explanation) + &searched(explanation.nodes)
}

/// The command that makes a certificate of a value that is proven.
fn certificate(explanation: &Explanation) -> String {
    let position = &explanation.position;
    let rules = position.rules();
    if explanation.before.exact().is_none() || rules.line_length().is_none() {
        return String::new();
    }
    // A board of one row would be read as the cells of a square.
    let size = if rules.shape().rows == 1 { format!(" --size {}", rules.shape()) } else { String::new() };
    let connect = if rules.connect() == 0 { String::new() } else { format!(" --connect {}", rules.connect()) };
    let reverse = if rules.reverse() { " --reverse" } else { "" };
    // The command stays on one line where it fits, so that it can be copied.
    let command = format!("noughts prove \"{}\"{size}{connect}{reverse}", position.diagram()).replace(' ', TIE);
    sentence("proof", &format!("as a certificate that others can check: {command}"))
}

/// A line with a key and a sentence.
fn sentence(key: &str, words: &str) -> String {
    format!("{key:<KEY_WIDTH$}{words}\n")
}

/// The text with its sentences folded to a width. Lines of boards, which begin with a number or a blank, stay as they are; so
/// does a single word that is longer.
pub fn fold(text: &str, width: usize) -> String {
    let folded = |line: &str| match line.starts_with(char::is_alphabetic) {
        true => fold_sentence(line, width),
        false => line.to_owned() + "\n",
    };
    text.lines().map(folded).collect()
}

fn fold_sentence(line: &str, width: usize) -> String {
    let (key, words) = line.split_at(KEY_WIDTH);
    let mut folded = key.to_owned();
    let mut column = KEY_WIDTH;
    let is_too_long = |word: &str| KEY_WIDTH + word.chars().count() > width;
    // Words that are kept together are parted where they fit on no line.
    let parts = words.split(' ').flat_map(|word| word.split(|character| is_too_long(word) && TIE.contains(character)));
    for (index, word) in parts.enumerate() {
        if index > 0 && column + 1 + word.chars().count() > width {
            folded = folded.trim_end().to_owned() + "\n" + &" ".repeat(KEY_WIDTH);
            column = KEY_WIDTH;
        } else if index > 0 {
            folded.push(' ');
            column += 1;
        }
        folded.push_str(word);
        column += word.chars().count();
    }
    folded.replace(TIE, " ").trim_end().to_owned() + "\n"
}

fn searched(nodes: u64) -> String {
    let plural = if nodes == 1 { "" } else { "s" };
    sentence("searched", &format!("{nodes} position{plural}"))
}

/// A number of plies, with its word.
pub fn plies(plies: u16) -> String {
    format!("{plies} {}", if plies == 1 { "ply" } else { "plies" })
}

/// The proven bounds of the value of a position, in words; `side` is the player whose view the bounds are.
fn value_in_words(bounds: Bounds, side: Player) -> String {
    match Score::proven_by(bounds) {
        Some(Score::Exact(Value::Win(0))) => format!("{side} has won"),
        Some(Score::Exact(Value::Loss(0))) => format!("{side} has lost"),
        Some(Score::Exact(Value::Win(distance))) => format!("{side} wins in {}", plies(distance)),
        Some(Score::Exact(Value::Loss(distance))) => format!("{side} loses in {}", plies(distance)),
        Some(Score::Exact(Value::Draw)) => "draw".to_owned(),
        Some(Score::Within(Value::Win(distance))) => format!("{side} wins within {}", plies(distance)),
        Some(Score::Within(Value::Loss(distance))) => format!("{side} loses within {}", plies(distance)),
        _ => format!("not decided for {side}; {}", Note::Proved(bounds)),
    }
}

/// The proven bounds of the value of a move of `side`, in words.
fn move_value_in_words(bounds: Bounds, side: Player) -> String {
    let counts = matches!(bounds.exact(), Some(Value::Win(2..) | Value::Loss(2..)));
    value_in_words(bounds, side) + if counts { ", this move counted" } else { "" }
}

/// The sentences about a move: whether it is right, and the values before and after it.
fn judge_move(explanation: &Explanation, cell: Cell, bounds: Bounds) -> String {
    let (before, side) = (explanation.before, explanation.position.side());
    let judgement = match (before.exact(), bounds.exact()) {
        (Some(Value::Draw), Some(Value::Draw)) => "is right: it keeps the draw",
        (Some(Value::Win(_)), Some(after)) if Some(after) == before.exact() => "is right: no move wins sooner",
        (Some(Value::Loss(_)), Some(after)) if Some(after) == before.exact() => "is right: no move holds out longer",
        (Some(Value::Win(_)), Some(Value::Win(_))) => "wins, but slower than need be",
        (Some(Value::Loss(_)), Some(Value::Loss(_))) => "loses sooner than need be",
        (Some(before), Some(after)) if before.result() - after.result() == 2 => {
            "is wrong: it turns a win into a loss, a whole point"
        }
        (Some(Value::Win(_)), Some(Value::Draw)) => "is wrong: it lets a win slip, half a point",
        (Some(Value::Draw), Some(Value::Loss(_))) => "is wrong: it loses a drawn game, half a point",
        _ if bounds.at_least > Value::Draw => "wins, if perhaps slower than need be",
        _ if bounds.at_most < before.at_least => "is wrong: another move is better",
        _ if bounds.at_least >= before.at_most => "is right: no move is better",
        _ => "may be right or wrong: that is not decided",
    };
    sentence("move", &format!("{side}{TIE}{cell} {judgement}"))
        + &sentence("before", &value_in_words(before, side))
        + &sentence("after", &move_value_in_words(bounds, side))
}

/// The sentence that lists the best moves, if any is known.
fn list_best(explanation: &Explanation) -> String {
    let best = &explanation.best;
    if best.is_empty() {
        return String::new();
    }
    if explanation.best_is_complete && best.len() == explanation.position.empty_cells() {
        return sentence("best", if best.len() == 1 { "the only move" } else { "every move is as good" });
    }
    let listed: Vec<String> = best.iter().take(MOST_LISTED).map(Cell::to_string).collect();
    let mut words = listed.join(" ");
    if best.len() > MOST_LISTED {
        words += &format!(" and {} more", best.len() - MOST_LISTED);
    }
    if !explanation.best_is_complete {
        words += "; perhaps others";
    }
    sentence("best", &words)
}

/// Moves with the players that make them, and the result if the game ends.
fn moves(position: &Position, line: &[Cell]) -> String {
    let mut position = *position;
    let mut words = Vec::new();
    for &cell in line {
        words.push(format!("{}{TIE}{cell}", position.side()));
        position = position.after(cell);
    }
    let end = result(&position).map(|result| format!(": {result}")).unwrap_or_default();
    words.join(&format!("{TIE} ")) + &end
}

/// The board with moves on it, numbered in their order: `x1 o2 x3`. A single move has no number: `x`.
fn numbered(position: &Position, line: &[Cell]) -> String {
    let mut side = position.side();
    let mut marks = HashMap::new();
    for (index, &cell) in line.iter().enumerate() {
        let number = if line.len() == 1 { String::new() } else { (index + 1).to_string() };
        marks.insert(cell, format!("{}{number}", side.letter()));
        side = !side;
    }
    board(position, |cell| marks.get(&cell).cloned().unwrap_or_else(|| ".".to_owned()))
}

/// One argument for the value: a sentence, and the board with the cells that it names.
struct Argument {
    /// `why` or `then`.
    key: &'static str,
    words: String,
    drawing: Option<String>,
}

/// All arguments of an explanation.
struct Arguments {
    list: Vec<Argument>,
    /// The marks that have been drawn, the position that they were drawn on, and the names of their pairs in words.
    drawn: Vec<(BoardMarks, Position, String)>,
    /// The number of pairs that have a name.
    named: usize,
    /// True if there are enough letters to name all pairs.
    has_letters: bool,
}

/// The cells that a reason marks on the board.
#[derive(Clone, PartialEq)]
struct BoardMarks {
    /// Pairs of cells: a player who takes one is answered in the other.
    pairs: Vec<(Cell, Cell)>,
    /// Cells drawn as `*`: a player never takes them, or takes them first.
    stars: Vec<Cell>,
}

impl BoardMarks {
    fn of(reason: &Reason) -> Option<BoardMarks> {
        match reason {
            Reason::Pairing { pairs, absorbed, .. } => {
                Some(BoardMarks { pairs: pairs.clone(), stars: Vec::from_iter(*absorbed) })
            }
            Reason::Parity { kept, pairs } => Some(BoardMarks { pairs: pairs.clone(), stars: kept.clone() }),
            _ => None,
        }
    }
}

impl Arguments {
    fn new(explanation: &Explanation) -> Arguments {
        let both = [Some(&explanation.reasons), explanation.end.as_ref()];
        let reasons = both.iter().flatten().flat_map(|reasons| reasons.by_player.iter().flatten());
        let pairs: usize = reasons.filter_map(BoardMarks::of).map(|marks| marks.pairs.len()).sum();
        let mut arguments =
            Arguments { list: Vec::new(), drawn: Vec::new(), named: 0, has_letters: pairs <= LETTERS.len() };
        arguments.add("why", &explanation.reasons);
        if let Some(end) = &explanation.end {
            arguments.add("then", end);
        }
        arguments
    }

    fn add(&mut self, key: &'static str, reasons: &Reasons) {
        let position = &reasons.position;
        for player in Player::BOTH {
            let Some(reason) = reasons.of(player) else { continue };
            let (pairs, drawing) = match BoardMarks::of(reason) {
                Some(marks) => self.draw(position, marks),
                None => (String::new(), None),
            };
            if let Some(words) = argue(reasons, player, reason, &pairs) {
                self.list.push(Argument { key, words, drawing });
            }
        }
    }

    /// The names of the pairs in words, and the board with the marks unless it has been drawn before.
    fn draw(&mut self, position: &Position, marks: BoardMarks) -> (String, Option<String>) {
        if let Some((_, _, names)) = self.drawn.iter().find(|(known, at, _)| *known == marks && at == position) {
            return (names.clone(), None);
        }
        let first = self.named;
        self.named += marks.pairs.len();
        let name = |index: usize| match self.has_letters {
            true => char::from(LETTERS[index]).to_string(),
            false => (index + 1).to_string(),
        };
        let names = match marks.pairs.len() {
            0 => String::new(),
            1 => format!("the pair {0}{TIE}{0}", name(first)),
            2 => format!("the pairs {0}{TIE}{0} and {1}{TIE}{1}", name(first), name(first + 1)),
            count => format!("the pairs {0}{TIE}{0} to {1}{TIE}{1}", name(first), name(first + count - 1)),
        };
        let mut shown: HashMap<Cell, String> = marks.stars.iter().map(|&cell| (cell, "*".to_owned())).collect();
        for (index, &(one, other)) in marks.pairs.iter().enumerate() {
            shown.extend([one, other].map(|cell| (cell, name(first + index))));
        }
        let drawing = board(position, |cell| shown.get(&cell).cloned().unwrap_or_else(|| ".".to_owned()));
        self.drawn.push((marks, *position, names.clone()));
        (names, Some(drawing))
    }
}

/// A sentence with the reason why a player wins or cannot win; `pairs` names the pairs of the reason. `None` where the
/// expected line is the reason.
fn argue(reasons: &Reasons, player: Player, reason: &Reason, pairs: &str) -> Option<String> {
    let position = &reasons.position;
    let (reverse, other) = (!position.rules().completer_wins(), !player);
    let value = if position.side() == player { reasons.bounds } else { reasons.bounds.before_move() };
    if value.at_least > Value::Draw {
        return match reason {
            Reason::Parity { kept, .. } => Some(parity(player, kept.len(), pairs)),
            Reason::MirrorWin => Some(mirror_win(player)),
            Reason::Threats { steps, plies } => Some(threats(player, steps, *plies)),
            _ => None,
        };
    }
    if Score::proven_by(reasons.bounds).and_then(Score::proven).is_some_and(|value| value != Value::Draw) {
        // That the loser cannot win needs no reason of its own.
        return None;
    }
    let argument = match reason {
        Reason::GameOver => return None,
        Reason::NoLine if position.rules().line_length().is_none() => "no line fits on the board".to_owned(),
        Reason::NoLine if reverse => format!("{player} has a stone in every line that {other} could complete"),
        Reason::NoLine => format!("{other} has a stone in every line"),
        Reason::Potential { lines_of, sum, bound } => potential(*lines_of, player, *sum, *bound),
        Reason::Pairing { pairs: none, absorbed: None, .. } if none.is_empty() => {
            format!("no line is left for {}", if reverse { other } else { player })
        }
        Reason::Pairing { absorbed, .. } => pairing(position, player, pairs, *absorbed),
        Reason::Mirror if position.side() == other => {
            format!("{other} takes the centre, then answers every move with its mirror image through it")
        }
        Reason::Mirror => format!("{other} answers every move with its mirror image through the centre"),
        Reason::Theorem(theorem) => (*theorem).to_owned(),
        Reason::OneReply => format!("{other} has a reply to each first move, after which it answers inside pairs"),
        Reason::Search | Reason::Parity { .. } | Reason::MirrorWin | Reason::Threats { .. } => {
            "a search has tried everything".to_owned()
        }
    };
    Some(format!("{player} cannot win: {argument}"))
}

/// A win by threats in words: the first moves, what each threatens, and the replies that delay the end.
fn threats(player: Player, steps: &[ThreatStep], plies: u16) -> String {
    const SHOWN: usize = 4;
    let step = |step: &ThreatStep| {
        let threat = match (step.threatens, step.reply) {
            (Some(next), _) => format!("{} threatens {next}", step.cell),
            (None, Some(_)) => format!("{} prepares threats", step.cell),
            (None, None) => format!("{} completes a line", step.cell),
        };
        let reply = step.reply.map(|reply| format!(", {} answers {reply}", !player)).unwrap_or_default();
        threat + &reply
    };
    let shown: Vec<String> = steps.iter().take(SHOWN).map(step).collect();
    let rest = if steps.len() > SHOWN { "; and so on" } else { "" };
    let within = if plies == 1 { "with the next move".to_owned() } else { format!("within {plies} plies") };
    format!("{player} wins by threats {within}: {}{rest}", shown.join("; "))
}

fn mirror_win(player: Player) -> String {
    format!(
        "{player} wins: {player} answers every move with its mirror image through the centre. Any two cells of a 2x2 block \
         are a line, so {} runs out of other moves",
        !player
    )
}

fn potential(lines_of: Player, attacker: Player, sum: f64, bound: f64) -> String {
    let (limit, defender) = (if bound < 1.0 { "1/2" } else { "1" }, !attacker);
    let heaviest = if lines_of == attacker { "heaviest" } else { "lightest" };
    format!(
        "{lines_of}'s lines weigh {} in all, less than {limit}; {defender} always takes the {heaviest} cell",
        fraction(sum)
    )
}

/// The weighing of lines and cells, if an argument weighs them.
fn explain_weights(explanation: &Explanation) -> String {
    let both = [Some(&explanation.reasons), explanation.end.as_ref()];
    let mut reasons =
        both.into_iter().flatten().filter(|reasons| reasons.bounds.exact().is_none_or(|value| value == Value::Draw));
    if !reasons
        .any(|reasons| reasons.by_player.iter().flatten().any(|reason| matches!(reason, Reason::Potential { .. })))
    {
        return String::new();
    }
    let source = match explanation.position.rules().reverse() {
        true => "after Hefetz, Krivelevich and Szabo, 2007",
        false => "Erdos and Selfridge, 1973",
    };
    let weight =
        "a line without a stone of the other player weighs 1/2^m if it lacks m stones, a cell as much as its lines";
    sentence("weights", &format!("{weight} ({source})"))
}

/// A sum of powers of 1/2 as a reduced fraction.
fn fraction(sum: f64) -> String {
    let mut denominator = 1u64;
    while (sum * denominator as f64).fract() != 0.0 && denominator < 1 << 20 {
        denominator *= 2;
    }
    match denominator {
        1 => format!("{sum}"),
        _ => format!("{}/{denominator}", (sum * denominator as f64).round()),
    }
}

fn pairing(position: &Position, attacker: Player, pairs: &str, absorbed: Option<Cell>) -> String {
    let defender = !attacker;
    let answers = if pairs.is_empty() { String::new() } else { format!("answers inside {pairs}") };
    if !position.rules().completer_wins() {
        let leaves = absorbed.map(|_| "never takes the cell *").unwrap_or_default();
        let both = [answers.as_str(), leaves].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
        return format!("{defender} {}, and so completes no line", both.join(" and "));
    }
    let first = absorbed.map(|_| "takes the cell *").unwrap_or_default();
    let both = [first, answers.as_str()].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
    let of_line = match (pairs.is_empty(), absorbed) {
        (true, _) => "which lies in every line open to",
        (false, None) => "one of which lies in every line open to",
        (false, Some(_)) => "one of which lies in every other line open to",
    };
    format!("{defender} {}, {of_line} {attacker}", both.join(", then "))
}

fn parity(winner: Player, kept: usize, pairs: &str) -> String {
    let loser = !winner;
    let stars = if kept == 1 { "the cell *, where" } else { "the cells *, where" };
    let clear = match pairs {
        "" => "completes no line elsewhere".to_owned(),
        pairs => format!("answers inside {pairs} to complete no line elsewhere"),
    };
    format!("{winner} never plays {stars} a stone completes a line of {loser}, and {clear}; {loser} runs out of others")
}
