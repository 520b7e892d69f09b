//! Runs a single validator of the package: the original or a mutant.

use std::path::Path;

use crate::subject::{Role, Subject};
use referee_grading::verdict::Verdict;
use referee_judge::{
    Digest, InputExaminer, InputVerdict, JudgeError, Metamutant, MetamutantBuild, OutputExaminer, Ruling, Session,
    Settings,
};
use referee_package::{Package, TestCase};

/// A validator that has been built.
pub(super) enum ValidatorRunner<'a> {
    Output(Box<OutputExaminer<'a>>),
    Input(InputExaminer<'a>),
}

impl<'a> ValidatorRunner<'a> {
    /// Builds the only validator of its kind in `package`. The inner error is the reason why it cannot be built.
    pub(super) fn open(
        subject: &Subject,
        package: &'a Package,
        settings: &Settings,
    ) -> Result<Result<Self, String>, JudgeError> {
        let session = Session::open(package, settings)?;
        if subject.role != Role::InputValidator {
            return match session.output_examiner() {
                Ok(examiner) => Ok(Ok(ValidatorRunner::Output(Box::new(examiner)))),
                Err(JudgeError::Package(reason)) => Ok(Err(reason)),
                Err(error) => Err(error),
            };
        }
        let examiner = session.input_examiner()?;
        Ok(match examiner.unusable().first() {
            Some(unusable) => Err(unusable.reason.clone()),
            None => Ok(ValidatorRunner::Input(examiner)),
        })
    }

    /// Compiles a metamutant of the validator, which contains `copies` programs. Its sources are in `folder`.
    pub(super) fn build_metamutant(&self, folder: &Path, copies: usize) -> Result<MetamutantBuild, JudgeError> {
        match self {
            ValidatorRunner::Output(examiner) => examiner.build_metamutant(folder, copies),
            ValidatorRunner::Input(examiner) => examiner.build_metamutant(folder, copies),
        }
    }

    /// Returns a copy in a metamutant of the validator.
    pub(super) fn of_copy(&self, copy: (&Metamutant, usize), settings: &Settings) -> ValidatorRunner<'a> {
        match self {
            ValidatorRunner::Output(examiner) => ValidatorRunner::Output(Box::new(examiner.of_copy(copy, settings))),
            ValidatorRunner::Input(examiner) => ValidatorRunner::Input(examiner.of_copy(copy, settings)),
        }
    }

    /// Returns the digest of the code that the validator's sources at `path` compile to. Fails if there is no
    /// validator.
    pub(super) fn product(&self, path: &Path) -> Result<Digest, JudgeError> {
        let product = match self {
            ValidatorRunner::Output(examiner) => examiner.product(path)?,
            ValidatorRunner::Input(examiner) => examiner.product(path)?,
        };
        product.ok_or_else(|| JudgeError::Package("there is no validator to run".to_owned()))
    }

    /// Returns a remark if an input validator aborted on an input; empty if it never aborted. The remark tells the user
    /// that each abort counts as a rejection.
    pub(super) fn abort_remarks(&self) -> Vec<String> {
        match self {
            ValidatorRunner::Output(_) => Vec::new(),
            ValidatorRunner::Input(examiner) => examiner.abort_remarks(),
        }
    }

    /// Runs the validator. An output validator judges `bytes` as an output for the test case; `None` means an empty
    /// output. An input validator checks `bytes` instead of the test case's own input; `None` means the own input. The
    /// result of an input validator is returned as accepted, wrong answer or judge error.
    pub(super) fn run(&self, case: &TestCase, bytes: Option<&[u8]>) -> Result<Ruling, JudgeError> {
        let examiner = match self {
            ValidatorRunner::Output(examiner) => return examiner.judge(case, bytes.unwrap_or_default()),
            ValidatorRunner::Input(examiner) => examiner,
        };
        let verdicts = match bytes {
            Some(bytes) => examiner.judge_instead(case, bytes)?,
            None => examiner.judge(case)?,
        };
        let (verdict, message) = match verdicts.into_iter().next() {
            Some(InputVerdict::Valid) => (Verdict::Accepted, None),
            Some(InputVerdict::Invalid(reason) | InputVerdict::Aborted(reason)) => (Verdict::WrongAnswer, Some(reason)),
            Some(InputVerdict::Failed(reason) | InputVerdict::Exhausted(reason)) => (Verdict::JudgeError, Some(reason)),
            None => (Verdict::JudgeError, None),
        };
        Ok(Ruling { verdict, message })
    }
}
