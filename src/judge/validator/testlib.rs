//! Checkers written with testlib.h, which speak another protocol: `checker input output answer`, and exit codes of
//! their own. They are used as they are; the user supplies the header if the package does not.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::judge::script;

/// How a validator is called and answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::judge) enum Protocol {
    /// That of the package format.
    Icpc,
    /// That of testlib's checkers.
    Testlib,
}

/// What was found out about a validator's sources.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::judge) struct Checker {
    pub(in crate::judge) protocol: Protocol,
    /// The header to be put beside them, if they lack it.
    pub(in crate::judge) header: Option<PathBuf>,
}

const HEADER: &str = "testlib.h";

/// So many files are looked at.
const MOST_FILES: usize = 1000;

/// What is read of a source or the header to find out.
const LONGEST: u64 = 4 << 20;

/// Looks whether the program at `path`, with the headers `beside` it, is a checker of testlib. `supplied` is the user's
/// header.
pub(in crate::judge) fn look(path: &Path, beside: &[PathBuf], supplied: Option<&Path>) -> Result<Checker, String> {
    // A program that says itself how it is run is called as the format says, whatever it makes of that inside.
    if script::has_scripts(path) {
        return Ok(Checker { protocol: Protocol::Icpc, header: None });
    }
    // A header is often a link to one that several programs share.
    let entries = WalkDir::new(path).follow_links(true).max_depth(8).into_iter().take(MOST_FILES);
    let paths = entries.filter_map(Result::ok).map(walkdir::DirEntry::into_path);
    let files: Vec<_> = paths.chain(beside.iter().cloned()).filter(|path| path.is_file()).collect();
    let own = files.iter().find(|file| file.file_name().is_some_and(|name| name == HEADER));
    let uses = files.iter().any(|file| Some(file) != own && includes(&text(file)));
    match (uses, own, supplied) {
        (false, ..) => Ok(Checker { protocol: Protocol::Icpc, header: None }),
        (true, Some(own), _) => Ok(Checker { protocol: protocol(&text(own)), header: None }),
        (true, None, Some(given)) => {
            let header = given.canonicalize().map_err(|error| format!("{}: {error}", given.display()))?;
            Ok(Checker { protocol: protocol(&text(&header)), header: Some(header) })
        }
        (true, None, None) => {
            Err("it is a checker of testlib, and testlib.h is not beside it; give it with --testlib FILE".to_owned())
        }
    }
}

fn text(path: &Path) -> Vec<u8> {
    let mut text = Vec::new();
    // One that cannot be read is for the compiler to complain of.
    let _ = File::open(path).and_then(|file| file.take(LONGEST).read_to_end(&mut text));
    text
}

/// `#include "testlib.h"`, blanks aside.
fn includes(text: &[u8]) -> bool {
    text.split(|&byte| byte == b'\n').any(|line| {
        let packed: Vec<u8> = line.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
        packed.starts_with(b"#include\"testlib.h\"") || packed.starts_with(b"#include<testlib.h>")
    })
}

/// Headers that were changed for the format make checkers end with 42.
fn protocol(header: &[u8]) -> Protocol {
    let defines = |line: &[u8]| {
        let Some(directive) = line.trim_ascii().strip_prefix(b"#") else { return false };
        let words: Vec<_> = directive.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
        words.starts_with(&[b"define", b"OK_EXIT_CODE", b"42"])
    };
    let changed = header.split(|&byte| byte == b'\n').any(defines);
    if changed { Protocol::Icpc } else { Protocol::Testlib }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn program(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    #[test]
    fn a_checker_is_known_by_the_header_it_includes() {
        let plain = program(&[("check.cpp", "#include <iostream>\n// testlib.h\n")]);
        assert_eq!(look(plain.path(), &[], None).unwrap().protocol, Protocol::Icpc);
        let checker = program(&[("check.cpp", "# include \"testlib.h\"\n")]);
        assert!(look(checker.path(), &[], None).unwrap_err().contains("--testlib"));
        let supplied = program(&[(HEADER, "#define OK_EXIT_CODE 0\n")]);
        let found = look(&checker.path().join("check.cpp"), &[], Some(&supplied.path().join(HEADER))).unwrap();
        assert_eq!((found.protocol, found.header.is_some()), (Protocol::Testlib, true));
        std::os::unix::fs::symlink(supplied.path().join(HEADER), checker.path().join(HEADER)).unwrap();
        let linked = Checker { protocol: Protocol::Testlib, header: None };
        assert_eq!(look(checker.path(), &[], None).unwrap(), linked, "a header may be a link");
    }

    #[test]
    fn a_header_beside_a_checker_of_one_file_is_its_own() {
        let folder = program(&[("check.cpp", "#include \"common.h\"\n"), (HEADER, ""), ("common.h", "")]);
        let at = |name: &str| folder.path().join(name);
        fs::write(at("common.h"), "#include \"testlib.h\"\n").unwrap();
        let beside = [at("common.h"), at(HEADER)];
        let found = look(&at("check.cpp"), &beside, None).unwrap();
        assert_eq!(found, Checker { protocol: Protocol::Testlib, header: None });
        assert!(look(&at("check.cpp"), &beside[..1], None).unwrap_err().contains("--testlib"));
    }

    #[test]
    fn a_header_changed_for_the_format_makes_it_an_ordinary_validator() {
        let own =
            program(&[("check.cpp", "#include \"testlib.h\"\n"), (HEADER, "#else\n#       define OK_EXIT_CODE 42\n")]);
        assert_eq!(look(own.path(), &[], None).unwrap(), Checker { protocol: Protocol::Icpc, header: None });
    }
}
