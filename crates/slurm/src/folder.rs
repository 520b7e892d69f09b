//! The working folder of a run, on a file system that all nodes share: the reports and logs of the parts.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use referee_files::regular;
use referee_files::trusted::check_entry;
use referee_text::printable::printable_line;
use rustix::fs::FlockOperation;

use crate::record::{self, Record};

/// The names in the folder beside those of the parts.
const RECORD: &str = "run.json";
const SCRIPT: &str = "script.sh";
const LOCK: &str = "lock";

/// The maximum size of the file that says how a task ended, in bytes.
const LARGEST_END: u64 = 1 << 10;

/// The number of bytes at the end of a log in which messages are searched for.
const LOG_BYTES: u64 = 64 << 10;

/// The working folder. No other waiting process can use it as long as this value exists, if the file system has locks.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    _lock: File,
}

/// The reason why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The folder has the parts of an earlier run.
    #[error("{0} has the parts of an earlier run")]
    Used(PathBuf),
    /// The folder has files that are not those of a run.
    #[error("{0} has files that are no parts of a run")]
    Foreign(PathBuf),
    /// Another process waits for the run in the folder.
    #[error("another referee waits for the run in {0}")]
    Busy(PathBuf),
    /// Another user may have written the files.
    #[error("{0} belongs to another user, or other users can write to it")]
    Untrusted(PathBuf),
    /// The record of the run is damaged.
    #[error("{path}: {what}", path = .0.display(), what = .1)]
    Damaged(PathBuf, String),
    /// The folder cannot be made, read or written.
    #[error("{path}: {error}", path = .0.display(), error = .1)]
    Inaccessible(PathBuf, io::Error),
}

/// How a task ended, as its script wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TaskEnd {
    /// The number of the array job.
    pub(crate) job: u32,
    /// The exit code of the judge.
    pub(crate) code: i32,
    /// Whether the report of the part was complete.
    pub(crate) is_complete: bool,
    /// The name of the node.
    pub(crate) node: String,
}

impl TaskEnd {
    /// Parses `JOB CODE complete|partial NODE`. Returns `None` for other texts.
    fn parse(text: &str) -> Option<TaskEnd> {
        let mut words = text.split_whitespace();
        let (job, code) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let is_complete = match words.next()? {
            "complete" => true,
            "partial" => false,
            _ => return None,
        };
        Some(TaskEnd { job, code, is_complete, node: printable_line(words.next().unwrap_or("an unknown node")) })
    }
}

impl Folder {
    /// Takes the folder `path`, and makes it if it is missing. `path` is absolute. If `resumes`, the folder may have the
    /// parts of an earlier run, whose record is returned. Fails if the folder has other files, if another process uses
    /// it, or if another user may have written the files.
    pub fn take(path: &Path, resumes: bool) -> Result<(Folder, Option<Record>), FolderError> {
        let inaccessible = |error| FolderError::Inaccessible(path.to_path_buf(), error);
        match DirBuilder::new().mode(0o700).create(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => made.map_err(inaccessible)?,
        }
        if check_entry(&path.metadata().map_err(inaccessible)?).is_err() {
            return Err(FolderError::Untrusted(path.to_path_buf()));
        }
        let is_empty = fs::read_dir(path).map_err(inaccessible)?.next().is_none();
        let record = path.join(RECORD);
        if !is_empty && !path.join(LOCK).exists() && !record.exists() {
            return Err(FolderError::Foreign(path.to_path_buf()));
        }
        if record.exists() && !resumes {
            return Err(FolderError::Used(path.to_path_buf()));
        }
        let folder = Folder { path: path.to_path_buf(), _lock: lock(path)? };
        let record = if record.exists() { Some(folder.record()?) } else { None };
        Ok((folder, record))
    }

