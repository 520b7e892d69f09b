//! Opens and reads regular files that the judge did not make. Opening a pipe can wait forever for a writer, reading a
//! device may never end, and a sparse file can be larger than the memory.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;

/// The number of bytes that are read before the next question whether the user wants the program to stop.
const BLOCK_BYTES: usize = 1 << 20;

/// Maximum size of a file that is read into memory as a whole, in bytes, unless a smaller maximum fits the file better.
/// Inputs and answers of test cases have the same maximum.
pub const LARGEST_BYTES: u64 = 1 << 30;

/// Opens a regular file for reading. Fails if `path` is missing, or leads to a folder, a pipe or a device.
pub fn open(path: &Path) -> io::Result<File> {
    // The first check prevents that a device is opened, which can have side effects. The second check is about the file
    // that was opened: another process may have replaced the path in between.
    check(&path.metadata()?)?;
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = File::options().read(true).custom_flags(flags.bits().cast_signed()).open(path)?;
    check(&file.metadata()?)?;
    Ok(file)
}

fn check(found: &std::fs::Metadata) -> io::Result<()> {
    if found.is_file() {
        return Ok(());
    }
    let kind = if found.is_dir() { ErrorKind::IsADirectory } else { ErrorKind::InvalidInput };
    Err(io::Error::new(kind, if found.is_dir() { "it is a folder, not a file" } else { "it is not a regular file" }))
}

/// Reads a regular file. Fails if it cannot be opened (see [`open`]) or read, if it has more than `most` bytes, or if
/// the user wants the program to stop.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let too_large = |bytes: u64| {
        io::Error::new(ErrorKind::FileTooLarge, format!("it has {bytes} bytes; at most {most} are allowed"))
    };
    // A file in /proc has more bytes than its size says, so the bytes are counted, too.
    let size = file.metadata()?.len();
    if size > most {
        return Err(too_large(size));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    let mut reader = Stoppable(file.take(most.saturating_add(1)));
    reader.read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large(bytes.len() as u64)) } else { Ok(bytes) }
}

/// Reads a regular file of text in UTF-8, as [`read`] does. Also fails if the file is not UTF-8.
pub fn read_to_string(path: &Path, most: u64) -> io::Result<String> {
    let text = String::from_utf8(read(path, most)?);
    text.map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not text in UTF-8"))
}

/// A reader that fails once the user wants the program to stop.
#[derive(Debug)]
pub struct Stoppable<R>(pub R);

impl<R: Read> Read for Stoppable<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if crate::stop::is_wanted() {
            return Err(crate::stop::error());
        }
        let length = buffer.len().min(BLOCK_BYTES);
        self.0.read(&mut buffer[..length])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_are_opened_and_no_pipe_makes_the_judge_wait() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("file"), "12345").unwrap();
        std::os::unix::fs::symlink("file", at("link")).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, at("pipe"), rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        for name in ["file", "link"] {
            assert_eq!(read(&at(name), 5).unwrap(), b"12345");
            assert_eq!(read(&at(name), 4).unwrap_err().to_string(), "it has 5 bytes; at most 4 are allowed");
        }
        let kind = |path: &Path| open(path).unwrap_err().kind();
        assert_eq!(kind(folder.path()), ErrorKind::IsADirectory);
        assert_eq!(kind(&at("none")), ErrorKind::NotFound);
        for path in [at("pipe"), "/dev/zero".into()] {
            assert_eq!(kind(&path), ErrorKind::InvalidInput);
        }
    }

    #[test]
    fn the_bytes_are_counted_whatever_size_the_file_reports() {
        let path = Path::new("/proc/self/status");
        assert_eq!(path.metadata().unwrap().len(), 0);
        assert!(!read(path, 1 << 20).unwrap().is_empty());
        assert_eq!(read(path, 10).unwrap_err().kind(), ErrorKind::FileTooLarge);
    }

    #[test]
    fn a_sparse_file_is_refused_before_it_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sparse");
        File::create(&path).unwrap().set_len(300 << 30).unwrap();
        assert_eq!(read(&path, 1 << 30).unwrap_err().kind(), ErrorKind::FileTooLarge);
    }
}
