//! Lifts limits of the shell (`ulimit`), which would also apply to the judged programs, and reports the remaining ones.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

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
