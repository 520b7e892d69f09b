//! Messages between the judge and its helpers: a length, then JSON; file descriptors go along with the length.

use std::io::{self, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The most descriptors that a message carries: a socket and the entrances of a control group, or three streams.
const MOST_FDS: usize = 8;

/// No message is longer: arguments and environment, which the kernel itself limits.
const MOST_BYTES: usize = 64 << 20;

/// Sends a message and its descriptors.
pub(super) fn send<T: Serialize>(mut socket: &UnixStream, message: &T, fds: &[BorrowedFd<'_>]) -> io::Result<()> {
    let mut frame = vec![0; 4];
    serde_json::to_writer(&mut frame, message)?;
    let length = u32::try_from(frame.len() - 4).map_err(io::Error::other)?;
    frame[..4].copy_from_slice(&length.to_le_bytes());
    if fds.is_empty() {
        // A zygote's own filter refuses the other call.
        let sent = retry(|| rustix::net::send(socket, &frame, SendFlags::NOSIGNAL))?;
        return socket.write_all(&frame[sent..]);
    }
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_FDS))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !control.push(SendAncillaryMessage::ScmRights(fds)) {
        return Err(io::Error::other("too many descriptors for a message"));
    }
    // A peer that is gone is an error to be told, not a signal.
    let sent =
        retry(|| rustix::net::sendmsg(socket.as_fd(), &[IoSlice::new(&frame)], &mut control, SendFlags::NOSIGNAL))?;
    socket.write_all(&frame[sent..])
}

/// Receives a message and its descriptors; `None` once the other side is gone.
pub(super) fn receive<T: DeserializeOwned>(mut socket: &UnixStream) -> io::Result<Option<(T, Vec<OwnedFd>)>> {
    let mut length = [0; 4];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_FDS))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let got = retry(|| {
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
    socket.read_exact(&mut length[got.bytes..])?;
    let length = u32::from_le_bytes(length) as usize;
    if length > MOST_BYTES {
        return Err(io::Error::other("a message is too long"));
    }
    let mut text = vec![0; length];
    socket.read_exact(&mut text)?;
    Ok(Some((serde_json::from_slice(&text)?, fds)))
}

/// The kernel says that a socket's time is up as if there had been nothing to wait for.
fn retry<T>(mut call: impl FnMut() -> rustix::io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(rustix::io::Errno::INTR) => {}
            Err(rustix::io::Errno::AGAIN) => return Err(io::Error::from(io::ErrorKind::TimedOut)),
            result => return Ok(result?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_arrives_with_its_descriptors_and_the_end_is_told_from_it() {
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
    fn a_length_that_nobody_sends_is_refused() {
        let (mut here, there) = UnixStream::pair().unwrap();
        here.write_all(&u32::MAX.to_le_bytes()).unwrap();
        assert!(receive::<u8>(&there).unwrap_err().to_string().contains("too long"));
    }
}
