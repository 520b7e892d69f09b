//! A session of an output validator on one test case. The sandbox instance and the feedback folder stay the same over
//! all passes.

use std::os::fd::OwnedFd;
use std::path::Path;

use super::custom::Custom;
use super::feedback::Target;
use super::{Judgement, feedback};
use crate::build::run_folder::RunFolder;
use crate::outcome::interactive_verdict::ValidatorEnd;
use referee_package::TestCase;
use referee_sandbox::{
    Captured, Input, Interaction, InteractiveError, Outcome, Participant, Run, SandboxError, run_interactive,
};

/// A session of an output validator on one test case, with any number of passes.
pub(crate) struct ValidatorSession<'a, 'p> {
    pub(super) custom: &'a Custom,
    pub(super) case: &'a TestCase,
    pub(super) run_folder: &'a mut RunFolder<'p>,
    /// The folder to which the feedback files are copied; `None` if they are not stored.
    pub(super) feedback_target: Option<Target>,
}

impl ValidatorSession<'_, '_> {
    /// Runs the validator on the submission's output for `input`. The inner error is the reason why the validator
    /// failed, which is a fault of the package.
    pub(crate) fn examine(
        &mut self,
        input: &Path,
        output: &Captured,
    ) -> Result<Result<Judgement, String>, SandboxError> {
        let run = Run {
            arguments: self.custom.arguments(self.case, input, self.run_folder.path(), false),
            input: Input::Captured(output),
            limits: self.custom.limits(),
        };
        let outcome = self.run_folder.instance.run(&run)?;
        self.judgement(&outcome)
    }

    /// Runs the validator as an interactor, together with a submission, on `input`.
    pub(crate) fn interact(
        &mut self,
        submission: Participant<'_, '_>,
        input: &Path,
    ) -> Result<Interaction, InteractiveError> {
        let interactor = Participant {
            arguments: self.custom.arguments(self.case, input, self.run_folder.path(), true),
            limits: self.custom.limits(),
            instance: &mut self.run_folder.instance,
        };
        run_interactive(submission, interactor, self.custom.may_continue_after())
    }

    /// Returns the validator's judgement, from its end and its feedback files. The inner error is the reason why the
    /// validator failed.
    pub(crate) fn judgement(&self, outcome: &Outcome) -> Result<Result<Judgement, String>, SandboxError> {
        let feedback = feedback::read(&self.folder()?);
        Ok(self.custom.judgement(outcome, feedback))
    }

    /// Copies the feedback files to the user's folder, if there is one. The caller does this after the last pass. The
    /// inner error says why the copy failed.
    pub(crate) fn store_feedback(&self) -> Result<Result<(), String>, SandboxError> {
        Ok(self.custom.store_feedback(&self.folder()?, self.feedback_target.as_ref()))
    }

    /// Returns how the validator ended, as far as the verdict of an interactive run depends on it.
    pub(crate) fn validator_end(&self, outcome: &Outcome) -> ValidatorEnd {
        self.custom.validator_end(outcome)
    }

    /// Takes the input of the next pass; `None` if the validator wrote none. The inner error is a fault of the package.
    pub(crate) fn next_pass(&self) -> Result<Result<Option<Vec<u8>>, String>, SandboxError> {
        Ok(feedback::take_next_pass(&self.folder()?, self.custom.limits().output_bytes))
    }

    fn folder(&self) -> Result<OwnedFd, SandboxError> {
        self.run_folder.open()
    }
}
