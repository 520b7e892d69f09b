//! Runs the package's output validators and its static validator. An output validator that follows the format is called
//! as `validator input answer feedback_dir/ arguments < output`.

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;

use super::feedback::{self, Feedback};
use super::session::ValidatorSession;
use super::testlib::{self, Protocol};
use super::{Judgement, ValidationContext};
use crate::build::executable::Executable;
use crate::build::run_folder::{Places, RecentSandboxes, WritingSandbox};
use crate::build::{self, Built, Source};
use crate::outcome::classify::{ending_words, limit_words};
use crate::outcome::interactive_verdict::ValidatorEnd;
use crate::workspace::site::Site;
use crate::{JudgeError, Settings, jury_limits};
use referee_grading::verdict::Verdict;
use referee_package::{Package, PackageProgram, TestCase};
use referee_sandbox::{Captured, Ended, Limits, Outcome, Run, SandboxError, has_private_root};
use referee_text::printable::printable;

/// An output validator, or the static validator, that can be run.
pub(crate) struct Custom {
    name: String,
    kind: ValidatorKind,
    program: Executable,
    sandboxes: RecentSandboxes,
    limits: Limits,
    protocol: Protocol,
    /// Whether the validator runs in the submission's folder, as the format requires since version 2023-07.
    beside_the_submission: bool,
}

/// The file in the feedback folder that an interactor of testlib writes for a checker.
const INTERACTORS_OUTPUT: &str = "tout";

/// The type of a validator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValidatorKind {
    /// An output validator, which judges the outputs of submissions.
    Output,
    /// The static validator, which judges the sources of submissions.
    Static,
}

impl ValidatorKind {
    fn word(self) -> &'static str {
        match self {
            ValidatorKind::Output => "output",
            ValidatorKind::Static => "static",
        }
    }
}

/// Maximum length of the quotation from a validator's standard error, in bytes.
const QUOTED_BYTES: usize = 500;

pub(super) fn prepare(
    program: &PackageProgram,
    kind: ValidatorKind,
    package: &Package,
    settings: &Settings,
    site: Site<'_>,
) -> Result<Custom, JudgeError> {
    let path = program.path.display();
    let unusable =
        |message| JudgeError::Package(format!("the {} validator {path} cannot be built: {message}", kind.word()));
    let checker = testlib::detect(program, &package.boundary, settings.testlib.as_deref()).map_err(unusable)?;
    let added = [program.headers.as_slice(), checker.header.as_slice()].concat();
    let source = Source::of_package(&program.path, package, &added);
    match build::build(&source, settings, site)?.result {
        Built::Ready(ready) => Ok(Custom {
            name: program.name.clone(),
            kind,
            program: ready,
            sandboxes: RecentSandboxes::default(),
            limits: jury_limits(settings),
            protocol: checker.protocol,
            beside_the_submission: !package.version.is_legacy(),
        }),
        Built::Broken(message) => {
            Err(JudgeError::System { doing: "building a validator", source: io::Error::other(message) })
        }
        Built::Failed(message) | Built::Refused(message) => Err(unusable(message)),
        Built::Skipped(reason) => Err(unusable(reason.to_string())),
    }
}

impl Custom {
    /// Returns the validator's name, and the bytes that identify the validator with its limits; `None` if they are
    /// unknown. The judge assumes that the validator reads no other files of the package, because the format gives it
    /// none.
    pub(super) fn ingredients(&self) -> Option<(String, Vec<u8>)> {
        let Custom { name, kind: _, program, sandboxes: _, limits, protocol, beside_the_submission } = self;
        let rules = format!("{name:?} {:?} {limits:?} {protocol:?} {beside_the_submission}", program.key()?);
        Some((name.clone(), rules.into_bytes()))
    }

    pub(crate) fn program(&self) -> &Executable {
        &self.program
    }

