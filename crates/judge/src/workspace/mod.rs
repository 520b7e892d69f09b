//! Temporary folders: where programs are built and run.

pub(crate) mod copy;
pub(crate) mod folder;
pub(crate) mod site;
mod stale_dirs;

use std::io;

use referee_files::temporary;

use crate::JudgeError;

use folder::Folder;

/// What fails where there is no room for temporary files, in [`JudgeError::System`].
pub const MAKING_A_FOLDER: &str = "making a temporary folder";

/// The folder that holds everything of a run. Programs that run as another user pass through it, and cannot list it.
pub(crate) fn workspace() -> io::Result<Folder> {
    let above = std::env::temp_dir();
    stale_dirs::remove_once(&above);
    Folder::new_in(&above, &temporary::prefix(""), 0o711)
}

/// The error for a temporary folder that cannot be made.
pub(crate) fn no_folder(source: io::Error) -> JudgeError {
    JudgeError::System { doing: MAKING_A_FOLDER, source }
}
