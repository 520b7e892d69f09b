//! Temporary folders, in which programs are built and run.

pub(crate) mod compiled;
pub(crate) mod copy;
pub(crate) mod folder;
pub(crate) mod prepared;
pub(crate) mod room;
pub(crate) mod site;
mod stale_dirs;

use std::io;
use std::path::Path;

use referee_files::temporary;

use crate::JudgeError;

use folder::Folder;

/// The value of `doing` in a [`JudgeError::System`] that reports that no temporary folder could be made, for example on
/// a full disk.
pub const MAKING_A_FOLDER: &str = "making a temporary folder";

/// Makes the temporary folder of a run. Programs that run as another user can open paths below it, but cannot list it.
pub(crate) fn workspace() -> io::Result<Folder> {
    let above = temporary::parent();
    refuse_misread(&above)?;
    stale_dirs::remove_once(&above);
    Folder::new_in(&above, &temporary::prefix(""), 0o711)
}

/// Removes temporary folders that killed judges left behind. [`crate::Session::open`] does this by itself. Does nothing
/// on later calls in this process.
pub fn remove_folders_of_killed_judges() {
    stale_dirs::remove_once(&temporary::parent());
}

/// Characters in a path that some compilers and interpreters misread: `java` separates the folders of a class path by
/// colons, `rustc` fails on a percent sign and `node` on a backslash.
const MISREAD: [u8; 3] = [b':', b'%', b'\\'];

/// Fails if a compiler would misread the path of a program below `folder`. A correct program would be rejected.
fn refuse_misread(folder: &Path) -> io::Result<()> {
    let real = folder.canonicalize()?;
    for path in [folder, &real] {
        if let Some(&found) = path.as_os_str().as_encoded_bytes().iter().find(|byte| MISREAD.contains(byte)) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("some compilers misread the {:?} in {}", char::from(found), path.display()),
            ));
        }
    }
    Ok(())
}

/// Returns the error for a temporary folder that cannot be made.
pub(crate) fn folder_error(source: io::Error) -> JudgeError {
    JudgeError::System { doing: MAKING_A_FOLDER, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_compilers_misread_holds_no_programs() {
        let top = tempfile::tempdir().unwrap();
        for (name, is_fit) in [("a b,c'd\"e", true), ("a:b", false), ("a%b", false), ("a\\b", false)] {
            let (folder, link) = (top.path().join(name), top.path().join("link"));
            std::fs::create_dir(&folder).unwrap();
            std::os::unix::fs::symlink(&folder, &link).unwrap();
            assert_eq!(refuse_misread(&folder).is_ok(), is_fit, "{name}");
            assert_eq!(refuse_misread(&link).is_ok(), is_fit, "a link to {name}");
            std::fs::remove_file(link).unwrap();
        }
        let error = refuse_misread(&top.path().join("a:b")).unwrap_err().to_string();
        assert!(error.starts_with("some compilers misread the ':' in /"), "{error}");
    }
}
