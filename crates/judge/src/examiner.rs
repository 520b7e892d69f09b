//! The package's validators, ready to be asked about any input or output: for checking a package, not a submission.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::aborts::abort_remark;
use super::executable::Executable;
use super::executable::{self, Site};
use super::folder::Folder;
use super::input_validator::{self, FileValidators, InputVerdict, Unusable};
use super::mutant_runner::{self, Digest};
use super::validator::{self, Exam, Validator};
use super::{JudgeError, MAKING_A_FOLDER, Settings, workspace};
use referee_grading::verdict::Verdict;
use referee_package::{Package, TestCase};
use referee_sandbox::Captured;

/// What an output validator says of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// `AC`, `WA`, or `JE` where the validator failed.
    pub verdict: Verdict,
    /// Its words.
    pub message: Option<String>,
}

/// Where validators are built and run.
struct Place<'a> {
    package: &'a Package,
    workspace: Folder,
}

impl<'a> Place<'a> {
    fn new(package: &'a Package) -> Result<Self, JudgeError> {
        let workspace = workspace().map_err(|source| JudgeError::System { doing: MAKING_A_FOLDER, source })?;
        Ok(Place { package, workspace })
    }

    fn site(&self) -> Site<'_> {
        Site { workspace: self.workspace.path(), package: &self.package.root, drawn: None }
    }
}

/// What the compiler made of the sources at `path`.
fn product(program: &Executable, path: &Path) -> Result<Digest, JudgeError> {
    let own = || {
        let name = path.file_name().map(PathBuf::from).unwrap_or_default();
        Ok(BTreeMap::from([(name, blake3::hash(&std::fs::read(path)?))]))
    };
    let sources = if path.is_dir() { mutant_runner::contents(path) } else { own() };
    sources
        .and_then(|sources| mutant_runner::digest(program.folder(), &sources))
        .map_err(|source| JudgeError::System { doing: "looking at what a compiler has made", source })
}

/// The input validators of a package.
pub struct InputExaminer<'a> {
    validators: FileValidators,
    unusable: Vec<Unusable>,
    place: Place<'a>,
}

impl<'a> InputExaminer<'a> {
    /// Builds the validators. [`InputExaminer::unusable`] lists those that cannot be built.
    pub fn new(package: &'a Package, settings: &Settings) -> Result<Self, JudgeError> {
        let place = Place::new(package)?;
        let (validators, unusable) =
            input_validator::prepare(&package.input_validators, package, settings, place.site())?;
        Ok(InputExaminer { validators, unusable, place })
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
        self.validators.judge(case, None, self.place.package, self.place.site())
    }

    /// What each would say if the case had the input `bytes`.
    pub fn judge_instead(&self, case: &TestCase, bytes: &[u8]) -> Result<Vec<InputVerdict>, JudgeError> {
        let bytes = Captured::of(bytes.to_vec());
        self.validators.judge(case, Some(&bytes), self.place.package, self.place.site())
    }
}

/// The answer validators of a package, if it has any.
pub struct AnswerExaminer<'a> {
    validators: FileValidators,
    unusable: Vec<Unusable>,
    place: Place<'a>,
}

impl<'a> AnswerExaminer<'a> {
    /// Builds the validators. [`AnswerExaminer::unusable`] lists those that cannot be built.
    pub fn new(package: &'a Package, settings: &Settings) -> Result<Self, JudgeError> {
        let place = Place::new(package)?;
        let (validators, unusable) =
            input_validator::prepare(&package.answer_validators, package, settings, place.site())?;
        Ok(AnswerExaminer { validators, unusable, place })
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
        self.validators.judge_answer(case, self.place.package, self.place.site())
    }
}

/// The output validator of a package, or the default one.
pub struct OutputExaminer<'a> {
    validator: Validator,
    settings: Settings,
    /// In place of a submission's folder.
    nobody: Folder,
    place: Place<'a>,
}

impl<'a> OutputExaminer<'a> {
    /// Builds it.
    pub fn new(package: &'a Package, settings: &Settings) -> Result<Self, JudgeError> {
        let place = Place::new(package)?;
        let validator = validator::prepare(package, &package.cases, settings, place.site())?;
        let nobody = executable::folder_in(place.workspace.path())
            .map_err(|source| JudgeError::System { doing: "making a folder for a program", source })?;
        // The user's feedback folder is for submissions only.
        let settings = Settings { feedback: None, ..settings.clone() };
        Ok(OutputExaminer { validator, settings, nobody, place })
    }

    /// What the compiler made of the first of the package's own, whose file or folder is `path`. `None` if there is
    /// none.
    pub fn product(&self, path: &Path) -> Result<Option<Digest>, JudgeError> {
        self.validator.only().map(|custom| product(custom.program(), path)).transpose()
    }

    /// What it says if a submission has written `output` on the case.
    pub fn judge(&self, case: &TestCase, output: &[u8]) -> Result<Ruling, JudgeError> {
        let output = Captured::of(output.to_vec());
        let (submitted, workspace) = (self.nobody.path(), self.place.workspace.path());
        let exam = Exam { submission: "nobody", case, submitted, workspace, inputs: None };
        let opinion = self.validator.judge(&exam, &output, &self.settings)?;
        Ok(Ruling { verdict: opinion.verdict, message: opinion.message })
    }
}
