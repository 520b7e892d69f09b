//! Reads files that the user names. Reading a terminal or a pipe may wait for a long time, so the user can interrupt
//! the wait.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::time::Duration;

use rustix::fs::OFlags;

use referee_sandbox::interrupt;

/// The size of the read buffer, in bytes.
const BUFFER_BYTES: usize = 1 << 16;

/// A buffered reader. The user can interrupt it while it waits for data.
pub(super) type Input = BufReader<InterruptibleFile>;

pub(super) struct InterruptibleFile(File);

/// Returns a reader of standard input.
pub(super) fn standard() -> io::Result<Input> {
    let copy = io::stdin().as_fd().try_clone_to_owned()?;
    Ok(BufReader::with_capacity(BUFFER_BYTES, InterruptibleFile(File::from(copy))))
}

/// Opens the file at `path`. Opening a pipe does not wait for a writer; reading does.
pub(super) fn open(path: &Path) -> io::Result<Input> {
    let file = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    Ok(BufReader::with_capacity(BUFFER_BYTES, InterruptibleFile(file)))
}

impl Read for InterruptibleFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            interrupt::wait_for_input(&self.0)?;
            match self.0.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
        }
    }
}

/// A reader that fails after `most_bytes`, because the input may have no end.
pub(super) struct SizeLimited<R> {
    inner: R,
    most_bytes: u64,
    bytes_left: u64,
}

impl<R> SizeLimited<R> {
    pub(super) fn new(most_bytes: u64, inner: R) -> Self {
        SizeLimited { inner, most_bytes, bytes_left: most_bytes }
    }
}

impl<R: Read> Read for SizeLimited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        match self.bytes_left.checked_sub(length as u64) {
            Some(left) => self.bytes_left = left,
            None => return Err(io::Error::other(format!("it has more than {} MiB", self.most_bytes >> 20))),
        }
        Ok(length)
    }
}

/// The time between two attempts to open a pipe.
const RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// Opens a pipe or a device for writing. Waits until a pipe has a reader.
pub(super) fn open_for_writing(path: &Path) -> io::Result<File> {
    let is_pipe = path.metadata()?.file_type().is_fifo();
    loop {
        match File::options().write(true).custom_flags(libc::O_NONBLOCK).open(path) {
            Err(error) if is_pipe && error.raw_os_error() == Some(libc::ENXIO) => {}
            opened => {
                let file = opened?;
                let flags = rustix::fs::fcntl_getfl(&file)?;
                rustix::fs::fcntl_setfl(&file, flags - OFlags::NONBLOCK)?;
                return Ok(file);
            }
        }
        if interrupt::happened() {
            return Err(io::Error::other("interrupted"));
        }
        std::thread::sleep(RETRY_INTERVAL);
    }
}
