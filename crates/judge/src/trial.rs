//! Runs programs on inputs that are no test cases of the package, or not yet. A program is built once and run any
//! number of times.
//!
//! A search for an input on which a program fails tries thousands. [`Trials::attempt`] only runs the program and
//! reports how it ended. [`Trials::judge`] decides whether the output is right, in the same way as for every test case.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::build::{self, Build, Built, Role, Source};
use super::case::{self, Bench};
use super::classify::classify;
use super::examiner::Ruling;
use super::executable::{self, Executable, Site};
use super::folder::Folder;
use super::remeasure::{self, ExclusiveGate};
use super::validator::{self, Exam, Validator};
use super::{JudgeError, MAKING_A_FOLDER, Settings, Submission, workspace};
use referee_event::{BuildFinished, CaseFinished};
use referee_grading::verdict::Verdict;
use referee_package::{Package, TestCase};
use referee_sandbox::{Captured, Input, Room, Run, SandboxError};

/// A place to try programs in. It goes with all that is in it.
pub struct Trials<'a> {
    package: &'a Package,
    settings: Settings,
    validator: Validator,
    /// Where inputs and answers lie: seen by validators, hidden from submissions.
    data: PathBuf,
    numbers: AtomicU64,
    /// In place of a submission's folder, where there is no submission.
    nobody: Folder,
    workspace: Folder,
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

impl<'a> Trials<'a> {
    /// Builds the package's output validators.
    pub fn open(package: &'a Package, settings: &Settings) -> Result<Self, JudgeError> {
        super::refuse_what_cannot_be_judged(package)?;
        let workspace = workspace().map_err(no_folder)?;
        let data = workspace.path().join("data");
        fs::create_dir(&data).map_err(no_folder)?;
        // The user's feedback folder is for the package's own test cases only.
        let settings = Settings { feedback: None, ..settings.clone() };
        let site = Site { workspace: workspace.path(), package: &package.root, drawn: Some(&data) };
        let validator = validator::prepare(package, &package.cases, &settings, site)?;
        let nobody = executable::folder_in(workspace.path()).map_err(no_folder)?;
        let (numbers, gate) = (AtomicU64::new(0), ExclusiveGate::new());
        Ok(Trials { package, settings, validator, data, numbers, nobody, workspace, gate })
    }

    fn site(&self) -> Site<'_> {
        Site { workspace: self.workspace.path(), package: &self.package.root, drawn: Some(&self.data) }
    }

    /// Builds a submission. That it cannot be built is in the result; an error is the judge's.
    pub fn build(&self, submission: &Submission) -> Result<(BuildFinished, Result<Contender, String>), JudgeError> {
        let of_package = submission.expectations.is_some();
        let source = Source {
            path: &submission.path,
            language: submission.language.as_deref(),
            entry_point: submission.entry_point.as_deref(),
            code_bytes: Some(self.settings.limits.code_bytes),
            role: Role::Submission,
            package: of_package.then_some(self.package.root.as_path()),
            constants: of_package.then_some(&self.package.constants),
            added: &[],
            includes: Some(self.package),
        };
        let Build { language, seconds, cached, tools, result } = build::build(&source, &self.settings, self.site())?;
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
        self.settings.time
    }

    /// When its programs are stopped; see [`Settings::until`].
    pub fn until(&self) -> Option<Instant> {
        self.settings.until
    }

    /// Runs a program on `input`, called as on `like`. Not for problems where submission and validator talk.
    pub fn attempt(&self, contender: &Contender, like: &TestCase, input: &[u8]) -> Result<Attempt, JudgeError> {
        let input = Captured::of(input.to_vec());
        let run = Run {
            arguments: case::arguments(like),
            input: Input::Captured(&input),
            limits: case::limits(&self.settings, 1.0),
        };
        let (bench, run) = (self.bench(), |room: &mut Room<'_>| room.run(&run));
        match self.gate.with_others(|| case::stay(&bench, &contender.program, like).run(run)) {
            Ok(outcome) => {
                let failure = classify(&outcome, self.settings.time);
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
        let file = |ending: &str| self.data.join(format!("{number}.{ending}"));
        let case = TestCase { input: file("in"), answer: file("ans"), output: None, ..like.clone() };
        let made = TrialCase { case };
        let written = fs::write(&made.case.input, input).and_then(|()| fs::write(&made.case.answer, answer));
        written.map_err(|source| JudgeError::System { doing: "writing an input", source })?;
        Ok(made)
    }

    /// Judges a program on a case, as every case is judged: also what comes near the time limit.
    pub fn judge(&self, contender: &Contender, case: &TrialCase) -> Result<CaseFinished, JudgeError> {
        let once = |bench: &Bench<'_>| case::judge(bench, &contender.name, &contender.program, &case.case);
        remeasure::measured(&self.bench(), &self.gate, &|| true, once)
    }

    /// What the output validator says if a submission has written `output` on a case.
    pub fn ruling(&self, case: &TrialCase, output: &[u8]) -> Result<Ruling, JudgeError> {
        let output = Captured::of(output.to_vec());
        let (submitted, workspace) = (self.nobody.path(), self.workspace.path());
        let exam = Exam { submission: "nobody", case: &case.case, submitted, workspace, inputs: None };
        let opinion = self.validator.judge(&exam, &output, &self.settings)?;
        Ok(Ruling { verdict: opinion.verdict, message: opinion.message })
    }

    fn bench(&self) -> Bench<'_> {
        Bench {
            kind: self.package.kind,
            settings: &self.settings,
            validator: &self.validator,
            workspace: self.workspace.path(),
            package: &self.package.root,
            cpu_factor: 1.0,
            anew: false,
        }
    }
}

fn no_folder(source: io::Error) -> JudgeError {
    JudgeError::System { doing: MAKING_A_FOLDER, source }
}
