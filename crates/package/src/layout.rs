//! Checks rules of the format that judging does not need, and finds likely mistakes in the package's folders.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

use rustix::fs::FileType;

use super::findings::Findings;
use super::links::{Boundary, MOST_DEPTH, Refused};
use super::natural_language::{self, is_language};
use super::problem::Problem;
use super::programs::entries;
use super::version::{Version, is_legal};
use referee_files::{folder, stop};

/// The largest number of files and folders allowed in a package. Hidden ones do not count.
const MOST_FILES: usize = 2_000_000;

pub(super) fn check(boundary: &Boundary, problem: &Problem, links: &[Refused], findings: &mut Findings) {
    let root = boundary.package();
    check_own_name(root, findings);
    names_of_other_versions(root, problem, findings);
    statements(boundary, problem, findings);
    attachments(boundary, problem, findings);
    check_names(root, problem.version, findings);
    for refused in links {
        let path = refused.path_in(root);
        if !findings.has_error_at(&path) {
            findings.breach(&path, refused.reason());
        }
    }
}

/// Whether the package is loaded with its test cases. If not, links in `data/` are not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cases {
    Read,
    Skipped,
}

/// Finds the bad links of the package: those whose target is missing or outside the boundary. Ignores links in `data/`
/// if the test cases are skipped. If judging needs one of the bad links, reports every needed bad link as an error and
/// returns `None`, so that nothing else is read. Otherwise, returns the bad links, which are never followed.
pub(super) fn links(boundary: &Boundary, cases: Cases, findings: &mut Findings) -> Option<Vec<Refused>> {
    let root = boundary.package();
    let data = root.join("data");
    let strict = Boundary::of_package(root);
    let searched = (cases == Cases::Read).then_some(data.as_path());
    let of_data = searched.map(|data| strict.refused_below(data)).unwrap_or_default();
    let settings = SETTINGS.iter().filter_map(|name| strict.resolve(&root.join(name)).err());
    let of_all = boundary.refused_below_except(root, searched).into_iter().filter(|refused| {
        let path = refused.path_in(root);
        refused.concerns_the_whole_package() && of_data.is_empty()
            || !path.starts_with(&data) && !SETTINGS.iter().any(|name| path == root.join(name))
    });
    let (needed, others): (Vec<_>, Vec<_>) = of_all.partition(|refused| {
        let path = refused.path_in(root);
        let has_programs = refused.is_unreadable() && is_for_programs(&path, root);
        refused.concerns_the_whole_package() || has_programs || is_needed(&path, root)
    });
    // If `submissions` is a link that leads out of the package, two searches find it: the one for submissions.yaml and
    // the one for all links. One of the two results is removed.
    let mut needed: Vec<_> = settings.chain(needed).collect();
    needed.sort_by_key(|refused| refused.path_in(root));
    needed.dedup_by_key(|refused| refused.path_in(root));
    let errors: Vec<_> = of_data.into_iter().chain(needed).collect();
    for refused in &errors {
        findings.error(&refused.path_in(root), refused.reason());
    }
    errors.is_empty().then_some(others)
}

/// Files that state limits and expected verdicts. If such a file is a link, it must not lead out of the package, not
/// even into the folder that the user gave with `--root`.
const SETTINGS: [&str; 3] = [".timelimit", "domjudge-problem.ini", "submissions/submissions.yaml"];

/// Returns whether verdicts or expected verdicts depend on the link `path`. Links in `data/` are checked separately,
/// and links in programs are checked when the programs are built.
fn is_needed(path: &Path, root: &Path) -> bool {
    let below = path.strip_prefix(root).unwrap_or(path);
    let parts: Vec<_> = below.iter().filter_map(|part| part.to_str()).collect();
    matches!(parts.as_slice(), ["submissions"] | ["include", ..] | ["submissions", _])
}

