//! Collects the sentences about the summary of a run that the terminal shows below it, too.

use crate::caveats::Caveats;
use crate::close::NearLimit;
use referee_event::Event;

/// Collects what limits the summary of a run.
#[derive(Default)]
pub(super) struct SummaryRemarks {
    caveats: Caveats,
    close: NearLimit,
    /// Whether a submission of the run has an expected verdict.
    has_declared: bool,
}

impl SummaryRemarks {
    pub(super) fn event(&mut self, event: &Event) {
        match event {
            Event::RunStarted(run) => {
                self.has_declared = run.has_declared;
                self.caveats.time_limit(run.time_limit);
                if let Some(part) = run.part_of_cases.filter(|_| run.has_declared) {
                    self.caveats.part_of_cases(part);
                }
            }
            Event::SubmissionSkipped(skipped) => {
                let name = skipped.student.as_ref().map_or(&skipped.submission, |student| &student.name);
                self.caveats.skipped(name, skipped);
            }
            Event::BuildFinished(build) => self.caveats.built(build),
            Event::CaseFinished(case) => self.close.add(case),
            Event::SubmissionFinished(submission) => {
                // These lines are of no use here, but the terminal's collector counts by submission.
                self.close.submission_lines();
                if self.has_declared && submission.expected.is_none() {
                    self.caveats.undeclared(submission);
                }
            }
            _ => {}
        }
    }

    /// Returns the sentences that limit what the summary says, and the other remarks.
    pub(super) fn sentences(&self) -> (Vec<String>, Vec<String>) {
        let mut doubts = self.caveats.doubts();
        doubts.extend(self.close.run_line());
        (doubts, self.caveats.remarks())
    }
}
