//! The PGN of a match: the games of its record, also after kills, full disks and torn files.

use std::time::{Duration, Instant};

use crate::common::contest::{Contest, ended, number, opening};
use crate::common::pgn::{assert_same_game, assert_same_games, read_pgn};

#[test]
fn pgn_tells_the_same_games_as_the_record() {
    let of =
        Contest::new().engine("name='A \"and\" \\\\' cmd=noughts option.player=random").noughts("B", "player=random");
    let file = of.write("openings", "startpos\nfen xo1/1x1/3 o\nfen 3/1x1/3\n");
    let of = of.with("--games 12 --openings").word(file).with("--pgn").path("pgn");
    let played = of.play();
    let written = read_pgn(&of.read("pgn"));
    assert_eq!(written.len(), played.games.len());
    for (written, game) in written.iter().zip(&played.games) {
        let tag = |name: &str| written.tags.get(name).cloned().unwrap_or_default();
        assert_same_game(written, game);
        let fen = opening(game).strip_prefix("fen ").map_or("3/3/3 x".to_owned(), str::to_owned);
        assert!(tag("FEN") == fen || tag("FEN") == fen + " o", "{}", tag("FEN"));
        assert!(written.comments.is_empty());
        for name in ["Site", "Date"] {
            assert!(!tag(name).is_empty(), "{name}");
        }
    }
    assert!(of.read("pgn").contains("1... ") || of.read("pgn").contains("2... "), "where O begins the number says so");
}

/// A match of random players with a record and a PGN.
fn recorded(words: &str) -> Contest {
    let of = Contest::of_random_players().with("--openings random:2").with(words);
    of.with("--record").path("record").with("--pgn").path("pgn").with("--resume")
}

/// Resumes the match to its end. Returns what it says on standard error.
#[track_caller]
fn resumed(of: &Contest) -> String {
    let ended = of.run();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_same_games(&of.read("record"), &of.read("pgn"));
    ended.errors
}

#[test]
fn a_comment_keeps_escapes_readable_and_ends_where_it_should() {
    let of = recorded("--games 1");
    let of = of.shell("C", "$0 | sed -u 's/^bestmove .*/bestmove é}{/'", "unused").with("--gauntlet");
    assert_eq!(of.run().code, Some(0));
    let written = read_pgn(&of.read("pgn"));
    let games = of.games("record");
    let told: Vec<String> = games.iter().filter_map(|game| Some(game.get("detail")?.as_str()?.to_owned())).collect();
    assert!(!told.is_empty() && told.iter().all(|detail| detail.starts_with("\"bestmove \\u{e9}}{\"")), "{told:?}");
    let comments: Vec<String> = written.into_iter().flat_map(|game| game.comments).collect();
    let expected: Vec<String> = told.iter().map(|detail| detail.replace('{', "(").replace('}', ")")).collect();
    assert_eq!(comments, expected);
    assert!(comments[0].starts_with("\"bestmove \\u(e9))(\""), "{comments:?}");
}

#[test]
fn a_pgn_that_was_cut_short_is_made_whole_from_the_record() {
    let of = recorded("--games 12 --seed 4");
    assert_eq!(resumed(&of), "");
    let (record, whole) = (of.read("record"), of.read("pgn"));
    // Nothing is to be mended.
    assert_eq!((resumed(&of), of.read("pgn")), (String::new(), whole.clone()));
    let starts = whole.match_indices("[Event ").map(|(place, _)| place);
    let cuts: Vec<usize> = starts.chain((0..20).map(|part| (part * 7919) % whole.len())).collect();
    for cut in cuts.into_iter().chain([0, 1, 8, whole.len() - 1]) {
        of.write("pgn", &whole[..cut]);
        assert_eq!((resumed(&of), of.read("pgn")), (String::new(), whole.clone()), "{cut}");
    }
    std::fs::remove_file(of.file("pgn")).expect("our own file");
    resumed(&of);
    assert_eq!((of.read("pgn"), of.read("record")), (whole, record));
}

/// The resume is refused because the PGN differs from the record from this game on. Neither file is changed.
#[track_caller]
fn assert_refused(of: &Contest, game: usize) {
    let files = || ["record", "pgn"].map(|name| std::fs::read_to_string(of.file(name)).unwrap_or_default());
    let before = files();
    let ended = of.run();
    ended.assert_usage_error(&format!("/pgn: from game {game} on it differs from the record "));
    assert_eq!(files(), before);
}

/// Where each game of a PGN begins, and where its result ends.
fn spans(pgn: &str) -> Vec<(usize, usize)> {
    let starts: Vec<usize> = pgn.match_indices("[Event ").map(|(place, _)| place).chain([pgn.len()]).collect();
    starts.windows(2).map(|pair| (pair[0], pair[1] - "\n\n".len())).collect()
}

