//! Measures a run again if its time is close to the time limit.
//!
//! The measured CPU time of a run includes the cost of its neighbours: a core's second thread, shared caches, memory
//! that has to be found first. Neighbours only ever add to it. So the smallest of several measurements says most about
//! the program, and every measurement after the first runs alone: no other program of this judge runs at that time.
//!
//! No single measurement decides that a program exceeds the limit, unless by far. A program may use a quarter more than
//! the limit before it is ended, and a program that ends within that time is measured again. On a virtual machine with
//! idle cores, one run in sixty of a program at 0.8 of the limit exceeded the limit; beside one busy core, one in nine
//! did (benches/stable.rs).

use std::collections::BTreeSet;
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};

use crate::case::Bench;
use crate::outcome::classify::limit_words;
use crate::{JudgeError, Settings};
use referee_event::CaseFinished;
use referee_grading::score::Given;
use referee_grading::verdict::Verdict;
use referee_sandbox::Crossed;

/// From this part of the time limit on, and up to so many times it, a result is close.
const CLOSE_FROM: f64 = 0.8;
const CLOSE_TO: f64 = 1.25;

/// Programs that are run beside each other, and one that is run alone.
pub(crate) struct ExclusiveGate {
    beside: RwLock<()>,
    pause: Duration,
}

/// What disturbs a measurement from outside lasts: those that follow each other at once are slow together. From the
/// third chance on there is a pause before each, twice as long as the one before; this is the first.
const PAUSE: Duration = Duration::from_millis(200);

impl ExclusiveGate {
    pub(crate) fn new() -> ExclusiveGate {
        ExclusiveGate { beside: RwLock::new(()), pause: PAUSE }
    }

    fn pause_before(&self, chance: u32, until: Option<Instant>) {
        if let Some(doubled) = chance.checked_sub(3) {
            let pause = self.pause * 2_u32.saturating_pow(doubled.min(3));
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            std::thread::sleep(left.map_or(pause, |left| pause.min(left)));
        }
    }

