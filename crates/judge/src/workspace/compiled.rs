//! Holds programs that were compiled together with others, until each of them is built.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::workspace::folder::Folder;

/// The programs that were compiled together with others and that were not built yet, by the paths of their sources.
#[derive(Debug, Default)]
pub struct CompiledTogether(Mutex<HashMap<PathBuf, CompiledProgram>>);

/// A compiled program. Its folder exists as long as this value.
#[derive(Debug)]
struct CompiledProgram {
    files: PathBuf,
    _above: Arc<Folder>,
}

impl CompiledTogether {
    /// Adds the program whose sources are at `path`. The compiled program is in the folder `files`, which is inside of
    /// the folder `above`.
    pub(crate) fn add(&self, path: PathBuf, files: PathBuf, above: &Arc<Folder>) {
        self.lock().insert(path, CompiledProgram { files, _above: Arc::clone(above) });
    }

    /// Moves the compiled program whose sources are at `path` to the folder `to`, which it replaces. Returns false if
    /// there is no such program, or if it cannot be moved.
    pub(crate) fn move_to(&self, path: &Path, to: &Path) -> bool {
        let Some(program) = self.lock().remove(path) else { return false };
        // The sources in `to` stay until the compiled program, which contains them as well, is ready to replace them.
        let Some(beside) = to.parent().and_then(|above| Folder::new_in(above, "replaced-", 0o700).ok()) else {
            return false;
        };
        let old = beside.path().join("sources");
        if fs::rename(to, &old).is_err() {
            return false;
        }
        let is_moved = fs::rename(&program.files, to).is_ok();
        is_moved || {
            let _ = fs::rename(&old, to);
            false
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<PathBuf, CompiledProgram>> {
        // Every change is a single call, so the map is intact even after a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> Folder {
        Folder::new_in(&std::env::temp_dir(), "referee-test-", 0o755).unwrap()
    }

    #[test]
    fn a_program_is_moved_once_and_replaces_its_sources() {
        let (compiled, above, site) = (CompiledTogether::default(), Arc::new(folder()), folder());
        let (files, to) = (above.path().join("0"), site.path().join("program"));
        for (folder, name) in [(&files, "Main.class"), (&to, "Main.java")] {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join(name), name).unwrap();
        }
        compiled.add("a/Main.java".into(), files, &above);
        assert!(!compiled.move_to(Path::new("b/Main.java"), &to) && to.join("Main.java").exists());
        assert!(compiled.move_to(Path::new("a/Main.java"), &to));
        assert!(to.join("Main.class").exists() && !to.join("Main.java").exists());
        assert!(!compiled.move_to(Path::new("a/Main.java"), &to) && to.join("Main.class").exists());
        let left: Vec<_> = fs::read_dir(site.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["program"]);
    }

    #[test]
    fn a_program_that_cannot_be_moved_leaves_the_sources() {
        let (compiled, above, site) = (CompiledTogether::default(), Arc::new(folder()), folder());
        let to = site.path().join("program");
        fs::create_dir(&to).unwrap();
        fs::write(to.join("Main.java"), "").unwrap();
        compiled.add("Main.java".into(), above.path().join("missing"), &above);
        assert!(!compiled.move_to(Path::new("Main.java"), &to) && to.join("Main.java").exists());
    }
}
