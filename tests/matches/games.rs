//! The games of a match: openings, pairings, and the commands that the engines get.
//!
//! The files of matches are the matter of `records.rs`, faults of engines that of `faults.rs`.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::common::contest::{
    BAD_ENGINE, Contest, Course, list, moves, noughts, number, opening, players, real, set, text,
};
use crate::common::part::Part;
use crate::common::program::NOUGHTS;
use crate::common::{oracle, rules};
use noughts_oracle::{Outcome, Player};
use serde_json::Value;

/// A plain board as the moves of a record leave it.
struct Board(noughts_oracle::Board);

/// The state of a game: over with a result and a reason, or not.
type Standing = Option<(&'static str, &'static str)>;

impl Board {
    fn new(size: usize, connect: usize, reverse: bool) -> Board {
        Board(noughts_oracle::Board::new(size, connect, reverse))
    }

    fn of(game: &Value) -> Board {
        let rules = &game["rules"];
        Board::new(number(&rules["size"]) as usize, number(&rules["connect"]) as usize, rules["reverse"] == true)
    }

    fn place(&self, written: &str) -> usize {
        let (row, column) = written.split_once(',').expect("row,column");
        let [row, column] = [row, column].map(|part| part.parse::<usize>().expect("a number"));
        assert!(row < self.0.columns && column < self.0.columns, "{written}");
        row * self.0.columns + column
    }

    /// Plays a move, which is to an empty square of a game that is not over.
    fn play(&mut self, written: &str) -> Standing {
        let place = self.place(written);
        assert_eq!(self.0.stones[place], None, "{written} is taken");
        self.0.play(place);
        self.0.outcome().map(|outcome| match outcome {
            Outcome::Win(Player::X) => ("x", "line"),
            Outcome::Win(Player::O) => ("o", "line"),
            Outcome::Draw => ("draw", "full board"),
        })
    }

    /// Takes up the position of an opening, from which the game goes on.
    fn open(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        if words.next() == Some("fen") {
            self.set_up(words.next().expect("a board"), words.next());
        }
        for written in words.skip(1) {
            assert_eq!(self.play(written), None, "{line}");
        }
    }

    fn set_up(&mut self, diagram: &str, side: Option<&str>) {
        self.0.stones.clear();
        for sign in diagram.chars() {
            match sign {
                'x' => self.0.stones.push(Some(Player::X)),
                'o' => self.0.stones.push(Some(Player::O)),
                '/' => {}
                run => self.0.stones.extend(vec![None; run.to_digit(10).expect("a number of empty squares") as usize]),
            }
        }
        self.0.side = if side == Some("o") { Player::O } else { Player::X };
    }

    /// The board under each of the symmetries of a square: the same for all boards of a class.
    fn class(&self) -> Vec<Option<Player>> {
        let size = self.0.columns;
        let turned = |symmetry: usize| -> Vec<Option<Player>> {
            let from = |row: usize, column: usize| {
                let (row, column) = if symmetry & 1 == 0 { (row, column) } else { (column, row) };
                let row = if symmetry & 2 == 0 { row } else { size - 1 - row };
                let column = if symmetry & 4 == 0 { column } else { size - 1 - column };
                self.0.stones[row * size + column]
            };
            (0..size * size).map(|place| from(place / size, place % size)).collect()
        };
        (0..8).map(turned).max().expect("eight of them")
    }
}

/// Replays a record ply by ply: every move is legal, the end comes with the last, and is what was recorded.
#[track_caller]
fn assert_rightly_judged(game: &Value) {
    let mut board = Board::of(game);
    board.open(&opening(game));
    let moves = moves(game);
    let (last, before) = moves.split_last().expect("a game has a move");
    assert!(before.iter().all(|written| board.play(written).is_none()), "{game}");
    let (result, reason) = board.play(last).unwrap_or_else(|| panic!("the game is not over: {game}"));
    assert!(game["result"] == result && game["reason"] == reason, "{result}, {reason}: {game}");
}

