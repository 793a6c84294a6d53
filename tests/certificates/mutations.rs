//! A checker is believed when it says no: certificates that are malformed, or no longer prove their claim, are refused by both
//! checkers, with the number of the record.

use noughts::game::{Position, Rules, Shape};
use noughts::search::{Control, Solver, Technique};

use super::made::{certificate_of, python_verdict, verdict};

/// A certificate of an empty board without theorems and stored pairings.
fn start(shape: impl Into<Shape>, connect: u16, reverse: bool) -> String {
    let rules = Rules::new(shape, connect, reverse).unwrap();
    let mut solver = Solver::new(rules, 16).without(&[Technique::Theorem]);
    let start = Position::start(rules);
    let bounds = solver.bounds(&start, &Control::unlimited());
    certificate_of(&mut solver, &start, bounds)
}

/// A certificate of a position that moves lead to.
fn after(rules: (u8, u16, bool), moves: &[(u8, u8)]) -> String {
    let rules = Rules::new(rules.0, rules.1, rules.2).unwrap();
    let mut position = Position::start(rules);
    for &(row, column) in moves {
        position.play(noughts::game::Cell::new(row, column)).unwrap();
    }
    let mut solver = Solver::new(rules, 16);
    let bounds = solver.bounds(&position, &Control::unlimited());
    certificate_of(&mut solver, &position, bounds)
}

/// A proof that was written by hand, with one claim.
fn by_hand(game: &str, position: &str, claim: &str, records: &[&str]) -> String {
    let records = records.join("\n");
    let text = format!("noughts certificate 1\ngame {game}\nposition {position}\nclaim {claim}\nprove 1\n{records}\n");
    let lines = text.lines().count() + 1;
    format!("{text}end {lines}\n")
}

/// The lines of a certificate, to be changed.
struct Draft(Vec<String>);

impl Draft {
    fn of(text: &str) -> Draft {
        Draft(text.lines().map(str::to_owned).collect())
    }

    /// The place of the first line that begins so.
    fn first(&self, start: &str) -> usize {
        let place = self.0.iter().position(|line| line.starts_with(start));
        place.unwrap_or_else(|| panic!("no line begins with {start:?}"))
    }

    /// The last line is made right for the number of lines, so that only the change is wrong.
    fn text(mut self) -> String {
        let count = self.0.len();
        if let Some(last) = self.0.last_mut().filter(|last| last.starts_with("end ")) {
            *last = format!("end {count}");
        }
        self.0.iter().map(|line| format!("{line}\n")).collect()
    }

    /// Replaces the first line that begins so.
    fn replace(mut self, start: &str, line: impl Into<String>) -> String {
        let place = self.first(start);
        self.0[place] = line.into();
        self.text()
    }

    /// Changes the words of the first line that begins so.
    fn words(mut self, start: &str, change: impl FnOnce(&mut Vec<String>)) -> String {
        let place = self.first(start);
        let mut words: Vec<String> = self.0[place].split(' ').map(str::to_owned).collect();
        change(&mut words);
        self.0[place] = words.join(" ");
        self.text()
    }

    /// Changes the first line that begins so.
    fn change(mut self, start: &str, change: impl FnOnce(&str) -> String) -> String {
        let place = self.first(start);
        self.0[place] = change(&self.0[place]);
        self.text()
    }

    fn remove(mut self, start: &str) -> String {
        self.0.remove(self.first(start));
        self.text()
    }

    fn insert_before(mut self, start: &str, line: &str) -> String {
        self.0.insert(self.first(start), line.to_owned());
        self.text()
    }
}

