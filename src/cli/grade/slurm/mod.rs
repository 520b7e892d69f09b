//! `referee grade --slurm`: judges the parts of a run in the tasks of a Slurm array job, and merges their reports.
//! `referee_slurm` submits the job and follows it.

mod arguments;
mod job;
mod outcome;
mod part_command;
mod progress;
mod refusals;

use std::path::PathBuf;

pub(super) use arguments::SlurmArguments;
use job::Job;
use referee_judge::Submission;
use referee_slurm::Script;

use super::{Arguments, Exit, Failure, Opened};
use crate::cli::class::Programs;
use crate::cli::points;

/// Grades in the tasks of a Slurm job, or prints the script of this job.
pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    refusals::check(arguments)?;
    let opened = super::open(arguments)?;
    grade_opened(arguments, &opened).map_err(|failure| opened.with_count_of_remarks(failure))
}

fn grade_opened(arguments: &Arguments, opened: &Opened) -> Result<Exit, Failure> {
    let package = &opened.package;
    refusals::check_package(arguments, package)?;
    let cases = super::selected_cases(&arguments.cases, package)?;
    let languages = arguments.judging.languages()?;
    // Wrong weights are an error now, not in each part.
    let points = arguments.points.scheme(package, &cases, arguments.judging.dialect())?;
    let programs = super::programs(arguments, opened, &languages)?;
    let script = script(arguments, opened)?;
    if arguments.slurm.prints_script() {
        crate::cli::print_text(&script.text())?;
        return Ok(Exit::AsExpected);
    }
    if !arguments.reports.is_quiet() {
        if let Some(points) = &points {
            points::print_remarks(points, package, &cases);
        }
        print_summary(arguments, &programs);
    }
    let job = Job { arguments, opened, script, submissions: &programs.submissions, cases: cases.len() };
    job.run()
}

fn print_summary(arguments: &Arguments, programs: &Programs) {
    if let Some(path) = arguments.programs.first() {
        programs.print_summary(path);
    }
}

/// Returns the batch script of the run. Fails if the working folder has no name.
fn script(arguments: &Arguments, opened: &Opened) -> Result<Script, Failure> {
    let slurm = &arguments.slurm;
    let folder = arguments.working_folder()?;
    let command = part_command::of_process()?;
    let is_path = opened.name().exists();
    let name = is_path.then(|| referee_slurm::name_of(opened.name().as_os_str())).flatten();
    Ok(Script {
        parts: slurm.parts(),
        at_once: slurm.at_once(),
        program: std::env::current_exe().map_err(Failure::judge)?,
        directory: arguments::current_directory()?,
        resumes: resumed_report(arguments, &folder)?,
        folder,
        makes_folder: slurm.prints_script(),
        options: command.options,
        package: command.package,
        package_name: name,
        programs: command.programs,
        jobs: command.jobs,
        memory_mib: memory_mib(arguments, opened),
        local: slurm.local(),
        sbatch_options: slurm.sbatch_options().to_vec(),
    })
}

/// The memory that a task needs for the judge itself, for each core, in MiB.
const JUDGE_MIB: u64 = 512;

fn memory_mib(arguments: &Arguments, opened: &Opened) -> u64 {
    arguments.judging.memory_bytes(&opened.package).div_ceil(1 << 20).saturating_add(JUDGE_MIB)
}

/// Returns the report of `--resume` whose results the parts use; `None` if there is none. The user may name the working
/// folder, whose parts continue anyway.
fn resumed_report(arguments: &Arguments, folder: &std::path::Path) -> Result<Option<PathBuf>, Failure> {
    let Some(report) = &arguments.resume else { return Ok(None) };
    let report = arguments::absolute(report)?;
    Ok((report != folder).then_some(report))
}

/// Returns the number of submissions as a number for a progress bar.
fn count(submissions: &[Submission]) -> u64 {
    submissions.len() as u64
}
