//! Keeps the size of the build cache within its limits.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use super::contents::Digest;
use super::{Cache, TEMPORARY};

/// Age after which a temporary folder counts as left behind by a killed judge.
const ABANDONED: Duration = Duration::from_secs(3600);

/// The part of a limit that a judge stores before it enforces the limits again. It has to read all entries for that, which
/// took 8 ms for 1,000 of them.
const PART: u64 = 16;

/// What this process has stored since it last enforced the limits.
#[derive(Debug, Default)]
pub(super) struct Growth {
    has_enforced: AtomicBool,
    entries: AtomicU64,
    bytes: AtomicU64,
}

struct Entry {
    path: PathBuf,
    used: SystemTime,
    bytes: u64,
}

impl Cache {
    /// Enforces the limits after an entry of this size was stored, unless this process has stored little since the last
    /// time. So the cache exceeds its limits by at most a sixteenth for each process that writes to it.
    pub(super) fn enforce_limits_if_grown(&self, stored_bytes: u64) {
        let Growth { has_enforced, entries, bytes } = &self.growth;
        let count = entries.fetch_add(1, Ordering::Relaxed) + 1;
        let total = bytes.fetch_add(stored_bytes, Ordering::Relaxed) + stored_bytes;
        let is_first = !has_enforced.swap(true, Ordering::Relaxed);
        if is_first || count > self.most_entries as u64 / PART || total > self.most_bytes / PART {
            entries.store(0, Ordering::Relaxed);
            bytes.store(0, Ordering::Relaxed);
            self.enforce_limits();
        }
    }

    /// Removes temporary folders that killed judges left behind. Then removes the least recently used entries until the
    /// cache is within its limits.
    fn enforce_limits(&self) {
        self.remove_abandoned();
        let mut entries = self.entries();
        entries.sort_by_key(|entry| entry.used);
        let mut bytes: u64 = entries.iter().map(|entry| entry.bytes).sum();
        let mut count = entries.len();
        for entry in entries {
            if bytes <= self.most_bytes && count <= self.most_entries {
                return;
            }
            self.remove_entry(&entry.path);
            bytes -= entry.bytes;
            count -= 1;
        }
    }

    fn entries(&self) -> Vec<Entry> {
        let is_entry = |path: &PathBuf| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let entry = |path: PathBuf| {
            let digest = path.join("digest");
            let used = digest.metadata().and_then(|found| found.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
            let bytes = Digest::read(&digest).map_or(0, |digest| digest.bytes);
            Entry { path, used, bytes }
        };
        self.paths().into_iter().filter(is_entry).map(entry).collect()
    }

    fn remove_abandoned(&self) {
        let is_old = |path: &PathBuf| {
            let age = path.metadata().and_then(|found| found.modified()).map(|time| time.elapsed().unwrap_or_default());
            age.is_ok_and(|age| age > ABANDONED)
        };
        let is_temporary =
            |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(TEMPORARY));
        self.paths().into_iter().filter(is_temporary).filter(is_old).for_each(|path| {
            let _ = fs::remove_dir_all(path);
        });
    }

    fn paths(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().filter_map(Result::ok);
        entries.map(|entry| entry.path()).collect()
    }
}