#[test]
fn record_and_pgn_torn_anywhere_lose_no_whole_game() {
    let of = recorded("--games 12 --seed 4 --concurrency 2");
    resumed(&of);
    let (record, pgn) = (of.read("record"), of.read("pgn"));
    let games = spans(&pgn);
    let cut = |text: &str, eighths: usize, step: usize| (text.len() * eighths / 8).saturating_sub(step);
    let pairs = [(0, 3), (1, 0), (5, 2), (3, 7), (7, 7), (6, 5)];
    let mut cuts: Vec<[usize; 2]> =
        pairs.iter().enumerate().map(|(step, &(r, p))| [cut(&record, r, step), cut(&pgn, p, step)]).collect();
    // The record ends within its fifth game, and the PGN at the ends of the fourth and of the fifth.
    let lines: Vec<usize> = record.match_indices('\n').map(|(place, _)| place + 1).collect();
    let ends = [games[3].1 - 1, games[3].1, games[4].0, games[4].1 - 1, games[4].1, games[4].1 + 1, games[5].0];
    cuts.extend(ends.map(|end| [lines[4] + 50, end]));
    let mut refused = 0;
    for [first, second] in cuts {
        let (torn_record, torn_pgn) = (&record[..first], &pgn[..second]);
        of.write("record", torn_record);
        of.write("pgn", torn_pgn);
        // The first line of the record is the attempt.
        let kept = torn_record.matches('\n').count().saturating_sub(1);
        let written = games.iter().filter(|(_, end)| *end <= second).count();
        // The file may end in the middle of a game that the record has not.
        if written > kept || (written == kept && second > games[kept].0) {
            refused += 1;
            assert_refused(&of, kept + 1);
            of.write("record", &record);
        }
        resumed(&of);
        assert_eq!(of.games("record").len(), 12);
        assert_eq!(resumed(&of), "", "nothing is left to mend");
    }
    assert_eq!(refused, 7, "the record has less in some of these cases, and in others not");
}

#[test]
fn a_pgn_that_differs_from_the_record_is_refused_and_left_alone() {
    let of = recorded("--games 12 --seed 4");
    resumed(&of);
    let (record, pgn) = (of.read("record"), of.read("pgn"));
    let lines: Vec<&str> = record.split_inclusive('\n').collect();
    for game in [0, 5, 11] {
        of.write("record", &record.replacen(lines[game + 1], "", 1));
        assert_refused(&of, game + 1);
    }
    for text in [String::new(), lines[0].to_owned(), lines[..2].concat()] {
        of.write("record", &text);
        assert_refused(&of, text.lines().count().max(1));
    }
    std::fs::remove_file(of.file("record")).expect("our own file");
    assert_refused(&of, 1);

    of.write("record", &record);
    let spans = spans(&pgn);
    let foreign = pgn.replace("[Event \"Noughts match ", "[Event \"Noughts match 0");
    for (text, game) in [
        (pgn.replacen(&pgn[spans[5].0..spans[6].0], "", 1), 6),
        (pgn[spans[6].0..].to_owned() + &pgn[..spans[6].0], 1),
        // A torn game with a whole game behind it.
        (format!("{}{}", &pgn[..spans[10].1 - 8], &pgn[spans[11].0..]), 11),
        (pgn.clone() + &pgn[..30], 13),
        (pgn.clone() + &foreign, 13),
        (foreign.clone(), 1),
        // The file after an editor of Windows.
        (format!("\u{feff}{}", pgn.replace('\n', "\r\n")), 1),
        (pgn.replacen("[Round \"1\"]", "[Round \"99\"]", 1), 1),
        ("something\n".to_owned(), 1),
    ] {
        of.write("pgn", &text);
        assert_refused(&of, game);
    }
    // Without --resume a new match begins, and any file that is not empty is one too many.
    of.write("pgn", &pgn);
    std::fs::remove_file(of.file("record")).expect("our own file");
    let mut of = of;
    assert_eq!(of.words.pop().as_deref(), Some("--resume"));
    of.run().assert_usage_error("pgn is there already");
    assert_eq!(of.read("pgn"), pgn);
}

#[test]
fn a_record_that_is_no_regular_file_deletes_no_game() {
    let of = recorded("--games 4 --seed 4");
    resumed(&of);
    let pgn = of.read("pgn");
    let path = of.file("pgn").display().to_string();
    let device = Contest::of_random_players()
        .with("--openings random:2 --games 4 --seed 4 --record /dev/null --resume --pgn")
        .word(path);
    device.run().assert_usage_error("from game 1 on it differs from the record /dev/null");
    assert_eq!(of.read("pgn"), pgn);
}

