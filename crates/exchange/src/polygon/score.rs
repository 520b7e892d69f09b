//! Converts Polygon's points to groups. In Polygon, both tests and groups of tests have points. In the package format,
//! only groups have points. A group divides its points equally among its tests, or gives all or nothing (see the
//! section "Test Data Groups" of format 2025-09).

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use super::problem::{Test, Testset};
use crate::quoted::list;
use crate::{ExchangeError, Notes, counted_with_examples};

/// The folder of each test of a test set, and the settings of these folders.
pub(super) struct GroupPlan {
    pub(super) scoring: bool,
    /// The folder below `data/` for each test, in order; `None` for a test that is only a sample.
    pub(super) folders: Vec<Option<String>>,
    /// The keys of `test_group.yaml`, by folder below `data/`.
    pub(super) groups: Vec<(String, String)>,
}

/// A group with its tests, by index.
struct PointGroup {
    name: String,
    tests: Vec<usize>,
    points: Points,
    dependencies: Vec<String>,
}

enum Points {
    /// All tests must be passed to get these points.
    AllOrNothing(f64),
    /// Each test has an equal share of these points.
    EqualShares(f64),
    /// Each test has its own points.
    PerTest(Vec<f64>),
}

/// The maximum number of groups. The import compares each group with all others, so its time grows with the square of
/// the number of groups.
const MOST_GROUPS: usize = 1000;

/// The largest number of dependencies allowed between groups.
const MOST_DEPENDENCIES: usize = 10_000;

/// The largest total number of entries allowed in the `require_pass` lists of all groups.
const MOST_REQUIRED: usize = 100_000;

/// Plans the folders of a test set. Fails if there are too many groups or dependencies, or if dependencies form a cycle
/// or name a missing group.
pub(super) fn plan(testset: &Testset<'_>, notes: &mut Notes) -> Result<GroupPlan, ExchangeError> {
    let given = testset.tests.iter().filter_map(|test| test.points);
    let total: f64 = given.chain(testset.groups.iter().filter_map(|group| group.points)).sum();
    if total <= 0.0 {
        if !testset.groups.is_empty() {
            notes.lose(format!(
                "the groups of the test set {:?}: the problem has no points, and the package format has no groups \
                 without points",
                testset.name
            ));
        }
        let folder = |test: &Test<'_>| (!test.sample).then(|| "secret".to_owned());
        return Ok(GroupPlan {
            scoring: false,
            folders: testset.tests.iter().map(folder).collect(),
            groups: Vec::new(),
        });
    }
    let names: BTreeSet<_> = testset.tests.iter().map(|test| test.group).collect();
    if names.len() > MOST_GROUPS {
        let message =
            format!("the test set {:?} has {} groups, allowed: at most {MOST_GROUPS}", testset.name, names.len());
        return Err(testset.element.wrong(message));
    }
    let dependencies: usize = testset.groups.iter().map(|group| group.dependencies.len()).sum();
    if dependencies > MOST_DEPENDENCIES {
        let message = format!(
            "the groups of this test set have {dependencies} dependencies, allowed: at most {MOST_DEPENDENCIES}"
        );
        return Err(testset.element.wrong(message));
    }
    let parts = in_order(parts(testset, notes), testset)?;
    write_plan(&parts, testset, notes)
}

