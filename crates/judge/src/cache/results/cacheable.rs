//! Decides which results are cached: those that another run would very likely reproduce.

use std::time::Duration;

use crate::outcome::case_result::CaseResult;
use crate::{RETRY_POLICY, Settings, Submission};
use referee_grading::verdict::{DeclaredVerdict, Verdict};
use referee_sandbox::{Enforcement, State};

/// Decides whether a result is cached. For this, the times and the memory of the run are compared with these limits.
pub(super) struct CachePolicy {
    time: Duration,
    wall: Duration,
    memory_bytes: u64,
    /// Whether the kernel enforces the memory limit. Otherwise the judge samples the memory from time to time.
    memory_is_exact: bool,
    /// Whether one run that exceeded the time limit is enough to cache the result. It is enough for a mutant, because
    /// no student's verdict depends on it. Many mutants never end, so running each of them again would take too long.
    one_timeout_suffices: bool,
}

impl CachePolicy {
    /// Returns the policy for `settings`. Returns `None` if the sandbox lets programs open any file or use the network.
    /// Results may then depend on data that cannot be hashed, so none is cached.
    pub(super) fn of(settings: &Settings) -> Option<CachePolicy> {
        let enforcement = Enforcement::of(settings.sandbox);
        if enforcement.exposure().is_some() {
            return None;
        }
        let state = |name: &str| enforcement.parts.get(name).map_or(State::Not, |part| part.state);
        Some(CachePolicy {
            time: settings.time(),
            wall: settings.wall(),
            memory_bytes: settings.limits.memory_bytes,
            memory_is_exact: state("memory") == State::Enforced,
            one_timeout_suffices: false,
        })
    }

    /// Sets whether one run that exceeded the time limit is enough to cache the result.
    pub(super) fn with_one_timeout(self, one_timeout_suffices: bool) -> CachePolicy {
        CachePolicy { one_timeout_suffices, ..self }
    }

    /// Whether the result may be cached, because another run would very likely give the same result.
    pub(super) fn may_be_cached(&self, result: &CaseResult, submission: &Submission, case: &str) -> bool {
        // A result that was measured several times was near the time limit, so another run might give a different
        // verdict.
        if result.cpu_seconds_all.is_some() || result.close == Some(true) {
            return false;
        }
        // A result without times means that the program did not run.
        let (Some(cpu), Some(wall)) = (result.cpu_seconds, result.wall_seconds) else { return false };
        let is_near = |seconds: f64, limit: Duration| RETRY_POLICY.is_near_time(seconds, limit);
        match result.verdict {
            Verdict::JudgeError | Verdict::CompileError => false,
            Verdict::TimeLimitExceeded => {
                cpu >= self.time.as_secs_f64() && (self.one_timeout_suffices || must_exceed(submission, case))
            }
            _ if is_near(cpu, self.time) || is_near(wall, self.wall) => false,
            Verdict::MemoryLimitExceeded => self.memory_is_exact,
            _ if self.is_near_memory(result.memory_bytes) => false,
            // SIGKILL may come from the kernel, because the machine ran out of memory.
            Verdict::RunTimeError => result.signal != Some(libc::SIGKILL),
            Verdict::Accepted | Verdict::WrongAnswer | Verdict::OutputLimitExceeded => true,
        }
    }

    fn is_near_memory(&self, used_bytes: Option<u64>) -> bool {
        used_bytes.is_some_and(|used| RETRY_POLICY.is_near_memory(used, self.memory_bytes))
    }
}

