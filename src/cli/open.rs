//! Opens PACKAGE of the command line: a folder, an archive, or the name of a bundled package.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use super::{Exit, Failure, mistaken, nearest};
use crate::puzzles::bundled;
use crate::puzzles::unpacked::{self, Unpacked};
use referee_compare::Dialect;
use referee_package::{self as package, ArchiveRoot, Extent, Finding, Findings, Package, Severity};
use referee_report::counted;
use referee_report::github::FilePaths;
use referee_sandbox::interrupt;

/// A package, and the temporary folder of a bundled package. The folder is removed when this value is dropped.
pub(super) struct Opened {
    pub(super) package: Package,
    /// The package as the user named it.
    name: PathBuf,
    /// Whether the user has seen the remarks on the package.
    are_remarks_shown: Cell<bool>,
    _unpacked: Option<Unpacked>,
}

impl Opened {
    /// Returns the package as the user named it.
    pub(super) fn name(&self) -> &Path {
        &self.name
    }

    fn for_judge(mut self, dialect: Dialect) -> Opened {
        if dialect == Dialect::Kattis {
            self.package.leave_out_misplaced_validator();
        }
        self
    }

    /// Shows the findings that do not prevent judging, broken rules of the format first. Unless `all` is true, shows
    /// only the first few. A command calls this after all of its checks, and after the package's own programs were built,
    /// so that an error is never printed among remarks. Only the first call shows them.
    pub(super) fn show_remarks(&self, all: bool) {
        if self.are_remarks_shown.replace(true) {
            return;
        }
        show_findings(&self.package.remarks, "the package", all);
    }

    /// Makes [`Opened::show_remarks`] show nothing.
    pub(super) fn hide_remarks(&self) {
        self.are_remarks_shown.set(true);
    }

    /// Adds a note to an error: the number of remarks on the package. Adds none if the remarks were shown, if there are
    /// none, or if the user interrupted the command.
    pub(super) fn with_count_of_remarks(&self, failure: Failure) -> Failure {
        let count = self.package.remarks.len();
        if self.are_remarks_shown.get() || count == 0 || failure.exit == Exit::Interrupted {
            return failure;
        }
        let name = self.name.display();
        failure.with_note(format!("{}; `referee verify --only format {name}` lists them", remarks_on_package(count)))
    }
}

fn remarks_on_package(count: usize) -> String {
    format!("there {} {} on the package", if count == 1 { "is" } else { "are" }, counted(count, "remark"))
}

/// Opens the package that the user named. Links in its programs may lead to files in the folder `archive`. Fails if the
/// package does not exist or is unusable.
pub(super) fn open(name: &Path, archive: Option<&ArchiveRoot>, extent: Extent) -> Result<Opened, Failure> {
    try_open(name, archive, extent).map_err(|unopened| match unopened {
        Unopened::Inaccessible(failure) => failure,
        Unopened::Invalid(findings) => {
            let message = format!("the package {} cannot be used:", name.display());
            let (errors, remarks): (Vec<_>, Vec<_>) =
                findings.list.into_iter().partition(|finding| finding.severity == Severity::Error);
            let failure = Failure::unusable(message).with_findings(Findings::from(errors));
            match remarks.len() {
                0 => failure,
                count => failure.with_note(format!(
                    "{}; `referee verify --only format {}` lists them",
                    remarks_on_package(count),
                    name.display()
                )),
            }
        }
    })
}

/// Opens the package as [`open`] does, and then leaves out an output validator that the judge `dialect` would not find:
/// problemtools does not look in `output_validator/` of a legacy package.
pub(super) fn open_for(
    dialect: Dialect,
    name: &Path,
    archive: Option<&ArchiveRoot>,
    extent: Extent,
) -> Result<Opened, Failure> {
    open(name, archive, extent).map(|opened| opened.for_judge(dialect))
}

/// The reason why a package could not be opened.
pub(super) enum Unopened {
    /// The package does not exist or cannot be read.
    Inaccessible(Failure),
    /// The package has errors.
    Invalid(Findings),
}

