//! Shrinks a failing input for as long as the program fails in the same way.
//!
//! A step is an input that was made from the current one and is slightly smaller. The shrinker tries the steps in
//! order, several at a time. It takes the first step in that order on which the program still fails, even if a later
//! step was ready sooner. If there is no such step, the input is minimal.

use std::time::Instant;

use rayon::prelude::*;

use super::Watch;
use super::input_source::{CandidateResult, InputSource};
use super::search::Find;
use referee_judge::JudgeError;

/// The resources for shrinking.
#[derive(Clone, Copy)]
pub struct Shrink<'a> {
    /// The number of inputs that are tried at the same time.
    pub jobs: usize,
    /// The time at which the shrinker stops.
    pub deadline: Instant,
    /// Receives the progress, and decides whether the shrinker continues.
    pub watch: &'a dyn Watch,
}

/// The shrunk input.
pub struct Shrunk<P> {
    /// The smallest failing input that was found.
    pub find: Find<P>,
    /// The number of smaller inputs that were tried. If a step is taken, the steps after it are not counted, even if
    /// they were tried at the same time.
    pub(crate) tried: u64,
    /// Whether no step of the input makes the program fail in the same way; false if the shrinker stopped before it had
    /// tried all steps.
    pub minimal: bool,
    /// Whether the user stopped the shrinker.
    pub interrupted: bool,
}

/// The result of one pass over the steps.
enum Pass<P> {
    /// The step with this index fails.
    Smaller(usize, Find<P>),
    /// No step fails.
    Minimal,
    OutOfTime,
    Interrupted,
}

