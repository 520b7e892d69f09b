//! The journal of a judgehost: the tasks that the server has handed out and that are not finished.
//!
//! The server never hands out a task again that it gave to a judgehost which was then killed (DOMjudge #2461). So each
//! batch of tasks is on disk before the first of them is run. After a restart, the judgehost finishes what it finds in
//! the journal. A result is in the journal before it is sent, so that it is sent again after a restart instead of
//! measured again.
//!
//! The file has one JSON object per line, an [`Entry`]. A judgehost that dies while it writes leaves the beginning of an
//! entry, which is removed when the journal is opened. After a power loss, this line may end in zeros. Anything else at
//! the end is an error, because it is not the judgehost's. The journal is emptied after each batch.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};

use crate::tasks::{Id, Task};

/// The names and values of a form that reports a result.
pub(crate) type StoredForm = Vec<(String, String)>;

/// One line of the journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Entry {
    /// The server with this base URL has handed out these tasks.
    Batch { server: String, tasks: Vec<Task> },
    /// The server knows whether the submission of this judging compiles.
    Compiled { job: Id, success: bool },
    /// A task has this result. It may have been sent.
    Result { task: Id, form: StoredForm },
    /// The server has the result of this task.
    Sent(Id),
    /// The server needs no further result for this judging.
    Finished(Id),
}

/// The work that is not finished.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Pending {
    /// The base URL of the server whose tasks these are; `None` if there are none.
    pub(crate) server: Option<String>,
    /// All tasks of the batch, in the order of judging.
    pub(crate) tasks: Vec<Task>,
    /// Whether the submission of a judging compiles, for the judgings of which the server knows it.
    pub(crate) compiled: BTreeMap<Id, bool>,
    /// The results that the server may not have.
    pub(crate) results: BTreeMap<Id, StoredForm>,
    /// The tasks whose results the server has.
    pub(crate) sent: BTreeSet<Id>,
    /// The judgings for which the server needs no further result.
    pub(crate) finished: BTreeSet<Id>,
}

/// The journal of one judgehost. No other process can open it at the same time.
#[derive(Debug)]
pub(crate) struct Journal {
    file: Arc<File>,
    path: PathBuf,
}

/// An entry that is written, but may be lost if the machine loses power.
pub(crate) struct Unsynced {
    file: Arc<File>,
    path: PathBuf,
}

impl Unsynced {
    /// Waits until the entry is on disk.
    pub(crate) fn sync(self) -> Result<(), JournalError> {
        self.file.sync_data().map_err(|source| not_written(&self.path, source))
    }
}

/// The reason why the journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Another process has the journal open.
    #[error("{0}: another judgehost with this name runs; give this one another --name")]
    InUse(String),
    /// The journal cannot be read or written.
    #[error("{file}: the journal cannot be {doing}: {source}")]
    System {
        /// The path of the journal.
        file: String,
        /// What failed: `read` or `written`.
        doing: &'static str,
        /// Why it failed.
        source: io::Error,
    },
    /// A line of the journal is damaged.
    #[error(
        "{file}:{line}: the journal is damaged: {reason}; move the file away, and rejudge the submissions that wait"
    )]
    Damaged {
        /// The path of the journal.
        file: String,
        /// The number of the line, counted from 1.
        line: usize,
        /// Why it cannot be read.
        reason: String,
    },
}

