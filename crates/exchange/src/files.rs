//! The files of a package that is being created. Generated files are held in memory. For copied files, only the path of
//! the original is held.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, Permissions};
use std::io::{self, Seek, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use referee_files::regular::{self, Stoppable};
use referee_files::temporary;
use referee_sandbox::interrupt;

/// What to do if there is already a file at the path of the new archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// The file stays, and the archive is not written.
    Keep,
    /// The archive replaces the file.
    Replace,
}

/// Files, sorted by their path relative to the package's folder.
#[derive(Clone, Debug, Default)]
pub struct Files(BTreeMap<String, Entry>);

#[derive(Clone, Debug)]
struct Entry {
    content: Content,
    executable: bool,
}

/// The content of a file.
#[derive(Clone, Debug)]
pub(super) enum Content {
    Bytes(Vec<u8>),
    CopyOf(PathBuf),
}

impl Files {
    /// Adds a file with this text. A second file with the same path replaces the first.
    pub(super) fn text(&mut self, path: impl Into<String>, text: impl Into<Vec<u8>>) {
        self.0.insert(path.into(), Entry { content: Content::Bytes(text.into()), executable: false });
    }

    /// Adds an executable script.
    pub(super) fn script(&mut self, path: impl Into<String>, text: impl Into<Vec<u8>>) {
        self.0.insert(path.into(), Entry { content: Content::Bytes(text.into()), executable: true });
    }

    /// Adds a copy of the file `from`, including its execute permission.
    pub(super) fn copy(&mut self, path: impl Into<String>, from: &Path) {
        let executable = from.metadata().is_ok_and(|found| found.permissions().mode() & 0o111 != 0);
        self.0.insert(path.into(), Entry { content: Content::CopyOf(from.to_path_buf()), executable });
    }

    /// Replaces the content of an existing file and keeps its mode. Does nothing if there is no such file.
    pub(super) fn replace(&mut self, path: &str, bytes: Vec<u8>) {
        if let Some(entry) = self.0.get_mut(path) {
            entry.content = Content::Bytes(bytes);
        }
    }

    /// Removes a file.
    pub(super) fn remove(&mut self, path: &str) {
        self.0.remove(path);
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    /// Returns the file at this path and the files in the folder at this path, sorted.
    pub(super) fn at(&self, path: &str) -> Vec<String> {
        let below = format!("{path}/");
        let inside = self.0.range(below.clone()..).map(|(path, _)| path).take_while(|path| path.starts_with(&below));
        self.0.get_key_value(path).map(|(path, _)| path).into_iter().chain(inside).cloned().collect()
    }

    /// Reads a whole file. Fails if there is no such file or it cannot be read.
    pub(super) fn bytes(&self, path: &str) -> io::Result<Vec<u8>> {
        match self.0.get(path).map(|entry| &entry.content) {
            Some(Content::Bytes(bytes)) => Ok(bytes.clone()),
            Some(Content::CopyOf(from)) => regular::read(from, regular::LARGEST_BYTES),
            None => Err(io::Error::from(io::ErrorKind::NotFound)),
        }
    }

    /// Writes all files below `folder`, which must exist.
    pub(super) fn write_below(&self, folder: &Path) -> io::Result<()> {
        self.check_size()?;
        for (path, entry) in &self.0 {
            fail_if_interrupted()?;
            let target = folder.join(path);
            if let Some(above) = target.parent() {
                fs::create_dir_all(above)?;
            }
            match &entry.content {
                Content::Bytes(bytes) => fs::write(&target, bytes)?,
                Content::CopyOf(from) => {
                    let file = regular::open(from).map_err(|error| with_path(from, &error))?;
                    io::copy(&mut Stoppable(file), &mut File::create(&target)?)?;
                }
            }
            fs::set_permissions(&target, Permissions::from_mode(if entry.executable { 0o755 } else { 0o644 }))?;
        }
        Ok(())
    }

    /// Writes all files into the archive `path`, below the folder `top` if that is given. The same files give the same
    /// bytes: entries are sorted and have no times. The archive is first written under a temporary name. It is renamed
    /// to `path` only if `check` accepts it.
    pub(super) fn write_archive<E: From<io::Error>>(
        &self,
        (path, existing): (&Path, Existing),
        top: Option<&str>,
        check: impl FnOnce(&Path) -> Result<(), E>,
    ) -> Result<(), E> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = tempfile::Builder::new().prefix(".referee-").suffix(".zip").tempfile_in(folder);
        let mut file = file.map_err(temporary::without_name)?;
        self.zip(file.as_file_mut(), top)?;
        check(file.path())?;
        fail_if_interrupted()?;
        file.as_file().set_permissions(Permissions::from_mode(0o644))?;
        let renamed = match existing {
            Existing::Keep => NamedTempFile::persist_noclobber(file, path).map(drop),
            Existing::Replace => NamedTempFile::persist(file, path).map(drop),
        };
        renamed.map_err(|error| E::from(error.error))
    }

