//! Makes files that speed up a compiler, such as precompiled headers, and stores them in the user's cache.
//!
//! Such files depend only on the compiler, its command and the installed software. Neither a submission nor a package has
//! any influence on them. The judge makes them in the sandbox, with the limits of compilers. A run uses a copy in its own
//! temporary folder, which is checked against the cache's digest once. Compilers can read the copy; the programs that
//! they compile cannot see it. If the files cannot be made or used, programs are compiled without them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::build::compile::Compiler;
use crate::build::executable::folder_in;
use crate::cache::build_cache::{Cache, Key};
use crate::workspace::folder::Folder;
use crate::workspace::prepared::{Kind, Prepared};
use crate::workspace::room::Free;
use crate::workspace::site::Site;
use crate::{JudgeError, Settings};
use referee_language::Language;
use referee_package::Limits;

/// The space that must be free in the temporary folder before files are copied or made there, in bytes.
const FREE_BYTES: u64 = 1 << 30;

/// The time and memory that a compiler may use even if the package allows less for a program. GCC 12 uses 5 s of CPU
/// time and 0.4 GiB for a header on a slow machine, and writes 0.1 GiB.
const LEAST_TIME: Duration = Duration::from_secs(60);
const LEAST_MEMORY_BYTES: u64 = 2 << 30;

/// A language's compiler, and where it may work.
pub(crate) struct Preparer<'a> {
    pub(crate) language: &'a Language,
    /// Environment variables of the compiler.
    pub(crate) variables: &'a [(OsString, OsString)],
    /// Folders that the compiler can read in addition to the system's.
    pub(crate) readable: &'a [PathBuf],
    pub(crate) settings: &'a Settings,
    pub(crate) site: Site<'a>,
}

/// Makes a folder for prepared files in `workspace`; `None` if there is too little space.
pub(crate) fn new_folder(workspace: &Path) -> Option<Folder> {
    Free::of(workspace).has(FREE_BYTES).then(|| folder_in(workspace).ok()).flatten()
}

impl Preparer<'_> {
    /// Returns the key of files that the compiler makes with this command; `None` if it cannot be determined. The
    /// command contains no path of a temporary folder, and all other data on which the files depend.
    pub(crate) fn key(&self, command: &[OsString]) -> Option<Key> {
        Key::of_prepared(self.language, command, self.variables, self.settings)
    }

    /// Returns the files with this key, from this run, from the user's cache or newly made; `None` if there are none
    /// yet, or if they cannot be made. Fails only if the run was interrupted.
    pub(crate) fn get(
        &self,
        key: &Key,
        kind: Kind,
        make: impl FnOnce() -> Result<Option<Prepared>, JudgeError>,
    ) -> Result<Option<Prepared>, JudgeError> {
        let (cache, files) = (self.cache(), self.site.prepared);
        let restore = || {
            let (cache, folder) = (cache?, new_folder(self.site.workspace)?);
            cache.restore_to(key, folder.path()).then(|| Prepared::new(folder, kind))
        };
        let make_and_store = || {
            let made = make()?;
            if let Some((cache, made)) = cache.zip(made.as_ref()) {
                cache.store(key, made.folder());
            }
            Ok(made)
        };
        files.get(key.name(), files.programs_before(), restore, make_and_store)
    }

    /// The user's cache of prepared files; `None` if there is none.
    fn cache(&self) -> Option<&Cache> {
        self.settings.cache.as_ref()?.headers()
    }

    /// Returns the settings for making the files. A package's own limits are for its programs, and may be too low.
    pub(crate) fn settings(&self) -> Settings {
        let own = &self.settings.limits;
        let limits = Limits {
            compilation_time: own.compilation_time.max(LEAST_TIME),
            compilation_memory_bytes: own.compilation_memory_bytes.max(LEAST_MEMORY_BYTES),
            ..*own
        };
        Settings { limits, ..self.settings.clone() }
    }

    /// Returns the compiler with this command. It can also read the folder `readable`.
    pub(crate) fn compiler<'c>(
        &self,
        command: Vec<OsString>,
        readable: Option<&Path>,
        settings: &'c Settings,
    ) -> Compiler<'c> {
        Compiler {
            command,
            variables: self.variables.to_vec(),
            readable: self.readable.iter().cloned().chain(readable.map(Path::to_path_buf)).collect(),
            hidden: self.site.hidden(),
            room: None,
            settings,
        }
    }
}
