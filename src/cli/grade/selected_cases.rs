//! Finds the test cases that `--cases` selects.

use std::borrow::Cow;

use crate::cli::Failure;
use referee_package::glob::Glob;
use referee_package::{Package, TestCase};
use referee_report::counted;

/// Returns the test cases whose names match one of the `patterns`. Without patterns, returns all test cases and does not
/// copy them, because there may be many. Fails if there is no test case to return.
pub(super) fn selected_cases<'a>(patterns: &[String], package: &'a Package) -> Result<Cow<'a, [TestCase]>, Failure> {
    if patterns.is_empty() && !package.cases.is_empty() {
        return Ok(Cow::Borrowed(&package.cases));
    }
    let globs: Result<Vec<_>, _> = patterns.iter().map(|pattern| Glob::new(pattern)).collect();
    let globs = globs.map_err(Failure::unusable)?;
    let is_selected = |case: &&TestCase| globs.iter().any(|glob| glob.matches(&case.name));
    let cases: Vec<_> = package.cases.iter().filter(is_selected).cloned().collect();
    if cases.is_empty() {
        return Err(Failure::unusable(format!("no test case matches --cases {}", patterns.join(" ")))
            .with_hint(hint(patterns, package)));
    }
    Ok(Cow::Owned(cases))
}

/// Names some of the package's test cases.
fn hint(patterns: &[String], package: &Package) -> String {
    let some = package.cases.iter().take(3).map(|case| &*case.name).collect::<Vec<_>>().join(", ");
    let more = if package.cases.len() > 3 { ", ..." } else { "" };
    let has_others = patterns.iter().any(|pattern| pattern.contains(['[', '?']));
    let special = if has_others { "only `*` and `{a,b}` are special in patterns; " } else { "" };
    format!("{special}the package has {}: {some}{more}", counted(package.cases.len(), "case"))
}
