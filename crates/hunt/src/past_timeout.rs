//! After a timeout, continues the search for another failure.
//!
//! A wrong answer says more than a timeout: it does not depend on the machine, and its cause is easier to find. So a
//! hunt for any failure that first finds a timeout continues for a limited number of inputs and a share of the time. It
//! leaves out the inputs that are at least as hard as the one with the timeout, because most of them would end in a
//! timeout, too. Which inputs it tries does not depend on time. So the result is the same for any number of jobs, if
//! the time suffices.

use std::time::Instant;

use reference::puzzle::QUICK_EFFORT;

use super::input_source::{CandidateResult, Draw, Failure, InputSource, Kind};
use super::search::{Search, Searched};
use referee_grading::verdict::Verdict;
use referee_judge::JudgeError;

/// The number of inputs after the timeout that are considered.
const MORE_INPUTS: u64 = 1000;

/// The divisor of the time that is left: the share of the continued search. The rest is for shrinking.
const SHARE: u32 = 3;

const TIMEOUT: Kind = Kind::Program(Verdict::TimeLimitExceeded);

/// Continues a search that accepts every failure and has found a timeout. Replaces the find by the next failure of the
/// program that is no timeout, if there is one. Adds a remark for the user to `remarks`. Does nothing after any other
/// result. Fails if the judge fails.
pub(super) fn prefer_other_failures<G: InputSource>(
    search: &Search<'_>,
    inputs: &G,
    searched: &mut Searched<G::Candidate>,
    remarks: &mut Vec<String>,
) -> Result<(), JudgeError> {
    let (Some(number), Some(find)) = (searched.number, &searched.find) else { return Ok(()) };
    if search.wanted.is_some() || find.failure.kind != TIMEOUT || searched.interrupted {
        return Ok(());
    }
    let bytes = inputs.bytes(&find.candidate).len();
    let from = number + 1;
    let hardest = inputs.effort(&find.candidate).map(|effort| effort.max(QUICK_EFFORT + 1));
    let easier = Easier { inputs, end: from.saturating_add(MORE_INPUTS), hardest };
    let now = Instant::now();
    let deadline = now + search.deadline.saturating_duration_since(now) / SHARE;
    let mut later = Search { from, deadline, ..*search }.run(&easier)?;
    searched.tried += later.tried;
    searched.illegal += later.illegal;
    searched.unjudged += later.unjudged;
    searched.cut += later.cut;
    searched.interrupted |= later.interrupted;
    searched.first_unjudged = searched.first_unjudged.take().or(later.first_unjudged.take());
    remarks.push(if later.find.is_some() {
        format!("the program exceeds the time limit on an input of {bytes} bytes; --for tle searches for such inputs")
    } else {
        format!(
            "the first failure was a timeout; the hunt used up to a third of its remaining time to look for another \
             failure among the next {MORE_INPUTS} inputs, and found none"
        )
    });
    if let Some(find) = later.find {
        (searched.find, searched.number) = (Some(find), later.number);
    }
    Ok(())
}

/// The inputs up to number `end` that are easier than the input with the timeout. The program fails on them only if it
/// fails in another way than by a timeout.
struct Easier<'a, G> {
    inputs: &'a G,
    end: u64,
    /// Inputs with at least this effort are left out; `None` if the effort of the inputs is unknown. It is always above
    /// [`QUICK_EFFORT`]: if the program exceeds the limit on a quick input, it may pass other quick inputs.
    hardest: Option<u64>,
}

