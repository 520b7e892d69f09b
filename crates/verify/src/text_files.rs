//! Checks text files (format, "General Requirements"). They must be UTF-8 without a byte order mark, and every line
//! must end with a line feed and nothing else, including the last line.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use walkdir::WalkDir;

use super::finding::{Finding, below};
use referee_event::Gravity;
use referee_package::{Package, is_legal_name};

/// The maximum number of directory entries that are visited.
const MOST_FILES: usize = 100_000;

/// The maximum size of a file that is checked, in bytes: the format recommends no larger files (2025-09, "Test data").
const LARGEST_BYTES: u64 = 100 << 20;

/// The extensions of files that are text in every package.
const TEXTS: [&str; 30] = [
    "in",
    "ans",
    "out",
    "yaml",
    "yml",
    "md",
    "tex",
    "txt",
    "statement",
    "download",
    "interaction",
    "desc",
    "hint",
    "c",
    "cc",
    "cpp",
    "h",
    "hpp",
    "py",
    "java",
    "kt",
    "rs",
    "go",
    "hs",
    "js",
    "sh",
    "ctd",
    "viva",
    "svg",
    "ini",
];

/// Returns the number of files, and the findings on text files.
pub(super) fn check(package: &Package) -> (usize, Vec<Finding>) {
    let is_ignored = |name: &str| !is_legal_name(name);
    let walk = WalkDir::new(&package.root).sort_by_file_name().into_iter();
    // Files and folders that the format ignores need not follow its rules.
    let walk = walk.filter_entry(move |entry| entry.depth() == 0 || !is_ignored(&entry.file_name().to_string_lossy()));
    let files = walk.filter_map(Result::ok).take(MOST_FILES).filter(|entry| entry.file_type().is_file());
    let mut count = 0;
    let mut findings = Vec::new();
    for entry in files {
        count += 1;
        findings.extend(of_file(package, entry.path()));
    }
    (count, findings)
}

/// Returns the findings on a file. Of each kind of mistake, only the first one is reported.
fn of_file(package: &Package, path: &Path) -> Vec<Finding> {
    let place = below(package, path);
    let size = path.metadata().map_or(0, |found| found.len());
    if size > LARGEST_BYTES {
        let message = format!("has {} MiB; the package format recommends at most 100 MiB", size >> 20);
        return vec![Finding::warning(message).at(place)];
    }
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if !TEXTS.contains(&ending) || is_of_validator_test(&place) {
        return Vec::new();
    }
    let mut text = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    let read = File::open(path).and_then(|file| file.take(LARGEST_BYTES).read_to_end(&mut text));
    match read {
        Err(error) => vec![Finding::error(format!("cannot be read: {error}")).at(place)],
        Ok(_) => of_text(&text, &place),
    }
}

/// Returns whether the file belongs to a validator test. Such a file may contain any bytes.
fn is_of_validator_test(place: &str) -> bool {
    ["data/invalid_", "data/valid_output/"].iter().any(|folder| place.starts_with(folder))
}

fn of_text(text: &[u8], place: &str) -> Vec<Finding> {
    // Programs read test data byte by byte, so such mistakes matter there. In other files, they are harmless.
    let gravity = if place.starts_with("data/") { Gravity::Error } else { Gravity::Warning };
    let mut findings = Vec::new();
    let mut tell = |offset: usize, message: &str| {
        let (line, column) = line_and_column(text, offset);
        findings.push(Finding::new(gravity, message).at(format!("{place}:{line}:{column}")));
    };
    if text.starts_with(b"\xef\xbb\xbf") {
        tell(0, "begins with a byte order mark; text files of a package must not have one");
    }
    if let Err(error) = std::str::from_utf8(text) {
        tell(error.valid_up_to(), "is not UTF-8: the first invalid byte is at this position");
    }
    if let Some(offset) = memchr::memchr(b'\r', text) {
        tell(offset, "has a carriage return; lines of text files must end with a line feed only");
    }
    if let Some(offset) = memchr::memchr(b'\0', text) {
        tell(offset, "has a NUL byte; text files of a package must not have one");
    }
    if text.last().is_some_and(|last| *last != b'\n') {
        tell(text.len() - 1, "does not end with a line feed; text files of a package must end with one");
    }
    findings
}

/// Returns line and column in bytes, both counted from 1.
fn line_and_column(text: &[u8], offset: usize) -> (usize, usize) {
    let before = &text[..offset];
    let start = memchr::memrchr(b'\n', before).map_or(0, |feed| feed + 1);
    (memchr::memchr_iter(b'\n', before).count() + 1, offset - start + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(text: &[u8]) -> Vec<String> {
        let told = of_text(text, "data/secret/1.in").into_iter();
        told.map(|finding| format!("{} {}", finding.place.unwrap(), finding.message)).collect()
    }

    #[test]
    fn a_text_of_lines_has_nothing_wrong() {
        assert_eq!(messages(b"1 2\n\xc3\xa9\n"), Vec::<String>::new());
        assert_eq!(messages(b""), Vec::<String>::new());
    }

    #[test]
    fn each_kind_of_damage_is_told_with_its_first_place() {
        assert!(messages(b"1\n2\r\n3\r\n")[0].starts_with("data/secret/1.in:2:2 has a carriage return"));
        assert!(messages(b"\xef\xbb\xbf1\n")[0].contains(":1:1 begins with a byte order mark"));
        assert!(messages(b"1\n2")[0].contains(":2:1 does not end"));
        assert!(messages(b"1\nab\xff\n")[0].contains(":2:3 is not UTF-8"));
        assert_eq!(messages(b"\0").len(), 2);
    }

    #[test]
    fn tests_of_the_validators_may_be_anything() {
        assert!(is_of_validator_test("data/invalid_input/crlf.in"));
        assert!(is_of_validator_test("data/valid_output/crlf.out"));
        assert!(!is_of_validator_test("data/secret/1.in"));
    }
}
