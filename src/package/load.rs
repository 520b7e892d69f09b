//! From a folder to a [`Package`].

use std::fs;
use std::path::{Path, PathBuf};

use super::cases::is_legal;
use super::findings::Findings;
use super::{Package, cases, problem, submissions};

/// Reads the package in the folder `root`. `Err` holds everything that makes it unusable.
pub fn load(root: &Path) -> Result<Package, Findings> {
    let mut findings = Findings::default();
    let root = match root.canonicalize() {
        Ok(absolute) if absolute.is_dir() => absolute,
        Ok(_) => return Err(alone(root, "is not a folder; a problem package is a folder with a problem.yaml")),
        Err(error) => return Err(alone(root, format!("cannot be read: {error}"))),
    };
    let problem = problem::read(&root, &mut findings);
    let Some(problem) = problem else {
        // Without it nothing else can be judged by its own rules, and errors there would only be noise.
        return Err(findings);
    };
    let cases = cases::read(&root, &mut findings);
    let submissions = submissions::read(&root, &cases, &mut findings);
    let output_validator = output_validator(&root, &mut findings);
    let name = root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let warnings = findings.into_warnings()?;
    Ok(Package {
        name,
        title: problem.title,
        root,
        limits: problem.limits,
        cases,
        output_validator,
        submissions,
        warnings,
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
