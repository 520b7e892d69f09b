//! Programs of the package that judge nothing: they are built and run by the same means as validators, and what they
//! leave is looked at as little trusting.

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use crate::build::executable::Executable;
use crate::build::{self, Build, Built, Role, Source};
use crate::session::Session;
use crate::workspace::folder::Folder;
use crate::workspace::site::Site;
use crate::workspace::{no_folder, workspace};
use crate::{JudgeError, Settings};
use referee_event::ToolFound;
use referee_package::Package;
use referee_sandbox::{Input, Limits, Outcome, Run, SandboxError};

pub use crate::outcome::classify::{ending_words, limit_words};

/// A place to build and run programs of a package in. It goes with all that is in it.
pub struct PackagePrograms<'a> {
    /// The folder that the programs come from.
    root: &'a Path,
    /// `None` where they are of something else than a package.
    package: Option<&'a Package>,
    settings: Arc<Settings>,
    folder: Folder,
}

/// A program to build.
#[derive(Clone, Debug)]
pub enum ProgramSource<'a> {
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

impl<'a> Session<'a> {
    /// Returns a place to build and run the package's other programs, such as generators.
    pub fn package_programs(&self) -> Result<PackagePrograms<'a>, JudgeError> {
        PackagePrograms::open(self)
    }
}

impl<'a> PackagePrograms<'a> {
    pub(crate) fn open(session: &Session<'a>) -> Result<Self, JudgeError> {
        let (package, settings) = (session.package, Arc::clone(&session.settings));
        PackagePrograms::with(&package.root, Some(package), settings)
    }

    /// Builds and runs programs below `root`, which is not a package.
    pub fn outside_a_package(root: &'a Path, settings: &Settings) -> Result<Self, JudgeError> {
        PackagePrograms::with(root, None, Arc::new(settings.clone()))
    }

    /// When its programs are stopped; see [`Settings::until`].
    pub fn until(&self) -> Option<Instant> {
        self.settings.until
    }

    fn with(root: &'a Path, package: Option<&'a Package>, settings: Arc<Settings>) -> Result<Self, JudgeError> {
        Ok(PackagePrograms { root, package, settings, folder: workspace().map_err(no_folder)? })
    }

    /// Returns the folder. Files that the caller puts there are removed with it.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    fn site(&self) -> Site<'_> {
        Site { workspace: self.folder.path(), package: self.root, drawn: None }
    }

    /// Builds a program. Its failure is in the result; an error is the judge's.
    pub fn build(&self, part: &ProgramSource<'_>) -> Result<JuryBuild, JudgeError> {
        let (path, added): (&Path, &[PathBuf]) = match part {
            ProgramSource::Program(path) | ProgramSource::Submission(path) => (path, &[]),
            ProgramSource::Files([main, others @ ..]) => (main, others),
            ProgramSource::Files([]) => (Path::new(""), &[]),
        };
        let role = if let ProgramSource::Submission(_) = part { Role::Submission } else { Role::Jury };
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
        let Build { language, seconds, cached, tools, result } = build::build(&source, &self.settings, self.site())?;
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