/// Opens a whole package like [`open_for`], for callers that report each finding separately.
pub(super) fn try_open_for(dialect: Dialect, name: &Path, archive: Option<&ArchiveRoot>) -> Result<Opened, Unopened> {
    try_open(name, archive, Extent::Whole).map(|opened| opened.for_judge(dialect))
}

fn try_open(name: &Path, archive: Option<&ArchiveRoot>, extent: Extent) -> Result<Opened, Unopened> {
    let (path, unpacked) = locate(name).map_err(Unopened::Inaccessible)?;
    let package = package::load_from(&path, archive, extent);
    if interrupt::happened() {
        return Err(Unopened::Inaccessible(Failure::interrupted()));
    }
    let package = package.map_err(Unopened::Invalid)?;
    Ok(Opened { package, name: name.to_path_buf(), are_remarks_shown: Cell::new(false), _unpacked: unpacked })
}

/// Returns the data that GitHub annotations need to find the path of a file: the package's folder, and whether the
/// judged programs belong to the package.
pub(super) fn places(package: &Path, own_programs: bool) -> FilePaths {
    FilePaths { package: folder(package), own_programs }
}

/// Returns the package's folder, as the user named it; `None` if the package is not a folder.
pub(super) fn folder(package: &Path) -> Option<PathBuf> {
    package.is_dir().then(|| package.to_path_buf())
}

/// The number of remarks that are shown by default.
const REMARKS_SHOWN: usize = 3;

/// Shows remarks about `subject`. Unless `all` is true, shows only the first few and the number of the rest.
pub(super) fn show_findings(remarks: &[Finding], subject: &str, all: bool) {
    let mut remarks: Vec<&Finding> = remarks.iter().collect();
    remarks.sort_by_key(|remark| remark.severity);
    let shown = if all { remarks.len() } else { REMARKS_SHOWN.min(remarks.len()) };
    let yellow = anstyle::AnsiColor::Yellow.on_default();
    for remark in &remarks[..shown] {
        let label = if remark.severity == Severity::Breach { "format" } else { "warning" };
        super::eprint_message(&format!("{yellow}{label}{yellow:#}: "), label.len() + 2, &remark.to_string());
    }
    if shown < remarks.len() {
        let more = remarks.len() - shown;
        let text = format!("{} on {subject}; use -v to show all", counted(more, "more remark"));
        super::warn(&text);
    }
}

/// Returns the path of the package that the user named. The second value is `None` if the package is a file or a folder
/// of the user. For a bundled package, it keeps the unpacked folder alive.
fn locate(name: &Path) -> Result<(PathBuf, Option<Unpacked>), Failure> {
    if name.is_dir() || name.is_file() {
        return match mistaken::as_package(name) {
            Some(failure) => Err(failure),
            None => Ok((name.to_path_buf(), None)),
        };
    }
    let bundled = name.to_str().map(unpacked::unpack).transpose().map_err(|error| {
        let folder = referee_files::temporary::parent();
        Failure::judge(format!("the bundled package cannot be unpacked in {}: {error}", folder.display()))
            .with_hint("set TMPDIR to another folder for temporary files")
    })?;
    let bundled = bundled.flatten();
    if let Some(unpacked) = bundled {
        return Ok((unpacked.path(), Some(unpacked)));
    }
    let message = match name.symlink_metadata() {
        Ok(found) if found.is_symlink() => {
            format!("{} is a symbolic link, but not to an existing folder or regular file", name.display())
        }
        Ok(_) => format!("{} is neither a folder nor a regular file", name.display()),
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            format!("{} cannot be read: {error}", name.display())
        }
        Err(_) => format!("there is no package {}", name.display()),
    };
    let names = bundled::names();
    let list = format!(
        "give a package folder (with problem.yaml), a .zip or .kpp file, or the name of a bundled package: {}",
        names.join(", ")
    );
    let near = nearest::package(name).filter(|_| name.symlink_metadata().is_err());
    let wanted = name.display().to_string();
    Err(Failure::unusable(message).with_hint(nearest::hint(
        &wanted,
        names.iter().map(String::as_str).chain(near.as_deref()),
        &list,
    )))
}
