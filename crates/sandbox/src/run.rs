//! Runs a program once: requests the run from the zygote, reads the pipes, checks the limits, and makes the outcome.

use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::instance::Prepared;
use super::monitor::{LastMessage, Monitor, Ran, Stream, Streams, wakeup_delay};
use super::streams::RunStreams;
use super::{ExcessOutput, Run, SandboxError, interrupt, system};

pub(super) fn run(prepared: Prepared<'_>, run: &Run<'_>, excess: ExcessOutput) -> Result<Ran, SandboxError> {
    if run.limits.is_interrupted() {
        return Err(SandboxError::Interrupted);
    }
    let Prepared { slot, resources, kept } = prepared;
    let own = RunStreams::new(&run.input, kept)?;
    let stream = match excess {
        ExcessOutput::EndsTheRun => Stream::stored,
        ExcessOutput::IsLost => Stream::truncated,
    };
    let [stdout, stderr] = own.readers().map(|pipe| stream(pipe, run.limits.output_bytes));
    let streams = Streams { input: own.input(), outputs: own.outputs(), stdout, stderr };
    let Some(mut monitor) = Monitor::start(slot, run.arguments.clone(), run.limits, resources, streams, true)? else {
        return Ok(Ran::ZygoteGone);
    };
    let last = until_the_end(&mut monitor, run)?;
    let ran = monitor.finish(&last)?;
    // The judge's copies of the program's ends of the pipes stay open until here. Otherwise each pipe would wake the
    // judge when the program closes its end.
    own.keep(kept);
    Ok(ran)
}

/// While a run is younger than this, its output does not wake the judge. Most programs print little and end soon, so the
/// judge reads their output once, after their end. A program that prints more than a pipe holds waits at most this long.
const QUIET_START: Duration = Duration::from_millis(1);

/// Waits until no process of the program is left. Kills the program if it exceeds a limit. Fails if the run is
/// interrupted.
fn until_the_end(monitor: &mut Monitor<'_>, run: &Run<'_>) -> Result<LastMessage, SandboxError> {
    let mut own_wait = monitor.own_wait();
    loop {
        let began = Instant::now();
        let is_quiet = monitor.started().elapsed() < QUIET_START;
        let timeout = monitor.time_to_next_check().min(if is_quiet { QUIET_START } else { Duration::MAX });
        let answered = wait(monitor, timeout, is_quiet)?;
        monitor.exclude(wakeup_delay(began, timeout, &mut own_wait));
        if answered {
            // The output that is left is read when the outcome is made.
            return monitor.receive_reply();
        }
        monitor.drain()?;
        if run.limits.is_interrupted() {
            return Err(SandboxError::Interrupted);
        }
        if monitor.check_limits()?.is_some() {
            return monitor.kill();
        }
    }
}

/// Sleeps until an event arrives or `timeout` has passed. Output is an event unless `is_quiet`. Returns whether the
/// zygote has answered or ended.
fn wait(monitor: &Monitor<'_>, timeout: Duration, is_quiet: bool) -> Result<bool, SandboxError> {
    let zygote = monitor.readiness()?;
    let pipes = monitor.pipes().filter(|_| !is_quiet);
    let others = pipes.chain(interrupt::waker());
    let sources = std::iter::once(zygote).chain(others);
    let mut events: Vec<_> = sources.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)).collect();
    let timeout = Timespec::try_from(timeout).ok();
    match poll(&mut events, timeout.as_ref()) {
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(error) => return Err(system("waiting for a program")(error.into())),
    }
    Ok(events.first().is_some_and(|event| !event.revents().is_empty()))
}
