//! Writes pages to DIR of `--html-per-submission DIR`.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::cli::{Failure, eprint_message};
use referee_report::counted;
use referee_report::html::per_submission::{BEGINNING, Page, Pages};

/// A folder that contains only pages.
pub(super) struct Folder {
    path: PathBuf,
    /// The pages of earlier runs that this run has not replaced.
    earlier: HashSet<OsString>,
}

impl Folder {
    /// Creates the folder if it does not exist. Fails if it is not writable, or if it contains anything but pages.
    pub(super) fn open(path: &Path) -> Result<Folder, Failure> {
        let unusable = |error: io::Error| {
            let reason = if path.is_file() { "it is a file, expected a folder".to_owned() } else { error.to_string() };
            let failure = Failure::unusable(format!("cannot write pages to {}: {reason}", path.display()));
            failure.with_hint("name a writable folder; it is created if it does not exist")
        };
        fs::create_dir_all(path).and_then(|()| tempfile::tempfile_in(path)).map_err(unusable)?;
        let mut earlier = HashSet::new();
        for entry in fs::read_dir(path).map_err(unusable)? {
            let name = entry.map_err(unusable)?.file_name();
            if !is_page(&path.join(&name)) {
                let other = name.to_string_lossy();
                let message = format!("cannot write pages to {}: {other} is not a page of referee", path.display());
                return Err(Failure::unusable(message).with_hint("give --html-per-submission a new or an empty folder"));
            }
            earlier.insert(name);
        }
        Ok(Folder { path: path.to_path_buf(), earlier })
    }
}

/// Returns whether the file is a page that referee made. A link is no page.
fn is_page(path: &Path) -> bool {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let mut found = Vec::new();
    let opened = File::options().read(true).custom_flags(flags).open(path);
    let is_file = |file: &File| file.metadata().is_ok_and(|found| found.is_file());
    let read = opened.ok().filter(is_file).map(|file| file.take(BEGINNING.len() as u64).read_to_end(&mut found));
    read.is_some_and(|read| read.is_ok()) && found == BEGINNING
}

impl Pages for Folder {
    fn add(&mut self, page: &Page) -> io::Result<()> {
        let to = self.path.join(&page.file_name);
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", to.display()));
        // Another program may have written a file of this name during the run. Only a page may be replaced.
        if to.symlink_metadata().is_ok() && !is_page(&to) {
            return Err(named(io::Error::other("the file is not a page of referee, so it is not replaced")));
        }
        let mut file = tempfile::NamedTempFile::new_in(&self.path).map_err(named)?;
        file.write_all(page.html.as_bytes()).map_err(named)?;
        file.as_file().set_permissions(fs::Permissions::from_mode(0o644)).map_err(named)?;
        file.persist(&to).map_err(|error| named(error.error))?;
        self.earlier.remove(OsString::from(&page.file_name).as_os_str());
        Ok(())
    }

    fn finish(self: Box<Self>, is_complete: bool) -> io::Result<()> {
        if !is_complete {
            return Ok(());
        }
        // A page that remained from an earlier run would be handed out with the others.
        let mut removed = 0;
        for name in &self.earlier {
            let path = self.path.join(name);
            if is_page(&path) {
                fs::remove_file(path)?;
                removed += 1;
            }
        }
        if removed > 0 {
            let pages = counted(removed, "page");
            eprint_message("", 0, &format!("{}: {pages} of earlier runs removed", self.path.display()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn page(name: &str, text: &str) -> Page {
        let html = format!("{}{text}", String::from_utf8_lossy(BEGINNING));
        Page { file_name: name.to_owned(), student: None, html }
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn pages_of_an_earlier_run_are_replaced_or_removed_at_the_end() {
        let temporary = tempfile::tempdir().unwrap();
        let path = temporary.path().join("new/pages");
        let mut folder = Box::new(Folder::open(&path).unwrap());
        for name in ["a.html", "b.html"] {
            folder.add(&page(name, "old")).unwrap();
        }
        folder.finish(true).unwrap();
        for is_complete in [false, true] {
            let mut folder = Box::new(Folder::open(&path).unwrap());
            folder.add(&page("b.html", "new")).unwrap();
            folder.finish(is_complete).unwrap();
            assert_eq!(names(&path), if is_complete { vec!["b.html"] } else { vec!["a.html", "b.html"] });
        }
        assert!(fs::read_to_string(path.join("b.html")).unwrap().ends_with("new"));
    }

    #[test]
    fn a_folder_with_other_files_or_links_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let other = tempfile::NamedTempFile::new().unwrap();
        fs::write(other.path(), BEGINNING).unwrap();
        for make in [
            (|path: &Path, _: &Path| fs::write(path, "<!doctype html>\n")) as fn(&Path, &Path) -> io::Result<()>,
            |path, other| symlink(other, path),
            |path, _| fs::create_dir(path),
        ] {
            let path = folder.path().join("x.html");
            make(&path, other.path()).unwrap();
            assert!(Folder::open(folder.path()).is_err());
            let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir(&path));
        }
        assert!(Folder::open(folder.path()).is_ok());
    }

    #[test]
    fn a_link_that_appears_during_the_run_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let other = tempfile::NamedTempFile::new().unwrap();
        let mut pages = Folder::open(folder.path()).unwrap();
        symlink(other.path(), folder.path().join("a.html")).unwrap();
        assert!(pages.add(&page("a.html", "new")).is_err());
        assert_eq!(fs::read_to_string(other.path()).unwrap(), "");
    }
}
