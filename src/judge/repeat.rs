//! What came near the time limit, measured again.
//!
//! CPU time is what the program took, and what others cost it: a core's other thread, the caches, memory that has to be
//! found first. Others only ever add to it. So of several measurements the smallest says most of the program, and those
//! after the first are made alone: none of the other programs of this judge runs meanwhile.

use std::collections::BTreeSet;
use std::sync::{PoisonError, RwLock};

use super::JudgeError;
use super::case::Bench;
use crate::event::CaseFinished;
use crate::score::Given;
use crate::verdict::Verdict;

/// From this part of the time limit on, and up to so many times it, a result is close.
const CLOSE_FROM: f64 = 0.8;
const CLOSE_TO: f64 = 1.25;

/// Programs that are run beside each other, and one that is run alone.
#[derive(Default)]
pub(super) struct Company(RwLock<()>);

impl Company {
    /// Does `work` beside others.
    pub(super) fn with_others<T>(&self, work: impl FnOnce() -> T) -> T {
        let _guard = self.0.read().unwrap_or_else(PoisonError::into_inner);
        work()
    }

    /// Does `work` when nobody else does anything.
    fn alone<T>(&self, work: impl FnOnce() -> T) -> T {
        let _guard = self.0.write().unwrap_or_else(PoisonError::into_inner);
        work()
    }
}

/// So many times a program must be far beyond the limit, for that to be no accident of one moment.
const FAR_ENOUGH: u32 = 2;

