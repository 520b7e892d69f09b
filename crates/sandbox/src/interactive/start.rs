//! Starts an interactive run: two instances, six pipes, two programs.

use std::ffi::OsString;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::OFlags;
use rustix::pipe::PipeFlags;

use super::super::monitor::{Monitor, SlotRef, Stream, Streams};
use super::super::spawn::pipe;
use super::super::{Ended, Instance, Limits, SandboxError, system};
use super::channel::Channel;
use super::relay::{Endpoint, Finished, Relay};
use super::{InteractiveError, Side};

/// Arguments and limits of both programs.
pub(super) struct Parts {
    pub(super) submission: (Vec<OsString>, Limits),
    pub(super) interactor: (Vec<OsString>, Limits),
}

/// Starts both programs and relays their messages until both have ended.
pub(super) fn start(
    submission: &mut Instance<'_>,
    interactor: &mut Instance<'_>,
    parts: &Parts,
    goes_on: fn(Ended) -> bool,
) -> Result<Finished, InteractiveError> {
    // The judge notices only at a request that an idle zygote has ended. It then starts a new zygote once for each
    // side.
    let (mut submission_is_new, mut interactor_is_new) = (false, false);
    loop {
        match try_start(submission, interactor, parts, goes_on)? {
            Begun::Finished(over) => return Ok(*over),
            Begun::ZygoteGone(Side::Submission) if !submission_is_new && submission.renew()? => {
                submission_is_new = true;
            }
            Begun::ZygoteGone(Side::Interactor)
                if !interactor_is_new && interactor.renew().map_err(InteractiveError::Interactor)? =>
            {
                interactor_is_new = true;
            }
            Begun::ZygoteGone(side) => {
                let gone = system("requesting a run from the zygote")(std::io::ErrorKind::BrokenPipe.into());
                return Err(if side == Side::Submission {
                    InteractiveError::Submission(gone)
                } else {
                    InteractiveError::Interactor(gone)
                });
            }
        }
    }
}

enum Begun {
    Finished(Box<Finished>),
    ZygoteGone(Side),
}

fn try_start(
    submission: &mut Instance<'_>,
    interactor: &mut Instance<'_>,
    parts: &Parts,
    goes_on: fn(Ended) -> bool,
) -> Result<Begun, InteractiveError> {
    let (interactor_slot, interactor_resources) =
        interactor.prepare(&parts.interactor.1).map_err(InteractiveError::Interactor)?;
    let (submission_slot, submission_resources) = submission.prepare(&parts.submission.1)?;
    let Some((interactor, from_interactor, into_interactor)) =
        start_program(interactor_slot, &parts.interactor, interactor_resources, Stream::cut)
            .map_err(InteractiveError::Interactor)?
    else {
        return Ok(Begun::ZygoteGone(Side::Interactor));
    };
    let Some((submission, from_submission, into_submission)) =
        start_program(submission_slot, &parts.submission, submission_resources, Stream::kept)?
    else {
        // The submission's zygote has ended, but the interactor already runs. Kill the interactor and start again.
        let _ = interactor.kill().and_then(|last| interactor.finish(&last));
        return Ok(Begun::ZygoteGone(Side::Submission));
    };
    let relay = Relay::new(
        Endpoint::new(submission),
        Endpoint::new(interactor),
        Channel::new(from_submission, into_interactor),
        Channel::new(from_interactor, into_submission),
        goes_on,
    );
    relay.serve().map(|over| Begun::Finished(Box::new(over)))
}

/// A started program, the judge's end of its output, and the judge's end of its input.
type Started<'a> = (Monitor<'a>, OwnedFd, OwnedFd);

fn start_program<'a>(
    slot: SlotRef<'a>,
    (arguments, limits): &(Vec<OsString>, Limits),
    resources: Vec<(u32, u64)>,
    stderr: fn(OwnedFd, u64) -> Stream,
) -> Result<Option<Started<'a>>, SandboxError> {
    let making = system("making a pipe");
    let (input, into) = input_pipe().map_err(&making)?;
    let (output, output_write) = pipe().map_err(&making)?;
    let (error, error_write) = pipe().map_err(&making)?;
    let streams = Streams {
        standard: [input.as_fd(), output_write.as_fd(), error_write.as_fd()],
        stdout: Stream::counted(limits.output_bytes),
        stderr: stderr(error, limits.output_bytes),
    };
    let monitor = Monitor::start(slot, arguments.clone(), *limits, resources, streams)?;
    Ok(monitor.map(|monitor| (monitor, output, into)))
}

/// Makes a pipe. Its writing end does not block; its reading end does, because the program reads from it.
fn input_pipe() -> std::io::Result<(OwnedFd, OwnedFd)> {
    let (read, write) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
    rustix::fs::fcntl_setfl(&write, OFlags::NONBLOCK)?;
    // A process may open the pipe again as /dev/stdin, also as another user than the judge.
    rustix::fs::fchmod(&read, rustix::fs::Mode::from_raw_mode(0o666))?;
    Ok((read, write))
}
