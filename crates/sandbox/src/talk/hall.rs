//! How a talk begins: two places, six pipes, two programs.

use std::ffi::OsString;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::OFlags;
use rustix::pipe::PipeFlags;

use super::super::spawn::pipe;
use super::super::watched::{Place, Stream, Streams, Watched};
use super::super::{Ended, Limits, Room, SandboxError, system};
use super::channel::Channel;
use super::postman::{Over, Postman, Seat};
use super::{Side, TalkError};

/// Arguments and limits of both.
pub(super) struct Parts {
    pub(super) guest: (Vec<OsString>, Limits),
    pub(super) host: (Vec<OsString>, Limits),
}

/// Starts both programs and lets them talk.
pub(super) fn seat(
    guest: &mut Room<'_>,
    host: &mut Room<'_>,
    parts: &Parts,
    goes_on: fn(Ended) -> bool,
) -> Result<Over, TalkError> {
    // Only a request shows that an idle zygote has ended.
    let (mut guest_is_new, mut host_is_new) = (false, false);
    loop {
        match try_to_seat(guest, host, parts, goes_on)? {
            Seated::Over(over) => return Ok(*over),
            Seated::NobodyThere(Side::Guest) if !guest_is_new && guest.renew()? => guest_is_new = true,
            Seated::NobodyThere(Side::Host) if !host_is_new && host.renew().map_err(TalkError::Host)? => {
                host_is_new = true;
            }
            Seated::NobodyThere(side) => {
                let gone = system("asking for a run")(std::io::ErrorKind::BrokenPipe.into());
                return Err(if side == Side::Guest { TalkError::Guest(gone) } else { TalkError::Host(gone) });
            }
        }
    }
}

enum Seated {
    Over(Box<Over>),
    NobodyThere(Side),
}

fn try_to_seat(
    guest: &mut Room<'_>,
    host: &mut Room<'_>,
    parts: &Parts,
    goes_on: fn(Ended) -> bool,
) -> Result<Seated, TalkError> {
    let (host_place, host_resources) = host.prepare(&parts.host.1).map_err(TalkError::Host)?;
    let (guest_place, guest_resources) = guest.prepare(&parts.guest.1)?;
    let Some((host, from_host, into_host)) =
        take_seat(host_place, &parts.host, host_resources, Stream::cut).map_err(TalkError::Host)?
    else {
        return Ok(Seated::NobodyThere(Side::Host));
    };
    let Some((guest, from_guest, into_guest)) = take_seat(guest_place, &parts.guest, guest_resources, Stream::kept)?
    else {
        // The host has started, and there is no guest for it.
        let _ = host.end().and_then(|last| host.finish(&last));
        return Ok(Seated::NobodyThere(Side::Guest));
    };
    let postman = Postman::new(
        Seat::new(guest),
        Seat::new(host),
        Channel::new(from_guest, into_host),
        Channel::new(from_host, into_guest),
        goes_on,
    );
    postman.serve().map(|over| Seated::Over(Box::new(over)))
}

/// A program that was started, the judge's end of its output, and that of its input.
type Started<'a> = (Watched<'a>, OwnedFd, OwnedFd);

fn take_seat<'a>(
    place: Place<'a>,
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
    let watched = Watched::start(place, arguments.clone(), *limits, resources, streams)?;
    Ok(watched.map(|watched| (watched, output, into)))
}

/// A pipe whose writing end does not block; the reading end does, because the program's must.
fn input_pipe() -> std::io::Result<(OwnedFd, OwnedFd)> {
    let (read, write) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
    rustix::fs::fcntl_setfl(&write, OFlags::NONBLOCK)?;
    // A process that has the pipe may open it again by its name, /dev/stdin, also as another user than the judge.
    rustix::fs::fchmod(&read, rustix::fs::Mode::from_raw_mode(0o666))?;
    Ok((read, write))
}
