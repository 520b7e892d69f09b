//! Judges the tasks of one judging: the test cases of one submission that the server gave to this judgehost.

use std::path::Path;
use std::sync::{Mutex, MutexGuard};
use std::thread::Scope;
use std::time::{Instant, SystemTime};

use referee_grading::verdict::Verdict;
use referee_judge::{CaseResult, Contender, JudgeError, Session, Settings, Trials};
use referee_package::Package;

use crate::api::{Answer, Blame};
use crate::background::Background;
use crate::compile::Compiled;
use crate::journal::{Journal, Pending, locked};
use crate::problem::stored_bytes;
use crate::progress::Progress;
use crate::report::{self, RunReport};
use crate::sending::{self, JudgedCase, Sending};
use crate::tasks::{Id, Task};
use crate::trouble::{Trouble, preparing};
use crate::versions;
use crate::workplace::{Configuration, Workplace};

/// The number of attempts to judge a test case if the judge fails. A further attempt may succeed, for example after the
/// machine was short of memory.
const ATTEMPTS: u32 = 3;

/// The request that tells the server whether a submission compiles.
type Reporting<'scope> = Background<'scope, Result<(), Trouble>>;

/// One judging: tasks of one submission.
pub(crate) struct Job<'w> {
    pub(crate) workplace: &'w Workplace<'w>,
    pub(crate) journal: &'w Mutex<Journal>,
    pub(crate) id: Id,
    pub(crate) tasks: Vec<Task>,
}

impl<'w> Job<'w> {
    /// Finishes the job. `pending` is what an earlier process of this judgehost has done.
    pub(crate) fn finish(&self, pending: &Pending) -> Result<(), Trouble> {
        if pending.finished.contains(&self.id) {
            return Ok(());
        }
        for task in &self.tasks {
            let Some(form) = pending.results.get(&task.judgetaskid) else { continue };
            let answer = sending::send(self.workplace.api, task, form, true)?;
            self.journal().sent(&task.judgetaskid)?;
            let word = form.iter().find(|(name, _)| name == "runresult").map(|(_, word)| word.clone());
            self.workplace.api.report(judged(task, word.unwrap_or_default(), None));
            if answer == Answer::Stop {
                return self.journal().finished(&self.id).map_err(Trouble::from);
            }
        }
        let is_open = |task: &&Task| {
            !pending.sent.contains(&task.judgetaskid) && !pending.results.contains_key(&task.judgetaskid)
        };
        let open: Vec<_> = self.tasks.iter().filter(is_open).cloned().collect();
        if open.is_empty() || pending.compiled.get(&self.id) == Some(&false) {
            return Ok(());
        }
        self.workplace.past.remember(&self.id, &self.tasks);
        self.judge(&open, pending.compiled.contains_key(&self.id))
    }

    /// Compiles the submission and judges it on the test cases of `tasks`. `is_reported` says whether the server knows
    /// that the submission compiles.
    fn judge(&self, tasks: &[Task], is_reported: bool) -> Result<(), Trouble> {
        std::thread::scope(|scope| self.judge_in(scope, tasks, is_reported))
    }

