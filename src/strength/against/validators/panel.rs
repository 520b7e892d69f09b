//! A single validator of the package, changed or not, that can be asked.

use std::path::Path;

use crate::judge::{Digest, InputExaminer, JudgeError, OutputExaminer, Ruling, Settings, Word};
use crate::package::{Package, TestCase};
use crate::strength::subject::{Role, Subject};
use crate::verdict::Verdict;

/// A validator.
pub(super) enum Panel<'a> {
    Output(Box<OutputExaminer<'a>>),
    Input(InputExaminer<'a>),
}

impl<'a> Panel<'a> {
    /// Builds the validator that is alone in `package`. The inner error is why it cannot be built.
    pub(super) fn open(
        subject: &Subject,
        package: &'a Package,
        settings: &Settings,
    ) -> Result<Result<Self, String>, JudgeError> {
        if subject.role != Role::InputValidator {
            return match OutputExaminer::new(package, settings) {
                Ok(examiner) => Ok(Ok(Panel::Output(Box::new(examiner)))),
                Err(JudgeError::Package(reason)) => Ok(Err(reason)),
                Err(error) => Err(error),
            };
        }
        let examiner = InputExaminer::new(package, settings)?;
        Ok(match examiner.unusable().first() {
            Some(unusable) => Err(unusable.reason.clone()),
            None => Ok(Panel::Input(examiner)),
        })
    }

    /// What the compiler made of its sources at `path`.
    pub(super) fn product(&self, path: &Path) -> Result<Digest, JudgeError> {
        let product = match self {
            Panel::Output(examiner) => examiner.product(path)?,
            Panel::Input(examiner) => examiner.product(path)?,
        };
        product.ok_or_else(|| JudgeError::Package("there is no validator to ask".to_owned()))
    }

    /// The remark on the validator if its aborts have counted as rejections.
    pub(super) fn abort_remarks(&self) -> Vec<String> {
        match self {
            Panel::Output(_) => Vec::new(),
            Panel::Input(examiner) => examiner.abort_remarks(),
        }
    }

    /// What it says of `bytes`: an output on the case, or an input in the place of the case's own. Without any, of the
    /// case's own input. Input validators, too, accept, reject or fail.
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
            Some(Word::Valid) => (Verdict::Accepted, None),
            Some(Word::Invalid(reason) | Word::Aborted(reason)) => (Verdict::WrongAnswer, Some(reason)),
            Some(Word::Failed(reason) | Word::Exhausted(reason)) => (Verdict::JudgeError, Some(reason)),
            None => (Verdict::JudgeError, None),
        };
        Ok(Ruling { verdict, message })
    }
}
