//! Runs two programs that talk to each other, each in a sandbox instance of its own. The judge relays their messages.
//!
//! # Theory of operation
//!
//! The **guest** is the program that is judged; nothing about it is trusted. The **host** leads the conversation and
//! judges it. Both run at the same time, each with its own isolation. Neither has a descriptor of the other. The judge
//! holds the outer ends of four pipes and carries bytes both ways, through one [`channel`] each way, with one `poll`
//! for everything.
//!
//! - **Nothing blocks the judge.** Its ends of the pipes do not block. A channel holds a bounded number of bytes. While
//!   it is full, the judge reads nothing more from the sender, which then waits as on any full pipe.
//! - **No program is ended because it writes to one that is gone.** The judge reads, counts and discards bytes that
//!   cannot be delivered any more.
//! - **Output is counted on its way**, and nothing beyond the limit is delivered. The count of the host's output starts
//!   again whenever the guest has sent something: a guest that asks for ever gets answers for ever, and has limits of
//!   its own. Of the host's standard error, nothing beyond the limit is kept. Writing more is no fault, because a host
//!   may log all that it receives.
//! - **The end of a stream is passed on only when it is certain.** When the host closes its output, the judge tells the
//!   guest at once. When the guest closes its output, the judge tells the host only once the guest has ended and no
//!   process of it is left. Before that, the guest may be closing its output or dying, and the host must not judge the
//!   one when it is the other. If the guest has ended badly (a limit, a signal, an exit code other than 0), the judge
//!   tells the host only after the host has read everything and sleeps: then the host has nothing left to say about the
//!   guest's messages, and waits for more.
//!
//! So it is certain what the host knew when it ended: [`Talk::told`]. The order in which the programs end does not
//! matter, because it says more about the machine than about them. On a busy machine, a guest that sends something
//! wrong and exits may well be gone before the host has read it.
//!
//! # Whose time it is
//!
//! Each side has its own clocks, limits and control group. Wall time counts for the host while it works: it has
//! something to read, or one of its threads runs or is ready to run. Wall time counts for the guest while the host
//! sleeps and has read everything, and while the host cannot go on because the guest does not read. So no guest is
//! ended because its host is slow, and no host because its guest is. The judge checks every 20 ms, which is exact
//! enough for limits of seconds.
//!
//! If the guest sends faster than the host reads, the host's time may run out although it works. [`Talk::flooded`]
//! tells such a host from one that hangs.

mod channel;
mod hall;
mod postman;
mod record;

use std::ffi::OsString;
use std::time::Duration;

use super::{Ended, Limits, Outcome, Room, SandboxError};

/// One of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The program of which nothing is trusted.
    Guest,
    /// The program that leads the talk.
    Host,
}

/// What one side brings.
#[derive(Debug)]
pub struct Speaker<'a, 'r> {
    /// Where it runs.
    pub room: &'a mut Room<'r>,
    /// Arguments after those of its program.
    pub arguments: Vec<OsString>,
    /// Its limits. The wall limit counts only the time that is this side's own.
    pub limits: Limits,
}

/// Something that one side said before the other said anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The side that sent it.
    pub by: Side,
    /// When its first byte came, since the start of the talk.
    pub at: Duration,
    /// Its beginning.
    pub text: Vec<u8>,
    /// How many bytes it has in all.
    pub whole_bytes: u64,
}

/// What came of a talk. The outcomes hold no standard output: it was delivered. The host's printed bytes are those
/// since the guest spoke last, without its standard error.
#[derive(Debug)]
pub struct Talk {
    /// The guest's outcome.
    pub guest: Outcome,
    /// The host's.
    pub host: Outcome,
    /// Whether the host had been told of the guest's end when it ended itself.
    pub told: bool,
    /// Whether the guest was ended because the talk was over for it, and not by itself or a limit.
    pub cut: bool,
    /// Whether the host exceeded a time limit while the guest sent more than the host could read, although the host did
    /// read.
    pub flooded: bool,
    /// The last that was said, in order.
    pub last: Vec<Exchange>,
}

/// Whose program could not be run. Only one of them may be the judge's trouble.
#[derive(Debug)]
pub enum TalkError {
    /// It concerns the guest, or neither side in particular.
    Guest(SandboxError),
    /// The host's.
    Host(SandboxError),
}

impl From<SandboxError> for TalkError {
    fn from(error: SandboxError) -> Self {
        TalkError::Guest(error)
    }
}

/// Lets two programs talk to the end of both. After the host has ended the guest may go on for as long as its limits
/// allow if `goes_on` says so of the host's end; else it is ended.
pub fn talk(guest: Speaker<'_, '_>, host: Speaker<'_, '_>, goes_on: fn(Ended) -> bool) -> Result<Talk, TalkError> {
    let (guest_room, host_room) = (guest.room, host.room);
    let parts = hall::Parts { guest: (guest.arguments, guest.limits), host: (host.arguments, host.limits) };
    let over = hall::seat(guest_room, host_room, &parts, goes_on);
    if over.is_err() {
        // A program that runs there has no partner.
        guest_room.give_up();
        host_room.give_up();
    }
    let postman::Over { guest, host, told, cut, flooded, last } = over?;
    let guest = guest_room.settle(guest);
    let host = host_room.settle(host).map_err(TalkError::Host)?;
    Ok(Talk { guest: guest.map_err(TalkError::Guest)?, host, told, cut, flooded, last })
}

#[cfg(test)]
mod tests;
