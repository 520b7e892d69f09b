//! Judges one submission on one test case of an interactive problem, of a multi-pass problem, or of both.
//!
//! A pass is one run of the submission and one run of the output validator. In an interactive problem they run at the
//! same time, otherwise one after the other. A validator that accepts a pass can request another pass: it writes the
//! next input to `nextpass.in` in its feedback folder. The validator's other files stay in this folder. Each pass has
//! the limits of one run. The report shows the time of the slowest pass and the largest memory of a pass. See the
//! section "Multi-pass validation" of package format 2025-09.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::JudgeError;
use crate::build::executable::{Executable, folder_in};
use crate::build::workdir::WorkDir;
use crate::case::{RunContext, arguments, exhibit, finished, result_of_failed_run, work_dir};
use crate::outcome::case_result::CaseResult;
use crate::outcome::classify::{classify, crossed};
use crate::outcome::interactive_verdict::{DecidedBy, SubmissionEnd, ValidatorEnd, decided_by};
use crate::validator::{Judgement, ValidationContext, ValidatorSession, judge_error};
use crate::workspace::folder::Folder;
use referee_event::Exchange;
use referee_grading::verdict::Verdict;
use referee_package::TestCase;
use referee_sandbox::{
    Crossed, Input, Interaction, InteractiveError, Outcome, Overload, Participant, Run, SandboxError, Side, Usage,
};

/// Judges `program` on `case`. Runs it once, and once more for each further pass that the output validator requests.
pub(crate) fn judge(
    context: &RunContext<'_>,
    submission: &str,
    program: &Executable,
    case: &TestCase,
) -> Result<CaseResult, JudgeError> {
    let Some(validator) = context.validator.first() else {
        return Err(JudgeError::Package(format!(
            "{}: interactive and multi-pass problems need an output validator; add one to the package",
            case.name
        )));
    };
    let inputs = context.kind.multi_pass.then(|| folder_in(context.workspace)).transpose();
    let inputs =
        inputs.map_err(|source| JudgeError::System { doing: "making a folder for the inputs of passes", source })?;
    let inputs = inputs.as_ref().map(Folder::path);
    let validation =
        ValidationContext { submission, case, submitted: program.folder(), workspace: context.workspace, inputs };
    let judged = validator.in_session(&validation, context.settings, |session| {
        Passes {
            context,
            validation: &validation,
            // Each pass gets a sandbox instance of its own. Otherwise process numbers could carry information from one
            // pass to the next.
            work_dir: WorkDir { anew: context.kind.multi_pass || context.anew, ..work_dir(context, program, case) },
            session,
        }
        .judge()
    });
    match judged {
        Ok(finished) => Ok(finished),
        Err(InteractiveError::Submission(error)) => result_of_failed_run(error),
        Err(InteractiveError::Interactor(SandboxError::Interrupted)) => Err(JudgeError::Interrupted),
        Err(InteractiveError::Interactor(error)) => {
            let reason = format!("the output validator could not be run: {error}");
            Ok(CaseResult::not_run(Verdict::JudgeError, reason))
        }
    }
}

/// All passes of a submission on a case.
struct Passes<'a, 'c, 'p> {
    context: &'a RunContext<'a>,
    validation: &'a ValidationContext<'a>,
    work_dir: WorkDir<'a>,
    session: &'a mut ValidatorSession<'c, 'p>,
}

/// The result of one pass.
struct PassResult {
    outcome: Outcome,
    judgement: Judgement,
    /// Whether the judgement comes from the output validator, not from the judge.
    by_validator: bool,
    /// Whether the judge ended the submission. Its exit code and signal are then not reported.
    was_stopped: bool,
    exchanges: Option<Vec<Exchange>>,
}

