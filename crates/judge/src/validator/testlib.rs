//! Detects checkers that are written with testlib.h. Their protocol differs from the format's: they are called as
//! `checker input output answer` and use testlib's exit codes. The judge runs such checkers unmodified. If the package
//! does not contain the header, the user supplies it.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::build::script;
use referee_files::regular;
use referee_package::PackageProgram;
use referee_package::links::{Boundary, Found};

/// The protocol of a validator: its arguments and its exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// The protocol of the package format.
    Icpc,
    /// The protocol of testlib's checkers.
    Testlib,
}

/// The protocol of a validator, detected from its sources.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Checker {
    pub(crate) protocol: Protocol,
    /// The header that the judge copies beside the sources; `None` if the program has a header of its own or needs
    /// none.
    pub(crate) header: Option<PathBuf>,
}

const HEADER: &str = "testlib.h";

/// Maximum number of files of a program that are examined.
const MOST_FILES: usize = 1000;

/// Maximum number of bytes of a source or header that are examined.
const LONGEST: u64 = 4 << 20;

/// Detects whether a program of a package is a checker that is written with testlib. `boundary` says which links in the
/// program may be followed. `supplied` is the path of the user's testlib.h. Fails if the checker needs a header and
/// none is supplied, or if a file of the program cannot be used.
pub(crate) fn detect(
    program: &PackageProgram,
    boundary: &Boundary,
    supplied: Option<&Path>,
) -> Result<Checker, String> {
    let path = program.path.as_path();
    // A program with its own scripts is called by the format's protocol. Its script `run` may translate the call.
    if script::has_scripts(path) {
        return Ok(Checker { protocol: Protocol::Icpc, header: None });
    }
    // Links are followed, because a header is often a link to a file that several programs share.
    let mut files = Vec::new();
    for path in program.headers.iter().map(PathBuf::as_path).chain([path]) {
        let found = boundary.of_program(path).files(path);
        let found = found.map_err(|refused| refused.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))?;
        files.extend(found.into_iter().take(MOST_FILES).map(|found| (path_in_program(path, &found), found.real)));
    }
    let own = files.iter().find(|(name, _)| name.file_name().is_some_and(|name| name == HEADER));
    let uses = files.iter().any(|file| Some(file) != own && includes(&text(&file.1)));
    match (uses, own, supplied) {
        (false, ..) => Ok(Checker { protocol: Protocol::Icpc, header: None }),
        (true, Some((_, own)), _) => Ok(Checker { protocol: protocol(&text(own)), header: None }),
        (true, None, Some(given)) => {
            let header = given.canonicalize().map_err(|error| format!("{}: {error}", given.display()))?;
            Ok(Checker { protocol: protocol(&text(&header)), header: Some(header) })
        }
        (true, None, None) => {
            Err("it is a checker written with testlib, but testlib.h is not in its folder; give it with --testlib FILE"
                .to_owned())
        }
    }
}

/// Returns the path of a file within the program, without following links.
fn path_in_program(path: &Path, found: &Found) -> PathBuf {
    if found.below.as_os_str().is_empty() { path.to_path_buf() } else { path.join(&found.below) }
}

fn text(path: &Path) -> Vec<u8> {
    let mut text = Vec::new();
    // An error is ignored here, because the compiler reports a file that cannot be read.
    let _ = regular::open(path).and_then(|file| file.take(LONGEST).read_to_end(&mut text));
    text
}

/// Whether the text has a line `#include "testlib.h"` or `#include <testlib.h>`; white space does not matter.
fn includes(text: &[u8]) -> bool {
    text.split(|&byte| byte == b'\n').any(|line| {
        let packed: Vec<u8> = line.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
        packed.starts_with(b"#include\"testlib.h\"") || packed.starts_with(b"#include<testlib.h>")
    })
}

/// Returns the protocol of checkers that include this header. It is [`Protocol::Icpc`] if the package has changed the
/// header so that an accepting checker exits with 42.
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

    /// Calls `detect` on the file `name` in the folder, or on the whole folder if `name` is empty. `headers` are the
    /// names of the headers that belong to the program.
    fn of(
        folder: &tempfile::TempDir,
        name: &str,
        headers: &[&str],
        supplied: Option<&Path>,
    ) -> Result<Checker, String> {
        let root = folder.path().canonicalize().unwrap();
        let path = if name.is_empty() { root.clone() } else { root.join(name) };
        let headers = headers.iter().map(|header| root.join(header)).collect();
        detect(&PackageProgram { name: "check".to_owned(), path, headers }, &Boundary::of_package(&root), supplied)
    }

    #[test]
    fn a_checker_is_known_by_the_header_it_includes() {
        let plain = program(&[("check.cpp", "#include <iostream>\n// testlib.h\n")]);
        assert_eq!(of(&plain, "", &[], None).unwrap().protocol, Protocol::Icpc);
        let checker = program(&[("check.cpp", "# include \"testlib.h\"\n")]);
        assert!(of(&checker, "", &[], None).unwrap_err().contains("--testlib"));
        let supplied = program(&[(HEADER, "#define OK_EXIT_CODE 0\n")]);
        let header = supplied.path().join(HEADER);
        let found = of(&checker, "check.cpp", &[], Some(&header)).unwrap();
        assert_eq!((found.protocol, found.header.is_some()), (Protocol::Testlib, true));
    }

    #[test]
    fn a_header_may_be_a_link_in_the_package_and_none_out_of_it() {
        let folder = program(&[("check.cpp", "#include \"testlib.h\"\n"), ("shared.h", "#define OK_EXIT_CODE 0\n")]);
        std::os::unix::fs::symlink("shared.h", folder.path().join(HEADER)).unwrap();
        let linked = Checker { protocol: Protocol::Testlib, header: None };
        assert_eq!(of(&folder, "", &[], None).unwrap(), linked);
        assert_eq!(of(&folder, "check.cpp", &[HEADER], None).unwrap(), linked);
        let outside = program(&[(HEADER, "#define OK_EXIT_CODE 42\n")]);
        fs::remove_file(folder.path().join(HEADER)).unwrap();
        std::os::unix::fs::symlink(outside.path().join(HEADER), folder.path().join(HEADER)).unwrap();
        for refused in [of(&folder, "", &[], None), of(&folder, "check.cpp", &[HEADER], None)] {
            assert!(refused.unwrap_err().starts_with("testlib.h is a link that leads out of the package, to "));
        }
    }

    #[test]
    fn a_header_beside_a_checker_of_one_file_is_its_own() {
        let folder = program(&[("check.cpp", "#include \"common.h\"\n"), (HEADER, ""), ("common.h", "")]);
        fs::write(folder.path().join("common.h"), "#include \"testlib.h\"\n").unwrap();
        let found = of(&folder, "check.cpp", &["common.h", HEADER], None).unwrap();
        assert_eq!(found, Checker { protocol: Protocol::Testlib, header: None });
        assert!(of(&folder, "check.cpp", &["common.h"], None).unwrap_err().contains("--testlib"));
    }

    #[test]
    fn a_header_changed_for_the_format_makes_it_an_ordinary_validator() {
        let own =
            program(&[("check.cpp", "#include \"testlib.h\"\n"), (HEADER, "#else\n#       define OK_EXIT_CODE 42\n")]);
        assert_eq!(of(&own, "", &[], None).unwrap(), Checker { protocol: Protocol::Icpc, header: None });
    }
}
