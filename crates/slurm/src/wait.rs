//! Submits the parts, and waits until each has a complete report.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::client::Slurm;
use crate::folder::{Folder, set_aside};
use crate::growth::Growth;
use crate::notice::{GivenUp, Next, Notice, Progress, WaitError};
use crate::parts::{Failure, Found, Parts};
use crate::patience::Patience;
use crate::record::Record;
use crate::schedule::Schedule;

/// The interval between two checks for an interruption.
const STEP: Duration = Duration::from_millis(50);

/// The delay before a submission that Slurm did not accept is repeated.
const SUBMISSION_DELAY: Duration = Duration::from_secs(30);

/// The maximum wait for a file that a script writes after its report. If the node has stopped, the file never comes.
const LAST_WORD: Duration = Duration::from_secs(5);

/// After this time of it, the user hears of the wait.
const SILENT_WAIT: Duration = Duration::from_secs(1);

/// What [`wait`] needs.
pub struct Waiting<'a> {
    /// The cluster.
    pub slurm: &'a dyn Slurm,
    /// The folder of the run, with its script.
    pub folder: &'a Folder,
    /// The maximum number of tasks of a job that run at the same time; `None` if there is no maximum.
    pub at_once: Option<usize>,
    /// The number of failures in a row without a new result after which a part is given up.
    pub most_failures: u32,
    /// Checks that a file is the complete report of this part. The error says why it is not.
    pub check: &'a dyn Fn(&Path, usize) -> Result<(), String>,
    /// Checks that a file is a partial report with which a task can go on. The error says why it is not.
    pub check_partial: &'a dyn Fn(&Path) -> Result<(), String>,
    /// Returns whether the user wants to end the run.
    pub is_interrupted: &'a dyn Fn() -> bool,
}

/// Submits all parts of the run that are neither done nor in the queue, and waits until each part has a complete report.
/// `record` has the jobs of earlier processes. Passes messages to `tell`.
pub fn wait(waiting: &Waiting, record: &mut Record, tell: &mut dyn FnMut(Notice)) -> Result<(), WaitError> {
    let mut run = Run::begin(waiting, record, tell)?;
    let result = run.finish();
    if matches!(result, Err(WaitError::Interrupted { .. })) {
        return Err(run.cancel());
    }
    result
}

/// A run whose parts are awaited.
struct Run<'a> {
    waiting: &'a Waiting<'a>,
    record: &'a mut Record,
    tell: &'a mut dyn FnMut(Notice),
    parts: Parts,
    growths: Vec<Growth>,
    schedule: Schedule,
    started: Instant,
    patience: Patience,
}

impl<'a> Run<'a> {
    fn begin(
        waiting: &'a Waiting<'a>,
        record: &'a mut Record,
        tell: &'a mut dyn FnMut(Notice),
    ) -> Result<Run<'a>, WaitError> {
        let jobs = in_queue(waiting.slurm, record)?;
        let tasks = jobs.iter().flatten().count();
        if tasks > 0 {
            tell(Notice::Adopted { tasks });
        }
        let parts = Parts::new(&jobs, waiting.most_failures);
        let growths = jobs.iter().map(|_| Growth::default()).collect();
        Ok(Run {
            waiting,
            record,
            tell,
            parts,
            growths,
            schedule: Schedule::new(),
            started: Instant::now(),
            patience: Patience::default(),
        })
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    fn finish(&mut self) -> Result<(), WaitError> {
        loop {
            self.check_interruption()?;
            if self.schedule.are_files_due(self.now()) {
                self.look_at_files()?;
            }
            if self.parts.are_over() {
                self.let_scripts_end();
                return self.end();
            }
            self.submit_due()?;
            if self.schedule.is_queue_due(self.now()) {
                self.ask_queue()?;
            }
            thread::sleep(STEP);
        }
    }

    fn check_interruption(&self) -> Result<(), WaitError> {
        if (self.waiting.is_interrupted)() {
            return Err(WaitError::Interrupted { jobs: Vec::new(), uncancelled: None });
        }
        Ok(())
    }

    /// Waits until the scripts of all complete parts have written their last file, so that the caller can remove the
    /// folder.
    fn let_scripts_end(&mut self) {
        let (started, mut has_told) = (Instant::now(), false);
        let folder = self.waiting.folder;
        let mut writing: Vec<usize> = (1..=self.record.parts).collect();
        loop {
            writing.retain(|&part| folder.report(part).exists() && folder.end(part).is_none());
            if writing.is_empty() || started.elapsed() > LAST_WORD || (self.waiting.is_interrupted)() {
                return;
            }
            if started.elapsed() > SILENT_WAIT && !std::mem::replace(&mut has_told, true) {
                (self.tell)(Notice::Ending);
            }
            thread::sleep(STEP);
        }
    }

    fn end(&self) -> Result<(), WaitError> {
        let of_part = |(part, why)| GivenUp { part, why, last_words: self.waiting.folder.last_words(part) };
        let given_up: Vec<_> = self.parts.given_up().into_iter().map(of_part).collect();
        if given_up.is_empty() { Ok(()) } else { Err(WaitError::GivenUp(given_up)) }
    }