impl Passes<'_, '_, '_> {
    fn judge(&mut self) -> Result<CaseResult, InteractiveError> {
        let case = self.validation.case;
        let most = if self.context.kind.multi_pass { self.context.settings.limits.validation_passes } else { 1 };
        let mut input = case.input();
        let mut largest: Option<Usage> = None;
        for pass in 1.. {
            let numbers = self.context.kind.multi_pass.then(referee_sandbox::InodeNumbers::now);
            let mut result = self.run_pass(&input)?;
            let cpu = result.outcome.usage.cpu;
            let used = largest.map_or(result.outcome.usage, |largest| larger(largest, result.outcome.usage));
            largest = Some(used);
            result.outcome.usage = used;
            if self.context.kind.multi_pass && result.by_validator {
                match self.next_input(pass, most, result.judgement.verdict)? {
                    Ok(Some(next)) => {
                        input = next;
                        if let Some(numbers) = numbers {
                            numbers.blur(cpu);
                        }
                        continue;
                    }
                    Ok(None) => {}
                    Err(reason) => result.judgement = judge_error(reason),
                }
            }
            if let Err(reason) = self.session.store_feedback().map_err(InteractiveError::Interactor)? {
                result.judgement = judge_error(reason);
            }
            return Ok(self.finished(result, pass, &input));
        }
        // This is not reached, because the loop always ends with a last pass.
        Err(InteractiveError::Interactor(SandboxError::System {
            doing: "counting passes",
            source: std::io::ErrorKind::Other.into(),
        }))
    }

    fn run_pass(&mut self, input: &Path) -> Result<PassResult, InteractiveError> {
        if self.context.kind.interactive { self.interact(input) } else { self.run(input) }
    }

    /// Runs the submission, then the output validator.
    fn run(&mut self, input: &Path) -> Result<PassResult, InteractiveError> {
        let limits = self.context.settings.submission_limits(self.context.cpu_factor);
        let run = Run { arguments: arguments(self.validation.case), input: Input::File(input), limits };
        let outcome = self.work_dir.run(|instance| instance.run_with(&run, self.context.settings.excess_output()))?;
        let (judgement, by_validator) = if let Some((verdict, reason)) = classify(&outcome, self.context.settings) {
            (Judgement::new(verdict, Some(reason)), false)
        } else {
            let judgement = self.session.examine(input, &outcome.stdout).map_err(InteractiveError::Interactor)?;
            let by_validator = judgement.is_ok();
            (judgement.unwrap_or_else(judge_error), by_validator)
        };
        Ok(PassResult { outcome, judgement, by_validator, was_stopped: false, exchanges: None })
    }

    /// Runs the submission and the interactor at the same time.
    fn interact(&mut self, input: &Path) -> Result<PassResult, InteractiveError> {
        let (arguments, limits) =
            (arguments(self.validation.case), self.context.settings.submission_limits(self.context.cpu_factor));
        let mut rest = None;
        let outcome = self.work_dir.run(|instance| {
            let interaction = self.session.interact(Participant { instance, arguments, limits }, input)?;
            let Interaction { submission, interactor, .. } = interaction;
            let stop = Stop {
                interactor_saw_end: interaction.interactor_saw_end,
                submission_stopped: interaction.submission_stopped,
                overload: interaction.overload,
            };
            rest = Some((interactor, stop, interaction.transcript));
            Ok::<_, InteractiveError>(submission)
        })?;
        let Some((interactor, stop, transcript)) = rest else {
            return Err(SandboxError::System {
                doing: "ending an interactive run",
                source: std::io::ErrorKind::Other.into(),
            }
            .into());
        };
        let last_by = transcript.last().map(|message| message.by);
        let (judgement, by_validator) = self.judgement(&outcome, &interactor, stop, last_by)?;
        let exchanges = transcript.into_iter().map(|message| Exchange {
            by_submission: message.by == Side::Submission,
            at: message.at,
            bytes: message.text,
            whole_bytes: message.whole_bytes,
        });
        Ok(PassResult {
            outcome,
            judgement,
            by_validator,
            was_stopped: stop.submission_stopped,
            exchanges: Some(exchanges.collect()),
        })
    }

    /// Returns the judgement after an interactive run, and whether it comes from the output validator. `last_by` sent
    /// the last message of the run; `None` if there was no message.
    fn judgement(
        &self,
        submission: &Outcome,
        interactor: &Outcome,
        stop: Stop,
        last_by: Option<Side>,
    ) -> Result<(Judgement, bool), InteractiveError> {
        let ended = match stop.overload {
            Some(overload) => Some(overloaded(overload)),
            None => classify(submission, self.context.settings),
        };
        let submitted = match crossed(submission, self.context.settings) {
            _ if stop.overload.is_some() => SubmissionEnd::Flooding,
            _ if stop.submission_stopped => SubmissionEnd::Stopped,
            Some(Crossed::Wall | Crossed::Deadlock) => SubmissionEnd::Waiting,
            _ if ended.is_some() => SubmissionEnd::Bad,
            _ => SubmissionEnd::Clean,
        };
        let validator_end = self.session.validator_end(interactor);
        let judged = self.session.judgement(interactor).map_err(InteractiveError::Interactor)?;
        Ok(match (decided_by(submitted, validator_end, stop.interactor_saw_end), ended) {
            (DecidedBy::Submission, Some((verdict, reason))) => {
                (Judgement::new(verdict, Some(explained(reason, submitted, validator_end, last_by))), false)
            }
            (DecidedBy::Validator, _) if judged.is_ok() => (judged.unwrap_or_else(judge_error), true),
            _ => (judge_error(judged.err().unwrap_or_else(|| "the interactive run has no result".to_owned())), false),
        })
    }

    /// Returns the path of the next pass's input; `None` if there is no next pass. The inner error is a fault of the
    /// package.
    fn next_input(
        &self,
        pass: u32,
        most: u32,
        verdict: Verdict,
    ) -> Result<Result<Option<PathBuf>, String>, InteractiveError> {
        let text = match self.session.next_pass().map_err(InteractiveError::Interactor)? {
            Ok(None) => return Ok(Ok(None)),
            Err(reason) => return Ok(Err(format!("the output validator's {reason}"))),
            Ok(Some(text)) => text,
        };
        if verdict != Verdict::Accepted {
            return Ok(Err(
                "the output validator wrote nextpass.in but did not accept the pass; a validator must accept a pass to \
                 request another one"
                    .to_owned(),
            ));
        }
        if pass >= most {
            return Ok(Err(format!(
                "the output validator requested more than the {most} passes that limits.validation_passes in \
                 problem.yaml allows"
            )));
        }
        // Only a multi-pass problem has such a folder, and only its validators can request another pass.
        let Some(inputs) = self.validation.inputs else { return Ok(Ok(None)) };
        let path = inputs.join(format!("{}.in", pass + 1));
        fs::write(&path, text)
            .and_then(|()| fs::set_permissions(&path, fs::Permissions::from_mode(0o644)))
            .map_err(|source| SandboxError::System { doing: "writing the input of a pass", source })?;
        Ok(Ok(Some(path)))
    }

    fn finished(&self, result: PassResult, pass: u32, input: &Path) -> CaseResult {
        let (case, multi_pass) = (self.validation.case, self.context.kind.multi_pass);
        let PassResult { outcome, mut judgement, was_stopped, exchanges, .. } = result;
        if multi_pass && judgement.verdict != Verdict::Accepted {
            let message = judgement.message.unwrap_or_else(|| "not accepted".to_owned());
            judgement.message = Some(format!("pass {pass}: {message}"));
        }
        let exhibit = exhibit(self.context, case, input, &outcome, judgement.difference);
        let mut finished = finished(self.context, &outcome, judgement, exhibit);
        if let Some(exhibit) = &mut finished.exhibit {
            exhibit.exchanges = exchanges;
        }
        finished.passes = multi_pass.then_some(pass);
        if was_stopped {
            (finished.exit_code, finished.signal) = (None, None);
        }
        finished
    }
}

