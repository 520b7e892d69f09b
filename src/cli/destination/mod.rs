//! Opens the destination of a report: FILE of `--json FILE` and similar options.

mod atomic_output;
mod named;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use anstream::AutoStream;
use anstream::stream::RawStream;
use atomic_output::AtomicOutput;
pub(super) use atomic_output::part_of;
use named::NamedWriter;

use super::{Failure, input};
use referee_files::regular;
use referee_report::Destination;
use referee_sandbox::{self as sandbox, interrupt};

/// Returns whether the path means standard output.
pub(super) fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Returns whether a report goes to standard output. Fails if several reports go there. `reports` are pairs of an
/// option and its path.
pub(super) fn on_stdout(reports: &[(&str, Option<&Path>)]) -> Result<bool, Failure> {
    let options: Vec<_> =
        reports.iter().filter(|(_, path)| path.is_some_and(is_stdout)).map(|(option, _)| *option).collect();
    match options[..] {
        [] => Ok(false),
        [_] => Ok(true),
        [one, other, ..] => Err(Failure::unusable(format!("{one} and {other} cannot both go to standard output"))
            .with_hint("write one of them to a file")),
    }
}

/// Returns whether the destination is a regular file or does not exist yet. In both cases, the new report gets its name
/// only when it is complete.
pub(super) fn is_file(path: &Path) -> bool {
    !is_stdout(path) && path.metadata().map_or(true, |found| found.is_file())
}

/// Fails if two reports have the same file, because one would replace the other.
pub(super) fn refuse_one_for_two(reports: &[(&str, Option<&Path>)]) -> Result<(), Failure> {
    let resolved = |path: &Path| {
        let name = path.file_name()?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        path.canonicalize().ok().or_else(|| Some(folder.canonicalize().ok()?.join(name)))
    };
    let files =
        reports.iter().filter_map(|(option, path)| Some((option, resolved(path.filter(|path| is_file(path))?)?)));
    let files: Vec<_> = files.collect();
    for (index, (option, file)) in files.iter().enumerate() {
        if let Some((other, _)) = files[..index].iter().find(|(_, other)| other == file) {
            return Err(Failure::unusable(format!("{other} and {option} name the same file {}", file.display()))
                .with_hint("give each report a file of its own"));
        }
    }
    Ok(())
}

/// The first bytes of every kind and version of report. Other JSON, XML, CSV and HTML files begin differently.
const BEGINNINGS: [&[u8]; 5] = [
    referee_report::csv::BEGINNING,
    b"{\"type\":\"run_started\"",
    b"{\"type\":\"doctor_finished\"",
    b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites",
    b"<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\"",
];

/// Fails if the file at `path` is not a report, so that a typing error in an option does not destroy a program or a
/// test case. Also fails if the file exists and cannot be read. A missing file and an empty file are accepted, and so
/// is a partial report that is shorter than its line in [`BEGINNINGS`].
fn refuse_if_no_report(path: &Path) -> io::Result<()> {
    let longest = BEGINNINGS.iter().map(|one| one.len()).max().unwrap_or_default();
    let mut found = Vec::new();
    match regular::open(path).and_then(|file| file.take(longest as u64).read_to_end(&mut found)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => {
            let message = format!(
                "the file exists and cannot be read ({error}); it is not replaced, because it may not be a report; \
                 name another file or remove it"
            );
            return Err(io::Error::new(error.kind(), message));
        }
        Ok(_) if BEGINNINGS.iter().any(|one| found.starts_with(one) || one.starts_with(&found)) => return Ok(()),
        Ok(_) => {}
    }
    Err(io::Error::other("the file exists and is not a report, so it is not replaced; name another file or remove it"))
}

/// Fails if `part_of(path)`, where the partial report for `path` will be written, is a folder or a file that is no
/// report.
fn refuse_if_no_part(path: &Path) -> io::Result<()> {
    let part = part_of(path);
    match part.symlink_metadata() {
        Ok(found) if found.is_dir() => {
            let message = format!("its partial report {} is a folder; remove it or name another file", part.display());
            return Err(io::Error::new(io::ErrorKind::IsADirectory, message));
        }
        Ok(found) if found.is_file() => {}
        _ => return Ok(()),
    }
    refuse_if_no_report(&part).map_err(|error| {
        io::Error::new(error.kind(), format!("its partial report would replace {}: {error}", part.display()))
    })
}

/// Opens the destination that the user named. A regular file gets its name when the report is complete, so that other
/// programs do not read a partial report. A pipe or a device is written to directly, because a new file must not
/// replace it.
pub(super) fn open(path: &Path) -> Result<Box<dyn Destination>, Failure> {
    if is_stdout(path) && sandbox::output_was_closed() {
        let message = "cannot write the report to standard output, which was closed when referee was started";
        return Err(Failure::unusable(message)
            .with_hint("write the report to a file, or start referee with standard output open"));
    }
    let opened = if is_stdout(path) { unbuffered(io::stdout(), "standard output") } else { open_file(path) };
    opened.map_err(|error| {
        if interrupt::happened() {
            return Failure::interrupted();
        }
        Failure::unusable(format!("cannot write the report {}: {error}", path.display()))
    })
}

