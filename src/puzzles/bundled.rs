//! The packages of `cases/`, embedded in the binary, so that `referee grade flipgame ./a.out` works anywhere.

use std::io;
use std::path::PathBuf;

use include_dir::{Dir, include_dir};
use tempfile::TempDir;

static CASES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/cases");

/// Returns the names of the bundled packages, sorted.
pub fn names() -> Vec<String> {
    let mut names: Vec<_> = CASES.dirs().map(|dir| dir.path().display().to_string()).collect();
    names.sort();
    names
}

/// A bundled package in a temporary folder, which is removed when this value is dropped.
#[derive(Debug)]
pub struct Unpacked {
    folder: TempDir,
    name: String,
}

impl Unpacked {
    /// Returns the package's folder.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }
}

/// Unpacks the bundled package `name`; `None` if there is none. Fails if the files cannot be written.
pub fn unpack(name: &str) -> io::Result<Option<Unpacked>> {
    let Some(package) = CASES.get_dir(name) else {
        return Ok(None);
    };
    let folder = referee_files::temporary::folder("package").map_err(referee_files::temporary::without_name)?;
    extract(package, folder.path())?;
    Ok(Some(Unpacked { folder, name: name.to_owned() }))
}

fn extract(dir: &Dir<'_>, to: &std::path::Path) -> io::Result<()> {
    std::fs::create_dir_all(to.join(dir.path()))?;
    for file in dir.files() {
        std::fs::write(to.join(file.path()), file.contents())?;
    }
    dir.dirs().try_for_each(|below| extract(below, to))
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
