//! Decides on which test cases a program or a mutant is run.

use std::cell;

use super::super::{Calls, Cell};
use super::original::Original;
use crate::Rigour;
use referee_judge::{CaseResult, Contained, Digest, JudgeError, StopPolicy};

/// Runs a program on every test case.
pub(super) struct RunAll;

impl StopPolicy for RunAll {
    fn begins(&self, _: &Digest) -> bool {
        true
    }

    fn next(&self, results: &[Option<CaseResult>]) -> Option<usize> {
        results.iter().position(Option::is_none)
    }

    // The unchanged program is run alone on every test case.
    fn spares(&self, _: usize, _: &CaseResult) -> bool {
        false
    }

    fn may_share(&self, _: usize) -> bool {
        false
    }

    // The unchanged program should be accepted. So a run that exceeds the time limit is repeated: the machine may have
    // been busy.
    fn one_timeout_suffices(&self) -> bool {
        false
    }
}

/// Runs a mutant on test cases until enough of them have killed it.
pub(super) struct MutantPolicy<'a> {
    pub(super) original: &'a Original,
    pub(super) rigour: Rigour,
    pub(super) is_one_by_one: bool,
    pub(super) number: usize,
    pub(super) calls: &'a Calls<'a>,
    /// The number of an earlier mutant with the same code; `None` if there is none, or if the mutant was not compiled
    /// yet.
    pub(super) earlier: cell::Cell<Option<usize>>,
}

impl StopPolicy for MutantPolicy<'_> {
    fn begins(&self, product: &Digest) -> bool {
        if *product == self.original.product {
            return false;
        }
        self.earlier.set((self.calls.earlier)(*product));
        self.earlier.get().is_none()
    }

    /// Returns the index of the next test case; `None` after enough kills, or if no test case is left. Quick test cases
    /// come first ([`super::effort`]). Among equally quick ones, the test cases are taken in order before the first
    /// kill. After it, the order begins at a pseudorandom test case that depends on the mutant's number. So every test
    /// case gets its share of mutants.
    fn next(&self, results: &[Option<CaseResult>]) -> Option<usize> {
        let kills =
            results.iter().enumerate().filter(|(index, one)| self.original.cell(*index, one.as_ref()) == Cell::Kills);
        let kills: Vec<_> = kills.filter_map(|(_, one)| one.as_ref()).collect();
        let slow = kills.iter().filter(|one| one.verdict.is_exceeded_limit()).count();
        if kills.len() >= self.rigour.most_kills() || slow >= self.rigour.most_slow_kills() {
            return None;
        }
        let from = if kills.is_empty() { 0 } else { scattered(self.number) % results.len() };
        let open = (from..results.len()).chain(0..from).filter(|index| results[*index].is_none());
        open.min_by_key(|index| self.original.effort.get(*index))
    }

    fn spares(&self, index: usize, result: &CaseResult) -> bool {
        !self.is_one_by_one
            && self.original.is_near_the_limit.get(index) == Some(&false)
            && self.original.cell(index, Some(result)) == Cell::Spares
    }

    fn may_share(&self, index: usize) -> bool {
        self.original.effort.get(index) == Some(&0)
    }

    fn one_timeout_suffices(&self) -> bool {
        true
    }

    fn before_compiling(&self) -> Result<Option<Contained>, JudgeError> {
        let metamutant = (self.calls.before_compiling)()?;
        Ok(metamutant.and_then(|metamutant| metamutant.contained(self.number, self.original.product)))
    }

    fn metamutant(&self) -> Option<Digest> {
        self.calls.metamutant
    }

    /// A survivor is compiled alone: it may be the same code as the program, although its code in the metamutant differs.
    fn needs_own_product(&self, results: &[Option<CaseResult>]) -> bool {
        let kills =
            |(index, result): (usize, &Option<CaseResult>)| self.original.cell(index, result.as_ref()) == Cell::Kills;
        !self.calls.is_declared && !results.iter().enumerate().any(kills)
    }
}

