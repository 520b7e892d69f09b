//! The loop of a judgehost: it registers, asks for tasks, judges them, and asks again.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use referee_judge::Settings;
use referee_text::printable::printable_line;

use crate::answer::ClientError;
use crate::api::{Api, ApiError, Blame};
use crate::choices::Choices;
use crate::compile::Toolchain;
use crate::debug;
use crate::defaults::DefaultScripts;
use crate::files::FileCache;
use crate::job::{Job, submission};
use crate::journal::{Journal, Pending, locked};
use crate::pace::{self, Pace};
use crate::packages::Packages;
use crate::past_jobs::PastJobs;
use crate::prefetch;
use crate::problem::JudgingOptions;
use crate::progress::Progress;
use crate::tasks::{Id, Task};
use crate::trouble::{Trouble, WorkError};
use crate::workplace::Workplace;

/// The shortest time between two registrations because of failed questions for work.
const BETWEEN_REGISTRATIONS: Duration = Duration::from_secs(30);

/// How a judgehost works.
pub struct Options<'a> {
    /// The folder of this judgehost's journal and cache. No other judgehost uses it.
    pub folder: &'a Path,
    /// The settings that are the same for all problems.
    pub settings: &'a Settings,
    /// Whose scripts compile submissions and compare outputs.
    pub toolchain: Toolchain,
    /// The scripts that count as DOMjudge's own.
    pub default_scripts: DefaultScripts,
    /// The options that change how submissions are judged.
    pub judging: JudgingOptions,
    /// Whether the judgehost ends when the server has no work.
    pub ends_when_idle: bool,
}

/// Works until the user asks for an end. Fails if the judgehost cannot continue. Work that is not finished stays in the
/// journal, and the next call finishes it.
pub fn work(api: &Api<'_>, options: &Options<'_>) -> Result<(), WorkError> {
    let (journal, pending) = Journal::open(options.folder)?;
    // A session would do this, but a judgehost without work opens none.
    referee_judge::remove_folders_of_killed_judges();
    let cache = FileCache::open(&options.folder.join("cache"))?;
    let past = PastJobs::open(&options.folder.join("judgings"), api.server());
    let choices = Choices::new(options.toolchain, options.default_scripts.clone());
    let workplace = Workplace {
        api,
        cache: &cache,
        past: &past,
        packages: &Packages::default(),
        settings: options.settings,
        choices: &choices,
        options: options.judging,
    };
    let mut host = Host { workplace, journal: Mutex::new(journal), last_registration: None };
    host.recover(&pending)?;
    if host.register()? {
        host.run(options.ends_when_idle)?;
        locked(&host.journal).sync()?;
    }
    api.report(Progress::Ended);
    Ok(())
}

struct Host<'w> {
    workplace: Workplace<'w>,
    journal: Mutex<Journal>,
    /// The last registration because of a failed question for work; `None` if there was none.
    last_registration: Option<Instant>,
}