    /// Does the work of [`Job::judge`]. Requests whose answers the next step does not need run in threads of `scope`.
    fn judge_in<'scope>(
        &self,
        scope: &'scope Scope<'scope, 'w>,
        tasks: &[Task],
        is_reported: bool,
    ) -> Result<(), Trouble> {
        let Some(first) = tasks.first() else { return Ok(()) };
        let api = self.workplace.api;
        // Both this thread and the next one need it, and only one of them may ask for it.
        api.version(first)?;
        let sources = {
            let task = first.clone();
            Background::start(scope, move || api.sources(&task))
        };
        let configuration = Configuration::of(first, api)?;
        self.workplace.check_disk(&configuration.server)?;
        let problem = configuration.problem();
        let validation = self.workplace.validation(first, &configuration)?;
        let package = self.workplace.packages.get(&problem, &validation).map_err(preparing)?;
        let settings = problem.settings(self.workplace.settings, &package, self.workplace.options);
        let trials = open(first, &package, &settings, &configuration)?;
        if !is_reported && api.version(first)?.asks_for_tool_versions() {
            versions::report(api, &first.judgetaskid, &settings)?;
        }
        let sources = sources.wait()??;
        let begun = Instant::now();
        let compiled = self.workplace.compiled(first, sources, &trials, &settings, &configuration)?;
        let reporting = self.report_compilation(scope, first, &compiled, begun, &configuration, is_reported)?;
        let Some(program) = compiled.program else {
            return reporting.map_or(Ok(()), |reporting| reporting.wait()?);
        };
        let judging = Judging { trials: &trials, program: &program, package: &package, configuration: &configuration };
        let last = self.judge_cases(scope, tasks, &judging, reporting)?;
        // The program's processes and files are removed while the last result is on its way.
        drop((program, trials));
        match last.map(|last| self.receive(last)).transpose()? {
            Some(Answer::Stop) => self.journal().finished(&self.id).map_err(Trouble::from),
            _ => Ok(()),
        }
    }

    /// Judges the test cases of `tasks`. While the server stores a correct result, the next test case is judged. The
    /// server decides about any other result before the next test case. `compilation` is the report that the submission
    /// compiles, if it is on its way to the server. Returns the last result if that is still on its way.
    fn judge_cases<'scope>(
        &self,
        scope: &'scope Scope<'scope, 'w>,
        tasks: &[Task],
        judging: &Judging<'_>,
        mut compilation: Option<Reporting<'scope>>,
    ) -> Result<Option<Sending<'scope>>, Trouble> {
        let api = self.workplace.api;
        let mut sending: Option<Sending<'scope>> = None;
        for (index, task) in tasks.iter().enumerate() {
            let judged = self.judge_case(task, judging);
            // The server learns that the submission compiles before it gets a result.
            if let Some(compilation) = compilation.take() {
                compilation.wait()??;
            }
            // The results arrive in the order of the tasks. An earlier result counts even if this one failed.
            if let Some(earlier) = sending.take()
                && self.receive(earlier)? == Answer::Stop
            {
                self.journal().finished(&self.id)?;
                return Ok(None);
            }
            let judged = judged?;
            let written = self.journal().result(&task.judgetaskid, &judged.form)?;
            let is_correct = judged.word == "correct";
            let next = Sending::start(scope, api, task.clone(), judged, written);
            if is_correct || index + 1 == tasks.len() {
                sending = Some(next);
            } else if self.receive(next)? == Answer::Stop {
                self.journal().finished(&self.id)?;
                return Ok(None);
            }
        }
        Ok(sending)
    }

    /// Waits until the server has a result.
    fn receive(&self, sending: Sending<'_>) -> Result<Answer, Trouble> {
        let (task, judged, answer) = sending.wait()?;
        self.journal().sent(&task.judgetaskid)?;
        self.workplace.api.report(self::judged(&task, judged.word.to_owned(), Some(&judged.result)));
        Ok(answer)
    }

    /// Starts to report to the server whether the submission compiles. Returns `None` if the server knows it.
    fn report_compilation<'scope>(
        &self,
        scope: &'scope Scope<'scope, 'w>,
        task: &Task,
        compiled: &Compiled,
        begun: Instant,
        configuration: &Configuration,
        is_reported: bool,
    ) -> Result<Option<Reporting<'scope>>, Trouble> {
        let (success, seconds) = (compiled.program.is_some(), begun.elapsed().as_secs_f64());
        if is_reported && !success {
            let description = format!("a submission that compiled before does not compile again: {}", compiled.output);
            return Err(Trouble::Internal { blame: Blame::Host, description });
        }
        if is_reported {
            return Ok(None);
        }
        let output = beginning(&compiled.output, stored_bytes(&configuration.server));
        let form = report::of_compilation(success, output, compiled.entry_point.as_deref(), seconds);
        let (api, journal, id, task) = (self.workplace.api, self.journal, self.id.clone(), task.clone());
        Ok(Some(Background::start(scope, move || {
            let fields: Vec<_> = form.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
            api.update_judging(&task.judgetaskid, &fields)?;
            locked(journal).compiled(&id, success)?;
            api.report(Progress::Compiled { submission: submission(&task), success, seconds });
            Ok(())
        })))
    }

    fn journal(&self) -> MutexGuard<'w, Journal> {
        locked(self.journal)
    }

    /// Judges one test case.
    fn judge_case(&self, task: &Task, judging: &Judging<'_>) -> Result<JudgedCase, Trouble> {
        let (api, configuration) = (self.workplace.api, judging.configuration);
        let files = self.workplace.test_case(task)?;
        let started = SystemTime::now();
        let result = judging.result(&files)?;
        let test_case = task.testcase_id.clone().unwrap_or_default();
        let report = RunReport {
            result: &result,
            time_limit: configuration.run.time_limit,
            is_interactive: configuration.compare.combined_run_compare,
            host: api.name(),
            folder: &format!("testcase{test_case}"),
            started,
            ended: SystemTime::now(),
            stored_bytes: stored_bytes(&configuration.server),
            version: api.version(task)?,
            is_scoring: configuration.compare.is_scoring_problem,
        };
        let Some(word) = report.word() else { return Err(failure(task, &result, configuration)) };
        let form = report.form(word);
        Ok(JudgedCase { result, word, form })
    }
}

