//! Judges one submission on one test case.

pub(crate) mod passes;
pub(crate) mod together;

use std::ffi::OsString;
use std::path::Path;

use crate::build::executable::Executable;
use crate::build::workdir::{Files, WorkDir};
use crate::outcome::case_result::{CaseResult, WrittenStreams};
use crate::outcome::classify::classify;
use crate::outcome::excerpt::{around, around_in_file, beginning};
use crate::outcome::own_paths;
use crate::validator::{Judgement, ValidationContext, Validator};
use crate::{JudgeError, Settings};
use referee_event::Exhibit;
use referee_grading::verdict::Verdict;
use referee_package::{Kind, TestCase};
use referee_sandbox::{Crossed, Ended, Input, Outcome, Run, SandboxError};

/// The settings, validator and folders with which a test case is judged.
#[derive(Clone, Copy)]
pub(crate) struct RunContext<'a> {
    pub(crate) kind: Kind,
    pub(crate) settings: &'a Settings,
    pub(crate) validator: &'a Validator,
    pub(crate) workspace: &'a Path,
    pub(crate) package: &'a Path,
    /// The judge ends a program whose CPU time reaches the time limit times this factor.
    pub(crate) cpu_factor: f64,
    /// Whether the program runs in a new sandbox instance. Then a submission cannot pass information from one run to
    /// the next, for example by process numbers.
    pub(crate) anew: bool,
}

/// Runs `program` on `case` and judges it.
pub(crate) fn judge(
    context: &RunContext<'_>,
    submission: &str,
    program: &Executable,
    case: &TestCase,
) -> Result<CaseResult, JudgeError> {
    if context.kind.interactive || context.kind.multi_pass {
        return passes::judge(context, submission, program, case);
    }
    let input = case.input();
    let run = Run {
        arguments: arguments(case),
        input: Input::File(&input),
        limits: context.settings.submission_limits(context.cpu_factor),
    };
    let outcome =
        match work_dir(context, program, case).run(|room| room.run_with(&run, context.settings.excess_output())) {
            Ok(outcome) => outcome,
            Err(error) => return result_of_failed_run(error),
        };
    let judgement = if let Some((verdict, reason)) = classify(&outcome, context.settings) {
        Judgement::new(verdict, Some(reason))
    } else {
        let (submitted, workspace) = (program.folder(), context.workspace);
        let validation = ValidationContext { submission, case, submitted, workspace, inputs: None };
        context.validator.judge(&validation, &outcome.stdout, context.settings)?
    };
    let exhibit = exhibit(context, case, &input, &outcome, judgement.difference);
    Ok(finished(context, &outcome, judgement, exhibit))
}

/// Returns the working directory of the submission's run on the test case.
pub(crate) fn work_dir<'a>(context: &RunContext<'a>, program: &'a Executable, case: &'a TestCase) -> WorkDir<'a> {
    WorkDir {
        program,
        files: case.files.as_deref().map(|folder| Files { folder, package: context.package }),
        may_write: context.settings.file_writing,
        output_bytes: context.settings.limits.output_bytes,
        workspace: context.workspace,
        anew: context.anew,
    }
}

/// Returns the command-line arguments of the submission on the test case.
pub(crate) fn arguments(case: &TestCase) -> Vec<OsString> {
    case.arguments.iter().map(OsString::from).collect()
}

/// Returns the result of a run that failed in the sandbox. The submission is responsible only if its program cannot be
/// executed.
pub(crate) fn result_of_failed_run(error: SandboxError) -> Result<CaseResult, JudgeError> {
    match error {
        SandboxError::Interrupted => Err(JudgeError::Interrupted),
        SandboxError::Start { source, .. } => {
            let reason = format!("the submission cannot be executed: {source}");
            Ok(CaseResult::not_run(Verdict::RunTimeError, reason))
        }
        error => Ok(CaseResult::not_run(Verdict::JudgeError, error.to_string())),
    }
}

/// Returns the result of a run. The exhibit is made only for runs that are not accepted, or whose CPU time exceeds the
/// limit.
pub(crate) fn finished(
    context: &RunContext<'_>,
    outcome: &Outcome,
    judgement: Judgement,
    exhibit: impl FnOnce() -> Exhibit,
) -> CaseResult {
    let (exit_code, signal) = match outcome.ended {
        Ended::Exited(code) => (Some(code), None),
        Ended::Signaled(signal) => (None, Some(signal)),
    };
    let failed = judgement.verdict != Verdict::Accepted || outcome.usage.cpu > context.settings.time();
    CaseResult {
        given: judgement.given,
        cpu_seconds: Some(outcome.usage.cpu.as_secs_f64()),
        wall_seconds: Some(outcome.usage.wall.as_secs_f64()),
        memory_bytes: outcome.usage.memory_bytes,
        exit_code,
        signal,
        message: judgement.message,
        team_message: judgement.team_message,
        output_hash: Some(*blake3::hash(&outcome.stdout).as_bytes()),
        overflowed_stack: outcome.crossed == Some(Crossed::Stack),
        written: context.settings.written_bytes.map(|most| Box::new(written(outcome, most))),
        exhibit: failed.then(|| Box::new(exhibit())),
        ..CaseResult::of(judgement.verdict)
    }
}

/// Returns the first `most` bytes of each stream that the submission wrote.
fn written(outcome: &Outcome, most: usize) -> WrittenStreams {
    let beginning = |stream: &[u8]| stream[..stream.len().min(most)].to_vec();
    WrittenStreams {
        stdout: beginning(&outcome.stdout),
        stderr: beginning(&outcome.stderr),
        stdout_bytes: outcome.stdout.len(),
        stderr_bytes: outcome.stderr.len(),
        overflowed: outcome.stdout.overflowed,
    }
}

/// Returns a function that makes the exhibit of a run on `input`: excerpts of its input, answer and output.
pub(crate) fn exhibit(
    context: &RunContext<'_>,
    case: &TestCase,
    input: &Path,
    outcome: &Outcome,
    difference: Option<(usize, usize)>,
) -> impl FnOnce() -> Exhibit {
    let (answer_offset, output_offset) = difference.unwrap_or((0, 0));
    move || Exhibit {
        description: case.description.as_deref().cloned(),
        input: beginning(input),
        expected: around_in_file(&case.answer(), answer_offset),
        output: around(&outcome.stdout, output_offset),
        stderr: own_paths::shorten(around(&outcome.stderr, 0), context.workspace),
        exchanges: None,
    }
}
