//! Relays an interactive run. One loop carries bytes in both directions, checks the limits of both sides, and passes on
//! the end of each output once that is safe.

use std::time::{Duration, Instant};

use super::super::monitor::{CPU_TICK, LastMessage, Monitor, Ran, wakeup_delay};
use super::super::schedule::OwnWait;
use super::super::{Ended, SandboxError, interrupt, system};
use super::channel::Channel;
use super::endpoint::Endpoint;
use super::events::{self, Event};
use super::overload::OverloadWatch;
use super::record::Record;
use super::silence::Silence;
use super::{Exchange, InteractiveError, Overload, Side};

/// The interval at which wall time is attributed to a side.
const TICK: Duration = Duration::from_millis(20);

/// An interactor that has slept for this time counts as waiting for more input.
const SETTLING: Duration = Duration::from_millis(1);

/// The results of both sides.
pub(super) struct Finished {
    pub(super) submission: Ran,
    pub(super) interactor: Ran,
    pub(super) interactor_saw_end: bool,
    pub(super) submission_stopped: bool,
    pub(super) overload: Option<Overload>,
    pub(super) transcript: Vec<Exchange>,
}

pub(super) struct Relay<'a> {
    submission: Endpoint<'a>,
    interactor: Endpoint<'a>,
    to_interactor: Channel,
    to_submission: Channel,
    may_continue: fn(Ended) -> bool,
    record: Record,
    /// The time at which the limits were last checked.
    checked_at: Instant,
    /// The time up to which wall time has been attributed to a side.
    attributed_until: Instant,
    /// While the interactor sleeps with nothing to read: the time of the first check that found this, and the
    /// interactor's CPU time, which has not changed since. `None` if the last check found it awake or with something to
    /// read.
    asleep: Option<(Instant, Duration)>,
    silence: Silence,
    /// The waiting time of the thread that serves this relay.
    own_wait: OwnWait,
    interactor_saw_end: bool,
    submission_stopped: bool,
    watch: OverloadWatch,
    overload: Option<Overload>,
}