/// Ten thousand games of every size, length and rule, a fifth of them every day.
fn games_are_judged_as_plain_arrays_judge_them(part: Part) {
    // A game on a large board takes as long as a hundred on a small one. The two parts have seeds of their own.
    let (on_small, on_large, seed, least) = match part {
        Part::Daily => (32, 2, 1, 2_000),
        Part::Rest => (128, 6, 2, 8_000),
    };
    let mut judged = 0;
    for size in 1..=20_usize {
        let games = if size <= 10 { on_small } else { on_large };
        // As many as the board is long, fewer, and more than fit.
        for connect in [0, size.div_ceil(2).min(5), size + 1] {
            for reverse in ["", "--reverse"] {
                let plies = if size < 4 { 0 } else { size % 4 };
                let of = Contest::of_random_players().with(reverse);
                let of = of.with(&format!("--size {size} --connect {connect} --openings random:{plies}"));
                let of = of.with(&format!("--games {games} --seed {seed}"));
                let played = of.play();
                assert_eq!(played.games.len(), games);
                for game in &played.games {
                    assert_rightly_judged(game);
                    assert_eq!(opening(game).matches(',').count(), plies, "{game}");
                }
                judged += played.games.len();
            }
        }
    }
    assert!(judged >= least, "{judged}");
}

#[test]
fn two_thousand_games_are_judged_as_plain_arrays_judge_them() {
    games_are_judged_as_plain_arrays_judge_them(Part::Daily);
}

/// Four times as many games.
mod long {
    use super::*;

    #[test]
    #[ignore = "long: scripts/check all"]
    fn eight_thousand_games_are_judged_as_plain_arrays_judge_them() {
        games_are_judged_as_plain_arrays_judge_them(Part::Rest);
    }
}

/// Every way to place so many stones in turn after which no player has a line, as the moves behind `startpos`.
fn every_opening(board: &Board, plies: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for _ in 0..plies {
        let mut longer = Vec::new();
        for line in &lines {
            for cell in board.0.empties().into_iter().map(|place| oracle::cell(&board.0, place)) {
                if !line.contains(&format!(" {cell}")) {
                    longer.push(format!("{line} {cell}"));
                }
            }
        }
        lines = longer;
    }
    let text = |moves| if plies == 0 { "startpos".to_owned() } else { format!("startpos moves{moves}") };
    lines.into_iter().map(text).collect()
}

/// Every opening is there once with each colour: the numbers of games by opening and by who has X.
#[track_caller]
fn assert_both_colours(games: &[Value]) {
    let mut colours: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for game in games {
        colours.entry(number(&game["opening"]["number"])).or_default().push(text(&game["x"]["name"]));
    }
    for (opening, mut names) in colours {
        names.sort();
        assert_eq!(names, ["A", "B"], "{opening}");
    }
}

#[test]
fn all_openings_of_n_plies_are_played_once_with_each_colour() {
    for (size, plies, count) in [(3, 0, 1), (3, 1, 9), (3, 2, 72), (3, 3, 504), (4, 1, 16), (4, 2, 240), (4, 3, 3360)] {
        let of = Contest::of_random_players();
        let of = of.with(&format!("--size {size} --openings all:{plies} --games {}", 2 * count));
        let played = of.play();
        let expected = every_opening(&Board::new(size, 0, false), plies);
        assert_eq!(expected.len(), count);
        assert_eq!(played.games.len(), 2 * count);
        assert_eq!(set(played.games.iter().map(opening)), set(expected));
        assert_both_colours(&played.games);
        assert_eq!(number(&played.table["openings"]), count as u64);
    }
}

#[test]
fn openings_that_decide_the_game_are_left_out() {
    // With two in a row, X has won by its second stone unless the two are apart.
    let played = Contest::of_random_players().with("--connect 2 --openings all:3 --games 400").play();
    for game in &played.games {
        assert_rightly_judged(game);
    }
    let mut count = 0;
    for line in every_opening(&Board::new(3, 2, false), 3) {
        let mut board = Board::new(3, 2, false);
        let moves = line.split_whitespace().skip(2);
        count += u64::from(moves.map(|written| board.play(written)).all(|standing| standing.is_none()));
    }
    assert_eq!(number(&played.table["openings"]), count);
}

