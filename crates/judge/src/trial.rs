//! Runs programs on inputs that are not test cases of the package. A program is built once and run any number of times.
//!
//! A search for an input on which a program fails tries thousands of inputs. [`Trials::attempt`] only runs the program
//! and reports how it ended. [`Trials::judge`] also judges the output, in the same way as on the package's test cases.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::build::executable::{self, Executable};
use crate::build::{self, Build, Built, Role};
use crate::case::{self, RunContext};
use crate::examiner::Ruling;
use crate::outcome::case_result::CaseResult;
use crate::outcome::classify::classify;
use crate::run::remeasure::{self, ExclusiveGate};
use crate::session::Session;
use crate::validator::{ValidationContext, Validator};
use crate::workspace::copy::{self, CopyError, Purpose};
use crate::workspace::folder::Folder;
use crate::workspace::folder_error;
use crate::{JudgeError, Settings, Submission};
use referee_event::BuildFinished;
use referee_grading::verdict::Verdict;
use referee_language::{Commands, can_be_executed};
use referee_package::{TestCase, TestFiles};
use referee_sandbox::{Captured, Input, Instance, Run, SandboxError};

/// Runs programs on any inputs. Its temporary files are removed when the value is dropped.
pub struct Trials<'a> {
    /// A session whose settings store no feedback: the user's feedback folder is for the package's own test cases only.
    session: Session<'a>,
    validator: Validator,
    /// The folder of inputs and answers. Validators can see it; submissions cannot.
    data: Arc<Folder>,
    numbers: AtomicU64,
    /// An empty folder in place of the submission's folder, because some validators run in that folder.
    no_submission: Folder,
    /// Ensures that no other program runs while a run is measured again.
    gate: ExclusiveGate,
}

/// A compiled program for trials.
pub struct Contender {
    name: String,
    program: Executable,
}

/// The reason why a submission cannot be run. The variant says whether the submission, the machine or the judge is at
/// fault. Each variant contains the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotBuilt {
    /// The submission does not compile, or breaks a rule of the package or of the judge.
    BySubmission(String),
    /// This machine cannot build the submission, for example because a compiler is missing.
    ByMachine(String),
    /// The judge failed.
    ByJudge(String),
}

impl NotBuilt {
    /// Returns the message.
    pub fn message(&self) -> &str {
        let (NotBuilt::BySubmission(message) | NotBuilt::ByMachine(message) | NotBuilt::ByJudge(message)) = self;
        message
    }

    fn into_message(self) -> String {
        let (NotBuilt::BySubmission(message) | NotBuilt::ByMachine(message) | NotBuilt::ByJudge(message)) = self;
        message
    }
}

/// Maximum size of a compiled program with its folder, in bytes.
const COMPILED_BYTES: u64 = 1 << 30;

/// The result of a run whose output has not been judged.
#[derive(Debug)]
pub struct Attempt {
    /// The program's standard output.
    pub output: Captured,
    /// The verdict and its reason if the program could not be run, or if a limit, a signal or the exit code decides;
    /// `None` if the output must be judged.
    pub failure: Option<(Verdict, String)>,
    /// The CPU time of the run.
    pub cpu: Duration,
}

/// A test case made of an input and its answer. Their files are removed when the value is dropped.
pub struct TrialCase {
    case: TestCase,
}

impl Drop for TrialCase {
    fn drop(&mut self) {
        // If a file cannot be removed now, it is removed with the folder.
        let _ = fs::remove_file(self.case.input());
        let _ = fs::remove_file(self.case.answer());
    }
}

impl<'a> Session<'a> {
    /// Builds the output validators. Returns a [`Trials`], which runs programs on inputs that are not test cases of the
    /// package.
    pub fn trials(&self) -> Result<Trials<'a>, JudgeError> {
        Trials::open(self)
    }
}

impl<'a> Trials<'a> {
    pub(crate) fn open(session: &Session<'a>) -> Result<Self, JudgeError> {
        crate::refuse_unsupported(session.package)?;
        let (session, data) =
            session.with_generated_inputs(Settings { feedback: None, ..(*session.settings).clone() })?;
        let validator = session.validator(&session.package.cases)?;
        let no_submission = executable::folder_in(session.workspace.path()).map_err(folder_error)?;
        let (numbers, gate) = (AtomicU64::new(0), ExclusiveGate::new());
        Ok(Trials { session, validator, data, numbers, no_submission, gate })
    }

    /// Builds a submission. If it cannot be built, the inner error is the reason. Fails only if the judge fails.
    pub fn build(&self, submission: &Submission) -> Result<(BuildFinished, Result<Contender, String>), JudgeError> {
        let (event, result) = self.build_or_blame(submission)?;
        Ok((event, result.map_err(NotBuilt::into_message)))
    }

    /// Builds a submission like [`Trials::build`]. The inner error also says whether the submission,
    /// the machine or the judge is at fault.
    pub fn build_or_blame(
        &self,
        submission: &Submission,
    ) -> Result<(BuildFinished, Result<Contender, NotBuilt>), JudgeError> {
        let (source, settings) = (self.session.source(submission), &*self.session.settings);
        let Build { language, seconds, cached, tools, remark, result } =
            build::build(&source, settings, self.session.site())?;
        let result = match result {
            Built::Ready(program) => Ok(Contender { name: submission.name.clone(), program }),
            Built::Failed(message) | Built::Refused(message) => Err(NotBuilt::BySubmission(message)),
            Built::Skipped(reason) => Err(NotBuilt::ByMachine(reason.to_string())),
            Built::Broken(message) => Err(NotBuilt::ByJudge(message)),
        };
        let event = BuildFinished {
            submission: submission.name.clone(),
            language,
            ok: result.is_ok(),
            seconds,
            cached,
            tools,
            remark,
            message: result.as_ref().err().map(|failure| failure.message().to_owned()),
        };
        Ok((event, result))
    }

