//! The lines of a trace, which are sent in pieces while the client reads.

use crate::engine::{Options, Trace, TraceCounts};
use crate::protocol::{Analysis, Reply, end_line, event_line, total_line};

/// A trace that is being sent: the events, the totals, and a line that ends it.
pub struct TraceOutput {
    trace: Box<Trace>,
    /// Lines of events so far.
    sent: TraceCounts,
    /// Lines of totals so far.
    totals: usize,
    /// True if no more events are sent.
    is_cut: bool,
}

impl TraceOutput {
    pub fn new(trace: Box<Trace>) -> TraceOutput {
        TraceOutput { trace, sent: TraceCounts::default(), totals: 0, is_cut: false }
    }

    /// Leaves out the events that are left.
    pub fn cut(&mut self) {
        self.is_cut = true;
    }

    /// The next line, and whether it is the last one.
    pub fn next_line(&mut self, options: &Options) -> (Reply, bool) {
        if let Some(event) = self.trace.log.events.get(self.sent.sum() as usize).filter(|_| !self.is_cut) {
            self.sent.add(event.kind());
            return (Reply::Text(event_line(event, options)), false);
        }
        if let Some(total) = self.trace.totals.get(self.totals) {
            self.totals += 1;
            let line = total_line(total, options);
            return (Reply::Analysis(Analysis::TraceTotal(*total, line)), false);
        }
        (Reply::Analysis(Analysis::TraceEnd(end_line(&self.trace, &self.sent, options))), true)
    }
}
