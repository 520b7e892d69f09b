//! Reads the output of a program from its pipe.

use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::Arc;

use super::super::output::Spool;
use super::super::zygote::Source;
use super::super::{SandboxError, system};

/// The number of bytes that the monitor reads from a pipe at a time.
const BLOCK_BYTES: usize = 16 * 1024;

/// The number of blocks that the monitor reads before it checks the limits again. Together, these blocks hold more than
/// a full pipe (1 MiB for a program without privileges), so one round reads the rest of an ended program's output.
const MOST_READS: usize = 128;

/// The streams of a program: its own ends, and the judge's ends of its outputs.
pub(in super::super) struct Streams<'a> {
    pub(in super::super) input: (BorrowedFd<'a>, Source),
    /// The program's ends of standard output and standard error.
    pub(in super::super) outputs: ([BorrowedFd<'a>; 2], Source),
    pub(in super::super) stdout: Stream,
    pub(in super::super) stderr: Stream,
}

/// An output pipe and the bytes read from it. The pipe is `None` once it has ended or the output has overflowed, or if
/// the caller reads it.
pub(in super::super) struct Stream {
    pub(super) pipe: Option<Arc<OwnedFd>>,
    pub(super) spool: Spool,
}

impl Stream {
    /// Makes a stream. The monitor stores up to `most_bytes` of its bytes. More bytes exceed the output limit.
    pub(in super::super) fn stored(pipe: Arc<OwnedFd>, most_bytes: u64) -> Stream {
        Stream { pipe: Some(pipe), spool: Spool::new(most_bytes) }
    }

    /// Makes a stream. The monitor stores up to `most_bytes` of its bytes and discards the rest.
    pub(in super::super) fn truncated(pipe: Arc<OwnedFd>, most_bytes: u64) -> Stream {
        Stream { pipe: Some(pipe), spool: Spool::truncating(most_bytes) }
    }

    /// Makes a stream that the caller reads. The monitor only counts its bytes.
    pub(in super::super) fn counted(most_bytes: u64) -> Stream {
        Stream { pipe: None, spool: Spool::counting(most_bytes) }
    }

    /// Reads the bytes that are in the pipe, without waiting and without reading much more than the cap. Bytes beyond
    /// the cap of a truncated stream are discarded. One call reads at most [`MOST_READS`] blocks, because the program
    /// may write as fast as the judge reads, and the judge must check the limits in between. Returns the number of
    /// bytes that were read.
    pub(super) fn drain(&mut self, cap: u64) -> Result<u64, SandboxError> {
        let (mut buffer, mut read) = ([0; BLOCK_BYTES], 0);
        self.spool.cap_at(cap);
        for _ in 0..MOST_READS {
            let Some(pipe) = &self.pipe else { break };
            match rustix::io::read(pipe, &mut buffer) {
                Ok(0) => self.pipe = None,
                Ok(length) => {
                    read += length as u64;
                    self.spool.take(&buffer[..length]).map_err(system("storing an output"))?;
                }
                Err(rustix::io::Errno::AGAIN) => break,
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(system("reading an output")(error.into())),
            }
            if self.spool.overflowed() {
                self.pipe = None;
            }
        }
        Ok(read)
    }
}
