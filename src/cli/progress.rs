//! The progress of a run on standard error: a bar, and warnings above it.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use noughts::client::{RunObserver, RunProgress};

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

impl RunObserver for ProgressDisplay {
    fn warn(&self, warning: &str) {
        self.bar.suspend(|| output::warn(warning));
    }

    fn progress(&self, progress: &RunProgress) {
        self.bar.set_length(progress.of);
        self.bar.set_position(progress.done);
        self.bar.set_message(progress.note.clone());
    }
}
