//! Is an output right? The default output validator, or the package's own program.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::Duration;

use rustix::fs::{Mode, OFlags};

use super::build::{self, Built, Role, Source};
use super::classify::{ending_words, limit_words};
use super::ready::{Ready, Site};
use super::{JudgeError, Settings};
use crate::compare::{self, Dialect, Options};
use crate::package::{Package, TestCase};
use crate::printable::printable;
use crate::sandbox::{Captured, Ended, Input, Limits, Outcome, Run, SandboxError};
use crate::verdict::Verdict;

/// Decides about outputs.
pub(super) enum Validator {
    /// The format's default.
    Default,
    /// The package's own program.
    Custom { program: Box<Ready>, limits: Limits },
}

/// What the validator says of an output.
pub(super) struct Opinion {
    pub(super) verdict: Verdict,
    pub(super) message: Option<String>,
    /// Where the answer and the output part, as byte offsets, where that is known.
    pub(super) place: Option<(usize, usize)>,
}

/// What is read of a judge message.
const MESSAGE_BYTES: u64 = 4 << 10;

pub(super) fn prepare(
    package: &Package,
    cases: &[TestCase],
    settings: &Settings,
    site: Site<'_>,
) -> Result<Validator, JudgeError> {
    match &package.output_validator {
        None => {
            for case in cases {
                options(case).map_err(|reason| JudgeError::Package(misused(package, case, &reason)))?;
            }
            Ok(Validator::Default)
        }
        Some(path) => custom(path, settings, site),
    }
}

/// Arguments that the default output validator does not take, with their place.
fn misused(package: &Package, case: &TestCase, reason: &str) -> String {
    match &case.output_validator_arguments_place {
        Some(place) => format!("the package {} cannot be used:\n{place}: {reason}", package.name),
        None => format!("{}: {reason}", case.name),
    }
}

fn options(case: &TestCase) -> Result<Options, String> {
    Options::parse(&case.output_validator_arguments, Dialect::Spec).map_err(|error| error.to_string())
}

fn custom(path: &Path, settings: &Settings, site: Site<'_>) -> Result<Validator, JudgeError> {
    let source = Source { path, language: None, entry_point: None, code_bytes: None, role: Role::Jury };
    let limits = Limits {
        cpu: settings.limits.validation_time,
        wall: settings.limits.validation_time * 2 + Duration::from_secs(1),
        memory_bytes: settings.limits.validation_memory_bytes,
        stdout_bytes: settings.limits.validation_output_bytes,
        stderr_bytes: settings.limits.validation_output_bytes,
    };
    match build::build(&source, settings, site)?.result {
        Built::Ready(program) => Ok(Validator::Custom { program: Box::new(program), limits }),
        Built::Broken(message) => {
            Err(JudgeError::System { doing: "building the output validator", source: io::Error::other(message) })
        }
        Built::Failed(message) | Built::Skipped(message) => {
            Err(JudgeError::Package(format!("the output validator {} cannot be built: {message}", path.display())))
        }
    }
}

impl Validator {
    /// Judges the output of one case. The outer error is the user's interruption; failures of the judge or the
    /// package are an opinion: JE.
    pub(super) fn judge(&self, case: &TestCase, output: &Captured, workspace: &Path) -> Result<Opinion, JudgeError> {
        let opinion = match self {
            Validator::Default => by_default(case, output),
            Validator::Custom { program, limits } => match ask(program, *limits, case, output, workspace) {
                Err(SandboxError::Interrupted) => return Err(JudgeError::Interrupted),
                Err(error) => Err(format!("the output validator could not be run: {error}")),
                Ok(opinion) => opinion,
            },
        };
        Ok(opinion.unwrap_or_else(|message| Opinion {
            verdict: Verdict::JudgeError,
            message: Some(message),
            place: None,
        }))
    }
}

fn by_default(case: &TestCase, output: &Captured) -> Result<Opinion, String> {
    let options = options(case)?;
    let mismatch = File::open(&case.answer)
        .and_then(|answer| compare::compare(BufReader::with_capacity(compare::PIECE_BYTES, answer), output, &options))
        .map_err(|error| format!("cannot read {}: {error}", case.answer.display()))?;
    Ok(match mismatch {
        None => Opinion { verdict: Verdict::Accepted, message: None, place: None },
        Some(mismatch) => Opinion {
            verdict: Verdict::WrongAnswer,
            message: Some(mismatch.to_string()),
            place: Some((mismatch.answer_offset, mismatch.output_offset)),
        },
    })
}

/// Runs the package's validator: `validator input answer feedback_dir/ args < output`.
fn ask(
    program: &Ready,
    limits: Limits,
    case: &TestCase,
    output: &Captured,
    workspace: &Path,
) -> Result<Result<Opinion, String>, SandboxError> {
    let prepare = |feedback: &Path| {
        let mut folder = feedback.as_os_str().to_owned();
        folder.push("/");
        let mut arguments: Vec<OsString> = vec![case.input.clone().into(), case.answer.clone().into(), folder];
        arguments.extend(case.output_validator_arguments.iter().map(OsString::from));
        Run { arguments, input: Input::Captured(output), limits }
    };
    let (outcome, message) = program.run_with_a_folder(workspace, prepare, message)?;
    Ok(opinion(&outcome, message))
}

/// 42 accepts, 43 rejects, everything else is the package's failure (format 2025-09, "Output Validator").
fn opinion(outcome: &Outcome, message: Option<String>) -> Result<Opinion, String> {
    if let Some(limit) = outcome.crossed {
        return Err(format!("the output validator itself used {}", limit_words(limit)));
    }
    let verdict = match outcome.ended {
        Ended::Exited(42) => Verdict::Accepted,
        Ended::Exited(43) => Verdict::WrongAnswer,
        other => {
            let said = printable(&outcome.stderr[..outcome.stderr.len().min(500)]);
            let said = if said.trim().is_empty() { String::new() } else { format!(" and said: {}", said.trim()) };
            return Err(format!(
                "the output validator must end with exit code 42 or 43; it ended with {}{said}",
                ending_words(other)
            ));
        }
    };
    Ok(Opinion { verdict, message, place: None })
}

fn message(feedback: &OwnedFd) -> Option<String> {
    let text = read_plainly(feedback, "judgemessage.txt").ok()?;
    let text = printable(&text);
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Reads a file that a program made: never through a link, never from a pipe or a device that would not end.
fn read_plainly(folder: &OwnedFd, name: &str) -> io::Result<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = File::from(rustix::fs::openat(folder, name, flags, Mode::empty())?);
    if !file.metadata()?.is_file() {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    }
    let mut text = Vec::new();
    file.take(MESSAGE_BYTES).read_to_end(&mut text)?;
    Ok(text)
}