impl<G: InputSource> InputSource for Easier<'_, G> {
    type Candidate = G::Candidate;

    fn draw(&self, number: u64) -> Result<Draw<G::Candidate>, JudgeError> {
        if number >= self.end {
            return Ok(Draw::End);
        }
        let is_hard =
            |candidate| self.hardest.zip(self.inputs.effort(candidate)).is_some_and(|(most, one)| one >= most);
        Ok(match self.inputs.draw(number)? {
            Draw::Candidate(candidate) if is_hard(&candidate) => Draw::Nothing,
            draw => draw,
        })
    }

    fn examine(&self, candidate: &G::Candidate) -> Result<CandidateResult, JudgeError> {
        Ok(match self.inputs.examine_except_timeouts(candidate)? {
            CandidateResult::Fails(failure) if matches!(failure.kind, TIMEOUT | Kind::Jury) => CandidateResult::Passes,
            result => result,
        })
    }

    fn smaller<'b>(
        &'b self,
        candidate: &'b G::Candidate,
        failure: &'b Failure,
    ) -> Box<dyn Iterator<Item = G::Candidate> + Send + 'b> {
        self.inputs.smaller(candidate, failure)
    }

    fn bytes(&self, candidate: &G::Candidate) -> Vec<u8> {
        self.inputs.bytes(candidate)
    }

    fn resumes_at_same_step(&self) -> bool {
        self.inputs.resumes_at_same_step()
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{NumberSource, SilentWatch, WRONG, fails, far_deadline};
    use super::*;

    /// Hunts among numbers, whose effort is `effort`. Returns the find, its kind, and the number of remarks.
    fn found(
        jobs: usize,
        wanted: Option<Verdict>,
        effort: fn(u64) -> Option<u64>,
        result: impl Fn(u64) -> CandidateResult + Sync,
    ) -> Option<(u64, Kind, usize)> {
        let inputs = NumberSource { effort, ..NumberSource::new(2000, result) };
        let watch = SilentWatch::default();
        let search = Search { jobs, wanted, past_disputes: false, from: 0, deadline: far_deadline(), watch: &watch };
        let (mut searched, mut remarks) = (search.run(&inputs).unwrap(), Vec::new());
        prefer_other_failures(&search, &inputs, &mut searched, &mut remarks).unwrap();
        searched.find.map(|find| (find.candidate, find.failure.kind, remarks.len()))
    }

    fn slow_from_5_and_wrong_at(wrong: &[u64]) -> impl Fn(u64) -> CandidateResult + Sync {
        move |number| match number {
            _ if wrong.contains(&number) => fails(WRONG),
            5.. => fails(TIMEOUT),
            _ => CandidateResult::Passes,
        }
    }

    #[test]
    fn a_later_wrong_answer_is_preferred_to_a_timeout_with_any_number_of_jobs() {
        for jobs in [1, 2, 7] {
            assert_eq!(found(jobs, None, |_| None, slow_from_5_and_wrong_at(&[44, 63])), Some((44, WRONG, 1)));
            assert_eq!(found(jobs, None, |_| None, slow_from_5_and_wrong_at(&[])), Some((5, TIMEOUT, 1)));
            // A wrong answer before the timeout ends the search, and so does a timeout if it is asked for.
            assert_eq!(found(jobs, None, |_| None, slow_from_5_and_wrong_at(&[4])), Some((4, WRONG, 0)));
            let wanted = Some(Verdict::TimeLimitExceeded);
            assert_eq!(found(jobs, wanted, |_| None, slow_from_5_and_wrong_at(&[44])), Some((5, TIMEOUT, 0)));
        }
    }

    #[test]
    fn the_search_after_a_timeout_ends_and_leaves_out_harder_inputs() {
        let wrong_at_1005 = slow_from_5_and_wrong_at(&[1005, 1006]);
        assert_eq!(found(2, None, |_| None, wrong_at_1005), Some((1005, WRONG, 1)));
        assert_eq!(found(2, None, |_| None, slow_from_5_and_wrong_at(&[1006])), Some((5, TIMEOUT, 1)));
        // The inputs 5 and 44 are hard, and input 50 is easier than input 5. If input 5 is quick, no quick input is
        // left out.
        let hard = |number| Some(if number == 50 { 20_000 } else { 20_001 });
        assert_eq!(found(2, None, hard, slow_from_5_and_wrong_at(&[44, 50])), Some((50, WRONG, 1)));
        let quick = |number| Some(if number == 44 { QUICK_EFFORT } else { 0 });
        assert_eq!(found(2, None, quick, slow_from_5_and_wrong_at(&[44])), Some((44, WRONG, 1)));
    }

    #[test]
    fn a_failure_of_the_package_does_not_replace_a_timeout() {
        let result = |number| fails(if number < 5 { TIMEOUT } else { Kind::Jury });
        assert_eq!(found(2, None, |_| None, result), Some((0, TIMEOUT, 1)));
    }
}
