//! The cache of scripts and test cases. The server never changes the content of an id, so an entry stays valid.
//!
//! An entry is a folder `KIND-ID-HASH` with the files as the server sent them. It is complete when it has its name. The
//! content is compared with the server's hash when an entry is made, and once more when a process first uses it.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use md5::{Digest, Md5};

use crate::tasks::FileContent;

/// The reason why files of the server cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// The server's files are not what they should be.
    #[error("{0}")]
    Unusable(String),
    /// They cannot be written to or read from the disk.
    #[error("the cache {0}: {1}")]
    System(String, io::Error),
}

/// A file of an entry, in memory.
struct NamedFile {
    name: String,
    content: Vec<u8>,
    is_executable: bool,
}

/// The cache.
pub(crate) struct FileCache {
    folder: PathBuf,
    /// The entries whose content this process has compared with the hash.
    verified: RefCell<BTreeSet<String>>,
}

impl FileCache {
    /// Opens the cache in `folder`, which is made if it does not exist.
    pub(crate) fn open(folder: &Path) -> Result<FileCache, FilesError> {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.map_err(|error| FilesError::System(folder.display().to_string(), error))?;
        Ok(FileCache { folder: folder.to_path_buf(), verified: RefCell::default() })
    }

    /// Returns the folder of a script, with its files. `hash` is the server's hash. `fetch` asks the server.
    pub(crate) fn script<E: From<FilesError>>(
        &self,
        kind: &str,
        id: &str,
        hash: &str,
        fetch: impl FnOnce() -> Result<Vec<FileContent>, E>,
    ) -> Result<PathBuf, E> {
        self.entry(kind, id, hash, hash_of_script, fetch)
    }

    /// Returns the folder of a test case, which contains `input` and `output`. `hash` is the server's hash.
    pub(crate) fn test_case<E: From<FilesError>>(
        &self,
        id: &str,
        hash: &str,
        fetch: impl FnOnce() -> Result<Vec<FileContent>, E>,
    ) -> Result<PathBuf, E> {
        self.entry("testcase", id, hash, hash_of_test_case, fetch)
    }

    fn entry<E: From<FilesError>>(
        &self,
        kind: &str,
        id: &str,
        hash: &str,
        hash_of: impl Fn(&[NamedFile]) -> String,
        fetch: impl FnOnce() -> Result<Vec<FileContent>, E>,
    ) -> Result<PathBuf, E> {
        let name = plain(&format!("{kind}-{id}-{hash}"));
        let path = self.folder.join(&name);
        if path.is_dir() {
            let is_verified = self.verified.borrow().contains(&name);
            if is_verified || read_folder(&path).is_ok_and(|files| hash.is_empty() || hash_of(&files) == hash) {
                self.verified.borrow_mut().insert(name);
                // The time of the last use decides which entries are removed first.
                let _ = File::open(&path).and_then(|folder| folder.set_modified(SystemTime::now()));
                return Ok(path);
            }
            fs::remove_dir_all(&path).map_err(|error| self.system(error))?;
        }
        let files = decoded(fetch()?)?;
        let found = hash_of(&files);
        if !hash.is_empty() && found != hash {
            return Err(FilesError::Unusable(format!("{kind} {id} has the hash {found}, expected {hash}")).into());
        }
        self.store(&path, &files).map_err(|error| self.system(error))?;
        self.verified.borrow_mut().insert(name);
        Ok(path)
    }

    fn store(&self, path: &Path, files: &[NamedFile]) -> io::Result<()> {
        let new = tempfile::Builder::new().prefix("new-").tempdir_in(&self.folder)?;
        write_files(new.path(), files)?;
        fs::rename(new.keep(), path)
    }

