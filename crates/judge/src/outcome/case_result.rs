//! The result of a submission on a test case.
//!
//! The verdict comes from the run: a limit or an exit code decides alone ([`super::classify`]), otherwise the output
//! validator decides. Only [`CaseResult::overrule`] changes the verdict afterwards, for one of the two reasons in
//! [`Overruled`].

use std::time::Duration;

use crate::outcome::classify::cpu_time_words;
use referee_event::{CaseFinished, Exhibit};
use referee_grading::score::{Given, Score};
use referee_grading::verdict::Verdict;

/// The result of a submission on a test case. The event [`CaseFinished`] reports it, with the names of the submission
/// and the test case.
#[derive(Clone, Debug)]
pub struct CaseResult {
    /// The verdict.
    pub verdict: Verdict,
    /// The scores that the output validator wrote. Their meaning depends on the test group.
    pub given: Given,
    /// CPU time of the submission, in seconds; `None` if it was not run.
    pub cpu_seconds: Option<f64>,
    /// Wall time of the submission, in seconds; `None` if it was not run.
    pub wall_seconds: Option<f64>,
    /// CPU times of all measurements that count, in seconds; `None` if there was only one. The smallest is
    /// `cpu_seconds`.
    pub cpu_seconds_all: Option<Vec<f64>>,
    /// Whether the CPU time of the first run is close to the time limit, below or above. `None` if the submission was
    /// not run, or if this comparison was not made: for example, it is not made for mutants.
    pub close: Option<bool>,
    /// Peak memory in bytes; `None` if unknown.
    pub memory_bytes: Option<u64>,
    /// The exit code; `None` if the program did not exit by itself.
    pub exit_code: Option<i32>,
    /// The signal that ended the program; `None` if no signal did.
    pub signal: Option<i32>,
    /// The reason for the verdict; `None` if there is nothing to add.
    pub message: Option<String>,
    /// The output validator's message to the submission's author; `None` if it wrote none.
    pub team_message: Option<String>,
    /// The number of passes; `None` if the problem is not multi-pass.
    pub passes: Option<u32>,
    /// The BLAKE3 hash of the submission's standard output; `None` if it was not run.
    pub output_hash: Option<[u8; 32]>,
    /// Whether the run ended with a stack overflow. The CPU time of such a run does not count.
    pub overflowed_stack: bool,
    /// A digest of the program, the input and everything else that the result depends on, in hexadecimal. `None` if no
    /// key is needed, or if a file cannot be read or has changed during the run.
    pub key: Option<String>,
    /// Whether the result comes from the cache, so that the submission was not run.
    pub cached: bool,
    /// Excerpts of the input, the answer and the output; `None` if the test case was not run, or was accepted within
    /// the time limit.
    pub exhibit: Option<Box<Exhibit>>,
    /// What the submission wrote; `None` unless [`Settings::written_bytes`](crate::Settings::written_bytes) asks for it,
    /// or if the submission was not run.
    pub written: Option<Box<WrittenStreams>>,
}

/// What a submission wrote in a run, or in the last pass of a multi-pass problem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenStreams {
    /// The beginning of its standard output.
    pub stdout: Vec<u8>,
    /// The beginning of its standard error.
    pub stderr: Vec<u8>,
    /// The size of its standard output in bytes, up to the output limit.
    pub stdout_bytes: usize,
    /// The size of its standard error in bytes, up to the size that the sandbox stores.
    pub stderr_bytes: usize,
    /// Whether its standard output is larger than the output limit.
    pub overflowed: bool,
}

/// A reason to change a verdict after the run.
pub(crate) enum Overruled {
    /// In every measurement that counts, the program ended by itself but used more CPU time than this limit allows.
    TooSlow(Duration),
    /// A validator wrote a score that the rules of the case's group do not allow. `validator` is `output` or `static`.
    Score { validator: &'static str, reason: String },
}

impl CaseResult {
    /// Returns a result that contains only a verdict.
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
            written: None,
        }
    }

    /// Returns the result of a submission that was not run.
    pub(crate) fn not_run(verdict: Verdict, message: String) -> CaseResult {
        CaseResult { message: Some(message), ..CaseResult::of(verdict) }
    }

    /// Changes the verdict for a reason that was found after the run.
    pub(crate) fn overrule(&mut self, overruled: Overruled) {
        match overruled {
            // The validator's verdict and scores on an output that came too late do not count.
            Overruled::TooSlow(limit) => {
                self.verdict = Verdict::TimeLimitExceeded;
                self.message =
                    Some(cpu_time_words(limit, Duration::from_secs_f64(self.cpu_seconds.unwrap_or_default())));
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
            written: None,
        }
    }
}

#[cfg(test)]
impl CaseResult {
    /// Returns an accepted result for unit tests. `cpu_seconds` is its CPU time and its wall time.
    pub(crate) fn accepted(cpu_seconds: f64) -> CaseResult {
        CaseResult {
            cpu_seconds: Some(cpu_seconds),
            wall_seconds: Some(cpu_seconds),
            exit_code: Some(0),
            ..CaseResult::of(Verdict::Accepted)
        }
    }
}
