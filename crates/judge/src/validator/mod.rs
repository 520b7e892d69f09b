//! Judges outputs with the default output validator, or with the package's own output validators. If a package has
//! several, all of them must accept.

pub(crate) mod aborts;
mod custom;
mod feedback;
pub(crate) mod grader;
mod grammar;
pub(crate) mod input_validator;
mod on_sources;
mod session;
pub(crate) mod testlib;

use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::build::executable::Executable;
use crate::cache::results::Ingredients;
use crate::workspace::site::Site;
use crate::{JudgeError, Settings, jury_limits};
use custom::{Custom, ValidatorKind};
pub(crate) use on_sources::{StaticValidator, prepare_static};
use referee_compare::{self as compare, Options};
use referee_files::regular;
use referee_grading::score::Given;
use referee_grading::verdict::Verdict;
use referee_package::{Package, PackageProgram, TestCase};
use referee_sandbox::{Captured, SandboxError};
pub(crate) use session::ValidatorSession;

/// Detects a checker that uses testlib's protocol. Returns `None` for any other program, `Some(None)` for a checker
/// that has its own testlib.h, and `Some(Some(path))` for a checker that needs the user's testlib.h. `path` is the real
/// path of the user's header, `supplied`. Fails if the checker needs a header and `supplied` is `None`, or if a file of
/// the program cannot be used.
pub fn testlib_checker(
    program: &PackageProgram,
    package: &Package,
    supplied: Option<&Path>,
) -> Result<Option<Option<PathBuf>>, String> {
    let found = testlib::detect(program, &package.boundary, supplied)?;
    Ok((found.protocol == testlib::Protocol::Testlib).then_some(found.header))
}

/// The output validators of a package.
pub(crate) enum Validator {
    /// The default output validator of the format.
    Default,
    /// The package's own output validators.
    Custom(Vec<Custom>),
}

/// The verdict of output validators on an output, with their messages and scores.
#[derive(Debug)]
pub(crate) struct Judgement {
    pub(crate) verdict: Verdict,
    pub(crate) message: Option<String>,
    /// The message for the submission's author; `None` if there is none.
    pub(crate) team_message: Option<String>,
    /// The first difference, as a byte offset in the answer and a byte offset in the output; `None` if unknown.
    pub(crate) difference: Option<(usize, usize)>,
    /// The scores that the validator wrote.
    pub(crate) given: Given,
}

impl Judgement {
    pub(crate) fn new(verdict: Verdict, message: Option<String>) -> Judgement {
        Judgement { verdict, message, team_message: None, difference: None, given: Given::default() }
    }
}

/// The submission whose output is judged, the test case, and the folders for the validators.
pub(crate) struct ValidationContext<'a> {
    pub(crate) submission: &'a str,
    pub(crate) case: &'a TestCase,
    /// The folder of the submission's files.
    pub(crate) submitted: &'a Path,
    pub(crate) workspace: &'a Path,
    /// The folder of the inputs of later passes. `None` if the problem is not multi-pass, or if the output does not come
    /// from a run on the test case.
    pub(crate) inputs: Option<&'a Path>,
}

/// The name of the default output validator. Packages use it to give arguments to that validator.
const DEFAULT: &str = "default";

pub(crate) fn prepare(
    package: &Package,
    cases: &[TestCase],
    settings: &Settings,
    site: Site<'_>,
) -> Result<Validator, JudgeError> {
    if package.output_validators.is_empty() {
        for case in cases {
            options(case, settings)
                .map_err(|reason| JudgeError::Package(invalid_arguments_message(package, case, &reason)))?;
        }
        return Ok(Validator::Default);
    }
    if package.kind.needs_output_validator() && package.output_validators.len() > 1 {
        let names: Vec<_> = package.output_validators.iter().map(|program| program.name.as_str()).collect();
        return Err(JudgeError::Package(format!(
            "the package {} has the output validators {}; a problem that is {} can have only one output validator",
            package.name,
            names.join(", "),
            package.kind.words().join(" and ")
        )));
    }
    let custom = package
        .output_validators
        .iter()
        .map(|program| custom::prepare(program, ValidatorKind::Output, package, settings, site));
    Ok(Validator::Custom(custom.collect::<Result<_, _>>()?))
}

/// Returns the message about invalid arguments of the default output validator, with their position in the package.
fn invalid_arguments_message(package: &Package, case: &TestCase, reason: &str) -> String {
    match &case.output_validator_arguments.place {
        Some(place) => format!("the package {} cannot be used:\n{place}: {reason}", package.name),
        None => format!("{}: {reason}", case.name),
    }
}

fn options(case: &TestCase, settings: &Settings) -> Result<Options, String> {
    let arguments = case.output_validator_arguments.of(DEFAULT);
    let options = if settings.legacy_arguments {
        Options::parse_legacy(&arguments, settings.dialect)
    } else {
        Options::parse(&arguments, settings.dialect)
    };
    options.map_err(|error| error.to_string())
}