    /// Returns a submission that is already compiled. The file `command` in `folder` starts it. The program sees a copy
    /// of the folder. Fails if the folder cannot be copied.
    pub fn compiled(&self, name: &str, folder: &Path, command: &str) -> Result<Contender, JudgeError> {
        let (settings, site) = (&*self.session.settings, self.session.site());
        let copied = executable::folder_in(site.workspace).map_err(folder_error)?;
        copy::copy(folder, copied.path(), COMPILED_BYTES, Purpose::Compiled).map_err(|error| {
            let source = match error {
                CopyError::Unfit(reason) => io::Error::other(reason),
                CopyError::System(source) => source,
            };
            JudgeError::System { doing: "copying a compiled program", source }
        })?;
        let path = copied.path().join(command);
        let run = if can_be_executed(&path) { vec![path.into()] } else { vec!["/bin/sh".into(), path.into()] };
        let commands = Commands { compile: None, run, environment: Vec::new(), warm_until: None };
        let program = build::executable_in(commands, Vec::new(), copied, Role::Submission, settings, site);
        Ok(Contender { name: name.to_owned(), program })
    }

    /// Returns the CPU time limit.
    pub fn time(&self) -> Duration {
        self.session.settings.time()
    }

    /// Returns the time at which the programs are stopped; `None` if there is none. See [`Settings::until`].
    pub fn until(&self) -> Option<Instant> {
        self.session.settings.until
    }

    /// Runs a program once on `input`, with the arguments and files of the test case `like`. Interactive and multi-pass
    /// problems need [`Trials::judge`] instead.
    pub fn attempt(&self, contender: &Contender, like: &TestCase, input: &[u8]) -> Result<Attempt, JudgeError> {
        let input = Captured::of(input.to_vec());
        let run = Run {
            arguments: case::arguments(like),
            input: Input::Captured(&input),
            limits: self.session.settings.submission_limits(1.0),
        };
        let context = self.context();
        let run = |instance: &mut Instance<'_>| instance.run_with(&run, context.settings.excess_output());
        match self.gate.with_others(|| case::work_dir(&context, &contender.program, like).run(run)) {
            Ok(outcome) => {
                let failure = classify(&outcome, &self.session.settings);
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

    /// Makes a test case from an input and its answer. All other properties are copied from `like`, except the output,
    /// which the new test case does not have.
    pub fn case(&self, like: &TestCase, input: &[u8], answer: &[u8]) -> Result<TrialCase, JudgeError> {
        let made = self.new_case(like);
        let written = fs::write(made.case.input(), input).and_then(|()| fs::write(made.case.answer(), answer));
        written.map_err(|source| JudgeError::System { doing: "writing an input", source })?;
        Ok(made)
    }

    /// Returns a test case whose files do not exist yet.
    fn new_case(&self, like: &TestCase) -> TrialCase {
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let file = |ending: &str| self.data.path().join(format!("{number}.{ending}"));
        TrialCase { case: TestCase { paths: TestFiles::new(file("in"), file("ans")), output: None, ..like.clone() } }
    }

    /// Makes a test case like [`Trials::case`] from the files `input` and `answer`, which must not change meanwhile.
    /// Links them if they are on the file system of the temporary folder, and copies them otherwise.
    pub fn case_of_files(&self, like: &TestCase, input: &Path, answer: &Path) -> Result<TrialCase, JudgeError> {
        let made = self.new_case(like);
        placed(input, &made.case.input())
            .and_then(|()| placed(answer, &made.case.answer()))
            .map_err(|source| JudgeError::System { doing: "placing a test case", source })?;
        Ok(made)
    }

    /// Judges a program on a test case. A time close to the limit is measured again, as on the package's test cases.
    pub fn judge(&self, contender: &Contender, case: &TrialCase) -> Result<CaseResult, JudgeError> {
        let once = |context: &RunContext<'_>| case::judge(context, &contender.name, &contender.program, &case.case);
        let names = (contender.name.as_str(), &*case.case.name);
        remeasure::measure(&self.context(), &self.gate, names, &|| true, once)
    }

    /// Runs the output validators on `output`, as if a submission had printed it on the test case.
    pub fn ruling(&self, case: &TrialCase, output: &[u8]) -> Result<Ruling, JudgeError> {
        let output = Captured::of(output.to_vec());
        let (submitted, workspace) = (self.no_submission.path(), self.session.workspace.path());
        let validation =
            ValidationContext { submission: "nobody", case: &case.case, submitted, workspace, inputs: None };
        let judgement = self.validator.judge(&validation, &output, &self.session.settings)?;
        Ok(Ruling { verdict: judgement.verdict, message: judgement.message })
    }

    fn context(&self) -> RunContext<'_> {
        self.session.context(&self.validator)
    }
}

/// Makes the file `to` with the content of `from`, readable for validators, which may run as another user. A new file
/// costs much more time than a link: some file systems search long for a free inode after many files were removed.
fn placed(from: &Path, to: &Path) -> io::Result<()> {
    fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(|_| ()))?;
    fs::set_permissions(to, fs::Permissions::from_mode(0o644))
}
