//! Imports solutions. Polygon's tags become folders that the format defines, or rules of `submissions.yaml`.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;

use super::problem::{Problem, Solution};
use super::{UnusedFiles, xml};
use crate::quoted::quoted;
use crate::{ExchangeError, Files, Notes};
use referee_package::is_legal_name;

/// Polygon's tags. Each has a folder of the package format (see the section "Default directories" of format 2025-09),
/// and a rule for `submissions.yaml` if the folder alone does not express the tag. The format counts exceeded memory as
/// a run-time error.
const TAGS: [(&str, &str, Option<&str>); 11] = [
    ("main", "accepted", None),
    ("accepted", "accepted", None),
    ("wrong-answer", "wrong_answer", None),
    ("presentation-error", "wrong_answer", None),
    ("time-limit-exceeded", "time_limit_exceeded", None),
    ("time-limit-exceeded-or-accepted", "mixed", Some("permitted: [AC, TLE]")),
    ("memory-limit-exceeded", "run_time_error", None),
    (
        "time-limit-exceeded-or-memory-limit-exceeded",
        "mixed",
        Some("permitted: [AC, TLE, RTE]\n  required: [TLE, RTE]"),
    ),
    ("rejected", "rejected", None),
    ("failed", "rejected", None),
    ("runtime-error", "run_time_error", None),
];

/// Writes the solutions and their rules, and returns how many submissions it wrote. Fails if a solution's file is
/// missing.
pub(super) fn write(
    root: &Path,
    problem: &Problem<'_>,
    files: &mut Files,
    unused_files: &mut UnusedFiles,
    notes: &mut Notes,
) -> Result<usize, ExchangeError> {
    let mut rules = String::new();
    let mut names: HashSet<String> = HashSet::new();
    for solution in &problem.solutions {
        let Some((_, class, rule)) = TAGS.iter().find(|(tag, ..)| *tag == solution.tag) else {
            notes.lose(format!(
                "the solution {}: the package format has no equivalent of the tag {:?}",
                solution.source.path, solution.tag
            ));
            continue;
        };
        let Some(found) = unused_files.take(root, solution.source.path) else {
            let message = format!("{:?} {}", solution.source.path, xml::why_unusable(root, solution.source.path));
            return Err(solution.source.element.wrong(message));
        };
        unused_files.take(root, &format!("{}.desc", solution.source.path));
        let name = name(solution, class, &mut names);
        files.copy(format!("submissions/{class}/{name}"), &found);
        if let Some(rule) = rule {
            let _ = writeln!(rules, "{}:\n  {rule}", quoted(&format!("{class}/{name}")));
        }
        if solution.tag == "main" {
            let _ = writeln!(rules, "{}:\n  model_solution: true", quoted(&format!("{class}/{name}")));
        }
        if solution.source.element.down("extra-tags").is_some_and(|extra| extra.children().next().is_some()) {
            notes.lose(format!("the tags of {} for single test sets or groups", solution.source.path));
        }
    }
    if !rules.is_empty() {
        files.text("submissions/submissions.yaml", rules);
    }
    Ok(names.len())
}

/// Returns the new path of the solution below the folder `class`. Two submissions of a folder may not have names that
/// differ only in their extensions.
fn name(solution: &Solution<'_>, class: &str, names: &mut HashSet<String>) -> String {
    let name = solution.source.path.rsplit('/').next().unwrap_or_default();
    let (stem, ending) = name.rsplit_once('.').filter(|(_, ending)| is_legal_name(ending)).unwrap_or((name, "txt"));
    // In the format, `.py` means Python 3, so Python 2 gets another extension.
    let ending = if ending == "py" && solution.source.kind.starts_with("python.2") { "py2" } else { ending };
    let plain = format!("{stem}.{ending}");
    let fits = is_legal_name(&plain);
    let mut key = format!("{class}/{}", if fits { stem } else { "solution" });
    let mut plain = if fits { plain } else { format!("solution.{ending}") };
    // Some languages require a certain file name, so a file is never renamed to avoid a conflict. A file whose name is
    // already used goes into a new folder.
    for number in 1.. {
        if !names.contains(&key) {
            break;
        }
        let (stem, file) = (if fits { stem } else { "solution" }, plain.rsplit('/').next().unwrap_or_default());
        let folder = if number == 1 { format!("{stem}-{ending}") } else { format!("{stem}-{ending}-{number}") };
        (key, plain) = (format!("{class}/{folder}"), format!("{folder}/{file}"));
    }
    names.insert(key);
    plain
}
