//! What the relay of an interactive run waits for.

use std::time::Duration;

use rustix::event::{PollFd, PollFlags};

use super::super::{SandboxError, interrupt};
use super::Side;
use super::channel::Channel;
use super::endpoint::Endpoint;
use super::poll::wait_for;

/// Maximum number of event sources: two zygotes, two standard errors, four ends of pipes, and the user's interrupt.
const MAX_SOURCES: usize = 9;

/// An event that the relay handles.
#[derive(Clone, Copy)]
pub(super) enum Event {
    /// The user has interrupted the judge, or the relay woke up only to check the limits.
    Wakeup,
    /// The side's zygote has answered or ended.
    Answered(Side),
    /// The side wrote to its standard error.
    Stderr(Side),
    /// The side wrote to its standard output.
    Output(Side),
    /// The relay can write to the pipe that carries this side's output to the other side.
    Writable(Side),
}

/// Sleeps until an event arrives, at most for `timeout`. Returns the events. Answers of zygotes come last, so that the
/// relay reads the last messages of a program before it handles the end of the program. Each channel stands with the side
/// that writes to it.
pub(super) fn wait(
    endpoints: [(Side, &Endpoint<'_>); 2],
    channels: [(Side, &Channel); 2],
    timeout: Duration,
) -> Result<impl Iterator<Item = Event> + use<>, SandboxError> {
    let mut events = Vec::with_capacity(MAX_SOURCES);
    let mut kinds = [Event::Wakeup; MAX_SOURCES];
    let mut watch = |fd, flags, event| {
        if let Some(kind) = kinds.get_mut(events.len()) {
            *kind = event;
            events.push(PollFd::from_borrowed_fd(fd, flags));
        }
    };
    for (side, endpoint) in endpoints {
        let Some(monitor) = &endpoint.monitor else { continue };
        watch(monitor.readiness()?, PollFlags::IN, Event::Answered(side));
        monitor.pipes().for_each(|pipe| watch(pipe, PollFlags::IN, Event::Stderr(side)));
    }
    for (sender, channel) in channels {
        channel.source().into_iter().for_each(|fd| watch(fd, PollFlags::IN, Event::Output(sender)));
        channel.sink().into_iter().for_each(|fd| watch(fd, PollFlags::OUT, Event::Writable(sender)));
    }
    if let Some(waker) = interrupt::waker() {
        watch(waker, PollFlags::IN, Event::Wakeup);
    }
    wait_for(&mut events, timeout)?;
    let happened: [bool; MAX_SOURCES] =
        std::array::from_fn(|index| events.get(index).is_some_and(|event| !event.revents().is_empty()));
    let happened = move |is_answer: bool| {
        let all = kinds.into_iter().zip(happened).filter(|(_, happened)| *happened).map(|(event, _)| event);
        all.filter(move |event| matches!(event, Event::Answered(_)) == is_answer)
    };
    Ok(happened(false).chain(happened(true)))
}
