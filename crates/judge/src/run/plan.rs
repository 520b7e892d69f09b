//! Plans on which test cases and static tests each submission is judged, and whether test groups combine the results.

use std::cell::LazyCell;
use std::collections::HashMap;

use crate::run::tally;
use crate::{RunUntil, Settings, Submission};
use referee_compare::Dialect;
use referee_grading::score::Tree;
use referee_package::{Package, StaticTest, TestCase};

/// A test case or static test on which each submission receives a verdict.
#[derive(Clone, Copy)]
pub(crate) enum Work<'a> {
    /// A test case, on which the submission is run, with its index among the test cases of the run.
    Case(usize, &'a TestCase),
    /// A static test, in which the static validator reads the submission's sources.
    Static(&'a StaticTest),
}

impl Work<'_> {
    /// The name of the test case, or of the static test.
    pub(crate) fn name(&self) -> &str {
        match self {
            Work::Case(_, case) => &case.name,
            Work::Static(test) => &test.name,
        }
    }
}

/// All test cases and static tests of a run, in order.
pub(crate) struct RunPlan<'a> {
    pub(crate) works: Vec<Work<'a>>,
    /// Whether these are all test cases and static tests of the package.
    pub(crate) is_complete: bool,
    /// The test groups that combine the results. `None` if the first test case that is not accepted decides, or if only
    /// some of the package's test cases are judged.
    pub(crate) tree: Option<&'a Tree>,
    /// The test cases on which a submission is run.
    run_until: RunUntil,
    /// Whether the first test case that is not accepted decides the verdict.
    pub(crate) first_failure_decides: bool,
}

impl<'a> RunPlan<'a> {
    /// Plans a run on `cases`, which are all or some of the package's test cases. If `cases` are only some of them, the
    /// static tests are left out, because a static test belongs to a complete test group.
    pub(crate) fn new(package: &'a Package, cases: &'a [TestCase], settings: &Settings) -> RunPlan<'a> {
        let all = all(package, cases);
        let is_complete = all.is_some();
        let tree = tree_for(package, settings.dialect).filter(|_| is_complete);
        let first_failure_decides = tree.is_none() && !package.kind.scoring;
        let works =
            all.unwrap_or_else(|| cases.iter().enumerate().map(|(number, case)| Work::Case(number, case)).collect());
        RunPlan { works, is_complete, tree, run_until: settings.run_until, first_failure_decides }
    }
}

impl RunPlan<'_> {
    /// Whether the judge stops every submission after its first test case that is not accepted.
    pub(crate) fn stops_at_failure(&self) -> bool {
        self.first_failure_decides && self.run_until == RunUntil::Verdict
    }

    /// Whether the judge leaves out test cases that cannot change the verdict of this submission.
    pub(crate) fn skips_irrelevant(&self, submission: &Submission) -> bool {
        match self.run_until {
            RunUntil::End => false,
            RunUntil::Verdict => true,
            RunUntil::Declaration => tally::declares_outcome_only(submission),
        }
    }

    /// Whether the judge stops submissions once it is certain whether they get their declared verdicts.
    pub(crate) fn stops_at_declaration(&self) -> bool {
        self.run_until == RunUntil::Declaration
    }

    /// Returns the names of all test cases and static tests.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.works.iter().map(Work::name)
    }

    /// Whether the package's own grader combines the results of some group.
    pub(crate) fn needs_grader(&self) -> bool {
        self.tree.is_some_and(Tree::needs_grader)
    }

    /// Whether the run contains static tests.
    pub(crate) fn has_static(&self) -> bool {
        self.works.iter().any(|work| matches!(work, Work::Static(_)))
    }
}

/// Returns the test groups that combine the results, by the rules of the judge `dialect`. Returns `None` if the first
/// test case that is not accepted decides.
fn tree_for(package: &Package, dialect: Dialect) -> Option<&Tree> {
    match dialect {
        Dialect::Spec | Dialect::Kattis => Some(&package.tree).filter(|tree| !tree.is_plain()),
        Dialect::Domjudge => package.domjudge_tree.as_ref(),
    }
}

/// Returns the test cases and static tests in the order of the tree; `None` if `cases` are not all test cases
/// of the package.
fn all<'a>(package: &'a Package, cases: &'a [TestCase]) -> Option<Vec<Work<'a>>> {
    if cases.len() != package.cases.len() {
        return None;
    }
    let by_name: LazyCell<HashMap<_, _>, _> =
        LazyCell::new(|| cases.iter().enumerate().map(|(number, case)| (&*case.name, number)).collect());
    let tests: HashMap<_, _> = package.static_tests.iter().map(|test| (test.name.as_str(), test)).collect();
    // The tree mostly has the order of the cases, so the next case is found without the names of all others.
    let mut next = 0;
    let work = |(name, is_static): (&str, bool)| {
        if is_static {
            return tests.get(name).copied().map(Work::Static);
        }
        let is_next = cases.get(next).is_some_and(|case| &*case.name == name);
        let number = if is_next { next } else { *by_name.get(name)? };
        next = number + 1;
        Some(Work::Case(number, &cases[number]))
    };
    package.tree.cases().into_iter().map(work).collect()
}