#[test]
fn opening_classes_weigh_as_much_as_the_openings_they_contain() {
    for (size, plies) in [(3, 1), (3, 2), (3, 3), (4, 2)] {
        let mut weights: BTreeMap<Vec<Option<Player>>, f64> = BTreeMap::new();
        for line in every_opening(&Board::new(size, 0, false), plies) {
            let mut board = Board::new(size, 0, false);
            board.open(&line);
            *weights.entry(board.class()).or_default() += 1.0;
        }
        let of = Contest::of_random_players();
        let of = of.with(&format!("--size {size} --openings classes:{plies} --games {}", 2 * weights.len()));
        let played = of.play();
        assert_both_colours(&played.games);
        let recorded = |game: &Value| {
            let mut board = Board::of(game);
            board.open(&opening(game));
            (board.class(), real(&game["opening"]["weight"]))
        };
        assert_eq!(played.games.iter().map(recorded).collect::<BTreeMap<_, _>>(), weights);
    }
}

#[test]
fn an_opening_file_holds_positions_in_all_forms_and_comments() {
    let of = Contest::of_random_players();
    let lines = "# four openings\n\nstartpos\n  position startpos moves 1,1 \r\nposition fen xo1/3/3 x\n\t3/1x1/3 o\n#";
    let file = of.write("openings", lines);
    let played = of.with("--games 8 --openings").word(file).play();
    assert_both_colours(&played.games);
    let expected = ["startpos", "startpos moves 1,1", "fen xo1/3/3 x", "fen 3/1x1/3 o"].map(str::to_owned);
    assert_eq!(set(played.games.iter().map(opening)), set(expected));
    for game in played.games {
        assert_rightly_judged(&game);
        let opener = if opening(&game).ends_with("1,1") || opening(&game).ends_with(" o") { "o" } else { "x" };
        assert_eq!(game["opening"]["side"], opener, "{game}");
    }
}

#[test]
fn a_malformed_opening_file_is_refused_with_the_line_number() {
    for (lines, mentions) in [
        ("startpos\n\nhello\n", "line 3: "),
        ("# nothing\n3/3/3\nxxx/oo1/3\n", "line 3: the game is over"),
        ("4/4/4/4", "line 1: the board has 4 rows"),
        ("startpos moves 0,0 0,0", "line 1: move 2: 0,0 is taken"),
        ("go\n", "line 1: "),
        ("# nothing\n", "no such opening"),
        ("", "no such opening"),
    ] {
        let of = Contest::of_random_players();
        let file = of.write("openings", lines);
        of.with("--openings").word(file).run().assert_usage_error(mentions);
    }
    Contest::of_random_players().with("--openings no/such/file").run().assert_usage_error("no/such/file");
}

#[test]
fn balanced_openings_are_those_that_perfect_play_draws() {
    for (game, reverse) in [("", false), ("--reverse", true)] {
        for openings in ["all:2", "classes:3", "random:4"] {
            let of = Contest::of_random_players().with("--games 200 --balanced --openings");
            let played = of.with(openings).with(game).play();
            let drawn = |line: &str| {
                let mut board = Board::new(3, 0, reverse);
                board.open(line);
                let position = oracle::position_of(&board.0, rules(3, 0, reverse)).expect("an opening");
                oracle::value(&position) == noughts::game::Value::Draw
            };
            assert!(played.games.iter().all(|game| drawn(&opening(game))));
            if openings == "all:2" {
                let count = every_opening(&Board::new(3, 0, reverse), 2).iter().filter(|line| drawn(line)).count();
                assert_eq!(number(&played.table["openings"]), count as u64);
            }
            assert_eq!(played.errors, "");
        }
    }
}

#[test]
fn balanced_openings_of_larger_boards_are_those_proven_in_time() {
    let of = Contest::of_random_players();
    let file = of.write("openings", "xxo1/oox1/x1o1/2x1 o\nxoxo/oxox/2x1/o3 x\n");
    let played = of.with("--size 4 --balanced --games 2 --openings").word(file).play();
    assert_eq!(number(&played.table["openings"]), 1);
    assert_eq!(opening(&played.games[0]), "fen xxo1/oox1/x1o1/2x1 o");
    assert_eq!(played.errors, "");
    let hopeless = Contest::of_random_players().with("--size 12 --connect 6 --balanced --openings random:3");
    hopeless.run().assert_usage_error("proven");
}

