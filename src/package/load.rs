//! From a folder to a [`Package`].

use std::fs;
use std::path::{Path, PathBuf};

use super::cases::is_legal;
use super::findings::Findings;
use super::{Package, cases, problem, submissions};

/// Reads the package in the folder `given`, which findings name as the user did. `Err` holds everything that makes it unusable.
pub fn load(given: &Path) -> Result<Package, Findings> {
    let root = match given.canonicalize() {
        Ok(absolute) if absolute.is_dir() => absolute,
        Ok(_) => return Err(alone(given, "is not a folder; a problem package is a folder with a problem.yaml")),
        Err(error) => return Err(alone(given, format!("cannot be read: {error}"))),
    };
    let mut findings = Findings::default();
    let package = read(&root, &mut findings);
    let warnings = findings.named(&root, given).into_warnings()?;
    // Without a package there is an error among the findings.
    package.map(|package| Package { warnings, ..package }).ok_or_else(Findings::default)
}

/// The package, as far as it can be read; what is wrong with it goes to `findings`.
fn read(root: &Path, findings: &mut Findings) -> Option<Package> {
    // Without it nothing else can be judged by its own rules, and errors there would only be noise.
    let problem = problem::read(root, findings)?;
    let cases = cases::read(root, findings);
    let submissions = submissions::read(root, &cases, findings);
    let output_validator = output_validator(root, findings);
    Some(Package {
        name: root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        title: problem.title,
        root: root.to_path_buf(),
        limits: problem.limits,
        file_writing: problem.file_writing,
        cases,
        output_validator,
        submissions,
        warnings: Vec::new(),
    })
}

fn alone(path: &Path, message: impl Into<String>) -> Findings {
    let mut findings = Findings::default();
    findings.error(path, message);
    findings
}

/// `output_validator/` holds one program: a single file, a single folder, or is itself the program's folder.
fn output_validator(root: &Path, findings: &mut Findings) -> Option<PathBuf> {
    let folder = root.join("output_validator");
    let entries = fs::read_dir(&folder).ok()?.filter_map(Result::ok);
    let paths: Vec<_> =
        entries.filter(|entry| entry.file_name().to_str().is_some_and(is_legal)).map(|entry| entry.path()).collect();
    match paths.as_slice() {
        [] => {
            findings.error(&folder, "is empty; remove it or put the output validator there");
            None
        }
        [only] => Some(only.clone()),
        _ => Some(folder),
    }
}
