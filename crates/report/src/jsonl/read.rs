//! Reads reports line by line, so that the memory does not depend on their size.

use std::fmt;
use std::io::{self, BufRead, Read, Seek};

use super::{Line, SCHEMA_VERSION};
use referee_text::printable::printable_line;

/// The maximum length of a line, in bytes, including its line feed.
const MAX_LINE_BYTES: u64 = 64 << 20;

/// The lines of a report.
pub struct Lines<R> {
    reader: R,
    /// The number of the line that was read last, from 1.
    number: usize,
    /// The end of the line that was read last, in bytes from the beginning of the report.
    offset: u64,
}

/// The reason why a line of a report cannot be used, and the position of the error.
#[derive(Debug)]
pub struct Unreadable {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1; 0 if the error is about the whole line.
    pub column: usize,
    /// A description of the error.
    pub what: String,
    /// Whether the line does not end with a line feed, because its writer was killed or the disk was full.
    pub is_cut: bool,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column {
            0 => write!(f, "{}: {}", self.line, self.what),
            column => write!(f, "{}:{column}: {}", self.line, self.what),
        }
    }
}

impl<R: BufRead> Lines<R> {
    /// Reads lines from `reader`.
    pub fn new(reader: R) -> Lines<R> {
        Lines { reader, number: 0, offset: 0 }
    }

    /// Returns the end of the line that was read last, in bytes from the beginning of the report.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the text of the next line; `None` at the end of the report.
    fn next_text(&mut self) -> Result<Option<String>, Unreadable> {
        self.number += 1;
        let mut bytes = Vec::new();
        let read = self.reader.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut bytes);
        self.offset += bytes.len() as u64;
        match read {
            Err(error) => Err(self.unreadable(&format!("the line cannot be read: {error}"))),
            Ok(0) => Ok(None),
            Ok(_) if bytes.pop() == Some(b'\n') => {
                String::from_utf8(bytes).map(Some).map_err(|_| self.unreadable("the line is not valid UTF-8"))
            }
            Ok(_) if bytes.len() as u64 + 1 >= MAX_LINE_BYTES => {
                Err(self.unreadable(&format!("the line is longer than {} MiB", MAX_LINE_BYTES >> 20)))
            }
            Ok(_) => {
                let what = "the line does not end with a line feed; the run that wrote the report was probably killed";
                Err(Unreadable { is_cut: true, ..self.unreadable(what) })
            }
        }
    }

    fn parse(&self, text: &str) -> Result<Line<'static>, Unreadable> {
        serde_json::from_str(text).map_err(|error| {
            let what = error.to_string();
            // The JSON library's message ends with the position of the error. The caller adds the position itself, so
            // this function removes it.
            let what = what.rsplit_once(" at line ").map_or(what.as_str(), |(what, _)| what).to_owned();
            let column = if error.column() > 0 { error.column() } else { column_of(&what, text) };
            Unreadable { column, ..self.unreadable(&what) }
        })
    }

    /// Returns an error about the line that was read last. `what` may quote the line; line feeds in `what` become
    /// symbols.
    pub fn unreadable(&self, what: &str) -> Unreadable {
        let what = printable_line(what);
        Unreadable { line: self.number, column: 0, what, is_cut: false }
    }
}

impl<R: BufRead + Seek> Lines<R> {
    /// Goes back to the first line.
    pub fn rewind(&mut self) -> io::Result<()> {
        (self.number, self.offset) = (0, 0);
        self.reader.rewind()
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<Line<'static>, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_text().and_then(|text| text.map(|text| self.parse(&text)).transpose()).transpose()
    }
}

/// Returns the column of the field that a message names between backticks; 1 if there is no such field. The caller
/// needs this because the JSON library reports no position for a line whose `type` selects its fields.
fn column_of(message: &str, text: &str) -> usize {
    let field = message.split('`').nth(1).map(|name| format!("\"{name}\""));
    field.and_then(|field| text.find(&field)).map_or(1, |place| place + 1)
}

/// Checks the version of the format. Fails if this program cannot read it.
pub fn check_version(version: u32) -> Result<(), String> {
    if version == SCHEMA_VERSION {
        return Ok(());
    }
    Err(format!(
        "the report has format version {version}, but this version of referee reads only format version \
         {SCHEMA_VERSION}; use the version of referee that wrote the report"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Result<Line<'static>, Unreadable>> {
        Lines::new(text.as_bytes()).collect()
    }

    #[test]
    fn lines_are_read_back() {
        let lines = read(concat!(
            r#"{"type":"submission_skipped","submission":"a","reason":"b"}"#,
            "\n",
            r#"{"type":"run_finished","as_wanted":true,"submissions":1,"skipped":0,"unjudged":0,"cases_run":2,"wall_seconds":0.5}"#,
            "\n"
        ));
        assert!(matches!(&lines[0], Ok(Line::SubmissionSkipped(skipped)) if skipped.reason == "b"));
        assert!(matches!(&lines[1], Ok(Line::RunFinished(finished)) if finished.cases_run == 2));
        assert_eq!(lines.len(), 2);
    }

    #[test]
    fn what_cannot_be_read_is_told_with_its_place() {
        let error = |text: &str| read(text).pop().unwrap().unwrap_err().to_string();
        assert_eq!(
            error("{\"type\":\"submission_skipped\",\"submission\":\"a\",\"why\":1}\n"),
            "1:47: unknown field `why`, expected one of `submission`, `reason`, `hint`, `student`"
        );
        assert!(error("\n").starts_with("1:"), "{}", error("\n"));
        assert_eq!(error("\u{fffd}x").split(':').next(), Some("1"));
        assert!(read("{\"type\":").pop().unwrap().unwrap_err().is_cut);
        let bytes: &[u8] = b"\xff\n";
        assert_eq!(Lines::new(bytes).next().unwrap().unwrap_err().to_string(), "1: the line is not valid UTF-8");
    }
}
