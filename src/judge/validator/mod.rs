//! Is an output right? The default output validator, or the package's own programs, all of which must accept.

mod custom;
mod feedback;
pub(super) mod testlib;

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use super::ready::Site;
use super::{JudgeError, Settings};
use crate::compare::{self, Options};
use crate::package::{Package, TestCase};
use crate::sandbox::{Captured, SandboxError};
use crate::verdict::Verdict;
use custom::Custom;

/// Decides about outputs.
pub(super) enum Validator {
    /// The format's default.
    Default,
    /// The package's own programs.
    Custom(Vec<Custom>),
}

/// What the validator says of an output.
#[derive(Debug)]
pub(super) struct Opinion {
    pub(super) verdict: Verdict,
    pub(super) message: Option<String>,
    /// What the submission's author may be told.
    pub(super) team_message: Option<String>,
    /// Where the answer and the output part, as byte offsets, where that is known.
    pub(super) place: Option<(usize, usize)>,
}

impl Opinion {
    pub(super) fn new(verdict: Verdict, message: Option<String>) -> Opinion {
        Opinion { verdict, message, team_message: None, place: None }
    }
}

/// The output to be judged, and where.
pub(super) struct Exam<'a> {
    pub(super) submission: &'a str,
    pub(super) case: &'a TestCase,
    pub(super) output: &'a Captured,
    /// The folder of the submission's files.
    pub(super) submitted: &'a Path,
    pub(super) workspace: &'a Path,
}

/// The name by which packages give the default output validator its arguments.
const DEFAULT: &str = "default";

pub(super) fn prepare(
    package: &Package,
    cases: &[TestCase],
    settings: &Settings,
    site: Site<'_>,
) -> Result<Validator, JudgeError> {
    if package.output_validators.is_empty() {
        for case in cases {
            options(case, settings).map_err(|reason| JudgeError::Package(misused(package, case, &reason)))?;
        }
        return Ok(Validator::Default);
    }
    let custom = package.output_validators.iter().map(|program| custom::prepare(program, package, settings, site));
    Ok(Validator::Custom(custom.collect::<Result<_, _>>()?))
}

/// Arguments that the default output validator does not take, with their place.
fn misused(package: &Package, case: &TestCase, reason: &str) -> String {
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
    /// Judges the output of one case. The outer error is the user's interruption; failures of the judge or the
    /// package are an opinion: JE.
    pub(super) fn judge(&self, exam: &Exam<'_>, settings: &Settings) -> Result<Opinion, JudgeError> {
        match self {
            Validator::Default => Ok(by_default(exam, settings).unwrap_or_else(of_the_judge)),
            Validator::Custom(programs) => all_accept(programs, exam, settings),
        }
    }
}

/// The opinion of the first program that does not accept, else that of the last.
fn all_accept(programs: &[Custom], exam: &Exam<'_>, settings: &Settings) -> Result<Opinion, JudgeError> {
    let mut opinion = Opinion::new(Verdict::Accepted, None);
    for program in programs {
        opinion = match program.judge(exam, settings) {
            Err(SandboxError::Interrupted) => return Err(JudgeError::Interrupted),
            Err(error) => of_the_judge(format!("the output validator {} could not be run: {error}", program.name())),
            Ok(opinion) => opinion.unwrap_or_else(of_the_judge),
        };
        if opinion.verdict != Verdict::Accepted {
            break;
        }
    }
    Ok(opinion)
}

fn of_the_judge(message: String) -> Opinion {
    Opinion::new(Verdict::JudgeError, Some(message))
}

fn by_default(exam: &Exam<'_>, settings: &Settings) -> Result<Opinion, String> {
    let case = exam.case;
    let options = options(case, settings)?;
    let mismatch = File::open(&case.answer)
        .map(|answer| BufReader::with_capacity(compare::PIECE_BYTES, answer))
        .and_then(|answer| compare::compare(answer, exam.output, &options))
        .map_err(|error| format!("cannot read {}: {error}", case.answer.display()))?;
    Ok(match mismatch {
        None => Opinion::new(Verdict::Accepted, None),
        Some(mismatch) => Opinion {
            place: Some((mismatch.answer_offset, mismatch.output_offset)),
            ..Opinion::new(Verdict::WrongAnswer, Some(mismatch.to_string()))
        },
    })
}
