//! A small copy of a package, in which tests make mistakes.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use walkdir::WalkDir;

use crate::support::files;
use crate::support::program::temporary_folder;

/// For each package: its name, the submissions that a copy keeps, and the text of submissions.yaml in the copy. A copy
/// keeps only a few submissions in Python, so that tests are fast.
const SUBMISSIONS: [(&str, &[&str], &str); 3] = [
    (
        "flipgame",
        &["accepted/gray_code.py", "wrong_answer/white_only.py"],
        "wrong_answer/white_only.py:\n  secret/02-all-black:\n    required: [WA]\n",
    ),
    ("swapgame", &["accepted/bfs.py", "wrong_answer/zero_based.py"], ""),
    ("coins", &["accepted/mirrored_strings.py", "wrong_answer/mirror_not_unfolded.py"], ""),
];

/// The number of test cases that a copy keeps in each folder.
const CASES: usize = 5;
/// The number of validator tests that a copy keeps in each folder.
const TESTS: usize = 3;

/// A copy of a package. It is removed when this value is dropped.
pub(crate) struct Copy {
    folder: TempDir,
    name: &'static str,
}

impl Copy {
    pub(crate) fn of(package: &'static str) -> Copy {
        let copy = Copy { folder: temporary_folder(), name: package };
        let from = files::package(package);
        let (_, submissions, rules) = SUBMISSIONS.iter().find(|(name, ..)| *name == package).expect("it is listed");
        for entry in WalkDir::new(&from).sort_by_file_name().into_iter().map(|entry| entry.expect("it can be read")) {
            let below = entry.path().strip_prefix(&from).expect("it lies there");
            let name = below.to_str().expect("names are UTF-8");
            let wanted = match name.split_once('/') {
                Some(("submissions", own)) => submissions.iter().any(|kept| own.starts_with(kept)),
                Some(("data", own)) => is_kept(own, &from.join("data")),
                _ => true,
            };
            if entry.file_type().is_file() && wanted {
                copy.write(name, fs::read(entry.path()).expect("it can be read"));
            }
        }
        if !rules.is_empty() {
            copy.write("submissions/submissions.yaml", rules);
        }
        copy
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join(self.name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("a folder can be made");
        fs::write(path, bytes).expect("a file can be written");
    }

    /// Replaces the first occurrence of `from` in a file. Fails if the file does not contain `from`.
    pub(crate) fn replace(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{name} has {from:?}");
        self.write(name, text.replacen(from, to, 1));
    }

    pub(crate) fn remove(&self, name: &str) {
        let path = self.path().join(name);
        let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    pub(crate) fn rename(&self, from: &str, to: &str) {
        fs::rename(self.path().join(from), self.path().join(to)).unwrap_or_else(|error| panic!("{from}: {error}"));
    }

    /// Copies the input and the answer of a case, without its description.
    pub(crate) fn copy_case(&self, from: &str, to: &str) {
        for ending in ["in", "ans"] {
            self.write(&format!("data/{to}.{ending}"), self.read(&format!("data/{from}.{ending}")));
        }
    }

    /// Replaces all input validators with this C program.
    pub(crate) fn validate_inputs_by(&self, program: &str) {
        self.remove("input_validators");
        self.write("input_validators/validate.c", program);
    }

    /// Replaces the output validator with this C program.
    pub(crate) fn validate_outputs_by(&self, program: &str) {
        self.remove("output_validator");
        self.write("output_validator/validate.c", program);
    }
}

/// Returns whether the copy keeps the data file `name`. It keeps the files of the first test cases of each folder.
fn is_kept(name: &str, data: &Path) -> bool {
    let Some((part, file)) = name.split_once('/') else { return false };
    let stem = file.split('.').next().unwrap_or_default();
    let mut stems: Vec<_> = fs::read_dir(data.join(part))
        .expect("it can be read")
        .map(|entry| entry.expect("it can be read").file_name().into_string().expect("names are UTF-8"))
        .filter_map(|name| Some(name.strip_suffix(".in")?.to_owned()))
        .collect();
    stems.sort();
    let most = if ["sample", "secret"].contains(&part) { CASES } else { TESTS };
    stems.iter().take(most).any(|kept| kept == stem)
}