    /// Returns a validator that is the same but for its program and its limits.
    pub(super) fn with_program(&self, program: Executable, limits: Limits) -> Custom {
        let Custom { name, kind, protocol, beside_the_submission, .. } = self;
        let sandboxes = RecentSandboxes::default();
        let (kind, protocol, beside_the_submission) = (*kind, *protocol, *beside_the_submission);
        Custom { name: name.clone(), kind, program, sandboxes, limits, protocol, beside_the_submission }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Runs the validator on an output. The inner error says why there is no judgement: the validator failed, or the
    /// judge could not copy its feedback files.
    pub(super) fn judge(
        &self,
        validation: &ValidationContext<'_>,
        output: &Captured,
        settings: &Settings,
    ) -> Result<Result<Judgement, String>, SandboxError> {
        self.in_session(validation, settings, |session| {
            let judged = session.examine(&validation.case.input(), output)?;
            let stored = session.store_feedback()?;
            Ok(judged.and_then(|judgement| stored.map(|()| judgement)))
        })
    }

    /// Starts a session of the validator for one test case. `work` runs any number of passes in it.
    pub(crate) fn in_session<T, E: From<SandboxError>>(
        &self,
        validation: &ValidationContext<'_>,
        settings: &Settings,
        work: impl FnOnce(&mut ValidatorSession<'_, '_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let names = (validation.submission, &*validation.case.name);
        let feedback_target = settings.feedback.as_ref().map(|folder| feedback::target(folder, names, &self.name));
        let sandbox = self.sandbox(validation, settings)?;
        let mut run_folder = sandbox.run_folder()?;
        let case = validation.case;
        work(&mut ValidatorSession { custom: self, case, run_folder: &mut run_folder, feedback_target })
    }

    /// Returns the sandbox for a session.
    fn sandbox(
        &self,
        validation: &ValidationContext<'_>,
        settings: &Settings,
    ) -> Result<Arc<WritingSandbox>, SandboxError> {
        let ValidationContext { submitted, workspace, inputs: readable, .. } = *validation;
        let directory = self.beside_the_submission.then_some(submitted);
        let places = Places { workspace, directory, readable };
        // The inputs of later passes are in another folder for each test case. Without a private root, the folder is
        // one of the machine, which several sessions cannot share.
        if readable.is_some() || !has_private_root(settings.sandbox) {
            return WritingSandbox::new(&self.program, places, false).map(Arc::new);
        }
        let make = || WritingSandbox::new(&self.program, places, true);
        // Each job needs one, and several jobs may share a submission.
        self.sandboxes.of_submission(submitted, settings.jobs, make)
    }

    /// Runs the validator once without a test case, in the folder `beside`, and stores its feedback files if the
    /// settings name a folder for them. `names` are the names of the submission and of the static test.
    pub(super) fn run_beside<'r>(
        &self,
        names: (&str, &str),
        beside: &Path,
        workspace: &Path,
        settings: &Settings,
        prepare: impl FnOnce(&Path) -> Run<'r>,
    ) -> Result<Result<Judgement, String>, SandboxError> {
        let feedback_target = settings.feedback.as_ref().map(|folder| feedback::target(folder, names, &self.name));
        let places = Places { workspace, directory: Some(beside), readable: None };
        let sandbox = WritingSandbox::new(&self.program, places, false)?;
        let mut run_folder = sandbox.run_folder()?;
        let outcome = run_folder.instance.run(&prepare(run_folder.path()))?;
        let folder = run_folder.open()?;
        let judged = self.judgement(&outcome, feedback::read(&folder));
        Ok(judged.and_then(|judgement| self.store_feedback(&folder, feedback_target.as_ref()).map(|()| judgement)))
    }

    /// Copies the files of the feedback folder to `target`; does nothing if `target` is `None`. The error is a message.
    pub(super) fn store_feedback(&self, folder: &OwnedFd, target: Option<&feedback::Target>) -> Result<(), String> {
        let Some(target) = target else { return Ok(()) };
        let (name, kind) = (&self.name, self.kind.word());
        feedback::store(folder, target)
            .map_err(|trouble| format!("the feedback files of the {kind} validator {name} cannot be copied: {trouble}"))
    }

    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    /// Returns the validator's arguments for judging the output on `input`.
    pub(super) fn arguments(&self, case: &TestCase, input: &Path, feedback: &Path, interacts: bool) -> Vec<OsString> {
        let (input, answer) = (input.as_os_str().to_owned(), case.answer().into_os_string());
        let mut arguments = match self.protocol {
            Protocol::Icpc => {
                let mut folder = feedback.as_os_str().to_owned();
                folder.push("/");
                vec![input, answer, folder]
            }
            // An interactor talks to the submission over standard input and output. Its second argument is not the
            // submission's output, but a file that the interactor writes for a checker.
            Protocol::Testlib if interacts => vec![input, feedback.join(INTERACTORS_OUTPUT).into(), answer],
            Protocol::Testlib => vec![input, "/dev/stdin".into(), answer],
        };
        arguments.extend(case.output_validator_arguments.of(&self.name).into_iter().map(OsString::from));
        arguments
    }

    /// Returns how the validator ended, as far as the verdict of an interactive run depends on it.
    pub(super) fn validator_end(&self, outcome: &Outcome) -> ValidatorEnd {
        match self.protocol.verdict(outcome.ended) {
            _ if outcome.crossed.is_some() => ValidatorEnd::LimitExceeded,
            None => ValidatorEnd::Invalid,
            Some(Verdict::Accepted) => ValidatorEnd::Accepted,
            Some(_) => ValidatorEnd::Rejected,
        }
    }

    /// Returns a function that decides whether the submission may continue. Its argument is the way in which the
    /// validator ended.
    pub(super) fn may_continue_after(&self) -> fn(Ended) -> bool {
        match self.protocol {
            Protocol::Icpc => |ended| ended == Ended::Exited(42),
            Protocol::Testlib => |ended| ended == Ended::Exited(0),
        }
    }

    /// Returns the validator's judgement, from the way in which the validator ended and from its feedback files. The
    /// error is the reason why the validator failed.
    pub(super) fn judgement(&self, outcome: &Outcome, feedback: Feedback) -> Result<Judgement, String> {
        let (name, kind) = (&self.name, self.kind.word());
        if let Some(limit) = outcome.crossed {
            return Err(format!(
                "the {kind} validator {name} used {}",
                limit_words(limit, &self.limits, &outcome.usage)
            ));
        }
        let written = outcome.printed_bytes + feedback.bytes;
        if written > self.limits.output_bytes {
            return Err(format!(
                "the {kind} validator {name} wrote more than the {} bytes of output and feedback files that the limit \
                 allows",
                self.limits.output_bytes
            ));
        }
        let Some(verdict) = self.protocol.verdict(outcome.ended) else {
            return Err(self.invalid_end_message(outcome));
        };
        let stderr_text =
            || Some(stderr_text(&outcome.stderr)).filter(|text| self.protocol == Protocol::Testlib && !text.is_empty());
        let message = feedback.judge_message.or_else(stderr_text);
        let Feedback { team_message, difference, given, .. } = feedback;
        Ok(Judgement { verdict, message, team_message, difference, given })
    }

    pub(super) fn invalid_end_message(&self, outcome: &Outcome) -> String {
        let stderr_text = stderr_text(&outcome.stderr);
        let quotation = if stderr_text.is_empty() { String::new() } else { format!(" and said: {stderr_text}") };
        let ended = match outcome.ended {
            Ended::Exited(code) => self.protocol.meaning(code),
            killed @ Ended::Signaled(_) => ending_words(killed),
        };
        format!(
            "the {} validator {} must end with exit code {}; it ended with {ended}{quotation}",
            self.kind.word(),
            self.name,
            self.protocol.allowed()
        )
    }
}

fn stderr_text(stderr: &[u8]) -> String {
    printable(&stderr[..stderr.len().min(QUOTED_BYTES)]).trim().to_owned()
}

impl Protocol {
    /// Returns the verdict of a validator that ended in this way; `None` if this way of ending is not a verdict, so
    /// that the validator failed.
    fn verdict(self, ended: Ended) -> Option<Verdict> {
        match (self, ended) {
            (Protocol::Icpc, Ended::Exited(42)) | (Protocol::Testlib, Ended::Exited(0)) => Some(Verdict::Accepted),
            // testlib's exit codes mean: 1 wrong answer, 2 presentation error, 4 extra text after the answer, 8
            // unexpected end of the output.
            (Protocol::Icpc, Ended::Exited(43)) | (Protocol::Testlib, Ended::Exited(1 | 2 | 4 | 8)) => {
                Some(Verdict::WrongAnswer)
            }
            _ => None,
        }
    }