/// Returns the declared groups, and then the undeclared groups that tests name, in the order of the tests. The tests
/// without a group form a group of their own.
fn parts(testset: &Testset<'_>, notes: &mut Notes) -> Vec<PointGroup> {
    let mut names: Vec<Option<&str>> = testset.groups.iter().map(|group| Some(group.name)).collect();
    for test in &testset.tests {
        if !names.contains(&test.group) {
            names.push(test.group);
        }
    }
    let mut parts = Vec::new();
    for name in names {
        let declared = testset.groups.iter().find(|group| Some(group.name) == name);
        let of_group = |(index, test): (usize, &Test<'_>)| (test.group == name).then_some(index);
        let tests: Vec<usize> = testset.tests.iter().enumerate().filter_map(of_group).collect();
        if tests.is_empty() {
            notes.lose(format!("the group {:?}, which has no test", name.unwrap_or_default()));
        }
        let points: Vec<f64> = tests.iter().map(|&index| testset.tests[index].points.unwrap_or(0.0)).collect();
        let sum: f64 = points.iter().sum();
        let own = declared.and_then(|group| group.points);
        let points = match declared {
            Some(group) if !group.each_test => Points::AllOrNothing(own.unwrap_or(sum)),
            _ if sum <= 0.0 => Points::EqualShares(own.unwrap_or(0.0)),
            _ if points.iter().all(|&one| (one - points[0]).abs() < 1e-9) => Points::EqualShares(sum),
            _ => Points::PerTest(points),
        };
        let dependencies = declared.map(|group| group.dependencies.iter().map(|&one| one.to_owned()).collect());
        parts.push(PointGroup {
            name: name.unwrap_or("others").to_owned(),
            tests,
            points,
            dependencies: dependencies.unwrap_or_default(),
        });
    }
    parts
}

/// Sorts the groups so that each one requires only groups before it. Fails if groups require each other in a cycle, or
/// require a missing group.
fn in_order(mut parts: Vec<PointGroup>, testset: &Testset<'_>) -> Result<Vec<PointGroup>, ExchangeError> {
    let mut placed: Vec<PointGroup> = Vec::new();
    let mut done: BTreeSet<String> = BTreeSet::new();
    while !parts.is_empty() {
        let ready = parts.iter().position(|part| part.dependencies.iter().all(|name| done.contains(name)));
        let Some(ready) = ready else {
            let names: Vec<_> = parts.iter().map(|part| format!("{:?}", part.name)).collect();
            let message = format!(
                "the groups {} of the test set {:?} depend on each other or on a missing group",
                names.join(", "),
                testset.name
            );
            return Err(testset.element.wrong(message));
        };
        done.insert(parts[ready].name.clone());
        placed.push(parts.remove(ready));
    }
    Ok(placed)
}

fn write_plan(parts: &[PointGroup], testset: &Testset<'_>, notes: &mut Notes) -> Result<GroupPlan, ExchangeError> {
    let required: BTreeSet<&String> = parts.iter().flat_map(|part| &part.dependencies).collect();
    let mut plan = GroupPlan { scoring: true, folders: vec![None; testset.tests.len()], groups: Vec::new() };
    // For each Polygon group, the names of the new package's groups that replace it in `require_pass`.
    let mut required_names: HashMap<&str, Vec<String>> = HashMap::new();
    let (mut total, mut all_required) = (0, 0);
    let mut rounded = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let base = format!("secret/{:02}-{}", index + 1, legal(&part.name));
        let mut seen = BTreeSet::new();
        let names = part.dependencies.iter().flat_map(|name| &required_names[name.as_str()]);
        let requires: Vec<String> = names.filter(|&name| seen.insert(name)).cloned().collect();
        all_required += requires.len();
        if all_required > MOST_REQUIRED {
            let message = format!(
                "the dependencies of the groups need more than the {MOST_REQUIRED} entries allowed in require_pass"
            );
            return Err(testset.element.wrong(message));
        }
        let only_samples = part.tests.iter().all(|&index| testset.tests[index].sample);
        let worth = part.points.total();
        if part.tests.is_empty() || (only_samples && worth <= 0.0) {
            // No group of the new package replaces this Polygon group. If the Polygon group has no tests, the groups
            // that depend on it get its requirements instead. If all its tests are samples, the groups that depend on
            // it require `sample` instead.
            let names = if part.tests.is_empty() { requires } else { vec!["sample".to_owned()] };
            required_names.insert(&part.name, names);
            continue;
        }
        let mut add = |folder: String, points: f64, sum: bool, tests: &[usize]| {
            let points = rounded_points(points, &folder, &mut rounded);
            total += points;
            let aggregation = if sum { "sum" } else { "pass-fail" };
            let mut text = format!("max_score: {points}\nscore_aggregation: {aggregation}\n");
            if !requires.is_empty() {
                let _ = writeln!(text, "require_pass: {}", list(&requires));
            }
            for &test in tests {
                plan.folders[test] = Some(folder.clone());
            }
            plan.groups.push((folder.clone(), text));
            folder
        };
        let names = match &part.points {
            Points::AllOrNothing(points) => vec![add(base, *points, false, &part.tests)],
            Points::EqualShares(points) if !required.contains(&part.name) => {
                vec![add(base, *points, true, &part.tests)]
            }
            // Another group requires this group, but only a group with pass-fail aggregation can be required. So each
            // test becomes a group of its own.
            Points::EqualShares(points) => {
                let share = points / part.tests.len() as f64;
                let one = |&test: &usize| add(single_test_folder(&base, &testset.tests[test]), share, false, &[test]);
                part.tests.iter().map(one).collect()
            }
            Points::PerTest(points) => {
                let one = |(&test, &own)| add(single_test_folder(&base, &testset.tests[test]), own, false, &[test]);
                part.tests.iter().zip(points).map(one).collect()
            }
        };
        required_names.insert(&part.name, names);
    }
    if !rounded.is_empty() {
        let groups = counted_with_examples(&rounded, "group");
        notes.lose(format!("the points of {groups} are rounded, because max_score must be a whole number"));
    }
    plan.groups.push(("secret".to_owned(), format!("max_score: {total}\nscore_aggregation: sum\n")));
    Ok(plan)
}

fn single_test_folder(base: &str, test: &Test<'_>) -> String {
    format!("{base}-{:03}", test.number)
}

impl Points {
    fn total(&self) -> f64 {
        match self {
            Points::AllOrNothing(points) | Points::EqualShares(points) => *points,
            Points::PerTest(points) => points.iter().sum(),
        }
    }
}

/// Rounds points, because the package format allows only whole numbers as the points of a group. If this changes the
/// points, adds the group's folder to the list `changed`.
fn rounded_points(points: f64, folder: &str, changed: &mut Vec<String>) -> u64 {
    let rounded = points.round();
    if (points - rounded).abs() > 1e-6 {
        changed.push(format!("{folder} from {points} to {rounded}"));
    }
    rounded as u64
}

/// Returns the name with `_` for every character other than ASCII letters, digits, `_` and `-`, cut to 60 characters;
/// `unnamed` if the name is empty.
pub(super) fn legal(name: &str) -> String {
    let fits = |byte: char| byte.is_ascii_alphanumeric() || "_-".contains(byte);
    let name: String = name.chars().map(|found| if fits(found) { found } else { '_' }).take(60).collect();
    if name.is_empty() { "unnamed".to_owned() } else { name }
}