/// Folders whose programs or files decide verdicts.
const FOR_PROGRAMS: [&str; 9] = [
    "submissions",
    "include",
    "input_validators",
    "input_format_validators",
    "answer_validators",
    "output_validator",
    "output_validators",
    "static_validator",
    "graders",
];

/// Returns whether `path` is a folder of programs or in one. If it cannot be read, programs would be missing in silence.
fn is_for_programs(path: &Path, root: &Path) -> bool {
    let below = path.strip_prefix(root).unwrap_or(path);
    below.iter().next().and_then(|top| top.to_str()).is_some_and(|top| FOR_PROGRAMS.contains(&top))
}

/// Warns unless the folder's name matches `[a-z0-9]+`.
fn check_own_name(root: &Path, findings: &mut Findings) {
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    if name.is_empty() || !name.bytes().all(fits) {
        findings.warning(
            root,
            "other judges allow only lower case letters and digits in the folder's name; rename the folder",
        );
    }
}

/// Reports a statement folder that has the name of another format version, because its statements would not be found.
fn names_of_other_versions(root: &Path, problem: &Problem, findings: &mut Findings) {
    let own = problem.version.statement_folder();
    for other in ["problem_statement", "statement"].into_iter().filter(|name| *name != own) {
        if root.join(other).is_dir() {
            let message = format!("is not used in the format {}; rename it to {own}/", problem.version.name());
            findings.breach(&root.join(other), message);
        }
    }
}

/// Checks that there is a statement. In the dated versions, also checks that the problem has a name in exactly the
/// languages of its statements.
fn statements(boundary: &Boundary, problem: &Problem, findings: &mut Findings) {
    let root = boundary.package();
    let folder = root.join(problem.version.statement_folder());
    let files = entries(boundary, &folder);
    let languages: BTreeSet<_> = files.iter().filter_map(|path| statement_language(path, problem)).collect();
    let wrong: Vec<_> = files.iter().filter_map(|path| Some((path, wrong_language(path)?))).collect();
    for (path, code) in &wrong {
        let message = format!("{code:?} is not a language code; rename the file: {}", natural_language::CODE);
        findings.breach(path, message);
    }
    if languages.is_empty() && !wrong.is_empty() {
        return;
    }
    if languages.is_empty() {
        let endings = if problem.version.is_legacy() { ".tex or .pdf" } else { ".tex, .md or .pdf" };
        findings
            .breach(&folder, format!("contains no statement; add a file problem.LANGUAGE with the ending {endings}"));
        return;
    }
    if problem.version.is_legacy() || problem.names.is_wrong {
        return;
    }
    let named: BTreeSet<_> = match &problem.names.plain {
        Some(_) => BTreeSet::from(["en".to_owned()]),
        None => problem.names.by_language.keys().cloned().collect(),
    };
    let path = root.join("problem.yaml");
    for language in languages.difference(&named) {
        let message = format!(
            "'name' has no entry for the language {language}, but there is a statement in this language; add an entry"
        );
        findings.breach_at(&path, problem.names.place, message);
    }
    for language in named.difference(&languages) {
        let message = format!(
            "'name' is given in {language}, but there is no statement/problem.{language}.*; add the statement or \
             remove the name"
        );
        findings.breach_at(&path, problem.names.place, message);
    }
}

fn statement_language(path: &Path, problem: &Problem) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let endings: &[&str] =
        if problem.version.is_legacy() { &[".tex", ".pdf", ".md"] } else { &[".tex", ".md", ".pdf"] };
    let stem = endings.iter().find_map(|ending| name.strip_suffix(ending))?;
    match stem.split_once('.') {
        Some(("problem", language)) if is_language(language) => Some(language.to_owned()),
        // In the legacy formats, a statement without a language code is in English.
        None if stem == "problem" && problem.version.is_legacy() => Some("en".to_owned()),
        _ => None,
    }
}

