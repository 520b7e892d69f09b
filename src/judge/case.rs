//! One submission on one test case.

use std::ffi::OsString;
use std::path::Path;

use super::classify::classify;
use super::excerpt::{around, around_in_file, beginning};
use super::ready::Ready;
use super::validator::{Exam, Opinion, Validator};
use super::workdir::{self, Files};
use super::{JudgeError, Settings};
use crate::event::{CaseFinished, Exhibit};
use crate::package::TestCase;
use crate::sandbox::{Ended, Input, Limits, Outcome, Run, SandboxError};
use crate::verdict::Verdict;

/// Where a case is judged.
pub(super) struct Bench<'a> {
    pub(super) settings: &'a Settings,
    pub(super) validator: &'a Validator,
    pub(super) workspace: &'a Path,
    pub(super) package: &'a Path,
}

/// Runs `program` on `case` and judges it.
pub(super) fn judge(
    bench: &Bench<'_>,
    submission: &str,
    program: &Ready,
    case: &TestCase,
) -> Result<CaseFinished, JudgeError> {
    let run = Run {
        arguments: case.arguments.iter().map(OsString::from).collect(),
        input: Input::File(&case.input),
        limits: limits(bench.settings),
    };
    let may_write = bench.settings.file_writing;
    let ran = if may_write || case.files.is_some() {
        let files = case.files.as_deref().map(|folder| Files { folder, package: bench.package });
        workdir::run(program, &run, files, may_write, bench.workspace)
    } else {
        program.run(&run)
    };
    let outcome = match ran {
        Ok(outcome) => outcome,
        Err(SandboxError::Interrupted) => return Err(JudgeError::Interrupted),
        Err(SandboxError::Start { source, .. }) => {
            let reason = format!("its program cannot be executed: {source}");
            return Ok(not_run(submission, &case.name, Verdict::RunTimeError, reason));
        }
        Err(error) => return Ok(not_run(submission, &case.name, Verdict::JudgeError, error.to_string())),
    };
    let opinion = if let Some((verdict, reason)) = classify(&outcome) {
        Opinion::new(verdict, Some(reason))
    } else {
        let (submitted, workspace) = (program.folder(), bench.workspace);
        let exam = Exam { submission, case, output: &outcome.stdout, submitted, workspace };
        bench.validator.judge(&exam, bench.settings)?
    };
    Ok(finished(submission, case, &outcome, opinion))
}

fn limits(settings: &Settings) -> Limits {
    Limits {
        cpu: settings.time,
        wall: settings.wall(),
        memory_bytes: settings.limits.memory_bytes,
        output_bytes: settings.limits.output_bytes,
    }
}

/// A case without a run.
fn not_run(submission: &str, case: &str, verdict: Verdict, message: String) -> CaseFinished {
    CaseFinished {
        submission: submission.to_owned(),
        case: case.to_owned(),
        verdict,
        cpu_seconds: None,
        wall_seconds: None,
        memory_bytes: None,
        exit_code: None,
        signal: None,
        message: Some(message),
        team_message: None,
        output_hash: None,
        exhibit: None,
    }
}

fn finished(submission: &str, case: &TestCase, outcome: &Outcome, opinion: Opinion) -> CaseFinished {
    let (exit_code, signal) = match outcome.ended {
        Ended::Exited(code) => (Some(code), None),
        Ended::Signaled(signal) => (None, Some(signal)),
    };
    let failed = opinion.verdict != Verdict::Accepted;
    CaseFinished {
        submission: submission.to_owned(),
        case: case.name.clone(),
        verdict: opinion.verdict,
        cpu_seconds: Some(outcome.usage.cpu.as_secs_f64()),
        wall_seconds: Some(outcome.usage.wall.as_secs_f64()),
        memory_bytes: outcome.usage.memory_bytes,
        exit_code,
        signal,
        message: opinion.message,
        team_message: opinion.team_message,
        output_hash: Some(*blake3::hash(&outcome.stdout).as_bytes()),
        exhibit: failed.then(|| Box::new(exhibit(case, outcome, opinion.place))),
    }
}

fn exhibit(case: &TestCase, outcome: &Outcome, place: Option<(usize, usize)>) -> Exhibit {
    let (answer_offset, output_offset) = place.unwrap_or((0, 0));
    Exhibit {
        description: case.description.clone(),
        input: beginning(&case.input),
        expected: around_in_file(&case.answer, answer_offset),
        output: around(&outcome.stdout, output_offset),
        stderr: around(&outcome.stderr, 0),
    }
}
