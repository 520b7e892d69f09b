//! Working directories of runs. Most programs run in the folder where they were built, and cannot write there. Every
//! run of a program that may write, or that needs files of the test case beside it, gets a copy of the folder.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use walkdir::WalkDir;

use crate::build::executable::{Executable, folder_in};
use crate::build::run_folder::{self, writable_folder};
use crate::workspace::copy::{self, CopyError, Purpose};
use crate::workspace::folder::path_of;
use crate::workspace::room::{is_full, with_space};
use referee_package::links::Boundary;
use referee_sandbox::{Crossed, Ended, Instance, Outcome, SandboxError, Scratch};

/// Maximum size of a program's folder, in bytes. The same limit applies to the files of a test case.
const MOST_BYTES: u64 = 1 << 30;

/// The folder with the files that a test case puts beside the program, and the package that contains the folder.
#[derive(Clone, Copy)]
pub(crate) struct Files<'a> {
    pub(crate) folder: &'a Path,
    pub(crate) package: &'a Path,
}

/// The working directory of a program, and what the program may do there.
#[derive(Clone, Copy)]
pub(crate) struct WorkDir<'a> {
    pub(crate) program: &'a Executable,
    /// Files of the test case, which replace the program's files of the same names; `None` if the test case has none.
    pub(crate) files: Option<Files<'a>>,
    pub(crate) may_write: bool,
    /// Maximum total size of the program's output and its files, in bytes.
    pub(crate) output_bytes: u64,
    pub(crate) workspace: &'a Path,
    /// Whether the program needs a sandbox instance in which no program has run before.
    pub(crate) anew: bool,
}