    /// Returns the absolute path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn of_part(&self, part: usize, ending: &str) -> PathBuf {
        self.path.join(format!("part-{part}.{ending}"))
    }

    /// Returns the path of the report of a part. It exists once the report is complete.
    pub fn report(&self, part: usize) -> PathBuf {
        self.of_part(part, "jsonl")
    }

    /// Returns the path of the report of a part as long as it is incomplete.
    pub fn partial_report(&self, part: usize) -> PathBuf {
        self.of_part(part, "jsonl.part")
    }

    /// Returns the path of the log of a part.
    pub fn log(&self, part: usize) -> PathBuf {
        self.of_part(part, "log")
    }

    /// Returns the path of the batch script.
    pub fn script(&self) -> PathBuf {
        self.path.join(SCRIPT)
    }

    /// Returns how the last task of a part ended; `None` if its script has not said so.
    pub(crate) fn end(&self, part: usize) -> Option<TaskEnd> {
        TaskEnd::parse(&regular::read_to_string(&self.of_part(part, "end"), LARGEST_END).ok()?)
    }

    /// Returns whether no job of the run was submitted, as far as is known.
    pub fn has_no_jobs(&self) -> bool {
        self.record().is_ok_and(|record| record.jobs().is_empty())
    }

    fn record(&self) -> Result<Record, FolderError> {
        let path = self.path.join(RECORD);
        let bytes =
            regular::read(&path, record::MOST_BYTES).map_err(|error| FolderError::Inaccessible(path.clone(), error))?;
        Record::parse(&bytes).map_err(|what| FolderError::Damaged(path, what))
    }

    /// Writes the record of the run.
    pub fn write_record(&self, record: &Record) -> io::Result<()> {
        self.write(&self.path.join(RECORD), &record.text())
    }

    /// Writes the batch script.
    pub fn write_script(&self, text: &[u8]) -> io::Result<()> {
        self.write(&self.script(), text)
    }

    /// Writes a file as a whole, so that a crash leaves the old one or the new one.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(&self.path)?;
        file.write_all(bytes)?;
        file.as_file().sync_data()?;
        file.persist(path).map(drop).map_err(|error| error.error)
    }

    /// Makes a complete report partial again, so that a task checks each of its results. Does nothing if the part has no
    /// complete report.
    pub fn reopen(&self, part: usize) -> io::Result<()> {
        match fs::rename(self.report(part), self.partial_report(part)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            renamed => renamed,
        }
    }

    fn end_of_log(&self, part: usize) -> Option<String> {
        let mut file = regular::open(&self.log(part)).ok()?;
        let size = file.metadata().ok()?.len();
        file.seek(SeekFrom::Start(size.saturating_sub(LOG_BYTES))).ok()?;
        let mut bytes = Vec::new();
        file.take(LOG_BYTES).read_to_end(&mut bytes).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Returns the last error in the log of a part, or else its last line. `None` if there is no log, for example because
    /// the node does not have the folder.
    pub(crate) fn last_words(&self, part: usize) -> Option<String> {
        let log = self.end_of_log(part)?;
        let error = log.lines().rfind(|line| line.starts_with("error: "));
        error.or_else(|| log.lines().rfind(|line| !line.trim().is_empty())).map(printable_line)
    }

    /// Returns the warnings in the logs of all parts, each with the number of parts that have it.
    pub fn warnings(&self, parts: usize) -> BTreeMap<String, usize> {
        let mut found = BTreeMap::new();
        for part in 1..=parts {
            let log = self.end_of_log(part).unwrap_or_default();
            let mut own: Vec<_> = log.lines().filter_map(|line| line.strip_prefix("warning: ")).collect();
            own.sort_unstable();
            own.dedup();
            for line in own {
                *found.entry(printable_line(line)).or_default() += 1;
            }
        }
        found
    }

    /// Removes the files of the run, and then the folder if it is empty. Other files stay.
    pub fn remove(self, parts: usize) -> io::Result<()> {
        let of_parts = (1..=parts)
            .flat_map(|part| ["jsonl", "jsonl.part", "log", "end", "end.new"].map(|ending| self.of_part(part, ending)));
        // The record goes last: without it, a later run could not use the rest.
        let others = [SCRIPT, RECORD, LOCK].map(|name| self.path.join(name));
        for path in of_parts.chain(others) {
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        fs::remove_dir(&self.path)
    }
}

/// Moves a report aside that cannot be used. A task would refuse to replace it. Returns the new path.
pub(crate) fn set_aside(report: &Path) -> io::Result<PathBuf> {
    for number in 1..1000 {
        let mut name = report.as_os_str().to_owned();
        name.push(format!(".broken-{number}"));
        let path = PathBuf::from(name);
        if path.symlink_metadata().is_err() {
            return fs::rename(report, &path).map(|()| path);
        }
    }
    Err(io::Error::other("there are too many broken reports"))
}

/// Locks the folder. Fails if another process has locked it.
fn lock(folder: &Path) -> Result<File, FolderError> {
    let path = folder.join(LOCK);
    let file = OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(&path);
    let file = file.map_err(|error| FolderError::Inaccessible(path, error))?;
    match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Err(rustix::io::Errno::WOULDBLOCK) => Err(FolderError::Busy(folder.to_path_buf())),
        // Some file systems of clusters have no locks.
        _ => Ok(file),
    }
}

#[cfg(test)]
mod tests;
