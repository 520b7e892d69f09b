//! A program that can be run.

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;

use super::run_folder::{RunFolder, scratch, writable_folder};
use crate::cache::results::ProgramKey;
use crate::workspace::folder::Folder;
use referee_language as language;
use referee_sandbox::{Instance, Mode, Outcome, Program, Run, Sandbox, SandboxError, Scratch};

/// A program that can be run. Its folder is removed when this value and all others that share it are dropped.
pub(crate) struct Executable {
    sandbox: Sandbox,
    /// The identifier of the program's language, such as `cpp`, and the program's entry point. Both are empty if they
    /// are unknown.
    language_and_entry_point: (String, String),
    key: Option<ProgramKey>,
    folder: Arc<Folder>,
}

impl Executable {
    pub(crate) fn new(program: Program, mode: Mode, folder: Folder) -> Executable {
        let language_and_entry_point = (String::new(), String::new());
        let sandbox = Sandbox::open(program, mode);
        Executable { sandbox, language_and_entry_point, key: None, folder: Arc::new(folder) }
    }

    /// Returns the same program, which gets `argument` before all other arguments. It shares this program's folder.
    pub(crate) fn with_first_argument(&self, argument: OsString) -> Executable {
        Executable {
            sandbox: self.sandbox.with_changed(|program| program.command.push(argument)),
            language_and_entry_point: self.language_and_entry_point.clone(),
            key: None,
            folder: Arc::clone(&self.folder),
        }
    }

    /// Sets the identifier of the language and the entry point.
    pub(crate) fn with_language(self, language: &str, entry_point: &str) -> Executable {
        Executable { language_and_entry_point: (language.to_owned(), entry_point.to_owned()), ..self }
    }

    /// Returns the identifier of the program's language and the program's entry point, in the form that static
    /// validators receive.
    pub(crate) fn language_and_entry_point(&self) -> (&str, &str) {
        (&self.language_and_entry_point.0, &self.language_and_entry_point.1)
    }

    /// Sets the key of the program's results in the cache.
    pub(crate) fn with_key(self, key: Option<ProgramKey>) -> Executable {
        Executable { key, ..self }
    }

    /// Returns the key of the program's results in the cache; `None` if no key is needed, or if none could be computed.
    pub(crate) fn key(&self) -> Option<ProgramKey> {
        self.key
    }

    pub(super) fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    /// The folder of the program's files.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Opens a sandbox in which the program runs in `folder`, which is the program's folder or a copy of it. Paths in
    /// the command that lead into the program's folder are changed, so that they lead into `folder`. The program can
    /// write to `folder` only if `writes` is given.
    pub(crate) fn moved_to(&self, folder: &Path, writes: Option<Scratch>) -> Sandbox {
        self.sandbox.with_changed(|program| {
            for word in &mut program.command {
                if let Ok(below) = Path::new(&*word).strip_prefix(self.folder()) {
                    let is_folder = below.as_os_str().is_empty();
                    *word = if is_folder { folder.into() } else { folder.join(below).into_os_string() };
                }
            }
            program.directory = folder.to_path_buf();
            // The sandbox is for one run only.
            program.warm_until = None;
            set_home(folder, &mut program.environment);
            if writes.is_none() {
                program.readable.push(folder.to_path_buf());
            }
            program.scratch = writes;
        })
    }

    /// Returns a sandbox in which the program runs in the folder of `other` and can read that folder, too.
    pub(crate) fn beside(&self, other: &Executable) -> Sandbox {
        self.sandbox.with_changed(|program| {
            program.directory = other.folder().to_path_buf();
            program.warm_until = None;
            program.readable.push(other.folder().to_path_buf());
            set_home(other.folder(), &mut program.environment);
        })
    }

    /// Runs the program. It cannot write to any folder.
    pub(crate) fn run(&self, run: &Run<'_>) -> Result<Outcome, SandboxError> {
        self.sandbox.run(run)
    }

    /// Makes a sandbox instance for the program. The program cannot write to any folder.
    pub(crate) fn instance(&self) -> Result<Instance<'_>, SandboxError> {
        self.sandbox.instance()
    }

    /// Runs the program in a new folder. The program can write to this folder, and `HOME` names it. After the run, when
    /// no process can write to the folder any more, `inspect` receives the open folder.
    pub(crate) fn run_in_new_folder<T>(
        &self,
        workspace: &Path,
        run: &Run<'_>,
        inspect: impl FnOnce(&OwnedFd) -> T,
    ) -> Result<(Outcome, T), SandboxError> {
        let folder = writable_folder(workspace)?;
        let sandbox = self.sandbox.with_changed(|program| {
            program.directory = folder.path().to_path_buf();
            program.scratch = Some(scratch(folder.path()));
            set_home(folder.path(), &mut program.environment);
        });
        let mut run_folder = RunFolder { instance: sandbox.instance()?, path: folder.path() };
        let outcome = run_folder.instance.run(run)?;
        Ok((outcome, inspect(&run_folder.open()?)))
    }
}

/// Makes a folder for a program. Every user can read it, because the program may run as another user.
pub(crate) fn folder_in(workspace: &Path) -> io::Result<Folder> {
    Folder::new_in(workspace, "program-", 0o755)
}

/// Returns the environment variables of every program. Compilers and language runtimes write caches and temporary files
/// to the folder `home`, if they can.
pub(crate) fn environment(home: &Path) -> Vec<(OsString, OsString)> {
    vec![
        ("PATH".into(), language::search_path()),
        ("LANG".into(), "C.UTF-8".into()),
        ("HOME".into(), home.as_os_str().to_owned()),
        ("TMPDIR".into(), home.as_os_str().to_owned()),
    ]
}

/// Sets HOME and TMPDIR to `home`.
fn set_home(home: &Path, environment: &mut [(OsString, OsString)]) {
    let names_home = |name: &OsString| name == "HOME" || name == "TMPDIR";
    environment.iter_mut().filter(|(name, _)| names_home(name)).for_each(|(_, value)| *value = home.into());
}
