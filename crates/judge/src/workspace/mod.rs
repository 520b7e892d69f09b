//! Temporary folders, in which programs are built and run.

pub(crate) mod copy;
pub(crate) mod folder;
pub(crate) mod room;
pub(crate) mod site;
mod stale_dirs;

use std::io;

use referee_files::temporary;

use crate::JudgeError;

use folder::Folder;

/// The value of `doing` in a [`JudgeError::System`] that reports that no temporary folder could be made, for example on
/// a full disk.
pub const MAKING_A_FOLDER: &str = "making a temporary folder";

/// Makes the temporary folder of a run. Programs that run as another user can open paths below it, but cannot list it.
pub(crate) fn workspace() -> io::Result<Folder> {
    let above = std::env::temp_dir();
    stale_dirs::remove_once(&above);
    Folder::new_in(&above, &temporary::prefix(""), 0o711)
}

/// Returns the error for a temporary folder that cannot be made.
pub(crate) fn folder_error(source: io::Error) -> JudgeError {
    JudgeError::System { doing: MAKING_A_FOLDER, source }
}
