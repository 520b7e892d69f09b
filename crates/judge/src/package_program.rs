//! Builds and runs programs of the package that do not judge, such as generators. They are isolated like validators,
//! and the judge does not trust the files that they leave.

use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use crate::build::executable::Executable;
use crate::build::{self, Build, Built, Role, Source};
use crate::session::Session;
use crate::workspace::copy::{self, CopyError, Purpose};
use crate::workspace::folder::{Folder, path_of};
use crate::workspace::prepared::PreparedFiles;
use crate::workspace::room::{Crowding, Free};
use crate::workspace::site::Site;
use crate::workspace::{folder_error, workspace};
use crate::{JudgeError, Settings};
use referee_event::ToolFound;
use referee_language::Detected;
use referee_package::links::Boundary;
use referee_package::{Package, is_legal_name};
use referee_sandbox::{Input, Limits, Outcome, Run, SandboxError};

pub use crate::outcome::classify::{ending_words, limit_words};

/// Builds and runs programs in a temporary folder. The folder and its contents are removed when the value is dropped.
pub struct PackagePrograms<'a> {
    /// Symbolic links in the programs may lead only into these folders.
    boundary: Boundary,
    /// The package that contains the programs; `None` if they do not belong to a package.
    package: Option<&'a Package>,
    settings: Arc<Settings>,
    /// The free space in the temporary folder at the start.
    free: Free,
    prepared: PreparedFiles,
    crowding: Crowding,
    folder: Folder,
}

/// Maximum size of the files that [`PackagePrograms::run_and_copy`] copies, in bytes.
const MOST_COPIED_BYTES: u64 = 1 << 30;

/// A program to build.
#[derive(Clone, Debug)]
pub enum ProgramSource<'a> {
    /// A file or folder with a program that can read the package. The judge builds the program in a folder of the same
    /// name, if the name is legal ([`is_legal_name`]). BAPCtools does so, and some generators derive their seed from
    /// the name.
    Program(&'a Path),
    /// Several files that together form one program, the main file first. The judge builds the program in a folder with
    /// the given name, if the name is legal.
    Files(&'a str, &'a [PathBuf]),
    /// A Python file, as in [`ProgramSource::Program`], and modules that it imports from its own folder.
    WithModules(&'a Path, &'a [PathBuf]),
    /// A submission, which cannot see the package.
    Submission(&'a Path),
}

/// A program that can be run.
pub struct JuryProgram(Executable);

/// The result of building a program.
pub struct JuryBuild {
    /// The display name of the program's language.
    pub language: String,
    /// The duration of the build, in seconds.
    pub seconds: f64,
    /// Whether the compiled program came from the cache.
    pub cached: bool,
    /// The compilers and interpreters of the language, with their versions; empty if no cache key is needed.
    pub tools: Vec<ToolFound>,
    /// The program, or the reason why it could not be built.
    pub result: Result<JuryProgram, String>,
}

impl<'a> Session<'a> {
    /// Returns a [`PackagePrograms`], which builds and runs the package's other programs, such as generators.
    pub fn package_programs(&self) -> Result<PackagePrograms<'a>, JudgeError> {
        PackagePrograms::open(self)
    }
}

impl<'a> PackagePrograms<'a> {
    pub(crate) fn open(session: &Session<'a>) -> Result<Self, JudgeError> {
        let (package, settings) = (session.package, Arc::clone(&session.settings));
        PackagePrograms::with(package.boundary.clone(), Some(package), settings)
    }

    /// Returns a [`PackagePrograms`] for programs below the folder `root`, which is not a package.
    pub fn outside_a_package(root: &Path, settings: &Settings) -> Result<Self, JudgeError> {
        PackagePrograms::with(Boundary::of_package(root), None, Arc::new(settings.clone()))
    }

    /// Returns the time at which the programs are stopped; `None` if there is none. See [`Settings::until`].
    pub fn until(&self) -> Option<Instant> {
        self.settings.until
    }

    fn with(boundary: Boundary, package: Option<&'a Package>, settings: Arc<Settings>) -> Result<Self, JudgeError> {
        let folder = workspace().map_err(folder_error)?;
        let (free, prepared, crowding) = (Free::of(folder.path()), PreparedFiles::default(), Crowding::default());
        Ok(PackagePrograms { boundary, package, settings, free, prepared, crowding, folder })
    }

