//! An output validator at work on one case: over all passes it keeps its place and its feedback folder.

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

/// See the module.
pub(crate) struct ValidatorSession<'a, 'p> {
    pub(super) custom: &'a Custom,
    pub(super) case: &'a TestCase,
    pub(super) place: &'a mut RunFolder<'p>,
    /// Where to keep the feedback files.
    pub(super) keep: Option<PathBuf>,
}

impl ValidatorSession<'_, '_> {
    /// Has it judge what came of `input`. The inner error is the package's: the validator failed.
    pub(crate) fn examine(&mut self, input: &Path, output: &Captured) -> Result<Result<Opinion, String>, SandboxError> {
        let run = Run {
            arguments: self.custom.arguments(self.case, input, self.place.path(), false),
            input: Input::Captured(output),
            limits: self.custom.limits(),
        };
        let outcome = self.place.instance.run(&run)?;
        self.opinion(&outcome)
    }

    /// Has it talk with a submission about `input`.
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

    /// What it says, by how it ended and its feedback. The inner error is the package's.
    pub(crate) fn opinion(&self, outcome: &Outcome) -> Result<Result<Opinion, String>, SandboxError> {
        let feedback = feedback::read(&self.folder()?);
        Ok(self.custom.opinion(outcome, feedback))
    }

    /// Keeps the feedback files, if they are wanted; to be done when no pass follows. The inner error says why it
    /// cannot be done.
    pub(crate) fn keep(&self) -> Result<Result<(), String>, SandboxError> {
        Ok(self.custom.keep(&self.folder()?, self.keep.as_deref()))
    }

    /// What its end stands for.
    pub(crate) fn validated(&self, outcome: &Outcome) -> Validated {
        self.custom.validated(outcome)
    }

    /// Takes the input of the next pass, if it has written one. The inner error is the package's.
    pub(crate) fn next_pass(&self) -> Result<Result<Option<Vec<u8>>, String>, SandboxError> {
        Ok(feedback::take_next_pass(&self.folder()?, self.custom.limits().output_bytes))
    }

    fn folder(&self) -> Result<OwnedFd, SandboxError> {
        self.place.open()
    }
}
