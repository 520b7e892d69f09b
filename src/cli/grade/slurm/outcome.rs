//! Turns what went wrong in a Slurm job into an error with advice.

use std::fmt::Write;

use super::super::{Arguments, Failure};
use super::job::resumable_report;
use crate::cli::command_line::CommandLine;
use crate::cli::merge as merge_command;
use referee_report::counted;
use referee_report::merge::MergeError;
use referee_slurm::{Folder, FolderError, GivenUp, Job, Record, SlurmError, WaitError};

/// The number of parts that an error lists.
const MOST_LISTED: usize = 10;

/// Returns the error of a working folder that cannot be used.
pub(super) fn of_folder(error: &FolderError) -> Failure {
    let failure = Failure::unusable(error);
    match error {
        FolderError::Used(_) => {
            failure.with_hint("to continue that run, add --resume with the report; to start over, remove the folder")
        }
        FolderError::Foreign(_) => failure.with_hint("name a new or an empty folder with --slurm-folder"),
        FolderError::Busy(_) => failure.with_hint("wait for it, or give each run a report or a folder of its own"),
        FolderError::Untrusted(_) => failure.with_hint("name a folder of your own (chown, chmod go-w)"),
        FolderError::Damaged(..) => failure.with_hint("remove the folder to start over"),
        FolderError::Inaccessible(..) => {
            failure.with_hint("--slurm-folder must be in an existing folder that all nodes share")
        }
    }
}

/// Returns the error of `--resume` with the folder of another run.
pub(super) fn of_other_run(earlier: &Record, new: &Record, folder: &Folder) -> Failure {
    let parts = |record: &Record| counted(record.parts, "part");
    let message = format!("{} has the parts of another run", folder.path().display());
    let findings = format!("there: {}, {}\nnow:   {}, {}", parts(earlier), earlier.command, parts(new), new.command);
    Failure::unusable(message)
        .with_findings(findings)
        .with_hint("repeat the earlier command with --resume, or remove the folder to start over")
}

/// Returns the error of reports that do not belong together.
pub(super) fn of_merge(error: MergeError, folder: &Folder) -> Failure {
    let is_different = matches!(error, MergeError::Different(_));
    let failure = merge_command::refused(error);
    if is_different {
        let kept = folder.path().display();
        return failure.with_hint(format!(
            "do all nodes see the same package and programs, and have the same version of referee? the parts are in {kept}"
        ));
    }
    failure
}

/// Returns the error of one of Slurm's commands. `has_jobs` says whether the run already has jobs.
pub(super) fn of_slurm(error: SlurmError, has_jobs: bool) -> Failure {
    match error {
        SlurmError::Missing(_) => Failure::unusable(error).with_hint(
            "run this on a machine of the cluster, or print the script with --slurm-script and submit it there",
        ),
        SlurmError::Refused(_) | SlurmError::Unreachable(_) | SlurmError::TooManyTasks(_) if has_jobs => {
            Failure::judge(error)
        }
        SlurmError::Unreachable(_) => Failure::unusable(error).with_hint(
            "run this where `scontrol ping` says that the controller is UP, or print the script with --slurm-script",
        ),
        SlurmError::TooManyTasks(_) => Failure::unusable(error)
            .with_hint("use a smaller N in --slurm N: `scontrol show config` says MaxArraySize, which N must be below"),
        SlurmError::Refused(_) => Failure::unusable(error).with_hint(
            "--slurm-script shows what sbatch gets; --slurm-option=OPTION overrides each of its lines, such as \
             --slurm-option=--mem-per-cpu=1G",
        ),
        SlurmError::Unclear(_) => Failure::judge(error)
            .with_hint("a job may be in the queue nevertheless; look with squeue --me, and cancel it with scancel"),
    }
}

/// Returns the error of a run that did not become complete. Removes the folder if nothing was submitted.
pub(super) fn of_wait(error: WaitError, arguments: &Arguments, folder: Folder, parts: usize) -> Failure {
    let kept = folder.path().display().to_string();
    let command = resuming(arguments, &folder);
    let has_jobs = !folder.has_no_jobs();
    match error {
        WaitError::Interrupted { jobs, uncancelled } => interrupted(&jobs, uncancelled.as_ref(), &kept, command),
        WaitError::GivenUp(given_up) => of_given_up(&given_up, parts, &kept).with_command(Some(command)),
        WaitError::Slurm(error) => {
            let failure = of_slurm(error, has_jobs);
            if !has_jobs && arguments.resume.is_none() {
                // There is nothing in it. If it cannot be removed, the next run says so.
                let _ = folder.remove(parts);
            }
            failure
        }
        WaitError::Silent(_) => Failure::judge(error)
            .with_hint(format!("the parts are in {kept}; when Slurm answers again, continue with"))
            .with_command(Some(command)),
        WaitError::Files(error) => Failure::judge(format!("{kept}: {error}")),
    }
}

/// Returns the command that continues the run.
fn resuming(arguments: &Arguments, folder: &Folder) -> CommandLine {
    let current = CommandLine::current();
    if arguments.resume.is_some() {
        return current;
    }
    current.with_value("--resume", resumable_report(arguments).unwrap_or(folder.path()))
}

fn interrupted(jobs: &[Job], uncancelled: Option<&SlurmError>, kept: &str, command: CommandLine) -> Failure {
    let ids = jobs.iter().map(|job| job.id.to_string()).collect::<Vec<_>>().join(" ");
    let note = match uncancelled {
        Some(error) => format!("the job was not cancelled ({error}); cancel it with: scancel {ids}"),
        None if jobs.is_empty() => "no job was submitted".to_owned(),
        None => format!("cancelled job {ids}; the results so far are in {kept}"),
    };
    let failure = Failure::interrupted().with_note(note);
    failure.with_resume_hint(|| crate::cli::resume_hint::ResumeHint {
        hint: "to continue, run".to_owned(),
        command: Some(command),
    })
}

fn of_given_up(given_up: &[GivenUp], parts: usize, kept: &str) -> Failure {
    let mut findings = String::new();
    for GivenUp { part, why, last_words } in given_up.iter().take(MOST_LISTED) {
        let words = last_words.as_ref().map(|words| format!(": {words}")).unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = writeln!(findings, "part {part}: {why}{words}");
    }
    if given_up.len() > MOST_LISTED {
        let _ = writeln!(findings, "... and {} more", given_up.len() - MOST_LISTED);
    }
    let message = format!("{} of {} failed", given_up.len(), counted(parts, "part"));
    let hint = if given_up.iter().all(|part| part.last_words.is_none()) {
        format!("no task wrote a log; do the nodes see {kept} and bash? correct the cause, and continue with")
    } else {
        format!("the logs and the results of the other parts are in {kept}; correct the cause, and continue with")
    };
    Failure::judge(message).with_findings(findings).with_hint(hint)
}
