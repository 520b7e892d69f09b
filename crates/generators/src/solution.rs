//! Which program gives the answers.

use std::path::PathBuf;

use super::rules::{Case, Solution};
use referee_package::{JurySubmission, Package};

/// Cases that test validators have no answer of a solution, right or wrong.
const WITHOUT: [&str; 5] = ["invalid_output", "invalid_answer", "invalid_input", "valid_output", "testing_tool_test"];

/// Whether answers are what a solution prints. Interactive and multi-pass problems have none.
pub(super) fn is_printed(package: &Package) -> bool {
    !(package.kind.interactive || package.kind.multi_pass)
}

/// Whether a case is one that a solution answers.
pub(super) fn is_asked(case: &Case) -> bool {
    !WITHOUT.contains(&case.part())
}

/// The program, below the package's folder.
pub(super) fn path(solution: &Solution, package: &Package) -> Option<PathBuf> {
    match solution {
        Solution::None => None,
        Solution::Program(path) => Some(package.root.join(path)),
        Solution::Any => any(package).map(|submission| submission.path.clone()),
    }
}

/// Where no solution is named, the first of those in submissions/accepted. BAPCtools takes any of them.
pub(super) fn any(package: &Package) -> Option<&JurySubmission> {
    package.submissions.iter().find(|submission| submission.name.starts_with("accepted/"))
}
