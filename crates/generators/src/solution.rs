//! Chooses the program that makes the answers.

use std::path::PathBuf;

use super::rules::{Case, Solution};
use referee_package::{JurySubmission, Package};

/// Folders of `data/` whose test cases test validators or the testing tool. No solution makes their answers.
const WITHOUT: [&str; 5] = ["invalid_output", "invalid_answer", "invalid_input", "valid_output", "testing_tool_test"];

/// Returns whether a solution can print the answers. In interactive and multi-pass problems, none can.
pub(super) fn can_print_answers(package: &Package) -> bool {
    !(package.kind.interactive || package.kind.multi_pass)
}

/// Returns whether this case needs an answer that a solution makes.
pub(super) fn is_needed(case: &Case) -> bool {
    !WITHOUT.contains(&case.part())
}

/// Returns the absolute path of the program; `None` if no program makes answers.
pub(super) fn path(solution: &Solution, package: &Package) -> Option<PathBuf> {
    match solution {
        Solution::None => None,
        Solution::Program(path) => Some(package.root.join(path)),
        Solution::Any => any(package).map(|submission| submission.path.clone()),
    }
}

/// Returns the first submission in `submissions/accepted/`; `None` if there is none. BAPCtools chooses an arbitrary
/// submission in that folder.
pub(super) fn any(package: &Package) -> Option<&JurySubmission> {
    package.submissions.iter().find(|submission| submission.name.starts_with("accepted/"))
}
