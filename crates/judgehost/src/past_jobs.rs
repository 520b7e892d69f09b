//! Keeps the tasks of the last judgings on disk. The jury can ask for the whole output of a test case later, and the task
//! of that request does not repeat how the submission is run.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};

use crate::files::md5;
use crate::tasks::{Id, Task};

/// The number of judgings that are always kept.
const LEAST_JOBS: usize = 500;

/// The number of judgings after which the oldest ones are removed again. To find the oldest ones, the judgehost looks at
/// all of them, so it does that seldom.
const BETWEEN_REMOVALS: usize = 100;

/// The tasks of the last judgings.
pub(crate) struct PastJobs {
    folder: PathBuf,
    /// The number of judgings that were remembered since the folder was opened.
    remembered: Cell<usize>,
}

impl PastJobs {
    /// Opens the folder in `above` for the server with this base URL, and makes it if it does not exist. Judgings of
    /// different servers may have the same id.
    pub(crate) fn open(above: &Path, server: &str) -> PastJobs {
        let folder = above.join(md5(server.as_bytes()));
        // Without the folder, the judgehost judges as usual, and does not find the tasks later.
        let _ = fs::create_dir_all(&folder);
        PastJobs { folder, remembered: Cell::new(0) }
    }

    /// Keeps the tasks of a judging. A failure only means that they are not found later.
    pub(crate) fn remember(&self, job: &Id, tasks: &[Task]) {
        let (Some(path), Ok(text)) = (self.path(job), serde_json::to_vec(tasks)) else { return };
        let mut all = read(&path);
        if all.is_empty() {
            let _ = fs::write(&path, text);
        } else {
            // The server may give a judging to a judgehost in several batches.
            all.extend(tasks.iter().cloned());
            let _ = serde_json::to_vec(&all).map(|text| fs::write(&path, text));
        }
        if self.remembered.get().is_multiple_of(BETWEEN_REMOVALS) {
            self.remove_oldest();
        }
        self.remembered.set(self.remembered.get() + 1);
    }

    /// Returns the tasks of a judging; none if they are not kept.
    pub(crate) fn tasks(&self, job: &Id) -> Vec<Task> {
        self.path(job).map(|path| read(&path)).unwrap_or_default()
    }

    /// Returns the path of a judging's file; `None` if the id cannot be a name.
    fn path(&self, job: &Id) -> Option<PathBuf> {
        let is_plain = !job.0.is_empty() && job.0.len() < 100 && job.0.bytes().all(|byte| byte.is_ascii_alphanumeric());
        is_plain.then(|| self.folder.join(format!("{job}.json")))
    }

    fn remove_oldest(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let mut entries: Vec<_> = entries.filter_map(Result::ok).collect();
        if entries.len() <= LEAST_JOBS {
            return;
        }
        entries.sort_by_key(|entry| entry.metadata().and_then(|found| found.modified()).ok());
        let surplus = entries.len() - LEAST_JOBS;
        for entry in entries.into_iter().take(surplus) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn read(path: &Path) -> Vec<Task> {
    fs::read(path).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(case: &str) -> Task {
        Task { testcase_id: Some(Id(case.into())), judgetaskid: Id(case.into()), ..Task::default() }
    }

    #[test]
    fn tasks_of_all_batches_of_a_judging_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let past = PastJobs::open(folder.path(), "https://one.example/api/v4");
        let job = Id("7".into());
        past.remember(&job, &[task("1"), task("2")]);
        past.remember(&job, &[task("3")]);
        assert_eq!(past.tasks(&job), [task("1"), task("2"), task("3")]);
        assert_eq!(past.tasks(&Id("8".into())), []);
        assert_eq!(past.tasks(&Id("../7".into())), []);
        assert_eq!(PastJobs::open(folder.path(), "https://two.example/api/v4").tasks(&job), []);
    }

    #[test]
    fn only_the_last_judgings_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let open = || PastJobs::open(folder.path(), "https://one.example/api/v4");
        let past = open();
        for job in 0..=LEAST_JOBS {
            past.remember(&Id(job.to_string()), &[task("1")]);
        }
        let kept = || fs::read_dir(&past.folder).unwrap().count();
        assert_eq!(kept(), LEAST_JOBS);
        for job in 1..BETWEEN_REMOVALS {
            past.remember(&Id(format!("more{job}")), &[task("1")]);
        }
        assert_eq!(kept(), LEAST_JOBS + BETWEEN_REMOVALS - 1);
        // Judgehosts that do little before they end remove judgings, too.
        open().remember(&Id("last".into()), &[task("1")]);
        assert_eq!(kept(), LEAST_JOBS);
    }
}
