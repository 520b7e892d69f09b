//! Keeps the streams of a zygote for its next run. This takes less time than making, sending and closing new ones.
//!
//! The next program must find a stream as if it were new, and must not learn from it what the program before it did. So
//! the judge keeps streams only if no process of a run outlives the run (in a PID namespace), and if the filter refuses
//! to lock files and to change their modes, owners and receivers of signals. After a run the judge compares everything
//! else that a program can change, and replaces a stream that differs.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::sync::Arc;

use rustix::fs::{MemfdFlags, OFlags, SeekFrom, Timespec, Timestamps, UTIME_NOW};

use super::super::plan::ZygotePlan;
use super::pipe;

/// The streams that one zygote keeps. Each is `None` before the first run, and after a run that changed it.
#[derive(Debug)]
pub(in super::super) struct KeptStreams {
    pub(super) may_keep: MayKeep,
    pub(super) input: Option<KeptInput>,
    pub(super) outputs: Option<OutputPipes>,
}

/// The streams that a zygote may keep.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct MayKeep {
    pub(super) input: bool,
    pub(super) outputs: bool,
}

impl MayKeep {
    /// For a zygote with this plan, which runs in a PID namespace or not.
    pub(in super::super) fn of(in_namespace: bool, plan: &ZygotePlan) -> MayKeep {
        // With a writable folder, the filter allows locks and other changes.
        let outputs = in_namespace && plan.isolation.filter && plan.scratch.is_none();
        let is_another_user = plan.identity.is_some_and(|user| user != rustix::process::geteuid().as_raw());
        MayKeep { input: outputs && is_another_user, outputs }
    }
}

impl KeptStreams {
    pub(in super::super) fn new(may_keep: MayKeep) -> KeptStreams {
        KeptStreams { may_keep, input: None, outputs: None }
    }
}

/// The pipes of standard output and standard error.
#[derive(Debug)]
pub(super) struct OutputPipes {
    pub(super) stdout: OutputPipe,
    pub(super) stderr: OutputPipe,
}

/// A pipe, and its properties when it was made; `None` if it serves one run only.
#[derive(Debug)]
pub(super) struct OutputPipe {
    pub(super) read: Arc<OwnedFd>,
    pub(super) write: OwnedFd,
    as_made: Option<Properties>,
}

/// A file in memory that contains the input of one run after another. Only its owner can change it, so the program must
/// run as another user.
#[derive(Debug)]
pub(super) struct KeptInput {
    memory: File,
    /// The program's descriptor, which can only read.
    reader: OwnedFd,
    length: u64,
    as_made: Properties,
}

impl OutputPipes {
    /// Makes the pipes for one run, or for several runs if they `may_be_kept`.
    pub(super) fn new(may_be_kept: bool) -> io::Result<OutputPipes> {
        Ok(OutputPipes { stdout: OutputPipe::new(may_be_kept)?, stderr: OutputPipe::new(may_be_kept)? })
    }

    /// Whether both pipes may be kept, and are as they were made: empty, and with the same properties.
    pub(super) fn are_as_made(&self) -> bool {
        self.stdout.is_as_made() && self.stderr.is_as_made()
    }

    /// Hides from the next program when the one before it used the pipes.
    pub(super) fn begin(&self) -> io::Result<()> {
        set_times_to_now(self.stdout.write.as_fd())?;
        set_times_to_now(self.stderr.write.as_fd())
    }
}

impl OutputPipe {
    fn new(may_be_kept: bool) -> io::Result<OutputPipe> {
        let (read, write) = pipe()?;
        let as_made = if may_be_kept { Some(Properties::of_pipe(write.as_fd())?) } else { None };
        Ok(OutputPipe { read: Arc::new(read), write, as_made })
    }

    fn is_as_made(&self) -> bool {
        let Some(as_made) = self.as_made else { return false };
        let is_empty = rustix::io::ioctl_fionread(&*self.read).is_ok_and(|bytes| bytes == 0);
        is_empty && Properties::of_pipe(self.write.as_fd()).is_ok_and(|now| now == as_made)
    }
}

impl KeptInput {
    pub(super) fn new() -> io::Result<KeptInput> {
        let memory = File::from(rustix::fs::memfd_create("input", MemfdFlags::CLOEXEC)?);
        memory.set_permissions(PermissionsExt::from_mode(0o444))?;
        let reader = OwnedFd::from(File::open(format!("/proc/self/fd/{}", memory.as_raw_fd()))?);
        let as_made = Properties::of_file(reader.as_fd())?;
        Ok(KeptInput { memory, reader, length: 0, as_made })
    }

