//! Sends the result of a task until the server has it, exactly once.
//!
//! DOMjudge 9.0 and older fail on a result that they have, and their answer does not differ from that to any other
//! failure. So after a failure, the judgehost asks which results of the judging the server has (`GET
//! contests/ID/runs?judging_id=ID`). The role `judgehost` may read them. There is no call that asks for the result of one
//! task, so the result is recognised by its times.
//!
//! The server shows neither the results of rejudgings nor those that a person still has to verify. Then the judgehost
//! assumes after several failures that the result is stored, if the answer to an earlier attempt was lost. Without a lost
//! answer, it tries on, and reports an internal error in the end. So a verdict is at most late, and never lost unnoticed.

use serde::Deserialize;
use serde_json::Value;

use crate::answer::ClientError;
use crate::api::{Answer, Api, ApiError, encoded};
use crate::client::Form;
use crate::progress::Progress;
use crate::retries::Attempts;
use crate::tasks::{Id, Task, number};
use crate::version::Version;

/// The number of failures after which a result counts as stored, if the server works otherwise and leaves open whether it
/// has the result.
const FAILURES_OF_STORED: u32 = 3;

/// The number of attempts to send a result that the server does not have and fails to store.
const MOST_FAILURES: u32 = 10;

/// The largest difference between two times that are equal but for rounding, in seconds.
const ROUNDING: f64 = 0.0021;

/// What the server says about a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Evidence {
    /// It has the result.
    Stored,
    /// It does not have the result.
    Missing,
    /// It has a result that is equal, but may belong to another test case.
    Ambiguous,
    /// It shows no result of this judging.
    Hidden,
}

/// A result that the server has.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct StoredRun {
    /// The judging.
    judgement_id: Option<Id>,
    /// The time at which the run ended, such as `2026-11-27T10:20:30.123+01:00`.
    time: Option<String>,
    /// The CPU time in seconds.
    #[serde(deserialize_with = "number")]
    run_time: f64,
}

#[derive(Deserialize)]
struct Contest {
    id: Id,
}

impl Api<'_> {
    /// Sends the result of a task until the server has it. `may_be_stored` says whether it may have been sent before.
    /// Fails with [`ApiError::Refused`] if the server refuses the result, or fails on every attempt and does not store
    /// it.
    pub(crate) fn add_judging_run(
        &self,
        task: &Task,
        form: &Form<'_>,
        may_be_stored: bool,
    ) -> Result<Answer, ApiError> {
        let path = format!("judgehosts/add-judging-run/{}/{}", encoded(self.name()), encoded(&task.judgetaskid.0));
        let (mut may_be_stored, mut failures) = (may_be_stored, 0);
        let mut attempts = Attempts::new();
        loop {
            let error = match self.client.post::<Value>(&path, form) {
                Ok(answer) => return Ok(if is_zero(&answer) { Answer::Stop } else { Answer::Continue }),
                Err(error) => error,
            };
            match &error {
                ClientError::Lost(_) | ClientError::Garbled(_) => may_be_stored = true,
                ClientError::Failed { .. } if !error.is_overload() && self.is_up() => {
                    failures += 1;
                    let evidence = self.evidence(task, form);
                    may_be_stored &= evidence != Evidence::Missing;
                    let is_likely = evidence == Evidence::Ambiguous || evidence == Evidence::Hidden && may_be_stored;
                    if evidence == Evidence::Stored {
                        return Ok(Answer::Continue);
                    }
                    if is_likely && failures >= FAILURES_OF_STORED {
                        self.report(Progress::AssumedStored { task: task.judgetaskid.to_string() });
                        return Ok(Answer::Continue);
                    }
                    if failures >= MOST_FAILURES {
                        return Err(ApiError::Refused(error));
                    }
                }
                _ => {}
            }
            attempts.wait_after(error, "sending a result", None, self)?;
        }
    }

    /// Asks the server whether it has the result `form`.
    fn evidence(&self, task: &Task, form: &Form<'_>) -> Evidence {
        let Some(judging) = &task.jobid else { return Evidence::Hidden };
        let contests = match &task.contestid {
            Some(contest) => Ok(vec![contest.clone()]),
            // Before version 10.0, a task does not name its contest.
            None => self
                .client
                .get::<Vec<Contest>>("contests")
                .map(|found| found.into_iter().map(|contest| contest.id).collect()),
        };
        let Ok(contests) = contests else { return Evidence::Hidden };
        let mut runs = Vec::new();
        for contest in contests {
            let path = format!("contests/{}/runs?judging_id={}", encoded(&contest.0), encoded(&judging.0));
            // The server refuses to show contests in which the judgehost has no part.
            runs.extend(self.client.get::<Vec<StoredRun>>(&path).unwrap_or_default());
        }
        let of_judging: Vec<_> = runs.into_iter().filter(|run| run.judgement_id.as_ref() == Some(judging)).collect();
        let has_own_times = self.version(task).is_ok_and(Version::stores_times_of_runs);
        compared(&of_judging, form, has_own_times)
    }
}