impl Validator {
    /// Returns the properties of the validators that verdicts depend on, for the key of the result cache; `None` if
    /// they are unknown.
    pub(crate) fn ingredients(&self, settings: &Settings) -> Option<Ingredients> {
        let names_count = matches!(self, Validator::Custom(_));
        let validators: Option<Vec<_>> = match self {
            Validator::Default => {
                let rules = format!("default {:?} {}", settings.dialect, settings.legacy_arguments);
                Some(vec![(DEFAULT.to_owned(), rules.into_bytes())])
            }
            Validator::Custom(programs) => programs.iter().map(Custom::ingredients).collect(),
        };
        Some(Ingredients { validators: validators?, names_count })
    }

    /// Returns the package's first output validator; `None` if the package uses the default one. Interactive and
    /// multi-pass problems have only one: [`prepare`] refuses packages with more.
    pub(crate) fn first(&self) -> Option<&Custom> {
        match self {
            Validator::Custom(programs) => programs.first(),
            Validator::Default => None,
        }
    }

    /// Returns the package's first output validator with another program in its place.
    pub(crate) fn with_program(&self, program: Executable, settings: &Settings) -> Validator {
        let first = self.first().map(|first| first.with_program(program, jury_limits(settings)));
        Validator::Custom(first.into_iter().collect())
    }

    /// Removes the stored feedback on a submission and a test case. The caller does this after it has overruled the
    /// verdict of the run.
    pub(crate) fn remove_feedback(&self, names: (&str, &str), settings: &Settings) {
        if let (Validator::Custom(programs), Some(folder)) = (self, &settings.feedback) {
            for program in programs {
                feedback::remove_stored(folder, names, program.name());
            }
        }
    }

    /// Judges the output on one test case. Fails only with [`JudgeError::Interrupted`]. Any other failure of the judge,
    /// and every failure of the package, leads to the verdict JE.
    pub(crate) fn judge(
        &self,
        validation: &ValidationContext<'_>,
        output: &Captured,
        settings: &Settings,
    ) -> Result<Judgement, JudgeError> {
        match self {
            Validator::Default => Ok(judge_by_default(validation.case, output, settings).unwrap_or_else(judge_error)),
            Validator::Custom(programs) => judge_by_all(programs, validation, output, settings),
        }
    }
}

/// Returns the judgement of the first validator that does not accept. If all accept, returns the judgement of the last
/// validator, with the scores of the last validator that wrote scores.
fn judge_by_all(
    programs: &[Custom],
    validation: &ValidationContext<'_>,
    output: &Captured,
    settings: &Settings,
) -> Result<Judgement, JudgeError> {
    let mut judgement = Judgement::new(Verdict::Accepted, None);
    for program in programs {
        let given = std::mem::take(&mut judgement.given);
        judgement = match program.judge(validation, output, settings) {
            Err(SandboxError::Interrupted) => return Err(JudgeError::Interrupted),
            Err(error) => judge_error(format!("the output validator {} could not be run: {error}", program.name())),
            Ok(judgement) => judgement.unwrap_or_else(judge_error),
        };
        if judgement.verdict != Verdict::Accepted {
            break;
        }
        if judgement.given.is_empty() {
            judgement.given = given;
        }
    }
    Ok(judgement)
}

pub(crate) fn judge_error(message: String) -> Judgement {
    Judgement::new(Verdict::JudgeError, Some(message))
}

/// Compares an output with the answer in a file. A small answer is read at once, which takes fewer system calls.
fn compare_with_file(path: &Path, output: &[u8], options: &Options) -> io::Result<Option<compare::Mismatch>> {
    let mut file = regular::open(path)?;
    let mut start = Vec::with_capacity(compare::PIECE_BYTES);
    (&mut file).take(compare::PIECE_BYTES as u64).read_to_end(&mut start)?;
    if start.len() < compare::PIECE_BYTES {
        return compare::compare(&start[..], output, options);
    }
    compare::compare(BufReader::with_capacity(compare::PIECE_BYTES, start.chain(file)), output, options)
}

fn judge_by_default(case: &TestCase, output: &Captured, settings: &Settings) -> Result<Judgement, String> {
    let options = options(case, settings)?;
    let mismatch = compare_with_file(&case.answer(), output, &options)
        .map_err(|error| format!("cannot read {}: {error}", case.answer().display()))?;
    Ok(match mismatch {
        None => Judgement::new(Verdict::Accepted, None),
        Some(mismatch) => Judgement {
            difference: Some((mismatch.answer_offset, mismatch.output_offset)),
            ..Judgement::new(Verdict::WrongAnswer, Some(mismatch.to_string()))
        },
    })
}
