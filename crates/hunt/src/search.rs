//! Tries inputs in the order of their numbers, several at a time, until the program fails on one.
//!
//! The search returns the failing input with the lowest number, even if the program failed on an input with a higher
//! number first. So the result is the same for any number of jobs, if the time suffices.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use super::Watch;
use super::input_source::{CandidateResult, Draw, Failure, InputSource, Kind};
use referee_grading::verdict::Verdict;
use referee_judge::JudgeError;

/// The settings of a search.
#[derive(Clone, Copy)]
pub struct Search<'a> {
    /// The number of inputs that are tried at the same time.
    pub jobs: usize,
    /// The only verdict that counts; `None` if every failure counts.
    pub wanted: Option<Verdict>,
    /// Whether the search continues after an input on which the package's own submissions fail or disagree. The search
    /// then returns such an input only if there is no other failing input.
    pub past_disputes: bool,
    /// The number of the first input that is tried.
    pub from: u64,
    /// The time at which the search stops.
    pub deadline: Instant,
    /// Receives the progress, and decides whether the search continues.
    pub watch: &'a dyn Watch,
}

/// A failing input.
pub struct Find<P> {
    /// The input.
    pub candidate: P,
    /// How the program, or the package itself, fails on the input.
    pub failure: Failure,
}

/// The result of a search.
pub struct Searched<P> {
    /// The failing input with the lowest number, subject to [`Search::wanted`] and [`Search::past_disputes`]; `None` if
    /// none was found.
    pub find: Option<Find<P>>,
    /// The number of the failing input; `None` if none was found.
    pub number: Option<u64>,
    /// The number of legal inputs that were tried, including those whose result is unknown.
    pub tried: u64,
    /// The number of inputs that were drawn but are illegal.
    pub(crate) illegal: u64,
    /// The number of inputs whose result is unknown.
    pub unjudged: u64,
    /// The number of inputs that were being tried when the time ended.
    pub(crate) cut: u64,
    /// Why the result is unknown on the first of the `unjudged` inputs; `None` if there are none.
    pub first_unjudged: Option<String>,
    /// Whether the search reached the end of the source, after which there are no more inputs.
    pub(crate) exhausted: bool,
    /// Whether the user stopped the search.
    pub interrupted: bool,
}

/// The state that the workers share.
struct Shared<P> {
    next: AtomicU64,
    /// Workers skip this number and all higher ones.
    end: AtomicU64,
    tried: AtomicU64,
    illegal: AtomicU64,
    unjudged: AtomicU64,
    cut: AtomicU64,
    exhausted: AtomicBool,
    interrupted: AtomicBool,
    best: Mutex<Best<P>>,
}

/// The result of each kind with the lowest number so far, and the first error of the judge.
struct Best<P> {
    find: Option<(u64, Find<P>)>,
    dispute: Option<(u64, Find<P>)>,
    unjudged: Option<(u64, String)>,
    error: Option<JudgeError>,
}

