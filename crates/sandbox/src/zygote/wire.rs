//! Sends and receives messages between the judge and its helpers. A message is a length of 4 bytes, then JSON. It is
//! sent in packets: the socket keeps their boundaries, so that one call receives a short message as a whole. File
//! descriptors are sent together with the first packet.
//!
//! The judge must not wait for ever, so its sockets have short timeouts and each wait has a deadline. The helpers wait
//! without a timeout, because their sockets close when the judge ends.

use std::cmp::Ordering;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, SocketFlags, SocketType,
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

/// Maximum size of a packet, in bytes. A request for a run and its answer fit.
const PACKET_BYTES: usize = 4 << 10;

/// The bytes of a message that give its length.
const LENGTH_BYTES: usize = 4;

/// Maximum wait for a helper. Each step takes milliseconds, but the kernel can be busy when hundreds of processes end.
pub(super) const TIMEOUT: Duration = Duration::from_secs(60);

/// Makes two connected sockets that keep the boundaries of packets.
pub(super) fn pair() -> io::Result<(UnixStream, UnixStream)> {
    let (here, there) =
        rustix::net::socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
    Ok((here.into(), there.into()))
}

/// Sends a message and its descriptors.
pub(super) fn send<T: Serialize>(socket: &UnixStream, message: &T, fds: &[BorrowedFd<'_>]) -> io::Result<()> {
    let deadline = &mut Deadline::new(TIMEOUT);
    let mut frame = vec![0; LENGTH_BYTES];
    serde_json::to_writer(&mut frame, message)?;
    let length = u32::try_from(frame.len() - LENGTH_BYTES).map_err(io::Error::other)?;
    frame[..LENGTH_BYTES].copy_from_slice(&length.to_le_bytes());
    let mut packets = frame.chunks(PACKET_BYTES);
    if !fds.is_empty() {
        let first = packets.next().unwrap_or_default();
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_FDS))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        if !control.push(SendAncillaryMessage::ScmRights(fds)) {
            return Err(io::Error::other("a message between the judge and a helper has too many descriptors"));
        }
        let parts = [IoSlice::new(first)];
        retry(deadline, || rustix::net::sendmsg(socket, &parts, &mut control, SendFlags::NOSIGNAL))?;
    }
    // This does not use `write`, which would raise SIGPIPE if the other side has ended. It does not use `sendmsg`
    // either, because the zygote's own filter refuses it.
    for packet in packets {
        retry(deadline, || rustix::net::send(socket, packet, SendFlags::NOSIGNAL))?;
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
    let mut packet = [0; PACKET_BYTES];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_FDS))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let got = retry(deadline, || {
        let mut parts = [IoSliceMut::new(&mut packet)];
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
    let (length, start) = packet[..got.bytes]
        .split_first_chunk::<LENGTH_BYTES>()
        .ok_or_else(|| io::Error::other("a message between the judge and a helper is cut off"))?;
    let length = u32::from_le_bytes(*length) as usize;
    if length > MAX_BYTES {
        return Err(io::Error::other("a message between the judge and a helper is too long"));
    }
    let message = match start.len().cmp(&length) {
        Ordering::Equal => serde_json::from_slice(start)?,
        Ordering::Less => serde_json::from_slice(&with_the_other_packets(socket, deadline, start, length)?)?,
        Ordering::Greater => {
            return Err(io::Error::other("a message between the judge and a helper is longer than its length says"));
        }
    };
    Ok(Some((message, fds)))
}

/// Receives the other packets of a message of `length` bytes. Returns the whole message.
fn with_the_other_packets(
    socket: &UnixStream,
    deadline: &mut Deadline,
    start: &[u8],
    length: usize,
) -> io::Result<Vec<u8>> {
    let mut text = vec![0; length];
    let mut got = start.len();
    text[..got].copy_from_slice(start);
    while got < length {
        match retry(deadline, || rustix::io::read(socket, &mut text[got..]))? {
            0 => return Err(io::Error::from(io::ErrorKind::UnexpectedEof)),
            more => got += more,
        }
    }
    Ok(text)
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
        let (here, there) = pair().unwrap();
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
    fn messages_that_were_sent_together_are_received_one_by_one() {
        let (here, there) = pair().unwrap();
        let just_one_packet = "x".repeat(PACKET_BYTES - LENGTH_BYTES - 2);
        for text in ["", just_one_packet.as_str(), &format!("{just_one_packet}y"), "end"] {
            send(&here, &text, &[]).unwrap();
        }
        let lengths: Vec<_> = (0..4).map(|_| receive::<String>(&there).unwrap().unwrap().0.len()).collect();
        assert_eq!(lengths, [0, 4090, 4091, 3]);
    }

    #[test]
    fn a_message_with_a_wrong_length_is_refused() {
        let (mut here, there) = pair().unwrap();
        let mut refused = |packet: &[u8]| {
            here.write_all(packet).unwrap();
            receive::<u8>(&there).unwrap_err().to_string()
        };
        assert!(refused(&u32::MAX.to_le_bytes()).contains("too long"));
        assert!(refused(b"\x01\0\0\x0077").contains("longer than its length"));
        assert!(refused(b"\x01\0").contains("cut off"));
    }

    #[test]
    fn a_late_message_in_many_pieces_is_complete_and_a_missing_one_times_out() {
        let slice = Duration::from_millis(5);
        let (here, there) = pair().unwrap();
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
