//! Runs the package's input validators (`validator arguments < input`; exit code 42 means valid), and its answer
//! validators (`validator input arguments < answer`), which BAPCtools adds.
//!
//! The validators run in the folder where they were built, with the same isolation as output validators. If the test
//! case has files, an input validator runs in a copy of its folder that contains these files. See the section "Input
//! Validators" of package format 2025-09. Some validators are grammars instead of programs. The judge itself interprets
//! grammars of checktestdata (`.ctd`). For grammars of VIVA (`.viva`), it runs VIVA, if VIVA is installed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::build::executable::Executable;
use crate::build::workdir::{Files, WorkDir};
use crate::build::{self, Built, Source};
use crate::outcome::classify::{ending_words, limit_words};
use crate::validator::aborts::Aborts;
use crate::validator::grammar::{Grammar, GrammarLanguage, NotUsable};
use crate::validator::testlib::{self, Protocol};
use crate::workspace::site::Site;
use crate::{JudgeError, Settings, jury_limits};
use referee_package::{Package, PackageProgram, TestCase};
use referee_sandbox::{Captured, Ended, Input, Limits, Outcome, Run, SandboxError};
use referee_text::printable::printable;

/// The verdict of an input validator on an input, or of an answer validator on an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputVerdict {
    /// The file is valid.
    Valid,
    /// The file is invalid. Contains the validator's message.
    Invalid(String),
    /// An input validator rejected the input by ending with SIGABRT instead of exit code 43. Contains a text that says
    /// how it ended.
    Aborted(String),
    /// The validator neither accepted nor rejected the file. Contains a text that says how it ended.
    Failed(String),
    /// The validator exceeded one of its limits. Contains a text that names the limit.
    Exhausted(String),
}

/// A validator that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable {
    /// The validator's name.
    pub name: String,
    /// The validator's file or folder. It identifies the validator, because two grammars may have the same name.
    pub path: PathBuf,
    /// Why the validator cannot be run. Contains a hint if the setter can change that.
    pub reason: String,
    /// Whether a tool that the validator needs is missing on this machine or does not work: its compiler or
    /// interpreter, or VIVA. Then the validator itself may be correct.
    pub lacks_tool: bool,
}

/// The input or answer validators of a package that can be run.
pub(crate) struct FileValidators {
    programs: Vec<BuiltValidator>,
    limits: Limits,
}

struct BuiltValidator {
    name: String,
    runner: Runner,
    aborts: Aborts,
}

/// How a validator is run.
enum Runner {
    Program(Box<Executable>, Protocol),
    Grammar(Grammar),
}

/// Maximum length of the quotation from a validator's output, in bytes.
pub(super) const QUOTED_BYTES: usize = 300;

/// Builds the validators `programs`. Returns the usable validators, and the unusable ones with the reasons.
pub(crate) fn prepare(
    programs: &[PackageProgram],
    package: &Package,
    settings: &Settings,
    site: Site<'_>,
) -> Result<(FileValidators, Vec<Unusable>), JudgeError> {
    let limits = jury_limits(settings);
    let mut validators = FileValidators { programs: Vec::new(), limits };
    let mut unusable = Vec::new();
    for program in programs {
        match prepare_one(program, package, (settings, limits), site)? {
            Ok(built) => validators.programs.push(built),
            Err(reason) => unusable.push(reason),
        }
    }
    Ok((validators, unusable))
}

