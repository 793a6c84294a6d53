//! An exam from its start to its report: many questions in one write, and the answers assigned to them.

use std::time::{Duration, Instant};

use crate::client::{
    Client, Failure, MoveRequest, MoveResponse, RunContext, RunObserver, RunProgress, SeriesFailure, SeriesOrder,
    StartError, go_line,
};
use crate::engine::OptionType;
use crate::text::Excerpt;
use noughts_core::game::Rules;

use super::questions::ExamQuestions;
use super::report::{ExamEngine, ExamReport, Expected, Scores};
use super::response::Response;
use super::settings::{ExamFailure, ExamSettings};
use super::solved_game::ExamQuestion;

/// The outcome of an exam.
pub struct ExamOutcome {
    /// The report on every game whose questions were all asked.
    pub report: ExamReport,
    /// The reason why the exam ended early, if it did.
    pub failure: Option<ExamFailure>,
}

/// Runs an exam to its end, or as far as it comes. The engine process has ended when this returns.
pub fn run(settings: &ExamSettings, context: &RunContext, observer: &dyn RunObserver) -> ExamOutcome {
    let setup = &settings.engine;
    let engine = ExamEngine {
        name: setup.name.clone(),
        title: None,
        command: setup.command.clone(),
        options: setup.options.iter().cloned().collect(),
    };
    let limit = go_line(settings.limits);
    let limit = limit.strip_prefix("go ").unwrap_or("none").to_owned();
    let (repeat, ties) = (settings.repeat, settings.ties);
    let mut report = ExamReport { engine, limit, seed: None, repeat, ties, exams: Vec::new() };
    let mut games = settings.rules.iter();
    let outcome = games.try_for_each(|&rules| run_game(settings, rules, context, observer, &mut report));
    ExamOutcome { report, failure: outcome.err() }
}

/// Runs the exam of one game, and adds its scores to the report.
fn run_game(
    settings: &ExamSettings,
    rules: Rules,
    context: &RunContext,
    observer: &dyn RunObserver,
    report: &mut ExamReport,
) -> Result<(), ExamFailure> {
    let unsolved = || {
        ExamFailure(format!(
            "there is no exam of {rules}: only boards of at most 16 cells are known position by position"
        ))
    };
    let mut questions = ExamQuestions::new(rules, settings.selection, settings.seed).ok_or_else(unsolved)?;
    let engine = settings.engine.name_and_command();
    let mut client = match Client::start(&settings.engine, rules, context) {
        Ok(client) => client,
        Err(error @ StartError::Game(..)) if settings.rules.len() > 1 => {
            observer.warn(&format!("engine {engine} {error}; that part of the exam is left out"));
            return Ok(());
        }
        Err(StartError::Introduction(Failure::Interrupted, _)) => return Err(ExamFailure::interrupted()),
        Err(error) => return Err(ExamFailure(format!("engine {engine} {error}"))),
    };
    report.engine.title = client.title().map(str::to_owned);
    report.seed = client.takes_seed().then_some(settings.seed);
    let mut runner = ExamRunner::new(&mut client, rules, questions.count(), settings, observer);
    let mut scores = Scores::new(&questions, settings.list);
    let whole_game = questions.sample().is_none().then(|| questions.count());
    questions.visit(|questions, solved| {
        let responses = runner.ask(questions)?;
        scores.add(questions, &responses, solved);
        if whole_game == Some(questions.len() as u64) {
            scores.expected = Some(Expected::of(questions, &responses));
        }
        Ok(())
    })?;
    Client::quit([client]);
    report.exams.push(scores);
    Ok(())
}

/// The most questions in one write.
const SERIES: usize = 256;

/// The most lines that an engine is asked to show. No board has more moves.
const MOST_LINES: i64 = 400;

/// The option that sets how many moves an engine shows.
const MULTI_PV: &str = "MultiPV";

/// The least time between two reports of progress to the observer.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Asks one engine the questions of one game.
struct ExamRunner<'a> {
    client: &'a mut Client,
    settings: &'a ExamSettings,
    rules: Rules,
    go: String,
    warnings: ExamWarnings<'a>,
    /// Answers so far.
    answers: u64,
    /// Answers of the whole game.
    of: u64,
    last_report: Instant,
}

