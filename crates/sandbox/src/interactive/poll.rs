//! Waits for descriptors.

use std::time::Duration;

use rustix::event::{PollFd, Timespec, poll};

use super::super::{SandboxError, system};

/// Sleeps until one of `events` arrives, at most for `timeout`.
pub(super) fn wait_for(events: &mut [PollFd<'_>], timeout: Duration) -> Result<(), SandboxError> {
    match poll(events, Timespec::try_from(timeout).ok().as_ref()) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(system("waiting for the submission and the interactor")(error.into())),
    }
}
