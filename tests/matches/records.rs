//! The figures and files of a match: figures follow from its records, in every format; files can be continued, joined and
//! read by others.

use std::collections::{BTreeMap, HashSet};
use std::time::Instant;

use crate::common::contest::{
    Contest, Played, ended, ended_child, half_points, list, moves, number, opening, players, real, set, text,
};
use crate::common::{oracle, rules};
use noughts::arena::statistics::{Interval, Outcomes, Sprt, SprtSettings, elo};
use noughts::game::Position;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

/// Games of two engines, counted anew.
#[derive(Default)]
struct Count {
    games: u64,
    half_points: [u64; 3],
    points: f64,
    weight: f64,
    milliseconds: Vec<f64>,
    /// The milliseconds by which moves came after the time, within the margin.
    margins: Vec<f64>,
}

impl Count {
    fn add(&mut self, game: &Value, name: &str) {
        let (half_points, weight) = (half_points(game, name), real(&game["opening"]["weight"]));
        self.games += 1;
        self.half_points[half_points] += 1;
        self.points += half_points as f64 / 2.0 * weight;
        self.weight += weight;
        let second = usize::from(game["opening"]["side"] != if players(game).0 == name { "x" } else { "o" });
        let own = || list(&game["moves"]).iter().skip(second).step_by(2);
        self.milliseconds.extend(own().map(|each| real(&each["ms"])));
        self.margins.extend(own().filter_map(|each| each.get("margin")).map(real));
    }

    fn of<'a>(games: impl IntoIterator<Item = &'a Value>, name: &str) -> Count {
        let mut count = Count::default();
        games.into_iter().for_each(|game| count.add(game, name));
        count
    }

    /// The table says how much the margin was needed.
    #[track_caller]
    fn assert_needed(&self, margin: &Value) {
        let most = self.margins.iter().copied().reduce(f64::max);
        assert_eq!(*margin, json!({ "moves": self.margins.len(), "ms": most }));
    }

    /// A part of the table says what was counted.
    #[track_caller]
    fn assert_is(&self, part: &Value) {
        let [losses, draws, wins] = self.half_points;
        for (key, count) in [("games", self.games), ("wins", wins), ("draws", draws), ("losses", losses)] {
            assert_eq!(number(&part[key]), count, "{key}: {part}");
        }
        let moves = self.milliseconds.len() as f64;
        assert_near(&part["ms_per_move"], self.milliseconds.iter().sum::<f64>() / moves);
        assert_near(&part["score"], self.points / self.weight);
    }
}

/// A figure is there and right, or there is none to be had.
#[track_caller]
fn assert_near(figure: &Value, expected: f64) {
    match figure.as_f64() {
        Some(figure) => assert!((figure - expected).abs() < 1e-9, "{figure} is not {expected}"),
        None => assert!(!expected.is_finite(), "there is no figure, {expected} is expected"),
    }
}

/// A range says this, and nothing where that is infinite.
#[track_caller]
fn assert_range(range: &Value, value: f64, interval: Interval) {
    for (key, expected) in [("value", value), ("low", interval.low), ("high", interval.high)] {
        assert_near(&range[key], expected);
    }
    assert!(interval.contains(value), "{value} {interval:?}");
}

/// The independent units of a match, its games or its pairs of games: the number of each kind, the interval of their
/// score, and the likelihood that the first engine is the stronger one.
fn units(games: &[&Value], name: &str, swap: bool) -> (Vec<u64>, Interval, f64) {
    fn sum<const N: usize>(units: &[(usize, f64)]) -> (Vec<u64>, Interval, f64) {
        let mut outcomes = Outcomes::<N>::new();
        units.iter().for_each(|&(half_points, weight)| outcomes.add(half_points, weight));
        (outcomes.counts().to_vec(), outcomes.score_interval(0.95), outcomes.likelihood_of_superiority())
    }
    let mut rounds: BTreeMap<u64, Vec<(usize, f64)>> = BTreeMap::new();
    for game in games {
        let unit = (half_points(game, name), real(&game["opening"]["weight"]));
        rounds.entry(number(&game["round"])).or_default().push(unit);
    }
    if !swap {
        return sum::<3>(&rounds.into_values().flatten().collect::<Vec<_>>());
    }
    let pairs = rounds.into_values().filter(|round| round.len() == 2);
    sum::<5>(&pairs.map(|round| (round[0].0 + round[1].0, round[0].1)).collect::<Vec<_>>())
}

/// Every figure of the table follows from the record.
#[track_caller]
fn assert_adds_up(played: &Played) {
    let games = &played.games;
    assert_eq!(number(&played.table["games"]), games.len() as u64);
    for engine in list(&played.table["engines"]) {
        let name = text(&engine["name"]);
        let own = || games.iter().filter(|game| players(game).0 == name || players(game).1 == name);
        Count::of(own(), &name).assert_is(engine);
        Count::of(own(), &name).assert_needed(&engine["margin"]);
        Count::of(own().filter(|game| players(game).0 == name), &name).assert_is(&engine["x"]);
        Count::of(own().filter(|game| players(game).1 == name), &name).assert_is(&engine["o"]);
        assert_holds(&engine["elo"]);
    }
    for pairing in list(&played.table["pairings"]) {
        assert_pairing_adds_up(pairing, games);
    }
}

