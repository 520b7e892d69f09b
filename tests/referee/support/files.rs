//! The paths of the files of a package.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// Returns a path inside the repository.
pub(crate) fn in_repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Returns the folder of the bundled package of `puzzle`.
pub(crate) fn package(puzzle: &str) -> PathBuf {
    in_repository("cases").join(puzzle)
}

/// Returns the `.in` files below `data/part` for each of `parts`, in order. Fails if a part has none.
pub(crate) fn inputs(puzzle: &str, parts: &[&str]) -> Vec<PathBuf> {
    let data = package(puzzle).join("data");
    let of = |part: &&str| {
        let inputs = with_ending(&data.join(part), "in");
        assert!(!inputs.is_empty(), "{puzzle} has no inputs in {part}");
        inputs
    };
    parts.iter().flat_map(of).collect()
}

/// Returns the path of `validate.cpp` in the package's folder `part`; `None` if the package has no such folder.
pub(crate) fn validator(puzzle: &str, part: &str) -> Option<PathBuf> {
    let folder = package(puzzle).join(part);
    folder.is_dir().then(|| folder.join("validate.cpp"))
}

/// Returns the path of the program that contains the mistakes which the data of `puzzle` must detect.
pub(crate) fn mistakes(puzzle: &str) -> PathBuf {
    in_repository("tests/mistakes").join(puzzle).with_extension("cpp")
}

/// Returns the path of `file` relative to the repository's root, for messages.
pub(crate) fn shown(file: &Path) -> String {
    file.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(file).display().to_string()
}

/// Returns the files below `folder` with the extension `ending`, in order; none if there is no such folder.
pub(crate) fn with_ending(folder: &Path, ending: &str) -> Vec<PathBuf> {
    if !folder.is_dir() {
        return Vec::new();
    }
    let entries = WalkDir::new(folder).sort_by_file_name().into_iter();
    let files = entries.map(|entry| entry.expect("the folder can be read").into_path());
    files.filter(|file| file.extension().is_some_and(|own| own == ending)).collect()
}
