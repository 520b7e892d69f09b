//! `--watch`: waits until a file is saved.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use notify::event::ModifyKind;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::Failure;
use referee_sandbox::interrupt;

/// The watched files and folders.
pub(super) struct Watched {
    /// Receives a message after a change. The channel has a capacity of one, because one message reports any number of
    /// changes.
    changes: Receiver<notify::Result<()>>,
    _watcher: RecommendedWatcher,
}

/// The time after which `wait` checks again whether the user has interrupted the judge.
const INTERRUPT_CHECK_INTERVAL: Duration = Duration::from_millis(200);

/// If a change follows another within this time, both count as one change, because editors save in several steps and
/// users save several files.
const MERGE_INTERVAL: Duration = Duration::from_millis(100);

/// The largest number of changes merged into one. It is limited because another program may write continually.
const MOST_MERGED: usize = 20;

impl Watched {
    /// Starts to watch these files and folders. Ignores paths that do not exist.
    pub(super) fn new(paths: &[&Path]) -> Result<Self, Failure> {
        let existing = paths.iter().filter_map(|path| path.canonicalize().ok());
        let (folders, files): (Vec<_>, Vec<_>) = existing.partition(|path| path.is_dir());
        // Most editors replace the file with a new file. Only a watch of its folder detects this.
        let parents: Vec<_> = files.iter().filter_map(|file| file.parent()).map(Path::to_path_buf).collect();
        let (sender, changes) = bounded(1);
        let (all, wanted) = (folders.clone(), files);
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            let change = event.map(|event| is_relevant(&event, &wanted, &all));
            if !matches!(change, Ok(false)) {
                let _ = sender.try_send(change.map(drop));
            }
        });
        let mut watcher = watcher.map_err(|error| unwatchable(&error))?;
        for (paths, mode) in [(&folders, RecursiveMode::Recursive), (&parents, RecursiveMode::NonRecursive)] {
            for path in paths {
                watcher.watch(path, mode).map_err(|error| unwatchable(&error))?;
            }
        }
        Ok(Watched { changes, _watcher: watcher })
    }

    /// Waits for a change, without a time limit. Returns false if the user interrupts the judge.
    pub(super) fn wait(&self) -> Result<bool, Failure> {
        loop {
            if interrupt::happened() {
                return Ok(false);
            }
            match self.changes.recv_timeout(INTERRUPT_CHECK_INTERVAL) {
                Ok(Ok(())) => break,
                Ok(Err(error)) => return Err(unwatchable(&error)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Failure::judge("--watch: the watcher of the files stopped unexpectedly"));
                }
            }
        }
        for _ in 0..MOST_MERGED {
            if interrupt::happened() || self.changes.recv_timeout(MERGE_INTERVAL).is_err() {
                break;
            }
        }
        Ok(!interrupt::happened())
    }
}

/// Returns whether an event changes one of the files, or anything in one of the folders.
fn is_relevant(event: &Event, files: &[PathBuf], folders: &[PathBuf]) -> bool {
    let is_change = !matches!(event.kind, EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_)));
    let is_watched = |path: &PathBuf| files.contains(path) || folders.iter().any(|folder| path.starts_with(folder));
    is_change && (event.need_rescan() || event.paths.iter().any(is_watched))
}

fn unwatchable(error: &notify::Error) -> Failure {
    Failure::judge(format!("--watch: files cannot be watched: {error}"))
        .with_hint("if the limit of watches is reached, raise it: sysctl fs.inotify.max_user_watches=N")
}