/// The value lies within the bounds, as far as there are any.
#[track_caller]
fn assert_holds(range: &Value) {
    let [low, value, high] = ["low", "value", "high"].map(|key| range[key].as_f64());
    assert!(low.zip(value).is_none_or(|(low, value)| low <= value), "{range}");
    assert!(value.zip(high).is_none_or(|(value, high)| value <= high), "{range}");
}

#[track_caller]
fn assert_pairing_adds_up(pairing: &Value, games: &[Value]) {
    let [first, second] = [0, 1].map(|place| text(&pairing["engines"][place]));
    let both = [first.clone(), second];
    let games: Vec<&Value> =
        games.iter().filter(|game| both.contains(&players(game).0) && both.contains(&players(game).1)).collect();
    let count = Count::of(games.iter().copied(), &first);
    count.assert_is(pairing);
    for (place, name) in both.iter().enumerate() {
        Count::of(games.iter().copied(), name).assert_needed(&pairing["margin"][place]);
    }
    Count::of(games.iter().copied().filter(|game| players(game).0 == first), &first).assert_is(&pairing["x"]);
    Count::of(games.iter().copied().filter(|game| players(game).1 == first), &first).assert_is(&pairing["o"]);

    let swap = games[0]["swap"] == true;
    let (counts, interval, superiority) = units(&games, &first, swap);
    assert_eq!(pairing["pairs"], if swap { json!(counts) } else { Value::Null });
    let score = count.points / count.weight;
    assert_range(&pairing["score_range"], score, interval);
    assert_range(&pairing["elo"], elo(score), interval.elo());
    assert_near(&pairing["los"], superiority);
    assert_near(&pairing["draw_ratio"], count.half_points[1] as f64 / count.games as f64);

    let different = games.iter().map(|game| (opening(game), players(game).0, moves(game))).collect::<HashSet<_>>();
    assert_eq!(number(&pairing["distinct"]), different.len() as u64);
    assert_eq!(number(&pairing["repeats"]), count.games - different.len() as u64);
    for (reason, told) in pairing["reasons"].as_object().expect("numbers by reason") {
        assert_eq!(number(told), games.iter().filter(|game| game["reason"] == **reason).count() as u64, "{reason}");
    }
}

/// Three players that do not play alike.
fn tournament(words: &str) -> Contest {
    let of = Contest::new().noughts("Perfect", "player=perfect").noughts("Random", "player=random");
    of.noughts("Quick", "player=montecarlo trials=5").with(words)
}

#[test]
fn every_figure_follows_from_the_record() {
    for words in [
        "--games 30",
        "--games 7 --openings all:1",
        "--games 25 --swap off --openings random:1",
        "--games 40 --openings classes:2",
        "--games 40 --openings classes:2 --swap off",
        "--games 20 --reverse --gauntlet --openings random:2",
    ] {
        assert_adds_up(&tournament(words).play());
        assert_adds_up(&Contest::of_random_players().with(words).with("--size 4").play());
    }
}

/// All moves of a match in milliseconds, by the engine that made them.
fn times(games: &[Value], name: &str) -> Vec<f64> {
    let of = |game: &Value| {
        let first = usize::from(players(game).0 != name);
        list(&game["moves"]).iter().skip(first).step_by(2).map(|played| real(&played["ms"])).collect::<Vec<f64>>()
    };
    games.iter().flat_map(of).collect()
}

#[test]
fn times_of_moves_add_up_to_no_more_than_passed() {
    let of = Contest::new().bad("Slow", "late 0 20").noughts("Quick", "player=random").with("--games 8 --seed 1");
    let start = Instant::now();
    let played = of.play();
    let passed = start.elapsed().as_secs_f64() * 1e3;
    let (slow, quick) = (times(&played.games, "Slow"), times(&played.games, "Quick"));
    let sum = |times: &[f64]| times.iter().sum::<f64>();
    // One engine thinks at a time, 20 ms for each move of the slow one.
    assert!(sum(&slow) >= 20.0 * slow.len() as f64 && slow.len() > 16, "{slow:?}");
    assert!(sum(&slow) + sum(&quick) <= passed, "{passed}: {slow:?} {quick:?}");
}

/// An engine in Python that is late by so many milliseconds in each move, and one that is not.
fn late(milliseconds: u32) -> Contest {
    let of = Contest::new().bad("Late", &format!("late 0 {milliseconds}"));
    of.noughts("Quick", "player=random").with("--games 4 --seed 1 --movetime 40 --margin 30000")
}

