//! Measures a run again if its time is close to the time limit.
//!
//! Other processes increase the measured CPU time of a run, because they share its core, its caches and its memory bus.
//! They never decrease it. So the smallest of several measurements is the most accurate. Every measurement after the
//! first runs alone: no other program of this judge runs at that time.
//!
//! The judge ends a program that uses 25% more CPU time than the limit; one such measurement decides. A program that
//! exceeds the limit but ends by itself before that is measured again. On a virtual machine with idle cores, one run in
//! sixty of a program at 0.8 of the limit exceeded the limit; beside one busy core, one in nine did
//! (benches/stable.rs).

use std::collections::BTreeSet;
use std::sync::{PoisonError, RwLock};
use std::time::Instant;

use crate::case::Bench;
use crate::outcome::case_result::{CaseResult, Overruled};
use crate::retry_policy::RetryPolicy;
use crate::{JudgeError, RETRY_POLICY, Settings};
use referee_grading::verdict::Verdict;

/// A gate that lets programs run at the same time, or one program alone.
pub(crate) struct ExclusiveGate {
    beside: RwLock<()>,
    policy: RetryPolicy,
}

impl ExclusiveGate {
    pub(crate) fn new() -> ExclusiveGate {
        ExclusiveGate { beside: RwLock::new(()), policy: RETRY_POLICY }
    }

    fn pause_before(&self, chance: u32, until: Option<Instant>) {
        let pause = self.policy.pause_before(chance);
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        std::thread::sleep(left.map_or(pause, |left| pause.min(left)));
    }

    /// Does `work` while other programs may run.
    pub(crate) fn with_others<T>(&self, work: impl FnOnce() -> T) -> T {
        let _guard = self.beside.read().unwrap_or_else(PoisonError::into_inner);
        work()
    }

    /// Does `work` while no other program of this judge runs.
    fn alone<T>(&self, work: impl FnOnce() -> T) -> T {
        let _guard = self.beside.write().unwrap_or_else(PoisonError::into_inner);
        work()
    }
}

