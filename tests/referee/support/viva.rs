//! A package whose input validator is a grammar of VIVA, a program in place of VIVA, and values of PATH with and
//! without VIVA.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::command::write;

/// A package whose inputs are single numbers up to 100. Its only input validator is a grammar.
const FILES: [(&str, &str); 9] = [
    ("problem.yaml", PROBLEM),
    ("input_validators/range.viva", "n (1 <= n <= {{most}});\n"),
    ("submissions/accepted/a.py", "n = int(input())\nprint(1 if n > 40 else 0)\n"),
    ("submissions/accepted/b.py", "print(int(int(input()) > 40))\n"),
    ("wrong.py", "n = int(input())\nprint(0 if n > 100 else int(n > 40))\n"),
    ("data/secret/1.in", "3\n"),
    ("data/secret/1.ans", "0\n"),
    ("data/secret/2.in", "80\n"),
    ("data/secret/2.ans", "1\n"),
];

/// The settings of the package.
pub(crate) const PROBLEM: &str = "problem_format_version: 2025-09\nname: Odd\n\
    uuid: 00000000-0000-4000-8000-00000000a00b\nlimits: {time_limit: 5}\nconstants: {most: 100}\n";

/// Writes the package into `folder`, with these files in addition.
pub(crate) fn package(folder: &Path, more: &[(&str, &str)]) -> PathBuf {
    let package = folder.join("odd");
    for (name, text) in FILES.iter().chain(more) {
        write(&package, name, text);
    }
    package
}

/// A stand-in for VIVA, with the arguments, exit codes and messages of VIVA. It supports only grammars of the form `n
/// (1 <= n <= 100);`, with any number in place of 100, and files that contain one number.
const STAND_IN: &str = r#"#!/bin/sh
[ $# -gt 0 ] || exit 254
read -r grammar <"$1"
most=${grammar#'n (1 <= n <= '}
most=${most%');'}
if [ "$grammar" != "n (1 <= n <= $most);" ]; then
  echo "Pattern parsing failed: Encountered \"$grammar\" at line 1, column 1."
  exit 255
fi
[ $# -gt 1 ] || exit 0
echo "<<< Testing file: $2 >>>"
faults=$(awk -v most="$most" '
  NR > 1 { print "At line " NR " token 0: Extra characters after input."; exit }
  !/^(0|[1-9][0-9]*)$/ { print "At line 1 token 1: Unable to parse value (" $0 ") as Integer"; exit }
  $0 < 1 || $0 > most { print "At line 1 token 1: Failed constraint: 1 <= n && n <= " most; exit }
  END { if (NR == 0) print "At line 1 token 0: Unexpected EOF encountered" }' "$2")
[ -z "$faults" ] || echo "$faults"
echo "<<< DONE Testing file: $2 >>>"
[ -z "$faults" ]
"#;

/// Writes an executable script `name` into `folder`.
pub(crate) fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = write(folder, name, text);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a mode can be changed");
    path
}

/// Writes the stand-in for VIVA into `folder`, and returns a PATH with which it is found.
pub(crate) fn path_with_stand_in(folder: &Path) -> OsString {
    script(&folder.join("bin"), "viva", STAND_IN);
    path_that_begins_with(&folder.join("bin"))
}

/// Returns this process's PATH, with another folder before the others.
pub(crate) fn path_that_begins_with(first: &Path) -> OsString {
    let own = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(first.to_path_buf()).chain(std::env::split_paths(&own));
    std::env::join_paths(folders).expect("folders without a colon")
}

/// Returns a PATH that contains only the given tools from this process's PATH. So VIVA and the tools that contain VIVA
/// are not found, unless they are given. Passes over scripts, such as those of a version manager for Python: they need
/// tools that are not in this PATH.
pub(crate) fn path_with_only(folder: &Path, tools: &[&str]) -> OsString {
    let only = folder.join("only");
    fs::create_dir_all(&only).expect("a folder can be made");
    let own = std::env::var_os("PATH").unwrap_or_default();
    let is_program = |path: &PathBuf| fs::read(path).is_ok_and(|bytes| !bytes.starts_with(b"#!"));
    for tool in tools {
        let found = std::env::split_paths(&own).map(|folder| folder.join(tool)).find(is_program);
        let found = found.unwrap_or_else(|| panic!("{tool} is not in PATH"));
        symlink(found.canonicalize().expect("the tool exists"), only.join(tool)).expect("a link can be made");
    }
    only.into_os_string()
}

/// Returns an error unless this machine has VIVA. VIVA needs Java, and is the command `viva` or a part of problemtools
/// or BAPCtools. Panics instead if VIVA is missing and the environment variable `REFEREE_TESTS_NEED_VIVA` is set.
pub(crate) fn real_viva() -> Result<(), String> {
    let is_there = |command: &str, argument: &str| Command::new(command).arg(argument).output().is_ok();
    let found = ["viva", "verifyproblem", "bt"].iter().any(|command| is_there(command, "--help"));
    let found = found && is_there("java", "-version");
    assert!(found || std::env::var_os("REFEREE_TESTS_NEED_VIVA").is_none(), "VIVA is missing");
    if found { Ok(()) } else { Err("VIVA is missing".to_owned()) }
}
