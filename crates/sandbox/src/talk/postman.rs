//! The postman: one loop that carries bytes both ways, watches the limits of both sides, and tells each of the other's
//! end when that is settled.

use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::super::watched::{CPU_TICK, Last, Ran, Watched, overslept};
use super::super::{Crossed, Ended, SandboxError, interrupt, system};
use super::channel::Channel;
use super::record::Record;
use super::{Exchange, Side, TalkError};

/// How often it is looked whose time it is.
const TICK: Duration = Duration::from_millis(20);

/// How long the host has to sleep to have nothing more to say.
const SETTLING: Duration = Duration::from_millis(1);

/// Two zygotes, two standard errors, four ends of pipes between the two, and the user's interruption.
const MOST_SOURCES: usize = 9;

/// Something happened.
#[derive(Clone, Copy)]
enum What {
    /// Nothing that asks for more than another look.
    Nothing,
    /// A side's zygote has answered, or is gone.
    Answered(Side),
    /// A side wrote to its standard error.
    Complained(Side),
    /// A side wrote to its standard output.
    Said(Side),
    /// There is room for more of what a side has said.
    HasRoom(Side),
}

/// A side while it runs, then what came of it.
pub(super) struct Seat<'a> {
    watched: Option<Watched<'a>>,
    ran: Option<Ran>,
}

impl<'a> Seat<'a> {
    pub(super) fn new(watched: Watched<'a>) -> Seat<'a> {
        Seat { watched: Some(watched), ran: None }
    }

    fn is_over(&self) -> bool {
        self.ran.is_some()
    }

    /// Nothing of it is left, and nothing in its pipes.
    fn take(&mut self, last: &Last) -> Result<(), SandboxError> {
        if let Some(watched) = self.watched.take() {
            self.ran = Some(watched.finish(last)?);
        }
        Ok(())
    }

    fn drain(&mut self) -> Result<(), SandboxError> {
        self.watched.as_mut().map_or(Ok(()), Watched::drain)
    }

    /// Whether the zygote has answered, or is gone.
    fn has_answered(&self) -> Result<bool, SandboxError> {
        let Some(watched) = &self.watched else { return Ok(false) };
        let mut events = [PollFd::from_borrowed_fd(watched.readiness()?, PollFlags::IN)];
        wait_for(&mut events, Duration::ZERO)?;
        Ok(!events[0].revents().is_empty())
    }

    /// Whether it has ended by itself, within its limits, with 0.
    fn has_ended_well(&self) -> bool {
        let Some(Ran::Ended { outcome, .. }) = &self.ran else { return false };
        outcome.crossed.is_none() && outcome.ended == Ended::Exited(0)
    }
}

/// What a talk leaves.
pub(super) struct Over {
    pub(super) guest: Ran,
    pub(super) host: Ran,
    pub(super) told: bool,
    pub(super) cut: bool,
    pub(super) flooded: bool,
    pub(super) last: Vec<Exchange>,
}

pub(super) struct Postman<'a> {
    guest: Seat<'a>,
    host: Seat<'a>,
    to_host: Channel,
    to_guest: Channel,
    goes_on: fn(Ended) -> bool,
    record: Record,
    /// When the limits were looked at last.
    looked: Instant,
    /// Until when time has been given to one of the two.
    given: Instant,
    /// Since when the host has been seen asleep with nothing to read, and what it had used then.
    asleep: Option<(Instant, Duration)>,
    told: bool,
    cut: bool,
    flooded: bool,
}

