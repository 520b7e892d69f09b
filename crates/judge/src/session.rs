//! A [`Session`] joins a problem package, the settings to judge by, and a temporary folder. Every use of the judge
//! starts from a session.

use std::sync::Arc;

use referee_package::{Kind, Package, TestCase};

use crate::build::{Role, Source};
use crate::case::RunContext;
use crate::error::JudgeError;
use crate::settings::Settings;
use crate::submission::Submission;
use crate::validator::{self, Validator};
use crate::workspace::folder::Folder;
use crate::workspace::prepared::PreparedFiles;
use crate::workspace::room::{Crowding, Free};
use crate::workspace::site::Site;
use crate::workspace::{folder_error, workspace};

/// A problem package, the settings to judge by, and a temporary folder. Clones share the folder, which is removed with
/// the last clone.
#[derive(Clone)]
pub struct Session<'a> {
    pub(crate) package: &'a Package,
    pub(crate) settings: Arc<Settings>,
    pub(crate) workspace: Arc<Folder>,
    /// The folder of inputs that the judge generates; `None` if all inputs come from the package. Submissions cannot
    /// see it.
    generated_inputs: Option<Arc<Folder>>,
    /// The free space in the temporary folder when the session began.
    free: Free,
    prepared: Arc<PreparedFiles>,
    crowding: Arc<Crowding>,
}

impl<'a> Session<'a> {
    /// Opens a session. Fails with [`JudgeError::System`] if no temporary folder can be made.
    pub fn open(package: &'a Package, settings: &Settings) -> Result<Session<'a>, JudgeError> {
        let workspace = Arc::new(workspace().map_err(folder_error)?);
        let free = Free::of(workspace.path());
        let (settings, prepared, crowding) = (Arc::new(settings.clone()), Arc::default(), Arc::default());
        Ok(Session { package, settings, workspace, generated_inputs: None, free, prepared, crowding })
    }

    /// Returns a session with the settings `settings`. It shares the package and the temporary folder with this one.
    #[must_use]
    pub fn with(&self, settings: Settings) -> Session<'a> {
        Session { settings: Arc::new(settings), ..self.clone() }
    }

    /// Returns a session with these settings and a new folder for generated inputs. Submissions cannot see the folder.
    pub(crate) fn with_generated_inputs(&self, settings: Settings) -> Result<(Session<'a>, Arc<Folder>), JudgeError> {
        let generated_inputs = Arc::new(Folder::new_in(self.workspace.path(), "data-", 0o755).map_err(folder_error)?);
        Ok((Session { generated_inputs: Some(Arc::clone(&generated_inputs)), ..self.with(settings) }, generated_inputs))
    }

    pub(crate) fn site(&self) -> Site<'_> {
        let generated_inputs = self.generated_inputs.as_deref().map(Folder::path);
        let room = self.free.room(self.settings.programs_at_once());
        let (workspace, boundary) = (self.workspace.path(), &self.package.boundary);
        Site { workspace, boundary, generated_inputs, room, prepared: &self.prepared, crowding: &self.crowding }
    }

    /// Builds the output validators that judge `cases`.
    pub(crate) fn validator(&self, cases: &[TestCase]) -> Result<Validator, JudgeError> {
        validator::prepare(self.package, cases, &self.settings, self.site())
    }

    /// Returns the [`Source`] of a submission. In the package's own submissions, the build replaces the package's
    /// constants with their values.
    pub(crate) fn source<'s>(&'s self, submission: &'s Submission) -> Source<'s> {
        let package = Some(self.package).filter(|_| submission.expectations.is_some());
        Source {
            path: &submission.path,
            language: submission.language.as_deref(),
            entry_point: submission.entry_point.as_deref(),
            code_bytes: Some(self.settings.limits.code_bytes),
            folder_name: None,
            role: Role::Submission,
            boundary: package.map(|package| &package.boundary),
            constants: package.map(|package| &package.constants),
            added: &[],
            includes: Some(self.package),
        }
    }

    /// Returns the settings, the validator and the folders that are needed to judge test cases.
    pub(crate) fn context<'s>(&'s self, validator: &'s Validator) -> RunContext<'s> {
        RunContext {
            kind: self.package.kind,
            settings: &self.settings,
            validator,
            workspace: self.workspace.path(),
            package: &self.package.root,
            cpu_factor: 1.0,
            anew: false,
        }
    }
}

/// Fails with [`JudgeError::Package`] if this version of the judge does not support the type of the package.
pub fn refuse_unsupported(package: &Package) -> Result<(), JudgeError> {
    let Kind { submit_answer, .. } = package.kind;
    let words = Kind { submit_answer, ..Kind::default() }.words();
    if words.is_empty() {
        return Ok(());
    }
    Err(JudgeError::Package(format!(
        "the package {} is {}; this version of referee judges programs only",
        package.name,
        words.join(" and ")
    )))
}
