//! Measures a run again if its time is close to the time limit.
//!
//! Other processes increase the measured CPU time of a run, because they share its core, its caches and its memory bus.
//! They never decrease it. So the smallest of several measurements is the most accurate. Every measurement after the
//! first runs alone: no other program of this judge runs at that time.
//!
//! The judge ends a program that uses 25% more CPU time than the limit. One such measurement decides, because other
//! processes cause smaller differences. A program that exceeds the limit but ends by itself earlier is measured again.
//! The benchmark benches/stable.rs shows the need: on a virtual machine it ran a program that uses 0.8 of the limit.
//! With idle cores, one run in sixty exceeded the limit; with one core busy, one run in nine did.

use std::collections::BTreeSet;
use std::sync::{PoisonError, RwLock};
use std::time::Instant;

use crate::case::RunContext;
use crate::outcome::case_result::{CaseResult, Overruled};
use crate::retry_policy::RetryPolicy;
use crate::{JudgeError, RETRY_POLICY, Settings};
use referee_grading::verdict::Verdict;

/// A gate that lets either several programs run at the same time, or one program alone.
pub(crate) struct ExclusiveGate {
    lock: RwLock<()>,
    policy: RetryPolicy,
}

impl ExclusiveGate {
    pub(crate) fn new() -> ExclusiveGate {
        ExclusiveGate { lock: RwLock::new(()), policy: RETRY_POLICY }
    }

    fn pause_before(&self, chance: u32, until: Option<Instant>) {
        let pause = self.policy.pause_before(chance);
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        std::thread::sleep(left.map_or(pause, |left| pause.min(left)));
    }

    /// Does `work` while other programs may run.
    pub(crate) fn with_others<T>(&self, work: impl FnOnce() -> T) -> T {
        let _guard = self.lock.read().unwrap_or_else(PoisonError::into_inner);
        work()
    }

    /// Does `work` while no other program of this judge runs.
    fn alone<T>(&self, work: impl FnOnce() -> T) -> T {
        let _guard = self.lock.write().unwrap_or_else(PoisonError::into_inner);
        work()
    }
}