/// Returns a pseudorandom number that depends only on its argument: Fibonacci hashing (Knuth, The Art of Computer
/// Programming, volume 3, section 6.4).
fn scattered(number: usize) -> usize {
    ((number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_grading::score::{Given, Written};
    use referee_grading::verdict::Verdict;

    fn original() -> Original {
        let given = vec![Given::default(); 2];
        Original { product: [1; 32], given, is_near_the_limit: vec![false, true], effort: vec![0; 2] }
    }

    fn policy<'a>(original: &'a Original, calls: &'a Calls<'a>, is_one_by_one: bool) -> MutantPolicy<'a> {
        let (rigour, number, earlier) = (Rigour::Some, 7, cell::Cell::new(None));
        MutantPolicy { original, rigour, is_one_by_one, number, calls, earlier }
    }

    #[test]
    fn a_mutant_with_the_code_of_the_program_or_of_an_earlier_mutant_is_not_run() {
        let original = original();
        let earlier = |product: Digest| (product == [2; 32]).then_some(3);
        let calls = Calls { before_compiling: &|| Ok(None), metamutant: None, is_declared: false, earlier: &earlier };
        let begins = |product: u8| {
            let policy = policy(&original, &calls, false);
            (policy.begins(&[product; 32]), policy.earlier.get())
        };
        assert_eq!([1, 2, 3].map(begins), [(false, None), (false, Some(3)), (true, None)]);
    }

    #[test]
    fn a_mutant_stops_after_three_kills_or_one_by_an_exceeded_limit() {
        use Verdict::{Accepted as Ac, MemoryLimitExceeded as Mle, TimeLimitExceeded as Tle, WrongAnswer as Wa};
        let given = vec![Given::default(); 9];
        let original = Original { product: [1; 32], given, is_near_the_limit: vec![false; 9], effort: vec![0; 9] };
        let calls = Calls { before_compiling: &|| Ok(None), metamutant: None, is_declared: false, earlier: &|_| None };
        let stops = |rigour: Rigour, verdicts: &[Verdict]| {
            let mut results: Vec<_> = verdicts.iter().map(|verdict| Some(CaseResult::of(*verdict))).collect();
            results.resize(9, None);
            MutantPolicy { rigour, ..policy(&original, &calls, false) }.next(&results).is_none()
        };
        let [until_killed, some, all] = [Rigour::UntilKilled, Rigour::Some, Rigour::All];
        assert!(!stops(until_killed, &[Ac]) && stops(until_killed, &[Ac, Wa]) && stops(until_killed, &[Tle]));
        assert!(!stops(some, &[Ac, Wa, Wa]) && stops(some, &[Wa, Wa, Wa]) && stops(some, &[Ac, Tle]));
        assert!(stops(some, &[Wa, Mle]));
        assert!(!stops(all, &[Wa, Wa, Wa, Tle]) && stops(all, &[Wa, Tle, Mle]));
    }

    #[test]
    fn a_mutant_runs_on_quick_test_cases_first_and_after_a_kill_from_another_place() {
        use Verdict::{Accepted, WrongAnswer};
        let (given, is_near_the_limit) = (vec![Given::default(); 9], vec![false; 9]);
        let original = Original { product: [1; 32], given, is_near_the_limit, effort: vec![0, 1, 0, 0, 2, 0, 0, 0, 0] };
        let calls = Calls { before_compiling: &|| Ok(None), metamutant: None, is_declared: false, earlier: &|_| None };
        let order = |killer: Option<usize>| {
            let policy = MutantPolicy { number: 1, ..policy(&original, &calls, false) };
            let (mut results, mut order) = (vec![None; 9], Vec::new());
            while let Some(next) = policy.next(&results) {
                let verdict = if killer == Some(next) { WrongAnswer } else { Accepted };
                results[next] = Some(CaseResult::of(verdict));
                order.push(next);
            }
            order
        };
        assert_eq!(order(None), [0, 2, 3, 5, 6, 7, 8, 1, 4]);
        assert_eq!(scattered(1) % 9, 6);
        assert_eq!(order(Some(0)), [0, 6, 7, 8, 2, 3, 5, 1, 4]);
    }

    #[test]
    fn a_shared_process_only_spares_and_only_far_from_the_limit() {
        let (original, calls) = (
            original(),
            Calls { before_compiling: &|| Ok(None), metamutant: None, is_declared: false, earlier: &|_| None },
        );
        let shared = policy(&original, &calls, false);
        let (right, wrong) = (CaseResult::of(Verdict::Accepted), CaseResult::of(Verdict::WrongAnswer));
        let score = Given { score: Some(Written::read("1")), ..Given::default() };
        let other_score = CaseResult { given: score, ..right.clone() };
        assert!(shared.spares(0, &right));
        assert!(!shared.spares(0, &wrong) && !shared.spares(0, &other_score));
        assert!(!shared.spares(1, &right), "the unchanged program is near the limit on this test case");
        assert!(!policy(&original, &calls, true).spares(0, &right));
    }
}
