//! Runs programs on inputs that are no test cases of the package, or not yet. A program is built once and run any
//! number of times.
//!
//! A search for an input on which a program fails tries thousands. [`Trials::attempt`] only runs the program and
//! reports how it ended. [`Trials::judge`] decides whether the output is right, in the same way as for every test case.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::build::executable::{self, Executable};
use crate::build::{self, Build, Built};
use crate::case::{self, Bench};
use crate::examiner::Ruling;
use crate::outcome::case_result::CaseResult;
use crate::outcome::classify::classify;
use crate::run::remeasure::{self, ExclusiveGate};
use crate::session::Session;
use crate::validator::{Exam, Validator};
use crate::workspace::folder::Folder;
use crate::workspace::no_folder;
use crate::{JudgeError, Settings, Submission};
use referee_event::BuildFinished;
use referee_grading::verdict::Verdict;
use referee_package::TestCase;
use referee_sandbox::{Captured, Input, Instance, Run, SandboxError};

/// Runs programs on any inputs. Its temporary files are removed with it.
pub struct Trials<'a> {
    /// Its settings keep no feedback: the user's feedback folder is for the package's own test cases only.
    session: Session<'a>,
    validator: Validator,
    /// Where inputs and answers lie: seen by validators, hidden from submissions.
    data: Arc<Folder>,
    numbers: AtomicU64,
    /// An empty folder, for validators that expect the submission's folder where there is no submission.
    no_submission: Folder,
    /// Keeps other runs out while one is measured alone.
    gate: ExclusiveGate,
}

/// A program that can be tried.
pub struct Contender {
    name: String,
    program: Executable,
}

/// The end of a run whose output was not judged yet.
#[derive(Debug)]
pub struct Attempt {
    /// What it wrote to standard output.
    pub output: Captured,
    /// The verdict and its reason, where a limit or the exit code decides alone.
    pub failure: Option<(Verdict, String)>,
    /// The CPU time it took.
    pub cpu: Duration,
}

/// An input with its answer, as files. They go with it.
pub struct TrialCase {
    case: TestCase,
}

impl Drop for TrialCase {
    fn drop(&mut self) {
        // What cannot be removed now goes with the folder.
        let _ = fs::remove_file(&self.case.input);
        let _ = fs::remove_file(&self.case.answer);
    }
}

impl<'a> Session<'a> {
    /// Builds the output validators, to run programs on inputs that are not test cases of the package.
    pub fn trials(&self) -> Result<Trials<'a>, JudgeError> {
        Trials::open(self)
    }
}

impl<'a> Trials<'a> {
    pub(crate) fn open(session: &Session<'a>) -> Result<Self, JudgeError> {
        crate::refuse_what_cannot_be_judged(session.package)?;
        let (session, data) = session.with_drawn(Settings { feedback: None, ..(*session.settings).clone() })?;
        let validator = session.validator(&session.package.cases)?;
        let no_submission = executable::folder_in(session.workspace.path()).map_err(no_folder)?;
        let (numbers, gate) = (AtomicU64::new(0), ExclusiveGate::new());
        Ok(Trials { session, validator, data, numbers, no_submission, gate })
    }

    /// Builds a submission. That it cannot be built is in the result; an error is the judge's.
    pub fn build(&self, submission: &Submission) -> Result<(BuildFinished, Result<Contender, String>), JudgeError> {
        let (source, settings) = (self.session.source(submission), &*self.session.settings);
        let Build { language, seconds, cached, tools, result } = build::build(&source, settings, self.session.site())?;
        let result = match result {
            Built::Ready(program) => Ok(Contender { name: submission.name.clone(), program }),
            Built::Failed(message) | Built::Skipped(message) | Built::Broken(message) => Err(message),
        };
        let event = BuildFinished {
            submission: submission.name.clone(),
            language,
            ok: result.is_ok(),
            seconds,
            cached,
            tools,
            message: result.as_ref().err().cloned(),
        };
        Ok((event, result))
    }

    /// The CPU time that a program may use.
    pub fn time(&self) -> Duration {
        self.session.settings.time()
    }

    /// When its programs are stopped; see [`Settings::until`].
    pub fn until(&self) -> Option<Instant> {
        self.session.settings.until
    }

    /// Runs a program on `input`, called as on `like`. Not for problems where submission and validator talk.
    pub fn attempt(&self, contender: &Contender, like: &TestCase, input: &[u8]) -> Result<Attempt, JudgeError> {
        let input = Captured::of(input.to_vec());
        let run = Run {
            arguments: case::arguments(like),
            input: Input::Captured(&input),
            limits: case::limits(&self.session.settings, 1.0),
        };
        let (bench, run) = (self.bench(), |instance: &mut Instance<'_>| instance.run(&run));
        match self.gate.with_others(|| case::stay(&bench, &contender.program, like).run(run)) {
            Ok(outcome) => {
                let failure = classify(&outcome, self.session.settings.time());
                Ok(Attempt { failure, cpu: outcome.usage.cpu, output: outcome.stdout })
            }
            Err(SandboxError::Interrupted) => Err(JudgeError::Interrupted),
            Err(error) => {
                let verdict = match error {
                    SandboxError::Start { .. } => Verdict::RunTimeError,
                    _ => Verdict::JudgeError,
                };
                let failure = Some((verdict, error.to_string()));
                Ok(Attempt { output: Captured::of(Vec::new()), failure, cpu: Duration::ZERO })
            }
        }
    }

    /// Makes a case of an input and its answer. All else is as in `like`.
    pub fn case(&self, like: &TestCase, input: &[u8], answer: &[u8]) -> Result<TrialCase, JudgeError> {
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let file = |ending: &str| self.data.path().join(format!("{number}.{ending}"));
        let case = TestCase { input: file("in"), answer: file("ans"), output: None, ..like.clone() };
        let made = TrialCase { case };
        let written = fs::write(&made.case.input, input).and_then(|()| fs::write(&made.case.answer, answer));
        written.map_err(|source| JudgeError::System { doing: "writing an input", source })?;
        Ok(made)
    }

    /// Judges a program on a case, as every case is judged: also what comes near the time limit.
    pub fn judge(&self, contender: &Contender, case: &TrialCase) -> Result<CaseResult, JudgeError> {
        let once = |bench: &Bench<'_>| case::judge(bench, &contender.name, &contender.program, &case.case);
        let names = (contender.name.as_str(), case.case.name.as_str());
        remeasure::measured(&self.bench(), &self.gate, names, &|| true, once)
    }

    /// What the output validator says if a submission has written `output` on a case.
    pub fn ruling(&self, case: &TrialCase, output: &[u8]) -> Result<Ruling, JudgeError> {
        let output = Captured::of(output.to_vec());
        let (submitted, workspace) = (self.no_submission.path(), self.session.workspace.path());
        let exam = Exam { submission: "nobody", case: &case.case, submitted, workspace, inputs: None };
        let opinion = self.validator.judge(&exam, &output, &self.session.settings)?;
        Ok(Ruling { verdict: opinion.verdict, message: opinion.message })
    }

    fn bench(&self) -> Bench<'_> {
        self.session.bench(&self.validator)
    }
}