#[test]
fn a_move_that_needed_the_margin_says_so_in_its_record() {
    let played = late(15).play();
    assert_adds_up(&played);
    let late = list(&played.table["engines"]).iter().find(|engine| engine["name"] == "Late").expect("it has played");
    assert!(number(&late["margin"]["moves"]) >= 8 && real(&late["margin"]["ms"]) >= 15.0, "{late}");
    for played in played.games.iter().flat_map(|game| list(&game["moves"])) {
        let over = real(&played["ms"]) - 40.0;
        assert_eq!(played.get("margin").is_some(), over > 0.0, "{played}");
        if let Some(margin) = played.get("margin") {
            assert!((real(margin) - over).abs() < 0.002, "{played}");
        }
    }
}

#[test]
fn what_a_clock_lacked_came_out_of_the_margin() {
    let of = Contest::of_random_players().with("--games 6 --seed 1 --tc 0.00001+0.00002 --margin 30000");
    let played = of.play();
    assert_adds_up(&played);
    for game in &played.games {
        let mut left = [0.01; 2];
        for (ply, played) in list(&game["moves"]).iter().enumerate() {
            let ms = real(&played["ms"]);
            let margin = played.get("margin").map_or(0.0, real);
            assert!((margin - f64::max(0.0, ms - left[ply % 2])).abs() < 0.002, "{left:?} {game}");
            left[ply % 2] = f64::max(0.0, left[ply % 2] - ms) + 0.02;
        }
    }
    let margins = list(&played.pairing()["margin"]);
    assert!(margins.iter().all(|margin| number(&margin["moves"]) > 0), "{margins:?}");
}

#[test]
fn the_margin_is_told_where_it_was_needed_and_in_reports_too() {
    let of = late(15);
    let played = of.play();
    let most = real(&played.pairing()["margin"][0]["ms"]);
    for (format, says) in [("text", "margin    "), ("markdown", "| margin ")] {
        let table = of.report(&["record"], &format!("--format {format}")).output;
        let line = table.lines().find(|line| line.starts_with(says)).unwrap_or_else(|| panic!("{table}"));
        assert!(
            line.contains("Late needed it ") && line.contains(&format!(" times, by {most:.1} ms at most")),
            "{line}"
        );
    }
    // In a tournament it stands below all tables.
    let of = late(15).noughts("Third", "player=random").with("--gauntlet");
    let played = of.play();
    assert_adds_up(&played);
    assert!(of.report(&["record"], "").output.contains("margin  Late needed it "));
    // Where it was not needed nothing is said.
    for words in ["", "--movetime 20000"] {
        let of = Contest::of_random_players().with("--games 4").with(words);
        let played = of.play();
        assert!(!of.read("record").contains("margin") && !of.report(&["record"], "").output.contains("margin"));
        assert_eq!(played.pairing()["margin"], json!([{ "moves": 0, "ms": null }, { "moves": 0, "ms": null }]));
    }
}

#[test]
fn figures_hold_when_every_game_ends_alike() {
    let sure = || Contest::new().noughts("A", "player=random").noughts("B", "player=random");
    for words in
        ["--connect 20 --openings all:1", "--connect 1 --openings random:0", "--connect 1 --reverse --swap off"]
    {
        for games in [1, 2, 30] {
            let played = sure().with(words).with(&format!("--games {games}")).play();
            if played.pairing()["exhausted"] == false {
                assert_adds_up(&played);
            }
        }
    }
}

#[test]
fn the_score_of_an_exhausted_match_is_exact_also_by_classes() {
    // Both play perfectly, so who wins does not depend on how an opening is turned.
    let of = |openings: &str, games: u64| {
        let of = Contest::new().noughts("A", "player=perfect tiebreak=first");
        let of = of.noughts("B", "player=perfect tiebreak=first").with("--swap off --openings").with(openings);
        of.with(&format!("--games {games}")).play()
    };
    let start = Position::start(rules(3, 0, false));
    let mut points = 0.0;
    for after in start.moves().map(|cell| start.after(cell)) {
        let openings = after.moves().map(|cell| oracle::value(&after.after(cell)));
        points += openings.map(|value| f64::from(value.result() + 1) / 2.0).sum::<f64>();
    }
    for (openings, games) in [("all:2", 144), ("all:2", 200), ("classes:2", 24), ("classes:2", 41)] {
        let played = of(openings, games);
        let pairing = played.pairing();
        assert_eq!(pairing["exhausted"], true, "{pairing}");
        assert_eq!(pairing["weighted"], openings == "classes:2");
        assert_near(&pairing["score"], points / 72.0);
        assert_eq!(pairing["score_range"]["low"], pairing["score_range"]["high"]);
        assert_eq!(pairing["elo"]["low"], pairing["elo"]["high"]);
        assert_eq!(real(&pairing["los"]), 1.0, "X is ahead");
        let first = list(&played.table["engines"]).iter().find(|engine| engine["name"] == "A").expect("it has played");
        assert_eq!((&first["score"], &first["elo"]), (&pairing["score"], &pairing["elo"]));
    }
}

