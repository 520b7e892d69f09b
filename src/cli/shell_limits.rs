//! Lifts limits of the shell (`ulimit`), which would also apply to the judged programs, and reports the remaining ones.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::Failure;
use referee_sandbox::{inherited_limits, inherited_scheduling};

/// Raises the limits as far as the system allows; root can remove all of them.
pub(super) fn lift() {
    use Resource::{As, Cpu, Data, Fsize, Nofile, Nproc};
    for resource in [Nofile, Cpu, Fsize, As, Data, Nproc] {
        let limit = getrlimit(resource);
        let up_to_hard_limit = Rlimit { current: limit.maximum, ..limit };
        let unlimited = Rlimit { current: None, maximum: None };
        // The limit of open files is raised only to its hard limit, which is high enough. The soft limit of most shells
        // is too low for the programs that run at the same time on a machine with many cores.
        if resource == Resource::Nofile || setrlimit(resource, unlimited).is_err() {
            let _ = setrlimit(resource, up_to_hard_limit);
        }
    }
    // The stack keeps its soft limit, because the judge needs no larger stack. Its hard limit is removed, so that each
    // program can get its own limit.
    let stack = getrlimit(Resource::Stack);
    let _ = setrlimit(Resource::Stack, Rlimit { maximum: None, ..stack });
}

/// The smallest stack on which the judge's main thread runs, in bytes.
const LEAST_STACK: u64 = 1 << 20;

/// The stack that the main thread gets if the shell's limit is too small, in bytes. It is the usual limit of shells.
const USUAL_STACK: u64 = 8 << 20;

/// Raises a stack limit with which the judge would crash. Fails if the hard limit does not allow that. The kernel asks
/// for the limit whenever the stack of the main thread grows, so a new limit applies at once.
pub(super) fn raise_stack() -> Result<(), Failure> {
    let limit = getrlimit(Resource::Stack);
    let Some(current) = limit.current.filter(|current| *current < LEAST_STACK) else { return Ok(()) };
    let hard = limit.maximum.unwrap_or(u64::MAX);
    // Only root can raise the hard limit.
    let beyond = Rlimit { current: Some(USUAL_STACK), maximum: Some(hard.max(USUAL_STACK)) };
    let within = Rlimit { current: Some(hard.min(USUAL_STACK)), maximum: limit.maximum };
    if (hard >= LEAST_STACK && setrlimit(Resource::Stack, within).is_ok()) || setrlimit(Resource::Stack, beyond).is_ok()
    {
        return Ok(());
    }
    let message = format!("the stack of this shell is limited to {} KiB (ulimit -s)", current >> 10);
    Err(Failure::unusable(message).with_hint("run `ulimit -s 8192` in a new shell first"))
}

/// Returns a warning about the remaining limits, because a correct program may exceed them; `None` if there are none.
pub(super) fn remaining() -> Option<String> {
    let limits: Vec<_> = inherited_limits()
        .into_iter()
        .map(|(letter, what, most)| format!("{what} of {most} (ulimit -{letter})"))
        .chain(inherited_scheduling())
        .collect();
    let list = limits.join(", ");
    (!limits.is_empty())
        .then(|| format!("limits of this shell also apply to judged programs and may change verdicts: {list}"))
}
