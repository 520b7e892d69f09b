//! Writes a report as JSON lines.

use std::collections::HashSet;
use std::io::{self, Write};

use super::{escaped, line};
use crate::Report;
use crate::atomic_output::{CheckedOutput, Destination};
use referee_event::Event;

/// The results in the report that a resumed run continues. The resumed run writes a new report, which replaces the
/// earlier report once the new report contains all these results.
#[derive(Clone, Debug, Default)]
pub struct ReplacedResults {
    /// The submissions that have results in the earlier report and that the resumed run judges again.
    pub submissions: HashSet<String>,
    /// The submission and the case of the last result in the earlier report; `None` if it has no results.
    pub last: Option<(String, String)>,
}

/// Writes JSON lines. Every line is flushed, so that a killed judge leaves all lines up to the last event.
pub struct JsonLines {
    out: CheckedOutput,
    /// The results of the earlier report that this report does not have yet.
    before: ReplacedResults,
    is_kept: bool,
}

impl JsonLines {
    /// Writes to `out`. The new report replaces the earlier report as soon as the new report has all results of
    /// `before`.
    pub fn new(out: Box<dyn Destination>, before: ReplacedResults) -> Self {
        JsonLines { out: CheckedOutput::new(out), before, is_kept: false }
    }

    /// Removes the results of `event` from `before`, because this report has them now.
    fn remove_from_earlier(&mut self, event: &Event) {
        let ReplacedResults { submissions, last } = &mut self.before;
        match event {
            Event::CaseFinished(case) => {
                let is_last = |last: &(String, String)| last.0 == case.submission && last.1 == case.case;
                if last.as_ref().is_some_and(is_last) {
                    submissions.remove(&case.submission);
                }
            }
            Event::SubmissionFinished(finished) => _ = submissions.remove(&finished.submission),
            Event::SubmissionSkipped(skipped) => _ = submissions.remove(&skipped.submission),
            Event::RunFinished(_) => submissions.clear(),
            _ => {}
        }
    }
}

impl Report for JsonLines {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        let Some(line) = line(event) else { return Ok(()) };
        let line = escaped(serde_json::to_string(&line)?) + "\n";
        self.out.write_all(line.as_bytes())?;
        self.out.flush()?;
        self.remove_from_earlier(event);
        if self.before.submissions.is_empty() && !self.is_kept {
            self.is_kept = true;
            self.out.keep_partial()?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>, is_complete: bool) -> io::Result<()> {
        // While the new report lacks results of the earlier report, the earlier report stays.
        if self.before.submissions.is_empty() { self.out.finish(is_complete) } else { Ok(()) }
    }
}
