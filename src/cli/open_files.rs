//! Raises the limit of open files, which judging many programs at a time can exceed.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::Failure;

/// The largest number of files that the judge itself has open: reports, the package, helpers.
const JUDGE_FILES: u64 = 32;

/// The largest number of files that the judge has open for each running program: input, output, answer, pipes, helper
/// and control groups. The number suffices for interactive problems, which need twice as many files as other problems.
const FILES_PER_JOB: u64 = 24;

/// Raises the soft limit of open files to the number that the judge needs to run `jobs` programs at the same time.
/// Fails if the hard limit is lower than that number.
pub(super) fn allow_for(jobs: usize) -> Result<(), Failure> {
    let needed = JUDGE_FILES + FILES_PER_JOB * jobs as u64;
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= needed) {
        return Ok(());
    }
    let allowed = limit.maximum.map_or(needed, |most| most.min(needed));
    let raised = setrlimit(Resource::Nofile, Rlimit { current: Some(allowed), ..limit }).is_ok();
    if raised && allowed >= needed {
        return Ok(());
    }
    let most = if raised { allowed } else { limit.current.unwrap_or_default() };
    let possible_jobs = most.saturating_sub(JUDGE_FILES) / FILES_PER_JOB;
    let hint = match possible_jobs {
        0 => format!("run `ulimit -n {needed}` first"),
        jobs => format!("run `ulimit -n {needed}` first, or use -j {jobs}"),
    };
    Err(Failure::unusable(format!("-j {jobs} may need {needed} open files at once, allowed by ulimit: {most}"))
        .with_hint(hint))
}