impl Search<'_> {
    /// Returns whether a failure of this kind counts.
    pub(crate) fn wants(&self, kind: Kind) -> bool {
        match (kind, self.wanted) {
            (Kind::Program(verdict), Some(wanted)) => verdict == wanted,
            (Kind::Jury, Some(_)) => false,
            (_, None) => true,
        }
    }

    /// Tries inputs in the order of their numbers. Fails if the judge fails.
    pub fn run<G: InputSource>(&self, inputs: &G) -> Result<Searched<G::Candidate>, JudgeError> {
        let shared = Shared {
            next: AtomicU64::new(self.from),
            end: AtomicU64::new(u64::MAX),
            tried: AtomicU64::new(0),
            illegal: AtomicU64::new(0),
            unjudged: AtomicU64::new(0),
            cut: AtomicU64::new(0),
            exhausted: AtomicBool::new(false),
            interrupted: AtomicBool::new(false),
            best: Mutex::new(Best { find: None, dispute: None, unjudged: None, error: None }),
        };
        thread::scope(|scope| {
            for _ in 1..self.jobs {
                // If a worker thread cannot be started, the search continues with fewer workers.
                let _ = thread::Builder::new().spawn_scoped(scope, || self.work(inputs, &shared));
            }
            self.work(inputs, &shared);
        });
        let best = shared.best.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = best.error {
            return Err(error);
        }
        let find = best.find.or(best.dispute);
        Ok(Searched {
            number: find.as_ref().map(|(number, _)| *number),
            find: find.map(|(_, find)| find),
            tried: shared.tried.into_inner(),
            illegal: shared.illegal.into_inner(),
            unjudged: shared.unjudged.into_inner(),
            cut: shared.cut.into_inner(),
            first_unjudged: best.unjudged.map(|(_, reason)| reason),
            exhausted: shared.exhausted.into_inner(),
            interrupted: shared.interrupted.into_inner(),
        })
    }

    fn work<G: InputSource>(&self, inputs: &G, shared: &Shared<G::Candidate>) {
        loop {
            let number = shared.next.fetch_add(1, Ordering::Relaxed);
            // After a failure, `end` is the number of the failing input. Workers still try lower numbers, because the
            // failing input with the lowest number is the result.
            if number >= shared.end.load(Ordering::Acquire) {
                return;
            }
            if self.watch.stop() {
                shared.interrupted.store(true, Ordering::Relaxed);
                return;
            }
            if Instant::now() >= self.deadline {
                return;
            }
            if let Err(error) = self.try_one(inputs, number, shared) {
                if self.was_cut(&error) {
                    // Only this worker ends. The other workers end by themselves; a failing input that they find before
                    // the deadline counts.
                    shared.cut.fetch_add(1, Ordering::Relaxed);
                    return;
                }
                shared.end.store(0, Ordering::Release);
                match error {
                    JudgeError::Interrupted => shared.interrupted.store(true, Ordering::Relaxed),
                    error => _ = shared.best().error.get_or_insert(error),
                }
                return;
            }
        }
    }

    /// Returns whether the error means that the time has ended, rather than that the user wants to stop.
    fn was_cut(&self, error: &JudgeError) -> bool {
        matches!(error, JudgeError::Interrupted) && Instant::now() >= self.deadline && !self.watch.stop()
    }

    fn try_one<G: InputSource>(
        &self,
        inputs: &G,
        number: u64,
        shared: &Shared<G::Candidate>,
    ) -> Result<(), JudgeError> {
        let candidate = match inputs.draw(number)? {
            Draw::Candidate(candidate) => candidate,
            Draw::Nothing => return Ok(()),
            Draw::End => {
                shared.exhausted.store(true, Ordering::Relaxed);
                shared.end.fetch_min(number, Ordering::AcqRel);
                return Ok(());
            }
        };
        let result = inputs.examine(&candidate)?;
        if let CandidateResult::Illegal = result {
            shared.illegal.fetch_add(1, Ordering::Relaxed);
            return Ok(());
        }
        self.watch.tried(shared.tried.fetch_add(1, Ordering::Relaxed) + 1, inputs.share(number));
        match result {
            CandidateResult::Fails(failure) if self.wants(failure.kind) => {
                let is_skipped = self.past_disputes && failure.kind == Kind::Jury;
                if !is_skipped {
                    shared.end.fetch_min(number, Ordering::AcqRel);
                }
                let mut best = shared.best();
                let held = if is_skipped { &mut best.dispute } else { &mut best.find };
                if held.as_ref().is_none_or(|(other, _)| number < *other) {
                    *held = Some((number, Find { candidate, failure: *failure }));
                }
            }
            CandidateResult::Unjudged(reason) => {
                shared.unjudged.fetch_add(1, Ordering::Relaxed);
                let mut best = shared.best();
                if best.unjudged.as_ref().is_none_or(|(other, _)| number < *other) {
                    best.unjudged = Some((number, reason));
                }
            }
            _ => {}
        }
        Ok(())
    }
}

impl<P> Shared<P> {
    fn best(&self) -> std::sync::MutexGuard<'_, Best<P>> {
        self.best.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{NumberSource, SilentWatch, Stopped, WRONG, fails, far_deadline};
    use super::*;