#[test]
fn the_same_seed_gives_the_same_games_at_any_concurrency() {
    let of = |words: &str| {
        let of = Contest::new().noughts("A", "player=random").noughts("B", "player=montecarlo trials=20");
        of.noughts("C", "player=perfect").with("--games 12").with(words).play().moves()
    };
    let seventh = |words: &str| of(&format!("--openings random:2 --seed 7 {words}"));
    let one = seventh("");
    // There are 36 games.
    for words in ["", "--concurrency 2", "--concurrency 40", "--concurrency 300", "--pin off"] {
        assert_eq!(seventh(words), one, "{words}");
    }
    let openings = |games: &[Course]| games.iter().map(|game| game.2.clone()).collect::<Vec<_>>();
    assert_ne!(openings(&one), openings(&of("--openings random:2 --seed 8")));
    assert_ne!(of("--seed 8"), of("--seed 9"));
}

#[test]
fn a_drawn_seed_is_named_and_gives_the_same_games_again() {
    let of = |words: &str| Contest::of_random_players().with("--games 10 --openings all:1").with(words).play();
    let drawn = of("");
    let seed = number(&drawn.table["seed"]);
    assert!(drawn.games.iter().all(|game| number(&game["seed"]) == seed));
    assert_eq!(of(&format!("--seed {seed}")).moves(), drawn.moves());
    assert_ne!(number(&of("").table["seed"]), seed);
}

#[test]
fn seeds_that_the_user_has_set_stay() {
    let of = Contest::new().noughts("A", "player=random seed=5").noughts("B", "player=random");
    let played = of.with("--games 4 --seed 1").play();
    for game in &played.games {
        for side in ["x", "o"] {
            let own = game[side]["name"] == "A";
            assert_eq!((game[side]["seed"].is_null(), game[side]["options"]["seed"] == "5"), (own, own), "{game}");
        }
    }
    let given = set(played.games.iter().flat_map(|game| ["x", "o"].map(|side| game[side]["seed"].as_u64())));
    assert_eq!(given.len(), 5, "B has a seed of its own in each game: {given:?}");
}

/// The number of times that each engine has X against each other.
fn meetings(games: &[Value]) -> BTreeMap<(String, String), u64> {
    let mut meetings = BTreeMap::new();
    games.iter().for_each(|game| *meetings.entry(players(game)).or_default() += 1);
    meetings
}

#[test]
fn without_swapped_colours_the_engine_that_comes_first_has_x() {
    let of = Contest::of_random_players().noughts("C", "player=random").with("--games 5 --swap off --openings all:1");
    let played = of.play();
    let expected = [("A", "B"), ("A", "C"), ("B", "C")].map(|(x, o)| ((x.to_owned(), o.to_owned()), 5));
    assert_eq!(meetings(&played.games), BTreeMap::from(expected));
    let of_pair = played.games.iter().filter(|game| players(game).1 == "B");
    assert_eq!(set(of_pair.map(opening)).len(), 5, "every game has an opening of its own");
}

/// The commands that an engine got, from a copy that `tee` makes of its input.
fn overheard(of: Contest) -> (Vec<String>, Vec<Value>) {
    let of = of.shell("Ear", "tee $1 | exec $0", "heard");
    let played = of.play();
    (of.read("heard").lines().map(str::to_owned).collect(), played.games)
}

#[test]
fn every_limit_reaches_the_engine() {
    for (words, go) in [
        ("", "go"),
        ("--movetime 1234", "go movetime 1234"),
        ("--nodes 77", "go nodes 77"),
        ("--trials 78", "go trials 78"),
    ] {
        let of = Contest::new().noughts("Perfect", "player=perfect").with("--games 2").with(words);
        let (heard, games) = overheard(of);
        let asked: Vec<&String> = heard.iter().filter(|line| line.starts_with("go")).collect();
        assert!(asked.iter().all(|line| *line == go), "{words}: {asked:?}");
        let limit = if go == "go" { "none" } else { &go[3..] };
        assert!(asked.len() >= 4 && games.iter().all(|game| game["limit"] == limit), "{games:?}");
    }
}