impl Host<'_> {
    /// Finishes the work of an earlier process. This comes before the registration, because the server then gives the
    /// judgings that it still remembers to other judgehosts.
    fn recover(&self, pending: &Pending) -> Result<(), WorkError> {
        if pending.tasks.is_empty() {
            return Ok(());
        }
        let server = self.workplace.api.server();
        if let Some(other) = pending.server.as_deref().filter(|other| *other != server) {
            return Err(WorkError::OtherServer {
                journal: locked(&self.journal).path().display().to_string(),
                other: other.to_owned(),
                server: server.to_owned(),
            });
        }
        let tasks = pending.tasks.iter().filter(|task| !pending.sent.contains(&task.judgetaskid)).count();
        self.workplace.api.report(Progress::Recovered { tasks });
        self.finish(pending)
    }

    /// Registers the judgehost. Returns false if the user asks for an end before the server answers. The judgehost has
    /// no unfinished work at this time.
    fn register(&self) -> Result<bool, WorkError> {
        match self.workplace.api.register() {
            Ok(()) => Ok(true),
            Err(ApiError::Interrupted) => Ok(false),
            Err(ApiError::Unauthorized) => Err(WorkError::Unauthorized),
            Err(ApiError::Refused(reason)) => Err(WorkError::NotRegistered(reason.to_string())),
        }
    }

    fn run(&mut self, ends_when_idle: bool) -> Result<(), WorkError> {
        let api = self.workplace.api;
        let stops = api.stops();
        let (mut idle, mut failing) = (Pace::of_idling(), Pace::of_retries());
        let mut is_idle = false;
        while !(stops.is_asked)() {
            match api.fetch_work() {
                Ok(tasks) => {
                    failing = Pace::of_retries();
                    if tasks.is_empty() {
                        if ends_when_idle {
                            break;
                        }
                        if !std::mem::replace(&mut is_idle, true) {
                            locked(&self.journal).sync()?;
                            api.report(Progress::Idle);
                        }
                        pace::sleep(idle.next(), stops.is_asked);
                        continue;
                    }
                    (idle, is_idle) = (Pace::of_idling(), false);
                    self.take(tasks)?;
                }
                Err(ClientError::Unauthorized(_)) => return Err(WorkError::Unauthorized),
                Err(error) => {
                    let wait = failing.next();
                    let (request, error) = ("asking for work".to_owned(), error.to_string());
                    api.report(Progress::Retried { request, error, wait_seconds: wait.as_secs_f64() });
                    pace::sleep(wait, stops.is_asked);
                    self.register_after_failure()?;
                }
            }
        }
        Ok(())
    }

    /// Registers, because the failed question may have assigned tasks that the server then gives back.
    fn register_after_failure(&mut self) -> Result<(), WorkError> {
        let is_due = self.last_registration.is_none_or(|last| last.elapsed() >= BETWEEN_REGISTRATIONS);
        if !is_due || (self.workplace.api.stops().is_asked)() {
            return Ok(());
        }
        self.last_registration = Some(Instant::now());
        self.register().map(drop)
    }

    /// Does the tasks of one answer.
    fn take(&self, tasks: Vec<Task>) -> Result<(), WorkError> {
        let (tasks, nameless): (Vec<_>, Vec<_>) =
            tasks.into_iter().partition(|task| task.kind != "judging_run" || !task.judgetaskid.0.is_empty());
        for task in nameless {
            let reason = "the server sent a task without an id".to_owned();
            self.workplace.api.report(Progress::Dropped { submission: submission(&task), reason });
        }
        let mut known = BTreeSet::new();
        let (runs, others): (Vec<_>, Vec<_>) = tasks
            .into_iter()
            .filter(|task| known.insert((task.kind.clone(), task.judgetaskid.clone())))
            .partition(|task| task.kind == "judging_run");
        if !runs.is_empty() {
            locked(&self.journal).begin(self.workplace.api.server(), &runs)?;
            self.finish(&Pending { tasks: runs, ..Pending::default() })?;
        }
        for task in others {
            self.assist(&task)?;
        }
        Ok(())
    }

    /// Does a task that gives no result.
    fn assist(&self, task: &Task) -> Result<(), WorkError> {
        let done = match task.kind.as_str() {
            "prefetch" => prefetch::run(&self.workplace, task),
            "debug_info" => debug::run(&self.workplace, task),
            // The judgehost asks for work again at once.
            "try_again" => Ok(()),
            unknown => {
                Err(Trouble::Drop(format!("tasks of the type \"{}\" are not known here", printable_line(unknown))))
            }
        };
        match done {
            Ok(()) => Ok(()),
            Err(Trouble::End(error)) => Err(error),
            // The judgehost has the same trouble when it judges, and reports it then. So this task only fails.
            Err(Trouble::Internal { description: reason, .. } | Trouble::OfJob(reason) | Trouble::Drop(reason)) => {
                self.workplace.api.report(Progress::Dropped { submission: submission(task), reason });
                Ok(())
            }
        }
    }

    /// Finishes the tasks, and empties the journal.
    fn finish(&self, pending: &Pending) -> Result<(), WorkError> {
        for (id, tasks) in jobs(&pending.tasks) {
            let Some(first) = tasks.first().cloned() else { continue };
            let api = self.workplace.api;
            api.report(Progress::JobStarted { submission: submission(&first), tasks: tasks.len() });
            let job = Job { workplace: &self.workplace, journal: &self.journal, id, tasks };
            match job.finish(pending) {
                Ok(()) => api.report(Progress::JobFinished { submission: submission(&first) }),
                Err(Trouble::End(error)) => return Err(error),
                Err(Trouble::Drop(reason)) => {
                    api.report(Progress::Dropped { submission: submission(&first), reason });
                }
                Err(Trouble::OfJob(reason)) => {
                    let blame = Blame::TestCase(first.testcase_id.clone().unwrap_or_default());
                    let description = format!("submission {} cannot be judged: {reason}", submission(&first));
                    self.report_error(&first, &blame, &description)?;
                }
                Err(Trouble::Internal { blame, description }) => self.report_error(&first, &blame, &description)?,
            }
        }
        Ok(locked(&self.journal).end()?)
    }

    /// Reports an internal error on the job of `task`.
    fn report_error(&self, task: &Task, blame: &Blame, description: &str) -> Result<(), WorkError> {
        let api = self.workplace.api;
        match api.internal_error(description, blame, Some(&task.judgetaskid)) {
            Ok(()) => self.register().map(drop),
            Err(ApiError::Unauthorized) => Err(WorkError::Unauthorized),
            Err(ApiError::Interrupted) => Err(WorkError::Interrupted),
            Err(ApiError::Refused(reason)) => {
                let reason = format!("the server refused the internal error: {reason}");
                api.report(Progress::Dropped { submission: submission(task), reason });
                Ok(())
            }
        }
    }
}

/// Sorts the tasks by judgings, in the order in which the judgings first occur.
fn jobs(tasks: &[Task]) -> Vec<(Id, Vec<Task>)> {
    let mut jobs: Vec<(Id, Vec<Task>)> = Vec::new();
    for task in tasks {
        let id = task.jobid.clone().or_else(|| task.submitid.clone()).unwrap_or_default();
        match jobs.iter_mut().find(|(known, _)| *known == id) {
            Some((_, tasks)) => tasks.push(task.clone()),
            None => jobs.push((id, vec![task.clone()])),
        }
    }
    jobs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_sorted_by_judgings() {
        let task =
            |id: &str, job: &str| Task { judgetaskid: Id(id.into()), jobid: Some(Id(job.into())), ..Task::default() };
        let jobs = jobs(&[task("1", "a"), task("2", "b"), task("3", "a")]);
        let ids = jobs.iter().map(|(job, tasks)| {
            (job.0.as_str(), tasks.iter().map(|task| task.judgetaskid.0.as_str()).collect::<Vec<_>>())
        });
        assert_eq!(ids.collect::<Vec<_>>(), [("a", vec!["1", "3"]), ("b", vec!["2"])]);
    }
}