impl Shrink<'_> {
    /// Makes the input smaller until no step makes the program fail in the same way, the time ends, or the user stops
    /// the shrinker.
    pub fn run<G: InputSource>(
        &self,
        inputs: &G,
        find: Find<G::Candidate>,
    ) -> Result<Shrunk<G::Candidate>, JudgeError> {
        let mut shrunk = Shrunk { find, tried: 0, minimal: false, interrupted: false };
        // The index of the step with which the next pass begins. A pass tries the steps before this index last.
        let mut start = 0;
        loop {
            match self.pass(inputs, &shrunk.find, start, &mut shrunk.tried)? {
                Pass::Smaller(step, find) => {
                    shrunk.find = find;
                    start = if inputs.resumes_at_same_step() { step } else { 0 };
                }
                Pass::Minimal => {
                    shrunk.minimal = true;
                    return Ok(shrunk);
                }
                Pass::OutOfTime => return Ok(shrunk),
                Pass::Interrupted => {
                    shrunk.interrupted = true;
                    return Ok(shrunk);
                }
            }
        }
    }

    fn is_over(&self) -> bool {
        Instant::now() >= self.deadline
    }

    fn pass<G: InputSource>(
        &self,
        inputs: &G,
        find: &Find<G::Candidate>,
        start: usize,
        tried: &mut u64,
    ) -> Result<Pass<G::Candidate>, JudgeError> {
        // Generating the steps of a long input takes time even for the steps that `skip` drops. So `take_while` checks
        // before each step whether the shrinker must stop.
        let is_stopped = || self.watch.stop() || self.is_over();
        let steps = || inputs.smaller(&find.candidate, &find.failure).enumerate().take_while(|_| !is_stopped());
        let mut steps = steps().skip(start).chain(steps().take(start));
        loop {
            let few: Vec<_> = steps.by_ref().take(self.jobs).collect();
            if self.watch.stop() {
                return Ok(Pass::Interrupted);
            }
            if self.is_over() {
                return Ok(Pass::OutOfTime);
            }
            if few.is_empty() {
                return Ok(Pass::Minimal);
            }
            let results: Vec<_> = few.par_iter().map(|(_, candidate)| inputs.examine(candidate)).collect();
            for ((step, candidate), result) in few.into_iter().zip(results) {
                // Only the steps up to the one that is taken are counted, so the count is the same for any number of
                // jobs.
                *tried += 1;
                match result {
                    Err(JudgeError::Interrupted) if self.is_over() && !self.watch.stop() => return Ok(Pass::OutOfTime),
                    Err(JudgeError::Interrupted) => return Ok(Pass::Interrupted),
                    Err(error) => return Err(error),
                    Ok(CandidateResult::Fails(failure)) if failure.kind == find.failure.kind => {
                        self.watch.shrunk(inputs.bytes(&candidate).len());
                        return Ok(Pass::Smaller(step, Find { candidate, failure: *failure }));
                    }
                    Ok(_) => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::input_source::{Failure, Kind};
    use super::super::test_support::{NumberSource, SilentWatch, Stopped, WRONG, fails, far_deadline};
    use super::*;
    use referee_grading::verdict::Verdict;

    fn shrunk(
        from: u64,
        jobs: usize,
        resumes_at_same_step: bool,
        result: impl Fn(u64) -> CandidateResult + Sync,
    ) -> (u64, u64, bool) {
        let inputs = NumberSource { resumes_at_same_step, ..NumberSource::new(u64::MAX, result) };
        let failure =
            Failure { kind: WRONG, message: None, expected: None, got: Vec::new(), exchanges: None, focus: None };
        let shrink = Shrink { jobs, deadline: far_deadline(), watch: &SilentWatch::default() };
        let shrunk = shrink.run(&inputs, Find { candidate: from, failure }).unwrap();
        (shrunk.find.candidate, shrunk.tried, shrunk.minimal)
    }

    #[test]
    fn the_first_step_that_fails_is_taken_whoever_is_ready_first() {
        let fails_at = |number: u64| if number >= 37 { fails(WRONG) } else { CandidateResult::Passes };
        for jobs in [1, 2, 7] {
            // Three steps lead from 300 to 150, 75 and 37. From 37, all 38 steps are tried, and none of them fails.
            assert_eq!(shrunk(300, jobs, false, fails_at), (37, 3 + 38, true), "{jobs} jobs");
        }
        assert_eq!(shrunk(300, 2, true, fails_at).0, 37);
    }

    #[test]
    fn another_kind_of_failure_is_no_smaller_one_of_this() {
        let result = |number: u64| match number {
            0..10 => fails(Kind::Program(Verdict::RunTimeError)),
            20 | 15 => CandidateResult::Illegal,
            _ => fails(WRONG),
        };
        let (left, _, minimal) = shrunk(40, 2, false, result);
        assert_eq!((left, minimal), (10, true));
    }

    #[test]
    fn who_goes_on_behind_a_step_comes_round_to_those_before_it() {
        // Odd numbers fail. The counts were found by hand. The first pass takes the third step, from 29 to 27. If the
        // next pass resumes there, it takes the third step again, from 27 to 25. If it starts at the first step, it
        // goes from 27 to its half, 13.
        let result = |number: u64| if number % 2 == 1 { fails(WRONG) } else { CandidateResult::Passes };
        assert_eq!(shrunk(29, 3, true, result), (1, 18, true));
        assert_eq!(shrunk(29, 3, false, result), (1, 14, true));
    }

    #[test]
    fn a_step_that_is_stopped_when_the_time_is_over_is_out_of_time_and_not_minimal() {
        let deadline = Instant::now() + std::time::Duration::from_millis(50);
        let inputs = Stopped::at(deadline);
        let failure =
            Failure { kind: WRONG, message: None, expected: None, got: Vec::new(), exchanges: None, focus: None };
        let shrink = Shrink { jobs: 2, deadline, watch: &SilentWatch::default() };
        let shrunk = shrink.run(&inputs, Find { candidate: 9, failure }).unwrap();
        assert_eq!((shrunk.find.candidate, shrunk.minimal, shrunk.interrupted), (9, false, false));
    }

    #[test]
    fn without_time_what_was_found_is_kept() {
        let inputs = NumberSource::new(1, |_| fails(WRONG));
        let failure =
            Failure { kind: WRONG, message: None, expected: None, got: Vec::new(), exchanges: None, focus: None };
        let shrink = Shrink { jobs: 2, deadline: Instant::now(), watch: &SilentWatch::default() };
        let shrunk = shrink.run(&inputs, Find { candidate: 9, failure }).unwrap();
        assert_eq!((shrunk.find.candidate, shrunk.minimal, shrunk.interrupted), (9, false, false));
    }
}
