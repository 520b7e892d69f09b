//! Runs the package's grader, which combines the results of a test group: `grader flags < results`.
//!
//! See the section "Graders" of the legacy format. A failure of the grader is a fault of the package, never of a
//! submission.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::build::executable::Executable;
use crate::build::{self, Built, Source};
use crate::outcome::classify::{ending_words, limit_words};
use crate::workspace::site::Site;
use crate::{JudgeError, Settings, jury_limits};
use referee_grading::score::{SubResult, write_results};
use referee_package::Package;
use referee_sandbox::{Ended, Input, Limits, Outcome, Run, SandboxError};
use referee_text::printable::printable;

/// A grader that can be run.
pub(crate) struct Grader {
    program: Executable,
    limits: Limits,
}

/// Maximum length of the quotation from the grader's standard error, in bytes.
const QUOTED_BYTES: usize = 500;

/// Maximum number of bytes of a grader's output that are read. The output is a verdict and a score.
const LONGEST_RESULT: usize = 4 << 10;

pub(crate) fn prepare(package: &Package, settings: &Settings, site: Site<'_>) -> Result<Option<Grader>, JudgeError> {
    let Some(program) = &package.grader else { return Ok(None) };
    let source = Source::of_package(&program.path, package, &program.headers);
    let unbuildable = |message: &str| {
        JudgeError::Package(format!("the grader {} cannot be built: {message}", program.path.display()))
    };
    match build::build(&source, settings, site)?.result {
        Built::Ready(program) => Ok(Some(Grader { program, limits: jury_limits(settings) })),
        Built::Broken(message) => {
            Err(JudgeError::System { doing: "building the grader", source: io::Error::other(message) })
        }
        Built::Failed(message) | Built::Refused(message) => Err(unbuildable(&message)),
        Built::Skipped(reason) => Err(unbuildable(&reason.to_string())),
    }
}

impl Grader {
    /// Runs the grader on the results of a group. The outer error is a failure of the judge or an interruption by the
    /// user. The inner error is the grader's failure.
    pub(crate) fn grade(
        &self,
        flags: &[String],
        results: &[SubResult],
        workspace: &Path,
    ) -> Result<Result<SubResult, String>, JudgeError> {
        let file = input(results, workspace)
            .map_err(|source| JudgeError::System { doing: "writing the results for the grader", source })?;
        let run = Run {
            arguments: flags.iter().map(OsString::from).collect(),
            input: Input::File(file.path()),
            limits: self.limits,
        };
        match self.program.run(&run) {
            Err(SandboxError::Interrupted) => Err(JudgeError::Interrupted),
            Err(error) => Ok(Err(format!("it could not be run: {error}"))),
            Ok(outcome) => Ok(result(&outcome, &self.limits)),
        }
    }
}

fn input(results: &[SubResult], workspace: &Path) -> io::Result<NamedTempFile> {
    let mut file = NamedTempFile::new_in(workspace)?;
    file.write_all(write_results(results).as_bytes())?;
    Ok(file)
}

fn result(outcome: &Outcome, limits: &Limits) -> Result<SubResult, String> {
    if let Some(limit) = outcome.crossed {
        return Err(format!("it used {}", limit_words(limit, limits, &outcome.usage)));
    }
    if outcome.ended != Ended::Exited(0) {
        let said = printable(&outcome.stderr[..outcome.stderr.len().min(QUOTED_BYTES)]);
        let said = if said.trim().is_empty() { String::new() } else { format!(" and said: {}", said.trim()) };
        return Err(format!("it must end with exit code 0; it ended with {}{said}", ending_words(outcome.ended)));
    }
    let text = printable(&outcome.stdout[..outcome.stdout.len().min(LONGEST_RESULT)]);
    SubResult::read(&text)
}