/// Whether a rule of the jury that covers `case` lists TLE as a required verdict or as a required overall verdict. The
/// rule may list other verdicts, too. With such a rule, TLE is cached after a single run that exceeded the CPU time
/// limit, because the jury expects this verdict. Otherwise TLE is not cached: a second run might end within the limit.
fn must_exceed(submission: &Submission, case: &str) -> bool {
    let rules = submission.expectations.iter().flatten().filter(|rule| rule.cases.contains(case));
    rules.into_iter().any(|rule| {
        let required = rule.required.as_ref().is_some_and(|words| words.contains(&DeclaredVerdict::TLE));
        let outcome = rule.outcome.as_ref().is_some_and(|verdicts| verdicts.contains(&Verdict::TimeLimitExceeded));
        required || outcome
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use referee_grading::verdict::{CaseFilter, Expectation};

    const POLICY: CachePolicy = CachePolicy {
        time: Duration::from_secs(2),
        wall: Duration::from_secs(8),
        memory_bytes: 1000,
        memory_is_exact: true,
        one_timeout_suffices: false,
    };

    fn submission(required: Option<DeclaredVerdict>) -> Submission {
        let rule = required.map(|word| Expectation {
            origin: String::new(),
            cases: CaseFilter::Only(BTreeSet::from(["a".to_owned()])),
            permitted: None,
            required: Some(BTreeSet::from([word])),
            message: None,
            outcome: None,
            time_bound: None,
        });
        Submission {
            name: "s".to_owned(),
            path: "s".into(),
            language: None,
            entry_point: None,
            expectations: rule.map(|rule| vec![rule]),
            scores: Vec::new(),
            left_out: None,
            student: None,
        }
    }

    fn result(verdict: Verdict, cpu: f64, wall: f64, memory_bytes: u64) -> CaseResult {
        CaseResult { verdict, wall_seconds: Some(wall), memory_bytes: Some(memory_bytes), ..CaseResult::accepted(cpu) }
    }

    #[test]
    fn what_came_near_a_limit_is_found_out_again() {
        let cacheable = |verdict, cpu, wall, memory| {
            POLICY.may_be_cached(&result(verdict, cpu, wall, memory), &submission(None), "a")
        };
        for verdict in [Verdict::Accepted, Verdict::WrongAnswer, Verdict::OutputLimitExceeded, Verdict::RunTimeError] {
            assert!(cacheable(verdict, 1.5, 6.0, 900), "{verdict}");
            assert!(!cacheable(verdict, 1.7, 6.0, 900), "{verdict}");
            assert!(!cacheable(verdict, 1.5, 6.5, 900), "{verdict}");
            assert!(!cacheable(verdict, 1.5, 6.0, 960), "{verdict}");
        }
        assert!(cacheable(Verdict::MemoryLimitExceeded, 1.5, 6.0, 1000));
        assert!(!cacheable(Verdict::JudgeError, 0.0, 0.0, 0));
        let sampled = CachePolicy { memory_is_exact: false, ..POLICY };
        assert!(!sampled.may_be_cached(&result(Verdict::MemoryLimitExceeded, 1.0, 1.0, 1000), &submission(None), "a"));
    }

    #[test]
    fn a_program_that_is_too_slow_is_known_to_be_if_the_jury_says_so_and_it_did_not_just_wait() {
        let too_slow = |cpu, required| {
            POLICY.may_be_cached(&result(Verdict::TimeLimitExceeded, cpu, 2.1, 0), &submission(required), "a")
        };
        assert!(too_slow(2.0, Some(DeclaredVerdict::TLE)));
        assert!(!too_slow(1.9, Some(DeclaredVerdict::TLE)), "a program that only waited");
        let of_mutants = CachePolicy { one_timeout_suffices: true, ..POLICY };
        let mutant =
            |cpu| of_mutants.may_be_cached(&result(Verdict::TimeLimitExceeded, cpu, 8.0, 0), &submission(None), "a");
        assert!(mutant(2.0) && !mutant(0.1));
        assert!(!too_slow(2.0, Some(DeclaredVerdict::WA)));
        assert!(!too_slow(2.0, None));
        let slow = result(Verdict::TimeLimitExceeded, 2.0, 2.1, 0);
        assert!(
            !POLICY.may_be_cached(&slow, &submission(Some(DeclaredVerdict::TLE)), "b"),
            "the rule covers another test case"
        );
    }

    #[test]
    fn what_the_kernel_may_have_killed_for_others_or_never_ran_is_not_known() {
        let killed = CaseResult { signal: Some(libc::SIGKILL), ..result(Verdict::RunTimeError, 0.1, 0.1, 0) };
        assert!(!POLICY.may_be_cached(&killed, &submission(None), "a"));
        let aborted = CaseResult { signal: Some(libc::SIGABRT), ..killed };
        assert!(POLICY.may_be_cached(&aborted, &submission(None), "a"));
        let not_run = CaseResult { cpu_seconds: None, wall_seconds: None, ..aborted };
        assert!(!POLICY.may_be_cached(&not_run, &submission(None), "a"));
    }
}
