//! Checks text files (see the section "General Requirements" of the format). They must be UTF-8 without a byte order
//! mark. Every line, also the last one, must end with a line feed and nothing else.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use walkdir::WalkDir;

use super::finding::{Finding, below};
use referee_event::Gravity;
use referee_files::regular;
use referee_package::{Package, Version, is_legal_name};
use referee_text::list::first_names;

/// The maximum number of directory entries that are visited.
const MOST_FILES: usize = 100_000;

/// The maximum size of a file that is checked, in bytes. The format recommends that files are not larger (see the
/// section "Test data" of format 2025-09).
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

/// A kind of mistake in a text file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mistake {
    Unreadable,
    Large,
    ByteOrderMark,
    NotUtf8,
    CarriageReturn,
    Nul,
    NoLastLineFeed,
}

impl Mistake {
    /// Describes the mistake in one file, and states the rule.
    fn of_one(self) -> &'static str {
        match self {
            Mistake::Unreadable => "cannot be read",
            Mistake::Large => "has more than 100 MiB; the package format recommends at most 100 MiB",
            Mistake::ByteOrderMark => "begins with a byte order mark; text files of a package must not have one",
            Mistake::NotUtf8 => "is not UTF-8: the first invalid byte is at this position",
            Mistake::CarriageReturn => "has a carriage return; lines of text files must end with a line feed only",
            Mistake::Nul => "has a NUL byte; text files of a package must not have one",
            Mistake::NoLastLineFeed => "does not end with a line feed; text files of a package must end with one",
        }
    }

    /// Describes the mistake in several files, and states the rule.
    fn of_several(self) -> &'static str {
        match self {
            Mistake::Unreadable => "cannot be read",
            Mistake::Large => "have more than 100 MiB; the package format recommends at most 100 MiB",
            Mistake::ByteOrderMark => "begin with a byte order mark; text files of a package must not have one",
            Mistake::NotUtf8 => "are not UTF-8",
            Mistake::CarriageReturn => "have carriage returns; lines of text files must end with a line feed only",
            Mistake::Nul => "have NUL bytes; text files of a package must not have any",
            Mistake::NoLastLineFeed => "do not end with a line feed; text files of a package must end with one",
        }
    }

    /// Returns how grave the mistake is in a file at `place` of a package of this version.
    ///
    /// Programs read test data byte by byte, so a mistake matters most in test data. Many legacy packages of real
    /// contests have unusual line ends and are judged without harm. If a line end matters for the problem, the
    /// package's input validator rejects the input.
    fn gravity(self, place: &str, version: Version) -> Gravity {
        let is_line_end = matches!(self, Mistake::CarriageReturn | Mistake::NoLastLineFeed);
        match self {
            Mistake::Unreadable => Gravity::Error,
            Mistake::Large => Gravity::Warning,
            _ if is_line_end && version.is_legacy() => Gravity::Note,
            _ if place.starts_with("data/") => Gravity::Error,
            _ if is_line_end => Gravity::Note,
            _ => Gravity::Warning,
        }
    }
}

/// Returns the number of files, and the findings on text files: one for each kind of mistake and gravity.
pub(super) fn check(package: &Package) -> (usize, Vec<Finding>) {
    let is_ignored = |name: &str| !is_legal_name(name);
    let walk = WalkDir::new(&package.root).sort_by_file_name().into_iter();
    // Files and folders that the format ignores need not follow its rules.
    let walk = walk.filter_entry(move |entry| entry.depth() == 0 || !is_ignored(&entry.file_name().to_string_lossy()));
    let files = walk.filter_map(Result::ok).take(MOST_FILES).filter(|entry| entry.file_type().is_file());
    let mut count = 0;
    let mut places: BTreeMap<(Gravity, Mistake), Vec<String>> = BTreeMap::new();
    for entry in files {
        count += 1;
        for (mistake, place) in of_file(package, entry.path()) {
            places.entry((mistake.gravity(&place, package.version), mistake)).or_default().push(place);
        }
    }
    (count, places.into_iter().map(|((gravity, mistake), places)| finding(gravity, mistake, &places)).collect())
}

/// The maximum number of places that a finding names.
const NAMED: usize = 3;

/// Returns the finding on all files with this mistake. The place of the finding is that of the first file.
fn finding(gravity: Gravity, mistake: Mistake, places: &[String]) -> Finding {
    let message = if places.len() == 1 {
        mistake.of_one().to_owned()
    } else {
        format!("{} files {}: {}", places.len(), mistake.of_several(), first_names(places, NAMED))
    };
    Finding::new(gravity, message).at(places.first().cloned().unwrap_or_default())
}

