//! Checks that the judge can start its threads. The system refuses threads beyond the limit of processes (`ulimit -u`),
//! and a thread that cannot be started in the middle of a run would end the judge without a report.

use std::io;
use std::sync::Mutex;
use std::thread;

use super::Failure;

/// The number of threads that the judge needs beside one for each job: the main thread's helpers, and those that watch
/// an interactive run.
const BESIDE_JOBS: usize = 4;

/// The size of the stack of a thread that only waits, in bytes.
const STACK_BYTES: usize = 1 << 16;

/// Fails if the system refuses the threads that the judge needs to run `jobs` programs at the same time.
pub(super) fn allow_for(jobs: usize) -> Result<(), Failure> {
    let needed = jobs.saturating_add(BESIDE_JOBS);
    probe(needed).map_err(|error| {
        let message = format!("-j {jobs} needs {needed} threads, and the system refuses them: {error}");
        Failure::unusable(message).with_hint("raise the limit of processes (ulimit -u), or use a smaller -j")
    })
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