    /// Fails if the files take more than [`MOST_BYTES`]. The error names the largest file and its size.
    fn check_size(&self) -> io::Result<()> {
        let bytes = |entry: &Entry| match &entry.content {
            Content::Bytes(bytes) => bytes.len() as u64,
            Content::CopyOf(from) => from.metadata().map_or(0, |found| found.len()),
        };
        let total = self.0.values().map(bytes).fold(0, u64::saturating_add);
        let largest = self.0.iter().max_by_key(|(_, entry)| bytes(entry));
        match largest {
            Some((path, entry)) if total > MOST_BYTES => Err(io::Error::new(
                io::ErrorKind::FileTooLarge,
                format!(
                    "the files have {total} bytes, allowed: at most {MOST_BYTES}; the largest is {path} with {} bytes",
                    bytes(entry)
                ),
            )),
            _ => Ok(()),
        }
    }

    fn zip(&self, out: &mut (impl Write + Seek), top: Option<&str>) -> io::Result<()> {
        self.check_size()?;
        let mut zip = ZipWriter::new(out);
        if let Err(error) = self.add_to(&mut zip, top) {
            // Dropping the writer would try to write the rest of the archive and print an error to standard error. So
            // the writer is forgotten instead.
            std::mem::forget(zip);
            return Err(error);
        }
        zip.finish()?;
        Ok(())
    }

    fn add_to(&self, zip: &mut ZipWriter<impl Write + Seek>, top: Option<&str>) -> io::Result<()> {
        let plain = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default());
        let top = top.map(|top| format!("{top}/")).unwrap_or_default();
        // DOMjudge finds a submission of several files only if its folder has an entry in the archive. So every folder
        // gets an entry.
        let mut folders = BTreeSet::new();
        for (path, entry) in &self.0 {
            fail_if_interrupted()?;
            let path = format!("{top}{path}");
            for (end, _) in path.match_indices('/') {
                if folders.insert(path[..=end].to_owned()) {
                    zip.add_directory(&path[..=end], plain.unix_permissions(0o755))?;
                }
            }
            let options = plain.unix_permissions(if entry.executable { 0o755 } else { 0o644 });
            match &entry.content {
                Content::Bytes(bytes) => {
                    zip.start_file(&path, options.large_file(bytes.len() as u64 >= LARGE_BYTES))?;
                    zip.write_all(bytes)?;
                }
                Content::CopyOf(from) => {
                    let file = regular::open(from).map_err(|error| with_path(from, &error))?;
                    zip.start_file(&path, options.large_file(file.metadata()?.len() >= LARGE_BYTES))?;
                    io::copy(&mut Stoppable(file), zip)?;
                }
            }
        }
        Ok(())
    }
}

/// Fails if the user has interrupted the judge. Functions that write several files call it before each file.
fn fail_if_interrupted() -> io::Result<()> {
    if interrupt::happened() { Err(io::Error::from(io::ErrorKind::Interrupted)) } else { Ok(()) }
}

/// Adds the file's path to an error.
fn with_path(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Maximum total size of the files, in bytes. No package with larger files can be read from an archive.
const MOST_BYTES: u64 = 4 << 30;

/// The smallest size, in bytes, of a file that needs the larger size fields of the archive format (ZIP64).
const LARGE_BYTES: u64 = u32::MAX as u64;

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Files {
        let mut files = Files::default();
        files.text("problem.yaml", "name: x\n");
        files.script("output_validators/check/run", "#!/bin/sh\n");
        files.text("data/secret/1.in", "1\n");
        files
    }

    #[test]
    fn files_that_no_archive_may_hold_are_refused_before_they_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let sparse = folder.path().join("sparse");
        File::create(&sparse).unwrap().set_len(300 << 30).unwrap();
        let mut files = some();
        files.copy("attic/x", &sparse);
        let error = files.write_below(&folder.path().join("new")).unwrap_err().to_string();
        assert!(error.contains("the largest is attic/x with 322122547200 bytes"), "{error}");
        assert!(files.zip(&mut io::Cursor::new(Vec::new()), None).is_err());
    }

    #[test]
    fn the_same_files_give_the_same_archive() {
        let folder = tempfile::tempdir().unwrap();
        let archive = |name: &str| {
            let path = folder.path().join(name);
            some().write_archive((&path, Existing::Replace), Some("sum"), |_| Ok::<(), io::Error>(())).unwrap();
            fs::read(path).unwrap()
        };
        assert_eq!(archive("a.zip"), archive("b.zip"));
        let mut names = zip::ZipArchive::new(File::open(folder.path().join("a.zip")).unwrap()).unwrap();
        let names: Vec<_> = (0..names.len()).map(|index| names.by_index(index).unwrap().name().to_owned()).collect();
        let wanted = [
            "sum/",
            "sum/data/",
            "sum/data/secret/",
            "sum/data/secret/1.in",
            "sum/output_validators/",
            "sum/output_validators/check/",
            "sum/output_validators/check/run",
            "sum/problem.yaml",
        ];
        assert_eq!(names, wanted);
    }

    #[test]
    fn a_file_that_was_made_meanwhile_is_replaced_only_if_it_may_be() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sum.zip");
        let archive = |existing| some().write_archive((&path, existing), None, |_| fs::write(&path, "mine"));
        assert_eq!(archive(Existing::Keep).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"mine");
        archive(Existing::Replace).unwrap();
        assert_ne!(fs::read(&path).unwrap(), b"mine");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_archive_that_does_not_pass_its_check_is_not_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sum.zip");
        let refused = some().write_archive((&path, Existing::Replace), None, |_| Err(io::Error::other("no")));
        assert!(refused.is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
