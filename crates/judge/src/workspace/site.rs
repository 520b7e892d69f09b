//! The folder in which programs are built and run, and the folders that submissions cannot see.

use std::path::{Path, PathBuf};

use crate::workspace::prepared::PreparedFiles;
use crate::workspace::room::{Crowding, Room};
use referee_package::links::Boundary;

/// The folder in which programs are built and run, and the folders that submissions cannot see.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    /// The judge's temporary folder.
    pub(crate) workspace: &'a Path,
    /// Symbolic links in the package's programs may lead only into these folders.
    pub(crate) boundary: &'a Boundary,
    /// The folder of generated inputs; `None` if there is none.
    pub(crate) generated_inputs: Option<&'a Path>,
    /// The space that the files of a submission may take in the temporary folder.
    pub(crate) room: Room,
    /// What the judge has prepared for compilers.
    pub(crate) prepared: &'a PreparedFiles,
    /// The compilations that took too much space.
    pub(crate) crowding: &'a Crowding,
}

impl Site<'_> {
    /// Returns the package's folder.
    pub(crate) fn package(&self) -> &Path {
        self.boundary.package()
    }

    /// Returns the folders that submissions cannot see. The package's own programs can read them.
    pub(crate) fn hidden(&self) -> Vec<PathBuf> {
        std::iter::once(self.package()).chain(self.generated_inputs).map(Path::to_path_buf).collect()
    }
}
