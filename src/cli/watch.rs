//! `--watch`: once more when something was saved.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError};
use notify::event::ModifyKind;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::Failure;
use crate::sandbox::interrupt;

/// Files and folders that are watched.
pub(super) struct Watched {
    changes: Receiver<notify::Result<Event>>,
    /// Files; of folders everything counts.
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
    _watcher: RecommendedWatcher,
}

/// So often it is looked whether the user wants to end it.
const TURN: Duration = Duration::from_millis(200);

/// Editors save in several steps, and people several files. What comes so soon after a change belongs to it.
const QUIET: Duration = Duration::from_millis(100);

impl Watched {
    /// Watches these from now on. What is neither a file nor a folder is left out.
    pub(super) fn new(paths: &[&Path]) -> Result<Self, Failure> {
        let (sender, changes) = crossbeam_channel::unbounded();
        let watcher = notify::recommended_watcher(move |event| _ = sender.send(event));
        let mut watcher = watcher.map_err(|error| unwatchable(&error))?;
        let there = paths.iter().filter_map(|path| path.canonicalize().ok());
        let (folders, files): (Vec<_>, Vec<_>) = there.partition(|path| path.is_dir());
        for folder in &folders {
            watcher.watch(folder, RecursiveMode::Recursive).map_err(|error| unwatchable(&error))?;
        }
        // Most editors put a new file in the place of the old one, which only its folder sees.
        for folder in files.iter().filter_map(|file| file.parent()) {
            watcher.watch(folder, RecursiveMode::NonRecursive).map_err(|error| unwatchable(&error))?;
        }
        Ok(Watched { changes, files, folders, _watcher: watcher })
    }

    /// Waits until something was changed, however long that takes. False if the user wants to end it.
    pub(super) fn wait(&self) -> Result<bool, Failure> {
        loop {
            if interrupt::happened() {
                return Ok(false);
            }
            match self.changes.recv_timeout(TURN) {
                Ok(Ok(event)) if self.counts(&event) => break,
                Ok(Err(error)) => return Err(unwatchable(&error)),
                Ok(Ok(_)) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Failure::judge("nobody watches the files any more")),
            }
        }
        while self.changes.recv_timeout(QUIET).is_ok() && !interrupt::happened() {}
        Ok(!interrupt::happened())
    }

    fn counts(&self, event: &Event) -> bool {
        let is_change = match event.kind {
            EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_)) => false,
            EventKind::Any | EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_) | EventKind::Other => {
                true
            }
        };
        let is_watched =
            |path: &PathBuf| self.files.contains(path) || self.folders.iter().any(|folder| path.starts_with(folder));
        is_change && (event.need_rescan() || event.paths.iter().any(is_watched))
    }
}

fn unwatchable(error: &notify::Error) -> Failure {
    Failure::judge(format!("files cannot be watched: {error}"))
        .with_hint("sysctl fs.inotify.max_user_watches says how many may be watched")
}