    /// Returns the folder with the product of a build, which `make` fills if it does not exist. `name` identifies
    /// everything that the product depends on.
    pub(crate) fn product<E>(
        &self,
        name: &str,
        make: impl FnOnce(&Path) -> Result<(), E>,
    ) -> Result<PathBuf, Result<FilesError, E>> {
        let path = self.folder.join(format!("built-{name}"));
        if path.is_dir() {
            return Ok(path);
        }
        let system = |error| Ok(self.system(error));
        let new = tempfile::Builder::new().prefix("new-").tempdir_in(&self.folder).map_err(system)?;
        make(new.path()).map_err(Err)?;
        fs::rename(new.keep(), &path).map_err(system)?;
        Ok(path)
    }

    /// Removes the entries that were not used for the longest time, until `bytes` are free on the disk or the cache is
    /// empty. Returns the free bytes; `None` if they are unknown.
    pub(crate) fn make_room(&self, bytes: u64) -> Option<u64> {
        let mut entries: Vec<_> = fs::read_dir(&self.folder).ok()?.filter_map(Result::ok).collect();
        entries.sort_by_key(|entry| entry.metadata().and_then(|found| found.modified()).ok());
        let mut entries = entries.into_iter();
        loop {
            let free = free_bytes(&self.folder)?;
            if free >= bytes {
                return Some(free);
            }
            let Some(oldest) = entries.next() else { return Some(free) };
            self.verified.borrow_mut().remove(&*oldest.file_name().to_string_lossy());
            let _ = fs::remove_dir_all(oldest.path());
        }
    }

    fn system(&self, error: io::Error) -> FilesError {
        FilesError::System(self.folder.display().to_string(), error)
    }
}

/// Returns the space that this user can still use on the disk of `folder`, in bytes; `None` if it is unknown.
pub fn free_bytes(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    found.f_bavail.checked_mul(found.f_frsize)
}

/// Writes the source files of a submission to `folder`, and returns their names in the order in which the server sent
/// them.
pub(crate) fn write_sources(folder: &Path, files: Vec<FileContent>) -> Result<Vec<String>, FilesError> {
    let files = decoded(files)?;
    write_files(folder, &files).map_err(|error| FilesError::System(folder.display().to_string(), error))?;
    Ok(files.into_iter().map(|file| file.name).collect())
}

/// Returns a name for a file, in which `_` stands for every character but letters, digits, `-` and `_`.
pub(crate) fn plain(text: &str) -> String {
    let is_plain = |one: &char| one.is_ascii_alphanumeric() || *one == '-' || *one == '_';
    text.chars().map(|one| if is_plain(&one) { one } else { '_' }).collect()
}

/// Decodes the files. Fails if a name leads out of the folder, or if the base64 is wrong.
fn decoded(files: Vec<FileContent>) -> Result<Vec<NamedFile>, FilesError> {
    let one = |file: FileContent| {
        let is_normal = |part| matches!(part, Component::Normal(_));
        if file.filename.is_empty()
            || file.filename.contains('\0')
            || !Path::new(&file.filename).components().all(is_normal)
        {
            return Err(FilesError::Unusable(format!("a file has the name {:?}", file.filename)));
        }
        let content = STANDARD.decode(file.content.as_bytes());
        let content =
            content.map_err(|error| FilesError::Unusable(format!("the file {:?}: {error}", file.filename)))?;
        Ok(NamedFile { name: file.filename, content, is_executable: file.is_executable })
    };
    files.into_iter().map(one).collect()
}

fn write_files(folder: &Path, files: &[NamedFile]) -> io::Result<()> {
    for file in files {
        let path = folder.join(&file.name);
        if let Some(above) = path.parent() {
            fs::create_dir_all(above)?;
        }
        let mut to = File::create(&path)?;
        to.write_all(&file.content)?;
        to.sync_data()?;
        fs::set_permissions(&path, Permissions::from_mode(if file.is_executable { 0o755 } else { 0o644 }))?;
    }
    Ok(())
}

