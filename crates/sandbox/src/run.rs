//! Runs a program once: requests the run from the zygote, reads the pipes, checks the limits, and makes the outcome.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::instance::Prepared;
use super::monitor::{LastMessage, Monitor, Ran, Stream, Streams, wakeup_delay};
use super::streams::{self, Content, KeptInput, KeptStreams, OutputPipes};
use super::zygote::Source;
use super::{ExcessOutput, Input, Run, SandboxError, interrupt, system};

pub(super) fn run(prepared: Prepared<'_>, run: &Run<'_>, excess: ExcessOutput) -> Result<Ran, SandboxError> {
    if run.limits.is_interrupted() {
        return Err(SandboxError::Interrupted);
    }
    let Prepared { slot, resources, kept } = prepared;
    let input = RunInput::new(&run.input, kept)?;
    let (outputs, output_source) = output_pipes(kept).map_err(system("making a pipe"))?;
    let stream = match excess {
        ExcessOutput::EndsTheRun => Stream::stored,
        ExcessOutput::IsLost => Stream::truncated,
    };
    // The judge's copies of the program's ends of the pipes stay open until the zygote has answered. Otherwise each pipe
    // would wake the judge when the program closes its end.
    let streams = Streams {
        input: input.descriptor(),
        outputs: ([outputs.stdout.write.as_fd(), outputs.stderr.write.as_fd()], output_source),
        stdout: stream(Arc::clone(&outputs.stdout.read), run.limits.output_bytes),
        stderr: stream(Arc::clone(&outputs.stderr.read), run.limits.output_bytes),
    };
    let Some(mut monitor) = Monitor::start(slot, run.arguments.clone(), run.limits, resources, streams, true)? else {
        return Ok(Ran::ZygoteGone);
    };
    let kept_input = input.without_a_copy();
    let last = until_the_end(&mut monitor, run)?;
    let ran = monitor.finish(&last)?;
    if let Some(file) = kept_input {
        kept.input = Some(file).filter(KeptInput::is_as_made);
    }
    kept.outputs = Some(outputs).filter(|outputs| output_source != Source::Sent && outputs.are_as_made());
    Ok(ran)
}

/// Takes the kept pipes, or makes new ones.
fn output_pipes(kept: &mut KeptStreams) -> io::Result<(OutputPipes, Source)> {
    if let Some(outputs) = kept.outputs.take() {
        outputs.begin()?;
        return Ok((outputs, Source::Kept));
    }
    let source = if kept.may_keep.outputs { Source::SentToKeep } else { Source::Sent };
    Ok((OutputPipes::new()?, source))
}

/// The input of a run.
enum RunInput {
    /// The zygote keeps the file in memory, or has kept it.
    Kept(KeptInput, Source),
    New(File),
}

impl RunInput {
    fn new(input: &Input<'_>, kept: &mut KeptStreams) -> Result<RunInput, SandboxError> {
        let content = match streams::content(input)? {
            Content::Small(content) if kept.may_keep.input => content,
            Content::Small(content) => return streams::in_sealed_memory(&content).map(RunInput::New),
            Content::Large(file) => return Ok(RunInput::New(file)),
        };
        let source = if kept.input.is_some() { Source::Kept } else { Source::SentToKeep };
        let mut file = kept.input.take().map_or_else(KeptInput::new, Ok).map_err(system("allocating the input"))?;
        file.begin(&content).map_err(system("copying the input"))?;
        Ok(RunInput::Kept(file, source))
    }

    fn descriptor(&self) -> (BorrowedFd<'_>, Source) {
        match self {
            RunInput::Kept(file, source) => (file.reader(), *source),
            RunInput::New(file) => (file.as_fd(), Source::Sent),
        }
    }

    /// Closes a new file, which the program has received. Returns the file that the zygote keeps.
    fn without_a_copy(self) -> Option<KeptInput> {
        match self {
            RunInput::Kept(file, _) => Some(file),
            RunInput::New(_) => None,
        }
    }
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
