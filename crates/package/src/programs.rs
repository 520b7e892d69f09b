//! Finds the package's own programs, such as validators and graders, and the files that are copied into submissions.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::PackageProgram;
use super::findings::Findings;
use super::language_codes;
use super::links::Boundary;
use super::problem::Problem;
use super::version::is_legal;
use referee_files::folder;
use referee_grading::score::Tree;

/// The folder of the output validator in the formats after `legacy`.
pub(super) const NEWER_FOLDER: &str = "output_validator";

/// Returns the programs that judge outputs. Empty if the default output validator is used, or if an error is reported.
pub(super) fn output_validators(
    boundary: &Boundary,
    problem: &Problem,
    findings: &mut Findings,
) -> Vec<PackageProgram> {
    let name = problem.version.output_validator_folder();
    let folder = boundary.package().join(name);
    let mut found =
        if problem.version.is_legacy() { all_programs(boundary, &folder) } else { single_program(boundary, &folder) };
    let newer = boundary.package().join(NEWER_FOLDER);
    if found.is_empty() && problem.version.is_legacy() && problem.validation.custom == Some(true) && newer.is_dir() {
        // DOMjudge reads `output_validators` and `output_validator` in packages of every format version.
        found = single_program(boundary, &newer);
        if !found.is_empty() {
            let version = problem.version.name();
            let others = if problem.kind.needs_output_validator() {
                "problemtools does not"
            } else {
                "problemtools and --as kattis do not"
            };
            let message =
                format!("must be named {name} in the format {version}; referee and DOMjudge run it, but {others}");
            findings.breach(&newer, message);
        }
    } else if problem.version.is_legacy()
        && newer.is_dir()
        && (problem.validation.custom == Some(false) || !found.is_empty())
    {
        let why =
            if found.is_empty() { "problem.yaml says 'validation: default'" } else { "there is output_validators/" };
        findings.warning(&newer, format!("is not used: {why}"));
    }
    if !is_inside(boundary, &folder, findings)
        || !found.iter().all(|program| is_inside(boundary, &program.path, findings))
    {
        return Vec::new();
    }
    let other =
        boundary.package().join(if problem.version.is_legacy() { "output_validator" } else { "output_validators" });
    if other.is_dir() && found.is_empty() && problem.validation.custom != Some(false) {
        findings.error(&other, format!("must be named {name} in the format {}", problem.version.name()));
    }
    match problem.validation.custom {
        // With `validation: default`, the problem does not use the validators in the folder.
        Some(false) => Vec::new(),
        None if problem.version.is_legacy() => {
            if !found.is_empty() {
                findings.breach(&folder, "is not used: problem.yaml does not say 'validation: custom'");
            }
            Vec::new()
        }
        Some(true) if found.is_empty() => {
            let message =
                format!("problem.yaml says 'validation: custom', but there is no output validator in {name}/");
            findings.error(&folder, message);
            found
        }
        _ if found.is_empty() && folder.is_dir() => {
            findings.error(&folder, "is empty; put the output validator into it, or remove the folder");
            found
        }
        _ if found.is_empty() && problem.kind.needs_output_validator() => {
            findings.error(&folder, "is missing; interactive and multi-pass problems need their own output validator");
            found
        }
        _ => found,
    }
}

/// Returns the programs that check inputs. The format requires at least one, but judging does not need any.
pub(super) fn input_validators(boundary: &Boundary, problem: &Problem, findings: &mut Findings) -> Vec<PackageProgram> {
    let folder = boundary.package().join("input_validators");
    let old = boundary.package().join("input_format_validators");
    let mut found = all_programs(boundary, &folder);
    if old.is_dir() {
        if problem.version.is_legacy() {
            found.extend(all_programs(boundary, &old));
        } else {
            findings.breach(&old, "has an outdated name; rename it to input_validators");
        }
    }
    if found.is_empty() {
        findings.breach(&folder, "contains no input validator; a package needs at least one");
    }
    found
}

/// Returns the programs that check answers. BAPCtools defines such programs; the format does not.
pub(super) fn answer_validators(boundary: &Boundary) -> Vec<PackageProgram> {
    all_programs(boundary, &boundary.package().join("answer_validators"))
}

/// Returns the static validator, which checks the source of submissions. `None` if no group has a test case for the
/// static validator, or if the static validator cannot be used.
pub(super) fn static_validator(
    boundary: &Boundary,
    has_cases: bool,
    findings: &mut Findings,
) -> Option<PackageProgram> {
    let folder = boundary.package().join("static_validator");
    match (has_cases, folder.is_dir()) {
        (true, false) => {
            findings.error(
                &folder,
                "is missing; 'static_validation_score' in a test_group.yaml requires a static validator",
            );
            None
        }
        (true, true) if !is_inside(boundary, &folder, findings) => None,
        (true, true) => {
            let found = single_program(boundary, &folder).pop();
            if found.is_none() {
                findings.error(&folder, "is empty; put the static validator into it");
            }
            found.filter(|program| is_inside(boundary, &program.path, findings))
        }
        (false, true) => {
            findings.warning(&folder, "is not used: no test_group.yaml has 'static_validation_score'");
            None
        }
        (false, false) => None,
    }
}

