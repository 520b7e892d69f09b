//! Counts the results in the report of a part while the part is being judged.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use referee_files::regular;

/// The beginnings of the lines that count.
const CASE: &[u8] = b"{\"type\":\"case_finished\"";
const SUBMISSION: &[u8] = b"{\"type\":\"submission_finished\"";
const SKIPPED: &[u8] = b"{\"type\":\"submission_skipped\"";

/// The number of bytes at the start of a line that tell its type.
const TELLING: usize = 32;

/// The maximum number of bytes that one update reads, so that an update takes a short time.
const MOST_BYTES: u64 = 16 << 20;

/// The results in a report so far.
#[derive(Debug, Default)]
pub(crate) struct Growth {
    /// The device and the inode of the file that was read; `None` before the first read.
    file: Option<(u64, u64)>,
    /// The number of bytes that were read.
    offset: u64,
    /// The first bytes of the line that is being read.
    start: Vec<u8>,
    /// The number of results.
    pub(crate) runs: u64,
    /// The number of submissions that were judged or skipped.
    pub(crate) submissions: u64,
    /// The number of results of the submission that is being judged.
    pub(crate) runs_of_current: u64,
}

impl Growth {
    /// Reads what was added to the first of these files that exists. Returns whether anything was added. If another file
    /// has replaced the one that was read before, counts from its beginning.
    pub(crate) fn update(&mut self, files: [&Path; 2]) -> bool {
        let Some(file) = files.into_iter().find_map(|path| regular::open(path).ok()) else { return false };
        self.read(file).unwrap_or(false)
    }

    fn read(&mut self, mut file: File) -> io::Result<bool> {
        let found = file.metadata()?;
        let id = (found.dev(), found.ino());
        if self.file != Some(id) || found.len() < self.offset {
            *self = Growth { file: Some(id), ..Growth::default() };
        }
        file.seek(SeekFrom::Start(self.offset))?;
        let mut bytes = vec![0; 64 << 10];
        let mut file = file.take(MOST_BYTES);
        let before = self.offset;
        loop {
            match file.read(&mut bytes)? {
                0 => return Ok(self.offset > before),
                count => self.add(&bytes[..count]),
            }
        }
    }

    fn add(&mut self, bytes: &[u8]) {
        self.offset += bytes.len() as u64;
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let room = TELLING.saturating_sub(self.start.len());
            self.start.extend_from_slice(&piece[..piece.len().min(room)]);
            // A line counts only when it is complete.
            if piece.ends_with(b"\n") {
                self.line();
            }
        }
    }

    fn line(&mut self) {
        let line = std::mem::take(&mut self.start);
        if line.starts_with(CASE) {
            self.runs += 1;
            self.runs_of_current += 1;
        } else if line.starts_with(SUBMISSION) || line.starts_with(SKIPPED) {
            self.submissions += 1;
            self.runs_of_current = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    const LINES: &str = "{\"type\":\"run_started\"}\n{\"type\":\"case_finished\",\"submission\":\"a\"}\n\
                         {\"type\":\"case_finished\"}\n{\"type\":\"submission_finished\"}\n\
                         {\"type\":\"submission_skipped\"}\n{\"type\":\"case_finished\",\"message\":\"{\\\"type\\\":\"}\n";

    fn counts(growth: &Growth) -> (u64, u64, u64) {
        (growth.runs, growth.submissions, growth.runs_of_current)
    }

    #[test]
    fn lines_count_when_they_are_complete_wherever_a_read_ends() {
        let mut growth = Growth::default();
        for byte in LINES.as_bytes() {
            growth.add(&[*byte]);
        }
        assert_eq!(counts(&growth), (3, 2, 1));
        growth.add(b"{\"type\":\"case_finished\"");
        assert_eq!(counts(&growth), (3, 2, 1));
        growth.add(b"}\n");
        assert_eq!(counts(&growth), (4, 2, 2));
    }

    #[test]
    fn a_file_that_grows_is_read_on_and_another_one_from_its_beginning() {
        let folder = tempfile::tempdir().unwrap();
        let (report, part) = (folder.path().join("r"), folder.path().join("r.part"));
        let mut growth = Growth::default();
        assert!(!growth.update([&report, &part]));
        fs::write(&part, LINES).unwrap();
        assert!(growth.update([&report, &part]));
        assert!(!growth.update([&report, &part]));
        let mut file = fs::OpenOptions::new().append(true).open(&part).unwrap();
        file.write_all(b"{\"type\":\"case_finished\"}\n").unwrap();
        assert!(growth.update([&report, &part]));
        assert_eq!(counts(&growth), (4, 2, 2));
        // The report gets its final name, and keeps its inode.
        fs::rename(&part, &report).unwrap();
        assert!(!growth.update([&report, &part]));
        assert_eq!(counts(&growth), (4, 2, 2));
        fs::remove_file(&report).unwrap();
        fs::write(folder.path().join("other"), "").unwrap();
        fs::write(&part, "{\"type\":\"case_finished\"}\n").unwrap();
        assert!(growth.update([&report, &part]));
        assert_eq!(counts(&growth), (1, 0, 1));
    }

    #[test]
    fn a_pipe_in_place_of_a_report_does_not_block() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("r");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        assert!(!Growth::default().update([&pipe, &pipe]));
    }
}
