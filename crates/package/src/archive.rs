//! Unpacks packages from archives. No entry of an archive can reach files outside the target folder.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use zip::read::ZipFile;

use super::archive_directory;
use super::version::is_legal;
use referee_files::regular::{self, Stoppable};
use referee_text::printable::printable;

/// The largest total size allowed for the unpacked files, in bytes. Real packages are far smaller; archives made to
/// fill a disk are larger.
pub(super) const MOST_BYTES: u64 = 4 << 30;

/// The largest number of files and folders allowed in an archive.
pub(super) const MOST_ENTRIES: usize = 100_000;

/// The longest path allowed in an archive, in bytes.
const LONGEST_PATH: usize = 1 << 10;

/// The largest number of components allowed in a path of an archive.
const DEEPEST_PATH: usize = 32;

/// The longest target of a symbolic link, in bytes. The rest of a longer target is not read.
const LONGEST_TARGET: u64 = 1 << 10;

/// The reason why an archive is not unpacked.
#[derive(Debug, thiserror::Error)]
pub(super) enum ArchiveError {
    #[error("cannot be read: {0}")]
    Unopened(#[source] io::Error),
    #[error("is not a ZIP archive, or its end is missing; if it was copied or downloaded, copy it again")]
    NoZip,
    #[error("cannot be read as a ZIP archive: {0}")]
    Unreadable(#[from] zip::result::ZipError),
    #[error("has {0} entries, allowed: at most {MOST_ENTRIES}")]
    TooMany(u64),
    #[error("is not a ZIP archive, or the list of its entries is larger than the 32 MiB allowed")]
    LargeDirectory,
    #[error("unpacks to more than the {MOST_BYTES} bytes allowed")]
    TooLarge,
    #[error("has entries that overlap; create the archive again")]
    Overlapping,
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
pub(super) fn unpack(path: &Path, marker: &'static str) -> Result<Unpacked, ArchiveError> {
    let mut archive = archive_directory::open(regular::open(path).map_err(ArchiveError::Unopened)?)?;
    archive_directory::check(&mut archive, path.metadata()?.len(), marker)?;
    let folder = referee_files::temporary::folder("archive")?;
    let stem = path.file_stem().and_then(|stem| stem.to_str()).filter(|stem| is_legal(stem));
    let target = folder.path().join(stem.unwrap_or("package"));
    fs::create_dir_all(&target)?;
    let mut links = Vec::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index)?;
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

/// Returns the entry's path. Fails if the entry is encrypted, or if its path is too long, has too many components or
/// leads out of the target folder.
pub(super) fn checked_path<R: Read>(entry: &ZipFile<'_, R>) -> Result<PathBuf, ArchiveError> {
    let refused = |why| Err(ArchiveError::Entry(printable(&entry.name_raw()[..entry.name_raw().len().min(80)]), why));
    if entry.encrypted() {
        return refused("is encrypted");
    }
    if entry.name_raw().len() > LONGEST_PATH {
        return refused("has a path that is too long: more than 1024 bytes");
    }
    if entry.name_raw().split(|&byte| byte == b'/').count() > DEEPEST_PATH {
        return refused("has a path that is too long: more than 32 parts");
    }
    match entry.enclosed_name() {
        Some(path) if path.components().all(|part| matches!(part, std::path::Component::Normal(_))) => Ok(path),
        _ => refused("leads out of the archive"),
    }
}

/// Writes the content of the entry `name` to `path`. Fails if the content is larger than the archive's list of entries states,
/// or if `path` already exists.
fn write<R: Read>(entry: &mut ZipFile<'_, R>, path: &Path, name: &Path) -> Result<(), ArchiveError> {
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
    if written > size { Err(ArchiveError::Entry(shown(name), "is larger than the archive states")) } else { Ok(()) }
}

/// Makes a folder for the entry `name`, and the folders above it. Fails if an earlier entry is a file with one of these
/// paths.
fn make_folder(folder: &Path, name: &Path) -> Result<(), ArchiveError> {
    fs::create_dir_all(folder).map_err(|error| taken(name, error))
}

/// Converts an error in making the file or folder of the entry `name`.
fn taken(name: &Path, error: io::Error) -> ArchiveError {
    match error.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
            ArchiveError::Entry(shown(name), "appears twice, or an earlier entry is a file where a folder must be")
        }
        _ => ArchiveError::System(error),
    }
}

fn shown(name: &Path) -> String {
    printable(name.as_os_str().as_encoded_bytes())
}

/// Creates the symbolic links. The caller has already written all files, so no file is written through a link. Fails if
/// a link is broken or leads out of the target folder.
fn create_links(target: &Path, links: &[(PathBuf, String)]) -> Result<(), ArchiveError> {
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
            return Err(ArchiveError::Link(shown, printable(to.as_bytes())));
        }
        std::os::unix::fs::symlink(to, &path).map_err(|error| taken(name, error))?;
    }
    Ok(())
}

/// Returns the package's folder: the target folder itself, or the only folder in it that contains the file `marker`.
/// Fails if there is no such folder, or more than one.
fn package_folder(target: &Path, marker: &'static str) -> Result<PathBuf, ArchiveError> {
    if target.join(marker).is_file() {
        return Ok(target.to_path_buf());
    }
    let inner: Vec<_> = fs::read_dir(target)?.filter_map(Result::ok).map(|entry| entry.path()).collect();
    let mut packages = inner.iter().filter(|path| path.join(marker).is_file());
    match (packages.next(), packages.next()) {
        (Some(only), None) => Ok(only.clone()),
        (Some(_), Some(_)) => Err(ArchiveError::NoPackage("several packages".to_owned(), marker)),
        (None, _) => Err(ArchiveError::NoPackage(format!("no {marker}"), marker)),
    }
}
