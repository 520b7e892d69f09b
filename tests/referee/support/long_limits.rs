//! A package whose limits give compilers and validators enough time on a busy machine.

use std::path::{Path, PathBuf};

use super::command::write;
use super::files;
use super::person::copy_folder;

/// Creates a copy of the package `sum` in `folder`, with longer limits for compilers and validators. Returns its path.
pub(crate) fn sum_with_long_limits(folder: &Path) -> PathBuf {
    let package = folder.join("sum");
    copy_folder(&files::in_repository("tests/packages/judged/sum"), &package);
    let problem = std::fs::read_to_string(package.join("problem.yaml")).expect("the package has a problem.yaml");
    let patient = "compilation_time: 60\n  validation_time: 60";
    write(&package, "problem.yaml", &problem.replace("compilation_time: 5", patient));
    package
}