/// Returns the package's own grader; `None` if no group needs a grader, or if the grader cannot be used. See the
/// section "Graders" of format legacy.
pub(super) fn grader(boundary: &Boundary, tree: &Tree, findings: &mut Findings) -> Option<PackageProgram> {
    if !tree.needs_grader() {
        return None;
    }
    let folder = boundary.package().join("graders");
    if !is_inside(boundary, &folder, findings) {
        return None;
    }
    let mut found = all_programs(boundary, &folder);
    if found.len() > 1 {
        findings.error(&folder, "contains more than one program; keep one grader");
    }
    let Some(grader) = found.pop() else {
        findings.error(&folder, "contains no grader; 'grading: custom' in a testdata.yaml requires one");
        return None;
    };
    is_inside(boundary, &grader.path, findings).then_some(grader)
}

/// Returns whether the real path of a file or folder is inside the boundary. Reports an error if not.
fn is_inside(boundary: &Boundary, path: &Path, findings: &mut Findings) -> bool {
    let refused = boundary.resolve(path).err();
    if let Some(refused) = &refused {
        findings.error(&refused.path_in(boundary.package()), refused.reason());
    }
    refused.is_none()
}

/// Extensions of files that sources include and that are not programs.
const HEADERS: [&str; 9] = ["h", "hh", "hpp", "hxx", "H", "inc", "inl", "ipp", "tcc"];

/// Returns whether the file is a header. Programs in the same folder may include it.
pub(super) fn is_header(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| HEADERS.contains(&ending)) && !path.is_dir()
}

/// Returns whether a file documents the programs beside it: a README or a Markdown file.
pub(super) fn is_document(path: &Path) -> bool {
    let is_readme = path.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case("readme"));
    let is_markdown = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md"));
    (is_readme || is_markdown) && !path.is_dir()
}

/// Returns one program for each file or folder in `folder` that has an allowed name and is not a header. Each
/// single-file program gets all headers.
fn all_programs(boundary: &Boundary, folder: &Path) -> Vec<PackageProgram> {
    let (headers, programs): (Vec<_>, Vec<_>) = entries(boundary, folder).into_iter().partition(|path| is_header(path));
    let program = |path: PathBuf| {
        let headers = if path.is_dir() { Vec::new() } else { headers.clone() };
        PackageProgram { name: program_name(&path), path, headers }
    };
    programs.into_iter().map(program).collect()
}

/// Returns the program in `folder`. If the folder has exactly one entry, this file or subfolder is the program. If it
/// has several, the folder itself is the program. Empty if the folder has no entries.
fn single_program(boundary: &Boundary, folder: &Path) -> Vec<PackageProgram> {
    let entries = entries(boundary, folder);
    let path = match entries.as_slice() {
        [] => return Vec::new(),
        [only] => only.clone(),
        _ => folder.to_path_buf(),
    };
    vec![PackageProgram { name: program_name(&path), path, headers: Vec::new() }]
}

/// Returns the program's base name: the folder's name, or the file's name without its extension.
fn program_name(path: &Path) -> String {
    let name = if path.is_dir() { path.file_name() } else { path.file_stem() };
    name.unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the folders whose files are copied into submissions before they are compiled. The key is a language, or
/// `default` for all languages.
pub(super) fn includes(boundary: &Boundary, problem: &Problem, findings: &mut Findings) -> BTreeMap<String, PathBuf> {
    let folder = boundary.package().join("include");
    let mut includes = BTreeMap::new();
    for path in entries(boundary, &folder) {
        let language = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !path.is_dir() {
            findings.warning(&path, "is not used: files to include belong in a folder named after a language");
        } else if language == "default" && problem.version.is_legacy() {
            findings.warning(&path, "is not used: include/default/ exists only in format 2023-07 and later");
        } else if entries(boundary, &path).is_empty() {
            findings.breach(&path, "is empty; put the files to include into it, or remove the folder");
        } else {
            let is_allowed = |allowed: &Vec<String>| language == "default" || allowed.contains(&language);
            if let Some(why) = language_codes::unknown(&language).filter(|_| language != "default") {
                findings.breach(&path, format!("the name of the folder {why}"));
            } else if !problem.languages.as_ref().is_none_or(is_allowed) {
                findings.breach(&path, "is for a language that 'languages' in problem.yaml does not allow");
            }
            // Every submission would fail on such a file, although the package is at fault.
            for refused in boundary.files(&path).err().into_iter().flatten() {
                findings.error(&refused.path_in(boundary.package()), refused.reason());
            }
            includes.insert(language, path);
        }
    }
    includes
}

/// Returns the files and folders in `folder` that have allowed names, sorted by name. Empty if `folder` is a link that
/// leads out of the boundary.
pub(super) fn entries(boundary: &Boundary, folder: &Path) -> Vec<PathBuf> {
    chosen_entries(boundary, folder, |name| name.to_str().is_some_and(is_legal))
}

/// Returns the files and folders in `folder` whose names `is_chosen` accepts, sorted by name. Empty if `folder` is a
/// link that leads out of the boundary, or cannot be read.
pub(super) fn chosen_entries(boundary: &Boundary, folder: &Path, is_chosen: impl Fn(&OsStr) -> bool) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    if boundary.resolve(folder).is_ok() {
        let listed = folder::for_each(folder, |name, _| paths.extend(is_chosen(name).then(|| folder.join(name))));
        // A folder that is there and cannot be read was reported by `layout::links`.
        if listed.is_err() {
            paths.clear();
        }
    }
    paths.sort();
    paths
}
