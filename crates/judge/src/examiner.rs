//! Runs the package's validators on any input, answer or output. Commands that check packages use this module.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::build::Source;
use crate::build::executable::{self, Executable};
use crate::build::metamutant::{self, Metamutant, MetamutantBuild};
use crate::build::product_digest::{self, Digest};
use crate::session::Session;
use crate::validator::aborts::abort_remark;
use crate::validator::input_validator::{self, FileValidators, InputVerdict, Unusable};
use crate::validator::{ValidationContext, Validator};
use crate::workspace::folder::Folder;
use crate::workspace::folder_error;
use crate::{JudgeError, Settings};
use referee_files::regular;
use referee_grading::verdict::Verdict;
use referee_package::TestCase;
use referee_sandbox::Captured;
use referee_text::list::first_names;

/// The verdict of an output validator on an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// `AC`, `WA`, or `JE` if the validator failed.
    pub verdict: Verdict,
    /// The validator's message; `None` if it wrote none.
    pub message: Option<String>,
}

/// Maximum number of validators that a message names.
const NAMED: usize = 4;

/// Returns the digest of the program that was compiled from the sources at `path`.
fn product(program: &Executable, path: &Path) -> Result<Digest, JudgeError> {
    let own = || {
        let name = path.file_name().map(PathBuf::from).unwrap_or_default();
        Ok(BTreeMap::from([(name, blake3::hash(&regular::read(path, regular::LARGEST_BYTES)?))]))
    };
    let sources = if path.is_dir() { product_digest::contents(path) } else { own() };
    sources
        .and_then(|sources| product_digest::digest(program.folder(), &sources))
        .map_err(|source| JudgeError::System { doing: "reading the compiled files", source })
}

/// Compiles a metamutant of a validator of the package. Its sources are in `folder`.
fn build_metamutant(session: &Session<'_>, folder: &Path, copies: usize) -> Result<MetamutantBuild, JudgeError> {
    let source = Source::of_package(folder, session.package, &[]);
    metamutant::build(&source, copies, &session.settings, session.site())
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

    /// Returns the names of the usable validators, in the order of the verdicts that `judge` returns.
    pub fn names(&self) -> Vec<String> {
        self.validators.names().map(str::to_owned).collect()
    }

    /// Returns the validators that cannot be built, with the reasons.
    pub fn unusable(&self) -> &[Unusable] {
        &self.unusable
    }

    /// Returns why an input may be illegal although all usable validators accept it; `None` if the package has input
    /// validators and all of them are usable.
    pub fn why_unchecked(&self) -> Option<String> {
        let is_checked = self.validators.names().next().is_some();
        let who = if is_checked { "not every input validator" } else { "no program" };
        let names: Vec<_> = self.unusable.iter().map(|one| one.name.as_str()).collect();
        let reason = match names[..] {
            [] if is_checked => return None,
            [] => "the package has no input validator".to_owned(),
            [name] => format!("the input validator {name} cannot be run"),
            _ => format!("the input validators {} cannot be run", first_names(&names, NAMED)),
        };
        Some(format!("{reason}, so {who} checked it"))
    }

    /// Returns the names of the validators that have rejected an input by an abort (SIGABRT) so far, each with the
    /// warning about it.
    pub fn aborting(&self) -> Vec<(&str, String)> {
        self.validators.aborting().map(|name| (name, abort_remark(name))).collect()
    }

    /// Returns the warnings of [`InputExaminer::aborting`], without the names.
    pub fn abort_remarks(&self) -> Vec<String> {
        self.aborting().into_iter().map(|(_, remark)| remark).collect()
    }

    /// Returns the digest of the compiled program of the first usable validator that is not a grammar; `None` if there
    /// is none. `path` is the validator's source file or folder.
    pub fn product(&self, path: &Path) -> Result<Option<Digest>, JudgeError> {
        self.validators.first().map(|program| product(program, path)).transpose()
    }

    /// Compiles a metamutant of an input validator, which contains `copies` programs. Its sources are in `folder`.
    pub fn build_metamutant(&self, folder: &Path, copies: usize) -> Result<MetamutantBuild, JudgeError> {
        build_metamutant(&self.session, folder, copies)
    }

    /// Returns an examiner with the same package and other settings. Its only validator is a copy of a metamutant, in
    /// place of the first validator that is a program.
    #[must_use]
    pub fn of_copy(&self, (metamutant, number): (&Metamutant, usize), settings: &Settings) -> InputExaminer<'a> {
        let validators = self.validators.with_program(metamutant.copy(number), settings);
        InputExaminer { validators, unusable: Vec::new(), session: self.session.with(settings.clone()) }
    }

    /// Runs each input validator on the input of a test case.
    pub fn judge(&self, case: &TestCase) -> Result<Vec<InputVerdict>, JudgeError> {
        self.validators.judge(case, None, self.session.package, self.session.site())
    }

    /// Runs each input validator as if the test case had the input `bytes`.
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

    /// Returns the names of the usable validators, in the order of the verdicts that `judge` returns.
    pub fn names(&self) -> Vec<String> {
        self.validators.names().map(str::to_owned).collect()
    }

    /// Returns the validators that cannot be built, with the reasons.
    pub fn unusable(&self) -> &[Unusable] {
        &self.unusable
    }

    /// Runs each answer validator on the answer of a test case.
    pub fn judge(&self, case: &TestCase) -> Result<Vec<InputVerdict>, JudgeError> {
        self.validators.judge_answer(case, self.session.package, self.session.site())
    }
}

