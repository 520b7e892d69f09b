//! Raises the limit of open files, which judging many programs at a time can exceed, and bounds the number of idle
//! helper processes by it.

use referee_sandbox::set_most_idle;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::Failure;

/// The largest number of files that the judge itself has open: the package, threads, and one file for each report.
/// Measured without reports: 17.
const JUDGE_FILES: u64 = 32;

/// The largest number of files that the judge has open for each job: input, output, answer, and the helpers of running
/// programs, of which an interactive problem needs two. Measured: 28, with control groups of version 1.
const FILES_PER_JOB: u64 = 32;

/// The number of files that the judge has open for a helper that waits for its next run. Measured: 17.
const FILES_PER_IDLE: u64 = 18;

/// How many helpers may wait for each job, if enough files can be open: one for the submission, one for the output
/// validator, and one of another submission that several jobs judge together.
const IDLE_PER_JOB: u64 = 3;

/// Raises the soft limit of open files to the number that the judge needs to run `jobs` programs at the same time.
/// Fails if the hard limit is lower than that number.
pub(super) fn allow_for(jobs: usize) -> Result<(), Failure> {
    let needed = JUDGE_FILES + FILES_PER_JOB * jobs as u64;
    let most_idle = IDLE_PER_JOB * jobs as u64;
    let allowed = raise_to(needed + FILES_PER_IDLE * most_idle);
    let Some(free) = allowed.checked_sub(needed) else {
        return Err(too_few(jobs, needed, allowed));
    };
    // With fewer idle helpers, more runs start a helper of their own, which takes longer.
    let idle = most_idle.min(free / FILES_PER_IDLE);
    set_most_idle(usize::try_from(idle).unwrap_or(usize::MAX));
    Ok(())
}

/// Raises the soft limit to `wanted`, or as far as the hard limit allows. Returns the soft limit afterwards.
fn raise_to(wanted: u64) -> u64 {
    let limit = getrlimit(Resource::Nofile);
    let current = limit.current.unwrap_or(u64::MAX);
    let allowed = limit.maximum.map_or(wanted, |most| most.min(wanted));
    if current >= allowed {
        return current;
    }
    match setrlimit(Resource::Nofile, Rlimit { current: Some(allowed), ..limit }) {
        Ok(()) => allowed,
        Err(_) => current,
    }
}

fn too_few(jobs: usize, needed: u64, allowed: u64) -> Failure {
    let possible_jobs = allowed.saturating_sub(JUDGE_FILES) / FILES_PER_JOB;
    let hint = match possible_jobs {
        0 => format!("run `ulimit -n {needed}` first"),
        jobs => format!("run `ulimit -n {needed}` first, or use -j {jobs}"),
    };
    Failure::unusable(format!("-j {jobs} may need {needed} open files at once, allowed by ulimit: {allowed}"))
        .with_hint(hint)
}
