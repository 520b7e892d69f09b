//! FILE of `--json FILE` and its like: what a report is written to.

mod nameless;

use std::io::{self, Write};
use std::path::Path;

use nameless::Nameless;
pub(super) use nameless::part_of;

use super::{Failure, input};
use crate::report::Destination;
use crate::sandbox::interrupt;

/// Standard output.
fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Whether one of the reports goes to standard output, which has room for one only. By option.
pub(super) fn on_stdout(reports: &[(&str, Option<&Path>)]) -> Result<bool, Failure> {
    let there: Vec<_> = reports.iter().filter(|(_, path)| path.is_some_and(is_stdout)).map(|(name, _)| *name).collect();
    match there[..] {
        [] => Ok(false),
        [_] => Ok(true),
        [one, other, ..] => Err(Failure::unusable(format!("{one} and {other} cannot both go to standard output"))
            .with_hint("give one of them a file")),
    }
}

/// Opens what the user named. A file gets its name when the report is complete, so that nobody takes half a report for
/// a whole one. What is no plain file, such as a pipe or a device, is written to as it is: a new file must not take its
/// place.
pub(super) fn open(path: &Path) -> Result<Box<dyn Destination>, Failure> {
    if is_stdout(path) {
        return Ok(Box::new(Stream(io::stdout())));
    }
    open_file(path).map_err(|error| {
        if interrupt::happened() {
            return Failure::interrupted();
        }
        Failure::unusable(format!("cannot write the report {}: {error}", path.display()))
    })
}

fn open_file(path: &Path) -> io::Result<Box<dyn Destination>> {
    match path.metadata() {
        Ok(found) if found.is_dir() => return Err(io::Error::from(io::ErrorKind::IsADirectory)),
        Ok(found) if !found.is_file() => return Ok(Box::new(Stream(input::open_for_writing(path)?))),
        _ => {}
    }
    // Through a link, the file it leads to is replaced, and the link stays.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    Ok(Box::new(Nameless::new(path)?))
}

/// What is written to as it is.
struct Stream<W>(W);

impl<W: Write> Write for Stream<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W: Write> Destination for Stream<W> {
    fn complete(mut self: Box<Self>) -> io::Result<()> {
        self.flush()
    }
}
