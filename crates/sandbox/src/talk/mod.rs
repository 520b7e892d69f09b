//! Two programs that talk: each in a room of its own, with the judge between them as the postman.
//!
//! # Theory of operation
//!
//! The **guest** is a program of which nothing is trusted, the **host** is the one that leads the talk and judges it.
//! Both run at the same time, each behind its own walls. Neither has a descriptor of the other: the judge holds the
//! outer ends of four pipes and carries bytes both ways, one [`channel`] each way, with one `poll` for everything.
//!
//! - **Nothing blocks the judge.** Its ends of the pipes do not block. A channel holds a bounded number of bytes; while
//!   it is full nothing more is read from its sender, who then waits as it would on any full pipe.
//! - **Nobody is ended by a write to somebody who is gone.** What cannot be delivered any more is read, counted and
//!   thrown away.
//! - **Output is counted on its way**, and nothing beyond the limit is delivered. The host's is counted anew whenever
//!   the guest has said something: whoever asks for ever is answered for ever, and is held to limits of its own. Of the
//!   host's standard error nothing is kept beyond the limit, and it is no fault to write more, because it may well
//!   write down whatever it is told.
//! - **An end is told only when it is settled.** The host's close of its output is told to the guest at once. The
//!   guest's is told to the host only when the guest has ended and nothing of it is left: before, nobody can know
//!   whether the guest is closing its output or dying, and the host must not judge the one when it is the other. When
//!   the guest has ended badly (a limit, a signal, another exit code than 0) the end is told only after the host has
//!   read everything and sleeps: it has nothing left to say about what the guest said, and waits for more.
//!
//! So it is known what the host knew when it ended: [`Talk::told`]. Who ended first is not asked, because the answer
//! would say more about the machine than about the two programs. On a busy machine a guest that says something wrong
//! and exits may well be gone before the host has read it.
//!
//! # Whose time it is
//!
//! Each side has its own clocks, limits and control group. Time on the wall is the host's while it works: it has
//! something to read, or one of its threads runs or wants to. It is the guest's while the host sleeps and has read
//! everything, and while the host cannot go on because the guest does not read. So a guest is not ended because its
//! host is slow, and a host not because its guest is. Looked at every 20 ms, which is exact enough for limits of
//! seconds.
//!
//! Where the guest speaks faster than the host reads, there is one who could do with less: [`Talk::flooded`] tells a
//! host that did not get through all of it in its time from one that hangs.

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
    /// Its limits. The wall's counts only the time that is its own.
    pub limits: Limits,
}

/// Something that one side said before the other said anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// Who said it.
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
    /// Whether the host crossed a limit of time while the guest said more than the host could read, who did read.
    pub flooded: bool,
    /// The last that was said, in order.
    pub last: Vec<Exchange>,
}

/// Whose program could not be run. Only one of them may be the judge's trouble.
#[derive(Debug)]
pub enum TalkError {
    /// The guest's, or nobody's in particular.
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
        // Whatever is going on there has nobody to talk to.
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