/// How an interactive run ended, as far as the verdict depends on it. [`Interaction`] explains the fields.
#[derive(Clone, Copy)]
struct Stop {
    interactor_saw_end: bool,
    submission_stopped: bool,
    overload: Option<Overload>,
}

/// Returns the verdict and the message if a validator exceeded a time limit because of the submission.
fn overloaded(overload: Overload) -> (Verdict, String) {
    let reason = match overload {
        Overload::Flood => {
            "the submission printed more than the output validator could read within the validator's limits"
        }
        Overload::EndlessTalk => {
            "the conversation with the submission still went on when the output validator's time limit was over"
        }
    };
    (Verdict::TimeLimitExceeded, reason.to_owned())
}

/// The advice for a submission that waits and has not answered. Its answer is probably in a buffer.
const FLUSH: &str = "flush the output after every line (flush=True, std::endl, System.out.flush())";

/// Returns the reason why an interactive submission failed, with a hint if there is one. `last_by` sent the last
/// message; `None` if there was none.
fn explained(reason: String, submitted: SubmissionEnd, validator_end: ValidatorEnd, last_by: Option<Side>) -> String {
    let hint = match (submitted, validator_end) {
        (SubmissionEnd::Flooding, _) => String::new(),
        (_, ValidatorEnd::Invalid) => "; the output validator then also failed".to_owned(),
        (_, ValidatorEnd::LimitExceeded) => "; the output validator then also exceeded a limit".to_owned(),
        (SubmissionEnd::Waiting, _) => match last_by {
            None => format!("; the submission sent nothing: {FLUSH}"),
            Some(Side::Submission) => "; its last message may be incomplete: end every line, and flush it".to_owned(),
            Some(_) => format!("; the submission sent nothing after the last message that it got: {FLUSH}"),
        },
        _ => String::new(),
    };
    reason + &hint
}

/// Returns the larger value of each field. If the memory of one pass is unknown, the returned memory is unknown, too.
fn larger(one: Usage, other: Usage) -> Usage {
    Usage {
        cpu: one.cpu.max(other.cpu),
        wall: one.wall.max(other.wall),
        waited: one.waited.max(other.waited),
        memory_bytes: one.memory_bytes.zip(other.memory_bytes).map(|(one, other)| one.max(other)),
    }
}