    /// Looks at the files of each part that is not over.
    fn look_at_files(&mut self) -> Result<(), WaitError> {
        let folder = self.waiting.folder;
        for part in self.parts.open() {
            let growth = &mut self.growths[part - 1];
            let has_grown = growth.update([&folder.report(part), &folder.partial_report(part)]);
            let (runs, now) = (growth.runs, self.now());
            if has_grown {
                self.patience.heard(now);
            }
            let found = self.found(part)?;
            let failure = self.parts.files(part, found, runs, now);
            self.tell_failures(failure)?;
        }
        let now = self.now();
        self.schedule.files_read(now);
        if self.parts.is_one_in_doubt() {
            self.schedule.doubt(now);
        }
        let sum = |count: fn(&Growth) -> u64| self.growths.iter().map(count).sum();
        let progress = Progress {
            parts: self.parts.counts(),
            runs: sum(|growth| growth.runs),
            submissions: sum(|growth| growth.submissions),
            runs_of_current: sum(|growth| growth.runs_of_current),
        };
        (self.tell)(Notice::Progress(progress));
        Ok(())
    }

    /// Returns what the files of a part say. A report that cannot be used moves aside, so that the next task can write
    /// its own.
    fn found(&self, part: usize) -> Result<Found, WaitError> {
        let folder = self.waiting.folder;
        let report = folder.report(part);
        if report.symlink_metadata().is_ok() {
            return match (self.waiting.check)(&report, part) {
                Ok(()) => Ok(Found::Complete),
                Err(why) => {
                    let aside = set_aside(&report)?;
                    Ok(Found::Unusable(format!("its report is unusable, and is now {}: {why}", aside.display())))
                }
            };
        }
        Ok(folder.end(part).map_or(Found::Nothing, Found::Ended))
    }

    /// Tells the user of failures. Prepares the parts for their next tasks.
    fn tell_failures(&mut self, failures: impl IntoIterator<Item = Failure>) -> Result<(), WaitError> {
        for Failure { part, why, failures, is_given_up } in failures {
            let partial = self.waiting.folder.partial_report(part);
            // After a crash of a node, the file may end in bytes that were never written.
            if partial.exists() && (self.waiting.check_partial)(&partial).is_err() {
                set_aside(&partial)?;
            }
            let next = if is_given_up { Next::GivenUp } else { Next::Again { failures } };
            let words = self.waiting.folder.last_words(part).filter(|words| words.starts_with("error: "));
            let why = words.map_or(why.clone(), |words| format!("{why}: {}", words.trim_start_matches("error: ")));
            (self.tell)(Notice::Failed { part, why, next });
        }
        Ok(())
    }

    fn submit_due(&mut self) -> Result<(), WaitError> {
        let due = self.parts.due(self.now());
        if due.numbers().is_empty() {
            return Ok(());
        }
        let is_first = self.record.jobs().is_empty();
        match self.waiting.slurm.submit(&self.waiting.folder.script(), &due, self.waiting.at_once) {
            Ok(job) => {
                self.record.add(job.clone(), &due);
                self.waiting.folder.write_record(self.record)?;
                self.parts.submitted(&due, job.id);
                let now = self.now();
                self.patience.accepted(now);
                self.schedule.submitted(now);
                (self.tell)(Notice::Submitted { job: job.id, tasks: due.numbers().len() });
                Ok(())
            }
            Err(error) if is_first || self.patience.ends_by_refusal() => Err(error.into()),
            Err(error) => {
                let at = self.now() + SUBMISSION_DELAY;
                self.parts.postpone(&due, at);
                (self.tell)(Notice::Postponed(error.to_string()));
                Ok(())
            }
        }
    }

    fn ask_queue(&mut self) -> Result<(), WaitError> {
        let answer = self.waiting.slurm.queue(&self.record.jobs());
        let now = self.now();
        match answer {
            Ok(tasks) => {
                if self.patience.ends_silence(now) {
                    (self.tell)(Notice::QueueAnswers);
                }
                let growths = &self.growths;
                let failures = self.parts.queue(&tasks, &|part| growths[part - 1].runs, now);
                self.tell_failures(failures)?;
            }
            Err(error) => {
                self.parts.queue_is_silent();
                if self.patience.begins_silence() {
                    (self.tell)(Notice::QueueSilent(error.to_string()));
                }
                if self.patience.ends_by_silence(now) {
                    return Err(WaitError::Silent(error.to_string()));
                }
            }
        }
        self.schedule.queue_asked(now, self.parts.is_one_in_doubt());
        Ok(())
    }

    /// Cancels all jobs of the run.
    fn cancel(&self) -> WaitError {
        let jobs = self.record.jobs();
        let cancelled = if jobs.is_empty() { Ok(()) } else { self.waiting.slurm.cancel(&jobs) };
        WaitError::Interrupted { jobs, uncancelled: cancelled.err() }
    }
}

/// Returns the job of each part whose task is in the queue.
fn in_queue(slurm: &dyn Slurm, record: &Record) -> Result<Vec<Option<u32>>, WaitError> {
    let jobs = record.jobs();
    if jobs.is_empty() {
        return Ok(vec![None; record.parts]);
    }
    let tasks = slurm.queue(&jobs)?;
    let is_queued = |job: &u32, part: usize| {
        tasks.get(&(*job, part)).is_some_and(|task| !matches!(task, crate::queue::Task::Ended(_)))
    };
    let last = (1..).zip(record.last_jobs());
    Ok(last.map(|(part, job)| job.filter(|job| is_queued(job, part))).collect())
}

#[cfg(test)]
mod tests;
