//! Starts an interactive run: two instances, six pipes, two programs.

use std::ffi::OsString;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;

use rustix::fs::OFlags;
use rustix::pipe::PipeFlags;

use super::super::instance::Prepared;
use super::super::monitor::{Monitor, Stream, Streams};
use super::super::streams::pipe;
use super::super::zygote::Source;
use super::super::{Ended, Instance, Limits, SandboxError, system};
use super::channel::Channel;
use super::endpoint::Endpoint;
use super::relay::{Finished, Relay};
use super::{InteractiveError, Side};

/// Arguments and limits of both programs.
pub(super) struct Invocations {
    pub(super) submission: (Vec<OsString>, Limits),
    pub(super) interactor: (Vec<OsString>, Limits),
}

/// Starts both programs and relays their messages until both have ended.
pub(super) fn start(
    submission: &mut Instance<'_>,
    interactor: &mut Instance<'_>,
    invocations: &Invocations,
    may_continue: fn(Ended) -> bool,
) -> Result<Finished, InteractiveError> {
    // An idle zygote may have ended. The judge notices this only when it requests a run. It then starts a new zygote,
    // but at most one for each side.
    let (mut submission_is_new, mut interactor_is_new) = (false, false);
    loop {
        match try_start(submission, interactor, invocations, may_continue)? {
            Attempt::Finished(over) => return Ok(*over),
            Attempt::ZygoteGone(Side::Submission) if !submission_is_new && submission.replace_zygote()? => {
                submission_is_new = true;
            }
            Attempt::ZygoteGone(Side::Interactor)
                if !interactor_is_new && interactor.replace_zygote().map_err(InteractiveError::Interactor)? =>
            {
                interactor_is_new = true;
            }
            Attempt::ZygoteGone(side) => {
                let gone =
                    system("requesting a run from the sandbox's helper process")(std::io::ErrorKind::BrokenPipe.into());
                return Err(if side == Side::Submission {
                    InteractiveError::Submission(gone)
                } else {
                    InteractiveError::Interactor(gone)
                });
            }
        }
    }
}

/// The result of an attempt to start both programs.
enum Attempt {
    Finished(Box<Finished>),
    ZygoteGone(Side),
}

fn try_start(
    submission: &mut Instance<'_>,
    interactor: &mut Instance<'_>,
    invocations: &Invocations,
    may_continue: fn(Ended) -> bool,
) -> Result<Attempt, InteractiveError> {
    let prepared_interactor = interactor.prepare(&invocations.interactor.1).map_err(InteractiveError::Interactor)?;
    let prepared_submission = submission.prepare(&invocations.submission.1)?;
    let Some((interactor, from_interactor, into_interactor)) =
        start_program(prepared_interactor, &invocations.interactor, Stream::truncated)
            .map_err(InteractiveError::Interactor)?
    else {
        return Ok(Attempt::ZygoteGone(Side::Interactor));
    };
    let Some((submission, from_submission, into_submission)) =
        start_program(prepared_submission, &invocations.submission, Stream::stored)?
    else {
        // The submission's zygote has ended, but the interactor already runs. Kill the interactor and start again.
        let _ = interactor.kill().and_then(|last| interactor.finish(&last));
        return Ok(Attempt::ZygoteGone(Side::Submission));
    };
    let relay = Relay::new(
        Endpoint::new(submission),
        Endpoint::new(interactor),
        Channel::new(from_submission, into_interactor),
        Channel::new(from_interactor, into_submission),
        may_continue,
    );
    relay.serve().map(|over| Attempt::Finished(Box::new(over)))
}

/// A started program, the judge's end of its output, and the judge's end of its input.
type Started<'a> = (Monitor<'a>, OwnedFd, OwnedFd);

fn start_program<'a>(
    Prepared { slot, resources, .. }: Prepared<'a>,
    (arguments, limits): &(Vec<OsString>, Limits),
    stderr: fn(Arc<OwnedFd>, u64) -> Stream,
) -> Result<Option<Started<'a>>, SandboxError> {
    let making = system("making a pipe");
    let (input, into) = input_pipe().map_err(&making)?;
    let (output, output_write) = pipe().map_err(&making)?;
    let (error, error_write) = pipe().map_err(&making)?;
    let streams = Streams {
        input: (input.as_fd(), Source::Sent),
        outputs: ([output_write.as_fd(), error_write.as_fd()], Source::Sent),
        stdout: Stream::counted(limits.output_bytes),
        stderr: stderr(Arc::new(error), limits.output_bytes),
    };
    let monitor = Monitor::start(slot, arguments.clone(), *limits, resources, streams, false)?;
    Ok(monitor.map(|monitor| (monitor, output, into)))
}

/// Makes a pipe for the input of a program. Writes at the judge's end never block. Reads at the program's end do block.
fn input_pipe() -> std::io::Result<(OwnedFd, OwnedFd)> {
    let (read, write) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
    rustix::fs::fcntl_setfl(&write, OFlags::NONBLOCK)?;
    // The mode lets a program that runs as a different user from the judge open the pipe again as /dev/stdin.
    rustix::fs::fchmod(&read, rustix::fs::Mode::from_raw_mode(0o666))?;
    Ok((read, write))
}