    /// Does `work` while others may run.
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

/// How often a run that exceeded the limit by little is measured again, until it keeps the limit. This does not depend
/// on the user's settings.
const SECOND_CHANCES: u32 = 6;

/// Measures with `once`. Measures again if the time is close to the limit: as often as the settings say, and, if the
/// limit was exceeded by little, until it is kept. The program may use more CPU time than the limit, so that the excess
/// is known. `is_wanted` returns whether the result is still needed.
///
/// The answer of the first run stands, and only the time is measured again. Otherwise a program that answers at random
/// would get more tries the slower it is.
pub(crate) fn measured(
    bench: &Bench<'_>,
    gate: &ExclusiveGate,
    is_wanted: &dyn Fn() -> bool,
    once: impl Fn(&Bench<'_>) -> Result<CaseFinished, JudgeError>,
) -> Result<CaseFinished, JudgeError> {
    let limit = bench.settings.time().as_secs_f64();
    let mut first = gate.with_others(|| once(&Bench { cpu_factor: CLOSE_TO, ..*bench }))?;
    let Some(seconds) = first.cpu_seconds else { return Ok(first) };
    let mut others = BTreeSet::new();
    let needed = Needed { limit, most: bench.settings.repeat.get() };
    if has_an_end(&first, bench) && needed.is_another(&[seconds]) {
        // The feedback that is kept is that of the first run.
        let settings = Settings { feedback: None, ..bench.settings.clone() };
        let again = |chance| {
            gate.pause_before(chance, settings.until);
            once(&Bench { cpu_factor: CLOSE_TO, settings: &settings, anew: true, ..*bench })
        };
        others = gate.alone(|| measured_again(&mut first, &needed, is_wanted, again))?;
    }
    let least = first.cpu_seconds.unwrap_or(seconds);
    // Also if it was far away when it was measured again.
    first.close = Some(is_close(seconds, limit));
    if has_an_end(&first, bench) && least > limit {
        exceed(&mut first);
        bench.validator.forget((&first.submission, &first.case), bench.settings);
    }
    tell_of(&others, &mut first);
    if first.verdict == Verdict::Accepted {
        first.exhibit = None;
    }
    Ok(first)
}

/// A program that computes and sleeps alone blocks all others. Each measurement may take this many times the limit of
/// wall time; a program that only computes needs less.
const MOST_ON_THE_WALL: f64 = 2.0;

/// How many measurements there must be.
struct Needed {
    limit: f64,
    /// The number of runs close to the limit that are measured again in any case.
    most: u32,
}

impl Needed {
    /// Whether another one is needed after these.
    fn is_another(&self, times: &[f64]) -> bool {
        let (count, least) = (times.len() as u32, times.iter().copied().fold(f64::INFINITY, f64::min));
        let has_a_chance = least > self.limit && count <= SECOND_CHANCES;
        least >= self.limit * CLOSE_FROM && (count < self.most || has_a_chance)
    }
}

/// Returns whether the program ended by itself, so that its time means something: the judge did not end it, and the
/// program alone decided. In an interactive run the validator may have decided before the time was over.
fn has_an_end(finished: &CaseFinished, bench: &Bench<'_>) -> bool {
    match finished.verdict {
        Verdict::Accepted => true,
        // The time to fill a large stack can exceed the limit; the program would not have ended in any time.
        Verdict::RunTimeError => !finished.overflowed_stack,
        Verdict::WrongAnswer => !bench.kind.interactive,
        _ => false,
    }
}

/// Returns the smallest time of `first` and the runs after it. Only runs with the same result count: the time until a
/// crash says nothing about the time until an answer. The verdicts of the other runs are returned as well.
fn measured_again(
    first: &mut CaseFinished,
    needed: &Needed,
    is_wanted: &dyn Fn() -> bool,
    again: impl Fn(u32) -> Result<CaseFinished, JudgeError>,
) -> Result<BTreeSet<Verdict>, JudgeError> {
    // Those that did something else take up their turn, too.
    let mut turns: Vec<_> = first.cpu_seconds.into_iter().collect();
    let (mut times, mut others) = (turns.clone(), BTreeSet::new());
    let mut left = needed.limit * MOST_ON_THE_WALL * f64::from(needed.most.max(SECOND_CHANCES));
    while needed.is_another(&turns) && left > 0.0 && is_wanted() {
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

/// Says what else there was, of a program that did not do the same each time.
fn tell_of(others: &BTreeSet<Verdict>, first: &mut CaseFinished) {
    if others.is_empty() {
        return;
    }
    let names: Vec<_> = others.iter().map(ToString::to_string).collect();
    let told = format!("measured again, it did something else, which does not count: {}", names.join(", "));
    first.message = Some(match first.message.take() {
        Some(message) => format!("{message}\n{told}"),
        None => told,
    });
}

/// It had more time than there is, and used it: what its validator said of it does not count.
fn exceed(finished: &mut CaseFinished) {
    finished.verdict = Verdict::TimeLimitExceeded;
    finished.message = Some(limit_words(Crossed::Cpu).to_owned());
    finished.team_message = None;
    finished.given = Given::default();
}

fn is_close(seconds: f64, limit: f64) -> bool {
    (limit * CLOSE_FROM..limit * CLOSE_TO).contains(&seconds)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::validator::Validator;
    use Verdict::{Accepted as AC, RunTimeError as RTE, TimeLimitExceeded as TLE, WrongAnswer as WA};
    use referee_grading::score::Written;
    use referee_language::Table;
    use referee_package::{Kind, Limits};

    const LIMIT: f64 = 2.0;

    #[test]
    fn close_is_what_lies_near_the_limit_on_either_side() {
        for (seconds, close) in [(0.1, false), (1.59, false), (1.6, true), (2.0, true), (2.49, true), (2.5, false)] {
            assert_eq!(is_close(seconds, LIMIT), close, "{seconds}");
        }
    }

    /// Returns the result if the runs end like this, one after the other, and the number of runs.
    fn judged(
        kind: Kind,
        repeat: u32,
        is_wanted: bool,
        runs: &[CaseFinished],
    ) -> Result<(CaseFinished, usize), JudgeError> {
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
        let gate = ExclusiveGate { pause: Duration::ZERO, ..ExclusiveGate::new() };
        let judged = measured(&bench, &gate, &|| is_wanted, once)?;
        Ok((judged, count.get()))
    }

    fn ran(verdict: Verdict, seconds: f64) -> CaseFinished {
        CaseFinished { verdict, ..CaseFinished::accepted(seconds) }
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
        assert_eq!(words(9, &[(AC, 1.9), (AC, 1.5)]), (AC, 2, Some(vec![1.9, 1.5])), "it is not near any more");
    }

    #[test]
    fn only_the_time_is_measured_again_and_no_answer() {
        assert_eq!(words(1, &[(WA, 2.1), (AC, 1.9)]), (TLE, 7, None));
        assert_eq!(words(1, &[(AC, 2.1), (RTE, 0.1)]), (TLE, 7, None));
        assert_eq!(words(3, &[(AC, 1.9), (WA, 0.1)]), (AC, 3, None));
        let score = |text: &str| Given { score: Some(Written::read(text)), multiplier: None };
        let of = |text: &str, seconds| CaseFinished { given: score(text), ..ran(AC, seconds) };
        let of_all = |runs: &[CaseFinished]| judged(Kind::default(), 1, true, runs).unwrap().0;
        let better = of_all(&[of("60", 2.1), of("90", 1.9)]);
        assert_eq!((better.verdict, better.given), (TLE, Given::default()));
        let same = of_all(&[of("60", 2.1), of("60", 1.9)]);
        assert_eq!((same.verdict, same.given, same.cpu_seconds), (AC, score("60"), Some(1.9)));
        let told = better.message.unwrap();
        assert!(told.contains("more CPU time") && told.contains("which does not count: AC"), "{told}");
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
        let overflow = CaseFinished { overflowed_stack: true, ..ran(RTE, 2.1) };
        let (judged, count) = judged(Kind::default(), 5, true, &[overflow]).unwrap();
        assert_eq!((judged.verdict, count), (RTE, 1));
    }

    #[test]
    fn who_sleeps_keeps_others_waiting_for_a_bounded_time() {
        let sleeper = CaseFinished { wall_seconds: Some(7.9), ..ran(AC, 2.1) };
        // Twice the limit for each of six.
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