    fn search(jobs: usize, wanted: Option<Verdict>, watch: &SilentWatch) -> Search<'_> {
        Search { jobs, wanted, past_disputes: false, from: 0, deadline: far_deadline(), watch }
    }

    fn numbers<F: Fn(u64) -> CandidateResult + Sync>(end: u64, result: F) -> NumberSource<F> {
        NumberSource::new(end, result)
    }

    #[test]
    fn the_lowest_number_is_the_find_with_any_number_of_jobs() {
        let inputs = numbers(u64::MAX, |number| if number >= 44 { fails(WRONG) } else { CandidateResult::Passes });
        for jobs in [1, 2, 8] {
            for _ in 0..5 {
                let found = search(jobs, None, &SilentWatch::default()).run(&inputs).unwrap();
                assert_eq!(found.find.map(|find| find.candidate), Some(44), "{jobs} jobs");
                assert!(found.tried >= 41 && !found.exhausted && !found.interrupted);
            }
        }
    }

    #[test]
    fn what_is_illegal_or_cannot_be_judged_is_counted_and_no_find() {
        let inputs = numbers(30, |number| match number % 3 {
            0 => CandidateResult::Illegal,
            1 => CandidateResult::Unjudged(format!("number {number}")),
            _ => CandidateResult::Passes,
        });
        let found = search(4, None, &SilentWatch::default()).run(&inputs).unwrap();
        // Of the 30 numbers, 7, 17 and 27 give no input, so there are 27 inputs. Nine of them are illegal: the ten
        // multiples of 3 except 27. Nine are unjudged: the ten numbers with remainder 1 except 7.
        assert_eq!((found.tried, found.illegal, found.unjudged), (18, 9, 9));
        assert_eq!(found.first_unjudged.as_deref(), Some("number 1"));
        assert!(found.find.is_none() && found.exhausted);
    }

    #[test]
    fn only_the_wanted_kind_counts() {
        let kinds =
            [Kind::Jury, WRONG, Kind::Program(Verdict::RunTimeError), Kind::Program(Verdict::TimeLimitExceeded)];
        let inputs = numbers(100, |number| fails(kinds[number as usize % 4]));
        let find = |wanted| {
            let found = search(2, wanted, &SilentWatch::default()).run(&inputs).unwrap();
            found.find.map(|find| (find.candidate, find.failure.kind))
        };
        assert_eq!(find(None), Some((0, Kind::Jury)));
        assert_eq!(find(Some(Verdict::TimeLimitExceeded)), Some((3, kinds[3])));
        assert_eq!(find(Some(Verdict::MemoryLimitExceeded)), None);
    }

    #[test]
    fn disputes_are_gone_past_if_that_is_asked_for() {
        let disputed = |number| if number % 10 == 2 { fails(Kind::Jury) } else { CandidateResult::Passes };
        let find = |past_disputes, end, wrong: u64| {
            let inputs = numbers(end, |number| if number >= wrong { fails(WRONG) } else { disputed(number) });
            let watch = SilentWatch::default();
            let found = Search { past_disputes, ..search(2, None, &watch) }.run(&inputs).unwrap();
            found.find.map(|find| (find.candidate, find.failure.kind))
        };
        assert_eq!(find(false, 90, 44), Some((2, Kind::Jury)));
        assert_eq!(find(true, 90, 44), Some((44, WRONG)));
        assert_eq!(find(true, 90, 100), Some((2, Kind::Jury)));
    }

    #[test]
    fn inputs_whose_try_is_stopped_when_the_time_is_over_are_no_finds_and_are_counted() {
        let deadline = Instant::now() + std::time::Duration::from_millis(300);
        let watch = SilentWatch::default();
        let inputs = Stopped::at(deadline);
        let found = Search { deadline, ..search(2, None, &watch) }.run(&inputs).unwrap();
        // On a busy machine, one of the two threads may start after the deadline.
        let begun = inputs.begun.into_inner();
        assert!((1..=2).contains(&begun), "{begun}");
        assert_eq!((found.cut, found.tried, found.interrupted, found.exhausted), (begun, 0, false, false));
        assert!(found.find.is_none());
    }

    #[test]
    fn it_ends_when_it_is_stopped_and_when_the_time_is_over() {
        let inputs = numbers(u64::MAX, |_| CandidateResult::Passes);
        let found = search(2, None, &SilentWatch(AtomicBool::new(true))).run(&inputs).unwrap();
        assert!(found.interrupted && found.find.is_none());
        let watch = SilentWatch::default();
        let over = Search { deadline: Instant::now(), ..search(2, None, &watch) };
        let found = over.run(&inputs).unwrap();
        assert!(!found.interrupted && !found.exhausted && found.find.is_none());
    }
}