/// What the test cases of a job have in common.
pub(crate) struct Judging<'a> {
    pub(crate) trials: &'a Trials<'a>,
    pub(crate) program: &'a Contender,
    pub(crate) package: &'a Package,
    pub(crate) configuration: &'a Configuration,
}

impl Judging<'_> {
    /// Judges the submission on the test case with the files `input` and `output` in `folder`. If the judge fails, it
    /// tries again.
    pub(crate) fn result(&self, folder: &Path) -> Result<CaseResult, Trouble> {
        let Some(like) = self.package.cases.first() else {
            return Err(preparing(std::io::Error::other("the package has no test case")));
        };
        let case = self.trials.case_of_files(like, &folder.join("input"), &folder.join("output"))?;
        let mut result = self.trials.judge(self.program, &case)?;
        for _ in 1..ATTEMPTS {
            if result.verdict != Verdict::JudgeError {
                break;
            }
            result = self.trials.judge(self.program, &case)?;
        }
        Ok(result)
    }
}

/// Opens a session with the output validator.
pub(crate) fn open<'p>(
    task: &Task,
    package: &'p Package,
    settings: &Settings,
    configuration: &Configuration,
) -> Result<Trials<'p>, Trouble> {
    let opened = Session::open(package, settings).and_then(|session| session.trials());
    opened.map_err(|error| match error {
        JudgeError::Package(description) => Trouble::Internal { blame: validator_of(task, configuration), description },
        error => Trouble::from(error),
    })
}

/// Returns the trouble if the judge failed on a test case. The validator is at fault if the submission was run.
fn failure(task: &Task, result: &CaseResult, configuration: &Configuration) -> Trouble {
    let message = result.message.clone().unwrap_or_else(|| "the judge failed".to_owned());
    let blame = if result.cpu_seconds.is_some() { validator_of(task, configuration) } else { Blame::Host };
    let (submission, case) = (submission(task), task.testcase_id.clone().unwrap_or_default());
    Trouble::Internal { blame, description: format!("submission {submission}, test case {case}: {message}") }
}

/// Returns the script that is the output validator.
fn validator_of(task: &Task, configuration: &Configuration) -> Blame {
    if configuration.compare.combined_run_compare {
        Blame::Script("run_script", task.run_script_id.clone().unwrap_or_default())
    } else {
        Blame::Script("compare_script", task.compare_script_id.clone().unwrap_or_default())
    }
}

/// Returns the id of the submission.
pub(crate) fn submission(task: &Task) -> String {
    task.submitid.clone().unwrap_or_default().0
}

fn judged(task: &Task, verdict: String, result: Option<&CaseResult>) -> Progress {
    Progress::CaseJudged {
        submission: submission(task),
        task: task.judgetaskid.to_string(),
        testcase: task.testcase_id.clone().unwrap_or_default().0,
        verdict,
        cpu_seconds: result.and_then(|result| result.cpu_seconds),
        memory_bytes: result.and_then(|result| result.memory_bytes),
    }
}

/// Returns the beginning of a text: at most `most` bytes, without a part of a character.
fn beginning(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    &text[..end]
}