impl Journal {
    /// Opens the journal in `folder`, and returns it with the work that is not finished. Fails if another process has it
    /// open, or if it cannot be used.
    pub(crate) fn open(folder: &Path) -> Result<(Journal, Pending), JournalError> {
        let path = folder.join("journal.jsonl");
        let unreadable = |source| JournalError::System { file: path.display().to_string(), doing: "read", source };
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(&path);
        let mut file = opened.map_err(unreadable)?;
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
            return Err(JournalError::InUse(path.display().to_string()));
        }
        if !file.metadata().map_err(unreadable)?.is_file() {
            return Err(unreadable(io::Error::other("it is not a regular file")));
        }
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(unreadable)?;
        // Only a complete line counts. A judgehost acts on an entry only after the whole line is on disk.
        let complete = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let checked = pending(&text[..complete]).and_then(|pending| {
            let line = text[..complete].split(|&byte| byte == b'\n').count();
            check_cut_line(&text[complete..]).map(|()| pending).map_err(|reason| (line, reason))
        });
        let pending = checked.map_err(|(line, reason)| JournalError::Damaged {
            file: path.display().to_string(),
            line,
            reason,
        })?;
        let mut journal = Journal { file: Arc::new(file), path };
        let cut = journal.cut(complete as u64);
        // The name of a new file is on disk only after this.
        let synced = cut
            .and_then(|()| journal.file.sync_all())
            .and_then(|()| File::open(folder))
            .and_then(|folder| folder.sync_all());
        synced.map_err(|source| not_written(&journal.path, source))?;
        Ok((journal, pending))
    }

    /// Returns the path of the file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes that the server with this base URL has handed out `tasks`. They are on disk when this returns.
    pub(crate) fn begin(&mut self, server: &str, tasks: &[Task]) -> Result<(), JournalError> {
        self.append(&Entry::Batch { server: server.to_owned(), tasks: tasks.to_vec() })?.sync()
    }

    /// Writes that the server knows whether the submission of a judging compiles. If the entry is lost, the judgehost
    /// compiles and reports again.
    pub(crate) fn compiled(&mut self, job: &Id, success: bool) -> Result<(), JournalError> {
        self.append(&Entry::Compiled { job: job.clone(), success }).map(drop)
    }

    /// Writes that the server needs no further result for a judging. If the entry is lost, the judgehost sends results
    /// that the server does not need.
    pub(crate) fn finished(&mut self, job: &Id) -> Result<(), JournalError> {
        self.append(&Entry::Finished(job.clone())).map(drop)
    }

    /// Writes the result of a task. The caller syncs it before it sends the result.
    pub(crate) fn result(&mut self, task: &Id, form: &StoredForm) -> Result<Unsynced, JournalError> {
        self.append(&Entry::Result { task: task.clone(), form: form.clone() })
    }

    /// Writes that the server has the result of a task. If the entry is lost, the judgehost sends the result again.
    pub(crate) fn sent(&mut self, task: &Id) -> Result<(), JournalError> {
        self.append(&Entry::Sent(task.clone())).map(drop)
    }

    /// Empties the journal, because the batch is finished. Until [`Journal::sync`] or the next batch, a loss of power can
    /// bring the batch back. It is then finished once more.
    pub(crate) fn end(&mut self) -> Result<(), JournalError> {
        self.cut(0).map_err(|source| not_written(&self.path, source))
    }

    /// Waits until the journal is on disk as it is.
    pub(crate) fn sync(&self) -> Result<(), JournalError> {
        self.file.sync_all().map_err(|source| not_written(&self.path, source))
    }

    fn append(&mut self, entry: &Entry) -> Result<Unsynced, JournalError> {
        let failed = |source| not_written(&self.path, source);
        let mut line = serde_json::to_vec(entry).map_err(|error| failed(error.into()))?;
        line.push(b'\n');
        let before = (&*self.file).stream_position().map_err(failed)?;
        if let Err(source) = (&*self.file).write_all(&line) {
            // A part of a line, for example on a full disk, must not come before the next entry.
            let _ = self.cut(before);
            return Err(not_written(&self.path, source));
        }
        Ok(Unsynced { file: Arc::clone(&self.file), path: self.path.clone() })
    }

    /// Removes everything from the byte `end` on.
    fn cut(&mut self, end: u64) -> io::Result<()> {
        self.file.set_len(end)?;
        (&*self.file).seek(SeekFrom::Start(end)).map(drop)
    }
}

/// Returns the journal. A thread that panicked has written whole entries.
pub(crate) fn locked(journal: &Mutex<Journal>) -> MutexGuard<'_, Journal> {
    journal.lock().unwrap_or_else(PoisonError::into_inner)
}

fn not_written(path: &Path, source: io::Error) -> JournalError {
    JournalError::System { file: path.display().to_string(), doing: "written", source }
}

/// Reads complete lines. Fails with the number of the damaged line and the reason.
fn pending(text: &[u8]) -> Result<Pending, (usize, String)> {
    let mut pending = Pending::default();
    for (index, line) in text.split(|&byte| byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
        match serde_json::from_slice(line).map_err(|error| (index + 1, error.to_string()))? {
            Entry::Batch { server, tasks } => pending = Pending { server: Some(server), tasks, ..Pending::default() },
            Entry::Compiled { job, success } => {
                pending.compiled.insert(job, success);
            }
            Entry::Finished(job) => {
                pending.finished.insert(job);
            }
            Entry::Result { task, form } => {
                pending.results.insert(task, form);
            }
            Entry::Sent(task) => {
                pending.results.remove(&task);
                pending.sent.insert(task);
            }
        }
    }
    Ok(pending)
}

