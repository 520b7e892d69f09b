//! One of the two programs of an interactive run.

use std::time::Duration;

use rustix::event::{PollFd, PollFlags};

use super::super::monitor::{LastMessage, Monitor, Ran};
use super::super::{Ended, SandboxError};
use super::poll::wait_for;

/// One side: its monitor while it runs, then its result.
pub(super) struct Endpoint<'a> {
    pub(super) monitor: Option<Monitor<'a>>,
    pub(super) ran: Option<Ran>,
}

impl<'a> Endpoint<'a> {
    pub(super) fn new(monitor: Monitor<'a>) -> Endpoint<'a> {
        Endpoint { monitor: Some(monitor), ran: None }
    }

    pub(super) fn is_over(&self) -> bool {
        self.ran.is_some()
    }

    /// Stores the result. The caller has read all output, and no process of the side is left.
    pub(super) fn finish(&mut self, last: &LastMessage) -> Result<(), SandboxError> {
        if let Some(monitor) = self.monitor.take() {
            self.ran = Some(monitor.finish(last)?);
        }
        Ok(())
    }

    pub(super) fn drain(&mut self) -> Result<(), SandboxError> {
        self.monitor.as_mut().map_or(Ok(()), Monitor::drain)
    }

    /// Whether the zygote has answered or ended.
    pub(super) fn has_answered(&self) -> Result<bool, SandboxError> {
        let Some(monitor) = &self.monitor else { return Ok(false) };
        let mut events = [PollFd::from_borrowed_fd(monitor.readiness()?, PollFlags::IN)];
        wait_for(&mut events, Duration::ZERO)?;
        Ok(!events[0].revents().is_empty())
    }

    /// Whether the side ended by itself, within its limits, with exit code 0.
    pub(super) fn has_ended_well(&self) -> bool {
        let Some(Ran::Ended { outcome, .. }) = &self.ran else { return false };
        outcome.crossed.is_none() && outcome.ended == Ended::Exited(0)
    }
}
