//! Reports violations of the package format: those that the loader found, and those that the loader does not look for.

use std::fs;
use std::path::{Path, PathBuf};

use super::bench::Bench;
use super::finding::{Finding, Outcome, below, counted};
use super::text_files;
use referee_event::Gravity;
use referee_package::{Package, Severity, links};
use referee_text::printable::printable;

/// The names that a package's folder may contain, according to any version of the format (see its section "Overview")
/// or to the conventions of some judge.
const KNOWN: [&str; 24] = [
    "problem.yaml",
    "problem_statement",
    "statement",
    "solution",
    "attachments",
    "data",
    "generators",
    "include",
    "input_validators",
    "input_format_validators",
    "output_validators",
    "output_validator",
    "static_validator",
    "answer_validators",
    "graders",
    "input_visualizer",
    "output_visualizer",
    "visualizers",
    "submissions",
    "domjudge-problem.ini",
    "problem.pdf",
    "problem.html",
    "problem.txt",
    "submissions.json",
];

/// The names of the folders in `submissions`. The names of the folders in `data` are in [`PARTS`]. See the sections
/// "Default directories" and "Test data" of format 2025-09.
const CLASSES: [&str; 8] = [
    "accepted",
    "rejected",
    "wrong_answer",
    "time_limit_exceeded",
    "run_time_error",
    "brute_force",
    "partially_accepted",
    "mixed",
];
const PARTS: [&str; 8] =
    ["sample", "secret", "invalid_input", "invalid_output", "valid_output", "invalid_answer", "invalid_inputs", "fuzz"];

/// A name counts as a misspelling if at most this many edits turn it into a known name.
const MOST_EDITS: usize = 2;

pub(super) fn check(bench: &Bench<'_>) -> Outcome {
    let package = bench.package;
    let mut findings: Vec<_> = package.remarks.iter().map(|remark| from_loading(package, remark)).collect();
    for (folder, known) in [("", KNOWN.as_slice()), ("submissions", &CLASSES), ("data", &PARTS)] {
        if let Ok(real) = links::resolve(&package.root, &package.root.join(folder)) {
            // The loader has reported a misspelt folder of submissions if no rule states their verdicts.
            let unknown = unknown_names(&real, folder, known).into_iter();
            let new: Vec<_> = unknown.filter(|one| findings.iter().all(|other| other.place != one.place)).collect();
            findings.extend(new);
        }
    }
    if !has_sample(package) {
        findings.push(
            Finding::warning("there is no sample")
                .at("data/sample")
                .hint("add a small test case to data/sample, for contestants to read"),
        );
    }
    let (files, texts) = text_files::check(package);
    findings.extend(texts);
    Outcome { about: counted(files, "file"), findings, skipped: None }
}

/// Returns whether the package has a sample test case or a sample interaction.
fn has_sample(package: &Package) -> bool {
    let entries = fs::read_dir(package.root.join("data/sample")).into_iter().flatten().filter_map(Result::ok);
    let mut names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    package.cases.iter().any(|case| case.name.starts_with("sample/"))
        || names.any(|name| name.ends_with(".interaction"))
}

/// Converts a finding of the loader. The path in that finding begins with the package's folder as the user named it.
fn from_loading(package: &Package, remark: &referee_package::Finding) -> Finding {
    let gravity = if remark.severity == Severity::Warning { Gravity::Warning } else { Gravity::Error };
    let mut place = inside(package, &remark.path);
    if let Some((line, column)) = remark.place {
        place = format!("{place}:{line}:{column}");
    }
    Finding::new(gravity, remark.message.clone()).at(place)
}

