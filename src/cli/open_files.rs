//! Raises the limit of open files, which judging many programs at a time can exceed.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::Failure;

/// An upper bound of the files that the judge itself has open: reports, the package, helpers.
const JUDGE_FILES: u64 = 32;

/// An upper bound of the open files for each running program: input, output, answer, pipes, helper and control groups.
/// It is high enough for interactive problems, which need twice as many as others.
const FILES_PER_JOB: u64 = 24;

/// Raises the limit of open files to the number that `jobs` running programs need. Fails if the hard limit is lower.
/// The soft limit of a new process is often lower than its hard limit.
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