/// Returns the mistakes in a file with their positions. Of each kind, only the first one is reported.
fn of_file(package: &Package, path: &Path) -> Vec<(Mistake, String)> {
    let place = below(package, path);
    let size = path.metadata().map_or(0, |found| found.len());
    if size > LARGEST_BYTES {
        return vec![(Mistake::Large, place)];
    }
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if !TEXTS.contains(&ending) || is_of_validator_test(&place) {
        return Vec::new();
    }
    let mut text = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    let read = regular::open(path).and_then(|file| file.take(LARGEST_BYTES).read_to_end(&mut text));
    match read {
        Err(_) => vec![(Mistake::Unreadable, place)],
        Ok(_) => of_text(&text, &place),
    }
}

/// Returns whether the file belongs to a validator test. Such a file may contain any bytes.
fn is_of_validator_test(place: &str) -> bool {
    ["data/invalid_", "data/valid_output/"].iter().any(|folder| place.starts_with(folder))
}

fn of_text(text: &[u8], place: &str) -> Vec<(Mistake, String)> {
    let mut found = Vec::new();
    let mut add = |mistake: Mistake, offset: usize| {
        let (line, column) = line_and_column(text, offset);
        found.push((mistake, format!("{place}:{line}:{column}")));
    };
    if text.starts_with(b"\xef\xbb\xbf") {
        add(Mistake::ByteOrderMark, 0);
    }
    if let Err(error) = std::str::from_utf8(text) {
        add(Mistake::NotUtf8, error.valid_up_to());
    }
    if let Some(offset) = memchr::memchr(b'\r', text) {
        add(Mistake::CarriageReturn, offset);
    }
    if let Some(offset) = memchr::memchr(b'\0', text) {
        add(Mistake::Nul, offset);
    }
    if text.last().is_some_and(|last| *last != b'\n') {
        add(Mistake::NoLastLineFeed, text.len() - 1);
    }
    found
}

/// Returns the line and the column of the byte at `offset`, both counted from 1; the column is in bytes.
fn line_and_column(text: &[u8], offset: usize) -> (usize, usize) {
    let before = &text[..offset];
    let start = memchr::memrchr(b'\n', before).map_or(0, |feed| feed + 1);
    (memchr::memchr_iter(b'\n', before).count() + 1, offset - start + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(text: &[u8]) -> Vec<String> {
        let found = of_text(text, "data/secret/1.in").into_iter();
        found.map(|(mistake, place)| format!("{place} {}", mistake.of_one())).collect()
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
    fn files_with_the_same_mistake_share_a_finding_that_names_three() {
        let places: Vec<_> = (1..=5).map(|number| format!("data/secret/{number}.in:1:2")).collect();
        let shared = finding(Gravity::Error, Mistake::CarriageReturn, &places);
        assert_eq!(
            shared.message,
            "5 files have carriage returns; lines of text files must end with a line feed only: data/secret/1.in:1:2, \
             data/secret/2.in:1:2, data/secret/3.in:1:2 and 2 more"
        );
        assert_eq!(shared.place.as_deref(), Some("data/secret/1.in:1:2"));
        let alone = finding(Gravity::Error, Mistake::Nul, &places[..1]);
        assert_eq!(alone.message, "has a NUL byte; text files of a package must not have one");
    }

    #[test]
    fn line_ends_are_errors_only_in_the_data_of_versions_with_a_rule_for_them() {
        let gravity = |mistake: Mistake, place, version| mistake.gravity(place, version);
        for mistake in [Mistake::CarriageReturn, Mistake::NoLastLineFeed] {
            assert_eq!(gravity(mistake, "data/secret/1.in", Version::V2025_09), Gravity::Error);
            assert_eq!(gravity(mistake, "data/secret/1.in", Version::Legacy), Gravity::Note);
            assert_eq!(gravity(mistake, "problem.yaml", Version::V2025_09), Gravity::Note);
        }
        assert_eq!(gravity(Mistake::NotUtf8, "data/secret/1.in", Version::Legacy), Gravity::Error);
        assert_eq!(gravity(Mistake::NotUtf8, "problem.yaml", Version::Legacy), Gravity::Warning);
    }

    #[test]
    fn tests_of_the_validators_may_be_anything() {
        assert!(is_of_validator_test("data/invalid_input/crlf.in"));
        assert!(is_of_validator_test("data/valid_output/crlf.out"));
        assert!(!is_of_validator_test("data/secret/1.in"));
    }
}
