//! The packages of `cases/`, embedded in the binary, so that `referee grade flipgame ./a.out` works anywhere.

use include_dir::{Dir, include_dir};

static CASES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/cases");

/// Returns the names of the bundled packages, sorted.
pub fn names() -> Vec<String> {
    let mut names: Vec<_> = CASES.dirs().map(|dir| dir.path().display().to_string()).collect();
    names.sort();
    names
}

/// Returns the embedded files of the bundled package `name`; `None` if there is none.
pub(super) fn files(name: &str) -> Option<&'static Dir<'static>> {
    CASES.get_dir(name)
}

/// Returns the inputs of a bundled package's samples and secret test cases, as `(path in cases/, text)`, sorted by
/// path.
pub fn inputs(name: &str) -> Vec<(String, &'static [u8])> {
    let data = CASES.get_dir(format!("{name}/data"));
    let folders = ["sample", "secret"].iter().filter_map(|part| data?.get_dir(format!("{name}/data/{part}")));
    let files = folders.flat_map(Dir::files);
    let mut inputs: Vec<_> = files
        .filter(|file| file.path().extension().is_some_and(|ending| ending == "in"))
        .map(|file| (file.path().display().to_string(), file.contents()))
        .collect();
    inputs.sort();
    inputs
}

/// Returns the `uuid` of a bundled package; `None` if there is no such package.
pub fn uuid(name: &str) -> Option<&'static str> {
    let file = CASES.get_file(format!("{name}/problem.yaml"))?;
    // The `problem.yaml` of bundled packages has the key on a line of its own, without quotes.
    file.contents_utf8()?.lines().find_map(|line| line.strip_prefix("uuid:")).map(str::trim)
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_bundled_package_has_a_uuid_of_its_own() {
        let names = super::names();
        let uuids: std::collections::BTreeSet<_> = names.iter().map(|name| super::uuid(name).unwrap()).collect();
        assert_eq!(uuids.len(), names.len());
        assert!(uuids.iter().all(|uuid| uuid.len() == 36));
    }
}