fn open_file(path: &Path) -> io::Result<Box<dyn Destination>> {
    match path.metadata() {
        Ok(found) if found.is_dir() => return Err(io::Error::from(io::ErrorKind::IsADirectory)),
        Ok(found) if !found.is_file() => {
            return unbuffered(input::open_for_writing(path)?, &path.display().to_string());
        }
        _ => {}
    }
    refuse_if_no_report(path)?;
    let target = link_target(path);
    refuse_if_no_part(&target)?;
    Ok(Box::new(AtomicOutput::new(target)?))
}

/// Opens the destination of a filled worksheet. It may replace an empty file and a file for which `is_own` returns
/// true, because the user has not changed that file since an earlier run wrote it. Fails if there is another file.
pub(super) fn open_copy(path: &Path, is_own: &dyn Fn(&[u8]) -> bool) -> Result<Box<dyn Destination>, Failure> {
    let unusable = |error: io::Error| Failure::unusable(format!("cannot write {}: {error}", path.display()));
    let target = link_target(path);
    match regular::read(&target, regular::LARGEST_BYTES) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(unusable(error)),
        Ok(found) if found.is_empty() || is_own(&found) => {}
        Ok(_) => {
            let message = format!("{} exists, and may contain grades that you changed", path.display());
            return Err(Failure::unusable(message).with_hint("move this file to another name, or remove it"));
        }
    }
    Ok(Box::new(AtomicOutput::new(target).map_err(unusable)?))
}

/// Opens an archive that the user named. Fails if the path leads to an existing file that does not end with `ending`, so
/// that a typing error does not destroy another archive.
pub(super) fn open_archive(path: &Path, ending: &[u8]) -> Result<Box<dyn Destination>, Failure> {
    let unusable = |error: io::Error| Failure::unusable(format!("cannot write {}: {error}", path.display()));
    if is_stdout(path) {
        return Err(Failure::unusable("an archive cannot be written to standard output").with_hint("name a file"));
    }
    let existing = match regular::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        opened => Some(opened.and_then(|file| ends_with(file, ending)).map_err(unusable)?),
    };
    if existing == Some(false) {
        let message = "the file exists and is not an archive of pages that referee made, so it is not replaced";
        return Err(unusable(io::Error::other(message)).with_hint("name another file or remove it"));
    }
    let target = link_target(path);
    refuse_if_no_part(&target).map_err(unusable)?;
    Ok(Box::new(AtomicOutput::new(target).map_err(unusable)?))
}

/// Returns whether the file is empty or ends with these bytes.
fn ends_with(mut file: File, ending: &[u8]) -> io::Result<bool> {
    let size = file.metadata()?.len();
    let mut found = Vec::new();
    file.seek(SeekFrom::Start(size.saturating_sub(ending.len() as u64)))?;
    file.take(ending.len() as u64).read_to_end(&mut found)?;
    Ok(size == 0 || found == ending)
}

/// Follows symbolic links and returns the path of their target, so that a report replaces the target and not the link.
fn link_target(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    // The kernel follows at most 40 links. The last target need not exist yet.
    for _ in 0..40 {
        let Ok(target) = path.read_link() else { break };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    path.canonicalize().unwrap_or(path)
}

/// A destination that is written to directly. If the reader of a pipe stops reading, the user can still interrupt the
/// write. Nothing is buffered, because a buffer would have to be written before the judge can exit.
struct InterruptibleWriter<W> {
    out: W,
    file: File,
}

/// Opens standard output or standard error for messages, with colours if the terminal shows them.
pub(super) fn for_people(on_stderr: bool) -> Box<dyn Write> {
    let opened = if on_stderr { coloured(&io::stderr()) } else { coloured(&io::stdout()) };
    // If no file descriptor is left for a copy, the user cannot interrupt the writes.
    opened.unwrap_or_else(|_| if on_stderr { Box::new(anstream::stderr()) } else { Box::new(anstream::stdout()) })
}

fn coloured(standard: &(impl AsFd + RawStream)) -> io::Result<Box<dyn Write>> {
    let file = || standard.as_fd().try_clone_to_owned().map(File::from);
    let out = AutoStream::new(file()?, AutoStream::choice(standard));
    Ok(Box::new(InterruptibleWriter { out, file: file()? }))
}

/// Opens the destination of a report. Errors begin with `name`.
fn unbuffered(file: impl AsFd, name: &str) -> io::Result<Box<dyn Destination>> {
    let file = || file.as_fd().try_clone_to_owned().map(File::from);
    let out = InterruptibleWriter { out: file()?, file: file()? };
    Ok(Box::new(NamedWriter { out, name: name.to_owned() }))
}

/// The minimum number of bytes that a pipe accepts when it is ready for writing.
const PIPE_BYTES: usize = 4096;

impl<W: Write> Write for InterruptibleWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        interrupt::wait_until_writable(&self.file)?;
        self.out.write(&bytes[..bytes.len().min(PIPE_BYTES)])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