/// Measures a run with `once`. If the time is close to the limit, measures again as often as the settings say. If the
/// time is slightly above the limit, measures again until a run keeps the limit. The program may use more CPU time than
/// the limit, so that the excess is known. `names` are the names of the submission and the test case. `is_wanted`
/// returns whether the result is still needed.
///
/// The answer of the first run counts, and only the time is measured again. Otherwise a slow program that answers at
/// random would get more attempts than a fast one.
pub(crate) fn measured(
    bench: &Bench<'_>,
    gate: &ExclusiveGate,
    names: (&str, &str),
    is_wanted: &dyn Fn() -> bool,
    once: impl Fn(&Bench<'_>) -> Result<CaseResult, JudgeError>,
) -> Result<CaseResult, JudgeError> {
    let limit = bench.settings.time().as_secs_f64();
    let mut first = gate.with_others(|| once(&Bench { cpu_factor: RETRY_POLICY.most_time, ..*bench }))?;
    let Some(seconds) = first.cpu_seconds else { return Ok(first) };
    let mut others = BTreeSet::new();
    let most = bench.settings.repeat.get();
    if has_an_end(&first, bench) && RETRY_POLICY.needs_another(&[seconds], limit, most) {
        // Only the first run writes feedback files for the user.
        let settings = Settings { feedback: None, ..bench.settings.clone() };
        let again = |chance| {
            gate.pause_before(chance, settings.until);
            once(&Bench { cpu_factor: RETRY_POLICY.most_time, settings: &settings, anew: true, ..*bench })
        };
        others = gate.alone(|| measured_again(&mut first, limit, most, is_wanted, again))?;
    }
    let least = first.cpu_seconds.unwrap_or(seconds);
    // The first time counts here, even if later measurements were far from the limit.
    first.close = Some(RETRY_POLICY.is_close(seconds, limit));
    if has_an_end(&first, bench) && least > limit {
        first.finalise(Overruled::TooSlow);
        bench.validator.forget(names, bench.settings);
    }
    tell_of(&others, &mut first);
    if first.verdict == Verdict::Accepted {
        first.exhibit = None;
    }
    Ok(first)
}

/// Returns whether the program ended by itself, so that its time can be compared with the limit. In an interactive run
/// a wrong answer does not count, because the validator may have rejected early.
fn has_an_end(finished: &CaseResult, bench: &Bench<'_>) -> bool {
    match finished.verdict {
        Verdict::Accepted => true,
        // A stack overflow may exceed the limit only because filling a large stack takes time. It remains a run-time
        // error.
        Verdict::RunTimeError => !finished.overflowed_stack,
        Verdict::WrongAnswer => !bench.kind.interactive,
        _ => false,
    }
}

/// Runs the program again with `again`, and sets the time of `first` to the smallest one. Only runs with the same
/// result count: the time until a crash says nothing about the time until an answer. Returns the verdicts of the runs
/// that do not count.
fn measured_again(
    first: &mut CaseResult,
    limit: f64,
    most: u32,
    is_wanted: &dyn Fn() -> bool,
    again: impl Fn(u32) -> Result<CaseResult, JudgeError>,
) -> Result<BTreeSet<Verdict>, JudgeError> {
    // Runs with another result use up an attempt, too.
    let mut turns: Vec<_> = first.cpu_seconds.into_iter().collect();
    let (mut times, mut others) = (turns.clone(), BTreeSet::new());
    let mut left = RETRY_POLICY.most_wall(limit, most);
    while RETRY_POLICY.needs_another(&turns, limit, most) && left > 0.0 && is_wanted() {
        let again = again(turns.len() as u32)?;
        left -= again.wall_seconds.unwrap_or_default();
        if again.verdict == Verdict::JudgeError {
            *first = again;
            break;
        }
        let Some(seconds) = again.cpu_seconds else { break };
        if (again.verdict, &again.given) != (first.verdict, &first.given) {
            others.insert(again.verdict);
            turns.push(f64::INFINITY);
            continue;
        }
        turns.push(seconds);
        times.push(seconds);
        if first.cpu_seconds.is_none_or(|least| seconds < least) {
            (first.cpu_seconds, first.wall_seconds) = (again.cpu_seconds, again.wall_seconds);
        }
    }
    first.cpu_seconds_all = (times.len() > 1).then_some(times);
    Ok(others)
}

/// Adds the other verdicts to the message if the program did not behave in the same way each time.
fn tell_of(others: &BTreeSet<Verdict>, first: &mut CaseResult) {
    if others.is_empty() {
        return;
    }
    let names: Vec<_> = others.iter().map(ToString::to_string).collect();
    let told = format!("measured again, it got other results, which do not count: {}", names.join(", "));
    first.message = Some(match first.message.take() {
        Some(message) => format!("{message}\n{told}"),
        None => told,
    });
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
        is_wanted: bool,
        runs: &[CaseResult],
    ) -> Result<(CaseResult, usize), JudgeError> {
        let languages = std::sync::Arc::new(Table::load(&[]).unwrap());
        let settings = Settings {
            repeat: std::num::NonZero::new(repeat).unwrap(),
            ..Settings::new(Duration::from_secs_f64(LIMIT), Limits::default(), languages)
        };
        let (validator, nowhere) = (Validator::Default, Path::new(""));
        let bench = Bench {
            kind,
            settings: &settings,
            validator: &validator,
            workspace: nowhere,
            package: nowhere,
            cpu_factor: 1.0,
            anew: false,
        };
        let count = std::cell::Cell::new(0);
        let once = |_: &Bench<'_>| {
            count.set(count.get() + 1);
            Ok(runs[(count.get() - 1).min(runs.len() - 1)].clone())
        };
        let gate = ExclusiveGate {
            policy: RetryPolicy { first_pause: Duration::ZERO, ..RETRY_POLICY },
            ..ExclusiveGate::new()
        };
        let judged = measured(&bench, &gate, ("s", "a"), &|| is_wanted, once)?;
        Ok((judged, count.get()))
    }

    fn ran(verdict: Verdict, seconds: f64) -> CaseResult {
        CaseResult { verdict, ..CaseResult::accepted(seconds) }
    }

    fn words(repeat: u32, runs: &[(Verdict, f64)]) -> (Verdict, usize, Option<Vec<f64>>) {
        let runs: Vec<_> = runs.iter().map(|&(verdict, seconds)| ran(verdict, seconds)).collect();
        let (judged, count) = judged(Kind::default(), repeat, true, &runs).unwrap();
        (judged.verdict, count, judged.cpu_seconds_all)
    }

    #[test]
    fn who_keeps_the_limit_once_keeps_it() {
        assert_eq!(words(1, &[(AC, 0.5)]), (AC, 1, None));
        assert_eq!(words(1, &[(AC, 1.9)]), (AC, 1, None));
        assert_eq!(words(1, &[(AC, 2.1), (AC, 2.05), (AC, 1.9)]), (AC, 3, Some(vec![2.1, 2.05, 1.9])));
        assert_eq!(words(1, &[(WA, 2.1), (WA, 1.9)]), (WA, 2, Some(vec![2.1, 1.9])));
        assert_eq!(words(1, &[(AC, 2.1)]), (TLE, 7, Some(vec![2.1; 7])));
        assert_eq!(words(1, &[(RTE, 2.1)]), (TLE, 7, Some(vec![2.1; 7])));
    }

    #[test]
    fn what_is_near_is_measured_as_often_as_is_asked() {
        assert_eq!(words(3, &[(AC, 1.5)]), (AC, 1, None));
        assert_eq!(words(3, &[(AC, 1.9), (AC, 1.7), (AC, 1.8)]), (AC, 3, Some(vec![1.9, 1.7, 1.8])));
        assert_eq!(words(9, &[(AC, 2.1)]), (TLE, 9, Some(vec![2.1; 9])));
        assert_eq!(words(30, &[(AC, 1.9)]).1, 30);
        assert_eq!(
            words(9, &[(AC, 1.9), (AC, 1.5)]),
            (AC, 2, Some(vec![1.9, 1.5])),
            "the last time is far from the limit"
        );
    }

    #[test]
    fn only_the_time_is_measured_again_and_no_answer() {
        assert_eq!(words(1, &[(WA, 2.1), (AC, 1.9)]), (TLE, 7, None));
        assert_eq!(words(1, &[(AC, 2.1), (RTE, 0.1)]), (TLE, 7, None));
        assert_eq!(words(3, &[(AC, 1.9), (WA, 0.1)]), (AC, 3, None));
        let score = |text: &str| Given { score: Some(Written::read(text)), multiplier: None };
        let of = |text: &str, seconds| CaseResult { given: score(text), ..ran(AC, seconds) };
        let of_all = |runs: &[CaseResult]| judged(Kind::default(), 1, true, runs).unwrap().0;
        let better = of_all(&[of("60", 2.1), of("90", 1.9)]);
        assert_eq!((better.verdict, better.given), (TLE, Given::default()));
        let same = of_all(&[of("60", 2.1), of("60", 1.9)]);
        assert_eq!((same.verdict, same.given, same.cpu_seconds), (AC, score("60"), Some(1.9)));
        let told = better.message.unwrap();
        assert!(told.contains("more CPU time") && told.contains("which do not count: AC"), "{told}");
    }

    #[test]
    fn who_was_ended_or_judged_before_the_time_was_over_is_not_measured_again() {
        for verdict in [TLE, Verdict::MemoryLimitExceeded, Verdict::OutputLimitExceeded, Verdict::JudgeError] {
            assert_eq!(words(5, &[(verdict, 2.3), (AC, 1.0)]), (verdict, 1, None), "{verdict}");
        }
        let talk = Kind { interactive: true, ..Kind::default() };
        let (told, count) = judged(talk, 1, true, &[ran(WA, 2.1)]).unwrap();
        assert_eq!((told.verdict, told.close, count), (WA, Some(true), 1));
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
        // The limit is twice the time limit for each of six measurements, which is 24 s.
        assert_eq!(judged(Kind::default(), 1, true, &[sleeper]).unwrap().1, 5);
    }

    #[test]
    fn for_nobody_nothing_is_measured_again_and_the_judges_failure_is_told() {
        let (alone, count) = judged(Kind::default(), 5, false, &[ran(AC, 2.1)]).unwrap();
        assert_eq!((alone.verdict, count), (TLE, 1));
        assert_eq!(words(1, &[(AC, 2.1), (Verdict::JudgeError, 0.1)]).0, Verdict::JudgeError);
    }

    #[test]
    fn nobody_is_beside_who_is_alone() {
        let (gate, beside) = (ExclusiveGate::new(), std::sync::atomic::AtomicUsize::new(0));
        let count = |by: usize| beside.fetch_add(by, std::sync::atomic::Ordering::SeqCst);
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
