//! Checks that the judge can start its threads and programs. The system refuses threads beyond the limit of processes
//! (`ulimit -u`) and beyond that of a control group (`pids.max`). A thread that cannot be started in the middle of a run
//! would end the judge without a report, and a compiler that cannot start its linker looks as if a program did not
//! compile.

use std::fs;
use std::io;
use std::sync::Mutex;
use std::thread;

use rustix::process::Resource;

use super::Failure;
use referee_sandbox::{ProcessRoom, process_room};

/// The number of threads that the judge needs beside one for each job: the main thread's helpers, and those that watch
/// an interactive run.
const BESIDE_JOBS: usize = 4;

/// The size of the stack of a thread that only waits, in bytes.
const STACK_BYTES: usize = 1 << 16;

/// The number of processes that one job needs at the same time: the sandbox's own process, and a compiler with the
/// programs that it starts. If the system refused one of them, a program would be judged wrongly.
const PROCESSES_OF_JOB: usize = 8;

/// Fails if the system refuses the threads and processes that the judge needs to run `jobs` programs at the same time.
pub(super) fn allow_for(jobs: usize) -> Result<(), Failure> {
    let threads = jobs.saturating_add(BESIDE_JOBS);
    let room = process_room().ok();
    if let Some(ProcessRoom::Limited { free, most }) = room {
        check_room(jobs, threads.saturating_add(jobs.saturating_mul(PROCESSES_OF_JOB)) as u64, free, most)?;
    }
    if room.is_some() && user_may_start(threads) {
        return Ok(());
    }
    probe(threads).map_err(|error| {
        let message = format!("-j {jobs} needs {threads} threads, and the system refuses them: {error}");
        Failure::unusable(message).with_hint("raise the limit of processes (ulimit -u), or use a smaller -j")
    })
}

/// Fails if a control group allows `free` more of `most` processes and threads, which is less than `needed`.
fn check_room(jobs: usize, needed: u64, free: u64, most: u64) -> Result<(), Failure> {
    if free >= needed {
        return Ok(());
    }
    Err(Failure::unusable(format!(
        "-j {jobs} needs {needed} threads and processes, but the control group of this process allows only {free} more \
         of {most}"
    ))
    .with_hint(
        "raise the limit of the container (docker run --pids-limit) or of the service (TasksMax), or use a smaller -j",
    ))
}

/// Returns whether the user's limit of processes would allow `needed` more threads even if all threads of the machine
/// belonged to this user. Then starting them as a test would only take time.
fn user_may_start(needed: usize) -> bool {
    let limit = rustix::process::getrlimit(Resource::Nproc).current;
    let load = fs::read_to_string("/proc/loadavg");
    let running = load.ok().and_then(|load| all_threads(&load));
    running.is_some_and(|running| limit.is_none_or(|limit| limit >= running.saturating_add(needed as u64)))
}

/// Returns the number of threads of the machine. `load` has the form `0.26 0.91 3.56 2/80 30671`, where 80 is that
/// number.
fn all_threads(load: &str) -> Option<u64> {
    load.split_ascii_whitespace().nth(3)?.split_once('/')?.1.parse().ok()
}

/// Starts `count` threads that exist at the same time, and ends them.
fn probe(count: usize) -> io::Result<()> {
    // The threads wait for a lock that this thread holds, so that none ends before the last has started.
    let all_started = Mutex::new(());
    thread::scope(|scope| {
        let held = all_started.lock();
        let started = (0..count).try_for_each(|_| {
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            thread.spawn_scoped(scope, || drop(all_started.lock())).map(drop)
        });
        drop(held);
        started
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_load_names_the_threads_of_the_machine() {
        assert_eq!(all_threads("0.26 0.91 3.56 2/80 30671\n"), Some(80));
        assert!(["", "0.26 0.91 3.56", "0.26 0.91 3.56 80 30671"].iter().all(|load| all_threads(load).is_none()));
    }

    #[test]
    fn no_limit_allows_more_threads_than_a_machine_can_have() {
        assert!(user_may_start(4));
        let limit = rustix::process::getrlimit(Resource::Nproc).current;
        assert!(limit.is_none() || !user_may_start(usize::MAX));
    }
}