fn prepare_one(
    program: &PackageProgram,
    package: &Package,
    (settings, limits): (&Settings, Limits),
    site: Site<'_>,
) -> Result<Result<BuiltValidator, Unusable>, JudgeError> {
    let unusable = |reason, lacks_tool| {
        let (name, path) = (program.name.clone(), program.path.clone());
        Ok(Err(Unusable { name, path, reason, lacks_tool }))
    };
    let usable = |runner| {
        let (name, aborts) = (program.name.clone(), Aborts::default());
        Ok(Ok(BuiltValidator { name, runner, aborts }))
    };
    if let Some(language) = GrammarLanguage::of(program) {
        return match language.open(program, package, (settings, limits), site)? {
            Ok(grammar) => usable(Runner::Grammar(grammar)),
            Err(NotUsable::Grammar(reason)) => unusable(reason, false),
            Err(NotUsable::Machine(reason)) => unusable(reason, true),
        };
    }
    let checker = match testlib::detect(program, &package.boundary, settings.testlib.as_deref()) {
        Ok(checker) => checker,
        Err(reason) => return unusable(reason.replace("it is a checker written with", "it is written with"), false),
    };
    let added = [program.headers.as_slice(), checker.header.as_slice()].concat();
    let source = Source::of_package(&program.path, package, &added);
    match build::build(&source, settings, site)?.result {
        Built::Ready(ready) => usable(Runner::Program(Box::new(ready), checker.protocol)),
        Built::Failed(reason) => unusable(format!("it does not compile: {reason}"), false),
        Built::Refused(reason) => unusable(reason, false),
        Built::Skipped(reason) => unusable(reason.to_string(), true),
        Built::Broken(reason) => {
            Err(JudgeError::System { doing: "building a validator", source: std::io::Error::other(reason) })
        }
    }
}

impl FileValidators {
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.programs.iter().map(|one| one.name.as_str())
    }

    /// Returns the first validator that is a program with another program in its place, and no other validators.
    pub(crate) fn with_program(&self, program: Executable, settings: &Settings) -> FileValidators {
        let first = self.programs.iter().find_map(|one| match &one.runner {
            Runner::Program(_, protocol) => Some((one.name.clone(), *protocol)),
            Runner::Grammar(_) => None,
        });
        let built = |(name, protocol)| {
            let (runner, aborts) = (Runner::Program(Box::new(program), protocol), Aborts::default());
            BuiltValidator { name, runner, aborts }
        };
        FileValidators { programs: first.map(built).into_iter().collect(), limits: jury_limits(settings) }
    }

    /// Returns the first validator that is a program and not a grammar; `None` if there is none.
    pub(crate) fn first(&self) -> Option<&Executable> {
        self.programs.iter().find_map(|one| match &one.runner {
            Runner::Program(program, _) => Some(&**program),
            Runner::Grammar(_) => None,
        })
    }

    /// Runs each input validator on the input of `case`, or on `bytes` instead if they are given.
    pub(crate) fn judge(
        &self,
        case: &TestCase,
        bytes: Option<&Captured>,
        package: &Package,
        site: Site<'_>,
    ) -> Result<Vec<InputVerdict>, JudgeError> {
        let run_validator = |one: &BuiltValidator, case: &TestCase, bytes: Option<&Captured>| {
            let path = case.input();
            let input = bytes.map_or(Input::File(&path), Input::Captured);
            let (program, protocol) = match &one.runner {
                Runner::Program(program, protocol) => (program, *protocol),
                Runner::Grammar(grammar) => return grammar.judge(input),
            };
            // The validator's own arguments come first, then the submission's. See the section "Input Validators" of
            // package format 2025-09.
            let arguments = case.arguments_of_input_validator(&one.name).iter().chain(case.arguments.iter());
            let run = Run { arguments: arguments.map(OsString::from).collect(), input, limits: self.limits };
            self.run_validator(
                (program, protocol),
                &run,
                case.files.as_ref().map(|folder| folder.as_path()),
                package,
                site,
            )
        };
        let judged = |one: &BuiltValidator| {
            let about = (case, bytes.is_none());
            one.aborts.resolve_abort(run_validator(one, case, bytes)?, about, package, |valid| {
                run_validator(one, valid, None)
            })
        };
        self.programs.iter().map(judged).collect()
    }

    /// Returns the names of the validators whose aborts have counted as rejections so far.
    pub(crate) fn aborting(&self) -> impl Iterator<Item = &str> {
        self.programs.iter().filter(|one| one.aborts.have_rejected()).map(|one| one.name.as_str())
    }

    /// Runs each answer validator on the answer of `case`.
    pub(crate) fn judge_answer(
        &self,
        case: &TestCase,
        package: &Package,
        site: Site<'_>,
    ) -> Result<Vec<InputVerdict>, JudgeError> {
        let run_validator = |one: &BuiltValidator| {
            let (program, protocol) = match &one.runner {
                Runner::Program(program, protocol) => (program, *protocol),
                Runner::Grammar(grammar) => return grammar.judge(Input::File(&case.answer())),
            };
            let own = case.arguments_of_answer_validator(&one.name).iter().map(OsString::from);
            let arguments = std::iter::once(case.input().as_os_str().to_owned()).chain(own).collect();
            let run = Run { arguments, input: Input::File(&case.answer()), limits: self.limits };
            let verdict = self.run_validator((program, protocol), &run, None, package, site)?;
            // An abort of an answer validator is a failure. Other judges do not run answer validators, so no package
            // relies on a judge that counts such an abort as a rejection.
            Ok(if let InputVerdict::Aborted(how) = verdict { InputVerdict::Failed(how) } else { verdict })
        };
        self.programs.iter().map(run_validator).collect()
    }

    fn run_validator(
        &self,
        (program, protocol): (&Executable, Protocol),
        run: &Run<'_>,
        files: Option<&Path>,
        package: &Package,
        site: Site<'_>,
    ) -> Result<InputVerdict, JudgeError> {
        let ran = match files {
            Some(folder) => {
                let files = Files { folder, package: &package.root };
                let work_dir = WorkDir {
                    program,
                    files: Some(files),
                    may_write: false,
                    output_bytes: self.limits.output_bytes,
                    workspace: site.workspace,
                    anew: false,
                };
                work_dir.run(|instance| instance.run(run))
            }
            None => program.run(run),
        };
        match ran {
            Ok(outcome) => Ok(verdict(protocol, &outcome, &run.limits)),
            Err(SandboxError::Interrupted) => Err(JudgeError::Interrupted),
            Err(error) => Ok(InputVerdict::Failed(format!("could not be run: {error}"))),
        }
    }
}