/// Returns the part of a statement's name that should be a language code but is not: `english` in
/// `problem.english.tex`. `None` if the file is not a statement, or if it has a language code.
fn wrong_language(path: &Path) -> Option<&str> {
    let (stem, ending) = path.file_name()?.to_str()?.rsplit_once('.')?;
    let code = stem.strip_prefix("problem.").filter(|_| ["tex", "md", "pdf"].contains(&ending))?;
    (!is_language(code)).then_some(code)
}

/// In format 2025-09, warns about each folder in `attachments/` other than `templates`.
fn attachments(boundary: &Boundary, problem: &Problem, findings: &mut Findings) {
    let folder = boundary.package().join("attachments");
    let folders = entries(boundary, &folder).into_iter().filter(|path| path.is_dir());
    for path in folders.filter(|path| !path.ends_with("templates")) {
        if problem.version == Version::V2025_09 {
            findings.warning(
                &path,
                "is a folder; only attachments/templates/LANGUAGE may be a folder, other attachments must be files",
            );
        }
    }
}

/// Reports every file and folder whose name the format does not allow, except hidden ones. Also reports a package with
/// too many files and folders.
pub(super) fn check_names(root: &Path, version: Version, findings: &mut Findings) {
    let mut folders = vec![(root.to_path_buf(), 0)];
    let mut number = 0;
    while let Some((folder, depth)) = folders.pop() {
        // A folder that cannot be read is reported by `links`.
        let _ = folder::for_each(&folder, |name, kind| {
            if name.as_encoded_bytes().starts_with(b".") || number > MOST_FILES {
                return;
            }
            number += 1;
            if number > MOST_FILES {
                let message = format!(
                    "has more than {MOST_FILES} files and folders; remove those that do not belong to the package"
                );
                return findings.error(root, message);
            }
            let is_folder = kind == FileType::Directory;
            check_name(&folder, name, is_folder, root, version, findings);
            if is_folder && depth < MOST_DEPTH {
                folders.push((folder.join(name), depth + 1));
            }
        });
        if number > MOST_FILES || stop::is_wanted() {
            return;
        }
    }
}

fn check_name(folder: &Path, name: &OsStr, is_folder: bool, root: &Path, version: Version, findings: &mut Findings) {
    let shown = name.to_string_lossy();
    if is_legal(&shown) {
        if !fits_strictly(&shown, version, is_folder) {
            let wanted = "names of two characters or more that begin and end with a letter or digit";
            findings.warning(&folder.join(name), format!("the format {} requires {wanted}", version.name()));
        }
        return;
    }
    let path = folder.join(name);
    let rule = "names consist of letters, digits, _, - and . and do not begin with - or .";
    // If a test case were skipped because of its name, wrong programs could pass. So such a name is an error instead of
    // a warning.
    let holds_cases = path.is_dir() || shown.ends_with(".in") || shown.ends_with(".ans");
    if holds_cases && path.starts_with(root.join("data")) {
        findings.error(&path, format!("has a name that no test case may have; rename it: {rule}"));
    } else {
        findings.warning(&path, format!("is ignored because of its name; rename it: {rule}"));
    }
}

/// Returns whether the name obeys the stricter rule of legacy-icpc and the drafts of 2023; true in all other versions.
fn fits_strictly(name: &str, version: Version, is_folder: bool) -> bool {
    if !matches!(version, Version::LegacyIcpc | Version::V2023_07) {
        return true;
    }
    let ends_well = name.ends_with(|last: char| last.is_ascii_alphanumeric()) && !name.starts_with('_');
    ends_well && (is_folder || name.len() >= 2)
}

#[cfg(test)]
mod tests {
    use super::is_language;

    #[test]
    fn languages_are_two_or_three_letters_and_perhaps_a_country() {
        assert!(["en", "fil", "pt-BR"].iter().all(|code| is_language(code)));
        assert!(!["e", "EN", "pt-br", "english", "pt_BR", ""].iter().any(|code| is_language(code)));
    }
}
