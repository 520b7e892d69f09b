//! Loads a [`Package`] from a folder or an archive.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::archive::{self, Unpacked};
use super::bounded;
use super::findings::Findings;
use super::layout::Cases;
use super::links::Boundary;
use super::{Package, data, layout, problem, programs, submissions};

/// A folder that contains packages and the files that their programs share. The user trusts this folder, so links in
/// programs may lead to any file below it.
#[derive(Clone, Debug)]
pub struct ArchiveRoot {
    /// The path as the user wrote it, for messages.
    given: PathBuf,
    real: PathBuf,
}

impl ArchiveRoot {
    /// Opens the folder `given`. Fails with a message if it is not a folder or cannot be read.
    pub fn open(given: &Path) -> Result<ArchiveRoot, String> {
        match given.canonicalize() {
            Ok(real) if real.is_dir() => Ok(ArchiveRoot { given: given.to_path_buf(), real }),
            Ok(_) => Err("is not a folder".to_owned()),
            Err(error) => Err(format!("cannot be read: {error}")),
        }
    }

    /// Returns the boundary for programs of the package at `root`: the package and this archive. Fails if the package
    /// is not in the archive.
    fn boundary(&self, root: &Path, given: &Path) -> Result<Boundary, Findings> {
        if !root.starts_with(&self.real) {
            let archive = self.given.display();
            return Err(single_error(
                given,
                format!(
                    "is not inside the folder {archive} of --root; choose a folder for --root that contains the package"
                ),
            ));
        }
        Ok(Boundary::of_programs(root, Some(&self.real)))
    }
}

/// Reads the package in the folder or zip file `given`. Findings show paths as the user wrote them. Fails with all
/// findings if at least one of them is an error, which makes the package unusable.
pub fn load(given: &Path) -> Result<Package, Findings> {
    load_from(given, None, Extent::Whole)
}

/// The part of a package that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Everything.
    Whole,
    /// Everything but the validator tests, on which no submission runs. Only the links in their folders are checked.
    WithoutValidatorTests,
}

/// Reads a package like [`load`]. If `archive` is given, the package must be a folder in it, and links in the package's
/// programs may lead to any file of the archive.
pub fn load_from(given: &Path, archive: Option<&ArchiveRoot>, extent: Extent) -> Result<Package, Findings> {
    match given.canonicalize() {
        Ok(absolute) if absolute.is_dir() => load_folder(&boundary_of(&absolute, given, archive)?, given, extent),
        Ok(absolute) if is_archive(&absolute) => match archive {
            Some(_) => Err(single_error(
                given,
                "is a zip file, but --root works only with packages that are folders; unpack the file, or run \
                     without --root",
            )),
            None => load_zip(&absolute, given, extent),
        },
        Ok(_) => Err(single_error(
            given,
            "is neither a folder nor a .zip or .kpp file; a problem package is a folder with a problem.yaml",
        )),
        Err(error) => Err(single_error(given, format!("cannot be read: {error}"))),
    }
}

/// Returns whether a file is an archive by its name. Some systems write the ending in upper case.
fn is_archive(path: &Path) -> bool {
    let ending = path.extension();
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("zip") || ending.eq_ignore_ascii_case("kpp"))
}

fn boundary_of(root: &Path, given: &Path, archive: Option<&ArchiveRoot>) -> Result<Boundary, Findings> {
    archive.map_or_else(|| Ok(Boundary::of_programs(root, None)), |archive| archive.boundary(root, given))
}

/// Reads a package without its test cases, so that they can be generated. The content of `data/` may be missing or
/// wrong. Fails like [`load_from`].
pub fn load_without_cases(folder: &Path, archive: Option<&ArchiveRoot>) -> Result<Package, Findings> {
    let root = folder.canonicalize().map_err(|error| single_error(folder, format!("cannot be read: {error}")))?;
    let boundary = boundary_of(&root, folder, archive)?;
    let mut findings = Findings::default();
    let package = read_without_cases(&boundary, &mut findings);
    let remarks = findings.relocated(&root, folder).into_remarks()?;
    package.map(|package| Package { remarks, ..package }).ok_or_else(Findings::default)
}

fn load_zip(archive: &Path, given: &Path, extent: Extent) -> Result<Package, Findings> {
    let unpacked = archive::unpack(archive, "problem.yaml").map_err(|error| single_error(given, error.to_string()))?;
    let root =
        unpacked.root().canonicalize().map_err(|error| single_error(given, format!("cannot be read: {error}")))?;
    let package = load_folder(&Boundary::of_package(&root), given, extent)?;
    Ok(Package { _archive: Some(Arc::new(Unpacked::into_folder(unpacked))), ..package })
}

