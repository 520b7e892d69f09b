//! Shows the progress of a Slurm job: a bar on a terminal, and plain lines elsewhere.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use crate::cli::{eprint_line, warn};
use referee_report::{counted, progress};
use referee_slurm::{Next, Notice, Progress};
use referee_text::screen;

/// The shortest interval between two plain lines, and the longest one while results arrive.
const SHORTEST: Duration = Duration::from_secs(10);
const LONGEST: Duration = Duration::from_secs(60);

/// What the user sees of a job.
pub(super) struct Display {
    bar: ProgressBar,
    is_quiet: bool,
    has_bar: bool,
    submissions: u64,
    /// The number of test cases on which each submission is judged.
    cases: u64,
    /// The last progress that a plain line told, and when; `None` before the first line.
    told: Option<(Progress, Instant)>,
}

impl Display {
    pub(super) fn new(is_quiet: bool, submissions: u64, cases: u64) -> Display {
        let bar = progress::bar(is_quiet);
        progress::set_style(&bar);
        bar.set_length(submissions.saturating_mul(cases));
        let has_bar = io::stderr().is_terminal() && !screen::is_dumb();
        if has_bar && !is_quiet {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Display { bar, is_quiet, has_bar, submissions, cases, told: None }
    }

    /// Shows a message. Failures are shown with `--quiet`, too.
    pub(super) fn show(&mut self, notice: Notice) {
        match notice {
            Notice::Progress(progress) => self.progress(progress),
            Notice::Submitted { job, tasks } => {
                self.line(&format!("submitted job {job} with {}", counted(tasks, "task")));
            }
            Notice::Adopted { tasks } => {
                self.line(&format!("{} of an earlier run still in the queue", counted(tasks, "task")));
            }
            Notice::Ending => self.line("waiting a few seconds for the last tasks to end"),
            Notice::QueueAnswers => self.line("squeue answers again"),
            Notice::Failed { part, why, next } => self.warn(&failed(part, &why, next)),
            Notice::QueueSilent(why) => {
                self.warn(&format!("{why}; the reports of the parts are followed without the queue"));
            }
            Notice::Postponed(why) => self.warn(&format!("{why}; the submission is repeated in half a minute")),
        }
    }

    fn warn(&self, text: &str) {
        self.bar.suspend(|| warn(text));
    }

    fn line(&self, text: &str) {
        if !self.is_quiet {
            self.bar.suspend(|| eprint_line(text));
        }
    }

    fn progress(&mut self, progress: Progress) {
        if self.is_quiet {
            return;
        }
        // The cases on which a finished submission was not run count as done, as in a local run.
        let position = progress.submissions.saturating_mul(self.cases).saturating_add(progress.runs_of_current);
        self.bar.set_position(position.min(self.submissions.saturating_mul(self.cases)));
        self.bar.set_message(parts(&progress));
        if !self.has_bar && self.is_line_due(&progress) {
            eprint_line(format_args!(
                "{}; {} of {}, {}",
                parts(&progress),
                progress.submissions,
                counted(usize::try_from(self.submissions).unwrap_or(usize::MAX), "submission"),
                counted(usize::try_from(progress.runs).unwrap_or(usize::MAX), "run"),
            ));
            self.told = Some((progress, Instant::now()));
        }
    }

    /// Returns whether a plain line is due: when all parts are over, and otherwise after a while, if anything changed.
    fn is_line_due(&self, progress: &Progress) -> bool {
        let Some((told, at)) = &self.told else { return is_first_line_due(progress) };
        let are_over = progress.parts.done + progress.parts.given_up == progress.parts.all;
        let has_moved = told.parts != progress.parts;
        told != progress && (are_over || (has_moved && at.elapsed() >= SHORTEST) || at.elapsed() >= LONGEST)
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The first line waits until a task is in the queue or over.
fn is_first_line_due(progress: &Progress) -> bool {
    progress.parts.running + progress.parts.done + progress.parts.given_up > 0
}

/// Describes the parts: "3 of 50 parts done, 2 running, 45 waiting (Slurm says: ...)".
fn parts(progress: &Progress) -> String {
    let parts = &progress.parts;
    let others = [(parts.running, "running"), (parts.waiting(), "waiting"), (parts.given_up, "failed")];
    let mut words = vec![format!("{} of {} done", parts.done, counted(parts.all, "part"))];
    words.extend(others.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")));
    let reason = if parts.reason.is_empty() { String::new() } else { format!(" (Slurm: {})", parts.reason) };
    words.join(", ") + &reason
}

fn failed(part: usize, why: &str, next: Next) -> String {
    match next {
        Next::GivenUp => format!("part {part} failed: {why}; it is not submitted again"),
        Next::Again { failures: 0 } => format!("part {part} stopped: {why}; it is submitted again"),
        Next::Again { failures } => {
            let times = if failures == 1 { String::new() } else { format!(" {failures} times in a row") };
            format!("part {part} failed{times}: {why}; it is submitted again")
        }
    }
}

#[cfg(test)]
mod tests {
    use referee_slurm::Counts;

    use super::*;

    fn progress(done: usize, running: usize, reason: &str) -> Progress {
        let parts = Counts { all: 50, done, running, given_up: 0, reason: reason.to_owned() };
        Progress { parts, ..Progress::default() }
    }

    #[test]
    fn parts_are_told_in_one_line() {
        assert_eq!(parts(&progress(3, 2, "")), "3 of 50 parts done, 2 running, 45 waiting");
        assert_eq!(parts(&progress(0, 0, "JobHeldUser")), "0 of 50 parts done, 50 waiting (Slurm: JobHeldUser)");
        assert_eq!(parts(&progress(50, 0, "")), "50 of 50 parts done");
    }

    #[test]
    fn a_failure_says_what_happens_next() {
        let again = failed(3, "NODE_FAIL", Next::Again { failures: 1 });
        assert_eq!(again, "part 3 failed: NODE_FAIL; it is submitted again");
        assert!(failed(3, "x", Next::Again { failures: 2 }).contains("2 times in a row"));
        assert!(failed(3, "x", Next::GivenUp).ends_with("it is not submitted again"));
    }

    #[test]
    fn plain_lines_are_rare() {
        let mut display = Display::new(true, 10, 10);
        assert!(!display.is_line_due(&progress(0, 0, "")));
        assert!(display.is_line_due(&progress(0, 1, "")));
        display.told = Some((progress(0, 1, ""), Instant::now()));
        assert!(!display.is_line_due(&progress(0, 1, "")));
        assert!(!display.is_line_due(&progress(0, 2, "")), "too soon");
        assert!(display.is_line_due(&progress(50, 0, "")), "all are over");
    }
}
