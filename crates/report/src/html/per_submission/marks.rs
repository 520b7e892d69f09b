//! Finds the line of a source at which a page marks a failure.

use super::crash::Crash;
use super::page::Parts;
use super::{SourceFile, source};
use crate::first_error::first_error;

/// Returns the innermost place of a crash in the sources: the index of the file, and the line, counted from 1; `None` if
/// the crash is in none of them.
pub(super) fn place(crash: &Crash, sources: &[SourceFile]) -> Option<(usize, usize)> {
    let lines = |file: &SourceFile| file.content.as_ref().map_or(0, source::line_count);
    let files: Vec<_> = sources.iter().map(|file| (file.name.as_str(), lines(file))).collect();
    crash.place(&files)
}

/// Returns the file and the line that the page marks: the place of the first crash, or of the first error of the
/// compiler; `None` if neither is known.
pub(super) fn marked(parts: &Parts<'_>) -> Option<(usize, usize)> {
    let crash = parts.judged.cases.iter().find_map(|case| case.crash.as_ref());
    let build = parts.judged.build.as_ref().filter(|build| !build.ok).and_then(|build| build.message.as_deref());
    crash.and_then(|crash| place(crash, parts.sources)).or_else(|| error_place(build?, parts.sources))
}

/// Returns the place of a compiler's first error, as in `main.cpp:7:11: error: …` or `File "main.py", line 7`.
fn error_place(message: &str, sources: &[SourceFile]) -> Option<(usize, usize)> {
    message.lines().skip(first_error(message)?).find_map(|line| {
        sources.iter().enumerate().find_map(|(index, file)| {
            let (_, after) = line.split_once(file.name.as_str())?;
            let digits = after.strip_prefix(':').or_else(|| after.strip_prefix("\", line "))?;
            let end = digits.find(|other: char| !other.is_ascii_digit()).unwrap_or(digits.len());
            let number = digits[..end].parse().ok()?;
            let lines = file.content.as_ref().map_or(0, source::line_count);
            (1..=lines).contains(&number).then_some((index, number))
        })
    })
}