/// Returns the part of a path that is inside the package. The path may begin with the package's folder, its archive, or
/// some other name that the user gave.
fn inside(package: &Package, path: &Path) -> String {
    let parts: Vec<_> = path.components().collect();
    let suffix = |from: usize| parts[from..].iter().collect::<PathBuf>();
    let is_there = |from: &usize| package.root.join(suffix(*from)).exists();
    // The finding may be about a missing file. In that case, at least the folder that should contain it exists.
    let could_be = |from: &usize| package.root.join(suffix(*from)).parent().is_some_and(Path::exists);
    let start = (1..parts.len()).find(is_there).or_else(|| (1..parts.len()).find(could_be));
    match start {
        Some(start) => below(package, &suffix(start)),
        None => below(package, path),
    }
}

/// Reports names that are not in `known`. A name that resembles a known one is probably a misspelling of it; other
/// names are reported only in the package's own folder.
fn unknown_names(folder: &Path, name: &str, known: &[&str]) -> Vec<Finding> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let names = entries.map(|entry| printable(entry.file_name().as_encoded_bytes()));
    let mut names: Vec<_> = names.filter(|name| !name.starts_with('.')).take(1000).collect();
    names.sort();
    let unknown = names.into_iter().filter(|name| !known.contains(&name.as_str()));
    let finding = |found: String| {
        let place = if name.is_empty() { found.clone() } else { format!("{name}/{found}") };
        let lower = found.to_lowercase();
        let meant = known.iter().find(|known| edit_distance(&lower, known) <= MOST_EDITS);
        match meant {
            // This message does not say "is not used": the judge judges submissions in any folder of `submissions`.
            Some(meant) if name == "submissions" => Some(
                Finding::warning(format!("is not a submission folder of the package format; did you mean {meant}?"))
                    .at(place),
            ),
            Some(meant) => Some(
                Finding::warning(format!("is not part of the package format and is not used; did you mean {meant}?"))
                    .at(place),
            ),
            None if name.is_empty() => {
                Some(Finding::note("is not part of the package format and is not used").at(place))
            }
            // Folders in `submissions` may have any name. The loader has already reported unexpected files.
            None => None,
        }
    };
    unknown.filter_map(finding).collect()
}

/// Returns the edit distance between two words: the smallest number of insertions, deletions and replacements that turn
/// one into the other. If their lengths differ by more than [`MOST_EDITS`], returns `MOST_EDITS + 1`.
fn edit_distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<_>, Vec<_>) = (one.chars().collect(), other.chars().collect());
    if one.len().abs_diff(other.len()) > MOST_EDITS {
        return MOST_EDITS + 1;
    }
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], index + 1);
        for (column, wanted) in other.iter().enumerate() {
            let changed = diagonal + usize::from(letter != wanted);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::super::test_support::test_package;
    use super::*;

    #[test]
    fn places_are_told_from_the_packages_folder_however_that_was_named() {
        let fixture = test_package(&[]);
        let inside = |path: &str| inside(&fixture.package, Path::new(path));
        assert_eq!(inside("../odd/data/secret/1.in"), "data/secret/1.in");
        assert_eq!(inside("/elsewhere/odd.zip/statement"), "statement");
        // This file does not exist, but its folder does.
        assert_eq!(inside("../odd/data/secret/9.in"), "data/secret/9.in");
        assert_eq!(inside("odd/output_validator"), "output_validator");
    }

    #[test]
    fn an_interaction_is_a_sample_to_people() {
        let mut fixture = test_package(&[("data/sample/2.interaction", "<1\n>2\n")]);
        assert!(has_sample(&fixture.package));
        std::sync::Arc::make_mut(&mut fixture.package.cases).retain(|case| case.name.starts_with("secret/"));
        assert!(has_sample(&fixture.package));
        fs::remove_file(fixture.package.root.join("data/sample/2.interaction")).unwrap();
        assert!(!has_sample(&fixture.package));
    }

    #[test]
    fn words_that_are_nearly_the_same_are_few_edits_apart() {
        assert_eq!(edit_distance("submission", "submissions"), 1);
        assert_eq!(edit_distance("secert", "secret"), 2);
        assert_eq!(edit_distance("secret", "secret"), 0);
        assert!(edit_distance("sample", "secret") > 2 && edit_distance("data", "generators") > 2);
    }
}
