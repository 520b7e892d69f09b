//! What cannot be judged in the tasks of a Slurm job.

use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use super::super::{Arguments, Failure};
use referee_package::Package;

/// Fails if an option or a path makes no sense in a Slurm job.
pub(super) fn check(arguments: &Arguments) -> Result<(), Failure> {
    let refused = [
        (
            arguments.partition.is_some(),
            "--partition",
            "--slurm N makes the parts itself; to judge one part in a job of yours, leave out --slurm",
        ),
        (arguments.watch, "--watch", "leave out --watch, or judge on this machine without --slurm"),
        (arguments.class.dry_run, "--dry-run", "leave out --slurm: --dry-run judges nothing"),
        (
            arguments.similarity.is_given(),
            "--similarity",
            "the parts cannot compare programs of different parts; run `referee grade --similarity` without --slurm, which \
             takes the results from the cache",
        ),
        (
            arguments.pages.are_given(),
            "--html-per-submission and --moodle-feedback",
            "the reports of the parts have no sources and outputs; make the pages without --slurm, with the same \
             --shared-cache",
        ),
    ];
    if let Some((_, option, hint)) = refused.into_iter().find(|(is_given, ..)| *is_given) {
        return Err(Failure::unusable(format!("--slurm cannot be combined with {option}")).with_hint(hint));
    }
    std::iter::once(&arguments.package).chain(&arguments.programs).try_for_each(|path| check_path(path))?;
    check_local_package(arguments)
}

/// Fails if other machines cannot read the path: it is standard input, a pipe or a device.
fn check_path(path: &Path) -> Result<(), Failure> {
    let found = path.metadata().map(|found| found.file_type());
    let is_special = found.is_ok_and(|kind| kind.is_fifo() || kind.is_char_device() || kind.is_socket());
    if !is_special && path != Path::new("-") && !path.starts_with("/dev") && !path.starts_with("/proc") {
        return Ok(());
    }
    let message = format!("--slurm: the nodes of the cluster cannot read {}", path.display());
    Err(Failure::unusable(message).with_hint("write it to a file in a folder that all nodes share, and name that file"))
}

/// Fails if a node cannot judge with a copy of the package.
fn check_local_package(arguments: &Arguments) -> Result<(), Failure> {
    if !arguments.slurm.local().package {
        return Ok(());
    }
    let hint = "leave out --slurm-local package: all tasks then read the shared package";
    if arguments.judging.archive.is_given() {
        let message = "--slurm-local package: links to files in the folder of --root lead nowhere from a copy";
        return Err(Failure::unusable(message).with_hint(hint));
    }
    let Ok(package) = arguments.package.canonicalize() else { return Ok(()) };
    let is_inside = |path: &&std::path::PathBuf| path.canonicalize().is_ok_and(|path| path.starts_with(&package));
    match arguments.programs.iter().find(is_inside) {
        Some(program) => {
            let message = format!("--slurm-local package: {} is in the package, not in its copy", program.display());
            Err(Failure::unusable(message).with_hint(hint))
        }
        None => Ok(()),
    }
}

/// Fails if the parts would judge with different time limits.
pub(super) fn check_package(arguments: &Arguments, package: &Package) -> Result<(), Failure> {
    if arguments.judging.stated_time_limit(package).is_some() {
        return Ok(());
    }
    let message = format!("--slurm: {} states no time limit, so each node would measure another one", package.name);
    Err(Failure::unusable(message)
        .with_hint("add --time-limit SECONDS; on one node, `referee grade` with the package alone measures the limit"))
}