/// The output validators of a package, or the default output validator if the package has none.
pub struct OutputExaminer<'a> {
    validator: Validator,
    /// An empty folder in place of the submission's folder, because some validators run in that folder.
    no_submission: Arc<Folder>,
    session: Session<'a>,
}

impl<'a> OutputExaminer<'a> {
    /// Builds the output validators.
    pub(crate) fn open(session: &Session<'a>) -> Result<Self, JudgeError> {
        // The user's feedback folder is for submissions only.
        let session = session.with(Settings { feedback: None, ..(*session.settings).clone() });
        let validator = session.validator(&session.package.cases)?;
        let no_submission = Arc::new(executable::folder_in(session.workspace.path()).map_err(folder_error)?);
        Ok(OutputExaminer { validator, no_submission, session })
    }

    /// Compiles a metamutant of an output validator, which contains `copies` programs. Its sources are in `folder`.
    pub fn build_metamutant(&self, folder: &Path, copies: usize) -> Result<MetamutantBuild, JudgeError> {
        build_metamutant(&self.session, folder, copies)
    }

    /// Returns an examiner with the same package and other settings. Its only validator is a copy of a metamutant, in
    /// place of the first one.
    #[must_use]
    pub fn of_copy(&self, (metamutant, number): (&Metamutant, usize), settings: &Settings) -> OutputExaminer<'a> {
        let session = self.session.with(Settings { feedback: None, ..settings.clone() });
        let validator = self.validator.with_program(metamutant.copy(number), settings);
        OutputExaminer { validator, no_submission: Arc::clone(&self.no_submission), session }
    }

    /// Returns the digest of the compiled program of the package's first output validator; `None` if the package has
    /// none. `path` is the validator's source file or folder.
    pub fn product(&self, path: &Path) -> Result<Option<Digest>, JudgeError> {
        self.validator.first().map(|custom| product(custom.program(), path)).transpose()
    }

    /// Runs the output validators on `output`, as if a submission had printed it on the test case.
    pub fn judge(&self, case: &TestCase, output: &[u8]) -> Result<Ruling, JudgeError> {
        let output = Captured::of(output.to_vec());
        let (submitted, workspace) = (self.no_submission.path(), self.session.workspace.path());
        let validation = ValidationContext { submission: "nobody", case, submitted, workspace, inputs: None };
        let judgement = self.validator.judge(&validation, &output, &self.session.settings)?;
        Ok(Ruling { verdict: judgement.verdict, message: judgement.message })
    }
}
