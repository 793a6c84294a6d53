//! The progress of a run on standard error: a bar, and warnings above it.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use noughts::arena::{MatchObserver, MatchProgress};
use noughts::exam;

use super::output;

/// Shows progress on standard error, if that is a terminal, and warnings in any case.
pub struct ProgressDisplay {
    bar: ProgressBar,
}

impl ProgressDisplay {
    /// The display of a run that has not begun, which counts `things`.
    pub fn new(things: &str) -> ProgressDisplay {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
        let template = format!("{{bar:30}} {{pos}}/{{len}} {things}  {{msg}}");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style.progress_chars("=> "));
        }
        ProgressDisplay { bar }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl MatchObserver for ProgressDisplay {
    fn warn(&self, warning: &str) {
        self.bar.suspend(|| output::warn(warning));
    }

    fn progress(&self, progress: &MatchProgress) {
        self.bar.set_length(progress.of);
        self.bar.set_position(progress.games);
        let score = progress.results.and_then(|results| {
            let [losses, draws, wins] = results.counts();
            results.mean_score().map(|score| format!("  +{wins} ={draws} -{losses}  {score:.4}"))
        });
        let score = score.unwrap_or_default();
        let speed = progress.games_a_second;
        let decimals = if speed < 10.0 { 2 } else { 0 };
        self.bar.set_message(format!("{speed:.decimals$}/s{score}"));
    }
}

impl exam::ExamObserver for ProgressDisplay {
    fn warn(&self, warning: &str) {
        MatchObserver::warn(self, warning);
    }

    fn progress(&self, answers: u64, of: u64) {
        self.bar.set_length(of);
        self.bar.set_position(answers);
    }
}
