//! Raises the limit of open files, which judging many programs at a time can exceed.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::Failure;

/// The files of the judge itself: reports, the package, helpers. It needs fewer.
const FILES: u64 = 32;

/// The files of each running program: input, output, answer, pipes, helper and control groups. An interactive problem
/// needs twice as many.
const FILES_OF_A_JOB: u64 = 24;

/// Raises the limit of open files as far as `jobs` programs need it. Fails if the hard limit is too low. The soft limit
/// of a new process is often lower than the hard limit.
pub(super) fn allow_for(jobs: usize) -> Result<(), Failure> {
    let needed = FILES + FILES_OF_A_JOB * jobs as u64;
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
    let possible = most.saturating_sub(FILES) / FILES_OF_A_JOB;
    let hint = match possible {
        0 => format!("`ulimit -n {needed}` allows it"),
        jobs => format!("run `ulimit -n {needed}` first, or use -j {jobs}"),
    };
    Err(Failure::unusable(format!("-j {jobs} may need {needed} open files at once, and {most} are allowed here"))
        .with_hint(hint))
}
