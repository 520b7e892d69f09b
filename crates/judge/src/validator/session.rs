//! A session of an output validator on one test case. The sandbox instance and the feedback folder stay the same over
//! all passes.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use super::custom::Custom;
use super::{Opinion, feedback};
use crate::build::executable::RunFolder;
use crate::outcome::interactive_verdict::Validated;
use referee_package::TestCase;
use referee_sandbox::{
    Captured, Input, Interaction, InteractiveError, Outcome, Participant, Run, SandboxError, run_interactive,
};

/// A session of an output validator on one test case. See the module.
pub(crate) struct ValidatorSession<'a, 'p> {
    pub(super) custom: &'a Custom,
    pub(super) case: &'a TestCase,
    pub(super) place: &'a mut RunFolder<'p>,
    /// The folder to which the feedback files are copied; `None` if they are not stored.
    pub(super) keep: Option<PathBuf>,
}

impl ValidatorSession<'_, '_> {
    /// Runs the validator on the submission's output for `input`. The inner error is the reason why the validator
    /// failed, which is a fault of the package.
    pub(crate) fn examine(&mut self, input: &Path, output: &Captured) -> Result<Result<Opinion, String>, SandboxError> {
        let run = Run {
            arguments: self.custom.arguments(self.case, input, self.place.path(), false),
            input: Input::Captured(output),
            limits: self.custom.limits(),
        };
        let outcome = self.place.instance.run(&run)?;
        self.opinion(&outcome)
    }

    /// Runs the validator as an interactor, together with a submission, on `input`.
    pub(crate) fn talk(
        &mut self,
        submission: Participant<'_, '_>,
        input: &Path,
    ) -> Result<Interaction, InteractiveError> {
        let interactor = Participant {
            arguments: self.custom.arguments(self.case, input, self.place.path(), true),
            limits: self.custom.limits(),
            instance: &mut self.place.instance,
        };
        run_interactive(submission, interactor, self.custom.lets_go_on())
    }

    /// Returns the validator's opinion, from its end and its feedback files. The inner error is the reason why the
    /// validator failed.
    pub(crate) fn opinion(&self, outcome: &Outcome) -> Result<Result<Opinion, String>, SandboxError> {
        let feedback = feedback::read(&self.folder()?);
        Ok(self.custom.opinion(outcome, feedback))
    }

    /// Copies the feedback files to the user's folder, if there is one. The caller does this after the last pass. The
    /// inner error says why the copy failed.
    pub(crate) fn keep(&self) -> Result<Result<(), String>, SandboxError> {
        Ok(self.custom.keep(&self.folder()?, self.keep.as_deref()))
    }

    /// Returns the meaning of the validator's end.
    pub(crate) fn validated(&self, outcome: &Outcome) -> Validated {
        self.custom.validated(outcome)
    }

    /// Takes the input of the next pass; `None` if the validator wrote none. The inner error is a fault of the package.
    pub(crate) fn next_pass(&self) -> Result<Result<Option<Vec<u8>>, String>, SandboxError> {
        Ok(feedback::take_next_pass(&self.folder()?, self.custom.limits().output_bytes))
    }

    fn folder(&self) -> Result<OwnedFd, SandboxError> {
        self.place.open()
    }
}
