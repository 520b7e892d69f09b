//! Sends and receives messages between the judge and its helpers. A message is a length of 4 bytes, then JSON. File
//! descriptors are sent together with the length.
//!
//! The judge must not wait for ever, so its sockets have short timeouts and each wait has a deadline. The helpers wait
//! without a timeout, because their sockets close when the judge ends.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::super::deadline::Deadline;

/// Maximum number of descriptors in a message. A message carries a socket and the join files of a control group, or
/// three streams.
const MAX_FDS: usize = 8;

/// Maximum size of a message, in bytes. A message consists mostly of arguments and environment variables, whose size
/// the kernel limits.
const MAX_BYTES: usize = 64 << 20;

/// Maximum wait for a helper. Each step takes milliseconds, but the kernel can be busy when hundreds of processes end.
pub(super) const TIMEOUT: Duration = Duration::from_secs(60);

/// Sends a message and its descriptors.
pub(super) fn send<T: Serialize>(socket: &UnixStream, message: &T, fds: &[BorrowedFd<'_>]) -> io::Result<()> {
    let deadline = &mut Deadline::new(TIMEOUT);
    let mut frame = vec![0; 4];
    serde_json::to_writer(&mut frame, message)?;
    let length = u32::try_from(frame.len() - 4).map_err(io::Error::other)?;
    frame[..4].copy_from_slice(&length.to_le_bytes());
    let mut sent = 0;
    if !fds.is_empty() {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_FDS))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        if !control.push(SendAncillaryMessage::ScmRights(fds)) {
            return Err(io::Error::other("a message between the judge and a helper has too many descriptors"));
        }
        let parts = [IoSlice::new(&frame)];
        sent = retry(deadline, || rustix::net::sendmsg(socket, &parts, &mut control, SendFlags::NOSIGNAL))?;
    }
    // This does not use `write`, which would raise SIGPIPE if the other side has ended. It does not use `sendmsg`
    // either, because the zygote's own filter refuses it.
    while sent < frame.len() {
        sent += retry(deadline, || rustix::net::send(socket, &frame[sent..], SendFlags::NOSIGNAL))?;
    }
    Ok(())
}

/// Receives a message and its descriptors; `None` if the other side has closed the socket.
pub(super) fn receive<T: DeserializeOwned>(socket: &UnixStream) -> io::Result<Option<(T, Vec<OwnedFd>)>> {
    receive_within(TIMEOUT, socket)
}

/// Receives a message like [`receive`], with another timeout. Fails with `TimedOut` after `timeout`. A socket without a
/// read timeout of its own waits without a limit instead.
pub(super) fn receive_within<T: DeserializeOwned>(
    timeout: Duration,
    socket: &UnixStream,
) -> io::Result<Option<(T, Vec<OwnedFd>)>> {
    let deadline = &mut Deadline::new(timeout);
    let mut length = [0; 4];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_FDS))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let got = retry(deadline, || {
        let mut parts = [IoSliceMut::new(&mut length)];
        rustix::net::recvmsg(socket.as_fd(), &mut parts, &mut control, RecvFlags::CMSG_CLOEXEC)
    })?;
    let mut fds = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(received) = message {
            fds.extend(received);
        }
    }
    if got.bytes == 0 {
        return Ok(None);
    }
    receive_rest(socket, deadline, &mut length[got.bytes..])?;
    let length = u32::from_le_bytes(length) as usize;
    if length > MAX_BYTES {
        return Err(io::Error::other("a message between the judge and a helper is too long"));
    }
    let mut text = vec![0; length];
    receive_rest(socket, deadline, &mut text)?;
    Ok(Some((serde_json::from_slice(&text)?, fds)))
}

fn receive_rest(socket: &UnixStream, deadline: &mut Deadline, rest: &mut [u8]) -> io::Result<()> {
    let mut got = 0;
    while got < rest.len() {
        match retry(deadline, || rustix::io::read(socket, &mut rest[got..]))? {
            0 => return Err(io::Error::from(io::ErrorKind::UnexpectedEof)),
            more => got += more,
        }
    }
    Ok(())
}

/// Repeats a call that was interrupted (EINTR) or has timed out (EAGAIN), until the deadline has passed. The kernel
/// reports the timeout of a socket as EAGAIN.
fn retry<T>(deadline: &mut Deadline, mut call: impl FnMut() -> rustix::io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(rustix::io::Errno::AGAIN) if deadline.has_passed() => {
                return Err(io::Error::from(io::ErrorKind::TimedOut));
            }
            Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => {}
            result => return Ok(result?),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_message_arrives_with_its_descriptors_and_the_end_is_none() {
        let (here, there) = UnixStream::pair().unwrap();
        let (read, write) = std::io::pipe().unwrap();
        send(&here, &("words", 7), &[write.as_fd()]).unwrap();
        send(&here, &("more", 8), &[]).unwrap();
        drop((here, write));
        let (message, fds): ((String, i32), _) = receive(&there).unwrap().unwrap();
        assert_eq!((message, fds.len()), (("words".to_owned(), 7), 1));
        std::fs::File::from(fds.into_iter().next().unwrap()).write_all(b"through").unwrap();
        assert_eq!(std::io::read_to_string(read).unwrap(), "through");
        assert_eq!(receive::<(String, i32)>(&there).unwrap().unwrap().0, ("more".to_owned(), 8));
        assert!(receive::<(String, i32)>(&there).unwrap().is_none());
    }

    #[test]
    fn a_length_beyond_the_largest_is_refused() {
        let (mut here, there) = UnixStream::pair().unwrap();
        here.write_all(&u32::MAX.to_le_bytes()).unwrap();
        assert!(receive::<u8>(&there).unwrap_err().to_string().contains("too long"));
    }

    #[test]
    fn a_late_message_in_many_pieces_is_complete_and_a_missing_one_times_out() {
        let slice = Duration::from_millis(5);
        let (here, there) = UnixStream::pair().unwrap();
        there.set_read_timeout(Some(slice)).unwrap();
        here.set_write_timeout(Some(slice)).unwrap();
        let long = "x".repeat(1 << 22);
        let sent = std::thread::scope(|scope| {
            let receiver = scope.spawn(|| {
                std::thread::sleep(10 * slice);
                receive::<String>(&there).unwrap().unwrap().0
            });
            send(&here, &long, &[]).unwrap();
            receiver.join().unwrap()
        });
        assert!(sent == long);
        let waited = receive_within::<String>(4 * slice, &there);
        assert_eq!(waited.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }
}
