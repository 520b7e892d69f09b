//! Makes the streams of a run: the input and the pipes.

mod kept;
mod run_streams;

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::{MemfdFlags, Mode, OFlags, SealFlags};
use rustix::pipe::PipeFlags;

use super::{Input, SandboxError, system};
pub(super) use kept::{KeptStreams, MayKeep};
pub(super) use run_streams::RunStreams;

/// Maximum size of an input, in bytes. The sandbox copies the input into memory.
const LARGEST_INPUT_BYTES: u64 = 1 << 30;

/// An input of this size or more, in bytes, is copied inside the kernel, and no zygote keeps its memory.
const SMALL_INPUT_BYTES: usize = 16 << 10;

/// The content of an input.
enum Content<'a> {
    /// Fewer than [`SMALL_INPUT_BYTES`].
    Small(Cow<'a, [u8]>),
    /// A copy in sealed memory.
    Large(File),
}

/// Reads the input.
fn content<'a>(input: &Input<'a>) -> Result<Content<'a>, SandboxError> {
    match input {
        Input::Empty => Ok(Content::Small(Cow::Borrowed(&[]))),
        Input::Captured(bytes) if bytes.len() < SMALL_INPUT_BYTES => Ok(Content::Small(Cow::Borrowed(bytes))),
        Input::Captured(bytes) => in_sealed_memory(bytes).map(Content::Large),
        Input::File(path) => {
            let failed = |source| SandboxError::Input { path: path.display().to_string(), source };
            // The size that a file reports is not trusted: files in /proc can be endless.
            let mut rest = open_regular(path).map_err(failed)?.take(LARGEST_INPUT_BYTES + 1);
            let mut start = Vec::with_capacity(SMALL_INPUT_BYTES);
            (&mut rest).take(SMALL_INPUT_BYTES as u64).read_to_end(&mut start).map_err(failed)?;
            if start.len() < SMALL_INPUT_BYTES {
                return Ok(Content::Small(Cow::Owned(start)));
            }
            let mut memory = in_memory(&start)?;
            memory.seek(SeekFrom::End(0)).map_err(system("copying the input"))?;
            io::copy(&mut rest, &mut memory).map_err(failed)?;
            memory.rewind().map_err(system("copying the input"))?;
            if rest.limit() == 0 {
                return Err(failed(io::Error::from(io::ErrorKind::FileTooLarge)));
            }
            sealed(memory).map(Content::Large)
        }
    }
}

/// Copies an input into sealed memory. The program can read and seek it like a file. Its entry in `/proc` does not lead
/// to the original file.
fn in_sealed_memory(bytes: &[u8]) -> Result<File, SandboxError> {
    sealed(in_memory(bytes)?)
}

/// Makes a file in memory that contains `bytes`. The position is its beginning. An empty input is also such a file. It
/// is not /dev/null, because a program that runs as the owner of /dev/null could change the mode of the device.
fn in_memory(bytes: &[u8]) -> Result<File, SandboxError> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    let memory =
        rustix::fs::memfd_create("input", flags).map_err(|error| system("allocating the input")(error.into()))?;
    let memory = File::from(memory);
    memory.write_all_at(bytes, 0).map_err(system("copying the input"))?;
    Ok(memory)
}

fn sealed(memory: File) -> Result<File, SandboxError> {
    let seals = SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL;
    rustix::fs::fcntl_add_seals(&memory, seals).map_err(|error| system("sealing the input")(error.into()))?;
    Ok(memory)
}

/// Opens an input, which must be a regular file and not a link. The caller has checked the file by its name; another
/// process may have put a link or a pipe in its place since. Opening a pipe would wait for a writer.
fn open_regular(path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY;
    let file = File::options().read(true).custom_flags(flags.bits().cast_signed()).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is not a regular file")) }
}

/// Makes a pipe for an output of a program. The judge's reading end does not block. The program's writing end blocks.
/// With the file mode 0666, a program that runs as a different user from the judge can open the pipe again as
/// /dev/stdout.
pub(super) fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let (read, write) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
    rustix::fs::fcntl_setfl(&read, OFlags::NONBLOCK)?;
    rustix::fs::fchmod(&write, Mode::from_raw_mode(0o666))?;
    Ok((read, write))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn an_input_that_became_a_link_or_a_pipe_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link, pipe) = (folder.path().join("file"), folder.path().join("link"), folder.path().join("pipe"));
        fs::write(&file, "secret").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        content(&Input::File(&file)).unwrap();
        for path in [&link, &pipe] {
            assert!(matches!(content(&Input::File(path)), Err(SandboxError::Input { .. })), "{}", path.display());
        }
    }
}
