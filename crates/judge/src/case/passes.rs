//! Judges one submission on one test case of an interactive problem, of a multi-pass problem, or of both.
//!
//! A pass is one run of the submission and one run of the output validator. In an interactive problem they run at the
//! same time, otherwise one after the other. A validator that accepts a pass can request another one: it writes the
//! next input to `nextpass.in` in its feedback folder. All its other files stay there (Kattis' package format 2025-09,
//! "Multi-pass validation"). Each pass has the limits of one run. The report shows the time of the slowest pass and the
//! largest memory.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::JudgeError;
use crate::build::executable::{Executable, folder_in};
use crate::build::workdir::Stay;
use crate::case::{Bench, arguments, exhibit, finished, limits, not_finished, stay};
use crate::outcome::case_result::CaseResult;
use crate::outcome::classify::{classify, crossed};
use crate::outcome::interactive_verdict::{Decides, Submitted, Validated, decides};
use crate::validator::{Exam, Opinion, ValidatorSession, of_the_judge};
use referee_event::Exchange;
use referee_grading::verdict::Verdict;
use referee_package::TestCase;
use referee_sandbox::{
    Crossed, Input, Interaction, InteractiveError, Outcome, Participant, Run, SandboxError, Side, Usage,
};

/// Runs `program` on `case`, once for each pass that the output validator requests, and judges it.
pub(crate) fn judge(
    bench: &Bench<'_>,
    submission: &str,
    program: &Executable,
    case: &TestCase,
) -> Result<CaseResult, JudgeError> {
    let Some(validator) = bench.validator.only() else {
        return Err(JudgeError::Package(format!(
            "{}: interactive and multi-pass problems need an output validator; the package has none",
            case.name
        )));
    };
    let inputs = folder_in(bench.workspace)
        .map_err(|source| JudgeError::System { doing: "making a folder for the inputs of passes", source })?;
    let exam =
        Exam { submission, case, submitted: program.folder(), workspace: bench.workspace, inputs: Some(inputs.path()) };
    let judged = validator.sit(&exam, bench.settings, |sitting| {
        Rounds { bench, exam: &exam, stay: stay(bench, program, case), inputs: inputs.path(), sitting }.judge()
    });
    match judged {
        Ok(finished) => Ok(finished),
        Err(InteractiveError::Submission(error)) => not_finished(error),
        Err(InteractiveError::Interactor(SandboxError::Interrupted)) => Err(JudgeError::Interrupted),
        Err(InteractiveError::Interactor(error)) => {
            let reason = format!("the output validator could not be run: {error}");
            Ok(CaseResult::not_run(Verdict::JudgeError, reason))
        }
    }
}

/// All passes of a submission on a case.
struct Rounds<'a, 'c, 'p> {
    bench: &'a Bench<'a>,
    exam: &'a Exam<'a>,
    stay: Stay<'a>,
    /// The folder to which the inputs of later passes are written.
    inputs: &'a Path,
    sitting: &'a mut ValidatorSession<'c, 'p>,
}

/// The result of one pass.
struct Round {
    outcome: Outcome,
    opinion: Opinion,
    /// Whether the opinion comes from the output validator, not from the judge.
    by_validator: bool,
    /// Whether the judge ended the submission. Its exit code and signal are then not reported.
    cut: bool,
    exchanges: Option<Vec<Exchange>>,
}

