//! Computes digests of the data that all parts of a run share. A run can be split into parts, which different machines
//! judge. Each part's report contains the digests. `merge` compares them to check that the parts belong together.

use std::fmt::Debug;
use std::num::NonZeroU32;
use std::path::Path;

use blake3::Hasher;

use crate::{RunUntil, Settings, Submission};
use referee_files::regular::{self, Stoppable};
use referee_grading::verdict::TimeBound;
use referee_package::links::Boundary;
use referee_package::{Package, TestCase};

/// Number of hexadecimal digits of a digest. Few are enough, because no user gains anything by forging equal digests.
const DIGITS: usize = 16;

/// Returns the digest of the submissions' names, in their order.
pub(crate) fn of_submissions(submissions: &[Submission]) -> String {
    let mut digest = Digest::default();
    for submission in submissions {
        digest.bytes(submission.name.as_bytes());
    }
    digest.done()
}

/// Returns the digest of the test cases' names, of the sizes of their inputs and answers, and of the settings that
/// change how submissions are judged.
pub(crate) fn of_cases(cases: &[TestCase], settings: &Settings) -> String {
    let mut digest = Digest::default();
    digest.value(&(settings.run_until, settings.repeat, settings.dialect, settings.sandbox, settings.warm));
    if let Some(points) = &settings.points {
        digest.value(points);
    }
    for case in cases {
        digest.bytes(case.name.as_bytes());
        digest.value(&[&case.input(), &case.answer()].map(|path| path.metadata().map(|found| found.len()).ok()));
    }
    digest.done()
}

/// Returns the digest of the main data that a measured time limit depends on: the test cases and settings
/// ([`of_cases`]), the submissions that must not exceed the limit, and the safety margins.
pub fn time_limit_basis(package: &Package, settings: &Settings) -> String {
    let mut digest = Digest::default();
    // These settings get fixed values, because they do not change how the limit is measured.
    let of_measuring = Settings { run_until: RunUntil::End, repeat: NonZeroU32::MIN, points: None, ..settings.clone() };
    digest.value(&package.timing);
    digest.bytes(of_cases(&package.cases, &of_measuring).as_bytes());
    for submission in Submission::of_jury(package).iter().filter(|submission| submission.bounds(TimeBound::Lower)) {
        digest.bytes(submission.name.as_bytes());
        digest.tree(&package.boundary, &submission.path);
    }
    digest.done()
}

#[derive(Default)]
struct Digest(Hasher);

impl Digest {
    /// Hashes the length first, so that the texts "ab" and "c" get a different digest from "a" and "bc".
    fn bytes(&mut self, bytes: &[u8]) {
        self.0.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
    }

    fn value(&mut self, value: &impl Debug) {
        self.bytes(format!("{value:?}").as_bytes());
    }

    /// Adds all files of the submission `path`, a file or folder. Follows the links that stay inside `boundary`. Skips
    /// a file that cannot be read, because the judge cannot read it either when it builds the submission.
    fn tree(&mut self, boundary: &Boundary, path: &Path) {
        for found in boundary.files(path).unwrap_or_default() {
            if let Ok(file) = regular::open(&found.real) {
                self.bytes(found.below.as_os_str().as_encoded_bytes());
                let mut content = Hasher::new();
                let _ = content.update_reader(Stoppable(file));
                self.bytes(content.finalize().as_bytes());
            }
        }
    }

    fn done(&self) -> String {
        self.0.finalize().to_hex()[..DIGITS].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn digest_of(path: &Path) -> String {
        let mut digest = Digest::default();
        digest.tree(&Boundary::of_package(&path.canonicalize().unwrap()), path);
        digest.done()
    }

    fn submission(name: &str) -> Submission {
        Submission {
            name: name.to_owned(),
            path: name.into(),
            language: None,
            entry_point: None,
            expectations: None,
            scores: Vec::new(),
            left_out: None,
            student: None,
        }
    }

    #[test]
    fn the_same_submissions_in_another_order_are_others() {
        let of = |names: &[&str]| of_submissions(&names.iter().map(|name| submission(name)).collect::<Vec<_>>());
        assert_eq!(of(&["a.c", "b.c"]), of(&["a.c", "b.c"]));
        assert_ne!(of(&["a.c", "b.c"]), of(&["b.c", "a.c"]));
        assert_ne!(of(&["a.c", "b.c"]), of(&["a.c", "b.c", "c.c"]));
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
    }

    #[test]
    fn a_changed_or_renamed_source_is_another() {
        let folder = tempfile::tempdir().unwrap();
        let mut seen = vec![digest_of(folder.path())];
        for (name, text) in [("a.c", "1"), ("a.c", "2"), ("b.c", "2")] {
            fs::write(folder.path().join(name), text).unwrap();
            seen.push(digest_of(folder.path()));
        }
        fs::remove_file(folder.path().join("a.c")).unwrap();
        seen.push(digest_of(folder.path()));
        let different: std::collections::BTreeSet<_> = seen.iter().collect();
        assert_eq!(different.len(), seen.len());
    }
}