#[test]
fn a_match_is_exhausted_only_when_every_game_repeats_unchanged() {
    let of = |first: &str, words: &str| {
        let of = Contest::new().noughts("A", first).noughts("B", "player=perfect tiebreak=first").with(words);
        of.play().pairing()["exhausted"] == true
    };
    let first = "player=perfect tiebreak=first";
    assert!(of(first, "--openings all:1 --games 36"));
    assert!(!of(first, "--openings all:1 --games 35"), "one of them did not come up again");
    assert!(!of(first, "--openings all:1 --games 18"));
    assert!(of(first, "--games 10"));
    assert!(!of(first, "--games 9"), "seven repeats may be chance");
    assert!(!of(first, "--openings random:1 --games 60"), "there may be more openings");
    assert!(!of("player=perfect", "--openings all:1 --games 60"), "among equal moves it draws");
    assert!(!of("player=random", "--openings all:1 --games 60"));
}

/// A table without what differs from run to run.
fn without_times(mut table: Value) -> Value {
    fn clear(value: &mut Value) {
        match value {
            Value::Object(entries) => {
                for key in ["ms_per_move", "games_per_second", "of"] {
                    if entries.contains_key(key) {
                        entries[key] = Value::Null;
                    }
                }
                entries.values_mut().for_each(clear);
            }
            Value::Array(entries) => entries.iter_mut().for_each(clear),
            _ => {}
        }
    }
    clear(&mut table);
    table
}

#[test]
fn a_report_says_what_the_match_said_itself() {
    for format in ["text", "json", "markdown"] {
        for (of, games) in [
            (tournament(""), 10),
            (Contest::of_random_players(), 21),
            (Contest::of_random_players().with("--sprt elo1=20"), 30),
            (Contest::of_random_players().with("--openings classes:1 --size 4"), 1),
        ] {
            let sprt = if of.words.iter().any(|word| word == "--sprt") { " --sprt elo1=20" } else { "" };
            let of = of.with(&format!("--games {games} --format {format} --record")).path("record");
            let own = of.run();
            let report = of.report(&["record"], &format!("--format {format}{sprt}"));
            assert_eq!((own.code, report.code), (Some(0), Some(0)), "{own:?} {report:?}");
            assert!(own.errors.is_empty() && report.errors.is_empty(), "{own:?} {report:?}");
            let without_speed = |output: &str| match format {
                "json" => {
                    let mut table: Value = serde_json::from_str(output).expect("JSON");
                    (table["games_per_second"], table["of"]) = (Value::Null, Value::Null);
                    table.to_string()
                }
                _ => output.lines().filter(|line| !line.contains(" games/s")).collect::<Vec<_>>().join("\n"),
            };
            assert_eq!(without_speed(&own.output), without_speed(&report.output));
        }
    }
}

#[test]
fn the_shards_of_a_match_together_are_the_match() {
    for words in ["--games 13 --openings all:1", "--games 9 --swap off --openings random:2", "--games 8"] {
        let of = tournament(words).with("--seed 3");
        let whole = of.play();
        let parts: Vec<String> = (1..=3).map(|part| format!("part {part}")).collect();
        let mut of_parts = 0;
        for (part, name) in parts.iter().enumerate() {
            let mut command = of.command();
            command.arg("--shard").arg(format!("{}/3", part + 1)).arg("--record").arg(of.file(name));
            command.args(["--format", "json"]);
            let table = ended(command).json();
            assert_eq!(table["games"], table["of"]);
            of_parts += number(&table["of"]);
            let games = of.games(name);
            let pairs = set(games.iter().map(|game| (number(&game["round"]), set([players(game).0, players(game).1]))));
            assert!(words.contains("off") || pairs.len() == games.len().div_ceil(2), "pairs stay together");
        }
        assert_eq!(of_parts, whole.games.len() as u64);
        let files: Vec<&str> = parts.iter().rev().map(String::as_str).collect();
        let merged = of.report(&files, "--format json");
        assert_eq!((merged.code, merged.errors.as_str()), (Some(0), ""));
        assert_eq!(without_times(merged.json()), without_times(whole.table));
    }
}

#[test]
fn a_shard_beyond_the_end_of_the_match_is_empty() {
    for format in ["text", "json", "markdown"] {
        let ended = Contest::of_random_players().with("--games 4 --seed 1 --shard 3/3 --format").with(format).run();
        assert_eq!((ended.code, ended.errors.as_str()), (Some(0), ""), "{ended:?}");
    }
}

#[test]
fn a_game_that_is_there_twice_counts_once() {
    let of = tournament("--games 5");
    of.play();
    let once = of.report(&["record"], "");
    let twice = of.report(&["record", "record"], "");
    assert_eq!(twice.output, once.output);
    assert!(twice.errors.starts_with("warning: 15 games") && once.errors.is_empty(), "{twice:?}");
    let first_line = of.read("record").lines().nth(1).expect("a game").to_owned() + "\n";
    of.write("first", &first_line);
    let again = of.report(&["record", "first"], "");
    assert!(again.errors.starts_with("warning: one game is there"), "{again:?}");
}