    fn allowed(self) -> &'static str {
        match self {
            Protocol::Icpc => "42 or 43",
            Protocol::Testlib => "0, 1, 2, 4 or 8, as testlib's checkers do",
        }
    }

    fn meaning(self, code: i32) -> String {
        match (self, code) {
            (Protocol::Testlib, 3) => "exit code 3 (FAIL: the checker or the jury's answer is wrong)".to_owned(),
            (Protocol::Testlib, 7) => "exit code 7 (POINTS; write the score to score.txt instead)".to_owned(),
            _ => ending_words(Ended::Exited(code)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_two_exit_codes_of_the_format_are_verdicts() {
        for code in 0..=255 {
            let wanted = match code {
                42 => Some(Verdict::Accepted),
                43 => Some(Verdict::WrongAnswer),
                _ => None,
            };
            assert_eq!(Protocol::Icpc.verdict(Ended::Exited(code)), wanted, "{code}");
        }
        assert_eq!(Protocol::Icpc.verdict(Ended::Signaled(libc::SIGSEGV)), None);
    }

    #[test]
    fn a_checker_of_testlib_speaks_with_its_own_exit_codes() {
        for code in 0..=255 {
            let wanted = match code {
                0 => Some(Verdict::Accepted),
                1 | 2 | 4 | 8 => Some(Verdict::WrongAnswer),
                _ => None,
            };
            assert_eq!(Protocol::Testlib.verdict(Ended::Exited(code)), wanted, "{code}");
        }
    }
}
