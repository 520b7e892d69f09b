//! PACKAGE on the command line: a folder, or the name of a bundled package.

use std::path::{Path, PathBuf};

use super::Failure;
use crate::bundled::{self, Unpacked};
use crate::package::{self, Package};

/// A package and, if it was bundled, the folder it lies in while it is used.
pub(super) struct Opened {
    pub(super) package: Package,
    _unpacked: Option<Unpacked>,
}

/// Opens the package that the user named.
pub(super) fn open(name: &Path) -> Result<Opened, Failure> {
    let (path, unpacked) = locate(name)?;
    let package = package::load(&path)
        .map_err(|findings| Failure::unusable(format!("the package {} cannot be used:\n{findings}", name.display())))?;
    for warning in &package.warnings {
        let yellow = anstyle::AnsiColor::Yellow.on_default();
        super::say(&format!("{yellow}warning{yellow:#}: "), "warning: ".len(), &warning.to_string());
    }
    Ok(Opened { package, _unpacked: unpacked })
}

fn locate(name: &Path) -> Result<(PathBuf, Option<Unpacked>), Failure> {
    if name.is_dir() {
        return Ok((name.to_path_buf(), None));
    }
    if name.is_file() {
        let message = format!("{} is a file; a package is a folder with a problem.yaml", name.display());
        return Err(Failure::unusable(message).with_hint("unpack it first: archives cannot be read yet"));
    }
    let bundled = name.to_str().map(bundled::unpack).transpose()?.flatten();
    if let Some(unpacked) = bundled {
        return Ok((unpacked.path(), Some(unpacked)));
    }
    let message = format!("there is no package {}", name.display());
    Err(Failure::unusable(message).with_hint(format!(
        "give a folder with a problem.yaml, or one of the bundled packages: {}",
        bundled::names().join(", ")
    )))
}
