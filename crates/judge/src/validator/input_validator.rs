//! Runs the package's input validators (`validator arguments < input`; exit code 42 means valid), and its answer
//! validators (`validator input arguments < answer`), which BAPCtools adds.
//!
//! They run in the folder where they were built, with the same isolation as output validators, and beside the files of
//! the test case if there are any (format 2025-09, "Input Validators"). Some packages have grammars instead of
//! programs; these are reported and not run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::build::executable::Executable;
use crate::build::workdir::{Files, Stay};
use crate::build::{self, Built, Source};
use crate::outcome::classify::{ending_words, limit_words};
use crate::validator::aborts::Aborts;
use crate::validator::testlib::{self, Protocol};
use crate::workspace::site::Site;
use crate::{JudgeError, Settings};
use referee_package::{Package, PackageProgram, TestCase};
use referee_sandbox::{Captured, Ended, Input, Limits, Outcome, Run, SandboxError};
use referee_text::printable::printable;

/// What an input validator says of an input, or an answer validator of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputVerdict {
    /// It is valid.
    Valid,
    /// It is not; the validator's words.
    Invalid(String),
    /// An input validator rejects the input by ending with SIGABRT in place of exit code 43: how it ended.
    Aborted(String),
    /// The validator neither accepted nor rejected it: how it ended.
    Failed(String),
    /// The same, and it used up its time, memory or output limit; the limit in words.
    Exhausted(String),
}

/// A validator that cannot be run, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable {
    /// The validator.
    pub name: String,
    /// Its file or folder: two grammars may have one name.
    pub path: PathBuf,
    /// Why, with what to do.
    pub reason: String,
    /// Whether it is a grammar for a tool of its own, and not a program.
    pub is_grammar: bool,
}

/// The input or answer validators of a package that can be run.
pub(crate) struct FileValidators {
    programs: Vec<One>,
    limits: Limits,
}

struct One {
    name: String,
    program: Executable,
    protocol: Protocol,
    aborts: Aborts,
}

/// The longest quotation from a validator's own output, in bytes.
const SAID_BYTES: usize = 300;

/// Grammars of checktestdata and of VIVA, for which the older versions of the format have a place.
const GRAMMARS: [(&str, &str); 2] = [("ctd", "checktestdata"), ("viva", "VIVA")];

/// Builds `programs`. Returns those that can be run, and the others with the reason why they cannot.
pub(crate) fn prepare(
    programs: &[PackageProgram],
    package: &Package,
    settings: &Settings,
    site: Site<'_>,
) -> Result<(FileValidators, Vec<Unusable>), JudgeError> {
    let limits = Limits {
        cpu: settings.limits.validation_time,
        wall: settings.limits.validation_time * 2 + Duration::from_secs(1),
        memory_bytes: settings.limits.validation_memory_bytes,
        output_bytes: settings.limits.validation_output_bytes,
        until: settings.until,
    };
    let mut validators = FileValidators { programs: Vec::new(), limits };
    let mut unusable = Vec::new();
    for program in programs {
        match one(program, package, settings, site)? {
            Ok(one) => validators.programs.push(one),
            Err(reason) => unusable.push(reason),
        }
    }
    Ok((validators, unusable))
}

fn one(
    program: &PackageProgram,
    package: &Package,
    settings: &Settings,
    site: Site<'_>,
) -> Result<Result<One, Unusable>, JudgeError> {
    let unusable = |reason, is_grammar| {
        let (name, path) = (program.name.clone(), program.path.clone());
        Ok(Err(Unusable { name, path, reason, is_grammar }))
    };
    let ending = program.path.extension().unwrap_or_default();
    if let Some((_, tool)) = GRAMMARS.iter().find(|(known, _)| ending == *known) {
        return unusable(format!("it is a grammar of {tool}, which referee does not run"), true);
    }
    let checker = match testlib::look(program, &package.root, settings.testlib.as_deref()) {
        Ok(checker) => checker,
        Err(reason) => return unusable(reason.replace("a checker of testlib", "written with testlib"), false),
    };
    let added = [program.headers.as_slice(), checker.header.as_slice()].concat();
    let source = Source::of_package(&program.path, package, &added);
    match build::build(&source, settings, site)?.result {
        Built::Ready(ready) => {
            let (name, protocol) = (program.name.clone(), checker.protocol);
            Ok(Ok(One { name, program: ready, protocol, aborts: Aborts::default() }))
        }
        Built::Failed(reason) => unusable(format!("it does not compile: {reason}"), false),
        Built::Skipped(reason) => unusable(reason, false),
        Built::Broken(reason) => {
            Err(JudgeError::System { doing: "building a validator", source: std::io::Error::other(reason) })
        }
    }
}

