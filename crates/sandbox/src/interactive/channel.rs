//! One direction of an interactive run: the bytes that one side has sent and the other side has not received yet.

use std::collections::VecDeque;
use std::io::IoSlice;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use super::super::{SandboxError, system};

/// A channel is full once it buffers this many bytes, 64 KiB. The sender's pipe and the receiver's pipe can each store
/// another 64 KiB.
const MAX_BUFFERED_BYTES: usize = 64 << 10;

/// Maximum number of bytes of one read.
const MAX_READ_BYTES: usize = 16 << 10;

/// The judge's ends of the sender's output and the receiver's input, and the bytes that were read from the output and
/// not yet written to the input.
pub(super) struct Channel {
    /// The sender's output; `None` once the sender has closed it or has ended.
    from: Option<OwnedFd>,
    /// The receiver's input; `None` once the receiver has closed it or has ended, or once the end of the sender's
    /// output was passed on.
    to: Option<OwnedFd>,
    buffered: VecDeque<u8>,
    deliveries: u64,
    deliveries_from_full: u64,
}

impl Channel {
    pub(super) fn new(from: OwnedFd, to: OwnedFd) -> Channel {
        Channel { from: Some(from), to: Some(to), buffered: VecDeque::new(), deliveries: 0, deliveries_from_full: 0 }
    }

    /// The descriptor to poll for reading; `None` if the channel is full or the output has ended.
    pub(super) fn source(&self) -> Option<BorrowedFd<'_>> {
        self.from.as_ref().filter(|_| !self.is_full()).map(AsFd::as_fd)
    }

    /// The descriptor to poll for writing; `None` if there is nothing to deliver.
    pub(super) fn sink(&self) -> Option<BorrowedFd<'_>> {
        self.to.as_ref().filter(|_| !self.buffered.is_empty()).map(AsFd::as_fd)
    }

    /// Whether the sender has to wait for the receiver.
    pub(super) fn is_full(&self) -> bool {
        self.buffered.len() >= MAX_BUFFERED_BYTES
    }

    /// The number of deliveries to the receiver's pipe.
    pub(super) fn deliveries(&self) -> u64 {
        self.deliveries
    }

    /// The number of deliveries that made room in a full channel. On a busy machine, the receiver may empty the channel
    /// before the sender runs again. So the sender may be flooding the channel even if the channel is not full at the
    /// moment.
    pub(super) fn deliveries_from_full(&self) -> u64 {
        self.deliveries_from_full
    }

    /// Whether the receiver has unread bytes. Returns true if the kernel does not report how many.
    pub(super) fn has_unread_bytes(&self) -> bool {
        let Some(to) = &self.to else { return false };
        !self.buffered.is_empty() || rustix::io::ioctl_fionread(to).map_or(true, |bytes| bytes > 0)
    }

    /// Whether the sender has closed its output and everything was delivered.
    pub(super) fn is_drained(&self) -> bool {
        self.from.is_none() && self.buffered.is_empty()
    }

    /// Whether the receiver's input is still open.
    pub(super) fn is_open(&self) -> bool {
        self.to.is_some()
    }

    /// Closes the receiver's input, and drops the bytes that were not delivered.
    pub(super) fn close(&mut self) {
        self.to = None;
        self.buffered.clear();
    }

    /// Reads the sender's output while the channel is not full. `count` receives the bytes read, and returns how many
    /// of them are within the output limit and may be delivered.
    pub(super) fn fetch(
        &mut self,
        count: impl FnMut(&[u8]) -> Result<usize, SandboxError>,
    ) -> Result<(), SandboxError> {
        self.fetch_up_to(MAX_BUFFERED_BYTES, count)
    }

    /// Reads the rest of the pipe of a sender that has ended, also beyond the capacity of the channel. The rest is at
    /// most as large as the pipe.
    pub(super) fn fetch_rest(
        &mut self,
        count: impl FnMut(&[u8]) -> Result<usize, SandboxError>,
    ) -> Result<(), SandboxError> {
        self.fetch_up_to(usize::MAX, count)?;
        self.from = None;
        Ok(())
    }

    fn fetch_up_to(
        &mut self,
        most: usize,
        mut count: impl FnMut(&[u8]) -> Result<usize, SandboxError>,
    ) -> Result<(), SandboxError> {
        let mut piece = [0; MAX_READ_BYTES];
        while let Some(from) = self.from.as_ref().filter(|_| self.buffered.len() < most) {
            match rustix::io::read(from, &mut piece) {
                Ok(0) => self.from = None,
                Ok(length) => {
                    let allowed = count(&piece[..length])?;
                    if self.to.is_some() {
                        self.buffered.extend(&piece[..allowed]);
                    }
                    // A short read means that the pipe is empty for now. If the sender has ended, this reads on until
                    // the end of the pipe.
                    if length < MAX_READ_BYTES && most == MAX_BUFFERED_BYTES {
                        return Ok(());
                    }
                }
                Err(rustix::io::Errno::AGAIN) => return Ok(()),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(system("reading an output")(error.into())),
            }
        }
        Ok(())
    }

    /// Delivers as much as the receiver's pipe takes.
    pub(super) fn deliver(&mut self) -> Result<(), SandboxError> {
        while let Some(to) = self.to.as_ref().filter(|_| !self.buffered.is_empty()) {
            let (front, back) = self.buffered.as_slices();
            match rustix::io::writev(to, &[IoSlice::new(front), IoSlice::new(back)]) {
                Ok(length) => {
                    self.deliveries += 1;
                    self.deliveries_from_full += u64::from(self.is_full());
                    drop(self.buffered.drain(..length));
                }
                // The receiver has closed its input.
                Err(rustix::io::Errno::PIPE) => self.close(),
                Err(rustix::io::Errno::AGAIN) => return Ok(()),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(system("delivering an output")(error.into())),
            }
        }
        Ok(())
    }
}