impl<'a> ExamRunner<'a> {
    /// Prepares the engine for this number of questions about the game.
    pub fn new(
        client: &'a mut Client,
        rules: Rules,
        questions: u64,
        settings: &'a ExamSettings,
        observer: &'a dyn RunObserver,
    ) -> ExamRunner<'a> {
        if settings.ties && !settings.engine.sets(MULTI_PV) {
            show_ties(client, observer);
        }
        let go = go_line(settings.limits);
        let of = questions * u64::from(settings.repeat);
        let warnings = ExamWarnings { observer, name: client.name().to_owned(), late: false, complained: false };
        ExamRunner { client, settings, rules, go, warnings, answers: 0, of, last_report: Instant::now() }
    }

    /// Asks every question of a block as often as the settings say. All are asked once before the first is asked again.
    /// Each block is a game of its own to the engine, with the seed of the exam, so that its answers do not depend on the
    /// blocks before it.
    ///
    /// # Errors
    /// When the engine does not answer, or the exam is interrupted.
    pub fn ask(&mut self, questions: &[ExamQuestion]) -> Result<Vec<Response>, ExamFailure> {
        let settings = self.settings;
        self.client.begin_game(settings.seed);
        let limit = settings.patience.saturating_add(Duration::from_millis(settings.limits.move_time.unwrap_or(0)));
        let lines: Vec<String> = questions.iter().map(ExamQuestion::line).collect();
        let request = |position| MoveRequest { position, go: &self.go, limit, wants_info: settings.ties };
        let requests: Vec<MoveRequest<'_>> = lines.iter().map(|line| request(line.as_str())).collect();
        // An engine with a time limit gets one question at a time, so that it spends no time on reading the next ones.
        let series = if settings.limits.move_time.is_some() { 1 } else { SERIES };
        let mut responses: Vec<Response> = questions.iter().map(Response::new).collect();
        for _ in 0..settings.repeat {
            for (number, some) in requests.chunks(series).enumerate() {
                let first = number * series;
                let answers = ask(self.client, some).map_err(|broken| match broken.failure {
                    Failure::Interrupted => ExamFailure::interrupted(),
                    failure => {
                        let (engine, rules) = (settings.engine.name_and_command(), self.rules);
                        let position = &lines[first + broken.request];
                        let asked = format!("it was asked for a move of {rules} in {position}");
                        ExamFailure(format!("engine {engine} {failure}; {asked}"))
                    }
                })?;
                for (answer, number) in answers.iter().zip(first..) {
                    self.warnings.check(answer.stale, answer.error.as_deref());
                    responses[number].add_answer(answer, &questions[number], settings.ties);
                }
                self.answers += answers.len() as u64;
                if self.last_report.elapsed() >= PROGRESS_INTERVAL {
                    self.last_report = Instant::now();
                    let (done, of) = (self.answers, self.of);
                    self.warnings.observer.progress(&RunProgress { done, of, note: String::new() });
                }
            }
        }
        Ok(responses)
    }
}

/// The answers to some questions. All are asked at once; if it is then in doubt which answer belongs to which question,
/// they are asked again one by one.
fn ask(client: &mut Client, requests: &[MoveRequest<'_>]) -> Result<Vec<MoveResponse>, SeriesFailure> {
    let mut answers = Vec::new();
    match client.request_series(requests, |answer| answers.push(answer)) {
        Ok(SeriesOrder::Kept) => return Ok(answers),
        Ok(SeriesOrder::Doubtful) | Err(SeriesFailure { failure: Failure::Unasked, .. }) if requests.len() > 1 => {}
        Ok(SeriesOrder::Doubtful) => return Ok(answers),
        Err(failure) => return Err(failure),
    }
    answers.clear();
    for (number, request) in requests.iter().enumerate() {
        let asked = client.request_series(std::slice::from_ref(request), |answer| answers.push(answer));
        asked.map_err(|failure| SeriesFailure { request: number, ..failure })?;
    }
    Ok(answers)
}

/// Sets the engine to show as many moves as it can.
fn show_ties(client: &mut Client, observer: &dyn RunObserver) {
    match client.option_type(MULTI_PV) {
        Some(&OptionType::Spin { max, .. }) => client.set_option(MULTI_PV, &max.min(MOST_LINES).to_string()),
        _ => observer.warn(&format!(
            "engine {} declares no option \"{MULTI_PV}\": it cannot show which moves it holds for equally good",
            client.name()
        )),
    }
}

/// Warns the observer of odd answers, once of each kind.
struct ExamWarnings<'a> {
    observer: &'a dyn RunObserver,
    name: String,
    late: bool,
    complained: bool,
}

impl ExamWarnings<'_> {
    fn check(&mut self, stale: u32, complaint: Option<&str>) {
        if stale > 0 && !std::mem::replace(&mut self.late, true) {
            self.observer.warn(&format!("engine {} answers more than it is asked; that is ignored", self.name));
        }
        if let Some(complaint) = complaint
            && !std::mem::replace(&mut self.complained, true)
        {
            self.observer.warn(&format!("engine {} says of a question: {}", self.name, Excerpt::of(complaint)));
        }
    }
}
