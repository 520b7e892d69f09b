//! Folders that programs can write. A validator writes its feedback into such a folder, which is empty for each test
//! case.
//!
//! With namespaces, the sandbox empties the folder after a test case and uses it again, because a new sandbox instance
//! takes several times as long as a run of the validator. An instance serves the test cases of one submission only: the
//! output of a submission may exploit an error of the validator, but that must not reach other submissions. Mutants
//! count as one submission if one program contains them.

use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::fs::{CWD, Mode, OFlags};

use super::executable::Executable;
use crate::workspace::folder::Folder;
use crate::workspace::room::{is_full, with_space};
use referee_sandbox::{Instance, Sandbox, SandboxError, Scratch};

/// Limits on the files that a program with write permission may write: their total size in bytes, and their number.
const SCRATCH_BYTES: u64 = 256 << 20;
const SCRATCH_FILES: u64 = 1 << 12;

/// A sandbox instance, and the folder to which its program can write.
pub(crate) struct RunFolder<'a> {
    pub(crate) instance: Instance<'a>,
    pub(super) path: &'a Path,
}

impl RunFolder<'_> {
    /// The folder's path as the program sees it.
    pub(crate) fn path(&self) -> &Path {
        self.path
    }

    /// Opens the folder for the judge. A link that the program made is not followed.
    pub(crate) fn open(&self) -> Result<OwnedFd, SandboxError> {
        let open = match self.instance.private_scratch() {
            Some(private) => private.as_fd().try_clone_to_owned(),
            None => open_folder(self.path),
        };
        open.map_err(|source| SandboxError::System { doing: "opening a program's folder", source })
    }
}

/// The folders of a program that can write to one of them.
#[derive(Clone, Copy)]
pub(crate) struct Places<'a> {
    /// The folder in which the writable folder is made.
    pub(crate) workspace: &'a Path,
    /// The folder in which the program starts; `None` if it starts in its own folder.
    pub(crate) directory: Option<&'a Path>,
    /// A further folder that the program can read; `None` if there is none.
    pub(crate) readable: Option<&'a Path>,
}

/// A sandbox for a program that can write to a folder. The sandbox ends before the folder is removed.
pub(crate) struct WritingSandbox {
    sandbox: Sandbox,
    folder: Folder,
}

impl WritingSandbox {
    /// Makes the sandbox and its folder. If `is_reused`, its instances may use the same folder one after the other.
    pub(crate) fn new(program: &Executable, places: Places<'_>, is_reused: bool) -> Result<Self, SandboxError> {
        let folder = writable_folder(places.workspace)?;
        let sandbox = program.sandbox().with_changed(|program| {
            program.scratch = Some(Scratch { is_reused, ..scratch(folder.path()) });
            program.readable.extend(places.readable.map(Path::to_path_buf));
            if let Some(directory) = places.directory {
                program.directory = directory.to_path_buf();
                program.readable.push(directory.to_path_buf());
            }
        });
        Ok(WritingSandbox { sandbox, folder })
    }

    /// Returns a sandbox instance with an empty folder. The program can run in it any number of times.
    pub(crate) fn run_folder(&self) -> Result<RunFolder<'_>, SandboxError> {
        Ok(RunFolder { instance: self.sandbox.instance()?, path: self.folder.path() })
    }
}

/// The sandboxes in which a program ran last, by the folder of the submission.
#[derive(Default)]
pub(crate) struct RecentSandboxes(Mutex<VecDeque<Recent>>);

/// The folder of a submission, and the sandbox that the program used for it.
type Recent = (PathBuf, Arc<WritingSandbox>);

impl RecentSandboxes {
    /// Returns the sandbox for the submission in this folder. Makes it with `make` if it is not one of the `most` that
    /// were used last.
    pub(crate) fn of_submission(
        &self,
        submission: &Path,
        most: usize,
        make: impl FnOnce() -> Result<WritingSandbox, SandboxError>,
    ) -> Result<Arc<WritingSandbox>, SandboxError> {
        let sandbox = match self.known(submission) {
            Some(known) => known,
            None => Arc::new(make()?),
        };
        // The list is not locked while a sandbox is made or ended, because that takes time.
        drop(self.put_last(submission, &sandbox, most));
        Ok(sandbox)
    }

    fn known(&self, submission: &Path) -> Option<Arc<WritingSandbox>> {
        let recent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        recent.iter().find(|(of, _)| of == submission).map(|(_, sandbox)| Arc::clone(sandbox))
    }

    /// Puts the sandbox at the end of the list. Returns those at the beginning that are too many.
    fn put_last(&self, submission: &Path, sandbox: &Arc<WritingSandbox>, most: usize) -> Vec<Recent> {
        let mut recent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        recent.retain(|(_, other)| !Arc::ptr_eq(other, sandbox));
        recent.push_back((submission.to_path_buf(), Arc::clone(sandbox)));
        let excess = recent.len().saturating_sub(most.max(1));
        recent.drain(..excess).collect()
    }
}

/// Returns the permission to write files into `folder`, with the limits on their size and number.
pub(crate) fn scratch(folder: &Path) -> Scratch {
    let (bytes, files) = (SCRATCH_BYTES, SCRATCH_FILES);
    Scratch { path: folder.to_path_buf(), bytes, files, file_bytes: None, is_reused: false }
}

fn open_folder(path: &Path) -> io::Result<OwnedFd> {
    Ok(rustix::fs::openat(CWD, path, OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW, Mode::empty())?)
}

/// Makes a folder that a program can write. The program uses it if the sandbox has no private scratch folder.
pub(crate) fn writable_folder(workspace: &Path) -> Result<Folder, SandboxError> {
    let made = with_space(is_full, || Folder::new_in(workspace, "files-", 0o700));
    made.map_err(|source| SandboxError::System { doing: "making a folder for a program's files", source })
}