/// Certificates that hold records of every rule.
struct Bases {
    /// 3x3, a draw: moves and all moves, with fours; lemmas.
    draw: String,
    /// 6x6, 4 in a row: a win in 11, fours and potentials with limits.
    win: String,
    /// 7x7, 5 in a row: the weak game with lemmas and zones.
    weak: String,
    /// 6x6, 5 in a row: pairs with a first cell.
    pairs: String,
    /// 4x4 reverse, 3 in a row: parity, survival, lemmas.
    reverse: String,
    /// 3x3 reverse: survival with an exchange of poison.
    exchange: String,
    /// 3x3 reverse: survival with two kept cells that are poison for the attacker.
    kept: String,
    /// 4x4 reverse, 2 in a row: a mirror win.
    mirror: String,
    /// The position after two moves that mirror each other, 4x4 reverse, 3 in a row.
    mirrored: String,
    /// 4x5, 4 in a row: a draw on a board that is no square.
    wide: String,
}

fn bases() -> Bases {
    let mirror_line = ["mirror"];
    let exchange_line = ["survive - 0,2 1,2 2,0 2,1"];
    Bases {
        draw: start(3, 3, false),
        win: start(6, 4, false),
        weak: start(7, 5, false),
        pairs: start(6, 5, false),
        reverse: start(4, 3, true),
        exchange: by_hand("3 3 reverse", "xx1/oo1/3 x", "cannot o", &exchange_line),
        kept: by_hand("3 3 reverse", "oo1/x2/xxo x", "cannot o", &["survive 0,2;1,1"]),
        mirror: by_hand("4 2 reverse", "x3/4/4/3o x", "cannot x", &mirror_line),
        mirrored: after((4, 3, true), &[(1, 1), (2, 2)]),
        wide: start((4, 5), 4, false),
    }
}

