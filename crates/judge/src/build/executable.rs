//! A program that can be run.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{CWD, Mode as FileMode, OFlags};

use crate::cache::results::ProgramKey;
use crate::workspace::folder::Folder;
use referee_language as language;
use referee_sandbox::{Instance, Mode, Outcome, Program, Run, Sandbox, SandboxError, Scratch};

/// A program that can be run. Its folder is removed with it.
pub(crate) struct Executable {
    sandbox: Sandbox,
    program: Program,
    mode: Mode,
    cached: bool,
    /// The code of its language, and its entry point.
    known_as: (String, String),
    key: Option<ProgramKey>,
    folder: Folder,
}

/// What a program of a package that allows files may write, and how many.
const SCRATCH_BYTES: u64 = 256 << 20;
const SCRATCH_FILES: u64 = 1 << 12;

impl Executable {
    pub(crate) fn new(program: Program, mode: Mode, folder: Folder) -> Executable {
        let known_as = (String::new(), String::new());
        let sandbox = Sandbox::open(program.clone(), mode);
        Executable { sandbox, program, mode, cached: false, known_as, key: None, folder }
    }

    /// The same, knowing whether it was compiled by an earlier run.
    pub(crate) fn with_cached(self, cached: bool) -> Executable {
        Executable { cached, ..self }
    }

    /// The same, knowing what it was written in and where it starts.
    pub(crate) fn with_name(self, language: &str, entry_point: &str) -> Executable {
        Executable { known_as: (language.to_owned(), entry_point.to_owned()), ..self }
    }

    /// Returns the code of its language and its entry point, in the form that static validators receive.
    pub(crate) fn known_as(&self) -> (&str, &str) {
        (&self.known_as.0, &self.known_as.1)
    }

    /// The same, knowing by what its results are known.
    pub(crate) fn with_key(self, key: Option<ProgramKey>) -> Executable {
        Executable { key, ..self }
    }

    /// Returns the key of its results; `None` if its contents are not known, or nothing is kept.
    pub(crate) fn key(&self) -> Option<ProgramKey> {
        self.key
    }

    pub(crate) fn is_cached(&self) -> bool {
        self.cached
    }

    /// The folder of its files.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The same program in a copy of its folder, which it may write if it has a scratch folder there: commands that
    /// lead into the one lead into the other.
    pub(crate) fn moved_to(&self, folder: &Path, writes: Option<Scratch>) -> Sandbox {
        let mut program = self.program.clone();
        for word in &mut program.command {
            if let Ok(below) = Path::new(&*word).strip_prefix(self.folder()) {
                *word = if below.as_os_str().is_empty() { folder.into() } else { folder.join(below).into_os_string() };
            }
        }
        program.directory = folder.to_path_buf();
        at_home_in(folder, &mut program.environment);
        if writes.is_none() {
            program.readable.push(folder.to_path_buf());
        }
        program.scratch = writes;
        Sandbox::open(program, self.mode)
    }

    /// Runs it where it can write nothing.
    pub(crate) fn run(&self, run: &Run<'_>) -> Result<Outcome, SandboxError> {
        self.sandbox.run(run)
    }

    /// A place to run it, where it can write nothing.
    pub(crate) fn instance(&self) -> Result<Instance<'_>, SandboxError> {
        self.sandbox.instance()
    }

    /// Makes a sandbox instance with a new folder that the program may write, for any number of runs within `use_it`.
    /// The program runs in `directory` or in its own folder, and may read the files in `readable`.
    pub(crate) fn with_a_folder<T, E: From<SandboxError>>(
        &self,
        workspace: &Path,
        directory: Option<&Path>,
        readable: Option<&Path>,
        use_it: impl FnOnce(&mut RunFolder<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let folder = writable_folder(workspace)?;
        let mut program = Program { scratch: Some(scratch(folder.path())), ..self.program.clone() };
        program.readable.extend(readable.map(Path::to_path_buf));
        if let Some(directory) = directory {
            program.directory = directory.to_path_buf();
            program.readable.push(directory.to_path_buf());
        }
        let sandbox = Sandbox::open(program, self.mode);
        let instance = sandbox.instance()?;
        use_it(&mut RunFolder { instance, path: folder.path() })
    }

    /// Runs the program in a new folder that it may write and that is its home. `look` then receives the open folder,
    /// which no process can write to any more.
    pub(crate) fn run_in_new_folder<T>(
        &self,
        workspace: &Path,
        run: &Run<'_>,
        look: impl FnOnce(&OwnedFd) -> T,
    ) -> Result<(Outcome, T), SandboxError> {
        let folder = writable_folder(workspace)?;
        let (directory, scratch) = (folder.path().to_path_buf(), Some(scratch(folder.path())));
        let mut program = Program { directory, scratch, ..self.program.clone() };
        at_home_in(folder.path(), &mut program.environment);
        let sandbox = Sandbox::open(program, self.mode);
        let mut place = RunFolder { instance: sandbox.instance()?, path: folder.path() };
        let outcome = place.instance.run(run)?;
        Ok((outcome, look(&place.open()?)))
    }
}

/// Where a program that has a folder to write runs.
pub(crate) struct RunFolder<'a> {
    pub(crate) instance: Instance<'a>,
    path: &'a Path,
}

impl RunFolder<'_> {
    /// The folder's name for the program.
    pub(crate) fn path(&self) -> &Path {
        self.path
    }

    /// The folder, for the judge. No name that the program has made is followed.
    pub(crate) fn open(&self) -> Result<OwnedFd, SandboxError> {
        let open = match self.instance.private_scratch() {
            Some(private) => private.as_fd().try_clone_to_owned(),
            None => open_folder(self.path),
        };
        open.map_err(|source| SandboxError::System { doing: "opening a program's folder", source })
    }
}

/// How much may be written into a folder, beyond its present contents.
pub(crate) fn scratch(folder: &Path) -> Scratch {
    Scratch { path: folder.to_path_buf(), bytes: SCRATCH_BYTES, files: SCRATCH_FILES }
}

fn open_folder(path: &Path) -> io::Result<OwnedFd> {
    Ok(rustix::fs::openat(CWD, path, OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW, FileMode::empty())?)
}

/// A folder that a program may write, where the sandbox has none of its own for it.
pub(crate) fn writable_folder(workspace: &Path) -> Result<Folder, SandboxError> {
    let made = Folder::new_in(workspace, "files-", 0o700);
    made.map_err(|source| SandboxError::System { doing: "making a folder for a program's files", source })
}

/// A folder for a program, which every user may look into: the program may run as another one.
pub(crate) fn folder_in(workspace: &Path) -> io::Result<Folder> {
    Folder::new_in(workspace, "program-", 0o755)
}

/// The environment of every program. Compilers and run-times keep caches and temporary files at home, if they may.
pub(crate) fn environment(home: &Path) -> Vec<(OsString, OsString)> {
    vec![
        ("PATH".into(), language::search_path()),
        ("LANG".into(), "C.UTF-8".into()),
        ("HOME".into(), home.as_os_str().to_owned()),
        ("TMPDIR".into(), home.as_os_str().to_owned()),
    ]
}

/// Makes `home` the folder that an environment names.
fn at_home_in(home: &Path, environment: &mut [(OsString, OsString)]) {
    let names_home = |name: &OsString| name == "HOME" || name == "TMPDIR";
    environment.iter_mut().filter(|(name, _)| names_home(name)).for_each(|(_, value)| *value = home.into());
}
