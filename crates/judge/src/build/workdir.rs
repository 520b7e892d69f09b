//! Working directories of runs. Most programs run where they were built, and can write nothing. One that may write, or
//! that finds files of the test case beside it, gets a copy of its folder for every run.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use walkdir::WalkDir;

use crate::build::executable::Executable;
use crate::workspace::copy::{self, CopyError, Purpose};
use crate::workspace::folder::path_of;
use referee_sandbox::{Crossed, Instance, Outcome, SandboxError, Scratch};

/// What a program's folder and the files of a test case may have together, in bytes.
const MOST_BYTES: u64 = 1 << 30;

/// Files of a test case, in a folder of the package.
#[derive(Clone, Copy)]
pub(crate) struct Files<'a> {
    pub(crate) folder: &'a Path,
    pub(crate) package: &'a Path,
}

/// Where a program runs, and what it may do there.
#[derive(Clone, Copy)]
pub(crate) struct Stay<'a> {
    pub(crate) program: &'a Executable,
    /// Files that are put over the program's own.
    pub(crate) files: Option<Files<'a>>,
    pub(crate) may_write: bool,
    /// What it may write at all, in bytes.
    pub(crate) output_bytes: u64,
    pub(crate) workspace: &'a Path,
    /// Whether the program needs a sandbox instance in which nothing has run before.
    pub(crate) anew: bool,
}

impl Stay<'_> {
    /// Makes a place for one run of the program, which `run` does there: where it was built if it can write nothing and
    /// needs no other files, else in a new copy of its folder.
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
        let folder = crate::build::executable::folder_in(self.workspace).map_err(unable)?;
        fill(folder.path(), self.program, self.files, Purpose::Compiled)?;
        let sandbox = self.program.moved_to(folder.path(), None);
        let mut instance = sandbox.instance()?;
        run(&mut instance)
    }

    fn writable<E: From<SandboxError>>(
        &self,
        run: impl FnOnce(&mut Instance<'_>) -> Result<Outcome, E>,
    ) -> Result<Outcome, E> {
        let folder = crate::build::executable::writable_folder(self.workspace)?;
        let scratch = room_for(self.program, self.files, folder.path());
        let sandbox = self.program.moved_to(folder.path(), Some(scratch));
        let mut instance = sandbox.instance()?;
        let inside = instance.private_scratch().map_or_else(|| folder.path().to_path_buf(), path_of);
        fill(&inside, self.program, self.files, Purpose::ToCompile)?;
        let before = sizes(&inside);
        let mut outcome = run(&mut instance)?;
        let inside = instance.private_scratch().map_or_else(|| folder.path().to_path_buf(), path_of);
        // If something cannot be examined, such as a folder deeper than any path, its size is unknown and not small.
        let written = before.zip(sizes(&inside)).map(|(before, after)| written(&before, &after));
        let too_much = written.is_none_or(|written| written + outcome.printed_bytes > self.output_bytes);
        // What it wrote to files counts as output, too; all of it is there only at the end.
        if too_much && outcome.crossed.is_none_or(|crossed| crossed != Crossed::Output) {
            outcome.crossed = Some(Crossed::Output);
        }
        Ok(outcome)
    }
}

/// Returns how much a program may write, beyond the files that are there before.
fn room_for(program: &Executable, files: Option<Files<'_>>, folder: &Path) -> Scratch {
    let mut scratch = crate::build::executable::scratch(folder);
    for from in [Some(program.folder()), files.map(|files| files.folder)].into_iter().flatten() {
        for entry in WalkDir::new(from).follow_links(true).into_iter().take(MOST_COUNTED).filter_map(Result::ok) {
            scratch.files += 1;
            // Each file takes whole pages.
            scratch.bytes += entry.metadata().map_or(0, |found| found.len()) + PAGE_BYTES;
        }
    }
    scratch
}

const PAGE_BYTES: u64 = 4 << 10;

/// More files than may be copied are not counted.
const MOST_COUNTED: usize = 1 << 15;

/// Copies the program's files, then those of the test case, which replace files of the same name.
fn fill(folder: &Path, program: &Executable, files: Option<Files<'_>>, purpose: Purpose) -> Result<(), SandboxError> {
    let own = copy::copy(program.folder(), folder, MOST_BYTES, purpose);
    let copied = own.and_then(|()| match files {
        Some(Files { folder: from, package }) => copy::copy_of_package(from, folder, MOST_BYTES, purpose, package),
        None => Ok(()),
    });
    match copied {
        Ok(()) => Ok(()),
        Err(CopyError::Unfit(reason)) => Err(unable(io::Error::other(reason))),
        Err(CopyError::System(error)) => Err(unable(error)),
    }
}

fn unable(source: io::Error) -> SandboxError {
    SandboxError::System { doing: "filling a program's working directory", source }
}

/// Every file's size and when it was written last; `None` if not all can be seen.
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

/// The size of the files that are new or were written to.
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
        assert_eq!(written(&before, &seen(&folder)), 10, "a file that was changed counts whole");
    }
}