fn read_folder(folder: &Path) -> io::Result<Vec<NamedFile>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next)? {
            let (entry, path) = entry.map(|entry| (entry.metadata(), entry.path()))?;
            let found = entry?;
            if found.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).map_err(io::Error::other)?.to_string_lossy().into_owned();
            let is_executable = found.permissions().mode() & 0o111 != 0;
            files.push(NamedFile { name, content: fs::read(&path)?, is_executable });
        }
    }
    Ok(files)
}

/// Returns DOMjudge's hash of a script: the MD5 sum of the sums, names and modes of its files, sorted by name.
fn hash_of_script(files: &[NamedFile]) -> String {
    let mut sorted: Vec<_> = files.iter().collect();
    sorted.sort_by(|one, other| one.name.as_bytes().cmp(other.name.as_bytes()));
    let parts = sorted
        .into_iter()
        .map(|file| format!("{}{}{}", md5(&file.content), file.name, if file.is_executable { "1" } else { "" }));
    md5(parts.collect::<String>().as_bytes())
}

/// Returns the MD5 sums of the input and of the answer, joined by `_`.
fn hash_of_test_case(files: &[NamedFile]) -> String {
    let of =
        |name: &str| files.iter().find(|file| file.name == name).map(|file| md5(&file.content)).unwrap_or_default();
    format!("{}_{}", of("input"), of("output"))
}

pub(crate) fn md5(bytes: &[u8]) -> String {
    format!("{:x}", Md5::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(name: &str, content: &str) -> FileContent {
        FileContent { filename: name.to_owned(), content: STANDARD.encode(content), is_executable: true }
    }

    #[test]
    fn the_hash_of_a_script_is_that_of_domjudge() {
        // md5("a") = 0cc175b9…, md5("b") = 92eb5ffe…; the sum of the text was computed with md5sum:
        // printf '%s' 0cc175b9c0f1b6a831c399e269772661build192eb5ffee6ae2fec3ad71c777531578frun1 | md5sum
        let files = decoded(vec![sent("run", "b"), sent("build", "a")]).unwrap();
        assert_eq!(hash_of_script(&files), EXPECTED);
    }

    const EXPECTED: &str = "0f8ebdb519826dafa04f0e8ed6a57169";

    #[test]
    fn an_entry_is_fetched_once_and_again_if_it_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let fetched = RefCell::new(0);
        let get = |cache: &FileCache| {
            cache.script("run", "4", EXPECTED, || {
                *fetched.borrow_mut() += 1;
                Ok::<_, FilesError>(vec![sent("run", "b"), sent("build", "a")])
            })
        };
        let cache = FileCache::open(folder.path()).unwrap();
        let path = get(&cache).unwrap();
        assert_eq!(fs::read(path.join("run")).unwrap(), b"b");
        get(&cache).unwrap();
        assert_eq!(*fetched.borrow(), 1);
        fs::write(path.join("run"), "damaged").unwrap();
        let path = get(&FileCache::open(folder.path()).unwrap()).unwrap();
        assert_eq!((*fetched.borrow(), fs::read(path.join("run")).unwrap()), (2, b"b".to_vec()));
    }

    #[test]
    fn wrong_hashes_and_names_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FileCache::open(folder.path()).unwrap();
        let error = cache.script("run", "4", "0", || Ok::<_, FilesError>(vec![sent("run", "b")])).unwrap_err();
        assert!(error.to_string().contains("expected 0"), "{error}");
        for name in ["../run", "/run", "", "a/../../b"] {
            let error = cache.script("run", "4", "", || Ok::<_, FilesError>(vec![sent(name, "b")])).unwrap_err();
            assert!(error.to_string().contains("a file has the name"), "{error}");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn the_oldest_entries_make_room() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FileCache::open(folder.path()).unwrap();
        cache.test_case("1", "", || Ok::<_, FilesError>(vec![sent("input", ""), sent("output", "")])).unwrap();
        cache.make_room(0).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        cache.make_room(u64::MAX).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
