//! Unpacks packages from archives. No entry of an archive can reach files outside the target folder.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use zip::ZipArchive;
use zip::read::ZipFile;

use super::version::is_legal;
use referee_files::archive::{self, ArchiveError, Limited};
use referee_files::regular::Stoppable;
use referee_text::printable::printable;

/// The largest total size allowed for the unpacked files, in bytes. Real packages are far smaller; archives made to
/// fill a disk are larger.
const MOST_BYTES: u64 = 4 << 30;

/// The longest target of a symbolic link, in bytes. The rest of a longer target is not read.
const LONGEST_TARGET: u64 = 1 << 10;

/// The reason why an archive is not unpacked.
#[derive(Debug, thiserror::Error)]
pub(super) enum UnpackError {
    #[error(transparent)]
    Unopened(#[from] ArchiveError),
    #[error("unpacks to more than the {MOST_BYTES} bytes allowed")]
    TooLarge,
    #[error("the entry {0} {1}")]
    Entry(String, &'static str),
    #[error("the link {0} to {1} is broken or leads out of the archive")]
    Link(String, String),
    #[error("contains {0}; put {1} at the top level of the archive, or into exactly one folder there")]
    NoPackage(String, &'static str),
    #[error("cannot be unpacked: {0}")]
    System(#[from] io::Error),
}

/// Unpacks an archive of a format other than the problem package format. `marker` is the name of a file that every
/// package of that format has. Fails with a message if the archive is refused or cannot be read.
pub fn unpack_other(path: &Path, marker: &'static str) -> Result<Unpacked, String> {
    unpack(path, marker).map_err(|error| error.to_string())
}

/// A package's folder inside a temporary folder, which is removed when this value is dropped.
#[derive(Debug)]
pub struct Unpacked {
    folder: TempDir,
    root: PathBuf,
}

impl Unpacked {
    /// Returns the package's folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the temporary folder, which is removed when the returned value is dropped.
    pub(super) fn into_folder(self) -> TempDir {
        self.folder
    }
}

/// Unpacks the archive at `path` into a new target folder. The target folder has the name of the archive without its
/// extension, or `package` if the format does not allow that name. The file `marker` must be at the archive's top
/// level, or in exactly one of its top-level folders.
pub(super) fn unpack(path: &Path, marker: &'static str) -> Result<Unpacked, UnpackError> {
    let mut archive = archive::open(path)?;
    check(&mut archive, marker)?;
    let folder = referee_files::temporary::folder("archive")?;
    let stem = path.file_stem().and_then(|stem| stem.to_str()).filter(|stem| is_legal(stem));
    let target = folder.path().join(stem.unwrap_or("package"));
    fs::create_dir_all(&target)?;
    let mut links = Vec::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(ArchiveError::from)?;
        let name = checked_path(&entry)?;
        if entry.is_dir() {
            make_folder(&target.join(&name), &name)?;
        } else if entry.is_symlink() {
            let mut to = String::new();
            entry.take(LONGEST_TARGET).read_to_string(&mut to)?;
            links.push((name, to));
        } else {
            write(&mut entry, &target.join(&name), &name)?;
        }
    }
    create_links(&target, &links)?;
    let root = package_folder(&target, marker)?;
    Ok(Unpacked { folder, root })
}

/// Checks the archive's list of entries: their paths, their sizes, and that `marker` is at the top level or in a folder
/// at the top level.
fn check(archive: &mut ZipArchive<Limited>, marker: &'static str) -> Result<(), UnpackError> {
    let mut room = MOST_BYTES;
    let (mut has_links, mut has_marker) = (false, false);
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(ArchiveError::from)?;
        let path = checked_path(&entry)?;
        room = room.checked_sub(entry.size()).ok_or(UnpackError::TooLarge)?;
        has_links |= entry.is_symlink();
        has_marker |= path.components().count() <= 2 && path.file_name().is_some_and(|name| name == marker);
    }
    // A link may lead to a folder that contains the marker, so an archive with links is not refused here.
    if has_marker || has_links { Ok(()) } else { Err(UnpackError::NoPackage(format!("no {marker}"), marker)) }
}

/// Returns the path of an entry. Fails like [`archive::checked_path`].
fn checked_path<R: Read>(entry: &ZipFile<'_, R>) -> Result<PathBuf, UnpackError> {
    let shown = || printable(&entry.name_raw()[..entry.name_raw().len().min(80)]);
    archive::checked_path(entry).map_err(|why| UnpackError::Entry(shown(), why))
}

/// Writes the content of the entry `name` to `path`. Fails if the content is larger than the archive's list of entries states,
/// or if `path` already exists.
fn write<R: Read>(entry: &mut ZipFile<'_, R>, path: &Path, name: &Path) -> Result<(), UnpackError> {
    if let Some(folder) = path.parent() {
        make_folder(folder, name)?;
    }
    let executable = entry.unix_mode().is_some_and(|mode| mode & 0o111 != 0);
    // A malicious archive can contain the same path twice, or as both a file and a folder. The second entry must not
    // replace the first.
    let mut file = File::options().write(true).create_new(true).open(path).map_err(|error| taken(name, error))?;
    let size = entry.size();
    let written = io::copy(&mut Stoppable(entry.take(size.saturating_add(1))), &mut file)?;
    file.set_permissions(fs::Permissions::from_mode(if executable { 0o755 } else { 0o644 }))?;
    if written > size { Err(UnpackError::Entry(shown(name), "is larger than the archive states")) } else { Ok(()) }
}

/// Makes a folder for the entry `name`, and the folders above it. Fails if an earlier entry is a file with one of these
/// paths.
fn make_folder(folder: &Path, name: &Path) -> Result<(), UnpackError> {
    fs::create_dir_all(folder).map_err(|error| taken(name, error))
}

/// Converts an error in making the file or folder of the entry `name`.
fn taken(name: &Path, error: io::Error) -> UnpackError {
    match error.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
            UnpackError::Entry(shown(name), "appears twice, or an earlier entry is a file where a folder must be")
        }
        _ => UnpackError::System(error),
    }
}

