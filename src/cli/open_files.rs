//! How many files may be open at once: a limit of the shell's that judging can run into.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::Failure;

/// The judge's own: reports, the package, helpers. Fewer are in use.
const FILES: u64 = 32;

/// Of each program that runs: its input, output and answer, pipes, its helper and its control groups; twice as many
/// where it talks to a validator.
const FILES_OF_A_JOB: u64 = 24;

/// Sees to it that so many programs can run at a time. The limit that a process begins with may be lower than what it
/// is allowed.
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
        jobs => format!("`ulimit -n {needed}` allows it; with {most} there can be -j {jobs}"),
    };
    Err(Failure::unusable(format!("-j {jobs} may need {needed} open files at once, and {most} are allowed here"))
        .with_hint(hint))
}
