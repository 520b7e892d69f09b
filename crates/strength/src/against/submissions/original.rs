//! The results of the unchanged program, with which those of its mutants are compared.

use std::time::Duration;

use super::super::{Cell, telling_line};
use super::effort;
use referee_grading::score::Given;
use referee_grading::verdict::Verdict;
use referee_judge::{CaseResult, Digest, MutantRun, Product, RETRY_POLICY};
use referee_package::TestCase;

/// The results of the unchanged program.
pub(super) struct Original {
    pub(super) product: Digest,
    /// The scores that the output validator wrote for the program, by test case.
    pub(super) given: Vec<Given>,
    /// Whether the program needs nearly all of the time limit, by test case. A mutant may then exceed the limit by
    /// chance.
    pub(super) is_near_the_limit: Vec<bool>,
    /// The class of each test case, as [`effort::classes`] returns it. Mutants are run on small classes first.
    pub(super) effort: Vec<usize>,
}

impl Original {
    /// Returns what a mutant's result on the test case with this index says about the test case.
    pub(super) fn cell(&self, index: usize, result: Option<&CaseResult>) -> Cell {
        match result {
            None => Cell::Unknown,
            Some(result) => match result.verdict {
                Verdict::JudgeError => Cell::Unknown,
                Verdict::TimeLimitExceeded if self.is_near_the_limit.get(index) == Some(&true) => Cell::Unknown,
                Verdict::Accepted if self.given.get(index) == Some(&result.given) => Cell::Spares,
                _ => Cell::Kills,
            },
        }
    }
}

/// Returns the results of the unchanged program. `cases` are all test cases of the package; the program was run on
/// each. Fails with the reason if the program cannot be built or is not accepted.
pub(super) fn original(run: MutantRun, cases: &[TestCase], limit: Duration) -> Result<Original, String> {
    let product = match run.product {
        Product::Made(product) => product,
        Product::Failed(reason) => {
            return Err(format!("the unchanged program does not compile: {}", telling_line(&reason)));
        }
        Product::Unavailable(reason) => return Err(reason),
    };
    let results: Vec<_> = run.results.into_iter().flatten().collect();
    if let Some((failed, case)) = results.iter().zip(cases).find(|(result, _)| result.verdict != Verdict::Accepted) {
        return Err(format!("the unchanged program gets {} on {}", failed.verdict, case.name));
    }
    let is_near = |one: &CaseResult| one.cpu_seconds.is_some_and(|seconds| RETRY_POLICY.is_near_time(seconds, limit));
    let is_near_the_limit = results.iter().map(is_near).collect();
    let time = |one: &CaseResult| Duration::from_secs_f64(one.cpu_seconds.unwrap_or_default());
    let effort = effort::classes(&results.iter().map(time).collect::<Vec<_>>());
    Ok(Original { product, given: results.into_iter().map(|result| result.given).collect(), is_near_the_limit, effort })
}
