//! Names of temporary folders. A name identifies the process that created the folder. So a later run can remove the
//! folders of a killed judge, and keep those of a running one.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tempfile::Builder;

/// The prefix of every name.
const PREFIX: &str = "referee-";

/// Returns the prefix for names of temporary folders of this `kind`. The kind is a word that tells the user the purpose
/// of the folder. It may be empty.
pub fn prefix(kind: &str) -> String {
    let kind = if kind.is_empty() { String::new() } else { format!("{kind}-") };
    format!("{PREFIX}{kind}{}-{}-", boot_and_namespace().unwrap_or_default(), std::process::id())
}

/// Creates a temporary folder, which is removed when the value is dropped. Fails if the folder cannot be created.
pub fn folder(kind: &str) -> io::Result<tempfile::TempDir> {
    Builder::new().prefix(&prefix(kind)).tempdir_in(parent())
}

/// Returns the folder for temporary files: `$TMPDIR`, or /tmp if the variable is empty or not set.
pub fn parent() -> PathBuf {
    // The standard library would return an empty path for an empty variable.
    Some(std::env::temp_dir()).filter(|path| !path.as_os_str().is_empty()).unwrap_or_else(|| PathBuf::from("/tmp"))
}

/// Removes the name of a temporary file or folder from an error message. The user does not know the name, and the file
/// no longer exists.
pub fn without_name(error: io::Error) -> io::Error {
    // `tempfile` wraps the system's error in a private type: it has no error number, and its message names the path.
    match error.to_string().rsplit_once(" at path ") {
        Some((words, _)) if error.raw_os_error().is_none() => io::Error::new(error.kind(), words.to_owned()),
        _ => error,
    }
}

/// Returns whether the process that created the folder called `name` has ended. Returns `false` if this process cannot
/// see whether the creator still runs: the creator may run on another machine, which shares the parent folder, or in
/// another process namespace. Also returns `false` if `name` does not begin with a [`prefix`].
pub fn is_stale(name: &str) -> bool {
    let Some((own, rest)) = boot_and_namespace().zip(name.strip_prefix(PREFIX)) else { return false };
    let mut parts = rest.split('-').skip_while(|part| *part != own).skip(1);
    let process = parts.next().and_then(|part| part.parse::<u32>().ok());
    process.is_some_and(|process| !Path::new(&format!("/proc/{process}")).exists())
}

/// Returns a text that identifies this boot of the machine together with the process namespace. A process id is unique
/// only within one boot and one namespace. Returns `None` if /proc cannot be read.
fn boot_and_namespace() -> Option<&'static str> {
    // A process never changes its own process namespace.
    static TEXT: OnceLock<Option<String>> = OnceLock::new();
    let compute = || {
        let start = fs::read("/proc/sys/kernel/random/boot_id").ok()?;
        let namespace = fs::metadata("/proc/self/ns/pid").ok()?.ino();
        let hash = blake3::Hasher::new().update(&start).update(&namespace.to_le_bytes()).finalize();
        Some(hash.to_hex()[..8].to_owned())
    };
    TEXT.get_or_init(compute).as_deref()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_tells_no_name_that_nobody_gave() {
        let folder = tempfile::tempdir().unwrap();
        let error = tempfile::tempdir_in(folder.path().join("no such folder")).unwrap_err();
        assert!(error.to_string().contains("no such folder"));
        assert_eq!(without_name(error).to_string(), "No such file or directory (os error 2)");
        assert_eq!(without_name(io::Error::other("as it is")).to_string(), "as it is");
    }

    #[test]
    fn what_a_process_left_is_known_once_it_is_gone() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let (own, of_child) = (std::process::id(), child.id());
        child.wait().unwrap();
        for kind in ["", "archive"] {
            let name = prefix(kind) + "aB3xYz";
            assert!(!is_stale(&name), "{name}");
            let theirs = name.replace(&format!("-{own}-"), &format!("-{of_child}-"));
            assert!(is_stale(&theirs), "{theirs}");
            assert!(!is_stale(&theirs.replace(boot_and_namespace().unwrap(), "00000000")), "another machine's");
        }
        for other in [
            "referee",
            "referee-aB3xYz",
            "referee-archive-",
            "other",
            &format!("x-{}-1-a", boot_and_namespace().unwrap()),
        ] {
            assert!(!is_stale(other), "{other}");
        }
    }
}
