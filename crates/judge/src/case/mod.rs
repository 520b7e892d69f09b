//! Judges one submission on one test case.

pub(crate) mod passes;

use std::ffi::OsString;
use std::path::Path;

use crate::build::executable::Executable;
use crate::build::workdir::{Files, Stay};
use crate::outcome::case_result::CaseResult;
use crate::outcome::classify::classify;
use crate::outcome::excerpt::{around, around_in_file, beginning};
use crate::validator::{Exam, Opinion, Validator};
use crate::{JudgeError, Settings};
use referee_event::Exhibit;
use referee_grading::verdict::Verdict;
use referee_package::{Kind, TestCase};
use referee_sandbox::{Crossed, Ended, Input, Limits, Outcome, Run, SandboxError};

/// The settings, validator and folders with which a test case is judged.
#[derive(Clone, Copy)]
pub(crate) struct Bench<'a> {
    pub(crate) kind: Kind,
    pub(crate) settings: &'a Settings,
    pub(crate) validator: &'a Validator,
    pub(crate) workspace: &'a Path,
    pub(crate) package: &'a Path,
    /// Factor of the time limit: a program is ended when it has used that much CPU time.
    pub(crate) cpu_factor: f64,
    /// Whether the program runs in a new sandbox instance. Otherwise a submission could pass information from one run
    /// to the next, for example by process numbers.
    pub(crate) anew: bool,
}

/// Runs `program` on `case` and judges it.
pub(crate) fn judge(
    bench: &Bench<'_>,
    submission: &str,
    program: &Executable,
    case: &TestCase,
) -> Result<CaseResult, JudgeError> {
    if bench.kind.interactive || bench.kind.multi_pass {
        return passes::judge(bench, submission, program, case);
    }
    let run = Run {
        arguments: arguments(case),
        input: Input::File(&case.input),
        limits: limits(bench.settings, bench.cpu_factor),
    };
    let outcome = match stay(bench, program, case).run(|room| room.run(&run)) {
        Ok(outcome) => outcome,
        Err(error) => return not_finished(error),
    };
    let opinion = if let Some((verdict, reason)) = classify(&outcome, bench.settings.time()) {
        Opinion::new(verdict, Some(reason))
    } else {
        let (submitted, workspace) = (program.folder(), bench.workspace);
        let exam = Exam { submission, case, submitted, workspace, inputs: None };
        bench.validator.judge(&exam, &outcome.stdout, bench.settings)?
    };
    let exhibit = exhibit(case, &case.input, &outcome, opinion.place);
    Ok(finished(bench, &outcome, opinion, exhibit))
}

/// Returns the working directory of the submission's run on the test case.
pub(crate) fn stay<'a>(bench: &Bench<'a>, program: &'a Executable, case: &'a TestCase) -> Stay<'a> {
    Stay {
        program,
        files: case.files.as_deref().map(|folder| Files { folder, package: bench.package }),
        may_write: bench.settings.file_writing,
        output_bytes: bench.settings.limits.output_bytes,
        workspace: bench.workspace,
        anew: bench.anew,
    }
}

/// Returns the command-line arguments of the submission on the test case.
pub(crate) fn arguments(case: &TestCase) -> Vec<OsString> {
    case.arguments.iter().map(OsString::from).collect()
}

/// Returns the result of a run that failed in the sandbox. The submission is responsible only if its program cannot be
/// executed.
pub(crate) fn not_finished(error: SandboxError) -> Result<CaseResult, JudgeError> {
    match error {
        SandboxError::Interrupted => Err(JudgeError::Interrupted),
        SandboxError::Start { source, .. } => {
            let reason = format!("its program cannot be executed: {source}");
            Ok(CaseResult::not_run(Verdict::RunTimeError, reason))
        }
        error => Ok(CaseResult::not_run(Verdict::JudgeError, error.to_string())),
    }
}

/// Returns the limits of one run of the submission.
pub(crate) fn limits(settings: &Settings, cpu_factor: f64) -> Limits {
    Limits {
        cpu: settings.time().mul_f64(cpu_factor),
        wall: settings.wall(),
        memory_bytes: settings.limits.memory_bytes,
        output_bytes: settings.limits.output_bytes,
        until: settings.until,
    }
}

/// Returns the result of a run. The exhibit is made only for runs that are not accepted, or whose CPU time exceeds the
/// limit.
pub(crate) fn finished(
    bench: &Bench<'_>,
    outcome: &Outcome,
    opinion: Opinion,
    exhibit: impl FnOnce() -> Exhibit,
) -> CaseResult {
    let (exit_code, signal) = match outcome.ended {
        Ended::Exited(code) => (Some(code), None),
        Ended::Signaled(signal) => (None, Some(signal)),
    };
    let failed = opinion.verdict != Verdict::Accepted || outcome.usage.cpu > bench.settings.time();
    CaseResult {
        given: opinion.given,
        cpu_seconds: Some(outcome.usage.cpu.as_secs_f64()),
        wall_seconds: Some(outcome.usage.wall.as_secs_f64()),
        memory_bytes: outcome.usage.memory_bytes,
        exit_code,
        signal,
        message: opinion.message,
        team_message: opinion.team_message,
        output_hash: Some(*blake3::hash(&outcome.stdout).as_bytes()),
        overflowed_stack: outcome.crossed == Some(Crossed::Stack),
        exhibit: failed.then(|| Box::new(exhibit())),
        ..CaseResult::of(opinion.verdict)
    }
}

/// Returns a function that makes the exhibit of a run on `input`: excerpts of its input, answer and output.
pub(crate) fn exhibit(
    case: &TestCase,
    input: &Path,
    outcome: &Outcome,
    place: Option<(usize, usize)>,
) -> impl FnOnce() -> Exhibit {
    let (answer_offset, output_offset) = place.unwrap_or((0, 0));
    move || Exhibit {
        description: case.description.clone(),
        input: beginning(input),
        expected: around_in_file(&case.answer, answer_offset),
        output: around(&outcome.stdout, output_offset),
        stderr: around(&outcome.stderr, 0),
        exchanges: None,
    }
}
