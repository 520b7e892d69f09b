//! Gathers the sources to compile: the program's own files, the files in [`Source::added`], and the files that the
//! package includes. In included files, the package's constants are always replaced with their values. In the other
//! files, constants are replaced only if [`Source::constants`] is not `None`.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags};
use walkdir::WalkDir;

use crate::build::Source;
use crate::workspace::copy::{self, CopyError, Purpose};
use referee_files::regular;
use referee_language::Language;
use referee_package::{Constants, Package};

/// Maximum total size, in bytes, of the sources of a program for which the package sets no limit, such as a validator.
const UNLIMITED_CODE_BYTES: u64 = 1 << 30;

/// Maximum total size of the files that a package adds to a submission, in bytes.
const INCLUDED_BYTES: u64 = 1 << 30;

/// Copies the program's own files and the added files into `folder`, and replaces constants. The limit on the size of
/// code does not apply to files that [`include_all`] copies later.
pub(crate) fn gather(source: &Source<'_>, folder: &Path) -> Result<(), CopyError> {
    let most = source.code_bytes.unwrap_or(UNLIMITED_CODE_BYTES);
    match source.boundary {
        Some(boundary) => copy::copy_of_package(source.path, folder, most, Purpose::Sources, boundary)?,
        None => copy::copy(source.path, folder, most, Purpose::Sources)?,
    }
    for file in source.added {
        if let Some(boundary) = source.boundary.filter(|boundary| file.starts_with(boundary.package())) {
            copy::copy_of_package(file, folder, most, Purpose::Sources, boundary)?;
            continue;
        }
        let target = folder.join(file.file_name().unwrap_or_default());
        fs::copy(file, &target).and_then(|_| readable(&target)).map_err(CopyError::System)?;
    }
    if let Some(constants) = source.constants {
        replace(constants, folder).map_err(CopyError::System)?;
    }
    Ok(())
}

/// Renames each of the `sources` in `folder` after its public type, if the language's compiler requires this. No other
/// file is overwritten.
pub(crate) fn rename(language: &Language, sources: &[PathBuf], folder: &Path) -> Result<(), CopyError> {
    if !language.names_files_by_type() {
        return Ok(());
    }
    for source in sources {
        let path = folder.join(source);
        let Some(stem) = source.file_stem().and_then(OsStr::to_str) else { continue };
        let text = regular::read(&path, regular::LARGEST_BYTES).map_err(CopyError::System)?;
        let Some(wanted) = language.file_stem_for(&text, stem).filter(|name| name.len() <= LONGEST_STEM) else {
            continue;
        };
        let ending = source.extension().unwrap_or_default().to_string_lossy();
        let target = path.with_file_name(format!("{wanted}.{ending}"));
        match rustix::fs::renameat_with(CWD, &path, CWD, &target, RenameFlags::NOREPLACE) {
            // The name is taken: two files have a public type of this name. The compiler reports that.
            Ok(()) | Err(rustix::io::Errno::EXIST) => {}
            Err(error) => return Err(CopyError::System(error.into())),
        }
    }
    Ok(())
}

/// Maximum length of a public type's name, in bytes. A file is not renamed after a longer name, because the file name
/// must also have space for the extension.
const LONGEST_STEM: usize = 200;

/// Copies the package's included files over the program's own: the files for all languages, then those for `language`.
pub(crate) fn include_all(package: &Package, language: &str, folder: &Path) -> Result<(), CopyError> {
    // A file for one language overrides a file for all languages.
    for name in ["default", language] {
        let Some(from) = package.includes.get(name) else { continue };
        include(from, folder, package).map_err(CopyError::System)?;
    }
    Ok(())
}

/// Copies the files of `from` into `folder`, and replaces constants in the copies. The copies overwrite files of the
/// same names.
fn include(from: &Path, folder: &Path, package: &Package) -> io::Result<()> {
    let own = tempfile::tempdir_in(folder.parent().unwrap_or(folder))?;
    match copy::copy_of_package(from, own.path(), INCLUDED_BYTES, Purpose::Compiled, &package.boundary) {
        Ok(()) => {}
        Err(CopyError::Unfit(reason)) => return Err(io::Error::other(format!("{}: {reason}", from.display()))),
        Err(CopyError::System(error)) => return Err(error),
    }
    replace(&package.constants, own.path())?;
    overlay(own.path(), folder)
}

/// Moves the files of `own` into `folder`, and replaces files of the same names.
fn overlay(own: &Path, folder: &Path) -> io::Result<()> {
    for entry in WalkDir::new(own).min_depth(1) {
        let entry = entry?;
        let target = folder.join(entry.path().strip_prefix(own).unwrap_or(entry.path()));
        if entry.file_type().is_dir() {
            copy::clear_target(&target, true)?;
            fs::create_dir_all(&target)?;
            fs::set_permissions(&target, fs::Permissions::from_mode(0o755))?;
        } else {
            copy::clear_target(&target, false)?;
            fs::rename(entry.path(), &target)?;
        }
    }
    Ok(())
}

/// Replaces constants in every file below the folder.
fn replace(constants: &Constants, folder: &Path) -> io::Result<()> {
    if constants.is_empty() {
        return Ok(());
    }
    for entry in WalkDir::new(folder) {
        let entry = entry?;
        if entry.file_type().is_file() {
            let text = regular::read(entry.path(), regular::LARGEST_BYTES)?;
            if let std::borrow::Cow::Owned(replaced) = constants.replaced_in(&text) {
                fs::write(entry.path(), replaced)?;
            }
        }
    }
    Ok(())
}

fn readable(path: &Path) -> io::Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(0o644))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn included_files_take_the_place_of_the_submissions_own() {
        let workspace = tempfile::tempdir().unwrap();
        let package = tempfile::tempdir_in(workspace.path()).unwrap();
        let folder = workspace.path().join("program");
        fs::create_dir_all(package.path().join("lib")).unwrap();
        fs::write(package.path().join("lib/judge.h"), "ours").unwrap();
        fs::write(package.path().join("main.cpp"), "ours").unwrap();
        fs::create_dir_all(folder.join("main.cpp")).unwrap();
        fs::create_dir_all(folder.join("lib")).unwrap();
        fs::write(folder.join("lib/judge.h"), "theirs").unwrap();
        fs::write(folder.join("lib/own.h"), "theirs").unwrap();
        overlay(package.path(), &folder).unwrap();
        let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(
            (text("lib/judge.h"), text("lib/own.h"), text("main.cpp")),
            ("ours".into(), "theirs".into(), "ours".into())
        );
    }
}
