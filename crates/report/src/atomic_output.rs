//! Destinations of reports that other programs read. Such a program must not mistake an incomplete report for a
//! complete one.

use std::io::{self, Write};

/// A destination of a report. The report calls [`complete`](Destination::complete) once it is complete.
pub trait Destination: Write {
    /// Gives the file the name of a partial report, so that the file remains even if the judge is killed.
    fn keep_partial(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Completes the report: a file gets its final name.
    fn complete(self: Box<Self>) -> io::Result<()>;
}

/// An output that becomes complete only if every write succeeded.
pub(super) struct CheckedOutput {
    out: Box<dyn Destination>,
    /// The kind of the error of the first write that failed; `None` if none has failed.
    failed: Option<io::ErrorKind>,
}

impl CheckedOutput {
    pub(super) fn new(out: Box<dyn Destination>) -> CheckedOutput {
        CheckedOutput { out, failed: None }
    }

    /// See [`Destination::keep_partial`].
    pub(super) fn keep_partial(&mut self) -> io::Result<()> {
        // After a failed write, the incomplete report must not replace a partial report of another run.
        match self.failed {
            Some(_) => Ok(()),
            None => self.out.keep_partial().inspect_err(|error| self.failed = Some(error.kind())),
        }
    }

    /// Completes the report, or leaves it as a partial report if `is_complete` is false. After a failed write, which
    /// the caller has reported, the report gets neither its final name nor the name of a partial report.
    pub(super) fn finish(mut self, is_complete: bool) -> io::Result<()> {
        match (self.failed, is_complete) {
            (Some(_), _) => Ok(()),
            (None, true) => self.out.complete(),
            (None, false) => self.out.keep_partial(),
        }
    }
}

impl Write for CheckedOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(kind) = self.failed {
            // After a failed write, later lines would make the report look complete.
            return Err(io::Error::new(kind, "an earlier part of the report could not be written"));
        }
        self.out.write(bytes).inspect_err(|error| {
            if error.kind() != io::ErrorKind::Interrupted {
                self.failed = Some(error.kind());
            }
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush().inspect_err(|error| self.failed = Some(error.kind()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk that is full after the first line.
    struct Full(u32);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += 1;
            if self.0 > 1 { Err(io::Error::from(io::ErrorKind::StorageFull)) } else { Ok(bytes.len()) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Destination for Full {
        fn complete(self: Box<Self>) -> io::Result<()> {
            Err(io::Error::other("it got its name"))
        }
    }

    #[test]
    fn half_a_report_does_not_get_the_name_of_a_whole_one() {
        let mut all = CheckedOutput::new(Box::new(Full(0)));
        all.write_all(b"all\n").unwrap();
        assert_eq!(all.finish(true).unwrap_err().to_string(), "it got its name");
        let mut half = CheckedOutput::new(Box::new(Full(0)));
        half.write_all(b"half\n").unwrap();
        half.write_all(b"of it\n").unwrap_err();
        assert_eq!(half.write_all(b"more\n").unwrap_err().kind(), io::ErrorKind::StorageFull, "as the first error");
        half.finish(true).unwrap();
    }
}
