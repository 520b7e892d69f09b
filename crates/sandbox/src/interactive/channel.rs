//! One direction of a talk: what one side has said and the other has not got yet.

use std::collections::VecDeque;
use std::io::IoSlice;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use super::super::{SandboxError, system};

/// So many bytes are held between the two. Pipes hold as much once more on either side.
const HELD_BYTES: usize = 64 << 10;

/// How much is read at a time.
const PIECE_BYTES: usize = 16 << 10;

/// The judge's ends of the sender's output and the receiver's input, and the bytes in between.
pub(super) struct Channel {
    /// Gone once it has ended.
    from: Option<OwnedFd>,
    /// `None` once the receiver is gone, or everything is delivered.
    to: Option<OwnedFd>,
    held: VecDeque<u8>,
    /// When the listener had room for something last.
    delivered: Option<Instant>,
}

/// A listener that has read something so short a time ago still reads.
const STILL_READS: Duration = Duration::from_secs(1);

impl Channel {
    pub(super) fn new(from: OwnedFd, to: OwnedFd) -> Channel {
        Channel { from: Some(from), to: Some(to), held: VecDeque::new(), delivered: None }
    }

    /// What to wait for something to read from, if there is room for it.
    pub(super) fn source(&self) -> Option<BorrowedFd<'_>> {
        self.from.as_ref().filter(|_| !self.is_full()).map(AsFd::as_fd)
    }

    /// What to wait for room in, if there is something to deliver.
    pub(super) fn sink(&self) -> Option<BorrowedFd<'_>> {
        self.to.as_ref().filter(|_| !self.held.is_empty()).map(AsFd::as_fd)
    }

    /// Whether the speaker has to wait for the listener.
    pub(super) fn is_full(&self) -> bool {
        self.held.len() >= HELD_BYTES
    }

    /// Returns whether the sender sends more than the receiver can read, although the receiver does read.
    pub(super) fn is_flooded(&self) -> bool {
        self.is_full() && self.delivered.is_some_and(|delivered| delivered.elapsed() < STILL_READS)
    }

    /// Whether the listener has something to read. Where the kernel does not tell, it has.
    pub(super) fn is_waiting_to_be_read(&self) -> bool {
        let Some(to) = &self.to else { return false };
        !self.held.is_empty() || rustix::io::ioctl_fionread(to).map_or(true, |bytes| bytes > 0)
    }

    /// Whether the speaker has closed its output, and everything was handed over.
    pub(super) fn is_drained(&self) -> bool {
        self.from.is_none() && self.held.is_empty()
    }

    /// Whether the listener still has an input that has not ended.
    pub(super) fn is_open(&self) -> bool {
        self.to.is_some()
    }

    /// Closes the receiver's input: there is nothing more to deliver, or the receiver is gone.
    pub(super) fn close(&mut self) {
        self.to = None;
        self.held.clear();
    }

    /// Reads what the speaker has said, as far as there is room. `hear` says how much of a piece is to be delivered.
    pub(super) fn fetch(&mut self, hear: impl FnMut(&[u8]) -> Result<usize, SandboxError>) -> Result<(), SandboxError> {
        self.fetch_up_to(HELD_BYTES, hear)
    }

    /// The speaker has ended: reads all that is left in its pipe, which holds no more than the kernel lets a pipe hold.
    pub(super) fn fetch_rest(
        &mut self,
        hear: impl FnMut(&[u8]) -> Result<usize, SandboxError>,
    ) -> Result<(), SandboxError> {
        self.fetch_up_to(usize::MAX, hear)?;
        self.from = None;
        Ok(())
    }

    fn fetch_up_to(
        &mut self,
        most: usize,
        mut hear: impl FnMut(&[u8]) -> Result<usize, SandboxError>,
    ) -> Result<(), SandboxError> {
        let mut piece = [0; PIECE_BYTES];
        while let Some(from) = self.from.as_ref().filter(|_| self.held.len() < most) {
            match rustix::io::read(from, &mut piece) {
                Ok(0) => self.from = None,
                Ok(length) => {
                    let told = hear(&piece[..length])?;
                    if self.to.is_some() {
                        self.held.extend(&piece[..told]);
                    }
                    // A pipe that was not full gives all at once: another look would find nothing.
                    if length < PIECE_BYTES && most == HELD_BYTES {
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

    /// Hands over what the listener has room for.
    pub(super) fn deliver(&mut self) -> Result<(), SandboxError> {
        while let Some(to) = self.to.as_ref().filter(|_| !self.held.is_empty()) {
            let (front, back) = self.held.as_slices();
            match rustix::io::writev(to, &[IoSlice::new(front), IoSlice::new(back)]) {
                Ok(length) => {
                    drop(self.held.drain(..length));
                    self.delivered = Some(Instant::now());
                }
                // It has closed its input.
                Err(rustix::io::Errno::PIPE) => self.close(),
                Err(rustix::io::Errno::AGAIN) => return Ok(()),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(system("handing over an output")(error.into())),
            }
        }
        Ok(())
    }
}
