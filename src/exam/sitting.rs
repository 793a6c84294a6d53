//! Asking the questions.

use std::time::{Duration, Instant};

use crate::client::{Client, Failure, MoveRequest, MoveResponse, SeriesFailure, SeriesOrder, go_line};
use crate::protocol::OptionType;
use crate::text::Excerpt;
use noughts_core::game::Rules;

use super::paper::Question;
use super::response::Response;
use super::{ExamFailure, ExamSettings, Observer};

/// How many questions are asked with one write.
const SERIES: usize = 256;

/// The most lines that are asked for: no board has more moves.
const MOST_LINES: i64 = 400;

/// The option that says how many moves are shown.
const MULTI_PV: &str = "MultiPV";

/// How often an observer hears of the progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// An engine that is asked questions.
pub struct Sitting<'a> {
    client: &'a mut Client,
    settings: &'a ExamSettings,
    rules: Rules,
    go: String,
    remarks: Remarks<'a>,
    /// Answers so far, and of how many.
    answers: u64,
    of: u64,
    told: Instant,
}

impl<'a> Sitting<'a> {
    /// Prepares the engine for so many questions about this game.
    pub fn new(
        client: &'a mut Client,
        rules: Rules,
        questions: u64,
        settings: &'a ExamSettings,
        observer: &'a dyn Observer,
    ) -> Sitting<'a> {
        client.begin_game(settings.seed);
        if settings.ties && !settings.engine.sets(MULTI_PV) {
            show_ties(client, observer);
        }
        let go = go_line(settings.limits);
        let of = questions * u64::from(settings.repeat);
        let remarks = Remarks { observer, name: client.name().to_owned(), late: false, complained: false };
        Sitting { client, settings, rules, go, remarks, answers: 0, of, told: Instant::now() }
    }

    /// Asks every question as often as the settings say, all of them once before the first comes again.
    pub fn ask(&mut self, questions: &[Question]) -> Result<Vec<Response>, ExamFailure> {
        let settings = self.settings;
        let limit = settings.patience.saturating_add(Duration::from_millis(settings.limits.move_time.unwrap_or(0)));
        let lines: Vec<String> = questions.iter().map(Question::line).collect();
        let request = |position| MoveRequest { position, go: &self.go, limit, seed: None, wants_info: settings.ties };
        let asked: Vec<MoveRequest<'_>> = lines.iter().map(|line| request(line.as_str())).collect();
        // An engine that is given time is to have it to itself, and not to read what comes next.
        let series = if settings.limits.move_time.is_some() { 1 } else { SERIES };
        let mut responses: Vec<Response> = questions.iter().map(Response::new).collect();
        for _ in 0..settings.repeat {
            for (number, some) in asked.chunks(series).enumerate() {
                let first = number * series;
                let said = ask(self.client, some).map_err(|broken| match broken.failure {
                    Failure::Interrupted => ExamFailure::Interrupted,
                    failure => ExamFailure::Broken {
                        engine: settings.engine_and_command(),
                        failure,
                        rules: self.rules,
                        position: lines[first + broken.request].clone(),
                    },
                })?;
                for (answer, number) in said.iter().zip(first..) {
                    self.remarks.hear(answer.stale, answer.error.as_deref());
                    responses[number].hear(answer, &questions[number], settings.ties);
                }
                self.answers += said.len() as u64;
                if self.told.elapsed() >= PROGRESS_INTERVAL {
                    self.told = Instant::now();
                    self.remarks.observer.progress(self.answers, self.of);
                }
            }
        }
        Ok(responses)
    }
}

/// The answers to some questions: to all at once, and where that leaves a doubt, to one after the other.
fn ask(client: &mut Client, requests: &[MoveRequest<'_>]) -> Result<Vec<MoveResponse>, SeriesFailure> {
    let mut said = Vec::new();
    match client.request_series(requests, |answer| said.push(answer)) {
        Ok(SeriesOrder::Kept) => return Ok(said),
        Ok(SeriesOrder::Doubtful) | Err(SeriesFailure { failure: Failure::Unasked, .. }) if requests.len() > 1 => {}
        Ok(SeriesOrder::Doubtful) => return Ok(said),
        Err(failure) => return Err(failure),
    }
    said.clear();
    for (number, request) in requests.iter().enumerate() {
        let asked = client.request_series(std::slice::from_ref(request), |answer| said.push(answer));
        asked.map_err(|failure| SeriesFailure { request: number, ..failure })?;
    }
    Ok(said)
}

/// Lets the engine show as many moves as it can.
fn show_ties(client: &mut Client, observer: &dyn Observer) {
    match client.option_type(MULTI_PV) {
        Some(&OptionType::Spin { max, .. }) => client.set_option(MULTI_PV, &max.min(MOST_LINES).to_string()),
        _ => observer.warn(&format!(
            "engine {} declares no option \"{MULTI_PV}\": it cannot show which moves it holds for equally good",
            client.name()
        )),
    }
}

/// What people are told of on the way, each kind once.
struct Remarks<'a> {
    observer: &'a dyn Observer,
    name: String,
    late: bool,
    complained: bool,
}

impl Remarks<'_> {
    fn hear(&mut self, stale: u32, complaint: Option<&str>) {
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