type Mutation = (&'static str, String);

fn mutations(bases: &Bases) -> Vec<Mutation> {
    let draw = || Draft::of(&bases.draw);
    let win = || Draft::of(&bases.win);
    let weak = || Draft::of(&bases.weak);
    let pairs = || Draft::of(&bases.pairs);
    let reverse = || Draft::of(&bases.reverse);
    let exchange = || Draft::of(&bases.exchange);
    let mirror = || Draft::of(&bases.mirror);
    let wide = || Draft::of(&bases.wide);
    let of_shape = |shape: &str, board: &str| {
        let text = wide().replace("game", format!("game {shape} 4 normal"));
        Draft::of(&text).replace("position", format!("position {board} x"))
    };
    let two_by_two = |claim: &str, records: &[&str]| by_hand("2 2 normal", "2/2 x", claim, records);
    let row = |claim: &str, records: &[&str]| by_hand("3 3 normal", "xx1/oo1/3 x", claim, records);
    let cut = |text: &str, lines: usize| text.lines().take(lines).map(|line| format!("{line}\n")).collect::<String>();
    vec![
        // The file.
        ("another version", draw().replace("noughts", "noughts certificate 2")),
        ("an empty file", String::new()),
        ("the first line only", cut(&bases.draw, 1)),
        ("half of the file", cut(&bases.draw, bases.draw.lines().count() / 2)),
        ("no last line", cut(&bases.draw, bases.draw.lines().count() - 1)),
        ("no last line feed", bases.draw.trim_end().to_owned()),
        ("a wrong number of lines", bases.draw.replace(&format!("end {}", bases.draw.lines().count()), "end 7")),
        ("text after the end", format!("{}more\n", bases.draw)),
        ("an empty line", draw().insert_before("prove", "")),
        ("two spaces", draw().words("claim", |words| words[0].push(' '))),
        ("a tab", draw().replace("claim", "claim\tcannot x")),
        ("carriage returns", bases.draw.replace('\n', "\r\n")),
        ("a leading zero", draw().replace("game", "game 03 3 normal")),
        ("a capital letter", draw().replace("claim", "claim cannot X")),
        ("a letter that is not ASCII", draw().replace("claim", "claim cannot \u{445}")),
        ("a very long line", draw().replace("claim", format!("claim {}", "x".repeat(70_000)))),
        ("a record of no rule", draw().replace("all", "some")),
        // The header.
        ("a rectangle that is turned", wide().replace("game", "game 5x4 4 normal")),
        ("a rectangle and its board, turned", of_shape("5x4", "4/4/4/4/4")),
        ("a column more", of_shape("4x6", "6/6/6/6")),
        ("two rows more", of_shape("6x5", "5/5/5/5/5/5")),
        ("a square for a rectangle", of_shape("5", "5/5/5/5/5")),
        ("a square of two numbers", draw().replace("game", "game 3x3 3 normal")),
        ("a shape with a capital letter", wide().replace("game", "game 4X5 4 normal")),
        ("a shape of three numbers", wide().replace("game", "game 4x5x1 4 normal")),
        ("a shape with a leading zero", wide().replace("game", "game 04x5 4 normal")),
        ("a shape without columns", wide().replace("game", "game 4x 4 normal")),
        ("a line longer than both sides", wide().replace("game", "game 4x5 6 normal")),
        ("no line fits", draw().replace("game", "game 3 4 normal")),
        ("a board too large", draw().replace("game", "game 21 3 normal")),
        ("fewer in a row", win().replace("game", "game 6 3 normal")),
        ("the other rule", draw().replace("game", "game 3 3 reverse")),
        ("another position", draw().replace("position", "position xo1/3/3 x")),
        ("a stone too many", draw().replace("position", "position x2/3/3 x")),
        ("a completed line", draw().replace("position", "position xxx/oo1/3 o")),
        ("a short row", draw().replace("position", "position 3/2/3 x")),
        ("two numbers in a row", draw().replace("position", "position 12/3/3 x")),
        ("a number 0", draw().replace("position", "position 30/3/3 x")),
        ("a zone in the header", draw().replace("position", "position ++1/3/3 x")),
        ("no claim", draw().remove("claim").replace("claim", "note")),
        ("the same claim twice", draw().replace("claim cannot o", "claim cannot x within 300")),
        ("a weak claim", draw().replace("claim", "claim weak x")),
        ("a limit of 0", win().replace("claim cannot", "claim cannot x within 0")),
        // Claims and blocks.
        ("one ply less for a win", win().replace("claim wins", "claim wins x within 10")),
        ("two plies more for its bound", win().replace("claim cannot", "claim cannot x within 12")),
        ("no limit for its bound", win().replace("claim cannot", "claim cannot x")),
        ("the other player", win().replace("claim wins", "claim wins o within 11")),
        ("the other claim", draw().replace("claim cannot x", "claim wins x within 9")),
        (
            "a claim without a proof",
            draw().insert_before("position", "claim cannot x").replace("claim", "position 3/3/3 x"),
        ),
        ("a proof without a claim", draw().replace("prove 2", "prove 3")),
        ("a claim proved twice", draw().replace("prove 2", "prove 1")),
        ("a lemma number left out", draw().replace("lemma 2 ", "lemma 3 3/3/3 x cannot x")),
        ("a record too many", draw().insert_before("end", "none")),
        ("a record too few", {
            let mut draft = draw();
            let place = draft.0.len() - 2;
            draft.0.remove(place);
            draft.text()
        }),
        // Lemmas.
        ("a lemma that comes later", draw().words("use", |words| words[1] = "400".into())),
        ("a lemma that uses itself", {
            let mut draft = draw();
            let place = draft.first("lemma 1 ") + 1;
            draft.0[place] = "use 1 0".into();
            draft.text()
        }),
        ("a lemma after its last use", draw().words("use", |words| words[0] = "last".into())),
        (
            "a symmetry that does not fit",
            reverse().words("use", |words| {
                words[2] = ((words[2].parse::<u8>().unwrap() + 1) % 8).to_string();
            }),
        ),
        ("a symmetry 8", draw().words("use", |words| words[2] = "8".into())),
        (
            "a lemma about another board",
            draw().change("lemma 1 ", |line| {
                let board = line.split(' ').nth(2).expect("a board");
                line.replacen(board, &board.replacen('x', "1", 1), 1)
            }),
        ),
        (
            "a lemma about the other player",
            draw().change("lemma 1 ", |line| {
                let (rest, player) = line.split_at(line.len() - 1);
                rest.to_owned() + if player == "x" { "o" } else { "x" }
            }),
        ),
        // Moves.
        ("a move to a stone", row("wins x within 1", &["move 0,0"])),
        ("a move off the board", row("wins x within 1", &["move 0,3"])),
        ("a move that wins nothing", row("wins x within 1", &["move 2,2"])),
        ("a cell in other words", row("wins x within 1", &["move c3"])),
        ("a move of the wrong player", two_by_two("cannot o", &["all"])),
        ("a move that loses the reverse game", by_hand("3 3 reverse", "xx1/oo1/3 x", "cannot o", &["move 0,2"])),
        ("all moves of the prover", two_by_two("wins x within 3", &["all", "fours 1,0"])),
        ("a dropped reply", two_by_two("wins x within 3", &["move 0,0", "all fours 0,1"])),
        (
            "a reply with two proofs",
            two_by_two("wins x within 3", &["move 0,0", "all fours 0,1", "fours 1,0", "fours 1,0"]),
        ),
        ("a reply that wins", by_hand("3 3 normal", "xx1/oo1/3 x", "wins x within 5", &["move 2,2", "all"])),
        // Threats.
        ("fours that threaten nothing", by_hand("3 3 normal", "3/3/3 x", "wins x within 9", &["fours 1,1"])),
        ("fours without a cell", row("wins x within 1", &["fours"])),
        ("fours that go on after the win", row("wins x within 1", &["fours 0,2 2,2"])),
        ("fours in too many plies", by_hand("4 3 normal", "4/1x2/3o/4 x", "wins x within 2", &["fours 1,2"])),
        ("fours while the other completes", by_hand("3 3 normal", "x1x/oo1/3 o", "wins o within 3", &["fours 2,2"])),
        ("fours under the reverse rule", by_hand("3 3 reverse", "xx1/oo1/3 x", "wins x within 1", &["fours 0,2"])),
        // Static rules.
        ("lines that are still open", two_by_two("cannot x", &["none"])),
        ("lines that weigh enough", two_by_two("cannot x", &["potential"])),
        ("a sum that is not below the bound", by_hand("3 3 normal", "3/3/3 x", "cannot x", &["potential"])),
        ("a potential for a win", row("wins x within 1", &["potential"])),
        ("a pair that is left out", pairs().words("pairs", |words| words.truncate(words.len() - 2))),
        ("a pair used twice", pairs().words("pairs", |words| words.extend([words[2].clone(), words[3].clone()]))),
        ("a single cell after the pairs", pairs().words("pairs", |words| words.truncate(words.len() - 1))),
        ("a wrong pair", pairs().words("pairs", |words| words.swap(3, 5))),
        ("a first cell of the attacker", by_hand("2 2 normal", "2/2 x", "cannot x", &["pairs 0,0 0,1 1,0"])),
        ("a pair with a stone", by_hand("3 3 normal", "x2/3/3 o", "cannot x", &["pairs 1,1 0,0 0,1"])),
        ("pairs under the reverse rule", by_hand("3 3 reverse", "3/3/3 x", "cannot x", &["pairs -"])),
        ("survival under the normal rule", by_hand("3 3 normal", "3/3/3 x", "cannot x", &["survive -"])),
        ("a kept cell that is left out", reverse().words("survive", |words| words[1] = "-".into())),
        ("a kept cell that is no poison", reverse().words("parity", |words| words[1].push_str(";0,0"))),
        (
            "a kept cell twice",
            reverse().words("parity", |words| {
                let first = words[1].split(';').next().unwrap().to_owned();
                words[1] = format!("{};{first}", words[1]);
            }),
        ),
        ("no kept cell", reverse().words("parity", |words| words[1] = "-".into())),
        ("an exchange that is left out", exchange().words("survive", |words| drop(words.drain(2..4)))),
        ("an exchange in the other order", exchange().words("survive", |words| words.swap(2, 3))),
        ("an exchange for a cell that is no poison", exchange().words("survive", |words| words[3] = "2,2".into())),
        ("kept cells that are not all poison", Draft::of(&bases.kept).replace("survive", "survive 0,2;1,2")),
        ("a mirror that is broken", mirror().replace("position", "position x3/4/4/2o1 x")),
        ("a mirror with the wrong player to move", mirror().replace("claim", "claim cannot o")),
        ("a mirror under the normal rule", mirror().replace("game", "game 4 2 normal")),
        ("a mirror for too short a win", by_hand("4 2 reverse", "4/4/4/4 x", "wins o within 9", &["all", "mirror"])),
        ("a mirror on a board of odd size", by_hand("5 3 reverse", "5/5/5/5/5 x", "cannot o", &["mirror"])),
        // Theorems.
        ("an unknown theorem", by_hand("8 5 normal", "8/8/8/8/8/8/8/8 x", "cannot x", &["theorem nash"])),
        ("a theorem about another board", by_hand("6 5 normal", "6/6/6/6/6/6 x", "cannot x", &["theorem hsu"])),
        (
            "a theorem for the other player",
            by_hand("3 3 normal", "3/3/3 x", "cannot x", &["theorem strategy-stealing"]),
        ),
        ("a theorem after a move", by_hand("3 3 normal", "x2/3/3 o", "cannot o", &["theorem strategy-stealing"])),
        (
            "a theorem under the reverse rule",
            by_hand("3 3 reverse", "3/3/3 x", "cannot o", &["theorem strategy-stealing"]),
        ),
        // The weak game.
        (
            "the weak game with a limit",
            by_hand("5 5 normal", "5/5/5/5/5 x", "cannot x within 9", &["weak", "potential"]),
        ),
        ("the weak game twice", weak().insert_before("weak", "weak")),
        ("the weak game under the reverse rule", by_hand("3 3 reverse", "3/3/3 x", "cannot x", &["weak", "none"])),
        ("a win of Maker", by_hand("3 3 normal", "3/3/3 x", "cannot x", &["weak", "zone 0,0", "none"])),
        ("a zone without its first move", weak().words("zone", |words| drop(words.remove(1)))),
        ("a zone with a move more", weak().words("zone", |words| words.push(words[1].clone()))),
        ("a zone of a lemma that is too small", {
            let mut draft = weak();
            let place = draft.0.iter().position(|line| line.starts_with("lemma") && line.contains('+')).unwrap();
            draft.0[place] = draft.0[place].replacen('+', "1", 1).replace("11", "2");
            draft.text()
        }),
        (
            "cells that are not equal",
            weak().words("equal", |words| {
                words[2] = if words[1] == "3,3" { "0,0".into() } else { "3,3".into() };
            }),
        ),
        ("equal cells that are one cell", weak().words("equal", |words| words[2] = words[1].clone())),
        ("a free move turned round", weak().words("free", |words| words.swap(1, 2))),
        (
            "a move of Breaker for Maker",
            weak().words("zone", |words| {
                words[0] = "move".into();
                words.truncate(2);
            }),
        ),
        ("pairs that miss a line", weak().words("pairs", |words| words.truncate(2))),
    ]
}

#[test]
fn what_proves_less_is_refused_by_both_with_its_record() {
    let bases = bases();
    let all = [
        &bases.draw,
        &bases.win,
        &bases.weak,
        &bases.pairs,
        &bases.reverse,
        &bases.exchange,
        &bases.kept,
        &bases.mirror,
        &bases.mirrored,
        &bases.wide,
    ];
    for text in all {
        assert!(verdict(text).is_ok() && python_verdict(text).is_ok(), "{:?}\n{text}", verdict(text));
    }
    let mutations = mutations(&bases);
    assert!(mutations.len() >= 90, "{}", mutations.len());
    let mut wrong = Vec::new();
    for (name, text) in &mutations {
        let said = (verdict(text), python_verdict(text));
        match said {
            (Err(one), Err(other)) if one == other && one > 0 => {}
            _ => wrong.push(format!("{name}: {said:?}")),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