/// Fails unless the last line, which has no end, is empty or the beginning of an entry.
fn check_cut_line(line: &[u8]) -> Result<(), String> {
    let length = line.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    match serde_json::from_slice::<Entry>(&line[..length]) {
        Err(error) if !error.is_eof() => Err(error.to_string()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(id: &str) -> Task {
        Task { kind: "judging_run".into(), judgetaskid: Id(id.into()), ..Task::default() }
    }

    fn written(journal: &mut Journal) -> Pending {
        journal.begin("https://one.example/api/v4", &[task("1"), task("2"), task("3")]).unwrap();
        journal.compiled(&Id("9".into()), true).unwrap();
        let form = |word: &str| vec![("runresult".to_owned(), word.to_owned())];
        journal.result(&Id("1".into()), &form("correct")).unwrap().sync().unwrap();
        journal.sent(&Id("1".into())).unwrap();
        journal.result(&Id("2".into()), &form("wrong-answer")).unwrap().sync().unwrap();
        Pending {
            server: Some("https://one.example/api/v4".into()),
            tasks: vec![task("1"), task("2"), task("3")],
            compiled: [(Id("9".into()), true)].into(),
            results: [(Id("2".into()), form("wrong-answer"))].into(),
            sent: [Id("1".into())].into(),
            finished: BTreeSet::new(),
        }
    }

    #[test]
    fn what_was_written_is_found_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let (mut journal, before) = Journal::open(folder.path()).unwrap();
        assert_eq!(before, Pending::default());
        let expected = written(&mut journal);
        drop(journal);
        let (mut journal, found) = Journal::open(folder.path()).unwrap();
        assert_eq!(found, expected);
        journal.end().unwrap();
        drop(journal);
        assert_eq!(Journal::open(folder.path()).unwrap().1, Pending::default());
    }

    #[test]
    fn a_cut_last_line_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let (mut journal, _) = Journal::open(folder.path()).unwrap();
        written(&mut journal);
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        let ends = (0..whole.len()).filter(|&end| whole[end] == b'\n');
        // Cut in the middle of a line, before its end and after it.
        for length in ends.flat_map(|end| [end - 10, end, end + 1]) {
            std::fs::write(&path, &whole[..length]).unwrap();
            let (mut journal, found) = Journal::open(folder.path()).unwrap();
            let lines = whole[..length].split(|&byte| byte == b'\n').count() - 1;
            assert_eq!(found.tasks.len(), if lines > 0 { 3 } else { 0 }, "{length}");
            assert_eq!(found.compiled.len(), usize::from(lines > 1), "{length}");
            // The next entry begins on a line of its own.
            journal.sent(&Id("3".into())).unwrap();
            drop(journal);
            let (_, found) = Journal::open(folder.path()).unwrap();
            assert!(found.sent.contains(&Id("3".into())), "{length}");
        }
    }

    #[test]
    fn a_damaged_line_is_an_error_with_its_number() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("journal.jsonl"), "{\"sent\":\"1\"}\n{\"se\n{\"sent\":\"2\"}\n").unwrap();
        let error = Journal::open(folder.path()).unwrap_err().to_string();
        assert!(error.contains("journal.jsonl:2: the journal is damaged"), "{error}");
    }

    #[test]
    fn an_end_that_is_no_entry_is_an_error_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        for (text, line) in [("notes", 1), ("{\"sent\":\"1\"}\n{\"lost\":", 2), ("{\"sent\":\"1\"}\n\0\0{", 2)] {
            std::fs::write(&path, text).unwrap();
            let error = Journal::open(folder.path()).unwrap_err().to_string();
            assert!(error.contains(&format!("journal.jsonl:{line}: the journal is damaged")), "{text}: {error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        // After a power loss, the end may be zeros.
        std::fs::write(&path, "{\"sent\":\"1\"}\n{\"sent\":\0\0\0").unwrap();
        assert_eq!(Journal::open(folder.path()).unwrap().1.sent, [Id("1".into())].into());
    }

    #[test]
    fn two_judgehosts_cannot_share_a_journal() {
        let folder = tempfile::tempdir().unwrap();
        let first = Journal::open(folder.path()).unwrap();
        assert!(matches!(Journal::open(folder.path()), Err(JournalError::InUse(_))));
        drop(first);
        assert!(Journal::open(folder.path()).is_ok());
    }
}
