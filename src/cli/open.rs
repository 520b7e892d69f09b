//! PACKAGE on the command line: a folder, or the name of a bundled package.

use std::path::{Path, PathBuf};

use super::{Failure, nearest};
use crate::puzzles::bundled::{self, Unpacked};
use referee_package::{self as package, Finding, Findings, Package, Severity};
use referee_report::counted;
use referee_report::github::Places;

/// A package and, if it was bundled, the folder it lies in while it is used.
pub(super) struct Opened {
    pub(super) package: Package,
    _unpacked: Option<Unpacked>,
}

/// Opens the package that the user named.
pub(super) fn open(name: &Path) -> Result<Opened, Failure> {
    try_open(name).map_err(|unopened| match unopened {
        Unopened::NotThere(failure) => failure,
        Unopened::Wrong(findings) => {
            let message = format!("the package {} cannot be used:", name.display());
            Failure::unusable(message).with_findings(errors_first(findings))
        }
    })
}

/// The errors, which make a package unusable, and apart from them whatever else was found.
fn errors_first(findings: Findings) -> String {
    let (errors, remarks): (Vec<_>, Vec<_>) =
        findings.0.into_iter().partition(|finding| finding.severity == Severity::Error);
    let errors = Findings(errors).to_string();
    if remarks.is_empty() {
        errors
    } else {
        format!("{errors}\nthe rest does not hinder judging:\n{}", Findings(remarks))
    }
}

/// Why a package could not be opened.
pub(super) enum Unopened {
    /// There is none, or it cannot be read.
    NotThere(Failure),
    /// What is wrong with it.
    Wrong(Findings),
}

/// The same for those who tell each finding by itself.
pub(super) fn try_open(name: &Path) -> Result<Opened, Unopened> {
    let (path, unpacked) = locate(name).map_err(Unopened::NotThere)?;
    let package = package::load(&path).map_err(Unopened::Wrong)?;
    Ok(Opened { package, _unpacked: unpacked })
}

/// Where the files of a package lie that events name, and whether programs are its own.
pub(super) fn places(package: &Path, own_programs: bool) -> Places {
    Places { package: folder(package), own_programs }
}

/// The package's folder, as the user named it; `None` if it is none.
pub(super) fn folder(package: &Path) -> Option<PathBuf> {
    package.is_dir().then(|| package.to_path_buf())
}

/// So many remarks on a package are shown unless more is asked for.
const REMARKS_SHOWN: usize = 3;

/// Shows what is wrong or odd but does not hinder judging: rules of the format that are broken come first.
pub(super) fn show_remarks(package: &Package, all: bool) {
    show_findings(&package.remarks, "the package", all);
}

/// Shows remarks on `subject`: all of them, or the first.
pub(super) fn show_findings(remarks: &[Finding], subject: &str, all: bool) {
    let mut remarks: Vec<&Finding> = remarks.iter().collect();
    remarks.sort_by_key(|remark| remark.severity);
    let shown = if all { remarks.len() } else { REMARKS_SHOWN.min(remarks.len()) };
    let yellow = anstyle::AnsiColor::Yellow.on_default();
    for remark in &remarks[..shown] {
        let word = if remark.severity == Severity::Breach { "format" } else { "warning" };
        super::say(&format!("{yellow}{word}{yellow:#}: "), word.len() + 2, &remark.to_string());
    }
    if shown < remarks.len() {
        let more = remarks.len() - shown;
        let text = format!("{} on {subject}; -v shows them", counted(more, "more remark"));
        super::warn(&text);
    }
}

fn locate(name: &Path) -> Result<(PathBuf, Option<Unpacked>), Failure> {
    if name.is_dir() || name.is_file() {
        return Ok((name.to_path_buf(), None));
    }
    let bundled = name.to_str().map(bundled::unpack).transpose().map_err(|error| {
        let folder = std::env::temp_dir();
        Failure::judge(format!("the bundled package cannot be unpacked in {}: {error}", folder.display()))
            .with_hint("TMPDIR names another folder for temporary files")
    })?;
    let bundled = bundled.flatten();
    if let Some(unpacked) = bundled {
        return Ok((unpacked.path(), Some(unpacked)));
    }
    let message = match name.symlink_metadata() {
        Ok(found) if found.is_symlink() => format!("{} is a link that leads to no folder and no file", name.display()),
        Ok(_) => format!("{} is no folder and no plain file", name.display()),
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            format!("{} cannot be read: {error}", name.display())
        }
        Err(_) => format!("there is no package {}", name.display()),
    };
    let names = bundled::names();
    let list = format!(
        "give a folder with a problem.yaml, a .zip or .kpp of one, or one of the bundled packages: {}",
        names.join(", ")
    );
    let near = nearest::path(name).filter(|_| name.symlink_metadata().is_err());
    let wanted = name.display().to_string();
    Err(Failure::unusable(message).with_hint(nearest::hint(
        &wanted,
        names.iter().map(String::as_str).chain(near.as_deref()),
        &list,
    )))
}
