//! Finds the Python modules beside a generator of one file. BAPCtools runs such a generator through a link to its
//! source, and Python searches modules in the folder of the link's target. So in BAPCtools a generator can import every
//! module in its folder.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use referee_files::regular;

/// The largest source that is searched for imports, in bytes.
const LARGEST: u64 = 1 << 20;

/// The maximum number of modules that one generator may import from its folder.
const MOST: usize = 100;

/// Returns the modules that the Python file imports from its folder, directly or through other modules there. Empty for
/// other files. `may_be_read` returns whether the judge may read a file.
pub(super) fn imported_from_folder(file: &Path, may_be_read: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut found = BTreeSet::new();
    let mut unread = vec![file.to_path_buf()];
    while let Some(path) = unread.pop() {
        if path.extension().is_none_or(|ending| ending != "py") {
            continue;
        }
        for name in imports(&source(&path)) {
            let module = file.with_file_name(format!("{name}.py"));
            let is_usable = module != file && found.len() < MOST && may_be_read(&module) && is_file(&module);
            if is_usable && found.insert(module.clone()) {
                unread.push(module);
            }
        }
    }
    found.into_iter().collect()
}

fn is_file(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file())
}

/// Returns the first bytes of a regular file as text; empty if the file cannot be read.
fn source(path: &Path) -> String {
    let mut bytes = Vec::new();
    // An unreadable file imports nothing. The build reports it.
    let _ = regular::open(path).and_then(|file| file.take(LARGEST).read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns the names of the modules in the import statements of a Python source, without the names of submodules.
fn imports(source: &str) -> BTreeSet<String> {
    let modules = |line: &str| -> Vec<String> {
        let (names, one) = match (line.strip_prefix("import "), line.strip_prefix("from ")) {
            (Some(names), _) => (names, false),
            (None, Some(names)) => (names, true),
            (None, None) => return Vec::new(),
        };
        let count = if one { 1 } else { usize::MAX };
        names.split(',').take(count).map(|name| first_word(name.trim_start()).to_owned()).collect()
    };
    source.lines().flat_map(|line| modules(line.trim_start())).filter(|name| !name.is_empty()).collect()
}

/// Returns the beginning of the text that can be a name in Python.
fn first_word(text: &str) -> &str {
    let end = text.find(|letter: char| letter != '_' && !letter.is_alphanumeric());
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_modules_are_read_from_import_statements() {
        let source = "import os, lib.deep as l,graph\n  from tree import (a, b)\nfrom . import c\nimported = 'import x'\n\
                      # import y\nfrom __future__ import z\n";
        let names: Vec<_> = imports(source).into_iter().collect();
        assert_eq!(names, ["__future__", "graph", "lib", "os", "tree"]);
    }

    #[test]
    fn modules_of_the_folder_are_found_through_other_modules() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("gen.py", "import first\nimport sys\n");
        write("first.py", "from second import value\n");
        write("second.py", "import gen, secret\nvalue = 1\n");
        write("secret.py", "");
        write("other.py", "");
        write("gen.cpp", "import first\n");
        fs::create_dir(folder.path().join("sys.py")).unwrap();
        let found = |name: &str| {
            let paths = imported_from_folder(&folder.path().join(name), |path| !path.ends_with("secret.py"));
            paths.iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(found("gen.py"), ["first.py", "second.py"]);
        assert_eq!(found("gen.cpp"), [""; 0]);
        assert_eq!(found("missing.py"), [""; 0]);
    }
}