fn load_folder(boundary: &Boundary, given: &Path, extent: Extent) -> Result<Package, Findings> {
    let mut findings = Findings::default();
    let package = read(boundary, extent, &mut findings);
    let remarks = findings.relocated(boundary.package(), given).into_remarks()?;
    // If `package` is `None`, `read` has added an error, and `into_remarks` above has already failed. Therefore this
    // default is never returned.
    package.map(|package| Package { remarks, ..package }).ok_or_else(Findings::default)
}

/// Reads as much of the package as possible and adds problems to `findings`. Returns `None` if problem.yaml or a link
/// makes the package unusable.
fn read(boundary: &Boundary, extent: Extent, findings: &mut Findings) -> Option<Package> {
    let root = boundary.package();
    // Without problem.yaml, the format version is unknown, and errors about other files could be wrong.
    let problem = problem::read(root, findings)?;
    let Some(links) = layout::links(boundary, Cases::Read, findings) else {
        layout::check_names(root, problem.version, findings);
        return None;
    };
    let data = data::read(root, &problem, extent, findings);
    let package = assemble(boundary, &problem, data, findings);
    layout::check(boundary, &problem, &links, findings);
    Some(package)
}

fn read_without_cases(boundary: &Boundary, findings: &mut Findings) -> Option<Package> {
    let problem = problem::read(boundary.package(), findings)?;
    let _links = layout::links(boundary, Cases::Skipped, findings)?;
    let no_cases = data::Data::empty(&problem);
    Some(assemble(boundary, &problem, no_cases, findings))
}

fn assemble(boundary: &Boundary, problem: &problem::Problem, data: data::Data, findings: &mut Findings) -> Package {
    let root = boundary.package();
    let data::Data { cases, validator_tests, static_validation, static_tests, tree, domjudge_tree } = data;
    let static_validator = programs::static_validator(boundary, static_validation, findings);
    let grader = programs::grader(boundary, &tree, findings);
    let submissions = submissions::read(boundary, problem, &tree, findings);
    let left_out = submissions::left_out(boundary, findings);
    let output_validators = programs::output_validators(boundary, problem, findings);
    let input_validators = programs::input_validators(boundary, problem, findings);
    let answer_validators = programs::answer_validators(boundary);
    let includes = programs::includes(boundary, problem, findings);
    let legacy = problem.version.is_legacy();
    let time = problem.limits.time.or_else(|| legacy.then(|| time_limit_of_domjudge(root, findings)).flatten());
    Package {
        name: root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        title: problem.names.title(),
        uuid: problem.uuid.clone(),
        version: problem.version,
        kind: super::Kind { static_validation, ..problem.kind },
        root: root.to_path_buf(),
        boundary: boundary.clone(),
        limits: super::Limits { time, ..problem.limits },
        timing: problem.timing,
        file_writing: problem.file_writing,
        languages: problem.languages.clone(),
        constants: problem.constants.clone(),
        cases: Arc::new(cases),
        validator_tests,
        output_validators,
        input_validators,
        answer_validators,
        includes,
        tree,
        domjudge_tree,
        static_tests,
        static_validator,
        grader,
        submissions,
        left_out,
        remarks: Vec::new(),
        _archive: None,
    }
}

/// Reads the time limit from DOMjudge's own files, because the legacy format versions have no key for it. Uses
/// `.timelimit` if it exists, and `domjudge-problem.ini` otherwise. Reports a file that cannot be read, and a limit that
/// is not valid. Returns `None` if there is no valid limit in the file, or if neither file exists.
fn time_limit_of_domjudge(root: &Path, findings: &mut Findings) -> Option<std::time::Duration> {
    let paths = [".timelimit", "domjudge-problem.ini"].map(|name| root.join(name));
    let path = paths.into_iter().find(|path| bounded::is_there(path))?;
    let read = bounded::read(&path, 1 << 16);
    let text = read.and_then(|text| String::from_utf8(text).map_err(|_| "the file is not UTF-8".to_owned()));
    let text = text.map_err(|reason| findings.error(&path, reason)).ok()?;
    let value = match text.lines().find_map(|line| line.split_once('=').filter(|(key, _)| key.trim() == "timelimit")) {
        Some((_, value)) => value,
        None if path.ends_with(".timelimit") => text.as_str(),
        None => return None,
    };
    let value = value.trim().trim_matches(['\'', '"']);
    match value.parse::<f64>() {
        Ok(seconds) if (1e-6..=1e6).contains(&seconds) => Some(std::time::Duration::from_secs_f64(seconds)),
        _ => {
            findings.error(
                &path,
                format!("found the time limit {value:?}, allowed: a number of seconds above 0 and up to 1000000"),
            );
            None
        }
    }
}

fn single_error(path: &Path, message: impl Into<String>) -> Findings {
    let mut findings = Findings::default();
    findings.error(path, message);
    findings
}
