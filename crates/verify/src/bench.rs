//! The data that several checks share: the validators, which are built only once, and the results of the submissions.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::finding::{Finding, counted};
use super::matrix::{self, Matrix};
use super::{Check, VerifyPlan};
use referee_event::{TimeLimit, ToolFound};
use referee_judge::{
    self as judge, InputExaminer, JudgeError, Measured, OutputExaminer, RunUntil, Session, Settings, toolchain,
};
use referee_package::Package;

/// The number of failures after which a check stops. A validator that does not terminate uses its full time limit for
/// each item, so running all items would take hours and show nothing new.
const MOST_FAILURES: usize = 5;

/// The number of items in a batch. Failures are counted after each batch.
const BATCH_SIZE: usize = 10;

/// Returns a warning that some items were not tried; `None` if all were tried.
pub(super) fn not_tried(all: usize, tried: usize, what: &str) -> Option<Finding> {
    (tried < all).then(|| {
        let skipped = counted(all - tried, what);
        let message =
            format!("{skipped} not tried, because a validator failed on at least {MOST_FAILURES} other {what}s");
        Finding::warning(message).hint("fix the validator, then run `referee verify` again")
    })
}

/// A package and the shared data of its checks.
pub(super) struct Bench<'a> {
    pub(super) package: &'a Package,
    pub(super) plan: &'a VerifyPlan<'a>,
    pub(super) session: Session<'a>,
    pool: ThreadPool,
    inputs: OnceCell<InputExaminer<'a>>,
    outputs: OnceCell<OutputExaminer<'a>>,
    /// The time limit, or the reason why it cannot be determined. The reason is stored so that a failed measurement is
    /// not repeated.
    limit: OnceCell<Result<Limit, String>>,
    matrix: OnceCell<Matrix>,
    /// The time limit if the check of time limits found that it suits all submissions; `None` otherwise, or before that
    /// check.
    suitable_limit: Cell<Option<Duration>>,
    /// The messages that some check has already reported.
    reported: RefCell<BTreeSet<String>>,
}

/// The time limit for judging submissions.
#[derive(Clone, Debug)]
pub(super) struct Limit {
    pub(super) time: Duration,
    /// The measurements from which the time limit follows; `None` if the time limit was stated.
    pub(super) measured: Option<Measured>,
}

impl<'a> Bench<'a> {
    pub(super) fn new(package: &'a Package, plan: &'a VerifyPlan<'a>) -> Result<Self, JudgeError> {
        let pool = ThreadPoolBuilder::new()
            .num_threads(plan.settings.jobs)
            .build()
            .map_err(|error| JudgeError::System { doing: "starting threads", source: std::io::Error::other(error) })?;
        Ok(Bench {
            package,
            plan,
            session: Session::open(package, &plan.settings)?,
            pool,
            inputs: OnceCell::new(),
            outputs: OnceCell::new(),
            limit: OnceCell::new(),
            matrix: OnceCell::new(),
            suitable_limit: Cell::new(None),
            reported: RefCell::new(BTreeSet::new()),
        })
    }

    /// Returns why submissions cannot be judged; `None` if they can.
    pub(super) fn why_not_judgeable(&self) -> Option<String> {
        judge::refuse_unsupported(self.package).err().map(|error| error.to_string())
    }

    /// Returns why an output cannot be judged without its submission; `None` if it can.
    pub(super) fn why_needs_submission(&self) -> Option<String> {
        let kind = self.package.kind;
        let word = match (kind.interactive, kind.multi_pass, kind.submit_answer) {
            (true, ..) => "interactive",
            (_, true, _) => "multi-pass",
            (_, _, true) => "submit-answer",
            _ => return None,
        };
        Some(format!("the problem is {word}: outputs cannot be judged without running a submission"))
    }

    /// Returns whether the package uses the default output validator.
    pub(super) fn is_default_validator(&self) -> bool {
        self.package.output_validators.is_empty()
    }

