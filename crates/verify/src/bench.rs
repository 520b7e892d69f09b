//! The data that several checks share: validators that are built once, and the results of the submissions.

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
use referee_judge::{self as judge, InputExaminer, JudgeError, Measured, OutputExaminer, Session, Settings, toolchain};
use referee_package::Package;

/// The number of failures after which a check stops. A validator that does not terminate uses its full time limit for
/// each item, so running all items would take hours and show nothing new.
const MOST_TROUBLES: usize = 5;

/// The number of items in a batch. Failures are counted after each batch.
const AT_A_TIME: usize = 10;

/// Returns a warning that some items were not tried; `None` if all were tried.
pub(super) fn not_asked(all: usize, asked: usize, what: &str) -> Option<Finding> {
    (asked < all).then(|| {
        let message = format!("{} not tried, because too many of the others failed", counted(all - asked, what));
        Finding::warning(message).hint("fix the validator first, then verify again")
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
    /// The time limit, or the reason why it cannot be determined. The reason is stored, too, because the attempt takes
    /// time.
    limit: OnceCell<Result<Limit, String>>,
    matrix: OnceCell<Matrix>,
    found: Cell<Option<Duration>>,
    told: RefCell<BTreeSet<String>>,
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
            found: Cell::new(None),
            told: RefCell::new(BTreeSet::new()),
        })
    }

    /// Returns why submissions cannot be judged; `None` if they can.
    pub(super) fn not_judged(&self) -> Option<String> {
        judge::refuse_what_cannot_be_judged(self.package).err().map(|error| error.to_string())
    }

    /// Returns why an output cannot be judged without its submission; `None` if it can.
    pub(super) fn no_plain_outputs(&self) -> Option<String> {
        let kind = self.package.kind;
        let word = match (kind.interactive, kind.multi_pass, kind.submit_answer) {
            (true, ..) => "interactive",
            (_, true, _) => "multi-pass",
            (_, _, true) => "submit-answer",
            _ => return None,
        };
        Some(format!("the problem is {word}: an output cannot be judged without its submission"))
    }

    /// Returns whether the package uses the default output validator.
    pub(super) fn is_default_validator(&self) -> bool {
        self.package.output_validators.is_empty()
    }

    pub(super) fn inputs(&self) -> Result<&InputExaminer<'a>, JudgeError> {
        filled(&self.inputs, || self.session.input_examiner())
    }

    pub(super) fn outputs(&self) -> Result<&OutputExaminer<'a>, JudgeError> {
        filled(&self.outputs, || self.session.output_examiner())
    }

    /// Returns the time limit. If it is not stated, measures it by running submissions. Fails if it is neither stated
    /// nor measurable.
    pub(super) fn limit(&self) -> Result<&Limit, JudgeError> {
        let limit = filled(&self.limit, || match self.find_time_limit() {
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
            self.plan.watch.at(Check::TimeLimits, done, 0);
        })?;
        Ok(Limit { time: measured.limit, measured: Some(measured) })
    }

    /// Returns true if this reason has not been reported yet, and marks it as reported.
    pub(super) fn tell_once(&self, reason: &str) -> bool {
        self.told.borrow_mut().insert(reason.to_owned())
    }

    /// Returns the results of every submission on every test case; runs the submissions at the first call.
    pub(super) fn matrix(&self) -> Result<&Matrix, JudgeError> {
        filled(&self.matrix, || {
            let settings = self.settings()?;
            matrix::run(self, &judge::Submission::of_jury(self.package), &settings, Check::Submissions)
        })
    }

    /// Returns the number of submissions judged, of submissions skipped, and of runs.
    pub(super) fn judged(&self) -> (usize, usize, usize) {
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
        Ok(Settings { time_limit, all_cases: true, feedback: None, ..self.plan.settings.clone() })
    }

    /// Stores the time limit that keeps the required margins to all run times.
    pub(super) fn find_limit(&self, limit: Duration) {
        self.found.set(Some(limit));
    }

    pub(super) fn found_limit(&self) -> Option<Duration> {
        self.found.get()
    }

    /// Calls `work` in a pool with the configured number of threads. `work` must split itself into parallel tasks.
    pub(super) fn on_all_cores<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.install(work)
    }

    /// Calls `ask` for all items in parallel, and returns the results in order.
    pub(super) fn each<T: Sync, R: Send>(
        &self,
        check: Check,
        items: &[T],
        ask: impl Fn(&T) -> Result<R, JudgeError> + Sync + Send,
    ) -> Result<Vec<R>, JudgeError> {
        self.some(check, items, (0, items.len()), ask)
    }

    /// Calls `ask` for all items in parallel, but skips the remaining items after too many results for which
    /// `is_trouble` returns true. The number of threads does not change which items are skipped.
    pub(super) fn each_until<T: Sync, R: Send>(
        &self,
        check: Check,
        items: &[T],
        is_trouble: impl Fn(&R) -> bool,
        ask: impl Fn(&T) -> Result<R, JudgeError> + Sync + Send,
    ) -> Result<Vec<R>, JudgeError> {
        let mut answers = Vec::with_capacity(items.len());
        for part in items.chunks(AT_A_TIME) {
            if answers.iter().filter(|answer| is_trouble(answer)).count() >= MOST_TROUBLES {
                break;
            }
            answers.extend(self.some(check, part, (answers.len(), items.len()), &ask)?);
        }
        Ok(answers)
    }

    /// Calls `ask` for a part of the items. `before` is the number of items before this part, and `all` is the total
    /// number; both are for the progress display.
    fn some<T: Sync, R: Send>(
        &self,
        check: Check,
        items: &[T],
        (before, all): (usize, usize),
        ask: impl Fn(&T) -> Result<R, JudgeError> + Sync + Send,
    ) -> Result<Vec<R>, JudgeError> {
        let done = AtomicUsize::new(before);
        let watch = self.plan.watch;
        self.pool.install(|| {
            let answers = items.par_iter().map(|item| {
                let answer = ask(item);
                watch.at(check, done.fetch_add(1, Ordering::Relaxed) + 1, all);
                answer
            });
            answers.collect()
        })
    }
}

/// Returns the stored value; computes it at the first call. An error is not stored.
fn filled<T>(cell: &OnceCell<T>, make: impl FnOnce() -> Result<T, JudgeError>) -> Result<&T, JudgeError> {
    if let Some(value) = cell.get() {
        return Ok(value);
    }
    let value = make()?;
    Ok(cell.get_or_init(|| value))
}

#[cfg(test)]
mod tests {
    use super::super::test_support::given;
    use super::*;

    #[test]
    fn after_too_much_trouble_no_more_is_asked() {
        let given = given(&[]);
        let items: Vec<usize> = (0..3 * AT_A_TIME + 5).collect();
        let asked = |troubles: usize| {
            let is_trouble = |item: &usize| *item < troubles;
            given.ask(|bench| bench.each_until(Check::Inputs, &items, is_trouble, |item| Ok(*item)).unwrap())
        };
        assert_eq!(asked(MOST_TROUBLES - 1), items);
        assert_eq!(asked(MOST_TROUBLES), items[..AT_A_TIME]);
        assert_eq!(asked(items.len()), items[..AT_A_TIME]);
    }
}