/// Returns the verdict that follows from the end of a validator's run.
fn verdict(protocol: Protocol, outcome: &Outcome, limits: &Limits) -> InputVerdict {
    if let Some(limit) = outcome.crossed {
        return InputVerdict::Exhausted(format!("used {}", limit_words(limit, limits, &outcome.usage)));
    }
    match (protocol, outcome.ended) {
        (Protocol::Icpc, Ended::Exited(42)) | (Protocol::Testlib, Ended::Exited(0)) => InputVerdict::Valid,
        // testlib's validators reject with one of these exit codes.
        (Protocol::Icpc, Ended::Exited(43)) | (Protocol::Testlib, Ended::Exited(1..=3)) => {
            InputVerdict::Invalid(first_line(outcome))
        }
        (_, ended) => {
            let line = last_stderr_line(outcome);
            let quotation = if line.is_empty() { line } else { format!(" and said: {line}") };
            let how = format!("ended with {}{quotation}", ending_words(ended));
            if ended == Ended::Signaled(libc::SIGABRT) { InputVerdict::Aborted(how) } else { InputVerdict::Failed(how) }
        }
    }
}

/// Returns the first line of standard error, or of standard output if standard error is empty.
fn first_line(outcome: &Outcome) -> String {
    let text = if outcome.stderr.is_empty() { &outcome.stdout } else { &outcome.stderr };
    let text = printable(&text[..text.len().min(QUOTED_BYTES)]);
    text.trim().lines().next().unwrap_or_default().to_owned()
}

/// Returns the last line of standard error, where interpreters report the error.
fn last_stderr_line(outcome: &Outcome) -> String {
    let text = printable(&outcome.stderr[outcome.stderr.len().saturating_sub(QUOTED_BYTES)..]);
    text.trim().lines().next_back().unwrap_or_default().trim().to_owned()
}
