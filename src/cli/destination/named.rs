//! Names the report in an error, because a run may write several reports, perhaps to several disks.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

use referee_report::Destination;

/// Adds the name of a report to an error of the same kind.
pub(super) fn named(name: impl Display, error: io::Error) -> io::Error {
    match error.kind() {
        // Callers retry after this error and do not report it.
        ErrorKind::Interrupted => error,
        kind => io::Error::new(kind, format!("{name}: {error}")),
    }
}

/// A destination that is written to directly. Its errors begin with its name.
pub(super) struct NamedWriter<W> {
    pub(super) out: W,
    pub(super) name: String,
}

impl<W: Write> Write for NamedWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes).map_err(|error| named(&self.name, error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush().map_err(|error| named(&self.name, error))
    }
}

impl<W: Write> Destination for NamedWriter<W> {
    fn complete(mut self: Box<Self>) -> io::Result<()> {
        self.flush()
    }
}
