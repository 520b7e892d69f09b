//! Gives a fork its standard streams. The zygote sends them through a socket, and the fork receives them.

use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::os::fd::BorrowedFd;
use std::os::unix::net::UnixStream;

use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags};

use super::super::tracee::Tracee;

/// Sends one byte and the three descriptors.
pub(super) fn send_descriptors(socket: &UnixStream, standard: [BorrowedFd<'_>; 3]) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    control.push(SendAncillaryMessage::ScmRights(&standard));
    rustix::net::sendmsg(socket, &[IoSlice::new(&[0])], &mut control, SendFlags::NOSIGNAL)?;
    Ok(())
}

/// A message of one byte and three descriptors in the memory of a fork. In order: the structure `msghdr`, one `iovec`,
/// the byte, and the control data.
#[derive(Clone, Copy)]
pub(super) struct Message {
    pub(super) address: u64,
}

impl Message {
    /// The distance of the message from the stack's end, in bytes: more than 128, and the message's length.
    pub(super) const DISTANCE: u64 = 1024;
    const VECTOR_AT: u64 = 56;
    const BYTE_AT: u64 = 72;
    const CONTROL_AT: u64 = 80;
    /// The size of the control data: a length of 8 bytes, two numbers of 4 bytes, and three descriptors of 4 bytes,
    /// rounded up to 8 bytes.
    const CONTROL_BYTES: u64 = 32;

    pub(super) fn at(address: u64) -> Message {
        Message { address }
    }

    pub(super) fn write(self, fork: Tracee) -> io::Result<()> {
        let at = self.address;
        let header = [0, 0, at + Self::VECTOR_AT, 1, at + Self::CONTROL_AT, Self::CONTROL_BYTES, 0];
        let vector = [at + Self::BYTE_AT, 1];
        for (word, address) in header.into_iter().chain(vector).zip((at..).step_by(8)) {
            fork.set_word(address, word)?;
        }
        Ok(())
    }

    /// Returns the numbers of the descriptors that the fork has received.
    pub(super) fn descriptors(self, fork: Tracee) -> io::Result<[u64; 3]> {
        let word = |index: u64| fork.word(self.address + Self::CONTROL_AT + 8 * index);
        let (length, first_two, third) = (word(0)?, word(2)?, word(3)?);
        if length != 28 {
            return Err(io::Error::other("a fork has received another number of descriptors than three"));
        }
        Ok([first_two & 0xffff_ffff, first_two >> 32, third & 0xffff_ffff])
    }
}