    pub(super) fn reader(&self) -> BorrowedFd<'_> {
        self.reader.as_fd()
    }

    /// Replaces the content, and hides from the next program what the one before it did with the file.
    pub(super) fn begin(&mut self, content: &[u8]) -> io::Result<()> {
        self.memory.write_all_at(content, 0)?;
        if (content.len() as u64) < self.length {
            self.memory.set_len(content.len() as u64)?;
        }
        self.length = content.len() as u64;
        rustix::fs::seek(&self.reader, SeekFrom::Start(0))?;
        set_times_to_now(self.memory.as_fd())
    }

    /// Whether the program's descriptor has the properties with which it was made.
    pub(super) fn is_as_made(&self) -> bool {
        Properties::of_file(self.reader.as_fd()).is_ok_and(|now| now == self.as_made)
    }
}

/// The properties of a descriptor and its file that a program can change and the next program can see. The filter lets no
/// program change any other property ([`super::super::isolation`]). The judge itself resets the content, the times and
/// the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Properties {
    flags: OFlags,
    /// The capacity of a pipe in bytes; `None` for a file.
    capacity: Option<usize>,
}

impl Properties {
    fn of_pipe(fd: BorrowedFd<'_>) -> io::Result<Properties> {
        let flags = rustix::fs::fcntl_getfl(fd)?;
        Ok(Properties { flags, capacity: Some(rustix::pipe::fcntl_getpipe_size(fd)?) })
    }

    fn of_file(fd: BorrowedFd<'_>) -> io::Result<Properties> {
        Ok(Properties { flags: rustix::fs::fcntl_getfl(fd)?, capacity: None })
    }
}

fn set_times_to_now(fd: BorrowedFd<'_>) -> io::Result<()> {
    let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
    Ok(rustix::fs::futimens(fd, &Timestamps { last_access: now, last_modification: now })?)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::super::super::plan::ScratchPlan;
    use super::super::super::{Mode, Program, machine};
    use super::*;

    #[test]
    fn outputs_are_kept_after_writing_and_reading() {
        let outputs = OutputPipes::new(true).unwrap();
        assert!(outputs.are_as_made());
        rustix::io::write(&outputs.stdout.write, b"text").unwrap();
        assert!(!outputs.are_as_made(), "it contains output");
        rustix::io::read(&*outputs.stdout.read, &mut [0; 4]).unwrap();
        outputs.begin().unwrap();
        assert!(outputs.are_as_made());
    }

    #[test]
    fn streams_are_kept_only_in_a_namespace_with_the_filter_and_without_a_writable_folder() {
        let mut plan = machine::in_mode(Mode::Off).plan(&Program::new(["/bin/true"], "/"));
        plan.isolation.filter = true;
        assert!(MayKeep::of(true, &plan).outputs);
        assert!(!MayKeep::of(false, &plan).outputs);
        let (path, bytes, files) = ("/".into(), 1, 1);
        let writes = ZygotePlan { scratch: Some(ScratchPlan { path, bytes, files }), ..plan.clone() };
        assert!(!MayKeep::of(true, &writes).outputs);
        plan.isolation.filter = false;
        assert!(!MayKeep::of(true, &plan).outputs);
    }

    #[test]
    fn a_pipe_that_a_program_changed_is_not_kept() {
        type Change = fn(BorrowedFd<'_>);
        let changes: [(&str, Change); 2] = [
            ("non-blocking", |fd| rustix::fs::fcntl_setfl(fd, OFlags::NONBLOCK).unwrap()),
            ("larger", |fd| assert_eq!(rustix::pipe::fcntl_setpipe_size(fd, 1 << 17).unwrap(), 1 << 17)),
        ];
        for (what, change) in changes {
            let outputs = OutputPipes::new(true).unwrap();
            change(outputs.stderr.write.as_fd());
            assert!(!outputs.are_as_made(), "{what}");
        }
    }

    #[test]
    fn the_next_input_is_read_from_its_beginning_and_has_its_own_length() {
        let mut input = KeptInput::new().unwrap();
        let mut reader = File::from(input.reader.try_clone().unwrap());
        for content in ["a longer text", "short", "", "longer again"] {
            input.begin(content.as_bytes()).unwrap();
            let mut read = String::new();
            reader.read_to_string(&mut read).unwrap();
            assert_eq!(read, content);
            assert!(input.is_as_made());
        }
        assert!(reader.write(b"x").is_err(), "the program's descriptor cannot write");
        rustix::fs::fcntl_setfl(&reader, OFlags::NONBLOCK).unwrap();
        assert!(!input.is_as_made());
    }
}
