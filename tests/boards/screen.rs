//! The board of `noughts play` that fills a terminal, drawn in memory.
//!
//! The pictures are in `tests/screens`. With `NOUGHTS_DRAW=1` they are drawn anew.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use noughts::client::EngineSpec;
use noughts::game::{Player, Rules};
use noughts::tui::screen::{Screen, ScreenAction, ScreenEvent, ScreenExit, Theme};
use noughts::tui::{LiveGame, MoveBudget, Participant, PlaySettings, Turn, hint};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{self, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::style::{Color, Modifier};

/// Far longer than any answer takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A person who plays and looks.
struct Visit {
    screen: Screen,
    events: Receiver<ScreenEvent>,
    terminal: Terminal<TestBackend>,
}

impl Visit {
    fn new(rules: (u8, u16, bool), sides: [&str; 2], colour: bool) -> Visit {
        Visit::with_trials(1000, rules, sides, colour)
    }

    fn with_trials(trials: u32, rules: (u8, u16, bool), sides: [&str; 2], colour: bool) -> Visit {
        let (sender, events) = channel();
        let answers = sender.clone();
        let (size, connect, reverse) = rules;
        let settings = PlaySettings {
            rules: Rules::new(size, connect, reverse).expect("rules"),
            sides: sides.map(|name| Participant::named(name).expect("a player")),
            budget: MoveBudget::Playouts(trials),
            level: 10,
            seed: 1,
        };
        let handler = Arc::new(move |answer| drop(answers.send(ScreenEvent::Answer(Box::new(answer)))));
        let game = LiveGame::start(settings, handler).expect("a game");
        let terminal = Terminal::new(TestBackend::new(80, 24)).expect("a terminal in memory");
        Visit { screen: Screen::new(game, sender, Theme { colour }), events, terminal }
    }

    fn happen(&mut self, event: event::Event) -> Option<ScreenAction> {
        // The drawn screen decides what the mouse points at.
        self.text();
        self.screen.handle(ScreenEvent::Terminal(event))
    }

    /// Presses keys, and waits each time until everybody has answered.
    fn press(&mut self, keys: impl IntoIterator<Item = KeyCode>) -> &mut Visit {
        for key in keys {
            assert_eq!(self.happen(event::Event::Key(KeyEvent::new(key, KeyModifiers::NONE))), None);
            self.settle();
        }
        self
    }

    fn keys(&mut self, keys: &str) -> &mut Visit {
        self.press(keys.chars().map(key_code))
    }

    fn click(&mut self, column: u16, row: u16) -> &mut Visit {
        let kind = MouseEventKind::Down(MouseButton::Left);
        self.happen(event::Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
        self.settle();
        self
    }

    fn settle(&mut self) {
        loop {
            let game = self.screen.game();
            let asked = game.wants_hints() && game.hints().is_none() && game.turn() != Turn::Over;
            if !asked && !matches!(game.turn(), Turn::Thinking(_)) {
                return;
            }
            self.hear();
        }
    }

    fn hear(&mut self) {
        let event = self.events.recv_timeout(PATIENCE).expect("an answer");
        self.screen.handle(event);
    }

    fn type_in(&mut self, text: &str) -> &mut Visit {
        self.press(text.chars().map(KeyCode::Char))
    }

    /// Looks again and again, with everything taken in that comes, until this is so; whether it ever is.
    fn look_until(&mut self, mut is_so: impl FnMut(&mut Visit) -> bool) -> bool {
        let start = Instant::now();
        while !is_so(self) {
            if start.elapsed() > PATIENCE {
                return false;
            }
            if let Ok(event) = self.events.recv_timeout(Duration::from_millis(5)) {
                self.screen.handle(event);
            }
        }
        true
    }

    #[track_caller]
    fn see_in_time(&mut self, text: &str) -> &mut Visit {
        self.look_until(|visit| visit.text().contains(text));
        self.assert_sees(text)
    }

    fn resize(&mut self, width: u16, height: u16) -> &mut Visit {
        self.terminal.backend_mut().resize(width, height);
        self
    }

    /// The drawn screen, without blanks at the ends of lines.
    fn text(&mut self) -> String {
        self.terminal.draw(|frame| self.screen.draw(frame)).expect("a frame");
        let buffer = self.terminal.backend().buffer();
        let line = |y| -> String { (0..buffer.area.width).map(|x| buffer[(x, y)].symbol()).collect() };
        (0..buffer.area.height).map(|y| line(y).trim_end().to_owned() + "\n").collect()
    }

    /// The text of all cells of the screen that are reversed, and those that have a colour.
    fn marked(&mut self) -> (String, bool) {
        self.text();
        let cells = &self.terminal.backend().buffer().content;
        let reversed = cells.iter().filter(|cell| cell.modifier.contains(Modifier::REVERSED));
        let coloured = cells.iter().any(|cell| (cell.fg, cell.bg) != (Color::Reset, Color::Reset));
        (reversed.map(|cell| cell.symbol()).collect(), coloured)
    }

    #[track_caller]
    fn assert_looks_like(&mut self, name: &str) {
        let seen = self.text();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screens").join(name).with_extension("txt");
        if std::env::var_os("NOUGHTS_DRAW").is_some() {
            std::fs::write(&path, &seen).expect("a picture");
        }
        let expected = std::fs::read_to_string(&path).expect("a picture");
        assert!(seen == expected, "{name} looks different:\n{seen}");
    }

    #[track_caller]
    fn assert_sees(&mut self, text: &str) -> &mut Visit {
        let seen = self.text();
        assert!(seen.contains(text), "{text:?} is not seen:\n{seen}");
        self
    }
}

/// A key by its sign: arrows, `.` for Enter and `!` for Escape.
fn key_code(sign: char) -> KeyCode {
    match sign {
        '^' => KeyCode::Up,
        'v' => KeyCode::Down,
        '<' => KeyCode::Left,
        '>' => KeyCode::Right,
        '.' => KeyCode::Enter,
        '!' => KeyCode::Esc,
        key => KeyCode::Char(key),
    }
}

const PEOPLE: [&str; 2] = ["person", "person"];

#[test]
fn a_small_board_has_large_stones() {
    Visit::new((3, 0, false), PEOPLE, true).keys("..<^.>").assert_looks_like("3x3");
}

#[test]
fn hints_stand_in_the_empty_squares() {
    Visit::new((3, 0, true), PEOPLE, true).keys("^.h").assert_looks_like("3x3-hints");
}

#[test]
fn a_10x10_board_is_shown_whole() {
    Visit::new((10, 5, false), PEOPLE, false).keys(".>.").assert_looks_like("10x10");
}

#[test]
fn a_board_of_20x20_scrolls_with_the_cursor() {
    let mut visit = Visit::new((20, 5, false), PEOPLE, false);
    visit.keys(".>.^").assert_looks_like("20x20");
    visit.press([KeyCode::Down; 20]).press([KeyCode::Right; 20]).keys(".").assert_looks_like("20x20-corner");
}

#[test]
fn a_completed_line_is_reversed_and_the_result_is_said() {
    let mut visit = Visit::new((3, 0, false), PEOPLE, true);
    // X takes the middle column, O two cells beside it.
    visit.keys(".<.>^.<.>vv.").assert_looks_like("3x3-won");
    assert!(visit.marked().0.contains('\u{2573}'));
    visit.keys(".").assert_sees("The game is over.");
    visit.keys("n").assert_sees("Your move, X.");
}

#[test]
fn the_engine_answers_and_says_what_it_expects() {
    let mut visit = Visit::new((3, 0, false), ["person", "perfect"], true);
    visit.keys(".").assert_sees("A draw with best play.");
    // A person who wants no hints is not told the best move.
    assert!(!visit.marked().0.contains("Expected"));
    visit.keys("h").see_in_time("A draw with best play.  Expected: ");
    visit.keys("h");
    assert!(!visit.marked().0.contains("Expected"));
    visit.keys("u").assert_sees("Your move, X.");
    assert_eq!(visit.screen.game().moves().len(), 0);
    visit.keys("r");
    assert_eq!(visit.screen.game().moves().len(), 2);
    visit.keys("r").assert_sees("No move has been taken back.");
    visit.keys(".").assert_sees("1,1 is taken.");
}

#[test]
fn the_expected_moves_are_those_that_come_next() {
    for (rules, sides) in [((3, 0, false), ["person", "perfect"]), ((4, 3, true), ["mcts", "person"])] {
        let mut visit = Visit::with_trials(100, rules, sides, false);
        visit.settle();
        while visit.screen.game().turn() == Turn::Person {
            let game = visit.screen.game();
            let (position, size) = (*game.position(), rules.0);
            let expected = game.evaluation().map(|evaluation| evaluation.expected).unwrap_or_default();
            let cells: Vec<_> = expected.iter().map(|written| written.on_board(size).expect("a cell")).collect();
            assert_eq!(cells.iter().filter(|cell| position.occupant(**cell).is_some()).count(), 0, "{expected:?}");
            // Enter on the first empty square.
            let cell = position.moves().next().expect("a move");
            visit.keys(&"^".repeat(size.into())).keys(&"<".repeat(size.into()));
            visit.keys(&"v".repeat(cell.row().into())).keys(&">".repeat(cell.column().into())).keys(".");
        }
    }
}

#[test]
fn a_game_that_is_over_has_no_value_and_no_expected_move() {
    let says_nothing = |visit: &mut Visit| {
        let seen = visit.text();
        let is_stale =
            |line: &str| ["Expected:", "best play", "wins with", "loses with"].iter().any(|w| line.contains(w));
        assert!(visit.screen.game().evaluation().is_none() && !seen.lines().any(is_stale), "{seen}");
    };
    // The last move is that of a player that has said what it expects, in drawn games and in decided ones.
    for (rules, sides) in [
        ((3, 0, false), ["perfect", "random"]),
        ((3, 0, false), ["perfect", "perfect"]),
        ((3, 0, true), ["random", "auto"]),
        ((4, 3, false), ["mcts", "random"]),
    ] {
        let mut visit = Visit::with_trials(100, rules, sides, false);
        visit.settle();
        for keys in ["", "h", "u", "r", "h", "s.", "svvvv>.", "n"] {
            visit.keys(keys);
            if visit.screen.game().turn() == Turn::Over {
                says_nothing(visit.assert_sees("n plays again."));
            }
        }
        says_nothing(&mut visit);
    }
    // Against a person the value goes with the game, and comes with the next.
    let mut visit = Visit::new((3, 0, false), ["person", "perfect"], false);
    visit.keys("^.").assert_sees("best play");
    // Enter on every square: on those that are taken it changes nothing.
    visit.keys("^^<<.>.>.v<<.>.>.v<<.>.>.");
    says_nothing(visit.assert_sees("n plays again."));
    visit.keys("n").keys(".").assert_sees("best play");
}

#[test]
fn a_problem_of_a_program_goes_with_the_program() {
    let program = |command: &str| {
        let setup = command.parse::<EngineSpec>().and_then(|spec| spec.set_up()).expect("a program");
        Participant::External(Arc::new(setup))
    };
    let settings = PlaySettings {
        rules: Rules::new(3, 0, false).expect("rules"),
        sides: [program("false"), Participant::Person],
        budget: MoveBudget::Playouts(100),
        level: 10,
        seed: 1,
    };
    let (sender, answers) = channel();
    let mut game = LiveGame::start(settings, Arc::new(move |answer| drop(sender.send(answer)))).expect("a game");
    while game.problem().is_none() {
        game.receive(answers.recv_timeout(PATIENCE).expect("an answer"));
    }
    game.set_participant(Player::X, Participant::Person).expect("a person");
    assert_eq!((game.turn(), game.problem()), (Turn::Person, None));
}

#[test]
fn the_mouse_plays_where_it_clicks() {
    let mut visit = Visit::new((3, 0, false), PEOPLE, true);
    visit.click(31, 5).click(0, 0).click(47, 12);
    let moves: Vec<String> = visit.screen.game().moves().iter().map(ToString::to_string).collect();
    assert_eq!(moves, ["0,0", "2,2"]);
}

#[test]
fn settings_are_a_draft_until_they_are_accepted() {
    let mut visit = Visit::new((3, 0, false), PEOPLE, true);
    visit.keys("sv>>vvvvvv").assert_looks_like("settings");
    visit.keys("!");
    assert!(visit.screen.game().settings().sides.iter().all(Participant::is_person));
    // O is perfect, level 9, 2000 playouts, 4x4, 1 in a row loses.
    visit.keys("sv>>v<vv>v>vv>v>.").assert_sees("4x4, 1 in a row loses").assert_sees("O perfect");
    let settings = visit.screen.game().settings();
    assert_eq!((settings.level, settings.budget, settings.rules.connect()), (9, MoveBudget::Playouts(2000), 1));
    assert_eq!(visit.screen.game().participant(Player::O).name(), "perfect");
    visit.keys(".").assert_sees("You lost: X completed the line");
}

#[test]
fn a_move_is_limited_by_the_time_or_the_playouts_chosen_last() {
    let mut visit = Visit::new((3, 0, false), ["person", "perfect"], true);
    assert!(!visit.text().contains("a move"));
    let chosen = |visit: &mut Visit, keys: &str| visit.keys(keys).screen.game().settings().budget;
    assert_eq!(chosen(&mut visit, "svvv>."), MoveBudget::Time(1000));
    visit.assert_sees("at most 1 second a move");
    assert_eq!(chosen(&mut visit, "svvv<<."), MoveBudget::Time(200));
    visit.assert_sees("at most 0.2 seconds a move");
    assert_eq!(chosen(&mut visit, "svvv<<<<."), MoveBudget::Time(100));
    assert_eq!(chosen(&mut visit, &format!("svvv{}.", ">".repeat(20))), MoveBudget::Time(60_000));
    visit.keys("svvv").assert_sees("Seconds a move <").assert_sees("no limit").keys("!");
    assert_eq!(chosen(&mut visit, "svvvv>>."), MoveBudget::Playouts(2000));
    assert!(!visit.text().contains("a move"));
    // No computer player: nothing to limit.
    visit.keys("svvv>.").keys("sv<<.");
    assert!(visit.screen.game().settings().sides.iter().all(Participant::is_person), "{}", visit.text());
    assert!(!visit.text().contains("a move"));
}

#[test]
fn an_engine_that_thinks_can_be_interrupted() {
    // It would take far longer than a person waits.
    let mut visit = Visit::with_trials(2_000_000_000, (20, 5, false), ["montecarlo", "person"], true);
    visit.assert_sees("X, montecarlo, is thinking...");
    let press = |visit: &mut Visit, key| visit.happen(event::Event::Key(KeyEvent::new(key, KeyModifiers::NONE)));
    assert_eq!(press(&mut visit, KeyCode::Char('u')), None);
    visit.assert_sees("There is no move to take back.");
    // To the left of flat Monte Carlo are the perfect player, the mixed one, and the person.
    for key in [KeyCode::Char('s'), KeyCode::Left, KeyCode::Left, KeyCode::Left, KeyCode::Enter] {
        assert_eq!(press(&mut visit, key), None);
    }
    visit.assert_sees("Your move, X.").press([]);
    assert_eq!(visit.screen.game().moves().len(), 0);
    assert_eq!(press(&mut visit, KeyCode::Char('q')), Some(ScreenAction::Exit(ScreenExit::Quit)));
}

#[test]
fn what_an_engine_thinks_is_seen_while_it_thinks() {
    let mut visit = Visit::with_trials(2_000_000_000, (20, 5, false), ["montecarlo", "person"], true);
    visit.see_in_time("between -1 (lost) and +1 (won).  Expected: ").assert_sees("X, montecarlo, is thinking...");
    let value = |visit: &mut Visit| {
        let seen = visit.text();
        seen.lines().find(|line| line.contains("between -1")).map(str::to_owned)
    };
    let first = value(&mut visit);
    assert!(visit.look_until(|visit| value(visit) != first), "it goes on: {first:?}");
}

#[test]
fn squares_without_a_proof_show_percents_or_nothing() {
    for (size, connect) in [(7, 5), (10, 5), (20, 6)] {
        let mut visit = Visit::with_trials(2000, (size, connect, false), PEOPLE, false);
        visit.keys(".h");
        let game = visit.screen.game();
        let hints = game.hints().expect("hints");
        let texts: Vec<String> = game.position().moves().filter_map(|cell| Some(hint(hints.of(cell)?))).collect();
        let numbers: Vec<u8> = texts.iter().filter_map(|text| text.parse().ok()).collect();
        assert!(numbers.iter().all(|&number| number <= 100) && !numbers.is_empty(), "{texts:?}");
        let is_value = |text: &&String| text.starts_with(['W', 'D', 'L']);
        assert_eq!(texts.iter().filter(is_value).count() + numbers.len(), texts.len(), "{texts:?}");
        // A search of 2,000 playouts hardly looks at most squares of a board.
        assert!(texts.len() < game.position().empty_cells(), "{texts:?}");
        let (seen, most) = (visit.text(), numbers.iter().max().map(u8::to_string).unwrap_or_default());
        assert!(seen.split([' ', '\u{2502}', '[', ']']).any(|word| word == most), "{seen}");
        visit.assert_sees("100 won");
        // Hints that are hidden leave nothing behind.
        visit.keys("h");
        assert!(!visit.text().contains("100 won"));
    }
    // On a smaller board all values are proven.
    let mut visit = Visit::with_trials(1000, (4, 0, false), PEOPLE, true);
    visit.keys("h").assert_sees("W: wins, L: loses, in so many moves of both sides; D: draws");
}

#[test]
fn a_wrong_command_line_is_reported_and_can_be_corrected() {
    let mut visit = Visit::new((3, 0, false), PEOPLE, true);
    // To the left of the person is the program that has not been named.
    visit.keys("sv<").assert_sees("another program...").assert_sees("Enter asks which,");
    visit.keys(".").assert_looks_like("program");
    for (command, complaint) in [
        ("", "An engine needs a program"),
        ("no-such-program", "There is no program no-such-program."),
        ("/etc/passwd", "/etc/passwd is not an executable file."),
        ("name=a cmd=cat proto=UCI", "Proto is noughts, uci, ugi, gomocup or gtp, not \"UCI\"."),
        ("cat 'a", "The quotes in \"cat 'a\" do not match."),
        ("a=1 b=2 cmd=cat", "There is no key \"a\""),
    ] {
        visit.type_in(command).press([KeyCode::Enter]).assert_sees(complaint).assert_sees(command);
        visit.press(vec![KeyCode::Backspace; command.len() + 1]);
        assert!(!visit.text().contains(complaint));
    }
    // Nothing of it is lost on the way back, and nothing has changed at the table.
    visit
        .type_in("half a comm")
        .keys("!")
        .assert_sees("another program...")
        .keys("vvvv>")
        .assert_sees("Rows           <                 4");
    visit
        .keys(".")
        .assert_sees("A program for O")
        .assert_sees("half a comm")
        .keys("!")
        .assert_sees("Columns                          4")
        .keys("!");
    assert!(visit.screen.game().settings().sides.iter().all(Participant::is_person));
    visit.assert_sees("3x3, 3 in a row wins");
}

#[test]
fn what_lies_on_the_board_takes_no_colours_from_it() {
    let mut visit = Visit::new((3, 0, false), PEOPLE, true);
    visit.keys(".h").keys("?").text();
    let cells = visit.terminal.backend().buffer().clone();
    let lines: Vec<String> = visit.text().lines().map(str::to_owned).collect();
    let row = lines.iter().position(|line| line.contains("what every empty square")).expect("a line of help") as u16;
    let inside = (9..70).map(|column| &cells[(column, row)]);
    assert!(inside.into_iter().all(|cell| cell.fg == Color::Reset), "{lines:#?}");
}

#[test]
fn what_is_pasted_is_text_and_no_keys() {
    let mut visit = Visit::new((3, 0, false), PEOPLE, true);
    let book = "quns .\n\u{4e95}\u{1b}[A\u{e9}".repeat(1000);
    let paste = |visit: &mut Visit, text: &str| assert_eq!(visit.happen(event::Event::Paste(text.to_owned())), None);
    paste(&mut visit, &book);
    visit.assert_sees("Your move, X.").keys("s");
    paste(&mut visit, &book);
    visit.assert_sees("Settings").keys("<.");
    paste(&mut visit, &book);
    visit.assert_sees("A program for X").press([KeyCode::Enter]).assert_sees("There is no program").keys("!!");
    visit.assert_sees("Your move, X.");
}

#[test]
fn everything_may_be_changed_while_an_engine_thinks() {
    let mut visit = Visit::with_trials(2_000_000_000, (20, 5, false), ["montecarlo", "montecarlo"], true);
    // Another board, other players, hints, help, and back.
    for keys in ["hh?x^^>>", "svv<vvv<.", "u", ".", "n", "h", "svvvvvvvv>.", "r", "s<<<<.", ".n", "wsv<.!!"] {
        for key in keys.chars() {
            assert_eq!(visit.happen(event::Event::Key(KeyEvent::new(key_code(key), KeyModifiers::NONE))), None);
        }
        visit.text();
    }
    visit.assert_sees("19x19, 5 in a row loses").assert_sees("is thinking...");
}

#[test]
fn why_shows_the_reason_when_it_is_there() {
    let mut visit = Visit::new((3, 0, false), PEOPLE, true);
    visit.keys("w").assert_sees("You have made no move yet.");
    visit.keys(".^.w");
    visit.hear();
    visit.assert_looks_like("why");
    visit.resize(50, 12).keys("vvvv").assert_sees("up and down for more");
    visit.resize(32, 10).keys(&"v".repeat(60)).assert_sees("searched");
    visit.resize(80, 24).keys("q").assert_sees("Your move, X.");
}

#[test]
fn a_reason_that_comes_too_late_is_not_shown_over_another_game() {
    let mut visit = Visit::new((3, 0, false), PEOPLE, true);
    let empty = visit.text();
    visit.keys(".w").assert_sees("The reason is on its way...").keys("n");
    visit.hear();
    assert_eq!(visit.text(), empty);
}

#[test]
fn help_lists_the_keys() {
    Visit::new((3, 0, false), PEOPLE, true).keys("?").assert_looks_like("help");
}

#[test]
fn no_size_of_the_window_is_too_small_to_be_drawn() {
    let mut visit = Visit::new((20, 5, false), PEOPLE, true);
    for keys in ["", "h", "?", "!s", "!"] {
        visit.keys(keys);
        for (width, height) in [(0, 0), (1, 1), (5, 3), (20, 8), (79, 23), (200, 60), (12, 60), (200, 2)] {
            visit.resize(width, height).text();
        }
        visit.resize(80, 24);
    }
    // Text that does not fit ends in dots, except blanks.
    visit.resize(30, 10).keys("s<.").assert_sees("\u{2502} Its command line, such ... \u{2502}");
    assert!(!visit.text().contains("   ..."));
    visit.keys("!!").resize(5, 5).assert_sees("Pleas");
    visit.keys("h").resize(200, 60).assert_looks_like("20x20-large");
}
