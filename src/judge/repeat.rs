//! What came near the time limit, measured again.
//!
//! CPU time is what the program took, and what others cost it: a core's other thread, the caches, memory that has to be
//! found first. Others only ever add to it. So of several measurements the smallest says most of the program, and those
//! after the first are made alone: none of the other programs of this judge runs meanwhile.
//!
//! Nobody exceeds the limit by one measurement alone, unless by far: a program may use a quarter more than the limit
//! before it is ended, and what comes to its end in that time is measured again. On a virtual machine with idle cores
//! one run in sixty of a program at 0.8 of the limit came beyond it, and with a busy one one in nine
//! (benches/stable.rs).

use std::collections::BTreeSet;
use std::sync::{PoisonError, RwLock};

use super::JudgeError;
use super::case::Bench;
use super::classify::limit_words;
use crate::event::CaseFinished;
use crate::sandbox::Crossed;
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

/// So often what exceeded the limit by little is measured again, until it keeps it, whether anybody asked for it or
/// not.
const SECOND_CHANCES: u32 = 4;

/// Measures with `once`, and again what came near the time limit: as often as the settings say, and until it keeps the
/// limit if it exceeded it by little. It may use more CPU time than the limit, so that it is known by how much it is
/// exceeded.
///
/// Only the time is measured again. What the program answered the first time stands: else one that answers at random
/// would have more tries the slower it is.
pub(super) fn measured(
    bench: &Bench<'_>,
    company: &Company,
    once: impl Fn(&Bench<'_>) -> Result<CaseFinished, JudgeError>,
) -> Result<CaseFinished, JudgeError> {
    let limit = bench.settings.time.as_secs_f64();
    let longer = Bench { cpu_factor: CLOSE_TO, ..*bench };
    let mut best = company.with_others(|| once(&longer))?;
    exceed(&mut best, bench, limit);
    let Some(first) = best.cpu_seconds else { return Ok(best) };
    let is_far = |seconds: f64| seconds >= limit * CLOSE_TO;
    // The time at which a program was ended is none that it takes.
    let mut times: Vec<_> = Some(first).filter(|&seconds| !is_far(seconds)).into_iter().collect();
    let (mut far, mut verdicts) = (u32::from(is_far(first)), BTreeSet::from([best.verdict]));
    for count in 1.. {
        let is_near = best.cpu_seconds.is_some_and(|seconds| seconds >= limit * CLOSE_FROM);
        let has_a_chance = exceeded(&best, limit) && !is_far(first) && count <= SECOND_CHANCES;
        let is_wanted = count < bench.settings.repeat.get() || has_a_chance;
        if !is_near || !is_wanted || far == FAR_ENOUGH {
            break;
        }
        let mut again = company.alone(|| once(&longer))?;
        exceed(&mut again, bench, limit);
        if again.verdict == Verdict::JudgeError {
            return Ok(again);
        }
        let Some(seconds) = again.cpu_seconds else { break };
        verdicts.insert(again.verdict);
        if is_far(seconds) {
            far += 1;
        } else if is_the_same_work(&best, &again, limit) {
            times.push(seconds);
        } else {
            continue;
        }
        if best.cpu_seconds.is_none_or(|least| seconds < least) {
            // A run that was accepted and then exceeded the limit has no texts, and the one before shows as much.
            let before = best.exhibit.take().filter(|_| again.verdict != Verdict::Accepted);
            best = again;
            best.exhibit = best.exhibit.or(before);
        }
    }
    best.close = best.cpu_seconds.map(|seconds| is_close(seconds, limit));
    best.cpu_seconds_all = (times.len() > 1).then_some(times);
    tell_of(&verdicts, &mut best);
    Ok(best)
}

/// Whether it was too slow, and not asleep.
fn exceeded(finished: &CaseFinished, limit: f64) -> bool {
    finished.verdict == Verdict::TimeLimitExceeded && finished.cpu_seconds.is_some_and(|seconds| seconds >= limit)
}

/// Whether `again` did what `best` did, so that their times say something of each other: the same verdict, or one of
/// them did not come to its end for the time alone. A crash is no faster way to the end.
fn is_the_same_work(best: &CaseFinished, again: &CaseFinished, limit: f64) -> bool {
    let has_answered = |finished: &CaseFinished| matches!(finished.verdict, Verdict::Accepted | Verdict::WrongAnswer);
    best.verdict == again.verdict
        || (exceeded(best, limit) && has_answered(again))
        || (exceeded(again, limit) && has_answered(best))
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

/// A run that had more time than there is, and used it: what its validator said of it does not count. Of a talk it does
/// where it is against the program: it may have been said before the time was over.
fn exceed(finished: &mut CaseFinished, bench: &Bench<'_>, limit: f64) {
    let was_told = bench.kind.interactive && finished.verdict == Verdict::WrongAnswer;
    // On a busy machine the time on the wall can be over first. That is not why it is too slow.
    let waited = finished.message.as_deref() == Some(limit_words(Crossed::Wall));
    let is_known = was_told || (finished.verdict == Verdict::TimeLimitExceeded && !waited);
    if is_known || finished.cpu_seconds.is_none_or(|seconds| seconds <= limit) {
        return;
    }
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
    use super::*;

    const LIMIT: f64 = 2.0;

    #[test]
    fn close_is_what_lies_near_the_limit_on_either_side() {
        for (seconds, close) in [(0.1, false), (1.59, false), (1.6, true), (2.0, true), (2.49, true), (2.5, false)] {
            assert_eq!(is_close(seconds, LIMIT), close, "{seconds}");
        }
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