impl<'a> Postman<'a> {
    pub(super) fn new(
        guest: Seat<'a>,
        host: Seat<'a>,
        to_host: Channel,
        to_guest: Channel,
        goes_on: fn(Ended) -> bool,
    ) -> Postman<'a> {
        let started = host.watched.as_ref().map_or_else(Instant::now, Watched::started);
        Postman {
            guest,
            host,
            to_host,
            to_guest,
            goes_on,
            record: Record::new(started),
            looked: started,
            given: started,
            asleep: None,
            told: false,
            cut: false,
            flooded: false,
        }
    }

    /// Serves both until nothing of either is left.
    pub(super) fn serve(mut self) -> Result<Over, TalkError> {
        while !(self.guest.is_over() && self.host.is_over()) {
            for what in self.wait()? {
                self.attend(what)?;
            }
            self.tell_of_ends()?;
            if self.is_interrupted() {
                return Err(SandboxError::Interrupted.into());
            }
            if self.looked.elapsed() >= CPU_TICK {
                self.looked = Instant::now();
                self.give_time();
                self.look_at_the_limits()?;
            }
        }
        match (self.guest.ran, self.host.ran) {
            (Some(guest), Some(host)) => {
                let Postman { told, cut, flooded, record, .. } = self;
                Ok(Over { guest, host, told, cut, flooded, last: record.finish() })
            }
            _ => Err(system("ending a talk")(std::io::ErrorKind::Other.into()).into()),
        }
    }

    /// Sleeps until an event arrives or is due. Returns the events.
    fn wait(&mut self) -> Result<impl Iterator<Item = What> + use<>, SandboxError> {
        let mut events = Vec::with_capacity(MOST_SOURCES);
        let mut whats = [What::Nothing; MOST_SOURCES];
        let mut watch = |fd, flags, what| {
            if let Some(place) = whats.get_mut(events.len()) {
                *place = what;
                events.push(PollFd::from_borrowed_fd(fd, flags));
            }
        };
        for (side, seat) in [(Side::Guest, &self.guest), (Side::Host, &self.host)] {
            let Some(watched) = &seat.watched else { continue };
            watch(watched.readiness()?, PollFlags::IN, What::Answered(side));
            watched.pipes().for_each(|pipe| watch(pipe, PollFlags::IN, What::Complained(side)));
        }
        for (speaker, channel) in [(Side::Guest, &self.to_host), (Side::Host, &self.to_guest)] {
            channel.source().into_iter().for_each(|fd| watch(fd, PollFlags::IN, What::Said(speaker)));
            channel.sink().into_iter().for_each(|fd| watch(fd, PollFlags::OUT, What::HasRoom(speaker)));
        }
        if let Some(waker) = interrupt::waker() {
            watch(waker, PollFlags::IN, What::Nothing);
        }
        let (began, patience) = (Instant::now(), self.patience());
        wait_for(&mut events, patience)?;
        let happened: [bool; MOST_SOURCES] =
            std::array::from_fn(|index| events.get(index).is_some_and(|event| !event.revents().is_empty()));
        self.forgive(overslept(began, patience));
        // Answers of zygotes come last, so that the messages before a program's end are read before the end.
        let happened = move |is_answer: bool| {
            let all = whats.into_iter().zip(happened).filter(|(_, happened)| *happened).map(|(what, _)| what);
            all.filter(move |what| matches!(what, What::Answered(_)) == is_answer)
        };
        Ok(happened(false).chain(happened(true)))
    }

    /// Handles an event. Bytes are passed on as soon as they are read, so that their receiver does not wait for another
    /// round.
    fn attend(&mut self, what: What) -> Result<(), TalkError> {
        match what {
            What::Nothing => {}
            What::Said(by) => {
                self.fetch(by, false)?;
                self.channel(by).deliver()?;
            }
            What::HasRoom(speaker) => self.channel(speaker).deliver()?,
            What::Complained(Side::Guest) => self.guest.drain()?,
            What::Complained(Side::Host) => self.host.drain()?,
            What::Answered(side) => {
                if let Some(watched) = &self.seat(side).watched {
                    let last = watched.hear()?;
                    self.is_over(side, &last)?;
                }
            }
        }
        Ok(())
    }

    /// What carries what a side says.
    fn channel(&mut self, speaker: Side) -> &mut Channel {
        match speaker {
            Side::Guest => &mut self.to_host,
            Side::Host => &mut self.to_guest,
        }
    }

    /// Counts this much wall time for neither side.
    fn forgive(&mut self, late: Duration) {
        self.given += late;
        for seat in [&mut self.guest, &mut self.host] {
            if let Some(watched) = &mut seat.watched {
                watched.forgive(late);
            }
        }
    }

    /// Whether the judge stops the run of either program.
    fn is_interrupted(&self) -> bool {
        let seats = [&self.guest, &self.host].into_iter().filter_map(|seat| seat.watched.as_ref());
        interrupt::happened() || seats.into_iter().any(Watched::is_interrupted)
    }

    /// How long nothing can become due.
    fn patience(&self) -> Duration {
        let seats = [&self.guest, &self.host].into_iter().filter_map(|seat| seat.watched.as_ref());
        let patience = seats.map(Watched::patience).min().unwrap_or(TICK);
        if self.has_to_settle() { patience.min(SETTLING) } else { patience }
    }

    /// Reads what one side has said; all of it, if nothing more will come.
    fn fetch(&mut self, by: Side, is_rest: bool) -> Result<(), SandboxError> {
        let (seat, channel) = match by {
            Side::Guest => (&mut self.guest, &mut self.to_host),
            Side::Host => (&mut self.host, &mut self.to_guest),
        };
        let Some(watched) = &mut seat.watched else { return Ok(()) };
        let (record, mut is_heard) = (&mut self.record, false);
        let hear = |bytes: &[u8]| {
            let allowed = watched.count(bytes)?;
            record.add(by, &bytes[..allowed]);
            is_heard |= allowed > 0;
            Ok(allowed)
        };
        if is_rest {
            channel.fetch_the_rest(hear)?;
        } else {
            channel.fetch(hear)?;
        }
        // What the host says from here on may be an answer to this.
        if let (Side::Guest, true, Some(host)) = (by, is_heard, &mut self.host.watched) {
            host.count_anew();
        }
        Ok(())
    }

    fn seat(&self, side: Side) -> &Seat<'a> {
        match side {
            Side::Guest => &self.guest,
            Side::Host => &self.host,
        }
    }

    /// Nothing of a side is left.
    fn is_over(&mut self, side: Side, last: &Last) -> Result<(), TalkError> {
        self.fetch(side, true)?;
        match side {
            Side::Guest => {
                self.guest.take(last)?;
                self.to_host.deliver()?;
                // From here on no program reads the host's output.
                self.to_guest.close();
            }
            Side::Host => {
                self.host.take(last).map_err(TalkError::Host)?;
                // The last message is still to be delivered. From here on no program reads the guest's output.
                self.to_guest.deliver()?;
                self.to_host.close();
                self.cut_if_over()?;
            }
        }
        Ok(())
    }

    /// Ends a guest that is not to go on after its host.
    fn cut_if_over(&mut self) -> Result<(), TalkError> {
        let goes_on = match &self.host.ran {
            Some(Ran::Ended { outcome, .. }) => outcome.crossed.is_none() && (self.goes_on)(outcome.ended),
            _ => false,
        };
        if let (false, Some(guest)) = (goes_on, &self.guest.watched) {
            self.cut = true;
            let last = guest.end()?;
            self.is_over(Side::Guest, &last)?;
        }
        Ok(())
    }

    /// Lets inputs end where that is due.
    fn tell_of_ends(&mut self) -> Result<(), SandboxError> {
        if self.to_guest.is_said() {
            self.to_guest.close();
        }
        if self.has_to_settle() && self.to_host.is_said() && (self.guest.has_ended_well() || self.has_settled()?) {
            self.to_host.close();
            self.told = true;
        }
        Ok(())
    }

    /// Whether the guest has ended, and the host does not know it yet. One that has closed its input will never know.
    fn has_to_settle(&self) -> bool {
        self.guest.is_over() && !self.host.is_over() && self.to_host.is_open()
    }

    /// Whether the host has read everything and waits for more: it slept at two looks, has used nothing in between, and
    /// has not ended.
    fn has_settled(&mut self) -> Result<bool, SandboxError> {
        let Some(host) = &self.host.watched else { return Ok(false) };
        let used = if self.to_host.is_waiting_to_be_read() { None } else { host.sleeps() };
        match (used, self.asleep) {
            (None, _) => self.asleep = None,
            (Some(used), Some((since, before))) if used == before => {
                return Ok(since.elapsed() >= SETTLING && !self.host.has_answered()?);
            }
            (Some(used), _) => self.asleep = Some((Instant::now(), used)),
        }
        Ok(false)
    }

    /// Gives the time since the last look to the one whose time it is.
    fn give_time(&mut self) {
        let since = self.given.elapsed();
        if since < TICK && !(self.guest.is_over() || self.host.is_over()) {
            return;
        }
        self.given += since;
        let is_the_hosts = self.guest.is_over() || (!self.host.is_over() && self.is_the_hosts_turn());
        let other = if is_the_hosts { &mut self.guest } else { &mut self.host };
        if let Some(watched) = &mut other.watched {
            watched.forgive(since);
        }
    }

    /// Returns whether the host works, or should. If the guest does not read what it is sent, the host cannot go on.
    fn is_the_hosts_turn(&self) -> bool {
        let works = || self.host.watched.as_ref().is_some_and(|host| host.sleeps().is_none());
        !self.to_guest.is_full() && (self.to_host.is_waiting_to_be_read() || works())
    }

    fn look_at_the_limits(&mut self) -> Result<(), TalkError> {
        for side in [Side::Guest, Side::Host] {
            let seat = if side == Side::Guest { &mut self.guest } else { &mut self.host };
            let Some(watched) = &mut seat.watched else { continue };
            if let Some(crossed) = watched.look_at_the_limits()? {
                let is_time = matches!(crossed, Crossed::Cpu | Crossed::Wall);
                self.flooded |= side == Side::Host && is_time && self.to_host.is_flooded();
                let last = watched.end()?;
                self.is_over(side, &last)?;
            }
        }
        Ok(())
    }
}

fn wait_for(events: &mut [PollFd<'_>], patience: Duration) -> Result<(), SandboxError> {
    match poll(events, Timespec::try_from(patience).ok().as_ref()) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(system("waiting for two programs")(error.into())),
    }
}
