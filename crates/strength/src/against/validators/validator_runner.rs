//! Runs a single validator of the package, changed or unchanged.

use std::path::Path;

use crate::subject::{Role, Subject};
use referee_grading::verdict::Verdict;
use referee_judge::{Digest, InputExaminer, InputVerdict, JudgeError, OutputExaminer, Ruling, Session, Settings};
use referee_package::{Package, TestCase};

/// A validator that is built and ready to run.
pub(super) enum Panel<'a> {
    Output(Box<OutputExaminer<'a>>),
    Input(InputExaminer<'a>),
}

impl<'a> Panel<'a> {
    /// Builds the only validator of its kind in `package`. The inner error is the reason why it cannot be built.
    pub(super) fn open(
        subject: &Subject,
        package: &'a Package,
        settings: &Settings,
    ) -> Result<Result<Self, String>, JudgeError> {
        let session = Session::open(package, settings)?;
        if subject.role != Role::InputValidator {
            return match session.output_examiner() {
                Ok(examiner) => Ok(Ok(Panel::Output(Box::new(examiner)))),
                Err(JudgeError::Package(reason)) => Ok(Err(reason)),
                Err(error) => Err(error),
            };
        }
        let examiner = session.input_examiner()?;
        Ok(match examiner.unusable().first() {
            Some(unusable) => Err(unusable.reason.clone()),
            None => Ok(Panel::Input(examiner)),
        })
    }

    /// Returns the digest of the code to which the validator's sources at `path` compile. Fails if there is no
    /// validator.
    pub(super) fn product(&self, path: &Path) -> Result<Digest, JudgeError> {
        let product = match self {
            Panel::Output(examiner) => examiner.product(path)?,
            Panel::Input(examiner) => examiner.product(path)?,
        };
        product.ok_or_else(|| JudgeError::Package("there is no validator to ask".to_owned()))
    }

    /// Returns a remark if the validator aborted and its aborts were counted as rejections; else `None`.
    pub(super) fn abort_remarks(&self) -> Vec<String> {
        match self {
            Panel::Output(_) => Vec::new(),
            Panel::Input(examiner) => examiner.abort_remarks(),
        }
    }

    /// Runs the validator on `bytes`: an output for the case, or an input in place of the case's own. With `None`, an
    /// input validator checks the case's own input, and an output validator an empty output. Rulings of input
    /// validators are translated to verdicts, too.
    pub(super) fn ask(&self, case: &TestCase, bytes: Option<&[u8]>) -> Result<Ruling, JudgeError> {
        let examiner = match self {
            Panel::Output(examiner) => return examiner.judge(case, bytes.unwrap_or_default()),
            Panel::Input(examiner) => examiner,
        };
        let words = match bytes {
            Some(bytes) => examiner.judge_instead(case, bytes)?,
            None => examiner.judge(case)?,
        };
        let (verdict, message) = match words.into_iter().next() {
            Some(InputVerdict::Valid) => (Verdict::Accepted, None),
            Some(InputVerdict::Invalid(reason) | InputVerdict::Aborted(reason)) => (Verdict::WrongAnswer, Some(reason)),
            Some(InputVerdict::Failed(reason) | InputVerdict::Exhausted(reason)) => (Verdict::JudgeError, Some(reason)),
            None => (Verdict::JudgeError, None),
        };
        Ok(Ruling { verdict, message })
    }
}