impl FileValidators {
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.programs.iter().map(|one| one.name.as_str())
    }

    /// The first of them.
    pub(crate) fn first(&self) -> Option<&Executable> {
        self.programs.first().map(|one| &one.program)
    }

    /// What each input validator says of the input of `case`, or of `bytes` in its place.
    pub(crate) fn judge(
        &self,
        case: &TestCase,
        bytes: Option<&Captured>,
        package: &Package,
        site: Site<'_>,
    ) -> Result<Vec<InputVerdict>, JudgeError> {
        let ask = |one: &One, case: &TestCase, bytes: Option<&Captured>| {
            // First the validators' own, then what the submission gets (format 2025-09, "Input Validators").
            let arguments = case.input_validator_arguments.of(&one.name).iter().chain(&case.arguments);
            let run = Run {
                arguments: arguments.map(OsString::from).collect(),
                input: bytes.map_or(Input::File(&case.input), Input::Captured),
                limits: self.limits,
            };
            self.ask(one, &run, case.files.as_deref(), package, site)
        };
        let settled = |one: &One| {
            let about = (case, bytes.is_none());
            one.aborts.settled(ask(one, case, bytes)?, about, package, |valid| ask(one, valid, None))
        };
        self.programs.iter().map(settled).collect()
    }

    /// The validators whose aborts have counted as rejections so far.
    pub(crate) fn aborting(&self) -> impl Iterator<Item = &str> {
        self.programs.iter().filter(|one| one.aborts.have_rejected()).map(|one| one.name.as_str())
    }

    /// What each answer validator says of the answer of `case`.
    pub(crate) fn judge_answer(
        &self,
        case: &TestCase,
        package: &Package,
        site: Site<'_>,
    ) -> Result<Vec<InputVerdict>, JudgeError> {
        let ask = |one: &One| {
            let own = case.answer_validator_arguments.of(&one.name).iter().map(OsString::from);
            let arguments = std::iter::once(case.input.clone().into_os_string()).chain(own).collect();
            let run = Run { arguments, input: Input::File(&case.answer), limits: self.limits };
            let word = self.ask(one, &run, None, package, site)?;
            // No judge asks answer validators, so that none has come to rely on it.
            Ok(if let InputVerdict::Aborted(how) = word { InputVerdict::Failed(how) } else { word })
        };
        self.programs.iter().map(ask).collect()
    }

    fn ask(
        &self,
        one: &One,
        run: &Run<'_>,
        files: Option<&Path>,
        package: &Package,
        site: Site<'_>,
    ) -> Result<InputVerdict, JudgeError> {
        let ran = match files {
            Some(folder) => {
                let files = Files { folder, package: &package.root };
                let stay = Stay {
                    program: &one.program,
                    files: Some(files),
                    may_write: false,
                    output_bytes: self.limits.output_bytes,
                    workspace: site.workspace,
                    anew: false,
                };
                stay.run(|instance| instance.run(run))
            }
            None => one.program.run(run),
        };
        match ran {
            Ok(outcome) => Ok(one.word(&outcome)),
            Err(SandboxError::Interrupted) => Err(JudgeError::Interrupted),
            Err(error) => Ok(InputVerdict::Failed(format!("could not be run: {error}"))),
        }
    }
}

impl One {
    fn word(&self, outcome: &Outcome) -> InputVerdict {
        if let Some(limit) = outcome.crossed {
            return InputVerdict::Exhausted(format!("used {}", limit_words(limit)));
        }
        match (self.protocol, outcome.ended) {
            (Protocol::Icpc, Ended::Exited(42)) | (Protocol::Testlib, Ended::Exited(0)) => InputVerdict::Valid,
            // What testlib's validators end with when something is not as it should be.
            (Protocol::Icpc, Ended::Exited(43)) | (Protocol::Testlib, Ended::Exited(1..=3)) => {
                InputVerdict::Invalid(said(outcome))
            }
            (_, ended) => {
                let said = last_words(outcome);
                let said = if said.is_empty() { said } else { format!(" and said: {said}") };
                let how = format!("ended with {}{said}", ending_words(ended));
                if ended == Ended::Signaled(libc::SIGABRT) {
                    InputVerdict::Aborted(how)
                } else {
                    InputVerdict::Failed(how)
                }
            }
        }
    }
}

/// The first line that it wrote, on standard error if there is one.
fn said(outcome: &Outcome) -> String {
    let text = if outcome.stderr.is_empty() { &outcome.stdout } else { &outcome.stderr };
    let text = printable(&text[..text.len().min(SAID_BYTES)]);
    text.trim().lines().next().unwrap_or_default().to_owned()
}

/// Returns the last line of standard error, where interpreters report the error.
fn last_words(outcome: &Outcome) -> String {
    let text = printable(&outcome.stderr[outcome.stderr.len().saturating_sub(SAID_BYTES)..]);
    text.trim().lines().next_back().unwrap_or_default().trim().to_owned()
}
