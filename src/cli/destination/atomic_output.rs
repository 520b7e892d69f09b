//! An output file that has no name until it is complete, so that no incomplete file remains if the judge is killed.
//! There are two exceptions. A partial report, whose name ends in `.part`, remains for `--resume`. On file systems that
//! do not support files without a name, the file has a temporary name.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata, Permissions};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FlockOperation, Mode, OFlags};
use tempfile::TempPath;

use super::named::named;
use referee_files::temporary;
use referee_report::Destination;

pub(super) struct AtomicOutput {
    file: File,
    path: PathBuf,
    name: Name,
    /// The file at `path` when this output was opened; `None` if there was none.
    replaced: Option<FileId>,
}

/// A device and an inode number, which identify a file.
type FileId = (u64, u64);

/// The current name of the file.
enum Name {
    None,
    /// A temporary name, on file systems that do not support files without a name. Dropping this value removes the
    /// file.
    Temporary(TempPath),
    /// The name of a partial report.
    Part(PathBuf),
}

/// The ending of the name of a partial report.
const PART: &str = ".part";

/// Returns the name of the partial report for `path`.
pub(in crate::cli) fn part_of(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(PART);
    PathBuf::from(name)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

impl AtomicOutput {
    pub(super) fn new(path: PathBuf) -> io::Result<AtomicOutput> {
        refuse_long_names(&path)?;
        refuse_if_in_use(&part_of(&path))?;
        let folder = folder_of(&path);
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        if let Ok(file) = rustix::fs::openat(CWD, folder, flags, Mode::RUSR | Mode::WUSR) {
            return Ok(AtomicOutput { file: File::from(file), replaced: id_at(&path), path, name: Name::None });
        }
        // Some file systems do not support files without a name. If the folder is missing or not writable, the next
        // call fails with a clearer error.
        let (file, name) = tempfile::NamedTempFile::new_in(folder).map_err(temporary::without_name)?.into_parts();
        Ok(AtomicOutput { file, replaced: id_at(&path), path, name: Name::Temporary(name) })
    }

    /// Gives the file the name `to` and replaces an existing file.
    fn rename(&mut self, to: &Path) -> io::Result<()> {
        // After a crash of the machine, either the old or the new file must be complete.
        if to.exists() {
            self.file.sync_data()?;
        }
        match std::mem::replace(&mut self.name, Name::None) {
            // A file without a name cannot replace an existing file in one step, so it gets a temporary name first.
            Name::None => {
                let own = format!("/proc/self/fd/{}", self.file.as_raw_fd());
                let link = |path: &Path| {
                    rustix::fs::linkat(CWD, own.as_str(), CWD, path, AtFlags::SYMLINK_FOLLOW).map_err(io::Error::from)
                };
                let named = tempfile::Builder::new().make_in(folder_of(to), link).map_err(temporary::without_name)?;
                named.into_temp_path().persist(to).map_err(|error| error.error)
            }
            Name::Temporary(name) => name.persist(to).map_err(|error| error.error),
            // Two judges that start at the same moment do not see each other's lock. Both then write a partial report
            // of this name, and the later judge's file replaces the earlier one's.
            Name::Part(name) if !is_at(&self.file, &name) => Err(io::Error::other(format!(
                "another run has replaced the partial report {} of this run, so the report of this run is lost",
                name.display()
            ))),
            Name::Part(name) => std::fs::rename(name, to),
        }
    }
}

/// Fails if the name of the partial report is too long for the file system. The name of the report itself is shorter
/// and may still be allowed, so without this check, the run would fail only at its end.
fn refuse_long_names(path: &Path) -> io::Result<()> {
    /// The longest file name that Linux allows, in bytes.
    const LONGEST: usize = 255;
    let part = part_of(path);
    let length = part.file_name().map_or(0, OsStr::len);
    if length <= LONGEST {
        return Ok(());
    }
    let (own, most) = (length - PART.len(), LONGEST - PART.len());
    Err(io::Error::other(format!("the file name has {own} bytes, allowed: at most {most}")))
}

fn id(found: &Metadata) -> FileId {
    (found.dev(), found.ino())
}

/// Identifies the file or link at `path`; `None` if there is none.
fn id_at(path: &Path) -> Option<FileId> {
    path.symlink_metadata().ok().as_ref().map(id)
}

/// Returns whether the file at `path` is the open file.
fn is_at(file: &File, path: &Path) -> bool {
    file.metadata().ok().as_ref().map(id) == id_at(path)
}

/// Fails if another judge is writing the partial report `part`.
fn refuse_if_in_use(part: &Path) -> io::Result<()> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let Ok(there) = File::options().read(true).custom_flags(flags).open(part) else { return Ok(()) };
    match rustix::fs::flock(&there, FlockOperation::NonBlockingLockExclusive) {
        Err(rustix::io::Errno::WOULDBLOCK) => {
            Err(io::Error::other(format!("another run is writing its partial report {}", part.display())))
        }
        _ => Ok(()),
    }
}