impl Rounds<'_, '_, '_> {
    fn judge(&mut self) -> Result<CaseResult, InteractiveError> {
        let case = self.exam.case;
        let most = if self.bench.kind.multi_pass { self.bench.settings.limits.validation_passes } else { 1 };
        let mut input = case.input.clone();
        let mut largest: Option<Usage> = None;
        for pass in 1.. {
            let mut round = self.round(&input)?;
            let used = largest.map_or(round.outcome.usage, |largest| larger(largest, round.outcome.usage));
            largest = Some(used);
            round.outcome.usage = used;
            if self.bench.kind.multi_pass && round.by_validator {
                match self.next_input(pass, most, round.opinion.verdict)? {
                    Ok(Some(next)) => {
                        input = next;
                        continue;
                    }
                    Ok(None) => {}
                    Err(reason) => round.opinion = of_the_judge(reason),
                }
            }
            if let Err(reason) = self.sitting.keep().map_err(InteractiveError::Interactor)? {
                round.opinion = of_the_judge(reason);
            }
            return Ok(self.finished(round, pass, &input));
        }
        // This is not reached, because the loop always ends with a last pass.
        Err(InteractiveError::Interactor(SandboxError::System {
            doing: "counting passes",
            source: std::io::ErrorKind::Other.into(),
        }))
    }

    fn round(&mut self, input: &Path) -> Result<Round, InteractiveError> {
        if self.bench.kind.interactive { self.talk(input) } else { self.run(input) }
    }

    /// Runs the submission, then the output validator.
    fn run(&mut self, input: &Path) -> Result<Round, InteractiveError> {
        let limits = limits(self.bench.settings, self.bench.cpu_factor);
        let run = Run { arguments: arguments(self.exam.case), input: Input::File(input), limits };
        let outcome = self.stay.run(|instance| instance.run(&run))?;
        let (opinion, by_validator) = if let Some((verdict, reason)) = classify(&outcome, self.bench.settings.time()) {
            (Opinion::new(verdict, Some(reason)), false)
        } else {
            let opinion = self.sitting.examine(input, &outcome.stdout).map_err(InteractiveError::Interactor)?;
            let by_validator = opinion.is_ok();
            (opinion.unwrap_or_else(of_the_judge), by_validator)
        };
        Ok(Round { outcome, opinion, by_validator, cut: false, exchanges: None })
    }

    /// Runs the submission and the interactor at the same time.
    fn talk(&mut self, input: &Path) -> Result<Round, InteractiveError> {
        let (arguments, limits) = (arguments(self.exam.case), limits(self.bench.settings, self.bench.cpu_factor));
        let mut rest = None;
        let outcome = self.stay.run(|instance| {
            let interaction = self.sitting.talk(Participant { instance, arguments, limits }, input)?;
            let Interaction { submission, interactor, .. } = interaction;
            let stop = Stop {
                interactor_saw_end: interaction.interactor_saw_end,
                submission_stopped: interaction.submission_stopped,
                interactor_flooded: interaction.interactor_flooded,
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
        let (opinion, by_validator) = self.opinion(&outcome, &interactor, stop)?;
        let exchanges = transcript.into_iter().map(|said| Exchange {
            by_submission: said.by == Side::Submission,
            at: said.at,
            bytes: said.text,
            whole_bytes: said.whole_bytes,
        });
        Ok(Round { outcome, opinion, by_validator, cut: stop.submission_stopped, exchanges: Some(exchanges.collect()) })
    }

    /// Returns the opinion after an interactive run, and whether it comes from the output validator.
    fn opinion(
        &self,
        submission: &Outcome,
        interactor: &Outcome,
        stop: Stop,
    ) -> Result<(Opinion, bool), InteractiveError> {
        let time = self.bench.settings.time();
        let ended = if stop.interactor_flooded { Some(too_much_to_read()) } else { classify(submission, time) };
        let submitted = match crossed(submission, time) {
            _ if stop.interactor_flooded => Submitted::Flooding,
            _ if stop.submission_stopped => Submitted::Cut,
            Some(Crossed::Wall) => Submitted::Waiting,
            _ if ended.is_some() => Submitted::Badly,
            _ => Submitted::Well,
        };
        let validated = self.sitting.validated(interactor);
        let said = self.sitting.opinion(interactor).map_err(InteractiveError::Interactor)?;
        Ok(match (decides(submitted, validated, stop.interactor_saw_end), ended) {
            (Decides::Submission, Some((verdict, reason))) => {
                (Opinion::new(verdict, Some(explained(reason, submitted, validated))), false)
            }
            (Decides::Validator, _) if said.is_ok() => (said.unwrap_or_else(of_the_judge), true),
            _ => (of_the_judge(said.err().unwrap_or_else(|| "the interactive run has no result".to_owned())), false),
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
        let text = match self.sitting.next_pass().map_err(InteractiveError::Interactor)? {
            Ok(None) => return Ok(Ok(None)),
            Err(reason) => return Ok(Err(format!("the output validator's {reason}"))),
            Ok(Some(text)) => text,
        };
        if verdict != Verdict::Accepted {
            return Ok(Err("the output validator wrote nextpass.in but did not accept the pass".to_owned()));
        }
        if pass >= most {
            return Ok(Err(format!(
                "the output validator requested more than {most} passes; limits.validation_passes allows no more"
            )));
        }
        let path = self.inputs.join(format!("{}.in", pass + 1));
        fs::write(&path, text)
            .and_then(|()| fs::set_permissions(&path, fs::Permissions::from_mode(0o644)))
            .map_err(|source| SandboxError::System { doing: "writing the input of a pass", source })?;
        Ok(Ok(Some(path)))
    }

    fn finished(&self, round: Round, pass: u32, input: &Path) -> CaseResult {
        let (case, multi_pass) = (self.exam.case, self.bench.kind.multi_pass);
        let Round { outcome, mut opinion, cut, exchanges, .. } = round;
        if multi_pass && opinion.verdict != Verdict::Accepted {
            let message = opinion.message.unwrap_or_else(|| "not accepted".to_owned());
            opinion.message = Some(format!("pass {pass}: {message}"));
        }
        let exhibit = exhibit(case, input, &outcome, opinion.place);
        let mut finished = finished(self.bench, &outcome, opinion, exhibit);
        if let Some(exhibit) = &mut finished.exhibit {
            exhibit.exchanges = exchanges;
        }
        finished.passes = multi_pass.then_some(pass);
        if cut {
            (finished.exit_code, finished.signal) = (None, None);
        }
        finished
    }
}

/// How the two programs of an interactive run ended, in relation to each other: see [`Interaction`].
#[derive(Clone, Copy)]
struct Stop {
    interactor_saw_end: bool,
    submission_stopped: bool,
    interactor_flooded: bool,
}

/// Returns the verdict and the message for a submission that prints more than its validator can read.
fn too_much_to_read() -> (Verdict, String) {
    (Verdict::TimeLimitExceeded, "it printed more than the output validator could read within its limits".to_owned())
}

/// Adds a hint to the reason why an interactive submission failed.
fn explained(reason: String, submitted: Submitted, validated: Validated) -> String {
    let hint = match (submitted, validated) {
        (Submitted::Flooding, _) => "",
        (_, Validated::Strangely) => "; the output validator then failed, too",
        (_, Validated::OverItsLimit) => "; the output validator then exceeded a limit, too",
        (Submitted::Waiting, _) => "; does it flush its output?",
        _ => "",
    };
    reason + hint
}

/// Returns the maximum of each figure. If the memory of one pass is unknown, the result's memory is unknown.
fn larger(one: Usage, other: Usage) -> Usage {
    Usage {
        cpu: one.cpu.max(other.cpu),
        wall: one.wall.max(other.wall),
        waited: one.waited.max(other.waited),
        memory_bytes: one.memory_bytes.zip(other.memory_bytes).map(|(one, other)| one.max(other)),
    }
}