impl<'a> Relay<'a> {
    pub(super) fn new(
        submission: Endpoint<'a>,
        interactor: Endpoint<'a>,
        to_interactor: Channel,
        to_submission: Channel,
        may_continue: fn(Ended) -> bool,
    ) -> Relay<'a> {
        let started = interactor.monitor.as_ref().map_or_else(Instant::now, Monitor::started);
        Relay {
            submission,
            interactor,
            to_interactor,
            to_submission,
            may_continue,
            record: Record::new(started),
            checked_at: started,
            attributed_until: started,
            asleep: None,
            silence: Silence::new(),
            own_wait: OwnWait::new(),
            interactor_saw_end: false,
            submission_stopped: false,
            watch: OverloadWatch::default(),
            overload: None,
        }
    }

    /// Runs until both sides have ended and no process of either is left.
    pub(super) fn serve(mut self) -> Result<Finished, InteractiveError> {
        while !(self.submission.is_over() && self.interactor.is_over()) {
            for event in self.wait()? {
                if !matches!(event, Event::Wakeup) {
                    self.silence = Silence::new();
                }
                self.handle(event)?;
            }
            self.pass_on_ends()?;
            if self.is_interrupted() {
                return Err(SandboxError::Interrupted.into());
            }
            if self.checked_at.elapsed() >= CPU_TICK {
                self.checked_at = Instant::now();
                self.attribute_time();
                self.check_limits()?;
                self.end_deadlock()?;
            }
        }
        match (self.submission.ran, self.interactor.ran) {
            (Some(submission), Some(interactor)) => {
                let Relay { interactor_saw_end, submission_stopped, overload, record, .. } = self;
                Ok(Finished {
                    submission,
                    interactor,
                    interactor_saw_end,
                    submission_stopped,
                    overload,
                    transcript: record.finish(),
                })
            }
            _ => Err(system("ending an interactive run")(std::io::ErrorKind::Other.into()).into()),
        }
    }

    /// Sleeps until an event arrives or a check is due. Returns the events.
    fn wait(&mut self) -> Result<impl Iterator<Item = Event> + use<>, SandboxError> {
        let (began, timeout) = (Instant::now(), self.time_to_next_check());
        let endpoints = [(Side::Submission, &self.submission), (Side::Interactor, &self.interactor)];
        let channels = [(Side::Submission, &self.to_interactor), (Side::Interactor, &self.to_submission)];
        let events = events::wait(endpoints, channels, timeout)?;
        let late = wakeup_delay(began, timeout, &mut self.own_wait);
        self.exclude(late);
        Ok(events)
    }

    /// Handles an event. Bytes are delivered as soon as they are read, so that the receiver does not wait for the next
    /// `poll`.
    fn handle(&mut self, event: Event) -> Result<(), InteractiveError> {
        match event {
            Event::Wakeup => {}
            Event::Output(by) => {
                self.fetch(by, false)?;
                self.channel(by).deliver()?;
            }
            Event::Writable(sender) => self.channel(sender).deliver()?,
            Event::Stderr(Side::Submission) => self.submission.drain()?,
            Event::Stderr(Side::Interactor) => self.interactor.drain()?,
            Event::Answered(side) => {
                if let Some(monitor) = &self.endpoint(side).monitor {
                    let last = monitor.receive_reply()?;
                    self.finish_side(side, &last)?;
                }
            }
        }
        Ok(())
    }

    /// The channel that carries this side's output.
    fn channel(&mut self, sender: Side) -> &mut Channel {
        match sender {
            Side::Submission => &mut self.to_interactor,
            Side::Interactor => &mut self.to_submission,
        }
    }

    /// Excludes the time `late`, in which the judge was not scheduled, from the wall time of both sides.
    fn exclude(&mut self, late: Duration) {
        self.attributed_until += late;
        for endpoint in [&mut self.submission, &mut self.interactor] {
            if let Some(monitor) = &mut endpoint.monitor {
                monitor.exclude(late);
            }
        }
    }

    /// Whether the user or [`crate::Limits::until`] stops the run.
    fn is_interrupted(&self) -> bool {
        let endpoints =
            [&self.submission, &self.interactor].into_iter().filter_map(|endpoint| endpoint.monitor.as_ref());
        interrupt::happened() || endpoints.into_iter().any(Monitor::is_interrupted)
    }

    /// How long the relay can sleep if no event arrives.
    fn time_to_next_check(&self) -> Duration {
        let endpoints =
            [&self.submission, &self.interactor].into_iter().filter_map(|endpoint| endpoint.monitor.as_ref());
        let timeout = endpoints.map(Monitor::time_to_next_check).min().unwrap_or(TICK);
        if self.has_end_to_pass_on() { timeout.min(SETTLING) } else { timeout }
    }

    /// Reads the output of one side. If `is_rest` is true, the side has ended, and this reads all that is left.
    fn fetch(&mut self, by: Side, is_rest: bool) -> Result<(), SandboxError> {
        let (endpoint, channel) = match by {
            Side::Submission => (&mut self.submission, &mut self.to_interactor),
            Side::Interactor => (&mut self.interactor, &mut self.to_submission),
        };
        let Some(monitor) = &mut endpoint.monitor else { return Ok(()) };
        let (record, mut is_sent) = (&mut self.record, false);
        let count = |bytes: &[u8]| {
            let allowed = monitor.count(bytes)?;
            record.add(by, &bytes[..allowed]);
            is_sent |= allowed > 0;
            Ok(allowed)
        };
        if is_rest {
            channel.fetch_rest(count)?;
        } else {
            channel.fetch(count)?;
        }
        if is_sent {
            let both = [&mut self.submission, &mut self.interactor];
            both.into_iter().filter_map(|endpoint| endpoint.monitor.as_mut()).for_each(Monitor::note_message);
        }
        // The interactor may answer these bytes, so its output counts from 0 again.
        if let (Side::Submission, true, Some(interactor)) = (by, is_sent, &mut self.interactor.monitor) {
            interactor.count_anew();
        }
        Ok(())
    }

    fn endpoint(&self, side: Side) -> &Endpoint<'a> {
        match side {
            Side::Submission => &self.submission,
            Side::Interactor => &self.interactor,
        }
    }

    /// Reads the rest of the output of a side that has no processes any more, and stores the result of that side. If
    /// the side is the interactor, also kills the submission, unless the submission may continue.
    fn finish_side(&mut self, side: Side, last: &LastMessage) -> Result<(), InteractiveError> {
        self.fetch(side, true)?;
        match side {
            Side::Submission => {
                self.submission.finish(last)?;
                self.to_interactor.deliver()?;
                // From here on no program reads the interactor's output.
                self.to_submission.close();
            }
            Side::Interactor => {
                self.interactor.finish(last).map_err(InteractiveError::Interactor)?;
                // The interactor's last message is still delivered. From here on no program reads the submission's
                // output.
                self.to_submission.deliver()?;
                self.to_interactor.close();
                self.stop_submission_if_done()?;
            }
        }
        Ok(())
    }

    /// Kills the submission after the interactor has ended, unless the submission may continue.
    fn stop_submission_if_done(&mut self) -> Result<(), InteractiveError> {
        let may_continue = match &self.interactor.ran {
            Some(Ran::Ended { outcome, .. }) => outcome.crossed.is_none() && (self.may_continue)(outcome.ended),
            _ => false,
        };
        if let (false, Some(submission)) = (may_continue, &self.submission.monitor) {
            self.submission_stopped = true;
            let last = submission.kill()?;
            self.finish_side(Side::Submission, &last)?;
        }
        Ok(())
    }

    /// Closes a side's input once the other side's output has ended and the relay may pass on this end.
    fn pass_on_ends(&mut self) -> Result<(), SandboxError> {
        if self.to_submission.is_drained() {
            self.to_submission.close();
        }
        if self.has_end_to_pass_on()
            && self.to_interactor.is_drained()
            && (self.submission.has_ended_well() || self.has_settled()?)
        {
            self.to_interactor.close();
            self.interactor_saw_end = true;
        }
        Ok(())
    }

    /// Whether the submission has ended and the interactor can still notice this: the interactor has not ended, and its
    /// input is open.
    fn has_end_to_pass_on(&self) -> bool {
        self.submission.is_over() && !self.interactor.is_over() && self.to_interactor.is_open()
    }

    /// Whether the interactor has read everything and waits for more: two checks, at least [`SETTLING`] apart, found it
    /// asleep with nothing to read. Between the checks it used no CPU time, and it has not ended.
    fn has_settled(&mut self) -> Result<bool, SandboxError> {
        let Some(interactor) = &self.interactor.monitor else { return Ok(false) };
        let used = if self.to_interactor.has_unread_bytes() { None } else { interactor.cpu_if_asleep() };
        match (used, self.asleep) {
            (None, _) => self.asleep = None,
            (Some(used), Some((since, before))) if used == before => {
                let is_asleep = since.elapsed() >= SETTLING && interactor.is_none_ending();
                return Ok(is_asleep
                    && interactor.cpu_if_asleep() == Some(before)
                    && !self.interactor.has_answered()?);
            }
            (Some(used), _) => self.asleep = Some((Instant::now(), used)),
        }
        Ok(false)
    }

    /// Attributes the wall time that has passed since the last attribution. This time counts for one side and is
    /// excluded for the other side. While both sides run, the relay attributes time at most once per [`TICK`].
    fn attribute_time(&mut self) {
        let since = self.attributed_until.elapsed();
        if since < TICK && !(self.submission.is_over() || self.interactor.is_over()) {
            return;
        }
        self.attributed_until += since;
        let is_the_interactors =
            self.submission.is_over() || (!self.interactor.is_over() && self.is_the_interactors_turn());
        let other = if is_the_interactors { &mut self.submission } else { &mut self.interactor };
        if let Some(monitor) = &mut other.monitor {
            monitor.exclude(since);
        }
    }

    /// Whether wall time counts for the interactor. It does while the interactor works or has something to read, unless
    /// the buffer of output to the submission is full: then the interactor is blocked because the submission does not
    /// read, and the time counts for the submission.
    fn is_the_interactors_turn(&self) -> bool {
        let works = || self.interactor.monitor.as_ref().is_some_and(|interactor| interactor.cpu_if_asleep().is_none());
        !self.to_submission.is_full() && (self.to_interactor.has_unread_bytes() || works())
    }

    /// Ends the submission if both sides wait for each other, because neither would ever continue. That is certain if
    /// two checks found that both sides wait for good ([`Monitor::waits_for_good`]), and if between the checks no event
    /// arrived and neither side used CPU time.
    fn end_deadlock(&mut self) -> Result<(), InteractiveError> {
        if !self.silence.is_due() {
            return Ok(());
        }
        let used = self.used_if_both_wait();
        if !self.silence.add_check(used) {
            return Ok(());
        }
        if let Some(submission) = &mut self.submission.monitor {
            submission.cross_deadlock();
            let last = submission.kill()?;
            self.finish_side(Side::Submission, &last)?;
        }
        Ok(())
    }

    /// Returns the CPU times of both sides if both wait for good; `None` otherwise.
    fn used_if_both_wait(&self) -> Option<(Duration, Duration)> {
        let (submission, interactor) = (self.submission.monitor.as_ref()?, self.interactor.monitor.as_ref()?);
        let used = (submission.cpu_if_asleep()?, interactor.cpu_if_asleep()?);
        let both = [submission, interactor];
        both.iter().all(|side| side.waits_for_good() && side.is_none_ending()).then_some(used)
    }

    fn check_limits(&mut self) -> Result<(), InteractiveError> {
        for side in [Side::Submission, Side::Interactor] {
            let endpoint = if side == Side::Submission { &mut self.submission } else { &mut self.interactor };
            let Some(monitor) = &mut endpoint.monitor else { continue };
            let crossed = monitor.check_limits()?;
            if side == Side::Interactor {
                self.watch.update(monitor, &self.to_interactor, &self.to_submission);
            }
            let Some(crossed) = crossed else { continue };
            if side == Side::Interactor {
                self.overload = self.watch.blame(crossed, monitor, &self.to_interactor);
            }
            let last = monitor.kill()?;
            self.finish_side(side, &last)?;
        }
        Ok(())
    }
}
