//! The resource limits of programs, which supplement the limits of control groups and of the monitor.

use std::fs;
use std::sync::OnceLock;

use rustix::process::Resource;

use super::cores::usable_cores;
use super::{Limits, MAX_PROCESSES, stack};

/// Maximum number of open files of a process.
const MAX_FILES: u64 = 1024;

/// Maximum number of signals and timers that wait. The kernel counts those of all processes of a user together, and
/// their memory belongs to no process.
const MAX_PENDING: u64 = 1024;

/// Maximum memory that a process can lock, in bytes. Without a limit, a program could keep files of the system in
/// memory, which count for no program.
const MAX_LOCKED_BYTES: u64 = 8 << 20;

/// The facts that decide the resource limits of a program.
#[derive(Clone, Copy)]
pub(super) struct LimitFacts {
    /// Maximum number of processes and threads of the program at the same time.
    pub(super) processes: u64,
    /// Maximum size of a file in bytes; `None` if the writable folder's own capacity limits it, or if there is no such
    /// folder.
    pub(super) file_bytes: Option<u64>,
    /// Whether the sandbox is on but has no control group, so that resource limits must limit processes and memory.
    pub(super) is_without_groups: bool,
    /// The user whose other tasks the kernel counts together with those of the program. `None` if it counts the program
    /// separately, in a namespace or under a user number of its own. In a namespace it counts the zygote, too.
    pub(super) shared_user: Option<u32>,
}

/// Returns the resource limits that are the same for all programs. The zygote sets them for itself, and programs
/// inherit them.
pub(super) fn fixed_limits() -> Vec<(u32, u64)> {
    vec![
        super::core_dumps::core_dump_limit(),
        (Resource::Nice as u32, 0),
        (Resource::Rtprio as u32, 0),
        (Resource::Nofile as u32, at_most(Resource::Nofile, MAX_FILES)),
        (Resource::Msgqueue as u32, 0),
        (Resource::Sigpending as u32, at_most(Resource::Sigpending, MAX_PENDING)),
        (Resource::Memlock as u32, at_most(Resource::Memlock, MAX_LOCKED_BYTES)),
    ]
}

/// Returns `wanted`, or the hard limit of the caller if that is smaller.
fn at_most(resource: Resource, wanted: u64) -> u64 {
    rustix::process::getrlimit(resource).maximum.map_or(wanted, |hard| hard.min(wanted))
}

/// The judge's own hard limits on what every run limits. A limit that does not exist is the largest number.
struct HardLimits {
    stack: u64,
    cpu: u64,
    file: u64,
    processes: u64,
}

impl HardLimits {
    /// Reads the limits before the first run. Programs inherit those that the judge had when it started its spawner, so
    /// later changes have no effect anyway.
    fn own() -> &'static HardLimits {
        static OWN: OnceLock<HardLimits> = OnceLock::new();
        let read = |resource| at_most(resource, u64::MAX);
        OWN.get_or_init(|| HardLimits {
            stack: read(Resource::Stack),
            cpu: read(Resource::Cpu),
            file: read(Resource::Fsize),
            processes: read(Resource::Nproc),
        })
    }
}

/// Returns the resource limits of one run, in addition to [`fixed_limits`]. The resource limit on CPU time ends a
/// program only if the judge itself is stopped. Otherwise the monitor ends the program earlier, at the limit that
/// decides the verdict.
pub(super) fn limits(limits: &Limits, facts: LimitFacts) -> Vec<(u32, u64)> {
    let own = HardLimits::own();
    let mut all = vec![
        (Resource::Stack as u32, own.stack.min(stack::limit_bytes(limits.memory_bytes))),
        // The limit is in whole seconds, and larger than the limit that the monitor checks.
        (Resource::Cpu as u32, own.cpu.min(limits.cpu.as_secs() + 2)),
    ];
    // Without a control group, the monitor adds up the memory of processes. A file in memory (memfd) belongs to no
    // process. So the resource limit on the size of files restricts such a file to the memory limit.
    let in_memory = facts.is_without_groups.then_some(limits.memory_bytes);
    let file_bytes = [facts.file_bytes, in_memory].into_iter().flatten().min();
    all.extend(file_bytes.map(|bytes| (Resource::Fsize as u32, own.file.min(bytes))));
    if facts.is_without_groups {
        let others = facts.shared_user.map_or(1, tasks_of);
        all.push((Resource::Nproc as u32, own.processes.min(facts.processes + others)));
    }
    all
}

/// Returns the judge's own hard limits that restrict its programs, because programs inherit them. Each entry consists
/// of the option letter of `ulimit`, a name, and the value. The value is in seconds for the CPU time, a count for open
/// files and processes, and otherwise in bytes.
pub fn inherited_limits() -> Vec<(char, &'static str, u64)> {
    let least = |resource, enough| rustix::process::getrlimit(resource).maximum.filter(|&most| most < enough);
    let limits = [
        (Resource::Cpu, 't', "CPU time", u64::MAX),
        (Resource::Fsize, 'f', "files", u64::MAX),
        (Resource::As, 'v', "address space", u64::MAX),
        (Resource::Data, 'd', "data", u64::MAX),
        (Resource::Stack, 's', "stack", u64::MAX),
        (Resource::Nofile, 'n', "open files", MAX_FILES),
    ];
    let limits = limits.map(|(resource, letter, what, enough)| Some((letter, what, least(resource, enough)?)));
    let processes = restrictive_process_limit().map(|most| ('u', "processes", most));
    limits.into_iter().chain([processes]).flatten().collect()
}

/// Returns the judge's own process limit; `None` if the limit does not restrict programs, even if one program with the
/// maximum number of processes runs on each core. If programs run as the judge's user, the kernel counts their
/// processes and the user's other processes together.
fn restrictive_process_limit() -> Option<u64> {
    let most = rustix::process::getrlimit(Resource::Nproc).maximum?;
    let own = rustix::process::geteuid().as_raw();
    let programs = u64::from(usable_cores()) * (MAX_PROCESSES + 1);
    // This counts the tasks only if necessary, because counting takes longer than all other steps of the judge's start.
    (most < programs + MANY_TASKS && most < programs + tasks_of(own)).then_some(most)
}

/// A number of processes and threads that no user reaches.
const MANY_TASKS: u64 = 1 << 13;

/// Counts the processes and threads of a user, as the kernel does, including those of programs that run now.
fn tasks_of(user: u32) -> u64 {
    use std::os::unix::fs::MetadataExt;
    let processes = fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
    let own = processes.filter(|process| process.metadata().is_ok_and(|found| found.uid() == user));
    own.map(|process| fs::read_dir(process.path().join("task")).map_or(0, Iterator::count) as u64).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tasks_of_a_shared_user_raise_the_limit_of_processes() {
        let second = std::time::Duration::from_secs(1);
        let few = Limits { cpu: second, wall: second, memory_bytes: 1 << 26, output_bytes: 1, until: None };
        let most = |shared_user| {
            let facts = LimitFacts { processes: 9, file_bytes: None, is_without_groups: true, shared_user };
            let all = limits(&few, facts);
            all.into_iter().find(|&(resource, _)| resource == Resource::Nproc as u32).map(|(_, most)| most)
        };
        assert_eq!(most(None), Some(10));
        let own = rustix::process::geteuid().as_raw();
        assert!(most(Some(own)) > Some(10));
    }
}
