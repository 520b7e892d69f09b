//! Lifts limits of the shell (`ulimit`), which would also apply to the judged programs.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use referee_sandbox::inherited_limits;

/// Raises the limits as far as the system allows; root can remove all of them.
pub(super) fn lift() {
    // Every running program needs some file descriptors. The default of shells is too low for many cores.
    use Resource::{As, Cpu, Data, Fsize, Nofile, Nproc};
    for resource in [Nofile, Cpu, Fsize, As, Data, Nproc] {
        let limit = getrlimit(resource);
        let as_far = Rlimit { current: limit.maximum, ..limit };
        let all = Rlimit { current: None, maximum: None };
        if resource == Resource::Nofile || setrlimit(resource, all).is_err() {
            let _ = setrlimit(resource, as_far);
        }
    }
    // The judge does not need a larger stack. Programs get their own limit, up to the hard limit.
    let stack = getrlimit(Resource::Stack);
    let _ = setrlimit(Resource::Stack, Rlimit { maximum: None, ..stack });
}

/// Returns a warning about the remaining limits, because a correct program may exceed them; `None` if there are none.
pub(super) fn told() -> Option<String> {
    let left: Vec<_> = inherited_limits()
        .into_iter()
        .map(|(letter, what, most)| format!("{what} of {most} (ulimit -{letter})"))
        .collect();
    let many = left.join(", ");
    (!left.is_empty())
        .then(|| format!("limits of this shell also apply to judged programs and may change verdicts: {many}"))
}