impl Write for AtomicOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).map_err(|error| named(self.path.display(), error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Destination for AtomicOutput {
    fn keep_partial(&mut self) -> io::Result<()> {
        if matches!(self.name, Name::Part(_)) {
            return Ok(());
        }
        let part = part_of(&self.path);
        refuse_if_in_use(&part)?;
        // Errors are ignored, because some file systems have no locks. There, two judges can write the same partial
        // report.
        let _ = rustix::fs::flock(&self.file, FlockOperation::NonBlockingLockExclusive);
        self.rename(&part).map_err(|error| named(part.display(), error))?;
        self.name = Name::Part(part);
        Ok(())
    }

    fn complete(mut self: Box<Self>) -> io::Result<()> {
        // Only the owner can read an incomplete report. Everyone can read a complete one.
        self.file.set_permissions(Permissions::from_mode(0o644))?;
        let path = self.path.clone();
        let had_part = matches!(self.name, Name::Part(_));
        if id_at(&path) != self.replaced && id_at(&path).is_some() {
            // Another program has made a file with this name during the run. It stays.
            self.keep_partial()?;
            return Err(io::Error::other(format!(
                "{}: another program has written this file during the run, so it is not replaced; the report is in {}",
                path.display(),
                part_of(&path).display()
            )));
        }
        self.rename(&path).map_err(|error| named(path.display(), error))?;
        if !had_part {
            // Remove the partial report of an earlier unfinished run, because `--resume` would prefer it to this
            // report.
            let part = part_of(&path);
            let is_stale = || super::refuse_if_no_report(&part).is_ok() && refuse_if_in_use(&part).is_ok();
            if part.symlink_metadata().is_ok_and(|found| found.is_file()) && is_stale() {
                std::fs::remove_file(&part)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn begun(folder: &Path, text: &str) -> AtomicOutput {
        let mut file = AtomicOutput::new(folder.join("report")).unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    }

    #[test]
    fn a_file_that_another_program_writes_meanwhile_is_not_replaced() {
        for existed in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("report");
            if existed {
                fs::write(&path, "old").unwrap();
            }
            let file = begun(folder.path(), "new");
            fs::write(folder.path().join("theirs"), "theirs").unwrap();
            fs::rename(folder.path().join("theirs"), &path).unwrap();
            let error = Box::new(file).complete().unwrap_err().to_string();
            assert!(error.contains("another program has written this file during the run"), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
            assert_eq!(fs::read_to_string(part_of(&path)).unwrap(), "new");
        }
    }

    #[test]
    fn a_folder_with_the_name_of_the_partial_report_is_found_before_the_run() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        fs::create_dir(part_of(&path)).unwrap();
        let error = super::super::refuse_if_no_part(&path).unwrap_err().to_string();
        assert!(error.contains("report.part is a folder"), "{error}");
    }

    #[test]
    fn it_has_its_name_when_it_is_complete_and_none_before() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("report"), "old").unwrap();
        let file = begun(folder.path(), "new");
        assert_eq!(fs::read_to_string(folder.path().join("report")).unwrap(), "old");
        Box::new(file).complete().unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("report")).unwrap(), "new");
        assert_eq!(names(folder.path()), ["report"]);
        let mode = folder.path().join("report").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o644);
        drop(begun(folder.path(), "newer"));
        assert_eq!(names(folder.path()), ["report"]);
    }

    #[test]
    fn what_is_kept_stays_under_the_name_of_a_part_and_is_taken_up_by_the_next() {
        let folder = tempfile::tempdir().unwrap();
        for text in ["first", "second"] {
            let mut file = begun(folder.path(), text);
            file.keep_partial().unwrap();
            file.write_all(b"...").unwrap();
            assert_eq!(fs::read_to_string(folder.path().join("report.part")).unwrap(), format!("{text}..."));
        }
        let mut file = begun(folder.path(), "third");
        file.keep_partial().unwrap();
        Box::new(file).complete().unwrap();
        assert_eq!(names(folder.path()), ["report"]);
    }

    #[test]
    fn who_lost_the_part_to_another_does_not_take_it_for_the_report() {
        let folder = tempfile::tempdir().unwrap();
        let mut one = begun(folder.path(), "one");
        one.keep_partial().unwrap();
        fs::write(folder.path().join("new"), "other").unwrap();
        fs::rename(folder.path().join("new"), folder.path().join("report.part")).unwrap();
        let error = Box::new(one).complete().unwrap_err().to_string();
        assert!(error.contains("another run has replaced the partial report"), "{error}");
        assert_eq!(names(folder.path()), ["report.part"]);
    }

    #[test]
    fn two_runs_do_not_write_the_same_part() {
        let folder = tempfile::tempdir().unwrap();
        let mut one = begun(folder.path(), "one");
        one.keep_partial().unwrap();
        let error = AtomicOutput::new(folder.path().join("report")).err().unwrap().to_string();
        assert!(error.contains("another run is writing its partial report"), "{error}");
        Box::new(one).complete().unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("report")).unwrap(), "one");
    }
}