#[test]
fn different_matches_have_tables_of_their_own() {
    let of = Contest::of_random_players().with("--games 4 --seed 1");
    of.play();
    std::fs::copy(of.file("record"), of.file("other")).expect("a copy");
    let of = of.with("--reverse");
    of.play();
    let both = of.report(&["other", "record"], "");
    let titles =
        |output: &str| output.lines().filter(|line| line.contains("seed 1")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(titles(&both.output).len(), 2, "{both:?}");
    assert_eq!(both.output, of.report(&["other"], "").output + "\n" + &of.report(&["record"], "").output);
    assert_eq!(of.report(&["other", "record"], "--format json").output.lines().count(), 2);
}

#[test]
fn records_of_earlier_kinds_are_read_or_refused() {
    let kept = |name: &str| {
        let path = format!("{}/tests/data/records/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("a record that is kept")
    };
    let of = Contest::of_random_players().with("--games 6 --seed 1 --resume --record");
    // Four games that two processes played at once; and the same from before there were lines of attempts.
    let interleaved = kept("interleaved");
    let (attempt, without_attempt) = interleaved.split_once('\n').expect("more than a line");
    assert!(attempt.starts_with("{\"attempt\":"));
    for text in [interleaved.as_str(), without_attempt] {
        let record = of.write("earlier", text);
        let table = of.report(&["earlier"], "--format json").json();
        assert_eq!((number(&table["games"]), real(&table["pairings"][0]["score"])), (4, 0.25));
        let mut resumed = of.command();
        resumed.arg(record);
        ended(resumed).assert_usage_error("a match with other engines, rules or settings");
    }
    // Two of four games, from before there were boards that are no squares: the match is the same, and goes on.
    let of = Contest::of_random_players().with("--games 4 --seed 1 --resume --record").path("squares");
    of.write("squares", &kept("squares"));
    assert_eq!(of.run().code, Some(0));
    let record = of.read("squares");
    let games = record.lines().filter(|line| line.starts_with("{\"match\":\"8dac7a997a6d42ec\","));
    assert_eq!((games.count(), record.starts_with(&kept("squares"))), (4, true), "{record}");
    of.write("exam", &kept("exam"));
    of.report(&["exam"], "").assert_failed(&["exam: line 1 is not a game"]);
}

#[test]
fn a_report_needs_records_and_says_what_is_wrong_with_them() {
    let of = Contest::of_random_players().with("--games 2");
    of.play();
    let whole = of.read("record");
    let line = whole.lines().nth(1).expect("a game");
    of.write("text", "3x3, 2 games\n");
    of.write("nothing", "");
    for (file, mentions) in [("absent", "cannot open"), ("text", "line 1 is not a game"), ("nothing", "no game")] {
        let ended = of.report(&[file], "");
        ended.assert_failed(&[mentions]);
        assert_eq!(ended.output, "");
    }
    assert_eq!(of.report(&[], "").code, Some(2));
    of.report(&["record"], "--format xml").assert_usage_error("xml");
    of.report(&["record"], "--sprt elo1=-5").assert_usage_error("elo0");

    of.write("torn", &format!("{line}\n{}", &line[..line.len() / 2]));
    let torn = of.report(&["torn"], "");
    assert_eq!(torn.code, Some(0));
    assert!(torn.errors.contains("torn") && torn.output.starts_with("3x3, 1 game,"), "{torn:?}");
}

#[test]
fn a_record_tells_everything_of_a_game() {
    let of = Contest::new().noughts("Perfect", "player=perfect").noughts("Quick", "player=montecarlo");
    let played = of.with("--games 4 --trials 9 --openings random:2 --size 3 --connect 3 --seed 11").play();
    for game in &played.games {
        assert_eq!(game["rules"], json!({ "rows": 3, "columns": 3, "size": 3, "connect": 3, "reverse": false }));
        assert_eq!((&game["limit"], &game["seed"], &game["swap"]), (&json!("trials 9"), &json!(11), &json!(true)));
        for (ply, played) in list(&game["moves"]).iter().enumerate() {
            let side = if ply % 2 == 0 { "x" } else { "o" };
            assert!((-1.0..=1.0).contains(&real(&played["value"])) && real(&played["ms"]) > 0.0, "{played}");
            // The other proves its value, in which every empty square counts.
            let empty = 9 - 2 - ply as u64;
            assert_eq!(number(&played["nodes"]), if game[side]["name"] == "Quick" { 9 } else { empty }, "{game}");
            assert_eq!(game[side]["command"], "noughts");
        }
        let last = list(&game["moves"]).last().expect("a move");
        assert!(game["result"] == "draw" || last["value"] == 1.0 || game[&text(&game["result"])]["name"] != "Perfect");
    }
}

#[test]
fn an_interrupted_match_prints_what_was_played() {
    for (format, words) in [("text", ""), ("json", "--concurrency 2")] {
        let of = Contest::of_random_players()
            .with("--games 1000000 --format")
            .with(format)
            .with(words)
            .with("--record")
            .path("record");
        let child = of.command().spawn().expect("the program starts");
        let start = Instant::now();
        while !of.file("record").exists() || of.read("record").lines().count() < 50 {
            assert!(start.elapsed().as_secs() < 20, "nothing is recorded");
        }
        kill_process(Pid::from_child(&child), Signal::INT).expect("our own child");
        let ended = ended_child(child, start);
        ended.assert_failed(&["error: the match was interrupted", "--resume"]);
        let games = of.games("record").len();
        match format {
            "json" => {
                let (table, games) = (ended.json(), of.games("record"));
                assert_eq!(table["of"], 1_000_000);
                assert_adds_up(&Played { table, games, errors: String::new() });
            }
            _ => assert!(ended.output.starts_with(&format!("3x3, {games} of 1000000 games")), "{ended:?}"),
        }
    }
}

#[test]
fn there_is_no_progress_bar_without_a_terminal() {
    let ended = Contest::of_random_players().with("--games 3000").run();
    assert_eq!((ended.code, ended.errors.as_str()), (Some(0), ""));
    assert!(!ended.output.contains(['\r', '\u{1b}']), "{ended:?}");
}

#[test]
fn a_match_can_be_made_longer_and_is_then_the_longer_match() {
    for words in ["--openings random:1", "--openings all:1 --concurrency 2"] {
        let unbroken = tournament(words).with("--seed 5 --games 12").play();
        let mut of = tournament(words).with("--seed 5 --format json --record").path("record").with("--games 5");
        assert_eq!(of.run().code, Some(0));
        let begun = of.read("record");
        *of.words.last_mut().expect("a word") = "12".to_owned();
        let of = of.with("--resume");
        let resumed = of.run();
        assert_eq!((resumed.code, resumed.errors.as_str()), (Some(0), ""));
        assert!(of.read("record").starts_with(&begun));
        let games = of.games("record");
        assert_eq!(without_times(resumed.json()), without_times(unbroken.table.clone()));
        let resumed = Played { table: resumed.json(), games, errors: String::new() };
        assert_eq!(resumed.moves(), unbroken.moves());
    }
}

#[test]
fn a_resumed_match_takes_its_seed_from_the_record() {
    let of = Contest::of_random_players().with("--openings random:1 --format json --record").path("record");
    let mut command = of.command();
    command.args(["--games", "4"]);
    let first = ended(command).json();
    let mut command = of.command();
    command.args(["--games", "8", "--resume"]);
    let second = ended(command).json();
    assert_eq!((&first["seed"], &first["match"]), (&second["seed"], &second["match"]));
    assert_eq!(second["games"], 8);
}

#[test]
fn files_that_hold_something_else_are_left_alone() {
    let of = Contest::of_random_players().with("--games 4 --seed 1");
    of.play();
    let whole = of.read("record");
    let record = of.file("record").display().to_string();
    let pgn = of.write("pgn", "something\n");
    let notes = of.write("notes", "something\n");
    let word = of.write("word", "something");
    for (words, code, mentions) in [
        (format!("--record {record}"), 2, "--resume"),
        (format!("--pgn {pgn}"), 2, "is there already"),
        (format!("--record {record} --resume --reverse"), 2, "other engines"),
        (format!("--record {record} --resume --trials 9"), 2, "other engines"),
        (format!("--record {record} --resume --each option.tiebreak=first"), 2, "other engines"),
        (format!("--record {record} --resume --openings all:1"), 2, "other engines"),
        (format!("--record {notes} --resume"), 1, "line 1 is not a game"),
        (format!("--record {word} --resume"), 1, "line 1 is not a game"),
        (format!("--record {record}.new --pgn {record}.new"), 2, "one file"),
        (format!("--record {record}.new --debug {record}.new"), 2, "one file"),
        (format!("--pgn {record}.new --debug {record}.new"), 2, "one file"),
    ] {
        let mut command = of.command();
        command.args(words.split(' '));
        let ended = ended(command);
        assert_eq!((ended.code, ended.output.as_str()), (Some(code), ""), "{words}: {ended:?}");
        assert!(ended.errors.contains(mentions), "{words}: {ended:?}");
    }
    assert_eq!(of.read("record"), whole);
    assert_eq!(
        (of.read("pgn"), of.read("notes"), of.read("word")),
        ("something\n".into(), "something\n".into(), "something".into())
    );
    // Several outputs may share a device.
    let played = of.with("--pgn /dev/null --debug /dev/null").play();
    assert_eq!(played.games.len(), 4);
}

#[cfg(unix)]
#[test]
fn a_record_is_no_file_that_the_table_goes_to() {
    let of = Contest::of_random_players().with("--games 4");
    let path = of.file("both").display().to_string();
    for name in [path.as_str(), "/dev/stdout"] {
        let mut command = of.command();
        command.args(["--record", name]).stdout(std::fs::File::create(&path).expect("a file"));
        let ended = command.output().expect("the program runs");
        assert_eq!(ended.status.code(), Some(2), "{ended:?}");
        assert!(String::from_utf8_lossy(&ended.stderr).contains("take a file of its own"), "{ended:?}");
        assert_eq!(of.read("both"), "");
    }
}

#[test]
fn the_debug_log_holds_every_line_both_ways_in_time_order() {
    let of = Contest::new().noughts("Random", "player=random").with("--games 3");
    let of = of.shell("Ear", "tee $1 | exec $0", "heard").with("--debug").path("log");
    let played = of.play();
    let log: Vec<(f64, String)> = of
        .read("log")
        .lines()
        .map(|line| line.trim_start().split_once(' ').expect("a time and more"))
        .map(|(time, rest)| (time.parse().expect("seconds"), rest.to_owned()))
        .collect();
    assert!(log.is_sorted_by(|a, b| a.0 <= b.0));
    let said = |prefix: &str| log.iter().filter_map(|line| line.1.strip_prefix(prefix)).collect::<Vec<_>>();
    assert_eq!(said("Ear > "), of.read("heard").lines().collect::<Vec<_>>());
    let answers = said("Ear < ").iter().filter(|line| line.starts_with("bestmove ")).count();
    let others = said("Random < ").iter().filter(|line| line.starts_with("bestmove ")).count();
    assert_eq!(answers + others, played.games.iter().map(|game| moves(game).len()).sum::<usize>());
    assert!(said("Ear < ").contains(&"ugiok") && said("Random > ").contains(&"ugi"));
}

/// Perfect play against random moves: the difference is beyond doubt.
fn decided(first: &str, second: &str) -> Contest {
    Contest::new().noughts("A", first).noughts("B", second).with("--games 100000 --sprt elo0=0 elo1=50")
}

#[test]
fn a_sequential_test_stops_when_it_is_decided() {
    for words in ["", "--concurrency 2", "--swap off"] {
        for (of, verdict) in
            [(decided("player=perfect", "player=random"), "H1"), (decided("player=random", "player=perfect"), "H0")]
        {
            let played = of.with(words).play();
            let sprt = &played.table["sprt"];
            assert_eq!(sprt["verdict"], verdict, "{sprt}");
            assert!(played.games.len() < 2000, "{}", played.games.len());
            assert_near(&sprt["high"], 19.0_f64.ln());
            assert_near(&sprt["low"], -(19.0_f64.ln()));
            let games: Vec<&Value> = played.games.iter().collect();
            let settings = SprtSettings { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05 };
            let test = Sprt::new(settings).expect("a test");
            let counts = units(&games, "A", words != "--swap off").0;
            let llr = match counts[..] {
                [a, b, c] => test.llr(&Outcomes::from([a, b, c])),
                [a, b, c, d, e] => test.llr(&Outcomes::from([a, b, c, d, e])),
                _ => unreachable!("three or five"),
            };
            assert_near(&sprt["llr"], llr);
            assert!(llr.abs() >= 19.0_f64.ln(), "{llr}");
        }
    }
}

#[test]
fn a_sequential_test_of_equals_plays_to_the_end() {
    let played = Contest::of_random_players().with("--games 40 --seed 1 --sprt elo0=0 elo1=5").play();
    assert_eq!((&played.table["sprt"]["verdict"], played.games.len()), (&json!("none"), 40));
}

/// The log likelihood ratio of a pair of engines, computed from the record anew.
fn llr(games: &[Value], engines: &Value, test: &Sprt) -> f64 {
    let [first, second] = [0, 1].map(|place| text(&engines[place]));
    let both = [first.clone(), second];
    let games: Vec<&Value> =
        games.iter().filter(|game| both.contains(&players(game).0) && both.contains(&players(game).1)).collect();
    match units(&games, &first, true).0[..] {
        [a, b, c, d, e] => test.llr(&Outcomes::from([a, b, c, d, e])),
        _ => unreachable!("five kinds of pairs"),
    }
}

#[test]
fn in_a_tournament_each_pair_has_a_test_of_its_own() {
    let of = tournament("--games 40 --seed 1");
    let played = of.play();
    let settings = SprtSettings { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05 };
    let test = Sprt::new(settings).expect("a test");
    let table = of.report(&["record"], "--sprt elo0=0 elo1=100 --format json").json();
    assert_eq!(table["sprt"], Value::Null, "no test is about three engines");
    let mut verdicts = Vec::new();
    for pairing in list(&table["pairings"]) {
        let expected = llr(&played.games, &pairing["engines"], &test);
        assert_near(&pairing["sprt"]["llr"], expected);
        let verdict = match expected {
            llr if llr >= test.bounds().high => "H1",
            llr if llr <= test.bounds().low => "H0",
            _ => "none",
        };
        assert_eq!((&pairing["sprt"]["verdict"], &pairing["sprt"]["exact"]), (&json!(verdict), &Value::Null));
        verdicts.push(verdict);
        let line = format!("{} : {}: LLR {expected:.2} (", text(&pairing["engines"][0]), text(&pairing["engines"][1]));
        for (format, start) in [("text", "SPRT "), ("markdown", "| SPRT ")] {
            let table = of.report(&["record"], &format!("--sprt elo0=0 elo1=100 --format {format}")).output;
            let lines: Vec<&str> = table.lines().filter(|line| line.starts_with(start)).collect();
            assert_eq!(lines.len(), 3, "{table}");
            assert!(lines.iter().any(|found| found.contains(&line)), "{line}: {table}");
        }
    }
    assert!(verdicts.contains(&"H1") && verdicts.contains(&"H0"), "the pairs differ: {verdicts:?}");
}

#[test]
fn an_exact_score_says_which_hypothesis_is_true() {
    let of = Contest::new().noughts("A", "player=perfect tiebreak=first");
    let of = of.noughts("B", "player=perfect tiebreak=first").with("--swap off --openings all:2 --games 144");
    let played = of.play();
    assert_eq!(played.pairing()["exhausted"], true);
    let score = real(&played.pairing()["elo"]["value"]);
    assert!((20.0..500.0).contains(&score), "X is ahead: {score}");
    let (below, above) = (score - 10.0, score + 10.0);
    for (elo0, elo1, exact, says) in [
        (0.0, below, "H1", format!("no worse than {below} Elo: H1 is true")),
        (above, above + 1.0, "H0", format!("no better than {above} Elo: H0 is true")),
        (below, above, "neither", format!("between {below} and {above} Elo: neither is true")),
    ] {
        let words = format!("--sprt elo0={elo0} elo1={elo1} --format");
        let report = |format: &str| of.report(&["record"], &format!("{words} {format}")).output;
        let table: Value = serde_json::from_str(&report("json")).expect("JSON");
        assert_eq!((&table["sprt"]["exact"], &table["sprt"]), (&json!(exact), &table["pairings"][0]["sprt"]));
        for format in ["text", "markdown"] {
            assert!(report(format).contains(&format!("; the exact score is {says}")), "{says}: {}", report(format));
        }
    }
    // The match itself says so too, where its score is exact before the test is decided.
    let of = Contest::new().noughts("A", "player=perfect tiebreak=first");
    let of = of.noughts("B", "player=perfect tiebreak=first").with("--games 1000 --sprt elo0=0 elo1=1");
    let ended = of.run();
    assert!(
        ended.output.contains("exhausted") && ended.output.contains("not decided; the exact score is "),
        "{ended:?}"
    );
    assert_eq!(Contest::of_random_players().with("--games 4 --sprt elo1=9").play().table["sprt"]["exact"], Value::Null);
}

#[test]
fn a_record_with_a_byte_order_mark_is_read_and_continued() {
    let of = Contest::of_random_players().with("--seed 3 --games 4 --record").path("record");
    assert_eq!(of.run().code, Some(0));
    let (plain, table) = (of.read("record"), of.report(&["record"], "").output);
    for text in [format!("\u{feff}{plain}"), format!("\u{feff}{}", plain.replace('\n', "\r\n"))] {
        of.write("record", &text);
        let read = of.report(&["record"], "");
        assert_eq!((read.code, read.output.as_str(), read.errors.as_str()), (Some(0), table.as_str(), ""));
        let mut command = of.command();
        command.args(["--resume", "--format", "json"]);
        assert_eq!(ended(command).json()["games"], 4);
        assert_eq!(of.read("record"), text);
    }
    // A copy of both files, one behind the other, has a mark in the middle.
    of.write("both", &format!("{plain}\u{feff}{plain}"));
    assert_eq!(of.report(&["both"], "").output, table);
    // The mark alone, and one with a torn line behind it.
    of.write("torn", &format!("\u{feff}{}", &plain[..20]));
    of.report(&["torn"], "").assert_failed(&["no game"]);
}

#[test]
fn the_verdict_is_printed_in_every_format() {
    for (format, verdict) in [("text", "H1 accepted"), ("markdown", "H1 accepted"), ("json", "\"H1\"")] {
        let ended = decided("player=perfect", "player=random").with("--format").with(format).run();
        assert_eq!(ended.code, Some(0));
        assert!(ended.output.contains(verdict), "{ended:?}");
    }
}

#[test]
fn a_match_that_is_decided_is_not_continued() {
    let of = decided("player=perfect", "player=random").with("--seed 2 --format json --record").path("record");
    let first = of.run();
    let again = of.with("--resume");
    let second = again.run();
    assert_eq!((first.code, second.code), (Some(0), Some(0)));
    assert_eq!(without_times(second.json()), without_times(first.json()));
}

#[test]
fn tables_for_people_leave_nothing_out() {
    for format in ["text", "markdown"] {
        for of in [Contest::of_random_players(), tournament("")] {
            let output = of.with("--games 6 --format").with(format).run().output;
            for word in ["games", "won", "draw", "lost", "score", "ms/move", "as X", "as O", "Elo", "LOS", "ended by"] {
                assert!(output.contains(word), "{word}: {output}");
            }
            assert!(output.contains("distinct") && output.contains("repeat"), "{output}");
        }
    }
}