#[test]
fn clocks_go_down_by_what_was_used_and_up_by_the_increment() {
    let of = Contest::new().noughts("Perfect", "player=perfect").with("--tc 20+0.25 --games 4");
    let (heard, games) = overheard(of);
    let mut asked = heard.iter().filter(|line| line.starts_with("go"));
    for game in &games {
        let ear = if game["x"]["name"] == "Ear" { 0 } else { 1 };
        let mut left = [20_000.0; 2];
        for (ply, played) in list(&game["moves"]).iter().enumerate() {
            if ply % 2 == ear {
                let line = asked.next().expect("a question for each move");
                let words: Vec<&str> = line.split(' ').collect();
                let ["go", "wtime", x, "btime", o, "winc", "250", "binc", "250"] = words[..] else { panic!("{line}") };
                for (said, left) in [x, o].into_iter().zip(left) {
                    let said: f64 = said.parse().expect("milliseconds");
                    // Whole milliseconds are said.
                    assert!(said - 0.01 <= left && left < said + 1.01, "{line}: {left}");
                }
            }
            left[ply % 2] += 250.0 - real(&played["ms"]);
        }
    }
    assert_eq!(asked.next(), None);
}

#[test]
fn who_has_no_time_at_all_loses_on_time_and_the_match_goes_on() {
    let played = Contest::of_random_players().with("--tc 0.00001 --margin 0 --games 6").play();
    assert!(played.games.iter().all(|game| game["reason"] == "time" && game["result"] == "o"), "{:?}", played.games);
}

#[test]
fn a_position_line_holds_the_whole_game_and_newgame_is_sent() {
    let of = Contest::new().noughts("Random", "player=random").with("--games 4 --openings random:2 --seed 3");
    let (heard, games) = overheard(of);
    let positions: Vec<&str> = heard.iter().filter_map(|line| line.strip_prefix("position ")).collect();
    let mut expected = Vec::new();
    for game in &games {
        let (mut line, ear) = (opening(game), usize::from(game["o"]["name"] == "Ear"));
        for (ply, written) in moves(game).iter().enumerate() {
            if ply % 2 == ear {
                expected.push(line.clone());
            }
            line = format!("{line} {written}");
        }
    }
    assert_eq!(positions, expected);
    assert_eq!(heard.iter().filter(|line| line.ends_with("newgame")).count(), 4);
    assert_eq!(heard.iter().filter(|line| line.contains("seed")).count(), 4);
    assert_eq!((heard[0].as_str(), heard.last().map(String::as_str)), ("ugi", Some("quit")));
}

#[test]
fn the_game_is_set_where_it_is_declared() {
    let of = Contest::new().noughts("Random", "player=random").with("--size 5 --connect 4 --reverse --games 2");
    let (heard, games) = overheard(of);
    for option in ["size value 5", "connect value 4", "reverse value true"] {
        assert!(heard.contains(&format!("setoption name {option}")), "{option}: {heard:?}");
    }
    games.iter().for_each(assert_rightly_judged);

    let of = Contest::new().noughts("Random", "player=random").with("--games 2");
    let of = of.shell("Ear", &format!("tee $1 | exec python3 -IS {BAD_ENGINE} no-options"), "heard");
    of.play();
    assert!(!of.read("heard").contains("setoption"), "{}", of.read("heard"));
}

#[test]
fn an_engine_that_lacks_a_needed_option_is_named_with_it() {
    for (game, option) in [("--size 4", "size"), ("--connect 2", "connect"), ("--reverse", "reverse")] {
        let of = Contest::new().noughts("Random", "player=random").with(game);
        let ended = of.bad("Plain", "no-options").run();
        ended.assert_failed(&["Plain", &format!("\"{option}\"")]);
        assert!(ended.time < Duration::from_secs(5), "{ended:?}");
    }
    // Three in a row on 3x3 is what such an engine plays anyway.
    let of = Contest::new().noughts("Random", "player=random").with("--connect 3 --games 2");
    of.bad("Plain", "no-options").play();
}

#[test]
fn an_unknown_or_refused_option_is_named_before_the_first_game() {
    for (option, mentions) in [
        ("strength=9", "\"strength\""),
        ("trials=0", "\"0\" for its option trials"),
        ("trials=many", "\"many\" for its option trials"),
        ("player=chess", "\"chess\" for its option player"),
        ("score_other=-1", "score_other accepts a finite number"),
    ] {
        let ended = Contest::new().noughts("Good", "").noughts("Wrong", option).run();
        ended.assert_failed(&["Wrong", mentions]);
        assert!(ended.time < Duration::from_secs(5), "{ended:?}");
    }
}

