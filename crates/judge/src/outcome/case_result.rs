//! The result of a submission on a test case.
//!
//! A result gets its verdict from the run: a limit or an exit code decides alone ([`super::classify`]), otherwise the
//! output validator does. Two things can change that verdict afterwards, and [`CaseResult::finalise`] is the one place
//! where they do.

use crate::outcome::classify::limit_words;
use referee_event::{CaseFinished, Exhibit};
use referee_grading::score::{Given, Score};
use referee_grading::verdict::Verdict;
use referee_sandbox::Crossed;

/// The result of a submission on a test case. A [`CaseFinished`] reports it, with the names of both.
#[derive(Clone, Debug)]
pub struct CaseResult {
    /// The verdict.
    pub verdict: Verdict,
    /// The score files that the output validator wrote. What they mean depends on the group of the case.
    pub given: Given,
    /// CPU time; `None` if nothing ran.
    pub cpu_seconds: Option<f64>,
    /// Wall time; `None` if nothing ran.
    pub wall_seconds: Option<f64>,
    /// CPU time of all measurements that count, if there was more than one; the smallest is `cpu_seconds`.
    pub cpu_seconds_all: Option<Vec<f64>>,
    /// Whether the CPU time of the first run is close to the limit, on either side. `None` if nothing was run.
    pub close: Option<bool>,
    /// Peak memory; `None` if unknown.
    pub memory_bytes: Option<u64>,
    /// The exit code, if the program exited.
    pub exit_code: Option<i32>,
    /// The signal that ended the program, if one did.
    pub signal: Option<i32>,
    /// The reason for the verdict.
    pub message: Option<String>,
    /// The output validator's message to the submission's author.
    pub team_message: Option<String>,
    /// The number of passes; `None` if the problem has one run for each case.
    pub passes: Option<u32>,
    /// The BLAKE3 hash of standard output; `None` if nothing ran.
    pub output_hash: Option<[u8; 32]>,
    /// Whether a run-time error is a stack overflow, whose CPU time says nothing.
    pub overflowed_stack: bool,
    /// A digest of the program, the input and everything else that the result depends on, as text. `None` if nobody
    /// asked for it, or something cannot be read.
    pub key: Option<String>,
    /// Whether an earlier run has found the result, and nothing was run now.
    pub cached: bool,
    /// The texts to show if the case was not accepted.
    pub exhibit: Option<Box<Exhibit>>,
}

/// A reason to change a verdict after the run.
pub(crate) enum Overruled {
    /// The program was given more CPU time than the limit, and every run used it.
    TooSlow,
    /// The named validator wrote a score that the rules of the case's group do not allow.
    Score { validator: &'static str, reason: String },
}

impl CaseResult {
    /// Returns a result with nothing but a verdict.
    pub fn of(verdict: Verdict) -> CaseResult {
        CaseResult {
            verdict,
            given: Given::default(),
            cpu_seconds: None,
            wall_seconds: None,
            cpu_seconds_all: None,
            close: None,
            memory_bytes: None,
            exit_code: None,
            signal: None,
            message: None,
            team_message: None,
            passes: None,
            output_hash: None,
            overflowed_stack: false,
            key: None,
            cached: false,
            exhibit: None,
        }
    }

    /// Returns a result for which nothing was run.
    pub(crate) fn not_run(verdict: Verdict, message: String) -> CaseResult {
        CaseResult { message: Some(message), ..CaseResult::of(verdict) }
    }

    /// Changes the verdict for a reason that was found after the run.
    pub(crate) fn finalise(&mut self, overruled: Overruled) {
        match overruled {
            // What the validator said of an output that came too late does not count.
            Overruled::TooSlow => {
                self.verdict = Verdict::TimeLimitExceeded;
                self.message = Some(limit_words(Crossed::Cpu).to_owned());
                self.team_message = None;
                self.given = Given::default();
            }
            Overruled::Score { validator, reason } => {
                self.verdict = Verdict::JudgeError;
                self.message = Some(format!("the {validator} validator failed: {reason}"));
            }
        }
    }

    /// Returns the event that reports the result.
    pub fn into_event(self, submission: &str, case: &str, score: Option<Score>) -> CaseFinished {
        CaseFinished {
            submission: submission.to_owned(),
            case: case.to_owned(),
            verdict: self.verdict,
            score,
            given: self.given,
            cpu_seconds: self.cpu_seconds,
            wall_seconds: self.wall_seconds,
            cpu_seconds_all: self.cpu_seconds_all,
            close: self.close,
            memory_bytes: self.memory_bytes,
            exit_code: self.exit_code,
            signal: self.signal,
            message: self.message,
            passes: self.passes,
            team_message: self.team_message,
            output_hash: self.output_hash,
            key: self.key,
            cached: self.cached,
            exhibit: self.exhibit,
        }
    }

    /// Returns the result that an event reports.
    pub(crate) fn of_event(event: CaseFinished) -> CaseResult {
        CaseResult {
            verdict: event.verdict,
            given: event.given,
            cpu_seconds: event.cpu_seconds,
            wall_seconds: event.wall_seconds,
            cpu_seconds_all: event.cpu_seconds_all,
            close: event.close,
            memory_bytes: event.memory_bytes,
            exit_code: event.exit_code,
            signal: event.signal,
            message: event.message,
            team_message: event.team_message,
            passes: event.passes,
            output_hash: event.output_hash,
            overflowed_stack: false,
            key: event.key,
            cached: event.cached,
            exhibit: event.exhibit,
        }
    }
}

#[cfg(test)]
impl CaseResult {
    /// A result for unit tests that took so long and has nothing else to it.
    pub(crate) fn accepted(cpu_seconds: f64) -> CaseResult {
        CaseResult {
            cpu_seconds: Some(cpu_seconds),
            wall_seconds: Some(cpu_seconds),
            exit_code: Some(0),
            ..CaseResult::of(Verdict::Accepted)
        }
    }
}
