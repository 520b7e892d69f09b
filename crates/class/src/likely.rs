//! Decides whether a path holds programs of users, by the names in it. Reads no contents of files.

use std::path::Path;

use super::endings::Endings;
use super::layout::{Ask, Recognised, recognise};
use super::level::Level;
use super::listing::Listing;
use referee_event::ClassLayout;

/// Returns whether `path` looks like the programs of users: a source, a folder or ZIP archive with sources directly in
/// it, or the programs of a class. Returns `false` if it cannot be read.
pub fn holds_programs(path: &Path, endings: &Endings) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if path.is_file() && endings.is_source(name) {
        return true;
    }
    let Ok(listing) = Listing::open(path) else { return false };
    let top = Level::new(&listing, &[]);
    match recognise(&listing, endings, Ask::IfClear) {
        // The folders of a package without problem.yaml are no students.
        Recognised::Class(found) if found.layout == ClassLayout::Folders => !top.has_folder("data"),
        Recognised::Class(_) => true,
        Recognised::Program => top.has_sources(endings),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_language::Table;

    fn holds(paths: &[&str], path: &str) -> bool {
        let folder = tempfile::tempdir().unwrap();
        for path in paths {
            let at = folder.path().join(path);
            std::fs::create_dir_all(at.parent().unwrap()).unwrap();
            std::fs::write(at, "").unwrap();
        }
        holds_programs(&folder.path().join(path), &Endings::new(&Table::load(&[]).unwrap(), &[]).unwrap())
    }

    #[test]
    fn sources_and_classes_are_programs() {
        assert!(holds(&["a.py"], "a.py"));
        assert!(holds(&["in/a.py", "in/b.py"], "in"));
        assert!(holds(&["in/amy/a.py", "in/bob/b.py"], "in"));
        assert!(holds(&["in/Amy_1_assignsubmission_file_/a.pdf"], "in"));
    }

    #[test]
    fn packages_and_other_files_are_not_programs() {
        assert!(!holds(&["a.txt"], "a.txt"));
        assert!(!holds(&["in/a.txt"], "in"));
        assert!(!holds(&["in/data/secret/1.in", "in/submissions/accepted/a.py"], "in"));
        assert!(!holds(&[], "missing"));
    }
}