#[test]
fn options_reach_an_engine_and_its_own_override_those_of_all() {
    let of = Contest::new().noughts("A", "").noughts("B", "Player=perfect seed=3").with("--games 2");
    let played = of.with("--each").word("option.player=random option.tiebreak=first option.trials=9").play();
    let game = played.games.iter().find(|game| game["x"]["name"] == "A").expect("A has X in one of the games");
    let options = |side: &str| serde_json::to_string(&game[side]["options"]).expect("JSON");
    assert_eq!(options("x"), r#"{"player":"random","tiebreak":"first","trials":"9"}"#);
    assert_eq!(options("o"), r#"{"Player":"perfect","seed":"3","tiebreak":"first","trials":"9"}"#);
    // Random players look at nothing.
    let looks = |ply: usize| number(&game["moves"][ply]["nodes"]) > 0;
    assert_eq!([looks(0), looks(1), looks(2), looks(3)], [false, true, false, true], "{game}");
}

#[test]
fn an_engine_is_started_once_or_once_for_each_game() {
    for (restart, concurrency, starts) in [("off", 1, 1..=1), ("on", 1, 6..=6), ("on", 3, 6..=6), ("off", 3, 1..=3)] {
        let of =
            Contest::new().noughts("Random", "player=random").with(&format!("--games 6 --concurrency {concurrency}"));
        let mut of = of.shell("Counted", "echo started >> $1; exec $0", "starts");
        of.words.last_mut().expect("an engine").push_str(&format!(" restart={restart}"));
        of.play();
        assert!(starts.contains(&of.read("starts").lines().count()), "{restart} {concurrency}: {}", of.read("starts"));
    }
}

#[test]
fn programs_are_found_where_a_shell_would_find_them() {
    let of = Contest::new();
    let folder = of.file("with blanks in it");
    std::fs::create_dir(&folder).expect("a folder can be made");
    std::os::unix::fs::symlink(&*NOUGHTS, folder.join("my engine")).expect("a link can be made");
    let path = folder.join("my engine").display().to_string();
    let dir = folder.display().to_string();
    let of = of
        .engine(format!("name=Whole cmd='{path}'"))
        .engine(format!("name='From there' cmd='./my engine' dir='{dir}'"))
        .engine(format!("name=Shell cmd=\"sh -c 'pwd > where; exec \\\"$0\\\"' ./my\\ engine\" dir='{dir}'"))
        .engine("name=Itself cmd=noughts")
        .with("--games 2 --each option.player=random");
    let mut command = of.command();
    // This program is found without being on the path.
    command.env("PATH", "/usr/bin:/bin");
    let ended = crate::common::contest::ended(command);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let where_it_ran = std::fs::read_to_string(folder.join("where")).expect("a line");
    assert_eq!(where_it_ran.trim(), folder.canonicalize().expect("it is there").display().to_string());
}

#[test]
fn engines_without_a_name_get_distinct_names_from_their_program() {
    for (engines, expected) in [
        (["cmd=noughts", "cmd=noughts", "cmd=noughts"], ["noughts", "noughts-2", "noughts-3"]),
        (["name=noughts-2 cmd=noughts", "cmd=noughts", "cmd=noughts"], ["noughts-2", "noughts", "noughts-3"]),
        (["cmd=noughts", "name=noughts cmd=noughts", "name=B cmd=noughts"], ["noughts-2", "noughts", "B"]),
    ] {
        let of = engines.into_iter().fold(Contest::new(), Contest::engine).with("--games 2");
        let table = of.with("--each option.player=random").play().table;
        let names = list(&table["engines"]).iter().map(|engine| (number(&engine["engine"]), text(&engine["name"])));
        assert_eq!(set(names), set((0..).zip(expected.map(str::to_owned))));
    }
}

#[test]
fn names_may_be_in_any_script_and_hold_blanks_and_quotes() {
    let name = "Ünïcode \"中文\" | 'q', \\";
    let engine = format!("name={} cmd=noughts option.player=random", shell_words::quote(name));
    for format in ["text", "json", "markdown"] {
        let of = Contest::new().engine(engine.as_str()).noughts("B", "player=random");
        let ended = of.with("--games 2 --record").word("/dev/null").with("--format").word(format).run();
        assert_eq!(ended.code, Some(0), "{ended:?}");
        let found = match format {
            "json" => text(&ended.json()["pairings"][0]["engines"][0]) == name,
            "markdown" => ended.output.contains(&name.replace('|', "\\|")),
            _ => ended.output.contains(name),
        };
        assert!(found, "{format}: {}", ended.output);
    }
}

#[test]
fn what_makes_no_match_is_refused_in_a_sentence() {
    let random = || Contest::of_random_players();
    for (of, mentions) in [
        (Contest::new(), "--engine"),
        (Contest::new().noughts("A", ""), "two engines"),
        (Contest::new().noughts("A", "").noughts("A", ""), "two engines are called A"),
        (Contest::new().noughts("A", "").engine(""), "cmd="),
        (Contest::new().noughts("A", "").engine("name=B"), "cmd="),
        (Contest::new().noughts("A", "").engine("name=B cmd"), "\"cmd\""),
        (Contest::new().noughts("A", "").engine("cmd='noughts"), "quotes"),
        (Contest::new().noughts("A", "").engine("cmd=noughts colour=red"), "\"colour\""),
        (Contest::new().noughts("A", "").engine("cmd=noughts restart=perhaps"), "\"perhaps\""),
        (random().with("--each nonsense"), "\"nonsense\""),
        (random().with("--size 0"), "1 to 20"),
        (random().with("--size 21"), "1 to 20"),
        (random().with("--connect 401"), "400"),
        (random().with("--games 0"), "--games"),
        (random().with("--games many"), "--games"),
        (random().with("--movetime 0"), "--movetime"),
        (random().with("--movetime 5 --nodes 5"), "--nodes"),
        (random().with("--tc 10/1"), "10/1"),
        (random().with("--tc 0"), "--tc"),
        (random().with("--trials 0"), "--trials"),
        (Contest::new().noughts("A", "").engine("name='' cmd=noughts"), "a name"),
        (Contest::new().noughts("A", "").engine("name='a\nb' cmd=noughts"), "a name"),
        (random().with("--each option.size=4"), "--size"),
        (random().with("--openings random:"), "random:K"),
        (random().word("--openings").word(""), "random:K"),
        (random().with("--openings all:9"), "no such opening"),
        (random().with("--openings random:9"), "no such opening"),
        (random().with("--openings all:99999"), "no such opening"),
        (random().with("--openings all:3 --size 20"), "more than"),
        (random().with("--openings classes:1 --size 1"), "no such opening"),
        (random().with("--swap perhaps"), "--swap"),
        (random().with("--seed -1"), "-1"),
        (random().with("--concurrency 0"), "--concurrency"),
        (random().with("--sprt elo0=5 elo1=1"), "elo0"),
        (random().with("--sprt alpha=2"), "alpha"),
        (random().with("--sprt elo2=2"), "elo2"),
        (random().with("--sprt elo1=x"), "elo1=x"),
        (random().with("--sprt elo0=0 elo0=1"), "the key \"elo0\" is there twice"),
        (random().with("--sprt elo0=0 --sprt elo1=9 --sprt elo0=0"), "the key \"elo0\" is there twice"),
        (random().noughts("C", "").with("--sprt elo1=5"), "two engines"),
        (random().with("--shard 4/3"), "4/3"),
        (random().with("--shard 0/3"), "0/3"),
        (random().with("--resume"), "--record"),
        (random().with("--format xml"), "xml"),
        (random().with("--frobnicate"), "--frobnicate"),
    ] {
        of.run().assert_usage_error(mentions);
    }
}

#[test]
fn shell_quoting_works_in_the_description_of_an_engine() {
    let of = Contest::new().noughts("A", "player=random").with("--games 2");
    let script = format!("echo \"$1\" > '{}'; exec \"$0\"", of.file("said").display());
    let arguments = shell_words::join(["-c", &script, &NOUGHTS, "it's \"quoted\"  twice"]);
    let played = of.engine(format!("name=B cmd=sh args={}", shell_words::quote(&arguments)));
    played.play();
    assert_eq!(played.read("said"), "it's \"quoted\"  twice\n");
    assert_eq!(noughts("B", "seed=1"), "name=B cmd=noughts option.seed=1");
}
