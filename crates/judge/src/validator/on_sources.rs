//! Runs the static validator, which judges a submission's sources. It is called as
//! `validator language entry_point feedback_dir/ arguments`.
//!
//! See the section "Static validator" of package format 2025-09. The static validator has the same exit codes and
//! feedback files as an output validator. Its working directory is the submission's folder.

use std::ffi::OsString;
use std::path::Path;

use super::custom::{self, Custom, ValidatorKind};
use super::{Judgement, judge_error};
use crate::build::executable::Executable;
use crate::outcome::case_result::CaseResult;
use crate::workspace::site::Site;
use crate::{JudgeError, Settings};
use referee_package::{Package, StaticTest};
use referee_sandbox::{Input, Run, SandboxError};

/// A static validator that can be run.
pub(crate) struct StaticValidator(Custom);

/// Builds the package's static validator; `None` if the package has none.
pub(crate) fn prepare_static(
    package: &Package,
    settings: &Settings,
    site: Site<'_>,
) -> Result<Option<StaticValidator>, JudgeError> {
    let program = package.static_validator.as_ref();
    let prepared = program.map(|program| custom::prepare(program, ValidatorKind::Static, package, settings, site));
    Ok(prepared.transpose()?.map(StaticValidator))
}

impl StaticValidator {
    /// Judges the sources of `submission`, whose compiled program is `program`.
    pub(crate) fn judge(
        &self,
        submission: &str,
        program: &Executable,
        test: &StaticTest,
        workspace: &Path,
        settings: &Settings,
    ) -> Result<CaseResult, JudgeError> {
        let (language, entry_point) = program.language_and_entry_point();
        let prepare = |feedback: &Path| {
            let mut folder = feedback.as_os_str().to_owned();
            folder.push("/");
            let mut arguments = vec![OsString::from(language), OsString::from(entry_point), folder];
            arguments.extend(test.arguments.iter().map(OsString::from));
            Run { arguments, input: Input::Empty, limits: self.0.limits() }
        };
        let names = (submission, test.name.as_str());
        let judgement = match self.0.run_beside(names, program.folder(), workspace, settings, prepare) {
            Err(SandboxError::Interrupted) => return Err(JudgeError::Interrupted),
            Err(error) => judge_error(format!("the static validator could not be run: {error}")),
            Ok(judgement) => judgement.unwrap_or_else(judge_error),
        };
        let Judgement { verdict, given, message, team_message, .. } = judgement;
        Ok(CaseResult { given, message, team_message, ..CaseResult::of(verdict) })
    }
}
