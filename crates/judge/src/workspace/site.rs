//! The folders in which programs are built, and those that submissions cannot see.

use std::path::{Path, PathBuf};

/// The folder in which programs are built and run, and the folders that submissions cannot see.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    /// The judge's temporary folder.
    pub(crate) workspace: &'a Path,
    /// The package's folder.
    pub(crate) package: &'a Path,
    /// The folder of generated inputs; `None` if there is none.
    pub(crate) drawn: Option<&'a Path>,
}

impl Site<'_> {
    pub(crate) fn package(&self) -> PathBuf {
        self.package.to_path_buf()
    }

    /// Returns the folders that submissions cannot see. The package's own programs can read them.
    pub(crate) fn hidden(&self) -> Vec<PathBuf> {
        std::iter::once(self.package()).chain(self.drawn.map(Path::to_path_buf)).collect()
    }
}
