//! Normalises the files that a compiler wrote into the judge's own folder. Compilers write there if the sandbox has no
//! private root file system on this machine. The files get the same modes and limits as files that are copied out of a
//! private root file system.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::workspace::copy::{self, MOST_COMPILED_FILES};
use referee_language::can_be_executed;

/// Sets the mode of every folder and regular file. The inner error says that there are too many files or bytes, or that
/// a path is too long.
pub(crate) fn normalize(folder: &Path, most_bytes: u64) -> io::Result<Result<(), String>> {
    let (mut files, mut bytes) = (0, 0);
    let mut open: Vec<PathBuf> = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        fs::set_permissions(&next, Permissions::from_mode(0o755))?;
        for entry in fs::read_dir(&next)? {
            let path = entry?.path();
            let found = path.symlink_metadata()?;
            files += 1;
            bytes += if found.is_file() { found.len() } else { 0 };
            let below = path.strip_prefix(folder).unwrap_or(&path);
            if files > MOST_COMPILED_FILES {
                return Ok(Err(format!("there are more than the {MOST_COMPILED_FILES} files and folders allowed")));
            }
            if bytes > most_bytes {
                return Ok(Err(format!("the files have more than the {most_bytes} bytes allowed")));
            }
            if let Err(reason) = copy::check_length(below) {
                return Ok(Err(reason));
            }
            if found.is_dir() {
                open.push(path);
            } else if found.is_file() {
                set_mode(&path, found.permissions().mode())?;
            }
        }
    }
    Ok(Ok(()))
}

/// Sets the mode of a file whose mode is now `mode`. The file stays executable if it was. It becomes executable if its
/// contents are those of a program, or if its name is `run`. The mode alone is not enough: on machines without private
/// roots, the sandbox ignores the `chmod` with which a compiler makes its result executable.
fn set_mode(file: &Path, mode: u32) -> io::Result<()> {
    fs::set_permissions(file, Permissions::from_mode(0o644))?;
    let is_program = mode & 0o111 != 0 || can_be_executed(file) || file.ends_with("run");
    if is_program { fs::set_permissions(file, Permissions::from_mode(0o755)) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_that_were_taken_away_are_given_back() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("below");
        fs::create_dir(&below).unwrap();
        fs::write(below.join("program"), "#!/bin/sh\n").unwrap();
        fs::write(below.join("notes"), "notes").unwrap();
        for closed in [below.join("program"), below.join("notes"), below.clone(), folder.path().to_path_buf()] {
            fs::set_permissions(closed, Permissions::from_mode(0o0)).unwrap();
        }
        normalize(folder.path(), 100).unwrap().unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&below), mode(&below.join("program")), mode(&below.join("notes"))), (0o755, 0o755, 0o644));
    }

    #[test]
    fn what_no_private_root_would_let_out_is_too_much_here() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("large"), [0; 101]).unwrap();
        assert!(normalize(folder.path(), 100).unwrap().is_err());
        let deep = folder.path().join("a/".repeat(600));
        fs::create_dir_all(deep).unwrap();
        let reason = normalize(folder.path(), 1000).unwrap().unwrap_err();
        assert!(reason.contains("the path a/a/a/") && reason.contains("has 1025 bytes"), "{reason}");
    }
}