/// Measures a run with `once`. If the time is close to the limit, measures again as often as the settings say. If the
/// time is slightly above the limit, measures again until a time is within the limit, at most as often and as long as
/// [`RETRY_POLICY`] allows. The judge does not end the program at the limit but somewhat later, so that the excess is
/// known. `names` are the names of the submission and the test case. `is_needed` returns whether the result is still
/// needed.
///
/// The answer of the first run counts, and only the time is measured again. Otherwise a slow program that answers at
/// random would get more attempts than a fast one.
pub(crate) fn measure(
    context: &RunContext<'_>,
    gate: &ExclusiveGate,
    names: (&str, &str),
    is_needed: &dyn Fn() -> bool,
    once: impl Fn(&RunContext<'_>) -> Result<CaseResult, JudgeError>,
) -> Result<CaseResult, JudgeError> {
    let limit = context.settings.time().as_secs_f64();
    let mut first = gate.with_others(|| once(&RunContext { cpu_factor: RETRY_POLICY.most_time, ..*context }))?;
    let Some(seconds) = first.cpu_seconds else { return Ok(first) };
    let mut others = NotCounted::default();
    let most = context.settings.repeat.get();
    if ended_by_itself(&first, context) && RETRY_POLICY.needs_another(&[seconds], limit, most) {
        // Only the first run writes feedback files for the user.
        let settings = Settings { feedback: None, ..context.settings.clone() };
        let again = |chance| {
            gate.pause_before(chance, settings.until);
            once(&RunContext { cpu_factor: RETRY_POLICY.most_time, settings: &settings, anew: true, ..*context })
        };
        others = gate.alone(|| measure_again(&mut first, limit, most, is_needed, again))?;
    }
    let least = first.cpu_seconds.unwrap_or(seconds);
    // Only the first measurement decides whether the result is close, even if later ones were far from the limit.
    first.close = Some(RETRY_POLICY.is_close(seconds, limit));
    if ended_by_itself(&first, context) && least > limit {
        first.overrule(Overruled::TooSlow(context.settings.time()));
        context.validator.remove_feedback(names, context.settings);
    }
    add_remark(&others, &mut first);
    if first.verdict == Verdict::Accepted {
        first.exhibit = None;
    }
    Ok(first)
}

/// Returns whether the program ended by itself, so that its time can be compared with the limit. Returns false for a
/// wrong answer in an interactive run, because the judge ends the program when the validator rejects.
fn ended_by_itself(finished: &CaseResult, context: &RunContext<'_>) -> bool {
    match finished.verdict {
        Verdict::Accepted => true,
        // Filling a large stack takes long. So the time of a program that overflows its stack is not compared with the
        // limit, and the verdict remains a run-time error.
        Verdict::RunTimeError => !finished.overflowed_stack,
        Verdict::WrongAnswer => !context.kind.interactive,
        _ => false,
    }
}

/// The repeated runs that do not count.
#[derive(Default)]
struct NotCounted {
    /// The verdicts of runs that differ from the verdict of the first run.
    verdicts: BTreeSet<Verdict>,
    /// Whether a run had the verdict of the first run, but other scores.
    has_other_scores: bool,
    /// The shortest CPU time in seconds of runs that took much less time than the first run; `None` if there were none.
    shortest: Option<f64>,
}

/// Runs the program again with `again`, and sets the time of `first` to the smallest measured time. Only runs with the
/// same result as the first run count: the time until a crash says nothing about the time until an answer. Runs that
/// take much less time than the first run do not count either. Other processes do not make so much of a difference, so
/// the program did something else: it may have found an answer that an earlier run left behind. Returns the runs that
/// do not count. If the judge fails in a run, `first` becomes that failure.
fn measure_again(
    first: &mut CaseResult,
    limit: f64,
    most: u32,
    is_needed: &dyn Fn() -> bool,
    again: impl Fn(u32) -> Result<CaseResult, JudgeError>,
) -> Result<NotCounted, JudgeError> {
    // `attempts` has an entry for every run; it is infinite for a run that does not count. `times` has only the times
    // that count.
    let mut attempts: Vec<_> = first.cpu_seconds.into_iter().collect();
    let (mut times, mut others) = (attempts.clone(), NotCounted::default());
    let mut left = RETRY_POLICY.max_wall_seconds(limit, most);
    while RETRY_POLICY.needs_another(&attempts, limit, most) && left > 0.0 && is_needed() {
        let again = again(attempts.len() as u32)?;
        left -= again.wall_seconds.unwrap_or_default();
        if again.verdict == Verdict::JudgeError {
            *first = again;
            break;
        }
        let Some(seconds) = again.cpu_seconds else { break };
        if (again.verdict, &again.given) != (first.verdict, &first.given) {
            others.has_other_scores |= again.verdict == first.verdict;
            others.verdicts.extend((again.verdict != first.verdict).then_some(again.verdict));
            attempts.push(f64::INFINITY);
            continue;
        }
        if seconds < attempts[0] * RETRY_POLICY.least_part {
            others.shortest = Some(others.shortest.map_or(seconds, |shortest| shortest.min(seconds)));
            attempts.push(f64::INFINITY);
            continue;
        }
        attempts.push(seconds);
        times.push(seconds);
        if first.cpu_seconds.is_none_or(|least| seconds < least) {
            (first.cpu_seconds, first.wall_seconds) = (again.cpu_seconds, again.wall_seconds);
        }
    }
    first.cpu_seconds_all = (times.len() > 1).then_some(times);
    Ok(others)
}

/// Adds a remark to the message of `first` if some repeated runs do not count: the program did not behave in the same
/// way each time.
fn add_remark(others: &NotCounted, first: &mut CaseResult) {
    let names: Vec<_> = others.verdicts.iter().map(ToString::to_string).collect();
    let verdicts = (!names.is_empty())
        .then(|| format!("repeated measurements had other verdicts, which do not count: {}", names.join(", ")));
    let scores = others
        .has_other_scores
        .then(|| "a repeated measurement had the same verdict but other scores; it does not count".to_owned());
    let shortest = others.shortest.map(|seconds| {
        format!(
            "a repeated measurement took only {seconds:.3} s; it does not count, because it took less than half as long as \
             the first"
        )
    });
    let parts: Vec<_> = first.message.take().into_iter().chain(verdicts).chain(scores).chain(shortest).collect();
    first.message = (!parts.is_empty()).then(|| parts.join("\n"));
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use super::*;
    use crate::validator::Validator;
    use Verdict::{Accepted as AC, RunTimeError as RTE, TimeLimitExceeded as TLE, WrongAnswer as WA};
    use referee_grading::score::{Given, Written};
    use referee_language::Table;
    use referee_package::{Kind, Limits};

    const LIMIT: f64 = 2.0;

    /// Judges a program whose runs end with the results `runs`, in this order. Returns the result and the number of
    /// runs.
    fn judged(
        kind: Kind,
        repeat: u32,
        is_needed: bool,
        runs: &[CaseResult],
    ) -> Result<(CaseResult, usize), JudgeError> {
        let languages = std::sync::Arc::new(Table::load(&[]).unwrap());
        let settings = Settings {
            repeat: std::num::NonZero::new(repeat).unwrap(),
            ..Settings::new(Duration::from_secs_f64(LIMIT), Limits::default(), languages)
        };
        let (validator, nowhere) = (Validator::Default, Path::new(""));
        let context = RunContext {
            kind,
            settings: &settings,
            validator: &validator,
            workspace: nowhere,
            package: nowhere,
            cpu_factor: 1.0,
            anew: false,
        };
        let count = std::cell::Cell::new(0);
        let once = |_: &RunContext<'_>| {
            count.set(count.get() + 1);
            Ok(runs[(count.get() - 1).min(runs.len() - 1)].clone())
        };
        let gate = ExclusiveGate {
            policy: RetryPolicy { first_pause: Duration::ZERO, ..RETRY_POLICY },
            ..ExclusiveGate::new()
        };
        let judged = measure(&context, &gate, ("s", "a"), &|| is_needed, once)?;
        Ok((judged, count.get()))
    }

    fn ran(verdict: Verdict, seconds: f64) -> CaseResult {
        CaseResult { verdict, ..CaseResult::accepted(seconds) }
    }

    fn measured_with(repeat: u32, runs: &[(Verdict, f64)]) -> (Verdict, usize, Option<Vec<f64>>) {
        let runs: Vec<_> = runs.iter().map(|&(verdict, seconds)| ran(verdict, seconds)).collect();
        let (judged, count) = judged(Kind::default(), repeat, true, &runs).unwrap();
        (judged.verdict, count, judged.cpu_seconds_all)
    }

    #[test]
    fn who_keeps_the_limit_once_keeps_it() {
        assert_eq!(measured_with(1, &[(AC, 0.5)]), (AC, 1, None));
        assert_eq!(measured_with(1, &[(AC, 1.9)]), (AC, 1, None));
        assert_eq!(measured_with(1, &[(AC, 2.1), (AC, 2.05), (AC, 1.9)]), (AC, 3, Some(vec![2.1, 2.05, 1.9])));
        assert_eq!(measured_with(1, &[(WA, 2.1), (WA, 1.9)]), (WA, 2, Some(vec![2.1, 1.9])));
        assert_eq!(measured_with(1, &[(AC, 2.1)]), (TLE, 7, Some(vec![2.1; 7])));
        assert_eq!(measured_with(1, &[(RTE, 2.1)]), (TLE, 7, Some(vec![2.1; 7])));
    }

    #[test]
    fn what_is_near_is_measured_as_often_as_is_asked() {
        assert_eq!(measured_with(3, &[(AC, 1.5)]), (AC, 1, None));
        assert_eq!(measured_with(3, &[(AC, 1.9), (AC, 1.7), (AC, 1.8)]), (AC, 3, Some(vec![1.9, 1.7, 1.8])));
        assert_eq!(measured_with(9, &[(AC, 2.1)]), (TLE, 9, Some(vec![2.1; 9])));
        assert_eq!(measured_with(30, &[(AC, 1.9)]).1, 30);
        assert_eq!(
            measured_with(9, &[(AC, 1.9), (AC, 1.5)]),
            (AC, 2, Some(vec![1.9, 1.5])),
            "the last time is far from the limit"
        );
    }

    #[test]
    fn only_the_time_is_measured_again_and_no_answer() {
        assert_eq!(measured_with(1, &[(WA, 2.1), (AC, 1.9)]), (TLE, 7, None));
        assert_eq!(measured_with(1, &[(AC, 2.1), (RTE, 0.1)]), (TLE, 7, None));
        assert_eq!(measured_with(3, &[(AC, 1.9), (WA, 0.1)]), (AC, 3, None));
        let score = |text: &str| Given { score: Some(Written::read(text)), multiplier: None };
        let of = |text: &str, seconds| CaseResult { given: score(text), ..ran(AC, seconds) };
        let of_all = |runs: &[CaseResult]| judged(Kind::default(), 1, true, runs).unwrap().0;
        let better = of_all(&[of("60", 2.1), of("90", 1.9)]);
        assert_eq!((better.verdict, better.given), (TLE, Given::default()));
        let same = of_all(&[of("60", 2.1), of("60", 1.9)]);
        assert_eq!((same.verdict, same.given, same.cpu_seconds), (AC, score("60"), Some(1.9)));
        let message = better.message.unwrap();
        assert!(
            message.contains("more CPU time") && message.contains("the same verdict but other scores"),
            "{message}"
        );
    }

    #[test]
    fn a_run_that_takes_less_than_half_as_long_is_another_run() {
        assert_eq!(measured_with(1, &[(AC, 2.1), (AC, 0.006)]), (TLE, 7, None));
        assert_eq!(measured_with(1, &[(AC, 2.1), (AC, 0.006), (AC, 1.9)]), (AC, 3, Some(vec![2.1, 1.9])));
        assert_eq!(measured_with(3, &[(AC, 1.9), (AC, 0.9)]), (AC, 3, None));
        let message = judged(Kind::default(), 1, true, &[ran(AC, 2.1), ran(AC, 0.006)]).unwrap().0.message.unwrap();
        assert!(message.contains("took only 0.006 s; it does not count"), "{message}");
    }

    #[test]
    fn who_was_ended_or_judged_before_the_time_was_over_is_not_measured_again() {
        for verdict in [TLE, Verdict::MemoryLimitExceeded, Verdict::OutputLimitExceeded, Verdict::JudgeError] {
            assert_eq!(measured_with(5, &[(verdict, 2.3), (AC, 1.0)]), (verdict, 1, None), "{verdict}");
        }
        let talk = Kind { interactive: true, ..Kind::default() };
        let (message, count) = judged(talk, 1, true, &[ran(WA, 2.1)]).unwrap();
        assert_eq!((message.verdict, message.close, count), (WA, Some(true), 1));
        assert_eq!(judged(talk, 1, true, &[ran(AC, 2.1)]).unwrap().0.verdict, TLE);
    }

    #[test]
    fn a_stack_overflow_stays_a_run_time_error_however_long_it_took() {
        let overflow = CaseResult { overflowed_stack: true, ..ran(RTE, 2.1) };
        let (judged, count) = judged(Kind::default(), 5, true, &[overflow]).unwrap();
        assert_eq!((judged.verdict, count), (RTE, 1));
    }

    #[test]
    fn who_sleeps_keeps_others_waiting_for_a_bounded_time() {
        let sleeper = CaseResult { wall_seconds: Some(7.9), ..ran(AC, 2.1) };
        // No repeated run begins once the repeated runs have taken 24 s: twice the time limit of 2 s for each of six
        // runs.
        assert_eq!(judged(Kind::default(), 1, true, &[sleeper]).unwrap().1, 5);
    }

    #[test]
    fn for_nobody_nothing_is_measured_again_and_the_judges_failure_is_told() {
        let (alone, count) = judged(Kind::default(), 5, false, &[ran(AC, 2.1)]).unwrap();
        assert_eq!((alone.verdict, count), (TLE, 1));
        assert_eq!(measured_with(1, &[(AC, 2.1), (Verdict::JudgeError, 0.1)]).0, Verdict::JudgeError);
    }

    #[test]
    fn nobody_is_beside_who_is_alone() {
        let (gate, lock) = (ExclusiveGate::new(), std::sync::atomic::AtomicUsize::new(0));
        let count = |by: usize| lock.fetch_add(by, std::sync::atomic::Ordering::SeqCst);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        gate.with_others(|| {
                            count(1);
                            std::thread::yield_now();
                            count(usize::MAX);
                        });
                        gate.alone(|| assert_eq!(count(0), 0));
                    }
                });
            }
        });
    }
}
