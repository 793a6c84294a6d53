//! Warnings and progress of an exam that runs.

/// Receives the warnings and the progress of an exam.
pub trait ExamObserver {
    /// Something went wrong that the user should know of. The exam goes on.
    fn warn(&self, warning: &str);

    /// How many answers there are, out of how many. Called at most ten times a second.
    fn progress(&self, answers: u64, of: u64);
}

/// Ignores warnings and progress.
impl ExamObserver for () {
    fn warn(&self, _: &str) {}

    fn progress(&self, _: u64, _: u64) {}
}