    /// Returns the temporary folder. Files that the caller writes there are removed with it.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    fn site(&self) -> Site<'_> {
        let room = self.free.room(self.settings.programs_at_once());
        let (workspace, boundary) = (self.folder.path(), &self.boundary);
        Site { workspace, boundary, generated_inputs: None, room, prepared: &self.prepared, crowding: &self.crowding }
    }

    /// Builds a program. If it cannot be built, [`JuryBuild::result`] contains the reason. Fails only if the judge
    /// fails.
    pub fn build(&self, part: &ProgramSource<'_>) -> Result<JuryBuild, JudgeError> {
        let (path, added): (&Path, &[PathBuf]) = match part {
            ProgramSource::Program(path) | ProgramSource::Submission(path) => (path, &[]),
            ProgramSource::WithModules(path, modules) => (path, modules),
            ProgramSource::Files(_, [main, others @ ..]) => (main, others),
            ProgramSource::Files(_, []) => (Path::new(""), &[]),
        };
        let folder_name = match part {
            ProgramSource::Program(path) | ProgramSource::WithModules(path, _) => path.file_name(),
            ProgramSource::Files(name, _) => Path::new(name).file_name(),
            ProgramSource::Submission(_) => None,
        };
        // The folder gets the name only if all characters of the name are legal. Other characters could have a meaning
        // in commands, such as the colon in Java's class path.
        let folder_name = folder_name.filter(|name| name.to_str().is_some_and(is_legal_name));
        let main = match part {
            ProgramSource::WithModules(path, _) => Some(*path),
            ProgramSource::Files(_, files) => files.first().map(PathBuf::as_path),
            ProgramSource::Program(_) | ProgramSource::Submission(_) => None,
        };
        let entry_point = main.filter(|main| self.starts_with_file(main)).and_then(Path::file_name);
        let role = if let ProgramSource::Submission(_) = part { Role::Submission } else { Role::Jury };
        let source = Source {
            path,
            language: None,
            entry_point: entry_point.and_then(OsStr::to_str),
            code_bytes: None,
            folder_name,
            role,
            boundary: Some(&self.boundary),
            constants: self.package.map(|package| &package.constants),
            added,
            includes: self.package.filter(|_| role == Role::Submission),
        };
        let Build { language, seconds, cached, tools, result, .. } =
            build::build(&source, &self.settings, self.site())?;
        let result = match result {
            Built::Ready(ready) => Ok(JuryProgram(ready)),
            Built::Failed(message) | Built::Refused(message) | Built::Broken(message) => Err(message),
            Built::Skipped(reason) => Err(reason.to_string()),
        };
        Ok(JuryBuild { language, seconds, cached, tools, result })
    }

    /// Returns whether programs in the language of this file start with a file. Otherwise they start with a class, or
    /// the compiler finds the start.
    fn starts_with_file(&self, path: &Path) -> bool {
        let detected = self.settings.languages.detect(path, None, self.settings.shebangs);
        matches!(detected, Detected::Source(language) if language.starts_with_file())
    }

    /// Runs a program in a new, empty folder that it can write. After the run, when no process can write to the folder
    /// any more, `inspect` receives the open folder.
    pub fn run_in_new_folder<T>(
        &self,
        program: &JuryProgram,
        arguments: Vec<OsString>,
        limits: Limits,
        inspect: impl FnOnce(&OwnedFd) -> T,
    ) -> Result<(Outcome, T), SandboxError> {
        program.0.run_in_new_folder(self.path(), &Run { arguments, input: Input::Empty, limits }, inspect)
    }

    /// Runs a program like [`PackagePrograms::run_in_new_folder`], and then copies the files of the folder to `to`, which
    /// exists. Links, pipes and devices are not copied. The inner error says why the files cannot be copied.
    pub fn run_and_copy(
        &self,
        program: &JuryProgram,
        arguments: Vec<OsString>,
        limits: Limits,
        to: &Path,
    ) -> Result<(Outcome, Result<(), String>), SandboxError> {
        self.run_in_new_folder(program, arguments, limits, |folder| {
            match copy::copy(&path_of(folder), to, MOST_COPIED_BYTES, Purpose::Compiled) {
                Ok(()) => Ok(()),
                Err(CopyError::Unfit(reason)) => Err(reason),
                Err(CopyError::System(error)) => Err(error.to_string()),
            }
        })
    }

    /// Runs a program in the folder where it was built. The program cannot write to any folder.
    pub fn run(&self, program: &JuryProgram, run: &Run<'_>) -> Result<Outcome, SandboxError> {
        program.0.run(run)
    }
}