impl WorkDir<'_> {
    /// Makes a sandbox instance for one run of the program, and calls `run` with it. If the program may write or needs
    /// files of the test case, it runs in a new copy of its folder. Otherwise it runs in the folder where it was built.
    pub(crate) fn run<E: From<SandboxError>>(
        &self,
        run: impl FnOnce(&mut Instance<'_>) -> Result<Outcome, E>,
    ) -> Result<Outcome, E> {
        if self.may_write {
            self.writable(run)
        } else if self.files.is_some() {
            self.read_only(run)
        } else if self.anew {
            let sandbox = self.program.moved_to(self.program.folder(), None);
            run(&mut sandbox.instance()?)
        } else {
            run(&mut self.program.instance()?)
        }
    }

    fn read_only<E: From<SandboxError>>(
        &self,
        run: impl FnOnce(&mut Instance<'_>) -> Result<Outcome, E>,
    ) -> Result<Outcome, E> {
        let folder = with_space(is_full, || folder_in(self.workspace)).map_err(filling_failed)?;
        copy_files(folder.path(), self.program, self.files, Purpose::Compiled)?;
        let sandbox = self.program.moved_to(folder.path(), None);
        let mut instance = sandbox.instance()?;
        run(&mut instance)
    }

    fn writable<E: From<SandboxError>>(
        &self,
        run: impl FnOnce(&mut Instance<'_>) -> Result<Outcome, E>,
    ) -> Result<Outcome, E> {
        let folder = writable_folder(self.workspace)?;
        let scratch = self.scratch(folder.path());
        let sandbox = self.program.moved_to(folder.path(), Some(scratch));
        let mut instance = sandbox.instance()?;
        let inside = instance.private_scratch().map_or_else(|| folder.path().to_path_buf(), path_of);
        copy_files(&inside, self.program, self.files, Purpose::ToCompile)?;
        let before = sizes(&inside);
        let mut outcome = run(&mut instance)?;
        let inside = instance.private_scratch().map_or_else(|| folder.path().to_path_buf(), path_of);
        // If the size of a file cannot be determined, for example in a folder too deep for any path, the output counts
        // as too large.
        let written = before.zip(sizes(&inside)).map(|(before, after)| written(&before, &after));
        let too_much = written.is_none_or(|written| written + outcome.printed_bytes > self.output_bytes);
        // Files that the program wrote count as output, too. Their final size is known only after the run. SIGXFSZ
        // ends a program that tries to make a file larger than the limit.
        let too_much = too_much || outcome.ended == Ended::Signaled(libc::SIGXFSZ);
        if too_much && outcome.crossed.is_none_or(|crossed| crossed != Crossed::Output) {
            outcome.crossed = Some(Crossed::Output);
        }
        Ok(outcome)
    }

    /// Returns the permission to write files into `folder`, with limits on their total size and number. The program may
    /// write about as many bytes as its output may have, but at most `SCRATCH_BYTES`. The size and number of the files
    /// that the judge copies into `folder` are added to the limits.
    fn scratch(&self, folder: &Path) -> Scratch {
        let mut scratch = run_folder::scratch(folder);
        scratch.bytes = scratch.bytes.min(self.output_bytes) + SPARE_BYTES;
        let mut largest_copy = 0;
        for from in [Some(self.program.folder()), self.files.map(|files| files.folder)].into_iter().flatten() {
            for entry in WalkDir::new(from).follow_links(true).into_iter().take(MOST_COUNTED).filter_map(Result::ok) {
                let bytes = entry.metadata().map_or(0, |found| found.len());
                scratch.files += 1;
                // A file takes a whole number of memory pages, so it may take up to one page more than its size.
                scratch.bytes += bytes + PAGE_BYTES;
                largest_copy = largest_copy.max(bytes);
            }
        }
        // A program may append to a copied file, so the size of the largest copy is added. The additional byte lets a
        // new file exceed the output limit: if the program ignores SIGXFSZ, the judge still sees that the file is too
        // large.
        scratch.file_bytes = Some(largest_copy + self.output_bytes + 1);
        scratch
    }
}

const PAGE_BYTES: u64 = 4 << 10;

/// The capacity of a folder beyond the output limit, in bytes. It lets a program exceed the limit, so that the judge
/// notices, and leaves room for folders and for the last page of each file.
const SPARE_BYTES: u64 = 1 << 20;

/// Maximum number of files that are counted. No copy contains more files.
const MOST_COUNTED: usize = 1 << 15;

/// Copies the program's files, then those of the test case, which replace files of the same name.
fn copy_files(
    folder: &Path,
    program: &Executable,
    files: Option<Files<'_>>,
    purpose: Purpose,
) -> Result<(), SandboxError> {
    let own = copy::copy(program.folder(), folder, MOST_BYTES, purpose);
    let copied = own.and_then(|()| match files {
        Some(Files { folder: from, package }) => {
            copy::copy_of_package(from, folder, MOST_BYTES, purpose, &Boundary::of_package(package))
        }
        None => Ok(()),
    });
    match copied {
        Ok(()) => Ok(()),
        Err(CopyError::Unfit(reason)) => Err(filling_failed(io::Error::other(reason))),
        Err(CopyError::System(error)) => Err(filling_failed(error)),
    }
}

fn filling_failed(source: io::Error) -> SandboxError {
    SandboxError::System { doing: "filling a program's working directory", source }
}

/// The size and modification time of every file, by its path relative to the folder. The time is `None` if unknown.
type Sizes = HashMap<PathBuf, (u64, Option<SystemTime>)>;

fn sizes(folder: &Path) -> Option<Sizes> {
    let mut sizes = Sizes::new();
    for entry in WalkDir::new(folder).follow_root_links(true) {
        let entry = entry.ok()?;
        if entry.file_type().is_file() {
            let found: fs::Metadata = entry.metadata().ok()?;
            let below = entry.path().strip_prefix(folder).ok()?.to_path_buf();
            sizes.insert(below, (found.len(), found.modified().ok()));
        }
    }
    Some(sizes)
}

/// Returns the total size of the files that are new or changed, in bytes.
fn written(before: &Sizes, after: &Sizes) -> u64 {
    after.iter().filter(|&(path, found)| before.get(path) != Some(found)).map(|(_, (size, _))| size).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_were_there_before_are_not_what_a_program_wrote() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("given"), "12345").unwrap();
        let seen = |folder: &tempfile::TempDir| sizes(folder.path()).unwrap();
        let before = seen(&folder);
        fs::write(folder.path().join("new"), "123").unwrap();
        assert_eq!(written(&before, &seen(&folder)), 3);
        fs::write(folder.path().join("given"), "1234567").unwrap();
        assert_eq!(written(&before, &seen(&folder)), 10, "a changed file counts with its whole size");
    }
}
