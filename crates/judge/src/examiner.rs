//! The package's validators, ready to be asked about any input or output: for checking a package, not a submission.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::build::executable::Executable;
use crate::build::executable::{self};
use crate::build::product_digest::{self, Digest};
use crate::session::Session;
use crate::validator::aborts::abort_remark;
use crate::validator::input_validator::{self, FileValidators, InputVerdict, Unusable};
use crate::validator::{Exam, Validator};
use crate::workspace::folder::Folder;
use crate::workspace::no_folder;
use crate::{JudgeError, Settings};
use referee_grading::verdict::Verdict;
use referee_package::TestCase;
use referee_sandbox::Captured;

/// What an output validator says of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// `AC`, `WA`, or `JE` where the validator failed.
    pub verdict: Verdict,
    /// Its words.
    pub message: Option<String>,
}

/// What the compiler made of the sources at `path`.
fn product(program: &Executable, path: &Path) -> Result<Digest, JudgeError> {
    let own = || {
        let name = path.file_name().map(PathBuf::from).unwrap_or_default();
        Ok(BTreeMap::from([(name, blake3::hash(&std::fs::read(path)?))]))
    };
    let sources = if path.is_dir() { product_digest::contents(path) } else { own() };
    sources
        .and_then(|sources| product_digest::digest(program.folder(), &sources))
        .map_err(|source| JudgeError::System { doing: "looking at what a compiler has made", source })
}

/// The input validators of a package.
pub struct InputExaminer<'a> {
    validators: FileValidators,
    unusable: Vec<Unusable>,
    session: Session<'a>,
}

impl<'a> Session<'a> {
    /// Builds the input validators, to run them on any input.
    pub fn input_examiner(&self) -> Result<InputExaminer<'a>, JudgeError> {
        InputExaminer::open(self)
    }

    /// Builds the answer validators, to run them on any answer.
    pub fn answer_examiner(&self) -> Result<AnswerExaminer<'a>, JudgeError> {
        AnswerExaminer::open(self)
    }

    /// Builds the output validators, to run them on any output.
    pub fn output_examiner(&self) -> Result<OutputExaminer<'a>, JudgeError> {
        OutputExaminer::open(self)
    }
}

impl<'a> InputExaminer<'a> {
    /// Builds the validators. [`InputExaminer::unusable`] lists those that cannot be built.
    pub(crate) fn open(session: &Session<'a>) -> Result<Self, JudgeError> {
        let (validators, unusable) = input_validator::prepare(
            &session.package.input_validators,
            session.package,
            &session.settings,
            session.site(),
        )?;
        Ok(InputExaminer { validators, unusable, session: session.clone() })
    }

    /// The validators that can be asked, in the order of their words.
    pub fn names(&self) -> Vec<String> {
        self.validators.names().map(str::to_owned).collect()
    }

    /// The validators that cannot.
    pub fn unusable(&self) -> &[Unusable] {
        &self.unusable
    }

    /// The validators whose aborts have counted as rejections so far, each with the remark on it.
    pub fn aborting(&self) -> Vec<(&str, String)> {
        self.validators.aborting().map(|name| (name, abort_remark(name))).collect()
    }

    /// The remarks on the validators whose aborts have counted as rejections so far.
    pub fn abort_remarks(&self) -> Vec<String> {
        self.aborting().into_iter().map(|(_, remark)| remark).collect()
    }

    /// What the compiler made of the first of them, whose file or folder is `path`. `None` if there is none that can be
    /// asked.
    pub fn product(&self, path: &Path) -> Result<Option<Digest>, JudgeError> {
        self.validators.first().map(|program| product(program, path)).transpose()
    }

    /// What each says of the input of a case.
    pub fn judge(&self, case: &TestCase) -> Result<Vec<InputVerdict>, JudgeError> {
        self.validators.judge(case, None, self.session.package, self.session.site())
    }

    /// What each would say if the case had the input `bytes`.
    pub fn judge_instead(&self, case: &TestCase, bytes: &[u8]) -> Result<Vec<InputVerdict>, JudgeError> {
        let bytes = Captured::of(bytes.to_vec());
        self.validators.judge(case, Some(&bytes), self.session.package, self.session.site())
    }
}

/// The answer validators of a package, if it has any.
pub struct AnswerExaminer<'a> {
    validators: FileValidators,
    unusable: Vec<Unusable>,
    session: Session<'a>,
}

impl<'a> AnswerExaminer<'a> {
    /// Builds the validators. [`AnswerExaminer::unusable`] lists those that cannot be built.
    pub(crate) fn open(session: &Session<'a>) -> Result<Self, JudgeError> {
        let (validators, unusable) = input_validator::prepare(
            &session.package.answer_validators,
            session.package,
            &session.settings,
            session.site(),
        )?;
        Ok(AnswerExaminer { validators, unusable, session: session.clone() })
    }

    /// The validators that can be asked, in the order of their words.
    pub fn names(&self) -> Vec<String> {
        self.validators.names().map(str::to_owned).collect()
    }

    /// The validators that cannot.
    pub fn unusable(&self) -> &[Unusable] {
        &self.unusable
    }

    /// What each says of the answer of a case.
    pub fn judge(&self, case: &TestCase) -> Result<Vec<InputVerdict>, JudgeError> {
        self.validators.judge_answer(case, self.session.package, self.session.site())
    }
}

/// The output validator of a package, or the default one.
pub struct OutputExaminer<'a> {
    validator: Validator,
    /// An empty folder, for validators that expect the submission's folder.
    no_submission: Folder,
    session: Session<'a>,
}

impl<'a> OutputExaminer<'a> {
    /// Builds it.
    pub(crate) fn open(session: &Session<'a>) -> Result<Self, JudgeError> {
        // The user's feedback folder is for submissions only.
        let session = session.with(Settings { feedback: None, ..(*session.settings).clone() });
        let validator = session.validator(&session.package.cases)?;
        let no_submission = executable::folder_in(session.workspace.path()).map_err(no_folder)?;
        Ok(OutputExaminer { validator, no_submission, session })
    }

    /// What the compiler made of the first of the package's own, whose file or folder is `path`. `None` if there is
    /// none.
    pub fn product(&self, path: &Path) -> Result<Option<Digest>, JudgeError> {
        self.validator.only().map(|custom| product(custom.program(), path)).transpose()
    }

    /// What it says if a submission has written `output` on the case.
    pub fn judge(&self, case: &TestCase, output: &[u8]) -> Result<Ruling, JudgeError> {
        let output = Captured::of(output.to_vec());
        let (submitted, workspace) = (self.no_submission.path(), self.session.workspace.path());
        let exam = Exam { submission: "nobody", case, submitted, workspace, inputs: None };
        let opinion = self.validator.judge(&exam, &output, &self.session.settings)?;
        Ok(Ruling { verdict: opinion.verdict, message: opinion.message })
    }
}
