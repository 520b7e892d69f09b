//! Programs of the package that judge nothing: they are built and run by the same means as validators, and what they
//! leave is looked at as little trusting.

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::build::{self, Build, Built, Role, Source};
use super::executable::{Executable, Site};
use super::folder::Folder;
use super::{JudgeError, MAKING_A_FOLDER, Settings};
use referee_event::ToolFound;
use referee_package::Package;
use referee_sandbox::{Input, Limits, Outcome, Run, SandboxError};

pub use super::classify::{ending_words, limit_words};

/// A place to build and run programs of a package in. It goes with all that is in it.
pub struct PackagePrograms<'a> {
    /// The folder that the programs come from.
    root: &'a Path,
    /// `None` where they are of something else than a package.
    package: Option<&'a Package>,
    settings: &'a Settings,
    folder: Folder,
}

/// A program to build.
#[derive(Clone, Debug)]
pub enum Part<'a> {
    /// A file or folder that reads the package.
    Program(&'a Path),
    /// Several files that make a program together, the main one first.
    Files(&'a [PathBuf]),
    /// A submission, which sees nothing of the package.
    Submission(&'a Path),
}

/// A program that can be run.
pub struct JuryProgram(Executable);

/// What came of building.
pub struct JuryBuild {
    /// Its language's name for people.
    pub language: String,
    /// How long it took.
    pub seconds: f64,
    /// Whether what its compiler made was there already.
    pub cached: bool,
    /// What its language needs.
    pub tools: Vec<ToolFound>,
    /// The program, or why there is none.
    pub result: Result<JuryProgram, String>,
}

impl<'a> PackagePrograms<'a> {
    /// A new one, with nothing in it.
    pub fn open(package: &'a Package, settings: &'a Settings) -> Result<Self, JudgeError> {
        PackagePrograms::with(&package.root, Some(package), settings)
    }

    /// The same for programs below `root`, which is no package.
    pub fn outside_a_package(root: &'a Path, settings: &'a Settings) -> Result<Self, JudgeError> {
        PackagePrograms::with(root, None, settings)
    }

    /// When its programs are stopped; see [`Settings::until`].
    pub fn until(&self) -> Option<Instant> {
        self.settings.until
    }

    fn with(root: &'a Path, package: Option<&'a Package>, settings: &'a Settings) -> Result<Self, JudgeError> {
        let folder = super::workspace();
        let folder = folder.map_err(|source| JudgeError::System { doing: MAKING_A_FOLDER, source })?;
        Ok(PackagePrograms { root, package, settings, folder })
    }

    /// Returns the folder. Files that the caller puts there are removed with it.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    fn site(&self) -> Site<'_> {
        Site { workspace: self.folder.path(), package: self.root, drawn: None }
    }

    /// Builds a program. Its failure is in the result; an error is the judge's.
    pub fn build(&self, part: &Part<'_>) -> Result<JuryBuild, JudgeError> {
        let (path, added): (&Path, &[PathBuf]) = match part {
            Part::Program(path) | Part::Submission(path) => (path, &[]),
            Part::Files([main, others @ ..]) => (main, others),
            Part::Files([]) => (Path::new(""), &[]),
        };
        let role = if let Part::Submission(_) = part { Role::Submission } else { Role::Jury };
        let source = Source {
            path,
            language: None,
            entry_point: None,
            code_bytes: None,
            role,
            package: Some(self.root),
            constants: self.package.map(|package| &package.constants),
            added,
            includes: self.package.filter(|_| role == Role::Submission),
        };
        let Build { language, seconds, cached, tools, result } = build::build(&source, self.settings, self.site())?;
        let result = match result {
            Built::Ready(ready) => Ok(JuryProgram(ready)),
            Built::Failed(message) | Built::Skipped(message) | Built::Broken(message) => Err(message),
        };
        Ok(JuryBuild { language, seconds, cached, tools, result })
    }

    /// Runs a program in a new, empty folder that it may write. `look` then receives the open folder, which no process
    /// can write to any more.
    pub fn run_in_new_folder<T>(
        &self,
        program: &JuryProgram,
        arguments: Vec<OsString>,
        limits: Limits,
        look: impl FnOnce(&OwnedFd) -> T,
    ) -> Result<(Outcome, T), SandboxError> {
        program.0.run_in_new_folder(self.path(), &Run { arguments, input: Input::Empty, limits }, look)
    }

    /// Runs a program where it was built, and can write nothing.
    pub fn run(&self, program: &JuryProgram, run: &Run<'_>) -> Result<Outcome, SandboxError> {
        program.0.run(run)
    }
}