/// Looks for a result among the stored ones of its judging. `has_own_times` says whether the server stores the time at
/// which the run ended as the judgehost states it. Otherwise it stores its own time, and a run with the same CPU time
/// may be another one.
fn compared(stored: &[StoredRun], form: &Form<'_>, has_own_times: bool) -> Evidence {
    let field = |name: &str| form.iter().find(|(field, _)| *field == name)?.1.parse::<f64>().ok();
    let (Some(run_time), Some(end)) = (field("runtime"), field("end_time")) else { return Evidence::Hidden };
    let mut alike = stored.iter().filter(|run| (run.run_time - run_time).abs() <= ROUNDING).peekable();
    if stored.is_empty() {
        return Evidence::Hidden;
    }
    if alike.peek().is_none() {
        return Evidence::Missing;
    }
    // The offset of a time zone is a number of whole minutes. So the seconds are the same in all of them.
    let ended_then = |run: &StoredRun| {
        let seconds = run.time.as_deref().and_then(seconds_of)?;
        let difference = (end - seconds).rem_euclid(60.0);
        Some(difference.min(60.0 - difference) <= ROUNDING)
    };
    match (has_own_times, alike.any(|run| ended_then(run) == Some(true))) {
        (true, true) => Evidence::Stored,
        (true, false) => Evidence::Missing,
        (false, _) => Evidence::Ambiguous,
    }
}

/// Returns the seconds of a time such as `2026-11-27T10:20:30.123+01:00`: 30.123. Returns `None` for another text.
fn seconds_of(time: &str) -> Option<f64> {
    let seconds = time.split_once('T')?.1.splitn(3, ':').nth(2)?;
    let end = seconds.find(|letter: char| letter != '.' && !letter.is_ascii_digit()).unwrap_or(seconds.len());
    seconds[..end].parse().ok().filter(|seconds| (0.0..61.0).contains(seconds))
}

/// Whether the answer to a result is 0 or false, in any form.
fn is_zero(answer: &Value) -> bool {
    match answer {
        Value::Bool(flag) => !flag,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text == "0",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(run_time: f64, time: &str) -> StoredRun {
        StoredRun { run_time, time: Some(time.to_owned()), judgement_id: None }
    }

    #[test]
    fn a_result_is_recognised_by_its_times() {
        // date --utc --date=@1795774830 +%FT%T: 2026-11-27T10:20:30
        let form = [("runtime", "0.010".to_owned()), ("end_time", "1795774830.123456".to_owned())];
        let own = stored(0.01, "2026-11-27T11:20:30.123+01:00");
        let other = stored(0.01, "2026-11-27T11:20:31.123+01:00");
        let slower = stored(0.02, "2026-11-27T11:20:30.123+01:00");
        assert_eq!(compared(&[slower, own], &form, true), Evidence::Stored);
        assert_eq!(compared(&[other], &form, true), Evidence::Missing);
        assert_eq!(compared(&[], &form, true), Evidence::Hidden, "the server may hide the results of the judging");
    }

    #[test]
    fn servers_with_their_own_times_leave_open_which_of_two_equal_runs_they_have() {
        let form = [("runtime", "0.010".to_owned()), ("end_time", "1795774830.123456".to_owned())];
        assert_eq!(compared(&[stored(0.01, "2026-11-27T11:20:30.123Z")], &form, false), Evidence::Ambiguous);
        assert_eq!(compared(&[stored(0.02, "2026-11-27T11:20:30.123Z")], &form, false), Evidence::Missing);
    }

    #[test]
    fn the_seconds_of_a_time_are_read() {
        assert_eq!(seconds_of("2026-11-27T10:20:30.123+01:00"), Some(30.123));
        assert_eq!(seconds_of("2026-11-27T10:20:59Z"), Some(59.0));
        for wrong in ["", "2026-11-27", "2026-11-27T10:20", "2026-11-27T10:20:x", "2026-11-27T10:20:99"] {
            assert_eq!(seconds_of(wrong), None, "{wrong}");
        }
    }
}