    pub(super) fn input_examiner(&self) -> Result<&InputExaminer<'a>, JudgeError> {
        get_or_try_init(&self.inputs, || self.session.input_examiner())
    }

    pub(super) fn output_examiner(&self) -> Result<&OutputExaminer<'a>, JudgeError> {
        get_or_try_init(&self.outputs, || self.session.output_examiner())
    }

    /// Returns the time limit. If it is not stated, measures it by running submissions. Fails if it is neither stated
    /// nor measurable.
    pub(super) fn limit(&self) -> Result<&Limit, JudgeError> {
        let limit = get_or_try_init(&self.limit, || match self.find_time_limit() {
            Err(JudgeError::Package(reason)) => Ok(Err(reason)),
            other => other.map(Ok),
        })?;
        limit.as_ref().map_err(|reason| JudgeError::Package(reason.clone()))
    }

    fn find_time_limit(&self) -> Result<Limit, JudgeError> {
        if let Some(time) = self.plan.time_limit {
            return Ok(Limit { time, measured: None });
        }
        let mut done = 0;
        let measured = self.session.renewed_time_limit(&mut |_| {
            done += 1;
            self.plan.watch.progress(Check::TimeLimits, done, 0);
        })?;
        Ok(Limit { time: measured.limit, measured: Some(measured) })
    }

    /// Marks a message as reported. Returns false if it already was.
    pub(super) fn mark_reported(&self, message: &str) -> bool {
        self.reported.borrow_mut().insert(message.to_owned())
    }

    /// Returns the results of every submission on every test case; runs the submissions at the first call.
    pub(super) fn matrix(&self) -> Result<&Matrix, JudgeError> {
        get_or_try_init(&self.matrix, || {
            let settings = self.settings()?;
            matrix::run(self, &judge::Submission::of_jury(self.package), &settings, Check::Submissions)
        })
    }

    /// Returns three numbers: the submissions judged, the submissions skipped, and the runs.
    pub(super) fn submission_counts(&self) -> (usize, usize, usize) {
        let Some(matrix) = self.matrix.get() else { return (0, 0, 0) };
        let skipped = matrix.rows.iter().filter(|row| row.skipped.is_some()).count();
        (matrix.rows.len() - skipped, skipped, matrix.runs)
    }

    /// Returns the compilers and interpreters of the submissions that were judged.
    pub(super) fn tools(&self) -> Vec<ToolFound> {
        let rows = self.matrix.get().map(|matrix| matrix.rows.as_slice()).unwrap_or_default();
        toolchain::each_once(rows.iter().flat_map(|row| &row.tools))
    }

    /// Returns the settings for judging submissions.
    pub(super) fn settings(&self) -> Result<Settings, JudgeError> {
        let time_limit = TimeLimit::Stated(self.limit()?.time);
        Ok(Settings { time_limit, run_until: RunUntil::End, feedback: None, ..self.plan.settings.clone() })
    }

    /// Stores the time limit after the check of time limits has found that it suits all submissions.
    pub(super) fn set_suitable_limit(&self, limit: Duration) {
        self.suitable_limit.set(Some(limit));
    }

    pub(super) fn suitable_limit(&self) -> Option<Duration> {
        self.suitable_limit.get()
    }

    /// Calls `work` in a pool with the configured number of threads. `work` must split itself into parallel tasks.
    pub(super) fn on_all_cores<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.install(work)
    }

    /// Calls `work` on all items in parallel, and returns the results in order.
    pub(super) fn each<T: Sync, R: Send>(
        &self,
        check: Check,
        items: &[T],
        work: impl Fn(&T) -> Result<R, JudgeError> + Sync + Send,
    ) -> Result<Vec<R>, JudgeError> {
        self.batch(check, items, (0, items.len()), work)
    }

    /// Calls `work` on all items in parallel, in batches. Skips the remaining batches once `is_failure` returned true
    /// for [`MOST_FAILURES`] results. The number of threads does not change which items are skipped.
    pub(super) fn each_until<T: Sync, R: Send>(
        &self,
        check: Check,
        items: &[T],
        is_failure: impl Fn(&R) -> bool,
        work: impl Fn(&T) -> Result<R, JudgeError> + Sync + Send,
    ) -> Result<Vec<R>, JudgeError> {
        let mut results = Vec::with_capacity(items.len());
        for batch in items.chunks(BATCH_SIZE) {
            if results.iter().filter(|result| is_failure(result)).count() >= MOST_FAILURES {
                break;
            }
            results.extend(self.batch(check, batch, (results.len(), items.len()), &work)?);
        }
        Ok(results)
    }

    /// Calls `work` on a batch of items. `before` is the number of items in earlier batches, and `all` is the total
    /// number; both are for the progress display.
    fn batch<T: Sync, R: Send>(
        &self,
        check: Check,
        items: &[T],
        (before, all): (usize, usize),
        work: impl Fn(&T) -> Result<R, JudgeError> + Sync + Send,
    ) -> Result<Vec<R>, JudgeError> {
        let done = AtomicUsize::new(before);
        let watch = self.plan.watch;
        self.pool.install(|| {
            let results = items.par_iter().map(|item| {
                let result = work(item);
                watch.progress(check, done.fetch_add(1, Ordering::Relaxed) + 1, all);
                result
            });
            results.collect()
        })
    }
}

/// Returns the stored value; computes and stores it at the first call. An error is not stored.
fn get_or_try_init<T>(cell: &OnceCell<T>, make: impl FnOnce() -> Result<T, JudgeError>) -> Result<&T, JudgeError> {
    if let Some(value) = cell.get() {
        return Ok(value);
    }
    let value = make()?;
    Ok(cell.get_or_init(|| value))
}

#[cfg(test)]
mod tests {
    use super::super::test_support::test_package;
    use super::*;

    #[test]
    fn after_too_much_trouble_no_more_is_asked() {
        let fixture = test_package(&[]);
        let items: Vec<usize> = (0..3 * BATCH_SIZE + 5).collect();
        let tried = |failures: usize| {
            let is_failure = |item: &usize| *item < failures;
            fixture.with_bench(|bench| bench.each_until(Check::Inputs, &items, is_failure, |item| Ok(*item)).unwrap())
        };
        assert_eq!(tried(MOST_FAILURES - 1), items);
        assert_eq!(tried(MOST_FAILURES), items[..BATCH_SIZE]);
        assert_eq!(tried(items.len()), items[..BATCH_SIZE]);
    }
}
