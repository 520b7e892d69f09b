//! Limits that a shell has set (`ulimit`), and that would hold for the programs that are judged as for the judge.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use referee_sandbox::inherited_limits;

/// Lifts them as far as the system lets this user; root may lift all.
pub(super) fn lift() {
    // Every program that is being judged takes some descriptors: what a shell allows by default is too little for many
    // cores.
    use Resource::{As, Cpu, Data, Fsize, Nofile, Nproc};
    for resource in [Nofile, Cpu, Fsize, As, Data, Nproc] {
        let limit = getrlimit(resource);
        let as_far = Rlimit { current: limit.maximum, ..limit };
        let all = Rlimit { current: None, maximum: None };
        if resource == Resource::Nofile || setrlimit(resource, all).is_err() {
            let _ = setrlimit(resource, as_far);
        }
    }
    // Of the stack the judge needs no more than it has; programs get their own limit, up to the hard one.
    let stack = getrlimit(Resource::Stack);
    let _ = setrlimit(Resource::Stack, Rlimit { maximum: None, ..stack });
}

/// What to tell of those that are left: a right program may fail by them.
pub(super) fn told() -> Option<String> {
    let left: Vec<_> = inherited_limits()
        .into_iter()
        .map(|(letter, what, most)| format!("{what} of {most} (ulimit -{letter})"))
        .collect();
    let many = left.join(", ");
    (!left.is_empty()).then(|| format!("this shell's limits hold for programs, too, and may change verdicts: {many}"))
}