/// Measures with `once`, and as often again as the settings say if that came near the time limit. Later measurements
/// may use more CPU time than the limit, so that it is known by how much it is exceeded.
///
/// Only the time is measured again. What the program answered the first time stands: else one that answers at random
/// would have more tries the slower it is.
pub(super) fn measured(
    bench: &Bench<'_>,
    company: &Company,
    once: impl Fn(&Bench<'_>) -> Result<CaseFinished, JudgeError>,
) -> Result<CaseFinished, JudgeError> {
    let limit = bench.settings.time.as_secs_f64();
    let mut best = company.with_others(|| once(bench))?;
    let longer = Bench { cpu_factor: CLOSE_TO, ..*bench };
    // The time at which a program was ended is none that it takes.
    let mut times: Vec<_> = best.cpu_seconds.filter(|_| !is_cut(&best, limit)).into_iter().collect();
    let (mut had_more_time, mut far, mut verdicts) = (false, 0, BTreeSet::from([best.verdict]));
    for _ in 1..bench.settings.repeat.get() {
        let is_near = best.cpu_seconds.is_some_and(|seconds| seconds >= limit * CLOSE_FROM);
        if !is_near || far == FAR_ENOUGH {
            break;
        }
        let mut again = company.alone(|| once(&longer))?;
        if again.verdict == Verdict::JudgeError {
            return Ok(again);
        }
        let Some(seconds) = again.cpu_seconds else { break };
        had_more_time = true;
        if seconds > limit && again.verdict != Verdict::TimeLimitExceeded {
            exceed(&mut again);
        }
        verdicts.insert(again.verdict);
        if seconds >= limit * CLOSE_TO {
            far += 1;
        } else if is_the_same_work(&best, &again, limit) {
            times.push(seconds);
        } else {
            continue;
        }
        if best.cpu_seconds.is_none_or(|least| seconds < least || is_cut(&best, limit)) {
            // A run that was accepted and then exceeded the limit has no texts, and the one before shows as much.
            let before = best.exhibit.take().filter(|_| again.verdict != Verdict::Accepted);
            best = again;
            best.exhibit = best.exhibit.or(before);
        }
    }
    best.close = close(&best, limit, had_more_time);
    best.cpu_seconds_all = (times.len() > 1).then_some(times);
    tell_of(&verdicts, &mut best);
    Ok(best)
}

/// Whether `again` did what `best` did, so that their times say something of each other: the same verdict, or one of
/// them did not come to its end for the time alone. A crash is no faster way to the end.
fn is_the_same_work(best: &CaseFinished, again: &CaseFinished, limit: f64) -> bool {
    let for_time = |finished: &CaseFinished| {
        finished.verdict == Verdict::TimeLimitExceeded && finished.cpu_seconds.is_some_and(|seconds| seconds >= limit)
    };
    let has_answered = |finished: &CaseFinished| matches!(finished.verdict, Verdict::Accepted | Verdict::WrongAnswer);
    best.verdict == again.verdict || (for_time(best) && has_answered(again)) || (for_time(again) && has_answered(best))
}

/// Says which verdicts there were, of a program that did not get the same each time.
fn tell_of(verdicts: &BTreeSet<Verdict>, best: &mut CaseFinished) {
    if verdicts.len() < 2 {
        return;
    }
    let names: Vec<_> = verdicts.iter().map(ToString::to_string).collect();
    let told = format!("measured more than once, it got {}", names.join(" and "));
    best.message = Some(match best.message.take() {
        Some(message) => format!("{message}\n{told}"),
        None => told,
    });
}

/// A run that had more time than there is: what its validator said of it does not count.
fn exceed(again: &mut CaseFinished) {
    again.verdict = Verdict::TimeLimitExceeded;
    again.message = Some(super::classify::limit_words(crate::sandbox::Crossed::Cpu).to_owned());
    again.team_message = None;
    again.given = Given::default();
}

/// Whether the program was ended at the limit, so that nobody knows how long it would have taken.
fn is_cut(finished: &CaseFinished, limit: f64) -> bool {
    finished.verdict == Verdict::TimeLimitExceeded
        && finished.exit_code.is_none()
        && finished.cpu_seconds.is_some_and(|seconds| seconds >= limit)
}

/// Whether the time is close to the limit. How long a program would have taken that was ended there is known if it was
/// given more time.
fn close(best: &CaseFinished, limit: f64, had_more_time: bool) -> Option<bool> {
    let is_known = had_more_time || !is_cut(best, limit);
    let seconds = best.cpu_seconds.filter(|_| is_known)?;
    Some((limit * CLOSE_FROM..limit * CLOSE_TO).contains(&seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: f64 = 2.0;

    fn cut(seconds: f64) -> CaseFinished {
        let verdict = Verdict::TimeLimitExceeded;
        CaseFinished { verdict, exit_code: None, signal: Some(9), ..CaseFinished::accepted(seconds) }
    }

    #[test]
    fn close_is_what_lies_near_the_limit_on_either_side() {
        for (seconds, is_close) in [(0.1, false), (1.59, false), (1.6, true), (2.0, true), (2.49, true), (2.5, false)] {
            assert_eq!(close(&CaseFinished::accepted(seconds), LIMIT, false), Some(is_close), "{seconds}");
        }
    }

    #[test]
    fn how_long_a_program_would_have_taken_that_was_ended_nobody_knows() {
        assert_eq!(close(&cut(2.01), LIMIT, false), None);
        assert_eq!(close(&cut(2.51), LIMIT, true), Some(false));
        let ended_itself = CaseFinished { exit_code: Some(0), ..cut(2.01) };
        assert_eq!(close(&ended_itself, LIMIT, false), Some(true));
        assert_eq!(close(&CaseFinished { cpu_seconds: None, ..cut(0.0) }, LIMIT, false), None);
    }

    #[test]
    fn only_the_time_is_measured_again_and_no_answer() {
        let of = |verdict, seconds| CaseFinished { verdict, exit_code: Some(0), ..CaseFinished::accepted(seconds) };
        let (right, wrong, crash) =
            (of(Verdict::Accepted, 1.7), of(Verdict::WrongAnswer, 1.9), of(Verdict::RunTimeError, 0.1));
        let late = of(Verdict::TimeLimitExceeded, 2.1);
        for (best, again, is_same) in [
            (&right, &right, true),
            (&wrong, &right, false),
            (&right, &wrong, false),
            (&late, &right, true),
            (&late, &wrong, true),
            (&right, &late, true),
            (&late, &crash, false),
            (&right, &crash, false),
            (&crash, &right, false),
        ] {
            assert_eq!(is_the_same_work(best, again, LIMIT), is_same, "{} {}", best.verdict, again.verdict);
        }
        // On the wall it slept.
        assert!(!is_the_same_work(&right, &of(Verdict::TimeLimitExceeded, 0.1), LIMIT));
    }

    #[test]
    fn nobody_is_beside_who_is_alone() {
        let (company, beside) = (Company::default(), std::sync::atomic::AtomicUsize::new(0));
        let count = |by: usize| beside.fetch_add(by, std::sync::atomic::Ordering::SeqCst);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        company.with_others(|| {
                            count(1);
                            std::thread::yield_now();
                            count(usize::MAX);
                        });
                        company.alone(|| assert_eq!(count(0), 0));
                    }
                });
            }
        });
    }
}
