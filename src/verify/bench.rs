//! What several checks share: validators that are built once, and the results of the submissions.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::finding::{Finding, counted};
use super::matrix::{self, Matrix};
use super::{Check, Plan};
use crate::event::ToolFound;
use crate::judge::{self, InputExaminer, JudgeError, Measured, OutputExaminer, Settings};
use crate::package::Package;
use crate::toolchain;

/// A validator that does not come to an end takes all of its time for each item. After so many the rest would tell
/// nothing new, and take hours.
const MOST_TROUBLES: usize = 5;

/// So many items are asked about before it is looked whether that is enough.
const AT_A_TIME: usize = 10;

/// What is told of the items that were not asked about.
pub(super) fn not_asked(all: usize, asked: usize, what: &str) -> Option<Finding> {
    (asked < all).then(|| {
        let message = format!("{} not tried, because of what came of the others", counted(all - asked, what));
        Finding::warning(message).hint("mend the validator first, and verify again")
    })
}

/// A package and what is needed to look at it.
pub(super) struct Bench<'a> {
    pub(super) package: &'a Package,
    pub(super) plan: &'a Plan<'a>,
    pool: ThreadPool,
    inputs: OnceCell<InputExaminer<'a>>,
    outputs: OnceCell<OutputExaminer<'a>>,
    /// A failure is kept, too: finding out took time.
    limit: OnceCell<Result<Limit, String>>,
    matrix: OnceCell<Matrix>,
    found: Cell<Option<Duration>>,
    told: RefCell<BTreeSet<String>>,
}

/// The time limit that submissions are judged by.
#[derive(Clone, Debug)]
pub(super) struct Limit {
    pub(super) time: Duration,
    /// What it was made of, where nobody stated it.
    pub(super) measured: Option<Measured>,
}

impl<'a> Bench<'a> {
    pub(super) fn new(package: &'a Package, plan: &'a Plan<'a>) -> Result<Self, JudgeError> {
        let pool = ThreadPoolBuilder::new()
            .num_threads(plan.settings.jobs)
            .build()
            .map_err(|error| JudgeError::System { doing: "starting threads", source: std::io::Error::other(error) })?;
        Ok(Bench {
            package,
            plan,
            pool,
            inputs: OnceCell::new(),
            outputs: OnceCell::new(),
            limit: OnceCell::new(),
            matrix: OnceCell::new(),
            found: Cell::new(None),
            told: RefCell::new(BTreeSet::new()),
        })
    }

    /// Why submissions are not judged, if they are not.
    pub(super) fn not_judged(&self) -> Option<String> {
        judge::refuse_what_cannot_be_judged(self.package).err().map(|error| error.to_string())
    }

    /// Why no output can be judged alone, if so.
    pub(super) fn no_plain_outputs(&self) -> Option<String> {
        let kind = self.package.kind;
        let word = match (kind.interactive, kind.multi_pass, kind.submit_answer) {
            (true, ..) => "interactive",
            (_, true, _) => "multi-pass",
            (_, _, true) => "submit-answer",
            _ => return None,
        };
        Some(format!("the problem is {word}: an output means nothing by itself"))
    }

    /// Whether the default output validator serves.
    pub(super) fn is_default_validator(&self) -> bool {
        self.package.output_validators.is_empty()
    }

    pub(super) fn inputs(&self) -> Result<&InputExaminer<'a>, JudgeError> {
        filled(&self.inputs, || InputExaminer::new(self.package, &self.plan.settings))
    }

    pub(super) fn outputs(&self) -> Result<&OutputExaminer<'a>, JudgeError> {
        filled(&self.outputs, || OutputExaminer::new(self.package, &self.plan.settings))
    }

    /// The time limit; where nobody states one, submissions are run to find it.
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
        let measured = judge::measure_time_limit(self.package, &self.plan.settings, &mut |_| {
            done += 1;
            self.plan.watch.at(Check::TimeLimits, done, 0);
        })?;
        Ok(Limit { time: measured.limit, measured: Some(measured) })
    }

    /// Whether this was not told before. It counts as told from now on.
    pub(super) fn tell_once(&self, reason: &str) -> bool {
        self.told.borrow_mut().insert(reason.to_owned())
    }

    /// What every submission got on every case.
    pub(super) fn matrix(&self) -> Result<&Matrix, JudgeError> {
        filled(&self.matrix, || {
            let settings = self.settings()?;
            matrix::run(self, &judge::Submission::of_jury(self.package), &settings, Check::Submissions)
        })
    }

    /// How many submissions were judged and skipped, and in how many runs.
    pub(super) fn judged(&self) -> (usize, usize, usize) {
        let Some(matrix) = self.matrix.get() else { return (0, 0, 0) };
        let skipped = matrix.rows.iter().filter(|row| row.skipped.is_some()).count();
        (matrix.rows.len() - skipped, skipped, matrix.runs)
    }

    /// The compilers and interpreters of the submissions that were judged.
    pub(super) fn tools(&self) -> Vec<ToolFound> {
        let rows = self.matrix.get().map(|matrix| matrix.rows.as_slice()).unwrap_or_default();
        toolchain::each_once(rows.iter().flat_map(|row| &row.tools))
    }

    /// How submissions are judged.
    pub(super) fn settings(&self) -> Result<Settings, JudgeError> {
        Ok(Settings { time: self.limit()?.time, all_cases: true, feedback: None, ..self.plan.settings.clone() })
    }

    /// The time limit that satisfies every bound was found.
    pub(super) fn find_limit(&self, limit: Duration) {
        self.found.set(Some(limit));
    }

    pub(super) fn found_limit(&self) -> Option<Duration> {
        self.found.get()
    }

    /// Does something that spreads itself over the cores, over as many as are to be used.
    pub(super) fn on_all_cores<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.install(work)
    }

    /// Asks `ask` of all items on all cores, and returns the answers in their order.
    pub(super) fn each<T: Sync, R: Send>(
        &self,
        check: Check,
        items: &[T],
        ask: impl Fn(&T) -> Result<R, JudgeError> + Sync + Send,
    ) -> Result<Vec<R>, JudgeError> {
        self.some(check, items, (0, items.len()), ask)
    }

    /// The same, up to where `is_trouble` of too many answers: then the others are not asked about. Where that is does
    /// not depend on how many are asked at a time.
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

    /// Asks of some items, which come after others of all there are.
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

/// The value, made if it is not there yet. A failure is not kept.
fn filled<T>(cell: &OnceCell<T>, make: impl FnOnce() -> Result<T, JudgeError>) -> Result<&T, JudgeError> {
    if let Some(value) = cell.get() {
        return Ok(value);
    }
    let value = make()?;
    Ok(cell.get_or_init(|| value))
}

#[cfg(test)]
mod tests {
    use super::super::given::given;
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