fn shown(name: &Path) -> String {
    printable(name.as_os_str().as_encoded_bytes())
}

/// Creates the symbolic links. The caller has already written all files, so no file is written through a link. Fails if
/// a link is broken or leads out of the target folder.
fn create_links(target: &Path, links: &[(PathBuf, String)]) -> Result<(), UnpackError> {
    let root = target.canonicalize()?;
    for (name, to) in links {
        let path = target.join(name);
        let folder = path.parent().unwrap_or(target);
        make_folder(folder, name)?;
        let stays = !Path::new(to).is_absolute()
            && folder.canonicalize()?.starts_with(&root)
            && folder.join(to).canonicalize().is_ok_and(|found| found.starts_with(&root));
        if !stays {
            let shown = printable(name.as_os_str().as_encoded_bytes());
            return Err(UnpackError::Link(shown, printable(to.as_bytes())));
        }
        std::os::unix::fs::symlink(to, &path).map_err(|error| taken(name, error))?;
    }
    Ok(())
}

/// Returns the package's folder: the target folder itself, or the only folder in it that contains the file `marker`.
/// Fails if there is no such folder, or more than one.
fn package_folder(target: &Path, marker: &'static str) -> Result<PathBuf, UnpackError> {
    if target.join(marker).is_file() {
        return Ok(target.to_path_buf());
    }
    let inner: Vec<_> = fs::read_dir(target)?.filter_map(Result::ok).map(|entry| entry.path()).collect();
    let mut packages = inner.iter().filter(|path| path.join(marker).is_file());
    match (packages.next(), packages.next()) {
        (Some(only), None) => Ok(only.clone()),
        (Some(_), Some(_)) => Err(UnpackError::NoPackage("several packages".to_owned(), marker)),
        (None, _) => Err(UnpackError::NoPackage(format!("no {marker}"), marker)),
    }
}
