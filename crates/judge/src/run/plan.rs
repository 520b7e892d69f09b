//! What a submission is judged on, and whether its results are added up.

use std::collections::HashMap;

use crate::Settings;
use referee_grading::score::Tree;
use referee_package::{Package, StaticTest, TestCase};

/// Something that a submission gets a verdict on.
#[derive(Clone, Copy)]
pub(crate) enum Work<'a> {
    /// It is run. The number is that among the cases to be run.
    Case(usize, &'a TestCase),
    /// Its sources are looked at.
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

/// Everything that a submission is judged on, in its order.
pub(crate) struct RunPlan<'a> {
    pub(crate) works: Vec<Work<'a>>,
    /// Whether this is all there is in the package.
    pub(crate) whole: bool,
    /// How the results add up; `None` if the first case that is not accepted decides. The tree is unknown where only
    /// some of the cases are judged.
    pub(crate) tree: Option<&'a Tree>,
    /// Whether nothing is wanted after the first case that is not accepted.
    pub(crate) stops: bool,
}

impl<'a> RunPlan<'a> {
    /// For the `cases` of the package, all of them or some. Some of them tell nothing about the static validator's
    /// tests, which are for whole groups.
    pub(crate) fn new(package: &'a Package, cases: &'a [TestCase], settings: &Settings) -> RunPlan<'a> {
        let all = all(package, cases);
        let whole = all.is_some();
        let tree = Some(&package.tree).filter(|tree| whole && !tree.is_plain());
        let stops = !settings.all_cases && tree.is_none() && !package.kind.scoring;
        let works =
            all.unwrap_or_else(|| cases.iter().enumerate().map(|(number, case)| Work::Case(number, case)).collect());
        RunPlan { works, whole, tree, stops }
    }
}

impl RunPlan<'_> {
    /// Whether the static validator looks at submissions.
    pub(crate) fn has_static(&self) -> bool {
        self.works.iter().any(|work| matches!(work, Work::Static(_)))
    }
}

/// The cases in the order of the tree, and the static validator's tests among them; `None` if `cases` are not all there
/// are.
fn all<'a>(package: &'a Package, cases: &'a [TestCase]) -> Option<Vec<Work<'a>>> {
    if cases.len() != package.cases.len() {
        return None;
    }
    let by_name: HashMap<_, _> =
        cases.iter().enumerate().map(|(number, case)| (case.name.as_str(), (number, case))).collect();
    let tests: HashMap<_, _> = package.static_tests.iter().map(|test| (test.name.as_str(), test)).collect();
    let work = |(name, is_static): (&str, bool)| {
        if is_static {
            tests.get(name).copied().map(Work::Static)
        } else {
            by_name.get(name).map(|&(number, case)| Work::Case(number, case))
        }
    };
    package.tree.cases().into_iter().map(work).collect()
}