#[test]
fn parts_of_a_match_do_not_share_a_pgn() {
    let of = Contest::of_random_players().with("--openings random:2 --games 12 --seed 4 --resume --pgn").path("pgn");
    let part = |record: &str, shard: &str| {
        let mut command = of.command();
        command.arg("--record").arg(of.file(record)).args(["--shard", shard]);
        ended(command)
    };
    assert_eq!(part("record1", "1/2").code, Some(0));
    let pgn = of.read("pgn");
    assert_same_games(&of.read("record1"), &pgn);
    part("record2", "2/2").assert_usage_error("from game 1 on it differs from the record ");
    assert_eq!(of.read("pgn"), pgn);
    // The name of the record says that there are several files, and that of the PGN does not.
    part("record{shard}", "2/2").assert_usage_error("expected {shard} in its name");
    assert_eq!(of.read("pgn"), pgn);
    let device = Contest::of_random_players().with("--games 2 --seed 4 --shard 1/2 --pgn /dev/null --record");
    let device = device.path("record{shard}");
    assert_eq!(device.run().code, Some(0));
}

#[test]
fn a_game_that_is_recorded_twice_is_in_the_pgn_once() {
    let of = recorded("--games 8 --seed 4");
    resumed(&of);
    let (record, pgn) = (of.read("record"), of.read("pgn"));
    let attempt_and_game: String = record.split_inclusive('\n').take(2).collect();
    of.write("record", &(record + &attempt_and_game));
    assert_eq!((resumed(&of), of.read("pgn")), (String::new(), pgn));
}

#[test]
fn a_match_that_is_killed_again_and_again_has_all_games_in_its_pgn() {
    let of = recorded("--games 3000 --seed 6");
    let mut random = 1u64;
    let start = Instant::now();
    for _ in 0..12 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let recorded = || of.file("record").metadata().map_or(0, |metadata| metadata.len());
        let (before, wait) = (recorded(), Duration::from_micros(random >> 50));
        let mut child = of.command().spawn().expect("the program starts");
        while recorded() == before && child.try_wait().expect("our own child").is_none() {
            assert!(start.elapsed().as_secs() < 90, "nothing is recorded");
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(wait);
        child.kill().expect("our own child");
        child.wait().expect("our own child");
    }
    let mut last = of.command();
    last.args(["--format", "json"]);
    let last = ended(last);
    assert_eq!((last.code, &last.json()["games"]), (Some(0), &serde_json::json!(3000)), "{last:?}");
    assert_same_games(&of.read("record"), &of.read("pgn"));
    assert_eq!(read_pgn(&of.read("pgn")).len(), 3000);
}

#[test]
fn the_parts_of_a_match_have_pgn_of_their_own() {
    let of = Contest::of_random_players().with("--games 12 --seed 4 --openings random:2 --resume --record");
    let of = of.path("record{shard}").with("--pgn").path("pgn{shard}").with("--shard");
    let mut numbers = Vec::new();
    for part in 1..=2 {
        for damage in [false, true] {
            let (record, pgn) = (format!("record{part}"), format!("pgn{part}"));
            if damage {
                let torn = of.read(&pgn).len() - 100;
                of.write(&pgn, &of.read(&pgn)[..torn]);
            }
            let mut command = of.command();
            command.arg(format!("{part}/2"));
            assert_eq!(ended(command).code, Some(0));
            assert_same_games(&of.read(&record), &of.read(&pgn));
        }
        numbers.extend(of.games(&format!("record{part}")).iter().map(|game| number(&game["game"])));
    }
    numbers.sort_unstable();
    assert_eq!(numbers, (0..12).collect::<Vec<_>>());
}

#[test]
fn an_opening_that_is_no_position_is_named_and_nothing_changed() {
    let of = recorded("--games 6 --seed 4");
    resumed(&of);
    let (record, pgn) = (of.read("record"), of.read("pgn"));
    for game in [0, 5] {
        let line = record.split_inclusive('\n').nth(game + 1).expect("a game");
        let own = format!("\"line\":\"{}", opening(&of.games("record")[game]));
        let wrong = record.replacen(line, &line.replacen(&own, "\"line\":\"xyzzy", 1), 1);
        of.write("record", &wrong);
        // The PGN differs from the record in its second game.
        let differs = pgn.replacen("[Round \"1\"]\n[White \"B\"]", "[Round \"1\"]\n\n[White \"B\"]", 1);
        assert_ne!(differs, pgn);
        for text in [&pgn, &differs, ""] {
            of.write("pgn", text);
            let ended = of.run();
            let line = format!("line {} is not a game", game + 2);
            ended.assert_failed(&[&line, "its opening, \"xyzzy", "is no position"]);
            assert_eq!((of.read("record"), of.read("pgn").as_str()), (wrong.clone(), text));
        }
        of.write("record", &record);
    }
}
